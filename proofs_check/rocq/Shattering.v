(* Shattered sets: a listed one from below; from above all sets are tried, as long as every cell into
   which the chosen columns split the rows is large enough. *)
From Coq Require Import List Arith NArith Lia Bool Permutation.
From CCSim Require Import Definitions Littlestone.
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

Theorem check_above_sound n rows d : check_above n rows d = true ->
  forall d', shattered n (table n (map bit rows)) d' -> d' <= d.
Proof.
  intros C d' [point [B H]]. destruct (le_lt_dec d' d) as [|Hd]; [assumption|exfalso].
  set (T := map point (seq 0 (S d))).
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
  vcdim n (table n (map bit rows)) d.
Proof.
  intros <- H. apply andb_prop in H as [H1 H2].
  split; [eapply check_below_sound, H1|apply check_above_sound, H2].
Qed.
