(* One-way protocols with public coins: a hard distribution with potentials from below, a mixture of
   deterministic protocols from above. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture.
Import ListNotations.
Local Open Scope Z_scope.

Definition of_table (F : list (list (option bool))) : problem :=
  fun x y => nth y (nth x F []) None.

(* ---- from above ---- *)

Record tables := { weight : Z; sent : list nat; answers : list (list bool) }.
Definition of_tables (t : tables) : protocol :=
  {| alice := fun x => nth x (sent t) O; bob := fun m y => nth y (nth m (answers t) []) false |}.

Definition no_tables := {| weight := 0; sent := []; answers := [] |}.
Definition check_reached n m k (F : list (list (option bool))) (e : Q) (parts : list tables) : bool :=
  let w := map weight parts in
  is_law w
  && forallb (fun t => forallb (fun x => (nth x (sent t) O <? k)%nat) (seq 0 n)) parts
  && forallb (fun x => forallb (fun y =>
       at_most (covered w (map (fun t => errs (of_table F) (of_tables t) x y) parts)) (total w) e)
       (seq 0 m)) (seq 0 n).

Theorem check_reached_sound n m k F e parts : check_reached n m k F e parts = true ->
  reached n m (of_table F) k e.
Proof.
  unfold check_reached. intros C. apply andb_prop in C as [C E]. apply andb_prop in C as [L U].
  rewrite forallb_forall in E, U. set (w := map weight parts) in *.
  exists (length w), (share w), (fun i => of_tables (nth i parts no_tables)).
  assert (length w = length parts) as W by apply map_length.
  split; [apply share_law, L|]. split.
  - intros i Hi x Hx. rewrite W in Hi. specialize (U _ (nth_In parts no_tables Hi)).
    rewrite forallb_forall in U. apply Nat.ltb_lt, U, in_seq. lia.
  - intros x y Hx Hy. assert (In x (seq 0 n)) as Ix by (apply in_seq; lia).
    assert (In y (seq 0 m)) as Iy by (apply in_seq; lia).
    specialize (E x Ix). rewrite forallb_forall in E. specialize (E y Iy).
    eapply at_most_spec; [| |exact E].
    + apply andb_prop in L as [_ L]. apply Z.ltb_lt, L.
    + rewrite <- (mean_covered w _ L) by (rewrite map_length; auto).
      apply Qmult_comp; [|reflexivity]. apply sum_ext. intros i Hi.
      pose proof (map_nth (fun t => errs (of_table F) (of_tables t) x y) parts no_tables i) as N.
      cbv beta in N. rewrite <- N. rewrite (nth_indep _ false (errs (of_table F) (of_tables no_tables) x y));
        [reflexivity|rewrite map_length; lia].
Qed.

(* ---- from below: what a row loses to the answers z, its weights given as (of zeros, of ones) ---- *)

Definition pair (v : option bool) (w : Z) : Z * Z :=
  match v with Some true => (0, w) | Some false => (w, 0) | None => (0, 0) end.
Fixpoint pairs (f : list (option bool)) (w : list Z) : list (Z * Z) :=
  match w with [] => [] | a :: w' => pair (hd None f) a :: pairs (tl f) w' end.

Fixpoint lost (z : nat -> bool) (s : list (Z * Z)) : Z :=
  match s with [] => 0 | (a, b) :: s' => (if z O then a else b) + lost (fun y => z (S y)) s' end.
Fixpoint cost (s : list (Z * Z)) : Z :=
  match s with [] => 0 | (a, b) :: s' => Z.min a b + cost s' end.
Fixpoint join (r s : list (Z * Z)) : list (Z * Z) :=
  match r, s with
  | (a, b) :: r', (c, d) :: s' => (a + c, b + d) :: join r' s'
  | _, _ => []
  end.

Lemma cost_least : forall s z, cost s <= lost z s.
Proof.
  induction s as [|[a b] s IH]; intros z; simpl; [lia|]. specialize (IH (fun y => z (S y))).
  destruct (z O); lia.
Qed.

Lemma lost_join : forall r s z, length r = length s -> lost z (join r s) = lost z r + lost z s.
Proof.
  induction r as [|[a b] r IH]; intros [|[c d] s] z E; try discriminate E; [reflexivity|].
  injection E as E. simpl. rewrite (IH s _ E). destruct (z O); lia.
Qed.

Lemma join_length : forall r s, length r = length s -> length (join r s) = length s.
Proof.
  induction r as [|[a b] r IH]; intros [|[c d] s] E; try discriminate E; [reflexivity|].
  injection E as E. simpl. rewrite IH by exact E. reflexivity.
Qed.

(* every class S of rows costs at least its potentials minus the excess *)
Fixpoint all_classes (rows : list (Z * list (Z * Z))) (s : list (Z * Z)) (u excess : Z) : bool :=
  match rows with
  | [] => u - excess <=? cost s
  | (v, r) :: rest => all_classes rest s u excess && all_classes rest (join r s) (u + v) excess
  end.

Definition potentials (rows : list (Z * list (Z * Z))) : Z := fold_right (fun r s => fst r + s) 0 rows.
Definition losses (z : nat -> bool) (rows : list (Z * list (Z * Z))) : Z :=
  fold_right (fun r s => lost z (snd r) + s) 0 rows.

Lemma all_classes_sound m excess z : forall rows s u (p : nat -> bool) i,
  (forall r, In r rows -> length (snd r) = m) -> length s = m ->
  all_classes rows s u excess = true ->
  u + fold_right Z.add 0 (map (fun j => if p (i + j)%nat then fst (nth j rows (0, [])) else 0) (seq 0 (length rows)))
    - excess <= lost z s
    + fold_right Z.add 0 (map (fun j => if p (i + j)%nat then lost z (snd (nth j rows (0, []))) else 0) (seq 0 (length rows))).
Proof.
  induction rows as [|[v r] rows IH]; intros s u p i R E C; simpl in C.
  - apply Z.leb_le in C. pose proof (cost_least s z). simpl. lia.
  - apply andb_prop in C as [C0 C1]. cbn [length]. rewrite <- cons_seq, <- seq_shift.
    cbn [map fold_right]. rewrite !map_map. cbn [nth].
    assert (forall r0, In r0 rows -> length (snd r0) = m) as R' by (intros; apply R; right; assumption).
    pose proof (R (v, r) (or_introl eq_refl)) as Er. cbn in Er.
    rewrite Nat.add_0_r.
    assert (forall (g : nat -> Z), map (fun x => if p (i + S x)%nat then g x else 0) (seq 0 (length rows))
      = map (fun x => if p (S i + x)%nat then g x else 0) (seq 0 (length rows))) as G.
    { intros g. apply map_ext. intros x. rewrite Nat.add_succ_r. reflexivity. }
    rewrite (G (fun x => fst (nth x rows (0, [])))), (G (fun x => lost z (snd (nth x rows (0, []))))).
    destruct (p i).
    + specialize (IH (join r s) (u + v) p (S i) R' ltac:(rewrite join_length; congruence) C1).
      rewrite lost_join in IH by congruence. cbn [fst snd]. lia.
    + specialize (IH s u p (S i) R' E C0). lia.
Qed.

Definition zsum (n : nat) (g : nat -> Z) : Z := fold_right Z.add 0 (map g (seq 0 n)).

Lemma zsum_S n g : zsum (S n) g = g O + zsum n (fun i => g (S i)).
Proof. unfold zsum. rewrite <- cons_seq, <- seq_shift. cbn [map fold_right]. rewrite map_map. reflexivity. Qed.
Lemma zsum_ext : forall n g h, (forall i, (i < n)%nat -> g i = h i) -> zsum n g = zsum n h.
Proof.
  induction n as [|n IH]; intros g h E; [reflexivity|]. rewrite !zsum_S, (E O) by lia.
  f_equal. apply IH. intros i Hi. apply E. lia.
Qed.
Lemma zsum_plus : forall n g h, zsum n (fun i => g i + h i) = zsum n g + zsum n h.
Proof. induction n as [|n IH]; intros g h; [reflexivity|]. rewrite !zsum_S, IH. lia. Qed.
Lemma zsum_le : forall n g h, (forall i, (i < n)%nat -> g i <= h i) -> zsum n g <= zsum n h.
Proof.
  induction n as [|n IH]; intros g h E; [reflexivity|]. rewrite !zsum_S.
  specialize (IH (fun i => g (S i)) (fun i => h (S i)) ltac:(intros; apply E; lia)).
  specialize (E O ltac:(lia)). lia.
Qed.
Lemma zsum_const : forall n c, zsum n (fun _ => c) = Z.of_nat n * c.
Proof. induction n as [|n IH]; intros c; [reflexivity|]. rewrite zsum_S, IH. lia. Qed.
Lemma zsum_swap : forall n k (g : nat -> nat -> Z),
  zsum n (fun i => zsum k (fun j => g i j)) = zsum k (fun j => zsum n (fun i => g i j)).
Proof.
  induction n as [|n IH]; intros k g.
  - change (0 = zsum k (fun _ => 0)). rewrite zsum_const. lia.
  - rewrite zsum_S, IH, <- zsum_plus. apply zsum_ext. intros j _. rewrite zsum_S. reflexivity.
Qed.
Lemma zsum_last : forall n g, zsum (S n) g = zsum n g + g n.
Proof.
  induction n as [|n IH]; intros g; [unfold zsum; simpl; lia|].
  rewrite zsum_S, IH, zsum_S. lia.
Qed.
Lemma zsum_pick : forall k a (c : nat -> Z), (a < k)%nat ->
  zsum k (fun j => if (a =? j)%nat then c j else 0) = c a.
Proof.
  induction k as [|k IH]; intros a c Ha; [lia|]. rewrite zsum_S. destruct a as [|a].
  - cbn [Nat.eqb]. rewrite zsum_const. lia.
  - cbn [Nat.eqb]. rewrite (IH a (fun j => c (S j))) by lia. lia.
Qed.

Lemma lost_zeros z : forall m, lost z (repeat (0, 0) m) = 0.
Proof.
  intros m. revert z. induction m as [|m IH]; intros z; [reflexivity|]. simpl.
  rewrite IH. destruct (z O); lia.
Qed.

Lemma classes_cost m k excess rows P : uses (length rows) k P ->
  (forall r, In r rows -> length (snd r) = m) ->
  all_classes rows (repeat (0, 0) m) 0 excess = true ->
  potentials rows - Z.of_nat k * excess
  <= zsum (length rows) (fun x => lost (bob P (alice P x)) (snd (nth x rows (0, [])))).
Proof.
  intros U R C. set (n := length rows).
  assert (forall j, (j < k)%nat ->
    zsum n (fun x => if (alice P x =? j)%nat then fst (nth x rows (0, [])) else 0) - excess
    <= zsum n (fun x => if (alice P x =? j)%nat then lost (bob P j) (snd (nth x rows (0, []))) else 0)) as B.
  { intros j Hj. pose proof (all_classes_sound m excess (bob P j) rows _ 0 (fun x => (alice P x =? j)%nat) O R
      (repeat_length _ _) C) as S. rewrite lost_zeros in S. cbn [Nat.add] in S. unfold zsum, n. lia. }
  pose proof (zsum_le k _ _ B) as S.
  rewrite (zsum_ext k _ (fun j => zsum n (fun x => if (alice P x =? j)%nat then fst (nth x rows (0, [])) else 0)
    + (- excess))) in S by (intros; lia).
  rewrite zsum_plus, zsum_const in S.
  assert (forall c : nat -> nat -> Z, zsum k (fun j => zsum n (fun x => if (alice P x =? j)%nat then c x j else 0))
    = zsum n (fun x => c x (alice P x))) as G.
  { intros c. rewrite <- zsum_swap. apply zsum_ext. intros x Hx. apply (zsum_pick k (alice P x) (c x)), U, Hx. }
  rewrite (G (fun x _ => fst (nth x rows (0, [])))), (G (fun x j => lost (bob P j) (snd (nth x rows (0, []))))) in S.
  assert (zsum n (fun x => fst (nth x rows (0, []))) = potentials rows) as E.
  { unfold n. clear. induction rows as [|r rows IH]; [reflexivity|]. cbn [length]. rewrite zsum_S. cbn [nth].
    rewrite IH. reflexivity. }
  rewrite E in S. lia.
Qed.

(* ---- the easy half of Yao's principle ---- *)

Definition expected n m (W : nat -> nat -> Q) (f : problem) (P : protocol) : Q :=
  sum n (fun x => sum m (fun y => W x y * chance (errs f P x y)))%Q.

Lemma yao n m f k e (W : nat -> nat -> Q) (B : Q) :
  (forall x y, (x < n)%nat -> (y < m)%nat -> 0 <= W x y)%Q ->
  (forall P, uses n k P -> B <= expected n m W f P)%Q ->
  reached n m f k e -> (B <= e * sum n (fun x => sum m (fun y => W x y)))%Q.
Proof.
  intros HW HB [c [p [P [L [U E]]]]].
  apply (Qle_trans _ (sum c (fun i => p i * expected n m W f (P i)))%Q).
  - apply mean_ge; [exact L|]. intros i Hi. apply HB, U, Hi.
  - unfold expected.
    assert (sum c (fun i => p i * sum n (fun x => sum m (fun y => W x y * chance (errs f (P i) x y))))
      == sum n (fun x => sum m (fun y => W x y * sum c (fun i => p i * chance (errs f (P i) x y)))))%Q as S.
    { rewrite (sum_ext c _ (fun i => sum n (fun x => p i * sum m (fun y => W x y * chance (errs f (P i) x y))))%Q)
        by (intros; rewrite <- sum_scale; reflexivity).
      rewrite sum_swap. apply sum_ext. intros x Hx.
      rewrite (sum_ext c _ (fun i => sum m (fun y => p i * (W x y * chance (errs f (P i) x y))))%Q)
        by (intros; rewrite <- sum_scale; reflexivity).
      rewrite sum_swap. apply sum_ext. intros y Hy. rewrite <- sum_scale. apply sum_ext. intros i Hi. ring. }
    rewrite S, <- sum_scale. apply sum_le. intros x Hx. rewrite <- sum_scale. apply sum_le. intros y Hy.
    rewrite (Qmult_comm e). rewrite (Qmult_comm (W x y)), (Qmult_comm (W x y)).
    apply Qmult_le_compat_r; [apply E; assumption|apply HW; assumption].
Qed.

Definition weight_of (W : list (list Z)) x y : Q := inject_Z (nth y (nth x W []) 0%Z).

Lemma lost_expected (g : nat -> option bool) (z : nat -> bool) : forall (w : list Z) (f : list (option bool)),
  (forall y, g y = nth y f None) ->
  (sum (length w) (fun y => inject_Z (nth y w 0%Z) *
     chance (match g y with Some b => negb (Bool.eqb (z y) b) | None => false end))
   == inject_Z (lost z (pairs f w)))%Q.
Proof.
  intros w f G.
  rewrite (sum_ext _ _ (fun y => inject_Z (nth y w 0%Z) *
     chance (match nth y f None with Some b => negb (Bool.eqb (z y) b) | None => false end))%Q)
    by (intros; rewrite G; reflexivity). clear g G.
  revert z f. induction w as [|a w IH]; intros z f; [reflexivity|]. cbn [length]. rewrite sum_shift.
  cbn [pairs]. specialize (IH (fun y => z (S y)) (tl f)).
  destruct f as [|v f]; cbn [hd tl nth] in *.
  - assert (forall y, nth (S y) (@nil (option bool)) None = nth y [] None) as N by (intros []; reflexivity).
    rewrite (sum_ext _ _ (fun y => inject_Z (nth y w 0%Z) *
      chance (match nth y [] None with Some b => negb (Bool.eqb (z (S y)) b) | None => false end))%Q).
    + rewrite IH. cbn [pair lost]. rewrite Qmult_0_r, Qplus_0_l. destruct (z O); reflexivity.
    + intros y _. destruct y; reflexivity.
  - rewrite IH. destruct v as [[|]|]; cbn [pair lost]; destruct (z O); cbn [Bool.eqb negb chance];
      rewrite ?Qmult_1_r, ?Qmult_0_r, <- ?inject_Z_plus; try reflexivity.
    all: rewrite Qplus_0_l; reflexivity.
Qed.

Definition weighted (F : list (list (option bool))) (W : list (list Z)) (u : list Z) :=
  map (fun x => (nth x u 0, pairs (nth x F []) (nth x W []))) (seq 0 (length W)).

Definition check_potentials n m k F (W : list (list Z)) (u : list Z) (excess : Z) (v : Q) : bool :=
  (length W =? n)%nat && forallb (fun w => (length w =? m)%nat && forallb (Z.leb 0) w) W
  && (0 <? total (map total W))
  && all_classes (weighted F W u) (repeat (0, 0) m) 0 excess
  && at_least (potentials (weighted F W u) - Z.of_nat k * excess) (total (map total W)) v.

Lemma pairs_length : forall w f, length (pairs f w) = length w.
Proof. induction w as [|a w IH]; intros f; [reflexivity|]. cbn [pairs length]. rewrite IH. reflexivity. Qed.

Theorem check_potentials_sound n m k F W u excess v : check_potentials n m k F W u excess v = true ->
  forall e, reached n m (of_table F) k e -> (v <= e)%Q.
Proof.
  unfold check_potentials. intros C e Re. apply andb_prop in C as [C V]. apply andb_prop in C as [C A].
  apply andb_prop in C as [C T]. apply andb_prop in C as [N S]. apply Nat.eqb_eq in N.
  apply Z.ltb_lt in T. rewrite forallb_forall in S.
  assert (forall x, (x < n)%nat -> length (nth x W []) = m /\ forall y, 0 <= nth y (nth x W []) 0) as M.
  { intros x Hx. rewrite <- N in Hx. specialize (S _ (nth_In W [] Hx)). apply andb_prop in S as [S1 S2].
    apply Nat.eqb_eq in S1. split; [exact S1|]. rewrite forallb_forall in S2. intros y.
    destruct (le_lt_dec (length (nth x W [])) y); [rewrite nth_overflow by assumption; lia|].
    apply Z.leb_le, S2, nth_In. assumption. }
  set (rows := weighted F W u) in *.
  assert (length rows = n) as Ln by (unfold rows, weighted; rewrite map_length, seq_length; exact N).
  set (B := potentials rows - Z.of_nat k * excess) in *.
  assert (inject_Z B <= e * sum n (fun x => sum m (fun y => weight_of W x y)))%Q as Y.
  { apply (yao n m (of_table F) k e (weight_of W)); [| |exact Re].
    - intros x y Hx Hy. unfold weight_of. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. apply M, Hx.
    - intros P U. unfold expected. pose proof (classes_cost m k excess rows P) as K. rewrite Ln in K.
      specialize (K U). fold B in K.
      apply (Qle_trans _ (inject_Z (zsum n (fun x => lost (bob P (alice P x)) (snd (nth x rows (0, []))))))).
      + rewrite <- Zle_Qle. apply K; [|exact A]. intros r Hr. unfold rows, weighted in Hr.
        apply in_map_iff in Hr as [x [<- Hx]]. apply in_seq in Hx. cbn [snd]. rewrite pairs_length. apply M. lia.
      + assert (forall j g, (forall x, (x < j)%nat -> (x < n)%nat) ->
          (forall x, (x < j)%nat -> (sum m (fun y => weight_of W x y * chance (errs (of_table F) P x y)) == inject_Z (g x))%Q) ->
          (sum j (fun x => sum m (fun y => weight_of W x y * chance (errs (of_table F) P x y))) == inject_Z (zsum j g))%Q) as Z.
        { induction j as [|j IH]; intros g Hn G; [reflexivity|]. cbn [sum]. rewrite (IH g); [|auto..].
          rewrite G by lia. rewrite <- inject_Z_plus. apply inject_Z_injective.
          symmetry. apply zsum_last. }
        rewrite (Z n (fun x => lost (bob P (alice P x)) (snd (nth x rows (0, []))))); [apply Qle_refl|auto|].
        intros x Hx. unfold rows, weighted.
        rewrite nth_map_seq by lia. cbn [snd]. destruct (M x Hx) as [Mx _].
        rewrite <- (lost_expected (fun y => of_table F x y) (bob P (alice P x)) (nth x W []) (nth x F []))
          by reflexivity.
        rewrite Mx. reflexivity. }
  assert (sum n (fun x => sum m (fun y => weight_of W x y)) == inject_Z (total (map total W)))%Q as E.
  { rewrite (sum_ext n _ (fun x => inject_Z (nth x (map total W) 0%Z))).
    - rewrite <- N, <- (map_length total W). apply sum_total.
    - intros x Hx. unfold weight_of. destruct (M x Hx) as [Mx _]. rewrite <- Mx, sum_total.
      change 0 with (total []). rewrite map_nth. reflexivity. }
  rewrite E in Y. unfold at_least in V. apply Z.leb_le in V. fold B in V.
  apply (Qmult_le_r _ _ (inject_Z (total (map total W)))).
  - change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. exact T.
  - eapply Qle_trans; [|exact Y]. unfold Qle. cbn. rewrite ?Z.mul_1_r, ?Pos.mul_1_r. exact V.
Qed.

Definition check_value n m k F W u excess parts v :=
  check_potentials n m k F W u excess v && check_reached n m k F v parts.

Theorem check_sound n m k F W u excess parts v : check_value n m k F W u excess parts v = true ->
  minimax_error n m (of_table F) k v.
Proof.
  intros H. apply andb_prop in H as [H1 H2].
  split; [eapply check_reached_sound, H2|eapply check_potentials_sound, H1].
Qed.
