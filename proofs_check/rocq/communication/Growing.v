(* The classes of rows that are found by growing, their costs and labels, and that they stand for all. *)
From Coq Require Import List NArith ZArith Lia Bool Permutation.
From CCSim Require Import Definitions OneWay Distributions Answers Classes.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- products of generators ---- *)

Inductive product (gens : list (list nat)) : (nat -> nat) -> Prop :=
| product_none : product gens (fun i => i)
| product_next gen g : In gen gens -> product gens g -> product gens (fun i => nth (g i) gen O).

Lemma product_compose gens g h : product gens g -> product gens h -> product gens (fun i => g (h i)).
Proof. intros G H. induction G as [|gen g I G IH]; [exact H|]. exact (product_next gens gen (fun i => g (h i)) I IH).
  Qed.
Lemma product_keeps w rows labels gens g :
  (forall gen, In gen gens -> keeps w rows labels (fun i => nth i gen O)) -> product gens g -> keeps w rows labels g.
Proof.
  intros K P. induction P as [|gen g I P IH]; [apply keeps_id|].
  exact (keeps_compose w rows labels (fun i => nth i gen O) g (K gen I) IH).
Qed.

Definition max_moves : nat := 256.

(* some products of generators, shorter ones first: all of them, or as many as are tried *)
Section Products.
Context {A : Type} (after : A -> A -> A) (same : A -> A -> bool) (gens : list A).
Fixpoint some_products (fuel : nat) (waiting known : list A) : list A :=
  match fuel, waiting with
  | S fuel', move :: waiting' =>
      let fresh := fold_left (fun l gen => let m := after gen move in
        if existsb (same m) known || existsb (same m) l || (max_moves <=? length known + length l)%nat
        then l else l ++ [m]) gens [] in
      some_products fuel' (waiting' ++ fresh) (known ++ fresh)
  | _, _ => known
  end.
Definition products (start : A) : list A := some_products max_moves [start] [start].

Variable right : A -> Prop.
Hypothesis after_right : forall gen move, In gen gens -> right move -> right (after gen move).
Lemma some_products_spec : forall fuel waiting known, (forall l, In l waiting -> right l) ->
  (forall l, In l known -> right l) -> forall l, In l (some_products fuel waiting known) -> right l.
Proof.
  induction fuel as [|fuel IH]; intros waiting known W K; [exact K|]. destruct waiting as [|move waiting]; [exact K|].
  cbn [some_products]. set (fresh := fold_left _ gens []).
  assert (forall l, In l fresh -> right l) as G.
  { assert (forall part found, (forall gen, In gen part -> In gen gens) -> (forall l, In l found -> right l) ->
      forall l, In l (fold_left (fun l gen => let m := after gen move in
        if existsb (same m) known || existsb (same m) l || (max_moves <=? length known + length l)%nat
        then l else l ++ [m]) part found) -> right l) as X.
    { induction part as [|gen part IHp]; intros found S F; [exact F|]. cbn [fold_left].
      apply IHp; [auto using in_cons|]. cbv zeta. destruct (_ || _); [exact F|]. intros l I.
      apply in_app_or in I as [I|[<-|[]]]; [apply F, I|]. apply after_right; [apply S, in_eq|apply W, in_eq]. }
    apply (X gens []); [auto|contradiction]. }
  apply IH; intros l I; apply in_app_iff in I as [I|I]; auto using in_cons.
Qed.
Lemma products_spec start : right start -> forall l, In l (products start) -> right l.
Proof. intros R. apply some_products_spec; intros l [<-|[]]; exact R. Qed.
End Products.

