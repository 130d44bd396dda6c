(* What classes of rows cost at least, and the best answers to so many messages. *)
From Coq Require Import List ZArith QArith Lia Bool.
From CCSim Require Import Definitions OneWay Distributions.
Import ListNotations.
Local Open Scope Z_scope.

Definition wide (w : nat) (rows : list (list Z)) : bool := forallb (fun r => length r =? w)%nat rows.
Definition entry_at (rows : list (list Z)) j t : Z := nth t (nth j rows []) 0.
(* a class loses at least this, doubled, whatever Bob answers *)
Definition class_cost w (rows : list (list Z)) (c : list nat) : Z :=
  lsum (fun j => size (nth j rows [])) c - zsum w (fun t => Z.abs (lsum (fun j => entry_at rows j t) c)).

Lemma wide_nth w rows j : wide w rows = true -> (j < length rows)%nat -> length (nth j rows []) = w.
Proof. intros H J. unfold wide in H. rewrite forallb_forall in H. apply Nat.eqb_eq, H, nth_In, J. Qed.

Lemma lost_entries r : forall z, lost z r = size r - zsum (length r) (fun t => sign (z t) * nth t r 0).
Proof.
  induction r as [|w r IH]; intros z; [reflexivity|]. cbn [lost length]. rewrite zsum_S, IH. cbn [nth].
  unfold size. cbn [lsum]. lia.
Qed.
Lemma lsum_zsum {A} n (g : A -> nat -> Z) l : lsum (fun a => zsum n (g a)) l = zsum n (fun t => lsum (fun a => g a t)
  l).
Proof.
  induction l as [|a l IH]; cbn.
  - unfold zsum. symmetry. apply lsum_zero.
  - rewrite IH, <- zsum_plus. reflexivity.
Qed.
Lemma zsum_le n g h : (forall i, (i < n)%nat -> g i <= h i) -> zsum n g <= zsum n h.
Proof. intros H. apply lsum_le. intros i I. apply in_seq in I. apply H. lia. Qed.

Lemma class_cost_least w rows z c : wide w rows = true -> (forall j, In j c -> (j < length rows)%nat) ->
  class_cost w rows c <= lsum (fun j => lost z (nth j rows [])) c.
Proof.
  intros W C. rewrite (lsum_ext _ (fun j => size (nth j rows []) - zsum w (fun t => sign (z t) * entry_at rows j t))).
  2:{ intros j J. rewrite lost_entries, (wide_nth w rows j W (C j J)). reflexivity. }
  rewrite lsum_minus, lsum_zsum. unfold class_cost.
  assert (zsum w (fun t => lsum (fun j => sign (z t) * entry_at rows j t) c)
    <= zsum w (fun t => Z.abs (lsum (fun j => entry_at rows j t) c))); [|lia].
  apply zsum_le. intros t _. rewrite lsum_scale. unfold sign. destruct (z t); lia.
Qed.

(* the sum of rows *)
Fixpoint add_rows (r s : list Z) : list Z :=
  match r, s with a :: r', b :: s' => a + b :: add_rows r' s' | _, _ => [] end.
Definition excess w (rows : list (list Z)) : list Z := fold_right add_rows (repeat 0 w) rows.

Lemma add_rows_spec : forall r s, length r = length s ->
  length (add_rows r s) = length s /\ forall t, nth t (add_rows r s) 0 = nth t r 0 + nth t s 0.
Proof.
  induction r as [|a r IH]; intros [|b s] E; try discriminate; cbn.
  - split; [reflexivity|]. intros [|t]; reflexivity.
  - injection E as E. destruct (IH s E) as [L N]. split; [congruence|]. intros [|t]; [reflexivity|apply N].
Qed.
Lemma nth_zeros t w : nth t (repeat 0 w) 0 = 0.
Proof. revert t. induction w as [|w IH]; intros [|t]; cbn; auto. Qed.
Lemma excess_spec w rows : wide w rows = true ->
  length (excess w rows) = w /\ forall t, nth t (excess w rows) 0 = lsum (fun r => nth t r 0) rows.
Proof.
  induction rows as [|r rows IH]; intros W.
  - cbn. split; [apply repeat_length|]. intros t. apply nth_zeros.
  - cbn [wide forallb] in W. apply andb_prop in W as [R W]. apply Nat.eqb_eq in R. destruct (IH W) as [L N].
    cbn [excess fold_right lsum]. fold (excess w rows). destruct (add_rows_spec r (excess w rows) ltac:(congruence))
      as [L' N'].
    split; [congruence|]. intros t. rewrite N', N. reflexivity.
Qed.
Lemma size_entries r : size r = zsum (length r) (fun t => Z.abs (nth t r 0)).
Proof. unfold size. symmetry. apply (zsum_list 0 Z.abs r). Qed.

