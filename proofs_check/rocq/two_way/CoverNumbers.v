(* Cover numbers and partition numbers: the rectangles that matter for a tree of cases, and certificates. *)
From Coq Require Import String List Arith NArith ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Json Certificate Sums OneWay Tables Sorting Cases Inputs Heaviest Covers FoolingSets CoverCases.
From CCSim Require Import Elimination Ranks.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- the inputs of the value in a rectangle ---- *)

Definition held_in (q : asked) (b : bool) (ks : list bool) (C : N) : N :=
  joined (width q) (map (fun p : bool * N => if fst p then N.land (snd p) C else 0%N) (combine ks (lines_of_value q b))).
Definition rows_in (q : asked) (r : rectangle) : list bool := map (fst r) (seq 0 (height q)).
Definition columns_in (q : asked) (r : rectangle) : N := number_of (map (snd r) (seq 0 (width q))).
Definition square (q : asked) : bool := length (lines q) =? height q.

Lemma held_in_bit q b ks C x y : length ks = length (lines q) -> y < width q ->
  bit (held_in q b ks C) (x * width q + y) = nth x ks false && (is_value b (problem_in q x y) && bit C y).
Proof.
  intros L Y. unfold held_in. rewrite joined_bit by exact Y. set (g := fun p : bool * N => _).
  change 0%N with (g (false, 0%N)) at 1. rewrite map_nth, combine_nth by (unfold lines_of_value; rewrite map_length; exact L).
  unfold g. cbn [fst snd]. destruct (nth x ks false); [|apply bit_0]. rewrite bit_land, line_of_value. reflexivity.
Qed.
Lemma number_of_map_bit (s : nat -> bool) m y : y < m -> bit (number_of (map s (seq 0 m))) y = s y.
Proof. intros Y. rewrite bit_number_of. apply (Mixture.nth_map_seq s m y false Y). Qed.
Lemma held_in_rectangle q b r x y : square q = true -> x < height q -> y < width q ->
  bit (held_in q b (rows_in q r) (columns_in q r)) (x * width q + y) = holds r x y && is_value b (problem_in q x y).
Proof.
  intros S X Y. apply Nat.eqb_eq in S. rewrite held_in_bit by (try exact Y; unfold rows_in; rewrite map_length, seq_length; auto).
  unfold rows_in, columns_in. rewrite (Mixture.nth_map_seq (fst r) (height q) x false X), number_of_map_bit by exact Y. unfold holds.
  destruct (fst r x), (snd r y), (is_value b (problem_in q x y)); reflexivity.
Qed.

(* the bits of such a number are inputs *)
Lemma joined_cell m : forall l i, bit (joined m l) i = true -> exists x y, x < length l /\ y < m /\ i = x * m + y.
Proof.
  induction l as [|r l IH]; intros i H; [rewrite bit_0 in H; discriminate|].
  unfold joined in H. cbn [fold_right] in H. fold (joined m l) in H. rewrite bit_lor, bit_land, bit_shiftl in H.
  destruct (Nat.ltb_spec i m) as [L|L]; [exists 0, i; cbn; repeat split; try lia; exact L|].
  rewrite everywhere_beyond, andb_false_r in H by exact L. cbn [orb] in H. destruct (IH _ H) as [x [y [X [Y E]]]].
  exists (S x), y. cbn [length]. repeat split; try lia; exact Y.
Qed.
Lemma held_in_subset q b r c : square q = true ->
  (forall x y, x < height q -> y < width q -> holds r x y = true -> problem_in q x y = Some b -> bit c (x * width q + y) = true) ->
  subset (held_in q b (rows_in q r) (columns_in q r)) c = true.
Proof.
  intros Sq H. apply subset_spec. intros i I. pose proof I as J. unfold held_in in J.
  apply joined_cell in J as [x [y [X [Y ->]]]]. rewrite map_length, combine_length in X.
  assert (x < height q) as X' by (unfold rows_in in X; rewrite map_length, seq_length in X; lia).
  rewrite held_in_rectangle in I by assumption. apply andb_prop in I as [R V].
  apply H; try assumption. apply is_value_spec, V.
Qed.

(* ---- all rectangles of the value ---- *)

