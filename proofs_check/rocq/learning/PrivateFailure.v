(* The least failure of private learners: flows between neighbouring samples from below, a learner
   from above. *)
From Coq Require Import String List ZArith QArith Lia Lqa Bool Permutation.
From CCSim Require Import Definitions Sums Mixture Json Certificate Representations Draws Learners.
From CCSim Require Import LearnerTables Simplices LearnerFailure.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- gains: an integer for each function on each sample; a sample is a key of the tree ---- *)

Inductive gains := Empty | Cell (left : gains) (v : list Z) (right : gains).
Fixpoint plus (v w : list Z) : list Z :=
  match v, w with [], _ => w | _, [] => v | a :: v', b :: w' => a + b :: plus v' w' end.
Fixpoint add_at (k : positive) (w : list Z) (t : gains) : gains :=
  match k, t with
  | xH, Empty => Cell Empty w Empty
  | xH, Cell l v r => Cell l (plus v w) r
  | xO k', Empty => Cell (add_at k' w Empty) [] Empty
  | xO k', Cell l v r => Cell (add_at k' w l) v r
  | xI k', Empty => Cell Empty [] (add_at k' w Empty)
  | xI k', Cell l v r => Cell l v (add_at k' w r)
  end.
Definition largest (K : nat) (v : list Z) : Z :=
  match (if (length v <? K)%nat then 0 :: v else v) with [] => 0 | a :: v' => fold_left Z.max v' a end.
Fixpoint top (K : nat) (t : gains) : Z :=
  match t with Empty => 0 | Cell l v r => top K l + largest K v + top K r end.

Fixpoint form (v : list Z) (p : nat -> Q) : Q :=
  match v with [] => 0%Q | a :: v' => (inject_Z a * p O + form v' (fun i => p (S i)))%Q end.
Fixpoint gained (t : gains) (p : positive -> nat -> Q) : Q :=
  match t with
  | Empty => 0%Q
  | Cell l v r => (gained l (fun k => p (xO k)) + form v (p xH) + gained r (fun k => p (xI k)))%Q
  end.

Lemma form_plus : forall v w p, (form (plus v w) p == form v p + form w p)%Q.
Proof.
  induction v as [|a v IH]; intros [|b w] p; cbn; try ring. rewrite IH, inject_Z_plus. ring.
Qed.
Lemma add_gained : forall k w t p, (gained (add_at k w t) p == gained t p + form w (p k))%Q.
Proof.
  induction k as [k IH|k IH|]; intros w [|l v r] p; cbn; rewrite ?IH, ?form_plus; cbn; try ring.
Qed.
Lemma form_sum : forall v p, (form v p == sum (length v) (fun i => inject_Z (nth i v 0%Z) * p i))%Q.
Proof. induction v as [|a v IH]; intros p; [reflexivity|]. cbn [form length]. rewrite sum_shift, IH. reflexivity. Qed.
Lemma fold_max_ge : forall l a, a <= fold_left Z.max l a /\ forall z, In z l -> z <= fold_left Z.max l a.
Proof.
  induction l as [|b l IH]; intros a; cbn; [split; [lia|contradiction]|].
  destruct (IH (Z.max a b)) as [H G]. split; [lia|]. intros z [<-|Hz]; [lia|auto].
Qed.
Lemma largest_ge K v : (forall z, In z v -> z <= largest K v) /\ ((length v < K)%nat -> 0 <= largest K v).
Proof.
  unfold largest. destruct (Nat.ltb_spec (length v) K).
  - destruct (fold_max_ge v 0) as [H1 H2]. auto.
  - split; [|lia]. destruct v as [|a v]; [contradiction|]. destruct (fold_max_ge v a) as [H1 H2].
    intros z [<-|Hz]; auto.
Qed.
Lemma sum_beyond K p : (forall i, (K <= i)%nat -> p i == 0)%Q -> forall n, (K <= n)%nat -> (sum n p == sum K p)%Q.
Proof.
  intros H. induction n as [|n IH]; intros L; [replace K with O by lia; reflexivity|].
  destruct (Nat.eq_dec K (S n)) as [->|]; [reflexivity|]. cbn. rewrite IH, (H n) by lia. ring.
Qed.
Lemma sum_part K p : law K p -> forall n, (n <= K)%nat -> (sum n p <= 1)%Q.
Proof.
  intros [P E] n. rewrite <- E. clear E. intros L. induction L as [|K L IH]; [apply Qle_refl|]. cbn.
  specialize (IH ltac:(intros; apply P; lia)). specialize (P K ltac:(lia)). lra.
Qed.
Lemma form_largest K v p : law K p -> (forall i, (K <= i)%nat -> p i == 0)%Q -> (form v p <= inject_Z (largest K v))%Q.
Proof.
  intros L B. rewrite form_sum. destruct (largest_ge K v) as [G N]. set (M := largest K v) in *.
  assert (forall i, 0 <= p i)%Q as P.
  { intros i. destruct (le_lt_dec K i) as [H|H]; [rewrite (B i H); lra|apply L, H]. }
  apply (Qle_trans _ (sum (length v) (fun i => inject_Z M * p i)%Q)).
  - apply sum_le. intros i Hi. apply Qmult_le_compat_r; [|apply P]. rewrite <- Zle_Qle. apply G, nth_In, Hi.
  - rewrite sum_scale. destruct (le_lt_dec K (length v)) as [H|H].
    + rewrite (sum_beyond K p B _ H). destruct L as [_ ->]. rewrite Qmult_1_r. apply Qle_refl.
    + assert (0 <= inject_Z M)%Q as MP by (change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; apply N, H).
      pose proof (sum_part K p L (length v) ltac:(lia)). nra.
