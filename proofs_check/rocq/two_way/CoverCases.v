(* Trees of cases: whether some rectangle of a cover holds all of some inputs.  In each case weights of
   inputs, and of the sets that some rectangle holds, bound the number of rectangles. *)
From Coq Require Import String List Arith NArith ZArith QArith Qround Lia Lqa Bool.
From CCSim Require Import Definitions Json Certificate Sums OneWay Tables Sorting Cases Inputs Covers FoolingSets.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- sets of inputs, as bits of numbers ---- *)

Definition subset (p c : N) : bool := (N.ldiff p c =? 0)%N.
Lemma subset_spec p c : subset p c = true <-> forall i, bit p i = true -> bit c i = true.
Proof.
  unfold subset. rewrite N.eqb_eq. split.
  - intros H i P. assert (bit (N.ldiff p c) i = false) as K by (rewrite H; apply bit_0).
    rewrite bit_ldiff, P in K. destruct (bit c i); [reflexivity|discriminate].
  - intros H. apply N.bits_inj_0. intros j. rewrite N.ldiff_spec. specialize (H (N.to_nat j)).
    rewrite !bit_testbit, N2Nat.id in H. destruct (N.testbit p j); [rewrite H by reflexivity|]; reflexivity.
Qed.
Lemma subset_one i c : subset (one i) c = bit c i.
Proof.
  destruct (bit c i) eqn:B.
  - apply subset_spec. intros j J. rewrite bit_one in J. apply Nat.eqb_eq in J. subst j. exact B.
  - destruct (subset (one i) c) eqn:S; [|reflexivity]. rewrite (proj1 (subset_spec _ _) S i) in B; [discriminate|].
    rewrite bit_one. apply Nat.eqb_refl.
Qed.
Definition times_inside (p : N) (K : list N) : nat := length (filter (subset p) K).

(* ---- weights of sets ---- *)

Definition weight_inside (parts : list (N * Z)) (c : N) : Z :=
  fold_right (fun p s => (if subset (fst p) c then snd p else 0) + s) 0 parts.
Definition all_weights (parts : list (N * Z)) : Z := fold_right (fun p s => snd p + s) 0 parts.
Definition heaviest_in (parts : list (N * Z)) (known : list N) : Z :=
  fold_right (fun c s => Z.max (weight_inside parts c) s) 1 known.
Definition rounded_up (a b : Z) : Z := - ((- a) / b).

Lemma heaviest_in_spec parts c : forall known, In c known -> weight_inside parts c <= heaviest_in parts known.
Proof. induction known as [|d known IH]; intros []; cbn; [subst; lia|specialize (IH H); unfold heaviest_in in IH; lia]. Qed.
Lemma heaviest_in_1 parts known : 1 <= heaviest_in parts known.
Proof. induction known as [|c known IH]; cbn; [lia|]. unfold heaviest_in in IH. lia. Qed.
Lemma rounded_up_le a b k : 0 < b -> a <= b * k -> rounded_up a b <= k.
Proof. intros P H. unfold rounded_up. assert (- k <= - a / b); [|lia]. apply Z.div_le_lower_bound; lia. Qed.

Definition total_inside (parts : list (N * Z)) (K : list N) : Z := fold_right (fun c s => weight_inside parts c + s) 0 K.
Lemma weights_counted parts K :
  total_inside parts K = fold_right (fun p s => snd p * Z.of_nat (times_inside (fst p) K) + s) 0 parts.
Proof.
  induction K as [|c K IH].
  - cbn. induction parts as [|p parts IH]; cbn; [reflexivity|]. rewrite <- IH. lia.
  - unfold total_inside in *. cbn [fold_right]. rewrite IH. clear IH. induction parts as [|[p w] parts IH]; [reflexivity|].
    cbn [weight_inside fold_right fst snd] in *. fold (weight_inside parts c).
    replace (times_inside p (c :: K)) with ((if subset p c then 1 else 0) + times_inside p K)%nat
      by (unfold times_inside; cbn [filter]; destruct (subset p c); reflexivity).
    rewrite <- IH. destruct (subset p c); lia.
Qed.
Lemma weights_heaviest parts known : forall K, incl K known ->
  total_inside parts K <= heaviest_in parts known * Z.of_nat (length K).
Proof.
  induction K as [|c K IH]; intros I; [cbn; lia|]. unfold total_inside. cbn [fold_right length]. fold (total_inside parts K).
  specialize (IH (fun d D => I d (in_cons _ _ _ D))). pose proof (heaviest_in_spec parts c known (I c (in_eq _ _))). lia.
Qed.

(* ---- the tree ---- *)

