(* Learners made of learners: all functions as answers, no regard to the order, one example more. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool Permutation Setoid.
From CCSim Require Import Definitions Sums Mixture Representations Draws.
Import ListNotations.
Local Open Scope Q_scope.

Lemma law_nonneg n p i : law n p -> (i < n)%nat -> 0 <= p i.
Proof. intros [P _]. apply P. Qed.
Lemma chance_01 b : 0 <= chance b /\ chance b <= 1.
Proof. destruct b; cbn; lra. Qed.
Lemma law_event n p g : law n p -> (forall i, (i < n)%nat -> 0 <= g i /\ g i <= 1) ->
  0 <= sum n (fun i => p i * g i) /\ sum n (fun i => p i * g i) <= 1.
Proof.
  intros L H. split.
  - apply mean_ge; [exact L|]. intros i Hi. apply H, Hi.
  - apply mean_le; [exact L|]. intros i Hi. apply H, Hi.
Qed.

(* ---- all functions, by number: bit x is the label of point x ---- *)

Fixpoint functions (m : nat) : list (list bool) :=
  match m with O => [[]] | S k => flat_map (fun r => [false :: r; true :: r]) (functions k) end.
Definition function (m i : nat) : concept := of_row (nth i (functions m) []).
Fixpoint code (m : nat) (h : concept) : nat :=
  match m with O => O | S k => ((if h O then 1 else 0) + 2 * code k (fun x => h (S x)))%nat end.

Lemma functions_length m r : In r (functions m) -> length r = m.
Proof.
  revert r. induction m as [|m IH]; cbn; intros r H.
  - destruct H as [<-|[]]. reflexivity.
  - apply in_flat_map in H as [q [Q [<-|[<-|[]]]]]; cbn; rewrite (IH q Q); reflexivity.
Qed.
Lemma nth_pairs (l : list (list bool)) : forall i (b : bool), (i < length l)%nat ->
  nth ((if b then 1 else 0) + 2 * i) (flat_map (fun r => [false :: r; true :: r]) l) [] = b :: nth i l [].
Proof.
  induction l as [|r l IH]; intros i b Hi; cbn in Hi; [lia|]. destruct i as [|i].
  - destruct b; reflexivity.
  - replace ((if b then 1 else 0) + 2 * S i)%nat with (S (S ((if b then 1 else 0) + 2 * i))) by lia.
    cbn [flat_map app nth]. apply IH. lia.
Qed.
Lemma pairs_length (l : list (list bool)) :
  length (flat_map (fun r => [false :: r; true :: r]) l) = (2 * length l)%nat.
Proof. induction l as [|r l IH]; cbn [flat_map app length]; [reflexivity|]. rewrite IH. lia. Qed.
Lemma code_spec : forall m h, (code m h < length (functions m))%nat /\
  nth (code m h) (functions m) [] = map h (seq 0 m).
Proof.
  induction m as [|m IH]; intros h; [cbn; auto|]. destruct (IH (fun x => h (S x))) as [L E].
  cbn [code functions]. rewrite pairs_length. split; [destruct (h O); lia|].
  rewrite nth_pairs by exact L. rewrite E. cbn. rewrite <- seq_shift, map_map. destruct (h O); reflexivity.
Qed.
Lemma function_code m h : same m (function m (code m h)) h.
Proof.
  intros x Hx. unfold function, of_row. destruct (code_spec m h) as [_ ->]. apply nth_map_seq, Hx.
Qed.

Definition is_good m D accuracy h f : bool := Qle_bool (disagreement m D h f) accuracy.
Lemma disagreement_alike n D E h h' f f' : same n h h' -> same n f f' ->
  (forall x, (x < n)%nat -> D x == E x) -> disagreement n D h f == disagreement n E h' f'.
Proof.
  intros H F L. apply sum_ext. intros x Hx. rewrite (H x Hx), (F x Hx), (L x Hx). reflexivity.
Qed.
Lemma is_good_alike n D E a h h' f f' : same n h h' -> same n f f' ->
  (forall x, (x < n)%nat -> D x == E x) -> is_good n D a h f = is_good n E a h' f'.
Proof.
  intros H F L. unfold is_good. rewrite (disagreement_alike n D E h h' f f' H F L). reflexivity.
Qed.
Lemma labelled_alike m n f g l : same m f g -> records m n l -> labelled f l = labelled g l.
Proof.
  intros H [_ B]. apply map_ext_in. intros x Hx. rewrite (H x (B x Hx)). reflexivity.
Qed.
Lemma success_alike m n A a f g D E : same m f g -> (forall x, (x < m)%nat -> D x == E x) ->
  success m n A a f D == success m n A a g E.
Proof.
  intros H L. unfold success. rewrite (drawn_law m D E L). apply drawn_ext. intros l Hl.
  rewrite (labelled_alike m n f g l H Hl). apply sum_ext. intros i Hi.
  fold (is_good m D a (answer A i) f). fold (is_good m E a (answer A i) g).
  rewrite (is_good_alike m D E a (answer A i) (answer A i) f g); [reflexivity|intros x Hx; reflexivity|auto..].
Qed.

(* ---- answers that agree on the points are one ---- *)

Definition merged m (A : learner) : learner := {|
  answers := length (functions m); answer := function m;
  answering S i := sum (answers A) (fun j => answering A S j * chance (Nat.eqb (code m (answer A j)) i))
|}.

Lemma merged_sum m A S (g : nat -> Q) :
  sum (answers (merged m A)) (fun i => answering (merged m A) S i * g i)
  == sum (answers A) (fun j => answering A S j * g (code m (answer A j))).
Proof.
  cbn [merged answers answering].
  rewrite (sum_ext _ _ (fun i => sum (answers A) (fun j => answering A S j *
    (g i * chance (Nat.eqb (code m (answer A j)) i))))).
  - rewrite sum_swap. apply sum_ext. intros j Hj. rewrite sum_scale. rewrite sum_one; [reflexivity|].
    apply code_spec.
  - intros i Hi. rewrite sum_mean_exchange. apply sum_ext. intros j Hj. ring.
Qed.
Lemma merged_learner m n A : is_learner m n A -> is_learner m n (merged m A).
Proof.
  intros L S HS. specialize (L S HS). split.
  - intros i Hi. apply sum_nonneg. intros j Hj. pose proof (law_nonneg _ _ j L Hj).
    destruct (chance_01 (Nat.eqb (code m (answer A j)) i)). nra.
  - rewrite (sum_ext _ _ (fun i => answering (merged m A) S i * 1)) by (intros; ring).
    rewrite merged_sum. destruct L as [_ <-]. apply sum_ext. intros; ring.
Qed.
Lemma merged_private m n A factor delta : is_private m n A factor delta -> is_private m n (merged m A) factor delta.
Proof.
  intros P S T event HS HT N. rewrite !(merged_sum m A _ (fun i => chance (event i))).
  apply (P S T (fun j => event (code m (answer A j)))); assumption.
Qed.
Lemma merged_success m n A a f D : success m n (merged m A) a f D == success m n A a f D.
Proof.
  unfold success. apply drawn_ext. intros l _.
  rewrite (merged_sum m A _ (fun i => chance (Qle_bool (disagreement m D (answer (merged m A) i) f) a))).
  apply sum_ext. intros j Hj. cbn [merged answer].
  fold (is_good m D a (function m (code m (answer A j))) f). fold (is_good m D a (answer A j) f).
  rewrite (is_good_alike m D D a _ (answer A j) f f); [reflexivity|apply function_code|..];
    intros x Hx; reflexivity.
Qed.

(* ---- the mean over all orders of the examples ---- *)

Definition unordered (A : learner) : learner := {|
  answers := answers A; answer := answer A;
  answering S i := / inject_Z (orders_number (length S)) * lsum (fun q => answering A q i) (orders S)
|}.

Lemma orders_number_Q n : 0 < inject_Z (orders_number n).
Proof. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. apply orders_number_pos. Qed.
Lemma unordered_sum A S (g : nat -> Q) :
  sum (answers A) (fun i => answering (unordered A) S i * g i)
  == / inject_Z (orders_number (length S)) * lsum (fun q => sum (answers A) (fun i => answering A q i * g i)) (orders S).
Proof.
  rewrite lsum_sum, <- sum_scale. apply sum_ext. intros i Hi. cbn [unordered answering].
  rewrite <- Qmult_assoc. apply Qmult_comp; [reflexivity|]. rewrite Qmult_comm, <- lsum_scale.
  apply lsum_ext. intros; ring.
Qed.
Lemma unordered_learner m n A : is_learner m n A -> is_learner m n (unordered A).
Proof.
  intros L S HS. cbn [unordered answers]. pose proof (orders_number_Q (length S)) as P.
  assert (forall q, In q (orders S) -> law (answers A) (answering A q)) as Lq.
  { intros q H. apply L, (sample_perm m n S); [apply orders_perm, H|exact HS]. }
  split.
  - intros i Hi. cbn [answering]. apply Qmult_le_0_compat; [apply Qlt_le_weak, Qinv_lt_0_compat, P|].
    setoid_replace 0 with (lsum (fun _ : list example => 0) (orders S)) by (rewrite lsum_const; ring).
    apply lsum_le. intros q H. apply (Lq q H), Hi.
  - rewrite (sum_ext _ _ (fun i => answering (unordered A) S i * 1)) by (intros; ring).
    rewrite unordered_sum. rewrite (lsum_ext _ (fun _ => 1)).
    + rewrite lsum_const, orders_length. generalize dependent (inject_Z (orders_number (length S))).
      intros N P. rewrite Qmult_1_r. rewrite Qmult_comm. apply Qmult_inv_r. lra.
    + intros q H. destruct (Lq q H) as [_ <-]. apply sum_ext. intros; ring.
Qed.
Lemma unordered_perm A S T i : Permutation S T -> answering (unordered A) S i == answering (unordered A) T i.
Proof. intros P. cbn. rewrite (Permutation_length P), (orders_sum S T P). reflexivity. Qed.
Lemma unordered_private m n A factor delta : is_private m n A factor delta -> is_private m n (unordered A) factor delta.
Proof.
  intros P S T event HS HT N. change (answers (unordered A)) with (answers A).
  rewrite !(unordered_sum A _ (fun i => chance (event i))).
  pose proof (orders_number_Q (length S)) as Z. assert (length T = length S) as E.
  { destruct HS as [-> _], HT as [-> _]. reflexivity. }
  rewrite E. destruct (orders_replaced S T N) as [U [s [t [ES [ET H]]]]].
  assert (forall u, In u U -> sample m n (map s u) /\ sample m n (map t u)) as B.
  { intros u Hu. split; [apply (sample_perm m n S)|apply (sample_perm m n T)]; try assumption;
      apply orders_perm; rewrite ?ES, ?ET; apply in_map, Hu. }
  assert (inject_Z (orders_number (length S)) == lsum (fun _ : list nat => 1) U) as EU.
  { rewrite lsum_const, <- orders_length, ES, map_length. ring. }
  rewrite ES, ET, !lsum_map. set (N' := inject_Z (orders_number (length S))) in *. clearbody N'.
  assert (lsum (fun u => sum (answers A) (fun i => answering A (map s u) i * chance (event i))) U
    <= factor * lsum (fun u => sum (answers A) (fun i => answering A (map t u) i * chance (event i))) U + delta * N') as H'.
  { rewrite EU, <- !lsum_scale, <- lsum_plus. apply lsum_le. intros u Hu. destruct (B u Hu) as [B1 B2].
    rewrite Qmult_1_r. apply P; auto. }
  apply (Qmult_le_compat_r _ _ (/ N')) in H'; [|apply Qlt_le_weak, Qinv_lt_0_compat, Z].
  rewrite Qmult_plus_distr_l in H'. setoid_replace (delta * N' * / N') with delta in H' by (field; lra).
  rewrite (Qmult_comm (/ N') (lsum _ _)), (Qmult_comm (/ N') (lsum _ _)), Qmult_assoc. exact H'.
Qed.
Lemma unordered_success m n A a f D : success m n (unordered A) a f D == success m n A a f D.
Proof.
  unfold success. set (g i := chance (Qle_bool (disagreement m D (answer A i) f) a)).
  rewrite (drawn_ext m D n _ (fun l => / inject_Z (orders_number n) *
    lsum (fun q => sum (answers A) (fun i => answering A (labelled f q) i * g i)) (orders l))).
  - rewrite drawn_scale, drawn_orders, Qmult_assoc, (Qmult_comm (/ _)), Qmult_inv_r; [apply Qmult_1_l|].
    pose proof (orders_number_Q n). lra.
  - intros l [Hl _].
    transitivity (sum (answers A) (fun i => answering (unordered A) (labelled f l) i * g i)); [reflexivity|].
    rewrite unordered_sum.
    unfold labelled at 1 2. rewrite map_length, Hl, orders_map, lsum_map. reflexivity.
Qed.

(* ---- an example more, which is not looked at ---- *)

Definition one_more (A : learner) : learner := {|
  answers := answers A; answer := answer A; answering S := answering A (tl S) |}.

Lemma tl_sample m n S : sample m (Datatypes.S n) S -> sample m n (tl S).
Proof.
  intros [L B]. destruct S as [|z S]; [discriminate|]. split; [injection L; auto|].
  intros y Hy. apply B. right. exact Hy.
Qed.
Theorem learns_with_more m n C H a factor delta e : 1 <= factor -> 0 <= delta ->
  learns_privately m n C H a factor delta e -> learns_privately m (Datatypes.S n) C H a factor delta e.
Proof.
  intros F F0 [A [L [I [P E]]]]. exists (one_more A). repeat split.
  - apply (L (tl S)), tl_sample, H0.
  - apply (L (tl S)), tl_sample, H0.
  - exact I.
  - intros S T event HS HT [l [x [y [r [-> ->]]]]]. cbn [one_more answers answering].
    apply tl_sample in HS, HT. destruct l as [|z l].
    + cbn in *. set (v := sum _ _). assert (0 <= v); [|nra].
      apply law_event; [apply L, HS|]. intros. apply chance_01.
    + cbn in *. apply P; auto. exists l, x, y, r. auto.
  - intros f D Cf LD. specialize (E f D Cf LD).
    assert (success m (Datatypes.S n) (one_more A) a f D == success m n A a f D) as ->; [|exact E].
    unfold success at 1. cbn [drawn]. change (sum m (fun x => D x * success m n A a f D) == success m n A a f D).
    destruct LD as [_ E1]. rewrite (sum_ext m _ (fun x => success m n A a f D * D x)) by (intros; apply Qmult_comm).
    rewrite sum_scale, E1. apply Qmult_1_r.
Qed.
Theorem learns_with_at_least m n n' C H a factor delta e : 1 <= factor -> 0 <= delta -> (n <= n')%nat ->
  learns_privately m n C H a factor delta e -> learns_privately m n' C H a factor delta e.
Proof. intros F F0. induction 1; auto. intros. apply learns_with_more; auto. Qed.

(* ---- what may be assumed of a private learner ---- *)

Theorem private_learner_on_multisets m n C a factor delta e :
  learns_privately m n C all_functions a factor delta e -> exists p : list example -> nat -> Q,
  (forall S, sample m n S -> law (length (functions m)) (p S)) /\
  (forall S T i, Permutation S T -> p S i == p T i) /\
  (forall S T (event : nat -> bool), sample m n S -> sample m n T -> one_replaced S T ->
     sum (length (functions m)) (fun i => p S i * chance (event i))
     <= factor * sum (length (functions m)) (fun i => p T i * chance (event i)) + delta) /\
  forall f D, C f -> law m D -> 1 - e <= drawn m D n (fun l =>
    sum (length (functions m)) (fun i => p (labelled f l) i * chance (is_good m D a (function m i) f))).
Proof.
  intros [A [L [_ [P E]]]]. set (B := unordered (merged m A)). exists (answering B).
  split; [|split; [|split]].
  - intros S HS. apply (unordered_learner m n (merged m A) (merged_learner m n A L) S HS).
  - intros S T i. apply unordered_perm.
  - exact (unordered_private m n (merged m A) factor delta (merged_private m n A factor delta P)).
  - intros f D Cf LD. specialize (E f D Cf LD).
    rewrite <- merged_success, <- unordered_success in E. unfold success in E. unfold is_good.
    fold B in E. unfold B in E at 1 3. cbn [unordered merged answers answer] in E. lra.
Qed.
