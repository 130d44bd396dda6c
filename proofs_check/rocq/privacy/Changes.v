(* Changes of a database, decided: of one record, or of all records of one group. *)
From Coq Require Import List Arith Lia Bool Permutation Sorting.Mergesort Orders.
From CCSim Require Import Definitions.
From CCSim Require Sorting.
Import ListNotations.

(* ---- sorting databases ---- *)

Definition sorted (D : list nat) : list nat := Sorting.InOrder.sort D.

Lemma sorted_permutation D : Permutation D (sorted D).
Proof. apply Sorting.InOrder.Permuted_sort. Qed.

Lemma sorted_strongly D : Sorted.StronglySorted (fun a b => (a <= b)%nat) (sorted D).
Proof.
  assert (RelationClasses.Transitive (fun x y => is_true (Sorting.Naturals.leb x y))) as T.
  { intros a b c. unfold is_true, Sorting.Naturals.leb. rewrite !Nat.leb_le. lia. }
  pose proof (Sorting.InOrder.StronglySorted_sort D T) as S. unfold sorted. induction S as [|a l S IH F]; constructor.
  - exact IH.
  - eapply Forall_impl; [|exact F]. intros b. unfold is_true, Sorting.Naturals.leb. rewrite Nat.leb_le. auto.
Qed.

Lemma strongly_sorted_unique : forall l k, Sorted.StronglySorted (fun a b => (a <= b)%nat) l ->
  Sorted.StronglySorted (fun a b => (a <= b)%nat) k -> Permutation l k -> l = k.
Proof.
  induction l as [|a l IH]; intros k Sl Sk P.
  - apply Permutation_nil in P. auto.
  - destruct k as [|b k]; [apply Permutation_sym, Permutation_nil in P; discriminate|].
    inversion Sl as [|? ? Sl' Fl]; inversion Sk as [|? ? Sk' Fk]; subst.
    rewrite Forall_forall in Fl, Fk.
    assert (a = b) as ->.
    { assert (In a (b :: k)) as Ia by (eapply Permutation_in; [exact P|left; reflexivity]).
      assert (In b (a :: l)) as Ib by (eapply Permutation_in; [apply Permutation_sym, P|left; reflexivity]).
      destruct Ia as [->|Ia]; [reflexivity|]. destruct Ib as [->|Ib]; [reflexivity|].
      apply Fl in Ib. apply Fk in Ia. lia. }
    f_equal. apply IH; [assumption..|]. eapply Permutation_cons_inv, P.
Qed.

Lemma sorted_of_permutation D E : Permutation D E -> sorted D = sorted E.
Proof.
  intros P. apply strongly_sorted_unique; [apply sorted_strongly..|].
  eapply Permutation_trans; [apply Permutation_sym, sorted_permutation|].
  eapply Permutation_trans; [exact P|apply sorted_permutation].
Qed.

Definition equal (D E : list nat) : bool := if list_eq_dec Nat.eq_dec D E then true else false.
Lemma equal_spec D E : equal D E = true <-> D = E.
Proof. unfold equal. destruct (list_eq_dec Nat.eq_dec D E); split; auto; discriminate. Qed.

Definition same_records (D E : list nat) : bool := equal (sorted D) (sorted E).
Lemma same_records_spec D E : same_records D E = true <-> Permutation D E.
Proof.
  unfold same_records. rewrite equal_spec. split; [|apply sorted_of_permutation].
  intros H. eapply Permutation_trans; [apply sorted_permutation|]. rewrite H.
  apply Permutation_sym, sorted_permutation.
Qed.

(* ---- in order ---- *)

Section changes.
Variable group : nat -> nat.

Fixpoint is_replaced (D E : list nat) : bool :=
  match D, E with
  | x :: t, y :: u => (group x =? group y)%nat && equal t u || (x =? y)%nat && is_replaced t u
  | _, _ => false
  end.
Lemma is_replaced_spec : forall D E, is_replaced D E = true <-> replaced group 0 D E.
Proof.
  induction D as [|a D IH]; intros [|b E]; simpl.
  - split; [discriminate|]. intros [[|? ?] [x [y [t [H _]]]]]; discriminate.
  - split; [discriminate|]. intros [[|? ?] [x [y [t [H _]]]]]; discriminate.
  - split; [discriminate|]. intros [[|? ?] [x [y [t [_ [H _]]]]]]; discriminate.
  - rewrite orb_true_iff, !andb_true_iff, !Nat.eqb_eq, equal_spec, IH. split.
    + intros [[G <-]|[<- [l [x [y [t [-> [-> [_ G]]]]]]]]].
      * exists [], a, b, D. repeat split; [simpl; lia|exact G].
      * exists (a :: l), x, y, t. repeat split; [simpl; lia|exact G].
    + intros [[|c l] [x [y [t [HD [HE [_ G]]]]]]]; injection HD; injection HE; intros; subst.
      * left. split; [exact G|reflexivity].
      * right. split; [reflexivity|]. exists l, x, y, t. repeat split; [lia|exact G].
Qed.

Fixpoint is_removed (D E : list nat) : bool :=
  match D with
  | [] => false
  | x :: t => equal t E || match E with y :: u => (x =? y)%nat && is_removed t u | [] => false end
  end.
Lemma is_removed_spec : forall D E, is_removed D E = true <-> removed D E.
Proof.
  induction D as [|a D IH]; intros E; simpl.
  - split; [discriminate|]. intros [[|? ?] [x [t [H _]]]]; discriminate.
  - rewrite orb_true_iff, equal_spec. split.
    + intros [<-|H]; [exists [], a, D; split; reflexivity|].
      destruct E as [|b E]; [discriminate|]. apply andb_prop in H as [H R]. apply Nat.eqb_eq in H. subst.
      apply IH in R as [l [x [t [-> ->]]]]. exists (b :: l), x, t. split; reflexivity.
    + intros [[|c l] [x [t [HD HE]]]]; injection HD; intros; subst; [left; reflexivity|].
      right. simpl. rewrite Nat.eqb_refl. apply IH. exists l, x, t. split; reflexivity.
