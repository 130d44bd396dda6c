(* Vectors whose products have given signs: integer ones, checked; and lines with all patterns up to
   the opposite one, of which there are at most as many as vectors have entries. *)
From Coq Require Import List Arith NArith ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Json Sums Mixture OneWay Radon Tables Sorting Shattering Signs.
Import ListNotations.
Local Open Scope nat_scope.

Definition matrix_rows := list (list (option bool)).

(* ---- lines: some rows, or some columns as rows ---- *)

Definition across (y : nat) (F : matrix_rows) : list (option bool) := map (fun r => nth y r None) F.
Definition lines_of (columns : bool) (F : matrix_rows) (lines : list nat) : matrix_rows :=
  map (fun i => if columns then across i F else nth i F []) lines.

Lemma across_nth F x y : nth x (across y F) None = nth y (nth x F []) None.
Proof.
  unfold across. replace (@None bool) with ((fun r : list (option bool) => nth y r None) []) at 1 by (destruct y; reflexivity).
  apply (map_nth (fun r : list (option bool) => nth y r None)).
Qed.
Lemma lines_nth columns F lines t : t < length lines ->
  nth t (lines_of columns F lines) [] = if columns then across (nth t lines 0) F else nth (nth t lines 0) F [].
Proof.
  intros H. unfold lines_of. rewrite (nth_indep _ (@nil (option bool)) ((fun i => if columns then across i F else nth i F []) 0))
    by (rewrite map_length; exact H). rewrite (map_nth (fun i => if columns then across i F else nth i F [])). reflexivity.
Qed.

Lemma lines_have_signs (columns : bool) n m F lines d : (forall i, In i lines -> i < (if columns then m else n)) ->
  has_signs n m (of_table F) d ->
  has_signs (length lines) (if columns then n else m) (of_table (lines_of columns F lines)) d.
Proof.
  intros B [u [v S]]. exists (fun t => (if columns then v else u) (nth t lines 0)), (if columns then u else v).
  intros t y b Ht Hy E. specialize (B _ (nth_In lines 0 Ht)). unfold of_table in *. rewrite lines_nth in E by exact Ht.
  destruct columns.
  - rewrite across_nth in E. specialize (S y (nth t lines 0) b Hy B E). cbv zeta in *.
    assert (forall w z, sum d (fun i => w i * z i) == sum d (fun i => z i * w i))%Q as Swap by (intros; apply sum_ext; intros; ring).
    destruct b; rewrite Swap; exact S.
  - exact (S (nth t lines 0) y b B Hy E).
Qed.

(* ---- lines with all patterns up to the opposite one ---- *)

Definition normal (l : list bool) : N := match l with [] => 0%N | b :: l' => number_of (map (xorb b) l') end.
Definition patterns (m : nat) (R : matrix_rows) : list N :=
  flat_map (fun y => match each (fun a => a) (across y R) with Some l => [normal l] | None => [] end) (seq 0 m).
Definition check_patterns (m : nat) (R : matrix_rows) : bool :=
  let found := once (patterns m R) in
  negb (length R =? 0) && distinct found && (2 ^ N.of_nat (pred (length R)) <=? size found)%N.

Lemma each_same {A} : forall (l : list (option A)) k, each (fun a => a) l = Some k -> l = map Some k.
Proof.
  induction l as [|[a|] l IH]; intros k H; cbn in H; try discriminate; [injection H as <-; reflexivity|].
  destruct (each _ l) as [k'|]; [|discriminate]. injection H as <-. cbn. rewrite (IH k' eq_refl). reflexivity.
Qed.
Lemma number_of_inj l k : length l = length k -> number_of l = number_of k -> l = k.
Proof.
  intros L E. apply (nth_ext _ _ false false L). intros i _. rewrite <- !bit_number_of, E. reflexivity.
Qed.
Lemma normal_inj l k : length l = length k -> normal l = normal k -> exists f, l = map (xorb f) k.
Proof.
  destruct l as [|a l], k as [|b k]; intros L E; try discriminate; [exists false; reflexivity|].
  apply number_of_inj in E; [|rewrite !map_length; injection L; auto]. exists (xorb a b). cbn [map]. f_equal.
  - destruct a, b; reflexivity.
  - assert (map (xorb a) (map (xorb a) l) = l) as <-.
    { rewrite map_map, <- (map_id l) at 1. rewrite map_id. rewrite (map_ext _ (fun x => x)); [apply map_id|].
      intros x. destruct a, x; reflexivity. }
    rewrite E, map_map. apply map_ext. intros x. destruct a, b, x; reflexivity.
