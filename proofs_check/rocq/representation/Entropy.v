(* Sets of hypotheses against mistake trees: k hypotheses that err at most e on the average over the paths
   of a complete tree of depth d are at least 2^((1 - H(e)) d) many ([fx] Corollary 4.3).  The proof needs no
   logarithm: a power is at least its tangent, on the average over paths that are drawn q times. *)
From Coq Require Import List ZArith NArith Arith QArith Qpower Qreduction Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Representations Failures Covering Separation.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- powers, and their tangents ---- *)

Fixpoint pow (s : Q) (n : nat) : Q := match n with O => 1 | S k => s * pow s k end.

Lemma pow_nonneg s n : 0 <= s -> 0 <= pow s n.
Proof. intros H. induction n as [|n IH]; cbn [pow]; [lra|nra]. Qed.
Lemma pow_add s a b : pow s (a + b) == pow s a * pow s b.
Proof. induction a as [|a IH]; cbn [pow Nat.add]; [ring|]. rewrite IH. ring. Qed.
Lemma pow_mul s a b : pow s (a * b) == pow (pow s a) b.
Proof.
  induction b as [|b IH]; cbn [pow]; [rewrite Nat.mul_0_r; reflexivity|].
  rewrite Nat.mul_succ_r, Nat.add_comm, pow_add, IH. ring.
Qed.
Lemma pow_prod s t n : pow (s * t) n == pow s n * pow t n.
Proof. induction n as [|n IH]; cbn [pow]; [ring|]. rewrite IH. ring. Qed.
Lemma pow_comp s t n : s == t -> pow s n == pow t n.
Proof. intros E. induction n as [|n IH]; cbn [pow]; [reflexivity|]. rewrite IH, E. reflexivity. Qed.
Lemma pow_one n : pow 1 n == 1.
Proof. induction n as [|n IH]; cbn [pow]; [reflexivity|]. rewrite IH. ring. Qed.
Lemma pow_le s t n : 0 <= s -> s <= t -> pow s n <= pow t n.
Proof.
  intros P L. induction n as [|n IH]; cbn [pow]; [lra|]. pose proof (pow_nonneg s n P). nra.
Qed.
Lemma pow_inject z n : pow (inject_Z z) n == inject_Z (z ^ Z.of_nat n).
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [pow]. rewrite IH, Nat2Z.inj_succ, Z.pow_succ_r by lia.
  rewrite inject_Z_mult. reflexivity.
Qed.

Definition count (n : nat) : Q := inject_Z (Z.of_nat n).
Lemma count_S n : count (S n) == count n + 1.
Proof. unfold count. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. reflexivity. Qed.
Lemma count_add a b : count (a + b) == count a + count b.
Proof. unfold count. rewrite Nat2Z.inj_add, inject_Z_plus. reflexivity. Qed.
Lemma count_nonneg n : 0 <= count n.
Proof. unfold count. change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia. Qed.
Lemma count_le a b : (a <= b)%nat -> count a <= count b.
Proof. intros H. unfold count. rewrite <- Zle_Qle. lia. Qed.

Section Tangent.
Variable s : Q.
Hypothesis s_nonneg : 0 <= s.
Hypothesis s_le : s <= 1.

Lemma bernoulli k : 1 + count k * (s - 1) <= pow s k.
Proof.
  induction k as [|k IH]; [cbn [pow]; change (count 0) with 0; lra|]. cbn [pow]. rewrite count_S.
  pose proof (count_nonneg k) as C.
  assert (0 <= (s - 1) * (s - 1)) as S2 by nra.
  pose proof (Qmult_le_0_compat _ _ C S2) as C2.
  pose proof (Qmult_le_compat_r _ _ s IH s_nonneg) as M. lra.
