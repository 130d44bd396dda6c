(* Fractional partitions of powers of a matrix, from below: weights of the types of inputs, of which no rectangle
   has much, because it lies in a product of maximal rectangles of the matrix. *)
From Coq Require Import String List Arith NArith ZArith QArith Lia Lqa Bool Permutation.
From CCSim Require Import Definitions Json Certificate Sums Mixture OneWay Tables Arrays RandomClasses SymmetricProtocols Inputs
  Heaviest Covers Moves PowerInputs PowerCovers PowerPartitions.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- the maximal rectangles of the matrix ---- *)

Fixpoint sublists (l : list nat) : list (list nat) :=
  match l with [] => [[]] | a :: l' => let r := sublists l' in map (cons a) r ++ r end.
Lemma filter_sublist (p : nat -> bool) l : In (filter p l) (sublists l).
Proof.
  induction l as [|a l IH]; [left; reflexivity|]. cbn [filter sublists]. apply in_or_app.
  destruct (p a); [left; apply in_map, IH|right; exact IH].
Qed.
Fixpoint tuples (ls : list (list nat)) : list (list nat) :=
  match ls with [] => [[]] | l :: ls' => let r := tuples ls' in flat_map (fun a => map (cons a) r) l end.
Lemma tuples_in : forall ls l, Forall2 (fun a s => In a s) l ls -> In l (tuples ls).
Proof.
  intros ls l F. induction F as [|a s l ls A F IH]; [left; reflexivity|]. cbn [tuples]. apply in_flat_map.
  exists a. split; [exact A|apply in_map, IH].
Qed.

(* selections with repetition, each in one order *)
Fixpoint multisets {A} (r : list A) (len : nat) : list (list A) :=
  match r with
  | [] => match len with O => [[]] | S _ => [] end
  | a :: r' => flat_map (fun j => map (fun l => repeat a j ++ l) (multisets r' (len - j))) (seq 0 (S len))
  end.
Lemma multisets_in {A} (eq : forall a b : A, {a = b} + {a <> b}) : forall r l : list A, (forall a, In a l -> In a r) ->
  exists t, In t (multisets r (length l)) /\ Permutation l t.
Proof.
  induction r as [|a r IH]; intros l H.
  - destruct l as [|b l]; [exists []; split; [left; reflexivity|constructor]|destruct (H b (in_eq _ _))].
  - set (own := filter (fun b => if eq b a then true else false) l).
    set (rest := filter (fun b => if eq b a then false else true) l).
    assert (Permutation l (own ++ rest)) as P.
    { unfold own, rest. clear. induction l as [|b l IH]; [constructor|]. cbn [filter]. destruct (eq b a).
      - cbn [app]. constructor. exact IH.
      - etransitivity; [constructor; exact IH|apply Permutation_middle]. }
    assert (own = repeat a (length own)) as O.
    { unfold own. clear. induction l as [|b l IH]; [reflexivity|]. cbn [filter]. destruct (eq b a) as [->|]; [|exact IH].
      cbn [length repeat]. f_equal. exact IH. }
    destruct (IH rest) as [t [I Q]].
    { intros b I. unfold rest in I. apply filter_In in I as [I E]. destruct (eq b a); [discriminate|].
      destruct (H b I) as [->|J]; [congruence|exact J]. }
    pose proof (Permutation_length P) as L. rewrite app_length in L.
    exists (own ++ t). split; [|rewrite P; apply Permutation_app_head, Q].
    cbn [multisets]. apply in_flat_map. exists (length own). split; [apply in_seq; lia|]. rewrite <- O.
    apply in_map. replace (length l - length own)%nat with (length rest) by lia. exact I.
Qed.

Section Products.
Variables (n m k : nat) (V : nat -> nat -> bool).
Hypothesis N0 : (0 < n)%nat.
Hypothesis M0 : (0 < m)%nat.
Notation P := (power_value n m k V).

(* the smallest rectangle that is maximal and contains some rows *)
Definition closure (s : list nat) : list nat * list nat :=
  let c := filter (fun y => forallb (fun x => V x y) s) (seq 0 m) in
  (filter (fun x => forallb (fun y => V x y) c) (seq 0 n), c).
