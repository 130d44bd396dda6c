(* Vectors that mix vertices: an edge is halved, and affine functions are least at a vertex. *)
From Coq Require Import ZArith QArith Lia Lqa Bool List.
From CCSim Require Import Definitions Sums Mixture Arrays RandomClasses LawBounds Determinants.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- vectors of integers, which are 0 where a list ends ---- *)

Notation vertex := (list Z).
Definition at_place (v : vertex) : vector := fun x => inject_Z (nth x v 0%Z).

Fixpoint plus_z (a b : vertex) : vertex :=
  match a, b with s :: a', t :: b' => (s + t)%Z :: plus_z a' b' | [], _ => b | _, [] => a end.
Definition times_z (c : Z) (a : vertex) : vertex := if (c =? 0)%Z then [] else map (Z.mul c) a.
Definition minus_z (a b : vertex) : vertex := plus_z a (map Z.opp b).

Lemma plus_z_at a b x : at_place (plus_z a b) x == at_place a x + at_place b x.
Proof.
  unfold at_place. rewrite <- inject_Z_plus. enough (nth x (plus_z a b) 0 = nth x a 0 + nth x b 0)%Z as -> by
    reflexivity.
  revert b x. induction a as [|s a IH]; intros [|t b] [|x]; cbn [plus_z nth]; try lia. apply IH.
Qed.
Lemma times_z_at c a x : at_place (times_z c a) x == inject_Z c * at_place a x.
Proof.
  unfold at_place. rewrite <- inject_Z_mult. unfold times_z. enough (nth x (if (c =? 0)%Z then [] else map (Z.mul c)
    a) 0 = c * nth x a 0)%Z as -> by reflexivity.
  destruct (Z.eqb_spec c 0) as [->|N]; [destruct x; reflexivity|].
  replace 0%Z with (c * 0)%Z at 1 by lia. apply map_nth.
Qed.
Lemma minus_z_at a b x : at_place (minus_z a b) x == at_place a x - at_place b x.
Proof.
  unfold minus_z. rewrite plus_z_at. unfold at_place at 2.
  rewrite (map_nth Z.opp b 0%Z x : nth x (map Z.opp b) 0%Z = _), inject_Z_opp. reflexivity.
Qed.

(* ---- mixtures ---- *)

Lemma some_below {A} (l : list (Q * A)) g : (forall t, In t l -> 0 <= fst t) -> sum_over l fst == 1 ->
  exists t, In t l /\ g t <= sum_over l (fun t => fst t * g t).
Proof.
  intros P S. destruct l as [|a l']; [discriminate S|]. set (l := a :: l') in *.
  destruct (some_le_mean (length l) (fun i => fst (nth i l a)) (fun i => g (nth i l a)) (sum_over l (fun t => fst t *
    g t)))
    as [i [Hi G]].
  - split; [intros i Hi; apply P, nth_In, Hi|]. rewrite (sum_over_nth l fst a). exact S.
  - rewrite (sum_over_nth l (fun t => fst t * g t) a). apply Qle_refl.
  - exists (nth i l a). split; [apply nth_In, Hi|exact G].
Qed.

Definition weighted (l : list (Q * vertex)) : vector := fun x => sum_over l (fun t => fst t * at_place (snd t) x).
Definition mixed d (side : list vertex) (a : vector) := exists l : list (Q * vertex),
  (forall t, In t l -> 0 <= fst t /\ In (snd t) side) /\ sum_over l fst == 1 /\
  forall x, (x < d)%nat -> a x == weighted l x.

Lemma mixed_least d side a w : mixed d side a ->
  exists v, In v side /\ dot_product d w (at_place v) <= dot_product d w a.
Proof.
  intros [l [V [S E]]].
  destruct (some_below l (fun t => dot_product d w (at_place (snd t)))) as [t [I G]].
  - intros t I. apply V, I.
  - exact S.
  - exists (snd t). split; [apply V, I|]. eapply Qle_trans; [exact G|]. apply Qle_lteq. right.
    unfold dot_product. rewrite (sum_ext d (fun i => w i * a i) (fun i => sum_over l (fun t => fst t * (w i * at_place
      (snd t) i)))).
    + rewrite sum_sum_over. apply sum_over_ext. intros s _. rewrite <- sum_scale. reflexivity.
    + intros i Hi. rewrite (E i Hi). unfold weighted. rewrite <- sum_over_scale. apply sum_over_ext. intros s _. ring.
Qed.

(* ---- the middle of an edge in the place of either end ---- *)

Definition halves (side : list vertex) (s t : nat) : option (list (list vertex)) :=
  let a := nth s side [] in
  let b := nth t side [] in
  let twice := plus_z a b in
  if (s <? t)%nat && (t <? length side)%nat && forallb Z.even twice then
    let half := map (fun z => (z / 2)%Z) twice in
    Some [update side t half; update side s half]
  else None.

Lemma half_at twice x : forallb Z.even twice = true ->
  2 * at_place (map (fun z => (z / 2)%Z) twice) x == at_place twice x.
