(* Lists of which one place is changed; lists of integers as maps from their places, for reading and
   changing any place quickly. *)
From Coq Require Import FMapPositive ZArith Lia Bool List.
Import ListNotations.
Local Open Scope Z_scope.

Fixpoint update {A} (l : list A) (i : nat) (a : A) : list A :=
  match l, i with
  | [], _ => []
  | _ :: l', O => a :: l'
  | b :: l', S i' => b :: update l' i' a
  end.
Lemma update_length {A} (a : A) : forall l i, length (update l i a) = length l.
Proof. induction l as [|b l IH]; intros [|i]; cbn; congruence. Qed.
Lemma update_nth {A} (a d : A) : forall l i j, nth j (update l i a) d =
  if (j =? i)%nat && (i <? length l)%nat then a else nth j l d.
Proof.
  induction l as [|b l IH]; intros i j.
  - replace (i <? length (@nil A))%nat with false by (symmetry; apply Nat.ltb_ge; cbn; lia).
    rewrite andb_false_r. destruct i; reflexivity.
  - destruct i as [|i], j as [|j]; cbn [update nth length]; try reflexivity. rewrite IH. reflexivity.
Qed.

Lemma update_in {A} (v : A) : forall l k a, In a (update l k v) -> a = v \/ In a l.
Proof.
  induction l as [|b l IH]; intros [|k] a; cbn; auto.
  - intros [<-|H]; auto.
  - intros [<-|H]; auto. destruct (IH k a H); auto.
Qed.
Lemma in_update {A} (l : list A) i a : (i < length l)%nat -> In a (update l i a).
Proof.
  intros H. replace a with (nth i (update l i a) a) at 1.
  - apply nth_In. rewrite update_length. exact H.
  - rewrite update_nth. rewrite Nat.eqb_refl. replace (i <? length l)%nat with true by (symmetry; apply Nat.ltb_lt, H).
    reflexivity.
Qed.
Lemma kept_by_update {A} (l : list A) i a d j : (j < length l)%nat -> j <> i -> In (nth j l d) (update l i a).
Proof.
  intros H N. replace (nth j l d) with (nth j (update l i a) d).
  - apply nth_In. rewrite update_length. exact H.
  - rewrite update_nth. replace (j =? i)%nat with false by (symmetry; apply Nat.eqb_neq, N). reflexivity.
Qed.

Lemma nth_repeated {A} (a d : A) : forall n i, (i < n)%nat -> nth i (repeat a n) d = a.
Proof. induction n as [|n IH]; intros [|i] H; cbn; try lia; [reflexivity|]. apply IH. lia. Qed.

Definition array := PositiveMap.t Z.
Definition get (m : array) (j : nat) : Z :=
  match PositiveMap.find (Pos.of_succ_nat j) m with Some a => a | None => 0 end.
Definition put (m : array) (j : nat) (a : Z) : array := PositiveMap.add (Pos.of_succ_nat j) a m.

Fixpoint array_from (j : positive) (l : list Z) (m : array) : array :=
  match l with [] => m | a :: l' => array_from (Pos.succ j) l' (PositiveMap.add j a m) end.
Definition array_of (l : list Z) : array := array_from 1 l (PositiveMap.empty Z).

Lemma get_put m i j a : get (put m i a) j = if (i =? j)%nat then a else get m j.
Proof.
  unfold get, put. destruct (Nat.eqb_spec i j) as [->|N].
  - rewrite PositiveMap.gss. reflexivity.
  - rewrite PositiveMap.gso; [reflexivity|]. intros E. apply N. apply SuccNat2Pos.inj in E. auto.
Qed.

Lemma get_array_from : forall l i m j,
  get (array_from (Pos.of_succ_nat i) l m) j
  = if (j <? i)%nat then get m j else if (j <? i + length l)%nat then nth (j - i) l 0 else get m j.
Proof.
  induction l as [|a l IH]; intros i m j; cbn [array_from length].
  - destruct (Nat.ltb_spec j i), (Nat.ltb_spec j (i + 0)); try lia; reflexivity.
  - change (Pos.succ (Pos.of_succ_nat i)) with (Pos.of_succ_nat (S i)). rewrite IH. fold (put m i a). rewrite get_put.
    destruct (Nat.ltb_spec j (S i)), (Nat.ltb_spec j i), (Nat.eqb_spec i j),
      (Nat.ltb_spec j (S i + length l)), (Nat.ltb_spec j (i + S (length l))); try lia; try reflexivity.
    + subst. rewrite Nat.sub_diag. reflexivity.
    + replace (j - i)%nat with (S (j - S i)) by lia. reflexivity.
Qed.

Lemma get_array_of l j : get (array_of l) j = nth j l 0.
Proof.
  unfold array_of. pose proof (get_array_from l 0 (PositiveMap.empty Z) j) as H. cbn [Pos.of_succ_nat] in H.
  rewrite H, Nat.sub_0_r, Nat.add_0_l. destruct (Nat.ltb_spec j 0) as [Z|_]; [lia|].
  destruct (Nat.ltb_spec j (length l)) as [L|L]; [reflexivity|]. rewrite nth_overflow by exact L.
  unfold get. rewrite PositiveMap.gempty. reflexivity.
Qed.
