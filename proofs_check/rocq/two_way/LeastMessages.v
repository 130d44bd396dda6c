(* The least weight of the inputs on which simultaneous messages of so many bits err: by all messages of one player,
   and by all ways to divide the inputs of the other one in two, once for each bit. *)
From Coq Require Import List Arith ZArith Lia Bool.
From CCSim Require Import Definitions Mixture LeastTrees.
Import ListNotations.
Local Open Scope Z_scope.

(* for each of k messages, the errors of both answers on a column of weights; ks are the messages for its rows *)
Definition errors_on (b : bool) (t : nat) (ks : list nat) (r : list Z) : Z :=
  sum_of_list (combine ks r) (fun p => if (fst p =? t)%nat then mistake b (snd p) else 0).
Definition column_of (k : nat) (ks : list nat) (r : list Z) : list (Z * Z) :=
  map (fun t => (errors_on false t ks r, errors_on true t ks r)) (seq 0 k).
Definition of_answer (b : bool) (p : Z * Z) : Z := if b then snd p else fst p.
Definition at_message (t : nat) (c : list (Z * Z)) : Z * Z := nth t c (0, 0).

Definition alike_columns (k : nat) (l : list (list (Z * Z))) : Z :=
  sum_of_list (seq 0 k) (fun t => Z.min (sum_of_list l (fun c => of_answer false (at_message t c)))
    (sum_of_list l (fun c => of_answer true (at_message t c)))).
Fixpoint best_answers (k j : nat) (l : list (list (Z * Z))) : Z :=
  match j with
  | O => alike_columns k l
  | S j' => smallest (best_answers k j' l) (map (fun p => best_answers k j' (fst p) + best_answers k j' (snd p)) (ways_in_two l))
  end.
(* enough messages for all answers that are of use *)
Definition own_answers (k : nat) (l : list (list (Z * Z))) : Z :=
  sum_of_list l (fun c => sum_of_list (seq 0 k) (fun t => Z.min (of_answer false (at_message t c)) (of_answer true (at_message t c)))).
Definition best_of_columns (k j : nat) (l : list (list (Z * Z))) : Z :=
  if (k <=? j)%nat || (length l <=? 2 ^ j)%nat then own_answers k l else best_answers k j l.

Definition answered {A} (k : nat) (v : nat -> nat -> bool) (b : A -> nat) (col : A -> list (Z * Z)) ys : Z :=
  sum_of_list ys (fun y => sum_of_list (seq 0 k) (fun t => of_answer (v t (b y)) (at_message t (col y)))).
Lemma own_answers_most {A} k v (b : A -> nat) col ys : own_answers k (map col ys) <= answered k v b col ys.
Proof.
  unfold own_answers, answered. rewrite list_sum_map. apply list_sum_le. intros y _. apply list_sum_le. intros t _.
  destruct (v t (b y)); lia.
Qed.
Lemma best_answers_most {D} k : forall j v (b : D -> nat) col ys, (forall y, (b y < 2 ^ j)%nat) ->
  best_answers k j (map col ys) <= answered k v b col ys.