Qed.
Lemma gained_top K : forall t p, (forall k, law K (p k)) -> (forall k i, (K <= i)%nat -> p k i == 0)%Q ->
  (gained t p <= inject_Z (top K t))%Q.
Proof.
  induction t as [|l IHl v r IHr]; intros p L B; cbn; [apply Qle_refl|].
  rewrite !inject_Z_plus.
  specialize (IHl (fun k => p (xO k)) ltac:(intros; apply L) ltac:(intros; apply B; auto)).
  specialize (IHr (fun k => p (xI k)) ltac:(intros; apply L) ltac:(intros; apply B; auto)).
  pose proof (form_largest K v (p xH) (L xH) (B xH)). lra.
Qed.

(* where laws exceed each other by delta at most on every event: what is moved between two samples
   counts with its largest amount *)
Fixpoint nonnegative (t : gains) : Prop :=
  match t with Empty => True | Cell l v r => nonnegative l /\ (forall z, In z v -> 0 <= z) /\ nonnegative r end.
Lemma plus_nonnegative : forall v w, (forall z, In z v -> 0 <= z) -> (forall z, In z w -> 0 <= z) ->
  forall z, In z (plus v w) -> 0 <= z.
Proof.
  induction v as [|a v IH]; intros [|b w] V W z H; cbn [plus] in H; auto.
  destruct H as [<-|H]; [pose proof (V a (or_introl eq_refl)); pose proof (W b (or_introl eq_refl)); lia|].
  apply (IH w); auto; intros; [apply V|apply W]; right; assumption.
Qed.
Lemma add_nonnegative : forall k w t, (forall z, In z w -> 0 <= z) -> nonnegative t -> nonnegative (add_at k w t).
Proof.
  induction k as [k IH|k IH|]; intros w [|l v r] W T; cbn [add_at nonnegative] in *;
    repeat split; auto; try contradiction; try (apply IH; cbn; tauto); try tauto.
  apply plus_nonnegative; tauto.
Qed.
Lemma sum_upto K g : (forall i, 0 <= g i)%Q -> (forall i, (K <= i)%nat -> g i == 0)%Q -> forall n, (sum n g <= sum K g)%Q.
Proof.
  intros P B n. destruct (le_lt_dec K n) as [H|H]; [rewrite (sum_beyond K g B n H); apply Qle_refl|].
  clear B. induction H as [|K H IH]; cbn; [specialize (P n); lra|specialize (P K); lra].
Qed.
Lemma form_exceeding K v z delta : (0 < K)%nat -> (forall a, In a v -> 0 <= a) -> (forall i, (K <= i)%nat -> z i == 0)%Q ->
  (forall event : nat -> bool, sum K (fun i => z i * chance (event i)) <= delta)%Q ->
  (form v z <= delta * inject_Z (largest K v))%Q.
Proof.
  intros PK V B H. rewrite form_sum. destruct (largest_ge K v) as [G N]. set (M := largest K v) in *.
  assert (0 <= M) as M0.
  { destruct (Nat.ltb_spec (length v) K) as [L|L]; [apply N, L|]. destruct v as [|a v]; [cbn in L; lia|].
    pose proof (V a (or_introl eq_refl)). pose proof (G a (or_introl eq_refl)). lia. }
  assert (0 <= inject_Z M)%Q as MQ by (change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; exact M0).
  set (event i := negb (Qle_bool (z i) 0)). set (g i := (z i * chance (event i))%Q).
  assert (forall i, 0 <= g i /\ z i <= g i)%Q as GP.
  { intros i. unfold g, event. destruct (Qle_bool (z i) 0) eqn:E; cbn [negb chance].
    - apply Qle_bool_iff in E. lra.
    - assert (0 < z i)%Q by (apply Qnot_le_lt; intros C; apply Qle_bool_iff in C; congruence). lra. }
  apply (Qle_trans _ (sum (length v) (fun i => inject_Z M * g i)%Q)).
  - apply sum_le. intros i Hi. destruct (GP i) as [G0 G1].
    pose proof (V _ (nth_In v 0 Hi)) as V0. pose proof (G _ (nth_In v 0 Hi)) as V1. rewrite Zle_Qle in V0, V1.
    change (inject_Z 0) with 0%Q in V0. set (a := inject_Z (nth i v 0)) in *. nra.
  - rewrite sum_scale. specialize (H event). fold g in H.
    assert (sum (length v) g <= sum K g)%Q as U.
    { apply sum_upto; [intros i; apply GP|]. intros i Hi. unfold g. rewrite (B i Hi). ring. }
    nra.
Qed.
Lemma gained_exceeding K delta : (0 < K)%nat -> forall t z, nonnegative t ->
  (forall k i, (K <= i)%nat -> z k i == 0)%Q ->
  (forall k (event : nat -> bool), sum K (fun i => z k i * chance (event i)) <= delta)%Q ->
  (gained t z <= delta * inject_Z (top K t))%Q.
Proof.
  intros PK. induction t as [|l IHl v r IHr]; intros z NT B H; cbn [gained top]; [change (inject_Z 0) with 0%Q; lra|].
  destruct NT as [Nl [Nv Nr]]. rewrite !inject_Z_plus.
  specialize (IHl (fun k => z (xO k)) Nl ltac:(intros; apply B; auto) ltac:(intros; apply H)).
  specialize (IHr (fun k => z (xI k)) Nr ltac:(intros; apply B; auto) ltac:(intros; apply H)).
  pose proof (form_exceeding K v (z xH) delta PK Nv (B xH) (H xH)). lra.
Qed.

(* ---- the gains of targets ---- *)

