(* Certificates of errors by counting: of equality, index and augmented index of any size. *)
From Coq Require Import String ZArith QArith Lia Lqa Bool List.
From CCSim Require Import Definitions Sums Mixture OneWay Families RandomClasses Json Certificate.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- equality from below ---- *)

Definition pairs_inside (n k : Z) : Z := (n / k * (2 * n - k * (n / k + 1)))%Z.
Definition check_slope (n k s : N) (r v : Q) : bool :=
  let z c := inject_Z (Z.of_N c) in
  let cost := smaller (r * z n - inject_Z (Z.of_N k - 1) * (z s * (r - z s + 1)))
                      (inject_Z (pairs_inside (Z.of_N n) (Z.of_N k))) in
  (0 <? n)%N && (0 <? k)%N && negb (Qle_bool r 0) && Qle_bool (2 * z s - 2) r && Qle_bool r (2 * z s)
  && Qeq_bool (v * (z n * (z n - 1 + r))) (if Qle_bool 0 cost then cost else 0).

Theorem check_slope_sound n k s r v w e : check_slope n k s r v = true ->
  reached w (N.to_nat n) (N.to_nat n) equality_problem (N.to_nat k) e -> v <= e.
Proof.
  unfold check_slope. intros H R. apply andb_prop in H as [H V]. apply andb_prop in H as [H U].
  apply andb_prop in H as [H L]. apply andb_prop in H as [H P]. apply andb_prop in H as [N0 K0].
  apply N.ltb_lt in N0, K0. apply Qeq_bool_eq in V. apply Qle_bool_iff in U, L.
  assert (0 < r) as r0.
  { apply negb_true_iff in P. destruct (Qlt_le_dec 0 r); [assumption|]. apply Qle_bool_iff in q. congruence. }
  set (n' := N.to_nat n) in *. set (k' := N.to_nat k) in *.
  assert (Z.of_N n = Z.of_nat n') as En by (unfold n'; symmetry; apply N_nat_Z).
  assert (Z.of_N k = Z.of_nat k') as Ek by (unfold k'; symmetry; apply N_nat_Z).
  rewrite En, Ek in V.
  set (cost := smaller _ _) in V.
  assert (0 < inject_Z (Z.of_nat n')) as Pn by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  assert (1 <= inject_Z (Z.of_nat n')) as Pn1 by (change 1 with (inject_Z 1); rewrite <- Zle_Qle; lia).
  assert ((if Qle_bool 0 cost then cost else 0)
    <= e * average n' n' (slope_weight r) (fun _ _ => 1)) as B.
  { apply (weights_bound w n' n' equality_problem k' e (slope_weight r));
      [lia|intros; apply slope_weight_pos, r0| |exact R].
    intros a b A. destruct (Qle_bool 0 cost).
    - eapply Qle_trans; [|apply (classes_bound n' k' r a b A)].
      eapply Qle_trans; [|apply (sizes_bound n' k' r r0 (fun i => Z.of_nat (members n' a i)) (Z.of_N s)
        (Z.of_nat n' / Z.of_nat k')); try assumption; try lia].
      + unfold cost. apply smaller_spec.
        * apply smaller_left.
        * eapply Qle_trans; [apply smaller_right|]. apply Qle_lteq. right. unfold pairs_inside.
          set (q := (Z.of_nat n' / Z.of_nat k')%Z). set (nz := Z.of_nat n'). set (kz := Z.of_nat k').
          setoid_replace (2 * inject_Z q * inject_Z nz - inject_Z kz * (inject_Z q * (inject_Z q + 1)))
            with (inject_Z (2 * q * nz - kz * (q * (q + 1)))).
          -- replace (2 * q * nz - kz * (q * (q + 1)))%Z with (q * (2 * nz - kz * (q + 1)))%Z by ring. reflexivity.
          -- unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, !inject_Z_mult, !inject_Z_plus.
             change (inject_Z 2) with 2. change (inject_Z 1) with 1. ring.
      + rewrite <- (sum_ext k' (fun i => inject_Z (Z.of_nat (members n' a i)) * 1)) by (intros; ring).
        rewrite <- (by_messages n' k' a (fun _ => 1) A), sum_const. ring.
    - apply sum_nonneg. intros x Hx. apply sum_nonneg. intros y Hy.
      apply Qmult_le_0_compat; [apply slope_weight_pos, r0|].
      rewrite (tables_error_is _ _ _ _ _ _ (x =? y)%nat (A x Hx) eq_refl). unfold chance. destruct (xorb _ _); lra. }
  rewrite slope_weight_total, <- V in B. apply Qmult_le_r in B; [exact B|]. apply Qmult_lt_0_compat; lra.
