(* Linear programs: feasible points from above, prices of the constraints from below. *)
From Coq Require Import String ZArith QArith Lia Lqa Bool List.
From CCSim Require Import Definitions Sums Mixture Arrays Json Certificate.
Import ListNotations.
Local Open Scope Z_scope.

Definition point_of (u : positive) (values : list Z) (j : nat) : Q := nth j values 0 # u.

(* ---- from above ---- *)

Definition within_ends (u : positive) (ends : option Q * option Q) (a : Z) : bool :=
  match fst ends with Some low => Qle_bool low (a # u) | None => true end
  && match snd ends with Some high => Qle_bool (a # u) high | None => true end.
Fixpoint all_within u (l : list (option Q * option Q)) (values : list Z) : bool :=
  match l, values with
  | [], [] => true
  | e :: l', a :: values' => within_ends u e a && all_within u l' values'
  | _, _ => false
  end.
Definition sum_of (m : array) (terms : list (nat * Z)) : Z :=
  fold_right (fun t s => snd t * get m (fst t) + s) 0 terms.
Definition stands_of (r : relation) (a b : Z) : bool :=
  match r with AtMost => a <=? b | Equal => a =? b | AtLeast => b <=? a end.
Definition check_feasible (p : program) (u : positive) (values : list Z) : bool :=
  all_within u (bounds p) values
  && let m := array_of values in
     forallb (fun c => match c with (terms, r, b) => stands_of r (sum_of m terms) (b * Zpos u) end) (constraints p).
Definition check_point (p : program) u values (v : Q) : bool :=
  check_feasible p u values && (length (objective p) =? length values)%nat
  && Qeq_bool (dot (objective p) values # u * scale p) v.

Lemma all_within_sound u : forall l values, all_within u l values = true ->
  length values = length l
  /\ forall j, (j < length l)%nat -> within (nth j l (None, None)) (point_of u values j).
Proof.
  induction l as [|e l IH]; intros [|a values] H; try discriminate H; [split; [reflexivity|cbn; lia]|].
  cbn [all_within] in H. apply andb_prop in H as [E H]. destruct (IH _ H) as [L W].
  split; [cbn; lia|]. intros [|j] Hj.
  - unfold point_of. cbn [nth]. unfold within_ends in E. apply andb_prop in E as [E1 E2]. split.
    + destruct (fst e); [apply Qle_bool_iff, E1|exact I].
    + destruct (snd e); [apply Qle_bool_iff, E2|exact I].
  - cbn [length] in Hj. exact (W j ltac:(lia)).
Qed.

Lemma point_of_times u values j :
  (point_of u values j == inject_Z (nth j values 0%Z) / inject_Z (Zpos u))%Q.
Proof. unfold point_of. apply Qmake_Qdiv. Qed.


Lemma sum_of_combination u values terms :
  (combination terms (point_of u values) * inject_Z (Zpos u) == inject_Z (sum_of (array_of values) terms))%Q.
Proof.
  induction terms as [|[j a] terms IH]; [reflexivity|]. unfold combination, sum_of in *. cbn [fold_right fst snd].
  rewrite inject_Z_plus, inject_Z_mult, <- IH, get_array_of, point_of_times. pose proof (unit_pos u). field. lra.
Qed.

Lemma check_feasible_sound p u values : check_feasible p u values = true ->
  length values = length (bounds p) /\ feasible p (point_of u values).
Proof.
  intros H. apply andb_prop in H as [W C]. apply all_within_sound in W as [L W].
  split; [exact L|]. split; [exact W|]. intros terms r b I.
  rewrite forallb_forall in C. specialize (C _ I). cbv beta iota in C.
  pose proof (sum_of_combination u values terms) as E. pose proof (unit_pos u) as U.
  set (s := sum_of (array_of values) terms) in *. set (q := combination terms (point_of u values)) in *.
  unfold stands_of in C. destruct r; cbn [stands].
  - apply Z.leb_le in C. rewrite Zle_Qle, inject_Z_mult, <- E in C. apply Qmult_le_r in C; assumption.
  - apply Z.eqb_eq in C. apply (f_equal inject_Z) in C. rewrite inject_Z_mult in C.
    assert (q * inject_Z (Z.pos u) == inject_Z b * inject_Z (Z.pos u))%Q as D by (rewrite E, C; reflexivity).
    apply Qmult_inj_r in D; [exact D|lra].
  - apply Z.leb_le in C. rewrite Zle_Qle, inject_Z_mult, <- E in C. apply Qmult_le_r in C; assumption.
Qed.

Lemma objective_point p u values : length (objective p) = length values ->
  (objective_at p (point_of u values) == dot (objective p) values # u * scale p)%Q.
Proof.
  intros L. unfold objective_at. rewrite Qmake_Qdiv, Pos2Z.inj_mul, inject_Z_mult.
  rewrite <- (sum_dot (objective p) values) by auto.
  rewrite (sum_ext _ _ (fun j => / inject_Z (Zpos u) *
    (inject_Z (nth j (objective p) 0%Z) * inject_Z (nth j values 0%Z)))%Q).
  - rewrite sum_scale. pose proof (unit_pos u). pose proof (unit_pos (scale p)). field. lra.
  - intros j _. rewrite point_of_times. pose proof (unit_pos u). field. lra.
Qed.

Theorem check_point_sound p u values v : check_point p u values v = true -> minimum_at_most p (Finite v).
Proof.
  unfold check_point. intros H. apply andb_prop in H as [H V]. apply andb_prop in H as [F L].
  apply Nat.eqb_eq in L. apply check_feasible_sound in F as [_ F]. exists (point_of u values).
  split; [exact F|]. rewrite (objective_point p u values L). apply Qeq_bool_eq in V. rewrite V. apply Qle_refl.
Qed.

(* a direction that keeps to all constraints, with 0 for each number, and in which the form falls *)
Definition flat (e : option Q) : option Q := match e with Some _ => Some 0%Q | None => None end.
Definition cone (p : program) : program := {|
  scale := scale p; objective := objective p;
  bounds := map (fun e => (flat (fst e), flat (snd e))) (bounds p);
  constraints := map (fun c => match c with (terms, r, _) => (terms, r, 0) end) (constraints p)
|}.
Definition check_ray (p : program) u values ray : bool :=
  check_feasible p u values && check_feasible (cone p) 1 ray
  && (length (objective p) =? length (bounds p))%nat && (dot (objective p) ray <? 0).

Lemma combination_line terms x d t :
  (combination terms (fun j => x j + t * d j) == combination terms x + t * combination terms d)%Q.
Proof.
  induction terms as [|[j a] terms IH]; [cbn; ring|]. unfold combination in *. cbn [fold_right fst snd].
  rewrite IH. ring.
Qed.

Lemma objective_line p x d t :
  (objective_at p (fun j => x j + t * d j) == objective_at p x + t * objective_at p d)%Q.
Proof.
  unfold objective_at.
  rewrite (sum_ext _ _ (fun j => inject_Z (nth j (objective p) 0%Z) * x j
    + t * (inject_Z (nth j (objective p) 0%Z) * d j))%Q)
    by (intros; ring).
  rewrite sum_plus, sum_scale. pose proof (unit_pos (scale p)). field. lra.
Qed.

Lemma line_above a x t d : (0 <= t -> a <= x -> 0 <= d -> a <= x + t * d)%Q.
Proof. intros T A D. pose proof (Qmult_le_0_compat t d T D). lra. Qed.
Lemma line_below a x t d : (0 <= t -> x <= a -> d <= 0 -> x + t * d <= a)%Q.
Proof. intros T A D. pose proof (Qmult_le_0_compat t (- d) T ltac:(lra)). lra. Qed.

Lemma feasible_line p x d t : (0 <= t)%Q -> feasible p x -> feasible (cone p) d ->
  feasible p (fun j => x j + t * d j)%Q.
Proof.
  intros T [Xb Xc] [Db Dc]. split.
  - intros j Hj. specialize (Xb j Hj). specialize (Db j). cbn [cone bounds] in Db. rewrite map_length in Db.
    specialize (Db Hj).
    pose proof (map_nth (fun e => (flat (fst e), flat (snd e))) (bounds p) (None, None) j) as N. cbv beta in N.
    cbn [fst snd flat] in N. rewrite N in Db. destruct (nth j (bounds p) (None, None)) as [low high].
    unfold within in *. cbn [fst snd] in *. destruct low, high; cbn [flat] in Db; destruct Xb, Db;
      split; try exact I; (apply line_above; assumption) || (apply line_below; assumption).
  - intros terms r b I. specialize (Xc _ _ _ I).
    assert (In (terms, r, 0) (constraints (cone p))) as J.
    { cbn [cone constraints]. apply in_map_iff. exists (terms, r, b). auto. }
    specialize (Dc _ _ _ J). change (inject_Z 0) with 0%Q in Dc.
    destruct r; cbn [stands] in *; rewrite combination_line;
      [apply line_below; assumption| |apply line_above; assumption].
    rewrite Xc, Dc. ring.
Qed.

Theorem check_ray_sound p u values ray : check_ray p u values ray = true -> minimum_at_most p MinusInfinity.
Proof.
  unfold check_ray. intros H. apply andb_prop in H as [H R]. apply andb_prop in H as [H L].
  apply andb_prop in H as [F D]. apply Nat.eqb_eq in L. apply Z.ltb_lt in R.
  apply check_feasible_sound in F as [_ F]. apply check_feasible_sound in D as [Ld D].
  assert (length ray = length (bounds p)) as Lr by (rewrite Ld; apply map_length).
  set (x := point_of u values) in *. set (d := point_of 1 ray) in *.
  assert (objective_at p d < 0)%Q as N.
  { unfold d. rewrite objective_point by congruence. unfold Qlt. cbn. lia. }
  intros v. destruct (Qlt_le_dec v (objective_at p x)) as [B|B].
  - set (t := ((objective_at p x - v) / (- objective_at p d))%Q).
    assert (t * (- objective_at p d) == objective_at p x - v)%Q as E by (unfold t; field; lra).
    assert (0 <= t)%Q as T by (apply Qle_shift_div_l; lra).
    exists (fun j => x j + t * d j)%Q. split; [apply feasible_line; assumption|]. rewrite objective_line. lra.
  - exists x. split; assumption.
Qed.

(* ---- from below: prices of constraints, taken from the form, and the ends of what is left ---- *)

Definition right_sign (price : Z) (r : relation) : bool :=
  match r with AtMost => price <=? 0 | Equal => true | AtLeast => 0 <=? price end.
Definition take (price : Z) (terms : list (nat * Z)) (m : array) : array :=
  fold_left (fun m t => put m (fst t) (get m (fst t) - price * snd t)) terms m.
Fixpoint pay (n : nat) (prices : list Z) (l : list (list (nat * Z) * relation * Z)) (m : array) (total : Z)
  : option (array * Z) :=
  match prices, l with
  | [], [] => Some (m, total)
  | price :: prices', (terms, r, b) :: l' =>
      if right_sign price r && forallb (fun t => (fst t <? n)%nat) terms
      then pay n prices' l' (if price =? 0 then m else take price terms m) (total + price * b) else None
  | _, _ => None
  end.
Fixpoint settle (m : array) (j : nat) (l : list (option Q * option Q)) (total : Q) : option Q :=
  match l with
  | [] => Some total
  | (low, high) :: l' =>
      let c := get m j in
      if c =? 0 then settle m (S j) l' total
      else match (if 0 <? c then low else high) with
           | Some e => settle m (S j) l' (total + inject_Z c * e)
           | None => None
           end
  end.
(* what a form of so many coefficients is at least *)
Definition weak_duality (p : program) (form : list Z) (prices : list Z) : option Q :=
  if (length form =? length (bounds p))%nat then
    match pay (length form) prices (constraints p) (array_of form) 0 with
    | Some (m, total) => settle m 0 (bounds p) (inject_Z total)
    | None => None
    end
  else None.

Definition worth n (m : array) (x : nat -> Q) : Q := sum n (fun j => inject_Z (get m j) * x j)%Q.

Lemma sum_one n j (g : nat -> Q) : (j < n)%nat ->
  (sum n (fun i => if (j =? i)%nat then g i else 0) == g j)%Q.
Proof.
  induction n as [|n IH]; [lia|]. intros Hj. cbn [sum]. destruct (Nat.eqb_spec j n) as [->|N].
  - rewrite (sum_ext n _ (fun _ => 0%Q)), sum_zero; [ring|]. intros i Hi.
    destruct (Nat.eqb_spec n i); [lia|reflexivity].
  - rewrite IH by lia. ring.
Qed.

Lemma worth_take n price x : forall terms m, forallb (fun t => (fst t <? n)%nat) terms = true ->
  (worth n (take price terms m) x == worth n m x - inject_Z price * combination terms x)%Q.
Proof.
  induction terms as [|[j a] terms IH]; intros m H; [cbn; ring|].
  cbn [forallb fst] in H. apply andb_prop in H as [J H]. apply Nat.ltb_lt in J.
  unfold take in *. cbn [fold_left fst snd]. rewrite (IH _ H).
  unfold combination. cbn [fold_right fst snd]. fold (combination terms x).
  assert (worth n (put m j (get m j - price * a)%Z) x == worth n m x - inject_Z price * (inject_Z a * x j))%Q as E.
  { unfold worth.
    rewrite (sum_ext n _ (fun i => inject_Z (get m i) * x i
      + (if (j =? i)%nat then - (inject_Z price * inject_Z a * x i) else 0%Q))%Q).
    - rewrite sum_plus, (sum_one n j (fun i => - (inject_Z price * inject_Z a * x i))%Q) by exact J. ring.
    - intros i _. rewrite get_put. destruct (Nat.eqb_spec j i) as [->|_]; [|ring].
      unfold Zminus. rewrite inject_Z_plus, inject_Z_opp, inject_Z_mult. ring. }
  rewrite E. ring.
Qed.

Lemma pay_sound n x : forall prices l m total m' total',
  pay n prices l m total = Some (m', total') ->
  (forall terms r b, In (terms, r, b) l -> stands r (combination terms x) (inject_Z b)) ->
  (inject_Z total' - inject_Z total + worth n m' x <= worth n m x)%Q.
Proof.
  induction prices as [|price prices IH]; intros [|[[terms r] b] l] m total m' total' E H; try discriminate E.
  - injection E as <- <-. lra.
  - cbn [pay] in E. destruct (right_sign price r) eqn:R; [|discriminate E].
    destruct (forallb (fun t => (fst t <? n)%nat) terms) eqn:T; [|discriminate E]. cbn [andb] in E.
    apply IH in E; [|intros; apply H; right; assumption].
    specialize (H terms r b (or_introl eq_refl)).
    assert (worth n (if price =? 0 then m else take price terms m) x
            == worth n m x - inject_Z price * combination terms x)%Q as W.
    { destruct (Z.eqb_spec price 0) as [->|_]; [|apply worth_take, T]. change (inject_Z 0) with 0%Q. ring. }
    rewrite W in E. rewrite inject_Z_plus, inject_Z_mult in E.
    assert (inject_Z price * inject_Z b <= inject_Z price * combination terms x)%Q as P; [|lra].
    destruct r; cbn [right_sign stands] in *.
    + apply Z.leb_le in R. rewrite Zle_Qle in R. change (inject_Z 0) with 0%Q in R. nra.
    + rewrite H. apply Qle_refl.
    + apply Z.leb_le in R. rewrite Zle_Qle in R. change (inject_Z 0) with 0%Q in R. nra.
Qed.

Lemma settle_sound m x : forall l j total t, settle m j l total = Some t ->
  (forall i, (i < length l)%nat -> within (nth i l (None, None)) (x (j + i)%nat)) ->
  (t <= total + sum (length l) (fun i => inject_Z (get m (j + i)) * x (j + i)%nat))%Q.
Proof.
  induction l as [|[low high] l IH]; intros j total t E H.
  - injection E as <-. cbn. lra.
  - cbn [length]. rewrite sum_shift. rewrite Nat.add_0_r.
    pose proof (H O ltac:(cbn; lia)) as H0. rewrite Nat.add_0_r in H0. cbn [nth] in H0.
    assert (forall i, (i < length l)%nat -> within (nth i l (None, None)) (x (S j + i)%nat)) as H1.
    { intros i Hi. specialize (H (S i) ltac:(cbn; lia)). cbn [nth] in H. rewrite Nat.add_succ_r in H. exact H. }
    assert (sum (length l) (fun i => inject_Z (get m (j + S i)) * x (j + S i)%nat)
      == sum (length l) (fun i => inject_Z (get m (S j + i)) * x (S j + i)%nat))%Q as S.
    { apply sum_ext. intros i _. rewrite Nat.add_succ_r. reflexivity. }
    rewrite S. clear S. cbn [settle] in E. unfold within in H0. cbn [fst snd] in H0. destruct H0 as [HL HH].
    destruct (Z.eqb_spec (get m j) 0) as [Z|Z].
    + rewrite Z. apply IH in E; [|exact H1]. change (inject_Z 0) with 0%Q. lra.
    + destruct (Z.ltb_spec 0 (get m j)) as [P|P].
      * destruct low as [e|]; [|discriminate E]. apply IH in E; [|exact H1].
        apply Z.lt_le_incl in P. rewrite Zle_Qle in P. change (inject_Z 0) with 0%Q in P. nra.
      * destruct high as [e|]; [|discriminate E]. apply IH in E; [|exact H1].
        rewrite Zle_Qle in P. change (inject_Z 0) with 0%Q in P. nra.
Qed.

Lemma weak_duality_sound p form prices t x : weak_duality p form prices = Some t -> feasible p x ->
  (t <= sum (length form) (fun j => inject_Z (nth j form 0%Z) * x j))%Q.
Proof.
  unfold weak_duality. destruct (Nat.eqb_spec (length form) (length (bounds p))) as [L|]; [|discriminate].
  destruct (pay _ _ _ _ _) as [[m total]|] eqn:P; [|discriminate]. intros E [B C].
  apply (pay_sound _ x) in P; [|exact C]. apply (settle_sound m x) in E; [|intros i Hi; apply B, Hi].
  cbn [Nat.add] in E. rewrite <- L in E. fold (worth (length form) m x) in E.
  assert (worth (length form) (array_of form) x
    == sum (length form) (fun j => inject_Z (nth j form 0%Z) * x j))%Q as W.
  { apply sum_ext. intros j _. rewrite get_array_of. reflexivity. }
  rewrite W in P. change (inject_Z 0) with 0%Q in P. lra.
Qed.

Definition check_prices (p : program) (u : positive) (prices : list Z) (v : Q) : bool :=
  match weak_duality p (map (fun c => c * Zpos u) (objective p)) prices with
  | Some t => Qeq_bool t (v * inject_Z (Zpos (u * scale p)))
  | None => false
  end.
Definition check_contradiction (p : program) (weights : list Z) : bool :=
  match weak_duality p (map (fun _ => 0) (objective p)) weights with
  | Some t => negb (Qle_bool t 0)
  | None => false
  end.

Theorem check_prices_sound p u prices v : check_prices p u prices v = true -> minimum_at_least p (Finite v).
Proof.
  unfold check_prices. destruct (weak_duality _ _ _) as [t|] eqn:W; [|discriminate]. intros V x F.
  apply Qeq_bool_eq in V. apply (weak_duality_sound _ _ _ _ x) in W; [|exact F]. rewrite map_length in W.
  rewrite (sum_ext _ _ (fun j => inject_Z (Zpos u) * (inject_Z (nth j (objective p) 0%Z) * x j))%Q) in W.
  - rewrite sum_scale, V, Pos2Z.inj_mul, inject_Z_mult in W. unfold objective_at.
    pose proof (unit_pos u). pose proof (unit_pos (scale p)).
    apply Qle_shift_div_l; [assumption|]. apply (Qmult_le_l _ _ (inject_Z (Zpos u))); [assumption|]. lra.
  - intros j _. pose proof (map_nth (fun c => c * Zpos u) (objective p) 0 j) as N. cbv beta in N.
    change (0 * Zpos u) with 0 in N. rewrite N, inject_Z_mult. ring.
Qed.

Theorem check_contradiction_sound p weights :
  check_contradiction p weights = true -> minimum_at_least p Infinity.
Proof.
  unfold check_contradiction. destruct (weak_duality _ _ _) as [t|] eqn:W; [|discriminate]. intros V x F.
  apply negb_true_iff in V. apply (weak_duality_sound _ _ _ _ x) in W; [|exact F].
  rewrite (sum_ext _ _ (fun _ => 0%Q)), sum_zero in W.
  - apply Qle_bool_iff in W. congruence.
  - intros j _. pose proof (map_nth (fun _ => 0) (objective p) 0 j) as N. cbv beta in N. rewrite N.
    change (inject_Z 0) with 0%Q. ring.
Qed.

(* ---- certificates ---- *)

Definition relation_of (j : json) : option relation :=
  if is_text "<=" j then Some AtMost else if is_text "=" j then Some Equal
  else if is_text ">=" j then Some AtLeast else None.
Definition term_of (n : nat) (j : json) : option (nat * Z) :=
  match j with
  | Array [i; a] => let* i := index n i in let* a := integer a in Some (i, a)
  | _ => None
  end.
Definition constraint_of (n : nat) (j : json) : option (list (nat * Z) * relation * Z) :=
  match j with
  | Array [t; r; b] => let* t := list_of (term_of n) t in
                       let* r := relation_of r in
                       let* b := integer b in Some (t, r, b)
  | _ => None
  end.
Definition program_of (instance : json) (_ : list json) : option program :=
  match fields ["type"; "unit"; "objective"; "lower"; "upper"; "constraints"]%string instance with
  | Some [t; u; o; l; h; c] =>
      let* u := positive_integer u in
      let* o := list_of integer o in
      let* l := list_of (optional fraction) l in
      let* h := list_of (optional fraction) h in
      let* c := list_of (constraint_of (length o)) c in
      given (is_text "linear program" t && (length l =? length o)%nat && (length h =? length o)%nat)
            (Some (Program u o (combine l h) c))
  | _ => None
  end.
Definition extended_of (j : json) : option extended :=
  if is_text "infinity" j then Some Infinity else if is_text "-infinity" j then Some MinusInfinity
  else match fraction j with Some v => Some (Finite v) | None => None end.

Definition priced (p : program) (e : extended) (name : string) (data : json) : bool :=
  if String.eqb name "prices" then
    match fields ["unit"; "prices"]%string data, e with
    | Some [u; l], Finite v => match positive_integer u, list_of integer l with
                               | Some u, Some l => check_prices p u l v
                               | _, _ => false
                               end
    | _, _ => false
    end
  else if String.eqb name "contradiction" then
    match fields ["weights"]%string data, e with
    | Some [l], Infinity => match list_of integer l with Some l => check_contradiction p l | None => false end
    | _, _ => false
    end
  else false.
Definition attained (p : program) (e : extended) (name : string) (data : json) : bool :=
  if String.eqb name "point" then
    match fields ["unit"; "values"]%string data, e with
    | Some [u; l], Finite v => match positive_integer u, list_of integer l with
                               | Some u, Some l => check_point p u l v
                               | _, _ => false
                               end
    | _, _ => false
    end
  else if String.eqb name "ray" then
    match fields ["unit"; "values"; "ray"]%string data, e with
    | Some [u; l; d], MinusInfinity =>
        match positive_integer u, list_of integer l, list_of integer d with
        | Some u, Some l, Some d => check_ray p u l d
        | _, _, _ => false
        end
    | _, _ => false
    end
  else false.

Definition linear_program : kind.
Proof.
  refine {|
    title := "linear_program"; parameters := [];
    ask := program_of; number := extended_of; lower := priced; upper := attained;
    lower_means := minimum_at_least; upper_means := minimum_at_most
  |}.
  - intros p e name data H. unfold priced in H.
    repeat match type of H with
    | (if ?b then _ else _) = true => destruct b
    | match ?a with _ => _ end = true => destruct a; try discriminate H
    end; try discriminate H; eauto using check_prices_sound, check_contradiction_sound.
  - intros p e name data H. unfold attained in H.
    repeat match type of H with
    | (if ?b then _ else _) = true => destruct b
    | match ?a with _ => _ end = true => destruct a; try discriminate H
    end; try discriminate H; eauto using check_point_sound, check_ray_sound.
Defined.
