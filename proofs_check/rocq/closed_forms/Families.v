(* Public-coin errors by counting, for problems that their size describes: from below. *)
From Coq Require Import ZArith QArith Lia Lqa Bool List.
From CCSim Require Import Definitions Sums Mixture OneWay.
Import ListNotations.
Local Open Scope Q_scope.

Lemma sum_const n c : sum n (fun _ => c) == inject_Z (Z.of_nat n) * c.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [sum]. rewrite IH, Nat2Z.inj_succ. unfold Z.succ.
  rewrite inject_Z_plus. change (inject_Z 1) with 1. ring.
Qed.

Lemma sum_split a b g : sum (a + b) g == sum a g + sum b (fun i => g (a + i)%nat).
Proof.
  induction b as [|b IH]; [rewrite Nat.add_0_r; cbn; ring|]. rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. ring.
Qed.

Lemma average_scale n m mu e : average n m mu (fun _ _ => e) == e * average n m mu (fun _ _ => 1).
Proof.
  unfold average. rewrite <- sum_scale. apply sum_ext. intros x _. rewrite <- sum_scale. apply sum_ext. intros; ring.
Qed.

(* Yao's principle for weights: what all tables cost bounds what is reached *)
Theorem weights_bound w n m f k e mu B : (0 < n)%nat ->
  (forall x y, (x < n)%nat -> (y < m)%nat -> 0 <= mu x y) ->
  (forall a b, (forall x, (x < n)%nat -> (a x < k)%nat) -> B <= average n m mu (error k f (tables a b))) ->
  reached w n m f k e -> B <= e * average n m mu (fun _ _ => 1).
Proof.
  intros N M C [c [p [P [L [_ [U E]]]]]].
  destruct (some_tables n m f k mu c p P (e * average n m mu (fun _ _ => 1)) N L U) as [a [b [A R]]].
  - rewrite <- average_scale. apply sum_le. intros x Hx. apply sum_le. intros y Hy.
    specialize (E x y Hx Hy). specialize (M x y Hx Hy). nra.
  - eapply Qle_trans; [apply C, A|exact R].
Qed.

Lemma tables_error_is k f a b x y v : (a x < k)%nat -> f x y = Some v ->
  error k f (tables a b) x y == chance (xorb (b (a x) y) v).
Proof.
  intros A F. rewrite tables_error by exact A. unfold wrong. rewrite F.
  destruct v, (b (a x) y); unfold chance; cbn; ring.
Qed.

(* ---- index: each word has a word of errors, and with one message these are different ---- *)

Fixpoint wrongs (answer : nat -> nat -> bool) (d x : nat) : nat :=
  match d with
  | O => O
  | S d' => (if xorb (answer O O) (Nat.odd x) then 1 else 0)
            + wrongs (fun j z => answer (S j) (2 * z + Nat.b2n (Nat.odd x))) d' (Nat.div2 x)
  end%nat.

Lemma wrongs_sum : forall d answer x,
  sum d (fun j => chance (xorb (answer j (x mod 2 ^ j)%nat) (Nat.testbit x j)))
  == inject_Z (Z.of_nat (wrongs answer d x)).
Proof.
  induction d as [|d IH]; intros answer x; [reflexivity|]. rewrite sum_shift. cbn [wrongs].
  rewrite Nat2Z.inj_add, inject_Z_plus. apply Qplus_comp.
  - change (2 ^ 0)%nat with 1%nat. rewrite Nat.mod_1_r. cbn [Nat.testbit].
    destruct (xorb (answer O O) (Nat.odd x)); reflexivity.
  - rewrite <- IH. apply sum_ext. intros j _. cbn [Nat.testbit].
    replace (x mod 2 ^ S j)%nat with (2 * (Nat.div2 x mod 2 ^ j) + Nat.b2n (Nat.odd x))%nat; [reflexivity|].
    rewrite Nat.pow_succ_r', Nat.mod_mul_r by (try apply Nat.pow_nonzero; lia).
    rewrite <- Nat.bit0_mod, Nat.bit0_odd, Nat.div2_div. lia.
Qed.

(* how much the numbers of errors leave, for all words, to a number t *)
Fixpoint room (d t : nat) : Z :=
  match d with O => Z.of_nat t | S d' => (room d' t + room d' (t - 1))%Z end.

Lemma sum_pairs n g : sum (2 * n) g == sum n (fun i => g (2 * i)%nat + g (2 * i + 1)%nat).
Proof.
  induction n as [|n IH]; [reflexivity|]. replace (2 * S n)%nat with (S (S (2 * n))) by lia. cbn [sum].
  rewrite IH. replace (2 * n + 1)%nat with (S (2 * n)) by lia. ring.
Qed.

Lemma wrongs_room : forall d answer t,
  sum (2 ^ d) (fun x => inject_Z (Z.of_nat (t - wrongs answer d x))) == inject_Z (room d t).
Proof.
  induction d as [|d IH]; intros answer t; [cbn; rewrite Nat.sub_0_r; ring|].
  rewrite Nat.pow_succ_r', sum_pairs, sum_plus. cbn [wrongs room]. rewrite inject_Z_plus.
  set (c := fun b => if xorb (answer O O) b then 1%nat else 0%nat).
  assert (forall b, sum (2 ^ d) (fun i => inject_Z (Z.of_nat (t - (c b +
    wrongs (fun j z => answer (S j) (2 * z + Nat.b2n b)%nat) d i)))) == inject_Z (room d (t - c b))) as R.
  { intros b. rewrite <- (IH (fun j z => answer (S j) (2 * z + Nat.b2n b)%nat)). apply sum_ext. intros i _.
    rewrite Nat.sub_add_distr. reflexivity. }
  rewrite (sum_ext _ _ (fun i => inject_Z (Z.of_nat (t - (c false +
    wrongs (fun j z => answer (S j) (2 * z + Nat.b2n false)%nat) d i))))).
  2:{ intros i _. rewrite Nat.odd_mul. cbn [Nat.odd Nat.even negb andb]. rewrite Nat.div2_double. reflexivity. }
  rewrite (sum_ext (2 ^ d)
    (fun i => inject_Z (Z.of_nat (t - ((if xorb (answer O O) (Nat.odd (2 * i + 1)) then 1 else 0) + _))))
    (fun i => inject_Z (Z.of_nat (t - (c true +
      wrongs (fun j z => answer (S j) (2 * z + Nat.b2n true)%nat) d i))))).
  2:{ intros i _. replace (Nat.odd (2 * i + 1)) with true.
      - rewrite Nat.add_1_r, Nat.div2_succ_double. reflexivity.
      - symmetry. rewrite Nat.add_1_r, Nat.odd_succ, Nat.even_mul. reflexivity. }
  rewrite (R false), (R true). unfold c. destruct (answer O O); cbn [xorb]; rewrite Nat.sub_0_r; ring.
Qed.

Lemma ball_bound d k t (a : nat -> nat) (answer : nat -> nat -> nat -> bool) :
  (forall x, (x < 2 ^ d)%nat -> (a x < k)%nat) ->
  inject_Z (Z.of_nat t * 2 ^ Z.of_nat d - Z.of_nat k * room d t)
  <= sum (2 ^ d) (fun x => inject_Z (Z.of_nat (wrongs (answer (a x)) d x))).
Proof.
  intros A. set (left i x := inject_Z (Z.of_nat (t - wrongs (answer i) d x))).
  assert (forall i x, 0 <= left i x) as P.
  { intros. unfold left. change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia. }
  assert (sum (2 ^ d) (fun x => left (a x) x) <= inject_Z (Z.of_nat k * room d t)) as B.
  { rewrite inject_Z_mult. rewrite <- (sum_const k (inject_Z (room d t))).
    rewrite (sum_ext k _ (fun i => sum (2 ^ d) (left i))) by (intros; symmetry; apply wrongs_room).
    rewrite sum_swap. apply sum_le. intros x Hx. rewrite <- (sum_single k (a x) (fun i => left i x)) by auto.
    apply sum_le. intros i _. specialize (P i x). destruct (a x =? i)%nat; unfold chance; lra. }
  apply Qle_trans with (sum (2 ^ d) (fun x => inject_Z (Z.of_nat t) + - (1) * left (a x) x)).
  - rewrite sum_plus, sum_scale, sum_const, Nat2Z.inj_pow. unfold Z.sub.
    rewrite inject_Z_plus, inject_Z_opp, (inject_Z_mult (Z.of_nat t)). change (Z.of_nat 2) with 2%Z. lra.
  - apply sum_le. intros x Hx. unfold left.
    setoid_replace (inject_Z (Z.of_nat t) + - (1) * inject_Z (Z.of_nat (t - wrongs (answer (a x)) d x)))
      with (inject_Z (Z.of_nat t + - Z.of_nat (t - wrongs (answer (a x)) d x)))
      by (rewrite inject_Z_plus, inject_Z_opp; ring).
    rewrite <- Zle_Qle. lia.
Qed.

(* for each word so many inputs of Bob, all of the same weight *)
Lemma average_of_places n m J (Y : nat -> nat -> nat) g :
  (forall x j, (x < n)%nat -> (j < J)%nat -> (Y x j < m)%nat) ->
  average n m (fun x y => sum J (fun j => chance (Y x j =? y)%nat)) g == sum n (fun x => sum J (fun j => g x (Y x j))).
Proof.
  intros H. apply sum_ext. intros x Hx.
  rewrite (sum_ext m _ (fun y => sum J (fun j => chance (Y x j =? y)%nat * g x y))).
  - rewrite sum_swap. apply sum_ext. intros j Hj. apply sum_single with (g := fun y => g x y). auto.
  - intros y _. rewrite Qmult_comm, <- sum_scale. apply sum_ext. intros; ring.
Qed.

Theorem ball_sound w d m f k e t (Y : nat -> nat -> nat) (code : nat -> nat -> nat) :
  (forall x j, (x < 2 ^ d)%nat -> (j < d)%nat ->
     (Y x j < m)%nat /\ Y x j = code j (x mod 2 ^ j)%nat /\ f x (Y x j) = Some (Nat.testbit x j)) ->
  reached w (2 ^ d) m f k e ->
  inject_Z (Z.of_nat t * 2 ^ Z.of_nat d - Z.of_nat k * room d t) <= e * inject_Z (Z.of_nat d * 2 ^ Z.of_nat d).
Proof.
  intros H R.
  assert (0 < 2 ^ d)%nat as N by (pose proof (Nat.pow_nonzero 2 d); lia).
  apply (weights_bound w _ m f k e (fun x y => sum d (fun j => chance (Y x j =? y)%nat))) with
    (B := inject_Z (Z.of_nat t * 2 ^ Z.of_nat d - Z.of_nat k * room d t)) in R; [|exact N| |].
  - rewrite average_of_places in R by (intros; apply H; assumption).
    rewrite sum_const, sum_const, Nat2Z.inj_pow in R. change (Z.of_nat 2) with 2%Z in R.
    rewrite inject_Z_mult. lra.
  - intros x y _ _. apply sum_nonneg. intros j _. unfold chance. destruct (Y x j =? y)%nat; lra.
  - intros a b A. rewrite average_of_places by (intros; apply H; assumption).
    eapply Qle_trans; [apply (ball_bound d k t a (fun i j z => b i (code j z)) A)|].
    apply Qle_lteq. right. apply sum_ext. intros x Hx. rewrite <- wrongs_sum.
    apply sum_ext. intros j Hj. destruct (H x j Hx Hj) as [_ [C F]].
    rewrite (tables_error_is _ _ _ _ _ _ _ (A x Hx) F), C. reflexivity.
Qed.

Corollary index_ball w d k e t : reached w (2 ^ d) d index_problem k e ->
  inject_Z (Z.of_nat t * 2 ^ Z.of_nat d - Z.of_nat k * room d t) <= e * inject_Z (Z.of_nat d * 2 ^ Z.of_nat d).
Proof. apply ball_sound with (Y := fun _ j => j) (code := fun j _ => j). auto. Qed.

Corollary augmented_index_ball w d k e t : reached w (2 ^ d) (2 ^ d - 1) augmented_index_problem k e ->
  inject_Z (Z.of_nat t * 2 ^ Z.of_nat d - Z.of_nat k * room d t) <= e * inject_Z (Z.of_nat d * 2 ^ Z.of_nat d).
Proof.
  apply ball_sound with (Y := fun x j => (2 ^ j + x mod 2 ^ j - 1)%nat) (code := fun j z => (2 ^ j + z - 1)%nat).
  intros x j Hx Hj. pose proof (Nat.pow_nonzero 2 j ltac:(lia)) as P.
  pose proof (Nat.mod_upper_bound x (2 ^ j) P) as M.
  pose proof (Nat.pow_le_mono_r 2 (S j) d ltac:(lia) Hj) as U. rewrite Nat.pow_succ_r' in U.
  split; [lia|]. split; [reflexivity|]. unfold augmented_index_problem.
  replace (S (2 ^ j + x mod 2 ^ j - 1)) with (2 ^ j + x mod 2 ^ j)%nat by lia.
  rewrite (Nat.log2_unique _ j) by (try rewrite Nat.pow_succ_r'; lia). rewrite Nat.eqb_refl. reflexivity.
Qed.

(* room by rows: what is left to 0, 1, .. for words of d bits *)
Fixpoint next_row (before : Z) (l : list Z) : list Z :=
  match l with [] => [] | a :: l' => (a + before)%Z :: next_row a l' end.
Definition room_row (d top : nat) : list Z :=
  Nat.iter d (next_row 0) (map Z.of_nat (seq 0 (S top))).

Lemma next_row_nth : forall l before t, (t < length l)%nat ->
  nth t (next_row before l) 0%Z = (nth t l 0 + match t with O => before | S t' => nth t' l 0 end)%Z.
Proof.
  induction l as [|a l IH]; intros before t H; [cbn in H; lia|]. destruct t as [|t]; [reflexivity|].
  cbn [next_row nth]. cbn [length] in H. rewrite IH by lia. destruct t; reflexivity.
Qed.
Lemma next_row_length : forall l before, length (next_row before l) = length l.
Proof. induction l as [|a l IH]; intros; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Lemma room_zero d : room d 0 = 0%Z.
Proof. induction d as [|d IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Lemma room_row_spec top : forall d, length (room_row d top) = S top /\
  forall t, (t <= top)%nat -> nth t (room_row d top) 0%Z = room d t.
Proof.
  induction d as [|d [L IH]].
  - change (room_row 0 top) with (map Z.of_nat (seq 0 (S top))). split; [rewrite map_length; apply seq_length|].
    intros t Ht. rewrite (nth_map_seq Z.of_nat (S top) t 0%Z) by lia. reflexivity.
  - change (room_row (S d) top) with (next_row 0 (room_row d top)). split; [rewrite next_row_length; exact L|].
    intros t Ht. rewrite next_row_nth by lia. rewrite IH by exact Ht. cbn [room].
    destruct t as [|t]; [cbn [Nat.sub]; rewrite room_zero; reflexivity|].
    rewrite IH by lia. cbn [Nat.sub]. rewrite Nat.sub_0_r. reflexivity.
Qed.

Definition balls (d k : N) : list Z :=
  let d' := N.to_nat d in
  let words := (2 ^ Z.of_N d)%Z in
  map (fun p => (fst p * words - Z.of_N k * snd p)%Z) (combine (map Z.of_nat (seq 0 (S d'))) (room_row d' d')).
Definition check_ball (d k : N) (v : Q) : bool :=
  ((0 <? d) && (d <=? 2048))%N && largest_is (balls d k) (Z.of_N d * 2 ^ Z.of_N d) v.

Lemma combine_nth_in {A B} (l : list A) (r : list B) p a b : In p (combine l r) ->
  exists i, (i < length l)%nat /\ (i < length r)%nat /\ p = (nth i l a, nth i r b).
Proof.
  intros H. apply (In_nth _ _ (a, b)) in H as [i [Hi E]]. rewrite combine_length in Hi.
  exists i. split; [lia|]. split; [lia|]. rewrite <- E.
  clear E. revert r i Hi. induction l as [|c l IH]; intros [|c' r] i Hi; cbn in *; try lia.
  destruct i as [|i]; [reflexivity|]. apply IH. lia.
Qed.

Theorem check_ball_sound d k v e : check_ball d k v = true ->
  (forall t, inject_Z (Z.of_nat t * 2 ^ Z.of_nat (N.to_nat d) - Z.of_nat (N.to_nat k) * room (N.to_nat d) t)
     <= e * inject_Z (Z.of_nat (N.to_nat d) * 2 ^ Z.of_nat (N.to_nat d))) -> v <= e.
Proof.
  unfold check_ball, largest_is. intros H B. apply andb_prop in H as [D H]. apply andb_prop in D as [D _].
  apply N.ltb_lt in D. apply andb_prop in H as [_ H]. apply existsb_exists in H as [s [I H]].
  unfold balls in I. apply in_map_iff in I as [p [<- I]].
  apply (combine_nth_in _ _ _ 0%Z 0%Z) in I as [t [Ht [Hr ->]]]. cbn [fst snd] in H.
  rewrite map_length, seq_length in Ht. rewrite (nth_map_seq Z.of_nat) in H by exact Ht.
  destruct (room_row_spec (N.to_nat d) (N.to_nat d)) as [_ R]. rewrite R in H by lia.
  specialize (B t). rewrite !N_nat_Z in B.
  assert (0 < Z.of_N d * 2 ^ Z.of_N d)%Z as T by (apply Z.mul_pos_pos; [lia|apply Z.pow_pos_nonneg; lia]).
  set (s := (Z.of_nat t * 2 ^ Z.of_N d - Z.of_N k * room (N.to_nat d) t)%Z) in *.
  set (u := (Z.of_N d * 2 ^ Z.of_N d)%Z) in *.
  assert (0 < inject_Z u) as U by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact T).
  apply (Qle_trans _ (inject_Z s / inject_Z u)).
  - apply (at_least_spec s u v (inject_Z s / inject_Z u) T); [field; lra|exact H].
  - apply Qle_shift_div_r; assumption.
Qed.

(* ---- equality: equal inputs weigh r, others 1 ---- *)

Definition members n (a : nat -> nat) i : nat := length (filter (fun x => a x =? i)%nat (seq 0 n)).
Lemma members_sum a i : forall n, sum n (fun x => chance (a x =? i)%nat) == inject_Z (Z.of_nat (members n a i)).
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [sum]. rewrite IH. unfold members.
  rewrite seq_S, filter_app, app_length, Nat2Z.inj_add, inject_Z_plus. cbn [filter Nat.add].
  destruct (a n =? i)%nat; reflexivity.
Qed.

Lemma by_messages n k (a : nat -> nat) (h : nat -> Q) : (forall x, (x < n)%nat -> (a x < k)%nat) ->
  sum n (fun x => h (a x)) == sum k (fun i => inject_Z (Z.of_nat (members n a i)) * h i).
Proof.
  intros A. rewrite (sum_ext n _ (fun x => sum k (fun i => chance (a x =? i)%nat * h i))).
  - rewrite sum_swap. apply sum_ext. intros i _. rewrite <- members_sum, Qmult_comm, <- sum_scale.
    apply sum_ext. intros; ring.
  - intros x Hx. symmetry. apply sum_single. auto.
Qed.

Section Equality.
Variables (n k : nat) (r : Q).
Hypothesis r_pos : 0 < r.

Definition slope_weight (x y : nat) : Q := 1 + chance (x =? y)%nat * (r - 1).

Lemma slope_weight_pos x y : 0 <= slope_weight x y.
Proof. unfold slope_weight, chance. destruct (x =? y)%nat; lra. Qed.

Lemma slope_weight_total : average n n slope_weight (fun _ _ => 1)
  == inject_Z (Z.of_nat n) * (inject_Z (Z.of_nat n) - 1 + r).
Proof.
  unfold average. rewrite (sum_ext n _ (fun _ => inject_Z (Z.of_nat n) - 1 + r)); [apply sum_const|].
  intros x Hx. unfold slope_weight.
  rewrite (sum_ext n _ (fun y => 1 + chance (x =? y)%nat * (r - 1))) by (intros; ring).
  rewrite sum_plus, sum_const, (sum_single n x (fun _ => r - 1)) by exact Hx. ring.
Qed.

Definition smaller (a b : Q) : Q := if Qle_bool a b then a else b.
Lemma smaller_spec a b c : c <= a -> c <= b -> c <= smaller a b.
Proof. unfold smaller. destruct (Qle_bool a b); auto. Qed.
Lemma smaller_left a b : smaller a b <= a.
Proof. unfold smaller. destruct (Qle_bool a b) eqn:E; [apply Qle_refl|].
  destruct (Qlt_le_dec b a); [lra|]. apply Qle_bool_iff in q. congruence. Qed.
Lemma smaller_right a b : smaller a b <= b.
Proof. unfold smaller. destruct (Qle_bool a b) eqn:E; [apply Qle_bool_iff, E|apply Qle_refl]. Qed.

(* a class of s inputs costs, for each of them, r if Bob rejects it and else the others *)
Definition class_cost (s : Z) : Q := inject_Z s * smaller r (inject_Z s - 1).

Lemma classes_bound a b : (forall x, (x < n)%nat -> (a x < k)%nat) ->
  sum k (fun i => class_cost (Z.of_nat (members n a i)))
  <= average n n slope_weight (error k equality_problem (tables a b)).
Proof.
  intros A. unfold class_cost.
  rewrite <- (by_messages n k a (fun i => smaller r (inject_Z (Z.of_nat (members n a i)) - 1)) A).
  unfold average. rewrite sum_swap. apply sum_le. intros y Hy.
  set (c := chance (b (a y) y)).
  assert (c == 0 \/ c == 1) as C by (unfold c, chance; destruct (b (a y) y); lra).
  set (s := inject_Z (Z.of_nat (members n a (a y)))).
  apply Qle_trans with (sum n (fun x => c * chance (a x =? a y)%nat + chance (y =? x)%nat * (r * (1 - c) - c))).
  - rewrite sum_plus, sum_scale, members_sum. fold s.
    rewrite (sum_single n y (fun _ => r * (1 - c) - c)) by exact Hy.
    destruct C as [C|C]; rewrite C.
    + eapply Qle_trans; [apply smaller_left|]. lra.
    + eapply Qle_trans; [apply smaller_right|]. lra.
  - apply sum_le. intros x Hx.
    rewrite (tables_error_is _ _ _ _ _ _ (x =? y)%nat (A x Hx) eq_refl).
    unfold slope_weight. rewrite (Nat.eqb_sym y x). destruct (Nat.eqb_spec x y) as [->|N].
    + fold c. rewrite Nat.eqb_refl. unfold c. destruct (b (a y) y); unfold chance; cbn; lra.
    + destruct (Nat.eqb_spec (a x) (a y)) as [E|_].
      * rewrite E. fold c. unfold c. destruct (b (a y) y); unfold chance; cbn; lra.
      * unfold chance at 2 3 4. destruct (b (a x) y); unfold chance; cbn; lra.
Qed.

Lemma integer_gap (u q : Z) : 0 <= (inject_Z u - inject_Z q) * (inject_Z u - inject_Z q - 1).
Proof.
  setoid_replace ((inject_Z u - inject_Z q) * (inject_Z u - inject_Z q - 1)) with (inject_Z ((u - q) * (u - q - 1))).
  - change 0 with (inject_Z 0). rewrite <- Zle_Qle. destruct (Z.le_gt_cases u q); nia.
  - unfold Z.sub. rewrite !inject_Z_mult, !inject_Z_plus, !inject_Z_opp. change (inject_Z 1) with 1. ring.
Qed.

Lemma slope_gap (u s : Z) : 2 * inject_Z s - 2 <= r -> r <= 2 * inject_Z s ->
  0 <= (inject_Z u - inject_Z s) * (inject_Z u + inject_Z s - 1 - r).
Proof.
  intros L U. destruct (Z.lt_trichotomy u s) as [H|[->|H]].
  - assert (inject_Z u <= inject_Z s - 1) as G.
    { setoid_replace (inject_Z s - 1) with (inject_Z (s - 1)) by (unfold Z.sub; rewrite inject_Z_plus; reflexivity).
      rewrite <- Zle_Qle. lia. }
    setoid_replace ((inject_Z u - inject_Z s) * (inject_Z u + inject_Z s - 1 - r))
      with ((inject_Z s - inject_Z u) * (r + 1 - inject_Z u - inject_Z s)) by ring.
    apply Qmult_le_0_compat; lra.
  - setoid_replace (inject_Z s - inject_Z s) with 0 by ring. rewrite Qmult_0_l. apply Qle_refl.
  - assert (inject_Z s + 1 <= inject_Z u) as G.
    { setoid_replace (inject_Z s + 1) with (inject_Z (s + 1)) by (rewrite inject_Z_plus; reflexivity).
      rewrite <- Zle_Qle. lia. }
    apply Qmult_le_0_compat; lra.
Qed.

Lemma cost_of_size (s : Z) : (0 <= s)%Z -> 2 * inject_Z s - 2 <= r -> 0 <= inject_Z s * (r - inject_Z s + 1).
Proof.
  intros P L. destruct (Z.eq_dec s 0) as [->|N]; [change (inject_Z 0) with 0; lra|].
  assert (inject_Z 1 <= inject_Z s) as S1 by (rewrite <- Zle_Qle; lia). change (inject_Z 1) with 1 in S1.
  apply Qmult_le_0_compat; lra.
Qed.

(* classes of sizes s_i, all of n: either no class is rejected, or one of them is *)
Lemma sizes_bound (size : nat -> Z) (s q : Z) : (0 < k)%nat ->
  (forall i, (i < k)%nat -> (0 <= size i)%Z) -> sum k (fun i => inject_Z (size i)) == inject_Z (Z.of_nat n) ->
  (0 <= s)%Z -> 2 * inject_Z s - 2 <= r -> r <= 2 * inject_Z s ->
  smaller (r * inject_Z (Z.of_nat n) - inject_Z (Z.of_nat k - 1) * (inject_Z s * (r - inject_Z s + 1)))
    (2 * inject_Z q * inject_Z (Z.of_nat n) - inject_Z (Z.of_nat k) * (inject_Z q * (inject_Z q + 1)))
  <= sum k (fun i => class_cost (size i)).
Proof.
  intros K P T S L U.
  destruct (below_or_above k (fun i => r + 1 - inject_Z (size i)) 0) as [[j [Hj J]]|G].
  - eapply Qle_trans; [apply smaller_left|].
    set (D := inject_Z s * (r - inject_Z s + 1)).
    apply Qle_trans with (sum k (fun i => r * inject_Z (size i) + (- D + chance (j =? i)%nat * D))).
    + rewrite !sum_plus, sum_scale, T, sum_const, (sum_single k j (fun _ => D)) by exact Hj.
      unfold Z.sub. rewrite inject_Z_plus. change (inject_Z (- (1))) with (- (1)). lra.
    + apply sum_le. intros i Hi. unfold class_cost, smaller. specialize (P i Hi).
      destruct (Nat.eqb_spec j i) as [->|_].
      * replace (Qle_bool r (inject_Z (size i) - 1)) with true by (symmetry; apply Qle_bool_iff; lra).
        unfold chance. lra.
      * unfold chance. destruct (Qle_bool r (inject_Z (size i) - 1)).
        -- pose proof (cost_of_size s S L) as D0. fold D in D0. lra.
        -- pose proof (slope_gap (size i) s L U). unfold D. lra.
  - eapply Qle_trans; [apply smaller_right|].
    apply Qle_trans with (sum k (fun i => 2 * inject_Z q * inject_Z (size i) + - (inject_Z q * (inject_Z q + 1)))).
    + rewrite sum_plus, sum_scale, T, sum_const. lra.
    + apply sum_le. intros i Hi. specialize (G i Hi). unfold class_cost, smaller.
      destruct (Qle_bool r (inject_Z (size i) - 1)) eqn:B.
      * apply Qle_bool_iff in B. specialize (P i Hi).
        assert (r == inject_Z (size i) - 1) as -> by lra. pose proof (integer_gap (size i) q). lra.
      * pose proof (integer_gap (size i) q). lra.
Qed.
End Equality.
