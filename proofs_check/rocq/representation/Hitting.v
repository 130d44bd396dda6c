(* Trees over hypotheses: what any so many masks leave open.  A mask is a number whose bit j says
   whether a hypothesis lies in the neighbourhood j; of a case some masks are left, cut to what is open. *)
From Coq Require Import List ZArith NArith QArith Lia Lqa Bool Permutation Sorting.Mergesort Structures.Orders.
From CCSim Require Import Definitions Sums Mixture Json Tables Sorting.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- weights of masks ---- *)

Fixpoint weigh (w : list Z) (m : N) : Z :=
  match w with [] => 0 | a :: w' => (if N.odd m then a else 0) + weigh w' (N.div2 m) end.
Definition union (T : list N) : N := fold_right N.lor 0%N T.
Definition within (a b : N) : Prop := forall i, N.testbit a i = true -> N.testbit b i = true.
Definition nonneg (w : list Z) : Prop := forall a, In a w -> 0 <= a.

Lemma odd_bit m : N.odd m = N.testbit m 0.
Proof. symmetry. apply N.bit0_odd. Qed.
Lemma half_bit m i : N.testbit (N.div2 m) i = N.testbit m (N.succ i).
Proof. rewrite N.testbit_succ_r_div2 by apply N.le_0_l. reflexivity. Qed.

Lemma weigh_nonneg : forall w m, nonneg w -> 0 <= weigh w m.
Proof.
  induction w as [|a w IH]; intros m N; cbn [weigh]; [lia|].
  specialize (IH (N.div2 m) (fun b I => N b (or_intror I))). pose proof (N a (or_introl eq_refl)).
  destruct (N.odd m); lia.
Qed.

