(* The randomised Littlestone dimension: certificates with lengths of trees inside version spaces from
   below, and with bounds on them from above.  The unit is 2^n for n points. *)
From Coq Require Import String List Arith PArith NArith ZArith QArith Lia Lqa Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Json Certificate Tables Littlestone MeanLengths VersionSpaces.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- certificates ---- *)

Definition unit_of (n : nat) : Z := (2 ^ Z.of_nat n)%Z.
Definition is_half (n : nat) (length : Z) (v : Q) : bool := (Qnum v * (2 * unit_of n) =? length * QDen v)%Z.
Definition symmetries_right (n : nat) (rows : list N) (symmetries : list symmetry) : bool :=
  match symmetries with
  | [] => true
  | _ => distinct rows && let known := number_all rows in forallb (check_symmetry n rows known) symmetries
  end.

Definition line_of {own} (read : json -> option own) (j : json) : option (@line own) :=
  match j with
  | Array [e; s] => let* e := natural e in let* s := natural s in Some (Moved e s)
  | _ => let* a := read j in Some (Own a)
  end.
Definition asked_of (n : nat) (j : json) : option asked :=
  match j with
  | Array [a; x; zero; one] =>
      let* a := list_of (place (2 * N.of_nat n)) a in let* x := place (N.of_nat n) x in
      let* zero := optional natural zero in let* one := optional natural one in Some (Asked a x zero one)
  | _ => None
  end.
Definition bounded_of (n : nat) (j : json) : option bounded_by :=
  match j with
  | Array [a; t; b] =>
      let literals := list_of (place (2 * N.of_nat n)) in
      let* a := literals a in let* t := literals t in let* b := list_of natural b in Some (BoundedBy a t b)
  | _ => None
  end.
Definition last_in {own} (n : nat) (rows : list N) (read : json -> option own)
    (prove : numbered N -> list N -> N -> numbered space -> own -> option space) (data : json) : option space :=
  match fields ["symmetries"; "spaces"]%string data with
  | Some [s; e] =>
      match symmetries_of n (size rows) s, list_of (line_of read) e with
      | Some symmetries, Some lines =>
          if symmetries_right n rows symmetries then
            let columns := columns_of n rows in let everything := all_of rows in
            let sides := number_all (sides_of everything columns) in
            last_of (prove sides columns everything) sides (all_moves symmetries) (PositiveMap.empty space) 1 None lines
          else None
      | _, _ => None
      end
  | _ => None
  end.

Definition lower_mean (q : nat * list N) (v : Q) (name : string) (data : json) : bool :=
  let (n, rows) := q in
  if String.eqb name "trivial"
  then Qeq_bool v (if (size rows =? 0)%N then -(1) else 0) && match fields [] data with Some _ => true | None => false end
  else String.eqb name "tree" &&
       match last_in n rows (asked_of n) (fun sides _ => prove_tree (unit_of n) sides) data with
       | Some e => is_half n (measure e) v
       | None => false
       end.
Definition upper_mean (q : nat * list N) (v : Q) (name : string) (data : json) : bool :=
  let (n, rows) := q in
  if (size rows =? 0)%N
  then String.eqb name "size" && Qeq_bool v (-(1)) && match fields [] data with Some _ => true | None => false end
  else if String.eqb name "size"
  then is_half n (longest (unit_of n) (size rows)) v && match fields [] data with Some _ => true | None => false end
  else String.eqb name "potentials" &&
       match last_in n rows (bounded_of n) (prove_bound (unit_of n)) data with
       | Some e => (missing e =? 0)%N && is_half n (measure e) v
       | None => false
       end.

Lemma unit_of_pos n : (0 < unit_of n)%Z.
Proof. apply Z.pow_pos_nonneg; lia. Qed.
Lemma is_half_spec n length v : is_half n length v = true -> (v * (2 * inject_Z (unit_of n)) == inject_Z length)%Q.
Proof.
  unfold is_half. intros H. apply Z.eqb_eq in H. destruct v as [a b]. unfold Qeq, Qmult, inject_Z.
  cbn [Qnum Qden] in *. lia.
Qed.
Lemma symmetries_right_sound n rows symmetries : symmetries_right n rows symmetries = true ->
  Forall (moves_class n (table n (map bit rows))) symmetries.
Proof.
  unfold symmetries_right. intros G. destruct symmetries; [constructor|]. apply andb_prop in G as [D G].
  apply distinct_spec in D. cbv zeta in G. rewrite forallb_forall in G. apply Forall_forall. intros s' Hs.
  apply check_symmetry_moves; auto.
Qed.

Lemma some_rows (r : N) rows : (size (r :: rows) =? 0)%N = false.
Proof. apply N.eqb_neq. rewrite size_length. cbn [length]. lia. Qed.

Lemma lower_mean_sound q v name data : lower_mean q v name data = true ->
  rldim_at_least (fst q) (table (fst q) (map bit (snd q))) v.
