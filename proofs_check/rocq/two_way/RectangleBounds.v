(* The rectangle bounds and the partition bound: rectangles with weights from above, inputs with weights
   from below, of which no rectangle has much. *)
From Coq Require Import String List Arith NArith ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Json Certificate Sums Mixture OneWay Tables Arrays Inputs Heaviest Covers
  Discrepancies.
Import ListNotations.
Local Open Scope Q_scope.

Definition at_each (q : asked) (P : nat -> nat -> bool) : bool :=
  forallb (fun x => forallb (P x) (seq 0 (width q))) (seq 0 (height q)).
Lemma at_each_spec q P x y : at_each q P = true -> (x < height q)%nat -> (y < width q)%nat -> P x y = true.
Proof.
  unfold at_each. rewrite forallb_forall. intros H X Y. specialize (H x ltac:(apply in_seq; lia)).
  rewrite forallb_forall in H. apply H, in_seq. lia.
Qed.
Lemma numerator e : inject_Z (Qnum e) == e * inject_Z (QDen e).
Proof. unfold Qeq. cbn. lia. Qed.

(* ---- from below: a pairing of weights of inputs with those of rectangles is at least so much at each input,
   partly in units of the error ---- *)

Definition total_of (q : asked) (W : nat -> nat -> Z) : Z :=
  integer_sum (height q) (fun x => integer_sum (width q) (W x)).
Definition top_of (q : asked) (W : nat -> nat -> Z) : Z := heaviest_of (height q) (width q) W (fun _ _ => false).
Definition is_dual (q : asked) (e : Q) (exact by_error : nat -> nat -> Z) (top : Z) (v : Q) : bool :=
  is_quotient (Z.max 0 (total_of q exact * QDen e + Qnum e * total_of q by_error)) (QDen e * Z.max 1 top) v.

Lemma held_nonneg (l : list (rectangle * Q)) x y : (forall p, In p l -> 0 <= snd p) -> 0 <= weight_held l x y.
Proof.
  induction l as [|[r w] l IH]; intros P; [apply Qle_refl|]. unfold weight_held. cbn [fold_right fst snd].
  fold (weight_held l x y). specialize (IH (fun p I => P p (in_cons _ _ _ I))). specialize (P _ (in_eq _ _)).
  cbn [snd] in P. destruct (holds r x y); unfold chance; lra.
Qed.
Lemma all_weight_nonneg (l : list (rectangle * Q)) : (forall p, In p l -> 0 <= snd p) -> 0 <= whole_weight l.
Proof. intros P. apply (whole_weight_nonneg (P := fun _ => True)). intros p I. split; [trivial|apply P, I]. Qed.

Definition paired (q : asked) (W : nat -> nat -> Z) (l : list (rectangle * Q)) : Q :=
  average (height q) (width q) (fun x y => inject_Z (W x y)) (weight_held l).
Lemma paired_most q W top l : (top_of q W <= top)%Z -> (forall p, In p l -> 0 <= snd p) ->
  paired q W l <= inject_Z (Z.max 1 top) * whole_weight l.
Proof.
  intros T P. apply (mean_of_cover (Asked (height q) (width q) []) false W (Z.max 1 top)).
  - intros r _. pose proof (heaviest_of_spec (height q) (width q) W (fun _ _ => false) r (fun _ _ _ _ _ => eq_refl)).
    unfold top_of in T. cbn [height width]. lia.
  - intros p I. split; [|apply P, I]. intros x y c _ _ _ E. destruct x, y; discriminate E.
Qed.

Lemma dual_sound q e exact by_error top v t (g : nat -> nat -> Q) : is_dual q e exact by_error top v = true -> 0 <= t ->
  (forall x y, (x < height q)%nat -> (y < width q)%nat ->
    inject_Z (exact x y) + e * inject_Z (by_error x y) <= g x y) ->
  sum (height q) (fun x => sum (width q) (g x)) <= inject_Z (Z.max 1 top) * t -> v <= t.
