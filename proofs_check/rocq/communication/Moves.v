(* Protocols that are played after a random symmetry of the problem.  All symmetries that keep some labels
   of the inputs form a finite group: with one of them, each as likely, the error on an input is the
   same on inputs that symmetries exchange, and in all as large on the inputs of a label as before. *)
From Coq Require Import ZArith NArith QArith Lia Lqa Bool List Permutation.
From CCSim Require Import Definitions Sums Mixture OneWay RandomClasses.
Import ListNotations.
Local Open Scope Q_scope.

(* the images of rows, and those of columns *)
Notation pair_of_moves := (list nat * list nat)%type.
Definition goes (l : list nat) (x : nat) : nat := nth x l O.

Definition turned (b : bool) (v : option bool) : option bool := if b then option_map negb v else v.
Lemma turned_turned a b v : turned a (turned b v) = turned (xorb a b) v.
Proof. destruct a, b, v as [[|]|]; reflexivity. Qed.

Lemma NoDup_image {A B} (h : A -> B) l : (forall a b, In a l -> In b l -> h a = h b -> a = b) -> NoDup l ->
  NoDup (map h l).
Proof.
  induction l as [|a l IH]; intros I D; [constructor|]. inversion D as [|? ? Na Dl]; subst. cbn. constructor.
  - intros H. apply in_map_iff in H as [b [E Hb]].
    assert (a = b) as -> by (apply I; [left; reflexivity|right; exact Hb|congruence]). contradiction.
  - apply IH; [|exact Dl]. intros b c Hb Hc. apply I; right; assumption.
Qed.
Lemma sum_over_flat_map {A B} (u : A -> list B) l g : sum_over (flat_map u l) g == sum_over l (fun a => sum_over (u a)
  g).
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [flat_map]. rewrite sum_over_app, IH. reflexivity. Qed.
Lemma goes_onto n l x : Permutation (seq 0 n) l -> (x < n)%nat -> exists z, (z < n)%nat /\ goes l z = x.
Proof.
  intros P Hx. destruct (permutation_of n l P) as [L _].
  assert (In x l) as I by (apply (Permutation_in _ P), in_seq; lia).
  apply (In_nth _ _ O) in I as [z [Z E]]. exists z. split; [lia|exact E].
Qed.
Lemma list_of_images n l : length l = n -> map (goes l) (seq 0 n) = l.
Proof.
  intros L. apply (nth_ext _ _ O O); [rewrite map_length, seq_length; auto|]. rewrite map_length, seq_length.
  intros x Hx. apply nth_map_seq with (g := goes l), Hx.
Qed.

Section Group.
Variables (n m : nat) (F : problem) (L : nat -> nat -> N).

Definition column_moves (g : pair_of_moves) (y : nat) (b : bool) : bool :=
  forallb (fun x => same_value (F (goes (fst g) x) (goes (snd g) y)) (turned b (F x y))) (seq 0 n).
Definition fits (g : pair_of_moves) : bool :=
  forallb (fun y => column_moves g y false || column_moves g y true) (seq 0 m)
  && forallb (fun x => forallb (fun y => (L (goes (fst g) x) (goes (snd g) y) =? L x y)%N) (seq 0 m)) (seq 0 n).
Definition equal_pairs (g h : pair_of_moves) : {g = h} + {g <> h}.
Proof. repeat decide equality. Defined.
Definition group : list pair_of_moves :=
  filter fits (nodup equal_pairs (list_prod (permutations n) (permutations m))).
Definition flips g y : bool := negb (column_moves g y false).

Lemma column_moves_spec g y b : column_moves g y b = true <->
  forall x, (x < n)%nat -> F (goes (fst g) x) (goes (snd g) y) = turned b (F x y).
Proof.
  unfold column_moves. rewrite forallb_forall. split; intros H x Hx.
  - apply same_value_spec, H, in_seq. lia.
  - apply same_value_spec, H. apply in_seq in Hx. lia.
