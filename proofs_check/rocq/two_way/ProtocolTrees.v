(* Deterministic two-way protocols: trees from above; from below the protocols of all rectangles of some
   lines, partitions, and the number of leaves. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate OneWay Tables Sorting Inputs Covers FoolingSets Ranks CoverNumbers SmallRectangles.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- trees in preorder ---- *)

Inductive tree_node := Leaf_of | Sends (bob : bool) (lines : N).
Inductive sent_tree := Ends | Divides (bob : bool) (lines : N) (inside outside : sent_tree).
Fixpoint trees_of (nodes : list tree_node) : option (list sent_tree) :=
  match nodes with
  | [] => Some []
  | a :: rest => let* found := trees_of rest in
                 match a, found with
                 | Leaf_of, _ => Some (Ends :: found)
                 | Sends bob s, t :: u :: more => Some (Divides bob s t u :: more)
                 | _, _ => None
                 end
  end.
Fixpoint fits (q : asked) (t : sent_tree) (R C : N) : bool :=
  match t with
  | Ends => is_of_value q (held q false) (R, C) || is_of_value q (held q true) (R, C)
  | Divides bob s t u =>
      let whole := if bob then C else R in
      let part := N.land whole s in
      let rest := N.ldiff whole s in
      negb (part =? 0)%N && negb (rest =? 0)%N
      && (if bob then fits q t R part && fits q u R rest else fits q t part C && fits q u rest C)
  end.
Fixpoint protocol_of (q : asked) (t : sent_tree) (R C : N) : two_way :=
  match t with
  | Ends => Answer (is_of_value q (held q false) (R, C))
  | Divides true s t u => BobSends (bit s) (protocol_of q u R (N.ldiff C s)) (protocol_of q t R (N.land C s))
  | Divides false s t u => AliceSends (bit s) (protocol_of q u (N.ldiff R s) C) (protocol_of q t (N.land R s) C)
  end.

Lemma fits_sound q : forall t R C, fits q t R C = true -> forall x y b, x < height q -> y < width q ->
  bit R x = true -> bit C y = true -> problem_in q x y = Some b -> output (protocol_of q t R C) x y = b.
Proof.
  induction t as [|bob s t IHt u IHu]; intros R C H x y b X Y Rx Cy E; cbn [fits protocol_of] in *.
  - cbn [output]. assert (holds (sides_of (R, C)) x y = true) as I by (unfold holds, sides_of; cbn; rewrite Rx, Cy; reflexivity).
    destruct (is_of_value q (held q false) (R, C)) eqn:A.
    + symmetry. apply (is_of_value_sound q true (R, C) A x y b X Y I E).
    + cbn [orb] in H. symmetry. apply (is_of_value_sound q false (R, C) H x y b X Y I E).
  - apply andb_prop in H as [_ H]. destruct bob; apply andb_prop in H as [T U]; cbn [output].
    + destruct (bit s y) eqn:S; [apply (IHt _ _ T)|apply (IHu _ _ U)]; try assumption;
        rewrite ?bit_land, ?bit_ldiff, Cy, S; reflexivity.
    + destruct (bit s x) eqn:S; [apply (IHt _ _ T)|apply (IHu _ _ U)]; try assumption;
        rewrite ?bit_land, ?bit_ldiff, Rx, S; reflexivity.
Qed.

Definition tree_node_in (q : asked) (j : json) : option tree_node :=
  match j with
  | Null => Some Leaf_of
  | Array [p; l] =>
      if is_text "rows" p then let* s := lines_in (height q) l in Some (Sends false s)
      else if is_text "columns" p then let* s := lines_in (width q) l in Some (Sends true s)
      else None
  | _ => None
  end.
Definition tree_in (q : asked) (name : string) (data : json) : option two_way :=
  match (if String.eqb name "tree" then fields ["nodes"%string] data else None) with
  | Some [l] =>
      let* nodes := list_of (tree_node_in q) l in
      match trees_of nodes with
      | Some [t] => let R := everywhere (height q) in
                    let C := everywhere (width q) in
                    given (fits q t R C) (Some (protocol_of q t R C))
      | _ => None
      end
  | _ => None
  end.
Lemma tree_in_sound q name data t : tree_in q name data = Some t -> computes (height q) (width q) (problem_in q) t.
Proof.
  unfold tree_in, given. destruct (if String.eqb name "tree" then _ else None) as [[|l [|]]|]; try discriminate.
  destruct (list_of _ l) as [nodes|]; [|discriminate]. destruct (trees_of nodes) as [[|s [|]]|]; try discriminate.
  destruct (fits q s _ _) eqn:F; [|discriminate]. intros [= <-] x y b X Y E.
  apply (fits_sound q s _ _ F x y b X Y); try assumption; apply everywhere_bit; assumption.
