(* The Littlestone dimension: mistake trees whose leaves name concepts from below, refutations of
   version spaces, up to symmetry, from above.  Sets of concepts are numbers too: bit j for row j. *)
From Coq Require Import String List Arith PArith NArith ZArith Ndigits Lia Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Json Certificate Tables.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- the recursive form ---- *)

Fixpoint big (n d : nat) (C : class) : Prop :=
  match d with
  | 0 => exists h, C h
  | S d' => exists x, x < n /\ big n d' (fun h => C h /\ h x = false)
                            /\ big n d' (fun h => C h /\ h x = true)
  end.

Lemma big_iff n : forall d C, big n d C <-> mistakes n C d.
Proof.
  induction d as [|d IH]; intros C; split.
  - intros [h Hh]. exists Leaf. split; [exact I|]. intros [|b p] Hp; [|discriminate].
    exists h. split; [exact Hh|exact I].
  - intros [t [Ht Hs]]. destruct (Hs [] eq_refl) as [h [Hh _]]. exists h; exact Hh.
  - intros [x [Hx [H0 H1]]]. apply IH in H0. apply IH in H1.
    destruct H0 as [l [Hl Sl]], H1 as [r [Hr Sr]].
    exists (Node x l r). split; [simpl; auto|].
    intros [|b p] Hp; [discriminate|]. injection Hp as Hp.
    destruct b.
    + destruct (Sr p Hp) as [h [[Ch hx] F]]. exists h. simpl; auto.
    + destruct (Sl p Hp) as [h [[Ch hx] F]]. exists h. simpl; auto.
  - intros [t [Ht Hs]]. destruct t as [|x l r]; [contradiction|].
    destruct Ht as [Hx [Hl Hr]]. exists x. split; [exact Hx|]. split; apply IH.
    + exists l. split; [exact Hl|]. intros p Hp.
      destruct (Hs (false :: p)) as [h [Ch [hx F]]]; [simpl; congruence|]. exists h; auto.
    + exists r. split; [exact Hr|]. intros p Hp.
      destruct (Hs (true :: p)) as [h [Ch [hx F]]]; [simpl; congruence|]. exists h; auto.
Qed.

Lemma big_mono n : forall d (C D : class), (forall h, C h -> D h) -> big n d C -> big n d D.
Proof.
  induction d as [|d IH]; intros C D H.
  - intros [h Hh]; exists h; auto.
  - intros [x [Hx [H0 H1]]]. exists x; split; [exact Hx|].
    split; [eapply IH, H0|eapply IH, H1]; simpl; intros h [? ?]; auto.
Qed.

Lemma big_pred n : forall d C, big n (S d) C -> big n d C.
Proof.
  induction d as [|d IH]; intros C [x [Hx [H0 H1]]].
  - destruct H0 as [h [Hh _]]; exists h; exact Hh.
  - exists x; split; [exact Hx|]; split; apply IH; assumption.
Qed.

