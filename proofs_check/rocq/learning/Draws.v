(* Means over independent points, and learners made of learners: with all functions as answers, with
   no regard to the order of the examples, with one example more. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool Permutation Setoid.
From CCSim Require Import Definitions Sums Mixture.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- sums over lists ---- *)

Fixpoint lsum {X} (g : X -> Q) (l : list X) : Q := match l with [] => 0 | a :: l' => g a + lsum g l' end.

Lemma lsum_ext {X} (g h : X -> Q) l : (forall a, In a l -> g a == h a) -> lsum g l == lsum h l.
Proof.
  induction l as [|a l IH]; simpl; intros E; [reflexivity|].
  rewrite IH by auto. rewrite (E a) by auto. reflexivity.
Qed.
Lemma lsum_le {X} (g h : X -> Q) l : (forall a, In a l -> g a <= h a) -> lsum g l <= lsum h l.
Proof.
  induction l as [|a l IH]; simpl; intros E; [apply Qle_refl|].
  apply Qplus_le_compat; auto.
Qed.
Lemma lsum_app {X} (g : X -> Q) l k : lsum g (l ++ k) == lsum g l + lsum g k.
Proof. induction l as [|a l IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma lsum_map {X Y} (g : Y -> Q) (f : X -> Y) l : lsum g (map f l) = lsum (fun a => g (f a)) l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
Lemma lsum_flat_map {X Y} (g : Y -> Q) (f : X -> list Y) l :
  lsum g (flat_map f l) == lsum (fun a => lsum g (f a)) l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite lsum_app, IH. reflexivity. Qed.
Lemma lsum_plus {X} (g h : X -> Q) l : lsum (fun a => g a + h a) l == lsum g l + lsum h l.
Proof. induction l as [|a l IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma lsum_scale {X} c (g : X -> Q) l : lsum (fun a => c * g a) l == c * lsum g l.
Proof. induction l as [|a l IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma lsum_const {X} c (l : list X) : lsum (fun _ => c) l == inject_Z (Z.of_nat (length l)) * c.
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [lsum length]. rewrite IH, Nat2Z.inj_succ.
  unfold Z.succ. rewrite inject_Z_plus. ring.
Qed.
Lemma lsum_perm {X} (g : X -> Q) l k : Permutation l k -> lsum g l == lsum g k.
Proof. induction 1; simpl; try rewrite IHPermutation; try ring. rewrite IHPermutation1. assumption. Qed.
Lemma lsum_sum {X} n (g : X -> nat -> Q) l :
  lsum (fun a => sum n (g a)) l == sum n (fun i => lsum (fun a => g a i) l).
Proof.
  induction l as [|a l IH]; simpl; [symmetry; apply sum_zero|]. rewrite IH, <- sum_plus. reflexivity.
Qed.

Lemma sum_mean_exchange n c (w g : nat -> Q) : sum n (fun i => w i * g i) * c == sum n (fun i => w i * (g i * c)).
Proof. rewrite Qmult_comm, <- sum_scale. apply sum_ext. intros. ring. Qed.

(* the only entry that counts *)
Lemma sum_one n j (g : nat -> Q) : (j < n)%nat -> sum n (fun i => g i * chance (Nat.eqb j i)) == g j.
Proof.
  induction n as [|n IH]; intros Hj; [lia|]. cbn [sum]. destruct (Nat.eq_dec j n) as [->|E].
  - rewrite Nat.eqb_refl. rewrite (sum_ext n _ (fun _ => 0)); [rewrite sum_zero; simpl; ring|].
    intros i Hi. destruct (Nat.eqb_spec n i); [lia|]. simpl. ring.
  - rewrite IH by lia. destruct (Nat.eqb_spec j n); [lia|]. simpl. ring.
Qed.

(* ---- points drawn independently, each by its own law ---- *)

Fixpoint mixed m (laws : list (nat -> Q)) (F : list nat -> Q) : Q :=
  match laws with
  | [] => F []
  | D :: laws' => sum m (fun x => D x * mixed m laws' (fun l => F (x :: l)))
  end.

Lemma drawn_mixed m D : forall n F, drawn m D n F == mixed m (repeat D n) F.
Proof.
  induction n as [|n IH]; intros F; [reflexivity|]. cbn.
  apply sum_ext. intros x Hx. rewrite IH. reflexivity.
Qed.

Lemma mixed_ext m : forall laws F G, (forall l, records m (length laws) l -> F l == G l) ->
  mixed m laws F == mixed m laws G.
Proof.
  induction laws as [|D laws IH]; intros F G E; cbn.
  - apply E. split; [reflexivity|contradiction].
  - apply sum_ext. intros x Hx. rewrite (IH _ (fun l => G (x :: l))); [reflexivity|].
    intros l [L B]. apply E. split; [cbn; lia|]. intros y [<-|Hy]; auto.
Qed.
Lemma mixed_le m : forall laws F G, (forall D, In D laws -> law m D) ->
  (forall l, records m (length laws) l -> F l <= G l) -> mixed m laws F <= mixed m laws G.
Proof.
  induction laws as [|D laws IH]; intros F G L E; cbn.
  - apply E. split; [reflexivity|contradiction].
  - apply sum_le. intros x Hx. destruct (L D (or_introl eq_refl)) as [P _]. specialize (P x Hx).
    assert (mixed m laws (fun l => F (x :: l)) <= mixed m laws (fun l => G (x :: l))); [|nra].
    apply IH; [intros; apply L; right; assumption|].
    intros l [H B]. apply E. split; [cbn; lia|]. intros y [<-|Hy]; auto.
Qed.
Lemma mixed_plus m : forall laws F G, mixed m laws (fun l => F l + G l) == mixed m laws F + mixed m laws G.
Proof.
  induction laws as [|D laws IH]; intros F G; cbn; [reflexivity|].
  rewrite <- sum_plus. apply sum_ext. intros x Hx. rewrite IH. ring.
Qed.
Lemma mixed_scale m c : forall laws F, mixed m laws (fun l => c * F l) == c * mixed m laws F.
Proof.
  induction laws as [|D laws IH]; intros F; cbn; [reflexivity|].
  rewrite <- sum_scale. apply sum_ext. intros x Hx. rewrite IH. ring.
Qed.
Lemma mixed_zero m laws : mixed m laws (fun _ => 0) == 0.
Proof.
  rewrite (mixed_ext m laws _ (fun _ => 0 * 0)) by (intros; ring). rewrite mixed_scale. ring.
Qed.
Lemma mixed_sum m k laws (F : nat -> list nat -> Q) :
  mixed m laws (fun l => sum k (fun i => F i l)) == sum k (fun i => mixed m laws (F i)).
Proof.
  induction k as [|k IH]; cbn; [apply mixed_zero|]. rewrite mixed_plus, IH. reflexivity.
Qed.
Lemma mixed_lsum {X} m laws (F : X -> list nat -> Q) (q : list X) :
  mixed m laws (fun l => lsum (fun a => F a l) q) == lsum (fun a => mixed m laws (F a)) q.
Proof.
  induction q as [|a q IH]; cbn; [apply mixed_zero|]. rewrite mixed_plus, IH. reflexivity.
Qed.
Lemma mixed_one m : forall laws, (forall D, In D laws -> law m D) -> mixed m laws (fun _ => 1) == 1.
Proof.
  induction laws as [|D laws IH]; intros L; cbn; [reflexivity|].
  destruct (L D (or_introl eq_refl)) as [_ E]. rewrite <- E. apply sum_ext. intros x Hx.
  rewrite IH; [ring|]. intros; apply L; right; assumption.
Qed.
Lemma mixed_app m : forall laws more F,
  mixed m (laws ++ more) F == mixed m laws (fun l => mixed m more (fun k => F (l ++ k))).
Proof.
  induction laws as [|D laws IH]; intros more F; cbn; [reflexivity|].
  apply sum_ext. intros x Hx. rewrite IH. reflexivity.
Qed.

Section Drawn.
Context (m : nat) (D : nat -> Q).
Lemma drawn_ext n F G : (forall l, records m n l -> F l == G l) -> drawn m D n F == drawn m D n G.
Proof. intros E. rewrite !drawn_mixed. apply mixed_ext. rewrite repeat_length. exact E. Qed.
Lemma drawn_le n F G : law m D -> (forall l, records m n l -> F l <= G l) -> drawn m D n F <= drawn m D n G.
Proof.
  intros L E. rewrite !drawn_mixed. apply mixed_le.
  - intros D' H. apply repeat_spec in H as ->. exact L.
  - rewrite repeat_length. exact E.
Qed.
Lemma drawn_plus n F G : drawn m D n (fun l => F l + G l) == drawn m D n F + drawn m D n G.
Proof. rewrite !drawn_mixed. apply mixed_plus. Qed.
Lemma drawn_scale c n F : drawn m D n (fun l => c * F l) == c * drawn m D n F.
Proof. rewrite !drawn_mixed. apply mixed_scale. Qed.
Lemma drawn_one n : law m D -> drawn m D n (fun _ => 1) == 1.
Proof.
  intros L. rewrite drawn_mixed. apply mixed_one. intros D' H. apply repeat_spec in H as ->. exact L.
Qed.
Lemma drawn_app a b F : drawn m D (a + b) F == drawn m D a (fun l => drawn m D b (fun k => F (l ++ k))).
Proof.
  rewrite !drawn_mixed, repeat_app, mixed_app. apply mixed_ext. intros. rewrite drawn_mixed. reflexivity.
Qed.
Lemma drawn_lsum {X} n (F : X -> list nat -> Q) (q : list X) :
  drawn m D n (fun l => lsum (fun a => F a l) q) == lsum (fun a => drawn m D n (F a)) q.
Proof.
  rewrite drawn_mixed, mixed_lsum. apply lsum_ext. intros. rewrite drawn_mixed. reflexivity.
Qed.
End Drawn.

(* a law is that of another one, if they agree where it matters *)
Lemma drawn_law m D E : (forall x, (x < m)%nat -> D x == E x) -> forall n F, drawn m D n F == drawn m E n F.
Proof.
  intros H. induction n as [|n IH]; intros F; cbn; [reflexivity|].
  apply sum_ext. intros x Hx. rewrite IH, (H x Hx). reflexivity.
Qed.

(* ---- all orders of a list ---- *)

Section Orders.
Context {X : Type}.
Fixpoint inserted (x : X) (l : list X) : list (list X) :=
  match l with [] => [[x]] | y :: l' => (x :: l) :: map (cons y) (inserted x l') end.
Fixpoint orders (l : list X) : list (list X) :=
  match l with [] => [[]] | x :: l' => flat_map (inserted x) (orders l') end.

