(* The no-clash teaching dimension: a teacher from above; from below pairs that differ on one point
   are counted, or samples, or a tree of cases excludes teachers with sets of some size. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate Tables Sorting Stars Teaching.
Import ListNotations.
Local Open Scope nat_scope.

Definition point_bit (x : nat) : N := N.setbit 0 (N.of_nat x).
Lemma point_bit_spec x y : bit (point_bit x) y = (x =? y).
Proof.
  unfold point_bit. rewrite bit_testbit, N.setbit_eqb, N.bits_0, orb_false_r.
  destruct (Nat.eqb_spec x y) as [->|Ne]; [apply N.eqb_refl|]. apply N.eqb_neq. lia.
Qed.

(* a teacher with sets of at most w points has such sets for the rows *)
Definition given_for n rows (w : Z) (T : N -> list nat) :=
  (forall r, In r rows -> (forall x, In x (T r) -> x < n) /\ few w (T r)) /\
  forall r s, In r rows -> In s rows -> (exists x, x < n /\ bit r x <> bit s x) ->
    exists x, In x (T r ++ T s) /\ bit r x <> bit s x.

Lemma given_rows n rows w : teachable_without_clash n (class_of_rows n rows) w -> exists T, given_for n rows w T.
Proof.
  intros [T [F D]]. exists (fun r => T (bit r)). split.
  - intros r Hr. apply F, row_in, Hr.
  - intros r s Hr Hs [x [Hx E]]. apply D; [apply row_in, Hr|apply row_in, Hs|].
    intros S. apply E, S, Hx.
Qed.

(* ---- from above ---- *)

Definition meets (T U : list nat) (r s : N) : bool :=
  existsb (fun x => negb (Bool.eqb (bit r x) (bit s x))) T || existsb (fun x => negb (Bool.eqb (bit r x) (bit s x))) U.
Fixpoint no_clashes (given : list (N * list nat)) : bool :=
  match given with
  | [] => true
  | (r, T) :: rest => forallb (fun p => meets T (snd p) r (fst p)) rest && no_clashes rest
  end.
Definition check_teacher (n : nat) (rows : list N) (sets : list (list nat)) : bool :=
  (length rows =? length sets) && forallb (forallb (fun x => x <? n)) sets && no_clashes (combine rows sets).

Definition fitting (n : nat) (f : concept) (p : N * list nat) : bool :=
  forallb (fun x => Bool.eqb (bit (fst p) x) (f x)) (seq 0 n).
Lemma fitting_spec n f p : fitting n f p = true <-> same n f (bit (fst p)).
Proof.
  unfold fitting. rewrite forallb_forall. split; intros H x Hx.
  - symmetry. apply eqb_prop, H, in_seq. lia.
  - apply in_seq in Hx. rewrite (H x) by lia. apply eqb_reflx.
Qed.
Lemma no_clashes_pair given : no_clashes given = true -> forall p q, In p given -> In q given ->
  p = q \/ meets (snd p) (snd q) (fst p) (fst q) = true.
Proof.
  assert (forall T U r s, meets T U r s = meets U T s r) as Y.
  { intros. unfold meets. rewrite orb_comm.
    assert (forall V, existsb (fun x => negb (Bool.eqb (bit r x) (bit s x))) V =
      existsb (fun x => negb (Bool.eqb (bit s x) (bit r x))) V) as Z.
    { induction V as [|x V IH]; [reflexivity|]. cbn [existsb]. rewrite IH. f_equal. f_equal.
      destruct (bit r x), (bit s x); reflexivity. }
    rewrite !Z. reflexivity. }
  induction given as [|[r T] given IH]; intros H p q Hp Hq; [contradiction|].
  cbn [no_clashes] in H. apply andb_prop in H as [H K]. rewrite forallb_forall in H.
  destruct Hp as [<-|Hp], Hq as [<-|Hq]; auto.
  - right. rewrite Y. apply H, Hp.
Qed.

Theorem check_teacher_sound n rows sets : check_teacher n rows sets = true ->
  enough_at_most (teachable_without_clash n (class_of_rows n rows)) (largest sets).
Proof.
  intros H. apply andb_prop in H as [H K]. apply andb_prop in H as [L B]. apply Nat.eqb_eq in L.
  split; [apply largest_least|].
  set (chosen := fun f => match find (fitting n f) (combine rows sets) with Some p => p | None => (0%N, []) end).
  assert (forall f, class_of_rows n rows f ->
    In (chosen f) (combine rows sets) /\ same n f (bit (fst (chosen f)))) as F.
  { intros f Cf. apply in_table in Cf as [r [Hr E]]. unfold chosen.
    destruct (find _ _) as [p|] eqn:Q.
    - apply find_some in Q as [I Q]. split; [exact I|apply fitting_spec, Q].
    - exfalso. apply (In_nth _ _ 0%N) in Hr as [i [Hi Er]].
      assert (In (r, nth i sets []) (combine rows sets)) as I.
      { rewrite <- Er, <- combine_nth by exact L. apply nth_In. rewrite combine_length. lia. }
      apply (find_none _ _ Q) in I. rewrite (proj2 (fitting_spec n f _)) in I; [discriminate|exact E]. }
  exists (fun f => snd (chosen f)). split.
  - intros f Cf. destruct (F f Cf) as [I _]. destruct (chosen f) as [r T]. apply in_combine_r in I.
    cbn [snd]. rewrite forallb_forall in B. specialize (B T I). rewrite forallb_forall in B. split.
    + intros x Hx. apply Nat.ltb_lt, B, Hx.
    + apply largest_few, I.
  - intros f g Cf Cg D. destruct (F f Cf) as [If Ef], (F g Cg) as [Ig Eg].
    destruct (no_clashes_pair _ K _ _ If Ig) as [E|M].
    { contradiction D. intros x Hx. rewrite (Ef x Hx), E. symmetry. apply Eg, Hx. }
    assert (exists x, In x (snd (chosen f) ++ snd (chosen g)) /\ bit (fst (chosen f)) x <> bit (fst (chosen g)) x)
      as [x [Hx N]].
    { apply orb_prop in M as [M|M]; apply existsb_exists in M as [x [Hx N]]; exists x;
        (split; [apply in_or_app; auto|]); intros Q; rewrite Q, eqb_reflx in N; discriminate. }
    assert (x < n) as Bx.
    { rewrite forallb_forall in B. apply in_app_or in Hx as [Hx|Hx].
      - destruct (chosen f) as [r T]. apply in_combine_r in If. specialize (B T If). rewrite forallb_forall in B.
        apply Nat.ltb_lt, B, Hx.
      - destruct (chosen g) as [r T]. apply in_combine_r in Ig. specialize (B T Ig). rewrite forallb_forall in B.
        apply Nat.ltb_lt, B, Hx. }
    exists x. split; [exact Hx|]. rewrite (Ef x Bx), (Eg x Bx). exact N.
Qed.

(* ---- pairs that differ on one point: the half of such a pair that has it ---- *)

Definition mate (p : N * nat) : N * nat := (N.lxor (fst p) (point_bit (snd p)), snd p).
Definition halves (n : nat) (chosen : list N) : list (N * nat) :=
  filter (fun p => existsb (N.eqb (fst (mate p))) chosen) (list_prod chosen (seq 0 n)).
(* v is half the number of halves over the number of concepts, rounded up *)
Definition check_edges (n : nat) (chosen : list N) (v : Z) : bool :=
  let h := Z.of_N (size (halves n chosen)) in let m := Z.of_N (size chosen) in
  distinct chosen && (0 <? m)%Z && (2 * (v - 1) * m <? h)%Z && (h <=? 2 * v * m)%Z.

Lemma mate_mate p : mate (mate p) = p.
Proof.
  destruct p as [r x]. unfold mate. cbn [fst snd]. f_equal.
  rewrite N.lxor_assoc, N.lxor_nilpotent. apply N.lxor_0_r.
Qed.
Lemma NoDup_pairs {A B} (l : list A) (k : list B) : NoDup l -> NoDup k -> NoDup (list_prod l k).
Proof.
  intros D K. induction D as [|a l Na D IH]; cbn [list_prod]; [constructor|].
  assert (forall k', NoDup k' -> NoDup (map (pair a) k' ++ list_prod l k)) as G.
  { induction 1 as [|b k' Nb D' IH']; [exact IH|]. cbn [map app]. constructor; [|exact IH'].
    intros H. apply in_app_or in H as [H|H].
    - apply in_map_iff in H as [c [[= <-] H]]. contradiction.
    - apply in_prod_iff in H as [H _]. contradiction. }
  apply G, K.
Qed.

Theorem check_edges_sound n rows chosen v : (forall r, In r chosen -> In r rows) ->
  check_edges n chosen v = true -> enough_at_least (teachable_without_clash n (class_of_rows n rows)) v.
Proof.
  intros I H w W E. destruct (given_rows _ _ _ E) as [T [F D]].
  unfold check_edges in H. rewrite !size_length in H.
  apply andb_prop in H as [H _]. apply andb_prop in H as [H V]. apply andb_prop in H as [U M].
  apply distinct_spec in U. apply Z.ltb_lt in V, M.
  set (covered := flat_map (fun r => map (pair r) (T r)) chosen).
  assert (forall l, (forall r, In r l -> In r rows) ->
    (Z.of_nat (length (flat_map (fun r => map (pair r) (T r)) l)) <= w * Z.of_nat (length l))%Z \/ l = []) as C.
  { clear - F. induction l as [|r l IH]; intros I; [auto|]. left. cbn [flat_map length].
    rewrite app_length, map_length. destruct (F r (I r (or_introl eq_refl))) as [_ Q]. unfold few in Q.
    destruct IH as [IH| ->]; [intros s Hs; apply I; right; exact Hs| |]; cbn [flat_map length]; lia. }
  assert (incl (halves n chosen) (covered ++ map mate covered)) as J.
  { intros [r x] H. apply filter_In in H as [H Q]. apply in_prod_iff in H as [Hr Hx]. apply in_seq in Hx.
    apply existsb_exists in Q as [s [Hs Q]]. apply N.eqb_eq in Q. unfold mate in Q. cbn [fst snd] in Q.
    destruct (D r s (I r Hr) (I s Hs)) as [y [Hy N]].
    { exists x. split; [lia|]. rewrite <- Q, bit_lxor, point_bit_spec, Nat.eqb_refl. destruct (bit r x); discriminate. }
    assert (y = x) as ->.
    { rewrite <- Q, bit_lxor, point_bit_spec in N. destruct (Nat.eqb_spec x y) as [->|Ne]; [reflexivity|].
      rewrite xorb_false_r in N. contradiction N. reflexivity. }
    apply in_or_app. apply in_app_or in Hy as [Hy|Hy].
    - left. apply in_flat_map. exists r. split; [exact Hr|apply in_map, Hy].
    - right. apply in_map_iff. exists (s, x). split.
      + rewrite <- Q. change (N.lxor r (point_bit x), x) with (mate (r, x)). apply mate_mate.
      + apply in_flat_map. exists s. split; [exact Hs|apply in_map, Hy]. }
  assert (NoDup (halves n chosen)) as P by (apply NoDup_filter, NoDup_pairs; [exact U|apply seq_NoDup]).
  pose proof (NoDup_incl_length P J) as L. rewrite app_length, map_length in L.
  destruct (C chosen I) as [C'|C']; [|subst chosen; simpl in M; lia]. fold covered in C'.
  rewrite !nat_N_Z in *. nia.
Qed.
