(* The rule "cases": nodes in preorder, each for one case; and deterministic protocols without error. *)
From Coq Require Import ZArith QArith Lia Bool List.
From CCSim Require Import Definitions Sums OneWay.
Import ListNotations.

Section Cases.
Context {node case : Type}.

(* the cases that cover the case of a node, and the bounds that are proved where it is closed *)
Variable split : node -> case -> option (list case * list Q).

Fixpoint walk (nodes : list node) (left : list case) (found : list Q) : option (list Q) :=
  match nodes, left with
  | [], [] => Some found
  | a :: nodes', c :: left' =>
      match split a c with Some (parts, bounds) => walk nodes' (parts ++ left') (bounds ++ found) | None => None end
  | _, _ => None
  end.

Variables (holds : case -> Prop) (e : Q).
Hypothesis split_sound : forall a c parts bounds, split a c = Some (parts, bounds) -> holds c ->
  (exists c', In c' parts /\ holds c') \/ (exists v, In v bounds /\ (v <= e)%Q).

Lemma walk_keeps : forall nodes left found all v, walk nodes left found = Some all -> In v found -> In v all.
Proof.
  induction nodes as [|a nodes IH]; intros [|c left] found all v W I; try discriminate W.
  - injection W as <-. exact I.
  - cbn [walk] in W. destruct (split a c) as [[parts bounds]|]; [|discriminate W].
    apply (IH _ _ _ v W), in_or_app. right. exact I.
Qed.

Theorem walk_sound : forall nodes left found all c, walk nodes left found = Some all -> In c left -> holds c ->
  exists v, In v all /\ (v <= e)%Q.
Proof.
  induction nodes as [|a nodes IH]; intros [|c' left] found all c W I H; try discriminate W; [destruct I|].
  cbn [walk] in W. destruct (split a c') as [[parts bounds]|] eqn:S; [|discriminate W].
  destruct I as [->|I].
  - destruct (split_sound _ _ _ _ S H) as [[d [D K]]|[v [V E]]].
    + apply (IH _ _ _ d W); [apply in_or_app; left; exact D|exact K].
    + exists v. split; [|exact E]. apply (walk_keeps _ _ _ _ v W), in_or_app. left. exact V.
  - apply (IH _ _ _ c W); [apply in_or_app; right; exact I|exact H].
Qed.
End Cases.

(* ---- inputs that share a message do not conflict ---- *)

Definition row := list (option bool).

Fixpoint conflict (r s : row) : bool :=
  match r, s with
  | a :: r', b :: s' =>
      match a, b with Some v, Some w => xorb v w || conflict r' s' | _, _ => conflict r' s' end
  | _, _ => false
  end.
Fixpoint merge (r s : row) : row :=
  match r, s with
  | a :: r', b :: s' => (match a with Some _ => a | None => b end) :: merge r' s'
  | [], _ => s
  | _, [] => r
  end.

(* the answers to a message are those that a row asks for *)
Definition agrees m (r : row) (answers : nat -> bool) :=
  forall y v, (y < m)%nat -> nth y r None = Some v -> answers y = v.

Lemma agrees_conflict : forall r s m answers, (length r <= m)%nat -> agrees m r answers -> agrees m s answers ->
  conflict r s = false.
Proof.
  induction r as [|a r IH]; intros [|b s] m answers L R T; try reflexivity.
  cbn [length] in L. destruct m as [|m]; [lia|].
  assert (conflict r s = false) as C.
  { apply (IH s m (fun y => answers (S y))); [lia| |].
    - intros y v Hy E. apply R; [lia|exact E].
    - intros y v Hy E. apply T; [lia|exact E]. }
  cbn [conflict]. destruct a as [v|], b as [w|]; try exact C. rewrite C.
  pose proof (R O v ltac:(lia) eq_refl) as V. pose proof (T O w ltac:(lia) eq_refl) as W.
  rewrite <- V, <- W, xorb_nilpotent. reflexivity.
Qed.

Lemma agrees_merge : forall r s m answers, agrees m r answers -> agrees m s answers -> agrees m (merge r s) answers.
Proof.
  induction r as [|a r IH]; intros [|b s] m answers R T; try assumption.
  intros [|y] v Hy E; cbn [merge nth] in E.
  - destruct a as [w|]; [apply (R O v Hy E)|apply (T O v Hy E)].
  - destruct m as [|m]; [lia|].
    apply (IH s m (fun y => answers (S y))); [| |lia|exact E].
    + intros z w Hz G. apply R; [lia|exact G].
    + intros z w Hz G. apply T; [lia|exact G].
Qed.

(* every way to join one of several classes *)
Fixpoint joins (r : row) (classes : list row) : list (list row) :=
  match classes with
  | [] => []
  | c :: rest => (if conflict c r then [] else [merge c r :: rest]) ++ map (cons c) (joins r rest)
  end.
Definition conflict_split (F : list row) (k : N) (x : nat) (classes : list row) : option (list (list row) * list Q) :=
  match nth_error F x with
  | Some r => Some (joins r classes ++ (if (N.of_nat (length classes) <? k)%N then [classes ++ [r]] else []), [])
  | None => None
  end.
Definition check_conflicts (F : list row) (k : N) (m : nat) (nodes : list nat) : bool :=
  forallb (fun r => (length r <=? m)%nat) F
  && match walk (conflict_split F k) nodes [[]] [] with Some _ => true | None => false end.

Section Conflicts.
Variables (m : nat) (F : list row) (k : N) (a : nat -> nat) (b : nat -> nat -> bool).
Hypothesis widths : forall r, In r F -> (length r <= m)%nat.
Hypothesis sent : forall x, (x < length F)%nat -> (a x < N.to_nat k)%nat.
Hypothesis right : forall x, (x < length F)%nat -> agrees m (nth x F []) (b (a x)).

(* the classes of a case have different messages, and the answers to these *)
Definition placed (classes : list row) (messages : list nat) :=
  NoDup messages /\ (forall i, In i messages -> (i < N.to_nat k)%nat) /\
  Forall2 (fun c i => (length c <= m)%nat /\ agrees m c (b i)) classes messages.

Lemma merge_length : forall r s, (length r <= m)%nat -> (length s <= m)%nat -> (length (merge r s) <= m)%nat.
Proof.
  assert (forall r s, length (merge r s) = Nat.max (length r) (length s)) as E.
  { induction r as [|c r IH]; intros [|d s]; cbn; try reflexivity. rewrite IH. reflexivity. }
  intros. rewrite E. lia.
Qed.

Lemma Forall2_length {A B} (R : A -> B -> Prop) l l' : Forall2 R l l' -> length l = length l'.
Proof. induction 1; [reflexivity|]. cbn. congruence. Qed.

Lemma joins_placed r i : (length r <= m)%nat -> agrees m r (b i) -> forall classes messages,
  Forall2 (fun c i => (length c <= m)%nat /\ agrees m c (b i)) classes messages -> In i messages ->
  exists c, In c (joins r classes) /\ Forall2 (fun c i => (length c <= m)%nat /\ agrees m c (b i)) c messages.
Proof.
  intros L R. induction 1 as [|c j classes messages [Lc Ac] H IH]; intros I; [destruct I|].
  cbn [joins]. destruct I as [->|I].
  - rewrite (agrees_conflict c r m (b i) Lc Ac R). exists (merge c r :: classes). split; [left; reflexivity|].
    constructor; [|exact H]. split; [apply merge_length; assumption|apply agrees_merge; assumption].
  - destruct (IH I) as [d [D G]]. exists (c :: d). split; [apply in_or_app; right; apply in_map, D|].
    constructor; [split; assumption|exact G].
Qed.

Lemma conflict_split_sound x classes parts bounds : conflict_split F k x classes = Some (parts, bounds) ->
  (exists messages, placed classes messages) -> exists c, In c parts /\ exists messages, placed c messages.
Proof.
  unfold conflict_split. destruct (nth_error F x) as [r|] eqn:N; [|discriminate].
  intros [= <- _] [messages [D [U P]]].
  assert (x < length F)%nat as Hx by (apply nth_error_Some; congruence).
  assert (nth x F [] = r) as Er by (apply nth_error_nth; exact N).
  pose proof (right x Hx) as A. rewrite Er in A.
  assert (length r <= m)%nat as L by (apply widths; rewrite <- Er; apply nth_In, Hx).
  destruct (in_dec Nat.eq_dec (a x) messages) as [I|I].
  - destruct (joins_placed r (a x) L A classes messages P I) as [c [C G]].
    exists c. split; [apply in_or_app; left; exact C|]. exists messages. repeat split; assumption.
  - exists (classes ++ [r]). split.
    + apply in_or_app. right.
      assert (NoDup (a x :: messages)) as D' by (constructor; assumption).
      assert (length (a x :: messages) <= N.to_nat k)%nat as S.
      { rewrite <- (seq_length (N.to_nat k) 0). apply NoDup_incl_length; [exact D'|].
        intros i [<-|J]; apply in_seq; [pose proof (sent x Hx); lia|pose proof (U i J); lia]. }
      cbn [length] in S. pose proof (Forall2_length _ _ _ P) as E. unfold row in *. rewrite <- E in S.
      destruct (N.ltb_spec (N.of_nat (length classes)) k) as [_|H]; [left; reflexivity|lia].
    + exists (messages ++ [a x]). split; [|split].
      * apply NoDup_rev in D. rewrite <- (rev_involutive (messages ++ [a x])). apply NoDup_rev.
        rewrite rev_app_distr. constructor; [rewrite <- in_rev; exact I|exact D].
      * intros i J. apply in_app_or in J as [J|[<-|[]]]; [apply U, J|apply sent, Hx].
      * apply Forall2_app; [exact P|]. constructor; [split; assumption|constructor].
Qed.

Lemma no_conflicts nodes : check_conflicts F k m nodes = true -> False.
Proof.
  unfold check_conflicts. intros H. apply andb_prop in H as [_ H].
  destruct (walk (conflict_split F k) nodes [[]] []) as [all|] eqn:W; [|discriminate H].
  assert (forall nodes left found all, walk (conflict_split F k) nodes left found = Some all ->
    found = [] -> all = []) as E.
  { clear. induction nodes as [|x nodes IH]; intros [|c left] found all W E; try discriminate W.
    - injection W as <-. exact E.
    - cbn [walk] in W. unfold conflict_split at 1 in W. destruct (nth_error F x); [|discriminate W].
      apply (IH _ _ _ W). exact E. }
  rewrite (E _ _ _ _ W eq_refl) in W.
  destruct (walk_sound (conflict_split F k) (fun c => exists messages, placed c messages) 0%Q
    (fun x c parts bounds S P => or_introl (conflict_split_sound x c parts bounds S P)) nodes [[]] [] [] [] W
    (or_introl eq_refl)) as [v [[] _]].
  exists []. repeat split; [constructor|intros i []|constructor].
Qed.
End Conflicts.

Theorem check_conflicts_sound m F k nodes e : (0 < length F)%nat -> check_conflicts F k m nodes = true ->
  reached Deterministic (length F) m (of_table F) (N.to_nat k) e -> (1 <= e)%Q.
Proof.
  intros N C R. destruct (Qlt_le_dec e 1) as [H|H]; [exfalso|exact H].
  destruct (reached_without_coins _ _ _ _ _ R N H) as [a [b [A E]]].
  apply (no_conflicts m F k a b) with (nodes := nodes); [|exact A| |exact C].
  - unfold check_conflicts in C. apply andb_prop in C as [W _]. rewrite forallb_forall in W.
    intros r Hr. apply Nat.leb_le, W, Hr.
  - intros x Hx y v Hy G. apply (E x y v Hx Hy). exact G.
Qed.
