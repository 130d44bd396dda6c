(* A tree has few leaves, each of them a rectangle, which bounds how often it can be right: the bound by discrepancy.
   Simultaneous messages are a tree as well. *)
From Coq Require Import List Arith ZArith Lia Bool.
From CCSim Require Import Inputs Heaviest Discrepancies Definitions LeastTrees.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- messages as bits of a tree ---- *)

Fixpoint sends_number (bob : bool) (i off : nat) (a : nat -> nat) (next : nat -> two_way) : two_way :=
  match i with
  | O => next off
  | S i' => let half := off + 2 ^ i' in
            let s x := half <=? a x in
            let l := sends_number bob i' off a next in
            let h := sends_number bob i' half a next in
            if bob then BobSends s l h else AliceSends s l h
  end.
Lemma sends_number_depth bob a next d : (forall k, depth (next k) <= d) -> forall i off,
  depth (sends_number bob i off a next) <= i + d.
Proof.
  intros H. induction i as [|i IH]; intros off; cbn [sends_number]; [apply H|].
  pose proof (IH off). pose proof (IH (off + 2 ^ i)). destruct bob; cbn [depth]; lia.
Qed.
Lemma sends_number_output (bob : bool) a next x y : forall i off,
  let v := a (if bob then y else x) in off <= v < off + 2 ^ i ->
  output (sends_number bob i off a next) x y = output (next v) x y.
Proof.
  induction i as [|i IH]; intros off v H; cbn [sends_number].
  - cbn in H. replace v with off by lia. reflexivity.
  - cbn [Nat.pow] in H. destruct bob; cbn [output]; unfold v in *.
    + destruct (Nat.leb_spec (off + 2 ^ i) (a y)); apply IH; lia.
    + destruct (Nat.leb_spec (off + 2 ^ i) (a x)); apply IH; lia.
Qed.
Theorem messages_by_tree bits g : by_messages bits g -> by_tree bits None g.
Proof.
  intros [i [j [a [b [v [L [A [B E]]]]]]]].
  exists (sends_number false i 0 a (fun u => sends_number true j 0 b (fun w => Answer (v u w)))). split; [|split; [exact I|]].
  - refine (Nat.le_trans _ _ _ (sends_number_depth false a _ j _ i 0) L). intros k.
    pose proof (sends_number_depth true b (fun w => Answer (v k w)) 0 (fun _ => le_n 0) j 0). lia.
  - intros x y. rewrite E. rewrite (sends_number_output false a _ x y i 0) by (specialize (A x); lia).
    rewrite (sends_number_output true b _ x y j 0) by (specialize (B y); lia). reflexivity.
Qed.

(* ---- what a tree gains ---- *)

Local Open Scope Z_scope.
Definition gain (b : bool) (w : Z) : Z := if b then w else - w.
Lemma gain_mistake b w : gain b w = Z.abs w - 2 * mistake b w.
Proof. unfold gain, mistake. destruct b; lia. Qed.

Section Gains.
Variables (n m : nat) (w : nat -> nat -> Z) (top : Z).
Hypothesis Top : forall b r, inside_weight n m (fun x y => gain b (w x y)) r <= top.
Definition gained (t : two_way) (r : rectangle) : Z := inside_weight n m (fun x y => gain (output t x y) (w x y)) r.
Lemma top_nonneg : 0 <= top.
Proof.
  pose proof (Top true (fun _ => false, fun _ => false)) as H. unfold inside_weight in H.
  assert (forall k (g : nat -> Z), (forall i, g i = 0) -> integer_sum k g = 0) as Z0.
  { intros k g Hg. induction k as [|k IH]; cbn [integer_sum]; [reflexivity|]. rewrite IH, Hg. reflexivity. }
  rewrite Z0 in H; [exact H|]. intros i. apply Z0. intros j. unfold holds. cbn. reflexivity.