Qed.
Lemma bernoulli_back k : pow s k * (1 + count k * (1 - s)) <= 1.
Proof.
  induction k as [|k IH]; [cbn [pow]; change (count 0) with 0; lra|]. cbn [pow]. rewrite count_S.
  pose proof (count_nonneg k) as C. pose proof (pow_nonneg s k s_nonneg) as P.
  assert (0 <= (1 - s) * (1 - s)) as S2 by nra.
  assert (0 <= (count k + 1) * ((1 - s) * (1 - s))) as C2 by (apply Qmult_le_0_compat; lra).
  assert (s * (1 + (count k + 1) * (1 - s)) <= 1 + count k * (1 - s)) as L by lra.
  pose proof (Qmult_le_compat_r _ _ (pow s k) L P) as M. lra.
Qed.

Lemma tangent a n : pow s n * (1 + (count a - count n) * (s - 1)) <= pow s a.
Proof.
  destruct (Nat.le_ge_cases n a) as [L|L].
  - replace a with (n + (a - n))%nat by lia. rewrite pow_add, count_add.
    pose proof (Qmult_le_compat_r _ _ (pow s n) (bernoulli (a - n)) (pow_nonneg s n s_nonneg)). lra.
  - replace n with (a + (n - a))%nat by lia. rewrite pow_add, count_add.
    pose proof (Qmult_le_compat_r _ _ (pow s a) (bernoulli_back (n - a)) (pow_nonneg s a s_nonneg)). lra.
Qed.
End Tangent.

(* ---- sums over lists, drawn several times ---- *)

Fixpoint qsum {A} (f : A -> Q) (l : list A) : Q := match l with [] => 0 | a :: l' => f a + qsum f l' end.

Lemma qsum_ext {A} (f g : A -> Q) l : (forall a, In a l -> f a == g a) -> qsum f l == qsum g l.
Proof.
  induction l as [|a l IH]; intros E; cbn [qsum]; [reflexivity|].
  rewrite (E a (or_introl eq_refl)), IH; [reflexivity|]. intros b Hb. apply E. right. exact Hb.
Qed.
Lemma qsum_le {A} (f g : A -> Q) l : (forall a, In a l -> f a <= g a) -> qsum f l <= qsum g l.
Proof.
  induction l as [|a l IH]; intros E; cbn [qsum]; [lra|].
  pose proof (E a (or_introl eq_refl)). specialize (IH (fun b Hb => E b (or_intror Hb))). lra.
Qed.
Lemma qsum_plus {A} (f g : A -> Q) l : qsum (fun a => f a + g a) l == qsum f l + qsum g l.
Proof. induction l as [|a l IH]; cbn [qsum]; [ring|]. rewrite IH. ring. Qed.
Lemma qsum_scale {A} c (f : A -> Q) l : qsum (fun a => c * f a) l == c * qsum f l.
Proof. induction l as [|a l IH]; cbn [qsum]; [ring|]. rewrite IH. ring. Qed.
Lemma qsum_const {A} c (l : list A) : qsum (fun _ => c) l == count (length l) * c.
Proof. induction l as [|a l IH]; cbn [qsum length]; [change (count 0) with 0; ring|]. rewrite IH, count_S. ring. Qed.
Lemma qsum_sum {A} k (g : nat -> A -> Q) l :
  qsum (fun b => sum k (fun i => g i b)) l == sum k (fun i => qsum (g i) l).
Proof.
  induction l as [|b l IH]; cbn [qsum]; [rewrite sum_zero; reflexivity|]. rewrite IH, <- sum_plus. reflexivity.
Qed.
Lemma qsum_swap {A B} (g : A -> B -> Q) l m :
  qsum (fun a => qsum (g a) m) l == qsum (fun b => qsum (fun a => g a b) l) m.
Proof.
  induction l as [|a l IH]; cbn [qsum].
  - rewrite qsum_const. ring.
  - rewrite IH, <- qsum_plus. reflexivity.
Qed.

Section Draws.
Context {A : Type} (l : list A) (m : A -> nat) (s : Q).
Fixpoint draws (j : nat) (g : nat -> Q) (c : nat) : Q :=
  match j with O => g c | S j => qsum (fun a => draws j g (c + m a)) l end.

Lemma draws_le g h : (forall a, g a <= h a) -> forall j c, draws j g c <= draws j h c.
Proof. intros L. induction j as [|j IH]; intros c; cbn [draws]; [apply L|]. apply qsum_le. intros a _. apply IH. Qed.