Qed.

Lemma existsb_spec (P : nat -> Prop) f l : (forall x, f x = true <-> P x) ->
  existsb f l = true <-> exists x, In x l /\ P x.
Proof.
  intros S. rewrite existsb_exists. split; intros [x [I H]]; exists x; (split; [exact I|]); apply S, H.
Qed.

(* without and with regard to the order: what remains of one database equals the other one *)
Variable same : list nat -> list nat -> bool.
Variable means : list nat -> list nat -> Prop.
Hypothesis same_spec : forall D E, same D E = true <-> means D E.

Definition keys_agree D E := existsb (fun x => same (without group x D) (without group x E)) (D ++ E).
Lemma keys_agree_spec D E : keys_agree D E = true <->
  exists x, In x (D ++ E) /\ means (without group x D) (without group x E).
Proof. apply existsb_spec. intros x. apply same_spec. Qed.

Definition key_is_removed D E := existsb (fun x => same E (without group x D)) D.
Lemma key_is_removed_spec D E : key_is_removed D E = true <-> exists x, In x D /\ means E (without group x D).
Proof. apply existsb_spec. intros x. apply same_spec. Qed.
End changes.

(* ---- up to the order ---- *)

Fixpoint take_out (x : nat) (D : list nat) : list nat :=
  match D with [] => [] | y :: t => if (x =? y)%nat then t else y :: take_out x t end.
Lemma take_out_permutation x : forall D, In x D -> Permutation D (x :: take_out x D).
Proof.
  induction D as [|y D IH]; intros H; [destruct H|]. simpl. destruct (Nat.eqb_spec x y) as [<-|N]; [reflexivity|].
  destruct H as [H|H]; [congruence|]. eapply Permutation_trans; [apply perm_skip, IH, H|apply perm_swap].
Qed.
Lemma take_out_rest x r D : Permutation D (x :: r) -> In x D /\ Permutation (take_out x D) r.
Proof.
  intros P. assert (In x D) as I by (eapply Permutation_in; [apply Permutation_sym, P|left; reflexivity]).
  split; [exact I|]. apply (Permutation_cons_inv (a := x)).
  eapply Permutation_trans; [apply Permutation_sym, take_out_permutation, I|exact P].
Qed.

Definition is_exchanged (group : nat -> nat) D E :=
  existsb (fun x => existsb (fun y => (group x =? group y)%nat && same_records (take_out x D) (take_out y E)) E) D.
Lemma is_exchanged_spec group D E : is_exchanged group D E = true <-> exchanged group D E.
Proof.
  unfold is_exchanged. rewrite existsb_exists. split.
  - intros [x [X H]]. apply existsb_exists in H as [y [Y H]]. apply andb_prop in H as [G H].
    apply Nat.eqb_eq in G. apply same_records_spec in H. exists x, y, (take_out x D).
    split; [apply take_out_permutation, X|]. split; [|exact G].
    eapply Permutation_trans; [apply take_out_permutation, Y|]. apply perm_skip, Permutation_sym, H.
  - intros [x [y [r [PD [PE G]]]]]. apply take_out_rest in PD as [X PD]. apply take_out_rest in PE as [Y PE].
    exists x. split; [exact X|]. apply existsb_exists. exists y. split; [exact Y|].
    rewrite (proj2 (Nat.eqb_eq _ _) G). apply same_records_spec.
    eapply Permutation_trans; [exact PD|apply Permutation_sym, PE].
Qed.

Definition is_taken_out D E := existsb (fun x => same_records (take_out x D) E) D.
Lemma is_taken_out_spec D E : is_taken_out D E = true <-> exists x, Permutation D (x :: E).
Proof.
  unfold is_taken_out. rewrite existsb_exists. split.
  - intros [x [X H]]. exists x. apply same_records_spec in H.
    eapply Permutation_trans; [apply take_out_permutation, X|apply perm_skip, H].
  - intros [x P]. apply take_out_rest in P as [X P]. exists x. split; [exact X|apply same_records_spec, P].
Qed.

(* ---- all changes ---- *)

Definition changes (symmetric : bool) := if symmetric then changed_multiset else changed.

Definition is_change (symmetric : bool) (how : change) (group : nat -> nat) (D E : list nat) : bool :=
  let same := if symmetric then same_records else equal in
  match how with
  | Replace_one => if symmetric then is_exchanged group D E else is_replaced group D E
  | Add_or_remove_one =>
      if symmetric then is_taken_out D E || is_taken_out E D else is_removed D E || is_removed E D
  | Replace_key => keys_agree group same D E
  | Remove_key => key_is_removed group same D E || key_is_removed group same E D
  end.

Theorem is_change_spec symmetric how group D E : is_change symmetric how group D E = true <-> changes symmetric how group D E.
Proof.
  unfold is_change, changes. destruct symmetric, how; simpl.
  - apply is_exchanged_spec.
  - rewrite orb_true_iff, !is_taken_out_spec. firstorder.
  - apply (keys_agree_spec group _ _ same_records_spec).
  - rewrite orb_true_iff, !(key_is_removed_spec group _ _ same_records_spec). firstorder.
  - apply is_replaced_spec.
  - rewrite orb_true_iff, !is_removed_spec. reflexivity.
  - apply (keys_agree_spec group _ _ equal_spec).
  - rewrite orb_true_iff, !(key_is_removed_spec group _ _ equal_spec). firstorder.
Qed.
