(* Mean lengths of shattered trees: how large the number of concepts lets them be, and how symmetries of
   a class move trees. *)
From Coq Require Import String List Arith PArith NArith ZArith QArith Lia Lqa Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Tables Littlestone.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- shattered trees ---- *)

Lemma shatters_leaf n (C : class) : shatters n C Leaf <-> exists h, C h.
Proof.
  split.
  - intros [_ S]. destruct (S [] I) as [h [Ch _]]. exists h. exact Ch.
  - intros [h Ch]. split; [exact I|]. intros [|b p] B; [|contradiction]. exists h. split; [exact Ch|exact I].
Qed.
Lemma shatters_node n (C : class) x l r : shatters n C (Node x l r) <-> x < n /\
  shatters n (fun h => C h /\ h x = false) l /\ shatters n (fun h => C h /\ h x = true) r.
Proof.
  split.
  - intros [[Hx [Al Ar]] S]. split; [exact Hx|]. split; (split; [assumption|]); intros p B.
    + destruct (S (false :: p) B) as [h [Ch [E F]]]. exists h. auto.
    + destruct (S (true :: p) B) as [h [Ch [E F]]]. exists h. auto.
  - intros [Hx [[Al Sl] [Ar Sr]]]. split; [cbn; auto|]. intros [|[|] p] B; [contradiction| |].
    + destruct (Sr p B) as [h [[Ch E] F]]. exists h. cbn. auto.
    + destruct (Sl p B) as [h [[Ch E] F]]. exists h. cbn. auto.
Qed.
Lemma shatters_mono n t : forall C D : class, (forall h, C h -> D h) -> shatters n C t -> shatters n D t.
Proof.
  intros C D H [A S]. split; [exact A|]. intros p B. destruct (S p B) as [h [Ch F]]. exists h. auto.
Qed.
Lemma shatters_some n t : forall C : class, shatters n C t -> exists h, C h.
Proof.
  induction t as [|x l IH r _]; intros C S; [apply (shatters_leaf n), S|].
  apply shatters_node in S as [_ [S _]]. apply IH in S as [h [Ch _]]. exists h. exact Ch.
Qed.

Local Open Scope Q_scope.
Lemma mean_length_nonneg t : 0 <= mean_length t.
Proof. induction t as [|x l IHl r IHr]; cbn [mean_length]; lra. Qed.

Definition two_to (k : nat) : Q := inject_Z (2 ^ Z.of_nat k).
Lemma two_to_S k : two_to (S k) == 2 * two_to k.
Proof. unfold two_to. rewrite Nat2Z.inj_succ, Z.pow_succ_r, inject_Z_mult by lia. reflexivity. Qed.
Lemma two_to_pos k : 0 < two_to k.
Proof.
  unfold two_to. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. apply Z.pow_pos_nonneg; lia.
Qed.

(* a tree for so many concepts has no larger mean length than if they were split evenly *)
Lemma length_by_size n : forall k t L C, covers n L C -> shatters n C t ->
  two_to k * (mean_length t + 1 - inject_Z (Z.of_nat k)) <= inject_Z (Z.of_N (size L)).
Proof.
  assert (forall x t L C, (x < n)%nat -> covers n L C -> forall b, shatters n (fun h => C h /\ h x = b) t ->
    covers n (filter (fun r => Bool.eqb (bit r x) b) L) (fun h => C h /\ h x = b)) as Part.
  { intros x t L C Hx HL b _ h [Ch Hb]. destruct (HL h Ch) as [r [Hr E]]. exists r. split; [|exact E].
    apply filter_In. split; [exact Hr|]. rewrite <- (E x Hx), Hb. apply eqb_reflx. }
  assert (forall x L, (size (filter (fun r => Bool.eqb (bit r x) false) L) + size (filter (fun r => Bool.eqb (bit r x) true) L)
    = size L)%N) as Parts.
  { intros x L. rewrite <- (size_filter (fun r => Bool.eqb (bit r x) false) L). f_equal. f_equal.
    apply filter_ext. intros r. destruct (bit r x); reflexivity. }
  induction k as [|k IHk]; intros t.
  - induction t as [|x l IHl r IHr]; intros L C HL S.
    + destruct (shatters_some n Leaf C S) as [h Ch]. destruct (HL h Ch) as [a [Ha _]].
      assert (1 <= Z.of_N (size L))%Z as P by (rewrite size_length; destruct L; [contradiction|cbn [length]; lia]).
      rewrite Zle_Qle in P. change (two_to 0) with 1. change (inject_Z (Z.of_nat 0)) with 0.
      change (inject_Z 1) with 1 in P. cbn [mean_length]. lra.
    + apply shatters_node in S as [Hx [Sl Sr]].
      specialize (IHl _ _ (Part x l L C Hx HL false Sl) Sl). specialize (IHr _ _ (Part x r L C Hx HL true Sr) Sr).
      rewrite <- (Parts x L), N2Z.inj_add, inject_Z_plus. cbn [mean_length].
      change (two_to 0) with 1 in *. change (inject_Z (Z.of_nat 0)) with 0 in *.
      pose proof (mean_length_nonneg l). pose proof (mean_length_nonneg r). lra.
  - intros L C HL S. rewrite two_to_S. pose proof (two_to_pos k) as P.
    rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1.
    destruct t as [|x l r].
    + cbn [mean_length]. assert (0 <= inject_Z (Z.of_N (size L))) as N0
        by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
      assert (0 <= inject_Z (Z.of_nat k)) as K0 by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia). nra.
    + apply shatters_node in S as [Hx [Sl Sr]].
      pose proof (IHk _ _ _ (Part x l L C Hx HL false Sl) Sl) as Hl. pose proof (IHk _ _ _ (Part x r L C Hx HL true Sr) Sr) as Hr.
      rewrite <- (Parts x L), N2Z.inj_add, inject_Z_plus. cbn [mean_length]. lra.
