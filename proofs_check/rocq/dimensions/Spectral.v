(* Traces of powers, and what they say of signs: a step towards Forster's bound of sign ranks.  Vectors of
   dimension d with the signs of a matrix M exist near isotropic position only by an argument that is not
   made here; for those that are there, this is the inequality. *)
From Coq Require Import QArith Lia Lqa Setoid.
From CCSim Require Import Definitions Sums.
Local Open Scope Q_scope.

(* ---- Cauchy and Schwarz, for any sum ---- *)

Lemma square_nonneg a : 0 <= a * a.
Proof. destruct (Qlt_le_dec a 0); nra. Qed.
Lemma scaled_le c a b : 0 <= c -> a <= b -> c * a <= c * b.
Proof. intros C H. rewrite !(Qmult_comm c). apply Qmult_le_compat_r; assumption. Qed.

Section Cauchy.
Context {I : Type} (L : (I -> Q) -> Q).
Hypothesis ext : forall f g, (forall i, f i == g i) -> L f == L g.
Hypothesis plus : forall f g, L (fun i => f i + g i) == L f + L g.
Hypothesis scale : forall c f, L (fun i => c * f i) == c * L f.
Hypothesis nonneg : forall f, (forall i, 0 <= f i) -> 0 <= L f.

Lemma cauchy a b : L (fun i => a i * b i) * L (fun i => a i * b i) <= L (fun i => a i * a i) * L (fun i => b i * b i).
Proof.
  set (C := L (fun i => a i * b i)). set (A := L (fun i => a i * a i)). set (B := L (fun i => b i * b i)).
  assert (0 <= L (fun i => L (fun j => (a i * b j - a j * b i) * (a i * b j - a j * b i)))) as H.
  { apply nonneg. intros i. apply nonneg. intros j. apply square_nonneg. }
  assert (L (fun i => L (fun j => (a i * b j - a j * b i) * (a i * b j - a j * b i))) == 2 * (A * B) - 2 * (C * C)) as E.
  { rewrite (ext _ (fun i => B * (a i * a i) + (- (2) * C * (a i * b i) + A * (b i * b i)))).
    - rewrite !plus, !scale. fold A B C. ring.
    - intros i. rewrite (ext _ (fun j => a i * a i * (b j * b j) + (- (2) * (a i * b i) * (a j * b j)
        + b i * b i * (a j * a j)))) by (intros; ring).
      rewrite !plus, !scale. fold A B C. ring. }
  lra.
Qed.
End Cauchy.

Lemma cauchy_sum n a b :
  sum n (fun i => a i * b i) * sum n (fun i => a i * b i) <= sum n (fun i => a i * a i) * sum n (fun i => b i * b i).
Proof.
  apply (cauchy (sum n)); intros.
  - apply sum_ext. auto.
  - apply sum_plus.
  - apply sum_scale.
  - apply sum_nonneg. auto.
Qed.
Lemma cauchy_sums n m (a b : nat -> nat -> Q) :
  let S f := sum n (fun i => sum m (f i)) in
  S (fun i j => a i j * b i j) * S (fun i j => a i j * b i j) <= S (fun i j => a i j * a i j) * S (fun i j => b i j * b i j).
Proof.
  intros S. apply (cauchy (fun f : nat * nat -> Q => sum n (fun i => sum m (fun j => f (i, j))))
    ) with (a := fun p => a (fst p) (snd p)) (b := fun p => b (fst p) (snd p)); intros.
  - apply sum_ext. intros i _. apply sum_ext. auto.
  - rewrite <- sum_plus. apply sum_ext. intros i _. apply sum_plus.
  - rewrite <- sum_scale. apply sum_ext. intros i _. apply sum_scale.
  - apply sum_nonneg. intros i _. apply sum_nonneg. auto.
Qed.

(* to the power 2^s *)
Fixpoint squared (s : nat) (a : Q) : Q := match s with O => a | S s' => squared s' a * squared s' a end.
Lemma squared_ext s a b : a == b -> squared s a == squared s b.
Proof. intros E. induction s as [|s IH]; cbn; [exact E|]. rewrite IH. reflexivity. Qed.
Lemma squared_nonneg s a : 0 <= a -> 0 <= squared s a.
Proof. induction s as [|s IH]; intros H; cbn; [exact H|]. specialize (IH H). nra. Qed.
Lemma squared_mult s a b : squared s (a * b) == squared s a * squared s b.
Proof. induction s as [|s IH]; cbn; [reflexivity|]. rewrite IH. ring. Qed.
Lemma squared_le s a b : 0 <= a -> a <= b -> squared s a <= squared s b.
Proof.
  intros A H. induction s as [|s IH]; cbn; [exact H|]. pose proof (squared_nonneg s a A). nra.
