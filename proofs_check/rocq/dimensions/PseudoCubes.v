(* The Daniely-Shalev-Shwartz dimension: a pseudo-cube from below; from above sets of points grow, and only
   rows of the largest pseudo-cube on the points so far are kept. *)
From Coq Require Import String List Arith PArith NArith ZArith Lia Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Json Certificate Tables Sorting Arrays Labels.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- rows as lists of numbers: 0 where a concept is undefined, and a label plus 1 elsewhere ---- *)

Definition mark (v : option N) : N := match v with Some y => N.succ y | None => 0%N end.
Lemma mark_inj v w : mark v = mark w <-> v = w.
Proof. destruct v as [a|], w as [b|]; cbn; split; intros H; try congruence; try lia. f_equal. lia. Qed.
Definition marked (r : label_row) : list N := map mark r.
Lemma marked_nth r x : nth x (marked r) 0%N = mark (nth x r None).
Proof. unfold marked. rewrite <- (map_nth mark). reflexivity. Qed.

(* ---- from below ---- *)

Fixpoint differ_only_at (r s : list N) (x : nat) (columns : list nat) : bool :=
  match columns with
  | [] => true
  | y :: columns' => Bool.eqb (nth y r 0 =? nth y s 0)%N (negb (y =? x)) && differ_only_at r s x columns'
  end.
Definition check_cube (n : nat) (columns : list nat) (cube : list (list N)) : bool :=
  match cube with
  | [] => false
  | _ => distinct (map N.of_nat columns) && forallb (fun x => x <? n) columns
         && forallb (fun r => forallb (fun x => existsb (fun s => differ_only_at r s x columns) cube) columns) cube
  end.

Lemma differ_only_at_spec r s x : forall columns, differ_only_at r s x columns = true ->
  forall y, In y columns -> (nth y s 0%N = nth y r 0%N <-> y <> x).
Proof.
  induction columns as [|z columns IH]; intros H y Hy; [destruct Hy|]. cbn [differ_only_at] in H.
  apply andb_prop in H as [E H]. destruct Hy as [->|Hy]; [|apply IH; assumption].
  apply eqb_prop in E. destruct (N.eqb_spec (nth y r 0%N) (nth y s 0%N)), (Nat.eqb_spec y x); try discriminate;
    split; congruence.
Qed.

Theorem check_cube_sound n rows columns cube : (forall r, In r cube -> In r rows) ->
  check_cube n columns (map marked cube) = true -> pseudo_cubes n (label_table rows) (length columns).
Proof.
  intros I H. unfold check_cube in H. destruct (map marked cube) as [|r0 rest] eqn:M; [discriminate|]. rewrite <- M in H.
  apply andb_prop in H as [H C]. apply andb_prop in H as [D B]. apply distinct_spec, NoDup_map_inv in D.
  rewrite forallb_forall in B, C.
  exists (fun i => nth i columns 0), (map (fun r x => nth x r None) cube). split; [|split].
  - intros i Hi. apply Nat.ltb_lt, B, nth_In, Hi.
  - destruct cube; discriminate.
  - intros h Hh. apply in_map_iff in Hh as [r [<- Hr]]. split; [exists r; split; [apply I, Hr|reflexivity]|].
    intros i Hi. specialize (C _ (in_map marked _ _ Hr)). rewrite forallb_forall in C.
    specialize (C _ (nth_In columns 0 Hi)). apply existsb_exists in C as [s [Hs C]].
    apply in_map_iff in Hs as [g [<- Hg]].
    exists (fun x => nth x g None). split; [apply (in_map (fun r x => nth x r None)), Hg|].
    intros j Hj. pose proof (differ_only_at_spec _ _ _ _ C _ (nth_In columns 0 Hj)) as E.
    rewrite !marked_nth, mark_inj in E. rewrite E. rewrite (NoDup_nth columns 0) in D.
    split; intros Ne Q; apply Ne; [congruence|apply D; assumption].
Qed.

(* ---- from above ---- *)

Definition restricted (columns : list nat) (r : list N) : list N := map (fun x => nth x r 0%N) columns.
(* a number for the labels on all columns but number t *)
Definition code (base : N) (t : nat) (cut : list N) : N := fold_left (fun a y => a * base + y)%N (update cut t 0%N) 0%N.

