(* The rule "mixture": integer weights over sets bound, in every position, the weight that covers
   it.  A law is a list of integers of at least 0 that are not all 0; its sum stands for 1. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums.
Import ListNotations.
Local Open Scope Z_scope.

Definition total (w : list Z) : Z := fold_right Z.add 0 w.
Definition is_law (w : list Z) : bool := forallb (Z.leb 0) w && (0 <? total w).
Definition share (w : list Z) (i : nat) : Q := (inject_Z (nth i w 0%Z) / inject_Z (total w))%Q.

(* the sum of products, and the weight of the places that hold true *)
Fixpoint dot (w z : list Z) : Z :=
  match w, z with a :: w', b :: z' => a * b + dot w' z' | _, _ => 0 end.
Fixpoint covered (w : list Z) (s : list bool) : Z :=
  match w, s with a :: w', b :: s' => (if b then a else 0) + covered w' s' | _, _ => 0 end.

Lemma sum_shift n (g : nat -> Q) : (sum (S n) g == g O + sum n (fun i => g (S i)))%Q.
Proof. induction n as [|n IH]; [simpl; ring|]. simpl in *. rewrite IH. ring. Qed.

Lemma sum_dot : forall w z, length z = length w ->
  (sum (length w) (fun i => inject_Z (nth i w 0%Z) * inject_Z (nth i z 0%Z)) == inject_Z (dot w z))%Q.
Proof.
  induction w as [|a w IH]; intros [|b z] E; try discriminate; [reflexivity|].
  injection E as E. cbn [length]. rewrite sum_shift. cbn [nth dot].
  rewrite (IH z E), <- inject_Z_mult, <- inject_Z_plus. reflexivity.
Qed.

Lemma sum_total w : (sum (length w) (fun i => inject_Z (nth i w 0%Z)) == inject_Z (total w))%Q.
Proof.
  induction w as [|a w IH]; [reflexivity|]. cbn [length]. rewrite sum_shift. cbn [nth].
  rewrite IH. unfold total at 2. cbn [fold_right]. rewrite inject_Z_plus. reflexivity.
Qed.

Lemma total_lt w : is_law w = true -> 0 < total w.
Proof. intros H. apply andb_prop in H as [_ H]. apply Z.ltb_lt, H. Qed.
Lemma total_pos w : is_law w = true -> (0 < inject_Z (total w))%Q.
Proof. intros H. apply inject_pos, total_lt, H. Qed.

Lemma share_law w : is_law w = true -> law (length w) (share w).
Proof.
  intros H. pose proof (total_pos w H) as P. apply andb_prop in H as [H _].
  rewrite forallb_forall in H. split.
  - intros i Hi. unfold share. apply Qle_shift_div_l; [exact P|]. rewrite Qmult_0_l.
    change 0%Q with (inject_Z 0). rewrite <- Zle_Qle.
    apply Z.leb_le, H, nth_In, Hi.
  - unfold share. rewrite (sum_ext _ _ (fun i => / inject_Z (total w) * inject_Z (nth i w 0%Z))%Q).
    + rewrite sum_scale, sum_total. field. lra.
    + intros i _. field. lra.
Qed.

Lemma mean_dot w z : is_law w = true -> length z = length w ->
  (sum (length w) (fun i => share w i * inject_Z (nth i z 0%Z)) * inject_Z (total w)
   == inject_Z (dot w z))%Q.
Proof.
  intros H E. pose proof (total_pos w H) as P. rewrite <- (sum_dot w z E), Qmult_comm, <- sum_scale.
  apply sum_ext. intros i _. unfold share. field. lra.
Qed.

Lemma covered_dot : forall w s, length s = length w ->
  covered w s = dot w (map (fun b : bool => if b then 1 else 0) s).
Proof.
  induction w as [|a w IH]; intros [|b s] E; try discriminate; [reflexivity|].
  injection E as E. cbn [covered map dot]. rewrite (IH s E). destruct b; lia.
Qed.

Lemma mean_covered w s : is_law w = true -> length s = length w ->
  (sum (length w) (fun i => share w i * chance (nth i s false)) * inject_Z (total w)
   == inject_Z (covered w s))%Q.
Proof.
  intros H E. rewrite covered_dot by exact E.
  rewrite <- mean_dot; [|exact H|rewrite map_length; exact E].
  apply Qmult_comp; [|reflexivity]. apply sum_ext. intros i Hi.
  pose proof (map_nth (fun b : bool => if b then 1 else 0) s false i) as N. cbv beta in N.
  change (if false then 1 else 0) with 0 in N. rewrite N. destruct (nth i s false); reflexivity.
Qed.

(* comparisons of a quotient with a stated bound p/q *)
Definition at_least (x t : Z) (v : Q) : bool := Qnum v * t <=? x * QDen v.
Definition at_most (x t : Z) (v : Q) : bool := x * QDen v <=? Qnum v * t.

(* the least, or the largest, of several is exactly the bound *)
Definition least_is (l : list Z) (t : Z) (v : Q) : bool :=
  forallb (fun x => at_least x t v) l && existsb (fun x => at_most x t v) l.
Definition largest_is (l : list Z) (t : Z) (v : Q) : bool :=
  forallb (fun x => at_most x t v) l && existsb (fun x => at_least x t v) l.

Lemma least_is_spec l t v : least_is l t v = true -> forall x, In x l -> at_least x t v = true.
Proof. intros H. apply andb_prop in H as [H _]. rewrite forallb_forall in H. exact H. Qed.
Lemma largest_is_spec l t v : largest_is l t v = true -> forall x, In x l -> at_most x t v = true.
Proof. intros H. apply andb_prop in H as [H _]. rewrite forallb_forall in H. exact H. Qed.

Lemma at_least_spec x t v (m : Q) : 0 < t -> (m * inject_Z t == inject_Z x)%Q ->
  at_least x t v = true -> (v <= m)%Q.
Proof.
  unfold at_least. intros Ht E H. apply Z.leb_le in H. apply (Qmult_le_r _ _ (inject_Z t)).
  - change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. exact Ht.
  - rewrite E. unfold Qle. cbn. rewrite ?Z.mul_1_r, ?Pos.mul_1_r. exact H.
Qed.

Lemma at_most_spec x t v (m : Q) : 0 < t -> (m * inject_Z t == inject_Z x)%Q ->
  at_most x t v = true -> (m <= v)%Q.
Proof.
  unfold at_most. intros Ht E H. apply Z.leb_le in H. apply (Qmult_le_r _ _ (inject_Z t)).
  - change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. exact Ht.
  - rewrite E. unfold Qle. cbn. rewrite ?Z.mul_1_r, ?Pos.mul_1_r. exact H.
Qed.

Lemma nth_map_seq {A} (g : nat -> A) n x a : (x < n)%nat -> nth x (map g (seq 0 n)) a = g x.
Proof.
  intros Hx. rewrite (nth_indep _ a (g O)) by (rewrite map_length, seq_length; exact Hx).
  rewrite (map_nth g), seq_nth by exact Hx. reflexivity.
Qed.
