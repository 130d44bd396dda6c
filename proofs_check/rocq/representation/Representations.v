(* How well a set of hypotheses represents a class: mixtures from above, a distribution from below. *)
From Coq Require Import String List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Json Certificate.
Import ListNotations.
Local Open Scope Z_scope.

Definition of_row (r : list bool) : concept := fun x => nth x r false.
Definition concepts (rows : list (list bool)) : list concept := map of_row rows.

(* ---- errors of rows, and of mixtures of them ---- *)

Fixpoint differ (h f : list bool) : list bool :=
  match h, f with a :: h', b :: f' => xorb a b :: differ h' f' | _, _ => [] end.
Fixpoint add (w : Z) (s : list bool) (sums : list Z) : list Z :=
  match s, sums with b :: s', z :: sums' => (if b then w + z else z) :: add w s' sums' | _, _ => sums end.
Fixpoint mixture (n : nat) (weights : list Z) (sets : list (list bool)) : list Z :=
  match weights, sets with
  | w :: weights', s :: sets' =>
      let sums := mixture n weights' sets' in if w =? 0 then sums else add w s sums
  | _, _ => repeat 0 n
  end.
Definition largest (l : list Z) : Z := fold_right Z.max 0 l.
(* the largest weight of hypotheses that differ from f in one point *)
Definition disagrees n (H : list (list bool)) (f : list bool) (w : list Z) : Z :=
  largest (mixture n w (map (fun h => differ h f) H)).
Definition wide (n : nat) (rows : list (list bool)) : bool := forallb (fun r => length r =? n)%nat rows.

Lemma nth_differ : forall h f x, (x < length h)%nat -> length h = length f ->
  nth x (differ h f) false = xorb (nth x h false) (nth x f false).
Proof.
  induction h as [|a h IH]; intros [|b f] x Hx E; simpl in *; try lia.
  destruct x as [|x]; [reflexivity|]. apply IH; lia.
Qed.

Lemma length_differ : forall h f, length h = length f -> length (differ h f) = length h.
Proof. induction h as [|a h IH]; intros [|b f] E; simpl in *; auto; try lia. Qed.

Lemma nth_add w : forall s sums x, length s = length sums ->
  nth x (add w s sums) 0 = (if nth x s false then w else 0) + nth x sums 0.
Proof.
  induction s as [|b s IH]; intros [|z sums] x E; simpl in *; try lia; [destruct x; reflexivity|].
  destruct x as [|x]; [destruct b; lia|]. apply IH. lia.
Qed.

Lemma length_add w : forall s sums, length (add w s sums) = length sums.
Proof. induction s as [|b s IH]; intros [|z sums]; simpl; auto. Qed.

Lemma length_mixture n : forall ws sets, length (mixture n ws sets) = n.
Proof.
  induction ws as [|w ws IH]; intros [|s sets]; simpl; try apply repeat_length.
  destruct (w =? 0); [apply IH|]. rewrite length_add. apply IH.
Qed.

Lemma nth_mixture n x : forall ws sets, (forall s, In s sets -> length s = n) ->
  nth x (mixture n ws sets) 0 = covered ws (map (fun s => nth x s false) sets).
Proof.
  assert (nth x (repeat 0 n) 0 = 0) as R.
  { destruct (Nat.lt_ge_cases x n) as [L|L]; [apply nth_repeat|apply nth_overflow; rewrite repeat_length; exact L]. }
  induction ws as [|w ws IH]; intros [|s sets] W; cbn [mixture covered map]; try exact R.
  specialize (IH sets (fun t Ht => W t (or_intror Ht))). destruct (w =? 0) eqn:E.
  - apply Z.eqb_eq in E as ->. rewrite IH. destruct (nth x s false); reflexivity.
  - rewrite nth_add, IH; [reflexivity|]. rewrite length_mixture. apply W. left; reflexivity.
Qed.

Lemma largest_spec l z : In z l -> z <= largest l.
Proof. induction l as [|a l IH]; simpl; [tauto|]. intros [->|H]; [lia|]. specialize (IH H). lia. Qed.

Lemma wide_spec n rows r : wide n rows = true -> In r rows -> length r = n.
Proof. unfold wide. rewrite forallb_forall. intros W H. apply Nat.eqb_eq, W, H. Qed.

