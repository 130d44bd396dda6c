(* Which inputs leave out which messages: of each orbit under symmetries one case. *)
From Coq Require Import ZArith QArith Lia Bool List Permutation Mergesort Sorted.
From CCSim Require Import Definitions OneWay Dependencies PartitionBounds SymmetricProtocols LeavingOut.
From CCSim Require Sorting.
Import ListNotations.
Local Open Scope nat_scope.

(* sequences of k numbers from low to r - 1 that do not decrease, in lexicographic order *)
Fixpoint climbing (r k low : nat) : list (list nat) :=
  match k with
  | O => [[]]
  | S k' => flat_map (fun i => map (cons i) (climbing r k' i)) (seq low (r - low))
  end.
Lemma climbing_spec r : forall k low l, length l = k -> StronglySorted le l -> (forall i, In i l -> low <= i < r) ->
  In l (climbing r k low).
Proof.
  induction k as [|k IH]; intros low [|i l] L S B; try discriminate L; [left; reflexivity|].
  apply StronglySorted_inv in S as [S H]. rewrite Forall_forall in H. cbn [climbing]. apply in_flat_map. exists i.
  pose proof (B i (in_eq _ _)). split; [apply in_seq; lia|]. apply in_map, IH; [cbn in L; lia|exact S|].
  intros j J. specialize (H j J). specialize (B j (in_cons _ _ _ J)). lia.
Qed.
(* how many there are *)
Definition number_of_climbing (r k : nat) : N :=
  fold_left (fun c i => (c * N.of_nat (r + i) / N.of_nat (S i))%N) (seq 0 k) 1%N.

Definition all_equal (l : list nat) : bool := forallb (Nat.eqb (hd O l)) l.
Definition known (l : list nat) (found : list (list nat)) : bool :=
  if in_dec (list_eq_dec Nat.eq_dec) l found then true else false.
Lemma known_spec l found : known l found = true <-> In l found.
Proof. unfold known. destruct (in_dec _ l found); split; auto; discriminate. Qed.

Section Orbits.
Variable ts : list (list nat).                             (* where symmetries move positions *)

(* the images of those that are still to be moved *)
Definition image_added (c t : list nat) (s : list (list nat) * list (list nat)) :=
  let d := move t c in if known d (snd s) then s else (d :: fst s, d :: snd s).
Definition images (c : list nat) (s : list (list nat) * list (list nat)) := fold_right (image_added c) s ts.
Fixpoint orbit_from (fuel : nat) (left found : list (list nat)) : list (list nat) :=
  match fuel, left with
  | S fuel', c :: left' => let (left'', found') := images c (left', found) in orbit_from fuel' left'' found'
  | _, _ => found
  end.
Fixpoint firsts (fuel : nat) (l found : list (list nat)) : list (list nat) :=
  match l with
  | [] => []
  | c :: l' => if known c found then firsts fuel l' found
               else c :: firsts fuel l' (orbit_from fuel [c] [c] ++ found)
  end.

Inductive reaches (a : list nat) : list nat -> Prop :=
| reaches_itself : reaches a a
| reaches_moved c t : reaches a c -> In t ts -> reaches a (move t c).

Lemma orbit_from_reached a : forall fuel left found, (forall c, In c left \/ In c found -> reaches a c) ->
  forall c, In c (orbit_from fuel left found) -> reaches a c.