Lemma inserted_perm x : forall l q, In q (inserted x l) -> Permutation (x :: l) q.
Proof.
  induction l as [|y l IH]; cbn; intros q H.
  - destruct H as [<-|[]]. reflexivity.
  - destruct H as [<-|H]; [reflexivity|]. apply in_map_iff in H as [r [<- H]]. apply IH in H.
    rewrite perm_swap, H. reflexivity.
Qed.
Lemma orders_perm : forall l q, In q (orders l) -> Permutation l q.
Proof.
  induction l as [|x l IH]; cbn; intros q H.
  - destruct H as [<-|[]]. reflexivity.
  - apply in_flat_map in H as [r [R H]]. apply IH in R. apply inserted_perm in H. rewrite R. exact H.
Qed.
Lemma orders_pos l : orders l <> [].
Proof.
  induction l as [|x l IH]; cbn; [discriminate|]. destruct (orders l) as [|q r]; [contradiction|].
  destruct q; discriminate.
Qed.


(* sums over all orders do not depend on the order *)
Lemma inserted_cons x z q (F : list X -> Q) :
  lsum F (inserted x (z :: q)) == F (x :: z :: q) + lsum (fun r => F (z :: r)) (inserted x q).
Proof. cbn [inserted lsum]. rewrite lsum_map. reflexivity. Qed.
Lemma inserted_twice x y : forall q (F : list X -> Q),
  lsum (fun r => lsum F (inserted y r)) (inserted x q) == lsum (fun r => lsum F (inserted x r)) (inserted y q).
