(* Rational laws of a mechanism, compared on all pairs of neighbours. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool Permutation Sorting.Mergesort Orders.
From CCSim Require Import Definitions Sums Mixture.
Import ListNotations.
Local Open Scope Z_scope.

(* by how much p exceeds a/b q, in parts of b (sum of p) (sum of q) *)
Fixpoint excess (a b sp sq : Z) (p q : list Z) : Z :=
  match p, q with
  | x :: p', y :: q' => Z.max 0 (b * x * sq - a * y * sp) + excess a b sp sq p' q'
  | _, _ => 0
  end.

Definition check_pair (outcomes : nat) (factor delta : Q) (p q : list Z) : bool :=
  is_law p && is_law q && (length p =? outcomes)%nat && (length q =? outcomes)%nat
  && at_most (excess (Qnum factor) (QDen factor) (total p) (total q) p q)
             (QDen factor * (total p * total q)) delta.

Lemma excess_bound a b sp sq (event : nat -> bool) : forall p q, length q = length p ->
  (sum (length p) (fun o => (inject_Z b * inject_Z sq * inject_Z (nth o p 0%Z)
      - inject_Z a * inject_Z sp * inject_Z (nth o q 0%Z)) * chance (event o))
   <= inject_Z (excess a b sp sq p q))%Q.
Proof.
  intros p. revert event. induction p as [|x p IH]; intros event [|y q] E; try discriminate E.
  - apply Qle_refl.
  - injection E as E. cbn [length]. rewrite sum_shift. cbn [nth excess].
    rewrite inject_Z_plus. apply Qplus_le_compat; [|apply (IH (fun o => event (S o))); exact E].
    destruct (event O); unfold chance.
    + rewrite Qmult_1_r, <- !inject_Z_mult.
      setoid_replace (inject_Z (b * sq * x) - inject_Z (a * sp * y))%Q
        with (inject_Z (b * x * sq - a * y * sp))%Q.
      * rewrite <- Zle_Qle. lia.
      * unfold Qminus. rewrite <- inject_Z_opp, <- inject_Z_plus.
        replace (b * sq * x + - (a * sp * y)) with (b * x * sq - a * y * sp) by ring. reflexivity.
    + rewrite Qmult_0_r. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia.
Qed.

Definition probability_of (p : list Z) outcomes (event : nat -> bool) : Q :=
  sum outcomes (fun o => share p o * chance (event o))%Q.

Lemma check_pair_sound outcomes factor delta p q : check_pair outcomes factor delta p q = true ->
  forall event, (probability_of p outcomes event <= factor * probability_of q outcomes event + delta)%Q.
Proof.
  unfold check_pair, probability_of. intros C event.
  apply andb_prop in C as [C M]. apply andb_prop in C as [C Eq]. apply andb_prop in C as [C Ep].
  apply andb_prop in C as [Lp Lq]. apply Nat.eqb_eq in Ep, Eq.
  pose proof (total_pos p Lp) as Pp. pose proof (total_pos q Lq) as Pq.
  set (b := inject_Z (QDen factor)). set (sp := inject_Z (total p)) in *. set (sq := inject_Z (total q)) in *.
  assert (0 < b)%Q as Pb. { unfold b. change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. lia. }
  assert (factor == inject_Z (Qnum factor) / b)%Q as F.
  { unfold b. destruct factor as [a d]. cbn. unfold Qeq, Qdiv, Qmult, Qinv. cbn. lia. }
  pose proof (excess_bound (Qnum factor) (QDen factor) (total p) (total q) event p q ltac:(lia)) as B.
  fold b sp sq in B. rewrite Ep in B.
  assert (0 < total p) as Tp by (apply andb_prop in Lp as [_ Lp]; apply Z.ltb_lt, Lp).
  assert (0 < total q) as Tq by (apply andb_prop in Lq as [_ Lq]; apply Z.ltb_lt, Lq).
  set (X := excess (Qnum factor) (QDen factor) (total p) (total q) p q) in *.
  assert (inject_Z X / (b * (sp * sq)) <= delta)%Q as D.
  { eapply at_most_spec; [| |exact M]; [lia|]. rewrite !inject_Z_mult. fold b sp sq. field.
    repeat split; lra. }
  assert (0 < b * (sp * sq))%Q as P by (repeat apply Qmult_lt_0_compat; assumption).
  apply (Qle_trans _ (factor * sum outcomes (fun o => share q o * chance (event o))
    + inject_Z X / (b * (sp * sq)))%Q); [|lra].
  assert (inject_Z X / (b * (sp * sq)) >= / (b * (sp * sq)) * sum outcomes (fun o => (b * sq * inject_Z (nth o p 0%Z)
      - inject_Z (Qnum factor) * sp * inject_Z (nth o q 0%Z)) * chance (event o)))%Q as G.
  { unfold Qdiv. rewrite (Qmult_comm (inject_Z X)). apply Qmult_le_l; [apply Qinv_lt_0_compat, P|exact B]. }
  rewrite <- sum_scale in G. rewrite <- sum_scale.
  rewrite (sum_ext outcomes (fun o => / (b * (sp * sq)) * _)%Q (fun o => share p o * chance (event o)
     + (-1) * (factor * (share q o * chance (event o))))%Q) in G.
  - rewrite sum_plus, sum_scale in G. lra.
  - intros o Ho. unfold share. fold sp sq.
    set (a := inject_Z (Qnum factor)) in *. clearbody a b sp sq.
    setoid_rewrite F. field. repeat split; lra.
Qed.

(* ---- databases: sequences of m records ---- *)

Definition replaced (D E : list nat) : Prop := exists l x y t, D = l ++ x :: t /\ E = l ++ y :: t.
Definition database (records m : nat) (D : list nat) : Prop :=
  length D = m /\ forall x, In x D -> (x < records)%nat.

(* (epsilon, delta)-privacy with factor = e^epsilon, of a mechanism on sequences *)
Definition private_on_sequences records m outcomes (mechanism : list nat -> list Z) factor delta :=
  forall D E, database records m D -> database records m E -> replaced D E ->
  forall event, (probability_of (mechanism D) outcomes event
                 <= factor * probability_of (mechanism E) outcomes event + delta)%Q.

Fixpoint sequences (records m : nat) : list (list nat) :=
  match m with
  | O => [[]]
  | S k => flat_map (fun x => map (cons x) (sequences records k)) (seq 0 records)
  end.

Lemma sequences_spec records : forall m D, database records m D -> In D (sequences records m).
Proof.
  induction m as [|m IH]; intros D [L R]; simpl.
  - left. destruct D; [reflexivity|discriminate].
  - destruct D as [|x D]; [discriminate|]. apply in_flat_map. exists x. split.
    + apply in_seq. specialize (R x (or_introl eq_refl)). lia.
    + apply in_map, IH. split; [injection L; auto|intros y Hy; apply R; right; exact Hy].
Qed.

(* all that replacing one entry makes of a database *)
Fixpoint replacements (records : nat) (D : list nat) : list (list nat) :=
  match D with
  | [] => []
  | x :: t => map (fun y => y :: t) (seq 0 records) ++ map (cons x) (replacements records t)
  end.

Lemma replacements_spec records m : forall l x y t, database records m (l ++ y :: t) ->
  In (l ++ y :: t) (replacements records (l ++ x :: t)).
Proof.
  intros l x y t [_ R]. assert (y < records)%nat as Hy by (apply R, in_elt). clear R m.
  induction l as [|z l IH]; simpl; apply in_or_app.
  - left. apply in_map_iff. exists y. split; [reflexivity|apply in_seq; lia].
  - right. apply in_map, IH.
Qed.

Definition check_sequences records m outcomes (mechanism : list nat -> list Z) factor delta : bool :=
  forallb (fun D => forallb (fun E => check_pair outcomes factor delta (mechanism D) (mechanism E))
                            (replacements records D)) (sequences records m).

Theorem check_sequences_sound records m outcomes mechanism factor delta :
  check_sequences records m outcomes mechanism factor delta = true ->
  private_on_sequences records m outcomes mechanism factor delta.
Proof.
  unfold check_sequences. intros C D E HD HE [l [x [y [t [-> ->]]]]].
  rewrite forallb_forall in C. specialize (C _ (sequences_spec _ _ _ HD)).
  rewrite forallb_forall in C. apply check_pair_sound, C, (replacements_spec records m), HE.
Qed.

(* a table of laws in lexicographic order *)
Definition place (records : nat) (D : list nat) : nat := fold_left (fun a x => a * records + x)%nat D O.
Definition tabulated (records : nat) (laws : list (list Z)) (D : list nat) : list Z :=
  nth (place records D) laws [].

(* ---- multisets: a mechanism that sorts its database first ---- *)

Module NatOrder <: TotalLeBool.
  Definition t := nat.
  Definition leb := Nat.leb.
  Lemma leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros a b. unfold leb. rewrite !Nat.leb_le. lia. Qed.
End NatOrder.
Module Sorting := Sort NatOrder.
Definition sorted (D : list nat) : list nat := Sorting.sort D.

Lemma sorted_permutation D : Permutation D (sorted D).
Proof. apply Sorting.Permuted_sort. Qed.

Lemma sorted_strongly D : Sorted.StronglySorted (fun a b => (a <= b)%nat) (sorted D).
Proof.
  assert (RelationClasses.Transitive (fun x y => is_true (NatOrder.leb x y))) as T.
  { intros a b c. unfold is_true, NatOrder.leb. rewrite !Nat.leb_le. lia. }
  pose proof (Sorting.StronglySorted_sort D T) as S. unfold sorted. induction S as [|a l S IH F]; constructor.
  - exact IH.
  - eapply Forall_impl; [|exact F]. intros b. unfold is_true, NatOrder.leb. rewrite Nat.leb_le. auto.
Qed.

Lemma strongly_sorted_unique : forall l k, Sorted.StronglySorted (fun a b => (a <= b)%nat) l ->
  Sorted.StronglySorted (fun a b => (a <= b)%nat) k -> Permutation l k -> l = k.
Proof.
  induction l as [|a l IH]; intros k Sl Sk P.
  - apply Permutation_nil in P. auto.
  - destruct k as [|b k]; [apply Permutation_sym, Permutation_nil in P; discriminate|].
    inversion Sl as [|? ? Sl' Fl]; inversion Sk as [|? ? Sk' Fk]; subst.
    rewrite Forall_forall in Fl, Fk.
    assert (a = b) as ->.
    { assert (In a (b :: k)) as Ia by (eapply Permutation_in; [exact P|left; reflexivity]).
      assert (In b (a :: l)) as Ib by (eapply Permutation_in; [apply Permutation_sym, P|left; reflexivity]).
      destruct Ia as [->|Ia]; [reflexivity|]. destruct Ib as [->|Ib]; [reflexivity|].
      apply Fl in Ib. apply Fk in Ia. lia. }
    f_equal. apply IH; [assumption..|]. eapply Permutation_cons_inv, P.
Qed.

Lemma sorted_of_permutation D E : Permutation D E -> sorted D = sorted E.
Proof.
  intros P. apply strongly_sorted_unique; [apply sorted_strongly..|].
  eapply Permutation_trans; [apply Permutation_sym, sorted_permutation|].
  eapply Permutation_trans; [exact P|apply sorted_permutation].
Qed.

(* non-decreasing sequences of entries from low up to below records *)
Fixpoint multisets (records m : nat) : nat -> list (list nat) :=
  match m with
  | O => fun _ => [[]]
  | S k => fun low => flat_map (fun x => map (cons x) (multisets records k x)) (seq low (records - low))
  end.

Lemma multisets_spec records : forall m low D, Sorted.StronglySorted (fun a b => (a <= b)%nat) D ->
  database records m D -> (forall x, In x D -> (low <= x)%nat) -> In D (multisets records m low).
Proof.
  induction m as [|m IH]; intros low D S [L R] B; simpl.
  - left. destruct D; [reflexivity|discriminate].
  - destruct D as [|x D]; [discriminate|]. inversion S as [|? ? S' F]; subst.
    rewrite Forall_forall in F. apply in_flat_map. exists x. split.
    + pose proof (B x (or_introl eq_refl)). pose proof (R x (or_introl eq_refl)). apply in_seq. lia.
    + apply in_map, IH; [exact S'| |exact F].
      split; [injection L; auto|intros y Hy; apply R; right; exact Hy].
Qed.

Definition check_multisets records m outcomes (law_of : list nat -> list Z) factor delta : bool :=
  forallb (fun D => forallb (fun E => check_pair outcomes factor delta (law_of D) (law_of (sorted E)))
                            (replacements records D)) (multisets records m O).

Theorem check_multisets_sound records m outcomes law_of factor delta :
  check_multisets records m outcomes law_of factor delta = true ->
  private_on_sequences records m outcomes (fun D => law_of (sorted D)) factor delta.
Proof.
  unfold check_multisets. intros C D E [LD RD] [LE RE] [l [x [y [t [-> ->]]]]].
  set (S := sorted (l ++ x :: t)).
  pose proof (sorted_permutation (l ++ x :: t)) as P. fold S in P.
  assert (In x S) as Hx by (eapply Permutation_in; [exact P|apply in_elt]).
  destruct (in_split _ _ Hx) as [l' [t' ES]].
  assert (Permutation (l ++ t) (l' ++ t')) as P'.
  { apply (Permutation_app_inv l t l' t' x). rewrite <- ES. exact P. }
  assert (Permutation (l ++ y :: t) (l' ++ y :: t')) as PE.
  { eapply Permutation_trans; [apply Permutation_sym, Permutation_middle|].
    eapply Permutation_trans; [apply perm_skip, P'|apply Permutation_middle]. }
  rewrite (sorted_of_permutation _ _ PE).
  rewrite forallb_forall in C. assert (In S (multisets records m O)) as I.
  { apply multisets_spec; [apply sorted_strongly| |lia]. split.
    - rewrite <- (Permutation_length P). exact LD.
    - intros z Hz. apply RD. eapply Permutation_in; [apply Permutation_sym, P|exact Hz]. }
  specialize (C S I). rewrite forallb_forall in C. apply check_pair_sound, C.
  rewrite ES. apply (replacements_spec records m). split.
  - rewrite <- (Permutation_length PE). exact LE.
  - intros z Hz. apply RE. eapply Permutation_in; [apply Permutation_sym, PE|exact Hz].
Qed.
