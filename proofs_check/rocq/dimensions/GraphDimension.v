(* The graph dimension: the VC dimension of the class of the sets of pairs of a point and its label. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate Tables Sorting Littlestone Shattering VCDimension Labels.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- the graph as a table: its columns are pairs of a point and a label ---- *)

Definition occurring (column : label_row) : list N :=
  once (flat_map (fun v => match v with Some y => [y] | None => [] end) column).
Lemma occurring_in column y : In y (occurring column) <-> In (Some y) column.
Proof.
  unfold occurring. rewrite once_in, in_flat_map. split.
  - intros [[z|] [H I]]; [destruct I as [<-|[]]; exact H|destruct I].
  - intros H. exists (Some y). split; [exact H|left; reflexivity].
Qed.
(* of at most two labels the first is left out: its column is constant or the complement of the other *)
Definition kept_labels (column : label_row) : list N :=
  match occurring column with [] | [_] => [] | [_; y] => [y] | l => l end.

Fixpoint pairs_from (x : nat) (kept : list (list N)) : list (nat * N) :=
  match kept with [] => [] | ys :: kept' => map (pair x) ys ++ pairs_from (S x) kept' end.
Fixpoint graph_row (kept : list (list N)) (r : label_row) : list bool :=
  match kept with [] => [] | ys :: kept' => map (is_label (hd None r)) ys ++ graph_row kept' (tl r) end.

Lemma graph_row_pairs : forall kept r x r0, (forall i, nth i r None = nth (x + i) r0 None) ->
  graph_row kept r = map (fun p => is_label (nth (fst p) r0 None) (snd p)) (pairs_from x kept).
Proof.
  induction kept as [|ys kept IH]; intros r x r0 E; [reflexivity|]. cbn [graph_row pairs_from].
  rewrite map_app, map_map. f_equal.
  - apply map_ext. intros y. cbn [fst snd]. specialize (E 0). rewrite Nat.add_0_r in E. rewrite <- E.
    destruct r; reflexivity.
  - apply IH. intros i. specialize (E (S i)). rewrite Nat.add_succ_r in E. cbn [Nat.add]. rewrite <- E.
    destruct r; [destruct i|]; reflexivity.
Qed.
Lemma pairs_from_in x y : forall kept k, In (x, y) (pairs_from k kept) <->
  k <= x /\ exists ys, nth_error kept (x - k) = Some ys /\ In y ys.
Proof.
  induction kept as [|ys kept IH]; intros k.
  - split; [intros []|]. intros [_ [ys [E _]]]. destruct (x - k); discriminate.
  - cbn [pairs_from]. rewrite in_app_iff, IH, in_map_iff. split.
    + intros [[z [E H]]|[L [zs [E H]]]].
      * injection E as -> ->. split; [lia|]. exists ys. rewrite Nat.sub_diag. auto.
      * split; [lia|]. exists zs. replace (x - k) with (S (x - S k)) by lia. auto.
    + intros [L [zs [E H]]]. destruct (Nat.eq_dec x k) as [->|Ne].
      * rewrite Nat.sub_diag in E. injection E as ->. left. exists y. auto.
      * right. split; [lia|]. exists zs. replace (x - k) with (S (x - S k)) in E by lia. auto.
Qed.

Section Graphs.
Variables (n : nat) (rows : list label_row).
Let kept := map kept_labels (columns_by_labels n rows).
Let pairs := pairs_from 0 kept.

Definition graph_width : nat := length (pairs_from 0 (map kept_labels (columns_by_labels n rows))).
Definition graph_rows : list N :=
  let kept := map kept_labels (columns_by_labels n rows) in map (fun r => number_of (graph_row kept r)) rows.

Lemma graph_bit r p x y : nth_error pairs p = Some (x, y) ->
  bit (number_of (graph_row kept r)) p = true <-> nth x r None = Some y.
Proof.
  intros E. rewrite number_of_bit, (graph_row_pairs kept r 0 r) by reflexivity. fold pairs.
  rewrite (nth_error_nth _ _ _ (map_nth_error _ _ _ E)). cbn [fst snd]. apply is_label_spec.
