(* Classes of rows up to symmetry.  A class is a number whose bit i says whether row i belongs.  Growing
   classes by lower and lower rows, as long as no symmetry that is tried makes the class larger, finds an
   image of every class. *)
From Coq Require Import List NArith ZArith Lia Bool Permutation.
From CCSim Require Import Definitions OneWay Distributions Answers.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- classes as numbers ---- *)

Definition has (S : N) (i : nat) : bool := N.testbit S (N.of_nat i).
Definition bit (i : nat) : N := N.shiftl 1 (N.of_nat i).
Definition mask_of (l : list nat) : N := fold_right (fun i S => N.lor (bit i) S) 0%N l.
Definition members n (S : N) : list nat := filter (has S) (seq 0 n).
Definition below n (S : N) := forall i, (n <= i)%nat -> has S i = false.

Lemma has_ext S T : (forall i, has S i = has T i) -> S = T.
Proof. intros H. apply N.bits_inj. intros i. specialize (H (N.to_nat i)). unfold has in H. rewrite N2Nat.id in H.
  exact H. Qed.
Lemma has_bit i j : has (bit i) j = (i =? j)%nat.
Proof.
  unfold has, bit. destruct (Nat.eqb_spec i j) as [->|E].
  - rewrite N.shiftl_spec_high' by lia. rewrite N.sub_diag. reflexivity.
  - destruct (N.le_gt_cases (N.of_nat i) (N.of_nat j)) as [H|H].
    + rewrite N.shiftl_spec_high' by exact H. change 1%N with (2 ^ 0)%N. apply N.pow2_bits_false. lia.
    + apply N.shiftl_spec_low, H.
Qed.
Lemma has_lor S T i : has (N.lor S T) i = has S i || has T i.
Proof. apply N.lor_spec. Qed.
Lemma has_0 i : has 0 i = false.
Proof. apply N.bits_0. Qed.
Lemma has_mask l i : has (mask_of l) i = true <-> In i l.
Proof.
  induction l as [|j l IH].
  - change (mask_of []) with 0%N. rewrite has_0. split; [discriminate|contradiction].
  - change (mask_of (j :: l)) with (N.lor (bit j) (mask_of l)). cbn [In]. rewrite has_lor, has_bit, orb_true_iff, IH,
      Nat.eqb_eq. reflexivity.
Qed.
Lemma members_spec n S i : In i (members n S) <-> (i < n)%nat /\ has S i = true.
Proof. unfold members. rewrite filter_In, in_seq. intuition lia. Qed.
Lemma members_nodup n S : NoDup (members n S).
Proof. apply NoDup_filter, seq_NoDup. Qed.
Lemma below_small n S : below n S -> (S < 2 ^ N.of_nat n)%N.
Proof.
  intros B. destruct (N.eq_dec S 0) as [->|Z0]; [apply N.neq_0_lt_0, N.pow_nonzero; discriminate|].
  destruct (N.lt_ge_cases (N.log2 S) (N.of_nat n)) as [H|H].
  - apply N.log2_lt_pow2; [lia|exact H].
  - exfalso. pose proof (N.bit_log2 S Z0) as L. specialize (B (N.to_nat (N.log2 S)) ltac:(lia)).
    unfold has in B. rewrite N2Nat.id in B. congruence.
Qed.

(* ---- images ---- *)

Definition act n (g : nat -> nat) (S : N) : N := mask_of (map g (members n S)).
(* a permutation of the rows, as a function with its inverse *)
Definition permutes n (g : nat -> nat) := exists h, forall i, (i < n)%nat ->
  (g i < n)%nat /\ (h i < n)%nat /\ g (h i) = i /\ h (g i) = i.

