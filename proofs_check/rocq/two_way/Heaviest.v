(* The largest weight of a rectangle without barred inputs, by branch and bound: lines are taken or not,
   one by one, as long as the other side may still weigh more than the best rectangle so far. *)
From Coq Require Import List Arith NArith ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums OneWay Tables.
Import ListNotations.
Local Open Scope Z_scope.

(* of a line across: its weight in the lines taken, the most that later ones can add, and what it has in
   those: a weight, and whether it is barred *)
Definition line := (Z * Z * list (Z * bool))%type.
Definition positive (z : Z) : Z := Z.max 0 z.
Fixpoint positives (l : list (Z * bool)) : Z := match l with [] => 0 | (e, _) :: l' => positive e + positives l' end.
Definition start (l : list (Z * bool)) : line := (0, positives l, l).
Definition skip (c : line) : line :=
  let '(s, r, l) := c in match l with [] => (s, r, []) | (e, _) :: l' => (s, r - positive e, l') end.
Definition take (c : line) : list line :=
  let '(s, r, l) := c in
  match l with [] => [] | (e, barred) :: l' => if barred then [] else [(s + e, r - positive e, l')] end.
Definition now (lines : list line) : Z := fold_right (fun c t => positive (fst (fst c)) + t) 0 lines.
Definition still (lines : list line) : Z := fold_right (fun c t => positive (fst (fst c) + snd (fst c)) + t) 0 lines.

Fixpoint heaviest (n : nat) (lines : list line) (best : Z) : Z :=
  let best := Z.max best (now lines) in
  match n with
  | O => best
  | S k => if still lines <=? best then best
           else heaviest k (map skip lines) (heaviest k (flat_map take lines) best)
  end.

(* ---- what a choice of lines weighs ---- *)

Fixpoint allowed (t : list bool) (l : list (Z * bool)) : bool :=
  match t, l with
  | [], _ => true
  | b :: t', [] => negb b && allowed t' []
  | b :: t', (_, barred) :: l' => negb (b && barred) && allowed t' l'
  end.
Fixpoint gain (t : list bool) (l : list (Z * bool)) : Z :=
  match t, l with b :: t', (e, _) :: l' => (if b then e else 0) + gain t' l' | _, _ => 0 end.
Definition worth (t : list bool) (c : line) : Z :=
  let '(s, _, l) := c in if allowed t l then positive (s + gain t l) else 0.
Definition total (t : list bool) (lines : list line) : Z := fold_right (fun c s => worth t c + s) 0 lines.
Definition sane (c : line) : Prop := let '(_, r, l) := c in r = positives l.

Lemma gain_most : forall t l, gain t l <= positives l.
Proof.
  assert (forall l, 0 <= positives l) as P.
  { induction l as [|[e b] l IH]; cbn [positives]; unfold positive; lia. }
  induction t as [|b t IH]; intros [|[e c] l]; cbn [gain]; try apply P.
  cbn [positives]. specialize (IH l). destruct b; unfold positive; lia.
Qed.
Lemma total_still t lines : Forall sane lines -> total t lines <= still lines.
Proof.
  induction 1 as [|[[s r] l] lines S _ IH]; [reflexivity|]. unfold total, still. cbn [fold_right fst snd].
  fold (total t lines) (still lines). cbn [worth]. red in S. subst r. pose proof (gain_most t l).
  destruct (allowed t l); unfold positive; lia.
Qed.
Lemma total_now lines : total [] lines = now lines.
Proof.
  induction lines as [|[[s r] l] lines IH]; [reflexivity|]. unfold total, now. cbn [fold_right fst].
  fold (total [] lines) (now lines). rewrite IH. cbn [worth allowed gain]. rewrite Z.add_0_r. reflexivity.
Qed.
Lemma sane_skip lines : Forall sane lines -> Forall sane (map skip lines).
Proof.
  induction 1 as [|[[s r] l] lines S _ IH]; cbn [map]; constructor; [|exact IH].
  red in S. subst r. destruct l as [|[e b] l]; cbn [skip sane positives]; [reflexivity|lia].
Qed.
Lemma sane_take lines : Forall sane lines -> Forall sane (flat_map take lines).
Proof.
  induction 1 as [|[[s r] l] lines S _ IH]; cbn [flat_map]; [constructor|]. apply Forall_app. split; [|exact IH].
  red in S. subst r. destruct l as [|[e [|]] l]; cbn [take]; constructor; [|constructor]. cbn [sane positives]. lia.
Qed.
Lemma total_skip t lines : total (false :: t) lines = total t (map skip lines).
Proof.
  induction lines as [|[[s r] l] lines IH]; [reflexivity|]. unfold total. cbn [map fold_right].
  fold (total (false :: t) lines) (total t (map skip lines)). rewrite IH. f_equal.
  destruct l as [|[e b] l]; cbn [skip worth allowed gain negb andb]; [|reflexivity].
  destruct t; reflexivity.