Proof.
  assert (forall j v (b : D -> nat) col ys, (forall y, In y ys -> (b y < 2 ^ j)%nat) -> best_answers k j (map col ys) <= answered k v b col ys) as G;
    [|intros j v b col ys H; apply G; auto].
  induction j as [|j IH]; intros v b col ys H.
  - cbn [best_answers]. unfold alike_columns, answered. rewrite list_sum_swap. apply list_sum_le. intros t _. rewrite !list_sum_map.
    assert (sum_of_list ys (fun y => of_answer (v t (b y)) (at_message t (col y)))
      = sum_of_list ys (fun y => of_answer (v t O) (at_message t (col y)))) as ->.
    { apply list_sum_ext. intros y I. specialize (H y I). cbn in H. replace (b y) with O by lia. reflexivity. }
    destruct (v t O); lia.
  - cbn [best_answers]. set (s := fun y => (2 ^ j <=? b y)%nat).
    unfold answered. rewrite (list_sum_parts s).
    assert (best_answers k j (map col (filter s ys)) <= sum_of_list (filter s ys)
      (fun y => sum_of_list (seq 0 k) (fun t => of_answer (v t (b y)) (at_message t (col y))))) as A.
    { refine (Z.le_trans _ _ _ (IH (fun t i => v t (i + 2 ^ j)%nat) (fun y => b y - 2 ^ j)%nat col _ _) _).
      - intros y I. apply filter_In in I as [I S]. specialize (H y I). cbn [Nat.pow] in H. unfold s in S. apply Nat.leb_le in S. lia.
      - apply Z.eq_le_incl, list_sum_ext. intros y I. apply filter_In in I as [_ S]. unfold s in S. apply Nat.leb_le in S.
        apply list_sum_ext. intros t _. replace (b y - 2 ^ j + 2 ^ j)%nat with (b y) by lia. reflexivity. }
    assert (best_answers k j (map col (filter (fun y => negb (s y)) ys)) <= sum_of_list (filter (fun y => negb (s y)) ys)
      (fun y => sum_of_list (seq 0 k) (fun t => of_answer (v t (b y)) (at_message t (col y))))) as B.
    { apply IH. intros y I. apply filter_In in I as [_ S]. unfold s in S. apply negb_true_iff, Nat.leb_gt in S. exact S. }
    destruct (ways_in_two_in col s ys) as [I|I];
      refine (Z.le_trans _ _ _ (smallest_in _ _ _ (in_map _ _ _ I)) _); cbn [fst snd]; lia.
Qed.
Lemma best_of_columns_most {A} k j v (b : A -> nat) col ys : (forall y, (b y < 2 ^ j)%nat) ->
  best_of_columns k j (map col ys) <= answered k v b col ys.
Proof.
  intros H. unfold best_of_columns. destruct (_ || _); [apply own_answers_most|apply best_answers_most, H].
Qed.

(* ---- messages of the player of the rows ---- *)

Fixpoint assignments (k n : nat) : list (list nat) :=
  match n with O => [[]] | S n' => flat_map (fun ks => map (fun t => t :: ks) (seq 0 k)) (assignments k n') end.
Lemma assignments_in {A} k (a : A -> nat) xs : (forall x, (a x < k)%nat) -> In (map a xs) (assignments k (length xs)).
Proof.
  intros H. induction xs as [|x xs IH]; [left; reflexivity|]. cbn [map length assignments]. apply in_flat_map.
  exists (map a xs). split; [exact IH|]. apply in_map_iff. exists (a x). split; [reflexivity|]. apply in_seq. specialize (H x). lia.
Qed.
Definition by_messages_of_rows (i j : nat) (M : list (list Z)) : Z :=
  let columns := transposed M in
  smallest (constant M) (map (fun ks => best_of_columns (2 ^ i) j (map (column_of (2 ^ i) ks) columns)) (assignments (2 ^ i) (length M))).

Lemma errors_on_map {A} b t (a : A -> nat) (h : A -> Z) xs :
  errors_on b t (map a xs) (map h xs) = sum_of_list xs (fun x => if (a x =? t)%nat then mistake b (h x) else 0).
Proof. unfold errors_on. induction xs as [|x xs IH]; [reflexivity|]. cbn [map combine sum_of_list fst snd]. rewrite IH. reflexivity. Qed.
Lemma sum_at (g : nat -> Z) t : forall k, (t < k)%nat -> sum_of_list (seq 0 k) (fun u => if (t =? u)%nat then g u else 0) = g t.
Proof.
  assert (forall l, NoDup l -> In t l -> sum_of_list l (fun u => if (t =? u)%nat then g u else 0) = g t) as G.
  { induction 1 as [|u l N D IH]; intros I; [destruct I|]. cbn [sum_of_list]. destruct (Nat.eqb_spec t u) as [->|E].
    - rewrite (list_sum_ext l _ (fun _ => 0)), list_sum_0; [lia|]. intros z Z0. destruct (Nat.eqb_spec u z) as [->|]; [contradiction|reflexivity].
    - destruct I as [I|I]; [congruence|]. rewrite IH by exact I. lia. }
  intros k H. apply G; [apply seq_NoDup|apply in_seq; lia].