Proof.
  intros H. unfold at_place. change 2 with (inject_Z 2). rewrite <- inject_Z_mult.
  enough (2 * nth x (map (fun z => z / 2) twice) 0 = nth x twice 0)%Z as -> by reflexivity.
  change 0%Z with (0 / 2)%Z at 1. rewrite (map_nth (fun z => (z / 2)%Z)).
  destruct (Nat.lt_ge_cases x (length twice)) as [L|L]; [|rewrite nth_overflow by exact L; reflexivity].
  rewrite forallb_forall in H. specialize (H _ (nth_In twice 0%Z L)). apply Z.even_spec in H as [c ->].
  rewrite (Z.mul_comm 2 c), Z.div_mul by lia. lia.
Qed.

(* one entry of a list is exchanged *)
Lemma Forall2_update {A B} (R : A -> B -> Prop) : forall l l', Forall2 R l l' -> forall d a, nth_error l d = Some a ->
  exists b, R a b /\ forall a', R a' b -> Forall2 R (update l d a') l'.
Proof.
  induction 1 as [|c b l l' C F IH]; intros d a N; [destruct d; discriminate N|].
  destruct d as [|d]; cbn [nth_error update] in *.
  - injection N as ->. exists b. split; [exact C|]. intros a' D. constructor; assumption.
  - destruct (IH d a N) as [b' [B' H]]. exists b'. split; [exact B'|]. intros a' D. constructor; [exact C|apply H, D].
Qed.

