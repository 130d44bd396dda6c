(* The VC dimension of a class and of its dual, in which points and concepts change places. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate Tables Sorting Shattering Extension Counting Signs SpanningTree.
Import ListNotations.
Local Open Scope nat_scope.

Definition edge_of (height : N) (j : json) : option (N * N) :=
  match list_of (place height) j with Some [r; s] => Some (r, s) | _ => None end.
Definition labels_of (j : json) : option (list bool) :=
  match j with Text s => each bit_of (list_ascii_of_string s) | _ => None end.

Definition shattering_lower (n : nat) (rows : list N) (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "trivial" then is_trivial v data
  else if String.eqb name "shattered" then
    match fields ["columns"; "rows"]%string data with
    | Some [c; r] =>
        match list_of (index n) c, list_of (place (size rows)) r with
        | Some columns, Some r =>
            match rows_at rows r with
            | Some chosen => (v =? Z.of_nat (length columns))%Z && check_shattered n columns chosen
            | None => false
            end
        | _, _ => false
        end
    | _ => false
    end
  else false.

Definition shattering_upper (n : nat) (rows : list N) (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "spanning_tree" then
    match fields ["edges"%string] data with
    | Some [e] => match list_of (edge_of (size rows)) e with
                  | Some edges => match tree_bound n rows edges with Some w => (v =? Z.of_N w)%Z | None => false end
                  | None => false
                  end
    | _ => false
    end
  else if String.eqb name "extension" then
    match fields ["size"; "labels"; "symmetries"]%string data with
    | Some [s; l; m] =>
        match natural s, labels_of l, symmetries_of n (size rows) m with
        | Some wanted, Some labels, Some found =>
            (v =? Z.of_N wanted - 1)%Z && check_extension n rows wanted labels found
        | _, _, _ => false
        end
    | _ => false
    end
  else if String.eqb name "counting" then
    match fields ["size"; "symmetries"]%string data with
    | Some [s; m] =>
        match natural s, symmetries_of n (size rows) m with
        | Some wanted, Some found => (v =? Z.of_N wanted - 1)%Z && check_counting n rows wanted found
        | _, _ => false
        end
    | _ => false
    end
  else if String.eqb name "signs" then
    match fields ["columns"; "rows"; "positive"]%string data with
    | Some [c; r; p] =>
        match list_of (list_of integer) c, list_of (list_of integer) r, list_of integer p with
        | Some columns, Some vectors, Some positive =>
            match signs_bound n rows columns vectors positive with Some w => (v =? Z.of_nat w)%Z | None => false end
        | _, _, _ => false
        end
    | _ => false
    end
  else false.

Lemma shattering_lower_sound n rows v name data : shattering_lower n rows v name data = true ->
  dimension_at_least (class_shattered n rows) v.
Proof.
  unfold shattering_lower. destruct (String.eqb name "trivial"); [apply is_trivial_sound|].
  destruct (String.eqb name "shattered"); [|discriminate].
  destruct (fields _ data) as [[|c [|r [|]]]|]; try discriminate.
  destruct (list_of _ c) as [columns|]; [|discriminate]. destruct (list_of _ r) as [l|]; [|discriminate].
  destruct (rows_at rows l) as [chosen|] eqn:E; [|discriminate]. intros H. apply andb_prop in H as [V H].
  apply Z.eqb_eq in V. subst v. intros _. rewrite Nat2Z.id.
  eapply check_shattered_sound; [|exact H]. eapply rows_at_in, E.
Qed.

Lemma shattering_upper_sound n rows v name data : shattering_upper n rows v name data = true ->
  dimension_at_most (class_shattered n rows) v.
Proof.
  unfold shattering_upper. destruct (String.eqb name "spanning_tree").
  { destruct (fields _ data) as [[|e [|]]|]; try discriminate.
    destruct (list_of _ e) as [edges|]; [|discriminate].
    destruct (tree_bound n rows edges) as [w|] eqn:E; [|discriminate].
    intros V. apply Z.eqb_eq in V. split; [lia|]. intros d Sh. apply (tree_bound_sound _ _ _ _ E) in Sh. lia. }
  destruct (String.eqb name "extension").
  { destruct (fields _ data) as [[|s [|l [|m [|]]]]|]; try discriminate.
    destruct (natural s) as [wanted|]; [|discriminate]. destruct (labels_of l) as [labels|]; [|discriminate].
    destruct (symmetries_of _ _ m) as [found|]; [|discriminate]. intros H. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. split; [lia|]. intros d Sh. apply (check_extension_sound _ _ _ _ _ H) in Sh. lia. }
  destruct (String.eqb name "counting").
  { destruct (fields _ data) as [[|s [|m [|]]]|]; try discriminate.
    destruct (natural s) as [wanted|]; [|discriminate].
    destruct (symmetries_of _ _ m) as [found|]; [|discriminate]. intros H. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. split; [lia|]. intros d Sh. apply (check_counting_sound _ _ _ _ H) in Sh. lia. }
  destruct (String.eqb name "signs"); [|discriminate].
  destruct (fields _ data) as [[|c [|r [|p [|]]]]|]; try discriminate.
  destruct (list_of _ c) as [columns|]; [|discriminate]. destruct (list_of _ r) as [vectors|]; [|discriminate].
  destruct (list_of _ p) as [positive|]; [|discriminate].
  destruct (signs_bound n rows columns vectors positive) as [w|] eqn:E; [|discriminate].
  intros V. apply Z.eqb_eq in V. split; [lia|]. intros d Sh. apply (signs_bound_sound _ _ _ _ _ _ E) in Sh. lia.
Qed.

(* the dual as a table: its rows are the columns *)
Lemma dual_table n rows h :
  table (length rows) (map bit (columns_of n rows)) h <-> table (length rows) (dual n (map bit rows)) h.
Proof.
  assert (forall x i, i < length rows -> bit (column rows x) i = nth i (map bit rows) (fun _ => false) x) as E.
  { intros x i Hi. rewrite column_bit. rewrite (nth_indep _ (fun _ => false) (bit 0)) by (rewrite map_length; exact Hi).
    rewrite (map_nth bit). reflexivity. }
  split; intros [g [Hg S]].
  - apply in_map_iff in Hg as [r [<- Hr]]. apply in_map_iff in Hr as [x [<- Hx]].
    exists (fun i => nth i (map bit rows) (fun _ => false) x). split.
    + apply (in_map (fun x i => nth i (map bit rows) (fun _ => false) x)), Hx.
    + intros i Hi. rewrite S, E by exact Hi. reflexivity.
  - apply in_map_iff in Hg as [x [<- Hx]]. exists (bit (column rows x)). split.
    + apply in_map, in_map, Hx.
    + intros i Hi. rewrite S, E by exact Hi. reflexivity.
Qed.

Lemma shattered_same n (C D : class) d : (forall h, C h <-> D h) -> shattered n C d -> shattered n D d.
Proof.
  intros E [point [B H]]. exists point. split; [exact B|]. intros labels. destruct (H labels) as [h [Ch M]].
  exists h. split; [apply E, Ch|exact M].
Qed.

Definition vc_dimension : kind.
Proof.
  refine {|
    title := "vc_dimension"; parameters := [];
    ask := fun instance _ => rows_of instance; number := at_least_integer (-1);
    lower := fun q => shattering_lower (fst q) (snd q); upper := fun q => shattering_upper (fst q) (snd q);
    lower_means q v := dimension_at_least (shattered (fst q) (table (fst q) (map bit (snd q)))) v;
    upper_means q v := dimension_at_most (shattered (fst q) (table (fst q) (map bit (snd q)))) v
  |}.
  - intros q v name data H. eapply shattering_lower_sound, H.
  - intros q v name data H. eapply shattering_upper_sound, H.
Defined.

Definition dual_vc_dimension : kind.
Proof.
  refine {|
    title := "dual_vc_dimension"; parameters := [];
    ask := fun instance _ => rows_of instance; number := at_least_integer (-1);
    lower := fun q => shattering_lower (length (snd q)) (columns_of (fst q) (snd q));
    upper := fun q => shattering_upper (length (snd q)) (columns_of (fst q) (snd q));
    lower_means q v :=
      dimension_at_least (shattered (length (snd q)) (table (length (snd q)) (dual (fst q) (map bit (snd q))))) v;
    upper_means q v :=
      dimension_at_most (shattered (length (snd q)) (table (length (snd q)) (dual (fst q) (map bit (snd q))))) v
  |}.
  - intros [n rows] v name data H. cbn [fst snd]. apply shattering_lower_sound in H. intros V.
    eapply shattered_same; [apply dual_table|exact (H V)].
  - intros [n rows] v name data H. cbn [fst snd] in *. apply shattering_upper_sound in H as [V H].
    split; [exact V|]. intros d Sh. apply H. eapply shattered_same; [|exact Sh].
    intros h. symmetry. apply dual_table.
Defined.
