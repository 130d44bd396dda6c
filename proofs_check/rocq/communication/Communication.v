(* Certificates on one-way protocols: their errors, least errors, and how many messages are needed. *)
From Coq Require Import String List NArith ZArith QArith Qround Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture OneWay Distributions Answers Joins ChoiceCases Squares ClassSizes Protocols ProtocolErrors
  Complexity PartitionBounds SymmetricProtocols PrivateCoins Json Certificate.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- what is read ---- *)

Definition coins_named (j : json) : option coins :=
  if is_text "public" j then Some Public else if is_text "private" j then Some Private
  else if is_text "deterministic" j then Some Deterministic else None.
(* some entry must lie inside the promise *)
Definition problem_in (instance : json) : option (nat * nat * promise_rows) :=
  let* p := problem_of instance in
  given (existsb (existsb (fun v => match v with Some _ => true | None => false end)) (snd p)) (Some p).
Definition cell n m (F : promise_rows) (x y : json) : option (nat * nat) :=
  let* x := index n x in
  let* y := index m y in
  match of_table F x y with Some _ => Some (x, y) | None => None end.
Definition cells_of n m F (j : json) : option weights :=
  list_of (fun c => match c with
    | Array [x; y; w] => let* c := cell n m F x y in let* w := at_least_integer 1 w in Some (c, w)
    | _ => None
    end) j.
Definition check_cells n m F (cells : weights) : bool :=
  forallb (fun c => let '(x, y, w) := c in
    (x <? n)%nat && (y <? m)%nat && (0 <? w) && match of_table F x y with Some _ => true | None => false end) cells
  && negb (length cells =? 0)%nat.
(* components, and the symmetries one of which is played before *)
Definition tables_in n m (j : json) : option (list component * list symmetry) :=
  match fields ["components"; "symmetries"]%string j with
  | Some [c; s] =>
      let* parts := list_of (component_of m) c in
      let* moves := list_of (symmetry_in n m) s in
      Some (parts, moves)
  | _ => None
  end.
Definition errors_after n m F parts moves : option (list (list Q)) :=
  given (check_parts n m parts) (errors_with n m F moves (errors n m F parts)).
(* messages, coins, and the errors on all inputs *)
Definition protocol_in n m F (j : json) : option (nat * coins * list (list Q)) :=
  let* t := tables_in n m j in
  let* E := errors_after n m F (fst t) (snd t) in
  Some (messages (fst t), coins_with (snd t) (coins_of (fst t)), E).

Lemma protocol_in_sound n m F j k w E : shaped n m F = true -> protocol_in n m F j = Some (k, w, E) ->
  achieves n m (of_table F) w k E.
