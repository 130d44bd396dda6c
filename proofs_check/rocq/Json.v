(* Trees of JSON, and how values of a certificate are read from them: every reader takes a tree or
   rejects it.  No theorem speaks of this file: what is read is what a theorem states. *)
From Coq Require Import String Ascii ZArith QArith Bool List.
Import ListNotations.
Local Open Scope Z_scope.

Inductive json :=
| Null | Truth (b : bool) | Number (z : Z) | Text (s : string)
| Array (l : list json) | Object (l : list (string * json)).

Notation "'let*' x := a 'in' b" := (match a with Some x => b | None => None end)
  (at level 200, x pattern, a at level 100, b at level 200).
Definition given {A} (fact : bool) (a : option A) : option A := if fact then a else None.

Fixpoint each {A B} (read : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | a :: l' => match read a with
               | Some b => match each read l' with Some bs => Some (b :: bs) | None => None end
               | None => None
               end
  end.
Definition entries (j : json) : option (list json) := match j with Array l => Some l | _ => None end.
Definition list_of {A} (read : json -> option A) (j : json) : option (list A) :=
  match j with Array l => each read l | _ => None end.
Definition optional {A} (read : json -> option A) (j : json) : option (option A) :=
  match j with Null => Some None | _ => match read j with Some a => Some (Some a) | None => None end end.

(* an object with exactly these keys, whose values come in the order of the keys *)
Fixpoint value_at (key : string) (l : list (string * json)) : option json :=
  match l with [] => None | (k, j) :: l' => if String.eqb k key then Some j else value_at key l' end.
Definition fields (keys : list string) (j : json) : option (list json) :=
  match j with
  | Object l => if (length l =? length keys)%nat then each (fun key => value_at key l) keys else None
  | _ => None
  end.
(* the name of a form of proof, and its data *)
Definition form (j : json) : option (string * json) :=
  match j with Object [p] => Some p | _ => None end.

Definition is_text (s : string) (j : json) : bool :=
  match j with Text t => String.eqb s t | _ => false end.
Definition is_null (j : json) : bool := match j with Null => true | _ => false end.

(* ---- numbers: from 2^53 on integers are texts ---- *)

Definition large : Z := 9007199254740992.
Definition digit (c : ascii) : option Z :=
  let z := Z.of_N (N_of_ascii c) in if (48 <=? z) && (z <=? 57) then Some (z - 48) else None.
Fixpoint digits (so_far : Z) (l : list ascii) : option Z :=
  match l with
  | [] => Some so_far
  | c :: l' => match digit c with Some d => digits (10 * so_far + d) l' | None => None end
  end.
Definition decimal (l : list ascii) : option Z :=
  match l with
  | ["0"%char] => Some 0
  | [] | "0"%char :: _ => None
  | _ => digits 0 l
  end.
Definition signed (l : list ascii) : option Z :=
  match l with
  | "-"%char :: l' => match decimal l' with Some 0 | None => None | Some z => Some (- z) end
  | _ => decimal l
  end.

Definition integer (j : json) : option Z :=
  match j with
  | Number z => if Z.abs z <? large then Some z else None
  | Text s => match signed (list_ascii_of_string s) with
              | Some z => if large <=? Z.abs z then Some z else None
              | None => None
              end
  | _ => None
  end.
Definition at_least_integer (least : Z) (j : json) : option Z :=
  let* z := integer j in if least <=? z then Some z else None.
Definition natural (j : json) : option N := let* z := at_least_integer 0 j in Some (Z.to_N z).
Definition count (j : json) : option nat := let* z := at_least_integer 0 j in Some (Z.to_nat z).
Definition positive_integer (j : json) : option positive :=
  match integer j with Some (Zpos p) => Some p | _ => None end.
(* the number of one of so many things, in binary where they are many *)
Definition place (bound : N) (j : json) : option N :=
  match j with
  | Number z => if (0 <=? z) && (z <? Z.of_N bound) then Some (Z.to_N z) else None
  | _ => None
  end.
Definition index (bound : nat) (j : json) : option nat :=
  match j with
  | Number z => if (0 <=? z) && (z <? Z.of_nat bound) then Some (Z.to_nat z) else None
  | _ => None
  end.

(* "p/q" in lowest terms, or "p" *)
Fixpoint split_at (c : ascii) (l : list ascii) : list ascii * option (list ascii) :=
  match l with
  | [] => ([], None)
  | d :: l' => if Ascii.eqb c d then ([], Some l')
               else let (before, after) := split_at c l' in (d :: before, after)
  end.
