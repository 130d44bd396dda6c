(* Protocols with private coins in which each message is left out on some input: all others answer like
   one of them.  Which inputs leave out which messages is named up to the names of messages, and up to
   symmetries of the problem. *)
From Coq Require Import ZArith QArith Lia Lqa Bool List Permutation Orders Mergesort.
From CCSim Require Import Definitions Sums Mixture OneWay RandomClasses Moves Dependencies PartitionBounds
  SymmetricProtocols.
From CCSim Require Sorting.
Import ListNotations.
Local Open Scope Q_scope.

Lemma law_entry k p i : law k p -> (i < k)%nat -> p i <= 1.
Proof.
  intros [P S] H. rewrite <- S, <- (sum_single k i p H). apply sum_le. intros j Hj. specialize (P j Hj).
  destruct (i =? j)%nat; unfold chance; lra.
Qed.
Lemma sure_law k i : (i < k)%nat -> law k (fun j => chance (i =? j)%nat).
Proof.
  intros H. split; [intros j _; destruct (i =? j)%nat; unfold chance; lra|].
  rewrite (sum_ext k _ (fun j => chance (i =? j)%nat * 1)) by (intros; ring). apply (sum_single k i (fun _ => 1) H).
Qed.
(* a law that surely takes one entry has no other *)
Lemma sure_entry k p i : law k p -> (i < k)%nat -> p i == 1 -> forall j, (j < k)%nat -> p j == chance (i =? j)%nat.
Proof.
  intros [P S] H E j Hj. destruct (Nat.eqb_spec i j) as [<-|N]; [exact E|]. unfold chance.
  assert (p i + p j <= 1); [|specialize (P j Hj); lra].
  rewrite <- S, <- (sum_single k i p H), <- (sum_single k j p Hj), <- sum_plus. apply sum_le. intros t Ht.
  specialize (P t Ht). destruct (Nat.eqb_spec i t), (Nat.eqb_spec j t); unfold chance; try lra. congruence.
Qed.

Section Inputs.
Variables (m k : nat) (f : problem) (e : Q) (xs : list nat).

(* a protocol on some inputs of Alice *)
Definition plays (P : protocol) := (forall x, In x xs -> law k (alice P x)) /\
  (forall j y, (j < k)%nat -> (y < m)%nat -> 0 <= bob P j y <= 1) /\
  forall x y, In x xs -> (y < m)%nat -> error k f P x y <= e.
Definition spare (P : protocol) j := exists x, In x xs /\ alice P x j == 0.

