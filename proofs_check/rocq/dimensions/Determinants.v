(* Determinants of lists of rational vectors, by expansion along coordinates: they alternate in the
   vectors, are linear in each, and r + 1 vectors of dimension r satisfy Cramer's relation. *)
From Coq Require Import List Arith QArith Lia Lqa Setoid.
From CCSim Require Import Definitions Sums Mixture.
Import ListNotations.
Local Open Scope Q_scope.

Definition vector := nat -> Q.
Definition origin : vector := fun _ => 0.

(* ---- alternating sums over a list: each entry with all the others ---- *)

Section Alternating.
Context {A : Type}.
Fixpoint alt (G : A -> list A -> Q) (l : list A) : Q :=
  match l with [] => 0 | x :: l' => G x l' - alt (fun a k => G a (x :: k)) l' end.

Lemma alt_ext : forall l G H, (forall a k, G a k == H a k) -> alt G l == alt H l.
Proof.
  induction l as [|x l IH]; intros G H E; cbn [alt]; [reflexivity|].
  rewrite (E x l), (IH _ (fun a k => H a (x :: k))); [reflexivity|]. intros a k. apply E.
Qed.
Lemma alt_minus : forall l G H, alt (fun a k => G a k - H a k) l == alt G l - alt H l.
Proof.
  induction l as [|x l IH]; intros G H; cbn [alt]; [ring|].
  rewrite (IH (fun a k => G a (x :: k)) (fun a k => H a (x :: k))). ring.
Qed.
Lemma alt_scale c : forall l G, alt (fun a k => c * G a k) l == c * alt G l.
Proof.
  induction l as [|x l IH]; intros G; cbn [alt]; [ring|]. rewrite (IH (fun a k => G a (x :: k))). ring.
Qed.
Lemma alt_zero l : alt (fun _ _ => 0) l == 0.
Proof. induction l as [|x l IH]; cbn [alt]; [reflexivity|]. rewrite IH. ring. Qed.

(* two entries that change places change the sign *)
Lemma alt_swap : forall p x y q G, (forall a p x y q, G a (p ++ x :: y :: q) == - G a (p ++ y :: x :: q)) ->
  alt G (p ++ x :: y :: q) == - alt G (p ++ y :: x :: q).
Proof.
  induction p as [|z p IH]; intros x y q G H; cbn [app alt].
  - rewrite (alt_ext q (fun a k => G a (x :: y :: k)) (fun a k => -(1) * G a (y :: x :: k))).
    + rewrite alt_scale. ring.
    + intros a k. pose proof (H a [] x y k) as E. cbn [app] in E. rewrite E. ring.
  - rewrite (H z p x y q), (IH x y q (fun a k => G a (z :: k))); [ring|].
    intros a p' x' y' q'. exact (H a (z :: p') x' y' q').
Qed.
Lemma alt_twice : forall l (F : A -> A -> list A -> Q),
  alt (fun a k => alt (fun b j => F a b j) k) l == - alt (fun a k => alt (fun b j => F b a j) k) l.
Proof.
  induction l as [|x l IH]; intros F; [cbn [alt]; ring|]. cbn [alt].
  rewrite !alt_minus. rewrite (IH (fun a b j => F a b (x :: j))).
  change (alt (fun b j => F x b j) l) with (alt (F x) l).
  change (alt (fun a k => F x a k) l) with (alt (F x) l). ring.
Qed.

(* entry i counts with the sign of (-1)^i *)
Definition sign_at (i : nat) : Q := if Nat.even i then 1 else -(1).
Lemma sign_at_S i : sign_at (S i) == - sign_at i.
Proof. unfold sign_at. rewrite Nat.even_succ, <- Nat.negb_even. destruct (Nat.even i); reflexivity. Qed.
Definition removed (i : nat) (l : list A) : list A := firstn i l ++ skipn (S i) l.
Lemma alt_sum d : forall l G, alt G l == sum (length l) (fun i => sign_at i * G (nth i l d) (removed i l)).
Proof.
  induction l as [|x l IH]; intros G; [reflexivity|]. cbn [alt length]. rewrite sum_shift. cbn [nth].
  rewrite (IH (fun a k => G a (x :: k))).
  rewrite (sum_ext (length l) (fun i => sign_at (S i) * _) (fun i => -(1) * (sign_at i * G (nth i l d) (x :: removed i l)))).
  - rewrite sum_scale. change (removed 0 (x :: l)) with l. unfold sign_at at 2. cbn [Nat.even]. ring.
  - intros i _. rewrite sign_at_S. change (removed (S i) (x :: l)) with (x :: removed i l). ring.
Qed.
Lemma alt_skip : forall p q G, (forall a k, In a p -> G a k == 0) ->
  alt G (p ++ q) == sign_at (length p) * alt (fun a k => G a (p ++ k)) q.
Proof.
  induction p as [|x p IH]; intros q G H; cbn [app alt length].
  - unfold sign_at. cbn [Nat.even]. rewrite (alt_ext q G (fun a k => G a k)) by reflexivity. ring.
  - rewrite (H x) by (left; reflexivity). rewrite (IH q (fun a k => G a (x :: k))).
    + rewrite sign_at_S. ring.
    + intros a k Ha. apply H. right. exact Ha.
Qed.
End Alternating.

(* ---- determinants ---- *)

Fixpoint det (coordinates : list nat) (l : list vector) : Q :=
  match coordinates with
  | [] => match l with [] => 1 | _ => 0 end
  | c :: cs => @alt vector (fun a k => a c * det cs k) l
  end.

Lemma det_swap : forall cs p x y q, det cs (p ++ x :: y :: q) == - det cs (p ++ y :: x :: q).
Proof.
  induction cs as [|c cs IH]; intros p x y q; cbn [det]; [destruct p; reflexivity|].
  apply alt_swap. intros a p' x' y' q'. cbv beta. rewrite (IH p' x' y' q'). ring.
Qed.
Lemma det_twice cs x r : forall q p, det cs (p ++ x :: q ++ x :: r) == 0.
Proof.
  induction q as [|y q IH]; intros p; cbn [app].
  - pose proof (det_swap cs p x x r). lra.
  - rewrite det_swap. specialize (IH (p ++ [y])). rewrite <- app_assoc in IH. cbn [app] in IH. rewrite IH. ring.
Qed.
Lemma det_coordinates c d cs l : det (c :: d :: cs) l == - det (d :: c :: cs) l.
Proof.
  cbn [det]. rewrite (alt_ext l _ (fun a k => alt (fun b j => a c * (b d * det cs j)) k))
    by (intros; rewrite alt_scale; reflexivity).
  rewrite (alt_ext l (fun a k => a d * _) (fun a k => alt (fun b j => b c * (a d * det cs j)) k)).
  - exact (alt_twice l (fun a b j => a c * (b d * det cs j))).
  - intros a k. rewrite <- alt_scale. apply alt_ext. intros; ring.
Qed.
Lemma det_same_coordinate c : forall cs l, In c cs -> det (c :: cs) l == 0.
Proof.
  induction cs as [|d cs IH]; intros l H; [contradiction|]. destruct (Nat.eq_dec c d) as [->|N].
  - pose proof (det_coordinates d d cs l). lra.
  - rewrite det_coordinates. change (det (d :: c :: cs) l) with (alt (fun a k => a d * det (c :: cs) k) l).
    rewrite (alt_ext l _ (fun _ _ => 0)); [rewrite alt_zero; ring|]. intros a k. rewrite IH; [ring|].
    destruct H as [H|H]; [congruence|exact H].
Qed.

(* ---- linear forms ---- *)

Definition dot_product (d : nat) (v w : vector) : Q := sum d (fun i => v i * w i).
Definition linear d (f : vector -> Q) := exists w, forall v, f v == dot_product d w v.

Lemma linear_ext d f g : (forall v, f v == g v) -> linear d f -> linear d g.
Proof. intros E [w W]. exists w. intros v. rewrite <- E. apply W. Qed.
Lemma linear_zero d : linear d (fun _ => 0).
Proof.
  exists (fun _ => 0). intros v. unfold dot_product. rewrite (sum_ext d _ (fun _ => 0)) by (intros; ring).
  symmetry. apply sum_zero.
Qed.
Lemma linear_scale d c f : linear d f -> linear d (fun v => c * f v).
Proof.
  intros [w W]. exists (fun i => c * w i). intros v. rewrite W. unfold dot_product. rewrite <- sum_scale.
  apply sum_ext. intros; ring.
Qed.
Lemma linear_minus d f g : linear d f -> linear d g -> linear d (fun v => f v - g v).
Proof.
  intros [w W] [z Z]. exists (fun i => w i - z i). intros v. rewrite W, Z. unfold dot_product.
  rewrite (sum_ext d (fun i => (w i - z i) * v i) (fun i => w i * v i + -(1) * (z i * v i))) by (intros; ring).
  rewrite sum_plus, sum_scale. ring.
Qed.
Lemma linear_coordinate d c x : (c < d)%nat -> linear d (fun v => v c * x).
Proof.
  intros H. exists (fun i => x * chance (Nat.eqb c i)). intros v. unfold dot_product.
  induction d as [|d IH]; [lia|]. cbn [sum]. destruct (Nat.eq_dec c d) as [->|N].
  - rewrite Nat.eqb_refl. rewrite (sum_ext d _ (fun _ => 0)); [rewrite sum_zero; unfold chance; ring|].
    intros i Hi. destruct (Nat.eqb_spec d i); [lia|]. unfold chance. ring.
  - rewrite <- IH by lia. destruct (Nat.eqb_spec c d); [contradiction|]. unfold chance. ring.
Qed.

Lemma alt_linear_in d : forall q (H : vector -> vector -> list vector -> Q),
  (forall a k, linear d (fun v => H v a k)) -> linear d (fun v => alt (H v) q).
Proof.
  induction q as [|x q IH]; intros H L; cbn [alt]; [apply linear_zero|].
  apply linear_minus; [apply L|]. apply (IH (fun v a k => H v a (x :: k))). intros; apply L.
Qed.
Lemma alt_linear d : forall p q (G : vector -> list vector -> Q), (forall k, linear d (fun v => G v k)) ->
  (forall a p q, linear d (fun v => G a (p ++ v :: q))) -> linear d (fun v => alt G (p ++ v :: q)).
Proof.
  induction p as [|x p IH]; intros q G L M; cbn [app alt].
  - apply linear_minus; [apply L|]. apply (alt_linear_in d q (fun v a k => G a (v :: k))). intros a k. apply (M a [] k).
  - apply linear_minus; [apply M|]. apply (IH q (fun a k => G a (x :: k))); [intros k; apply L|].
    intros a p' q'. apply (M a (x :: p') q').
Qed.
Lemma det_linear d : forall cs, (forall c, In c cs -> (c < d)%nat) -> forall p q, linear d (fun v => det cs (p ++ v :: q)).
Proof.
  induction cs as [|c cs IH]; intros B p q; cbn [det].
  - apply (linear_ext d (fun _ => 0)); [intros v; destruct p; reflexivity|apply linear_zero].
  - apply (alt_linear d p q (fun a k => a c * det cs k)).
    + intros k. apply linear_coordinate, B. left. reflexivity.
    + intros a p' q'. apply linear_scale, IH. intros e He. apply B. right. exact He.
Qed.

(* Cramer: the alternating sum of the determinants without a vector times this vector is 0 *)
Lemma cramer d f l : linear d f -> alt (fun a k => f a * det (seq 0 d) k) l == 0.
Proof.
  intros [w W].
  assert (forall e, (e <= d)%nat -> alt (fun a k => sum e (fun i => w i * a i) * det (seq 0 d) k) l == 0) as S.
  { induction e as [|e IH]; intros He; cbn [sum].
    - rewrite (alt_ext l _ (fun _ _ => 0)); [apply alt_zero|intros; ring].
    - rewrite (alt_ext l _ (fun a k => sum e (fun i => w i * a i) * det (seq 0 d) k
        - -(1) * (w e * (a e * det (seq 0 d) k)))) by (intros; ring).
      rewrite alt_minus, IH by lia. rewrite !alt_scale.
      change (alt (fun a k => a e * det (seq 0 d) k) l) with (det (e :: seq 0 d) l).
      rewrite det_same_coordinate by (apply in_seq; lia). ring. }
  rewrite (alt_ext l _ (fun a k => sum d (fun i => w i * a i) * det (seq 0 d) k)); [apply S; lia|].
  intros a k. rewrite (W a). reflexivity.
Qed.

(* the relation of Grassmann and Pluecker with three terms *)
Theorem grassmann_pluecker r A b c d e : let D := det (seq 0 r) in
  D (A ++ [b; c]) * D (A ++ [d; e]) + D (A ++ [b; d]) * D (A ++ [e; c]) + D (A ++ [b; e]) * D (A ++ [c; d]) == 0.
Proof.
  intros D. set (f v := D (A ++ [b; v])).
  assert (linear r f) as L.
  { unfold f, D. apply (linear_ext r (fun v => det (seq 0 r) ((A ++ [b]) ++ v :: []))).
    - intros v. rewrite <- app_assoc. reflexivity.
    - apply det_linear. intros i Hi. apply in_seq in Hi. lia. }
  pose proof (cramer r f (A ++ [c; d; e]) L) as C. fold D in C. rewrite alt_skip in C.
  2:{ intros a k Ha. apply in_split in Ha as [p [q ->]]. unfold f, D. rewrite <- app_assoc. cbn [app].
      pose proof (det_twice (seq 0 r) a [] (q ++ [b]) p) as Z. rewrite <- app_assoc in Z. cbn [app] in Z. rewrite Z. ring. }
  cbn [alt] in C. fold (f c) (f d) (f e). pose proof (det_swap (seq 0 r) A e c []) as Sw. fold D in Sw. rewrite Sw.
  assert (~ @sign_at (length A) == 0) as N by (unfold sign_at; destruct (Nat.even (length A)); lra).
  unfold sign_at in C. destruct (Nat.even (length A)); lra.
Qed.
