(* Signs of sums of products of polynomials at t: by an enclosure, or because the polynomial is 0. *)
From Coq Require Import List ZArith QArith Qabs Lia Lqa Bool.
From CCSim Require Import Definitions Sums Near.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- polynomials ---- *)

Fixpoint plus_polynomial (p q : list Z) : list Z :=
  match p, q with
  | [], _ => q
  | _, [] => p
  | a :: p', b :: q' => a + b :: plus_polynomial p' q'
  end.
Definition scaled (c : Z) (p : list Z) : list Z := map (Z.mul c) p.
Fixpoint times_polynomial (p q : list Z) : list Z :=
  match p with [] => [] | a :: p' => plus_polynomial (scaled a q) (0 :: times_polynomial p' q) end.

Inductive expression :=
| Polynomial (p : list Z) | Plus (a b : expression) | Minus (a b : expression) | Times (a b : expression).

Fixpoint eval (e : expression) (x : Q) : Q :=
  match e with
  | Polynomial p => polynomial p x
  | Plus a b => eval a x + eval b x
  | Minus a b => eval a x - eval b x
  | Times a b => eval a x * eval b x
  end.
Fixpoint normal (e : expression) : list Z :=
  match e with
  | Polynomial p => p
  | Plus a b => plus_polynomial (normal a) (normal b)
  | Minus a b => plus_polynomial (normal a) (scaled (-1) (normal b))
  | Times a b => times_polynomial (normal a) (normal b)
  end.

Lemma plus_polynomial_spec x : forall p q,
  (polynomial (plus_polynomial p q) x == polynomial p x + polynomial q x)%Q.
Proof.
  induction p as [|a p IH]; intros [|b q]; simpl; try ring. rewrite IH, inject_Z_plus. ring.
Qed.
Lemma scaled_spec x c : forall p, (polynomial (scaled c p) x == inject_Z c * polynomial p x)%Q.
Proof.
  induction p as [|a p IH]; [simpl; ring|]. unfold scaled in *. cbn [map polynomial].
  rewrite IH, inject_Z_mult. ring.
Qed.
Lemma times_polynomial_spec x q : forall p,
  (polynomial (times_polynomial p q) x == polynomial p x * polynomial q x)%Q.
Proof.
  induction p as [|a p IH]; [simpl; ring|]. cbn [times_polynomial polynomial].
  rewrite plus_polynomial_spec, scaled_spec. cbn [polynomial]. rewrite IH. change (inject_Z 0) with 0%Q. ring.
Qed.
Lemma normal_spec x : forall e, (polynomial (normal e) x == eval e x)%Q.
Proof.
  induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb]; simpl; try reflexivity;
    rewrite ?plus_polynomial_spec, ?times_polynomial_spec, ?scaled_spec, IHa, IHb; ring.
Qed.

(* ---- modulo d x^r = n ---- *)

Definition all_zero (p : list Z) : bool := forallb (Z.eqb 0) p.
Fixpoint vanishes_modulo (fuel r : nat) (n d : Z) (p : list Z) : bool :=
  match fuel with
  | O => all_zero p
  | S k => all_zero p
           || vanishes_modulo k r n d (plus_polynomial (scaled d (firstn r p)) (scaled n (skipn r p)))
  end.
Definition vanishes (t : irrational) (e : expression) : bool :=
  let p := normal e in
  match t with
  | Exponential _ => all_zero p
  | Root r c => vanishes_modulo (length p) r (Qnum c) (QDen c) p
  end.

Lemma all_zero_spec x : forall p, all_zero p = true -> (polynomial p x == 0)%Q.
Proof.
  induction p as [|a p IH]; intros H; [reflexivity|]. apply andb_prop in H as [A H].
  apply Z.eqb_eq in A. subst a. cbn [polynomial]. rewrite (IH H). change (inject_Z 0) with 0%Q. ring.
Qed.

Lemma polynomial_app x : forall p q,
  (polynomial (p ++ q) x == polynomial p x + raise x (length p) * polynomial q x)%Q.
Proof. induction p as [|a p IH]; intros q; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma polynomial_bounded M p : (0 <= M)%Q -> exists K, (0 <= K)%Q /\
  forall x, (0 <= x <= M)%Q -> (- K <= polynomial p x <= K)%Q.
