(* Concept classes as tables: a row is a number whose bit x is the label of point x.  What the kinds
   about classes share: lookup of rows by their number, distinct rows, sizes of lists, symmetries. *)
From Coq Require Import String List Arith PArith NArith Ndigits Lia Bool.
From Coq Require Import MSets.MSetPositive FSets.FMapPositive.
From CCSim Require Import Definitions Json.
Import ListNotations.
Local Open Scope nat_scope.

Lemma in_table n rows h :
  table n (map bit rows) h <-> exists r, In r rows /\ forall x, x < n -> h x = bit r x.
Proof.
  split.
  - intros [g [Hg E]]. apply in_map_iff in Hg as [r [<- Hr]]. exists r. split; [exact Hr|exact E].
  - intros [r [Hr E]]. exists (bit r). split; [apply in_map, Hr|exact E].
Qed.

Lemma bit_double a x : bit (N.double a) x = match x with 0 => false | S y => bit a y end.
Proof. destruct a, x; reflexivity. Qed.
Lemma bit_succ_double a x : bit (N.succ_double a) x = match x with 0 => true | S y => bit a y end.
Proof. destruct a, x; try reflexivity. Qed.
Lemma bit_div2 r x : bit (N.div2 r) x = bit r (S x).
Proof. destruct r as [|[p|p|]]; try reflexivity; destruct x; reflexivity. Qed.
Lemma bit_odd r : bit r 0 = N.odd r.
Proof. destruct r as [|[p|p|]]; reflexivity. Qed.
Lemma bit_testbit r x : bit r x = N.testbit r (N.of_nat x).
Proof. symmetry. apply Ntestbit_Nbit. Qed.

(* those of a set of numbers that are below n *)
Definition members (n : nat) (set : N) : list nat := filter (bit set) (seq 0 n).
Lemma members_in n set x : In x (members n set) <-> x < n /\ bit set x = true.
Proof. unfold members. rewrite filter_In, in_seq. intuition lia. Qed.


(* ---- sizes ---- *)

Fixpoint size_from {A} (so_far : N) (l : list A) : N :=
  match l with [] => so_far | _ :: l' => size_from (N.succ so_far) l' end.
Definition size {A} (l : list A) : N := size_from 0 l.

Lemma size_from_spec {A} (l : list A) : forall so_far, size_from so_far l = (so_far + N.of_nat (length l))%N.
Proof. induction l as [|a l IH]; intros; cbn [size_from length]; [lia|]. rewrite IH. lia. Qed.
Lemma size_length {A} (l : list A) : size l = N.of_nat (length l).
Proof. unfold size. rewrite size_from_spec. reflexivity. Qed.

Lemma size_filter {A} (p : A -> bool) l :
  (size (filter p l) + size (filter (fun a => negb (p a)) l) = size l)%N.
Proof.
  rewrite !size_length. induction l as [|a l IH]; [reflexivity|].
  cbn [filter]. destruct (p a); cbn [negb length]; lia.
Qed.

(* what is read from a list, entry by entry *)
Lemma each_nth {A B} (f : A -> option B) d0 e0 : forall l k, each f l = Some k -> length k = length l /\
  forall i, (i < length l)%nat -> f (nth i l d0) = Some (nth i k e0).
