(* Distributions of inputs, as integer weights of some of them, and the errors that they force: Alice's
   messages split the rows of signed weights into classes, and Bob answers each column of a class. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool FMapPositive.
From CCSim Require Import Definitions Sums Mixture OneWay.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- sums of integers over lists ---- *)

Fixpoint lsum {A} (g : A -> Z) (l : list A) : Z := match l with [] => 0 | a :: l' => g a + lsum g l' end.
Definition zsum (n : nat) (g : nat -> Z) : Z := lsum g (seq 0 n).

Lemma lsum_ext {A} (g h : A -> Z) l : (forall a, In a l -> g a = h a) -> lsum g l = lsum h l.
Proof. induction l as [|a l IH]; intros E; [reflexivity|]. cbn. rewrite E, IH; auto using in_eq, in_cons. Qed.
Lemma lsum_plus {A} (g h : A -> Z) l : lsum (fun a => g a + h a) l = lsum g l + lsum h l.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. rewrite IH. lia. Qed.
Lemma lsum_minus {A} (g h : A -> Z) l : lsum (fun a => g a - h a) l = lsum g l - lsum h l.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. rewrite IH. lia. Qed.
Lemma lsum_zero {A} (l : list A) : lsum (fun _ => 0) l = 0.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. rewrite IH. lia. Qed.
Lemma lsum_le {A} (g h : A -> Z) l : (forall a, In a l -> g a <= h a) -> lsum g l <= lsum h l.
Proof.
  induction l as [|a l IH]; intros E; [reflexivity|]. cbn. pose proof (E a (in_eq _ _)).
  specialize (IH (fun b B => E b (in_cons _ _ _ B))). lia.
Qed.
Lemma lsum_nonneg {A} (g : A -> Z) l : (forall a, In a l -> 0 <= g a) -> 0 <= lsum g l.
Proof. intros H. rewrite <- (lsum_zero l) at 1. apply lsum_le, H. Qed.
Lemma lsum_app {A} (f : A -> Z) l l' : lsum f (l ++ l') = lsum f l + lsum f l'.
Proof. induction l as [|a l IH]; cbn; lia. Qed.
Lemma lsum_map {A B} (f : A -> B) g l : lsum g (map f l) = lsum (fun a => g (f a)) l.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.
Lemma lsum_filter {A} (p : A -> bool) g l : (forall a, In a l -> p a = false -> g a = 0) ->
  lsum g (filter p l) = lsum g l.
Proof.
  induction l as [|a l IH]; intros E; [reflexivity|]. cbn. specialize (IH (fun b B => E b (in_cons _ _ _ B))).
  destruct (p a) eqn:P; cbn; [lia|]. rewrite (E a (in_eq _ _) P). lia.
Qed.
Lemma lsum_scale {A} c (g : A -> Z) l : lsum (fun a => c * g a) l = c * lsum g l.
Proof. induction l as [|a l IH]; [cbn; lia|]. cbn. rewrite IH. lia. Qed.

Lemma zsum_ext n g h : (forall i, (i < n)%nat -> g i = h i) -> zsum n g = zsum n h.
Proof. intros E. apply lsum_ext. intros i I. apply in_seq in I. apply E. lia. Qed.
Lemma zsum_plus n g h : zsum n (fun i => g i + h i) = zsum n g + zsum n h.
Proof. apply lsum_plus. Qed.
Lemma zsum_minus n g h : zsum n (fun i => g i - h i) = zsum n g - zsum n h.
Proof. apply lsum_minus. Qed.
Lemma zsum_S n g : zsum (S n) g = g O + zsum n (fun i => g (S i)).
Proof. unfold zsum. rewrite <- cons_seq, <- seq_shift. cbn. rewrite lsum_map. reflexivity. Qed.
Lemma zsum_split a b g : zsum (a + b) g = zsum a g + zsum b (fun i => g (a + i)%nat).
Proof.
  revert g. induction a as [|a IH]; intros g; [reflexivity|]. cbn [Nat.add]. rewrite !zsum_S, IH. cbn [Nat.add]. lia.