Qed.
Lemma by_messages_of_rows_most {A B} (w : A -> B -> Z) i j (a : A -> nat) (b : B -> nat) answer xs ys :
  xs <> [] -> (forall x, (a x < 2 ^ i)%nat) -> (forall y, (b y < 2 ^ j)%nat) ->
  by_messages_of_rows i j (matrix w xs ys) <= mistakes w (fun x y => answer (a x) (b y)) xs ys.
Proof.
  intros N Ha Hb. unfold by_messages_of_rows. rewrite transposed_matrix by exact N. set (k := (2 ^ i)%nat) in *.
  assert (length (matrix w xs ys) = length xs) as -> by apply map_length.
  refine (Z.le_trans _ _ _ (smallest_in _ _ _ (in_map _ _ _ (assignments_in k a xs Ha))) _). cbv beta.
  unfold matrix. rewrite map_map.
  set (col := fun y => column_of k (map a xs) (map (fun x => w x y) xs)).
  change (map (fun y => column_of k (map a xs) (map (fun x => w x y) xs)) ys) with (map col ys).
  refine (Z.le_trans _ _ _ (best_of_columns_most k j answer b col ys Hb) _). apply Z.eq_le_incl. unfold answered.
  rewrite (mistakes_swap w). unfold mistakes. apply list_sum_ext. intros y _.
  rewrite (list_sum_ext xs _ (fun x => sum_of_list (seq 0 k) (fun t => if (a x =? t)%nat then mistake (answer t (b y)) (w x y) else 0)))
    by (intros x _; symmetry; apply (sum_at (fun t => mistake (answer t (b y)) (w x y))), Ha).
  rewrite list_sum_swap. apply list_sum_ext. intros t T. apply in_seq in T.
  assert (at_message t (col y) = (errors_on false t (map a xs) (map (fun x => w x y) xs), errors_on true t (map a xs) (map (fun x => w x y) xs))) as ->.
  { unfold at_message, col, column_of.
    apply (nth_map_seq (fun t => (errors_on false t (map a xs) (map (fun x => w x y) xs), errors_on true t (map a xs) (map (fun x => w x y) xs)))). lia. }
  rewrite !errors_on_map. unfold of_answer. destruct (answer t (b y)); reflexivity.
Qed.

(* the player with the shorter message is tried in all ways *)
Definition least_of_lengths (M : list (list Z)) (i j : nat) : Z :=
  if (i <=? j)%nat then by_messages_of_rows i j M else by_messages_of_rows j i (transposed M).
Definition least_of_messages (bits : nat) (M : list (list Z)) : Z :=
  smallest (constant M) (map (fun i => least_of_lengths M i (bits - i)) (seq 0 (S bits))).
Theorem least_of_messages_sound {A B} bits (w : A -> B -> Z) i j (a : A -> nat) (b : B -> nat) answer xs ys :
  xs <> [] -> ys <> [] -> (i + j <= bits)%nat -> (forall x, (a x < 2 ^ i)%nat) -> (forall y, (b y < 2 ^ j)%nat) ->
  least_of_messages bits (matrix w xs ys) <= mistakes w (fun x y => answer (a x) (b y)) xs ys.
Proof.
  intros X Y L Ha Hb. unfold least_of_messages.
  assert (In i (seq 0 (S bits))) as I by (apply in_seq; lia).
  refine (Z.le_trans _ _ _ (smallest_in _ _ _ (in_map _ _ _ I)) _). cbv beta.
  assert (forall y, (b y < 2 ^ (bits - i))%nat) as Hb'.
  { intros y. specialize (Hb y). pose proof (Nat.pow_le_mono_r 2 j (bits - i) ltac:(lia) ltac:(lia)). lia. }
  unfold least_of_lengths. destruct (i <=? bits - i)%nat.
  - apply by_messages_of_rows_most; assumption.
  - rewrite transposed_matrix by exact X. rewrite (mistakes_swap w).
    apply (by_messages_of_rows_most (fun y x => w x y) _ _ b a (fun u t => answer t u)); assumption.
Qed.
