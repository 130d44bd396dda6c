(* Matrix games: payoffs are integers over a common unit. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture.
Import ListNotations.
Local Open Scope Z_scope.

Definition payoff (unit : positive) (rows : list (list Z)) (i j : nat) : Q :=
  (inject_Z (nth j (nth i rows []) 0%Z) / inject_Z (Zpos unit))%Q.

Definition column (rows : list (list Z)) (j : nat) : list Z := map (fun r => nth j r 0) rows.

Definition check_row (m : nat) unit (rows : list (list Z)) (x : list Z) (v : Q) : bool :=
  is_law x && (length x =? length rows)%nat
  && forallb (fun j => at_least (dot x (column rows j)) (total x * Zpos unit) v) (seq 0 m).
Definition check_column (m : nat) unit (rows : list (list Z)) (y : list Z) (v : Q) : bool :=
  is_law y && (length y =? m)%nat
  && forallb (fun r => (length r =? m)%nat && at_most (dot y r) (total y * Zpos unit) v) rows.

Lemma unit_pos (u : positive) : (0 < inject_Z (Zpos u))%Q.
Proof. change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. lia. Qed.

Theorem check_row_sound m unit rows x v :
  check_row m unit rows x v = true -> guarantees (length rows) m (payoff unit rows) v.
Proof.
  unfold check_row. intros H. apply andb_prop in H as [H F]. apply andb_prop in H as [L E].
  apply Nat.eqb_eq in E. rewrite forallb_forall in F. exists (share x). rewrite <- E.
  split; [apply share_law, L|]. intros j Hj.
  pose proof (total_pos x L) as P. pose proof (unit_pos unit) as U.
  assert (In j (seq 0 m)) as J by (apply in_seq; lia). specialize (F j J).
  eapply at_least_spec; [| |exact F].
  - apply Z.mul_pos_pos; [|lia]. apply andb_prop in L as [_ L]. apply Z.ltb_lt, L.
  - rewrite <- (mean_dot x (column rows j) L) by (unfold column; rewrite map_length; auto).
    rewrite inject_Z_mult.
    rewrite (sum_ext _ (fun i => share x i * payoff unit rows i j)%Q
      (fun i => / inject_Z (Zpos unit) * (share x i * inject_Z (nth i (column rows j) 0%Z)))%Q).
    + rewrite sum_scale. field; repeat split; lra.
    + intros i Hi. unfold payoff, column.
      pose proof (map_nth (fun r => nth j r 0) rows [] i) as N. cbv beta in N.
      replace (nth j [] 0) with 0 in N by (destruct j; reflexivity). rewrite N. field; repeat split; lra.
Qed.

Theorem check_column_sound m unit rows y v :
  check_column m unit rows y v = true -> concedes (length rows) m (payoff unit rows) v.
Proof.
  unfold check_column. intros H. apply andb_prop in H as [H F]. apply andb_prop in H as [L E].
  apply Nat.eqb_eq in E. rewrite forallb_forall in F. exists (share y). rewrite <- E.
  split; [apply share_law, L|]. intros i Hi.
  specialize (F (nth i rows []) (nth_In _ _ Hi)). apply andb_prop in F as [W F].
  apply Nat.eqb_eq in W. pose proof (total_pos y L) as P. pose proof (unit_pos unit) as U.
  eapply at_most_spec; [| |exact F].
  - apply Z.mul_pos_pos; [|lia]. apply andb_prop in L as [_ L]. apply Z.ltb_lt, L.
  - rewrite <- (mean_dot y (nth i rows []) L) by lia. rewrite inject_Z_mult.
    rewrite (sum_ext _ (fun j => share y j * payoff unit rows i j)%Q
      (fun j => / inject_Z (Zpos unit) * (share y j * inject_Z (nth j (nth i rows []) 0%Z)))%Q).
    + rewrite sum_scale. field; repeat split; lra.
    + intros j Hj. unfold payoff. field; repeat split; lra.
Qed.

Definition check_value m unit rows x y v := check_row m unit rows x v && check_column m unit rows y v.

Theorem check_value_sound m unit rows x y v :
  check_value m unit rows x y v = true -> value (length rows) m (payoff unit rows) v.
Proof.
  intros H. apply andb_prop in H as [H1 H2].
  split; [eapply check_row_sound, H1|eapply check_column_sound, H2].
Qed.

(* why this is the value: nothing that is guaranteed is above what is conceded *)
Theorem guaranteed_at_most_conceded n m M v w : guarantees n m M v -> concedes n m M w -> (v <= w)%Q.
Proof.
  intros [x [Lx Hx]] [y [Ly Hy]].
  apply Qle_trans with (sum m (fun j => y j * sum n (fun i => x i * M i j)))%Q.
  - apply mean_ge; assumption.
  - rewrite (sum_ext m _ (fun j => sum n (fun i => x i * (y j * M i j)))%Q).
    + rewrite <- sum_swap. apply Qle_trans with (sum n (fun i => x i * sum m (fun j => y j * M i j)))%Q.
      * apply sum_le. intros i Hi. rewrite sum_scale. lra.
      * apply mean_le; assumption.
    + intros j Hj. rewrite <- sum_scale. apply sum_ext. intros i Hi. ring.
Qed.
