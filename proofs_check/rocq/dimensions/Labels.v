(* Tables of partial and multiclass classes: the sets of rows with each label on each column, as numbers
   whose bit j is set for row j. *)
From Coq Require Import String Ascii List Arith PArith NArith ZArith Lia Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Json Tables Littlestone.
Import ListNotations.
Local Open Scope nat_scope.

Notation label_row := (list (option N)).

Definition is_label (v : option N) (y : N) : bool := match v with Some z => (z =? y)%N | None => false end.
Lemma is_label_spec v y : is_label v y = true <-> v = Some y.
Proof. destruct v as [z|]; cbn; [rewrite N.eqb_eq; intuition congruence|intuition discriminate]. Qed.

(* ---- columns ---- *)

Fixpoint columns_by_labels (n : nat) (rows : list label_row) : list label_row :=
  match n with
  | 0 => []
  | S n' => map (hd None) rows :: columns_by_labels n' (map (@tl _) rows)
  end.

Lemma columns_by_labels_dual : forall n rows, columns_by_labels n rows = label_dual n rows.
Proof.
  induction n as [|n IH]; intros rows; [reflexivity|]. unfold label_dual. cbn [columns_by_labels seq map].
  f_equal; [apply map_ext; intros [|? ?]; reflexivity|].
  rewrite IH. unfold label_dual. rewrite <- seq_shift, map_map. apply map_ext. intros x.
  rewrite map_map. apply map_ext. intros [|? ?]; [destruct x|]; reflexivity.
Qed.

Lemma label_dual_nth n rows x c : nth_error (label_dual n rows) x = Some c ->
  x < n /\ c = map (fun r => nth x r None) rows.
Proof.
  intros H. assert (x < n) as Hx.
  { rewrite <- (seq_length n 0), <- (map_length (fun x => map (fun r => nth x r None) rows)).
    apply nth_error_Some. unfold label_dual in H. congruence. }
  split; [exact Hx|]. apply (nth_error_nth _ _ []) in H. rewrite <- H. unfold label_dual.
  rewrite (nth_indep _ [] (map (fun r => nth 0 r None) rows)) by (rewrite map_length, seq_length; exact Hx).
  rewrite (map_nth (fun x => map (fun r => nth x r None) rows)), seq_nth by exact Hx. reflexivity.
Qed.

Lemma nth_of_column (rows : list label_row) x j :
  nth j (map (fun r => nth x r None) rows) None = nth x (nth j rows []) None.
Proof.
  rewrite <- (map_nth (fun r : label_row => nth x r None) rows [] j). f_equal. destruct x; reflexivity.
Qed.

(* ---- the rows with each label of a column ---- *)

Definition sides := PositiveMap.t N.
Definition side (s : sides) (y : N) : N := match PositiveMap.find (key y) s with Some m => m | None => 0%N end.
Fixpoint gather (j : N) (column : label_row) (s : sides) : sides :=
  match column with
  | [] => s
  | Some y :: rest => gather (N.succ j) rest (PositiveMap.add (key y) (N.setbit (side s y) j) s)
  | None :: rest => gather (N.succ j) rest s
  end.
Definition column_sides (column : label_row) : sides := gather 0 column (PositiveMap.empty N).

Lemma gather_side y i : forall column j s, bit (side (gather j column s) y) i = true <->
  bit (side s y) i = true \/ (N.to_nat j <= i /\ nth (i - N.to_nat j) column None = Some y).
Proof.
  induction column as [|c column IH]; intros j s; cbn [gather].
  - split; [auto|]. intros [H|[_ H]]; [exact H|]. destruct (i - N.to_nat j); discriminate.
  - assert ((N.to_nat (N.succ j) <= i /\ nth (i - N.to_nat (N.succ j)) column None = Some y) \/
        (i = N.to_nat j /\ c = Some y) <->
        (N.to_nat j <= i /\ nth (i - N.to_nat j) (c :: column) None = Some y)) as Q.
    { rewrite N2Nat.inj_succ. split.
      - intros [[L E]|[-> ->]].
        + split; [lia|]. replace (i - N.to_nat j) with (S (i - S (N.to_nat j))) by lia. exact E.
        + split; [lia|]. rewrite Nat.sub_diag. reflexivity.
      - intros [L E]. destruct (Nat.eq_dec i (N.to_nat j)) as [->|Ne].
        + rewrite Nat.sub_diag in E. right. split; [reflexivity|exact E].
        + left. split; [lia|]. replace (i - N.to_nat j) with (S (i - S (N.to_nat j))) in E by lia. exact E. }
    destruct c as [z|]; rewrite IH, <- Q; [|intuition congruence].
    assert (bit (side (PositiveMap.add (key z) (N.setbit (side s z) j) s) y) i = true <->
            bit (side s y) i = true \/ (i = N.to_nat j /\ Some z = Some y)) as E; [|rewrite E; tauto].
    unfold side at 1. destruct (Pos.eq_dec (key z) (key y)) as [K|K].
    + rewrite K, PositiveMap.gss. apply key_inj in K. subst z.
      rewrite bit_setbit, orb_true_iff, Nat.eqb_eq. tauto.
    + rewrite PositiveMap.gso by congruence. fold (side s y). split; [auto|].
      intros [H|[_ [= ->]]]; [exact H|congruence].
