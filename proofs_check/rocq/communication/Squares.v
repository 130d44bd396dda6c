(* Proofs by squares: with the best answers k classes of rows lose all but the sums of |b|, where b are the
   entries of the sum of a class.  An entry b gains at most (g b^2 / unit + h) / 2 where g h >= unit, and the
   sum of g b^2 is a form of the rows, which is at most what potentials give. *)
From Coq Require Import String List NArith ZArith QArith Qround Qminmax Lia Bool.
From CCSim Require Import Definitions OneWay Distributions Answers Json.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- forms by their entries on and above the diagonal ---- *)

Fixpoint product (r x : list Z) : Z := match r, x with c :: r', a :: x' => c * a + product r' x' | _, _ => 0 end.
Fixpoint form_at (T : list (list Z)) (x : list Z) : Z :=
  match T, x with
  | (d :: e) :: T', a :: x' => a * (d * a + 2 * product e x') + form_at T' x'
  | _, _ => 0
  end.
Definition squared (x : list Z) : Z := product x x.
Fixpoint triangular (n : nat) (T : list (list Z)) : bool :=
  match n, T with
  | O, [] => true
  | S n', r :: T' => (length r =? n)%nat && triangular n' T'
  | _, _ => false
  end.

(* a step of elimination, with quotients rounded down, and as much off the diagonal as there are rows *)
Fixpoint reduced (p c : Z) (e r : list Z) : list Z :=
  match e, r with w :: e', v :: r' => w - c * v / p :: reduced p c e' r' | _, _ => [] end.
Definition lowered (n : Z) (e : list Z) : list Z := match e with d :: e' => d - n :: e' | [] => [] end.
Fixpoint eliminated (n p : Z) (T : list (list Z)) (r : list Z) : list (list Z) :=
  match T, r with
  | e :: T', c :: r' => lowered n (reduced p c e r) :: eliminated n p T' r'
  | _, _ => []
  end.
Fixpoint positive_form (fuel : nat) (n : Z) (T : list (list Z)) : bool :=
  match T, fuel with
  | [], _ => true
  | (p :: r) :: T', S fuel' => (0 <? p) && positive_form fuel' n (eliminated n p T' r)
  | _, _ => false
  end.

Lemma squared_pos x : 0 <= squared x.
Proof. unfold squared. induction x as [|a x IH]; cbn [product]; nia. Qed.

Lemma reduced_product p c a : 0 < p -> forall e r x, length e = length x -> length r = length x ->
  2 * a * (p * product (reduced p c e r) x) <=
    2 * a * (p * product e x - c * product r x) + p * (Z.of_nat (length x) * (a * a) + squared x).
Proof.
  intros P. unfold squared. induction e as [|w e IH]; intros [|v r] [|b x] Le Lr; try discriminate.
  - cbn. lia.
  - injection Le as Le. injection Lr as Lr. specialize (IH r x Le Lr). cbn [reduced product length].
    pose proof (Z.div_mod (c * v) p ltac:(lia)) as D. pose proof (Z.mod_pos_bound (c * v) p P) as M.
    set (q := c * v / p) in *. set (m := (c * v) mod p) in *.
    rewrite Nat2Z.inj_succ. unfold Z.succ.
    assert (m * (2 * (a * b)) <= p * (a * a + b * b)) as K.
    { assert (2 * (a * b) <= a * a + b * b) by (pose proof (Z.square_nonneg (a - b)); lia).
      apply Z.le_trans with (m * (a * a + b * b)); [apply Z.mul_le_mono_nonneg_l; lia|].
      apply Z.mul_le_mono_nonneg_r; nia. }
    replace (p * ((w - q) * b + product (reduced p c e r) x))
      with ((p * w - (c * v - m)) * b + p * product (reduced p c e r) x) by (replace (c * v - m) with (p * q) by lia;
        ring).
    lia.
Qed.

Lemma eliminated_form n p : 0 < p -> forall T r x, length r = length x -> triangular (length x) T = true ->
  Z.of_nat (length x) <= n ->
  p * form_at (eliminated n p T r) x <= p * form_at T x - product r x * product r x.