Definition weight_of (D : list Z) (l : list nat) : Z := fold_right (fun x z => nth x D 0 * z) 1 l.
Definition sample_key (f : list bool) (l : list nat) : positive := key (sorted (numbers (labelled (of_row f) l))).
Definition add_target (m n : nat) (a : Q) (f : list bool) (D : list Z) (share_ : Z) (t : gains) : gains :=
  let good := goods m a (total D) [D] f in
  fold_right (fun l t => let z := share_ * weight_of D l in
    if z =? 0 then t else add_at (sample_key f l) (map (fun g : bool => if g then z else 0) good) t)
    t (sequences m n).

Lemma form_masked z : forall (good : list bool) p,
  (form (map (fun g : bool => if g then z else 0%Z) good) p
   == inject_Z z * sum (length good) (fun i => p i * chance (nth i good false)))%Q.
Proof.
  induction good as [|g good IH]; intros p; [cbn; ring|]. cbn [map form length]. rewrite sum_shift, IH. cbn [nth].
  destruct g; cbn [chance]; ring.
Qed.
Lemma lsum_seq g : forall m, (lsum g (seq 0 m) == sum m g)%Q.
Proof.
  induction m as [|m IH]; [reflexivity|]. rewrite seq_S, lsum_app, IH. cbn. ring.
Qed.
Lemma sequences_mixed m D : forall n F, (lsum (fun l => inject_Z (weight_of D l) * F l) (sequences m n)
  == mixed m (repeat (weight D) n) F)%Q.
Proof.
  induction n as [|n IH]; intros F; [cbn; ring|]. cbn [sequences repeat mixed].
  rewrite lsum_flat_map, lsum_seq. apply sum_ext. intros x Hx. rewrite lsum_map, <- IH, <- lsum_scale.
  apply lsum_ext. intros l _. cbn [weight_of fold_right]. fold (weight_of D l). rewrite inject_Z_mult.
  unfold weight. ring.
Qed.
Lemma add_target_gained m n a f D s t p : (gained (add_target m n a f D s t) p == gained t p
  + inject_Z s * mixed m (repeat (weight D) n) (fun l =>
      sum (length (functions m)) (fun i => p (sample_key f l) i * chance (nth i (goods m a (total D) [D] f) false))))%Q.
Proof.
  rewrite <- sequences_mixed. unfold add_target. set (good := goods m a (total D) [D] f).
  assert (length good = length (functions m)) as K by apply map_length. rewrite <- K. clearbody good. clear K.
  induction (sequences m n) as [|l q IH]; cbn [fold_right lsum]; [ring|].
  destruct (Z.eqb_spec (s * weight_of D l) 0) as [E|E].
  - rewrite IH. set (X := lsum _ q).
    assert (inject_Z s * inject_Z (weight_of D l) == 0)%Q as Z by (rewrite <- inject_Z_mult, E; reflexivity).
    set (Y := sum _ _). setoid_replace (inject_Z s * (inject_Z (weight_of D l) * Y + X))%Q
      with ((inject_Z s * inject_Z (weight_of D l)) * Y + inject_Z s * X)%Q by ring. rewrite Z. ring.
  - rewrite add_gained, IH, form_masked, inject_Z_mult. ring.
Qed.

(* ---- flows ---- *)

Fixpoint without (x : nat) (l : list nat) : list nat :=
  match l with [] => [] | y :: l' => if (x =? y)%nat then l' else y :: without x l' end.
Definition near (S T : list nat) : bool :=
  existsb (fun x => existsb (fun y => negb (x =? y)%nat &&
    if list_eq_dec Nat.eq_dec (without x S) (without y T) then true else false) T) S.
Lemma without_perm x : forall l, In x l -> Permutation l (x :: without x l).
Proof.
  induction l as [|y l IH]; cbn; intros H; [contradiction|]. destruct (Nat.eqb_spec x y) as [->|N]; [reflexivity|].
  destruct H as [->|H]; [contradiction|]. rewrite perm_swap. apply perm_skip, IH, H.
Qed.
Lemma near_spec S T : near S T = true -> exists x y r, Permutation S (x :: r) /\ Permutation T (y :: r).
Proof.
  unfold near. intros H. apply existsb_exists in H as [x [X H]]. apply existsb_exists in H as [y [Y H]].
  apply andb_prop in H as [_ H]. destruct (list_eq_dec _ _ _) as [E|]; [|discriminate].
  exists x, y, (without x S). split; [apply without_perm, X|]. rewrite E. apply without_perm, Y.
Qed.

Definition flow := (list nat * list nat * nat * Z)%type.
Definition at_function (h : nat) (z : Z) : list Z := repeat 0 h ++ [z].
Definition add_flow (a b : Z) (t : gains) (e : flow) : gains :=
  let '(U, V, h, y) := e in add_at (key V) (at_function h (a * y)) (add_at (key U) (at_function h (- (b * y))) t).
Definition add_moved (t : gains) (e : flow) : gains :=
  let '(U, V, h, y) := e in add_at (key (U ++ V)) (at_function h y) t.
Definition flow_ok m n (e : flow) : bool :=
  let '(U, V, h, y) := e in
  near U V && (0 <=? y) && (h <? length (functions m))%nat
  && forallb (fun R => (length R =? n)%nat && forallb (fun x => x <? 2 * m)%nat R) [U; V].

Lemma form_at_function : forall h z p, (form (at_function h z) p == inject_Z z * p h)%Q.
Proof. induction h as [|h IH]; intros z p; cbn; [ring|]. unfold at_function in IH. rewrite IH. ring. Qed.

