(* Which databases are neighbours: decided, and all neighbours compared. *)
From Coq Require Import List ZArith Lia Bool Permutation Sorting.Mergesort Orders FMapPositive.
From CCSim Require Import Definitions Changes.
Import ListNotations.

(* ---- the lists of databases hold them all ---- *)

Definition database (records m : nat) (D : list nat) : Prop :=
  length D = m /\ forall x, In x D -> (x < records)%nat.

Theorem sequences_spec records : forall m D, In D (sequences records m) <-> database records m D.
Proof.
  induction m as [|m IH]; intros D; simpl.
  - split; [intros [<-|[]]; split; [reflexivity|intros x []]|].
    intros [L _]. left. destruct D; [reflexivity|discriminate].
  - rewrite in_flat_map. split.
    + intros [x [Hx HD]]. apply in_map_iff in HD as [E [<- HE]]. apply IH in HE as [L R].
      apply in_seq in Hx. split; [simpl; lia|]. intros y [<-|Hy]; [lia|auto].
    + intros [L R]. destruct D as [|x D]; [discriminate|]. exists x. split.
      * apply in_seq. specialize (R x (or_introl eq_refl)). lia.
      * apply in_map, IH. split; [injection L; auto|intros y Hy; apply R; right; exact Hy].
Qed.

Lemma multisets_from_spec records : forall m low D, In D (multisets_from records m low) <->
  Sorted.StronglySorted (fun a b => (a <= b)%nat) D /\ database records m D /\ forall x, In x D -> (low <= x)%nat.
