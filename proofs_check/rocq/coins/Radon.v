(* What k messages cannot do without public coins: for some split of k + 1 inputs two averages of their
   laws agree (Radon), so that weighted columns differ at the cost of an error. *)
From Coq Require Import ZArith QArith Qabs Lia Lqa Bool List.
From CCSim Require Import Definitions Sums Mixture OneWay Orders.
From CCSim Require Subsets.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- k + 1 vectors with k entries depend on each other ---- *)

Definition exchange i j t : nat := if (t =? i)%nat then j else if (t =? j)%nat then i else t.

Lemma exchange_below n i j t : (i < n -> j < n -> t < n -> exchange i j t < n)%nat.
Proof. unfold exchange. destruct (t =? i)%nat, (t =? j)%nat; auto. Qed.
Lemma exchange_twice i j t : exchange i j (exchange i j t) = t.
Proof.
  unfold exchange. destruct (Nat.eqb_spec t i) as [->|N].
  - destruct (Nat.eqb_spec j i) as [->|M]; [reflexivity|]. rewrite Nat.eqb_refl. reflexivity.
  - destruct (Nat.eqb_spec t j) as [->|M]; [rewrite Nat.eqb_refl; reflexivity|].
    destruct (Nat.eqb_spec t i), (Nat.eqb_spec t j); congruence.
Qed.

Lemma sum_exchange n i g : (i <= n)%nat -> sum (S n) (fun t => g (exchange i n t)) == sum (S n) g.
Proof.
  intros H. cbn [sum]. unfold exchange at 2. destruct (Nat.eq_dec i n) as [->|N].
  - rewrite Nat.eqb_refl. apply Qplus_comp; [|reflexivity]. apply sum_ext. intros t Ht. unfold exchange.
    destruct (Nat.eqb_spec t n); [lia|reflexivity].
  - replace (n =? i)%nat with false by (symmetry; apply Nat.eqb_neq; lia). rewrite Nat.eqb_refl.
    rewrite (sum_ext n _ (fun t => g t + chance (i =? t)%nat * (g n - g t))).
    + rewrite sum_plus, (sum_single n i (fun t => g n - g t)) by lia. ring.
    + intros t Ht. unfold exchange. rewrite (Nat.eqb_sym i t). destruct (Nat.eqb_spec t i) as [->|M].
      * unfold chance. ring.
      * destruct (Nat.eqb_spec t n); [lia|]. unfold chance. ring.
Qed.

Lemma dependent : forall k (v : nat -> nat -> Q), exists c, (exists t, (t < S k)%nat /\ ~ c t == 0) /\
  forall i, (i < k)%nat -> sum (S k) (fun t => c t * v t i) == 0.
