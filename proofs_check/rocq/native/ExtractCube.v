(* The checker of the dimension of halfspaces as OCaml, for long runs.  What is put in the place of
   definitions here is trusted: all numbers are machine integers of 63 bits.  In a run for d <= 6
   none reaches 2^33: rows have 32 bits in each half, and there are fewer than 2^26 of them. *)
From Coq Require Import ZArith NArith List.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.
From CCSim Require Import HalfspaceDimension.

Extract Inlined Constant Nat.leb => "(<=)".
Extract Inlined Constant Nat.ltb => "(<)".
Extract Inlined Constant Nat.eqb => "(=)".
Extract Constant Nat.pow => "(fun a b -> let rec go r b = if b = 0 then r else go (r * a) (b - 1) in go 1 b)".
Extract Constant Nat.add => "(+)".
Extract Constant Nat.mul => "( * )".
Extract Constant Nat.sub => "(fun (a : int) b -> if a < b then 0 else a - b)".
Extract Constant Nat.odd => "(fun a -> a land 1 = 1)".
Extract Constant Nat.div2 => "(fun a -> a lsr 1)".
Extract Constant Nat.land => "(land)".
Extract Constant Nat.lor => "(lor)".
Extract Constant Nat.log2 => "(fun a -> let rec go r a = if a < 2 then r else go (r + 1) (a lsr 1) in go 0 a)".
Extract Constant Nat.min => "(fun (a : int) b -> if a < b then a else b)".
Extract Constant N.testbit_nat => "(fun a i -> (a lsr i) land 1 = 1)".
Extract Constant N.setbit => "(fun a i -> a lor (1 lsl i))".
Extract Constant N.land => "(land)".
Extract Constant N.odd => "(fun a -> a land 1 = 1)".
Extract Constant N.div2 => "(fun a -> a lsr 1)".
Extract Constant N.double => "(fun a -> a lsl 1)".
Extract Constant N.succ_double => "(fun a -> (a lsl 1) lor 1)".
Extract Constant N.eqb => "(fun (a : int) b -> a = b)".
Extract Constant N.leb => "(fun (a : int) b -> a <= b)".
Extract Constant N.ltb => "(fun (a : int) b -> a < b)".
Extract Constant N.of_nat => "(fun a -> a)".
Extract Constant N.pow => "(fun a b -> let rec go r b = if b = 0 then r else go (r * a) (b - 1) in go 1 b)".
Extract Constant Z.leb => "(fun (a : int) b -> a <= b)".
Extract Constant Bool.eqb => "(fun (a : bool) b -> a = b)".

Extraction Language OCaml.
Extraction "cube_checker.ml" check_grown check_refutation.
