(* Inputs of a power of a matrix as lists of inputs of the matrix, and what moves them: symmetries of one
   coordinate, and exchanges of neighbouring coordinates. *)
From Coq Require Import List Arith NArith ZArith QArith Lia Bool Permutation.
From CCSim Require Import Definitions Sums Mixture OneWay RandomClasses Moves Inputs.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- numbers and their digits, the last one first ---- *)

Fixpoint parts (n k x : nat) : list nat := match k with O => [] | S k' => x mod n :: parts n k' (x / n) end.
Fixpoint number_from (n : nat) (l : list nat) : nat := match l with [] => 0 | d :: l' => d + n * number_from n l' end.
Notation within n := (Forall (fun d => d < n)).

Section Digits.
Variable n : nat.
Hypothesis N0 : 0 < n.

Lemma parts_length k : forall x, length (parts n k x) = k.
Proof. induction k as [|k IH]; intros x; cbn; [reflexivity|rewrite IH; reflexivity]. Qed.
Lemma parts_within k : forall x, within n (parts n k x).
Proof. induction k as [|k IH]; intros x; cbn; constructor; [apply Nat.mod_upper_bound; lia|apply IH]. Qed.
Lemma number_parts k : forall x, x < n ^ k -> number_from n (parts n k x) = x.
Proof.
  induction k as [|k IH]; intros x H; cbn [parts number_from]; [cbn in H; lia|].
  rewrite IH; [pose proof (Nat.div_mod x n); lia|]. apply Nat.div_lt_upper_bound; [lia|]. cbn in H. exact H.
Qed.
Lemma parts_number : forall l, within n l -> parts n (length l) (number_from n l) = l.
Proof.
  induction l as [|d l IH]; intros H; [reflexivity|]. inversion H as [|? ? D L]; subst. cbn [length parts number_from].
  replace (d + n * number_from n l) with (number_from n l * n + d) by lia.
  rewrite Nat.div_add_l by lia. rewrite (Nat.div_small d n D), Nat.add_0_r, IH by exact L. f_equal.
  rewrite Nat.add_comm, Nat.mod_add by lia. apply Nat.mod_small, D.
Qed.
Lemma parts_of l k : within n l -> length l = k -> parts n k (number_from n l) = l.
Proof. intros H <-. apply parts_number, H. Qed.
Lemma number_below : forall l, within n l -> number_from n l < n ^ length l.
Proof.
  induction l as [|d l IH]; intros H; [cbn; lia|]. inversion H as [|? ? D L]; subst. specialize (IH L).
  cbn [length number_from Nat.pow]. nia.
Qed.
End Digits.

(* ---- what holds of the coordinates ---- *)

Section Cells.
Variables (n m : nat) (V : nat -> nat -> bool) (C : nat -> nat -> N).

Notation cells l l' := (combine l l').
Definition all_hold (zs : list (nat * nat)) : bool := forallb (fun z => V (fst z) (snd z)) zs.
Definition sum_of_codes (zs : list (nat * nat)) : N := fold_right (fun z s => (C (fst z) (snd z) + s)%N) 0%N zs.
Definition label_of (zs : list (nat * nat)) : N := if all_hold zs then N.succ (sum_of_codes zs) else 0%N.

(* maps of lists of rows and of lists of columns that keep the labels *)
Record good (p q : list nat -> list nat) : Prop := Good {
  good_rows : forall l, within n l -> within n (p l) /\ length (p l) = length l;
  good_columns : forall l, within m l -> within m (q l) /\ length (q l) = length l;
  good_rows_once : forall l r, p l = p r -> within n l -> within n r -> l = r;
  good_columns_once : forall l r, q l = q r -> within m l -> within m r -> l = r;
  good_labels : forall l r, within n l -> within m r -> length l = length r ->
    all_hold (cells (p l) (q r)) = all_hold (cells l r) /\
    (all_hold (cells l r) = true -> sum_of_codes (cells (p l) (q r)) = sum_of_codes (cells l r))
}.

Definition later (p : list nat -> list nat) (l : list nat) : list nat := match l with [] => [] | d :: t => d :: p t end.
Lemma good_later p q : good p q -> good (later p) (later q).
Proof.
  intros [R Co R1 C1 G]. split.
  - intros [|d l] H; [split; [constructor|reflexivity]|]. inversion H as [|? ? D L]; subst. destruct (R l L) as [A B].
    split; [constructor; assumption|cbn; lia].
  - intros [|d l] H; [split; [constructor|reflexivity]|]. inversion H as [|? ? D L]; subst. destruct (Co l L) as [A B].
    split; [constructor; assumption|cbn; lia].
  - intros [|d l] [|e r] E H H'; try discriminate; [reflexivity|]. inversion H; inversion H'; subst.
    injection E as -> E. f_equal. apply R1; assumption.
  - intros [|d l] [|e r] E H H'; try discriminate; [reflexivity|]. inversion H; inversion H'; subst.
    injection E as -> E. f_equal. apply C1; assumption.
  - intros [|d l] [|e r] H H' E; try discriminate; [split; reflexivity|]. inversion H; inversion H'; subst.
    injection E as E. destruct (G l r) as [A B]; try assumption.
    unfold all_hold, sum_of_codes in *. cbn [later combine forallb fold_right fst snd].
    rewrite A. split; [reflexivity|]. intros T. apply andb_prop in T as [_ T]. rewrite (B T). reflexivity.
