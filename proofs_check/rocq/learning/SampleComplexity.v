(* Certificates of the number of examples that private learners need. *)
From Coq Require Import String List ZArith NArith Nnat QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Json Certificate Representations Draws Learners.
From CCSim Require Import LearnerTables Simplices LearnerFailure PrivateFailure Exchange Packings.
Import ListNotations.
Local Open Scope Z_scope.

Record needs := Needs {
  width : nat; class_rows : list (list bool); pool : option (list (list bool));
  allowed_error : Q; allowed_failure : Q; by_factor : Q
}.
Definition learned (q : needs) : class := table (width q) (concepts (class_rows q)).

(* ---- packings ---- *)

Definition shared_weights (first other : aimed) : list Z :=
  commons (total (snd other)) (total (snd first)) (zip (fun a b => negb (xorb a b)) (fst other) (fst first)) (snd other) (snd first).
Definition ratio (factor : Q) (first other : aimed) : Z * Z :=
  let de := total (snd other) * total (snd first) in
  (de * QDen factor + (de - total (shared_weights first other)) * (Qnum factor - QDen factor), de * QDen factor).
Definition excluded_by (factor failure : Q) (U : Z) (samples : N) (first other : aimed) (s : N) : Z :=
  let (x, d) := ratio factor first other in
  remaining (Qnum failure) (QDen failure) (up (x * U) d) U s (samples - s)%N.
Definition aimed_by (q : needs) (t : aim) : aimed := (nth (fst t) (class_rows q) [], snd t).
Definition has_width (m : nat) (rows : list (list bool)) : bool := forallb (fun r => length r =? m)%nat rows.

Definition check_packing (q : needs) (samples : N) (targets : list aim) (exchanged : list N) (bits : N) : bool :=
  let U := 2 ^ Z.of_N bits in
  match targets with
  | [] => false
  | t0 :: others =>
      has_width (width q) (class_rows q)
      && match pool q with Some hs => has_width (width q) hs | None => true end
      && forallb (fun t => (fst t <? length (class_rows q))%nat && is_law (snd t) && (length (snd t) =? width q)%nat) targets
      && (0 <=? Qnum (allowed_failure q)) && Qle_bool 1 (by_factor q)
      && (length exchanged =? length others)%nat && forallb (fun s => (s <=? samples)%N) exchanged
      && exclusive (allowed_error q) (pool q) (map (aimed_by q) targets)
      && (Qnum (allowed_failure q) * U <? QDen (allowed_failure q) *
          total (map (fun e => excluded_by (by_factor q) (allowed_failure q) U samples (aimed_by q t0) (aimed_by q (fst e)) (snd e))
                     (combine others exchanged)))
  end.

Lemma zip_nth_gen {A} (g : bool -> bool -> A) d : forall h k x, length h = length k -> (x < length h)%nat ->
  nth x (zip g h k) d = g (nth x h false) (nth x k false).
Proof.
  induction h as [|a h IH]; intros [|b k] [|x] L H; cbn in *; try lia; auto. apply IH; lia.
Qed.
Lemma commons_length d e : forall keep D E, length D = length keep -> length E = length keep ->
  length (commons d e keep D E) = length keep.
Proof. induction keep as [|k keep IH]; intros [|x D] [|y E] A B; cbn in *; try lia. rewrite IH; lia. Qed.
Lemma commons_nth d e : forall keep D E x, length D = length keep -> length E = length keep -> (x < length keep)%nat ->
  nth x (commons d e keep D E) 0 = if nth x keep false then Z.min (nth x D 0 * e) (nth x E 0 * d) else 0.
Proof.
  induction keep as [|k keep IH]; intros [|a D] [|b E] [|x] A B H; cbn in *; try lia; auto. apply IH; lia.
Qed.

Section Target.
Context (q : needs) (first other : aimed).
Let m := width q.
Hypothesis (O1 : aimed_ok m first) (O2 : aimed_ok m other).
Let de := total (snd other) * total (snd first).
Definition overlap_at (x : nat) : Q := (inject_Z (nth x (shared_weights first other) 0%Z) / inject_Z de)%Q.

