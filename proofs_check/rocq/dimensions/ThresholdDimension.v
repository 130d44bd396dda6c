(* Certificates of threshold dimensions. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate Tables Sorting Thresholds Tails.
Import ListNotations.
Local Open Scope nat_scope.

Definition threshold_lower (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  let (n, rows) := q in
  if String.eqb name "trivial" then is_trivial v data
  else if String.eqb name "chain" then
    match fields ["concepts"; "points"]%string data with
    | Some [c; p] =>
        match list_of (place (size rows)) c, list_of (index n) p with
        | Some c, Some points =>
            match rows_at rows c with
            | Some chosen => (v =? Z.of_nat (length points))%Z && check_chain n rows chosen points
            | None => false
            end
        | _, _ => false
        end
    | _ => false
    end
  else false.

Definition concepts_named (j : json) : option bool :=
  if is_text "points" j then Some false else if is_text "concepts" j then Some true else None.
Definition threshold_upper (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  let (n, rows) := q in
  if String.eqb name "ones" then
    match fields [] data with Some _ => check_ones n rows v | None => false end
  else if String.eqb name "rank" then
    match fields [] data with Some _ => check_rank rows v | None => false end
  else if String.eqb name "extension" then
    match fields ["size"%string] data with
    | Some [s] => match natural s with Some size => check_extension n rows size v | None => false end
    | _ => false
    end
  else if String.eqb name "tails" then
    match fields ["size"; "lines"; "label"]%string data with
    | Some [s; l; b] =>
        match natural s, concepts_named l, index 2 b with
        | Some size, Some concepts, Some label => check_tails n rows concepts (label =? 1) size v
        | _, _, _ => false
        end
    | _ => false
    end
  else false.

Definition threshold_dimension : kind.
Proof.
  refine {|
    title := "threshold_dimension"; parameters := [];
    ask := fun instance _ => rows_of instance; number := at_least_integer (-1);
    lower := threshold_lower; upper := threshold_upper;
    lower_means q v := dimension_at_least (thresholds (fst q) (table (fst q) (map bit (snd q)))) v;
    upper_means q v := dimension_at_most (thresholds (fst q) (table (fst q) (map bit (snd q)))) v
  |}.
  - intros [n rows] v name data H. cbn [fst snd]. unfold threshold_lower in H.
    destruct (String.eqb name "trivial"); [eapply is_trivial_sound, H|].
    destruct (String.eqb name "chain"); [|discriminate].
    destruct (fields _ data) as [[|c [|p [|]]]|]; try discriminate.
    destruct (list_of _ c) as [c'|]; [|discriminate]. destruct (list_of _ p) as [points|]; [|discriminate].
    destruct (rows_at rows c') as [chosen|] eqn:E; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. intros _. rewrite Nat2Z.id.
    eapply check_chain_sound; [|exact H]. eapply rows_at_in, E.
  - intros [n rows] v name data H. cbn [fst snd]. unfold threshold_upper in H.
    destruct (String.eqb name "ones").
    { destruct (fields _ data); [|discriminate]. eapply check_ones_sound, H. }
    destruct (String.eqb name "rank").
    { destruct (fields _ data); [|discriminate]. eapply check_rank_sound, H. }
    destruct (String.eqb name "extension").
    { destruct (fields _ data) as [[|s [|]]|]; try discriminate.
      destruct (natural s); [|discriminate]. eapply check_extension_sound, H. }
    destruct (String.eqb name "tails"); [|discriminate].
    destruct (fields _ data) as [[|s [|l [|b [|]]]]|]; try discriminate.
    destruct (natural s); [|discriminate]. destruct (concepts_named l); [|discriminate].
    destruct (index 2 b); [|discriminate]. eapply check_tails_sound, H.
Defined.