Lemma draws_pow j : forall c, draws j (pow s) c == pow s c * pow (qsum (fun a => pow s (m a)) l) j.
Proof.
  induction j as [|j IH]; intros c; cbn [draws pow]; [ring|].
  rewrite (qsum_ext _ (fun a => (pow s c * pow (qsum (fun a => pow s (m a)) l) j) * pow s (m a))).
  - rewrite qsum_scale. ring.
  - intros a _. rewrite IH, pow_add. ring.
Qed.

Lemma draws_affine u v j : forall c, draws j (fun a => u + v * count a) c * count (length l)
  == pow (count (length l)) j * (count (length l) * (u + v * count c) + v * count j * qsum (fun a => count (m a)) l).
Proof.
  induction j as [|j IH]; intros c; cbn [draws pow]; [change (count 0) with 0; ring|].
  rewrite Qmult_comm, <- qsum_scale.
  rewrite (qsum_ext _ (fun a => (pow (count (length l)) j * (count (length l) * (u + v * count c) + v * count j *
      qsum (fun a => count (m a)) l))
    + (pow (count (length l)) j * count (length l) * v) * count (m a))).
  - rewrite qsum_plus, qsum_const, qsum_scale, count_S. ring.
  - intros a _. rewrite Qmult_comm, IH, count_add. ring.
Qed.

(* the power of the average lies above its tangent *)
Theorem average_power q n : 0 <= s -> s <= 1 -> l <> [] ->
  count q * qsum (fun a => count (m a)) l <= count n * count (length l) ->
  pow (count (length l)) q * pow s n <= pow (qsum (fun a => pow s (m a)) l) q.
Proof.
  intros P L Ne H. assert (0 < count (length l)) as N.
  { destruct l; [congruence|]. cbn [length]. rewrite count_S. pose proof (count_nonneg (length l0)). lra. }
  pose proof (draws_pow q 0) as Dp. cbn [pow] in Dp.
  set (u := pow s n * (1 - count n * (s - 1))). set (v := pow s n * (s - 1)).
  pose proof (draws_affine u v q 0) as Da. set (X := draws q (fun a => u + v * count a) 0) in Da.
  assert (X <= draws q (pow s) 0) as Le.
  { apply draws_le. intros a. pose proof (tangent s P L a n). unfold u, v. lra. }
  rewrite Dp in Le. set (E := pow (qsum _ l) q) in *. clearbody X. apply (Qmult_le_r _ _ (count (length l)) N).
  apply Qle_trans with (X * count (length l)); [|apply Qmult_le_compat_r; lra].
  rewrite Da. unfold u, v. set (W := pow (count (length l)) q). assert (0 <= W) as Pw by (apply pow_nonneg; lra).
  pose proof (pow_nonneg s n P) as Ps. change (count 0) with 0. set (M := qsum _ l) in *.
  assert (W * (count (length l) * (pow s n * (1 - count n * (s - 1)) + pow s n * (s - 1) * 0)
      + pow s n * (s - 1) * count q * M)
    == W * pow s n * count (length l) + (W * pow s n) * ((1 - s) * (count n * count (length l) - count q * M))) as ->
    by ring.
  assert (0 <= W * pow s n) by nra. assert (0 <= (1 - s) * (count n * count (length l) - count q * M)) by nra. nra.
Qed.
End Draws.

(* ---- paths of a tree, and how often a hypothesis errs on them ---- *)

Fixpoint errors (h : concept) (t : tree) (path : list bool) : nat :=
  match t, path with
  | Node x l r, b :: p => (if xorb (h x) b then 1 else 0) + errors h (if b then r else l) p
  | _, _ => 0
  end%nat.
Fixpoint visits (t : tree) (path : list bool) (z : nat) : Q :=
  match t, path with
  | Node x l r, b :: p => chance (z =? x)%nat + visits (if b then r else l) p z
  | _, _ => 0
  end.

Lemma complete_child n x l r d (b : bool) : complete n (Node x l r) (S d) -> complete n (if b then r else l) d.
Proof. cbn [complete]. intros [_ [L R]]. destruct b; assumption. Qed.

