(* Shattered sets: a listed one from below; from above all sets are tried, as long as every cell into
   which the chosen columns split the rows is large enough. *)
From Coq Require Import List Arith NArith ZArith Lia Bool Permutation.
From CCSim Require Import Definitions Pairs.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- from below: concept number i of the list has label (i >> t) & 1 on point number t ---- *)

Definition check_below (n : nat) (rows : list N) (points : list nat) (witness : list N) : bool :=
  forallb (fun x => x <? n) points
  && (length witness =? 2 ^ length points)
  && forallb (mem (set_of rows)) witness
  && forallb (fun i => forallb (fun t => Bool.eqb (bit (nth i witness 0%N) (nth t points 0)) (Nat.testbit i t))
                               (seq 0 (length points))) (seq 0 (2 ^ length points)).

Fixpoint number (labels : nat -> bool) (d : nat) : nat :=
  match d with O => 0 | S k => Nat.b2n (labels 0) + 2 * number (fun i => labels (S i)) k end.

Lemma number_lt : forall d labels, number labels d < 2 ^ d.
Proof.
  induction d as [|d IH]; intros labels; simpl; [lia|].
  specialize (IH (fun i => labels (S i))). destruct (labels 0); simpl; lia.
Qed.

Lemma number_bit : forall d labels t, t < d -> Nat.testbit (number labels d) t = labels t.
Proof.
  induction d as [|d IH]; intros labels t Ht; [lia|]. cbn [number]. destruct t as [|t].
  - apply Nat.add_b2n_double_bit0.
  - rewrite Nat.add_comm. destruct (labels 0); cbn [Nat.b2n].
    + rewrite Nat.testbit_odd_succ by lia. apply (IH (fun i => labels (S i))). lia.
    + rewrite Nat.add_0_r, Nat.testbit_even_succ by lia. apply (IH (fun i => labels (S i))). lia.
Qed.

Theorem check_below_sound n rows points witness : check_below n rows points witness = true ->
  shattered n (table n (map bit rows)) (length points).
Proof.
  unfold check_below. intros C. apply andb_prop in C as [C B]. apply andb_prop in C as [C M].
  apply andb_prop in C as [P E]. apply Nat.eqb_eq in E. rewrite forallb_forall in *.
  exists (fun i => nth i points 0). split.
  - intros i Hi. specialize (P _ (nth_In points 0 Hi)). apply Nat.ltb_lt, P.
  - intros labels. set (i := number labels (length points)).
    pose proof (number_lt (length points) labels) as Hi. fold i in Hi.
    exists (bit (nth i witness 0%N)). split.
    + exists (bit (nth i witness 0%N)). split; [|intros x _; reflexivity].
      apply in_map, set_of_spec, M, nth_In. rewrite E. exact Hi.
    + intros t Ht. assert (In i (seq 0 (2 ^ length points))) as I by (apply in_seq; lia).
      specialize (B i I). rewrite forallb_forall in B.
      assert (In t (seq 0 (length points))) as J by (apply in_seq; lia).
      specialize (B t J). apply eqb_prop in B. rewrite B. apply number_bit, Ht.
Qed.

(* ---- from above ---- *)

Definition takes (T : list nat) (cell : list N) : Prop :=
  forall labels : nat -> bool, exists r, In r cell /\ forall x, In x T -> bit r x = labels x.

Definition ones_of (x : nat) (cell : list N) := filter (fun r => bit r x) cell.
Definition zeros_of (x : nat) (cell : list N) := filter (fun r => negb (bit r x)) cell.
Definition fits (half : N) (x : nat) (cell : list N) : bool :=
  (half <=? size (ones_of x cell))%N && (half <=? size (zeros_of x cell))%N.