Qed.
Lemma squared_zero s : squared s 0 == 0.
Proof. induction s as [|s IH]; cbn; [reflexivity|]. rewrite IH. ring. Qed.

(* ---- forms of matrices, at d vectors together ---- *)

Section Forms.
Variables (n d : nat).
Definition gram w (N : nat -> nat -> Q) i j : Q := sum w (fun l => N i l * N j l).
Definition trace (G : nat -> nat -> Q) : Q := sum n (fun i => G i i).
Definition norm w (X : nat -> nat -> Q) : Q := sum d (fun k => sum w (fun i => X i k * X i k)).
Definition form (G X : nat -> nat -> Q) : Q := sum d (fun k => sum n (fun i => X i k * sum n (fun j => G i j * X j k))).
Definition image (N X : nat -> nat -> Q) l k : Q := sum n (fun i => X i k * N i l).

Lemma form_gram w N X : form (gram w N) X == norm w (image N X).
Proof.
  apply sum_ext. intros k _. unfold image, gram.
  rewrite (sum_ext n _ (fun i => sum w (fun l => sum n (fun j => N j l * X j k) * (X i k * N i l)))).
  - rewrite sum_swap. apply sum_ext. intros l _. rewrite sum_scale. apply Qmult_comp; [|reflexivity].
    apply sum_ext. intros; ring.
  - intros i _. rewrite (sum_ext n _ (fun j => sum w (fun l => N i l * N j l * X j k))).
    + rewrite sum_swap, <- sum_scale. apply sum_ext. intros l _.
      rewrite (sum_ext n _ (fun j => N i l * (N j l * X j k))) by (intros; ring). rewrite sum_scale. ring.
    + intros j _. rewrite (Qmult_comm (sum w _)), <- sum_scale. apply sum_ext. intros; ring.
Qed.
Lemma norm_nonneg w X : 0 <= norm w X.
Proof. apply sum_nonneg. intros k _. apply sum_nonneg. intros i _. apply square_nonneg. Qed.

Lemma form_trace w N X : form (gram w N) X <= trace (gram w N) * norm n X.
Proof.
  rewrite form_gram. unfold norm. rewrite <- sum_scale. apply sum_le. intros k _.
  apply Qle_trans with (sum w (fun l => sum n (fun i => X i k * X i k) * sum n (fun i => N i l * N i l))).
  - apply sum_le. intros l _. apply cauchy_sum.
  - rewrite sum_scale, Qmult_comm. apply Qle_lteq. right. apply Qmult_comp; [|reflexivity]. unfold trace, gram.
    apply sum_swap.
Qed.
Lemma form_square G X : (forall i j, G i j == G j i) -> form G X * form G X <= norm n X * form (gram n G) X.
Proof.
  intros Sy. rewrite form_gram. eapply Qle_trans; [apply cauchy_sums|]. apply Qle_lteq. right.
  apply Qmult_comp; [reflexivity|]. apply sum_ext. intros k _. apply sum_ext. intros i _.
  assert (sum n (fun j => G i j * X j k) == image G X i k) as E; [|rewrite E; reflexivity].
  apply sum_ext. intros j _. rewrite (Sy i j). ring.
Qed.

(* the power 2^s of M M^T *)
Variables (m : nat) (M : nat -> nat -> Q).
Fixpoint power (s : nat) : nat -> nat -> Q := match s with O => gram m M | S s' => gram n (power s') end.
Lemma power_symmetric s i j : power s i j == power s j i.
Proof. destruct s; cbn [power]; apply sum_ext; intros; ring. Qed.
Lemma power_form_nonneg s X : 0 <= form (power s) X.
Proof. destruct s; cbn [power]; rewrite form_gram; apply norm_nonneg. Qed.
Lemma power_trace s X : form (power s) X <= trace (power s) * norm n X.
Proof. destruct s; cbn [power]; apply form_trace. Qed.