Lemma errors_le n h : forall d t p, complete n t d -> (errors h t p <= d)%nat.
Proof.
  induction d as [|d IH]; intros [|x l r] p C; cbn [errors]; try lia; try (exfalso; exact C).
  destruct p as [|b p]; [lia|]. specialize (IH _ p (complete_child _ _ _ _ _ b C)).
  destruct (xorb (h x) b); lia.
Qed.

Lemma path_sum n h s : forall d t, complete n t d ->
  qsum (fun p => pow s (errors h t p)) (all_rows d) == pow (1 + s) d.
Proof.
  induction d as [|d IH]; intros t C.
  - destruct t as [|x l r]; [|destruct C]. cbn. ring.
  - destruct t as [|x l r]; [destruct C|]. cbn [all_rows pow].
    pose proof (IH _ (complete_child _ _ _ _ _ false C)) as F. pose proof (IH _ (complete_child _ _ _ _ _ true C)) as T.
    cbn iota in F, T. set (g := fun p => pow s (errors h (Node x l r) p)).
    assert (forall rows, qsum g (flat_map (fun r => [false :: r; true :: r]) rows)
      == qsum (fun p => g (false :: p) + g (true :: p)) rows) as ->.
    { induction rows as [|p rows E]; cbn [flat_map app qsum]; [reflexivity|]. rewrite E. ring. }
    rewrite qsum_plus. unfold g. cbn [errors]. destruct (h x); cbn [xorb].
    + rewrite (qsum_ext _ (fun p => s * pow s (errors h l p))) by (intros p _; reflexivity).
      rewrite qsum_scale, F. cbn [Nat.add]. rewrite T. ring.
    + rewrite (qsum_ext (fun a => pow s (1 + errors h r a)) (fun p => s * pow s (errors h r p))) by (intros p _;
        reflexivity).
      rewrite qsum_scale, T. cbn [Nat.add]. rewrite F. ring.
Qed.

Lemma visits_nonneg z : forall t p, 0 <= visits t p z.
Proof.
  induction t as [|x l L r R]; intros [|b p]; cbn [visits]; try lra.
  assert (0 <= visits (if b then r else l) p z) by (destruct b; auto).
  destruct (z =? x)%nat; unfold chance; lra.
Qed.

Lemma visits_sum n : forall d t p, complete n t d -> length p = d -> sum n (visits t p) == count d.
Proof.
  induction d as [|d IH]; intros [|x l r] [|b p] C L; try discriminate; try (exfalso; exact C).
  - cbn [visits]. rewrite sum_zero. reflexivity.
  - injection L as L. cbn [visits]. rewrite sum_plus, (IH _ p (complete_child _ _ _ _ _ b C) L), count_S.
    destruct C as [Hx _]. rewrite (sum_ext n _ (fun z => chance (z =? x)%nat * 1)) by (intros; ring).
    rewrite (sum_single n x (fun _ => 1) Hx). ring.
Qed.

Lemma visits_errors n h f : forall d t p, complete n t d -> length p = d -> follows f t p ->
  sum n (fun z => visits t p z * chance (xorb (h z) (f z))) == count (errors h t p).
Proof.
  induction d as [|d IH]; intros [|x l r] [|b p] C L F; try discriminate; try (exfalso; exact C).
  - cbn [visits errors]. rewrite (sum_ext n _ (fun _ => 0)) by (intros; ring). rewrite sum_zero. reflexivity.
  - injection L as L. cbn [visits errors follows] in *. destruct F as [Fx F].
    rewrite (sum_ext n _ (fun z => chance (z =? x)%nat * chance (xorb (h z) (f z))
      + visits (if b then r else l) p z * chance (xorb (h z) (f z)))) by (intros; ring).
    rewrite sum_plus, (IH _ p (complete_child _ _ _ _ _ b C) L F), count_add. destruct C as [Hx _].
    rewrite (sum_single n x (fun z => chance (xorb (h z) (f z))) Hx), Fx.
    destruct (xorb (h x) b); unfold chance, count at 2; cbn; ring.
Qed.

(* ---- the best hypothesis of a set on a path ---- *)

