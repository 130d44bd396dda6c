(* The least depth, or number of leaves, of protocols for all rectangles of some rows and columns: for one
   number after another, the rectangles that have a protocol.  Sets of lines are lists of truth values, and
   their numbers; for each set of rows, the sets of columns are the bits of a number. *)
From Coq Require Import List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Tables Sorting Inputs FoolingSets.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- sets and their numbers ---- *)

Fixpoint position_of (k : list bool) : nat :=
  match k with [] => 0 | c :: k' => (if c then 2 ^ length k' else 0) + position_of k' end.
Fixpoint all_sets (a : nat) : list (list bool) :=
  match a with O => [[]] | S a' => let r := all_sets a' in map (cons false) r ++ map (cons true) r end.
Fixpoint both (k s : list bool) : list bool :=
  match k, s with c :: k', d :: s' => (c && d) :: both k' s' | _, _ => [] end.

Lemma all_sets_length a : length (all_sets a) = 2 ^ a.
Proof. induction a as [|a IH]; [reflexivity|]. cbn [all_sets]. rewrite app_length, !map_length, IH. cbn. lia. Qed.
Lemma number_below : forall k, position_of k < 2 ^ length k.
Proof. induction k as [|[|] k IH]; cbn [position_of length Nat.pow]; lia. Qed.
Lemma all_sets_at : forall k, nth_error (all_sets (length k)) (position_of k) = Some k.
Proof.
  induction k as [|c k IH]; [reflexivity|]. cbn [length all_sets position_of]. pose proof (number_below k) as B.
  pose proof (all_sets_length (length k)) as L. destruct c.
  - rewrite nth_error_app2 by (rewrite map_length; lia). rewrite map_length, L.
    replace (2 ^ length k + position_of k - 2 ^ length k) with (position_of k) by lia. rewrite nth_error_map, IH. reflexivity.
  - rewrite nth_error_app1 by (rewrite map_length; cbn; lia). cbn [Nat.add]. rewrite nth_error_map, IH. reflexivity.
Qed.
Lemma both_length : forall k s, length s = length k -> length (both k s) = length k.
Proof. induction k as [|c k IH]; intros [|d s] E; try discriminate; [reflexivity|]. cbn. f_equal. apply IH. injection E as E. exact E. Qed.
Lemma both_nth : forall k s i, length s = length k -> nth i (both k s) false = nth i k false && nth i s false.
Proof.
  induction k as [|c k IH]; intros [|d s] [|i] E; try discriminate; try reflexivity. cbn. apply IH. injection E as E. exact E.
Qed.

