(* Protocols of certificates: how they are read, which coins and how many messages they need, and their
   errors on all inputs. *)
From Coq Require Import String List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture OneWay Distributions Json Protocols.
Import ListNotations.
Local Open Scope Z_scope.

Notation promise_rows := (list (list (option bool))).
Definition shaped n m (F : promise_rows) : bool :=
  (0 <? n)%nat && (length F =? n)%nat && forallb (fun r => length r =? m)%nat F.

Definition tosses {A} (l : list (Z * A)) : bool := 1 <? law_sum l.
Definition is_random (c : component) : bool := existsb tosses (sent c) || existsb tosses (answers c).
Definition answer_sum (c : component) : Z := law_sum (hd [] (answers c)).
Definition messages (parts : list component) : nat := length (answers (hd none parts)).
(* with several components no messages and answers are drawn: the coins are public *)
Definition check_parts n m (parts : list component) : bool :=
  negb (length parts =? 0)%nat
  && forallb (fun c => (0 <? weight c) && well_formed n (messages parts) c (answer_sum c) && rows_wide m c) parts
  && ((length parts =? 1)%nat || negb (existsb is_random parts)).
Definition coins_of (parts : list component) : coins :=
  match parts with [c] => if is_random c then Private else Deterministic | _ => Public end.

Definition divisor (parts : list component) x : Z :=
  total (map weight parts) * (law_sum (nth x (sent (hd none parts)) []) * answer_sum (hd none parts)).
Definition errors n m (F : promise_rows) (parts : list component) : list (list Q) :=
  map (fun x => let d := divisor parts x in
                map (fun w => quotient w d) (wrong_weights m (nth x F []) parts x)) (seq 0 n).
Definition entry (E : list (list Q)) x y : Q := nth y (nth x E []) 0%Q.

Lemma quotient_spec a b : 0 < b -> (quotient a b * inject_Z b == inject_Z a)%Q.
Proof. destruct b; try lia. intros _. unfold quotient, Qeq. cbn. lia. Qed.
Lemma check_part n m parts c : check_parts n m parts = true -> In c parts ->
  0 < weight c /\ well_formed n (messages parts) c (answer_sum c) = true /\ rows_wide m c = true.
Proof.
  intros C I. apply andb_prop in C as [C _]. apply andb_prop in C as [_ C]. rewrite forallb_forall in C.
  specialize (C c I). apply andb_prop in C as [C R]. apply andb_prop in C as [W C]. apply Z.ltb_lt in W. auto.
Qed.
Lemma certain_sum {A} (l : list (Z * A)) : positive l = true -> tosses l = false -> exists a, l = [(1, a)].
Proof.
  intros P T. apply Z.ltb_ge in T. destruct l as [|[w a] l]; [discriminate|]. exists a.
  apply andb_prop in P as [P _]. cbn [forallb fst] in P. apply andb_prop in P as [P1 P]. apply Z.ltb_lt in P1.
  unfold law_sum in T. cbn in T. destruct l as [|b l].
  - cbn in T. f_equal. f_equal. lia.
  - exfalso. assert (0 < law_sum (b :: l)) as L by (apply law_sum_pos; unfold positive; rewrite P; reflexivity).
    unfold law_sum in L. lia.
Qed.

Section Parts.
Variables (n m : nat) (F : promise_rows) (parts : list component).
Hypothesis S : shaped n m F = true.
Hypothesis C : check_parts n m parts = true.
Let k := messages parts.

Lemma first_part : In (hd none parts) parts.
Proof. unfold check_parts in C. destruct parts; [discriminate|]. apply in_eq. Qed.
Lemma row_width x : (x < n)%nat -> length (nth x F []) = m.
Proof.
  intros Hx. unfold shaped in S. apply andb_prop in S as [S1 R]. apply andb_prop in S1 as [_ N].
  apply Nat.eqb_eq in N. rewrite forallb_forall in R. rewrite <- N in Hx.
  apply Nat.eqb_eq, (R _ (nth_In _ [] Hx)).