Qed.
Lemma total_take t lines : total (true :: t) lines = total t (flat_map take lines).
Proof.
  induction lines as [|[[s r] l] lines IH]; [reflexivity|]. cbn [flat_map]. unfold total. rewrite fold_right_app.
  cbn [fold_right]. fold (total (true :: t) lines) (total t (flat_map take lines)). rewrite IH.
  destruct l as [|[e [|]] l]; cbn [take worth allowed gain negb andb fold_right]; try reflexivity.
  rewrite Z.add_assoc. reflexivity.
Qed.

Theorem heaviest_spec : forall n lines best t, length t = n -> Forall sane lines ->
  best <= heaviest n lines best /\ total t lines <= heaviest n lines best.
Proof.
  induction n as [|n IH]; intros lines best t L S; cbn [heaviest].
  - destruct t; [|discriminate]. rewrite total_now. lia.
  - pose proof (total_still t lines S) as B. destruct (Z.leb_spec (still lines) (Z.max best (now lines))); [lia|].
    destruct t as [|b t]; [discriminate|]. injection L as L.
    destruct (IH (flat_map take lines) (Z.max best (now lines)) t L (sane_take lines S)) as [T1 T2].
    destruct (IH (map skip lines) (heaviest n (flat_map take lines) (Z.max best (now lines))) t L (sane_skip lines S))
      as [S1 S2].
    split; [lia|]. destruct b; [rewrite total_take|rewrite total_skip]; lia.
Qed.

(* ---- sums of integers ---- *)

Lemma integer_sum_ext n g h : (forall i, (i < n)%nat -> g i = h i) -> integer_sum n g = integer_sum n h.
Proof.
  induction n as [|n IH]; intros E; cbn; [reflexivity|]. rewrite IH, (E n) by (intros; try apply E; lia). reflexivity.
Qed.
Lemma integer_sum_le n g h : (forall i, (i < n)%nat -> g i <= h i) -> integer_sum n g <= integer_sum n h.
Proof.
  induction n as [|n IH]; intros E; cbn; [reflexivity|]. specialize (E n ltac:(lia)) as En.
  assert (integer_sum n g <= integer_sum n h) by (apply IH; intros; apply E; lia). lia.
Qed.
Lemma integer_sum_zero n : integer_sum n (fun _ => 0) = 0.
Proof. induction n as [|n IH]; cbn; lia. Qed.
Lemma integer_sum_plus n g h : integer_sum n (fun i => g i + h i) = integer_sum n g + integer_sum n h.
Proof. induction n as [|n IH]; cbn; lia. Qed.
Lemma integer_sum_scale n c g : integer_sum n (fun i => c * g i) = c * integer_sum n g.
Proof. induction n as [|n IH]; cbn; lia. Qed.
Lemma integer_sum_swap n m (g : nat -> nat -> Z) :
  integer_sum n (fun i => integer_sum m (g i)) = integer_sum m (fun j => integer_sum n (fun i => g i j)).
Proof.
  induction n as [|n IH]; cbn; [symmetry; apply integer_sum_zero|]. rewrite IH, integer_sum_plus. reflexivity.
Qed.
Lemma integer_sum_Q n g : (inject_Z (integer_sum n g) == sum n (fun i => inject_Z (g i)))%Q.
Proof. induction n as [|n IH]; cbn; [reflexivity|]. rewrite inject_Z_plus, IH. reflexivity. Qed.
Lemma integer_sum_list (g : nat -> Z) n : integer_sum n g = fold_right Z.add 0 (map g (seq 0 n)).
Proof.
  assert (forall l a, fold_right Z.add a l = fold_right Z.add 0 l + a) as F.
  { induction l as [|b l IH]; intros a; cbn; [lia|]. rewrite IH. lia. }
  induction n as [|n IH]; [reflexivity|].
  rewrite seq_S, map_app, fold_right_app. cbn [map fold_right integer_sum Nat.add]. rewrite F, IH. lia.
Qed.

(* ---- rectangles, whose lines are chosen on both sides ---- *)

Definition inside_weight n m (W : nat -> nat -> Z) (r : rectangle) : Z :=
  integer_sum n (fun x => integer_sum m (fun y => if holds r x y then W x y else 0)).
Definition line_over n (W : nat -> nat -> Z) (barred : nat -> nat -> bool) y : line :=
  start (map (fun x => (W x y, barred x y)) (seq 0 n)).
