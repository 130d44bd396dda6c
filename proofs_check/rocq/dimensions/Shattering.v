(* Shattered sets of columns: a listed one is shown from below; for bounds from above, what rows that
   take all labellings have in common, and which columns can still belong to such a set. *)
From Coq Require Import List Arith NArith Lia Bool.
From CCSim Require Import Json Tables Sorting Definitions.
Import ListNotations.
Local Open Scope nat_scope.

Definition class_shattered n rows := shattered n (table n (map bit rows)).

(* ---- from below: row number i of the list has label (i >> t) & 1 on column number t ---- *)

Fixpoint has_labels (labels : N) (columns : list nat) (r : N) : bool :=
  match columns with
  | [] => true
  | x :: columns' => Bool.eqb (bit r x) (N.odd labels) && has_labels (N.div2 labels) columns' r
  end.
Fixpoint have_labels (i : N) (columns : list nat) (chosen : list N) : bool :=
  match chosen with
  | [] => true
  | r :: chosen' => has_labels i columns r && have_labels (N.succ i) columns chosen'
  end.
Definition check_shattered (n : nat) (columns : list nat) (chosen : list N) : bool :=
  forallb (fun x => x <? n) columns && (size chosen =? 2 ^ N.of_nat (length columns))%N
  && have_labels 0 columns chosen.

Lemma has_labels_spec r : forall columns labels, has_labels labels columns r = true ->
  forall t, t < length columns -> bit r (nth t columns 0) = bit labels t.
Proof.
  induction columns as [|x columns IH]; intros labels H t Ht; [simpl in Ht; lia|]. cbn [has_labels] in H.
  apply andb_prop in H as [E H]. apply eqb_prop in E. destruct t as [|t]; cbn [nth].
  - rewrite bit_odd. exact E.
  - rewrite <- bit_div2. apply IH; [exact H|simpl in Ht; lia].
Qed.
Lemma have_labels_spec columns : forall chosen i, have_labels i columns chosen = true ->
  forall j, j < length chosen -> has_labels (i + N.of_nat j) columns (nth j chosen 0%N) = true.
Proof.
  induction chosen as [|r chosen IH]; intros i H j Hj; [simpl in Hj; lia|]. cbn [have_labels] in H.
  apply andb_prop in H as [E H]. destruct j as [|j]; cbn [nth].
  - rewrite N.add_0_r. exact E.
  - replace (i + N.of_nat (S j))%N with (N.succ i + N.of_nat j)%N by lia. apply IH; [exact H|simpl in Hj; lia].
Qed.

Lemma number_of_lt l : (number_of l < 2 ^ N.of_nat (length l))%N.
Proof.
  induction l as [|b l IH]; [simpl; lia|]. cbn [number_of length]. rewrite Nat2N.inj_succ, N.pow_succ_r'.
  destruct b; [rewrite N.succ_double_spec|rewrite N.double_spec]; lia.
Qed.

Theorem check_shattered_sound n rows columns chosen : (forall r, In r chosen -> In r rows) ->
  check_shattered n columns chosen = true -> class_shattered n rows (length columns).
Proof.
  unfold check_shattered. intros I H. apply andb_prop in H as [H A]. apply andb_prop in H as [B E].
  apply N.eqb_eq in E. rewrite size_length in E. rewrite forallb_forall in B.
  exists (fun t => nth t columns 0). split.
  - intros t Ht. apply Nat.ltb_lt, B, nth_In, Ht.
  - intros labels. set (i := number_of (map labels (seq 0 (length columns)))).
    pose proof (number_of_lt (map labels (seq 0 (length columns)))) as Hi.
    rewrite map_length, seq_length in Hi. fold i in Hi.
    assert (N.to_nat i < length chosen) as Li by lia.
    exists (bit (nth (N.to_nat i) chosen 0%N)). split.
    + exists (bit (nth (N.to_nat i) chosen 0%N)). split; [|intros x _; reflexivity]. apply in_map, I, nth_In, Li.
    + intros t Ht. rewrite (has_labels_spec _ _ _ (have_labels_spec _ _ _ A _ Li) t Ht).
      rewrite N2Nat.id, N.add_0_l. unfold i. rewrite bit_number_of.
      rewrite (nth_indep _ false (labels 0)) by (rewrite map_length, seq_length; exact Ht).
      rewrite (map_nth labels), seq_nth by exact Ht. reflexivity.
Qed.

(* ---- rows take all labels on a set ---- *)

Definition takes (T : list nat) (cell : list N) : Prop :=
  forall labels : nat -> bool, exists r, In r cell /\ forall x, In x T -> bit r x = labels x.

Lemma takes_same cell T U : (forall x, In x T <-> In x U) -> takes T cell -> takes U cell.
Proof.
  intros E H labels. destruct (H labels) as [r [Hr M]]. exists r. split; [exact Hr|].
  intros x Hx. apply M, E, Hx.
Qed.

Lemma takes_side x T cell b : ~ In x T -> takes (x :: T) cell ->
  takes T (filter (fun r => Bool.eqb (bit r x) b) cell).
