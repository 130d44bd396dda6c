(* How few hypotheses tell points apart: 2^k by k of them, and if every two points are told apart in
   both orders, no more than an antichain of subsets of k has (Sperner). *)
From Coq Require Import List ZArith NArith Arith QArith Lia Lqa Bool Factorial.
From CCSim Require Import Definitions Sums Mixture Json Representations Failures Hitting Covering.
Import ListNotations.

(* ---- antichains (Lubell, Yamamoto, Meshalkin) ---- *)
Local Open Scope nat_scope.

Definition below (G : list N) (a b : N) : Prop := forall x, In x G -> N.testbit a x = true -> N.testbit b x = true.
Fixpoint antichain (G : list N) (A : list N) : Prop :=
  match A with [] => True | a :: A' => (forall b, In b A' -> ~ below G a b /\ ~ below G b a) /\ antichain G A' end.
Definition card (G : list N) (a : N) : nat := length (filter (N.testbit a) G).
Fixpoint sums {A} (f : A -> nat) (l : list A) : nat := match l with [] => 0 | a :: l' => f a + sums f l' end.

Lemma sums_ext {A} (f g : A -> nat) l : (forall a, In a l -> f a = g a) -> sums f l = sums g l.
Proof.
  induction l as [|a l IH]; intros E; cbn [sums]; [reflexivity|].
  rewrite (E a (or_introl eq_refl)), IH; [reflexivity|]. intros b Hb. apply E. right. exact Hb.
Qed.
Lemma sums_le {A} (f g : A -> nat) l : (forall a, In a l -> f a <= g a) -> sums f l <= sums g l.
Proof.
  induction l as [|a l IH]; intros E; cbn [sums]; [lia|].
  pose proof (E a (or_introl eq_refl)). specialize (IH (fun b Hb => E b (or_intror Hb))). lia.
Qed.
Lemma sums_const {A} c (l : list A) : sums (fun _ => c) l = length l * c.
Proof. induction l as [|a l IH]; cbn [sums length]; [reflexivity|]. rewrite IH. lia. Qed.
Lemma sums_filter {A} (p : A -> bool) f l : sums f (filter p l) = sums (fun a => if p a then f a else 0) l.
Proof. induction l as [|a l IH]; cbn [filter sums]; [reflexivity|]. destruct (p a); cbn [sums]; rewrite IH; lia. Qed.
Lemma sums_plus {A} (f g : A -> nat) l : sums (fun a => f a + g a) l = sums f l + sums g l.
Proof. induction l as [|a l IH]; cbn [sums]; [reflexivity|]. rewrite IH. lia. Qed.

Lemma sums_swap (p : N -> N -> bool) f A : forall G,
  sums (fun x => sums f (filter (p x) A)) G = sums (fun a => length (filter (fun x => p x a) G) * f a) A.
Proof.
  induction G as [|x G IH]; cbn [sums].
  - symmetry. cbn [filter length]. rewrite (sums_ext _ (fun _ => 0)) by (intros; lia). rewrite sums_const. lia.
  - rewrite IH, sums_filter, <- sums_plus. apply sums_ext. intros a _. cbn [filter].
    destruct (p x a); cbn [length]; lia.
Qed.

Lemma card_le G a : card G a <= length G.
Proof. unfold card. induction G as [|x G IH]; cbn [filter length]; [lia|]. destruct (N.testbit a x); cbn [length];
    lia. Qed.
Lemma card_others G a : length (filter (fun x => negb (N.testbit a x)) G) = length G - card G a.
Proof.
  unfold card. induction G as [|x G IH]; cbn [filter length]; [reflexivity|].
  pose proof (card_le G a) as L. unfold card in L. destruct (N.testbit a x); cbn [negb length]; lia.
Qed.
Lemma card_full G a : card G a = length G -> forall x, In x G -> N.testbit a x = true.
Proof.
  unfold card. induction G as [|y G IH]; cbn [filter length]; intros E x Hx; [destruct Hx|].
  pose proof (card_le G a) as L. unfold card in L. destruct (N.testbit a y) eqn:T; cbn [length] in E; [|lia].
  destruct Hx as [<-|Hx]; [exact T|]. apply IH; [lia|exact Hx].
Qed.