Qed.
Lemma in_pairs x y : In (x, y) pairs <-> x < n /\ In y (kept_labels (map (fun r => nth x r None) rows)).
Proof.
  unfold pairs, kept. rewrite pairs_from_in, Nat.sub_0_r, columns_by_labels_dual. split.
  - intros [_ [ys [E H]]]. destruct (nth_error (label_dual n rows) x) as [c|] eqn:F.
    + rewrite (map_nth_error _ _ _ F) in E. injection E as <-. apply label_dual_nth in F as [L ->]. auto.
    + apply nth_error_None in F. assert (x < length (map kept_labels (label_dual n rows))) as L
        by (apply nth_error_Some; congruence). rewrite map_length in L. lia.
  - intros [L H]. split; [lia|]. exists (kept_labels (map (fun r => nth x r None) rows)). split; [|exact H].
    apply map_nth_error. unfold label_dual. apply (map_nth_error (fun x => map (fun r => nth x r None) rows)).
    rewrite (nth_error_nth' _ 0) by (rewrite seq_length; exact L). rewrite seq_nth by exact L. reflexivity.
Qed.
Lemma graph_table h : table graph_width (map bit graph_rows) h <->
  exists r, In r rows /\ forall p, p < graph_width -> h p = bit (number_of (graph_row kept r)) p.
Proof.
  rewrite in_table. unfold graph_rows. split.
  - intros [m [H E]]. apply in_map_iff in H as [r [<- Hr]]. exists r. auto.
  - intros [r [Hr E]]. exists (number_of (graph_row kept r)). split; [|exact E].
    apply in_map_iff. exists r. auto.
Qed.

Lemma graph_of_table d : class_shattered graph_width graph_rows d -> graph_shattered n (label_table rows) d.
Proof.
  intros [point [B H]].
  assert (forall i, i < d -> exists x y, nth_error pairs (point i) = Some (x, y) /\ nth (point i) pairs (0, 0%N) = (x, y)) as P.
  { intros i Hi. destruct (nth_error pairs (point i)) as [[x y]|] eqn:E.
    - exists x, y. split; [reflexivity|]. apply nth_error_nth, E.
    - apply nth_error_None in E. specialize (B i Hi). unfold graph_width in B. fold kept pairs in B. lia. }
  exists (fun i => fst (nth (point i) pairs (0, 0%N))), (fun i => snd (nth (point i) pairs (0, 0%N))). split.
  - intros i Hi. destruct (P i Hi) as [x [y [E N]]]. rewrite N. apply nth_error_In, in_pairs in E. apply E.
  - intros choice. destruct (H choice) as [h [Ch M]]. apply graph_table in Ch as [r [Hr E]].
    exists (fun x => nth x r None). split; [exists r; auto|]. intros i Hi.
    destruct (P i Hi) as [x [y [Ei N]]]. rewrite N. cbn [fst snd].
    rewrite <- (graph_bit r _ _ _ Ei), <- E by (apply B, Hi). rewrite (M i Hi). tauto.
Qed.

(* all concepts are defined on all points *)
Definition all_defined : bool :=
  forallb (fun r => (length r =? n) && forallb (fun v => match v with Some _ => true | None => false end) r) rows.

Lemma table_of_graph d : all_defined = true -> graph_shattered n (label_table rows) d ->
  class_shattered graph_width graph_rows d.
Proof.
  unfold all_defined. rewrite forallb_forall. intros W [point [label [B H]]].
  assert (forall r x, In r rows -> x < n -> exists y, nth x r None = Some y) as Def.
  { intros r x Hr Hx. specialize (W r Hr). apply andb_prop in W as [L F]. apply Nat.eqb_eq in L.
    rewrite forallb_forall in F. specialize (F (nth x r None) ltac:(apply nth_In; lia)).
    destruct (nth x r None) as [y|]; [eauto|discriminate]. }
  assert (forall i, i < d -> exists q, fst q < graph_width /\ forall r, In r rows ->
    bit (number_of (graph_row kept r)) (fst q) = xorb (snd q) (is_label (nth (point i) r None) (label i))) as Q.
  { intros i Hi. set (column := map (fun r => nth (point i) r None) rows).
    assert (forall z, In z (occurring column) <-> exists r, In r rows /\ nth (point i) r None = Some z) as Occ.
    { intros z. rewrite occurring_in. unfold column. rewrite in_map_iff. firstorder. }
    assert (forall z, In z (kept_labels column) -> exists q, q < graph_width /\
      forall r, bit (number_of (graph_row kept r)) q = is_label (nth (point i) r None) z) as Key.
    { intros z Hz. assert (In (point i, z) pairs) as I by (apply in_pairs; auto).
      apply In_nth_error in I as [q E]. exists q. split.
      - unfold graph_width. fold kept pairs. apply nth_error_Some. congruence.
      - intros r. pose proof (graph_bit r q _ _ E) as G. rewrite <- is_label_spec in G.
        destruct (bit _ q), (is_label _ z); intuition congruence. }
    destruct (in_dec N.eq_dec (label i) (kept_labels column)) as [K|K].
    { destruct (Key _ K) as [q [Hq E]]. exists (q, false). split; [exact Hq|].
      intros r _. rewrite E. cbn [fst snd]. destruct (is_label _ _); reflexivity. }
    assert (In (label i) (occurring column)) as I.
    { destruct (H (fun _ => true)) as [h [[r [Hr E]] M]]. apply Occ. exists r. split; [exact Hr|].
      rewrite <- E. apply M; auto. }
    assert (exists z, z <> label i /\ In z (occurring column)) as [z [Nz Iz]].
    { destruct (H (fun _ => false)) as [h [[r [Hr E]] M]]. destruct (Def r (point i) Hr (B i Hi)) as [z Ez].
      exists z. split; [|apply Occ; eauto]. intros ->. rewrite <- E in Ez. apply M in Ez; [discriminate|exact Hi]. }
    unfold kept_labels in K. destruct (occurring column) as [|a [|b [|c l]]] eqn:O.
    - destruct I.
    - exfalso. destruct I as [I|[]], Iz as [Iz|[]]. congruence.
    - assert (a = label i /\ b = z) as [-> ->].
      { destruct I as [I|[I|[]]]; [|contradiction K; left; exact I]. split; [exact I|].
        destruct Iz as [Iz|[Iz|[]]]; [congruence|exact Iz]. }
      destruct (Key z) as [q [Hq E]]; [unfold kept_labels; rewrite O; left; reflexivity|].
      exists (q, true). split; [exact Hq|]. intros r Hr. cbn [fst snd]. rewrite E.
      destruct (Def r (point i) Hr (B i Hi)) as [y Ey].
      assert (In y [label i; z]) as Y by (apply Occ; eauto). rewrite Ey. cbn [is_label].
      destruct Y as [<-|[<-|[]]]; rewrite N.eqb_refl.
      + destruct (N.eqb_spec (label i) z); [congruence|reflexivity].
      + destruct (N.eqb_spec z (label i)); [congruence|reflexivity].
    - contradiction. }
  destruct (finite_choice (0, false) (fun i q => fst q < graph_width /\ forall r, In r rows ->
    bit (number_of (graph_row kept r)) (fst q) = xorb (snd q) (is_label (nth (point i) r None) (label i))) d Q) as [f F].
  exists (fun i => fst (f i)). split; [intros i Hi; apply F, Hi|]. intros labels.
  destruct (H (fun i => xorb (snd (f i)) (labels i))) as [h [[r [Hr E]] M]].
  exists (bit (number_of (graph_row kept r))). split; [apply graph_table; exists r; auto|].
  intros i Hi. destruct (F i Hi) as [_ G]. rewrite (G r Hr). specialize (M i Hi). rewrite E, <- is_label_spec in M.
  destruct (is_label _ _), (snd (f i)), (labels i); cbn in *; intuition congruence.
Qed.
End Graphs.

Definition graph_dimension : kind.
Proof.
  refine {|
    title := "graph_dimension"; parameters := [];
    question := nat * N * list label_row;
    ask instance _ := multiclass_of instance; number := at_least_integer (-1);
    lower q := shattering_lower (graph_width (fst (fst q)) (snd q)) (graph_rows (fst (fst q)) (snd q));
    upper q v name data := all_defined (fst (fst q)) (snd q) &&
      shattering_upper (graph_width (fst (fst q)) (snd q)) (graph_rows (fst (fst q)) (snd q)) v name data;
    lower_means q v := dimension_at_least (graph_shattered (fst (fst q)) (label_table (snd q))) v;
    upper_means q v := dimension_at_most (graph_shattered (fst (fst q)) (label_table (snd q))) v
  |}.
  - intros q v name data H V. apply graph_of_table. eapply shattering_lower_sound; [exact H|exact V].
  - intros q v name data H. apply andb_prop in H as [D H]. apply shattering_upper_sound in H as [V H].
    split; [exact V|]. intros d G. apply H, table_of_graph; assumption.
Defined.