(* sets that have no line in common with some *)
Fixpoint without_lines (l : list bool) : N :=
  match l with
  | [] => 1
  | b :: l' => let s := without_lines l' in if b then s else N.lor s (N.shiftl s (2 ^ N.of_nat (length l')))
  end.
Lemma without_lines_bit : forall l k, length k = length l ->
  (forall j, nth j k false = true -> nth j l false = false) -> bit (without_lines l) (position_of k) = true.
Proof.
  induction l as [|b l IH]; intros [|c k] E H; try discriminate; [reflexivity|]. injection E as E.
  specialize (IH k E (fun j => H (S j))). cbn [without_lines position_of]. pose proof (H 0) as H0. cbn [nth] in H0. destruct c.
  - rewrite (H0 eq_refl), bit_lor. replace (2 ^ N.of_nat (length l))%N with (N.of_nat (2 ^ length l))
      by (clear; induction (length l) as [|n I]; [reflexivity|]; rewrite Nat2N.inj_succ, N.pow_succ_r', <- I; cbn [Nat.pow]; lia).
    rewrite bit_shiftl, E. destruct (Nat.ltb_spec (2 ^ length l + position_of k) (2 ^ length l)); [lia|].
    replace (2 ^ length l + position_of k - 2 ^ length l) with (position_of k) by lia. rewrite IH. apply orb_true_r.
  - cbn [Nat.add]. destruct b; [exact IH|]. rewrite bit_lor, IH. reflexivity.
Qed.

(* all ways to divide a set in two, by the numbers of the parts; the first line is in the second part *)
Fixpoint divisions (k : list bool) : list (nat * nat) :=
  match k with
  | [] => [(0, 0)]
  | c :: k' => let r := divisions k' in
               if c then let w := 2 ^ length k' in
                         map (fun p => (w + fst p, snd p)) r ++ map (fun p => (fst p, w + snd p)) r
               else r
  end.
Fixpoint halves (k : list bool) : list (nat * nat) :=
  match k with
  | [] => [(0, 0)]
  | c :: k' => if c then let w := 2 ^ length k' in map (fun p => (fst p, w + snd p)) (divisions k') else halves k'
  end.
Lemma divisions_in : forall k s, length s = length k ->
  In (position_of (both k s), position_of (both k (map negb s))) (divisions k).
Proof.
  induction k as [|c k IH]; intros [|d s] E; try discriminate; [left; reflexivity|]. injection E as E. specialize (IH s E).
  cbn [map both position_of divisions]. rewrite !both_length by (rewrite ?map_length; exact E). destruct c; [|exact IH].
  apply in_or_app. destruct d; [left|right]; apply in_map_iff; eexists; (split; [|exact IH]); reflexivity.
Qed.
Lemma halves_in : forall k s, length s = length k ->
  In (position_of (both k s), position_of (both k (map negb s))) (halves k) \/ In (position_of (both k (map negb s)), position_of (both k s)) (halves k).
Proof.
  induction k as [|c k IH]; intros [|d s] E; try discriminate; [left; left; reflexivity|]. injection E as E.
  cbn [map both position_of halves]. rewrite !both_length by (rewrite ?map_length; exact E). destruct c; [|exact (IH s E)].
  pose proof (divisions_in k s E) as P. pose proof (divisions_in k (map negb s) ltac:(rewrite map_length; exact E)) as Q.
  rewrite map_map, (map_ext _ (fun b => b) negb_involutive), map_id in Q.
  destruct d.
  - right. apply in_map_iff. eexists. split; [|exact Q]. reflexivity.
  - left. apply in_map_iff. eexists. split; [|exact P]. reflexivity.
Qed.

(* ---- tables by the numbers of sets ---- *)

Definition look (known : numbered N) (i : nat) : N := match entry known (N.of_nat i) with Some s => s | None => 0%N end.
Definition fill (a : nat) (g : list bool -> N) : list N := map g (all_sets a).
Lemma fill_at g k : nth_error (fill (length k) g) (position_of k) = Some (g k).
Proof. unfold fill. rewrite nth_error_map, all_sets_at. reflexivity. Qed.
Lemma look_at l i a : nth_error l i = Some a -> look (number_all l) i = a.
Proof. intros H. unfold look. rewrite (entry_at _ _ _ H). reflexivity. Qed.
Lemma columns_of_at n l x : x < n -> nth_error (columns_of n l) x = Some (column l x).
Proof.
  intros H. rewrite <- (columns_of_nth n l x H). apply nth_error_nth'. unfold columns_of. rewrite map_length, seq_length. exact H.
Qed.

(* what divisions of a set add *)
Definition added (tables : list (numbered N * numbered N)) (k : list bool) : N :=
  fold_left (fun s p => fold_left (fun s t => N.lor s (N.land (look (fst t) (fst p)) (look (snd t) (snd p)))) tables s) (halves k) 0%N.
Lemma lor_fold {A} (g : A -> N) i : forall l s, bit s i = true \/ (exists a, In a l /\ bit (g a) i = true) ->
  bit (fold_left (fun s a => N.lor s (g a)) l s) i = true.
Proof.
  induction l as [|a l IH]; intros s H; cbn [fold_left]; [destruct H as [H|[b [[] _]]]; exact H|]. apply IH.
  destruct H as [H|[b [[->|I] B]]]; [left; rewrite bit_lor, H; reflexivity|left; rewrite bit_lor, B; apply orb_true_r|].
  right. exists b. auto.
Qed.
Lemma added_bit tables k i p t : In p (halves k) -> In t tables ->
  bit (look (fst t) (fst p)) i = true -> bit (look (snd t) (snd p)) i = true -> bit (added tables k) i = true.
Proof.
  intros P T A B. unfold added. generalize 0%N. induction (halves k) as [|r l IH]; intros s; [destruct P|]. cbn [fold_left].
  assert (forall l s, bit s i = true -> bit (fold_left (fun s p => fold_left (fun s t =>
    N.lor s (N.land (look (fst t) (fst p)) (look (snd t) (snd p)))) tables s) l s) i = true) as Keep.
  { clear. induction l as [|r l IH]; intros s H; cbn [fold_left]; [exact H|]. apply IH.
    apply (lor_fold (fun t => N.land (look (fst t) (fst r)) (look (snd t) (snd r)))). left. exact H. }
  destruct P as [->|P]; [|apply IH, P]. apply Keep.
  apply (lor_fold (fun t => N.land (look (fst t) (fst p)) (look (snd t) (snd p)))). right. exists t. split; [exact T|].
  rewrite bit_land, A, B. reflexivity.
Qed.

(* ---- levels: the rectangles that have a protocol with at most some number ---- *)

Definition level := (numbered N * numbered N)%type.          (* by the set of rows, and by that of columns *)
Definition level_of (b : nat) (rows : list N) : level := (number_all rows, number_all (columns_of (2 ^ b) rows)).
Definition lor_all (l k : list N) : list N := map (fun p => N.lor (fst p) (snd p)) (combine l k).
Definition next_level (a b : nat) (last : level) (known : list (level * level)) : level :=
  let rows := fill a (fun k => N.lor (look (fst last) (position_of k)) (added (map (fun p => (fst (fst p), fst (snd p))) known) k)) in
  let columns := fill b (fun k => added (map (fun p => (snd (fst p), snd (snd p))) known) k) in
  level_of b (lor_all rows (columns_of (2 ^ a) columns)).

Fixpoint any_line (m : nat) (k : list bool) (lines : list (list bool)) : list bool :=
  match k, lines with
  | c :: k', l :: lines' => let r := any_line m k' lines' in
                            if c then map (fun p => fst p || snd p) (combine l r) else r
  | _, _ => repeat false m
  end.
Definition first_level (f : problem) (xs ys : list nat) : level :=
  let lines b := map (fun x => map (fun y => is_value b (f x y)) ys) xs in
  let ones := lines true in
  let zeros := lines false in
  let m := length ys in
  level_of m (fill (length xs) (fun k =>
    N.lor (without_lines (any_line m k ones)) (without_lines (any_line m k zeros)))).

Lemma any_line_length m : forall k lines, (forall l, In l lines -> length l = m) -> length (any_line m k lines) = m.
Proof.
  induction k as [|c k IH]; intros [|l lines] H; cbn [any_line]; try apply repeat_length.
  specialize (IH lines (fun r I => H r (in_cons _ _ _ I))). destruct c; [|exact IH].
  rewrite map_length, combine_length, IH, (H l (in_eq _ _)). lia.
Qed.
Lemma any_line_nth m : forall k lines j, (forall l, In l lines -> length l = m) -> nth j (any_line m k lines) false = true ->
  exists i, i < length lines /\ nth i k false = true /\ nth j (nth i lines []) false = true.
Proof.
  assert (forall m j, nth j (repeat false m) false = true -> False) as R.
  { clear. induction m as [|m IH]; intros [|j] H; cbn in H; try discriminate. apply (IH j H). }
  induction k as [|c k IH]; intros [|l lines] j H N; cbn [any_line] in N; try (destruct (R m j N)).
  specialize (IH lines j (fun r I => H r (in_cons _ _ _ I))).
  assert (nth j (any_line m k lines) false = true -> exists i, i < length (l :: lines) /\ nth i (c :: k) false = true
    /\ nth j (nth i (l :: lines) []) false = true) as Later.
  { intros K. destruct (IH K) as [i [I [A B]]]. exists (S i). cbn. repeat split; [lia|exact A|exact B]. }
  destruct c; [|apply Later, N].
  assert (length l = length (any_line m k lines)) as L.
  { rewrite (H l (in_eq _ _)), any_line_length; [reflexivity|]. intros r I. apply H. right. exact I. }
  change false with ((fun p : bool * bool => fst p || snd p) (false, false)) in N. rewrite map_nth, combine_nth in N by exact L.
  cbn [fst snd] in N. apply orb_prop in N as [N|N]; [|apply Later, N]. exists 0. cbn. repeat split; [lia|exact N].
Qed.

Section Search.
Variables (f : problem) (xs ys : list nat).
Variables (size : two_way -> nat) (alone : nat) (pairs : nat -> list (nat * nat)).
Hypothesis size_answer : forall b, size (Answer b) = alone.
Hypothesis size_pairs : forall s l r k, size (AliceSends s l r) <= k \/ size (BobSends s l r) <= k ->
  exists u w, In (u, w) (pairs k) /\ In (w, u) (pairs k) /\ size l <= u < k /\ size r <= w < k /\ alone <= u /\ alone <= w.

Definition works t (S T : list bool) := forall i j c, nth i S false = true -> nth j T false = true ->
  i < length xs -> j < length ys -> f (nth i xs O) (nth j ys O) = Some c -> output t (nth i xs O) (nth j ys O) = c.
Definition complete_level (v : nat) (L : level) := forall t S T, length S = length xs -> length T = length ys ->
  size t <= v -> works t S T ->
  bit (look (fst L) (position_of S)) (position_of T) = true /\ bit (look (snd L) (position_of T)) (position_of S) = true.

Lemma level_of_bits rows S T : length T = length ys -> (exists r, nth_error rows (position_of S) = Some r /\ bit r (position_of T) = true) ->
  let L := level_of (length ys) rows in
  bit (look (fst L) (position_of S)) (position_of T) = true /\ bit (look (snd L) (position_of T)) (position_of S) = true.
Proof.
  intros Lt [r [E B]]. cbn [level_of fst snd]. rewrite (look_at _ _ _ E). split; [exact B|].
  rewrite (look_at _ _ (column rows (position_of T))); [|apply columns_of_at; rewrite <- Lt; apply number_below].
  rewrite column_bit, (nth_error_nth _ _ 0%N E). exact B.
Qed.

Lemma answer_first b S T : length S = length xs -> length T = length ys -> works (Answer b) S T ->
  bit (look (fst (first_level f xs ys)) (position_of S)) (position_of T) = true
  /\ bit (look (snd (first_level f xs ys)) (position_of T)) (position_of S) = true.
Proof.
  intros Ls Lt W. unfold first_level. apply level_of_bits; [exact Lt|]. eexists. split; [rewrite <- Ls; apply fill_at|].
  rewrite bit_lor.
  assert (forall c, c <> b -> bit (without_lines (any_line (length ys) S (map (fun x => map (fun y => is_value c (f x y)) ys) xs)))
    (position_of T) = true) as K.
  { intros c N. assert (forall l, In l (map (fun x => map (fun y => is_value c (f x y)) ys) xs) -> length l = length ys) as Ll.
    { intros l I. apply in_map_iff in I as [x [<- _]]. apply map_length. }
    apply without_lines_bit; [rewrite any_line_length by exact Ll; exact Lt|]. intros j J.
    destruct (nth j (any_line _ _ _) false) eqn:E; [exfalso|reflexivity].
    destruct (any_line_nth _ _ _ _ Ll E) as [i [I [Si V]]]. rewrite map_length in I.
    rewrite (nth_indep _ [] ((fun x => map (fun y => is_value c (f x y)) ys) O)) in V by (rewrite map_length; exact I).
    rewrite (map_nth (fun x => map (fun y => is_value c (f x y)) ys)) in V.
    destruct (Nat.lt_ge_cases j (length ys)) as [Jl|Jl];
      [|rewrite nth_overflow in V by (rewrite map_length; exact Jl); discriminate].
    rewrite (nth_indep _ false ((fun y => is_value c (f (nth i xs O) y)) O)) in V by (rewrite map_length; exact Jl).
    rewrite (map_nth (fun y => is_value c (f (nth i xs O) y))) in V. apply is_value_spec in V.
    apply N. symmetry. exact (W i j c Si J I Jl V). }
  destruct b; [rewrite (K false ltac:(discriminate)); apply orb_true_r|rewrite (K true ltac:(discriminate)); reflexivity].
Qed.

Lemma map_nth_in (s : nat -> bool) l i : i < length l -> nth i (map s l) false = s (nth i l O).
Proof. intros H. rewrite (nth_indep _ false (s O)) by (rewrite map_length; exact H). apply map_nth. Qed.

Lemma alice_parts s l r S T : length S = length xs -> works (AliceSends s l r) S T ->
  works r (both S (map s xs)) T /\ works l (both S (map negb (map s xs))) T.
Proof.
  intros L W. split; intros i j c I J X Y E; rewrite both_nth in I by (rewrite !map_length; auto); apply andb_prop in I as [I K].
  - rewrite map_nth_in in K by exact X. specialize (W i j c I J X Y E). cbn [output] in W. rewrite K in W. exact W.
  - rewrite map_map, map_nth_in with (s := fun x => negb (s x)) in K by exact X. apply negb_true_iff in K.
    specialize (W i j c I J X Y E). cbn [output] in W. rewrite K in W. exact W.
Qed.
Lemma bob_parts s l r S T : length T = length ys -> works (BobSends s l r) S T ->
  works r S (both T (map s ys)) /\ works l S (both T (map negb (map s ys))).
Proof.
  intros L W. split; intros i j c I J X Y E; rewrite both_nth in J by (rewrite !map_length; auto); apply andb_prop in J as [J K].
  - rewrite map_nth_in in K by exact Y. specialize (W i j c I J X Y E). cbn [output] in W. rewrite K in W. exact W.
  - rewrite map_map, map_nth_in with (s := fun x => negb (s x)) in K by exact Y. apply negb_true_iff in K.
    specialize (W i j c I J X Y E). cbn [output] in W. rewrite K in W. exact W.
Qed.

Lemma next_complete v last (known : list (level * level)) : alone <= v -> complete_level v last ->
  (forall u w, In (u, w) (pairs (S v)) -> u <= v -> w <= v -> alone <= u -> alone <= w ->
    exists A B, In (A, B) known /\ complete_level u A /\ complete_level w B) ->
  complete_level (S v) (next_level (length xs) (length ys) last known).
Proof.
  intros Av Last Known t S T Ls Lt Z W. unfold next_level. apply level_of_bits; [exact Lt|].
  set (rows := fill (length xs) _). set (columns := fill (length ys) _).
  assert (exists r c, nth_error rows (position_of S) = Some r /\ nth_error (columns_of (2 ^ length xs) columns) (position_of S) = Some c
    /\ (bit r (position_of T) = true \/ bit c (position_of T) = true)) as [r [c [R [C B]]]].
  { exists (N.lor (look (fst last) (position_of S)) (added (map (fun p => (fst (fst p), fst (snd p))) known) S)), (column columns (position_of S)).
    split; [unfold rows; rewrite <- Ls; apply (fill_at (fun k => N.lor (look (fst last) (position_of k)) (added (map (fun p => (fst (fst p), fst (snd p))) known) k)))|].
    split; [apply columns_of_at; rewrite <- Ls; apply number_below|].
    destruct (Nat.le_gt_cases (size t) v) as [Small|Large].
    - left. rewrite bit_lor. destruct (Last t S T Ls Lt Small W) as [K _]. rewrite K. reflexivity.
    - destruct t as [b|s l r|s l r].
      + left. rewrite bit_lor.
        destruct (Last (Answer b) S T Ls Lt) as [K _]; [|exact W|rewrite K; reflexivity].
        rewrite size_answer in *. lia.
      + left. destruct (size_pairs s l r _ (or_introl Z)) as [u [w [P [Q [Hu [Hw [Au Aw]]]]]]].
        destruct (alice_parts s l r S T Ls W) as [Wr Wl].
        rewrite bit_lor. apply orb_true_iff. right.
        assert (length (both S (map s xs)) = length xs) as L1 by (rewrite both_length; rewrite ?map_length; auto).
        assert (length (both S (map negb (map s xs))) = length xs) as L2 by (rewrite both_length; rewrite ?map_length; auto).
        destruct (halves_in S (map s xs) ltac:(rewrite map_length; auto)) as [H|H].
        * destruct (Known w u Q ltac:(lia) ltac:(lia) Aw Au) as [A [B [I [CA CB]]]].
          apply (added_bit _ _ _ _ (fst A, fst B) H); cbn [fst snd].
          -- apply in_map_iff. exists (A, B). auto.
          -- apply (CA r _ T L1 Lt ltac:(lia) Wr).
          -- apply (CB l _ T L2 Lt ltac:(lia) Wl).
        * destruct (Known u w P ltac:(lia) ltac:(lia) Au Aw) as [A [B [I [CA CB]]]].
          apply (added_bit _ _ _ _ (fst A, fst B) H); cbn [fst snd].
          -- apply in_map_iff. exists (A, B). auto.
          -- apply (CA l _ T L2 Lt ltac:(lia) Wl).
          -- apply (CB r _ T L1 Lt ltac:(lia) Wr).
      + right. destruct (size_pairs s l r _ (or_intror Z)) as [u [w [P [Q [Hu [Hw [Au Aw]]]]]]].
        destruct (bob_parts s l r S T Lt W) as [Wr Wl].
        rewrite column_bit.
        assert (nth_error columns (position_of T) = Some (added (map (fun p => (snd (fst p), snd (snd p))) known) T)) as Ct.
        { unfold columns. rewrite <- Lt. apply (fill_at (fun k => added (map (fun p => (snd (fst p), snd (snd p))) known) k)). }
        rewrite (nth_error_nth _ _ 0%N Ct).
        assert (length (both T (map s ys)) = length ys) as L1 by (rewrite both_length; rewrite ?map_length; auto).
        assert (length (both T (map negb (map s ys))) = length ys) as L2 by (rewrite both_length; rewrite ?map_length; auto).
        destruct (halves_in T (map s ys) ltac:(rewrite map_length; auto)) as [H|H].
        * destruct (Known w u Q ltac:(lia) ltac:(lia) Aw Au) as [A [B [I [CA CB]]]].
          apply (added_bit _ _ _ _ (snd A, snd B) H); cbn [fst snd].
          -- apply in_map_iff. exists (A, B). auto.
          -- apply (CA r S _ Ls L1 ltac:(lia) Wr).
          -- apply (CB l S _ Ls L2 ltac:(lia) Wl).
        * destruct (Known u w P ltac:(lia) ltac:(lia) Au Aw) as [A [B [I [CA CB]]]].
          apply (added_bit _ _ _ _ (snd A, snd B) H); cbn [fst snd].
          -- apply in_map_iff. exists (A, B). auto.
          -- apply (CA l S _ Ls L2 ltac:(lia) Wl).
          -- apply (CB r S _ Ls L1 ltac:(lia) Wr). }
  exists (N.lor r c). split.
  - unfold lor_all. rewrite nth_error_map.
    assert (forall (l k : list N) i, nth_error l i = Some r -> nth_error k i = Some c -> nth_error (combine l k) i = Some (r, c)) as Co.
    { clear. induction l as [|a l IH]; intros [|b k] [|i] A B; try discriminate; cbn in *; [congruence|apply IH; assumption]. }
    rewrite (Co _ _ _ R C). reflexivity.
  - rewrite bit_lor. apply orb_true_iff. exact B.
Qed.

(* ---- one number after another, until all lines together have a protocol ---- *)

Definition known_pairs (levels : list level) (k : nat) : list (level * level) :=
  flat_map (fun p => match nth_error levels (fst p - alone), nth_error levels (snd p - alone) with
                     | Some A, Some B => [(A, B)]
                     | _, _ => []
                     end) (pairs k).
Definition is_done (last : level) : bool :=
  bit (look (fst last) (position_of (map (fun _ => true) xs))) (position_of (map (fun _ => true) ys)).
Fixpoint search (fuel : nat) (levels : list level) (last : level) (k : nat) : option nat :=
  if is_done last then Some k else
  match fuel with
  | O => None
  | S fuel' => let new := next_level (length xs) (length ys) last (known_pairs levels (S k)) in
               search fuel' (levels ++ [new]) new (S k)
  end.

Definition all_complete (levels : list level) := forall i L, nth_error levels i = Some L -> complete_level (alone + i) L.

Lemma search_sound (smallest : forall t, alone <= size t) : forall fuel levels last k v, alone <= k -> length levels = S (k - alone) ->
  nth_error levels (k - alone) = Some last -> all_complete levels ->
  (forall t, works t (map (fun _ => true) xs) (map (fun _ => true) ys) -> k <= size t) ->
  search fuel levels last k = Some v ->
  forall t, works t (map (fun _ => true) xs) (map (fun _ => true) ys) -> v <= size t.
Proof.
  induction fuel as [|fuel IH]; intros levels last k v A L N C Least H; cbn [search] in H;
    destruct (is_done last) eqn:D; try discriminate; try (injection H as <-; exact Least).
  pose proof (C _ _ N) as Last. replace (alone + (k - alone)) with k in Last by lia.
  refine (IH _ _ _ _ _ _ _ _ _ H).
  - lia.
  - rewrite app_length, L. cbn [length]. lia.
  - rewrite nth_error_app2 by lia. replace (S k - alone - length levels) with 0 by lia. reflexivity.
  - intros i M E. destruct (Nat.lt_ge_cases i (length levels)) as [I|I].
    + rewrite nth_error_app1 in E by exact I. exact (C i M E).
    + rewrite nth_error_app2 in E by exact I. destruct (i - length levels) as [|j] eqn:J; [|destruct j; discriminate E].
      injection E as <-. replace (alone + i) with (S k) by lia. apply next_complete; [exact A|exact Last|].
      intros u w P U W Au Aw.
      destruct (nth_error levels (u - alone)) as [X|] eqn:EX; [|apply nth_error_None in EX; lia].
      destruct (nth_error levels (w - alone)) as [Y|] eqn:EY; [|apply nth_error_None in EY; lia].
      exists X, Y. split; [|split].
      * unfold known_pairs. apply in_flat_map. exists (u, w). split; [exact P|]. cbn [fst snd]. rewrite EX, EY. left. reflexivity.
      * replace u with (alone + (u - alone)) by lia. exact (C _ _ EX).
      * replace w with (alone + (w - alone)) by lia. exact (C _ _ EY).
  - intros t W. specialize (Least t W). destruct (Nat.eq_dec k (size t)) as [E|]; [exfalso|lia].
    destruct (Last t _ _ (map_length _ xs) (map_length _ ys) ltac:(lia) W) as [K _]. unfold is_done in D. congruence.
Qed.

Definition least_size (fuel : nat) : option nat := search fuel [first_level f xs ys] (first_level f xs ys) alone.
Lemma starts_complete : all_complete [first_level f xs ys].
Proof.
  intros i L E. destruct i as [|i]; [|destruct i; discriminate E]. injection E as <-. rewrite Nat.add_0_r.
  intros t S T Ls Lt Z W. destruct t as [b|s l r|s l r].
  - apply (answer_first b); assumption.
  - exfalso. destruct (size_pairs s l r _ (or_introl Z)) as [u [w [_ [_ [Hu [_ [Au _]]]]]]]. lia.
  - exfalso. destruct (size_pairs s l r _ (or_intror Z)) as [u [w [_ [_ [Hu [_ [Au _]]]]]]]. lia.
Qed.
Theorem least_size_sound fuel v t : (forall t, alone <= size t) -> least_size fuel = Some v ->
  works t (map (fun _ => true) xs) (map (fun _ => true) ys) -> v <= size t.
Proof.
  intros Small H W.
  assert (length [first_level f xs ys] = S (alone - alone)) as L by (rewrite Nat.sub_diag; reflexivity).
  assert (nth_error [first_level f xs ys] (alone - alone) = Some (first_level f xs ys)) as N by (rewrite Nat.sub_diag; reflexivity).
  exact (search_sound Small fuel _ _ _ _ (le_n _) L N starts_complete (fun r _ => Small r) H t W).
Qed.
End Search.
