(* Families of classes and problems by their definitions; and that what is said of a class or of a
   problem holds of every other one that is the same on the points, or the inputs, in question. *)
From Coq Require Import QArith List Arith NArith Lia Bool Morphisms Setoid.
From Coq Require Import MSets.MSetPositive.
From CCSim Require Import Definitions Sums.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- definitions: concepts and inputs of Alice by number ---- *)

Definition threshold (t : nat) : concept := fun x => t <=? x.                        (* [fx] 3.1 *)
Definition single_point (p : nat) : concept := fun x => x =? p.                       (* [fx] 3.1 *)
(* ([fx] 4.2) over the numbers modulo p: point p x + y is (x, y), and line p a + b is y = a x + b *)
Definition line (p c : nat) : concept := fun z => z mod p =? (c / p * (z / p) + c mod p) mod p.
(* point x stands for its binary digits *)
Definition coordinate (i : nat) : concept := fun x => Nat.testbit x i.
Definition parity (d a : nat) : concept :=
  fun x => fold_right xorb false (map (Nat.testbit (Nat.land a x)) (seq 0 d)).
Definition digits (c : nat) : concept := fun x => Nat.testbit c x.

(* the concepts with the numbers below k *)
Definition first (k : nat) (value : nat -> concept) : class :=
  fun h => exists c, c < k /\ forall x, h x = value c x.
Definition intervals (n : nat) : class :=
  fun h => exists i j, i <= n /\ j <= n /\ forall x, h x = (i <=? x) && (x <? j).

(* Alice holds a concept, Bob a point ([fx] 3) *)
Definition evaluation (value : nat -> concept) : problem := fun c x => Some (value c x).
Definition greater_than : problem := fun x y => Some (y <? x).

(* ---- classes that are the same on n points ---- *)

Definition part_of n (C D : class) := forall h, C h -> exists g, D g /\ same n h g.
Definition alike n C D := part_of n C D /\ part_of n D C.

Lemma same_symmetric n h g : same n h g -> same n g h.
Proof. intros H x Hx. symmetry. apply H, Hx. Qed.

