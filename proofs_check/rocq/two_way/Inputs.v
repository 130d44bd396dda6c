(* Communication problems of which certificates about two-way protocols speak: inputs as bits of one
   number, with bit x m + y for the row x and the column y; rectangles, and integer weights of inputs. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate OneWay Tables Sorting.
Import ListNotations.
Local Open Scope nat_scope.

Record asked := Asked { height : nat; width : nat; lines : list (list (option bool)) }.
Definition problem_in (q : asked) : problem := of_table (lines q).
Definition asked_in (instance : json) : option asked :=
  let* (n, m, rows) := problem_of instance in
  given (existsb (existsb (fun a => match a with Some _ => true | None => false end)) rows) (Some (Asked n m rows)).
Definition regular (q : asked) : bool := forallb (fun r => length r =? width q) (lines q).

(* ---- rows one behind the other as one number ---- *)

Definition joined (m : nat) (l : list N) : N :=
  let all := everywhere m in
  fold_right (fun r s => N.lor (N.land r all) (N.shiftl s (N.of_nat m))) 0%N l.

Lemma bit_shiftl a m i : bit (N.shiftl a (N.of_nat m)) i = if i <? m then false else bit a (i - m).
Proof.
  rewrite !bit_testbit. destruct (Nat.ltb_spec i m) as [H|H].
  - apply N.shiftl_spec_low. lia.
  - rewrite N.shiftl_spec_high' by lia. f_equal. lia.
Qed.
Lemma everywhere_beyond m x : m <= x -> bit (everywhere m) x = false.
Proof. unfold everywhere. rewrite bit_number_of. intros H. apply nth_overflow. rewrite repeat_length. exact H. Qed.

Lemma joined_bit m : forall l x y, y < m -> bit (joined m l) (x * m + y) = bit (nth x l 0%N) y.
Proof.
  induction l as [|r l IH]; intros x y H.
  - destruct x; reflexivity.
  - unfold joined. cbn [fold_right]. fold (joined m l). rewrite bit_lor, bit_land, bit_shiftl.
    destruct x as [|x]; cbn [nth Nat.mul Nat.add].
    + rewrite everywhere_bit by exact H. destruct (Nat.ltb_spec y m); [|lia]. rewrite andb_true_r, orb_false_r. reflexivity.
    + rewrite everywhere_beyond by nia. destruct (Nat.ltb_spec (m + x * m + y) m); [nia|].
      rewrite andb_false_r. cbn [orb]. replace (m + x * m + y - m) with (x * m + y) by lia. apply IH, H.
Qed.

Lemma cell_inj m x y z w : y < m -> w < m -> x * m + y = z * m + w -> x = z /\ y = w.
Proof.
  intros Y W E. assert (x = z) as ->; [|split; [reflexivity|lia]].
  destruct (Nat.lt_trichotomy x z) as [H|[H|H]]; [nia|exact H|nia].
Qed.

(* ---- the inputs of a value, and those of the other one ---- *)

Definition is_value (b : bool) (a : option bool) : bool := match a with Some c => Bool.eqb b c | None => false end.
Definition lines_of_value (q : asked) (b : bool) : list N :=
  map (fun r => number_of (map (is_value b) r)) (lines q).
Definition held (q : asked) (b : bool) : N := joined (width q) (lines_of_value q b).

Lemma line_of_value q b x y : bit (nth x (lines_of_value q b) 0%N) y = is_value b (problem_in q x y).
Proof.
  unfold lines_of_value, problem_in, of_table.
  change 0%N with ((fun r => number_of (map (is_value b) r)) []). rewrite map_nth, bit_number_of.
  change false with (is_value b None). apply map_nth.
Qed.
Lemma is_value_spec b a : is_value b a = true <-> a = Some b.
Proof.
  destruct a as [c|]; cbn; [|split; discriminate]. rewrite Bool.eqb_true_iff.
  split; [intros ->; reflexivity|intros [= ->]; reflexivity].
Qed.
Lemma held_bit q b x y : y < width q -> bit (held q b) (x * width q + y) = is_value b (problem_in q x y).
Proof. intros H. unfold held. rewrite joined_bit by exact H. apply line_of_value. Qed.
Lemma held_spec q b x y : y < width q ->
  bit (held q b) (x * width q + y) = true <-> problem_in q x y = Some b.
Proof. intros H. rewrite held_bit by exact H. apply is_value_spec. Qed.

(* ---- rectangles ---- *)

Definition set_of_lines (l : list nat) : N := fold_right (fun i s => N.setbit s (N.of_nat i)) 0%N l.
Definition sides_of (r : N * N) : rectangle := (bit (fst r), bit (snd r)).
Definition inputs_in (q : asked) (rows columns : N) : N :=
  joined (width q) (map (fun x => if bit rows x then columns else 0%N) (seq 0 (height q))).

Lemma inputs_in_bit q R C x y : x < height q -> y < width q ->
  bit (inputs_in q R C) (x * width q + y) = bit R x && bit C y.
Proof.
  intros X Y. unfold inputs_in. rewrite joined_bit by exact Y.
  rewrite (nth_indep _ 0%N ((fun x => if bit R x then C else 0%N) 0)) by (rewrite map_length, seq_length; exact X).
  rewrite (map_nth (fun x => if bit R x then C else 0%N)), seq_nth by exact X. cbn [Nat.add].
  destruct (bit R x); [reflexivity|apply bit_0].
Qed.
Lemma disjoint_bits a b i : N.land a b = 0%N -> bit a i = true -> bit b i = false.
Proof.
  intros H A. destruct (bit b i) eqn:B; [|reflexivity].
  assert (bit (N.land a b) i = true) as K by (rewrite bit_land, A, B; reflexivity).
  rewrite H, bit_0 in K. discriminate.
Qed.

(* no input of the rectangle has the other value *)
Definition is_of_value (q : asked) (barred : N) (r : N * N) : bool :=
  (N.land (inputs_in q (fst r) (snd r)) barred =? 0)%N.
Lemma is_of_value_sound q b r : is_of_value q (held q (negb b)) r = true ->
  of_value (height q) (width q) (problem_in q) b (sides_of r).
Proof.
  unfold is_of_value. intros H x y c X Y R F. apply N.eqb_eq in H.
  assert (bit (inputs_in q (fst r) (snd r)) (x * width q + y) = true) as I by (rewrite inputs_in_bit; assumption).
  apply (disjoint_bits _ _ _ H) in I. rewrite held_bit in I by exact Y. rewrite F in I. cbn in I.
  destruct b, c; try reflexivity; discriminate I.
Qed.
(* a row of a rectangle of a value has no column in which it has the other value *)
Lemma of_value_bits q b r x y : of_value (height q) (width q) (problem_in q) b r -> x < height q -> y < width q ->
  holds r x y = true -> is_value (negb b) (problem_in q x y) = false.
Proof.
  intros V X Y H. destruct (problem_in q x y) as [c|] eqn:E; [|reflexivity].
  rewrite (V x y c X Y H E). destruct b; reflexivity.
Qed.

(* ---- how they are read ---- *)

Definition distinct_lines (bound : nat) (j : json) : option (list nat) :=
  let* l := list_of (index bound) j in given (distinct (map N.of_nat l)) (Some l).
Definition lines_in (bound : nat) (j : json) : option N :=
  let* l := distinct_lines bound j in Some (set_of_lines l).
(* an input inside the promise *)
Definition cell_in (q : asked) (j : json) : option (nat * nat) :=
  match j with
  | Array [a; b] =>
      let* x := index (height q) a in
      let* y := index (width q) b in
      match problem_in q x y with Some _ => Some (x, y) | None => None end
  | _ => None
  end.
Definition code (q : asked) (c : nat * nat) : nat := fst c * width q + snd c.
Definition weighted_cell (q : asked) (j : json) : option (nat * nat * Z) :=
  match j with
  | Array [a; b; w] =>
      let* c := cell_in q (Array [a; b]) in
      let* w := integer w in Some (c, w)
  | _ => None
  end.
Definition weighted_cells (q : asked) (j : json) : option (list (nat * nat * Z)) :=
  let* l := list_of (weighted_cell q) j in
  given (distinct (map (fun c => N.of_nat (code q (fst c))) l)) (Some l).

Lemma index_bound bound j i : index bound j = Some i -> i < bound.
Proof.
  unfold index. destruct j; try discriminate. destruct (_ && _) eqn:B; [|discriminate]. intros [= <-].
  apply andb_prop in B as [B0 B1]. apply Z.leb_le in B0. apply Z.ltb_lt in B1. lia.
Qed.
Lemma cell_in_sound q j x y : cell_in q j = Some (x, y) -> x < height q /\ y < width q.
Proof.
  unfold cell_in. destruct j as [| | | |[|a [|b [|]]]|]; try discriminate.
  destruct (index (height q) a) as [i|] eqn:A; [|discriminate].
  destruct (index (width q) b) as [k|] eqn:B; [|discriminate].
  destruct (problem_in q i k); [|discriminate]. intros [= <- <-]. split; eapply index_bound; eassumption.
Qed.
Lemma each_in {A B} (read : A -> option B) : forall l k, each read l = Some k ->
  forall b, In b k -> exists a, In a l /\ read a = Some b.
Proof.
  induction l as [|a l IH]; intros k H b I; cbn [each] in H; [injection H as <-; destruct I|].
  destruct (read a) as [c|] eqn:E; [|discriminate]. destruct (each read l) as [k'|]; [|discriminate].
  injection H as <-. destruct I as [<-|I]; [exists a; split; [left; reflexivity|exact E]|].
  destruct (IH k' eq_refl b I) as [d [D R]]. exists d. split; [right; exact D|exact R].
Qed.
Lemma list_of_in {B} (read : json -> option B) j k b : list_of read j = Some k -> In b k ->
  exists a, read a = Some b.
Proof.
  destruct j as [| | | |l|]; try discriminate. cbn [list_of]. intros H I.
  destruct (each_in read l k H b I) as [a [_ R]]. exists a. exact R.
Qed.
Lemma weighted_cells_sound q j l : weighted_cells q j = Some l ->
  forall x y w, In (x, y, w) l -> x < height q /\ y < width q.
Proof.
  unfold weighted_cells, given. destruct (list_of _ j) as [k|] eqn:L; [|discriminate].
  destruct (distinct _); [|discriminate]. intros [= <-] x y w I.
  destruct (list_of_in _ _ _ _ L I) as [a R]. unfold weighted_cell in R.
  destruct a as [| | | |[|a [|b [|c [|]]]]|]; try discriminate.
  destruct (cell_in q _) as [[i k']|] eqn:C; [|discriminate]. destruct (integer c); [|discriminate].
  injection R as <- <- <-. exact (cell_in_sound _ _ _ _ C).
Qed.
