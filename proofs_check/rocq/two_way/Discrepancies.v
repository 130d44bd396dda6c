(* Discrepancy: rectangles with weights from below, inputs with weights from above. *)
From Coq Require Import String List Arith NArith ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Json Certificate Sums Mixture OneWay Tables Arrays Radon Inputs Heaviest Covers.
Import ListNotations.
Local Open Scope Z_scope.

Definition signed (a : option bool) (w : Z) : Z := match a with Some true => w | Some false => - w | None => 0 end.
Definition is_uniform (w : which_distribution) : bool := match w with Uniform => true | Worst => false end.
Definition each_input (q : asked) (g : nat -> nat -> Z) : list Z :=
  flat_map (fun x => flat_map (fun y => match problem_in q x y with Some _ => [g x y] | None => [] end)
    (seq 0 (width q))) (seq 0 (height q)).
Lemma each_input_in q g x y b : (x < height q)%nat -> (y < width q)%nat -> problem_in q x y = Some b ->
  In (g x y) (each_input q g).
Proof.
  intros X Y E. apply in_flat_map. exists x. split; [apply in_seq; lia|]. apply in_flat_map. exists y.
  split; [apply in_seq; lia|]. rewrite E. left. reflexivity.
Qed.

(* ---- from below ---- *)

Definition absolute_sum (l : list (N * N * Z)) : Z := fold_right (fun p s => Z.abs (snd p) + s) 0 l.
Definition gain_at (q : asked) (l : list (N * N * Z)) x y : Z := signed (problem_in q x y) (covered_at q l x y).
Definition input_sum (q : asked) (g : nat -> nat -> Z) : Z :=
  integer_sum (height q) (fun x => integer_sum (width q) (fun y =>
    match problem_in q x y with Some _ => g x y | None => 0 end)).
Definition check_rectangles (q : asked) (w : which_distribution) (l : list (N * N * Z)) (v : Q) : bool :=
  let all := absolute_sum l in
  let number := input_sum q (fun _ _ => 1) in
  (0 <? all) && (0 <? number) &&
  match w with
  | Worst => is_quotient (Z.max 0 (lowest (each_input q (gain_at q l)))) all v
  | Uniform => is_quotient (Z.max 0 (input_sum q (gain_at q l))) (all * number) v
  end.

Local Open Scope Q_scope.

Lemma plus_or_minus_signed a w : plus_or_minus a * inject_Z w == inject_Z (signed a w).
Proof.
  destruct a as [[|]|]; cbn [plus_or_minus signed]; [ring|rewrite inject_Z_opp; ring|]. change (inject_Z 0) with 0. ring.
Qed.
Lemma average_plus n m mu g h : average n m mu (fun x y => g x y + h x y) == average n m mu g + average n m mu h.
Proof.
  unfold average. rewrite <- sum_plus. apply sum_ext. intros x _. rewrite <- sum_plus. apply sum_ext. intros y _. ring.
Qed.
Lemma average_scale n m mu c g : average n m mu (fun x y => c * g x y) == c * average n m mu g.
Proof.
  unfold average. rewrite <- sum_scale. apply sum_ext. intros x _. rewrite <- sum_scale. apply sum_ext. intros y _. ring.
Qed.

(* what rectangles have on the average of their weights *)
Definition mixed q mu (l : list (N * N * Z)) : Q :=
  fold_right (fun p s => inject_Z (snd p) * difference_in (sides_of (fst p)) (height q) (width q) (problem_in q) mu + s) 0 l.
Lemma mixed_gains q mu l : mixed q mu l == average (height q) (width q) mu (fun x y => inject_Z (gain_at q l x y)).
Proof.
  induction l as [|[[R C] w] l IH].
  - unfold mixed. cbn [fold_right]. unfold average. symmetry. rewrite (sum_ext _ _ (fun _ => 0)); [apply sum_zero|].
    intros x _. rewrite (sum_ext _ _ (fun _ => 0)); [apply sum_zero|]. intros y _. unfold gain_at.
    rewrite <- plus_or_minus_signed. cbn [covered_at fold_right]. change (inject_Z 0) with 0. ring.
  - unfold mixed. cbn [fold_right fst snd]. fold (mixed q mu l). rewrite IH. unfold difference_in.
    rewrite <- average_scale, <- average_plus. apply average_ext. intros x y _ _. unfold gain_at. rewrite <- !plus_or_minus_signed.
    unfold covered_at. cbn [fold_right fst snd]. fold (covered_at q l x y). unfold holds, sides_of. cbn [fst snd].
    destruct (bit R x && bit C y); unfold chance; [rewrite inject_Z_plus|]; ring.
Qed.

