(* Halfspaces on the cube {0,1}^d by their definition: the moves that keep them, and a list of rows
   in which none is missing.  Point x of the cube stands for the binary digits of the number x. *)
From Coq Require Import List Arith NArith ZArith Lia Bool.
From Coq Require Import Ndigits.
From CCSim Require Import Definitions ByDefinition.
Import ListNotations.
Local Open Scope nat_scope.

(* the sum of the weights of the digits that are 1 *)
Fixpoint score (w : list Z) (x : nat) : Z :=
  match w with
  | [] => 0
  | a :: w' => (if Nat.odd x then a else 0) + score w' (Nat.div2 x)
  end%Z.

(* ([fx] 4.1) *)
Definition halfspace (d : nat) : class := fun h => exists (weights : list Z) (threshold : Z),
  length weights = d /\ forall x, x < 2 ^ d -> h x = (threshold <=? score weights x)%Z.

(* ---- digits ---- *)

Definition join (b : bool) (y : nat) : nat := Nat.b2n b + 2 * y.

Lemma odd_join b y : Nat.odd (join b y) = b.
Proof. unfold join. rewrite <- Nat.bit0_odd. apply Nat.add_b2n_double_bit0. Qed.
Lemma div2_join b y : Nat.div2 (join b y) = y.
Proof. unfold join. rewrite Nat.div2_div. apply Nat.add_b2n_double_div2. Qed.
Lemma split_digits x : x = join (Nat.odd x) (Nat.div2 x).
Proof. unfold join. pose proof (Nat.div2_odd x). lia. Qed.
Lemma score_join a w b y : score (a :: w) (join b y) = ((if b then a else 0) + score w y)%Z.
Proof. cbn [score]. rewrite odd_join, div2_join. reflexivity. Qed.
Lemma div2_lt x d : x < 2 ^ S d -> Nat.div2 x < 2 ^ d.
Proof. rewrite Nat.pow_succ_r'. pose proof (Nat.div2_odd x). destruct (Nat.odd x); simpl Nat.b2n in *; lia. Qed.

(* ---- moves ---- *)

Fixpoint flip (i x : nat) : nat :=
  match i with
  | 0 => join (negb (Nat.odd x)) (Nat.div2 x)
  | S i' => join (Nat.odd x) (flip i' (Nat.div2 x))
  end.
Fixpoint swap (i x : nat) : nat :=
  match i with
  | 0 => let y := Nat.div2 x in join (Nat.odd y) (join (Nat.odd x) (Nat.div2 y))
  | S i' => join (Nat.odd x) (swap i' (Nat.div2 x))
  end.
(* with signs for digits, a halfspace is F(1, x) for an odd function F: this exchanges 1 and the
   lowest digit *)
Definition turn (d x : nat) : nat :=
  if Nat.odd x then x else join false (2 ^ (d - 1) - 1 - Nat.div2 x).

Inductive move := Flip (i : nat) | Swap (i : nat) | Turn.
Definition place (d : nat) (m : move) (x : nat) : nat :=
  match m with Flip i => flip i x | Swap i => swap i x | Turn => turn d x end.
Definition turned (m : move) (x : nat) : bool :=
  match m with Turn => negb (Nat.odd x) | _ => false end.
Definition moved (d : nat) (m : move) (h : concept) : concept :=
  fun x => xorb (h (place d m x)) (turned m x).

Definition is_move (d : nat) (m : move) : bool :=
  match m with Flip i => i <? d | Swap i => S i <? d | Turn => 0 <? d end
  && forallb (fun x => (place d m x <? 2 ^ d) && (place d m (place d m x) =? x)) (seq 0 (2 ^ d)).

Lemma is_move_place d m x : is_move d m = true -> x < 2 ^ d -> place d m x < 2 ^ d /\ place d m (place d m x) = x.
Proof.
  intros H Hx. apply andb_prop in H as [_ H]. rewrite forallb_forall in H.
  assert (In x (seq 0 (2 ^ d))) as I by (apply in_seq; lia). specialize (H x I). apply andb_prop in H as [H1 H2].
  apply Nat.ltb_lt in H1. apply Nat.eqb_eq in H2. auto.
Qed.