Lemma overlap_ok : overlap m (share (snd other)) (share (snd first)) (of_row (fst other)) (of_row (fst first)) overlap_at.
Proof.
  destruct O1 as [Lf [LD KD]], O2 as [Lg [LE KE]]. intros x Hx.
  pose proof (total_pos _ LD) as PD. pose proof (total_pos _ LE) as PE.
  unfold overlap_at, de. rewrite inject_Z_mult. unfold shared_weights.
  set (keep := zip (fun a b => negb (xorb a b)) (fst other) (fst first)).
  assert (length keep = m) as Lk by (unfold keep; rewrite zip_length; congruence).
  rewrite commons_nth by lia.
  assert (nth x keep false = negb (xorb (of_row (fst other) x) (of_row (fst first) x))) as -> by (apply zip_nth_gen; [congruence|lia]).
  apply andb_prop in LD as [ND _], LE as [NE _]. rewrite forallb_forall in ND, NE.
  assert (0 <= nth x (snd first) 0) as A by (apply Z.leb_le, ND, nth_In; lia).
  assert (0 <= nth x (snd other) 0) as B by (apply Z.leb_le, NE, nth_In; lia).
  set (a := nth x (snd first) 0) in *. set (b := nth x (snd other) 0) in *.
  set (d := total (snd other)) in *. set (e := total (snd first)) in *.
  assert (0 < d) as Hd by (rewrite Zlt_Qlt; exact PE). assert (0 < e) as He by (rewrite Zlt_Qlt; exact PD).
  assert (0 < inject_Z d * inject_Z e)%Q as P by (apply Qmult_lt_0_compat; assumption).
  set (k := xorb _ _).
  assert (0 <= (if negb k then Z.min (b * e) (a * d) else 0) /\ (if negb k then Z.min (b * e) (a * d) else 0) <= b * e
    /\ (if negb k then Z.min (b * e) (a * d) else 0) <= a * d) as [X [Y Z]] by (destruct k; cbn; nia).
  unfold share. fold a b d e. repeat split.
  - apply Qle_shift_div_l; [exact P|]. rewrite Qmult_0_l. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. exact X.
  - apply Qle_shift_div_r; [exact P|]. rewrite Zle_Qle in Y. eapply Qle_trans; [exact Y|].
    apply Qle_lteq. right. rewrite inject_Z_mult. field. lra.
  - apply Qle_shift_div_r; [exact P|]. rewrite Zle_Qle in Z. eapply Qle_trans; [exact Z|].
    apply Qle_lteq. right. rewrite inject_Z_mult. field. lra.
  - intros N. unfold k. destruct (of_row (fst other) x), (of_row (fst first) x); try congruence; cbn; unfold Qdiv; apply Qmult_0_l.
Qed.
Lemma overlap_total : (sum m overlap_at * inject_Z de == inject_Z (total (shared_weights first other)))%Q.
Proof.
  destruct O1 as [Lf [LD KD]], O2 as [Lg [LE KE]]. pose proof (total_pos _ LD) as PD. pose proof (total_pos _ LE) as PE.
  assert (length (shared_weights first other) = m) as L.
  { unfold shared_weights. rewrite commons_length; rewrite zip_length; congruence. }
  rewrite <- sum_total, L, Qmult_comm, <- sum_scale. apply sum_ext. intros x _. unfold overlap_at, de.
  rewrite inject_Z_mult. field. split; lra.
Qed.
Lemma ratio_growth : let (x, d) := ratio (by_factor q) first other in
  0 < d /\ (growth (1 - sum m overlap_at) (by_factor q) * inject_Z d == inject_Z x)%Q.
Proof.
  unfold ratio. fold de. destruct O1 as [Lf [LD KD]], O2 as [Lg [LE KE]].
  pose proof (total_lt _ LD) as PD. pose proof (total_lt _ LE) as PE. split; [unfold de; nia|].
  set (f := by_factor q). assert (f * inject_Z (QDen f) == inject_Z (Qnum f))%Q as E.
  { destruct f as [a b]. unfold Qeq, Qmult, inject_Z. cbn. lia. }
  unfold growth, Z.sub. rewrite !inject_Z_plus, !inject_Z_mult, !inject_Z_plus, !inject_Z_opp, <- overlap_total, <- E. ring.
Qed.
End Target.