(* some rectangle has as much, or its complement *)
Lemma some_rectangle q mu l v : (0 < absolute_sum l)%Z -> v * inject_Z (absolute_sum l) <= mixed q mu l -> exists r,
  v <= difference_in r (height q) (width q) (problem_in q) mu \/ v <= - difference_in r (height q) (width q) (problem_in q) mu.
Proof.
  intros P H. set (d (p : N * N * Z) := difference_in (sides_of (fst p)) (height q) (width q) (problem_in q) mu).
  assert ((exists p, In p l /\ (v <= d p \/ v <= - d p)) \/ (forall p, In p l -> d p < v /\ - v < d p)) as [[p [_ D]]|D].
  { clear. induction l as [|p l [[r [I D]]|IH]].
    - right. intros p [].
    - left. exists r. split; [right; exact I|exact D].
    - destruct (Qlt_le_dec (d p) v) as [A|A]; [|left; exists p; split; [left; reflexivity|left; exact A]].
      destruct (Qlt_le_dec (- v) (d p)) as [B|B]; [|left; exists p; split; [left; reflexivity|right; lra]].
      right. intros r [<-|I]; [split; assumption|apply IH, I]. }
  - exists (sides_of (fst p)). exact D.
  - exfalso.
    assert (mixed q mu l <= v * inject_Z (absolute_sum l) /\ ((0 < absolute_sum l)%Z -> mixed q mu l < v * inject_Z (absolute_sum l))) as [_ S];
      [|specialize (S P); lra]. clear P H.
    induction l as [|p l IH]; [split; [|cbn; lia]; unfold mixed, absolute_sum; cbn [fold_right]; change (inject_Z 0) with 0; lra|]. unfold mixed, absolute_sum. cbn [fold_right].
    fold (mixed q mu l) (absolute_sum l) (d p). destruct (IH (fun r I => D r (in_cons _ _ _ I))) as [L S].
    destruct (D p (in_eq _ _)) as [A B]. rewrite inject_Z_plus.
    assert (0 <= absolute_sum l)%Z as N by (clear; induction l as [|p l IH]; [cbn; lia|unfold absolute_sum in *; cbn [fold_right]; lia]).
    assert (inject_Z (snd p) * d p <= v * inject_Z (Z.abs (snd p))) as T.
    { destruct (Z.abs_spec (snd p)) as [[Z0 ->]|[Z0 ->]]; rewrite ?inject_Z_opp.
      - apply inject_nonneg in Z0. nra.
      - assert (inject_Z (snd p) < 0) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact Z0). nra. }
    split; [nra|]. intros P. destruct (Z.eq_dec (snd p) 0) as [E|E].
    + rewrite E in *. cbn [Z.abs] in *. specialize (S ltac:(lia)). change (inject_Z 0) with 0 in *. lra.
    + assert (inject_Z (snd p) * d p < v * inject_Z (Z.abs (snd p))); [|lra].
      destruct (Z.abs_spec (snd p)) as [[Z0 ->]|[Z0 ->]]; rewrite ?inject_Z_opp.
      * assert (0 < inject_Z (snd p)) by (apply inject_pos; lia). nra.
      * assert (inject_Z (snd p) < 0) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact Z0). nra.
Qed.

Lemma input_sum_Q q g (mu : nat -> nat -> Q) c : (forall x y, (x < height q)%nat -> (y < width q)%nat ->
    match problem_in q x y with Some _ => mu x y == c | None => mu x y == 0 end) ->
  average (height q) (width q) mu (fun x y => inject_Z (g x y)) == c * inject_Z (input_sum q g).
Proof.
  intros H. unfold average, input_sum. rewrite integer_sum_Q, <- sum_scale. apply sum_ext. intros x X.
  rewrite integer_sum_Q, <- sum_scale. apply sum_ext. intros y Y. specialize (H x y X Y).
  destruct (problem_in q x y); rewrite H; [ring|]. change (inject_Z 0) with 0. ring.
Qed.

Lemma zero_product v a : 0 < a -> v * a == inject_Z 0 -> v == 0.
Proof. intros P E. destruct (Qmult_integral _ _ E) as [Z|Z]; [exact Z|lra]. Qed.

Theorem check_rectangles_sound q w l v : check_rectangles q w l v = true ->
  discrepancy_at_least w (height q) (width q) (problem_in q) v.