Fixpoint negate_at (i : nat) (w : list Z) : list Z :=
  match w, i with
  | [], _ => []
  | a :: w', 0 => (- a)%Z :: w'
  | a :: w', S i' => a :: negate_at i' w'
  end.
Fixpoint swap_at (i : nat) (w : list Z) : list Z :=
  match i, w with
  | 0, a :: b :: w' => b :: a :: w'
  | S i', a :: w' => a :: swap_at i' w'
  | _, _ => w
  end.

Lemma negate_at_length : forall w i, length (negate_at i w) = length w.
Proof. induction w as [|a w IH]; intros [|i]; simpl; auto. Qed.
Lemma swap_at_length : forall i w, length (swap_at i w) = length w.
Proof. induction i as [|i IH]; intros [|a w]; simpl; auto. destruct w; reflexivity. Qed.
Lemma negate_at_nth : forall w i j, nth j (negate_at i w) 0%Z = (if j =? i then (- nth j w 0)%Z else nth j w 0%Z).
Proof.
  induction w as [|a w IH]; intros [|i] [|j]; simpl; try reflexivity.
  - destruct (j =? i); reflexivity.
  - apply IH.
Qed.

Lemma score_flip : forall i w x, i < length w ->
  score w (flip i x) = (nth i w 0 + score (negate_at i w) x)%Z.
Proof.
  induction i as [|i IH]; intros [|a w] x Hi; simpl in Hi; try lia.
  - cbn [flip]. rewrite score_join. cbn [negate_at score nth]. destruct (Nat.odd x); simpl negb; cbv iota; lia.
  - cbn [flip]. rewrite score_join, IH by lia. cbn [negate_at score nth]. lia.
Qed.

Lemma score_swap : forall i w x, S i < length w -> score w (swap i x) = score (swap_at i w) x.
Proof.
  induction i as [|i IH]; intros [|a w] x Hi; simpl in Hi; try lia.
  - destruct w as [|b w]; [simpl in Hi; lia|]. cbn [swap]. rewrite !score_join. cbn [swap_at score]. lia.
  - cbn [swap]. rewrite score_join, IH by lia. reflexivity.
Qed.

Definition whole (w : list Z) : Z := fold_right Z.add 0%Z w.

Lemma score_rest : forall w y, y < 2 ^ length w ->
  score w (2 ^ length w - 1 - y) = (whole w - score w y)%Z.
Proof.
  induction w as [|a w IH]; intros y Hy; [reflexivity|].
  cbn [length] in *. pose proof (div2_lt _ _ Hy) as Hd.
  assert (2 ^ S (length w) - 1 - y = join (negb (Nat.odd y)) (2 ^ length w - 1 - Nat.div2 y)) as ->.
  { unfold join. rewrite Nat.pow_succ_r' in *. pose proof (Nat.div2_odd y).
    destruct (Nat.odd y); simpl Nat.b2n in *; simpl negb; cbn [Nat.b2n]; lia. }
  rewrite score_join, IH by exact Hd. unfold whole. cbn [fold_right score].
  destruct (Nat.odd y); simpl negb; cbv iota; lia.
Qed.

Theorem halfspace_moved d m h : is_move d m = true -> halfspace d h -> halfspace d (moved d m h).
Proof.
  intros M [w [t [L H]]]. pose proof (fun x Hx => proj1 (is_move_place d m x M Hx)) as P.
  apply andb_prop in M as [M _]. destruct m as [i|i|]; apply Nat.ltb_lt in M.
  - exists (negate_at i w), (t - nth i w 0)%Z. split; [rewrite negate_at_length; exact L|].
    intros x Hx. unfold moved, turned. rewrite xorb_false_r, H by (apply P, Hx).
    unfold place. rewrite score_flip by lia.
    apply eq_true_iff_eq. rewrite !Z.leb_le. lia.
  - exists (swap_at i w), t. split; [rewrite swap_at_length; exact L|].
    intros x Hx. unfold moved, turned. rewrite xorb_false_r, H by (apply P, Hx).
    unfold place. rewrite score_swap by lia. reflexivity.
  - destruct w as [|a w]; [simpl in L; lia|].
    exists ((whole w - t + 1 + a - t) :: w)%Z, (whole w - t + 1)%Z. split; [exact L|].
    intros x Hx. pose proof (P x Hx) as Px. unfold moved, turned. rewrite H by exact Px.
    cbn [place] in *. unfold turn in *. simpl in L. subst d.
    replace (S (length w) - 1) with (length w) in * by lia.
    destruct (Nat.odd x) eqn:E.
    + rewrite xorb_false_r. cbn [score]. rewrite E. apply eq_true_iff_eq. rewrite !Z.leb_le. lia.
    + rewrite score_join, score_rest by (apply div2_lt, Hx). cbn [score]. rewrite E.
      simpl negb. rewrite xorb_true_r.
      destruct (Z.leb_spec t (0 + (whole w - score w (Nat.div2 x)))),
        (Z.leb_spec (whole w - t + 1) (0 + score w (Nat.div2 x))); simpl; lia.