Proof.
  intros HM. induction p as [|a p [K [P H]]]; [exists 0%Q; simpl; split; [lra|intros; lra]|].
  exists (Qabs (inject_Z a) + M * K)%Q. pose proof (Qabs_nonneg (inject_Z a)) as A. split; [nra|].
  intros x X. cbn [polynomial]. specialize (H x X).
  pose proof (Qle_Qabs (inject_Z a)). pose proof (Qle_Qabs (- inject_Z a)) as B. rewrite Qabs_opp in B.
  assert (- (M * K) <= x * polynomial p x <= M * K)%Q by (split; nra). lra.
Qed.

Lemma raise_lipschitz M r : (0 <= M)%Q -> exists L, (0 <= L)%Q /\
  forall x y, (0 <= x <= M)%Q -> (0 <= y <= M)%Q -> (x <= y)%Q ->
  (0 <= raise y r - raise x r <= L * (y - x))%Q.
Proof.
  intros HM. induction r as [|r [L [P H]]]; [exists 0%Q; simpl; split; [lra|intros; lra]|].
  exists (M * L + raise M r)%Q. assert (0 <= raise M r)%Q by (apply (raise_mono M M); lra). split; [nra|].
  intros x y X Y XY. cbn [raise]. specialize (H x y X Y XY).
  pose proof (raise_mono x x r (proj1 X) (Qle_refl _)) as [A _].
  pose proof (raise_mono x M r (proj1 X) (proj2 X)) as [_ B].
  setoid_replace (y * raise y r - x * raise x r)%Q with (y * (raise y r - raise x r) + (y - x) * raise x r)%Q by ring.
  split; nra.
Qed.

Lemma vanishes_modulo_spec r n d M : (0 < r)%nat -> 0 < d -> (0 <= M)%Q -> forall fuel p,
  vanishes_modulo fuel r n d p = true -> exists C, (0 <= C)%Q /\
  forall x, (0 <= x <= M)%Q -> (Qabs (polynomial p x) <= C * Qabs (inject_Z d * raise x r - inject_Z n))%Q.
Proof.
  intros R D HM.
  assert (1 <= inject_Z d)%Q as D' by (change 1%Q with (inject_Z 1); rewrite <- Zle_Qle; lia).
  assert (forall p, all_zero p = true -> exists C, (0 <= C)%Q /\ forall x, (0 <= x <= M)%Q ->
    (Qabs (polynomial p x) <= C * Qabs (inject_Z d * raise x r - inject_Z n))%Q) as base.
  { intros p H. exists 0%Q. split; [lra|]. intros x _. rewrite (all_zero_spec x p H), Qmult_0_l. simpl. lra. }
  induction fuel as [|fuel IH]; intros p H; simpl in H; [apply base, H|].
  apply orb_prop in H as [H|H]; [apply base, H|].
  destruct (IH _ H) as [C [C0 HC]]. destruct (polynomial_bounded M (skipn r p) HM) as [K [K0 HK]].
  exists (C + K)%Q. split; [lra|]. intros x X. specialize (HC x X). specialize (HK x X).
  set (w := (inject_Z d * raise x r - inject_Z n)%Q) in *.
  assert (inject_Z d * polynomial p x == polynomial (plus_polynomial (scaled d (firstn r p)) (scaled n (skipn r p))) x
          + w * polynomial (skipn r p) x)%Q as E.
  { rewrite plus_polynomial_spec, !scaled_spec. unfold w.
    destruct (Nat.le_gt_cases r (length p)) as [L|L].
    - rewrite <- (firstn_skipn r p) at 1. rewrite polynomial_app, firstn_length_le by exact L. ring.
    - rewrite firstn_all2, skipn_all2 by lia. simpl. ring. }
  set (rest := polynomial (plus_polynomial _ _) x) in *.
  assert (Qabs (inject_Z d * polynomial p x) <= C * Qabs w + Qabs w * K)%Q as B.
  { rewrite E. eapply Qle_trans; [apply Qabs_triangle|]. apply Qplus_le_compat; [exact HC|].
    rewrite Qabs_Qmult, (Qmult_comm _ K), (Qmult_comm _ (Qabs _)). apply Qmult_le_compat_r; [|apply Qabs_nonneg].
    apply Qabs_Qle_condition. lra. }
  rewrite Qabs_Qmult, (Qabs_pos (inject_Z d)) in B by lra.
  pose proof (Qabs_nonneg (polynomial p x)). nra.