Fixpoint row_choices (barred : list N) (free : N) : list (list bool * N) :=
  match barred with
  | [] => [([], free)]
  | bars :: rest =>
      let f := N.ldiff free bars in
      map (fun p => (false :: fst p, snd p)) (row_choices rest free)
      ++ if (f =? 0)%N then [] else map (fun p => (true :: fst p, snd p)) (row_choices rest f)
  end.
Fixpoint choices (l : list bool) : list (list bool) :=
  match l with
  | [] => [[]]
  | b :: l' => let r := choices l' in map (cons false) r ++ if b then map (cons true) r else []
  end.
Definition every (q : asked) (b : bool) : list N :=
  once (flat_map (fun p => map (fun C => held_in q b (fst p) (number_of C)) (choices (map (bit (snd p)) (seq 0 (width q)))))
    (row_choices (lines_of_value q (negb b)) (everywhere (width q)))).

Lemma choices_in : forall l k, length k = length l -> (forall i, nth i k false = true -> nth i l false = true) -> In k (choices l).
Proof.
  induction l as [|b l IH]; intros [|c k] L H; try discriminate; [left; reflexivity|]. cbn [choices]. injection L as L.
  specialize (IH k L (fun i => H (S i))). apply in_or_app. destruct c; [right|left; apply in_map, IH].
  specialize (H 0 eq_refl). cbn in H. rewrite H. apply in_map, IH.
Qed.
Lemma row_choices_in C : C <> 0%N -> forall barred free ks, length ks = length barred -> subset C free = true ->
  (forall x, nth x ks false = true -> N.land C (nth x barred 0%N) = 0%N) ->
  exists f, In (ks, f) (row_choices barred free) /\ subset C f = true.
Proof.
  intros N. induction barred as [|bars barred IH]; intros free [|k ks] L S H; try discriminate.
  - exists free. split; [left; reflexivity|exact S].
  - injection L as L. cbn [row_choices]. destruct k.
    + assert (subset C (N.ldiff free bars) = true) as T.
      { apply subset_spec. intros i I. rewrite bit_ldiff, (proj1 (subset_spec _ _) S i I). cbn [andb].
        specialize (H 0 eq_refl). cbn [nth] in H. rewrite (disjoint_bits _ _ i H I). reflexivity. }
      destruct (N.eqb_spec (N.ldiff free bars) 0) as [E|E].
      * exfalso. apply N. rewrite E in T. unfold subset in T. rewrite N.ldiff_0_r in T. apply N.eqb_eq, T.
      * destruct (IH _ ks L T (fun x => H (Datatypes.S x))) as [f [I F]]. exists f. split; [|exact F].
        apply in_or_app. right. apply in_map_iff. exists (ks, f). auto.
    + destruct (IH free ks L S (fun x => H (Datatypes.S x))) as [f [I F]]. exists f. split; [|exact F].
      apply in_or_app. left. apply in_map_iff. exists (ks, f). auto.
Qed.

Lemma columns_in_bit q r y : bit (columns_in q r) y = true -> y < width q /\ snd r y = true.
Proof.
  unfold columns_in. rewrite bit_number_of. intros H. destruct (Nat.lt_ge_cases y (width q)) as [Y|Y].
  - split; [exact Y|]. rewrite (Mixture.nth_map_seq (snd r) (width q) y false Y) in H. exact H.
  - rewrite nth_overflow in H by (rewrite map_length, seq_length; exact Y). discriminate.
Qed.
Lemma row_free q b r x : square q = true -> of_value (height q) (width q) (problem_in q) b r ->
  nth x (rows_in q r) false = true -> N.land (columns_in q r) (nth x (lines_of_value q (negb b)) 0%N) = 0%N.
Proof.
  intros Sq V H. assert (x < height q) as X.
  { destruct (Nat.lt_ge_cases x (height q)) as [X|X]; [exact X|].
    rewrite nth_overflow in H by (unfold rows_in; rewrite map_length, seq_length; exact X). discriminate. }
  unfold rows_in in H. rewrite (Mixture.nth_map_seq (fst r) (height q) x false X) in H.
  apply N.bits_inj_0. intros j. rewrite N.land_spec. rewrite <- (N2Nat.id j), <- !bit_testbit.
  destruct (bit (columns_in q r) (N.to_nat j)) eqn:C; [|reflexivity]. apply columns_in_bit in C as [Y C].
  rewrite line_of_value. cbn [andb]. apply (of_value_bits _ _ _ _ _ V X Y). unfold holds. rewrite H, C. reflexivity.
