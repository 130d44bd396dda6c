(* Numbers in order: what a search counts often, or once. *)
From Coq Require Import List ZArith NArith Ndigits Lia Bool Orders Mergesort Permutation Sorted.
From CCSim Require Import Json Tables Definitions.
Import ListNotations.
Local Open Scope nat_scope.

Module Ascending <: TotalLeBool.
  Definition t := N.
  Definition leb := N.leb.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. unfold leb. intros a b. rewrite !N.leb_le. lia. Qed.
End Ascending.
Module Up := Sort Ascending.

Module Descending <: TotalLeBool.
  Definition t := N.
  Definition leb a b := N.leb b a.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. unfold leb. intros a b. rewrite !N.leb_le. lia. Qed.
End Descending.
Module Down := Sort Descending.

Module Naturals <: TotalLeBool.
  Definition t := nat.
  Definition leb := Nat.leb.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. unfold leb. intros a b. rewrite !Nat.leb_le. lia. Qed.
End Naturals.
Module InOrder := Sort Naturals.

(* each number once *)
Fixpoint squeeze (l : list N) : list N :=
  match l with
  | a :: l' => match l' with
               | b :: _ => if (a =? b)%N then squeeze l' else a :: squeeze l'
               | [] => l
               end
  | [] => []
  end.
Definition once (l : list N) : list N := squeeze (Up.sort l).

Lemma squeeze_in a : forall l, In a (squeeze l) <-> In a l.
Proof.
  induction l as [|b l IH]; [tauto|]. cbn [squeeze]. destruct l as [|c l]; [tauto|].
  destruct (N.eqb_spec b c) as [->|N]; [rewrite IH; simpl; tauto|].
  cbn [In] in *. rewrite IH. tauto.
Qed.

Lemma once_in a l : In a (once l) <-> In a l.
Proof.
  unfold once. rewrite squeeze_in. pose proof (Up.Permuted_sort l) as P. split; intros H.
  - eapply Permutation_in; [apply Permutation_sym, P|exact H].
  - eapply Permutation_in; [exact P|exact H].
Qed.

(* no number occurs twice, as a search for equal neighbours finds *)
Fixpoint ascending (l : list N) : bool :=
  match l with
  | a :: l' => match l' with b :: _ => if (a <? b)%N then ascending l' else false | [] => true end
  | [] => true
  end.
Definition all_apart (l : list N) : bool := ascending (Up.sort l).

Lemma ascending_spec : forall l, ascending l = true -> NoDup l /\ forall a, In a l -> (hd 0 l <= a)%N.
Proof.
  induction l as [|a l IH]; intros H; [split; [constructor|intros _ []]|]. cbn [ascending] in H.
  destruct l as [|b l]; [split; [constructor; [intros []|constructor]|intros c [<-|[]]; apply N.le_refl]|].
  destruct (N.ltb_spec a b) as [L|]; [|discriminate]. apply IH in H as [D M]. cbn [hd] in M.
  split.
  - constructor; [|exact D]. intros Ha. apply M in Ha. lia.
  - intros c [<-|Hc]; cbn [hd]; [lia|]. apply M in Hc. lia.
Qed.

Lemma all_apart_spec l : all_apart l = true -> NoDup l.
Proof.
  intros H. apply ascending_spec in H as [D _].
  eapply Permutation_NoDup; [apply Permutation_sym, Up.Permuted_sort|exact D].
Qed.

(* no choice of so many has a larger sum than the largest *)
Definition total (l : list N) : N := fold_right N.add 0%N l.

Lemma total_perm l l' : Permutation l l' -> total l = total l'.
Proof. induction 1; simpl; lia. Qed.

Lemma total_firstn_shift : forall l a m, (forall b, In b l -> (b <= a)%N) ->
  StronglySorted (fun a b => Descending.leb a b = true) l ->
  (total (firstn m l) <= total (firstn m (a :: l)))%N.