Proof.
  induction k as [|k IH]; intros v.
  - exists (fun _ => 1). split; [exists O; split; [lia|lra]|intros i Hi; lia].
  - assert ((exists t, (t < S (S k))%nat /\ ~ v t k == 0) \/ forall t, (t < S (S k))%nat -> v t k == 0) as D.
    { generalize (S (S k)). induction n as [|n [[t [Ht N]]|Z]].
      - right. intros t Ht. lia.
      - left. exists t. split; [lia|exact N].
      - destruct (Qeq_dec (v n k) 0) as [E|E]; [right|left; exists n; split; [lia|exact E]].
        intros t Ht. destruct (Nat.eq_dec t n) as [->|]; [exact E|apply Z; lia]. }
    destruct D as [[s [Hs N]]|Z].
    + (* clear the last entry by the vector s, which is put last *)
      set (u t := v (exchange s (S k) t)).
      assert (u (S k) = v s) as Us.
      { unfold u, exchange. destruct (Nat.eqb_spec (S k) s) as [<-|M]; [reflexivity|].
        rewrite Nat.eqb_refl. reflexivity. }
      destruct (IH (fun t i => u t i - u t k / v s k * v s i)) as [c [[t [Ht C]] L]].
      set (d t := if (t =? S k)%nat then - sum (S k) (fun t => c t * u t k) / v s k else c t).
      assert (forall i, sum (S (S k)) (fun t => d t * u t i)
        == sum (S k) (fun t => c t * (u t i - u t k / v s k * v s i))) as E.
      { intros i. cbn [sum]. fold (sum (S k) (fun t => d t * u t i)).
        change (sum k (fun t => d t * u t i) + d k * u k i) with (sum (S k) (fun t => d t * u t i)).
        change (sum k ?g + ?g k) with (sum (S k) g).
        unfold d at 2. rewrite Nat.eqb_refl, Us.
        rewrite (sum_ext (S k) (fun t => d t * u t i) (fun t => c t * u t i)).
        - rewrite (sum_ext (S k) (fun t => c t * (u t i - u t k / v s k * v s i))
            (fun t => c t * u t i + - (v s i / v s k) * (c t * u t k))) by (intros; field; exact N).
          rewrite sum_plus, sum_scale. field. exact N.
        - intros r Hr. unfold d. destruct (Nat.eqb_spec r (S k)); [lia|reflexivity]. }
      exists (fun t => d (exchange s (S k) t)). split.
      * exists (exchange s (S k) t). split; [apply exchange_below; lia|]. rewrite exchange_twice. unfold d.
        destruct (Nat.eqb_spec t (S k)); [lia|exact C].
      * intros i Hi.
        rewrite (sum_ext (S (S k)) _ (fun t => d (exchange s (S k) t) * u (exchange s (S k) t) i))
          by (intros r Hr; unfold u; rewrite exchange_twice; reflexivity).
        rewrite (sum_exchange (S k) s (fun t => d t * u t i)) by lia. rewrite E.
        destruct (Nat.eq_dec i k) as [->|M].
        -- rewrite (sum_ext (S k) _ (fun _ => 0)); [apply sum_zero|]. intros r _. field. exact N.
        -- apply L. lia.
    + destruct (IH v) as [c [[t [Ht C]] L]]. exists (fun t => if (t =? S k)%nat then 0 else c t). split.
      * exists t. split; [lia|]. destruct (Nat.eqb_spec t (S k)); [lia|exact C].
      * intros i Hi.
        rewrite (sum_ext (S (S k)) _ (fun t => (if (t =? S k)%nat then 0 else c t * v t i)))
          by (intros r _; destruct (r =? S k)%nat; ring).
        change (sum (S k) (fun t => if (t =? S k)%nat then 0 else c t * v t i)
          + (if (S k =? S k)%nat then 0 else c (S k) * v (S k) i) == 0).
        rewrite Nat.eqb_refl, Qplus_0_r.
        rewrite (sum_ext (S k) _ (fun t => c t * v t i))
          by (intros r Hr; destruct (Nat.eqb_spec r (S k)); [lia|reflexivity]).
        destruct (Nat.eq_dec i k) as [->|M]; [|apply L; lia].
        rewrite (sum_ext (S k) _ (fun _ => 0)); [apply sum_zero|]. intros r Hr. rewrite (Z r) by lia. ring.
Qed.

(* ---- the error that one split forces ---- *)

Lemma times_le a b c : 0 <= c -> a <= b -> c * a <= c * b.
Proof. intros C H. rewrite (Qmult_comm c a), (Qmult_comm c b). apply Qmult_le_compat_r; assumption. Qed.

Section Split.
Variables (k m : nat) (e : Q) (p : nat -> nat -> Q) (value : nat -> nat -> bool) (inside : nat -> bool).
(* the chances of the answer 1 for k + 1 inputs and m columns; their values in columns inside the promise *)
Hypothesis e_small : e <= 1.
Hypothesis p_chance : forall t y, (t < S k)%nat -> (y < m)%nat -> 0 <= p t y <= 1.
Hypothesis p_error : forall t y, (t < S k)%nat -> (y < m)%nat -> inside y = true ->
  (if value t y then 1 - p t y else p t y) <= e.
Variable c : nat -> Q.
Hypothesis balanced : forall y, (y < m)%nat -> sum (S k) (fun t => c t * p t y) == 0.
Hypothesis null : sum (S k) c == 0.

Definition positive_part (q : Q) : Q := if Qle_bool q 0 then 0 else q.
Definition share_of := sum (S k) (fun t => positive_part (c t)).

Lemma positive_cases q : (q <= 0 /\ positive_part q = 0) \/ (0 < q /\ positive_part q = q).
Proof.
  unfold positive_part. destruct (Qle_bool q 0) eqn:E; [left; split; [apply Qle_bool_iff, E|reflexivity]|].
  right. split; [|reflexivity]. destruct (Qlt_le_dec 0 q); [assumption|]. apply Qle_bool_iff in q0. congruence.
Qed.

Lemma negative_share : sum (S k) (fun t => positive_part (c t) - c t) == share_of.
Proof.
  rewrite (sum_ext (S k) _ (fun t => positive_part (c t) + - (1) * c t)) by (intros; ring).
  rewrite sum_plus, sum_scale, null. unfold share_of. ring.
Qed.