Qed.
Lemma group_spec g : In g group <-> Permutation (seq 0 n) (fst g) /\ Permutation (seq 0 m) (snd g) /\
  (forall y, (y < m)%nat -> exists b, column_moves g y b = true) /\
  (forall x y, (x < n)%nat -> (y < m)%nat -> L (goes (fst g) x) (goes (snd g) y) = L x y).
Proof.
  unfold group. rewrite filter_In, nodup_In. destruct g as [r c]. rewrite in_prod_iff, !permutations_spec.
  unfold fits. rewrite andb_true_iff, !forallb_forall. cbn [fst snd]. split.
  - intros [[R C] [T K]]. repeat split; try assumption.
    + intros y Hy. specialize (T y ltac:(apply in_seq; lia)). apply orb_prop in T as [T|T]; eauto.
    + intros x y Hx Hy. specialize (K x ltac:(apply in_seq; lia)). rewrite forallb_forall in K.
      apply N.eqb_eq, K, in_seq. lia.
  - intros [R [C [T K]]]. repeat split; try assumption.
    + intros y Hy. apply in_seq in Hy. destruct (T y ltac:(lia)) as [[|] B]; rewrite B; [apply orb_true_r|reflexivity].
    + intros x Hx. apply forallb_forall. intros y Hy. apply in_seq in Hx, Hy. apply N.eqb_eq, K; lia.
Qed.
Lemma group_once : NoDup group.
Proof. apply NoDup_filter, NoDup_nodup. Qed.
Lemma group_below g x y : In g group -> (x < n)%nat -> (y < m)%nat ->
  (goes (fst g) x < n)%nat /\ (goes (snd g) y < m)%nat.
Proof.
  intros I Hx Hy. apply group_spec in I as [R [C _]]. split; [apply (permutation_of n _ R),
    Hx|apply (permutation_of m _ C), Hy].
Qed.
Lemma flips_spec g x y : In g group -> (x < n)%nat -> (y < m)%nat ->
  F (goes (fst g) x) (goes (snd g) y) = turned (flips g y) (F x y).
Proof.
  intros I Hx Hy. apply group_spec in I as [_ [_ [T _]]]. unfold flips.
  destruct (column_moves g y false) eqn:E; [apply (proj1 (column_moves_spec g y false)); assumption|].
  destruct (T y Hy) as [[|] B]; [|congruence]. apply (proj1 (column_moves_spec g y true)); assumption.
Qed.

(* one symmetry, and then another *)
Definition after (h g : pair_of_moves) : pair_of_moves :=
  (map (fun x => goes (fst g) (goes (fst h) x)) (seq 0 n), map (fun y => goes (snd g) (goes (snd h) y)) (seq 0 m)).

Lemma after_goes h g x y : (x < n)%nat -> (y < m)%nat ->
  goes (fst (after h g)) x = goes (fst g) (goes (fst h) x) /\ goes (snd (after h g)) y = goes (snd g) (goes (snd h) y).
Proof.
  intros Hx Hy. split; unfold goes at 1, after; cbn [fst snd].
  - apply nth_map_seq with (g := fun x => goes (fst g) (goes (fst h) x)), Hx.
  - apply nth_map_seq with (g := fun y => goes (snd g) (goes (snd h) y)), Hy.
Qed.
Lemma composed k l l' : Permutation (seq 0 k) l -> Permutation (seq 0 k) l' ->
  Permutation (seq 0 k) (map (fun x => goes l' (goes l x)) (seq 0 k)).
Proof.
  intros P P'. rewrite <- (map_map (goes l) (goes l')), (list_of_images k l) by apply (permutation_of k l P).
  rewrite P' at 1. rewrite <- (list_of_images k l') at 1 by apply (permutation_of k l' P').
  apply Permutation_map, P.
