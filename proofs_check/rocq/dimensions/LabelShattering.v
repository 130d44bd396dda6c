(* The VC dimension of partial classes and the Natarajan dimension: points with two labels each from below;
   from above sets of points grow, with two labels each that enough rows of all cells have. *)
From Coq Require Import String List Arith PArith NArith ZArith Lia Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Json Certificate Tables Sorting Littlestone Labels.
Import ListNotations.
Local Open Scope nat_scope.

Definition pair_at := (nat * N * N)%type.                    (* a point, and its labels for 0 and 1 *)

(* ---- from below: row number i of the list has, on point number t, the label that (i >> t) & 1 chooses ---- *)

Fixpoint has_choice (i : N) (pairs : list pair_at) (r : label_row) : bool :=
  match pairs with
  | [] => true
  | (x, a, b) :: pairs' => is_label (nth x r None) (if N.odd i then b else a) && has_choice (N.div2 i) pairs' r
  end.
Fixpoint have_choices (i : N) (pairs : list pair_at) (l : list label_row) : bool :=
  match l with
  | [] => true
  | r :: l' => has_choice i pairs r && have_choices (N.succ i) pairs l'
  end.
Definition check_choices (n : nat) (pairs : list pair_at) (l : list label_row) : bool :=
  forallb (fun p => let '(x, a, b) := p in (x <? n) && negb (a =? b)%N) pairs
  && (size l =? 2 ^ N.of_nat (length pairs))%N && have_choices 0 pairs l.

Definition nowhere : pair_at := (0, 0%N, 0%N).
Definition point_of (pairs : list pair_at) (t : nat) : nat := fst (fst (nth t pairs nowhere)).
Definition label_of (pairs : list pair_at) (t : nat) (c : bool) : N :=
  let '(_, a, b) := nth t pairs nowhere in if c then b else a.

Lemma has_choice_spec r : forall pairs i, has_choice i pairs r = true ->
  forall t, t < length pairs -> nth (point_of pairs t) r None = Some (label_of pairs t (bit i t)).
Proof.
  induction pairs as [|[[x a] b] pairs IH]; intros i H t Ht; [cbn in Ht; lia|]. cbn [has_choice] in H.
  apply andb_prop in H as [E H]. destruct t as [|t].
  - unfold point_of, label_of. cbn [nth fst]. rewrite bit_odd. apply is_label_spec, E.
  - rewrite <- bit_div2. apply (IH _ H t). cbn in Ht. lia.
Qed.
Lemma have_choices_spec pairs : forall l i, have_choices i pairs l = true ->
  forall j, j < length l -> has_choice (i + N.of_nat j) pairs (nth j l []) = true.
Proof.
  induction l as [|r l IH]; intros i H j Hj; [cbn in Hj; lia|]. cbn [have_choices] in H.
  apply andb_prop in H as [E H]. destruct j as [|j]; cbn [nth].
  - rewrite N.add_0_r. exact E.
  - replace (i + N.of_nat (S j))%N with (N.succ i + N.of_nat j)%N by lia. apply IH; [exact H|cbn in Hj; lia].
Qed.

Lemma number_of_below l : (number_of l < 2 ^ N.of_nat (length l))%N.
Proof.
  induction l as [|b l IH]; [cbn; lia|]. cbn [number_of length]. rewrite Nat2N.inj_succ, N.pow_succ_r'.
  destruct b; [rewrite N.succ_double_spec|rewrite N.double_spec]; lia.
Qed.

Theorem check_choices_sound n rows pairs l : (forall r, In r l -> In r rows) -> check_choices n pairs l = true ->
  label_shattered n (label_table rows) (length pairs).
Proof.
  unfold check_choices. intros I H. apply andb_prop in H as [H A]. apply andb_prop in H as [B E].
  apply N.eqb_eq in E. rewrite size_length in E. rewrite forallb_forall in B.
  exists (point_of pairs), (label_of pairs). split.
  - intros t Ht. specialize (B (nth t pairs nowhere) (nth_In _ _ Ht)). unfold point_of, label_of.
    destruct (nth t pairs nowhere) as [[x a] b]. apply andb_prop in B as [L N].
    apply Nat.ltb_lt in L. apply negb_true_iff, N.eqb_neq in N. auto.
  - intros choice. set (i := number_of (map choice (seq 0 (length pairs)))).
    pose proof (number_of_below (map choice (seq 0 (length pairs)))) as Hi.
    rewrite map_length, seq_length in Hi. fold i in Hi.
    assert (N.to_nat i < length l) as Li by lia.
    exists (fun x => nth x (nth (N.to_nat i) l []) None). split.
    + exists (nth (N.to_nat i) l []). split; [apply I, nth_In, Li|reflexivity].
    + intros t Ht. rewrite (has_choice_spec _ _ _ (have_choices_spec _ _ _ A _ Li) t Ht).
      rewrite N2Nat.id, N.add_0_l. do 2 f_equal. unfold i. rewrite number_of_bit.
      rewrite (nth_indep _ false (choice 0)) by (rewrite map_length, seq_length; exact Ht).
      rewrite (map_nth choice), seq_nth by exact Ht. reflexivity.
Qed.

(* ---- from above ---- *)

Fixpoint each_pair (p : N -> N -> bool) (l : list N) : bool :=
  match l with [] => true | a :: l' => forallb (p a) l' && each_pair p l' end.
Lemma each_pair_in p a b : forall l, each_pair p l = true -> In a l -> In b l -> a <> b ->
  p a b = true \/ p b a = true.
Proof.
  induction l as [|c l IH]; intros H A B Ne; [destruct A|]. cbn [each_pair] in H.
  apply andb_prop in H as [F H]. rewrite forallb_forall in F.
  destruct A as [->|A], B as [->|B]; [contradiction|auto..].
Qed.

Definition frequent (half : N) (cells : list N) (s : N) : bool :=
  forallb (fun V => (half <=? count_ones (N.land V s))%N) cells.
Definition several {A} (l : list A) : bool := match l with _ :: _ :: _ => true | _ => false end.
Definition halved (cells : list N) (a b : N) : list N := flat_map (fun V => [N.land V a; N.land V b]) cells.

(* no columns that are left, so many with two labels each, split all cells in all ways *)
Fixpoint no_more (more : nat) (cells : list N) (among : list (list N)) : bool :=
  match more with
  | O => false
  | S more' =>
      let half := (2 ^ N.of_nat more')%N in
      let kept := filter several (map (filter (frequent half cells)) among) in
      (fix go (l : list (list N)) : bool :=
        match l with
        | [] => true
        | often :: rest =>
            (if length rest <? more' then true
             else each_pair (fun a b => no_more more' (halved cells a b) rest) often) && go rest
        end) kept
  end.

Section Growing.
(* the sets of rows that the two choices for each point leave *)
Variable S2 : nat -> bool -> N.
Hypothesis apart : forall t j, bit (S2 t false) j = true -> bit (S2 t true) j = true -> False.

Definition takes (T : list nat) (V : N) : Prop := forall choice : nat -> bool,
  exists j, bit V j = true /\ forall t, In t T -> bit (S2 t (choice t)) j = true.

Lemma takes_side t T V c : ~ In t T -> takes (t :: T) V -> takes T (N.land V (S2 t c)).
Proof.
  intros N H choice. destruct (H (fun u => if u =? t then c else choice u)) as [j [B M]].
  exists j. split.
  - rewrite land_bit, B. specialize (M t (or_introl eq_refl)). rewrite Nat.eqb_refl in M. exact M.
  - intros u Hu. specialize (M u (or_intror Hu)). cbv beta in M.
    destruct (Nat.eqb_spec u t) as [E|]; [rewrite E in Hu; contradiction|exact M].
Qed.
Lemma takes_count : forall T V, NoDup T -> takes T V -> (2 ^ N.of_nat (length T) <= count_ones V)%N.
Proof.
  induction T as [|t T IH]; intros V D H.
  - destruct (H (fun _ => true)) as [j [B _]]. apply count_ones_positive in B. exact B.
  - inversion D as [|? ? Nt D']; subst.
    pose proof (IH _ D' (takes_side t T V false Nt H)) as H0.
    pose proof (IH _ D' (takes_side t T V true Nt H)) as H1.
    cbn [length]. rewrite Nat2N.inj_succ, N.pow_succ_r'.
    cut (count_ones (N.land V (S2 t false)) + count_ones (N.land V (S2 t true)) <= count_ones V)%N; [lia|].
    apply count_ones_disjoint; intros j; rewrite !land_bit, ?andb_true_iff; [tauto..|].
    intros [_ A] [_ B]. exact (apart t j A B).
Qed.
Lemma takes_same T U V : (forall t, In t T <-> In t U) -> takes T V -> takes U V.
Proof.
  intros E H choice. destruct (H choice) as [j [B M]]. exists j. split; [exact B|]. intros t Ht. apply M, E, Ht.
Qed.
Lemma takes_part T t V c : NoDup T -> In t T -> takes T V ->
  NoDup (remove Nat.eq_dec t T) /\ length T = S (length (remove Nat.eq_dec t T)) /\
  takes (remove Nat.eq_dec t T) (N.land V (S2 t c)).
Proof.
  intros D I H. apply in_split in I as [A [B ->]]. pose proof (NoDup_remove_1 _ _ _ D) as D1.
  pose proof (NoDup_remove_2 _ _ _ D) as D2.
  assert (remove Nat.eq_dec t (A ++ t :: B) = A ++ B) as ->.
  { rewrite remove_app. cbn [remove]. destruct (Nat.eq_dec t t) as [_|]; [|contradiction].
    rewrite !notin_remove; [reflexivity|intros Q; apply D2, in_or_app; auto..]. }
  split; [exact D1|]. split; [rewrite !app_length; cbn; lia|]. apply takes_side; [exact D2|].
  eapply takes_same; [|exact H]. intros u. rewrite in_app_iff. cbn. rewrite in_app_iff. tauto.
Qed.

(* the lists of sets of rows, one for each point, contain those of all points of T, in different lists *)
Definition listed (at_list : nat -> nat) (T : list nat) (among : list (list N)) : Prop :=
  (forall t u, In t T -> In u T -> at_list t = at_list u -> t = u) /\
  forall t, In t T -> exists l, nth_error among (at_list t) = Some l /\ In (S2 t false) l /\ In (S2 t true) l.

Lemma listed_nil at_list T : listed at_list T [] -> T = [].
Proof.
  intros [_ H]. destruct T as [|t T]; [reflexivity|]. destruct (H t (or_introl eq_refl)) as [l [E _]].
  destruct (at_list t); discriminate.
Qed.
Lemma listed_tail at_list T U l among : (forall t, In t U -> In t T /\ at_list t <> 0) ->
  listed at_list T (l :: among) -> listed (fun t => pred (at_list t)) U among.
Proof.
  intros I [J H]. split.
  - intros t u Ht Hu E. destruct (I t Ht) as [Ht' Zt], (I u Hu) as [Hu' Zu]. apply J; [assumption..|lia].
  - intros t Ht. apply I in Ht as [Ht Zt]. destruct (H t Ht) as [k [E K]].
    exists k. split; [|exact K]. destruct (at_list t) as [|i]; [contradiction|exact E].
Qed.
Lemma listed_filter (p : N -> bool) T : (forall t c, In t T -> p (S2 t c) = true) ->
  (forall t, In t T -> S2 t false <> S2 t true) -> forall among at_list, listed at_list T among ->
  exists at_kept, listed at_kept T (filter several (map (filter p) among)).
Proof.
  intros P Ne. revert T P Ne.
  assert (forall among T at_list, (forall t c, In t T -> p (S2 t c) = true) ->
    (forall t, In t T -> S2 t false <> S2 t true) -> listed at_list T among ->
    exists at_kept, listed at_kept T (filter several (map (filter p) among))) as G; [|intros; eapply G; eauto].
  induction among as [|l among IH]; intros T at_list P Ne H.
  - exists at_list. rewrite (listed_nil _ _ H). split; intros t; intros; contradiction.
  - set (U := filter (fun t => negb (at_list t =? 0)) T).
    assert (forall t, In t U <-> In t T /\ at_list t <> 0) as IU.
    { intros t. unfold U. rewrite filter_In, negb_true_iff, Nat.eqb_neq. tauto. }
    destruct (IH U (fun t => pred (at_list t))) as [kept [KJ KH]].
    + intros t c Ht. apply P, IU, Ht.
    + intros t Ht. apply Ne, IU, Ht.
    + eapply listed_tail; [|exact H]. intros t Ht. apply IU, Ht.
    + destruct H as [J H]. cbn [map filter]. destruct (several (filter p l)) eqn:Q.
      * exists (fun t => if at_list t =? 0 then 0 else S (kept t)). split.
        -- intros t u Ht Hu E. destruct (Nat.eqb_spec (at_list t) 0), (Nat.eqb_spec (at_list u) 0);
             try discriminate; [apply J; congruence|]. apply KJ; [apply IU; auto..|congruence].
        -- intros t Ht. destruct (Nat.eqb_spec (at_list t) 0) as [Z|Z].
           ++ destruct (H t Ht) as [k [E [K0 K1]]]. rewrite Z in E. injection E as ->.
              exists (filter p k). split; [reflexivity|]. split; apply filter_In; auto.
           ++ apply KH, IU. auto.
      * exists kept. assert (forall t, In t T -> In t U) as All.
        { intros t Ht. apply IU. split; [exact Ht|]. intros Z. destruct (H t Ht) as [k [E [K0 K1]]].
          rewrite Z in E. injection E as ->.
          assert (In (S2 t false) (filter p k) /\ In (S2 t true) (filter p k)) as [F0 F1]
            by (split; apply filter_In; auto).
          specialize (Ne t Ht). destruct (filter p k) as [|a [|b m]];
            [contradiction|destruct F0 as [F0|[]], F1 as [F1|[]]; congruence|discriminate]. }
        split; [intros t u Ht Hu; apply KJ; auto|intros t Ht; apply KH, All, Ht].
Qed.

Theorem no_more_sound : forall more cells among, no_more more cells among = true ->
  forall T at_list, NoDup T -> length T = more -> listed at_list T among -> cells <> [] ->
  (forall V, In V cells -> takes T V) -> False.
Proof.
  induction more as [|more IH]; intros cells among H T at_list D L A NE K; cbn [no_more] in H; [discriminate|].
  assert (forall t V c, In t T -> In V cells -> takes (remove Nat.eq_dec t T) (N.land V (S2 t c))) as Part.
  { intros t V c Ht HV. apply (takes_part T t V c D Ht (K V HV)). }
  assert (forall t, In t T -> NoDup (remove Nat.eq_dec t T) /\ length (remove Nat.eq_dec t T) = more) as Size.
  { intros t Ht. destruct cells as [|V cells]; [contradiction|].
    destruct (takes_part T t V true D Ht (K V (or_introl eq_refl))) as [D1 [D2 _]]. split; [exact D1|lia]. }
  assert (forall t, In t T -> S2 t false <> S2 t true) as Ne.
  { intros t Ht E. destruct cells as [|V cells]; [contradiction|].
    destruct (K V (or_introl eq_refl) (fun _ => true)) as [j [_ M]]. apply (apart t j); [rewrite E|]; apply M, Ht. }
  destruct (listed_filter (frequent (2 ^ N.of_nat more) cells) T) with (among := among) (at_list := at_list)
    as [at_kept B]; [|exact Ne|exact A|].
  { intros t c Ht. apply forallb_forall. intros V HV. apply N.leb_le. destruct (Size t Ht) as [D1 L1].
    pose proof (takes_count _ _ D1 (Part t V c Ht HV)) as Q. rewrite L1 in Q. exact Q. }
  clear A at_list. cbv zeta in H. revert H at_kept B.
  generalize (filter several (map (filter (frequent (2 ^ N.of_nat more) cells)) among)). clear among.
  induction l as [|often rest IHl]; intros H at_kept B.
  - apply listed_nil in B. subst T. discriminate.
  - apply andb_prop in H as [H H']. destruct (existsb (fun t => at_kept t =? 0) T) eqn:Q.
    + apply existsb_exists in Q as [t [Ht Z]]. apply Nat.eqb_eq in Z. destruct (Size t Ht) as [D1 L1].
      assert (forall u, In u (remove Nat.eq_dec t T) -> In u T /\ at_kept u <> 0) as IU.
      { intros u Hu. apply in_remove in Hu as [Hu Nu]. split; [exact Hu|]. intros Zu. apply Nu.
        apply (proj1 B); congruence. }
      pose proof (listed_tail _ _ _ _ _ IU B) as B1.
      assert (more <= length rest) as Few.
      { rewrite <- L1, <- (seq_length (length rest) 0),
          <- (map_length (fun u => pred (at_kept u)) (remove Nat.eq_dec t T)).
        apply NoDup_incl_length.
        - apply NoDup_map_on; [|exact D1]. intros u v Hu Hv E. apply (proj1 B1); assumption.
        - intros i Hi. apply in_map_iff in Hi as [u [<- Hu]]. destruct (proj2 B1 u Hu) as [k [E _]].
          apply in_seq. split; [lia|]. apply nth_error_Some. congruence. }
      destruct (Nat.ltb_spec (length rest) more) as [|_]; [lia|].
      destruct (proj2 B t Ht) as [k [E [K0 K1]]]. rewrite Z in E. injection E as ->.
      destruct (each_pair_in _ _ _ _ H K0 K1 (Ne t Ht)) as [G|G];
        refine (IH _ _ G _ _ D1 L1 B1 _ _);
        try (destruct cells; [contradiction|discriminate]);
        intros V HV; apply in_flat_map in HV as [W [HW HV]]; destruct HV as [<-|[<-|[]]]; apply Part; assumption.
    + apply (IHl H' (fun t => pred (at_kept t))). eapply listed_tail; [|exact B].
      intros t Ht. split; [exact Ht|]. intros Z. assert (existsb (fun t => at_kept t =? 0) T = true); [|congruence].
      apply existsb_exists. exists t. rewrite Z. auto.
Qed.
End Growing.

Definition check_no_more (n : nat) (rows : list label_row) (wanted : N) : bool :=
  let everything := all_rows rows in
  fewer everything wanted
  || negb (wanted =? 0)%N
     && no_more (N.to_nat wanted) [everything] (map (fun s => map snd (PositiveMap.elements s)) (table_of_sides n rows)).

Theorem check_no_more_sound n rows wanted : check_no_more n rows wanted = true ->
  dimension_at_most (label_shattered n (label_table rows)) (Z.of_N wanted - 1).
Proof.
  intros H. split; [lia|]. intros d [point [label [P C]]].
  destruct (Z.le_gt_cases (Z.of_nat d) (Z.of_N wanted - 1)) as [|L]; [assumption|exfalso].
  set (k := N.to_nat wanted). assert (k <= d) as Lk by lia.
  set (columns := table_of_sides n rows).
  set (S2 := fun t c => if t <? k then side (nth (point t) columns (PositiveMap.empty N)) (label t c) else 0%N).
  assert (forall t, t < d -> exists s, nth_error columns (point t) = Some s) as Col.
  { intros t Ht. destruct (nth_error columns (point t)) as [s|] eqn:E; [eauto|].
    apply nth_error_None in E. unfold columns in E. rewrite table_of_sides_length in E. destruct (P t Ht). lia. }
  assert (forall t c j, bit (S2 t c) j = true <-> t < k /\ row_of rows j (point t) = Some (label t c)) as B.
  { intros t c j. unfold S2. destruct (Nat.ltb_spec t k) as [Ht|Ht]; [|destruct j; split; intuition (discriminate || lia)].
    destruct (Col t ltac:(lia)) as [s E]. rewrite (nth_error_nth _ _ _ E).
    destruct (table_of_sides_bit n rows _ _ (label t c) j E) as [_ Q]. rewrite Q. tauto. }
  assert (forall t j, bit (S2 t false) j = true -> bit (S2 t true) j = true -> False) as Apart.
  { intros t j H0 H1. apply B in H0 as [Ht E0], H1 as [_ E1]. destruct (P t ltac:(lia)) as [_ Ne]. congruence. }
  assert (takes S2 (seq 0 k) (all_rows rows)) as T.
  { intros choice. destruct (C choice) as [h [Ch M]]. apply label_table_rows_in in Ch as [j [Bj E]].
    exists j. split; [exact Bj|]. intros t Ht. apply in_seq in Ht. apply B. split; [lia|].
    rewrite <- E. apply M. lia. }
  assert (length (seq 0 k) = k) as Lseq by apply seq_length.
  pose proof (takes_count S2 Apart _ _ (seq_NoDup k 0) T) as Count. rewrite Lseq in Count.
  replace (N.of_nat k) with wanted in Count by lia. apply orb_prop in H as [H|H]; [apply fewer_spec in H; lia|].
  apply andb_prop in H as [_ H].
  refine (no_more_sound S2 Apart _ _ _ H (seq 0 k) point (seq_NoDup k 0) Lseq _ _ _); [|discriminate|].
  - split.
    + intros t u Ht Hu E. apply in_seq in Ht, Hu. destruct (Nat.eq_dec t u) as [|Ne]; [assumption|exfalso].
      assert (forall c c', label t c = label u c') as Q.
      { intros c c'. destruct (C (fun i => if i =? t then c else c')) as [h [_ M]].
        pose proof (M t ltac:(lia)) as Mt. pose proof (M u ltac:(lia)) as Mu. cbv beta in Mt, Mu.
        rewrite Nat.eqb_refl in Mt. destruct (Nat.eqb_spec u t) as [->|_]; [contradiction|]. congruence. }
      destruct (P t ltac:(lia)) as [_ D]. apply D. rewrite (Q false true), (Q true true). reflexivity.
    + intros t Ht. apply in_seq in Ht. destruct (Col t ltac:(lia)) as [s E].
      exists (map snd (PositiveMap.elements s)). split; [rewrite (map_nth_error _ _ _ E); reflexivity|].
      assert (forall c, In (S2 t c) (map snd (PositiveMap.elements s))) as I; [|auto].
      intros c. destruct (T (fun _ => c)) as [j [_ M]]. specialize (M t ltac:(apply in_seq; lia)). cbv beta in M.
      unfold S2 in *. destruct (Nat.ltb_spec t k) as [_|]; [|lia]. rewrite (nth_error_nth _ _ _ E) in *.
      unfold side in *. destruct (PositiveMap.find (key (label t c)) s) as [m|] eqn:F; [|destruct j; discriminate].
      apply PositiveMap.elements_correct in F. apply (in_map snd) in F. exact F.
  - intros V [<-|[]]. exact T.
Qed.

(* ---- certificates ---- *)

Definition binary_pair (n : nat) (j : json) : option pair_at := let* x := index n j in Some (x, 0%N, 1%N).
Definition labelled_pair (n : nat) (j : json) : option pair_at :=
  match j with
  | Array [x; a; b] => let* x := index n x in let* a := natural a in let* b := natural b in Some (x, a, b)
  | _ => None
  end.

Definition lower_choices (key : string) (read : nat -> json -> option pair_at) (n : nat) (rows : list label_row)
    (v : Z) (name : string) (data : json) : bool :=
  if String.eqb name "trivial" then is_trivial v data
  else String.eqb name "shattered" &&
    match fields [key; "rows"%string] data with
    | Some [p; r] =>
        match list_of (read n) p, list_of (place (size rows)) r with
        | Some pairs, Some r =>
            match rows_at rows r with
            | Some l => (v =? Z.of_nat (length pairs))%Z && check_choices n pairs l
            | None => false
            end
        | _, _ => false
        end
    | _ => false
    end.
Definition upper_choices (form : string) (n : nat) (rows : list label_row) (v : Z) (name : string) (data : json) : bool :=
  String.eqb name form &&
  match fields ["size"%string] data with
  | Some [s] => match natural s with
                | Some wanted => (v =? Z.of_N wanted - 1)%Z && check_no_more n rows wanted
                | None => false
                end
  | _ => false
  end.

Lemma lower_choices_sound key read n rows v name data : lower_choices key read n rows v name data = true ->
  dimension_at_least (label_shattered n (label_table rows)) v.
Proof.
  unfold lower_choices. destruct (String.eqb name "trivial"); [apply is_trivial_sound|].
  intros H. apply andb_prop in H as [_ H].
  destruct (fields _ data) as [[|p [|r [|]]]|]; try discriminate.
  destruct (list_of _ p) as [pairs|]; [|discriminate]. destruct (list_of _ r) as [is|]; [|discriminate].
  destruct (rows_at rows is) as [l|] eqn:E; [|discriminate]. apply andb_prop in H as [V H].
  apply Z.eqb_eq in V. subst v. intros _. rewrite Nat2Z.id.
  eapply check_choices_sound; [eapply rows_at_in, E|exact H].
Qed.
Lemma upper_choices_sound form n rows v name data : upper_choices form n rows v name data = true ->
  dimension_at_most (label_shattered n (label_table rows)) v.
Proof.
  unfold upper_choices. intros H. apply andb_prop in H as [_ H].
  destruct (fields _ data) as [[|s [|]]|]; try discriminate. destruct (natural s) as [wanted|]; [|discriminate].
  apply andb_prop in H as [V H]. apply Z.eqb_eq in V. subst v. apply check_no_more_sound, H.
Qed.

Definition partial_vc_dimension : kind.
Proof.
  refine {|
    title := "partial_vc_dimension"; parameters := [];
    question := nat * list label_row;
    ask instance _ := partial_class_of instance; number := at_least_integer (-1);
    lower q := lower_choices "columns" binary_pair (fst q) (snd q);
    upper q := upper_choices "counting" (fst q) (snd q);
    lower_means q v := dimension_at_least (label_shattered (fst q) (label_table (snd q))) v;
    upper_means q v := dimension_at_most (label_shattered (fst q) (label_table (snd q))) v
  |}.
  - intros q v name data. apply lower_choices_sound.
  - intros q v name data. apply upper_choices_sound.
Defined.

Definition partial_dual_vc_dimension : kind.
Proof.
  refine {|
    title := "partial_dual_vc_dimension"; parameters := [];
    question := nat * list label_row;
    ask instance _ := partial_class_of instance; number := at_least_integer (-1);
    lower q := lower_choices "columns" binary_pair (length (snd q)) (columns_by_labels (fst q) (snd q));
    upper q := upper_choices "counting" (length (snd q)) (columns_by_labels (fst q) (snd q));
    lower_means q v := dimension_at_least (label_shattered (length (snd q)) (label_table (label_dual (fst q) (snd q)))) v;
    upper_means q v := dimension_at_most (label_shattered (length (snd q)) (label_table (label_dual (fst q) (snd q)))) v
  |}.
  - intros q v name data H. apply lower_choices_sound in H. rewrite columns_by_labels_dual in H. exact H.
  - intros q v name data H. apply upper_choices_sound in H. rewrite columns_by_labels_dual in H. exact H.
Defined.

Definition natarajan_dimension : kind.
Proof.
  refine {|
    title := "natarajan_dimension"; parameters := [];
    question := nat * N * list label_row;
    ask instance _ := multiclass_of instance; number := at_least_integer (-1);
    lower q := lower_choices "pairs" labelled_pair (fst (fst q)) (snd q);
    upper q := upper_choices "extension" (fst (fst q)) (snd q);
    lower_means q v := dimension_at_least (label_shattered (fst (fst q)) (label_table (snd q))) v;
    upper_means q v := dimension_at_most (label_shattered (fst (fst q)) (label_table (snd q))) v
  |}.
  - intros q v name data. apply lower_choices_sound.
  - intros q v name data. apply upper_choices_sound.
Defined.
