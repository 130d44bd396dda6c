(* What k messages cannot do without public coins: each message is left out on some input, and laws and
   answers are cut until inputs err. *)
From Coq Require Import ZArith QArith Lia Lqa Bool List.
From CCSim Require Import Definitions Sums Mixture Arrays OneWay Cases RandomClasses Families LawBounds Determinants Corners
  Orders Radon Boxes Relations Dependencies Json PartitionBounds SymmetricProtocols LeavingOut Starts.
From CCSim Require Tables Subsets.
Import ListNotations.
Local Open Scope Q_scope.

(* vertices of the laws of some inputs; what answers 1 lie between, for each input of Bob and message *)
Notation law_case := (list (list vertex) * list (Z * Z))%type.
Inductive law_node :=
| Begin | HalveLaw (i s t : nat) | CutAnswer (q : nat) (c : Z) | WeighInputs (weights : list Z)
| RelateLaws (relations : list relation_of).

Lemma Forall2_flip {A B} (R : A -> B -> Prop) l l' : Forall2 R l l' -> Forall2 (fun b a => R a b) l' l.
Proof. induction 1; constructor; assumption. Qed.

Section Tree.
Variables (n m k : nat) (f : problem) (unit : positive) (xs : list nat) (ts : list (list nat)).

Definition start_of (c : list nat) : law_case :=
  (map (fun i => map (corner k unit) (filter (fun j => negb (nth j c O =? i)%nat) (seq 0 k))) (seq 0 (length xs)),
   repeat (0%Z, Zpos unit) (m * k)).

(* ---- a leaf: weighted inputs err, whichever vertices and ends are taken ---- *)

Definition sign_of x y (w : Z) : Z := match f x y with Some true => (- w)%Z | Some false => w | None => 0%Z end.
Definition signed_row x (row : list Z) : list Z := map (fun y => sign_of x y (nth y row 0%Z)) (seq 0 m).
Definition ones_in x (row : list Z) : Z :=
  total (map (fun y => match f x y with Some true => nth y row 0%Z | _ => 0%Z end) (seq 0 m)).
Definition weight_in (row : list Z) : Z := total (map (fun y => nth y row 0%Z) (seq 0 m)).
Definition right_row x (row : list Z) : bool :=
  forallb (fun y => (0 <=? nth y row 0)%Z && match f x y with None => (nth y row 0 =? 0)%Z | _ => true end) (seq 0 m).
Fixpoint parts_of (r : nat) (l : list Z) : list (list Z) :=
  match r with O => [] | S r' => firstn m l :: parts_of r' (skipn m l) end.

(* slopes of the error in the answers, for a choice of a vertex for each input *)
Definition outer (s : list Z) (v : vertex) : list Z := flat_map (fun a => map (Z.mul a) v) s.
Definition options (s : list Z) (side : list vertex) : list (list Z) :=
  if forallb (Z.eqb 0) s then [[]] else map (outer s) side.
Definition slopes_of (l : list (list (list Z))) : list (list Z) :=
  fold_right (fun o found => flat_map (fun a => map (plus_z a) found) o) [[]] l.

Notation weighted_input := (nat * list Z * list vertex)%type.
Definition options_of (p : weighted_input) := let '(x, row, side) := p in options (signed_row x row) side.
Definition weigh_bound (case : law_case) (weights : list Z) : option Q :=
  let (laws, answers) := case in
  let listed := combine (combine xs (parts_of (length xs) weights)) laws in
  let os := map options_of listed in
  let weight := fold_right (fun (p : weighted_input) s => (weight_in (snd (fst p)) + s)%Z) 0%Z listed in
  if (length weights =? length xs * m)%nat
     && forallb (fun p : weighted_input => let '(x, row, side) := p in
          right_row x row && forallb (fun v => length v =? k)%nat side) listed
     && (number_of_choices os <=? 65536)%N
  then
    let slopes := slopes_of os in
    let ones := fold_right (fun (p : weighted_input) s => (ones_in (fst (fst p)) (snd (fst p)) + s)%Z) 0%Z listed in
    if forallb (fun s => length s =? length answers)%nat slopes then
      match weight with
      | Zpos d => Some ((lowest (map (fun s => tilt 0 s answers) slopes) + ones * Zpos (unit * unit))%Z # (d * (unit *
        unit)))
      | _ => None
      end
    else None
  else None.

(* ---- a leaf: relations, with an input for each message on which it is always sent ---- *)

