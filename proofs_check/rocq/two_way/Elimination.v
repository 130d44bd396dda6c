(* Independent lines, shown by elimination, and dependent ones, where they have few entries: over the integers,
   some of which count as 0. *)
From Coq Require Import List Arith ZArith Lia Bool.
From CCSim Require Import Definitions Json Heaviest.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- numbers of which some count as 0: a prime ideal of the integers ---- *)

Section Domain.
Variable null : Z -> Prop.
Hypothesis null_dec : forall a, {null a} + {~ null a}.
Hypothesis null_0 : null 0.
Hypothesis null_plus : forall a b, null a -> null b -> null (a + b).
Hypothesis null_times : forall a b, null b -> null (a * b).
Hypothesis null_prime : forall a b, null (a * b) -> null a \/ null b.
Hypothesis not_null_1 : ~ null 1.

Lemma null_minus a b : null a -> null b -> null (a - b).
Proof. intros A B. replace (a - b) with (a + (-1) * b) by ring. auto. Qed.
Lemma null_sum n g : (forall i, (i < n)%nat -> null (g i)) -> null (integer_sum n g).
Proof. induction n as [|n IH]; intros H; cbn; [exact null_0|]. apply null_plus; [apply IH; intros|]; apply H; lia. Qed.

Definition over (s t : nat) : nat := if (t <? s)%nat then t else S t.
Lemma sum_over s n g : (s <= n)%nat -> integer_sum (S n) g = g s + integer_sum n (fun t => g (over s t)).
Proof.
  induction n as [|n IH]; intros H.
  - replace s with O by lia. cbn. lia.
  - cbn [integer_sum]. destruct (Nat.eq_dec s (S n)) as [->|N].
    + rewrite (integer_sum_ext n (fun t => g (over (S n) t)) g).
      * unfold over. destruct (Nat.ltb_spec n (S n)); [lia|lia].
      * intros t Ht. unfold over. destruct (Nat.ltb_spec t (S n)); [reflexivity|lia].
    + cbn [integer_sum] in IH. rewrite IH by lia. unfold over at 3. destruct (Nat.ltb_spec n s); [lia|lia].
Qed.

(* more vectors than they have entries are dependent *)
Lemma dependent_vectors : forall k (v : nat -> nat -> Z), exists c, (exists t, (t < S k)%nat /\ ~ null (c t)) /\
  forall i, (i < k)%nat -> null (integer_sum (S k) (fun t => c t * v t i)).
Proof.
  induction k as [|k IH]; intros v.
  - exists (fun _ => 1). split; [exists O; split; [lia|exact not_null_1]|intros i Hi; lia].
  - assert ((exists s, (s < S (S k))%nat /\ ~ null (v s k)) \/ forall t, (t < S (S k))%nat -> null (v t k)) as D.
    { generalize (S (S k)). induction n as [|n [[t [Ht N]]|Z]].
      - right. intros t Ht. lia.
      - left. exists t. split; [lia|exact N].
      - destruct (null_dec (v n k)) as [E|E]; [right|left; exists n; split; [lia|exact E]].
        intros t Ht. destruct (Nat.eq_dec t n) as [->|]; [exact E|apply Z; lia]. }
    destruct D as [[s [Hs N]]|Z].
    + destruct (IH (fun t i => v s k * v (over s t) i - v (over s t) k * v s i)) as [c [[t [Ht C]] L]].
      set (under := fun t => if (t <? s)%nat then t else pred t).
      assert (forall t, under (over s t) = t) as U.
      { intros r. unfold under, over. destruct (Nat.ltb_spec r s); [destruct (Nat.ltb_spec r s); lia|].
        destruct (Nat.ltb_spec (S r) s); lia. }
      assert (forall t, over s t <> s) as A by (intros r; unfold over; destruct (Nat.ltb_spec r s); lia).
      set (total := integer_sum (S k) (fun t => c t * v (over s t) k)).
      exists (fun t => if (t =? s)%nat then - total else c (under t) * v s k). split.
      * exists (over s t). split; [unfold over; destruct (t <? s)%nat; lia|].
        destruct (Nat.eqb_spec (over s t) s) as [E|_]; [destruct (A t E)|]. rewrite U. intros P.
        apply null_prime in P as [P|P]; [exact (C P)|exact (N P)].
      * intros i Hi. rewrite (sum_over s (S k)) by lia. rewrite Nat.eqb_refl.
        rewrite (integer_sum_ext (S k) _ (fun t => v s k * (c t * v (over s t) i))).
        2:{ intros r _. destruct (Nat.eqb_spec (over s r) s) as [E|_]; [destruct (A r E)|]. rewrite U. ring. }
        rewrite integer_sum_scale. destruct (Nat.eq_dec i k) as [->|M].
        -- fold total. replace (- total * v s k + v s k * total) with 0 by ring. exact null_0.
        -- specialize (L i ltac:(lia)).
           rewrite (integer_sum_ext (S k) _ (fun t => v s k * (c t * v (over s t) i) + - v s i * (c t * v (over s t) k))) in L
             by (intros; ring).
           rewrite integer_sum_plus, !integer_sum_scale in L. fold total in L.
           replace (- total * v s i) with (- v s i * total) by ring. rewrite Z.add_comm. exact L.
    + destruct (IH v) as [c [[t [Ht C]] L]]. exists (fun t => if (t =? S k)%nat then 0 else c t). split.
      * exists t. split; [lia|]. destruct (Nat.eqb_spec t (S k)); [lia|exact C].
      * intros i Hi. change (integer_sum (S (S k)) ?g) with (integer_sum (S k) g + g (S k)). cbv beta.
        rewrite Nat.eqb_refl, Z.mul_0_l, Z.add_0_r.
        rewrite (integer_sum_ext (S k) _ (fun t => c t * v t i)) by (intros r Hr; destruct (Nat.eqb_spec r (S k)); [lia|reflexivity]).
        destruct (Nat.eq_dec i k) as [->|M]; [|apply L; lia].
        apply null_sum. intros r Hr. apply null_times, Z. lia.