Proof.
  unfold is_dual. intros D T P B. set (k := Z.max 1 top) in *.
  assert (0 < QDen e * k)%Z as K by lia. apply (is_quotient_spec _ _ _ K) in D.
  assert (inject_Z (total_of q exact) + e * inject_Z (total_of q by_error) <= inject_Z k * t) as E.
  { refine (Qle_trans _ _ _ _ B). unfold total_of. rewrite !integer_sum_Q, <- sum_scale, <- sum_plus. apply sum_le.
    intros x X. rewrite !integer_sum_Q, <- sum_scale, <- sum_plus. apply sum_le. intros y Y. apply P; assumption. }
  apply inject_pos in K. destruct (Z.max_spec 0 (total_of q exact * QDen e + Qnum e * total_of q by_error)) as [[_ M]|[_ M]];
    rewrite M in D; [|rewrite (zero_product _ _ K D); exact T].
  apply (Qmult_le_r _ _ _ K). rewrite D, inject_Z_plus, !inject_Z_mult, numerator.
  assert (0 < inject_Z (QDen e)) by (apply inject_pos; lia). nra.
Qed.

(* ---- the rectangle bounds ---- *)

Record rectangle_asked := RectangleAsked { bounded_problem : asked; accepted_value : bool; error_of : Q }.
Definition has_value (q : asked) b x y : bool := is_value b (problem_in q x y).

Definition check_sums (smooth : bool) (q : asked) b e (u : Z) (l : list (N * N * Z)) : bool :=
  at_each q (fun x y =>
    let s := covered_at q l x y in
    match problem_in q x y with
    | Some c => if Bool.eqb b c then ((QDen e - Qnum e) * u <=? s * QDen e)%Z && (negb smooth || (s <=? u)%Z)
                else (s * QDen e <=? Qnum e * u)%Z
    | None => true
    end).
Lemma part_least (s a d u : Z) : (0 < u)%Z -> (0 < d)%Z -> (a * u <= s * d)%Z ->
  inject_Z a <= inject_Z s / inject_Z u * inject_Z d.
Proof.
  intros U D H. apply inject_pos in U. rewrite Zle_Qle, !inject_Z_mult in H.
  setoid_replace (inject_Z s / inject_Z u * inject_Z d) with (inject_Z s * inject_Z d / inject_Z u) by (field; lra).
  apply Qle_shift_div_l; assumption.
Qed.
Lemma part_most (s a d u : Z) : (0 < u)%Z -> (0 < d)%Z -> (s * d <= a * u)%Z ->
  inject_Z s / inject_Z u * inject_Z d <= inject_Z a.
Proof.
  intros U D H. apply inject_pos in U. rewrite Zle_Qle, !inject_Z_mult in H.
  setoid_replace (inject_Z s / inject_Z u * inject_Z d) with (inject_Z s * inject_Z d / inject_Z u) by (field; lra).
  apply Qle_shift_div_r; assumption.
Qed.
Lemma within_error s e u : (0 < u)%Z -> (s * QDen e <= Qnum e * u)%Z -> inject_Z s / inject_Z u <= e.
Proof.
  intros U H. apply part_most in H; [|exact U|lia]. rewrite numerator in H.
  assert (0 < inject_Z (QDen e)) as D by (apply inject_pos; lia). exact (proj1 (Qmult_le_r _ _ _ D) H).
Qed.
Lemma as_cover_nonneg u l : (0 < u)%Z -> (forall p, In p l -> 0 <= snd p)%Z -> forall p, In p (as_cover u l) -> 0 <= snd p.
Proof.
  intros U P p I. apply in_map_iff in I as [r [<- I]]. cbn [snd]. apply Qle_shift_div_l; [apply inject_pos, U|].
  rewrite Qmult_0_l. apply inject_nonneg, P, I.
Qed.
Theorem check_sums_sound smooth q b e u l : (0 < u)%Z -> (forall p, In p l -> 0 <= snd p)%Z ->
  check_sums smooth q b e u l = true ->
  accepts_by_weights smooth (height q) (width q) (problem_in q) b e (as_cover u l).
