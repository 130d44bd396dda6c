(* Refutations as lists of pairs, before format 2: what Shattering.v still uses of it.
   The Littlestone dimension: mistake trees whose leaves name concepts from below, refutations up to
   symmetry from above.  A row is a number whose bit x is the label of point x. *)
From Coq Require Import List Arith NArith ZArith Lia Bool.
From Coq Require Import MSets.MSetPositive FSets.FMapPositive.
From CCSim Require Import Definitions.
Import ListNotations.
Local Open Scope nat_scope.

Definition rows_class (n : nat) (rows : list N) : class :=
  fun h => exists r, In r rows /\ forall x, x < n -> h x = bit r x.

Definition ldim_at_least := mistakes.
Definition ldim_at_most n C d := forall d', ldim_at_least n C d' -> d' <= d.

(* ---------- the recursive form ---------- *)

Fixpoint big (n d : nat) (C : class) : Prop :=
  match d with
  | 0 => exists h, C h
  | S d' => exists x, x < n /\ big n d' (fun h => C h /\ h x = false)
                            /\ big n d' (fun h => C h /\ h x = true)
  end.

Lemma big_iff n : forall d C, big n d C <-> ldim_at_least n C d.
Proof.
  induction d as [|d IH]; intros C; split.
  - intros [h Hh]. exists Leaf. split; [exact I|]. intros [|b p] Hp; [|discriminate].
    exists h. split; [exact Hh|exact I].
  - intros [t [Ht Hs]]. destruct (Hs [] eq_refl) as [h [Hh _]]. exists h; exact Hh.
  - intros [x [Hx [H0 H1]]]. apply IH in H0. apply IH in H1.
    destruct H0 as [l [Hl Sl]], H1 as [r [Hr Sr]].
    exists (Node x l r). split; [simpl; auto|].
    intros [|b p] Hp; [discriminate|]. injection Hp as Hp.
    destruct b.
    + destruct (Sr p Hp) as [h [[Ch hx] F]]. exists h. simpl; auto.
    + destruct (Sl p Hp) as [h [[Ch hx] F]]. exists h. simpl; auto.
  - intros [t [Ht Hs]]. destruct t as [|x l r]; [contradiction|].
    destruct Ht as [Hx [Hl Hr]]. exists x. split; [exact Hx|]. split; apply IH.
    + exists l. split; [exact Hl|]. intros p Hp.
      destruct (Hs (false :: p)) as [h [Ch [hx F]]]; [simpl; congruence|]. exists h; auto.
    + exists r. split; [exact Hr|]. intros p Hp.
      destruct (Hs (true :: p)) as [h [Ch [hx F]]]; [simpl; congruence|]. exists h; auto.
Qed.

Lemma big_mono n : forall d (C D : class), (forall h, C h -> D h) -> big n d C -> big n d D.
Proof.
  induction d as [|d IH]; intros C D H.
  - intros [h Hh]; exists h; auto.
  - intros [x [Hx [H0 H1]]]. exists x; split; [exact Hx|].
    split; [eapply IH, H0|eapply IH, H1]; simpl; intros h [? ?]; auto.
Qed.

Lemma big_pred n : forall d C, big n (S d) C -> big n d C.
Proof.
  induction d as [|d IH]; intros C [x [Hx [H0 H1]]].
  - destruct H0 as [h [Hh _]]; exists h; exact Hh.
  - exists x; split; [exact Hx|]; split; apply IH; assumption.
Qed.

