(* Covers and partitions by rectangles of a value, with weights or without: shown from above, and bounded
   from below by weights of inputs, of which no rectangle has much. *)
From Coq Require Import String List Arith NArith ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Json Certificate Sums OneWay Tables Sorting Arrays Inputs Heaviest.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- rectangles with integer weights, in parts of a unit ---- *)

Definition rectangle_in (q : asked) (weight : list json -> option Z) (j : json) : option (N * N * Z) :=
  match j with
  | Array (a :: b :: rest) =>
      let* R := lines_in (height q) a in
      let* C := lines_in (width q) b in
      let* w := weight rest in Some (R, C, w)
  | _ => None
  end.
Definition one_each (rest : list json) : option Z := match rest with [] => Some 1 | _ => None end.
Definition weighing (read : json -> option Z) (rest : list json) : option Z :=
  match rest with [w] => read w | _ => None end.

Definition covered_at (q : asked) (l : list (N * N * Z)) x y : Z :=
  fold_right (fun p s => if bit (fst (fst p)) x && bit (snd (fst p)) y then snd p + s else s) 0 l.
Definition sum_of (l : list (N * N * Z)) : Z := fold_right (fun p s => snd p + s) 0 l.
Definition check_cover (q : asked) (b disjoint : bool) (unit : Z) (l : list (N * N * Z)) : bool :=
  let barred := held q (negb b) in
  let ours := held q b in
  forallb (fun p => (0 <=? snd p) && is_of_value q barred (fst p)) l
  && forallb (fun x => forallb (fun y =>
       if bit ours (x * width q + y)%nat
       then (let s := covered_at q l x y in if disjoint then s =? unit else unit <=? s) else true)
     (seq 0 (width q))) (seq 0 (height q)).

Lemma check_cover_sound q b disjoint unit l : check_cover q b disjoint unit l = true ->
  (forall p, In p l -> 0 <= snd p /\ of_value (height q) (width q) (problem_in q) b (sides_of (fst p))) /\
  forall x y, (x < height q)%nat -> (y < width q)%nat -> problem_in q x y = Some b ->
    if disjoint then covered_at q l x y = unit else unit <= covered_at q l x y.
Proof.
  unfold check_cover. intros H. apply andb_prop in H as [R C]. rewrite forallb_forall in R, C. split.
  - intros p I. specialize (R p I). apply andb_prop in R as [R V]. apply Z.leb_le in R. split; [exact R|].
    apply is_of_value_sound, V.
  - intros x y X Y F. specialize (C x ltac:(apply in_seq; lia)). rewrite forallb_forall in C.
    specialize (C y ltac:(apply in_seq; lia)). apply (held_spec q b x y Y) in F. rewrite F in C.
    destruct disjoint; [apply Z.eqb_eq, C|apply Z.leb_le, C].
Qed.

Definition as_cover (unit : Z) (l : list (N * N * Z)) : list (rectangle * Q) :=
  map (fun p => (sides_of (fst p), (inject_Z (snd p) / inject_Z unit)%Q)) l.

Lemma as_cover_held q unit l x y : 0 < unit ->
  (weight_held (as_cover unit l) x y == inject_Z (covered_at q l x y) / inject_Z unit)%Q.
Proof.
  intros U. apply inject_pos in U. induction l as [|[[R C] w] l IH]; [cbn; field; lra|].
  unfold weight_held, covered_at. cbn [as_cover map fold_right fst snd].
  fold (as_cover unit l) (weight_held (as_cover unit l) x y) (covered_at q l x y). rewrite IH.
  unfold holds, sides_of. cbn [fst snd]. destruct (bit R x && bit C y); unfold chance; [|ring].
  rewrite inject_Z_plus. field. lra.
