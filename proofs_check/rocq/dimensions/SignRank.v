(* Certificates of sign ranks: integer vectors from above; lines with all patterns, chirotopes, and
   final polynomials, from below.  The instance is a class, whose entries are all asked for, or a problem. *)
From Coq Require Import String List Arith NArith ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Json Certificate OneWay Tables SignPatterns Chirotopes FinalPolynomials.
Import ListNotations.
Local Open Scope nat_scope.

Record signs := Signs { height : nat; breadth : nat; entries_of : matrix_rows }.

Definition signs_of (instance : json) : option signs :=
  match class_of row instance with
  | Some (n, m, rows) =>
      given (distinct (map number_of rows)) (Some (Signs n m (map (map Some) rows)))
  | None =>
      let* (n, m, rows) := problem_of instance in
      given (existsb (existsb (fun a => match a with Some _ => true | None => false end)) rows) (Some (Signs n m rows))
  end.
Definition some_entry (q : signs) : bool :=
  existsb (fun x => existsb (fun y => match of_table (entries_of q) x y with Some _ => true | None => false end)
    (seq 0 (breadth q))) (seq 0 (height q)).
Definition side_of (j : json) : option bool :=
  if is_text "rows" j then Some false else if is_text "columns" j then Some true else None.
Definition chosen_in (q : signs) (side lines : json) : option (bool * list nat) :=
  let* columns := side_of side in
  let* l := list_of (index (if columns then breadth q else height q)) lines in
  given (distinct (map N.of_nat l)) (Some (columns, l)).

Definition inequality_of (n : nat) (j : json) : option (Z * list nat) :=
  match j with
  | Array (w :: l) => let* w := integer w in let* l := each (index n) l in Some (w, l)
  | _ => None
  end.
Definition node_of (n lemmas : nat) (j : json) : option node :=
  match list_of (index n) j with
  | Some l => Some (Lines l)
  | None =>
      match fields ["lemma"; "order"; "turned"]%string j, fields ["product"]%string j with
      | Some [i; o; t], _ =>
          let* i := index lemmas i in let* o := list_of (index n) o in let* t := row n t in Some (Image i o t)
      | _, Some [p] => let* p := list_of (inequality_of n) p in Some (Product p)
      | _, _ => None
      end
  end.
Definition lemma_of (n lemmas : nat) (j : json) : option (list (list nat * bool) * list node) :=
  match fields ["positive"; "negative"; "nodes"]%string j with
  | Some [p; g; t] =>
      let* p := list_of (list_of (index n)) p in let* g := list_of (list_of (index n)) g in
      let* t := list_of (node_of n lemmas) t in
      Some (map (fun l => (l, true)) p ++ map (fun l => (l, false)) g, t)
  | _ => None
  end.
Definition check_with_lemmas (m : nat) (R : matrix_rows) (d : nat) (lemmas nodes : json) : bool :=
  match entries lemmas with
  | Some listed =>
      match each (lemma_of (length R) (length listed)) listed, list_of (node_of (length R) (length listed)) nodes with
      | Some l, Some t => check_final_polynomials m R d l t
      | _, _ => false
      end
  | None => false
  end.

Definition lower_signs (q : signs) (v : nat) (name : string) (data : json) : bool :=
  if String.eqb name "trivial"
  then (v =? if some_entry q then 1 else 0) && match fields [] data with Some _ => true | None => false end
  else if String.eqb name "shattered"
  then match fields ["side"; "lines"]%string data with
       | Some [s; l] =>
           match chosen_in q s l with
           | Some (columns, lines) =>
               (v =? length lines) && (length lines <=? 30)
               && check_patterns (if columns then height q else breadth q) (lines_of columns (entries_of q) lines)
           | None => false
           end
       | _ => false
       end
  else if String.eqb name "final_polynomials"
  then match fields ["side"; "lines"; "dimension"; "lemmas"; "nodes"]%string data with
       | Some [s; l; r; k; t] =>
           match chosen_in q s l, index 65 r with
           | Some (columns, lines), Some d =>
               (v =? S d) && (length lines <=? 64)
               && check_with_lemmas (if columns then height q else breadth q) (lines_of columns (entries_of q) lines) d k t
           | _, _ => false
           end
       | _ => false
       end
  else String.eqb name "chirotope" &&
       match fields ["side"; "lines"; "dimension"; "nodes"]%string data with
       | Some [s; l; r; t] =>
           match chosen_in q s l, index 65 r with
           | Some (columns, lines), Some d =>
               match list_of (list_of (index (length lines))) t with
               | Some nodes =>
                   (v =? S d) && (length lines <=? 64)
                   && check_chirotope (if columns then height q else breadth q) (lines_of columns (entries_of q) lines) d nodes
               | None => false
               end
           | _, _ => false
           end
       | _ => false
       end.
Definition upper_signs (q : signs) (v : nat) (name : string) (data : json) : bool :=
  String.eqb name "vectors" &&
  match fields ["rows"; "columns"]%string data with
  | Some [r; c] =>
      match list_of (list_of integer) r, list_of (list_of integer) c with
      | Some rows, Some columns =>
          check_vectors (height q) (breadth q) (entries_of q) rows columns v
          && ((v =? 0) || negb (length (rows ++ columns) =? 0))
      | _, _ => false
      end
  | _ => false
  end.

