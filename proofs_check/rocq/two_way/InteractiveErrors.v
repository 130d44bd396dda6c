(* Minimax errors of two-way protocols and of simultaneous messages, with public coins. *)
From Coq Require Import String List NArith ZArith QArith Lia Lqa Bool.
From CCSim Require Import Json Certificate Tables Arrays Inputs Heaviest Ranks Covers Discrepancies Definitions
  Sums Mixture OneWay ProtocolErrors SymmetricProtocols LeastTrees LeastMessages GainsOfTrees MixtureErrors.
Import ListNotations.
Local Open Scope nat_scope.

Record interactive := Interactive { played_on : asked; bits_of : nat; rounds_of : option nat }.
Definition able_of (referee : bool) (q : interactive) : (nat -> nat -> bool) -> Prop :=
  if referee then by_messages (bits_of q) else by_tree (bits_of q) (rounds_of q).

(* ---- protocols of certificates ---- *)

Inductive node := Says (b : bool) | Asks_for (bob : bool) (lines : N).
Definition node_of (q : asked) (j : json) : option node :=
  match j with
  | Array [p; l] =>
      if is_text "rows" p then let* s := lines_in (height q) l in Some (Asks_for false s)
      else if is_text "columns" p then let* s := lines_in (width q) l in Some (Asks_for true s)
      else None
  | _ => let* b := bit_in j in Some (Says b)
  end.
(* in preorder; the listed lines come first *)
Fixpoint grown (nodes : list node) : option (list two_way) :=
  match nodes with
  | [] => Some []
  | a :: rest => let* found := grown rest in
                 match a, found with
                 | Says b, _ => Some (Answer b :: found)
                 | Asks_for false s, t :: u :: more => Some (AliceSends (bit s) u t :: more)
                 | Asks_for true s, t :: u :: more => Some (BobSends (bit s) u t :: more)
                 | _, _ => None
                 end
  end.
Definition tree_part (q : interactive) (j : json) : option (Z * (nat -> nat -> bool)) :=
  match j with
  | Array [w; l] =>
      let* w := at_least_integer 1 w in
      let* nodes := list_of (node_of (played_on q)) l in
      match grown nodes with
      | Some [t] => given ((depth t <=? bits_of q)
                           && match rounds_of q with Some k => rounds_after None t <=? k | None => true end)
                      (Some (w, output t))
      | _ => None
      end
  | _ => None
  end.