Proof.
  intros U P H. split; [apply as_cover_nonneg; assumption|]. intros x y c X Y F.
  apply (at_each_spec _ _ x y) in H; [|exact X|exact Y]. cbv beta zeta in H. rewrite F in H.
  assert (0 < inject_Z (QDen e)) as D by (apply inject_pos; lia).
  pose proof (as_cover_held q u l x y U) as S. destruct (Bool.eqb b c).
  - apply andb_prop in H as [H M]. apply Z.leb_le in H. rewrite S. split.
    + apply part_least in H; [|exact U|lia]. apply (Qmult_le_r _ _ _ D).
      unfold Z.sub in H. rewrite inject_Z_plus, inject_Z_opp, numerator in H. lra.
    + intros ->. apply Z.leb_le in M. apply Qle_shift_div_r; [apply inject_pos, U|]. rewrite Qmult_1_l, <- Zle_Qle. exact M.
  - apply Z.leb_le in H. rewrite S. apply within_error; assumption.
Qed.

Definition check_inputs_below (smooth : bool) (q : asked) b e (cells : list (nat * nat * Z)) v : bool :=
  let W := input_weight q (weight_table q cells) in
  (smooth || at_each q (fun x y => negb (has_value q b x y) || (0 <=? W x y)%Z))
  && is_dual q e (fun x y => if has_value q b x y then W x y else 0%Z)
       (fun x y => if has_value q b x y then (- Z.max (W x y) 0)%Z else Z.min (W x y) 0) (top_of q W) v.
Theorem check_inputs_below_sound smooth q b e cells v : 0 <= e ->
  check_inputs_below smooth q b e cells v = true ->
  rectangle_bound_at_least smooth (height q) (width q) (problem_in q) b e v.
Proof.
  unfold check_inputs_below. set (W := input_weight q (weight_table q cells)). intros E0 H l [P A].
  apply andb_prop in H as [S H].
  refine (dual_sound _ _ _ _ _ _ _ (fun x y => inject_Z (W x y) * weight_held l x y) H (all_weight_nonneg l P) _
    (paired_most q W _ l (Z.le_refl _) P)).
  intros x y X Y. specialize (A x y). pose proof (held_nonneg l x y P) as L. set (s := weight_held l x y) in *.
  unfold has_value. destruct (problem_in q x y) as [c|] eqn:F; cbn [is_value].
  - specialize (A c X Y eq_refl). destruct (Bool.eqb b c) eqn:R.
    + destruct A as [Low High]. destruct (Z.max_spec (W x y) 0) as [[N ->]|[N ->]]; rewrite ?inject_Z_opp.
      * destruct smooth; cbn [orb] in S.
        -- specialize (High eq_refl). apply Z.lt_le_incl in N. rewrite Zle_Qle in N. change (inject_Z 0) with 0 in *. nra.
        -- apply (at_each_spec _ _ x y) in S; [|exact X|exact Y]. unfold has_value in S. rewrite F in S. cbn [is_value] in S.
           rewrite R in S. apply Z.leb_le in S. lia.
      * rewrite Zle_Qle in N. change (inject_Z 0) with 0 in *. nra.
    + change (inject_Z 0) with 0. destruct (Z.min_spec (W x y) 0) as [[N ->]|[N ->]].
      * apply Z.lt_le_incl in N. rewrite Zle_Qle in N. change (inject_Z 0) with 0 in *. nra.
      * rewrite Zle_Qle in N. change (inject_Z 0) with 0 in *. nra.
  - assert (W x y = 0%Z) as -> by (unfold W, input_weight; rewrite F; reflexivity). cbn [Z.min].
    change (inject_Z 0) with 0. change (inject_Z (Z.min 0 0)) with 0. lra.
Qed.

Definition rectangle_asked_in (instance : json) (values : list json) : option rectangle_asked :=
  match values with
  | [b; e] => let* q := asked_in instance in let* b := bit_in b in let* e := probability e in Some (RectangleAsked q b e)
  | _ => None
  end.
Definition rectangle_lower (smooth : bool) (q : rectangle_asked) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "weights" && Qle_bool 0 (error_of q) &&
  match fields ["weights"%string] data with
  | Some [w] => match weighted_cells (bounded_problem q) w with
                | Some cells => check_inputs_below smooth (bounded_problem q) (accepted_value q) (error_of q) cells v
                | None => false
                end
  | _ => false
  end.
