(* Privacy of rational laws: one event asks for a factor or delta; the worst event of all neighbours. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Databases.
Import ListNotations.
Local Open Scope Z_scope.

(* by how much p exceeds a/b q, in parts of b (sum of p) (sum of q) *)
Fixpoint excess (a b sp sq : Z) (p q : list Z) : Z :=
  match p, q with
  | x :: p', y :: q' => Z.max 0 (b * x * sq - a * y * sp) + excess a b sp sq p' q'
  | _, _ => 0
  end.

Definition check_pair (outcomes : nat) (factor delta : Q) (p q : list Z) : bool :=
  is_law p && is_law q && (length p =? outcomes)%nat && (length q =? outcomes)%nat
  && at_most (excess (Qnum factor) (QDen factor) (total p) (total q) p q)
             (QDen factor * (total p * total q)) delta.

Lemma excess_bound a b sp sq (event : nat -> bool) : forall p q, length q = length p ->
  (sum (length p) (fun o => (inject_Z b * inject_Z sq * inject_Z (nth o p 0%Z)
      - inject_Z a * inject_Z sp * inject_Z (nth o q 0%Z)) * chance (event o))
   <= inject_Z (excess a b sp sq p q))%Q.
Proof.
  intros p. revert event. induction p as [|x p IH]; intros event [|y q] E; try discriminate E.
  - apply Qle_refl.
  - injection E as E. cbn [length]. rewrite sum_shift. cbn [nth excess].
    rewrite inject_Z_plus. apply Qplus_le_compat; [|apply (IH (fun o => event (S o))); exact E].
    destruct (event O); unfold chance.
    + rewrite Qmult_1_r, <- !inject_Z_mult.
      setoid_replace (inject_Z (b * sq * x) - inject_Z (a * sp * y))%Q
        with (inject_Z (b * x * sq - a * y * sp))%Q.
      * rewrite <- Zle_Qle. lia.
      * unfold Qminus. rewrite <- inject_Z_opp, <- inject_Z_plus.
        replace (b * sq * x + - (a * sp * y)) with (b * x * sq - a * y * sp) by ring. reflexivity.
    + rewrite Qmult_0_r. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia.
Qed.

Definition probability_of (p : list Z) outcomes (event : nat -> bool) : Q :=
  sum outcomes (fun o => share p o * chance (event o))%Q.

Lemma check_pair_sound outcomes factor delta p q : check_pair outcomes factor delta p q = true ->
  forall event, (probability_of p outcomes event <= factor * probability_of q outcomes event + delta)%Q.
Proof.
  unfold check_pair, probability_of. intros C event.
  apply andb_prop in C as [C M]. apply andb_prop in C as [C Eq]. apply andb_prop in C as [C Ep].
  apply andb_prop in C as [Lp Lq]. apply Nat.eqb_eq in Ep, Eq.
  pose proof (total_pos p Lp) as Pp. pose proof (total_pos q Lq) as Pq.
  set (b := inject_Z (QDen factor)). set (sp := inject_Z (total p)) in *. set (sq := inject_Z (total q)) in *.
  assert (0 < b)%Q as Pb. { unfold b. change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. lia. }
  assert (factor == inject_Z (Qnum factor) / b)%Q as F.
  { unfold b. destruct factor as [a d]. cbn. unfold Qeq, Qdiv, Qmult, Qinv. cbn. lia. }
  pose proof (excess_bound (Qnum factor) (QDen factor) (total p) (total q) event p q ltac:(lia)) as B.
  fold b sp sq in B. rewrite Ep in B.
  assert (0 < total p) as Tp by (apply andb_prop in Lp as [_ Lp]; apply Z.ltb_lt, Lp).
  assert (0 < total q) as Tq by (apply andb_prop in Lq as [_ Lq]; apply Z.ltb_lt, Lq).
  set (X := excess (Qnum factor) (QDen factor) (total p) (total q) p q) in *.
  assert (inject_Z X / (b * (sp * sq)) <= delta)%Q as D.
  { eapply at_most_spec; [| |exact M]; [lia|]. rewrite !inject_Z_mult. fold b sp sq. field.
    repeat split; lra. }
  assert (0 < b * (sp * sq))%Q as P by (repeat apply Qmult_lt_0_compat; assumption).
  apply (Qle_trans _ (factor * sum outcomes (fun o => share q o * chance (event o))
    + inject_Z X / (b * (sp * sq)))%Q); [|lra].
  assert (inject_Z X / (b * (sp * sq)) >= / (b * (sp * sq)) * sum outcomes (fun o => (b * sq * inject_Z (nth o p 0%Z)
      - inject_Z (Qnum factor) * sp * inject_Z (nth o q 0%Z)) * chance (event o)))%Q as G.
  { unfold Qdiv. rewrite (Qmult_comm (inject_Z X)). apply Qmult_le_l; [apply Qinv_lt_0_compat, P|exact B]. }
  rewrite <- sum_scale in G. rewrite <- sum_scale.
  rewrite (sum_ext outcomes (fun o => / (b * (sp * sq)) * _)%Q (fun o => share p o * chance (event o)
     + (-1) * (factor * (share q o * chance (event o))))%Q) in G.
  - rewrite sum_plus, sum_scale in G. lra.
  - intros o Ho. unfold share. fold sp sq.
    set (a := inject_Z (Qnum factor)) in *. clearbody a b sp sq.
    setoid_rewrite F. field. repeat split; lra.
Qed.

(* ---- all neighbours ---- *)

Definition law_at (laws : list (list Z)) (i : nat) : nat -> Q := share (nth i laws []).

Fixpoint same_law (p q : list Z) : bool :=
  match p, q with
  | [], [] => true
  | a :: p', b :: q' => (a =? b) && same_law p' q'
  | _, _ => false
  end.
Lemma same_law_spec : forall p q, same_law p q = true -> p = q.
Proof.
  induction p as [|a p IH]; intros [|b q] H; try discriminate; [reflexivity|].
  simpl in H. apply andb_prop in H as [A H]. apply Z.eqb_eq in A. rewrite A, (IH q H). reflexivity.
Qed.

Definition check_all outcomes which laws (factor delta : Q) : bool :=
  compare same_law (check_pair outcomes factor delta) which laws.

Lemma nth_of_error {A} (l : list A) i a d : nth_error l i = Some a -> nth i l d = a.
Proof. intros H. apply nth_error_nth, H. Qed.

Theorem check_all_sound outcomes which laws factor delta :
  check_all outcomes which laws factor delta = true ->
  private (neighbours which) outcomes (law_at laws) factor delta.
Proof.
  intros C i j event N. destruct (compare_sound _ _ same_law_spec _ _ C i j N) as [p [q [P [Q K]]]].
  unfold law_at. rewrite (nth_of_error _ _ _ [] P), (nth_of_error _ _ _ [] Q).
  exact (check_pair_sound _ _ _ _ _ K event).
Qed.

(* ---- one event of two neighbours, or of one database twice ---- *)

Definition holds (event : list nat) (o : nat) : bool := existsb (Nat.eqb o) event.
Definition weight (outcomes : nat) (event : list nat) (p : list Z) : Z :=
  covered p (map (holds event) (seq 0 outcomes)).
Definition mass outcomes event (p : list Z) : Q := (inject_Z (weight outcomes event p) / inject_Z (total p))%Q.

Lemma mass_spec outcomes event p : is_law p = true -> length p = outcomes ->
  (probability_of p outcomes (holds event) == mass outcomes event p)%Q.
Proof.
  intros L E. pose proof (total_pos p L) as P. unfold mass, weight, probability_of.
  set (s := map (holds event) (seq 0 outcomes)).
  assert (length s = length p) as Ls by (unfold s; rewrite map_length, seq_length; auto).
  rewrite <- (mean_covered p s L Ls). rewrite E.
  rewrite (sum_ext outcomes (fun o => share p o * chance (holds event o))%Q
                            (fun i => share p i * chance (nth i s false))%Q).
  - field. lra.
  - intros i Hi. unfold s. rewrite (nth_map_seq (holds event)) by exact Hi. reflexivity.
Qed.

Definition is_event outcomes which (laws : list (list Z)) (i j : nat) : bool :=
  let p := nth i laws [] in let q := nth j laws [] in
  is_law p && is_law q && (length p =? outcomes)%nat && (length q =? outcomes)%nat
  && ((i =? j)%nat || are_neighbours which i j).

Lemma event_asks outcomes which laws i j event factor delta : is_event outcomes which laws i j = true ->
  (1 <= factor)%Q -> (0 <= delta)%Q -> private (neighbours which) outcomes (law_at laws) factor delta ->
  (mass outcomes event (nth i laws []) <= factor * mass outcomes event (nth j laws []) + delta
   /\ 0 <= mass outcomes event (nth j laws []))%Q.
Proof.
  intros H F D V. unfold is_event in H. apply andb_prop in H as [H N]. apply andb_prop in H as [H Lj].
  apply andb_prop in H as [H Li]. apply andb_prop in H as [Pi Pj]. apply Nat.eqb_eq in Li, Lj.
  rewrite <- (mass_spec outcomes event _ Pi Li), <- (mass_spec outcomes event _ Pj Lj).
  assert (0 <= probability_of (nth j laws []) outcomes (holds event))%Q as G.
  { apply sum_nonneg. intros o Ho. destruct (share_law _ Pj) as [S _]. rewrite <- Lj in Ho.
    specialize (S o Ho). destruct (holds event o); simpl; lra. }
  split; [|exact G]. apply orb_prop in N as [N|N].
  - apply Nat.eqb_eq in N. subst j. nra.
  - apply are_neighbours_sound in N. exact (V i j (holds event) N).
Qed.

Inductive asked := Delta_for (factor : Q) | Factor_for (delta : Q).

Definition Qlt_bool (a b : Q) : bool := negb (Qle_bool b a).
Lemma Qlt_bool_spec a b : Qlt_bool a b = true -> (a < b)%Q.
Proof.
  unfold Qlt_bool. intros H. apply negb_true_iff in H. apply Qnot_le_lt. intros C.
  apply Qle_bool_iff in C. congruence.
Qed.

(* a bound; None is infinity *)
Definition check_event outcomes which laws (a : asked) (v : option Q) i j event : bool :=
  is_event outcomes which laws i j
  && let p := mass outcomes event (nth i laws []) in
     let q := mass outcomes event (nth j laws []) in
     match a, v with
     | Delta_for f, Some v => Qle_bool 1 f && Qeq_bool (p - v) (f * q)
     | Delta_for _, None => false
     | Factor_for d, Some v => Qle_bool 0 d && (Qeq_bool v 1 || Qlt_bool d p && Qeq_bool (p - d) (v * q))
     | Factor_for d, None => Qle_bool 0 d && Qlt_bool d p && Qeq_bool q 0
     end.

Definition lower_bound outcomes which laws (a : asked) (v : option Q) : Prop :=
  match a, v with
  | Delta_for f, Some v => delta_at_least (neighbours which) outcomes (law_at laws) f v
  | Delta_for f, None => False
  | Factor_for d, Some v => factor_at_least (neighbours which) outcomes (law_at laws) d v
  | Factor_for d, None => no_factor (neighbours which) outcomes (law_at laws) d
  end.
Definition upper_bound outcomes which laws (a : asked) (v : option Q) : Prop :=
  match a, v with
  | Delta_for f, Some v => private (neighbours which) outcomes (law_at laws) f v
  | Factor_for d, Some v => private (neighbours which) outcomes (law_at laws) v d
  | _, None => True
  end.

Theorem check_event_sound outcomes which laws a v i j event :
  check_event outcomes which laws a v i j event = true -> lower_bound outcomes which laws a v.
Proof.
  unfold check_event, lower_bound. intros H. apply andb_prop in H as [N H].
  pose proof (event_asks outcomes which laws i j event) as A.
  destruct a as [f|d], v as [v|]; try discriminate.
  - apply andb_prop in H as [F E]. apply Qle_bool_iff in F. apply Qeq_bool_iff in E.
    intros d D P. destruct (A f d N F D P) as [B _]. lra.
  - apply andb_prop in H as [D H]. apply Qle_bool_iff in D. intros f F P.
    apply orb_prop in H as [H|H]; [apply Qeq_bool_iff in H; lra|].
    apply andb_prop in H as [L E]. apply Qlt_bool_spec in L. apply Qeq_bool_iff in E.
    destruct (A f d N F D P) as [B G]. nra.
  - apply andb_prop in H as [H E]. apply andb_prop in H as [D L]. apply Qle_bool_iff in D.
    apply Qlt_bool_spec in L. apply Qeq_bool_iff in E. intros f F P.
    destruct (A f d N F D P) as [B _]. rewrite E in B. lra.
Qed.

Definition check_neighbours outcomes which laws (a : asked) (v : option Q) : bool :=
  match a, v with
  | Delta_for f, Some v => check_all outcomes which laws f v
  | Factor_for d, Some v => Qle_bool 1 v && check_all outcomes which laws v d
  | _, None => true
  end.

Theorem check_neighbours_sound outcomes which laws a v :
  check_neighbours outcomes which laws a v = true -> upper_bound outcomes which laws a v.
Proof.
  destruct a as [f|d], v as [v|]; simpl; try exact (fun _ => I).
  - apply check_all_sound.
  - intros H. apply andb_prop in H as [_ H]. apply check_all_sound, H.
Qed.