Lemma permutes_id n : permutes n (fun i => i).
Proof. exists (fun i => i). auto. Qed.
Lemma permutes_compose n g h : permutes n g -> permutes n h -> permutes n (fun i => g (h i)).
Proof.
  intros [g' G] [h' H]. exists (fun i => h' (g' i)). intros i Hi.
  destruct (H i Hi) as [A [B [C D]]]. destruct (G (h i) A) as [E [E' [E1 E2]]].
  destruct (G i Hi) as [F [F' [F1 F2]]]. destruct (H (g' i) F') as [A' [B' [C' D']]].
  repeat split; try assumption; [rewrite C'; exact F1|rewrite E2; exact D].
Qed.
Lemma permutes_inj n g i j : permutes n g -> (i < n)%nat -> (j < n)%nat -> g i = g j -> i = j.
Proof. intros [h H] Hi Hj E. destruct (H i Hi) as [_ [_ [_ A]]]. destruct (H j Hj) as [_ [_ [_ B]]]. congruence. Qed.

Lemma has_act n g S j : has (act n g S) j = true <-> exists i, (i < n)%nat /\ has S i = true /\ g i = j.
Proof.
  unfold act. rewrite has_mask, in_map_iff. split.
  - intros [i [E I]]. apply members_spec in I as [I1 I2]. eauto.
  - intros [i [I1 [I2 E]]]. exists i. split; [exact E|]. apply members_spec. auto.
Qed.
Lemma act_below n g S : permutes n g -> below n (act n g S).
Proof.
  intros [h H] j J. destruct (has (act n g S) j) eqn:E; [|reflexivity]. apply has_act in E as [i [I [_ <-]]].
  destruct (H i I) as [K _]. lia.
Qed.
Lemma map_nodup n g l : permutes n g -> (forall i, In i l -> (i < n)%nat) -> NoDup l -> NoDup (map g l).
Proof.
  intros P B N. induction N as [|i l I N IH]; [constructor|]. cbn. constructor.
  - rewrite in_map_iff. intros [j [E J]]. apply I. rewrite <- (permutes_inj n g j i P); auto using in_eq, in_cons.
  - apply IH. auto using in_cons.
Qed.
Lemma act_members n g S : permutes n g -> Permutation (members n (act n g S)) (map g (members n S)).
Proof.
  intros P. assert (forall i, In i (members n S) -> (i < n)%nat) as B by (intros i I; apply members_spec in I; apply I).
  apply NoDup_Permutation; [apply members_nodup|apply (map_nodup n g _ P B), members_nodup|].
  intros j. rewrite members_spec, has_act, in_map_iff. split.
  - intros [_ [i [I1 [I2 E]]]]. exists i. split; [exact E|]. apply members_spec. auto.
  - intros [i [E I]]. apply members_spec in I as [I1 I2]. split; [|eauto].
    destruct P as [h H]. destruct (H i I1) as [K _]. lia.
Qed.
Lemma act_compose n g h S : permutes n h -> act n (fun i => g (h i)) S = act n g (act n h S).
Proof.
  intros P. apply has_ext. intros j. apply eq_true_iff_eq. rewrite !has_act. split.
  - intros [i [I [H E]]]. destruct P as [h' H']. destruct (H' i I) as [K _]. exists (h i). repeat split; try assumption.
    apply has_act. eauto.
  - intros [i [I [H E]]]. apply has_act in H as [i' [I' [H' <-]]]. eauto.
Qed.
Lemma act_id n S : below n S -> act n (fun i => i) S = S.
Proof.
  intros B. apply has_ext. intros j. apply eq_true_iff_eq. rewrite has_act. split.
  - intros [i [_ [H <-]]]. exact H.
  - intros H. exists j. repeat split; auto. destruct (Nat.lt_ge_cases j n) as [L|L]; [exact L|]. rewrite (B j L) in
      H. discriminate.
Qed.
Lemma act_ext n g h S : (forall i, (i < n)%nat -> g i = h i) -> act n g S = act n h S.
Proof.
  intros E. unfold act. f_equal. apply map_ext_in. intros i I. apply members_spec in I as [I _]. auto.
Qed.

(* the part of a class from row i on, and that an image of it that is larger makes the whole larger *)
Definition high i (T : N) : N := N.shiftl (N.shiftr T (N.of_nat i)) (N.of_nat i).
Lemma has_high i T j : has (high i T) j = (i <=? j)%nat && has T j.
Proof.
  unfold has, high. destruct (Nat.leb_spec i j) as [H|H].
  - rewrite N.shiftl_spec_high' by lia. rewrite N.shiftr_spec' by lia. cbn [andb]. f_equal. lia.
  - apply N.shiftl_spec_low. lia.
Qed.

Lemma included_le S T : (forall i, has S i = true -> has T i = true) -> (S <= T)%N.
Proof.
  intros H. apply N.ldiff_le, has_ext. intros i. rewrite has_0. unfold has in *. rewrite N.ldiff_spec.
  specialize (H i). destruct (N.testbit S (N.of_nat i)); [rewrite H; reflexivity|reflexivity].
Qed.

Lemma larger_prefix n g i T : permutes n g -> below n T -> (high i T < act n g (high i T))%N -> (T < act n g T)%N.
Proof.
  intros P B L. set (S := high i T) in *.
  assert (below n S) as BS by (intros j J; unfold S; rewrite has_high, (B j J); apply andb_false_r).
  assert (act n g S <= act n g T)%N as M.
  { apply included_le. intros j. rewrite !has_act. intros [k [K [H E]]]. exists k. repeat split; auto.
    unfold S in H. rewrite has_high in H. apply andb_prop in H as [_ H]. exact H. }
  set (d := N.of_nat i). assert (N.shiftr S d = N.shiftr T d) as R.
  { unfold S, high. apply N.bits_inj. intros j. rewrite N.shiftr_spec' by lia. rewrite N.shiftl_spec_high' by lia.
    f_equal. unfold d. lia. }
  destruct (N.lt_ge_cases T (act n g T)) as [H|H]; [exact H|exfalso].
  assert (N.shiftr (act n g S) d <= N.shiftr S d)%N as U.
  { rewrite R, !N.shiftr_div_pow2. apply N.div_le_mono; [apply N.pow_nonzero; discriminate|]. lia. }
  assert (N.shiftr S d <= N.shiftr (act n g S) d)%N as V.
  { rewrite !N.shiftr_div_pow2. apply N.div_le_mono; [apply N.pow_nonzero; discriminate|]. lia. }
  assert (N.shiftr S d = N.shiftr (act n g S) d) as E by lia.
  assert (incl (members n S) (map g (members n S))) as I.
  { intros j J. apply members_spec in J as [J1 J2]. apply has_mask. fold (act n g S). unfold has.
    assert (i <= j)%nat as K by (unfold S in J2; rewrite has_high in J2; apply andb_prop in J2 as [J2 _]; apply
      Nat.leb_le, J2).
    assert (N.testbit (N.shiftr S d) (N.of_nat (j - i)) = true) as X.
    { rewrite N.shiftr_spec' by lia. replace (N.of_nat (j - i) + d)%N with (N.of_nat j) by (unfold d; lia). exact J2. }
    rewrite E, N.shiftr_spec' in X by lia. replace (N.of_nat (j - i) + d)%N with (N.of_nat j) in X by (unfold d;
      lia). exact X. }
  assert (incl (map g (members n S)) (members n S)) as I'.
  { apply NoDup_length_incl; [apply members_nodup|rewrite map_length; apply Nat.le_refl|exact I]. }
  assert (act n g S <= S)%N; [|lia]. apply included_le. intros j J. unfold act in J. apply has_mask in J.
  specialize (I' j J). apply members_spec in I'. apply I'.
Qed.

(* ---- what a class costs, and symmetries that do not change it ---- *)

Lemma lsum_permutation {A} (f : A -> Z) l l' : Permutation l l' -> lsum f l = lsum f l'.
Proof. induction 1; cbn; lia. Qed.

Section Rows.
Variables (w : nat) (rows : list (list Z)) (labels : list Z).
Let n := length rows.

Definition cost_of (S : N) : Z := class_cost w rows (members n S).
Definition label_of (S : N) : Z := lsum (fun i => nth i labels 0) (members n S).
Definition keeps (g : nat -> nat) := permutes n g /\ forall S, cost_of (act n g S) = cost_of S /\ label_of (act n g
  S) = label_of S.

Lemma keeps_id : keeps (fun i => i).
Proof.
  split; [apply permutes_id|]. intros S. assert (members n (act n (fun i => i) S) = members n S) as E.
  { unfold members. apply filter_ext_in. intros i I. apply in_seq in I. apply eq_true_iff_eq. rewrite has_act. split.
    - intros [j [_ [H <-]]]. exact H.
    - intros H. exists i. repeat split; auto. lia. }
  unfold cost_of, label_of. rewrite E. auto.
Qed.
Lemma keeps_compose g h : keeps g -> keeps h -> keeps (fun i => g (h i)).
Proof.
  intros [P G] [Q H]. split; [apply permutes_compose; assumption|]. intros S. rewrite act_compose by exact Q.
  destruct (G (act n h S)) as [-> ->]. apply H.
Qed.

(* rows go to rows, and columns to columns or to what is opposite *)
Definition symmetric_rows (g tau : list nat) (flips : list bool) : bool :=
  forallb (fun i =>
    let r := nth i rows [] in let s := nth (nth i g O) rows [] in
    (nth (nth i g O) labels 0 =? nth i labels 0)
    && forallb (fun t => nth (nth t tau O) s 0 =? (if nth t flips false then - nth t r 0 else nth t r 0)) (seq 0 w))
    (seq 0 n).
Definition permutation k (l : list nat) : bool :=
  (length l =? k)%nat && forallb (fun i => (i <? k)%nat) l && forallb (fun i => existsb (Nat.eqb i) l) (seq 0 k).

Lemma permutation_spec k l : permutation k l = true -> permutes k (fun i => nth i l O) /\ Permutation l (seq 0 k).
Proof.
  intros H. apply andb_prop in H as [H S]. apply andb_prop in H as [L B]. apply Nat.eqb_eq in L.
  rewrite forallb_forall in S, B.
  assert (incl (seq 0 k) l) as I.
  { intros i J. specialize (S i J). apply existsb_exists in S as [j [J' E]]. apply Nat.eqb_eq in E. subst. exact J'. }
  assert (NoDup l) as N.
  { apply NoDup_incl_NoDup with (l := seq 0 k); [apply seq_NoDup|rewrite seq_length; lia|exact I]. }
  assert (incl l (seq 0 k)) as I'.
  { intros i J. specialize (B i J). apply Nat.ltb_lt in B. apply in_seq. lia. }
  split; [|apply NoDup_Permutation; [exact N|apply seq_NoDup|]; intros x; split; [apply I'|apply I]].
  set (h := fun j => match find (fun i => nth i l O =? j)%nat (seq 0 k) with Some i => i | None => O end).
  assert (forall j, (j < k)%nat -> (h j < k)%nat /\ nth (h j) l O = j) as Hh.
  { intros j J. unfold h. destruct (find _ _) as [i|] eqn:F.
    - apply find_some in F as [F1 F2]. apply in_seq in F1. apply Nat.eqb_eq in F2. split; [lia|exact F2].
    - exfalso. destruct (In_nth l j O (I j ltac:(apply in_seq; lia))) as [i [I1 I2]].
      pose proof (find_none _ _ F i ltac:(apply in_seq; lia)) as X. cbv beta in X. rewrite I2, Nat.eqb_refl in X.
        discriminate. }
  exists h. intros i Hi. assert (nth i l O < k)%nat as G.
  { rewrite <- L in Hi. specialize (B _ (nth_In l O Hi)). apply Nat.ltb_lt, B. }
  destruct (Hh i Hi) as [H1 H2]. destruct (Hh (nth i l O) G) as [H3 H4]. repeat split; try assumption.
  rewrite <- L in Hi, H3. exact (proj1 (NoDup_nth l O) N _ _ H3 Hi H4).
Qed.

Lemma zsum_permuted k l f : Permutation l (seq 0 k) -> length l = k -> zsum k f = zsum k (fun t => f (nth t l O)).
Proof. intros P L. rewrite <- L at 2. rewrite (zsum_list O f l). unfold zsum. symmetry. apply lsum_permutation, P. Qed.

Lemma symmetric_keeps g tau flips : wide w rows = true -> permutation n g = true -> permutation w tau = true ->
  symmetric_rows g tau flips = true -> keeps (fun i => nth i g O).
Proof.
  intros W Pg Pt H. assert (length tau = w) as Lt.
  { unfold permutation in Pt. apply andb_prop in Pt as [Pt _]. apply andb_prop in Pt as [Pt _]. apply Nat.eqb_eq, Pt. }
  apply permutation_spec in Pg as [Pg _]. apply permutation_spec in Pt as [_ Pt]. split; [exact Pg|].
  unfold symmetric_rows in H. rewrite forallb_forall in H.
  assert (forall i, (i < n)%nat -> nth (nth i g O) labels 0 = nth i labels 0 /\ forall t, (t < w)%nat ->
    entry_at rows (nth i g O) (nth t tau O) = if nth t flips false then - entry_at rows i t else entry_at rows i t)
      as G.
  { intros i Hi. specialize (H i ltac:(apply in_seq; lia)). apply andb_prop in H as [H1 H2]. apply Z.eqb_eq in H1.
    split; [exact H1|]. intros t Ht. rewrite forallb_forall in H2. specialize (H2 t ltac:(apply in_seq; lia)).
    apply Z.eqb_eq in H2. exact H2. }
  intros S. unfold cost_of, label_of, class_cost.
  pose proof (act_members n (fun i => nth i g O) S Pg) as Pm.
  assert (forall i, In i (members n S) -> (i < n)%nat) as B by (intros i I; apply members_spec in I; apply I).
  split.
  - rewrite (lsum_permutation _ _ _ Pm), lsum_map. f_equal.
    + apply lsum_ext. intros i I. destruct Pg as [h Hh]. destruct (Hh i (B i I)) as [K _].
      rewrite !size_entries, !(wide_nth w) by (try exact W; auto).
      rewrite (zsum_permuted w tau (fun t => Z.abs (nth t (nth (nth i g O) rows []) 0)) Pt Lt). apply zsum_ext.
        intros t Ht.
      destruct (G i (B i I)) as [_ E]. specialize (E t Ht). unfold entry_at in E. rewrite E. destruct (nth t flips
        false); lia.
    + rewrite (zsum_permuted w tau _ Pt Lt). apply zsum_ext. intros t Ht. rewrite (lsum_permutation _ _ _ Pm), lsum_map.
      destruct (nth t flips false) eqn:Fl.
      * rewrite (lsum_ext _ (fun i => -1 * entry_at rows i t)); [rewrite lsum_scale; lia|].
        intros i I. destruct (G i (B i I)) as [_ E]. rewrite (E t Ht), Fl. lia.
      * f_equal. apply lsum_ext. intros i I. destruct (G i (B i I)) as [_ E]. rewrite (E t Ht), Fl. reflexivity.
  - rewrite (lsum_permutation _ _ _ Pm), lsum_map. apply lsum_ext. intros i I. apply (G i (B i I)).
Qed.
End Rows.