Proof.
  unfold check_rectangles. intros H mu [One [c Mu]]. apply andb_prop in H as [H V]. apply andb_prop in H as [A Nn].
  apply Z.ltb_lt in A. apply Z.ltb_lt in Nn. pose proof (inject_pos _ A) as PA. pose proof (inject_pos _ Nn) as PN.
  assert (v == 0 -> exists r, v <= difference_in r (height q) (width q) (problem_in q) mu
    \/ v <= - difference_in r (height q) (width q) (problem_in q) mu) as Zero.
  { intros E. exists (fun _ => false, fun _ => false). left. rewrite E. unfold difference_in, average.
    rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_zero; apply Qle_refl|]. intros x _.
    rewrite (sum_ext _ _ (fun _ => 0)); [apply sum_zero|]. intros y _. unfold holds, chance. cbn. ring. }
  destruct w.
  - apply (is_quotient_spec _ _ _ ltac:(apply Z.mul_pos_pos; [exact A|exact Nn])) in V. rewrite inject_Z_mult in V.
    pose proof (input_sum_Q q (fun _ _ => 1%Z) mu c Mu) as C1. change (inject_Z 1) with 1 in C1. rewrite One in C1.
    destruct (Z.max_spec 0 (input_sum q (gain_at q l))) as [[_ M]|[_ M]]; rewrite M in V; clear M.
    + apply (some_rectangle q mu l v A). rewrite mixed_gains, (input_sum_Q q _ mu c Mu), <- V.
      set (a := inject_Z (absolute_sum l)) in *. set (k := inject_Z (input_sum q (fun _ _ => 1%Z))) in *.
      setoid_replace (c * (v * (a * k))) with (v * a * (c * k)) by ring. rewrite <- C1. lra.
    + apply Zero, (zero_product _ (inject_Z (absolute_sum l) * inject_Z (input_sum q (fun _ _ => 1%Z)))); [nra|exact V].
  - apply (is_quotient_spec _ _ _ A) in V. set (low := lowest (each_input q (gain_at q l))) in *.
    destruct (Z.max_spec 0 low) as [[_ M]|[_ M]]; rewrite M in V; clear M; [|apply Zero, (zero_product _ _ PA V)].
    apply (some_rectangle q mu l v A). rewrite mixed_gains, V.
    apply Qle_trans with (inject_Z low * average (height q) (width q) mu (fun _ _ => 1)); [rewrite One; lra|].
    rewrite <- average_scale. apply sum_le. intros x X. apply sum_le. intros y Y. specialize (Mu x y X Y).
    destruct (problem_in q x y) as [b|] eqn:E; [|rewrite Mu; lra].
    pose proof (lowest_spec _ _ (each_input_in q (gain_at q l) x y b X Y E)) as L. fold low in L. rewrite Zle_Qle in L. nra.
Qed.

(* ---- from above ---- *)

Definition input_weight (q : asked) (t : array) x y : Z :=
  match problem_in q x y with Some _ => get t (x * width q + y)%nat | None => 0%Z end.
Definition check_inputs (q : asked) (w : which_distribution) (cells : list (nat * nat * Z)) (v : Q) : bool :=
  let t := weight_table q cells in
  let W := input_weight q t in
  let all := integer_sum (height q) (fun x => integer_sum (width q) (W x)) in
  let heavy s := heaviest_of (height q) (width q) (fun x y => signed (problem_in q x y) (s * W x y)%Z) (fun _ _ => false) in
  let first := match cells with [] => 0%Z | c :: _ => snd c end in
  forallb (fun c => (0 <=? snd c)%Z) cells && (0 <? all)%Z
  && (negb (is_uniform w) || forallb (fun a => (a =? first)%Z) (each_input q W))
  && is_quotient (Z.max (heavy 1%Z) (heavy (-1)%Z)) all v.

Theorem check_inputs_sound q w cells v : check_inputs q w cells v = true ->
  discrepancy_at_most w (height q) (width q) (problem_in q) v.
