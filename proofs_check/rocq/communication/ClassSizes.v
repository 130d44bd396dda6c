(* Ends by sizes: what a class of so many rows gains at most, from the squares, the sum and the residues of
   its excesses; with two messages what both gain, from the differences of their excesses. *)
From Coq Require Import String List NArith ZArith QArith Qround Lia Bool.
From CCSim Require Import Definitions Arrays OneWay Distributions Answers Squares Json.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- sums ---- *)

Definition one (b : bool) : Z := if b then 1 else 0.
Definition total_of (l : list Z) : Z := lsum (fun v => v) l.

Lemma lsum_const {A} c (l : list A) : lsum (fun _ => c) l = Z.of_nat (length l) * c.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [lsum length]. rewrite IH, Nat2Z.inj_succ. ring. Qed.
Lemma lsum_in (c : Z) m : forall l, NoDup l -> In m l -> lsum (fun i => if (m =? i)%nat then c else 0) l = c.
Proof.
  induction l as [|i l IH]; intros D I; [contradiction|]. inversion D as [|? ? N D']; subst. cbn [lsum].
  destruct (Nat.eqb_spec m i) as [->|E].
  - rewrite (lsum_ext _ (fun _ => 0)), lsum_zero; [lia|]. intros j J. destruct (Nat.eqb_spec i j) as [->|]; [contradiction|].
    reflexivity.
  - destruct I as [->|I]; [congruence|]. rewrite IH by assumption. lia.
Qed.
Lemma zsum_abs n (f : nat -> Z) : Z.abs (zsum n f) <= zsum n (fun i => Z.abs (f i)).
Proof. unfold zsum. induction (seq 0 n) as [|i l IH]; [cbn; lia|]. cbn [lsum]. lia. Qed.

(* integers with a sum have the least squares if they are as equal as can be *)
Definition least_squares (number s : Z) : Z := let r := s mod number in s / number * (s + r) + r.
Lemma least_squares_spec {A} (f : A -> Z) l : l <> [] ->
  least_squares (Z.of_nat (length l)) (lsum f l) <= lsum (fun a => f a * f a) l.
Proof.
  intros Ne. assert (0 < Z.of_nat (length l)) as P by (destruct l; [congruence|cbn [length]; lia]).
  unfold least_squares. pose proof (Z.div_mod (lsum f l) (Z.of_nat (length l)) ltac:(lia)) as D.
  set (x := lsum f l / _) in *. set (r := lsum f l mod _) in *. clearbody x r.
  assert (lsum (fun a => (2 * x + 1) * f a - x * (x + 1)) l <= lsum (fun a => f a * f a) l) as G.
  { apply lsum_le. intros a _. assert (0 <= (f a - x) * (f a - x - 1)); [|lia].
    destruct (Z.le_gt_cases (f a) x); [apply Z.mul_nonpos_nonpos|apply Z.mul_nonneg_nonneg]; lia. }
  rewrite lsum_minus, lsum_scale, lsum_const in G. rewrite D in *. set (N := Z.of_nat (length l)) in *. clearbody N.
  replace (x * (N * x + r + r) + r) with ((2 * x + 1) * (N * x + r) - N * (x * (x + 1))) by ring. exact G.
Qed.

(* ---- the excesses of one column that a class of so many rows may have ---- *)

Record column := Column { first_entry : Z; whole_column : Z; most : Z; apart : Z }.
Definition column_of (l : list Z) : column :=
  let v := hd 0 l in
  Column v (total_of l) (lsum Z.abs l) (fold_right (fun a d => Z.gcd (a - v) d) 0 l).
Lemma apart_divides l a : In a l -> (apart (column_of l) | a - hd 0 l).
Proof.
  unfold column_of. cbn [apart]. set (v := hd 0 l). clearbody v. induction l as [|b l IH]; intros I; [contradiction|].
  cbn [fold_right]. destruct I as [->|I]; [apply Z.gcd_divide_l|]. eapply Z.divide_trans; [apply Z.gcd_divide_r|]. apply IH, I.
Qed.
Lemma apart_nonneg l : 0 <= apart (column_of l).
Proof. unfold column_of. cbn [apart]. destruct l; [reflexivity|]. apply Z.gcd_nonneg. Qed.

Section Worth.
Variables (unit g h : Z).
Definition worth (B b : Z) : Z := 2 * unit * Z.max (Z.abs B) (Z.abs b) - (g * b + h) * b.
Fixpoint most_worth (count : nat) (B step b so_far : Z) : Z :=
  match count with
  | O => so_far
  | S c => most_worth c B step (b + step) (Z.max so_far (worth B b))
  end.
(* a = 1 and e = 0 for the excess of a class, 2 and 1 for the difference of two classes *)
Definition column_worth (a e s : Z) (c : column) : Z :=
  let B := e * whole_column c in
  let step := Z.max 1 (a * apart c) in
  let b := (a * s * first_entry c - B + most c) mod step - most c in
  most_worth (Z.to_nat ((most c - b) / step)) B step (b + step) (worth B b).

Lemma most_worth_spec B step : forall count b so_far, so_far <= most_worth count B step b so_far /\
  forall i, (i < count)%nat -> worth B (b + Z.of_nat i * step) <= most_worth count B step b so_far.
Proof.
  induction count as [|count IH]; intros b so_far; cbn [most_worth]; [split; [lia|intros i H; lia]|].
  destruct (IH (b + step) (Z.max so_far (worth B b))) as [L H]. split; [lia|]. intros [|i] Hi.
  - change (Z.of_nat 0) with 0. rewrite Z.mul_0_l, Z.add_0_r. lia.
  - rewrite Nat2Z.inj_succ. replace (b + Z.succ (Z.of_nat i) * step) with (b + step + Z.of_nat i * step) by ring.
    apply H. lia.
Qed.
Lemma column_worth_spec a e s c b : Z.abs b <= most c ->
  (Z.max 1 (a * apart c) | b - (a * s * first_entry c - e * whole_column c)) ->
  worth (e * whole_column c) b <= column_worth a e s c.
Proof.
  intros A [d D]. unfold column_worth. cbv zeta. set (B := e * whole_column c) in *.
  set (r := a * s * first_entry c - B) in *. set (step := Z.max 1 (a * apart c)) in *.
  assert (0 < step) as P by lia. assert ((r + most c) mod step = (b + most c) mod step) as M.
  { replace (b + most c) with (r + most c + d * step) by lia. symmetry. apply Z_mod_plus_full. }
  rewrite M. set (b0 := (b + most c) mod step - most c). pose proof (Z.div_mod (b + most c) step ltac:(lia)) as V.
  set (i := (b + most c) / step) in *. assert (0 <= i) as I by (apply Z.div_pos; lia).
  destruct (most_worth_spec B step (Z.to_nat ((most c - b0) / step)) (b0 + step) (worth B b0)) as [L H].
  destruct (Z.eq_dec i 0) as [E|E].
  - replace b with b0 by (unfold b0; rewrite E in V; lia). exact L.
  - replace b with (b0 + step + Z.of_nat (Z.to_nat (i - 1)) * step) by (rewrite Z2Nat.id by lia; unfold b0; lia).
    apply H. assert (i <= (most c - b0) / step); [|lia]. apply Z.div_le_lower_bound; [exact P|]. unfold b0. lia.
Qed.
End Worth.

(* ---- the best sum over sizes that add up ---- *)

Fixpoint best_pair (so_far : Z) (l k : list Z) : Z :=
  match l, k with u :: l', v :: k' => best_pair (Z.max so_far (u + v)) l' k' | _, _ => so_far end.
Fixpoint with_one_more (best gains seen : list Z) : list Z :=
  match gains with
  | [] => []
  | g :: gains' => best_pair (hd 0 best + g) best (g :: seen) :: with_one_more best gains' (g :: seen)
  end.
Fixpoint best_sums (gains : list Z) (more : nat) : list Z :=
  match more with O => gains | S m => with_one_more (best_sums gains m) gains [] end.

Lemma best_pair_spec : forall l k so_far, so_far <= best_pair so_far l k /\
  forall i, (i < length l)%nat -> (i < length k)%nat -> nth i l 0 + nth i k 0 <= best_pair so_far l k.
Proof.
  induction l as [|u l IH]; intros k so_far; [split; [cbn; lia|cbn; lia]|].
  destruct k as [|v k]; [split; [cbn; lia|cbn; lia]|]. cbn [best_pair].
  destruct (IH k (Z.max so_far (u + v))) as [L H]. split; [lia|]. intros [|i] Hl Hk; cbn [nth length] in *; [lia|].
  apply H; lia.
Qed.
Lemma with_one_more_spec best : forall gains seen s i j, (s < length gains)%nat -> (i < length best)%nat ->
  (i + j = s + length seen)%nat ->
  nth i best 0 + nth j (rev seen ++ gains) 0 <= nth s (with_one_more best gains seen) 0 \/ (s < j - length seen)%nat.
Proof.
  induction gains as [|g gains IH]; intros seen s i j Hs Hi E; [cbn in Hs; lia|].
  replace (rev seen ++ g :: gains) with (rev (g :: seen) ++ gains) by (cbn [rev]; rewrite <- app_assoc; reflexivity).
  destruct s as [|s]; cbn [with_one_more nth].
  - destruct (Nat.le_gt_cases j (length seen)) as [J|J]; [|right; lia]. left.
    rewrite app_nth1 by (rewrite rev_length; cbn [length]; lia). rewrite rev_nth by (cbn [length]; lia).
    destruct (best_pair_spec best (g :: seen) (hd 0 best + g)) as [_ H].
    replace (length (g :: seen) - S j)%nat with i by (cbn [length]; lia). apply H; cbn [length]; lia.
  - destruct (IH (g :: seen) s i j) as [H|H]; [cbn in Hs; lia|exact Hi|cbn [length]; lia|left; exact H|].
    right. cbn [length] in H. lia.
Qed.
Lemma with_one_more_length best : forall gains seen, length (with_one_more best gains seen) = length gains.
Proof. induction gains as [|g gains IH]; intros seen; cbn; auto. Qed.
Lemma best_sums_length gains more : length (best_sums gains more) = length gains.
Proof. destruct more; [reflexivity|]. apply with_one_more_length. Qed.

Lemma best_sums_spec gains : forall more (f : nat -> Z), (forall i, 0 <= f i) ->
  zsum (S more) f < Z.of_nat (length gains) ->
  zsum (S more) (fun i => nth (Z.to_nat (f i)) gains 0) <= nth (Z.to_nat (zsum (S more) f)) (best_sums gains more) 0.
Proof.
  induction more as [|more IH]; intros f P L.
  - unfold zsum. cbn [seq lsum best_sums]. rewrite !Z.add_0_r. apply Z.le_refl.
  - rewrite (zsum_S (S more) f) in *. rewrite zsum_S. set (rest := zsum (S more) (fun i => f (S i))) in *.
    assert (0 <= rest) as R by (apply lsum_nonneg; intros; apply P). pose proof (P O) as P0.
    specialize (IH (fun i => f (S i)) (fun i => P (S i)) ltac:(fold rest; lia)). fold rest in IH. cbv beta in IH. cbn [best_sums].
    destruct (with_one_more_spec (best_sums gains more) gains [] (Z.to_nat (f O + rest)) (Z.to_nat rest) (Z.to_nat (f O)))
      as [H|H]; [lia|rewrite best_sums_length; lia|cbn [length]; lia| |cbn [length] in H; lia].
    cbn [rev app] in H. lia.
Qed.

(* ---- the form of the squares, with potentials of pairs, and of pairs in a group ---- *)

Section Classes.
Variables (w : nat) (rows : list (list Z)) (unit u p q : Z) (groups : list nat).
Let n := length rows.
Let entry j t := entry_at rows j t.
Definition names : list nat := nodup Nat.eq_dec groups.
Definition group_size (m : nat) : Z := lsum (fun i => if (i =? m)%nat then 1 else 0) groups.

(* a column of ones and one for each group hold what the pairs have *)
Definition with_groups : list (list Z) :=
  map (fun c => fst c ++ 1 :: map (fun m => one (snd c =? m)%nat) names) (combine rows groups).
Definition group_form : list (list Z) :=
  form_of (repeat unit w ++ - p :: repeat q (length names)) (repeat u n) with_groups.

Hypothesis W : wide w rows = true.
Hypothesis Lg : length groups = n.
Hypothesis unit_pos : 0 < unit.
Hypothesis q_pos : 0 <= q.
Hypothesis positive : positive_form n (Z.of_nat n) group_form = true.

Lemma with_groups_nth j : (j < n)%nat ->
  nth j with_groups [] = nth j rows [] ++ 1 :: map (fun m => one (nth j groups O =? m)%nat) names.
Proof.
  intros J. unfold with_groups. set (f := fun c : list Z * nat => _).
  rewrite (nth_indep _ [] (f ([], O))) by (rewrite map_length, combine_length, Lg; fold n; lia).
  rewrite (map_nth f), combine_nth by (symmetry; exact Lg). reflexivity.
Qed.
Lemma with_groups_length : length with_groups = n.
Proof. unfold with_groups. rewrite map_length, combine_length, Lg. fold n. lia. Qed.
Lemma with_groups_wide : wide (w + S (length names)) with_groups = true.
Proof.
  apply forallb_forall. intros r I. unfold with_groups in I. apply in_map_iff in I as [[s m] [<- I]].
  apply in_combine_l in I. unfold wide in W. rewrite forallb_forall in W. specialize (W s I). apply Nat.eqb_eq in W.
  apply Nat.eqb_eq. cbn [fst snd]. rewrite app_length. cbn [length]. rewrite map_length. congruence.
Qed.

Lemma form_squares (X : nat -> Z) : let part m := zsum n (fun j => if (nth j groups O =? m)%nat then X j else 0) in
  unit * zsum w (fun t => zsum n (fun j => X j * entry j t) * zsum n (fun j => X j * entry j t))
  <= u * zsum n (fun j => X j * X j) + p * (zsum n X * zsum n X) - q * lsum (fun m => part m * part m) names.
Proof.
  intros part. set (x := map X (seq 0 n)). assert (length x = n) as Lx by (unfold x; rewrite map_length; apply seq_length).
  assert (forall j, (j < n)%nat -> nth j x 0 = X j) as Nx.
  { intros j J. unfold x. rewrite (nth_indep _ 0 (X O)) by (rewrite map_length, seq_length; exact J).
    rewrite map_nth, seq_nth by exact J. reflexivity. }
  pose proof with_groups_wide as Wg. pose proof with_groups_length as Ln. set (v := (w + S (length names))%nat) in *.
  set (g := repeat unit w ++ - p :: repeat q (length names)).
  assert (length g = v) as Lv by (unfold g, v; rewrite app_length; cbn [length]; rewrite !repeat_length; reflexivity).
  pose proof (positive_form_sound (Z.of_nat n) n group_form x) as P. unfold group_form in P. fold g in P.
  pose proof (form_of_triangular g (repeat u n) with_groups ltac:(rewrite repeat_length, Ln; reflexivity)) as T.
  rewrite Ln in T. rewrite Lx in P. specialize (P T (Z.le_refl _) positive).
  rewrite (form_of_at v g _ _ x Wg) in P by (rewrite ?repeat_length; congruence).
  rewrite weighed_squares, combined_length in P by (rewrite ?combined_length; assumption).
  rewrite on_squares_entries in P by (rewrite repeat_length; congruence). rewrite Lx in P.
  rewrite (zsum_ext v _ (fun t => nth t g 0 * (zsum n (fun j => X j * entry_at with_groups j t)
    * zsum n (fun j => X j * entry_at with_groups j t)))) in P.
  2:{ intros t _. rewrite (combined_nth v t _ x Wg) by congruence. rewrite Ln.
      rewrite (zsum_ext n _ (fun j => X j * entry_at with_groups j t)) by (intros j J; rewrite Nx by exact J; reflexivity).
      reflexivity. }
  rewrite (zsum_ext n _ (fun j => u * (X j * X j))) in P
    by (intros j J; rewrite (Nx j J), nth_repeated by exact J; reflexivity).
  rewrite zsum_scale in P. unfold v in P. rewrite zsum_split, zsum_S in P.
  assert (forall j, (j < n)%nat -> length (nth j rows []) = w) as Wj by (intros j J; apply wide_nth; assumption).
  rewrite (zsum_ext w _ (fun t => unit * (zsum n (fun j => X j * entry j t) * zsum n (fun j => X j * entry j t)))) in P.
  2:{ intros t Ht. unfold g. rewrite app_nth1 by (rewrite repeat_length; exact Ht). rewrite nth_repeated by exact Ht.
      rewrite (zsum_ext n _ (fun j => X j * entry j t)); [reflexivity|]. intros j J. unfold entry, entry_at.
      rewrite with_groups_nth by exact J. rewrite app_nth1 by (rewrite Wj by exact J; exact Ht). reflexivity. }
  rewrite zsum_scale in P.
  assert (nth (w + 0) g 0 = - p) as G0.
  { unfold g. rewrite <- (repeat_length unit w) at 1. rewrite app_nth2_plus. reflexivity. }
  rewrite G0 in P. rewrite (zsum_ext n (fun j => X j * entry_at with_groups j (w + 0)) X) in P.
  2:{ intros j J. unfold entry_at. rewrite with_groups_nth by exact J. rewrite <- (Wj j J) at 1. rewrite app_nth2_plus.
      cbn [nth]. lia. }
  rewrite (zsum_ext (length names) _ (fun i => q * (part (nth i names O) * part (nth i names O)))) in P.
  2:{ intros i Hi. assert (nth (w + S i) g 0 = q) as Gi.
      { unfold g. rewrite <- (repeat_length unit w) at 1. rewrite app_nth2_plus. cbn [nth]. apply nth_repeated, Hi. }
      rewrite Gi. rewrite (zsum_ext n _ (fun j => if (nth j groups O =? nth i names O)%nat then X j else 0)); [reflexivity|].
      intros j J. unfold entry_at. rewrite with_groups_nth by exact J. rewrite <- (Wj j J) at 1. rewrite app_nth2_plus.
      cbn [nth]. rewrite (nth_indep _ 0 (one (nth j groups O =? O)%nat)) by (rewrite map_length; exact Hi).
      rewrite (map_nth (fun m => one (nth j groups O =? m)%nat)). unfold one. destruct (_ =? _)%nat; lia. }
  rewrite zsum_scale, (zsum_list O (fun m => part m * part m) names) in P. lia.
Qed.

(* ---- what the rows of a class gain, or those of two classes, by the number of rows ---- *)

Variables (t R : Z).
Hypothesis some_row : (0 < n)%nat.
Hypothesis same_groups : forall m, In m names -> group_size m = t.
Hypothesis same_sums : forall j, (j < n)%nat -> zsum w (entry j) = R.

Definition columns : list column := map (fun c => column_of (map (fun r => nth c r 0) rows)) (seq 0 w).
Definition spread (a e s squares c : Z) : Z := a * a * squares + e * c * (Z.of_nat n - 2 * a * s).
Definition form_of_size (a e s : Z) : Z :=
  u * spread a e s s 1 + p * spread a e s (s * s) (Z.of_nat n)
  - q * spread a e s (least_squares (Z.of_nat (length names)) s) t.
Definition gain (a e : Z) (columns : list column) (s : Z) (ends : Z * Z) : Z :=
  let (g, h) := ends in
  (Z.max g 0 * form_of_size a e s + lsum (fun c => unit * column_worth unit g h a e s c) columns
   + unit * h * ((a * s - e * Z.of_nat n) * R)) / (2 * (unit * unit)).

Let whole c := zsum n (fun j => entry j c).
Let taken (y : nat -> bool) c := zsum n (fun j => if y j then entry j c else 0).
Let chosen (y : nat -> bool) := zsum n (fun j => one (y j)).

Section Gain.
Variables (a e : Z) (y : nat -> bool).
Hypothesis kinds : a = 1 /\ e = 0 \/ a = 2 /\ e = 1.
Let X j := a * one (y j) - e.
Let s := chosen y.

Lemma sum_X : zsum n X = a * s - e * Z.of_nat n.
Proof. unfold X. rewrite zsum_minus, zsum_scale, zsum_const. fold (chosen y) s. ring. Qed.
Lemma sum_squares_X : zsum n (fun j => X j * X j) = spread a e s s 1.
Proof.
  rewrite (zsum_ext n _ (fun j => (a * a - 2 * a * e) * one (y j) + e)).
  - rewrite zsum_plus, zsum_scale, zsum_const. fold (chosen y) s. unfold spread. ring.
  - intros j _. unfold X, one. destruct kinds as [[-> ->]|[-> ->]], (y j); reflexivity.
Qed.
Lemma over_names (f : nat -> Z) :
  lsum (fun m => zsum n (fun j => if (nth j groups O =? m)%nat then f j else 0)) names = zsum n f.
Proof.
  rewrite lsum_zsum. apply zsum_ext. intros j J. apply (lsum_in (f j)); [apply NoDup_nodup|].
  apply nodup_In, nth_In. rewrite Lg. exact J.
Qed.
Lemma group_size_sum m : group_size m = zsum n (fun j => if (nth j groups O =? m)%nat then 1 else 0).
Proof. rewrite <- Lg. symmetry. exact (zsum_list O (fun i => if (i =? m)%nat then 1 else 0) groups). Qed.

Lemma squares_of_parts : let part m := zsum n (fun j => if (nth j groups O =? m)%nat then X j else 0) in
  spread a e s (least_squares (Z.of_nat (length names)) s) t <= lsum (fun m => part m * part m) names.
Proof.
  intros part. set (share m := zsum n (fun j => if (nth j groups O =? m)%nat then one (y j) else 0)).
  assert (lsum share names = s) as Ss by exact (over_names (fun j => one (y j))).
  assert (Z.of_nat (length names) * t = Z.of_nat n) as Nt.
  { rewrite <- lsum_const, <- (lsum_ext group_size) by exact same_groups.
    rewrite (lsum_ext _ (fun m => zsum n (fun j => if (nth j groups O =? m)%nat then 1 else 0)))
      by (intros m _; apply group_size_sum).
    rewrite (over_names (fun _ => 1)), zsum_const. lia. }
  rewrite (lsum_ext _ (fun m => a * a * (share m * share m) - 2 * a * e * t * share m + e * t * t)).
  2:{ intros m I. assert (part m = a * share m - e * t) as ->.
      { rewrite <- (same_groups m I), group_size_sum. unfold part, share. rewrite <- !zsum_scale, <- zsum_minus.
        apply zsum_ext. intros j _. unfold X. destruct (_ =? _)%nat; ring. }
      destruct kinds as [[-> ->]|[-> ->]]; ring. }
  rewrite lsum_plus, lsum_minus, !lsum_scale, lsum_const, Ss.
  assert (names <> []) as Ne.
  { intros E. assert (In (nth O groups O) names) as I by (apply nodup_In, nth_In; lia). rewrite E in I. destruct I. }
  pose proof (least_squares_spec share names Ne) as L. rewrite Ss in L. unfold spread. rewrite <- Nt.
  set (N := Z.of_nat (length names)) in *. set (b := lsum (fun m => share m * share m) names) in *.
  set (l := least_squares N s) in *. clearbody l b N. destruct kinds as [[-> ->]|[-> ->]]; lia.
Qed.

Lemma squares_of_excesses :
  unit * zsum w (fun c => zsum n (fun j => X j * entry j c) * zsum n (fun j => X j * entry j c)) <= form_of_size a e s.
Proof.
  pose proof (form_squares X) as F. cbv zeta in F. pose proof squares_of_parts as G. cbv beta zeta in F, G.
  rewrite sum_squares_X, sum_X in F. unfold form_of_size.
  assert (spread a e s (s * s) (Z.of_nat n) = (a * s - e * Z.of_nat n) * (a * s - e * Z.of_nat n)) as ->.
  { unfold spread. destruct kinds as [[-> ->]|[-> ->]]; ring. }
  pose proof (Z.mul_le_mono_nonneg_l _ _ q q_pos G). lia.
Qed.

Lemma column_entries c : let k := column_of (map (fun r => nth c r 0) rows) in
  whole_column k = whole c /\ most k = zsum n (fun j => Z.abs (entry j c)) /\
  forall j, (j < n)%nat -> (apart k | entry j c - first_entry k).
Proof.
  intros k. unfold k. split; [|split].
  - cbn [column_of whole_column]. unfold total_of. rewrite lsum_map. symmetry. exact (zsum_list [] (fun r => nth c r 0) rows).
  - cbn [column_of most]. rewrite lsum_map. symmetry. exact (zsum_list [] (fun r => Z.abs (nth c r 0)) rows).
  - intros j J. apply apart_divides. unfold entry, entry_at. apply (in_map (fun r => nth c r 0)), nth_In, J.
Qed.

Lemma gain_spec ends :
  zsum w (fun c => Z.max (Z.abs (e * whole c)) (Z.abs (a * taken y c - e * whole c))) <= gain a e columns s ends.
Proof.
  destruct ends as [g h]. unfold gain. set (b c := zsum n (fun j => X j * entry j c)).
  assert (forall c, a * taken y c - e * whole c = b c) as B.
  { intros c. unfold b, taken, whole. rewrite <- !zsum_scale, <- zsum_minus. apply zsum_ext. intros j _. unfold X, one.
    destruct (y j); ring. }
  rewrite (zsum_ext w _ (fun c => Z.max (Z.abs (e * whole c)) (Z.abs (b c)))) by (intros c _; rewrite B; reflexivity).
  set (M := zsum w (fun c => Z.max _ _)). apply Z.div_le_lower_bound; [nia|].
  unfold columns. rewrite lsum_map. fold (zsum w (fun c => unit * column_worth unit g h a e s
    (column_of (map (fun r => nth c r 0) rows)))). rewrite zsum_scale. set (C := zsum w (fun c => column_worth _ _ _ _ _ _ _)).
  assert (2 * unit * M - g * zsum w (fun c => b c * b c) - h * zsum w b <= C) as G.
  { unfold M, C. rewrite <- !zsum_scale, <- !zsum_minus. apply zsum_le. intros c _.
    destruct (column_entries c) as [E1 [E2 E3]]. set (k := column_of _) in *.
    pose proof (column_worth_spec unit g h a e s k (b c)) as K. unfold worth in K. rewrite E1 in K.
    assert (2 * unit * Z.max (Z.abs (e * whole c)) (Z.abs (b c)) - (g * b c + h) * b c <= column_worth unit g h a e s k);
      [|lia].
    apply K.
    - rewrite E2. eapply Z.le_trans; [apply zsum_abs|]. apply zsum_le. intros j _. unfold X, one.
      destruct kinds as [[-> ->]|[-> ->]], (y j); lia.
    - destruct (Z.max_spec 1 (a * apart k)) as [[_ ->]|[_ ->]]; [|apply Z.divide_1_l].
      assert (b c - (a * s * first_entry k - e * whole c) = a * zsum n (fun j => one (y j) * (entry j c - first_entry k))) as ->.
      { rewrite <- B. unfold s, chosen, taken.
        rewrite (zsum_ext n (fun j => one (y j) * (entry j c - first_entry k))
          (fun j => (if y j then entry j c else 0) - first_entry k * one (y j)))
          by (intros j _; unfold one; destruct (y j); ring).
        rewrite zsum_minus, zsum_scale. ring. }
      apply Z.mul_divide_mono_l. unfold zsum.
      assert (forall j, In j (seq 0 n) -> (j < n)%nat) as In_n by (intros j J; apply in_seq in J; lia). revert In_n.
      induction (seq 0 n) as [|j l IH]; intros In_n; [apply Z.divide_0_r|]. cbn [lsum]. apply Z.divide_add_r.
      + apply Z.divide_mul_r, E3, In_n, in_eq.
      + apply IH. intros i I. apply In_n, in_cons, I. }
  assert (zsum w b = (a * s - e * Z.of_nat n) * R) as Sb.
  { unfold b. rewrite zsum_swap, <- sum_X, Z.mul_comm, <- zsum_scale. apply zsum_ext. intros j J.
    rewrite zsum_scale, <- (same_sums j J). ring. }
  rewrite Sb in G. set (S2 := zsum w (fun c => b c * b c)) in *. set (F := form_of_size a e s) in *.
  assert (unit * S2 <= F) as Q by exact squares_of_excesses.
  assert (0 <= S2) as P2 by (apply lsum_nonneg; intros c _; apply Z.square_nonneg).
  assert (unit * (g * S2) <= Z.max g 0 * F) as GF.
  { destruct (Z.max_spec g 0) as [[L ->]|[L ->]].
    - assert (g * S2 <= 0) by (apply Z.mul_nonpos_nonneg; lia). nia.
    - pose proof (Z.mul_le_mono_nonneg_l _ _ g L Q). lia. }
  pose proof (Z.mul_le_mono_nonneg_l _ _ unit ltac:(lia) G) as G'. lia.
Qed.
End Gain.

Definition gains (a e : Z) (ends : list (Z * Z)) : list Z :=
  let l := columns in map (fun c => gain a e l (Z.of_nat (fst c)) (snd c)) (combine (seq 0 (S n)) ends).
Definition best_gain (k : N) (ends : list (Z * Z)) : Z :=
  if (k =? 2)%N then fold_right Z.max 0 (gains 2 1 ends)
  else nth n (best_sums (gains 1 0 ends) (pred (N.to_nat (N.min k (N.of_nat n))))) 0.

Variable ends : list (Z * Z).
Hypothesis Le : length ends = S n.

Lemma gains_length a e : length (gains a e ends) = S n.
Proof. unfold gains. cbv zeta. rewrite map_length, combine_length, seq_length, Le. lia. Qed.
Lemma gains_nth a e y : exists pair, nth (Z.to_nat (chosen y)) (gains a e ends) 0 = gain a e columns (chosen y) pair.
Proof.
  assert (0 <= chosen y <= Z.of_nat n) as B.
  { unfold chosen. split; [apply lsum_nonneg; intros j _; unfold one; destruct (y j); lia|].
    rewrite <- (Z.mul_1_r (Z.of_nat n)), <- zsum_const. apply zsum_le. intros j _. unfold one. destruct (y j); lia. }
  exists (nth (Z.to_nat (chosen y)) ends (0, 0)). pose proof (gains_length a e) as L. unfold gains in *. cbv zeta in *.
  set (f := fun c : nat * (Z * Z) => _) in *. rewrite (nth_indep _ 0 (f (O, (0, 0)))) by lia.
  rewrite (map_nth f), combine_nth by (rewrite seq_length; congruence). unfold f. cbn [fst snd].
  rewrite seq_nth by lia. cbn [Nat.add]. rewrite Z2Nat.id by lia. reflexivity.
Qed.

Variables (k : nat) (a : nat -> nat).
Hypothesis sent : forall j, (j < n)%nat -> (a j < k)%nat.
Let excess i c := zsum n (fun j => if (i =? a j)%nat then entry j c else 0).

Lemma one_by_one more : k = S more ->
  zsum w (fun c => zsum k (fun i => Z.abs (excess i c))) <= nth n (best_sums (gains 1 0 ends) more) 0.
Proof.
  intros K. rewrite zsum_swap. set (f i := chosen (fun j => (i =? a j)%nat)).
  assert (zsum k f = Z.of_nat n) as Sf.
  { unfold f, chosen. rewrite zsum_swap. rewrite (zsum_ext n _ (fun _ => 1)); [rewrite zsum_const; lia|].
    intros j J. exact (zsum_pick k (a j) (fun _ => 1) (sent j J)). }
  apply Z.le_trans with (zsum k (fun i => nth (Z.to_nat (f i)) (gains 1 0 ends) 0)).
  - apply zsum_le. intros i _. unfold f. destruct (gains_nth 1 0 (fun j => (i =? a j)%nat)) as [pair ->].
    eapply Z.le_trans; [|exact (gain_spec 1 0 _ (or_introl (conj eq_refl eq_refl)) pair)].
    apply zsum_le. intros c _. change (taken _ c) with (excess i c). lia.
  - rewrite K in *. pose proof (best_sums_spec (gains 1 0 ends) more f) as G. rewrite Sf, gains_length, Nat2Z.id in G.
    apply G; [|lia]. intros i. apply lsum_nonneg. intros j _. unfold one. destruct (_ =? _)%nat; lia.
Qed.

Lemma both_at_once : k = 2%nat ->
  zsum w (fun c => zsum k (fun i => Z.abs (excess i c))) <= fold_right Z.max 0 (gains 2 1 ends).
Proof.
  intros K. set (y j := (0 =? a j)%nat). destruct (gains_nth 2 1 y) as [pair E].
  apply Z.le_trans with (nth (Z.to_nat (chosen y)) (gains 2 1 ends) 0).
  - rewrite E. eapply Z.le_trans; [|exact (gain_spec 2 1 y (or_intror (conj eq_refl eq_refl)) pair)].
    apply zsum_le. intros c _. assert (excess 0 c + excess 1 c = whole c) as S2.
    { unfold excess, whole. rewrite <- zsum_plus. apply zsum_ext. intros j J. specialize (sent j J). rewrite K in sent.
      destruct (a j) as [|[|]]; cbn [Nat.eqb]; lia. }
    change (taken y c) with (excess 0 c). rewrite K. unfold zsum. cbn [seq lsum]. lia.
  - assert (forall v l, In v l -> v <= fold_right Z.max 0 l) as M.
    { intros v. induction l as [|b l IH]; intros I; [contradiction|]. cbn [fold_right]. destruct I as [->|I]; [lia|].
      specialize (IH I). lia. }
    destruct (Nat.lt_ge_cases (Z.to_nat (chosen y)) (length (gains 2 1 ends))) as [L|L]; [apply M, nth_In, L|].
    rewrite nth_overflow by exact L. clear. induction (gains 2 1 ends); cbn [fold_right]; lia.
Qed.
End Classes.

(* ---- certificates ---- *)

Lemma lost_even : forall r z, (2 | lost z r).
Proof.
  induction r as [|v r IH]; intros z; [apply Z.divide_0_r|]. cbn [lost]. apply Z.divide_add_r; [|apply IH].
  unfold sign. destruct (z O); [exists (Z.max 0 (- v))|exists (Z.max 0 v)]; lia.
Qed.

Definition ends_of (j : json) : option (Z * Z) :=
  match j with Array [g; h] => let* g := integer g in let* h := integer h in Some (g, h) | _ => None end.
(* so few excesses that all are looked at: a bound of the work *)
Definition few_excesses (rows : list (list Z)) w : bool :=
  forallb (fun c => most c / Z.max 1 (apart c) <? 2 ^ 24) (columns w rows).
Definition sizes_bound w (rows : list (list Z)) (k : N) (data : json) : option Q :=
  match fields ["unit"; "potentials"; "ends"]%string data with
  | Some [s; l; e] =>
      let* unit := positive_integer s in
      let* potentials := list_of integer l in
      match potentials, fields ["sizes"; "groups"]%string e with
      | [u; p; q], Some [pairs; groups] =>
          let* ends := list_of ends_of pairs in
          let* groups := list_of (index (length rows)) groups in
          let n := length rows in
          let t := group_size groups (hd O groups) in
          let R := total_of (hd [] rows) in
          given (wide w rows && (0 <? n)%nat && (length groups =? n)%nat && (length ends =? S n)%nat && (0 <? k)%N
                 && few_excesses rows w && (0 <=? q) && forallb (fun m => group_size groups m =? t) (names groups)
                 && forallb (fun r => total_of r =? R) rows
                 && positive_form n (Z.of_nat n) (group_form w rows (Zpos unit) u p q groups))
            (Some (inject_Z (Z.max 0 (sizes rows + 1 - best_gain w rows (Zpos unit) u p q groups t R k ends) / 2 * 2)))
      | _, _ => None
      end
  | _ => None
  end.

Theorem sizes_sound w rows k data B : sizes_bound w rows k data = Some B ->
  forced rows (N.to_nat k) (Qceiling B).
Proof.
  unfold sizes_bound. intros H. destruct (fields _ data) as [[|s [|l [|e [|]]]]|]; try discriminate.
  destruct (positive_integer s) as [unit|]; [|discriminate].
  destruct (list_of integer l) as [[|u [|p [|q [|]]]]|]; try discriminate.
  destruct (fields _ e) as [[|pairs [|gs [|]]]|]; try discriminate.
  destruct (list_of ends_of pairs) as [ends|]; [|discriminate].
  destruct (list_of (index _) gs) as [groups|]; [|discriminate]. unfold given in H. cbv zeta in H.
  match type of H with (if ?t then _ else _) = _ => destruct t eqn:C; [|discriminate] end. injection H as <-.
  rewrite Qceiling_Z. apply andb_prop in C as [C P]. apply andb_prop in C as [C Sums]. apply andb_prop in C as [C Sg].
  apply andb_prop in C as [C Q0]. apply andb_prop in C as [C _]. apply andb_prop in C as [C K]. apply andb_prop in C as [C Le].
  apply andb_prop in C as [C Lg]. apply andb_prop in C as [W N0].
  apply Nat.eqb_eq in Le, Lg. apply N.ltb_lt in K. apply Z.leb_le in Q0. apply Nat.ltb_lt in N0.
  rewrite forallb_forall in Sums, Sg. set (n := length rows) in *. set (t := group_size groups _) in *.
  set (R := total_of (hd [] rows)) in *.
  assert (forall m, In m (names groups) -> group_size groups m = t) as Sg' by (intros m I; apply Z.eqb_eq, Sg, I).
  assert (forall j, (j < n)%nat -> zsum w (entry_at rows j) = R) as Sums'.
  { intros j J. specialize (Sums (nth j rows []) (nth_In _ _ J)). apply Z.eqb_eq in Sums. rewrite <- Sums.
    unfold entry_at, total_of. rewrite <- (wide_nth w rows j W J). exact (zsum_list 0 (fun v => v) (nth j rows [])). }
  set (G := best_gain _ _ _ _ _ _ _ _ _ _ _).
  assert (forall k' (a : nat -> nat) z, (forall j, (j < n)%nat -> (a j < k')%nat) ->
    (k' = N.to_nat k /\ k = 2%N \/ k' = Nat.min (N.to_nat k) n /\ k <> 2%N) ->
    sizes rows - G <= zsum n (fun j => lost (z (a j)) (nth j rows []))) as All.
  { intros k' a z A E. eapply Z.le_trans; [|exact (gained_most w rows k' a z W A)].
    apply Z.sub_le_mono_l. unfold G, best_gain. fold n. destruct (N.eqb_spec k 2) as [K2|K2].
    - eapply (both_at_once w rows (Zpos unit) u p q groups W Lg); try eassumption; try reflexivity.
      destruct E as [[-> ->]|[_ E]]; [reflexivity|contradiction].
    - eapply (one_by_one w rows (Zpos unit) u p q groups W Lg); try eassumption; try reflexivity.
      destruct E as [[_ E]|[-> _]]; [contradiction|]. lia. }
  assert (forall k' (a : nat -> nat) z, (forall j, (j < n)%nat -> (a j < k')%nat) ->
    (k' = N.to_nat k /\ k = 2%N \/ k' = Nat.min (N.to_nat k) n /\ k <> 2%N) ->
    Z.max 0 (sizes rows + 1 - G) / 2 * 2 <= zsum n (fun j => lost (z (a j)) (nth j rows []))) as Even.
  { intros k' a z A E. specialize (All k' a z A E). set (lost_in_all := zsum n _) in *.
    assert (0 <= lost_in_all) by (apply lsum_nonneg; intros j _; apply lost_pos).
    assert (2 | lost_in_all) as [c ->].
    { unfold lost_in_all, zsum. induction (seq 0 n) as [|j js IH]; [apply Z.divide_0_r|]. cbn [lsum].
      apply Z.divide_add_r; [apply lost_even|exact IH]. }
    pose proof (Z.mul_div_le (Z.max 0 (sizes rows + 1 - G)) 2 ltac:(lia)). lia. }
  destruct (N.eq_dec k 2) as [K2|K2].
  - intros a z A. apply (Even (N.to_nat k) a z A). left. auto.
  - apply forced_few. intros a z A. apply (Even (Nat.min (N.to_nat k) n) a z A). right. auto.
Qed.