Definition with_messages : problem := fun z y => if (z <? n)%nat then f z y else None.
Definition after_inputs (v : vertex) : vertex := repeat 0%Z n ++ v.
Definition law_dependencies (laws : list (list vertex)) : list dependency :=
  map (fun p => ([corner (n + k) unit (fst p)], map after_inputs (snd p))) (combine xs laws).

Definition law_split (a : law_node) (case : option law_case) : option (list (option law_case) * list Q) :=
  match a, case with
  | Begin, None => Some (map (fun c => Some (start_of c)) (start_cases (length xs) k ts), [])
  | HalveLaw i s t, Some (laws, answers) =>
      match nth_error laws i with
      | Some side => match halves side s t with
          | Some parts => Some (map (fun part => Some (update laws i part, answers)) parts, [])
          | None => None
          end
      | None => None
      end
  | CutAnswer q c, Some (laws, answers) =>
      match nth_error answers q with
      | Some (a, b) => if (a <? c)%Z && (c <? b)%Z
                       then Some (map (fun ends => Some (laws, update answers q ends)) [(a, c); (c, b)], []) else None
      | None => None
      end
  | WeighInputs weights, Some case => match weigh_bound case weights with Some v => Some ([], [v]) | None => None end
  | RelateLaws rs, Some (laws, _) =>
      match related_bound (n + k) m with_messages (law_dependencies laws) rs with
      | Some v => Some ([], [v])
      | None => None
      end
  | _, _ => None
  end.

Section Sound.
Variables (P : protocol) (e : Q).
Hypothesis played : plays m k f e xs P.
Hypothesis inputs_below : forall x, In x xs -> (x < n)%nat.
Hypothesis some_input : (0 < length xs)%nat.
Hypothesis m0 : (0 < m)%nat.
Hypothesis k0 : (0 < k)%nat.
Notation U := (inject_Z (Zpos unit)).

Definition answer_at (q : nat) : Q := U * bob P (q mod k) (q / k).
Definition sent_at (x : nat) : vector := fun j => U * alice P x j.
Definition encloses (case : law_case) := Forall2 (fun x side => mixed k side (sent_at x)) xs (fst case) /\
  length (snd case) = (m * k)%nat /\
  forall q, (q < m * k)%nat ->
    inject_Z (fst (nth q (snd case) no_ends)) <= answer_at q <= inject_Z (snd (nth q (snd case) no_ends)).

Lemma U_pos : 0 < U.
Proof. reflexivity. Qed.
Lemma answer_at_key y j : (j < k)%nat -> answer_at (y * k + j) == U * bob P j y.
Proof.
  intros H. unfold answer_at. rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia.
  rewrite Nat.div_add, Nat.div_small by lia. reflexivity.
Qed.
Lemma answer_at_chance q : (q < m * k)%nat -> 0 <= answer_at q <= U.
Proof.
  intros H. destruct played as [_ [B _]]. pose proof U_pos. unfold answer_at.
  assert (q mod k < k)%nat as Hj by (apply Nat.mod_upper_bound; lia).
  assert (q / k < m)%nat as Hy by (apply Nat.div_lt_upper_bound; lia).
  specialize (B _ _ Hj Hy). split; nra.
Qed.

Lemma Forall2_seq {A} (R : nat -> A -> Prop) g : forall l a, (forall i, (i < length l)%nat -> R (nth i l O) (g (a +
  i)%nat)) ->
  Forall2 R l (map g (seq a (length l))).
Proof.
  induction l as [|x l IH]; intros a H; cbn [length seq map]; constructor.
  - specialize (H O ltac:(cbn; lia)). rewrite Nat.add_0_r in H. exact H.
  - apply IH. intros i Hi. specialize (H (S i) ltac:(cbn; lia)). rewrite Nat.add_succ_r in H. exact H.
Qed.

