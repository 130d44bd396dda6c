(* Thresholds: a chain of them from below; from above ones are counted, or the rank over the field of two
   elements, or longer and longer sequences of lines are tried. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Tables Sorting.
Import ListNotations.
Local Open Scope nat_scope.

Definition class_thresholds n rows := thresholds n (table n (map bit rows)).

(* so many rows and points, by number, with label 1 exactly from the diagonal on *)
Definition triangle (k : nat) (row_at : nat -> N) (point : nat -> nat) :=
  forall i j, i < k -> j < k -> bit (row_at i) (point j) = (i <=? j).

Lemma thresholds_rows n rows k : class_thresholds n rows k -> (exists r, In r rows) /\
  exists row_at point, (forall i, i < k -> In (row_at i) rows /\ point i < n) /\ triangle k row_at point.
Proof.
  intros [[h Ch] [concept_at [point [M D]]]]. split.
  { apply in_table in Ch as [r [Hr _]]. eauto. }
  assert (forall k, (forall i, i < k -> table n (map bit rows) (concept_at i)) ->
    exists row_at, forall i, i < k -> In (row_at i) rows /\ forall x, x < n -> concept_at i x = bit (row_at i) x) as K.
  { clear. induction k as [|k IH]; intros H.
    - exists (fun _ => 0%N). intros i Hi. lia.
    - destruct IH as [row_at R]; [intros i Hi; apply H; lia|].
      destruct (proj1 (in_table _ _ _) (H k (Nat.lt_succ_diag_r k))) as [r Hr].
      exists (fun i => if i =? k then r else row_at i). intros i Hi.
      destruct (Nat.eqb_spec i k) as [->|Ne]; [exact Hr|apply R; lia]. }
  destruct (K k (fun i Hi => proj1 (M i Hi))) as [row_at R]. exists row_at, point. split.
  - intros i Hi. split; [apply R, Hi|apply M, Hi].
  - intros i j Hi Hj. rewrite <- (proj2 (R i Hi)) by (apply M, Hj). specialize (D i j Hi Hj).
    destruct (concept_at i (point j)), (Nat.leb_spec i j) as [L|L]; try reflexivity.
    + assert (i <= j) by (apply D; reflexivity). lia.
    + apply D in L. discriminate.
Qed.

Lemma triangle_injective k row_at point : triangle k row_at point ->
  (forall i j, i < k -> j < k -> row_at i = row_at j -> i = j) /\
  (forall i j, i < k -> j < k -> point i = point j -> i = j).
Proof.
  intros T. split; intros i j Hi Hj E.
  - pose proof (T i i Hi Hi) as A. pose proof (T j i Hj Hi) as B. pose proof (T i j Hi Hj) as C.
    pose proof (T j j Hj Hj) as D. rewrite E in *.
    destruct (Nat.leb_spec j i), (Nat.leb_spec i j), (Nat.leb_spec i i), (Nat.leb_spec j j); try lia; congruence.
  - pose proof (T i i Hi Hi) as A. pose proof (T j i Hj Hi) as B. pose proof (T i j Hi Hj) as C.
    pose proof (T j j Hj Hj) as D. rewrite E in *.
    destruct (Nat.leb_spec j i), (Nat.leb_spec i j), (Nat.leb_spec i i), (Nat.leb_spec j j); try lia; congruence.
Qed.

Lemma NoDup_images {A} (g : nat -> A) k a :
  (forall i j, i < k -> j < k -> g i = g j -> i = j) -> NoDup (map g (seq a (k - a))).
Proof.
  intros I. assert (forall l, (forall i, In i l -> i < k) -> NoDup l -> NoDup (map g l)) as K.
  { induction l as [|i l IH]; intros B D; simpl; [constructor|]. inversion D as [|? ? Ni Dl]; subst.
    constructor; [|apply IH; [intros; apply B; simpl; auto|exact Dl]].
    intros H. apply in_map_iff in H as [j [E Hj]]. apply Ni.
    rewrite (I i j (B i (or_introl eq_refl)) (B j (or_intror Hj)) (eq_sym E)). exact Hj. }
  apply K; [|apply seq_NoDup]. intros i Hi. apply in_seq in Hi. lia.
Qed.

(* ---- from below ---- *)

Fixpoint labels_right (i j : nat) (r : N) (points : list nat) : bool :=
  match points with
  | [] => true
  | x :: points' => Bool.eqb (bit r x) (i <=? j) && labels_right i (S j) r points'
  end.
Fixpoint chain_right (i : nat) (chosen : list N) (points : list nat) : bool :=
  match chosen with
  | [] => true
  | r :: chosen' => labels_right i 0 r points && chain_right (S i) chosen' points
  end.
Definition check_chain (n : nat) (rows chosen : list N) (points : list nat) : bool :=
  match rows with [] => false | _ => true end
  && (length chosen =? length points) && forallb (fun x => x <? n) points && chain_right 0 chosen points.

Lemma labels_right_spec i r : forall points j, labels_right i j r points = true ->
  forall t, t < length points -> bit r (nth t points 0) = (i <=? j + t).
Proof.
  induction points as [|x points IH]; intros j H t Ht; [simpl in Ht; lia|]. cbn [labels_right] in H.
  apply andb_prop in H as [E H]. apply eqb_prop in E. destruct t as [|t]; cbn [nth].
  - rewrite Nat.add_0_r. exact E.
  - rewrite (IH _ H) by (simpl in Ht; lia). f_equal. lia.
Qed.
Lemma chain_right_spec points : forall chosen i, chain_right i chosen points = true ->
  forall s, s < length chosen -> labels_right (i + s) 0 (nth s chosen 0%N) points = true.
Proof.
  induction chosen as [|r chosen IH]; intros i H s Hs; [simpl in Hs; lia|]. cbn [chain_right] in H.
  apply andb_prop in H as [E H]. destruct s as [|s]; cbn [nth].
  - rewrite Nat.add_0_r. exact E.
  - replace (i + S s) with (S i + s) by lia. apply IH; [exact H|simpl in Hs; lia].
Qed.

Theorem check_chain_sound n rows chosen points : (forall r, In r chosen -> In r rows) ->
  check_chain n rows chosen points = true -> class_thresholds n rows (length points).
Proof.
  unfold check_chain. intros I H. apply andb_prop in H as [H C]. apply andb_prop in H as [H B].
  apply andb_prop in H as [E L]. apply Nat.eqb_eq in L. rewrite forallb_forall in B. split.
  - destruct rows as [|r rows]; [discriminate|]. exists (bit r), (bit r).
    split; [left; reflexivity|intros x _; reflexivity].
  - exists (fun i => bit (nth i chosen 0%N)), (fun j => nth j points 0). split.
    + intros i Hi. split; [|apply Nat.ltb_lt, B, nth_In, Hi].
      exists (bit (nth i chosen 0%N)). split; [|intros x _; reflexivity].
      apply in_map, I, nth_In. lia.
    + intros i j Hi Hj. cbv beta.
      rewrite (labels_right_spec _ _ _ _ (chain_right_spec _ _ _ C i ltac:(lia)) j Hj).
      rewrite Nat.leb_le. simpl. reflexivity.
Qed.

(* ---- ones: the lines of a chain have 1, 2, ... or more ---- *)

Definition ones_in (m : nat) (line : N) : nat := length (filter (bit line) (seq 0 m)).
Definition room (ones : list nat) (k : nat) : bool :=
  forallb (fun t => k <? t + length (filter (Nat.leb t) ones)) (seq 1 k).
Definition ones_of (m : nat) (lines : list N) : list nat := map (ones_in m) (once lines).

Lemma room_for m lines k (line_at : nat -> N) (spot : nat -> nat) :
  (forall i, i < k -> In (line_at i) lines /\ spot i < m) -> triangle k line_at spot ->
  room (ones_of m lines) k = true.
Proof.
  intros M T. destruct (triangle_injective _ _ _ T) as [I J]. unfold room.
  apply forallb_forall. intros t Ht. apply in_seq in Ht. apply Nat.ltb_lt.
  assert (forall i, i < k -> k - i <= ones_in m (line_at i)) as O.
  { intros i Hi. unfold ones_in.
    pose proof (NoDup_images spot k i J) as D.
    apply NoDup_incl_length with (l' := filter (bit (line_at i)) (seq 0 m)) in D.
    - rewrite map_length, seq_length in D. exact D.
    - intros x Hx. apply in_map_iff in Hx as [j [<- Hj]]. apply in_seq in Hj. apply filter_In. split.
      + apply in_seq. destruct (M j ltac:(lia)). lia.
      + rewrite T by lia. apply Nat.leb_le. lia. }
  assert (NoDup (map line_at (seq 0 (S k - t)))) as D.
  { replace (S k - t) with ((S k - t) - 0) by lia. apply NoDup_images. intros i j Hi Hj. apply I; lia. }
  assert (length (filter (Nat.leb t) (ones_of m lines)) =
    length (filter (fun l => t <=? ones_in m l) (once lines))) as ->.
  { unfold ones_of. generalize (once lines). clear. induction l as [|a l IH]; [reflexivity|].
    cbn [map filter]. destruct (t <=? ones_in m a); cbn [length]; lia. }
  apply NoDup_incl_length with (l' := filter (fun l => t <=? ones_in m l) (once lines)) in D.
  - rewrite map_length, seq_length in D. lia.
  - intros l Hl. apply in_map_iff in Hl as [i [<- Hi]]. apply in_seq in Hi. apply filter_In. split.
    + apply once_in, M. lia.
    + apply Nat.leb_le. specialize (O i ltac:(lia)). lia.
Qed.

(* less room leaves none for more *)
Lemma room_less ones k k' : k' <= k -> room ones k = true -> room ones k' = true.
Proof.
  unfold room. rewrite !forallb_forall. intros L H t Ht. apply in_seq in Ht.
  specialize (H t). rewrite in_seq in H. specialize (H ltac:(lia)). apply Nat.ltb_lt in H. apply Nat.ltb_lt. lia.
Qed.

Lemma triangle_columns n rows k row_at point :
  (forall i, i < k -> In (row_at i) rows /\ point i < n) -> triangle k row_at point ->
  exists line spot, (forall i, i < k -> In (line i) (columns_of n rows) /\ spot i < length rows) /\
    (forall i, i < k -> line i = column rows (point i)) /\
    forall i j, i < k -> j < k -> bit (line j) (spot i) = (i <=? j).
Proof.
  intros M T.
  assert (exists place_of, forall i, i < k -> place_of i < length rows /\ nth (place_of i) rows 0%N = row_at i)
    as [place P].
  { clear T. induction k as [|k IH].
    - exists (fun _ => 0). intros i Hi. lia.
    - destruct IH as [f F]; [intros i Hi; apply M; lia|].
      destruct (M k (Nat.lt_succ_diag_r k)) as [Hr _]. apply (In_nth _ _ 0%N) in Hr as [p [Hp E]].
      exists (fun i => if i =? k then p else f i). intros i Hi.
      destruct (Nat.eqb_spec i k) as [->|Ne]; [auto|apply F; lia]. }
  exists (fun j => column rows (point j)), place. split; [|split].
  - intros i Hi. split; [|apply P, Hi]. apply in_map, in_seq. destruct (M i Hi). lia.
  - reflexivity.
  - intros i j Hi Hj. rewrite column_bit. rewrite (proj2 (P i Hi)). apply T; assumption.
Qed.

Definition check_ones (n : nat) (rows : list N) (v : Z) : bool :=
  match rows with
  | [] => (v =? -1)%Z
  | _ =>
      let by_rows := ones_of n rows in
      let by_columns := ones_of (length rows) (columns_of n rows) in
      let k := Z.to_nat v in
      (0 <=? v)%Z && room by_rows k && room by_columns k && negb (room by_rows (S k) && room by_columns (S k))
  end.

Theorem check_ones_sound n rows v : check_ones n rows v = true -> dimension_at_most (class_thresholds n rows) v.
Proof.
  unfold check_ones. intros H.
  assert (-1 <= v)%Z as V.
  { destruct rows; [apply Z.eqb_eq in H; lia|]. do 3 apply andb_prop in H as [H _]. apply Z.leb_le in H. lia. }
  split; [exact V|]. intros k Th. apply thresholds_rows in Th as [[r Hr] [row_at [point [M T]]]].
  destruct rows as [|r0 rows]; [contradiction|]. set (all := r0 :: rows) in *.
  apply andb_prop in H as [H C]. apply andb_prop in H as [H _]. apply andb_prop in H as [P _].
  apply Z.leb_le in P. destruct (Z_le_gt_dec (Z.of_nat k) v) as [|G]; [assumption|exfalso].
  apply negb_true_iff in C. apply andb_false_iff in C as [C|C].
  - rewrite (room_less _ k) in C; [discriminate|lia|]. eapply room_for; eassumption.
  - rewrite (room_less _ k) in C; [discriminate|lia|].
    destruct (triangle_columns _ _ _ _ _ M T) as [line [spot [L [_ B]]]].
    apply (room_for _ _ _ (fun i => line (k - 1 - i)) (fun i => spot (k - 1 - i))).
    + intros i Hi. split; apply L; lia.
    + intros i j Hi Hj. rewrite B by lia.
      destruct (Nat.leb_spec (k - 1 - j) (k - 1 - i)), (Nat.leb_spec i j); try lia; reflexivity.
Qed.

(* ---- the rank over the field of two elements ---- *)

Definition reduce (r b : N) : N := let s := N.lxor r b in if (s <? r)%N then s else r.
Fixpoint eliminate (rows basis : list N) : list N :=
  match rows with
  | [] => basis
  | r :: rows' => let left := fold_left reduce basis r in
                  eliminate rows' (if (left =? 0)%N then basis else basis ++ [left])
  end.
Definition check_rank (rows : list N) (v : Z) : bool := (v =? Z.of_nat (length (eliminate rows [])))%Z.

Fixpoint spanned (l : list N) : list N :=
  match l with [] => [0%N] | b :: l' => spanned l' ++ map (N.lxor b) (spanned l') end.

Lemma spanned_length l : length (spanned l) = 2 ^ length l.
Proof. induction l as [|b l IH]; [reflexivity|]. simpl. rewrite app_length, map_length, IH. lia. Qed.
Lemma spanned_0 l : In 0%N (spanned l).
Proof. induction l as [|b l IH]; simpl; [auto|]. apply in_or_app. auto. Qed.
Lemma spanned_in l b : In b l -> In b (spanned l).
Proof.
  induction l as [|a l IH]; intros H; [contradiction|]. simpl. apply in_or_app. destruct H as [->|H]; [right|auto].
  rewrite <- (N.lxor_0_r b) at 1. apply in_map, spanned_0.
Qed.
Lemma spanned_lxor l : forall a b, In a (spanned l) -> In b (spanned l) -> In (N.lxor a b) (spanned l).
Proof.
  induction l as [|c l IH]; intros a b Ha Hb; simpl in *.
  - destruct Ha as [<-|[]], Hb as [<-|[]]. auto.
  - apply in_app_or in Ha. apply in_app_or in Hb. apply in_or_app.
    destruct Ha as [Ha|Ha]; destruct Hb as [Hb|Hb].
    + left. auto.
    + right. apply in_map_iff in Hb as [d [<- Hd]]. apply in_map_iff. exists (N.lxor a d). split; [|auto].
      rewrite <- !N.lxor_assoc. f_equal. apply N.lxor_comm.
    + right. apply in_map_iff in Ha as [d [<- Hd]]. apply in_map_iff. exists (N.lxor d b). split; [|auto].
      rewrite <- !N.lxor_assoc. reflexivity.
    + left. apply in_map_iff in Ha as [d [<- Hd]]. apply in_map_iff in Hb as [e [<- He]].
      replace (N.lxor (N.lxor c d) (N.lxor c e)) with (N.lxor d e); [auto|].
      rewrite (N.lxor_comm c d), N.lxor_assoc, <- (N.lxor_assoc c c e), N.lxor_nilpotent, N.lxor_0_l. reflexivity.
Qed.
Lemma spanned_incl l l' : (forall b, In b l -> In b (spanned l')) -> incl (spanned l) (spanned l').
Proof.
  induction l as [|c l IH]; intros H a Ha; simpl in Ha.
  - destruct Ha as [<-|[]]. apply spanned_0.
  - assert (incl (spanned l) (spanned l')) as K by (apply IH; intros; apply H; simpl; auto).
    apply in_app_or in Ha as [Ha|Ha]; [auto|]. apply in_map_iff in Ha as [d [<- Hd]].
    apply spanned_lxor; [apply H; left; reflexivity|auto].
Qed.

Lemma reduce_spanned : forall basis r, In (N.lxor r (fold_left reduce basis r)) (spanned basis).
Proof.
  assert (forall l basis r, incl l basis -> In (N.lxor r (fold_left reduce l r)) (spanned basis)) as K.
  2: { intros. apply K, incl_refl. }
  induction l as [|b l IH]; intros basis r I; simpl.
  - rewrite N.lxor_nilpotent. apply spanned_0.
  - set (s := reduce r b).
    replace (N.lxor r (fold_left reduce l s)) with (N.lxor (N.lxor r s) (N.lxor s (fold_left reduce l s))).
    + apply spanned_lxor; [|apply IH; intros c Hc; apply I; simpl; auto].
      unfold s, reduce. destruct (_ <? _)%N.
      * rewrite <- N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_l. apply spanned_in, I. left. reflexivity.
      * rewrite N.lxor_nilpotent. apply spanned_0.
    + rewrite N.lxor_assoc, <- (N.lxor_assoc s s), N.lxor_nilpotent, N.lxor_0_l. reflexivity.
Qed.

Lemma eliminate_spanned : forall rows basis,
  (forall b, In b basis -> In b (spanned (eliminate rows basis))) /\
  forall r, In r rows -> In r (spanned (eliminate rows basis)).
Proof.
  induction rows as [|r rows IH]; intros basis; cbn [eliminate].
  - split; [apply spanned_in|intros _ []].
  - set (left := fold_left reduce basis r). set (next := if (left =? 0)%N then basis else basis ++ [left]).
    destruct (IH next) as [B R].
    assert (incl (spanned basis) (spanned (eliminate rows next))) as I.
    { apply spanned_incl. intros b Hb. apply B. unfold next. destruct (left =? 0)%N; [exact Hb|apply in_or_app; auto]. }
    split; [intros b Hb; apply I, spanned_in, Hb|].
    intros s [<-|Hs]; [|apply R, Hs].
    replace r with (N.lxor (N.lxor r left) left)
      by (rewrite N.lxor_assoc, N.lxor_nilpotent; apply N.lxor_0_r).
    apply spanned_lxor; [apply I, reduce_spanned|].
    unfold next in B. destruct (N.eqb_spec left 0) as [E|Ne]; [rewrite E; apply spanned_0|].
    apply B. apply in_or_app. right. apply in_eq.
Qed.

Lemma triangle_spanned row_at point : forall k a, triangle (a + k) row_at point ->
  NoDup (spanned (map row_at (seq a k))).
Proof.
  induction k as [|k IH]; intros a T; [simpl; constructor; [intros []|constructor]|]. simpl.
  assert (NoDup (spanned (map row_at (seq (S a) k)))) as D
    by (apply IH; replace (S a + k) with (a + S k) by lia; exact T).
  assert (forall s, In s (spanned (map row_at (seq (S a) k))) -> bit s (point a) = false) as Z.
  { assert (forall l, (forall r, In r l -> bit r (point a) = false) ->
      forall s, In s (spanned l) -> bit s (point a) = false) as K.
    { clear. induction l as [|r l IH]; intros H s Hs; simpl in Hs.
      - destruct Hs as [<-|[]]. apply bit_0.
      - assert (forall s, In s (spanned l) -> bit s (point a) = false) as G by (apply IH; intros; apply H; simpl; auto).
        apply in_app_or in Hs as [Hs|Hs]; [auto|]. apply in_map_iff in Hs as [d [<- Hd]].
        rewrite bit_lxor, (G d Hd), (H r (or_introl eq_refl)). reflexivity. }
    apply K. intros r Hr. apply in_map_iff in Hr as [i [<- Hi]]. apply in_seq in Hi.
    rewrite T by lia. apply Nat.leb_gt. lia. }
  assert (forall l l' : list N, NoDup l -> NoDup l' -> (forall x, In x l -> ~ In x l') -> NoDup (l ++ l')) as Ap.
  { clear. induction l as [|x l IH]; intros l' D D' N; [exact D'|]. inversion D as [|? ? Nx Dl]; subst. simpl.
    constructor; [|apply IH; [exact Dl|exact D'|intros y Hy; apply N; simpl; auto]].
    intros H. apply in_app_or in H as [H|H]; [contradiction|]. apply (N x (or_introl eq_refl) H). }
  apply Ap; [exact D| |].
  - assert (forall l, NoDup l -> NoDup (map (N.lxor (row_at a)) l)) as Mp; [|apply Mp, D].
    clear. induction l as [|x l IH]; intros D; [constructor|]. inversion D as [|? ? Nx Dl]; subst. simpl.
    constructor; [|auto]. intros H. apply in_map_iff in H as [y [E Hy]].
    assert (N.lxor (row_at a) (N.lxor (row_at a) y) = N.lxor (row_at a) (N.lxor (row_at a) x)) as E' by congruence.
    rewrite <- !N.lxor_assoc, N.lxor_nilpotent, !N.lxor_0_l in E'. subst. contradiction.
  - intros s Hs H. apply in_map_iff in H as [d [E Hd]]. apply Z in Hs. apply Z in Hd. subst s.
    rewrite bit_lxor, Hd, T, Nat.leb_refl in Hs by lia. discriminate.
Qed.

Theorem check_rank_sound n rows v : check_rank rows v = true -> dimension_at_most (class_thresholds n rows) v.
Proof.
  intros H. apply Z.eqb_eq in H. subst v. split; [lia|]. intros k Th. apply inj_le.
  apply thresholds_rows in Th as [_ [row_at [point [M T]]]].
  pose proof (triangle_spanned row_at point k 0 T) as D.
  apply NoDup_incl_length with (l' := spanned (eliminate rows [])) in D.
  - rewrite !spanned_length, map_length, seq_length in D. apply (Nat.pow_le_mono_r_iff 2); [lia|exact D].
  - apply spanned_incl. intros r Hr. apply in_map_iff in Hr as [i [<- Hi]]. apply in_seq in Hi.
    apply eliminate_spanned, M. lia.
Qed.

(* ---- sequences of lines: each has a 1 where all before have 0, and where each tail has ones alone ---- *)

Fixpoint extend (k : nat) (tails : list N) (zeros : N) (lines : list N) : bool :=
  match k with
  | O => false
  | S k' =>
      let fit := filter (fun y => negb (N.land zeros y =? 0)%N
                                  && forallb (fun tail => negb (N.land tail y =? 0)%N) tails) lines in
      (length fit <? k)
      || forallb (fun y => extend k' (map (N.land y) tails ++ [N.land zeros y]) (N.ldiff zeros y) fit) fit
  end.

Lemma land_nonzero a b x : bit a x = true -> bit b x = true -> negb (N.land a b =? 0)%N = true.
Proof.
  intros A B. destruct (N.eqb_spec (N.land a b) 0) as [E|]; [|reflexivity].
  pose proof (bit_land a b x) as H. rewrite E, A, B, bit_0 in H. discriminate.
Qed.

Theorem extend_sound : forall k tails zeros lines, extend k tails zeros lines = true ->
  forall line spot, (forall a, a < k -> In (line a) lines) -> (forall i, i < k -> bit zeros (spot i) = true) ->
  (forall i a, i < k -> a < k -> bit (line a) (spot i) = (i <=? a)) ->
  (forall tail, In tail tails -> exists x, bit tail x = true /\ forall a, a < k -> bit (line a) x = true) -> False.
Proof.
  induction k as [|k IH]; intros tails zeros lines E line spot L Z T Ta; [discriminate|]. cbn [extend] in E.
  set (fit := filter _ lines) in E.
  assert (forall a, a < S k -> In (line a) fit) as F.
  { intros a Ha. apply filter_In. split; [apply L, Ha|]. apply andb_true_intro. split.
    - apply (land_nonzero _ _ (spot a)); [apply Z, Ha|]. rewrite T by assumption. apply Nat.leb_refl.
    - apply forallb_forall. intros tail Ht. destruct (Ta tail Ht) as [x [X Y]].
      apply (land_nonzero _ _ x); [exact X|apply Y, Ha]. }
  apply orb_prop in E as [E|E].
  - apply Nat.ltb_lt in E. assert (NoDup (map line (seq 0 (S k - 0)))) as D.
    { apply NoDup_images. intros i j Hi Hj Q.
      pose proof (T i i Hi Hi) as A1. pose proof (T i j Hi Hj) as A2. pose proof (T j j Hj Hj) as A3.
      pose proof (T j i Hj Hi) as A4. rewrite Q in *.
      destruct (Nat.leb_spec j i), (Nat.leb_spec i j), (Nat.leb_spec i i), (Nat.leb_spec j j); try lia; congruence. }
    apply NoDup_incl_length with (l' := fit) in D.
    + rewrite map_length, seq_length in D. lia.
    + intros y Hy. apply in_map_iff in Hy as [a [<- Ha]]. apply in_seq in Ha. apply F. lia.
  - rewrite forallb_forall in E. specialize (E (line 0) (F 0 ltac:(lia))).
    apply (IH _ _ _ E (fun a => line (S a)) (fun i => spot (S i))).
    + intros a Ha. apply F. lia.
    + intros i Hi. rewrite bit_ldiff, Z, T by lia. reflexivity.
    + intros i a Hi Ha. rewrite T by lia. reflexivity.
    + intros tail Ht. apply in_app_or in Ht as [Ht|[<-|[]]].
      * apply in_map_iff in Ht as [old [<- Ho]]. destruct (Ta old Ho) as [x [X Y]]. exists x.
        rewrite bit_land, X, Y by lia. split; [reflexivity|]. intros a Ha. apply Y. lia.
      * exists (spot 0). rewrite bit_land, Z, T by lia.
        split; [reflexivity|]. intros a Ha. rewrite T by lia. reflexivity.
Qed.

(* as many lines as there may be: not so many follow each other *)
Definition check_extension (n : nat) (rows : list N) (size : N) (v : Z) : bool :=
  let by_rows := once rows in
  let by_columns := once (columns_of n rows) in
  let '(lines, m) := if length by_rows <=? length by_columns then (by_rows, n) else (by_columns, length rows) in
  (v =? Z.of_N size - 1)%Z && (0 <? size)%N
  && ((N.of_nat (length lines) <? size)%N || extend (N.to_nat size) [] (everywhere m) lines).

Theorem check_extension_sound n rows size v :
  check_extension n rows size v = true -> dimension_at_most (class_thresholds n rows) v.
Proof.
  unfold check_extension. intros H. assert (-1 <= v)%Z as V.
  { destruct (_ <=? _); do 2 apply andb_prop in H as [H _]; apply Z.eqb_eq in H; lia. }
  split; [exact V|]. intros k Th. apply thresholds_rows in Th as [_ [row_at [point [M T]]]].
  set (by_rows := once rows) in *. set (by_columns := once (columns_of n rows)) in *.
  assert (forall lines m, (v =? Z.of_N size - 1)%Z && (0 <? size)%N
    && ((N.of_nat (length lines) <? size)%N || extend (N.to_nat size) [] (everywhere m) lines) = true ->
    (N.to_nat size <= k -> exists line spot, (forall a, a < N.to_nat size -> In (line a) lines) /\
      (forall i, i < N.to_nat size -> spot i < m) /\
      forall i a, i < N.to_nat size -> a < N.to_nat size -> bit (line a) (spot i) = (i <=? a)) ->
    (Z.of_nat k <= v)%Z) as K.
  { clear. intros lines m H W. apply andb_prop in H as [H E]. apply andb_prop in H as [V _].
    apply Z.eqb_eq in V. subst v. destruct (le_lt_dec (N.to_nat size) k) as [G|]; [exfalso|lia].
    destruct (W G) as [line [spot [L [Sp B]]]]. apply orb_prop in E as [E|E].
    - apply N.ltb_lt in E. assert (NoDup (map line (seq 0 (N.to_nat size - 0)))) as D.
      { apply NoDup_images. intros i j Hi Hj Q.
        pose proof (B i i Hi Hi) as A1. pose proof (B i j Hi Hj) as A2. pose proof (B j j Hj Hj) as A3.
        pose proof (B j i Hj Hi) as A4. rewrite Q in *.
        destruct (Nat.leb_spec j i), (Nat.leb_spec i j), (Nat.leb_spec i i), (Nat.leb_spec j j); try lia; congruence. }
      apply NoDup_incl_length with (l' := lines) in D.
      + rewrite map_length, seq_length in D. lia.
      + intros y Hy. apply in_map_iff in Hy as [a [<- Ha]]. apply in_seq in Ha. apply L. lia.
    - apply (extend_sound _ _ _ _ E line spot L); [|exact B|intros _ []].
      intros i Hi. apply everywhere_bit, Sp, Hi. }
  destruct (length by_rows <=? length by_columns); eapply K; try exact H; intros G.
  - exists (fun a => row_at (N.to_nat size - 1 - a)), (fun i => point (N.to_nat size - 1 - i)).
    split; [|split].
    + intros a Ha. apply once_in, M. lia.
    + intros i Hi. apply M. lia.
    + intros i a Hi Ha. rewrite T by lia.
      destruct (Nat.leb_spec (N.to_nat size - 1 - a) (N.to_nat size - 1 - i)), (Nat.leb_spec i a); try lia; reflexivity.
  - destruct (triangle_columns _ _ _ _ _ M T) as [line [spot [L [_ B]]]]. exists line, spot.
    split; [|split].
    + intros a Ha. apply once_in, L. lia.
    + intros i Hi. apply L. lia.
    + intros i a Hi Ha. apply B; lia.
Qed.
