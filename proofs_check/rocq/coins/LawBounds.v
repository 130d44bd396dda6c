(* Bounds of the laws of a protocol with private coins, and how they are cut. *)
From Coq Require Import ZArith QArith Lia Lqa Bool List Permutation Sorted.
From CCSim Require Import Definitions Sums Mixture Arrays Programs OneWay Families RandomClasses Cases Orders Radon.
Import ListNotations.
Local Open Scope Z_scope.

(* what the entries of a law lie between, in parts of a unit; the laws of all inputs *)
Definition bounded_law := list (Z * Z).
Definition box := list bounded_law.
Definition no_ends : Z * Z := (0, 0).

(* ---- messages may be renamed: on one input they are sent with decreasing chances ---- *)

Section Renaming.
Local Open Scope Q_scope.
Variables (n m k : nat) (f : problem) (P : protocol) (e : Q) (x0 : nat).
Hypothesis used : uses n m k P.
Hypothesis x0_in : (x0 < n)%nat.
Hypothesis within_e : forall x y, (x < n)%nat -> (y < m)%nat -> error k f P x y <= e.

Lemma decreasing_nth (g : nat -> Q) : forall l, StronglySorted (fun i j => g j <= g i) l ->
  forall s t, (s <= t)%nat -> (t < length l)%nat -> g (nth t l O) <= g (nth s l O).
Proof.
  induction 1 as [|a l S IH F]; intros s t H L; [cbn in L; lia|]. cbn [length] in L. rewrite Forall_forall in F.
  destruct s as [|s], t as [|t]; cbn [nth]; try lia; [lra|apply F, nth_In; lia|apply IH; lia].
Qed.

Lemma renamed : exists Q, uses n m k Q /\ (forall x y, (x < n)%nat -> (y < m)%nat -> error k f Q x y <= e) /\
  forall s t, (s <= t)%nat -> (t < k)%nat -> alice Q x0 t <= alice Q x0 s.
Proof.
  destruct (some_order_sorted (fun i j => alice P x0 j <= alice P x0 i)) with (l := seq 0 k) as [l [_ [M S]]].
  { intros i j. destruct (Qlt_le_dec (alice P x0 i) (alice P x0 j)); [right; lra|left; assumption]. }
  { intros a b c H1 H2. lra. }
  destruct (permutation_of k l M) as [L [_ B]]. destruct used as [A C].
  exists {| alice := fun x i => alice P x (nth i l O); bob := fun i y => bob P (nth i l O) y |}. split; [split|split].
  - intros x Hx. destruct (A x Hx) as [A0 A1]. split; [intros i Hi; apply A0, B, Hi|].
    cbn [alice]. rewrite (sum_permuted k l (alice P x) M). exact A1.
  - intros i y Hi Hy. apply C; [apply B, Hi|exact Hy].
  - intros x y Hx Hy. eapply Qle_trans; [|apply (within_e x y Hx Hy)]. apply Qle_lteq. right. unfold error.
    destruct (f x y) as [v|]; [|reflexivity]. cbn [alice bob].
    apply (sum_permuted k l (fun i => alice P x i * (if v then 1 - bob P i y else bob P i y)) M).
  - intros s t H Ht. cbn [alice]. apply (decreasing_nth (alice P x0)); [exact S|exact H|lia].
Qed.
End Renaming.

(* ---- boxes ---- *)

Section Laws.
Variables (n m k : nat) (P : protocol) (unit : positive).
Hypothesis used : uses n m k P.

(* law number x of Alice, and law n + y k + i of Bob on his answers 0 and 1, in parts of the unit *)
Definition mass (i t : nat) : Q :=
  (inject_Z (Zpos unit) *
   (if (i <? n)%nat then (if (t <? k)%nat then alice P i t else 0)
    else let b := bob P ((i - n) mod k) ((i - n) / k) in
         match t with O => 1 - b | S O => b | _ => 0 end))%Q.

Definition fits (l : bounded_law) (p : nat -> Q) : Prop :=
  (sum (length l) p == inject_Z (Zpos unit))%Q /\
  forall t, (t < length l)%nat -> (inject_Z (fst (nth t l no_ends)) <= p t <= inject_Z (snd (nth t l no_ends)))%Q.
Definition holds (b : box) : Prop :=
  length b = (n + m * k)%nat /\ forall i, (i < length b)%nat -> fits (nth i b []) (mass i).

(* cutting an entry, and tightening the law *)
Definition lows (l : bounded_law) : Z := fold_right (fun p s => fst p + s) 0 l.
Definition highs (l : bounded_law) : Z := fold_right (fun p s => snd p + s) 0 l.
Definition tighten (l : bounded_law) : bounded_law :=
  let (a, b) := (lows l, highs l) in
  map (fun p => (Z.max (fst p) (Zpos unit - b + snd p), Z.min (snd p) (Zpos unit - a + fst p))) l.
Definition cut (b : box) (i t : nat) (c : Z) : list box :=
  let law := nth i b [] in
  let p := nth t law no_ends in
  map (fun half => update b i (tighten (update law t half))) [(fst p, c); (c, snd p)].

Lemma lows_spec : forall l p, (forall t, (t < length l)%nat -> (inject_Z (fst (nth t l no_ends)) <= p t)%Q) ->
  forall t, (t < length l)%nat -> (p t + inject_Z (lows l) - inject_Z (fst (nth t l no_ends)) <= sum (length l) p)%Q.
