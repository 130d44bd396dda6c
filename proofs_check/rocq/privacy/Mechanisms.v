(* Certificates of the privacy of a mechanism, whose weights are integers or polynomials at t. *)
From Coq Require Import String List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Mixture Json Certificate Databases Privacy Near Powers Enclosures PowerLaws PowerEvents.
From CCSim Require Subsets.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- laws in powers of t ---- *)

Definition enclose (t : irrational) (bits : nat) : option enclosure :=
  match t with Exponential r => enclose_exponential r bits | Root r c => enclose_root r c bits end.
Lemma enclose_sound t bits u : enclose t bits = Some u -> valid u /\ target u = t.
Proof.
  destruct t as [r|r c]; [apply enclose_exponential_sound|apply enclose_root_sound].
Qed.

Definition ratio : Type := list Z * list Z.
Inductive asked_at := Delta_at (factor : ratio) | Factor_at (delta : ratio).

Fixpoint same_weights (p q : list (list Z)) : bool :=
  match p, q with
  | [], [] => true
  | a :: p', b :: q' => same_law a b && same_weights p' q'
  | _, _ => false
  end.
Lemma same_weights_spec : forall p q, same_weights p q = true -> p = q.
Proof.
  induction p as [|a p IH]; intros [|b q] H; try discriminate; [reflexivity|].
  cbn [same_weights] in H. apply andb_prop in H as [A H]. rewrite (same_law_spec _ _ A), (IH q H). reflexivity.
Qed.

Section at_t.
Variables (u : enclosure) (outcomes : nat) (which : databases) (laws : list (list (list Z))).

Definition is_one (v : ratio) : bool := is_zero u (subtract (known u (fst v)) (known u (snd v))).
Definition is_factor (v : ratio) : bool :=
  is_ratio u (fst v) (snd v) && is_nonnegative u (subtract (known u (fst v)) (known u (snd v))).

Definition check_event_at (a : asked_at) (v : option ratio) i j event : bool :=
  let p := prepare u (nth i laws []) in let q := prepare u (nth j laws []) in
  is_pair u outcomes laws i j
  && (are_neighbours which i j || (i =? j)%nat)
  && match a, v with
     | Delta_at f, Some v =>
         is_factor f && is_ratio u (fst v) (snd v)
         && is_zero u (difference u p q event (fst f) (snd f) (fst v) (snd v))
         && (are_neighbours which i j || is_zero u (known u (fst v)))
     | Delta_at _, None => false
     | Factor_at d, Some v =>
         is_ratio u (fst d) (snd d) && is_factor v
         && (is_one v
             || (0 <? low (surplus u p event (fst d) (snd d)))
                && is_zero u (difference u p q event (fst v) (snd v) (fst d) (snd d)) && are_neighbours which i j)
     | Factor_at d, None =>
         is_ratio u (fst d) (snd d) && (0 <? low (surplus u p event (fst d) (snd d)))
         && is_zero u (gathered event (weights q)) && are_neighbours which i j
     end.

Definition check_all_at (factor delta : ratio) : bool :=
  is_factor factor && is_ratio u (fst delta) (snd delta)
  && compare same_weights (fun p q => check_powers u outcomes (fst factor) (snd factor) (fst delta) (snd delta)
                                                   (prepare u p) (prepare u q)) which laws.
Definition check_neighbours_at (a : asked_at) (v : option ratio) : bool :=
  match a, v with
  | Delta_at f, Some v => check_all_at f v
  | Factor_at d, Some v => check_all_at v d
  | Delta_at f, None => is_factor f
  | _, None => true
  end.
End at_t.

Definition value_of (v : ratio) : Q -> Q := quotient (fst v) (snd v).
Definition lower_bound_at t outcomes which laws (a : asked_at) (v : option ratio) : Prop :=
  match a, v with
  | Delta_at f, Some v =>
      delta_at_least_at t (neighbours which) outcomes (law_at_place laws) (value_of f) (value_of v)
  | Delta_at f, None => False
  | Factor_at d, Some v =>
      factor_at_least_at t (neighbours which) outcomes (law_at_place laws) (value_of d) (value_of v)
  | Factor_at d, None => no_factor_at t (neighbours which) outcomes (law_at_place laws) (value_of d)
  end.
