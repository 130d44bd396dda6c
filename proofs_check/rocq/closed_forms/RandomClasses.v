(* Equality from above: the inputs are permuted at random, and Bob accepts those of Alice's class. *)
From Coq Require Import ZArith QArith Lia Lqa Bool List Permutation.
From CCSim Require Import Definitions Sums Mixture OneWay Families.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- sums over lists ---- *)

Definition sum_over {A} (l : list A) (g : A -> Q) : Q := fold_right (fun a s => g a + s) 0 l.

Lemma sum_over_app {A} (l r : list A) g : sum_over (l ++ r) g == sum_over l g + sum_over r g.
Proof. unfold sum_over. induction l as [|a l IH]; cbn [fold_right app]; [ring|]. rewrite IH. ring. Qed.
Lemma sum_over_map {A B} (h : A -> B) l g : sum_over (map h l) g = sum_over l (fun a => g (h a)).
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. f_equal. exact IH. Qed.
Lemma sum_over_ext {A} (l : list A) g h : (forall a, In a l -> g a == h a) -> sum_over l g == sum_over l h.
Proof.
  induction l as [|a l IH]; intros E; [reflexivity|]. cbn. apply Qplus_comp; [apply E; left; reflexivity|].
  apply IH. intros; apply E; right; assumption.
Qed.
Lemma sum_over_scale {A} (l : list A) c g : sum_over l (fun a => c * g a) == c * sum_over l g.
Proof. unfold sum_over. induction l as [|a l IH]; cbn [fold_right app]; [ring|]. rewrite IH. ring. Qed.
Lemma sum_over_const {A} (l : list A) c : sum_over l (fun _ => c) == inject_Z (Z.of_nat (length l)) * c.
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [sum_over fold_right length]. unfold sum_over in IH.
  rewrite IH, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1. ring.
Qed.
Lemma sum_over_permutation {A} (l r : list A) g : Permutation l r -> sum_over l g == sum_over r g.
Proof.
  induction 1; cbn; [reflexivity| | |]; unfold sum_over in *; [rewrite IHPermutation; reflexivity|ring|].
  rewrite IHPermutation1. exact IHPermutation2.
Qed.
Lemma sum_over_nth {A} (l : list A) g a : sum (length l) (fun i => g (nth i l a)) == sum_over l g.
Proof.
  induction l as [|b l IH]; [reflexivity|]. cbn [length]. rewrite sum_shift. cbn [nth]. rewrite IH. reflexivity.
Qed.
Lemma sum_over_seq n g : sum_over (seq 0 n) g == sum n g.
Proof.
  rewrite <- (sum_over_nth (seq 0 n) g O), seq_length. apply sum_ext. intros i Hi.
  rewrite seq_nth by exact Hi. reflexivity.
Qed.
Lemma sum_sum_over {A} n (l : list A) (g : nat -> A -> Q) :
  sum n (fun x => sum_over l (g x)) == sum_over l (fun a => sum n (fun x => g x a)).
Proof.
  unfold sum_over. induction l as [|a l IH]; cbn [fold_right]; [apply sum_zero|]. rewrite sum_plus, IH. reflexivity.
Qed.

(* a mixture may be listed *)
Lemma reached_by_list n m f k e (l : list (Q * protocol)) :
  (forall t, In t l -> 0 <= fst t /\ uses n m k (snd t)) -> sum_over l fst == 1 ->
  (forall x y, (x < n)%nat -> (y < m)%nat -> sum_over l (fun t => fst t * error k f (snd t) x y) <= e) ->
  reached Public n m f k e.
Proof.
  intros H T E. set (none := (0, tables (fun _ => O) (fun _ _ => false))).
  exists (length l), (fun i => fst (nth i l none)), (fun i => snd (nth i l none)).
  split; [split|split; [exact I|split]].
  - intros i Hi. apply H, nth_In, Hi.
  - rewrite (sum_over_nth l fst none). exact T.
  - intros i Hi. apply H, nth_In, Hi.
  - intros x y Hx Hy. unfold mean_error.
    rewrite (sum_over_nth l (fun t => fst t * error k f (snd t) x y) none). apply E; assumption.
