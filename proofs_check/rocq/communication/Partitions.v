(* What a partition of the rows into so many classes costs at least: the least costs of a class by the sum
   of its labels, joined. *)
From Coq Require Import List NArith ZArith Lia Bool Permutation FMapPositive.
From CCSim Require Import Definitions OneWay Distributions Answers Classes Growing.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- partitions ---- *)

Definition one (S : N) i : Z := if has S i then 1 else 0.
(* every row of what is left belongs to exactly one of the classes, and no other row to any *)
Definition parts (left : N) (Cs : list N) := forall i, lsum (fun C => one C i) Cs = one left i.

Lemma one_pos S i : 0 <= one S i <= 1.
Proof. unfold one. destruct (has S i); lia. Qed.
Lemma parts_some left Cs i : parts left Cs -> has left i = true -> exists C, In C Cs /\ has C i = true.
Proof.
  intros P H. specialize (P i). unfold one at 2 in P. rewrite H in P.
  assert (lsum (fun C => one C i) Cs <> 0) as X by lia. clear P H. induction Cs as [|C Cs IH]; [cbn in X; lia|].
  destruct (has C i) eqn:E; [exists C; split; [apply in_eq|exact E]|]. cbn in X. unfold one at 1 in X. rewrite E in X.
  destruct (IH X) as [D [D1 D2]]. exists D. split; [apply in_cons, D1|exact D2].
Qed.
Lemma parts_take left A C B : parts left (A ++ C :: B) ->
  (forall i, has C i = true -> has left i = true) /\ parts (N.ldiff left C) (A ++ B).
Proof.
  intros P. assert (forall i, lsum (fun D => one D i) (A ++ B) + one C i = one left i /\ 0 <= lsum (fun D => one D i)
    (A ++ B)) as G.
  { intros i. specialize (P i). rewrite lsum_app in P. cbn [lsum] in P. rewrite lsum_app. split; [lia|].
    pose proof (lsum_nonneg (fun D => one D i) A ltac:(intros; apply one_pos)).
    pose proof (lsum_nonneg (fun D => one D i) B ltac:(intros; apply one_pos)). lia. }
  split.
  - intros i H. destruct (G i) as [G1 G2]. unfold one in G1 at 2 3. rewrite H in G1. destruct (has left i);
      [reflexivity|lia].
  - intros i. destruct (G i) as [G1 G2]. unfold one in G1 at 2 3. unfold one at 2. unfold has in *. rewrite
      N.ldiff_spec.
    destruct (N.testbit left (N.of_nat i)), (N.testbit C (N.of_nat i)); cbn [andb negb]; lia.
Qed.
Lemma parts_empty Cs : parts 0 Cs -> forall C, In C Cs -> C = 0%N.
Proof.
  intros P C I. apply in_split in I as [A [B ->]]. apply parts_take in P as [P _]. apply has_ext. intros i. rewrite
    has_0.
  destruct (has C i) eqn:E; [|reflexivity]. specialize (P i E). rewrite has_0 in P. discriminate.
Qed.
Lemma parts_one left C : parts left [C] -> C = left.
Proof.
  intros P. apply has_ext. intros i. specialize (P i). cbn in P. unfold one in P. destruct (has C i), (has left i);
    lia || reflexivity.
Qed.

Section Partitions.
Variables (w : nat) (rows : list (list Z)) (labels : list Z).
Let n := length rows.
Notation cost_of := (cost_of w rows).
Notation label_of := (label_of rows labels).

Lemma members_sum f S : lsum f (members n S) = zsum n (fun i => one S i * f i).
Proof.
  unfold members, zsum. induction (seq 0 n) as [|i l IH]; [reflexivity|]. cbn [filter lsum]. unfold one at 1.
  destruct (has S i); cbn [lsum]; rewrite IH; lia.
Qed.
Lemma label_parts left Cs : parts left Cs -> label_of left = lsum label_of Cs.
Proof.
  intros P. unfold Classes.label_of. fold n. rewrite members_sum.
  rewrite (lsum_ext (fun S => lsum (fun i => nth i labels 0) (members n S)) (fun S => zsum n (fun i => one S i * nth
    i labels 0)))
    by (intros S _; apply members_sum).
  rewrite lsum_zsum. apply zsum_ext. intros i _. rewrite <- (P i).
  rewrite (lsum_ext (fun S => one S i * nth i labels 0) (fun S => nth i labels 0 * one S i)) by (intros; ring).
  rewrite lsum_scale. ring.