Qed.

Lemma column_sides_bit column y i : bit (side (column_sides column) y) i = true <-> nth i column None = Some y.
Proof.
  unfold column_sides. rewrite gather_side. unfold side. rewrite PositiveMap.gempty. cbn [N.to_nat].
  rewrite Nat.sub_0_r. split; [|intros H; right; split; [lia|exact H]].
  intros [H|[_ H]]; [destruct i; discriminate H|exact H].
Qed.

Definition table_of_sides (n : nat) (rows : list label_row) : list sides :=
  map column_sides (columns_by_labels n rows).
Definition row_of (rows : list label_row) (j : nat) : labelling := fun x => nth x (nth j rows []) None.

Lemma table_of_sides_bit n rows x s y j : nth_error (table_of_sides n rows) x = Some s ->
  x < n /\ (bit (side s y) j = true <-> row_of rows j x = Some y).
Proof.
  unfold table_of_sides. rewrite columns_by_labels_dual. intros H.
  destruct (nth_error (label_dual n rows) x) as [c|] eqn:E; cycle 1.
  { apply nth_error_None in E. assert (x < length (map column_sides (label_dual n rows))) as L
      by (apply nth_error_Some; congruence). rewrite map_length in L. lia. }
  rewrite (map_nth_error column_sides _ _ E) in H. injection H as <-.
  apply label_dual_nth in E as [Hx ->]. split; [exact Hx|]. rewrite column_sides_bit. unfold row_of.
  rewrite nth_of_column. tauto.
Qed.
Lemma table_of_sides_length n rows : length (table_of_sides n rows) = n.
Proof.
  unfold table_of_sides. rewrite columns_by_labels_dual. unfold label_dual.
  rewrite !map_length, seq_length. reflexivity.
Qed.

(* ---- classes of the rows in a set ---- *)

Definition rows_in (rows : list label_row) (m : N) : labelled_class :=
  fun h => exists j, bit m j = true /\ forall x, h x = row_of rows j x.
Definition all_rows (rows : list label_row) : N := number_of (map (fun _ => true) rows).

