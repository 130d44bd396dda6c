(* What two messages cannot do without public coins: laws on them are numbers, and along the order of
   these numbers no column changes twice. *)
From Coq Require Import ZArith QArith Lia Lqa Bool List Permutation Sorted.
From CCSim Require Import Definitions Sums OneWay.
From CCSim Require Subsets.
Import ListNotations.

(* ---- all orders of a list, one of which is sorted ---- *)

Fixpoint insertions {A} (a : A) (l : list A) : list (list A) :=
  (a :: l) :: match l with [] => [] | b :: l' => map (cons b) (insertions a l') end.
Fixpoint orders_of {A} (l : list A) : list (list A) :=
  match l with [] => [[]] | a :: l' => flat_map (insertions a) (orders_of l') end.

Section Sorting.
Context {A : Type}.
Variable R : A -> A -> Prop.
Hypothesis total : forall a b, R a b \/ R b a.
Hypothesis transitive : forall a b c, R a b -> R b c -> R a c.

Lemma insert_sorted a : forall l, StronglySorted R l ->
  exists l', In l' (insertions a l) /\ Permutation (a :: l) l' /\ StronglySorted R l'.
Proof.
  induction l as [|b l IH]; intros S.
  - exists [a]. split; [left; reflexivity|]. split; [reflexivity|]. constructor; [constructor|constructor].
  - apply StronglySorted_inv in S as [S F]. destruct (total a b) as [H|H].
    + exists (a :: b :: l). split; [left; reflexivity|]. split; [reflexivity|].
      constructor; [constructor; assumption|]. constructor; [exact H|].
      apply Forall_forall. intros c C. rewrite Forall_forall in F. apply (transitive a b c); auto.
    + destruct (IH S) as [l' [I [P T]]]. exists (b :: l'). split; [right; apply in_map, I|].
      split; [rewrite perm_swap; constructor; exact P|]. constructor; [exact T|].
      apply (Permutation_Forall P). constructor; assumption.
Qed.

Theorem some_order_sorted : forall l : list A,
  exists l', In l' (orders_of l) /\ Permutation l l' /\ StronglySorted R l'.