Lemma disagreement_same n D h f f' : same n f f' -> (disagreement n D h f == disagreement n D h f')%Q.
Proof. intros S. apply sum_ext. intros x Hx. rewrite (S x Hx). reflexivity. Qed.

Lemma disagreement_nonneg n D h f : law n D -> (0 <= disagreement n D h f)%Q.
Proof.
  intros [P _]. apply sum_nonneg. intros x Hx. specialize (P x Hx).
  destruct (xorb (h x) (f x)); unfold chance; lra.
Qed.

(* the error of a row under a law *)
Lemma error_of_row n d h f : is_law d = true -> length d = n -> length h = n -> length f = n ->
  (disagreement n (share d) (of_row h) (of_row f) * inject_Z (total d) == inject_Z (covered d (differ h f)))%Q.
Proof.
  intros L Ed Eh Ef. rewrite <- mean_covered; [|exact L|rewrite length_differ; lia].
  apply Qmult_comp; [|reflexivity]. unfold disagreement. rewrite Ed. apply sum_ext. intros x Hx.
  rewrite nth_differ by lia. reflexivity.
Qed.

(* a mixture of hypotheses errs, under every distribution, at most as on the worst point *)
Lemma mixture_errs n H f w D : is_law w = true -> length w = length H -> wide n H = true -> length f = n ->
  law n D ->
  (sum (length w) (fun j => share w j * disagreement n D (of_row (nth j H [])) (of_row f)) * inject_Z (total w)
   <= inject_Z (disagrees n H f w))%Q.
Proof.
  intros L E W F LD. pose proof (total_pos w L) as P.
  rewrite (sum_ext _ _ (fun j => sum n (fun x =>
    D x * (share w j * chance (xorb (nth x (nth j H []) false) (nth x f false))))%Q)).
  2: { intros j Hj. unfold disagreement, of_row. rewrite <- sum_scale. apply sum_ext. intros x Hx. ring. }
  rewrite sum_swap.
  rewrite (sum_ext n _ (fun x => D x * sum (length w)
    (fun j => share w j * chance (xorb (nth x (nth j H []) false) (nth x f false))))%Q)
    by (intros x Hx; apply sum_scale).
  rewrite Qmult_comm. rewrite <- (sum_scale n (inject_Z (total w))).
  rewrite (sum_ext n _ (fun x => D x * inject_Z (nth x (mixture n w (map (fun h => differ h f) H)) 0%Z))%Q).
  - apply mean_le; [exact LD|]. intros x Hx. rewrite <- Zle_Qle. apply largest_spec, nth_In.
    rewrite length_mixture. exact Hx.
  - intros x Hx. rewrite nth_mixture.
    2: { intros s Hs. apply in_map_iff in Hs as [h [<- Hh]]. pose proof (wide_spec _ _ _ W Hh).
         rewrite length_differ; lia. }
    rewrite map_map, <- (mean_covered w _ L) by (rewrite map_length; auto).
    setoid_replace (inject_Z (total w) * (D x * sum (length w) (fun j =>
        share w j * chance (xorb (nth x (nth j H []) false) (nth x f false)))))%Q
      with (D x * (sum (length w) (fun j =>
        share w j * chance (xorb (nth x (nth j H []) false) (nth x f false))) * inject_Z (total w)))%Q by ring.
    apply Qmult_comp; [reflexivity|]. apply Qmult_comp; [|reflexivity]. apply sum_ext. intros j Hj.
    assert (In (nth j H []) H) as I by (apply nth_In; lia). pose proof (wide_spec _ _ _ W I) as Eh.
    rewrite (nth_indep (map (fun h => nth x (differ h f) false) H) false (nth x (differ [] f) false))
      by (rewrite map_length; lia).
    rewrite (map_nth (fun h => nth x (differ h f) false)), nth_differ by lia. reflexivity.
Qed.

(* ---- fractions ---- *)

Definition over (x t : Z) : Q := x # Z.to_pos t.
Definition greatest (l : list Q) : Q := fold_right (fun a b => if Qle_bool a b then b else a) 0%Q l.

Lemma greatest_spec l q : In q l -> (q <= greatest l)%Q.
Proof.
  induction l as [|a l IH]; simpl; [tauto|]. destruct (Qle_bool a (greatest l)) eqn:E.
  - apply Qle_bool_iff in E. intros [->|H]; auto.
  - assert (greatest l <= a)%Q as G.
    { destruct (Qlt_le_dec (greatest l) a) as [G|G]; [lra|]. apply Qle_bool_iff in G. congruence. }
    intros [->|H]; [apply Qle_refl|]. specialize (IH H). lra.
Qed.

Lemma over_spec x t : 0 < t -> (over x t * inject_Z t == inject_Z x)%Q.
Proof. intros H. unfold over, Qeq. cbn. rewrite Pos2Z.inj_mul, Z2Pos.id by exact H. lia. Qed.

Lemma at_most_over m x t : 0 < t -> (m * inject_Z t <= inject_Z x)%Q -> (m <= over x t)%Q.
Proof.
  intros H L. apply (Qmult_le_r _ _ (inject_Z t)); [|rewrite over_spec; assumption].
  change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. exact H.
Qed.

Lemma at_least_over m x t : 0 < t -> (inject_Z x <= m * inject_Z t)%Q -> (over x t <= m)%Q.
Proof.
  intros H L. apply (Qmult_le_r _ _ (inject_Z t)); [|rewrite over_spec; assumption].
  change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. exact H.
Qed.

(* ---- one set of hypotheses ---- *)

Definition mixed n (H : list (list bool)) (fw : list bool * list Z) : option Q :=
  let (f, w) := fw in
  given (is_law w && (length w =? length H)%nat && wide n H && (length f =? n)%nat)
        (Some (over (disagrees n H f w) (total w))).
Definition check_mixtures n rows H (v : Q) (weights : list (list Z)) : bool :=
  (length weights =? length rows)%nat
  && match each (mixed n H) (combine rows weights) with Some l => Qeq_bool (greatest l) v | None => false end.

Definition check_hard n rows (H : list (list bool)) v (c : nat) (d : list Z) : bool :=
  let f := nth c rows [] in
  (c <? length rows)%nat && is_law d && (length d =? n)%nat && wide n H && (length f =? n)%nat
  && least_is (map (fun h => covered d (differ h f)) H) (total d) v.

Lemma each_spec {A B} (read : A -> option B) l : forall bs, each read l = Some bs ->
  forall a, In a l -> exists b, read a = Some b /\ In b bs.
Proof.
  induction l as [|a l IH]; simpl; intros bs E x Hx; [contradiction|].
  destruct (read a) as [b|] eqn:R; [|discriminate]. destruct (each read l) as [bs'|]; [|discriminate].
  injection E as <-. destruct Hx as [<-|Hx]; [exists b; simpl; auto|].
  destruct (IH bs' eq_refl x Hx) as [b' [E1 E2]]. exists b'. simpl; auto.
Qed.

Lemma in_combine {A B} (l : list A) (l' : list B) a : length l' = length l -> In a l ->
  exists b, In (a, b) (combine l l').
Proof.
  intros E H. apply (In_nth _ _ a) in H as [i [Hi Ei]]. destruct l' as [|b0 l']; [simpl in E; lia|].
  exists (nth i (b0 :: l') b0). rewrite <- Ei at 1.
  rewrite <- combine_nth by auto. apply nth_In. rewrite combine_length. lia.
Qed.

Lemma in_table n rows f : table n (concepts rows) f -> exists r, In r rows /\ same n f (of_row r).
Proof.
  intros [r [Hr S]]. apply in_map_iff in Hr as [row [<- Hrow]]. exists row. auto.
Qed.

Lemma row_in_table n rows c : (c < length rows)%nat -> table n (concepts rows) (of_row (nth c rows [])).
Proof.
  intros Hc. exists (of_row (nth c rows [])). split; [apply in_map, nth_In, Hc|intros x _; reflexivity].
Qed.

Theorem check_mixtures_sound n rows H v weights : check_mixtures n rows H v weights = true ->
  represents n (table n (concepts rows)) (concepts H) v.
Proof.
  unfold check_mixtures. intros K f D Hf LD. apply andb_prop in K as [E K]. apply Nat.eqb_eq in E.
  destruct (each _ _) as [l|] eqn:M; [|discriminate]. apply Qeq_bool_iff in K.
  apply in_table in Hf as [r [Hr S]]. destruct (in_combine rows weights r E Hr) as [w Hw].
  destruct (each_spec _ _ _ M _ Hw) as [u [U I]]. unfold mixed, given in U.
  destruct (_ && _) eqn:G; [|discriminate]. injection U as U. rewrite <- U in I. clear U.
  apply andb_prop in G as [G F]. apply andb_prop in G as [G W]. apply andb_prop in G as [L Lw].
  apply Nat.eqb_eq in F. apply Nat.eqb_eq in Lw.
  destruct (some_le_mean (length w) (share w) (fun j => disagreement n D (of_row (nth j H [])) (of_row r)) v)
    as [j [Hj B]].
  - apply share_law, L.
  - rewrite <- K. apply Qle_trans with (over (disagrees n H r w) (total w)); [|apply greatest_spec, I].
    apply at_most_over; [apply total_lt, L|]. apply mixture_errs; assumption.
  - exists (of_row (nth j H [])). split; [apply in_map, nth_In; lia|].
    rewrite (disagreement_same _ _ _ _ _ S). exact B.
Qed.

Theorem check_hard_sound n rows H v c d : check_hard n rows H v c d = true ->
  forall e, represents n (table n (concepts rows)) (concepts H) e -> (v <= e)%Q.
Proof.
  unfold check_hard. intros K e R. apply andb_prop in K as [K F]. apply andb_prop in K as [K Lf].
  apply andb_prop in K as [K W]. apply andb_prop in K as [K E]. apply andb_prop in K as [I L].
  apply Nat.eqb_eq in E, Lf. apply Nat.ltb_lt in I.
  destruct (R _ (share d) (row_in_table n rows c I)) as [h [Hh B]].
  - rewrite <- E. apply share_law, L.
  - apply in_map_iff in Hh as [g [<- Hg]]. eapply Qle_trans; [|exact B].
    eapply at_least_spec; [apply total_lt, L|apply error_of_row; try assumption; apply (wide_spec _ _ _ W Hg)|].
    eapply least_is_spec; [exact F|]. apply (in_map (fun h => covered d (differ h _))), Hg.
Qed.

(* ---- certificates ---- *)

Record of_hypotheses := Hypotheses { points : nat; rows : list (list bool); hypotheses : list (list bool) }.

Definition set_of_rows (n : nat) (j : json) : option (list (list bool)) :=
  let* l := list_of (row n) j in given (negb (length l =? 0)%nat) (Some l).

Definition hypotheses_of (instance : json) (values : list json) : option of_hypotheses :=
  match class_of row instance, values with
  | Some (_, n, rows), [h] => let* h := set_of_rows n h in Some (Hypotheses n rows h)
  | _, _ => None
  end.

(* an index and a law over the points *)
Definition hard_of (height : nat) (data : json) : nat * list Z :=
  match fields ["concept"; "distribution"]%string data with
  | Some [c; d] => match index height c, law_of d with Some c, Some d => (c, d) | _, _ => (height, []) end
  | _ => (height, [])
  end.
Definition hard_distribution (q : of_hypotheses) v (name : string) (data : json) : bool :=
  let (c, d) := hard_of (length (rows q)) data in
  String.eqb name "hard_distribution" && check_hard (points q) (rows q) (hypotheses q) v c d.
Definition mixtures (q : of_hypotheses) v (name : string) (data : json) : bool :=
  match fields ["weights"]%string data with
  | Some [w] => match list_of law_of w with
      | Some w => String.eqb name "mixtures" && check_mixtures (points q) (rows q) (hypotheses q) v w
      | None => false
      end
  | _ => false
  end.

Definition deterministic_representation : kind.
Proof.
  refine {|
    title := "deterministic_representation"; parameters := ["hypotheses"%string];
    ask := hypotheses_of; number := fraction;
    lower := hard_distribution; upper := mixtures;
    lower_means q v := forall e,
      represents (points q) (table (points q) (concepts (rows q))) (concepts (hypotheses q)) e -> (v <= e)%Q;
    upper_means q v := represents (points q) (table (points q) (concepts (rows q))) (concepts (hypotheses q)) v
  |}.
  - intros q v name data H. unfold hard_distribution in H. destruct (hard_of _ _) as [c d].
    apply andb_prop in H as [_ H]. eapply check_hard_sound, H.
  - intros q v name data H. unfold mixtures in H. destruct (fields _ _) as [[|w [|]]|]; try discriminate.
    destruct (list_of law_of w) as [l|]; [|discriminate]. apply andb_prop in H as [_ H].
    eapply check_mixtures_sound, H.
Defined.