Proof.
  destruct q as [n rows]. unfold lower_mean. cbn [fst snd]. intros H. destruct (String.eqb name "trivial").
  - apply andb_prop in H as [Z _]. apply Qeq_bool_iff in Z.
    destruct rows as [|r rows]; [left; rewrite Z; apply Qle_refl|]. right. rewrite some_rows in Z. exists Leaf.
    split; [|cbn [mean_length]; rewrite Z; vm_compute; discriminate]. apply shatters_leaf. exists (bit r). apply in_table. exists r.
    split; [left; reflexivity|intros x _; reflexivity].
  - apply andb_prop in H as [_ H]. destruct (last_in _ _ _ _ data) as [e|] eqn:E; [|discriminate].
    apply is_half_spec in H. unfold last_in in E. destruct (fields _ data) as [[|s [|l [|]]]|]; try discriminate.
    destruct (symmetries_of n (size rows) s) as [symmetries|]; [|discriminate].
    destruct (list_of _ l) as [lines|]; [|discriminate]. destruct (symmetries_right n rows symmetries) eqn:R; [|discriminate].
    apply symmetries_right_sound in R. cbv zeta in E.
    apply (last_of_sound n rows symmetries (prove_tree (unit_of n) (number_all (table_sides n rows)) (all_of rows))
      (has_tree n rows (unit_of n))) in E.
    + destruct E as [_ [t [S B]]]. right. exists t. split; [revert S; apply shatters_mono; intros h [Ch _]; exact Ch|].
      unfold measured in B. rewrite <- H in B. pose proof (unit_of_pos n) as P. rewrite Zlt_Qlt in P.
      change (inject_Z 0) with 0%Q in P. set (u := inject_Z (unit_of n)) in *. apply (Qmult_le_l _ _ u P). lra.
    + intros known a e' K. apply prove_tree_sound, K.
    + intros s' e' A m. apply (tree_image n rows symmetries (unit_of n) R).
    + intros i e' Hf. unfold entry in Hf. rewrite PositiveMap.gempty in Hf. discriminate.
    + intros e' [=].
Qed.
Lemma upper_mean_sound q v name data : upper_mean q v name data = true ->
  rldim_at_most (fst q) (table (fst q) (map bit (snd q))) v.
Proof.
  destruct q as [n rows]. unfold upper_mean. cbn [fst snd]. intros H.
  destruct rows as [|first rest].
  { apply andb_prop in H as [H _]. apply andb_prop in H as [_ H]. apply Qeq_bool_iff in H.
    split; [rewrite H; apply Qle_refl|]. intros t S. destruct (shatters_some _ _ _ S) as [h Ch].
    apply in_table in Ch as [r [[] _]]. }
  rewrite some_rows in H.
  set (rows := first :: rest) in *.
  cut (forall t, shatters n (table n (map bit rows)) t -> ((1 # 2) * mean_length t <= v)%Q).
  { intros A. split; [|exact A]. apply Qle_trans with ((1 # 2) * mean_length Leaf)%Q; [vm_compute; discriminate|].
    apply A, shatters_leaf. exists (bit first). apply in_table. exists first. split; [left; reflexivity|intros x _; reflexivity]. }
  intros t S.
  pose proof (unit_of_pos n) as P. pose proof P as PQ. rewrite Zlt_Qlt in PQ. change (inject_Z 0) with 0%Q in PQ.
  assert (forall length, is_half n length v = true -> (inject_Z (unit_of n) * mean_length t <= inject_Z length)%Q ->
    ((1 # 2) * mean_length t <= v)%Q) as G.
  { intros length Hv B. apply is_half_spec in Hv. rewrite <- Hv in B. set (u := inject_Z (unit_of n)) in *.
    apply (Qmult_le_l _ _ u PQ). lra. }
  destruct (String.eqb name "size").
  - apply andb_prop in H as [H _]. apply (G _ H).
    apply (longest_spec n (unit_of n) (size rows) t rows _ P) with (3 := S); [|lia].
    intros h Ch. apply in_table in Ch as [r [Hr E]]. exists r. split; [exact Hr|exact E].
  - apply andb_prop in H as [_ H]. destruct (last_in _ _ _ _ data) as [e|] eqn:E; [|discriminate].
    apply andb_prop in H as [Z H]. apply N.eqb_eq in Z. apply (G _ H). clear G H.
    unfold last_in in E. destruct (fields _ data) as [[|s [|l [|]]]|]; try discriminate.
    destruct (symmetries_of n (size rows) s) as [symmetries|]; [|discriminate].
    destruct (list_of _ l) as [lines|]; [|discriminate]. destruct (symmetries_right n rows symmetries) eqn:R; [|discriminate].
    apply symmetries_right_sound in R. cbv zeta in E.
    apply (last_of_sound n rows symmetries (prove_bound (unit_of n) (number_all (table_sides n rows)) (columns_of n rows)
      (all_of rows)) (has_no_more n rows (unit_of n))) in E.
    + destruct E as [L B]. apply B. revert S. apply shatters_mono. intros h Ch. split; [exact Ch|].
      apply in_table in Ch as [r [Hr Sm]]. apply In_nth_error in Hr as [j J]. unfold is_space in L. rewrite Z in L.
      apply lack_spec in L as [Pn L]. intros i Hi. rewrite (Sm _ (Pn i Hi)). revert i Hi. apply (L j r J).
      destruct j; reflexivity.
    + intros known a e' K. apply prove_bound_sound; assumption.
    + intros s' e' A m. apply (no_more_image n rows symmetries (unit_of n) R).
    + intros i e' Hf. unfold entry in Hf. rewrite PositiveMap.gempty in Hf. discriminate.
    + intros e' [=].
Qed.

Definition randomized_littlestone_dimension : kind.
Proof.
  refine {|
    title := "randomized_littlestone_dimension"; parameters := [];
    ask := fun instance _ => rows_of instance; number := fraction;
    lower := lower_mean; upper := upper_mean;
    lower_means q v := rldim_at_least (fst q) (table (fst q) (map bit (snd q))) v;
    upper_means q v := rldim_at_most (fst q) (table (fst q) (map bit (snd q))) v
  |}.
  - exact lower_mean_sound.
  - exact upper_mean_sound.
Defined.