Theorem check_packing_sound q samples targets exchanged bits : check_packing q samples targets exchanged bits = true ->
  ~ learns_privately (width q) (N.to_nat samples) (learned q) (answers_from (width q) (pool q)) (allowed_error q)
      (by_factor q) 0 (allowed_failure q).
Proof.
  unfold check_packing. set (U := 2 ^ Z.of_N bits). destruct targets as [|t0 others]; [discriminate|]. intros C [A [HA [HI [HP HF]]]].
  apply andb_prop in C as [C X]. apply andb_prop in C as [C Ex]. apply andb_prop in C as [C Sm]. apply andb_prop in C as [C Ln].
  apply andb_prop in C as [C F]. apply andb_prop in C as [C Np]. apply andb_prop in C as [C Ts]. apply andb_prop in C as [W Wp].
  apply Qle_bool_iff in F. apply Nat.eqb_eq in Ln. apply Z.ltb_lt in X. apply Z.leb_le in Np.
  assert (0 < U) as HU by (apply Z.pow_pos_nonneg; lia).
  set (m := width q) in *. set (n := N.to_nat samples) in *. set (b := allowed_failure q) in *.
  assert (forall t, In t (t0 :: others) -> aimed_ok m (aimed_by q t) /\ learned q (of_row (fst (aimed_by q t)))
    /\ law m (share (snd (aimed_by q t)))) as Ok.
  { intros t Ht. rewrite forallb_forall in Ts. specialize (Ts t Ht). apply andb_prop in Ts as [Ts K].
    apply andb_prop in Ts as [Ti L]. apply Nat.ltb_lt in Ti. apply Nat.eqb_eq in K.
    assert (In (nth (fst t) (class_rows q) []) (class_rows q)) as I by (apply nth_In, Ti).
    unfold has_width in W. rewrite forallb_forall in W. specialize (W _ I). apply Nat.eqb_eq in W.
    split; [repeat split; assumption|]. split.
    - exists (of_row (nth (fst t) (class_rows q) [])). split; [apply in_map, I|intros x Hx; reflexivity].
    - cbn [aimed_by snd]. rewrite <- K. apply share_law, L. }
  destruct (Ok t0 (or_introl eq_refl)) as [Ok0 [C0 L0]]. set (first := aimed_by q t0) in *.
  set (goal_of := fun e : aim * N => let other := aimed_by q (fst e) in
    Goal (of_row (fst other)) (share (snd other)) (overlap_at first other) (N.to_nat (snd e))
         (excluded_by (by_factor q) b U samples first other (snd e))).
  pose proof (packed m n (learned q) A (allowed_error q) (by_factor q) b U (of_row (fst first)) (share (snd first))
    F HU HA HP HF C0 L0 (map goal_of (combine others exchanged))) as T.
  assert (0 < inject_Z U)%Q as UQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact HU).
  assert (inject_Z (Qnum b) / inject_Z (QDen b) == b)%Q as Eb.
  { destruct b as [x y]. unfold Qeq, Qdiv, Qmult, Qinv, inject_Z. cbn. lia. }
  assert (0 < inject_Z (QDen b))%Q as Pb by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  assert (inject_Z (total (map excluded (map goal_of (combine others exchanged)))) <= b * inject_Z U)%Q as B.
  { apply T; clear T.
    - intros g Hg. apply in_map_iff in Hg as [[t s] [<- He]]. pose proof (in_combine_l _ _ _ _ He) as Ht.
      pose proof (in_combine_r _ _ _ _ He) as Hs. rewrite forallb_forall in Sm. specialize (Sm s Hs). apply N.leb_le in Sm.
      destruct (Ok t (or_intror Ht)) as [Ot [Ct Lt]]. set (other := aimed_by q t) in *.
      pose proof (overlap_ok q first other Ok0 Ot) as Ov.
      unfold goal_ok. change (fst (t, s)) with t. cbv zeta beta. unfold goal_of. cbn [fst snd aim_at under shared_with_first first_part excluded]. fold other.
      split; [exact Ct|]. split; [exact Lt|]. split; [exact Ov|]. split; [unfold n; lia|].
      intros x Hx H. set (r := growth (1 - sum m (overlap_at first other)) (by_factor q)) in *. unfold excluded_by. pose proof (ratio_growth q first other Ok0 Ot) as R.
      destruct (ratio (by_factor q) first other) as [num den]. destruct R as [Pd R]. fold m r in R.
      assert (0 < inject_Z den)%Q as PdQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact Pd).
      apply (remaining_spec _ _ _ _ _ _ r x); try assumption; try lia.
      + apply (growth_ge_1 m (share (snd other)) (share (snd first)) (of_row (fst other)) (of_row (fst first))); assumption.
      + apply (Qmult_le_r _ _ (inject_Z den)); [exact PdQ|]. eapply Qle_trans; [|apply up_spec, Pd].
        rewrite inject_Z_mult, <- R. apply Qle_lteq. right. ring.
      + rewrite Eb. rewrite N2Nat.inj_sub. exact H.
    - intros j Hj.
      pose proof (exclusive_spec m (allowed_error q) (pool q) (map (aimed_by q) (t0 :: others)) (answer A j)) as E.
      cbn [map] in E. fold first in E. cbn [lsum] in E. rewrite lsum_map in E.
      assert (lsum (fun e : aim * N => chance (good_for m (allowed_error q) (answer A j) (aimed_by q (fst e)))) (combine others exchanged)
        == lsum (fun t => chance (good_for m (allowed_error q) (answer A j) (aimed_by q t))) others)%Q as Q.
      { rewrite <- (lsum_map (fun t => chance (good_for m (allowed_error q) (answer A j) (aimed_by q t))) fst).
        replace (map fst (combine others exchanged)) with others; [reflexivity|].
        symmetry. clear - Ln. revert exchanged Ln. induction others as [|t others IH]; intros [|s ex] L; cbn in *; try lia; auto.
        rewrite IH by lia. reflexivity. }
      rewrite lsum_map.
      change (chance (good_for m (allowed_error q) (answer A j) first)
        + lsum (fun e : aim * N => chance (good_for m (allowed_error q) (answer A j) (aimed_by q (fst e)))) (combine others exchanged) <= 1)%Q.
      rewrite Q. apply E; [|destruct (pool q); [exact Wp|exact I]|exact Ex|apply HI, Hj].
      intros s [<-|Hs]; [exact Ok0|]. apply in_map_iff in Hs as [t [<- Ht]]. apply Ok. right. exact Ht. }
  rewrite map_map in B. change (map (fun x => excluded (goal_of x)) (combine others exchanged)) with
    (map (fun e : aim * N => excluded_by (by_factor q) b U samples first (aimed_by q (fst e)) (snd e)) (combine others exchanged)) in B.
  set (s := total _) in *. rewrite Zlt_Qlt, !inject_Z_mult in X. rewrite <- Eb in B.
  apply (Qmult_le_compat_r _ _ (inject_Z (QDen b))) in B; [|lra].
  assert (inject_Z (Qnum b) / inject_Z (QDen b) * inject_Z U * inject_Z (QDen b) == inject_Z (Qnum b) * inject_Z U)%Q as E by (field; lra).
  rewrite E in B. rewrite (Qmult_comm (inject_Z s)) in B. apply (Qlt_not_le _ _ X B).