Lemma label_table_rows_in rows h : label_table rows h -> rows_in rows (all_rows rows) h.
Proof.
  intros [r [Hr E]]. apply (In_nth _ _ []) in Hr as [j [Hj <-]]. exists j. split; [|exact E].
  unfold all_rows. rewrite number_of_bit. apply nth_error_nth.
  rewrite (map_nth_error _ _ _ (nth_error_nth' rows [] Hj)). reflexivity.
Qed.
Lemma rows_in_label_table rows h : rows_in rows (all_rows rows) h -> label_table rows h.
Proof.
  intros [j [B E]]. exists (nth j rows []). split; [|exact E]. apply nth_In.
  unfold all_rows in B. rewrite number_of_bit in B.
  destruct (Nat.lt_ge_cases j (length rows)) as [|L]; [assumption|].
  rewrite nth_overflow in B by (rewrite map_length; exact L). discriminate.
Qed.
Lemma all_rows_count rows : (count_ones (all_rows rows) = size rows)%N.
Proof.
  unfold all_rows. rewrite size_length. induction rows as [|r rows IH]; [reflexivity|].
  cbn [map number_of length]. rewrite count_ones_step, N.div2_succ_double, IH.
  replace (N.odd (N.succ_double _)) with true by (destruct (number_of (map (fun _ => true) rows)); reflexivity). lia.
Qed.

Lemma bits_equal a b : (forall j, bit a j = bit b j) -> a = b.
Proof.
  intros H. apply N.bits_inj. intros i. rewrite <- (N2Nat.id i), <- !bit_testbit. apply H.
Qed.
Lemma count_ones_positive m j : bit m j = true -> (1 <= count_ones m)%N.
Proof.
  revert m. induction j as [|j IH]; intros m H; rewrite count_ones_step.
  - rewrite bit_odd in H. rewrite H. lia.
  - rewrite <- bit_div2 in H. apply IH in H. lia.
Qed.
Lemma count_ones_within a b : (forall j, bit a j = true -> bit b j = true) -> (count_ones a <= count_ones b)%N.
Proof.
  intros H. pose proof (count_ones_parts b a) as P. replace (N.land b a) with a in P; [lia|].
  apply bits_equal. intros j. rewrite land_bit. specialize (H j).
  destruct (bit a j); [rewrite (H eq_refl)|destruct (bit b j)]; reflexivity.
Qed.
(* disjoint sets inside a set *)
Lemma count_ones_disjoint a b m : (forall j, bit a j = true -> bit m j = true) ->
  (forall j, bit b j = true -> bit m j = true) -> (forall j, bit a j = true -> bit b j = true -> False) ->
  (count_ones a + count_ones b <= count_ones m)%N.
Proof.
  intros A B D. rewrite <- (count_ones_parts m a).
  apply N.add_le_mono; apply count_ones_within; intros j H.
  - rewrite land_bit, A, H by exact H. reflexivity.
  - rewrite ldiff_bit, B by exact H. destruct (bit a j) eqn:E; [destruct (D j E H)|reflexivity].
Qed.

(* fewer members than 2^d, without the power *)
Definition fewer (m d : N) : bool := let k := count_ones m in (k =? 0)%N || (N.log2 k <? d)%N.
Lemma fewer_spec m d : fewer m d = true -> (count_ones m < 2 ^ d)%N.
Proof.
  unfold fewer. intros H. apply orb_prop in H as [H|H].
  - apply N.eqb_eq in H. rewrite H. pose proof (N.pow_nonzero 2 d). lia.
  - apply N.ltb_lt in H. destruct (N.eq_dec (count_ones m) 0) as [->|Z].
    + pose proof (N.pow_nonzero 2 d). lia.
    + apply N.log2_lt_pow2; [lia|exact H].
Qed.

Lemma number_and_entry {A} (d : A) l i : i < length l -> In (i, nth i l d) (combine (seq 0 (length l)) l).
Proof.
  intros H. replace (i, nth i l d) with (nth i (combine (seq 0 (length l)) l) (0, d)).
  - apply nth_In. rewrite combine_length, seq_length. lia.
  - rewrite combine_nth by (rewrite seq_length; reflexivity). rewrite seq_nth by exact H. reflexivity.
Qed.

(* numbers and other things that exist for each i below d, as a function *)
Lemma finite_choice {A} (a0 : A) (P : nat -> A -> Prop) d : (forall i, i < d -> exists a, P i a) ->
  exists f, forall i, i < d -> P i (f i).
Proof.
  induction d as [|d IH]; intros H.
  - exists (fun _ => a0). intros i Hi. lia.
  - destruct IH as [f F]; [intros i Hi; apply H; lia|]. destruct (H d ltac:(lia)) as [a Pa].
    exists (fun i => if i =? d then a else f i). intros i Hi.
    destruct (Nat.eqb_spec i d) as [->|Ne]; [exact Pa|apply F; lia].
Qed.

Lemma NoDup_map_on {A B} (f : A -> B) l : (forall a b, In a l -> In b l -> f a = f b -> a = b) ->
  NoDup l -> NoDup (map f l).
Proof.
  intros J. induction 1 as [|a l Na D IH]; [constructor|]. cbn [map]. constructor.
  - intros H. apply in_map_iff in H as [b [E Hb]]. apply Na.
    rewrite (J a b (or_introl eq_refl) (or_intror Hb) (eq_sym E)). exact Hb.
  - apply IH. intros b c Hb Hc. apply J; right; assumption.
Qed.

(* ---- what certificates hold ---- *)

Definition binary_label (c : ascii) : option (option N) :=
  match entry_of c with
  | Some (Some b) => Some (Some (if b then 1%N else 0%N))
  | Some None => Some None
  | None => None
  end.
Definition partial_row (width : nat) (j : json) : option label_row :=
  let* l := characters width j in each binary_label l.
Definition partial_class_of (instance : json) : option (nat * list label_row) :=
  let* (_, n, rows) := matrix "partial concept class" "concepts" "points" partial_row instance in Some (n, rows).

(* the number of points, the number of labels, and the rows *)
Definition multiclass_row (width : nat) (bound : N) (j : json) : option label_row :=
  let* l := list_of (place bound) j in given (length l =? width) (Some (map Some l)).
Definition multiclass_of (instance : json) : option (nat * N * list label_row) :=
  match fields ["type"; "name"; "points"; "concepts"; "labels"; "rows"]%string instance with
  | Some [t; Text _; p; c; y; r] =>
      let* width := labels p in
      let* height := labels c in
      let* bound := labels y in
      let* rows := list_of (multiclass_row width (N.of_nat bound)) r in
      given (is_text "multiclass concept class" t && (length rows =? height))
        (Some (width, N.of_nat bound, rows))
  | _ => None
  end.