Definition example_of (c : nat) : example := (Nat.div2 c, Nat.odd c).
Lemma example_of_number z : example_of (number_of_example z) = z.
Proof.
  destruct z as [x b]. unfold example_of, number_of_example. cbn [fst snd].
  destruct b; [replace (2 * x + 1)%nat with (S (2 * x)) by lia; rewrite Nat.div2_succ_double|
    rewrite Nat.add_0_r, Nat.div2_double]; f_equal.
  - rewrite Nat.odd_succ, Nat.even_mul. reflexivity.
  - rewrite Nat.odd_mul. reflexivity.
Qed.
Lemma examples_sample m n R : (length R =? n)%nat && forallb (fun x => x <? 2 * m)%nat R = true ->
  sample m n (map example_of R).
Proof.
  intros H. apply andb_prop in H as [L B]. apply Nat.eqb_eq in L. rewrite forallb_forall in B.
  split; [rewrite map_length; exact L|]. intros z H. apply in_map_iff in H as [c [<- H]].
  specialize (B c H). apply Nat.ltb_lt in B. cbn. pose proof (Nat.div2_odd c) as O.
  destruct (Nat.odd c); cbn [Nat.b2n] in O; lia.
Qed.

Section Learner.
Context (m n : nat) (p : list example -> nat -> Q) (factor delta : Q).
Let K := length (functions m).
Hypothesis Law : forall S, sample m n S -> law K (p S).
Hypothesis Order : forall S T i, Permutation S T -> (p S i == p T i)%Q.
Hypothesis Private : forall S T (event : nat -> bool), sample m n S -> sample m n T -> one_replaced S T ->
  (sum K (fun i => p S i * chance (event i)) <= factor * sum K (fun i => p T i * chance (event i)) + delta)%Q.
Hypothesis delta_nonneg : (0 <= delta)%Q.

(* what the learner answers on the sample of a key *)
Definition is_sample (S : list example) : bool := (length S =? n)%nat && forallb (fun z => fst z <? m)%nat S.
Definition at_key (k : positive) (i : nat) : Q :=
  let S := map example_of (unkey k 0) in
  if (i <? K)%nat then (if is_sample S then p S i else chance (0 =? i)%nat) else 0%Q.
Lemma is_sample_spec S : is_sample S = true <-> sample m n S.
Proof.
  unfold is_sample, sample. rewrite andb_true_iff, Nat.eqb_eq, forallb_forall.
  split; intros [L B]; (split; [exact L|]); intros z Hz; specialize (B z Hz); apply Nat.ltb_lt; exact B.
Qed.
Lemma functions_some : (0 < K)%nat.
Proof. destruct (code_spec m (fun _ => false)) as [H _]. unfold K. lia. Qed.
Lemma at_key_law k : law K (at_key k).
Proof.
  unfold at_key. set (S := map example_of (unkey k 0)). split.
  - intros i Hi. destruct (Nat.ltb_spec i K); [|lia]. destruct (is_sample S) eqn:E.
    + apply Law; [apply is_sample_spec, E|exact Hi].
    + apply chance_01.
  - destruct (is_sample S) eqn:E.
    + destruct (Law S (proj1 (is_sample_spec S) E)) as [_ <-]. apply sum_ext. intros i Hi.
      destruct (Nat.ltb_spec i K); [reflexivity|lia].
    + rewrite (sum_ext K _ (fun i => 1 * chance (0 =? i)%nat)%Q).
      * rewrite (sum_one K 0 (fun _ => 1%Q)); [reflexivity|apply functions_some].
      * intros i Hi. destruct (Nat.ltb_spec i K); [ring|lia].
Qed.
Lemma at_key_beyond k i : (K <= i)%nat -> (at_key k i == 0)%Q.
Proof. intros H. unfold at_key. destruct (Nat.ltb_spec i K); [lia|reflexivity]. Qed.
Lemma at_key_of S i : sample m n (map example_of S) -> (i < K)%nat -> (at_key (key S) i == p (map example_of S) i)%Q.
Proof.
  intros HS Hi. unfold at_key. rewrite unkey_key. destruct (Nat.ltb_spec i K); [|lia].
  rewrite (proj2 (is_sample_spec _) HS). reflexivity.
Qed.
Lemma at_sample_key f l i : records m n l -> (i < K)%nat ->
  (at_key (sample_key f l) i == p (labelled (of_row f) l) i)%Q.
Proof.
  intros R Hi. unfold sample_key. set (S := labelled (of_row f) l).
  assert (Permutation S (map example_of (sorted (numbers S)))) as P.
  { rewrite <- (Permutation_map example_of (sorted_permutation (numbers S))).
    unfold numbers. rewrite map_map. rewrite (map_ext _ (fun z => z)) by apply example_of_number. rewrite map_id. reflexivity. }
  rewrite at_key_of; [symmetry; apply Order, P| |exact Hi].
  eapply sample_perm; [exact P|]. apply labelled_sample, R.
Qed.

(* what the law on one of two neighbours has beyond factor times that on the other *)
Definition valid (R : list nat) : bool := (length R =? n)%nat && forallb (fun x => x <? 2 * m)%nat R.
Definition excess (k : positive) (i : nat) : Q :=
  let U := firstn n (unkey k 0) in let V := skipn n (unkey k 0) in
  if (i <? K)%nat && near U V && valid U && valid V
  then (p (map example_of U) i - factor * p (map example_of V) i)%Q else 0%Q.
Lemma excess_of U V h y : flow_ok m n (U, V, h, y) = true ->
  (excess (key (U ++ V)) h == at_key (key U) h - factor * at_key (key V) h)%Q.