Lemma start_encloses c : left_out k xs P c -> encloses (start_of c).
Proof.
  intros [L [_ Z]]. destruct played as [A _]. split; [|split].
  - unfold start_of. cbn [fst]. apply Forall2_seq. intros i Hi. cbn [Nat.add].
    set (x := nth i xs O). destruct (A x) as [A0 A1]; [apply nth_In, Hi|].
    set (q := fun j => negb (nth j c O =? i)%nat).
    assert (forall j, (j < k)%nat -> q j = false -> alice P x j == 0) as Zj.
    { intros j Hj Q. unfold q in Q. apply negb_false_iff, Nat.eqb_eq in Q. specialize (Z j Hj). rewrite Q in Z. exact
      Z. }
    exists (map (fun j => (alice P x j, corner k unit j)) (filter q (seq 0 k))). split; [|split].
    + intros p J. apply in_map_iff in J as [j [<- J]]. cbn [fst snd]. split; [|apply in_map, J].
      apply filter_In in J as [J _]. apply in_seq in J. apply A0. lia.
    + rewrite sum_over_map. cbn [fst]. rewrite (sum_over_chosen q k _ Zj). exact A1.
    + intros j Hj. unfold weighted. rewrite sum_over_map. cbn [fst snd].
      rewrite (sum_over_chosen q k (fun t => alice P x t * at_place (corner k unit t) j)).
      * rewrite (sum_ext k _ (fun t => chance (j =? t)%nat * (U * alice P x t))).
        -- rewrite (sum_single k j (fun t => U * alice P x t) Hj). reflexivity.
        -- intros t Ht. rewrite corner_at by exact Hj. rewrite Nat.eqb_sym. ring.
      * intros t Ht Q. rewrite (Zj t Ht Q). ring.
  - cbn [start_of snd]. apply repeat_length.
  - intros q Hq. cbn [start_of snd]. rewrite (nth_repeated _ _ _ _ Hq). cbn [fst snd]. apply answer_at_chance, Hq.
Qed.

(* ---- weights ---- *)

Definition gained (s : list Z) (a : vector) : Q :=
  sum m (fun y => inject_Z (nth y s 0%Z) * sum k (fun j => a j * answer_at (y * k + j))).
Definition on_answers (s : vertex) : Q := sum (m * k) (fun q => at_place s q * answer_at q).

Lemma gained_dot s a : gained s a
  == dot_product k (fun j => sum m (fun y => inject_Z (nth y s 0%Z) * answer_at (y * k + j))) a.
Proof.
  unfold gained, dot_product.
  rewrite (sum_ext m _ (fun y => sum k (fun j => a j * (inject_Z (nth y s 0%Z) * answer_at (y * k + j)))))
    by (intros; rewrite <- sum_scale; apply sum_ext; intros; ring).
  rewrite sum_swap. apply sum_ext. intros j _. rewrite Qmult_comm, <- sum_scale. reflexivity.
Qed.
Lemma outer_sum v : length v = k -> forall s (g : nat -> Q),
  sum (length s * k) (fun q => at_place (outer s v) q * g q)
  == sum (length s) (fun y => inject_Z (nth y s 0%Z) * sum k (fun j => at_place v j * g (y * k + j)%nat)).
Proof.
  intros L. induction s as [|a s IH]; intros g; [reflexivity|].
  cbn [length Nat.mul outer flat_map]. fold (outer s v). rewrite sum_split, sum_shift. apply Qplus_comp.
  - cbn [nth Nat.mul Nat.add]. rewrite <- sum_scale. apply sum_ext. intros q Hq. unfold at_place.
    rewrite app_nth1 by (rewrite map_length; lia). replace 0%Z with (a * 0)%Z at 1 by lia.
    rewrite (map_nth (Z.mul a)), inject_Z_mult. ring.
  - cbn [nth]. rewrite <- (sum_ext (length s) (fun y => inject_Z (nth y s 0%Z) * sum k (fun j => at_place v j * g (k +
    (y * k + j))%nat))).
    + rewrite <- (IH (fun q => g (k + q)%nat)). apply sum_ext. intros q Hq. unfold at_place.
      rewrite app_nth2 by (rewrite map_length; lia). rewrite map_length, L. replace (k + q - k)%nat with q by lia.
        reflexivity.
    + intros y _. apply Qmult_comp; [reflexivity|]. apply sum_ext. intros j _.
      replace (S y * k + j)%nat with (k + (y * k + j))%nat by (cbn; lia). reflexivity.
Qed.

Lemma signed_row_length x row : length (signed_row x row) = m.
Proof. unfold signed_row. rewrite map_length. apply seq_length. Qed.
Lemma signed_row_nth x row y : (y < m)%nat -> nth y (signed_row x row) 0%Z = sign_of x y (nth y row 0%Z).
Proof. intros H. unfold signed_row. apply nth_map_seq with (g := fun y => sign_of x y (nth y row 0%Z)), H. Qed.

Lemma some_option x row side : mixed k side (sent_at x) -> forallb (fun v => length v =? k)%nat side = true ->
  exists o, In o (options (signed_row x row) side) /\ on_answers o <= gained (signed_row x row) (sent_at x).