Qed.
Lemma zsum_pick n a c : (a < n)%nat -> zsum n (fun i => if (i =? a)%nat then c i else 0) = c a.
Proof.
  revert a c. induction n as [|n IH]; intros a c H; [lia|]. rewrite zsum_S. destruct a as [|a].
  - cbn [Nat.eqb]. unfold zsum. rewrite lsum_zero. lia.
  - cbn [Nat.eqb]. rewrite (IH a (fun i => c (S i))) by lia. lia.
Qed.
Lemma zsum_list {A} (d : A) g l : zsum (length l) (fun i => g (nth i l d)) = lsum g l.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [length]. rewrite zsum_S. cbn [nth lsum]. rewrite IH.
  reflexivity. Qed.
Lemma zsum_Q n g : (sum n (fun i => inject_Z (g i)) == inject_Z (zsum n g))%Q.
Proof.
  revert g. induction n as [|n IH]; intros g; [reflexivity|]. rewrite sum_shift, zsum_S, inject_Z_plus, IH. reflexivity.
Qed.

(* ---- weights of inputs ---- *)

Notation weights := (list (nat * nat * Z)).
Definition weight_at (cells : weights) x y : Z :=
  lsum (fun c => let '(x', y', w) := c in if (x =? x')%nat && (y =? y')%nat then w else 0) cells.
Definition weigh (g : nat -> nat -> Z) (cells : weights) : Z := lsum (fun c => let '(x, y, w) := c in w * g x y) cells.
Definition mass (cells : weights) : Z := lsum snd cells.
Definition shares (cells : weights) x y : Q := (inject_Z (weight_at cells x y) / inject_Z (mass cells))%Q.

Definition within n m (cells : weights) := forall x y w, In (x, y, w) cells -> (x < n)%nat /\ (y < m)%nat.

Lemma weigh_at n m g cells : within n m cells ->
  weigh g cells = zsum n (fun x => zsum m (fun y => weight_at cells x y * g x y)).
Proof.
  induction cells as [|[[x0 y0] w] cells IH]; intros V.
  - cbn. symmetry. unfold zsum. rewrite (lsum_ext _ (fun _ => 0)); [apply lsum_zero|]. intros x _. apply lsum_zero.
  - cbn [weigh lsum]. fold (weigh g cells). rewrite IH by (intros x y u I; apply (V x y u), in_cons, I).
    destruct (V x0 y0 w (in_eq _ _)) as [Hx Hy].
    rewrite (zsum_ext n (fun x => zsum m (fun y => weight_at ((x0, y0, w) :: cells) x y * g x y))
      (fun x => (if (x =? x0)%nat then w * g x y0 else 0) + zsum m (fun y => weight_at cells x y * g x y))).
    + rewrite zsum_plus. f_equal. symmetry. exact (zsum_pick n x0 (fun x => w * g x y0) Hx).
    + intros x _. rewrite (zsum_ext m (fun y => weight_at ((x0, y0, w) :: cells) x y * g x y)
        (fun y => (if (y =? y0)%nat then (if (x =? x0)%nat then w * g x y0 else 0) else 0) + weight_at cells x y * g
          x y)).
      * rewrite zsum_plus. f_equal.
        exact (zsum_pick m y0 (fun _ => if (x =? x0)%nat then w * g x y0 else 0) Hy).
      * intros y _. cbn [weight_at lsum]. fold (weight_at cells x y).
        destruct (Nat.eqb_spec y y0) as [->|]; destruct (x =? x0)%nat; cbn [andb]; lia.
Qed.

Lemma mass_weigh cells : mass cells = weigh (fun _ _ => 1) cells.
Proof. apply lsum_ext. intros [[x y] w] _. cbn. lia. Qed.

(* the average of integers under a distribution *)
Lemma average_weigh n m cells g : within n m cells -> 0 < mass cells ->
  (average n m (shares cells) (fun x y => inject_Z (g x y)) * inject_Z (mass cells) == inject_Z (weigh g cells))%Q.
Proof.
  intros V P. assert (0 < inject_Z (mass cells))%Q as PQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P).
  unfold average. rewrite Qmult_comm, <- sum_scale, (weigh_at n m g cells V), <- zsum_Q. apply sum_ext. intros x _.
  rewrite <- sum_scale, <- zsum_Q. apply sum_ext. intros y _. unfold shares. rewrite inject_Z_mult. field. lra.
Qed.

(* ---- rows of weights that are negative on value 0 ---- *)

Definition sign (b : bool) : Z := if b then 1 else -1.
Definition with_signs (f : problem) (cells : weights) : weights :=
  map (fun c => let '(x, y, w) := c in (x, y, match f x y with Some true => w | Some false => - w | None => 0 end))
    cells.

Notation grid := (PositiveMap.t (PositiveMap.t Z)).
Definition key (i : nat) : positive := Pos.of_succ_nat i.
Definition row_in (M : grid) x : PositiveMap.t Z :=
  match PositiveMap.find (key x) M with Some r => r | None => PositiveMap.empty Z end.
Definition entry_in (r : PositiveMap.t Z) y : Z := match PositiveMap.find (key y) r with Some w => w | None => 0 end.
(* None if an input occurs twice *)
Fixpoint grid_of (cells : weights) : option grid :=
  match cells with
  | [] => Some (PositiveMap.empty _)
  | (x, y, w) :: rest =>
      match grid_of rest with
      | Some M => let r := row_in M x in
                  match PositiveMap.find (key y) r with
                  | None => Some (PositiveMap.add (key x) (PositiveMap.add (key y) w r) M)
                  | Some _ => None
                  end
      | None => None
      end
  end.

Lemma key_inj i j : key i = key j -> i = j.
Proof. apply SuccNat2Pos.inj. Qed.

Lemma grid_entry : forall cells M, grid_of cells = Some M -> forall x y, entry_in (row_in M x) y = weight_at cells x y.
Proof.
  induction cells as [|[[x0 y0] w] cells IH]; intros M E x y.
  - injection E as <-. unfold row_in. rewrite PositiveMap.gempty. unfold entry_in. rewrite PositiveMap.gempty.
      reflexivity.
  - cbn [grid_of] in E. destruct (grid_of cells) as [M'|]; [|discriminate]. specialize (IH M' eq_refl).
    destruct (PositiveMap.find (key y0) (row_in M' x0)) eqn:Fr; [discriminate|]. injection E as <-.
    cbn [weight_at lsum]. fold (weight_at cells x y). rewrite <- IH.
    unfold row_in at 1. destruct (Nat.eqb_spec x x0) as [->|Nx].
    + rewrite PositiveMap.gss. cbn [andb]. unfold entry_in at 1. destruct (Nat.eqb_spec y y0) as [->|Ny].
      * rewrite PositiveMap.gss. unfold entry_in. rewrite Fr. lia.
      * rewrite PositiveMap.gso by (intros K; apply Ny, key_inj, K). reflexivity.
    + rewrite PositiveMap.gso by (intros K; apply Nx, key_inj, K). reflexivity.
Qed.

Fixpoint columns_of (cells : weights) : PositiveMap.t unit :=
  match cells with [] => PositiveMap.empty _ | (x, y, w) :: rest => PositiveMap.add (key y) tt (columns_of rest) end.

Lemma columns_out x y : forall cells, PositiveMap.mem (key y) (columns_of cells) = false -> weight_at cells x y = 0.
Proof.
  induction cells as [|[[x0 y0] w] cells IH]; intros H; [reflexivity|]. cbn [weight_at lsum]. fold (weight_at cells x
    y).
  cbn [columns_of] in H. rewrite PositiveMap.mem_find in H. destruct (Nat.eqb_spec y y0) as [->|N].
  - rewrite PositiveMap.gss in H. discriminate.
  - rewrite PositiveMap.gso in H by (intros K; apply N, key_inj, K). rewrite <- PositiveMap.mem_find in H.
    rewrite andb_false_r, IH by exact H. reflexivity.
Qed.

Definition rows_in n (M : grid) : list nat := filter (fun x => PositiveMap.mem (key x) M) (seq 0 n).
Definition columns_in m (cells : weights) : list nat :=
  let C := columns_of cells in filter (fun y => PositiveMap.mem (key y) C) (seq 0 m).
Definition rows_of (M : grid) (xs ys : list nat) : list (list Z) :=
  map (fun x => let r := row_in M x in map (entry_in r) ys) xs.

(* what a row loses to the answers z, doubled, and what it can lose *)
Fixpoint lost (z : nat -> bool) (r : list Z) : Z :=
  match r with [] => 0 | w :: r' => Z.abs w - sign (z O) * w + lost (fun y => z (S y)) r' end.
Definition size (r : list Z) : Z := lsum Z.abs r.
Definition sizes (rows : list (list Z)) : Z := lsum size rows.
(* what rows lose at least if each goes to one of k classes, doubled *)
Definition forced (rows : list (list Z)) k B := forall (a : nat -> nat) (z : nat -> nat -> bool),
  (forall j, (j < length rows)%nat -> (a j < k)%nat) ->
  B <= zsum (length rows) (fun j => lost (z (a j)) (nth j rows [])).

Lemma lost_nth c (g : nat -> Z) : forall ys, lost (fun t => c (nth t ys O)) (map g ys)
  = size (map g ys) - lsum (fun y => sign (c y) * g y) ys.
Proof.
  induction ys as [|y ys IH]; [reflexivity|]. cbn [map lost nth size lsum] in *. unfold size in IH. cbn [lsum].
    rewrite IH.
  lia.
Qed.

Lemma with_signs_within n m f cells : within n m cells -> within n m (with_signs f cells).
Proof.
  intros V x y w I. apply in_map_iff in I as [[[x' y'] w'] [E I]]. injection E as <- <- _. exact (V _ _ _ I).
Qed.

Definition inside (f : problem) (cells : weights) := forall x y w, In (x, y, w) cells -> f x y <> None.
Definition mistake (f : problem) a (b : nat -> nat -> bool) x y : Z :=
  match f x y with Some v => if Bool.eqb (b (a x) y) v then 0 else 1 | None => 0 end.

Lemma weigh_mistakes f a b cells : inside f cells ->
  2 * weigh (mistake f a b) cells = mass cells - weigh (fun x y => sign (b (a x) y)) (with_signs f cells).
Proof.
  intros I. induction cells as [|[[x y] w] cells IH]; [reflexivity|].
  cbn [weigh mass with_signs map lsum snd]. fold (weigh (mistake f a b) cells) (mass cells) (with_signs f cells).
  fold (weigh (fun x y => sign (b (a x) y)) (with_signs f cells)).
  specialize (IH (fun x y w H => I x y w (in_cons _ _ _ H))). specialize (I x y w (in_eq _ _)).
  unfold mistake at 1. destruct (f x y) as [v|]; [|congruence]. unfold sign at 1.
  destruct v, (b (a x) y); cbn [Bool.eqb]; lia.
Qed.

Lemma weigh_rows n m g cells M : within n m cells -> grid_of cells = Some M ->
  let xs := rows_in n M in let ys := columns_in m cells in
  weigh (fun x y => sign (g x y)) cells
  = sizes (rows_of M xs ys) - zsum (length xs) (fun j => lost (fun t => g (nth j xs O) (nth t ys O)) (nth j (rows_of
    M xs ys) [])).
Proof.
  intros V E xs ys. rewrite (weigh_at n m _ cells V). unfold zsum at 1.
  rewrite <- (lsum_filter (fun x => PositiveMap.mem (key x) M)).
  2:{ intros x _ H. unfold zsum. rewrite (lsum_ext _ (fun _ => 0)); [apply lsum_zero|]. intros y _.
      rewrite <- (grid_entry cells M E). unfold row_in. rewrite PositiveMap.mem_find in H.
      destruct (PositiveMap.find (key x) M); [discriminate|]. unfold entry_in. rewrite PositiveMap.gempty.
        reflexivity. }
  fold (rows_in n M). fold xs. unfold sizes, rows_of. rewrite lsum_map. cbv zeta.
  rewrite <- (zsum_list O (fun x => size (map (entry_in (row_in M x)) ys)) xs). rewrite <- zsum_minus.
  rewrite <- (zsum_list O _ xs). apply zsum_ext. intros j J.
  pose proof (map_nth (fun x => map (entry_in (row_in M x)) ys) xs O j) as N.
  rewrite (nth_indep _ [] (map (entry_in (row_in M 0)) ys)) by (rewrite map_length; lia). rewrite N.
  rewrite (lost_nth (fun y => g (nth j xs O) y)).
  unfold zsum. rewrite <- (lsum_filter (fun y => PositiveMap.mem (key y) (columns_of cells)) _ (seq 0 m)).
  - change (filter _ (seq 0 m)) with ys.
    rewrite (lsum_ext (fun y => weight_at cells (nth j xs O) y * sign (g (nth j xs O) y))
      (fun y => sign (g (nth j xs O) y) * entry_in (row_in M (nth j xs O)) y)); [lia|].
    intros y _. rewrite (grid_entry cells M E). lia.
  - intros y _ H. rewrite (columns_out _ y cells H). lia.
Qed.

(* the rows and the least error that a bound for them gives *)
Definition quotient (a b : Z) : Q := match b with Zpos p => a # p | _ => 0 end.

Theorem forced_average n m f k cells M B e :
  within n m cells -> inside f cells -> 0 < mass cells -> grid_of (with_signs f cells) = Some M ->
  let rows := rows_of M (rows_in n M) (columns_in m (with_signs f cells)) in
  forced rows k B -> reached_on_average n m f k (shares cells) e ->
  (quotient (mass cells - sizes rows + B) (2 * mass cells) <= e)%Q.
Proof.
  intros V I P E rows Fo [a [b [A L]]].
  assert (average n m (shares cells) (error k f (tables a b)) == average n m (shares cells) (fun x y => inject_Z
    (mistake f a b x y)))%Q as X.
  { apply average_ext. intros x y Hx _. rewrite tables_error by auto. unfold wrong, mistake.
    destruct (f x y) as [[|]|]; destruct (b (a x) y); reflexivity. }
  rewrite X in L. pose proof (average_weigh n m cells (mistake f a b) V P) as W.
  pose proof (weigh_mistakes f a b cells I) as D.
  pose proof (weigh_rows n m (fun x y => b (a x) y) (with_signs f cells) M (with_signs_within n m f cells V) E) as S.
    cbv zeta in S.
  set (xs := rows_in n M) in *. set (ys := columns_in m (with_signs f cells)) in *.
  specialize (Fo (fun j => a (nth j xs O)) (fun i t => b i (nth t ys O))).
  assert (length rows = length xs) as Len by (unfold rows, rows_of; apply map_length).
  rewrite Len in Fo. fold rows in S. specialize (Fo ltac:(intros j Hj; apply A;
    assert (In (nth j xs O) (seq 0 n)) as J by (apply (filter_In (fun x => PositiveMap.mem (key x) M)), nth_In, Hj);
    apply in_seq in J; lia)).
  cbv beta in Fo, S, D. assert (mass cells - sizes rows + B <= 2 * weigh (mistake f a b) cells) as G by lia. clear -
    G L W P.
  set (av := average n m (shares cells) (fun x y => inject_Z (mistake f a b x y))) in *.
  destruct (mass cells) as [|p|] eqn:Mp; try lia. change (2 * Z.pos p) with (Z.pos p~0). cbn [quotient].
  apply Qle_trans with av; [|exact L]. apply (Qmult_le_r _ _ (inject_Z (Z.pos p~0))); [reflexivity|].
  setoid_replace (av * inject_Z (Z.pos p~0))%Q with (inject_Z (2 * weigh (mistake f a b) cells)).
  - setoid_replace ((Z.pos p - sizes rows + B # p~0) * inject_Z (Z.pos p~0))%Q with (inject_Z (Z.pos p - sizes rows +
      B)).
    + rewrite <- Zle_Qle. exact G.
    + unfold Qeq. cbn. lia.
  - rewrite inject_Z_mult, <- W. change (Z.pos p~0) with (2 * Z.pos p). rewrite inject_Z_mult. ring.
Qed.

(* more messages than rows are of no use *)
Lemma forced_few rows k B : forced rows (Nat.min k (length rows)) B -> forced rows k B.
Proof.
  intros Fo a z A. destruct (Nat.le_gt_cases k (length rows)) as [H|H].
  - rewrite Nat.min_l in Fo by exact H. apply Fo, A.
  - rewrite Nat.min_r in Fo by lia. set (N := length rows) in *.
    set (same := fun i j => (a i =? a j)%nat).
    set (a' := fun j => match find (fun i => same i j) (seq 0 N) with Some i => i | None => O end).
    assert (forall j, (j < N)%nat -> (a' j < N)%nat /\ a (a' j) = a j) as A'.
    { intros j Hj. unfold a'. destruct (find (fun i => same i j) (seq 0 N)) as [i|] eqn:Fi.
      - apply find_some in Fi as [I S]. apply in_seq in I. apply Nat.eqb_eq in S. split; [lia|exact S].
      - exfalso. pose proof (find_none _ _ Fi j ltac:(apply in_seq; lia)) as X. unfold same in X.
        rewrite Nat.eqb_refl in X. discriminate. }
    specialize (Fo a' (fun i => z (a i)) (fun j Hj => proj1 (A' j Hj))).
    rewrite (zsum_ext N (fun j => lost (z (a j)) (nth j rows [])) (fun j => lost (z (a (a' j))) (nth j rows [])));
      [exact Fo|].
    intros j Hj. rewrite (proj2 (A' j Hj)). reflexivity.
Qed.

Lemma lost_pos z r : 0 <= lost z r.
Proof.
  revert z. induction r as [|w r IH]; intros z; [cbn; lia|]. cbn. specialize (IH (fun y => z (S y))).
  unfold sign. destruct (z O); lia.
Qed.
Lemma forced_nothing rows k : forced rows k 0.
Proof.
  intros a z _. apply lsum_nonneg. intros j _. apply lost_pos.
Qed.

(* the average is that of a law *)
Lemma shares_law n m cells : within n m cells -> 0 < mass cells ->
  (average n m (shares cells) (fun _ _ => 1) == 1)%Q.
Proof.
  intros V P. pose proof (average_weigh n m cells (fun _ _ => 1) V P) as W. rewrite <- mass_weigh in W.
  assert (0 < inject_Z (mass cells))%Q as PQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P).
  change (inject_Z 1) with 1%Q in W. apply (Qmult_inj_r _ _ (inject_Z (mass cells))); [lra|]. rewrite W. lra.
Qed.
Lemma shares_pos cells x y : (forall c, In c cells -> 0 <= snd c) -> (0 <= shares cells x y)%Q.
Proof.
  intros H. unfold shares.
  assert (forall l : weights, (forall c, In c l -> 0 <= snd c) -> 0 <= weight_at l x y /\ 0 <= mass l) as G.
  { induction l as [|[[x' y'] w] l IH]; intros L; [cbn; lia|]. specialize (IH (fun c C => L c (in_cons _ _ _ C))).
    specialize (L _ (in_eq _ _)). cbn [snd] in L. cbn [weight_at mass lsum snd]. fold (weight_at l x y) (mass l).
    destruct (_ && _); lia. }
  destruct (G cells H) as [G1 G2]. unfold Qdiv. apply Qmult_le_0_compat.
  - change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. exact G1.
  - apply Qinv_le_0_compat. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. exact G2.
Qed.