Qed.

(* ---- equality from above ---- *)

Lemma sum_residues k l (g : nat -> Q) : (0 < k)%nat -> (l <= k)%nat -> forall q,
  sum (k * q + l) (fun y => g (y mod k)%nat) == inject_Z (Z.of_nat q) * sum k g + sum l g.
Proof.
  intros K L. induction q as [|q IH].
  - rewrite Nat.mul_0_r. cbn [Nat.add]. change (inject_Z (Z.of_nat 0)) with 0. rewrite Qmult_0_l, Qplus_0_l.
    apply sum_ext. intros i Hi. rewrite Nat.mod_small by lia. reflexivity.
  - replace (k * S q + l)%nat with (k + (k * q + l))%nat by lia. rewrite sum_split.
    rewrite (sum_ext k _ g) by (intros i Hi; rewrite Nat.mod_small by lia; reflexivity).
    rewrite (sum_ext (k * q + l) _ (fun y => g (y mod k)%nat)).
    + rewrite IH, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1. ring.
    + intros i _. replace (k + i)%nat with (i + 1 * k)%nat by lia. rewrite Nat.mod_add by lia. reflexivity.
Qed.

Lemma sum_below n l g : (l <= n)%nat -> sum n (fun y => chance (y <? l)%nat * g y) == sum l g.
Proof.
  intros L. replace n with (l + (n - l))%nat at 1 by lia. rewrite sum_split.
  rewrite (sum_ext l _ g), (sum_ext (n - l) _ (fun _ => 0)), sum_zero; [ring| |].
  - intros i _. destruct (Nat.ltb_spec (l + i) l); [lia|]. unfold chance. ring.
  - intros i Hi. destruct (Nat.ltb_spec i l); [|lia]. unfold chance. ring.
Qed.

Lemma sum_equals n m : (m < n)%nat -> sum n (fun y => chance (y =? m)%nat) == 1.
Proof.
  intros H. rewrite (sum_ext n _ (fun y => chance (m =? y)%nat * 1)).
  - apply (sum_single n m (fun _ => 1)). exact H.
  - intros y _. rewrite Nat.eqb_sym. ring.
Qed.
Lemma sum_equals_below l m : sum l (fun y => chance (y =? m)%nat) == chance (m <? l)%nat.
Proof.
  destruct (Nat.ltb_spec m l) as [H|H]; [apply sum_equals, H|].
  rewrite (sum_ext l _ (fun _ => 0)); [apply sum_zero|]. intros i Hi. destruct (Nat.eqb_spec i m); [lia|reflexivity].
Qed.

Notation whole c := (inject_Z (Z.of_nat c)).

(* classes of the numbers below n by their residues *)
Lemma residues_pairs n k : (0 < k)%nat ->
  sum n (fun x => sum n (fun y => chance (y mod k =? x mod k)%nat)) - whole n
  == inject_Z (pairs_inside (Z.of_nat n) (Z.of_nat k)).