Qed.

Lemma every_in q b r : square q = true -> of_value (height q) (width q) (problem_in q) b r ->
  held_in q b (rows_in q r) (columns_in q r) <> 0%N -> In (held_in q b (rows_in q r) (columns_in q r)) (every q b).
Proof.
  intros Sq V N. pose proof Sq as L. apply Nat.eqb_eq in L.
  assert (columns_in q r <> 0%N) as C.
  { intros E. apply N. rewrite E. apply N.bits_inj_0. intros j. rewrite <- (N2Nat.id j), <- bit_testbit.
    destruct (bit _ (N.to_nat j)) eqn:B; [|reflexivity]. pose proof B as D. apply joined_cell in D as [x [y [_ [Y D]]]].
    rewrite D, held_in_bit, bit_0 in B by (try exact Y; unfold rows_in; rewrite map_length, seq_length; auto).
    rewrite !andb_false_r in B. discriminate. }
  destruct (row_choices_in _ C (lines_of_value q (negb b)) (everywhere (width q)) (rows_in q r)) as [f [I S]].
  - unfold rows_in, lines_of_value. rewrite !map_length, seq_length. auto.
  - apply subset_spec. intros i B. apply everywhere_bit. apply (columns_in_bit q r i B).
  - intros x H. apply (row_free q b r x Sq V H).
  - apply once_in, in_flat_map. exists (rows_in q r, f). split; [exact I|]. apply in_map_iff.
    exists (map (snd r) (seq 0 (width q))). split; [reflexivity|]. cbn [snd]. apply choices_in; [rewrite !map_length; reflexivity|].
    intros i H. assert (i < width q) as Y.
    { destruct (Nat.lt_ge_cases i (width q)) as [Y|Y]; [exact Y|].
      rewrite nth_overflow in H by (rewrite map_length, seq_length; exact Y). discriminate. }
    rewrite (Mixture.nth_map_seq (bit f) (width q) i false Y). apply (proj1 (subset_spec _ _) S). unfold columns_in.
    rewrite bit_number_of. exact H.
Qed.

(* ---- rectangles to which no line can be added ---- *)

Definition closed_sets (barred : list N) (full : N) : list N :=
  fold_left (fun found bars => once (found ++ map (fun s => N.ldiff s bars) found)) barred [full].
Definition maximal (q : asked) (b : bool) : list N :=
  let barred := lines_of_value q (negb b) in
  once (map (fun C => held_in q b (map (fun bars => (N.land bars C =? 0)%N) barred) C)
    (closed_sets barred (everywhere (width q)))).

Definition closed_by (ks : list bool) (barred : list N) (full : N) : N :=
  fold_left (fun s (p : bool * N) => if fst p then N.ldiff s (snd p) else s) (combine ks barred) full.
Lemma closed_sets_in : forall barred ks found full, length ks = length barred -> In full found ->
  In (closed_by ks barred full)
    (fold_left (fun found bars => once (found ++ map (fun s => N.ldiff s bars) found)) barred found).
Proof.
  induction barred as [|bars barred IH]; intros [|k ks] found full L I; try discriminate; [exact I|].
  injection L as L. cbn [fold_left]. unfold closed_by. cbn [combine fold_left fst snd].
  fold (closed_by ks barred (if k then N.ldiff full bars else full)). apply IH; [exact L|]. apply once_in, in_or_app.
  destruct k; [right; apply in_map_iff; exists full; auto|left; exact I].
Qed.
Lemma closed_by_bit y : forall ks barred full, length ks = length barred ->
  bit (closed_by ks barred full) y = true <->
  bit full y = true /\ forall x, nth x ks false = true -> bit (nth x barred 0%N) y = false.
Proof.
  induction ks as [|k ks IH]; intros [|bars barred] full L; try discriminate.
  - unfold closed_by. cbn. split; [intros H; split; [exact H|intros [|x] E; discriminate E]|intros [H _]; exact H].
  - injection L as L. unfold closed_by. cbn [combine fold_left fst snd].
    fold (closed_by ks barred (if k then N.ldiff full bars else full)). rewrite (IH _ _ L). split.
    + intros [F H]. destruct k.
      * rewrite bit_ldiff in F. apply andb_prop in F as [F B]. apply negb_true_iff in B. split; [exact F|].
        intros [|x] E; [exact B|apply (H x E)].
      * split; [exact F|]. intros [|x] E; [discriminate E|apply (H x E)].
    + intros [F H]. split; [|intros x E; apply (H (S x) E)]. destruct k; [|exact F].
      rewrite bit_ldiff, F. specialize (H 0 eq_refl). cbn [nth] in H. rewrite H. reflexivity.
