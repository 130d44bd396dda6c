(* Symmetric forms that are sums of squares, by an elimination in integers that rounds each entry down. *)
From Coq Require Import List Arith ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture OneWay.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- sums of squares, with weights ---- *)

Definition squares_at (l : list (Q * (nat -> Q))) i j : Q :=
  fold_right (fun p s => fst p * (snd p i * snd p j) + s) 0 l.
Definition is_squares n (A : nat -> nat -> Q) := exists l, (forall p, In p l -> 0 <= fst p) /\
  forall i j, (i < n)%nat -> (j < n)%nat -> A i j == squares_at l i j.

Lemma squares_app l k i j : squares_at (l ++ k) i j == squares_at l i j + squares_at k i j.
Proof. unfold squares_at. induction l as [|p l IH]; cbn [app fold_right]; [ring|]. rewrite IH. ring. Qed.
Lemma is_squares_ext n A B : (forall i j, (i < n)%nat -> (j < n)%nat -> A i j == B i j) -> is_squares n A -> is_squares n B.
Proof. intros E [l [N H]]. exists l. split; [exact N|]. intros i j I J. rewrite <- E by assumption. apply H; assumption. Qed.
Lemma is_squares_plus n A B : is_squares n A -> is_squares n B -> is_squares n (fun i j => A i j + B i j).
Proof.
  intros [l [N H]] [k [M G]]. exists (l ++ k). split.
  - intros p I. apply in_app_or in I as [I|I]; auto.
  - intros i j I J. rewrite squares_app, H, G by assumption. reflexivity.
Qed.
Lemma is_squares_one n c v : 0 <= c -> is_squares n (fun i j => c * (v i * v j)).
Proof. intros C. exists [(c, v)]. split; [intros p [<-|[]]; exact C|]. intros i j _ _. cbn. ring. Qed.
Lemma is_squares_sum n k A : (forall a, (a < k)%nat -> is_squares n (A a)) -> is_squares n (fun i j => sum k (fun a => A a i j)).
Proof.
  induction k as [|k IH]; intros H.
  - exists []. split; [intros p []|]. intros i j _ _. reflexivity.
  - cbn [sum]. apply is_squares_plus; [apply IH; intros; apply H; lia|apply H; lia].
Qed.
(* one more line in front, with zeros *)
Lemma is_squares_shift n A : is_squares n A ->
  is_squares (S n) (fun i j => match i, j with S i', S j' => A i' j' | _, _ => 0 end).
Proof.
  intros [l [N H]]. exists (map (fun p => (fst p, fun i => match i with O => 0 | S i' => snd p i' end)) l). split.
  - intros p I. apply in_map_iff in I as [r [<- I]]. exact (N r I).
  - intros i j I J. assert (forall l, squares_at (map (fun p : Q * (nat -> Q) =>
        (fst p, fun i => match i with O => 0 | S i' => snd p i' end)) l) i j
      == match i, j with S i', S j' => squares_at l i' j' | _, _ => 0 end) as E.
    { clear. induction l as [|p l IH]; [destruct i, j; reflexivity|]. unfold squares_at in *. cbn [map fold_right fst snd].
      rewrite IH. destruct i, j; cbn [fold_right]; ring. }
    rewrite E. destruct i, j; try reflexivity. apply H; lia.
Qed.

Definition delta i j : Q := chance (i =? j)%nat.
Lemma delta_sym i j : delta i j = delta j i.
Proof. unfold delta. rewrite Nat.eqb_sym. reflexivity. Qed.
Lemma sum_delta k a (g : nat -> Q) : (a < k)%nat -> sum k (fun i => delta a i * g i) == g a.
Proof. apply sum_single. Qed.

(* small entries below a diagonal that is as large as there are lines *)
Lemma dominated k n (e : nat -> nat -> Q) : (k <= n)%nat ->
  (forall i j, (i < k)%nat -> (j < k)%nat -> 0 <= e i j <= 1 /\ e i j == e j i) ->
  is_squares k (fun i j => inject_Z (Z.of_nat n) * delta i j - e i j).