Proof.
  intros K. set (q := (n / k)%nat). set (l := (n mod k)%nat).
  assert (n = k * q + l)%nat as E by (apply Nat.div_mod; lia).
  assert (l < k)%nat as L by (apply Nat.mod_upper_bound; lia).
  rewrite (sum_ext n _ (fun x => whole q + chance (x mod k <? l)%nat)).
  - rewrite sum_plus, sum_const.
    rewrite E at 2. rewrite (sum_residues k l (fun m => chance (m <? l)%nat)) by lia.
    rewrite (sum_ext k _ (fun m => chance (m <? l)%nat * 1)) by (intros; ring).
    rewrite (sum_below k l (fun _ => 1)) by lia.
    rewrite (sum_ext l (fun m => chance (m <? l)%nat) (fun _ => 1)).
    + rewrite sum_const. unfold pairs_inside. rewrite <- Nat2Z.inj_div. fold q.
      setoid_replace (whole n * whole q + (whole q * (whole l * 1) + whole l * 1) - whole n)
        with (inject_Z (Z.of_nat n * Z.of_nat q + Z.of_nat q * Z.of_nat l + Z.of_nat l - Z.of_nat n)).
      * replace (Z.of_nat n * Z.of_nat q + Z.of_nat q * Z.of_nat l + Z.of_nat l - Z.of_nat n)%Z
          with (Z.of_nat q * (2 * Z.of_nat n - Z.of_nat k * (Z.of_nat q + 1)))%Z by nia. reflexivity.
      * unfold Z.sub. rewrite !inject_Z_plus, inject_Z_opp, !inject_Z_mult. ring.
    + intros i Hi. destruct (Nat.ltb_spec i l); [reflexivity|lia].
  - intros x _. rewrite E at 1. rewrite (sum_residues k l (fun m => chance (m =? x mod k)%nat)) by lia.
    rewrite sum_equals by (apply Nat.mod_upper_bound; lia). rewrite sum_equals_below. ring.
Qed.

Definition even_class (k x : nat) : nat := (x mod k)%nat.
Definition even_answer (k i y : nat) : bool := (y mod k =? i)%nat.
(* k classes of size s, and the rest in one that Bob rejects *)
Definition uneven_class (k s x : nat) : nat := if (x <? k * s)%nat then (x mod k)%nat else k.
Definition uneven_answer (k s i y : nat) : bool := (y <? k * s)%nat && (y mod k =? i)%nat.

Lemma mistakes_equal n (a : nat -> nat) b :
  sum n (fun x => mistaken a b x x) == whole n - sum n (fun x => chance (b (a x) x)).
Proof.
  rewrite <- (Qmult_1_r (whole n)), <- sum_const.
  setoid_replace (sum n (fun _ => 1) - sum n (fun x => chance (b (a x) x)))
    with (sum n (fun _ => 1) + sum n (fun x => - (1) * chance (b (a x) x))) by (rewrite sum_scale; ring).
  rewrite <- sum_plus. apply sum_ext. intros x _. unfold mistaken. rewrite Nat.eqb_refl.
  destruct (b (a x) x); unfold chance; cbn; ring.
Qed.

Lemma mistakes_different n (a : nat -> nat) b :
  sum n (fun x => sum n (fun y => mistaken a b x y)) - sum n (fun x => mistaken a b x x)
  == sum n (fun x => sum n (fun y => chance (b (a x) y))) - sum n (fun x => chance (b (a x) x)).
Proof.
  rewrite mistakes_equal.
  rewrite (sum_ext n _ (fun x => sum n (fun y => chance (b (a x) y)) + (1 + - (2) * chance (b (a x) x)))).
  - rewrite !sum_plus, sum_scale, sum_const. ring.
  - intros x Hx.
    rewrite (sum_ext n _ (fun y => chance (b (a x) y) + chance (x =? y)%nat * (1 + - (2) * chance (b (a x) x)))).
    + rewrite sum_plus, (sum_single n x (fun _ => 1 + - (2) * chance (b (a x) x))) by exact Hx. reflexivity.
    + intros y _. unfold mistaken. destruct (Nat.eqb_spec x y) as [->|N].
      * destruct (b (a y) y); unfold chance; cbn; ring.
      * destruct (b (a x) y); unfold chance; cbn; ring.
Qed.

Lemma even_mistakes n k : (0 < k)%nat ->
  sum n (fun x => mistaken (even_class k) (even_answer k) x x) == 0 /\
  sum n (fun x => sum n (fun y => mistaken (even_class k) (even_answer k) x y))
    - sum n (fun x => mistaken (even_class k) (even_answer k) x x)
  == inject_Z (pairs_inside (Z.of_nat n) (Z.of_nat k)).
