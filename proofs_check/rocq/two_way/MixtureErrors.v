(* The errors of mixtures of deterministic protocols: from below by a distribution of the inputs (Yao's principle), from
   above by their table, also after a random symmetry that flips no columns. *)
From Coq Require Import List NArith ZArith QArith Lia Lqa Bool Permutation.
From CCSim Require Import Json Tables Arrays Inputs Heaviest Ranks Covers Discrepancies Definitions
  Sums Mixture OneWay RandomClasses Moves Distributions Classes Protocols ProtocolErrors PartitionBounds SymmetricProtocols LeastTrees.
Import ListNotations.

(* ---- from below ---- *)

Local Open Scope Q_scope.

Lemma list_sum_seq n (g : nat -> Z) : inject_Z (sum_of_list (seq 0 n) g) == sum n (fun i => inject_Z (g i)).
Proof.
  rewrite <- sum_over_seq. generalize (seq 0 n) as l. induction l as [|a l IH]; [reflexivity|].
  cbn [sum_of_list]. unfold sum_over in *. cbn [fold_right]. rewrite inject_Z_plus, IH. reflexivity.
Qed.
Lemma mistake_signed b a w : (0 <= w)%Z -> inject_Z (mistake a (Discrepancies.signed (Some b) w)) == inject_Z w * chance (xorb b a).
Proof.
  intros H. assert (mistake a (Discrepancies.signed (Some b) w) = if xorb b a then w else 0%Z) as ->
    by (destruct a, b; cbn; lia).
  unfold chance. destruct (xorb b a); [ring|]. change (inject_Z 0) with 0. ring.
Qed.

Theorem hard_inputs (able : (nat -> nat -> bool) -> Prop) n m (f : problem) (W : nat -> nat -> Z) K v : (forall x y, (0 <= W x y)%Z) ->
  (forall x y, f x y = None -> W x y = 0%Z) -> (0 < integer_sum n (fun x => integer_sum m (W x)))%Z ->
  (forall g, able g -> (K <= 2 * mistakes (fun x y => Discrepancies.signed (f x y) (W x y)) g (seq 0 n) (seq 0 m))%Z) ->
  is_quotient K (2 * integer_sum n (fun x => integer_sum m (W x))) v = true -> mixture_error_at_least able n m f v.
Proof.
  intros Pos Out Tot Least V e [c [p [g [L [A H]]]]]. set (T := integer_sum n (fun x => integer_sum m (W x))) in *.
  apply (is_quotient_spec K (2 * T) v ltac:(lia)) in V. pose proof (inject_pos _ Tot) as P.
  set (t := fun i x y => inject_Z (mistake (g i x y) (Discrepancies.signed (f x y) (W x y)))).
  assert (inject_Z K <= 2 * sum c (fun i => p i * sum n (fun x => sum m (t i x)))) as B.
  { rewrite <- sum_scale.
    rewrite (sum_ext c _ (fun i => p i * (2 * sum n (fun x => sum m (t i x))))) by (intros; ring).
    apply mean_ge; [exact L|]. intros i I. specialize (Least (g i) (A i I)). rewrite Zle_Qle, inject_Z_mult in Least.
    refine (Qle_trans _ _ _ Least _). apply Qle_lteq. right. apply Qmult_comp; [reflexivity|]. unfold mistakes. rewrite list_sum_seq. apply sum_ext. intros x _.
    apply list_sum_seq. }
  assert (sum c (fun i => p i * sum n (fun x => sum m (t i x))) <= e * inject_Z T) as U.
  { rewrite (sum_ext c _ (fun i => sum n (fun x => p i * sum m (t i x)))) by (intros i _; symmetry; apply sum_scale).
    rewrite sum_swap. unfold T. rewrite integer_sum_Q, <- sum_scale. apply sum_le. intros x X.
    rewrite (sum_ext c _ (fun i => sum m (fun y => p i * t i x y))) by (intros i _; symmetry; apply sum_scale).
    rewrite sum_swap. rewrite integer_sum_Q, <- sum_scale. apply sum_le. intros y Y. unfold t.
    destruct (f x y) as [b|] eqn:E.
    - rewrite (sum_ext c _ (fun i => inject_Z (W x y) * (p i * chance (xorb b (g i x y)))))
        by (intros i _; rewrite (mistake_signed b _ _ (Pos x y)); ring).
      rewrite sum_scale. specialize (H x y b X Y E). pose proof (inject_nonneg _ (Pos x y)). nra.
    - rewrite (Out x y E). rewrite (sum_ext c _ (fun _ => 0)); [rewrite sum_zero; change (inject_Z 0) with 0; lra|].
      intros i _. cbn [Discrepancies.signed]. unfold mistake. destruct (g i x y); cbn; change (inject_Z 0) with 0; ring. }
  rewrite inject_Z_mult in V. change (inject_Z 2) with 2 in V. apply (Qmult_le_r _ _ _ P). lra.
Qed.

(* ---- tables of errors ---- *)

Definition wrong_chance (f : problem) (g : nat -> nat -> bool) x y : Q :=
  match f x y with Some b => chance (xorb b (g x y)) | None => 0 end.
Definition attains (able : (nat -> nat -> bool) -> Prop) n m f (E : list (list Q)) := exists c p g, law c p /\ (forall i, (i < c)%nat -> able (g i)) /\
  forall x y, (x < n)%nat -> (y < m)%nat -> sum c (fun i => p i * wrong_chance f (g i) x y) == entry E x y.
Definition is_most n m (f : problem) (E : list (list Q)) (v : Q) : bool :=
  let inputs := flat_map (fun x => flat_map (fun y => match f x y with Some _ => [entry E x y] | None => [] end) (seq 0 m)) (seq 0 n) in
  forallb (fun e => Qle_bool e v) inputs && existsb (fun e => Qle_bool v e) inputs.
Lemma is_most_sound (able : (nat -> nat -> bool) -> Prop) n m f E v : is_most n m f E v = true -> attains able n m f E -> mixture_errs able n m f v.
Proof.
  unfold is_most. intros H [c [p [g [L [A M]]]]]. apply andb_prop in H as [H _]. rewrite forallb_forall in H.
  exists c, p, g. split; [exact L|]. split; [exact A|]. intros x y b X Y F.
  specialize (M x y X Y). unfold wrong_chance in M. rewrite F in M. rewrite M. apply Qle_bool_iff, H.
  apply in_flat_map. exists x. split; [apply in_seq; lia|]. apply in_flat_map. exists y. split; [apply in_seq; lia|].
  rewrite F. left. reflexivity.
Qed.

Definition errors_of_parts n m (f : problem) (parts : list (Z * (nat -> nat -> bool))) : list (list Q) :=
  let ws := map fst parts in
  map (fun x => map (fun y => match f x y with
                              | Some b => quotient (covered ws (map (fun p => xorb b (snd p x y)) parts)) (total ws)
                              | None => 0
                              end) (seq 0 m)) (seq 0 n).
Lemma parts_attain (able : (nat -> nat -> bool) -> Prop) n m f parts : is_law (map fst parts) = true -> (forall p, In p parts -> able (snd p)) ->
  attains able n m f (errors_of_parts n m f parts).
Proof.
  intros L A. set (ws := map fst parts) in *. set (none := (0%Z, fun _ _ : nat => false)).
  exists (length ws), (share ws), (fun i => snd (nth i parts none)). split; [apply share_law, L|]. split.
  - intros i I. apply A, nth_In. unfold ws in I. rewrite map_length in I. exact I.
  - intros x y X Y. unfold entry, errors_of_parts. rewrite (nth_map_seq (fun x => map _ (seq 0 m))) by exact X.
    rewrite nth_map_seq by exact Y. fold ws. unfold wrong_chance. pose proof (total_pos _ L) as P. pose proof (total_lt _ L) as P'.
    destruct (f x y) as [b|].
    + apply (Qmult_inj_r _ _ (inject_Z (total ws))); [lra|].
      rewrite quotient_spec by exact P'. rewrite <- mean_covered; [|exact L|unfold ws; rewrite !map_length; reflexivity].
      apply Qmult_comp; [|reflexivity]. apply sum_ext. intros i I. apply Qmult_comp; [reflexivity|].
      set (h := fun p : Z * (nat -> nat -> bool) => xorb b (snd p x y)).
      rewrite (nth_indep _ false (h none)) by (rewrite map_length; unfold ws in I; rewrite map_length in I; exact I).
      rewrite map_nth. reflexivity.
    + rewrite (sum_ext _ _ (fun _ => 0)) by (intros; ring). apply sum_zero.
Qed.

(* ---- symmetries that flip no columns, or all: two more rows, of ones and of zeros, are exchanged if they are flipped ---- *)

Definition is_even (s : symmetry) : bool := forallb negb (snd s) || forallb (fun b => b) (snd s).
Definition with_two_rows n (s : symmetry) : symmetry :=
  (fst (fst s) ++ (if forallb negb (snd s) then [n; S n] else [S n; n]), snd (fst s), snd s).
Definition two_rows m : promise_rows := [map (fun _ => Some true) (seq 0 m); map (fun _ => Some false) (seq 0 m)].
Definition errors_after n m (F : promise_rows) (moves : list symmetry) (E : list (list Q)) : option (list (list Q)) :=
  match moves with
  | [] => Some E
  | _ => given ((length F =? n)%nat && (length E =? n)%nat && forallb (check_symmetry n m F) moves && forallb is_even moves)
           (errors_with (S (S n)) m (F ++ two_rows m) (map (with_two_rows n) moves) (E ++ [[]; []]))
  end.

Section Symmetric.
Variables (able : (nat -> nat -> bool) -> Prop) (n m : nat) (F : promise_rows) (moves : list symmetry) (T : list (list N)).
Hypothesis closed : forall b g (h k : nat -> nat), able g -> able (fun x y => xorb b (g (h x) (k y))).
Hypothesis FL : length F = n.
Hypothesis S0 : forallb (check_symmetry n m F) moves = true.
Let more := S (S n).
Let F' := F ++ two_rows m.
Let moves' := map (with_two_rows n) moves.
Hypothesis S1 : forallb (check_symmetry more m F') moves' = true.
Hypothesis TL : numbered more m moves' T.
Hypothesis K : keep_labels more m moves' T = true.
Let f := of_table F.
Let f' := of_table F'.
Let L := label_at T.
Notation G := (group more m f' L).

Lemma rows_before x y : (x < n)%nat -> f' x y = f x y.
Proof. intros X. unfold f', f, F', of_table. rewrite app_nth1 by lia. reflexivity. Qed.
Lemma row_of_ones y : (y < m)%nat -> f' n y = Some true.
Proof.
  intros Y. unfold f', F', of_table. rewrite app_nth2 by lia. rewrite FL, Nat.sub_diag. unfold two_rows. cbn [nth].
  apply (nth_map_seq (fun _ => Some true)), Y.
Qed.
Lemma row_of_zeros y : (y < m)%nat -> f' (S n) y = Some false.
Proof.
  intros Y. unfold f', F', of_table. rewrite app_nth2 by lia. replace (S n - length F)%nat with 1%nat by lia. unfold two_rows. cbn [nth].
  apply (nth_map_seq (fun _ => Some false)), Y.
Qed.
Lemma two_rows_moved s x : In s moves -> (x < more)%nat -> ((moved_row (with_two_rows n s) x < n)%nat <-> (x < n)%nat).
Proof.
  intros I X. destruct (symmetry_moves n m F moves S0 s I) as [R _]. destruct (permutation_of n _ R) as [Len P].
  unfold moved_row, with_two_rows, goes. cbn [fst]. destruct (Nat.lt_ge_cases x n) as [B|B].
  - rewrite app_nth1 by lia. split; [intros _; exact B|]. intros _. apply P, B.
  - rewrite app_nth2 by lia. rewrite Len. split; [|lia]. intros H. exfalso.
    assert (x - n = 0 \/ x - n = 1)%nat as [E|E] by (unfold more in X; lia); rewrite E in H;
      destruct (forallb negb (snd s)); cbn [nth] in H; lia.
Qed.
Lemma alike_rows a b : alike more m moves' a b -> (fst a < more)%nat -> (snd a < m)%nat -> ((fst a < n)%nat <-> (fst b < n)%nat).
Proof.
  induction 1 as [s x y I Hx Hy|a|a b A IH|a b c A IH B JH]; cbn [fst snd]; intros Ha Hb.
  - apply in_map_iff in I as [s0 [<- I]]. symmetry. apply two_rows_moved; assumption.
  - reflexivity.
  - symmetry. apply IH; apply (alike_below_label more m F' moves' S1 T K a b A); tauto.
  - rewrite IH by assumption. apply JH; apply (alike_below_label more m F' moves' S1 T K a b A); tauto.
Qed.
Lemma group_rows a x y : In a G -> (x < more)%nat -> (y < m)%nat -> ((x < n)%nat <-> (goes (fst a) x < n)%nat).
Proof.
  intros I X Y. destruct (group_below more m f' L a x y I X Y) as [X' Y']. pose proof I as J. apply group_spec in J as [_ [_ [_ J]]].
  apply (alike_rows (x, y) (goes (fst a) x, goes (snd a) y)); [|exact X|exact Y].
  apply (same_label_alike more m moves' T TL); try assumption. symmetry. apply J; assumption.
Qed.
Definition turns (a : list nat * list nat) : bool := (goes (fst a) n =? S n)%nat.
Lemma group_turns a x y : In a G -> (x < n)%nat -> (y < m)%nat -> f (goes (fst a) x) (goes (snd a) y) = turned (turns a) (f x y).
Proof.
  intros I X Y. assert (x < more)%nat as XN by (unfold more; lia). assert (n < more)%nat as NN by (unfold more; lia).
  destruct (group_below more m f' L a x y I XN Y) as [_ Y']. destruct (group_below more m f' L a n y I NN Y) as [Z _].
  pose proof (proj1 (group_rows a x y I XN Y) X) as X'.
  assert (~ (goes (fst a) n < n)%nat) as NR by (intros H; apply (group_rows a n y I NN Y) in H; lia).
  rewrite <- (rows_before _ _ X), <- (rows_before _ _ X'), (flips_spec more m f' L a x y I XN Y). f_equal.
  pose proof (flips_spec more m f' L a n y I NN Y) as H. rewrite (row_of_ones y Y) in H. unfold turns.
  destruct (Nat.eqb_spec (goes (fst a) n) (S n)) as [E|E].
  - rewrite E, (row_of_zeros _ Y') in H. destruct (flips more f' a y); [reflexivity|discriminate H].
  - assert (goes (fst a) n = n) as E' by (unfold more in Z; lia). rewrite E', (row_of_ones _ Y') in H.
    destruct (flips more f' a y); [discriminate H|reflexivity].
Qed.

Theorem symmetric_attains E : length E = n -> attains able n m f E ->
  attains able n m f (symmetric_errors more m T (E ++ [[]; []])).
Proof.
  intros EL [c [p [g [[P0 P1] [A M]]]]]. pose proof (group_size_pos more m f' L) as Z.
  set (move := fun (a : list nat * list nat) (h : nat -> nat -> bool) x y => xorb (turns a) (h (goes (fst a) x) (goes (snd a) y))).
  set (l := flat_map (fun a => map (fun i => (p i / group_size more m f' L, move a (g i))) (seq 0 c)) G).
  set (none := (0, fun _ _ : nat => false)).
  assert (forall t, In t l -> 0 <= fst t /\ able (snd t)) as B.
  { intros t I. apply in_flat_map in I as [a [_ I]]. apply in_map_iff in I as [i [<- I]]. apply in_seq in I.
    cbn [fst snd]. split; [|apply (closed (turns a) (g i)), A; lia].
    apply Qle_shift_div_l; [exact Z|]. rewrite Qmult_0_l. apply P0. lia. }
  assert (forall u : Q * (nat -> nat -> bool) -> Q, sum_over l u
    == sum_over G (fun a => sum c (fun i => u (p i / group_size more m f' L, move a (g i))))) as V.
  { intros u. unfold l. rewrite sum_over_flat_map. apply sum_over_ext. intros a _. rewrite sum_over_map. apply sum_over_seq. }
  exists (length l), (fun i => fst (nth i l none)), (fun i => snd (nth i l none)). split; [split|split].
  - intros i I. apply B, nth_In, I.
  - rewrite (sum_over_nth l fst none), V. cbn [fst].
    rewrite (sum_over_ext G _ (fun _ => / group_size more m f' L)).
    + rewrite sum_over_const. fold (group_size more m f' L). field. lra.
    + intros a _. rewrite (sum_ext c _ (fun i => / group_size more m f' L * p i)) by (intros; field; lra).
      rewrite sum_scale, P1. ring.
  - intros i I. apply B, nth_In, I.
  - intros x y X Y. assert (x < more)%nat as XN by (unfold more; lia).
    rewrite (sum_over_nth l (fun t => fst t * wrong_chance f (snd t) x y) none), V. cbn [fst snd].
    rewrite (symmetric_entry_images more m F' moves' S1 T TL K (E ++ [[]; []]) x y XN Y).
    unfold on_images. unfold Qdiv. rewrite Qmult_comm, <- sum_over_scale.
    apply sum_over_ext. intros a I. destruct (group_below more m f' L a x y I XN Y) as [_ Y'].
    pose proof (proj1 (group_rows a x y I XN Y) X) as X'.
    assert (entry (E ++ [[]; []]) (goes (fst a) x) (goes (snd a) y) = entry E (goes (fst a) x) (goes (snd a) y)) as ->
      by (unfold entry; rewrite app_nth1 by lia; reflexivity).
    rewrite <- (M _ _ X' Y'), <- sum_scale. apply sum_ext. intros i _. unfold wrong_chance, move.
    rewrite (group_turns a x y I X Y). fold f' L. unfold Qdiv.
    destruct (f x y) as [b|]; [|destruct (turns a); cbn [turned option_map]; ring].
    destruct (turns a), b, (g i (goes (fst a) x) (goes (snd a) y)); cbn [turned option_map negb xorb]; ring.
Qed.
End Symmetric.

Theorem errors_after_attains (able : (nat -> nat -> bool) -> Prop) n m F moves E E' :
  (forall b g (h k : nat -> nat), able g -> able (fun x y => xorb b (g (h x) (k y)))) ->
  errors_after n m F moves E = Some E' -> attains able n m (of_table F) E -> attains able n m (of_table F) E'.
Proof.
  unfold errors_after. intros C H A. destruct moves as [|s moves]; [injection H as <-; exact A|]. unfold given in H at 1.
  destruct (_ && _) eqn:B in H; [|discriminate]. apply andb_prop in B as [B _]. apply andb_prop in B as [B S0].
  apply andb_prop in B as [FL EL]. apply Nat.eqb_eq in FL, EL.
  unfold errors_with in H. cbn [map] in H. change (with_two_rows n s :: map (with_two_rows n) moves) with (map (with_two_rows n) (s :: moves)) in H.
  unfold given in H. destruct (forallb (check_symmetry (S (S n)) m (F ++ two_rows m)) _) eqn:S1; [|discriminate]. cbv zeta in H.
  destruct (keep_labels _ _ _ _) eqn:K; [|discriminate]. injection H as <-.
  exact (symmetric_attains able n m F (s :: moves) _ C FL S0 S1 (numbered_settled _ m _ _ S1 _ _ (numbered_codes _ m _)) K E EL A).
Qed.