Proof.
  induction l as [|a l [l' [I [P S]]]].
  - exists []. split; [left; reflexivity|]. split; constructor.
  - destruct (insert_sorted a l' S) as [r [J [Q T]]]. exists r. split; [|split; [|exact T]].
    + cbn [orders_of]. apply in_flat_map. exists l'. split; assumption.
    + rewrite <- Q. constructor. exact P.
Qed.
End Sorting.

(* ---- values that change twice ---- *)

Definition is (v : bool) (o : option bool) : bool := match o with Some w => eqb v w | None => false end.
Fixpoint returns (v : bool) (l : list (option bool)) : bool :=
  match l with [] => false | o :: l' => (is (negb v) o && existsb (is v) l') || returns v l' end.
Fixpoint twice (l : list (option bool)) : bool :=
  match l with
  | [] => false
  | o :: l' => match o with Some v => returns v l' | None => false end || twice l'
  end.

Section Twice.
Context {A : Type}.
Variables (R : A -> A -> Prop) (value : A -> option bool).

Lemma is_true v o : is v o = true -> o = Some v.
Proof. destruct o as [w|]; [|discriminate]. intros H. apply eqb_prop in H. congruence. Qed.

Lemma returns_sound v : forall l, StronglySorted R l -> returns v (map value l) = true ->
  exists b c, In b l /\ R b c /\ value b = Some (negb v) /\ value c = Some v.
Proof.
  induction l as [|b l IH]; intros S H; [discriminate H|]. apply StronglySorted_inv in S as [S F].
  cbn [map returns] in H. apply orb_prop in H as [H|H].
  - apply andb_prop in H as [B E]. apply existsb_exists in E as [o [O C]]. apply in_map_iff in O as [c [<- O]].
    exists b, c. split; [left; reflexivity|]. split; [rewrite Forall_forall in F; apply F, O|].
    split; apply is_true; assumption.
  - destruct (IH S H) as [b' [c [I G]]]. exists b', c. split; [right; exact I|exact G].
Qed.

Lemma twice_sound : forall l, StronglySorted R l -> twice (map value l) = true ->
  exists a b c v, R a b /\ R b c /\ value a = Some v /\ value b = Some (negb v) /\ value c = Some v.
Proof.
  induction l as [|a l IH]; intros S H; [discriminate H|]. apply StronglySorted_inv in S as [S F].
  cbn [map twice] in H. apply orb_prop in H as [H|H]; [|apply IH; assumption].
  destruct (value a) as [v|] eqn:V; [|discriminate H].
  destruct (returns_sound v l S H) as [b [c [I [J [B C]]]]].
  exists a, b, c, v. rewrite Forall_forall in F. repeat split; auto.
Qed.
End Twice.

Definition all_defined (l : list (option bool)) : bool :=
  forallb (fun o : option bool => match o with Some _ => true | None => false end) l.
(* the values on the inputs in each column that lies inside the promise for all of them *)
Definition columns_of (m : nat) (F : list (list (option bool))) (inputs : list nat) : list (list (option bool)) :=
  filter all_defined (map (fun y => map (fun x => nth y (nth x F []) None) inputs) (seq 0 m)).
Definition check_unsorted (m : nat) (F : list (list (option bool))) (k : N) (inputs : list nat) : bool :=
  ((k =? 2)%N && (length inputs <=? 6)%nat && Subsets.no_repeats inputs && forallb (fun x => x <? length F)%nat inputs)
  && let columns := columns_of m F inputs in
     forallb (fun order => existsb (fun column => twice (map (fun t => nth t column None) order)) columns)
             (orders_of (seq 0 (length inputs))).

Local Open Scope Q_scope.

Theorem check_unsorted_sound w m F k inputs e : w <> Public -> check_unsorted m F k inputs = true ->
  reached w (length F) m (of_table F) (N.to_nat k) e -> 1 # 2 <= e.
Proof.
  intros W C R. unfold check_unsorted in C. apply andb_prop in C as [C G].
  apply andb_prop in C as [C I]. apply andb_prop in C as [C _]. apply andb_prop in C as [K _].
  apply N.eqb_eq in K. subst k. rewrite forallb_forall in I, G.
  destruct (reached_without_public _ _ _ _ _ _ W R) as [P [[A B] E]]. change (N.to_nat 2) with 2%nat in *.
  set (input t := nth t inputs O). set (q t := alice P (input t) O).
  destruct (some_order_sorted (fun s t => q s <= q t)) with (l := seq 0 (length inputs)) as [order [J [M S]]].
  { intros s t. destruct (Qlt_le_dec (q s) (q t)); [left; lra|right; assumption]. }
  { intros s t u H1 H2. lra. }
  specialize (G order J). apply existsb_exists in G as [column [Y T]]. clear J.
  unfold columns_of in Y. apply filter_In in Y as [Y _]. apply in_map_iff in Y as [y [<- Y]]. apply in_seq in Y.
  set (value t := nth t (map (fun x => nth y (nth x F []) None) inputs) None) in T.
  assert (forall t v, value t = Some v -> (t < length inputs)%nat /\ of_table F (input t) y = Some v) as V.
  { intros t v H. unfold value in H. destruct (Nat.lt_ge_cases t (length inputs)) as [L|L].
    - split; [exact L|]. rewrite (nth_indep _ None (nth y (nth O F []) None)) in H by (rewrite map_length; exact L).
      rewrite (map_nth (fun x => nth y (nth x F []) None)) in H. exact H.
    - rewrite nth_overflow in H by (rewrite map_length; exact L). discriminate H. }
  destruct (twice_sound _ value order S T) as [a [b [c [v [Q1 [Q2 [Va [Vb Vc]]]]]]]].
  assert (forall t, (t < length inputs)%nat -> (input t < length F)%nat) as U.
  { intros t H. apply Nat.ltb_lt, I, nth_In, H. }
  set (r := bob P O y). set (s := bob P 1 y).
  assert (forall t v, value t = Some v ->
    q t * (if v then 1 - r else r) + (1 - q t) * (if v then 1 - s else s) <= e) as X.
  { intros t u H. destruct (V t u H) as [L V']. specialize (E (input t) y (U t L) ltac:(lia)).
    specialize (A (input t) (U t L)). destruct A as [_ A]. cbn [sum] in A.
    unfold error in E. rewrite V' in E. cbn [sum] in E. fold (q t) in A, E. fold r s in E.
    assert (alice P (input t) 1 == 1 - q t) as A1 by lra. rewrite A1 in E. lra. }
  pose proof (X a v Va) as Xa. pose proof (X b (negb v) Vb) as Xb. pose proof (X c v Vc) as Xc.
  assert (0 <= (q b - q a) * (q c - q b)) as Z by (apply Qmult_le_0_compat; lra).
  destruct (Qlt_le_dec e (1 # 2)) as [H|H]; [exfalso|exact H].
  (* the chance of the answer 1 is linear in the number of the law *)
  destruct v; cbn [negb] in Xb.
  - assert ((r - s) * q a + s > 1 # 2) as Ha by lra. assert ((r - s) * q c + s > 1 # 2) as Hc by lra.
    assert ((r - s) * q b + s < 1 # 2) as Hb by lra.
    destruct (Qlt_le_dec 0 (r - s)) as [D|D]; nra.
  - assert ((r - s) * q a + s < 1 # 2) as Ha by lra. assert ((r - s) * q c + s < 1 # 2) as Hc by lra.
    assert ((r - s) * q b + s > 1 # 2) as Hb by lra.
    destruct (Qlt_le_dec 0 (r - s)) as [D|D]; nra.
Qed.
