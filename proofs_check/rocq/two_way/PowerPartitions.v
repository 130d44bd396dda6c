(* Fractional partitions of powers of a matrix, from above: rectangles with weights of their orbits. *)
From Coq Require Import String List Arith NArith ZArith QArith Lia Lqa Bool Permutation.
From CCSim Require Import Definitions Json Certificate Sums Mixture OneWay Tables Sorting RandomClasses Moves Distributions
  Classes Protocols ProtocolErrors PartitionBounds SymmetricProtocols Inputs Covers PowerInputs PowerCovers.
Import ListNotations.
Local Open Scope Q_scope.

Record power_asked := PowerAsked { factor_of : asked; power_value_of : bool; exponent : nat }.

(* ---- classes and codes of the inputs of the matrix ---- *)

Fixpoint position (l : list N) (a : N) : nat :=
  match l with [] => O | b :: l' => if (a =? b)%N then O else S (position l' a) end.
Lemma position_once l a b : In a l -> position l a = position l b -> a = b.
Proof.
  induction l as [|c l IH]; intros I E; [destruct I|]. cbn [position] in E.
  destruct (N.eqb_spec a c) as [->|A]; destruct (N.eqb_spec b c) as [->|Bc]; try reflexivity; try discriminate.
  apply IH; [|lia]. destruct I as [->|I]; [congruence|exact I].
Qed.

Section Classes.
Variables (n m k : nat) (F : list (list (option bool))) (b : bool) (moves : list symmetry).
Notation f := (of_table F).
Definition labels_here : list (list N) := labels_of n m moves.
Definition roots : list N := flat_map (fun x => flat_map (fun y =>
  if is_value b (f x y) && (label_at labels_here x y =? SymmetricProtocols.code m x y)%N then [SymmetricProtocols.code m x y] else []) (seq 0 m)) (seq 0 n).
(* the class of an input of the value *)
Definition class_in (T : list (list N)) (R : list N) x y : nat := position R (label_at T x y).
Definition code_in (T : list (list N)) (R : list N) x y : N :=
  if is_value b (f x y) then (N.of_nat (S k) ^ N.of_nat (class_in T R x y))%N else 0%N.
Definition codes : list (list N) := let T := labels_here in let R := roots in tabulate n m (code_in T R).
Definition unflipped (s : symmetry) : bool := forallb negb (snd s).
(* what is checked of the symmetries *)
Definition classes_fit : bool :=
  (0 <? n)%nat && (0 <? m)%nat && (0 <? k)%nat && forallb (check_symmetry n m F) moves && forallb unflipped moves &&
  (let T := labels_here in let R := roots in keep_labels n m moves T &&
   forallb (fun x => forallb (fun y => negb (is_value b (f x y)) || existsb (N.eqb (label_at T x y)) R) (seq 0 m)) (seq 0 n)).

Hypothesis fit : classes_fit = true.
Notation V := (fun x y => negb (label_at codes x y =? 0)%N).
Notation C := (label_at codes).
Notation cls := (fun z => class_in labels_here roots (fst z) (snd z)).

Lemma fit_parts : (0 < n)%nat /\ (0 < m)%nat /\ (0 < k)%nat /\ forallb (check_symmetry n m F) moves = true /\
  forallb unflipped moves = true /\ keep_labels n m moves labels_here = true /\
  forall x y, (x < n)%nat -> (y < m)%nat -> is_value b (f x y) = true -> In (label_at labels_here x y) roots.
Proof.
  unfold classes_fit in fit. repeat (apply andb_prop in fit as [fit ?H]). cbv zeta in *.
  repeat match goal with H : (_ && _)%bool = true |- _ => apply andb_prop in H as [? ?] end.
  repeat match goal with H : (0 <? _)%nat = true |- _ => apply Nat.ltb_lt in H end.
  repeat split; try assumption. intros x y X Y E.
  match goal with H : forallb (fun x => forallb _ (seq 0 m)) (seq 0 n) = true |- _ => rewrite forallb_forall in H;
    specialize (H x ltac:(apply in_seq; lia)); rewrite forallb_forall in H; specialize (H y ltac:(apply in_seq; lia));
    rewrite E in H; cbn [negb orb] in H; apply existsb_exists in H as [l [I D]] end.
  apply N.eqb_eq in D. rewrite D. exact I.