Proof.
  intros M L. rewrite forallb_forall in L. set (s := signed_row x row). unfold options.
  destruct (forallb (Z.eqb 0) s) eqn:Zs.
  - exists []. split; [left; reflexivity|]. unfold on_answers, gained.
    rewrite (sum_ext (m * k) _ (fun _ => 0)), sum_zero.
    + apply Qle_lteq. right. symmetry. rewrite (sum_ext m _ (fun _ => 0)); [apply sum_zero|]. intros y Hy.
      rewrite forallb_forall in Zs. specialize (Zs (nth y s 0%Z)).
      rewrite <- (proj1 (Z.eqb_eq _ _) (Zs ltac:(apply nth_In; unfold s; rewrite signed_row_length; exact Hy))).
      change (inject_Z 0) with 0. ring.
    + intros q _. unfold at_place. destruct q; cbn [nth]; change (inject_Z 0) with 0; ring.
  - destruct (mixed_least k side (sent_at x) (fun j => sum m (fun y => inject_Z (nth y s 0%Z) * answer_at (y * k +
    j))) M)
      as [v [V G]].
    exists (outer s v). split; [apply in_map, V|]. rewrite <- !gained_dot in G. eapply Qle_trans; [|exact G].
    apply Qle_lteq. right. unfold on_answers, gained. specialize (L v V). apply Nat.eqb_eq in L.
    pose proof (outer_sum v L s answer_at) as E. unfold s in E at 1 3. rewrite signed_row_length in E. exact E.
Qed.

Lemma on_answers_plus a b : on_answers (plus_z a b) == on_answers a + on_answers b.
Proof.
  unfold on_answers. rewrite <- sum_plus. apply sum_ext. intros q _. rewrite plus_z_at. ring.
Qed.
Lemma some_slope {A} (o : A -> list (list Z)) (V : A -> Q) : forall l,
  (forall a, In a l -> exists s, In s (o a) /\ on_answers s <= V a) ->
  exists s, In s (slopes_of (map o l)) /\ on_answers s <= sum_over l V.
Proof.
  unfold sum_over. induction l as [|a l IH]; intros H.
  - exists []. split; [left; reflexivity|]. cbn [fold_right]. unfold on_answers.
    rewrite (sum_ext _ _ (fun _ => 0)), sum_zero; [apply Qle_refl|].
    intros q _. unfold at_place. destruct q; cbn [nth]; change (inject_Z 0) with 0; ring.
  - destruct (H a (in_eq _ _)) as [s [S1 S2]]. destruct (IH (fun b J => H b (in_cons _ _ _ J))) as [r [R1 R2]].
    exists (plus_z s r). split.
    + unfold slopes_of. cbn [map fold_right]. apply in_flat_map. exists s. split; [exact S1|]. apply in_map, R1.
    + rewrite on_answers_plus. cbn [fold_right]. lra.
Qed.

Lemma total_seq (g : nat -> Z) a : inject_Z (total (map g (seq 0 a))) == sum a (fun y => inject_Z (g y)).
Proof.
  rewrite <- sum_total, map_length, seq_length. apply sum_ext. intros y Hy. rewrite nth_map_seq by exact Hy.
    reflexivity.
Qed.

Lemma row_errs x row : In x xs -> right_row x row = true ->
  inject_Z (ones_in x row) * (U * U) + gained (signed_row x row) (sent_at x) <= U * U * e * inject_Z (weight_in row).