Qed.

(* ---- all permutations of the numbers below n ---- *)

Fixpoint lists (values : list nat) (len : nat) : list (list nat) :=
  match len with O => [[]] | S len' => flat_map (fun v => map (cons v) (lists values len')) values end.

Lemma lists_spec values : forall len l, In l (lists values len) <-> length l = len /\ incl l values.
Proof.
  induction len as [|len IH]; intros l; cbn [lists].
  - split.
    + intros [<-|[]]. split; [reflexivity|intros a []].
    + intros [L _]. destruct l; [left; reflexivity|discriminate L].
  - rewrite in_flat_map. split.
    + intros [v [V M]]. apply in_map_iff in M as [r [<- M]]. apply IH in M as [L C].
      split; [cbn; lia|]. intros a [<-|A]; auto.
    + intros [L C]. destruct l as [|v r]; [discriminate L|]. exists v. split; [apply C; left; reflexivity|].
      apply in_map, IH. split; [cbn in L; lia|]. intros a A. apply C. right. exact A.
Qed.

Definition covers n (l : list nat) : bool := forallb (fun v => existsb (Nat.eqb v) l) (seq 0 n).
Definition permutations n : list (list nat) :=
  nodup (list_eq_dec Nat.eq_dec) (filter (covers n) (lists (seq 0 n) n)).