(* ---- a single message ---- *)

Definition whole_cost w rows : Z := sizes rows - size (excess w rows).

Lemma forced_once w rows : wide w rows = true -> forced rows 1 (whole_cost w rows).
Proof.
  intros W a z A.
  rewrite (zsum_ext _ _ (fun j => lost (z O) (nth j rows []))).
  2:{ intros j J. specialize (A j J). replace (a j) with O by lia. reflexivity. }
  unfold zsum. eapply Z.le_trans; [|apply (class_cost_least w); [exact W|intros j J; apply in_seq in J; lia]].
  destruct (excess_spec w rows W) as [L N]. unfold class_cost, whole_cost. rewrite size_entries, L.
  fold (zsum (length rows) (fun j => size (nth j rows []))). rewrite (zsum_list [] size rows). unfold sizes.
  assert (zsum w (fun t => Z.abs (nth t (excess w rows) 0))
    = zsum w (fun t => Z.abs (lsum (fun j => entry_at rows j t) (seq 0 (length rows))))) as ->; [|lia].
  apply zsum_ext. intros t _. rewrite N. f_equal.
  fold (zsum (length rows) (fun j => entry_at rows j t)). symmetry. exact (zsum_list [] (fun r => nth t r 0) rows).
Qed.

(* ---- all choices of so many of the possible answers ---- *)

(* what the rows lose to each choice of answers to all columns, doubled *)
Definition side (b : bool) (rows : list (list Z)) : list Z := map (fun r => Z.abs (hd 0 r) - sign b * hd 0 r) rows.
Fixpoint all_losses w (rows : list (list Z)) : list (list Z) :=
  match w with
  | O => [repeat 0 (length rows)]
  | S w' => let rest := all_losses w' (map (@tl Z) rows) in
            map (add_rows (side true rows)) rest ++ map (add_rows (side false rows)) rest
  end.