Definition upper_bound_at t outcomes which laws (a : asked_at) (v : option ratio) : Prop :=
  match a, v with
  | Delta_at f, Some v => private_at t (neighbours which) outcomes (law_at_place laws) (value_of f) (value_of v)
  | Factor_at d, Some v => private_at t (neighbours which) outcomes (law_at_place laws) (value_of v) (value_of d)
  | _, None => True
  end.

Theorem check_event_at_sound u outcomes which laws a v i j event : valid u ->
  check_event_at u outcomes which laws a v i j event = true ->
  lower_bound_at (target u) outcomes which laws a v.
Proof.
  intros U H. unfold check_event_at in H. apply andb_prop in H as [H C]. apply andb_prop in H as [P _].
  destruct a as [f|d], v as [v|]; try discriminate; unfold lower_bound_at, value_of.
  - apply andb_prop in C as [C N]. apply andb_prop in C as [C A]. apply andb_prop in C as [F V].
    apply andb_prop in F as [F _]. apply orb_prop in N as [N|N].
    + exact (delta_sound u U outcomes which laws _ _ _ _ i j event F V P N A).
    + exact (delta_trivial u U outcomes which laws _ _ _ _ V N).
  - apply andb_prop in C as [C A]. apply andb_prop in C as [D F]. apply andb_prop in F as [F _].
    apply orb_prop in A as [A|A]; [exact (factor_trivial u U outcomes which laws _ _ _ F A)|].
    apply andb_prop in A as [A N]. apply andb_prop in A as [L A]. apply Z.ltb_lt in L.
    exact (factor_sound u U outcomes which laws _ _ _ _ i j event D F P N L A).
  - apply andb_prop in C as [C N]. apply andb_prop in C as [C A]. apply andb_prop in C as [D L].
    apply Z.ltb_lt in L. exact (no_factor_sound u U outcomes which laws _ _ i j event D P N L A).
Qed.

Theorem check_all_at_sound u outcomes which laws factor delta : valid u ->
  check_all_at u outcomes which laws factor delta = true ->
  private_at (target u) (neighbours which) outcomes (law_at_place laws) (value_of factor) (value_of delta).