Definition best (d : nat) (t : tree) (H : list concept) (p : list bool) : nat :=
  fold_right (fun h m => Nat.min (errors h t p) m) d H.

Lemma best_le d t H p : (best d t H p <= d)%nat.
Proof. unfold best. induction H as [|h H IH]; cbn [fold_right]; lia. Qed.
Lemma best_each d t H p h : In h H -> (best d t H p <= errors h t p)%nat.
Proof.
  unfold best. induction H as [|g H IH]; cbn [fold_right]; intros I; [destruct I|].
  destruct I as [->|I]; [lia|]. specialize (IH I). lia.
Qed.
Lemma best_some n d t H p : complete n t d -> H <> [] -> exists h, In h H /\ best d t H p = errors h t p.
Proof.
  intros C. induction H as [|h H IH]; intros Ne; [congruence|]. cbn [best fold_right]. fold (best d t H p).
  pose proof (errors_le n h d t p C). destruct H as [|g H].
  - exists h. split; [left; reflexivity|]. cbn. lia.
  - destruct IH as [k [Hk E]]; [discriminate|]. destruct (Nat.le_ge_cases (errors h t p) (best d t (g :: H) p)).
    + exists h. split; [left; reflexivity|lia].
    + exists k. split; [right; exact Hk|]. rewrite <- E. lia.
Qed.

Lemma qsum_one {A} (f : A -> Q) l a : (forall b, 0 <= f b) -> In a l -> f a <= qsum f l.
Proof.
  intros N. induction l as [|b l IH]; cbn [qsum]; intros I; [destruct I|].
  assert (0 <= qsum f l). { clear - N. induction l as [|b l IH]; cbn [qsum]; [lra|]. specialize (N b). lra. }
  destruct I as [->|I]; [lra|]. specialize (IH I). specialize (N b). lra.
Qed.

Section Bound.
Variables (n d : nat) (C pool : class) (e failure : Q) (k : nat).
Hypothesis d_pos : (0 < d)%nat.
Hypothesis e_range : 0 <= e <= 1.
Hypothesis deep : mistakes n C d.
Hypothesis drawn : represented_randomly n C pool e k failure.
Let average := e + (1 - e) * failure.

Theorem some_set : exists H t, H <> [] /\ (length H <= k)%nat /\ complete n t d /\
  qsum (fun p => count (best d t H p)) (all_rows d) <= count d * average * count (length (all_rows d)).
Proof.
  destruct deep as [t [Ct Ft]]. destruct drawn as [c [p [H [Lp [Hs R]]]]].
  assert (0 < count d) as Pd.
  { pose proof (count_le 1 d d_pos) as X. change (count 1) with 1 in X. lra. }
  destruct (some_le_mean c p (fun i => qsum (fun b => count (best d t (H i) b)) (all_rows d))
    (count d * average * count (length (all_rows d))) Lp) as [i [Hi B]].
  - rewrite (sum_ext c _ (fun i => qsum (fun b => p i * count (best d t (H i) b)) (all_rows d)))
      by (intros i _; symmetry; apply qsum_scale).
    rewrite <- qsum_sum, Qmult_comm, <- qsum_const. apply qsum_le. intros b Hb.
    assert (length b = d) as Lb.
    { clear - Hb. revert b Hb. induction d as [|j IH]; intros b Hb; cbn [all_rows] in Hb; [destruct Hb as [<-|[]];
        reflexivity|].
      apply in_flat_map in Hb as [r [Hr Hb]]. specialize (IH r Hr). destruct Hb as [<-|[<-|[]]]; simpl; lia. }
    destruct (Ft b Lb) as [f [Cf Ff]]. set (D := fun z => (1 / count d) * visits t b z).
    assert (law n D) as LD.
    { split.
      - intros z _. unfold D. pose proof (visits_nonneg z t b).
        assert (0 <= 1 / count d) by (apply Qle_shift_div_l; lra). nra.
      - unfold D. rewrite sum_scale, (visits_sum n d t b Ct Lb). field. lra. }
    assert (forall h, disagreement n D h f * count d == count (errors h t b)) as Dis.
    { intros h. rewrite <- (visits_errors n h f d t b Ct Lb Ff). unfold disagreement.
      rewrite Qmult_comm, <- sum_scale. apply sum_ext. intros z _. unfold D. field. lra. }
    specialize (R f D Cf LD).
    apply Qle_trans with (sum c (fun i => p i * (count d * (e + (1 - e) * chance (fails n D f e (H i)))))).
    + apply sum_le. intros i Hi. destruct Lp as [Np _]. specialize (Np i Hi).
      assert (count (best d t (H i) b) <= count d * (e + (1 - e) * chance (fails n D f e (H i)))); [|nra].
      destruct (fails n D f e (H i)) eqn:F; unfold chance.
      * pose proof (count_le _ _ (best_le d t (H i) b)). nra.
      * apply fails_false in F as [h [Hh Lh]]. pose proof (count_le _ _ (best_each d t (H i) b h Hh)) as X.
        rewrite <- (Dis h) in X. nra.
    + rewrite (sum_ext c _ (fun i => count d * e * p i + count d * (1 - e) * (p i * chance (fails n D f e (H i)))))
        by (intros; ring).
      rewrite sum_plus, !sum_scale. destruct Lp as [_ ->]. unfold average.
      set (X := sum c _) in *. assert (0 <= count d * (1 - e)) by nra. nra.
  - destruct (Hs i Hi) as [Ne [L _]]. exists (H i), t. auto.