Definition difference y := sum (S k) (fun t => c t * chance (value t y)).

Lemma difference_small y : (y < m)%nat -> inside y = true ->
  Qabs (difference y) * (1 - e) <= e * share_of.
Proof.
  intros Hy I.
  assert (difference y * (1 - e) == sum (S k) (fun t => c t * (chance (value t y) * (1 - e) - p t y))) as D.
  { rewrite (sum_ext (S k) _ (fun t => (1 - e) * (c t * chance (value t y)) + - (1) * (c t * p t y))) by (intros;
    ring).
    rewrite sum_plus, !sum_scale, (balanced y Hy). unfold difference. ring. }
  assert (difference y * (1 - e) <= e * share_of) as U.
  { rewrite D, <- negative_share, <- sum_scale. apply sum_le. intros t Ht.
    specialize (p_error t y Ht Hy I). specialize (p_chance t y Ht Hy).
    destruct (positive_cases (c t)) as [[S ->]|[S ->]], (value t y); unfold chance; nra. }
  assert (- difference y * (1 - e) <= e * share_of) as L.
  { setoid_replace (- difference y * (1 - e)) with (- (1) * (difference y * (1 - e))) by ring.
    rewrite D. unfold share_of. rewrite <- !sum_scale. apply sum_le. intros t Ht.
    specialize (p_error t y Ht Hy I). specialize (p_chance t y Ht Hy).
    destruct (positive_cases (c t)) as [[S ->]|[S ->]], (value t y); unfold chance; nra. }
  apply Qabs_case; intros _; assumption.
Qed.

Variable w : nat -> Q.
Hypothesis w_inside : forall y, (y < m)%nat -> inside y = false -> w y == 0.
Definition level t := sum m (fun y => w y * chance (value t y)).
Variables high low : Q.
Hypothesis levels : forall t, (t < S k)%nat -> if Qle_bool (c t) 0 then level t <= low else high <= level t.

Lemma split_error : 0 < share_of -> 0 <= high - low ->
  high - low <= e * (sum m (fun y => Qabs (w y)) + (high - low)).
Proof.
  intros P G.
  assert ((high - low) * share_of <= sum m (fun y => w y * difference y)) as A.
  { unfold difference.
    rewrite (sum_ext m _ (fun y => sum (S k) (fun t => c t * (w y * chance (value t y)))))
      by (intros; rewrite <- sum_scale; apply sum_ext; intros; ring).
    rewrite sum_swap.
    apply Qle_trans with (sum (S k) (fun t => high * positive_part (c t) + - low * (positive_part (c t) - c t))).
    - rewrite sum_plus, !sum_scale, negative_share. unfold share_of. lra.
    - apply sum_le. intros t Ht. rewrite sum_scale. fold (level t). specialize (levels t Ht).
      unfold positive_part. destruct (Qle_bool (c t) 0) eqn:E.
      + apply Qle_bool_iff in E. nra.
      + assert (0 < c t) as S; [|nra]. destruct (Qlt_le_dec 0 (c t)) as [S|S]; [exact S|].
        apply Qle_bool_iff in S. congruence. }
  assert (sum m (fun y => w y * difference y) * (1 - e) <= sum m (fun y => Qabs (w y)) * (e * share_of)) as B.
  { rewrite (Qmult_comm (sum m _) (1 - e)), (Qmult_comm (sum m _) (e * share_of)), <- !sum_scale.
    apply sum_le. intros y Hy. destruct (inside y) eqn:I.
    - pose proof (difference_small y Hy I) as D.
      pose proof (Qle_Qabs (w y * difference y)) as V. rewrite Qabs_Qmult in V.
      pose proof (Qabs_nonneg (w y)) as N.
      apply Qle_trans with ((1 - e) * (Qabs (w y) * Qabs (difference y))).
      + apply times_le; [lra|exact V].
      + setoid_replace ((1 - e) * (Qabs (w y) * Qabs (difference y)))
          with (Qabs (w y) * (Qabs (difference y) * (1 - e))) by ring.
        setoid_replace (e * share_of * Qabs (w y)) with (Qabs (w y) * (e * share_of)) by ring.
        apply times_le; assumption.
    - rewrite (w_inside y Hy I). apply Qle_lteq. right. cbn. ring. }
  set (W := sum m (fun y => Qabs (w y))) in *. set (s := share_of) in *.
  apply (Qmult_le_r _ _ s P).
  assert ((high - low) * s * (1 - e) <= W * (e * s)) as C.
  { eapply Qle_trans; [|exact B]. apply Qmult_le_compat_r; [exact A|lra]. }
  lra.
