(* Fooling sets: inputs that are crossed by pairs, and none larger by a search for cliques. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Json Certificate OneWay Tables Sorting Subsets Inputs Covers.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- cliques: vertices are taken from the last of several classes without edges, as long as there are
   more classes than the clique may have vertices ---- *)

Section Cliques.
Variables (vertices : nat) (adjacent : nat -> N).

Definition one (i : nat) : N := N.setbit 0 (N.of_nat i).
Definition leave_out (left : N) (l : list nat) : N := fold_left (fun s i => N.ldiff s (one i)) l left.
Fixpoint apart (fuel : nat) (free : N) : list nat :=
  match fuel with
  | O => []
  | S k => if (free =? 0)%N then [] else
           let i := N.to_nat (N.log2 free) in i :: apart k (N.ldiff free (N.lor (adjacent i) (one i)))
  end.
Fixpoint classes (fuel : nat) (left : N) (found : list (list nat)) : option (list (list nat)) :=
  if (left =? 0)%N then Some found else
  match fuel with
  | O => None
  | S k => let c := apart vertices left in classes k (leave_out left c) (c :: found)
  end.
Fixpoint no_clique (fuel : nat) (left : N) (room : Z) : bool :=
  match fuel with
  | O => false
  | S k =>
      let fix each_one (l : list nat) (left : N) : bool :=
        match l with
        | [] => true
        | i :: l' => no_clique k (N.land left (adjacent i)) (room - 1) && each_one l' (N.ldiff left (one i))
        end in
      let fix go (parts : list (list nat)) (left : N) : bool :=
        if (Z.of_nat (length parts) <=? room)%Z then true else
        match parts with
        | [] => false
        | c :: parts' => each_one c left && go parts' (leave_out left c)
        end in
      (0 <=? room)%Z && match classes vertices left [] with Some parts => go parts left | None => false end
  end.

Definition clique (T : list nat) := NoDup T /\ forall i j, In i T -> In j T -> i <> j -> bit (adjacent i) j = true.
Definition in_set (T : list nat) (s : N) := forall i, In i T -> bit s i = true.
Definition without_edges (c : list nat) := forall T, clique T -> incl T c -> length T <= 1.

Lemma bit_one i j : bit (one i) j = (i =? j).
Proof.
  unfold one. rewrite bit_testbit, N.setbit_eqb, N.bits_0, orb_false_r. destruct (Nat.eqb_spec i j) as [->|N].
  - apply N.eqb_refl.
  - apply N.eqb_neq. lia.
Qed.
Lemma leave_out_bit l : forall s j, bit (leave_out s l) j = bit s j && negb (member j l).
Proof.
  induction l as [|i l IH]; intros s j; cbn [leave_out fold_left member existsb]; [rewrite andb_true_r; reflexivity|].
  fold (leave_out (N.ldiff s (one i)) l). rewrite IH, bit_ldiff, bit_one. fold (member j l).
  rewrite (Nat.eqb_sym i j). destruct (bit s j), (j =? i), (member j l); reflexivity.
Qed.

Lemma clique_sub T U : clique T -> NoDup U -> incl U T -> clique U.
Proof. intros [D A] N I. split; [exact N|]. intros i j P Q. apply A; apply I; assumption. Qed.
Lemma apart_spec : forall fuel free, (forall j, In j (apart fuel free) -> bit free j = true) /\ without_edges (apart fuel free).
Proof.
  induction fuel as [|fuel IH]; intros free; cbn [apart].
  - split; [intros j []|]. intros T _ I. destruct T as [|i T]; [cbn; lia|]. destruct (I i (in_eq _ _)).
  - destruct (N.eqb_spec free 0) as [->|N].
    { split; [intros j []|]. intros T _ I. destruct T as [|i T]; [cbn; lia|]. destruct (I i (in_eq _ _)). }
    set (i := N.to_nat (N.log2 free)). destruct (IH (N.ldiff free (N.lor (adjacent i) (one i)))) as [B E]. split.
    + intros j [<-|J].
      * unfold i. rewrite bit_testbit, N2Nat.id. apply N.bit_log2, N.
      * specialize (B j J). rewrite bit_ldiff in B. apply andb_prop in B. apply B.
    + intros T C I. destruct (in_dec Nat.eq_dec i T) as [P|P].
      * destruct T as [|a [|c T]]; cbn; try lia. exfalso.
        assert (exists j, In j (a :: c :: T) /\ j <> i) as [j [J Ne]].
        { destruct C as [D _]. destruct (Nat.eq_dec a i) as [->|]; [|exists a; split; [left; reflexivity|assumption]].
          exists c. split; [right; left; reflexivity|]. inversion D as [|? ? H _]. intros ->. apply H. left. reflexivity. }
        destruct C as [_ A]. specialize (A i j P J ltac:(auto)).
        destruct (I j J) as [->|K]; [apply Ne; reflexivity|]. specialize (B j K).
        rewrite bit_ldiff, bit_lor, A in B. cbn in B. rewrite andb_false_r in B. discriminate.
      * apply E; [exact C|]. intros j J. destruct (I j J) as [->|K]; [contradiction|exact K].
