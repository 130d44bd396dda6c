(* The star number: a star from below; from above all stars of a size are tried around each centre. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate Tables Sorting.
Import ListNotations.
Local Open Scope nat_scope.

Definition class_stars n rows := star n (table n (map bit rows)).

(* ---- from below ---- *)

(* on the points, numbered from j on, a concept differs on number i alone *)
Fixpoint differs_at (i j : nat) (d : N) (points : list nat) : bool :=
  match points with
  | [] => true
  | x :: points' => Bool.eqb (bit d x) (i =? j) && differs_at i (S j) d points'
  end.
Fixpoint star_right (i : nat) (centre : N) (near : list N) (points : list nat) : bool :=
  match near with
  | [] => true
  | r :: near' => differs_at i 0 (N.lxor r centre) points && star_right (S i) centre near' points
  end.
Definition check_star (n : nat) (centre : N) (near : list N) (points : list nat) : bool :=
  (length near =? length points) && forallb (fun x => x <? n) points && star_right 0 centre near points.

Lemma differs_at_spec i d : forall points j, differs_at i j d points = true ->
  forall t, t < length points -> bit d (nth t points 0) = (i =? j + t).
Proof.
  induction points as [|x points IH]; intros j H t Ht; [simpl in Ht; lia|]. cbn [differs_at] in H.
  apply andb_prop in H as [E H]. apply eqb_prop in E. destruct t as [|t]; cbn [nth].
  - rewrite Nat.add_0_r. exact E.
  - rewrite (IH _ H) by (simpl in Ht; lia). f_equal. lia.
Qed.
Lemma star_right_spec centre points : forall near i, star_right i centre near points = true ->
  forall s, s < length near -> differs_at (i + s) 0 (N.lxor (nth s near 0%N) centre) points = true.
Proof.
  induction near as [|r near IH]; intros i H s Hs; [simpl in Hs; lia|]. cbn [star_right] in H.
  apply andb_prop in H as [E H]. destruct s as [|s]; cbn [nth].
  - rewrite Nat.add_0_r. exact E.
  - replace (i + S s) with (S i + s) by lia. apply IH; [exact H|simpl in Hs; lia].
Qed.

Theorem check_star_sound n rows centre near points : In centre rows -> (forall r, In r near -> In r rows) ->
  check_star n centre near points = true -> class_stars n rows (length points).
Proof.
  unfold check_star. intros Hc I H. apply andb_prop in H as [H C]. apply andb_prop in H as [E L].
  apply Nat.eqb_eq in E. rewrite forallb_forall in L.
  assert (forall r, In r rows -> table n (map bit rows) (bit r)) as R.
  { intros r Hr. exists (bit r). split; [apply in_map, Hr|intros x _; reflexivity]. }
  exists (bit centre), (fun i => nth i points 0), (fun i => bit (nth i near 0%N)). split; [apply R, Hc|]. split.
  - intros i Hi. split; [apply Nat.ltb_lt, L, nth_In, Hi|apply R, I, nth_In; lia].
  - intros i j Hi Hj. cbv beta.
    pose proof (differs_at_spec _ _ _ _ (star_right_spec _ _ _ _ C i ltac:(lia)) j Hj) as D.
    rewrite bit_lxor in D. simpl in D. destruct (Nat.eqb_spec i j) as [->|Ne].
    + split; [reflexivity|]. intros _ K. rewrite K, xorb_nilpotent in D. discriminate.
    + split; [|contradiction]. intros K. contradiction K.
      destruct (bit (nth i near 0%N) _), (bit centre _); try reflexivity; discriminate.
Qed.

(* ---- from above ---- *)

Section Growing.
(* for each point the concepts that differ there from the centre *)
Variable differ : nat -> N.

Definition fits (own : list N) (free : N) (x : nat) : bool :=
  negb (N.land free (differ x) =? 0)%N && forallb (fun o => negb (N.ldiff o (differ x) =? 0)%N) own.

(* no star has need more points, of those that come after: each point so far has concepts of its own *)
Fixpoint grow (need : nat) (own : list N) (free : N) (after : list nat) : bool :=
  match need with
  | O => false
  | S need' =>
      let fit := filter (fits own free) after in
      if length fit <=? need' then true
      else (fix go (l : list nat) : bool :=
        match l with
        | [] => true
        | x :: l' =>
            grow need' (map (fun o => N.ldiff o (differ x)) own ++ [N.land free (differ x)])
                       (N.ldiff free (differ x)) l' && go l'
        end) fit
  end.

Definition grown (own : list N) (free : N) (T : list nat) : Prop :=
  (forall o, In o own -> exists i, bit o i = true /\ forall y, In y T -> bit (differ y) i = false) /\
  forall x, In x T -> exists i, bit free i = true /\ forall y, In y T -> bit (differ y) i = (x =? y).

Lemma nonzero a i : bit a i = true -> negb (a =? 0)%N = true.
Proof. intros H. apply negb_true_iff, N.eqb_neq. intros ->. rewrite bit_0 in H. discriminate. Qed.

Lemma grown_fits own free T x : grown own free T -> In x T -> fits own free x = true.
Proof.
  intros [O F] Hx. apply andb_true_intro. split.
  - destruct (F x Hx) as [i [Fi D]]. apply nonzero with (i := i).
    rewrite bit_land, Fi, (D x Hx), Nat.eqb_refl. reflexivity.
  - apply forallb_forall. intros o Ho. destruct (O o Ho) as [i [Oi D]]. apply nonzero with (i := i).
    rewrite bit_ldiff, Oi, (D x Hx). reflexivity.
Qed.

Lemma grown_next own free T x : grown own free T -> In x T ->
  grown (map (fun o => N.ldiff o (differ x)) own ++ [N.land free (differ x)]) (N.ldiff free (differ x))
    (remove Nat.eq_dec x T).
Proof.
  intros [O F] Hx. split.
  - intros o Ho. apply in_app_or in Ho as [Ho|[<-|[]]].
    + apply in_map_iff in Ho as [o' [<- Ho]]. destruct (O o' Ho) as [i [Oi D]]. exists i. split.
      * rewrite bit_ldiff, Oi, (D x Hx). reflexivity.
      * intros y Hy. apply in_remove in Hy as [Hy _]. auto.
    + destruct (F x Hx) as [i [Fi D]]. exists i. split.
      * rewrite bit_land, Fi, (D x Hx), Nat.eqb_refl. reflexivity.
      * intros y Hy. apply in_remove in Hy as [Hy N]. rewrite (D y Hy). apply Nat.eqb_neq. auto.
  - intros y Hy. apply in_remove in Hy as [Hy N]. destruct (F y Hy) as [i [Fi D]]. exists i. split.
    + rewrite bit_ldiff, Fi, (D x Hx). apply Nat.eqb_neq in N. rewrite N. reflexivity.
    + intros z Hz. apply in_remove in Hz as [Hz _]. auto.
Qed.

Lemma length_remove x : forall T, NoDup T -> In x T -> length T = S (length (remove Nat.eq_dec x T)).
Proof.
  induction T as [|y T IH]; intros D H; [contradiction|]. inversion D as [|? ? Ny D']; subst. cbn [remove].
  destruct (Nat.eq_dec x y) as [->|Ne].
  - rewrite notin_remove by exact Ny. reflexivity.
  - destruct H as [->|H]; [contradiction|]. cbn [length]. rewrite <- (IH D' H). reflexivity.
Qed.
Lemma NoDup_remove_point x T : NoDup T -> NoDup (remove Nat.eq_dec x T).
Proof.
  induction 1 as [|y T Ny D IH]; cbn [remove]; [constructor|].
  destruct (Nat.eq_dec x y); [exact IH|]. constructor; [|exact IH]. intros H. apply Ny. eapply in_remove, H.
Qed.

Theorem grow_sound : forall need own free after, grow need own free after = true ->
  forall T, NoDup T -> length T = need -> incl T after -> grown own free T -> False.
Proof.
  induction need as [|need IH]; intros own free after H T D L I G; cbn [grow] in H; [discriminate|].
  set (fit := filter (fits own free) after) in *.
  assert (incl T fit) as J.
  { intros x Hx. apply filter_In. split; [apply I, Hx|eapply grown_fits; eassumption]. }
  destruct (Nat.leb_spec (length fit) need) as [Few|_].
  { pose proof (NoDup_incl_length D J). lia. }
  clear I. revert H J. induction fit as [|x l IHl]; intros H J.
  - destruct T as [|x T]; [discriminate L|]. destruct (J x (or_introl eq_refl)).
  - apply andb_prop in H as [H K]. destruct (in_dec Nat.eq_dec x T) as [Hx|Hx].
    + apply (IH _ _ _ H (remove Nat.eq_dec x T)).
      * apply NoDup_remove_point, D.
      * pose proof (length_remove x T D Hx). lia.
      * intros y Hy. apply in_remove in Hy as [Hy N]. destruct (J y Hy) as [->|Q]; [contradiction|exact Q].
      * apply grown_next; assumption.
    + apply IHl; [exact K|]. intros y Hy. destruct (J y Hy) as [->|Q]; [contradiction|exact Q].
Qed.
End Growing.

(* numbers of concepts are in binary, columns are looked up *)
Definition no_star (n k : nat) (rows : list N) (centre : N) : bool :=
  let columns := columns_of n (map (fun r => N.lxor r centre) rows) in
  grow (fun x => nth x columns 0%N) k [] (everywhere (length rows)) (seq 0 n).
Definition check_no_star (n : nat) (rows : list N) (k : nat) : bool :=
  (0 <? k) && forallb (no_star n k rows) rows
  || match rows with [] => k =? 0 | _ => false end.

Lemma no_star_sound n k rows centre point near : no_star n k rows centre = true ->
  (forall i, i < k -> point i < n /\ table n (map bit rows) (near i)) ->
  (forall i j, i < k -> j < k -> near i (point j) <> bit centre (point j) <-> i = j) -> False.
Proof.
  unfold no_star. set (columns := columns_of _ _). intros H M D.
  assert (forall i j, i < k -> j < k -> point i = point j -> i = j) as J.
  { intros i j Hi Hj E. apply D; [assumption..|]. rewrite <- E. apply D; auto. }
  apply (grow_sound _ _ _ _ _ H (map point (seq 0 k))).
  - assert (forall l, (forall i, In i l -> i < k) -> NoDup l -> NoDup (map point l)) as K.
    { induction l as [|i l IH]; intros B Dl; simpl; [constructor|]. inversion Dl as [|? ? Ni Dl']; subst.
      constructor; [|apply IH; [intros; apply B; simpl; auto|exact Dl']].
      intros Q. apply in_map_iff in Q as [j [E Hj]]. apply Ni.
      rewrite (J i j (B i (or_introl eq_refl)) (B j (or_intror Hj)) (eq_sym E)). exact Hj. }
    apply K; [|apply seq_NoDup]. intros i Hi. apply in_seq in Hi. lia.
  - rewrite map_length, seq_length. reflexivity.
  - intros x Hx. apply in_map_iff in Hx as [i [<- Hi]]. apply in_seq in Hi. apply in_seq.
    destruct (M i ltac:(lia)). lia.
  - split; [intros _ []|]. intros x Hx. apply in_map_iff in Hx as [i [<- Hi]]. apply in_seq in Hi.
    destruct (M i ltac:(lia)) as [_ Ci]. apply in_table in Ci as [r [Hr E]].
    apply (In_nth _ _ 0%N) in Hr as [p [Hp Er]]. exists p. split; [apply everywhere_bit, Hp|].
    intros y Hy. apply in_map_iff in Hy as [j [<- Hj]]. apply in_seq in Hj.
    destruct (M j ltac:(lia)) as [Bj _].
    unfold columns. rewrite columns_of_nth by exact Bj. rewrite column_bit.
    rewrite (nth_indep _ 0%N (N.lxor 0 centre)) by (rewrite map_length; exact Hp).
    rewrite (map_nth (fun r => N.lxor r centre)), Er, bit_lxor, <- E by exact Bj.
    specialize (D i j ltac:(lia) ltac:(lia)). specialize (J i j ltac:(lia) ltac:(lia)).
    destruct (Nat.eqb_spec (point i) (point j)) as [Q|Q].
    + assert (near i (point j) <> bit centre (point j)) as K by (apply D, J, Q).
      destruct (near i (point j)), (bit centre (point j)); try reflexivity; contradiction K; reflexivity.
    + destruct (bool_dec (near i (point j)) (bit centre (point j))) as [->|K]; [apply xorb_nilpotent|].
      apply D in K. subst j. contradiction Q. reflexivity.
Qed.

Lemma star_less n C k l : l <= k -> star n C k -> star n C l.
Proof.
  intros L [c [p [a [Cc [M D]]]]]. exists c, p, a. split; [exact Cc|]. split.
  - intros i Hi. apply M. lia.
  - intros i j Hi Hj. apply D; lia.
Qed.

Theorem check_no_star_sound n rows k : check_no_star n rows k = true ->
  dimension_at_most (class_stars n rows) (Z.of_nat k - 1).
Proof.
  intros H. split; [lia|]. intros d Sd. destruct (le_lt_dec k d) as [L|L]; [exfalso|lia].
  destruct (star_less _ _ _ _ L Sd) as [c [point [near [Cc [M D]]]]].
  apply in_table in Cc as [r [Hr E]]. apply orb_prop in H as [H|H].
  - apply andb_prop in H as [_ H]. rewrite forallb_forall in H.
    apply (no_star_sound _ _ _ _ point near (H r Hr) M). intros i j Hi Hj. rewrite <- E by (apply M, Hj).
    apply D; assumption.
  - destruct rows; [contradiction|discriminate].
Qed.

(* beside the centre there is a concept for each point *)
Theorem rows_sound n rows : dimension_at_most (class_stars n rows) (Z.of_nat (length rows) - 1).
Proof.
  split; [lia|]. intros k [centre [point [near [Cc [M D]]]]]. apply in_table in Cc as [c [Hc E]].
  assert (exists row_at, forall i, i < k -> In (row_at i) rows /\ forall x, x < n -> near i x = bit (row_at i) x)
    as [row_at R].
  { clear D. induction k as [|k IH].
    - exists (fun _ => 0%N). intros i Hi. lia.
    - destruct IH as [row_at R]; [intros i Hi; apply M; lia|].
      destruct (proj1 (in_table _ _ _) (proj2 (M k (Nat.lt_succ_diag_r k)))) as [r Hr].
      exists (fun i => if i =? k then r else row_at i). intros i Hi.
      destruct (Nat.eqb_spec i k) as [->|Ne]; [exact Hr|apply R; lia]. }
  assert (forall i r, i < k -> row_at i = r -> bit r (point i) <> bit c (point i)) as Q.
  { intros i r Hi <-. rewrite <- E, <- (proj2 (R i Hi)) by (apply M, Hi). apply D; auto. }
  assert (NoDup (c :: map row_at (seq 0 k))) as U.
  { constructor.
    - intros H. apply in_map_iff in H as [i [F Hi]]. apply in_seq in Hi. apply (Q i c ltac:(lia) F). reflexivity.
    - assert (forall l, (forall i, In i l -> i < k) -> NoDup l -> NoDup (map row_at l)) as K.
      { induction l as [|i l IH]; intros B Dl; simpl; [constructor|]. inversion Dl as [|? ? Ni Dl']; subst.
        constructor; [|apply IH; [intros; apply B; simpl; auto|exact Dl']].
        intros H. apply in_map_iff in H as [j [F Hj]].
        pose proof (B i (or_introl eq_refl)) as Bi. pose proof (B j (or_intror Hj)) as Bj.
        assert (j = i) as ->; [|contradiction]. apply D; [assumption..|].
        rewrite (proj2 (R j Bj)), E by (apply M, Bi). apply (Q i _ Bi). symmetry. exact F. }
      apply K; [|apply seq_NoDup]. intros i Hi. apply in_seq in Hi. lia. }
  apply NoDup_incl_length with (l' := rows) in U.
  - cbn [length] in U. rewrite map_length, seq_length in U. lia.
  - intros r [<-|H]; [exact Hc|]. apply in_map_iff in H as [i [<- Hi]]. apply in_seq in Hi. apply R. lia.
Qed.

(* ---- certificates ---- *)

Definition star_lower (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  let (n, rows) := q in
  if String.eqb name "trivial" then is_trivial v data
  else String.eqb name "star" &&
    match fields ["centre"; "points"; "neighbours"]%string data with
    | Some [c; p; a] =>
        match place (size rows) c, list_of (index n) p, list_of (place (size rows)) a with
        | Some c, Some points, Some a =>
            match entry (number_all rows) c, rows_at rows a with
            | Some centre, Some near => (v =? Z.of_nat (length points))%Z && check_star n centre near points
            | _, _ => false
            end
        | _, _, _ => false
        end
    | _ => false
    end.
Definition star_upper (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "rows" then
    match fields [] data with Some _ => (v =? Z.of_N (size (snd q)) - 1)%Z | None => false end
  else String.eqb name "extension" &&
    match fields ["size"%string] data with
    | Some [s] => match index (S (S (fst q))) s with
                  | Some k => (v =? Z.of_nat k - 1)%Z && check_no_star (fst q) (snd q) k
                  | None => false
                  end
    | _ => false
    end.

Definition star_number : kind.
Proof.
  refine {|
    title := "star_number"; parameters := [];
    ask := fun instance _ => rows_of instance; number := at_least_integer (-1);
    lower := star_lower; upper := star_upper;
    lower_means q v := dimension_at_least (star (fst q) (table (fst q) (map bit (snd q)))) v;
    upper_means q v := dimension_at_most (star (fst q) (table (fst q) (map bit (snd q)))) v
  |}.
  - intros [n rows] v name data H. cbn [fst snd]. unfold star_lower in H.
    destruct (String.eqb name "trivial"); [eapply is_trivial_sound, H|].
    apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|c [|p [|a [|]]]]|]; try discriminate.
    destruct (place _ c) as [c'|]; [|discriminate]. destruct (list_of _ p) as [points|]; [|discriminate].
    destruct (list_of _ a) as [a'|]; [|discriminate]. destruct (entry _ c') as [centre|] eqn:E; [|discriminate].
    destruct (rows_at rows a') as [near|] eqn:F; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. intros _. rewrite Nat2Z.id.
    eapply check_star_sound; [eapply entry_in, E|eapply rows_at_in, F|exact H].
  - intros [n rows] v name data H. cbn [fst snd]. unfold star_upper in H. cbn [fst snd] in H.
    destruct (String.eqb name "rows").
    { destruct (fields _ data); [|discriminate]. apply Z.eqb_eq in H. subst v.
      rewrite size_length, nat_N_Z. apply rows_sound. }
    apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|s [|]]|]; try discriminate.
    destruct (index _ s) as [k|]; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. apply check_no_star_sound, H.
Defined.