Global Instance alike_equivalence n : Equivalence (alike n).
Proof.
  split.
  - intros C. split; intros h Ch; exists h; split; auto; intros x _; reflexivity.
  - intros C D [H1 H2]. split; assumption.
  - assert (forall C D E, part_of n C D -> part_of n D E -> part_of n C E) as T.
    { intros C D E H1 H2 h Ch. destruct (H1 h Ch) as [g [Dg S]]. destruct (H2 g Dg) as [f [Ef S']].
      exists f. split; [exact Ef|]. intros x Hx. rewrite S by exact Hx. apply S', Hx. }
    intros C D E [H1 H2] [H3 H4]. split; eapply T; eauto.
Qed.

Lemma complete_asks n : forall t d, complete n t d -> asks n t.
Proof.
  induction t as [|x l IHl r IHr]; intros [|d] H; try contradiction; [exact I|].
  destruct H as [Hx [Hl Hr]]. repeat split; eauto.
Qed.
Lemma follows_same n h g : same n h g -> forall t path, asks n t -> follows h t path -> follows g t path.
Proof.
  intros S. induction t as [|x l IHl r IHr]; intros [|b p] A F; try contradiction; [exact I|].
  destruct A as [Hx [Al Ar]], F as [E F]. split; [rewrite <- (S x Hx); exact E|].
  destruct b; [apply IHr|apply IHl]; assumption.
Qed.

Lemma mistakes_part n C D d : part_of n C D -> mistakes n C d -> mistakes n D d.
Proof.
  intros W [t [Ht H]]. exists t. split; [exact Ht|]. intros path L. destruct (H path L) as [h [Ch F]].
  destruct (W h Ch) as [g [Dg S]]. exists g. split; [exact Dg|].
  apply (follows_same n h g S); [eapply complete_asks, Ht|exact F].
Qed.

Lemma shatters_part n C D t : part_of n C D -> shatters n C t -> shatters n D t.
Proof.
  intros W [A H]. split; [exact A|]. intros path B. destruct (H path B) as [h [Ch F]].
  destruct (W h Ch) as [g [Dg S]]. exists g. split; [exact Dg|]. apply (follows_same n h g S); assumption.
Qed.

Lemma shattered_part n C D d : part_of n C D -> shattered n C d -> shattered n D d.
Proof.
  intros W [p [Hp H]]. exists p. split; [exact Hp|]. intros labels. destruct (H labels) as [h [Ch F]].
  destruct (W h Ch) as [g [Dg S]]. exists g. split; [exact Dg|].
  intros i Hi. rewrite <- S by auto. apply F, Hi.
Qed.

Lemma told_apart_part n C D d : part_of n C D -> told_apart n C d -> told_apart n D d.
Proof.
  intros W [p [Hp H]]. exists p. split; [exact Hp|]. intros i j Hi Hj N.
  destruct (H i j Hi Hj N) as [h [Ch F]]. destruct (W h Ch) as [g [Dg S]]. exists g. split; [exact Dg|].
  rewrite <- !S by auto. exact F.
Qed.

Lemma chosen (R : nat -> concept -> Prop) : forall k, (forall i, i < k -> exists g, R i g) ->
  exists f, forall i, i < k -> R i (f i).
Proof.
  induction k as [|k IH]; intros H.
  - exists (fun _ _ => false). intros i Hi. lia.
  - destruct IH as [f Hf]; [intros; apply H; lia|]. destruct (H k ltac:(lia)) as [g Hg].
    exists (fun i => if i =? k then g else f i). intros i Hi.
    destruct (Nat.eqb_spec i k) as [->|N]; [exact Hg|apply Hf; lia].
Qed.

Lemma thresholds_part n C D k : part_of n C D -> thresholds n C k -> thresholds n D k.
Proof.
  intros W [[h0 C0] [c [p [H1 H2]]]]. split; [destruct (W h0 C0) as [g [Dg _]]; eauto|].
  destruct (chosen (fun i g => D g /\ same n (c i) g) k) as [f Hf].
  { intros i Hi. apply W, H1, Hi. }
  exists f, p. split; [intros i Hi; split; [apply Hf, Hi|apply H1, Hi]|].
  intros i j Hi Hj. rewrite <- H2 by assumption. destruct (Hf i Hi) as [_ S].
  rewrite <- S by (apply H1, Hj). reflexivity.
Qed.

Lemma disagreement_same n D h f g : same n f g -> (disagreement n D h f == disagreement n D h g)%Q.
Proof.
  intros S. unfold disagreement. apply sum_ext. intros i Hi. rewrite (S i Hi). reflexivity.
Qed.

Lemma represents_part n C D H e : part_of n D C -> represents n C H e -> represents n D H e.
Proof.
  intros W R f mu Df L. destruct (W f Df) as [g [Cg S]]. destruct (R g mu Cg L) as [h [I E]].
  exists h. split; [exact I|]. rewrite (disagreement_same n mu h f g S). exact E.
Qed.

Lemma represents_randomly_part n C D k p H e v : part_of n D C ->
  represents_randomly n C k p H e v -> represents_randomly n D k p H e v.
Proof.
  intros W R f mu Df L. destruct (W f Df) as [g [Cg S]]. specialize (R g mu Cg L).
  rewrite (sum_ext k _ (fun i => p i * chance (fails n mu g e (H i)))%Q); [exact R|].
  intros i Hi. replace (fails n mu f e (H i)) with (fails n mu g e (H i)); [reflexivity|].
  unfold fails. induction (H i) as [|h l IH]; [reflexivity|]. cbn [forallb]. rewrite IH. f_equal. f_equal.
  apply eq_true_iff_eq. rewrite !Qle_bool_iff, (disagreement_same n mu h f g S). reflexivity.
Qed.

Ltac both lemma := intros C D [H1 H2]; repeat intros ? ? ->; split; apply lemma; assumption.

Global Instance mistakes_alike n : Proper (alike n ==> eq ==> iff) (mistakes n).
Proof. both mistakes_part. Qed.
Global Instance shatters_alike n : Proper (alike n ==> eq ==> iff) (shatters n).
Proof. both shatters_part. Qed.
Global Instance shattered_alike n : Proper (alike n ==> eq ==> iff) (shattered n).
Proof. both shattered_part. Qed.
Global Instance told_apart_alike n : Proper (alike n ==> eq ==> iff) (told_apart n).
Proof. both told_apart_part. Qed.
Global Instance thresholds_alike n : Proper (alike n ==> eq ==> iff) (thresholds n).
Proof. both thresholds_part. Qed.
Global Instance represents_alike n : Proper (alike n ==> eq ==> eq ==> iff) (represents n).
Proof. both represents_part. Qed.
Global Instance represents_randomly_alike n :
  Proper (alike n ==> eq ==> eq ==> eq ==> eq ==> eq ==> iff) (represents_randomly n).
Proof. both represents_randomly_part. Qed.

Ltac unfolded d := intros C D E; repeat intros ? ? <-; unfold d; setoid_rewrite E; reflexivity.
Global Instance representation_error_alike n : Proper (alike n ==> eq ==> eq ==> iff) (representation_error n).
Proof. unfolded representation_error. Qed.
Global Instance representation_failure_alike n :
  Proper (alike n ==> eq ==> eq ==> eq ==> eq ==> eq ==> iff) (representation_failure n).
Proof. unfolded representation_failure. Qed.
Global Instance rldim_at_least_alike n : Proper (alike n ==> eq ==> iff) (rldim_at_least n).
Proof. unfolded rldim_at_least. Qed.
Global Instance rldim_at_most_alike n : Proper (alike n ==> eq ==> iff) (rldim_at_most n).
Proof. unfolded rldim_at_most. Qed.
Global Instance rldim_alike n : Proper (alike n ==> eq ==> iff) (rldim n).
Proof. unfolded rldim. Qed.
Global Instance represented_alike n : Proper (alike n ==> eq ==> eq ==> eq ==> iff) (represented n).
Proof. unfolded represented. Qed.
Global Instance represented_randomly_alike n :
  Proper (alike n ==> eq ==> eq ==> eq ==> eq ==> iff) (represented_randomly n).
Proof. unfolded represented_randomly. Qed.
Global Instance deterministic_size_alike n : Proper (alike n ==> eq ==> eq ==> eq ==> iff) (deterministic_size n).
Proof. unfolded deterministic_size. Qed.
Global Instance probabilistic_size_alike n :
  Proper (alike n ==> eq ==> eq ==> eq ==> eq ==> iff) (probabilistic_size n).
Proof. unfolded probabilistic_size. Qed.
Global Instance failure_of_size_alike n : Proper (alike n ==> eq ==> eq ==> eq ==> eq ==> iff) (failure_of_size n).
Proof. unfolded failure_of_size. Qed.

Notation same_numbers := (pointwise_relation nat iff).

Ltac pointwise := intros C D E d; rewrite E; reflexivity.
Global Instance mistakes_numbers n : Proper (alike n ==> same_numbers) (mistakes n).
Proof. pointwise. Qed.
Global Instance shattered_numbers n : Proper (alike n ==> same_numbers) (shattered n).
Proof. pointwise. Qed.
Global Instance told_apart_numbers n : Proper (alike n ==> same_numbers) (told_apart n).
Proof. pointwise. Qed.
Global Instance thresholds_numbers n : Proper (alike n ==> same_numbers) (thresholds n).
Proof. pointwise. Qed.

Global Instance dimension_at_least_alike : Proper (same_numbers ==> eq ==> iff) dimension_at_least.
Proof. intros P R E v ? <-. unfold dimension_at_least. rewrite (E (Z.to_nat v)). reflexivity. Qed.
Global Instance dimension_at_most_alike : Proper (same_numbers ==> eq ==> iff) dimension_at_most.
Proof.
  intros P R E v ? <-. unfold dimension_at_most. split; intros [H1 H2]; (split; [exact H1|]);
    intros d Hd; apply H2, E, Hd.
Qed.
Global Instance dimension_alike : Proper (same_numbers ==> eq ==> iff) dimension.
Proof. intros P R E v ? <-. unfold dimension. rewrite E. reflexivity. Qed.

Ltac of_dimension := intros C D E v ? <-; apply dimension_alike; [intros d; rewrite E; reflexivity|reflexivity].
Global Instance ldim_alike n : Proper (alike n ==> eq ==> iff) (ldim n).
Proof. of_dimension. Qed.
Global Instance vcdim_alike n : Proper (alike n ==> eq ==> iff) (vcdim n).
Proof. of_dimension. Qed.

(* ---- problems that are the same on n and m inputs ---- *)

Definition agree n m (f g : problem) := forall x y, x < n -> y < m -> f x y = g x y.

Global Instance agree_equivalence n m : Equivalence (agree n m).
Proof.
  split.
  - intros f x y _ _. reflexivity.
  - intros f g H x y Hx Hy. symmetry. apply H; assumption.
  - intros f g h H1 H2 x y Hx Hy. rewrite H1 by assumption. apply H2; assumption.
Qed.

Lemma mean_error_agree n m f g k c p P x y : agree n m f g -> x < n -> y < m ->
  mean_error k f c p P x y = mean_error k g c p P x y.
Proof. intros A Hx Hy. unfold mean_error, error. rewrite (A x y Hx Hy). reflexivity. Qed.

Lemma reached_agree w n m f g k e : agree n m f g -> reached w n m f k e -> reached w n m g k e.
Proof.
  intros A [c [p [P [L [W [U H]]]]]]. exists c, p, P. repeat split; try assumption; try apply L; try (apply U; assumption).
  intros x y Hx Hy. rewrite <- (mean_error_agree n m f g) by assumption. apply H; assumption.
Qed.

Lemma reached_on_average_agree n m f g k mu e : agree n m f g ->
  reached_on_average n m f k mu e -> reached_on_average n m g k mu e.
Proof.
  intros A [a [b [Ha H]]]. exists a, b. split; [exact Ha|]. unfold average in *.
  rewrite (sum_ext n _ (fun x => sum m (fun y => mu x y * error k f (tables a b) x y))%Q); [exact H|].
  intros x Hx. apply sum_ext. intros y Hy. unfold error. rewrite (A x y Hx Hy). reflexivity.
Qed.

Lemma has_signs_agree n m f g d : agree n m f g -> has_signs n m f d -> has_signs n m g d.
Proof.
  intros A [u [v S]]. exists u, v. intros x y b Hx Hy E. rewrite <- (A x y Hx Hy) in E. exact (S x y b Hx Hy E).
Qed.

Global Instance has_signs_alike n m : Proper (agree n m ==> eq ==> iff) (has_signs n m).
Proof. intros f g A d ? <-. split; apply has_signs_agree; [exact A|symmetry; exact A]. Qed.
Global Instance signs_at_least_alike n m : Proper (agree n m ==> eq ==> iff) (signs_at_least n m).
Proof. intros f g A d ? <-. unfold signs_at_least. setoid_rewrite A. reflexivity. Qed.
Global Instance sign_rank_alike n m : Proper (agree n m ==> eq ==> iff) (sign_rank n m).
Proof. intros f g A d ? <-. unfold sign_rank. setoid_rewrite A. reflexivity. Qed.
Global Instance reached_alike w n m : Proper (agree n m ==> eq ==> eq ==> iff) (reached w n m).
Proof. intros f g A k ? <- e ? <-. split; apply reached_agree; [exact A|symmetry; exact A]. Qed.
Global Instance minimax_error_alike w n m : Proper (agree n m ==> eq ==> eq ==> iff) (minimax_error w n m).
Proof. intros f g A k ? <- e ? <-. unfold minimax_error. setoid_rewrite A. reflexivity. Qed.
Global Instance complexity_alike w n m : Proper (agree n m ==> eq ==> eq ==> iff) (complexity w n m).
Proof. intros f g A e ? <- k ? <-. unfold complexity. setoid_rewrite A. reflexivity. Qed.
Global Instance reached_on_average_alike n m :
  Proper (agree n m ==> eq ==> eq ==> eq ==> iff) (reached_on_average n m).
Proof.
  intros f g A k ? <- mu ? <- e ? <-. split; apply reached_on_average_agree; [exact A|symmetry; exact A].
Qed.
Global Instance distributional_error_alike n m :
  Proper (agree n m ==> eq ==> eq ==> eq ==> iff) (distributional_error n m).
Proof. intros f g A k ? <- mu ? <- e ? <-. unfold distributional_error. setoid_rewrite A. reflexivity. Qed.

(* ---- that a table lists a family ---- *)

Fixpoint number (labels : list bool) : N :=
  match labels with [] => 0%N | b :: l => if b then N.succ_double (number l) else N.double (number l) end.
Definition labels (n : nat) (h : concept) : list bool := map h (seq 0 n).

Lemma number_injective : forall k l, length k = length l -> number k = number l -> k = l.
Proof.
  induction k as [|a k IH]; intros [|b l] L E; try discriminate; [reflexivity|].
  injection L as L. cbn [number] in E.
  destruct a, b; rewrite ?N.succ_double_spec, ?N.double_spec in E; try lia; f_equal; apply IH; auto; lia.
Qed.

Lemma number_same n h g : number (labels n h) = number (labels n g) <-> same n h g.
Proof.
  unfold labels. split.
  - intros E x Hx. apply number_injective in E; [|rewrite !map_length; reflexivity].
    pose proof (f_equal (fun l => nth x l (h 0)) E) as G. cbv beta in G.
    rewrite map_nth, seq_nth in G by exact Hx.
    rewrite (nth_indep _ (h 0) (g 0)), map_nth, seq_nth in G by (try rewrite map_length, seq_length; exact Hx).
    exact G.
  - intros S. f_equal. apply map_ext_in. intros x Hx. apply in_seq in Hx. apply S. lia.
Qed.

Definition keys (n : nat) (rows : list concept) : list positive := map (fun h => N.succ_pos (number (labels n h))) rows.
Definition among (k l : list positive) : bool :=
  let s := fold_left (fun s a => PositiveSet.add a s) l PositiveSet.empty in
  forallb (fun a => PositiveSet.mem a s) k.

Lemma among_spec k l : among k l = true -> forall a, In a k -> In a l.
Proof.
  unfold among. intros H a I. rewrite forallb_forall in H. specialize (H a I).
  assert (forall l s, PositiveSet.mem a (fold_left (fun s a => PositiveSet.add a s) l s) = true ->
          In a l \/ PositiveSet.mem a s = true) as G.
  { clear. induction l as [|b l IH]; simpl; intros s H; [auto|]. apply IH in H as [H|H]; [auto|].
    apply PositiveSet.mem_spec in H. apply PositiveSet.add_spec in H as [H|H]; [left; left; auto|].
    right. apply PositiveSet.mem_spec, H. }
  apply G in H as [H|H]; [exact H|discriminate].
Qed.

Lemma among_rows n k l : among (keys n k) (keys n l) = true -> forall h, In h k -> exists g, In g l /\ same n h g.
Proof.
  intros H h I. pose proof (among_spec _ _ H _ (in_map _ _ _ I)) as J. apply in_map_iff in J as [g [E J]].
  exists g. split; [exact J|]. apply number_same. apply (f_equal N.pos) in E. rewrite !N.succ_pos_spec in E. lia.
Qed.

Definition lists (n : nat) (values rows : list concept) : bool :=
  among (keys n values) (keys n rows) && among (keys n rows) (keys n values).

Lemma table_alike n values rows : lists n values rows = true -> alike n (table n values) (table n rows).
Proof.
  intros H. apply andb_prop in H as [H1 H2]. split; intros h [r [I S]].
  - destruct (among_rows n _ _ H1 r I) as [g [J T]]. exists h. split; [|intros x _; reflexivity].
    exists g. split; [exact J|]. intros x Hx. rewrite S by exact Hx. apply T, Hx.
  - destruct (among_rows n _ _ H2 r I) as [g [J T]]. exists h. split; [|intros x _; reflexivity].
    exists g. split; [exact J|]. intros x Hx. rewrite S by exact Hx. apply T, Hx.
Qed.

Theorem first_listed n k value rows : lists n (map value (seq 0 k)) rows = true ->
  alike n (first k value) (table n rows).
Proof.
  intros H. rewrite <- (table_alike n _ _ H). split.
  - intros h [c [Hc E]]. exists h. split; [|intros x _; reflexivity].
    exists (value c). split; [apply in_map, in_seq; lia|]. intros x _. apply E.
  - intros h [r [I S]]. apply in_map_iff in I as [c [<- I]]. apply in_seq in I.
    exists (value c). split; [exists c; split; [lia|reflexivity]|exact S].
Qed.

Definition interval_rows (n : nat) : list concept :=
  flat_map (fun i => map (fun j x => (i <=? x) && (x <? j)) (seq 0 (S n))) (seq 0 (S n)).

Theorem intervals_listed n rows : lists n (interval_rows n) rows = true -> alike n (intervals n) (table n rows).
Proof.
  intros H. rewrite <- (table_alike n _ _ H). unfold interval_rows. split.
  - intros h [i [j [Hi [Hj E]]]]. exists h. split; [|intros x _; reflexivity].
    exists (fun x => (i <=? x) && (x <? j)). split; [|intros x _; apply E].
    apply in_flat_map. exists i. split; [apply in_seq; lia|].
    apply (in_map (fun j x => (i <=? x) && (x <? j))), in_seq. lia.
  - intros h [r [I S]]. apply in_flat_map in I as [i [Hi I]]. apply in_map_iff in I as [j [<- I]].
    apply in_seq in Hi, I. exists (fun x => (i <=? x) && (x <? j)). split; [|exact S].
    exists i, j. split; [lia|]. split; [lia|]. reflexivity.
Qed.

Definition agrees (n m : nat) (f : problem) (g : problem) : bool :=
  forallb (fun x => forallb (fun y => match f x y, g x y with
    | Some a, Some b => Bool.eqb a b | None, None => true | _, _ => false end) (seq 0 m)) (seq 0 n).

Theorem agrees_spec n m f g : agrees n m f g = true -> agree n m f g.
Proof.
  unfold agrees. intros H x y Hx Hy. rewrite forallb_forall in H.
  assert (In x (seq 0 n)) as Ix by (apply in_seq; lia). specialize (H x Ix). rewrite forallb_forall in H.
  assert (In y (seq 0 m)) as Iy by (apply in_seq; lia). specialize (H y Iy).
  destruct (f x y) as [a|], (g x y) as [b|]; try discriminate; [|reflexivity].
  apply eqb_prop in H. congruence.
Qed.
