(* How many records private releases of answers to all concepts need: databases in which a part of
   the records is another point, of which no two share useful answers. *)
From Coq Require Import String List ZArith NArith Nnat QArith Qround Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Json Certificate Tables Domains Learners Exchange.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- databases of two points ---- *)

Definition replacing (n x y i : nat) : list nat := repeat x i ++ repeat y (n - i).
Lemma replacing_records m n x y i : (x < m)%nat -> (y < m)%nat -> (i <= n)%nat -> records m n (replacing n x y i).
Proof.
  intros X Y I. unfold replacing. split; [rewrite app_length, !repeat_length; lia|].
  intros z H. apply in_app_or in H as [H|H]; apply repeat_spec in H; subst; assumption.
Qed.
Lemma replacing_next n x y i : (i < n)%nat -> one_replaced (replacing n x y i) (replacing n x y (S i)).
Proof.
  intros I. exists (repeat x i), y, x, (repeat y (n - S i)). unfold replacing. split.
  - replace (n - i)%nat with (S (n - S i)) by lia. reflexivity.
  - change (repeat x (S i)) with (x :: repeat x i). rewrite repeat_cons, <- app_assoc. reflexivity.
Qed.
Lemma replaced_back {X} (S T : list X) : one_replaced S T -> one_replaced T S.
Proof. intros [l [x [y [r [-> ->]]]]]. exists l, y, x, r. auto. Qed.

Lemma filter_repeat (f : concept) x i : length (filter f (repeat x i)) = if f x then i else O.
Proof. induction i as [|i IH]; cbn; [destruct (f x); reflexivity|]. destruct (f x); cbn; lia. Qed.
Lemma filter_split (f : concept) a b : length (filter f (a ++ b)) = (length (filter f a) + length (filter f b))%nat.
Proof. induction a as [|z a IH]; cbn; [reflexivity|]. destruct (f z); cbn; lia. Qed.

(* a concept that tells x from z has shares that differ by k/n *)
Lemma shares_apart (f : concept) n k x z y : (0 < n)%nat -> (k <= n)%nat -> f x = true -> f z = false ->
  (share_of f (replacing n x y k) == share_of f (replacing n z y k) + inject_Z (Z.of_nat k) / inject_Z (Z.of_nat n))%Q.
Proof.
  intros N K X Z. unfold share_of, replacing.
  rewrite !filter_split, !filter_repeat, !app_length, !repeat_length, X, Z, Nat2Z.inj_add.
  replace (k + (n - k))%nat with n by lia. rewrite inject_Z_plus. cbn [Nat.add].
  assert (0 < inject_Z (Z.of_nat n)) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia). field. lra.
Qed.

Lemma choices {A} d (P : nat -> A -> Prop) : A -> (forall j, (j < d)%nat -> exists a, P j a) ->
  exists a : nat -> A, forall j, (j < d)%nat -> P j (a j).
Proof.
  intros a0. induction d as [|d IH]; intros H; [exists (fun _ => a0); intros; lia|].
  destruct IH as [a Ha]; [intros; apply H; lia|]. destruct (H d) as [b Hb]; [lia|].
  exists (fun j => if (j =? d)%nat then b else a j). intros j Hj.
  destruct (Nat.eqb_spec j d) as [->|N]; [exact Hb|apply Ha; lia].
Qed.
Lemma exclusive_events d (g : nat -> bool) : (forall i j, (i < d)%nat -> (j < d)%nat -> i <> j -> g i && g j = false) ->
  sum d (fun j => chance (g j)) <= 1.
Proof.
  induction d as [|d IH]; intros H; cbn [sum]; [lra|]. destruct (g d) eqn:G; cbn [chance].
  - rewrite (sum_ext d _ (fun _ => 0)); [rewrite sum_zero; lra|]. intros j Hj.
    specialize (H j d ltac:(lia) ltac:(lia) ltac:(lia)). rewrite G, andb_true_r in H. rewrite H. reflexivity.
  - assert (sum d (fun j => chance (g j)) <= 1); [apply IH; intros; apply H; lia|lra].
Qed.

Lemma all_at_least d least g : (forall j, (j < d)%nat -> least <= g j) -> inject_Z (Z.of_nat d) * least <= sum d g.
Proof.
  induction d as [|d IH]; intros H; [change (0 * least <= 0); lra|]. cbn [sum]. rewrite Nat2Z.inj_succ. unfold Z.succ.
  rewrite inject_Z_plus. change (inject_Z 1) with 1. specialize (IH ltac:(intros; apply H; lia)).
  specialize (H d ltac:(lia)). lra.