Proof.
  intros Hx R. destruct played as [A [B E]]. unfold right_row in R. rewrite forallb_forall in R.
  unfold ones_in, weight_in. rewrite !total_seq. unfold gained. pose proof U_pos as PU.
  rewrite (Qmult_comm _ (U * U)), <- !sum_scale, <- sum_plus. apply sum_le. intros y Hy.
  rewrite signed_row_nth by exact Hy. specialize (R y ltac:(apply in_seq; lia)). apply andb_prop in R as [W D].
  apply Z.leb_le in W. set (w := nth y row 0%Z) in *.
  assert (0 <= inject_Z w) as W' by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact W).
  assert (sum k (fun j => sent_at x j * answer_at (y * k + j)) == U * U * answer_one k P x y) as S.
  { unfold answer_one. rewrite <- sum_scale. apply sum_ext. intros j Hj. rewrite answer_at_key by exact Hj.
    unfold sent_at. ring. }
  rewrite S. specialize (E x y Hx Hy). rewrite answer_one_error in E by apply A, Hx. unfold sign_of.
  assert (0 <= U * U * inject_Z w) as Pw by (apply Qmult_le_0_compat; [apply Qmult_le_0_compat; lra|exact W']).
  destruct (f x y) as [[|]|].
  - rewrite inject_Z_opp. pose proof (times_le _ _ _ Pw E). lra.
  - change (inject_Z 0) with 0. pose proof (times_le _ _ _ Pw E). lra.
  - apply Z.eqb_eq in D. rewrite D. change (inject_Z 0) with 0. lra.
Qed.

Lemma listed_mixed R : forall (l : list nat) (laws : list (list vertex)), Forall2 R l laws -> forall rows (p :
  weighted_input),
  In p (combine (combine l rows) laws) -> In (fst (fst p)) l /\ R (fst (fst p)) (snd p).
Proof.
  induction 1 as [|x side l laws H F IH]; intros [|row rows] p I; try (destruct I).
  - subst p. cbn [fst snd]. split; [apply in_eq|exact H].
  - destruct (IH rows p H0) as [J K]. split; [apply in_cons, J|exact K].
Qed.

Lemma weigh_bound_sound case weights v : encloses case -> weigh_bound case weights = Some v -> v <= e.
Proof.
  destruct case as [laws answers]. intros [M [L B]] H. cbn [fst snd] in M, L, B. unfold weigh_bound in H.
  set (listed := combine _ laws) in H.
  match type of H with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate H] end.
  apply andb_prop in C as [C _]. apply andb_prop in C as [_ C]. rewrite forallb_forall in C.
  set (slopes := slopes_of (map options_of listed)) in H. destruct (forallb _ slopes) eqn:Ls; [|discriminate H].
  rewrite forallb_forall in Ls.
  assert (forall p, In p listed -> In (fst (fst p)) xs /\ mixed k (snd p) (sent_at (fst (fst p)))) as Lm
    by (intros p I; exact (listed_mixed _ xs laws M _ p I)).
  set (V := fun p : weighted_input => gained (signed_row (fst (fst p)) (snd (fst p))) (sent_at (fst (fst p)))).
  destruct (some_slope options_of V listed) as [s [Is Gs]].
  { intros [[x row] side] I. destruct (Lm _ I) as [_ Mx]. specialize (C _ I). cbv beta in C. apply andb_prop in C as
    [_ C].
    exact (some_option x row side Mx C). }
  fold slopes in Is. specialize (Ls s Is). apply Nat.eqb_eq in Ls.
  pose proof (tilt_spec 0 s answers answer_at Ls) as T. rewrite L in T. specialize (T B).
  rewrite (sum_ext (m * k) _ (fun q => at_place s q * answer_at q)) in T
    by (intros; unfold at_place; rewrite Z.sub_0_r; reflexivity). fold (on_answers s) in T.
  assert (inject_Z (lowest (map (fun s => tilt 0 s answers) slopes)) <= inject_Z (tilt 0 s answers)) as Lo
    by (rewrite <- Zle_Qle; apply lowest_spec, in_map_iff; exists s; auto).
  set (low := lowest _) in *. set (weight := fold_right _ _ listed) in H. set (ones := fold_right _ _ listed) in H.
  assert (inject_Z ones * (U * U) + sum_over listed V <= U * U * e * inject_Z weight) as Er.
  { unfold ones, weight, sum_over. clear - C Lm played inputs_below some_input m0 k0. revert C Lm. induction listed as
    [|p l IH]; intros C Lm.
    - cbn [fold_right]. change (inject_Z 0) with 0. lra.
    - cbn [fold_right]. rewrite !inject_Z_plus. destruct p as [[x row] side].
      destruct (Lm _ (in_eq _ _)) as [Hx _]. pose proof (C _ (in_eq _ _)) as R. cbv beta in R. apply andb_prop in R as
        [R _].
      pose proof (row_errs x row Hx R) as Row. unfold V at 1. cbn [fst snd].
      specialize (IH (fun p J => C p (in_cons _ _ _ J)) (fun p J => Lm p (in_cons _ _ _ J))). lra. }
  destruct weight as [|d|]; try discriminate H. injection H as <-. rewrite Qmake_Qdiv.
  apply Qle_shift_div_r; [reflexivity|]. rewrite !Pos2Z.inj_mul, inject_Z_plus, !inject_Z_mult. lra.
Qed.

(* ---- relations ---- *)

Definition one_with_messages z y : Q :=
  if (z <? n)%nat then
    (if in_dec Nat.eq_dec z xs then answer_one k P z y else match f z y with Some true => 1 | _ => 0 end)
  else bob P (z - n) y.
Definition law_after x : vector := fun z => if (z <? n)%nat then 0 else sent_at x (z - n)%nat.
Definition law_vector x : vector := fun z => at_place (corner (n + k) unit x) z - law_after x z.

Lemma law_vectors laws : Forall2 (fun x side => mixed k side (sent_at x)) xs laws ->
  Forall2 (differs (n + k)) (law_dependencies laws) (map law_vector xs).
Proof.
  unfold law_dependencies. clear. induction 1 as [|x side l laws [w [V [S E]]] F IH]; [constructor|].
  cbn [combine map]. constructor; [|exact IH]. exists (at_place (corner (n + k) unit x)), (law_after x). cbn [fst snd].
  split; [|split; [|reflexivity]].
  - exists [(1, corner (n + k) unit x)]. split; [intros t [<-|[]]; cbn [fst snd]; split; [lra|left; reflexivity]|].
    split; [reflexivity|]. intros z _. unfold weighted, sum_over. cbn [fold_right fst snd]. ring.
  - exists (map (fun t => (fst t, after_inputs (snd t))) w). split; [|split].
    + intros t I. apply in_map_iff in I as [u [<- I]]. cbn [fst snd]. split; [apply V, I|apply in_map, V, I].
    + rewrite sum_over_map. cbn [fst]. exact S.
    + intros z Hz. unfold weighted. rewrite sum_over_map. cbn [fst snd]. unfold law_after.
      destruct (Nat.ltb_spec z n) as [G|G].
      * rewrite (sum_over_ext w _ (fun _ => 0)).
        -- rewrite sum_over_const. ring.
        -- intros t _. unfold at_place, after_inputs. rewrite app_nth1 by (rewrite repeat_length; exact G).
           rewrite (nth_repeated _ _ _ _ G). change (inject_Z 0) with 0. ring.
      * rewrite (E (z - n)%nat) by lia. apply sum_over_ext. intros t _. unfold at_place, after_inputs.
        rewrite app_nth2 by (rewrite repeat_length; exact G). rewrite repeat_length. reflexivity.
Qed.

Lemma law_vector_vanishes x y : In x xs -> (y < m)%nat ->
  sum (n + k) (fun z => law_vector x z * one_with_messages z y) == 0.
Proof.
  intros Hx Hy. pose proof (inputs_below x Hx) as Bx. unfold law_vector.
  rewrite (sum_ext (n + k) _ (fun z => at_place (corner (n + k) unit x) z * one_with_messages z y
    + - (1) * (law_after x z * one_with_messages z y))) by (intros; ring).
  rewrite sum_plus, sum_scale, (corner_sum (n + k) unit x (fun z => one_with_messages z y)) by lia.
  rewrite (sum_split n k (fun z => law_after x z * one_with_messages z y)).
  rewrite (sum_ext n _ (fun _ => 0)), sum_zero.
  - rewrite (sum_ext k _ (fun j => U * (alice P x j * bob P j y))).
    + rewrite sum_scale. unfold one_with_messages. replace (x <? n)%nat with true by (symmetry; apply Nat.ltb_lt, Bx).
      destruct (in_dec Nat.eq_dec x xs); [|contradiction]. unfold answer_one. ring.
    + intros j Hj. unfold law_after, one_with_messages, sent_at.
      replace (n + j <? n)%nat with false by (symmetry; apply Nat.ltb_ge; lia).
      replace (n + j - n)%nat with j by lia. ring.
  - intros z Hz. unfold law_after. replace (z <? n)%nat with true by (symmetry; apply Nat.ltb_lt, Hz). ring.
Qed.

Lemma relate_sound laws rs v : Forall2 (fun x side => mixed k side (sent_at x)) xs laws ->
  related_bound (n + k) m with_messages (law_dependencies laws) rs = Some v -> v <= e.
Proof.
  intros M H. pose proof played as [A [B E]].
  assert (forall x y, In x xs -> (y < m)%nat -> 0 <= answer_one k P x y <= 1) as C
    by (intros x y Hx Hy; apply answer_one_chance; [apply A, Hx|intros j Hj; apply B; assumption]).
  apply (related_sound (n + k) m with_messages one_with_messages e)
    with (deps := law_dependencies laws) (rs := rs) (C := map law_vector xs).
  - set (x := nth 0 xs O). assert (In x xs) as Hx by (apply nth_In; lia).
    specialize (E x O Hx m0). specialize (C x O Hx m0). rewrite answer_one_error in E by apply A, Hx.
    destruct (f x O) as [[|]|]; lra.
  - intros z y Hz Hy. unfold one_with_messages. destruct (Nat.ltb_spec z n) as [G|G]; [|apply B; [lia|exact Hy]].
    destruct (in_dec Nat.eq_dec z xs) as [I|I]; [apply C; assumption|]. destruct (f z y) as [[|]|]; lra.
  - intros z y Hz Hy. unfold with_messages, one_with_messages. destruct (z <? n)%nat; [|exact I].
    destruct (in_dec Nat.eq_dec z xs) as [J|J].
    + specialize (E z y J Hy). rewrite answer_one_error in E by apply A, J. destruct (f z y) as [[|]|]; [exact E|exact
      E|exact I].
    + assert (0 <= e) as e0.
      { set (x := nth 0 xs O). assert (In x xs) as Hx by (apply nth_In; lia).
        specialize (E x O Hx m0). specialize (C x O Hx m0). rewrite answer_one_error in E by apply A, Hx.
        destruct (f x O) as [[|]|]; lra. }
      destruct (f z y) as [[|]|]; [lra|exact e0|exact I].
  - exact (law_vectors laws M).
  - intros c J y Hy. apply in_map_iff in J as [x [<- J]]. apply law_vector_vanishes; assumption.
  - exact H.
Qed.
End Sound.

Section Walk.
Variable e : Q.
Hypothesis inputs_below : forall x, In x xs -> (x < n)%nat.
Hypothesis some_input : (0 < length xs)%nat.
Hypothesis m0 : (0 < m)%nat.
Hypothesis k0 : (0 < k)%nat.
Hypothesis starts : forall P, plays m k f e xs P ->
  exists c P', In c (start_cases (length xs) k ts) /\ plays m k f e xs P' /\ left_out k xs P' c.

Definition stands_for_some (case : option law_case) := exists P, plays m k f e xs P /\
  match case with Some case => encloses P case | None => True end.

Lemma law_split_sound a case parts bounds : law_split a case = Some (parts, bounds) -> stands_for_some case ->
  (exists part, In part parts /\ stands_for_some part) \/ (exists v, In v bounds /\ v <= e).
Proof.
  intros H [P [Pl En]]. destruct a as [|i s t|q c|weights|rs], case as [[laws answers]|]; try discriminate H;
    cbn [law_split] in H.
  - injection H as <- <-. left. destruct (starts P Pl) as [c [P' [I [Pl' Lo]]]]. exists (Some (start_of c)).
    split; [apply in_map_iff; exists c; auto|]. exists P'. split; [exact Pl'|]. apply (start_encloses P' e);
      assumption.
  - destruct (nth_error laws i) as [side|] eqn:N; [|discriminate H].
    destruct (halves side s t) as [l|] eqn:Hh; [|discriminate H]. injection H as <- <-. left.
    destruct En as [M [L B]]. cbn [fst snd] in M, L, B.
    assert (Forall2 (fun side x => mixed k side (sent_at P x)) laws xs) as M' by (apply Forall2_flip, M).
    destruct (Forall2_update _ _ _ M' _ _ N) as [x [Mx G]].
    destruct (halves_cover k side s t l _ Hh Mx) as [part [I Mp]].
    exists (Some (update laws i part, answers)). split; [apply in_map_iff; exists part; auto|].
    exists P. split; [exact Pl|]. split; [|split; [exact L|exact B]]. cbn [fst]. apply Forall2_flip, G, Mp.
  - destruct (nth_error answers q) as [[a b]|] eqn:N; [|discriminate H].
    destruct ((a <? c)%Z && (c <? b)%Z); [|discriminate H]. injection H as <- <-. left.
    destruct En as [M [L B]]. cbn [fst snd] in M, L, B.
    assert (q < length answers)%nat as Hq by (apply nth_error_Some; congruence).
    apply (nth_error_nth _ _ no_ends) in N.
    pose proof (B q ltac:(lia)) as Bq. rewrite N in Bq. cbn [fst snd] in Bq.
    assert (forall ends, inject_Z (fst ends) <= answer_at P q <= inject_Z (snd ends) ->
      encloses P (laws, update answers q ends)) as G.
    { intros ends Be. split; [exact M|]. cbn [snd]. split; [rewrite update_length; exact L|]. intros r Hr. rewrite
      update_nth.
      destruct (Nat.eqb_spec r q) as [->|Nr]; [|cbn [andb]; apply B, Hr].
      replace (q <? length answers)%nat with true by (symmetry; apply Nat.ltb_lt, Hq). exact Be. }
    destruct (Qlt_le_dec (answer_at P q) (inject_Z c)) as [D|D].
    + exists (Some (laws, update answers q (a, c))). split; [left; reflexivity|]. exists P. split; [exact Pl|].
      apply G. cbn [fst snd]. lra.
    + exists (Some (laws, update answers q (c, b))). split; [right; left; reflexivity|]. exists P. split; [exact Pl|].
      apply G. cbn [fst snd]. lra.
  - destruct (weigh_bound (laws, answers) weights) as [v|] eqn:W; [|discriminate H]. injection H as <- <-. right.
    exists v. split; [left; reflexivity|]. apply (weigh_bound_sound P e) with (case := (laws, answers)) (weights :=
      weights); assumption.
  - destruct (related_bound _ _ _ _ rs) as [v|] eqn:W; [|discriminate H]. injection H as <- <-. right.
    exists v. split; [left; reflexivity|]. destruct En as [M _]. apply (relate_sound P e) with (laws := laws) (rs :=
      rs); assumption.
Qed.
End Walk.
End Tree.

(* ---- positions to which symmetries move the inputs ---- *)

Lemma place_spec x : forall l i, place x l = Some i -> (i < length l)%nat /\ nth i l O = x.
Proof.
  induction l as [|y l IH]; intros i H; [discriminate H|]. cbn [place] in H. destruct (Nat.eqb_spec x y) as [->|N].
  - injection H as <-. split; [cbn; lia|reflexivity].
  - destruct (place x l) as [j|]; [|discriminate H]. injection H as <-. destruct (IH j eq_refl) as [L E].
    split; [cbn; lia|exact E].
Qed.
Lemma places_moves_to xs (s : symmetry) t : places xs (fst (fst s)) = Some t -> moves_to xs s t.
Proof.
  intros H. destruct (Tables.each_nth _ O O _ _ H) as [L N]. split; [exact L|]. intros i Hi.
  specialize (N i Hi). apply place_spec in N. exact N.
Qed.

Section Bound.
Variables (n m : nat) (F : list (list (option bool))) (k : nat) (unit : positive) (xs : list nat) (moves : list
  symmetry).

Definition simplices_bound (nodes : list law_node) : option Q :=
  if (2 <=? k)%nat && (2 <=? length xs)%nat && (0 <? m)%nat && Subsets.no_repeats xs && forallb (fun x => x <? n)%nat xs
     && forallb (check_symmetry n m F) moves && (number_of_climbing (length xs) k <=? 4096)%N
  then
    let* ts := each (fun s : symmetry => places xs (fst (fst s))) moves in
    match walk (law_split n m k (of_table F) unit xs ts) nodes [None] [] with Some l => Some (least_of l) | None =>
      None end
  else None.

Theorem simplices_bound_sound w nodes v e : w <> Public -> simplices_bound nodes = Some v ->
  reached w n m (of_table F) k e -> v <= e.
Proof.
  intros Np C R. unfold simplices_bound in C.
  match type of C with (if ?b then _ else _) = _ => destruct b eqn:G; [|discriminate C] end.
  apply andb_prop in G as [G _]. apply andb_prop in G as [G S]. apply andb_prop in G as [G X]. apply andb_prop in G as
    [G D].
  apply andb_prop in G as [G M0]. apply andb_prop in G as [K2 L2]. apply Nat.leb_le in K2, L2. apply Nat.ltb_lt in M0.
  apply Subsets.no_repeats_spec in D. rewrite forallb_forall in X.
  assert (forall x, In x xs -> (x < n)%nat) as X' by (intros x Hx; apply Nat.ltb_lt, X, Hx).
  destruct (each _ moves) as [ts|] eqn:T; [|discriminate C].
  destruct (walk _ nodes _ _) as [l|] eqn:W; [|discriminate C]. injection C as <-.
  destruct (reached_without_public _ _ _ _ _ _ Np R) as [P [[A B] E]].
  assert (plays m k (of_table F) e xs P) as Pl
    by (split; [intros x Hx; apply A, X', Hx|split; [exact B|intros x y Hx Hy; apply E; [apply X', Hx|exact Hy]]]).
  assert (forall t, In t ts -> exists s, In s moves /\ moves_to xs s t) as Mv.
  { intros t I. destruct (Tables.each_nth _ ([], [], []) [] _ _ T) as [L N].
    apply (In_nth _ _ []) in I as [i [Hi <-]]. rewrite L in Hi. exists (nth i moves ([], [], [])).
    split; [apply nth_In, Hi|apply places_moves_to, N, Hi]. }
  destruct (walk_sound (law_split n m k (of_table F) unit xs ts) (stands_for_some m k (of_table F) unit xs e) e
    (law_split_sound n m k (of_table F) unit xs ts e X' ltac:(lia) M0 ltac:(lia)
      (start_cases_cover n m k F e xs moves ts K2 L2 D X' S Mv)) nodes [None] [] l None W (or_introl eq_refl)) as [v
        [I V]].
  - exists P. split; [exact Pl|exact I].
  - eapply Qle_trans; [apply least_of_spec, I|exact V].
Qed.
End Bound.
