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
Context (m n : nat) (p : list example -> nat -> Q) (factor : Q).
Let K := length (functions m).
Hypothesis Law : forall S, sample m n S -> law K (p S).
Hypothesis Order : forall S T i, Permutation S T -> (p S i == p T i)%Q.
Hypothesis Private : forall S T i, (i < K)%nat -> sample m n S -> sample m n T -> one_replaced S T ->
  (p S i <= factor * p T i)%Q.

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

Lemma add_flow_gained t e : flow_ok m n e = true ->
  (gained t at_key <= gained (add_flow (Qnum factor) (QDen factor) t e) at_key)%Q.
Proof.
  destruct e as [[[S T] h] y]. unfold flow_ok, add_flow. intros C. apply andb_prop in C as [C R].
  apply andb_prop in C as [C H]. apply andb_prop in C as [N Y]. apply Z.leb_le in Y. apply Nat.ltb_lt in H.
  cbn [forallb] in R. rewrite andb_true_r in R. apply andb_prop in R as [RS RT].
  apply examples_sample in RS, RT. rewrite !add_gained, !form_at_function.
  rewrite (at_key_of S h RS H), (at_key_of T h RT H).
  apply near_spec in N as [x [z [r [PS PT]]]].
  apply (Permutation_map example_of) in PS, PT. cbn [map] in PS, PT.
  rewrite (Order _ _ h PS), (Order _ _ h PT).
  assert (p (example_of x :: map example_of r) h <= factor * p (example_of z :: map example_of r) h)%Q as G.
  { apply Private; [exact H|eapply sample_perm; [exact PS|exact RS]|eapply sample_perm; [exact PT|exact RT]|].
    exists [], (example_of x), (example_of z), (map example_of r). auto. }
  set (u := p (example_of x :: _) h) in *. set (w := p (example_of z :: _) h) in *. clearbody u w.
  rewrite inject_Z_opp, !inject_Z_mult.
  assert (0 <= inject_Z y)%Q as Yq by (change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; exact Y).
  assert (0 < inject_Z (QDen factor))%Q as Bq by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  assert (inject_Z (Qnum factor) == factor * inject_Z (QDen factor))%Q as ->.
  { destruct factor as [a b]. unfold Qeq, Qmult, inject_Z. cbn. lia. }
  set (b := inject_Z (QDen factor)) in *. set (c := inject_Z y) in *. clearbody b c.
  assert (0 <= (b * c) * (factor * w - u))%Q as X.
  { apply Qmult_le_0_compat; [apply Qmult_le_0_compat; lra|lra]. }
  setoid_replace (gained t at_key + - (b * c) * u + factor * b * c * w)%Q
    with (gained t at_key + (b * c) * (factor * w - u))%Q by ring. lra.
Qed.
Lemma add_flows_gained : forall flows t, forallb (flow_ok m n) flows = true ->
  (gained t at_key <= gained (fold_left (add_flow (Qnum factor) (QDen factor)) flows t) at_key)%Q.
Proof.
  induction flows as [|e flows IH]; intros t H; cbn in *; [apply Qle_refl|].
  apply andb_prop in H as [E H]. eapply Qle_trans; [apply add_flow_gained, E|apply IH, H].
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
Definition flows_bound (q : learning) (factor : Q) (targets : list aim) (shares : list Z) (flows : list flow)
  : option (Z * Z) :=
  let U := total (snd (hd (O, []) targets)) in
  let den := total shares * U ^ Z.of_nat (samples q) in
  if rows_ok q && is_law shares && (length shares =? length targets)%nat
     && forallb (fun e => (fst e <? length (rows q))%nat && is_law (snd e) && (length (snd e) =? points q)%nat
                          && (total (snd e) =? U)) targets
     && forallb (flow_ok (points q) (samples q)) flows && (0 <? den)
  then Some (den - top (length (functions (points q)))
                     (fold_left (add_flow (Qnum factor) (QDen factor)) flows (add_targets q (combine targets shares))), den)
  else None.

Theorem flows_bound_sound q factor targets shares flows x den : flows_bound q factor targets shares flows = Some (x, den) ->
  0 < den /\
  failure_at_least (points q) (samples q) (class_at q) all_functions (accuracy q) factor (inject_Z x / inject_Z den).