Lemma big_down n : forall d d' C, d' <= d -> big n d C -> big n d' C.
Proof.
  induction d as [|d IH]; intros d' C Hd H.
  - replace d' with 0 by lia; exact H.
  - destruct (Nat.eq_dec d' (S d)) as [->|Hne]; [exact H|].
    apply IH; [lia|apply big_pred, H].
Qed.

Lemma not_big_at_most n C d : ~ big n (S d) C -> ldim_at_most n C d.
Proof.
  intros H d' Hd'. apply big_iff in Hd'.
  destruct (le_lt_dec d' d); [assumption|]. exfalso. apply H. eapply big_down; [|exact Hd']. lia.
Qed.

Lemma ldim_at_most_mono n (C D : class) d :
  (forall h, C h -> D h) -> ldim_at_most n D d -> ldim_at_most n C d.
Proof.
  intros H HD d' HC. apply HD. apply big_iff. apply big_iff in HC. eapply big_mono; eauto.
Qed.

(* ---------- lower bounds: mistake trees whose leaves name a row ---------- *)

Inductive witness := At (r : N) | Split (x : nat) (left right : witness).

Definition pair_ok (r : N) (p : nat * bool) : bool := Bool.eqb (bit r (fst p)) (snd p).
Definition agreesb (A : list (nat * bool)) (r : N) : bool := forallb (pair_ok r) A.
Definition agrees (A : list (nat * bool)) (h : concept) : Prop :=
  forall x b, In (x, b) A -> h x = b.

Fixpoint check_tree (n : nat) (ok : N -> bool) (d : nat) (t : witness) (A : list (nat * bool)) :=
  match t, d with
  | At r, 0 => ok r && agreesb A r
  | Split x l r, S d' => (x <? n) && check_tree n ok d' l ((x, false) :: A)
                                  && check_tree n ok d' r ((x, true) :: A)
  | _, _ => false
  end.

Lemma agreesb_spec A r : agreesb A r = true <-> agrees A (bit r).
Proof.
  unfold agreesb, agrees. rewrite forallb_forall. split.
  - intros H x b Hin. specialize (H _ Hin). apply eqb_prop in H. exact H.
  - intros H [x b] Hin. unfold pair_ok; simpl. rewrite (H _ _ Hin). apply eqb_reflx.
Qed.

Lemma check_tree_sound n (ok : N -> bool) (C : class) :
  (forall r, ok r = true -> C (bit r)) ->
  forall d t A, check_tree n ok d t A = true -> big n d (fun h => C h /\ agrees A h).
Proof.
  intros Hok. induction d as [|d IH]; intros [r|x l r] A H; simpl in H; try discriminate.
  - apply andb_prop in H as [H1 H2]. exists (bit r). split; [auto|]. apply agreesb_spec, H2.
  - apply andb_prop in H as [H H2]. apply andb_prop in H as [H0 H1].
    apply Nat.ltb_lt in H0. exists x. split; [exact H0|].
    split; [eapply big_mono, (IH l _ H1)|eapply big_mono, (IH r _ H2)];
      simpl; intros h [Ch Ah]; (split; [split; [exact Ch|]|]);
      try (apply Ah; left; reflexivity); intros y b Hin; apply Ah; right; exact Hin.
Qed.

(* ---------- sets of rows ---------- *)

Definition rowset := PositiveSet.t.
Definition key (r : N) : positive := N.succ_pos r.
Definition set_of (rows : list N) : rowset :=
  fold_left (fun s r => PositiveSet.add (key r) s) rows PositiveSet.empty.
Definition mem (s : rowset) (r : N) : bool := PositiveSet.mem (key r) s.

Lemma key_inj a b : key a = key b -> a = b.
Proof.
  unfold key. intros H. assert (N.pos (N.succ_pos a) = N.pos (N.succ_pos b)) as H' by congruence.
  rewrite !N.succ_pos_spec in H'. lia.
Qed.

Lemma set_of_spec rows r : mem (set_of rows) r = true -> In r rows.
Proof.
  unfold set_of, mem.
  assert (forall l s, PositiveSet.mem (key r)
            (fold_left (fun s r => PositiveSet.add (key r) s) l s) = true ->
          In r l \/ PositiveSet.mem (key r) s = true) as G.
  { induction l as [|a l IH]; simpl; intros s H; [auto|].
    apply IH in H as [H|H]; [auto|].
    apply PositiveSet.mem_spec in H. apply PositiveSet.add_spec in H as [H|H].
    - left; left. symmetry; apply key_inj; exact H.
    - right. apply PositiveSet.mem_spec; exact H. }
  intros H. apply G in H as [H|H]; [exact H|]. discriminate.
Qed.

(* ---------- size ---------- *)

Fixpoint size {A} (l : list A) : N := match l with [] => 0%N | _ :: l' => N.succ (size l') end.