Proof.
  intros P. assert (forall T r x m, length r = length x -> triangular (length x) T = true ->
    Z.of_nat (length x) <= n -> m = Z.of_nat (length x) ->
    p * form_at (eliminated n p T r) x + p * (n - m) * squared x <= p * form_at T x - product r x * product r x) as G.
  2:{ intros T r x Lr Tr Ln. pose proof (G T r x _ Lr Tr Ln eq_refl). pose proof (squared_pos x).
      assert (0 <= p * (n - Z.of_nat (length x)) * squared x); [|lia].
      apply Z.mul_nonneg_nonneg; [apply Z.mul_nonneg_nonneg; lia|assumption]. }
  induction T as [|e T IH]; intros r [|a x] m Lr Tr Ln M; cbn [length triangular] in Tr; try discriminate.
  - destruct r; [|discriminate]. cbn. lia.
  - destruct r as [|c r]; [discriminate|]. injection Lr as Lr. apply andb_prop in Tr as [Le Tr].
    apply Nat.eqb_eq in Le. destruct e as [|d e]; [discriminate|]. injection Le as Le.
    cbn [length] in Ln, M. rewrite Nat2Z.inj_succ in Ln, M.
    specialize (IH r x (Z.of_nat (length x)) Lr Tr ltac:(lia) eq_refl).
    cbn [eliminated reduced lowered form_at product]. change (squared (a :: x)) with (a * a + squared x).
    pose proof (reduced_product p c a P e r x Le Lr) as R.
    pose proof (Z.div_mod (c * c) p ltac:(lia)) as D. pose proof (Z.mod_pos_bound (c * c) p P) as B.
    set (q := c * c / p) in *. set (o := (c * c) mod p) in *. set (s := product r x) in *.
    set (t := product (reduced p c e r) x) in *. set (y := product e x) in *. set (z := squared x) in *.
    set (A := form_at (eliminated n p T r) x) in *. set (F := form_at T x) in *.
    set (l := Z.of_nat (length x)) in *. subst m.
    assert (o * (a * a) <= p * (a * a)) as O by (apply Z.mul_le_mono_nonneg_r; nia).
    assert (p * (a * ((d - q - n) * a + 2 * t)) = p * d * (a * a) - (c * c - o) * (a * a) - p * n * (a * a) + 2 * a *
      (p * t)) as E1.
    { replace (c * c - o) with (p * q) by lia. ring. }
    clear D B. lia.
Qed.

Theorem positive_form_sound n : forall fuel T x, triangular (length x) T = true -> Z.of_nat (length x) <= n ->
  positive_form fuel n T = true -> 0 <= form_at T x.
Proof.
  assert (forall p T (r x : list Z), length r = length x -> triangular (length x) T = true ->
    triangular (length x) (eliminated n p T r) = true) as Tri.
  { assert (forall p c (e r : list Z), length e = length r -> length (reduced p c e r) = length r) as Lr.
    { induction e as [|w e IH]; intros [|v r] L; try discriminate; [reflexivity|]. cbn. rewrite IH; auto. }
    intros p. induction T as [|e T IH]; intros r [|a x] L Tr; cbn [length triangular] in Tr; try discriminate.
    - destruct r; [reflexivity|discriminate].
    - destruct r as [|c r]; [discriminate|]. injection L as L. apply andb_prop in Tr as [Le Tr].
      cbn [eliminated length triangular]. rewrite IH by assumption. rewrite andb_true_r. apply Nat.eqb_eq in Le.
      apply Nat.eqb_eq. specialize (Lr p c e (c :: r)). cbn [length] in Lr. rewrite L in Lr. specialize (Lr Le).
      destruct (reduced p c e (c :: r)); [discriminate|exact Lr]. }
  induction fuel as [|fuel IH]; intros T [|a x] Tr Ln H.
  - destruct T as [|[|]]; cbn; lia.
  - destruct T as [|[|]]; cbn; try lia; discriminate.
  - destruct T as [|[|]]; cbn; lia.
  - destruct T as [|e T]; [cbn; lia|]. cbn [length triangular] in Tr. apply andb_prop in Tr as [Le Tr].
    apply Nat.eqb_eq in Le. destruct e as [|p r]; [discriminate|]. injection Le as Le.
    cbn [positive_form] in H. apply andb_prop in H as [P H]. apply Z.ltb_lt in P.
    cbn [length] in Ln. rewrite Nat2Z.inj_succ in Ln.
    pose proof (eliminated_form n p P T r x Le Tr ltac:(lia)) as E.
    pose proof (IH (eliminated n p T r) x (Tri p T r x Le Tr) ltac:(lia) H) as I.
    cbn [form_at]. set (s := product r x) in *. set (F := form_at T x) in *.
    apply (Z.mul_nonneg_cancel_l p _ P). pose proof (Z.square_nonneg (p * a + s)).
    pose proof (Z.mul_nonneg_nonneg p _ ltac:(lia) I). lia.
