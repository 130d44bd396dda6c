(* The rule "symmetry" for sets: of every orbit one set is tried.  A move is a list of images of the
   numbers below n, with the list of their origins. *)
From Coq Require Import List Arith Lia Bool Permutation.
Import ListNotations.

Record move := { images : list nat; origins : list nat }.
Definition act (m : move) (x : nat) : nat := nth x (images m) 0.
Definition undo (m : move) (x : nat) : nat := nth x (origins m) 0.
Definition is_move (n : nat) (m : move) : bool :=
  forallb (fun x => (act m x <? n) && (undo m x <? n) && (undo m (act m x) =? x) && (act m (undo m x) =? x))
          (seq 0 n).

Definition member (x : nat) (l : list nat) : bool := existsb (Nat.eqb x) l.
Definition without (l d : list nat) : list nat := filter (fun x => negb (member x d)) l.

Lemma member_spec x l : member x l = true <-> In x l.
Proof.
  unfold member. rewrite existsb_exists. split.
  - intros [y [H E]]. apply Nat.eqb_eq in E as ->. exact H.
  - intros H. exists x. split; [exact H|apply Nat.eqb_refl].
Qed.

Fixpoint no_repeats (l : list nat) : bool :=
  match l with [] => true | x :: l' => negb (member x l') && no_repeats l' end.
Lemma no_repeats_spec l : no_repeats l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; intros H; [constructor|]. cbn [no_repeats] in H. apply andb_prop in H as [N H].
  constructor; [|apply IH, H]. intros I. apply member_spec in I. rewrite I in N. discriminate.
Qed.

Lemma without_spec x l d : In x (without l d) <-> In x l /\ ~ In x d.
Proof.
  unfold without. rewrite filter_In, negb_true_iff. split; intros [H1 H2]; split; auto.
  - intros H. apply member_spec in H. congruence.
  - destruct (member x d) eqn:E; [|reflexivity]. apply member_spec in E. contradiction.
Qed.

(* elements that moves lead to, with so many rounds *)
Fixpoint orbit (rounds : nat) (moves : list move) (found : list nat) : list nat :=
  match rounds with
  | O => found
  | S r => let new := without (nodup Nat.eq_dec (flat_map (fun x => map (fun m => act m x) moves) found)) found in
           match new with [] => found | _ => orbit r moves (found ++ new) end
  end.
Definition closed (moves : list move) (l : list nat) : bool :=
  forallb (fun x => forallb (fun m => member (act m x) l) moves) l.

Section Moves.
Variable n : nat.
Variable bad : list nat -> Prop.                       (* a property of sets *)
Hypothesis bad_same : forall T U, (forall x, In x T <-> In x U) -> bad T -> bad U.

Definition symmetric (m : move) : Prop :=
  is_move n m = true /\ forall T, (forall x, In x T -> x < n) -> bad (map (act m) T) -> bad T.

(* of a set that takes an element, all images under moves that fix what is chosen may be left out *)
Definition images_of (moves : list move) (x : nat) : list nat :=
  match moves with [] => [x] | _ => orbit n moves [x] end.
Definition fixing (x : nat) (moves : list move) : list move := filter (fun m => act m x =? x) moves.

Definition refuted k chosen candidates : Prop := forall T, NoDup T -> length T = k ->
  (forall x, In x T -> In x candidates) -> ~ bad (chosen ++ T).

Lemma is_move_spec m : is_move n m = true -> forall x, x < n ->
  act m x < n /\ undo m x < n /\ undo m (act m x) = x /\ act m (undo m x) = x.
Proof.
  unfold is_move. rewrite forallb_forall. intros H x Hx.
  specialize (H x). rewrite in_seq in H. specialize (H ltac:(lia)).
  apply andb_prop in H as [H H4]. apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2].
  apply Nat.ltb_lt in H1, H2. apply Nat.eqb_eq in H3, H4. auto.
Qed.

(* a bad set that takes all but what is moved from the chosen can be moved back *)
Inductive reachable (moves : list move) (x : nat) : nat -> Prop :=
  | here : reachable moves x x
  | further y m : reachable moves x y -> In m moves -> reachable moves x (act m y).

Lemma orbit_reachable moves x : forall rounds found, (forall y, In y found -> reachable moves x y) ->
  forall y, In y (orbit rounds moves found) -> reachable moves x y.
