(* Group privacy, example by example: how the chance of an answer changes with the law of the
   examples, and powers of a factor that are rounded up. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Representations Draws Learners.
Import ListNotations.
Local Open Scope Q_scope.

Fixpoint pow (g : Q) (n : nat) : Q := match n with O => 1 | S k => g * pow g k end.
Lemma pow_add g a : forall b, pow g (a + b) == pow g a * pow g b.
Proof. induction a as [|a IH]; intros b; cbn; [ring|]. rewrite IH. ring. Qed.
Lemma pow_ge_1 g n : 1 <= g -> 1 <= pow g n.
Proof. intros G. induction n as [|n IH]; cbn; [lra|]. nra. Qed.
Lemma pow_le g a b : 1 <= g -> (a <= b)%nat -> pow g a <= pow g b.
Proof.
  intros G. induction 1 as [|b L IH]; [apply Qle_refl|]. cbn. pose proof (pow_ge_1 g b G). nra.
Qed.

(* ---- one example ---- *)

Lemma least_one n (g : nat -> Q) : (0 < n)%nat -> exists i, (i < n)%nat /\ forall j, (j < n)%nat -> g i <= g j.
Proof.
  induction n as [|n IH]; intros H; [lia|]. destruct n as [|n].
  - exists O. split; [lia|]. intros j Hj. replace j with O by lia. apply Qle_refl.
  - destruct IH as [i [Hi L]]; [lia|]. destruct (Qlt_le_dec (g (S n)) (g i)) as [C|C].
    + exists (S n). split; [lia|]. intros j Hj. destruct (Nat.eq_dec j (S n)) as [->|]; [apply Qle_refl|].
      specialize (L j ltac:(lia)). lra.
    + exists i. split; [lia|]. intros j Hj. destruct (Nat.eq_dec j (S n)) as [->|]; [exact C|apply L; lia].
Qed.

Definition overlap m (D E : nat -> Q) (f g : concept) (c : nat -> Q) := forall x, (x < m)%nat ->
  0 <= c x /\ c x <= D x /\ c x <= E x /\ (f x <> g x -> c x == 0).
Lemma overlap_swap m D E f g c : overlap m D E f g c -> overlap m E D g f c.
Proof.
  intros O x Hx. destruct (O x Hx) as [A [B [C H]]]. repeat split; auto.
Qed.

Section One.
Context (m : nat) (D E : nat -> Q) (f g : concept) (c : nat -> Q) (factor : Q).
Hypothesis (LD : law m D) (LE : law m E) (O : overlap m D E f g c) (F : 1 <= factor).
Let t := 1 - sum m c.
Definition growth (t factor : Q) : Q := 1 + t * (factor - 1).

Lemma distance_nonneg : 0 <= t.
Proof.
  unfold t. destruct LD as [_ <-]. assert (sum m c <= sum m D); [|lra].
  apply sum_le. intros x Hx. apply (O x Hx).
Qed.
Lemma growth_ge_1 : 1 <= growth t factor.
Proof. pose proof distance_nonneg. unfold growth. nra. Qed.

Lemma one_example (p : example -> Q) : (forall z, (fst z < m)%nat -> 0 <= p z) ->
  (forall y z, (fst y < m)%nat -> (fst z < m)%nat -> p y <= factor * p z) ->
  sum m (fun x => D x * p (x, f x)) <= growth t factor * sum m (fun x => E x * p (x, g x)).
Proof.
  intros P R. assert (0 < m)%nat as M.
  { destruct (Nat.eq_dec m 0) as [Z|]; [|lia]. destruct LD as [_ H]. rewrite Z in H. cbn in H. lra. }
  assert (exists z0, (fst z0 < m)%nat /\ forall z, (fst z < m)%nat -> p z0 <= p z) as [z0 [M0 L]].
  { destruct (least_one m (fun x => p (x, true)) M) as [i [Hi Li]], (least_one m (fun x => p (x, false)) M) as [j [Hj Lj]].
    destruct (Qlt_le_dec (p (i, true)) (p (j, false))) as [C|C]; [exists (i, true)|exists (j, false)];
      (split; [assumption|]); intros [x b] Hx; cbn in Hx; specialize (Li x Hx); specialize (Lj x Hx); cbn in Li, Lj;
      destruct b; lra. }
  set (low := p z0) in *. pose proof (P z0 M0) as L0. fold low in L0.
  assert (sum m (fun x => D x * p (x, f x)) <= sum m (fun x => c x * p (x, f x)) + factor * low * t) as A.
  { unfold t. destruct LD as [_ <-].
    setoid_replace (factor * low * (sum m D - sum m c)) with (sum m (fun x => factor * low * D x) + sum m (fun x => - (factor * low) * c x))
      by (rewrite !sum_scale; ring).
    rewrite <- !sum_plus. apply sum_le. intros x Hx. destruct (O x Hx) as [C1 [C2 _]].
    pose proof (R (x, f x) z0 Hx M0) as U. fold low in U.
    assert (0 <= (D x - c x) * (factor * low - p (x, f x))) by (apply Qmult_le_0_compat; lra). lra. }
  assert (sum m (fun x => c x * p (x, f x)) + low * t <= sum m (fun x => E x * p (x, g x))) as B.
  { unfold t. destruct LE as [_ <-].
    setoid_replace (low * (sum m E - sum m c)) with (sum m (fun x => low * E x) + sum m (fun x => - low * c x))
      by (rewrite !sum_scale; ring).
    rewrite <- !sum_plus. apply sum_le. intros x Hx. destruct (O x Hx) as [C1 [_ [C2 C3]]].
    pose proof (L (x, g x) Hx) as U.
    assert (c x * p (x, f x) == c x * p (x, g x)) as ->.
    { destruct (Bool.bool_dec (f x) (g x)) as [<-|N]; [reflexivity|]. rewrite (C3 N). ring. }
    assert (0 <= (E x - c x) * (p (x, g x) - low)) by (apply Qmult_le_0_compat; lra). lra. }
  assert (low <= sum m (fun x => E x * p (x, g x))) as G by (apply mean_ge; [exact LE|intros x Hx; apply L, Hx]).
  pose proof distance_nonneg as T. unfold growth. set (X := sum m (fun x => E x * p (x, g x))) in *.
  assert (0 <= t * (factor - 1) * (X - low)) by (repeat apply Qmult_le_0_compat; lra).
  lra.
Qed.

(* ---- all examples ---- *)

Definition steady n (V : list example -> Q) := (forall S, sample m n S -> 0 <= V S) /\
  forall S T, sample m n S -> sample m n T -> one_replaced S T -> V S <= factor * V T.

Lemma sample_cons n z S : (fst z < m)%nat -> sample m n S -> sample m (Datatypes.S n) (z :: S).
Proof. intros Hz [L B]. split; [cbn; lia|]. intros y [<-|Hy]; auto. Qed.
Lemma replaced_cons {X} (z : X) S T : one_replaced S T -> one_replaced (z :: S) (z :: T).
Proof. intros [l [x [y [r [-> ->]]]]]. exists (z :: l), x, y, r. auto. Qed.

Lemma all_examples : forall n V, steady n V ->
  drawn m D n (fun l => V (labelled f l)) <= pow (growth t factor) n * drawn m E n (fun l => V (labelled g l)).
Proof.
  induction n as [|n IH]; intros V [P R].
  - cbn. lra.
  - cbn [drawn labelled map pow]. set (r := growth t factor) in *. pose proof growth_ge_1 as R1. fold r in R1.
    set (p z := drawn m E n (fun l => V (z :: labelled g l))).
    apply (Qle_trans _ (pow r n * sum m (fun x => D x * p (x, f x)))).
    + rewrite <- sum_scale. apply sum_le. intros x Hx. destruct LD as [PD _]. specialize (PD x Hx).
      assert (drawn m D n (fun l => V ((x, f x) :: labelled f l)) <= pow r n * p (x, f x)) as H.
      2: { setoid_replace (pow r n * (D x * p (x, f x))) with (pow r n * p (x, f x) * D x) by ring.
           rewrite Qmult_comm. apply Qmult_le_compat_r; assumption. }
      apply (IH (fun S => V ((x, f x) :: S))). split.
      * intros S HS. apply P, sample_cons; assumption.
      * intros S T HS HT N. apply R; [apply sample_cons; assumption..|apply replaced_cons, N].
    + change (pow r n * sum m (fun x => D x * p (x, f x)) <= r * pow r n * sum m (fun x => E x * p (x, g x))).
      rewrite (Qmult_comm r), <- Qmult_assoc, !(Qmult_comm (pow r n)).
      apply Qmult_le_compat_r; [|pose proof (pow_ge_1 r n R1); lra]. apply one_example.
      * intros z Hz. apply (Qle_trans _ (drawn m E n (fun _ => 0 * 1))); [rewrite drawn_scale; lra|].
        apply drawn_le; [exact LE|]. intros l Hl. ring_simplify (0 * 1).
        apply P, sample_cons, labelled_sample, Hl. exact Hz.
      * intros y z Hy Hz. unfold p. rewrite <- drawn_scale. apply drawn_le; [exact LE|]. intros l Hl.
        apply R; [apply sample_cons; [assumption|apply labelled_sample, Hl]..|].
        exists [], y, z, (labelled g l). auto.
Qed.
End One.

(* s examples by what an event lacks to 1, the other r by what it has *)
Section Two.
Context (m : nat) (D E : nat -> Q) (f g : concept) (c : nat -> Q) (factor : Q).
Hypothesis (LD : law m D) (LE : law m E) (O : overlap m D E f g c) (F : 1 <= factor).
Let r_ := growth (1 - sum m c) factor.

Lemma sample_app a b S T : sample m a S -> sample m b T -> sample m (a + b) (S ++ T).
Proof.
  intros [L B] [M A]. split; [rewrite app_length; lia|]. intros z H. apply in_app_or in H as [H|H]; auto.
Qed.
Lemma replaced_app {X} (U S T : list X) : one_replaced S T -> one_replaced (S ++ U) (T ++ U) /\ one_replaced (U ++ S) (U ++ T).
Proof.
  intros [l [x [y [r [-> ->]]]]]. split.
  - exists l, x, y, (r ++ U). rewrite <- !app_assoc. auto.
  - exists (U ++ l), x, y, r. rewrite <- !app_assoc. auto.
Qed.
Lemma steady_before factor' a b V S : steady m factor' (a + b) V -> sample m a S -> steady m factor' b (fun T => V (S ++ T)).
Proof.
  intros [P R] HS. split.
  - intros T HT. apply P, sample_app; assumption.
  - intros T U HT HU N. apply R; [apply sample_app; assumption..|apply replaced_app, N].
Qed.
Lemma drawn_nonneg D' n V : law m D' -> (forall l, records m n l -> 0 <= V l) -> 0 <= drawn m D' n V.
Proof.
  intros L H. apply (Qle_trans _ (drawn m D' n (fun _ => 0 * 1))); [rewrite drawn_scale; lra|].
  apply drawn_le; [exact L|]. intros l R. ring_simplify (0 * 1). apply H, R.
Qed.
Lemma steady_after D' h a b V : law m D' -> steady m factor (a + b) V ->
  steady m factor a (fun S => drawn m D' b (fun l => V (S ++ labelled h l))).
Proof.
  intros L [P R]. split.
  - intros S HS. apply drawn_nonneg; [exact L|]. intros l Rl. apply P, sample_app; [exact HS|apply labelled_sample, Rl].
  - intros S T HS HT N. rewrite <- drawn_scale. apply drawn_le; [exact L|]. intros l Rl.
    apply R; [apply sample_app; [assumption|apply labelled_sample, Rl]..|apply replaced_app, N].
Qed.

Theorem exchanged_chance s r V : steady m factor (s + r) V -> steady m factor (s + r) (fun S => 1 - V S) ->
  forall b, 1 - b <= drawn m D (s + r) (fun l => V (labelled f l)) ->
  1 - pow r_ s * b <= pow r_ r * drawn m E (s + r) (fun l => V (labelled g l)).
Proof.
  intros SV SW b H.
  set (M := drawn m E s (fun l => drawn m D r (fun k => V (labelled g l ++ labelled f k)))).
  pose proof (growth_ge_1 m D E f g c factor LD O F) as G1. fold r_ in G1.
  assert (forall D' n W, law m D' -> drawn m D' n (fun l => 1 - W l) == 1 - drawn m D' n W) as Co.
  { intros D' n W L. rewrite (drawn_ext m D' n _ (fun l => 1 + (-1) * W l)) by (intros; ring).
    rewrite drawn_plus, drawn_scale, drawn_one by exact L. ring. }
  apply (Qle_trans _ M).
  - pose proof (all_examples m E D g f c factor LE LD (overlap_swap _ _ _ _ _ _ O) F s _
      (steady_after D f s r (fun S => 1 - V S) LD SW)) as A.
    fold r_ in A. cbv beta in A.
    rewrite (drawn_ext m E s _ (fun l => 1 - drawn m D r (fun k => V (labelled g l ++ labelled f k)))) in A
      by (intros; apply Co, LD).
    rewrite Co in A by exact LE. fold M in A.
    rewrite (drawn_ext m D s _ (fun l => 1 - drawn m D r (fun k => V (labelled f l ++ labelled f k)))) in A
      by (intros; apply Co, LD).
    rewrite Co in A by exact LD.
    assert (drawn m D s (fun l => drawn m D r (fun k => V (labelled f l ++ labelled f k)))
      == drawn m D (s + r) (fun l => V (labelled f l))) as X.
    { rewrite drawn_app. apply drawn_ext. intros l _. apply drawn_ext. intros k _. unfold labelled.
      rewrite map_app. reflexivity. }
    rewrite X in A. pose proof (pow_ge_1 r_ s G1) as PW. set (y := drawn m D (s + r) _) in *.
    assert (0 <= pow r_ s * (b - (1 - y))) as Z by (apply Qmult_le_0_compat; lra). lra.
  - rewrite drawn_app, <- drawn_scale. apply drawn_le; [exact LE|]. intros l Rl.
    pose proof (all_examples m D E f g c factor LD LE O F r _
      (steady_before factor s r V (labelled g l) SV (labelled_sample g m s l Rl))) as A.
    fold r_ in A. cbv beta in A. eapply Qle_trans; [exact A|].
    apply Qle_lteq. right. apply Qmult_comp; [reflexivity|]. apply drawn_ext. intros k _.
    unfold labelled. rewrite map_app. reflexivity.
Qed.
End Two.

(* ---- powers, rounded up ---- *)

Definition up (x d : Z) : Z := (- ((- x) / d))%Z.
Lemma up_spec x d : (0 < d)%Z -> inject_Z x <= inject_Z (up x d) * inject_Z d.
Proof.
  intros H. rewrite <- inject_Z_mult, <- Zle_Qle. unfold up. pose proof (Z.mul_div_le (- x) d H). lia.
Qed.
Fixpoint power_of (f U : Z) (e : positive) : Z :=
  match e with
  | xH => f
  | xO e' => let r := power_of f U e' in up (r * r) U
  | xI e' => let r := power_of f U e' in up (up (r * r) U * f) U
  end.
Definition power_up (f U : Z) (e : N) : Z := match e with N0 => U | Npos e' => power_of f U e' end.

Lemma power_up_spec g f U e : (0 < U)%Z -> 0 <= g -> g * inject_Z U <= inject_Z f ->
  pow g (N.to_nat e) * inject_Z U <= inject_Z (power_up f U e).
Proof.
  intros HU G B. assert (0 < inject_Z U) as UQ by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact HU).
  assert (forall n, 0 <= pow g n) as P by (induction n; cbn; [lra|apply Qmult_le_0_compat; assumption]).
  assert (forall x y a b, pow g a * inject_Z U <= inject_Z x -> pow g b * inject_Z U <= inject_Z y ->
    pow g (a + b) * inject_Z U <= inject_Z (up (x * y) U)) as M.
  { intros x y a b X Y. rewrite pow_add. apply (Qmult_le_r _ _ (inject_Z U)); [exact UQ|].
    apply (Qle_trans _ (inject_Z (x * y))); [|apply up_spec, HU]. rewrite inject_Z_mult.
    apply (Qle_trans _ (pow g a * inject_Z U * inject_Z y)).
    - setoid_replace (pow g a * pow g b * inject_Z U * inject_Z U) with (pow g b * inject_Z U * (pow g a * inject_Z U)) by ring.
      rewrite (Qmult_comm _ (inject_Z y)). apply Qmult_le_compat_r; [exact Y|apply Qmult_le_0_compat; [apply P|lra]].
    - apply Qmult_le_compat_r; [exact X|]. eapply Qle_trans; [|exact Y]. apply Qmult_le_0_compat; [apply P|lra]. }
  assert (pow g 1 * inject_Z U <= inject_Z f) as B1 by (cbn; lra).
  destruct e as [|e]; cbn [N.to_nat power_up]; [cbn; lra|].
  induction e as [e IH|e IH|]; cbn [power_of].
  - rewrite Pos2Nat.inj_xI. replace (S (2 * Pos.to_nat e)) with ((Pos.to_nat e + Pos.to_nat e) + 1)%nat by lia.
    apply M; [apply M; exact IH|exact B1].
  - rewrite Pos2Nat.inj_xO. replace (2 * Pos.to_nat e)%nat with (Pos.to_nat e + Pos.to_nat e)%nat by lia. apply M; exact IH.
  - exact B1.
Qed.

(* what an event has at least after s + r exchanges, in parts of U; the failure is p/q *)
Definition remaining (p q : Z) (f U : Z) (s r : N) : Z :=
  ((q * U - p * power_up f U s) * U / (q * power_up f U r))%Z.
Theorem remaining_spec p q f U s r g (x : Q) : (0 <= p)%Z -> (0 < q)%Z -> (0 < U)%Z -> 1 <= g -> g * inject_Z U <= inject_Z f ->
  0 <= x -> 1 - pow g (N.to_nat s) * (inject_Z p / inject_Z q) <= pow g (N.to_nat r) * x ->
  inject_Z (remaining p q f U s r) <= x * inject_Z U.
Proof.
  intros Hp Hq HU G B X H. unfold remaining.
  pose proof (power_up_spec g f U s HU ltac:(lra) B) as Ps. pose proof (power_up_spec g f U r HU ltac:(lra) B) as Pr.
  set (a := power_up f U s) in *. set (d := power_up f U r) in *.
  assert (0 < inject_Z U) as UQ by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact HU).
  assert (0 < inject_Z q) as qQ by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact Hq).
  assert (0 <= inject_Z p) as pQ by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact Hp).
  pose proof (pow_ge_1 g (N.to_nat s) G) as Gs. pose proof (pow_ge_1 g (N.to_nat r) G) as Gr.
  assert (0 < inject_Z d) as dQ by nra.
  assert (0 < d)%Z as Hd by (rewrite Zlt_Qlt; exact dQ).
  set (left := (q * U - p * a)%Z).
  assert (inject_Z left * inject_Z U <= x * inject_Z U * (inject_Z q * inject_Z d)) as K.
  { rewrite (Qmult_comm x), <- Qmult_assoc, (Qmult_comm (inject_Z left)). rewrite !(Qmult_comm (inject_Z U)).
    apply Qmult_le_compat_r; [|lra].
    apply (Qle_trans _ (inject_Z q * inject_Z U * (1 - pow g (N.to_nat s) * (inject_Z p / inject_Z q)))).
    - unfold left, Z.sub. rewrite inject_Z_plus, inject_Z_opp, !inject_Z_mult.
      setoid_replace (inject_Z q * inject_Z U * (1 - pow g (N.to_nat s) * (inject_Z p / inject_Z q)))
        with (inject_Z q * inject_Z U - inject_Z p * (pow g (N.to_nat s) * inject_Z U)) by (field; lra).
      assert (0 <= inject_Z p * (inject_Z a - pow g (N.to_nat s) * inject_Z U)) as W by (apply Qmult_le_0_compat; lra). lra.
    - apply (Qle_trans _ (inject_Z q * inject_Z U * (pow g (N.to_nat r) * x))).
      + rewrite !(Qmult_comm (inject_Z q * inject_Z U)). apply Qmult_le_compat_r; [exact H|].
        apply Qmult_le_0_compat; lra.
      + assert (0 <= inject_Z q * x * (inject_Z d - pow g (N.to_nat r) * inject_Z U)) as W.
        { apply Qmult_le_0_compat; [apply Qmult_le_0_compat; lra|lra]. } lra. }
  apply (Qmult_le_r _ _ (inject_Z q * inject_Z d)); [apply Qmult_lt_0_compat; assumption|].
  eapply Qle_trans; [|exact K]. rewrite <- !inject_Z_mult, <- Zle_Qle. rewrite Z.mul_comm.
  apply Z.mul_div_le. nia.
Qed.