Lemma weigh_within : forall w a b, nonneg w -> within a b -> weigh w a <= weigh w b.
Proof.
  induction w as [|z w IH]; intros a b N S; cbn [weigh]; [lia|].
  assert (within (N.div2 a) (N.div2 b)) as S' by (intros i; rewrite !half_bit; apply S).
  specialize (IH _ _ (fun c I => N c (or_intror I)) S'). pose proof (N z (or_introl eq_refl)).
  specialize (S 0%N). rewrite <- !odd_bit in S. destruct (N.odd a); [rewrite S by reflexivity; lia|].
  destruct (N.odd b); lia.
Qed.

Lemma weigh_ext : forall w a b, (forall i, N.testbit a i = N.testbit b i) -> weigh w a = weigh w b.
Proof. intros w a b E. apply N.bits_inj in E. subst. reflexivity. Qed.

Lemma weigh_cut : forall w O X, weigh w O = weigh w (N.ldiff O X) + weigh w (N.land O X).
Proof.
  induction w as [|z w IH]; intros O X; cbn [weigh]; [lia|].
  assert (N.div2 (N.ldiff O X) = N.ldiff (N.div2 O) (N.div2 X)) as ->.
  { apply N.bits_inj. intros i. rewrite half_bit, !N.ldiff_spec, !half_bit. reflexivity. }
  assert (N.div2 (N.land O X) = N.land (N.div2 O) (N.div2 X)) as ->.
  { apply N.bits_inj. intros i. rewrite half_bit, !N.land_spec, !half_bit. reflexivity. }
  specialize (IH (N.div2 O) (N.div2 X)). rewrite !odd_bit, N.ldiff_spec, N.land_spec.
  destruct (N.testbit O 0), (N.testbit X 0); cbn [andb negb]; lia.
Qed.

Lemma weigh_lor w a b : nonneg w -> weigh w (N.lor a b) <= weigh w a + weigh w b.
Proof.
  intros N. rewrite (weigh_cut w (N.lor a b) a).
  assert (weigh w (N.ldiff (N.lor a b) a) <= weigh w b).
  { apply weigh_within; [exact N|]. intros i. rewrite N.ldiff_spec, N.lor_spec.
    destruct (N.testbit a i), (N.testbit b i); cbn; congruence. }
  assert (weigh w (N.land (N.lor a b) a) <= weigh w a).
  { apply weigh_within; [exact N|]. intros i. rewrite N.land_spec. intros E. apply andb_prop in E as [_ E]. exact E. }
  lia.
Qed.

Lemma union_bit T i : N.testbit (union T) i = true <-> exists t, In t T /\ N.testbit t i = true.
Proof.
  unfold union. induction T as [|t T IH]; cbn [fold_right].
  - rewrite N.bits_0. split; [discriminate|intros [t [[] _]]].
  - rewrite N.lor_spec, orb_true_iff, IH. split.
    + intros [E|[u [Hu E]]]; [exists t|exists u]; simpl; auto.
    + intros [u [[<-|Hu] E]]; [left; exact E|right; exists u; auto].
Qed.

Lemma weigh_union w m : nonneg w -> forall T, (forall t, In t T -> weigh w t <= m) ->
  weigh w (union T) <= Z.of_nat (length T) * m.
Proof.
  intros N. induction T as [|t T IH]; intros B; cbn [union fold_right length].
  - replace (weigh w 0) with 0; [lia|]. clear. induction w as [|a w IH]; cbn [weigh]; [reflexivity|].
    change (N.odd 0) with false. change (N.div2 0) with 0%N. lia.
  - fold (union T). pose proof (weigh_lor w t (union T) N).
    specialize (IH (fun u I => B u (or_intror I))). pose proof (B t (or_introl eq_refl)). lia.
Qed.

Lemma weigh_open w O X : nonneg w -> within X O -> weigh w (N.ldiff O X) = weigh w O - weigh w X.
Proof.
  intros N S. rewrite (weigh_cut w O X). replace (N.land O X) with X; [lia|].
  apply N.bits_inj. intros i. rewrite N.land_spec. specialize (S i).
  destruct (N.testbit X i); [rewrite S by reflexivity; reflexivity|rewrite andb_false_r; reflexivity].
Qed.

Lemma weigh_some : forall w X, nonneg w -> 0 < weigh w X -> 1 <= weigh (repeat 1 (length w)) X.
Proof.
  induction w as [|a w IH]; intros X N P; cbn [weigh length repeat] in *; [lia|].
  assert (0 <= weigh (repeat 1 (length w)) (N.div2 X)).
  { apply weigh_nonneg. intros b Hb. apply repeat_spec in Hb. lia. }
  destruct (N.odd X); [lia|]. specialize (IH (N.div2 X) (fun b I => N b (or_intror I)) ltac:(lia)). lia.
Qed.

Definition places (n : nat) : list N := map N.of_nat (seq 0 n).

Lemma weigh_covered : forall w m, weigh w m = covered w (map (N.testbit m) (places (length w))).
Proof.
  unfold places. induction w as [|a w IH]; intros m; cbn [weigh length seq map covered]; [reflexivity|].
  rewrite IH, odd_bit. change (N.of_nat 0) with 0%N. f_equal. f_equal.
  rewrite <- seq_shift, !map_map. apply map_ext. intros i. rewrite half_bit. f_equal. lia.
Qed.

(* ---- permutations of neighbourhoods ---- *)

Definition act (g : list N) (m : N) : N := number_of (map (N.testbit m) g).

Lemma number_of_spec : forall l i, N.testbit (number_of l) (N.of_nat i) = nth i l false.
Proof.
  induction l as [|b l IH]; intros i; cbn [number_of].
  - rewrite N.bits_0. destruct i; reflexivity.
  - destruct i as [|i].
    + change (N.of_nat 0) with 0%N. rewrite N.bit0_odd. destruct b, (number_of l); reflexivity.
    + rewrite Nat2N.inj_succ. destruct b; cbn [nth].
      * rewrite N.succ_double_spec, N.testbit_odd_succ by apply N.le_0_l. apply IH.
      * rewrite N.double_spec, N.testbit_even_succ by apply N.le_0_l. apply IH.
Qed.

Definition permutation (n : nat) (g : list N) : bool :=
  (length g =? n)%nat && forallb (fun k => (k <? N.of_nat n)%N) g && distinct g.
Definition keeps (w : list Z) (g : list N) : bool :=
  forallb (fun z => fst z =? snd z) (combine (map (fun k => nth (N.to_nat k) w 0) g) w).

Lemma permutation_spec n g : permutation n g = true -> length g = n /\ Permutation g (places n).
Proof.
  unfold permutation. intros H. apply andb_prop in H as [H D]. apply andb_prop in H as [L B].
  apply Nat.eqb_eq in L. rewrite forallb_forall in B. split; [exact L|].
  apply NoDup_Permutation_bis.
  - apply distinct_spec, D.
  - unfold places. rewrite map_length, seq_length. lia.
  - intros k Hk. specialize (B k Hk). apply N.ltb_lt in B. unfold places.
    apply in_map_iff. exists (N.to_nat k). split; [lia|]. apply in_seq. lia.
Qed.

Fixpoint added (l : list Z) : Z := match l with [] => 0 | a :: l' => a + added l' end.
Lemma added_permutation l l' : Permutation l l' -> added l = added l'.
Proof. induction 1; cbn [added]; lia. Qed.

Lemma covered_added w f : forall g, covered (map w g) (map f g) = added (map (fun k : N => if f k then w k else 0) g).
Proof. induction g as [|k g IH]; cbn [map covered added]; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma keeps_spec w g : length g = length w -> keeps w g = true -> map (fun k => nth (N.to_nat k) w 0) g = w.
Proof.
  unfold keeps. generalize (fun k : N => nth (N.to_nat k) w 0). intros f. revert w.
  induction g as [|k g IH]; intros [|a w] E K; try discriminate; [reflexivity|].
  injection E as E. cbn [map combine forallb fst snd] in *. apply andb_prop in K as [Ka K]. apply Z.eqb_eq in Ka.
  rewrite Ka, (IH w); [reflexivity|lia|exact K].
Qed.

Lemma nth_places w : map (fun k => nth (N.to_nat k) w 0) (places (length w)) = w.
Proof.
  unfold places. rewrite map_map. rewrite (map_ext _ (fun i => nth i w 0)) by (intros i; rewrite Nat2N.id; reflexivity).
  induction w as [|a w IH]; cbn [length seq map]; [reflexivity|]. cbn [nth]. f_equal.
  rewrite <- seq_shift, map_map. exact IH.
Qed.

Lemma weigh_act w g m : permutation (length w) g = true -> keeps w g = true -> weigh w (act g m) = weigh w m.
Proof.
  intros P K. apply permutation_spec in P as [L P]. apply keeps_spec in K; [|exact L].
  rewrite !weigh_covered.
  assert (map (N.testbit (act g m)) (places (length w)) = map (N.testbit m) g) as ->.
  { unfold act. set (l := map (N.testbit m) g).
    assert (length l = length w) as Ll by (unfold l; rewrite map_length; exact L). rewrite <- Ll. clearbody l. clear.
    unfold places. rewrite map_map. rewrite (map_ext _ (fun i => nth i l false)) by (intros i; apply number_of_spec).
    induction l as [|b l IH]; cbn [length seq map]; [reflexivity|]. cbn [nth]. f_equal.
    rewrite <- seq_shift, map_map. exact IH. }
  set (weight := fun k : N => nth (N.to_nat k) w 0) in *.
  transitivity (covered (map weight g) (map (N.testbit m) g)); [rewrite K; reflexivity|].
  transitivity (covered (map weight (places (length w))) (map (N.testbit m) (places (length w))));
    [|unfold weight; rewrite nth_places; reflexivity].
  rewrite !covered_added. apply added_permutation, Permutation_map, P.
Qed.

Lemma act_union g n : length g = n -> forall T, act g (union T) = union (map (act g) T).
Proof.
  intros L T. assert (forall m i, N.testbit (act g m) i = nth (N.to_nat i) (map (N.testbit m) g) false) as A.
  { intros m i. unfold act. rewrite <- (N2Nat.id i) at 1. apply number_of_spec. }
  induction T as [|t T IH]; cbn [map union fold_right].
  - apply N.bits_inj. intros i. rewrite A, N.bits_0.
    rewrite (map_ext (N.testbit 0) (fun _ => false)) by (intros; apply N.bits_0).
    generalize (N.to_nat i). clear. induction g as [|k g IH]; intros [|j]; cbn; auto.
  - fold (union T) in *. fold (union (map (act g) T)). rewrite <- IH. apply N.bits_inj. intros i.
    rewrite N.lor_spec, !A. rewrite (map_ext _ (fun k => N.testbit t k || N.testbit (union T) k)) by (intros; apply
        N.lor_spec).
    generalize (N.to_nat i). clear. induction g as [|k g IH]; intros [|j]; cbn; auto.
Qed.

Definition mem (a : N) (l : list N) : bool := existsb (N.eqb a) l.
Lemma mem_spec a l : mem a l = true <-> In a l.
Proof.
  unfold mem. rewrite existsb_exists. split.
  - intros [b [H E]]. apply N.eqb_eq in E as ->. exact H.
  - intros H. exists a. split; [exact H|apply N.eqb_refl].
Qed.

Fixpoint orbit (rounds : nat) (group : list (list N)) (new found : list N) : list N :=
  match rounds with
  | O => found
  | S r => match filter (fun m => negb (mem m found)) (once (flat_map (fun m => map (fun g => act g m) group)
      new)) with
           | [] => found
           | more => orbit r group more (found ++ more)
           end
  end.
Definition closed (group : list (list N)) (l : list N) : bool :=
  forallb (fun m => forallb (fun g => mem (act g m) l) group) l.

Inductive reachable (group : list (list N)) : N -> N -> Prop :=
| here y : reachable group y y
| further y z g : reachable group y z -> In g group -> reachable group y (act g z).

Lemma orbit_reachable group start : forall rounds new found, incl new found ->
  (forall m, In m found -> exists y, In y start /\ reachable group y m) ->
  forall m, In m (orbit rounds group new found) -> exists y, In y start /\ reachable group y m.
Proof.
  induction rounds as [|r IH]; intros new found I F m Hm; cbn [orbit] in Hm; [auto|].
  destruct (filter _ _) as [|a more] eqn:E; [auto|]. apply IH in Hm; [exact Hm|intros b Hb; apply in_or_app; auto|].
  intros b Hb. apply in_app_or in Hb as [Hb|Hb]; [auto|]. rewrite <- E in Hb.
  apply filter_In in Hb as [Hb _]. apply once_in, in_flat_map in Hb as [z [Hz Hb]].
  apply in_map_iff in Hb as [g [<- Hg]]. destruct (F z (I z Hz)) as [y [Hy R]].
  exists y. split; [exact Hy|apply further; assumption].
Qed.

(* ---- the tree ---- *)

Record node := Branch { group : list nat; branches : list nat; own : option (list Z) }.
Record case := Case { chosen : Z; opened : N; left : list N }.

Definition disjoint (rest m : N) : bool := (N.land m rest =? 0)%N.
(* what has no more of what is open than the choice is dropped, with its images *)
Definition drop (group : list (list N)) (rest : N) (left : list N) : option (list N) :=
  match group with
  | [] => Some (filter (fun m => negb (disjoint rest m)) left)
  | _ => let start := filter (disjoint rest) left in
         let gone := orbit (S (length left)) group start start in
         if closed group gone then Some (filter (fun m => negb (mem m gone)) left) else None
  end.
Fixpoint choose (masks : list N) (group : list (list N)) (n : Z) (opened : N) (js : list nat) (left : list N)
  : option (list case * list N) :=
  match js with
  | [] => Some ([], left)
  | j :: js' =>
      match nth_error masks j with
      | None => None
      | Some mask =>
          let rest := N.ldiff opened mask in
          match drop group rest left with
          | None => None
          | Some left' =>
              match choose masks group n opened js' left' with
              | None => None
              | Some (below, last) => Some (Case (n + 1) rest (once (map (N.land rest) left)) :: below, last)
              end
          end
      end
  end.

Fixpoint same_list (l l' : list N) : bool :=
  match l, l' with
  | [], [] => true
  | a :: l, b :: l' => if (a =? b)%N then same_list l l' else false
  | _, _ => false
  end.
Definition kept (left : list N) (g : list N) : bool := same_list (once (map (act g) left)) left.

Section Walk.
Variables (number : nat) (masks : list N) (weights : option (list Z)) (moves : list (list N * bool)).

Fixpoint chosen_moves (ks : list nat) : option (list (list N)) :=
  match ks with
  | [] => Some []
  | k :: ks' => match nth_error moves k, chosen_moves ks' with
                | Some (g, true), Some gs => Some (g :: gs)
                | _, _ => None
                end
  end.

Definition heaviest (w : list Z) (left : list N) : Z := fold_right (fun m z => Z.max (weigh w m) z) 0 left.
Definition weights_at (a : node) : option (list Z) :=
  match weights, own a with Some w, None => Some w | None, Some w => Some w | _, _ => None end.

(* how many are chosen, what is then open, and the most that one more closes *)
Definition visit (a : node) (c : case) : option (list case * (Z * Z * Z)) :=
  match weights_at a, chosen_moves (group a) with
  | Some w, Some gs =>
      if is_law w && (length w =? number)%nat && forallb (kept (left c)) gs then
        match choose masks gs (chosen c) (opened c) (branches a) (left c) with
        | Some (below, last) => Some (below, (chosen c, weigh w (opened c), heaviest w last))
        | None => None
        end
      else None
  | _, _ => None
  end.
Fixpoint walk (nodes : list node) (cases : list case) (found : list (Z * Z * Z)) : option (list (Z * Z * Z)) :=
  match nodes, cases with
  | [], [] => Some found
  | a :: nodes', c :: cases' =>
      match visit a c with
      | Some (below, z) => walk nodes' (below ++ cases') (z :: found)
      | None => None
      end
  | _, _ => None
  end.
Definition first : case := Case 0 (N.ones (N.of_nat number)) (once (map (N.land (N.ones (N.of_nat number))) masks)).

(* what is measured: the weights of the tree, or the number of what is open *)
Definition measure : list Z := match weights with Some w => w | None => repeat 1 number end.
Definition is_move (m : list N * bool) : bool := permutation number (fst m) && (implb (snd m) (keeps measure (fst m))).

Variables (B s : Z).
Hypothesis measure_nonneg : nonneg measure.
Hypothesis measure_length : length measure = number.
Hypothesis by_number : weights = None -> B = 1.
Hypothesis moves_ok : forallb is_move moves = true.

Definition leaves (O : N) (n : Z) (left : list N) : Prop := forall T, incl T left ->
  n + Z.of_nat (length T) <= s -> B <= weigh measure (N.ldiff O (union T)).
Definition missing (c : case) : Prop := (forall m, In m (left c) -> within m (opened c)) -> leaves (opened c)
    (chosen c) (left c).
Definition enough (z : Z * Z * Z) : Prop := let '(n, w, m) := z in n <= s -> B <= w - (s - n) * m.

Definition valid (g : list N) : Prop := permutation number g = true /\ keeps measure g = true.
Definition invariant (gs : list (list N)) (left : list N) : Prop :=
  forall g, In g gs -> forall t, In t left -> exists u, In u left /\ act g u = t.

Lemma same_list_spec : forall l l', same_list l l' = true -> l = l'.
Proof.
  induction l as [|a l IH]; intros [|b l'] E; cbn in E; try discriminate; [reflexivity|].
  destruct (N.eqb_spec a b) as [->|]; [|discriminate]. rewrite (IH _ E). reflexivity.
Qed.

Lemma chosen_moves_valid : forall ks gs, chosen_moves ks = Some gs -> forall g, In g gs -> valid g.
Proof.
  induction ks as [|k ks IH]; intros gs E g Hg; cbn [chosen_moves] in E.
  - injection E as <-. destruct Hg.
  - destruct (nth_error moves k) as [[h []]|] eqn:M; try discriminate.
    destruct (chosen_moves ks) as [hs|]; [|discriminate]. injection E as <-.
    destruct Hg as [<-|Hg]; [|apply (IH hs eq_refl g Hg)].
    apply nth_error_In in M. rewrite forallb_forall in moves_ok. specialize (moves_ok _ M).
    unfold is_move in moves_ok. cbn [fst snd implb] in moves_ok. apply andb_prop in moves_ok. exact moves_ok.
Qed.

(* finite sets that come from themselves also go to themselves *)
Lemma goes gs left : invariant gs left -> forall g, In g gs -> forall t, In t left -> In (act g t) left.
Proof.
  intros I g Hg t Ht.
  assert (incl (map (act g) (nodup N.eq_dec left)) (nodup N.eq_dec left)) as G.
  { apply NoDup_length_incl; [apply NoDup_nodup|rewrite map_length; lia|].
    intros a Ha. apply nodup_In in Ha. destruct (I g Hg a Ha) as [u [Hu <-]]. apply in_map, nodup_In, Hu. }
  apply (nodup_In N.eq_dec), G, in_map, nodup_In, Ht.
Qed.

Lemma pulled gs left g z : invariant gs left -> In g gs -> In z left -> forall T, incl T left ->
  exists U, incl U left /\ map (act g) U = T /\ (In (act g z) T -> In z U).
Proof.
  intros I Hg Hz. induction T as [|t T IH]; intros S.
  - exists []. split; [intros a []|]. split; [reflexivity|intros []].
  - destruct IH as [U [HU [M Z]]]; [intros a Ha; apply S; right; exact Ha|].
    destruct (N.eq_dec (act g z) t) as [<-|Hne].
    + exists (z :: U). split; [intros a [<-|Ha]; auto|]. split; [simpl; rewrite M; reflexivity|left; reflexivity].
    + destruct (I g Hg t (S t (or_introl eq_refl))) as [u [Hu E]].
      exists (u :: U). split; [intros a [<-|Ha]; auto|]. split; [simpl; rewrite M, E; reflexivity|].
      intros [E'|E']; [congruence|right; apply Z, E'].
Qed.

Lemma moved_back gs left y t : (forall g, In g gs -> valid g) -> invariant gs left -> reachable gs y t -> In y left ->
  In t left /\ forall T, incl T left -> In t T -> exists U, incl U left /\ length U = length T /\ In y U
    /\ weigh measure (union U) = weigh measure (union T).
Proof.
  intros V I R Hy. induction R as [y|y z g R IH Hg].
  - split; [exact Hy|]. intros T S Ht. exists T. auto.
  - destruct (IH Hy) as [Hz Back]. split; [apply (goes gs left I g Hg z Hz)|]. intros T S Ht.
    destruct (pulled gs left g z I Hg Hz T S) as [U [HU [M Z]]].
    destruct (Back U HU (Z Ht)) as [U' [H1 [H2 [H3 H4]]]]. exists U'. split; [exact H1|].
    rewrite <- M, map_length. split; [exact H2|]. split; [exact H3|]. rewrite H4.
    destruct (V g Hg) as [P K]. rewrite <- (act_union g number) by (apply permutation_spec in P as [L _]; exact L).
    symmetry. apply weigh_act; [rewrite measure_length; exact P|exact K].
Qed.

Lemma drop_spec gs rest left left' : drop gs rest left = Some left' -> incl left' left /\
  (forall t, In t left -> In t left' \/ exists y, In y left /\ disjoint rest y = true /\ reachable gs y t) /\
  (invariant gs left -> invariant gs left').
Proof.
  unfold drop. destruct gs as [|g0 gs0].
  - intros [= <-]. split; [intros a Ha; apply filter_In in Ha as [Ha _]; exact Ha|]. split; [|intros _ g []].
    intros t Ht. destruct (disjoint rest t) eqn:D; [right; exists t; split; [exact Ht|split; [exact D|apply here]]|].
    left. apply filter_In. rewrite D. auto.
  - set (gs := g0 :: gs0). clearbody gs. clear g0 gs0. set (start := filter (disjoint rest) left).
    set (gone := orbit _ gs start start). destruct (closed gs gone) eqn:C; [|discriminate]. intros [= <-].
    split; [intros a Ha; apply filter_In in Ha as [Ha _]; exact Ha|]. split.
    + intros t Ht. destruct (mem t gone) eqn:M; [right|left; apply filter_In; rewrite M; auto].
      apply mem_spec in M. unfold gone in M. apply (orbit_reachable gs start) in M.
      * destruct M as [y [Hy R]]. unfold start in Hy. apply filter_In in Hy as [Hy D]. exists y. auto.
      * intros a Ha; exact Ha.
      * intros m Hm. exists m. split; [exact Hm|apply here].
    + intros I g Hg t Ht. apply filter_In in Ht as [Ht Nt]. destruct (I g Hg t Ht) as [u [Hu E]].
      exists u. split; [|exact E]. apply filter_In. split; [exact Hu|].
      destruct (mem u gone) eqn:M; [|reflexivity]. exfalso. apply mem_spec in M.
      unfold closed in C. rewrite forallb_forall in C. specialize (C u M). rewrite forallb_forall in C.
      specialize (C g Hg). rewrite E in C. rewrite C in Nt. discriminate.
Qed.

Lemma union_within T O : (forall t, In t T -> within t O) -> within (union T) O.
Proof. intros H i E. apply union_bit in E as [t [Ht E]]. exact (H t Ht i E). Qed.

Lemma choose_sound gs n O : (forall g, In g gs -> valid g) -> forall js left below last,
  choose masks gs n O js left = Some (below, last) ->
  (forall m, In m left -> within m O) -> invariant gs left -> Forall missing below ->
  incl last left /\ (leaves O n last -> leaves O n left).
Proof.
  intros V. induction js as [|j js IH]; intros left below last E W I F; cbn [choose] in E.
  - injection E as <- <-. split; [intros a Ha; exact Ha|auto].
  - destruct (nth_error masks j) as [mask|]; [|discriminate]. set (rest := N.ldiff O mask) in E.
    destruct (drop gs rest left) as [left'|] eqn:D; [|discriminate].
    destruct (choose masks gs n O js left') as [[below' last']|] eqn:Ch; [|discriminate].
    injection E as <- <-. inversion F as [|? ? Fc F']; subst. apply drop_spec in D as [S [D I']].
    destruct (IH left' below' last' Ch (fun m Hm => W m (S m Hm)) (I' I) F') as [S' L].
    split; [intros a Ha; apply S, S', Ha|]. intros Last. specialize (L Last). clear IH Last F F' Ch.
    intros T HT Sz.
    destruct (forallb (fun t => mem t left') T) eqn:A.
    { rewrite forallb_forall in A. apply L; [|exact Sz]. intros t Ht. apply mem_spec, A, Ht. }
    assert (exists t, In t T /\ ~ In t left') as [t [Ht Nt]].
    { clear - A. induction T as [|t T IH]; cbn in A; [discriminate|].
      destruct (mem t left') eqn:M; [|exists t; split; [left; reflexivity|intros H; apply mem_spec in H; congruence]].
      destruct (IH A) as [u [Hu Nu]]. exists u. split; [right; exact Hu|exact Nu]. }
    destruct (D t (HT t Ht)) as [H|[y [Hy [Dy R]]]]; [contradiction|].
    destruct (moved_back gs left y t V I R Hy) as [_ Back].
    destruct (Back T HT Ht) as [U [HU [LU [YU WU]]]].
    apply in_split in YU as [U1 [U2 ->]].
    assert (forall X, incl X left -> within (union X) O) as WX by (intros X HX; apply union_within; auto).
    rewrite (weigh_open measure O (union T) measure_nonneg (WX T HT)), <- WU,
      <- (weigh_open measure O _ measure_nonneg (WX _ HU)).
    assert (B <= weigh measure (N.ldiff rest (union (map (N.land rest) (U1 ++ U2))))) as P.
    { apply Fc; cbn [Hitting.left opened chosen].
      - intros m Hm. apply once_in, in_map_iff in Hm as [u [<- _]].
        intros i. rewrite N.land_spec. intros E. apply andb_prop in E as [E _]. exact E.
      - intros v Hv. apply once_in. apply in_map_iff in Hv as [u [<- Hu]]. apply in_map, HU.
        apply in_or_app. apply in_app_or in Hu as [Hu|Hu]; [left; exact Hu|right; right; exact Hu].
      - rewrite map_length, app_length in *. rewrite <- LU in Sz. cbn [length] in Sz. lia. }
    eapply Z.le_trans; [exact P|].
    apply weigh_within; [exact measure_nonneg|]. intros i. rewrite !N.ldiff_spec.
      intros E. apply andb_prop in E as [Er Eu]. apply negb_true_iff in Eu.
      pose proof Er as Er'. unfold rest in Er'. rewrite N.ldiff_spec in Er'. apply andb_prop in Er' as [Eo _].
      rewrite Eo. cbn [andb]. apply negb_true_iff.
      destruct (N.testbit (union (U1 ++ y :: U2)) i) eqn:Ei; [|reflexivity]. exfalso.
      apply union_bit in Ei as [u [Hu Ei]]. apply in_app_or in Hu. cbn [In] in Hu.
      assert (u = y \/ In u (U1 ++ U2)) as [->|Hu'] by (rewrite in_app_iff; intuition auto).
      * unfold disjoint in Dy. apply N.eqb_eq in Dy. assert (N.testbit (N.land y rest) i = true) as X
          by (rewrite N.land_spec, Ei, Er; reflexivity). rewrite Dy, N.bits_0 in X. discriminate.
      * assert (N.testbit (union (map (N.land rest) (U1 ++ U2))) i = true); [|congruence].
        apply union_bit. exists (N.land rest u). split; [apply in_map, Hu'|].
        rewrite N.land_spec, Er, Ei. reflexivity.
Qed.

Lemma heaviest_spec w left : 0 <= heaviest w left /\ forall t, In t left -> weigh w t <= heaviest w left.
Proof.
  induction left as [|m left [P S]]; cbn [heaviest fold_right]; [split; [lia|intros t []]|].
  fold (heaviest w left). split; [lia|]. intros t [<-|Ht]; [lia|]. specialize (S t Ht). lia.
Qed.

Lemma is_law_nonneg w : is_law w = true -> nonneg w.
Proof.
  intros L a Ha. apply andb_prop in L as [L _]. rewrite forallb_forall in L. apply Z.leb_le, L, Ha.
Qed.

Lemma visit_sound a c below z : visit a c = Some (below, z) -> Forall missing below -> enough z -> missing c.
Proof.
  unfold visit. destruct (weights_at a) as [w|] eqn:Ew; [|discriminate].
  destruct (chosen_moves (group a)) as [gs|] eqn:Eg; [|discriminate].
  destruct (_ && _) eqn:K; [|discriminate]. apply andb_prop in K as [K Inv]. apply andb_prop in K as [L Lw].
  apply Nat.eqb_eq in Lw. rewrite forallb_forall in Inv.
  destruct (choose _ _ _ _ _ _) as [[below' last]|] eqn:Ch; [|discriminate]. intros [= <- <-] F En W.
  assert (invariant gs (left c)) as I.
  { intros g Hg t Ht. specialize (Inv g Hg). unfold kept in Inv. apply same_list_spec in Inv.
    rewrite <- Inv in Ht. apply once_in, in_map_iff in Ht as [u [E Hu]]. exists u. auto. }
  pose proof (chosen_moves_valid _ _ Eg) as V.
  destruct (choose_sound gs (chosen c) (opened c) V _ _ _ _ Ch W I F) as [S Up]. apply Up. clear Up.
  intros T HT Sz. cbn [enough] in En. specialize (En ltac:(lia)).
  destruct (heaviest_spec w last) as [Hp Hs].
  pose proof (is_law_nonneg w L) as Nw.
  pose proof (weigh_union w (heaviest w last) Nw T (fun t Ht => Hs t (HT t Ht))) as U.
  assert (within (union T) (opened c)) as WT by (apply union_within; intros t Ht; apply W, S, HT, Ht).
  pose proof (weigh_open w (opened c) (union T) Nw WT) as O.
  assert (B <= weigh w (N.ldiff (opened c) (union T))) as R by nia.
  unfold weights_at in Ew. unfold measure in *. destruct weights as [v|] eqn:Ev.
  - destruct (own a); [discriminate|]. injection Ew as <-. exact R.
  - rewrite (by_number eq_refl) in *. rewrite <- Lw. apply weigh_some; [exact Nw|lia].
Qed.

Lemma walk_sound : forall nodes cases found all, walk nodes cases found = Some all ->
  incl found all /\ ((forall z, In z all -> enough z) -> Forall missing cases).
Proof.
  induction nodes as [|a nodes IH]; intros [|c cases] found all E; cbn [walk] in E; try discriminate.
  - injection E as <-. split; [intros z Hz; exact Hz|constructor].
  - destruct (visit a c) as [[below z]|] eqn:V; [|discriminate]. apply IH in E as [I F].
    split; [intros y Hy; apply I; right; exact Hy|]. intros En. specialize (F En).
    apply Forall_app in F as [F1 F2]. constructor; [|exact F2].
    apply (visit_sound a c below z V F1). apply En, I. left. reflexivity.
Qed.

Theorem tree_sound nodes all : walk nodes [first] [] = Some all -> (forall z, In z all -> enough z) ->
  forall T, incl T masks -> Z.of_nat (length T) <= s ->
  B <= weigh measure (N.ldiff (N.ones (N.of_nat number)) (union T)).
Proof.
  intros E En T HT Sz. apply walk_sound in E as [_ F]. specialize (F En). inversion F as [|? ? M _]; subst.
  set (ones := N.ones (N.of_nat number)) in *.
  assert (forall i, N.testbit (N.ldiff ones (union T)) i = N.testbit (N.ldiff ones (union (map (N.land ones) T)))
      i) as X.
  { intros i. rewrite !N.ldiff_spec. destruct (N.testbit ones i) eqn:Eo; cbn [andb]; [|reflexivity]. f_equal.
    apply eq_true_iff_eq. rewrite !union_bit. split; intros [t [Ht Et]].
    - exists (N.land ones t). split; [apply in_map, Ht|rewrite N.land_spec, Eo, Et; reflexivity].
    - apply in_map_iff in Ht as [u [<- Hu]]. exists u. split; [exact Hu|].
      rewrite N.land_spec in Et. apply andb_prop in Et as [_ Et]. exact Et. }
  apply N.bits_inj in X. rewrite X. apply M; unfold first; cbn [left opened chosen].
  - intros m Hm. apply once_in, in_map_iff in Hm as [u [<- _]].
    intros i. rewrite N.land_spec. intros Ei. apply andb_prop in Ei as [Ei _]. exact Ei.
  - intros t Ht. apply once_in. apply in_map_iff in Ht as [u [<- Hu]]. apply in_map, HT, Hu.
  - rewrite map_length. lia.
Qed.
End Walk.
