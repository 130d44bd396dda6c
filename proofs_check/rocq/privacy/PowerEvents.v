(* What one event of two neighbours asks for, where weights are polynomials at t. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Near Powers Enclosures PowerLaws Databases.
Import ListNotations.
Local Open Scope Z_scope.

Section events.
Variable u : enclosure.
Hypothesis U : valid u.
Local Notation t := (target u).

(* ---- the weight of an event ---- *)

Fixpoint gathered (event : nat -> bool) (l : list enclosed) : enclosed :=
  match l with
  | [] => nothing
  | v :: l' => if event O then add v (gathered (fun o => event (S o)) l') else gathered (fun o => event (S o)) l'
  end.

Lemma gathered_encloses : forall l event, (forall v, In v l -> encloses u 1 v) -> encloses u 1 (gathered event l).
Proof.
  induction l as [|v l IH]; intros event E; [apply nothing_encloses|]. cbn [gathered].
  assert (forall e, encloses u 1 (gathered e l)) as R by (intros e; apply IH; intros w W; apply E; right; exact W).
  destruct (event O); [apply add_encloses; [apply E; left; reflexivity|apply R]|apply R].
Qed.

Lemma gathered_spec x : forall l event, (eval (what (gathered event l)) x == chosen event l x)%Q.
Proof.
  induction l as [|v l IH]; intros event; [reflexivity|]. rewrite chosen_cons. cbn [gathered].
  destruct (event O); cbn [what add eval]; rewrite IH; unfold chance; ring.
Qed.

Lemma high_bound k v : encloses u k v -> exists M, (0 < M)%Q /\ forall x, inside u x -> (eval (what v) x <= M)%Q.
Proof.
  intros V. pose proof (raise_scale u U k) as P.
  exists (Qabs.Qabs (inject_Z (high v) / raise (inject_Z (scale u)) k) + 1)%Q.
  pose proof (Qabs.Qabs_nonneg (inject_Z (high v) / raise (inject_Z (scale u)) k)).
  pose proof (Qabs.Qle_Qabs (inject_Z (high v) / raise (inject_Z (scale u)) k)).
  split; [lra|]. intros x X. specialize (V x X).
  assert (eval (what v) x <= inject_Z (high v) / raise (inject_Z (scale u)) k)%Q; [|lra].
  apply Qle_shift_div_l; [exact P|]. lra.
Qed.

Lemma eval_subtract v w x : eval (what (subtract v w)) x = (eval (what v) x - eval (what w) x)%Q.
Proof. reflexivity. Qed.
Lemma eval_multiply v w x : eval (what (multiply v w)) x = (eval (what v) x * eval (what w) x)%Q.
Proof. reflexivity. Qed.
Lemma eval_known p x : eval (what (known u p)) x = polynomial p x.
Proof. rewrite known_what. reflexivity. Qed.

(* how much more than delta, and whether it is just the factor times the other chance *)
Definition surplus (p : prepared) event (delta du : list Z) : enclosed :=
  subtract (multiply (gathered event (weights p)) (known u du)) (multiply (known u delta) (whole p)).
Definition difference (p q : prepared) event (fo fu delta du : list Z) : enclosed :=
  subtract (multiply (multiply (surplus p event delta du) (known u fu)) (whole q))
           (multiply (multiply (multiply (gathered event (weights q)) (known u du)) (known u fo)) (whole p)).
Local Notation is_asked p q event fo fu delta du := (is_zero u (difference p q event fo fu delta du)) (only parsing).

Section two.
Variables (outcomes : nat) (p q : list (list Z)) (event : nat -> bool).
Hypothesis Gp : is_good outcomes (prepare u p) = true.
Hypothesis Gq : is_good outcomes (prepare u q) = true.

Lemma surplus_encloses delta du : encloses u 2 (surplus (prepare u p) event delta du).
Proof.
  destruct (prepare_encloses u U p) as [Ep EP]. apply subtract_encloses; apply (multiply_encloses u 1 1);
    try apply known_encloses; try assumption. apply gathered_encloses, Ep.
Qed.

Lemma difference_encloses fo fu delta du :
  encloses u (2 + 1 + 1) (difference (prepare u p) (prepare u q) event fo fu delta du).