Qed.

Variables p r : nat.
Hypothesis r_pos : (0 < r)%nat.
Hypothesis p_le : (p <= r)%nat.
Hypothesis fraction : average * count (p + r) <= count p.

Theorem entropy_bound : exists size, (1 <= size <= k)%nat /\
  ((2 ^ Z.of_nat (p + r) * Z.of_nat p ^ Z.of_nat p * Z.of_nat r ^ Z.of_nat r) ^ Z.of_nat d
   <= Z.of_nat size ^ Z.of_nat (p + r) * Z.of_nat (p + r) ^ (Z.of_nat (p + r) * Z.of_nat d))%Z.
Proof.
  destruct some_set as [H [t [Ne [Lk [Ct B]]]]]. exists (length H).
  split; [destruct H; [congruence|simpl in *; lia]|].
  set (q := (p + r)%nat) in *. set (s := count p / count r). 
  assert (0 < count r) as Pr.
  { pose proof (count_le 1 r r_pos) as X. change (count 1) with 1 in X. lra. }
  assert (0 <= s) as Ps by (apply Qle_shift_div_l; [exact Pr|pose proof (count_nonneg p); lra]).
  assert (s <= 1) as Ls by (apply Qle_shift_div_r; [exact Pr|pose proof (count_le p r p_le); lra]).
  assert (all_rows d <> []) as Nr.
  { intros E. pose proof (all_rows_length d) as L. rewrite E in L. cbn in L. lia. }
  pose proof (average_power (all_rows d) (best d t H) s q (p * d) Ps Ls Nr) as A.
  assert (0 <= count (length (all_rows d))) as Pl by apply count_nonneg.
  assert (count (p * d) == count p * count d) as Cpd.
  { unfold count. rewrite Nat2Z.inj_mul, inject_Z_mult. reflexivity. }
  assert (count q * qsum (fun a => count (best d t H a)) (all_rows d) <= count (p * d) * count (length (all_rows
      d))) as Hq.
  { rewrite Cpd. pose proof (count_nonneg q) as Pq. pose proof (count_nonneg d) as Pd.
    apply Qle_trans with (count q * (count d * average * count (length (all_rows d)))).
    - rewrite (Qmult_comm (count q)), (Qmult_comm (count q)). apply Qmult_le_compat_r; assumption.
    - assert (count q * (count d * average * count (length (all_rows d)))
        == (average * count q) * (count d * count (length (all_rows d)))) as -> by ring.
      assert (count p * count d * count (length (all_rows d)) == count p * (count d * count (length (all_rows d))))
          as -> by ring.
      apply Qmult_le_compat_r; [exact fraction|nra]. }
  specialize (A Hq).
  assert (qsum (fun a => pow s (best d t H a)) (all_rows d) <= count (length H) * pow (1 + s) d) as U.
  { rewrite <- (qsum_const (pow (1 + s) d) H).
    rewrite (qsum_ext (fun _ => pow (1 + s) d) (fun h => qsum (fun b => pow s (errors h t b)) (all_rows d)))
      by (intros h _; symmetry; apply (path_sum n); exact Ct).
    rewrite qsum_swap. apply qsum_le. intros b _. destruct (best_some n d t H b Ct Ne) as [h [Hh ->]].
    apply (qsum_one (fun h => pow s (errors h t b))); [intros g; apply pow_nonneg, Ps|exact Hh]. }
  assert (0 <= qsum (fun a => pow s (best d t H a)) (all_rows d)) as P0.
  { apply Qle_trans with (qsum (fun _ => 0) (all_rows d)); [rewrite qsum_const; lra|].
    apply qsum_le. intros b _. apply pow_nonneg, Ps. }
  pose proof (pow_le _ _ q P0 U) as V. pose proof (Qle_trans _ _ _ A V) as W. clear A V U P0 Hq.
  assert (count (length (all_rows d)) == pow 2 d) as N2.
  { unfold count. rewrite all_rows_length. change 2 with (inject_Z 2). rewrite pow_inject. reflexivity. }
  rewrite (pow_comp _ _ q N2), pow_prod, <- !pow_mul in W.
  (* times r^(d q) *)
  assert (0 < pow (count r) (d * q)) as Pw.
  { clear - Pr. induction (d * q)%nat as [|j IH]; cbn [pow]; [lra|nra]. }
  apply (Qmult_le_r _ _ _ Pw) in W.
  assert (pow (1 + s) (d * q) * pow (count r) (d * q) == pow (count q) (d * q)) as E1.
  { rewrite <- pow_prod. apply pow_comp. unfold s, q. rewrite count_add. field. lra. }
  assert (pow s (p * d) * pow (count r) (d * q) == pow (count p) (p * d) * pow (count r) (r * d)) as E2.
  { replace (d * q)%nat with (p * d + r * d)%nat by (unfold q; lia). rewrite pow_add, Qmult_assoc, <- pow_prod.
    rewrite (pow_comp (s * count r) (count p)); [reflexivity|]. unfold s. field. lra. }
  rewrite <- Qmult_assoc, E2, <- Qmult_assoc, E1 in W. unfold count in W.
  change 2 with (inject_Z 2) in W. rewrite !pow_inject, <- !inject_Z_mult, <- Zle_Qle in W.
  rewrite !Z.pow_mul_l, <- !Z.pow_mul_r by lia. rewrite !Nat2Z.inj_mul in W.
  rewrite (Z.mul_comm (Z.of_nat q) (Z.of_nat d)). rewrite <- Z.mul_assoc. exact W.
Qed.
End Bound.

Corollary entropy_bound_Z n d C pool e failure k p u : (0 < d)%Z -> (0 <= p)%Z -> (2 * p <= u)%Z -> (0 < u)%Z ->
  0 <= e <= 1 -> mistakes n C (Z.to_nat d) -> represented_randomly n C pool e k failure ->
  (e + (1 - e) * failure) * inject_Z u <= inject_Z p -> exists size, (1 <= size <= k)%nat /\
  ((2 ^ u * p ^ p * (u - p) ^ (u - p)) ^ d <= Z.of_nat size ^ u * u ^ (u * d))%Z.
Proof.
  intros Pd P0 P2 Pu Pe Deep R Fr.
  assert (exists a b c, d = Z.of_nat c /\ p = Z.of_nat a /\ (u - p)%Z = Z.of_nat b) as [a [b [c [-> [-> Eb]]]]].
  { exists (Z.to_nat p), (Z.to_nat (u - p)), (Z.to_nat d). rewrite !Z2Nat.id by lia. auto. }
  rewrite Nat2Z.id in Deep. assert (u = Z.of_nat (a + b)) as -> by lia. rewrite Eb.
  apply (entropy_bound n c C pool e failure k); try assumption; lia.
Qed.
