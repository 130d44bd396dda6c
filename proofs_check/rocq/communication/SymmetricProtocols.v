(* Protocols of certificates that are played after a random symmetry: inputs get labels, which inputs
   share exactly if symmetries exchange them, and errors are means over the inputs of a label. *)
From Coq Require Import String List NArith ZArith QArith Lia Lqa Bool Permutation.
From CCSim Require Import Definitions Sums Mixture OneWay RandomClasses Moves Distributions Classes Protocols
  ProtocolErrors Json PartitionBounds.
Import ListNotations.

(* the images of rows, those of columns, and the columns that are flipped *)
Notation symmetry := (list nat * list nat * list bool)%type.
Definition moved_row (s : symmetry) x := goes (fst (fst s)) x.
Definition moved_column (s : symmetry) y := goes (snd (fst s)) y.
Definition check_symmetry n m (F : promise_rows) (s : symmetry) : bool :=
  let '(r, c, f) := s in permutation n r && permutation m c && moves_table n m F r c f.

(* inputs that some product of symmetries and their inverses exchanges: those of an orbit *)
Inductive alike n m (moves : list symmetry) : nat * nat -> nat * nat -> Prop :=
  | alike_moved s x y : In s moves -> (x < n)%nat -> (y < m)%nat ->
      alike n m moves (x, y) (moved_row s x, moved_column s y)
  | alike_itself a : alike n m moves a a
  | alike_back a b : alike n m moves a b -> alike n m moves b a
  | alike_further a b c : alike n m moves a b -> alike n m moves b c -> alike n m moves a c.
(* the mean of errors over the orbit of an input *)
Definition orbit_mean n m moves (E : nat -> nat -> Q) x y e := exists l : list (nat * nat), NoDup l /\
  (forall a, In a l <-> (fst a < n)%nat /\ (snd a < m)%nat /\ alike n m moves (x, y) a) /\
  e * inject_Z (Z.of_nat (length l)) == sum_over l (fun a => E (fst a) (snd a)).

(* ---- labels: the least number of an input that is alike ---- *)

Definition label_at (T : list (list N)) x y : N := nth y (nth x T []) 0%N.
Definition tabulate n m (u : nat -> nat -> N) : list (list N) := map (fun x => map (u x) (seq 0 m)) (seq 0 n).
Definition code m x y : N := N.of_nat (x * m + y).
(* by one symmetry, and by all of them, there and back: so labels go far in a round *)
Definition improved_by n m T (s : symmetry) : list (list N) :=
  map (fun x => let own := nth x T [] in let theirs := nth (moved_row s x) T [] in
    map (fun y => N.min (nth y own 0%N) (nth (moved_column s y) theirs 0%N)) (seq 0 m)) (seq 0 n).
Definition improved n m (moves : list symmetry) (T : list (list N)) : list (list N) :=
  fold_left (improved_by n m) (moves ++ rev moves) T.