Qed.

(* ---- elimination: a pivot is taken, and what later lines have of it is cleared ---- *)

Variable is_null : Z -> bool.
Hypothesis is_null_spec : forall a, is_null a = false -> ~ null a.
(* what an entry becomes, and the number by which it is divided meanwhile *)
Variable shrink : Z -> Z -> option Z.
Variable divisor : Z -> Z.
Hypothesis divisor_spec : forall a, ~ null a -> ~ null (divisor a).
Hypothesis shrink_spec : forall last a s, shrink last a = Some s -> null (s * divisor last - a).

Fixpoint pivot_of (rows : list (list Z)) (before : list (list Z)) : option (Z * list Z * list (list Z)) :=
  match rows with
  | (a :: p) :: rows' => if is_null a then pivot_of rows' ((a :: p) :: before) else Some (a, p, rev_append before rows')
  | _ => None
  end.
Fixpoint reduce (last a b : Z) (row p : list Z) : option (list Z) :=
  match row, p with
  | [], [] => Some []
  | x :: row', y :: p' =>
      match shrink last (a * x - b * y), reduce last a b row' p' with Some s, Some l => Some (s :: l) | _, _ => None end
  | _, _ => None
  end.
Definition cleared (last a : Z) (p row : list Z) : option (list Z) :=
  match row with b :: row' => reduce last a b row' p | [] => None end.
Fixpoint independent (n : nat) (last : Z) (rows : list (list Z)) : bool :=
  match n with
  | O => match rows with [] => true | _ => false end
  | S k => match pivot_of rows [] with
           | Some (a, p, others) =>
               match each (cleared last a p) others with Some rows' => independent k a rows' | None => false end
           | None => false
           end
  end.

(* a combination of lines: their coefficients stand before them *)
Definition combined (l : list (Z * list Z)) (j : nat) : Z := fold_right (fun p s => fst p * nth j (snd p) 0 + s) 0 l.
Lemma combined_app l k j : combined (l ++ k) j = combined l j + combined k j.
Proof.
  induction l as [|p l IH]; [reflexivity|]. unfold combined in *. cbn [app fold_right]. rewrite IH. lia.
Qed.

Lemma pivot_of_spec : forall rows before a p others, pivot_of rows before = Some (a, p, others) ->
  is_null a = false /\ exists A B, rows = A ++ (a :: p) :: B /\ others = rev before ++ A ++ B.
Proof.
  induction rows as [|row rows IH]; intros before a p others H; [discriminate|]. cbn [pivot_of] in H.
  destruct row as [|c row]; [discriminate|]. destruct (is_null c) eqn:E.
  - destruct (IH _ _ _ _ H) as [N [A [B [-> ->]]]]. split; [exact N|]. exists ((c :: row) :: A), B. split; [reflexivity|].
    cbn [rev]. rewrite <- app_assoc. reflexivity.
  - injection H as -> -> <-. split; [exact E|]. exists [], rows. split; [reflexivity|]. rewrite rev_append_rev. reflexivity.
Qed.
Lemma reduce_spec last a b : forall row p l, reduce last a b row p = Some l ->
  forall j, null (nth j l 0 * divisor last - (a * nth j row 0 - b * nth j p 0)).
Proof.
  induction row as [|x row IH]; intros [|y p] l H j; cbn [reduce] in H; try discriminate.
  - injection H as <-. replace (nth j [] 0) with 0 by (destruct j; reflexivity). replace (_ - _) with 0 by ring. exact null_0.
  - destruct (shrink last (a * x - b * y)) as [s|] eqn:S; [|discriminate].
    destruct (reduce last a b row p) as [k|] eqn:R; [|discriminate]. injection H as <-.
    destruct j as [|j]; cbn [nth]; [apply shrink_spec, S|apply (IH _ _ R)].
Qed.

Theorem independent_spec : forall n last l, independent n last (map snd l) = true -> ~ null last ->
  (forall j, null (combined l j)) -> forall p, In p l -> null (fst p).
Proof.
  induction n as [|n IH]; intros last l H N Z p I; cbn [independent] in H.
  - destruct l; [destruct I|discriminate].
  - destruct (pivot_of (map snd l) []) as [[[a q] others]|] eqn:P; [|discriminate].
    destruct (pivot_of_spec _ _ _ _ _ P) as [Na [A [B [E O]]]]. apply is_null_spec in Na. cbn [rev app] in O. subst others.
    destruct (each (cleared last a q) (A ++ B)) as [rows|] eqn:R; [|discriminate].
    apply map_eq_app in E as [l1 [l2 [-> [<- E]]]]. destruct l2 as [|[c row] l2]; [discriminate|]. cbn [map snd] in E.
    injection E as -> <-. rewrite <- map_app in R.
    assert (exists l', map snd l' = rows /\ map fst l' = map fst (l1 ++ l2) /\
      forall j, null (combined l' j * divisor last
        - (a * combined (l1 ++ l2) (S j) - combined (l1 ++ l2) 0 * nth j q 0))) as [l' [Rl [Fl Cl]]].
    { clear - null_0 null_plus null_times R shrink_spec. revert rows R. induction (l1 ++ l2) as [|[d row] l IH]; intros rows R.
      - injection R as <-. exists []. split; [reflexivity|]. split; [reflexivity|]. intros j. cbn.
        match goal with |- null ?e => replace e with 0 by ring end. exact null_0.
      - cbn [map snd each] in R. destruct (cleared last a q row) as [row'|] eqn:C; [|discriminate].
        destruct (each _ (map snd l)) as [rows'|] eqn:M; [|discriminate]. injection R as <-.
        destruct (IH _ eq_refl) as [l' [S [F K]]]. exists ((d, row') :: l'). cbn [map snd fst]. split; [congruence|].
        split; [congruence|]. intros j. specialize (K j). destruct row as [|b row]; [discriminate|]. cbn [cleared] in C.
        pose proof (reduce_spec _ _ _ _ _ _ C j) as Q. unfold combined in *. cbn [fold_right fst snd nth].
        replace (_ - _) with (d * (nth j row' 0 * divisor last - (a * nth j row 0 - b * nth j q 0))
          + (fold_right (fun (p : Z * list Z) (s : Z) => fst p * nth j (snd p) 0 + s) 0 l' * divisor last
          - (a * fold_right (fun (p : Z * list Z) (s : Z) => fst p * nth (Datatypes.S j) (snd p) 0 + s) 0 l
             - fold_right (fun (p : Z * list Z) (s : Z) => fst p * nth 0 (snd p) 0 + s) 0 l * nth j q 0))) by ring.
        apply null_plus; [apply null_times, Q|exact K]. }
    assert (forall j, null (combined (l1 ++ l2) j + c * nth j (a :: q) 0)) as W.
    { intros j. specialize (Z j). rewrite combined_app in *. unfold combined at 2 in Z. cbn [fold_right fst snd] in Z.
      fold (combined l2 j) in Z. replace (_ + _) with (combined l1 j + (c * nth j (a :: q) 0 + combined l2 j)) by ring. exact Z. }
    assert (forall p, In p l' -> null (fst p)) as G.
    { apply (IH a l'); [rewrite Rl; exact H|exact Na|]. intros j.
      assert (null (combined l' j * divisor last)) as D.
      { specialize (Cl j). pose proof (W (Datatypes.S j)) as W1. pose proof (W O) as W0. cbn [nth] in W0, W1.
        replace (combined l' j * divisor last) with
          (combined l' j * divisor last - (a * combined (l1 ++ l2) (Datatypes.S j) - combined (l1 ++ l2) 0 * nth j q 0)
           + (a * (combined (l1 ++ l2) (Datatypes.S j) + c * nth j q 0) - nth j q 0 * (combined (l1 ++ l2) 0 + c * a))) by ring.
        apply null_plus; [exact Cl|]. apply null_minus; apply null_times; assumption. }
      apply null_prime in D as [D|D]; [exact D|]. destruct (divisor_spec last N D). }
    assert (forall p, In p (l1 ++ l2) -> null (fst p)) as G2.
    { intros r J. assert (In (fst r) (map fst l')) as K by (rewrite Fl; apply in_map, J).
      apply in_map_iff in K as [r' [<- K]]. apply G, K. }
    apply in_app_or in I as [I|[<-|I]]; [apply G2, in_or_app; left; exact I| |apply G2, in_or_app; right; exact I].
    cbn [fst]. pose proof (W O) as W0. cbn [nth] in W0.
    assert (null (combined (l1 ++ l2) 0)) as C0.
    { clear - G2 null_0 null_plus null_times. induction (l1 ++ l2) as [|r l IH]; [exact null_0|]. unfold combined. cbn [fold_right].
      apply null_plus; [rewrite Z.mul_comm; apply null_times, G2; left; reflexivity|]. apply IH. intros s I. apply G2. right. exact I. }
    pose proof (null_minus _ _ W0 C0) as D. replace (_ - _) with (c * a) in D by ring.
    apply null_prime in D as [D|D]; [exact D|destruct (Na D)].
Qed.
End Domain.