Lemma permutations_spec n l : In l (permutations n) <-> Permutation (seq 0 n) l.
Proof.
  unfold permutations. rewrite nodup_In, filter_In, lists_spec. unfold covers. rewrite forallb_forall. split.
  - intros [[L _] C]. apply NoDup_Permutation_bis; [apply seq_NoDup|rewrite seq_length; lia|].
    intros v V. specialize (C v V). apply existsb_exists in C as [v' [H E]]. apply Nat.eqb_eq in E. subst. exact H.
  - intros P. split; [split|].
    + rewrite <- (Permutation_length P). apply seq_length.
    + intros v V. apply (Permutation_in _ (Permutation_sym P)), V.
    + intros v V. apply existsb_exists. exists v. split; [apply (Permutation_in _ P), V|apply Nat.eqb_refl].
Qed.

Lemma permutation_of n l : Permutation (seq 0 n) l -> length l = n /\ NoDup l /\
  forall x, (x < n)%nat -> (nth x l O < n)%nat.
Proof.
  intros P. assert (length l = n) as L by (rewrite <- (Permutation_length P); apply seq_length).
  split; [exact L|]. split; [apply (Permutation_NoDup P), seq_NoDup|]. intros x Hx.
  rewrite <- L in Hx. pose proof (nth_In l O Hx) as I. apply (Permutation_in _ (Permutation_sym P)), in_seq in I. lia.
Qed.

Lemma sum_permuted n l g : Permutation (seq 0 n) l -> sum n (fun x => g (nth x l O)) == sum n g.
Proof.
  intros P. destruct (permutation_of n l P) as [L _]. rewrite <- L at 1.
  rewrite (sum_over_nth l g O), <- (sum_over_permutation _ _ g P). apply sum_over_seq.
Qed.

Definition swap i j x : nat := if (x =? i)%nat then j else if (x =? j)%nat then i else x.
Definition swapped n i j (l : list nat) : list nat := map (fun x => nth (swap i j x) l O) (seq 0 n).

Lemma swap_swap i j x : swap i j (swap i j x) = x.
Proof.
  unfold swap. destruct (Nat.eqb_spec x i) as [->|N].
  - destruct (Nat.eqb_spec j i) as [->|M]; [reflexivity|]. rewrite Nat.eqb_refl. reflexivity.
  - destruct (Nat.eqb_spec x j) as [->|M].
    + rewrite Nat.eqb_refl. reflexivity.
    + destruct (Nat.eqb_spec x i), (Nat.eqb_spec x j); congruence.
Qed.
Lemma swap_below n i j x : (i < n -> j < n -> x < n -> swap i j x < n)%nat.
Proof. unfold swap. destruct (x =? i)%nat, (x =? j)%nat; auto. Qed.

Section Symmetric.
Variables (n i j : nat).
Hypotheses (Hi : (i < n)%nat) (Hj : (j < n)%nat).

Lemma swapped_permutation l : Permutation (seq 0 n) l -> Permutation (seq 0 n) (swapped n i j l).
Proof.
  intros P. destruct (permutation_of n l P) as [L [D _]]. unfold swapped.
  assert (Permutation (seq 0 n) (map (swap i j) (seq 0 n))) as S.
  { apply NoDup_Permutation.
    - apply seq_NoDup.
    - apply (NoDup_map_inv (swap i j)). rewrite map_map, (map_ext _ (fun x => x)) by (intros; apply swap_swap).
      rewrite map_id. apply seq_NoDup.
    - intros x. rewrite in_map_iff, in_seq. split.
      + intros H. exists (swap i j x). split; [apply swap_swap|]. apply in_seq.
        pose proof (swap_below n i j x Hi Hj). lia.
      + intros [y [<- Y]]. apply in_seq in Y. pose proof (swap_below n i j y Hi Hj). lia. }
  assert (map (fun x => nth x l O) (seq 0 n) = l) as M.
  { apply (nth_ext _ _ O O); [rewrite map_length, seq_length; auto|]. rewrite map_length, seq_length. intros x Hx.
    apply nth_map_seq with (g := fun x => nth x l O), Hx. }
  apply (Permutation_map (fun x => nth x l O)) in S. rewrite M, map_map in S. etransitivity; [exact P|exact S].
Qed.

Lemma swapped_swapped l : length l = n -> swapped n i j (swapped n i j l) = l.
Proof.
  intros L. unfold swapped. apply (nth_ext _ _ O O); [rewrite map_length, seq_length; auto|].
  rewrite map_length, seq_length. intros x Hx.
  rewrite (nth_map_seq (fun x => nth (swap i j x) _ O)) by exact Hx.
  rewrite (nth_map_seq (fun x => nth (swap i j x) l O)) by (apply swap_below; assumption).
  rewrite swap_swap. reflexivity.
Qed.

Lemma permutations_swapped : Permutation (map (swapped n i j) (permutations n)) (permutations n).
Proof.
  assert (map (swapped n i j) (map (swapped n i j) (permutations n)) = permutations n) as T.
  { rewrite map_map. rewrite <- map_id. apply map_ext_in. intros l H. apply permutations_spec in H.
    apply swapped_swapped. apply permutation_of, H. }
  apply NoDup_Permutation.
  - apply (NoDup_map_inv (swapped n i j)). rewrite T. apply NoDup_nodup.
  - apply NoDup_nodup.
  - intros l. rewrite in_map_iff. split.
    + intros [r [<- R]]. apply permutations_spec, swapped_permutation, permutations_spec, R.
    + intros H. exists (swapped n i j l). apply permutations_spec in H. split.
      * apply swapped_swapped. apply permutation_of, H.
      * apply permutations_spec, swapped_permutation, H.
Qed.
End Symmetric.

(* how often something happens to two inputs, over all permutations *)
Definition often n (F : nat -> nat -> Q) x y : Q := sum_over (permutations n) (fun l => F (nth x l O) (nth y l O)).

Lemma often_swap n F i j x y : (i < n -> j < n -> x < n -> y < n ->
  often n F x y == often n F (swap i j x) (swap i j y))%nat.
Proof.
  intros Hi Hj Hx Hy. unfold often at 1. rewrite <- (sum_over_permutation _ _ _ (permutations_swapped n i j Hi Hj)).
  rewrite sum_over_map. apply sum_over_ext. intros l _. unfold swapped.
  rewrite !(nth_map_seq (fun x => nth (swap i j x) l O)) by assumption. reflexivity.
Qed.

Ltac swaps := unfold swap; repeat match goal with |- context [(?a =? ?b)%nat] => destruct (Nat.eqb_spec a b) end;
  try congruence; try reflexivity.

Lemma often_equal n F x x' : (x < n -> x' < n -> often n F x x == often n F x' x')%nat.
Proof. intros Hx Hx'. rewrite (often_swap n F x x' x x) by assumption. swaps. Qed.

