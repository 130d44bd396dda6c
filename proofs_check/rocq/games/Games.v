(* Matrix games: payoffs are integers over a common unit. *)
From Coq Require Import String ZArith QArith Lia Lqa Bool List.
From CCSim Require Import Definitions Sums Mixture Json Certificate.
Import ListNotations.
Local Open Scope Z_scope.

Definition payoff (unit : positive) (rows : list (list Z)) (i j : nat) : Q :=
  (inject_Z (nth j (nth i rows []) 0%Z) / inject_Z (Zpos unit))%Q.

Definition column (rows : list (list Z)) (j : nat) : list Z := map (fun r => nth j r 0) rows.

Definition check_row (m : nat) unit (rows : list (list Z)) (x : list Z) (v : Q) : bool :=
  is_law x && (length x =? length rows)%nat
  && least_is (map (fun j => dot x (column rows j)) (seq 0 m)) (total x * Zpos unit) v.
Definition check_column (m : nat) unit (rows : list (list Z)) (y : list Z) (v : Q) : bool :=
  is_law y && (length y =? m)%nat
  && forallb (fun r => length r =? m)%nat rows && largest_is (map (dot y) rows) (total y * Zpos unit) v.

Theorem check_row_sound m unit rows x v :
  check_row m unit rows x v = true -> guarantees (length rows) m (payoff unit rows) v.
Proof.
  unfold check_row. intros H. apply andb_prop in H as [H F]. apply andb_prop in H as [L E].
  apply Nat.eqb_eq in E. exists (share x). rewrite <- E.
  split; [apply share_law, L|]. intros j Hj.
  pose proof (total_pos x L) as P. pose proof (unit_pos unit) as U.
  assert (In j (seq 0 m)) as J by (apply in_seq; lia).
  pose proof (least_is_spec _ _ _ F _ (in_map (fun j => dot x (column rows j)) _ j J)) as G.
  eapply at_least_spec; [| |exact G].
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
  unfold check_column. intros H. apply andb_prop in H as [H F]. apply andb_prop in H as [H W].
  apply andb_prop in H as [L E]. apply Nat.eqb_eq in E. rewrite forallb_forall in W.
  exists (share y). rewrite <- E.
  split; [apply share_law, L|]. intros i Hi.
  specialize (W (nth i rows []) (nth_In _ _ Hi)). apply Nat.eqb_eq in W.
  pose proof (largest_is_spec _ _ _ F _ (in_map (dot y) _ _ (nth_In _ [] Hi))) as G. pose proof (total_pos y L) as P. pose proof (unit_pos unit) as U.
  eapply at_most_spec; [| |exact G].
  - apply Z.mul_pos_pos; [|lia]. apply andb_prop in L as [_ L]. apply Z.ltb_lt, L.
  - rewrite <- (mean_dot y (nth i rows []) L) by lia. rewrite inject_Z_mult.
    rewrite (sum_ext _ (fun j => share y j * payoff unit rows i j)%Q
      (fun j => / inject_Z (Zpos unit) * (share y j * inject_Z (nth j (nth i rows []) 0%Z)))%Q).
    + rewrite sum_scale. field; repeat split; lra.
    + intros j Hj. unfold payoff. field; repeat split; lra.
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

(* ---- certificates ---- *)

Record game := Game { columns : nat; unit : positive; payoffs : list (list Z) }.

Definition game_of (instance : json) (_ : list json) : option game :=
  match fields ["type"; "unit"; "payoff"]%string instance with
  | Some [t; u; p] =>
      let* u := positive_integer u in
      let* rows := list_of (list_of integer) p in
      let m := length (hd [] rows) in
      given (is_text "matrix game" t && negb (m =? 0)%nat && forallb (fun r => length r =? m)%nat rows)
            (Some (Game m u rows))
  | _ => None
  end.

Definition weights_of (data : json) : list Z :=
  match fields ["weights"%string] data with
  | Some [w] => match law_of w with Some w => w | None => [] end
  | _ => []
  end.
Definition row_strategy (g : game) v (name : string) (data : json) : bool :=
  String.eqb name "row_strategy"
  && check_row (columns g) (unit g) (payoffs g) (weights_of data) v.
Definition column_strategy (g : game) v (name : string) (data : json) : bool :=
  String.eqb name "column_strategy"
  && check_column (columns g) (unit g) (payoffs g) (weights_of data) v.

Definition matrix_game : kind.
Proof.
  refine {|
    title := "matrix_game"; parameters := [];
    ask := game_of; number := fraction;
    lower := row_strategy; upper := column_strategy;
    lower_means g v := guarantees (length (payoffs g)) (columns g) (payoff (unit g) (payoffs g)) v;
    upper_means g v := concedes (length (payoffs g)) (columns g) (payoff (unit g) (payoffs g)) v
  |}.
  - intros g v name data H. apply andb_prop in H as [_ H]. apply check_row_sound in H. exact H.
  - intros g v name data H. apply andb_prop in H as [_ H]. apply check_column_sound in H. exact H.
Defined.