Proof.
  unfold protocol_in. intros S H. destruct (tables_in n m j) as [[parts moves]|]; [|discriminate]. cbn [fst snd] in H.
  destruct (errors_after n m F parts moves) as [E'|] eqn:A; [|discriminate]. injection H as <- <- <-.
  unfold errors_after, given in A. destruct (check_parts n m parts) eqn:C; [|discriminate].
  exact (errors_with_achieves n m F moves _ E' _ _ A (parts_achieve n m F parts S C)).
Qed.

Lemma check_cells_spec n m F cells : check_cells n m F cells = true ->
  within n m cells /\ inside (of_table F) cells /\ (forall c, In c cells -> 0 <= snd c) /\ 0 < mass cells.
Proof.
  intros H. apply andb_prop in H as [H L]. rewrite forallb_forall in H.
  assert (forall x y w, In (x, y, w) cells -> (x < n)%nat /\ (y < m)%nat /\ 0 < w /\ of_table F x y <> None) as G.
  { intros x y w I. specialize (H _ I). cbv beta in H. apply andb_prop in H as [H D]. apply andb_prop in H as [H W].
    apply andb_prop in H as [X Y]. apply Nat.ltb_lt in X, Y. apply Z.ltb_lt in W.
    repeat split; try assumption. destruct (of_table F x y); [discriminate|discriminate D]. }
  assert (forall c, In c cells -> 0 < snd c) as P by (intros [[x y] w] I; apply (G x y w I)).
  repeat split.
  - apply (G x y w H0).
  - apply (G x y w H0).
  - intros x y w I. apply (G x y w I).
  - intros c I. specialize (P c I). lia.
  - unfold mass. destruct cells as [|c cells]; [discriminate|]. cbn. pose proof (P c (in_eq _ _)).
    assert (0 <= lsum snd cells); [|lia]. apply lsum_nonneg. intros d I. specialize (P d (in_cons _ _ _ I)). lia.
Qed.

(* ---- from below, on the average ---- *)

Fixpoint choices (n : Z) (k : nat) : Z :=
  match k with O => 1 | S k' => choices n k' * (n - Z.of_nat k') / Z.of_nat k end.
Definition affordable (width k rows : nat) : bool :=
  (width <=? 20)%nat
  && let number := 2 ^ Z.of_nat width in
     let k := Z.to_nat (Z.min (Z.of_nat k) number) in
     ((number <=? 64) || (k <? 8)%nat)
     && ((number * 20 + choices number k * (3 + Z.of_nat k)) * Z.of_nat rows <=? 2 ^ 28).

(* joins of a column and two inputs of Alice, by their numbers among those that have weight *)
Definition joins_in n m xs ys (data : json) : option (list (nat * nat * nat)) :=
  match fields ["joins"%string] data with
  | Some [listed] => list_of (fun join => match join with
      | Array [y; x; z] =>
          let* y := index m y in
          let* x := index n x in
          let* z := index n z in
          let* t := position y ys in
          let* i := position x xs in
          let* j := position z xs in
          Some (t, i, j)
      | _ => None
      end) listed
  | _ => None
  end.

(* what rows lose at least, doubled: by forms in which more messages than rows are of no use, and others *)
Definition few_lost n m F xs ys (rows : list (list Z)) (k : nat) (name : string) (data : json) : option Z :=
  let w := length ys in
  if String.eqb name "answers" then
    match data with
    | Object [] =>
        if (length rows <=? k)%nat then Some 0
        else if (k =? 1)%nat then Some (whole_cost w rows)
        else given (affordable w k (length rows)) (Some (best_answers w rows k))
    | _ => None
    end
  else if String.eqb name "partitions" then partitions_bound n m F xs ys rows k data
  else if String.eqb name "joins" then let* joins := joins_in n m xs ys data in joined rows k joins
  else None.
Definition least_lost n m F xs ys (rows : list (list Z)) (k : N) (name : string) (data : json) : option Q :=
  if String.eqb name "squares" then
    match squares_bound (length ys) rows k data with Some B => Some B | None => sizes_bound (length ys) rows k data end
  else
  let* B := if String.eqb name "choices" then choices_bound n m F xs ys rows k data
            else few_lost n m F xs ys rows (N.to_nat (N.min k (N.of_nat (length rows)))) name data in
  Some (inject_Z B).

Lemma few_lost_sound n m F xs ys rows k name data B : wide (length ys) rows = true ->
  few_lost n m F xs ys rows k name data = Some B -> forced rows k B.
Proof.
  intros W H. unfold few_lost in H. destruct (String.eqb name "answers").
  2:{ destruct (String.eqb name "partitions"); [exact (partitions_sound _ _ _ _ _ _ _ _ _ H)|].
      destruct (String.eqb name "joins"); [|discriminate].
      destruct (joins_in n m xs ys data) as [joins|]; [|discriminate]. exact (joined_forces _ _ _ _ H). }
  destruct data as [| | | |l|[|p l]]; try discriminate.
  destruct (length rows <=? k)%nat; [injection H as <-; apply forced_nothing|].
  destruct (Nat.eqb_spec k 1) as [->|]; [injection H as <-; apply forced_once, W|].
  unfold given in H. destruct (affordable (length ys) k (length rows)); [|discriminate]. injection H as <-.
  apply forced_answers, W.
Qed.
Lemma least_lost_sound n m F xs ys rows k name data B : wide (length ys) rows = true ->
  least_lost n m F xs ys rows k name data = Some B -> forced rows (N.to_nat k) (Qceiling B).
Proof.
  intros W H. unfold least_lost in H. destruct (String.eqb name "squares").
  { destruct (squares_bound _ _ _ _) as [B'|] eqn:S; [injection H as <-; exact (squares_sound _ _ _ _ _ S)|].
    exact (sizes_sound _ _ _ _ _ H). }
  match type of H with match ?t with _ => _ end = _ => destruct t as [C|] eqn:E; [|discriminate] end.
  injection H as <-. rewrite Qceiling_Z.
  destruct (String.eqb name "choices"); [exact (choices_sound _ _ _ _ _ _ _ _ _ E)|].
  apply few_lost_sound in E; [|exact W]. apply forced_few. rewrite N2Nat.inj_min, Nat2N.id in E. exact E.
Qed.

Definition distribution_bound n m F (k : N) (cells : weights) (name : string) (data : json) : option Q :=
  let found := with_signs (of_table F) cells in
  let* M := grid_of found in
  let ys := columns_in m found in
  let xs := rows_in n M in
  let rows := rows_of M xs ys in
  given (check_cells n m F cells && wide (length ys) rows)
    (let* B := least_lost n m F xs ys rows k name data in
     Some ((inject_Z (mass cells - sizes rows) + B) / inject_Z (2 * mass cells))%Q).

Theorem distribution_sound n m F k cells name data v : distribution_bound n m F k cells name data = Some v ->
  forall e, reached_on_average n m (of_table F) (N.to_nat k) (shares cells) e -> (v <= e)%Q.
Proof.
  unfold distribution_bound. intros H e R. destruct (grid_of (with_signs (of_table F) cells)) as [M|] eqn:G;
    [|discriminate].
  unfold given in H.
  destruct (check_cells n m F cells && wide _ _) eqn:C; [|discriminate]. apply andb_prop in C as [C W].
  apply check_cells_spec in C as [V [I [_ P]]].
  match type of H with match ?t with _ => _ end = _ => destruct t as [B|] eqn:L; [|discriminate] end.
  injection H as <-. apply least_lost_sound in L; [|exact W].
  pose proof (forced_average _ _ _ _ _ _ _ _ V I P G L R) as A. eapply Qle_trans; [|exact A].
  destruct (mass cells) as [|p|]; try discriminate. change (2 * Z.pos p) with (Z.pos p~0). cbn [Distributions.quotient].
  rewrite (Qmake_Qdiv (Z.pos p - _ + _)). apply Qmult_le_compat_r; [|discriminate].
  rewrite inject_Z_plus. apply Qplus_le_r, Qle_ceiling.
Qed.

(* ---- questions ---- *)

Record errors_asked := ErrorsAsked {
  pe_n : nat; pe_m : nat; pe_rows : promise_rows; pe_parts : list component; pe_moves : list symmetry }.
Record average_asked := AverageAsked {
  av_n : nat; av_m : nat; av_rows : promise_rows; av_messages : N; av_cells : weights }.
Record error_asked := ErrorAsked {
  mm_n : nat; mm_m : nat; mm_rows : promise_rows; mm_messages : N; mm_coins : coins }.
Record messages_asked := MessagesAsked {
  cc_n : nat; cc_m : nat; cc_rows : promise_rows; cc_error : Q; cc_coins : coins }.

Definition positive_natural (j : json) : option N := let* z := at_least_integer 1 j in Some (Z.to_N z).

Definition is_bound (found : option Q) (v : Q) : bool := match found with Some q => Qeq_bool q v | None => false end.
Lemma is_bound_spec found v : is_bound found v = true -> exists q, found = Some q /\ (q == v)%Q.
Proof. destruct found as [q|]; [|discriminate]. intros H. apply Qeq_bool_iff in H. eauto. Qed.

(* ---- the error of a protocol ---- *)

Definition errors_question (instance : json) (values : list json) : option errors_asked :=
  match values with
  | [p] => let* F := problem_in instance in
      let '(n, m, rows) := F in
      let* t := tables_in n m p in
      Some (ErrorsAsked n m rows (fst t) (snd t))
  | _ => None
  end.
Definition errors_found q : option (list (list Q)) :=
  given (shaped (pe_n q) (pe_m q) (pe_rows q)) (errors_after (pe_n q) (pe_m q) (pe_rows q) (pe_parts q) (pe_moves q)).
(* the error of the components on an input, and that after a random symmetry *)
Definition error_of F parts x y : Q :=
  mean_error (messages parts) (of_table F) (length parts) (odds parts) (part parts) x y.
Definition error_after n m F parts moves x y e : Prop := orbit_mean n m moves (error_of F parts) x y e.

Lemma errors_found_spec n m F parts moves E : errors_found (ErrorsAsked n m F parts moves) = Some E ->
  forall x y, (x < n)%nat -> (y < m)%nat ->
  match moves with
  | [] => (error_of F parts x y == entry E x y)%Q
  | _ => error_after n m F parts moves x y (entry E x y)
  end.
Proof.
  unfold errors_found, errors_after, given. cbn [pe_n pe_m pe_rows pe_parts pe_moves]. intros H.
  destruct (shaped n m F) eqn:S; [|discriminate]. destruct (check_parts n m parts) eqn:C; [|discriminate].
  assert (forall x y, (x < n)%nat -> (y < m)%nat -> error_of F parts x y == entry (errors n m F parts) x y)%Q as M
    by (intros x y Hx Hy; apply (mixture_error n m F parts S C); auto).
  intros x y Hx Hy. destruct moves as [|s moves]; [injection H as <-; apply M; assumption|].
  exact (errors_with_mean n m F s moves _ E _ H M x y Hx Hy).
Qed.

Definition errors_of_protocols : kind.
Proof.
  refine {|
    title := "protocol_error"; parameters := ["protocol"%string];
    ask := errors_question; number := fraction;
    lower q v name data := String.eqb name "input"
      && match errors_found q, fields ["cell"%string] data with
         | Some E, Some [Array [x; y]] => match cell (pe_n q) (pe_m q) (pe_rows q) x y with
             | Some (x, y) => (x <? pe_n q)%nat && (y <? pe_m q)%nat && Qeq_bool (entry E x y) v
             | None => false
             end
         | _, _ => false
         end;
    upper q v name data := String.eqb name "all_inputs"
      && match errors_found q, data with Some E, Object [] => Qeq_bool (worst E) v | _, _ => false end;
    lower_means q v := let n := pe_n q in let m := pe_m q in
      match pe_moves q with
      | [] => exists x y, (x < n)%nat /\ (y < m)%nat /\ (v <= error_of (pe_rows q) (pe_parts q) x y)%Q
      | moves => exists x y e, (x < n)%nat /\ (y < m)%nat /\
          error_after n m (pe_rows q) (pe_parts q) moves x y e /\ (v <= e)%Q
      end;
    upper_means q v := let n := pe_n q in let m := pe_m q in
      match pe_moves q with
      | [] => forall x y, (x < n)%nat -> (y < m)%nat -> (error_of (pe_rows q) (pe_parts q) x y <= v)%Q
      | moves => forall x y, (x < n)%nat -> (y < m)%nat -> exists e,
          error_after n m (pe_rows q) (pe_parts q) moves x y e /\ (e <= v)%Q
      end
  |}.
  - intros [n m F parts moves] v name data H. cbn [pe_n pe_m pe_rows pe_parts pe_moves] in *.
    apply andb_prop in H as [_ V]. destruct (errors_found _) as [E|] eqn:A; [|discriminate].
    pose proof (errors_found_spec _ _ _ _ _ _ A) as M.
    repeat match type of V with match ?t with _ => _ end = true => destruct t; try discriminate V end.
    apply andb_prop in V as [V Q]. apply andb_prop in V as [X Y]. apply Nat.ltb_lt in X, Y. apply Qeq_bool_iff in Q.
    specialize (M n0 n1 X Y). destruct moves as [|s moves].
    + exists n0, n1. split; [exact X|]. split; [exact Y|]. rewrite M, Q. apply Qle_refl.
    + exists n0, n1, (entry E n0 n1). split; [exact X|]. split; [exact Y|]. split; [exact M|]. rewrite Q.
      apply Qle_refl.
  - intros [n m F parts moves] v name data H. cbn [pe_n pe_m pe_rows pe_parts pe_moves] in *.
    apply andb_prop in H as [_ V]. destruct (errors_found _) as [E|] eqn:A; [|discriminate].
    pose proof (errors_found_spec _ _ _ _ _ _ A) as M.
    destruct data as [| | | | |[|]]; try discriminate. apply Qeq_bool_iff in V.
    destruct moves as [|s moves]; intros x y X Y; specialize (M x y X Y).
    + rewrite M, <- V. apply worst_spec.
    + exists (entry E x y). split; [exact M|]. rewrite <- V. apply worst_spec.
Defined.

(* ---- the least error on the average ---- *)

Definition average_question (instance : json) (values : list json) : option average_asked :=
  match values with
  | [k; d] => let* F := problem_in instance in
      let '(n, m, rows) := F in
      let* k := positive_natural k in
      let* cells := cells_of n m rows d in
      given (match grid_of cells with Some _ => true | None => false end) (Some (AverageAsked n m rows k cells))
  | _ => None
  end.

Definition average_from_above q v (name : string) (data : json) : bool :=
  let '(AverageAsked n m F k cells) := q in
  String.eqb name "protocol" && shaped n m F && check_cells n m F cells
  && match fields ["tables"%string] data with
     | Some [t] => match protocol_in n m F t with
         | Some (k', _, E) => (N.of_nat k' <=? k)%N
             && Qeq_bool (expected (entry E) cells / inject_Z (mass cells)) v
         | None => false
         end
     | _ => false
     end.

Lemma shaped_rows n m F : shaped n m F = true -> (0 < n)%nat.
Proof. intros S. unfold shaped in S. apply andb_prop in S as [S _]. apply andb_prop in S as [S _]. apply Nat.ltb_lt,
  S. Qed.

Definition least_average_errors : kind.
Proof.
  refine {|
    title := "distributional_error"; parameters := ["messages"; "distribution"]%string;
    ask := average_question; number := fraction;
    lower q v name data := is_bound (distribution_bound (av_n q) (av_m q) (av_rows q) (av_messages q) (av_cells q)
      name data) v;
    upper := average_from_above;
    lower_means q v := forall e,
      reached_on_average (av_n q) (av_m q) (of_table (av_rows q)) (N.to_nat (av_messages q)) (shares (av_cells q)) e
        -> (v <= e)%Q;
    upper_means q v :=
      reached_on_average (av_n q) (av_m q) (of_table (av_rows q)) (N.to_nat (av_messages q)) (shares (av_cells q)) v
  |}.
  - intros q v name data H e R. apply is_bound_spec in H as [w [B V]]. rewrite <- V.
    exact (distribution_sound _ _ _ _ _ _ _ _ B e R).
  - intros [n m F k cells] v name data H. unfold average_from_above in H. cbn.
    apply andb_prop in H as [H T]. apply andb_prop in H as [H C]. apply andb_prop in H as [_ S].
    destruct (fields _ data) as [[|t [|]]|]; try discriminate.
    destruct (protocol_in n m F t) as [[[k' w] E]|] eqn:P; [|discriminate]. apply andb_prop in T as [K V].
    apply N.leb_le in K. apply Qeq_bool_iff in V. apply check_cells_spec in C as [W [_ [_ M]]].
    apply (achieves_average n m (of_table F) w k' (N.to_nat k) E); try assumption.
    + exact (shaped_rows n m F S).
    + exact (protocol_in_sound n m F t k' w E S P).
    + lia.
    + rewrite V. apply Qle_refl.
Defined.

(* ---- the least error on the worst input ---- *)

Definition error_question (instance : json) (values : list json) : option error_asked :=
  match values with
  | [k; c] => let* F := problem_in instance in
      let '(n, m, rows) := F in
      let* k := positive_natural k in
      let* c := coins_named c in
      Some (ErrorAsked n m rows k c)
  | _ => None
  end.
(* the error that is forced *)
Definition worst_bound n m F (k : N) (w : coins) (name : string) (data : json) : option Q :=
  if String.eqb name "hard_distribution" then
    match fields ["distribution"; "proof"]%string data with
    | Some [d; p] =>
        let* cells := cells_of n m F d in
        let* p := form p in
        given (shaped n m F && check_cells n m F cells) (distribution_bound n m F k cells (fst p) (snd p))
    | _ => None
    end
  else private_lower n m F k w name data.

Theorem worst_bound_sound n m F k w name data v : worst_bound n m F k w name data = Some v ->
  forall e, reached w n m (of_table F) (N.to_nat k) e -> (v <= e)%Q.
Proof.
  unfold worst_bound. intros H e R. destruct (String.eqb name "hard_distribution").
  - destruct (fields _ data) as [[|d [|p [|]]]|]; try discriminate.
    destruct (cells_of n m F d) as [cells|]; [|discriminate]. destruct (form p) as [[name' data']|]; [|discriminate].
    unfold given in H. destruct (shaped n m F && check_cells n m F cells) eqn:C; [|discriminate].
    apply andb_prop in C as [S C]. cbn in H. apply (distribution_sound _ _ _ _ _ _ _ _ H e).
    apply check_cells_spec in C as [W [_ [Pos M]]].
    apply (reached_average w); [exact (shaped_rows n m F S)| | |exact R].
    + intros x y _ _. apply shares_pos, Pos.
    + apply shares_law; assumption.
  - exact (private_lower_sound _ _ _ _ _ _ _ _ H e R).
Qed.

(* the messages that a protocol uses, and its largest error, if it needs no more coins than are there *)
Definition played n m F (w : coins) (name : string) (data : json) : option (nat * Q) :=
  if String.eqb name "protocol" then
    match fields ["tables"%string] data with
    | Some [t] => let* p := protocol_in n m F t in
        let '(k, v, E) := p in given (shaped n m F && coins_le v w) (Some (k, worst E))
    | _ => None
    end
  else None.
Theorem played_sound n m F w name data k e : played n m F w name data = Some (k, e) ->
  forall k' v, (k <= k')%nat -> (e <= v)%Q -> reached w n m (of_table F) k' v.
Proof.
  unfold played. intros H k' v K V. destruct (String.eqb name "protocol"); [|discriminate].
  destruct (fields _ data) as [[|t [|]]|]; try discriminate.
  destruct (protocol_in n m F t) as [[[k0 c] E]|] eqn:P; [|discriminate].
  unfold given in H. destruct (shaped n m F && coins_le c w) eqn:C; [|discriminate]. injection H as <- <-.
  apply andb_prop in C as [S C].
  exact (achieves_reached n m _ c w k0 k' E v (protocol_in_sound n m F t k0 c E S P) C K V).
Qed.

Definition least_worst_errors : kind.
Proof.
  refine {|
    title := "minimax_error"; parameters := ["messages"; "coins"]%string;
    ask := error_question; number := fraction;
    lower q v name data :=
      is_bound (worst_bound (mm_n q) (mm_m q) (mm_rows q) (mm_messages q) (mm_coins q) name data) v;
    upper q v name data := match played (mm_n q) (mm_m q) (mm_rows q) (mm_coins q) name data with
      | Some (k, e) => (N.of_nat k <=? mm_messages q)%N && Qeq_bool e v
      | None => false
      end;
    lower_means q v := forall e,
      reached (mm_coins q) (mm_n q) (mm_m q) (of_table (mm_rows q)) (N.to_nat (mm_messages q)) e -> (v <= e)%Q;
    upper_means q v := reached (mm_coins q) (mm_n q) (mm_m q) (of_table (mm_rows q)) (N.to_nat (mm_messages q)) v
  |}.
  - intros q v name data H e R. apply is_bound_spec in H as [w [B V]]. rewrite <- V.
    exact (worst_bound_sound _ _ _ _ _ _ _ _ B e R).
  - intros [n m F k w] v name data H. cbn in *. destruct (played n m F w name data) as [[k' e]|] eqn:P; [|discriminate].
    apply andb_prop in H as [K V]. apply N.leb_le in K. apply Qeq_bool_iff in V.
    apply (played_sound _ _ _ _ _ _ _ _ P); [lia|rewrite V; apply Qle_refl].
Defined.

(* ---- how many messages an error needs ---- *)

Definition messages_question (instance : json) (values : list json) : option messages_asked :=
  match values with
  | [e; c] => let* F := problem_in instance in
      let '(n, m, rows) := F in
      let* e := probability e in
      let* c := coins_named c in
      Some (MessagesAsked n m rows e c)
  | _ => None
  end.
Definition messages_from_below q (v : N) (name : string) (data : json) : bool :=
  let '(MessagesAsked n m F e w) := q in
  if String.eqb name "trivial" then match data with Object [] => (v =? 1)%N && (0 <? n)%nat | _ => false end
  else if String.eqb name "too_few" then
    match fields ["messages"; "proof"]%string data with
    | Some [k; p] => match positive_natural k, form p with
        | Some k, Some (name, data) => (v =? k + 1)%N
            && match worst_bound n m F k w name data with Some b => negb (Qle_bool b e) | None => false end
        | _, _ => false
        end
    | _ => false
    end
  else false.

Definition numbers_of_messages : kind.
Proof.
  refine {|
    title := "communication_complexity"; parameters := ["error"; "coins"]%string;
    ask := messages_question; number := positive_natural;
    lower := messages_from_below;
    upper q v name data := match played (cc_n q) (cc_m q) (cc_rows q) (cc_coins q) name data with
      | Some (k, e) => (N.of_nat k =? v)%N && Qle_bool e (cc_error q)
      | None => false
      end;
    lower_means q v := forall k,
      reached (cc_coins q) (cc_n q) (cc_m q) (of_table (cc_rows q)) k (cc_error q) -> (N.to_nat v <= k)%nat;
    upper_means q v := reached (cc_coins q) (cc_n q) (cc_m q) (of_table (cc_rows q)) (N.to_nat v) (cc_error q)
  |}.
  - intros [n m F e w] v name data H k R. unfold messages_from_below in H. cbn in R.
    destruct (String.eqb name "trivial").
    + destruct data as [| | | | |[|]]; try discriminate. apply andb_prop in H as [V N].
      apply N.eqb_eq in V. apply Nat.ltb_lt in N. pose proof (reached_some_message _ _ _ _ _ _ N R). lia.
    + destruct (String.eqb name "too_few"); [|discriminate].
      destruct (fields _ data) as [[|k0 [|p [|]]]|]; try discriminate.
      destruct (positive_natural k0) as [k1|]; [|discriminate]. destruct (form p) as [[name' data']|]; [|discriminate].
      apply andb_prop in H as [V H]. apply N.eqb_eq in V.
      destruct (worst_bound n m F k1 w name' data') as [b|] eqn:B; [|discriminate].
      apply negb_true_iff in H. destruct (Nat.le_gt_cases k (N.to_nat k1)) as [K|K]; [exfalso|lia].
      pose proof (worst_bound_sound _ _ _ _ _ _ _ _ B e (reached_more w n m _ k _ e K R)) as L.
      apply Qle_bool_iff in L. congruence.
  - intros [n m F e w] v name data H. cbn in *. destruct (played n m F w name data) as [[k e']|] eqn:P; [|discriminate].
    apply andb_prop in H as [K V]. apply N.eqb_eq in K. apply Qle_bool_iff in V.
    apply (played_sound _ _ _ _ _ _ _ _ P); [lia|exact V].
Defined.