Definition others (G : list N) (x : N) : list N := filter (fun y => negb (y =? x)%N) G.
Lemma others_length G x : NoDup G -> In x G -> length G = S (length (others G x)).
Proof.
  unfold others. induction G as [|y G IH]; intros D H; [destruct H|]. inversion D as [|? ? Ny D']; subst.
  cbn [filter]. destruct (N.eqb_spec y x) as [->|Hne]; cbn [negb length].
  - f_equal. clear - Ny. induction G as [|z G IH]; [reflexivity|]. cbn [filter].
    destruct (N.eqb_spec z x) as [->|Hz]; [exfalso; apply Ny; left; reflexivity|]. cbn [negb length].
    f_equal. apply IH. intros H. apply Ny. right. exact H.
  - destruct H as [H|H]; [congruence|]. f_equal. apply IH; assumption.
Qed.
Lemma others_card G x a : N.testbit a x = false -> card (others G x) a = card G a.
Proof.
  unfold card, others. intros T. induction G as [|y G IH]; [reflexivity|]. cbn [filter].
  destruct (N.eqb_spec y x) as [->|Hne]; cbn [negb].
  - rewrite T. exact IH.
  - cbn [filter]. destruct (N.testbit a y); cbn [length]; rewrite IH; reflexivity.
Qed.

Lemma antichain_filter G p : forall A, antichain G A -> antichain G (filter p A).
Proof.
  induction A as [|a A IH]; cbn [antichain filter]; [auto|]. intros [H HA]. destruct (p a); [|auto].
  cbn [antichain]. split; [|auto]. intros b Hb. apply filter_In in Hb as [Hb _]. auto.
Qed.
Lemma antichain_others G x : forall A, (forall a, In a A -> N.testbit a x = false) ->
  antichain G A -> antichain (others G x) A.
Proof.
  assert (forall a b, N.testbit a x = false -> below (others G x) a b -> below G a b) as K.
  { intros a b T Be y Hy Ty. apply Be; [|exact Ty]. apply filter_In. split; [exact Hy|].
    destruct (N.eqb_spec y x) as [->|]; [congruence|reflexivity]. }
  induction A as [|a A IH]; cbn [antichain]; [auto|]. intros T [H HA]. split.
  - intros b Hb. destruct (H b Hb) as [H1 H2]. split; intros Be; [apply H1|apply H2]; apply K; auto.
    + apply T. left. reflexivity.
    + apply T. right. exact Hb.
  - apply IH; [intros b Hb; apply T; right; exact Hb|exact HA].
Qed.

Definition weight (m c : nat) : nat := fact c * fact (m - c).

Theorem lubell : forall m G A, length G = m -> NoDup G -> antichain G A ->
  sums (fun a => weight m (card G a)) A <= fact m.
Proof.
  induction m as [|m IH]; intros G A L D An.
  - destruct G; [|discriminate]. destruct A as [|a [|b A]]; cbn; [lia|lia|].
    destruct An as [H _]. destruct (H b (or_introl eq_refl)) as [H1 _]. exfalso. apply H1. intros x [].
  - destruct (existsb (fun a => card G a =? S m) A) eqn:Full.
    + apply existsb_exists in Full as [a [Ha E]]. apply Nat.eqb_eq in E. rewrite <- L in E.
      pose proof (card_full G a E) as F. assert (A = [a]) as ->.
      { destruct A as [|b A]; [destruct Ha|]. destruct An as [H An].
        destruct Ha as [->|Ha].
        - destruct A as [|c A]; [reflexivity|]. destruct (H c (or_introl eq_refl)) as [_ H2].
          exfalso. apply H2. intros x Hx _. apply F, Hx.
        - destruct (H a Ha) as [H1 _]. exfalso. apply H1. intros x Hx _. apply F, Hx. }
      cbn [sums]. unfold weight. rewrite E, L, Nat.sub_diag. change (fact 0) with 1. lia.
    + assert (forall a, In a A -> card G a <= m) as Lt.
      { intros a Ha. pose proof (card_le G a) as Le. rewrite L in Le.
        destruct (Nat.eq_dec (card G a) (S m)) as [E|]; [|lia]. exfalso.
        assert (existsb (fun a => card G a =? S m) A = true); [|congruence].
        apply existsb_exists. exists a. split; [exact Ha|apply Nat.eqb_eq, E]. }
      set (p := fun x a => negb (N.testbit a x)).
      assert (sums (fun x => sums (fun a => weight m (card G a)) (filter (p x) A)) G <= fact (S m)) as U.
      { change (fact (S m)) with (S m * fact m). rewrite <- L, <- sums_const. apply sums_le. intros x Hx.
        rewrite (sums_ext _ (fun a => weight m (card (others G x) a))).
        - apply IH.
          + pose proof (others_length G x D Hx). lia.
          + apply NoDup_filter, D.
          + apply antichain_others; [|apply antichain_filter, An]. intros a Ha. apply filter_In in Ha as [_ T].
            apply negb_true_iff, T.
        - intros a Ha. apply filter_In in Ha as [_ T]. rewrite others_card by (apply negb_true_iff, T). reflexivity. }
      eapply Nat.le_trans; [|exact U]. rewrite sums_swap. apply Nat.eq_le_incl, sums_ext. intros a Ha.
      unfold p. rewrite card_others, L. specialize (Lt a Ha). unfold weight.
      replace (S m - card G a) with (S (m - card G a)) by lia. change (fact (S (m - card G a)))
        with (S (m - card G a) * fact (m - card G a)). ring.
Qed.

Lemma weight_down m c : 2 * c + 1 <= m -> weight m (S c) <= weight m c.
Proof.
  intros H. unfold weight. replace (m - c) with (S (m - S c)) by lia.
  change (fact (S c)) with (S c * fact c). change (fact (S (m - S c))) with (S (m - S c) * fact (m - S c)).
  assert (S c <= S (m - S c)) as Le by lia. generalize (fact c) (fact (m - S c)). intros p q.
  revert Le. generalize (S c) (S (m - S c)). intros a b Le.
  replace (a * p * q) with (a * (p * q)) by ring. replace (p * (b * q)) with (b * (p * q)) by ring.
  apply Nat.mul_le_mono_r, Le.
Qed.
Lemma weight_up m c : m <= 2 * c + 1 -> c < m -> weight m c <= weight m (S c).
Proof.
  intros H Hc. unfold weight. replace (m - c) with (S (m - S c)) by lia.
  change (fact (S c)) with (S c * fact c). change (fact (S (m - S c))) with (S (m - S c) * fact (m - S c)).
  assert (S (m - S c) <= S c) as Le by lia. generalize (fact c) (fact (m - S c)). intros p q.
  revert Le. generalize (S c) (S (m - S c)). intros a b Le.
  replace (a * p * q) with (a * (p * q)) by ring. replace (p * (b * q)) with (b * (p * q)) by ring.
  apply Nat.mul_le_mono_r, Le.
Qed.

Definition middle m := weight m (m / 2).
Lemma middle_least m c : c <= m -> middle m <= weight m c.
Proof.
  intros Hc. unfold middle. pose proof (Nat.div_mod m 2 ltac:(lia)) as E. pose proof (Nat.mod_upper_bound m 2
      ltac:(lia)).
  set (h := m / 2) in *. clearbody h. destruct (Nat.le_gt_cases c h) as [L|L].
  - remember (h - c) as d eqn:Ed. revert c Hc L Ed. induction d as [|d IH]; intros c Hc L Ed.
    + replace h with c by lia. lia.
    + specialize (IH (S c) ltac:(lia) ltac:(lia) ltac:(lia)). pose proof (weight_down m c ltac:(lia)). lia.
  - remember (c - h) as d eqn:Ed. revert c Hc L Ed. induction d as [|d IH]; intros c Hc L Ed; [lia|].
    destruct c as [|c]; [lia|]. pose proof (weight_up m c ltac:(lia) ltac:(lia)).
    destruct (Nat.eq_dec c h) as [->|Hne]; [lia|]. specialize (IH c ltac:(lia) ltac:(lia) ltac:(lia)). lia.
Qed.

Theorem sperner G A : NoDup G -> antichain G A -> length A * middle (length G) <= fact (length G).
Proof.
  intros D An. eapply Nat.le_trans; [|apply (lubell _ G A eq_refl D An)]. rewrite <- sums_const.
  apply sums_le. intros a _. apply middle_least, card_le.
Qed.

(* ---- hypotheses that agree with a concept on two points ---- *)

Definition two (x y : nat) (z : nat) : Q := ((1 # 2) * (chance (z =? x)%nat + chance (z =? y)%nat))%Q.

Lemma sum_single : forall n x (g : nat -> Q), x < n -> (sum n (fun z => chance (z =? x)%nat * g z) == g x)%Q.
Proof.
  induction n as [|n IH]; intros x g Hx; [lia|]. cbn [sum]. destruct (Nat.eq_dec x n) as [->|Hne].
  - rewrite Nat.eqb_refl. rewrite (sum_ext n _ (fun _ => 0%Q)), sum_zero; [unfold chance; ring|].
    intros i Hi. rewrite (proj2 (Nat.eqb_neq i n)) by lia. unfold chance. ring.
  - rewrite IH by lia. rewrite (proj2 (Nat.eqb_neq n x)) by lia. unfold chance. ring.
Qed.

Lemma sum_two n x y g : x < n -> y < n -> (sum n (fun z => two x y z * g z) == (1 # 2) * (g x + g y))%Q.
Proof.
  intros Hx Hy. rewrite (sum_ext n _ (fun z => (1 # 2) * (chance (z =? x)%nat * g z + chance (z =? y)%nat * g z))%Q).
  - rewrite sum_scale, sum_plus, !sum_single by assumption. reflexivity.
  - intros z _. unfold two. ring.
Qed.

Lemma two_law n x y : x < n -> y < n -> law n (two x y).
Proof.
  intros Hx Hy. split.
  - intros z _. unfold two, chance. destruct (z =? x)%nat, (z =? y)%nat; lra.
  - rewrite (sum_ext n _ (fun z => two x y z * 1)%Q) by (intros; ring).
    rewrite (sum_two n x y (fun _ => 1%Q) Hx Hy). reflexivity.
Qed.

Lemma agrees n e C H f x y : represents n C H e -> (2 * e < 1)%Q -> C f -> x < n -> y < n ->
  exists h, In h H /\ h x = f x /\ h y = f y.
Proof.
  intros R E Cf Hx Hy. destruct (R f (two x y) Cf (two_law n x y Hx Hy)) as [h [Hh L]]. exists h.
  split; [exact Hh|]. unfold disagreement in L. rewrite (sum_two n x y (fun z => chance (xorb (h z) (f z))) Hx Hy) in L.
  unfold chance in L. destruct (h x), (f x), (h y), (f y); cbn [xorb] in L; auto; exfalso; lra.
Qed.

(* ---- the checker ---- *)

Definition column (rows : list (list bool)) (x : nat) : N := number_of (map (fun r => nth x r false) rows).
Fixpoint pairwise (p : N -> N -> bool) (l : list N) : bool :=
  match l with [] => true | a :: l' => forallb (p a) l' && pairwise p l' end.
Definition differ_in (a b : N) : bool := negb (a =? b)%N.
Definition apart_in (a b : N) : bool := negb (N.ldiff a b =? 0)%N && negb (N.ldiff b a =? 0)%N.

Fixpoint factorial (n : nat) : Z := match n with O => 1 | S k => Z.of_nat n * factorial k end%Z.
(* so many points may be told apart by k hypotheses *)
Definition possible (apart : bool) (number k : nat) : bool :=
  if apart then (Z.of_nat number * (factorial (k / 2) * factorial (k - k / 2)) <=? factorial k)%Z
  else (Z.of_nat number <=? 2 ^ Z.of_nat k)%Z.
Definition separation (n : nat) (rows : list (list bool)) (e failure : Q) (xs : list nat) : option Z :=
  let columns := map (column rows) xs in
  if negb (Qle_bool 1 (2 * e)) && Qeq_bool failure 0 && forallb (fun x => x <? n) xs && pairwise differ_in columns then
    let* k := find (possible (pairwise apart_in columns) (length xs)) (seq 1 (S (length xs))) in Some (Z.of_nat k)
  else None.

Lemma factorial_fact k : factorial k = Z.of_nat (fact k).
Proof.
  induction k as [|k IH]; [reflexivity|]. cbn [factorial]. rewrite IH.
  change (fact (S k)) with (S k * fact k). lia.
Qed.

Lemma find_first p : forall len s b, find p (seq s len) = Some b -> forall m, s <= m -> p m = true -> b <= m.
Proof.
  induction len as [|len IH]; intros s b E m Hm P; cbn in E; [discriminate|].
  destruct (p s) eqn:Ps; [injection E as <-; exact Hm|].
  apply (IH (S s) b E m); [|exact P]. destruct (Nat.eq_dec s m) as [->|]; [congruence|lia].
Qed.

Lemma column_bit rows x i : N.testbit (column rows x) (N.of_nat i) = nth x (nth i rows []) false.
Proof.
  unfold column. rewrite number_of_spec. replace false with (nth x [] false) at 1 by (destruct x; reflexivity).
  apply (map_nth (fun r => nth x r false)).
Qed.

(* points are told apart by the rows, hence by hypotheses *)
Definition told (rows : list (list bool)) x y := exists r, In r rows /\ nth x r false = true /\ nth y r false = false.

Lemma ldiff_told rows x y : (N.ldiff (column rows x) (column rows y) =? 0)%N = false -> told rows x y.
Proof.
  intros H. destruct (existsb (fun r => nth x r false && negb (nth y r false)) rows) eqn:X.
  - apply existsb_exists in X as [r [Hr B]]. apply andb_prop in B as [B1 B2]. exists r.
    split; [exact Hr|]. split; [exact B1|apply negb_true_iff, B2].
  - exfalso. apply N.eqb_neq in H. apply H. apply N.bits_inj. intros i. rewrite N.bits_0, N.ldiff_spec.
    rewrite <- (N2Nat.id i), !column_bit. destruct (Nat.lt_ge_cases (N.to_nat i) (length rows)) as [L|L].
    + destruct (nth x _ false && negb _) eqn:B; [|reflexivity].
      assert (existsb (fun r => nth x r false && negb (nth y r false)) rows = true); [|congruence].
      apply existsb_exists. exists (nth (N.to_nat i) rows []). split; [apply nth_In, L|exact B].
    + rewrite (nth_overflow rows) by exact L. destruct x; reflexivity.
Qed.

Lemma column_told rows x y : (column rows x =? column rows y)%N = false -> told rows x y \/ told rows y x.
Proof.
  intros H. destruct (N.ldiff (column rows x) (column rows y) =? 0)%N eqn:A; [|left; apply ldiff_told, A].
  destruct (N.ldiff (column rows y) (column rows x) =? 0)%N eqn:B; [|right; apply ldiff_told, B].
  exfalso. apply N.eqb_neq in H. apply H. apply N.eqb_eq in A, B. apply N.bits_inj. intros i.
  assert (N.testbit (N.ldiff (column rows x) (column rows y)) i = false) as A' by (rewrite A; apply N.bits_0).
  assert (N.testbit (N.ldiff (column rows y) (column rows x)) i = false) as B' by (rewrite B; apply N.bits_0).
  rewrite N.ldiff_spec in A', B'. destruct (N.testbit (column rows x) i), (N.testbit (column rows y) i); auto.
Qed.

Section Signatures.
Variables (n : nat) (rows : list (list bool)) (e : Q) (H : list concept).
Hypothesis small : (2 * e < 1)%Q.
Hypothesis good : represents n (table n (concepts rows)) H e.
Definition signature (x : nat) : list bool := map (fun h : concept => h x) H.
Definition signature_mask (x : nat) : N := number_of (signature x).

Lemma told_signature x y : x < n -> y < n -> told rows x y -> exists i, i < length H /\
  nth i (signature x) false = true /\ nth i (signature y) false = false.
Proof.
  intros Hx Hy [r [Hr [Rx Ry]]]. destruct (agrees n e _ H (of_row r) x y good small) as [h [Hh [Ex Ey]]]; try
      assumption.
  { exists (of_row r). split; [apply in_map, Hr|intros z _; reflexivity]. }
  apply (In_nth _ _ (fun _ => false)) in Hh as [i [Hi E]]. exists i. split; [exact Hi|]. unfold signature.
  assert (forall z, nth i (map (fun h : concept => h z) H) false = nth i H (fun _ => false) z) as M
    by (intros z; apply (map_nth (fun h : concept => h z) H (fun _ => false))).
  rewrite !M. subst h. split; [transitivity (of_row r x)|transitivity (of_row r y)]; assumption.
Qed.

Lemma distinct_signatures xs : forallb (fun x => x <? n) xs = true ->
  pairwise differ_in (map (column rows) xs) = true -> NoDup (map signature xs).
Proof.
  induction xs as [|x xs IH]; cbn [map pairwise forallb]; intros V P; [constructor|].
  apply andb_prop in V as [Vx V]. apply andb_prop in P as [Px P]. constructor; [|apply IH; assumption].
  intros I. apply in_map_iff in I as [y [E Hy]]. rewrite forallb_forall in Px, V.
  specialize (Px _ (in_map (column rows) _ _ Hy)). specialize (V y Hy). apply Nat.ltb_lt in Vx, V.
  unfold differ_in in Px. apply negb_true_iff in Px.
  destruct (column_told _ _ _ Px) as [T|T].
  - destruct (told_signature x y Vx V T) as [i [_ [A B]]]. congruence.
  - destruct (told_signature y x V Vx T) as [i [_ [A B]]]. congruence.
Qed.

Lemma antichain_signatures xs : forallb (fun x => x <? n) xs = true ->
  pairwise apart_in (map (column rows) xs) = true -> antichain (places (length H)) (map signature_mask xs).
Proof.
  assert (forall x y, x < n -> y < n -> told rows x y -> ~ below (places (length H)) (signature_mask x)
      (signature_mask y)) as K.
  { intros x y Hx Hy T Be. destruct (told_signature x y Hx Hy T) as [i [Hi [A B]]].
    specialize (Be (N.of_nat i)). unfold signature_mask in Be. rewrite !number_of_spec, A, B in Be.
    discriminate Be; [|reflexivity]. apply in_map, in_seq. lia. }
  induction xs as [|x xs IH]; cbn [map pairwise forallb antichain]; intros V P; [exact I|].
  apply andb_prop in V as [Vx V]. apply andb_prop in P as [Px P]. split; [|apply IH; assumption].
  intros b Hb. apply in_map_iff in Hb as [y [<- Hy]]. rewrite forallb_forall in Px, V.
  specialize (Px _ (in_map (column rows) _ _ Hy)). specialize (V y Hy). apply Nat.ltb_lt in Vx, V.
  unfold apart_in in Px. apply andb_prop in Px as [P1 P2]. apply negb_true_iff in P1, P2.
  split; apply K; try assumption; apply ldiff_told; assumption.
Qed.
End Signatures.

Lemma all_rows_length n : Z.of_nat (length (all_rows n)) = (2 ^ Z.of_nat n)%Z.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [all_rows]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite <- IH.
  generalize (all_rows n) as l. clear. induction l as [|a l IH]; [reflexivity|]. cbn [flat_map app length] in *. lia.
Qed.

Theorem separation_sound n rows e failure pool xs b : separation n rows e failure xs = Some b ->
  forall k, represented_randomly n (table n (concepts rows)) pool e k failure -> (b <= Z.of_nat k)%Z.
Proof.
  unfold separation. destruct (_ && _) eqn:V; [|discriminate]. apply andb_prop in V as [V P].
  apply andb_prop in V as [V B]. apply andb_prop in V as [E Z0]. apply negb_true_iff in E.
  assert (2 * e < 1)%Q as Se.
  { destruct (Qlt_le_dec (2 * e) 1) as [L|L]; [exact L|]. apply Qle_bool_iff in L. congruence. }
  destruct (find _ _) as [m|] eqn:F; [|discriminate]. intros [= <-] k R. apply Qeq_bool_iff in Z0.
  apply (certain n _ pool e k failure Z0) in R. destruct R as [H [[Ne [L _]] R]].
  assert (m <= length H); [|lia]. apply (find_first _ _ _ _ F).
  { destruct H; [congruence|simpl; lia]. }
  unfold possible. destruct (pairwise apart_in (map (column rows) xs)) eqn:A; apply Z.leb_le.
  - pose proof (sperner (places (length H)) (map (signature_mask H) xs)) as S.
    unfold places at 3 4 in S. rewrite !map_length, seq_length in S. unfold middle, weight in S.
    rewrite !factorial_fact, <- !Nat2Z.inj_mul. apply Nat2Z.inj_le, S.
    + apply FinFun.Injective_map_NoDup; [intros i j; apply Nat2N.inj|apply seq_NoDup].
    + eapply antichain_signatures; eassumption.
  - rewrite <- all_rows_length. apply Nat2Z.inj_le. rewrite <- (map_length (signature H) xs).
    apply NoDup_incl_length; [eapply distinct_signatures; eassumption|].
    intros r Hr. apply in_map_iff in Hr as [x [<- _]]. apply all_rows_spec. apply map_length.
Qed.
