(* The threshold dimension of partial classes: a chain from below; from above all sequences of rows, or of
   columns, whose tails are nonempty are tried. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate Tables Sorting Littlestone Labels.
Import ListNotations.
Local Open Scope nat_scope.

Definition threshold_label (i j : nat) : N := if i <=? j then 1%N else 0%N.

(* ---- from below ---- *)

Definition check_chain (n : nat) (concepts : list label_row) (points : list nat) : bool :=
  (length concepts =? length points) && forallb (fun x => x <? n) points &&
  forallb (fun c => forallb (fun p => is_label (nth (snd p) (snd c) None) (threshold_label (fst c) (fst p)))
                            (combine (seq 0 (length points)) points))
          (combine (seq 0 (length concepts)) concepts).

Theorem check_chain_sound n rows concepts points : rows <> [] -> (forall r, In r concepts -> In r rows) ->
  check_chain n concepts points = true -> partial_thresholds n (label_table rows) (length points).
Proof.
  unfold check_chain. intros NE I H. apply andb_prop in H as [H C]. apply andb_prop in H as [L B].
  apply Nat.eqb_eq in L. rewrite forallb_forall in B, C. split.
  - destruct rows as [|r rows]; [contradiction|]. exists (fun x => nth x r None), r. split; [left|]; reflexivity.
  - exists (fun i x => nth x (nth i concepts []) None), (fun j => nth j points 0). split.
    + intros i Hi. split; [|apply Nat.ltb_lt, B, nth_In, Hi].
      exists (nth i concepts []). split; [apply I, nth_In; lia|reflexivity].
    + intros i j Hi Hj. specialize (C _ (number_and_entry [] concepts i ltac:(lia))). rewrite forallb_forall in C.
      specialize (C _ (number_and_entry 0 points j Hj)). apply is_label_spec in C. exact C.
Qed.

(* ---- from above ---- *)

Notation line := (N * N)%type.                            (* the positions with label 0, and those with label 1 *)
Definition line_of (r : label_row) : line :=
  (number_of (map (fun v => is_label v 0) r), number_of (map (fun v => is_label v 1) r)).
Definition meets (a b : N) : bool := negb (N.land a b =? 0)%N.

(* the tail of a line: positions with label 0 on all earlier lines, 1 on this one and on all later ones *)
Fixpoint chain_free (more : nat) (tails : list N) (zeros : N) (left : list line) : bool :=
  match more with
  | O => false
  | S more' =>
      let fit := filter (fun l => meets zeros (snd l) && forallb (fun t => meets t (snd l)) tails) left in
      if length fit <=? more' then true else
      forallb (fun l =>
        let zeros' := N.land zeros (fst l) in
        if (count_ones zeros' <? N.of_nat more')%N then true
        else chain_free more' (map (N.land (snd l)) tails ++ [N.land zeros (snd l)]) zeros' fit) fit
  end.

Fixpoint chained (zeros : N) (L : list line) : Prop :=
  match L with
  | [] => True
  | l :: L' => (exists p, bit zeros p = true /\ bit (snd l) p = true /\ forall m, In m L' -> bit (snd m) p = true) /\
               chained (N.land zeros (fst l)) L'
  end.
Definition separate (l : line) : Prop := forall p, bit (fst l) p = true -> bit (snd l) p = true -> False.

Lemma meets_at a b p : bit a p = true -> bit b p = true -> meets a b = true.
Proof.
  intros A B. unfold meets. apply negb_true_iff, N.eqb_neq. intros E.
  assert (bit (N.land a b) p = true) as K by (rewrite land_bit, A, B; reflexivity).
  rewrite E in K. destruct p; discriminate.
Qed.
Lemma chained_count : forall L zeros, (forall l, In l L -> separate l) -> chained zeros L ->
  (N.of_nat (length L) <= count_ones zeros)%N.