Definition equal_sides (r s : list nat * list nat) : {r = s} + {r <> s}.
Proof. repeat decide equality. Defined.
Definition maximal : list (list nat * list nat) := nodup equal_sides (map closure (sublists (seq 0 n))).
Definition rows_of (t : list (list nat * list nat)) : list nat := map (number_from n) (tuples (map fst t)).
Definition columns_of (t : list (list nat * list nat)) : list nat := map (number_from m) (tuples (map snd t)).

Variable r : rectangle.
Hypothesis of : of_value (n ^ k) (m ^ k) P true r.
Definition rows_at (i : nat) : list nat :=
  filter (fun a => existsb (fun x => fst r x && (nth i (parts n k x) O =? a)%nat) (seq 0 (n ^ k))) (seq 0 n).
Definition product_around : list (list nat * list nat) := map (fun i => closure (rows_at i)) (seq 0 k).

Lemma product_listed : exists t, In t (multisets maximal k) /\ Permutation product_around t.
Proof.
  assert (length product_around = k) as L by (unfold product_around; rewrite map_length; apply seq_length).
  destruct (multisets_in equal_sides maximal product_around) as [t [I Pm]]; [|rewrite L in I; exists t; split; assumption].
  intros a I. apply in_map_iff in I as [i [<- _]]. apply nodup_In.
  apply in_map, filter_sublist.
Qed.
Lemma digit_within a z i : (0 < a)%nat -> (i < k)%nat -> (nth i (parts a k z) O < a)%nat.
Proof.
  intros A I. pose proof (parts_within a A k z) as W. rewrite Forall_forall in W. apply W, nth_In.
  rewrite parts_length. exact I.
Qed.
Lemma cell_holds i : forall l s, length l = length s -> (i < length l)%nat -> all_hold V (combine l s) = true ->
  V (nth i l O) (nth i s O) = true.
Proof.
  induction i as [|i IH]; intros [|a l] [|c s] E I H; try discriminate; try (cbn in I; lia);
    unfold all_hold in H; cbn [combine forallb fst snd] in H; apply andb_prop in H as [A H]; [exact A|].
  cbn [nth]. apply IH; [injection E as E; exact E|cbn in I; lia|exact H].
Qed.
Lemma row_at x i : (x < n ^ k)%nat -> fst r x = true -> (i < k)%nat -> In (nth i (parts n k x) O) (rows_at i).
Proof.
  intros X R I. unfold rows_at. apply filter_In. split; [apply in_seq; pose proof (digit_within n x i N0 I); lia|].
  apply existsb_exists. exists x. split; [apply in_seq; lia|]. rewrite R, Nat.eqb_refl. reflexivity.
Qed.
Lemma column_at y i : (y < m ^ k)%nat -> snd r y = true -> (i < k)%nat ->
  In (nth i (parts m k y) O) (snd (closure (rows_at i))).
Proof.
  intros Y R I. unfold closure. cbn [snd]. apply filter_In.
  split; [apply in_seq; pose proof (digit_within m y i M0 I); lia|]. apply forallb_forall. intros a A.
  unfold rows_at in A. apply filter_In in A as [_ A]. apply existsb_exists in A as [x [X A]]. apply in_seq in X.
  apply andb_prop in A as [Rx E]. apply Nat.eqb_eq in E. subst a.
  apply cell_holds; [rewrite !parts_length; reflexivity|rewrite parts_length; exact I|].
  assert (P x y = Some (all_hold V (cells_of n m k x y))) as Q by reflexivity.
  apply (of x y _ ltac:(lia) Y) in Q; [exact Q|]. unfold holds. rewrite Rx, R. reflexivity.
Qed.
Lemma row_in_closure a s : In a s -> (a < n)%nat -> In a (fst (closure s)).
Proof.
  intros I A. unfold closure. cbn [fst]. apply filter_In. split; [apply in_seq; lia|]. apply forallb_forall.
  intros y Y. apply filter_In in Y as [_ Y]. rewrite forallb_forall in Y. apply Y, I.