Qed.

Lemma classes_spec : forall fuel left found parts, classes fuel left found = Some parts ->
  Forall without_edges found -> Forall without_edges parts /\
  (forall j, bit left j = true \/ In j (concat found) -> In j (concat parts)).
Proof.
  induction fuel as [|fuel IH]; intros left found parts H F; cbn [classes] in H; destruct (N.eqb_spec left 0) as [->|N];
    try discriminate; try (injection H as <-; split; [exact F|]; intros j [J|J]; [rewrite bit_0 in J; discriminate|exact J]).
  set (c := apart vertices left) in *. destruct (apart_spec vertices left) as [_ E]. fold c in E.
  destruct (IH _ _ _ H (Forall_cons _ E F)) as [G K]. split; [exact G|]. intros j J. apply K. cbn [concat].
  destruct (member j c) eqn:M; [right; apply in_or_app; left; apply member_spec, M|]. destruct J as [J|J].
  - left. rewrite leave_out_bit, J, M. reflexivity.
  - right. apply in_or_app. right. exact J.
Qed.

Lemma few_in_classes : forall parts T, Forall without_edges parts -> clique T -> incl T (concat parts) ->
  length T <= length parts.
Proof.
  induction parts as [|c parts IH]; intros T F C I.
  - destruct T as [|i T]; [cbn; lia|]. destruct (I i (in_eq _ _)).
  - inversion F as [|? ? E G]; subst.
    set (A := filter (fun i => member i c) T). set (B := filter (fun i => negb (member i c)) T).
    assert (length T = length A + length B) as ->.
    { unfold A, B. clear. induction T as [|i T IH]; [reflexivity|]. cbn. destruct (member i c); cbn; lia. }
    assert (length A <= 1).
    { apply E. 
      - apply (clique_sub T); [exact C|apply NoDup_filter, C|intros i J; apply filter_In in J; apply J].
      - intros i J. apply filter_In in J as [_ J]. apply member_spec, J. }
    assert (length B <= length parts); [|cbn; lia]. apply (IH B G).
    + apply (clique_sub T); [exact C|apply NoDup_filter, C|intros i J; apply filter_In in J; apply J].
    + intros i J. apply filter_In in J as [J M]. specialize (I i J). cbn [concat] in I. apply in_app_or in I as [K|K]; [|exact K].
      apply member_spec in K. rewrite K in M. discriminate.
Qed.

Theorem no_clique_sound : forall fuel left room T, no_clique fuel left room = true -> clique T -> in_set T left ->
  (Z.of_nat (length T) <= room)%Z.