Proof.
  unfold flow_ok. intros C. apply andb_prop in C as [C R].
  apply andb_prop in C as [C H]. apply andb_prop in C as [N Y]. pose proof H as H'. apply Nat.ltb_lt in H'.
  cbn [forallb] in R. rewrite andb_true_r in R. apply andb_prop in R as [RU RV].
  rewrite (at_key_of U h (examples_sample _ _ _ RU) H'), (at_key_of V h (examples_sample _ _ _ RV) H').
  pose proof RU as L. apply andb_prop in L as [L _]. apply Nat.eqb_eq in L.
  unfold excess. rewrite unkey_key.
  assert (firstn n (U ++ V) = U /\ skipn n (U ++ V) = V) as [-> ->].
  { rewrite <- L, firstn_app, skipn_app, Nat.sub_diag, firstn_all, skipn_all, firstn_O, app_nil_r. auto. }
  unfold valid. fold K in H. rewrite H, N, RU, RV. reflexivity.
Qed.
Lemma excess_beyond k i : (K <= i)%nat -> (excess k i == 0)%Q.
Proof. intros H. unfold excess. destruct (Nat.ltb_spec i K); [lia|reflexivity]. Qed.
Lemma excess_event k (event : nat -> bool) : (sum K (fun i => excess k i * chance (event i)) <= delta)%Q.
Proof.
  unfold excess. cbv zeta. set (U := firstn n (unkey k 0)). set (V := skipn n (unkey k 0)).
  destruct (near U V && valid U && valid V) eqn:C.
  - apply andb_prop in C as [C RV]. apply andb_prop in C as [N RU].
    pose proof N as N'. pose proof RU as RU'. pose proof RV as RV'. apply examples_sample in RU, RV.
    apply near_spec in N as [x [z [r [PS PT]]]]. apply (Permutation_map example_of) in PS, PT. cbn [map] in PS, PT.
    pose proof (Private (example_of x :: map example_of r) (example_of z :: map example_of r) event
      ltac:(eapply sample_perm; [exact PS|exact RU]) ltac:(eapply sample_perm; [exact PT|exact RV])) as H.
    assert (one_replaced (example_of x :: map example_of r) (example_of z :: map example_of r)) as O
      by (exists [], (example_of x), (example_of z), (map example_of r); auto).
    specialize (H O). rewrite <- sum_scale in H.
    rewrite (sum_ext K _ (fun i => p (example_of x :: map example_of r) i * chance (event i)
      + -(1) * (factor * (p (example_of z :: map example_of r) i * chance (event i))))%Q).
    + rewrite sum_plus, (sum_scale K (-(1))%Q). lra.
    + intros i Hi. destruct (Nat.ltb_spec i K); [|lia]. rewrite N', RU', RV'. cbn [andb]. rewrite (Order _ _ i PS), (Order _ _ i PT). ring.
  - rewrite (sum_ext K _ (fun _ => 0%Q)); [rewrite sum_zero; exact delta_nonneg|]. intros i _.
    rewrite <- !andb_assoc in *. rewrite C, andb_false_r. ring.
Qed.

Lemma add_flow_gained t moved e : flow_ok m n e = true ->
  (gained (add_flow (Qnum factor) (QDen factor) t e) at_key + inject_Z (QDen factor) * gained (add_moved moved e) excess
   == gained t at_key + inject_Z (QDen factor) * gained moved excess)%Q.
Proof.
  destruct e as [[[U V] h] y]. intros C. unfold add_flow, add_moved. rewrite !add_gained, !form_at_function.
  rewrite (excess_of U V h y C), inject_Z_opp, !inject_Z_mult.
  assert (inject_Z (Qnum factor) == factor * inject_Z (QDen factor))%Q as ->.
  { destruct factor as [a b]. unfold Qeq, Qmult, inject_Z. cbn. lia. }
  ring.
Qed.
Lemma add_flows_gained : forall flows t moved, forallb (flow_ok m n) flows = true -> nonnegative moved ->
  nonnegative (fold_left add_moved flows moved) /\
  (gained t at_key + inject_Z (QDen factor) * gained moved excess
   == gained (fold_left (add_flow (Qnum factor) (QDen factor)) flows t) at_key
      + inject_Z (QDen factor) * gained (fold_left add_moved flows moved) excess)%Q.
Proof.
  induction flows as [|e flows IH]; intros t moved H NM; cbn [fold_left forallb] in *; [split; [exact NM|reflexivity]|].
  apply andb_prop in H as [E H].
  assert (nonnegative (add_moved moved e)) as NE.
  { destruct e as [[[U V] h] y]. unfold add_moved. apply add_nonnegative; [|exact NM].
    unfold flow_ok in E. apply andb_prop in E as [E _]. apply andb_prop in E as [E _]. apply andb_prop in E as [_ Y].
    apply Z.leb_le in Y. unfold at_function. intros z Hz. apply in_app_or in Hz as [Hz|[<-|[]]]; [|exact Y].
    apply repeat_spec in Hz. lia. }
  destruct (IH (add_flow (Qnum factor) (QDen factor) t e) (add_moved moved e) H NE) as [R G].
  split; [exact R|]. rewrite <- G. symmetry. apply add_flow_gained, E.
Qed.
Lemma flows_gained flows t : forallb (flow_ok m n) flows = true ->
  (gained t at_key <= gained (fold_left (add_flow (Qnum factor) (QDen factor)) flows t) at_key
     + inject_Z (QDen factor) * (delta * inject_Z (top K (fold_left add_moved flows Empty))))%Q.
Proof.
  intros H. destruct (add_flows_gained flows t Empty H I) as [N G].
  pose proof (gained_exceeding K delta functions_some _ excess N excess_beyond excess_event) as B.
  assert (0 < inject_Z (QDen factor))%Q as P by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  change (gained Empty excess) with 0%Q in G. nra.
