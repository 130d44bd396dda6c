(* One-way protocols on the average: with any coins they do no better than the best one that consists
   of tables, and a bound for all of those bounds the error on the worst input. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture.
Import ListNotations.
Local Open Scope Q_scope.

Definition of_table (F : list (list (option bool))) : problem :=
  fun x y => nth y (nth x F []) None.

Definition same_value (v w : option bool) : bool :=
  match v, w with Some a, Some b => Bool.eqb a b | None, None => true | _, _ => false end.
Lemma same_value_spec v w : same_value v w = true <-> v = w.
Proof. destruct v as [[|]|], w as [[|]|]; cbn; split; congruence. Qed.

(* how often Bob is wrong if the message is i *)
Definition wrong (f : problem) (b : nat -> nat -> Q) x i y : Q :=
  match f x y with Some v => if v then 1 - b i y else b i y | None => 0 end.

Lemma error_wrong k f P x y : error k f P x y == sum k (fun i => alice P x i * wrong f (bob P) x i y).
Proof.
  unfold error, wrong. destruct (f x y); [reflexivity|].
  rewrite (sum_ext k _ (fun _ => 0)) by (intros; ring). symmetry. apply sum_zero.
Qed.

Lemma average_ext n m mu g h : (forall x y, (x < n)%nat -> (y < m)%nat -> g x y == h x y) ->
  average n m mu g == average n m mu h.
Proof. intros E. apply sum_ext. intros x Hx. apply sum_ext. intros y Hy. rewrite E; auto. reflexivity. Qed.

Lemma average_mix n m mu k p (g : nat -> nat -> nat -> Q) :
  average n m mu (fun x y => sum k (fun i => p i * g i x y)) == sum k (fun i => p i * average n m mu (g i)).
Proof.
  unfold average.
  rewrite (sum_ext k _ (fun i => sum n (fun x => sum m (fun y => p i * (mu x y * g i x y))))).
  2:{ intros i _. rewrite <- sum_scale. apply sum_ext. intros x _. rewrite <- sum_scale. reflexivity. }
  symmetry. rewrite sum_swap. apply sum_ext. intros x _. rewrite sum_swap. apply sum_ext. intros y _.
  rewrite <- sum_scale. apply sum_ext. intros i _. ring.
Qed.

(* ---- the smallest of several values, and where it stands ---- *)

Fixpoint smallest (g : nat -> Q) k : nat :=
  match k with
  | O => O
  | S k' => let i := smallest g k' in
            match k' with O => O | _ => if Qle_bool (g i) (g k') then i else k' end
  end.
Lemma smallest_spec g : forall k, (0 < k)%nat ->
  (smallest g k < k)%nat /\ forall i, (i < k)%nat -> g (smallest g k) <= g i.
Proof.
  induction k as [|[|k] IH]; intros K; [lia| |].
  - split; [simpl; lia|]. intros i Hi. replace i with O by lia. apply Qle_refl.
  - specialize (IH ltac:(lia)) as [B L]. cbn [smallest] in *.
    set (j := match k with O => O | _ => _ end) in *.
    destruct (Qle_bool (g j) (g (S k))) eqn:E.
    + apply Qle_bool_iff in E. split; [lia|]. intros i Hi.
      destruct (Nat.eq_dec i (S k)) as [->|N]; [exact E|apply L; lia].
    + assert (g (S k) <= g j) as E'.
      { destruct (Qlt_le_dec (g (S k)) (g j)) as [H|H]; [lra|]. apply Qle_bool_iff in H. congruence. }
      split; [lia|]. intros i Hi. destruct (Nat.eq_dec i (S k)) as [->|N]; [apply Qle_refl|].
      specialize (L i ltac:(lia)). lra.
Qed.

(* ---- whoever tosses coins may as well take the best outcome ---- *)

Lemma sum_single k a (g : nat -> Q) : (a < k)%nat -> sum k (fun i => chance (a =? i)%nat * g i) == g a.
Proof.
  induction k as [|k IH]; intros H; [lia|]. simpl. destruct (Nat.eq_dec a k) as [->|N].
  - rewrite Nat.eqb_refl, (sum_ext k _ (fun _ => 0)).
    + rewrite sum_zero. unfold chance. ring.
    + intros i Hi. replace (k =? i)%nat with false by (symmetry; apply Nat.eqb_neq; lia). unfold chance. ring.
  - rewrite IH by lia. replace (a =? k)%nat with false by (symmetry; apply Nat.eqb_neq; lia). unfold chance. ring.
Qed.

Lemma tables_error k f a b x y : (a x < k)%nat ->
  error k f (tables a b) x y == wrong f (fun i y => chance (b i y)) x (a x) y.
