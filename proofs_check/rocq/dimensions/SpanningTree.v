(* Columns are few that split many rows: if a tree joins all rows, and d columns differ on c of its
   edges, they leave at most c + 1 labellings. *)
From Coq Require Import List Arith NArith ZArith Lia Bool Permutation Sorted.
From Coq Require Import MSets.MSetPositive FSets.FMapPositive.
From CCSim Require Import Definitions Tables Sorting Shattering.
Import ListNotations.
Local Open Scope nat_scope.

(* each edge leads from a row that is reached to a new one; the columns on which they differ *)
Fixpoint join (known : numbered N) (seen : PositiveSet.t) (edges : list (N * N)) : option (list N * PositiveSet.t) :=
  match edges with
  | [] => Some ([], seen)
  | (r, s) :: edges' =>
      match entry known r, entry known s with
      | Some a, Some b =>
          let from_r := PositiveSet.mem (key r) seen in
          let from_s := PositiveSet.mem (key s) seen in
          if Bool.eqb from_r from_s then None
          else match join known (PositiveSet.add (key (if from_r then s else r)) seen) edges' with
               | Some (crossed, all) => Some (N.lxor a b :: crossed, all)
               | None => None
               end
      | _, _ => None
      end
  end.

Definition alike_on (X : list nat) (a b : N) : Prop := forall x, In x X -> bit a x = bit b x.
Definition crossings (X : list nat) (crossed : list N) : N := total (map (fun x => ones x crossed) X).

Lemma alike_or_crossed : forall X a b, alike_on X a b \/ (1 <= crossings X [N.lxor a b])%N.
Proof.
  induction X as [|x X IH]; intros a b; [left; intros x []|].
  unfold crossings. cbn [map total fold_right]. rewrite ones_cons. change (ones x []) with 0%N. rewrite bit_lxor.
  destruct (Bool.bool_dec (bit a x) (bit b x)) as [E|N].
  - destruct (IH a b) as [A|C]; [left; intros y [<-|Hy]; [exact E|apply A, Hy]|right].
    unfold crossings, total in C. lia.
  - right. destruct (bit a x), (bit b x); try (contradiction N; reflexivity); cbn [xorb]; unfold one; lia.
Qed.

Lemma crossings_cons X d crossed : crossings X (d :: crossed) = (crossings X [d] + crossings X crossed)%N.
Proof.
  unfold crossings. induction X as [|x X IH]; [reflexivity|]. cbn [map total fold_right].
  unfold total in IH. rewrite IH, (ones_cons x d crossed), (ones_cons x d []). change (ones x []) with 0%N. lia.
Qed.

(* so many rows stand for all that are reached *)
Definition stand_for (known : numbered N) (seen : PositiveSet.t) (X : list nat) (L : list N) : Prop :=
  forall i a, PositiveSet.mem (key i) seen = true -> entry known i = Some a -> exists b, In b L /\ alike_on X a b.

Lemma mem_add i j seen : PositiveSet.mem (key i) (PositiveSet.add (key j) seen) = true ->
  i = j \/ PositiveSet.mem (key i) seen = true.
Proof.
  intros H. apply PositiveSet.mem_spec, PositiveSet.add_spec in H as [H|H].
  - left. apply key_inj, H.
  - right. apply PositiveSet.mem_spec, H.
Qed.

