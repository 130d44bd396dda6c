(* Success of a learner when the law of an example lies in a simplex: it is a polynomial in the law,
   and a mean of its values when each example is drawn from a corner. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Arrays Representations Draws Learners.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- numbers for all sequences of n points: lists of lists ---- *)

Fixpoint tensor (n : nat) : Type := match n with O => Z | S k => list (tensor k) end.
Fixpoint build (m n : nat) : (list nat -> Z) -> tensor n :=
  match n with
  | O => fun F => F []
  | S k => fun F => map (fun x => build m k (fun l => F (x :: l))) (seq 0 m)
  end.
Fixpoint zip {A B C} (g : A -> B -> C) (l : list A) (k : list B) : list C :=
  match l, k with a :: l', b :: k' => g a b :: zip g l' k' | _, _ => [] end.
Fixpoint combined (n : nat) (c : Z) : tensor n -> tensor n -> tensor n :=
  match n with O => fun s t => c * s + t | S k => zip (combined k c) end.

(* the first point is drawn by weights *)
Definition contract (m k : nat) (c : list Z) (ts : list (tensor k)) : tensor k :=
  fold_right (fun p t => combined k (fst p) (snd p) t) (build m k (fun _ => 0)) (combine c ts).
(* for all choices of a corner for each point *)
Fixpoint chances (m n : nat) (corners : list (list Z)) : tensor n -> list Z :=
  match n with
  | O => fun t => [t]
  | S k => fun t => flat_map (fun c => chances m k corners (contract m k c t)) corners
  end.

Lemma build_ext m : forall n F G, (forall l, F l = G l) -> build m n F = build m n G.
Proof.
  induction n as [|n IH]; intros F G E; cbn; [apply E|]. apply map_ext. intros x. apply IH. auto.
Qed.
Lemma zip_map {A B C D} (g : B -> C -> D) (u : A -> B) (v : A -> C) l :
  zip g (map u l) (map v l) = map (fun x => g (u x) (v x)) l.
Proof. induction l as [|a l IH]; cbn; [reflexivity|]. rewrite IH. reflexivity. Qed.
Lemma combined_build m c : forall n F G,
  combined n c (build m n F) (build m n G) = build m n (fun l => c * F l + G l).
Proof.
  induction n as [|n IH]; intros F G; cbn; [reflexivity|]. rewrite zip_map. apply map_ext. auto.
Qed.
Lemma contract_build m k c F : length c = m ->
  contract m k c (build m (S k) F) = build m k (fun l => dot c (map (fun x => F (x :: l)) (seq 0 m))).
Proof.
  intros <-. set (m := length c). unfold contract. cbn [build].
  enough (forall d a, fold_right (fun p t => combined k (fst p) (snd p) t) (build m k (fun _ => 0))
    (combine d (map (fun x => build m k (fun l => F (x :: l))) (seq a (length d))))
    = build m k (fun l => dot d (map (fun x => F (x :: l)) (seq a (length d))))) as H by apply H.
  induction d as [|z d IH]; intros a; cbn; [reflexivity|]. rewrite IH, combined_build. reflexivity.
Qed.

Fixpoint mixture_sum (m : nat) (js : list (list Z)) (F : list nat -> Z) : Z :=
  match js with
  | [] => F []
  | c :: js' => mixture_sum m js' (fun l => dot c (map (fun x => F (x :: l)) (seq 0 m)))
  end.
Lemma chances_spec m corners : (forall c, In c corners -> length c = m) -> forall n F js, length js = n ->
  (forall c, In c js -> In c corners) -> In (mixture_sum m js F) (chances m n corners (build m n F)).
Proof.
  intros B. induction n as [|n IH]; intros F js L H.
  - destruct js; [left; reflexivity|discriminate].
  - destruct js as [|c js]; [discriminate|]. cbn [chances mixture_sum]. apply in_flat_map. exists c.
    split; [apply H; left; reflexivity|]. rewrite contract_build by (apply B, H; left; reflexivity).
    apply IH; [injection L; auto|]. intros d Hd. apply H. right. exact Hd.