Proof.
  induction L as [|l L IH]; intros zeros S H; [cbn; lia|]. destruct H as [[p [Z [P _]]] H].
  apply IH in H; [|intros m Hm; apply S; right; exact Hm].
  assert (1 <= count_ones (N.land zeros (snd l)))%N as O.
  { apply (count_ones_positive _ p). rewrite land_bit, Z, P. reflexivity. }
  pose proof (count_ones_disjoint (N.land zeros (fst l)) (N.land zeros (snd l)) zeros) as D.
  cbn [length]. cut (count_ones (N.land zeros (fst l)) + count_ones (N.land zeros (snd l)) <= count_ones zeros)%N; [lia|].
  apply D; intros q; rewrite !land_bit, ?andb_true_iff; [tauto..|]. intros [_ A] [_ B].
  exact (S l (or_introl eq_refl) q A B).
Qed.
Lemma chained_within : forall L zeros m, chained zeros L -> In m L -> exists p, bit zeros p = true /\ bit (snd m) p = true.
Proof.
  induction L as [|l L IH]; intros zeros m H Hm; [destruct Hm|]. destruct H as [[p [Z [P _]]] H].
  destruct Hm as [<-|Hm]; [eauto|]. destruct (IH _ _ H Hm) as [q [A B]]. rewrite land_bit in A.
  apply andb_prop in A as [A _]. eauto.
Qed.
Lemma chained_distinct : forall L zeros, (forall l, In l L -> separate l) -> chained zeros L -> NoDup L.
Proof.
  induction L as [|l L IH]; intros zeros S H; constructor.
  - intros Hl. destruct H as [_ H]. destruct (chained_within _ _ _ H Hl) as [p [A B]]. rewrite land_bit in A.
    apply andb_prop in A as [_ A]. exact (S l (or_introl eq_refl) p A B).
  - destruct H as [_ H]. apply (IH (N.land zeros (fst l))); [|exact H]. intros m Hm. apply S. right. exact Hm.
Qed.

Theorem chain_free_sound : forall more tails zeros left, chain_free more tails zeros left = true ->
  forall L, length L = more -> incl L left -> (forall l, In l L -> separate l) -> chained zeros L ->
  (forall t, In t tails -> exists p, bit t p = true /\ forall l, In l L -> bit (snd l) p = true) -> False.