Qed.

(* ---- rows: labels of the first 32 points, and of the others ---- *)

Definition row : Type := N * N.
Definition width : nat := 32.
Definition at_point (r : row) (x : nat) : bool :=
  if x <? width then N.testbit_nat (fst r) x else N.testbit_nat (snd r) (x - width).
Definition put (r : row) (x : nat) : row :=
  if x <? width then (N.setbit (fst r) (N.of_nat x), snd r)
  else (fst r, N.setbit (snd r) (N.of_nat (x - width))).
Definition nothing : row := (0%N, 0%N).

Lemma testbit_setbit r a x : N.testbit_nat (N.setbit r (N.of_nat a)) x = (x =? a) || N.testbit_nat r x.
Proof.
  rewrite <- !Ntestbit_Nbit, N.setbit_eqb. f_equal. apply eq_true_iff_eq.
  rewrite N.eqb_eq, Nat.eqb_eq. lia.
Qed.

Lemma at_put r a x : at_point (put r a) x = (x =? a) || at_point r x.
Proof.
  unfold at_point, put. destruct (Nat.ltb_spec a width), (Nat.ltb_spec x width); cbn [fst snd];
    rewrite ?testbit_setbit; try reflexivity.
  - replace (x =? a) with false by (symmetry; apply Nat.eqb_neq; lia). reflexivity.
  - replace (x =? a) with false by (symmetry; apply Nat.eqb_neq; lia). reflexivity.
  - f_equal. apply eq_true_iff_eq. rewrite !Nat.eqb_eq. lia.
Qed.

Lemma at_nothing x : at_point nothing x = false.
Proof. unfold at_point, nothing. destruct (x <? width); reflexivity. Qed.