Qed.
Lemma gained_most t : forall r, gained t r <= 2 ^ Z.of_nat (depth t) * top.
Proof.
  pose proof top_nonneg as P.
  assert (forall l h a b, a <= 2 ^ Z.of_nat (depth l) * top -> b <= 2 ^ Z.of_nat (depth h) * top ->
    a + b <= 2 ^ Z.of_nat (S (Nat.max (depth l) (depth h))) * top) as J.
  { intros l h a b A B. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
    assert (2 ^ Z.of_nat (depth l) <= 2 ^ Z.of_nat (Nat.max (depth l) (depth h))) by (apply Z.pow_le_mono_r; lia).
    assert (2 ^ Z.of_nat (depth h) <= 2 ^ Z.of_nat (Nat.max (depth l) (depth h))) by (apply Z.pow_le_mono_r; lia). nia. }
  assert (forall g h k : nat -> nat -> Z, (forall x y, g x y = h x y + k x y) ->
    integer_sum n (fun x => integer_sum m (g x)) = integer_sum n (fun x => integer_sum m (h x)) + integer_sum n (fun x => integer_sum m (k x))) as Plus.
  { assert (forall d (u v s : nat -> Z), (forall i, u i = v i + s i) -> integer_sum d u = integer_sum d v + integer_sum d s) as One.
    { intros d u v s H. induction d as [|d IH]; cbn [integer_sum]; [reflexivity|]. rewrite IH, H. lia. }
    intros g h k H. apply One. intros x. apply One. intros y. apply H. }
  induction t as [b|s l IHl h IHh|s l IHl h IHh]; intros r.
  - cbn [depth]. unfold gained. cbn [output]. specialize (Top b r). change (2 ^ Z.of_nat 0) with 1. rewrite Z.mul_1_l. exact Top.
  - cbn [depth]. specialize (IHl (fun x => fst r x && negb (s x), snd r)). specialize (IHh (fun x => fst r x && s x, snd r)).
    specialize (J _ _ _ _ IHl IHh). unfold gained, inside_weight in *. refine (Z.le_trans _ _ _ (Z.eq_le_incl _ _ _) J).
    apply Plus. intros x y. cbn [output]. unfold holds. cbn [fst snd]. destruct (fst r x), (s x), (snd r y); cbn [andb negb]; ring.
  - cbn [depth]. specialize (IHl (fst r, fun y => snd r y && negb (s y))). specialize (IHh (fst r, fun y => snd r y && s y)).
    specialize (J _ _ _ _ IHl IHh). unfold gained, inside_weight in *. refine (Z.le_trans _ _ _ (Z.eq_le_incl _ _ _) J).
    apply Plus. intros x y. cbn [output]. unfold holds. cbn [fst snd]. destruct (fst r x), (s y), (snd r y); cbn [andb negb]; ring.
Qed.

Lemma list_sum_integer k (g : nat -> Z) : sum_of_list (seq 0 k) g = integer_sum k g.
Proof.
  assert (forall a b (h : nat -> Z), sum_of_list (a ++ b) h = sum_of_list a h + sum_of_list b h) as App
    by (induction a as [|u a IH]; intros b h; cbn [app sum_of_list]; [lia|rewrite IH; lia]).
  induction k as [|k IH]; [reflexivity|]. rewrite seq_S, App, IH. cbn. lia.
Qed.
Theorem mistakes_of_tree bits rounds g total : by_tree bits rounds g ->
  total = integer_sum n (fun x => integer_sum m (fun y => Z.abs (w x y))) ->
  total - 2 ^ Z.of_nat bits * top <= 2 * mistakes w g (seq 0 n) (seq 0 m).
Proof.
  intros [t [D [_ E]]] ->. pose proof top_nonneg as P.
  pose proof (gained_most t (fun _ => true, fun _ => true)) as G.
  assert (2 ^ Z.of_nat (depth t) <= 2 ^ Z.of_nat bits) as M by (apply Z.pow_le_mono_r; lia).
  assert (gained t (fun _ => true, fun _ => true)
    = integer_sum n (fun x => integer_sum m (fun y => Z.abs (w x y))) - 2 * mistakes w g (seq 0 n) (seq 0 m)) as T.
  { unfold gained, inside_weight, mistakes. rewrite list_sum_integer.
    assert (forall d (u v s : nat -> Z), (forall i, u i = v i - 2 * s i) -> integer_sum d u = integer_sum d v - 2 * integer_sum d s) as One.
    { intros d u v s H. induction d as [|d IH]; cbn [integer_sum]; [reflexivity|]. rewrite IH, H. lia. }
    apply One. intros x. rewrite list_sum_integer. apply One. intros y. unfold holds. cbn [fst snd andb]. rewrite E. apply gain_mistake. }
  rewrite T in G. nia.
Qed.
End Gains.