Qed.
Lemma after_group h g : In h group -> In g group -> In (after h g) group.
Proof.
  intros H G. assert (forall x y, (x < n)%nat -> (y < m)%nat -> (goes (fst h) x < n)%nat /\ (goes (snd h) y < m)%nat)
    as B
    by (intros x y; apply group_below, H).
  pose proof H as H'. pose proof G as G'. apply group_spec in H as [R [C [T K]]].
    apply group_spec in G as [R' [C' [T' K']]].
  apply group_spec. repeat split.
  - apply composed; assumption.
  - apply composed; assumption.
  - intros y Hy. exists (xorb (flips g (goes (snd h) y)) (flips h y)). apply column_moves_spec. intros x Hx.
    destruct (after_goes h g x y Hx Hy) as [-> ->]. destruct (B x y Hx Hy) as [Bx By].
    rewrite (flips_spec g _ _ G' Bx By), (flips_spec h _ _ H' Hx Hy). apply turned_turned.
  - intros x y Hx Hy. destruct (after_goes h g x y Hx Hy) as [-> ->]. destruct (B x y Hx Hy) as [Bx By].
    rewrite K', K by assumption. reflexivity.
Qed.
Lemma after_onto h : In h group -> Permutation (map (after h) group) group.
Proof.
  intros H. apply NoDup_Permutation_bis.
  - apply NoDup_image; [|apply group_once]. intros g g' G G' E.
    apply group_spec in H as [R [C _]]. apply group_spec in G as [R1 [C1 _]]. apply group_spec in G' as [R2 [C2 _]].
    destruct g as [r c], g' as [r' c']. cbn [fst snd] in *. unfold after in E. cbn [fst snd] in E. injection E as ER EC.
    assert (forall k l a b, Permutation (seq 0 k) l -> Permutation (seq 0 k) a -> Permutation (seq 0 k) b ->
      map (fun x => goes a (goes l x)) (seq 0 k) = map (fun x => goes b (goes l x)) (seq 0 k) -> a = b) as U.
    { clear. intros k l a b P A B E. apply (nth_ext _ _ O O).
      - destruct (permutation_of k a A) as [-> _], (permutation_of k b B) as [-> _]. reflexivity.
      - destruct (permutation_of k a A) as [-> _]. intros x Hx. destruct (goes_onto k l x P Hx) as [z [Hz <-]].
        pose proof (nth_map_seq (fun x => goes a (goes l x)) k z O Hz) as Ea.
        pose proof (nth_map_seq (fun x => goes b (goes l x)) k z O Hz) as Eb. unfold goes in *. congruence. }
    f_equal; [apply (U n (fst h))|apply (U m (snd h))]; assumption.
  - rewrite map_length. apply le_n.
  - intros g G. apply in_map_iff in G as [g' [<- G]]. apply after_group; assumption.
Qed.
Lemma group_some : group <> [].
Proof.
  intros E. assert (In (seq 0 n, seq 0 m) group) as I; [|rewrite E in I; exact I].
  apply group_spec. cbn [fst snd].
  assert (forall k x, (x < k)%nat -> goes (seq 0 k) x = x) as S by (intros k x H; apply seq_nth, H).
  split; [apply Permutation_refl|]. split; [apply Permutation_refl|]. split.
  - intros y Hy. exists false. apply column_moves_spec. cbn [fst snd]. intros x Hx. rewrite !S by assumption.
    reflexivity.
  - intros x y Hx Hy. rewrite !S by assumption. reflexivity.
Qed.
Definition group_size : Q := inject_Z (Z.of_nat (length group)).
Lemma group_size_pos : 0 < group_size.
Proof.
  unfold group_size. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. pose proof group_some. destruct group;
    [congruence|cbn; lia].
Qed.

(* ---- what a function is on all images together ---- *)

Variable h : nat -> nat -> Q.
Definition on_images x y : Q := sum_over group (fun g => h (goes (fst g) x) (goes (snd g) y)).

Lemma images_alike g x y : In g group -> (x < n)%nat -> (y < m)%nat ->
  on_images (goes (fst g) x) (goes (snd g) y) == on_images x y.
Proof.
  intros G Hx Hy. unfold on_images.
  rewrite <- (sum_over_permutation _ _ (fun g => h (goes (fst g) x) (goes (snd g) y)) (after_onto g G)), sum_over_map.
  apply sum_over_ext. intros g' _. destruct (after_goes g g' x y Hx Hy) as [-> ->]. reflexivity.