Lemma some_entry_sound q d : some_entry q = true -> has_signs (height q) (breadth q) (of_table (entries_of q)) d -> 1 <= d.
Proof.
  unfold some_entry. intros H [u [w S]]. apply existsb_exists in H as [x [X H]]. apply existsb_exists in H as [y [Y H]].
  apply in_seq in X, Y. destruct (of_table (entries_of q) x y) as [b|] eqn:E; [|discriminate].
  specialize (S x y b ltac:(lia) ltac:(lia) E). destruct d; [|lia]. cbn in S. destruct b; lra.
Qed.
Lemma chosen_in_bounds q s l columns lines : chosen_in q s l = Some (columns, lines) ->
  forall i, In i lines -> i < (if columns then breadth q else height q).
Proof.
  unfold chosen_in, given. destruct (side_of s) as [c|]; [|discriminate].
  destruct (list_of _ l) as [k|] eqn:L; [|discriminate]. destruct (distinct _); [|discriminate]. intros [= <- <-].
  destruct l; try discriminate. cbn [list_of] in L. revert k L. induction l as [|a l IH]; intros k L i I; cbn [each] in L.
  - injection L as <-. contradiction.
  - destruct (index _ a) as [j|] eqn:J; [|discriminate]. destruct (each _ l) as [k'|]; [|discriminate].
    injection L as <-. destruct I as [<-|I]; [|exact (IH k' eq_refl i I)].
    unfold index in J. destruct a; try discriminate. destruct (_ && _) eqn:B in J; [|discriminate]. injection J as <-.
    apply andb_prop in B as [B0 B1]. apply Z.leb_le in B0. apply Z.ltb_lt in B1. lia.
Qed.
Lemma lower_signs_sound q v name data : lower_signs q v name data = true ->
  signs_at_least (height q) (breadth q) (of_table (entries_of q)) v.
Proof.
  unfold lower_signs. intros H d Sd. destruct (String.eqb name "trivial").
  - apply andb_prop in H as [H _]. apply Nat.eqb_eq in H. subst v.
    destruct (some_entry q) eqn:E; [apply (some_entry_sound q d E Sd)|lia].
  - assert (forall s l columns lines, chosen_in q s l = Some (columns, lines) ->
      has_signs (length (lines_of columns (entries_of q) lines)) (if columns then height q else breadth q)
        (of_table (lines_of columns (entries_of q) lines)) d) as Sl.
    { intros s l columns lines C. unfold lines_of at 1. rewrite map_length.
      apply (lines_have_signs columns _ _ _ lines d (chosen_in_bounds _ _ _ _ _ C)), Sd. }
    destruct (String.eqb name "shattered").
    + destruct (fields _ data) as [[|s [|l [|]]]|]; try discriminate.
      destruct (chosen_in q s l) as [[columns lines]|] eqn:C; [|discriminate].
      apply andb_prop in H as [H P]. apply andb_prop in H as [V _]. apply Nat.eqb_eq in V. subst v.
      replace (length lines) with (length (lines_of columns (entries_of q) lines)) by apply map_length.
      apply (check_patterns_sound _ _ _ P), (Sl s l columns lines C).
    + destruct (String.eqb name "final_polynomials").
      { destruct (fields _ data) as [[|s [|l [|r [|k [|t [|]]]]]]|]; try discriminate.
        destruct (chosen_in q s l) as [[columns lines]|] eqn:C; [|discriminate].
        destruct (index 65 r) as [e|]; [|discriminate]. apply andb_prop in H as [H P]. apply andb_prop in H as [V _].
        apply Nat.eqb_eq in V. subst v. unfold check_with_lemmas in P. destruct (entries k) as [listed|]; [|discriminate].
        destruct (each _ listed) as [lemmas|]; [|discriminate]. destruct (list_of _ t) as [nodes|]; [|discriminate].
        apply (check_final_polynomials_sound _ _ _ _ _ _ P), (Sl s l columns lines C). }
      apply andb_prop in H as [_ H]. destruct (fields _ data) as [[|s [|l [|r [|t [|]]]]]|]; try discriminate.
      destruct (chosen_in q s l) as [[columns lines]|] eqn:C; [|discriminate].
      destruct (index 65 r) as [k|]; [|discriminate]. destruct (list_of _ t) as [nodes|]; [|discriminate].
      apply andb_prop in H as [H P]. apply andb_prop in H as [V _]. apply Nat.eqb_eq in V. subst v.
      apply (check_chirotope_sound _ _ _ _ _ P), (Sl s l columns lines C).
Qed.

Definition sign_rank_of_matrix : kind.
Proof.
  refine {|
    title := "sign_rank"; parameters := [];
    ask := fun instance _ => signs_of instance; number := count;
    lower := lower_signs; upper := upper_signs;
    lower_means q v := signs_at_least (height q) (breadth q) (of_table (entries_of q)) v;
    upper_means q v := has_signs (height q) (breadth q) (of_table (entries_of q)) v
  |}.
  - exact lower_signs_sound.
  - intros q v name data H. unfold upper_signs in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|r [|c [|]]]|]; try discriminate.
    destruct (list_of _ r) as [rows|]; [|discriminate]. destruct (list_of _ c) as [columns|]; [|discriminate].
    apply andb_prop in H as [H _]. apply check_vectors_sound in H. exact H.
Defined.
