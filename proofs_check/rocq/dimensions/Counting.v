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
      one_of_each n moves (fun x others =>
        let c := column_at columns x in
        let half := (2 ^ N.of_nat more')%N in
        let left' := only (fun y => serves half c parts (column_at columns y)) (members n others) others in
        if (count_ones left' <? N.of_nat more)%N then true
        else count_search more' (smallest_first (split_by c parts)) (fixing x moves) left')
        (ordered moves (members n left)) left
  end.
End Search.

Definition in_parts rows (parts : list N) (T : list nat) : Prop := forall V, In V parts -> realised rows T V.

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
  fit n (fun T => takes T rows) chosen moves A -> kept rows more chosen A (in_parts rows parts) left ->
  count_search n (columns_of n rows) more parts moves left = true ->
  refuted (fun T => takes T rows) (S more) chosen A.
Proof.
  induction more as [|more IH]; intros chosen A parts moves left Ft Kp H.
  - cbn [count_search] in H. apply N.eqb_eq in H. subst left. intros T D L S B.
    destruct (follow _ _ _ _ _ _ Kp T D L S B) as [Q _]. destruct T as [|t T]; [discriminate|].
    specialize (Q t (or_introl eq_refl)). rewrite bit_0 in Q. discriminate.
  - refine (one_of_each_sound _ _ _ _ _ _ _ _ _ _ _ Ft Kp _ H).
    + clear A left Ft Kp H. intros x A others Hx Ft Kp H. cbv zeta in H. set (left' := only _ _ others) in H.
      assert (forall T, NoDup T -> length T = S more -> (forall y, In y T -> In y A) ->
        takes ((x :: chosen) ++ T) rows -> (forall y, In y T -> bit left' y = true) /\
        in_parts rows (smallest_first (split_by (column_at (columns_of n rows) x) parts)) T) as W.
      { intros T D L S B. destruct (follow _ _ _ _ _ _ Kp T D L S B) as [Q [Nx R]]. split.
        - intros y Hy. apply only_keeps; [apply Q, Hy|].
          apply serves_keeps with (T := T); try assumption; [constructor; assumption|].
          apply (below _ _ _ _ _ Ft), in_or_app. auto.
        - intros V HV. apply smallest_first_in in HV. eapply realised_parts; eassumption. }
      destruct (N.ltb_spec (count_ones left') (N.of_nat (S more))) as [F|_].
      * intros T D L S B. destruct (W T D L S B) as [Q _]. pose proof (within_ones T left' D Q). rewrite L in *. lia.
      * refine (IH _ _ _ _ _ Ft _ H). split; [|exact W].
        intros y Hy. apply (inside _ _ _ _ _ _ Kp y), only_among with (1 := Hy).
    + intros x Hx. apply ordered_in, members_in. split; [|exact Hx].
      apply (below _ _ _ _ _ Ft), in_or_app. right. eapply inside; eauto.
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
    refine (count_search_sound n rows more [] _ _ _ _ (fit_all _ _ _ CS) _ C T DT LM _ TT).
    + split.
      * intros x Hx. apply everywhere_in, only_among with (1 := Hx).
      * intros U D L I B. cbn [app] in B. pose proof (realised_firsts _ _ B) as R. split.
        -- intros x Hx. pose proof (I x Hx) as Ix. apply in_seq in Ix. apply only_keeps; [apply everywhere_bit; lia|].
           unfold column_at. rewrite columns_of_nth by lia. pose proof (halves_keeps _ _ _ _ D Hx R) as Q.
           rewrite L in Q. exact Q.
        -- intros V [<-|[]]. exact R.
    + intros x Hx. apply in_seq. specialize (BT x Hx). lia.
Qed.