Qed.
Lemma as_cover_weight unit l : 0 < unit -> (whole_weight (as_cover unit l) == inject_Z (sum_of l) / inject_Z unit)%Q.
Proof.
  intros U. apply inject_pos in U. induction l as [|[[R C] w] l IH]; [cbn; field; lra|].
  unfold whole_weight, sum_of. cbn [as_cover map fold_right fst snd].
  fold (as_cover unit l) (whole_weight (as_cover unit l)) (sum_of l). rewrite IH, inject_Z_plus. field. lra.
Qed.

Theorem cover_by_weights q b disjoint unit l : 0 < unit -> check_cover q b disjoint unit l = true ->
  covers_by_weights disjoint (height q) (width q) (problem_in q) b (as_cover unit l).
Proof.
  intros U H. apply check_cover_sound in H as [R C]. pose proof (inject_pos _ U) as P. split.
  - intros p I. apply in_map_iff in I as [r [<- I]]. destruct (R r I) as [W V]. split; [exact V|]. cbn [snd].
    apply Qle_shift_div_l; [exact P|]. rewrite Qmult_0_l. apply inject_nonneg, W.
  - intros x y X Y F. specialize (C x y X Y F). destruct disjoint.
    + rewrite (as_cover_held q _ _ _ _ U), C. field. lra.
    + rewrite (as_cover_held q _ _ _ _ U). apply Qle_shift_div_l; [exact P|]. rewrite Qmult_1_l, <- Zle_Qle. exact C.
Qed.

(* rectangles that count once each *)
Definition sets (l : list (N * N * Z)) : list rectangle := map (fun p => sides_of (fst p)) l.
Lemma held_sets q l x y : (forall p, In p l -> snd p = 1) ->
  Z.of_nat (times_held (sets l) x y) = covered_at q l x y.
Proof.
  induction l as [|[[R C] w] l IH]; intros O; [reflexivity|].
  pose proof (O _ (in_eq _ _)) as W. cbn [snd] in W. subst w.
  specialize (IH (fun p I => O p (in_cons _ _ _ I))).
  change (covered_at q ((R, C, 1) :: l) x y) with (if bit R x && bit C y then 1 + covered_at q l x y else covered_at q l x y).
  unfold times_held. cbn [sets map filter fst]. change (holds (sides_of (R, C)) x y) with (bit R x && bit C y).
  fold (sets l). destruct (bit R x && bit C y); cbn [length]; fold (times_held (sets l) x y); lia.
Qed.
Theorem cover_by_sets q b disjoint l : (forall p, In p l -> snd p = 1) -> check_cover q b disjoint 1 l = true ->
  covers disjoint (height q) (width q) (problem_in q) b (sets l).
Proof.
  intros O H. apply check_cover_sound in H as [R C]. split.
  - intros r I. apply in_map_iff in I as [p [<- I]]. apply (R p I).
  - intros x y X Y F. specialize (C x y X Y F). rewrite <- (held_sets q l x y O) in C. destruct disjoint; lia.
Qed.

(* ---- weights of inputs ---- *)

Definition weight_table (q : asked) (cells : list (nat * nat * Z)) : array :=
  fold_right (fun c m => put m (code q (fst c)) (snd c)) (array_of []) cells.
Definition weight_at (q : asked) (ours : N) (t : array) (x y : nat) : Z :=
  if bit ours (x * width q + y)%nat then get t (x * width q + y)%nat else 0.
Definition weight_sum (q : asked) (ours : N) (t : array) : Z :=
  integer_sum (height q) (fun x => integer_sum (width q) (fun y => weight_at q ours t x y)).
(* what all inputs of the value weigh, and the largest weight of a rectangle, at least 1 *)
Definition ratio (q : asked) (b disjoint : bool) (cells : list (nat * nat * Z)) : option (Z * Z) :=
  let ours := held q b in
  let barred := held q (negb b) in
  let t := weight_table q cells in
  given (forallb (fun c => bit ours (code q (fst c)) && (disjoint || (0 <=? snd c))) cells)
    (Some (Z.max 0 (weight_sum q ours t),
      Z.max 1 (heaviest_of (height q) (width q) (weight_at q ours t) (fun x y => bit barred (x * width q + y)%nat)))).