Proof.
  intros N H labels. destruct (H (fun y => if y =? x then b else labels y)) as [r [Hr M]].
  exists r. split.
  - apply filter_In. split; [exact Hr|]. rewrite (M x (or_introl eq_refl)), Nat.eqb_refl. apply eqb_reflx.
  - intros y Hy. rewrite (M y (or_intror Hy)). destruct (Nat.eqb_spec y x) as [->|]; [contradiction|reflexivity].
Qed.

Lemma sides x cell :
  (size (filter (fun r => Bool.eqb (bit r x) true) cell) = size (filter (fun r => bit r x) cell) /\
   size (filter (fun r => Bool.eqb (bit r x) false) cell) = size (filter (fun r => negb (bit r x)) cell))%N.
Proof.
  rewrite !size_length. induction cell as [|r cell [IH1 IH0]]; [split; reflexivity|].
  cbn [filter]. destruct (bit r x); cbn [Bool.eqb negb length]; lia.
Qed.

Lemma takes_size : forall T cell, NoDup T -> takes T cell -> (2 ^ N.of_nat (length T) <= size cell)%N.
Proof.
  induction T as [|x T IH]; intros cell D H.
  - destruct (H (fun _ => true)) as [r [Hr _]]. rewrite size_length. destruct cell; [contradiction|]. simpl. lia.
  - inversion D as [|? ? Nx D']; subst.
    pose proof (IH _ D' (takes_side x T cell true Nx H)) as H1.
    pose proof (IH _ D' (takes_side x T cell false Nx H)) as H0.
    destruct (sides x cell) as [S1 S0]. rewrite S1 in H1. rewrite S0 in H0.
    cbn [length]. rewrite Nat2N.inj_succ, N.pow_succ_r'.
    pose proof (size_filter (fun r => bit r x) cell). lia.
Qed.

Lemma shattered_takes n rows d d' : d <= d' -> class_shattered n rows d' ->
  exists T, NoDup T /\ length T = d /\ (forall x, In x T -> x < n) /\ takes T rows.
Proof.
  intros Hd [point [B H]]. set (T := map point (seq 0 d)). exists T.
  assert (length T = d) as LT by (unfold T; rewrite map_length, seq_length; reflexivity).
  assert (forall i j, i < d' -> j < d' -> point i = point j -> i = j) as inj.
  { intros i j Hi Hj E. destruct (H (fun k => k =? i)) as [h [_ M]].
    pose proof (M i Hi) as Mi. pose proof (M j Hj) as Mj. cbv beta in Mi, Mj.
    rewrite E in Mi. rewrite Mi in Mj. rewrite Nat.eqb_refl in Mj. symmetry in Mj.
    apply Nat.eqb_eq in Mj. auto. }
  assert (NoDup T) as DT.
  { unfold T. clear - inj Hd. assert (forall l, (forall i, In i l -> i < d') -> NoDup l -> NoDup (map point l)) as K.
    { induction l as [|i l IH]; intros Bl Dl; simpl; [constructor|]. apply NoDup_cons_iff in Dl as [Ni Dl].
      constructor; [|apply IH; [intros; apply Bl; simpl; auto|exact Dl]].
      intros Hi. apply in_map_iff in Hi as [j [E Hj]]. apply Ni.
      rewrite (inj i j (Bl i (or_introl eq_refl)) (Bl j (or_intror Hj)) (eq_sym E)). exact Hj. }
    apply K; [|apply seq_NoDup]. intros i Hi. apply in_seq in Hi. lia. }
  assert (forall x, In x T -> x < n) as BT.
  { intros x Hx. apply in_map_iff in Hx as [i [<- Hi]]. apply in_seq in Hi. apply B. lia. }
  split; [exact DT|]. split; [exact LT|]. split; [exact BT|].
  intros labels. destruct (H (fun i => labels (point i))) as [h [Ch M]].
  apply in_table in Ch as [r [Hr E]]. exists r. split; [exact Hr|].
  intros x Hx. rewrite <- (E x (BT x Hx)). apply in_map_iff in Hx as [i [<- Hi]].
  apply in_seq in Hi. apply M. lia.
Qed.

(* ---- the columns that have each label in 2^m rows or more, counted for all at once ---- *)

Fixpoint add_row (digits : list N) (carry : N) : list N * N :=
  match digits with
  | [] => ([], carry)
  | d :: digits' => if (carry =? 0)%N then (digits, 0%N) else
      let (more, over) := add_row digits' (N.land d carry) in (N.lxor d carry :: more, over)
  end.
Fixpoint reached (digits : list N) (so_far : N) (rows : list N) : N :=
  match rows with
  | [] => so_far
  | r :: rows' => let (digits', over) := add_row digits r in reached digits' (N.lor so_far over) rows'
  end.
Definition often (m : nat) (rows : list N) : N := reached (repeat 0%N m) 0 rows.
Definition even (m : nat) (rows : list N) (among : N) : N :=
  let found := N.land (often m rows) among in
  if (found =? 0)%N then 0%N else N.land found (often m (map (N.ldiff found) rows)).

Definition one (b : bool) : N := if b then 1%N else 0%N.
Fixpoint value_of (digits : list N) (x : nat) : N :=
  match digits with [] => 0%N | d :: digits' => (one (bit d x) + 2 * value_of digits' x)%N end.
Definition ones (x : nat) (rows : list N) : N := size (filter (fun r => bit r x) rows).

Lemma value_lt x : forall digits, (value_of digits x < 2 ^ N.of_nat (length digits))%N.
Proof.
  induction digits as [|d digits IH]; cbn [value_of length]; [simpl; lia|].
  rewrite Nat2N.inj_succ, N.pow_succ_r'. unfold one. destruct (bit d x); lia.
Qed.

Lemma add_row_spec x : forall digits carry digits' over, add_row digits carry = (digits', over) ->
  length digits' = length digits /\
  (value_of digits' x + 2 ^ N.of_nat (length digits) * one (bit over x) = value_of digits x + one (bit carry x))%N.
Proof.
  induction digits as [|d digits IH]; intros carry digits' over H; cbn [add_row] in H.
  - injection H as <- <-. split; [reflexivity|]. cbn [value_of length]. simpl N.pow. lia.
  - destruct (N.eqb_spec carry 0) as [->|Nz].
    + injection H as <- <-. split; [reflexivity|]. rewrite bit_0. unfold one. lia.
    + destruct (add_row digits (N.land d carry)) as [more o] eqn:E. injection H as <- <-.
      apply IH in E as [L V]. split; [simpl; lia|]. cbn [value_of length].
      rewrite Nat2N.inj_succ, N.pow_succ_r', bit_lxor. rewrite bit_land in V. unfold one in *.
      destruct (bit d x), (bit carry x); cbn [xorb andb] in *; lia.
Qed.

Lemma ones_cons x r rows : ones x (r :: rows) = (one (bit r x) + ones x rows)%N.
Proof. unfold ones, one. rewrite !size_length. cbn [filter]. destruct (bit r x); cbn [length]; lia. Qed.

Lemma reached_spec x : forall rows digits so_far, bit (reached digits so_far rows) x = false ->
  bit so_far x = false /\ (value_of digits x + ones x rows < 2 ^ N.of_nat (length digits))%N.
Proof.
  induction rows as [|r rows IH]; intros digits so_far H; cbn [reached] in H.
  - split; [exact H|]. change (ones x []) with 0%N. pose proof (value_lt x digits). lia.
  - destruct (add_row digits r) as [digits' over] eqn:E. apply IH in H as [O V].
    apply (add_row_spec x) in E as [L A]. rewrite bit_lor in O. apply orb_false_elim in O as [S O].
    split; [exact S|]. rewrite O in A. rewrite ones_cons. rewrite L in V. unfold one in *. lia.
Qed.

Lemma often_keeps m rows x : (2 ^ N.of_nat m <= ones x rows)%N -> bit (often m rows) x = true.
Proof.
  intros H. destruct (bit (often m rows) x) eqn:E; [reflexivity|]. apply reached_spec in E as [_ E].
  rewrite repeat_length in E. lia.
Qed.

Lemma even_among m rows among x : bit (even m rows among) x = true -> bit among x = true.
Proof.
  unfold even. destruct (_ =? 0)%N; [rewrite bit_0; discriminate|]. rewrite !bit_land.
  intros H. apply andb_prop in H as [H _]. apply andb_prop in H as [_ H]. exact H.
Qed.

Lemma even_keeps m cell among T x : NoDup T -> length T = S m -> In x T -> takes T cell ->
  bit among x = true -> bit (even m cell among) x = true.
Proof.
  intros D L Hx H A. apply in_split in Hx as [T1 [T2 ->]].
  apply (takes_same cell _ (x :: T1 ++ T2)) in H; [|intros y; rewrite !in_app_iff; simpl; rewrite in_app_iff; tauto].
  apply NoDup_remove in D as [D Nx]. rewrite app_length in L. simpl in L.
  assert (length (T1 ++ T2) = m) as Lm by (rewrite app_length; lia).
  pose proof (takes_size _ _ D (takes_side x _ cell true Nx H)) as H1.
  pose proof (takes_size _ _ D (takes_side x _ cell false Nx H)) as H0.
  rewrite Lm in *. destruct (sides x cell) as [S1 S0]. rewrite S1 in H1. rewrite S0 in H0.
  unfold even. set (found := N.land (often m cell) among).
  assert (bit found x = true) as F by (unfold found; rewrite bit_land, often_keeps by exact H1; exact A).
  destruct (N.eqb_spec found 0) as [E|_]; [rewrite E, bit_0 in F; discriminate|].
  rewrite bit_land, F. apply often_keeps. eapply N.le_trans; [exact H0|]. unfold ones.
  assert (forall l, size (filter (fun r => negb (bit r x)) l)
                    = size (filter (fun r => bit r x) (map (N.ldiff found) l))) as ->; [|lia].
  clear - F. intros l. rewrite !size_length. induction l as [|r l IH]; [reflexivity|].
  cbn [map filter]. rewrite bit_ldiff, F. destruct (bit r x); cbn [negb andb length]; lia.
Qed.