Qed.
End Split.

(* ---- all splits ---- *)

Lemma with_bits b : forall k, exists i, (i < 2 ^ k)%nat /\ forall t, (t < k)%nat -> Nat.testbit i t = b t.
Proof.
  intros k. revert b. induction k as [|k IH]; intros b.
  - exists O. split; [cbn; lia|]. intros t Ht. lia.
  - destruct (IH (fun t => b (S t))) as [i [I B]]. exists (2 * i + Nat.b2n (b O))%nat. split.
    + rewrite Nat.pow_succ_r'. destruct (b O); cbn [Nat.b2n]; lia.
    + intros [|t] Ht.
      * destruct (b O); [apply Nat.testbit_odd_0|].
        cbn [Nat.b2n]. rewrite Nat.add_0_r. apply Nat.testbit_even_0.
      * destruct (b O); cbn [Nat.b2n];
          [rewrite Nat.testbit_odd_succ by lia|rewrite Nat.add_0_r, Nat.testbit_even_succ by lia]; apply B; lia.
Qed.

Lemma error_nonneg n m k f P x y : uses n m k P -> (x < n)%nat -> (y < m)%nat -> 0 <= error k f P x y.
Proof.
  intros [A B] Hx Hy. unfold error. destruct (f x y) as [v|]; [|apply Qle_refl]. apply sum_nonneg. intros i Hi.
  destruct (A x Hx) as [A0 _]. specialize (A0 i Hi). specialize (B i y Hi Hy).
  apply Qmult_le_0_compat; [exact A0|]. destruct v; lra.
Qed.

Definition lowest (l : list Z) : Z := match l with [] => 0%Z | a :: l' => fold_right Z.min a l' end.
Definition highest (l : list Z) : Z := match l with [] => 0%Z | a :: l' => fold_right Z.max a l' end.
Lemma lowest_spec l a : In a l -> (lowest l <= a)%Z.
Proof.
  destruct l as [|b l]; [intros []|]. cbn [lowest]. revert a. induction l as [|c l IH]; intros a H; cbn [fold_right].
  - destruct H as [->|[]]. lia.
  - destruct H as [->|[->|H]]; [specialize (IH a (or_introl eq_refl))| |specialize (IH a (or_intror H))]; lia.
Qed.
Lemma highest_spec l a : In a l -> (a <= highest l)%Z.
Proof.
  destruct l as [|b l]; [intros []|]. cbn [highest]. revert a. induction l as [|c l IH]; intros a H; cbn [fold_right].
  - destruct H as [->|[]]. lia.
  - destruct H as [->|[->|H]]; [specialize (IH a (or_introl eq_refl))| |specialize (IH a (or_intror H))]; lia.
Qed.

(* where each of the inputs has the value 1, in the columns that are inside the promise for all of them *)
Definition columns_at (m : nat) (F : list (list (option bool))) (inputs : list nat) : list (list (option bool)) :=
  map (fun y => map (fun x => nth y (nth x F []) None) inputs) (seq 0 m).
Definition ones_of (m : nat) F (inputs : list nat) : list (list bool) :=
  let columns := columns_at m F inputs in
  map (fun t => map (fun column => all_defined column && is true (nth t column None)) columns)
      (seq 0 (length inputs)).

Definition side (i : nat) (b : bool) (sums : list Z) : list Z :=
  map snd (filter (fun p => eqb (Nat.testbit i (fst p)) b) (combine (seq 0 (length sums)) sums)).
Definition split_bound (ones : list (list bool)) (i : nat) (weights : list Z) : Q :=
  let sums := map (covered weights) ones in
  let gap := Z.max 0 (lowest (side i true sums) - highest (side i false sums)) in
  match (gap + total (map Z.abs weights))%Z with Zpos d => gap # d | _ => 0 end.
Definition least_of (l : list Q) : Q := fold_right (fun a b => if Qle_bool a b then a else b) 1 l.
Definition radon_bound (m : nat) F (k : N) (inputs : list nat) (separations : list (list Z)) : option Q :=
  if (0 <? m)%nat && (0 <? k)%N && (N.of_nat (length inputs) =? k + 1)%N && Subsets.no_repeats inputs
     && forallb (fun x => x <? length F)%nat inputs
     && (N.of_nat (length separations) + 1 =? 2 ^ k)%N && forallb (fun w => length w =? m)%nat separations
  then let ones := ones_of m F inputs in
       Some (least_of (map (fun p => split_bound ones (fst p) (snd p))
                           (combine (seq 1 (length separations)) separations)))
  else None.