Proof.
  intros K. rewrite mistakes_different, mistakes_equal.
  assert (sum n (fun x => chance (even_answer k (even_class k x) x)) == whole n) as D.
  { rewrite <- (Qmult_1_r (whole n)), <- sum_const. apply sum_ext. intros x _. unfold even_answer, even_class.
    rewrite Nat.eqb_refl. reflexivity. }
  rewrite D. split; [ring|]. apply residues_pairs, K.
Qed.

Lemma uneven_mistakes n k s : (k * s <= n)%nat ->
  sum n (fun x => mistaken (uneven_class k s) (uneven_answer k s) x x) == whole n - whole k * whole s /\
  sum n (fun x => sum n (fun y => mistaken (uneven_class k s) (uneven_answer k s) x y))
    - sum n (fun x => mistaken (uneven_class k s) (uneven_answer k s) x x)
  == whole k * whole s * (whole s - 1).
Proof.
  intros F. rewrite mistakes_different, mistakes_equal.
  assert (sum n (fun x => chance (uneven_answer k s (uneven_class k s x) x)) == whole k * whole s) as D.
  { rewrite (sum_ext n _ (fun x => chance (x <? k * s)%nat * 1)).
    - rewrite (sum_below n (k * s) (fun _ => 1)) by exact F. rewrite sum_const, Nat2Z.inj_mul, inject_Z_mult. ring.
    - intros x _. unfold uneven_answer, uneven_class. destruct (x <? k * s)%nat; cbn [andb]; [|reflexivity].
      rewrite Nat.eqb_refl. reflexivity. }
  rewrite D. split; [reflexivity|].
  rewrite (sum_ext n _ (fun x => chance (x <? k * s)%nat * whole s)).
  - rewrite (sum_below n (k * s) (fun _ => whole s)) by exact F. rewrite sum_const, Nat2Z.inj_mul, inject_Z_mult. ring.
  - intros x _. unfold uneven_answer, uneven_class.
    rewrite (sum_ext n _ (fun y => chance (y <? k * s)%nat *
      chance (y mod k =? if (x <? k * s)%nat then x mod k else k)%nat))
      by (intros y _; destruct (y <? k * s)%nat; cbn [andb]; unfold chance at 2; unfold chance; ring).
    rewrite (sum_below n (k * s) (fun y => chance (y mod k =? _)%nat)) by exact F.
    destruct (Nat.ltb_spec x (k * s)) as [H|H].
    + assert (0 < k)%nat as K by (destruct k; lia).
      pose proof (sum_residues k 0 (fun m => chance (m =? x mod k)%nat) K (Nat.le_0_l k) s) as S.
      rewrite Nat.add_0_r in S. rewrite S. rewrite sum_equals by (apply Nat.mod_upper_bound; lia).
      unfold chance. cbn [sum]. ring.
    + rewrite (sum_ext (k * s) _ (fun _ => 0)); [rewrite sum_zero; unfold chance; ring|].
      intros y Hy. assert (0 < k)%nat as K by (destruct k; lia).
      pose proof (Nat.mod_upper_bound y k ltac:(lia)). destruct (Nat.eqb_spec (y mod k) k); [lia|reflexivity].
Qed.