Qed.
Lemma code_at x y : (x < n)%nat -> (y < m)%nat -> C x y = code_in labels_here roots x y.
Proof.
  intros X Y. unfold label_at, codes, tabulate. cbv zeta.
  rewrite (nth_map_seq (fun x => map (code_in labels_here roots x) (seq 0 m)) n x [] X). apply nth_map_seq, Y.
Qed.
Lemma value_at_cell x y : (x < n)%nat -> (y < m)%nat -> V x y = is_value b (f x y).
Proof.
  intros X Y. cbv beta. rewrite code_at by assumption. unfold code_in. destruct (is_value b (f x y)); [|reflexivity].
  destruct (N.eqb_spec (N.of_nat (S k) ^ N.of_nat (class_in labels_here roots x y)) 0) as [E|_]; [|reflexivity].
  apply N.pow_nonzero in E; [destruct E|lia].
Qed.
Notation in_range := (in_range n m).
Lemma power_codes zs : Forall in_range zs -> all_hold V zs = true -> sum_of_codes C zs = base_sum k (map cls zs).
Proof.
  induction 1 as [|z zs [X Y] _ IH]; intros A; [reflexivity|]. unfold all_hold in A. cbn [forallb] in A.
  apply andb_prop in A as [A Z]. rewrite value_at_cell in A by assumption.
  unfold sum_of_codes, base_sum. cbn [map fold_right]. fold (sum_of_codes C zs) (base_sum k (map cls zs)).
  rewrite IH by exact Z. rewrite code_at by assumption. unfold code_in. rewrite A. reflexivity.
Qed.

Lemma symmetric_value s x y : In s moves -> (x < n)%nat -> (y < m)%nat ->
  f (moved_row s x) (moved_column s y) = f x y.
Proof.
  intros I X Y. destruct fit_parts as [_ [_ [_ [S0 [U _]]]]].
  destruct (symmetry_moves n m F moves S0 s I) as [_ [_ M]]. rewrite M by assumption.
  rewrite forallb_forall in U. specialize (U s I). unfold unflipped in U. rewrite forallb_forall in U.
  destruct (nth y (snd s) false) eqn:E; [|reflexivity].
  destruct (Nat.lt_ge_cases y (length (snd s))) as [L|L].
  - specialize (U _ (nth_In _ false L)). rewrite E in U. discriminate.
  - rewrite nth_overflow in E by exact L. discriminate.
Qed.

Variable h : nat -> nat -> Q.
Notation mean zs := (mean_at_cells n m k V C h zs).
Lemma mean_alike a c : alike n m moves a c -> in_range a -> in_range c -> forall zs ys, Forall in_range (zs ++ a :: ys) ->
  length (zs ++ a :: ys) = k -> mean (zs ++ c :: ys) == mean (zs ++ a :: ys).
Proof.
  destruct fit_parts as [N0 [M0 [_ [S0 [_ [K _]]]]]].
  pose proof (numbered_settled n m F moves S0 (n * m) _ (numbered_codes n m moves)) as TL.
  fold (labels_of n m moves) in TL. fold labels_here in TL.
  induction 1 as [s x y I X Y|a|a c A IH|a c d A IH D JH]; intros Ra Rc zs ys H L.
  - destruct (symmetry_moves n m F moves S0 s I) as [P [Q _]].
    apply (mean_replaced n m k V C N0 M0 h (fst (fst s)) (snd (fst s)) zs (x, y) ys P Q); [| |exact H|exact L].
    + intros x' y' X' Y'. destruct (symmetry_below n m F moves S0 s x' y' I X' Y') as [X2 Y2].
      rewrite !value_at_cell by assumption. f_equal. apply (symmetric_value s x' y' I X' Y').
    + intros x' y' X' Y' _. destruct (symmetry_below n m F moves S0 s x' y' I X' Y') as [X2 Y2].
      rewrite !code_at by assumption. unfold code_in, class_in.
      change (goes (fst (fst s)) x') with (moved_row s x'). change (goes (snd (fst s)) y') with (moved_column s y').
      rewrite (symmetric_value s x' y' I X' Y'), (labels_kept n m moves labels_here K s x' y' I X' Y'). reflexivity.
  - reflexivity.
  - symmetry. apply IH; try assumption.
    + apply Forall_app in H as [H1 H2]. inversion H2; subst. apply Forall_app. split; [exact H1|constructor; assumption].
    + rewrite <- L, !app_length. reflexivity.
  - assert (in_range c) as Rm by (apply (alike_below_label n m F moves S0 labels_here K a c A); exact Ra).
    rewrite JH, IH; try assumption; [reflexivity| |].
    + apply Forall_app in H as [H1 H2]. inversion H2; subst. apply Forall_app. split; [exact H1|constructor; assumption].
    + rewrite <- L, !app_length. reflexivity.
