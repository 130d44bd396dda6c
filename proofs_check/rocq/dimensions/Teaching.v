(* Teaching dimensions: teaching sets and plans from above; from below a concept, or a subclass, of
   which no concept is singled out by fewer points: all small sets are tried. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate Tables Sorting.
Import ListNotations.
Local Open Scope nat_scope.

Definition class_of_rows n rows := table n (map bit rows).

Lemma row_in n rows r : In r rows -> class_of_rows n rows (bit r).
Proof. intros H. exists (bit r). split; [apply in_map, H|intros x _; reflexivity]. Qed.

(* ---- sets of points that meet sets ---- *)

(* no k points meet all of these sets *)
Fixpoint missed (n k : nat) (sets : list N) : bool :=
  match sets with
  | [] => false
  | s :: _ => match k with
              | O => true
              | S k' => forallb (fun x => missed n k' (filter (fun t => negb (bit t x)) sets)) (members n s)
              end
  end.

Lemma missed_sound n : forall k sets, missed n k sets = true -> forall T, length T <= k ->
  (forall x, In x T -> x < n) -> exists t, In t sets /\ forall x, In x T -> bit t x = false.
Proof.
  induction k as [|k IH]; intros [|s sets] H T L B; cbn [missed] in H; try discriminate.
  - destruct T; [|simpl in L; lia]. exists s. split; [left; reflexivity|intros _ []].
  - destruct (existsb (bit s) T) eqn:E.
    + apply existsb_exists in E as [x [Hx E]]. rewrite forallb_forall in H.
      specialize (H x). unfold members in H. rewrite filter_In, in_seq in H.
      specialize (H ltac:(split; [specialize (B x Hx); lia|exact E])).
      destruct (IH _ H (remove Nat.eq_dec x T)) as [t [It M]].
      * pose proof (remove_length_lt Nat.eq_dec T x Hx). lia.
      * intros y Hy. apply in_remove in Hy as [Hy _]. auto.
      * apply filter_In in It as [It Q]. exists t. split; [exact It|].
        intros y Hy. destruct (Nat.eq_dec y x) as [->|N]; [apply negb_true_iff, Q|].
        apply M, in_in_remove; assumption.
    + exists s. split; [left; reflexivity|]. intros x Hx.
      destruct (bit s x) eqn:F; [|reflexivity]. rewrite <- E. symmetry. apply existsb_exists. eauto.
Qed.

(* sets with fewer points come first, as they branch least *)
Fixpoint place_in (n : nat) (s : N * nat) (l : list (N * nat)) : list (N * nat) :=
  match l with
  | [] => [s]
  | t :: l' => if snd s <=? snd t then s :: l else t :: place_in n s l'
  end.
Definition differences (n : nat) (rows : list N) (r : N) : list N :=
  map fst (fold_right (fun s l => let d := N.lxor s r in let m := length (members n d) in
    if m =? 0 then l else place_in n (d, m) l) [] rows).

Lemma place_in_in n s l a : In a (place_in n s l) -> a = s \/ In a l.
Proof.
  induction l as [|t l IH]; cbn [place_in]; intros H.
  - destruct H as [<-|[]]. auto.
  - destruct (snd s <=? snd t); destruct H as [<-|H]; simpl; auto. destruct (IH H); auto.
Qed.
Lemma differences_in n rows r d : In d (differences n rows r) ->
  exists s, In s rows /\ d = N.lxor s r /\ exists x, x < n /\ bit d x = true.