Inductive question_node := Ask (inputs : list (nat * nat)) | Weigh (weights : list (nat * nat * Z)) (sizes : list Z).
Definition as_set (q : asked) (l : list (nat * nat)) : N := fold_left (fun s c => N.lor s (one (code q c))) l 0%N.
Definition some_rectangles := (list N * list N)%type.       (* which may be used, and sets of which each is in one *)

Section Tree.
Variables (q : asked) (b disjoint : bool).

Definition split_cover (a : question_node) (c : some_rectangles) : option (list some_rectangles * list Q) :=
  let '(usable, sets) := c in
  match a with
  | Ask [] => None
  | Ask l => let p := as_set q l in
             Some ([(filter (fun m => negb (subset p m)) usable, sets); (usable, sets ++ [p])], [])
  | Weigh weights sizes =>
      let parts := map (fun c => (one (code q (fst c)), snd c)) weights ++ combine sets sizes in
      given ((length sizes =? length sets)%nat
        && forallb (fun c => is_value b (problem_in q (fst (fst c)) (snd (fst c)))) weights
        && (disjoint || forallb (fun p => 0 <=? snd p) parts))
        (Some ([], [inject_Z (rounded_up (all_weights parts) (heaviest_in parts usable))]))
  end.

Variable K : list N.
Definition in_one (p : N) := if disjoint then times_inside p K = 1%nat else (1 <= times_inside p K)%nat.
Hypothesis held_inside : forall x y, (x < height q)%nat -> (y < width q)%nat ->
  (problem_in q x y = Some b -> in_one (one (code q (x, y)))) /\
  (disjoint = true -> (times_inside (one (code q (x, y))) K <= 1)%nat).
Definition possible (c : some_rectangles) := incl K (fst c) /\ forall p, In p (snd c) -> in_one p.
Definition fine (a : question_node) :=
  match a with
  | Ask l => forall x y, In (x, y) l -> (x < height q)%nat /\ (y < width q)%nat
  | Weigh weights _ => forall x y w, In (x, y, w) weights -> (x < height q)%nat /\ (y < width q)%nat
  end.

Lemma times_inside_le p i : bit p i = true -> (times_inside p K <= times_inside (one i) K)%nat.
Proof.
  intros P. unfold times_inside. clear held_inside. induction K as [|c L IH]; [apply le_n|]. cbn [filter].
  rewrite (subset_one i c). destruct (subset p c) eqn:T.
  - rewrite (proj1 (subset_spec p c) T i P). cbn [length]. lia.
  - destruct (bit c i); cbn [length]; lia.
Qed.

Lemma split_cover_sound a c parts bounds : fine a -> split_cover a c = Some (parts, bounds) -> possible c ->
  (exists d, In d parts /\ possible d) \/ (exists v, In v bounds /\ (v <= inject_Z (Z.of_nat (length K)))%Q).
