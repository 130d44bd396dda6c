(* The randomised Littlestone dimension: lengths of trees inside version spaces from below, bounds on
   them from above, up to symmetry.  Lengths are counted in parts of a unit, 2^n for n points. *)
From Coq Require Import String List Arith PArith NArith ZArith QArith Lia Lqa Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Json Certificate Tables Littlestone.
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

(* ---- version spaces with a length ---- *)

Record space := Space { measure : Z; its : list N; missing : N }.

Section Spaces.
Variables (n : nat) (rows : list N) (symmetries : list symmetry) (unit : Z).
Let C : class := table n (map bit rows).
Let sides := number_all (table_sides n rows).
Hypothesis unit_pos : (0 < unit)%Z.
Hypothesis symmetric : Forall (moves_class n C) symmetries.

Definition inside (A : list N) : class := fun h => C h /\ agrees A h.
Definition is_space (e : space) : Prop := lack sides 0 (its e) = Some (missing e).
Definition measured (t : tree) : Q := (inject_Z unit * mean_length t)%Q.
Definition has_tree (e : space) : Prop := is_space e /\
  exists t, shatters n (inside (its e)) t /\ (inject_Z (measure e) <= measured t)%Q.
Definition has_no_more (e : space) : Prop := is_space e /\
  forall t, shatters n (inside (its e)) t -> (measured t <= inject_Z (measure e))%Q.

(* a table of entries: images of earlier ones, and others with proofs of their own *)
Definition image_of (sides : numbered N) (moves : numbered (numbered (nat * bool))) (known : numbered space) (e s : N)
  : option space :=
  match entry known e, entry moves s with
  | Some e, Some s =>
      match moved s (its e) with
      | Some A => match lack sides 0 A with Some m => Some (Space (measure e) A m) | None => None end
      | None => None
      end
  | _, _ => None
  end.
Section Table.
Context {own : Type} (prove : numbered space -> own -> option space).
Inductive line := Moved (e s : N) | Own (a : own).
Fixpoint last_of (sides : numbered N) (moves : numbered (numbered (nat * bool))) (known : numbered space) (k : positive)
    (last : option space) (l : list line) : option space :=
  match l with
  | [] => last
  | a :: l' =>
      match match a with Moved e s => image_of sides moves known e s | Own a => prove known a end with
      | Some e => last_of sides moves (PositiveMap.add k e known) (Pos.succ k) (Some e) l'
      | None => None
      end
  end.
Variable P : space -> Prop.
Hypothesis prove_sound : forall known a e, (forall i e, entry known i = Some e -> P e) -> prove known a = Some e -> P e.
Hypothesis image_sound : forall s e A m, In s symmetries -> P e -> moved (number_all (moves s)) (its e) = Some A ->
  lack sides 0 A = Some m -> P (Space (measure e) A m).

Lemma last_of_sound : forall l known k last e, (forall i e, entry known i = Some e -> P e) ->
  (forall e, last = Some e -> P e) -> last_of sides (all_moves symmetries) known k last l = Some e -> P e.