Proof. intros H. rewrite error_wrong. cbn [tables alice bob]. apply sum_single with (g := fun i => wrong f _ x i y),
  H. Qed.

Lemma tables_uses n m k a b : (forall x, (x < n)%nat -> (a x < k)%nat) -> uses n m k (tables a b).
Proof.
  intros H. split.
  - intros x Hx. split.
    + intros i _. cbn. destruct (a x =? i)%nat; unfold chance; lra.
    + cbn [tables alice]. rewrite (sum_ext k _ (fun i => chance (a x =? i)%nat * 1)) by (intros; ring).
      apply sum_single with (g := fun _ => 1). auto.
  - intros i y _ _. cbn. destruct (b i y); unfold chance; lra.
Qed.

Section Best.
Variables (n m k : nat) (f : problem) (mu : nat -> nat -> Q).
Hypothesis mu_pos : forall x y, (x < n)%nat -> (y < m)%nat -> 0 <= mu x y.

(* the error is the sum over messages, and over inputs of Bob, of what is lost there *)
Definition loss (a : nat -> nat -> Q) (v : bool) i y : Q :=
  sum n (fun x => mu x y * a x i * match f x y with Some w => chance (Bool.eqb v w) | None => 0 end).

Lemma average_by_messages P : average n m mu (error k f P)
  == sum k (fun i => sum m (fun y =>
       loss (alice P) true i y * (1 - bob P i y) + loss (alice P) false i y * bob P i y)).
Proof.
  unfold average.
  rewrite (sum_ext n _ (fun x => sum k (fun i => sum m (fun y => mu x y * alice P x i * wrong f (bob P) x i y)))).
  2:{ intros x _. rewrite sum_swap. apply sum_ext. intros y _. rewrite error_wrong, <- sum_scale.
      apply sum_ext. intros i _. ring. }
  rewrite sum_swap. apply sum_ext. intros i _. rewrite sum_swap. apply sum_ext. intros y _.
  unfold loss. rewrite (Qmult_comm _ (1 - bob P i y)), (Qmult_comm _ (bob P i y)), <- !sum_scale, <- sum_plus.
  apply sum_ext. intros x _. unfold wrong. destruct (f x y) as [[|]|]; unfold chance; cbn [Bool.eqb]; ring.
Qed.

Definition best_answer (a : nat -> nat -> Q) i y : bool := Qle_bool (loss a false i y) (loss a true i y).

Lemma best_answer_spec P : uses n m k P ->
  average n m mu (error k f {| alice := alice P; bob := fun i y => chance (best_answer (alice P) i y) |})
  <= average n m mu (error k f P).
Proof.
  intros [_ B]. rewrite !average_by_messages. cbn [alice bob]. apply sum_le. intros i Hi. apply sum_le. intros y Hy.
  specialize (B i y Hi Hy). unfold best_answer.
  set (t := loss (alice P) true i y). set (z := loss (alice P) false i y).
  destruct (Qle_bool z t) eqn:E.
  - apply Qle_bool_iff in E. unfold chance. nra.
  - assert (t <= z) by (destruct (Qlt_le_dec t z) as [H|H]; [lra|apply Qle_bool_iff in H; congruence]).
    unfold chance. nra.
Qed.

Definition best_message (b : nat -> nat -> Q) x : nat :=
  smallest (fun i => sum m (fun y => mu x y * wrong f b x i y)) k.

Lemma best_message_spec a b : (0 < k)%nat -> (forall x, (x < n)%nat -> law k (a x)) ->
  average n m mu (fun x y => wrong f b x (best_message b x) y)
  <= average n m mu (error k f {| alice := a; bob := b |}).
Proof.
  intros K A. apply sum_le. intros x Hx.
  apply Qle_trans with (sum k (fun i => a x i * sum m (fun y => mu x y * wrong f b x i y))).
  - apply mean_ge; [auto|]. apply (smallest_spec (fun i => sum m (fun y => mu x y * wrong f b x i y)) k K).
  - apply Qle_lteq. right. rewrite (sum_ext k _ (fun i => sum m (fun y => a x i * (mu x y * wrong f b x i y)))).
    + rewrite sum_swap. apply sum_ext. intros y _. rewrite error_wrong. cbn [alice bob].
      rewrite <- sum_scale. apply sum_ext. intros i _. ring.
    + intros i _. rewrite sum_scale. reflexivity.
Qed.

Theorem best_tables P : (0 < k)%nat -> uses n m k P -> exists a b, (forall x, (x < n)%nat -> (a x < k)%nat) /\
  average n m mu (error k f (tables a b)) <= average n m mu (error k f P).