Lemma least_of_spec l a : In a l -> least_of l <= a.
Proof.
  induction l as [|b l IH]; intros H; [destruct H|]. cbn [least_of fold_right]. fold (least_of l).
  destruct (Qle_bool b (least_of l)) eqn:E.
  - apply Qle_bool_iff in E. destruct H as [->|H]; [apply Qle_refl|]. specialize (IH H). lra.
  - destruct H as [->|H]; [|apply IH, H]. destruct (Qlt_le_dec a (least_of l)) as [L|L]; [|exact L].
    apply Qlt_le_weak in L. apply Qle_bool_iff in L. congruence.
Qed.

Lemma in_side i b sums t : (t < length sums)%nat -> Nat.testbit i t = b -> In (nth t sums 0%Z) (side i b sums).
Proof.
  intros H E. unfold side. change (nth t sums 0%Z) with (snd (t, nth t sums 0%Z)). apply in_map, filter_In.
  split; [|cbn [fst]; rewrite E; apply eqb_reflx].
  replace (t, nth t sums 0%Z) with (nth t (combine (seq 0 (length sums)) sums) (O, 0%Z)).
  - apply nth_In. rewrite combine_length, seq_length. lia.
  - rewrite combine_nth by apply seq_length. rewrite seq_nth by exact H. reflexivity.
Qed.

Lemma radon_split m F k inputs (P : protocol) e (c : nat -> Q) i weights :
  (0 < m)%nat -> length inputs = S k -> uses (length F) m k P -> (forall x, In x inputs -> (x < length F)%nat) ->
  (forall x y, (x < length F)%nat -> (y < m)%nat -> error k (of_table F) P x y <= e) ->
  (forall j, (j < k)%nat -> sum (S k) (fun t => c t * alice P (nth t inputs O) j) == 0) ->
  (exists t, (t < S k)%nat /\ 0 < c t) ->
  (forall t, (t < S k)%nat -> Nat.testbit i t = negb (Qle_bool (c t) 0)) -> length weights = m ->
  split_bound (ones_of m F inputs) i weights <= e.