Qed.

(* ---- what privacy and usefulness leave ---- *)

Section Release.
Context (m n : nat) (M : mechanism) (C : class) (a b factor : Q).
Hypothesis (F : 1 <= factor) (N : (0 < n)%nat).
Hypothesis (HR : releases m n M C a b) (HP : gives_privately m n M factor).
Definition chance_to (ev : nat -> bool) S : Q := sum (outputs M) (fun o => giving M S o * chance (ev o)).

Lemma chance_to_rest ev S : records m n S -> chance_to (fun o => negb (ev o)) S == 1 - chance_to ev S.
Proof.
  intros R. destruct (HR S R) as [[_ T] _]. unfold chance_to. rewrite <- T.
  rewrite (sum_ext _ (fun o => giving M S o * chance (negb (ev o))) (fun o => giving M S o + (-1) * (giving M S o * chance (ev o)))).
  - rewrite sum_plus, sum_scale. ring.
  - intros o _. destruct (ev o); cbn; ring.
Qed.
Lemma chance_to_nonneg ev S : records m n S -> 0 <= chance_to ev S.
Proof. intros R. apply law_event; [apply HR, R|]. intros. apply chance_01. Qed.

Section Points.
Context (x y : nat).
Hypothesis (X : (x < m)%nat) (Y : (y < m)%nat).
Local Notation db i := (replacing n x y i).
Lemma down ev j : forall i, (i + j <= n)%nat -> chance_to ev (db (i + j)) <= pow factor j * chance_to ev (db i).
Proof.
  induction j as [|j IH]; intros i I; [rewrite Nat.add_0_r; cbn [pow]; lra|].
  rewrite <- Nat.add_succ_comm. eapply Qle_trans; [apply IH; lia|]. cbn [pow].
  assert (chance_to ev (db (S i)) <= factor * chance_to ev (db i)) as S1.
  { apply HP; [apply replacing_records; lia..|apply replaced_back, replacing_next; lia]. }
  pose proof (pow_ge_1 factor j F). rewrite (Qmult_comm factor), <- Qmult_assoc, !(Qmult_comm (pow factor j)).
  apply Qmult_le_compat_r; [exact S1|lra].
Qed.
Lemma raised ev j : forall i, (i + j <= n)%nat -> chance_to ev (db i) <= pow factor j * chance_to ev (db (i + j)).
Proof.
  induction j as [|j IH]; intros i I; [rewrite Nat.add_0_r; cbn [pow]; lra|].
  rewrite <- Nat.add_succ_comm.
  assert (chance_to ev (db i) <= factor * chance_to ev (db (S i))) as S1.
  { apply HP; [apply replacing_records; lia..|apply replacing_next; lia]. }
  eapply Qle_trans; [exact S1|]. cbn [pow]. rewrite <- Qmult_assoc, !(Qmult_comm factor).
  apply Qmult_le_compat_r; [|lra]. apply IH. lia.
Qed.

Lemma exchanged_records ev s r : (s + r <= n)%nat -> 1 - b <= chance_to ev (db (s + r)) ->
  1 - pow factor s * b <= pow factor r * chance_to ev (db 0).
Proof.
  intros L H. eapply Qle_trans; [|apply (down ev r 0); cbn; lia]. cbn [Nat.add].
  pose proof (raised (fun o => negb (ev o)) s r ltac:(lia)) as U.
  rewrite !chance_to_rest in U by (apply replacing_records; lia). rewrite Nat.add_comm in H.
  pose proof (pow_ge_1 factor s F) as P. set (w := chance_to ev (db (r + s))) in *.
  assert (0 <= pow factor s * (b - (1 - w))) by (apply Qmult_le_0_compat; lra). lra.
Qed.
End Points.

Lemma all_points d point s r : (forall i, (i < S d)%nat -> (point i < m)%nat) ->
  (forall i j, (i < S d)%nat -> (j < S d)%nat -> i <> j -> exists h, C h /\ h (point i) <> h (point j)) ->
  (s + r <= n)%nat -> 2 * a * inject_Z (Z.of_nat n) <= inject_Z (Z.of_nat (s + r)) ->
  forall least, (forall w, 0 <= w -> 1 - pow factor s * b <= pow factor r * w -> least <= w) ->
  inject_Z (Z.of_nat d) * least <= b.