Proof.
  induction fuel as [|fuel IH]; intros left room T H C I; cbn [no_clique] in H; [discriminate|].
  apply andb_prop in H as [R H]. apply Z.leb_le in R.
  destruct (classes vertices left []) as [parts|] eqn:P; [|discriminate].
  destruct (classes_spec _ _ _ _ P (Forall_nil _)) as [F K].
  set (each_one := fix each_one (l : list nat) (left : N) : bool :=
    match l with
    | [] => true
    | i :: l' => no_clique fuel (N.land left (adjacent i)) (room - 1) && each_one l' (N.ldiff left (one i))
    end) in H.
  assert (forall l left, each_one l left = true -> in_set T left ->
    (Z.of_nat (length T) <= room)%Z \/ in_set T (leave_out left l) /\ forall i, In i T -> ~ In i l) as One.
  { clear H P F K I. induction l as [|i l IHl]; intros s H I; cbn in H; [right; split; [exact I|intros i _ []]|].
    apply andb_prop in H as [N H]. destruct (in_dec Nat.eq_dec i T) as [J|J].
    - left. apply in_split in J as [A [B ->]].
      assert (NoDup (A ++ B)) as D by (destruct C as [D _]; apply NoDup_remove_1 in D; exact D).
      assert (incl (A ++ B) (A ++ i :: B)) as In1.
      { intros j Q. apply in_app_or in Q as [Q|Q]; apply in_or_app; [left|right; right]; exact Q. }
      assert (Z.of_nat (length (A ++ B)) <= room - 1)%Z.
      { apply (IH _ _ _ N); [apply (clique_sub _ _ C D In1)|]. intros j Q. rewrite bit_land, (I j (In1 j Q)). cbn [andb].
        apply (proj2 C); [apply in_or_app; right; left; reflexivity|apply In1, Q|].
        intros ->. destruct C as [D' _]. apply NoDup_remove_2 in D'. apply D', Q. }
      rewrite app_length in *. cbn [length]. lia.
    - assert (in_set T (N.ldiff s (one i))) as I'.
      { intros j Q. rewrite bit_ldiff, (I j Q), bit_one. destruct (Nat.eqb_spec i j) as [->|]; [contradiction|reflexivity]. }
      destruct (IHl _ H I') as [L|[L N2]]; [left; exact L|right].
      + split; [exact L|]. intros j Q [->|M]; [apply J, Q|apply (N2 j Q M)]. }
  clearbody each_one. assert (incl T (concat parts)) as S by (intros j J; apply K; left; apply I, J). clear P K.
  revert left I H. induction parts as [|c parts IHp]; intros s I H.
  - pose proof (few_in_classes [] T F C S) as L. cbn in L. lia.
  - destruct (Z.leb_spec (Z.of_nat (length (c :: parts))) room) as [L|L].
    + pose proof (few_in_classes _ T F C S). lia.
    + apply andb_prop in H as [E H]. destruct (One c s E I) as [Q|[Q N]]; [exact Q|].
      apply (IHp ltac:(inversion F; assumption)) with (left := leave_out s c); [|exact Q|exact H].
      intros i J. specialize (S i J). cbn [concat] in S. apply in_app_or in S as [X|X]; [destruct (N i J X)|exact X].
Qed.
End Cliques.

(* ---- inputs of a value that no rectangle of this value holds together ---- *)

Definition crossed (q : asked) (b : bool) (x y : nat) : N :=
  let barred := lines_of_value q (negb b) in
  let ours := nth x barred 0%N in
  let all := everywhere (width q) in
  joined (width q) (map (fun z => N.land (fst z) (if bit (snd z) y then all else ours))
    (combine (lines_of_value q b) barred)).

Lemma crossed_bit q b x y z w : w < width q ->
  bit (crossed q b x y) (z * width q + w)
  = is_value b (problem_in q z w) && (is_value (negb b) (problem_in q z y) || is_value (negb b) (problem_in q x w)).
Proof.
  intros W. unfold crossed. rewrite joined_bit by exact W.
  set (g := fun z : N * N => _). change 0%N with (g (0%N, 0%N)) at 1.
  rewrite map_nth, combine_nth by (unfold lines_of_value; rewrite !map_length; reflexivity). unfold g. cbn [fst snd].
  rewrite bit_land, !line_of_value. f_equal. destruct (is_value (negb b) (problem_in q z y)).
  - apply everywhere_bit, W.
  - apply line_of_value.
Qed.

Lemma crossed_spec q b x y z w : x < height q -> y < width q -> z < height q -> w < width q ->
  problem_in q x y = Some b -> problem_in q z w = Some b -> bit (crossed q b x y) (z * width q + w) = true <->
  ~ exists r, of_value (height q) (width q) (problem_in q) b r /\ holds r x y = true /\ holds r z w = true.
Proof.
  intros X Y Z W E F. rewrite crossed_bit by exact W. rewrite (proj2 (is_value_spec b _) F). cbn [andb]. split.
  - intros C [r [V [H K]]]. unfold holds in H, K. apply andb_prop in H as [Rx Cy]. apply andb_prop in K as [Rz Cw].
    assert (holds r z y = true) as A by (unfold holds; rewrite Rz, Cy; reflexivity).
    assert (holds r x w = true) as B by (unfold holds; rewrite Rx, Cw; reflexivity).
    rewrite (of_value_bits _ _ _ _ _ V Z Y A), (of_value_bits _ _ _ _ _ V X W B) in C. discriminate.
  - intros N. destruct (_ || _) eqn:C; [reflexivity|exfalso]. apply orb_false_elim in C as [C D]. apply N.
    exists (fun i => (i =? x) || (i =? z), fun j => (j =? y) || (j =? w)). split; [|split].
    + intros i j c I J H G. unfold holds in H. cbn [fst snd] in H. apply andb_prop in H as [P Q].
      assert (is_value (negb b) (problem_in q i j) = false) as K.
      { apply orb_prop in P as [P|P]; apply Nat.eqb_eq in P; subst i; apply orb_prop in Q as [Q|Q]; apply Nat.eqb_eq in Q; subst j;
          try assumption; [rewrite E|rewrite F]; destruct b; reflexivity. }
      rewrite G in K. cbn in K. destruct b, c; try reflexivity; discriminate K.
    + unfold holds. cbn. rewrite !Nat.eqb_refl. reflexivity.
    + unfold holds. cbn. rewrite !Nat.eqb_refl, !orb_true_r. reflexivity.
Qed.

Definition once_listed (q : asked) (cells : list (nat * nat)) : list (nat * nat) :=
  nodup (fun c d => match Nat.eq_dec (fst c) (fst d), Nat.eq_dec (snd c) (snd d) with
                    | left p, left r => left (injective_projections c d p r)
                    | right p, _ => right (fun e => p (f_equal fst e))
                    | _, right p => right (fun e => p (f_equal snd e))
                    end) cells.
Definition check_fooling (q : asked) (b : bool) (v : N) (cells : list (nat * nat)) : bool :=
  let l := once_listed q cells in
  let everything := fold_left (fun s c => N.lor s (one (code q c))) l 0%N in
  forallb (fun c => is_value b (problem_in q (fst c) (snd c))
    && (N.ldiff everything (N.lor (crossed q b (fst c) (snd c)) (one (code q c))) =? 0)%N) l
  && (v =? size l)%N.

Lemma everything_bit (f : nat * nat -> nat) l : forall s c, In c l \/ bit s (f c) = true ->
  bit (fold_left (fun s c => N.lor s (one (f c))) l s) (f c) = true.
Proof.
  induction l as [|a l IH]; intros s c H; cbn [fold_left]; [destruct H as [[]|H]; exact H|].
  apply IH. destruct H as [[->|H]|H]; [right|left; exact H|right]; rewrite bit_lor, bit_one.
  - rewrite Nat.eqb_refl, orb_true_r. reflexivity.
  - rewrite H. reflexivity.
Qed.
Lemma no_bits a i : N.eqb a 0 = true -> bit a i = false.
Proof. intros H. apply N.eqb_eq in H. rewrite H. apply bit_0. Qed.

Theorem check_fooling_sound q b v cells : (forall x y, In (x, y) cells -> x < height q /\ y < width q) ->
  check_fooling q b v cells = true -> fooling_at_least (height q) (width q) (problem_in q) b v.
Proof.
  intros B H. unfold check_fooling in H. apply andb_prop in H as [H V]. apply N.eqb_eq in V. rewrite size_length in V.
  set (l := once_listed q cells) in *. rewrite forallb_forall in H.
  assert (forall x y, In (x, y) l -> x < height q /\ y < width q /\ problem_in q x y = Some b) as G.
  { intros x y I. assert (In (x, y) cells) as J by (unfold l, once_listed in I; apply nodup_In in I; exact I).
    destruct (B x y J) as [X Y]. split; [exact X|]. split; [exact Y|]. specialize (H _ I). apply andb_prop in H as [H _].
    apply is_value_spec, H. }
  exists l. split; [|lia]. split; [apply NoDup_nodup|]. split; [exact G|].
  intros x y z w r I J R Hx Hz. destruct (G x y I) as [X [Y E]], (G z w J) as [Z [W F]].
  specialize (H _ I). apply andb_prop in H as [_ H]. cbn [fst snd] in H. apply (no_bits _ (code q (z, w))) in H.
  rewrite bit_ldiff, (everything_bit (code q) l 0%N (z, w) (or_introl J)) in H. cbn [andb] in H.
  apply negb_false_iff in H. rewrite bit_lor, bit_one in H. apply orb_prop in H as [H|H].
  - exfalso. apply (crossed_spec q b x y z w X Y Z W E F) in H. apply H. exists r. auto.
  - apply Nat.eqb_eq in H. unfold code in H. cbn [fst snd] in H. apply cell_inj in H as [-> ->]; auto.
Qed.

(* the inputs with which each input of the value is crossed; 0 for the others *)
Definition crossings (q : asked) (b : bool) : numbered N :=
  number_all (flat_map (fun x => map (fun y => if is_value b (problem_in q x y) then crossed q b x y else 0%N)
    (seq 0 (width q))) (seq 0 (height q))).
Definition check_colours (q : asked) (b : bool) (v : N) : bool :=
  let known := crossings q b in
  let k := (height q * width q)%nat in
  no_clique k (fun i => match entry known (N.of_nat i) with Some s => s | None => 0%N end) (S k) (held q b) (Z.of_N v).

Lemma rows_nth_error {A} (g : nat -> nat -> A) m : forall n s x y, x < n -> y < m ->
  nth_error (flat_map (fun x => map (g x) (seq 0 m)) (seq s n)) (x * m + y) = Some (g (s + x) y).
Proof.
  induction n as [|n IH]; intros s x y X Y; [lia|]. cbn [seq flat_map]. destruct x as [|x].
  - rewrite nth_error_app1 by (rewrite map_length, seq_length; lia). cbn. rewrite nth_error_map, (nth_error_nth' (seq 0 m) 0)
      by (rewrite seq_length; exact Y). rewrite seq_nth by exact Y. cbn. rewrite Nat.add_0_r. reflexivity.
  - rewrite nth_error_app2 by (rewrite map_length, seq_length; cbn; lia). rewrite map_length, seq_length.
    replace (S x * m + y - m) with (x * m + y) by lia. rewrite IH by lia. f_equal. f_equal. lia.
Qed.

Lemma number_from_before {A} : forall (l : list A) known k j, (j < k)%positive ->
  PositiveMap.find j (number_from known k l) = PositiveMap.find j known.
Proof.
  induction l as [|a l IH]; intros known k j H; cbn [number_from]; [reflexivity|].
  rewrite IH by lia. apply PositiveMap.gso. lia.
Qed.
Lemma number_from_at {A} : forall (l : list A) known k i a, nth_error l i = Some a ->
  PositiveMap.find (Pos.of_nat (Pos.to_nat k + i)) (number_from known k l) = Some a.
Proof.
  induction l as [|b l IH]; intros known k [|i] a H; cbn [nth_error] in H; try discriminate; cbn [number_from].
  - injection H as ->. rewrite Nat.add_0_r, Pos2Nat.id, number_from_before by lia. apply PositiveMap.gss.
  - rewrite <- (IH (PositiveMap.add k b known) (Pos.succ k) i a H). f_equal. lia.
Qed.
Lemma entry_at {A} (l : list A) i a : nth_error l i = Some a -> entry (number_all l) (N.of_nat i) = Some a.
Proof.
  intros H. unfold entry, number_all. rewrite <- (number_from_at l (PositiveMap.empty A) 1 i a H). f_equal.
  unfold key. pose proof (N.succ_pos_spec (N.of_nat i)). lia.
Qed.

Theorem check_colours_sound q b v : check_colours q b v = true ->
  fooling_at_most (height q) (width q) (problem_in q) b v.
Proof.
  intros H l [D [G C]]. unfold check_colours in H. set (adjacent := fun i => _) in H.
  assert (forall x y, x < height q -> y < width q -> problem_in q x y = Some b ->
    adjacent (code q (x, y)) = crossed q b x y) as A.
  { intros x y X Y E. unfold adjacent, crossings, code. cbn [fst snd].
    rewrite (entry_at _ _ _ (rows_nth_error (fun x y => if is_value b (problem_in q x y) then crossed q b x y else 0%N)
      (width q) (height q) 0 x y X Y)). cbn [Nat.add]. rewrite (proj2 (is_value_spec b _) E). reflexivity. }
  assert (Z.of_nat (length (map (code q) l)) <= Z.of_N v)%Z as L; [|rewrite map_length in L; lia].
  apply (no_clique_sound _ _ _ _ _ _ H).
  - split.
    + apply (NoDup_nth_error _). intros i j I E. rewrite !nth_error_map in E. rewrite map_length in I.
      destruct (nth_error l i) as [[x y]|] eqn:P; [|apply nth_error_None in P; lia].
      destruct (nth_error l j) as [[z w]|] eqn:Q; [|discriminate]. injection E as E. unfold code in E. cbn [fst snd] in E.
      destruct (G x y (nth_error_In _ _ P)) as [X [Y _]], (G z w (nth_error_In _ _ Q)) as [Z [W _]].
      apply cell_inj in E as [-> ->]; try assumption. apply (proj1 (NoDup_nth_error l) D); [exact I|congruence].
    + intros i j I J N. apply in_map_iff in I as [[x y] [<- I]]. apply in_map_iff in J as [[z w] [<- J]].
      destruct (G x y I) as [X [Y E]], (G z w J) as [Z [W F]]. rewrite A by assumption. unfold code. cbn [fst snd].
      apply (crossed_spec q b x y z w X Y Z W E F). intros [r [V [Hx Hz]]]. apply N.
      f_equal. apply (C x y z w r I J V Hx Hz).
  - intros i I. apply in_map_iff in I as [[x y] [<- I]]. destruct (G x y I) as [X [Y E]].
    apply (held_spec q b x y Y), E.
Qed.

Definition fooling_lower (q : covering) (v : N) (name : string) (data : json) : bool :=
  String.eqb name "inputs" &&
  match fields ["inputs"%string] data with
  | Some [l] => match list_of (cell_in (of_problem q)) l with
                | Some cells => check_fooling (of_problem q) (of_bit q) v cells
                | None => false
                end
  | _ => false
  end.
Definition fooling_upper (q : covering) (v : N) (name : string) (data : json) : bool :=
  String.eqb name "colours" &&
  match fields ["size"%string] data with
  | Some [s] => match natural s with
                | Some s => (v =? s)%N && check_colours (of_problem q) (of_bit q) v
                | None => false
                end
  | _ => false
  end.

Definition fooling_sets : kind.
Proof.
  refine {|
    title := "fooling_number"; parameters := ["value"%string];
    ask := covering_in; number := natural;
    lower := fooling_lower; upper := fooling_upper;
    lower_means q v := fooling_at_least (height (of_problem q)) (width (of_problem q)) (problem_in (of_problem q)) (of_bit q) v;
    upper_means q v := fooling_at_most (height (of_problem q)) (width (of_problem q)) (problem_in (of_problem q)) (of_bit q) v
  |}.
  - intros q v name data H. unfold fooling_lower in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|l [|]]|]; try discriminate. destruct (list_of _ l) as [cells|] eqn:L; [|discriminate].
    apply (check_fooling_sound _ _ _ cells); [|exact H]. intros x y I. destruct (list_of_in _ _ _ _ L I) as [a R].
    exact (cell_in_sound _ _ _ _ R).
  - intros q v name data H. unfold fooling_upper in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|s [|]]|]; try discriminate. destruct (natural s) as [s'|]; [|discriminate].
    apply andb_prop in H as [_ H]. apply check_colours_sound, H.
Defined.