Qed.

(* ---- the form of potentials less squares ---- *)

Fixpoint weighed (g r s : list Z) : Z :=
  match g, r, s with a :: g', v :: r', w :: s' => a * v * w + weighed g' r' s' | _, _, _ => 0 end.
Fixpoint times (g r : list Z) : list Z :=
  match g, r with a :: g', v :: r' => a * v :: times g' r' | _, _ => [] end.
Fixpoint form_of (g u : list Z) (rows : list (list Z)) : list (list Z) :=
  match u, rows with
  | v :: u', r :: rows' =>
      let scaled := times g r in (v - product scaled r :: map (fun s => - product scaled s) rows') :: form_of g u' rows'
  | _, _ => []
  end.
Fixpoint combined (w : nat) (rows : list (list Z)) (x : list Z) : list Z :=
  match rows, x with r :: rows', a :: x' => add_rows (map (Z.mul a) r) (combined w rows' x') | _, _ => repeat 0 w end.
Fixpoint on_squares (u x : list Z) : Z := match u, x with v :: u', a :: x' => v * (a * a) + on_squares u' x' | _, _ =>
  0 end.

Lemma product_times : forall g r s, product (times g r) s = weighed g r s.
Proof. induction g as [|a g IH]; intros [|v r] [|w s]; try reflexivity. cbn. rewrite IH. reflexivity. Qed.
Lemma weighed_add : forall g r r' s, length r = length r' -> weighed g (add_rows r r') s = weighed g r s + weighed g
  r' s.
Proof.
  induction g as [|a g IH]; intros [|v r] [|v' r'] [|w s] L; try discriminate; try reflexivity.
  injection L as L. cbn. rewrite IH by exact L. ring.
Qed.
Lemma weighed_scale c : forall g r s, weighed g (map (Z.mul c) r) s = c * weighed g r s.
Proof. induction g as [|a g IH]; intros [|v r] [|w s]; cbn; try lia. rewrite IH. ring. Qed.
Lemma weighed_swap : forall g r s, weighed g r s = weighed g s r.
Proof. induction g as [|a g IH]; intros [|v r] [|w s]; cbn; try reflexivity. rewrite IH. ring. Qed.
Lemma weighed_zeros g : forall n s, weighed g (repeat 0 n) s = 0.
Proof. induction g as [|a g IH]; intros [|n] [|w s]; cbn; try reflexivity. rewrite IH. ring. Qed.

Lemma combined_length w : forall rows x, wide w rows = true -> length (combined w rows x) = w.
Proof.
  induction rows as [|r rows IH]; intros [|a x] W; cbn; try apply repeat_length. apply andb_prop in W as [R W].
  apply Nat.eqb_eq in R. destruct (add_rows_spec (map (Z.mul a) r) (combined w rows x)) as [L _].
  - rewrite map_length, IH by exact W. exact R.
  - rewrite L. apply IH, W.
Qed.
Lemma combined_nth w t : forall rows x, wide w rows = true -> length x = length rows ->
  nth t (combined w rows x) 0 = zsum (length rows) (fun j => nth j x 0 * entry_at rows j t).
Proof.
  induction rows as [|r rows IH]; intros [|a x] W L; try discriminate; [apply nth_zeros|].
  cbn [wide forallb] in W. apply andb_prop in W as [R W]. apply Nat.eqb_eq in R. injection L as L.
    cbn [combined length].
  destruct (add_rows_spec (map (Z.mul a) r) (combined w rows x)) as [_ N].
  { rewrite map_length, (combined_length w rows x W). exact R. }
  rewrite N, (IH x W L), zsum_S. f_equal. unfold entry_at. cbn [nth].
  rewrite <- (map_nth (Z.mul a) r 0 t). f_equal. lia.
Qed.
Lemma weighed_combined w g r : forall rows x, wide w rows = true -> length x = length rows ->
  weighed g r (combined w rows x) = product (map (weighed g r) rows) x.
Proof.
  induction rows as [|s rows IH]; intros [|a x] W L; try discriminate; [cbn; rewrite weighed_swap;
    apply weighed_zeros|].
  cbn [wide forallb] in W. apply andb_prop in W as [R W]. apply Nat.eqb_eq in R. injection L as L.
    cbn [combined map product].
  rewrite weighed_swap, weighed_add, weighed_scale, weighed_swap, (weighed_swap g (combined w rows x)), (IH x W L).
  - ring.
  - rewrite map_length, combined_length by exact W. exact R.
Qed.

Lemma form_of_at w g : forall u rows x, wide w rows = true -> length u = length rows -> length x = length rows ->
  form_at (form_of g u rows) x = on_squares u x - weighed g (combined w rows x) (combined w rows x).
Proof.
  induction u as [|v u IH]; intros [|r rows] [|a x] W Lu Lx; try discriminate.
  - cbn. rewrite weighed_zeros. reflexivity.
  - cbn [wide forallb] in W. apply andb_prop in W as [R W]. apply Nat.eqb_eq in R. injection Lu as Lu.
    injection Lx as Lx.
    cbn [form_of form_at on_squares combined]. rewrite (IH rows x W Lu Lx).
    assert (length (map (Z.mul a) r) = length (combined w rows x)) as L
      by (rewrite map_length, combined_length by exact W; exact R).
    rewrite weighed_add, weighed_scale, (weighed_swap g r), (weighed_swap g (combined w rows x) (add_rows _ _)),
      !weighed_add,
      !weighed_scale by exact L.
    rewrite (weighed_swap g (combined w rows x) r), (weighed_combined w g r rows x W Lx), product_times.
    assert (product (map (fun s => - product (times g r) s) rows) x = - product (map (weighed g r) rows) x) as E.
    { clear - Lx. revert x Lx. induction rows as [|s rows IH]; intros [|b x] L; try discriminate; [reflexivity|].
      injection L as L. cbn. rewrite IH, product_times by exact L. ring. }
    rewrite E. ring.
Qed.
Lemma form_of_triangular g : forall u rows, length u = length rows -> triangular (length rows) (form_of g u rows) =
  true.
Proof.
  induction u as [|v u IH]; intros [|r rows] L; try discriminate; [reflexivity|]. injection L as L.
  cbn [length form_of triangular]. rewrite (IH rows L), map_length, Nat.eqb_refl. reflexivity.
Qed.

(* ---- what classes gain ---- *)

Lemma zsum_swap n m (f : nat -> nat -> Z) : zsum n (fun i => zsum m (f i)) = zsum m (fun j => zsum n (fun i => f i j)).
Proof. exact (lsum_zsum m f (seq 0 n)). Qed.
Lemma zsum_scale c n f : zsum n (fun i => c * f i) = c * zsum n f.
Proof. apply lsum_scale. Qed.
Lemma zsum_const c n : zsum n (fun _ => c) = Z.of_nat n * c.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite zsum_S, IH. lia. Qed.
Lemma weighed_squares : forall g r, length g = length r ->
  weighed g r r = zsum (length r) (fun t => nth t g 0 * (nth t r 0 * nth t r 0)).
Proof.
  induction g as [|a g IH]; intros [|v r] L; try discriminate; [reflexivity|]. injection L as L.
  cbn [weighed length]. rewrite zsum_S, IH by exact L. cbn [nth]. lia.
Qed.
Lemma on_squares_entries : forall u x, length u = length x ->
  on_squares u x = zsum (length x) (fun j => nth j u 0 * (nth j x 0 * nth j x 0)).
Proof.
  induction u as [|v u IH]; intros [|a x] L; try discriminate; [reflexivity|]. injection L as L.
  cbn [on_squares length]. rewrite zsum_S, IH by exact L. reflexivity.
Qed.
Lemma total_entries l : lsum (fun v => v) l = zsum (length l) (fun i => nth i l 0).
Proof. symmetry. exact (zsum_list 0 (fun v => v) l). Qed.

(* the best answers save at most the sums of |b| *)
Lemma gained_most w (rows : list (list Z)) k a (z : nat -> nat -> bool) : wide w rows = true ->
  (forall j, (j < length rows)%nat -> (a j < k)%nat) ->
  sizes rows - zsum w (fun t => zsum k (fun i => Z.abs (zsum (length rows) (fun j => if (i =? a j)%nat then entry_at rows j t
    else 0)))) <= zsum (length rows) (fun j => lost (z (a j)) (nth j rows [])).
Proof.
  intros W sent. set (n := length rows) in *. set (gained := zsum w _).
  rewrite (zsum_ext n _ (fun j => size (nth j rows []) - zsum w (fun t => sign (z (a j) t) * entry_at rows j t))).
  2:{ intros j J. rewrite lost_entries, (wide_nth w rows j W J). reflexivity. }
  rewrite zsum_minus, zsum_swap. unfold n at 1. rewrite (zsum_list [] size rows). fold (sizes rows).
  assert (zsum w (fun t => zsum n (fun j => sign (z (a j) t) * entry_at rows j t)) <= gained); [|lia].
  apply zsum_le. intros t _.
  rewrite (zsum_ext n _ (fun j => zsum k (fun i => if (i =? a j)%nat then sign (z i t) * entry_at rows j t else 0))).
  2:{ intros j J. symmetry. exact (zsum_pick k (a j) (fun i => sign (z i t) * entry_at rows j t) (sent j J)). }
  rewrite zsum_swap. apply zsum_le. intros i _.
  rewrite (zsum_ext n _ (fun j => sign (z i t) * (if (i =? a j)%nat then entry_at rows j t else 0)))
    by (intros j _; destruct (i =? a j)%nat; lia).
  rewrite zsum_scale. unfold sign. destruct (z i t); lia.
Qed.

Section Squares.
Variables (w : nat) (rows : list (list Z)) (k : nat) (unit : Z) (u g h : list Z).
Let n := length rows.
Let K := Z.of_nat k.
Definition least_over : Z :=
  2 * K * unit * sizes rows - (K - 1) * lsum (fun v => v) u - weighed g (excess w rows) (excess w rows)
  - K * K * unit * lsum (fun v => v) h.

Hypothesis W : wide w rows = true.
Hypothesis Lu : length u = n.
Hypothesis Lg : length g = w.
Hypothesis Lh : length h = w.
Hypothesis unit_pos : 0 < unit.
Hypothesis ends : forall t, (t < w)%nat -> 0 <= nth t g 0 /\ 0 <= nth t h 0 /\ unit <= nth t g 0 * nth t h 0.
Hypothesis positive : positive_form n (Z.of_nat n) (form_of g u rows) = true.

Variables (a : nat -> nat) (z : nat -> nat -> bool).
Hypothesis sent : forall j, (j < n)%nat -> (a j < k)%nat.

Let b i t := zsum n (fun j => if (i =? a j)%nat then entry_at rows j t else 0).
Let whole t := zsum n (fun j => entry_at rows j t).
Let x i := map (fun j => if (i =? a j)%nat then K - 1 else -1) (seq 0 n).

Lemma classes_whole t : zsum k (fun i => b i t) = whole t.
Proof.
  unfold b, whole. rewrite zsum_swap. apply zsum_ext. intros j J.
  exact (zsum_pick k (a j) (fun _ => entry_at rows j t) (sent j J)).
Qed.
Lemma excess_whole t : nth t (excess w rows) 0 = whole t.
Proof.
  destruct (excess_spec w rows W) as [_ N]. rewrite N. unfold whole, entry_at.
  symmetry. exact (zsum_list [] (fun r => nth t r 0) rows).
Qed.
Lemma x_length i : length (x i) = n.
Proof. unfold x. rewrite map_length. apply seq_length. Qed.
Lemma x_nth i j : (j < n)%nat -> nth j (x i) 0 = if (i =? a j)%nat then K - 1 else -1.
Proof.
  intros J. unfold x. set (f := fun j => if (i =? a j)%nat then K - 1 else -1).
  rewrite (nth_indep _ 0 (f O)) by (rewrite map_length, seq_length; exact J).
  rewrite (map_nth f), seq_nth by exact J. reflexivity.
Qed.
Lemma x_combined i t : nth t (combined w rows (x i)) 0 = K * b i t - whole t.
Proof.
  rewrite (combined_nth w t rows (x i) W (x_length i)). fold n. unfold b, whole.
  rewrite <- zsum_scale, <- zsum_minus. apply zsum_ext. intros j J. rewrite x_nth by exact J.
  destruct (i =? a j)%nat; lia.
Qed.

Lemma class_squares i : zsum w (fun t => nth t g 0 * ((K * b i t - whole t) * (K * b i t - whole t)))
  <= zsum n (fun j => nth j u 0 * (nth j (x i) 0 * nth j (x i) 0)).
Proof.
  pose proof (positive_form_sound (Z.of_nat n) n (form_of g u rows) (x i)) as P. rewrite x_length in P.
  specialize (P (form_of_triangular g u rows Lu) (Z.le_refl _) positive).
  rewrite (form_of_at w g u rows (x i) W Lu (x_length i)) in P.
  rewrite weighed_squares in P by (rewrite combined_length by exact W; exact Lg).
  rewrite combined_length in P by exact W. rewrite on_squares_entries in P by (rewrite x_length; exact Lu).
  rewrite x_length in P.
  rewrite (zsum_ext w _ (fun t => nth t g 0 * (nth t (combined w rows (x i)) 0 * nth t (combined w rows (x i)) 0)));
    [lia|].
  intros t _. rewrite x_combined. reflexivity.
Qed.

Let squares := zsum w (fun t => nth t g 0 * zsum k (fun i => b i t * b i t)).
Let wholes := zsum w (fun t => nth t g 0 * (whole t * whole t)).

Lemma all_squares : K * squares <= wholes + (K - 1) * lsum (fun v => v) u.
Proof.
  assert (zsum k (fun i => zsum w (fun t => nth t g 0 * ((K * b i t - whole t) * (K * b i t - whole t))))
    = K * (K * squares) - K * wholes) as L.
  { rewrite zsum_swap. unfold squares, wholes. rewrite <- !zsum_scale, <- zsum_minus. apply zsum_ext. intros t _.
    rewrite zsum_scale.
    rewrite (zsum_ext k _ (fun i => K * K * (b i t * b i t) - 2 * K * whole t * b i t + whole t * whole t))
      by (intros; ring).
    rewrite zsum_plus, zsum_minus, !zsum_scale, zsum_const, classes_whole. fold K. ring. }
  assert (zsum k (fun i => zsum n (fun j => nth j u 0 * (nth j (x i) 0 * nth j (x i) 0))) = K * ((K - 1) * lsum (fun v
    => v) u)) as R.
  { rewrite zsum_swap, total_entries, Lu. rewrite <- !zsum_scale. apply zsum_ext. intros j J. rewrite zsum_scale.
    rewrite (zsum_ext k _ (fun i => (if (i =? a j)%nat then K * K - 2 * K else 0) + 1)).
    - rewrite zsum_plus, zsum_const, (zsum_pick k (a j) (fun _ => K * K - 2 * K) (sent j J)). fold K. ring.
    - intros i _. rewrite x_nth by exact J. destruct (i =? a j)%nat; ring. }
  assert (K * (K * squares) - K * wholes <= K * ((K - 1) * lsum (fun v => v) u)) as M.
  { rewrite <- L, <- R. apply zsum_le. intros i _. apply class_squares. }
  destruct (Nat.eq_dec k 0) as [E|E].
  - assert (squares = 0) as ->.
    { unfold squares. rewrite (zsum_ext w _ (fun _ => 0)); [apply lsum_zero|]. intros t _. rewrite E. cbn. lia. }
    assert (wholes = 0) as ->.
    { unfold wholes. rewrite (zsum_ext w _ (fun _ => 0)); [apply lsum_zero|]. intros t _. rewrite <- classes_whole, E.
      cbn. lia. }
    assert (n = O) as N0 by (destruct n as [|m]; [reflexivity|specialize (sent O ltac:(lia)); lia]).
    rewrite N0 in Lu. destruct u; [|discriminate]. cbn. lia.
  - apply (Z.mul_le_mono_pos_l _ _ K); [unfold K; lia|]. lia.
Qed.

Theorem squares_least : least_over <= 2 * K * unit * zsum n (fun j => lost (z (a j)) (nth j rows [])).
Proof.
  set (gained := zsum w (fun t => zsum k (fun i => Z.abs (b i t)))).
  assert (sizes rows - gained <= zsum n (fun j => lost (z (a j)) (nth j rows []))) as G
    by exact (gained_most w rows k a z W sent).
  assert (2 * unit * gained <= squares + unit * (K * lsum (fun v => v) h)) as A.
  { unfold gained, squares. rewrite total_entries, Lh, <- !zsum_scale, <- zsum_plus. apply zsum_le. intros t Ht.
    rewrite <- zsum_scale.
    replace (unit * (K * nth t h 0)) with (zsum k (fun _ => unit * nth t h 0)) by (rewrite zsum_const; fold K; ring).
    rewrite <- zsum_scale, <- zsum_plus. apply zsum_le. intros i _. destruct (ends t Ht) as [G0 [H0 GH]].
    set (c := nth t g 0) in *. set (d := nth t h 0) in *. rewrite <- (Z.abs_square (b i t)). set (e := Z.abs (b i t)).
    assert (0 < c) by (destruct (Z.eq_dec c 0) as [E|E]; [rewrite E in GH; lia|lia]).
    assert (0 <= c * (c * (e * e) + unit * d - 2 * unit * e)) as P.
    { replace (c * (c * (e * e) + unit * d - 2 * unit * e)) with ((c * e - unit) * (c * e - unit) + unit * (c * d -
      unit)) by ring.
      pose proof (Z.square_nonneg (c * e - unit)). pose proof (Z.mul_nonneg_nonneg unit (c * d - unit) ltac:(lia)
        ltac:(lia)). lia. }
    apply Z.mul_nonneg_cancel_l in P; [lia|assumption]. }
  pose proof all_squares as S.
  assert (weighed g (excess w rows) (excess w rows) = wholes) as E.
  { destruct (excess_spec w rows W) as [Le _]. rewrite weighed_squares by congruence. rewrite Le. apply zsum_ext.
    intros t _.
    rewrite excess_whole. reflexivity. }
  unfold least_over. rewrite E. assert (0 <= K) as K0 by (unfold K; lia).
  pose proof (Z.mul_le_mono_nonneg_l _ _ K K0 A) as A'.
  pose proof (Z.mul_le_mono_nonneg_l _ _ (2 * K * unit) ltac:(apply Z.mul_nonneg_nonneg; lia) G) as G'. lia.
Qed.
End Squares.

(* ---- certificates ---- *)

Definition pair_in (j : json) : option (Z * Z) :=
  match j with
  | Array [g; h] => let* g := at_least_integer 0 g in let* h := at_least_integer 0 h in Some (g, h)
  | _ => None
  end.
(* what is lost at least, doubled, which need not be an integer *)
Definition squares_bound w (rows : list (list Z)) (k : N) (data : json) : option Q :=
  match fields ["unit"; "potentials"; "ends"]%string data with
  | Some [s; u; e] =>
      let* unit := positive_integer s in
      let* u := list_of (at_least_integer 0) u in
      let* ends := list_of pair_in e in
      let n := length rows in
      given (wide w rows && (length u =? n)%nat && (length ends =? w)%nat && (0 <? k)%N
             && forallb (fun p => Zpos unit <=? fst p * snd p) ends
             && positive_form n (Z.of_nat n) (form_of (map fst ends) u rows))
        (Some (Qmax 0 (Distributions.quotient (least_over w rows (N.to_nat k) (Zpos unit) u (map fst ends) (map snd
          ends))
                                (2 * Z.of_N k * Zpos unit))))
  | _ => None
  end.

Theorem squares_sound w rows k data B : squares_bound w rows k data = Some B ->
  forced rows (N.to_nat k) (Qceiling B).
Proof.
  unfold squares_bound. intros H. destruct (fields _ data) as [[|s [|u [|e [|]]]]|]; try discriminate.
  destruct (positive_integer s) as [unit|]; [|discriminate].
  destruct (list_of (at_least_integer 0) u) as [us|]; [|discriminate].
  destruct (list_of pair_in e) as [l|] eqn:R; [|discriminate]. unfold given in H.
  match type of H with (if ?t then _ else _) = _ => destruct t eqn:C; [|discriminate] end. injection H as <-.
  apply andb_prop in C as [C P]. apply andb_prop in C as [C E]. apply andb_prop in C as [C K].
  apply andb_prop in C as [C L]. apply andb_prop in C as [W U]. apply Nat.eqb_eq in U, L. apply N.ltb_lt in K.
  rewrite forallb_forall in E.
  assert (forall p, In p l -> 0 <= fst p /\ 0 <= snd p) as Pos.
  { destruct e as [| | | |js|]; try discriminate. cbn [list_of] in R. clear - R. revert l R.
    induction js as [|j js IH]; intros l R p I; cbn [each] in R.
    - injection R as <-. destruct I.
    - destruct (pair_in j) as [q|] eqn:Q; [|discriminate]. destruct (each pair_in js) as [l'|]; [|discriminate].
      injection R as <-. destruct I as [<-|I]; [|exact (IH l' eq_refl p I)]. clear - Q. unfold pair_in in Q.
      destruct j as [| | | |[|a [|b [|]]]|]; try discriminate. unfold at_least_integer in Q.
      destruct (integer a) as [g|]; [|discriminate]. destruct (Z.leb_spec 0 g); [|discriminate].
      destruct (integer b) as [h|]; [|discriminate]. destruct (Z.leb_spec 0 h); [|discriminate].
      injection Q as <-. cbn. lia. }
  intros a z A. set (lost_in_all := zsum (length rows) (fun j => lost (z (a j)) (nth j rows []))).
  rewrite <- (Qceiling_Z lost_in_all). apply Qceiling_resp_le. apply Q.max_lub.
  { change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. apply lsum_nonneg. intros j _. apply lost_pos. }
  pose proof (squares_least w rows (N.to_nat k) (Zpos unit) us (map fst l) (map snd l) W U
    ltac:(rewrite map_length; exact L) ltac:(rewrite map_length; exact L) ltac:(lia)) as M.
  assert (forall t, (t < w)%nat -> 0 <= nth t (map fst l) 0 /\ 0 <= nth t (map snd l) 0 /\
    Zpos unit <= nth t (map fst l) 0 * nth t (map snd l) 0) as Ends.
  { intros t Ht. pose proof (map_nth fst l (0, 0) t) as N1. pose proof (map_nth snd l (0, 0) t) as N2.
    cbn [fst snd] in N1, N2. rewrite N1, N2. assert (In (nth t l (0, 0)) l) as I by (apply nth_In; lia).
    specialize (Pos _ I). specialize (E _ I). apply Z.leb_le in E. tauto. }
  specialize (M Ends P a z A). fold lost_in_all in M. rewrite N_nat_Z in M.
  destruct k as [|k]; [discriminate|]. cbn [Z.of_N] in *.
  change (2 * Z.pos k * Z.pos unit) with (Z.pos (k~0 * unit)) in *. cbn [Distributions.quotient].
  unfold Qle. cbn [Qnum Qden inject_Z]. rewrite Z.mul_1_r, (Z.mul_comm lost_in_all). exact M.
Qed.