Proof.
  intros B A K E least L. set (y := point O). pose proof (B O ltac:(lia)) as Y. fold y in Y.
  set (base := repeat y n).
  assert (forall j, replacing n (point j) y 0 = base) as Base by (intros; unfold replacing, base; cbn; f_equal; lia).
  assert (records m n base) as Rb by (rewrite <- (Base O); apply replacing_records; auto; lia).
  destruct (choices (S d) (fun j good => 1 - b <= chance_to good (replacing n (point j) y (s + r)) /\
    forall o f, (o < outputs M)%nat -> good o = true -> C f ->
      estimate M o f < share_of f (replacing n (point j) y (s + r)) + a /\
      share_of f (replacing n (point j) y (s + r)) < estimate M o f + a) (fun _ => false)) as [good G].
  { intros j Hj. destruct (HR (replacing n (point j) y (s + r))) as [_ R]; [|exact R].
    apply replacing_records; auto. }
  assert (forall i j o, (i < S d)%nat -> (j < S d)%nat -> i <> j -> (o < outputs M)%nat -> good i o && good j o = false) as Ex.
  { intros i j o Hi Hj Ne Ho. destruct (good i o) eqn:Gi, (good j o) eqn:Gj; try reflexivity. exfalso.
    destruct (A i j Hi Hj Ne) as [h [Ch Q]]. destruct (G i Hi) as [_ Ui], (G j Hj) as [_ Uj].
    specialize (Ui o h Ho Gi Ch). specialize (Uj o h Ho Gj Ch).
    assert (0 < inject_Z (Z.of_nat n)) as Pn by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
    assert (2 * a <= inject_Z (Z.of_nat (s + r)) / inject_Z (Z.of_nat n)) as D by (apply Qle_shift_div_l; assumption).
    destruct (h (point i)) eqn:Hx, (h (point j)) eqn:Hz; try congruence.
    - pose proof (shares_apart h n (s + r) (point i) (point j) y N K Hx Hz). lra.
    - pose proof (shares_apart h n (s + r) (point j) (point i) y N K Hz Hx). lra. }
  assert (forall j, (j < S d)%nat -> least <= chance_to (good j) base) as Low.
  { intros j Hj. apply L; [apply chance_to_nonneg, Rb|]. rewrite <- (Base j).
    apply exchanged_records; auto. apply G, Hj. }
  assert (replacing n (point O) y (s + r) = base) as First.
  { unfold replacing, base. fold y. rewrite <- repeat_app. f_equal. lia. }
  assert (1 - b <= chance_to (good O) base) as B0 by (rewrite <- First; apply G; lia).
  assert (sum (S d) (fun j => chance_to (good j) base) <= 1) as T.
  { unfold chance_to. rewrite sum_swap. destruct (HR base Rb) as [La _].
    rewrite (sum_ext _ _ (fun o => giving M base o * sum (S d) (fun j => chance (good j o)))).
    - apply mean_le; [exact La|]. intros o Ho. apply exclusive_events. intros i j Hi Hj Ne. apply Ex; assumption.
    - intros o _. rewrite <- sum_scale. reflexivity. }
  rewrite sum_shift in T.
  pose proof (all_at_least d least (fun j => chance_to (good (S j)) base) ltac:(intros; apply Low; lia)) as Sm. lra.
Qed.
End Release.

(* ---- the check ---- *)

Local Open Scope Z_scope.

Record asked := Asked { width : nat; rows : list N; accuracy : Q; allowed_failure : Q; by_factor : Q }.
Definition replaced_of (a : Q) (n : N) : N := Z.to_N (up (2 * Qnum a * Z.of_N n) (QDen a)).
Definition check_points (q : asked) (n : N) (points : list nat) (s bits : N) : bool :=
  let (U, k) := (2 ^ Z.of_N bits, replaced_of (accuracy q) n) in
  let (b, f) := (allowed_failure q, by_factor q) in
  check_apart (width q) (rows q) points
  && Qle_bool (2 * accuracy q) 1 && (0 <=? Qnum (accuracy q)) && (0 <=? Qnum b) && Qle_bool 1 f && (s <=? k)%N
  && (Qnum b * U <? QDen b * (Z.of_nat (length points - 1)
        * remaining (Qnum b) (QDen b) (up (Qnum f * U) (QDen f)) U s (k - s)%N)).