Qed.

(* ---- certificates ---- *)

Definition needs_of (instance : json) (values : list json) : option needs :=
  match values with
  | [h; a; b; r] =>
      let* (_, m, rows) := class_of row instance in
      let* pool := optional (list_of (row m)) h in
      let* a := probability a in let* b := probability b in let* r := factor r in
      Some (Needs m rows pool a b r)
  | _ => None
  end.
Definition learning_with (q : needs) (n : nat) : option learning :=
  given (few (width q) n) (Some (Learning (width q) (class_rows q) n (allowed_error q))).
Definition aim_of (q : needs) : json -> option (nat * list Z) :=
  target_of (Learning (width q) (class_rows q) O (allowed_error q)).

(* the question with the delta of a learner, and both sides with proofs about the least failure *)
Definition lower_few (q : needs) (delta : Q) (v : N) (name : string) (data : json) : bool :=
  if String.eqb name "trivial" then match fields [] data with Some _ => (v =? 0)%N | None => false end
  else String.eqb name "too_few" && Qle_bool 1 (by_factor q) && Qle_bool 0 delta &&
    match fields ["samples"; "proof"]%string data with
    | Some [n; p] => match sample_size n, Json.form p with
        | Some n, Some (inner, proof) => (v =? N.of_nat n + 1)%N && String.eqb inner "flows"
            && match learning_with q n with
               | Some l => match flows_in l (by_factor q) delta proof with
                   | Some (x, den) => negb (at_most x den (allowed_failure q))
                   | None => false
                   end
               | None => false
               end
        | _, _ => false
        end
    | _ => false
    end.