Qed.

(* ---- leaves are disjoint rectangles ---- *)

Fixpoint rectangles_of (t : two_way) (r : rectangle) (b : bool) : list rectangle :=
  match t with
  | Answer c => if Bool.eqb c b then [r] else []
  | AliceSends s l h => rectangles_of l (fun x => fst r x && negb (s x), snd r) b
                        ++ rectangles_of h (fun x => fst r x && s x, snd r) b
  | BobSends s l h => rectangles_of l (fst r, fun y => snd r y && negb (s y)) b
                      ++ rectangles_of h (fst r, fun y => snd r y && s y) b
  end.
Lemma rectangles_leaves t : forall r, length (rectangles_of t r false) + length (rectangles_of t r true) = leaves t.
Proof.
  induction t as [c|s l IHl h IHh|s l IHl h IHh]; intros r; cbn [rectangles_of leaves]; [destruct c; reflexivity| |];
    rewrite !app_length.
  - specialize (IHl (fun x => fst r x && negb (s x), snd r)). specialize (IHh (fun x => fst r x && s x, snd r)). lia.
  - specialize (IHl (fst r, fun y => snd r y && negb (s y))). specialize (IHh (fst r, fun y => snd r y && s y)). lia.
Qed.
Lemma times_held_app l k x y : times_held (l ++ k) x y = times_held l x y + times_held k x y.
Proof.
  unfold times_held. induction l as [|r l IH]; [reflexivity|]. cbn [app filter]. destruct (holds r x y); cbn [length]; lia.
Qed.
Lemma rectangles_held t b x y : forall r,
  times_held (rectangles_of t r b) x y = if holds r x y && Bool.eqb (output t x y) b then 1 else 0.
Proof.
  induction t as [c|s l IHl h IHh|s l IHl h IHh]; intros r; cbn [rectangles_of output].
  - destruct (Bool.eqb c b); [|rewrite andb_false_r; reflexivity]. unfold times_held. cbn [filter].
    destruct (holds r x y); reflexivity.
  - rewrite times_held_app, IHl, IHh. unfold holds. cbn [fst snd]. destruct (fst r x), (s x), (snd r y); cbn; lia.
  - rewrite times_held_app, IHl, IHh. unfold holds. cbn [fst snd]. destruct (fst r x), (s y), (snd r y); cbn; lia.
Qed.
Lemma rectangles_cover n m f t b : computes n m f t ->
  covers true n m f b (rectangles_of t (fun _ => true, fun _ => true) b).
Proof.
  intros P. split.
  - intros r I x y c X Y H E. rewrite <- (P x y c X Y E).
    pose proof (rectangles_held t b x y (fun _ => true, fun _ => true)) as T.
    destruct (Bool.eqb (output t x y) b) eqn:Q; [apply Bool.eqb_prop, Q|exfalso]. rewrite andb_false_r in T.
    unfold times_held in T. apply length_zero_iff_nil in T.
    assert (In r (filter (fun r => holds r x y) (rectangles_of t (fun _ => true, fun _ => true) b))) as J by (apply filter_In; auto).
    rewrite T in J. destruct J.
  - intros x y X Y E. rewrite rectangles_held, (P x y b X Y E), Bool.eqb_reflx. reflexivity.
Qed.

Lemma leaves_1 t : 1 <= leaves t.
Proof. induction t as [c|s l IHl h IHh|s l IHl h IHh]; cbn [leaves]; lia. Qed.
Lemma leaves_depth t : leaves t <= 2 ^ depth t.
Proof.
  assert (forall l h, leaves l <= 2 ^ depth l -> leaves h <= 2 ^ depth h -> leaves l + leaves h <= 2 ^ S (Nat.max (depth l) (depth h))) as J.
  { intros l h L H. cbn [Nat.pow].
    pose proof (Nat.pow_le_mono_r 2 (depth l) (Nat.max (depth l) (depth h)) ltac:(lia) ltac:(lia)).
    pose proof (Nat.pow_le_mono_r 2 (depth h) (Nat.max (depth l) (depth h)) ltac:(lia) ltac:(lia)). lia. }
  induction t as [c|s l IHl h IHh|s l IHl h IHh]; cbn [leaves depth]; [cbn; lia|apply J; assumption|apply J; assumption].