Qed.

Definition longest (unit : Z) (number : N) : Z :=
  let k := Z.of_N (N.log2 number) in ((k - 1) * unit - (- (Z.of_N number * unit)) / 2 ^ k)%Z.
Lemma longest_spec n unit number t L C : (0 < unit)%Z -> covers n L C -> (size L <= number)%N -> shatters n C t ->
  inject_Z unit * mean_length t <= inject_Z (longest unit number).
Proof.
  intros U HL HN S. pose proof (length_by_size n (N.to_nat (N.log2 number)) t L C HL S) as B.
  unfold longest. set (k := N.log2 number) in *. unfold two_to in B. rewrite N_nat_Z in B.
  set (top := (2 ^ Z.of_N k)%Z) in *. assert (0 < top)%Z as P by (apply Z.pow_pos_nonneg; lia).
  pose proof (Z.div_mod (- (Z.of_N number * unit)) top ltac:(lia)) as D.
  pose proof (Z.mod_pos_bound (- (Z.of_N number * unit)) top P) as M.
  set (c := (- (Z.of_N number * unit) / top)%Z) in *.
  assert (Z.of_N number * unit <= top * - c)%Z as Q by lia. clearbody c top.
  assert (Z.of_N (size L) <= Z.of_N number)%Z as HZ by lia.
  rewrite Zle_Qle in Q, HZ. rewrite Zlt_Qlt in U, P. rewrite !inject_Z_mult, inject_Z_opp in Q.
  change (inject_Z 0) with 0 in *. unfold Z.sub. rewrite !inject_Z_plus, inject_Z_mult, !inject_Z_plus, !inject_Z_opp.
  change (inject_Z 1) with 1. set (u := inject_Z unit) in *. set (a := inject_Z top) in *. set (d := inject_Z c) in *.
  set (q := inject_Z (Z.of_N k)) in *. set (w := inject_Z (Z.of_N number)) in *. set (ml := mean_length t) in *.
  assert (a * (ml + 1 - q) <= w) as B' by lra. clearbody u a d q w ml.
  apply (Qmult_le_l _ _ a P).
  assert (u * (a * (ml + 1 - q)) <= u * w) as X by (apply Qmult_le_l; assumption). lra.
Qed.
Local Close Scope Q_scope.

(* ---- symmetries move trees both ways ---- *)

