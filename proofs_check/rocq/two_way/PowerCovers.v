(* Rectangles of a power whose weights add up to the right sum over the inputs of each type: moved by all
   symmetries, each with a share of the weight, they add up to the same at each input. *)
From Coq Require Import List Arith NArith ZArith QArith Lia Lqa Bool Permutation.
From CCSim Require Import Definitions Sums Mixture OneWay RandomClasses Moves Inputs Covers PowerInputs.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- the mean of a cover over a group ---- *)

Section Averaging.
Variables (n m : nat) (F : problem) (L : nat -> nat -> N) (l : list (rectangle * Q)).
Hypothesis total_problem : forall x y, F x y <> None.
Hypothesis labelled : forall x y, (x < n)%nat -> (y < m)%nat -> F x y = Some true <-> L x y <> 0%N.
Hypothesis rectangles : forall p, In p l -> of_value n m F true (fst p) /\ 0 <= snd p.
Notation G := (group n m F L).
Notation size := (group_size n m F L).

Definition moved_rectangle (g : pair_of_moves) (r : rectangle) : rectangle :=
  (fun x => fst r (goes (fst g) x), fun y => snd r (goes (snd g) y)).
Definition moved_cover : list (rectangle * Q) :=
  flat_map (fun g => map (fun p => (moved_rectangle g (fst p), snd p / size)) l) G.

Lemma whole_app (a b : list (rectangle * Q)) : whole_weight (a ++ b) == whole_weight a + whole_weight b.
Proof.
  unfold whole_weight. induction a as [|p a IH]; cbn [app fold_right]; [ring|]. rewrite IH. ring.
Qed.
Lemma held_app (a b : list (rectangle * Q)) x y : weight_held (a ++ b) x y == weight_held a x y + weight_held b x y.
Proof.
  unfold weight_held. induction a as [|p a IH]; cbn [app fold_right]; [ring|]. rewrite IH. ring.
Qed.
Lemma moved_weight : whole_weight moved_cover == whole_weight l.
Proof.
  pose proof (group_size_pos n m F L) as S. unfold moved_cover.
  assert (forall g, whole_weight (map (fun p => (moved_rectangle g (fst p), snd p / size)) l) == whole_weight l / size) as One.
  { intros g. unfold whole_weight. induction l as [|p r IH]; [cbn; field; lra|]. cbn [map fold_right snd].
    rewrite IH; [field; lra|]. intros t I. apply rectangles, in_cons, I. }
  assert (forall K, whole_weight (flat_map (fun g => map (fun p => (moved_rectangle g (fst p), snd p / size)) l) K)
    == inject_Z (Z.of_nat (length K)) * (whole_weight l / size)) as All.
  { induction K as [|g K IH]; [cbn; ring|]. cbn [flat_map]. rewrite whole_app, One, IH. cbn [length].
    rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1. ring. }
  rewrite All. fold size. fold (group_size n m F L). field. lra.
Qed.
Lemma moved_held x y : weight_held moved_cover x y == on_images n m F L (weight_held l) x y / size.
Proof.
  pose proof (group_size_pos n m F L) as S. unfold moved_cover, on_images.
  assert (forall g, weight_held (map (fun p => (moved_rectangle g (fst p), snd p / size)) l) x y
    == weight_held l (goes (fst g) x) (goes (snd g) y) / size) as One.
  { intros g. unfold weight_held. clear rectangles. induction l as [|p r IH]; [cbn; field; lra|]. cbn [map fold_right fst snd].
    rewrite IH. unfold holds, moved_rectangle. cbn [fst snd]. field. lra. }
  induction G as [|g K IH]; [cbn; field; lra|]. cbn [flat_map]. rewrite held_app, One, IH. cbn [sum_over fold_right].
  unfold sum_over. field. lra.
Qed.

Hypothesis alike_inputs : forall x y x' y', (x < n)%nat -> (y < m)%nat -> (x' < n)%nat -> (y' < m)%nat ->
  F x y = Some true -> L x' y' = L x y -> on_images n m F L (weight_held l) x' y' == on_images n m F L (weight_held l) x y.
Hypothesis right_sums : forall x y, (x < n)%nat -> (y < m)%nat -> F x y = Some true ->
  over_label n m L (L x y) (weight_held l) == over_label n m L (L x y) (fun _ _ => 1).