Proof.
  unfold check_inputs. set (t := weight_table q cells). set (W := input_weight q t).
  set (all := integer_sum (height q) (fun x => integer_sum (width q) (W x))). intros H.
  apply andb_prop in H as [H V]. apply andb_prop in H as [H U]. apply andb_prop in H as [N A].
  apply Z.ltb_lt in A. apply (is_quotient_spec _ _ _ A) in V. pose proof (inject_pos _ A) as P.
  exists (fun x y => inject_Z (W x y) / inject_Z all). split; [split|].
  - unfold average. rewrite (sum_ext _ _ (fun x => / inject_Z all * inject_Z (integer_sum (width q) (W x)))).
    + rewrite sum_scale, <- integer_sum_Q. fold all. field. lra.
    + intros x _. rewrite integer_sum_Q, <- sum_scale. apply sum_ext. intros y _. field. lra.
  - exists (inject_Z (match cells with [] => 0%Z | c :: _ => snd c end) / inject_Z all). intros x y X Y.
    destruct (problem_in q x y) as [b|] eqn:E.
    + destruct w.
      * cbn [is_uniform negb orb] in U. rewrite forallb_forall in U. specialize (U _ (each_input_in q W x y b X Y E)).
        apply Z.eqb_eq in U. rewrite U. reflexivity.
      * apply Qle_shift_div_l; [exact P|]. rewrite Qmult_0_l. apply inject_nonneg. unfold W, input_weight. rewrite E.
        apply weight_table_nonneg, N.
    + unfold W, input_weight. rewrite E. change (inject_Z 0) with 0. field. lra.
  - intros r.
    assert (forall s : Z, inject_Z s * difference_in r (height q) (width q) (problem_in q) (fun x y => inject_Z (W x y) / inject_Z all)
      * inject_Z all == inject_Z (inside_weight (height q) (width q) (fun x y => signed (problem_in q x y) (s * W x y)%Z) r)) as D.
    { intros s. unfold difference_in, average, inside_weight. rewrite integer_sum_Q.
      rewrite <- sum_scale, Qmult_comm, <- sum_scale. apply sum_ext. intros x _.
      rewrite integer_sum_Q, <- sum_scale, <- sum_scale. apply sum_ext. intros y _.
      destruct (holds r x y); unfold chance.
      - rewrite <- plus_or_minus_signed, inject_Z_mult. field. lra.
      - change (inject_Z 0) with 0. field. lra. }
    pose proof (D 1%Z) as D1. pose proof (D (-1)%Z) as D2. clear D.
    pose proof (heaviest_of_spec (height q) (width q) (fun x y => signed (problem_in q x y) (1 * W x y)%Z) (fun _ _ => false) r
      (fun _ _ _ _ _ => eq_refl)) as H1.
    pose proof (heaviest_of_spec (height q) (width q) (fun x y => signed (problem_in q x y) (-1 * W x y)%Z) (fun _ _ => false) r
      (fun _ _ _ _ _ => eq_refl)) as H2.
    set (one := heaviest_of _ _ (fun x y => signed (problem_in q x y) (1 * W x y)%Z) _) in *.
    set (two := heaviest_of _ _ (fun x y => signed (problem_in q x y) (-1 * W x y)%Z) _) in *.
    assert (one <= Z.max one two)%Z as M1 by lia. assert (two <= Z.max one two)%Z as M2 by lia.
    rewrite Zle_Qle in H1, H2, M1, M2. change (inject_Z 1) with 1 in D1. change (inject_Z (-1)) with (-(1)) in D2.
    split; apply (Qmult_le_r _ _ (inject_Z all)); try exact P; lra.
Qed.

(* ---- certificates ---- *)

Record discrepancy_asked := DiscrepancyAsked { discrepancy_of : asked; under : which_distribution }.
Definition discrepancy_in (instance : json) (values : list json) : option discrepancy_asked :=
  match values with
  | [d] => let* q := asked_in instance in
           if is_text "uniform" d then Some (DiscrepancyAsked q Uniform)
           else if is_text "worst" d then Some (DiscrepancyAsked q Worst) else None
  | _ => None
  end.
Definition discrepancy_lower (q : discrepancy_asked) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "rectangles" &&
  match fields ["listed"%string] data with
  | Some [l] => match list_of (rectangle_in (discrepancy_of q) (weighing integer)) l with
                | Some l => check_rectangles (discrepancy_of q) (under q) l v
                | None => false
                end
  | _ => false
  end.
Definition discrepancy_upper (q : discrepancy_asked) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "weights" &&
  match fields ["weights"%string] data with
  | Some [w] => match weighted_cells (discrepancy_of q) w with
                | Some cells => check_inputs (discrepancy_of q) (under q) cells v
                | None => false
                end
  | _ => false
  end.

Definition discrepancies : kind.
Proof.
  refine {|
    title := "discrepancy"; parameters := ["distribution"%string];
    ask := discrepancy_in; number := fraction;
    lower := discrepancy_lower; upper := discrepancy_upper;
    lower_means q v := discrepancy_at_least (under q) (height (discrepancy_of q)) (width (discrepancy_of q)) (problem_in (discrepancy_of q)) v;
    upper_means q v := discrepancy_at_most (under q) (height (discrepancy_of q)) (width (discrepancy_of q)) (problem_in (discrepancy_of q)) v
  |}.
  - intros q v name data H. unfold discrepancy_lower in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|l [|]]|]; try discriminate. destruct (list_of _ l) as [l'|]; [|discriminate].
    apply (check_rectangles_sound _ _ _ _ H).
  - intros q v name data H. unfold discrepancy_upper in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|w [|]]|]; try discriminate. destruct (weighted_cells _ w) as [cells|]; [|discriminate].
    apply (check_inputs_sound _ _ _ _ H).
Defined.