Qed.

Definition over_label l (u : nat -> nat -> Q) : Q := sum n (fun x => sum m (fun y => chance (L x y =? l)%N * u x y)).

Lemma label_total l : over_label l on_images == group_size * over_label l h.
Proof.
  unfold over_label, on_images.
  rewrite (sum_ext n _ (fun x => sum_over group (fun g =>
    sum m (fun y => chance (L x y =? l)%N * h (goes (fst g) x) (goes (snd g) y))))).
  2:{ intros x _. rewrite <- sum_sum_over. apply sum_ext. intros y _. rewrite sum_over_scale. reflexivity. }
  rewrite sum_sum_over. unfold group_size. rewrite <- sum_over_const. apply sum_over_ext. intros g G.
  pose proof G as G'. apply group_spec in G as [R [C [_ K]]].
  rewrite <- (sum_permuted n (fst g) (fun x => sum m (fun y => chance (L x y =? l)%N * h x y)) R).
  apply sum_ext. intros x Hx.
  rewrite <- (sum_permuted m (snd g) (fun y => chance (L (nth x (fst g) O) y =? l)%N * h (nth x (fst g) O) y) C).
  apply sum_ext. intros y Hy. fold (goes (fst g) x) (goes (snd g) y). rewrite K by assumption. reflexivity.
Qed.

(* if inputs of a label are all alike, each has the mean over its label *)
Theorem label_mean x y : (x < n)%nat -> (y < m)%nat ->
  (forall x' y', (x' < n)%nat -> (y' < m)%nat -> L x' y' = L x y -> on_images x' y' == on_images x y) ->
  over_label (L x y) (fun _ _ => 1) * (on_images x y / group_size) == over_label (L x y) h.
Proof.
  intros Hx Hy A. pose proof group_size_pos as P. pose proof (label_total (L x y)) as T.
  assert (over_label (L x y) on_images == on_images x y * over_label (L x y) (fun _ _ => 1)) as E.
  { unfold over_label. rewrite <- sum_scale. apply sum_ext. intros x' Hx'. rewrite <- sum_scale. apply sum_ext.
    intros y' Hy'. destruct (N.eqb_spec (L x' y') (L x y)) as [D|D]; unfold chance; [rewrite (A x' y' Hx' Hy' D)|];
      ring. }
  rewrite E in T. apply (Qmult_inj_r _ _ group_size); [lra|].
  setoid_replace (over_label (L x y) (fun _ _ => 1) * (on_images x y / group_size) * group_size)
    with (on_images x y * over_label (L x y) (fun _ _ => 1)) by (field; lra).
  rewrite T. ring.
