(* Averages of errors, and protocols with more messages than they use. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture OneWay Distributions Protocols ProtocolErrors.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- the expected error of a protocol ---- *)

Fixpoint expected (E : nat -> nat -> Q) (cells : weights) : Q :=
  match cells with [] => 0 | (x, y, w) :: l => inject_Z w * E x y + expected E l end.

Lemma expected_sum n m E cells : within n m cells ->
  expected E cells == sum n (fun x => sum m (fun y => inject_Z (weight_at cells x y) * E x y)).
Proof.
  induction cells as [|[[x0 y0] w] cells IH]; intros V.
  - cbn. symmetry. rewrite (sum_ext n _ (fun _ => 0)); [apply sum_zero|]. intros x _.
    rewrite (sum_ext m _ (fun _ => 0)); [apply sum_zero|]. intros y _. unfold weight_at. cbn. ring.
  - cbn [expected]. rewrite IH by (intros x y u I; apply (V x y u), in_cons, I).
    destruct (V x0 y0 w (in_eq _ _)) as [Hx Hy].
    rewrite (sum_ext n (fun x => sum m (fun y => inject_Z (weight_at ((x0, y0, w) :: cells) x y) * E x y))
      (fun x => chance (x0 =? x)%nat * (inject_Z w * E x y0) + sum m (fun y => inject_Z (weight_at cells x y) * E x
        y))).
    + rewrite sum_plus, (sum_single n x0 (fun x => inject_Z w * E x y0) Hx). reflexivity.
    + intros x _. rewrite (sum_ext m (fun y => inject_Z (weight_at ((x0, y0, w) :: cells) x y) * E x y)
        (fun y => chance (y0 =? y)%nat * (chance (x0 =? x)%nat * (inject_Z w * E x y)) + inject_Z (weight_at cells x
          y) * E x y)).
      * rewrite sum_plus, (sum_single m y0 (fun y => chance (x0 =? x)%nat * (inject_Z w * E x y)) Hy). reflexivity.
      * intros y _. cbn [weight_at lsum]. fold (weight_at cells x y). rewrite inject_Z_plus.
        rewrite (Nat.eqb_sym x0 x), (Nat.eqb_sym y0 y).
        destruct (x =? x0)%nat, (y =? y0)%nat; cbn [andb]; unfold chance; try change (inject_Z 0) with 0; ring.
Qed.

Lemma expected_average n m E cells : within n m cells -> (0 < mass cells)%Z ->
  average n m (shares cells) E * inject_Z (mass cells) == expected E cells.
Proof.
  intros V P. apply inject_pos in P. rewrite (expected_sum n m E cells V). unfold average. rewrite Qmult_comm, <-
    sum_scale.
  apply sum_ext. intros x _. rewrite <- sum_scale. apply sum_ext. intros y _. unfold shares. field. lra.
Qed.