Qed.

Lemma maximal_in q b r : square q = true -> of_value (height q) (width q) (problem_in q) b r ->
  exists c, In c (maximal q b) /\ subset (held_in q b (rows_in q r) (columns_in q r)) c = true.
Proof.
  intros Sq V. pose proof Sq as L. apply Nat.eqb_eq in L. set (barred := lines_of_value q (negb b)).
  assert (length (rows_in q r) = length barred) as Lr.
  { unfold rows_in, barred, lines_of_value. rewrite !map_length, seq_length. auto. }
  set (C := closed_by (rows_in q r) barred (everywhere (width q))).
  exists (held_in q b (map (fun bars => (N.land bars C =? 0)%N) barred) C). split.
  - apply once_in, in_map_iff. exists C. split; [reflexivity|]. apply closed_sets_in; [exact Lr|left; reflexivity].
  - apply held_in_subset; [exact Sq|]. intros x y X Y H E. pose proof H as H'. unfold holds in H'. apply andb_prop in H' as [Rx Cy].
    rewrite held_in_bit by (try exact Y; unfold barred, lines_of_value; rewrite !map_length; reflexivity).
    rewrite (proj2 (is_value_spec b _) E). cbn [andb].
    assert (nth x (rows_in q r) false = true) as Rn.
    { unfold rows_in. rewrite (Mixture.nth_map_seq (fst r) (height q) x false X). exact Rx. }
    assert (bit C y = true) as By.
    { apply closed_by_bit; [exact Lr|]. split; [apply everywhere_bit, Y|]. intros z Z. pose proof (row_free q b r z Sq V Z) as D.
      apply (disjoint_bits _ _ y D). unfold columns_in. rewrite number_of_map_bit by exact Y. exact Cy. }
    rewrite By, andb_true_r. assert (x < length barred) as Xb.
    { rewrite <- Lr. unfold rows_in. rewrite map_length, seq_length. exact X. }
    rewrite (nth_indep _ false ((fun bars => (N.land bars C =? 0)%N) 0%N)) by (rewrite map_length; exact Xb).
    rewrite (map_nth (fun bars => (N.land bars C =? 0)%N)). apply N.eqb_eq, N.bits_inj_0. intros j.
    rewrite N.land_spec, <- (N2Nat.id j), <- !bit_testbit. destruct (bit C (N.to_nat j)) eqn:Bj; [|apply andb_false_r].
    apply closed_by_bit in Bj as [_ Bj]; [|exact Lr]. rewrite (Bj x Rn). reflexivity.
Qed.

(* ---- trees of cases bound covers and partitions ---- *)

Definition node_in (q : asked) (j : json) : option question_node :=
  match j with
  | Array l => let* cells := each (cell_in q) l in Some (Ask cells)
  | _ => match fields ["weights"; "pairs"]%string j with
         | Some [w; p] => let* cells := weighted_cells q w in
                          let* sizes := list_of integer p in Some (Weigh cells sizes)
         | _ => None
         end
  end.
Lemma node_in_fine q j a : node_in q j = Some a -> fine q a.
Proof.
  assert (forall o, match o with Some [w; p] => let* cells := weighted_cells q w in
      let* sizes := list_of integer p in Some (Weigh cells sizes) | _ => None end = Some a -> fine q a) as W.
  { intros [[|w [|p [|]]]|] H; try discriminate. destruct (weighted_cells q w) as [cells|] eqn:E; [|discriminate].
    destruct (list_of integer p); [|discriminate]. injection H as <-. intros x y z I. apply (weighted_cells_sound _ _ _ E _ _ _ I). }
  unfold node_in. destruct j as [| | | |l|]; try apply W. destruct (each (cell_in q) l) as [cells|] eqn:E; [|discriminate].
  intros [= <-] x y I. destruct (each_in _ _ _ E _ I) as [d [_ R]]. exact (cell_in_sound _ _ _ _ R).
Qed.