Proof.
  unfold flows_bound. cbv zeta. set (U := total (snd (hd (O, []) targets))).
  destruct (_ && _) eqn:C; [|discriminate]. intros [= <- <-].
  apply andb_prop in C as [C P]. apply Z.ltb_lt in P. split; [exact P|]. intros e HL. apply andb_prop in C as [C Fl].
  apply andb_prop in C as [C Ts]. apply andb_prop in C as [C L]. apply andb_prop in C as [R Ls].
  apply Nat.eqb_eq in L.
  apply private_learner_on_multisets in HL as [p [Law [Order [Private S]]]].
  set (m := points q) in *. set (n := samples q) in *. set (P_ := at_key m n p).
  assert (forall U targets shares, length shares = length targets -> forallb (Z.leb 0) shares = true ->
    forallb (fun e => (fst e <? length (rows q))%nat && is_law (snd e) && (length (snd e) =? m)%nat && (total (snd e) =? U)) targets = true ->
    (inject_Z (total shares * U ^ Z.of_nat n) * (1 - e) <= gained (add_targets q (combine targets shares)) P_)%Q) as G.
  { clear targets shares U L Ls Ts P. intros U.
    induction targets as [|[c D] targets IH]; intros [|s shares] L N T; try discriminate L.
    - cbn [combine add_targets fold_right gained]. unfold total. cbn [fold_right]. rewrite Z.mul_0_l.
      change (inject_Z 0) with 0%Q. rewrite Qmult_0_l. apply Qle_refl.
    - cbn [forallb] in N, T. apply andb_prop in N as [Ns N]. apply andb_prop in T as [T Tr]. cbn [fst snd] in T.
      apply andb_prop in T as [T TU]. apply andb_prop in T as [T LD]. apply andb_prop in T as [Tc TD].
      apply Nat.ltb_lt in Tc. apply Nat.eqb_eq in LD. apply Z.eqb_eq in TU. apply Z.leb_le in Ns.
      specialize (IH shares ltac:(injection L; auto) N Tr). set (f := nth c (rows q) []).
      assert (In f (rows q)) as I by (apply nth_In, Tc). unfold rows_ok in R. rewrite forallb_forall in R.
      pose proof (R f I) as Lf. apply Nat.eqb_eq in Lf. fold m in Lf.
      assert (class_at q (of_row f)) as Cf by (exists (of_row f); split; [apply in_map, I|intros x Hx; reflexivity]).
      assert (law m (share D)) as LawD by (rewrite <- LD; apply share_law, TD).
      pose proof (target_gained m n p Order (accuracy q) f D s (add_targets q (combine targets shares)) e
        Lf TD LD Ns (S _ _ Cf LawD)) as H.
      cbn [combine add_targets fold_right fst snd]. fold (add_targets q (combine targets shares)). fold m n f. fold P_ in H.
      rewrite TU in H. replace (total (s :: shares)) with (s + total shares) by reflexivity.
      rewrite Z.mul_add_distr_r, inject_Z_plus. lra. }
  pose proof Ls as Ls'. apply andb_prop in Ls' as [N _]. specialize (G U targets shares L N Ts).
  pose proof (add_flows_gained m n p factor Order Private flows (add_targets q (combine targets shares)) Fl) as H.
  fold P_ in H. set (t := fold_left _ flows _) in *.
  pose proof (gained_top (length (functions m)) t P_ (at_key_law m n p Law) (at_key_beyond m n p)) as B.
  set (den := total shares * U ^ Z.of_nat n) in *.
  assert (0 < inject_Z den)%Q as PQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P).
  apply Qle_shift_div_r; [exact PQ|]. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp.
    pose proof (Qle_trans _ _ _ G (Qle_trans _ _ _ H B)) as X.
    generalize dependent (inject_Z den). generalize (inject_Z (top (length (functions m)) t)). clear. intros; lra.
Qed.

(* ---- a private learner ---- *)

Definition learner_bound (q : learning) (factor : Q) (laws : list (list Z)) trees : option (list (Z * Z)) :=
  if check_laws (points q) (samples q) (unit_of laws) laws
     && check_private (points q) (samples q) (Qnum factor) (QDen factor) (tree_of (table_of (points q) (samples q) laws))
  then worst q laws trees else None.
Theorem learner_bound_sound q factor laws trees l v : (0 <= factor)%Q ->
  learner_bound q factor laws trees = Some l -> bounded v l = true ->
  learns_privately (points q) (samples q) (class_at q) all_functions (accuracy q) factor v.