Lemma often_different n F x y x' y' : (x < n -> y < n -> x' < n -> y' < n -> x <> y -> x' <> y' ->
  often n F x y == often n F x' y')%nat.
Proof.
  intros Hx Hy Hx' Hy' N N'.
  assert (forall y, (y < n)%nat -> y <> x' -> often n F x' y == often n F x' y') as S.
  { intros z Hz M. rewrite (often_swap n F z y' x' z) by assumption. swaps. }
  destruct (Nat.eq_dec y x') as [->|M].
  - rewrite (often_swap n F x x' x x') by assumption.
    assert (swap x x' x = x') as -> by swaps. assert (swap x x' x' = x) as -> by swaps. apply S; assumption.
  - rewrite (often_swap n F x x' x y) by assumption.
    assert (swap x x' x = x') as -> by swaps. assert (swap x x' y = y) as -> by swaps. apply S; assumption.
Qed.

Definition orders n : Q := inject_Z (Z.of_nat (length (permutations n))).

Lemma orders_positive n : 0 < orders n.
Proof.
  unfold orders. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt.
  assert (In (seq 0 n) (permutations n)) as H by (apply permutations_spec; reflexivity).
  destruct (permutations n); [destruct H|cbn; lia].
Qed.

Lemma often_equal_mean n F x : (x < n)%nat ->
  inject_Z (Z.of_nat n) * often n F x x == orders n * sum n (fun a => F a a).
Proof.
  intros Hx. rewrite <- sum_const.
  rewrite (sum_ext n _ (fun a => often n F a a)) by (intros a Ha; apply often_equal; assumption).
  unfold often. rewrite sum_sum_over, <- (sum_over_const (permutations n)). apply sum_over_ext. intros l H.
  apply permutations_spec in H. apply (sum_permuted n l (fun a => F a a) H).
Qed.

Lemma often_different_mean n F x y : (x < n)%nat -> (y < n)%nat -> x <> y ->
  inject_Z (Z.of_nat n) * (inject_Z (Z.of_nat n) - 1) * often n F x y
  == orders n * (sum n (fun a => sum n (fun b => F a b)) - sum n (fun a => F a a)).
Proof.
  intros Hx Hy N.
  assert (sum n (fun a => sum n (fun b => often n F a b)) == orders n * sum n (fun a => sum n (fun b => F a b))) as A.
  { unfold often.
    rewrite (sum_ext n _ (fun a => sum_over (permutations n) (fun l => sum n (fun b => F (nth a l O) (nth b l O)))))
      by (intros; apply sum_sum_over).
    rewrite sum_sum_over. unfold orders. rewrite <- sum_over_const. apply sum_over_ext. intros l H.
    apply permutations_spec in H. rewrite <- (sum_permuted n l (fun a => sum n (fun b => F a b)) H).
    apply sum_ext. intros a _. apply (sum_permuted n l (fun b => F (nth a l O) b) H). }
  pose proof (often_equal_mean n F x Hx) as D.
  rewrite (sum_ext n _ (fun a => inject_Z (Z.of_nat n) * often n F x y + (often n F x x - often n F x y))) in A.
  - rewrite sum_const in A. lra.
  - intros a Ha. rewrite (sum_ext n _ (fun b => often n F x y + chance (a =? b)%nat * (often n F x x - often n F x y))).
    + rewrite sum_plus, sum_const, (sum_single n a (fun _ => often n F x x - often n F x y)) by exact Ha. reflexivity.
    + intros b Hb. destruct (Nat.eqb_spec a b) as [<-|M]; unfold chance.
      * rewrite (often_equal n F a x) by assumption. ring.
      * rewrite (often_different n F a b x y) by assumption. ring.
Qed.

(* ---- two protocols for equality, the inputs of each permuted at random ---- *)

Definition permuted (a : nat -> nat) (b : nat -> nat -> bool) (l : list nat) : protocol :=
  tables (fun x => a (nth x l O)) (fun i y => b i (nth y l O)).
Definition mistaken (a : nat -> nat) (b : nat -> nat -> bool) x y : Q := chance (xorb (b (a x) y) (x =? y)%nat).

Lemma permuted_error n k a b l x y : (forall x, (x < n)%nat -> (a x < k)%nat) -> In l (permutations n) ->
  (x < n)%nat -> (y < n)%nat ->
  error k equality_problem (permuted a b l) x y == mistaken a b (nth x l O) (nth y l O).
Proof.
  intros A H Hx Hy. apply permutations_spec in H. destruct (permutation_of n l H) as [L [D B]].
  unfold permuted. rewrite (tables_error_is _ _ _ _ _ _ (x =? y)%nat); [|apply A, B, Hx|reflexivity].
  unfold mistaken. cbv beta.
  replace (nth x l 0 =? nth y l 0)%nat with (x =? y)%nat; [reflexivity|].
  destruct (Nat.eqb_spec x y) as [->|N]; symmetry; [apply Nat.eqb_refl|]. apply Nat.eqb_neq. intros E.
  apply N. apply (proj1 (NoDup_nth l O) D); congruence.
Qed.

Theorem two_permuted n k u v a b a' b' e : 0 <= u -> 0 <= v -> u + v == 1 ->
  (forall x, (x < n)%nat -> (a x < k)%nat) -> (forall x, (x < n)%nat -> (a' x < k)%nat) ->
  (forall x y, (x < n)%nat -> (y < n)%nat ->
     u * often n (mistaken a b) x y + v * often n (mistaken a' b') x y <= e * orders n) ->
  reached Public n n equality_problem k e.
Proof.
  intros U V T A A' E. pose proof (orders_positive n) as G.
  apply reached_by_list with (l := map (fun l => (u / orders n, permuted a b l)) (permutations n)
    ++ map (fun l => (v / orders n, permuted a' b' l)) (permutations n)).
  - assert (forall c, 0 <= c -> 0 <= c / orders n) as P by (intros; apply Qle_shift_div_l; lra).
    intros t H. apply in_app_iff in H as [H|H]; apply in_map_iff in H as [l [<- H]]; cbn [fst snd];
      (split; [apply P; assumption|]); apply permutations_spec, permutation_of in H as [_ [_ H]];
      apply tables_uses; auto.
  - rewrite sum_over_app, !sum_over_map. cbn [fst]. rewrite !sum_over_const. fold (orders n).
    rewrite <- T. field. lra.
  - intros x y Hx Hy. rewrite sum_over_app, !sum_over_map. cbn [fst snd]. rewrite !sum_over_scale.
    rewrite (sum_over_ext (permutations n) _ (fun l => mistaken a b (nth x l O) (nth y l O)))
      by (intros; apply (permuted_error n); assumption).
    rewrite (sum_over_ext (permutations n) (fun l => error _ _ (permuted a' b' l) _ _)
      (fun l => mistaken a' b' (nth x l O) (nth y l O))) by (intros; apply (permuted_error n); assumption).
    specialize (E x y Hx Hy). unfold often in E.
    match goal with |- u / _ * ?s + v / _ * ?t <= e => setoid_replace (u / orders n * s + v / orders n * t)
      with ((u * s + v * t) / orders n) by (field; lra) end.
    apply Qle_shift_div_r; assumption.
Qed.