Qed.
Lemma weights_law : is_law (map weight parts) = true.
Proof.
  assert (forall l : list Z, (forall w, In w l -> 0 < w) -> l <> [] -> is_law l = true) as G.
  { intros l H N. apply andb_true_intro. split.
    - apply forallb_forall. intros w I. apply Z.leb_le. specialize (H w I). lia.
    - apply Z.ltb_lt. destruct l as [|a l]; [congruence|]. unfold total. cbn. pose proof (H a (in_eq _ _)).
      assert (0 <= fold_right Z.add 0 l); [|lia]. clear N. induction l as [|b l IH]; [cbn; lia|]. cbn.
      pose proof (H b (in_cons _ _ _ (in_eq _ _))). assert (0 <= fold_right Z.add 0 l); [|lia].
      apply IH. intros w [<-|I]; [apply H, in_eq|apply H, in_cons, in_cons, I]. }
  apply G.
  - intros w I. apply in_map_iff in I as [c [<- I]]. apply (check_part n m parts c C I).
  - pose proof first_part as I. intros E. apply map_eq_nil in E. rewrite E in I. contradiction.
Qed.

Lemma certain_part c : existsb is_random parts = false -> In c parts ->
  (forall x, (x < n)%nat -> exists i, nth x (sent c) [] = [(1, i)] /\ (i < k)%nat) /\
  forall i, (i < k)%nat -> exists s, nth i (answers c) [] = [(1, s)].
Proof.
  intros R I. destruct (check_part n m parts c C I) as [_ [W _]].
  assert (is_random c = false) as T.
  { destruct (is_random c) eqn:E; [|reflexivity].
    assert (existsb is_random parts = true) by (apply existsb_exists; eauto). congruence. }
  apply orb_false_elim in T as [TS TA]. split.
  - intros x Hx. destruct (sent_well n k c _ W x Hx) as [P B].
    destruct (certain_sum _ P) as [i E].
    + destruct (tosses (nth x (sent c) [])) eqn:E; [|reflexivity].
      assert (existsb tosses (sent c) = true); [|congruence]. apply existsb_exists.
      exists (nth x (sent c) []). split; [|exact E]. destruct (nth_in_or_default x (sent c) []) as [J|J]; [exact J|].
      rewrite J in P. discriminate.
    + exists i. split; [exact E|]. exact (B (1, i) ltac:(rewrite E; apply in_eq)).
  - intros i Hi. destruct (answers_well n k c _ W i Hi) as [P _]. apply (certain_sum _ P).
    destruct (tosses (nth i (answers c) [])) eqn:E; [|reflexivity].
    assert (existsb tosses (answers c) = true); [|congruence]. apply existsb_exists.
    exists (nth i (answers c) []). split; [|exact E]. destruct (nth_in_or_default i (answers c) []) as [J|J]; [exact
      J|].
    rewrite J in P. discriminate.
Qed.

Lemma some_message : (0 < k)%nat.
Proof.
  destruct (check_part n m parts _ C first_part) as [_ [W _]].
  assert (0 < n)%nat as N.
  { unfold shaped in S. apply andb_prop in S as [S1 _]. apply andb_prop in S1 as [S1 _]. apply Nat.ltb_lt, S1. }
  destruct (sent_well n k _ _ W O N) as [P B]. apply andb_prop in P as [_ P].
  destruct (nth 0 (sent (hd none parts)) []) as [|pm l]; [discriminate|]. specialize (B pm (in_eq _ _)). lia.
Qed.

(* the law of messages and answers has the same sum in every component *)
Lemma part_sum c x : In c parts -> (x < n)%nat -> law_sum (nth x (sent c) []) * answer_sum c
  = law_sum (nth x (sent (hd none parts)) []) * answer_sum (hd none parts).