Proof.
  unfold learner_bound. intros F C B. destruct (_ && _) eqn:P; [|discriminate].
  apply andb_prop in P as [_ P]. apply (worst_sound q laws trees v l C) in B as [Ok E].
  exists (tabulated (points q) (samples q) laws). split; [apply (tabulated_learner _ _ _ _ Ok)|].
  split; [intros i _; exact I|]. split; [|exact E]. apply (tabulated_private _ _ _ _ _ F Ok P).
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
Definition flows_in (q : learning) (factor : Q) (data : json) : option (Z * Z) :=
  match fields ["targets"; "weights"; "flows"]%string data with
  | Some [t; w; f] =>
      let* targets := list_of (target_of q) t in
      let* shares := law_of w in
      let all := multisets (2 * points q) (samples q) in
      let* flows := list_of (flow_of all (length all) (length (functions (points q)))) f in
      flows_bound q factor targets shares flows
  | _ => None
  end.
Definition learner_in (q : learning) (factor : Q) (data : json) : option (list (Z * Z)) :=
  match fields ["laws"; "trees"]%string data with
  | Some [l; t] =>
      let* laws := list_of law_of l in
      let* trees := nodes_of q t in
      learner_bound q factor laws trees
  | _ => None
  end.

Lemma flows_in_sound q factor data x den : flows_in q factor data = Some (x, den) -> 0 < den /\
  failure_at_least (points q) (samples q) (class_at q) all_functions (accuracy q) factor (inject_Z x / inject_Z den).
Proof.
  unfold flows_in. intros H. repeat match type of H with
    match ?y with _ => _ end = Some _ => destruct y; try discriminate H end.
  apply flows_bound_sound in H. exact H.
Qed.
Lemma learner_in_sound q factor data l v : (1 <= factor)%Q -> learner_in q factor data = Some l -> bounded v l = true ->
  learns_privately (points q) (samples q) (class_at q) all_functions (accuracy q) factor v.
Proof.
  unfold learner_in. intros F H. repeat match type of H with
    match ?y with _ => _ end = Some _ => destruct y; try discriminate H end.
  apply (learner_bound_sound q factor _ _ _ v ltac:(lra) H).
Qed.

Definition lower_private (q : learning * Q) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "flows" && match flows_in (fst q) (snd q) data with
  | Some (x, den) => at_least x den v && at_most x den v
  | None => false
  end.
Definition upper_private (q : learning * Q) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "learner" && Qle_bool 1 (snd q) && match learner_in (fst q) (snd q) data with
  | Some l => bounded v l && existsb (fun x => at_least (fst x) (snd x) v) l
  | None => false
  end.

Definition private_failure : kind.
Proof.
  refine {|
    title := "private_failure"; parameters := ["samples"; "accuracy"; "factor"]%string;
    ask instance values := match values with
      | [n; a; r] =>
          let* n := sample_size n in let* a := probability a in let* r := factor r in
          let* q := learning_of instance n a in Some (q, r)
      | _ => None
      end;
    number := fraction; lower := lower_private; upper := upper_private;
    lower_means q v := let (q, r) := q in failure_at_least (points q) (samples q)
      (table (points q) (concepts (rows q))) all_functions (accuracy q) r v;
    upper_means q v := let (q, r) := q in learns_privately (points q) (samples q)
      (table (points q) (concepts (rows q))) all_functions (accuracy q) r v
  |}.
  - unfold lower_private. intros [q r] v name data H e L. cbn [fst snd] in H. apply andb_prop in H as [_ H].
    destruct (flows_in q r data) as [[x den]|] eqn:E; [|discriminate].
    apply flows_in_sound in E as [P B]. apply andb_prop in H as [H _].
    apply (Qle_trans _ (inject_Z x / inject_Z den)); [|apply B, L].
    eapply at_least_spec; [exact P| |exact H].
    assert (0 < inject_Z den)%Q by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P). field. lra.
  - unfold upper_private. intros [q r] v name data H. cbn [fst snd] in H. apply andb_prop in H as [H E].
    apply andb_prop in H as [_ F]. apply Qle_bool_iff in F.
    destruct (learner_in q r data) as [l|] eqn:B; [|discriminate]. apply andb_prop in E as [E _].
    apply (learner_in_sound q r data l v F B E).
Defined.
