(* The teaching dimension of partial classes: teaching sets from above; from below a concept that no fewer
   points teach.  A labelled point of a concept excludes the concepts that have another label there or none. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate Tables Sorting Littlestone Teaching Labels.
Import ListNotations.
Local Open Scope nat_scope.

(* the points whose labels in a row exclude another one *)
Fixpoint excluding (r s : label_row) : list bool :=
  match r with
  | [] => []
  | v :: r' => match v with Some y => negb (is_label (hd None s) y) | None => false end :: excluding r' (tl s)
  end.
Lemma excluding_nth : forall r s x, nth x (excluding r s) false = true <->
  nth x r None <> None /\ nth x s None <> nth x r None.
Proof.
  induction r as [|v r IH]; intros s x; [destruct x; cbn; intuition congruence|]. destruct x as [|x]; cbn [excluding nth].
  - assert (nth 0 s None = hd None s) as -> by (destruct s; reflexivity).
    destruct v as [y|]; [|intuition congruence]. rewrite negb_true_iff, <- not_true_iff_false, is_label_spec.
    intuition congruence.
  - rewrite IH. assert (nth (S x) s None = nth x (tl s) None) as -> by (destruct s; [destruct x|]; reflexivity). tauto.
Qed.
Definition excluded (rows : list label_row) (r : label_row) : list N := map (fun s => number_of (excluding r s)) rows.

(* ---- from below ---- *)

Theorem check_partial_concept_sound n rows r k : In r rows -> hard n (excluded rows r) k 0 = true ->
  enough_at_least (partial_teachable n (label_table rows)) (Z.of_nat k).
Proof.
  intros Hr H w _ E. destruct (E (fun x => nth x r None)) as [T [[B U] F]]; [exists r; auto|]. unfold few in F.
  destruct k as [|k]; [lia|]. cbn [hard] in H.
  destruct (le_lt_dec (S k) (length T)) as [L|L]; [lia|exfalso].
  destruct (missed_sound _ _ _ H T ltac:(lia) (fun x Hx => proj1 (B x Hx))) as [d [D M]].
  destruct (differences_in _ _ _ _ D) as [e [He [-> [x [Hx X]]]]]. rewrite N.lxor_0_r in *.
  unfold excluded in He. apply in_map_iff in He as [s [<- Hs]]. rewrite number_of_bit in X.
  apply excluding_nth in X as [Def Ne]. apply Ne, (U (fun x => nth x s None)); [exists s; auto| |exact Hx|exact Def].
  intros y Hy. specialize (M y Hy). rewrite number_of_bit in M. destruct (B y Hy) as [_ Dy].
  destruct (nth y s None) as [a|] eqn:A, (nth y r None) as [b|] eqn:Eb; try contradiction.
  - destruct (N.eq_dec a b) as [->|Nab]; [reflexivity|]. exfalso.
    assert (nth y (excluding r s) false = true); [|congruence]. apply excluding_nth. rewrite A, Eb. split; congruence.
  - exfalso. assert (nth y (excluding r s) false = true); [|congruence]. apply excluding_nth. rewrite A, Eb. split; congruence.
Qed.

(* ---- from above ---- *)

Definition teaches_row (n : nat) (rows : list label_row) (r : label_row) (T : list nat) : bool :=
  forallb (fun x => (x <? n) && match nth x r None with Some _ => true | None => false end) T &&
  forallb (fun s => let e := number_of (excluding r s) in
                    match members n e with [] => true | _ => existsb (bit e) T end) rows.
Fixpoint all_taught (n : nat) (all rows : list label_row) (sets : list (list nat)) : bool :=
  match rows, sets with
  | [], [] => true
  | r :: rows', T :: sets' => teaches_row n all r T && all_taught n all rows' sets'
  | _, _ => false
  end.

Lemma teaches_row_sound n rows r T f : (forall x, f x = nth x r None) -> teaches_row n rows r T = true ->
  partial_teaches n (label_table rows) f T.
Proof.
  intros E H. apply andb_prop in H as [B H]. rewrite forallb_forall in B, H. split.
  - intros x Hx. specialize (B x Hx). apply andb_prop in B as [L D]. apply Nat.ltb_lt in L. rewrite E.
    split; [exact L|]. destruct (nth x r None); congruence.
  - intros g [s [Hs G]] A x Hx Dx. rewrite E in *. rewrite G. specialize (H s Hs). cbv zeta in H.
    destruct (members n (number_of (excluding r s))) as [|z l] eqn:M.
    + destruct (nth x (excluding r s) false) eqn:X.
      * assert (In x (members n (number_of (excluding r s)))) as I; [|rewrite M in I; destruct I].
        apply members_in. rewrite number_of_bit. auto.
      * destruct (nth x r None) as [y|] eqn:Ey; [|contradiction].
        destruct (nth x s None) as [z|] eqn:Ez; [destruct (N.eq_dec z y) as [->|Ne]; [reflexivity|]|];
          assert (nth x (excluding r s) false = true) as K by (apply excluding_nth; rewrite Ey, Ez; split; congruence);
          congruence.
    + exfalso. apply existsb_exists in H as [y [Hy X]]. rewrite number_of_bit in X.
      apply excluding_nth in X as [_ Ne]. apply Ne. rewrite <- G, <- E. apply A, Hy.
Qed.

Theorem all_taught_sound n rows sets : all_taught n rows rows sets = true ->
  enough_at_most (partial_teachable n (label_table rows)) (largest sets).
Proof.
  intros H. split; [apply largest_least|]. intros f [r [Hr E]].
  assert (forall rows' sets', all_taught n rows rows' sets' = true -> In r rows' ->
    exists T, In T sets' /\ teaches_row n rows r T = true) as K.
  { clear. induction rows' as [|s rows' IH]; intros [|T sets'] H Hr; cbn [all_taught] in H;
      try discriminate; [contradiction|].
    apply andb_prop in H as [E H]. destruct Hr as [->|Hr]; [exists T; split; [left; reflexivity|exact E]|].
    destruct (IH _ H Hr) as [U [I Q]]. exists U. split; [right|]; assumption. }
  destruct (K _ _ H Hr) as [T [I Q]]. exists T. split; [|apply largest_few, I].
  eapply teaches_row_sound; eassumption.
Qed.

(* ---- certificates ---- *)

Definition partial_teaching_lower (n : nat) (rows : list label_row) (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "trivial" then is_trivial v data
  else String.eqb name "concept" &&
    match fields ["concept"; "size"]%string data with
    | Some [c; s] =>
        match place (size rows) c, index (S n) s with
        | Some c, Some k =>
            match entry (number_all rows) c with
            | Some r => (v =? Z.of_nat k)%Z && hard n (excluded rows r) k 0
            | None => false
            end
        | _, _ => false
        end
    | _ => false
    end.
Definition partial_teaching_upper (n : nat) (rows : list label_row) (v : Z) (name : string) (data : json) : bool :=
  String.eqb name "sets" &&
  match fields ["sets"%string] data with
  | Some [s] => match sets_of n s with
                | Some sets => (v =? largest sets)%Z && all_taught n rows rows sets
                | None => false
                end
  | _ => false
  end.

Definition partial_teaching_dimension : kind.
Proof.
  refine {|
    title := "partial_teaching_dimension"; parameters := [];
    question := nat * list label_row;
    ask instance _ := partial_class_of instance; number := at_least_integer (-1);
    lower q := partial_teaching_lower (fst q) (snd q);
    upper q := partial_teaching_upper (fst q) (snd q);
    lower_means q v := enough_at_least (partial_teachable (fst q) (label_table (snd q))) v;
    upper_means q v := enough_at_most (partial_teachable (fst q) (label_table (snd q))) v
  |}.
  - intros [n rows] v name data H. cbn [fst snd] in *. unfold partial_teaching_lower in H.
    destruct (String.eqb name "trivial"); [eapply trivial_enough, H|]. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|c [|s [|]]]|]; try discriminate.
    destruct (place _ c) as [i|]; [|discriminate]. destruct (index _ s) as [k|]; [|discriminate].
    destruct (entry _ i) as [r|] eqn:E; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. eapply check_partial_concept_sound; [eapply entry_in, E|exact H].
  - intros [n rows] v name data H. cbn [fst snd] in *. unfold partial_teaching_upper in H.
    apply andb_prop in H as [_ H]. destruct (fields _ data) as [[|s [|]]|]; try discriminate.
    destruct (sets_of _ s) as [sets|]; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. apply all_taught_sound, H.
Defined.