Definition fraction (j : json) : option Q :=
  match j with
  | Text s => match split_at "/" (list_ascii_of_string s) with
      | (top, None) => match signed top with Some p => Some (p # 1) | None => None end
      | (top, Some bottom) => match signed top, decimal bottom with
          | Some p, Some (Zpos q) =>
              if (Z.gcd p (Zpos q) =? 1) && (1 <? Zpos q) then Some (p # q) else None
          | _, _ => None
          end
      end
  | _ => None
  end.
Definition probability (j : json) : option Q :=
  let* q := fraction j in if Qle_bool 0 q && Qle_bool q 1 then Some q else None.
Definition factor (j : json) : option Q :=
  let* q := fraction j in if Qle_bool 1 q then Some q else None.

(* ---- laws, rows, labels ---- *)

(* integer weights of at least 0, not all 0 *)
Definition law_of (j : json) : option (list Z) :=
  let* w := list_of (at_least_integer 0) j in if existsb (Z.ltb 0) w then Some w else None.

Definition bit_of (c : ascii) : option bool :=
  if Ascii.eqb c "0" then Some false else if Ascii.eqb c "1" then Some true else None.
Definition entry_of (c : ascii) : option (option bool) :=
  if Ascii.eqb c "*" then Some None else match bit_of c with Some b => Some (Some b) | None => None end.
Definition characters (width : nat) (j : json) : option (list ascii) :=
  match j with
  | Text s => let l := list_ascii_of_string s in if (length l =? width)%nat then Some l else None
  | _ => None
  end.
(* a text row of 0 and 1, or of 0, 1 and a star outside the promise *)
Definition row (width : nat) (j : json) : option (list bool) :=
  let* l := characters width j in each bit_of l.
Definition promise_row (width : nat) (j : json) : option (list (option bool)) :=
  let* l := characters width j in each entry_of l.
(* such a row as a number whose bit x is what column x holds *)
Fixpoint number_of (r : list bool) : N :=
  match r with [] => 0%N | b :: r' => if b then N.succ_double (number_of r') else N.double (number_of r') end.
Definition mask (width : nat) (j : json) : option N :=
  let* r := row width j in Some (number_of r).

(* labels are texts or integers; that they are distinct matters to nothing that is proved *)
Definition labels (j : json) : option nat :=
  let* l := entries j in
  if forallb (fun a => match a with Text _ | Number _ => true | _ => false end) l
  then Some (length l) else None.

(* a concept class or a problem: the numbers of rows and columns, and the text rows *)
Definition matrix {A} (type rows_are columns_are : string) (read : nat -> json -> option A) (j : json)
  : option (nat * nat * list A) :=
  match fields ["type"%string; "name"%string; rows_are; columns_are; "rows"%string] j with
  | Some [t; Text _; a; b; r] =>
      let* height := labels a in
      let* width := labels b in
      let* rows := list_of (read width) r in
      given (is_text type t && (length rows =? height)%nat) (Some (height, width, rows))
  | _ => None
  end.
Definition class_of {A} : (nat -> json -> option A) -> json -> option (nat * nat * list A) :=
  matrix "concept class" "concepts" "points".
Definition problem_of : json -> option (nat * nat * list (list (option bool))) :=
  matrix "communication problem" "alice" "bob" promise_row.
