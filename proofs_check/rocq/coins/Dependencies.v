(* What k messages cannot do without public coins: the laws of k + 1 inputs depend on each other, and by
   which weights is cut, until relations between the answers make inputs err. *)
From Coq Require Import ZArith QArith Lia Lqa Bool List.
From CCSim Require Import Definitions Sums Mixture Arrays OneWay Cases RandomClasses LawBounds Determinants Corners Orders
  Radon
  Relations.
From CCSim Require Subsets.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- sums over vectors ---- *)

Definition corner n (unit : positive) (i : nat) : vertex := map (fun x => if (x =? i)%nat then Zpos unit else 0%Z)
  (seq 0 n).
Lemma corner_at n unit i x : (x < n)%nat -> at_place (corner n unit i) x == chance (i =? x)%nat * inject_Z (Zpos unit).
Proof.
  intros H. unfold at_place, corner. rewrite nth_map_seq by exact H. rewrite Nat.eqb_sym.
  destruct (i =? x)%nat; unfold chance; [ring|]. change (inject_Z 0) with 0. ring.
Qed.
Lemma corner_sum n unit i g : (i < n)%nat -> sum n (fun x => at_place (corner n unit i) x * g x) == inject_Z (Zpos
  unit) * g i.
Proof.
  intros H. rewrite (sum_ext n _ (fun x => chance (i =? x)%nat * (inject_Z (Zpos unit) * g x))).
  - apply (sum_single n i (fun x => inject_Z (Zpos unit) * g x) H).
  - intros x Hx. rewrite corner_at by exact Hx. ring.
Qed.
Lemma weighted_sum n l g : sum n (fun x => weighted l x * g x)
  == sum_over l (fun t => fst t * sum n (fun x => at_place (snd t) x * g x)).
Proof.
  rewrite (sum_ext n _ (fun x => sum_over l (fun t => fst t * (at_place (snd t) x * g x)))).
  - rewrite sum_sum_over. apply sum_over_ext. intros t _. apply sum_scale.
  - intros x _. unfold weighted. rewrite Qmult_comm, <- sum_over_scale. apply sum_over_ext. intros; ring.
Qed.

Lemma sum_over_chosen (q : nat -> bool) a g : (forall t, (t < a)%nat -> q t = false -> g t == 0) ->
  sum_over (filter q (seq 0 a)) g == sum a g.
