(* A partition is cheapest if no classes that leave room for a cheaper one make one. *)
From Coq Require Import List NArith ZArith Lia Bool Permutation FMapPositive.
From CCSim Require Import Definitions OneWay Distributions Answers Classes Growing Partitions.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- orbits of classes under the generators ---- *)

(* the image of a class, given the numbers of the images of its rows *)
Fixpoint image (bits : list N) (T : N) : N :=
  match bits with
  | [] => 0%N
  | b :: bits' => let rest := image bits' (N.div2 T) in if N.odd T then N.lor b rest else rest
  end.

Lemma has_image gen : forall T j, has (image (map bit gen) T) j = true <->
  exists i, (i < length gen)%nat /\ has T i = true /\ nth i gen O = j.
Proof.
  induction gen as [|a gen IH]; intros T j.
  - cbn [map image length]. rewrite has_0. split; [discriminate|intros [i [H _]]; lia].
  - cbn [map image length]. assert (forall i, has (N.div2 T) i = has T (S i)) as D.
    { intros i. unfold has. rewrite N.div2_spec, N.shiftr_spec' by lia. f_equal. lia. }
    assert (N.odd T = has T O) as Odd by (unfold has; rewrite <- N.bit0_odd; reflexivity).
    assert (has (image (map bit gen) (N.div2 T)) j = true <-> exists i, (i < length gen)%nat /\ has T (S i) = true /\
      nth i gen O%nat = j) as R.
    { rewrite IH. split; intros [i [A [B C]]]; exists i; rewrite ?D in *; auto. }
    rewrite Odd. destruct (has T 0) eqn:E.
    + rewrite has_lor, orb_true_iff, has_bit, Nat.eqb_eq, R. split.
      * intros [->|[i [A [B C]]]]; [exists O%nat; repeat split; auto; lia|exists (S i); repeat split; auto; lia].
      * intros [[|i] [A [B C]]]; [left; exact C|right; exists i; repeat split; auto; lia].
    + rewrite R. split.
      * intros [i [A [B C]]]. exists (S i). repeat split; auto. lia.
      * intros [[|i] [A [B C]]]; [congruence|exists i; repeat split; auto; lia].
Qed.

Definition seen_set := PositiveMap.t unit.
Definition seen (T : N) (s : seen_set) : bool := PositiveMap.mem (N.succ_pos T) s.
Definition mark (T : N) (s : seen_set) : seen_set := PositiveMap.add (N.succ_pos T) tt s.
(* new classes among the images of some, and all that were seen *)
Definition spread (bits : list (list N)) (acc : list found_class * seen_set) (r : found_class) :=
  let '(T, c, t) := r in
  fold_left (fun acc b => let U := image b T in
    if seen U (snd acc) then acc else ((U, c, t) :: fst acc, mark U (snd acc))) bits acc.
Fixpoint orbits (rounds : nat) (bits : list (list N)) (edge : list found_class) (all : list found_class) (s : seen_set)
  : list found_class * seen_set :=
  match rounds, edge with
  | S rounds', _ :: _ =>
      let '(fresh, s') := fold_left (spread bits) edge ([], s) in
      orbits rounds' bits fresh (rev_append fresh all) s'
  | _, _ => (all, s)
  end.
Definition marked (l : list found_class) : seen_set := fold_left (fun s r => mark (fst (fst r)) s) l
  (PositiveMap.empty unit).
(* all images are there *)
Definition closed (bits : list (list N)) (first all : list found_class) : bool :=
  let s := marked all in
  forallb (fun r => seen (fst (fst r)) s) first && forallb (fun r => forallb (fun b => seen (image b (fst (fst r)))
    s) bits) all.

Section Completion.
Variables (w : nat) (rows : list (list Z)) (labels : list Z).
Let n := length rows.
Notation cost_of := (cost_of w rows).
Notation label_of := (label_of rows labels).

Definition cost_now (T : N) : Z := whole_cost w (map (fun j => nth j rows []) (members n T)).