Lemma tree_part_able q j p : tree_part q j = Some p -> by_tree (bits_of q) (rounds_of q) (snd p).
Proof.
  unfold tree_part, given. destruct j as [| | | |[|w [|l [|]]]|]; try discriminate. destruct (at_least_integer 1 w) as [w'|]; [|discriminate].
  destruct (list_of _ l) as [nodes|]; [|discriminate]. destruct (grown nodes) as [[|t [|]]|]; try discriminate.
  destruct (_ && _) eqn:B; [|discriminate]. intros [= <-]. apply andb_prop in B as [D R]. apply Nat.leb_le in D.
  exists t. split; [exact D|]. split; [|reflexivity]. destruct (rounds_of q); [apply Nat.leb_le, R|exact I].
Qed.

Definition width_of (answers : json) : nat := match answers with Array (Text s :: _) => String.length s | _ => 0 end.
Definition messages_part (q : interactive) (j : json) : option (Z * (nat -> nat -> bool)) :=
  match j with
  | Array [w; r; c; answers] =>
      let* w := at_least_integer 1 w in
      let* answers' := list_of (row (width_of answers)) answers in
      let a := length answers' in
      let b := width_of answers in
      let* r := list_of (index a) r in
      let* c := list_of (index b) c in
      let i := Nat.log2_up a in
      let j := Nat.log2_up b in
      given ((0 <? a) && (0 <? b) && (a <=? 2 ^ i) && (b <=? 2 ^ j) && (i + j <=? bits_of q)
             && (length r =? height (played_on q)) && (length c =? width (played_on q)))
        (Some (w, fun x y => nth (nth y c 0) (nth (nth x r 0) answers' []) false))
  | _ => None
  end.
Lemma nth_index bound k l j x : 0 < k -> bound <= k -> list_of (index bound) j = Some l -> nth x l 0 < k.
Proof.
  intros P B H. destruct (nth_in_or_default x l 0) as [I| ->]; [|exact P].
  destruct (list_of_in _ _ _ _ H I) as [a A]. apply index_bound in A. lia.
Qed.
Lemma messages_part_able q j p : messages_part q j = Some p -> by_messages (bits_of q) (snd p).
Proof.
  unfold messages_part, given. destruct j as [| | | |[|w [|r [|c [|answers [|]]]]]|]; try discriminate.
  destruct (at_least_integer 1 w) as [w'|]; [|discriminate]. destruct (list_of _ answers) as [t|]; [|discriminate].
  destruct (list_of (index (length t)) r) as [r'|] eqn:R; [|discriminate].
  destruct (list_of (index (width_of answers)) c) as [c'|] eqn:C; [|discriminate].
  cbv zeta. destruct (_ && _) eqn:B; [|discriminate]. intros [= <-].
  repeat (apply andb_prop in B as [B ?]).
  repeat match goal with H : (_ <=? _) = true |- _ => apply Nat.leb_le in H end. cbn [snd].
  exists (Nat.log2_up (length t)), (Nat.log2_up (width_of answers)), (fun x => nth x r' 0), (fun y => nth y c' 0),
    (fun u v => nth v (nth u t []) false).
  split; [assumption|]. split; [|split].
  - intros x. apply (nth_index (length t) _ r' r); [|assumption|exact R]. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia.
  - intros y. apply (nth_index (width_of answers) _ c' c); [|assumption|exact C]. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia.
  - reflexivity.
Qed.

(* the same protocol for other inputs, perhaps with the other answer *)
Fixpoint relabelled (b : bool) (h k : nat -> nat) (t : two_way) : two_way :=
  match t with
  | Answer c => Answer (xorb b c)
  | AliceSends s l r => AliceSends (fun x => s (h x)) (relabelled b h k l) (relabelled b h k r)
  | BobSends s l r => BobSends (fun y => s (k y)) (relabelled b h k l) (relabelled b h k r)
  end.
Lemma able_moved referee q b g (h k : nat -> nat) : able_of referee q g -> able_of referee q (fun x y => xorb b (g (h x) (k y))).
Proof.
  destruct referee; cbn [able_of].
  - intros [i [j [a [c [v [L [A [B E]]]]]]]]. exists i, j, (fun x => a (h x)), (fun y => c (k y)), (fun u w => xorb b (v u w)).
    repeat split; auto. intros x y. rewrite E. reflexivity.
  - intros [t [D [R E]]]. exists (relabelled b h k t).
    assert (depth (relabelled b h k t) = depth t) as ->
      by (clear; induction t as [|s l IHl r IHr|s l IHl r IHr]; cbn [relabelled depth]; congruence).
    assert (forall last, rounds_after last (relabelled b h k t) = rounds_after last t) as ->
      by (clear; induction t as [|s l IHl r IHr|s l IHl r IHr]; intros last; cbn [relabelled rounds_after]; [reflexivity| |];
          rewrite IHl, IHr; reflexivity).
    split; [exact D|]. split; [exact R|]. intros x y. rewrite E. clear.
    induction t as [|s l IHl r IHr|s l IHl r IHr]; cbn [relabelled output]; [reflexivity| |].
    + destruct (s (h x)); assumption.
    + destruct (s (k y)); assumption.
Qed.

Definition check_mixture (q : asked) (moves : list symmetry) (parts : list (Z * (nat -> nat -> bool))) (v : Q) : bool :=
  is_law (map fst parts) &&
  match errors_after (height q) (width q) (lines q) moves (errors_of_parts (height q) (width q) (problem_in q) parts) with
  | Some E => is_most (height q) (width q) (problem_in q) E v
  | None => false
  end.
Lemma check_mixture_sound referee q moves parts v : (forall p, In p parts -> able_of referee q (snd p)) ->
  check_mixture (played_on q) moves parts v = true ->
  mixture_errs (able_of referee q) (height (played_on q)) (width (played_on q)) (problem_in (played_on q)) v.
Proof.
  unfold check_mixture. intros A H. apply andb_prop in H as [L M].
  destruct (errors_after _ _ _ _ _) as [E|] eqn:X; [|discriminate]. apply (is_most_sound _ _ _ _ E v M).
  apply (errors_after_attains _ _ _ _ _ _ _ (able_moved referee q) X). apply parts_attain; assumption.
Qed.

(* ---- hard distributions ---- *)

(* a limit on the work, not of what is proved *)
Definition most_bits : nat := 8.
Definition check_hard (referee : bool) (q : interactive) (cells : list (nat * nat * Z)) (v : Q) : bool :=
  let f := problem_in (played_on q) in
  let n := height (played_on q) in
  let m := width (played_on q) in
  let W := input_weight (played_on q) (weight_table (played_on q) cells) in
  let w x y := Discrepancies.signed (f x y) (W x y) in
  let xs := filter (fun x => existsb (fun y => negb (w x y =? 0)%Z) (seq 0 m)) (seq 0 n) in
  let ys := filter (fun y => existsb (fun x => negb (w x y =? 0)%Z) xs) (seq 0 m) in
  let all := integer_sum n (fun x => integer_sum m (W x)) in
  let M := matrix w xs ys in
  (bits_of q <=? most_bits) && forallb (fun c => (1 <=? snd c)%Z) cells && (0 <? all)%Z && (0 <? length xs) && (0 <? length ys) &&
  is_quotient (2 * (if referee then least_of_messages (bits_of q) M else least_of_trees (bits_of q) (rounds_of q) M)) (2 * all) v.
Lemma mistakes_filter (w : nat -> nat -> Z) g s t xs ys : (mistakes w g (filter s xs) (filter t ys) <= mistakes w g xs ys)%Z.
Proof.
  unfold mistakes.
  refine (Z.le_trans _ _ _ (list_sum_filter s xs _ _) _).
  - intros x _. rewrite <- (list_sum_0 (filter t ys)). apply list_sum_le. intros y _. apply mistake_nonneg.
  - apply list_sum_le. intros x _. apply list_sum_filter. intros y _. apply mistake_nonneg.
Qed.
Lemma check_hard_sound referee q cells v : check_hard referee q cells v = true ->
  mixture_error_at_least (able_of referee q) (height (played_on q)) (width (played_on q)) (problem_in (played_on q)) v.
Proof.
  unfold check_hard. cbv zeta. set (W := input_weight _ _). set (w := fun x y => Discrepancies.signed _ _).
  set (xs := filter _ (seq 0 (height _))). set (ys := filter _ (seq 0 (width _))). intros H.
  apply andb_prop in H as [H V]. apply andb_prop in H as [H Y]. apply andb_prop in H as [H X]. apply andb_prop in H as [H T].
  apply andb_prop in H as [_ P]. apply Z.ltb_lt in T. apply Nat.ltb_lt in X, Y.
  assert (xs <> []) as X' by (intros E; rewrite E in X; cbn in X; lia).
  assert (ys <> []) as Y' by (intros E; rewrite E in Y; cbn in Y; lia).
  refine (hard_inputs _ _ _ _ W _ v _ _ T _ V).
  - intros x y. unfold W, input_weight. destruct (problem_in _ x y); [|lia]. apply weight_table_nonneg.
    rewrite forallb_forall in *. intros c I. specialize (P c I). apply Z.leb_le in P. apply Z.leb_le. lia.
  - intros x y E. unfold W, input_weight. rewrite E. reflexivity.
  - intros g A. apply Z.mul_le_mono_nonneg_l; [lia|].
    refine (Z.le_trans _ _ _ _ (mistakes_filter w g _ _ _ _)). fold xs ys. destruct referee; cbn [able_of] in A.
    + destruct A as [i [j [a [b [answer [L [Ha [Hb E]]]]]]]].
      rewrite (mistakes_ext w g (fun x y => answer (a x) (b y))) by exact E.
      apply (least_of_messages_sound _ w i j); assumption.
    + apply least_of_trees_sound, A.
Qed.

(* ---- discrepancy ---- *)

Definition check_discrepancy (q : interactive) (cells : list (nat * nat * Z)) (v : Q) : bool :=
  let f := problem_in (played_on q) in
  let n := height (played_on q) in
  let m := width (played_on q) in
  let W := input_weight (played_on q) (weight_table (played_on q) cells) in
  let all := integer_sum n (fun x => integer_sum m (W x)) in
  let heavy s := heaviest_of n m (fun x y => (s * Discrepancies.signed (f x y) (W x y))%Z) (fun _ _ => false) in
  forallb (fun c => (1 <=? snd c)%Z) cells && (0 <? all)%Z &&
  is_quotient (Z.max 0 (all - 2 ^ Z.of_nat (bits_of q) * Z.max (heavy 1%Z) (heavy (-1)%Z))) (2 * all) v.
Lemma check_discrepancy_sound referee q cells v : check_discrepancy q cells v = true ->
  mixture_error_at_least (able_of referee q) (height (played_on q)) (width (played_on q)) (problem_in (played_on q)) v.
Proof.
  unfold check_discrepancy. cbv zeta. set (W := input_weight _ _). intros H.
  apply andb_prop in H as [H V]. apply andb_prop in H as [P T]. apply Z.ltb_lt in T.
  assert (forall x y, (0 <= W x y)%Z) as Pos.
  { intros x y. unfold W, input_weight. destruct (problem_in _ x y); [|lia]. apply weight_table_nonneg.
    rewrite forallb_forall in *. intros c I. specialize (P c I). apply Z.leb_le in P. apply Z.leb_le. lia. }
  assert (forall x y, problem_in (played_on q) x y = None -> W x y = 0%Z) as Out.
  { intros x y E. unfold W, input_weight. rewrite E. reflexivity. }
  refine (hard_inputs _ _ _ _ W _ v Pos Out T _ V). intros g A.
  set (w := fun x y => Discrepancies.signed (problem_in (played_on q) x y) (W x y)) in *.
  assert (exists rounds, by_tree (bits_of q) rounds g) as [rounds B].
  { destruct referee; cbn [able_of] in A; [exists None; apply messages_by_tree, A|exists (rounds_of q); exact A]. }
  apply Z.max_lub; [pose proof (mistakes_nonneg w g (seq 0 (height (played_on q))) (seq 0 (width (played_on q)))); lia|].
  refine (mistakes_of_tree _ _ w _ _ _ rounds g _ B _).
  - intros b r. destruct b; unfold gain.
    + refine (Z.le_trans _ _ _ _ (Z.le_max_l _ _)).
      refine (Z.le_trans _ _ _ (Z.eq_le_incl _ _ _) (heaviest_of_spec _ _ _ _ r (fun _ _ _ _ _ => eq_refl))).
      unfold inside_weight. apply integer_sum_ext. intros x _. apply integer_sum_ext. intros y _. unfold w. destruct (holds r x y); [ring|reflexivity].
    + refine (Z.le_trans _ _ _ _ (Z.le_max_r _ _)).
      refine (Z.le_trans _ _ _ (Z.eq_le_incl _ _ _) (heaviest_of_spec _ _ _ _ r (fun _ _ _ _ _ => eq_refl))).
      unfold inside_weight. apply integer_sum_ext. intros x _. apply integer_sum_ext. intros y _. unfold w. destruct (holds r x y); [ring|reflexivity].
  - apply integer_sum_ext. intros x _. apply integer_sum_ext. intros y _. unfold w. specialize (Pos x y). specialize (Out x y).
    destruct (problem_in (played_on q) x y) as [[|]|]; cbn [Discrepancies.signed]; [lia|lia|]. rewrite Out by reflexivity. reflexivity.
Qed.

(* ---- the kinds ---- *)

Definition most_limit : nat := 1000.
Definition interactive_in (referee : bool) (instance : json) (values : list json) : option interactive :=
  let* q := asked_in instance in
  match values with
  | b :: rest =>
      let* b := index (S most_limit) b in
      match referee, rest with
      | true, [] => Some (Interactive q b None)
      | false, [Null] => Some (Interactive q b None)
      | false, [r] => let* r := index (S most_limit) r in given (1 <=? r) (Some (Interactive q b (Some r)))
      | _, _ => None
      end
  | [] => None
  end.
Definition interactive_lower (referee : bool) (q : interactive) (v : Q) (name : string) (data : json) : bool :=
  match fields ["distribution"%string] data with
  | Some [d] => match weighted_cells (played_on q) d with
                | Some cells => if String.eqb name "hard_distribution" then check_hard referee q cells v
                                else String.eqb name "discrepancy" && check_discrepancy q cells v
                | None => false
                end
  | _ => false
  end.
Definition interactive_upper (referee : bool) (q : interactive) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "protocol" &&
  match fields ["symmetries"%string; if referee then "tables"%string else "trees"%string] data with
  | Some [s; l] =>
      match list_of (symmetry_in (height (played_on q)) (width (played_on q))) s,
            list_of (if referee then messages_part q else tree_part q) l with
      | Some moves, Some parts => check_mixture (played_on q) moves parts v
      | _, _ => false
      end
  | _ => false
  end.

Definition interactive_kind (name : string) (referee : bool) : kind.
Proof.
  refine {|
    title := name; parameters := if referee then ["bits"%string] else ["bits"%string; "rounds"%string];
    ask := interactive_in referee; number := fraction;
    lower := interactive_lower referee; upper := interactive_upper referee;
    lower_means q v := mixture_error_at_least (able_of referee q) (height (played_on q)) (width (played_on q))
      (problem_in (played_on q)) v;
    upper_means q v := mixture_errs (able_of referee q) (height (played_on q)) (width (played_on q))
      (problem_in (played_on q)) v
  |}.
  - intros q v form data H. unfold interactive_lower in H.
    destruct (fields _ data) as [[|d [|]]|]; try discriminate. destruct (weighted_cells _ d) as [cells|]; [|discriminate].
    destruct (String.eqb form "hard_distribution"); [exact (check_hard_sound _ _ _ _ H)|].
    apply andb_prop in H as [_ H]. exact (check_discrepancy_sound _ _ _ _ H).
  - intros q v form data H. unfold interactive_upper in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|s [|l [|]]]|]; try discriminate. destruct (list_of (symmetry_in _ _) s) as [moves|]; [|discriminate].
    destruct (list_of _ l) as [parts|] eqn:P; [|discriminate]. apply (check_mixture_sound referee q moves parts v); [|exact H].
    intros p I. destruct (list_of_in _ _ _ _ P I) as [j J]. destruct referee; cbn [able_of].
    + exact (messages_part_able q j p J).
    + exact (tree_part_able q j p J).
Defined.
Definition two_way_errors : kind := interactive_kind "two_way_error" false.
Definition simultaneous_errors : kind := interactive_kind "simultaneous_error" true.