Lemma all_losses_spec : forall w rows z, wide w rows = true -> In (map (lost z) rows) (all_losses w rows).
Proof.
  induction w as [|w IH]; intros rows z W.
  - cbn. left. induction rows as [|r rows IH]; [reflexivity|]. cbn in *. apply andb_prop in W as [R W].
    destruct r; [|discriminate]. cbn. f_equal. apply IH, W.
  - cbn [all_losses]. assert (wide w (map (@tl Z) rows) = true) as W'.
    { unfold wide in *. rewrite forallb_forall in *. intros r I. apply in_map_iff in I as [s [<- I]].
      specialize (W s I). destruct s; [discriminate|]. exact W. }
    specialize (IH (map (@tl Z) rows) (fun y => z (S y)) W'). apply in_app_iff.
    assert (map (lost z) rows = add_rows (side (z O) rows) (map (lost (fun y => z (S y))) (map (@tl Z) rows))) as ->.
    { clear IH W'. induction rows as [|r rows IH]; [reflexivity|]. cbn in W |- *. apply andb_prop in W as [R W].
      destruct r as [|a r]; [discriminate|]. cbn. f_equal. apply IH, W. }
    destruct (z O); [left|right]; apply in_map, IH.
Qed.

Fixpoint least_of (r s : list Z) : list Z :=
  match r, s with a :: r', b :: s' => Z.min a b :: least_of r' s' | _, _ => [] end.
(* the least sum over the rows if at most k of the listed choices, or what is given, may be taken *)
Fixpoint best (l : list (list Z)) (k : nat) (given : list Z) : Z :=
  match l, k with
  | q :: l', S k' => Z.min (best l' k' (least_of given q)) (best l' k given)
  | _, _ => lsum (fun x => x) given
  end.

Lemma least_of_spec : forall r s, length r = length s ->
  length (least_of r s) = length s /\ forall j, nth j (least_of r s) 0 = Z.min (nth j r 0) (nth j s 0).
Proof.
  induction r as [|a r IH]; intros [|b s] E; try discriminate; cbn.
  - split; [reflexivity|]. intros [|j]; reflexivity.
  - injection E as E. destruct (IH s E) as [L N]. split; [congruence|]. intros [|j]; [reflexivity|apply N].
Qed.
Lemma lsum_nth_le r v : length r = length v -> (forall j, (j < length v)%nat -> nth j r 0 <= nth j v 0) ->
  lsum (fun x => x) r <= lsum (fun x => x) v.
Proof.
  intros L H. rewrite <- (zsum_list 0 (fun x => x) r), <- (zsum_list 0 (fun x => x) v), L. apply zsum_le. exact H.
Qed.

Lemma best_least v : forall l k given qs, (forall q, In q l -> length q = length v) -> length given = length v ->
  (forall q, In q qs -> In q l) -> (length qs <= k)%nat ->
  (forall j, (j < length v)%nat -> nth j given 0 <= nth j v 0 \/ exists q, In q qs /\ nth j q 0 <= nth j v 0) ->
  best l k given <= lsum (fun x => x) v.
Proof.
  induction l as [|q l IH]; intros k given qs Ll Lg I K H.
  - cbn. apply lsum_nth_le; [exact Lg|]. intros j J. destruct (H j J) as [G|[q [Q _]]]; [exact G|destruct (I q Q)].
  - destruct k as [|k].
    { destruct qs; [|cbn in K; lia]. cbn. apply lsum_nth_le; [exact Lg|].
      intros j J. destruct (H j J) as [G|[q' [[] _]]]. exact G. }
    cbn [best]. set (D := list_eq_dec Z.eq_dec). destruct (in_dec D q qs) as [Q|Q].
    + destruct (least_of_spec given q) as [L N]; [rewrite Lg, (Ll q (in_eq _ _)); reflexivity|].
      assert (best l k (least_of given q) <= lsum (fun x => x) v); [|lia].
      apply (IH k (least_of given q) (remove D q qs)).
      * intros p P. apply Ll, in_cons, P.
      * rewrite L. apply Ll, in_eq.
      * intros p P. apply in_remove in P as [P N']. destruct (I p P) as [->|J]; [congruence|exact J].
      * pose proof (remove_length_lt D qs q Q). lia.
      * intros j J. rewrite N. destruct (H j J) as [G|[p [P G]]]; [left; lia|].
        destruct (D p q) as [->|E]; [left; lia|]. right. exists p. split; [apply in_in_remove; assumption|exact G].
    + assert (best l (S k) given <= lsum (fun x => x) v); [|lia].
      apply (IH (S k) given qs); auto.
      * intros p P. apply Ll, in_cons, P.
      * intros p P. destruct (I p P) as [->|J]; [contradiction|exact J].
Qed.

Lemma all_losses_length : forall w rows q, In q (all_losses w rows) -> length q = length rows.
Proof.
  induction w as [|w IH]; intros rows q I; cbn in I.
  - destruct I as [<-|[]]. apply repeat_length.
  - apply in_app_iff in I. assert (forall b p, In p (map (add_rows (side b rows)) (all_losses w (map (@tl Z) rows))) ->
      length p = length rows) as G; [|destruct I; eauto].
    intros b p P. apply in_map_iff in P as [s [<- P]]. specialize (IH _ _ P). rewrite map_length in IH.
    destruct (add_rows_spec (side b rows) s) as [L _]; [unfold side; rewrite map_length; congruence|congruence].
Qed.

Definition best_answers w rows k : Z := best (all_losses w rows) k (map (fun r => 2 * size r) rows).

Lemma lost_most z r : lost z r <= 2 * size r.
Proof.
  revert z. induction r as [|a r IH]; intros z; [cbn; lia|]. specialize (IH (fun y => z (S y))). unfold size in *.
  cbn [lost lsum]. unfold sign. destruct (z O); lia.
Qed.

Lemma forced_answers w rows k : wide w rows = true -> forced rows k (best_answers w rows k).
Proof.
  intros W a z A. set (n := length rows). set (v := map (fun j => lost (z (a j)) (nth j rows [])) (seq 0 n)).
  unfold zsum. rewrite <- (lsum_map (fun j => lost (z (a j)) (nth j rows [])) (fun x => x)). fold n v.
  assert (length v = n) as Lv by (unfold v; rewrite map_length, seq_length; reflexivity).
  assert (forall j, (j < n)%nat -> nth j v 0 = lost (z (a j)) (nth j rows [])) as Nv.
  { intros j J. unfold v. rewrite (nth_indep _ 0 (lost (z (a O)) (nth O rows []))) by (rewrite map_length,
    seq_length; exact J).
    rewrite (map_nth (fun j => lost (z (a j)) (nth j rows []))), seq_nth by exact J. reflexivity. }
  apply (best_least v _ k _ (map (fun i => map (lost (z i)) rows) (seq 0 k))).
  - intros q Q. rewrite Lv. exact (all_losses_length w rows q Q).
  - rewrite map_length. symmetry. exact Lv.
  - intros q Q. apply in_map_iff in Q as [i [<- _]]. apply all_losses_spec, W.
  - rewrite map_length, seq_length. apply Nat.le_refl.
  - rewrite Lv. intros j J. right. exists (map (lost (z (a j))) rows). split.
    + apply in_map_iff. exists (a j). split; [reflexivity|]. apply in_seq. specialize (A j J). lia.
    + rewrite Nv by exact J. rewrite (nth_indep _ 0 (lost (z (a j)) [])) by (rewrite map_length; exact J).
      rewrite (map_nth (lost (z (a j)))). lia.
Qed.