Proof.
  destruct (prepare_encloses u U p) as [Ep EP]. destruct (prepare_encloses u U q) as [Eq EQ].
  apply subtract_encloses.
  - apply multiply_encloses; [apply multiply_encloses; [apply surplus_encloses|apply known_encloses, U]|exact EQ].
  - apply (multiply_encloses u (1 + 1 + 1) 1); [|exact EP].
    apply multiply_encloses; [|apply known_encloses, U].
    apply multiply_encloses; [apply gathered_encloses, Eq|apply known_encloses, U].
Qed.

Lemma difference_spec fo fu delta du x :
  (eval (what (difference (prepare u p) (prepare u q) event fo fu delta du)) x ==
   (chosen event (weights (prepare u p)) x * polynomial du x
    - polynomial delta x * eval (what (whole (prepare u p))) x) * polynomial fu x * eval (what (whole (prepare u q))) x
   - chosen event (weights (prepare u q)) x * polynomial du x * polynomial fo x * eval (what (whole (prepare u p))) x)%Q.
Proof.
  unfold difference, surplus. rewrite !eval_subtract, !eval_multiply, !eval_subtract, !eval_multiply, !eval_known.
  rewrite !gathered_spec. reflexivity.
Qed.

Lemma asked_here fo fu delta du h m x : (0 < h)%Q -> inside u x -> (0 < polynomial fu x)%Q -> (0 < polynomial du x)%Q ->
  (m <= eval (what (whole (prepare u p))) x * eval (what (whole (prepare u q))) x * polynomial fu x * polynomial du x)%Q ->
  (- (h * m) <= eval (what (difference (prepare u p) (prepare u q) event fo fu delta du)) x <= h * m)%Q ->
  (- h <= chance_at p outcomes event x - quotient delta du x - quotient fo fu x * chance_at q outcomes event x <= h)%Q.
Proof.
  intros Hh X F D M A. rewrite difference_spec in A.
  destruct (chance_at_spec u U p outcomes event x Gp X) as [-> [Sp _]].
  destruct (chance_at_spec u U q outcomes event x Gq X) as [-> [Sq _]].
  exact (asked_at_point _ _ _ _ _ _ _ _ h m Sp Sq F D (Qlt_le_weak _ _ Hh) M A).
Qed.

Lemma product_low fu du : (exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= polynomial fu x)%Q) ->
  (exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= polynomial du x)%Q) ->
  exists m, (0 < m)%Q /\ forall x, inside u x ->
  (m <= eval (what (whole (prepare u p))) x * eval (what (whole (prepare u q))) x * polynomial fu x * polynomial du x)%Q.
Proof.
  intros F D. exact (four_low u _ _ _ _ (whole_low u U outcomes p Gp) (whole_low u U outcomes q Gq) F D).
Qed.

Lemma is_asked_sound fo fu delta du : is_ratio u fo fu = true -> is_ratio u delta du = true ->
  is_asked (prepare u p) (prepare u q) event fo fu delta du = true -> forall h, (0 < h)%Q ->
  near t (fun x => inside u x /\
    - h <= chance_at p outcomes event x - quotient delta du x - quotient fo fu x * chance_at q outcomes event x <= h)%Q.
Proof.
  intros RF RD H h Hh.
  destruct (ratio_low u U _ _ RF) as [mf [Mf HF]]. destruct (ratio_low u U _ _ RD) as [md [Md HD]].
  destruct (product_low fu du) as [m [M HM]];
    [exists mf; split; [exact Mf|intros x X; apply (HF x X)]|exists md; split; [exact Md|intros x X; apply (HD x X)]|].
  destruct (prepare_encloses u U p) as [Ep EP]. destruct (prepare_encloses u U q) as [Eq EQ].
  assert (0 < h * m)%Q as Hm by nra.
  eapply near_implies; [|exact (is_zero_sound u U _ _ (difference_encloses _ _ _ _) H _ Hm)].
  intros x [X A]. split; [exact X|]. destruct (HF x X) as [F0 _]. destruct (HD x X) as [D0 _].
  exact (asked_here fo fu delta du h m x Hh X (Qlt_le_trans _ _ _ Mf F0) (Qlt_le_trans _ _ _ Md D0) (HM x X) A).
Qed.

(* with delta, and an event whose chance is larger than that *)
Lemma surplus_low delta du : is_ratio u delta du = true -> 0 < low (surplus (prepare u p) event delta du) ->
  exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= chance_at p outcomes event x - quotient delta du x)%Q.