Proof.
  induction m as [|m IH]; intros low D; simpl.
  - split; [intros [<-|[]]; split; [constructor|split; [split; [reflexivity|intros x []]|intros x []]]|].
    intros [_ [[L _] _]]. left. destruct D; [reflexivity|discriminate].
  - rewrite in_flat_map. split.
    + intros [x [Hx HD]]. apply in_map_iff in HD as [E [<- HE]]. apply IH in HE as [S [[L R] B]].
      apply in_seq in Hx. split; [|split; [split; [simpl; lia|]|]].
      * constructor; [exact S|]. apply Forall_forall. exact B.
      * intros y [<-|Hy]; [lia|auto].
      * intros y [<-|Hy]; [lia|]. specialize (B y Hy). lia.
    + intros [S [[L R] B]]. destruct D as [|x D]; [discriminate|]. inversion S as [|? ? S' F]; subst.
      rewrite Forall_forall in F. exists x. split.
      * pose proof (B x (or_introl eq_refl)). pose proof (R x (or_introl eq_refl)). apply in_seq. lia.
      * apply in_map, IH. split; [exact S'|split; [|exact F]].
        split; [injection L; auto|intros y Hy; apply R; right; exact Hy].
Qed.

Theorem multisets_spec records m D : In D (multisets records m) <->
  Sorted.StronglySorted (fun a b => (a <= b)%nat) D /\ database records m D.
Proof.
  unfold multisets. rewrite multisets_from_spec. split; [intros [S [R _]]; auto|].
  intros [S R]. split; [exact S|]. split; [exact R|]. intros. lia.
Qed.

(* ---- all neighbours of a database ---- *)

Section moves.
Variables (group : nat -> nat) (records : nat).

Fixpoint moves (public : nat) (D : list nat) : list (list nat) :=
  match D with
  | [] => []
  | x :: t => match public with
              | O => map (fun y => y :: t) (filter (fun y => group x =? group y)%nat (seq 0 records))
              | S _ => []
              end ++ map (cons x) (moves (pred public) t)
  end.

Lemma moves_complete : forall D E public, (forall y, In y E -> (y < records)%nat) ->
  replaced group public D E -> In E (moves public D).
Proof.
  intros D E public R [l [x [y [t [-> [-> [P G]]]]]]].
  assert (y < records)%nat as Hy by (apply R, in_elt). clear R. revert public P.
  induction l as [|z l IH]; intros public P; simpl; apply in_or_app.
  - left. simpl in P. destruct public; [|lia]. apply in_map_iff. exists y. split; [reflexivity|].
    apply filter_In. split; [apply in_seq; lia|apply Nat.eqb_eq; exact G].
  - right. apply in_map, IH. simpl in P. lia.
Qed.

Lemma moves_sound : forall D E public, In E (moves public D) -> replaced group public D E.
Proof.
  induction D as [|x t IH]; intros E public H; simpl in H; [destruct H|].
  apply in_app_or in H as [H|H].
  - destruct public; [|destruct H]. apply in_map_iff in H as [y [<- H]].
    apply filter_In in H as [_ G]. apply Nat.eqb_eq in G.
    exists [], x, y, t. repeat split; [simpl; lia|exact G].
  - apply in_map_iff in H as [F [<- H]]. apply IH in H as [l [a [b [s [-> [-> [P G]]]]]]].
    exists (x :: l), a, b, s. repeat split; [simpl; lia|exact G].
Qed.

Definition sorted_moves D := map sorted (moves 0 D).

Lemma sorted_moves_complete D E : (forall y, In y E -> (y < records)%nat) ->
  Sorted.StronglySorted (fun a b => (a <= b)%nat) E -> exchanged group D E -> In E (sorted_moves D).
Proof.
  intros R S [x [y [r [PD [PE G]]]]].
  assert (In x D) as Hx by (eapply Permutation_in; [apply Permutation_sym, PD|left; reflexivity]).
  destruct (in_split _ _ Hx) as [l [t ED]]. subst D.
  assert (Permutation r (l ++ t)) as P.
  { apply Permutation_sym, (Permutation_cons_inv (a := x)).
    eapply Permutation_trans; [apply Permutation_middle|exact PD]. }
  assert (Permutation E (l ++ y :: t)) as PE'.
  { eapply Permutation_trans; [exact PE|]. eapply Permutation_trans; [apply perm_skip, P|apply Permutation_middle]. }
  apply in_map_iff. exists (l ++ y :: t). split.
  - apply strongly_sorted_unique; [apply sorted_strongly|exact S|].
    eapply Permutation_trans; [apply Permutation_sym, sorted_permutation|apply Permutation_sym, PE'].
  - apply moves_complete.
    + intros z Hz. apply R. eapply Permutation_in; [apply Permutation_sym, PE'|exact Hz].
    + exists l, x, y, t. repeat split; [lia|exact G].
Qed.

Lemma sorted_moves_sound D E : In E (sorted_moves D) -> exchanged group D E.
Proof.
  intros H. apply in_map_iff in H as [F [<- H]]. apply moves_sound in H as [l [x [y [t [-> [-> [_ G]]]]]]].
  exists x, y, (l ++ t). split; [apply Permutation_sym, Permutation_middle|]. split; [|exact G].
  eapply Permutation_trans; [apply Permutation_sym, sorted_permutation|apply Permutation_sym, Permutation_middle].
Qed.
End moves.

(* ---- quality functions ---- *)

Fixpoint far (unit : Z) (q r : list Z) : bool :=
  match q, r with
  | [], [] => false
  | a :: q', b :: r' => (unit <? Z.abs (a - b))%Z || far unit q' r'
  | _, _ => true
  end.
Definition is_close unit growth q r := negb (far unit q r)
  && match growth with
     | Some k => (larger q r <=? k)%nat && (larger r q <=? k)%nat
     | None => true
     end.

Lemma far_spec unit : (0 <= unit)%Z -> forall q r, far unit q r = false <->
  length q = length r /\ forall s, (Z.abs (nth s q 0 - nth s r 0) <= unit)%Z.
Proof.
  intros U. induction q as [|a q IH]; intros [|b r]; simpl; split; try discriminate.
  - intros _. split; [reflexivity|]. intros [|s]; simpl; lia.
  - reflexivity.
  - intros [L _]. discriminate.
  - intros [L _]. discriminate.
  - intros H. apply orb_false_elim in H as [A B]. apply Z.ltb_ge in A. apply IH in B as [L B].
    split; [lia|]. intros [|s]; simpl; auto.
  - intros [L H]. apply orb_false_intro.
    + apply Z.ltb_ge. exact (H O).
    + apply IH. split; [lia|]. intros s. exact (H (S s)).
Qed.

Lemma is_close_spec unit growth q r : (0 <= unit)%Z -> is_close unit growth q r = true <-> close unit growth q r.
Proof.
  intros U. unfold is_close, close. rewrite andb_true_iff, negb_true_iff, (far_spec unit U).
  destruct growth; rewrite ?andb_true_iff, ?Nat.leb_le; tauto.
Qed.

(* ---- all types of databases ---- *)

Inductive databases :=
| Sequences (records m public : nat) (groups : option (list nat))
| Multisets (records m : nat) (groups : option (list nat))
| Sizes (symmetric : bool) (records least most : nat) (how : change) (groups : option (list nat))
| Qualities (unit : positive) (growth : option nat) (functions : list (list Z))
| Pairs (pairs : list (nat * nat)).

Definition group (groups : option (list nat)) (record : nat) : nat :=
  match groups with Some l => nth record l O | None => O end.

Definition databases_of_sizes (symmetric : bool) records := of_sizes ((if symmetric then multisets else sequences) records).

Definition neighbours (which : databases) : nat -> nat -> Prop :=
  match which with
  | Sequences n m p g => among (sequences n m) (replaced (group g) p)
  | Multisets n m g => among (multisets n m) (exchanged (group g))
  | Sizes s n a b c g => among (databases_of_sizes s n a b) (changes s c (group g))
  | Qualities u k l => among l (close (Zpos u) k)
  | Pairs l => listed l
  end.

Definition are_among {A} (l : list A) (near : A -> A -> bool) i j : bool :=
  match nth_error l i, nth_error l j with Some D, Some E => near D E | _, _ => false end.
Definition are_listed l (i j : nat) : bool :=
  existsb (fun p => (fst p =? i) && (snd p =? j) || (fst p =? j) && (snd p =? i))%nat l.

Definition are_neighbours (which : databases) : nat -> nat -> bool :=
  match which with
  | Sequences n m p g =>
      are_among (sequences n m) (fun D E => existsb (equal E) (moves (group g) n p D))
  | Multisets n m g =>
      are_among (multisets n m) (fun D E => existsb (equal E) (sorted_moves (group g) n D))
  | Sizes s n a b c g => are_among (databases_of_sizes s n a b) (is_change s c (group g))
  | Qualities u k l => are_among l (is_close (Zpos u) k)
  | Pairs l => are_listed l
  end.

Lemma are_among_sound {A} (l : list A) (near : A -> A -> bool) (means : A -> A -> Prop) i j :
  (forall D E, near D E = true -> means D E) -> are_among l near i j = true -> among l means i j.
Proof.
  intros S. unfold are_among. destruct (nth_error l i) as [D|] eqn:HD, (nth_error l j) as [E|] eqn:HE;
    try discriminate. intros H. exists D, E. auto.
Qed.

Lemma existsb_equal E l : existsb (equal E) l = true -> In E l.
Proof.
  intros H. apply existsb_exists in H as [F [I H]]. unfold equal in H.
  destruct (list_eq_dec Nat.eq_dec E F); [subst; exact I|discriminate].
Qed.

Theorem are_neighbours_sound which i j : are_neighbours which i j = true -> neighbours which i j.
Proof.
  destruct which as [n m p g|n m g|s n a b c g|u k l|l]; simpl.
  - apply are_among_sound. intros D E H. eapply moves_sound, existsb_equal, H.
  - apply are_among_sound. intros D E H. eapply sorted_moves_sound, existsb_equal, H.
  - apply are_among_sound. intros D E. apply is_change_spec.
  - apply are_among_sound. intros D E. apply is_close_spec. lia.
  - unfold are_listed, listed. intros H. apply existsb_exists in H as [[a b] [I H]]. simpl in H.
    apply orb_prop in H as [H|H]; apply andb_prop in H as [A B]; apply Nat.eqb_eq in A, B; subst; auto.
Qed.

(* ---- comparing the laws of all neighbours ---- *)

(* databases as keys of a map; that it holds what it should is looked up afterwards *)
Fixpoint key (D : list nat) : positive :=
  match D with [] => xH | x :: t => Nat.iter x xO (xI (key t)) end.

Section compare.
Context {law : Type} (same : law -> law -> bool) (pair : law -> law -> bool).
Hypothesis same_spec : forall p q, same p q = true -> p = q.

Fixpoint mapped (l : list (list nat)) (laws : list law) : PositiveMap.t law :=
  match l, laws with
  | D :: l', p :: laws' => PositiveMap.add (key D) p (mapped l' laws')
  | _, _ => PositiveMap.empty law
  end.
Fixpoint agree (found : list nat -> option law) (l : list (list nat)) (laws : list law) : bool :=
  match l, laws with
  | D :: l', p :: laws' => match found D with Some q => same q p | None => false end && agree found l' laws'
  | [], [] => true
  | _, _ => false
  end.
Definition compare_found (found : list nat -> option law) l laws (next : list nat -> list (list nat)) : bool :=
  agree found l laws
  && forallb (fun D => match found D with
                       | Some p => forallb (fun E => match found E with Some q => pair p q | None => true end)
                                           (next D)
                       | None => true
                       end) l.
Definition compare_moves (l : list (list nat)) (laws : list law) (next : list nat -> list (list nat)) : bool :=
  let known := mapped l laws in compare_found (fun D => PositiveMap.find (key D) known) l laws next.

Lemma agree_spec found : forall l laws, agree found l laws = true ->
  forall i D, nth_error l i = Some D -> exists p, nth_error laws i = Some p /\ found D = Some p.
Proof.
  induction l as [|D l IH]; intros [|p laws] H i F N; try discriminate; [destruct i; discriminate|].
  simpl in H. apply andb_prop in H as [H H']. destruct i as [|i].
  - injection N as <-. destruct (found D) as [q|] eqn:Q; [|discriminate]. apply same_spec in H as ->.
    exists p. split; reflexivity.
  - apply (IH laws H' i F N).
Qed.

Lemma compare_moves_sound l laws next : compare_moves l laws next = true -> forall i j D E,
  nth_error l i = Some D -> nth_error l j = Some E -> In E (next D) ->
  exists p q, nth_error laws i = Some p /\ nth_error laws j = Some q /\ pair p q = true.
Proof.
  unfold compare_moves. cbv zeta. generalize (fun D => PositiveMap.find (key D) (mapped l laws)).
  unfold compare_found. intros found H i j D E Hi Hj I.
  apply andb_prop in H as [A H]. rewrite forallb_forall in H. specialize (H D (nth_error_In _ _ Hi)).
  destruct (agree_spec _ _ _ A i D Hi) as [p [P FD]]. destruct (agree_spec _ _ _ A j E Hj) as [q [Q FE]].
  exists p, q. split; [exact P|]. split; [exact Q|].
  rewrite FD, forallb_forall in H. specialize (H E I). rewrite FE in H. exact H.
Qed.

Definition compare_all {A} (l : list A) (near : A -> A -> bool) (laws : list law) : bool :=
  (length l =? length laws)%nat
  && let both := combine l laws in
     forallb (fun a => forallb (fun b => if near (fst a) (fst b) then pair (snd a) (snd b) else true) both) both.

Lemma nth_error_combine {A B} : forall (l : list A) (k : list B) i a, length l = length k ->
  nth_error l i = Some a -> exists b, nth_error k i = Some b /\ In (a, b) (combine l k).
Proof.
  induction l as [|x l IH]; intros [|y k] i a L H; try discriminate; [destruct i; discriminate|].
  destruct i as [|i].
  - injection H as <-. exists y. split; [reflexivity|left; reflexivity].
  - destruct (IH k i a ltac:(injection L; auto) H) as [b [B' I]]. exists b. split; [exact B'|right; exact I].
Qed.

Lemma compare_all_sound {A} (l : list A) near laws : compare_all l near laws = true -> forall i j D E,
  nth_error l i = Some D -> nth_error l j = Some E -> near D E = true ->
  exists p q, nth_error laws i = Some p /\ nth_error laws j = Some q /\ pair p q = true.
Proof.
  unfold compare_all. intros H i j D E Hi Hj N. apply andb_prop in H as [L H]. apply Nat.eqb_eq in L.
  destruct (nth_error_combine _ _ _ _ L Hi) as [p [P IP]]. destruct (nth_error_combine _ _ _ _ L Hj) as [q [Q IQ]].
  exists p, q. split; [exact P|]. split; [exact Q|].
  rewrite forallb_forall in H. specialize (H _ IP). rewrite forallb_forall in H. specialize (H _ IQ).
  simpl in H. rewrite N in H. exact H.
Qed.

Definition compare_pairs (pairs : list (nat * nat)) (laws : list law) : bool :=
  forallb (fun ij => match nth_error laws (fst ij), nth_error laws (snd ij) with
                     | Some p, Some q => pair p q && pair q p
                     | _, _ => false
                     end) pairs.

Definition compare (which : databases) (laws : list law) : bool :=
  match which with
  | Sequences n m p g => compare_moves (sequences n m) laws (moves (group g) n p)
  | Multisets n m g => compare_moves (multisets n m) laws (sorted_moves (group g) n)
  | Sizes s n a b c g => compare_all (databases_of_sizes s n a b) (is_change s c (group g)) laws
  | Qualities u k l => compare_all l (is_close (Zpos u) k) laws
  | Pairs l => compare_pairs l laws
  end.

Theorem compare_sound which laws : compare which laws = true -> forall i j, neighbours which i j ->
  exists p q, nth_error laws i = Some p /\ nth_error laws j = Some q /\ pair p q = true.
Proof.
  destruct which as [n m p g|n m g|s n a b c g|u k l|l]; simpl; intros C i j H.
  - destruct H as [D [E [HD [HE N]]]]. eapply compare_moves_sound; [exact C|exact HD|exact HE|].
    apply moves_complete; [|exact N]. apply nth_error_In, sequences_spec in HE as [_ R]. exact R.
  - destruct H as [D [E [HD [HE N]]]]. eapply compare_moves_sound; [exact C|exact HD|exact HE|].
    apply nth_error_In, multisets_spec in HE as [S [_ R]]. apply sorted_moves_complete; assumption.
  - destruct H as [D [E [HD [HE N]]]]. eapply compare_all_sound; [exact C|exact HD|exact HE|].
    apply is_change_spec, N.
  - destruct H as [D [E [HD [HE N]]]]. eapply compare_all_sound; [exact C|exact HD|exact HE|].
    apply is_close_spec; [lia|exact N].
  - unfold compare_pairs in C. rewrite forallb_forall in C. destruct H as [H|H]; specialize (C _ H); simpl in C;
      destruct (nth_error laws i) as [a|], (nth_error laws j) as [b|]; try discriminate;
      apply andb_prop in C as [C C']; eauto.
Qed.
End compare.
