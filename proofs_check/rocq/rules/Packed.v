(* Long lists of numbers and of text rows, sixteen bytes in a term: Rocq reads a byte in a hundredth
   of a millisecond, but a number or a character of a text in several. *)
From Coq Require Import String Ascii NArith ZArith List.
From Coq Require Export Init.Byte.
From CCSim Require Import Json.
From Coq Require Strings.Byte.
Import ListNotations.
Local Open Scope N_scope.

Inductive bytes :=
| End
| One (b : byte) (rest : bytes)
| Block (b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 : byte) (rest : bytes).

Fixpoint unpacked (l : bytes) (rest : list byte) : list byte :=
  match l with
  | End => rest
  | One b l' => b :: unpacked l' rest
  | Block b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 l' =>
      b0 :: b1 :: b2 :: b3 :: b4 :: b5 :: b6 :: b7 :: b8 :: b9 :: b10 :: b11 :: b12 :: b13 :: b14 :: b15
      :: unpacked l' rest
  end.

(* numbers of so many bytes and one, the highest byte first *)
Fixpoint numbers_from (more left : nat) (so_far : N) (l : list byte) : list N :=
  match l with
  | [] => []
  | b :: l' =>
      let n := 256 * so_far + Byte.to_N b in
      match left with
      | O => n :: numbers_from more more 0 l'
      | S left' => numbers_from more left' n l'
      end
  end.
Definition packed (more : nat) (parts : list bytes) : list N :=
  numbers_from more more 0 (fold_right unpacked [] parts).

(* the entries of a JSON array: numbers, and texts whose character x is bit x *)
Definition numbers (more : nat) (parts : list bytes) : json :=
  Array (map (fun n => Number (Z.of_N n)) (packed more parts)).
Fixpoint text_of (width : nat) (n : N) : string :=
  match width with
  | O => EmptyString
  | S width' => String (if N.odd n then "1" else "0")%char (text_of width' (N.div2 n))
  end.
Definition texts (width more : nat) (parts : list bytes) : json :=
  Array (map (fun n => Text (text_of width n)) (packed more parts)).
Fixpoint up (many : nat) (z : Z) : list json :=
  match many with O => [] | S k => Number z :: up k (Z.succ z) end.
Definition indices (many : N) : json := Array (up (N.to_nat many) 0).