Lemma weight_table_nonneg q cells j : forallb (fun c => 0 <=? snd c) cells = true -> 0 <= get (weight_table q cells) j.
Proof.
  induction cells as [|c cells IH]; intros H; cbn [weight_table fold_right].
  - rewrite get_array_of. destruct j; cbn; lia.
  - cbn [forallb] in H. apply andb_prop in H as [C H]. apply Z.leb_le in C. rewrite get_put. fold (weight_table q cells).
    destruct (_ =? _)%nat; [exact C|apply IH, H].
Qed.

Section Bound.
Variables (q : asked) (b disjoint : bool) (W : nat -> nat -> Z) (H : Z).
Hypothesis nonneg : disjoint = false -> forall x y, (x < height q)%nat -> (y < width q)%nat -> 0 <= W x y.
Hypothesis ours : forall x y, (x < height q)%nat -> (y < width q)%nat -> problem_in q x y <> Some b -> W x y = 0.
Hypothesis light : forall r, of_value (height q) (width q) (problem_in q) b r ->
  inside_weight (height q) (width q) W r <= H.

Definition mean (g : nat -> nat -> Q) : Q := average (height q) (width q) (fun x y => inject_Z (W x y)) g.
Lemma mean_of_rectangle r : (mean (fun x y => chance (holds r x y)) == inject_Z (inside_weight (height q) (width q) W r))%Q.
Proof.
  unfold mean, average, inside_weight. rewrite integer_sum_Q. apply sum_ext. intros x _. rewrite integer_sum_Q.
  apply sum_ext. intros y _. destruct (holds r x y); unfold chance; [ring|]. change (inject_Z 0) with 0%Q. ring.
Qed.
Lemma mean_of_cover l : (forall p, In p l -> of_value (height q) (width q) (problem_in q) b (fst p) /\ 0 <= snd p)%Q ->
  (mean (weight_held l) <= inject_Z H * whole_weight l)%Q.
Proof.
  induction l as [|[r w] l IH]; intros V.
  - apply Qle_lteq. right. unfold mean, average. cbn. rewrite (sum_ext _ _ (fun _ => 0%Q)); [rewrite sum_zero; ring|].
    intros x _. rewrite (sum_ext _ _ (fun _ => 0%Q)); [apply sum_zero|]. intros y _. ring.
  - specialize (IH (fun p I => V p (in_cons _ _ _ I))). destruct (V _ (in_eq _ _)) as [R P]. cbn [fst snd] in R, P.
    assert (mean (weight_held ((r, w) :: l)) == mean (fun x y => chance (holds r x y)) * w + mean (weight_held l))%Q as E.
    { unfold mean, average. rewrite (Qmult_comm _ w), <- sum_scale, <- sum_plus. apply sum_ext. intros x _.
      rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros y _. unfold weight_held. cbn [fold_right fst snd].
      fold (weight_held l x y). ring. }
    unfold whole_weight. cbn [fold_right snd]. fold (whole_weight l). rewrite E, mean_of_rectangle.
    specialize (light r R). rewrite Zle_Qle in light. nra.
Qed.
Theorem weights_bound l : covers_by_weights disjoint (height q) (width q) (problem_in q) b l ->
  (inject_Z (integer_sum (height q) (fun x => integer_sum (width q) (W x))) <= inject_Z H * whole_weight l)%Q.
Proof.
  intros [V C]. refine (Qle_trans _ _ _ _ (mean_of_cover l V)). rewrite integer_sum_Q.
  unfold mean, average. apply sum_le. intros x X. rewrite integer_sum_Q. apply sum_le. intros y Y.
  destruct (problem_in q x y) as [c|] eqn:E.
  - destruct (Bool.bool_dec c b) as [->|N].
    + specialize (C x y X Y E). destruct disjoint; [rewrite C; lra|].
      pose proof (inject_nonneg _ (nonneg eq_refl x y X Y)). nra.
    + rewrite (ours x y X Y) by congruence. change (inject_Z 0) with 0%Q. lra.
  - rewrite (ours x y X Y) by congruence. change (inject_Z 0) with 0%Q. lra.