(* for each code one label on column number t, and whether there is another one *)
Definition seen := PositiveMap.t (N * bool).
Definition see (base : N) (t : nat) (s : seen) (cut : list N) : seen :=
  let k := key (code base t cut) in
  let y := nth t cut 0%N in
  match PositiveMap.find k s with
  | None => PositiveMap.add k (y, false) s
  | Some (z, more) => if more then s else if (z =? y)%N then s else PositiveMap.add k (z, true) s
  end.
Definition varies (base : N) (t : nat) (s : seen) (cut : list N) : bool :=
  match PositiveMap.find (key (code base t cut)) s with Some (_, more) => more | None => false end.

Definition cut_row := (list N * list N)%type.                (* the labels on the columns, and the row *)
Definition peel_at (base : N) (kept : list cut_row) (t : nat) : list cut_row :=
  let s := fold_left (fun s p => see base t s (fst p)) kept (PositiveMap.empty (N * bool)) in
  filter (fun p => varies base t s (fst p)) kept.
Fixpoint peel (fuel : nat) (base : N) (places : list nat) (kept : list cut_row) : list cut_row :=
  match fuel with
  | O => kept
  | S fuel' => let less := fold_left (peel_at base) places kept in
               if (size less =? size kept)%N then less else peel fuel' base places less
  end.
Definition peeled (base : N) (columns : list nat) (rows : list (list N)) : list (list N) :=
  map snd (peel (length rows) base (seq 0 (length columns)) (map (fun r => (restricted columns r, r)) rows)).

Fixpoint no_cube (base least : N) (more : nat) (chosen : list nat) (rows : list (list N)) (after : list nat) : bool :=
  if (size rows <? least)%N then true else
  match more with
  | O => false
  | S more' =>
      (fix go (l : list nat) : bool :=
        match l with
        | [] => true
        | x :: l' =>
            (if length l' <? more' then true
             else no_cube base least more' (x :: chosen) (peeled base (x :: chosen) rows) l') && go l'
        end) after
  end.

(* ---- pseudo-cubes ---- *)

Definition cube_on (T : list nat) (Q : list N -> Prop) : Prop := (exists r, Q r) /\
  forall r x, Q r -> In x T -> exists s, Q s /\ forall y, In y T -> (nth y s 0%N = nth y r 0%N <-> y <> x).

Lemma cube_on_size : forall T Q rows, NoDup T -> cube_on T Q -> (forall r, Q r -> In r rows) ->
  (2 ^ N.of_nat (length T) <= size rows)%N.
