(* The checkers as OCaml.  What is put in the place of definitions here is trusted: integers are
   those of zarith, natural numbers machine integers, texts and characters those of OCaml.  Natural
   numbers too large for a machine integer end the program: none is ever taken modulo 2^63. *)
From Coq Require Import String ZArith NArith List.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString ExtrOcamlNatInt ExtrOcamlZBigInt.
From CCSim Require Import Json Certificate Littlestone Kinds.

Extract Inductive positive => "Big_int_Z.big_int"
  [ "(fun p -> Big_int_Z.succ_big_int (Big_int_Z.shift_left_big_int p 1))"
    "(fun p -> Big_int_Z.shift_left_big_int p 1)" "Big_int_Z.unit_big_int" ]
  "(fun odd even one p -> if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then one () else
   let half = Big_int_Z.shift_right_big_int p 1 in
   if Big_int_Z.eq_big_int (Big_int_Z.shift_left_big_int half 1) p then even half else odd half)".
Extract Constant list_ascii_of_string => "(fun s -> List.init (String.length s) (String.get s))".
Extract Inlined Constant Nat.leb => "(<=)".
Extract Inlined Constant Nat.ltb => "(<)".
Extract Constant Init.Nat.add => "(fun a b -> let c = a + b in if c < 0 then raise Z.Overflow else c)".
Extract Constant Init.Nat.mul => "(fun a b -> Z.to_int (Z.mul (Z.of_int a) (Z.of_int b)))".
Extract Constant Nat.pow => "(fun a b -> Z.to_int (Z.pow (Z.of_int a) b))".
Extract Constant Pos.to_nat => "Z.to_int".
Extract Constant N.testbit => "(fun n i -> Z.testbit n (Z.to_int i))".
Extract Constant N.testbit_nat => "Z.testbit".
Extract Constant N.land => "Z.logand".
Extract Constant N.lor => "Z.logor".
Extract Constant N.lxor => "Z.logxor".
Extract Constant N.ldiff => "(fun a b -> Z.logand a (Z.lognot b))".
Extract Constant N.eqb => "Z.equal".
Extract Constant N.leb => "Z.leq".
Extract Constant N.ltb => "Z.lt".
Extract Constant N.shiftl => "(fun n i -> Z.shift_left n (Z.to_int i))".
Extract Constant N.double => "(fun n -> Z.shift_left n 1)".
Extract Constant N.succ_double => "(fun n -> Z.succ (Z.shift_left n 1))".
Extract Constant N.div2 => "(fun n -> Z.shift_right n 1)".
Extract Constant N.odd => "(fun n -> Z.testbit n 0)".
Extract Constant N.setbit => "(fun n i -> Z.logor n (Z.shift_left Z.one (Z.to_int i)))".
Extract Constant N.log2 => "(fun n -> Z.of_int (max 0 (Z.numbits n - 1)))".
Extract Constant N.pow => "(fun a b -> Z.pow a (Z.to_int b))".
Extract Constant N.of_nat => "Z.of_int".
Extract Constant N.to_nat => "Z.to_int".
Extract Constant Pos.of_succ_nat => "(fun n -> Z.succ (Z.of_int n))".
Extract Constant Z.leb => "Z.leq".
Extract Constant Z.ltb => "Z.lt".
Extract Constant Z.of_nat => "Z.of_int".
Extract Constant Z.to_nat => "(fun z -> if Z.sign z < 0 then 0 else Z.to_int z)".
Extract Constant Z.gcd => "Z.gcd".
Extract Constant Z.pow => "(fun a b -> if Z.sign b < 0 then Z.zero else Z.pow a (Z.to_int b))".
Extract Constant Littlestone.count_ones => "Numbers.count_ones".
Extract Constant Json.number_of => "Numbers.number_of".

Extraction Language OCaml.
Extraction "checkers.ml" accepts titles certificates.