Qed.

(* a target's gains are its share of the success *)
Lemma target_gained a f D s t e : length f = m -> is_law D = true -> length D = m -> 0 <= s ->
  (1 - e <= drawn m (share D) n (fun l => sum K (fun i => p (labelled (of_row f) l) i
     * chance (is_good m (share D) a (function m i) (of_row f)))))%Q ->
  (gained t at_key + inject_Z (s * total D ^ Z.of_nat n) * (1 - e)
   <= gained (add_target m n a f D s t) at_key)%Q.
Proof.
  intros Lf LD KD Ps E. rewrite add_target_gained. fold K.
  pose proof (total_pos D LD) as P.
  assert (0 <= inject_Z (s * total D ^ Z.of_nat n))%Q as Q0.
  { change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. apply Z.mul_nonneg_nonneg; [exact Ps|]. apply Z.pow_nonneg.
    apply total_lt in LD. lia. }
  set (G := drawn _ _ _ _) in E.
  assert (inject_Z s * mixed m (repeat (weight D) n) (fun l => sum K (fun i => at_key (sample_key f l) i
    * chance (nth i (goods m a (total D) [D] f) false))) == inject_Z (s * total D ^ Z.of_nat n) * G)%Q as ->; [|nra].
  rewrite inject_Z_mult, <- Qmult_assoc. apply Qmult_comp; [reflexivity|].
  replace (repeat (weight D) n) with (map weight (repeat D n)) by (clear; induction n; cbn; congruence).
  rewrite <- (mixed_shares m (total D) (repeat D n))
    by (intros c Hc; apply repeat_spec in Hc as ->; auto).
  rewrite repeat_length, Qmult_comm. apply Qmult_comp; [reflexivity|].
  unfold G. rewrite drawn_mixed.
  replace (map share (repeat D n)) with (repeat (share D) n) by (clear; induction n; cbn; congruence).
  apply mixed_ext. rewrite repeat_length. intros l R. apply sum_ext. intros i Hi.
  rewrite (at_sample_key f l i R Hi). apply Qmult_comp; [reflexivity|].
  rewrite goods_spec; [|right; exists D; auto|exact Lf|exact Hi]. cbn [forallb]. rewrite andb_true_r. reflexivity.
Qed.
End Learner.

(* ---- the bound ---- *)

Definition aim := (nat * list Z)%type.                       (* a concept, by number, and a law *)
Definition add_targets (q : learning) (targets : list (aim * Z)) : gains :=
  fold_right (fun e => add_target (points q) (samples q) (accuracy q) (nth (fst (fst e)) (rows q) []) (snd (fst e)) (snd e))
    Empty targets.
Definition flows_bound (q : learning) (factor delta : Q) (targets : list aim) (shares : list Z) (flows : list flow)
  : option (Z * Z) :=
  let U := total (snd (hd (O, []) targets)) in
  let den := total shares * U ^ Z.of_nat (samples q) in
  if rows_ok q && is_law shares && (length shares =? length targets)%nat
     && forallb (fun e => (fst e <? length (rows q))%nat && is_law (snd e) && (length (snd e) =? points q)%nat
                          && (total (snd e) =? U)) targets
     && forallb (flow_ok (points q) (samples q)) flows && (0 <? den)
  then let K := length (functions (points q)) in
       let most := top K (fold_left (add_flow (Qnum factor) (QDen factor)) flows (add_targets q (combine targets shares))) in
       if Qnum delta =? 0 then Some (den - most, den)
       else Some ((den - most) * QDen delta - QDen factor * (Qnum delta * top K (fold_left add_moved flows Empty)),
                  den * QDen delta)
  else None.

Theorem flows_bound_sound q factor delta targets shares flows x den : (0 <= delta)%Q ->
  flows_bound q factor delta targets shares flows = Some (x, den) -> 0 < den /\
  failure_at_least (points q) (samples q) (class_at q) all_functions (accuracy q) factor delta (inject_Z x / inject_Z den).
Proof.
  intros D0. unfold flows_bound. cbv zeta. set (U := total (snd (hd (O, []) targets))).
  destruct (_ && _) eqn:C; [|discriminate]. intros X.
  apply andb_prop in C as [C P]. apply Z.ltb_lt in P.
  set (den' := total shares * U ^ Z.of_nat (samples q)) in *.
  set (most := top _ (fold_left (add_flow _ _) flows _)) in X. set (more := top _ (fold_left add_moved flows Empty)) in X.
  assert (0 < inject_Z den')%Q as PQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P).
  assert (0 < inject_Z (QDen delta))%Q as PD by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  assert (inject_Z (Qnum delta) == delta * inject_Z (QDen delta))%Q as ED.
  { destruct delta as [a b]. unfold Qeq, Qmult, inject_Z. cbn. lia. }
  assert ((0 < den)%Z /\ inject_Z x / inject_Z den == 1 - (inject_Z most
    + inject_Z (QDen factor) * (delta * inject_Z more)) / inject_Z den')%Q as [PX EX].
  { clear C. clearbody den' most more. assert (0 < QDen delta) as Pd by lia.
    set (b := QDen factor) in *. set (e := QDen delta) in *. clearbody b e. destruct (Z.eqb_spec (Qnum delta) 0) as [Z|_]; injection X as <- <-.
    - rewrite Z in ED. assert (delta == 0)%Q as Z'.
      { destruct (Qeq_dec delta 0) as [Q|Q]; [exact Q|]. change (inject_Z 0) with 0%Q in ED. nra. }
      split; [exact P|]. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, Z'. field. lra.
    - split; [nia|]. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, !inject_Z_mult, inject_Z_plus, inject_Z_opp, ED.
      field. lra. }
  split; [exact PX|]. intros e HL. apply andb_prop in C as [C Fl].
  apply andb_prop in C as [C Ts]. apply andb_prop in C as [C L]. apply andb_prop in C as [R Ls].
  apply Nat.eqb_eq in L.
  apply private_learner_on_multisets in HL as [p [Law [Order [Private S]]]].
  set (m := points q) in *. set (n := samples q) in *. set (P_ := at_key m n p).
  assert (forall U targets shares, length shares = length targets -> forallb (Z.leb 0) shares = true ->
    forallb (fun e => (fst e <? length (rows q))%nat && is_law (snd e) && (length (snd e) =? m)%nat && (total (snd e) =? U)) targets = true ->
    (inject_Z (total shares * U ^ Z.of_nat n) * (1 - e) <= gained (add_targets q (combine targets shares)) P_)%Q) as G.
  { clear most more EX X PQ. clear dependent den'. clear dependent targets. clear dependent shares. intros U.
    induction targets as [|[c D] targets IH]; intros [|s shares] L N T; try discriminate L.
    - cbn [combine add_targets fold_right gained]. unfold total. cbn [fold_right]. rewrite Z.mul_0_l.
      change (inject_Z 0) with 0%Q. rewrite Qmult_0_l. apply Qle_refl.
    - cbn [forallb] in N, T. apply andb_prop in N as [Ns N]. apply andb_prop in T as [T Tr]. cbn [fst snd] in T.
      apply andb_prop in T as [T TU]. apply andb_prop in T as [T LD]. apply andb_prop in T as [Tc TD].
      apply Nat.ltb_lt in Tc. apply Nat.eqb_eq in LD. apply Z.eqb_eq in TU. apply Z.leb_le in Ns.
      specialize (IH shares ltac:(injection L; auto) N Tr). set (f := nth c (rows q) []).
      assert (In f (rows q)) as I by (apply nth_In, Tc). unfold rows_ok in R. rewrite forallb_forall in R.
      pose proof (R f I) as Lf. apply Nat.eqb_eq in Lf. fold m in Lf.
      assert (class_at q (of_row f)) as Cf by (exists (of_row f); split; [apply in_map, I|intros y Hy; reflexivity]).
      assert (law m (share D)) as LawD by (rewrite <- LD; apply share_law, TD).
      pose proof (target_gained m n p Order (accuracy q) f D s (add_targets q (combine targets shares)) e
        Lf TD LD Ns (S _ _ Cf LawD)) as H.
      cbn [combine add_targets fold_right fst snd]. fold (add_targets q (combine targets shares)). fold m n f. fold P_ in H.
      rewrite TU in H. replace (total (s :: shares)) with (s + total shares) by reflexivity.
      rewrite Z.mul_add_distr_r, inject_Z_plus. lra. }
  pose proof Ls as Ls'. apply andb_prop in Ls' as [N _]. specialize (G U targets shares L N Ts).
  pose proof (flows_gained m n p factor delta Order Private D0 flows (add_targets q (combine targets shares)) Fl) as H.
  fold P_ in H. fold m in more. fold more in H. set (t := fold_left (add_flow _ _) flows _) in *.
  pose proof (gained_top (length (functions m)) t P_ (at_key_law m n p Law) (at_key_beyond m n p)) as B.
  rewrite EX. apply (Qmult_le_r _ _ (inject_Z den') PQ). fold m in most. fold most in B. fold n in den'. fold den' in G.
  setoid_replace ((1 - (inject_Z most + inject_Z (QDen factor) * (delta * inject_Z more)) / inject_Z den') * inject_Z den')%Q
    with (inject_Z den' - inject_Z most - inject_Z (QDen factor) * (delta * inject_Z more))%Q by (field; lra).
  clear EX. set (M := (inject_Z (QDen factor) * (delta * inject_Z more))%Q) in *. clearbody M.
  pose proof (Qle_trans _ _ _ G H) as X'. change (gained t P_ <= inject_Z most)%Q in B.
  generalize dependent (gained t P_). generalize dependent (inject_Z most). clear. intros; lra.
Qed.

(* ---- a private learner ---- *)

Definition learner_bound (q : learning) (factor delta : Q) (laws : list (list Z)) trees : option (list (Z * Z)) :=
  if check_laws (points q) (samples q) (unit_of laws) laws
     && check_private (points q) (samples q) (Qnum factor) (QDen factor) delta (unit_of laws)
          (tree_of (table_of (points q) (samples q) laws))
  then worst q laws trees else None.
Theorem learner_bound_sound q factor delta laws trees l v : (0 <= factor)%Q -> (0 <= delta)%Q ->
  learner_bound q factor delta laws trees = Some l -> bounded v l = true ->
  learns_privately (points q) (samples q) (class_at q) all_functions (accuracy q) factor delta v.
Proof.
  unfold learner_bound. intros F F0 C B. destruct (_ && _) eqn:P; [|discriminate].
  apply andb_prop in P as [_ P]. apply (worst_sound q laws trees v l C) in B as [Ok E].
  exists (tabulated (points q) (samples q) laws). split; [apply (tabulated_learner _ _ _ _ Ok)|].
  split; [intros i _; exact I|]. split; [|exact E]. apply (tabulated_private _ _ _ _ _ _ F F0 Ok P).
Qed.

(* ---- certificates ---- *)

Definition flow_of (sample_list : list (list nat)) (many functions : nat) (j : json) : option flow :=
  match j with
  | Array [i; j; h; y] =>
      let* i := index many i in let* j := index many j in let* h := index functions h in
      let* y := at_least_integer 0 y in
      Some (nth i sample_list [], nth j sample_list [], h, y)
  | _ => None
  end.
Definition flows_in (q : learning) (factor delta : Q) (data : json) : option (Z * Z) :=
  match fields ["targets"; "weights"; "flows"]%string data with
  | Some [t; w; f] =>
      let* targets := list_of (target_of q) t in
      let* shares := law_of w in
      let all := multisets (2 * points q) (samples q) in
      let* flows := list_of (flow_of all (length all) (length (functions (points q)))) f in
      flows_bound q factor delta targets shares flows
  | _ => None
  end.
Definition learner_in (q : learning) (factor delta : Q) (data : json) : option (list (Z * Z)) :=
  match fields ["laws"; "trees"]%string data with
  | Some [l; t] =>
      let* laws := list_of law_of l in
      let* trees := nodes_of q t in
      learner_bound q factor delta laws trees
  | _ => None
  end.

Lemma flows_in_sound q factor delta data x den : (0 <= delta)%Q -> flows_in q factor delta data = Some (x, den) ->
  0 < den /\
  failure_at_least (points q) (samples q) (class_at q) all_functions (accuracy q) factor delta (inject_Z x / inject_Z den).
Proof.
  unfold flows_in. intros D H. repeat match type of H with
    match ?y with _ => _ end = Some _ => destruct y; try discriminate H end.
  apply flows_bound_sound in H; assumption.
Qed.
Lemma learner_in_sound q factor delta data l v : (1 <= factor)%Q -> (0 <= delta)%Q ->
  learner_in q factor delta data = Some l -> bounded v l = true ->
  learns_privately (points q) (samples q) (class_at q) all_functions (accuracy q) factor delta v.
Proof.
  unfold learner_in. intros F D H. repeat match type of H with
    match ?y with _ => _ end = Some _ => destruct y; try discriminate H end.
  apply (learner_bound_sound q factor delta _ _ _ v ltac:(lra) D H).
Qed.

Definition lower_private (q : learning * Q * Q) (v : Q) (name : string) (data : json) : bool :=
  let '(q, factor, delta) := q in
  String.eqb name "flows" && Qle_bool 0 delta && match flows_in q factor delta data with
  | Some (x, den) => at_least x den v && at_most x den v
  | None => false
  end.
Definition upper_private (q : learning * Q * Q) (v : Q) (name : string) (data : json) : bool :=
  let '(q, factor, delta) := q in
  String.eqb name "learner" && Qle_bool 1 factor && Qle_bool 0 delta && match learner_in q factor delta data with
  | Some l => bounded v l && existsb (fun x => at_least (fst x) (snd x) v) l
  | None => false
  end.
Definition lower_failure (q : learning * Q * Q) (v : Q) : Prop := let '(q, r, d) := q in
  failure_at_least (points q) (samples q) (table (points q) (concepts (rows q))) all_functions (accuracy q) r d v.
Definition upper_failure (q : learning * Q * Q) (v : Q) : Prop := let '(q, r, d) := q in
  learns_privately (points q) (samples q) (table (points q) (concepts (rows q))) all_functions (accuracy q) r d v.

Lemma lower_private_sound q v name data : lower_private q v name data = true -> lower_failure q v.
Proof.
  destruct q as [[q r] d]. unfold lower_private, lower_failure. intros H e L. apply andb_prop in H as [H H'].
  apply andb_prop in H as [_ D]. apply Qle_bool_iff in D.
  destruct (flows_in q r d data) as [[x den]|] eqn:E; [|discriminate].
  apply flows_in_sound in E as [P B]; [|exact D]. apply andb_prop in H' as [H' _].
  apply (Qle_trans _ (inject_Z x / inject_Z den)); [|apply B, L].
  eapply at_least_spec; [exact P| |exact H'].
  assert (0 < inject_Z den)%Q by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P). field. lra.
Qed.
Lemma upper_private_sound q v name data : upper_private q v name data = true -> upper_failure q v.
Proof.
  destruct q as [[q r] d]. unfold upper_private, upper_failure. intros H. apply andb_prop in H as [H E].
  apply andb_prop in H as [H D]. apply andb_prop in H as [_ F]. apply Qle_bool_iff in F, D.
  destruct (learner_in q r d data) as [l|] eqn:B; [|discriminate]. apply andb_prop in E as [E _].
  apply (learner_in_sound q r d data l v F D B E).
Qed.

Definition private_failure : kind.
Proof.
  refine {|
    title := "private_failure"; parameters := ["samples"; "accuracy"; "factor"]%string;
    ask instance values := match values with
      | [n; a; r] =>
          let* n := sample_size n in let* a := probability a in let* r := factor r in
          let* q := learning_of instance n a in Some (q, r, 0%Q)
      | _ => None
      end;
    number := fraction; lower := lower_private; upper := upper_private;
    lower_means := lower_failure; upper_means := upper_failure
  |}.
  - exact lower_private_sound.
  - exact upper_private_sound.
Defined.
Definition approximate_private_failure : kind.
Proof.
  refine {|
    title := "approximate_private_failure"; parameters := ["samples"; "accuracy"; "factor"; "delta"]%string;
    ask instance values := match values with
      | [n; a; r; d] =>
          let* n := sample_size n in let* a := probability a in let* r := factor r in let* d := probability d in
          let* q := learning_of instance n a in Some (q, r, d)
      | _ => None
      end;
    number := fraction; lower := lower_private; upper := upper_private;
    lower_means := lower_failure; upper_means := upper_failure
  |}.
  - exact lower_private_sound.
  - exact upper_private_sound.
Defined.
