(* Teachers with sets of a fixed size, as masks: a tree of cases excludes them, or the number of
   samples, of which every concept has its own.  And the kind of certificates. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate Tables Sorting Stars Teaching NoClash.
Import ListNotations.
Local Open Scope nat_scope.

(* all sets of k of some points *)
Fixpoint choices (k : nat) (l : list nat) : list N :=
  match k with
  | O => [0%N]
  | S k' => match l with
            | [] => []
            | x :: l' => map (N.lor (point_bit x)) (choices k' l') ++ choices k l'
            end
  end.

Lemma choices_extend : forall l k T, NoDup T -> incl T l -> length T <= k -> k <= length l -> NoDup l ->
  exists P, In P (choices k l) /\ forall x, In x T -> bit P x = true.
Proof.
  induction l as [|x l IH]; intros [|k] T D I L K U; try (simpl in K; lia).
  1, 2: destruct T; [exists 0%N; split; [left; reflexivity|intros _ []]|simpl in L; lia].
  inversion U as [|? ? Nx U']; subst. cbn [choices].
  assert (forall T', NoDup T' -> incl T' l -> length T' <= k -> (forall y, In y T -> y = x \/ In y T') ->
    exists P, In P (map (N.lor (point_bit x)) (choices k l) ++ choices (S k) l) /\
      forall y, In y T -> bit P y = true) as G.
  { intros T' D' I' L' C. destruct (IH k T' D' I' L' ltac:(simpl in K; lia) U') as [P [HP B]].
    exists (N.lor (point_bit x) P). split; [apply in_or_app; left; apply in_map, HP|].
    intros y Hy. rewrite bit_lor, point_bit_spec. destruct (C y Hy) as [->|Q].
    - rewrite Nat.eqb_refl. reflexivity.
    - rewrite (B y Q). apply orb_true_r. }
  destruct (in_dec Nat.eq_dec x T) as [Hx|Hx].
  - apply (G (remove Nat.eq_dec x T)).
    + apply NoDup_remove_point, D.
    + intros y Hy. apply in_remove in Hy as [Hy N]. destruct (I y Hy) as [->|Q]; [contradiction|exact Q].
    + pose proof (length_remove x T D Hx). lia.
    + intros y Hy. destruct (Nat.eq_dec y x) as [->|Ne]; [auto|]. right. apply in_in_remove; assumption.
  - assert (incl T l) as J.
    { intros y Hy. destruct (I y Hy) as [->|Q]; [contradiction|exact Q]. }
    destruct (le_lt_dec (S k) (length l)) as [M|M].
    + destruct (IH (S k) T D J L M U') as [P [HP B]]. exists P. split; [apply in_or_app; right; exact HP|exact B].
    + pose proof (NoDup_incl_length D J). apply (G T D J); [lia|auto].
Qed.

Definition meeting (d P : N) : bool := negb (N.land P d =? 0)%N.

(* sets of k points for the rows, of which those of different rows do not both miss the difference *)
Definition apart n rows k (P : N -> N) :=
  (forall r, In r rows -> In (P r) (choices k (seq 0 n))) /\
  forall r s, In r rows -> In s rows -> (exists x, x < n /\ bit r x <> bit s x) ->
    exists x, (bit (P r) x = true \/ bit (P s) x = true) /\ bit r x <> bit s x.

Lemma given_apart n rows k T : given_for n rows (Z.of_nat k) T -> k <= n -> exists P, apart n rows k P.
Proof.
  intros [F D] K.
  assert (forall r, In r rows -> exists P, In P (choices k (seq 0 n)) /\ forall x, In x (T r) -> bit P x = true) as G.
  { intros r Hr. destruct (F r Hr) as [B L]. unfold few in L.
    destruct (choices_extend (seq 0 n) k (nodup Nat.eq_dec (T r))) as [P [HP C]].
    - apply NoDup_nodup.
    - intros x Hx. apply nodup_In in Hx. apply in_seq. specialize (B x Hx). lia.
    - assert (length (nodup Nat.eq_dec (T r)) <= length (T r)); [|lia].
      apply NoDup_incl_length; [apply NoDup_nodup|]. intros x Hx. eapply nodup_In, Hx.
    - rewrite seq_length. exact K.
    - apply seq_NoDup.
    - exists P. split; [exact HP|]. intros x Hx. apply C, nodup_In, Hx. }
  assert (exists P, forall r, In r rows -> In (P r) (choices k (seq 0 n)) /\
    forall x, In x (T r) -> bit (P r) x = true) as [P HP].
  { clear F D. induction rows as [|r rows IH]; [exists (fun _ => 0%N); intros _ []|].
    destruct IH as [P HP]; [intros s Hs; apply G; right; exact Hs|].
    destruct (G r (or_introl eq_refl)) as [Q HQ].
    exists (fun s => if N.eq_dec s r then Q else P s). intros s Hs.
    destruct (N.eq_dec s r) as [->|Ne]; [exact HQ|]. destruct Hs as [<-|Hs]; [contradiction|]. apply HP, Hs. }
  exists P. split; [intros r Hr; apply HP, Hr|]. intros r s Hr Hs E.
  destruct (D r s Hr Hs E) as [x [Hx N]]. exists x. split; [|exact N].
  apply in_app_or in Hx as [Hx|Hx]; [left|right]; apply HP; assumption.
Qed.

(* ---- cases: for each row the sets that it may still have ---- *)

Fixpoint put {A} (i : nat) (a : A) (l : list A) : list A :=
  match l, i with
  | [], _ => []
  | _ :: l', O => a :: l'
  | b :: l', S i' => b :: put i' a l'
  end.
Lemma put_length {A} (a : A) : forall l i, length (put i a l) = length l.
Proof. induction l as [|b l IH]; intros [|i]; cbn [put length]; try reflexivity. rewrite IH. reflexivity. Qed.
Lemma put_nth {A} (a d : A) : forall l i j, nth j (put i a l) d = if (i =? j) && (j <? length l) then a else nth j l d.
Proof.
  induction l as [|b l IH]; intros [|i] [|j]; cbn [put nth]; try reflexivity.
  - cbn [Nat.eqb length]. destruct (i =? j); reflexivity.
  - rewrite IH. reflexivity.
Qed.

Section Cases.
Variables (n : nat) (rows : list N).
Definition at_row (i : nat) : N := nth i rows 0%N.

Definition split (node : nat * nat) (sets : list (list N)) : option (list (list (list N))) :=
  let (c, e) := node in let d := N.lxor (at_row c) (at_row e) in
  if (c <? length rows) && (e <? length rows) && existsb (bit d) (seq 0 n) then
    let first := filter (meeting d) (nth c sets []) in
    let other := filter (fun P => negb (meeting d P)) (nth c sets []) in
    let second := filter (meeting d) (nth e sets []) in
    Some ((if match first with [] => false | _ => true end then [put c first sets] else [])
          ++ (if match other, second with [], _ | _, [] => false | _, _ => true end
              then [put e second (put c other sets)] else []))
  else None.
Fixpoint walk (nodes : list (nat * nat)) (left : list (list (list N))) : bool :=
  match nodes, left with
  | [], [] => true
  | a :: nodes', c :: left' => match split a c with Some parts => walk nodes' (parts ++ left') | None => false end
  | _, _ => false
  end.

Variables (k : nat) (P : N -> N).
Hypothesis teacher : apart n rows k P.
Definition holds (sets : list (list N)) :=
  length sets = length rows /\ forall i, i < length rows -> In (P (at_row i)) (nth i sets []).

Lemma holds_put i l sets : i < length rows -> In (P (at_row i)) l -> holds sets -> holds (put i l sets).
Proof.
  intros Hi Hl [L H]. split; [rewrite put_length; exact L|]. intros j Hj. rewrite put_nth.
  destruct (Nat.eqb_spec i j) as [->|Ne]; [|apply H, Hj].
  rewrite L. destruct (Nat.ltb_spec j (length rows)); [exact Hl|lia].
Qed.

Lemma split_sound a sets parts : split a sets = Some parts -> holds sets -> exists c, In c parts /\ holds c.
Proof.
  destruct a as [c e]. unfold split. set (d := N.lxor (at_row c) (at_row e)).
  destruct (_ && _) eqn:E; [|discriminate]. intros [= <-] H.
  apply andb_prop in E as [E X]. apply andb_prop in E as [Hc He]. apply Nat.ltb_lt in Hc, He.
  apply existsb_exists in X as [x [Hx X]]. apply in_seq in Hx. unfold d in X. rewrite bit_lxor in X.
  pose proof (proj2 H c Hc) as Pc. pose proof (proj2 H e He) as Pe.
  destruct (meeting d (P (at_row c))) eqn:M.
  - assert (In (P (at_row c)) (filter (meeting d) (nth c sets []))) as F by (apply filter_In; auto).
    destruct (filter (meeting d) (nth c sets [])) as [|p l] eqn:Q; [destruct F|].
    eexists. split; [left; reflexivity|]. apply holds_put; [exact Hc|exact F|exact H].
  - assert (In (P (at_row c)) (filter (fun P => negb (meeting d P)) (nth c sets []))) as F.
    { apply filter_In. split; [exact Pc|]. rewrite M. reflexivity. }
    assert (In (P (at_row e)) (filter (meeting d) (nth e sets []))) as G.
    { apply filter_In. split; [exact Pe|].
      destruct (proj2 teacher (at_row c) (at_row e)) as [y [Y N]]; [apply nth_In, Hc|apply nth_In, He| |].
      { exists x. split; [lia|]. intros Q. rewrite Q, xorb_nilpotent in X. discriminate. }
      assert (bit d y = true) as D.
      { unfold d. rewrite bit_lxor. destruct (bit (at_row c) y), (bit (at_row e) y);
          try reflexivity; contradiction N; reflexivity. }
      unfold meeting in *. destruct Y as [Y|Y].
      - apply negb_false_iff, N.eqb_eq in M.
        assert (bit (N.land (P (at_row c)) d) y = true) as Z by (rewrite bit_land, Y, D; reflexivity).
        rewrite M, bit_0 in Z. discriminate.
      - apply nonzero with (i := y). rewrite bit_land, Y, D. reflexivity. }
    destruct (filter (fun P => negb (meeting d P)) (nth c sets [])) as [|p l]; [destruct F|].
    destruct (filter (meeting d) (nth e sets [])) as [|p' l']; [destruct G|].
    eexists. split; [apply in_or_app; right; left; reflexivity|].
    apply holds_put; [exact He|exact G|]. apply holds_put; [exact Hc|exact F|exact H].
Qed.

Lemma walk_sound : forall nodes left, walk nodes left = true -> forall c, In c left -> holds c -> False.
Proof.
  induction nodes as [|a nodes IH]; intros [|c' left] W c I H; try discriminate W; [destruct I|].
  cbn [walk] in W. destruct (split a c') as [parts|] eqn:S; [|discriminate W]. destruct I as [->|I].
  - destruct (split_sound _ _ _ S H) as [d [D K]]. apply (IH _ W d); [apply in_or_app; left; exact D|exact K].
  - apply (IH _ W c); [apply in_or_app; right; exact I|exact H].
Qed.
End Cases.

Definition check_cases (n : nat) (rows : list N) (k : nat) (nodes : list (nat * nat)) : bool :=
  (k <=? n) && walk n rows nodes [map (fun _ => choices k (seq 0 n)) rows].

Theorem check_cases_sound n rows k nodes : check_cases n rows k nodes = true ->
  enough_at_least (teachable_without_clash n (class_of_rows n rows)) (Z.of_nat k + 1).
Proof.
  intros H w W E. apply andb_prop in H as [K H]. apply Nat.leb_le in K.
  destruct (Z_lt_le_dec (Z.of_nat k) w) as [L|L]; [lia|exfalso].
  destruct (given_rows _ _ _ E) as [T [F D]].
  assert (given_for n rows (Z.of_nat k) T) as G.
  { split; [|exact D]. intros r Hr. destruct (F r Hr) as [B Q]. split; [exact B|]. unfold few in *. lia. }
  destruct (given_apart _ _ _ _ G K) as [P A].
  apply (walk_sound n rows k P A _ _ H _ (or_introl eq_refl)). split; [apply map_length|].
  intros i Hi. rewrite (nth_indep _ [] ((fun _ => choices k (seq 0 n)) 0%N)) by (rewrite map_length; exact Hi).
  rewrite (map_nth (fun _ => choices k (seq 0 n)) rows 0%N i). apply A, nth_In, Hi.
Qed.

(* ---- samples: sets of k points with the labels on them, of which every concept has its own ---- *)

Fixpoint samples (k : nat) (l : list nat) : list (N * N) :=
  match k with
  | O => [(0, 0)%N]
  | S k' => match l with
            | [] => []
            | x :: l' => let b := point_bit x in
                map (fun p => (N.lor b (fst p), N.lor b (snd p))) (samples k' l')
                ++ map (fun p => (N.lor b (fst p), snd p)) (samples k' l') ++ samples k l'
            end
  end.
Fixpoint number_of_samples (k n : nat) : N :=
  match k, n with
  | O, _ => 1
  | S _, O => 0
  | S k', S n' => 2 * number_of_samples k' n' + number_of_samples k n'
  end.

Lemma samples_number : forall l k, N.of_nat (length (samples k l)) = number_of_samples k (length l).
Proof.
  induction l as [|x l IH]; intros [|k]; cbn [samples number_of_samples length]; try reflexivity.
  rewrite !app_length, !map_length, <- !IH. lia.
Qed.
Lemma land_point r x : N.land r (point_bit x) = if bit r x then point_bit x else 0%N.
Proof.
  apply N.bits_inj. intros y. rewrite <- (N2Nat.id y), <- !bit_testbit, bit_land, point_bit_spec.
  destruct (Nat.eqb_spec x (N.to_nat y)) as [->|Ne].
  - destruct (bit r (N.to_nat y)); [rewrite point_bit_spec, Nat.eqb_refl|rewrite bit_0]; reflexivity.
  - rewrite andb_false_r. destruct (bit r x); [rewrite point_bit_spec|rewrite bit_0; reflexivity].
    apply Nat.eqb_neq in Ne. rewrite Ne. reflexivity.
Qed.
Lemma sample_in r : forall l k P, In P (choices k l) -> In (P, N.land r P) (samples k l).
Proof.
  induction l as [|x l IH]; intros [|k] P H; cbn [choices samples] in *.
  1, 3: destruct H as [<-|[]]; rewrite N.land_0_r; left; reflexivity.
  - contradiction.
  - apply in_app_or in H as [H|H].
    + apply in_map_iff in H as [Q [<- H]]. apply IH in H. rewrite N.land_lor_distr_r, land_point.
      destruct (bit r x).
      * apply in_or_app. left. apply in_map_iff. exists (Q, N.land r Q). split; [reflexivity|exact H].
      * apply in_or_app. right. apply in_or_app. left. rewrite N.lor_0_l.
        apply in_map_iff. exists (Q, N.land r Q). split; [reflexivity|exact H].
    + apply in_or_app. right. apply in_or_app. right. apply IH, H.
Qed.

(* k is the least size of which there are as many samples as concepts *)
Definition check_counting (n : nat) (rows : list N) (k : nat) : bool :=
  let m := size rows in
  (0 <? m)%N && (k <=? n) && distinct (map (fun r => N.land r (everywhere n)) rows)
  && forallb (fun j => (number_of_samples j n <? m)%N) (seq 0 k) && (m <=? number_of_samples k n)%N.

Lemma everywhere_beyond n x : n <= x -> bit (everywhere n) x = false.
Proof.
  intros H. unfold everywhere. rewrite bit_number_of. apply nth_overflow. rewrite repeat_length. exact H.
Qed.
Lemma NoDup_through {A B C} (f : A -> B) (g : A -> C) l : (forall a b, In a l -> In b l -> g a = g b -> f a = f b) ->
  NoDup (map f l) -> NoDup (map g l).
Proof.
  induction l as [|a l IH]; intros H D; cbn [map] in *; [constructor|]. inversion D as [|? ? Na D']; subst.
  constructor; [|apply IH; [|exact D']; intros; apply H; simpl; auto].
  intros Q. apply in_map_iff in Q as [b [E Hb]]. apply Na. apply in_map_iff. exists b. split; [|exact Hb].
  symmetry. apply H; simpl; auto.
Qed.

Theorem check_counting_sound n rows k : check_counting n rows k = true ->
  enough_at_least (teachable_without_clash n (class_of_rows n rows)) (Z.of_nat k).
Proof.
  intros H w W E. apply andb_prop in H as [H _]. apply andb_prop in H as [H J]. apply andb_prop in H as [H D].
  apply andb_prop in H as [M K]. apply Nat.leb_le in K. rewrite size_length in *. apply N.ltb_lt in M.
  destruct (given_rows _ _ _ E) as [T [F G]].
  destruct (Z_lt_le_dec w (Z.of_nat k)) as [L|L]; [exfalso|exact L].
  destruct k as [|k].
  { destruct rows as [|r rows]; [simpl in M; lia|]. destruct (F r (or_introl eq_refl)) as [_ Q]. unfold few in Q. lia. }
  assert (given_for n rows (Z.of_nat k) T) as G'.
  { split; [|exact G]. intros r Hr. destruct (F r Hr) as [B Q]. split; [exact B|]. unfold few in *. lia. }
  destruct (given_apart _ _ _ _ G' ltac:(lia)) as [P [C A]].
  rewrite forallb_forall in J. specialize (J k). rewrite in_seq in J. specialize (J ltac:(lia)). apply N.ltb_lt in J.
  assert (NoDup (map (fun r => (P r, N.land r (P r))) rows)) as U.
  { refine (NoDup_through _ _ _ _ (distinct_spec _ D)). intros r s Hr Hs [= Q R]. apply N.bits_inj. intros y.
    rewrite <- (N2Nat.id y), <- !bit_testbit, !bit_land. set (x := N.to_nat y).
    destruct (le_lt_dec n x) as [O|O]; [rewrite everywhere_beyond, !andb_false_r by exact O; reflexivity|].
    rewrite everywhere_bit, !andb_true_r by exact O.
    destruct (bool_dec (bit r x) (bit s x)) as [Z|Z]; [exact Z|exfalso].
    destruct (A r s Hr Hs (ex_intro _ x (conj O Z))) as [z [B N]]. apply N.
    assert (bit (P r) z = true) as Bz by (destruct B as [B|B]; [|rewrite Q]; exact B).
    assert (bit (N.land r (P r)) z = bit (N.land s (P s)) z) as V by (rewrite R; reflexivity).
    rewrite !bit_land, <- Q, Bz, !andb_true_r in V. exact V. }
  assert (incl (map (fun r => (P r, N.land r (P r))) rows) (samples k (seq 0 n))) as I.
  { intros p Hp. apply in_map_iff in Hp as [r [<- Hr]]. apply sample_in, C, Hr. }
  pose proof (NoDup_incl_length U I) as Le. rewrite map_length in Le.
  pose proof (samples_number (seq 0 n) k) as S. rewrite seq_length in S. lia.
Qed.

(* ---- certificates ---- *)

Definition pair_of (height : N) (j : json) : option (nat * nat) :=
  match j with
  | Array [c; e] => match place height c, place height e with
                    | Some c, Some e => Some (N.to_nat c, N.to_nat e)
                    | _, _ => None
                    end
  | _ => None
  end.
Definition no_clash_lower (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  let (n, rows) := q in
  if String.eqb name "trivial" then is_trivial v data
  else if String.eqb name "edges" then
    match fields ["concepts"%string] data with
    | Some [c] => match list_of (place (size rows)) c with
                  | Some c => match rows_at rows c with Some chosen => check_edges n chosen v | None => false end
                  | None => false
                  end
    | _ => false
    end
  else if String.eqb name "counting" then
    match fields [] data with
    | Some _ => (0 <=? v)%Z && (v <=? Z.of_nat n)%Z && check_counting n rows (Z.to_nat v)
    | None => false
    end
  else String.eqb name "cases" &&
    match fields ["size"; "pairs"]%string data with
    | Some [s; p] =>
        match index (S n) s, list_of (pair_of (size rows)) p with
        | Some k, Some nodes => (v =? Z.of_nat k + 1)%Z && check_cases n rows k nodes
        | _, _ => false
        end
    | _ => false
    end.
Definition no_clash_upper (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  String.eqb name "sets" &&
  match fields ["sets"%string] data with
  | Some [s] => match sets_of (fst q) s with
                | Some sets => (v =? largest sets)%Z && check_teacher (fst q) (snd q) sets
                | None => false
                end
  | _ => false
  end.

Definition no_clash_teaching_dimension : kind.
Proof.
  refine {|
    title := "no_clash_teaching_dimension"; parameters := [];
    ask := fun instance _ => rows_of instance; number := at_least_integer (-1);
    lower := no_clash_lower; upper := no_clash_upper;
    lower_means q v := enough_at_least (teachable_without_clash (fst q) (table (fst q) (map bit (snd q)))) v;
    upper_means q v := enough_at_most (teachable_without_clash (fst q) (table (fst q) (map bit (snd q)))) v
  |}.
  - intros [n rows] v name data H. cbn [fst snd]. unfold no_clash_lower in H.
    destruct (String.eqb name "trivial"); [eapply trivial_enough, H|].
    destruct (String.eqb name "edges").
    { destruct (fields _ data) as [[|c [|]]|]; try discriminate.
      destruct (list_of _ c) as [c'|]; [|discriminate]. destruct (rows_at rows c') as [chosen|] eqn:E; [|discriminate].
      eapply check_edges_sound; [eapply rows_at_in, E|exact H]. }
    destruct (String.eqb name "counting").
    { destruct (fields _ data); [|discriminate]. apply andb_prop in H as [H C]. apply andb_prop in H as [V _].
      apply Z.leb_le in V. rewrite <- (Z2Nat.id v V). apply check_counting_sound, C. }
    apply andb_prop in H as [_ H]. destruct (fields _ data) as [[|s [|p [|]]]|]; try discriminate.
    destruct (index _ s) as [k|]; [|discriminate]. destruct (list_of _ p) as [nodes|]; [|discriminate].
    apply andb_prop in H as [V H]. apply Z.eqb_eq in V. subst v. eapply check_cases_sound, H.
  - intros [n rows] v name data H. cbn [fst snd]. apply andb_prop in H as [_ H]. cbn [fst snd] in H.
    destruct (fields _ data) as [[|s [|]]|]; try discriminate.
    destruct (sets_of _ s) as [sets|]; [|discriminate]. apply andb_prop in H as [V H].
    apply Z.eqb_eq in V. subst v. apply check_teacher_sound, H.
Defined.