Lemma size_filter {A} (p : A -> bool) l :
  (size (filter p l) + size (filter (fun a => negb (p a)) l) = size l)%N.
Proof. induction l as [|a l IH]; [reflexivity|]. simpl. destruct (p a); simpl; lia. Qed.

Definition covers (n : nat) (L : list N) (C : class) : Prop :=
  forall h, C h -> exists r, In r L /\ forall x, x < n -> h x = bit r x.

Lemma big_size n : forall d L C, covers n L C -> big n d C -> (2 ^ N.of_nat d <= size L)%N.
Proof.
  induction d as [|d IH]; intros L C HL H.
  - destruct H as [h Hh]. destruct (HL h Hh) as [r [Hr _]].
    destruct L; [contradiction|]. simpl. lia.
  - destruct H as [x [Hx [H0 H1]]].
    apply (IH (filter (fun r => negb (bit r x)) L)) in H0.
    apply (IH (filter (fun r => bit r x) L)) in H1.
    + rewrite Nat2N.inj_succ, N.pow_succ_r'. pose proof (size_filter (fun r => bit r x) L). lia.
    + intros h [Ch Hhx]. destruct (HL h Ch) as [r [Hr E]]. exists r. split; [|exact E].
      apply filter_In; split; [exact Hr|]. rewrite <- (E x Hx); exact Hhx.
    + intros h [Ch Hhx]. destruct (HL h Ch) as [r [Hr E]]. exists r. split; [|exact E].
      apply filter_In; split; [exact Hr|]. rewrite <- (E x Hx), Hhx; reflexivity.
Qed.

(* ---------- symmetries ---------- *)

Record symmetry := { moves : list (nat * bool) }.  (* of point x: its image, and whether labels flip *)

Definition move (s : symmetry) (x : nat) : nat * bool := nth x (moves s) (0, false).
Definition pull (s : symmetry) (h : concept) : concept :=
  fun x => xorb (h (fst (move s x))) (snd (move s x)).
Definition image1 (s : symmetry) (p : nat * bool) : nat * bool :=
  (fst (move s (fst p)), xorb (snd p) (snd (move s (fst p)))).
Definition image (s : symmetry) (A : list (nat * bool)) := map (image1 s) A.