Proof.
  unfold differences. intros H. apply in_map_iff in H as [[d' m] [E H]]. simpl in E. subst d'.
  revert H. induction rows as [|s rows IH]; cbn [fold_right]; [intros []|].
  destruct (Nat.eqb_spec (length (members n (N.lxor s r))) 0) as [Z|Z].
  - intros H. destruct (IH H) as [s' [I K]]. exists s'. split; [right|]; assumption.
  - intros H. apply place_in_in in H as [H|H].
    + injection H as -> _. exists s. split; [left; reflexivity|]. split; [reflexivity|].
      destruct (members n (N.lxor s r)) as [|x l] eqn:P; [contradiction Z; reflexivity|].
      assert (In x (members n (N.lxor s r))) as Q by (rewrite P; left; reflexivity).
      unfold members in Q. rewrite filter_In, in_seq in Q. exists x. split; [lia|apply Q].
    + destruct (IH H) as [s' [I K]]. exists s'. split; [right|]; assumption.
Qed.

(* fewer than k points single no concept out like this one *)
Definition hard (n : nat) (rows : list N) (k : nat) (r : N) : bool :=
  match k with O => true | S k' => missed n k' (differences n rows r) end.

Lemma hard_sound n rows k r : hard n rows k r = true -> forall f T, same n f (bit r) ->
  teaches n (class_of_rows n rows) f T -> k <= length T.
Proof.
  destruct k as [|k]; intros H f T F [B U]; [lia|]. cbn [hard] in H.
  destruct (le_lt_dec (S k) (length T)) as [L|L]; [exact L|exfalso].
  destruct (missed_sound _ _ _ H T ltac:(lia) B) as [d [D M]].
  destruct (differences_in _ _ _ _ D) as [s [Hs [-> [x [Hx E]]]]].
  rewrite bit_lxor in E. rewrite <- (F x Hx) in E.
  rewrite <- (U (bit s) (row_in n rows s Hs)) in E; [rewrite xorb_nilpotent in E; discriminate| |exact Hx].
  intros y Hy. specialize (M y Hy). rewrite bit_lxor in M. rewrite (F y (B y Hy)).
  destruct (bit s y), (bit r y); try reflexivity; discriminate.
Qed.

(* ---- from below ---- *)

Theorem check_concept_sound n rows r k : In r rows -> hard n rows k r = true ->
  enough_at_least (teachable n (class_of_rows n rows)) (Z.of_nat k).
Proof.
  intros Hr H w _ E. destruct (E (bit r) (row_in n rows r Hr)) as [T [U F]].
  pose proof (hard_sound _ _ _ _ H (bit r) T (fun x _ => eq_refl) U). unfold few in F. lia.
Qed.

Definition check_subclass (n : nat) (chosen : list N) (k : nat) : bool :=
  match chosen with [] => false | _ => forallb (hard n chosen k) chosen end.

Theorem check_subclass_sound n rows chosen k : (forall r, In r chosen -> In r rows) ->
  check_subclass n chosen k = true -> enough_at_least (plannable n (class_of_rows n rows)) (Z.of_nat k).
Proof.
  intros I H w _ [l [P [M A]]]. destruct chosen as [|r0 chosen]; [discriminate|].
  cbn [check_subclass] in H. set (all := r0 :: chosen) in *. rewrite forallb_forall in H.
  assert (forall r, In r all -> table n (map fst l) (bit r)) as A'.
  { intros r Hr. apply A, row_in, I, Hr. }
  clear A. induction l as [|[f T] l IH].
  - destruct (A' r0 (or_introl eq_refl)) as [g [[] _]].
  - cbn [plan] in P. destruct P as [U P].
    assert ((exists r, In r all /\ same n (bit r) f) \/ forall r, In r all -> table n (map fst l) (bit r))
      as [[r [Hr E]]|K].
    { clear - A'. revert A'. generalize all. induction all0 as [|r rest IH]; intros A'; [right; intros _ []|].
      destruct (A' r (or_introl eq_refl)) as [g [[G|G] E]].
      - left. exists r. split; [left; reflexivity|]. cbn [fst] in G. subst g. exact E.
      - destruct IH as [[s [Hs F]]|K]; [intros s Hs; apply A'; right; exact Hs| |].
        + left. exists s. split; [right|]; assumption.
        + right. intros s [<-|Hs]; [exists g; split; assumption|auto]. }
    + destruct (M (f, T) (or_introl eq_refl)) as [_ F].
      assert (k <= length T) as L.
      { apply (hard_sound _ _ _ _ (H r Hr) f T); [intros x Hx; symmetry; apply E, Hx|].
        destruct U as [B U]. split; [exact B|]. intros g Cg Q. apply U; [|exact Q].
        apply in_table in Cg as [s [Hs G]]. destruct (A' s Hs) as [h [Hh E']].
        exists h. split; [exact Hh|]. intros x Hx. rewrite (G x Hx). apply E', Hx. }
      unfold few in F. cbn [snd] in F. lia.
    + apply IH; [exact P|intros p Hp; apply M; right; exact Hp|exact K].
Qed.

(* ---- from above ---- *)

(* of some concepts only one has these labels, whatever the others *)
Definition singles_out (n : nat) (rows : list N) (r : N) (T : list nat) : bool :=
  forallb (fun x => x <? n) T &&
  forallb (fun s => (s =? r)%N || existsb (fun x => negb (Bool.eqb (bit s x) (bit r x))) T) rows.

Lemma singles_out_sound n rows r T : singles_out n rows r T = true ->
  teaches n (class_of_rows n rows) (bit r) T.
Proof.
  intros H. apply andb_prop in H as [B H]. rewrite forallb_forall in B, H. split.
  - intros x Hx. apply Nat.ltb_lt, B, Hx.
  - intros g Cg Q. apply in_table in Cg as [s [Hs G]]. specialize (H s Hs).
    apply orb_prop in H as [E|E].
    + apply N.eqb_eq in E. subst s. exact G.
    + exfalso. apply existsb_exists in E as [x [Hx E]].
      rewrite <- (Q x Hx), <- (G x) in E by (apply Nat.ltb_lt, B, Hx).
      rewrite eqb_reflx in E. discriminate.
Qed.

Definition largest (sets : list (list nat)) : Z := fold_right (fun T v => Z.max (Z.of_nat (length T)) v) (-1)%Z sets.
Lemma largest_few sets T : In T sets -> few (largest sets) T.
Proof.
  unfold few. induction sets as [|U sets IH]; intros H; [contradiction|]. cbn [largest fold_right].
  fold (largest sets). destruct H as [<-|H]; [lia|specialize (IH H); lia].
Qed.
Lemma largest_least sets : (-1 <= largest sets)%Z.
Proof. induction sets as [|U sets IH]; cbn [largest fold_right]; [|fold (largest sets)]; lia. Qed.

Fixpoint all_single (n : nat) (all rows : list N) (sets : list (list nat)) : bool :=
  match rows, sets with
  | [], [] => true
  | r :: rows', T :: sets' => singles_out n all r T && all_single n all rows' sets'
  | _, _ => false
  end.

Theorem check_sets_sound n rows sets : all_single n rows rows sets = true ->
  enough_at_most (teachable n (class_of_rows n rows)) (largest sets).
Proof.
  intros H. split; [apply largest_least|]. intros f Cf. apply in_table in Cf as [r [Hr F]].
  assert (forall rows' sets', all_single n rows rows' sets' = true -> In r rows' ->
    exists T, In T sets' /\ singles_out n rows r T = true) as K.
  { clear. induction rows' as [|s rows' IH]; intros [|T sets'] H Hr; cbn [all_single] in H;
      try discriminate; [contradiction|].
    apply andb_prop in H as [E H]. destruct Hr as [->|Hr]; [exists T; split; [left; reflexivity|exact E]|].
    destruct (IH _ H Hr) as [U [I Q]]. exists U. split; [right|]; assumption. }
  destruct (K _ _ H Hr) as [T [I Q]]. exists T. split; [|apply largest_few, I].
  destruct (singles_out_sound _ _ _ _ Q) as [B U]. split; [exact B|]. intros g Cg E x Hx.
  rewrite (F x Hx). apply (U g Cg); [|exact Hx]. intros y Hy. rewrite (E y Hy). apply F, B, Hy.
Qed.

Fixpoint plans (n : nat) (rows : list N) (sets : list (list nat)) : bool :=
  match rows, sets with
  | [], [] => true
  | r :: rows', T :: sets' => singles_out n rows r T && plans n rows' sets'
  | _, _ => false
  end.
Definition covers (rows order : list N) : bool := (length rows =? length order) && distinct order.

Theorem check_plan_sound n rows order sets : (forall r, In r order -> In r rows) -> NoDup rows ->
  covers rows order = true -> plans n order sets = true ->
  enough_at_most (plannable n (class_of_rows n rows)) (largest sets).
Proof.
  intros I D V H. split; [apply largest_least|]. apply andb_prop in V as [L V].
  apply Nat.eqb_eq in L. apply distinct_spec in V.
  assert (incl rows order) as J by (apply NoDup_length_incl; [exact V|lia|exact I]).
  assert (forall order sets, plans n order sets = true -> exists l, plan n l /\ map fst l = map bit order /\
    forall p, In p l -> In (snd p) sets) as K.
  { clear. induction order as [|r order IH]; intros [|T sets] H; cbn [plans] in H; try discriminate.
    - exists []. split; [exact Logic.I|]. split; [reflexivity|intros _ []].
    - apply andb_prop in H as [E H]. destruct (IH _ H) as [l [P [M S]]].
      exists ((bit r, T) :: l). cbn [plan map fst]. rewrite M. split; [split; [|exact P]|split; [reflexivity|]].
      + exact (singles_out_sound n (r :: order) r T E).
      + intros p [<-|Hp]; [left; reflexivity|right; apply S, Hp]. }
  destruct (K _ _ H) as [l [P [M S]]]. exists l. split; [exact P|]. split.
  - intros p Hp. split; [|apply largest_few, S, Hp].
    assert (In (fst p) (map bit order)) as F by (rewrite <- M; apply in_map, Hp).
    apply in_map_iff in F as [r [<- Hr]]. apply row_in, I, Hr.
  - intros f Cf. apply in_table in Cf as [r [Hr F]]. exists (bit r). split; [|exact F].
    rewrite M. apply in_map, J, Hr.
Qed.

(* ---- certificates ---- *)

Definition about_concept (q : nat * list N) (v : Z) (data : json) : bool :=
  match fields ["concept"; "size"]%string data with
  | Some [c; s] =>
      match place (size (snd q)) c, index (S (fst q)) s with
      | Some c, Some k =>
          match entry (number_all (snd q)) c with
          | Some r => (v =? Z.of_nat k)%Z && hard (fst q) (snd q) k r
          | None => false
          end
      | _, _ => false
      end
  | _ => false
  end.
Definition about_subclass (q : nat * list N) (v : Z) (data : json) : bool :=
  match fields ["concepts"; "size"]%string data with
  | Some [c; s] =>
      match list_of (place (size (snd q))) c, index (S (fst q)) s with
      | Some c, Some k =>
          match rows_at (snd q) c with
          | Some chosen => (v =? Z.of_nat k)%Z && (distinct c && check_subclass (fst q) chosen k)
          | None => false
          end
      | _, _ => false
      end
  | _ => false
  end.
Definition sets_of (n : nat) : json -> option (list (list nat)) := list_of (fun j =>
  let* T := list_of (index n) j in given (distinct (map N.of_nat T)) (Some T)).

Definition teaching_lower (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "trivial" then is_trivial v data
  else String.eqb name "concept" && about_concept q v data.
Definition teaching_upper (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  String.eqb name "sets" &&
  match fields ["sets"%string] data with
  | Some [s] => match sets_of (fst q) s with
                | Some sets => (v =? largest sets)%Z && all_single (fst q) (snd q) (snd q) sets
                | None => false
                end
  | _ => false
  end.

Lemma trivial_enough P v data : is_trivial v data = true -> enough_at_least P v.
Proof. intros H. apply andb_prop in H as [H _]. apply Z.eqb_eq in H. intros w W _. lia. Qed.

Definition teaching_dimension : kind.
Proof.
  refine {|
    title := "teaching_dimension"; parameters := [];
    ask := fun instance _ => rows_of instance; number := at_least_integer (-1);
    lower := teaching_lower; upper := teaching_upper;
    lower_means q v := enough_at_least (teachable (fst q) (table (fst q) (map bit (snd q)))) v;
    upper_means q v := enough_at_most (teachable (fst q) (table (fst q) (map bit (snd q)))) v
  |}.
  - intros [n rows] v name data H. cbn [fst snd]. unfold teaching_lower in H.
    destruct (String.eqb name "trivial"); [eapply trivial_enough, H|].
    apply andb_prop in H as [_ H]. unfold about_concept in H. cbn [fst snd] in H.
    destruct (fields _ data) as [[|c [|s [|]]]|]; try discriminate.
    destruct (place _ c) as [c'|]; [|discriminate]. destruct (index _ s) as [k|]; [|discriminate].
    destruct (entry _ c') as [r|] eqn:E; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. eapply check_concept_sound; [eapply entry_in, E|exact H].
  - intros [n rows] v name data H. cbn [fst snd]. apply andb_prop in H as [_ H]. cbn [fst snd] in H.
    destruct (fields _ data) as [[|s [|]]|]; try discriminate.
    destruct (sets_of _ s) as [sets|]; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. apply check_sets_sound, H.
Defined.

Definition recursive_lower (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "trivial" then is_trivial v data
  else String.eqb name "subclass" && about_subclass q v data.
Definition recursive_upper (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  String.eqb name "plan" &&
  match fields ["concepts"; "sets"]%string data with
  | Some [c; s] =>
      match list_of (place (size (snd q))) c, sets_of (fst q) s with
      | Some c, Some sets =>
          match rows_at (snd q) c with
          | Some order => (v =? largest sets)%Z && distinct (snd q) && covers (snd q) order
                          && plans (fst q) order sets
          | None => false
          end
      | _, _ => false
      end
  | _ => false
  end.

Definition recursive_teaching_dimension : kind.
Proof.
  refine {|
    title := "recursive_teaching_dimension"; parameters := [];
    ask := fun instance _ => rows_of instance; number := at_least_integer (-1);
    lower := recursive_lower; upper := recursive_upper;
    lower_means q v := enough_at_least (plannable (fst q) (table (fst q) (map bit (snd q)))) v;
    upper_means q v := enough_at_most (plannable (fst q) (table (fst q) (map bit (snd q)))) v
  |}.
  - intros [n rows] v name data H. cbn [fst snd]. unfold recursive_lower in H.
    destruct (String.eqb name "trivial"); [eapply trivial_enough, H|].
    apply andb_prop in H as [_ H]. unfold about_subclass in H. cbn [fst snd] in H.
    destruct (fields _ data) as [[|c [|s [|]]]|]; try discriminate.
    destruct (list_of _ c) as [c'|]; [|discriminate]. destruct (index _ s) as [k|]; [|discriminate].
    destruct (rows_at rows c') as [chosen|] eqn:E; [|discriminate]. apply andb_prop in H as [V H].
    apply andb_prop in H as [_ H]. apply Z.eqb_eq in V. subst v. eapply check_subclass_sound; [eapply rows_at_in, E|exact H].
  - intros [n rows] v name data H. cbn [fst snd]. apply andb_prop in H as [_ H]. cbn [fst snd] in H.
    destruct (fields _ data) as [[|c [|s [|]]]|]; try discriminate.
    destruct (list_of _ c) as [c'|]; [|discriminate]. destruct (sets_of _ s) as [sets|]; [|discriminate].
    destruct (rows_at rows c') as [order|] eqn:E; [|discriminate].
    apply andb_prop in H as [H P]. apply andb_prop in H as [H O]. apply andb_prop in H as [V D].
    apply Z.eqb_eq in V. subst v. apply check_plan_sound with (order := order);
      [eapply rows_at_in, E|apply distinct_spec, D|exact O|exact P].
Defined.
