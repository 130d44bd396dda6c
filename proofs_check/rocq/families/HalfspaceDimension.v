(* The Littlestone dimension of the halfspaces on the cube by their definition: mistake trees whose
   leaves are weights, and refutations up to moves of the cube.  No table is given. *)
From Coq Require Import List Arith NArith ZArith Lia Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Tables Littlestone Halfspaces.
Import ListNotations.
Local Open Scope nat_scope.

Definition literals : Type := list (nat * bool).
Definition meets (A : literals) (h : concept) : Prop := forall x b, In (x, b) A -> h x = b.

(* ---- from below ---- *)

Inductive grown := Weights (w : list Z) (t : Z) | Split (x : nat) (left right : grown).

Fixpoint check_grown (d n : nat) (t : grown) (A : literals) : bool :=
  match t, n with
  | Weights w s, 0 =>
      (length w =? d) && forallb (fun p => Bool.eqb (s <=? score w (fst p))%Z (snd p)) A
  | Split x l r, S n' =>
      (x <? 2 ^ d) && check_grown d n' l ((x, false) :: A) && check_grown d n' r ((x, true) :: A)
  | _, _ => false
  end.

Lemma check_grown_sound d : forall n t A, check_grown d n t A = true ->
  big (2 ^ d) n (fun h => halfspace d h /\ meets A h).
Proof.
  induction n as [|n IH]; intros [w s|x l r] A H; simpl in H; try discriminate.
  - apply andb_prop in H as [H1 H2]. apply Nat.eqb_eq in H1. exists (fun x => s <=? score w x)%Z. split.
    + exists w, s. split; [exact H1|reflexivity].
    + rewrite forallb_forall in H2. intros x b Hin. specialize (H2 _ Hin). apply eqb_prop in H2. exact H2.
  - apply andb_prop in H as [H H2]. apply andb_prop in H as [H0 H1]. apply Nat.ltb_lt in H0.
    exists x. split; [exact H0|].
    split; [eapply big_mono, (IH l _ H1)|eapply big_mono, (IH r _ H2)];
      simpl; intros h [Ch Ah]; (split; [split; [exact Ch|]|]);
      try (apply Ah; left; reflexivity); intros y b Hin; apply Ah; right; exact Hin.
Qed.

Theorem grown_mistakes d n t : check_grown d n t [] = true ->
  dimension_at_least (mistakes (2 ^ d) (halfspace d)) (Z.of_nat n).
Proof.
  intros H _. rewrite Nat2Z.id. apply big_iff. apply check_grown_sound in H. eapply big_mono, H. intros h [Ch _]. exact Ch.
Qed.

(* ---- rows with given labels ---- *)

Definition contains (r m : N) : bool := N.eqb (N.land r m) m.
Definition avoids (r m : N) : bool := N.eqb (N.land r m) 0.
Definition fits (ones zeros r : row) : bool :=
  contains (fst r) (fst ones) && contains (snd r) (snd ones)
  && avoids (fst r) (fst zeros) && avoids (snd r) (snd zeros).
Fixpoint ones_of (A : literals) : row :=
  match A with [] => nothing | (x, b) :: A' => if b then put (ones_of A') x else ones_of A' end.