(* what a mixture has on both ends of an edge, and the rest of it *)
Lemma parted side s t half l : (forall p, In p l -> 0 <= fst p /\ In (snd p) side) -> exists l' (q r : Q),
  0 <= q /\ 0 <= r /\
  (forall p, In p l' -> 0 <= fst p /\ In (snd p) (update side t half) /\ In (snd p) (update side s half)) /\
  sum_over l fst == q + r + sum_over l' fst /\
  forall x, weighted l x == q * at_place (nth s side []) x + r * at_place (nth t side []) x + weighted l' x.
Proof.
  induction l as [|[u v] l IH]; intros H.
  - exists [], 0, 0. split; [lra|]. split; [lra|]. split; [intros p []|]. split; [reflexivity|].
    intros x. unfold weighted, sum_over. cbn [fold_right]. ring.
  - destruct IH as [l' [q [r [Q [R [V [S W]]]]]]]; [intros p I; apply H, in_cons, I|].
    destruct (H (u, v) (in_eq _ _)) as [U I]. cbn [fst snd] in U, I.
    assert (forall x, weighted ((u, v) :: l) x == u * at_place v x + weighted l x) as Wh by reflexivity.
    assert (sum_over ((u, v) :: l) fst == u + sum_over l fst) as Sh by reflexivity.
    apply (In_nth _ _ []) in I as [i [Hi <-]].
    destruct (Nat.eq_dec i s) as [->|Ns]; [|destruct (Nat.eq_dec i t) as [->|Nt]].
    + exists l', (u + q), r. split; [lra|]. split; [lra|]. split; [exact V|]. split; [rewrite Sh, S; ring|].
      intros x. rewrite Wh, W. ring.
    + exists l', q, (u + r). split; [lra|]. split; [lra|]. split; [exact V|]. split; [rewrite Sh, S; ring|].
      intros x. rewrite Wh, W. ring.
    + exists ((u, nth i side []) :: l'), q, r. split; [lra|]. split; [lra|]. split; [|split].
      * intros p [<-|I]; [|apply V, I]. cbn [fst snd]. split; [exact U|]. split; apply kept_by_update; assumption.
      * rewrite Sh, S. unfold sum_over. cbn [fold_right fst]. ring.
      * intros x. rewrite Wh, W. unfold weighted, sum_over. cbn [fold_right fst snd]. ring.
Qed.

Lemma halves_cover d side s t parts a : halves side s t = Some parts -> mixed d side a ->
  exists part, In part parts /\ mixed d part a.
Proof.
  unfold halves. intros H [l [V [S E]]].
  match type of H with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate H] end. injection H as <-.
  apply andb_prop in C as [C T]. apply andb_prop in C as [St Lt]. apply Nat.ltb_lt in St, Lt.
  assert (forall x, 2 * at_place (map (fun z => (z / 2)%Z) (plus_z (nth s side []) (nth t side []))) x == at_place
    (plus_z (nth s side []) (nth t side [])) x) as M by (intros x; apply half_at, T). set (half := map _ _) in *. cbv
      beta in M.
  destruct (parted side s t half l V) as [l' [q [r [Q [R [V' [S' W]]]]]]].
  assert (forall x, at_place (nth s side []) x + at_place (nth t side []) x == 2 * at_place half x) as Mid
    by (intros x; rewrite M, plus_z_at; reflexivity).
  destruct (Qlt_le_dec q r) as [L|L].
  - exists (update side s half). split; [right; left; reflexivity|].
    exists ((2 * q, half) :: (r - q, nth t side []) :: l'). split; [|split].
    + intros p [<-|[<-|I]]; cbn [fst snd]; [| |split; apply V', I].
      * split; [lra|]. apply in_update. lia.
      * split; [lra|]. apply kept_by_update; lia.
    + rewrite <- S, S'. unfold sum_over. cbn [fold_right fst]. ring.
    + intros x Hx. rewrite (E x Hx), W. unfold weighted, sum_over. cbn [fold_right fst snd].
      specialize (Mid x). setoid_replace (2 * q * at_place half x) with (q * (2 * at_place half x)) by ring. rewrite
        <- Mid. ring.
  - exists (update side t half). split; [left; reflexivity|].
    exists ((2 * r, half) :: (q - r, nth s side []) :: l'). split; [|split].
    + intros p [<-|[<-|I]]; cbn [fst snd]; [| |split; apply V', I].
      * split; [lra|]. apply in_update. exact Lt.
      * split; [lra|]. apply kept_by_update; lia.
    + rewrite <- S, S'. unfold sum_over. cbn [fold_right fst]. ring.
    + intros x Hx. rewrite (E x Hx), W. unfold weighted, sum_over. cbn [fold_right fst snd].
      specialize (Mid x). setoid_replace (2 * r * at_place half x) with (r * (2 * at_place half x)) by ring. rewrite
        <- Mid. ring.
Qed.

(* ---- affine functions ---- *)

Definition affine d (f : vector -> Q) := exists c w, forall v, f v == c + dot_product d w v.

Lemma affine_constant d f c : (forall v, f v == c) -> affine d f.
Proof.
  intros H. exists c, (fun _ => 0). intros v. rewrite H. unfold dot_product.
  rewrite (sum_ext d _ (fun _ => 0)) by (intros; ring). rewrite sum_zero. ring.
Qed.
Lemma affine_linear d f : linear d f -> affine d f.
Proof. intros [w W]. exists 0, w. intros v. rewrite W. ring. Qed.
Lemma affine_scale d c f : affine d f -> affine d (fun v => c * f v).
Proof.
  intros [b [w W]]. exists (c * b), (fun i => c * w i). intros v. rewrite W. unfold dot_product.
  rewrite (sum_ext d (fun i => c * w i * v i) (fun i => c * (w i * v i))) by (intros; ring). rewrite sum_scale. ring.
Qed.
Lemma affine_plus d f g : affine d f -> affine d g -> affine d (fun v => f v + g v).
Proof.
  intros [b [w W]] [c [u U]]. exists (b + c), (fun i => w i + u i). intros v. rewrite W, U. unfold dot_product.
  rewrite (sum_ext d (fun i => (w i + u i) * v i) (fun i => w i * v i + u i * v i)) by (intros; ring).
  rewrite sum_plus. ring.
Qed.
Lemma affine_sum d n f : (forall i, (i < n)%nat -> affine d (f i)) -> affine d (fun v => sum n (fun i => f i v)).
Proof.
  induction n as [|n IH]; intros H; cbn [sum]; [apply (affine_constant d _ 0); reflexivity|].
  apply affine_plus; [apply IH; intros; apply H; lia|apply H; lia].
Qed.
Lemma affine_over {A} d (l : list A) f : (forall a, In a l -> affine d (f a)) ->
  affine d (fun v => sum_over l (fun a => f a v)).
Proof.
  unfold sum_over. induction l as [|a l IH]; intros H; cbn [fold_right]; [apply (affine_constant d _ 0); reflexivity|].
  apply affine_plus; [apply H, in_eq|apply IH; intros; apply H, in_cons; assumption].
Qed.

(* differences of two mixtures *)
Notation dependency := (list vertex * list vertex)%type.
Definition differences (p : dependency) : list vertex := flat_map (fun v => map (minus_z v) (snd p)) (fst p).
Definition differs d (p : dependency) (c : vector) := exists a b, mixed d (fst p) a /\ mixed d (snd p) b /\
  forall x, (x < d)%nat -> c x == a x - b x.

Lemma differs_least d p c f : affine d f -> differs d p c ->
  exists v, In v (differences p) /\ f (at_place v) <= f c.
Proof.
  intros [f0 [w W]] [a [b [A [B E]]]].
  destruct (mixed_least d _ a w A) as [v [V Lv]].
  destruct (mixed_least d _ b (fun i => - w i) B) as [u [U Lu]].
  exists (minus_z v u). split.
  - unfold differences. apply in_flat_map. exists v. split; [exact V|]. apply in_map, U.
  - rewrite !W. unfold dot_product in *.
    rewrite (sum_ext d (fun i => w i * at_place (minus_z v u) i) (fun i => w i * at_place v i + (- w i) * at_place u
      i))
      by (intros; rewrite minus_z_at; ring).
    rewrite (sum_ext d (fun i => w i * c i) (fun i => w i * a i + (- w i) * b i))
      by (intros i Hi; rewrite (E i Hi); ring).
    rewrite !sum_plus. lra.
Qed.
