(* How well a set of hypotheses represents a class: mixtures from above, a distribution from below. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture.
Import ListNotations.
Local Open Scope Z_scope.

Definition of_row (r : list bool) : concept := fun x => nth x r false.
Definition concepts (rows : list (list bool)) : list concept := map of_row rows.
Definition wrong (h f : list bool) (x : nat) : bool := xorb (nth x h false) (nth x f false).

Definition check_mixture (n : nat) (H : list (list bool)) (e : Q) (fw : list bool * list Z) : bool :=
  let (f, w) := fw in
  is_law w && (length w =? length H)%nat
  && forallb (fun x => at_most (covered w (map (fun h => wrong h f x) H)) (total w) e) (seq 0 n).

Definition check_mixtures n rows H e (weights : list (list Z)) : bool :=
  (length weights =? length rows)%nat && forallb (check_mixture n H e) (combine rows weights).

Definition check_hard n rows (H : list (list bool)) e (c : nat) (d : list Z) : bool :=
  (c <? length rows)%nat && is_law d && (length d =? n)%nat
  && forallb (fun h => at_least (covered d (map (wrong h (nth c rows [])) (seq 0 n))) (total d) e) H.

Lemma total_lt w : is_law w = true -> 0 < total w.
Proof. intros H. apply andb_prop in H as [_ H]. apply Z.ltb_lt, H. Qed.

Lemma check_mixture_sound n H e f w D : check_mixture n H e (f, w) = true -> law n D ->
  exists h, In h H /\ (disagreement n D (of_row h) (of_row f) <= e)%Q.
Proof.
  unfold check_mixture. intros C LD. apply andb_prop in C as [C F]. apply andb_prop in C as [L E].
  apply Nat.eqb_eq in E. rewrite forallb_forall in F.
  set (hyp j := nth j H []).
  assert (forall x, (x < n)%nat ->
    (sum (length w) (fun j => share w j * chance (wrong (hyp j) f x)) <= e)%Q) as P.
  { intros x Hx. assert (In x (seq 0 n)) as I by (apply in_seq; lia). specialize (F x I).
    eapply at_most_spec; [apply total_lt, L| |exact F].
    rewrite <- (mean_covered w (map (fun h => wrong h f x) H) L) by (rewrite map_length; auto).
    apply Qmult_comp; [|reflexivity]. apply sum_ext. intros j Hj.
    rewrite (nth_indep _ false (wrong [] f x)) by (rewrite map_length; lia).
    rewrite (map_nth (fun h => wrong h f x)). reflexivity. }
  destruct (some_le_mean (length w) (share w) (fun j => disagreement n D (of_row (hyp j)) (of_row f)) e)
    as [j [Hj B]].
  - apply share_law, L.
  - apply Qle_trans with
      (sum n (fun x => D x * sum (length w) (fun j => share w j * chance (wrong (hyp j) f x))))%Q;
      [|apply mean_le; assumption].
    rewrite (sum_ext n _ (fun x => sum (length w) (fun j => share w j * (D x * chance (wrong (hyp j) f x))))%Q).
    + rewrite <- sum_swap. apply sum_le. intros j Hj. rewrite sum_scale. apply Qle_refl.
    + intros x Hx. rewrite <- sum_scale. apply sum_ext. intros j Hj. ring.
  - exists (hyp j). split; [apply nth_In; lia|exact B].
Qed.

Lemma disagreement_same n D h f f' : same n f f' -> (disagreement n D h f == disagreement n D h f')%Q.
Proof. intros S. apply sum_ext. intros x Hx. rewrite (S x Hx). reflexivity. Qed.

Theorem check_mixtures_sound n rows H e weights : check_mixtures n rows H e weights = true ->
  represents n (table n (concepts rows)) (concepts H) e.
Proof.
  unfold check_mixtures. intros C f D [r [Hr S]] LD. apply andb_prop in C as [E C].
  apply Nat.eqb_eq in E. rewrite forallb_forall in C.
  unfold concepts in Hr. apply in_map_iff in Hr as [row [<- Hrow]].
  destruct (In_nth _ _ [] Hrow) as [i [Hi Ei]].
  assert (In (nth i (combine rows weights) ([], [])) (combine rows weights)) as I.
  { apply nth_In. rewrite combine_length. lia. }
  specialize (C _ I). rewrite combine_nth in C by auto. rewrite Ei in C.
  destruct (check_mixture_sound _ _ _ _ _ D C LD) as [h [Hh B]].
  exists (of_row h). split; [apply in_map, Hh|]. rewrite (disagreement_same _ _ _ _ _ S). exact B.
Qed.

Theorem check_hard_sound n rows H e c d : check_hard n rows H e c d = true ->
  forall e', represents n (table n (concepts rows)) (concepts H) e' -> (e <= e')%Q.
Proof.
  unfold check_hard. intros C e' R. apply andb_prop in C as [C F]. apply andb_prop in C as [C E].
  apply andb_prop in C as [I L]. apply Nat.eqb_eq in E. apply Nat.ltb_lt in I.
  rewrite forallb_forall in F. destruct (R (of_row (nth c rows [])) (share d)) as [h [Hh B]].
  - exists (of_row (nth c rows [])). split; [apply in_map, nth_In, I|intros x _; reflexivity].
  - rewrite <- E. apply share_law, L.
  - unfold concepts in Hh. apply in_map_iff in Hh as [g [<- Hg]]. specialize (F g Hg).
    apply Qle_trans with (disagreement n (share d) (of_row g) (of_row (nth c rows []))); [|exact B].
    eapply at_least_spec; [apply total_lt, L| |exact F].
    rewrite <- (mean_covered d _ L) by (rewrite map_length, seq_length; auto).
    unfold disagreement. rewrite E. apply Qmult_comp; [|reflexivity].
    apply sum_ext. intros x Hx. rewrite nth_map_seq by exact Hx. reflexivity.
Qed.

Definition check_error n rows H e weights c d :=
  check_mixtures n rows H e weights && check_hard n rows H e c d.

Theorem check_error_sound n rows H e weights c d : check_error n rows H e weights c d = true ->
  representation_error n (table n (concepts rows)) (concepts H) e.
Proof.
  intros C. apply andb_prop in C as [C1 C2].
  split; [eapply check_mixtures_sound, C1|eapply check_hard_sound, C2].
Qed.