(* the shorter side is the one whose lines are taken *)
Definition heaviest_of n m (W : nat -> nat -> Z) (barred : nat -> nat -> bool) : Z :=
  if (n <=? m)%nat then heaviest n (map (line_over n W barred) (seq 0 m)) 0
  else heaviest m (map (line_over m (fun y x => W x y) (fun y x => barred x y)) (seq 0 n)) 0.

Lemma gain_line (s : nat -> bool) (g : nat -> Z * bool) : forall l,
  gain (map s l) (map g l) = fold_right Z.add 0 (map (fun x => if s x then fst (g x) else 0) l).
Proof. induction l as [|x l IH]; [reflexivity|]. cbn. destruct (g x). cbn. rewrite IH. reflexivity. Qed.
Lemma allowed_line (s : nat -> bool) (g : nat -> Z * bool) : forall l,
  (forall x, In x l -> s x = true -> snd (g x) = false) -> allowed (map s l) (map g l) = true.
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|]. cbn. destruct (g x) as [e b] eqn:G.
  rewrite IH by (intros y I; apply H; right; exact I). rewrite andb_true_r.
  destruct (s x) eqn:S; [|reflexivity]. specialize (H x (in_eq _ _) S). rewrite G in H. cbn in *. rewrite H. reflexivity.
Qed.
Lemma total_at_least t (chosen : nat -> bool) (g : nat -> line) (a : nat -> Z) : forall l,
  (forall y, In y l -> chosen y = true -> a y <= worth t (g y)) ->
  fold_right Z.add 0 (map (fun y => if chosen y then a y else 0) l) <= total t (map g l).
Proof.
  assert (forall c, 0 <= worth t c) as P.
  { intros [[s r] l]. cbn. destruct (allowed t l); unfold positive; lia. }
  induction l as [|y l IH]; intros H; [reflexivity|]. unfold total. cbn [map fold_right]. fold (total t (map g l)).
  specialize (IH (fun z I => H z (in_cons _ _ _ I))). specialize (P (g y)). specialize (H y (in_eq _ _)).
  destruct (chosen y); [specialize (H eq_refl)|]; lia.
Qed.

Lemma heaviest_side n m W barred (r : rectangle) :
  (forall x y, (x < n)%nat -> (y < m)%nat -> holds r x y = true -> barred x y = false) ->
  inside_weight n m W r <= heaviest n (map (line_over n W barred) (seq 0 m)) 0.
Proof.
  intros B. set (t := map (fst r) (seq 0 n)).
  assert (Forall sane (map (line_over n W barred) (seq 0 m))) as S.
  { apply Forall_forall. intros c I. apply in_map_iff in I as [y [<- _]]. reflexivity. }
  destruct (heaviest_spec n _ 0 t ltac:(unfold t; rewrite map_length, seq_length; reflexivity) S) as [_ T].
  refine (Z.le_trans _ _ _ _ T). unfold inside_weight. rewrite integer_sum_swap.
  rewrite integer_sum_list, (map_ext (fun j => integer_sum n (fun i => if holds r i j then W i j else 0))
    (fun y => if snd r y then integer_sum n (fun x => if fst r x then W x y else 0) else 0)).
  - apply total_at_least. intros y I C. apply in_seq in I. unfold line_over, start. cbn [worth].
    unfold t. rewrite gain_line, allowed_line; cbn [fst snd].
    + rewrite integer_sum_list. unfold positive. lia.
    + intros x X F. apply in_seq in X. apply B; [lia|lia|]. unfold holds. rewrite F, C. reflexivity.
  - intros y. destruct (snd r y) eqn:C.
    + apply integer_sum_ext. intros x _. unfold holds. rewrite C, andb_true_r. reflexivity.
    + transitivity (integer_sum n (fun _ => 0)); [|apply integer_sum_zero]. apply integer_sum_ext. intros x _. unfold holds. rewrite C, andb_false_r. reflexivity.
Qed.

Theorem heaviest_of_spec n m W barred (r : rectangle) :
  (forall x y, (x < n)%nat -> (y < m)%nat -> holds r x y = true -> barred x y = false) ->
  inside_weight n m W r <= heaviest_of n m W barred.
Proof.
  intros B. unfold heaviest_of. destruct (n <=? m)%nat; [apply heaviest_side, B|].
  assert (inside_weight n m W r = inside_weight m n (fun y x => W x y) (snd r, fst r)) as ->.
  { unfold inside_weight. rewrite integer_sum_swap. apply integer_sum_ext. intros y _. apply integer_sum_ext. intros x _.
    unfold holds. cbn. rewrite andb_comm. reflexivity. }
  apply heaviest_side. intros y x Y X H. apply B; [exact X|exact Y|]. unfold holds in *. cbn in H.
  rewrite andb_comm. exact H.
Qed.