Definition room (J : PositiveMap.t Z) (label below : Z) (r : found_class) : bool :=
  let '(_, c, t) := r in match at_label J (label - t) with Some d => c + d <? below | None => true end.

(* None if some usable classes and any last one cost less than this together, or there is too much to do *)
Fixpoint none_cheaper (js : list (PositiveMap.t Z)) (left : N) (label below : Z) (usable : list found_class) (most : Z)
  (fuel : Z) : option Z :=
  if fuel <? 0 then None else
  match js with
  | [] => if cost_now left <? below then None else Some (fuel - 10 - 3 * Z.of_nat w)
  | J :: js' =>
      if (left =? 0)%N then (if 0 <? below then None else Some (fuel - 10))
      else
        let fit := filter (fun r => (N.ldiff (fst (fst r)) left =? 0)%N && (snd r <=? most) && room J label below r)
          usable in
        let top := N.log2 left in
        fold_left (fun acc r => match acc with
          | None => None
          | Some f => if N.testbit (fst (fst r)) top
                      then none_cheaper js' (N.ldiff left (fst (fst r))) (label - snd r) (below - snd (fst r)) fit
                        most f
                      else Some f
          end) fit (Some (fuel - 2 * Z.of_nat (length usable)))
  end.

Definition rounds : nat := 2000.
Definition completed (gens : list (list nat)) (l : list found_class) (L : PositiveMap.t Z) (k : nat) (given : list nat)
  (fuel : Z) : option Z :=
  let classes := map (fun i => mask_of (filter (fun j => (nth j given O =? i)%nat) (seq 0 n))) (seq 0 (S k)) in
  let total := lsum cost_now classes in
  let all := everything rows in
  match k with
  | O => Some (whole_cost w rows)
  | S k' =>
      match joins L k' with
      | [] => None
      | J :: js =>
          let label := label_of all in
          let first := filter (room J label total) l in
          let bits := map (map bit) gens in
          let usable := match js with
            | [] => Some []
            | _ =>
                let u := fst (orbits rounds bits first first (marked first)) in
                if closed bits first u then Some u else None
            end in
          match usable with
          | None => None
          | Some usable =>
              match fold_left (fun acc r => match acc with
                | None => None
                | Some f => none_cheaper js (N.ldiff all (fst (fst r))) (label - snd r) (total - snd (fst r)) usable
                  (snd r) f
                end) first (Some fuel)
              with Some _ => Some total | None => None end
          end
      end
  end.

(* ---- why this is right ---- *)

Hypothesis W : wide w rows = true.
Notation right := (right w rows labels).
Notation below_n := (below n).

Lemma cost_now_spec T : cost_now T = cost_of T.
Proof.
  set (l := map (fun j => nth j rows []) (members n T)).
  assert (wide w l = true) as Wl.
  { unfold wide. apply forallb_forall. intros r I. unfold l in I. apply in_map_iff in I as [j [<- J]]. apply
    members_spec in J as [J _].
    apply Nat.eqb_eq, (wide_nth w rows j W J). }
  unfold cost_now, whole_cost. fold l. destruct (excess_spec w l Wl) as [Le N]. unfold Classes.cost_of, class_cost.
    fold n.
  rewrite size_entries, Le. f_equal.
  - unfold sizes, l. rewrite lsum_map. reflexivity.
  - apply zsum_ext. intros t _. rewrite N. unfold l. rewrite lsum_map. reflexivity.
Qed.

Section Orbits.
Variable gens : list (list nat).
Hypothesis K : forall gen, In gen gens -> keeps w rows labels (fun i => nth i gen O) /\ length gen = n.

Lemma image_act gen T : In gen gens -> image (map bit gen) T = act n (fun i => nth i gen O) T.
Proof.
  intros I. destruct (K gen I) as [_ Len]. apply has_ext. intros j. apply eq_true_iff_eq.
  rewrite has_image, has_act, Len. reflexivity.
Qed.
Lemma image_right gen T c t : In gen gens -> right (T, c, t) -> right (image (map bit gen) T, c, t).
Proof.
  intros I [B [Ec Et]]. rewrite (image_act gen T I). destruct (K gen I) as [[P G] _]. destruct (G T) as [G1 G2].
  split; [apply act_below, P|]. fold n in G1, G2. split; congruence.