Proof.
  induction l as [|a l IH]; intros k H; cbn in H; [injection H as <-; split; [reflexivity|cbn; lia]|].
  destruct (f a) as [b|] eqn:E; [|discriminate]. destruct (each f l) as [k'|]; [|discriminate]. injection H as <-.
  destruct (IH k' eq_refl) as [L N]. split; [cbn; lia|]. intros [|i] Hi; cbn [nth length] in *; [exact E|apply N; lia].
Qed.

(* ---- distinct numbers ---- *)

Definition key (a : N) : positive := N.succ_pos a.
Lemma key_inj a b : key a = key b -> a = b.
Proof.
  unfold key. intros H. assert (N.pos (N.succ_pos a) = N.pos (N.succ_pos b)) as H' by congruence.
  rewrite !N.succ_pos_spec in H'. lia.
Qed.

Fixpoint distinct_from (seen : PositiveSet.t) (l : list N) : bool :=
  match l with
  | [] => true
  | a :: l' => if PositiveSet.mem (key a) seen then false
               else distinct_from (PositiveSet.add (key a) seen) l'
  end.
Definition distinct (l : list N) : bool := distinct_from PositiveSet.empty l.

Lemma distinct_spec l : distinct l = true -> NoDup l.
Proof.
  assert (forall l seen, distinct_from seen l = true ->
    NoDup l /\ forall a, In a l -> PositiveSet.mem (key a) seen = false) as G.
  { clear. induction l as [|a l IH]; intros seen H; [split; [constructor|intros _ []]|].
    cbn [distinct_from] in H. destruct (PositiveSet.mem (key a) seen) eqn:E; [discriminate|].
    apply IH in H as [D N]. split.
    - constructor; [|exact D]. intros Ha. specialize (N a Ha).
      rewrite (proj2 (PositiveSet.mem_spec _ _)) in N; [discriminate|].
      apply PositiveSet.add_spec. left. reflexivity.
    - intros b [<-|Hb]; [exact E|]. specialize (N b Hb).
      destruct (PositiveSet.mem (key b) seen) eqn:F; [|reflexivity].
      rewrite (proj2 (PositiveSet.mem_spec _ _)) in N; [discriminate|].
      apply PositiveSet.add_spec. right. apply PositiveSet.mem_spec, F. }
  intros H. apply G in H as [D _]. exact D.
Qed.

(* ---- entries of a list by their number ---- *)

Definition numbered A := PositiveMap.t A.
Fixpoint number_from {A} (known : numbered A) (k : positive) (l : list A) : numbered A :=
  match l with [] => known | a :: l' => number_from (PositiveMap.add k a known) (Pos.succ k) l' end.
Definition number_all {A} (l : list A) : numbered A := number_from (PositiveMap.empty A) 1 l.
Definition entry {A} (known : numbered A) (i : N) : option A := PositiveMap.find (key i) known.

Lemma number_from_spec {A} : forall (l : list A) known k j a,
  PositiveMap.find j (number_from known k l) = Some a ->
  (exists i, nth_error l i = Some a /\ Pos.to_nat j = Pos.to_nat k + i) \/ PositiveMap.find j known = Some a.
Proof.
  induction l as [|b l IH]; intros known k j a H; cbn [number_from] in H; [auto|].
  apply IH in H as [[i [Hi E]]|H].
  - left. exists (S i). split; [exact Hi|]. rewrite Pos2Nat.inj_succ in E. lia.
  - destruct (Pos.eq_dec k j) as [->|Hne].
    + rewrite PositiveMap.gss in H. left. exists 0. split; [exact H|lia].
    + rewrite PositiveMap.gso in H by congruence. auto.
Qed.

Lemma entry_spec {A} (l : list A) i a :
  entry (number_all l) i = Some a -> nth_error l (N.to_nat i) = Some a.
Proof.
  unfold entry, number_all. intros H. apply number_from_spec in H as [[j [H E]]|H].
  - replace (N.to_nat i) with j; [exact H|]. unfold key in E.
    pose proof (N.succ_pos_spec i) as K. lia.
  - rewrite PositiveMap.gempty in H. discriminate.
Qed.

Lemma entry_in {A} (l : list A) i a : entry (number_all l) i = Some a -> In a l.
Proof. intros H. apply entry_spec, nth_error_In in H. exact H. Qed.

(* ---- symmetries: where rows and points go, and the points at which labels flip ---- *)

Record symmetry := Symmetry { row_images : list N; moves : list (nat * bool) }.

Definition move (s : symmetry) (x : nat) : nat * bool := nth x (moves s) (0, false).
Definition pull (s : symmetry) (h : concept) : concept :=
  fun x => xorb (h (fst (move s x))) (snd (move s x)).

Fixpoint pull_row (r : N) (l : list (nat * bool)) : N :=
  match l with
  | [] => 0%N
  | (y, f) :: l' => if xorb (bit r y) f then N.succ_double (pull_row r l') else N.double (pull_row r l')
  end.

Lemma pull_row_spec r : forall l x, x < length l ->
  bit (pull_row r l) x = xorb (bit r (fst (nth x l (0, false)))) (snd (nth x l (0, false))).
Proof.
  induction l as [|[y f] l IH]; intros x Hx; simpl in Hx; [lia|].
  simpl pull_row. destruct (xorb (bit r y) f) eqn:E.
  - rewrite bit_succ_double. destruct x; simpl; [symmetry; exact E|apply IH; lia].
  - rewrite bit_double. destruct x; simpl; [symmetry; exact E|apply IH; lia].
Qed.

(* every row comes from the one it goes to *)
Fixpoint check_images (known : numbered N) (moves : list (nat * bool)) (rows : list N) (images : list N) : bool :=
  match rows, images with
  | [], [] => true
  | r :: rows', i :: images' =>
      match entry known i with
      | Some r' => if (pull_row r' moves =? r)%N then check_images known moves rows' images' else false
      | None => false
      end
  | _, _ => false
  end.

Definition check_symmetry (n : nat) (rows : list N) (known : numbered N) (s : symmetry) : bool :=
  (length (moves s) =? n)
  && forallb (fun m => fst m <? n) (moves s)
  && distinct (map (fun m => N.of_nat (fst m)) (moves s))
  && check_images known (moves s) rows (row_images s).

(* a permutation of the points below n under which a class is closed, in the direction of `pull` *)
Definition permutes n (s : symmetry) : Prop :=
  length (moves s) = n /\ (forall x, x < n -> fst (move s x) < n) /\
  (forall x y, x < n -> y < n -> fst (move s x) = fst (move s y) -> x = y) /\
  (forall z, z < n -> exists x, x < n /\ fst (move s x) = z).
Definition is_symmetry n (C : class) (s : symmetry) : Prop :=
  permutes n s /\ forall h, C h -> C (pull s h).

Lemma check_images_spec known moves : forall rows images, check_images known moves rows images = true ->
  exists origins, map (fun r => pull_row r moves) origins = rows /\
  forall r, In r origins -> exists i, entry known i = Some r.
Proof.
  induction rows as [|r rows IH]; intros [|i images] H; cbn [check_images] in H; try discriminate.
  - exists []. split; [reflexivity|intros _ []].
  - destruct (entry known i) as [r'|] eqn:E; [|discriminate].
    destruct (N.eqb_spec (pull_row r' moves) r) as [Er|]; [|discriminate].
    apply IH in H as [origins [M I]]. exists (r' :: origins). split.
    + simpl. rewrite Er, M. reflexivity.
    + intros a [<-|Ha]; eauto.
Qed.

Lemma check_symmetry_permutes n rows known s : check_symmetry n rows known s = true -> permutes n s.
Proof.
  unfold check_symmetry. intros H. apply andb_prop in H as [H _]. apply andb_prop in H as [H D].
  apply andb_prop in H as [L B]. apply Nat.eqb_eq in L. rewrite forallb_forall in B.
  assert (forall x, x < n -> fst (move s x) < n) as Bd.
  { intros x Hx. apply Nat.ltb_lt. apply (B (move s x)). apply nth_In. lia. }
  assert (NoDup (map fst (moves s))) as Dn.
  { apply distinct_spec in D. rewrite <- map_map in D. apply NoDup_map_inv in D. exact D. }
  assert (forall x, x < n -> nth x (map fst (moves s)) 0 = fst (move s x)) as M.
  { intros x _. unfold move. apply (map_nth fst (moves s) (0, false)). }
  split; [exact L|]. split; [exact Bd|]. split.
  - intros x y Hx Hy E. rewrite <- !M in E by assumption.
    apply (proj1 (NoDup_nth (map fst (moves s)) 0) Dn); rewrite ?map_length, ?L; assumption.
  - intros z Hz. assert (In z (map fst (moves s))) as I.
    { apply (NoDup_length_incl Dn (l' := seq 0 n)); [rewrite map_length, seq_length; lia| |apply in_seq; lia].
      intros y Hy. apply in_map_iff in Hy as [m [<- Hm]]. apply in_seq.
      specialize (B m Hm). apply Nat.ltb_lt in B. lia. }
    apply (In_nth _ _ 0) in I as [x [Hx E]]. rewrite map_length, L in Hx.
    exists x. split; [exact Hx|]. rewrite <- M by exact Hx. exact E.
Qed.

Lemma check_symmetry_rows n rows s : NoDup rows -> check_symmetry n rows (number_all rows) s = true ->
  forall r, In r rows -> In (pull_row r (moves s)) rows.
Proof.
  intros D H r Hr. unfold check_symmetry in H. apply andb_prop in H as [_ H].
  apply check_images_spec in H as [origins [M I]].
  assert (NoDup origins) as Do by (rewrite <- M in D; apply NoDup_map_inv in D; exact D).
  assert (In r origins) as Ho.
  { apply (NoDup_length_incl Do (l' := rows)); [rewrite <- M, map_length; lia| |exact Hr].
    intros a Ha. apply I in Ha as [i E]. apply entry_in in E. exact E. }
  rewrite <- M. apply (in_map (fun a => pull_row a (moves s))), Ho.
Qed.

Theorem check_symmetry_sound n rows s : NoDup rows -> check_symmetry n rows (number_all rows) s = true ->
  is_symmetry n (table n (map bit rows)) s.
Proof.
  intros D H. pose proof (check_symmetry_permutes _ _ _ _ H) as P. split; [exact P|].
  intros h Ch. apply in_table in Ch as [r [Hr E]]. apply in_table. exists (pull_row r (moves s)).
  split; [apply (check_symmetry_rows n); assumption|].
  destruct P as [L [B _]]. intros x Hx. unfold pull. rewrite pull_row_spec by lia.
  fold (move s x). rewrite E; [reflexivity|apply B, Hx].
Qed.

(* ---- what certificates hold ---- *)

(* the number of points, and distinct rows *)
Definition rows_of (instance : json) : option (nat * list N) :=
  let* (_, n, rows) := class_of mask instance in given (distinct rows) (Some (n, rows)).

Definition symmetry_of (n : nat) (height : N) (j : json) : option symmetry :=
  match fields ["rows"; "columns"; "flips"]%string j with
  | Some [r; c; f] =>
      let* images := list_of (place height) r in
      let* columns := list_of (index n) c in
      let* flips := row n f in
      given (length columns =? n) (Some (Symmetry images (combine columns flips)))
  | _ => None
  end.
Definition symmetries_of (n : nat) (height : N) : json -> option (list symmetry) :=
  list_of (symmetry_of n height).