Qed.

Theorem vanishes_sound t e : proper t -> vanishes t e = true -> forall h, (0 < h)%Q ->
  near t (fun x => - h <= eval e x <= h)%Q.
Proof.
  intros T V h Hh. destruct t as [r|r c]; cbn [vanishes] in V.
  - exists 0%Q, 3%Q. split; [apply (series_not_above r 0); simpl; lra|]. split; [apply (series_not_below r 1); [lia|]|].
    { cbn [sum exponential_term]. change (inject_Z (Z.of_nat 1)) with 1%Q.
      assert ((1 # r) <= 1)%Q by (unfold Qle; simpl; lia).
      setoid_replace (1 * (1 # r) / 1)%Q with (1 # r)%Q by field. lra. }
    intros x _. rewrite <- normal_spec, (all_zero_spec x _ V). lra.
  - destruct T as [R C].
    destruct (vanishes_modulo_spec r (Qnum c) (QDen c) (c + 1)%Q R ltac:(lia) ltac:(lra) _ _ V) as [K [K0 HK]].
    destruct (raise_lipschitz (c + 1)%Q r ltac:(lra)) as [L [L0 HL]].
    set (d := inject_Z (QDen c)) in *.
    assert (1 <= d)%Q as D by (unfold d; change 1%Q with (inject_Z 1); rewrite <- Zle_Qle; lia).
    assert (d * c == inject_Z (Qnum c))%Q as N by (unfold d; destruct c as [a b]; unfold Qeq, Qmult, inject_Z;
      cbn [Qnum Qden]; rewrite ?Pos.mul_1_l; ring).
    set (w := (h / ((K + 1) * d * (L + 1)))%Q).
    assert (0 < (K + 1) * d * (L + 1))%Q as P by (repeat apply Qmult_lt_0_compat; lra).
    assert (0 < w)%Q as W by (unfold w; apply Qlt_shift_div_l; [exact P|rewrite Qmult_0_l; exact Hh]).
    destruct (narrow r c w R C W) as [a [b [A [B [NA [NB AB]]]]]]. exists a, b.
    split; [exact NA|]. split; [exact NB|]. intros x X.
    assert (0 <= x <= c + 1)%Q as X' by lra. specialize (HK x X').
    assert (- (d * (L * w)) <= d * raise x r - inject_Z (Qnum c) <= d * (L * w))%Q as G.
    { rewrite <- N. destruct NB as [_ NB].
      assert (raise a r <= c)%Q as NA'.
      { destruct NA as [NA|NA]; [|exact NA]. destruct r as [|r]; [lia|]. cbn [raise].
        destruct (raise_mono a a r A (Qle_refl _)) as [G _]. nra. }
      pose proof (HL a x ltac:(lra) X' ltac:(lra)) as HA. pose proof (HL x b X' ltac:(lra) ltac:(lra)) as HB.
      assert (L * (x - a) <= L * w)%Q by nra. assert (L * (b - x) <= L * w)%Q by nra.
      assert (- (L * w) <= raise x r - c <= L * w)%Q by lra. split; nra. }
    apply Qabs_Qle_condition in G.
    assert (Qabs (polynomial (normal e) x) <= h)%Q as F.
    { eapply Qle_trans; [exact HK|]. apply Qle_trans with (K * (d * (L * w)))%Q; [nra|].
      assert (((K + 1) * d * (L + 1)) * w == h)%Q as E by (unfold w; field; lra).
      rewrite <- E. assert (0 <= K * d)%Q by nra. assert (0 <= K * L)%Q by nra. assert (0 <= d * w)%Q by nra.
      assert (0 <= K * (d * w))%Q by nra. assert (0 <= L * (d * w))%Q by nra. nra. }
    apply Qabs_Qle_condition in F. rewrite normal_spec in F. exact F.
Qed.
