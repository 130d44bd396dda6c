(* No set of so many columns is shattered: sets grow by columns that leave each label in enough rows of
   all cells, which hold the rows with one labelling of the columns so far.  Of the images under
   symmetries that fix the columns so far one is tried. *)
From Coq Require Import List Arith NArith Lia Bool Permutation Orders Mergesort MSetPositive.
From CCSim Require Import Littlestone Definitions Json Tables Sorting Subsets Shattering Extension.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- counts ---- *)

Lemma nonempty_ones part : nonempty part = true -> (1 <= count_ones part)%N.
Proof.
  unfold nonempty. destruct part as [|p]; [discriminate|intros _]. cbn [count_ones].
  induction p as [p IH|p IH|]; cbn [ones_from]; [rewrite ones_from_add; lia|exact IH|lia].
Qed.

Lemma realised_ones rows : forall T part, NoDup T -> realised rows T part ->
  (2 ^ N.of_nat (length T) <= count_ones part)%N.
Proof.
  induction T as [|x T IH]; intros part D H.
  - apply nonempty_ones, (realised_nonempty _ _ _ H).
  - inversion D as [|? ? Nx D']; subst. destruct (realised_split _ _ _ _ Nx H) as [H1 H0].
    apply IH in H1, H0; try assumption. pose proof (count_ones_parts part (column rows x)).
    cbn [length]. rewrite Nat2N.inj_succ, N.pow_succ_r'. lia.
Qed.

Lemma within_ones : forall T left, NoDup T -> (forall x, In x T -> bit left x = true) ->
  (N.of_nat (length T) <= count_ones left)%N.
Proof.
  induction T as [|x T IH]; intros left D I; [cbn; lia|]. inversion D as [|? ? Nx D']; subst.
  assert (forall y, In y T -> bit (drop left x) y = true) as Q.
  { intros y Hy. rewrite bit_drop, I by (right; exact Hy).
    destruct (Nat.eqb_spec x y) as [->|]; [contradiction|reflexivity]. }
  apply (IH _ D') in Q. set (one := N.setbit 0 (N.of_nat x)). pose proof (count_ones_parts left one) as P.
  unfold drop in Q. fold one in Q.
  assert (1 <= count_ones (N.land left one))%N as O.
  { apply nonempty_ones. unfold nonempty. destruct (N.eqb_spec (N.land left one) 0) as [Z|]; [|reflexivity].
    assert (bit (N.land left one) x = true) as B; [|rewrite Z, bit_0 in B; discriminate].
    rewrite bit_land, (I x (or_introl eq_refl)), bit_testbit. unfold one. rewrite N.setbit_eqb, N.eqb_refl. reflexivity. }
  cbn [length]. rewrite Nat2N.inj_succ. lia.
Qed.

(* ---- columns that leave each label in enough rows of all cells ---- *)

Definition halves (half d V : N) : bool :=
  let number := count_ones (N.land V d) in
  if (half <=? number)%N then (half <=? count_ones V - number)%N else false.
Definition serves (half c : N) (parts : list N) (d : N) : bool :=
  forallb (fun V => let A := N.land V c in if halves half d A then halves half d (N.ldiff V c) else false) parts.

Fixpoint only (p : nat -> bool) (l : list nat) (left : N) : N :=
  match l with
  | [] => left
  | x :: l' => only p l' (if p x then left else drop left x)
  end.

Lemma only_among p : forall l left y, bit (only p l left) y = true -> bit left y = true.
Proof.
  induction l as [|x l IH]; intros left y H; [exact H|]. cbn [only] in H. apply IH in H.
  destruct (p x); [exact H|]. rewrite bit_drop in H. apply andb_prop in H. tauto.
Qed.
Lemma only_keeps p : forall l left y, bit left y = true -> p y = true -> bit (only p l left) y = true.
Proof.
  induction l as [|x l IH]; intros left y H P; [exact H|]. cbn [only]. apply IH; [|exact P].
  destruct (p x) eqn:E; [exact H|]. rewrite bit_drop, H.
  destruct (Nat.eqb_spec x y) as [->|]; [congruence|reflexivity].
Qed.

Lemma halves_keeps rows T V x : NoDup T -> In x T -> realised rows T V ->
  halves (2 ^ N.of_nat (pred (length T))) (column rows x) V = true.
Proof.
  intros D I H. apply in_split in I as [T1 [T2 ->]].
  assert (realised rows (x :: T1 ++ T2) V) as G.
  { intros labels. destruct (H labels) as [i [Hi M]]. exists i. split; [exact Hi|].
    intros y Hy. apply M. rewrite in_app_iff. cbn [In] in *. rewrite in_app_iff in Hy. tauto. }
  apply NoDup_remove in D as [D N]. destruct (realised_split _ _ _ _ N G) as [R1 R0].
  apply realised_ones in R1, R0; try assumption. pose proof (count_ones_parts V (column rows x)) as P.
  replace (pred (length (T1 ++ x :: T2))) with (length (T1 ++ T2)) by (rewrite !app_length; cbn; lia).
  unfold halves. destruct (N.leb_spec (2 ^ N.of_nat (length (T1 ++ T2))) (count_ones (N.land V (column rows x)))); [|lia].
  apply N.leb_le. lia.
Qed.

(* ---- the search ---- *)

Module ByCount <: TotalLeBool.
  Definition t := (N * N)%type.
  Definition leb (a b : t) := (fst a <=? fst b)%N.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. unfold leb. intros a b. rewrite !N.leb_le. lia. Qed.
End ByCount.
Module Counted := Sort ByCount.

(* small cells first: most columns fail there *)
Definition smallest_first (parts : list N) : list N :=
  map snd (Counted.sort (map (fun V => (count_ones V, V)) parts)).

Lemma smallest_first_in parts V : In V (smallest_first parts) -> In V parts.
Proof.
  unfold smallest_first. intros H. apply in_map_iff in H as [p [<- H]].
  apply (Permutation_in _ (Permutation_sym (Counted.Permuted_sort _))) in H.
  apply in_map_iff in H as [W [<- HW]]. exact HW.
Qed.

Section Search.
Variable n : nat.
Variable columns : list N.

(* no column that is left belongs to so many more with which all cells are shattered *)
Fixpoint count_search (more : nat) (parts : list N) (moves : list Subsets.move) (left : N) : bool :=
  match more with
  | O => (left =? 0)%N
  | S more' =>
      (fix loop (order : list nat) (left : N) : bool :=
         match order with
         | [] => (left =? 0)%N
         | x :: order' =>
             if bit left x then
               let others := drop left x in
               let c := column_at columns x in
               let half := (2 ^ N.of_nat more')%N in
               let left' := only (fun y => serves half c parts (column_at columns y)) (members n others) others in
               if (if (count_ones left' <? N.of_nat more)%N then true
                   else count_search more' (smallest_first (split_by c parts)) (fixing x moves) left')
               then let images := images_of n moves x in
                    if closed moves images then loop order' (fold_left drop images others) else false
               else false
             else loop order' left
         end) (ordered moves (members n left)) left
  end.
End Search.

(* what the search keeps true: A holds what has not been left out yet *)
Record counted (rows : list N) (k : nat) (chosen A : list nat) (parts : list N) (left : N) : Prop := {
  within : forall x, bit left x = true -> In x A;
  goes_on : forall T, NoDup T -> length T = S k -> (forall x, In x T -> In x A) -> takes (chosen ++ T) rows ->
    (forall x, In x T -> bit left x = true) /\ forall V, In V parts -> realised rows T V }.

Lemma serves_keeps n rows k x T parts y : NoDup (x :: T) -> length T = S k -> In y T -> x < n -> y < n ->
  (forall V, In V parts -> realised rows (x :: T) V) ->
  serves (2 ^ N.of_nat k) (column_at (columns_of n rows) x) parts (column_at (columns_of n rows) y) = true.
Proof.
  intros D L I Hx Hy R. inversion D as [|? ? Nx D']; subst. apply forallb_forall. intros V HV.
  destruct (realised_split _ _ _ _ Nx (R V HV)) as [R1 R0].
  unfold column_at. rewrite !columns_of_nth by assumption.
  pose proof (halves_keeps _ _ _ _ D' I R1) as H1. pose proof (halves_keeps _ _ _ _ D' I R0) as H0.
  rewrite L in H1, H0. cbn [pred] in *. rewrite H1. exact H0.
Qed.

Theorem count_search_sound n rows : forall more chosen A parts moves left,
  fit n (fun T => takes T rows) chosen moves A -> counted rows more chosen A parts left ->
  count_search n (columns_of n rows) more parts moves left = true ->
  refuted (fun T => takes T rows) (S more) chosen A.
Proof.
  induction more as [|more IH]; intros chosen A parts moves left Ft Kp H.
  - cbn [count_search] in H. apply N.eqb_eq in H. subst left. intros T D L S B.
    destruct (goes_on _ _ _ _ _ _ Kp T D L S B) as [Q _]. destruct T as [|t T]; [discriminate|].
    specialize (Q t (or_introl eq_refl)). rewrite bit_0 in Q. discriminate.
  - cbn [count_search] in H. set (loop := fix loop (order : list nat) (left : N) : bool := _) in H.
    assert (forall order A left, fit n (fun T => takes T rows) chosen moves A ->
      counted rows (S more) chosen A parts left -> (forall x, bit left x = true -> In x order) ->
      loop order left = true -> refuted (fun T => takes T rows) (S (S more)) chosen A) as K.
    { clear A left Ft Kp H. induction order as [|x order IHo]; intros A left Ft Kp O H.
      - intros T D L S B. destruct (goes_on _ _ _ _ _ _ Kp T D L S B) as [Q _].
        destruct T as [|t T]; [discriminate|]. apply (O t), Q. left. reflexivity.
      - unfold loop in H; fold loop in H. destruct (bit left x) eqn:Ex.
        + pose proof (within _ _ _ _ _ _ Kp x Ex) as Ax.
          assert (x < n) as Hx by (apply (below _ _ _ _ _ Ft), in_or_app; auto).
          cbv zeta in H. set (others := drop left x) in H.
          set (left' := only _ _ others) in H.
          destruct (if (count_ones left' <? _)%N then true else _) eqn:Es; [|discriminate].
          destruct (closed moves (images_of n moves x)) eqn:Ec; [|discriminate].
          assert (forall T, NoDup T -> length T = S more -> (forall y, In y T -> In y (without A [x])) ->
            takes ((x :: chosen) ++ T) rows -> ~ In x T /\
            (forall y, In y T -> bit left' y = true) /\ forall V, In V parts -> realised rows (x :: T) V) as W.
          { intros T D L S B. assert (~ In x T) as Nx.
            { intros Hi. apply S, without_spec in Hi as [_ Hi]. apply Hi. left. reflexivity. }
            destruct (goes_on _ _ _ _ _ _ Kp (x :: T)) as [Q R].
            - constructor; assumption.
            - simpl. rewrite L. reflexivity.
            - intros y [<-|Hy]; [exact Ax|]. apply S, without_spec in Hy as [Hy _]. exact Hy.
            - eapply takes_same; [|exact B]. intros y. simpl. rewrite !in_app_iff. simpl. tauto.
            - split; [exact Nx|]. split; [|exact R]. intros y Hy. apply only_keeps.
              + unfold others. rewrite bit_drop, Q by (right; exact Hy).
                destruct (Nat.eqb_spec x y) as [->|]; [contradiction|reflexivity].
              + assert (In y A) as Ay by (apply S, without_spec in Hy; tauto).
                apply serves_keeps with (T := T); try assumption; [constructor; assumption|].
                apply (below _ _ _ _ _ Ft), in_or_app. auto. }
          apply (refuted_cases n _ (takes_same rows) _ _ _ _ _ Ft Ax).
          * destruct (N.ltb_spec (count_ones left') (N.of_nat (S more))) as [F|_].
            -- intros T D L S B. destruct (W T D L S B) as [_ [Q _]].
               pose proof (within_ones T left' D Q). rewrite L in *. lia.
            -- refine (IH _ _ _ _ _ (fit_child _ _ _ _ _ _ Ft Ax) _ Es). split.
               ++ intros y Hy. apply only_among in Hy. unfold others in Hy. rewrite bit_drop in Hy.
                  apply andb_prop in Hy as [Hy Ne]. apply without_spec.
                  split; [eapply within; eauto|]. intros [->|[]]. rewrite Nat.eqb_refl in Ne. discriminate.
               ++ intros T D L S B. destruct (W T D L S B) as [Nx [Q R]]. split; [exact Q|].
                  intros V HV. apply smallest_first_in, in_flat_map in HV as [V0 [HV0 HV]]. unfold column_at in HV.
                  rewrite columns_of_nth in HV by exact Hx. destruct (realised_split _ _ _ _ Nx (R V0 HV0)) as [R1 R0].
                  destruct HV as [<-|[<-|[]]]; assumption.
          * refine (IHo _ _ (fit_rest _ _ _ _ _ _ Ft Ax Ec) _ _ H).
            -- destruct Kp as [I F]. split.
               ++ intros y Hy. rewrite bit_drop_all in Hy. apply andb_prop in Hy as [Hy M].
                  unfold others in Hy. rewrite bit_drop in Hy. apply andb_prop in Hy as [Hy _].
                  apply without_spec. split; [apply I, Hy|]. intros G. apply member_spec in G. rewrite G in M. discriminate.
               ++ intros T D L S B. destruct (F T D L) as [Q R].
                  { intros y Hy. specialize (S y Hy). apply without_spec in S. tauto. }
                  { exact B. }
                  split; [|exact R]. intros y Hy. specialize (Q y Hy). specialize (S y Hy).
                  apply without_spec in S as [_ S]. rewrite bit_drop_all. unfold others. rewrite bit_drop, Q.
                  destruct (member y (images_of n moves x)) eqn:M; [apply member_spec in M; contradiction|].
                  destruct (Nat.eqb_spec x y) as [->|]; [|reflexivity].
                  exfalso. apply S, images_of_self.
            -- intros y Hy. unfold others in Hy. rewrite bit_drop_all, bit_drop in Hy.
               apply andb_prop in Hy as [Hy _]. apply andb_prop in Hy as [Hy Ne].
               destruct (O y Hy) as [<-|Ho]; [rewrite Nat.eqb_refl in Ne; discriminate|exact Ho].
        + refine (IHo _ _ Ft Kp _ H). intros y Hy. destruct (O y Hy) as [<-|Ho]; [congruence|exact Ho]. }
    refine (K _ _ _ Ft Kp _ H). intros x Hx. apply ordered_in, members_in. split; [|exact Hx].
    apply (below _ _ _ _ _ Ft), in_or_app. right. eapply within; eauto.
Qed.

(* ---- equal rows are counted once ---- *)

Fixpoint firsts (known : PositiveSet.t) (rows : list N) : list bool :=
  match rows with
  | [] => []
  | r :: rows' => if PositiveSet.mem (key r) known then false :: firsts known rows'
                  else true :: firsts (PositiveSet.add (key r) known) rows'
  end.
Definition first_rows (rows : list N) : N := number_of (firsts PositiveSet.empty rows).

Lemma firsts_spec : forall rows known r, In r rows -> PositiveSet.mem (key r) known = false ->
  exists i, nth i (firsts known rows) false = true /\ nth i rows 0%N = r.
Proof.
  induction rows as [|a rows IH]; intros known r H M; [contradiction|]. cbn [firsts].
  destruct (N.eq_dec a r) as [->|Ne].
  - rewrite M. exists 0. split; reflexivity.
  - destruct H as [H|H]; [contradiction|]. destruct (PositiveSet.mem (key a) known).
    + destruct (IH known r H M) as [i [B E]]. exists (S i). split; assumption.
    + destruct (IH (PositiveSet.add (key a) known) r H) as [i [B E]]; [|exists (S i); split; assumption].
      destruct (PositiveSet.mem (key r) (PositiveSet.add (key a) known)) eqn:X; [|reflexivity].
      apply PositiveSet.mem_spec, PositiveSet.add_spec in X as [X|X].
      * apply key_inj in X. congruence.
      * apply PositiveSet.mem_spec in X. congruence.
Qed.

Lemma realised_firsts rows T : takes T rows -> realised rows T (first_rows rows).
Proof.
  intros H labels. destruct (H labels) as [r [Hr M]].
  destruct (firsts_spec rows PositiveSet.empty r Hr) as [i [B E]]; [reflexivity|].
  exists i. split; [unfold first_rows; rewrite bit_number_of; exact B|rewrite E; exact M].
Qed.

(* ---- no set of a size is shattered: there are too few rows, or sets do not grow so far ---- *)

Definition check_counting (n : nat) (rows : list N) (wanted : N) (S : list symmetry) : bool :=
  forallb (check_move n rows (number_all rows)) S
  && let all := first_rows rows in
     ((count_ones all =? 0)%N || (N.log2 (count_ones all) <? wanted)%N
      || (0 <? wanted)%N
         && let more := N.to_nat (N.pred wanted) in
            let columns := columns_of n rows in
            let left := only (fun x => halves (2 ^ N.of_nat more) (column_at columns x) all) (seq 0 n) (everywhere n) in
            count_search n columns more [all] (map (move_of n) S) left).

Theorem check_counting_sound n rows wanted S : check_counting n rows wanted S = true ->
  forall d, class_shattered n rows d -> (N.of_nat d < wanted)%N.
Proof.
  unfold check_counting. intros C d Sh. apply andb_prop in C as [CS C]. rewrite forallb_forall in CS.
  destruct (N.lt_ge_cases (N.of_nat d) wanted) as [|G]; [assumption|exfalso].
  destruct (shattered_takes n rows (N.to_nat wanted) d ltac:(lia) Sh) as [T [DT [LT [BT TT]]]].
  cbv zeta in C. pose proof (realised_firsts _ _ TT) as RF. apply orb_prop in C as [C|C].
  - pose proof (realised_ones _ _ _ DT RF) as Z. rewrite LT, N2Nat.id in Z. apply orb_prop in C as [C|C].
    + apply N.eqb_eq in C. pose proof (N.pow_nonzero 2 wanted ltac:(lia)). lia.
    + destruct (N.eqb_spec (count_ones (first_rows rows)) 0) as [E|Ne].
      * pose proof (N.pow_nonzero 2 wanted ltac:(lia)). lia.
      * apply N.ltb_lt, N.log2_lt_pow2 in C; lia.
  - apply andb_prop in C as [P C]. apply N.ltb_lt in P.
    set (more := N.to_nat (N.pred wanted)) in C. assert (length T = Datatypes.S more) as LM by (subst more; lia).
    assert (fit n (fun T => takes T rows) [] (map (move_of n) S) (seq 0 n)) as F.
    { constructor.
      - apply Forall_forall. intros m Hm. apply in_map_iff in Hm as [s [<- Hs]]. apply symmetric_takes, CS, Hs.
      - intros m c _ [].
      - intros m c Hm Hc. apply in_map_iff in Hm as [s [<- Hs]].
        specialize (CS s Hs). apply andb_prop in CS as [_ C2]. apply in_seq in Hc. apply in_seq.
        destruct (is_move_spec n _ C2 c ltac:(lia)) as [K _]. lia.
      - apply seq_NoDup.
      - intros c Hc. apply in_seq in Hc. lia.
      - constructor.
      - intros c []. }
    refine (count_search_sound n rows more [] _ _ _ _ F _ C T DT LM _ TT).
    + split.
      * intros x Hx. apply only_among in Hx. apply in_seq. split; [lia|].
        unfold everywhere in Hx. rewrite bit_number_of in Hx. destruct (le_lt_dec n x); [|lia].
        rewrite nth_overflow in Hx; [discriminate|]. rewrite repeat_length. assumption.
      * intros U D L I B. cbn [app] in B. pose proof (realised_firsts _ _ B) as R. split.
        -- intros x Hx. pose proof (I x Hx) as Ix. apply in_seq in Ix. apply only_keeps; [apply everywhere_bit; lia|].
           unfold column_at. rewrite columns_of_nth by lia. pose proof (halves_keeps _ _ _ _ D Hx R) as Q.
           rewrite L in Q. exact Q.
        -- intros V [<-|[]]. exact R.
    + intros x Hx. apply in_seq. specialize (BT x Hx). lia.
Qed.
