(* No set of so many columns is shattered: sets grow by columns that split one cell, which holds the
   rows with one labelling of the columns so far, cut to what may follow.  Of the images under
   symmetries that fix the columns so far one is tried. *)
From Coq Require Import List Arith NArith Lia Bool Permutation Orders Mergesort.
From CCSim Require Import Definitions Tables Sorting Subsets Shattering.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- parts of the rows, as sets of their numbers ---- *)

Definition realised (rows : list N) (T : list nat) (part : N) : Prop := forall labels : nat -> bool,
  exists i, bit part i = true /\ forall x, In x T -> bit (nth i rows 0%N) x = labels x.
Definition nonempty (part : N) : bool := negb (part =? 0)%N.
Definition split_by (c : N) (parts : list N) : list N := flat_map (fun V => [N.land V c; N.ldiff V c]) parts.
Definition splits (c : N) (parts : list N) : bool :=
  forallb (fun V => nonempty (N.land V c) && nonempty (N.ldiff V c)) parts.

Lemma realised_all rows T : takes T rows -> realised rows T (everywhere (length rows)).
Proof.
  intros H labels. destruct (H labels) as [r [Hr M]]. apply (In_nth _ _ 0%N) in Hr as [i [Hi <-]].
  exists i. split; [apply everywhere_bit, Hi|exact M].
Qed.

Lemma realised_split rows x T part : ~ In x T -> realised rows (x :: T) part ->
  realised rows T (N.land part (column rows x)) /\ realised rows T (N.ldiff part (column rows x)).
Proof.
  intros N H.
  assert (forall b labels, exists i, bit part i = true /\ bit (nth i rows 0%N) x = b /\
    forall y, In y T -> bit (nth i rows 0%N) y = labels y) as K.
  { intros b labels. destruct (H (fun y => if y =? x then b else labels y)) as [i [Hi M]].
    exists i. split; [exact Hi|]. split.
    - rewrite (M x (or_introl eq_refl)), Nat.eqb_refl. reflexivity.
    - intros y Hy. rewrite (M y (or_intror Hy)). destruct (Nat.eqb_spec y x) as [->|]; [contradiction|reflexivity]. }
  split; intros labels.
  - destruct (K true labels) as [i [Hi [Hx M]]]. exists i. rewrite bit_land, column_bit, Hi, Hx. auto.
  - destruct (K false labels) as [i [Hi [Hx M]]]. exists i. rewrite bit_ldiff, column_bit, Hi, Hx. auto.
Qed.

Lemma realised_nonempty rows T part : realised rows T part -> nonempty part = true.
Proof.
  intros H. destruct (H (fun _ => true)) as [i [Hi _]]. unfold nonempty.
  destruct (N.eqb_spec part 0) as [->|]; [rewrite bit_0 in Hi; discriminate|reflexivity].
Qed.

(* ---- the search ---- *)

Module ByFixed <: TotalLeBool.
  Definition t := (nat * nat)%type.
  Definition leb (a b : t) := fst a <=? fst b.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. unfold leb. intros a b. rewrite !Nat.leb_le. lia. Qed.
End ByFixed.
Module Fixed := Sort ByFixed.

(* first those that many moves fix *)
Definition ordered (moves : list Subsets.move) (candidates : list nat) : list nat :=
  match moves with
  | [] => candidates
  | _ => map snd (Fixed.sort (map (fun x => (length (filter (fun m => negb (act m x =? x)) moves), x)) candidates))
  end.
Definition drop (set : N) (x : nat) : N := N.ldiff set (N.setbit 0 (N.of_nat x)).

(* of every orbit one column is taken, with others that are left, and then left out with its images *)
Fixpoint one_of_each (n : nat) (moves : list Subsets.move) (refutes : nat -> N -> bool) (order : list nat) (left : N)
  : bool :=
  match order with
  | [] => (left =? 0)%N
  | x :: order' =>
      if bit left x then
        let others := drop left x in
        if refutes x others
        then let images := images_of n moves x in
             if closed moves images then one_of_each n moves refutes order' (fold_left drop images others) else false
        else false
      else one_of_each n moves refutes order' left
  end.

Definition limit (m : nat) (cell : list N) (left : N) : list N * N :=
  let fit := even m cell left in
  match m with
  | O => (cell, fit)
  | S _ => if (fit =? 0)%N then ([], 0%N) else let cell := once cell in (cell, even m cell fit)
  end.

