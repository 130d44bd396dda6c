(* Proofs by partitions, as certificates hold them: symmetries, labels, and perhaps a cheapest partition. *)
From Coq Require Import String List NArith ZArith Lia Bool FMapPositive.
From CCSim Require Import Definitions OneWay Distributions Answers Classes Growing Partitions Completion Json.
Import ListNotations.
Local Open Scope Z_scope.

(* entries go to equal ones, or to opposite ones in the columns that are flipped *)
Definition moves_table n m (F : list (list (option bool))) (r c : list nat) (f : list bool) : bool :=
  forallb (fun x => let ours := nth x F [] in let theirs := nth (nth x r O) F [] in
    forallb (fun y => same_value (nth (nth y c O) theirs None)
      (if nth y f false then option_map negb (nth y ours None) else nth y ours None)) (seq 0 m)) (seq 0 n).

Fixpoint place (x : nat) (l : list nat) : option nat :=
  match l with [] => None | y :: l' => if (x =? y)%nat then Some O else option_map S (place x l') end.
Definition places (l image : list nat) : option (list nat) := each (fun x => place (nth x image O) l) l.

(* a symmetry of the table, on the rows and columns that have weight *)
Definition symmetry_of n m F xs ys (j : json) : option (list nat * list nat * list bool) :=
  match fields ["rows"; "columns"; "flips"]%string j with
  | Some [r; c; f] =>
      let* r := list_of (index n) r in
      let* c := list_of (index m) c in
      let* f := row m f in
      given (permutation n r && permutation m c && moves_table n m F r c f)
        (let* g := places xs r in
         let* tau := places ys c in
         Some (g, tau, map (fun y => nth y f false) ys))
  | _ => None
  end.

Definition steps : Z := 2 ^ 28.
Definition max_rows : nat := 64.
Definition max_sums : nat := 1024.

Definition partitions_bound n m F xs ys (rows : list (list Z)) (k : nat) (data : json) : option Z :=
  match fields ["symmetries"; "labels"; "partition"]%string data with
  | Some [s; t; p] =>
      let w := length ys in
      let h := length rows in
      let* syms := list_of (symmetry_of n m F xs ys) s in
      let* labels := list_of integer t in
      let* given_parts := optional (list_of (index k)) p in
      given (wide w rows && (h <=? max_rows)%nat && (length labels =? h)%nat
             && match given_parts with Some l => (length l =? h)%nat | None => true end
             && forallb (fun g => let '(g, tau, flips) := g in
                  permutation h g && permutation w tau && symmetric_rows w rows labels g tau flips) syms)
        (let gens := map (fun g => fst (fst g)) syms in
         let moves := moves_of h gens in
         let* l := found_classes w rows labels moves steps in
         let L := least_costs l in
         let sums := PositiveMap.cardinal L in
         match k with
         | O => None
         | S k' =>
             given ((sums <=? max_sums)%nat && (Z.of_nat k' * 2 * Z.of_nat sums * Z.of_nat sums <=? steps))
               (match given_parts with
                | None => at_label (hd L (joins L k')) (label_of rows labels (everything rows))
                | Some parts => completed w rows labels gens l L k' parts steps
                end)
         end)
  | _ => None
  end.

Theorem partitions_sound n m F xs ys rows k data B : partitions_bound n m F xs ys rows k data = Some B -> forced rows
  k B.
Proof.
  unfold partitions_bound. intros H. destruct (fields _ data) as [[|s [|t [|p [|]]]]|]; try discriminate.
  destruct (list_of (symmetry_of n m F xs ys) s) as [syms|]; [|discriminate].
  destruct (list_of integer t) as [labels|]; [|discriminate].
  destruct (optional (list_of (index k)) p) as [gp|]; [|discriminate].
  unfold given in H at 1. set (w := length ys) in *.
  match type of H with (if ?t then _ else _) = _ => destruct t eqn:C; [|discriminate] end.
  apply andb_prop in C as [C Y]. apply andb_prop in C as [C _]. apply andb_prop in C as [C _]. apply andb_prop in C
    as [W _].
  set (gens := map (fun g => fst (fst g)) syms) in *.
  destruct (found_classes w rows labels (moves_of (length rows) gens) steps) as [l|] eqn:G; [|discriminate].
  destruct k as [|k']; [discriminate|]. unfold given in H.
  match type of H with (if ?t then _ else _) = _ => destruct t; [|discriminate] end.
  assert (forall gen, In gen gens -> keeps w rows labels (fun i => nth i gen O) /\ length gen = length rows) as K.
  { intros gen I. unfold gens in I. apply in_map_iff in I as [[[g tau] flips] [<- I]]. rewrite forallb_forall in Y.
    specialize (Y _ I). cbv beta in Y. apply andb_prop in Y as [Y Y3]. apply andb_prop in Y as [Y1 Y2]. cbn [fst].
    split; [exact (symmetric_keeps w rows labels g tau flips W Y1 Y2 Y3)|].
    unfold permutation in Y1. apply andb_prop in Y1 as [Y1 _]. apply andb_prop in Y1 as [Y1 _]. apply Nat.eqb_eq, Y1. }
  assert (forall g, In g (moves_of (length rows) gens) -> is_product (length rows) gens g) as M by (intros g I; apply
    moves_spec, I).
  destruct gp as [parts|].
  - exact (completed_sound w rows labels W gens (moves_of (length rows) gens) steps l M K G k' parts steps B H).
  - apply (joined_forced w rows labels (least_costs l) k' B W); [|exact H].
    exact (found_reaches w rows labels gens (moves_of (length rows) gens) steps l W M (fun gen I => proj1 (K gen I)) G).
Qed.