Definition after (gen move : list nat) : list nat := map (fun i => nth i gen O) move.
Fixpoint same_list (l l' : list nat) : bool :=
  match l, l' with
  | [], [] => true
  | a :: l, b :: l' => (a =? b)%nat && same_list l l'
  | _, _ => false
  end.
Definition moves_of n gens : list (list nat) := products after same_list gens (seq 0 n).

Definition is_product n gens (l : list nat) := length l = n /\ exists g, product gens g /\ forall i, (i < n)%nat ->
  nth i l O = g i.

Lemma after_product n gens gen move : In gen gens -> is_product n gens move -> is_product n gens (after gen move).
Proof.
  intros I [L [g [P E]]]. split; [unfold after; rewrite map_length; exact L|].
  exists (fun i => nth (g i) gen O). split; [apply product_next; assumption|]. intros i Hi. unfold after.
  rewrite (nth_indep _ O (nth O gen O)) by (rewrite map_length; lia). rewrite (map_nth (fun j => nth j gen O)), (E i
    Hi). reflexivity.
Qed.
Lemma moves_spec n gens l : In l (moves_of n gens) -> is_product n gens l.
Proof.
  apply products_spec.
  - intros gen move I. apply after_product, I.
  - split; [apply seq_length|]. exists (fun i => i). split; [constructor|]. intros i Hi. apply seq_nth, Hi.
Qed.

(* ---- growing ---- *)

Record item := Item { i_bit : N; i_images : list N; i_row : list Z; i_size : Z; i_label : Z; i_steps : Z }.
Definition found_class := (N * Z * Z)%type.      (* a class, its cost, and the sum of its labels *)

Fixpoint lors (l l' : list N) : list N :=
  match l, l' with a :: l, b :: l' => N.lor a b :: lors l l' | _, _ => [] end.

(* classes that take some of the items besides what S has; None if there is too much to do *)
Fixpoint grow (items : list item) (S : N) (images : list N) (e : list Z) (s t : Z)
  (acc : option (Z * list found_class)) : option (Z * list found_class) :=
  match items with
  | [] => acc
  | it :: rest =>
      match grow rest S images e s t acc with
      | None => None
      | Some (fuel, l) =>
          let S' := N.lor S (i_bit it) in
          let images' := lors images (i_images it) in
          if forallb (fun j => N.leb j S') images' then
            let fuel' := fuel - i_steps it in
            if fuel' <? 0 then None
            else
              let e' := add_rows (i_row it) e in
              let s' := s + i_size it in
              let t' := t + i_label it in
              grow rest S' images' e' s' t' (Some (fuel', (S', s' - size e', t') :: l))
          else Some (fuel, l)
      end
  end.

Section Growing.
Variables (w : nat) (rows : list (list Z)) (labels : list Z) (gens moves : list (list nat)).
Let n := length rows.
Hypothesis W : wide w rows = true.
Hypothesis M : forall g, In g moves -> is_product n gens g.
Hypothesis K : forall gen, In gen gens -> keeps w rows labels (fun i => nth i gen O).

Definition item_of (i : nat) : item := Item (bit i) (map (fun g => bit (nth i g O)) moves) (nth i rows []) (size (nth
  i rows []))
  (nth i labels 0) (20 + 2 * Z.of_nat w + Z.of_nat i * (1 + Z.of_nat (length moves) / 2)).
Definition items k : list item := map item_of (rev (seq 0 k)).
Lemma items_S k : items (S k) = item_of k :: items k.
Proof. unfold items. rewrite seq_S, rev_app_distr. reflexivity. Qed.

Definition right (r : found_class) :=
  let '(T, c, t) := r in below n T /\ c = cost_of w rows T /\ t = label_of rows labels T.
Definition images_of S := map (fun g => act n (fun i => nth i g O) S) moves.

Lemma members_grow S k : (k < n)%nat -> has S k = false -> Permutation (members n (N.lor S (bit k))) (k :: members n S).
Proof.
  intros Hk H. apply NoDup_Permutation; [apply members_nodup| |].
  - constructor; [|apply members_nodup]. rewrite members_spec. intros [_ X]. congruence.
  - intros i. cbn [In]. rewrite !members_spec, has_lor, has_bit, orb_true_iff, Nat.eqb_eq. intuition lia.
Qed.
Lemma images_grow S k : (k < n)%nat ->
  lors (images_of S) (map (fun g => bit (nth k g O)) moves) = images_of (N.lor S (bit k)).
Proof.
  intros Hk. unfold images_of. clear M. induction moves as [|g l IH]; [reflexivity|]. cbn [map lors]. f_equal;
    [|exact IH].
  apply has_ext. intros j. apply eq_true_iff_eq. rewrite has_lor, orb_true_iff, !has_act, has_bit, Nat.eqb_eq. split.
  - intros [[i [A [B C]]]|E].
    + exists i. rewrite has_lor, B. auto.
    + exists k. rewrite has_lor, has_bit, Nat.eqb_refl. auto using orb_true_r.
  - intros [i [A [B C]]]. rewrite has_lor, has_bit, orb_true_iff, Nat.eqb_eq in B. destruct B as [B|<-]; [left;
      eauto|right; exact C].
Qed.

Lemma grow_spec : forall k S e s t fuel l fuel' l', (k <= n)%nat -> below n S -> (forall i, (i < k)%nat -> has S i =
  false) ->
  length e = w -> (forall y, nth y e 0 = lsum (fun i => entry_at rows i y) (members n S)) ->
  s = lsum (fun i => size (nth i rows [])) (members n S) -> t = label_of rows labels S ->
  (forall r, In r l -> right r) -> grow (items k) S (images_of S) e s t (Some (fuel, l)) = Some (fuel', l') ->
  (forall r, In r l -> In r l') /\ (forall r, In r l' -> right r) /\
  forall T, below n T -> high k T = S -> T = S \/ (exists c u, In (T, c, u) l') \/
    exists i g, In g moves /\ (high i T < act n (fun j => nth j g O) (high i T))%N.
Proof.
  induction k as [|k IH]; intros S e s t fuel l fuel' l' Kn B Low Le E Es Et R G.
  - cbn in G. injection G as <- <-. repeat split; auto. intros T BT H. left. rewrite <- H. apply has_ext. intros i.
    rewrite has_high. reflexivity.
  - rewrite items_S in G. cbn [grow] in G.
    destruct (grow (items k) S (images_of S) e s t (Some (fuel, l))) as [[f1 l1]|] eqn:G1; [|discriminate].
    specialize (IH S e s t fuel l f1 l1) as IH1.
    destruct IH1 as [A1 [R1 C1]]; auto; try lia.
    cbn [item_of i_bit i_images i_row i_size i_label] in G. rewrite images_grow in G by lia.
    set (S' := N.lor S (bit k)) in *.
    assert (below n S') as B'.
    { intros i Hi. unfold S'. rewrite has_lor, has_bit, (B i Hi). apply Nat.eqb_neq. lia. }
    assert (forall T, high (Datatypes.S k) T = S -> has T k = true -> high k T = S') as HT.
    { intros T H1 H2. apply has_ext. intros i. unfold S'. rewrite has_lor, has_bit, <- H1, !has_high.
      destruct (Nat.eqb_spec k i) as [<-|N].
      - rewrite Nat.leb_refl, H2. rewrite orb_true_r. reflexivity.
      - rewrite orb_false_r. f_equal. destruct (Nat.leb_spec k i), (Nat.leb_spec (Datatypes.S k) i); lia ||
          reflexivity. }
    assert (forall T, high (Datatypes.S k) T = S -> has T k = false -> high k T = S) as HF.
    { intros T H1 H2. apply has_ext. intros i. rewrite <- H1, !has_high. destruct (Nat.eqb_spec k i) as [<-|N].
      - rewrite H2, !andb_false_r. reflexivity.
      - f_equal. destruct (Nat.leb_spec k i), (Nat.leb_spec (Datatypes.S k) i); lia || reflexivity. }
    destruct (forallb _ (images_of S')) eqn:Test.
    + destruct (_ <? 0); [discriminate|].
      pose proof (members_grow S k ltac:(lia) (Low k ltac:(lia))) as Pm. fold S' in Pm.
      assert (length (nth k rows []) = length e) as Lr by (rewrite Le; apply (wide_nth w); [exact W|unfold n in Kn;
        lia]).
      destruct (add_rows_spec (nth k rows []) e Lr) as [L' N'].
      set (e' := add_rows (nth k rows []) e) in *.
      assert (forall y, nth y e' 0 = lsum (fun i => entry_at rows i y) (members n S')) as E'.
      { intros y. rewrite N', (lsum_permutation _ _ _ Pm). cbn [lsum]. rewrite <- E. reflexivity. }
      set (s' := s + size (nth k rows [])) in *. set (t' := t + nth k labels 0) in *.
      assert (s' = lsum (fun i => size (nth i rows [])) (members n S')) as Es'.
      { rewrite (lsum_permutation _ _ _ Pm). cbn [lsum]. unfold s'. lia. }
      assert (t' = label_of rows labels S') as Et'.
      { unfold label_of. fold n. rewrite (lsum_permutation _ _ _ Pm). cbn [lsum]. unfold t'. rewrite Et. unfold
        label_of. fold n. lia. }
      assert (right (S', s' - size e', t')) as Rr.
      { repeat split; [exact B'| |exact Et']. unfold cost_of, class_cost. fold n. rewrite <- Es'. f_equal.
        rewrite size_entries, L', Le. apply zsum_ext. intros y _. rewrite E'. reflexivity. }
      assert (forall i, (i < k)%nat -> has S' i = false) as Low'.
      { intros i Hi. unfold S'. rewrite has_lor, has_bit, (Low i) by lia. apply Nat.eqb_neq. lia. }
      assert (forall r, In r ((S', s' - size e', t') :: l1) -> right r) as R' by (intros r [<-|I]; [exact Rr|apply
        R1, I]).
      pose proof (IH S' e' s' t' _ _ fuel' l' ltac:(lia) B' Low' ltac:(congruence) E' Es' Et' R' G) as [A2 [R2 C2]].
      split; [intros r I; apply A2, in_cons, A1, I|]. split; [exact R2|]. intros T BT H.
      destruct (has T k) eqn:Hk.
      * destruct (C2 T BT (HT T H Hk)) as [->|X]; [|right; exact X].
        right. left. exists (s' - size e'), t'. apply A2, in_eq.
      * destruct (C1 T BT (HF T H Hk)) as [X|[[c [u X]]|X]]; [left; exact X| |right; right; exact X].
        right. left. exists c, u. apply A2, in_cons, X.
    + injection G as <- <-. split; [exact A1|]. split; [exact R1|]. intros T BT H. destruct (has T k) eqn:Hk.
      * right. right. assert (exists x, In x (images_of S') /\ N.leb x S' = false) as [x [X1 X2]].
        { clear - Test. induction (images_of S') as [|x l IH]; [discriminate|]. cbn in Test. apply andb_false_iff in
          Test as [T|T].
          - exists x. split; [apply in_eq|exact T].
          - destruct (IH T) as [y [Y1 Y2]]. exists y. split; [apply in_cons, Y1|exact Y2]. }
        unfold images_of in X1. apply in_map_iff in X1 as [g [<- I]]. apply N.leb_gt in X2.
        exists k, g. rewrite (HT T H Hk). split; [exact I|exact X2].
      * exact (C1 T BT (HF T H Hk)).
Qed.

Definition found_classes (fuel : Z) : option (list found_class) :=
  match grow (items n) 0 (map (fun _ => 0%N) moves) (repeat 0 w) 0 0 (Some (fuel, [(0%N, 0, 0)])) with
  | Some (_, l) => Some l
  | None => None
  end.

Lemma members_0 : members n 0 = [].
Proof.
  unfold members. induction (seq 0 n) as [|i l IH]; [reflexivity|]. cbn [filter]. rewrite has_0. exact IH.
Qed.

Theorem found_classes_spec fuel l : found_classes fuel = Some l ->
  (forall r, In r l -> right r) /\
  forall S, below n S -> exists g, product gens g /\ exists c t, In (act n g S, c, t) l.
Proof.
  unfold found_classes. destruct (grow _ _ _ _ _ _ _) as [[f' l']|] eqn:G; [|discriminate]. intros [= <-].
  assert (images_of 0 = map (fun _ => 0%N) moves) as I0.
  { unfold images_of. apply map_ext. intros g. unfold act. rewrite members_0. reflexivity. }
  rewrite <- I0 in G.
  assert (right (0%N, 0, 0)) as R0.
  { split; [intros i _; apply has_0|split].
    - unfold cost_of, class_cost. fold n. rewrite members_0. change (0 = 0 - zsum w (fun _ => 0)).
      unfold zsum. rewrite lsum_zero. reflexivity.
    - unfold label_of. fold n. rewrite members_0. reflexivity. }
  destruct (grow_spec n 0 (repeat 0 w) 0 0 fuel [(0%N, 0, 0)] f' l') as [A [R C]]; auto.
  - intros i _. apply has_0.
  - apply repeat_length.
  - intros y. rewrite members_0. apply nth_zeros.
  - rewrite members_0. reflexivity.
  - apply R0.
  - intros r [<-|[]]. exact R0.
  - split; [exact R|]. intros S. remember (2 ^ N.of_nat n - S)%N as d eqn:D. revert S D.
    induction d as [d IH] using (well_founded_ind N.lt_wf_0). intros S D B.
    assert (high n S = 0%N) as H.
    { apply has_ext. intros i. rewrite has_high, has_0. destruct (Nat.leb_spec n i) as [L|L]; [rewrite (B i L)|];
      reflexivity. }
    destruct (C S B H) as [->|[[c [t X]]|[i [g [I L]]]]].
    + exists (fun i => i). split; [constructor|]. exists 0, 0. rewrite act_id by exact B. apply A, in_eq.
    + exists (fun i => i). split; [constructor|]. exists c, t. rewrite act_id by exact B. exact X.
    + destruct (M g I) as [_ [h [Ph Eh]]]. rewrite (act_ext n _ h) in L by exact Eh.
      pose proof (product_keeps w rows labels gens h K Ph) as [Pm _]. fold n in Pm.
      pose proof (larger_prefix n h i S Pm B L) as Lt.
      pose proof (below_small n _ (act_below n h S Pm)) as Sm.
      destruct (IH (2 ^ N.of_nat n - act n h S)%N ltac:(lia) (act n h S) eq_refl (act_below n h S Pm)) as [g' [P' X]].
      exists (fun i => g' (h i)). split; [apply product_compose; assumption|]. rewrite act_compose by exact Pm. exact X.
Qed.
End Growing.