Qed.

(* a permutation of rows and one of columns that keep values and codes, at the first coordinate *)
Definition at_first (s : list nat) (l : list nat) : list nat := match l with [] => [] | d :: t => goes s d :: t end.
Lemma good_first s t : Permutation (seq 0 n) s -> Permutation (seq 0 m) t ->
  (forall x y, x < n -> y < m -> V (goes s x) (goes t y) = V x y) ->
  (forall x y, x < n -> y < m -> V x y = true -> C (goes s x) (goes t y) = C x y) -> good (at_first s) (at_first t).
Proof.
  intros S T KV KC.
  assert (forall k p, Permutation (seq 0 k) p -> (forall x, x < k -> goes p x < k) /\
    forall x y, x < k -> y < k -> goes p x = goes p y -> x = y) as B.
  { intros k p P. destruct (permutation_of k p P) as [L [D R]]. split; [exact R|]. intros x y X Y E.
    apply (proj1 (NoDup_nth p O) D); lia || exact E. }
  destruct (B n s S) as [SB S1], (B m t T) as [TB T1]. split.
  - intros [|d l] H; [split; [constructor|reflexivity]|]. inversion H; subst. split; [constructor; auto|reflexivity].
  - intros [|d l] H; [split; [constructor|reflexivity]|]. inversion H; subst. split; [constructor; auto|reflexivity].
  - intros [|d l] [|e r] E H H'; try discriminate; [reflexivity|]. inversion H; inversion H'; subst.
    injection E as E ->. f_equal. apply S1; assumption.
  - intros [|d l] [|e r] E H H'; try discriminate; [reflexivity|]. inversion H; inversion H'; subst.
    injection E as E ->. f_equal. apply T1; assumption.
  - intros [|d l] [|e r] H H' E; try discriminate; [split; reflexivity|]. inversion H; inversion H'; subst.
    unfold all_hold, sum_of_codes. cbn [at_first combine forallb fold_right fst snd]. rewrite KV by assumption.
    split; [reflexivity|]. intros A. apply andb_prop in A as [A _]. rewrite KC by assumption. reflexivity.
Qed.