Qed.

Lemma same_class_connected zs ys : Forall in_range zs -> Forall in_range ys -> all_hold V zs = true -> all_hold V ys = true ->
  map cls zs = map cls ys -> Forall2 (alike n m moves) zs ys.
Proof.
  destruct fit_parts as [N0 [M0 [_ [S0 [_ [K R]]]]]].
  pose proof (numbered_settled n m F moves S0 (n * m) _ (numbered_codes n m moves)) as TL.
  fold (labels_of n m moves) in TL. fold labels_here in TL.
  intros H. revert ys. induction H as [|[x y] zs [X Y] H IH]; intros [|[x' y'] ys] H' A A' E; try discriminate; constructor.
  - inversion H' as [|? ? [X' Y'] _]; subst. cbn [fst snd] in *. cbn [map fst snd] in E. injection E as E _.
    unfold all_hold in A. cbn [forallb fst snd] in A. apply andb_prop in A as [A _]. rewrite value_at_cell in A by assumption.
    apply (same_label_alike n m moves labels_here TL x y x' y' X Y X' Y').
    unfold class_in in E. apply position_once in E; [exact E|]. apply R; assumption.
  - inversion H'; subst. cbn [map] in E. injection E as _ E. unfold all_hold in A, A'. cbn [forallb] in A, A'.
    apply andb_prop in A as [_ A]. apply andb_prop in A' as [_ A']. apply IH; assumption.
Qed.

Lemma cells_sides x y : map fst (cells_of n m k x y) = parts n k x /\ map snd (cells_of n m k x y) = parts m k y.
Proof.
  unfold cells_of.
  assert (forall l r : list nat, length l = length r -> map fst (combine l r) = l /\ map snd (combine l r) = r) as G.
  { induction l as [|a l IH]; intros [|c r] E; try discriminate; [split; reflexivity|]. injection E as E.
    destruct (IH r E) as [A B]. cbn [combine map fst snd]. rewrite A, B. split; reflexivity. }
  apply G. rewrite !parts_length. reflexivity.
Qed.
Lemma cells_in_range x y : Forall in_range (cells_of n m k x y).
Proof.
  destruct fit_parts as [N0 [M0 _]]. unfold cells_of. pose proof (parts_within n N0 k x) as A.
  pose proof (parts_within m M0 k y) as B. revert A B. generalize (parts n k x) (parts m k y).
  induction l as [|a l IH]; intros [|c r] A B; try constructor.
  - inversion A; inversion B; subst. split; assumption.
  - inversion A; inversion B; subst. apply IH; assumption.
Qed.
Lemma cells_length x y : length (cells_of n m k x y) = k.
Proof. unfold cells_of. rewrite combine_length, !parts_length. apply Nat.min_id. Qed.
Lemma mean_at x y : (x < n ^ k)%nat -> (y < m ^ k)%nat ->
  mean (cells_of n m k x y) == on_images (n ^ k) (m ^ k) (power_value n m k V) (power_label n m k V C) h x y.
Proof.
  intros X Y. destruct fit_parts as [N0 [M0 _]]. unfold mean_at_cells. destruct (cells_sides x y) as [-> ->].
  rewrite !number_parts by assumption. reflexivity.
Qed.
Theorem same_label_same_mean x y x' y' : (x < n ^ k)%nat -> (y < m ^ k)%nat -> (x' < n ^ k)%nat -> (y' < m ^ k)%nat ->
  all_hold V (cells_of n m k x y) = true -> power_label n m k V C x' y' = power_label n m k V C x y ->
  on_images (n ^ k) (m ^ k) (power_value n m k V) (power_label n m k V C) h x' y'
  == on_images (n ^ k) (m ^ k) (power_value n m k V) (power_label n m k V C) h x y.