Proof.
  induction T as [|x T IH]; intros Q rows D [[r0 H0] C] I.
  - rewrite size_length. apply I in H0. destruct rows; [destruct H0|cbn; lia].
  - inversion D as [|? ? Nx D']; subst. destruct (C r0 x H0 (or_introl eq_refl)) as [s0 [G0 E0]].
    assert (forall r, Q r -> (2 ^ N.of_nat (length T) <=
      size (filter (fun s => (nth x s 0 =? nth x r 0)%N) rows))%N) as Half.
    { intros r Hr. apply (IH (fun s => Q s /\ nth x s 0%N = nth x r 0%N)).
      - exact D'.
      - split; [exists r; auto|]. intros s y [Hs Es] Hy. destruct (C s y Hs (or_intror Hy)) as [g [Hg E]].
        exists g. split.
        + split; [exact Hg|]. rewrite <- Es. apply E; [left; reflexivity|]. intros ->. contradiction.
        + intros z Hz. apply E. right. exact Hz.
      - intros s [Hs Es]. apply filter_In. split; [apply I, Hs|apply N.eqb_eq, Es]. }
    cbn [length]. rewrite Nat2N.inj_succ, N.pow_succ_r'.
    pose proof (Half r0 H0) as A. pose proof (Half s0 G0) as B.
    pose proof (size_filter (fun s => (nth x s 0 =? nth x r0 0)%N) rows) as S.
    assert (size (filter (fun s => (nth x s 0 =? nth x s0 0)%N) rows) <=
            size (filter (fun s => negb (nth x s 0 =? nth x r0 0)%N) rows))%N as L; [|lia].
    assert (nth x s0 0%N <> nth x r0 0%N) as Ne.
    { intros Q0. apply (E0 x (or_introl eq_refl)) in Q0. contradiction. }
    clear - Ne. rewrite !size_length. induction rows as [|s rows IH]; [cbn; lia|]. cbn [filter].
    destruct (N.eqb_spec (nth x s 0%N) (nth x s0 0%N)) as [E|E].
    + rewrite E. destruct (N.eqb_spec (nth x s0 0%N) (nth x r0 0%N)); [contradiction|]. cbn [negb length]. lia.
    + destruct (negb _); cbn [length]; lia.
Qed.
Lemma cube_on_part T U Q : incl U T -> cube_on T Q -> cube_on U Q.
Proof.
  intros I [E C]. split; [exact E|]. intros r x Hr Hx. destruct (C r x Hr (I x Hx)) as [s [Hs M]].
  exists s. split; [exact Hs|]. intros y Hy. apply M, I, Hy.
Qed.

Lemma NoDup_parts {A} (l l' : list A) : NoDup (l ++ l') -> NoDup l /\ NoDup l'.
Proof.
  induction l as [|a l IH]; cbn [app]; intros D; [split; [constructor|exact D]|].
  inversion D as [|? ? Na D']; subst. destruct (IH D') as [D1 D2]. split; [|exact D2].
  constructor; [|exact D1]. intros H. apply Na, in_or_app. left. exact H.
Qed.

(* ---- no row of a pseudo-cube is removed ---- *)

Lemma see_spec base t : forall (kept : list cut_row) s, (forall p, In p kept ->
    match PositiveMap.find (key (code base t (fst p))) (fold_left (fun s p => see base t s (fst p)) kept s) with
    | None => False
    | Some (z, more) => more = true \/ nth t (fst p) 0%N = z
    end) /\
  forall k z, PositiveMap.find k s = Some (z, true) \/ PositiveMap.find k s = Some (z, false) ->
    exists more, PositiveMap.find k (fold_left (fun s p => see base t s (fst p)) kept s) = Some (z, more) /\
      (PositiveMap.find k s = Some (z, true) -> more = true).
Proof.
  induction kept as [|p kept IH]; intros s.
  - split; [intros p []|]. intros k z [H|H]; cbn [fold_left]; rewrite H; eexists; (split; [reflexivity|congruence]).
  - cbn [fold_left]. set (s1 := see base t s (fst p)). destruct (IH s1) as [A B]. clear IH.
    assert (forall k z more, PositiveMap.find k s = Some (z, more) -> exists more', PositiveMap.find k s1 = Some (z, more')
      /\ (more = true -> more' = true)) as Keep.
    { intros k z more E. unfold s1, see. destruct (Pos.eq_dec (key (code base t (fst p))) k) as [<-|Ne].
      - rewrite E. destruct more; [exists true; auto|].
        destruct (z =? nth t (fst p) 0)%N; [exists false; auto|]. exists true. rewrite PositiveMap.gss. auto.
      - exists more. split; [|auto].
        destruct (PositiveMap.find (key (code base t (fst p))) s) as [[z' [|]]|]; [exact E| |].
        + destruct (z' =? nth t (fst p) 0)%N; [exact E|]. rewrite PositiveMap.gso by congruence. exact E.
        + rewrite PositiveMap.gso by congruence. exact E. }
    split.
    + intros q [<-|Hq]; [|apply A, Hq].
      assert (exists z more, PositiveMap.find (key (code base t (fst p))) s1 = Some (z, more) /\
        (more = true \/ nth t (fst p) 0%N = z)) as [z [more [E M]]].
      { unfold s1, see. destruct (PositiveMap.find (key (code base t (fst p))) s) as [[z [|]]|] eqn:E.
        - exists z, true. auto.
        - destruct (N.eqb_spec z (nth t (fst p) 0%N)) as [->|Ne].
          + eexists _, false. split; [exact E|auto].
          + exists z, true. rewrite PositiveMap.gss. auto.
        - eexists _, false. rewrite PositiveMap.gss. auto. }
      destruct (B (key (code base t (fst p))) z) as [more' [E' I]]; [destruct more; auto|].
      rewrite E'. destruct M as [->|M]; auto.
    + intros k z H. assert (exists more, PositiveMap.find k s = Some (z, more)) as [more E] by (destruct H; eauto).
      destruct (Keep k z more E) as [m1 [E1 K1]]. destruct (B k z) as [m2 [E2 K2]]; [destruct m1; auto|].
      exists m2. split; [exact E2|]. intros T. rewrite E in T. injection T as ->. rewrite (K1 eq_refl) in E1. auto.
Qed.

Lemma varies_spec base t (kept : list cut_row) p q : In p kept -> In q kept ->
  code base t (fst p) = code base t (fst q) -> nth t (fst p) 0%N <> nth t (fst q) 0%N ->
  varies base t (fold_left (fun s p => see base t s (fst p)) kept (PositiveMap.empty (N * bool))) (fst p) = true.
Proof.
  intros Hp Hq E Ne. unfold varies. destruct (see_spec base t kept (PositiveMap.empty (N * bool))) as [A _].
  pose proof (A p Hp) as P. pose proof (A q Hq) as Q. rewrite <- E in Q.
  destruct (PositiveMap.find _ _) as [[z more]|]; [|contradiction].
  destruct P as [P|P]; [exact P|]. destruct Q as [Q|Q]; [exact Q|]. congruence.
Qed.

Lemma restricted_nth columns r t : t < length columns -> nth t (restricted columns r) 0%N = nth (nth t columns 0) r 0%N.
Proof.
  intros H. unfold restricted. rewrite (nth_indep _ 0%N (nth 0 r 0%N)) by (rewrite map_length; exact H).
  rewrite (map_nth (fun x => nth x r 0%N)). reflexivity.
Qed.

Section Peeling.
Variables (base : N) (columns : list nat) (Q : list N -> Prop).
Hypothesis different : NoDup columns.
Hypothesis cube : cube_on columns Q.

Definition holds_cube (kept : list cut_row) := forall r, Q r -> In (restricted columns r, r) kept.

Lemma peel_at_keeps kept t : t < length columns -> holds_cube kept -> holds_cube (peel_at base kept t).
Proof.
  intros Ht H r Hr. unfold peel_at. apply filter_In. split; [apply H, Hr|].
  destruct (proj2 cube r (nth t columns 0) Hr (nth_In _ _ Ht)) as [s [Hs E]].
  apply varies_spec with (q := (restricted columns s, s)); [apply H, Hr|apply H, Hs| |]; cbn [fst].
  - unfold code. f_equal.
    assert (forall q, length (restricted columns q) = length columns) as Len by (intros q; apply map_length).
    apply nth_ext with (d := 0%N) (d' := 0%N); [rewrite !update_length, !Len; reflexivity|].
    intros i Hi. rewrite update_length, Len in Hi. rewrite !update_nth, !Len.
    destruct (Nat.eqb_spec i t) as [->|Ne]; cbn [andb].
    + replace (t <? length columns) with true by (symmetry; apply Nat.ltb_lt, Ht). reflexivity.
    + rewrite !restricted_nth by exact Hi. symmetry. apply E; [apply nth_In, Hi|]. intros Z. apply Ne.
      rewrite (NoDup_nth columns 0) in different. apply different; assumption.
  - rewrite !restricted_nth by exact Ht. intros Z. symmetry in Z. apply E in Z; [|apply nth_In, Ht]. contradiction.
Qed.
Lemma peel_keeps places : (forall t, In t places -> t < length columns) -> forall fuel kept, holds_cube kept ->
  holds_cube (peel fuel base places kept).
Proof.
  intros B. assert (forall places, (forall t, In t places -> t < length columns) -> forall kept, holds_cube kept ->
    holds_cube (fold_left (peel_at base) places kept)) as F.
  { clear - different cube. induction places as [|t places IH]; intros B kept H; [exact H|]. cbn [fold_left].
    apply IH; [intros u Hu; apply B; right; exact Hu|]. apply peel_at_keeps; [apply B; left; reflexivity|exact H]. }
  induction fuel as [|fuel IH]; intros kept H; [exact H|]. cbn [peel]. cbv zeta. destruct (_ =? _)%N.
  - apply F; assumption.
  - apply IH, F; assumption.
Qed.
Lemma peeled_keeps rows : (forall r, Q r -> In r rows) -> forall r, Q r -> In r (peeled base columns rows).
Proof.
  intros I r Hr. unfold peeled. apply in_map_iff. exists (restricted columns r, r). split; [reflexivity|].
  apply peel_keeps; [intros t Ht; apply in_seq in Ht; lia| |exact Hr].
  intros s Hs. apply (in_map (fun r => (restricted columns r, r))), I, Hs.
Qed.
End Peeling.

Theorem no_cube_sound base : forall more chosen rows after T Q,
  no_cube base (2 ^ N.of_nat (length chosen + more))%N more chosen rows after = true ->
  NoDup (chosen ++ T) -> length T = more -> incl T after -> cube_on (chosen ++ T) Q -> (forall r, Q r -> In r rows) -> False.
Proof.
  induction more as [|more IH]; intros chosen rows after T Q H D L J C I; cbn [no_cube] in H.
  - destruct (N.ltb_spec (size rows) (2 ^ N.of_nat (length chosen + 0))) as [Few|_]; [|discriminate].
    pose proof (cube_on_size _ _ _ D C I) as S. rewrite app_length, L in S. lia.
  - destruct (N.ltb_spec (size rows) (2 ^ N.of_nat (length chosen + S more))) as [Few|_].
    { pose proof (cube_on_size _ _ _ D C I) as S. rewrite app_length, L in S. lia. }
    revert H J. induction after as [|x after IHa]; intros H J.
    + destruct T as [|x T]; [discriminate|]. destruct (J x (or_introl eq_refl)).
    + apply andb_prop in H as [H H']. destruct (in_dec Nat.eq_dec x T) as [Hx|Hx].
      * apply in_split in Hx as [A [B ->]].
        assert (Permutation.Permutation (chosen ++ A ++ x :: B) ((x :: chosen) ++ A ++ B)) as P.
        { rewrite (Permutation.Permutation_app_comm chosen). rewrite <- app_assoc. cbn [app].
          rewrite <- Permutation.Permutation_middle. apply Permutation.perm_skip.
          rewrite app_assoc. apply Permutation.Permutation_app_comm. }
        assert (NoDup ((x :: chosen) ++ A ++ B)) as D1 by (eapply Permutation.Permutation_NoDup; eassumption).
        assert (cube_on ((x :: chosen) ++ A ++ B) Q) as C1.
        { eapply cube_on_part; [|exact C]. intros y Hy. eapply Permutation.Permutation_in; [symmetry; exact P|exact Hy]. }
        assert (length (A ++ B) = more) as L1 by (rewrite app_length in *; cbn in L; lia).
        assert (incl (A ++ B) after) as J1.
        { intros y Hy. destruct (J y) as [->|K]; [apply in_app_or in Hy; apply in_or_app; cbn; tauto| |exact K].
          inversion D1 as [|? ? Ny _]; subst. exfalso. apply Ny, in_or_app. right. exact Hy. }
        assert (more <= length after) as Enough.
        { rewrite <- L1. apply NoDup_incl_length; [apply (NoDup_parts _ _ D1)|exact J1]. }
        destruct (Nat.ltb_spec (length after) more) as [|_]; [lia|].
        refine (IH (x :: chosen) _ _ (A ++ B) Q _ D1 L1 J1 C1 _).
        { cbn [length]. replace (S (length chosen) + more) with (length chosen + S more) by lia. exact H. }
        apply peeled_keeps; [|eapply cube_on_part; [|exact C1]|exact I].
        -- apply (NoDup_parts _ _ D1).
        -- intros y Hy. apply in_or_app. left. exact Hy.
      * apply IHa; [exact H'|]. intros y Hy. destruct (J y Hy) as [->|K]; [contradiction|exact K].
Qed.

Definition check_no_cube (n : nat) (labels : N) (rows : list label_row) (wanted : N) : bool :=
  (if (wanted <=? N.of_nat n)%N
   then no_cube (labels + 1) (2 ^ wanted) (N.to_nat wanted) [] (map marked rows) (seq 0 n) else true).

Theorem check_no_cube_sound n labels rows wanted : check_no_cube n labels rows wanted = true ->
  dimension_at_most (pseudo_cubes n (label_table rows)) (Z.of_N wanted - 1).
Proof.
  intros H. split; [lia|]. intros d [point [cube [B [NE C]]]].
  destruct (Z.le_gt_cases (Z.of_nat d) (Z.of_N wanted - 1)) as [|L]; [assumption|exfalso].
  set (k := N.to_nat wanted). assert (k <= d) as Lk by lia.
  assert (forall i j, i < d -> j < d -> point i = point j -> i = j) as Inj.
  { intros i j Hi Hj E. destruct cube as [|h cube]; [contradiction|].
    destruct (C h (or_introl eq_refl)) as [_ N]. destruct (N i Hi) as [g [_ M]].
    destruct (Nat.eq_dec i j) as [|Ne]; [assumption|exfalso].
    apply (proj1 (M i Hi)); [|reflexivity]. rewrite E. apply M; auto. }
  assert (NoDup (map point (seq 0 k))) as D.
  { apply NoDup_map_on; [|apply seq_NoDup]. intros i j Hi Hj. apply in_seq in Hi, Hj. apply Inj; lia. }
  assert (incl (map point (seq 0 k)) (seq 0 n)) as J.
  { intros x Hx. apply in_map_iff in Hx as [i [<- Hi]]. apply in_seq in Hi. apply in_seq.
    specialize (B i ltac:(lia)). lia. }
  assert (length (map point (seq 0 k)) = k) as Lm by (rewrite map_length, seq_length; reflexivity).
  unfold check_no_cube in H. destruct (N.leb_spec wanted (N.of_nat n)) as [_|Many].
  - replace (2 ^ wanted)%N with (2 ^ N.of_nat (length (@nil nat) + k))%N in H by (cbn [length Nat.add]; f_equal; lia).
    refine (no_cube_sound _ _ [] _ _ (map point (seq 0 k))
      (fun m => exists h r, In h cube /\ In r rows /\ m = marked r /\ forall x, h x = nth x r None) H D Lm J _ _).
    + split.
      * destruct cube as [|h cube]; [contradiction|]. destruct (C h (or_introl eq_refl)) as [[r [Hr E]] _].
        exists (marked r), h, r. split; [left; reflexivity|auto].
      * intros m x [h [r [Hh [Hr [-> E]]]]] Hx. apply in_map_iff in Hx as [i [<- Hi]]. apply in_seq in Hi.
        destruct (C h Hh) as [_ N]. destruct (N i ltac:(lia)) as [g [Hg M]]. destruct (C g Hg) as [[s [Hs G]] _].
        exists (marked s). split; [exists g, s; auto|]. intros y Hy. apply in_map_iff in Hy as [j [<- Hj]].
        apply in_seq in Hj. rewrite !marked_nth, mark_inj, <- E, <- G, (M j) by lia.
        split; intros Ne Z; apply Ne; [apply Inj; [lia..|exact Z]|congruence].
    + intros m [h [r [_ [Hr [-> _]]]]]. apply in_map, Hr.
  - apply NoDup_incl_length in J; [|exact D]. rewrite Lm, seq_length in J. lia.
Qed.

(* ---- certificates ---- *)

Definition lower_cube (n : nat) (rows : list label_row) (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "trivial" then is_trivial v data
  else String.eqb name "pseudo_cube" &&
    match fields ["columns"; "rows"]%string data with
    | Some [c; r] =>
        match list_of (index n) c, list_of (place (size rows)) r with
        | Some columns, Some r =>
            match rows_at rows r with
            | Some cube => (v =? Z.of_nat (length columns))%Z && (distinct r && check_cube n columns (map marked cube))
            | None => false
            end
        | _, _ => false
        end
    | _ => false
    end.
Definition upper_cube (n : nat) (labels : N) (rows : list label_row) (v : Z) (name : string) (data : json) : bool :=
  String.eqb name "extension" &&
  match fields ["size"%string] data with
  | Some [s] => match natural s with
                | Some wanted => (v =? Z.of_N wanted - 1)%Z && check_no_cube n labels rows wanted
                | None => false
                end
  | _ => false
  end.

Definition ds_dimension : kind.
Proof.
  refine {|
    title := "ds_dimension"; parameters := [];
    question := nat * N * list label_row;
    ask instance _ := multiclass_of instance; number := at_least_integer (-1);
    lower q := lower_cube (fst (fst q)) (snd q);
    upper q := upper_cube (fst (fst q)) (snd (fst q)) (snd q);
    lower_means q v := dimension_at_least (pseudo_cubes (fst (fst q)) (label_table (snd q))) v;
    upper_means q v := dimension_at_most (pseudo_cubes (fst (fst q)) (label_table (snd q))) v
  |}.
  - intros [[n labels] rows] v name data H. cbn [fst snd]. unfold lower_cube in H. cbn [fst snd] in H.
    destruct (String.eqb name "trivial"); [eapply is_trivial_sound, H|]. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|c [|r [|]]]|]; try discriminate.
    destruct (list_of _ c) as [columns|]; [|discriminate]. destruct (list_of _ r) as [is|]; [|discriminate].
    destruct (rows_at rows is) as [cube|] eqn:E; [|discriminate]. apply andb_prop in H as [V H].
    apply andb_prop in H as [_ H]. apply Z.eqb_eq in V. subst v. intros _. rewrite Nat2Z.id.
    eapply check_cube_sound; [eapply rows_at_in, E|exact H].
  - intros [[n labels] rows] v name data H. cbn [fst snd]. unfold upper_cube in H. cbn [fst snd] in H.
    apply andb_prop in H as [_ H]. destruct (fields _ data) as [[|s [|]]|]; try discriminate.
    destruct (natural s) as [wanted|]; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. eapply check_no_cube_sound, H.
Defined.