Proof.
  induction more as [|more IH]; intros tails zeros left H L E I S C T; cbn [chain_free] in H; [discriminate|].
  cbv zeta in H.
  set (fit := filter _ left) in H. assert (incl L fit) as J.
  { intros m Hm. apply filter_In. split; [apply I, Hm|]. apply andb_true_intro. split.
    - destruct (chained_within _ _ _ C Hm) as [p [A B]]. apply (meets_at _ _ p A B).
    - apply forallb_forall. intros t Ht. destruct (T t Ht) as [p [A B]]. apply (meets_at _ _ p A), B, Hm. }
  destruct (Nat.leb_spec (length fit) more) as [Few|_].
  { pose proof (NoDup_incl_length (chained_distinct _ _ S C) J). lia. }
  destruct L as [|l L]; [discriminate|]. injection E as E. rewrite forallb_forall in H.
  specialize (H l (J l (or_introl eq_refl))). destruct C as [[p [Z [P A]]] C].
  assert (forall m, In m L -> separate m) as S' by (intros m Hm; apply S; right; exact Hm).
  pose proof (chained_count _ _ S' C) as Count.
  destruct (N.ltb_spec (count_ones (N.land zeros (fst l))) (N.of_nat more)) as [|_]; [lia|].
  apply (IH _ _ _ H L E); [intros m Hm; apply J; right; exact Hm|exact S'|exact C|].
  intros t Ht. apply in_app_or in Ht as [Ht|[<-|[]]].
  - apply in_map_iff in Ht as [u [<- Hu]]. destruct (T u Hu) as [q [Q W]]. exists q.
    rewrite land_bit, Q, (W l (or_introl eq_refl)). split; [reflexivity|]. intros m Hm. apply W. right. exact Hm.
  - exists p. rewrite land_bit, Z, P. split; [reflexivity|exact A].
Qed.

Definition check_lines (wanted : N) (height : nat) (lines : list line) : bool :=
  if (N.of_nat (length lines) <? wanted)%N then true
  else chain_free (N.to_nat wanted) [] (everywhere height) lines.

(* line number j, and position number i, which has label 0 on the lines before number i alone *)
Lemma check_lines_sound wanted height lines line_at pos : check_lines wanted height lines = true ->
  (forall j, j < N.to_nat wanted -> In (line_at j) lines /\ separate (line_at j) /\ pos j < height) ->
  (forall i j, i < N.to_nat wanted -> j < N.to_nat wanted ->
    bit (if i <=? j then snd (line_at j) else fst (line_at j)) (pos i) = true) -> False.
Proof.
  intros H M B. set (k := N.to_nat wanted) in *.
  assert (forall m s zeros, s + m = k -> (forall i, s <= i -> i < k -> bit zeros (pos i) = true) ->
    chained zeros (map line_at (seq s m))) as C.
  { induction m as [|m IH]; intros s zeros E Z; [exact I|]. cbn [seq map chained]. split.
    - exists (pos s). split; [apply Z; lia|]. split.
      + pose proof (B s s ltac:(lia) ltac:(lia)) as Q. rewrite Nat.leb_refl in Q. exact Q.
      + intros l Hl. apply in_map_iff in Hl as [j [<- Hj]]. apply in_seq in Hj.
        pose proof (B s j ltac:(lia) ltac:(lia)) as Q. destruct (Nat.leb_spec s j); [exact Q|lia].
    - apply IH; [lia|]. intros i Li Hi. rewrite land_bit, Z by lia.
      pose proof (B i s ltac:(lia) ltac:(lia)) as Q. destruct (Nat.leb_spec i s); [lia|]. rewrite Q. reflexivity. }
  assert (chained (everywhere height) (map line_at (seq 0 k))) as Ch.
  { apply C; [lia|]. intros i _ Hi. apply everywhere_bit, M, Hi. }
  assert (forall l, In l (map line_at (seq 0 k)) -> In l lines /\ separate l) as Q.
  { intros l Hl. apply in_map_iff in Hl as [j [<- Hj]]. apply in_seq in Hj. destruct (M j ltac:(lia)); tauto. }
  assert (length (map line_at (seq 0 k)) = k) as Lk by (rewrite map_length, seq_length; reflexivity).
  unfold check_lines in H. destruct (N.ltb_spec (N.of_nat (length lines)) wanted) as [Few|_].
  - assert (NoDup (map line_at (seq 0 k))) as D by (apply (chained_distinct _ _ (fun l Hl => proj2 (Q l Hl)) Ch)).
    pose proof (NoDup_incl_length D (fun l Hl => proj1 (Q l Hl))). lia.
  - apply (chain_free_sound _ _ _ _ H (map line_at (seq 0 k)) Lk (fun l Hl => proj1 (Q l Hl))
      (fun l Hl => proj2 (Q l Hl)) Ch). intros t [].
Qed.

Lemma line_bits r p : (bit (fst (line_of r)) p = true <-> nth p r None = Some 0%N) /\
  (bit (snd (line_of r)) p = true <-> nth p r None = Some 1%N).
Proof.
  unfold line_of. cbn [fst snd]. rewrite !number_of_bit, <- !is_label_spec.
  rewrite <- (map_nth (fun v => is_label v 0) r None p), <- (map_nth (fun v => is_label v 1) r None p). tauto.
Qed.
Lemma line_separate r : separate (line_of r).
Proof. intros p A B. apply line_bits in A. apply line_bits in B. congruence. Qed.
Lemma line_at_label r p (c : bool) : nth p r None = Some (if c then 1%N else 0%N) ->
  bit (if c then snd (line_of r) else fst (line_of r)) p = true.
Proof. intros H. destruct c; apply line_bits, H. Qed.

Definition check_no_chain (n : nat) (rows : list label_row) (wanted : N) : bool :=
  if n <? length rows
  then check_lines wanted (length rows) (map line_of (columns_by_labels n rows))
  else check_lines wanted n (map line_of rows).

Theorem check_no_chain_sound n rows wanted : check_no_chain n rows wanted = true ->
  dimension_at_most (partial_thresholds n (label_table rows)) (Z.of_N wanted - 1).
Proof.
  intros H. split; [lia|]. intros d [_ [concept_at [point [M L]]]].
  destruct (Z.le_gt_cases (Z.of_nat d) (Z.of_N wanted - 1)) as [|G]; [assumption|exfalso].
  set (k := N.to_nat wanted) in *. assert (k <= d) as Lk by lia.
  destruct (finite_choice 0 (fun i j => j < length rows /\ forall x, concept_at i x = nth x (nth j rows []) None) d)
    as [row_at R].
  { intros i Hi. destruct (M i Hi) as [[r [Hr E]] _]. apply (In_nth _ _ []) in Hr as [j [Hj <-]]. eauto. }
  unfold check_no_chain in H. destruct (n <? length rows).
  - refine (check_lines_sound wanted (length rows) _ (fun j => line_of (map (fun r => nth (point j) r None) rows))
      row_at H _ _).
    + intros j Hj. fold k in Hj. destruct (M j ltac:(lia)) as [_ B]. destruct (R j ltac:(lia)) as [Rj _].
      split; [|split; [apply line_separate|exact Rj]]. rewrite columns_by_labels_dual. apply in_map. unfold label_dual.
      apply (in_map (fun x => map (fun r => nth x r None) rows)), in_seq. lia.
    + intros i j Hi Hj. fold k in Hi, Hj. apply line_at_label. rewrite nth_of_column.
      destruct (R i ltac:(lia)) as [_ E]. rewrite <- E. apply L; lia.
  - refine (check_lines_sound wanted n _ (fun j => line_of (nth (row_at (k - 1 - j)) rows []))
      (fun i => point (k - 1 - i)) H _ _).
    + intros j Hj. fold k in Hj. destruct (R (k - 1 - j) ltac:(lia)) as [Rj _].
      split; [apply in_map, nth_In, Rj|]. split; [apply line_separate|]. apply M. lia.
    + intros i j Hi Hj. fold k in Hi, Hj. apply line_at_label.
      destruct (R (k - 1 - j) ltac:(lia)) as [_ E]. rewrite <- E, L by lia.
      destruct (Nat.leb_spec (k - 1 - j) (k - 1 - i)), (Nat.leb_spec i j); try lia; reflexivity.
Qed.

(* ---- certificates ---- *)

Definition lower_chain (n : nat) (rows : list label_row) (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "trivial" then is_trivial v data
  else String.eqb name "chain" &&
    match fields ["concepts"; "points"]%string data with
    | Some [c; p] =>
        match list_of (place (size rows)) c, list_of (index n) p with
        | Some c, Some points =>
            match rows_at rows c, rows with
            | Some concepts, _ :: _ => (v =? Z.of_nat (length points))%Z && check_chain n concepts points
            | _, _ => false
            end
        | _, _ => false
        end
    | _ => false
    end.
Definition upper_chain (n : nat) (rows : list label_row) (v : Z) (name : string) (data : json) : bool :=
  String.eqb name "extension" &&
  match fields ["size"%string] data with
  | Some [s] => match natural s with
                | Some wanted => (v =? Z.of_N wanted - 1)%Z && check_no_chain n rows wanted
                | None => false
                end
  | _ => false
  end.

Definition partial_threshold_dimension : kind.
Proof.
  refine {|
    title := "partial_threshold_dimension"; parameters := [];
    question := nat * list label_row;
    ask instance _ := partial_class_of instance; number := at_least_integer (-1);
    lower q := lower_chain (fst q) (snd q);
    upper q := upper_chain (fst q) (snd q);
    lower_means q v := dimension_at_least (partial_thresholds (fst q) (label_table (snd q))) v;
    upper_means q v := dimension_at_most (partial_thresholds (fst q) (label_table (snd q))) v
  |}.
  - intros [n rows] v name data H. cbn [fst snd] in *. unfold lower_chain in H.
    destruct (String.eqb name "trivial"); [eapply is_trivial_sound, H|]. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|c [|p [|]]]|]; try discriminate.
    destruct (list_of _ c) as [is|]; [|discriminate]. destruct (list_of _ p) as [points|]; [|discriminate].
    destruct (rows_at rows is) as [concepts|] eqn:E; [|discriminate].
    destruct rows as [|r rows]; [discriminate|]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. intros _. rewrite Nat2Z.id.
    eapply check_chain_sound; [discriminate|eapply rows_at_in, E|exact H].
  - intros [n rows] v name data H. cbn [fst snd] in *. unfold upper_chain in H.
    apply andb_prop in H as [_ H]. destruct (fields _ data) as [[|s [|]]|]; try discriminate.
    destruct (natural s) as [wanted|]; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. apply check_no_chain_sound, H.
Defined.