Proof.
  intros K U. pose proof (best_answer_spec P U) as B. destruct U as [A _].
  set (b := best_answer (alice P)) in *. set (c := fun i y => chance (b i y)) in *.
  pose proof (best_message_spec (alice P) c K A) as M.
  exists (best_message c), b. split.
  - intros x _. apply (smallest_spec _ k K).
  - eapply Qle_trans; [|exact B]. eapply Qle_trans; [|exact M]. apply Qle_lteq. right.
    apply average_ext. intros x y _ _. rewrite tables_error; [reflexivity|].
    apply (smallest_spec _ k K).
Qed.
End Best.

Lemma law_has_entries k p : law k p -> (0 < k)%nat.
Proof. intros [_ H]. destruct k; [simpl in H; lra|lia]. Qed.

(* some outcome of public coins is as good as all of them on the average *)
Theorem some_tables n m f k mu c p P e : (0 < n)%nat ->
  law c p -> (forall i, (i < c)%nat -> uses n m k (P i)) ->
  average n m mu (mean_error k f c p P) <= e -> reached_on_average n m f k mu e.
Proof.
  intros N L U H. unfold mean_error in H. rewrite average_mix in H.
  destruct (some_le_mean c p _ e L H) as [i [Hi E]].
  assert (0 < k)%nat as K by (apply (law_has_entries k (alice (P i) O)), (U i Hi), N).
  destruct (best_tables n m k f mu (P i) K (U i Hi)) as [a [b [A B]]].
  exists a, b. split; [exact A|]. eapply Qle_trans; [exact B|exact E].
Qed.

(* no error on every input is smaller than the one on the average *)
Theorem reached_average w n m f k mu e : (0 < n)%nat ->
  (forall x y, (x < n)%nat -> (y < m)%nat -> 0 <= mu x y) -> average n m mu (fun _ _ => 1) == 1 ->
  reached w n m f k e -> reached_on_average n m f k mu e.
Proof.
  intros N M T [c [p [P [L [_ [U E]]]]]]. apply (some_tables n m f k mu c p P e N L U).
  apply Qle_trans with (average n m mu (fun _ _ => e)).
  - apply sum_le. intros x Hx. apply sum_le. intros y Hy. specialize (E x y Hx Hy). specialize (M x y Hx Hy). nra.
  - assert (average n m mu (fun _ _ => e) == e * average n m mu (fun _ _ => 1)) as ->.
    { unfold average. rewrite <- sum_scale. apply sum_ext. intros x _. rewrite <- sum_scale. apply sum_ext. intros;
      ring. }
    rewrite T. lra.
Qed.

(* ---- what is reached with few coins, as those without public ones need it ---- *)

Lemma reached_without_public w n m f k e : w <> Public -> reached w n m f k e ->
  exists P, uses n m k P /\ forall x y, (x < n)%nat -> (y < m)%nat -> error k f P x y <= e.
Proof.
  intros W [c [p [P [[L1 L2] [A [U E]]]]]].
  assert (c = 1%nat) as -> by (destruct w; [apply A|exact A|congruence]).
  exists (P O). split; [apply U; lia|]. intros x y Hx Hy. specialize (E x y Hx Hy).
  unfold mean_error in E. simpl in E, L2. assert (p O == 1) as O1 by lra. rewrite O1 in E. lra.
Qed.

Lemma reached_without_coins n m f k e : reached Deterministic n m f k e -> (0 < n)%nat -> e < 1 ->
  exists a b, (forall x, (x < n)%nat -> (a x < k)%nat) /\
    forall x y v, (x < n)%nat -> (y < m)%nat -> f x y = Some v -> b (a x) y = v.
Proof.
  intros [c [p [P [[L1 L2] [[-> [a [b T]]] [U E]]]]]] N e1. specialize (U O ltac:(lia)). rewrite T in U.
  assert (forall x, (x < n)%nat -> (a x < k)%nat) as A.
  { intros x Hx. destruct U as [U _]. destruct (U x Hx) as [_ S]. cbn [tables alice] in S.
    destruct (Nat.lt_ge_cases (a x) k) as [H|H]; [exact H|exfalso].
    rewrite (sum_ext k _ (fun _ => 0)) in S; [rewrite sum_zero in S; lra|].
    intros i Hi. replace (a x =? i)%nat with false by (symmetry; apply Nat.eqb_neq; lia). reflexivity. }
  exists a, b. split; [exact A|]. intros x y v Hx Hy F. specialize (E x y Hx Hy).
  unfold mean_error in E. simpl in E, L2. assert (p O == 1) as O1 by lra. rewrite O1, T in E.
  rewrite tables_error in E by auto. unfold wrong in E. rewrite F in E.
  destruct v, (b (a x) y); try reflexivity; unfold chance in E; exfalso; lra.
Qed.