Lemma powers_of_form s X : 0 < norm n X ->
  norm n X * squared s (form (power 0) X) <= squared s (norm n X) * form (power s) X.
Proof.
  intros P. induction s as [|s IH]; cbn [squared]; [lra|].
  pose proof (form_square (power s) X (power_symmetric s)) as C. change (gram n (power s)) with (power (S s)) in C.
  pose proof (power_form_nonneg s X) as F0. pose proof (squared_nonneg s _ (power_form_nonneg 0 X)) as S0.
  pose proof (squared_nonneg s _ (Qlt_le_weak _ _ P)) as N0.
  set (c := norm n X) in *. set (a := squared s (form (power 0) X)) in *. set (b := squared s c) in *.
  set (f := form (power s) X) in *. set (g := form (power (S s)) X) in *.
  apply (Qmult_le_l _ _ c P). apply Qle_trans with (c * a * (c * a)); [apply Qle_lteq; right; ring|].
  apply Qle_trans with (b * f * (b * f)).
  - apply Qmult_le_compat_nonneg; split; try exact IH; apply Qmult_le_0_compat; lra.
  - setoid_replace (b * f * (b * f)) with (b * b * (f * f)) by ring.
    setoid_replace (c * (b * b * g)) with (b * b * (c * g)) by ring.
    apply scaled_le; [apply square_nonneg|exact C].
Qed.

(* the form of M at vectors X and Y is at most the norm of M, whose power 2 p is at most a trace *)
Theorem trace_bound s X Y : let T := sum d (fun k => sum m (fun j => Y j k * image M X j k)) in
  squared s (T * T) <= trace (power s) * (squared s (norm m Y) * squared s (norm n X)).
Proof.
  intros T. assert (T * T <= norm m Y * form (power 0) X) as H.
  { cbn [power]. rewrite form_gram. apply cauchy_sums. }
  destruct (Qlt_le_dec 0 (norm n X)) as [P|P].
  - apply (Qmult_le_l _ _ (norm n X) P).
    pose proof (squared_le s _ _ (square_nonneg T) H) as H'. rewrite (squared_mult s (norm m Y)) in H'.
    pose proof (powers_of_form s X P) as F. pose proof (power_trace s X) as R.
    pose proof (squared_nonneg s _ (norm_nonneg m Y)) as Y0. pose proof (squared_nonneg s _ (norm_nonneg n X)) as X0.
    set (c := norm n X) in *. set (y := squared s (norm m Y)) in *. set (x := squared s c) in *.
    set (q := squared s (form (power 0) X)) in *. set (f := form (power s) X) in *. set (t := squared s (T * T)) in *.
    apply Qle_trans with (c * (y * q)); [apply Qmult_le_l; assumption|].
    apply Qle_trans with (y * (x * f)).
    + setoid_replace (c * (y * q)) with (y * (c * q)) by ring. apply scaled_le; assumption.
    + setoid_replace (c * (trace (power s) * (y * x))) with (y * x * (trace (power s) * c)) by ring.
      setoid_replace (y * (x * f)) with (y * x * f) by ring. apply scaled_le; [|exact R].
      apply Qmult_le_0_compat; assumption.
  - pose proof (norm_nonneg n X) as N0. assert (norm n X == 0) as Z by lra. pose proof (power_trace 0 X) as R.
    rewrite Z, Qmult_0_r in R. pose proof (power_form_nonneg 0 X). assert (form (power 0) X == 0) as Fz by lra.
    rewrite Fz, Qmult_0_r in H. assert (T * T == 0) as Tz by (pose proof (square_nonneg T); lra).
    rewrite (squared_ext s _ _ Tz), (squared_ext s _ _ Z), squared_zero. lra.
Qed.

(* ---- vectors with the signs of M: U near isotropic position, none longer than 1 ---- *)

Variables (U V : nat -> nat -> Q) (a b : Q).
Let product i j := sum d (fun k => U i k * V j k).
Hypothesis signs : forall i j, (i < n)%nat -> (j < m)%nat -> M i j * M i j == 1 /\ 0 <= M i j * product i j.
Hypothesis short_U : forall i, (i < n)%nat -> sum d (fun k => U i k * U i k) <= 1.
Hypothesis short_V : forall j, (j < m)%nat -> sum d (fun k => V j k * V j k) <= 1.
Hypothesis spread : forall v, a * sum d (fun k => v k * v k)
  <= sum n (fun i => sum d (fun k => U i k * v k) * sum d (fun k => U i k * v k)).
