(* Version spaces with a length, up to symmetry: from below that of a tree, from above a bound on that of
   all trees.  Lengths are counted in parts of a unit. *)
From Coq Require Import String List Arith PArith NArith ZArith QArith Lia Lqa Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Tables Littlestone MeanLengths.
Import ListNotations.
Local Open Scope nat_scope.

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