Qed.

Definition everything : N := mask_of (seq 0 n).
Lemma has_everything i : has everything i = (i <? n)%nat.
Proof. apply eq_true_iff_eq. unfold everything. rewrite has_mask, in_seq, Nat.ltb_lt. lia. Qed.
Lemma below_everything : below n everything.
Proof. intros i H. rewrite has_everything. apply Nat.ltb_ge, H. Qed.

Theorem forced_parts k B : wide w rows = true ->
  (forall Cs, length Cs = k -> (forall C, In C Cs -> below n C) -> parts everything Cs -> B <= lsum cost_of Cs) ->
  forced rows k B.
Proof.
  intros W H a z A. fold n in A |- *.
  set (class := fun i => mask_of (filter (fun j => (i =? a j)%nat) (seq 0 n))).
  assert (forall i j, has (class i) j = (j <? n)%nat && (i =? a j)%nat) as Hc.
  { intros i j. apply eq_true_iff_eq. unfold class. rewrite has_mask, filter_In, in_seq, andb_true_iff, Nat.ltb_lt.
    intuition lia. }
  specialize (H (map class (seq 0 k))). rewrite map_length, seq_length in H. specialize (H eq_refl).
  assert (lsum cost_of (map class (seq 0 k)) <= zsum n (fun j => lost (z (a j)) (nth j rows []))); [|etransitivity;
    [apply H|]; auto].
  - rewrite lsum_map. rewrite (zsum_ext n _ (fun j => zsum k (fun i => one (class i) j * lost (z i) (nth j rows [])))).
    + unfold zsum at 1. rewrite lsum_zsum. apply zsum_le. intros i Hi. unfold Classes.cost_of. fold n.
      etransitivity; [apply (class_cost_least w rows (z i))|].
      * exact W.
      * intros j J. apply members_spec in J. apply J.
      * rewrite members_sum. apply Z.le_refl.
    + intros j Hj. rewrite <- (zsum_pick k (a j) (fun i => lost (z i) (nth j rows [])) (A j Hj)). apply zsum_ext.
        intros i Hi.
      unfold one. rewrite Hc. apply Nat.ltb_lt in Hj. rewrite Hj. cbn [andb]. destruct (i =? a j)%nat; lia.
  - intros C I. apply in_map_iff in I as [i [<- _]]. intros j J. rewrite Hc.
    replace (j <? n)%nat with false by (symmetry; apply Nat.ltb_ge, J). reflexivity.
  - intros j. rewrite lsum_map. unfold one at 2. rewrite has_everything. destruct (Nat.ltb_spec j n) as [L|L].
    + rewrite <- (zsum_pick k (a j) (fun _ => 1) (A j L)). apply lsum_ext. intros i _. unfold one. rewrite Hc.
      apply Nat.ltb_lt in L. rewrite L. reflexivity.
    + rewrite (lsum_ext _ (fun _ => 0)); [apply lsum_zero|]. intros i _. unfold one. rewrite Hc.
      apply Nat.ltb_ge in L. rewrite L. reflexivity.
Qed.

(* ---- least costs by the sum of labels ---- *)

Notation costs := (PositiveMap.t Z).
Definition zkey (z : Z) : positive := match z with Z0 => xH | Zpos p => xO p | Zneg p => xI p end.
Definition unkey (p : positive) : Z := match p with xH => Z0 | xO p => Zpos p | xI p => Zneg p end.
Definition at_label (M : costs) t : option Z := PositiveMap.find (zkey t) M.
Definition put t c (M : costs) : costs :=
  match at_label M t with Some d => if c <? d then PositiveMap.add (zkey t) c M else M | None => PositiveMap.add
    (zkey t) c M end.
(* with this sum of labels something is known that costs no more *)
Definition reaches (M : costs) t c := exists v, at_label M t = Some v /\ v <= c.

