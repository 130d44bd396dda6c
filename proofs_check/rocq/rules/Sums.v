(* Finite sums of rationals and what an average says: the mathematics of the rule "mixture". *)
From Coq Require Import QArith Lia Lqa Setoid Morphisms.
From CCSim Require Import Definitions.
Local Open Scope Q_scope.

Lemma inject_pos z : (0 < z)%Z -> 0 < inject_Z z.
Proof. intros H. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. exact H. Qed.
Lemma inject_nonneg z : (0 <= z)%Z -> 0 <= inject_Z z.
Proof. intros H. change 0 with (inject_Z 0). rewrite <- Zle_Qle. exact H. Qed.
Lemma unit_pos (u : positive) : 0 < inject_Z (Zpos u).
Proof. reflexivity. Qed.

Lemma sum_ext n g h : (forall i, (i < n)%nat -> g i == h i) -> sum n g == sum n h.
Proof.
  induction n as [|n IH]; intros E; simpl; [reflexivity|].
  rewrite IH by (intros; apply E; lia). rewrite (E n) by lia. reflexivity.
Qed.

Lemma sum_zero n : sum n (fun _ => 0) == 0.
Proof. induction n as [|n IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma sum_plus n g h : sum n (fun i => g i + h i) == sum n g + sum n h.
Proof. induction n as [|n IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.

Lemma sum_scale n c g : sum n (fun i => c * g i) == c * sum n g.
Proof. induction n as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_le n g h : (forall i, (i < n)%nat -> g i <= h i) -> sum n g <= sum n h.
Proof.
  induction n as [|n IH]; intros E; simpl; [apply Qle_refl|].
  apply Qplus_le_compat; [apply IH; intros; apply E; lia|apply E; lia].
Qed.

Lemma sum_nonneg n g : (forall i, (i < n)%nat -> 0 <= g i) -> 0 <= sum n g.
Proof. intros H. rewrite <- (sum_zero n). apply sum_le. exact H. Qed.

Lemma sum_swap n m (g : nat -> nat -> Q) :
  sum n (fun i => sum m (fun j => g i j)) == sum m (fun j => sum n (fun i => g i j)).
Proof.
  induction n as [|n IH]; simpl; [symmetry; apply sum_zero|].
  rewrite IH, sum_plus. reflexivity.
Qed.

Lemma mean_le n p g e : law n p -> (forall i, (i < n)%nat -> g i <= e) ->
  sum n (fun i => p i * g i) <= e.
Proof.
  intros [Hp H1] H. apply Qle_trans with (sum n (fun i => e * p i)).
  - apply sum_le. intros i Hi. specialize (Hp i Hi). specialize (H i Hi). nra.
  - rewrite sum_scale, H1. lra.
Qed.

Lemma mean_ge n p g e : law n p -> (forall i, (i < n)%nat -> e <= g i) ->
  e <= sum n (fun i => p i * g i).
Proof.
  intros [Hp H1] H. apply Qle_trans with (sum n (fun i => e * p i)).
  - rewrite sum_scale, H1. lra.
  - apply sum_le. intros i Hi. specialize (Hp i Hi). specialize (H i Hi). nra.
Qed.

Lemma below_or_above n (g : nat -> Q) e :
  (exists i, (i < n)%nat /\ g i <= e) \/ (forall i, (i < n)%nat -> e < g i).
Proof.
  induction n as [|n [[i [Hi H]]|IH]].
  - right. intros i Hi. lia.
  - left. exists i. split; [lia|exact H].
  - destruct (Qlt_le_dec e (g n)) as [H|H].
    + right. intros i Hi. destruct (Nat.eq_dec i n) as [->|]; [exact H|apply IH; lia].
    + left. exists n. split; [lia|exact H].
Qed.

Lemma law_pos n p : law n p -> exists i, (i < n)%nat /\ 0 < p i.
Proof.
  intros [Hp H1]. destruct (below_or_above n (fun i => - p i) 0) as [_|H].
  - clear - Hp H1. revert Hp H1. induction n as [|n IH]; simpl; intros Hp H1; [lra|].
    destruct (Qlt_le_dec 0 (p n)) as [H|H]; [exists n; split; [lia|exact H]|].
    assert (p n == 0) as E by (specialize (Hp n ltac:(lia)); lra).
    destruct IH as [i [Hi H']]; [intros; apply Hp; lia|rewrite E in H1; lra|].
    exists i. split; [lia|exact H'].
  - exfalso. assert (sum n p <= 0); [|lra].
    rewrite <- (sum_zero n). apply sum_le. intros i Hi. specialize (H i Hi). lra.
Qed.

(* what a mixture reaches, some part of it reaches *)
Lemma some_le_mean n p g e : law n p -> sum n (fun i => p i * g i) <= e ->
  exists i, (i < n)%nat /\ g i <= e.
Proof.
  intros L H. destruct (below_or_above n g e) as [E|E]; [exact E|exfalso].
  destruct (law_pos n p L) as [k [Hk Pk]].
  assert (e < sum n (fun i => p i * g i)); [|lra].
  destruct L as [Hp H1].
  assert (0 < sum n (fun i => p i * (g i - e))) as P.
  { clear H H1. revert k Hk Pk Hp E. induction n as [|n IH]; intros k Hk Pk Hp E; [lia|]. simpl.
    assert (0 <= sum n (fun i => p i * (g i - e))) as P0.
    { apply sum_nonneg. intros i Hi. specialize (Hp i ltac:(lia)). specialize (E i ltac:(lia)). nra. }
    assert (0 <= p n * (g n - e)) as P1.
    { specialize (Hp n ltac:(lia)). specialize (E n ltac:(lia)). nra. }
    destruct (Nat.eq_dec k n) as [->|Hne].
    - specialize (E n ltac:(lia)). assert (0 < p n * (g n - e)) by nra. lra.
    - assert (0 < sum n (fun i => p i * (g i - e))).
      { apply (IH k); [lia|exact Pk|intros; apply Hp; lia|intros; apply E; lia]. } lra. }
  assert (sum n (fun i => p i * (g i - e)) == sum n (fun i => p i * g i) - e) as R.
  { rewrite (sum_ext n _ (fun i => p i * g i + (- e) * p i)) by (intros; ring).
    rewrite sum_plus, sum_scale, H1. ring. }
  lra.
Qed.