Proof.
  destruct c as [usable sets]. intros Fi H [I O]. cbn [fst snd] in I, O. destruct a as [l|weights sizes]; cbn [split_cover] in H.
  - destruct l as [|[x y] l]; [discriminate|]. set (p := as_set q ((x, y) :: l)) in H. injection H as <- <-. left.
    assert (bit p (code q (x, y)) = true) as B by (apply (everything_bit (code q)); left; left; reflexivity).
    destruct (Fi x y (in_eq _ _)) as [X Y]. destruct (held_inside x y X Y) as [_ D].
    destruct (Nat.eq_dec (times_inside p K) 0) as [E|E].
    + exists (filter (fun m => negb (subset p m)) usable, sets). split; [left; reflexivity|]. split; [|exact O].
      intros c C. cbn [fst]. apply filter_In. split; [apply I, C|]. destruct (subset p c) eqn:S; [|reflexivity].
      exfalso. unfold times_inside in E. apply length_zero_iff_nil in E.
      assert (In c (filter (subset p) K)) as J by (apply filter_In; auto). rewrite E in J. destruct J.
    + exists (usable, sets ++ [p]). split; [right; left; reflexivity|]. split; [exact I|].
      intros r R. cbn [snd] in R. apply in_app_or in R as [R|[<-|[]]]; [apply O, R|]. unfold in_one.
      pose proof (times_inside_le p _ B). destruct disjoint; [specialize (D eq_refl)|]; lia.
  - right. unfold given in H. destruct (_ && _) eqn:G in H; [|discriminate]. injection H as <- <-.
    apply andb_prop in G as [G N]. apply andb_prop in G as [L V]. apply Nat.eqb_eq in L. rewrite forallb_forall in V.
    set (parts := _ ++ _) in *. eexists. split; [left; reflexivity|]. rewrite <- Zle_Qle.
    pose proof (heaviest_in_1 parts usable) as P1.
    apply rounded_up_le; [lia|]. refine (Z.le_trans _ _ _ _ (weights_heaviest parts usable K I)).
    rewrite weights_counted.
    assert (forall p, In p parts -> in_one (fst p)) as In1.
    { intros [p w] J. apply in_app_or in J as [J|J].
      - apply in_map_iff in J as [[[x y] z] [E J]]. injection E as <- _. cbn [fst snd].
        destruct (Fi x y z J) as [X Y]. apply (held_inside x y X Y). specialize (V _ J). apply is_value_spec, V.
      - apply in_combine_l in J. apply O, J. }
    clearbody parts. clear - In1 N. induction parts as [|[p w] parts IH]; [reflexivity|].
    cbn [all_weights fold_right fst snd]. fold (all_weights parts).
    assert (disjoint || forallb (fun p => 0 <=? snd p) parts = true) as N'.
    { destruct disjoint; [reflexivity|]. cbn [orb forallb] in *. apply andb_prop in N as [_ N]. exact N. }
    specialize (IH N' (fun r R => In1 r (in_cons _ _ _ R))). pose proof (In1 _ (in_eq _ _)) as C. unfold in_one in C. cbn [fst] in C.
    destruct disjoint; [rewrite C; lia|]. cbn [orb forallb snd] in N. apply andb_prop in N as [W _]. apply Z.leb_le in W. nia.
Qed.

(* the least bound of a leaf, at least 0 *)
Definition least_of (all : list Q) : N :=
  match all with
  | [] => 0
  | a :: l => Z.to_N (fold_right (fun c s => Z.min (Qfloor c) s) (Qfloor a) l)
  end.
Definition bound_by_cases (known : list N) (nodes : list question_node) : option N :=
  let* all := walk split_cover nodes [(known, [])] [] in Some (least_of all).

Lemma least_of_le all a : In a all -> least_of all = 0%N \/ (inject_Z (Z.of_N (least_of all)) <= a)%Q.
Proof.
  destruct all as [|c l]; [intros []|]. cbn [least_of]. set (z := fold_right _ _ _). intros I.
  assert (z <= Qfloor a) as L.
  { unfold z. clear z. destruct I as [->|I]; induction l as [|d l IH]; cbn [fold_right]; try lia; [destruct I|].
    destruct I as [->|I]; [lia|specialize (IH I); lia]. }
  destruct (Z.le_gt_cases z 0) as [Z0|Z0]; [left; destruct z; [reflexivity|lia|reflexivity]|right].
  rewrite Z2N.id by lia. apply Qle_trans with (inject_Z (Qfloor a)); [rewrite <- Zle_Qle; exact L|apply Qfloor_le].
Qed.

Theorem bound_by_cases_sound known nodes v : incl K known -> (forall a, In a nodes -> fine a) ->
  bound_by_cases known nodes = Some v -> (v <= N.of_nat (length K))%N.
Proof.
  unfold bound_by_cases. intros I Fi H. destruct (walk split_cover nodes [(known, [])] []) as [all|] eqn:W; [|discriminate].
  injection H as <-.
  assert (exists w, In w all /\ (w <= inject_Z (Z.of_nat (length K)))%Q) as [w [J L]].
  { assert (possible (known, [])) as P by (split; [exact I|intros p []]).
    assert (forall nodes left found all c, (forall a, In a nodes -> fine a) -> walk split_cover nodes left found = Some all ->
      In c left -> possible c -> exists w, In w all /\ (w <= inject_Z (Z.of_nat (length K)))%Q) as G.
    { clear - held_inside. induction nodes as [|a nodes IH]; intros [|c' left] found all c Fi W I P; try discriminate W; [destruct I|].
      cbn [walk] in W. destruct (split_cover a c') as [[parts bounds]|] eqn:S; [|discriminate W].
      pose proof (fun a0 J => Fi a0 (in_cons _ _ _ J)) as Fi'. destruct I as [->|I].
      - destruct (split_cover_sound _ _ _ _ (Fi a (in_eq _ _)) S P) as [[d [D Q]]|[w [V E]]].
        + apply (IH _ _ _ d Fi' W); [apply in_or_app; left; exact D|exact Q].
        + exists w. split; [|exact E]. apply (walk_keeps _ _ _ _ _ w W), in_or_app. left. exact V.
      - apply (IH _ _ _ c Fi' W); [apply in_or_app; right; exact I|exact P]. }
    apply (G _ _ _ _ _ Fi W (in_eq _ _) P). }
  destruct (least_of_le _ _ J) as [->|H]; [lia|].
  assert (inject_Z (Z.of_N (least_of all)) <= inject_Z (Z.of_nat (length K)))%Q as Q by lra. rewrite <- Zle_Qle in Q. lia.
Qed.
End Tree.