Proof.
  intros H. rewrite <- sum_over_seq. assert (forall t, In t (seq 0 a) -> q t = false -> g t == 0) as H'
    by (intros t I; apply H; apply in_seq in I; lia).
  revert H'. unfold sum_over. generalize (seq 0 a). induction l as [|t l IH]; intros H'; [reflexivity|].
  cbn [filter fold_right]. rewrite <- IH by (intros s I; apply H', in_cons, I).
  destruct (q t) eqn:E; [reflexivity|]. rewrite (H' t (in_eq _ _) E). ring.
Qed.

(* ---- how often Bob answers 1 ---- *)

Definition answer_one k (P : protocol) x y : Q := sum k (fun j => alice P x j * bob P j y).

Lemma answer_one_chance k P x y : law k (alice P x) -> (forall j, (j < k)%nat -> 0 <= bob P j y <= 1) ->
  0 <= answer_one k P x y <= 1.
Proof.
  intros [A0 A1] B. unfold answer_one. split.
  - apply sum_nonneg. intros j Hj. specialize (A0 j Hj). specialize (B j Hj). apply Qmult_le_0_compat; lra.
  - rewrite <- A1. apply sum_le. intros j Hj. specialize (A0 j Hj). specialize (B j Hj). nra.
Qed.
Lemma answer_one_error k f P x y : law k (alice P x) -> error k f P x y ==
  match f x y with Some true => 1 - answer_one k P x y | Some false => answer_one k P x y | None => 0 end.
Proof.
  intros [_ A1]. unfold error, answer_one. destruct (f x y) as [[|]|]; try reflexivity.
  rewrite (sum_ext k _ (fun j => alice P x j + - (1) * (alice P x j * bob P j y))) by (intros; ring).
  rewrite sum_plus, sum_scale, A1. ring.
Qed.

(* ---- the tree ---- *)

Inductive dependency_node :=
| Depend (inputs : list nat) | Halve (number s t : nat) | Relate (relations : list relation_of).

Section Tree.
Variables (n m k : nat) (f : problem) (unit : positive).

Definition split_side (inputs : list nat) (i : nat) (b : bool) : list vertex :=
  map (fun t => corner n unit (nth t inputs O)) (filter (fun t => eqb (Nat.testbit i t) b) (seq 0 (S k))).
(* list 2 d and list 2 d + 1 are those of dependency d *)
Definition halved_sides (case : list dependency) (number s t : nat) : option (list (list dependency)) :=
  let d := Nat.div number 2 in
  match nth_error case d with
  | Some (p, q) =>
      if Nat.even number
      then match halves p s t with Some parts => Some (map (fun a => update case d (a, q)) parts) | None => None end
      else match halves q s t with Some parts => Some (map (fun b => update case d (p, b)) parts) | None => None end
  | None => None
  end.
Definition dependency_split (a : dependency_node) (case : list dependency) : option (list (list dependency) * list Q)
  :=
  match a with
  | Depend inputs =>
      if (length inputs =? S k)%nat && Subsets.no_repeats inputs && forallb (fun x => x <? n)%nat inputs
      then Some (map (fun i => case ++ [(split_side inputs i true, split_side inputs i false)]) (seq 1 (2 ^ k - 1)),
        [])
      else None
  | Halve number s t => match halved_sides case number s t with Some parts => Some (parts, []) | None => None end
  | Relate rs => match related_bound n m f case rs with Some v => Some ([], [v]) | None => None end
  end.
Definition dependencies_bound (nodes : list dependency_node) : option Q :=
  if (0 <? n)%nat && (0 <? m)%nat then
    match walk dependency_split nodes [[]] [] with Some l => Some (least_of l) | None => None end
  else None.

Section Sound.
Variables (P : protocol) (e : Q).
Hypothesis used_P : uses n m k P.
Hypothesis within_e : forall x y, (x < n)%nat -> (y < m)%nat -> error k f P x y <= e.
Hypothesis n0 : (0 < n)%nat.
Hypothesis m0 : (0 < m)%nat.
Notation U := (inject_Z (Zpos unit)).

Definition vanishes (c : vector) := forall j, (j < k)%nat -> sum n (fun x => c x * alice P x j) == 0.
Definition stands_for (case : list dependency) (C : list vector) :=
  Forall2 (differs n) case C /\ forall c, In c C -> vanishes c.

Lemma depend_covers inputs : length inputs = S k -> (forall x, In x inputs -> (x < n)%nat) ->
  exists i c, (0 < i < 2 ^ k)%nat /\ differs n (split_side inputs i true, split_side inputs i false) c /\ vanishes c.
Proof.
  intros L X. destruct (some_split n m k inputs P L X used_P) as [c [i [I [B [[u [Hu Pu]] [D Null]]]]]].
  set (plus t := positive_part (c t)). set (minus t := positive_part (c t) - c t).
  set (S0 := sum (S k) plus).
  assert (forall t, 0 <= plus t /\ 0 <= minus t) as Pos
    by (intros t; unfold plus, minus; destruct (positive_cases (c t)) as [[Z ->]|[Z ->]]; split; lra).
  assert (forall t, (t < S k)%nat -> eqb (Nat.testbit i t) true = false -> plus t == 0) as Zp.
  { intros t Ht Z. rewrite (B t Ht) in Z. unfold plus, positive_part. destruct (Qle_bool (c t) 0);
    [reflexivity|discriminate Z]. }
  assert (forall t, (t < S k)%nat -> eqb (Nat.testbit i t) false = false -> minus t == 0) as Zm.
  { intros t Ht Z. rewrite (B t Ht) in Z. unfold minus, positive_part. destruct (Qle_bool (c t) 0); [discriminate
    Z|ring]. }
  assert (0 < S0) as S1.
  { apply Qlt_le_trans with (plus u).
    - unfold plus. destruct (positive_cases (c u)) as [[Z ->]|[Z ->]]; lra.
    - rewrite <- (sum_single (S k) u plus Hu). apply sum_le. intros t Ht. specialize (Pos t).
      destruct (u =? t)%nat; unfold chance; lra. }
  assert (sum (S k) minus == S0) as Sm.
  { unfold minus. rewrite (sum_ext (S k) _ (fun t => plus t + - (1) * c t)) by (intros; unfold plus; ring).
    rewrite sum_plus, sum_scale, Null. unfold S0. ring. }
  set (side b := filter (fun t => eqb (Nat.testbit i t) b) (seq 0 (S k))).
  set (pairs b (g : nat -> Q) := map (fun t => (g t / S0, corner n unit (nth t inputs O))) (side b)).
  assert (forall b g, (forall t, 0 <= g t) -> sum (S k) g == S0 ->
    (forall t, (t < S k)%nat -> eqb (Nat.testbit i t) b = false -> g t == 0) ->
    mixed n (split_side inputs i b) (weighted (pairs b g))) as Mix.
  { intros b g G0 G1 Gz. exists (pairs b g). split; [|split; [|reflexivity]].
    - intros p J. apply in_map_iff in J as [t [<- J]]. cbn [fst snd]. split.
      + apply Qle_shift_div_l; [exact S1|]. rewrite Qmult_0_l. apply G0.
      + unfold split_side. apply in_map_iff. exists t. split; [reflexivity|exact J].
    - unfold pairs. rewrite sum_over_map. cbn [fst].
      rewrite (sum_over_ext _ _ (fun t => / S0 * g t)) by (intros; field; lra).
      rewrite sum_over_scale. unfold side. rewrite (sum_over_chosen _ (S k) g Gz), G1. field. lra. }
  assert (forall b g j, (forall t, (t < S k)%nat -> eqb (Nat.testbit i t) b = false -> g t == 0) ->
    sum n (fun x => weighted (pairs b g) x * alice P x j) == sum (S k) (fun t => U / S0 * (g t * alice P (nth t inputs
      O) j))) as Val.
  { intros b g j Gz. rewrite weighted_sum. unfold pairs. rewrite sum_over_map. cbn [fst snd].
    rewrite <- (sum_over_chosen (fun t => eqb (Nat.testbit i t) b) (S k)).
    - apply sum_over_ext. intros t J. apply filter_In in J as [J _]. apply in_seq in J.
      rewrite (corner_sum n unit _ (fun x => alice P x j)) by (apply X, nth_In; lia). field. lra.
    - intros t Ht Z. rewrite (Gz t Ht Z). ring. }
  exists i, (fun x => weighted (pairs true plus) x - weighted (pairs false minus) x). split; [exact I|]. split.
  - exists (weighted (pairs true plus)), (weighted (pairs false minus)). split; [|split].
    + apply Mix; [intros t; apply Pos|reflexivity|exact Zp].
    + apply Mix; [intros t; apply Pos|exact Sm|exact Zm].
    + intros x _. reflexivity.
  - intros j Hj.
    rewrite (sum_ext n _ (fun x => weighted (pairs true plus) x * alice P x j
      + - (1) * (weighted (pairs false minus) x * alice P x j))) by (intros; ring).
    rewrite sum_plus, sum_scale, !Val by assumption.
    rewrite <- sum_scale, <- sum_plus.
    rewrite (sum_ext (S k) _ (fun t => U / S0 * (c t * alice P (nth t inputs O) j)))
      by (intros; unfold minus, plus; field; lra).
    rewrite sum_scale, (D j Hj). ring.
Qed.

Lemma halved_sides_cover case C number s t parts : stands_for case C ->
  halved_sides case number s t = Some parts -> exists part, In part parts /\ stands_for part C.
Proof.
  intros St H. unfold halved_sides in H. destruct (nth_error case _) as [[p q]|] eqn:N; [|discriminate H].
  destruct St as [F V]. destruct (Forall2_update _ _ _ F _ _ N) as [c [[a [b [A [B E]]]] G]].
  destruct (Nat.even number).
  - destruct (halves p s t) as [l|] eqn:Hh; [|discriminate H]. injection H as <-.
    destruct (halves_cover n p s t l a Hh A) as [part [I M]].
    exists (update case (Nat.div number 2) (part, q)). split; [apply in_map_iff; exists part; auto|].
    split; [|exact V]. apply G. exists a, b. auto.
  - destruct (halves q s t) as [l|] eqn:Hh; [|discriminate H]. injection H as <-.
    destruct (halves_cover n q s t l b Hh B) as [part [I M]].
    exists (update case (Nat.div number 2) (p, part)). split; [apply in_map_iff; exists part; auto|].
    split; [|exact V]. apply G. exists a, b. auto.
Qed.

Lemma dependency_split_sound a case parts bounds : dependency_split a case = Some (parts, bounds) ->
  (exists C, stands_for case C) ->
  (exists part, In part parts /\ exists C, stands_for part C) \/ (exists v, In v bounds /\ v <= e).
Proof.
  intros H [C St]. destruct a as [inputs|number s t|rs]; cbn [dependency_split] in H.
  - match type of H with (if ?c then _ else _) = _ => destruct c eqn:R; [|discriminate H] end. injection H as <- <-.
    apply andb_prop in R as [R X]. apply andb_prop in R as [L _]. apply Nat.eqb_eq in L. rewrite forallb_forall in X.
    destruct (depend_covers inputs L (fun x I => proj1 (Nat.ltb_lt _ _) (X x I))) as [i [c [I [D V]]]]. left.
    exists (case ++ [(split_side inputs i true, split_side inputs i false)]). split.
    + apply in_map_iff. exists i. split; [reflexivity|]. apply in_seq. lia.
    + exists (C ++ [c]). destruct St as [F W]. split.
      * apply Forall2_app; [exact F|]. constructor; [exact D|constructor].
      * intros b J. apply in_app_or in J as [J|[<-|[]]]; [apply W, J|exact V].
  - destruct (halved_sides case number s t) as [l|] eqn:Hh; [|discriminate H]. injection H as <- <-. left.
    destruct (halved_sides_cover case C number s t l St Hh) as [part [I G]]. exists part. split; [exact I|exists C;
      exact G].
  - destruct (related_bound n m f case rs) as [v|] eqn:R; [|discriminate H]. injection H as <- <-. right.
    exists v. split; [left; reflexivity|]. destruct used_P as [A B]. destruct St as [F V].
    apply (related_sound n m f (answer_one k P) e) with (deps := case) (rs := rs) (C := C); try assumption.
    + eapply Qle_trans; [apply (error_nonneg n m k f P O O used_P n0 m0)|apply within_e; assumption].
    + intros z y Hz Hy. apply answer_one_chance; [apply A, Hz|]. intros j Hj. apply B; assumption.
    + intros z y Hz Hy. specialize (within_e z y Hz Hy). rewrite answer_one_error in within_e by apply A, Hz.
      destruct (f z y) as [[|]|]; [exact within_e|exact within_e|exact Logic.I].
    + intros c J y Hy. unfold answer_one.
      rewrite (sum_ext n _ (fun z => sum k (fun j => bob P j y * (c z * alice P z j))))
        by (intros; rewrite <- sum_scale; apply sum_ext; intros; ring).
      rewrite sum_swap, (sum_ext k _ (fun _ => 0)); [apply sum_zero|]. intros j Hj. rewrite sum_scale, (V c J j Hj).
        ring.
Qed.
End Sound.
End Tree.

Theorem dependencies_bound_sound w n m k f unit nodes v e : w <> Public ->
  dependencies_bound n m k f unit nodes = Some v -> reached w n m f k e -> v <= e.
Proof.
  intros Np C R. unfold dependencies_bound in C. destruct ((0 <? n)%nat && (0 <? m)%nat) eqn:G; [|discriminate C].
  apply andb_prop in G as [N0 M0]. apply Nat.ltb_lt in N0, M0.
  destruct (walk _ nodes _ _) as [l|] eqn:W; [|discriminate C]. injection C as <-.
  destruct (reached_without_public _ _ _ _ _ _ Np R) as [P [U E]].
  destruct (walk_sound (dependency_split n m k f unit) (fun case => exists C, stands_for n k P case C) e
    (dependency_split_sound n m k f unit P e U E N0 M0) nodes [[]] [] l [] W (or_introl eq_refl)) as [v [I V]].
  - exists []. split; [constructor|intros c []].
  - eapply Qle_trans; [apply least_of_spec, I|exact V].
Qed.