Proof.
  intros L E. set (r i := sum k (e i)).
  apply (is_squares_ext k (fun i j =>
    sum k (fun a => sum k (fun b => (1 # 2) * e a b * ((delta a i - delta b i) * (delta a j - delta b j))))
    + sum k (fun a => (inject_Z (Z.of_nat n) - r a) * (delta a i * delta a j)))).
  - intros i j I J.
    rewrite (sum_ext k (fun a => sum k (fun b => (1 # 2) * e a b * ((delta a i - delta b i) * (delta a j - delta b j))))
      (fun a => delta i a * ((1 # 2) * (delta a j * r a)) + (- (1 # 2)) * (delta i a * e a j)
        + (- (1 # 2)) * (delta j a * e a i) + (1 # 2) * (delta i j * e a i))).
    2:{ intros a Ha. rewrite (sum_ext k _ (fun b => (1 # 2) * (delta a i * delta a j) * e a b
          + (- (1 # 2)) * delta a i * (delta j b * e a b) + (- (1 # 2)) * delta a j * (delta i b * e a b)
          + (1 # 2) * (delta i b * (delta b j * e a b))))
          by (intros b _; rewrite (delta_sym b i), (delta_sym b j), (delta_sym j b); ring).
        rewrite !sum_plus, !sum_scale, !sum_delta by assumption. change (sum k (e a)) with (r a).
        rewrite (delta_sym a i), (delta_sym a j).
        rewrite (delta_sym j a). ring. }
    rewrite !sum_plus, !sum_scale, !sum_delta by assumption.
    rewrite (sum_ext k (fun a => (inject_Z (Z.of_nat n) - r a) * (delta a i * delta a j))
      (fun a => delta i a * ((inject_Z (Z.of_nat n) - r a) * delta a j))) by (intros a _; rewrite (delta_sym a i); ring).
    rewrite sum_delta by exact I. rewrite (sum_ext k (fun a => e a i) (fun a => e i a)) by (intros a Ha; apply E; assumption).
    change (sum k (fun a => e i a)) with (r i). rewrite (proj2 (E j i J I)). ring.
  - apply is_squares_plus.
    + apply is_squares_sum. intros a Ha. apply is_squares_sum. intros b Hb.
      apply (is_squares_one k ((1 # 2) * e a b) (fun i => delta a i - delta b i)). destruct (E a b Ha Hb) as [[P _] _]. lra.
    + apply is_squares_sum. intros a Ha. apply (is_squares_one k (inject_Z (Z.of_nat n) - r a) (fun i => delta a i)).
      assert (r a <= inject_Z (Z.of_nat k)) as R.
      { unfold r. apply Qle_trans with (sum k (fun _ => 1)); [apply sum_le; intros b Hb; apply E; assumption|].
        clear. induction k as [|k IH]; [apply Qle_refl|]. cbn [sum]. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus.
        change (inject_Z 1) with 1. lra. }
      assert (inject_Z (Z.of_nat k) <= inject_Z (Z.of_nat n)) by (rewrite <- Zle_Qle; lia). lra.
Qed.

(* ---- the elimination: rows begin at the diagonal ---- *)

Local Open Scope Z_scope.

Fixpoint at_form (form : list (list Z)) (i j : nat) : Z :=
  match form with
  | [] => 0
  | row :: rest => match i, j with
                   | O, _ => nth j row 0
                   | _, O => nth i row 0
                   | S i', S j' => at_form rest i' j'
                   end
  end.
Fixpoint shaped (form : list (list Z)) : bool :=
  match form with [] => true | row :: rest => (length row =? S (length rest))%nat && shaped rest end.
Fixpoint less_products (a pivot : Z) (row line : list Z) : list Z :=
  match row, line with v :: row', b :: line' => v - a * b / pivot :: less_products a pivot row' line' | _, _ => [] end.
Fixpoint eliminated (pivot : Z) (line : list Z) (rest : list (list Z)) : list (list Z) :=
  match line, rest with
  | a :: line', row :: rest' => less_products a pivot row line :: eliminated pivot line' rest'
  | _, _ => []
  end.
Fixpoint positive_from (n i top : Z) (steps : nat) (form : list (list Z)) : bool :=
  match steps, form with
  | _, [] => true
  | S k, (d :: line) :: rest =>
      let pivot := d - n * i in
      forallb (fun a => Z.abs a <=? top) (d :: line) && (0 <? pivot) && positive_from n (i + 1) top k (eliminated pivot line rest)
  | _, _ => false
  end.
Definition top_of (form : list (list Z)) : Z := fold_right (fun row s => Z.max (hd 0 row) s) 0 form.
Definition check_positive (form : list (list Z)) : bool :=
  shaped form && positive_from (Z.of_nat (length form)) 0 (top_of form) (length form) form.

Lemma at_form_sym : forall form i j, at_form form i j = at_form form j i.
Proof. induction form as [|row rest IH]; intros [|i] [|j]; cbn; auto. Qed.
Lemma less_products_length a p : forall row line, length row = length line -> length (less_products a p row line) = length line.
Proof. induction row as [|v row IH]; intros [|b line] E; try discriminate; [reflexivity|]. cbn. f_equal. apply IH. injection E as E. exact E. Qed.
Lemma less_products_nth a p : forall row line j, length row = length line -> (j < length line)%nat ->
  nth j (less_products a p row line) 0 = nth j row 0 - a * nth j line 0 / p.
Proof.
  induction row as [|v row IH]; intros [|b line] [|j] E H; cbn [length] in *; try lia; [reflexivity|].
  cbn [less_products nth]. apply IH; lia.
Qed.
Lemma eliminated_spec p : forall line rest, shaped rest = true -> length line = length rest ->
  length (eliminated p line rest) = length rest /\ shaped (eliminated p line rest) = true /\
  forall i j, (i < length rest)%nat -> (j < length rest)%nat ->
    at_form (eliminated p line rest) i j = at_form rest i j - nth i line 0 * nth j line 0 / p.
Proof.
  induction line as [|a line IH]; intros [|row rest] S E; try discriminate; [repeat split; cbn; intros; lia|].
  cbn [shaped] in S. apply andb_prop in S as [R S]. apply Nat.eqb_eq in R. injection E as E.
  destruct (IH rest S E) as [L [T H]]. cbn [eliminated length shaped]. split; [congruence|]. split.
  - rewrite less_products_length by (cbn; congruence). cbn [length]. rewrite L, E, T, Nat.eqb_refl. reflexivity.
  - intros [|i] [|j] I J; cbn [at_form].
    + rewrite less_products_nth by (cbn; congruence || lia). reflexivity.
    + rewrite less_products_nth by (cbn; congruence || lia). reflexivity.
    + rewrite less_products_nth by (cbn; congruence || lia). cbn [nth]. rewrite (Z.mul_comm a). reflexivity.
    + cbn [nth]. apply H; lia.
Qed.

Lemma floor_between a p : 0 < p -> (0 <= inject_Z a / inject_Z p - inject_Z (a / p) <= 1)%Q.
Proof.
  intros P. pose proof (inject_pos p P) as Q. pose proof (Z.div_mod a p ltac:(lia)) as D. pose proof (Z.mod_pos_bound a p P) as B.
  assert (inject_Z a == inject_Z p * inject_Z (a / p) + inject_Z (a mod p))%Q as E
    by (rewrite <- inject_Z_mult, <- inject_Z_plus, <- D; reflexivity).
  assert (inject_Z a / inject_Z p - inject_Z (a / p) == inject_Z (a mod p) / inject_Z p)%Q as -> by (rewrite E; field; lra).
  split.
  - apply Qle_shift_div_l; [exact Q|]. rewrite Qmult_0_l. apply inject_nonneg. lia.
  - apply Qle_shift_div_r; [exact Q|]. rewrite Qmult_1_l, <- Zle_Qle. lia.
Qed.

Theorem positive_from_spec n top : forall steps i form, 0 <= i -> (Z.of_nat (length form) <= n) -> shaped form = true ->
  positive_from n i top steps form = true ->
  is_squares (length form) (fun x y => inject_Z (at_form form x y) - inject_Z (n * i) * delta x y)%Q.
Proof.
  induction steps as [|steps IH]; intros i form Pi L Sh H; (destruct form as [|[|d line] rest];
    [exists []; split; [intros p []|cbn; intros; lia]|try discriminate..]).
  cbn [positive_from] in H. apply andb_prop in H as [H G]. apply andb_prop in H as [_ P]. apply Z.ltb_lt in P.
  set (p := d - n * i) in *. cbn [shaped] in Sh. apply andb_prop in Sh as [R Sh]. apply Nat.eqb_eq in R. injection R as R.
  destruct (eliminated_spec p line rest Sh R) as [Le [Se At]]. cbn [length] in *.
  specialize (IH (i + 1) _ ltac:(lia) ltac:(rewrite Le; lia) Se G). rewrite Le in IH.
  set (t x := inject_Z (nth x line 0)). set (e x y := (t x * t y / inject_Z p - inject_Z (nth x line 0 * nth y line 0 / p)%Z)%Q).
  pose proof (inject_pos p P) as Q.
  assert (is_squares (length rest) (fun x y => inject_Z (Z.of_nat (Z.to_nat n)) * delta x y - e x y)%Q) as D.
  { apply dominated; [lia|]. intros x y _ _. unfold e, t. split.
    - rewrite <- inject_Z_mult. apply floor_between, P.
    - rewrite (Z.mul_comm (nth x line 0)). unfold Qdiv. ring. }
  pose proof (is_squares_shift _ _ (is_squares_plus _ _ _ IH D)) as T.
  pose proof (is_squares_one (S (length rest)) (/ inject_Z p) (fun x => match x with O => inject_Z p | S x' => t x' end)
    ltac:(apply Qlt_le_weak, Qinv_lt_0_compat, Q)) as O.
  refine (is_squares_ext _ _ _ _ (is_squares_plus _ _ _ O T)). intros x y X Y. cbv beta.
  destruct x as [|x], y as [|y]; cbn [at_form nth].
  - unfold delta, chance. cbn [Nat.eqb].
    assert (inject_Z d - inject_Z (n * i) * 1 == inject_Z p)%Q as ->
      by (unfold p, Z.sub; rewrite inject_Z_plus, inject_Z_opp; ring). field. lra.
  - unfold delta, chance. cbn [Nat.eqb]. fold (t y). field. lra.
  - unfold delta, chance. cbn [Nat.eqb]. fold (t x). field. lra.
  - unfold delta, chance. cbn [Nat.eqb]. rewrite At by lia. unfold Z.sub at 1. rewrite inject_Z_plus, inject_Z_opp.
    rewrite Z2Nat.id by lia. unfold e. rewrite Z.mul_add_distr_l, inject_Z_plus, Z.mul_1_r. unfold delta, chance.
    destruct (x =? y)%nat; field; lra.
Qed.
Corollary check_positive_sound form : check_positive form = true ->
  is_squares (length form) (fun x y => inject_Z (at_form form x y)).
Proof.
  unfold check_positive. intros H. apply andb_prop in H as [S H].
  refine (is_squares_ext _ _ _ _ (positive_from_spec (Z.of_nat (length form)) _ _ 0 form ltac:(lia) ltac:(lia) S H)). intros x y _ _.
  rewrite Z.mul_0_r. change (inject_Z 0) with 0%Q. ring.
Qed.

(* ---- what sums of squares are good for ---- *)

Local Open Scope Q_scope.

Lemma squares_sum l i j : squares_at l i j == sum (length l) (fun k => fst (nth k l (0, fun _ => 0)) *
  (snd (nth k l (0, fun _ => 0)) i * snd (nth k l (0, fun _ => 0)) j)).
Proof.
  induction l as [|p l IH]; [reflexivity|]. cbn [length]. rewrite sum_shift. cbn [nth squares_at fold_right].
  fold (squares_at l i j). rewrite IH. reflexivity.
Qed.
Lemma form_nonneg n A z : is_squares n A -> 0 <= sum n (fun i => sum n (fun j => z i * z j * A i j)).
Proof.
  intros [l [N H]].
  rewrite (sum_ext n _ (fun i => sum n (fun j => z i * z j * squares_at l i j))).
  2:{ intros i I. apply sum_ext. intros j J. rewrite H by assumption. reflexivity. }
  clear H A. induction l as [|p l IH].
  - rewrite (sum_ext n _ (fun _ => 0)); [rewrite sum_zero; apply Qle_refl|]. intros i _.
    rewrite (sum_ext n _ (fun _ => 0)); [apply sum_zero|]. intros j _. unfold squares_at. cbn [fold_right]. ring.
  - set (s := sum n (fun i => z i * snd p i)).
    rewrite (sum_ext n _ (fun i => fst p * (s * (z i * snd p i)) + sum n (fun j => z i * z j * squares_at l i j))).
    + rewrite sum_plus, !sum_scale. fold s. specialize (IH (fun r R => N r (in_cons _ _ _ R))). pose proof (N p (in_eq _ _)).
      assert (0 <= s * s) by (destruct (Qlt_le_dec s 0); nra). nra.
    + intros i _. unfold s. rewrite <- (Qmult_comm (z i * snd p i)), <- sum_scale, <- sum_scale, <- sum_plus. apply sum_ext.
      intros j _. unfold squares_at. cbn [fold_right]. ring.
Qed.