Fixpoint zeros_of (A : literals) : row :=
  match A with [] => nothing | (x, b) :: A' => if b then zeros_of A' else put (zeros_of A') x end.

Lemma contains_setbit r m a : contains r (N.setbit m (N.of_nat a)) = contains r m && N.testbit_nat r a.
Proof.
  unfold contains. apply eq_true_iff_eq. rewrite andb_true_iff, !N.eqb_eq, <- Ndigits.Ntestbit_Nbit. split.
  - intros H. split.
    + apply N.bits_inj. intros i. rewrite N.land_spec. apply (f_equal (fun z => N.testbit z i)) in H.
      rewrite N.land_spec, N.setbit_eqb in H. destruct (N.testbit r i), (N.testbit m i); simpl in *; try reflexivity.
      rewrite orb_true_r in H. discriminate.
    + apply (f_equal (fun z => N.testbit z (N.of_nat a))) in H.
      rewrite N.land_spec, N.setbit_eq, andb_true_r in H. exact H.
  - intros [H T]. apply N.bits_inj. intros i. rewrite N.land_spec, N.setbit_eqb.
    apply (f_equal (fun z => N.testbit z i)) in H. rewrite N.land_spec in H.
    destruct (N.eqb_spec (N.of_nat a) i) as [<-|]; [rewrite T; reflexivity|exact H].
Qed.

Lemma avoids_setbit r m a : avoids r (N.setbit m (N.of_nat a)) = avoids r m && negb (N.testbit_nat r a).
Proof.
  unfold avoids. apply eq_true_iff_eq. rewrite andb_true_iff, !N.eqb_eq, <- Ndigits.Ntestbit_Nbit. split.
  - intros H. split.
    + apply N.bits_inj. intros i. rewrite N.land_spec. apply (f_equal (fun z => N.testbit z i)) in H.
      rewrite N.land_spec, N.setbit_eqb, N.bits_0 in H. rewrite N.bits_0.
      destruct (N.testbit r i), (N.testbit m i); simpl in *; try reflexivity.
      rewrite orb_true_r in H. discriminate.
    + apply (f_equal (fun z => N.testbit z (N.of_nat a))) in H.
      rewrite N.land_spec, N.setbit_eq, andb_true_r, N.bits_0 in H. rewrite H. reflexivity.
  - intros [H T]. apply N.bits_inj. intros i. rewrite N.land_spec, N.setbit_eqb, N.bits_0.
    apply (f_equal (fun z => N.testbit z i)) in H. rewrite N.land_spec, N.bits_0 in H.
    destruct (N.eqb_spec (N.of_nat a) i) as [<-|]; [|exact H].
    apply negb_true_iff in T. rewrite T. reflexivity.
Qed.

Lemma fits_put_one o z r x : fits (put o x) z r = fits o z r && at_point r x.
Proof.
  unfold fits, put, at_point. destruct (x <? width); cbn [fst snd]; rewrite contains_setbit;
  match goal with |- context [N.testbit_nat ?a ?b] => destruct (N.testbit_nat a b) end;
  rewrite ?andb_true_r, ?andb_false_r; simpl; rewrite ?andb_false_r; reflexivity.
Qed.
Lemma fits_put_zero o z r x : fits o (put z x) r = fits o z r && negb (at_point r x).
Proof.
  unfold fits, put, at_point. destruct (x <? width); cbn [fst snd]; rewrite avoids_setbit;
  match goal with |- context [N.testbit_nat ?a ?b] => destruct (N.testbit_nat a b) end;
  rewrite ?andb_true_r, ?andb_false_r; simpl; rewrite ?andb_false_r, ?andb_true_r; reflexivity.
Qed.

Lemma fits_spec A r : fits (ones_of A) (zeros_of A) r = true <-> meets A (at_point r).
Proof.
  assert (fits (ones_of A) (zeros_of A) r = forallb (fun p => Bool.eqb (at_point r (fst p)) (snd p)) A) as ->.
  { induction A as [|[x b] A IH].
    - unfold fits, contains, avoids, ones_of, zeros_of, nothing. cbn [fst snd]. rewrite !N.land_0_r. reflexivity.
    - cbn [ones_of zeros_of forallb fst snd]. rewrite <- IH.
      destruct b; rewrite ?fits_put_one, ?fits_put_zero; destruct (at_point r x); simpl;
        rewrite ?andb_true_r, ?andb_false_r; reflexivity. }
  rewrite forallb_forall. split.
  - intros H x b I. apply eqb_prop. exact (H (x, b) I).
  - intros H [x b] I. cbn [fst snd]. rewrite (H x b I). apply eqb_reflx.
Qed.

(* ---- how many rows have label 1 on each point, all points at once ---- *)

Fixpoint kept {A} (p : A -> bool) (l found : list A) : list A :=
  match l with [] => found | a :: l' => kept p l' (if p a then a :: found else found) end.
Lemma kept_spec {A} (p : A -> bool) l : forall found a, In a (kept p l found) <-> (In a l /\ p a = true) \/ In a found.
Proof.
  induction l as [|b l IH]; intros found a; simpl; [tauto|]. rewrite IH. destruct (p b) eqn:E; simpl.
  - split; [intros [?|[->|?]]; auto; tauto|intros [[[->|?] ?]|?]; auto].
  - split; [tauto|]. intros [[[->|?] ?]|?]; auto. congruence.
Qed.

Fixpoint add_bits (counts : list N) (r : N) : list N :=
  match counts with
  | [] => []
  | c :: cs => (if N.odd r then N.succ c else c) :: add_bits cs (N.div2 r)
  end.
Definition counted (n : nat) (half : row -> N) (L : list row) : list N :=
  fold_left (fun counts r => add_bits counts (half r)) L (repeat 0%N n).
Definition ones (n : nat) (L : list row) : list N :=
  counted (Nat.min width n) fst L ++ counted (n - width) snd L.

Lemma testbit_div2 r x : N.testbit_nat (N.div2 r) x = N.testbit_nat r (S x).
Proof. destruct r as [|[p|p|]]; try reflexivity; destruct x; reflexivity. Qed.
Lemma testbit_0 r : N.testbit_nat r 0 = N.odd r.
Proof. destruct r as [|[p|p|]]; reflexivity. Qed.

Lemma add_bits_spec : forall cs r x, x < length cs ->
  nth x (add_bits cs r) 0%N = ((if N.testbit_nat r x then 1 else 0) + nth x cs 0)%N.
Proof.
  induction cs as [|c cs IH]; intros r x Hx; simpl in Hx; [lia|].
  destruct x as [|x]; cbn [add_bits nth].
  - rewrite testbit_0. destruct (N.odd r); lia.
  - rewrite IH by lia. rewrite testbit_div2. reflexivity.
Qed.

Lemma add_bits_length : forall cs r, length (add_bits cs r) = length cs.
Proof. induction cs; simpl; auto. Qed.

Lemma counted_length n half L : length (counted n half L) = n.
Proof.
  unfold counted. rewrite <- (repeat_length 0%N n) at 2. generalize (repeat 0%N n).
  induction L as [|r L IH]; intros cs; simpl; [reflexivity|]. rewrite IH. apply add_bits_length.
Qed.

Lemma counted_spec n half L x : x < n ->
  nth x (counted n half L) 0%N = size (filter (fun r => N.testbit_nat (half r) x) L).
Proof.
  unfold counted. intros Hx.
  assert (forall L cs, x < length cs -> nth x (fold_left (fun counts r => add_bits counts (half r)) L cs) 0%N
          = (size (filter (fun r => N.testbit_nat (half r) x) L) + nth x cs 0)%N) as G.
  { clear. induction L as [|r L IH]; intros cs Hx; simpl; [lia|].
    rewrite IH by (rewrite add_bits_length; exact Hx). rewrite add_bits_spec by exact Hx.
    rewrite !size_length. destruct (N.testbit_nat (half r) x); cbn [length]; lia. }
  rewrite G by (rewrite repeat_length; exact Hx).
  assert (nth x (repeat 0%N n) 0%N = 0%N) as -> by (clear; revert x; induction n; destruct x; simpl; auto).
  lia.
Qed.

Lemma ones_length n L : length (ones n L) = n.
Proof. unfold ones. rewrite app_length, !counted_length. lia. Qed.

Lemma ones_spec n L x : x < n -> nth x (ones n L) 0%N = size (filter (fun r => at_point r x) L).
Proof.
  intros Hx. unfold ones. destruct (Nat.ltb_spec x width) as [W|W].
  - rewrite app_nth1 by (rewrite counted_length; lia). rewrite counted_spec by lia.
    f_equal. apply filter_ext. intros r. unfold at_point. apply Nat.ltb_lt in W. rewrite W. reflexivity.
  - rewrite app_nth2 by (rewrite counted_length; lia). rewrite counted_length, counted_spec by lia.
    replace (Nat.min width n) with width by lia.
    f_equal. apply filter_ext. intros r. unfold at_point. apply Nat.ltb_ge in W. rewrite W. reflexivity.
Qed.

Lemma big_size n : forall d L C, covered n L C -> big n d C -> (2 ^ N.of_nat d <= size L)%N.
Proof.
  induction d as [|d IH]; intros L C HL H.
  - destruct H as [h Hh]. destruct (HL h Hh) as [r [Hr _]]. destruct L; [contradiction|].
    rewrite size_length. cbn [length N.of_nat N.pow]. lia.
  - destruct H as [x [Hx [H0 H1]]].
    apply (IH (filter (fun r => negb (at_point r x)) L)) in H0.
    apply (IH (filter (fun r => at_point r x) L)) in H1.
    + rewrite Nat2N.inj_succ, N.pow_succ_r'. pose proof (size_filter (fun r => at_point r x) L). lia.
    + intros h [Ch Hhx]. destruct (HL h Ch) as [r [Hr E]]. exists r. split; [|exact E].
      apply filter_In; split; [exact Hr|]. rewrite <- (E x Hx); exact Hhx.
    + intros h [Ch Hhx]. destruct (HL h Ch) as [r [Hr E]]. exists r. split; [|exact E].
      apply filter_In; split; [exact Hr|]. rewrite <- (E x Hx), Hhx; reflexivity.
Qed.

(* ---- moves of literals ---- *)

Lemma moved_big d m : is_move d m = true -> forall n (V W : class),
  (forall h, V h -> W (moved d m h)) -> big (2 ^ d) n V -> big (2 ^ d) n W.
Proof.
  intros M. induction n as [|n IH]; intros V W H.
  - intros [h Hh]. exists (moved d m h). auto.
  - intros [z [Hz [H0 H1]]]. destruct (is_move_place d m z M Hz) as [P E].
    exists (place d m z). split; [exact P|].
    destruct (turned m (place d m z)) eqn:F.
    + split; [eapply IH, H1|eapply IH, H0]; simpl; intros h [Vh Hh];
        (split; [auto|unfold moved; rewrite E, F, Hh; reflexivity]).
    + split; [eapply IH, H0|eapply IH, H1]; simpl; intros h [Vh Hh];
        (split; [auto|unfold moved; rewrite E, F, Hh; reflexivity]).
Qed.

Definition image (d : nat) (m : move) (A : literals) : literals :=
  map (fun p => (place d m (fst p), xorb (snd p) (turned m (fst p)))) A.
Definition images (d : nat) (word : list move) (A : literals) : literals :=
  fold_left (fun A m => image d m A) word A.

Lemma image_meets d m A h : meets (image d m A) h -> meets A (moved d m h).
Proof.
  intros H x b I. unfold moved.
  rewrite (H (place d m x) (xorb b (turned m x))).
  - destruct b, (turned m x); reflexivity.
  - unfold image. apply in_map_iff. exists (x, b). auto.
Qed.

Definition refuted (d n : nat) (A : literals) : Prop := ~ big (2 ^ d) n (fun h => halfspace d h /\ meets A h).

Lemma images_refuted d n word : forall A, forallb (is_move d) word = true ->
  refuted d n A -> refuted d n (images d word A).
Proof.
  induction word as [|m word IH]; intros A M H; [exact H|].
  simpl in M. apply andb_prop in M as [M Ms]. simpl. apply IH; [exact Ms|].
  intros G. apply H. eapply (moved_big d m M); [|exact G]. simpl. intros h [Ch Ah].
  split; [apply halfspace_moved; assumption|apply image_meets, Ah].
Qed.

(* ---- refutations ---- *)

(* a point and a label for it; the space number ref, moved, contains what has that label *)
Record step := Step { point : nat; label : bool; ref : positive; word : list move }.
Record space := Space { known : literals; depth : nat; steps : list step }.

Definition check_step (d : nat) (earlier : PositiveMap.t space) (L : list row) (n : nat) (s : step) : bool :=
  match PositiveMap.find (ref s) earlier with
  | None => false
  | Some e =>
      let B := images d (word s) (known e) in
      let o := ones_of B in
      let z := zeros_of B in
      (depth e <=? n) && forallb (is_move d) (word s) && forallb (fun p => fst p <? 2 ^ d) B
      && forallb (fun r => if Bool.eqb (at_point r (point s)) (label s) then fits o z r else true) L
  end.

Fixpoint points_ok (x : nat) (counts : list N) (total half : N) (decided : nat -> bool) : bool :=
  match counts with
  | [] => true
  | c :: cs => ((c <? half)%N || (total - c <? half)%N || decided x) && points_ok (S x) cs total half decided
  end.

Definition check_space (d : nat) (rows : list row) (earlier : PositiveMap.t space) (e : space) : bool :=
  let o := ones_of (known e) in
  let z := zeros_of (known e) in
  let L := match known e with [] => rows | _ => kept (fits o z) rows [] end in
  forallb (fun p => fst p <? 2 ^ d) (known e) &&
  match depth e with
  | 0 => match L with [] => true | _ => false end
  | S n =>
      forallb (check_step d earlier L n) (steps e)
      && points_ok 0 (ones (2 ^ d) L) (size L) (2 ^ N.of_nat n)%N
           (fun x => existsb (fun s => point s =? x) (steps e))
  end.

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

Definition all_refuted (d : nat) (earlier : PositiveMap.t space) : Prop :=
  forall k e, PositiveMap.find k earlier = Some e -> refuted d (depth e) (known e).

Section Space.
  Variables (d : nat) (rows : list row).
  Hypothesis complete : covered (2 ^ d) rows (halfspace d).

  Lemma check_space_sound earlier e : all_refuted d earlier ->
    check_space d rows earlier e = true -> refuted d (depth e) (known e).
  Proof.
    intros Hk H. unfold check_space in H. cbv zeta in H. apply andb_prop in H as [R H].
    rewrite forallb_forall in R.
    set (L := match known e with [] => rows
              | _ => kept (fits (ones_of (known e)) (zeros_of (known e))) rows [] end) in *.
    assert (covered (2 ^ d) L (fun h => halfspace d h /\ meets (known e) h)) as Hcov.
    { intros h [Ch Ah]. destruct (complete h Ch) as [r [Hr E]]. exists r. split; [|exact E].
      assert (fits (ones_of (known e)) (zeros_of (known e)) r = true) as F.
      { apply fits_spec. intros x b I. specialize (R _ I). simpl in R. apply Nat.ltb_lt in R.
        rewrite <- E by exact R. apply Ah, I. }
      unfold L. destruct (known e) as [|p A]; [exact Hr|]. apply kept_spec. left. auto. }
    clearbody L. unfold refuted. destruct (depth e) as [|n].
    - intros [h Hh]. destruct (Hcov h Hh) as [r [Hin _]]. destruct L; [contradiction|discriminate].
    - apply andb_prop in H as [Hsteps Hpts]. intros [x [Hx [H0 H1]]].
      assert (covered (2 ^ d) (filter (fun r => negb (at_point r x)) L)
                (fun h => (halfspace d h /\ meets (known e) h) /\ h x = false)) as C0.
      { intros h [Hh hx]. destruct (Hcov h Hh) as [r [Hin E]]. exists r. split; [|exact E].
        apply filter_In. split; [exact Hin|]. rewrite <- (E x Hx), hx. reflexivity. }
      assert (covered (2 ^ d) (filter (fun r => at_point r x) L)
                (fun h => (halfspace d h /\ meets (known e) h) /\ h x = true)) as C1.
      { intros h [Hh hx]. destruct (Hcov h Hh) as [r [Hin E]]. exists r. split; [|exact E].
        apply filter_In. split; [exact Hin|]. rewrite <- (E x Hx), hx. reflexivity. }
      pose proof (big_size _ _ _ _ C0 H0) as S0. pose proof (big_size _ _ _ _ C1 H1) as S1.
      pose proof (size_filter (fun r => at_point r x) L) as SF. cbv beta in SF.
      destruct (points_ok_spec _ _ _ _ _ Hpts x) as [B|[B|B]]; [rewrite ones_length; exact Hx| | |].
      + rewrite ones_spec in B by exact Hx. apply N.lt_nge in B. apply B, S1.
      + rewrite ones_spec in B by exact Hx. rewrite <- SF, N.add_comm, N.add_sub in B.
        apply N.lt_nge in B. apply B, S0.
      + rewrite Nat.add_0_l in B. apply existsb_exists in B as [s [Hs Es]]. apply Nat.eqb_eq in Es.
        rewrite forallb_forall in Hsteps. specialize (Hsteps _ Hs). unfold check_step in Hsteps.
        destruct (PositiveMap.find (ref s) earlier) as [e'|] eqn:Ef; [|discriminate].
        cbv zeta in Hsteps. apply andb_prop in Hsteps as [Hsteps Hsub]. apply andb_prop in Hsteps as [Hsteps HB].
        apply andb_prop in Hsteps as [Hd Hm]. apply Nat.leb_le in Hd.
        pose proof (images_refuted d _ (word s) _ Hm (Hk _ _ Ef)) as Href.
        set (Bs := images d (word s) (known e')) in *.
        rewrite forallb_forall in HB, Hsub. apply Href.
        assert (forall h : concept, h x = label s -> halfspace d h -> meets (known e) h -> meets Bs h) as K.
        { intros h hx Th Ah. destruct (Hcov h (conj Th Ah)) as [r [Hin E]].
          specialize (Hsub _ Hin). rewrite Es in Hsub. rewrite <- (E x Hx), hx, eqb_reflx in Hsub.
          rewrite fits_spec in Hsub. intros y b Hyb. specialize (HB _ Hyb). simpl in HB.
          apply Nat.ltb_lt in HB. rewrite (E y HB). apply Hsub, Hyb. }
        apply (big_down _ n); [exact Hd|]. destruct (label s).
        * eapply big_mono, H1. simpl. intros h [[Th Ah] hx]. split; [exact Th|]. apply K; auto.
        * eapply big_mono, H0. simpl. intros h [[Th Ah] hx]. split; [exact Th|]. apply K; auto.
  Qed.

  (* spaces one after the other; they are numbered from 1, and the last one is about all *)
  Fixpoint check_spaces (earlier : PositiveMap.t space) (k : positive) (l : list space)
      (n : nat) : bool :=
    match l with
    | [] => false
    | e :: l' => check_space d rows earlier e &&
        match l' with
        | [] => (depth e =? n) && match known e with [] => true | _ => false end
        | _ => check_spaces (PositiveMap.add k e earlier) (Pos.succ k) l' n
        end
    end.

  Lemma check_spaces_sound n : forall l earlier k, all_refuted d earlier ->
    check_spaces earlier k l n = true -> refuted d n [].
  Proof.
    induction l as [|e l IH]; intros earlier k Hk H; [discriminate|]. cbn [check_spaces] in H.
    apply andb_prop in H as [He H]. pose proof (check_space_sound earlier e Hk He) as Re.
    destruct l as [|e' l].
    - apply andb_prop in H as [Hd Hp]. apply Nat.eqb_eq in Hd. destruct (known e); [|discriminate].
      rewrite <- Hd. exact Re.
    - apply (IH _ _) in H; [exact H|]. intros k' a F. destruct (Pos.eq_dec k k') as [->|Hne].
      + rewrite PositiveMap.gss in F. injection F as <-. exact Re.
      + rewrite PositiveMap.gso in F by congruence. eapply Hk, F.
  Qed.
End Space.

Definition check_refutation (d n : nat) (l : list space) : bool :=
  check_spaces d (cube_rows d) (PositiveMap.empty space) 1 l (S n).

Theorem refuted_mistakes d n l : check_refutation d n l = true ->
  dimension_at_most (mistakes (2 ^ d) (halfspace d)) (Z.of_nat n).
Proof.
  intros H. split; [lia|]. intros n' G. apply inj_le. destruct (Nat.le_gt_cases n' n) as [L|L]; [exact L|].
  exfalso. apply big_iff, (big_down _ n' (S n) _ L) in G. rename G into B.
  apply (check_spaces_sound d (cube_rows d) (no_halfspace_is_missing d) (S n) l _ _) in H.
  - apply H. eapply big_mono, B. intros h Hh. split; [exact Hh|]. intros x b [].
  - intros k e F. rewrite PositiveMap.gempty in F. discriminate.
Qed.

Theorem halfspace_dimension d n t l : check_grown d n t [] && check_refutation d n l = true ->
  ldim (2 ^ d) (halfspace d) (Z.of_nat n).
Proof.
  intros H. apply andb_prop in H as [H1 H2]. split; [eapply grown_mistakes, H1|eapply refuted_mistakes, H2].
Qed.