Proof.
  induction l as [|b l IH]; intros a m B S; destruct m as [|m]; simpl; try lia.
  inversion S as [|? ? S' F]; subst. pose proof (B b (or_introl eq_refl)) as Hb.
  specialize (IH b m). cut (total (firstn m l) <= total (firstn m (b :: l)))%N; [lia|].
  apply IH; [|exact S']. intros c Hc. rewrite Forall_forall in F. specialize (F c Hc).
  apply N.leb_le in F. exact F.
Qed.

Lemma total_largest : forall l A B, StronglySorted (fun a b => Descending.leb a b = true) l ->
  Permutation (A ++ B) l -> (total A <= total (firstn (length A) l))%N.
Proof.
  induction l as [|a l IH]; intros A B Sd P.
  - apply Permutation_length in P. rewrite app_length in P. destruct A; [simpl; lia|simpl in P; lia].
  - inversion Sd as [|? ? Sd' F]; subst. rewrite Forall_forall in F.
    assert (forall b, In b l -> (b <= a)%N) as M by (intros b Hb; apply N.leb_le, F, Hb).
    assert (In a (A ++ B)) as I by (eapply Permutation_in; [apply Permutation_sym, P|left; reflexivity]).
    apply in_app_or in I as [I|I]; apply in_split in I as [L [R ->]].
    + assert (Permutation ((L ++ R) ++ B) l) as P'.
      { apply (Permutation_cons_inv (a := a)). eapply Permutation_trans; [|exact P].
        rewrite <- !app_assoc. simpl. apply Permutation_middle. }
      apply IH in P'; [|exact Sd'].
      rewrite (total_perm (L ++ a :: R) (a :: L ++ R)) by (apply Permutation_sym, Permutation_middle).
      replace (length (L ++ a :: R)) with (S (length (L ++ R))) by (rewrite !app_length; simpl; lia).
      simpl. lia.
    + assert (Permutation (A ++ (L ++ R)) l) as P'.
      { apply (Permutation_cons_inv (a := a)). eapply Permutation_trans; [|exact P].
        rewrite !app_assoc. apply Permutation_middle. }
      apply IH in P'; [|exact Sd']. eapply N.le_trans; [exact P'|]. apply total_firstn_shift; assumption.
Qed.

(* ---- bits of numbers ---- *)

Lemma bit_number_of : forall l i, bit (number_of l) i = nth i l false.
Proof.
  induction l as [|b l IH]; intros i; [destruct i; reflexivity|]. cbn [number_of nth].
  destruct b; [rewrite bit_succ_double|rewrite bit_double]; destruct i; auto.
Qed.

Lemma bit_land a b x : bit (N.land a b) x = bit a x && bit b x.
Proof. rewrite !bit_testbit. apply N.land_spec. Qed.
Lemma bit_ldiff a b x : bit (N.ldiff a b) x = bit a x && negb (bit b x).
Proof. rewrite !bit_testbit. apply N.ldiff_spec. Qed.
Lemma bit_lor a b x : bit (N.lor a b) x = bit a x || bit b x.
Proof. rewrite !bit_testbit. apply N.lor_spec. Qed.
Lemma bit_lxor a b x : bit (N.lxor a b) x = xorb (bit a x) (bit b x).
Proof. rewrite !bit_testbit. apply N.lxor_spec. Qed.
Lemma bit_0 x : bit 0 x = false.
Proof. reflexivity. Qed.

(* columns of rows: of each point a number whose bit i is its label in row i *)
Definition column (rows : list N) (x : nat) : N := number_of (map (fun r => bit r x) rows).

Lemma column_bit rows x i : bit (column rows x) i = bit (nth i rows 0%N) x.
Proof.
  unfold column. rewrite bit_number_of. rewrite <- (bit_0 x). apply (map_nth (fun r => bit r x)).
Qed.
Definition columns_of (n : nat) (rows : list N) : list N := map (column rows) (seq 0 n).
Lemma columns_of_nth n rows x : x < n -> nth x (columns_of n rows) 0%N = column rows x.
Proof.
  intros Hx. unfold columns_of. rewrite (nth_indep _ 0%N (column rows 0)) by (rewrite map_length, seq_length; exact Hx).
  rewrite (map_nth (column rows)), seq_nth by exact Hx. reflexivity.
Qed.

Definition everywhere (m : nat) : N := number_of (repeat true m).
Lemma everywhere_bit m x : x < m -> bit (everywhere m) x = true.
Proof.
  unfold everywhere. rewrite bit_number_of. revert x. induction m as [|m IH]; intros [|x] Hx; simpl; try lia; auto.
  apply IH. lia.
Qed.

(* ---- what certificates hold ---- *)

(* what always holds *)
Definition is_trivial (v : Z) (data : json) : bool :=
  (v =? -1)%Z && match fields [] data with Some _ => true | None => false end.

Definition rows_at {A} (rows : list A) (l : list N) : option (list A) := each (entry (number_all rows)) l.
Lemma rows_at_in {A} (rows : list A) l found : rows_at rows l = Some found -> forall r, In r found -> In r rows.
Proof.
  unfold rows_at. revert found. induction l as [|i l IH]; intros found H r Hr; cbn [each] in H.
  - injection H as <-. contradiction.
  - destruct (entry _ i) as [a|] eqn:E; [|discriminate]. destruct (each _ l) as [b|]; [|discriminate].
    injection H as <-. destruct Hr as [<-|Hr]; [eapply entry_in, E|eauto].
Qed.

Lemma is_trivial_sound P v data : is_trivial v data = true -> dimension_at_least P v.
Proof. intros H. apply andb_prop in H as [H _]. apply Z.eqb_eq in H. intros V. lia. Qed.