Fixpoint search (k : nat) (cells : list (list N)) (columns : list nat) : bool :=
  match k with
  | O => existsb (fun cell => match cell with [] => true | _ => false end) cells
  | S k' => (fix loop cs := match cs with
      | [] => true
      | x :: rest =>
          (if forallb (fits (2 ^ N.of_nat k') x) cells
           then search k' (flat_map (fun cell => [zeros_of x cell; ones_of x cell]) cells) rest
           else true) && loop rest
      end) columns
  end.

Lemma takes_split x T cell : ~ In x T -> takes (x :: T) cell ->
  takes T (ones_of x cell) /\ takes T (zeros_of x cell).
Proof.
  intros N H.
  assert (forall b labels, exists r, In r cell /\ bit r x = b /\ forall y, In y T -> bit r y = labels y) as K.
  { intros b labels. destruct (H (fun y => if y =? x then b else labels y)) as [r [Hr M]].
    exists r. split; [exact Hr|]. split.
    - rewrite (M x (or_introl eq_refl)), Nat.eqb_refl. reflexivity.
    - intros y Hy. rewrite (M y (or_intror Hy)). destruct (Nat.eqb_spec y x) as [->|]; [contradiction|reflexivity]. }
  split; intros labels.
  - destruct (K true labels) as [r [Hr [Hx M]]]. exists r. split; [apply filter_In; auto|exact M].
  - destruct (K false labels) as [r [Hr [Hx M]]]. exists r.
    split; [apply filter_In; rewrite Hx; auto|exact M].
Qed.

Lemma takes_size : forall T cell, NoDup T -> takes T cell -> (2 ^ N.of_nat (length T) <= size cell)%N.
Proof.
  induction T as [|x T IH]; intros cell D H.
  - destruct (H (fun _ => true)) as [r [Hr _]]. destruct cell; [contradiction|]. simpl. lia.
  - inversion D as [|? ? Nx D']; subst. apply takes_split in H as [H1 H0]; [|exact Nx].
    apply IH in H1; [|exact D']. apply IH in H0; [|exact D'].
    cbn [length]. rewrite Nat2N.inj_succ, N.pow_succ_r'.
    pose proof (size_filter (fun r => bit r x) cell). unfold ones_of, zeros_of in *. lia.
Qed.

Lemma search_sound : forall k cells columns (p : nat -> bool), NoDup columns ->
  search k cells columns = true -> length (filter p columns) = k ->
  ~ forall cell, In cell cells -> takes (filter p columns) cell.
Proof.
  induction k as [|k IH]; intros cells columns p D S L A.
  - simpl in S. apply existsb_exists in S as [cell [Hc E]]. destruct cell; [|discriminate].
    destruct (A [] Hc (fun _ => true)) as [r [[] _]].
  - induction columns as [|x rest IHc]; [discriminate|]. cbn [search] in S.
    inversion D as [|? ? Nx D']; subst.
    apply andb_prop in S as [S1 S2]. cbn [filter] in L, A. destruct (p x) eqn:Px.
    + assert (~ In x (filter p rest)) as Nf by (rewrite filter_In; tauto).
      assert (NoDup (filter p rest)) as Df by (apply NoDup_filter, D').
      cbn [length] in L. injection L as L.
      assert (forallb (fits (2 ^ N.of_nat k) x) cells = true) as F.
      { apply forallb_forall. intros cell Hc. specialize (A cell Hc).
        apply takes_split in A as [A1 A0]; [|exact Nf].
        apply takes_size in A1; [|exact Df]. apply takes_size in A0; [|exact Df].
        rewrite L in *. unfold fits. apply andb_true_intro; split; apply N.leb_le; assumption. }
      rewrite F in S1. apply (IH _ _ p D' S1 L). intros cell Hc. apply in_flat_map in Hc as [c [Hc Hi]].
      specialize (A c Hc). apply takes_split in A as [A1 A0]; [|exact Nf].
      destruct Hi as [<-|[<-|[]]]; assumption.
    + apply IHc; [exact D'|exact S2|exact L|exact A].
Qed.

Definition check_above (n : nat) (rows : list N) (d : nat) : bool :=
  (size rows <? 2 ^ N.of_nat (S d))%N || search (S d) [rows] (seq 0 n).

Lemma filter_seq_permutation n T : NoDup T -> (forall x, In x T -> x < n) ->
  Permutation (filter (fun x => existsb (Nat.eqb x) T) (seq 0 n)) T.
Proof.
  intros D B. apply NoDup_Permutation; [apply NoDup_filter, seq_NoDup|exact D|].
  intros x. rewrite filter_In, in_seq, existsb_exists. split.
  - intros [_ [y [Hy E]]]. apply Nat.eqb_eq in E as ->. exact Hy.
  - intros Hx. split; [specialize (B x Hx); lia|]. exists x. split; [exact Hx|apply Nat.eqb_refl].
Qed.

Lemma NoDup_map_in {A B} (g : A -> B) : forall l, (forall i j, In i l -> In j l -> g i = g j -> i = j) ->
  NoDup l -> NoDup (map g l).
Proof.
  induction l as [|a l IH]; intros I D; simpl; [constructor|]. inversion D as [|? ? Na Dl]; subst.
  constructor; [|apply IH; [intros; apply I; simpl; auto|exact Dl]].
  intros H. apply in_map_iff in H as [b [E Hb]]. apply Na.
  rewrite (I a b (or_introl eq_refl) (or_intror Hb) (eq_sym E)). exact Hb.
Qed.

Lemma shattered_takes n rows d d' : d < d' -> shattered n (table n (map bit rows)) d' ->
  exists T, NoDup T /\ length T = S d /\ (forall x, In x T -> x < n) /\ takes T rows.
Proof.
  intros Hd [point [B H]]. set (T := map point (seq 0 (S d))). exists T.
  assert (length T = S d) as LT by (unfold T; rewrite map_length, seq_length; reflexivity).
  assert (forall i j, i < d' -> j < d' -> point i = point j -> i = j) as inj.
  { intros i j Hi Hj E. destruct (H (fun k => k =? i)) as [h [_ M]].
    pose proof (M i Hi) as Mi. pose proof (M j Hj) as Mj. cbv beta in Mi, Mj.
    rewrite E in Mi. rewrite Mi in Mj. rewrite Nat.eqb_refl in Mj. symmetry in Mj.
    apply Nat.eqb_eq in Mj. auto. }
  assert (NoDup T) as DT.
  { unfold T. apply NoDup_map_in; [|apply seq_NoDup].
    intros i j Hi Hj. apply in_seq in Hi, Hj. apply inj; lia. }
  assert (forall x, In x T -> x < n) as BT.
  { intros x Hx. apply in_map_iff in Hx as [i [<- Hi]]. apply in_seq in Hi. apply B. lia. }
  assert (takes T rows) as TT.
  { intros labels. destruct (H (fun i => labels (point i))) as [h [Ch M]].
    apply rows_table in Ch as [r [Hr E]]. exists r. split; [exact Hr|].
    intros x Hx. rewrite <- (E x (BT x Hx)). apply in_map_iff in Hx as [i [<- Hi]].
    apply in_seq in Hi. apply M. lia. }
  auto.
Qed.

Theorem check_above_sound n rows d : check_above n rows d = true ->
  forall d', shattered n (table n (map bit rows)) d' -> d' <= d.
Proof.
  intros C d' Sh. destruct (le_lt_dec d' d) as [|Hd]; [assumption|exfalso].
  destruct (shattered_takes n rows d d' Hd Sh) as [T [DT [LT [BT TT]]]].
  unfold check_above in C. apply orb_prop in C as [C|C].
  - apply N.ltb_lt in C. apply takes_size in TT; [|exact DT]. rewrite LT in TT. lia.
  - pose proof (filter_seq_permutation n T DT BT) as P.
    eapply (search_sound _ _ _ _ (seq_NoDup n 0) C).
    + rewrite (Permutation_length P). exact LT.
    + intros cell [<-|[]] labels. destruct (TT labels) as [r [Hr M]]. exists r. split; [exact Hr|].
      intros x Hx. apply M. eapply Permutation_in; [exact P|exact Hx].
Qed.

Theorem check_sound n rows points witness d : length points = d ->
  check_below n rows points witness && check_above n rows d = true ->
  vcdim n (table n (map bit rows)) (Z.of_nat d).
Proof.
  intros <- H. apply andb_prop in H as [H1 H2].
  split; [intros _; rewrite Nat2Z.id; eapply check_below_sound, H1|split; [lia|]].
  intros d' M. apply (check_above_sound _ _ _ H2) in M. lia.
Qed.

(* ---- from above, up to symmetry: sets of columns grow by the rule of `Subsets` ---- *)

From CCSim Require Subsets.

Fixpoint index_of (y : nat) (l : list nat) : nat :=
  match l with [] => 0 | x :: l' => if x =? y then 0 else S (index_of y l') end.
Definition move_of (n : nat) (s : symmetry) : Subsets.move :=
  {| Subsets.images := map fst (moves s);
     Subsets.origins := map (fun y => index_of y (map fst (moves s))) (seq 0 n) |}.

(* the cells into which chosen columns split the rows; one is too small for k columns more *)
Fixpoint cells (rows : list N) (chosen : list nat) : list (list N) :=
  match chosen with
  | [] => [rows]
  | x :: rest => flat_map (fun cell => [zeros_of x cell; ones_of x cell]) (cells rows rest)
  end.
Definition too_small (rows : list N) (chosen : list nat) (k : nat) : bool :=
  existsb (fun cell => (size cell <? 2 ^ N.of_nat k)%N) (cells rows chosen).

Lemma takes_cells rows T : forall chosen, NoDup (chosen ++ T) -> takes (chosen ++ T) rows ->
  forall cell, In cell (cells rows chosen) -> takes T cell.
Proof.
  intros chosen D H. assert (forall c rest, NoDup (rest ++ c ++ T) -> takes (rest ++ c ++ T) rows ->
    forall cell, In cell (cells rows c) -> takes (rest ++ T) cell) as K.
  2: { intros cell Hc. exact (K chosen [] D H cell Hc). }
  clear chosen D H. induction c as [|x c IH]; intros rest D H cell Hc; simpl in Hc.
  - destruct Hc as [<-|[]]. exact H.
  - apply in_flat_map in Hc as [big [Hb Hc]].
    assert (takes ((x :: rest) ++ T) big) as HB.
    { apply (IH (x :: rest)); [| |exact Hb].
      - eapply Permutation_NoDup; [|exact D]. simpl. apply Permutation_sym, Permutation_middle.
      - intros labels. destruct (H labels) as [r [Hr M]]. exists r. split; [exact Hr|].
        intros y Hy. apply M. simpl in Hy. rewrite !in_app_iff in *. simpl. tauto. }
    simpl in HB. apply takes_split in HB as [H1 H0].
    + destruct Hc as [<-|[<-|[]]]; assumption.
    + intros Hx. apply NoDup_remove_2 in D. apply D. rewrite !in_app_iff in *. tauto.
Qed.

Lemma too_small_sound rows chosen k T : too_small rows chosen k = true -> length T = k ->
  NoDup (chosen ++ T) -> ~ takes (chosen ++ T) rows.
Proof.
  unfold too_small. intros H L D B. apply existsb_exists in H as [cell [Hc H]]. apply N.ltb_lt in H.
  pose proof (takes_cells rows T chosen D B cell Hc) as K. apply takes_size in K.
  - rewrite L in K. lia.
  - clear - D. induction chosen as [|a l IH]; [exact D|]. apply IH. inversion D; assumption.
Qed.

Lemma symmetric_takes n rows s : check_symmetry n rows (set_of rows) s = true ->
  Subsets.is_move n (move_of n s) = true ->
  Subsets.symmetric n (fun T => takes T rows) (move_of n s).
Proof.
  intros C M. split; [exact M|]. intros T B H labels.
  unfold check_symmetry in C. repeat (apply andb_prop in C as [C ?]). apply Nat.eqb_eq in C.
  assert (forall x, x < n -> Subsets.act (move_of n s) x = fst (nth x (moves s) (0, false))) as A.
  { intros x Hx. unfold Subsets.act, move_of. cbn. rewrite <- (map_nth fst). cbn.
    apply nth_indep. rewrite map_length, C. exact Hx. }
  destruct (H (fun y => xorb (labels (Subsets.undo (move_of n s) y))
                             (snd (nth (Subsets.undo (move_of n s) y) (moves s) (0, false))))) as [r [Hr E]].
  exists (pull_row r (moves s)). split.
  - rewrite forallb_forall in H0. apply set_of_spec, H0, Hr.
  - intros x Hx. specialize (B x Hx). rewrite pull_row_spec by lia. rewrite <- A by exact B.
    rewrite (E _ (in_map _ _ _ Hx)).
    rewrite (proj1 (proj2 (proj2 (Subsets.is_move_spec n _ M x B)))).
    rewrite xorb_assoc, xorb_nilpotent, xorb_false_r. reflexivity.
Qed.

Definition check_orbits (n : nat) (rows : list N) (S : list symmetry) (d : nat) : bool :=
  forallb (fun s => check_symmetry n rows (set_of rows) s && Subsets.is_move n (move_of n s)) S
  && Subsets.search n (too_small rows) (1 + d) [] (map (move_of n) S) (seq 0 n).

Theorem check_orbits_sound n rows S d : check_orbits n rows S d = true ->
  forall d', shattered n (table n (map bit rows)) d' -> d' <= d.
Proof.
  unfold check_orbits. intros C d' Sh. apply andb_prop in C as [CS C].
  destruct (le_lt_dec d' d) as [|Hd]; [assumption|exfalso].
  destruct (shattered_takes n rows d d' Hd Sh) as [T [DT [LT [BT TT]]]].
  rewrite forallb_forall in CS.
  assert (Subsets.fit n (fun T => takes T rows) [] (map (move_of n) S) (seq 0 n)) as F.
  { constructor.
    - apply Forall_forall. intros m Hm. apply in_map_iff in Hm as [s [<- Hs]].
      specialize (CS s Hs). apply andb_prop in CS as [C1 C2]. apply symmetric_takes; assumption.
    - intros m c _ [].
    - intros m c Hm Hc. apply in_map_iff in Hm as [s [<- Hs]]. specialize (CS s Hs).
      apply andb_prop in CS as [_ C2]. apply in_seq in Hc. apply in_seq.
      destruct (Subsets.is_move_spec n _ C2 c ltac:(lia)) as [K _]. lia.
    - apply seq_NoDup.
    - intros c Hc. apply in_seq in Hc. lia.
    - constructor.
    - intros c []. }
  refine (Subsets.search_sound n (fun T => takes T rows) _ (too_small rows) _ _ [] _ _ F C T DT LT _ TT).
  - intros U V E H labels. destruct (H labels) as [r [Hr M]]. exists r. split; [exact Hr|].
    intros x Hx. apply M, E, Hx.
  - intros chosen k U Ht L D _. apply too_small_sound with (k := k); assumption.
  - intros x Hx. apply in_seq. specialize (BT x Hx). lia.
Qed.