Proof.
  intros X Y X' Y' A E. destruct fit_parts as [N0 [M0 _]]. rewrite <- !mean_at by assumption.
  unfold power_label, label_of in E. rewrite A in E. destruct (all_hold V (cells_of n m k x' y')) eqn:A'; [|lia].
  apply N.succ_inj in E. rewrite !power_codes in E by (try assumption; apply cells_in_range).
  apply (base_sum_permutation k _ _ _ (Nat.le_refl _)) in E; try (rewrite map_length, cells_length; apply Nat.le_refl).
  apply Permutation_sym, Permutation_map_inv in E as [ws [E P]].
  assert (Forall in_range ws) as W by (apply (Permutation_Forall P), cells_in_range).
  assert (all_hold V ws = true) as Aw.
  { unfold all_hold in *. rewrite forallb_forall in *. intros z I. apply A'. apply (Permutation_in z (Permutation_sym P) I). }
  rewrite (mean_permuted n m k V C N0 M0 h _ _ P []) by (try apply cells_in_range; apply cells_length). cbn [app].
  apply (mean_connected n m k V C h (alike n m moves) mean_alike _ _
    (same_class_connected _ _ (cells_in_range x y) W A Aw E) []); [apply cells_in_range|exact W|apply cells_length].
Qed.
End Classes.

(* ---- rectangles, as lists of rows and columns of the power, with integer weights ---- *)

Notation listed_rectangle := (list nat * list nat * Z)%type.
Definition holds_in (l : list nat) (x : nat) : bool := existsb (Nat.eqb x) l.
Definition is_listed (bound : nat) (l : list nat) : bool :=
  forallb (fun x => (x <? bound)%nat) l && distinct (map N.of_nat l).
Lemma is_listed_spec bound l : is_listed bound l = true -> NoDup l /\ forall x, In x l -> (x < bound)%nat.
Proof.
  unfold is_listed. intros H. apply andb_prop in H as [B D]. split.
  - apply distinct_spec, NoDup_map_inv in D. exact D.
  - rewrite forallb_forall in B. intros x I. apply Nat.ltb_lt, B, I.
Qed.
Lemma sum_listed bound l (g : nat -> Q) : NoDup l -> (forall x, In x l -> (x < bound)%nat) ->
  sum bound (fun x => chance (holds_in l x) * g x) == sum_over l g.
Proof.
  induction l as [|a l IH]; intros D B; [unfold sum_over; cbn; rewrite (sum_ext _ _ (fun _ => 0)) by
    (intros; unfold chance; ring); apply sum_zero|].
  inversion D as [|? ? N D']; subst. unfold sum_over. cbn [fold_right]. fold (sum_over l g).
  rewrite <- (IH D') by (intros; apply B, in_cons; assumption).
  rewrite <- (sum_single bound a g (B a (in_eq _ _))), <- sum_plus. apply sum_ext. intros x _.
  unfold holds_in. cbn [existsb]. rewrite (Nat.eqb_sym x a). destruct (Nat.eqb_spec a x) as [->|E]; cbn [orb]; [|unfold chance; ring].
  destruct (existsb (Nat.eqb x) l) eqn:H; [|unfold chance; ring]. apply existsb_exists in H as [y [I H]].
  apply Nat.eqb_eq in H. subst. contradiction.
Qed.

Section Sums.
Variables (n m k : nat) (T : list (list N)).
Hypothesis N0 : (0 < n)%nat.
Hypothesis M0 : (0 < m)%nat.
Notation V := (fun x y => negb (label_at T x y =? 0)%N).
Notation C := (label_at T).
Notation F := (power_value n m k V).
Notation L := (power_label n m k V C).

Fixpoint cells_hold (l r : list nat) : bool :=
  match l, r with
  | a :: l', c :: r' => if (label_at T a c =? 0)%N then false else cells_hold l' r'
  | _, _ => true
  end.
Lemma cells_hold_spec : forall l r, cells_hold l r = all_hold V (combine l r).
Proof.
  induction l as [|a l IH]; intros [|c r]; try reflexivity. unfold all_hold. cbn [cells_hold combine forallb fst snd].
  destruct (label_at T a c =? 0)%N; [reflexivity|]. apply IH.
Qed.
Definition check_rectangle (r : listed_rectangle) : bool :=
  let '(A, B, w) := r in (0 <=? w)%Z && is_listed (n ^ k) A && is_listed (m ^ k) B &&
  (let ys := map (parts m k) B in forallb (fun x => forallb (cells_hold x) ys) (map (parts n k) A)).
Definition inputs_in_rectangle (r : listed_rectangle) : polynomial :=
  let '(A, B, w) := r in scaled w (inputs_of n m C k (map (parts n k) A) (map (parts m k) B)).
Definition difference (u : Z) (l : list listed_rectangle) : polynomial :=
  merge (merge_all inputs_in_rectangle l) (scaled (- u) (all_inputs n m V C k)).
Definition check_partition (u : Z) (l : list listed_rectangle) : bool :=
  (0 <? u)%Z && forallb check_rectangle l && is_zero (difference u l).

Definition as_weighted (u : Z) (r : listed_rectangle) : rectangle * Q :=
  ((holds_in (fst (fst r)), holds_in (snd (fst r))), inject_Z (snd r) / inject_Z u).

Section Checked.
Variables (u : Z) (l : list listed_rectangle).
Hypothesis checked : check_partition u l = true.

Lemma unit_positive : (0 < u)%Z.
Proof. unfold check_partition in checked. apply andb_prop in checked as [H _]. apply andb_prop in H as [H _]. apply Z.ltb_lt, H. Qed.
Lemma rectangle_checked A B w : In (A, B, w) l -> (0 <= w)%Z /\ NoDup A /\ NoDup B /\
  (forall x, In x A -> (x < n ^ k)%nat) /\ (forall y, In y B -> (y < m ^ k)%nat) /\
  forall x y, In x A -> In y B -> all_hold V (cells_of n m k x y) = true.
Proof.
  intros I. unfold check_partition in checked. apply andb_prop in checked as [H _]. apply andb_prop in H as [_ H].
  rewrite forallb_forall in H. specialize (H _ I). cbn [check_rectangle] in H. apply andb_prop in H as [H K].
  apply andb_prop in H as [H LB]. apply andb_prop in H as [W LA]. apply Z.leb_le in W.
  apply is_listed_spec in LA as [DA BA], LB as [DB BB]. repeat split; try assumption.
  intros x y X Y. rewrite forallb_forall in K. specialize (K _ (in_map _ _ _ X)). rewrite forallb_forall in K.
  specialize (K _ (in_map _ _ _ Y)). rewrite cells_hold_spec in K. exact K.
Qed.
Lemma partition_of_value p : In p (map (as_weighted u) l) -> of_value (n ^ k) (m ^ k) F true (fst p) /\ 0 <= snd p.
Proof.
  intros I. apply in_map_iff in I as [[[A B] w] [<- I]]. destruct (rectangle_checked A B w I) as [W [_ [_ [_ [_ H]]]]].
  pose proof unit_positive as U. cbn [as_weighted fst snd]. split.
  - intros x y c X Y R E. unfold holds, as_weighted in R. cbn [fst snd] in R. apply andb_prop in R as [RA RB].
    unfold holds_in in RA, RB. apply existsb_exists in RA as [x' [IA EA]], RB as [y' [IB EB]].
    apply Nat.eqb_eq in EA, EB. subst x' y'. unfold power_value in E. rewrite (H x y IA IB) in E. congruence.
  - apply Qle_shift_div_l; [apply inject_pos, U|]. rewrite Qmult_0_l. apply inject_nonneg, W.
Qed.
Notation at_label a := (fun c => chance (N.succ c =? a)%N).
Lemma label_in_rectangle A B w a : In (A, B, w) l -> a <> 0%N ->
  over_label (n ^ k) (m ^ k) L a (fun x y => chance (holds (holds_in A, holds_in B) x y))
  == value_of (at_label a) (inputs_of n m C k (map (parts n k) A) (map (parts m k) B)).
Proof.
  intros I A0. destruct (rectangle_checked A B w I) as [_ [DA [DB [BA [BB H]]]]].
  rewrite inputs_of_value; try assumption.
  - unfold over_label, over_rectangle. rewrite sum_over_map.
    rewrite (sum_ext (n ^ k) _ (fun x => chance (holds_in A x) * sum (m ^ k) (fun y =>
      chance (holds_in B y) * chance (L x y =? a)%N))).
    + rewrite (sum_listed (n ^ k) A _ DA BA). apply sum_over_ext. intros x X.
      rewrite (sum_listed (m ^ k) B _ DB BB), sum_over_map. apply sum_over_ext. intros y Y.
      unfold power_label, label_of. rewrite (H x y X Y). reflexivity.
    + intros x _. rewrite <- sum_scale. apply sum_ext. intros y _. unfold holds. cbn [fst snd].
      destruct (holds_in A x), (holds_in B y); unfold chance; cbn [andb]; ring.
  - intros d Id. apply in_map_iff in Id as [x [<- _]]. split; [apply parts_length|apply parts_within, N0].
  - intros d Id. apply in_map_iff in Id as [x [<- _]]. split; [apply parts_length|apply parts_within, M0].
Qed.
Lemma label_of_weights : forall r, incl r l -> forall a, a <> 0%N ->
  over_label (n ^ k) (m ^ k) L a (weight_held (map (as_weighted u) r))
  == value_of (at_label a) (merge_all inputs_in_rectangle r) / inject_Z u.
Proof.
  pose proof (inject_pos _ unit_positive) as U.
  induction r as [|[[A B] w] r IH]; intros Inc a A0.
  - unfold over_label, value_of, weight_held. cbn [map fold_right merge_all sum_over].
    rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_zero; field; lra|]. intros x _.
    rewrite (sum_ext _ _ (fun _ => 0)); [apply sum_zero|]. intros; ring.
  - unfold merge_all. cbn [fold_right]. fold (merge_all inputs_in_rectangle r). rewrite value_merge.
    cbn [inputs_in_rectangle]. rewrite value_scaled, <- (label_in_rectangle A B w a (Inc _ (in_eq _ _)) A0).
    setoid_replace ((inject_Z w * over_label (n ^ k) (m ^ k) L a (fun x y => chance (holds (holds_in A, holds_in B) x y))
      + value_of (at_label a) (merge_all inputs_in_rectangle r)) / inject_Z u)
      with (inject_Z w / inject_Z u * over_label (n ^ k) (m ^ k) L a (fun x y => chance (holds (holds_in A, holds_in B) x y))
      + value_of (at_label a) (merge_all inputs_in_rectangle r) / inject_Z u) by (field; lra).
    rewrite <- IH by (try assumption; intros t It; apply Inc, in_cons, It).
    unfold over_label. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros x _.
    rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros y _. unfold weight_held. cbn [map fold_right as_weighted fst snd].
    ring.
Qed.
Lemma sums_are_right a : a <> 0%N ->
  over_label (n ^ k) (m ^ k) L a (weight_held (map (as_weighted u) l)) == over_label (n ^ k) (m ^ k) L a (fun _ _ => 1).
Proof.
  intros A0. pose proof (inject_pos _ unit_positive) as U. rewrite label_of_weights by (try assumption; apply incl_refl).
  unfold check_partition in checked. apply andb_prop in checked as [_ Z]. apply (value_zero (at_label a)) in Z.
  unfold difference in Z. rewrite value_merge, value_scaled, <- at_inputs_value in Z by assumption.
  rewrite inject_Z_opp in Z.
  assert (at_inputs n m V C k (at_label a) == over_label (n ^ k) (m ^ k) L a (fun _ _ => 1)) as E.
  { unfold at_inputs, over_label. apply sum_ext. intros x _. apply sum_ext. intros y _. unfold power_label, label_of.
    destruct (all_hold V (cells_of n m k x y)); [ring|]. destruct (N.eqb_spec 0 a); [congruence|unfold chance; ring]. }
  rewrite E in Z. setoid_replace (value_of (at_label a) (merge_all inputs_in_rectangle l))
    with (inject_Z u * over_label (n ^ k) (m ^ k) L a (fun _ _ => 1)) by lra. field. lra.
Qed.
Lemma weight_of_partition : whole_weight (map (as_weighted u) l)
  == inject_Z (fold_right (fun r s => (snd r + s)%Z) 0%Z l) / inject_Z u.
Proof.
  pose proof (inject_pos _ unit_positive) as U. clear checked. unfold whole_weight.
  induction l as [|r t IH]; [cbn; field; lra|]. cbn [map fold_right as_weighted snd]. rewrite IH, inject_Z_plus. field. lra.
Qed.
End Checked.
End Sums.

Lemma power_value_spec n m k F b T x y : (0 < n)%nat -> (0 < m)%nat ->
  (forall a c, (a < n)%nat -> (c < m)%nat -> negb (label_at T a c =? 0)%N = is_value b (of_table F a c)) ->
  power_value n m k (fun x y => negb (label_at T x y =? 0)%N) x y = power_of n m (of_table F) b k x y.
Proof.
  intros N0 M0 H. unfold power_value, power_of, cells_of, all_hold. f_equal. revert x y.
  induction k as [|k IH]; intros x y; [reflexivity|]. cbn [parts combine forallb fst snd has_value_in_power].
  rewrite IH, H by (apply Nat.mod_upper_bound; lia). reflexivity.
Qed.

Theorem partition_of_power n m k F b moves u l : classes_fit n m k F b moves = true ->
  check_partition n m k (codes n m k F b moves) u l = true ->
  power_partition_at_most n m (of_table F) b k (inject_Z (fold_right (fun r s => (snd r + s)%Z) 0%Z l) / inject_Z u).
Proof.
  intros Fit H. destruct (fit_parts n m k F b moves Fit) as [N0 [M0 _]].
  set (T := codes n m k F b moves) in *. set (V := fun x y => negb (label_at T x y =? 0)%N).
  set (W := map (as_weighted u) l). set (P := power_value n m k V). set (L := power_label n m k V (label_at T)).
  assert (forall x y, P x y = power_of n m (of_table F) b k x y) as Same.
  { intros x y. apply power_value_spec; [exact N0|exact M0|]. intros a c A C.
    apply (value_at_cell n m k F b moves a c A C). }
  exists (moved_cover (n ^ k) (m ^ k) P L W). split.
  - assert (covers_by_weights true (n ^ k) (m ^ k) P true (moved_cover (n ^ k) (m ^ k) P L W)) as Cov.
    { apply average_cover.
      - intros x y E. discriminate E.
      - intros x y _ _. unfold P, L, power_value, power_label, label_of. destruct (all_hold V (cells_of n m k x y)).
        + split; [intros _; lia|reflexivity].
        + split; [discriminate|congruence].
      - intros p. apply (partition_of_value n m k T u l H).
      - intros x y x' y' X Y X' Y' E El. apply (same_label_same_mean n m k F b moves Fit); try assumption.
        unfold P, power_value in E. injection E as E. exact E.
      - intros x y X Y E. apply (sums_are_right n m k T N0 M0 u l H). unfold L, power_label, label_of.
        unfold P, power_value in E. injection E as E. rewrite E. lia. }
    destruct Cov as [R S]. split.
    + intros p I. destruct (R p I) as [Of Pos]. split; [|exact Pos]. intros x y c X Y Hd E. rewrite <- Same in E.
      exact (Of x y c X Y Hd E).
    + intros x y X Y E. rewrite <- Same in E. exact (S x y X Y E).
  - apply Qle_lteq. right. rewrite moved_weight by (intros p; apply (partition_of_value n m k T u l H)).
    apply (weight_of_partition n m k T u l H).
Qed.

(* ---- how they are read ---- *)

Definition most_power : nat := 64.
Definition power_asked_in (instance : json) (values : list json) : option power_asked :=
  match values with
  | [b; k] =>
      let* q := asked_in instance in
      let* b := bit_in b in
      let* k := count k in
      given ((1 <=? k)%nat && (k <=? most_power)%nat && (N.of_nat (Nat.max (height q) (width q)) ^ N.of_nat k <? Z.to_N large)%N
             && forallb (forallb (fun a => match a with Some _ => true | None => false end)) (lines q))
        (Some (PowerAsked q b k))
  | _ => None
  end.
Definition symmetry_of_power n m (j : json) : option symmetry :=
  match j with
  | Array [r; c] => let* r := list_of (index n) r in let* c := list_of (index m) c in Some (r, c, repeat false m)
  | _ => None
  end.
Definition sides_of_transposition n m (j : json) : option (option (list nat * list nat)) :=
  match j with
  | Null => Some None
  | Array [r; c] =>
      let* r := list_of (index m) r in
      let* c := list_of (index n) c in
      given ((n =? m)%nat && (length r =? n)%nat && (length c =? m)%nat && distinct (map N.of_nat r)
             && distinct (map N.of_nat c)) (Some (Some (r, c)))
  | _ => None
  end.
(* a transposition maps classes to classes, and twice each class to itself; this is no part of the proof *)
Definition transposes n m (T : list (list N)) (t : list nat * list nat) : bool :=
  let cells := filter (fun z => negb (label_at T (fst z) (snd z) =? 0)%N) (list_prod (seq 0 n) (seq 0 m)) in
  let image z := (goes (snd t) (snd z), goes (fst t) (fst z)) : nat * nat in
  let code_of z := label_at T (fst z) (snd z) in
  let pairs := map (fun z => (code_of z, code_of (image z))) cells in
  forallb (fun z => negb (code_of (image z) =? 0)%N && (code_of (image (image z)) =? code_of z)%N) cells
  && forallb (fun p => match find (fun q => fst q =? fst p)%N pairs with Some q => (snd q =? snd p)%N | None => false end) pairs.
Definition transposed_rectangle n m k (t : list nat * list nat) (r : listed_rectangle) : listed_rectangle :=
  (map (fun y => number_from n (map (goes (snd t)) (parts m k y))) (snd (fst r)),
   map (fun x => number_from m (map (goes (fst t)) (parts n k x))) (fst (fst r)), snd r).
Definition listed_rectangle_in n m (j : json) : option listed_rectangle :=
  match j with
  | Array [a; b; w] =>
      let* A := list_of (index n) a in
      let* B := list_of (index m) b in
      let* w := at_least_integer 0 w in Some (A, B, w)
  | _ => None
  end.
(* the symmetries, and the transposition, if they fit and the classes are few enough for the kernel *)
Definition power_moves (q : power_asked) (s t : json) : option (list symmetry * option (list nat * list nat)) :=
  let n := height (factor_of q) in
  let m := width (factor_of q) in
  let rows := lines (factor_of q) in
  let* moves := list_of (symmetry_of_power n m) s in
  let* turn := sides_of_transposition n m t in
  given (classes_fit n m (exponent q) rows (power_value_of q) moves
         && (N.of_nat (S (exponent q)) ^ N.of_nat (length (roots n m rows (power_value_of q) moves)) <=? 2 ^ 64)%N
         && match turn with
            | Some t => transposes n m (codes n m (exponent q) rows (power_value_of q) moves) t
            | None => true
            end) (Some (moves, turn)).
Definition power_upper (q : power_asked) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "rectangles" &&
  match fields ["symmetries"; "transposition"; "unit"; "listed"]%string data with
  | Some [s; t; u; l] =>
      let n := height (factor_of q) in
      let m := width (factor_of q) in
      let k := exponent q in
      match power_moves q s t, at_least_integer 1 u, list_of (listed_rectangle_in (n ^ k) (m ^ k)) l with
      | Some (moves, turn), Some u, Some l =>
          let l := match turn with Some t => l ++ map (transposed_rectangle n m k t) l | None => l end in
          let u := match turn with Some _ => (2 * u)%Z | None => u end in
          check_partition n m k (codes n m k (lines (factor_of q)) (power_value_of q) moves) u l
          && is_quotient (fold_right (fun r s => (snd r + s)%Z) 0%Z l) u v
      | _, _, _ => false
      end
  | _ => false
  end.
Lemma power_moves_fit q s t moves turn : power_moves q s t = Some (moves, turn) ->
  classes_fit (height (factor_of q)) (width (factor_of q)) (exponent q) (lines (factor_of q)) (power_value_of q) moves = true.
Proof.
  unfold power_moves. intros H. destruct (list_of _ s) as [mv|]; [|discriminate].
  destruct (sides_of_transposition _ _ t) as [tu|]; [|discriminate]. unfold given in H.
  destruct (classes_fit _ _ _ _ _ mv) eqn:E; [|discriminate]. destruct (_ && _)%bool; [|discriminate].
  injection H as <- _. exact E.
Qed.
Theorem power_upper_sound q v name data : power_upper q v name data = true ->
  power_partition_at_most (height (factor_of q)) (width (factor_of q)) (problem_in (factor_of q)) (power_value_of q) (exponent q) v.
Proof.
  unfold power_upper. intros H. apply andb_prop in H as [_ H].
  destruct (fields _ data) as [[|s [|t [|u [|l [|]]]]]|]; try discriminate. cbv zeta in H.
  destruct (power_moves q s t) as [[moves turn]|] eqn:Mv; [|discriminate].
  destruct (at_least_integer 1 u) as [u'|]; [|discriminate]. destruct (list_of _ l) as [l'|]; [|discriminate].
  apply power_moves_fit in Mv. apply andb_prop in H as [C D].
  set (U := match turn with Some _ => (2 * u')%Z | None => u' end) in *.
  set (W := match turn with Some t => _ | None => l' end) in *.
  pose proof (unit_positive _ _ _ _ _ _ C) as P. apply (is_quotient_spec _ _ _ P) in D.
  destruct (partition_of_power _ _ _ _ _ _ _ _ Mv C) as [cover [Cov Wt]]. exists cover. split; [exact Cov|].
  refine (Qle_trans _ _ _ Wt _). apply inject_pos in P. apply Qle_shift_div_r; [exact P|]. rewrite D. apply Qle_refl.
Qed.
