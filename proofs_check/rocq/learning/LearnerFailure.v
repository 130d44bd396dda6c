(* How often a learner fails on its worst target: one target from below, simplices that cover all
   distributions from above. *)
From Coq Require Import String List ZArith QArith Lia Lqa Bool FMapPositive.
From CCSim Require Import Definitions Sums Mixture Json Certificate Representations Draws Learners LearnerTables Simplices.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- good functions ---- *)

Definition good_under (a : Q) (U : Z) (f h : list bool) (c : list Z) : bool :=
  at_most (covered c (zip xorb h f)) U a.
Definition goods m a U (cs : list (list Z)) (f : list bool) : list bool :=
  map (fun h => forallb (good_under a U f h) cs) (functions m).

Lemma at_most_iff x t v (m : Q) : 0 < t -> (m * inject_Z t == inject_Z x)%Q ->
  at_most x t v = Qle_bool m v.
Proof.
  intros Ht E. apply eq_true_iff_eq. rewrite Qle_bool_iff. split; [apply at_most_spec; assumption|].
  intros H. unfold at_most. apply Z.leb_le. apply (Qmult_le_compat_r _ _ (inject_Z t)) in H.
  - rewrite E in H. unfold Qle, Qmult, inject_Z in H. cbn [Qnum Qden] in H. rewrite Pos.mul_1_r in H. lia.
  - change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia.
Qed.

Lemma good_under_spec m a U f h c : is_law c = true -> total c = U -> length c = m -> length h = m -> length f = m ->
  good_under a U f h c = is_good m (share c) a (of_row h) (of_row f).
Proof.
  intros L <- K Lh Lf. unfold good_under, is_good. apply at_most_iff; [apply total_lt, L|].
  rewrite <- mean_covered by (try exact L; rewrite zip_length; congruence).
  apply Qmult_comp; [|reflexivity]. rewrite K. apply sum_ext. intros x Hx.
  apply Qmult_comp; [reflexivity|]. unfold of_row. rewrite <- Lh in Hx. assert (length h = length f) as E by congruence.
  clear - Hx E. revert f x Hx E. induction h as [|b h IH]; intros [|d f] [|x] Hx E; cbn in *; try lia; [reflexivity|].
  apply IH; lia.
Qed.
Lemma goods_spec m a U cs f i : corners_ok m U cs \/ (exists c, cs = [c] /\ is_law c = true /\ length c = m /\ total c = U) ->
  length f = m -> (i < length (functions m))%nat ->
  nth i (goods m a U cs f) false = forallb (fun c => is_good m (share c) a (function m i) (of_row f)) cs.
Proof.
  intros O Lf Hi. unfold goods, function. set (g h := forallb (good_under a U f h) cs).
  rewrite (nth_indep _ false (g [])) by (rewrite map_length; exact Hi). rewrite (map_nth g). unfold g.
  assert (length (nth i (functions m) []) = m) as Lh by (apply functions_length, nth_In, Hi).
  assert (forall c, In c cs -> is_law c = true /\ length c = m /\ total c = U) as B.
  { destruct O as [[_ B]|[c [-> B]]]; [exact B|]. intros d [<-|[]]. exact B. }
  clear O. induction cs as [|c cs IH]; cbn; [reflexivity|].
  rewrite IH by (intros; apply B; right; assumption). f_equal.
  destruct (B c (or_introl eq_refl)) as [L [K T]]. apply good_under_spec; assumption.
Qed.

(* ---- chances of success ---- *)

Section Learner.
Context (m n : nat) (laws : list (list Z)) (unit : Z) (a : Q).
Hypothesis Ok : check_laws m n unit laws = true.
Let t := tree_of (table_of m n laws).
Let A := tabulated m n laws.

Definition values (t : PositiveMap.t (list Z)) (f : list bool) (good : list bool) (l : list nat) : Z :=
  covered (found t (sorted (numbers (labelled (of_row f) l)))) good.
Definition successes (t : PositiveMap.t (list Z)) (f : list bool) (U : Z) (cs : list (list Z)) : list Z :=
  let good := goods m a U cs f in chances m n cs (build m n (values t f good)).
Definition whole U := unit * U ^ Z.of_nat n.

Definition answered f good l : Q :=
  sum (length (functions m)) (fun i => answering A (labelled (of_row f) l) i * chance (nth i good false))%Q.