Fixpoint same_row (r r' : list N) : bool :=
  match r, r' with [], [] => true | a :: r, b :: r' => (a =? b)%N && same_row r r' | _, _ => false end.
Fixpoint same_labels (T T' : list (list N)) : bool :=
  match T, T' with [], [] => true | r :: T, r' :: T' => same_row r r' && same_labels T T' | _, _ => false end.
Fixpoint settled (fuel : nat) n m moves T : list (list N) :=
  match fuel with
  | O => T
  | S fuel' => let T' := improved n m moves T in if same_labels T T' then T else settled fuel' n m moves T'
  end.
Definition labels_of n m moves : list (list N) := settled (n * m) n m moves (tabulate n m (code m)).
Definition keep_labels n m (moves : list symmetry) T : bool :=
  forallb (fun s : symmetry => forallb (fun x => let own := nth x T [] in let theirs := nth (moved_row s x) T [] in
    forallb (fun y => (nth (moved_column s y) theirs 0 =? nth y own 0)%N) (seq 0 m)) (seq 0 n)) moves.

(* labels with errors, and their means *)
Definition with_labels n m T (E : list (list Q)) : list (N * Q) :=
  flat_map (fun x => let t := nth x T [] in let e := nth x E [] in
    map (fun y => (nth y t 0%N, nth y e 0%Q)) (seq 0 m)) (seq 0 n).
Definition add_reduced (q a : Q) : Q := if Zeq_bool (Qnum q) 0 then a else Qred (q + a).
Definition mean_at (found : list (N * Q)) (l : N) : Q :=
  let chosen := filter (fun a => fst a =? l)%N found in
  Qred (fold_right (fun a s => add_reduced (snd a) s) 0%Q chosen / inject_Z (Z.of_nat (length chosen))).
Definition mean_in (means : list (N * Q)) found (l : N) : Q :=
  match find (fun a => fst a =? l)%N means with Some a => snd a | None => mean_at found l end.
Definition symmetric_errors n m T (E : list (list Q)) : list (list Q) :=
  let found := with_labels n m T E in
  let roots := flat_map (fun x => filter (fun c => label_at T x (N.to_nat c - x * m) =? c)%N
    (map (code m x) (seq 0 m))) (seq 0 n) in
  let means := map (fun l => (l, mean_at found l)) roots in
  map (fun x => let t := nth x T [] in map (fun y => mean_in means found (nth y t 0%N)) (seq 0 m)) (seq 0 n).

Lemma nth_seq_map {A B} (g : nat -> A) (u : A -> B) n x a : (x < n)%nat -> nth x (map (fun i => u (g i)) (seq 0 n))
  a = u (g x).
Proof. exact (nth_map_seq (fun i => u (g i)) n x a). Qed.

Lemma mean_in_spec found l roots : mean_in (map (fun l => (l, mean_at found l)) roots) found l = mean_at found l.
Proof.
  unfold mean_in. destruct (find _ _) as [[l' q]|] eqn:E; [|reflexivity]. apply find_some in E as [I E].
  apply in_map_iff in I as [l'' [[= -> <-] _]]. cbn in *. apply N.eqb_eq in E. subst. reflexivity.
Qed.
Lemma add_reduced_spec q a : (add_reduced q a == q + a)%Q.
Proof.
  unfold add_reduced. destruct (Zeq_bool (Qnum q) 0) eqn:E; [|apply Qred_correct].
  apply Zeq_bool_eq in E. destruct q as [z d]. cbn in E. subst. assert ((0 # d) == 0)%Q as -> by reflexivity. ring.
Qed.
Lemma mean_at_spec found l : let count := sum_over found (fun a => chance (fst a =? l)%N * 1)%Q in
  (0 < count)%Q -> (count * mean_at found l == sum_over found (fun a => chance (fst a =? l)%N * snd a))%Q.
Proof.
  cbv zeta. unfold mean_at. rewrite Qred_correct. set (chosen := filter _ found).
  assert (inject_Z (Z.of_nat (length chosen)) == sum_over found (fun a => chance (fst a =? l)%N * 1))%Q as C.
  { unfold chosen, sum_over. clear. induction found as [|a found IH]; [reflexivity|]. cbn [filter fold_right].
    rewrite <- IH. destruct (fst a =? l)%N; unfold chance; [|ring]. cbn [length]. rewrite Nat2Z.inj_succ.
    unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1%Q. ring. }
  assert (fold_right (fun a s => add_reduced (snd a) s) 0%Q chosen
    == sum_over found (fun a => chance (fst a =? l)%N * snd a))%Q as T.
  { unfold chosen, sum_over. clear. induction found as [|a found IH]; [reflexivity|]. cbn [filter fold_right].
    rewrite <- IH. destruct (fst a =? l)%N; unfold chance; [|ring]. cbn [fold_right]. rewrite add_reduced_spec. ring. }
  rewrite C, T. intros P. field. lra.
Qed.

Section Symmetric.
Variables (n m : nat) (F : promise_rows) (moves : list symmetry).
Hypothesis S : forallb (check_symmetry n m F) moves = true.
Let f := of_table F.

Lemma symmetry_moves s : In s moves -> Permutation (seq 0 n) (fst (fst s)) /\ Permutation (seq 0 m) (snd (fst s)) /\
  forall x y, (x < n)%nat -> (y < m)%nat -> f (moved_row s x) (moved_column s y) = turned (nth y (snd s) false) (f x y).
Proof.
  intros I. rewrite forallb_forall in S. specialize (S s I). destruct s as [[r c] fl]. cbn [fst snd] in *.
  apply andb_prop in S as [H T]. apply andb_prop in H as [R C]. apply (permutation_spec []) in R as [_ R].
  apply (permutation_spec []) in C as [_ C]. split; [exact (Permutation_sym R)|]. split; [exact (Permutation_sym C)|].
  intros x y Hx Hy. unfold moves_table in T. rewrite forallb_forall in T. specialize (T x ltac:(apply in_seq; lia)).
  cbv zeta in T. rewrite forallb_forall in T. specialize (T y ltac:(apply in_seq; lia)).
  unfold f, of_table, moved_row, moved_column, goes. cbn [fst snd].
  apply same_value_spec in T. exact T.
Qed.
Lemma symmetry_below s x y : In s moves -> (x < n)%nat -> (y < m)%nat -> (moved_row s x < n)%nat /\
  (moved_column s y < m)%nat.
Proof.
  intros I Hx Hy. destruct (symmetry_moves s I) as [R [C _]]. split; [apply (permutation_of n _ R), Hx|].
  apply (permutation_of m _ C), Hy.
Qed.

(* every label is the number of an input that is alike *)
Definition numbered T := forall x y, (x < n)%nat -> (y < m)%nat -> exists x' y', (x' < n)%nat /\ (y' < m)%nat /\
  label_at T x y = code m x' y' /\ alike n m moves (x, y) (x', y').

Lemma numbered_codes : numbered (tabulate n m (code m)).
Proof.
  intros x y Hx Hy. exists x, y. repeat split; try assumption; [|apply alike_itself]. unfold label_at, tabulate.
  rewrite (nth_map_seq (fun x => map (code m x) (seq 0 m))) by exact Hx. apply nth_map_seq, Hy.
Qed.
Lemma numbered_improved_by T s : In s moves -> numbered T -> numbered (improved_by n m T s).
Proof.
  intros I H x y Hx Hy. unfold label_at, improved_by.
  rewrite (nth_map_seq (fun x => map _ (seq 0 m)) n x [] Hx). cbv zeta. rewrite nth_map_seq by exact Hy.
  destruct (N.min_dec (nth y (nth x T []) 0%N) (nth (moved_column s y) (nth (moved_row s x) T []) 0%N)) as [-> | ->].
  - apply (H x y Hx Hy).
  - destruct (symmetry_below s x y I Hx Hy) as [Bx By]. destruct (H _ _ Bx By) as [x' [y' [X [Y [E A]]]]].
    exists x', y'. repeat split; try assumption.
    apply (alike_further _ _ _ _ (moved_row s x, moved_column s y)); [|exact A]. apply alike_moved; assumption.
Qed.
Lemma numbered_improved T : numbered T -> numbered (improved n m moves T).
Proof.
  unfold improved. assert (forall s, In s (moves ++ rev moves) -> In s moves) as I.
  { intros s H. apply in_app_or in H as [H|H]; [exact H|apply in_rev, H]. }
  revert T I. generalize (moves ++ rev moves). induction l as [|s l IH]; intros T I H; [exact H|]. cbn [fold_left].
  apply IH; [intros; apply I, in_cons; assumption|]. apply numbered_improved_by; [apply I, in_eq|exact H].
Qed.
Lemma numbered_settled fuel : forall T, numbered T -> numbered (settled fuel n m moves T).
Proof.
  induction fuel as [|fuel IH]; intros T H; [exact H|]. cbn [settled]. destruct (same_labels _ _); [exact H|].
  apply IH, numbered_improved, H.
Qed.
Lemma code_injective x y x' y' : (y < m)%nat -> (y' < m)%nat -> code m x y = code m x' y' -> x = x' /\ y = y'.
Proof.
  unfold code. intros Hy Hy' E. apply Nat2N.inj in E. apply (Nat.div_mod_unique m); [exact Hy|exact Hy'|].
  rewrite (Nat.mul_comm m x), (Nat.mul_comm m x'). exact E.
Qed.

Variable T : list (list N).
Hypothesis TL : numbered T.
Hypothesis K : keep_labels n m moves T = true.
Let L := label_at T.

Lemma labels_kept s x y : In s moves -> (x < n)%nat -> (y < m)%nat -> L (moved_row s x) (moved_column s y) = L x y.
Proof.
  intros I Hx Hy. unfold keep_labels in K. rewrite forallb_forall in K. specialize (K s I). rewrite forallb_forall in K.
  specialize (K x ltac:(apply in_seq; lia)). cbv zeta in K. rewrite forallb_forall in K.
  specialize (K y ltac:(apply in_seq; lia)). apply N.eqb_eq, K.
Qed.
Lemma same_label_alike x y x' y' : (x < n)%nat -> (y < m)%nat -> (x' < n)%nat -> (y' < m)%nat -> L x y = L x' y' ->
  alike n m moves (x, y) (x', y').
Proof.
  intros X Y X' Y' E. destruct (TL x y X Y) as [a [b [_ [B [C A]]]]]. destruct (TL x' y' X' Y')
    as [a' [b' [_ [B' [C' A']]]]].
  unfold L in E. rewrite C, C' in E. apply code_injective in E as [-> ->]; [|assumption|assumption].
  apply (alike_further _ _ _ _ (a', b')); [exact A|apply alike_back, A'].
Qed.
Lemma alike_below_label a b : alike n m moves a b ->
  ((fst a < n)%nat /\ (snd a < m)%nat <-> (fst b < n)%nat /\ (snd b < m)%nat) /\
  ((fst a < n)%nat -> (snd a < m)%nat -> L (fst b) (snd b) = L (fst a) (snd a)).
Proof.
  induction 1 as [s x y I Hx Hy|a|a b _ [IB IL]|a b c _ [IB IL] _ [JB JL]]; cbn [fst snd].
  - pose proof (symmetry_below s x y I Hx Hy). split; [tauto|]. intros _ _. apply labels_kept; assumption.
  - tauto.
  - split; [tauto|]. intros A B. symmetry. apply IL; tauto.
  - split; [tauto|]. intros A B. rewrite JL, IL; tauto.
Qed.

Notation G := (group n m f L).
Lemma symmetry_in_group s : In s moves -> In (fst s) G.
Proof.
  intros I. destruct (symmetry_moves s I) as [R [C M]]. apply group_spec. repeat split; try assumption.
  - intros y Hy. exists (nth y (snd s) false). apply column_moves_spec. intros x Hx. apply M; assumption.
  - intros x y Hx Hy. apply (labels_kept s); assumption.
Qed.

Variable E : list (list Q).
Notation mean_of_images x y := (on_images n m f L (entry E) x y).
Lemma alike_images a b : alike n m moves a b -> (fst a < n)%nat -> (snd a < m)%nat ->
  (mean_of_images (fst b) (snd b) == mean_of_images (fst a) (snd a))%Q.
Proof.
  induction 1 as [s x y I Hx Hy|a|a b A IH|a b c A IH B JH]; cbn [fst snd]; intros Ha Hb.
  - apply (images_alike n m f L (entry E) (fst s)); [apply symmetry_in_group, I|assumption|assumption].
  - reflexivity.
  - symmetry. apply IH; apply (alike_below_label a b A); tauto.
  - rewrite JH, IH by (try assumption; apply (alike_below_label a b A); tauto). reflexivity.
Qed.

Lemma over_label_listed l (u : nat -> nat -> Q) (v : N * Q -> Q) :
  (forall x y, (x < n)%nat -> (y < m)%nat -> v (L x y, entry E x y) == u x y)%Q ->
  (sum_over (with_labels n m T E) (fun a => chance (fst a =? l)%N * v a) == over_label n m L l u)%Q.
Proof.
  intros V. unfold with_labels, over_label. rewrite sum_over_flat_map, sum_over_seq. apply sum_ext. intros x Hx.
    cbv zeta.
  rewrite sum_over_map, sum_over_seq. apply sum_ext. intros y Hy. cbn [fst]. fold (label_at T x y) (entry E x y).
  fold (L x y). rewrite V by assumption. reflexivity.
Qed.

Lemma symmetric_entry x y : (x < n)%nat -> (y < m)%nat ->
  entry (symmetric_errors n m T E) x y = mean_at (with_labels n m T E) (L x y).
Proof.
  intros Hx Hy. unfold entry, symmetric_errors. cbv zeta. rewrite nth_map_seq by exact Hx.
    rewrite nth_map_seq by exact Hy.
  apply mean_in_spec.
Qed.
Lemma count_entry x y : (x < n)%nat -> (y < m)%nat ->
  (over_label n m L (L x y) (fun _ _ => 1) * entry (symmetric_errors n m T E) x y == over_label n m L (L x y)
    (entry E))%Q.
Proof.
  intros Hx Hy. rewrite symmetric_entry by assumption.
  rewrite <- (over_label_listed (L x y) (fun _ _ => 1%Q) (fun _ => 1%Q)) by reflexivity.
  rewrite <- (over_label_listed (L x y) (entry E) snd) by reflexivity. apply mean_at_spec.
  rewrite (over_label_listed (L x y) (fun _ _ => 1%Q) (fun _ => 1%Q)) by reflexivity. apply label_count; assumption.
Qed.

Theorem symmetric_entry_images x y : (x < n)%nat -> (y < m)%nat ->
  (entry (symmetric_errors n m T E) x y == mean_of_images x y / group_size n m f L)%Q.
Proof.
  intros Hx Hy. pose proof (label_count n m L x y Hx Hy) as P.
  apply (Qmult_inj_l _ _ (over_label n m L (L x y) (fun _ _ => 1%Q))); [lra|].
  rewrite count_entry by assumption. symmetry. apply label_mean; [assumption|assumption|].
  intros x' y' Hx' Hy' D. apply (alike_images (x, y) (x', y')); [|exact Hx|exact Hy].
  apply same_label_alike; auto.
Qed.

Theorem symmetric_achieves w k : achieves n m f w k E -> achieves n m f Public k (symmetric_errors n m T E).
Proof.
  intros A k' Hk. destruct (A k' Hk) as [c [p [P [Lp [_ [U H]]]]]].
  destruct (symmetric_mixture n m f L k' c p P Lp U) as [c' [p' [P' [Lp' [U' H']]]]].
  exists c', p', P'. split; [exact Lp'|]. split; [exact I|]. split; [exact U'|]. intros x y Hx Hy.
  rewrite H' by assumption. rewrite symmetric_entry_images by assumption. unfold on_images.
  apply Qmult_comp; [|reflexivity]. apply sum_over_ext. intros g Hg. apply group_below with (x := x) (y := y)
    in Hg as [X Y];
    try assumption. apply H; assumption.
Qed.

(* the means over orbits, and that there are no others *)
Definition orbit_cells x y : list (nat * nat) :=
  filter (fun a => L (fst a) (snd a) =? L x y)%N (list_prod (seq 0 n) (seq 0 m)).

Lemma sum_over_filter {A} (p : A -> bool) l (u : A -> Q) : (sum_over (filter p l)
  u == sum_over l (fun a => chance (p a) * u a))%Q.
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [filter]. unfold sum_over in *. cbn [fold_right]. rewrite <- IH.
  destruct (p a); cbn [fold_right]; unfold chance; ring.
Qed.
Lemma sum_over_prod {A B} (l : list A) (r : list B) (u : A * B -> Q) :
  (sum_over (list_prod l r) u == sum_over l (fun a => sum_over r (fun b => u (a, b))))%Q.
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [list_prod]. rewrite sum_over_app, IH, sum_over_map. reflexivity.
Qed.
Lemma NoDup_prod {A B} (l : list A) (r : list B) : NoDup l -> NoDup r -> NoDup (list_prod l r).
Proof.
  intros D R. induction D as [|a l N D IH]; [constructor|]. cbn [list_prod].
  assert (forall t, NoDup t -> incl t r -> NoDup (map (fun b => (a, b)) t ++ list_prod l r)) as G; [|apply G;
    [exact R|apply incl_refl]].
  induction 1 as [|b t M Dt IHt]; intros I; [exact IH|]. cbn [map app]. constructor.
  - rewrite in_app_iff, in_map_iff, in_prod_iff. intros [[b' [[= ->] J]]|[J _]]; contradiction.
  - apply IHt. intros c J. apply I, in_cons, J.
Qed.

Lemma orbit_cells_spec x y a : (x < n)%nat -> (y < m)%nat ->
  (In a (orbit_cells x y) <-> (fst a < n)%nat /\ (snd a < m)%nat /\ alike n m moves (x, y) a).
Proof.
  intros Hx Hy. unfold orbit_cells. destruct a as [x' y']. rewrite filter_In, in_prod_iff, !in_seq. cbn [fst snd].
  rewrite N.eqb_eq. split.
  - intros [[X Y] E']. split; [lia|]. split; [lia|]. apply same_label_alike; auto; lia.
  - intros [X [Y A]]. split; [lia|]. apply (alike_below_label _ _ A); assumption.
Qed.
Lemma orbit_sum x y (u : nat -> nat -> Q) :
  (sum_over (orbit_cells x y) (fun a => u (fst a) (snd a)) == over_label n m L (L x y) u)%Q.
Proof.
  unfold orbit_cells, over_label. rewrite sum_over_filter, sum_over_prod, sum_over_seq. apply sum_ext. intros x' _.
  rewrite sum_over_seq. reflexivity.
Qed.

Theorem symmetric_mean u x y : (x < n)%nat -> (y < m)%nat ->
  (forall x y, (x < n)%nat -> (y < m)%nat -> u x y == entry E x y)%Q ->
  forall e, orbit_mean n m moves u x y e <-> (e == entry (symmetric_errors n m T E) x y)%Q.
Proof.
  intros Hx Hy H e. pose proof (label_count n m L x y Hx Hy) as P. pose proof (count_entry x y Hx Hy) as M.
  assert (forall l : list (nat * nat), Permutation l (orbit_cells x y) ->
    inject_Z (Z.of_nat (length l)) == over_label n m L (L x y) (fun _ _ => 1) /\
    sum_over l (fun a => u (fst a) (snd a)) == over_label n m L (L x y) (entry E))%Q as V.
  { intros l I. split.
    - rewrite <- (orbit_sum x y (fun _ _ => 1%Q)), <- (sum_over_permutation _ _ _ I), sum_over_const. ring.
    - rewrite (sum_over_permutation _ _ _ I), (orbit_sum x y u). apply sum_ext. intros x' Hx'. apply sum_ext.
      intros y' Hy'. rewrite H by assumption. reflexivity. }
  assert (NoDup (orbit_cells x y)) as D by (apply NoDup_filter, NoDup_prod; apply seq_NoDup).
  split.
  - intros [l [Dl [I S0]]]. destruct (V l) as [V1 V2].
    { apply NoDup_Permutation; [exact Dl|exact D|]. intros a. rewrite I, orbit_cells_spec by assumption. reflexivity. }
    rewrite V1, V2, <- M in S0. apply (Qmult_inj_r _ _ (over_label n m L (L x y) (fun _ _ => 1%Q))); [lra|].
    rewrite S0. ring.
  - intros W. exists (orbit_cells x y). split; [exact D|]. split; [intros a; apply orbit_cells_spec; assumption|].
    destruct (V _ (Permutation_refl _)) as [V1 V2]. rewrite V1, V2, <- M, W. ring.
Qed.
End Symmetric.

(* ---- how they are read ---- *)

Definition symmetry_in n m (j : json) : option symmetry :=
  match fields ["rows"; "columns"; "flips"]%string j with
  | Some [r; c; f] =>
      let* r := list_of (index n) r in
      let* c := list_of (index m) c in
      let* f := row m f in
      Some (r, c, f)
  | _ => None
  end.
(* the coins that are needed, and the errors after a random symmetry, if there are any *)
Definition coins_with (moves : list symmetry) (w : coins) : coins := match moves with [] => w | _ => Public end.
Definition errors_with n m F (moves : list symmetry) (E : list (list Q)) : option (list (list Q)) :=
  match moves with
  | [] => Some E
  | _ => given (forallb (check_symmetry n m F) moves)
      (let T := labels_of n m moves in given (keep_labels n m moves T) (Some (symmetric_errors n m T E)))
  end.

Theorem errors_with_achieves n m F moves E E' w k : errors_with n m F moves E = Some E' ->
  achieves n m (of_table F) w k E -> achieves n m (of_table F) (coins_with moves w) k E'.
Proof.
  unfold errors_with. intros H A. destruct moves as [|s moves]; [injection H as <-; exact A|]. unfold given in H.
  destruct (forallb _ _) eqn:S; [|discriminate]. cbv zeta in H.
  destruct (keep_labels _ _ _ _) eqn:K; [|discriminate]. injection H as <-.
  apply (symmetric_achieves n m F (s :: moves) S _ (numbered_settled n m F _ S _ _ (numbered_codes n m _)) K E w k A).
Qed.
Theorem errors_with_mean n m F s moves E E' u : errors_with n m F (s :: moves) E = Some E' ->
  (forall x y, (x < n)%nat -> (y < m)%nat -> u x y == entry E x y)%Q ->
  forall x y, (x < n)%nat -> (y < m)%nat -> orbit_mean n m (s :: moves) u x y (entry E' x y).
Proof.
  unfold errors_with. intros H A x y Hx Hy. unfold given in H.
  destruct (forallb _ _) eqn:S; [|discriminate]. cbv zeta in H.
  destruct (keep_labels _ _ _ _) eqn:K; [|discriminate]. injection H as <-.
  apply (symmetric_mean n m F (s :: moves) S _ (numbered_settled n m F _ S _ _ (numbered_codes n m _))
    K E u x y Hx Hy A).
  reflexivity.
Qed.