Lemma stand_for_more known seen X L r s a b : stand_for known seen X L ->
  entry known r = Some a -> entry known s = Some b -> PositiveSet.mem (key r) seen = true ->
  exists L', stand_for known (PositiveSet.add (key s) seen) X L' /\
    (size L' <= size L + crossings X [N.lxor a b])%N.
Proof.
  intros S Ea Eb M. destruct (S r a M Ea) as [c [Hc Ac]]. destruct (alike_or_crossed X a b) as [A|C].
  - exists L. split; [|lia]. intros i e Hi He. apply mem_add in Hi as [->|Hi]; [|apply (S i e Hi He)].
    rewrite Eb in He. injection He as <-. exists c. split; [exact Hc|]. intros x Hx. rewrite <- (A x Hx). apply Ac, Hx.
  - exists (b :: L). split.
    + intros i e Hi He. apply mem_add in Hi as [->|Hi].
      * rewrite Eb in He. injection He as <-. exists b. split; [left; reflexivity|intros x _; reflexivity].
      * destruct (S i e Hi He) as [f [Hf Af]]. exists f. split; [right; exact Hf|exact Af].
    + rewrite !size_length. cbn [length]. lia.
Qed.

Lemma join_spec known X : forall edges seen crossed all L, join known seen edges = Some (crossed, all) ->
  stand_for known seen X L ->
  exists L', stand_for known all X L' /\ (size L' <= size L + crossings X crossed)%N.
Proof.
  induction edges as [|[r s] edges IH]; intros seen crossed all L H S; cbn [join] in H.
  - injection H as <- <-. exists L. split; [exact S|lia].
  - destruct (entry known r) as [a|] eqn:Ea; [|discriminate]. destruct (entry known s) as [b|] eqn:Eb; [|discriminate].
    destruct (PositiveSet.mem (key r) seen) eqn:Mr, (PositiveSet.mem (key s) seen) eqn:Ms; try discriminate;
      cbn [Bool.eqb] in H; destruct (join _ _ edges) as [[more all']|] eqn:J; try discriminate; injection H as <- <-.
    + destruct (stand_for_more _ _ _ _ _ _ _ _ S Ea Eb Mr) as [L1 [S1 B1]].
      destruct (IH _ _ _ _ J S1) as [L2 [S2 B2]]. exists L2. split; [exact S2|]. rewrite crossings_cons. lia.
    + destruct (stand_for_more _ _ _ _ _ _ _ _ S Eb Ea Ms) as [L1 [S1 B1]]. rewrite N.lxor_comm in B1.
      destruct (IH _ _ _ _ J S1) as [L2 [S2 B2]]. exists L2. split; [exact S2|]. rewrite crossings_cons. lia.
Qed.

(* the largest number of columns to which the largest numbers of crossings leave all labellings *)
Fixpoint widest (d most power best : N) (counts : list N) : N :=
  let best := if (power <=? most)%N then d else best in
  match counts with
  | [] => best
  | c :: counts' => widest (N.succ d) (most + c) (N.double power) best counts'
  end.

Lemma widest_spec : forall counts d most power best, (best <= d)%N ->
  (best <= widest d most power best counts)%N /\
  forall m, m <= length counts -> (power * 2 ^ N.of_nat m <= most + total (firstn m counts))%N ->
    (d + N.of_nat m <= widest d most power best counts)%N.
Proof.
  induction counts as [|c counts IH]; intros d most power best B; cbn [widest].
  - split; [destruct (N.leb_spec power most); lia|]. intros m Hm H. simpl in Hm.
    replace m with 0 in * by lia. simpl in H. rewrite N.mul_1_r, N.add_0_r in H.
    destruct (N.leb_spec power most); lia.
  - set (best' := if (power <=? most)%N then d else best).
    assert (best' <= d /\ best <= best')%N as [B' M] by (unfold best'; destruct (N.leb_spec power most); lia).
    destruct (IH (N.succ d) (most + c)%N (N.double power) best' ltac:(lia)) as [I1 I2].
    split; [lia|]. intros [|m] Hm H.
    + simpl in H. rewrite N.mul_1_r, N.add_0_r in H. unfold best' in *.
      destruct (N.leb_spec power most); lia.
    + replace (d + N.of_nat (S m))%N with (N.succ d + N.of_nat m)%N by lia. apply I2; [simpl in Hm; lia|].
      cbn [firstn total fold_right] in H. unfold total. rewrite Nat2N.inj_succ, N.pow_succ_r' in H.
      rewrite N.double_spec. lia.
Qed.

(* the bound that a tree proves, if it joins all rows *)
Definition tree_bound (n : nat) (rows : list N) (edges : list (N * N)) : option N :=
  match rows, join (number_all rows) (PositiveSet.singleton (key 0)) edges with
  | _ :: _, Some (crossed, all) =>
      if forallb (fun i => PositiveSet.mem (key (N.of_nat i)) all) (seq 0 (length rows))
      then Some (widest 0 1 1 0 (Down.sort (map (fun x => ones x crossed) (seq 0 n))))
      else None
  | _, _ => None
  end.

Lemma entry_all {A} : forall (l : list A) known k j a, nth_error l j = Some a ->
  PositiveMap.find (Pos.of_nat (Pos.to_nat k + j)) (number_from known k l) = Some a.
Proof.
  assert (forall (l : list A) known k p, (p < k)%positive ->
    PositiveMap.find p (number_from known k l) = PositiveMap.find p known) as K.
  { induction l as [|b l IH]; intros known k p L; cbn [number_from]; [reflexivity|].
    rewrite IH by lia. apply PositiveMap.gso. lia. }
  induction l as [|b l IH]; intros known k j a H; [destruct j; discriminate|]. cbn [number_from]. destruct j as [|j].
  - injection H as ->. rewrite Nat.add_0_r, Pos2Nat.id, K by lia. apply PositiveMap.gss.
  - replace (Pos.to_nat k + S j) with (Pos.to_nat (Pos.succ k) + j) by (rewrite Pos2Nat.inj_succ; lia).
    apply IH. exact H.
Qed.

Lemma entry_complete {A} (l : list A) j a : nth_error l j = Some a -> entry (number_all l) (N.of_nat j) = Some a.
Proof.
  intros H. pose proof (entry_all l (PositiveMap.empty A) 1%positive j a H) as E. unfold entry, number_all.
  replace (key (N.of_nat j)) with (Pos.of_nat (Pos.to_nat 1 + j)); [exact E|]. unfold key.
  rewrite <- (Pos2Nat.id (N.succ_pos (N.of_nat j))). f_equal.
  pose proof (N.succ_pos_spec (N.of_nat j)). lia.
Qed.

Theorem tree_bound_sound n rows edges v : tree_bound n rows edges = Some v ->
  forall d, class_shattered n rows d -> (N.of_nat d <= v)%N.
Proof.
  unfold tree_bound. intros H d Sh. destruct rows as [|r0 rest] eqn:R; [discriminate|]. rewrite <- R in *.
  destruct (join _ _ edges) as [[crossed all]|] eqn:J; [|discriminate].
  destruct (forallb _ _) eqn:F; [|discriminate]. injection H as <-. rewrite forallb_forall in F.
  destruct (shattered_takes n rows d d (le_n d) Sh) as [X [DX [LX [BX TX]]]].
  assert (nth_error rows 0 = Some r0) as E0 by (rewrite R; reflexivity).
  destruct (join_spec _ X _ _ _ _ [r0] J) as [L [S B]].
  { intros i a Hi Ha. apply PositiveSet.mem_spec, PositiveSet.singleton_spec, key_inj in Hi. subst i.
    apply entry_spec in Ha. change (N.to_nat 0) with 0 in Ha. rewrite E0 in Ha. injection Ha as <-.
    exists r0. split; [left; reflexivity|intros x _; reflexivity]. }
  assert (takes X L) as TL.
  { intros labels. destruct (TX labels) as [r [Hr M]]. apply In_nth_error in Hr as [i Hi].
    assert (i < length rows) as Bi by (apply nth_error_Some; congruence).
    destruct (S (N.of_nat i) r) as [b [Hb A]]; [apply F, in_seq; lia|apply entry_complete, Hi|].
    exists b. split; [exact Hb|]. intros x Hx. rewrite <- (A x Hx). apply M, Hx. }
  apply takes_size in TL; [|exact DX]. rewrite LX in TL. change (size [r0]) with 1%N in B.
  set (counts := map (fun x => ones x crossed) (seq 0 n)).
  set (rest' := filter (fun x => negb (existsb (Nat.eqb x) X)) (seq 0 n)).
  assert (Permutation (X ++ rest') (seq 0 n)) as P.
  { assert (forall x, existsb (Nat.eqb x) X = true <-> In x X) as Q.
    { intros x. rewrite existsb_exists. split; [intros [y [Hy E]]; apply Nat.eqb_eq in E as ->; exact Hy|].
      intros Hx. exists x. split; [exact Hx|apply Nat.eqb_refl]. }
    apply NoDup_Permutation; [|apply seq_NoDup|].
    - assert (forall l l' : list nat, NoDup l -> NoDup l' -> (forall x, In x l -> ~ In x l') -> NoDup (l ++ l')) as Ap.
      { clear. induction l as [|x l IH]; intros l' D D' N; [exact D'|]. apply NoDup_cons_iff in D as [Nx Dl]. simpl.
        constructor; [|apply IH; [exact Dl|exact D'|intros y Hy; apply N; simpl; auto]].
        intros H. apply in_app_or in H as [H|H]; [contradiction|]. apply (N x (or_introl eq_refl) H). }
      apply Ap; [exact DX|apply NoDup_filter, seq_NoDup|].
      intros x Hx Hr. apply filter_In in Hr as [_ Hr]. apply Q in Hx. rewrite Hx in Hr. discriminate.
    - intros x. rewrite in_app_iff. unfold rest'. rewrite filter_In, in_seq. split.
      + intros [Hx|[Hx _]]; [|exact Hx]. specialize (BX x Hx). lia.
      + intros Hx. destruct (existsb (Nat.eqb x) X) eqn:E; [left; apply Q, E|right; split; [exact Hx|reflexivity]]. }
  assert (Permutation (map (fun x => ones x crossed) X ++ map (fun x => ones x crossed) rest')
                      (Down.sort counts)) as PC.
  { rewrite <- map_app. eapply Permutation_trans; [apply Permutation_map, P|]. apply Down.Permuted_sort. }
  apply total_largest in PC.
  2: { apply Down.StronglySorted_sort. intros a b c. unfold Descending.leb, is_true. rewrite !N.leb_le. lia. }
  rewrite map_length, LX in PC.
  assert (d <= length (Down.sort counts)) as Ld.
  { rewrite <- (Permutation_length (Down.Permuted_sort counts)). unfold counts. rewrite map_length, seq_length.
    apply Permutation_length in P. rewrite app_length, seq_length in P. lia. }
  pose proof (proj2 (widest_spec (Down.sort counts) 0 1 1 0 ltac:(lia)) d Ld) as W. fold counts.
  unfold crossings in B. lia.
Qed.