Definition lower_packing (q : needs) (v : N) (data : json) : bool :=
  match fields ["samples"; "targets"; "exchanged"; "bits"]%string data with
  | Some [n; t; s; p] =>
      match natural n, list_of (aim_of q) t, list_of natural s, natural p with
      | Some n, Some t, Some s, Some p => (v =? n + 1)%N && (p <? 65536)%N && check_packing q n t s p
      | _, _, _, _ => false
      end
  | _ => false
  end.
Definition lower_examples (q : needs) (v : N) (name : string) (data : json) : bool :=
  if String.eqb name "packing" then lower_packing q v data else lower_few q 0 v name data.
Definition upper_examples (q : needs) (delta : Q) (v : N) (name : string) (data : json) : bool :=
  String.eqb name "enough" && match pool q with None => true | Some _ => false end && Qle_bool 1 (by_factor q)
  && Qle_bool 0 delta && match fields ["samples"; "proof"]%string data with
     | Some [n; p] => match sample_size n, Json.form p with
         | Some n, Some (inner, proof) => (v =? N.of_nat n)%N && String.eqb inner "learner"
             && match learning_with q n with
                | Some l => match learner_in l (by_factor q) delta proof with
                    | Some found => bounded (allowed_failure q) found
                    | None => false
                    end
                | None => false
                end
         | _, _ => false
         end
     | _ => false
     end.

Definition at_least_examples (q : needs) (delta : Q) (v : N) : Prop :=
  examples_at_least (width q) (table (width q) (concepts (class_rows q))) (answers_from (width q) (pool q))
    (allowed_error q) (by_factor q) delta (allowed_failure q) v.
Definition enough_examples (q : needs) (delta : Q) (v : N) : Prop :=
  examples_suffice (width q) (table (width q) (concepts (class_rows q))) (answers_from (width q) (pool q))
    (allowed_error q) (by_factor q) delta (allowed_failure q) v.

Lemma none_with_fewer q delta (n : nat) v : (1 <= by_factor q)%Q -> (0 <= delta)%Q -> v = (N.of_nat n + 1)%N ->
  ~ learns_privately (width q) n (learned q) (answers_from (width q) (pool q)) (allowed_error q) (by_factor q) delta
      (allowed_failure q) -> at_least_examples q delta v.
Proof.
  intros F F0 -> H k L. destruct (le_lt_dec k n) as [K|K]; [|lia]. exfalso. apply H.
  apply (learns_with_at_least _ k n); assumption.
Qed.
Lemma at_most_false x den b : 0 < den -> at_most x den b = false -> (b < inject_Z x / inject_Z den)%Q.
Proof.
  intros P H. assert (0 < inject_Z den)%Q as PQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P).
  apply Qnot_le_lt. intros L. rewrite (at_most_iff x den b (inject_Z x / inject_Z den) P) in H by (field; lra).
  apply Qle_bool_iff in L. congruence.
Qed.

Lemma lower_few_sound q delta v name data : lower_few q delta v name data = true -> at_least_examples q delta v.
Proof.
  unfold lower_few. intros H. destruct (String.eqb name "trivial").
  - destruct (fields _ data); [|discriminate]. apply N.eqb_eq in H as ->. intros k _. lia.
  - apply andb_prop in H as [H X]. apply andb_prop in H as [H D]. apply andb_prop in H as [_ F].
    apply Qle_bool_iff in F, D.
    destruct (fields _ data) as [[|n [|p [|? ?]]]|]; try discriminate X.
    destruct (sample_size n) as [k|]; [|discriminate]. destruct (Json.form p) as [[inner proof]|]; [|discriminate].
    apply andb_prop in X as [E X]. apply andb_prop in E as [E _]. apply N.eqb_eq in E.
    unfold learning_with in X. destruct (few (width q) k); cbn [given] in X; [|discriminate].
    destruct (flows_in _ _ _ proof) as [[x den]|] eqn:B; [|discriminate]. apply flows_in_sound in B as [P B]; [|exact D].
    apply negb_true_iff in X. apply (at_most_false x den _ P) in X.
    apply (none_with_fewer q delta k v F D E). intros [A [L [_ [Pr Fa]]]].
    assert (inject_Z x / inject_Z den <= allowed_failure q)%Q as G; [|lra].
    apply B. exists A. split; [exact L|]. split; [intros i _; exact I|]. split; [exact Pr|exact Fa].