Lemma values_spec f good l : records m n l -> length good = length (functions m) ->
  (answered f good l * inject_Z unit == inject_Z (values t f good l))%Q.
Proof.
  intros R K. pose proof (labelled_sample (of_row f) m n l R) as S.
  destruct (check_laws_spec m n unit laws Ok _ S) as [L [W T]].
  unfold answered, A, values, t. cbn [tabulated answering]. fold (table_of m n laws). rewrite found_look_up.
  rewrite <- T at 1. rewrite <- W. apply mean_covered; [exact L|]. lia.
Qed.

Lemma mixed_values f good U cs js : (forall c, In c cs -> is_law c = true /\ length c = m /\ total c = U) ->
  length good = length (functions m) -> length js = n -> (forall c, In c js -> In c cs) ->
  (mixed m (map share js) (answered f good) * inject_Z (whole U) == inject_Z (mixture_sum m js (values t f good)))%Q.
Proof.
  intros B K L I. rewrite mixture_sum_spec by (intros c H; apply (B c), I, H).
  unfold whole. rewrite Z.mul_comm, inject_Z_mult, Qmult_assoc, <- L.
  rewrite mixed_shares by (intros c H; destruct (B c (I c H)) as [? [_ ?]]; auto).
  rewrite Qmult_comm, <- mixed_scale. apply mixed_ext. intros l R. rewrite map_length, L in R.
  rewrite <- values_spec by assumption. apply Qmult_comm.
Qed.

Lemma success_covers f U cs D low : length f = m -> corners_ok m U cs -> inside m cs D -> law m D -> 0 < whole U ->
  (forall z, In z (successes t f U cs) -> low <= z) ->
  (inject_Z low <= success m n A a (of_row f) D * inject_Z (whole U))%Q.
Proof.
  intros Lf O I LD P H. pose proof O as [_ B].
  set (good := goods m a U cs f). assert (length good = length (functions m)) as K by apply map_length.
  assert (0 < inject_Z (whole U))%Q as PQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P).
  assert (inject_Z low / inject_Z (whole U) <= drawn m D n (answered f good))%Q as G.
  { apply (convex m cs D _ I). intros js Ljs Ijs. apply Qle_shift_div_r; [exact PQ|].
    rewrite (mixed_values f good U cs js B K Ljs Ijs). rewrite <- Zle_Qle. apply H. unfold successes.
    apply chances_spec; [intros c Hc; apply (B c Hc)|exact Ljs|exact Ijs]. }
  apply (Qle_trans _ (drawn m D n (answered f good) * inject_Z (whole U))).
  - setoid_replace (inject_Z low) with (inject_Z low / inject_Z (whole U) * inject_Z (whole U))%Q by (field; lra).
    apply Qmult_le_compat_r; [exact G|lra].
  - apply Qmult_le_compat_r; [|lra]. unfold success. apply drawn_le; [exact LD|]. intros l R.
    apply sum_le. intros i Hi. change (answers A) with (length (functions m)) in Hi.
    assert (0 <= answering A (labelled (of_row f) l) i)%Q as N.
    { apply (law_nonneg (length (functions m))); [|exact Hi].
      apply (tabulated_learner m n unit laws Ok), labelled_sample, R. }
    assert (chance (nth i good false) <= chance (is_good m D a (function m i) (of_row f)))%Q as C.
    { unfold good. rewrite (goods_spec m a U cs f i (or_introl O) Lf Hi).
      destruct (forallb _ cs) eqn:F; [|apply chance_01]. rewrite forallb_forall in F.
      unfold is_good at 1. rewrite (proj2 (Qle_bool_iff _ _)); [apply Qle_refl|].
      apply (good_inside m cs D _ _ a I). intros c Hc. apply Qle_bool_iff, (F c Hc). }
    unfold is_good in C. change (answer A i) with (function m i). nra.
Qed.

Lemma success_on f D : length f = m -> is_law D = true -> length D = m ->
  exists s, successes t f (total D) [D] = [s] /\
  (success m n A a (of_row f) (share D) * inject_Z (whole (total D)) == inject_Z s)%Q.