Definition check_random_classes (n k s : N) (even uneven : Z) (v : Q) : bool :=
  let (n', k') := (Z.of_N n, Z.of_N k) in
  let others := Z.max (n' - 1) 1 in
  let kept := ((k' - 1) * Z.of_N s)%Z in
  let accepted := (even * pairs_inside n' k' + uneven * kept * (Z.of_N s - 1))%Z in
  let wrong := Z.max accepted (uneven * (n' - kept) * others) in
  (0 <? n)%N && (0 <? k)%N && (0 <=? even)%Z && (0 <=? uneven)%Z && (0 <? even + uneven)%Z && (kept <=? n')%Z
  && Qeq_bool (v * inject_Z ((even + uneven) * n' * others)) (inject_Z wrong).

Theorem check_random_classes_sound n k s even uneven v : check_random_classes n k s even uneven v = true ->
  reached Public (N.to_nat n) (N.to_nat n) equality_problem (N.to_nat k) v.
Proof.
  unfold check_random_classes. intros H. apply andb_prop in H as [H V]. apply andb_prop in H as [H F].
  apply andb_prop in H as [H T]. apply andb_prop in H as [H U]. apply andb_prop in H as [H E].
  apply andb_prop in H as [N0 K0]. apply N.ltb_lt in N0, K0. apply Z.leb_le in U, E, F. apply Z.ltb_lt in T.
  apply Qeq_bool_eq in V.
  set (n' := N.to_nat n) in *. set (k' := (N.to_nat k - 1)%nat). set (s' := N.to_nat s).
  assert (Z.of_N n = Z.of_nat n') as En by (unfold n'; symmetry; apply N_nat_Z).
  assert (Z.of_N k = Z.of_nat k' + 1)%Z as Ek by (unfold k'; lia).
  assert (Z.of_N s = Z.of_nat s') as Es by (unfold s'; symmetry; apply N_nat_Z).
  rewrite En, Ek, Es in *. replace (Z.of_nat k' + 1 - 1)%Z with (Z.of_nat k') in * by lia.
  assert (k' * s' <= n')%nat as Fit by lia.
  set (total := inject_Z (even + uneven)).
  assert (0 < total) as Pt by (unfold total; change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact T).
  assert (total == inject_Z even + inject_Z uneven) as St by (unfold total; rewrite inject_Z_plus; reflexivity).
  assert (0 <= inject_Z even) as Pe by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact E).
  assert (0 <= inject_Z uneven) as Pu by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact U).
  assert (1 <= whole n') as Pn by (change 1 with (inject_Z 1); rewrite <- Zle_Qle; lia).
  destruct (even_mistakes n' (S k') ltac:(lia)) as [E0 E1].
  destruct (uneven_mistakes n' k' s' Fit) as [U0 U1].
  pose proof (orders_positive n') as G.
  replace (N.to_nat k) with (S k') by (unfold k'; lia).
  set (a := even_class (S k')) in *. set (b := even_answer (S k')) in *.
  set (a' := uneven_class k' s') in *. set (b' := uneven_answer k' s') in *.
  apply two_permuted with (u := inject_Z even / total) (v := inject_Z uneven / total)
    (a := a) (b := b) (a' := a') (b' := b').
  - apply Qle_shift_div_l; lra.
  - apply Qle_shift_div_l; lra.
  - rewrite St. field. lra.
  - intros x _. apply Nat.mod_upper_bound. lia.
  - intros x _. unfold a', uneven_class. destruct (Nat.ltb_spec x (k' * s')); [|lia].
    assert (0 < k')%nat as K by (destruct k'; lia). pose proof (Nat.mod_upper_bound x k' ltac:(lia)). lia.
  - intros x y Hx Hy.
    setoid_replace (inject_Z even / total * often n' (mistaken a b) x y
      + inject_Z uneven / total * often n' (mistaken a' b') x y)
      with ((inject_Z even * often n' (mistaken a b) x y + inject_Z uneven * often n' (mistaken a' b') x y) / total)
      by (field; lra).
    apply Qle_shift_div_r; [exact Pt|].
    destruct (Nat.eq_dec x y) as [<-|N].
    + pose proof (often_equal_mean n' (mistaken a b) x Hx) as M. rewrite E0 in M.
      pose proof (often_equal_mean n' (mistaken a' b') x Hx) as M'. rewrite U0 in M'.
      assert (often n' (mistaken a b) x x == 0) as ->.
      { apply (Qmult_inj_l _ _ (whole n')); [lra|]. rewrite M. ring. }
      set (t := often n' (mistaken a' b') x x) in *.
      assert (inject_Z uneven * (whole n' - whole k' * whole s') <= v * total * whole n') as B.
      { set (o := Z.max (Z.of_nat n' - 1) 1) in *.
        assert (0 < inject_Z o) as Po by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
        apply (Qmult_le_r _ _ (inject_Z o) Po).
        setoid_replace (v * total * whole n' * inject_Z o) with (v * inject_Z ((even + uneven) * Z.of_nat n' * o))
          by (rewrite !inject_Z_mult; fold total; ring).
        rewrite V.
        setoid_replace (inject_Z uneven * (whole n' - whole k' * whole s') * inject_Z o)
          with (inject_Z (uneven * (Z.of_nat n' - Z.of_nat k' * Z.of_nat s') * o))
          by (unfold Z.sub; rewrite !inject_Z_mult, inject_Z_plus, inject_Z_opp, inject_Z_mult; ring).
        rewrite <- Zle_Qle. apply Z.le_max_r. }
      apply (Qmult_le_l _ _ (whole n')); [lra|].
      setoid_replace (whole n' * (inject_Z even * 0 + inject_Z uneven * t))
        with (inject_Z uneven * (whole n' * t)) by ring.
      rewrite M'.
      setoid_replace (inject_Z uneven * (orders n' * (whole n' - whole k' * whole s')))
        with (inject_Z uneven * (whole n' - whole k' * whole s') * orders n') by ring.
      setoid_replace (whole n' * (v * orders n' * total)) with (v * total * whole n' * orders n') by ring.
      apply Qmult_le_compat_r; [exact B|lra].
    + pose proof (often_different_mean n' (mistaken a b) x y Hx Hy N) as M. rewrite E1 in M.
      pose proof (often_different_mean n' (mistaken a' b') x y Hx Hy N) as M'. rewrite U1 in M'.
      set (t := often n' (mistaken a b) x y) in *. set (t' := often n' (mistaken a' b') x y) in *.
      replace (Z.max (Z.of_nat n' - 1) 1) with (Z.of_nat n' - 1)%Z in V by lia.
      replace (Z.of_nat (S k')) with (Z.of_nat k' + 1)%Z in M by lia.
      set (p := pairs_inside (Z.of_nat n') (Z.of_nat k' + 1)) in *.
      assert (whole n' - 1 == inject_Z (Z.of_nat n' - 1)) as O
        by (unfold Z.sub; rewrite inject_Z_plus; reflexivity).
      assert (0 < whole n' - 1) as Po by (rewrite O; change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
      assert (inject_Z even * inject_Z p + inject_Z uneven * (whole k' * whole s' * (whole s' - 1))
        <= v * total * (whole n' * (whole n' - 1))) as B.
      { setoid_replace (v * total * (whole n' * (whole n' - 1)))
          with (v * inject_Z ((even + uneven) * Z.of_nat n' * (Z.of_nat n' - 1)))
          by (rewrite O, !inject_Z_mult; fold total; ring).
        rewrite V.
        setoid_replace (inject_Z even * inject_Z p + inject_Z uneven * (whole k' * whole s' * (whole s' - 1)))
          with (inject_Z (even * p + uneven * (Z.of_nat k' * Z.of_nat s') * (Z.of_nat s' - 1)))
          by (unfold Z.sub; rewrite inject_Z_plus, !inject_Z_mult, inject_Z_plus;
              change (inject_Z (-(1))) with (-(1)); ring).
        rewrite <- Zle_Qle. apply Z.le_max_l. }
      apply (Qmult_le_l _ _ (whole n' * (whole n' - 1))); [apply Qmult_lt_0_compat; lra|].
      setoid_replace (whole n' * (whole n' - 1) * (inject_Z even * t + inject_Z uneven * t'))
        with (inject_Z even * (whole n' * (whole n' - 1) * t)
              + inject_Z uneven * (whole n' * (whole n' - 1) * t')) by ring.
      rewrite M, M'.
      set (c := whole k' * whole s' * (whole s' - 1)) in *.
      setoid_replace (inject_Z even * (orders n' * inject_Z p) + inject_Z uneven * (orders n' * c))
        with ((inject_Z even * inject_Z p + inject_Z uneven * c) * orders n') by ring.
      setoid_replace (whole n' * (whole n' - 1) * (v * orders n' * total))
        with (v * total * (whole n' * (whole n' - 1)) * orders n') by ring.
      apply Qmult_le_compat_r; [exact B|lra].
Qed.

(* ---- certificates ---- *)

Inductive family := Equality | Index | AugmentedIndex.
Record family_question := FamilyQuestion { member : family; size : N; messages : N }.

(* sizes are compared before they are counted *)
Strategy 1000 [N.to_nat].

Definition alice_inputs (q : family_question) : nat :=
  match member q with Equality => N.to_nat (size q) | _ => (2 ^ N.to_nat (size q))%nat end.
Definition bob_inputs (q : family_question) : nat :=
  match member q with
  | AugmentedIndex => (2 ^ N.to_nat (size q) - 1)%nat
  | _ => N.to_nat (size q)
  end.
Definition family_problem (q : family_question) : problem :=
  match member q with
  | Equality => equality_problem
  | Index => index_problem
  | AugmentedIndex => augmented_index_problem
  end.

Definition family_of (j : json) : option family :=
  if is_text "equality" j then Some Equality else if is_text "index" j then Some Index
  else if is_text "augmented index" j then Some AugmentedIndex else None.
Definition family_question_of (instance : json) (values : list json) : option family_question :=
  match fields ["type"; "name"; "size"]%string instance, values with
  | Some [t; _; s], [k] =>
      let* t := family_of t in
      let* s := natural s in
      let* k := natural k in
      given ((0 <? s)%N && (0 <? k)%N) (Some (FamilyQuestion t s k))
  | _, _ => None
  end.

Definition family_lower (q : family_question) (v : Q) (name : string) (data : json) : bool :=
  if String.eqb name "slope" then
    match member q, fields ["size"; "ratio"]%string data with
    | Equality, Some [s; r] => match natural s, fraction r with
                               | Some s, Some r => check_slope (size q) (messages q) s r v
                               | _, _ => false
                               end
    | _, _ => false
    end
  else if String.eqb name "ball" then
    match member q, fields [] data with
    | Equality, _ => false
    | _, Some [] => check_ball (size q) (messages q) v
    | _, _ => false
    end
  else false.
Definition family_upper (q : family_question) (v : Q) (name : string) (data : json) : bool :=
  if String.eqb name "random_classes" then
    match member q, fields ["size"; "weights"]%string data with
    | Equality, Some [s; w] => match natural s, law_of w with
        | Some s, Some [even; uneven] => check_random_classes (size q) (messages q) s even uneven v
        | _, _ => false
        end
    | _, _ => false
    end
  else false.

Definition family_error : kind.
Proof.
  refine {|
    title := "family_error"; parameters := ["messages"%string];
    ask := family_question_of; number := fraction; lower := family_lower; upper := family_upper;
    lower_means q v := forall e,
      reached Public (alice_inputs q) (bob_inputs q) (family_problem q) (N.to_nat (messages q)) e -> v <= e;
    upper_means q v :=
      reached Public (alice_inputs q) (bob_inputs q) (family_problem q) (N.to_nat (messages q)) v
  |}.
  - intros [m n k] v name data H e R. unfold family_lower in H.
    unfold alice_inputs, bob_inputs, family_problem in R. cbn [member size messages] in *.
    destruct (String.eqb name "slope").
    + destruct m; try discriminate H.
      repeat match type of H with match ?a with _ => _ end = true => destruct a; try discriminate H end.
      apply (check_slope_sound _ _ _ _ _ _ _ H R).
    + destruct (String.eqb name "ball"); [|discriminate H]. destruct m; [discriminate H| |];
        repeat match type of H with match ?a with _ => _ end = true => destruct a; try discriminate H end;
        apply (check_ball_sound _ _ _ _ H); intros t;
        [apply (index_ball _ _ _ _ _ R)|apply (augmented_index_ball _ _ _ _ _ R)].
  - intros [m n k] v name data H. unfold family_upper in H.
    unfold alice_inputs, bob_inputs, family_problem. cbn [member size messages] in *.
    destruct (String.eqb name "random_classes"); [|discriminate H]. destruct m; try discriminate H.
    repeat match type of H with match ?a with _ => _ end = true => destruct a; try discriminate H end.
    apply (check_random_classes_sound _ _ _ _ _ _ H).
Defined.
