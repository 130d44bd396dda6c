(* The star number of partial classes: a star from below; from above all columns with the labels of a centre
   are tried, or the rows are counted. *)
From Coq Require Import String List Arith PArith NArith ZArith Lia Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Json Certificate Tables Sorting Littlestone Stars Labels PartialThresholds.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- from below ---- *)

(* both are defined, and their labels differ or not *)
Definition compared (v w : option N) (differ : bool) : bool :=
  match v, w with Some y, Some z => Bool.eqb (negb (y =? z)%N) differ | _, _ => false end.
Definition check_partial_star (n : nat) (centre : label_row) (near : list label_row) (points : list nat) : bool :=
  (length near =? length points) && forallb (fun x => x <? n) points &&
  forallb (fun r => forallb (fun p => compared (nth (snd p) (snd r) None) (nth (snd p) centre None) (fst r =? fst p))
                            (combine (seq 0 (length points)) points))
          (combine (seq 0 (length near)) near) &&
  forallb (fun x => match nth x centre None with Some _ => true | None => false end) points.

Theorem check_partial_star_sound n rows centre near points : In centre rows -> (forall r, In r near -> In r rows) ->
  check_partial_star n centre near points = true -> partial_star n (label_table rows) (length points).
Proof.
  unfold check_partial_star. intros Hc I H. apply andb_prop in H as [H Def]. apply andb_prop in H as [H C].
  apply andb_prop in H as [L B]. apply Nat.eqb_eq in L. rewrite forallb_forall in B, C, Def.
  assert (forall r, In r rows -> label_table rows (fun x => nth x r None)) as R by (intros r Hr; exists r; auto).
  exists (fun x => nth x centre None), (fun j => nth j points 0), (fun i x => nth x (nth i near []) None).
  split; [apply R, Hc|]. split.
  - intros i Hi. pose proof (nth_In points 0 Hi) as P. split; [apply Nat.ltb_lt, B, P|].
    split; [|apply (R (nth i near [])), I, nth_In; lia]. specialize (Def _ P). intros E. cbv beta in Def. rewrite E in Def. discriminate.
  - intros i j Hi Hj. specialize (C _ (number_and_entry [] near i ltac:(lia))). rewrite forallb_forall in C.
    specialize (C _ (number_and_entry 0 points j Hj)). unfold compared in C. cbn [fst snd] in C.
    destruct (nth (nth j points 0) (nth i near []) None) as [y|]; [|discriminate].
    destruct (nth (nth j points 0) centre None) as [z|]; [|discriminate].
    apply eqb_prop in C. split; [discriminate|].
    destruct (N.eqb_spec y z) as [->|Ne], (Nat.eqb_spec i j) as [->|Nij]; try discriminate; split; congruence.
Qed.

(* ---- from above: rows are counted ---- *)