Qed.
End Bound.

Lemma whole_weight_nonneg {P : rectangle -> Prop} l : (forall p, In p l -> P (fst p) /\ 0 <= snd p)%Q -> (0 <= whole_weight l)%Q.
Proof.
  induction l as [|[r w] l IH]; intros V; [apply Qle_refl|]. unfold whole_weight. cbn [fold_right snd]. fold (whole_weight l).
  specialize (IH (fun p I => V p (in_cons _ _ _ I))). destruct (V _ (in_eq _ _)) as [_ N]. cbn [snd] in N. lra.
Qed.

Theorem ratio_sound q b disjoint cells S H l : ratio q b disjoint cells = Some (S, H) ->
  covers_by_weights disjoint (height q) (width q) (problem_in q) b l ->
  0 < H /\ 0 <= S /\ (inject_Z S <= inject_Z H * whole_weight l)%Q.
Proof.
  unfold ratio, given. destruct (forallb _ cells) eqn:C; [|discriminate]. intros [= <- <-] L.
  set (t := weight_table q cells). set (ours := held q b). split; [lia|]. split; [lia|].
  set (H := Z.max 1 _). pose proof (whole_weight_nonneg l (proj1 L)) as T.
  assert (inject_Z (weight_sum q ours t) <= inject_Z H * whole_weight l)%Q as B.
  { apply (weights_bound q b disjoint (weight_at q ours t) H); try exact L.
    - intros D x y _ _. unfold weight_at. destruct (bit ours _); [|lia]. apply weight_table_nonneg.
      rewrite forallb_forall in *. intros c I. specialize (C c I). rewrite D in C. apply andb_prop in C as [_ C]. exact C.
    - intros x y _ Y N. unfold weight_at. destruct (bit ours _) eqn:E; [|reflexivity]. exfalso. apply N.
      apply (held_spec q b x y Y), E.
    - intros r R. unfold H. transitivity (heaviest_of (height q) (width q) (weight_at q ours t)
        (fun x y => bit (held q (negb b)) (x * width q + y)%nat)); [|lia].
      apply heaviest_of_spec. intros x y X Y I. rewrite held_bit by exact Y. apply (of_value_bits _ _ _ _ _ R X Y I). }
  destruct (Z.max_spec 0 (weight_sum q ours t)) as [[_ ->]|[_ ->]]; [exact B|].
  assert (0 < inject_Z H)%Q by (apply inject_pos; lia). change (inject_Z 0) with 0%Q. nra.
Qed.

(* rectangles that count once each are a cover by weights *)
Definition counted (l : list rectangle) : list (rectangle * Q) := map (fun r => (r, 1%Q)) l.
Lemma counted_held l x y : (weight_held (counted l) x y == inject_Z (Z.of_nat (times_held l x y)))%Q.
Proof.
  induction l as [|r l IH]; [reflexivity|].
  change (weight_held (counted (r :: l)) x y) with (chance (holds r x y) * 1 + weight_held (counted l) x y)%Q. rewrite IH.
  replace (times_held (r :: l) x y) with (if holds r x y then S (times_held l x y) else times_held l x y)
    by (unfold times_held; cbn [filter]; destruct (holds r x y); reflexivity).
  destruct (holds r x y); unfold chance; [|ring]. rewrite Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. ring.
Qed.
Lemma counted_weight l : (whole_weight (counted l) == inject_Z (Z.of_nat (length l)))%Q.
Proof.
  induction l as [|r l IH]; [reflexivity|]. unfold whole_weight. cbn [counted map fold_right snd length].
  fold (counted l) (whole_weight (counted l)). rewrite IH, Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. ring.