Lemma unkey_zkey z : unkey (zkey z) = z.
Proof. destruct z; reflexivity. Qed.
Lemma zkey_inj s t : zkey s = zkey t -> s = t.
Proof. intros E. rewrite <- (unkey_zkey s), E. apply unkey_zkey. Qed.
Lemma put_same t c M : reaches (put t c M) t c.
Proof.
  unfold put. destruct (at_label M t) as [d|] eqn:E; [destruct (Z.ltb_spec c d)|].
  - exists c. unfold at_label. rewrite PositiveMap.gss. split; [reflexivity|lia].
  - exists d. split; [exact E|lia].
  - exists c. unfold at_label. rewrite PositiveMap.gss. split; [reflexivity|lia].
Qed.
Lemma put_other t c M s d : reaches M s d -> reaches (put t c M) s d.
Proof.
  intros [v [F L]]. unfold put. destruct (Z.eq_dec s t) as [->|N].
  - rewrite F. destruct (Z.ltb_spec c v); [|exists v; auto]. exists c. unfold at_label. rewrite PositiveMap.gss.
      split; [reflexivity|lia].
  - assert (at_label (PositiveMap.add (zkey t) c M) s = Some v) as X.
    { unfold at_label. rewrite PositiveMap.gso by (intros E; apply N, zkey_inj, E). exact F. }
    destruct (at_label M t) as [u|]; [destruct (c <? u)|]; exists v; auto.
Qed.

Lemma fold_reaches {A M} (f : M -> A -> M) (P : M -> Prop) a : (forall m b, P m -> P (f m b)) -> (forall m, P (f m
  a)) ->
  forall l m, In a l -> P (fold_left f l m).
Proof.
  intros Keep Make. assert (forall l m, P m -> P (fold_left f l m)) as G by (induction l; cbn; auto).
  induction l as [|b l IH]; intros m I; [contradiction|]. cbn. destruct I as [->|I]; [apply G, Make|apply IH, I].
Qed.
Lemma fold_keeps {A M} (f : M -> A -> M) (P : M -> Prop) : (forall m b, P m -> P (f m b)) -> forall l m, P m -> P
  (fold_left f l m).
Proof. intros Keep. induction l; cbn; auto. Qed.

