(* What protocols without public coins cannot do: the forms of proof. *)
From Coq Require Import String ZArith QArith Bool List.
From CCSim Require Import Definitions OneWay Json Cases Orders Radon.
Import ListNotations.
Local Open Scope Q_scope.

Definition is_deterministic (w : coins) : bool := match w with Deterministic => true | _ => false end.
Definition is_public (w : coins) : bool := match w with Public => true | _ => false end.

(* the error that a form of proof forces: rows, columns, the table, messages, coins, form, data *)
Definition private_lower (n m : nat) (F : list (list (option bool))) (k : N) (w : coins)
  (name : string) (data : json) : option Q :=
  if negb (length F =? n)%nat || (n =? 0)%nat then None
  else if String.eqb name "conflicts" then
    match fields ["nodes"]%string data with
    | Some [nodes] => let* nodes := list_of (index n) nodes in
                      given (is_deterministic w && check_conflicts F k m nodes) (Some 1)
    | _ => None
    end
  else if String.eqb name "unsorted" then
    match fields ["inputs"]%string data with
    | Some [inputs] => let* inputs := list_of (index n) inputs in
                       given (negb (is_public w) && check_unsorted m F k inputs) (Some (1 # 2))
    | _ => None
    end
  else if String.eqb name "radon" then
    match fields ["inputs"; "separations"]%string data with
    | Some [inputs; separations] =>
        let* inputs := list_of (index n) inputs in
        let* separations := list_of (list_of integer) separations in
        if is_public w then None else radon_bound m F k inputs separations
    | _ => None
    end
  else None.

Theorem private_lower_sound n m F k w name data v : private_lower n m F k w name data = Some v ->
  forall e, reached w n m (of_table F) (N.to_nat k) e -> v <= e.
Proof.
  unfold private_lower. intros H e R.
  destruct (length F =? n)%nat eqn:L; [|discriminate H]. apply Nat.eqb_eq in L. subst n.
  destruct (length F =? 0)%nat eqn:Z; [discriminate H|]. apply Nat.eqb_neq in Z. cbn [negb orb] in H.
  assert (0 < length F)%nat as N by (apply Nat.neq_0_lt_0, Z).
  destruct (String.eqb name "conflicts");
    [|destruct (String.eqb name "unsorted"); [|destruct (String.eqb name "radon")]].
  - destruct (fields _ data) as [[|nodes [|]]|]; try discriminate H.
    destruct (list_of _ nodes) as [nodes'|]; [|discriminate H].
    unfold given in H. destruct (is_deterministic w && check_conflicts F k m nodes') eqn:C; [|discriminate H].
    injection H as <-. apply andb_prop in C as [W C]. destruct w; try discriminate W.
    exact (check_conflicts_sound m F k nodes' e N C R).
  - destruct (fields _ data) as [[|inputs [|]]|]; try discriminate H.
    destruct (list_of _ inputs) as [inputs'|]; [|discriminate H].
    unfold given in H. destruct (negb (is_public w) && check_unsorted m F k inputs') eqn:C; [|discriminate H].
    injection H as <-. apply andb_prop in C as [W C].
    apply (check_unsorted_sound w m F k inputs' e); [|exact C|exact R]. intros ->. discriminate W.
  - destruct (fields _ data) as [[|inputs [|separations [|]]]|]; try discriminate H.
    destruct (list_of _ inputs) as [inputs'|]; [|discriminate H].
    destruct (list_of _ separations) as [separations'|]; [|discriminate H].
    destruct (is_public w) eqn:W; [discriminate H|].
    apply (radon_bound_sound w m F k inputs' separations' v e); [|exact H|exact R]. intros ->. discriminate W.
  - discriminate H.
Qed.