Proof.
  intros I Hx. pose proof C as C0. unfold check_parts in C0. apply andb_prop in C0 as [_ D]. apply orb_prop in D as
    [D|D].
  - apply Nat.eqb_eq in D. destruct parts as [|d [|e l]]; try discriminate. destruct I as [<-|[]]. reflexivity.
  - apply negb_true_iff in D.
    assert (forall d, In d parts -> law_sum (nth x (sent d) []) * answer_sum d = 1) as G.
    { intros d J. destruct (certain_part d D J) as [A B]. destruct (A x Hx) as [i [E _]]. rewrite E.
      destruct (B O some_message) as [s Es]. unfold answer_sum. destruct (answers d) as [|r l]; [discriminate|].
      cbn in Es |- *. rewrite Es. reflexivity. }
    rewrite (G c I), (G _ first_part). reflexivity.
Qed.
Lemma part_sum_pos x : (x < n)%nat ->
  0 < law_sum (nth x (sent (hd none parts)) []) * answer_sum (hd none parts).
Proof.
  intros Hx. destruct (check_part n m parts _ C first_part) as [_ [W _]].
  destruct (sent_well n k _ _ W x Hx) as [P _]. destruct (answers_well n k _ _ W O some_message) as [P' E].
  apply law_sum_pos in P, P'. rewrite E in P'. nia.
Qed.

Lemma length_errors x : (x < n)%nat -> nth x (errors n m F parts) []
  = map (fun w => quotient w (divisor parts x)) (wrong_weights m (nth x F []) parts x).
Proof. intros Hx. unfold errors. exact (nth_map_seq _ n x [] Hx). Qed.

Theorem mixture_error k' x y : (k <= k')%nat -> (x < n)%nat -> (y < m)%nat ->
  (mean_error k' (of_table F) (length parts) (odds parts) (part parts) x y == entry (errors n m F parts) x y)%Q.
Proof.
  intros K Hx Hy. unfold entry. rewrite (length_errors x Hx).
  destruct (wrong_weights_spec m (of_table F) (nth x F []) parts x y) as [Lw Nw].
  { intros c I. apply (check_part n m parts c C I). }
  { apply row_width, Hx. }
  { reflexivity. }
  rewrite (nth_indep _ 0%Q (quotient 0 (divisor parts x))) by (rewrite map_length, Lw; exact Hy).
  rewrite (map_nth (fun w => quotient w (divisor parts x))), Nw.
  pose proof weights_law as L. pose proof (total_pos _ L) as T. pose proof (part_sum_pos x Hx) as D.
  set (w := map weight parts) in *. set (z := map (fun c => mistakes_of (of_table F) c x y) parts).
  set (d := law_sum (nth x (sent (hd none parts)) []) * answer_sum (hd none parts)) in *.
  assert (0 < total w) as T' by (rewrite Zlt_Qlt; exact T).
  pose proof (quotient_spec (dot w z) (divisor parts x)) as Q1.
  unfold divisor in Q1 |- *. fold w d in Q1 |- *. specialize (Q1 ltac:(nia)).
  apply inject_pos in D.
  pose proof (mean_dot w z L ltac:(unfold w, z; rewrite !map_length; reflexivity)) as M.
  unfold mean_error, odds. fold w.
  rewrite (sum_ext _ _ (fun i => / inject_Z d * (share w i * inject_Z (nth i z 0%Z)))%Q).
  - rewrite sum_scale. rewrite inject_Z_mult in Q1. replace (length w) with (length parts) in M by (symmetry; apply
      map_length).
    apply (Qmult_inj_r _ _ (inject_Z (total w) * inject_Z d)); [intros X; nra|]. rewrite Q1, <- M. field. lra.
  - intros i Hi. pose proof (nth_In parts none Hi) as I.
    destruct (check_part n m parts _ C I) as [_ [W _]].
    pose proof (component_error n k _ _ (of_table F) W k' x y K Hx) as E. rewrite (part_sum _ x I Hx) in E. fold d in E.
    unfold part. setoid_replace (inject_Z (nth i z 0)) with (error k' (of_table F) (protocol_of (nth i parts none)) x
      y * inject_Z d)%Q.
    + field. lra.
    + rewrite E. unfold z. rewrite (nth_indep _ 0 (mistakes_of (of_table F) none x y)) by (rewrite map_length; exact
        Hi).
      rewrite (map_nth (fun c => mistakes_of (of_table F) c x y)). reflexivity.
Qed.

Lemma odds_law : law (length parts) (odds parts).
Proof. unfold odds. rewrite <- (map_length weight parts). apply share_law, weights_law. Qed.
Lemma parts_use k' i : (k <= k')%nat -> (i < length parts)%nat -> uses n m k' (part parts i).
Proof.
  intros K Hi. destruct (check_part n m parts _ C (nth_In parts none Hi)) as [_ [W _]].
  exact (protocol_uses n m k _ _ W k' K).
Qed.
End Parts.

(* errors that some protocol has with so many messages, and with more *)
Definition achieves n m f w k (E : list (list Q)) := forall k', (k <= k')%nat -> exists c p P,
  law c p /\ available w c P /\ (forall i, (i < c)%nat -> uses n m k' (P i)) /\
  forall x y, (x < n)%nat -> (y < m)%nat -> (mean_error k' f c p P x y == entry E x y)%Q.

Theorem parts_achieve n m F parts : shaped n m F = true -> check_parts n m parts = true ->
  achieves n m (of_table F) (coins_of parts) (messages parts) (errors n m F parts).
Proof.
  intros S C k' K. pose proof (mixture_error n m F parts S C k') as E.
  pose proof (odds_law n m parts C) as L. pose proof (fun i => parts_use n m parts C k' i K) as U.
  assert (forall w, available w (length parts) (part parts) -> exists c p P, law c p /\ available w c P /\
    (forall i, (i < c)%nat -> uses n m k' (P i)) /\ forall x y, (x < n)%nat -> (y < m)%nat ->
    (mean_error k' (of_table F) c p P x y == entry (errors n m F parts) x y)%Q) as G.
  { intros w A. exists (length parts), (odds parts), (part parts). repeat split; try apply L; auto; apply U;
    assumption. }
  destruct parts as [|c [|d l]]; try (apply G; exact I).
  unfold coins_of. destruct (is_random c) eqn:R; [apply G; reflexivity|].
  assert (existsb is_random [c] = false) as R' by (cbn; rewrite R; reflexivity).
  destruct (certain_part n m [c] C c R' (in_eq _ _)) as [A B].
  set (a := fun x => snd (hd (0, O) (nth x (sent c) []))).
  set (b := fun i y => nth y (snd (hd (0, []) (nth i (answers c) []))) false).
  exists 1%nat, (odds [c]), (fun _ => tables a b). split; [exact L|]. split; [split; eauto|].
  assert (forall x, (x < n)%nat -> (a x < messages [c])%nat) as Ua.
  { intros x Hx. destruct (A x Hx) as [i [Ei Hi]]. unfold a. rewrite Ei. exact Hi. }
  split.
  { intros i _. apply tables_uses. intros x Hx. specialize (Ua x Hx). lia. }
  intros x y Hx Hy. rewrite <- E by assumption. unfold mean_error. cbn [sum length].
  assert (error k' (of_table F) (tables a b) x y == error k' (of_table F) (part [c] 0) x y)%Q as ->; [|reflexivity].
  rewrite tables_error by (specialize (Ua x Hx); lia).
  destruct (check_part n m [c] c C (in_eq _ _)) as [_ [W _]].
  pose proof (component_error n (messages [c]) c _ (of_table F) W k' x y K Hx) as X.
  destruct (A x Hx) as [i [Ei Hi]]. destruct (B i Hi) as [s Es].
  destruct (answers_well n (messages [c]) c _ W i Hi) as [_ Q1]. rewrite <- Q1 in X. unfold mistakes_of in X. rewrite
    Ei in X.
  cbn [lsum fst snd] in X. rewrite Es in X. unfold missed in X. cbn [law_sum lsum fst snd] in X.
  unfold law_sum in X. cbn [lsum fst snd] in X. cbn in X.
  unfold part. cbn [nth]. unfold wrong, a, b. rewrite Ei. cbn [hd snd]. rewrite Es. cbn [hd snd].
  rewrite Qmult_1_r in X. rewrite X. destruct (of_table F x y) as [[|]|]; cbn [differs]; destruct (nth y s false);
    reflexivity.
Qed.

(* ---- what is reached ---- *)

Definition coins_le (v w : coins) : bool :=
  match v, w with Deterministic, _ | _, Public | Private, Private => true | _, _ => false end.
Lemma available_le v w c P : coins_le v w = true -> available v c P -> available w c P.
Proof. destruct v, w; cbn; intros H A; try discriminate; try exact I; try exact A; apply A. Qed.

Definition larger (a b : Q) : Q := if Qle_bool a b then b else a.
Definition worst (E : list (list Q)) : Q := fold_left (fun a row => fold_left larger row a) E 0%Q.

Lemma larger_le a b : (a <= larger a b /\ b <= larger a b)%Q.
Proof.
  unfold larger. destruct (Qle_bool a b) eqn:E.
  - apply Qle_bool_iff in E. split; [exact E|apply Qle_refl].
  - destruct (Qlt_le_dec b a) as [H|H]; [split; [apply Qle_refl|lra]|]. apply Qle_bool_iff in H. congruence.
Qed.
Lemma row_worst row : forall a, (a <= fold_left larger row a)%Q /\ forall q, In q row -> (q <= fold_left larger row
  a)%Q.
Proof.
  induction row as [|b row IH]; intros a; cbn; [split; [apply Qle_refl|contradiction]|].
  destruct (larger_le a b) as [A B]. destruct (IH (larger a b)) as [L R]. split; [lra|].
  intros q [->|I]; [lra|apply R, I].
Qed.
Lemma worst_spec E x y : (entry E x y <= worst E)%Q.
Proof.
  unfold worst. assert (forall E a, (a <= fold_left (fun a row => fold_left larger row a) E a)%Q /\
    forall row q, In row E -> In q row -> (q <= fold_left (fun a row => fold_left larger row a) E a)%Q) as G.
  { clear. induction E as [|row E IH]; intros a; cbn; [split; [apply Qle_refl|contradiction]|].
    destruct (row_worst row a) as [A B]. destruct (IH (fold_left larger row a)) as [L R]. split; [lra|].
    intros row' q [->|I] J; [specialize (B q J); lra|eapply R; eassumption]. }
  destruct (G E 0%Q) as [Z R]. unfold entry. destruct (nth_in_or_default x E []) as [I|I].
  - destruct (nth_in_or_default y (nth x E []) 0%Q) as [J|J]; [exact (R _ _ I J)|rewrite J; exact Z].
  - rewrite I. destruct y; exact Z.
Qed.

Lemma achieves_reached n m f v w k k' E e : achieves n m f v k E -> coins_le v w = true -> (k <= k')%nat ->
  (worst E <= e)%Q -> reached w n m f k' e.
Proof.
  intros A V K L. destruct (A k' K) as [c [p [P [Lp [Av [U H]]]]]]. exists c, p, P.
  split; [exact Lp|]. split; [exact (available_le v w c P V Av)|]. split; [exact U|].
  intros x y Hx Hy. rewrite H by assumption. pose proof (worst_spec E x y). lra.
Qed.

(* ---- how they are read ---- *)

Definition drawn {A} (read : json -> option A) (j : json) : option (list (Z * A)) :=
  match j with
  | Array l => each (fun e => match e with
      | Array [w; a] => let* w := at_least_integer 1 w in let* a := read a in Some (w, a)
      | _ => None
      end) l
  | _ => let* a := read j in Some [(1, a)]
  end.
(* a message that is certain weighs 1 *)
Definition certain {A} (l : list (Z * A)) := match l with [(_, a)] => [(1, a)] | _ => l end.
Definition component_of m (j : json) : option component :=
  match fields ["weight"; "alice"; "bob"]%string j with
  | Some [w; a; b] =>
      let* w := at_least_integer 1 w in
      let* b := list_of (drawn (row m)) b in
      let* a := list_of (drawn (index (length b))) a in
      Some (Component w (map certain a) b)
  | _ => None
  end.