Proof.
  induction l as [|a l IH]; intros p H t Ht; [cbn in Ht; lia|]. cbn [length]. rewrite sum_shift.
  cbn [lows fold_right]. fold (lows l). rewrite inject_Z_plus.
  assert (forall t, (t < length l)%nat -> (inject_Z (fst (nth t l no_ends)) <= p (S t))%Q) as H'
    by (intros s Hs; apply (H (S s)); cbn; lia).
  pose proof (H O ltac:(cbn; lia)) as H0. cbn [nth] in H0. destruct t as [|t].
  - cbn [nth]. assert (inject_Z (lows l) <= sum (length l) (fun i => p (S i)))%Q; [|cbv beta in *; lra].
    clear - H'. revert p H'. induction l as [|b l IH]; intros p H; [exact (Qle_refl 0)|].
    cbn [length]. rewrite sum_shift.
    cbn [lows fold_right]. fold (lows l). rewrite inject_Z_plus.
    pose proof (H O ltac:(cbn; lia)) as H0. cbn [nth] in H0.
    specialize (IH (fun t => p (S t)) ltac:(intros s Hs; apply (H (S s)); cbn; lia)). cbv beta in *. lra.
  - cbn [nth]. specialize (IH (fun t => p (S t)) H' t ltac:(cbn in Ht; lia)). cbv beta in *. lra.
Qed.

Lemma highs_spec : forall l p, (forall t, (t < length l)%nat -> (p t <= inject_Z (snd (nth t l no_ends)))%Q) ->
  forall t, (t < length l)%nat -> (sum (length l) p <= p t + inject_Z (highs l) - inject_Z (snd (nth t l no_ends)))%Q.
Proof.
  induction l as [|a l IH]; intros p H t Ht; [cbn in Ht; lia|]. cbn [length]. rewrite sum_shift.
  cbn [highs fold_right]. fold (highs l). rewrite inject_Z_plus.
  assert (forall t, (t < length l)%nat -> (p (S t) <= inject_Z (snd (nth t l no_ends)))%Q) as H'
    by (intros s Hs; apply (H (S s)); cbn; lia).
  pose proof (H O ltac:(cbn; lia)) as H0. cbn [nth] in H0. destruct t as [|t].
  - cbn [nth]. assert (sum (length l) (fun i => p (S i)) <= inject_Z (highs l))%Q; [|cbv beta in *; lra].
    clear - H'. revert p H'. induction l as [|b l IH]; intros p H; [exact (Qle_refl 0)|].
    cbn [length]. rewrite sum_shift.
    cbn [highs fold_right]. fold (highs l). rewrite inject_Z_plus.
    pose proof (H O ltac:(cbn; lia)) as H0. cbn [nth] in H0.
    specialize (IH (fun t => p (S t)) ltac:(intros s Hs; apply (H (S s)); cbn; lia)). cbv beta in *. lra.
  - cbn [nth]. specialize (IH (fun t => p (S t)) H' t ltac:(cbn in Ht; lia)). cbv beta in *. lra.
Qed.

Lemma tighten_fits l p : fits l p -> fits (tighten l) p.
Proof.
  intros [S B]. unfold tighten. split; [rewrite map_length; exact S|]. rewrite map_length. intros t Ht.
  set (h := fun q : Z * Z => (Z.max (fst q) (Zpos unit - highs l + snd q), Z.min (snd q) (Zpos unit - lows l + fst q))).
  rewrite (nth_indep _ no_ends (h no_ends)) by (rewrite map_length; exact Ht). rewrite (map_nth h).
  pose proof (lows_spec l p (fun t H => proj1 (B t H)) t Ht) as L.
  pose proof (highs_spec l p (fun t H => proj2 (B t H)) t Ht) as H. rewrite S in L, H.
  specialize (B t Ht). destruct (nth t l no_ends) as [a b]. unfold h. cbn [fst snd] in *. split.
  - destruct (Z.max_spec a (Zpos unit - highs l + b)) as [[_ ->]|[_ ->]]; [|apply B].
    unfold Z.sub. rewrite !inject_Z_plus, inject_Z_opp. lra.
  - destruct (Z.min_spec b (Zpos unit - lows l + a)) as [[_ ->]|[_ ->]]; [apply B|].
    unfold Z.sub. rewrite !inject_Z_plus, inject_Z_opp. lra.
Qed.

Lemma cut_holds b i t c : holds b -> (i < length b)%nat -> (t < length (nth i b []))%nat ->
  exists b', In b' (cut b i t c) /\ holds b'.
Proof.
  intros [L H] Hi Ht. pose proof (H i Hi) as [S B]. set (law := nth i b []) in *.
  set (q := nth t law no_ends).
  assert (forall half, (inject_Z (fst half) <= mass i t <= inject_Z (snd half))%Q ->
    holds (update b i (tighten (update law t half)))) as K.
  { intros half G. split; [rewrite update_length; exact L|]. rewrite update_length. intros j Hj. rewrite update_nth.
    destruct (Nat.eqb_spec j i) as [->|N]; [|cbn [andb]; apply H, Hj].
    replace (i <? length b)%nat with true by (symmetry; apply Nat.ltb_lt, Hi). cbn [andb].
    apply tighten_fits. split; rewrite update_length; [exact S|]. intros s Hs. rewrite update_nth.
    destruct (Nat.eqb_spec s t) as [->|N]; [|cbn [andb]; apply B, Hs].
    replace (t <? length law)%nat with true by (symmetry; apply Nat.ltb_lt, Ht). exact G. }
  specialize (B t Ht). fold q in B. destruct (Qlt_le_dec (mass i t) (inject_Z c)) as [G|G].
  - exists (update b i (tighten (update law t (fst q, c)))). split; [left; reflexivity|]. apply K. cbn [fst snd]. lra.
  - exists (update b i (tighten (update law t (c, snd q)))). split; [right; left; reflexivity|].
    apply K. cbn [fst snd]. lra.
Qed.
End Laws.