Qed.
End Products.

(* a rectangle inside a product, by the digits of its rows and columns *)
Definition inside n m k (r : rectangle) (t : list (list nat * list nat)) : Prop :=
  (forall x, (x < n ^ k)%nat -> fst r x = true -> Forall2 (fun a s => In a (fst s)) (parts n k x) t) /\
  (forall y, (y < m ^ k)%nat -> snd r y = true -> Forall2 (fun a s => In a (snd s)) (parts m k y) t).
Lemma forall2_each (R : nat -> list nat * list nat -> Prop) (u : nat -> list nat * list nat) :
  forall l j, (forall i, (i < length l)%nat -> R (nth i l O) (u (j + i)%nat)) -> Forall2 R l (map u (seq j (length l))).
Proof.
  induction l as [|a l IH]; intros j K; [constructor|]. cbn [length seq map]. constructor.
  - specialize (K O ltac:(cbn; lia)). rewrite Nat.add_0_r in K. exact K.
  - apply IH. intros i I. specialize (K (S i) ltac:(cbn; lia)). rewrite Nat.add_succ_r in K. exact K.
Qed.
Lemma inside_around n m k V (N0 : (0 < n)%nat) (M0 : (0 < m)%nat) r :
  of_value (n ^ k) (m ^ k) (power_value n m k V) true r -> inside n m k r (product_around n m k V r).
Proof.
  intros Of. unfold product_around. split; intros x X R.
  - pose proof (forall2_each (fun a s => In a (fst s)) (fun i => closure n m V (rows_at n k r i)) (parts n k x) 0) as G.
    rewrite parts_length in G. apply G. intros i I. cbn [Nat.add].
    eapply row_in_closure; try eassumption; [eapply row_at; eassumption|eapply digit_within; eassumption].
  - pose proof (forall2_each (fun a s => In a (snd s)) (fun i => closure n m V (rows_at n k r i)) (parts m k x) 0) as G.
    rewrite parts_length in G. apply G. intros i I. cbn [Nat.add]. eapply column_at; eassumption.
Qed.
Lemma inside_listed n m k r t (N0 : (0 < n)%nat) (M0 : (0 < m)%nat) : inside n m k r t ->
  (forall x, (x < n ^ k)%nat -> fst r x = true -> In x (rows_of n t)) /\
  (forall y, (y < m ^ k)%nat -> snd r y = true -> In y (columns_of m t)).
Proof.
  assert (forall (f : list nat * list nat -> list nat) l t, Forall2 (fun a s => In a (f s)) l t ->
    Forall2 (fun a s => In a s) l (map f t)) as G.
  { induction 1; constructor; assumption. }
  intros [R C]. split; intros x X H.
  - unfold rows_of. rewrite <- (number_parts n N0 k x X). apply in_map, tuples_in, G, R; assumption.
  - unfold columns_of. rewrite <- (number_parts m M0 k x X). apply in_map, tuples_in, G, C; assumption.
Qed.
Lemma forall2_exchanged (R : nat -> list nat * list nat -> Prop) a b : forall p q l,
  Forall2 R (repeated (length p) exchange l) (p ++ a :: b :: q) -> Forall2 R l (p ++ b :: a :: q).