Qed.
Lemma chances_one m c F : length c = m -> forall n,
  chances m n [c] (build m n F) = [mixture_sum m (repeat c n) F].
Proof.
  intros L n. revert F. induction n as [|n IH]; intros F; [reflexivity|]. cbn [chances flat_map repeat mixture_sum].
  rewrite contract_build by exact L. rewrite IH. reflexivity.
Qed.

(* ---- the same as means ---- *)

Definition weight (c : list Z) (x : nat) : Q := inject_Z (nth x c 0).
Lemma pulled m (c : nat -> Q) laws F : (sum m (fun x => c x * mixed m laws (fun l => F (x :: l)))
  == mixed m laws (fun l => sum m (fun x => c x * F (x :: l))))%Q.
Proof. rewrite mixed_sum. apply sum_ext. intros x Hx. rewrite mixed_scale. reflexivity. Qed.

Lemma mixture_sum_spec m : forall js F, (forall c, In c js -> length c = m) ->
  (inject_Z (mixture_sum m js F) == mixed m (map weight js) (fun l => inject_Z (F l)))%Q.
Proof.
  induction js as [|c js IH]; intros F B; [reflexivity|]. cbn [mixture_sum map mixed].
  rewrite (pulled m (weight c) (map weight js) (fun l => inject_Z (F l))).
  rewrite IH by (intros; apply B; right; assumption). apply mixed_ext. intros l _.
  pose proof (B c (or_introl eq_refl)) as L.
  rewrite <- (sum_dot c) by (rewrite map_length, seq_length; auto). rewrite L.
  apply sum_ext. intros x Hx. unfold weight. apply Qmult_comp; [reflexivity|].
  rewrite nth_map_seq by exact Hx. reflexivity.
Qed.
Lemma mixed_shares m U : forall js F, (forall c, In c js -> is_law c = true /\ total c = U) ->
  (mixed m (map share js) F * inject_Z (U ^ Z.of_nat (length js)) == mixed m (map weight js) F)%Q.
Proof.
  induction js as [|c js IH]; intros F B; [cbn; ring|]. cbn [map mixed length].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r, inject_Z_mult by lia.
  destruct (B c (or_introl eq_refl)) as [L T]. pose proof (total_pos c L) as P. rewrite T in P.
  rewrite sum_mean_exchange. apply sum_ext. intros x Hx.
  rewrite <- (IH (fun l => F (x :: l))) by (intros; apply B; right; assumption).
  unfold share, weight. rewrite T. field. lra.
Qed.

(* ---- simplices of laws ---- *)

Definition corners_ok m U (cs : list (list Z)) := length cs = m /\
  forall c, In c cs -> is_law c = true /\ length c = m /\ total c = U.
Definition inside m (cs : list (list Z)) (D : nat -> Q) := exists q, law (length cs) q /\
  forall x, (x < m)%nat -> (D x == sum (length cs) (fun j => q j * share (nth j cs []) x))%Q.

Lemma inside_mean m cs D (g : nat -> Q) : inside m cs D -> exists q, law (length cs) q /\
  (sum m (fun x => D x * g x) == sum (length cs) (fun j => q j * sum m (fun x => share (nth j cs []) x * g x)))%Q.
Proof.
  intros [q [L E]]. exists q. split; [exact L|].
  rewrite (sum_ext m _ (fun x => sum (length cs) (fun j => q j * (share (nth j cs []) x * g x)))%Q).
  - rewrite sum_swap. apply sum_ext. intros j Hj. apply sum_scale.
  - intros x Hx. rewrite (E x Hx), sum_mean_exchange. apply sum_ext. intros; ring.
Qed.
Lemma convex m cs D v : inside m cs D -> forall n F,
  (forall js, length js = n -> (forall c, In c js -> In c cs) -> (v <= mixed m (map share js) F)%Q) ->
  (v <= drawn m D n F)%Q.