Proof.
  induction l as [|a l IH]; intros known k last e K Hl H; cbn [last_of] in H; [apply Hl, H|].
  destruct (match a with Moved _ _ => _ | Own _ => _ end) as [e0|] eqn:E in H; [|discriminate].
  assert (P e0) as P0.
  { destruct a as [i s|a]; [|exact (prove_sound known a e0 K E)]. unfold image_of in E.
    destruct (entry known i) as [e1|] eqn:E1; [|discriminate].
    destruct (entry _ s) as [s1|] eqn:ES; [|discriminate]. destruct (moved s1 (its e1)) as [A|] eqn:EM; [|discriminate].
    destruct (lack sides 0 A) as [m|] eqn:L; [|discriminate]. injection E as <-.
    apply entry_in, in_map_iff in ES as [sy [<- Hs]]. apply (image_sound sy e1 A m Hs (K _ _ E1) EM L). }
  eapply IH; [| |exact H].
  - intros i e' Hf. unfold entry in Hf. destruct (Pos.eq_dec k (key i)) as [->|Hne].
    + rewrite PositiveMap.gss in Hf. injection Hf as <-. exact P0.
    + rewrite PositiveMap.gso in Hf by congruence. apply (K i e' Hf).
  - intros e' [= <-]. exact P0.
Qed.
End Table.

Lemma tree_image s e A m : In s symmetries -> has_tree e -> moved (number_all (moves s)) (its e) = Some A ->
  lack sides 0 A = Some m -> has_tree (Space (measure e) A m).
Proof.
  intros Hs [_ [t [S B]]] EM L. split; [exact L|]. cbn [its measure].
  rewrite Forall_forall in symmetric. destruct (symmetric s Hs) as [[[_ [Hin _]] _] Hback].
  destruct (tree_pushed n s Hin t (inside (its e)) (inside A)) as [t' [S' E]]; [|exact S|].
  - intros h [Ch Ah]. destruct (Hback h Ch) as [g [Cg E]]. exists g. split; [|exact E]. split; [exact Cg|].
    apply (moved_back s _ _ EM). intros i Hi. rewrite <- (Ah i Hi). symmetry. apply E.
    (* the points of literals lie below n *)
    clear - Hi EM symmetric Hs. revert A EM i Hi. induction (its e) as [|a l IH]; intros A EM i Hi; [contradiction|].
    cbn [moved] in EM. destruct (entry (number_all (moves s)) (N.div2 a)) as [[y f]|] eqn:E; [|discriminate].
    destruct (moved _ l) as [B|] eqn:EB; [|discriminate]. destruct Hi as [<-|Hi]; [|apply (IH B eq_refl i Hi)].
    apply entry_spec in E. fold (point a) in E. destruct (symmetric s Hs) as [[[Ln _] _] _]. rewrite <- Ln.
    apply nth_error_Some. congruence.
  - exists t'. split; [exact S'|]. unfold measured in *. rewrite E. exact B.
Qed.
Lemma no_more_image s e A m : In s symmetries -> has_no_more e -> moved (number_all (moves s)) (its e) = Some A ->
  lack sides 0 A = Some m -> has_no_more (Space (measure e) A m).
Proof.
  intros Hs [_ B] EM L. split; [exact L|]. cbn [its measure]. intros t S.
  rewrite Forall_forall in symmetric. destruct (symmetric s Hs) as [[[_ [_ [_ Hsur]]] Hcl] _].
  destruct (tree_pulled n s Hsur t (inside A) (inside (its e))) as [t' [S' E]]; [|exact S|].
  - intros h [Ch Ah]. split; [apply Hcl, Ch|apply (moved_spec s _ _ EM), Ah].
  - specialize (B t' S'). unfold measured in *. rewrite E in B. exact B.
Qed.

Lemma in_rows A m h : lack sides 0 A = Some m -> inside A h ->
  exists j r, nth_error rows j = Some r /\ bit (N.ldiff (all_of rows) m) j = true /\ same n h (bit r).
Proof. intros L [Ch Ah]. apply (in_space n rows A m h L Ch Ah). Qed.
Lemma row_in j r : nth_error rows j = Some r -> C (bit r).
Proof. intros E. apply in_table. exists r. split; [apply (nth_error_In _ _ E)|intros x _; reflexivity]. Qed.
Lemma ldiff_false a b : N.ldiff a b = 0%N -> forall j, bit a j = true -> bit b j = true.
Proof.
  intros Z j B. assert (bit (N.ldiff a b) j = false) as F by (rewrite Z; destruct j; reflexivity).
  rewrite ldiff_bit, B in F. destruct (bit b j); [reflexivity|discriminate].
Qed.

(* ---- from below: a point at the root, and for each of its sides a tree or a concept ---- *)

Record asked := Asked { under : list N; at_point : N; below_zero : option N; below_one : option N }.
Definition side_length (known : numbered space) (everything side : N) (below : option N) : option Z :=
  match below with
  | None => if (side =? 0)%N then None else Some 0%Z
  | Some e => match entry known e with
              | Some e => if (N.ldiff (N.ldiff everything side) (missing e) =? 0)%N then Some (measure e) else None
              | None => None
              end
  end.
Definition prove_tree (sides : numbered N) (everything : N) (known : numbered space) (a : asked) : option space :=
  match lack sides 0 (under a), entry sides (N.double (at_point a)), entry sides (N.succ_double (at_point a)) with
  | Some m, Some zeros, Some ones =>
      let space := N.ldiff everything m in
      match side_length known everything (N.land space zeros) (below_zero a),
            side_length known everything (N.land space ones) (below_one a) with
      | Some a0, Some a1 => Some (Space ((2 * unit + a0 + a1) / 2) (under a) m)
      | _, _ => None
      end
  | _, _, _ => None
  end.