Definition nonnegative (l : list (N * N * Z)) : bool := forallb (fun p => (0 <=? snd p)%Z) l.
Lemma nonnegative_spec l : nonnegative l = true -> forall p, In p l -> (0 <= snd p)%Z.
Proof. unfold nonnegative. rewrite forallb_forall. intros H p I. apply Z.leb_le, H, I. Qed.
Definition rectangle_upper (smooth : bool) (q : rectangle_asked) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "rectangles" &&
  match fields ["unit"; "listed"]%string data with
  | Some [u; l] =>
      match at_least_integer 1 u, list_of (rectangle_in (bounded_problem q) (weighing integer)) l with
      | Some u, Some l => (0 <? u)%Z && nonnegative l
          && check_sums smooth (bounded_problem q) (accepted_value q) (error_of q) u l && is_quotient (sum_of l) u v
      | _, _ => false
      end
  | _ => false
  end.

Definition rectangle_kind (name : string) (smooth : bool) : kind.
Proof.
  refine {|
    title := name; parameters := ["value"; "error"]%string;
    ask := rectangle_asked_in; number := fraction;
    lower := rectangle_lower smooth; upper := rectangle_upper smooth;
    lower_means q v := rectangle_bound_at_least smooth (height (bounded_problem q)) (width (bounded_problem q))
      (problem_in (bounded_problem q)) (accepted_value q) (error_of q) v;
    upper_means q v := rectangle_bound_at_most smooth (height (bounded_problem q)) (width (bounded_problem q))
      (problem_in (bounded_problem q)) (accepted_value q) (error_of q) v
  |}.
  - intros q v form data H. unfold rectangle_lower in H. apply andb_prop in H as [E H]. apply andb_prop in E as [_ E].
    destruct (fields _ data) as [[|w [|]]|]; try discriminate. destruct (weighted_cells _ w) as [cells|]; [|discriminate].
    exact (check_inputs_below_sound _ _ _ _ _ _ (proj1 (Qle_bool_iff _ _) E) H).
  - intros q v form data H. unfold rectangle_upper in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|u [|l [|]]]|]; try discriminate. destruct (at_least_integer 1 u) as [u'|]; [|discriminate].
    destruct (list_of _ l) as [l'|]; [|discriminate]. apply andb_prop in H as [H V]. apply andb_prop in H as [H C].
    apply andb_prop in H as [U P]. apply Z.ltb_lt in U. apply (is_quotient_spec _ _ _ U) in V.
    exists (as_cover u' l'). split; [apply check_sums_sound; try assumption; apply nonnegative_spec, P|].
    rewrite as_cover_weight by exact U. apply inject_pos in U. apply Qle_shift_div_r; [exact U|]. rewrite V. apply Qle_refl.
Defined.
Definition rectangle_bounds : kind := rectangle_kind "rectangle_bound" false.
Definition smooth_rectangle_bounds : kind := rectangle_kind "smooth_rectangle_bound" true.

(* ---- the partition bound: rectangles of both values are two lists, in which those of the other value weigh 0 ---- *)

Record split_asked := SplitAsked { split_of : asked; split_error : Q }.

Definition check_split (q : asked) e (u : Z) (l : bool -> list (N * N * Z)) : bool :=
  at_each q (fun x y => (covered_at q (l false) x y + covered_at q (l true) x y =? u)%Z
    && match problem_in q x y with
       | Some c => (covered_at q (l (negb c)) x y * QDen e <=? Qnum e * u)%Z
       | None => true
       end).
Theorem check_split_sound q e u l : (0 < u)%Z -> (forall b p, In p (l b) -> 0 <= snd p)%Z ->
  check_split q e u l = true -> splits_by_weights (height q) (width q) (problem_in q) e (fun b => as_cover u (l b)).
Proof.
  intros U P H. split; [intros b; apply as_cover_nonneg; [exact U|apply P]|]. split.
  - intros x y X Y. apply (at_each_spec _ _ x y) in H; [|exact X|exact Y]. apply andb_prop in H as [H _].
    apply Z.eqb_eq in H. rewrite !(as_cover_held q) by exact U.
    apply inject_pos in U. rewrite <- H, inject_Z_plus in *. field. lra.
  - intros x y b X Y F. apply (at_each_spec _ _ x y) in H; [|exact X|exact Y]. apply andb_prop in H as [_ H].
    rewrite F in H. apply Z.leb_le in H. rewrite (as_cover_held q) by exact U. apply within_error; assumption.
Qed.

Definition pair_table (q : asked) (cells : list (nat * nat * Z)) : nat -> nat -> Z :=
  let t := weight_table q cells in fun x y => get t (x * width q + y)%nat.
Definition check_split_weights (q : asked) e (W : bool -> nat -> nat -> Z) v : bool :=
  is_dual q e (fun x y => match problem_in q x y with Some b => W b x y | None => Z.min (W false x y) (W true x y) end)
    (fun x y => match problem_in q x y with Some b => Z.min 0 (W (negb b) x y - W b x y) | None => 0%Z end)
    (Z.max (top_of q (W false)) (top_of q (W true))) v.
Theorem check_split_weights_sound q e W v : 0 <= e -> check_split_weights q e W v = true ->
  partition_bound_at_least (height q) (width q) (problem_in q) e v.
Proof.
  unfold check_split_weights. intros E0 H l [P [One A]].
  pose proof (all_weight_nonneg _ (P false)) as P0. pose proof (all_weight_nonneg _ (P true)) as P1.
  assert (0 <= whole_weight (l false) + whole_weight (l true)) as T by lra.
  refine (dual_sound _ _ _ _ _ _ _ (fun x y => inject_Z (W false x y) * weight_held (l false) x y
    + inject_Z (W true x y) * weight_held (l true) x y) H T _ _).
  - intros x y X Y. specialize (One x y X Y). specialize (A x y).
    pose proof (held_nonneg _ x y (P false)) as L0. pose proof (held_nonneg _ x y (P true)) as L1.
    destruct (problem_in q x y) as [b|].
    + specialize (A b X Y eq_refl).
      set (w := fun c => inject_Z (W c x y)). set (s := fun c => weight_held (l c) x y) in *.
      assert (0 <= s (negb b)) by (destruct b; assumption).
      assert (w false * s false + w true * s true == w b + (w (negb b) - w b) * s (negb b)) as R.
      { assert (s b == 1 - s (negb b)) as B by (destruct b; unfold s; cbn [negb]; lra).
        transitivity (w b * s b + w (negb b) * s (negb b)); [destruct b; cbn [negb]; ring|rewrite B; ring]. }
      change (inject_Z (W b x y) + e * inject_Z (Z.min 0 (W (negb b) x y - W b x y)) <= w false * s false + w true * s true).
      rewrite R. fold (w b). change (weight_held (l (negb b)) x y) with (s (negb b)) in A.
      assert (w (negb b) - w b == inject_Z (W (negb b) x y - W b x y)) as M
        by (unfold w, Z.sub; rewrite inject_Z_plus, inject_Z_opp; reflexivity).
      rewrite M. clear M R. set (z := (W (negb b) x y - W b x y)%Z). destruct (Z.min_spec 0 z) as [[N ->]|[N ->]].
      * apply Z.lt_le_incl in N. rewrite Zle_Qle in N. change (inject_Z (W b x y)) with (w b).
        change (inject_Z 0) with 0 in *. nra.
      * rewrite Zle_Qle in N. change (inject_Z (W b x y)) with (w b). change (inject_Z 0) with 0 in *. nra.
    + change (inject_Z 0) with 0. clear A. set (a := W false x y). set (c := W true x y).
      assert (Z.min a c <= a)%Z as Ma by lia. assert (Z.min a c <= c)%Z as Mc by lia.
      rewrite Zle_Qle in Ma, Mc. nra.
  - set (k := Z.max (top_of q (W false)) (top_of q (W true))).
    pose proof (paired_most q (W false) k _ ltac:(unfold k; lia) (P false)) as B0.
    pose proof (paired_most q (W true) k _ ltac:(unfold k; lia) (P true)) as B1.
    rewrite Qmult_plus_distr_r. refine (Qle_trans _ _ _ _ (Qplus_le_compat _ _ _ _ B0 B1)). unfold paired, average.
    apply Qle_lteq. right. rewrite <- sum_plus. apply sum_ext. intros x _. apply sum_plus.
Qed.

Definition split_asked_in (instance : json) (values : list json) : option split_asked :=
  match values with
  | [e] => let* q := asked_in instance in let* e := probability e in Some (SplitAsked q e)
  | _ => None
  end.
Definition weighing_value (b : bool) (rest : list json) : option Z :=
  match rest with
  | [c; w] => let* c := bit_in c in let* w := integer w in Some (if Bool.eqb b c then w else 0%Z)
  | _ => None
  end.
Definition pair_cell (q : asked) (b : bool) (j : json) : option (nat * nat * Z) :=
  match j with
  | Array [x; y; w0; w1] =>
      let* x := index (height q) x in let* y := index (width q) y in
      let* w0 := integer w0 in let* w1 := integer w1 in Some (x, y, if b then w1 else w0)
  | _ => None
  end.
Definition split_lower (q : split_asked) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "weights" && Qle_bool 0 (split_error q) &&
  match fields ["weights"%string] data with
  | Some [w] =>
      match list_of (pair_cell (split_of q) false) w, list_of (pair_cell (split_of q) true) w with
      | Some l0, Some l1 => distinct (map (fun c => N.of_nat (code (split_of q) (fst c))) l0)
          && let W0 := pair_table (split_of q) l0 in let W1 := pair_table (split_of q) l1 in
             check_split_weights (split_of q) (split_error q) (fun b => if b then W1 else W0) v
      | _, _ => false
      end
  | _ => false
  end.
Definition split_upper (q : split_asked) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "rectangles" &&
  match fields ["unit"; "listed"]%string data with
  | Some [u; l] =>
      let read b := list_of (rectangle_in (split_of q) (weighing_value b)) l in
      match at_least_integer 1 u, read false, read true with
      | Some u, Some l0, Some l1 => (0 <? u)%Z && nonnegative l0 && nonnegative l1
          && check_split (split_of q) (split_error q) u (fun b => if b then l1 else l0)
          && is_quotient (sum_of l0 + sum_of l1) u v
      | _, _, _ => false
      end
  | _ => false
  end.

Definition partition_bounds : kind.
Proof.
  refine {|
    title := "partition_bound"; parameters := ["error"%string];
    ask := split_asked_in; number := fraction;
    lower := split_lower; upper := split_upper;
    lower_means q v := partition_bound_at_least (height (split_of q)) (width (split_of q)) (problem_in (split_of q)) (split_error q) v;
    upper_means q v := partition_bound_at_most (height (split_of q)) (width (split_of q)) (problem_in (split_of q)) (split_error q) v
  |}.
  - intros q v form data H. unfold split_lower in H. apply andb_prop in H as [E H]. apply andb_prop in E as [_ E].
    destruct (fields _ data) as [[|w [|]]|]; try discriminate. destruct (list_of _ w) as [l0|]; [|discriminate].
    destruct (list_of _ w) as [l1|]; [|discriminate]. apply andb_prop in H as [_ H].
    exact (check_split_weights_sound _ _ _ _ (proj1 (Qle_bool_iff _ _) E) H).
  - intros q v form data H. unfold split_upper in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|u [|l [|]]]|]; try discriminate. destruct (at_least_integer 1 u) as [u'|]; [|discriminate].
    destruct (list_of _ l) as [l0|]; [|discriminate]. destruct (list_of _ l) as [l1|]; [|discriminate].
    apply andb_prop in H as [H V]. apply andb_prop in H as [H C]. apply andb_prop in H as [H P1]. apply andb_prop in H as [U P0].
    apply Z.ltb_lt in U. apply (is_quotient_spec _ _ _ U) in V.
    exists (fun b : bool => as_cover u' (if b then l1 else l0)). split.
    + apply (check_split_sound _ _ _ (fun b : bool => if b then l1 else l0) U); [|exact C].
      intros [|]; apply nonnegative_spec; assumption.
    + rewrite !as_cover_weight by exact U. rewrite inject_Z_plus in V. apply inject_pos in U.
      apply Qle_lteq. right. setoid_replace (inject_Z (sum_of l0)) with (v * inject_Z u' - inject_Z (sum_of l1)) by lra. field. lra.
Defined.