Fixpoint pull_row (r : N) (l : list (nat * bool)) : N :=
  match l with
  | [] => 0%N
  | (y, f) :: l' => if xorb (bit r y) f then N.succ_double (pull_row r l') else N.double (pull_row r l')
  end.

Lemma bit_double a x : bit (N.double a) x = match x with 0 => false | S y => bit a y end.
Proof. destruct a, x; reflexivity. Qed.
Lemma bit_succ_double a x : bit (N.succ_double a) x = match x with 0 => true | S y => bit a y end.
Proof. destruct a, x; try reflexivity. Qed.

Lemma pull_row_spec r : forall l x, x < length l ->
  bit (pull_row r l) x = xorb (bit r (fst (nth x l (0, false)))) (snd (nth x l (0, false))).
Proof.
  induction l as [|[y f] l IH]; intros x Hx; simpl in Hx; [lia|].
  simpl pull_row. destruct (xorb (bit r y) f) eqn:E.
  - rewrite bit_succ_double. destruct x; simpl; [symmetry; exact E|apply IH; lia].
  - rewrite bit_double. destruct x; simpl; [symmetry; exact E|apply IH; lia].
Qed.

Definition check_symmetry (n : nat) (rows : list N) (set : rowset) (s : symmetry) : bool :=
  (length (moves s) =? n)
  && forallb (fun z => existsb (fun m => fst m =? z) (moves s)) (seq 0 n)
  && forallb (fun m => fst m <? n) (moves s)
  && forallb (fun r => mem set (pull_row r (moves s))) rows.

Definition is_symmetry (n : nat) (C : class) (s : symmetry) : Prop :=
  (forall z, z < n -> exists x, x < n /\ fst (move s x) = z) /\ (forall h, C h -> C (pull s h)).

Lemma check_symmetry_sound n rows s :
  check_symmetry n rows (set_of rows) s = true -> is_symmetry n (rows_class n rows) s.
Proof.
  unfold check_symmetry. intros H. repeat (apply andb_prop in H as [H ?]).
  apply Nat.eqb_eq in H. rewrite forallb_forall in *. split.
  - intros z Hz. assert (In z (seq 0 n)) as Hin by (apply in_seq; lia).
    specialize (H2 _ Hin). apply existsb_exists in H2 as [m [Hm E]]. apply Nat.eqb_eq in E.
    destruct (In_nth _ _ (0, false) Hm) as [x [Hx Ex]]. exists x.
    split; [lia|]. unfold move. rewrite Ex. exact E.
  - intros h [r [Hr E]]. exists (pull_row r (moves s)). split.
    + apply set_of_spec. apply H0. exact Hr.
    + intros x Hx. unfold pull. fold (bit (pull_row r (moves s)) x). rewrite pull_row_spec by lia.
      unfold move. rewrite E; [reflexivity|].
      assert (In (nth x (moves s) (0, false)) (moves s)) as Hin by (apply nth_In; lia).
      specialize (H1 _ Hin). apply Nat.ltb_lt in H1. exact H1.
Qed.

Lemma symmetry_big n s : (forall z, z < n -> exists x, x < n /\ fst (move s x) = z) ->
  forall d (V W : class), (forall h, V h -> W (pull s h)) -> big n d V -> big n d W.
Proof.
  intros Hsur. induction d as [|d IH]; intros V W H.
  - intros [h Hh]. exists (pull s h). auto.
  - intros [z [Hz [H0 H1]]]. destruct (Hsur z Hz) as [x [Hx E]].
    exists x. split; [exact Hx|].
    destruct (snd (move s x)) eqn:F.
    + split; [eapply IH, H1|eapply IH, H0]; simpl; intros h [Vh Hh];
        (split; [auto|unfold pull; rewrite E, F, Hh; reflexivity]).
    + split; [eapply IH, H0|eapply IH, H1]; simpl; intros h [Vh Hh];
        (split; [auto|unfold pull; rewrite E, F, Hh; reflexivity]).
Qed.

Lemma image_agrees s A h : agrees (image s A) h -> agrees A (pull s h).
Proof.
  intros H x b Hin. unfold pull.
  assert (In (image1 s (x, b)) (image s A)) as Hi by (apply in_map; exact Hin).
  unfold image1 in Hi; simpl in Hi. rewrite (H _ _ Hi).
  destruct b, (snd (move s x)); reflexivity.
Qed.

(* ---------- refutations ---------- *)

Record step := { point : nat; label : bool; ref : positive; word : list nat }.
Record entry := { pairs : list (nat * bool); depth : nat; steps : list step }.

Definition refuted (n : nat) (C : class) (e : entry) : Prop :=
  ~ big n (depth e) (fun h => C h /\ agrees (pairs e) h).

Fixpoint image_word (S : list symmetry) (w : list nat) (A : list (nat * bool)) : option (list (nat * bool)) :=
  match w with
  | [] => Some A
  | i :: w' => match nth_error S i with Some s => image_word S w' (image s A) | None => None end
  end.

Lemma image_word_sound n C S : Forall (is_symmetry n C) S ->
  forall w A B d, image_word S w A = Some B ->
  ~ big n d (fun h => C h /\ agrees A h) -> ~ big n d (fun h => C h /\ agrees B h).
Proof.
  intros HS. induction w as [|i w IH]; intros A B d E H; simpl in E.
  - injection E as <-. exact H.
  - destruct (nth_error S i) as [s|] eqn:Ei; [|discriminate].
    eapply IH; [exact E|]. intros G. apply H.
    apply nth_error_In in Ei. rewrite Forall_forall in HS. destruct (HS _ Ei) as [Hsur Hcl].
    eapply (symmetry_big n s Hsur); [|exact G]. simpl. intros h [Ch Ah].
    split; [apply Hcl, Ch|apply image_agrees, Ah].
Qed.

Definition env := PositiveMap.t entry.

Definition in_range (n : nat) (A : list (nat * bool)) : bool := forallb (fun p => fst p <? n) A.

Definition check_step (n : nat) (S : list symmetry) (known : env) (L : list N) (d' : nat) (s : step) : bool :=
  match PositiveMap.find (ref s) known with
  | None => false
  | Some e => (depth e <=? d') &&
      match image_word S (word s) (pairs e) with
      | None => false
      | Some B => in_range n B &&
                  forallb (fun r => if Bool.eqb (bit r (point s)) (label s) then agreesb B r else true) L
      end
  end.

(* how many rows have label 1 on each point, all points at once *)
Fixpoint add_bits (counts : list N) (r : N) : list N :=
  match counts with
  | [] => []
  | c :: cs => (if N.odd r then N.succ c else c) :: add_bits cs (N.div2 r)
  end.
Definition ones (n : nat) (L : list N) : list N := fold_left add_bits L (repeat 0%N n).

Fixpoint points_ok (x : nat) (counts : list N) (total half : N) (decided : nat -> bool) : bool :=
  match counts with
  | [] => true
  | c :: cs => ((c <? half)%N || (total - c <? half)%N || decided x) && points_ok (S x) cs total half decided
  end.

Definition check_entry (n : nat) (rows : list N) (S : list symmetry) (known : env) (e : entry) : bool :=
  let L := filter (agreesb (pairs e)) rows in
  match depth e with
  | 0 => match L with [] => true | _ => false end
  | S d' =>
      forallb (check_step n S known L d') (steps e)
      && points_ok 0 (ones n L) (size L) (2 ^ N.of_nat d')%N
           (fun x => existsb (fun s => point s =? x) (steps e))
  end.

Lemma bit_shift r x : bit (N.div2 r) x = bit r (S x).
Proof. destruct r as [|[p|p|]]; try reflexivity; destruct x; reflexivity. Qed.
Lemma bit_zero r : bit r 0 = N.odd r.
Proof. destruct r as [|[p|p|]]; reflexivity. Qed.

Lemma add_bits_spec : forall cs r x, x < length cs ->
  nth x (add_bits cs r) 0%N = ((if bit r x then 1 else 0) + nth x cs 0)%N.
Proof.
  induction cs as [|c cs IH]; intros r x Hx; simpl in Hx; [lia|].
  destruct x as [|x]; simpl.
  - rewrite bit_zero. destruct (N.odd r); lia.
  - rewrite IH by lia. rewrite bit_shift. reflexivity.
Qed.

Lemma add_bits_length : forall cs r, length (add_bits cs r) = length cs.
Proof. induction cs; simpl; auto. Qed.

Lemma ones_spec n L x : x < n -> nth x (ones n L) 0%N = size (filter (fun r => bit r x) L).
Proof.
  unfold ones. intros Hx.
  assert (forall L cs, x < length cs -> nth x (fold_left add_bits L cs) 0%N
          = (size (filter (fun r => bit r x) L) + nth x cs 0)%N) as G.
  { clear. induction L as [|r L IH]; intros cs Hx; simpl; [lia|].
    rewrite IH by (rewrite add_bits_length; exact Hx). rewrite add_bits_spec by exact Hx.
    destruct (bit r x); cbn [size]; lia. }
  rewrite G by (rewrite repeat_length; exact Hx).
  assert (nth x (repeat 0%N n) 0%N = 0%N) as -> by (clear; revert x; induction n; destruct x; simpl; auto).
  lia.
Qed.

Lemma ones_length n L : length (ones n L) = n.
Proof.
  unfold ones. assert (forall L cs, length (fold_left add_bits L cs) = length cs) as G.
  { clear. induction L; simpl; intros; [reflexivity|]. rewrite IHL. apply add_bits_length. }
  rewrite G. apply repeat_length.
Qed.

Lemma points_ok_spec total half dec : forall cs x0, points_ok x0 cs total half dec = true ->
  forall x, x < length cs ->
  (nth x cs 0 < half)%N \/ (total - nth x cs 0 < half)%N \/ dec (x0 + x) = true.
Proof.
  induction cs as [|c cs IH]; intros x0 H x Hx; simpl in Hx; [lia|].
  simpl in H. apply andb_prop in H as [H H']. destruct x as [|x]; simpl.
  - rewrite Nat.add_0_r. apply orb_prop in H as [H|H]; [apply orb_prop in H as [H|H]|].
    + apply N.ltb_lt in H; auto.
    + apply N.ltb_lt in H; auto.
    + auto.
  - specialize (IH _ H' x ltac:(lia)). replace (x0 + S x) with (S x0 + x) by lia. exact IH.
Qed.

Lemma covers_filter n rows A : Forall (fun p => fst p < n) A ->
  covers n (filter (agreesb A) rows) (fun h => rows_class n rows h /\ agrees A h).
Proof.
  intros HA h [[r [Hr E]] Ah]. exists r. split; [|exact E].
  apply filter_In. split; [exact Hr|]. apply agreesb_spec. intros x b Hin.
  rewrite Forall_forall in HA. specialize (HA _ Hin). simpl in HA.
  unfold bit. rewrite <- E by exact HA. apply Ah, Hin.
Qed.

Lemma in_range_spec n A : in_range n A = true -> Forall (fun p => fst p < n) A.
Proof. unfold in_range. rewrite forallb_forall, Forall_forall. intros H p Hp.
  apply Nat.ltb_lt. auto. Qed.


Lemma check_entry_sound n rows S known e :
  Forall (is_symmetry n (rows_class n rows)) S ->
  (forall k e', PositiveMap.find k known = Some e' -> refuted n (rows_class n rows) e') ->
  in_range n (pairs e) = true ->
  check_entry n rows S known e = true -> refuted n (rows_class n rows) e.
Proof.
  intros HS Hk Hr H. apply in_range_spec in Hr.
  pose proof (covers_filter n rows (pairs e) Hr) as Hcov.
  unfold check_entry in H. unfold refuted. destruct (depth e) as [|d'] eqn:Ed.
  - intros [h Hh]. destruct (Hcov h Hh) as [r [Hin _]].
    destruct (filter (agreesb (pairs e)) rows); [contradiction|discriminate].
  - set (L := filter (agreesb (pairs e)) rows) in *.
    apply andb_prop in H as [Hsteps Hpts].
    intros [x [Hx [H0 H1]]].
    assert (covers n (filter (fun r => negb (bit r x)) L)
              (fun h => (rows_class n rows h /\ agrees (pairs e) h) /\ h x = false)) as C0.
    { intros h [Hh hx]. destruct (Hcov h Hh) as [r [Hin E]]. exists r. split; [|exact E].
      apply filter_In. split; [exact Hin|]. rewrite <- (E x Hx), hx. reflexivity. }
    assert (covers n (filter (fun r => bit r x) L)
              (fun h => (rows_class n rows h /\ agrees (pairs e) h) /\ h x = true)) as C1.
    { intros h [Hh hx]. destruct (Hcov h Hh) as [r [Hin E]]. exists r. split; [|exact E].
      apply filter_In. split; [exact Hin|]. rewrite <- (E x Hx), hx. reflexivity. }
    pose proof (big_size _ _ _ _ C0 H0) as S0. pose proof (big_size _ _ _ _ C1 H1) as S1.
    pose proof (size_filter (fun r => bit r x) L) as SF. cbv beta in SF.
    destruct (points_ok_spec _ _ _ _ _ Hpts x) as [B|[B|B]]; [rewrite ones_length; exact Hx| | |].
    + rewrite ones_spec in B by exact Hx. apply N.lt_nge in B. apply B, S1.
    + rewrite ones_spec in B by exact Hx. rewrite <- SF, N.add_comm, N.add_sub in B.
      apply N.lt_nge in B. apply B, S0.
    + rewrite Nat.add_0_l in B. apply existsb_exists in B as [s [Hs Es]]. apply Nat.eqb_eq in Es.
      rewrite forallb_forall in Hsteps. specialize (Hsteps _ Hs). unfold check_step in Hsteps.
      destruct (PositiveMap.find (ref s) known) as [e'|] eqn:Ef; [|discriminate].
      pose proof (Hk _ _ Ef) as Href.
      apply andb_prop in Hsteps as [Hd Hsub]. apply Nat.leb_le in Hd.
      destruct (image_word S (word s) (pairs e')) as [B|] eqn:Ew; [|discriminate].
      apply andb_prop in Hsub as [HBr Hsub]. apply in_range_spec in HBr. rewrite Forall_forall in HBr.
      pose proof (image_word_sound n _ S HS _ _ _ _ Ew Href) as HB.
      apply HB. rewrite forallb_forall in Hsub.
      assert (forall h : concept, h x = label s -> rows_class n rows h -> agrees (pairs e) h -> agrees B h) as K.
      { intros h hx Th Ah. destruct (Hcov h (conj Th Ah)) as [r [Hin E]].
        specialize (Hsub _ Hin). rewrite Es in Hsub. rewrite <- (E x Hx), hx in Hsub.
        rewrite eqb_reflx in Hsub. rewrite agreesb_spec in Hsub.
        intros y b Hyb. specialize (HBr _ Hyb). simpl in HBr. rewrite (E y HBr). apply Hsub, Hyb. }
      apply (big_down n d'); [exact Hd|]. destruct (label s).
      * eapply big_mono, H1. simpl. intros h [[Th Ah] hx]. split; [exact Th|]. apply K; auto.
      * eapply big_mono, H0. simpl. intros h [[Th Ah] hx]. split; [exact Th|]. apply K; auto.
Qed.

(* entries one after the other; they are numbered from 1 *)
Fixpoint check_entries (n : nat) (rows : list N) (S : list symmetry) (known : env) (k : positive)
    (l : list entry) (last : option entry) : option entry :=
  match l with
  | [] => last
  | e :: l' => if in_range n (pairs e) && check_entry n rows S known e
               then check_entries n rows S (PositiveMap.add k e known) (Pos.succ k) l' (Some e)
               else None
  end.

Lemma check_entries_sound n rows S : Forall (is_symmetry n (rows_class n rows)) S ->
  forall l known k last e,
  (forall k e', PositiveMap.find k known = Some e' -> refuted n (rows_class n rows) e') ->
  (forall e', last = Some e' -> refuted n (rows_class n rows) e') ->
  check_entries n rows S known k l last = Some e -> refuted n (rows_class n rows) e.
Proof.
  intros HS. induction l as [|a l IH]; intros known k last e Hk Hl H; simpl in H.
  - apply Hl, H.
  - destruct (in_range n (pairs a)) eqn:Er; [|discriminate].
    destruct (check_entry n rows S known a) eqn:Ec; [|discriminate].
    assert (refuted n (rows_class n rows) a) as Ha by (eapply check_entry_sound; eauto).
    eapply IH; [| |exact H].
    + intros k' e' Hf. destruct (Pos.eq_dec k k') as [->|Hne].
      * rewrite PositiveMap.gss in Hf. injection Hf as <-. exact Ha.
      * rewrite PositiveMap.gso in Hf by congruence. eapply Hk, Hf.
    + intros e' [= <-]. exact Ha.
Qed.

Definition check_upper (n : nat) (rows : list N) (S : list symmetry) (l : list entry) (d : nat) : bool :=
  match l with
  | [] => (size rows <? 2 ^ N.of_nat (1 + d))%N
  | _ => forallb (check_symmetry n rows (set_of rows)) S &&
         match check_entries n rows S (PositiveMap.empty entry) 1 l None with
         | Some e => (depth e =? 1 + d) && match pairs e with [] => true | _ => false end
         | None => false
         end
  end.

Theorem check_upper_sound n rows G l d :
  check_upper n rows G l d = true -> ldim_at_most n (rows_class n rows) d.
Proof.
  intros H. apply not_big_at_most. intros B. unfold check_upper in H. destruct l as [|e0 l].
  - apply N.ltb_lt in H. apply (big_size n (S d) rows) in B.
    + change (1 + d) with (S d) in H. apply N.lt_nge in H. apply H, B.
    + intros h Hh. exact Hh.
  - apply andb_prop in H as [HS H].
    destruct (check_entries n rows G (PositiveMap.empty entry) 1 (e0 :: l) None) as [e|] eqn:E; [|discriminate].
    apply andb_prop in H as [Hd Hp]. apply Nat.eqb_eq in Hd.
    assert (Forall (is_symmetry n (rows_class n rows)) G) as HS'.
    { rewrite forallb_forall in HS. apply Forall_forall. intros s Hin. apply check_symmetry_sound; auto. }
    apply (check_entries_sound n rows G HS') in E.
    + apply E. rewrite Hd. destruct (pairs e); [|discriminate].
      eapply big_mono, B. intros h Hh. split; [exact Hh|]. intros x b [].
    + intros k e' Hf. rewrite PositiveMap.gempty in Hf. discriminate.
    + intros e' [=].
Qed.

Definition check_lower (n : nat) (rows : list N) (d : nat) (t : witness) : bool :=
  check_tree n (mem (set_of rows)) d t [].

Theorem check_lower_sound n rows d t :
  check_lower n rows d t = true -> ldim_at_least n (rows_class n rows) d.
Proof.
  intros H. apply big_iff. unfold check_lower in H.
  apply (check_tree_sound n _ (rows_class n rows)) in H.
  - eapply big_mono, H. intros h [Ch _]. exact Ch.
  - intros r Hr. exists r. split; [apply set_of_spec, Hr|reflexivity].
Qed.

Definition check_value (n : nat) (rows : list N) (d : nat) (t : witness) (S : list symmetry) (l : list entry) :=
  check_lower n rows d t && check_upper n rows S l d.

(* in the words of the definitions *)
Lemma rows_table n rows h : rows_class n rows h <-> table n (map bit rows) h.
Proof.
  split.
  - intros [r [Hr E]]. exists (bit r). split; [apply in_map, Hr|exact E].
  - intros [g [Hg E]]. apply in_map_iff in Hg as [r [<- Hr]]. exists r. split; [exact Hr|exact E].
Qed.

Lemma mistakes_mono n (C D : class) d : (forall h, C h -> D h) -> mistakes n C d -> mistakes n D d.
Proof. intros H M. apply big_iff. apply big_iff in M. eapply big_mono; eauto. Qed.

Theorem at_least n rows d t : check_lower n rows d t = true -> mistakes n (table n (map bit rows)) d.
Proof.
  intros H. eapply mistakes_mono; [|eapply check_lower_sound, H]. intros h. apply rows_table.
Qed.

Theorem at_most n rows S l d : check_upper n rows S l d = true ->
  forall d', mistakes n (table n (map bit rows)) d' -> d' <= d.
Proof.
  intros H d' M. eapply check_upper_sound; [exact H|]. eapply mistakes_mono; [|exact M].
  intros h. apply rows_table.
Qed.

Theorem check_sound n rows d t S l : check_value n rows d t S l = true ->
  ldim n (table n (map bit rows)) (Z.of_nat d).
Proof.
  intros H. apply andb_prop in H as [H1 H2]. split; [intros _; rewrite Nat2Z.id; eapply at_least, H1|split; [lia|]].
  intros d' M. apply (at_most _ _ _ _ _ H2) in M. lia.
Qed.