Definition exchange (l : list nat) : list nat := match l with d :: e :: t => e :: d :: t | _ => l end.
Lemma good_exchange : good exchange exchange.
Proof.
  assert (forall k l, within k l -> within k (exchange l) /\ length (exchange l) = length l) as B.
  { intros k [|d [|e l]] H; try (split; [exact H|reflexivity]). inversion H as [|? ? D T]; subst. inversion T; subst.
    split; [repeat constructor; assumption|reflexivity]. }
  assert (forall l r, exchange l = exchange r -> l = r) as I.
  { intros [|d [|e l]] [|d' [|e' r]] E; try discriminate; try exact E. cbn in E. congruence. }
  split; try (intros; apply B; assumption); try (intros; apply I; assumption).
  intros [|d [|e l]] [|d' [|e' r]] H H' E; try discriminate; try (split; reflexivity).
  unfold all_hold, sum_of_codes. cbn [exchange combine forallb fold_right fst snd]. split; [|intros _; lia].
  rewrite !andb_assoc, (andb_comm (V e e')). reflexivity.
Qed.

Fixpoint repeated (i : nat) (p : list nat -> list nat) : list nat -> list nat :=
  match i with O => p | S i' => later (repeated i' p) end.
Lemma good_repeated i p q : good p q -> good (repeated i p) (repeated i q).
Proof. intros G. induction i as [|i IH]; [exact G|apply good_later, IH]. Qed.
Lemma repeated_app p : forall a l, repeated (length a) p (a ++ l) = a ++ p l.
Proof. induction a as [|d a IH]; intros l; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.
Lemma repeated_map {A} (f : A -> nat) p zs t :
  repeated (length zs) p (map f (zs ++ t)) = map f zs ++ p (map f t).
Proof. rewrite map_app, <- (map_length f zs). apply repeated_app. Qed.
End Cells.

(* ---- moves of the power ---- *)

Section Moving.
Variables (n m k : nat) (V : nat -> nat -> bool) (C : nat -> nat -> N).
Hypothesis N0 : 0 < n.
Hypothesis M0 : 0 < m.

Definition cells_of x y : list (nat * nat) := combine (parts n k x) (parts m k y).
Definition power_label x y : N := label_of V C (cells_of x y).
Definition power_value : problem := fun x y => Some (all_hold V (cells_of x y)).

Definition as_move (p q : list nat -> list nat) : pair_of_moves :=
  (map (fun x => number_from n (p (parts n k x))) (seq 0 (n ^ k)),
   map (fun y => number_from m (q (parts m k y))) (seq 0 (m ^ k))).

Lemma is_permutation a p : 0 < a -> (forall l, within a l -> within a (p l) /\ length (p l) = length l) ->
  (forall l r, p l = p r -> within a l -> within a r -> l = r) ->
  Permutation (seq 0 (a ^ k)) (map (fun x => number_from a (p (parts a k x))) (seq 0 (a ^ k))).
Proof.
  intros A B I. apply Permutation_sym, NoDup_Permutation_bis.
  - apply NoDup_image; [|apply seq_NoDup]. intros x y X Y E. apply in_seq in X, Y.
    pose proof (parts_within a A k x) as Wx. pose proof (parts_within a A k y) as Wy.
    destruct (B _ Wx) as [Px Lx], (B _ Wy) as [Py Ly]. rewrite !parts_length in *.
    assert (p (parts a k x) = p (parts a k y)) as E'.
    { rewrite <- (parts_number a A _ Px), <- (parts_number a A _ Py), E, Lx, Ly. reflexivity. }
    apply I in E'; [|assumption|assumption].
    rewrite <- (number_parts a A k x), <- (number_parts a A k y), E' by lia. reflexivity.
  - rewrite map_length. apply le_n.
  - intros z H. apply in_map_iff in H as [x [<- X]]. apply in_seq. destruct (B _ (parts_within a A k x)) as [W L].
    rewrite parts_length in L. pose proof (number_below a A _ W) as Z. rewrite L in Z. lia.
Qed.
Lemma as_move_goes p q x y : x < n ^ k -> y < m ^ k ->
  goes (fst (as_move p q)) x = number_from n (p (parts n k x)) /\
  goes (snd (as_move p q)) y = number_from m (q (parts m k y)).
Proof.
  intros X Y. unfold goes, as_move. cbn [fst snd]. split.
  - apply nth_map_seq with (g := fun x => number_from n (p (parts n k x))), X.
  - apply nth_map_seq with (g := fun y => number_from m (q (parts m k y))), Y.
Qed.
Lemma moved_cells p q x y : good n m V C p q -> x < n ^ k -> y < m ^ k ->
  cells_of (goes (fst (as_move p q)) x) (goes (snd (as_move p q)) y) = combine (p (parts n k x)) (q (parts m k y)).
Proof.
  intros G X Y. destruct (as_move_goes p q x y X Y) as [-> ->]. unfold cells_of.
  destruct (good_rows _ _ _ _ _ _ G _ (parts_within n N0 k x)) as [R Rl].
  destruct (good_columns _ _ _ _ _ _ G _ (parts_within m M0 k y)) as [S Sl]. rewrite parts_length in Rl, Sl.
  rewrite (parts_of n N0 _ k R Rl), (parts_of m M0 _ k S Sl). reflexivity.
Qed.
Notation G := (group (n ^ k) (m ^ k) power_value power_label).
Lemma as_move_in_group p q : good n m V C p q -> In (as_move p q) G.
Proof.
  intros H. pose proof H as [R Co R1 C1 K].
  assert (forall x y, x < n ^ k -> y < m ^ k ->
    all_hold V (combine (p (parts n k x)) (q (parts m k y))) = all_hold V (cells_of x y) /\
    (all_hold V (cells_of x y) = true ->
     sum_of_codes C (combine (p (parts n k x)) (q (parts m k y))) = sum_of_codes C (cells_of x y))) as L.
  { intros x y X Y. apply K; try apply parts_within; try assumption. rewrite !parts_length. reflexivity. }
  apply group_spec. split; [apply is_permutation; assumption|]. split; [apply is_permutation; assumption|]. split.
  - intros y Y. exists false. apply column_moves_spec. intros x X. cbn [turned]. unfold power_value.
    rewrite (moved_cells p q x y H X Y). f_equal. apply (L x y X Y).
  - intros x y X Y. unfold power_label. rewrite (moved_cells p q x y H X Y). destruct (L x y X Y) as [A B].
    unfold label_of. rewrite A. destruct (all_hold V (cells_of x y)); [rewrite B; reflexivity|reflexivity].
Qed.

Variable h : nat -> nat -> Q.
Notation mean l r := (on_images (n ^ k) (m ^ k) power_value power_label h (number_from n l) (number_from m r)).
Definition mean_at_cells (zs : list (nat * nat)) : Q := mean (map fst zs) (map snd zs).

Lemma mean_moved p q l r : good n m V C p q -> within n l -> within m r -> length l = k -> length r = k ->
  (mean (p l) (q r) == mean l r)%Q.
Proof.
  intros H L R Ll Lr. pose proof (number_below n N0 l L) as X. pose proof (number_below m M0 r R) as Y.
  rewrite Ll in X. rewrite Lr in Y.
  rewrite <- (images_alike _ _ _ _ h _ _ _ (as_move_in_group p q H) X Y).
  destruct (as_move_goes p q _ _ X Y) as [-> ->].
  rewrite (parts_of n N0 l k L Ll), (parts_of m M0 r k R Lr). reflexivity.
Qed.

Definition in_range (z : nat * nat) : Prop := fst z < n /\ snd z < m.
Lemma in_range_sides zs : Forall in_range zs -> within n (map fst zs) /\ within m (map snd zs).
Proof. induction 1 as [|z zs [A B] _ [IA IB]]; split; constructor; assumption. Qed.

Lemma mean_exchanged zs a b ys : Forall in_range (zs ++ a :: b :: ys) -> length (zs ++ a :: b :: ys) = k ->
  (mean_at_cells (zs ++ b :: a :: ys) == mean_at_cells (zs ++ a :: b :: ys))%Q.
Proof.
  intros H L. destruct (in_range_sides _ H) as [A B].
  rewrite <- (mean_moved _ _ _ _ (good_repeated n m V C (length zs) _ _ (good_exchange n m V C)) A B)
    by (rewrite map_length; exact L).
  unfold mean_at_cells. rewrite !repeated_map, !map_app. reflexivity.
Qed.
Lemma mean_permuted zs ys : Permutation zs ys -> forall pre, Forall in_range (pre ++ zs) -> length (pre ++ zs) = k ->
  (mean_at_cells (pre ++ zs) == mean_at_cells (pre ++ ys))%Q.
Proof.
  induction 1 as [|a zs ys P IH|a b zs|zs ys ws P IH P' IH']; intros pre H L.
  - reflexivity.
  - specialize (IH (pre ++ [a])). rewrite <- !app_assoc in IH. cbn [app] in IH. apply IH; assumption.
  - symmetry. apply mean_exchanged; assumption.
  - rewrite IH by assumption. apply IH'.
    + apply (Permutation_Forall (Permutation_app_head pre P)), H.
    + rewrite <- L. rewrite !app_length, (Permutation_length P). reflexivity.
Qed.
Lemma mean_replaced s t zs a ys : Permutation (seq 0 n) s -> Permutation (seq 0 m) t ->
  (forall x y, x < n -> y < m -> V (goes s x) (goes t y) = V x y) ->
  (forall x y, x < n -> y < m -> V x y = true -> C (goes s x) (goes t y) = C x y) ->
  Forall in_range (zs ++ a :: ys) -> length (zs ++ a :: ys) = k ->
  (mean_at_cells (zs ++ (goes s (fst a), goes t (snd a)) :: ys) == mean_at_cells (zs ++ a :: ys))%Q.
Proof.
  intros S T KV KC H L. destruct (in_range_sides _ H) as [A B].
  rewrite <- (mean_moved _ _ _ _ (good_repeated n m V C (length zs) _ _ (good_first n m V C s t S T KV KC)) A B)
    by (rewrite map_length; exact L).
  unfold mean_at_cells. rewrite !repeated_map, !map_app. reflexivity.
Qed.

(* from one list of cells to another whose cells are connected to those of the first, one by one *)
Lemma mean_connected (R : nat * nat -> nat * nat -> Prop) :
  (forall a b, R a b -> in_range a -> in_range b -> forall zs ys, Forall in_range (zs ++ a :: ys) ->
     length (zs ++ a :: ys) = k -> (mean_at_cells (zs ++ b :: ys) == mean_at_cells (zs ++ a :: ys))%Q) ->
  forall zs ys, Forall2 R zs ys -> forall pre, Forall in_range (pre ++ zs) -> Forall in_range ys ->
    length (pre ++ zs) = k -> (mean_at_cells (pre ++ ys) == mean_at_cells (pre ++ zs))%Q.
Proof.
  intros Step zs ys F. induction F as [|a b zs ys E F IH]; intros pre H H' L; [reflexivity|].
  inversion H' as [|? ? Hb Hy]; subst.
  pose proof H as Ha. apply Forall_app in Ha as [Hp Ha]. inversion Ha as [|? ? Ra Rz]; subst.
  rewrite <- (Step a b E Ra Hb pre zs H L). specialize (IH (pre ++ [b])). rewrite <- !app_assoc in IH. cbn [app] in IH.
  apply IH; [|exact Hy|].
  - apply Forall_app. split; [exact Hp|constructor; assumption].
  - rewrite <- L. rewrite !app_length. reflexivity.
Qed.
End Moving.
