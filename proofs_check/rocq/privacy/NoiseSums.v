(* Sums over the noise of a program: antidifferences, geometric tails, and ranges of outputs. *)
From Coq Require Import QArith Qpower ZArith Lia Lqa Setoid.
From CCSim Require Import Definitions Sums.
Local Open Scope Q_scope.

Definition along (f : Z -> Q) (a : Z) (i : nat) : Q := f (a + Z.of_nat i)%Z.

Theorem telescoping (A f : Z -> Q) a n :
  (forall z, A (z + 1)%Z - A z == f z) -> sum n (along f a) == A (a + Z.of_nat n)%Z - A a.
Proof.
  intros H. induction n as [|n IH].
  - cbn [sum Z.of_nat]. rewrite Z.add_0_r. ring.
  - cbn [sum]. rewrite IH. unfold along. rewrite <- H.
    replace (a + Z.of_nat (S n))%Z with (a + Z.of_nat n + 1)%Z by lia. ring.
Qed.

(* From s Q(z + 1) - Q(z) = g(z), the antidifference of s^z g(z) is s^z Q(z). *)
Theorem weighted_antidifference s (P g : Z -> Q) : ~ s == 0 ->
  (forall z, s * P (z + 1)%Z - P z == g z) ->
  forall z, s ^ (z + 1) * P (z + 1)%Z - s ^ z * P z == s ^ z * g z.
Proof. intros N H z. rewrite <- H, (Qpower_plus s z 1 N). change (s ^ 1) with s. ring. Qed.

(* The recursion of the kernel: D maps P to s P(z + 1) - P(z). *)
Theorem antidifference_step s (P H g h : Z -> Q) : ~ s == 1 ->
  (forall z, s * P (z + 1)%Z - P z == (s - 1) * g z + s * h z) ->
  (forall z, s * H (z + 1)%Z - H z == h z) ->
  forall z, s * ((P (z + 1)%Z - s * H (z + 1)%Z) / (s - 1)) - (P z - s * H z) / (s - 1) == g z.
Proof.
  intros N A B z. specialize (A z). specialize (B z).
  assert (M : ~ s - 1 == 0) by (intros E; apply N; lra).
  transitivity ((s * P (z + 1)%Z - P z - s * (s * H (z + 1)%Z - H z)) / (s - 1)); [field; exact M|].
  rewrite A, B. field. exact M.
Qed.

Theorem antidifference_of_powers s : ~ s == 0 -> ~ s == 1 ->
  forall z, s ^ (z + 1) / (s - 1) - s ^ z / (s - 1) == s ^ z.
Proof.
  intros N M z. rewrite (Qpower_plus s z 1 N). change (s ^ 1) with s.
  field. intros E. apply M. lra.
Qed.

Theorem geometric_sum s a n : ~ s == 0 -> ~ s == 1 ->
  sum n (along (fun z => s ^ z) a) == (s ^ (a + Z.of_nat n) - s ^ a) / (s - 1).
Proof.
  intros N M.
  rewrite (telescoping (fun z => s ^ z / (s - 1)) _ a n (antidifference_of_powers s N M)).
  field. intros E. apply M. lra.
Qed.

(* What is missing in a partial sum is the same power of s as a tail, so it tends to 0. *)
Theorem geometric_tail s a n : 0 < s -> s < 1 ->
  s ^ a / (1 - s) - sum n (along (fun z => s ^ z) a) == s ^ (a + Z.of_nat n) / (1 - s).
Proof.
  intros P L. rewrite geometric_sum by lra. field. split; lra.
Qed.

(* The probabilities of a two-sided geometric draw: those of z >= 0 and of z < 0 sum to 1. *)
Theorem two_sided_total s : 0 < s -> s < 1 ->
  (1 - s) / (1 + s) * (1 / (1 - s)) + (1 - s) / (1 + s) * (s / (1 - s)) == 1.
Proof. intros P L. field. split; lra. Qed.

(* A range in which q is proportional to p: no event in it needs more than all of it, or nothing. *)
Theorem range_suffices n (p q e : nat -> Q) c f :
  (forall i, (i < n)%nat -> 0 <= p i) -> (forall i, (i < n)%nat -> q i == c * p i) ->
  (forall i, (i < n)%nat -> 0 <= e i <= 1) ->
  sum n (fun i => e i * (p i - f * q i)) <= 0
  \/ sum n (fun i => e i * (p i - f * q i)) <= sum n p - f * sum n q.
Proof.
  intros P R E. destruct (Qlt_le_dec (1 - f * c) 0) as [L|G].
  - left. rewrite <- (sum_zero n). apply sum_le. intros i I. rewrite (R i I).
    specialize (P i I). specialize (E i I).
    setoid_replace (e i * (p i - f * (c * p i))) with (- (e i * p i * - (1 - f * c))) by ring.
    assert (0 <= e i * p i * - (1 - f * c)) by (repeat apply Qmult_le_0_compat; lra). lra.
  - right. rewrite <- (sum_scale n f q).
    setoid_replace (sum n p - sum n (fun i => f * q i)) with (sum n (fun i => p i + - (f * q i))).
    + apply sum_le. intros i I. rewrite (R i I). specialize (P i I). specialize (E i I).
      setoid_replace (p i + - (f * (c * p i)))
        with (e i * (p i - f * (c * p i)) + (1 - e i) * p i * (1 - f * c)) by ring.
      assert (0 <= (1 - e i) * p i * (1 - f * c)) by (repeat apply Qmult_le_0_compat; lra). lra.
    + rewrite sum_plus.
      assert (S : sum n (fun i => - (f * q i)) == -1 * sum n (fun i => f * q i)).
      { rewrite <- sum_scale. apply sum_ext. intros. ring. }
      rewrite S. ring.
Qed.