Lemma times_inside_held q b l x y : square q = true -> x < height q -> y < width q -> problem_in q x y = Some b ->
  times_inside (one (code q (x, y))) (map (fun r => held_in q b (rows_in q r) (columns_in q r)) l) = times_held l x y.
Proof.
  intros Sq X Y E. unfold times_inside, times_held. induction l as [|r l IH]; [reflexivity|]. cbn [map filter].
  rewrite subset_one. unfold code at 1. cbn [fst snd]. rewrite held_in_rectangle by assumption.
  rewrite (proj2 (is_value_spec b _) E), andb_true_r. destruct (holds r x y); cbn [length]; rewrite IH; reflexivity.
Qed.
Lemma times_inside_other q b l x y : square q = true -> x < height q -> y < width q -> problem_in q x y <> Some b ->
  times_inside (one (code q (x, y))) (map (fun r => held_in q b (rows_in q r) (columns_in q r)) l) = 0.
Proof.
  intros Sq X Y E. unfold times_inside. induction l as [|r l IH]; [reflexivity|]. cbn [map filter].
  rewrite subset_one. unfold code at 1. cbn [fst snd]. rewrite held_in_rectangle by assumption.
  destruct (is_value b (problem_in q x y)) eqn:V; [apply is_value_spec in V; contradiction|]. rewrite andb_false_r. exact IH.
Qed.

Definition known_sets (q : asked) (b disjoint : bool) : list N := if disjoint then every q b else maximal q b.
Theorem cases_bound q b disjoint nodes v : square q = true -> (forall a, In a nodes -> fine q a) ->
  bound_by_cases q b disjoint (known_sets q b disjoint) nodes = Some v ->
  rectangles_at_least disjoint (height q) (width q) (problem_in q) b v.
Proof.
  intros Sq Fi H l [V C]. set (cells := fun r => held_in q b (rows_in q r) (columns_in q r)). destruct disjoint.
  - set (K := filter (fun c => negb (c =? 0)%N) (map cells l)).
    assert (forall p, p <> 0%N -> times_inside p K = times_inside p (map cells l)) as T.
    { intros p P. unfold K, times_inside. induction (map cells l) as [|c k IH]; [reflexivity|]. cbn [filter].
      destruct (N.eqb_spec c 0) as [->|N]; cbn [negb filter]; [|destruct (subset p c); cbn [length]; rewrite IH; reflexivity].
      unfold subset at 2. rewrite N.ldiff_0_r. destruct (N.eqb_spec p 0); [contradiction|exact IH]. }
    assert (forall i, one i <> 0%N) as O.
    { intros i E. pose proof (bit_one i i) as B. rewrite E, bit_0, Nat.eqb_refl in B. discriminate. }
    assert (v <= N.of_nat (length K))%N as B.
    { apply (bound_by_cases_sound q b true K) with (known := every q b) (nodes := nodes); try assumption.
      - intros x y X Y. rewrite T by apply O. split.
        + intros E. unfold in_one. rewrite T by apply O. unfold cells. rewrite times_inside_held by assumption. apply (C x y X Y E).
        + intros _. destruct (problem_in q x y) as [c|] eqn:E.
          * destruct (Bool.bool_dec c b) as [->|N].
            -- unfold cells. rewrite times_inside_held by assumption. specialize (C x y X Y E). cbn in C. lia.
            -- unfold cells. rewrite times_inside_other by (try assumption; congruence). lia.
          * unfold cells. rewrite times_inside_other by (try assumption; congruence). lia.
      - intros c I. apply filter_In in I as [I N]. apply in_map_iff in I as [r [<- I]].
        apply negb_true_iff, N.eqb_neq in N. apply every_in; [exact Sq|apply V, I|exact N]. }
    assert (length K <= length l); [|lia]. unfold K. rewrite <- (map_length cells l).
    generalize (map cells l). clear. induction l as [|c l IH]; [reflexivity|]. cbn. destruct (c =? 0)%N; cbn; lia.
  - assert (exists K, length K = length l /\ incl K (maximal q b) /\ forall i,
      times_inside (one i) (map cells l) <= times_inside (one i) K) as [K [Lk [Ik T]]].
    { clear C H. induction l as [|r l IH]; [exists []; repeat split; [intros c []|intros; apply le_n]|].
      destruct (IH (fun s I => V s (in_cons _ _ _ I))) as [K [L [I T]]].
      destruct (maximal_in q b r Sq (V r (in_eq _ _))) as [c [M S]]. exists (c :: K). split; [cbn; congruence|]. split.
      - intros d [<-|D]; [exact M|apply I, D].
      - intros i. specialize (T i).
        assert (forall d D, times_inside (one i) (d :: D) = (if bit d i then 1 else 0) + times_inside (one i) D) as U.
        { intros d D. unfold times_inside. cbn [filter]. rewrite subset_one. destruct (bit d i); reflexivity. }
        cbn [map]. rewrite !U. destruct (bit (cells r) i) eqn:B; [|destruct (bit c i); lia].
        rewrite (proj1 (subset_spec _ _) S i B). lia. }
    assert (v <= N.of_nat (length K))%N; [|rewrite <- Lk; assumption].
    apply (bound_by_cases_sound q b false K) with (known := maximal q b) (nodes := nodes); try assumption.
    intros x y X Y. split; [|discriminate]. intros E. unfold in_one. refine (Nat.le_trans _ _ _ _ (T _)). unfold cells.
    rewrite times_inside_held by assumption. apply (C x y X Y E).
