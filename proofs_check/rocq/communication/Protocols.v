(* Protocols as tables with weights, and their errors: a mixture of components, each with the messages of
   every input of Alice, and Bob's answers to every message. *)
From Coq Require Import String List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture OneWay Distributions Json.
Import ListNotations.
Local Open Scope Z_scope.

Record component := Component {
  weight : Z;
  sent : list (list (Z * nat));             (* for each input of Alice: messages with weights *)
  answers : list (list (Z * list bool))     (* for each message: answers with weights *)
}.
Definition none := Component 0 [] [].

Definition law_sum {A} (l : list (Z * A)) : Z := lsum fst l.
Definition weight_of (l : list (Z * nat)) i : Z := lsum (fun c => if (i =? snd c)%nat then fst c else 0) l.
Definition ones_of (l : list (Z * list bool)) y : Z := lsum (fun c => if nth y (snd c) false then fst c else 0) l.
Definition protocol_of (c : component) : protocol := {|
  alice := fun x i => (inject_Z (weight_of (nth x (sent c) []) i) / inject_Z (law_sum (nth x (sent c) [])))%Q;
  bob := fun i y => (inject_Z (ones_of (nth i (answers c) []) y) / inject_Z (law_sum (nth i (answers c) [])))%Q
|}.
Definition part (parts : list component) i : protocol := protocol_of (nth i parts none).
Definition odds (parts : list component) : nat -> Q := share (map weight parts).

(* ---- errors, as weights ---- *)

Definition differs (v : option bool) (b : bool) : bool := match v with Some w => negb (Bool.eqb b w) | None => false
  end.
Definition missed (v : option bool) (l : list (Z * list bool)) y : Z :=
  lsum (fun c => if differs v (nth y (snd c) false) then fst c else 0) l.
Definition mistakes_of (f : problem) (c : component) x y : Z :=
  lsum (fun pm => fst pm * missed (f x y) (nth (snd pm) (answers c) []) y) (nth x (sent c) []).

Definition positive {A} (l : list (Z * A)) : bool := forallb (fun c => 0 <? fst c) l && negb (length l =? 0)%nat.
(* laws have positive weights, messages lie below k, and the answers to each weigh q *)
Definition well_formed n k (c : component) (q : Z) : bool :=
  (length (sent c) =? n)%nat && (length (answers c) =? k)%nat
  && forallb (fun l => positive l && forallb (fun pm => (snd pm <? k)%nat) l) (sent c)
  && forallb (fun l => positive l && (law_sum l =? q)) (answers c).

Lemma law_sum_pos {A} (l : list (Z * A)) : positive l = true -> 0 < law_sum l.
Proof.
  intros H. apply andb_prop in H as [P L]. rewrite forallb_forall in P. unfold law_sum.
  destruct l as [|a l]; [discriminate|]. cbn. pose proof (P a (in_eq _ _)) as Pa. apply Z.ltb_lt in Pa.
  assert (0 <= lsum fst l); [|lia]. apply lsum_nonneg. intros b B.
  specialize (P b (in_cons _ _ _ B)). apply Z.ltb_lt in P. cbv beta. lia.
Qed.
Lemma weights_pos {A} (l : list (Z * A)) (p : A -> bool) : positive l = true ->
  0 <= lsum (fun c => if p (snd c) then fst c else 0) l <= law_sum l.
Proof.
  intros H. apply andb_prop in H as [P _]. rewrite forallb_forall in P. split.
  - apply lsum_nonneg. intros c C. specialize (P c C). apply Z.ltb_lt in P. cbv beta. destruct (p (snd c)); lia.
  - apply lsum_le. intros c C. specialize (P c C). apply Z.ltb_lt in P. cbv beta. destruct (p (snd c)); lia.
Qed.

Lemma weigh_messages k l g : (forall pm, In pm l -> (snd pm < k)%nat) ->
  zsum k (fun i => weight_of l i * g i) = lsum (fun pm => fst pm * g (snd pm)) l.
Proof.
  induction l as [|[p i0] l IH]; intros H.
  - unfold zsum. rewrite (lsum_ext _ (fun _ => 0)); [apply lsum_zero|]. intros i _. reflexivity.
  - cbn [lsum fst snd]. rewrite <- IH by (intros; apply H, in_cons; assumption).
    rewrite (zsum_ext k _ (fun i => (if (i =? i0)%nat then p * g i else 0) + weight_of l i * g i)).
    + rewrite zsum_plus. f_equal. apply (zsum_pick k i0 (fun i => p * g i)). exact (H (p, i0) (in_eq _ _)).
    + intros i _. cbn [weight_of lsum fst snd]. fold (weight_of l i). destruct (i =? i0)%nat; ring.
Qed.

Section Component.
Variables (n m k : nat) (c : component) (q : Z) (f : problem).
Hypothesis W : well_formed n k c q = true.

Lemma sent_well x : (x < n)%nat ->
  positive (nth x (sent c) []) = true /\ forall pm, In pm (nth x (sent c) []) -> (snd pm < k)%nat.
Proof.
  intros Hx. unfold well_formed in W. apply andb_prop in W as [W1 _]. apply andb_prop in W1 as [W1 S].
  apply andb_prop in W1 as [N _]. apply Nat.eqb_eq in N. rewrite forallb_forall in S.
  rewrite <- N in Hx. specialize (S _ (nth_In _ [] Hx)). apply andb_prop in S as [P S].
  split; [exact P|]. rewrite forallb_forall in S. intros pm I. apply Nat.ltb_lt, S, I.
Qed.
Lemma answers_well i : (i < k)%nat ->
  positive (nth i (answers c) []) = true /\ law_sum (nth i (answers c) []) = q.
Proof.
  intros Hi. unfold well_formed in W. apply andb_prop in W as [W1 A]. apply andb_prop in W1 as [W1 _].
  apply andb_prop in W1 as [_ N]. apply Nat.eqb_eq in N. rewrite forallb_forall in A.
  rewrite <- N in Hi. specialize (A _ (nth_In _ [] Hi)). apply andb_prop in A as [P A].
  split; [exact P|]. apply Z.eqb_eq, A.
Qed.
Lemma answers_beyond i : (k <= i)%nat -> nth i (answers c) [] = [].
Proof.
  intros Hi. unfold well_formed in W. apply andb_prop in W as [W1 _]. apply andb_prop in W1 as [W1 _].
  apply andb_prop in W1 as [_ N]. apply Nat.eqb_eq in N. apply nth_overflow. lia.
Qed.

Lemma protocol_uses k' : (k <= k')%nat -> uses n m k' (protocol_of c).
Proof.
  intros K. split.
  - intros x Hx. destruct (sent_well x Hx) as [P B]. pose proof (law_sum_pos _ P) as L. apply inject_pos in L. split.
    + intros i _. cbn [protocol_of alice]. apply Qle_shift_div_l; [exact L|]. rewrite Qmult_0_l. apply inject_nonneg.
      exact (proj1 (weights_pos _ (fun j => (i =? j)%nat) P)).
    + cbn [protocol_of alice]. set (l := nth x (sent c) []) in *.
      rewrite (sum_ext k' _ (fun i => / inject_Z (law_sum l) * inject_Z (weight_of l i * 1))%Q).
      * rewrite sum_scale, zsum_Q, (weigh_messages k' l (fun _ => 1)) by (intros pm I; specialize (B pm I); lia).
        rewrite (lsum_ext _ fst) by (intros; cbv beta; ring). fold (law_sum l). field. lra.
      * intros i _. rewrite Z.mul_1_r. unfold Qdiv. ring.
  - intros i y _ _. cbn [protocol_of bob]. destruct (Nat.lt_ge_cases i k) as [H|H].
    + destruct (answers_well i H) as [P _]. pose proof (law_sum_pos _ P) as L. apply inject_pos in L.
      pose proof (weights_pos _ (fun S => nth y S false) P) as [O1 O2]. split.
      * apply Qle_shift_div_l; [exact L|]. rewrite Qmult_0_l. apply inject_nonneg, O1.
      * apply Qle_shift_div_r; [exact L|]. rewrite Qmult_1_l, <- Zle_Qle. exact O2.
    + rewrite answers_beyond by exact H. vm_compute. split; discriminate.
Qed.

Lemma missed_ones v l y :
  missed v l y = match v with Some true => law_sum l - ones_of l y | Some false => ones_of l y | None => 0 end.
Proof.
  unfold missed, ones_of, law_sum. destruct v as [[|]|]; [rewrite <- lsum_minus| |apply lsum_zero];
    apply lsum_ext; intros a _; cbv beta; destruct (nth y (snd a) false); cbn [differs Bool.eqb negb]; lia.
Qed.

Lemma wrong_missed x i y : (i < k)%nat ->
  (wrong f (bob (protocol_of c)) x i y == inject_Z (missed (f x y) (nth i (answers c) []) y) / inject_Z q)%Q.
Proof.
  intros Hi. destruct (answers_well i Hi) as [P Eq]. unfold wrong. cbn [protocol_of bob]. rewrite missed_ones, Eq.
  pose proof (law_sum_pos _ P) as L. rewrite Eq in L. apply inject_pos in L.
  destruct (f x y) as [[|]|].
  - unfold Zminus. rewrite inject_Z_plus, inject_Z_opp. field. lra.
  - reflexivity.
  - unfold Qdiv. change (inject_Z 0) with 0%Q. ring.
Qed.

Theorem component_error k' x y : (k <= k')%nat -> (x < n)%nat ->
  (error k' f (protocol_of c) x y * inject_Z (law_sum (nth x (sent c) []) * q) == inject_Z (mistakes_of f c x y))%Q.
Proof.
  intros K Hx. destruct (sent_well x Hx) as [P B]. pose proof (law_sum_pos _ P) as L. apply inject_pos in L.
  assert (exists pm, In pm (nth x (sent c) [])) as [pm0 I0].
  { apply andb_prop in P as [_ P]. destruct (nth x (sent c) []) as [|a]; [discriminate|]. exists a. apply in_eq. }
  assert (0 < inject_Z q)%Q as Lq.
  { destruct (answers_well (snd pm0) (B pm0 I0)) as [P' <-]. apply inject_pos, law_sum_pos, P'. }
  rewrite error_wrong. unfold mistakes_of. set (l := nth x (sent c) []) in *.
  rewrite (sum_ext k' _ (fun i => / (inject_Z (law_sum l) * inject_Z q) *
    inject_Z (weight_of l i * missed (f x y) (nth i (answers c) []) y))%Q).
  - rewrite sum_scale, zsum_Q, (weigh_messages k' l (fun i => missed (f x y) (nth i (answers c) []) y))
      by (intros pm I; specialize (B pm I); lia).
    rewrite inject_Z_mult. field. split; lra.
  - intros i _. rewrite inject_Z_mult. cbn [protocol_of alice]. fold l. destruct (Nat.lt_ge_cases i k) as [H|H].
    + change (bob _) with (bob (protocol_of c)). rewrite wrong_missed by exact H. field. split; lra.
    + assert (weight_of l i = 0) as ->.
      { unfold weight_of. rewrite (lsum_ext _ (fun _ => 0)); [apply lsum_zero|]. intros pm I. specialize (B pm I).
        replace (i =? snd pm)%nat with false by (symmetry; apply Nat.eqb_neq; lia). reflexivity. }
      change (inject_Z 0) with 0%Q. unfold Qdiv. ring.
Qed.
End Component.

(* ---- mixtures ---- *)

(* with the tables of all parts, for each input of Bob, from the weights acc of what comes later *)
Fixpoint add_wrong (w : Z) (F : list (option bool)) (S : list bool) (acc : list Z) : list Z :=
  match F, S, acc with
  | v :: F', b :: S', a :: acc' => (if differs v b then a + w else a) :: add_wrong w F' S' acc'
  | _, _, _ => acc
  end.
Definition add_answers (w : Z) F (l : list (Z * list bool)) (acc : list Z) : list Z :=
  fold_right (fun c acc => add_wrong (w * fst c) F (snd c) acc) acc l.
Definition add_component F (c : component) x (acc : list Z) : list Z :=
  fold_right (fun pm acc => add_answers (weight c * fst pm) F (nth (snd pm) (answers c) []) acc) acc (nth x (sent c)
    []).
Definition wrong_weights m F (parts : list component) x : list Z :=
  fold_right (fun c acc => add_component F c x acc) (repeat 0 m) parts.

Lemma add_wrong_spec w : forall F S acc y, length F = length acc -> length S = length acc ->
  length (add_wrong w F S acc) = length acc /\
  nth y (add_wrong w F S acc) 0 = nth y acc 0 + (if differs (nth y F None) (nth y S false) then w else 0).
Proof.
  induction F as [|v F IH]; intros [|b S] [|a acc] y EF ES; try discriminate; cbn [add_wrong].
  - split; [reflexivity|]. destruct y; cbn; lia.
  - injection EF as EF. injection ES as ES. split.
    + cbn [length]. f_equal. apply (IH S acc 0%nat EF ES).
    + destruct y as [|y]; [cbn; destruct (differs v b); lia|]. cbn [nth]. apply IH; assumption.
Qed.
Lemma add_answers_spec w F l acc y : (forall c, In c l -> length (snd c) = length acc) -> length F = length acc ->
  length (add_answers w F l acc) = length acc /\
  nth y (add_answers w F l acc) 0 = nth y acc 0 + w * missed (nth y F None) l y.
Proof.
  induction l as [|[q S] l IH]; intros HS HF; [cbn; lia|].
  destruct IH as [IL IN]; [intros c I; apply HS, in_cons, I|exact HF|].
  cbn [add_answers fold_right missed lsum fst snd]. fold (add_answers w F l acc) (missed (nth y F None) l y).
  specialize (HS (q, S) (in_eq _ _)). cbn [snd] in HS.
  destruct (add_wrong_spec (w * q) F S (add_answers w F l acc) y ltac:(congruence) ltac:(congruence)) as [L N].
  split; [congruence|]. rewrite N, IN. destruct (differs _ _); lia.
Qed.
Definition rows_wide m (c : component) : bool :=
  forallb (fun l : list (Z * list bool) => forallb (fun qs => length (snd qs) =? m)%nat l) (answers c).
Lemma add_component_spec m F c x acc y : rows_wide m c = true -> length acc = m -> length F = m ->
  length (add_component F c x acc) = m /\
  nth y (add_component F c x acc) 0 = nth y acc 0
    + weight c * lsum (fun pm => fst pm * missed (nth y F None) (nth (snd pm) (answers c) []) y) (nth x (sent c) []).
Proof.
  intros R A HF. unfold add_component. induction (nth x (sent c) []) as [|[p i] l IH]; [cbn; lia|].
  cbn [fold_right lsum fst snd]. destruct IH as [IL IN].
  match goal with |- length (add_answers ?w _ ?l ?a) = _ /\ _ => destruct (add_answers_spec w F l a y) as [L N] end.
  - intros a I. destruct (Nat.lt_ge_cases i (length (answers c))) as [H|H].
    + unfold rows_wide in R. rewrite forallb_forall in R. specialize (R _ (nth_In _ [] H)).
      rewrite forallb_forall in R. specialize (R a I). apply Nat.eqb_eq in R. lia.
    + rewrite nth_overflow in I by exact H. contradiction.
  - lia.
  - split; [lia|]. rewrite N, IN. lia.
Qed.
Lemma wrong_weights_spec m f F parts x y : (forall c, In c parts -> rows_wide m c = true) -> length F = m ->
  (forall y, f x y = nth y F None) ->
  length (wrong_weights m F parts x) = m /\
  nth y (wrong_weights m F parts x) 0 = dot (map weight parts) (map (fun c => mistakes_of f c x y) parts).
Proof.
  intros R HF Hf. induction parts as [|c parts IH].
  - cbn. split; [apply repeat_length|]. revert y. induction m as [|m' IHm]; destruct y; cbn; auto.
    clear. revert y. induction m' as [|m' IHm]; destruct y; cbn; auto.
  - destruct IH as [IL IN]; [intros d D; apply R, in_cons, D|]. cbn [wrong_weights fold_right map dot].
    fold (wrong_weights m F parts x).
    destruct (add_component_spec m F c x (wrong_weights m F parts x) y (R c (in_eq _ _)) IL HF) as [L N].
    split; [exact L|]. rewrite N, IN. unfold mistakes_of at 2. rewrite Hf. lia.
Qed.