Lemma plays_alike P P' : plays P -> (forall x, In x xs -> law k (alice P' x)) ->
  (forall j y, (j < k)%nat -> (y < m)%nat -> 0 <= bob P' j y <= 1) ->
  (forall x y, In x xs -> (y < m)%nat -> answer_one k P' x y == answer_one k P x y) -> plays P'.
Proof.
  intros [A [_ E]] A' B' S. split; [exact A'|]. split; [exact B'|]. intros x y Hx Hy. specialize (E x y Hx Hy).
  rewrite answer_one_error in * by auto. destruct (f x y) as [[|]|]; rewrite ?S; assumption.
Qed.

Hypothesis two_messages : (2 <= k)%nat.
Hypothesis two_inputs : (2 <= length xs)%nat.
Hypothesis once_each : NoDup xs.
Notation input t := (nth t xs O).

Lemma leave_out P j : plays P -> (j < k)%nat -> exists P', plays P' /\ spare P' j /\
  forall i, (i < k)%nat -> spare P i -> spare P' i.
Proof.
  intros Pl Hj. pose proof Pl as [A [B _]].
  destruct (smallest_spec (fun t => alice P (input t) j) (length xs)) as [Hs Least]; [lia|].
  set (s := smallest _ (length xs)) in *. set (least := alice P (input s) j) in *.
  assert (forall t, (t < length xs)%nat -> In (input t) xs) as In_ by (intros t Ht; apply nth_In, Ht).
  assert (forall x, In x xs -> least <= alice P x j) as Low.
  { intros x Hx. apply (In_nth _ _ O) in Hx as [t [Ht <-]]. apply Least, Ht. }
  assert (0 <= least <= 1) as L01
    by (split; [apply (A _ (In_ s Hs)), Hj|apply (law_entry k); [apply A, In_, Hs|exact Hj]]).
  destruct (Qeq_dec least 0) as [Z|Nz].
  { exists P. split; [exact Pl|]. split; [|auto]. exists (input s). split; [apply In_, Hs|exact Z]. }
  destruct (Qeq_dec least 1) as [L1|No].
  - (* the message is always sent: any laws do *)
    assert (forall x, In x xs -> alice P x j == 1) as One.
    { intros x Hx. specialize (Low x Hx). pose proof (law_entry k _ j (A x Hx) Hj). lra. }
    set (other := if (j =? 0)%nat then 1%nat else 0%nat).
    assert (other < k /\ other <> j)%nat as [Ho Nj] by (unfold other; destruct (Nat.eqb_spec j 0); lia).
    set (sent x := if (x =? input 0)%nat then other else j).
    assert (forall x, sent x < k)%nat as Hsent by (intros x; unfold sent; destruct (x =? input 0)%nat; assumption).
    exists {| alice := fun x i => chance (sent x =? i)%nat; bob := fun _ y => bob P j y |}.
    assert (input 1 <> input 0) as N10.
    { intros E. pose proof (proj1 (NoDup_nth xs O) once_each 1%nat 0%nat ltac:(lia) ltac:(lia) E). lia. }
    split; [|split].
    + apply (plays_alike P); [exact Pl| | |].
      * intros x Hx. apply sure_law, Hsent.
      * intros i y _ Hy. apply B; assumption.
      * intros x y Hx Hy. unfold answer_one. cbn [alice bob].
        rewrite (sum_single k (sent x) (fun _ => bob P j y) (Hsent x)).
        rewrite (sum_ext k _ (fun i => chance (j =? i)%nat * bob P i y)).
        -- symmetry. apply (sum_single k j (fun i => bob P i y) Hj).
        -- intros i Hi. rewrite (sure_entry k _ j (A x Hx) Hj (One x Hx) i Hi). reflexivity.
    + exists (input 0). split; [apply In_; lia|]. cbn [alice]. unfold sent. rewrite Nat.eqb_refl.
      destruct (Nat.eqb_spec other j); [contradiction|reflexivity].
    + intros i Hi _. destruct (Nat.eq_dec i j) as [->|Ni].
      * exists (input 0). split; [apply In_; lia|]. cbn [alice]. unfold sent. rewrite Nat.eqb_refl.
        destruct (Nat.eqb_spec other j); [contradiction|reflexivity].
      * exists (input 1). split; [apply In_; lia|]. cbn [alice]. unfold sent.
        destruct (Nat.eqb_spec (input 1) (input 0)); [contradiction|].
        destruct (Nat.eqb_spec j i); [congruence|reflexivity].
  - assert (0 < 1 - least) as D by (destruct (Qlt_le_dec least 1); [lra|exfalso; apply No; lra]).
    set (a x i := (alice P x i - least * chance (j =? i)%nat) / (1 - least)).
    set (b i y := (1 - least) * bob P i y + least * bob P j y).
    assert (forall x, In x xs -> law k (a x)) as A'.
    { intros x Hx. pose proof (A x Hx) as [A0 A1]. split.
      - intros i Hi. apply Qle_shift_div_l; [exact D|]. rewrite Qmult_0_l. specialize (A0 i Hi). specialize (Low x Hx).
        destruct (Nat.eqb_spec j i) as [<-|N]; unfold chance; lra.
      - unfold a. rewrite (sum_ext k _ (fun i => / (1 - least) * (alice P x i + - least * (chance (j =? i)%nat * 1))))
          by (intros; field; lra).
        rewrite sum_scale, sum_plus, A1, sum_scale, (sum_single k j (fun _ => 1) Hj). field. lra. }
    exists {| alice := a; bob := b |}. split; [|split].
    + apply (plays_alike P); [exact Pl|exact A'| |].
      * intros i y Hi Hy. pose proof (B i y Hi Hy). pose proof (B j y Hj Hy). cbn [bob]. unfold b. split; nra.
      * intros x y Hx Hy. pose proof (A' x Hx) as [_ A1]. unfold answer_one. cbn [alice bob]. unfold b.
        rewrite (sum_ext k _ (fun i => (alice P x i * bob P i y + - least * (chance (j =? i)%nat * bob P i y))
          + (least * bob P j y) * a x i)) by (intros; unfold a; field; lra).
        rewrite !sum_plus, !sum_scale, A1, (sum_single k j (fun i => bob P i y) Hj). ring.
    + exists (input s). split; [apply In_, Hs|]. cbn [alice]. unfold a. rewrite Nat.eqb_refl. unfold chance.
      fold least. field. lra.
    + intros i Hi [x [Hx Z]]. destruct (Nat.eq_dec i j) as [->|N].
      * exfalso. specialize (Low x Hx). apply Nz. lra.
      * exists x. split; [exact Hx|]. cbn [alice]. unfold a. rewrite Z.
        destruct (Nat.eqb_spec j i); [congruence|]. unfold chance. field. lra.
Qed.

Lemma all_spare P : plays P -> exists P', plays P' /\ forall j, (j < k)%nat -> spare P' j.
Proof.
  intros Pl. enough (forall q, (q <= k)%nat -> exists P', plays P' /\ forall j, (j < q)%nat -> spare P' j) as H
    by (apply H, le_n).
  induction q as [|q IH]; intros Hq; [exists P; split; [exact Pl|intros j Hj; lia]|].
  destruct (IH ltac:(lia)) as [P1 [Pl1 S1]]. destruct (leave_out P1 q Pl1 ltac:(lia)) as [P2 [Pl2 [S2 K]]].
  exists P2. split; [exact Pl2|]. intros j Hj. destruct (Nat.eq_dec j q) as [->|N]; [exact S2|].
  apply K; [lia|]. apply S1. lia.
Qed.

(* ---- where messages are left out, in the order of the messages ---- *)

Definition left_out (P : protocol) (case : list nat) := length case = k /\
  (forall i, In i case -> (i < length xs)%nat) /\
  forall j, (j < k)%nat -> alice P (input (nth j case O)) j == 0.

Lemma some_left_out P : (forall j, (j < k)%nat -> spare P j) -> exists case, left_out P case.
Proof.
  intros S. enough (forall q, (q <= k)%nat -> exists case, length case = q /\ (forall i, In i case -> (i < length
    xs)%nat) /\
    forall j, (j < q)%nat -> alice P (input (nth j case O)) j == 0) as H by (apply (H k (le_n k))).
  induction q as [|q IH]; intros Hq.
  - exists []. split; [reflexivity|]. split; [intros i []|intros j Hj; lia].
  - destruct (IH ltac:(lia)) as [case [L [I Z]]]. destruct (S q ltac:(lia)) as [x [Hx Zx]].
    apply (In_nth _ _ O) in Hx as [t [Ht <-]]. exists (case ++ [t]). split; [rewrite app_length; cbn; lia|]. split.
    + intros i J. apply in_app_or in J as [J|[<-|[]]]; [apply I, J|exact Ht].
    + intros j Hj. destruct (Nat.eq_dec j q) as [->|N].
      * rewrite app_nth2 by lia. rewrite L, Nat.sub_diag. exact Zx.
      * rewrite app_nth1 by lia. apply Z. lia.
Qed.

Lemma not_all_equal P case : plays P -> left_out P case -> forallb (Nat.eqb (hd O case)) case = false.
Proof.
  intros [A _] [L [I Z]]. destruct (forallb _ case) eqn:E; [exfalso|reflexivity]. rewrite forallb_forall in E.
  destruct case as [|t case']; [cbn in L; lia|]. cbn [hd] in E. set (case := t :: case') in *.
  destruct (A (input t)) as [_ S]; [apply nth_In, I, in_eq|].
  rewrite (sum_ext k _ (fun _ => 0)), sum_zero in S; [discriminate S|].
  intros j Hj. rewrite <- (Z j Hj). specialize (E (nth j case O) ltac:(apply nth_In; lia)). apply Nat.eqb_eq in E.
  rewrite <- E. reflexivity.
Qed.

(* messages may be renamed *)
Lemma renamed_left_out P case case' : Permutation case case' -> plays P -> left_out P case ->
  exists P', plays P' /\ left_out P' case'.
Proof.
  intros Pm [A [B E]] [L [I Z]]. pose proof (Permutation_length Pm) as L'.
  apply (Permutation_nth case case' O) in Pm. cbv zeta in Pm. destruct Pm as [_ [g [Gb [Gi Gn]]]]. rewrite L in *.
  set (l := map g (seq 0 k)).
  assert (Permutation (seq 0 k) l) as M.
  { apply NoDup_Permutation_bis; [apply seq_NoDup|unfold l; rewrite map_length; apply le_n|].
    assert (NoDup l) as D.
    { apply NoDup_image; [|apply seq_NoDup]. intros a b Ha Hb. apply in_seq in Ha, Hb. apply Gi; lia. }
    apply (NoDup_length_incl D); [unfold l; rewrite map_length; apply le_n|].
    intros a Ha. unfold l in Ha. apply in_map_iff in Ha as [b [<- Hb]]. apply in_seq in Hb. apply in_seq.
    specialize (Gb b ltac:(lia)). lia. }
  assert (forall j, (j < k)%nat -> nth j l O = g j) as Gl by (intros j Hj; apply nth_map_seq, Hj).
  destruct (permutation_of k l M) as [_ [_ Bd]].
  exists {| alice := fun x i => alice P x (nth i l O); bob := fun i y => bob P (nth i l O) y |}. split; [split;
    [|split]|split; [|split]].
  - intros x Hx. destruct (A x Hx) as [A0 A1]. split; [intros i Hi; apply A0, Bd, Hi|].
    cbn [alice]. rewrite (sum_permuted k l (alice P x) M). exact A1.
  - intros i y Hi Hy. apply B; [apply Bd, Hi|exact Hy].
  - intros x y Hx Hy. eapply Qle_trans; [|apply (E x y Hx Hy)]. apply Qle_lteq. right. unfold error.
    destruct (f x y) as [v|]; [|reflexivity]. cbn [alice bob].
    apply (sum_permuted k l (fun i => alice P x i * (if v then 1 - bob P i y else bob P i y)) M).
  - congruence.
  - intros i J. apply (In_nth _ _ O) in J as [j [Hj <-]]. rewrite Gn by lia. apply I, nth_In. rewrite L. apply Gb. lia.
  - intros j Hj. cbn [alice]. rewrite Gn, Gl by lia. apply Z, Gb. lia.
Qed.

(* ---- symmetries, which move the inputs ---- *)

Variables (n : nat) (F : list (list (option bool))) (moves : list symmetry).
Hypothesis f_table : f = of_table F.
Hypothesis inputs_below : forall x, In x xs -> (x < n)%nat.
Hypothesis moves_checked : forallb (check_symmetry n m F) moves = true.

Definition move (t case : list nat) : list nat := Sorting.InOrder.sort (map (fun i => nth i t O) case).
(* where a symmetry moves the inputs, by their positions *)
Definition moves_to (s : symmetry) (t : list nat) := length t = length xs /\
  forall i, (i < length xs)%nat -> (nth i t O < length xs)%nat /\ input (nth i t O) = moved_row s (input i).

Lemma moved_left_out s t P case : In s moves -> moves_to s t -> (forall i, In i case -> (i < length xs)%nat) ->
  plays P -> left_out P (move t case) -> exists P', plays P' /\ left_out P' case.
Proof.
  intros Is [_ T] Ic Pl Lo.
  destruct (renamed_left_out P _ (map (fun i => nth i t O) case) (Permutation_sym (Sorting.InOrder.Permuted_sort _)) Pl Lo)
    as [P1 [[A [B E]] [L [_ Z]]]].
  destruct (symmetry_moves n m F moves moves_checked s Is) as [_ [Cp M]].
  destruct (permutation_of m _ Cp) as [_ [_ Cb]].
  rewrite map_length in L.
  assert (forall x, In x xs -> In (moved_row s x) xs) as In_.
  { intros x Hx. apply (In_nth _ _ O) in Hx as [i [Hi <-]]. destruct (T i Hi) as [Ht <-]. apply nth_In, Ht. }
  exists {| alice := fun x => alice P1 (moved_row s x);
            bob := fun i y => if nth y (snd s) false then 1 - bob P1 i (moved_column s y) else bob P1 i (moved_column
              s y) |}.
  split; [split; [|split]|split; [|split]].
  - intros x Hx. apply A, In_, Hx.
  - intros i y Hi Hy. cbn [bob]. pose proof (B i (moved_column s y) Hi (Cb y Hy)). destruct (nth y (snd s) false); lra.
  - intros x y Hx Hy. specialize (E _ (moved_column s y) (In_ x Hx) (Cb y Hy)).
    eapply Qle_trans; [|exact E]. apply Qle_lteq. right. specialize (M x y (inputs_below x Hx) Hy).
    unfold error. rewrite f_table, M. cbn [alice bob].
    destruct (nth y (snd s) false), (of_table F x y) as [[|]|]; cbn [turned option_map negb]; try reflexivity;
      apply sum_ext; intros i _; ring.
  - exact L.
  - exact Ic.
  - intros j Hj. cbn [alice]. specialize (Z j Hj). rewrite (nth_indep (map (fun i => nth i t O) case) O (nth O t O))
    in Z by (rewrite map_length; lia).
    rewrite (map_nth (fun i => nth i t O)) in Z.
    destruct (T (nth j case O)) as [_ <-]; [apply Ic, nth_In; lia|exact Z].
Qed.
End Inputs.
