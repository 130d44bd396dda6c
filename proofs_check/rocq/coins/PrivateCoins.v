(* What protocols without public coins cannot do: the forms of proof. *)
From Coq Require Import String ZArith QArith Bool List.
From CCSim Require Import Definitions OneWay Json Cases Orders Radon Boxes Relations Dependencies SymmetricProtocols
  LawTrees.
Import ListNotations.
Local Open Scope Q_scope.

Definition is_deterministic (w : coins) : bool := match w with Deterministic => true | _ => false end.
Definition is_public (w : coins) : bool := match w with Public => true | _ => false end.

Definition leaf_cell_of (n m : nat) (j : json) : option leaf_cell :=
  match j with
  | Array [Array [x; y]; w; s] =>
      let* x := index n x in
      let* y := index m y in
      let* w := at_least_integer 0 w in
      let* s := list_of (fun j => match j with
                                  | Number z => given ((0 <=? z)%Z && (z <=? w)%Z) (Some z)
                                  | _ => None
                                  end) s in
      Some (LeafCell x y w s)
  | _ => None
  end.
Definition box_node_of (n m k : nat) (j : json) : option box_node :=
  match j with
  | Array [i; t; c] => let* i := index (n + m * k) i in
                       let* t := index (Nat.max k 2) t in
                       let* c := at_least_integer 0 c in
                       Some (Cut i t c)
  | _ => match fields ["weights"]%string j with
         | Some [w] => let* cells := list_of (leaf_cell_of n m) w in Some (Leaf cells)
         | _ => None
         end
  end.
Definition box_limit : N := 4194304.                       (* entries of laws that are listed *)

Definition message_limit : N := 4096.                      (* of messages, where they are listed *)

(* relations between so many dependencies *)
Definition relation_in (n m number : nat) (j : json) : option relation_of :=
  match j with
  | Array [y; w; ds; xs] =>
      let* y := index m y in
      let* w := integer w in
      let* ds := list_of (index number) ds in
      let* xs := list_of (index n) xs in
      Some (Relation y w ds xs)
  | _ => None
  end.
Definition relations_in (n m number : nat) (j : json) : option (list relation_of) :=
  match fields ["relations"]%string j with Some [l] => list_of (relation_in n m number) l | _ => None end.
Definition dependency_node_of (n m k number : nat) (j : json) : option dependency_node :=
  match j with
  | Array [i; s; t] => let* i := index (2 * number) i in
                       let* s := index (S k) s in
                       let* t := index (S k) t in
                       Some (Halve i s t)
  | _ => match fields ["inputs"]%string j with
         | Some [l] => let* inputs := list_of (index n) l in Some (Depend inputs)
         | _ => let* rs := relations_in n m number j in Some (Relate rs)
         end
  end.
(* so many inputs whose laws are cut *)
Definition law_node_of (n m k inputs : nat) (j : json) : option law_node :=
  match j with
  | Null => Some Begin
  | Array [i; s; t] => let* i := index inputs i in
                       let* s := index k s in
                       let* t := index k t in
                       Some (HalveLaw i s t)
  | Array [q; c] => let* q := index (inputs + m * k) q in
                    let* c := integer c in
                    given (inputs <=? q)%nat (Some (CutAnswer (q - inputs) c))
  | _ => match fields ["weights"]%string j with
         | Some [w] => let* w := list_of (at_least_integer 0) w in Some (WeighInputs w)
         | _ => let* rs := relations_in (n + k) m inputs j in Some (RelateLaws rs)
         end
  end.

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
  else if String.eqb name "boxes" then
    match fields ["unit"; "ordered"; "nodes"]%string data with
    | Some [unit; ordered; nodes] =>
        let* unit := positive_integer unit in
        let* ordered := index n ordered in
        if is_public w || (box_limit <? k * N.of_nat (m + n))%N then None
        else let* nodes := list_of (box_node_of n m (N.to_nat k)) nodes in
             boxes_bound n m (N.to_nat k) (of_table F) unit ordered nodes
    | _ => None
    end
  else if String.eqb name "dependencies" then
    match fields ["unit"; "nodes"]%string data with
    | Some [unit; Array nodes] =>
        let* unit := positive_integer unit in
        if is_public w || (message_limit <? k)%N then None
        else let* nodes := each (dependency_node_of n m (N.to_nat k) (length nodes)) nodes in
             dependencies_bound n m (N.to_nat k) (of_table F) unit nodes
    | _ => None
    end
  else if String.eqb name "simplices" then
    match fields ["unit"; "inputs"; "symmetries"; "nodes"]%string data with
    | Some [unit; inputs; moves; nodes] =>
        let* unit := positive_integer unit in
        let* inputs := list_of (index n) inputs in
        let* moves := list_of (symmetry_in n m) moves in
        if is_public w || (message_limit <? k)%N then None
        else let* nodes := list_of (law_node_of n m (N.to_nat k) (length inputs)) nodes in
             simplices_bound n m F (N.to_nat k) unit inputs moves nodes
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
    [|destruct (String.eqb name "unsorted"); [|destruct (String.eqb name "radon");
      [|destruct (String.eqb name "boxes");
        [|destruct (String.eqb name "dependencies"); [|destruct (String.eqb name "simplices")]]]]].
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
  - destruct (fields _ data) as [[|unit [|ordered [|nodes [|]]]]|]; try discriminate H.
    destruct (positive_integer unit) as [unit'|]; [|discriminate H].
    destruct (index _ ordered) as [ordered'|]; [|discriminate H].
    destruct (is_public w) eqn:W; [discriminate H|]. cbn [orb] in H.
    destruct (box_limit <? _)%N; [discriminate H|].
    destruct (list_of _ nodes) as [nodes'|]; [|discriminate H].
    apply (boxes_bound_sound w (length F) m (N.to_nat k) (of_table F) unit' ordered' nodes' v e); [|exact H|exact R].
    intros ->. discriminate W.
  - destruct (fields _ data) as [[|unit [|[| | | |nodes|] [|]]]|]; try discriminate H.
    destruct (positive_integer unit) as [unit'|]; [|discriminate H].
    destruct (is_public w) eqn:W; [discriminate H|]. cbn [orb] in H.
    destruct (message_limit <? _)%N; [discriminate H|].
    destruct (each _ nodes) as [nodes'|]; [|discriminate H].
    apply (dependencies_bound_sound w (length F) m (N.to_nat k) (of_table F) unit' nodes' v e); [|exact H|exact R].
    intros ->. discriminate W.
  - destruct (fields _ data) as [[|unit [|inputs [|moves [|nodes [|]]]]]|]; try discriminate H.
    destruct (positive_integer unit) as [unit'|]; [|discriminate H].
    destruct (list_of _ inputs) as [inputs'|]; [|discriminate H].
    destruct (list_of _ moves) as [moves'|]; [|discriminate H].
    destruct (is_public w) eqn:W; [discriminate H|]. cbn [orb] in H.
    destruct (message_limit <? _)%N; [discriminate H|].
    destruct (list_of _ nodes) as [nodes'|]; [|discriminate H].
    apply (simplices_bound_sound (length F) m F (N.to_nat k) unit' inputs' moves' w nodes' v e); [|exact H|exact R].
    intros ->. discriminate W.
  - discriminate H.
Qed.