Qed.
Lemma lower_packing_sound q v data : lower_packing q v data = true -> at_least_examples q 0 v.
Proof.
  unfold lower_packing. intros H. destruct (fields _ data) as [[|n [|t [|s [|p [|? ?]]]]]|]; try discriminate H.
  destruct (natural n) as [k|], (list_of (aim_of q) t) as [ts|], (list_of natural s) as [ss|], (natural p) as [bits|];
    try discriminate H.
  apply andb_prop in H as [H X]. apply andb_prop in H as [E _]. apply N.eqb_eq in E.
  assert (1 <= by_factor q)%Q as F.
  { unfold check_packing in X. destruct ts; [discriminate|]. repeat (apply andb_prop in X as [X ?]).
    apply Qle_bool_iff. assumption. }
  apply (none_with_fewer q 0 (N.to_nat k) v F (Qle_refl 0)); [rewrite N2Nat.id; exact E|].
  apply (check_packing_sound _ _ _ _ _ X).
Qed.
Lemma upper_examples_sound q delta v name data : upper_examples q delta v name data = true -> enough_examples q delta v.
Proof.
  unfold upper_examples. intros H.
  apply andb_prop in H as [H X]. apply andb_prop in H as [H D]. apply andb_prop in H as [H F].
  apply andb_prop in H as [_ Po]. apply Qle_bool_iff in F, D.
  destruct (fields _ data) as [[|n [|p [|? ?]]]|]; try discriminate X.
  destruct (sample_size n) as [k|]; [|discriminate]. destruct (Json.form p) as [[inner proof]|]; [|discriminate].
  apply andb_prop in X as [X B]. apply andb_prop in X as [E _]. apply N.eqb_eq in E as ->.
  unfold learning_with in B. destruct (few (width q) k); cbn [given] in B; [|discriminate].
  destruct (learner_in _ _ _ proof) as [l|] eqn:G; [|discriminate].
  unfold enough_examples, examples_suffice. rewrite Nat2N.id. destruct (pool q); [discriminate|].
  apply (learner_in_sound _ _ _ _ _ _ F D G B).
Qed.

Definition private_sample_complexity : kind.
Proof.
  refine {|
    title := "private_sample_complexity"; parameters := ["hypotheses"; "accuracy"; "failure"; "factor"]%string;
    ask := needs_of; number := natural; lower := lower_examples; upper q := upper_examples q 0;
    lower_means q v := at_least_examples q 0 v; upper_means q v := enough_examples q 0 v
  |}.
  - intros q v name data H. unfold lower_examples in H. destruct (String.eqb name "packing").
    + apply lower_packing_sound in H. exact H.
    + apply lower_few_sound in H. exact H.
  - intros q v name data H. apply upper_examples_sound in H. exact H.
Defined.

Definition approximate_needs_of (instance : json) (values : list json) : option (needs * Q) :=
  match values with
  | [a; b; r; d] => let* q := needs_of instance [Null; a; b; r] in let* d := probability d in Some (q, d)
  | _ => None
  end.
Definition approximate_sample_complexity : kind.
Proof.
  refine {|
    title := "approximate_sample_complexity"; parameters := ["accuracy"; "failure"; "factor"; "delta"]%string;
    ask := approximate_needs_of; number := natural;
    lower q := lower_few (fst q) (snd q); upper q := upper_examples (fst q) (snd q);
    lower_means q v := at_least_examples (fst q) (snd q) v; upper_means q v := enough_examples (fst q) (snd q) v
  |}.
  - intros q v name data H. apply lower_few_sound in H. exact H.
  - intros q v name data H. apply upper_examples_sound in H. exact H.
Defined.
