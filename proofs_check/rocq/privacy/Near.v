(* What is said of all rationals near a number t: e^(1/r), or the root of a fraction. *)
From Coq Require Import List ZArith QArith Qabs Qround Lia Lqa Bool.
From CCSim Require Import Definitions Sums.
Import ListNotations.
Local Open Scope Q_scope.

Lemma near_implies t (P R : Q -> Prop) : (forall x, P x -> R x) -> near t P -> near t R.
Proof. intros H [a [b [A [B' C]]]]. exists a, b. auto. Qed.

Lemma near_and t P R : near t P -> near t R -> near t (fun x => P x /\ R x).
Proof.
  intros [a [b [A [B' C]]]] [a' [b' [A' [B'' C']]]].
  exists (if Qlt_le_dec a a' then a' else a), (if Qlt_le_dec b b' then b else b').
  destruct (Qlt_le_dec a a'), (Qlt_le_dec b b'); (split; [assumption|split; [assumption|]]);
    intros x [X Y]; split; (apply C || apply C'); split; lra.
Qed.

Lemma raise_mono x y n : 0 <= x -> x <= y -> 0 <= raise x n /\ raise x n <= raise y n.
Proof.
  intros X Y. induction n as [|n [A B]]; simpl; [split; lra|]. split; [nra|].
  apply Qle_trans with (x * raise y n); [nra|]. nra.
Qed.

Lemma raise_strict x y n : 0 <= x -> x < y -> (0 < n)%nat -> raise x n < raise y n.
Proof.
  intros X Y. destruct n as [|n]; [lia|]. intros _. induction n as [|n IH]; simpl in *; [lra|].
  assert (0 <= raise x n) as A by (apply (raise_mono x x n); lra).
  assert (0 <= x * raise x n) by nra.
  apply Qle_lt_trans with (x * (y * raise y n)); [nra|]. nra.
Qed.

Definition proper t := match t with Exponential _ => True | Root r c => (0 < r)%nat /\ 0 < c end.

Lemma low_high t a b : proper t -> not_above t a -> not_below t b -> a <= b.
Proof.
  destruct t as [r|r c]; simpl.
  - intros _ A B. apply Qnot_lt_le. intros L.
    destruct (A ((a - b) * (1 # 2)) ltac:(lra)) as [n N]. specialize (B n). lra.
  - intros [R C] [A|A] [B B']; [lra|]. apply Qnot_lt_le. intros L.
    pose proof (raise_strict b a r B L R). lra.
Qed.

Lemma near_point t P : proper t -> near t P -> exists x, P x.
Proof.
  intros T [a [b [A [B C]]]]. exists a. apply C. pose proof (low_high t a b T A B). lra.
Qed.

Lemma at_most_at_rational t a b : proper t -> at_most_at t (fun _ => a) (fun _ => b) -> a <= b.
Proof.
  intros T H. apply Qnot_lt_le. intros L.
  destruct (near_point _ _ T (H ((a - b) * (1 # 2)) ltac:(lra))) as [x X]. lra.
Qed.

(* ---- the number is enclosed: e^(1/r) by its series ---- *)

Lemma exponential_term_pos r k : 0 < exponential_term (1 # r) k.
Proof.
  induction k as [|k IH]; [reflexivity|]. cbn [exponential_term].
  assert (0 < inject_Z (Z.of_nat (S k))) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  apply Qlt_shift_div_l; [assumption|]. assert (0 < 1 # r) by reflexivity. nra.
Qed.

Lemma exponential_term_halves r k : (0 < k)%nat ->
  2 * exponential_term (1 # r) (S k) <= exponential_term (1 # r) k.
Proof.
  intros K. cbn [exponential_term]. pose proof (exponential_term_pos r k) as P.
  set (a := exponential_term (1 # r) k) in *.
  assert (2 <= inject_Z (Z.of_nat (S k))) by (change 2 with (inject_Z 2); rewrite <- Zle_Qle; lia).
  set (n := inject_Z (Z.of_nat (S k))) in *.
  assert ((1 # r) <= 1) by (unfold Qle; simpl; lia).
  apply Qle_trans with (2 * (a * 1 / n)).
  - apply Qmult_le_l; [reflexivity|]. apply Qmult_le_compat_r; [nra|]. apply Qinv_le_0_compat. lra.
  - setoid_replace (2 * (a * 1 / n)) with ((2 * a) / n) by (field; lra).
    apply Qle_shift_div_r; [lra|]. nra.
Qed.

Lemma series_rest r n : (0 < n)%nat -> forall j,
  sum (n + j) (exponential_term (1 # r)) + 2 * exponential_term (1 # r) (n + j)
  <= sum n (exponential_term (1 # r)) + 2 * exponential_term (1 # r) n.
Proof.
  intros N. induction j as [|j IH]; [rewrite Nat.add_0_r; lra|].
  rewrite Nat.add_succ_r. cbn [sum]. pose proof (exponential_term_halves r (n + j) ltac:(lia)). lra.
Qed.

Lemma series_mono r n j : sum n (exponential_term (1 # r)) <= sum (n + j) (exponential_term (1 # r)).
Proof.
  induction j as [|j IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. cbn [sum].
  pose proof (exponential_term_pos r (n + j)). lra.
Qed.

Lemma series_not_above r n x : x <= sum n (exponential_term (1 # r)) -> not_above (Exponential r) x.
Proof. intros H d D. exists n. lra. Qed.
Lemma series_not_below r n x : (0 < n)%nat ->
  sum n (exponential_term (1 # r)) + 2 * exponential_term (1 # r) n <= x -> not_below (Exponential r) x.
Proof.
  intros N H m. destruct (le_lt_dec m n) as [L|L].
  - replace n with (m + (n - m))%nat in H by lia. pose proof (series_mono r m (n - m)).
    pose proof (exponential_term_pos r (m + (n - m))). lra.
  - replace m with (n + (m - n))%nat by lia. pose proof (series_rest r n N (m - n)).
    pose proof (exponential_term_pos r (n + (m - n))). lra.
Qed.

(* ---- the root of c is enclosed as closely as one likes ---- *)

Lemma raise_one y n : 1 <= y -> 1 <= raise y n.
Proof. intros Y. induction n as [|n IH]; simpl; [lra|nra]. Qed.

Lemma halves_small n : raise (1 # 2) n * inject_Z (Z.of_nat (S n)) <= 1.
Proof.
  induction n as [|n IH]; [simpl; unfold Qle; simpl; lia|]. cbn [raise].
  assert (0 <= raise (1 # 2) n) by (apply (raise_mono (1 # 2) (1 # 2)); lra).
  rewrite (Nat2Z.inj_succ (S n)). unfold Z.succ. rewrite inject_Z_plus.
  assert (1 <= inject_Z (Z.of_nat (S n))) by (change 1 with (inject_Z 1); rewrite <- Zle_Qle; lia).
  change (inject_Z 1) with 1. nra.
Qed.

Lemma bisection r c n : (0 < r)%nat -> 0 < c -> exists a b, 0 <= a /\ b <= c + 1 /\
  not_above (Root r c) a /\ not_below (Root r c) b /\ b - a == (c + 1) * raise (1 # 2) n.
Proof.
  intros R C. induction n as [|n [a [b [A [B [L [H W]]]]]]].
  - exists 0, (c + 1). split; [lra|]. split; [lra|]. split; [left; lra|]. split; [|simpl; ring].
    split; [lra|]. destruct r as [|r]; [lia|]. simpl.
    pose proof (raise_one (c + 1) r ltac:(lra)). nra.
  - assert (0 <= raise (1 # 2) n) by (apply (raise_mono (1 # 2) (1 # 2)); lra).
    assert (0 <= b - a) by (rewrite W; nra).
    set (m := (a + b) * (1 # 2)). destruct (Qlt_le_dec c (raise m r)) as [M|M].
    + exists a, m. unfold m. split; [exact A|]. split; [lra|]. split; [exact L|].
      split; [split; [lra|apply Qlt_le_weak; exact M]|]. cbn [raise]. lra.
    + exists m, b. unfold m. split; [lra|]. split; [exact B|]. split; [right; exact M|].
      split; [exact H|]. cbn [raise]. lra.
Qed.

Lemma narrow r c h : (0 < r)%nat -> 0 < c -> 0 < h -> exists a b, 0 <= a /\ b <= c + 1 /\
  not_above (Root r c) a /\ not_below (Root r c) b /\ b - a <= h.
Proof.
  intros R C H. set (n := Z.to_nat (Qceiling ((c + 1) / h))).
  destruct (bisection r c n R C) as [a [b [A [B [L [U W]]]]]]. exists a, b.
  repeat (split; [assumption|]). rewrite W. pose proof (halves_small n) as S.
  assert ((c + 1) / h <= inject_Z (Z.of_nat (Datatypes.S n))) as G.
  { apply Qle_trans with (inject_Z (Qceiling ((c + 1) / h))); [apply Qle_ceiling|].
    rewrite <- Zle_Qle. unfold n. lia. }
  assert (c + 1 <= inject_Z (Z.of_nat (Datatypes.S n)) * h) as G'.
  { apply (Qmult_le_compat_r _ _ h) in G; [|lra].
    setoid_replace ((c + 1) / h * h) with (c + 1) in G by (field; lra). exact G. }
  assert (0 <= raise (1 # 2) n) by (apply (raise_mono (1 # 2) (1 # 2)); lra).
  apply Qle_trans with (inject_Z (Z.of_nat (Datatypes.S n)) * h * raise (1 # 2) n); [nra|]. nra.
Qed.
