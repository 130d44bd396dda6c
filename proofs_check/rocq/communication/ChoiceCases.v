(* The cases of a proof by choices: potentials of the inputs of Alice bound what all choices of a case cost,
   and tell which rows of answers must be chosen, and which may not be. *)
From Coq Require Import String List NArith ZArith QArith Lia Bool Permutation Sorted MSets.MSetPositive.
From CCSim Require Import Definitions OneWay Distributions Answers Cases Classes Growing PartitionBounds.
From CCSim Require Import Json Tables Sorting Choices.
Import ListNotations.
Local Open Scope Z_scope.
Local Notation bit := Definitions.bit.

(* what a row of answers gains on potentials, which are in parts of a unit *)
Fixpoint gain (unit : Z) (u e : list Z) : Z :=
  match u, e with v :: u', c :: e' => Z.max 0 (v - unit * c) + gain unit u' e' | _, _ => 0 end.
Definition sum_of (l : list Z) : Z := lsum (fun z => z) l.
(* what rows of answers err together, each input taking the best *)
Fixpoint cheapest (l : list (list Z)) : list Z :=
  match l with [] => [] | e :: l' => match l' with [] => e | _ => least_of e (cheapest l') end end.

Definition case := (list N * list N * list turn)%type.
(* potentials, unless images are tried, and the row of answers on which a case is split *)
Definition node := (option (positive * list Z) * option N)%type.
Definition holds_it (q : N) (l : list N) : bool := existsb (N.eqb q) l.
Definition but (q : N) (l : list N) : list N := filter (fun p => negb (p =? q)%N) l.

(* the largest so many of gains, in falling order *)
Definition top (sorted : list N) (n : nat) : Z := Z.of_N (total (firstn n sorted)).
Lemma top_next l n : top l (Datatypes.S n) = top l n + Z.of_N (nth n l 0%N).
Proof.
  unfold top. revert n. induction l as [|a l IH]; intros [|n]; try (cbn; lia).
  cbn [firstn nth total fold_right]. specialize (IH n). cbn [firstn] in IH. unfold total in *. lia.
Qed.
Lemma top_more l n n' : (n <= n')%nat -> top l n <= top l n'.
Proof. induction 1 as [|n' H IH]; [lia|]. rewrite top_next. lia. Qed.

Lemma rest_of {l l' : list N} : NoDup l -> incl l l' -> exists r, Permutation l' (l ++ r).
Proof.
  revert l'. induction l as [|a l IH]; intros l' D I; [exists l'; reflexivity|]. inversion D as [|? ? Na Dl]; subst.
  destruct (in_split a l' (I a (in_eq _ _))) as [x [y ->]].
  destruct (IH (x ++ y) Dl) as [r P].
  - intros b B. specialize (I b (in_cons _ _ _ B)). apply in_app_or in I as [J|[->|J]]; [apply in_or_app;
    auto|contradiction|apply in_or_app; auto].
  - exists r. rewrite <- Permutation_middle. cbn. constructor. exact P.
Qed.

Section ChoiceCases.
Variables (w : nat) (rows : list (list Z)) (k : N) (bound : Z).
Let h := length rows.
Variable known : numbered (list Z).                       (* what rows of answers err *)

Definition errors_at (q : N) : list Z := match entry known q with Some e => e | None => errors_of rows q end.
Definition choice_cost (l : list N) : Z := sum_of (cheapest (map errors_at l)).

(* what must be chosen, what may be, and whether nothing is left; None if a choice is too cheap *)
Definition narrowed (unit : positive) (u : list Z) (chosen free : list N) : option (list N * list N * bool) :=
  let gain_of q := Z.to_N (gain (Zpos unit) u (errors_at q)) in
  let gains := map (fun q => (q, gain_of q)) free in
  let sorted := Down.sort (map snd gains) in
  let room := (k - N.of_nat (length chosen))%N in
  let few := N.to_nat (N.min room (N.of_nat (length free))) in
  let enough := Zpos unit * (bound - 1) in
  let low := sum_of u - lsum (fun q => Z.of_N (gain_of q)) chosen - top sorted few in
  if enough <? low then Some (chosen, free, true) else
  let '(chosen', free') :=
    if (room <? N.of_nat (length free))%N then
      let least := match few with O => 0 | S n => Z.of_N (nth n sorted 0%N) end in
      let following := Z.of_N (nth few sorted 0%N) in
      let must p := enough <? low + Z.of_N (snd p) - following in
      (chosen ++ map fst (filter must gains),
       map fst (filter (fun p => negb (must p) && (low + least - Z.of_N (snd p) <=? enough)) gains))
    else (chosen, free) in
  if (N.of_nat (length chosen') <? k)%N && negb (match free' with [] => true | _ => false end)
  then Some (chosen', free', false)
  else given (bound <=? choice_cost chosen') (Some (chosen', free', true)).

Definition split_choices (a : node) (c : case) : option (list case * list Q) :=
  let '(chosen, free, moves) := c in
  match a with
  | (None, Some q) =>
      given (holds_it q free)
        (let* images := images_of w moves q in
         Some ([(chosen ++ [q], but q free, filter (fun m => turned m q =? q)%N moves);
                (chosen, filter (fun p => negb (PositiveSet.mem (Tables.key p) (snd images))) free, moves)], []))
  | (Some (unit, u), answer) =>
      given (length u =? h)%nat
        (let* found := narrowed unit u chosen free in
         let '(chosen', free', decided) := found in
         match decided, answer with
         | true, None => Some ([], [])
         | false, Some q =>
             Some (if holds_it q free' then [(chosen' ++ [q], but q free', []); (chosen', but q free', [])]
                   else [(chosen', free', [])], [])
         | _, _ => None
         end)
  | (None, None) => None
  end.

Hypothesis known_right : forall q e, entry known q = Some e -> e = errors_of rows q.
Lemma errors_at_right q : errors_at q = errors_of rows q.
Proof. unfold errors_at. destruct (entry known q) as [e|] eqn:E; [apply known_right, E|reflexivity]. Qed.

(* ---- gains ---- *)

Lemma gain_pos unit : forall u e, 0 <= gain unit u e.
Proof.
  induction u as [|v u IH]; intros [|c e]; cbn [gain]; try lia. specialize (IH e). lia.
Qed.
Lemma gain_entries unit : forall u e, length u = length e ->
  gain unit u e = zsum (length u) (fun j => Z.max 0 (nth j u 0 - unit * nth j e 0)).
Proof.
  induction u as [|v u IH]; intros [|c e] L; try discriminate; [reflexivity|]. cbn [gain length]. injection L as L.
  rewrite zsum_S, IH by exact L. reflexivity.
Qed.
Lemma one_of {A} (g : A -> Z) l a : (forall b, In b l -> 0 <= g b) -> In a l -> g a <= lsum g l.
Proof.
  induction l as [|b l IH]; intros P I; [destruct I|]. cbn.
  pose proof (lsum_nonneg g l (fun c C => P c (in_cons _ _ _ C))). pose proof (P b (in_eq _ _)).
  destruct I as [->|I]; [lia|]. specialize (IH (fun c C => P c (in_cons _ _ _ C)) I). lia.
Qed.

Section Potentials.
Variables (unit : positive) (u : list Z).
Hypothesis long : length u = h.
Let worth q := gain (Zpos unit) u (errors_of rows q).

(* the choice errs at least what potentials give, less the gains *)
Lemma possible_gains chosen free S f : possible rows k bound chosen free S f ->
  sum_of u - lsum worth S <= Zpos unit * (bound - 1).
Proof.
  intros [_ [_ [F [_ [_ V]]]]].
  assert (sum_of u = zsum h (fun j => nth j u 0)) as -> by (rewrite <- long; unfold sum_of; symmetry;
    exact (zsum_list 0 (fun z => z) u)).
  assert (lsum worth S = zsum h (fun j => lsum (fun q => Z.max 0 (nth j u 0 - Zpos unit * err rows q j)) S)) as ->.
  { rewrite <- lsum_zsum. apply lsum_ext. intros q _. unfold worth.
    rewrite gain_entries by (rewrite errors_length; exact long). rewrite long. apply zsum_ext. intros j _.
    rewrite errors_nth. reflexivity. }
  rewrite <- zsum_minus. apply Z.le_trans with (zsum h (fun j => Zpos unit * err rows (f j) j)).
  - apply zsum_le. intros j J.
    pose proof (one_of (fun q => Z.max 0 (nth j u 0 - Zpos unit * err rows q j)) S (f j) (fun b _ => Z.le_max_l _ _)
      (F j J)) as O.
    cbv beta in O. lia.
  - unfold zsum in *. rewrite lsum_scale. fold h in V. nia.
Qed.

Let sorted free := Down.sort (map (fun q => Z.to_N (worth q)) free).
Lemma total_worth l : Z.of_N (total (map (fun q => Z.to_N (worth q)) l)) = lsum worth l.
Proof.
  unfold total. induction l as [|q l IH]; [reflexivity|]. cbn [map fold_right lsum]. rewrite N2Z.inj_add, IH.
  rewrite Z2N.id by apply gain_pos. reflexivity.
Qed.
Lemma few_gain free l : NoDup l -> incl l free -> lsum worth l <= top (sorted free) (length l).
Proof.
  intros D I. destruct (rest_of D I) as [r P]. rewrite <- total_worth. unfold top. apply N2Z.inj_le.
  rewrite <- (map_length (fun q => Z.to_N (worth q)) l).
  apply (total_largest (sorted free) _ (map (fun q => Z.to_N (worth q)) r)).
  - apply Down.StronglySorted_sort. intros a b c. unfold is_true, Descending.leb. rewrite !N.leb_le. lia.
  - rewrite <- map_app. eapply Permutation_trans; [|apply Down.Permuted_sort].
    apply Permutation_map, Permutation_sym, P.
Qed.
End Potentials.

(* ---- what all choices cost ---- *)

Lemma cheapest_spec l : l <> [] -> (forall e, In e l -> length e = h) -> length (cheapest l) = h /\
  forall e j, In e l -> nth j (cheapest l) 0 <= nth j e 0.
Proof.
  induction l as [|a l IH]; intros N L; [congruence|]. destruct l as [|b l].
  - split; [apply L, in_eq|]. intros e j [->|[]]. apply Z.le_refl.
  - destruct (IH ltac:(discriminate) (fun e E => L e (in_cons _ _ _ E))) as [Lc Nc].
    change (cheapest (a :: b :: l)) with (least_of a (cheapest (b :: l))).
    destruct (least_of_spec a (cheapest (b :: l))) as [L' N']; [rewrite Lc; apply L, in_eq|].
    split; [congruence|]. intros e j [->|I]; rewrite N'; [lia|]. specialize (Nc e j I). lia.
Qed.
Lemma choice_cost_least l (f : nat -> N) : (forall j, (j < h)%nat -> In (f j) l) ->
  choice_cost l <= zsum h (fun j => err rows (f j) j).
Proof.
  intros F. unfold choice_cost, sum_of. destruct l as [|a l].
  - destruct h as [|n]; [apply Z.le_refl|]. destruct (F O ltac:(lia)).
  - destruct (cheapest_spec (map errors_at (a :: l))) as [L M]; [discriminate| |].
    + intros e I. apply in_map_iff in I as [q [<- _]]. rewrite errors_at_right. apply errors_length.
    + rewrite <- (zsum_list 0 (fun z => z)), L. apply zsum_le. intros j J. rewrite <- errors_nth, <- errors_at_right.
      apply M, in_map, F, J.
Qed.
Lemma no_choice chosen free S f : sane w chosen free -> possible rows k bound chosen free S f ->
  (k <= N.of_nat (length chosen))%N \/ free = [] -> bound <= choice_cost chosen -> False.
Proof.
  intros [D _] [DS [L [F [C [U V]]]]] E B. assert (incl S chosen) as I.
  { destruct E as [E| ->]; [|rewrite app_nil_r in U; exact U].
    apply NoDup_length_incl; [exact D|lia|exact C]. }
  pose proof (choice_cost_least chosen f (fun j J => I _ (F j J))). fold h in V. lia.
Qed.

(* ---- what potentials leave ---- *)

Lemma pairs_filter {A B} (g : A -> B) p l :
  map fst (filter p (map (fun q => (q, g q)) l)) = filter (fun q => p (q, g q)) l.
Proof. induction l as [|q l IH]; [reflexivity|]. cbn. destruct (p (q, g q)); cbn; rewrite IH; reflexivity. Qed.

Lemma NoDup_both {A} (l l' : list A) : NoDup l -> NoDup l' -> (forall a, In a l -> ~ In a l') -> NoDup (l ++ l').
Proof.
  intros D D' Ap. induction D as [|a l Na D IH]; [exact D'|]. cbn. constructor; [|apply IH; auto using in_cons].
  intros H. apply in_app_or in H as [H|H]; [contradiction|]. exact (Ap a (in_eq _ _) H).
Qed.
Lemma sane_parts chosen free must may : sane w chosen free -> incl must free -> NoDup must -> incl may free -> NoDup
  may ->
  (forall q, In q must -> ~ In q may) -> sane w (chosen ++ must) may.
Proof.
  intros [D [Df [A Sm]]] Im Dm Iy Dy Ap. split; [|split; [exact Dy|split]].
  - apply NoDup_both; [exact D|exact Dm|]. intros q Q M. exact (A q Q (Im q M)).
  - intros q Q. apply in_app_or in Q as [Q|Q]; [intros M; exact (A q Q (Iy q M))|apply Ap, Q].
  - intros q Q. apply Sm. apply in_app_iff in Q as [Q|Q]; [|apply in_app_iff; auto].
    apply in_app_iff in Q as [Q|Q]; apply in_app_iff; auto.
Qed.

Lemma narrowed_sound unit u chosen free S f chosen' free' decided : length u = h -> sane w chosen free ->
  possible rows k bound chosen free S f -> narrowed unit u chosen free = Some (chosen', free', decided) ->
  decided = false /\ sane w chosen' free' /\ possible rows k bound chosen' free' S f.
Proof.
  intros Lu Sn P H. pose proof (possible_gains unit u Lu chosen free S f P) as G. unfold narrowed in H.
  set (worth := fun q => gain (Zpos unit) u (errors_of rows q)) in *. cbv zeta in H.
  rewrite (map_ext (fun q => (q, Z.to_N (gain (Zpos unit) u (errors_at q)))) (fun q => (q, Z.to_N (worth q)))) in H
    by (intros q; rewrite errors_at_right; reflexivity).
  rewrite (lsum_ext (fun q => Z.of_N (Z.to_N (gain (Zpos unit) u (errors_at q)))) worth) in H
    by (intros q _; rewrite errors_at_right; apply Z2N.id, gain_pos).
  rewrite map_map in H. cbn [snd] in H. set (sorted := Down.sort (map (fun q => Z.to_N (worth q)) free)) in *.
  set (room := (k - N.of_nat (length chosen))%N) in *.
  set (few := N.to_nat (N.min room (N.of_nat (length free)))) in *.
  set (enough := Zpos unit * (bound - 1)) in *. set (low := sum_of u - lsum worth chosen - top sorted few) in *.
  pose proof Sn as [Dc [Df [Apart Sm]]]. pose proof P as [DS [Lk [F [C [U V]]]]].
  destruct (rest_of Dc C) as [rest Pr].
  assert (lsum worth S = lsum worth chosen + lsum worth rest) as Gr.
  { rewrite (lsum_permutation _ _ _ Pr). clear. induction chosen as [|a l IH]; [reflexivity|]. cbn. lia. }
  assert (NoDup (chosen ++ rest)) as Dcr by (apply (Permutation_NoDup Pr), DS).
  assert (NoDup rest) as Dr.
  { clear - Dcr. induction chosen as [|a l IH]; [exact Dcr|]. inversion Dcr. auto. }
  assert (incl rest free) as Ir.
  { intros q Q. assert (In q S) as QS by (apply (Permutation_in _ (Permutation_sym Pr)), in_or_app; auto).
    apply U, in_app_or in QS as [QS|QS]; [exfalso|exact QS].
    apply in_split in QS as [x [y ->]]. rewrite <- app_assoc in Dcr. cbn in Dcr. apply NoDup_remove_2 in Dcr.
    apply Dcr, in_or_app. right. apply in_or_app. right. exact Q. }
  assert (length S = length chosen + length rest)%nat as LS by (rewrite (Permutation_length Pr); apply app_length).
  assert (length rest <= few)%nat as Lr.
  { pose proof (NoDup_incl_length Dr Ir). unfold few, room. lia. }
  pose proof (few_gain unit u Lu free rest Dr Ir) as Gt. change (lsum worth rest <= top sorted (length rest)) in Gt.
  pose proof (top_more sorted _ _ Lr) as Gm.
  destruct (enough <? low) eqn:El; [apply Z.ltb_lt in El; exfalso; unfold low in El; lia|]. apply Z.ltb_ge in El.
  match type of H with (let '(_, _) := ?t in _) = _ => destruct t as [c1 f1] eqn:E1 end.
  assert (sane w c1 f1 /\ possible rows k bound c1 f1 S f) as [Sn1 P1].
  { destruct (room <? N.of_nat (length free))%N eqn:Er; [|injection E1 as <- <-; split; assumption].
    apply N.ltb_lt in Er. assert (few = N.to_nat room) as Ef by (unfold few; lia).
    rewrite !pairs_filter in E1. cbn [snd] in E1.
    set (following := Z.of_N (nth few sorted 0%N)) in *.
    set (least := match few with O => 0 | Datatypes.S n => Z.of_N (nth n sorted 0%N) end) in *.
    set (must := fun q => enough <? low + Z.of_N (Z.to_N (worth q)) - following) in *.
    set (may := fun q => negb (must q) && (low + least - Z.of_N (Z.to_N (worth q)) <=? enough)) in *.
    assert (forall q, Z.of_N (Z.to_N (worth q)) = worth q) as Wn by (intros q; apply Z2N.id, gain_pos).
    assert (forall q, In q free -> must q = true -> In q S) as M1.
    { intros q Q M. destruct (in_dec N.eq_dec q S) as [I|I]; [exact I|exfalso].
      assert (~ In q rest) as Nr by (intros R; apply I, (Permutation_in _ (Permutation_sym Pr)), in_or_app; auto).
      pose proof (few_gain unit u Lu free (q :: rest) ltac:(constructor; assumption)
        ltac:(intros a [<-|A]; [exact Q|apply Ir, A])) as X.
      change (lsum worth (q :: rest) <= top sorted (length (q :: rest))) in X. cbn [lsum length] in X.
      pose proof (top_more sorted (Datatypes.S (length rest)) (Datatypes.S few) ltac:(lia)) as Y.
        rewrite (top_next sorted few) in Y.
      unfold must in M. apply Z.ltb_lt in M. rewrite Wn in M. unfold low, following in M. fold (worth q) in X. lia. }
    assert (forall q, In q rest -> low + least - worth q <= enough) as M2.
    { intros q Q. destruct (in_split q rest Q) as [x [y Ex]].
      assert (Permutation rest (q :: x ++ y)) as Px by (rewrite Ex; symmetry; apply Permutation_middle).
      assert (NoDup (x ++ y)) as Dx by (apply (Permutation_NoDup Px) in Dr; inversion Dr; assumption).
      pose proof (few_gain unit u Lu free (x ++ y) Dx ltac:(intros a A;
        apply Ir, (Permutation_in _ (Permutation_sym Px)), in_cons, A)) as X.
      change (lsum worth (x ++ y) <= top sorted (length (x ++ y))) in X. pose proof (Permutation_length Px) as Lp.
        cbn [length] in Lp.
      pose proof (lsum_permutation worth _ _ Px) as Sp. cbn [lsum] in Sp. unfold low, least.
      destruct few as [|n] eqn:En; [lia|]. rewrite top_next in *.
      pose proof (top_more sorted (length (x ++ y)) n ltac:(lia)). lia. }
    injection E1 as <- <-. split.
    - apply (sane_parts chosen free); try (apply NoDup_filter; exact Df); try (intros q Q; apply filter_In in Q;
      apply Q).
      + exact Sn.
      + intros q Q Q'. apply filter_In in Q as [_ Q]. apply filter_In in Q' as [_ Q'].
        change (must q = true) in Q. change (negb (must q) && (low + least - Z.of_N (Z.to_N (worth q)) <=? enough) =
          true) in Q'.
        rewrite Q in Q'. discriminate Q'.
    - split; [exact DS|]. split; [exact Lk|]. split; [exact F|]. split; [|split; [|exact V]].
      + intros q Q. apply in_app_or in Q as [Q|Q]; [apply C, Q|]. apply filter_In in Q as [Q M]. exact (M1 q Q M).
      + intros q Q. apply (Permutation_in _ Pr), in_app_or in Q as [Q|Q]; [apply in_or_app; left; apply in_or_app;
        auto|].
        destruct (must q) eqn:M.
        * apply in_or_app. left. apply in_or_app. right. apply filter_In. split; [apply Ir, Q|exact M].
        * apply in_or_app. right. apply filter_In. split; [apply Ir, Q|]. change (may q = true). unfold may.
          rewrite M, Wn. apply Z.leb_le, M2, Q. }
  destruct ((N.of_nat (length c1) <? k)%N && negb _) eqn:Eb.
  - injection H as <- <- <-. auto.
  - unfold given in H. destruct (bound <=? choice_cost c1) eqn:Ec; [exfalso|discriminate]. apply Z.leb_le in Ec.
    apply (no_choice c1 f1 S f Sn1 P1); [|exact Ec]. apply andb_false_iff in Eb as [Eb|Eb].
    + left. apply N.ltb_ge in Eb. exact Eb.
    + right. destruct f1; [reflexivity|discriminate].
Qed.

(* ---- cases ---- *)

Definition holds (c : case) : Prop := let '(chosen, free, moves) := c in
  sane w chosen free /\ (forall m, In m moves -> keeps_case w rows chosen free m) /\
  exists S f, possible rows k bound chosen free S f.

Lemma holds_it_spec q l : holds_it q l = true <-> In q l.
Proof.
  unfold holds_it. rewrite existsb_exists. split.
  - intros [p [I E]]. apply N.eqb_eq in E. subst. exact I.
  - intros I. exists q. split; [exact I|apply N.eqb_refl].
Qed.
Lemma but_spec q l p : In p (but q l) <-> In p l /\ p <> q.
Proof. unfold but. rewrite filter_In, negb_true_iff, N.eqb_neq. reflexivity. Qed.
Lemma but_sane chosen free q : sane w chosen free -> sane w chosen (but q free).
Proof.
  intros [D [Df [A Sm]]]. split; [exact D|]. split; [apply NoDup_filter, Df|]. split.
  - intros x X B. apply but_spec in B as [B _]. exact (A x X B).
  - intros x X. apply Sm. apply in_app_iff in X as [X|X]; apply in_app_iff; [auto|]. apply but_spec in X. tauto.
Qed.
Lemma chosen_sane chosen free q : sane w chosen free -> In q free -> sane w (chosen ++ [q]) (but q free).
Proof.
  intros Sn Q. apply (sane_parts chosen free); [exact Sn|intros x [<-|[]]; exact Q|repeat constructor; intros []| | |].
  - intros x X. apply but_spec in X. tauto.
  - destruct Sn as [_ [Df _]]. apply NoDup_filter, Df.
  - intros x [<-|[]] B. apply but_spec in B. tauto.
Qed.
Lemma possible_with chosen free S f q : possible rows k bound chosen free S f -> In q S -> In q free ->
  possible rows k bound (chosen ++ [q]) (but q free) S f.
Proof.
  intros [D [L [F [C [U V]]]]] I Q. unfold possible. parts; try assumption.
  - intros x X. apply in_app_or in X as [X|[<-|[]]]; auto.
  - intros x X. destruct (N.eq_dec x q) as [->|Ne]; [apply in_or_app; left; apply in_or_app; right; apply in_eq|].
    apply U, in_app_or in X as [X|X]; apply in_or_app; [left; apply in_or_app; auto|right; apply but_spec; auto].
Qed.
Lemma possible_without chosen free S f (gone : N -> bool) : possible rows k bound chosen free S f ->
  (forall x, In x S -> In x free -> gone x = true -> False) ->
  possible rows k bound chosen (filter (fun p => negb (gone p)) free) S f.
Proof.
  intros [D [L [F [C [U V]]]]] G. unfold possible. parts; try assumption.
  intros x X. apply in_or_app. pose proof (U x X) as Y. apply in_app_or in Y as [Y|Y]; [left; exact Y|right].
  apply filter_In. split; [exact Y|]. destruct (gone x) eqn:E; [exfalso; eapply G; eassumption|reflexivity].
Qed.

Lemma split_choices_sound a c parts bounds : split_choices a c = Some (parts, bounds) -> holds c ->
  (exists c', In c' parts /\ holds c') \/ (exists v : Q, In v bounds /\ (v <= 0)%Q).
Proof.
  destruct c as [[chosen free] moves], a as [[[unit u]|] answer]; unfold split_choices; intros H [Sn [K [S [f P]]]];
    left.
  - unfold given in H. destruct (length u =? h)%nat eqn:Lu; [|discriminate]. apply Nat.eqb_eq in Lu.
    destruct (narrowed unit u chosen free) as [[[c1 f1] decided]|] eqn:E; [|discriminate].
    destruct (narrowed_sound unit u chosen free S f c1 f1 decided Lu Sn P E) as [-> [Sn1 P1]].
    destruct answer as [q|]; [|discriminate]. injection H as <- <-.
    destruct (holds_it q f1) eqn:Q.
    + apply holds_it_spec in Q. destruct (in_dec N.eq_dec q S) as [I|I].
      * exists (c1 ++ [q], but q f1, []). split; [apply in_eq|]. split; [apply chosen_sane; assumption|].
        split; [intros m []|]. exists S, f. apply possible_with; assumption.
      * exists (c1, but q f1, []). split; [right; apply in_eq|]. split; [apply but_sane, Sn1|].
        split; [intros m []|]. exists S, f. apply (possible_without c1 f1 S f (fun p => (p =? q)%N) P1).
        intros x X _ G. apply N.eqb_eq in G. congruence.
    + exists (c1, f1, []). split; [apply in_eq|]. split; [exact Sn1|]. split; [intros m []|]. exists S, f. exact P1.
  - destruct answer as [q|]; [|discriminate]. unfold given in H. destruct (holds_it q free) eqn:Q; [|discriminate].
    apply holds_it_spec in Q. destruct (images_of w moves q) as [images|] eqn:E; [|discriminate]. injection H as <- <-.
    destruct (images_of_spec w moves q images E) as [T [Iq [L Cl]]].
    assert (small w q) as Sq by (apply Sn, in_or_app; auto).
    destruct (existsb (fun p => PositiveSet.mem (Tables.key p) (snd images)) S) eqn:X.
    + apply existsb_exists in X as [p [Ip M]]. apply T in M.
      destruct (possible_images w rows k bound chosen free moves q p Sn K Sq (L p M) S f P Ip) as [S' [f' [P' I']]].
      exists (chosen ++ [q], but q free, filter (fun m => turned m q =? q)%N moves). split; [apply in_eq|].
      split; [apply chosen_sane; assumption|]. split; [|exists S', f'; apply possible_with; assumption].
      intros m M'. apply filter_In in M' as [M' Fx]. apply N.eqb_eq in Fx. destruct (K m M') as [Sy [Kc Kf]].
      split; [exact Sy|]. split.
      * intros x Hx. apply in_app_or in Hx as [Hx|[<-|[]]]; apply in_or_app; [auto|right; rewrite Fx; apply in_eq].
      * intros x Hx. apply but_spec in Hx as [Hx Ne]. apply but_spec. split; [auto|]. intros Eq. apply Ne.
        destruct Sy as [back [_ [B _]]].
        destruct (B x ltac:(apply Sn, in_or_app; auto)) as [_ [_ [_ B1]]]. destruct (B q Sq) as [_ [_ [_ B2]]].
          congruence.
    + set (gone := fun p => PositiveSet.mem (Tables.key p) (snd images)) in *.
      exists (chosen, filter (fun p => negb (gone p)) free, moves). split; [right; apply in_eq|]. split; [|split].
      * destruct Sn as [D [Df [A Sm]]]. split; [exact D|]. split; [apply NoDup_filter, Df|]. split.
        -- intros x Hx Hf. apply filter_In in Hf as [Hf _]. exact (A x Hx Hf).
        -- intros x Hx. apply Sm. apply in_app_iff in Hx as [Hx|Hx]; apply in_app_iff; [auto|]. apply filter_In in Hx.
          tauto.
      * intros m M. destruct (K m M) as [Sy [Kc Kf]]. split; [exact Sy|]. split; [exact Kc|].
        intros x Hx. apply filter_In in Hx as [Hx G]. apply filter_In. split; [auto|]. apply negb_true_iff.
        destruct (gone (turned m x)) eqn:G'; [exfalso|reflexivity]. apply T in G'.
        destruct (images_back w rows (fst images) (turned m) Sy) with (x := turned m x) as [y [Iy Ey]].
        -- intros z Z. specialize (L z Z). clear - L K Sq. induction L as [|m' z I L IH]; [exact Sq|].
           destruct (K m' I) as [[b [g [B _]]] _]. apply (B z IH).
        -- intros z Z. apply Cl; assumption.
        -- exact G'.
        -- destruct Sy as [back [_ [B _]]].
           assert (small w y) as Sy'.
           { specialize (L y Iy). clear - L K Sq. induction L as [|m' z I L IH]; [exact Sq|].
             destruct (K m' I) as [[b [g [B' _]]] _]. apply (B' z IH). }
           destruct (B x ltac:(apply Sn, in_or_app; auto)) as [_ [_ [_ B1]]]. destruct (B y Sy') as [_ [_ [_ B2]]].
           assert (y = x) as -> by congruence. apply T in Iy. unfold gone in G. rewrite Iy in G. discriminate.
      * exists S, f. apply possible_without; [exact P|]. intros x Hx _ G.
        assert (existsb gone S = true) by (apply existsb_exists; eauto). congruence.
Qed.
End ChoiceCases.

(* ---- certificates ---- *)

Definition max_columns : nat := 12.
Definition answers_to (w : nat) : list N := map N.of_nat (seq 0 (2 ^ w)).
Definition check_choices w rows k bound (turns : list turn) (nodes : list node) : bool :=
  let all := answers_to w in
  match walk (split_choices w rows k bound (number_all (map (errors_of rows) all))) nodes [([], all, turns)] [] with
  | Some [] => true
  | _ => false
  end.

Lemma answers_to_spec w q : In q (answers_to w) <-> small w q.
Proof.
  unfold answers_to, small. assert (2 ^ N.of_nat w = N.of_nat (2 ^ w))%N as E by (rewrite Nat2N.inj_pow; reflexivity).
  rewrite E, in_map_iff. split.
  - intros [i [<- H]]. apply in_seq in H. lia.
  - intros H. exists (N.to_nat q). split; [lia|]. apply in_seq. lia.
Qed.

Theorem check_choices_sound w rows k bound turns nodes : wide w rows = true ->
  (forall m, In m turns -> well w m /\ symmetric w rows (turned m)) -> check_choices w rows k bound turns nodes = true
    ->
  forced rows (N.to_nat k) (2 * bound).
Proof.
  intros W T H a z A. unfold check_choices in H. destruct (walk _ nodes _ []) as [[|]|] eqn:E; try discriminate.
  set (h := length rows). rewrite (zsum_ext _ _ (fun j => 2 * missed (z (a j)) (nth j rows []))) by (intros;
    apply lost_missed).
  unfold zsum. rewrite lsum_scale. fold (zsum (length rows) (fun j => missed (z (a j)) (nth j rows []))). fold h.
  destruct (Z.le_gt_cases bound (zsum h (fun j => missed (z (a j)) (nth j rows [])))) as [L|G];
    [apply Z.mul_le_mono_nonneg_l; [discriminate|exact L]|exfalso].
  set (answer := fun i => number_of (map (z i) (seq 0 w))).
  assert (forall i, small w (answer i)) as Sa by (intros i; apply number_small; rewrite map_length, seq_length;
    reflexivity).
  assert (forall i j, (j < h)%nat -> err rows (answer i) j = missed (z i) (nth j rows [])) as Ea.
  { intros i j J. unfold err. rewrite !missed_entries. apply zsum_ext. intros t Ht.
    rewrite (wide_nth w) in Ht by assumption.
    unfold answer. rewrite bit_number_of, (nth_indep _ false (z i O)) by (rewrite map_length, seq_length; exact Ht).
    rewrite (map_nth (z i)), seq_nth by exact Ht. reflexivity. }
  eapply walk_sound with (holds := holds w rows k bound) (e := 0%Q) in E.
  - destruct E as [v [[] _]].
  - intros a' c parts bounds. apply split_choices_sound. intros q e Q. apply entry_spec in Q.
    rewrite nth_error_map in Q. destruct (nth_error (answers_to w) (N.to_nat q)) as [p|] eqn:P; [|discriminate].
    injection Q as <-. f_equal. unfold answers_to in P. rewrite nth_error_map in P.
    destruct (nth_error (seq 0 (2 ^ w)) (N.to_nat q)) as [i|] eqn:I; [|discriminate]. injection P as <-.
    assert (N.to_nat q < length (seq 0 (2 ^ w)))%nat as B by (apply nth_error_Some; congruence).
    apply nth_error_nth with (d := O) in I. rewrite seq_length in B. rewrite seq_nth in I by exact B. lia.
  - apply in_eq.
  - split; [|split].
    + split; [constructor|]. split; [|split; [intros x []|intros x X; apply answers_to_spec, X]].
      apply FinFun.Injective_map_NoDup; [intros x y; lia|apply seq_NoDup].
    + intros m M. destruct (T m M) as [Wm Sm]. split; [exact Sm|]. split; [intros x []|]. intros x X.
      apply answers_to_spec, turned_small. apply Wm.
    + exists (nodup N.eq_dec (map answer (seq 0 (N.to_nat k)))), (fun j => answer (a j)). unfold possible. parts.
      * apply NoDup_nodup.
      * assert (length (nodup N.eq_dec (map answer (seq 0 (N.to_nat k)))) <= length (map answer (seq 0 (N.to_nat
        k))))%nat as X
          by (apply NoDup_incl_length; [apply NoDup_nodup|intros x X; apply nodup_In in X; exact X]).
        rewrite map_length, seq_length in X. lia.
      * intros j J. apply nodup_In, in_map, in_seq. specialize (A j J). lia.
      * intros x [].
      * intros x X. apply nodup_In, in_map_iff in X as [i [<- _]]. apply answers_to_spec, Sa.
      * rewrite (zsum_ext _ _ (fun j => missed (z (a j)) (nth j rows []))); [exact G|]. intros j J. apply Ea, J.
Qed.

Definition node_of (w : nat) (j : json) : option node :=
  match fields ["unit"; "potentials"; "answer"]%string j with
  | Some [s; u; q] =>
      let* q := optional (Json.place (2 ^ N.of_nat w)) q in
      if is_null u then Some (None, q) else
      let* s := positive_integer s in
      let* u := list_of (at_least_integer 0) u in
      Some (Some (s, u), q)
  | _ => None
  end.
Definition choices_bound n m F xs ys (rows : list (list Z)) (k : N) (data : json) : option Z :=
  match fields ["symmetries"; "bound"; "nodes"]%string data with
  | Some [s; b; t] =>
      let w := length ys in
      given (wide w rows && (w <=? max_columns)%nat)
        (let* syms := list_of (PartitionBounds.symmetry_of n m F xs ys) s in
         let* bound := at_least_integer 0 b in
         let* nodes := list_of (node_of w) t in
         let gens := map (fun g => let '(g, tau, flips) := g in (g, turn_of w tau flips)) syms in
         given (forallb (fun g => check_turn w rows (fst g) (snd g)) gens
                && check_choices w rows k bound (some_turns w (map snd gens)) nodes) (Some (2 * bound)))
  | _ => None
  end.

Theorem choices_sound n m F xs ys rows k data B : choices_bound n m F xs ys rows k data = Some B ->
  forced rows (N.to_nat k) B.
Proof.
  unfold choices_bound. intros H. destruct (fields _ data) as [[|s [|b [|t [|]]]]|]; try discriminate.
  unfold given in H at 1. destruct (wide _ rows && _) eqn:W; [|discriminate]. apply andb_prop in W as [W _].
  destruct (list_of (PartitionBounds.symmetry_of n m F xs ys) s) as [syms|]; [|discriminate].
  destruct (at_least_integer 0 b) as [bound|]; [|discriminate].
  destruct (list_of (node_of _) t) as [nodes|]; [|discriminate]. unfold given in H.
  match type of H with (if ?x then _ else _) = _ => destruct x eqn:C; [|discriminate] end. injection H as <-.
  apply andb_prop in C as [G C]. rewrite forallb_forall in G. 
  refine (check_choices_sound _ rows k bound _ nodes W _ C). apply some_turns_symmetric. intros t' I.
  apply in_map_iff in I as [g [<- I]]. apply (check_turn_symmetric (length ys) rows (fst g)); [exact W|apply G, I].
Qed.