Theorem average_cover : covers_by_weights true n m F true moved_cover.
Proof.
  pose proof (group_size_pos n m F L) as S. split.
  - intros p I. apply in_flat_map in I as [g [Ig I]]. apply in_map_iff in I as [r [<- I]]. cbn [fst snd].
    destruct (rectangles r I) as [V P]. split; [|apply Qle_shift_div_l; [exact S|lra]].
    intros x y c X Y H E. destruct (group_below n m F L g x y Ig X Y) as [X' Y'].
    destruct (F (goes (fst g) x) (goes (snd g) y)) as [c'|] eqn:E'; [|destruct (total_problem _ _ E')].
    assert (c' = true) as -> by (apply (V _ _ c' X' Y'); assumption).
    apply (labelled _ _ X' Y') in E'. apply group_spec in Ig as [_ [_ [_ K]]]. rewrite (K x y X Y) in E'.
    apply (labelled _ _ X Y) in E'. congruence.
  - intros x y X Y E. rewrite moved_held.
    pose proof (label_mean n m F L (weight_held l) x y X Y
      (fun x' y' X' Y' => alike_inputs x y x' y' X Y X' Y' E)) as M.
    pose proof (label_count n m L x y X Y) as P. rewrite (right_sums x y X Y E) in M.
    apply (Qmult_inj_r _ _ (over_label n m L (L x y) (fun _ _ => 1))); [lra|]. rewrite Qmult_comm, M. ring.
Qed.
End Averaging.

(* ---- sums of powers of a base: they determine the exponents, if these are fewer than the base ---- *)

Section Bases.
Variable k : nat.
Notation B := (N.of_nat (S k)).
Definition base_sum (l : list nat) : N := fold_right (fun c s => (B ^ N.of_nat c + s)%N) 0%N l.

Lemma base_sum_split : forall l, exists z r, Permutation l (repeat O z ++ map S r) /\
  base_sum l = (N.of_nat z + B * base_sum r)%N /\ (z + length r = length l)%nat /\ (list_sum r + length r = list_sum l)%nat.
Proof.
  induction l as [|c l [z [r [P [E [Ln Sm]]]]]]; [exists O, []; repeat split; constructor|].
  unfold base_sum in *. destruct c as [|c].
  - exists (S z), r. cbn [repeat app fold_right length list_sum]. split; [constructor; exact P|].
    rewrite E. split; [change (B ^ N.of_nat 0)%N with 1%N; lia|]. split; [lia|exact Sm].
  - exists z, (c :: r). cbn [map fold_right length list_sum]. split; [rewrite P; apply Permutation_middle|].
    rewrite E, (Nat2N.inj_succ c), N.pow_succ_r', N.mul_add_distr_l. split; [ring|].
    split; [lia|]. unfold list_sum in *. cbn [fold_right]. lia.
Qed.
Lemma base_sum_empty r : base_sum r = 0%N -> r = [].
Proof.
  destruct r as [|c r]; [reflexivity|]. unfold base_sum. cbn [fold_right]. intros H.
  pose proof (N.pow_nonzero B (N.of_nat c)). lia.
Qed.
Lemma base_sum_permutation : forall f l r, (list_sum l <= f)%nat -> (length l <= k)%nat -> (length r <= k)%nat ->
  base_sum l = base_sum r -> Permutation l r.
Proof.
  induction f as [|f IH]; intros l r Sf L R E; destruct (base_sum_split l) as [z [a [P [Ea [La Sa]]]]],
    (base_sum_split r) as [z' [b [P' [Eb [Lb Sb]]]]]; rewrite Ea, Eb in E;
    assert (B * base_sum a + N.of_nat z = B * base_sum b + N.of_nat z')%N as D by lia;
    apply N.div_mod_unique in D as [D Z]; try lia; apply Nat2N.inj in Z; subst z';
    (assert (Permutation a b) as Pab; [|rewrite P, P', Pab; reflexivity]).
  - assert (a = []) as -> by (destruct a; [reflexivity|cbn in Sa; lia]). symmetry in D. apply base_sum_empty in D as ->.
    constructor.
  - destruct a as [|c a]; [symmetry in D; apply base_sum_empty in D as ->; constructor|].
    apply IH; try lia; try exact D. cbn [length] in Sa. lia.
Qed.
End Bases.

(* ---- polynomials: codes with their coefficients, in increasing order ---- *)

Notation polynomial := (list (N * Z)).
Fixpoint merge (p : polynomial) : polynomial -> polynomial :=
  match p with
  | [] => fun q => q
  | (c, w) :: p' => fix with_second (q : polynomial) : polynomial :=
      match q with
      | [] => p
      | (d, v) :: q' => if (c =? d)%N then (c, (w + v)%Z) :: merge p' q'
                        else if (c <? d)%N then (c, w) :: merge p' q else (d, v) :: with_second q'
      end
  end.
Definition shifted (a : N) (p : polynomial) : polynomial := map (fun t => ((a + fst t)%N, snd t)) p.
Definition scaled (w : Z) (p : polynomial) : polynomial := map (fun t => (fst t, (w * snd t)%Z)) p.
Definition value_of (g : N -> Q) (p : polynomial) : Q := sum_over p (fun t => inject_Z (snd t) * g (fst t)).
Definition is_zero (p : polynomial) : bool := forallb (fun t => (snd t =? 0)%Z) p.

Lemma value_merge g : forall p q, value_of g (merge p q) == value_of g p + value_of g q.
Proof.
  unfold value_of, sum_over. induction p as [|[c w] p IH]; intros q; [cbn [merge fold_right]; ring|].
  induction q as [|[d v] q IHq]; [cbn [merge fold_right]; ring|]. cbn [merge].
  destruct (N.eqb_spec c d) as [->|E]; [cbn [fold_right fst snd]; rewrite IH, inject_Z_plus; ring|].
  destruct (c <? d)%N; cbn [fold_right fst snd].
  - rewrite IH. cbn [fold_right fst snd]. ring.
  - cbn [merge] in IHq. rewrite IHq. cbn [fold_right fst snd]. ring.
Qed.
Lemma value_shifted g a p : value_of g (shifted a p) == value_of (fun c => g (a + c)%N) p.
Proof. unfold value_of, shifted. rewrite sum_over_map. reflexivity. Qed.
Lemma value_scaled g w p : value_of g (scaled w p) == inject_Z w * value_of g p.
Proof.
  unfold value_of, scaled. rewrite sum_over_map, <- sum_over_scale. apply sum_over_ext. intros t _. cbn [fst snd].
  rewrite inject_Z_mult. ring.
Qed.
Lemma value_zero g p : is_zero p = true -> value_of g p == 0.
Proof.
  unfold value_of, is_zero. rewrite forallb_forall. intros H. rewrite (sum_over_ext _ _ (fun _ => 0)).
  - rewrite sum_over_const. ring.
  - intros t I. specialize (H t I). apply Z.eqb_eq in H. rewrite H. change (inject_Z 0) with 0. ring.
Qed.
Definition merge_all {A} (u : A -> polynomial) (l : list A) : polynomial := fold_right (fun a p => merge (u a) p) [] l.
Lemma value_merge_all {A} g (u : A -> polynomial) l : value_of g (merge_all u l) == sum_over l (fun a => value_of g (u a)).
Proof.
  unfold merge_all. induction l as [|a l IH]; [reflexivity|]. cbn [fold_right]. rewrite value_merge, IH. reflexivity.
Qed.

Section Counting.
Variables (n m : nat) (V : nat -> nat -> bool) (C : nat -> nat -> N).
Hypothesis N0 : (0 < n)%nat.
Hypothesis M0 : (0 < m)%nat.

(* all inputs of the power with the value *)
Fixpoint all_inputs (k : nat) : polynomial :=
  match k with
  | O => [(0%N, 1%Z)]
  | S k' => let p := all_inputs k' in
      merge_all (fun a => merge_all (fun b => if V a b then shifted (C a b) p else []) (seq 0 m)) (seq 0 n)
  end.
Definition at_inputs k (g : N -> Q) : Q := sum (n ^ k) (fun x => sum (m ^ k) (fun y =>
  if all_hold V (cells_of n m k x y) then g (sum_of_codes C (cells_of n m k x y)) else 0)).

Lemma sum_product a b (g : nat -> Q) : sum (a * b) g == sum b (fun x => sum a (fun d => g (d + a * x)%nat)).
Proof.
  induction b as [|b IH]; [rewrite Nat.mul_0_r; reflexivity|].
  rewrite Nat.mul_succ_r. cbn [sum]. rewrite <- IH.
  assert (forall c d (h : nat -> Q), sum (c + d) h == sum c h + sum d (fun i => h (i + c)%nat)) as A.
  { clear. intros c d h. induction d as [|d IH]; [rewrite Nat.add_0_r; cbn; ring|].
    rewrite Nat.add_succ_r. cbn [sum]. rewrite IH, (Nat.add_comm d c). ring. }
  rewrite A. apply Qplus_comp; [reflexivity|]. reflexivity.
Qed.
Lemma cells_step k a b x y : (a < n)%nat -> (b < m)%nat ->
  cells_of n m (S k) (a + n * x) (b + m * y) = (a, b) :: cells_of n m k x y.
Proof.
  intros A B. unfold cells_of. cbn [parts combine].
  assert (forall c d z, (d < c)%nat -> (d + c * z) mod c = d /\ (d + c * z) / c = z)%nat as S.
  { intros c d z D. rewrite (Nat.mul_comm c z), Nat.mod_add, Nat.mod_small, Nat.div_add, Nat.div_small; lia. }
  destruct (S n a x A) as [-> ->], (S m b y B) as [-> ->]. reflexivity.
Qed.
Lemma at_inputs_value : forall k g, at_inputs k g == value_of g (all_inputs k).
Proof.
  induction k as [|k IH]; intros g.
  - unfold at_inputs, value_of. cbn. ring.
  - cbn [all_inputs]. rewrite value_merge_all, sum_over_seq. unfold at_inputs.
    change (n ^ S k)%nat with (n * n ^ k)%nat. change (m ^ S k)%nat with (m * m ^ k)%nat.
    rewrite sum_product, sum_swap. apply sum_ext. intros a A.
    rewrite value_merge_all, sum_over_seq.
    rewrite (sum_ext (n ^ k) _ (fun x => sum m (fun b => sum (m ^ k) (fun y =>
      if V a b then (if all_hold V (cells_of n m k x y) then g (C a b + sum_of_codes C (cells_of n m k x y))%N else 0) else 0)))).
    + rewrite sum_swap. apply sum_ext. intros b Bb. destruct (V a b).
      * rewrite value_shifted, <- IH. reflexivity.
      * rewrite (sum_ext _ _ (fun _ => 0)); [apply sum_zero|]. intros x _. apply sum_zero.
    + intros x _. rewrite sum_product, sum_swap. apply sum_ext. intros b Bb. apply sum_ext. intros y _.
      rewrite (cells_step k a b x y A Bb). unfold all_hold, sum_of_codes. cbn [forallb fold_right fst snd].
      destruct (V a b); reflexivity.
Qed.

(* the inputs of a rectangle, given by the digits of its rows and of its columns *)
Definition tails (a : nat) (l : list (list nat)) : list (list nat) :=
  flat_map (fun d => match d with c :: t => if (c =? a)%nat then [t] else [] | [] => [] end) l.
Fixpoint inputs_of (k : nat) (xs ys : list (list nat)) : polynomial :=
  match xs, ys with
  | [], _ | _, [] => []
  | _, _ =>
      match k with
      | O => [(0%N, (Z.of_nat (length xs) * Z.of_nat (length ys))%Z)]
      | S k' => let below := map (fun b => (b, tails b ys)) (seq 0 m) in
          merge_all (fun a => let rows := tails a xs in
            merge_all (fun b => shifted (C a (fst b)) (inputs_of k' rows (snd b))) below) (seq 0 n)
      end
  end.
Definition over_rectangle (xs ys : list (list nat)) (g : N -> Q) : Q :=
  sum_over xs (fun x => sum_over ys (fun y => g (sum_of_codes C (combine x y)))).

Lemma tails_sum c k (l : list (list nat)) (g : list nat -> Q) : (forall d, In d l -> length d = S k /\ Forall (fun i => i < c)%nat d) ->
  sum_over l g == sum c (fun a => sum_over (tails a l) (fun t => g (a :: t))).
Proof.
  induction l as [|d l IH]; intros H; [cbn; rewrite sum_zero; reflexivity|].
  destruct (H d (in_eq _ _)) as [Ln W]. destruct d as [|e t]; [discriminate|]. inversion W as [|? ? E _]; subst.
  cbn [tails flat_map]. fold (tails). unfold sum_over at 1. cbn [fold_right]. fold (sum_over l g).
  rewrite (IH (fun d I => H d (in_cons _ _ _ I))).
  transitivity (sum c (fun a => chance (e =? a)%nat * g (a :: t) + sum_over (tails a l) (fun t => g (a :: t)))).
  - rewrite sum_plus. apply Qplus_comp; [|reflexivity]. symmetry. apply (sum_single c e (fun a => g (a :: t)) E).
  - apply sum_ext. intros a _. rewrite sum_over_app. apply Qplus_comp; [|reflexivity].
    destruct (e =? a)%nat; unfold chance; cbn; ring.
Qed.
Lemma tails_in a k c l t : (forall d, In d l -> length d = S k /\ Forall (fun i => i < c)%nat d) -> In t (tails a l) ->
  length t = k /\ Forall (fun i => i < c)%nat t.
Proof.
  intros H I. apply in_flat_map in I as [d [I J]]. destruct (H d I) as [Ln W]. destruct d as [|e r]; [destruct J|].
  destruct (e =? a)%nat; [|destruct J]. destruct J as [<-|[]]. inversion W; subst. injection Ln as Ln. split; assumption.
Qed.
Lemma over_empty xs g : over_rectangle xs [] g == 0.
Proof. unfold over_rectangle. rewrite (sum_over_ext _ _ (fun _ => 0)) by reflexivity. rewrite sum_over_const. ring. Qed.
Lemma inputs_of_value : forall k xs ys g,
  (forall d, In d xs -> length d = k /\ Forall (fun i => i < n)%nat d) ->
  (forall d, In d ys -> length d = k /\ Forall (fun i => i < m)%nat d) ->
  value_of g (inputs_of k xs ys) == over_rectangle xs ys g.
Proof.
  induction k as [|k IH]; intros xs ys g X Y.
  - assert (value_of g (inputs_of 0 xs ys) == inject_Z (Z.of_nat (length xs)) * (inject_Z (Z.of_nat (length ys)) * g 0%N)) as E.
    { unfold value_of. destruct xs as [|x xs]; [cbn; ring|]. destruct ys as [|y ys]; [cbn; ring|].
      unfold inputs_of. cbn [sum_over fold_right fst snd]. rewrite inject_Z_mult. ring. }
    rewrite E. unfold over_rectangle. rewrite <- sum_over_const. apply sum_over_ext. intros x I.
    destruct (X x I) as [Lx _]. destruct x; [|discriminate]. cbn [combine]. rewrite <- sum_over_const.
    apply sum_over_ext. intros; reflexivity.
  - destruct xs as [|x0 xs0]; [destruct ys; reflexivity|]. destruct ys as [|y0 ys0]; [cbn [inputs_of]; rewrite over_empty; reflexivity|].
    set (xs := x0 :: xs0) in *. set (ys := y0 :: ys0) in *.
    assert (inputs_of (S k) xs ys = merge_all (fun a => merge_all (fun b => shifted (C a (fst b)) (inputs_of k (tails a xs) (snd b)))
      (map (fun b => (b, tails b ys)) (seq 0 m))) (seq 0 n)) as -> by reflexivity.
    unfold over_rectangle. rewrite (tails_sum n k xs _ X), value_merge_all, sum_over_seq. apply sum_ext. intros a A.
    rewrite value_merge_all, sum_over_map, sum_over_seq. cbn [fst snd].
    rewrite (sum_over_ext (tails a xs) _ (fun t => sum m (fun b => sum_over (tails b ys) (fun s =>
      g (C a b + sum_of_codes C (combine t s))%N)))).
    + rewrite <- sum_sum_over. apply sum_ext. intros b Bb. rewrite value_shifted, IH; [reflexivity| |];
        intros d I; [apply (tails_in a k n xs)|apply (tails_in b k m ys)]; assumption.
    + intros t _. rewrite (tails_sum m k ys _ Y). reflexivity.
Qed.
End Counting.
