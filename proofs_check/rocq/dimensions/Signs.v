(* Vectors of k entries for columns and rows, whose inner products are positive exactly at the ones of a
   table: k + 1 vectors depend on each other, so that no k + 1 columns take all labellings; and not even
   k if some vector has a positive product with those of all rows. *)
From Coq Require Import ZArith NArith QArith Lia Lqa Bool List.
From CCSim Require Import Definitions Json Sums Mixture Radon Tables Sorting Shattering.
Import ListNotations.
Local Open Scope nat_scope.

Local Open Scope Q_scope.

Lemma sum_positive n g t : (forall i, (i < n)%nat -> 0 <= g i) -> (t < n)%nat -> 0 < g t -> 0 < sum n g.
Proof.
  induction n as [|n IH]; intros H Ht P; [lia|]. cbn [sum].
  pose proof (H n ltac:(lia)) as Hn. pose proof (sum_nonneg n g (fun i Hi => H i ltac:(lia))) as S.
  destruct (Nat.eq_dec t n) as [->|N]; [lra|]. pose proof (IH (fun i Hi => H i ltac:(lia)) ltac:(lia) P). lra.
Qed.

(* a relation that has a positive number, at a given place if that one is not 0 *)
Lemma relation k (v : nat -> nat -> Q) : exists c, 0 <= c k /\ (exists t, (t < S k)%nat /\ 0 < c t) /\
  forall i, (i < k)%nat -> sum (S k) (fun t => c t * v t i) == 0.
Proof.
  destruct (dependent k v) as [c [[t [Ht N]] L]].
  assert (forall i, (i < k)%nat -> sum (S k) (fun t => - c t * v t i) == 0) as M.
  { intros i Hi. rewrite (sum_ext _ _ (fun t => - (1) * (c t * v t i))) by (intros; ring).
    rewrite sum_scale, L by exact Hi. ring. }
  destruct (Q_dec (c k) 0) as [[B|B]|B].
  - exists (fun t => - c t). split; [lra|]. split; [exists k; split; [lia|lra]|exact M].
  - exists c. split; [lra|]. split; [exists k; split; [lia|exact B]|exact L].
  - destruct (Qlt_le_dec 0 (c t)) as [P|P].
    + exists c. split; [lra|]. split; [exists t; auto|exact L].
    + exists (fun t => - c t). split; [lra|]. split; [exists t; split; [exact Ht|]|exact M].
      destruct (Q_dec (c t) 0) as [[E|E]|E]; [lra|lra|contradiction].
Qed.

Lemma clash k (u : nat -> list Z) (fixed : bool) : (forall t, (t < S k)%nat -> length (u t) = k) ->
  exists positive : nat -> bool, forall w, length w = k ->
    (forall t, (t < S k)%nat -> (if fixed then t <> k else True) -> positive t = (0 <? dot (u t) w)%Z) ->
    (fixed = true -> (0 < dot (u k) w)%Z) -> False.