Proof.
  intros Lf LD K. set (good := goods m a (total D) [D] f).
  exists (mixture_sum m (repeat D n) (values t f good)). split; [apply chances_one, K|].
  rewrite <- (mixed_values f good (total D) [D] (repeat D n)).
  - apply Qmult_comp; [|reflexivity]. unfold success. rewrite drawn_mixed.
    replace (map share (repeat D n)) with (repeat (share D) n) by (clear; induction n; cbn; congruence).
    apply mixed_ext. intros l R. unfold answered. apply sum_ext. intros i Hi.
    change (answers A) with (length (functions m)) in Hi. apply Qmult_comp; [reflexivity|].
    unfold good. rewrite goods_spec; [|right; exists D; auto|exact Lf|exact Hi]. cbn [forallb].
    rewrite andb_true_r. reflexivity.
  - intros c [<-|[]]. auto.
  - apply map_length.
  - apply repeat_length.
  - intros c H. apply repeat_spec in H as ->. left. reflexivity.
Qed.
End Learner.

(* ---- one target ---- *)

Record learning := Learning { points : nat; rows : list (list bool); samples : nat; accuracy : Q }.
Definition class_at (q : learning) : class := table (points q) (concepts (rows q)).
Definition rows_ok (q : learning) : bool := forallb (fun r => length r =? points q)%nat (rows q).
Definition unit_of (laws : list (list Z)) : Z := total (hd [] laws).
Definition failing unit n U s : Z := whole n unit U - s.

Definition check_target (q : learning) (laws : list (list Z)) (concept : nat) (D : list Z) (v : Q) : bool :=
  let n := samples q in
  let unit := unit_of laws in
  rows_ok q && (concept <? length (rows q))%nat && is_law D && (length D =? points q)%nat
  && check_laws (points q) n unit laws
  && (0 <? whole n unit (total D))
  && forallb (fun s => let x := failing unit n (total D) s in
                       at_least x (whole n unit (total D)) v && at_most x (whole n unit (total D)) v)
       (successes (points q) n (accuracy q) (tree_of (table_of (points q) n laws)) (nth concept (rows q) [])
                  (total D) [D]).

Lemma failing_spec unit n U s (p : Q) : 0 < whole n unit U -> (p * inject_Z (whole n unit U) == inject_Z s)%Q ->
  ((1 - p) * inject_Z (whole n unit U) == inject_Z (failing unit n U s))%Q.
Proof.
  intros P E. unfold failing. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, <- E. ring.
Qed.

Theorem check_target_sound q laws concept D v : check_target q laws concept D v = true ->
  fails_on_a_target (points q) (samples q) (tabulated (points q) (samples q) laws) (class_at q) (accuracy q) v.
Proof.
  unfold check_target. cbv zeta. intros C.
  apply andb_prop in C as [C F]. apply andb_prop in C as [C P]. apply andb_prop in C as [C Ok].
  apply andb_prop in C as [C K]. apply andb_prop in C as [C LD]. apply andb_prop in C as [R N].
  apply Nat.eqb_eq in K. apply Nat.ltb_lt in N. apply Z.ltb_lt in P.
  set (f := nth concept (rows q) []) in *. assert (In f (rows q)) as I by (apply nth_In, N).
  unfold rows_ok in R. rewrite forallb_forall in R. pose proof (R f I) as Lf. apply Nat.eqb_eq in Lf.
  destruct (success_on (points q) (samples q) laws _ (accuracy q) Ok f D Lf LD K) as [s [E S]].
  rewrite E in F. cbn [forallb] in F. rewrite andb_true_r in F. apply andb_prop in F as [F _].
  exists (of_row f), (share D). split; [|split].
  - exists (of_row f). split; [apply in_map, I|]. intros x Hx. reflexivity.
  - rewrite <- K. apply share_law, LD.
  - eapply at_least_spec; [exact P|apply failing_spec; [exact P|exact S]|exact F].
Qed.

(* ---- trees of simplices ---- *)

Definition piece := (Z * list (list Z))%type.
(* where an edge is cut: between two corners, by the shares that they have there *)
Record cut := Cut { one_corner : nat; other_corner : nat; one_weight : positive; other_weight : positive }.
Definition least_of (l : list Z) : Z := match l with [] => 0 | a :: l' => fold_left Z.min l' a end.
Fixpoint pieces (m : nat) (leaf : piece -> Z * Z) (nodes : list (option cut)) (stack : list piece)
  : option (list (Z * Z)) :=
  match nodes, stack with
  | [], [] => Some []
  | None :: nodes', p :: stack' =>
      match pieces m leaf nodes' stack' with Some l => Some (leaf p :: l) | None => None end
  | Some (Cut i j p r) :: nodes', (U, cs) :: stack' =>
      if (i <? m)%nat && (j <? m)%nat && negb (i =? j)%nat
      then let V := Zpos (p + r) * U in pieces m leaf nodes' ((V, part cs i j p r i) :: (V, part cs i j p r j) :: stack')
      else None
  | _, _ => None
  end.