Hypothesis long_V : b <= norm m V.
Hypothesis a_pos : 0 <= a.
Hypothesis b_pos : 0 <= b.

Lemma sum_ones w : sum w (fun _ => 1) == inject_Z (Z.of_nat w).
Proof.
  induction w as [|w IH]; [reflexivity|]. cbn [sum]. rewrite IH, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus.
  reflexivity.
Qed.
Lemma norm_short w (X : nat -> nat -> Q) : (forall i, (i < w)%nat -> sum d (fun k => X i k * X i k) <= 1) ->
  norm w X <= inject_Z (Z.of_nat w).
Proof. intros H. unfold norm. rewrite sum_swap, <- sum_ones. apply sum_le. exact H. Qed.

Lemma signs_gain : a * b <= sum d (fun k => sum m (fun j => V j k * image M U j k)).
Proof.
  apply Qle_trans with (a * norm m V); [apply scaled_le; assumption|].
  apply Qle_trans with (sum m (fun j => sum n (fun i => M i j * product i j))).
  - unfold norm. rewrite sum_swap, <- sum_scale. apply sum_le. intros j Hj. eapply Qle_trans; [apply spread|].
    apply sum_le. intros i Hi. fold (product i j). destruct (signs i j Hi Hj) as [One Pos].
    pose proof (cauchy_sum d (U i) (V j)) as C. fold (product i j) in C.
    pose proof (short_U i Hi) as A. pose proof (short_V j Hj) as B.
    assert (0 <= sum d (fun k => V j k * V j k)) as B0 by (apply sum_nonneg; intros; apply square_nonneg).
    set (x := sum d (fun k => U i k * U i k)) in *. set (y := sum d (fun k => V j k * V j k)) in *.
    set (q := product i j) in *. set (r := M i j * q) in *.
    assert (r * r == q * q) as R.
    { unfold r. setoid_replace (M i j * q * (M i j * q)) with (M i j * M i j * (q * q)) by ring. rewrite One. ring. }
    assert (x * y <= 1) by nra. assert (r <= 1) by nra. nra.
  - apply Qle_lteq. right.
    transitivity (sum n (fun i => sum m (fun j => sum d (fun k => V j k * U i k * M i j)))).
    + rewrite sum_swap. apply sum_ext. intros i _. apply sum_ext. intros j _. unfold product. rewrite <- sum_scale.
      apply sum_ext. intros; ring.
    + symmetry. transitivity (sum d (fun k => sum n (fun i => sum m (fun j => V j k * U i k * M i j)))).
      * apply sum_ext. intros k _. rewrite (sum_swap n m). apply sum_ext. intros j _. unfold image.
        rewrite <- sum_scale. apply sum_ext. intros; ring.
      * rewrite (sum_swap d n). apply sum_ext. intros i _. apply sum_swap.
Qed.

(* with a = n / d and b = m, which unit vectors in isotropic position have: d^2p trace >= (n m)^p, where p = 2^s *)
Theorem forster_step s : squared s (a * b * (a * b))
  <= trace (power s) * (squared s (inject_Z (Z.of_nat m)) * squared s (inject_Z (Z.of_nat n))).
Proof.
  pose proof (trace_bound s U V) as B. cbv zeta in B. pose proof signs_gain as G.
  set (T := sum d _) in *. pose proof (Qmult_le_0_compat a b a_pos b_pos) as AB.
  eapply Qle_trans; [apply squared_le with (b := T * T); [apply square_nonneg|nra]|]. eapply Qle_trans; [exact B|].
  assert (0 <= trace (power s)) as Tr.
  { apply sum_nonneg. intros i _. destruct s; apply sum_nonneg; intros; apply square_nonneg. }
  apply scaled_le; [exact Tr|].
  pose proof (squared_le s _ _ (norm_nonneg m V) (norm_short m V short_V)) as H1.
  pose proof (squared_le s _ _ (norm_nonneg n U) (norm_short n U short_U)) as H2.
  pose proof (squared_nonneg s _ (norm_nonneg m V)). pose proof (squared_nonneg s _ (norm_nonneg n U)). nra.
Qed.
End Forms.