Proof.
  intros Lu. destruct (relation k (fun t i => inject_Z (nth i (u t) 0%Z))) as [c [Ck [[s [Hs Ps]] L]]].
  exists (fun t => negb (Qle_bool (c t) 0)). intros w Lw A F.
  assert (sum (S k) (fun t => c t * inject_Z (dot (u t) w)) == 0) as Z.
  { rewrite (sum_ext _ _ (fun t => sum k (fun i => inject_Z (nth i w 0%Z) * (c t * inject_Z (nth i (u t) 0%Z))))).
    - rewrite sum_swap. rewrite (sum_ext k _ (fun _ => 0)); [apply sum_zero|]. intros i Hi.
      rewrite sum_scale, L by exact Hi. ring.
    - intros t Ht. rewrite <- sum_dot by (rewrite Lu by exact Ht; exact Lw). rewrite Lu by exact Ht.
      rewrite <- sum_scale. apply sum_ext. intros i _. ring. }
  assert (forall t, (t < S k)%nat -> 0 <= c t * inject_Z (dot (u t) w) /\
    (0 < c t -> 0 < c t * inject_Z (dot (u t) w))) as G.
  { intros t Ht.
    assert ((t = k /\ fixed = true) \/ (if fixed then t <> k else True)) as [[-> E]|E].
    { destruct fixed; [|auto]. destruct (Nat.eq_dec t k); auto. }
    - specialize (F E). assert (0 < inject_Z (dot (u k) w)) as P by (rewrite <- (Zlt_Qlt 0); exact F).
      split; [nra|intros C; nra].
    - specialize (A t Ht E). destruct (Qle_bool (c t) 0) eqn:Q; cbn [negb] in A.
      + apply Qle_bool_iff in Q. symmetry in A. apply Z.ltb_ge in A.
        assert (inject_Z (dot (u t) w) <= 0) as P by (rewrite <- (Zle_Qle _ 0); exact A). split; [nra|lra].
      + symmetry in A. apply Z.ltb_lt in A.
        assert (0 < inject_Z (dot (u t) w)) as P by (rewrite <- (Zlt_Qlt 0); exact A).
        assert (0 < c t) as C.
        { destruct (Qlt_le_dec 0 (c t)) as [C|C]; [exact C|]. apply Qle_bool_iff in C. congruence. }
        split; [nra|intros _; nra]. }
  pose proof (sum_positive (S k) _ s (fun t Ht => proj1 (G t Ht)) Hs (proj2 (G s Hs) Ps)). lra.
Qed.

Local Close Scope Q_scope.

Definition signs_agree (columns : list (list Z)) (r : N) (w : list Z) : bool :=
  (number_of (map (fun u => 0 <? dot u w)%Z columns) =? r)%N.
Fixpoint rows_agree (columns : list (list Z)) (k : nat) (positive : list Z) (rows : list N) (vectors : list (list Z)) : bool :=
  match rows, vectors with
  | [], [] => true
  | r :: rows', w :: vectors' =>
      (length w =? k) && signs_agree columns r w
      && match positive with [] => true | _ => (0 <? dot positive w)%Z end
      && rows_agree columns k positive rows' vectors'
  | _, _ => false
  end.

(* the number of columns that may be shattered *)
Definition signs_bound (n : nat) (rows : list N) (columns vectors : list (list Z)) (positive : list Z) : option nat :=
  let k := match columns with u :: _ => length u | [] => 0 end in
  if (length columns =? n) && forallb (fun u => length u =? k) columns
     && match positive with [] => true | _ => length positive =? k end
     && rows_agree columns k positive rows vectors
  then Some (match positive with [] => k | _ => pred k end) else None.

Lemma rows_agree_spec columns k positive : forall rows vectors, rows_agree columns k positive rows vectors = true ->
  forall r, In r rows -> exists w, length w = k /\ (positive <> [] -> (0 < dot positive w)%Z) /\
    forall x, x < length columns -> bit r x = (0 <? dot (nth x columns []) w)%Z.
Proof.
  induction rows as [|r rows IH]; intros [|w vectors] H; cbn [rows_agree] in H; try discriminate; [intros ? []|].
  apply andb_prop in H as [H R]. apply andb_prop in H as [H P]. apply andb_prop in H as [L A].
  apply Nat.eqb_eq in L. apply N.eqb_eq in A. intros r' [<-|Hr]; [|exact (IH _ R r' Hr)].
  exists w. split; [exact L|]. split.
  - intros N. destruct positive; [contradiction|]. apply Z.ltb_lt, P.
  - intros x Hx. rewrite <- A, bit_number_of. rewrite (nth_indep _ false ((fun u => (0 <? dot u w)%Z) []))
      by (rewrite map_length; exact Hx). rewrite (map_nth (fun u => (0 <? dot u w)%Z)). reflexivity.
Qed.

Theorem signs_bound_sound n rows columns vectors positive v :
  signs_bound n rows columns vectors positive = Some v -> forall d, class_shattered n rows d -> d <= v.