Qed.
Lemma spread_right acc r : right r -> (forall q, In q (fst acc) -> right q) ->
  forall q, In q (fst (spread (map (map bit) gens) acc r)) -> right q.
Proof.
  destruct r as [[T c] t]. intros R. cbn [spread].
  assert (forall part acc, (forall gen, In gen part -> In gen gens) -> (forall q, In q (fst acc) -> right q) ->
    forall q, In q (fst (fold_left (fun acc b => let U := image b T in
      if seen U (snd acc) then acc else ((U, c, t) :: fst acc, mark U (snd acc))) (map (map bit) part) acc)) -> right
        q) as X.
  { induction part as [|gen part IH]; intros a S H; [exact H|]. cbn [map fold_left]. apply IH; [auto using in_cons|].
    cbv zeta. destruct (seen _ _); [exact H|]. cbn [fst]. intros q [<-|Q]; [|apply H, Q].
    apply image_right; [apply S, in_eq|exact R]. }
  apply X. auto.
Qed.
Lemma orbits_right : forall k edge all s, (forall r, In r edge -> right r) -> (forall r, In r all -> right r) ->
  forall r, In r (fst (orbits k (map (map bit) gens) edge all s)) -> right r.
Proof.
  induction k as [|k IH]; intros edge all s E A; [exact A|]. destruct edge as [|e edge]; [exact A|]. cbn [orbits].
  destruct (fold_left (spread (map (map bit) gens)) (e :: edge) ([], s)) as [fresh s'] eqn:F.
  assert (forall r, In r fresh -> right r) as G.
  { change fresh with (fst (fresh, s')). rewrite <- F. clear F.
    assert (forall l acc, (forall r, In r l -> right r) -> (forall q, In q (fst acc) -> right q) ->
      forall q, In q (fst (fold_left (spread (map (map bit) gens)) l acc)) -> right q) as X.
    { induction l as [|r l IHl]; intros acc R H; [exact H|]. cbn [fold_left]. apply IHl; [auto using in_cons|].
      apply spread_right; auto using in_eq. }
    apply X; [exact E|contradiction]. }
  apply IH; [exact G|]. intros r I. rewrite rev_append_rev in I. apply in_app_iff in I as [I|I]; [|auto].
  apply G. apply in_rev, I.
Qed.

Lemma seen_marked T (l : list found_class) : seen T (marked l) = true -> exists c t, In (T, c, t) l.
Proof.
  unfold marked. assert (forall (l : list found_class) (s : seen_set), seen T (fold_left (fun s r => mark (fst (fst
    r)) s) l s) = true ->
    seen T s = true \/ exists c t, In (T, c, t) l) as X.
  { clear. intros l. induction l as [|[[U c] t] l IH]; intros s H; [left; exact H|]. cbn [fold_left fst] in H.
    destruct (IH _ H) as [S|[c' [t' I]]]; [|right; exists c', t'; apply in_cons, I].
    unfold seen, mark in S. rewrite PositiveMap.mem_find in S. destruct (N.eq_dec T U) as [->|N].
    - right. exists c, t. apply in_eq.
    - rewrite PositiveMap.gso in S by (intros E; apply N; rewrite <- (N.pos_pred_succ T), E, N.pos_pred_succ;
        reflexivity).
      left. unfold seen. rewrite PositiveMap.mem_find. exact S. }
  intros H. destruct (X l _ H) as [S|S]; [|exact S]. unfold seen in S. rewrite PositiveMap.mem_find,
    PositiveMap.gempty in S. discriminate.
Qed.

Lemma act_inj g T U : permutes n g -> below n T -> below n U -> act n g T = act n g U -> T = U.
Proof.
  intros P BT BU E. assert (forall i, (i < n)%nat -> forall S, has (act n g S) (g i) = has S i) as H.
  { intros i Hi S. apply eq_true_iff_eq. rewrite has_act. split.
    - intros [j [J [Hj E']]]. rewrite <- (permutes_inj n g j i P J Hi E'). exact Hj.
    - intros Hs. exists i. auto. }
  apply has_ext. intros i. destruct (Nat.lt_ge_cases i n) as [L|L]; [|rewrite (BT i L), (BU i L); reflexivity].
  rewrite <- (H i L T), <- (H i L U), E. reflexivity.
Qed.

(* what is closed under images is closed under inverse images *)
Lemma closed_back (O : list N) gen C : In gen gens -> (forall T, In T O -> below n T) ->
  (forall T, In T O -> In (act n (fun i => nth i gen 0%nat) T) O) -> below n C ->
  In (act n (fun i => nth i gen 0%nat) C) O -> In C O.
Proof.
  intros I B Cl BC H. destruct (K gen I) as [[P _] _]. fold n in P. set (g := fun i => nth i gen 0%nat) in *.
  set (D := nodup N.eq_dec O). assert (NoDup D) as ND by apply NoDup_nodup.
  assert (NoDup (map (act n g) D)) as NM.
  { assert (forall T, In T D -> below n T) as BD by (intros T J; apply B, (nodup_In N.eq_dec), J). revert BD.
    induction ND as [|T l NT ND IH]; intros BD; [constructor|]. cbn. constructor.
    - rewrite in_map_iff. intros [U [E J]]. apply NT. rewrite <- (act_inj g U T P); auto using in_eq, in_cons.
    - apply IH. auto using in_cons. }
  assert (incl (map (act n g) D) D) as I1.
  { intros T J. apply in_map_iff in J as [U [<- J]]. unfold D in J |- *. rewrite nodup_In in J |- *. apply Cl, J. }
  assert (incl D (map (act n g) D)) as I2 by (apply NoDup_length_incl; [exact NM|rewrite map_length; apply
    Nat.le_refl|exact I1]).
  assert (In (act n g C) D) as J by (unfold D; rewrite nodup_In; exact H). apply I2, in_map_iff in J as [U [E J]].
  unfold D in J. rewrite nodup_In in J. rewrite <- (act_inj g U C P (B U J) BC E). exact J.
Qed.
Lemma product_back (O : list N) g : product gens g -> (forall T, In T O -> below n T) ->
  (forall gen T, In gen gens -> In T O -> In (act n (fun i => nth i gen 0%nat) T) O) -> forall C, below n C ->
  In (act n g C) O -> In C O.
Proof.
  intros P B Cl. induction P as [|gen g I P IH]; intros C BC H; [rewrite act_id in H by exact BC; exact H|].
  pose proof (product_keeps w rows labels gens g (fun gen I => proj1 (K gen I)) P) as [Pm _]. fold n in Pm.
  apply IH; [exact BC|]. apply (closed_back O gen); auto; [apply act_below, Pm|].
  rewrite <- act_compose by exact Pm. exact H.
Qed.
End Orbits.

(* ---- the search ---- *)

Lemma fold_some {A} (f : Z -> A -> option Z) : forall l a b,
  fold_left (fun acc r => match acc with None => None | Some u => f u r end) l (Some a) = Some b ->
  forall r, In r l -> exists u v, f u r = Some v.
Proof.
  assert (forall l, fold_left (fun acc (r : A) => match acc with None => None | Some u => f u r end) l None = None)
    as Z0
    by (induction l; auto).
  induction l as [|r l IH]; intros a b H q I; [contradiction|]. cbn [fold_left] in H.
  destruct (f a r) as [v|] eqn:E; [|rewrite Z0 in H; discriminate]. destruct I as [<-|I]; [eauto|]. exact (IH v b H q
    I).
Qed.

Fixpoint bounds_all (js : list (PositiveMap.t Z)) : Prop :=
  match js with [] => True | J :: js' => bounds w rows labels (length js') J /\ bounds_all js' end.

Lemma room_is_left J k left below A C B : bounds w rows labels k J -> length (A ++ B) = S k ->
  (forall D, In D (A ++ C :: B) -> below_n D) -> below_n left -> parts left (A ++ C :: B) -> lsum cost_of (A ++ C ::
    B) < below ->
  room J (label_of left) below (C, cost_of C, label_of C) = true.
Proof.
  intros Bd Len Bl BL P L. destruct (parts_take left A C B P) as [Sub P'].
  assert (label_of left - label_of C = label_of (N.ldiff left C)) as Lab.
  { rewrite (label_parts rows labels left _ P), (label_parts rows labels _ _ P'), !lsum_app. cbn [lsum]. lia. }
  unfold room. rewrite Lab. destruct (Bd (N.ldiff left C) (A ++ B) Len) as [d [F Ld]].
  - intros D I. apply Bl. apply in_app_iff in I. apply in_app_iff. destruct I; [left|right; right]; assumption.
  - intros i Hi. unfold has. rewrite N.ldiff_spec. pose proof (BL i Hi) as X. unfold has in X. rewrite X. reflexivity.
  - exact P'.
  - rewrite F. apply Z.ltb_lt. rewrite lsum_app in L, Ld. cbn [lsum] in L. lia.
Qed.

Theorem none_cheaper_sound : forall js left label below usable most fuel f', none_cheaper js left label below usable
  most fuel = Some f' ->
  bounds_all js -> label = label_of left -> below_n left -> forall Cs, length Cs = S (length js) ->
  (forall C, In C Cs -> below_n C /\ label_of C <= most /\ (js <> [] -> C <> 0%N -> In (C, cost_of C, label_of C)
    usable)) ->
  parts left Cs -> below <= lsum cost_of Cs.
Proof.
  induction js as [|J js IH]; intros left label below usable most fuel f' H Bd El BL Cs Len Hc P.
  - cbn [none_cheaper] in H. destruct (fuel <? 0); [discriminate|].
    destruct (cost_now left <? below) eqn:E; [discriminate|]. apply Z.ltb_ge in E. rewrite cost_now_spec in E.
    destruct Cs as [|C [|D Cs]]; try discriminate. rewrite (parts_one left C P). cbn [lsum]. lia.
  - cbn [none_cheaper] in H. destruct (fuel <? 0); [discriminate|]. destruct (N.eqb_spec left 0) as [->|N0].
    + destruct (0 <? below) eqn:E; [discriminate|]. apply Z.ltb_ge in E.
      assert (lsum cost_of Cs = 0) as ->; [|exact E]. rewrite (lsum_ext _ (fun _ => 0)); [apply lsum_zero|].
      intros C I. rewrite (parts_empty Cs P C I). unfold Classes.cost_of, class_cost. rewrite members_0.
      change (0 - zsum w (fun _ => 0) = 0). unfold zsum. rewrite lsum_zero. reflexivity.
    + destruct (Z.le_gt_cases below (lsum cost_of Cs)) as [L|L]; [exact L|exfalso].
      set (fit := @filter (N * Z * Z) (fun r => (N.ldiff (fst (fst r)) left =? 0)%N && (snd r <=? most) && room J
        label below r) usable) in H. destruct Bd as [BJ Bd].
      assert (forall C, In C Cs -> C <> 0%N -> In (C, cost_of C, label_of C) fit) as Hf.
      { intros C I NC. destruct (Hc C I) as [_ [Lm U]]. apply filter_In. split; [apply U; [discriminate|exact NC]|].
        cbn [fst snd].
        apply in_split in I as [A [B ->]]. destruct (parts_take left A C B P) as [Sub _].
        apply andb_true_intro. split; [apply andb_true_intro; split|].
        - apply N.eqb_eq, has_ext. intros i. rewrite has_0. unfold has in *. rewrite N.ldiff_spec. specialize (Sub i).
          destruct (N.testbit C (N.of_nat i)); [rewrite Sub; reflexivity|reflexivity].
        - apply Z.leb_le, Lm.
        - rewrite El. apply (room_is_left J (length js) left below A C B BJ); auto.
          + rewrite app_length in *. cbn [length] in Len. lia.
          + intros D ID. apply (Hc D ID). }
      assert (has left (N.to_nat (N.log2 left)) = true) as Top by (unfold has; rewrite N2Nat.id; apply N.bit_log2, N0).
      destruct (parts_some left Cs _ P Top) as [C [IC HC]].
      assert (C <> 0%N) as NC by (intros ->; rewrite has_0 in HC; discriminate).
      destruct (fold_some (fun f r => if N.testbit (fst (fst r)) (N.log2 left)
        then none_cheaper js (N.ldiff left (fst (fst r))) (label - snd r) (below - snd (fst r)) fit most f else Some f)
        fit _ f' H _ (Hf C IC NC)) as [u [v E]]. cbn [fst snd] in E.
      unfold has in HC. rewrite N2Nat.id in HC. rewrite HC in E.
      apply in_split in IC as [A [B ->]]. destruct (parts_take left A C B P) as [Sub P'].
      assert (below - cost_of C <= lsum cost_of (A ++ B)) as G.
      { apply (IH _ _ _ _ _ _ _ E Bd).
        - rewrite El, (label_parts rows labels left _ P), (label_parts rows labels _ _ P'), !lsum_app. cbn [lsum]. lia.
        - intros i Hi. unfold has. rewrite N.ldiff_spec. pose proof (BL i Hi) as X. unfold has in X. rewrite X.
            reflexivity.
        - rewrite app_length in *. cbn [length] in Len. lia.
        - intros D ID. assert (In D (A ++ C :: B)) as ID' by (apply in_app_iff in ID; apply in_app_iff; destruct ID;
            [left|right; right]; assumption).
          destruct (Hc D ID') as [X1 [X2 _]]. repeat split; auto.
        - exact P'. }
      rewrite lsum_app in L, G. cbn [lsum] in L. lia.
Qed.

Lemma joins_bounds L : (forall C, below_n C -> reaches L (label_of C) (cost_of C)) -> forall k,
  bounds_all (joins L k) /\ length (joins L k) = S k.
Proof.
  intros H. induction k as [|k [IH Len]].
  - split; [|reflexivity]. split; [|exact I]. destruct (joins_spec w rows labels L H 0) as [_ J].
    specialize (J O (Nat.le_refl _)). exact J.
  - split; [|apply (joins_spec w rows labels L H (S k))]. cbn [joins bounds_all]. split; [|exact IH].
    rewrite Len. destruct (joins_spec w rows labels L H (S k)) as [_ J]. specialize (J O (Nat.le_0_l _)). exact J.
Qed.

(* the image of a partition is one *)
Lemma parts_act g Cs : permutes n g -> (forall C, In C Cs -> below_n C) -> parts (everything rows) Cs ->
  parts (everything rows) (map (act n g) Cs).
Proof.
  intros Pm B P j. rewrite lsum_map. destruct Pm as [h Hh].
  assert (forall C, In C Cs -> one (act n g C) j = if (j <? n)%nat then one C (h j) else 0) as E.
  { intros C I. unfold one. destruct (Nat.ltb_spec j n) as [L|L].
    - destruct (Hh j L) as [G1 [H1 [G2 H2]]]. assert (has (act n g C) j = has C (h j)) as ->; [|reflexivity].
      apply eq_true_iff_eq. rewrite has_act. split.
      + intros [i [I1 [I2 <-]]]. destruct (Hh i I1) as [_ [_ [_ X]]]. rewrite X. exact I2.
      + intros X. exists (h j). auto.
    - rewrite (act_below n g C); [reflexivity| |exact L]. exists h. exact Hh. }
  rewrite (lsum_ext _ _ _ E). unfold one at 2. rewrite has_everything. fold n. destruct (Nat.ltb_spec j n) as [L|L];
    [|apply lsum_zero].
  rewrite (P (h j)). unfold one. rewrite has_everything. fold n. destruct (Hh j L) as [_ [H1 _]]. apply Nat.ltb_lt in
    H1. rewrite H1. reflexivity.
Qed.

Lemma largest_label : forall Cs : list N, Cs <> [] -> exists A C B, Cs = A ++ C :: B /\ forall D, In D Cs -> label_of
  D <= label_of C.
Proof.
  induction Cs as [|C Cs IH]; intros NE; [congruence|]. destruct Cs as [|D Cs].
  - exists [], C, []. split; [reflexivity|]. intros D [<-|[]]. lia.
  - destruct IH as [A [E [B [Eq M]]]]; [discriminate|]. destruct (Z.le_gt_cases (label_of C) (label_of E)) as [L|L].
    + exists (C :: A), E, B. split; [cbn; rewrite Eq; reflexivity|]. intros X [<-|I]; [exact L|apply M, I].
    + exists [], C, (D :: Cs). split; [reflexivity|]. intros X [<-|I]; [lia|]. specialize (M X I). lia.
Qed.

Theorem completed_sound gens moves fuel0 l : (forall g, In g moves -> is_product n gens g) ->
  (forall gen, In gen gens -> keeps w rows labels (fun i => nth i gen O) /\ length gen = n) ->
  found_classes w rows labels moves fuel0 = Some l ->
  forall k given fuel B, completed gens l (least_costs l) k given fuel = Some B -> forced rows (S k) B.
Proof.
  intros M K F k given fuel B H.
  pose proof (found_reaches w rows labels gens moves fuel0 l W M (fun gen I => proj1 (K gen I)) F) as Re.
  destruct (found_classes_spec w rows labels gens moves W M (fun gen I => proj1 (K gen I)) fuel0 l F) as [Rt All].
  unfold completed in H. destruct k as [|k]; [injection H as <-; apply forced_once, W|].
  set (total := lsum cost_now _) in H. set (L := least_costs l) in *.
  destruct (joins_bounds L Re k) as [Bd Len]. destruct (joins L k) as [|J js]; [discriminate|].
  destruct Bd as [BJ Bd]. cbn [length] in Len. injection Len as Len. rewrite Len in BJ.
  set (first := filter (room J (label_of (everything rows)) total) l) in *.
  assert (forall C, below_n C -> room J (label_of (everything rows)) total (C, cost_of C, label_of C) = true ->
    exists g, product gens g /\ In (act n g C, cost_of C, label_of C) first) as Lead.
  { intros C BC R. destruct (All C BC) as [g [P [c [t I]]]]. exists g. split; [exact P|].
    pose proof (product_keeps w rows labels gens g (fun gen I => proj1 (K gen I)) P) as [_ G]. destruct (G C) as [G1
      G2].
    destruct (Rt _ I) as [_ [Ec Et]]. fold n in G1, G2, Ec, Et. rewrite G1 in Ec. rewrite G2 in Et. subst c t.
    apply filter_In. split; [exact I|]. exact R. }
  destruct (match js with [] => Some [] | _ :: _ => _ end) as [usable|] eqn:U; [|discriminate].
  assert (js <> [] -> forall C, below_n C -> room J (label_of (everything rows)) total (C, cost_of C, label_of C) =
    true ->
    In (C, cost_of C, label_of C) usable) as Us.
  { intros NE C BC R. destruct js as [|J' js]; [congruence|].
    set (u := fst (orbits rounds (map (map bit) gens) first first (marked first))) in U.
    destruct (closed (map (map bit) gens) first u) eqn:Cl; [|discriminate]. injection U as <-.
    apply andb_prop in Cl as [C1 C2]. rewrite forallb_forall in C1, C2.
    assert (forall r, In r u -> right r) as Ru.
    { apply orbits_right; [exact K| |]; intros r I; apply filter_In in I as [I _]; apply Rt, I. }
    set (O := map (fun r : found_class => fst (fst r)) u).
    assert (forall T, In T O -> below_n T) as BO.
    { intros T I. unfold O in I. apply in_map_iff in I as [[[T' c] t] [<- I]]. apply (Ru _ I). }
    assert (forall T, seen T (marked u) = true -> In T O) as SO.
    { intros T S. apply seen_marked in S as [c [t I]]. unfold O. apply in_map_iff. exists (T, c, t). auto. }
    destruct (Lead C BC R) as [g [P I]].
    assert (In C O) as IC.
    { apply (product_back gens K O g P BO); [|exact BC|apply SO; exact (C1 _ I)].
      intros gen T Ig IT. unfold O in IT. apply in_map_iff in IT as [r [<- Ir]]. specialize (C2 r Ir).
      rewrite forallb_forall in C2. specialize (C2 (map bit gen) (in_map _ _ _ Ig)).
      rewrite (image_act gens K gen _ Ig) in C2. apply SO, C2. }
    unfold O in IC. apply in_map_iff in IC as [[[T c] t] [E Ir]]. cbn in E. subst T.
    destruct (Ru _ Ir) as [_ [-> ->]]. exact Ir. }
  match type of H with match ?f with _ => _ end = _ => destruct f as [f'|] eqn:Fo; [|discriminate] end. injection H
    as <-.
  apply (forced_parts w); [exact W|]. intros Cs Ln Bl P.
  destruct (Z.le_gt_cases total (lsum cost_of Cs)) as [X|X]; [exact X|exfalso].
  destruct (largest_label Cs) as [A [C [D [-> Mx]]]]; [intros ->; discriminate|].
  assert (forall E, In E (A ++ C :: D) -> room J (label_of (everything rows)) total (E, cost_of E, label_of E) =
    true) as Rm.
  { intros E I. apply in_split in I as [A' [D' Eq]]. rewrite Eq in *.
    apply (room_is_left J k (everything rows) total A' E D' BJ); auto.
    - rewrite app_length in *. cbn [length] in Ln. lia.
    - apply below_everything. }
  destruct (Lead C (Bl C ltac:(apply in_app_iff; right; apply in_eq)) (Rm C ltac:(apply in_app_iff; right; apply
    in_eq))) as [g [Pg I]].
  pose proof (product_keeps w rows labels gens g (fun gen I => proj1 (K gen I)) Pg) as [Pm G]. fold n in Pm, G.
  pose proof (parts_act g _ Pm Bl P) as P'. rewrite map_app in P'. cbn [map] in P'.
  destruct (parts_take _ _ _ _ P') as [_ P2].
  destruct (fold_some (fun f r => none_cheaper js (N.ldiff (everything rows) (fst (fst r)))
    (label_of (everything rows) - snd r) (total - snd (fst r)) usable (snd r) f) first fuel f' Fo _ I) as [f1 [f2 E]].
  cbn [fst snd] in E.
  assert (forall l, lsum cost_of (map (act n g) l) = lsum cost_of l) as Cost.
  { intros l'. rewrite lsum_map. apply lsum_ext. intros x _. apply G. }
  assert (total - cost_of C <= lsum cost_of (map (act n g) A ++ map (act n g) D)) as Q.
  { apply (none_cheaper_sound _ _ _ _ _ _ _ _ E Bd).
    - rewrite (label_parts rows labels _ _ P'), (label_parts rows labels _ _ P2), !lsum_app. cbn [lsum].
      destruct (G C) as [_ ->]. lia.
    - intros i Hi. unfold has. rewrite N.ldiff_spec. pose proof (below_everything rows i Hi) as Y. unfold has in Y.
        rewrite Y. reflexivity.
    - rewrite <- map_app, map_length. rewrite app_length in *. cbn [length] in Ln. lia.
    - intros T IT. rewrite <- map_app in IT. apply in_map_iff in IT as [T0 [<- IT]].
      assert (In T0 (A ++ C :: D)) as IT' by (apply in_app_iff in IT; apply in_app_iff; destruct IT; [left|right;
        right]; assumption).
      destruct (G T0) as [G1 G2]. split; [apply act_below, Pm|]. split; [rewrite G2; apply Mx, IT'|]. intros NE _.
      apply Us; [exact NE|apply act_below, Pm|]. rewrite G1, G2. exact (Rm T0 IT').
    - exact P2. }
  rewrite lsum_app, !Cost in Q. rewrite lsum_app in X. cbn [lsum] in X. lia.
Qed.
End Completion.