Lemma big_down n : forall d d' C, d' <= d -> big n d C -> big n d' C.
Proof.
  induction d as [|d IH]; intros d' C Hd H.
  - replace d' with 0 by lia; exact H.
  - destruct (Nat.eq_dec d' (S d)) as [->|Hne]; [exact H|].
    apply IH; [lia|apply big_pred, H].
Qed.

(* ---- literals: literal 2 x + b is label b on point x ---- *)

Definition point (i : N) : nat := N.to_nat (N.div2 i).
Definition agrees (A : list N) (h : concept) : Prop := forall i, In i A -> h (point i) = N.odd i.

(* ---- from below: a complete tree in preorder ---- *)

(* labels 0 on the points of one mask, and 1 on those of another *)
Definition holds (zeros ones r : N) : bool :=
  if (N.land r zeros =? 0)%N then (N.land r ones =? ones)%N else false.
Definition labelled (zeros ones : N) (h : concept) : Prop :=
  forall x, (bit zeros x = true -> h x = false) /\ (bit ones x = true -> h x = true).

Lemma holds_spec zeros ones r : holds zeros ones r = true -> labelled zeros ones (bit r).
Proof.
  unfold holds. destruct (N.eqb_spec (N.land r zeros) 0) as [Z|]; [|discriminate].
  intros O. apply N.eqb_eq in O. intros x. rewrite !bit_testbit. split; intros H.
  - assert (N.testbit (N.land r zeros) (N.of_nat x) = false) as K by (rewrite Z; apply N.bits_0).
    rewrite N.land_spec, H, andb_true_r in K. exact K.
  - rewrite <- O, N.land_spec in H. apply andb_prop in H as [H _]. exact H.
Qed.

Lemma bit_setbit a x y : bit (N.setbit a x) y = (y =? N.to_nat x) || bit a y.
Proof.
  rewrite !bit_testbit, N.setbit_eqb. f_equal.
  destruct (Nat.eqb_spec y (N.to_nat x)) as [->|E]; [rewrite N2Nat.id; apply N.eqb_refl|].
  apply N.eqb_neq. intros ->. rewrite Nat2N.id in E. apply E. reflexivity.
Qed.

(* what is left of the nodes after a tree of some depth for such concepts *)
Fixpoint tree_of (n : N) (known : numbered N) (d : nat) (zeros ones : N) (nodes : list N) : option (list N) :=
  match d, nodes with
  | 0, i :: more =>
      match entry known i with
      | Some r => if holds zeros ones r then Some more else None
      | None => None
      end
  | S d', x :: more =>
      if (x <? n)%N then
        match tree_of n known d' (N.setbit zeros x) ones more with
        | Some more' => tree_of n known d' zeros (N.setbit ones x) more'
        | None => None
        end
      else None
  | _, [] => None
  end.

Lemma tree_of_sound n rows : forall d zeros ones nodes more,
  tree_of (N.of_nat n) (number_all rows) d zeros ones nodes = Some more ->
  big n d (fun h => table n (map bit rows) h /\ labelled zeros ones h).
Proof.
  induction d as [|d IH]; intros zeros ones [|x nodes] more H; cbn [tree_of] in H; try discriminate.
  - destruct (entry (number_all rows) x) as [r|] eqn:E; [|discriminate].
    destruct (holds zeros ones r) eqn:O; [|discriminate]. exists (bit r). split.
    + apply in_table. exists r. split; [apply entry_in in E; exact E|reflexivity].
    + apply holds_spec, O.
  - destruct (N.ltb_spec x (N.of_nat n)) as [Hx|]; [|discriminate].
    destruct (tree_of _ _ d (N.setbit zeros x) ones nodes) as [more'|] eqn:E; [|discriminate].
    apply IH in E. apply IH in H. exists (N.to_nat x). split; [lia|].
    split; [eapply big_mono, E|eapply big_mono, H]; intros h [T W];
      (split; [split; [exact T|]|]);
      try (intros y; destruct (W y) as [W0 W1]; rewrite bit_setbit in *; split; intros B;
           auto using orb_true_intro);
      destruct (W (N.to_nat x)) as [W0 W1]; rewrite bit_setbit, Nat.eqb_refl in *; auto.
Qed.

Definition check_tree (n : nat) (rows : list N) (nodes : list N) (v : Z) : bool :=
  match N.log2 (N.succ (size nodes)) with
  | N0 => false
  | Npos p =>
      (v =? Z.pred (Zpos p))%Z &&
      match tree_of (N.of_nat n) (number_all rows) (Pos.to_nat p - 1) 0 0 nodes with
      | Some [] => true
      | _ => false
      end
  end.

Theorem check_tree_sound n rows nodes v : check_tree n rows nodes v = true ->
  dimension_at_least (mistakes n (table n (map bit rows))) v.
Proof.
  unfold check_tree. intros H _. destruct (N.log2 (N.succ (size nodes))) as [|p]; [discriminate|].
  apply andb_prop in H as [E H]. apply Z.eqb_eq in E.
  destruct (tree_of _ _ _ 0 0 nodes) as [more|] eqn:T; [|discriminate].
  apply tree_of_sound in T. apply big_iff. replace (Z.to_nat v) with (Pos.to_nat p - 1) by lia.
  eapply big_mono, T. intros h [C _]. exact C.
Qed.

(* ---- sets of rows ---- *)

Fixpoint columns_of (n : nat) (rows : list N) : list N :=
  match n with
  | 0 => []
  | S n' => number_of (map N.odd rows) :: columns_of n' (map N.div2 rows)
  end.

Lemma number_of_bit : forall l j, bit (number_of l) j = nth j l false.
Proof.
  induction l as [|b l IH]; intros j; cbn [number_of]; [destruct j; reflexivity|].
  destruct b; [rewrite bit_succ_double|rewrite bit_double]; destruct j; cbn [nth]; auto.
Qed.

Lemma columns_of_bit : forall n rows x c, nth_error (columns_of n rows) x = Some c ->
  x < n /\ forall j r, nth_error rows j = Some r -> bit c j = bit r x.
Proof.
  induction n as [|n IH]; intros rows x c H; cbn [columns_of] in H; [destruct x; discriminate|].
  destruct x as [|x]; cbn [nth_error] in H.
  - injection H as <-. split; [lia|]. intros j r E. rewrite number_of_bit.
    rewrite bit_odd. apply nth_error_nth. apply (map_nth_error N.odd) in E. exact E.
  - apply IH in H as [Hx B]. split; [lia|]. intros j r E.
    rewrite <- bit_div2. apply B, (map_nth_error N.div2), E.
Qed.

Lemma columns_of_length : forall n rows, length (columns_of n rows) = n.
Proof. induction n as [|n IH]; intros rows; simpl; auto. Qed.

(* the sets of concepts in which a literal is true: both labels of each point in turn *)
Fixpoint sides_of (everything : N) (columns : list N) : list N :=
  match columns with [] => [] | c :: cs => N.ldiff everything c :: c :: sides_of everything cs end.

Lemma sides_of_nth everything : forall columns i m, nth_error (sides_of everything columns) i = Some m ->
  exists c, nth_error columns (Nat.div2 i) = Some c /\ m = if Nat.odd i then c else N.ldiff everything c.
Proof.
  induction columns as [|c cs IH]; intros [|[|i]] m H; cbn [sides_of nth_error] in H; try discriminate.
  - injection H as <-. exists c. auto.
  - injection H as <-. exists c. auto.
  - apply IH in H. exact H.
Qed.

Lemma odd_to_nat i : Nat.odd (N.to_nat i) = N.odd i.
Proof.
  rewrite <- bit_odd, bit_testbit. change (N.of_nat 0) with 0%N. rewrite N.bit0_odd.
  rewrite <- (N2Nat.id i) at 2. generalize (N.to_nat i). clear i. intros k.
  destruct (Nat.Even_or_Odd k) as [[a ->]|[a ->]].
  - rewrite Nat.odd_mul. replace (N.of_nat (2 * a)) with (2 * N.of_nat a)%N by lia.
    rewrite N.odd_mul. reflexivity.
  - rewrite Nat.odd_add, Nat.odd_mul. replace (N.of_nat (2 * a + 1)) with (2 * N.of_nat a + 1)%N by lia.
    rewrite N.odd_add, N.odd_mul. reflexivity.
Qed.
Lemma point_div2 i : Nat.div2 (N.to_nat i) = point i.
Proof.
  unfold point. rewrite N2Nat.inj_div2. reflexivity.
Qed.

Definition all_of (rows : list N) : N := number_of (map (fun _ => true) rows).
Lemma all_of_bit rows j r : nth_error rows j = Some r -> bit (all_of rows) j = true.
Proof.
  intros E. unfold all_of. rewrite number_of_bit. apply nth_error_nth.
  apply (map_nth_error (fun _ => true)) in E. exact E.
Qed.

Definition table_sides (n : nat) (rows : list N) : list N := sides_of (all_of rows) (columns_of n rows).

Lemma ldiff_bit a b j : bit (N.ldiff a b) j = bit a j && negb (bit b j).
Proof. rewrite !bit_testbit. apply N.ldiff_spec. Qed.
Lemma land_bit a b j : bit (N.land a b) j = bit a j && bit b j.
Proof. rewrite !bit_testbit. apply N.land_spec. Qed.
Lemma lor_bit a b j : bit (N.lor a b) j = bit a j || bit b j.
Proof. rewrite !bit_testbit. apply N.lor_spec. Qed.

Lemma side_bit n rows i m : entry (number_all (table_sides n rows)) i = Some m ->
  point i < n /\ forall j r, nth_error rows j = Some r -> bit m j = Bool.eqb (bit r (point i)) (N.odd i).
Proof.
  intros H. apply entry_spec, sides_of_nth in H as [c [Hc ->]]. rewrite point_div2, odd_to_nat in *.
  apply columns_of_bit in Hc as [Hx B]. split; [exact Hx|]. intros j r E.
  rewrite <- (B j r E). destruct (N.odd i).
  - destruct (bit c j); reflexivity.
  - rewrite ldiff_bit, (all_of_bit _ _ _ E). destruct (bit c j); reflexivity.
Qed.

(* how many there are *)
Fixpoint ones_from (so_far : N) (p : positive) : N :=
  match p with
  | xH => N.succ so_far
  | xO p' => ones_from so_far p'
  | xI p' => ones_from (N.succ so_far) p'
  end.
Definition count_ones (m : N) : N := match m with N0 => 0%N | Npos p => ones_from 0 p end.

Fixpoint chosen (m : N) (rows : list N) : list N :=
  match rows with
  | [] => []
  | r :: rest => if N.odd m then r :: chosen (N.div2 m) rest else chosen (N.div2 m) rest
  end.

Lemma chosen_spec r : forall rows m j, nth_error rows j = Some r -> bit m j = true -> In r (chosen m rows).
Proof.
  induction rows as [|a rows IH]; intros m [|j] E B; cbn [nth_error chosen] in *; try discriminate.
  - injection E as ->. rewrite bit_odd in B. rewrite B. left. reflexivity.
  - rewrite <- bit_div2 in B. specialize (IH _ _ E B). destruct (N.odd m); [right|]; exact IH.
Qed.

Lemma ones_from_add p : forall a, ones_from a p = (a + ones_from 0 p)%N.
Proof.
  induction p as [p IH|p IH|]; intros a; cbn [ones_from]; [|apply IH|lia].
  rewrite IH, (IH (N.succ 0)). lia.
Qed.
Lemma count_ones_step m : count_ones m = ((if N.odd m then 1 else 0) + count_ones (N.div2 m))%N.
Proof. destruct m as [|[p|p|]]; try reflexivity. cbn. rewrite ones_from_add. reflexivity. Qed.

Lemma count_ones_parts : forall a b, (count_ones (N.land a b) + count_ones (N.ldiff a b) = count_ones a)%N.
Proof.
  assert (forall a b, N.odd (N.land a b) = N.odd a && N.odd b) as O1
    by (intros; rewrite <- !N.bit0_odd; apply N.land_spec).
  assert (forall a b, N.odd (N.ldiff a b) = N.odd a && negb (N.odd b)) as O2
    by (intros; rewrite <- !N.bit0_odd; apply N.ldiff_spec).
  assert (forall a b, N.div2 (N.land a b) = N.land (N.div2 a) (N.div2 b)) as D1
    by (intros; rewrite !N.div2_spec; apply N.shiftr_land).
  assert (forall a b, N.div2 (N.ldiff a b) = N.ldiff (N.div2 a) (N.div2 b)) as D2
    by (intros; rewrite !N.div2_spec; apply N.shiftr_ldiff).
  induction a as [|a IH|a IH] using N.binary_ind; intros b; [destruct b; reflexivity| |];
    rewrite (count_ones_step (N.land _ b)), (count_ones_step (N.ldiff _ b)), O1, O2, D1, D2,
      ?N.div2_double, ?N.div2_succ_double; specialize (IH (N.div2 b)).
  - rewrite (count_ones_step (N.double a)), N.div2_double.
    replace (N.odd (N.double a)) with false by (destruct a; reflexivity). cbn [andb]. lia.
  - rewrite (count_ones_step (N.succ_double a)), N.div2_succ_double.
    replace (N.odd (N.succ_double a)) with true by (destruct a; reflexivity).
    destruct (N.odd b); cbn [andb negb]; lia.
Qed.

Lemma chosen_size : forall rows m, (size (chosen m rows) <= count_ones m)%N.
Proof.
  induction rows as [|a rows IH]; intros m; cbn [chosen]; [cbn; lia|].
  specialize (IH (N.div2 m)). rewrite (count_ones_step m). rewrite size_length in *.
  destruct (N.odd m); cbn [length]; lia.
Qed.

Definition covers (n : nat) (L : list N) (C : class) : Prop :=
  forall h, C h -> exists r, In r L /\ same n h (bit r).

Lemma big_size n : forall d L C, covers n L C -> big n d C -> (2 ^ N.of_nat d <= size L)%N.
Proof.
  induction d as [|d IH]; intros L C HL H.
  - destruct H as [h Hh]. destruct (HL h Hh) as [r [Hr _]]. rewrite size_length.
    destruct L; [contradiction|]. cbn [length]. change (2 ^ N.of_nat 0)%N with 1%N. lia.
  - destruct H as [x [Hx [H0 H1]]].
    apply (IH (filter (fun r => negb (bit r x)) L)) in H0.
    apply (IH (filter (fun r => bit r x) L)) in H1.
    + rewrite Nat2N.inj_succ, N.pow_succ_r'. pose proof (size_filter (fun r => bit r x) L). lia.
    + intros h [Ch Hhx]. destruct (HL h Ch) as [r [Hr E]]. exists r. split; [|exact E].
      apply filter_In; split; [exact Hr|]. rewrite <- (E x Hx); exact Hhx.
    + intros h [Ch Hhx]. destruct (HL h Ch) as [r [Hr E]]. exists r. split; [|exact E].
      apply filter_In; split; [exact Hr|]. rewrite <- (E x Hx), Hhx; reflexivity.
Qed.

(* a class in a set of rows has no larger tree than there are ones *)
Lemma big_ones n rows m d (C : class) :
  (forall h, C h -> exists j r, nth_error rows j = Some r /\ bit m j = true /\ same n h (bit r)) ->
  big n d C -> (2 ^ N.of_nat d <= count_ones m)%N.
Proof.
  intros H B. apply N.le_trans with (size (chosen m rows)); [|apply chosen_size].
  eapply big_size; [|exact B]. intros h Ch. destruct (H h Ch) as [j [r [E [M S]]]].
  exists r. split; [eapply chosen_spec; eassumption|exact S].
Qed.

(* ---- symmetries ---- *)

Lemma symmetry_big n s : (forall z, z < n -> exists x, x < n /\ fst (move s x) = z) ->
  forall d (V W : class), (forall h, V h -> W (pull s h)) -> big n d V -> big n d W.
Proof.
  intros Hsur. induction d as [|d IH]; intros V W H.
  - intros [h Hh]. exists (pull s h). auto.
  - intros [z [Hz [H0 H1]]]. destruct (Hsur z Hz) as [x [Hx E]].
    exists x. split; [exact Hx|].
    destruct (snd (move s x)) eqn:F.
    + split; [eapply IH, H1|eapply IH, H0]; simpl; intros h [Vh Hh];
        (split; [auto|unfold pull; rewrite E, F, Hh; reflexivity]).
    + split; [eapply IH, H0|eapply IH, H1]; simpl; intros h [Vh Hh];
        (split; [auto|unfold pull; rewrite E, F, Hh; reflexivity]).
Qed.

(* where literals go *)
Fixpoint moved (known : numbered (nat * bool)) (A : list N) : option (list N) :=
  match A with
  | [] => Some []
  | i :: A' =>
      match entry known (N.div2 i), moved known A' with
      | Some (y, f), Some B =>
          Some ((if xorb (N.odd i) f then N.succ_double (N.of_nat y) else N.double (N.of_nat y)) :: B)
      | _, _ => None
      end
  end.

Lemma moved_spec s : forall A B, moved (number_all (moves s)) A = Some B ->
  forall h, agrees B h -> agrees A (pull s h).
Proof.
  induction A as [|a A IH]; intros B H h G; cbn [moved] in H; [intros i []|].
  destruct (entry (number_all (moves s)) (N.div2 a)) as [[y f]|] eqn:E; [|discriminate].
  destruct (moved (number_all (moves s)) A) as [B'|]; [|discriminate]. injection H as <-.
  intros i [<-|Hi].
  - apply entry_spec in E. fold (point a) in E. apply (nth_error_nth _ _ (0, false)) in E.
    specialize (G _ (or_introl eq_refl)). unfold pull, move. rewrite E. cbn [fst snd].
    destruct (xorb (N.odd a) f) eqn:X.
    + replace (point (N.succ_double (N.of_nat y))) with y in G
        by (unfold point; rewrite N.div2_succ_double, Nat2N.id; reflexivity).
      rewrite G. replace (N.odd (N.succ_double (N.of_nat y))) with true
        by (destruct (N.of_nat y); reflexivity).
      destruct (N.odd a), f; try discriminate; reflexivity.
    + replace (point (N.double (N.of_nat y))) with y in G
        by (unfold point; rewrite N.div2_double, Nat2N.id; reflexivity).
      rewrite G. replace (N.odd (N.double (N.of_nat y))) with false
        by (destruct (N.of_nat y); reflexivity).
      destruct (N.odd a), f; try discriminate; reflexivity.
  - apply (IH B' eq_refl h); [|exact Hi]. intros j Hj. apply G. right. exact Hj.
Qed.

(* ---- from above: refutations of version spaces ---- *)

(* no tree of a depth for the concepts with some literals; all others lack one *)
Record refuted := Refuted { depth : N; literals : list N; lacking : N }.
Inductive step := Image (e s : N) | Space (depth : N) (literals turns below : list N).

Section Refutations.
Variables (n : nat) (rows : list N) (symmetries : list symmetry).
Let C : class := table n (map bit rows).
Let sides := number_all (table_sides n rows).

Definition without (depth : N) (A : list N) : Prop := ~ big n (N.to_nat depth) (fun h => C h /\ agrees A h).
Definition proved (e : refuted) : Prop := without (depth e) (literals e) /\
  forall j r, nth_error rows j = Some r -> bit (lacking e) j = false ->
              forall h, same n h (bit r) -> agrees (literals e) h.

(* the concepts that lack one of some literals *)
Fixpoint lack (sides : numbered N) (so_far : N) (A : list N) : option N :=
  match A with
  | [] => Some so_far
  | i :: A' =>
      match entry sides (if N.odd i then N.pred i else N.succ i) with
      | Some m => lack sides (N.lor so_far m) A'
      | None => None
      end
  end.

Lemma other_literal i : let o := if N.odd i then N.pred i else N.succ i in
  point o = point i /\ N.odd o = negb (N.odd i).
Proof. destruct i as [|[p|p|]]; split; try reflexivity; destruct p; reflexivity. Qed.

Lemma lack_spec : forall A so_far m, lack sides so_far A = Some m ->
  (forall i, In i A -> point i < n) /\
  forall j r, nth_error rows j = Some r ->
    (bit m j = false <-> bit so_far j = false /\ agrees A (bit r)).
Proof.
  induction A as [|i A IH]; intros so_far m H; cbn [lack] in H.
  - injection H as <-. split; [intros i []|]. intros j r _. split; [|tauto].
    intros B. split; [exact B|intros i []].
  - pose proof (other_literal i) as [OP OO]. cbv zeta in OP, OO.
    destruct (entry sides (if N.odd i then N.pred i else N.succ i)) as [o|] eqn:E; [|discriminate].
    apply side_bit in E as [P S]. rewrite OP in P. apply IH in H as [Q H]. split.
    + intros k [<-|Hk]; auto.
    + intros j r R. rewrite (H j r R), lor_bit, (S j r R), OP, OO, orb_false_iff. split.
      * intros [[F B] G]. split; [exact F|]. intros k [<-|Hk]; [|apply G, Hk].
        destruct (bit r (point i)), (N.odd i); try discriminate; reflexivity.
      * intros [F G]. split; [split; [exact F|]|intros k Hk; apply G; right; exact Hk].
        rewrite (G i (or_introl eq_refl)). destruct (N.odd i); reflexivity.
Qed.

(* the sides of points at the root that are refuted: the points, unless one is not *)
Fixpoint refuted_points (sides : numbered N) (known : numbered refuted) (d space turned : N) (turns below : list N)
  : option N :=
  match turns, below with
  | [], [] => Some turned
  | i :: turns', e :: below' =>
      match entry sides i, entry known e with
      | Some side, Some e =>
          if (depth e <? d)%N then
            if (N.land (N.land space side) (lacking e) =? 0)%N
            then refuted_points sides known d space (N.setbit turned (N.div2 i)) turns' below'
            else None
          else None
      | _, _ => None
      end
  | _, _ => None
  end.

(* every other point has a label with too few concepts *)
Fixpoint no_split (space number half turned : N) (columns : list N) : bool :=
  match columns with
  | [] => true
  | c :: cs =>
      if N.odd turned || (let ones := count_ones (N.land space c) in
                          (ones <? half)%N || (number <? half + ones)%N)
      then no_split space number half (N.div2 turned) cs else false
  end.

Definition check_step (everything : N) (columns : list N) (sides : numbered N)
    (moves : numbered (numbered (nat * bool))) (known : numbered refuted) (s : step) : option refuted :=
  match s with
  | Image e s =>
      match entry known e, entry moves s with
      | Some e, Some s =>
          match moved s (literals e) with
          | Some A => match lack sides 0 A with Some m => Some (Refuted (depth e) A m) | None => None end
          | None => None
          end
      | _, _ => None
      end
  | Space d A turns below =>
      match lack sides 0 A with
      | Some m =>
          let space := N.ldiff everything m in
          match refuted_points sides known d space 0 turns below with
          | Some turned =>
              let number := count_ones space in
              if (number =? 0)%N || (N.log2 number <? d)%N
                 || (negb (d =? 0)%N && no_split space number (2 ^ N.pred d)%N turned columns)
              then Some (Refuted d A m) else None
          | None => None
          end
      | None => None
      end
  end.

Fixpoint check_steps everything columns sides moves (known : numbered refuted) (k : positive) (last : option refuted)
    (steps : list step) : option refuted :=
  match steps with
  | [] => last
  | s :: steps' =>
      match check_step everything columns sides moves known s with
      | Some e => check_steps everything columns sides moves (PositiveMap.add k e known) (Pos.succ k) (Some e) steps'
      | None => None
      end
  end.

Definition all_proved (known : numbered refuted) := forall i e, entry known i = Some e -> proved e.

Lemma in_space A m h : lack sides 0 A = Some m -> C h -> agrees A h ->
  exists j r, nth_error rows j = Some r /\ bit (N.ldiff (all_of rows) m) j = true /\ same n h (bit r).
Proof.
  intros L Ch Ah. apply in_table in Ch as [r [Hr E]]. apply In_nth_error in Hr as [j J].
  exists j, r. split; [exact J|]. split; [|exact E]. apply lack_spec in L as [P L].
  rewrite ldiff_bit, (all_of_bit _ _ _ J). apply negb_true_iff, (L j r J).
  split; [destruct j; reflexivity|]. intros i Hi. rewrite <- E by (apply P, Hi). apply Ah, Hi.
Qed.

Lemma refuted_points_spec known d space : all_proved known ->
  forall turns below turned all, refuted_points sides known d space turned turns below = Some all ->
  forall x, bit all x = true -> bit turned x = true \/
    x < n /\ exists b, exists e, proved e /\ (depth e < d)%N /\ forall j r, nth_error rows j = Some r ->
      bit space j = true -> bit r x = b -> bit (lacking e) j = false.
Proof.
  intros K. induction turns as [|i turns IH]; intros [|e below] turned all H x X; cbn [refuted_points] in H;
    try discriminate.
  - injection H as <-. left. exact X.
  - destruct (entry sides i) as [side|] eqn:S; [|discriminate].
    destruct (entry known e) as [e'|] eqn:E; [|discriminate].
    destruct (N.ltb_spec (depth e') d) as [D|]; [|discriminate].
    destruct (N.eqb_spec (N.land (N.land space side) (lacking e')) 0) as [Z|]; [|discriminate].
    destruct (IH _ _ _ H x X) as [T|T]; [|right; exact T].
    rewrite bit_setbit in T. apply orb_prop in T as [T|T]; [|left; exact T].
    apply Nat.eqb_eq in T. fold (point i) in T. subst x. right.
    apply side_bit in S as [P S]. split; [exact P|]. exists (N.odd i), e'.
    split; [exact (K _ _ E)|]. split; [exact D|]. intros j r J B R.
    assert (bit (N.land (N.land space side) (lacking e')) j = false) as F by (rewrite Z; destruct j; reflexivity).
    rewrite !land_bit, B, (S j r J), R, eqb_reflx in F. exact F.
Qed.

Lemma no_split_spec space half : forall columns turned x c, no_split space (count_ones space) half turned columns = true ->
  nth_error columns x = Some c ->
  bit turned x = true \/ (count_ones (N.land space c) < half)%N \/ (count_ones (N.ldiff space c) < half)%N.
Proof.
  induction columns as [|a columns IH]; intros turned [|x] c H E; cbn [nth_error no_split] in *; try discriminate;
    destruct (_ || _) eqn:F in H; try discriminate.
  - injection E as ->. rewrite bit_odd. cbv zeta in F. rewrite !orb_true_iff, !N.ltb_lt in F.
    pose proof (count_ones_parts space c). destruct F as [F|[F|F]]; [auto|auto|right; right; lia].
  - rewrite <- bit_div2. apply IH; assumption.
Qed.

Lemma space_sound known d A turns below m turned : all_proved known ->
  lack sides 0 A = Some m ->
  refuted_points sides known d (N.ldiff (all_of rows) m) 0 turns below = Some turned ->
  (count_ones (N.ldiff (all_of rows) m) =? 0)%N || (N.log2 (count_ones (N.ldiff (all_of rows) m)) <? d)%N
    || (negb (d =? 0)%N
        && no_split (N.ldiff (all_of rows) m) (count_ones (N.ldiff (all_of rows) m)) (2 ^ N.pred d)%N turned (columns_of n rows)) = true ->
  without d A.
Proof.
  intros K L T F B. set (space := N.ldiff (all_of rows) m) in *.
  assert (forall D : class, (forall h, D h -> C h /\ agrees A h) -> forall h, D h ->
    exists j r, nth_error rows j = Some r /\ bit space j = true /\ same n h (bit r)) as I.
  { intros D Sub h Dh. destruct (Sub h Dh) as [Ch Ah]. apply (in_space A m h L Ch Ah). }
  pose proof (big_ones n rows space _ _ (I _ (fun h H => H)) B) as N0. rewrite N2Nat.id in N0.
  apply orb_prop in F as [F|F]; [apply orb_prop in F as [F|F]|].
  - apply N.eqb_eq in F. rewrite F in N0. pose proof (N.pow_nonzero 2 d). lia.
  - apply N.ltb_lt in F. destruct (N.eq_dec (count_ones space) 0) as [Z|Z].
    + rewrite Z in N0. pose proof (N.pow_nonzero 2 d). lia.
    + apply N.log2_lt_pow2 in F; lia.
  - apply andb_prop in F as [D F]. apply negb_true_iff, N.eqb_neq in D.
    replace (N.to_nat d) with (S (N.to_nat (N.pred d))) in B by lia.
    destruct B as [x [Hx [B0 B1]]].
    destruct (nth_error (columns_of n rows) x) as [c|] eqn:E;
      [|apply nth_error_None in E; rewrite columns_of_length in E; lia].
    destruct (no_split_spec _ _ _ _ _ _ F E) as [S|[S|S]]; apply columns_of_bit in E as [_ E].
    + apply (refuted_points_spec known d space K _ _ _ _ T) in S as [S|[_ [b [e [[W M] [De S]]]]]].
      * destruct x; discriminate.
      * apply W. apply (big_down n (N.to_nat (N.pred d))); [lia|].
        assert (big n (N.to_nat (N.pred d)) (fun h => (C h /\ agrees A h) /\ h x = b)) as Bb
          by (destruct b; assumption).
        eapply big_mono, Bb. intros h [[Ch Ah] Hb]. split; [exact Ch|].
        destruct (in_space A m h L Ch Ah) as [j [r [J [P Sm]]]].
        apply (M j r J); [|exact Sm]. apply (S j r J P). rewrite <- Sm by exact Hx. exact Hb.
    + assert (2 ^ N.of_nat (N.to_nat (N.pred d)) <= count_ones (N.land space c))%N as G.
      { refine (big_ones n rows (N.land space c) _ _ _ B1). intros h [H Hb].
        destruct (I _ (fun h H => H) h H) as [j [r [J [P Sm]]]]. exists j, r. split; [exact J|].
        split; [|exact Sm]. rewrite land_bit, P, (E j r J), <- Sm by exact Hx. exact Hb. }
      rewrite N2Nat.id in G. lia.
    + assert (2 ^ N.of_nat (N.to_nat (N.pred d)) <= count_ones (N.ldiff space c))%N as G.
      { refine (big_ones n rows (N.ldiff space c) _ _ _ B0). intros h [H Hb].
        destruct (I _ (fun h H => H) h H) as [j [r [J [P Sm]]]]. exists j, r. split; [exact J|].
        split; [|exact Sm]. rewrite ldiff_bit, P, (E j r J), <- Sm, Hb by exact Hx. reflexivity. }
      rewrite N2Nat.id in G. lia.
Qed.

Definition all_moves := number_all (map (fun s => number_all (moves s)) symmetries).
Hypothesis symmetric : Forall (is_symmetry n C) symmetries.

Lemma check_step_sound known s e : all_proved known ->
  check_step (all_of rows) (columns_of n rows) sides all_moves known s = Some e -> proved e.
Proof.
  intros K H. assert (forall A m d, lack sides 0 A = Some m -> without d A -> proved (Refuted d A m)) as P.
  { intros A m d L W. split; [exact W|]. cbn. intros j r J B h Sm i Hi. apply lack_spec in L as [P L].
    rewrite Sm by (apply P, Hi). apply (L j r J) in B as [_ B]. apply B, Hi. }
  destruct s as [i s|d A turns below]; cbn [check_step] in H.
  - destruct (entry known i) as [e0|] eqn:E; [|discriminate].
    destruct (entry all_moves s) as [s0|] eqn:ES; [|discriminate].
    destruct (moved s0 (literals e0)) as [A|] eqn:EM; [|discriminate].
    destruct (lack sides 0 A) as [m|] eqn:L; [|discriminate]. injection H as <-.
    apply (P A m _ L). apply entry_in, in_map_iff in ES as [sy [<- Hs]].
    rewrite Forall_forall in symmetric. destruct (symmetric sy Hs) as [[_ [_ [_ Hsur]]] Hcl].
    destruct (K _ _ E) as [W _]. intros B. apply W. eapply (symmetry_big n sy Hsur); [|exact B].
    intros h [Ch Ah]. split; [apply Hcl, Ch|apply (moved_spec sy _ _ EM), Ah].
  - destruct (lack sides 0 A) as [m|] eqn:L; [|discriminate].
    destruct (refuted_points _ _ _ _ _ _ _) as [turned|] eqn:T in H; [|discriminate].
    destruct (_ || _) eqn:F in H; [|discriminate]. injection H as <-.
    apply (P A m d L). eapply space_sound; eassumption.
Qed.

Lemma check_steps_sound : forall steps known k last e, all_proved known ->
  (forall e, last = Some e -> proved e) ->
  check_steps (all_of rows) (columns_of n rows) sides all_moves known k last steps = Some e -> proved e.
Proof.
  induction steps as [|s steps IH]; intros known k last e K Hl H; cbn [check_steps] in H; [apply Hl, H|].
  destruct (check_step _ _ _ _ _ _) as [e0|] eqn:E in H; [|discriminate].
  apply (check_step_sound _ _ _ K) in E. eapply IH; [| |exact H].
  - intros i e' Hf. unfold entry in Hf. destruct (Pos.eq_dec k (key i)) as [->|Hne].
    + rewrite PositiveMap.gss in Hf. injection Hf as <-. exact E.
    + rewrite PositiveMap.gso in Hf by congruence. apply (K i e' Hf).
  - intros e' [= <-]. exact E.
Qed.
End Refutations.

Definition check_refutation (n : nat) (rows : list N) (symmetries : list symmetry) (steps : list step) (v : Z) : bool :=
  let columns := columns_of n rows in
  let everything := all_of rows in
  match symmetries with
  | [] => true
  | _ => distinct rows && let known := number_all rows in forallb (check_symmetry n rows known) symmetries
  end
  && match check_steps everything columns (number_all (sides_of everything columns)) (all_moves symmetries)
             (PositiveMap.empty refuted) 1 None steps with
     | Some e => (lacking e =? 0)%N && (v =? Z.pred (Z.of_N (depth e)))%Z
     | None => false
     end.

Theorem check_refutation_sound n rows symmetries steps v : check_refutation n rows symmetries steps v = true ->
  dimension_at_most (mistakes n (table n (map bit rows))) v.
Proof.
  unfold check_refutation. intros H. apply andb_prop in H as [G S]. destruct (check_steps _ _ _ _ _ _ _ _) as [e|] eqn:E in S; [|discriminate].
  apply andb_prop in S as [Z V]. apply N.eqb_eq in Z. apply Z.eqb_eq in V.
  apply (check_steps_sound n rows symmetries) in E as [W M].
  - split; [lia|]. intros d B. apply big_iff in B. destruct (Z.le_gt_cases (Z.of_nat d) v) as [|Hd]; [assumption|].
    exfalso. apply W. apply (big_down n d); [lia|]. eapply big_mono, B. intros h Ch. split; [exact Ch|].
    apply in_table in Ch as [r [Hr Sm]]. apply In_nth_error in Hr as [j J].
    apply (M j r J); [|exact Sm]. rewrite Z. destruct j; reflexivity.
  - destruct symmetries; [constructor|]. apply andb_prop in G as [D G]. apply distinct_spec in D.
    cbv zeta in G. rewrite forallb_forall in G. apply Forall_forall. intros s' Hs.
    apply check_symmetry_sound; auto.
  - intros i e' Hf. unfold entry in Hf. rewrite PositiveMap.gempty in Hf. discriminate.
  - intros e' [=].
Qed.

(* ---- certificates ---- *)

Definition step_of (n : nat) (j : json) : option step :=
  let literals := list_of (place (2 * N.of_nat n)) in
  match j with
  | Array [e; s] => let* e := natural e in let* s := natural s in Some (Image e s)
  | Array [d; a; t; b] =>
      let* d := natural d in let* a := literals a in let* t := literals t in let* b := list_of natural b in
      Some (Space d a t b)
  | _ => None
  end.

Definition lower_ldim (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  let (n, rows) := q in
  if String.eqb name "trivial"
  then (v =? -1)%Z && match fields [] data with Some _ => true | None => false end
  else if String.eqb name "mistake_tree"
  then match fields ["tree"%string] data with
       | Some [t] => match list_of natural t with Some nodes => check_tree n rows nodes v | None => false end
       | _ => false
       end
  else false.

Definition upper_ldim (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  let (n, rows) := q in
  String.eqb name "refutation" &&
  match fields ["symmetries"; "spaces"]%string data with
  | Some [s; e] =>
      match symmetries_of n (size rows) s, list_of (step_of n) e with
      | Some symmetries, Some steps => check_refutation n rows symmetries steps v
      | _, _ => false
      end
  | _ => false
  end.

Definition littlestone_dimension : kind.
Proof.
  refine {|
    title := "littlestone_dimension"; parameters := [];
    question := nat * list N;
    ask instance _ := rows_of instance; number := at_least_integer (-1);
    lower := lower_ldim; upper := upper_ldim;
    lower_means q v := dimension_at_least (mistakes (fst q) (table (fst q) (map bit (snd q)))) v;
    upper_means q v := dimension_at_most (mistakes (fst q) (table (fst q) (map bit (snd q)))) v
  |}.
  - intros [n rows] v name data H. unfold lower_ldim in H. destruct (String.eqb name "trivial").
    + apply andb_prop in H as [H _]. apply Z.eqb_eq in H. subst v. intros K. exfalso. lia.
    + destruct (String.eqb name "mistake_tree"); [|discriminate].
      destruct (fields _ data) as [[|t [|]]|]; try discriminate.
      destruct (list_of natural t) as [nodes|]; [|discriminate]. apply check_tree_sound in H. exact H.
  - intros [n rows] v name data H. unfold upper_ldim in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|s [|e [|]]]|]; try discriminate.
    destruct (symmetries_of n (size rows) s) as [symmetries|]; [|discriminate].
    destruct (list_of (step_of n) e) as [steps|]; [|discriminate]. apply check_refutation_sound in H. exact H.
Defined.