Definition least_costs (l : list found_class) : costs :=
  fold_left (fun M r => let '(_, c, t) := r in put t c M) l (PositiveMap.empty Z).
Definition join (L J : costs) : costs :=
  let js := PositiveMap.elements J in
  fold_left (fun M s => fold_left (fun M t =>
    let u := unkey (fst s) + unkey (fst t) in
    match at_label L u with Some _ => put u (snd s + snd t) M | None => M end) js M)
    (PositiveMap.elements L) (PositiveMap.empty Z).
(* for k + 1 classes, for k, and so on to one *)
Fixpoint joins (L : costs) (k : nat) : list costs :=
  match k with O => [L] | S k' => let js := joins L k' in join L (hd L js) :: js end.

Lemma least_costs_spec l S c t : In (S, c, t) l -> reaches (least_costs l) t c.
Proof.
  intros I. unfold least_costs. apply (fold_reaches _ (fun M => reaches M t c) (S, c, t)); [|intros m; apply
    put_same|exact I].
  intros m [[S' c'] t'] H. apply put_other, H.
Qed.
Lemma join_spec L J s c t d : at_label L s = Some c -> at_label J t = Some d -> at_label L (s + t) <> None ->
  reaches (join L J) (s + t) (c + d).
Proof.
  intros Fs Ft Fu. unfold join.
  assert (forall a m b, reaches m (s + t) (c + d) -> reaches (match at_label L (unkey (fst a) + unkey (fst b)) with
    | Some _ => put (unkey (fst a) + unkey (fst b)) (snd a + snd b) m | None => m end) (s + t) (c + d)) as Keep.
  { intros a m b H. destruct (at_label L (unkey (fst a) + unkey (fst b))); [apply put_other, H|exact H]. }
  apply (fold_reaches _ (fun M => reaches M (s + t) (c + d)) (zkey s, c)).
  - intros m a H. apply (fold_keeps _ (fun M => reaches M (s + t) (c + d))); [|exact H]. intros m' b. apply Keep.
  - intros m. apply (fold_reaches _ (fun M => reaches M (s + t) (c + d)) (zkey t, d)).
    + intros m' b. apply Keep.
    + intros m'. cbn [fst snd]. rewrite !unkey_zkey. destruct (at_label L (s + t)); [apply put_same|congruence].
    + apply PositiveMap.elements_correct, Ft.
  - apply PositiveMap.elements_correct, Fs.
Qed.

(* k + 1 classes cost at least this *)
Definition bounds k (J : costs) := forall left Cs, length Cs = S k -> (forall C, In C Cs -> below n C) -> below n
  left ->
  parts left Cs -> reaches J (label_of left) (lsum cost_of Cs).

Lemma joins_spec L : (forall C, below n C -> reaches L (label_of C) (cost_of C)) -> forall k,
  length (joins L k) = S k /\ forall i, (i <= k)%nat -> bounds (k - i) (nth i (joins L k) L).
Proof.
  intros H. induction k as [|k [Len IH]].
  - split; [reflexivity|]. intros i Hi. replace i with O by lia. cbn. intros left Cs E B Bl P.
    destruct Cs as [|C [|D Cs]]; try discriminate. rewrite (parts_one left C P). cbn. rewrite Z.add_0_r. apply H, Bl.
  - cbn [joins]. split; [cbn; congruence|]. intros [|i] Hi; [|apply IH; lia]. cbn [nth]. rewrite Nat.sub_0_r.
    intros left Cs E B Bl P. destruct Cs as [|C Cs]; [discriminate|].
    destruct (parts_take left [] C Cs P) as [Sub P']. cbn [app] in P'.
    specialize (IH O ltac:(lia)). rewrite Nat.sub_0_r in IH. destruct (joins L k) as [|J js]; [discriminate|]. cbn
      [nth hd] in *.
    assert (below n (N.ldiff left C)) as B'.
    { intros i Hi'. unfold has. rewrite N.ldiff_spec. unfold has in Bl. pose proof (Bl i Hi') as X. unfold has in X.
      rewrite X. reflexivity. }
    destruct (H C (B C (in_eq _ _))) as [c [F1 L1]].
    destruct (IH (N.ldiff left C) Cs ltac:(cbn in E; lia) ltac:(auto using in_cons) B' P') as [d [F2 L2]].
    assert (label_of left = label_of C + label_of (N.ldiff left C)) as Lab.
    { rewrite (label_parts left (C :: Cs) P), (label_parts _ Cs P'). reflexivity. }
    destruct (H left Bl) as [u [F3 _]].
    destruct (join_spec L J (label_of C) c (label_of (N.ldiff left C)) d F1 F2) as [v [F4 L4]]; [rewrite <- Lab;
      congruence|].
    exists v. rewrite Lab. split; [exact F4|]. cbn [lsum]. lia.
Qed.

Theorem joined_forced L k B : wide w rows = true -> (forall C, below n C -> reaches L (label_of C) (cost_of C)) ->
  at_label (hd L (joins L k)) (label_of everything) = Some B -> forced rows (S k) B.
Proof.
  intros W H F. apply forced_parts; [exact W|]. intros Cs E Bl P. destruct (joins_spec L H k) as [Len J].
  specialize (J O ltac:(lia)). rewrite Nat.sub_0_r in J. destruct (joins L k) as [|J0 js]; [discriminate|]. cbn [nth
    hd] in *.
  destruct (J everything Cs E Bl below_everything P) as [v [Fv Lv]]. rewrite F in Fv. injection Fv as ->. exact Lv.
Qed.

Theorem found_reaches gens moves fuel l : wide w rows = true -> (forall g, In g moves -> is_product n gens g) ->
  (forall gen, In gen gens -> keeps w rows labels (fun i => nth i gen O)) ->
  found_classes w rows labels moves fuel = Some l ->
  forall C, below n C -> reaches (least_costs l) (label_of C) (cost_of C).
Proof.
  intros W M K F C B. destruct (found_classes_spec w rows labels gens moves W M K fuel l F) as [R A].
  destruct (A C B) as [g [P [c [t I]]]]. pose proof (product_keeps w rows labels gens g K P) as [_ G].
  destruct (R _ I) as [_ [Ec Et]]. destruct (G C) as [G1 G2]. rewrite <- G1, <- G2. unfold n in *. rewrite <- Ec, <- Et.
  apply (least_costs_spec l _ c t I).
Qed.
End Partitions.