Proof.
  intros I. induction n as [|n IH]; intros F H.
  - apply (H []); [reflexivity|contradiction].
  - cbn [drawn]. destruct (inside_mean m cs D (fun x => drawn m D n (fun l => F (x :: l))) I) as [q [L ->]].
    apply mean_ge; [exact L|]. intros j Hj. set (c := nth j cs []).
    apply Qle_trans with (drawn m D n (fun l => sum m (fun x => share c x * F (x :: l)))%Q).
    + apply IH. intros js Ljs Ijs. rewrite <- (pulled m (share c) (map share js) F). apply (H (c :: js)); [cbn; lia|].
      intros d [<-|Hd]; [apply nth_In, Hj|apply Ijs, Hd].
    + rewrite drawn_mixed, <- (pulled m (share c) (repeat D n) F). apply sum_le. intros x Hx. rewrite drawn_mixed. apply Qle_refl.
Qed.
Lemma good_inside m cs D h f a : inside m cs D ->
  (forall c, In c cs -> (disagreement m (share c) h f <= a)%Q) -> (disagreement m D h f <= a)%Q.
Proof.
  intros I H. unfold disagreement. destruct (inside_mean m cs D (fun x => chance (xorb (h x) (f x))) I) as [q [L ->]].
  apply mean_le; [exact L|]. intros j Hj. apply H, nth_In, Hj.
Qed.

(* at first the point masses *)
Definition point_masses m : list (list Z) := map (fun y => map (fun x => if (x =? y)%nat then 1 else 0) (seq 0 m)) (seq 0 m).
Lemma total_masses y : forall n a, total (map (fun x => if (x =? y)%nat then 1 else 0) (seq a n))
  = if (a <=? y)%nat && (y <? a + n)%nat then 1 else 0.
Proof.
  induction n as [|n IH]; intros a; cbn [seq map].
  - destruct (Nat.leb_spec a y), (Nat.ltb_spec y (a + 0)); try reflexivity; lia.
  - unfold total in *. cbn [fold_right]. rewrite IH.
    destruct (Nat.eqb_spec a y), (Nat.leb_spec a y), (Nat.leb_spec (S a) y), (Nat.ltb_spec y (S a + n)),
      (Nat.ltb_spec y (a + S n)); try reflexivity; lia.
Qed.
Lemma point_masses_ok m : corners_ok m 1 (point_masses m).
Proof.
  unfold point_masses. split; [rewrite map_length, seq_length; reflexivity|].
  intros c H. apply in_map_iff in H as [y [<- H]]. apply in_seq in H.
  assert (total (map (fun x => if (x =? y)%nat then 1 else 0) (seq 0 m)) = 1) as T.
  { rewrite total_masses. destruct (Nat.leb_spec 0 y), (Nat.ltb_spec y (0 + m)); try reflexivity; lia. }
  split; [|split; [rewrite map_length, seq_length; reflexivity|exact T]].
  unfold is_law. rewrite T, andb_true_r. apply forallb_forall. intros z Hz.
  apply in_map_iff in Hz as [x [<- _]]. destruct (x =? y)%nat; reflexivity.
Qed.
Lemma point_masses_inside m D : law m D -> inside m (point_masses m) D.
Proof.
  intros L. exists D. unfold point_masses. rewrite map_length, seq_length. split; [exact L|].
  intros x Hx. rewrite <- (sum_one m x D Hx) at 1. apply sum_ext. intros j Hj.
  apply Qmult_comp; [reflexivity|]. rewrite nth_map_seq by exact Hj. unfold share.
  rewrite nth_map_seq by exact Hx. rewrite total_masses.
  destruct (Nat.leb_spec 0 j), (Nat.ltb_spec j (0 + m)); cbn [andb]; try lia.
  destruct (x =? j)%nat; reflexivity.
Qed.

(* cut at a point between two corners, which takes the place of one of them *)
Definition between (p r : positive) : list Z -> list Z -> list Z := zip (fun a b => Zpos p * a + Zpos r * b).
Definition part (cs : list (list Z)) i j p r k : list (list Z) :=
  update (map (map (Z.mul (Zpos (p + r)))) cs) k (between p r (nth i cs []) (nth j cs [])).