(* a row of labels *)
Fixpoint number_of (l : list bool) : N :=
  match l with [] => 0%N | b :: l' => if b then N.succ_double (number_of l') else N.double (number_of l') end.
Definition row_of (l : list bool) : row := (number_of (firstn width l), number_of (skipn width l)).

Lemma number_of_nth : forall l x, N.testbit_nat (number_of l) x = nth x l false.
Proof.
  induction l as [|b l IH]; intros [|x]; try reflexivity; cbn [number_of nth].
  - destruct b, (number_of l); reflexivity.
  - rewrite <- IH. destruct b, (number_of l); reflexivity.
Qed.

Lemma at_row_of l x : at_point (row_of l) x = nth x l false.
Proof.
  unfold at_point, row_of. cbn [fst snd]. rewrite !number_of_nth.
  destruct (Nat.ltb_spec x width) as [L|L].
  - rewrite <- (firstn_skipn width l) at 2. destruct (Nat.lt_ge_cases x (length (firstn width l))) as [E|E].
    + rewrite app_nth1 by exact E. reflexivity.
    + rewrite nth_overflow by exact E. rewrite firstn_length in E.
      rewrite firstn_skipn. symmetry. apply nth_overflow. lia.
  - rewrite <- (firstn_skipn width l) at 2. destruct (Nat.lt_ge_cases (length l) width) as [E|E].
    + rewrite firstn_skipn. rewrite (nth_overflow l) by lia. apply nth_overflow. rewrite skipn_length. lia.
    + rewrite app_nth2; rewrite firstn_length; [|lia]. rewrite Nat.min_l by exact E. reflexivity.
Qed.

Definition pulled (places : list nat) (r : row) : row := row_of (map (at_point r) places).

Lemma at_pulled places r x : x < length places -> at_point (pulled places r) x = at_point r (nth x places 0).
Proof.
  intros H. unfold pulled. rewrite at_row_of.
  rewrite (nth_indep _ false (at_point r 0)) by (rewrite map_length; exact H). apply map_nth.
Qed.

(* as flat_map, in another order and without recursion on the stack, as lists are long *)
Definition gathered {A B} (f : A -> list B) (l : list A) : list B :=
  fold_left (fun found a => rev_append (f a) found) l [].

Lemma in_gathered {A B} (f : A -> list B) l a b : In a l -> In b (f a) -> In b (gathered f l).
Proof.
  unfold gathered. generalize (@nil B).
  assert (forall l found, In b found -> In b (fold_left (fun found a => rev_append (f a) found) l found)) as K.
  { clear. induction l as [|c l IH]; intros found H; simpl; [exact H|]. apply IH.
    rewrite rev_append_rev. apply in_or_app. right. exact H. }
  induction l as [|c l IH]; intros found Ha Hb; [contradiction|]. simpl.
  destruct Ha as [->|Ha]; [|apply IH; assumption]. apply K. rewrite rev_append_rev. apply in_or_app. left. apply in_rev in Hb. exact Hb.
Qed.

(* ---- halfspaces whose weights are at least 0: they grow with the digits, and no two points of
   label 1 have the sum of two of label 0 ---- *)

Lemma score_sum w : forall a b, (score w a + score w b = score w (Nat.land a b) + score w (Nat.lor a b))%Z.
Proof.
  induction w as [|c w IH]; intros a b; simpl; [reflexivity|].
  rewrite <- !Nat.bit0_odd, Nat.land_spec, Nat.lor_spec, !Nat.bit0_odd.
  rewrite !Nat.div2_spec, Nat.shiftr_land, Nat.shiftr_lor, <- !Nat.div2_spec.
  pose proof (IH (Nat.div2 a) (Nat.div2 b)).
  destruct (Nat.odd a), (Nat.odd b); simpl orb; simpl andb; cbv iota; lia.
Qed.

Definition same_sum (a b c e : nat) : bool := (Nat.land a b =? Nat.land c e) && (Nat.lor a b =? Nat.lor c e).

Lemma same_sum_score a b c e w : same_sum a b c e = true -> (score w a + score w b = score w c + score w e)%Z.
Proof.
  intros H. apply andb_prop in H as [H1 H2]. apply Nat.eqb_eq in H1. apply Nat.eqb_eq in H2.
  rewrite (score_sum w a b), (score_sum w c e), H1, H2. reflexivity.
Qed.

Definition positive_weights (w : list Z) : Prop := forall i, (0 <= nth i w 0)%Z.

Lemma score_grows : forall w a b, positive_weights w -> Nat.land a b = b -> (score w b <= score w a)%Z.
Proof.
  induction w as [|c w IH]; intros a b P H; [reflexivity|]. cbn [score].
  assert (Nat.land (Nat.div2 a) (Nat.div2 b) = Nat.div2 b) as H'.
  { rewrite !Nat.div2_spec, <- Nat.shiftr_land, H. reflexivity. }
  specialize (IH _ _ (fun i => P (S i)) H'). pose proof (P 0) as P0. cbn [nth] in P0.
  assert (Nat.odd b = true -> Nat.odd a = true) as O.
  { rewrite <- !Nat.bit0_odd. rewrite <- H, Nat.land_spec. intros O. apply andb_prop in O. tauto. }
  destruct (Nat.odd b); [rewrite O by reflexivity; lia|]. destruct (Nat.odd a); lia.
Qed.

(* the points whose digits are some of those of a; and for point a: points b, c < e before it with a + b = c + e *)
Definition beneath (a : nat) : list nat := filter (fun b => Nat.land a b =? b) (seq 0 a).
Definition triples (a : nat) : list (nat * nat * nat) :=
  flat_map (fun b => flat_map (fun c => let e := a + b - c in
    if (c <? e) && (e <? a) && same_sum a b c e then [(b, c, e)] else []) (seq 0 a)) (seq 0 a).

Lemma triples_spec a b c e : In (b, c, e) (triples a) -> b < a /\ c < a /\ e < a /\ same_sum a b c e = true.
Proof.
  unfold triples. rewrite in_flat_map. intros [b' [Hb H]]. rewrite in_flat_map in H.
  destruct H as [c' [Hc H]]. cbv zeta in H. apply in_seq in Hb, Hc.
  destruct ((c' <? a + b' - c') && (a + b' - c' <? a) && same_sum a b' c' (a + b' - c')) eqn:E; [|contradiction].
  destruct H as [H|[]]. injection H as <- <- <-. apply andb_prop in E as [E E3].
  apply andb_prop in E as [_ E]. apply Nat.ltb_lt in E. repeat split; try lia; exact E3.
Qed.

Definition conflict (r : row) (v : bool) (t : nat * nat * nat) : bool :=
  let '(b, c, e) := t in Bool.eqb (at_point r b) v && xorb (at_point r c) v && xorb (at_point r e) v.

Definition extend (a : nat) (rows : list row) : list row :=
  let B := beneath a in
  let T := triples a in
  gathered (fun r => let grown := existsb (at_point r) B in
    (if grown || existsb (conflict r false) T then [] else [r])
    ++ (if existsb (conflict r true) T then [] else [put r a])) rows.
Fixpoint prefixes (n : nat) : list row := match n with 0 => [nothing] | S a => extend a (prefixes a) end.
Definition growing_rows (d : nat) : list row := prefixes (2 ^ d).

Definition growing (d : nat) : class := fun h => exists w t, length w = d /\ positive_weights w /\
  forall x, x < 2 ^ d -> h x = (t <=? score w x)%Z.

Lemma no_conflict d h a b c e r : growing d h -> a < 2 ^ d -> b < a -> c < a -> e < a ->
  (forall x, x < a -> h x = at_point r x) -> same_sum a b c e = true -> conflict r (h a) (b, c, e) = false.
Proof.
  intros [w [t [_ [_ Hw]]]] Ha Hb Hc He Hr Hs. apply not_true_iff_false. unfold conflict. intros H.
  apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2]. apply eqb_prop in H1.
  rewrite <- Hr in H1, H2, H3 by assumption.
  pose proof (same_sum_score a b c e w Hs) as E.
  rewrite !Hw in H1 by lia. rewrite !Hw in H2 by lia. rewrite !Hw in H3 by lia.
  destruct (Z.leb_spec t (score w a)), (Z.leb_spec t (score w b)),
    (Z.leb_spec t (score w c)), (Z.leb_spec t (score w e)); simpl in *; try discriminate; lia.
Qed.

Lemma nothing_below d h a r : growing d h -> a < 2 ^ d -> h a = false ->
  (forall x, x < a -> h x = at_point r x) -> existsb (at_point r) (beneath a) = false.
Proof.
  intros [w [t [_ [P Hw]]]] Ha F Hr. apply not_true_iff_false. rewrite existsb_exists.
  intros [b [Hb T]]. apply filter_In in Hb as [Hb L]. apply in_seq in Hb. apply Nat.eqb_eq in L.
  rewrite <- Hr, Hw in T by lia. rewrite Hw in F by lia.
  pose proof (score_grows w a b P L). apply Z.leb_le in T. apply Z.leb_gt in F. lia.
Qed.

Lemma prefixes_complete d h : growing d h -> forall a, a <= 2 ^ d -> exists r, In r (prefixes a) /\
  (forall x, x < a -> h x = at_point r x) /\ (forall x, a <= x -> at_point r x = false).
Proof.
  intros Hh. induction a as [|a IH]; intros Ha.
  - exists nothing. split; [left; reflexivity|]. split; [intros x Hx; lia|]. intros x _. apply at_nothing.
  - destruct (IH ltac:(lia)) as [r [Hr [Hb Hz]]].
    assert (existsb (conflict r (h a)) (triples a) = false) as Hno.
    { apply not_true_iff_false. rewrite existsb_exists. intros [[[b c] e] [Hin Hc]].
      apply triples_spec in Hin as [? [? [? Hs]]].
      rewrite (no_conflict d h a b c e r Hh) in Hc; [discriminate|lia|assumption..]. }
    destruct (h a) eqn:Eh.
    + exists (put r a). split; [|split].
      * simpl. unfold extend. apply (in_gathered _ _ r); [exact Hr|].
        rewrite Hno. apply in_or_app. right. left. reflexivity.
      * intros x Hx. rewrite at_put. destruct (Nat.eqb_spec x a) as [->|Hne]; [exact Eh|]. apply Hb. lia.
      * intros x Hx. rewrite at_put, Hz by lia. destruct (Nat.eqb_spec x a); [lia|reflexivity].
    + exists r. split; [|split].
      * simpl. unfold extend. apply (in_gathered _ _ r); [exact Hr|].
        rewrite Hno, (nothing_below d h a r Hh) by (try assumption; lia). apply in_or_app. left. left. reflexivity.
      * intros x Hx. destruct (Nat.eq_dec x a) as [->|Hne]; [rewrite Eh, Hz; [reflexivity|lia]|apply Hb; lia].
      * intros x Hx. apply Hz. lia.
Qed.

(* ---- all halfspaces: digits flipped where a weight is below 0 ---- *)

Definition same_row (r s : row) : bool := N.eqb (fst r) (fst s) && N.eqb (snd r) (snd s).
Definition with_flipped (places : list nat) (rows : list row) : list row :=
  gathered (fun r => let s := pulled places r in if same_row r s then [r] else [r; s]) rows.
Fixpoint flipped_rows (d k : nat) : list row :=
  match k with
  | 0 => growing_rows d
  | S i => with_flipped (map (flip i) (seq 0 (2 ^ d))) (flipped_rows d i)
  end.
Definition cube_rows (d : nat) : list row := flipped_rows d d.

Definition covered (n : nat) (L : list row) (C : class) : Prop :=
  forall h, C h -> exists r, In r L /\ forall x, x < n -> h x = at_point r x.

Lemma flip_lt : forall i d x, i < d -> x < 2 ^ d -> flip i x < 2 ^ d.
Proof.
  induction i as [|i IH]; intros [|d] x Hi Hx; try lia; pose proof (div2_lt x d Hx) as Hd; cbn [flip]; unfold join.
  - rewrite Nat.pow_succ_r' in *. destruct (negb (Nat.odd x)); simpl Nat.b2n; lia.
  - pose proof (IH d (Nat.div2 x) ltac:(lia) Hd). rewrite Nat.pow_succ_r' in *.
    destruct (Nat.odd x); simpl Nat.b2n; lia.
Qed.

Lemma flipped_complete d : forall k, k <= d ->
  covered (2 ^ d) (flipped_rows d k) (fun h => exists w t, length w = d /\
    (forall i, k <= i -> (0 <= nth i w 0)%Z) /\ forall x, x < 2 ^ d -> h x = (t <=? score w x)%Z).
Proof.
  induction k as [|k IH]; intros Hk h [w [t [L [P H]]]].
  - destruct (prefixes_complete d h) with (a := 2 ^ d) as [r [R [E _]]]; [|lia|exists r; auto].
    exists w, t. split; [exact L|]. split; [intros i; apply P; lia|exact H].
  - destruct (Z_le_gt_dec 0 (nth k w 0%Z)) as [G|G].
    + destruct (IH ltac:(lia) h) as [r [R E]].
      { exists w, t. split; [exact L|]. split; [|exact H]. intros i Hi.
        destruct (Nat.eq_dec i k) as [->|]; [exact G|apply P; lia]. }
      exists r. split; [|exact E]. cbn [flipped_rows]. apply (in_gathered _ _ r); [exact R|].
      cbv zeta. destruct (same_row r (pulled _ r)); left; reflexivity.
    + set (w' := negate_at k w). set (t' := (t - nth k w 0)%Z).
      destruct (IH ltac:(lia) (fun x => t' <=? score w' x)%Z) as [r [R E]].
      { exists w', t'. split; [unfold w'; rewrite negate_at_length; exact L|].
        split; [|reflexivity]. intros i Hi. unfold w'. rewrite negate_at_nth.
        destruct (Nat.eqb_spec i k) as [->|]; [lia|apply P; lia]. }
      set (places := map (flip k) (seq 0 (2 ^ d))).
      assert (forall x, x < 2 ^ d -> h x = at_point (pulled places r) x) as F.
      { intros x Hx. rewrite at_pulled by (unfold places; rewrite map_length, seq_length; exact Hx).
        unfold places. rewrite (nth_indep _ 0 (flip k 0)) by (rewrite map_length, seq_length; exact Hx).
        rewrite map_nth, seq_nth by exact Hx. rewrite Nat.add_0_l, <- E by (apply flip_lt; lia).
        rewrite H by exact Hx. unfold t', w'.
        assert (score w x = nth k w 0 + score (negate_at k w) (flip k x))%Z as ->.
        { pose proof (score_flip k (negate_at k w) x) as S. rewrite negate_at_length, negate_at_nth, Nat.eqb_refl in S.
          specialize (S ltac:(lia)). rewrite S.
          replace (negate_at k (negate_at k w)) with w; [lia|].
          clear. revert k. induction w as [|a w IHw]; intros [|k]; simpl; try reflexivity.
          - rewrite Z.opp_involutive. reflexivity.
          - rewrite <- IHw. reflexivity. }
        apply eq_true_iff_eq. rewrite !Z.leb_le. lia. }
      cbn [flipped_rows]. fold places. destruct (same_row r (pulled places r)) eqn:S.
      * exists r. split.
        -- apply (in_gathered _ _ r); [exact R|]. cbv zeta. rewrite S. left. reflexivity.
        -- apply andb_prop in S as [S1 S2]. apply N.eqb_eq in S1. apply N.eqb_eq in S2.
           intros x Hx. rewrite F by exact Hx. unfold at_point. rewrite S1, S2. reflexivity.
      * exists (pulled places r). split; [|exact F].
        apply (in_gathered _ _ r); [exact R|]. cbv zeta. rewrite S. right. left. reflexivity.
Qed.

Theorem no_halfspace_is_missing d : covered (2 ^ d) (cube_rows d) (halfspace d).
Proof.
  intros h [w [t [L H]]]. apply (flipped_complete d d (le_n d)). exists w, t. split; [exact L|].
  split; [|exact H]. intros i Hi. rewrite nth_overflow by lia. lia.
Qed.

(* ---- tables: every row by weights of its own, and none missing ---- *)

Definition weighed (d : nat) (r : concept) (weights : list Z * Z) : bool :=
  (length (fst weights) =? d)
  && forallb (fun x => Bool.eqb (r x) (snd weights <=? score (fst weights) x)%Z) (seq 0 (2 ^ d)).
Definition lists_halfspaces (d : nat) (weights : list (list Z * Z)) (rows : list concept) : bool :=
  (length rows =? length weights) && forallb (fun p => weighed d (fst p) (snd p)) (combine rows weights)
  && among (keys (2 ^ d) (map at_point (cube_rows d))) (keys (2 ^ d) rows).

Theorem halfspaces_listed d weights rows : lists_halfspaces d weights rows = true ->
  alike (2 ^ d) (halfspace d) (table (2 ^ d) rows).
Proof.
  intros H. apply andb_prop in H as [H A]. apply andb_prop in H as [L W]. apply Nat.eqb_eq in L.
  rewrite forallb_forall in W. split.
  - intros h Ch. destruct (no_halfspace_is_missing d h Ch) as [r [R E]].
    destruct (among_rows _ _ _ A (at_point r) (in_map _ _ _ R)) as [g [G S]].
    exists h. split; [|intros x _; reflexivity]. exists g. split; [exact G|].
    intros x Hx. rewrite E by exact Hx. apply S, Hx.
  - intros h [r [I S]]. exists h. split; [|intros x _; reflexivity].
    destruct (In_nth _ _ r I) as [i [Hi E]].
    specialize (W (nth i (combine rows weights) (r, ([], 0%Z)))).
    assert (In (nth i (combine rows weights) (r, ([], 0%Z))) (combine rows weights)) as J.
    { apply nth_In. rewrite combine_length, <- L, Nat.min_id. exact Hi. }
    specialize (W J). rewrite combine_nth in W by exact L. cbn [fst snd] in W. rewrite E in W.
    apply andb_prop in W as [W1 W2]. apply Nat.eqb_eq in W1. rewrite forallb_forall in W2.
    eexists _, _. split; [exact W1|]. intros x Hx. rewrite S by exact Hx.
    apply eqb_prop, W2, in_seq. lia.
Qed.