Theorem achieves_average n m f w k k' E cells e : (0 < n)%nat -> within n m cells -> (0 < mass cells)%Z ->
  achieves n m f w k E -> (k <= k')%nat -> expected (entry E) cells / inject_Z (mass cells) <= e ->
  reached_on_average n m f k' (shares cells) e.
Proof.
  intros N V P A K H. destruct (A k' K) as [c [p [R [L [_ [U X]]]]]].
  apply (some_tables n m f k' _ c p R e N L U).
  rewrite (average_ext n m _ _ (entry E)) by exact X. apply inject_pos in P as PQ.
  pose proof (expected_average n m (entry E) cells V P) as T. rewrite <- T in H.
  setoid_replace (average n m (shares cells) (entry E)) with
    (average n m (shares cells) (entry E) * inject_Z (mass cells) / inject_Z (mass cells)) by (field; lra). exact H.
Qed.

(* ---- messages that are never sent ---- *)

Lemma sum_beyond k k' g : (k <= k')%nat -> (forall i, (k <= i)%nat -> g i == 0) -> sum k' g == sum k g.
Proof.
  intros K Z0. induction K as [|k' K IH]; [reflexivity|]. simpl. rewrite IH, (Z0 k' K). ring.
Qed.

Lemma tables_sent n m k a b : uses n m k (tables a b) -> forall x, (x < n)%nat -> (a x < k)%nat.
Proof.
  intros [U _] x Hx. destruct (U x Hx) as [_ S]. cbn [tables alice] in S.
  destruct (Nat.lt_ge_cases (a x) k) as [H|H]; [exact H|exfalso].
  rewrite (sum_ext k _ (fun _ => 0)) in S; [rewrite sum_zero in S; lra|].
  intros i Hi. replace (a x =? i)%nat with false by (symmetry; apply Nat.eqb_neq; lia). reflexivity.
Qed.

Definition extended k (P : protocol) : protocol := {|
  alice := fun x i => if (i <? k)%nat then alice P x i else 0;
  bob := fun i y => if (i <? k)%nat then bob P i y else 0 |}.

Lemma extended_uses n m k k' P : (k <= k')%nat -> uses n m k P -> uses n m k' (extended k P).
Proof.
  intros K [A B]. split.
  - intros x Hx. destruct (A x Hx) as [A1 A2]. split.
    + intros i _. cbn [extended alice bob]. destruct (Nat.ltb_spec i k); [auto|try lra; split; lra].
    + rewrite (sum_beyond k k').
      * rewrite <- A2. apply sum_ext. intros i Hi. cbn [extended alice]. apply Nat.ltb_lt in Hi. rewrite Hi.
          reflexivity.
      * exact K.
      * intros i Hi. cbn [extended alice bob]. destruct (Nat.ltb_spec i k); [lia|reflexivity].
  - intros i y _ Hy. cbn [extended alice bob]. destruct (Nat.ltb_spec i k); [auto|try lra; split; lra].
Qed.
Lemma extended_error n m k k' f P x y : (k <= k')%nat -> (x < n)%nat -> (y < m)%nat ->
  error k' f (extended k P) x y == error k f P x y.
Proof.
  intros K Hx Hy. rewrite !error_wrong, (sum_beyond k k').
  - apply sum_ext. intros i Hi. apply Nat.ltb_lt in Hi. unfold wrong. cbn [extended alice bob]. rewrite Hi. reflexivity.
  - exact K.
  - intros i Hi. cbn [extended alice bob]. destruct (Nat.ltb_spec i k); [lia|ring].
Qed.

Theorem reached_more w n m f k k' e : (k <= k')%nat -> reached w n m f k e -> reached w n m f k' e.
Proof.
  intros K [c [p [P [L [A [U E]]]]]]. destruct w.
  - destruct A as [-> [a [b T]]]. assert (U0 := U O ltac:(lia)). rewrite T in U0.
    pose proof (tables_sent n m k a b U0) as S. exists 1%nat, p, P. split; [exact L|]. split; [split; eauto|]. split.
    + intros i Hi. replace i with O by lia. rewrite T. apply tables_uses. intros x Hx. specialize (S x Hx). lia.
    + intros x y Hx Hy. specialize (E x y Hx Hy). unfold mean_error in *. cbn [sum] in *. rewrite T in *.
      specialize (S x Hx). rewrite tables_error in * by lia. exact E.
  - exists c, p, (fun i => extended k (P i)). split; [exact L|]. split; [exact A|]. split.
    + intros i Hi. apply (extended_uses n m k); auto.
    + intros x y Hx Hy. unfold mean_error. rewrite (sum_ext c _ (fun i => p i * error k f (P i) x y)); [exact (E x y
        Hx Hy)|].
      intros i Hi. rewrite (extended_error n m); auto. reflexivity.
  - exists c, p, (fun i => extended k (P i)). split; [exact L|]. split; [exact I|]. split.
    + intros i Hi. apply (extended_uses n m k); auto.
    + intros x y Hx Hy. unfold mean_error. rewrite (sum_ext c _ (fun i => p i * error k f (P i) x y)); [exact (E x y
        Hx Hy)|].
      intros i Hi. rewrite (extended_error n m); auto. reflexivity.
Qed.

Theorem reached_some_message w n m f k e : (0 < n)%nat -> reached w n m f k e -> (0 < k)%nat.
Proof.
  intros N [c [p [P [L [_ [U _]]]]]]. destruct (law_pos c p L) as [i [Hi _]]. destruct (U i Hi) as [A _].
  exact (law_has_entries k _ (A O N)).
Qed.