Lemma between_total p r : forall v w, length v = length w ->
  total (between p r v w) = Zpos p * total v + Zpos r * total w.
Proof.
  unfold total, between. induction v as [|x v IH]; intros [|y w] L; cbn [zip fold_right length] in *; try lia.
  rewrite IH by lia. ring.
Qed.
Lemma zip_length {A B C} (g : A -> B -> C) : forall v w, length v = length w -> length (zip g v w) = length v.
Proof. induction v as [|x v IH]; intros [|y w] L; cbn in *; try lia. rewrite IH; lia. Qed.
Lemma between_nth p r : forall v w x, length v = length w ->
  nth x (between p r v w) 0 = Zpos p * nth x v 0 + Zpos r * nth x w 0.
Proof.
  unfold between. induction v as [|a v IH]; intros [|b w] [|x] L; cbn [zip nth length] in *; try lia. apply IH. lia.
Qed.
Lemma between_nonneg p r : forall v w, forallb (Z.leb 0) v = true -> forallb (Z.leb 0) w = true ->
  forallb (Z.leb 0) (between p r v w) = true.
Proof.
  unfold between. induction v as [|x v IH]; intros [|y w] V W; cbn [zip forallb] in *; auto.
  apply andb_prop in V as [V1 V2], W as [W1 W2]. rewrite IH, andb_true_r by assumption.
  apply Z.leb_le in V1, W1. apply Z.leb_le. nia.
Qed.
Lemma between_sym p r : forall v w, between p r v w = between r p w v.
Proof. unfold between. induction v as [|x v IH]; intros [|y w]; cbn [zip]; auto. rewrite IH. f_equal. lia. Qed.
Lemma scaled_total c v : total (map (Z.mul c) v) = c * total v.
Proof. unfold total. induction v as [|x v IH]; cbn [map fold_right]; [ring|]. rewrite IH. ring. Qed.
Lemma scaled_law c v : 0 < c -> is_law v = true -> is_law (map (Z.mul c) v) = true.
Proof.
  intros C L. apply andb_prop in L as [P Q]. apply Z.ltb_lt in Q. unfold is_law. rewrite scaled_total.
  apply andb_true_intro. split; [|apply Z.ltb_lt; nia]. rewrite forallb_forall in *. intros z Hz.
  apply in_map_iff in Hz as [y [<- Hy]]. specialize (P y Hy). apply Z.leb_le in P. apply Z.leb_le. nia.
Qed.
Lemma scaled_share c v x : 0 < c -> is_law v = true -> (share (map (Z.mul c) v) x == share v x)%Q.
Proof.
  intros C L. pose proof (total_pos _ L). unfold share. rewrite scaled_total. replace 0 with (c * 0) at 1 by lia.
  rewrite map_nth, !inject_Z_mult. assert (0 < inject_Z c)%Q by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact C).
  field. split; lra.
Qed.

Lemma part_ok m U cs i j p r k : corners_ok m U cs -> (i < m)%nat -> (j < m)%nat ->
  corners_ok m (Zpos (p + r) * U) (part cs i j p r k).
Proof.
  intros [L B] Hi Hj. unfold part. split; [rewrite update_length, map_length; exact L|].
  assert (In (nth i cs []) cs) as Ii by (apply nth_In; lia). assert (In (nth j cs []) cs) as Ij by (apply nth_In; lia).
  destruct (B _ Ii) as [Li [Ki Ti]], (B _ Ij) as [Lj [Kj Tj]].
  intros c H. apply update_in in H as [->|H].
  - unfold is_law. rewrite between_total by lia. unfold between at 2. rewrite zip_length by lia. split; [|lia].
    apply andb_prop in Li as [Pi Qi], Lj as [Pj Qj]. rewrite between_nonneg by assumption.
    apply Z.ltb_lt in Qi, Qj. apply Z.ltb_lt. lia.
  - apply in_map_iff in H as [d [<- H]]. destruct (B d H) as [Ld [Kd Td]].
    rewrite map_length, scaled_total. split; [apply scaled_law; [reflexivity|exact Ld]|lia].