Lemma up_mono x y d : 0 < d -> x <= y -> up x d <= up y d.
Proof. intros D H. unfold up. pose proof (Z.div_le_mono (- y) (- x) d D ltac:(lia)). lia. Qed.
Lemma up_nonneg x d : 0 < d -> 0 <= x -> 0 <= up x d.
Proof. intros D H. apply (Z.le_trans _ (up 0 d)); [reflexivity|apply up_mono; assumption]. Qed.
Lemma replaced_enough a n : 0 <= Qnum a -> (2 * a * inject_Z (Z.of_N n) <= inject_Z (Z.of_N (replaced_of a n)))%Q.
Proof.
  intros A. unfold replaced_of. rewrite Z2N.id by (apply up_nonneg; nia).
  pose proof (up_spec (2 * Qnum a * Z.of_N n) (QDen a) ltac:(lia)) as H. rewrite !inject_Z_mult in H.
  assert (0 < inject_Z (QDen a))%Q as D by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  apply (Qmult_le_r _ _ _ D). eapply Qle_trans; [|exact H]. apply Qle_lteq. right.
  assert (a * inject_Z (QDen a) == inject_Z (Qnum a))%Q as E by (destruct a as [x y]; unfold Qeq, Qmult, inject_Z; cbn; lia).
  rewrite <- E. change (inject_Z 2) with 2%Q. ring.
Qed.
Lemma replaced_some a n : (2 * a <= 1)%Q -> (replaced_of a n <= n)%N.
Proof.
  intros A. unfold replaced_of. enough (up (2 * Qnum a * Z.of_N n) (QDen a) <= Z.of_N n) by lia.
  assert (2 * Qnum a <= QDen a) as B by (destruct a as [x y]; unfold Qle in A; cbn in *; lia).
  unfold up. pose proof (Z.div_le_lower_bound (- (2 * Qnum a * Z.of_N n)) (QDen a) (- Z.of_N n) ltac:(lia) ltac:(nia)). lia.
Qed.
Lemma replaced_mono a n k : 0 <= Qnum a -> (n <= k)%N -> (replaced_of a n <= replaced_of a k)%N.
Proof.
  intros A H. unfold replaced_of. apply Z2N.inj_le; [apply up_nonneg; nia..|]. apply up_mono; [lia|nia].
Qed.

Theorem check_points_sound q n points s bits : check_points q n points s bits = true ->
  records_at_least (width q) (table (width q) (map bit (rows q))) (accuracy q) (by_factor q) (allowed_failure q) (n + 1).