Definition leaf_of (q : learning) t unit (f : list bool) (p : piece) : Z * Z :=
  let (U, cs) := p in
  (failing unit (samples q) U (least_of (successes (points q) (samples q) (accuracy q) t f U cs)),
   whole (samples q) unit U).
Definition trees_of (q : learning) t unit (trees : list (list (option cut))) : option (list (list (Z * Z))) :=
  each (fun p => pieces (points q) (leaf_of q t unit (fst p)) (snd p) [(1, point_masses (points q))])
       (combine (rows q) trees).
(* what the parts leave of failures, as quotients *)
Definition worst (q : learning) (laws : list (list Z)) trees : option (list (Z * Z)) :=
  let unit := unit_of laws in
  if rows_ok q && (length trees =? length (rows q))%nat && check_laws (points q) (samples q) unit laws
  then let* l := trees_of q (tree_of (table_of (points q) (samples q) laws)) unit trees in Some ((0, 1) :: concat l)
  else None.
Definition bounded (v : Q) (l : list (Z * Z)) : bool := forallb (fun x => (0 <? snd x) && at_most (fst x) (snd x) v) l.
Definition check_subdivisions (q : learning) (laws : list (list Z)) trees (v : Q) : bool :=
  match worst q laws trees with
  | Some l => bounded v l && existsb (fun x => at_least (fst x) (snd x) v) l
  | None => false
  end.

Lemma fold_min_le : forall l a, fold_left Z.min l a <= a /\ forall z, In z l -> fold_left Z.min l a <= z.
Proof.
  induction l as [|b l IH]; intros a; cbn; [split; [lia|contradiction]|].
  destruct (IH (Z.min a b)) as [H G]. split; [lia|]. intros z [<-|Hz]; [lia|auto].
Qed.
Lemma least_of_le l z : In z l -> least_of l <= z.
Proof.
  destruct l as [|a l]; [contradiction|]. destruct (fold_min_le l a) as [H G]. cbn. intros [<-|Hz]; [exact H|auto].
Qed.

Section Trees.
Context (q : learning) (laws : list (list Z)) (v : Q).
Let unit := unit_of laws.
Hypothesis Ok : check_laws (points q) (samples q) unit laws = true.
Let t := tree_of (table_of (points q) (samples q) laws).
Let A := tabulated (points q) (samples q) laws.

Lemma pieces_sound f : length f = points q -> forall nodes stack l,
  pieces (points q) (leaf_of q t unit f) nodes stack = Some l ->
  (forall x, In x l -> 0 < snd x /\ at_most (fst x) (snd x) v = true) ->
  (forall U cs, In (U, cs) stack -> corners_ok (points q) U cs) ->
  forall U cs D, In (U, cs) stack -> law (points q) D -> inside (points q) cs D ->
  (1 - success (points q) (samples q) A (accuracy q) (of_row f) D <= v)%Q.