Theorem partial_rows_sound n rows : dimension_at_most (partial_star n (label_table rows)) (Z.of_nat (length rows) - 1).
Proof.
  split; [lia|]. intros k [centre [point [near [Cc [M D]]]]].
  assert (exists c, c < length rows /\ forall x, centre x = nth x (nth c rows []) None) as [c [Hc Ec]].
  { destruct Cc as [r [Hr E]]. apply (In_nth _ _ []) in Hr as [c [Hc <-]]. eauto. }
  destruct (finite_choice 0 (fun i j => j < length rows /\ forall x, near i x = nth x (nth j rows []) None) k) as [row_at R].
  { intros i Hi. destruct (M i Hi) as [_ [_ [r [Hr E]]]]. apply (In_nth _ _ []) in Hr as [j [Hj <-]]. eauto. }
  assert (NoDup (c :: map row_at (seq 0 k))) as U.
  { constructor.
    - intros H. apply in_map_iff in H as [i [E Hi]]. apply in_seq in Hi. destruct (R i ltac:(lia)) as [_ Ri].
      destruct (D i i ltac:(lia) ltac:(lia)) as [_ Di]. apply (proj2 Di eq_refl). rewrite Ri, Ec, E. reflexivity.
    - apply NoDup_map_on; [|apply seq_NoDup]. intros i j Hi Hj E. apply in_seq in Hi, Hj.
      destruct (R i ltac:(lia)) as [_ Ri], (R j ltac:(lia)) as [_ Rj].
      destruct (D i i ltac:(lia) ltac:(lia)) as [_ Di], (D j i ltac:(lia) ltac:(lia)) as [_ Dj].
      symmetry. apply Dj. rewrite Rj, <- E, <- Ri. apply Di. reflexivity. }
  apply NoDup_incl_length with (l' := seq 0 (length rows)) in U.
  - cbn [length] in U. rewrite map_length, !seq_length in U. lia.
  - intros j [<-|H]; apply in_seq; [lia|]. apply in_map_iff in H as [i [<- Hi]]. apply in_seq in Hi.
    destruct (R i ltac:(lia)). lia.
Qed.

(* ---- from above: columns, with the label of the centre ---- *)

Section Growing.
Variable line_at : nat -> line.                              (* the rows with label 0 on a column, and with 1 *)

(* the centre and the rows for the columns to come are free; those in a set of own differ on its column *)
Definition fits (need : nat) (own : list N) (free same other : N) : bool :=
  (N.of_nat need <=? count_ones (N.land free same))%N && meets free other && forallb (fun o => meets o same) own.
Definition extended (own : list N) (free same other : N) : list N := map (fun o => N.land o same) own ++ [N.land free other].

Fixpoint star_free (need : nat) (own : list N) (free : N) (after : list nat) : bool :=
  match need with
  | O => false
  | S need' =>
      let zero_one := fun x => let (a, b) := line_at x in fits need own free a b in
      let one_zero := fun x => let (a, b) := line_at x in fits need own free b a in
      let fit := filter (fun x => zero_one x || one_zero x) after in
      if length fit <=? need' then true
      else (fix go (l : list nat) : bool :=
        match l with
        | [] => true
        | x :: l' =>
            let (a, b) := line_at x in
            (if zero_one x then star_free need' (extended own free a b) (N.land free a) l' else true) &&
            (if one_zero x then star_free need' (extended own free b a) (N.land free b) l' else true) && go l'
        end) fit
  end.

Variable label : nat -> bool.                                (* of the centre *)
Definition same (x : nat) : N := if label x then snd (line_at x) else fst (line_at x).
Definition other (x : nat) : N := if label x then fst (line_at x) else snd (line_at x).
Hypothesis apart : forall x, separate (line_at x).

(* the centre, and for each column of T a row that differs there alone *)
Definition rows_for (free : N) (T : list nat) : Prop :=
  (exists c, bit free c = true /\ forall y, In y T -> bit (same y) c = true) /\
  forall x, In x T -> exists i, bit free i = true /\ bit (other x) i = true /\
    forall y, In y T -> y <> x -> bit (same y) i = true.
Definition owned (own : list N) (T : list nat) : Prop :=
  forall o, In o own -> exists i, bit o i = true /\ forall y, In y T -> bit (same y) i = true.

Lemma rows_for_part free T U x : (forall y, In y U -> In y T /\ y <> x) -> In x T -> rows_for free T ->
  rows_for (N.land free (same x)) U.
Proof.
  intros I Hx [[c [Fc Sc]] R]. split.
  - exists c. rewrite land_bit, Fc, (Sc x Hx). split; [reflexivity|]. intros y Hy. apply Sc, I, Hy.
  - intros y Hy. destruct (I y Hy) as [Ty Ny]. destruct (R y Ty) as [i [Fi [Oi Si]]]. exists i.
    rewrite land_bit, Fi, (Si x Hx) by congruence. split; [reflexivity|]. split; [exact Oi|].
    intros z Hz. apply Si, I, Hz.
Qed.
Lemma rows_for_count : forall T free, NoDup T -> rows_for free T -> (N.of_nat (S (length T)) <= count_ones free)%N.
Proof.
  induction T as [|x T IH]; intros free D F.
  - destruct F as [[c [Fc _]] _]. apply count_ones_positive in Fc. cbn. lia.
  - inversion D as [|? ? Nx D']; subst.
    assert (N.of_nat (S (length T)) <= count_ones (N.land free (same x)))%N as A.
    { apply IH; [exact D'|]. apply (rows_for_part free (x :: T)); [|left; reflexivity|exact F].
      intros y Hy. split; [right; exact Hy|]. intros ->. contradiction. }
    assert (1 <= count_ones (N.land free (other x)))%N as B.
    { destruct (proj2 F x (or_introl eq_refl)) as [i [Fi [Oi _]]]. apply (count_ones_positive _ i).
      rewrite land_bit, Fi, Oi. reflexivity. }
    pose proof (count_ones_disjoint (N.land free (same x)) (N.land free (other x)) free) as S.
    cbn [length]. cut (count_ones (N.land free (same x)) + count_ones (N.land free (other x)) <= count_ones free)%N; [lia|].
    apply S; intros i; rewrite !land_bit, ?andb_true_iff; [tauto..|]. intros [_ P] [_ Q].
    unfold same, other in P, Q. destruct (label x); [exact (apart x i Q P)|exact (apart x i P Q)].
Qed.

Lemma fits_kept own free T x : NoDup T -> In x T -> owned own T -> rows_for free T ->
  fits (length T) own free (same x) (other x) = true.
Proof.
  intros D Hx O F. unfold fits. rewrite !andb_true_iff. split; [split|].
  - apply N.leb_le. pose proof (length_remove x T D Hx) as L. rewrite L.
    apply rows_for_count; [apply NoDup_remove_point, D|]. eapply rows_for_part; [|exact Hx|exact F].
    intros y Hy. apply in_remove in Hy. exact Hy.
  - destruct (proj2 F x Hx) as [i [Fi [Oi _]]]. apply (meets_at _ _ i Fi Oi).
  - apply forallb_forall. intros o Ho. destruct (O o Ho) as [i [Oi S]]. apply (meets_at _ _ i Oi), S, Hx.
Qed.
Lemma owned_next own free T x : In x T -> owned own T -> rows_for free T ->
  owned (extended own free (same x) (other x)) (remove Nat.eq_dec x T).
Proof.
  intros Hx O F o Ho. unfold extended in Ho. apply in_app_or in Ho as [Ho|[<-|[]]].
  - apply in_map_iff in Ho as [u [<- Hu]]. destruct (O u Hu) as [i [Ui S]]. exists i.
    rewrite land_bit, Ui, (S x Hx). split; [reflexivity|]. intros y Hy. apply in_remove in Hy as [Hy _]. auto.
  - destruct (proj2 F x Hx) as [i [Fi [Oi S]]]. exists i. rewrite land_bit, Fi, Oi. split; [reflexivity|].
    intros y Hy. apply in_remove in Hy as [Hy Ny]. auto.
Qed.

Theorem star_free_sound : forall need own free after, star_free need own free after = true ->
  forall T, NoDup T -> length T = need -> incl T after -> owned own T -> rows_for free T -> False.
Proof.
  induction need as [|need IH]; intros own free after H T D L I O F; cbn [star_free] in H; [discriminate|].
  cbv zeta in H. set (fit := filter _ after) in H.
  assert (forall x, In x T -> fits (S need) own free (same x) (other x) = true) as K.
  { intros x Hx. rewrite <- L. apply fits_kept; assumption. }
  assert (incl T fit) as J.
  { intros x Hx. apply filter_In. split; [apply I, Hx|]. specialize (K x Hx). unfold same, other in K.
    destruct (line_at x) as [a b]. cbn [fst snd] in K. destruct (label x); rewrite K; [apply orb_true_r|reflexivity]. }
  destruct (Nat.leb_spec (length fit) need) as [Few|_].
  { pose proof (NoDup_incl_length D J). lia. }
  clearbody fit. clear I. revert H J. induction fit as [|x l IHl]; intros H J.
  - destruct T as [|x T]; [discriminate L|]. destruct (J x (or_introl eq_refl)).
  - destruct (in_dec Nat.eq_dec x T) as [Hx|Hx].
    + assert (star_free need (extended own free (same x) (other x)) (N.land free (same x)) l = true) as G.
      { specialize (K x Hx). unfold same, other in *. destruct (line_at x) as [a b]. cbn [fst snd] in *.
        rewrite !andb_true_iff in H. destruct H as [[H0 H1] _].
        destruct (label x); rewrite K in *; assumption. }
      apply (IH _ _ _ G (remove Nat.eq_dec x T)).
      * apply NoDup_remove_point, D.
      * pose proof (length_remove x T D Hx). lia.
      * intros y Hy. apply in_remove in Hy as [Hy N]. destruct (J y Hy) as [->|Q]; [contradiction|exact Q].
      * apply owned_next; assumption.
      * eapply rows_for_part; [|exact Hx|exact F]. intros y Hy. apply in_remove in Hy. exact Hy.
    + apply IHl; [|intros y Hy; destruct (J y Hy) as [->|Q]; [contradiction|exact Q]].
      destruct (line_at x) as [a b]. apply andb_prop in H as [_ H]. exact H.
Qed.
End Growing.

Definition binary (rows : list label_row) : bool :=
  forallb (forallb (fun v => match v with Some y => (y <? 2)%N | None => true end)) rows.
Definition check_no_partial_star (n : nat) (rows : list label_row) (k : nat) : bool :=
  match rows with [] => true | _ => binary rows && negb (k =? 0) &&
    let lines := map line_of (columns_by_labels n rows) in
    star_free (fun x => nth x lines (0, 0)%N) k [] (everywhere (length rows)) (seq 0 n)
  end.

Lemma binary_label_at rows j x y : binary rows = true -> nth x (nth j rows []) None = Some y -> y = 0%N \/ y = 1%N.
Proof.
  unfold binary. rewrite forallb_forall. intros B E.
  destruct (Nat.lt_ge_cases j (length rows)) as [Hj|Hj]; [|rewrite (nth_overflow rows) in E by exact Hj; destruct x; discriminate].
  specialize (B _ (nth_In rows [] Hj)). rewrite forallb_forall in B.
  destruct (Nat.lt_ge_cases x (length (nth j rows []))) as [Hx|Hx]; [|rewrite nth_overflow in E by exact Hx; discriminate].
  specialize (B _ (nth_In _ None Hx)). rewrite E in B. apply N.ltb_lt in B. lia.
Qed.

Theorem check_no_partial_star_sound n rows k : check_no_partial_star n rows k = true ->
  dimension_at_most (partial_star n (label_table rows)) (Z.of_nat k - 1).
Proof.
  intros H. split; [lia|]. intros d [centre [point [near [Cc [M D]]]]].
  destruct (le_lt_dec k d) as [L|L]; [exfalso|lia].
  assert (exists c, c < length rows /\ forall x, centre x = nth x (nth c rows []) None) as [c [Hc Ec]].
  { destruct Cc as [r [Hr E]]. apply (In_nth _ _ []) in Hr as [c [Hc <-]]. eauto. }
  destruct (finite_choice 0 (fun i j => j < length rows /\ forall x, near i x = nth x (nth j rows []) None) d) as [row_at R].
  { intros i Hi. destruct (M i Hi) as [_ [_ [r [Hr E]]]]. apply (In_nth _ _ []) in Hr as [j [Hj <-]]. eauto. }
  unfold check_no_partial_star in H.
  assert (binary rows = true /\ star_free (fun x => nth x (map line_of (columns_by_labels n rows)) (0, 0)%N) k []
    (everywhere (length rows)) (seq 0 n) = true) as [B G].
  { destruct rows as [|r rows]; [cbn in Hc; lia|]. rewrite !andb_true_iff in H. tauto. }
  clear H. set (line_at := fun x => nth x _ (0, 0)%N) in G.
  set (label := fun x => match centre x with Some y => (y =? 1)%N | None => false end).
  assert (forall x, x < n -> line_at x = line_of (map (fun r => nth x r None) rows)) as Line.
  { intros x Hx. unfold line_at. rewrite columns_by_labels_dual. unfold label_dual. rewrite map_map.
    rewrite (nth_indep _ _ (line_of (map (fun r => nth 0 r None) rows))) by (rewrite map_length, seq_length; exact Hx).
    rewrite (map_nth (fun x => line_of (map (fun r => nth x r None) rows))), seq_nth by exact Hx. reflexivity. }
  assert (forall x j (differ : bool), x < n -> forall y z, centre x = Some y -> nth x (nth j rows []) None = Some z ->
    (z <> y <-> differ = true) -> bit (if differ then other line_at label x else same line_at label x) j = true) as Bits.
  { intros x j differ Hx y z Ey Ez Df. pose proof (binary_label_at _ _ _ _ B Ez) as Bz.
    pose proof Ey as Ey'. rewrite Ec in Ey'. pose proof (binary_label_at _ _ _ _ B Ey') as By.
    unfold other, same, label. rewrite Ey, (Line x Hx).
    destruct By as [-> | ->], Bz as [-> | ->], differ; cbn [N.eqb Pos.eqb];
      try (exfalso; intuition (discriminate || congruence)); apply line_bits; rewrite nth_of_column; exact Ez. }
  refine (star_free_sound line_at label _ k [] _ _ G (map point (seq 0 k)) _ _ _ _ _).
  - intros x p. unfold line_at. destruct (nth_in_or_default x (map line_of (columns_by_labels n rows)) (0, 0)%N) as [I|E].
    + apply in_map_iff in I as [r [<- _]]. apply line_separate.
    + rewrite E. destruct p; discriminate.
  - apply NoDup_map_on; [|apply seq_NoDup]. intros i j Hi Hj E. apply in_seq in Hi, Hj.
    destruct (D i i ltac:(lia) ltac:(lia)) as [_ Di], (D i j ltac:(lia) ltac:(lia)) as [_ Dj].
    apply Dj. rewrite <- E. apply Di. reflexivity.
  - rewrite map_length, seq_length. reflexivity.
  - intros x Hx. apply in_map_iff in Hx as [i [<- Hi]]. apply in_seq in Hi. apply in_seq.
    destruct (M i ltac:(lia)). lia.
  - intros o [].
  - split.
    + exists c. split; [apply everywhere_bit, Hc|]. intros x Hx. apply in_map_iff in Hx as [i [<- Hi]].
      apply in_seq in Hi. destruct (M i ltac:(lia)) as [Px [Def _]].
      destruct (centre (point i)) as [y|] eqn:Ey; [|contradiction].
      apply (Bits (point i) c false Px y y Ey); [rewrite <- Ec; exact Ey|split; congruence].
    + intros x Hx. apply in_map_iff in Hx as [i [<- Hi]]. apply in_seq in Hi. exists (row_at i).
      destruct (R i ltac:(lia)) as [Ri Ei]. split; [apply everywhere_bit, Ri|].
      assert (forall j, j < k -> bit (if i =? j then other line_at label (point j) else same line_at label (point j))
        (row_at i) = true) as Q.
      { intros j Hj. destruct (M j ltac:(lia)) as [Px [Def _]]. destruct (D i j ltac:(lia) ltac:(lia)) as [Dn Dj].
        destruct (centre (point j)) as [y|] eqn:Ey; [|contradiction].
        destruct (near i (point j)) as [z|] eqn:Ez; [|contradiction].
        apply (Bits (point j) (row_at i) (i =? j) Px y z Ey); [rewrite <- Ei; exact Ez|].
        rewrite Nat.eqb_eq, <- Dj. split; congruence. }
      split.
      * specialize (Q i ltac:(lia)). rewrite Nat.eqb_refl in Q. exact Q.
      * intros y Hy Ne. apply in_map_iff in Hy as [j [<- Hj]]. apply in_seq in Hj. specialize (Q j ltac:(lia)).
        destruct (Nat.eqb_spec i j) as [->|_]; [contradiction|exact Q].
Qed.

(* ---- certificates ---- *)

Definition partial_star_lower (n : nat) (rows : list label_row) (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "trivial" then is_trivial v data
  else String.eqb name "star" &&
    match fields ["centre"; "points"; "neighbours"]%string data with
    | Some [c; p; a] =>
        match place (size rows) c, list_of (index n) p, list_of (place (size rows)) a with
        | Some c, Some points, Some a =>
            match entry (number_all rows) c, rows_at rows a with
            | Some centre, Some near => (v =? Z.of_nat (length points))%Z && check_partial_star n centre near points
            | _, _ => false
            end
        | _, _, _ => false
        end
    | _ => false
    end.
Definition partial_star_upper (n : nat) (rows : list label_row) (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "rows" then
    match fields [] data with Some _ => (v =? Z.of_nat (length rows) - 1)%Z | None => false end
  else String.eqb name "extension" &&
    match fields ["size"%string] data with
    | Some [s] => match index (S (S n)) s with
                  | Some k => (v =? Z.of_nat k - 1)%Z && check_no_partial_star n rows k
                  | None => false
                  end
    | _ => false
    end.

Definition partial_star_number : kind.
Proof.
  refine {|
    title := "partial_star_number"; parameters := [];
    question := nat * list label_row;
    ask instance _ := partial_class_of instance; number := at_least_integer (-1);
    lower q := partial_star_lower (fst q) (snd q);
    upper q := partial_star_upper (fst q) (snd q);
    lower_means q v := dimension_at_least (partial_star (fst q) (label_table (snd q))) v;
    upper_means q v := dimension_at_most (partial_star (fst q) (label_table (snd q))) v
  |}.
  - intros [n rows] v name data H. cbn [fst snd] in *. unfold partial_star_lower in H.
    destruct (String.eqb name "trivial"); [eapply is_trivial_sound, H|]. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|c [|p [|a [|]]]]|]; try discriminate.
    destruct (place _ c) as [i|]; [|discriminate]. destruct (list_of _ p) as [points|]; [|discriminate].
    destruct (list_of _ a) as [is|]; [|discriminate]. destruct (entry _ i) as [centre|] eqn:E; [|discriminate].
    destruct (rows_at rows is) as [near|] eqn:F; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. intros _. rewrite Nat2Z.id.
    eapply check_partial_star_sound; [eapply entry_in, E|eapply rows_at_in, F|exact H].
  - intros [n rows] v name data H. cbn [fst snd] in *. unfold partial_star_upper in H.
    destruct (String.eqb name "rows").
    + destruct (fields _ data); [|discriminate]. apply Z.eqb_eq in H. subst v. apply partial_rows_sound.
    + apply andb_prop in H as [_ H]. destruct (fields _ data) as [[|s [|]]|]; try discriminate.
      destruct (index _ s) as [k|]; [|discriminate]. apply andb_prop in H as [V H].
      apply Z.eqb_eq in V. subst v. apply check_no_partial_star_sound, H.
Defined.