Proof.
  assert (forall x y z q (F : list X -> Q), lsum (fun r => lsum F (inserted y r)) (inserted x (z :: q))
    == F (y :: x :: z :: q) + F (x :: y :: z :: q) + lsum (fun r => F (x :: z :: r)) (inserted y q)
       + lsum (fun r => F (y :: z :: r)) (inserted x q)
       + lsum (fun r => lsum (fun s => F (z :: s)) (inserted y r)) (inserted x q)) as E.
  { clear. intros x y z q F. rewrite inserted_cons, inserted_cons, inserted_cons.
    pose proof (lsum_ext (fun r => lsum F (inserted y (z :: r)))
      (fun r => F (y :: z :: r) + lsum (fun s => F (z :: s)) (inserted y r)) (inserted x q)) as E.
    cbv beta in E. rewrite E by (intros; apply inserted_cons). rewrite lsum_plus. ring. }
  induction q as [|z q IH]; intros F; [cbn; ring|]. rewrite !E, (IH (fun s => F (z :: s))). ring.
Qed.

Lemma orders_sum l k : Permutation l k -> forall F : list X -> Q, lsum F (orders l) == lsum F (orders k).
Proof.
  induction 1 as [|x l k P IH|x y l|l j k P IH Q IH']; intros F; cbn.
  - reflexivity.
  - rewrite !lsum_flat_map. apply IH.
  - rewrite !lsum_flat_map. apply lsum_ext. intros q _. apply inserted_twice.
  - rewrite IH. apply IH'.
Qed.
End Orders.

Lemma inserted_map {X Y} (g : X -> Y) x : forall l, inserted (g x) (map g l) = map (map g) (inserted x l).
Proof. induction l as [|y l IH]; cbn; [reflexivity|]. rewrite IH, !map_map. reflexivity. Qed.
Lemma orders_map {X Y} (g : X -> Y) : forall l, orders (map g l) = map (map g) (orders l).
Proof.
  induction l as [|x l IH]; cbn; [reflexivity|]. rewrite IH. clear IH.
  induction (orders l) as [|q r IH]; cbn; [reflexivity|]. rewrite inserted_map, IH, map_app. reflexivity.
Qed.

(* the mean of independent points over all orders is their mean *)
Lemma drawn_inserted m D : forall n F, sum m (fun x => D x * drawn m D n (fun l => lsum F (inserted x l)))
  == inject_Z (Z.of_nat (S n)) * drawn m D (S n) F.
Proof.
  induction n as [|n IH]; intros F.
  - cbn. setoid_replace (inject_Z 1) with 1 by reflexivity. rewrite Qmult_1_l.
    apply sum_ext. intros. ring.
  - cbn [drawn]. rewrite (sum_ext m _ (fun x => D x * drawn m D (S n) (fun l => F (x :: l))
      + sum m (fun y => D x * (D y * drawn m D n (fun l => lsum (fun r => F (y :: r)) (inserted x l)))))).
    + rewrite sum_plus, sum_swap. rewrite (sum_ext m (fun y => sum m _) (fun y => D y *
        (inject_Z (Z.of_nat (S n)) * drawn m D (S n) (fun l => F (y :: l))))).
      * rewrite (Nat2Z.inj_succ (S n)). unfold Z.succ. rewrite inject_Z_plus.
        rewrite (sum_ext m (fun y => D y * (_ * _)) (fun y => inject_Z (Z.of_nat (S n)) *
          (D y * drawn m D (S n) (fun l => F (y :: l))))) by (intros; ring).
        rewrite sum_scale. cbn [drawn]. ring.
      * intros y Hy. rewrite <- IH, <- sum_scale. apply sum_ext. intros. ring.
    + intros x Hx. cbn [drawn]. rewrite sum_scale, <- Qmult_plus_distr_r.
      apply Qmult_comp; [reflexivity|]. rewrite <- sum_plus. apply sum_ext. intros y Hy.
      rewrite <- Qmult_plus_distr_r. apply Qmult_comp; [reflexivity|]. rewrite <- drawn_plus.
      apply drawn_ext. intros l _. rewrite inserted_cons. ring.
Qed.

Fixpoint orders_number (n : nat) : Z :=
  match n with O => 1 | S k => (orders_number k * Z.of_nat n)%Z end.
Lemma drawn_orders m D : forall n F, drawn m D n (fun l => lsum F (orders l)) == inject_Z (orders_number n) * drawn m D n F.
Proof.
  induction n as [|n IH]; intros F; [cbn; ring|]. cbn [drawn orders].
  rewrite (sum_ext m _ (fun x => D x * (inject_Z (orders_number n) * drawn m D n (fun l => lsum F (inserted x l))))).
  - rewrite (sum_ext m _ (fun x => inject_Z (orders_number n) * (D x * drawn m D n (fun l => lsum F (inserted x l)))))
      by (intros; ring).
    rewrite sum_scale, drawn_inserted. cbn [orders_number]. rewrite inject_Z_mult. cbn [drawn]. ring.
  - intros x Hx. apply Qmult_comp; [reflexivity|]. rewrite <- IH. apply drawn_ext. intros l _.
    rewrite lsum_flat_map. reflexivity.
Qed.
Lemma inserted_length {X} (x : X) l : length (inserted x l) = S (length l).
Proof. induction l; cbn; [reflexivity|]. rewrite map_length. auto. Qed.
Lemma orders_length {X} : forall l : list X, Z.of_nat (length (orders l)) = orders_number (length l).
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [orders length orders_number]. rewrite <- IH.
  assert (forall q, In q (orders l) -> length q = length l) as E.
  { intros q H. apply Permutation_length, Permutation_sym, orders_perm, H. }
  revert E. generalize (length l). clear. intros n E.
  induction (orders l) as [|q r IH]; [reflexivity|]. cbn [flat_map length].
  rewrite app_length, inserted_length, (E q (or_introl eq_refl)).
  rewrite !Nat2Z.inj_add, IH by (intros; apply E; right; assumption). rewrite !Nat2Z.inj_succ. lia.
Qed.
Lemma orders_number_pos n : (0 < orders_number n)%Z.
Proof. induction n; cbn [orders_number]; lia. Qed.

(* ---- samples ---- *)

Lemma labelled_sample f m n l : records m n l -> sample m n (labelled f l).
Proof.
  intros [L B]. split; [unfold labelled; rewrite map_length; exact L|].
  intros z H. apply in_map_iff in H as [x [<- H]]. apply B, H.
Qed.
Lemma sample_perm m n S T : Permutation S T -> sample m n S -> sample m n T.
Proof.
  intros P [L B]. split; [rewrite <- L; symmetry; apply Permutation_length, P|].
  intros z H. apply B. eapply Permutation_in; [apply Permutation_sym, P|exact H].
Qed.

(* orders of neighbours are neighbours, one by one *)
Lemma orders_replaced {X} (S T : list X) : one_replaced S T -> exists (U : list (list nat)) (s t : nat -> X),
  orders S = map (map s) U /\ orders T = map (map t) U /\ forall u, In u U -> one_replaced (map s u) (map t u).
Proof.
  intros [l [x [y [r [ES ET]]]]]. set (n := length S). set (at_ l i := nth i l x).
  assert (forall l, map (at_ l) (seq 0 (length l)) = l) as A.
  { clear. intros l. unfold at_. induction l as [|a l IH]; [reflexivity|]. cbn.
    f_equal. rewrite <- seq_shift, map_map. exact IH. }
  assert (length T = n) as LT by (unfold n; rewrite ES, ET, !app_length; reflexivity).
  exists (orders (seq 0 n)), (at_ S), (at_ T). rewrite <- !orders_map. unfold n at 1. rewrite A.
  rewrite <- LT, A. split; [reflexivity|]. split; [reflexivity|]. intros u U. apply orders_perm in U.
  assert (In (length l) u) as I.
  { eapply Permutation_in; [exact U|]. apply in_seq. rewrite LT. unfold n. rewrite ES, app_length. cbn. lia. }
  assert (NoDup u) as N by (eapply Permutation_NoDup; [exact U|apply seq_NoDup]).
  apply in_split in I as [u1 [u2 E]]. subst u. apply NoDup_remove_2 in N.
  exists (map (at_ S) u1), (at_ S (length l)), (at_ T (length l)), (map (at_ S) u2).
  rewrite !map_app. split; [reflexivity|]. cbn [map].
  assert (forall i, i <> length l -> at_ T i = at_ S i) as D.
  { intros i H. unfold at_. rewrite ES, ET. clear - H. revert i H.
    induction l as [|a l IH]; intros [|i] H; cbn in *; try congruence. apply IH. congruence. }
  assert (forall v, ~ In (length l) v -> map (at_ T) v = map (at_ S) v) as M.
  { intros v H. apply map_ext_in. intros i Hi. apply D. intros ->. contradiction. }
  rewrite !M; [reflexivity| |]; intros H; apply N, in_or_app; auto.
Qed.