Qed.
Lemma counted_covers disjoint n m f b l : covers disjoint n m f b l -> covers_by_weights disjoint n m f b (counted l).
Proof.
  intros [V C]. split.
  - intros p I. apply in_map_iff in I as [r [<- I]]. split; [apply V, I|cbn; lra].
  - intros x y X Y F. specialize (C x y X Y F). destruct disjoint; rewrite counted_held.
    + rewrite C. reflexivity.
    + change 1%Q with (inject_Z 1). rewrite <- Zle_Qle. lia.
Qed.

(* ---- the fractional kinds ---- *)

Record covering := Covering { of_problem : asked; of_bit : bool }.
Definition bit_in (j : json) : option bool := let* i := index 2 j in Some (i =? 1)%nat.
Definition covering_in (instance : json) (values : list json) : option covering :=
  match values with
  | [b] => let* q := asked_in instance in let* b := bit_in b in Some (Covering q b)
  | _ => None
  end.
Definition is_quotient (a c : Z) (v : Q) : bool := Qnum v * c =? a * QDen v.
Lemma is_quotient_spec a c v : 0 < c -> is_quotient a c v = true -> (v * inject_Z c == inject_Z a)%Q.
Proof.
  unfold is_quotient. intros C H. apply Z.eqb_eq in H. unfold Qeq. cbn. rewrite !Z.mul_1_r, ?Pos.mul_1_r. exact H.
Qed.

Definition fractional_lower (disjoint : bool) (q : covering) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "weights" &&
  match fields ["weights"%string] data with
  | Some [w] =>
      match weighted_cells (of_problem q) w with
      | Some cells =>
          match ratio (of_problem q) (of_bit q) disjoint cells with Some (all, most) => is_quotient all most v | None => false end
      | None => false
      end
  | _ => false
  end.
Definition fractional_upper (disjoint : bool) (q : covering) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "rectangles" &&
  match fields ["unit"; "listed"]%string data with
  | Some [u; l] =>
      match at_least_integer 1 u, list_of (rectangle_in (of_problem q) (weighing (at_least_integer 0))) l with
      | Some u, Some l =>
          (0 <? u) && check_cover (of_problem q) (of_bit q) disjoint u l && is_quotient (sum_of l) u v
      | _, _ => false
      end
  | _ => false
  end.

Definition fractional (name : string) (disjoint : bool) : kind.
Proof.
  refine {|
    title := name; parameters := ["value"%string];
    ask := covering_in; number := fraction;
    lower := fractional_lower disjoint; upper := fractional_upper disjoint;
    lower_means q v := weights_at_least disjoint (height (of_problem q)) (width (of_problem q)) (problem_in (of_problem q)) (of_bit q) v;
    upper_means q v := weights_at_most disjoint (height (of_problem q)) (width (of_problem q)) (problem_in (of_problem q)) (of_bit q) v
  |}.
  - intros q v form data H l L. unfold fractional_lower in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|w [|]]|]; try discriminate. destruct (weighted_cells _ w) as [cells|]; [|discriminate].
    destruct (ratio _ _ _ cells) as [[S T]|] eqn:R; [|discriminate].
    destruct (ratio_sound _ _ _ _ _ _ l R L) as [P [_ B]]. apply (is_quotient_spec _ _ _ P) in H.
    apply inject_pos in P. rewrite <- H in B. nra.
  - intros q v form data H. unfold fractional_upper in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|u [|l [|]]]|]; try discriminate. destruct (at_least_integer 1 u) as [u'|]; [|discriminate].
    destruct (list_of _ l) as [l'|]; [|discriminate]. apply andb_prop in H as [H V]. apply andb_prop in H as [U C].
    apply Z.ltb_lt in U. apply (is_quotient_spec _ _ _ U) in V.
    exists (as_cover u' l'). split; [apply cover_by_weights; assumption|]. rewrite as_cover_weight by exact U.
    apply inject_pos in U. apply Qle_shift_div_r; [exact U|]. rewrite V. apply Qle_refl.
Defined.
Definition fractional_covers : kind := fractional "fractional_cover_number" false.
Definition fractional_partitions : kind := fractional "fractional_partition_number" true.