Section Search.
Variable n : nat.
Variable columns : list N.
Definition column_at (x : nat) : N := nth x columns 0%N.

Fixpoint search (labels : list bool) (parts cell : list N) (moves : list Subsets.move) (left : N) : bool :=
  match labels with
  | [] => forallb (fun x => negb (splits (column_at x) parts)) (members n left)
  | label :: labels' =>
      one_of_each n moves (fun x others =>
        let side := filter (fun r => Bool.eqb (bit r x) label) cell in
        let (cell', left') := limit (length labels') (map (N.land others) side) others in
        if (left' =? 0)%N then true else search labels' (split_by (column_at x) parts) cell' (fixing x moves) left')
        (ordered moves (members n left)) left
  end.
End Search.

Lemma bit_drop set x y : bit (drop set x) y = bit set y && negb (x =? y).
Proof.
  unfold drop. rewrite bit_ldiff. f_equal. f_equal. rewrite bit_testbit, N.setbit_eqb, N.bits_0, orb_false_r.
  destruct (Nat.eqb_spec x y) as [->|Ne]; [apply N.eqb_refl|]. apply N.eqb_neq. lia.
Qed.

Lemma bit_drop_all l : forall set y, bit (fold_left drop l set) y = bit set y && negb (member y l).
Proof.
  induction l as [|x l IH]; intros set y; simpl; [rewrite andb_true_r; reflexivity|].
  rewrite IH, bit_drop. unfold member. cbn [existsb]. rewrite (Nat.eqb_sym y x).
  destruct (bit set y), (x =? y); simpl; reflexivity.
Qed.

Lemma takes_cut T cell left : (forall x, In x T -> bit left x = true) -> takes T cell ->
  takes T (map (N.land left) cell).
Proof.
  intros I H labels. destruct (H labels) as [r [Hr M]]. exists (N.land left r). split; [apply in_map, Hr|].
  intros x Hx. rewrite bit_land, I by exact Hx. apply M, Hx.
Qed.

Lemma takes_once T cell : takes T cell -> takes T (once cell).
Proof.
  intros H labels. destruct (H labels) as [r [Hr M]]. exists r. split; [apply once_in, Hr|exact M].
Qed.

Lemma limit_among m cell left cell' left' : limit m cell left = (cell', left') ->
  forall x, bit left' x = true -> bit left x = true.
Proof.
  unfold limit. intros H x Hx. destruct m as [|m].
  - injection H as <- <-. eapply even_among, Hx.
  - destruct (_ =? 0)%N; injection H as <- <-; [rewrite bit_0 in Hx; discriminate|].
    eapply even_among, even_among, Hx.
Qed.

Lemma limit_keeps m cell left cell' left' T : limit m cell left = (cell', left') -> NoDup T -> length T = S m ->
  (forall x, In x T -> bit left x = true) -> takes T cell ->
  takes T cell' /\ forall x, In x T -> bit left' x = true.
Proof.
  unfold limit. intros H D L I K.
  assert (forall x, In x T -> bit (even m cell left) x = true) as E.
  { intros x Hx. eapply even_keeps; eauto. }
  destruct m as [|m]; [injection H as <- <-; auto|].
  destruct (N.eqb_spec (even (S m) cell left) 0) as [Z|_].
  - exfalso. destruct T as [|x T]; [discriminate|]. specialize (E x (or_introl eq_refl)).
    rewrite Z, bit_0 in E. discriminate.
  - injection H as <- <-. pose proof (takes_once _ _ K) as O. split; [exact O|].
    intros x Hx. eapply even_keeps; eauto.
Qed.

Lemma ordered_in moves l x : In x (ordered moves l) <-> In x l.
Proof.
  unfold ordered. destruct moves as [|m moves]; [tauto|]. set (g := fun x : nat => (_, x)).
  pose proof (Fixed.Permuted_sort (map g l)) as P. rewrite in_map_iff. split.
  - intros [p [E Hp]]. apply (Permutation_in _ (Permutation_sym P)) in Hp.
    apply in_map_iff in Hp as [y [<- Hy]]. subst x. exact Hy.
  - intros Hx. exists (g x). split; [reflexivity|]. apply (Permutation_in _ P), in_map, Hx.
Qed.

(* what a search keeps true: A holds what has not been left out yet, P is known of the sets that go on *)
Record kept (rows : list N) (k : nat) (chosen A : list nat) (P : list nat -> Prop) (left : N) : Prop := {
  inside : forall x, bit left x = true -> In x A;
  follow : forall T, NoDup T -> length T = S k -> (forall x, In x T -> In x A) -> takes (chosen ++ T) rows ->
    (forall x, In x T -> bit left x = true) /\ P T }.

Lemma kept_rest rows k chosen A P left images : kept rows k chosen A P left ->
  kept rows k chosen (without A images) P (fold_left drop images left).
Proof.
  intros [I F]. split.
  - intros x Hx. rewrite bit_drop_all in Hx. apply andb_prop in Hx as [Hx M]. apply without_spec. split; [auto|].
    intros H. apply member_spec in H. rewrite H in M. discriminate.
  - intros T D L S B. destruct (F T D L) as [Q R].
    { intros x Hx. specialize (S x Hx). apply without_spec in S. tauto. }
    { exact B. }
    split; [|exact R]. intros x Hx. rewrite bit_drop_all, Q by exact Hx.
    specialize (S x Hx). apply without_spec in S as [_ S].
    destruct (member x images) eqn:E; [apply member_spec in E; contradiction|reflexivity].
Qed.

Lemma one_of_each_sound n rows k chosen moves P refutes :
  (forall x A others, x < n -> fit n (fun T => takes T rows) (x :: chosen) (fixing x moves) A ->
    kept rows k (x :: chosen) A (fun T => ~ In x T /\ P (x :: T)) others -> refutes x others = true ->
    refuted (fun T => takes T rows) (S k) (x :: chosen) A) ->
  forall order A left, fit n (fun T => takes T rows) chosen moves A -> kept rows (S k) chosen A P left ->
  (forall x, bit left x = true -> In x order) -> one_of_each n moves refutes order left = true ->
  refuted (fun T => takes T rows) (S (S k)) chosen A.
Proof.
  intros Sound. induction order as [|x order IH]; intros A left Ft Kp O H.
  - intros T D L S B. destruct (follow _ _ _ _ _ _ Kp T D L S B) as [Q _].
    destruct T as [|t T]; [discriminate|]. apply (O t), Q. left. reflexivity.
  - cbn [one_of_each] in H. destruct (bit left x) eqn:Ex.
    + pose proof (inside _ _ _ _ _ _ Kp x Ex) as Ax.
      assert (x < n) as Hx by (apply (below _ _ _ _ _ Ft), in_or_app; auto).
      cbv zeta in H. destruct (refutes x _) eqn:Es; [|discriminate].
      destruct (closed moves (images_of n moves x)) eqn:Ec; [|discriminate].
      apply (refuted_cases n _ (takes_same rows) _ _ _ _ _ Ft Ax).
      * refine (Sound x _ _ Hx (fit_child _ _ _ _ _ _ Ft Ax) _ Es). split.
        -- intros y Hy. rewrite bit_drop in Hy. apply andb_prop in Hy as [Hy Ne]. apply without_spec.
           split; [eapply inside; eauto|]. intros [->|[]]. rewrite Nat.eqb_refl in Ne. discriminate.
        -- intros T D L S B. assert (~ In x T) as Nx.
           { intros Hi. apply S, without_spec in Hi as [_ Hi]. apply Hi. left. reflexivity. }
           destruct (follow _ _ _ _ _ _ Kp (x :: T)) as [Q R].
           ++ constructor; assumption.
           ++ simpl. rewrite L. reflexivity.
           ++ intros y [<-|Hy]; [exact Ax|]. apply S, without_spec in Hy as [Hy _]. exact Hy.
           ++ eapply takes_same; [|exact B]. intros y. simpl. rewrite !in_app_iff. simpl. tauto.
           ++ split; [|auto]. intros y Hy. rewrite bit_drop, Q by (right; exact Hy).
              destruct (Nat.eqb_spec x y) as [->|]; [contradiction|reflexivity].
      * refine (IH _ _ (fit_rest _ _ _ _ _ _ Ft Ax Ec) _ _ H).
        -- destruct (kept_rest _ _ _ _ _ _ (images_of n moves x) Kp) as [I F]. split.
           ++ intros y Hy. apply I. rewrite bit_drop_all in *. rewrite bit_drop in Hy.
              destruct (bit left y), (x =? y); simpl in *; congruence.
           ++ intros T D L S B. destruct (F T D L S B) as [Q R]. split; [|exact R].
              intros y Hy. specialize (Q y Hy). rewrite bit_drop_all in *. rewrite bit_drop.
              apply andb_prop in Q as [Q M]. rewrite Q, M. destruct (Nat.eqb_spec x y) as [->|]; [|reflexivity].
              apply negb_true_iff in M. pose proof (proj2 (member_spec y _) (images_of_self n moves y)). congruence.
        -- intros y Hy. rewrite bit_drop_all, bit_drop in Hy.
           apply andb_prop in Hy as [Hy _]. apply andb_prop in Hy as [Hy Ne].
           destruct (O y Hy) as [<-|Ho]; [rewrite Nat.eqb_refl in Ne; discriminate|exact Ho].
    + refine (IH _ _ Ft Kp _ H). intros y Hy. destruct (O y Hy) as [<-|Ho]; [congruence|exact Ho].
Qed.

Definition in_cells rows (parts cell : list N) (T : list nat) : Prop :=
  takes T cell /\ forall V, In V parts -> realised rows T V.

Lemma realised_parts n rows x T parts V : x < n -> ~ In x T -> (forall V, In V parts -> realised rows (x :: T) V) ->
  In V (split_by (column_at (columns_of n rows) x) parts) -> realised rows T V.
Proof.
  intros Hx Nx R HV. apply in_flat_map in HV as [V0 [HV0 HV]]. unfold column_at in HV.
  rewrite columns_of_nth in HV by exact Hx. destruct (realised_split _ _ _ _ Nx (R V0 HV0)) as [R1 R0].
  destruct HV as [<-|[<-|[]]]; assumption.
Qed.

Theorem search_sound n rows : forall labels chosen A parts cell moves left,
  fit n (fun T => takes T rows) chosen moves A -> kept rows (length labels) chosen A (in_cells rows parts cell) left ->
  search n (columns_of n rows) labels parts cell moves left = true ->
  refuted (fun T => takes T rows) (S (length labels)) chosen A.
Proof.
  induction labels as [|label labels IH]; intros chosen A parts cell moves left Ft Kp H.
  - cbn [search] in H. intros T D L S B. destruct (follow _ _ _ _ _ _ Kp T D L S B) as [Q [_ R]].
    destruct T as [|x [|]]; try discriminate. rewrite forallb_forall in H.
    assert (x < n) as Hx. { apply (below _ _ _ _ _ Ft). apply in_or_app. right. apply S. left. reflexivity. }
    specialize (H x). rewrite members_in in H. specialize (H (conj Hx (Q x (or_introl eq_refl)))).
    apply negb_true_iff in H. cut (splits (column_at (columns_of n rows) x) parts = true); [congruence|].
    apply forallb_forall. intros V HV. unfold column_at. rewrite columns_of_nth by exact Hx.
    destruct (realised_split _ _ _ _ (in_nil (a := x)) (R V HV)) as [R1 R0].
    rewrite (realised_nonempty _ _ _ R1), (realised_nonempty _ _ _ R0). reflexivity.
  - refine (one_of_each_sound _ _ _ _ _ _ _ _ _ _ _ Ft Kp _ H).
    + clear A left Ft Kp H. intros x A others Hx Ft Kp H. cbv zeta in H.
      destruct (limit _ _ others) as [cell' left'] eqn:El.
      assert (forall T, NoDup T -> length T = S (length labels) -> (forall y, In y T -> In y A) ->
        takes ((x :: chosen) ++ T) rows ->
        (forall y, In y T -> bit left' y = true) /\
        in_cells rows (split_by (column_at (columns_of n rows) x) parts) cell' T) as W.
      { intros T D L S B. destruct (follow _ _ _ _ _ _ Kp T D L S B) as [Q [Nx [C R]]].
        destruct (limit_keeps _ _ _ _ _ T El D L Q) as [C' Q'].
        - apply takes_cut; [exact Q|]. apply takes_side; assumption.
        - split; [exact Q'|]. split; [exact C'|]. intros V. apply realised_parts; assumption. }
      destruct (N.eqb_spec left' 0) as [Z|_].
      * intros T D L S B. destruct (W T D L S B) as [Q _]. destruct T as [|t T]; [discriminate|].
        specialize (Q t (or_introl eq_refl)). rewrite Z, bit_0 in Q. discriminate.
      * refine (IH _ _ _ _ _ _ Ft _ H). split; [|exact W].
        intros y Hy. apply (limit_among _ _ _ _ _ El) in Hy. apply (inside _ _ _ _ _ _ Kp y Hy).
    + intros x Hx. apply ordered_in, members_in. split; [|exact Hx].
      apply (below _ _ _ _ _ Ft), in_or_app. right. eapply inside; eauto.
Qed.

(* ---- symmetries of a table, whose rows may be equal ---- *)

Fixpoint index_of (y : nat) (l : list nat) : nat :=
  match l with [] => 0 | x :: l' => if x =? y then 0 else S (index_of y l') end.
Definition move_of (n : nat) (s : symmetry) : Subsets.move :=
  let images := map fst (moves s) in
  {| Subsets.images := images; Subsets.origins := map (fun y => index_of y images) (seq 0 n) |}.
Definition check_move (n : nat) (rows : list N) (known : numbered N) (s : symmetry) : bool :=
  check_symmetry n rows known s && all_apart (row_images s) && is_move n (move_of n s).

Lemma check_images_each known moves : forall rows images, check_images known moves rows images = true ->
  length images = length rows /\
  forall i, In i images -> exists r, entry known i = Some r /\ In (pull_row r moves) rows.
Proof.
  induction rows as [|r rows IH]; intros [|i images] H; cbn [check_images] in H; try discriminate.
  - split; [reflexivity|intros _ []].
  - destruct (entry known i) as [r'|] eqn:E; [|discriminate].
    destruct (N.eqb_spec (pull_row r' moves) r) as [<-|]; [|discriminate]. apply IH in H as [L H].
    split; [simpl; lia|]. intros j [<-|Hj].
    + exists r'. split; [exact E|left; reflexivity].
    + destruct (H j Hj) as [q [Eq Hq]]. exists q. split; [exact Eq|right; exact Hq].
Qed.

Lemma check_move_rows n rows s : check_move n rows (number_all rows) s = true ->
  forall r, In r rows -> In (pull_row r (moves s)) rows.
Proof.
  unfold check_move, check_symmetry. intros H r Hr. apply andb_prop in H as [H _]. apply andb_prop in H as [H D].
  apply andb_prop in H as [_ H]. apply check_images_each in H as [L H]. apply all_apart_spec in D.
  apply In_nth_error in Hr as [i Hi].
  assert (i < length rows) as Bi by (apply nth_error_Some; congruence).
  assert (In (N.of_nat i) (row_images s)) as Im.
  { assert (NoDup (map N.to_nat (row_images s))) as Dn.
    { clear - D. induction D as [|a l Na D IH]; simpl; constructor; [|exact IH].
      intros Ha. apply in_map_iff in Ha as [b [E Hb]]. apply N2Nat.inj in E. subst. contradiction. }
    apply (NoDup_length_incl (l' := seq 0 (length rows))) in Dn.
    - assert (In i (seq 0 (length rows))) as I by (apply in_seq; lia).
      apply Dn in I. apply in_map_iff in I as [j [<- Hj]]. rewrite N2Nat.id. exact Hj.
    - rewrite map_length, seq_length. lia.
    - intros j Hj. apply in_map_iff in Hj as [a [<- Ha]]. apply H in Ha as [q [Eq _]].
      apply entry_spec in Eq. apply in_seq. split; [lia|]. apply nth_error_Some. congruence. }
  apply H in Im as [q [Eq Hq]]. apply entry_spec in Eq. rewrite Nat2N.id in Eq. congruence.
Qed.

Lemma symmetric_takes n rows s : check_move n rows (number_all rows) s = true ->
  symmetric n (fun T => takes T rows) (move_of n s).
Proof.
  intros C. pose proof (check_move_rows _ _ _ C) as R. unfold check_move in C.
  apply andb_prop in C as [C M]. apply andb_prop in C as [C _]. unfold check_symmetry in C.
  do 3 apply andb_prop in C as [C _]. apply Nat.eqb_eq in C.
  split; [exact M|]. intros T B H labels.
  assert (forall x, x < n -> act (move_of n s) x = fst (nth x (moves s) (0, false))) as A.
  { intros x Hx. unfold act, move_of. cbn. rewrite <- (map_nth fst). cbn.
    apply nth_indep. rewrite map_length, C. exact Hx. }
  destruct (H (fun y => xorb (labels (undo (move_of n s) y))
                             (snd (nth (undo (move_of n s) y) (moves s) (0, false))))) as [r [Hr E]].
  exists (pull_row r (moves s)). split; [apply R, Hr|].
  intros x Hx. specialize (B x Hx). rewrite pull_row_spec by lia. rewrite <- A by exact B.
  rewrite (E _ (in_map _ _ _ Hx)). rewrite (proj1 (proj2 (proj2 (is_move_spec n _ M x B)))).
  rewrite xorb_assoc, xorb_nilpotent, xorb_false_r. reflexivity.
Qed.

Lemma fit_all n rows S : (forall s, In s S -> check_move n rows (number_all rows) s = true) ->
  fit n (fun T => takes T rows) [] (map (move_of n) S) (seq 0 n).
Proof.
  intros CS. constructor.
  - apply Forall_forall. intros m Hm. apply in_map_iff in Hm as [s [<- Hs]]. apply symmetric_takes, CS, Hs.
  - intros m c _ [].
  - intros m c Hm Hc. apply in_map_iff in Hm as [s [<- Hs]].
    specialize (CS s Hs). apply andb_prop in CS as [_ C2]. apply in_seq in Hc. apply in_seq.
    destruct (is_move_spec n _ C2 c ltac:(lia)) as [K _]. lia.
  - apply seq_NoDup.
  - intros c Hc. apply in_seq in Hc. lia.
  - constructor.
  - intros c [].
Qed.
Lemma everywhere_in n x : bit (everywhere n) x = true -> In x (seq 0 n).
Proof.
  intros H. apply in_seq. split; [lia|]. unfold everywhere in H. rewrite bit_number_of in H.
  destruct (le_lt_dec n x); [|lia]. rewrite nth_overflow in H; [discriminate|]. rewrite repeat_length. assumption.
Qed.

(* ---- no set of a size is shattered: there are too few rows, or sets do not grow so far ---- *)

Definition check_extension (n : nat) (rows : list N) (wanted : N) (labels : list bool) (S : list symmetry) : bool :=
  let known := number_all rows in
  let cell := once rows in
  forallb (check_move n rows known) S
  && ((size cell =? 0)%N || (N.log2 (size cell) <? wanted)%N
      || (wanted =? N.of_nat (1 + length labels))%N
         && let (cell, left) := limit (length labels) cell (everywhere n) in
            search n (columns_of n rows) labels [everywhere (length rows)] cell (map (move_of n) S) left).

Theorem check_extension_sound n rows wanted labels S : check_extension n rows wanted labels S = true ->
  forall d, class_shattered n rows d -> (N.of_nat d < wanted)%N.
Proof.
  unfold check_extension. intros C d Sh. apply andb_prop in C as [CS C]. rewrite forallb_forall in CS.
  destruct (N.lt_ge_cases (N.of_nat d) wanted) as [|G]; [assumption|exfalso].
  destruct (shattered_takes n rows (N.to_nat wanted) d ltac:(lia) Sh) as [T [DT [LT [BT TT]]]].
  apply orb_prop in C as [C|C].
  - pose proof (takes_size _ _ DT (takes_once _ _ TT)) as Z. rewrite LT, N2Nat.id in Z.
    destruct (N.eqb_spec (size (once rows)) 0) as [E|Ne].
    + pose proof (N.pow_nonzero 2 wanted ltac:(lia)). lia.
    + apply N.ltb_lt, N.log2_lt_pow2 in C; lia.
  - apply andb_prop in C as [E C]. apply N.eqb_eq in E. subst wanted. rewrite Nat2N.id in LT. cbn [plus] in LT.
    destruct (limit (length labels) (once rows) (everywhere n)) as [cell left] eqn:El.
    refine (search_sound n rows labels [] _ _ _ _ _ (fit_all _ _ _ CS) _ C T DT LT _ TT).
    + split.
      * intros x Hx. apply everywhere_in, (limit_among _ _ _ _ _ El), Hx.
      * intros U D L I B. simpl in B. destruct (limit_keeps _ _ _ _ _ U El D L) as [K Q].
        -- intros x Hx. apply everywhere_bit. apply I, in_seq in Hx. lia.
        -- apply takes_once, B.
        -- split; [exact Q|]. split; [exact K|]. intros V [<-|[]]. apply realised_all, B.
    + intros x Hx. apply in_seq. specialize (BT x Hx). lia.
Qed.