Proof.
  intros Lf. induction nodes as [|node nodes IH]; intros stack l E B O U cs D H LD I.
  - destruct stack; [contradiction|discriminate].
  - destruct stack as [|[V ds] stack]; [contradiction|]. cbn [pieces] in E. destruct node as [[i j p r]|].
    + destruct ((i <? points q)%nat && (j <? points q)%nat && negb (i =? j)%nat) eqn:G; [|discriminate].
      apply andb_prop in G as [G Ne]. apply andb_prop in G as [Hi Hj]. apply Nat.ltb_lt in Hi, Hj.
      apply negb_true_iff, Nat.eqb_neq in Ne.
      pose proof (O V ds (or_introl eq_refl)) as Od.
      specialize (IH _ _ E B). assert (forall U cs, In (U, cs) ((Zpos (p + r) * V, part ds i j p r i) :: (Zpos (p + r) * V, part ds i j p r j) :: stack) ->
        corners_ok (points q) U cs) as O'.
      { intros U' cs' [[= <- <-]|[[= <- <-]|H']]; [apply part_ok; assumption..|apply O; right; exact H']. }
      specialize (IH O'). destruct H as [[= -> ->]|H].
      * destruct (part_inside _ _ _ i j p r D Od Hi Hj Ne I) as [I'|I'];
          [apply (IH _ _ D (or_introl eq_refl) LD I')|apply (IH _ _ D (or_intror (or_introl eq_refl)) LD I')].
      * apply (IH U cs D); [right; right; exact H|exact LD|exact I].
    + destruct (pieces _ _ nodes stack) as [l'|] eqn:E'; [|discriminate]. injection E as <-.
      destruct H as [[= -> ->]|H].
      * destruct (B _ (or_introl eq_refl)) as [P M]. unfold leaf_of in P, M. cbn [fst snd] in P, M.
        set (low := least_of _) in M.
        pose proof (success_covers (points q) (samples q) laws unit (accuracy q) Ok f U cs D low Lf
          (O U cs (or_introl eq_refl)) I LD P (least_of_le _)) as S.
        set (w := whole (samples q) unit U) in *. set (s := success _ _ _ _ _ _) in *.
        assert (0 < inject_Z w)%Q as PQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P).
        apply (Qle_trans _ (inject_Z (failing unit (samples q) U low) / inject_Z w)).
        -- apply Qle_shift_div_l; [exact PQ|]. unfold failing, Z.sub. fold w. rewrite inject_Z_plus, inject_Z_opp. fold A in s. lra.
        -- eapply at_most_spec; [exact P| |exact M]. field. lra.
      * apply (IH stack l' E') with (U := U) (cs := cs); auto.
        -- intros x Hx. apply B. right. exact Hx.
        -- intros U' cs' H'. apply O. right. exact H'.
Qed.
End Trees.

Lemma each_combine {A B C} (g : A * B -> option C) : forall l k r, each g (combine l k) = Some r -> length k = length l ->
  forall a, In a l -> exists b c, In (a, b) (combine l k) /\ g (a, b) = Some c /\ In c r.
Proof.
  induction l as [|x l IH]; intros [|y k] r E L a H; try discriminate L; [contradiction|].
  cbn in E. destruct (g (x, y)) as [c|] eqn:G; [|discriminate].
  destruct (each g (combine l k)) as [r'|] eqn:E'; [|discriminate]. injection E as <-.
  destruct H as [<-|H]; [exists y, c; cbn; auto|].
  destruct (IH k r' E' ltac:(injection L; auto) a H) as [b [d [I [G' J]]]]. exists b, d. cbn. auto.
Qed.

Theorem worst_sound q laws trees v l : worst q laws trees = Some l -> bounded v l = true ->
  check_laws (points q) (samples q) (unit_of laws) laws = true /\
  fails_at_most (points q) (samples q) (tabulated (points q) (samples q) laws) (class_at q) (accuracy q) v.
Proof.
  unfold worst. cbv zeta. intros C F. destruct (_ && _) eqn:C'; [|discriminate].
  apply andb_prop in C' as [C' Ok]. apply andb_prop in C' as [R L].
  apply Nat.eqb_eq in L. split; [exact Ok|].
  destruct (trees_of _ _ _ _) as [l'|] eqn:E; [|discriminate]. injection C as <-.
  unfold bounded in F. rewrite forallb_forall in F. intros f D [r [Hr S]] LD.
  unfold concepts in Hr. apply in_map_iff in Hr as [row [<- Hrow]].
  unfold rows_ok in R. rewrite forallb_forall in R. pose proof (R row Hrow) as Lr. apply Nat.eqb_eq in Lr.
  rewrite (success_alike _ _ _ _ f (of_row row) D D S) by (intros; reflexivity).
  destruct (each_combine _ _ _ _ E L row Hrow) as [tree [c [_ [G I]]]]. cbn [fst snd] in G.
  apply (pieces_sound q laws v Ok row Lr _ _ _ G) with (U := 1) (cs := point_masses (points q)).
  - intros x Hx. specialize (F x). cbv beta in F. assert (In x ((0, 1) :: concat l')) as J.
    { right. apply in_concat. exists c. auto. }
    apply F in J. apply andb_prop in J as [J1 J2]. apply Z.ltb_lt in J1. auto.
  - intros U cs [[= <- <-]|[]]. apply point_masses_ok.
  - left. reflexivity.
  - exact LD.
  - apply point_masses_inside, LD.
Qed.

(* ---- certificates ---- *)

(* so many that the samples, the sequences of points and the functions are few: a bound of the work *)
Definition binomial (a b : Z) : Z := fold_left (fun x i => x * (a + Z.of_nat i) / Z.of_nat i) (seq 1 (Z.to_nat b)) 1.
Definition few (m n : nat) : bool :=
  let (x, y) := (Z.of_nat m, Z.of_nat n) in
  (0 <? x) && (x <? 16) && (y <? 4096)
  && (binomial y (2 * x - 1) * 2 ^ x * (20 + 2 * y) <=? 2 ^ 28) && (x ^ y * (50 + 4 * y) <=? 2 ^ 28).
Definition sample_size (j : json) : option nat :=
  let* z := at_least_integer 0 j in if z <? 4096 then Some (Z.to_nat z) else None.
Definition learning_of (instance : json) (n : nat) (a : Q) : option learning :=
  let* (_, m, rows) := class_of row instance in given (few m n) (Some (Learning m rows n a)).

Definition target_of (q : learning) (j : json) : option (nat * list Z) :=
  match j with
  | Array [f; D] => let* f := index (length (rows q)) f in let* D := law_of D in Some (f, D)
  | _ => None
  end.
Definition node_of (m : nat) (j : json) : option (option cut) :=
  match j with
  | Null => Some None
  | Array (a :: b :: weights) =>
      let* i := index m a in let* j := index m b in
      match weights with
      | [] => Some (Some (Cut i j 1 1))
      | [p; r] => let* p := positive_integer p in let* r := positive_integer r in Some (Some (Cut i j p r))
      | _ => None
      end
  | _ => None
  end.
Definition nodes_of (q : learning) (j : json) : option (list (list (option cut))) :=
  list_of (list_of (node_of (points q))) j.

Definition lower_failure (q : learning * list (list Z)) (v : Q) (name : string) (data : json) : bool :=
  match fields ["target"%string] data with
  | Some [target] => match target_of (fst q) target with
      | Some (f, D) => String.eqb name "target" && check_target (fst q) (snd q) f D v
      | None => false
      end
  | _ => false
  end.
Definition upper_failure (q : learning * list (list Z)) (v : Q) (name : string) (data : json) : bool :=
  match fields ["trees"%string] data with
  | Some [trees] => match nodes_of (fst q) trees with
      | Some trees => String.eqb name "subdivisions" && check_subdivisions (fst q) (snd q) trees v
      | None => false
      end
  | _ => false
  end.

Definition learner_failure : kind.
Proof.
  refine {|
    title := "learner_failure"; parameters := ["samples"; "accuracy"; "laws"]%string;
    ask instance values := match values with
      | [n; a; laws] =>
          let* n := sample_size n in let* a := probability a in let* q := learning_of instance n a in
          let* laws := list_of law_of laws in
          given (check_laws (points q) n (unit_of laws) laws) (Some (q, laws))
      | _ => None
      end;
    number := fraction; lower := lower_failure; upper := upper_failure;
    lower_means q v := let (q, laws) := q in
      fails_on_a_target (points q) (samples q) (tabulated (points q) (samples q) laws) (table (points q) (concepts (rows q))) (accuracy q) v;
    upper_means q v := let (q, laws) := q in
      fails_at_most (points q) (samples q) (tabulated (points q) (samples q) laws) (table (points q) (concepts (rows q))) (accuracy q) v
  |}.
  - unfold lower_failure. intros [q laws] v name data H. cbn [fst snd] in H. destruct (fields _ data) as [[|target [|? ?]]|]; try discriminate H.
    destruct (target_of q target) as [[f D]|]; [|discriminate]. apply andb_prop in H as [_ H].
    exact (check_target_sound q laws f D v H).
  - unfold upper_failure. intros [q laws] v name data H. cbn [fst snd] in H. destruct (fields _ data) as [[|trees [|? ?]]|]; try discriminate H.
    destruct (nodes_of q trees) as [nodes|]; [|discriminate]. apply andb_prop in H as [_ H].
    unfold check_subdivisions in H. destruct (worst q laws nodes) as [l|] eqn:W; [|discriminate].
    apply andb_prop in H as [H _]. apply (worst_sound q laws nodes v l W H).
Defined.