Proof.
  induction p as [|c p IH]; intros q l H.
  - cbn in H. destruct l as [|d [|e l]]; cbn in H; inversion H as [|? ? ? ? A H']; subst.
    + inversion H'.
    + inversion H' as [|? ? ? ? B H'']; subst. constructor; [exact B|constructor; assumption].
  - destruct l as [|d l]; cbn in H; inversion H as [|? ? ? ? A H']; subst. cbn [app]. constructor; [exact A|apply IH, H'].
Qed.


(* ---- weights of inputs ---- *)

Section Weights.
Variables (n m k : nat) (T : list (list N)) (w : N -> Z) (top : Z).
Hypothesis N0 : (0 < n)%nat.
Hypothesis M0 : (0 < m)%nat.
Notation V := (fun x y => negb (label_at T x y =? 0)%N).
Notation C := (label_at T).
Notation P := (power_value n m k V).

Definition weight_at x y : Z :=
  let zs := cells_of n m k x y in if all_hold V zs then w (sum_of_codes C zs) else 0%Z.
(* the positive weights of all inputs of a product, counted by their codes *)
Definition positive_weight (rows columns : list nat) : Z :=
  fold_right (fun c s => (snd c * Z.max 0 (w (fst c)) + s)%Z) 0%Z
    (inputs_of n m C k (map (parts n k) rows) (map (parts m k) columns)).
Definition is_light (t : list (list nat * list nat)) : bool :=
  let rows := rows_of n t in
  let columns := columns_of m t in
  is_listed (n ^ k) rows && is_listed (m ^ k) columns
  && ((positive_weight rows columns <=? top)%Z
      || (heaviest_of (length rows) (length columns) (fun i j => weight_at (nth i rows O) (nth j columns O))
            (fun _ _ => false) <=? top)%Z).
Definition total_weight : Z := fold_right (fun c s => (snd c * w (fst c) + s)%Z) 0%Z (all_inputs n m V C k).
Definition check_weights : bool := (1 <=? top)%Z && forallb is_light (multisets (maximal n m V) k).

Hypothesis checked : check_weights = true.
Notation W := (fun x y => inject_Z (weight_at x y)).

Lemma listed_weight rows columns (r : rectangle) : is_listed (n ^ k) rows = true -> is_listed (m ^ k) columns = true ->
  (forall x, (x < n ^ k)%nat -> fst r x = true -> In x rows) ->
  (forall y, (y < m ^ k)%nat -> snd r y = true -> In y columns) ->
  sum (n ^ k) (fun x => sum (m ^ k) (fun y => W x y * chance (holds r x y)))
  == inject_Z (inside_weight (length rows) (length columns) (fun i j => weight_at (nth i rows O) (nth j columns O))
       (fun i => fst r (nth i rows O), fun j => snd r (nth j columns O))).
Proof.
  intros LR LC R S. apply is_listed_spec in LR as [DR BR], LC as [DC BC].
  rewrite (sum_ext (n ^ k) _ (fun x => chance (holds_in rows x) * sum (m ^ k) (fun y => chance (holds_in columns y)
    * (W x y * chance (holds r x y))))).
  - rewrite (sum_listed (n ^ k) rows _ DR BR). unfold inside_weight. rewrite integer_sum_Q.
    rewrite <- (sum_over_nth rows _ O). apply sum_ext. intros i _.
    rewrite (sum_listed (m ^ k) columns _ DC BC), integer_sum_Q, <- (sum_over_nth columns _ O). apply sum_ext. intros j _.
    unfold holds. cbn [fst snd]. destruct (fst r _ && snd r _); unfold chance; [ring|change (inject_Z 0) with 0; ring].
  - intros x X. rewrite <- sum_scale. apply sum_ext. intros y Y. unfold holds.
    destruct (fst r x) eqn:Rx; cbn [andb]; [|change (chance false) with 0; ring].
    destruct (snd r y) eqn:Ry; [|change (chance false) with 0; ring].
    assert (forall l z, In z l -> holds_in l z = true) as H.
    { intros l z I. apply existsb_exists. exists z. split; [exact I|apply Nat.eqb_refl]. }
    rewrite (H rows x (R x X Rx)), (H columns y (S y Y Ry)). unfold chance. ring.
Qed.
Lemma positive_weight_most rows columns r :
  inject_Z (inside_weight (length rows) (length columns) (fun i j => weight_at (nth i rows O) (nth j columns O)) r)
  <= inject_Z (positive_weight rows columns).
Proof.
  assert (inject_Z (positive_weight rows columns)
    == value_of (fun c => inject_Z (Z.max 0 (w c))) (inputs_of n m C k (map (parts n k) rows) (map (parts m k) columns))) as ->.
  { unfold positive_weight, value_of, sum_over. induction (inputs_of n m C k _ _) as [|c l IH]; [reflexivity|].
    cbn [fold_right]. rewrite <- IH, inject_Z_plus, inject_Z_mult. reflexivity. }
  rewrite inputs_of_value.
  - unfold over_rectangle, inside_weight. rewrite sum_over_map, <- (sum_over_nth rows _ O), integer_sum_Q.
    apply sum_le. intros i _. rewrite sum_over_map, <- (sum_over_nth columns _ O), integer_sum_Q.
    apply sum_le. intros j _. rewrite <- Zle_Qle. fold (cells_of n m k (nth i rows O) (nth j columns O)).
    unfold weight_at. cbv zeta. destruct (holds r i j); [|apply Z.le_max_l].
    destruct (all_hold V _); [apply Z.le_max_r|apply Z.le_max_l].
  - intros d Id. apply in_map_iff in Id as [x [<- _]]. split; [apply parts_length|apply parts_within, N0].
  - intros d Id. apply in_map_iff in Id as [x [<- _]]. split; [apply parts_length|apply parts_within, M0].
Qed.
Notation weight_inside r := (sum (n ^ k) (fun x => sum (m ^ k) (fun y => W x y * chance (holds r x y)))).
Lemma moved_weight_inside p q r : good n m V C p q ->
  weight_inside (moved_rectangle (as_move n m k p q) r) == weight_inside r.
Proof.
  intros G. pose proof (as_move_in_group n m k V C N0 M0 p q G) as I. apply group_spec in I as [R [S _]].
  rewrite <- (sum_permuted _ _ (fun x => sum (m ^ k) (fun y => W x y * chance (holds r x y))) R).
  apply sum_ext. intros x X.
  rewrite <- (sum_permuted _ _ (fun y => W (nth x (fst (as_move n m k p q)) O) y
    * chance (holds r (nth x (fst (as_move n m k p q)) O) y)) S).
  apply sum_ext. intros y Y. fold (goes (fst (as_move n m k p q)) x) (goes (snd (as_move n m k p q)) y).
  assert (weight_at (goes (fst (as_move n m k p q)) x) (goes (snd (as_move n m k p q)) y) = weight_at x y) as ->;
    [|reflexivity].
  unfold weight_at. cbv zeta. rewrite (moved_cells n m k V C N0 M0 p q x y G X Y).
  destruct (good_labels _ _ _ _ _ _ G (parts n k x) (parts m k y)) as [A B]; try apply parts_within; try assumption;
    [rewrite !parts_length; reflexivity|]. unfold cells_of. rewrite A.
  destruct (all_hold V (combine (parts n k x) (parts m k y))); [rewrite B; reflexivity|reflexivity].
Qed.
Lemma exchanged_inside r p a b q : inside n m k r (p ++ a :: b :: q) ->
  inside n m k (moved_rectangle (as_move n m k (repeated (length p) exchange) (repeated (length p) exchange)) r)
    (p ++ b :: a :: q).
Proof.
  pose proof (good_repeated n m V C (length p) _ _ (good_exchange n m V C)) as G.
  pose proof (as_move_in_group n m k V C N0 M0 _ _ G) as I.
  intros [R S]. split; intros z Z H; unfold moved_rectangle in H; cbn [fst snd] in H.
  - destruct (le_lt_dec (m ^ k) 0) as [Z0|Y0]; [pose proof (Nat.pow_nonzero m k); lia|].
    destruct (group_below _ _ _ _ _ z O I Z Y0) as [B _]. destruct (as_move_goes n m k
      (repeated (length p) exchange) (repeated (length p) exchange) z O Z Y0) as [E _].
    specialize (R _ B H). rewrite E in R.
    destruct (good_rows _ _ _ _ _ _ G _ (parts_within n N0 k z)) as [Wi L]. rewrite parts_length in L.
    rewrite (parts_of n N0 _ k Wi L) in R. apply (forall2_exchanged (fun a s => In a (fst s))), R.
  - destruct (le_lt_dec (n ^ k) 0) as [Z0|X0]; [pose proof (Nat.pow_nonzero n k); lia|].
    destruct (group_below _ _ _ _ _ O z I X0 Z) as [_ B]. destruct (as_move_goes n m k
      (repeated (length p) exchange) (repeated (length p) exchange) O z X0 Z) as [_ E].
    specialize (S _ B H). rewrite E in S.
    destruct (good_columns _ _ _ _ _ _ G _ (parts_within m M0 k z)) as [Wi L]. rewrite parts_length in L.
    rewrite (parts_of m M0 _ k Wi L) in S. apply (forall2_exchanged (fun a s => In a (snd s))), S.
Qed.
Lemma permuted_inside t t' : Permutation t t' -> forall p r, inside n m k r (p ++ t) ->
  exists r', inside n m k r' (p ++ t') /\ weight_inside r' == weight_inside r.
Proof.
  induction 1 as [|a t t' Pm IH|a b t|t t' t'' Pm IH Pm' IH']; intros p r I.
  - exists r. split; [exact I|reflexivity].
  - destruct (IH (p ++ [a]) r) as [r' [I' E]]; [rewrite <- app_assoc; exact I|]. exists r'.
    rewrite <- app_assoc in I'. split; [exact I'|exact E].
  - exists (moved_rectangle (as_move n m k (repeated (length p) exchange) (repeated (length p) exchange)) r).
    split; [apply exchanged_inside, I|]. apply moved_weight_inside, good_repeated, good_exchange.
  - destruct (IH p r I) as [r' [I' E]]. destruct (IH' p r' I') as [r'' [I'' E']]. exists r''. split; [exact I''|].
    rewrite E'. exact E.