Qed.
Lemma label_count x y : (x < n)%nat -> (y < m)%nat -> 0 < over_label (L x y) (fun _ _ => 1).
Proof.
  intros Hx Hy. unfold over_label. apply Qlt_le_trans with 1; [lra|].
  apply Qle_trans with (sum n (fun x' => chance (x =? x')%nat * 1)); [rewrite (sum_single n x (fun _ => 1) Hx); lra|].
  apply sum_le. intros x' Hx'. destruct (Nat.eqb_spec x x') as [<-|D].
  - apply Qle_trans with (sum m (fun y' => chance (y =? y')%nat * 1)).
    + rewrite (sum_single m y (fun _ => 1) Hy). unfold chance. lra.
    + apply sum_le. intros y' Hy'. destruct (Nat.eqb_spec y y') as [<-|D].
      * rewrite N.eqb_refl. apply Qle_refl.
      * unfold chance. destruct (_ =? _)%N; lra.
  - setoid_replace (chance false * 1) with 0 by (unfold chance; ring). apply sum_nonneg. intros y' _.
    unfold chance. destruct (_ =? _)%N; lra.
Qed.

(* ---- protocols ---- *)

Definition moved (g : pair_of_moves) (P : protocol) : protocol := {|
  alice := fun x => alice P (goes (fst g) x);
  bob := fun i y => if flips g y then 1 - bob P i (goes (snd g) y) else bob P i (goes (snd g) y) |}.

Lemma moved_uses g k P : In g group -> uses n m k P -> uses n m k (moved g P).
Proof.
  intros G [A B]. apply group_spec in G as [R [C _]]. split.
  - intros x Hx. apply A. apply (permutation_of n _ R), Hx.
  - intros i y Hi Hy. cbn [moved bob]. pose proof (B i (goes (snd g) y) Hi (proj2 (proj2 (permutation_of m _ C)) y Hy)).
    destruct (flips g y); lra.
Qed.
Lemma moved_error g k P x y : In g group -> (x < n)%nat -> (y < m)%nat ->
  error k F (moved g P) x y == error k F P (goes (fst g) x) (goes (snd g) y).
Proof.
  intros G Hx Hy. pose proof (flips_spec g x y G Hx Hy) as E. unfold error. cbn [moved alice bob]. rewrite E.
  destruct (flips g y), (F x y) as [[|]|]; cbn [turned option_map negb]; try reflexivity;
    apply sum_ext; intros i _; ring.
Qed.

(* a mixture, played after a symmetry that is drawn from all of them *)
Theorem symmetric_mixture k c p P : law c p -> (forall i, (i < c)%nat -> uses n m k (P i)) -> exists c' p' P',
  law c' p' /\ (forall i, (i < c')%nat -> uses n m k (P' i)) /\
  forall x y, (x < n)%nat -> (y < m)%nat -> mean_error k F c' p' P' x y
    == sum_over group (fun g => mean_error k F c p P (goes (fst g) x) (goes (snd g) y)) / group_size.
Proof.
  intros [P0 P1] U. pose proof group_size_pos as S.
  set (l := flat_map (fun g => map (fun i => (p i / group_size, moved g (P i))) (seq 0 c)) group).
  set (none := (0, tables (fun _ => O) (fun _ _ => false))).
  assert (forall t, In t l -> 0 <= fst t /\ uses n m k (snd t)) as B.
  { intros t I. apply in_flat_map in I as [g [G I]]. apply in_map_iff in I as [i [<- I]]. apply in_seq in I.
    cbn [fst snd]. split; [|apply moved_uses; [exact G|apply U; lia]].
    apply Qle_shift_div_l; [exact S|]. rewrite Qmult_0_l. apply P0. lia. }
  assert (forall u : Q * protocol -> Q, sum_over l u
    == sum_over group (fun g => sum c (fun i => u (p i / group_size, moved g (P i))))) as M.
  { intros u. unfold l. rewrite sum_over_flat_map. apply sum_over_ext. intros g _. rewrite sum_over_map.
    apply sum_over_seq. }
  exists (length l), (fun i => fst (nth i l none)), (fun i => snd (nth i l none)). split; [split|split].
  - intros i Hi. apply B, nth_In, Hi.
  - rewrite (sum_over_nth l fst none), M. cbn [fst].
    rewrite (sum_over_ext group _ (fun _ => / group_size)).
    + rewrite sum_over_const. fold group_size. field. lra.
    + intros g _. rewrite (sum_ext c _ (fun i => / group_size * p i)) by (intros; field; lra).
      rewrite sum_scale, P1. ring.
  - intros i Hi. apply B, nth_In, Hi.
  - intros x y Hx Hy. unfold mean_error. rewrite (sum_over_nth l (fun t => fst t * error k F (snd t) x y) none), M.
    cbn [fst snd]. unfold Qdiv. rewrite Qmult_comm, <- sum_over_scale. apply sum_over_ext. intros g G.
    rewrite <- sum_scale. apply sum_ext. intros i _. rewrite moved_error by assumption. ring.
Qed.
End Group.