Qed.

(* ---- from below ---- *)

Definition leaf_pairs (k : nat) : list (nat * nat) := map (fun a => (a, k - a)) (seq 1 (k - 1)).
Definition depth_pairs (k : nat) : list (nat * nat) := [(k - 1, k - 1)].
Lemma leaf_pairs_spec s l r k : leaves (AliceSends s l r) <= k \/ leaves (BobSends s l r) <= k ->
  exists u w, In (u, w) (leaf_pairs k) /\ In (w, u) (leaf_pairs k) /\ leaves l <= u < k /\ leaves r <= w < k /\ 1 <= u /\ 1 <= w.
Proof.
  intros H. assert (leaves l + leaves r <= k) as L by (destruct H; assumption). pose proof (leaves_1 l). pose proof (leaves_1 r).
  exists (leaves l), (k - leaves l). unfold leaf_pairs. repeat split; try lia; apply in_map_iff.
  - exists (leaves l). split; [reflexivity|apply in_seq; lia].
  - exists (k - leaves l). split; [f_equal; lia|apply in_seq; lia].
Qed.
Lemma depth_pairs_spec s l r k : depth (AliceSends s l r) <= k \/ depth (BobSends s l r) <= k ->
  exists u w, In (u, w) (depth_pairs k) /\ In (w, u) (depth_pairs k) /\ depth l <= u < k /\ depth r <= w < k /\ 0 <= u /\ 0 <= w.
Proof.
  intros H. assert (S (Nat.max (depth l) (depth r)) <= k) as L by (destruct H; assumption).
  exists (k - 1), (k - 1). unfold depth_pairs. repeat split; try lia; left; reflexivity.
Qed.

Definition most_steps : nat := 256.                          (* a protocol of 14 x 14 inputs has at most 196 leaves *)
Definition small_bound (q : asked) (size : bool) (data : json) : option N :=
  match fields ["rows"; "columns"]%string data with
  | Some [r; c] =>
      let* xs := distinct_lines (height q) r in
      let* ys := distinct_lines (width q) c in
      if (length xs <=? 14) && (length ys <=? 14)
      then let* v := if size then least_size (problem_in q) xs ys 1 leaf_pairs most_steps
                     else least_size (problem_in q) xs ys 0 depth_pairs most_steps in Some (N.of_nat v)
      else None
  | _ => None
  end.
Definition size_bound (q : asked) (name : string) (data : json) : option N :=
  if String.eqb name "rectangles" then small_bound q true data
  else if String.eqb name "partitions" then
    match fields ["zeros"; "ones"]%string data with
    | Some [z; o] =>
        let* (zn, zd) := form z in
        let* (on, od) := form o in
        let* a := cover_bound true (Covering q false) zn zd in
        let* b := cover_bound true (Covering q true) on od in Some (a + b)%N
    | _ => None
    end
  else None.
Definition cost_bound (q : asked) (name : string) (data : json) : option N :=
  if String.eqb name "rectangles" then small_bound q false data
  else if String.eqb name "leaves" then
    match fields ["proof"%string] data with
    | Some [p] => let* (inner_name, inner_data) := form p in
                  let* v := size_bound q inner_name inner_data in Some (N.size (N.pred v))
    | _ => None
    end
  else None.

Lemma computes_works q xs ys t S T : (forall x, In x xs -> x < height q) -> (forall y, In y ys -> y < width q) ->
  computes (height q) (width q) (problem_in q) t -> works (problem_in q) xs ys t S T.
Proof. intros X Y P i j c _ _ I J E. apply P; [apply X, nth_In, I|apply Y, nth_In, J|exact E]. Qed.
Lemma small_bound_sound q size data v : small_bound q size data = Some v ->
  two_way_at_least (if size then leaves else depth) (height q) (width q) (problem_in q) v.