Lemma tree_pulled n s : (forall z, z < n -> exists x, x < n /\ fst (move s x) = z) ->
  forall t (V W : class), (forall h, V h -> W (pull s h)) -> shatters n V t ->
  exists t', shatters n W t' /\ (mean_length t' == mean_length t)%Q.
Proof.
  intros Hsur. induction t as [|z l IHl r IHr]; intros V W H S.
  - exists Leaf. split; [|reflexivity]. apply shatters_leaf in S as [h Vh]. apply shatters_leaf. exists (pull s h). auto.
  - apply shatters_node in S as [Hz [S0 S1]]. destruct (Hsur z Hz) as [x [Hx E]].
    destruct (IHl (fun h => V h /\ h z = false) (fun g => W g /\ g x = snd (move s x)) ltac:(intros h [Vh Hh]; split;
      [auto|unfold pull; rewrite E, Hh; destruct (snd (move s x)); reflexivity]) S0) as [l' [Sl El]].
    destruct (IHr (fun h => V h /\ h z = true) (fun g => W g /\ g x = negb (snd (move s x))) ltac:(intros h [Vh Hh]; split;
      [auto|unfold pull; rewrite E, Hh; destruct (snd (move s x)); reflexivity]) S1) as [r' [Sr Er]].
    destruct (snd (move s x)); cbn [negb] in *.
    + exists (Node x r' l'). split; [apply shatters_node; auto|]. cbn [mean_length]. rewrite El, Er. ring.
    + exists (Node x l' r'). split; [apply shatters_node; auto|]. cbn [mean_length]. rewrite El, Er. ring.
Qed.
Lemma tree_pushed n s : (forall x, x < n -> fst (move s x) < n) ->
  forall t (V W : class), (forall h, V h -> exists g, W g /\ same n h (pull s g)) -> shatters n V t ->
  exists t', shatters n W t' /\ (mean_length t' == mean_length t)%Q.
Proof.
  intros Hin. induction t as [|x l IHl r IHr]; intros V W H S.
  - exists Leaf. split; [|reflexivity]. apply shatters_leaf in S as [h Vh]. apply shatters_leaf.
    destruct (H h Vh) as [g [Wg _]]. exists g. exact Wg.
  - apply shatters_node in S as [Hx [S0 S1]]. set (y := fst (move s x)). set (f := snd (move s x)).
    assert (forall b h, V h /\ h x = b -> exists g, (W g /\ g y = xorb b f) /\ same n h (pull s g)) as G.
    { intros b h [Vh Hb]. destruct (H h Vh) as [g [Wg E]]. exists g. split; [|exact E]. split; [exact Wg|].
      specialize (E x Hx). unfold pull in E. fold y f in E. rewrite Hb in E. rewrite E. destruct (g y), f; reflexivity. }
    destruct (IHl _ (fun g => W g /\ g y = xorb false f) (G false) S0) as [l' [Sl El]].
    destruct (IHr _ (fun g => W g /\ g y = xorb true f) (G true) S1) as [r' [Sr Er]].
    specialize (Hin x Hx). fold y in Hin. destruct f; cbn [xorb] in *.
    + exists (Node y r' l'). split; [apply shatters_node; auto|]. cbn [mean_length]. rewrite El, Er. ring.
    + exists (Node y l' r'). split; [apply shatters_node; auto|]. cbn [mean_length]. rewrite El, Er. ring.
Qed.

Lemma moved_back s : forall A B, moved (number_all (moves s)) A = Some B ->
  forall h, agrees A (pull s h) -> agrees B h.
Proof.
  induction A as [|a A IH]; intros B H h G; cbn [moved] in H; [injection H as <-; intros i []|].
  destruct (entry (number_all (moves s)) (N.div2 a)) as [[y f]|] eqn:E; [|discriminate].
  destruct (moved (number_all (moves s)) A) as [B'|]; [|discriminate]. injection H as <-.
  intros i [<-|Hi]; [|apply (IH B' eq_refl h); [intros j Hj; apply G; right; exact Hj|exact Hi]].
  apply entry_spec in E. fold (point a) in E. apply (nth_error_nth _ _ (0, false)) in E.
  specialize (G a (or_introl eq_refl)). unfold pull, move in G. rewrite E in G. cbn [fst snd] in G.
  destruct (xorb (N.odd a) f) eqn:X.
  - replace (point (N.succ_double (N.of_nat y))) with y by (unfold point; rewrite N.div2_succ_double, Nat2N.id; reflexivity).
    replace (N.odd (N.succ_double (N.of_nat y))) with true by (destruct (N.of_nat y); reflexivity).
    destruct (h y), (N.odd a), f; try discriminate; reflexivity.
  - replace (point (N.double (N.of_nat y))) with y by (unfold point; rewrite N.div2_double, Nat2N.id; reflexivity).
    replace (N.odd (N.double (N.of_nat y))) with false by (destruct (N.of_nat y); reflexivity).
    destruct (h y), (N.odd a), f; try discriminate; reflexivity.
Qed.

(* a symmetry of the class, and every concept is the image of one *)
Definition moves_class n (C : class) (s : symmetry) : Prop :=
  is_symmetry n C s /\ forall h, C h -> exists g, C g /\ same n h (pull s g).
Lemma check_symmetry_moves n rows s : NoDup rows -> check_symmetry n rows (number_all rows) s = true ->
  moves_class n (table n (map bit rows)) s.
Proof.
  intros D H. split; [apply check_symmetry_sound; assumption|].
  pose proof (check_symmetry_permutes _ _ _ _ H) as [L [B _]].
  unfold check_symmetry in H. apply andb_prop in H as [_ H]. apply check_images_spec in H as [origins [M I]].
  intros h Ch. apply in_table in Ch as [r [Hr E]]. rewrite <- M in Hr. apply in_map_iff in Hr as [o [Eo Ho]].
  exists (bit o). split.
  - apply in_table. exists o. split; [|intros x _; reflexivity]. destruct (I o Ho) as [i F]. apply entry_in in F. exact F.
  - intros x Hx. rewrite (E x Hx), <- Eo. apply pull_row_spec. lia.
Qed.