Qed.

Lemma part_inside m U cs i j p r D : corners_ok m U cs -> (i < m)%nat -> (j < m)%nat -> i <> j ->
  inside m cs D -> inside m (part cs i j p r i) D \/ inside m (part cs i j p r j) D.
Proof.
  intros [L B] Hi Hj Ne [q [[P S] E]]. rewrite L in *. set (Qp p := inject_Z (Zpos p)).
  assert (forall p, 0 < Qp p)%Q as Pos by reflexivity.
  assert (forall a b p r, (a < m)%nat -> (b < m)%nat -> a <> b -> (q a * Qp r <= q b * Qp p)%Q ->
    inside m (part cs a b p r a) D) as H.
  { clear i j p r Hi Hj Ne. intros i j p r Hi Hj Ne M. pose proof (Pos p). pose proof (Pos r).
    assert (In (nth i cs []) cs) as Ii by (apply nth_In; lia). assert (In (nth j cs []) cs) as Ij by (apply nth_In; lia).
    destruct (B _ Ii) as [Li [Ki Ti]], (B _ Ij) as [Lj [Kj Tj]]. pose proof (total_pos _ Li) as PU. rewrite Ti in PU.
    set (t := (q i * Qp r / Qp p)%Q).
    assert (0 <= t <= q j)%Q as T.
    { unfold t. split; [apply Qle_shift_div_l|apply Qle_shift_div_r]; auto. specialize (P i Hi). nra. }
    exists (fun k => q k + t * chance (Nat.eqb i k) + - t * chance (Nat.eqb j k))%Q.
    unfold part. rewrite update_length, map_length, L. split.
    - split.
      + intros k Hk. pose proof (P k Hk). destruct (Nat.eqb_spec i k), (Nat.eqb_spec j k); cbn [chance]; subst; try lia; lra.
      + rewrite !sum_plus, (sum_one m i (fun _ => t) Hi), (sum_one m j (fun _ => - t)%Q Hj), S. ring.
    - intros x Hx. rewrite (E x Hx). set (s k := share (nth k cs []) x).
      change (sum m (fun j => q j * share (nth j cs []) x)%Q) with (sum m (fun k => q k * s k)%Q).
      transitivity (sum m (fun k => q k * s k + t * s j * chance (Nat.eqb i k) + - (t * s j) * chance (Nat.eqb j k)))%Q.
      + rewrite !sum_plus, (sum_one m i (fun _ => t * s j)%Q Hi), (sum_one m j (fun _ => - (t * s j))%Q Hj). ring.
      + apply sum_ext. intros k Hk. rewrite update_nth, map_length, (proj2 (Nat.ltb_lt i _)), andb_true_r by lia.
        destruct (Nat.eqb_spec k i) as [->|Nk].
        * rewrite Nat.eqb_refl. destruct (Nat.eqb_spec j i); [congruence|]. cbn [chance].
          unfold s, share. rewrite between_total, between_nth, Ti, Tj, !inject_Z_plus, !inject_Z_mult by lia.
          fold (Qp p) (Qp r). unfold t. field. repeat split; try lra. nra.
        * change [] with (map (Z.mul (Zpos (p + r))) []) at 1. rewrite map_nth.
          rewrite scaled_share by (try apply (B (nth k cs [])), nth_In; lia || reflexivity). fold (s k).
          destruct (Nat.eqb_spec i k); [congruence|]. destruct (Nat.eqb_spec j k) as [->|]; cbn [chance]; ring. }
  destruct (Qlt_le_dec (q j * Qp p) (q i * Qp r)) as [C|C].
  - right. unfold part. rewrite between_sym, Pos.add_comm. apply (H j i r p); auto. lra.
  - left. apply (H i j p r); auto.
Qed.