Proof.
  intros M L U X E C [s [Hs Cs]] B W. pose proof U as [A Bob].
  set (input t := nth t inputs O).
  change (forall j, (j < k)%nat -> sum (S k) (fun t => c t * alice P (input t) j) == 0) in C.
  assert (forall t, (t < S k)%nat -> (input t < length F)%nat) as In_.
  { intros t Ht. apply X, nth_In. lia. }
  assert (0 <= e) as e0.
  { eapply Qle_trans; [apply (error_nonneg (length F) m k (of_table F) P (input O) O U)|apply E];
      try assumption; apply In_; lia. }
  destruct (Qlt_le_dec 1 e) as [e1|e1].
  { apply Qle_trans with 1; [|lra]. unfold split_bound.
    set (gap := Z.max 0 _). assert (0 <= total (map Z.abs weights))%Z as T.
    { clear. induction weights as [|a l IH]; [reflexivity|]. cbn [map total fold_right]. unfold total in IH. lia. }
    destruct (gap + total (map Z.abs weights))%Z as [|d|] eqn:D; try lra.
    unfold Qle. cbn. assert (gap <= Zpos d)%Z by lia. lia. }
  set (p t y := sum k (fun j => alice P (input t) j * bob P j y)).
  set (column y := map (fun x => nth y (nth x F []) None) inputs).
  set (inside y := all_defined (column y)). set (value t y := is true (of_table F (input t) y)).
  assert (forall t, (t < S k)%nat -> sum k (alice P (input t)) == 1) as A1 by (intros t Ht; apply A, In_, Ht).
  assert (forall t y, (t < S k)%nat -> (y < m)%nat -> 0 <= p t y <= 1) as p01.
  { intros t y Ht Hy. destruct (A (input t) (In_ t Ht)) as [A0 _]. split.
    - apply sum_nonneg. intros j Hj. specialize (A0 j Hj). specialize (Bob j y Hj Hy). apply Qmult_le_0_compat; lra.
    - rewrite <- (A1 t Ht). apply sum_le. intros j Hj. specialize (A0 j Hj). specialize (Bob j y Hj Hy). nra. }
  assert (forall t y, (t < S k)%nat -> nth t (column y) None = of_table F (input t) y) as Col.
  { intros t y Ht. unfold column. rewrite (nth_indep _ None (nth y (nth O F []) None)) by (rewrite map_length; lia).
    rewrite (map_nth (fun x => nth y (nth x F []) None)). reflexivity. }
  assert (forall t y, (t < S k)%nat -> (y < m)%nat -> inside y = true ->
    (if value t y then 1 - p t y else p t y) <= e) as pe.
  { intros t y Ht Hy I. specialize (E (input t) y (In_ t Ht) Hy). unfold error in E. unfold inside in I.
    unfold all_defined in I. rewrite forallb_forall in I.
    assert (In (of_table F (input t) y) (column y)) as J.
    { rewrite <- (Col t y Ht). apply nth_In. unfold column. rewrite map_length. lia. }
    specialize (I _ J). unfold value. destruct (of_table F (input t) y) as [v|]; [|discriminate I].
    destruct v; cbn [is eqb]; [|exact E].
    eapply Qle_trans; [|exact E]. apply Qle_lteq. right. unfold p.
    rewrite (sum_ext k (fun j => alice P (input t) j * (1 - bob P j y))
      (fun j => alice P (input t) j + - (1) * (alice P (input t) j * bob P j y))) by (intros; ring).
    rewrite sum_plus, sum_scale, (A1 t Ht). ring. }
  assert (forall y, (y < m)%nat -> sum (S k) (fun t => c t * p t y) == 0) as Bal.
  { intros y Hy. rewrite (sum_ext (S k) _ (fun t => sum k (fun j => bob P j y * (c t * alice P (input t) j)))).
    - rewrite sum_swap. rewrite (sum_ext k _ (fun _ => 0)); [apply sum_zero|]. intros j Hj.
      rewrite sum_scale, (C j Hj). ring.
    - intros t _. unfold p. rewrite <- sum_scale. apply sum_ext. intros; ring. }
  assert (sum (S k) c == 0) as Null.
  { rewrite (sum_ext (S k) _ (fun t => sum k (fun j => c t * alice P (input t) j))).
    - rewrite sum_swap. rewrite (sum_ext k _ (fun _ => 0)); [apply sum_zero|]. intros j Hj. apply (C j Hj).
    - intros t Ht. rewrite sum_scale, (A1 t Ht). ring. }
  set (w y := if inside y then inject_Z (nth y weights 0%Z) else 0).
  set (ones := ones_of m F inputs). set (sums := map (covered weights) ones).
  assert (length sums = S k) as Ls.
  { unfold sums, ones, ones_of. rewrite !map_length, seq_length. exact L. }
  assert (forall t, (t < S k)%nat -> level m value w t == inject_Z (nth t sums 0%Z)) as Lev.
  { intros t Ht. set (s_t := nth t ones []).
    assert (s_t = map (fun y => inside y && value t y) (seq 0 m)) as Es.
    { unfold s_t, ones, ones_of. rewrite (nth_map_seq _ _ t []) by lia. unfold columns_at. rewrite map_map.
      apply map_ext. intros y. fold (column y). rewrite Col by exact Ht. reflexivity. }
    assert (nth t sums 0%Z = covered weights s_t) as ->.
    { unfold sums, s_t. rewrite (nth_indep _ 0%Z (covered weights [])) by (fold sums; lia). apply map_nth. }
    rewrite covered_dot by (rewrite Es, map_length, seq_length; congruence).
    rewrite <- sum_dot by (rewrite Es, !map_length, seq_length; congruence). rewrite W.
    apply sum_ext. intros y Hy.
    pose proof (map_nth (fun b : bool => if b then 1%Z else 0%Z) s_t false y) as N. cbv beta in N.
    change (if false then 1%Z else 0%Z) with 0%Z in N. rewrite N, Es.
    rewrite (nth_map_seq (fun y => inside y && value t y)) by exact Hy. unfold w.
    destruct (inside y), (value t y); cbn [andb]; unfold chance; cbn; ring. }
  assert (0 < share_of k c) as Sh.
  { unfold share_of. assert (positive_part (c s) <= sum (S k) (fun t => positive_part (c t))) as G.
    { rewrite <- (sum_single (S k) s (fun t => positive_part (c t)) Hs). apply sum_le. intros t _.
      destruct (positive_cases (c t)) as [[? ->]|[? ->]], (s =? t)%nat; unfold chance; lra. }
    destruct (positive_cases (c s)) as [[? ?]|[? R]]; [lra|]. rewrite R in G. lra. }
  unfold split_bound. fold sums.
  set (hi := lowest (side i true sums)). set (lo := highest (side i false sums)).
  assert (0 <= total (map Z.abs weights))%Z as T.
  { clear. induction weights as [|a l IH]; [reflexivity|]. cbn [map total fold_right]. unfold total in IH. lia. }
  destruct (Z.le_gt_cases (hi - lo) 0) as [G|G].
  { rewrite Z.max_l by exact G. cbn [Z.add]. destruct (total (map Z.abs weights)) as [|d|]; try exact e0.
    setoid_replace (0 # d) with 0 by reflexivity. exact e0. }
  rewrite Z.max_r by lia.
  destruct (hi - lo + total (map Z.abs weights))%Z as [|d|] eqn:D; try lia.
  assert (inject_Z hi - inject_Z lo == inject_Z (hi - lo)) as Eg
    by (unfold Z.sub; rewrite inject_Z_plus, inject_Z_opp; ring).
  assert (0 < inject_Z (hi - lo)) as Pg by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  pose proof (split_error k m e p value inside e1 p01 pe c Bal Null w) as S.
  specialize (S ltac:(intros y _ I; unfold w; rewrite I; reflexivity) (inject_Z hi) (inject_Z lo)).
  specialize (S ltac:(intros t Ht; specialize (B t Ht);
    destruct (Qle_bool (c t) 0); rewrite (Lev t Ht), <- Zle_Qle; [apply highest_spec|apply lowest_spec];
    (apply in_side; [rewrite Ls; exact Ht|exact B]))).
  specialize (S Sh ltac:(lra)). rewrite Eg in S.
  assert (sum m (fun y => Qabs (w y)) <= inject_Z (total (map Z.abs weights))) as Wt.
  { rewrite <- sum_total, map_length, W. apply sum_le. intros y Hy.
    change 0%Z with (Z.abs 0) at 1. rewrite (map_nth Z.abs). unfold w. destruct (inside y).
    - apply Qle_lteq. right. unfold Qabs, inject_Z. reflexivity.
    - change (Qabs 0) with (inject_Z 0). rewrite <- Zle_Qle. lia. }
  setoid_replace ((hi - lo)%Z # d) with (inject_Z (hi - lo) / inject_Z (Zpos d)) by apply Qmake_Qdiv.
  apply Qle_shift_div_r; [reflexivity|]. rewrite <- D, inject_Z_plus. nra.
Qed.

Lemma some_positive c : forall n, (exists t, (t < n)%nat /\ 0 < c t) \/ forall t, (t < n)%nat -> c t <= 0.
Proof.
  induction n as [|n [[t [Ht P]]|Z]]; [right; intros t Ht; lia|left; exists t; split; [lia|exact P]|].
  destruct (Qlt_le_dec 0 (c n)) as [P|P]; [left; exists n; split; [lia|exact P]|].
  right. intros t Ht. destruct (Nat.eq_dec t n) as [->|]; [exact P|apply Z; lia].
Qed.

(* the laws of k + 1 inputs depend on each other, in one of 2^k - 1 ways *)
Lemma some_split n m k inputs (P : protocol) : length inputs = S k -> (forall x, In x inputs -> (x < n)%nat) ->
  uses n m k P -> exists c i, (0 < i < 2 ^ k)%nat /\
  (forall t, (t < S k)%nat -> Nat.testbit i t = negb (Qle_bool (c t) 0)) /\
  (exists t, (t < S k)%nat /\ 0 < c t) /\
  (forall j, (j < k)%nat -> sum (S k) (fun t => c t * alice P (nth t inputs O) j) == 0) /\ sum (S k) c == 0.
Proof.
  intros L X [A _].
  destruct (dependent k (fun t j => alice P (nth t inputs O) j)) as [c0 [[s [Hs Ns]] D0]].
  (* the last one of the inputs lies on the side that is not positive_part *)
  assert (exists c, c k <= 0 /\ (exists t, (t < S k)%nat /\ ~ c t == 0) /\
    forall j, (j < k)%nat -> sum (S k) (fun t => c t * alice P (nth t inputs O) j) == 0)
    as [c [Ck [[s' [Hs' Ns']] D]]].
  { destruct (Qlt_le_dec 0 (c0 k)) as [G|G].
    - exists (fun t => - (1) * c0 t). split; [lra|]. split; [exists s; split; [exact Hs|lra]|].
      intros j Hj. rewrite (sum_ext _ _ (fun t => - (1) * (c0 t * alice P (nth t inputs O) j))) by (intros; ring).
      rewrite sum_scale, (D0 j Hj). ring.
    - exists c0. split; [exact G|]. split; [exists s; auto|exact D0]. }
  assert (sum (S k) c == 0) as Null.
  { rewrite (sum_ext (S k) _ (fun t => sum k (fun j => c t * alice P (nth t inputs O) j))).
    - rewrite sum_swap. rewrite (sum_ext k _ (fun _ => 0)); [apply sum_zero|]. intros j Hj. apply (D j Hj).
    - intros t Ht. rewrite sum_scale. destruct (A (nth t inputs O)) as [_ A1]; [apply X, nth_In; lia|]. rewrite A1.
      ring. }
  assert (exists t, (t < S k)%nat /\ 0 < c t) as [u [Hu Pu]].
  { destruct (some_positive c (S k)) as [H|Z]; [exact H|exfalso].
    assert (sum (S k) c <= c s') as G.
    { rewrite <- (sum_single (S k) s' c Hs'). apply sum_le. intros t Ht. specialize (Z t Ht).
      destruct (s' =? t)%nat; unfold chance; lra. }
    specialize (Z s' Hs'). apply Ns'. lra. }
  destruct (with_bits (fun t => negb (Qle_bool (c t) 0)) k) as [i [I B]].
  assert (forall t, (t < S k)%nat -> Nat.testbit i t = negb (Qle_bool (c t) 0)) as B'.
  { intros t Ht. destruct (Nat.eq_dec t k) as [->|N]; [|apply B; lia].
    replace (Qle_bool (c k) 0) with true by (symmetry; apply Qle_bool_iff, Ck). cbn [negb].
    destruct (Nat.eq_dec i 0) as [->|Z]; [apply Nat.bits_0|]. apply Nat.bits_above_log2, Nat.log2_lt_pow2; lia. }
  assert (i <> 0)%nat as I0.
  { intros ->. specialize (B' u Hu). rewrite Nat.bits_0 in B'. destruct (Qle_bool (c u) 0) eqn:Z; [|discriminate B'].
    apply Qle_bool_iff in Z. lra. }
  exists c, i. split; [lia|]. split; [exact B'|]. split; [exists u; auto|]. split; [exact D|exact Null].
Qed.

Theorem radon_bound_sound w m F k inputs separations v e : w <> Public ->
  radon_bound m F k inputs separations = Some v ->
  reached w (length F) m (of_table F) (N.to_nat k) e -> v <= e.
Proof.
  intros Np C R. unfold radon_bound in C.
  match type of C with (if ?b then _ else _) = _ => destruct b eqn:H; [|discriminate C] end.
  injection C as <-.
  apply andb_prop in H as [H W]. apply andb_prop in H as [H Ls]. apply andb_prop in H as [H X].
  apply andb_prop in H as [H _]. apply andb_prop in H as [H L]. apply andb_prop in H as [M K].
  apply Nat.ltb_lt in M. apply N.ltb_lt in K. apply N.eqb_eq in L, Ls. rewrite forallb_forall in W, X.
  destruct (reached_without_public _ _ _ _ _ _ Np R) as [P [U E]].
  set (k' := N.to_nat k) in *. assert (length inputs = S k') as L' by (unfold k'; lia).
  assert (length separations + 1 = 2 ^ k')%nat as Ls'.
  { apply Nat2Z.inj. rewrite Nat2Z.inj_add, Nat2Z.inj_pow. unfold k'. rewrite N_nat_Z.
    apply (f_equal Z.of_N) in Ls. rewrite N2Z.inj_add, N2Z.inj_pow, nat_N_Z in Ls. exact Ls. }
  assert (forall x, In x inputs -> (x < length F)%nat) as X' by (intros x Hx; apply Nat.ltb_lt, X, Hx).
  destruct (some_split (length F) m k' inputs P L' X' U) as [c [i [[I0 I] [B' [[u [Hu Pu]] [D _]]]]]].
  set (weights := nth (i - 1) separations []).
  assert (In weights separations) as Iw by (apply nth_In; lia).
  apply Qle_trans with (split_bound (ones_of m F inputs) i weights).
  - apply least_of_spec. apply in_map_iff. exists (i, weights). split; [reflexivity|].
    replace (i, weights) with (nth (i - 1) (combine (seq 1 (length separations)) separations) (O, [])).
    + apply nth_In. rewrite combine_length, seq_length. lia.
    + rewrite combine_nth by apply seq_length. rewrite seq_nth by lia. unfold weights. f_equal. lia.
  - apply (radon_split m F k' inputs P e c i weights); try assumption; [exists u; auto|].
    apply Nat.eqb_eq, W, Iw.
Qed.