Proof.
  unfold signs_bound. set (k := match columns with u :: _ => length u | [] => 0 end).
  destruct (_ && _) eqn:E; [|discriminate]. intros V. injection V as <-.
  apply andb_prop in E as [E R]. apply andb_prop in E as [E P]. apply andb_prop in E as [Ln Lc].
  apply Nat.eqb_eq in Ln. rewrite forallb_forall in Lc. pose proof (rows_agree_spec _ _ _ _ _ R) as A.
  intros d Sh. set (v := match positive with [] => k | _ => pred k end).
  destruct (le_lt_dec d v) as [|G]; [assumption|exfalso].
  destruct (shattered_takes n rows (S v) d ltac:(lia) Sh) as [T [DT [LT [BT TT]]]].
  set (fixed := match positive with [] => false | _ => true end).
  assert (fixed = true -> k <> 0 -> S v = k) as Vf by (intros F Nk; unfold v; unfold fixed in F; destruct positive; [discriminate|lia]).
  assert (fixed = false -> v = k) as Vn by (intros F; unfold v; unfold fixed in F; destruct positive; [reflexivity|discriminate]).
  assert (forall t, t < length T -> nth t T 0 < n) as BN by (intros; apply BT, nth_In; assumption).
  assert (forall t, t < length T -> length (nth (nth t T 0) columns []) = k) as LU.
  { intros t Ht. apply Nat.eqb_eq, Lc, nth_In. rewrite Ln. apply BN, Ht. }
  destruct (Nat.eq_dec k 0) as [Zk|Nk].
  { (* all products are 0, so that no column has label 1 *)
    destruct (TT (fun _ => true)) as [r [Hr M]]. destruct (A r Hr) as [w [Lw [_ W]]].
    assert (nth 0 T 0 < n) as Hx by (apply BN; lia).
    assert (In (nth 0 T 0) T) as I0 by (apply nth_In; lia). specialize (M _ I0). rewrite W in M by (rewrite Ln; exact Hx).
    assert (0 < length T) as T0 by lia. specialize (LU 0 T0). rewrite Zk in LU. destruct (nth (nth 0 T 0) columns []); [|discriminate].
    cbn [dot] in M. discriminate. }
  set (u t := if fixed && (t =? k) then positive else nth (nth t T 0) columns []).
  assert (forall t, t < S k -> if fixed then t <> k -> t < length T else t < length T) as TB.
  { intros t Ht. destruct fixed; [specialize (Vf eq_refl Nk); intros; lia|specialize (Vn eq_refl); lia]. }
  destruct (clash k u fixed) as [labels K].
  { intros t Ht. unfold u. specialize (TB t Ht). destruct fixed eqn:Ef; cbn [andb].
    - destruct (Nat.eqb_spec t k) as [->|N]; [|apply LU, TB, N].
      unfold fixed in Ef. destruct positive; [discriminate|]. apply Nat.eqb_eq, P.
    - apply LU, TB. }
  destruct (TT (fun y => existsb (fun t => (nth t T 0 =? y) && labels t) (seq 0 (length T)))) as [r [Hr M]].
  destruct (A r Hr) as [w [Lw [Pw W]]]. apply (K w Lw).
  - intros t Ht Ft. assert (t < length T) as Tt by (specialize (TB t Ht); destruct fixed; auto).
    assert (In (nth t T 0) T) as It by (apply nth_In, Tt). specialize (M _ It). rewrite W in M by (rewrite Ln; apply BN, Tt).
    unfold u. replace (fixed && (t =? k)) with false.
    2:{ destruct fixed; [|reflexivity]. symmetry. apply Nat.eqb_neq. exact Ft. }
    rewrite M. destruct (labels t) eqn:El; symmetry.
    + apply existsb_exists. exists t. split; [apply in_seq; lia|]. rewrite Nat.eqb_refl. exact El.
    + destruct (existsb _ _) eqn:Ex; [|reflexivity]. apply existsb_exists in Ex as [s [Hs Es]].
      apply in_seq in Hs. apply andb_prop in Es as [Es Ls]. apply Nat.eqb_eq in Es.
      apply (proj1 (NoDup_nth T 0) DT) in Es; try lia. congruence.
  - intros F. unfold u. rewrite F, Nat.eqb_refl. cbn [andb]. apply Pw. unfold fixed in F.
    destruct positive; [discriminate|]. discriminate.
Qed.