Proof.
  intros U H. apply andb_prop in H as [H C]. apply andb_prop in H as [F D]. apply andb_prop in F as [F _].
  intros i j event N. destruct (compare_sound _ _ same_weights_spec _ _ C i j N) as [p [q [P [Q' K]]]].
  unfold law_at_place. rewrite (nth_of_error _ _ _ [] P), (nth_of_error _ _ _ [] Q').
  exact (check_powers_sound u U outcomes _ _ _ _ p q F D K event).
Qed.

Theorem check_neighbours_at_sound u outcomes which laws a v : valid u ->
  check_neighbours_at u outcomes which laws a v = true -> upper_bound_at (target u) outcomes which laws a v.
Proof.
  intros U. destruct a as [f|d], v as [v|]; try exact (fun _ => I); apply check_all_at_sound, U.
Qed.

(* ---- reading ---- *)

Local Open Scope string_scope.
Local Open Scope Z_scope.

Definition truth (j : json) : option bool := match j with Truth b => Some b | _ => None end.
Definition pair_of {A B} (first : json -> option A) (second : json -> option B) (j : json) : option (A * B) :=
  match j with
  | Array [a; b] => let* a := first a in let* b := second b in Some (a, b)
  | _ => None
  end.
Definition small (z : Z) (n : nat) : bool := z <=? Z.of_nat n.

(* how many databases there are, to be known before they are listed *)
Definition how_many (records m : nat) : Z := Z.of_nat records ^ Z.of_nat m.
Definition how_many_multisets (records m : nat) : Z :=
  fold_left (fun c i => c * Z.of_nat (records + i) / Z.of_nat (S i)) (seq 0 m) 1.

Definition how_many_of_sizes (symmetric : bool) (records least most : nat) : Z :=
  fold_left (fun c k => c + (if symmetric then how_many_multisets else how_many) records k) (seq least (S most - least)) 0.

Definition change_of (j : json) : option change :=
  if is_text "replace one" j then Some Replace_one
  else if is_text "add or remove one" j then Some Add_or_remove_one
  else if is_text "replace key" j then Some Replace_key
  else if is_text "remove key" j then Some Remove_key
  else None.

Definition databases_of (count : nat) (type : string) (own : list json) : option databases :=
  match own with
  | [records; size; symmetric; public; groups] =>
      let* n := given (String.eqb type "mechanism") (labels records) in
      let* z := at_least_integer 1 size in
      let* s := truth symmetric in
      let* m := given ((2 <=? n)%nat && small z count) (Some (Z.to_nat z)) in
      let* p := index (if s then 1 else m)%nat public in
      let* g := optional (list_of (index n)) groups in
      given (match g with Some g => (length g =? n)%nat | None => true end)
        (if s then given (how_many_multisets n m =? Z.of_nat count) (Some (Multisets n m g))
         else given (how_many n m =? Z.of_nat count) (Some (Sequences n m p g)))
  | [records; least; most; how; symmetric; groups] =>
      let* n := given (String.eqb type "mechanism of sizes") (labels records) in
      let* z := at_least_integer 1 most in
      let* l := at_least_integer 0 least in
      let* m := given ((1 <=? n)%nat && (l <=? z) && small (z - l + 1) count) (Some (Z.to_nat z)) in
      let a := Z.to_nat l in
      let* c := change_of how in
      let* s := truth symmetric in
      let* g := optional (list_of (index n)) groups in
      given (match g, c with
             | Some _, Add_or_remove_one => false
             | Some g, _ => (length g =? n)%nat
             | None, _ => true
             end)
        (given (how_many_of_sizes s n a m =? Z.of_nat count) (Some (Sizes s n a m c g)))
  | [qualities; unit; growth; listed_pairs] =>
      let* l := given (String.eqb type "mechanism of qualities") (list_of (list_of integer) qualities) in
      let* u := positive_integer unit in
      let* k := optional (at_least_integer 1) growth in
      let k := match k with Some k => Some (Z.to_nat k) | None => None end in
      let* chosen := optional (list_of (pair_of (index count) (index count))) listed_pairs in
      let width := length (hd [] l) in
      given ((length l =? count)%nat && (1 <=? width)%nat && forallb (fun q => length q =? width)%nat l)
        match chosen with
        | None => Some (Qualities u k l)
        | Some c => given (forallb (fun p => negb (same_law (nth (fst p) l []) (nth (snd p) l []))
                                     && is_close (Zpos u) k (nth (fst p) l []) (nth (snd p) l [])) c)
                          (Some (Pairs c))
        end
  | [pairs] =>
      let* c := given (String.eqb type "mechanism on pairs") (list_of (pair_of (index count) (index count)) pairs) in
      Some (Pairs c)
  | _ => None
  end.

Definition mechanism_fields (instance : json) : option (string * json * json * json * list json) :=
  let common := ["type"; "name"; "outcomes"; "t"; "laws"] in
  let read own := match fields (common ++ own)%list instance with
                  | Some (Text type :: Text _ :: outcomes :: t :: laws :: rest) => Some (type, outcomes, t, laws, rest)
                  | _ => None
                  end in
  match read ["records"; "size"; "symmetric"; "public"; "groups"] with
  | Some r => Some r
  | None => match read ["records"; "least"; "most"; "change"; "symmetric"; "groups"] with
            | Some r => Some r
            | None => match read ["qualities"; "unit"; "growth"; "pairs"] with
                      | Some r => Some r
                      | None => read ["pairs"]
                      end
            end
  end.

Definition polynomial_of (j : json) : option (list Z) :=
  match j with Array l => each integer l | _ => let* z := integer j in Some [z] end.
(* a fraction of at least 0, or a quotient *)
Definition ratio_of (j : json) : option ratio :=
  match fields ["over"; "under"] j with
  | Some [a; b] => let* a := polynomial_of a in let* b := polynomial_of b in Some (a, b)
  | _ => let* q := fraction j in given (Qle_bool 0 q) (Some ([Qnum q], [QDen q]))
  end.
Definition ratio_or_infinity (j : json) : option (option ratio) :=
  if is_text "infinity" j then Some None else let* v := ratio_of j in Some (Some v).

(* without powers a polynomial has no coefficient but the constant one *)
Definition constant (p : list Z) : option Z := match p with [] => Some 0 | [a] => Some a | _ => None end.
Definition rational_of (v : ratio) : option Q :=
  match constant (fst v), constant (snd v) with
  | Some a, Some (Zpos b) => if 0 <=? a then Some (a # b) else None
  | _, _ => None
  end.
Definition rational_law (width : nat) (j : json) : option (list Z) :=
  let* p := list_of (fun w => let* w := polynomial_of w in constant w) j in
  given (is_law p && (length p =? width)%nat) (Some p).

Definition irrational_of (j : json) : option (irrational * nat) :=
  match fields ["root"; "base"; "bits"] j with
  | Some [r; c; b] =>
      let* r := positive_integer r in
      let* b := count b in
      match c with
      | Null => Some (Exponential r, b)
      | _ => let* c := fraction c in given (0 <? Qnum c) (Some (Root (Pos.to_nat r) c, b))
      end
  | _ => None
  end.

Inductive weighted :=
| Rational (laws : list (list Z)) (least : asked)
| In_powers (t : irrational) (bits : nat) (laws : list (list (list Z))) (least : asked_at).
Record audited := Audited { outcomes : nat; which : databases; laws : weighted }.

Definition asked_of (factor delta : json) : option asked :=
  match factor, delta with
  | Null, d => let* d := ratio_of d in let* d := rational_of d in Some (Factor_for d)
  | f, Null => let* f := ratio_of f in let* f := rational_of f in given (Qle_bool 1 f) (Some (Delta_for f))
  | _, _ => None
  end.
Definition asked_at_of (factor delta : json) : option asked_at :=
  match factor, delta with
  | Null, d => let* d := ratio_of d in Some (Factor_at d)
  | f, Null => let* f := ratio_of f in Some (Delta_at f)
  | _, _ => None
  end.
Definition mechanism_of (instance : json) (parameters : list json) : option audited :=
  match mechanism_fields instance, parameters with
  | Some (type, o, t, l, own), [factor; delta] =>
      let* k := labels o in
      let* raw := entries l in
      let* w := databases_of (length raw) type own in
      match t with
      | Null => let* l := each (rational_law k) raw in
                let* a := asked_of factor delta in
                Some (Audited k w (Rational l a))
      | _ => let* (t, b) := irrational_of t in
             let* l := each (list_of polynomial_of) raw in
             let* a := asked_at_of factor delta in
             given (forallb (fun p => length p =? k)%nat l) (Some (Audited k w (In_powers t b l a)))
      end
  | _, _ => None
  end.

(* ---- the kind ---- *)

Definition rational_bound (v : option ratio) : option (option Q) :=
  match v with
  | None => Some None
  | Some v => match rational_of v with Some v => Some (Some v) | None => None end
  end.
Definition same_ratio (v w : option ratio) : bool :=
  match v, w with
  | Some v, Some w => same_law (fst v) (fst w) && same_law (snd v) (snd w)
  | None, None => true
  | _, _ => false
  end.
Definition same_bound (v : option ratio) (j : json) : bool :=
  match ratio_or_infinity j with Some w => same_ratio v w | None => false end.
Definition how_many_laws (w : weighted) : nat :=
  match w with Rational l _ => length l | In_powers _ _ l _ => length l end.

Definition event_holds (g : audited) (v : option ratio) i j event : bool :=
  match laws g with
  | Rational l a =>
      match rational_bound v with
      | Some v => check_event (outcomes g) (which g) l a v i j event
      | None => false
      end
  | In_powers t b l a =>
      match enclose t b with
      | Some u => forallb (fun p => is_good (outcomes g) (prepare u p)) l
                  && check_event_at u (outcomes g) (which g) l a v i j (holds event)
      | None => false
      end
  end.
Definition neighbours_hold (g : audited) (v : option ratio) : bool :=
  match laws g with
  | Rational l a =>
      match rational_bound v with Some v => check_neighbours (outcomes g) (which g) l a v | None => false end
  | In_powers t b l a =>
      match enclose t b with
      | Some u => forallb (fun p => is_good (outcomes g) (prepare u p)) l
                  && check_neighbours_at u (outcomes g) (which g) l a v
      | None => false
      end
  end.
Definition at_least_bound (g : audited) (v : option ratio) : Prop :=
  match laws g with
  | Rational l a => match rational_bound v with Some v => lower_bound (outcomes g) (which g) l a v | None => False end
  | In_powers t _ l a => lower_bound_at t (outcomes g) (which g) l a v
  end.
Definition at_most_bound (g : audited) (v : option ratio) : Prop :=
  match laws g with
  | Rational l a => match rational_bound v with Some v => upper_bound (outcomes g) (which g) l a v | None => False end
  | In_powers t _ l a => upper_bound_at t (outcomes g) (which g) l a v
  end.

Theorem event_holds_sound g v i j event : event_holds g v i j event = true -> at_least_bound g v.
Proof.
  unfold event_holds, at_least_bound. destruct (laws g) as [l a|t b l a].
  - destruct (rational_bound v); [|discriminate]. apply check_event_sound.
  - destruct (enclose t b) as [u|] eqn:E; [|discriminate]. apply enclose_sound in E as [U <-].
    intros H. apply andb_prop in H as [_ H]. exact (check_event_at_sound u _ _ _ _ _ _ _ _ U H).
Qed.
Theorem neighbours_hold_sound g v : neighbours_hold g v = true -> at_most_bound g v.
Proof.
  unfold neighbours_hold, at_most_bound. destruct (laws g) as [l a|t b l a].
  - destruct (rational_bound v); [|discriminate]. apply check_neighbours_sound.
  - destruct (enclose t b) as [u|] eqn:E; [|discriminate]. apply enclose_sound in E as [U <-].
    intros H. apply andb_prop in H as [_ H]. exact (check_neighbours_at_sound u _ _ _ _ _ U H).
Qed.

Definition event_proves (g : audited) v (name : string) (data : json) : bool :=
  String.eqb name "event"
  && match fields ["database"; "neighbour"; "outcomes"; "bound"] data with
     | Some [i; j; e; b] =>
         let n := how_many_laws (laws g) in
         match index n i, index n j, list_of (index (outcomes g)) e with
         | Some i, Some j, Some e => Subsets.no_repeats e && same_bound v b && event_holds g v i j e
         | _, _, _ => false
         end
     | _ => false
     end.
Definition neighbours_prove (g : audited) v (name : string) (data : json) : bool :=
  String.eqb name "all_neighbours"
  && match fields ["bound"] data with Some [b] => same_bound v b | _ => false end
  && neighbours_hold g v.

Definition privacy : kind.
Proof.
  refine {|
    title := "privacy"; parameters := ["factor"; "delta"];
    ask := mechanism_of; number := ratio_or_infinity;
    lower := event_proves; upper := neighbours_prove;
    lower_means := at_least_bound; upper_means := at_most_bound
  |}.
  - intros g v name data H. unfold event_proves in H. apply andb_prop in H as [_ H]. cbv zeta in H.
    repeat match type of H with
    | match ?x with _ => _ end = true => destruct x; try discriminate H
    end.
    apply andb_prop in H as [_ H]. exact (event_holds_sound _ _ _ _ _ H).
  - intros g v name data H. apply andb_prop in H as [_ H]. exact (neighbours_hold_sound _ _ H).
Defined.