Lemma side_length_sound known A m x b i side below a : (forall i e, entry known i = Some e -> has_tree e) ->
  lack sides 0 A = Some m -> entry sides i = Some side -> point i = x -> N.odd i = b ->
  side_length known (all_of rows) (N.land (N.ldiff (all_of rows) m) side) below = Some a ->
  exists t, shatters n (fun h => inside A h /\ h x = b) t /\ (inject_Z a <= measured t)%Q.
Proof.
  intros K L E Ex Eb H. apply side_bit in E as [Hx B]. rewrite Ex, Eb in *.
  assert (forall j r, nth_error rows j = Some r -> bit (N.land (N.ldiff (all_of rows) m) side) j = true ->
    inside A (bit r) /\ bit r x = b) as G.
  { intros j r J. rewrite land_bit, ldiff_bit, (all_of_bit _ _ _ J), (B j r J). intros F.
    apply andb_prop in F as [F Q]. apply eqb_prop in Q. split; [|exact Q]. split; [apply (row_in j r J)|].
    apply lack_spec in L as [_ L]. apply (L j r J). cbn [andb] in F. destruct (bit m j); [discriminate|reflexivity]. }
  unfold side_length in H. destruct below as [e|].
  - destruct (entry known e) as [e'|] eqn:Ee; [|discriminate]. destruct (N.eqb_spec (N.ldiff (N.ldiff (all_of rows)
      (N.land (N.ldiff (all_of rows) m) side)) (missing e')) 0) as [Z|]; [|discriminate]. injection H as <-.
    destruct (K _ _ Ee) as [I [t [S Bt]]]. exists t. split; [|exact Bt]. revert S. apply shatters_mono.
    intros h Hh. destruct (in_rows _ _ h I Hh) as [j [r [J [M Sm]]]]. unfold is_space in I.
    assert (bit (N.land (N.ldiff (all_of rows) m) side) j = true) as F.
    { destruct (bit (N.land (N.ldiff (all_of rows) m) side) j) eqn:F; [reflexivity|].
      assert (bit (missing e') j = true) as X.
      { apply (ldiff_false _ _ Z). rewrite ldiff_bit, (all_of_bit _ _ _ J), F. reflexivity. }
      rewrite ldiff_bit, (all_of_bit _ _ _ J), X in M. discriminate. }
    destruct (G j r J F) as [[Cr Ar] Q]. destruct Hh as [Ch _].
    split; [split; [exact Ch|]|rewrite (Sm x Hx); exact Q].
    intros k Hk. rewrite Sm; [apply Ar, Hk|]. apply lack_spec in L as [P _]. apply P, Hk.
  - destruct (N.eqb_spec (N.land (N.ldiff (all_of rows) m) side) 0) as [|Z]; [discriminate|]. injection H as <-.
    exists Leaf. split; [|unfold measured; cbn [mean_length]; rewrite Qmult_0_r; apply Qle_refl]. apply shatters_leaf.
    set (s := N.land _ side) in *. assert (exists j, bit s j = true) as [j F].
    { exists (N.to_nat (N.log2 s)). rewrite bit_testbit, N2Nat.id. apply N.bit_log2, Z. }
    destruct (nth_error rows j) as [r|] eqn:J; [exists (bit r); apply (G j r J F)|exfalso].
    unfold s in F. rewrite land_bit, ldiff_bit in F. apply andb_prop in F as [F _]. apply andb_prop in F as [F _].
    unfold all_of in F. rewrite number_of_bit, nth_overflow in F; [discriminate|]. rewrite map_length.
    apply nth_error_None, J.
Qed.
Lemma prove_tree_sound known a e : (forall i e, entry known i = Some e -> has_tree e) ->
  prove_tree sides (all_of rows) known a = Some e -> has_tree e.
Proof.
  intros K H. unfold prove_tree in H. destruct (lack sides 0 (under a)) as [m|] eqn:L; [|discriminate].
  destruct (entry sides (N.double (at_point a))) as [zeros|] eqn:E0; [|discriminate].
  destruct (entry sides (N.succ_double (at_point a))) as [ones|] eqn:E1; [|discriminate].
  destruct (side_length known _ (N.land _ zeros) _) as [a0|] eqn:S0; [|discriminate].
  destruct (side_length known _ (N.land _ ones) _) as [a1|] eqn:S1; [|discriminate].
  set (d := ((2 * unit + a0 + a1) / 2)%Z) in H. injection H as <-.
  split; [exact L|]. cbn [its measure]. set (x := N.to_nat (at_point a)).
  destruct (side_length_sound known (under a) m x false _ _ (below_zero a) a0 K L E0) as [t0 [T0 B0]];
    [unfold point; rewrite N.div2_double; reflexivity|destruct (at_point a); reflexivity|exact S0|].
  destruct (side_length_sound known (under a) m x true _ _ (below_one a) a1 K L E1) as [t1 [T1 B1]];
    [unfold point; rewrite N.div2_succ_double; reflexivity|destruct (at_point a); reflexivity|exact S1|].
  exists (Node x t0 t1). split.
  - apply shatters_node. split; [|auto]. apply side_bit in E0 as [Hx _]. unfold point in Hx.
    rewrite N.div2_double in Hx. exact Hx.
  - unfold measured in *. cbn [mean_length].
    pose proof (Z.mul_div_le (2 * unit + a0 + a1) 2 ltac:(lia)) as D. fold d in D. clearbody d.
    rewrite Zle_Qle, !inject_Z_plus, !inject_Z_mult in D. change (inject_Z 2) with 2%Q in D. lra.
Qed.

(* ---- from above: whatever point is asked ---- *)

Record bounded_by := BoundedBy { within_ : list N; turns : list N; entries_below : list N }.
Fixpoint turned (sides : numbered N) (known : numbered space) (space : N) (found : numbered Z) (turns below : list N)
  : option (numbered Z) :=
  match turns, below with
  | [], [] => Some found
  | i :: turns', e :: below' =>
      match entry sides i, entry known e with
      | Some side, Some e =>
          if (N.land (N.land space side) (missing e) =? 0)%N
          then turned sides known space (PositiveMap.add (key i) (measure e) found) turns' below' else None
      | _, _ => None
      end
  | _, _ => None
  end.
Definition side_bound (found : numbered Z) (i size : N) : Z :=
  match entry found i with Some v => v | None => longest unit size end.
Fixpoint largest_of (found : numbered Z) (space number x : N) (most : Z) (columns : list N) : Z :=
  match columns with
  | [] => most
  | c :: cs =>
      let ones := count_ones (N.land space c) in
      largest_of found space number (N.succ x)
        (if (0 <? ones)%N && (ones <? number)%N
         then Z.max most (2 * unit + side_bound found (N.double x) (number - ones) + side_bound found (N.succ_double x) ones)
         else most) cs
  end.
Definition prove_bound (sides : numbered N) (columns : list N) (everything : N) (known : numbered space) (a : bounded_by)
  : option space :=
  match lack sides 0 (within_ a) with
  | Some m =>
      let space := N.ldiff everything m in
      if distinct (turns a) then
        match turned sides known space (PositiveMap.empty Z) (turns a) (entries_below a) with
        | Some found => Some (Space ((largest_of found space (count_ones space) 0 0 columns + 1) / 2) (within_ a) m)
        | None => None
        end
      else None
  | None => None
  end.

(* a number bounds the lengths of trees for the concepts of a space with a literal *)
Definition bounds_side (A : list N) (i : N) (v : Z) : Prop :=
  forall t, shatters n (fun h => inside A h /\ h (point i) = N.odd i) t -> (measured t <= inject_Z v)%Q.
Lemma turned_sound known A m : (forall i e, entry known i = Some e -> has_no_more e) -> lack sides 0 A = Some m ->
  forall turns below found all, (forall i v, entry found i = Some v -> bounds_side A i v) ->
  turned sides known (N.ldiff (all_of rows) m) found turns below = Some all ->
  forall i v, entry all i = Some v -> bounds_side A i v.
Proof.
  intros K L l. induction l as [|i l IH]; intros [|e below] found all F H; cbn [turned] in H; try discriminate.
  - injection H as <-. exact F.
  - destruct (entry sides i) as [side|] eqn:E; [|discriminate]. destruct (entry known e) as [e'|] eqn:Ee; [|discriminate].
    destruct (N.eqb_spec (N.land (N.land (N.ldiff (all_of rows) m) side) (missing e')) 0) as [Z|]; [|discriminate].
    refine (IH below _ all _ H). intros j v Ej. unfold entry in Ej. destruct (Pos.eq_dec (key i) (key j)) as [Q|Q].
    + rewrite Q, PositiveMap.gss in Ej. injection Ej as <-. apply key_inj in Q. subst j. intros t S.
      destruct (K _ _ Ee) as [I B]. apply B. revert S. apply shatters_mono. intros h [Hh Hb].
      destruct (in_rows A m h L Hh) as [j [r [J [M Sm]]]]. apply side_bit in E as [P E]. destruct Hh as [Ch _].
      split; [exact Ch|]. apply lack_spec in I as [PI I].
      intros k Hk. rewrite Sm by (apply PI, Hk). revert k Hk. apply (I j r J).
      assert (bit (N.land (N.land (N.ldiff (all_of rows) m) side) (missing e')) j = false) as G by (rewrite Z; destruct j; reflexivity).
      rewrite !land_bit, M, (E j r J), <- (Sm _ P), Hb, eqb_reflx in G. exact G.
    + rewrite PositiveMap.gso in Ej by congruence. exact (F j v Ej).
Qed.

Lemma largest_of_ge found space number : forall columns x most,
  (most <= largest_of found space number x most columns)%Z.
Proof.
  induction columns as [|c columns IH]; intros x most; cbn [largest_of]; [lia|].
  eapply Z.le_trans; [|apply IH]. destruct (_ && _); lia.
Qed.
Lemma largest_of_spec found space number : forall columns x most i c, nth_error columns i = Some c ->
  let ones := count_ones (N.land space c) in (0 < ones < number)%N ->
  (2 * unit + side_bound found (N.double (x + N.of_nat i)) (number - ones)
   + side_bound found (N.succ_double (x + N.of_nat i)) ones <= largest_of found space number x most columns)%Z.
Proof.
  induction columns as [|a columns IH]; intros x most i c E ones H; [destruct i; discriminate|].
  cbn [largest_of]. destruct i as [|i]; cbn [nth_error] in E.
  - injection E as ->. eapply Z.le_trans; [|apply largest_of_ge]. fold ones. rewrite N.add_0_r.
    destruct (N.ltb_spec 0 ones); [|lia]. destruct (N.ltb_spec ones number); [|lia]. cbn [andb]. lia.
  - rewrite Nat2N.inj_succ. replace (x + N.succ (N.of_nat i))%N with (N.succ x + N.of_nat i)%N by lia.
    apply IH; assumption.
Qed.

Lemma side_size A m x c t b : lack sides 0 A = Some m -> nth_error (columns_of n rows) x = Some c ->
  shatters n (fun h => inside A h /\ h x = b) t ->
  let part := if b then N.land (N.ldiff (all_of rows) m) c else N.ldiff (N.ldiff (all_of rows) m) c in
  (0 < count_ones part)%N /\ (measured t <= inject_Z (longest unit (count_ones part)))%Q.
Proof.
  intros L E S part. apply columns_of_bit in E as [Hx E].
  assert (forall h, inside A h /\ h x = b -> exists j r, nth_error rows j = Some r /\ bit part j = true /\ same n h (bit r)) as G.
  { intros h [Hh Hb]. destruct (in_rows A m h L Hh) as [j [r [J [M Sm]]]]. exists j, r. split; [exact J|]. split; [|exact Sm].
    unfold part. rewrite (Sm x Hx) in Hb. destruct b; [rewrite land_bit|rewrite ldiff_bit]; rewrite M, (E j r J), Hb; reflexivity. }
  split.
  - destruct (shatters_some n t _ S) as [h Hh].
    pose proof (big_ones n rows part 0 _ G (ex_intro _ h Hh)) as N0. change (2 ^ N.of_nat 0)%N with 1%N in N0. lia.
  - apply (longest_spec n unit _ t (chosen part rows) _ unit_pos) with (3 := S); [|apply chosen_size].
    intros h Hh. destruct (G h Hh) as [j [r [J [M Sm]]]]. exists r. split; [eapply chosen_spec; eassumption|exact Sm].
Qed.

Lemma prove_bound_sound known a e : (forall i e, entry known i = Some e -> has_no_more e) ->
  prove_bound sides (columns_of n rows) (all_of rows) known a = Some e -> has_no_more e.
Proof.
  intros K H. unfold prove_bound in H. destruct (lack sides 0 (within_ a)) as [m|] eqn:L; [|discriminate].
  destruct (distinct _); [|discriminate]. destruct (turned _ _ _ _ _ _) as [found|] eqn:F; [|discriminate].
  injection H as <-. split; [exact L|]. cbn [its measure]. set (A := within_ a) in *.
  assert (forall i v, entry found i = Some v -> bounds_side A i v) as B.
  { apply (turned_sound known A m K L _ _ _ _) with (2 := F). intros i v E. unfold entry in E.
    rewrite PositiveMap.gempty in E. discriminate. }
  set (sp := N.ldiff (all_of rows) m) in *. set (most := largest_of _ _ _ _ _ _).
  assert (0 <= most)%Z as M0 by apply largest_of_ge.
  assert (most <= 2 * ((most + 1) / 2))%Z as D.
  { pose proof (Z.div_mod (most + 1) 2 ltac:(lia)). pose proof (Z.mod_pos_bound (most + 1) 2 ltac:(lia)). lia. }
  set (d := ((most + 1) / 2)%Z) in *. intros t S. destruct t as [|x l r].
  - unfold measured. cbn [mean_length]. rewrite Qmult_0_r. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia.
  - apply shatters_node in S as [Hx [S0 S1]].
    destruct (nth_error (columns_of n rows) x) as [c|] eqn:E;
      [|apply nth_error_None in E; rewrite columns_of_length in E; lia].
    destruct (side_size A m x c l false L E S0) as [P0 B0]. destruct (side_size A m x c r true L E S1) as [P1 B1].
    fold sp in P0, B0, P1, B1. pose proof (count_ones_parts sp c) as Parts.
    pose proof (largest_of_spec found sp (count_ones sp) (columns_of n rows) 0 0 x c E ltac:(lia)) as M. fold most in M.
    rewrite N.add_0_l in M.
    replace (count_ones sp - count_ones (N.land sp c))%N with (count_ones (N.ldiff sp c)) in M by lia.
    assert (forall i b s t, point i = x -> N.odd i = b -> (measured t <= inject_Z (longest unit s))%Q ->
      shatters n (fun h => inside A h /\ h x = b) t -> (measured t <= inject_Z (side_bound found i s))%Q) as G.
    { intros i b s t Ei Eb Bt St. unfold side_bound. destruct (entry found i) as [v|] eqn:Ef; [|exact Bt].
      apply (B i v Ef). rewrite Ei, Eb. exact St. }
    apply (G (N.double (N.of_nat x)) false) in B0;
      [|unfold point; rewrite N.div2_double; apply Nat2N.id|destruct (N.of_nat x); reflexivity|exact S0].
    apply (G (N.succ_double (N.of_nat x)) true) in B1;
      [|unfold point; rewrite N.div2_succ_double; apply Nat2N.id|destruct (N.of_nat x); reflexivity|exact S1].
    unfold measured in *. cbn [mean_length].
    assert (2 * unit + side_bound found (N.double (N.of_nat x)) (count_ones (N.ldiff sp c))
      + side_bound found (N.succ_double (N.of_nat x)) (count_ones (N.land sp c)) <= 2 * d)%Z as W by lia.
    rewrite Zle_Qle, !inject_Z_plus, !inject_Z_mult in W. change (inject_Z 2) with 2%Q in W. lra.
Qed.
End Spaces.

(* ---- certificates ---- *)

Definition unit_of (n : nat) : Z := (2 ^ Z.of_nat n)%Z.
Definition is_half (n : nat) (length : Z) (v : Q) : bool := (Qnum v * (2 * unit_of n) =? length * QDen v)%Z.
Definition symmetries_right (n : nat) (rows : list N) (symmetries : list symmetry) : bool :=
  match symmetries with
  | [] => true
  | _ => distinct rows && let known := number_all rows in forallb (check_symmetry n rows known) symmetries
  end.

Definition line_of {own} (read : json -> option own) (j : json) : option (@line own) :=
  match j with
  | Array [e; s] => let* e := natural e in let* s := natural s in Some (Moved e s)
  | _ => let* a := read j in Some (Own a)
  end.
Definition asked_of (n : nat) (j : json) : option asked :=
  match j with
  | Array [a; x; zero; one] =>
      let* a := list_of (place (2 * N.of_nat n)) a in let* x := place (N.of_nat n) x in
      let* zero := optional natural zero in let* one := optional natural one in Some (Asked a x zero one)
  | _ => None
  end.
Definition bounded_of (n : nat) (j : json) : option bounded_by :=
  match j with
  | Array [a; t; b] =>
      let literals := list_of (place (2 * N.of_nat n)) in
      let* a := literals a in let* t := literals t in let* b := list_of natural b in Some (BoundedBy a t b)
  | _ => None
  end.
Definition last_in {own} (n : nat) (rows : list N) (read : json -> option own)
    (prove : numbered N -> list N -> N -> numbered space -> own -> option space) (data : json) : option space :=
  match fields ["symmetries"; "spaces"]%string data with
  | Some [s; e] =>
      match symmetries_of n (size rows) s, list_of (line_of read) e with
      | Some symmetries, Some lines =>
          if symmetries_right n rows symmetries then
            let columns := columns_of n rows in let everything := all_of rows in
            let sides := number_all (sides_of everything columns) in
            last_of (prove sides columns everything) sides (all_moves symmetries) (PositiveMap.empty space) 1 None lines
          else None
      | _, _ => None
      end
  | _ => None
  end.

Definition lower_mean (q : nat * list N) (v : Q) (name : string) (data : json) : bool :=
  let (n, rows) := q in
  if String.eqb name "trivial"
  then Qeq_bool v 0 && negb (size rows =? 0)%N && match fields [] data with Some _ => true | None => false end
  else String.eqb name "tree" &&
       match last_in n rows (asked_of n) (fun sides _ => prove_tree (unit_of n) sides) data with
       | Some e => is_half n (measure e) v
       | None => false
       end.
Definition upper_mean (q : nat * list N) (v : Q) (name : string) (data : json) : bool :=
  let (n, rows) := q in
  negb (size rows =? 0)%N &&
  if String.eqb name "size"
  then is_half n (longest (unit_of n) (size rows)) v && match fields [] data with Some _ => true | None => false end
  else String.eqb name "potentials" &&
       match last_in n rows (bounded_of n) (prove_bound (unit_of n)) data with
       | Some e => (missing e =? 0)%N && is_half n (measure e) v
       | None => false
       end.

Lemma unit_of_pos n : (0 < unit_of n)%Z.
Proof. apply Z.pow_pos_nonneg; lia. Qed.
Lemma is_half_spec n length v : is_half n length v = true -> (v * (2 * inject_Z (unit_of n)) == inject_Z length)%Q.
Proof.
  unfold is_half. intros H. apply Z.eqb_eq in H. destruct v as [a b]. unfold Qeq, Qmult, inject_Z.
  cbn [Qnum Qden] in *. lia.
Qed.
Lemma symmetries_right_sound n rows symmetries : symmetries_right n rows symmetries = true ->
  Forall (moves_class n (table n (map bit rows))) symmetries.
Proof.
  unfold symmetries_right. intros G. destruct symmetries; [constructor|]. apply andb_prop in G as [D G].
  apply distinct_spec in D. cbv zeta in G. rewrite forallb_forall in G. apply Forall_forall. intros s' Hs.
  apply check_symmetry_moves; auto.
Qed.

Lemma lower_mean_sound q v name data : lower_mean q v name data = true ->
  rldim_at_least (fst q) (table (fst q) (map bit (snd q))) v.
Proof.
  destruct q as [n rows]. unfold lower_mean. cbn [fst snd]. intros H. destruct (String.eqb name "trivial").
  - apply andb_prop in H as [H _]. apply andb_prop in H as [Z H]. apply Qeq_bool_iff in Z. exists Leaf.
    split; [|cbn [mean_length]; rewrite Z; vm_compute; discriminate]. apply shatters_leaf.
    destruct rows as [|r rows]; [discriminate|]. exists (bit r). apply in_table. exists r.
    split; [left; reflexivity|intros x _; reflexivity].
  - apply andb_prop in H as [_ H]. destruct (last_in _ _ _ _ data) as [e|] eqn:E; [|discriminate].
    apply is_half_spec in H. unfold last_in in E. destruct (fields _ data) as [[|s [|l [|]]]|]; try discriminate.
    destruct (symmetries_of n (size rows) s) as [symmetries|]; [|discriminate].
    destruct (list_of _ l) as [lines|]; [|discriminate]. destruct (symmetries_right n rows symmetries) eqn:R; [|discriminate].
    apply symmetries_right_sound in R. cbv zeta in E.
    apply (last_of_sound n rows symmetries (prove_tree (unit_of n) (number_all (table_sides n rows)) (all_of rows))
      (has_tree n rows (unit_of n))) in E.
    + destruct E as [_ [t [S B]]]. exists t. split; [revert S; apply shatters_mono; intros h [Ch _]; exact Ch|].
      unfold measured in B. rewrite <- H in B. pose proof (unit_of_pos n) as P. rewrite Zlt_Qlt in P.
      change (inject_Z 0) with 0%Q in P. set (u := inject_Z (unit_of n)) in *. apply (Qmult_le_l _ _ u P). lra.
    + intros known a e' K. apply prove_tree_sound, K.
    + intros s' e' A m. apply (tree_image n rows symmetries (unit_of n) R).
    + intros i e' Hf. unfold entry in Hf. rewrite PositiveMap.gempty in Hf. discriminate.
    + intros e' [=].
Qed.
Lemma upper_mean_sound q v name data : upper_mean q v name data = true ->
  rldim_at_most (fst q) (table (fst q) (map bit (snd q))) v.
Proof.
  destruct q as [n rows]. unfold upper_mean. cbn [fst snd]. intros H t S. apply andb_prop in H as [_ H].
  pose proof (unit_of_pos n) as P. pose proof P as PQ. rewrite Zlt_Qlt in PQ. change (inject_Z 0) with 0%Q in PQ.
  assert (forall length, is_half n length v = true -> (inject_Z (unit_of n) * mean_length t <= inject_Z length)%Q ->
    ((1 # 2) * mean_length t <= v)%Q) as G.
  { intros length Hv B. apply is_half_spec in Hv. rewrite <- Hv in B. set (u := inject_Z (unit_of n)) in *.
    apply (Qmult_le_l _ _ u PQ). lra. }
  destruct (String.eqb name "size").
  - apply andb_prop in H as [H _]. apply (G _ H).
    apply (longest_spec n (unit_of n) (size rows) t rows _ P) with (3 := S); [|lia].
    intros h Ch. apply in_table in Ch as [r [Hr E]]. exists r. split; [exact Hr|exact E].
  - apply andb_prop in H as [_ H]. destruct (last_in _ _ _ _ data) as [e|] eqn:E; [|discriminate].
    apply andb_prop in H as [Z H]. apply N.eqb_eq in Z. apply (G _ H). clear G H.
    unfold last_in in E. destruct (fields _ data) as [[|s [|l [|]]]|]; try discriminate.
    destruct (symmetries_of n (size rows) s) as [symmetries|]; [|discriminate].
    destruct (list_of _ l) as [lines|]; [|discriminate]. destruct (symmetries_right n rows symmetries) eqn:R; [|discriminate].
    apply symmetries_right_sound in R. cbv zeta in E.
    apply (last_of_sound n rows symmetries (prove_bound (unit_of n) (number_all (table_sides n rows)) (columns_of n rows)
      (all_of rows)) (has_no_more n rows (unit_of n))) in E.
    + destruct E as [L B]. apply B. revert S. apply shatters_mono. intros h Ch. split; [exact Ch|].
      apply in_table in Ch as [r [Hr Sm]]. apply In_nth_error in Hr as [j J]. unfold is_space in L. rewrite Z in L.
      apply lack_spec in L as [Pn L]. intros i Hi. rewrite (Sm _ (Pn i Hi)). revert i Hi. apply (L j r J).
      destruct j; reflexivity.
    + intros known a e' K. apply prove_bound_sound; assumption.
    + intros s' e' A m. apply (no_more_image n rows symmetries (unit_of n) R).
    + intros i e' Hf. unfold entry in Hf. rewrite PositiveMap.gempty in Hf. discriminate.
    + intros e' [=].
Qed.

Definition randomized_littlestone_dimension : kind.
Proof.
  refine {|
    title := "randomized_littlestone_dimension"; parameters := [];
    ask := fun instance _ => rows_of instance; number := fraction;
    lower := lower_mean; upper := upper_mean;
    lower_means q v := rldim_at_least (fst q) (table (fst q) (map bit (snd q))) v;
    upper_means q v := rldim_at_most (fst q) (table (fst q) (map bit (snd q))) v
  |}.
  - exact lower_mean_sound.
  - exact upper_mean_sound.
Defined.