Proof.
  induction rounds as [|r IH]; intros found H y Hy; simpl in Hy; [auto|].
  set (new := without _ _) in Hy. destruct new as [|a l] eqn:E; [auto|].
  apply (IH (found ++ a :: l)) in Hy; [exact Hy|]. intros z Hz. apply in_app_or in Hz as [Hz|Hz]; [auto|].
  rewrite <- E in Hz. apply without_spec in Hz as [Hz _]. apply nodup_In in Hz.
  apply in_flat_map in Hz as [w [Hw Hz]]. apply in_map_iff in Hz as [m [<- Hm]].
  apply further; auto.
Qed.

Lemma orbit_grows moves : forall rounds found x, In x found -> In x (orbit rounds moves found).
Proof.
  induction rounds as [|r IH]; intros found x H; simpl; [exact H|].
  destruct (without _ _) as [|a l]; [exact H|]. apply IH, in_or_app. auto.
Qed.

Lemma NoDup_undo m : is_move n m = true -> forall T, NoDup T -> (forall x, In x T -> x < n) -> NoDup (map (undo m) T).
Proof.
  intros M. induction T as [|a T IH]; intros D B; simpl; [constructor|]. inversion D as [|? ? Na D']; subst.
  constructor; [|apply IH; [exact D'|intros; apply B; simpl; auto]].
  intros H. apply in_map_iff in H as [b [E Hb]].
  assert (a = b) as ->; [|contradiction].
  destruct (is_move_spec m M a (B a (or_introl eq_refl))) as [_ [_ [_ Ea]]].
  destruct (is_move_spec m M b (B b (or_intror Hb))) as [_ [_ [_ Eb]]]. congruence.
Qed.

Lemma reachable_lt moves x : Forall (fun m => is_move n m = true) moves -> x < n ->
  forall y, reachable moves x y -> y < n.
Proof.
  intros F Hx y R. induction R as [|y m R IH Hm]; [exact Hx|].
  rewrite Forall_forall in F. apply (is_move_spec m (F m Hm) y IH).
Qed.

(* what moves keep, their inverses keep *)
Lemma kept_by_undo m l : is_move n m = true -> NoDup l -> (forall x, In x l -> x < n) ->
  (forall x, In x l -> In (act m x) l) -> forall x, In x l -> In (undo m x) l.
Proof.
  intros M D B C x Hx.
  assert (NoDup (map (act m) l)) as D'.
  { clear C Hx. induction l as [|a l IH]; simpl; [constructor|]. inversion D as [|? ? Na Dl]; subst.
    constructor; [|apply IH; [exact Dl|intros; apply B; simpl; auto]].
    intros H. apply in_map_iff in H as [b [E Hb]]. assert (a = b) as ->; [|contradiction].
    destruct (is_move_spec m M a (B a (or_introl eq_refl))) as [_ [_ [Ea _]]].
    destruct (is_move_spec m M b (B b (or_intror Hb))) as [_ [_ [Eb _]]]. congruence. }
  assert (incl l (map (act m) l)) as I.
  { apply NoDup_length_incl; [exact D'|rewrite map_length; auto|].
    intros z Hz. apply in_map_iff in Hz as [w [<- Hw]]. auto. }
  apply I in Hx. apply in_map_iff in Hx as [w [<- Hw]].
  rewrite (proj1 (proj2 (proj2 (is_move_spec m M w (B w Hw))))). exact Hw.
Qed.

Lemma moved_back moves chosen candidates x : Forall symmetric moves ->
  (forall m c, In m moves -> In c chosen -> act m c = c) ->
  (forall m c, In m moves -> In c candidates -> In (act m c) candidates) ->
  x < n -> (forall c, In c chosen -> c < n) -> (forall c, In c candidates -> c < n) ->
  (forall m c, In m moves -> In c candidates -> In (undo m c) candidates) ->
  forall y, reachable moves x y -> forall T, NoDup T -> (forall z, In z T -> In z candidates) -> In y T ->
  bad (chosen ++ T) ->
  exists U, NoDup U /\ length U = length T /\ (forall z, In z U -> In z candidates) /\ In x U /\ bad (chosen ++ U).
Proof.
  intros S F C Bx Bc Bn Cu y R. induction R as [|y m R IH Hm]; intros T D I Iy B.
  - exists T. auto.
  - rewrite Forall_forall in S. destruct (S m Hm) as [M Sy].
    assert (forall z, In z T -> z < n) as BT by auto.
    set (V := map (undo m) T).
    destruct (IH V) as [U [HU1 [HU2 HU3]]].
    + apply NoDup_undo; assumption.
    + intros z Hz. apply in_map_iff in Hz as [t [<- Ht]]. apply Cu; auto.
    + apply in_map_iff. exists (act m y). split; [|exact Iy].
      apply (is_move_spec m M y), (reachable_lt moves x); auto.
      rewrite Forall_forall. intros g Hg. apply S, Hg.
    + apply Sy.
      * intros z Hz. apply in_app_or in Hz as [Hz|Hz]; [auto|].
        apply in_map_iff in Hz as [t [<- Ht]]. apply Bn, Cu; auto.
      * eapply bad_same; [|exact B]. intros z. rewrite map_app, !in_app_iff. split.
        -- intros [Hz|Hz].
           ++ left. apply in_map_iff. exists z. split; [apply F; assumption|exact Hz].
           ++ right. apply in_map_iff. exists (undo m z). split; [|apply in_map, Hz].
              apply (is_move_spec m M z (BT z Hz)).
        -- intros [Hz|Hz].
           ++ left. apply in_map_iff in Hz as [c [E Hc]]. rewrite (F m c Hm Hc) in E. subst. exact Hc.
           ++ right. apply in_map_iff in Hz as [w [E Hw]]. apply in_map_iff in Hw as [t [E' Ht]]. subst w.
              rewrite (proj2 (proj2 (proj2 (is_move_spec m M t (BT t Ht))))) in E. subst. exact Ht.
    + exists U. rewrite HU2. unfold V. rewrite map_length. tauto.
Qed.

Record fit (chosen : list nat) (moves : list move) (left : list nat) : Prop := {
  are_symmetric : Forall symmetric moves;
  fix_chosen : forall m c, In m moves -> In c chosen -> act m c = c;
  keep_left : forall m c, In m moves -> In c left -> In (act m c) left;
  left_once : NoDup left;
  below : forall c, In c (chosen ++ left) -> c < n;
  once_chosen : NoDup chosen;
  apart : forall c, In c chosen -> ~ In c left }.

Lemma same_without x l : In x l -> forall z, In z l <-> In z (x :: without l [x]).
Proof.
  intros H z. simpl. rewrite without_spec. simpl. destruct (Nat.eq_dec x z) as [->|N]; [tauto|].
  split; [intros Hz; right; split; [exact Hz|intros [E|[]]; contradiction]|intros [E|[Hz _]]; [contradiction|exact Hz]].
Qed.

Lemma length_without x l : NoDup l -> In x l -> length l = S (length (without l [x])).
Proof.
  intros D H. assert (Permutation l (x :: without l [x])) as P.
  { apply NoDup_Permutation; [exact D| |apply same_without, H].
    constructor; [rewrite without_spec; simpl; tauto|apply NoDup_filter, D]. }
  apply Permutation_length in P. exact P.
Qed.

Lemma is_moves chosen moves left : fit chosen moves left -> Forall (fun m => is_move n m = true) moves.
Proof. intros [Sy _ _ _ _ _ _]. rewrite Forall_forall in *. intros m Hm. apply Sy, Hm. Qed.

Lemma images_of_reachable moves x y : In y (images_of moves x) -> reachable moves x y.
Proof.
  unfold images_of. destruct moves as [|m moves]; intros H.
  - destruct H as [<-|[]]. apply here.
  - eapply orbit_reachable; [|exact H]. intros z [<-|[]]. apply here.
Qed.

Lemma images_of_self moves x : In x (images_of moves x).
Proof. unfold images_of. destruct moves; [left; reflexivity|]. apply orbit_grows. left. reflexivity. Qed.

Lemma fit_child chosen moves left x : fit chosen moves left -> In x left ->
  fit (x :: chosen) (fixing x moves) (without left [x]).
Proof.
  intros Fl Ex. pose proof (is_moves _ _ _ Fl) as Mv. rewrite Forall_forall in Mv.
  destruct Fl as [Sy Fx Kl On Be Oc Ap].
  assert (forall c, In c left -> c < n) as Bl by (intros; apply Be, in_or_app; auto).
  constructor.
  - rewrite Forall_forall in *. intros m Hm. apply filter_In in Hm as [Hm _]. auto.
  - intros m c Hm Hc. apply filter_In in Hm as [Hm Em]. apply Nat.eqb_eq in Em.
    destruct Hc as [<-|Hc]; [exact Em|apply Fx; assumption].
  - intros m c Hm Hc. apply filter_In in Hm as [Hm Em]. apply Nat.eqb_eq in Em.
    apply without_spec in Hc as [Hc Nx]. apply without_spec. split; [apply Kl; assumption|].
    intros [E|[]]. apply Nx. left.
    destruct (is_move_spec m (Mv m Hm) c (Bl c Hc)) as [_ [_ [E1 _]]].
    destruct (is_move_spec m (Mv m Hm) x (Bl x Ex)) as [_ [_ [E2 _]]]. congruence.
  - apply NoDup_filter, On.
  - intros c Hc. simpl in Hc. destruct Hc as [<-|Hc]; [auto|].
    apply in_app_or in Hc as [Hc|Hc]; [apply Be, in_or_app; auto|].
    apply without_spec in Hc as [Hc _]. auto.
  - constructor; [intros H; exact (Ap x H Ex)|exact Oc].
  - intros c [<-|Hc] H; apply without_spec in H as [H N]; [apply N; left; reflexivity|exact (Ap c Hc H)].
Qed.

Lemma fit_rest chosen moves left x : fit chosen moves left -> In x left ->
  closed moves (images_of moves x) = true -> fit chosen moves (without left (images_of moves x)).
Proof.
  intros Fl Ex H1. pose proof (is_moves _ _ _ Fl) as Mv. pose proof Mv as Mv'. rewrite Forall_forall in Mv.
  destruct Fl as [Sy Fx Kl On Be Oc Ap].
  assert (forall c, In c left -> c < n) as Bl by (intros; apply Be, in_or_app; auto).
  set (images := images_of moves x) in *.
  assert (forall m c, In m moves -> In c images -> In (act m c) images) as Ci.
  { unfold closed in H1. rewrite forallb_forall in H1. intros m c Hm Hc. specialize (H1 c Hc).
    rewrite forallb_forall in H1. apply member_spec, H1, Hm. }
  constructor; auto.
  - intros m c Hm Hc. apply without_spec in Hc as [Hc Ni]. apply without_spec.
    split; [apply Kl; assumption|]. intros Hi. apply Ni.
    assert (forall z, In z images -> z < n) as Bi.
    { intros z Hz. apply (reachable_lt moves x); [exact Mv'|auto|]. apply images_of_reachable, Hz. }
    assert (In (undo m (act m c)) (nodup Nat.eq_dec images)) as Hu.
    { apply kept_by_undo; [apply Mv, Hm|apply NoDup_nodup|intros z; rewrite nodup_In; auto| |apply nodup_In, Hi].
      intros z. rewrite !nodup_In. apply Ci, Hm. }
    rewrite (proj1 (proj2 (proj2 (is_move_spec m (Mv m Hm) c (Bl c Hc))))) in Hu.
    apply nodup_In in Hu. exact Hu.
  - apply NoDup_filter, On.
  - intros c Hc. apply in_app_or in Hc as [Hc|Hc]; [apply Be, in_or_app; auto|].
    apply without_spec in Hc as [Hc _]. auto.
  - intros c Hc H. apply without_spec in H as [H _]. exact (Ap c Hc H).
Qed.

(* with x, and with none of its images *)
Theorem refuted_cases k chosen moves left x : fit chosen moves left -> In x left ->
  refuted k (x :: chosen) (without left [x]) ->
  refuted (S k) chosen (without left (images_of moves x)) -> refuted (S k) chosen left.
Proof.
  intros Fl Ex With Rest T D L I Bd. pose proof (is_moves _ _ _ Fl) as Mv. rewrite Forall_forall in Mv.
  destruct Fl as [Sy Fx Kl On Be Oc Ap].
  assert (forall c, In c left -> c < n) as Bl by (intros; apply Be, in_or_app; auto).
  destruct (existsb (fun y => member y (images_of moves x)) T) eqn:Et.
  - apply existsb_exists in Et as [y [Hy Ey]]. apply member_spec in Ey. apply images_of_reachable in Ey.
    destruct (moved_back moves chosen left x Sy Fx Kl (Bl x Ex)
      (fun c Hc => Be c (in_or_app _ _ _ (or_introl Hc))) Bl
      (fun m c Hm Hc => kept_by_undo m left (Mv m Hm) On Bl (fun z => Kl m z Hm) c Hc)
      y Ey T D I Hy Bd) as [U [DU [LU [IU [XU BU]]]]].
    apply (With (without U [x])).
    + apply NoDup_filter, DU.
    + rewrite (length_without x U DU XU) in LU. lia.
    + intros z Hz. apply without_spec in Hz as [Hz Nz]. apply without_spec. auto.
    + eapply bad_same; [|exact BU]. intros z. rewrite !in_app_iff. simpl.
      rewrite (same_without x U XU z). simpl. tauto.
  - refine (Rest T D L _ Bd). intros z Hz. apply without_spec. split; [auto|]. intros Hi.
    assert (existsb (fun y => member y (images_of moves x)) T = true); [|congruence].
    apply existsb_exists. exists z. split; [exact Hz|apply member_spec, Hi].
Qed.
End Moves.