Qed.

(* ---- certificates ---- *)

(* the matrix that is 1 on the inputs of the value, and 0 on those of the other one *)
Definition indicator (f : problem) (b : bool) : problem :=
  fun x y => match f x y with Some c => Some (Bool.eqb b c) | None => None end.

Lemma partition_products F n m f b l : covers true n m f b l -> has_products F n m (indicator f b) (length l).
Proof.
  intros [V C].
  assert (forall x y c, (x < n)%nat -> (y < m)%nat -> indicator f b x y = Some c ->
    Z.of_nat (times_held l x y) = Z.b2z c) as T.
  { intros x y c X Y E. unfold indicator in E. destruct (f x y) as [a|] eqn:G; [|discriminate]. injection E as <-.
    destruct (Bool.eqb b a) eqn:Q; [apply Bool.eqb_prop in Q; subst a; rewrite (C x y X Y G); reflexivity|].
    unfold times_held. destruct (filter _ l) as [|r k] eqn:L; [reflexivity|exfalso].
    assert (In r (filter (fun r => holds r x y) l)) as I by (rewrite L; left; reflexivity). apply filter_In in I as [I H].
    rewrite (V r I x y a X Y H G) in Q. rewrite Bool.eqb_reflx in Q. discriminate. }
  set (r0 := (fun _ : nat => false, fun _ : nat => false)).
  assert (forall x y, integer_sum (length l) (fun i => Z.b2z (fst (nth i l r0) x) * Z.b2z (snd (nth i l r0) y))%Z
    = Z.of_nat (times_held l x y)) as S.
  { clear. intros x y. induction l as [|r l IH]; [reflexivity|]. cbn [length]. rewrite integer_sum_shift. cbn [nth]. rewrite IH.
    unfold times_held. cbn [filter]. unfold holds at 2. destruct (fst r x), (snd r y); cbn [andb length Z.b2z]; lia. }
  destruct F as [|p]; cbn [has_products].
  - exists (fun x i => chance (fst (nth i l r0) x)), (fun y i => chance (snd (nth i l r0) y)). intros x y c X Y E.
    transitivity (inject_Z (Z.of_nat (times_held l x y))).
    + rewrite <- S, integer_sum_Q. apply sum_ext. intros i _.
      destruct (fst (nth i l r0) x), (snd (nth i l r0) y); reflexivity.
    + rewrite (T x y c X Y E). destruct c; reflexivity.
  - exists (fun x i => Z.b2z (fst (nth i l r0) x)), (fun y i => Z.b2z (snd (nth i l r0) y)). intros x y c X Y E.
    rewrite S, (T x y c X Y E), Z.sub_diag. apply Zmod_0_l.
Qed.