Proof.
  intros RD L. destruct (ratio_low u U _ _ RD) as [md [Md HD]].
  destruct (low_positive u U 2 _ (surplus_encloses delta du) L) as [m [M HM]].
  destruct (prepare_encloses u U p) as [Ep EP].
  destruct (high_bound 2 (multiply (whole (prepare u p)) (known u du))) as [V [V0 HV]].
  { apply (multiply_encloses u 1 1); [exact EP|apply known_encloses, U]. }
  exists (m / V)%Q. split; [apply Qlt_shift_div_l; lra|]. intros x X.
  specialize (HM x X). specialize (HV x X). destruct (HD x X) as [D0 _].
  destruct (chance_at_spec u U p outcomes event x Gp X) as [-> [Sp _]].
  unfold surplus in HM. cbn [what subtract multiply eval] in HM, HV. rewrite !known_what in HM. rewrite !known_what in HV.
  rewrite gathered_spec in HM. cbn [eval] in HM, HV. unfold quotient.
  set (s := eval (what (whole (prepare u p))) x) in *. set (c := chosen event _ x) in *.
  set (d := polynomial du x) in *. set (e := polynomial delta x) in *.
  assert (0 < s * d)%Q as P by (apply Qmult_lt_0_compat; lra).
  apply Qle_shift_div_r; [exact V0|].
  assert ((c / s - e / d) * (s * d) == c * d - e * s)%Q as E by (field; lra).
  assert (0 <= c / s - e / d)%Q.
  { apply (Qmult_le_r _ _ _ P). rewrite E, Qmult_0_l. apply Qle_trans with m; [lra|exact HM]. }
  nra.
Qed.
End two.

(* ---- bounds on delta and on the factor ---- *)

Variables (outcomes : nat) (which : databases) (laws : list (list (list Z))).
Definition law_at_place (i : nat) : Q -> nat -> Q := law_in_powers (nth i laws []).

Definition is_pair (i j : nat) : bool :=
  is_good outcomes (prepare u (nth i laws [])) && is_good outcomes (prepare u (nth j laws [])).

Theorem delta_sound fo fu vo vu i j event : is_ratio u fo fu = true -> is_ratio u vo vu = true ->
  is_pair i j = true -> are_neighbours which i j = true ->
  is_asked (prepare u (nth i laws [])) (prepare u (nth j laws [])) event fo fu vo vu = true ->
  delta_at_least_at t (neighbours which) outcomes law_at_place (quotient fo fu) (quotient vo vu).