Proof.
  induction fuel as [|fuel IH]; intros left found H c I; [apply H; right; exact I|].
  destruct left as [|b left]; [apply H; right; exact I|]. cbn [orbit_from] in I.
  destruct (images b (left, found)) as [left' found'] eqn:E. apply (IH left' found'); [|exact I]. clear I c IH.
  assert (reaches a b) as Rb by (apply H; left; left; reflexivity).
  assert (forall l s, incl l ts -> (forall c, In c (fst s) \/ In c (snd s) -> reaches a c) ->
    forall c, In c (fst (fold_right (image_added b) s l)) \/ In c (snd (fold_right (image_added b) s l)) ->
      reaches a c) as G.
  { induction l as [|t l IH]; intros s In_ Hs c; cbn [fold_right]; [apply Hs|].
    specialize (IH s (fun u J => In_ u (in_cons _ _ _ J)) Hs). set (s' := fold_right _ s l) in *. unfold image_added.
    cbv zeta. destruct (known (move t b) (snd s')); [apply IH|]. cbn [fst snd].
    intros [[<-|J]|[<-|J]]; try (apply reaches_moved; [exact Rb|apply In_, in_eq]); apply IH; auto. }
  specialize (G ts (left, found) (incl_refl _)). unfold images in E. rewrite E in G. cbn [fst snd] in G. apply G.
  intros c [J|J]; apply H; [left; right; exact J|right; exact J].
Qed.

Lemma firsts_reach fuel : forall l found c, In c l -> In c found \/ exists a, In a (firsts fuel l found) /\ reaches a
  c.
Proof.
  induction l as [|b l IH]; intros found c I; [destruct I|]. cbn [firsts]. destruct (known b found) eqn:K.
  - apply known_spec in K. destruct I as [<-|I]; [left; exact K|apply IH, I].
  - destruct I as [<-|I]; [right; exists b; split; [apply in_eq|apply reaches_itself]|].
    destruct (IH (orbit_from fuel [b] [b] ++ found) c I) as [J|[a [J R]]].
    + apply in_app_or in J as [J|J]; [|left; exact J]. right. exists b. split; [apply in_eq|].
      apply (orbit_from_reached b fuel [b] [b]); [|exact J].
      intros d [[<-|[]]|[<-|[]]]; apply reaches_itself.
    + right. exists a. split; [apply in_cons, J|exact R].
Qed.
End Orbits.

Definition start_cases (r k : nat) (ts : list (list nat)) : list (list nat) :=
  let l := filter (fun c => negb (all_equal c)) (climbing r k 0) in firsts ts (length l) l [].

Section Sound.
Variables (n m k : nat) (F : list (list (option bool))) (e : Q) (xs : list nat) (moves : list symmetry) (ts : list
  (list nat)).
Notation f := (of_table F).
Hypothesis two_messages : 2 <= k.
Hypothesis two_inputs : 2 <= length xs.
Hypothesis once_each : NoDup xs.
Hypothesis inputs_below : forall x, In x xs -> x < n.
Hypothesis moves_checked : forallb (check_symmetry n m F) moves = true.
Hypothesis moved : forall t, In t ts -> exists s, In s moves /\ moves_to xs s t.

Lemma reached_left_out a c P : (forall i, In i a -> i < length xs) -> reaches ts a c ->
  plays m k f e xs P -> left_out k xs P c -> exists P', plays m k f e xs P' /\ left_out k xs P' a.
Proof.
  intros Ia R. revert P. induction R as [|c t R IH I]; intros P Pl Lo; [exists P; split; assumption|].
  destruct (moved t I) as [s [Is T]].
  destruct (moved_left_out m k f e xs two_messages two_inputs n F moves eq_refl inputs_below moves_checked s t P c Is
    T) as [P' [Pl' Lo']];
    [|exact Pl|exact Lo|apply (IH P' Pl' Lo')].
  clear - Ia R T moved. induction R as [|c u R IH I]; [exact Ia|].
  intros i J. unfold move in J. apply (Permutation_in _ (Permutation_sym (Sorting.InOrder.Permuted_sort _))) in J.
  apply in_map_iff in J as [j [<- J]]. destruct (moved u I) as [s' [_ [_ U]]]. apply U, IH, J.
Qed.

Lemma start_cases_cover P : plays m k f e xs P ->
  exists c P', In c (start_cases (length xs) k ts) /\ plays m k f e xs P' /\ left_out k xs P' c.
Proof.
  intros Pl. destruct (all_spare m k f e xs two_messages two_inputs once_each P Pl) as [P1 [Pl1 S]].
  destruct (some_left_out k xs two_messages two_inputs P1 S) as [c1 Lo1].
  destruct (renamed_left_out m k f e xs two_messages two_inputs P1 c1 (Sorting.InOrder.sort c1) (Sorting.InOrder.Permuted_sort c1) Pl1
    Lo1) as [P2 [Pl2 Lo2]].
  set (c := Sorting.InOrder.sort c1) in *. pose proof Lo2 as [L [B _]].
  assert (StronglySorted le c) as Sc.
  { assert (StronglySorted (fun a b => Sorting.Naturals.leb a b = true) c) as H
      by (apply Sorting.InOrder.StronglySorted_sort; intros a b d; unfold is_true, Sorting.Naturals.leb; cbv beta; rewrite
        !Nat.leb_le; lia).
    clear - H. induction H as [|a l H IH G]; constructor; [exact IH|]. rewrite Forall_forall in *. intros b J.
    apply Nat.leb_le, (G b J). }
  unfold start_cases. set (l := filter _ (climbing (length xs) k 0)).
  assert (In c l) as I.
  { apply filter_In. split.
    - apply climbing_spec; [exact L|exact Sc|]. intros i J. specialize (B i J). lia.
    - unfold all_equal. rewrite (not_all_equal m k f e xs two_messages two_inputs P2 c Pl2 Lo2). reflexivity. }
  destruct (firsts_reach ts (length l) l [] c I) as [[]|[a [Ia R]]].
  assert (forall i, In i a -> i < length xs) as Ba.
  { assert (forall fuel l found, incl (firsts ts fuel l found) l) as Sub.
    { clear. intros fuel. induction l as [|b l IH]; intros found; [apply incl_refl|]. cbn [firsts].
      destruct (known b found); [apply incl_tl, IH|]. intros d [<-|J]; [apply in_eq|apply in_cons, (IH _ _ J)]. }
    apply Sub, filter_In in Ia as [Ia _].
    assert (forall q low d, In d (climbing (length xs) q low) -> forall i, In i d -> i < length xs) as Bd.
    { clear. intros q. induction q as [|q IH]; intros low d I i J; cbn [climbing] in I;
        [destruct I as [<-|[]]; destruct J|].
      apply in_flat_map in I as [t [T I]]. apply in_map_iff in I as [d' [<- I]]. apply in_seq in T.
      destruct J as [<-|J]; [lia|apply (IH t d' I i J)]. }
    apply (Bd k 0), Ia. }
  destruct (reached_left_out a c P2 Ba R Pl2 Lo2) as [P' [Pl' Lo']]. exists a, P'. split; [exact Ia|]. split;
    assumption.
Qed.
End Sound.