Qed.

Lemma in_patterns m R p : In p (patterns m R) ->
  exists y l, y < m /\ across y R = map Some l /\ p = normal l /\ length l = length R.
Proof.
  unfold patterns. intros H. apply in_flat_map in H as [y [Y H]]. apply in_seq in Y.
  destruct (each _ (across y R)) as [l|] eqn:E; [|contradiction]. apply each_same in E. destruct H as [<-|[]].
  exists y, l. split; [lia|]. split; [exact E|]. split; [reflexivity|].
  rewrite <- (map_length Some l), <- E. unfold across. apply map_length.
Qed.

Lemma all_patterns m R l : check_patterns m R = true -> length l = length R ->
  exists y f, y < m /\ across y R = map (fun b => Some (xorb f b)) l.
Proof.
  unfold check_patterns. intros H L. apply andb_prop in H as [H Z]. apply andb_prop in H as [K D].
  apply distinct_spec in D. apply N.leb_le in Z. apply negb_true_iff, Nat.eqb_neq in K. rewrite size_length in Z.
  set (top := (2 ^ N.of_nat (pred (length R)))%N) in *.
  assert (forall k, length k = length R -> (normal k < top)%N) as B.
  { intros [|b k] Lk; cbn [length] in Lk; [lia|]. unfold normal, top. rewrite <- Lk. cbn [pred].
    rewrite <- (map_length (xorb b) k). apply number_of_lt. }
  assert (In (normal l) (patterns m R)) as I.
  { apply once_in, (NoDup_length_incl D (l' := map N.of_nat (seq 0 (N.to_nat top)))).
    - rewrite map_length, seq_length. lia.
    - intros p Hp. apply once_in, in_patterns in Hp as [y [k [_ [_ [-> Lk]]]]]. specialize (B k Lk).
      apply in_map_iff. exists (N.to_nat (normal k)). split; [lia|]. apply in_seq. lia.
    - specialize (B l L). apply in_map_iff. exists (N.to_nat (normal l)). split; [lia|]. apply in_seq. lia. }
  apply in_patterns in I as [y [k [Y [E [P Lk]]]]]. destruct (normal_inj k l) as [f ->]; [congruence|congruence|].
  exists y, f. split; [exact Y|]. rewrite E, map_map. reflexivity.
Qed.

Local Open Scope Q_scope.

Theorem check_patterns_sound m R d : check_patterns m R = true ->
  has_signs (length R) m (of_table R) d -> (length R <= d)%nat.
Proof.
  intros C [u [v S]]. destruct (le_lt_dec (length R) d) as [|G]; [assumption|exfalso].
  destruct (dependent d u) as [c [[s [Hs Ns]] Z]].
  set (sign t := negb (Qle_bool (c t) 0)).
  destruct (all_patterns m R (map sign (seq 0 (length R))) C) as [y [f [Y E]]];
    [rewrite map_length, seq_length; reflexivity|].
  rewrite map_map in E.
  set (product t := sum d (fun i => u t i * v y i)).
  assert (sum (Datatypes.S d) (fun t => c t * product t) == 0) as T.
  { rewrite (sum_ext _ _ (fun t => sum d (fun i => v y i * (c t * u t i)))).
    - rewrite sum_swap. rewrite (sum_ext d _ (fun _ => 0)); [apply sum_zero|]. intros i Hi. rewrite sum_scale, Z by exact Hi. ring.
    - intros t _. unfold product. rewrite <- sum_scale. apply sum_ext. intros i _. ring. }
  assert (forall t, (t < length R)%nat -> if xorb f (sign t) then 0 < product t else product t < 0) as P.
  { intros t Ht. apply (S t y _ Ht Y). unfold of_table. rewrite <- across_nth, E.
    rewrite (nth_indep _ None ((fun x => Some (xorb f (sign x))) O)) by (rewrite map_length, seq_length; exact Ht).
    rewrite (map_nth (fun x => Some (xorb f (sign x)))), seq_nth by exact Ht. reflexivity. }
  set (e := if f then - (1) else 1).
  assert (forall t, (t < Datatypes.S d)%nat -> 0 <= e * (c t * product t) /\ (~ c t == 0 -> 0 < e * (c t * product t))) as W.
  { intros t Ht. specialize (P t ltac:(lia)). unfold sign, e in *.
    destruct (Qle_bool (c t) 0) eqn:Q; cbn [negb] in P.
    - apply Qle_bool_iff in Q. destruct f; cbn [xorb] in P; split; try nra; intros N;
        assert (c t < 0) by (apply Qnot_le_lt; intros K; apply N; lra); nra.
    - assert (0 < c t) as K by (apply Qnot_le_lt; intros K; apply Qle_bool_iff in K; congruence).
      destruct f; cbn [xorb] in P; split; try nra; intros _; nra. }
  pose proof (sum_positive (Datatypes.S d) _ s (fun t Ht => proj1 (W t Ht)) Hs (proj2 (W s Hs) Ns)) as X.
  rewrite sum_scale, T in X. lra.
Qed.

Local Close Scope Q_scope.

(* ---- integer vectors ---- *)

Definition sign_is (b : bool) (z : Z) : bool := if b then (0 <? z)%Z else (z <? 0)%Z.
Fixpoint row_fits (u : list Z) (r : list (option bool)) (columns : list (list Z)) : bool :=
  match r, columns with
  | a :: r', w :: columns' =>
      match a with Some b => sign_is b (dot u w) | None => true end && row_fits u r' columns'
  | _, _ => true
  end.
Fixpoint rows_fit (F : matrix_rows) (rows columns : list (list Z)) : bool :=
  match F, rows with r :: F', u :: rows' => row_fits u r columns && rows_fit F' rows' columns | _, _ => true end.
Definition check_vectors (n m : nat) (F : matrix_rows) (rows columns : list (list Z)) (d : nat) : bool :=
  (length rows =? n) && (length columns =? m) && forallb (fun u => length u =? d) (rows ++ columns)
  && rows_fit F rows columns.

Lemma row_fits_spec u : forall r columns, row_fits u r columns = true -> forall y b, y < length columns ->
  nth y r None = Some b -> sign_is b (dot u (nth y columns [])) = true.
Proof.
  induction r as [|a r IH]; intros [|w columns] H y b Hy E; cbn [length] in Hy; try lia; [destruct y; discriminate|].
  cbn [row_fits] in H. apply andb_prop in H as [A H]. destruct y as [|y]; cbn [nth] in *.
  - subst a. exact A.
  - apply (IH columns H y b); [lia|exact E].
Qed.
Lemma rows_fit_spec columns : forall F rows, rows_fit F rows columns = true -> forall x y b,
  x < length rows -> y < length columns -> nth y (nth x F []) None = Some b ->
  sign_is b (dot (nth x rows []) (nth y columns [])) = true.
Proof.
  induction F as [|r F IH]; intros [|u rows] H x y b Hx Hy E; cbn [length] in Hx; try lia;
    [destruct x, y; discriminate|]. cbn [rows_fit] in H. apply andb_prop in H as [A H]. destruct x as [|x]; cbn [nth] in *.
  - apply (row_fits_spec u r columns A y b Hy E).
  - apply (IH rows H x y b); [lia|exact Hy|exact E].
Qed.

Theorem check_vectors_sound n m F rows columns d : check_vectors n m F rows columns d = true ->
  has_signs n m (of_table F) d.
Proof.
  unfold check_vectors. intros H. apply andb_prop in H as [H S]. apply andb_prop in H as [H L].
  apply andb_prop in H as [N M]. apply Nat.eqb_eq in N, M. rewrite forallb_forall in L.
  exists (fun x i => inject_Z (nth i (nth x rows []) 0%Z)), (fun y i => inject_Z (nth i (nth y columns []) 0%Z)).
  intros x y b Hx Hy E product. rewrite <- N in Hx. rewrite <- M in Hy.
  pose proof (rows_fit_spec columns F rows S x y b Hx Hy E) as P.
  assert (length (nth x rows []) = d) as Lu by (apply Nat.eqb_eq, L, in_or_app; left; apply nth_In, Hx).
  assert (length (nth y columns []) = d) as Lw by (apply Nat.eqb_eq, L, in_or_app; right; apply nth_In, Hy).
  assert (product == inject_Z (dot (nth x rows []) (nth y columns [])))%Q as Q.
  { unfold product. rewrite <- Lu. apply sum_dot. congruence. }
  destruct b; apply Z.ltb_lt in P; rewrite Zlt_Qlt in P; rewrite Q; exact P.
Qed.