Proof.
  unfold check_points. intros H n' M N' HR HP. destruct (N.le_gt_cases (N.of_nat n') n) as [L|L]; [|lia]. exfalso.
  set (U := 2 ^ Z.of_N bits) in *. set (k := replaced_of (accuracy q) n) in *.
  set (a := accuracy q) in *. set (b := allowed_failure q) in *. set (f := by_factor q) in *.
  apply andb_prop in H as [H X]. apply andb_prop in H as [H S]. apply andb_prop in H as [H F]. apply andb_prop in H as [H Nb].
  apply andb_prop in H as [H Na]. apply andb_prop in H as [Ap Ha].
  apply Z.ltb_lt in X. apply N.leb_le in S. apply Qle_bool_iff in F, Ha. apply Z.leb_le in Nb, Na.
  assert (0 < U) as HU by (apply Z.pow_pos_nonneg; lia).
  assert (0 < inject_Z U)%Q as UQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact HU).
  assert (0 < inject_Z (QDen b))%Q as Pb by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  assert (inject_Z (Qnum b) / inject_Z (QDen b) == b)%Q as Eb.
  { destruct b as [x y]. unfold Qeq, Qdiv, Qmult, Qinv, inject_Z. cbn. lia. }
  assert (0 <= b)%Q as B0 by (destruct b as [x y]; unfold Qle; cbn in *; lia).
  apply check_apart_sound in Ap as [point [Bp Apart]].
  destruct points as [|x points]; [cbn in X; nia|]. cbn [length] in *.
  replace (Datatypes.S (length points) - 1)%nat with (length points) in X by lia.
  set (k' := N.to_nat (replaced_of a (N.of_nat n'))).
  assert (k' <= n')%nat as K1 by (unfold k'; pose proof (replaced_some a (N.of_nat n') Ha); lia).
  assert (k' <= N.to_nat k)%nat as K2 by (unfold k', k; pose proof (replaced_mono a _ _ Na L); lia).
  set (s' := (N.to_nat s - (N.to_nat k - k'))%nat). set (r' := (k' - s')%nat).
  assert (s' + r' = k')%nat as K3 by (unfold r', s'; lia).
  set (rem := remaining _ _ _ _ _ _) in X.
  pose proof (all_points (width q) n' M _ a b f F N' HR HP (length points) point s' r' Bp Apart ltac:(lia)) as T.
  rewrite K3 in T.
  assert (inject_Z (Z.of_nat (length points)) * (inject_Z rem / inject_Z U) <= b)%Q as Q.
  { apply T.
    - unfold k'. rewrite N_nat_Z. rewrite <- (nat_N_Z n'). apply replaced_enough, Na.
    - intros w W Hw. apply Qle_shift_div_r; [exact UQ|].
      apply (remaining_spec (Qnum b) (QDen b) (up (Qnum f * U) (QDen f)) U s (k - s)%N f w Nb ltac:(lia) HU F); [|exact W|].
      + assert (0 < inject_Z (QDen f))%Q as Pf by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
        apply (Qmult_le_r _ _ _ Pf). eapply Qle_trans; [|apply up_spec; lia]. rewrite inject_Z_mult. apply Qle_lteq. right.
        destruct f as [x' y']; unfold Qeq, Qmult, inject_Z; cbn; lia.
      + rewrite Eb. pose proof (pow_le f s' (N.to_nat s) F ltac:(unfold s'; lia)) as P1.
        pose proof (pow_le f r' (N.to_nat (k - s)) F ltac:(unfold r', s'; lia)) as P2.
        assert (0 <= (pow f (N.to_nat s) - pow f s') * b)%Q by (apply Qmult_le_0_compat; lra).
        assert (0 <= (pow f (N.to_nat (k - s)) - pow f r') * w)%Q by (apply Qmult_le_0_compat; lra). lra. }
  rewrite Zlt_Qlt, !inject_Z_mult in X. apply (Qlt_not_le _ _ X). rewrite <- Eb in Q.
  apply (Qmult_le_compat_r _ _ (inject_Z (QDen b) * inject_Z U)) in Q; [|apply Qmult_le_0_compat; lra].
  eapply Qle_trans; [|eapply Qle_trans; [exact Q|]]; apply Qle_lteq; right; field; lra.
Qed.

(* ---- certificates ---- *)

Definition asked_of (instance : json) (values : list json) : option asked :=
  match values with
  | [a; b; r] =>
      let* (m, rows) := rows_of instance in
      let* a := probability a in let* b := probability b in let* r := factor r in
      Some (Asked m rows a b r)
  | _ => None
  end.
Definition lower_records (q : asked) (v : N) (name : string) (data : json) : bool :=
  if String.eqb name "trivial" then match fields [] data with Some _ => (v =? 1)%N | None => false end
  else String.eqb name "points" &&
    match fields ["records"; "points"; "exchanged"; "bits"]%string data with
    | Some [n; p; s; t] =>
        match natural n, list_of (index (width q)) p, natural s, natural t with
        | Some n, Some p, Some s, Some t => (v =? n + 1)%N && (t <? 65536)%N && check_points q n p s t
        | _, _, _, _ => false
        end
    | _ => false
    end.

Definition release : kind.
Proof.
  refine {|
    title := "release"; parameters := ["accuracy"; "failure"; "factor"]%string;
    ask := asked_of; number := fun j => let* v := natural j in given (1 <=? v)%N (Some v);
    lower := lower_records; upper := fun _ _ _ _ => false;
    lower_means q v := records_at_least (width q) (table (width q) (map bit (rows q))) (accuracy q) (by_factor q)
      (allowed_failure q) v;
    upper_means q v := False
  |}.
  - intros q v name data H. unfold lower_records in H. destruct (String.eqb name "trivial").
    + destruct (fields _ data); [|discriminate]. apply N.eqb_eq in H as ->. intros n M P _ _. lia.
    + apply andb_prop in H as [_ H]. destruct (fields _ data) as [[|n [|p [|s [|t [|? ?]]]]]|]; try discriminate H.
      destruct (natural n) as [n'|], (list_of (index (width q)) p) as [p'|], (natural s) as [s'|], (natural t) as [t'|]; try discriminate H.
      apply andb_prop in H as [H X]. apply andb_prop in H as [E _]. apply N.eqb_eq in E as ->.
      apply (check_points_sound _ _ _ _ _ X).
  - discriminate.
Defined.