Proof.
  unfold small_bound. destruct (fields _ data) as [[|r [|c [|]]]|]; try discriminate.
  destruct (distinct_lines (height q) r) as [xs|] eqn:X; [|discriminate].
  destruct (distinct_lines (width q) c) as [ys|] eqn:Y; [|discriminate]. destruct (_ && _); [|discriminate].
  intros H t P.
  pose proof (computes_works q xs ys t (map (fun _ => true) xs) (map (fun _ => true) ys)
    (distinct_lines_bound _ _ _ X) (distinct_lines_bound _ _ _ Y) P) as W.
  generalize dependent most_steps. intros fuel H. destruct size.
  - destruct (least_size _ _ _ _ _ fuel) as [k|] eqn:L; [|discriminate]. injection H as <-.
    pose proof (least_size_sound _ xs ys leaves 1 leaf_pairs (fun _ => eq_refl) leaf_pairs_spec fuel k t leaves_1 L W). lia.
  - destruct (least_size _ _ _ _ _ fuel) as [k|] eqn:L; [|discriminate]. injection H as <-.
    pose proof (least_size_sound _ xs ys depth 0 depth_pairs (fun _ => eq_refl) depth_pairs_spec fuel k t
      (fun _ => Nat.le_0_l _) L W). lia.
Qed.
Theorem size_bound_sound q name data v : size_bound q name data = Some v ->
  two_way_at_least leaves (height q) (width q) (problem_in q) v.
Proof.
  unfold size_bound. intros H. destruct (String.eqb name "rectangles"); [exact (small_bound_sound q true data v H)|].
  destruct (String.eqb name "partitions"); [|discriminate].
  destruct (fields _ data) as [[|z [|o [|]]]|]; try discriminate.
  destruct (form z) as [[zn zd]|]; [|discriminate]. destruct (form o) as [[on od]|]; [|discriminate].
  destruct (cover_bound true (Covering q false) zn zd) as [a|] eqn:A; [|discriminate].
  destruct (cover_bound true (Covering q true) on od) as [b|] eqn:B; [|discriminate]. injection H as <-. intros t P.
  apply cover_bound_sound in A. apply cover_bound_sound in B. cbn [of_problem of_bit] in A, B.
  specialize (A _ (rectangles_cover _ _ _ t false P)). specialize (B _ (rectangles_cover _ _ _ t true P)).
  pose proof (rectangles_leaves t (fun _ => true, fun _ => true)). lia.
Qed.
Theorem cost_bound_sound q name data v : cost_bound q name data = Some v ->
  two_way_at_least depth (height q) (width q) (problem_in q) v.
Proof.
  unfold cost_bound. intros H. destruct (String.eqb name "rectangles"); [exact (small_bound_sound q false data v H)|].
  destruct (String.eqb name "leaves"); [|discriminate]. destruct (fields _ data) as [[|p [|]]|]; try discriminate.
  destruct (form p) as [[inner_name inner_data]|]; [|discriminate].
  destruct (size_bound q inner_name inner_data) as [k|] eqn:L; [|discriminate]. injection H as <-. intros t P.
  apply size_bound_sound in L. specialize (L t P). pose proof (leaves_depth t) as D.
  destruct (N.eq_dec (N.pred k) 0) as [->|N]; [cbn; lia|]. rewrite N.size_log2 by exact N.
  apply N.le_succ_l. apply N.log2_lt_pow2; [lia|].
  assert (2 ^ N.of_nat (depth t) = N.of_nat (2 ^ depth t))%N as ->; [|lia].
  clear. induction (depth t) as [|d IH]; [reflexivity|]. rewrite Nat2N.inj_succ, N.pow_succ_r', IH. cbn [Nat.pow]. lia.
Qed.

(* ---- certificates ---- *)

Definition tree_kind (name : string) (size : two_way -> nat) (bound_of : asked -> string -> json -> option N)
  (sound : forall q name data v, bound_of q name data = Some v ->
    two_way_at_least size (height q) (width q) (problem_in q) v) : kind.
Proof.
  refine {|
    title := name; parameters := [];
    ask := fun instance _ => asked_in instance; number := natural;
    lower := fun q v form data => is_bound v (bound_of q form data);
    upper := fun q v form data => is_bound v (let* t := tree_in q form data in Some (N.of_nat (size t)));
    lower_means q v := two_way_at_least size (height q) (width q) (problem_in q) v;
    upper_means q v := two_way_at_most size (height q) (width q) (problem_in q) v
  |}.
  - intros q v form data H. exact (sound _ _ _ _ (is_bound_spec _ _ H)).
  - intros q v form data H. apply is_bound_spec in H. destruct (tree_in q form data) as [t|] eqn:T; [|discriminate].
    injection H as <-. exists t. split; [exact (tree_in_sound _ _ _ _ T)|lia].
Defined.
Definition protocol_sizes : kind := tree_kind "protocol_size" leaves size_bound size_bound_sound.
Definition deterministic_costs : kind := tree_kind "deterministic_cost" depth cost_bound cost_bound_sound.