Proof.
  intros RF RV G N A d D P h Hh. apply andb_prop in G as [Gp Gq]. apply are_neighbours_sound in N.
  specialize (P i j event N (h * (1 # 2))%Q ltac:(lra)).
  pose proof (is_asked_sound outcomes _ _ event Gp Gq fo fu vo vu RF RV A (h * (1 # 2))%Q ltac:(lra)) as E.
  eapply near_implies; [|exact (near_and _ _ _ P E)]. unfold law_at_place, chance_at. intros x [P' [X E']]. lra.
Qed.

(* nothing less than 0, or than 1, is asked of any mechanism *)
Theorem delta_trivial fo fu vo vu : is_ratio u vo vu = true -> is_zero u (known u vo) = true ->
  delta_at_least_at t (neighbours which) outcomes law_at_place (quotient fo fu) (quotient vo vu).
Proof.
  intros RV Z' d D _ h Hh. destruct (ratio_low u U _ _ RV) as [m [M HM]].
  eapply near_implies; [|apply (is_zero_sound u U 1 _ (known_encloses u U vo) Z' (h * m)%Q ltac:(nra))].
  intros x [X A]. rewrite known_what in A. cbn [eval] in A. destruct (HM x X) as [V _].
  unfold quotient. apply Qle_shift_div_r; [lra|]. nra.
Qed.
Theorem factor_trivial vo vu delta : is_ratio u vo vu = true -> is_zero u (subtract (known u vo) (known u vu)) = true ->
  factor_at_least_at t (neighbours which) outcomes law_at_place delta (quotient vo vu).
Proof.
  intros RV Z' f F _ h Hh. destruct (ratio_low u U _ _ RV) as [m [M HM]].
  assert (encloses u 1 (subtract (known u vo) (known u vu))) as E by (apply subtract_encloses; apply known_encloses, U).
  eapply near_implies; [|apply (is_zero_sound u U 1 _ E Z' (h * m)%Q ltac:(nra))].
  intros x [X A]. cbn [what subtract eval] in A. rewrite !known_what in A. cbn [eval] in A.
  destruct (HM x X) as [V _]. unfold quotient. apply Qle_shift_div_r; [lra|]. nra.
Qed.

Theorem factor_sound delta du vo vu i j event : is_ratio u delta du = true -> is_ratio u vo vu = true ->
  is_pair i j = true -> are_neighbours which i j = true ->
  0 < low (surplus (prepare u (nth i laws [])) event delta du) ->
  is_asked (prepare u (nth i laws [])) (prepare u (nth j laws [])) event vo vu delta du = true ->
  factor_at_least_at t (neighbours which) outcomes law_at_place (quotient delta du) (quotient vo vu).
Proof.
  intros RD RV G N L A f F P h Hh. apply andb_prop in G as [Gp Gq]. apply are_neighbours_sound in N.
  destruct (surplus_low outcomes _ event Gp delta du RD L) as [m [M HM]].
  set (e := (h * m / (2 * f + h))%Q).
  assert (0 < e)%Q as He by (unfold e; apply Qlt_shift_div_l; nra).
  assert (e * (2 * f + h) == h * m)%Q as Ee by (unfold e; field; lra).
  specialize (P i j event N e He).
  pose proof (is_asked_sound outcomes _ _ event Gp Gq vo vu delta du RV RD A e He) as E.
  eapply near_implies; [|exact (near_and _ _ _ P E)]. intros x [P' [X E']]. specialize (HM x X).
  destruct (chance_at_spec u U _ outcomes event x Gq X) as [Q1 [Q2 Q3]].
  unfold law_at_place in P'. fold (chance_at (nth i laws []) outcomes event x) in P'.
  fold (chance_at (nth j laws []) outcomes event x) in P'.
  assert (0 <= chance_at (nth j laws []) outcomes event x)%Q as Q0.
  { rewrite Q1. apply Qle_shift_div_l; [exact Q2|]. lra. }
  apply (factor_at_point (chance_at (nth i laws []) outcomes event x - quotient delta du x)
           (chance_at (nth j laws []) outcomes event x) (quotient vo vu x) f h e m); try assumption; lra.
Qed.

Theorem no_factor_sound delta du i j event : is_ratio u delta du = true ->
  is_pair i j = true -> are_neighbours which i j = true ->
  0 < low (surplus (prepare u (nth i laws [])) event delta du) ->
  is_zero u (gathered event (weights (prepare u (nth j laws [])))) = true ->
  no_factor_at t (neighbours which) outcomes law_at_place (quotient delta du).
Proof.
  intros RD G N L Z' f F P. apply andb_prop in G as [Gp Gq]. apply are_neighbours_sound in N.
  destruct (surplus_low outcomes _ event Gp delta du RD L) as [m [M HM]].
  destruct (whole_low u U outcomes _ Gq) as [s [S HS]].
  destruct (prepare_encloses u U (nth j laws [])) as [Eq _].
  set (e := (m / (4 * f) * s)%Q).
  assert (0 < m / (4 * f))%Q as P1 by (apply Qlt_shift_div_l; lra).
  assert (0 < e)%Q as He by (unfold e; nra).
  destruct (near_point t _ (proj1 U) (near_and _ _ _ (P i j event N (m * (1 # 4))%Q ltac:(lra))
    (is_zero_sound u U 1 _ (gathered_encloses _ event Eq) Z' e He))) as [x [P' [X A]]].
  specialize (HM x X). specialize (HS x X). rewrite gathered_spec in A.
  destruct (chance_at_spec u U _ outcomes event x Gq X) as [Q1 [Q2 Q3]].
  unfold law_at_place in P'. fold (chance_at (nth i laws []) outcomes event x) in P'.
  fold (chance_at (nth j laws []) outcomes event x) in P'.
  assert (chance_at (nth j laws []) outcomes event x <= m / (4 * f))%Q as Q4.
  { rewrite Q1. apply Qle_shift_div_r; [exact Q2|]. unfold e in A. nra. }
  assert (f * (m / (4 * f)) == m * (1 # 4))%Q as Q5 by (field; lra).
  assert (f * chance_at (nth j laws []) outcomes event x <= f * (m / (4 * f)))%Q by nra. lra.
Qed.
End events.