Definition cover_bound (disjoint : bool) (q : covering) (name : string) (data : json) : option N :=
  let F := of_problem q in
  if String.eqb name "weights" then
    match fields ["weights"%string] data with
    | Some [w] =>
        let* cells := weighted_cells F w in
        let* (all, most) := ratio F (of_bit q) disjoint cells in Some (Z.to_N (rounded_up all most))
    | _ => None
    end
  else if String.eqb name "cases" then
    match fields ["nodes"%string] data with
    | Some [n] =>
        let* nodes := list_of (node_in F) n in
        if square F then bound_by_cases F (of_bit q) disjoint (known_sets F (of_bit q) disjoint) nodes else None
    | _ => None
    end
  else if disjoint && String.eqb name "rank" then
    match fields ["field"; "proof"]%string data with
    | Some [s; p] =>
        let* s := scalars_in s in
        let* (inner_name, inner_data) := form p in
        rank_bound s (height F) (width F) (indicator (problem_in F) (of_bit q)) inner_name inner_data
    | _ => None
    end
  else None.
Definition cover_upper (disjoint : bool) (q : covering) (v : N) (name : string) (data : json) : bool :=
  String.eqb name "rectangles" &&
  match fields ["listed"%string] data with
  | Some [l] =>
      match list_of (rectangle_in (of_problem q) one_each) l with
      | Some l => (v =? size l)%N && forallb (fun p => (snd p =? 1)%Z) l
                  && check_cover (of_problem q) (of_bit q) disjoint 1 l
      | None => false
      end
  | _ => false
  end.

Theorem cover_bound_sound disjoint q v name data : cover_bound disjoint q name data = Some v ->
  rectangles_at_least disjoint (height (of_problem q)) (width (of_problem q)) (problem_in (of_problem q)) (of_bit q) v.
Proof.
  intros H. unfold cover_bound in H. destruct (String.eqb name "weights").
  - destruct (fields _ data) as [[|w [|]]|]; try discriminate. destruct (weighted_cells _ w) as [cells|]; [|discriminate].
    destruct (ratio _ _ _ cells) as [[all most]|] eqn:R; [|discriminate]. injection H as <-. intros l L.
    destruct (ratio_sound _ _ _ _ _ _ _ R (counted_covers _ _ _ _ _ _ L)) as [P [_ B]].
    rewrite counted_weight, <- inject_Z_mult, <- Zle_Qle in B. pose proof (rounded_up_le _ _ _ P B). lia.
  - destruct (String.eqb name "cases").
    + destruct (fields _ data) as [[|n [|]]|]; try discriminate. destruct (list_of _ n) as [nodes|] eqn:L; [|discriminate].
      destruct (square _) eqn:Sq; [|discriminate]. apply (cases_bound _ _ _ nodes _ Sq); [|exact H]. intros a I.
      destruct (list_of_in _ _ _ _ L I) as [j R]. exact (node_in_fine _ _ _ R).
    + destruct (disjoint && String.eqb name "rank") eqn:D; [|discriminate]. apply andb_prop in D as [D _]. subst disjoint.
      destruct (fields _ data) as [[|s [|p [|]]]|]; try discriminate. destruct (scalars_in s) as [F|]; [|discriminate].
      destruct (form p) as [[inner_name inner_data]|]; [|discriminate]. apply rank_bound_sound in H. intros l L.
      apply H, partition_products, L.
Qed.

Definition rectangles_kind (name : string) (disjoint : bool) : kind.
Proof.
  refine {|
    title := name; parameters := ["value"%string];
    ask := covering_in; number := natural;
    lower q v name data := is_bound v (cover_bound disjoint q name data); upper := cover_upper disjoint;
    lower_means q v := rectangles_at_least disjoint (height (of_problem q)) (width (of_problem q)) (problem_in (of_problem q)) (of_bit q) v;
    upper_means q v := rectangles_at_most disjoint (height (of_problem q)) (width (of_problem q)) (problem_in (of_problem q)) (of_bit q) v
  |}.
  - intros q v form data H. exact (cover_bound_sound _ _ _ _ _ (is_bound_spec _ _ H)).
  - intros q v form data H. unfold cover_upper in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|l [|]]|]; try discriminate. destruct (list_of _ l) as [l'|]; [|discriminate].
    apply andb_prop in H as [H C]. apply andb_prop in H as [V O]. apply N.eqb_eq in V. rewrite size_length in V.
    rewrite forallb_forall in O. exists (sets l'). split.
    + apply cover_by_sets; [|exact C]. intros p I. apply Z.eqb_eq, O, I.
    + unfold sets. rewrite map_length. lia.
Defined.
Definition cover_numbers : kind := rectangles_kind "cover_number" false.
Definition partition_numbers : kind := rectangles_kind "partition_number" true.