Qed.
Lemma light_rectangle r : of_value (n ^ k) (m ^ k) P true r -> weight_inside r <= inject_Z top.
Proof.
  intros Of. unfold check_weights in checked. apply andb_prop in checked as [_ H]. rewrite forallb_forall in H.
  destruct (product_listed n m k V r) as [t [I Pm]].
  destruct (permuted_inside _ _ Pm [] r (inside_around n m k V N0 M0 r Of)) as [r' [Ins E]]. cbn [app] in Ins.
  rewrite <- E. specialize (H _ I). unfold is_light in H. cbv zeta in H.
  apply andb_prop in H as [H L]. apply andb_prop in H as [LR LC].
  destruct (inside_listed n m k r' t N0 M0 Ins) as [IR IC].
  rewrite (listed_weight _ _ r' LR LC IR IC). apply orb_prop in L as [L|L]; apply Z.leb_le in L; rewrite Zle_Qle in L.
  - refine (Qle_trans _ _ _ (positive_weight_most _ _ _) L).
  - refine (Qle_trans _ _ _ _ L). rewrite <- Zle_Qle.
    refine (heaviest_of_spec _ _ _ (fun _ _ => false) _ _). reflexivity.
Qed.
Lemma all_weights : sum (n ^ k) (fun x => sum (m ^ k) (W x)) == inject_Z total_weight.
Proof.
  transitivity (at_inputs n m V C k (fun c => inject_Z (w c))).
  - unfold at_inputs. apply sum_ext. intros x _. apply sum_ext. intros y _. unfold weight_at. cbv zeta.
    destruct (all_hold V (cells_of n m k x y)); reflexivity.
  - rewrite at_inputs_value by assumption. unfold value_of, total_weight.
    induction (all_inputs n m V C k) as [|c l IH]; [reflexivity|]. unfold sum_over in *. cbn [fold_right].
    rewrite IH, inject_Z_plus, inject_Z_mult. reflexivity.
Qed.
Lemma weight_of_cover : forall l, (forall p, In p l -> of_value (n ^ k) (m ^ k) P true (fst p) /\ 0 <= snd p) ->
  sum (n ^ k) (fun x => sum (m ^ k) (fun y => W x y * weight_held l x y)) <= inject_Z top * whole_weight l.
Proof.
  induction l as [|[r a] l IH]; intros H.
  - unfold weight_held, whole_weight. cbn [fold_right]. apply Qle_lteq. right.
    rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros x _.
    rewrite (sum_ext _ _ (fun _ => 0)); [apply sum_zero|]. intros; ring.
  - specialize (IH (fun p I => H p (in_cons _ _ _ I))). destruct (H _ (in_eq _ _)) as [Of A]. cbn [fst snd] in Of, A.
    pose proof (light_rectangle r Of) as Lt. unfold whole_weight. cbn [fold_right snd]. fold (whole_weight l).
    assert (sum (n ^ k) (fun x => sum (m ^ k) (fun y => W x y * weight_held ((r, a) :: l) x y))
      == a * sum (n ^ k) (fun x => sum (m ^ k) (fun y => W x y * chance (holds r x y)))
         + sum (n ^ k) (fun x => sum (m ^ k) (fun y => W x y * weight_held l x y))) as ->.
    { rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros x _. rewrite <- sum_scale, <- sum_plus. apply sum_ext.
      intros y _. unfold weight_held. cbn [fold_right fst snd]. fold (weight_held l x y). ring. }
    pose proof (Qmult_le_compat_r _ _ a Lt A) as Le.
    rewrite (Qmult_comm a), Qmult_plus_distr_r. apply Qplus_le_compat; assumption.
Qed.
Theorem weights_prove l : covers_by_weights true (n ^ k) (m ^ k) P true l ->
  inject_Z (Z.max 0 total_weight) / inject_Z top <= whole_weight l.
Proof.
  intros [R Cov]. pose proof (weight_of_cover l R) as B.
  assert (0 < inject_Z top) as Top.
  { unfold check_weights in checked. apply andb_prop in checked as [H _]. apply Z.leb_le in H. apply inject_pos. lia. }
  assert (sum (n ^ k) (fun x => sum (m ^ k) (fun y => W x y * weight_held l x y)) == inject_Z total_weight) as E.
  { rewrite <- all_weights. apply sum_ext. intros x X. apply sum_ext. intros y Y.
    destruct (all_hold V (cells_of n m k x y)) eqn:A.
    - rewrite (Cov x y X Y) by (unfold power_value; rewrite A; reflexivity). ring.
    - unfold weight_at. cbv zeta. rewrite A. change (inject_Z 0) with 0. ring. }
  rewrite E in B. apply Qle_shift_div_r; [exact Top|].
  pose proof (whole_weight_nonneg (P := of_value (n ^ k) (m ^ k) P true) l R) as Wn.
  destruct (Z.max_spec 0 total_weight) as [[_ ->]|[_ ->]]; [lra|]. change (inject_Z 0) with 0. nra.
Qed.
End Weights.

(* ---- how they are read ---- *)

Definition types_in (classes k : nat) (j : json) : option (list (list nat * Z)) :=
  list_of (fun j => match j with
    | Array [t; w] => let* t := list_of (index classes) t in let* w := integer w in
                      given (length t =? k)%nat (Some (t, w))
    | _ => None
    end) j.
Definition code_of_type (k : nat) (t : list nat) : N := base_sum k t.
(* the classes of the images of each class under a transposition *)
Definition image_classes n m (T : list (list N)) k (classes : nat) (t : list nat * list nat) : list nat :=
  let cells := list_prod (seq 0 n) (seq 0 m) in
  let code_of z := label_at T (fst z) (snd z) in
  map (fun c => match find (fun z => code_of z =? N.of_nat (S k) ^ N.of_nat c)%N cells with
    | Some z => position (map (fun d => N.of_nat (S k) ^ N.of_nat d)%N (seq 0 classes))
                  (code_of (goes (snd t) (snd z), goes (fst t) (fst z)))
    | None => c
    end) (seq 0 classes).
Definition both_codes k (images : option (list nat)) (t : list nat) : list N :=
  code_of_type k t :: match images with Some i => [code_of_type k (map (fun c => nth c i O) t)] | None => [] end.
Fixpoint weights_by_code k images (l : list (list nat * Z)) (so_far : list (N * Z)) : option (list (N * Z)) :=
  match l with
  | [] => Some so_far
  | (t, w) :: l' =>
      if existsb (fun p => fst p =? code_of_type k t)%N so_far then None
      else weights_by_code k images l' (map (fun c => (c, w)) (both_codes k images t) ++ so_far)
  end.
Definition weight_in (l : list (N * Z)) (c : N) : Z := match find (fun p => fst p =? c)%N l with Some p => snd p | None => 0%Z end.
Definition power_lower (q : power_asked) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "weights" &&
  match fields ["symmetries"; "transposition"; "types"; "heaviest"]%string data with
  | Some [s; t; y; h] =>
      let n := height (factor_of q) in
      let m := width (factor_of q) in
      let k := exponent q in
      match power_moves q s t, at_least_integer 1 h with
      | Some (moves, turn), Some top =>
          let T := codes n m k (lines (factor_of q)) (power_value_of q) moves in
          let classes := length (roots n m (lines (factor_of q)) (power_value_of q) moves) in
          let images := match turn with Some t => Some (image_classes n m T k classes t) | None => None end in
          match types_in classes k y with
          | Some types =>
              match weights_by_code k images types [] with
              | Some l =>
                  check_weights n m k T (weight_in l) top
                  && is_quotient (Z.max 0 (total_weight n m k T (weight_in l))) top v
              | None => false
              end
          | None => false
          end
      | _, _ => false
      end
  | _ => false
  end.
Theorem power_lower_sound q v name data : power_lower q v name data = true ->
  power_partition_at_least (height (factor_of q)) (width (factor_of q)) (problem_in (factor_of q)) (power_value_of q) (exponent q) v.
Proof.
  unfold power_lower. intros H. apply andb_prop in H as [_ H].
  destruct (fields _ data) as [[|s [|t [|y [|h [|]]]]]|]; try discriminate. cbv zeta in H.
  destruct (power_moves q s t) as [[moves turn]|] eqn:Mv; [|discriminate].
  destruct (at_least_integer 1 h) as [top|]; [|discriminate]. destruct (types_in _ _ y) as [types|]; [|discriminate].
  destruct (weights_by_code _ _ _ _) as [l|]; [|discriminate]. apply power_moves_fit in Mv.
  destruct (fit_parts _ _ _ _ _ _ Mv) as [N0 [M0 _]]. apply andb_prop in H as [K D].
  assert (0 < top)%Z as Top.
  { unfold check_weights in K. apply andb_prop in K as [K _]. apply Z.leb_le in K. lia. }
  apply (is_quotient_spec _ _ _ Top) in D. intros cover [R S].
  set (T := codes (height (factor_of q)) (width (factor_of q)) (exponent q) (lines (factor_of q)) (power_value_of q) moves) in *.
  assert (forall x y, power_value (height (factor_of q)) (width (factor_of q)) (exponent q)
      (fun a c => negb (label_at T a c =? 0)%N) x y
    = power_of (height (factor_of q)) (width (factor_of q)) (problem_in (factor_of q)) (power_value_of q) (exponent q) x y) as Same.
  { intros x z. apply power_value_spec; [exact N0|exact M0|].
    intros a c A C. apply (value_at_cell _ _ _ _ _ _ a c A C). }
  apply Qle_trans with (inject_Z (Z.max 0 (total_weight (height (factor_of q)) (width (factor_of q)) (exponent q) T
    (weight_in l))) / inject_Z top).
  - apply inject_pos in Top. apply Qle_shift_div_l; [exact Top|]. rewrite D. apply Qle_refl.
  - eapply weights_prove; try eassumption. split.
    + intros p I. destruct (R p I) as [Of Pos]. split; [|exact Pos]. intros x z c X Z Hd E. rewrite Same in E.
      exact (Of x z c X Z Hd E).
    + intros x z X Z E. rewrite Same in E. exact (S x z X Z E).
Qed.

Definition partitions_of_powers : kind.
Proof.
  refine {|
    title := "fractional_partition_of_power"; parameters := ["value"; "power"]%string;
    ask := power_asked_in; number := fraction;
    lower := power_lower; upper := power_upper;
    lower_means q v := power_partition_at_least (height (factor_of q)) (width (factor_of q)) (problem_in (factor_of q))
      (power_value_of q) (exponent q) v;
    upper_means q v := power_partition_at_most (height (factor_of q)) (width (factor_of q)) (problem_in (factor_of q))
      (power_value_of q) (exponent q) v
  |}.
  - exact power_lower_sound.
  - exact power_upper_sound.
Defined.
