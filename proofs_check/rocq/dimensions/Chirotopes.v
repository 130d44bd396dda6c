(* Dimensions that signs of determinants exclude: if lines have vectors of a dimension, then some in
   general position, whose determinants have signs.  A tree of cases splits on them; a case is closed by
   a circuit with the signs of a line across, or by a relation of Grassmann and Pluecker. *)
From Coq Require Import List Arith NArith ZArith QArith Lia Lqa Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Sums Mixture OneWay Cases Tables Signs SignPatterns Determinants.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- vectors in general position ---- *)

Lemma nonzero_square a : ~ a == 0 -> 0 < a * a.
Proof. intros N. destruct (Q_dec a 0) as [[H|H]|H]; [nra|nra|contradiction]. Qed.

(* a small step along another vector keeps signs *)
Lemma small_step : forall l : list (Q * Q), (forall p, In p l -> ~ fst p == 0) ->
  exists e, 0 < e /\ forall e', 0 < e' -> e' <= e -> forall p, In p l -> 0 < fst p * (fst p + e' * snd p).
Proof.
  induction l as [|[a b] l IH]; intros H; [exists 1; split; [lra|contradiction]|].
  destruct IH as [e1 [P1 H1]]; [intros p Hp; apply H; right; exact Hp|].
  pose proof (nonzero_square a (H (a, b) (or_introl eq_refl))) as Sq.
  assert (exists e2, 0 < e2 /\ forall e', 0 < e' -> e' <= e2 -> 0 < a * a + e' * (a * b)) as [e2 [P2 H2]].
  { destruct (Qlt_le_dec (a * b) 0) as [C|C].
    - assert (0 < 1 - a * b) as D by lra. exists (a * a / (1 - a * b)). split.
      + apply Qlt_shift_div_l; [exact D|]. lra.
      + intros e' E0 E. set (c := a * b) in *. set (s := a * a) in *.
        assert (e' * (1 - c) <= s) as F.
        { setoid_replace s with (s / (1 - c) * (1 - c)) by (field; lra). apply Qmult_le_compat_r; lra. }
        lra.
    - exists 1. split; [lra|]. intros e' E0 _. set (c := a * b) in *. assert (0 <= e' * c) by (apply Qmult_le_0_compat; lra). lra. }
  exists (if Qlt_le_dec e1 e2 then e1 else e2). destruct (Qlt_le_dec e1 e2) as [M|M]; (split; [assumption|]);
    intros e' E0 E p [<-|Hp]; cbn [fst snd]; try (apply H1; [exact E0|lra|exact Hp]);
    specialize (H2 e' E0 ltac:(lra)); lra.
Qed.

Lemma linear_step d f v w e : linear d f -> f (fun i => v i + e * w i) == f v + e * f w.
Proof.
  intros [z Z]. rewrite !Z. unfold dot_product. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros; ring.
Qed.

(* near a vector is one on which finitely many linear forms are not 0, and others keep their signs *)
Lemma avoid d : forall (F P : list (vector -> Q)) v, (forall f, In f (F ++ P) -> linear d f) ->
  (forall f, In f F -> exists w, ~ f w == 0) ->
  exists v', (forall f, In f F -> ~ f v' == 0) /\ forall f, In f P -> ~ f v == 0 -> 0 < f v * f v'.
Proof.
  induction F as [|f F IH]; intros P v L N.
  - exists v. split; [contradiction|]. intros f _ H. apply nonzero_square, H.
  - assert (exists v1, ~ f v1 == 0 /\ forall g, In g P -> ~ g v == 0 -> 0 < g v * g v1) as [v1 [N1 K1]].
    { destruct (Qeq_dec (f v) 0) as [Z|Z]; [|exists v; split; [exact Z|intros g _; apply nonzero_square]].
      destruct (N f (or_introl eq_refl)) as [w W].
      destruct (small_step (map (fun g => (g v, g w)) (filter (fun g => negb (Qeq_bool (g v) 0)) P))) as [e [E0 E]].
      { intros p Hp. apply in_map_iff in Hp as [g [<- Hg]]. apply filter_In in Hg as [_ Hg]. cbn [fst].
        intros Q. apply Qeq_bool_iff in Q. rewrite Q in Hg. discriminate. }
      exists (fun i => v i + e * w i). split.
      - rewrite (linear_step d f) by (apply L; left; reflexivity). rewrite Z. intros Q. apply W.
        assert (e * f w == 0) as R by lra. apply Qmult_integral in R as [R|R]; [lra|exact R].
      - intros g Hg Ng. rewrite (linear_step d g) by (apply L; right; apply in_or_app; right; exact Hg).
        apply (E e E0 (Qle_refl e) (g v, g w)). apply (in_map (fun g => (g v, g w))), filter_In. split; [exact Hg|].
        destruct (Qeq_bool (g v) 0) eqn:Q; [|reflexivity]. apply Qeq_bool_iff in Q. contradiction. }
    destruct (IH (f :: P) v1) as [v' [A B]].
    + intros g Hg. apply L. apply in_app_or in Hg as [Hg|[<-|Hg]]; cbn; auto; right; apply in_or_app; auto.
    + intros g Hg. apply N. right. exact Hg.
    + exists v'. split.
      * intros g [<-|Hg]; [|apply A, Hg]. specialize (B f (or_introl eq_refl) N1). intros Q. rewrite Q in B. lra.
      * intros g Hg Ng. specialize (K1 g Hg Ng).
        assert (~ g v1 == 0) as Ng1 by (intros Q; rewrite Q in K1; lra).
        specialize (B g (or_intror Hg) Ng1). pose proof (nonzero_square _ Ng1) as Sq.
        set (a := g v) in *. set (b := g v1) in *. set (c := g v') in *.
        assert (0 < (a * b) * (b * c)) as X by (apply Qmult_lt_0_compat; assumption).
        apply Qnot_le_lt. intros Y. assert ((a * c) * (b * b) <= 0 * (b * b)) by (apply Qmult_le_compat_r; lra). lra.
Qed.

Fixpoint subs {A} (l : list A) : list (list A) :=
  match l with [] => [[]] | x :: l' => subs l' ++ map (cons x) (subs l') end.

Definition extends d (S : list vector) := exists W, (length W + length S = d)%nat /\ ~ det (seq 0 d) (W ++ S) == 0.

Definition axis (i : nat) : vector := fun t => chance (Nat.eqb i t).
Lemma det_axes : forall n k, det (seq k n) (map axis (seq k n)) == 1.
Proof.
  induction n as [|n IH]; intros k; [reflexivity|]. cbn [seq map det alt].
  rewrite IH. unfold axis at 1. rewrite Nat.eqb_refl.
  pose proof (alt_skip (map axis (seq (S k) n)) [] (fun a j => a k * det (seq (S k) n) (axis k :: j))) as Z.
  rewrite app_nil_r in Z. rewrite Z; [cbn [alt]; unfold chance; ring|].
  intros a j Ha. apply in_map_iff in Ha as [i [<- Hi]]. apply in_seq in Hi. unfold axis at 1.
  destruct (Nat.eqb_spec i k); [lia|]. unfold chance. ring.
Qed.

Lemma forms_of_parts d : forall l : list (list vector), (forall S, In S l -> (length S < d)%nat -> extends d S) ->
  exists F, (forall f, In f F -> linear d f /\ exists w, ~ f w == 0) /\
  forall S, In S l -> (length S < d)%nat -> exists W, (1 + length W + length S = d)%nat /\
    In (fun v => det (seq 0 d) (W ++ v :: S)) F.
Proof.
  induction l as [|P l IH]; intros H; [exists []; split; contradiction|].
  destruct IH as [F [A B]]; [intros S HS; apply H; right; exact HS|].
  destruct (le_lt_dec d (length P)) as [G|G].
  - exists F. split; [exact A|]. intros S [<-|HS] L; [lia|apply B; assumption].
  - destruct (H P (or_introl eq_refl) G) as [W [L N]].
    destruct (exists_last (l := W)) as [W' [w ->]]; [intros ->; cbn in L; lia|].
    rewrite app_length in L. cbn [length] in L.
    exists ((fun v => det (seq 0 d) (W' ++ v :: P)) :: F). split.
    + intros f [<-|Hf]; [|apply A, Hf]. split.
      * apply det_linear. intros c Hc. apply in_seq in Hc. lia.
      * exists w. rewrite <- app_assoc in N. exact N.
    + intros S [<-|HS] LS.
      * exists W'. split; [lia|left; reflexivity].
      * destruct (B S HS LS) as [W [E I]]. exists W. split; [exact E|right; exact I].
Qed.

(* vectors with linear forms whose signs are to be kept *)
Lemma general_vectors d : forall l : list (vector * list (vector -> Q)),
  (forall e f, In e l -> In f (snd e) -> linear d f) ->
  exists us, length us = length l /\
  (forall S, In S (subs us) -> (length S <= d)%nat -> extends d S) /\
  forall t f, (t < length l)%nat -> let e := nth t l (fun _ => 0, []) in In f (snd e) -> ~ f (fst e) == 0 ->
    0 < f (fst e) * f (nth t us (fun _ => 0)).
Proof.
  induction l as [|[u P] l IH]; intros L.
  - exists []. split; [reflexivity|]. split; [|cbn; intros; lia]. intros S [<-|[]] _.
    exists (map axis (seq 0 d)). rewrite app_nil_r, map_length, seq_length. split; [cbn; lia|]. rewrite det_axes. lra.
  - destruct IH as [us [Lu [Gen Keep]]]; [intros e f He; apply L; right; exact He|].
    destruct (forms_of_parts d (subs us)) as [F [A B]]; [intros S HS LS; apply Gen; [exact HS|lia]|].
    destruct (avoid d F P u) as [v [N K]].
    + intros f Hf. apply in_app_or in Hf as [Hf|Hf]; [apply A, Hf|apply (L (u, P)); [left; reflexivity|exact Hf]].
    + intros f Hf. apply A, Hf.
    + exists (v :: us). split; [cbn; lia|]. split.
      * intros S HS LS. cbn [subs] in HS. apply in_app_or in HS as [HS|HS]; [apply Gen; assumption|].
        apply in_map_iff in HS as [S0 [<- HS]]. cbn [length] in LS. destruct (B S0 HS ltac:(lia)) as [W [E I]].
        exists W. split; [cbn [length]; lia|]. apply (N _ I).
      * intros [|t] f Ht e Hf Ne; cbn [nth length] in *; [apply K; assumption|]. apply Keep; [lia|exact Hf|exact Ne].
Qed.

Lemma general_position N m R d : has_signs N m (of_table R) d -> exists us (v : nat -> vector), length us = N /\
  (forall S, In S (subs us) -> length S = d -> ~ det (seq 0 d) S == 0) /\
  forall t y b, (t < N)%nat -> (y < m)%nat -> nth y (nth t R []) None = Some b ->
    if b then 0 < dot_product d (v y) (nth t us origin) else dot_product d (v y) (nth t us origin) < 0.
Proof.
  intros [u [v H]]. set (P := map (fun y => dot_product d (v y)) (seq 0 m)).
  destruct (general_vectors d (map (fun t => (u t, P)) (seq 0 N))) as [us [L [G K]]].
  { intros e f He Hf. apply in_map_iff in He as [t [<- _]]. cbn [snd] in Hf. apply in_map_iff in Hf as [y [<- _]].
    exists (v y). reflexivity. }
  rewrite map_length, seq_length in *. exists us, v. split; [exact L|]. split.
  - intros S HS LS. destruct (G S HS ltac:(lia)) as [W [LW N0]]. destruct W; [exact N0|cbn in LW; lia].
  - intros t y b Ht Hy E. specialize (H t y b Ht Hy E). cbv zeta in H.
    specialize (K t (dot_product d (v y)) Ht). cbv zeta in K.
    rewrite (nth_indep _ _ ((fun t => (u t, P)) O)) in K by (rewrite map_length, seq_length; exact Ht).
    rewrite (map_nth (fun t => (u t, P))), seq_nth in K by exact Ht. cbn [fst snd plus] in K.
    assert (In y (seq 0 m)) as Iy by (apply in_seq; lia).
    specialize (K (in_map (fun y => dot_product d (v y)) _ y Iy)).
    assert (dot_product d (v y) (u t) == sum d (fun i => u t i * v y i)) as Sw
      by (apply sum_ext; intros; ring).
    change (nth t us (fun _ => 0)) with (nth t us origin) in K. set (a := dot_product d (v y) (nth t us origin)) in *.
    destruct b; rewrite <- Sw in H; set (c := dot_product d (v y) (u t)) in *; specialize (K ltac:(lra)); nra.
Qed.

(* ---- signs of determinants of lines in some order ---- *)

Fixpoint insert_sign (x : nat) (l : list nat) : bool * list nat :=
  match l with
  | [] => (false, [x])
  | y :: l' => if (y <? x)%nat then let (f, k) := insert_sign x l' in (negb f, y :: k) else (false, x :: y :: l')
  end.
Fixpoint sort_sign (l : list nat) : bool * list nat :=
  match l with
  | [] => (false, [])
  | x :: l' => let (f, k) := sort_sign l' in let (g, j) := insert_sign x k in (xorb f g, j)
  end.

(* determinants that have a sign: under a key of the lines, with the lines themselves *)
Definition signs_known := PositiveMap.t (list nat * bool).
Definition key_of (l : list nat) : positive := Tables.key (fold_left (fun k x => N.setbit k (N.of_nat x)) l 0%N).
Definition look (c : signs_known) (l : list nat) : option bool :=
  match PositiveMap.find (key_of l) c with
  | Some (k, b) => if list_eq_dec Nat.eq_dec k l then Some b else None
  | None => None
  end.
Definition learn (c : signs_known) (l : list nat) (b : bool) : signs_known := PositiveMap.add (key_of l) (l, b) c.
Definition negative (c : signs_known) (order : list nat) : option bool :=
  let (f, k) := sort_sign order in match look c k with Some b => Some (xorb f (negb b)) | None => None end.

(* lines in increasing order, from some number on *)
Fixpoint rising (low : nat) (l : list nat) : bool :=
  match l with [] => true | x :: l' => (low <=? x)%nat && rising (S x) l' end.

Definition all_signs {A} (f : A -> option bool) (l : list A) : option (list bool) := Json.each f l.
Definition fits (R : matrix_rows) (pairs : list (nat * bool)) (turn : bool) (y : nat) : bool :=
  forallb (fun p => match nth y (nth (fst p) R []) None with
                    | Some b => Bool.eqb b (xorb turn (negb (snd p)))
                    | None => false
                    end) pairs.
Definition close_circuit (m : nat) (R : matrix_rows) (c : signs_known) (l : list nat) : bool :=
  match all_signs (fun i => match negative c (removed i l) with Some s => Some (xorb s (Nat.odd i)) | None => None end)
          (seq 0 (length l)) with
  | Some turned => existsb (fun y => fits R (combine l turned) false y || fits R (combine l turned) true y) (seq 0 m)
  | None => false
  end.
Definition close_relation (d : nat) (c : signs_known) (l : list nat) : bool :=
  match skipn (d - 2) l with
  | [x; y; z; w] =>
      let A := firstn (d - 2) l in
      let term i j k e := match negative c (A ++ [i; j]), negative c (A ++ [k; e]) with
                          | Some s, Some t => Some (xorb s t)
                          | _, _ => None
                          end in
      match term x y z w, term x z w y, term x w y z with
      | Some s, Some t, Some u => Bool.eqb s t && Bool.eqb t u
      | _, _, _ => false
      end
  | _ => false
  end.
Definition split_signs (m : nat) (R : matrix_rows) (d : nat) (l : list nat) (c : signs_known)
  : option (list signs_known * list Q) :=
  if negb (forallb (fun x => x <? length R)%nat l) then None
  else if (length l =? d)%nat then
    if rising 0 l && match look c l with None => true | Some _ => false end
    then Some ([learn c l true; learn c l false], []) else None
  else if (if (length l =? S d)%nat then close_circuit m R c l
           else (1 <? d)%nat && (length l =? S (S d))%nat && close_relation d c l)
  then Some ([], []) else None.
Definition check_chirotope (m : nat) (R : matrix_rows) (d : nat) (nodes : list (list nat)) : bool :=
  (0 <? d)%nat && (d <=? length R)%nat
  && match walk (split_signs m R d) nodes [learn (PositiveMap.empty _) (seq 0 d) true] [] with
     | Some _ => true
     | None => false
     end.

Lemma nil_in_subs {A} (l : list A) : In [] (subs l).
Proof. induction l as [|x l IH]; cbn; [left; reflexivity|]. apply in_or_app. left. exact IH. Qed.
Lemma rising_above : forall l low, rising low l = true -> forall x, In x l -> (low <= x)%nat.
Proof.
  induction l as [|y l IH]; intros low H x Hx; [contradiction|]. cbn [rising] in H. apply andb_prop in H as [A H].
  apply Nat.leb_le in A. destruct Hx as [<-|Hx]; [exact A|]. specialize (IH _ H x Hx). lia.
Qed.
Lemma rising_in_subs : forall (w : list vector) l low, rising low l = true ->
  (forall x, In x l -> (x < low + length w)%nat) -> In (map (fun x => nth (x - low) w origin) l) (subs w).
Proof.
  induction w as [|u w IH]; intros l low H B.
  - destruct l as [|x l]; [left; reflexivity|]. exfalso. pose proof (rising_above _ _ H x (or_introl eq_refl)).
    specialize (B x (or_introl eq_refl)). cbn in B. lia.
  - cbn [subs]. apply in_or_app. destruct l as [|x l]; [left; apply nil_in_subs|].
    cbn [rising] in H. apply andb_prop in H as [A H]. apply Nat.leb_le in A.
    assert (forall l, rising (S low) l = true -> (forall y, In y l -> (y < low + length (u :: w))%nat) ->
      In (map (fun y => nth (y - low) (u :: w) origin) l) (subs w)) as Up.
    { intros k Hk Bk. rewrite (map_ext_in _ (fun y => nth (y - S low) w origin)).
      - apply IH; [exact Hk|]. intros y Hy. specialize (Bk y Hy). cbn [length] in Bk. lia.
      - intros y Hy. pose proof (rising_above _ _ Hk y Hy). replace (y - low)%nat with (S (y - S low)) by lia. reflexivity. }
    destruct (Nat.eq_dec x low) as [->|N].
    + right. cbn [map]. rewrite Nat.sub_diag. cbn [nth]. apply in_map, Up; [exact H|].
      intros y Hy. apply B. right. exact Hy.
    + left. apply Up; [|exact B]. cbn [rising]. rewrite H, andb_true_r. apply Nat.leb_le. lia.
Qed.
Lemma subs_general N d us : length us = N -> (forall S, In S (subs us) -> length S = d -> ~ det (seq 0 d) S == 0) ->
  forall l, rising 0 l = true -> forallb (fun x => x <? N)%nat l = true -> length l = d ->
  ~ det (seq 0 d) (map (fun x => nth x us origin) l) == 0.
Proof.
  intros M G l H B L. rewrite forallb_forall in B. apply G; [|rewrite map_length; exact L].
  pose proof (rising_in_subs us l 0 H) as I.
  rewrite (map_ext _ (fun x => nth x us origin)) in I by (intros x; rewrite Nat.sub_0_r; reflexivity).
  apply I. intros x Hx. specialize (B x Hx). apply Nat.ltb_lt in B. lia.
Qed.

Section Lines.
Variables (m d : nat) (R : matrix_rows) (us : list vector) (v : nat -> vector).
Definition at_ (x : nat) : vector := nth x us origin.
Hypothesis general : forall l, rising 0 l = true -> forallb (fun x => x <? length R)%nat l = true -> length l = d ->
  ~ det (seq 0 d) (map at_ l) == 0.
Hypothesis signs : forall t y b, (t < length R)%nat -> (y < m)%nat -> nth y (nth t R []) None = Some b ->
  if b then 0 < dot_product d (v y) (nth t us origin) else dot_product d (v y) (nth t us origin) < 0.
Variable side : Q.
Hypothesis oriented : ~ side == 0.

Definition D (l : list nat) : Q := side * det (seq 0 d) (map at_ l).
Definition has_sign (b : bool) (q : Q) : Prop := if b then 0 < q else q < 0.
Definition true_case (c : signs_known) : Prop := forall k l b, PositiveMap.find k c = Some (l, b) -> has_sign b (D l).

Lemma insert_det x : forall l p f k, insert_sign x l = (f, k) ->
  det (seq 0 d) (p ++ map at_ (x :: l)) == (if f then -(1) else 1) * det (seq 0 d) (p ++ map at_ k).
Proof.
  induction l as [|y l IH]; intros p f k H; cbn [insert_sign] in H.
  - injection H as <- <-. ring.
  - destruct (y <? x)%nat.
    + destruct (insert_sign x l) as [g j] eqn:E. injection H as <- <-. cbn [map]. rewrite det_swap.
      specialize (IH (p ++ [at_ y]) g j eq_refl). rewrite <- !app_assoc in IH. cbn [app map] in IH. rewrite IH.
      destruct g; cbn [negb]; ring.
    + injection H as <- <-. ring.
Qed.
Lemma sort_det : forall l p f k, sort_sign l = (f, k) ->
  det (seq 0 d) (p ++ map at_ l) == (if f then -(1) else 1) * det (seq 0 d) (p ++ map at_ k).
Proof.
  induction l as [|x l IH]; intros p f k H; cbn [sort_sign] in H; [injection H as <- <-; ring|].
  destruct (sort_sign l) as [g j] eqn:E. destruct (insert_sign x j) as [h i] eqn:F. injection H as <- <-.
  specialize (IH (p ++ [at_ x]) g j eq_refl). rewrite <- !app_assoc in IH. cbn [app] in IH. cbn [map]. rewrite IH.
  rewrite (insert_det x j p h i F). destruct g, h; cbn [xorb]; ring.
Qed.
Lemma negative_sound c l s : true_case c -> negative c l = Some s -> has_sign (negb s) (D l).
Proof.
  unfold negative. intros T H. destruct (sort_sign l) as [f k] eqn:E. unfold look in H.
  destruct (PositiveMap.find _ c) as [[k' b]|] eqn:F; [|discriminate].
  destruct (list_eq_dec _ k' k) as [->|]; [|discriminate]. injection H as <-.
  pose proof (T _ _ _ F) as B. unfold D in *. pose proof (sort_det l [] f k E) as Z. cbn [app] in Z.
  set (a := det (seq 0 d) (map at_ l)) in *. set (e := det (seq 0 d) (map at_ k)) in *.
  assert (side * a == (if f then -(1) else 1) * (side * e)) as Y by (rewrite Z; ring).
  destruct f, b; cbn [xorb negb has_sign] in *; rewrite Y; lra.
Qed.

Lemma D_nonzero l : rising 0 l = true -> forallb (fun x => x <? length R)%nat l = true -> length l = d -> ~ D l == 0.
Proof.
  intros H B L Z. unfold D in Z. apply Qmult_integral in Z as [Z|Z]; [contradiction|]. exact (general l H B L Z).
Qed.
Lemma learn_true c l b : true_case c -> has_sign b (D l) -> true_case (learn c l b).
Proof.
  intros T B k l' b' F. unfold learn in F. destruct (Pos.eq_dec (key_of l) k) as [<-|N].
  - rewrite PositiveMap.gss in F. injection F as <- <-. exact B.
  - rewrite PositiveMap.gso in F by congruence. exact (T k l' b' F).
Qed.

Lemma map_removed i l : map at_ (removed i l) = removed i (map at_ l).
Proof. unfold removed. rewrite map_app, firstn_map, skipn_map. reflexivity. Qed.

Lemma close_circuit_sound c l : true_case c -> close_circuit m R c l = true ->
  (forall x, In x l -> (x < length R)%nat) -> (0 < length l)%nat -> False.
Proof.
  intros T H B P. unfold close_circuit, all_signs in H. destruct (Json.each _ _) as [turned|] eqn:E; [|discriminate].
  destruct (each_nth _ O false _ _ E) as [L N]. rewrite seq_length in *.
  apply existsb_exists in H as [y [Y H]]. apply in_seq in Y.
  pose proof (cramer d (dot_product d (v y)) (map at_ l) ltac:(exists (v y); reflexivity)) as C.
  rewrite (alt_sum origin), map_length in C.
  assert (exists turn, fits R (combine l turned) turn y = true) as [turn F].
  { apply orb_prop in H as [H|H]; eexists; exact H. }
  set (s := (if turn then -(1) else 1) * side).
  assert (forall i, (i < length l)%nat -> 0 < s * (sign_at i * (dot_product d (v y) (nth i (map at_ l) origin)
    * det (seq 0 d) (removed i (map at_ l))))) as W.
  { intros i Hi. specialize (N i Hi). rewrite seq_nth in N by exact Hi. cbn [plus] in N.
    destruct (negative c (removed i l)) as [g|] eqn:G; [|discriminate]. injection N as N.
    pose proof (negative_sound c _ g T G) as S. unfold D in S. rewrite map_removed in S.
    set (x := nth i l O). assert (x < length R)%nat as Hx by (apply B, nth_In, Hi).
    unfold fits in F. rewrite forallb_forall in F. specialize (F (x, nth i turned false)).
    assert (In (x, nth i turned false) (combine l turned)) as I.
    { pose proof (combine_nth l turned i O false (eq_sym L)) as Cn. fold x in Cn. rewrite <- Cn. apply nth_In. rewrite combine_length, L. lia. }
    specialize (F I). cbn [fst snd] in F. destruct (nth y (nth x R []) None) as [b|] eqn:Eb; [|discriminate].
    apply eqb_prop in F. pose proof (signs x y b Hx ltac:(lia) Eb) as Sg.
    rewrite (nth_indep _ origin (at_ O)) by (rewrite map_length; exact Hi). rewrite (map_nth at_). fold x. fold (at_ x) in Sg.
    rewrite <- N in F. set (a := dot_product d (v y) (at_ x)) in *. set (e := det (seq 0 d) (removed i (map at_ l))) in *.
    assert (s * (sign_at i * (a * e)) == (if turn then -(1) else 1) * (sign_at i * (a * (side * e)))) as -> by (unfold s; ring).
    set (z := side * e) in *. clearbody a z. unfold sign_at. rewrite <- Nat.negb_odd.
    destruct turn, g, (Nat.odd i); cbn [xorb negb has_sign] in *; subst b; nra. }
  pose proof (sum_positive (length l) _ O (fun i Hi => Qlt_le_weak _ _ (W i Hi)) P (W O P)) as X.
  rewrite sum_scale, C in X. lra.
Qed.
Lemma close_relation_sound c l : true_case c -> close_relation d c l = true -> False.
Proof.
  intros T H. unfold close_relation in H. destruct (skipn (d - 2) l) as [|x [|y [|z [|w [|]]]]]; try discriminate H.
  set (A := firstn (d - 2) l) in *. cbv zeta in H.
  destruct (negative c (A ++ [x; y])) as [s1|] eqn:E1; [|discriminate].
  destruct (negative c (A ++ [z; w])) as [s2|] eqn:E2; [|discriminate].
  destruct (negative c (A ++ [x; z])) as [s3|] eqn:E3; [|discriminate].
  destruct (negative c (A ++ [w; y])) as [s4|] eqn:E4; [|discriminate].
  destruct (negative c (A ++ [x; w])) as [s5|] eqn:E5; [|discriminate].
  destruct (negative c (A ++ [y; z])) as [s6|] eqn:E6; [|discriminate].
  apply andb_prop in H as [H1 H2]. apply eqb_prop in H1, H2.
  apply (negative_sound c _ _ T) in E1, E2, E3, E4, E5, E6. unfold D in *. rewrite !map_app in *. cbn [map] in *.
  pose proof (grassmann_pluecker d (map at_ A) (at_ x) (at_ y) (at_ z) (at_ w)) as G. cbv zeta in G.
  set (a1 := det _ (_ ++ [at_ x; at_ y])) in *. set (a2 := det _ (_ ++ [at_ z; at_ w])) in *.
  set (a3 := det _ (_ ++ [at_ x; at_ z])) in *. set (a4 := det _ (_ ++ [at_ w; at_ y])) in *.
  set (a5 := det _ (_ ++ [at_ x; at_ w])) in *. set (a6 := det _ (_ ++ [at_ y; at_ z])) in *.
  assert ((side * a1) * (side * a2) + (side * a3) * (side * a4) + (side * a5) * (side * a6) == 0) as Z.
  { setoid_replace ((side * a1) * (side * a2) + (side * a3) * (side * a4) + (side * a5) * (side * a6))
      with (side * side * (a1 * a2 + a3 * a4 + a5 * a6)) by ring. rewrite G. ring. }
  assert (forall s t p q, has_sign (negb s) p -> has_sign (negb t) q -> has_sign (negb (xorb s t)) (p * q)) as M.
  { intros [|] [|] p q; cbn [negb xorb has_sign]; intros; nra. }
  pose proof (M _ _ _ _ E1 E2) as M1. pose proof (M _ _ _ _ E3 E4) as M2. pose proof (M _ _ _ _ E5 E6) as M3.
  rewrite H1, H2 in M1. rewrite H2 in M2. destruct (xorb s5 s6); cbn [negb has_sign] in *; lra.
Qed.

Lemma split_signs_sound e l c parts bounds : split_signs m R d l c = Some (parts, bounds) -> true_case c ->
  (exists c', In c' parts /\ true_case c') \/ (exists b, In b bounds /\ b <= e).
Proof.
  unfold split_signs. intros H T. destruct (forallb _ l) eqn:B; cbn [negb] in H; [|discriminate].
  destruct (Nat.eqb_spec (length l) d) as [L|L].
  - destruct (rising 0 l) eqn:Ri; cbn [andb] in H; [|discriminate]. destruct (look c l); [discriminate|]. injection H as <- <-.
    left. pose proof (D_nonzero l Ri B L) as N. destruct (Q_dec (D l) 0) as [[S|S]|S]; [| |contradiction].
    + exists (learn c l false). split; [right; left; reflexivity|apply learn_true; assumption].
    + exists (learn c l true). split; [left; reflexivity|apply learn_true; assumption].
  - exfalso. destruct (Nat.eqb_spec (length l) (S d)) as [L'|_].
    + destruct (close_circuit m R c l) eqn:C; [|discriminate]. apply (close_circuit_sound c l T C); [|lia].
      intros x Hx. rewrite forallb_forall in B. apply Nat.ltb_lt, B, Hx.
    + destruct (_ && _) eqn:C in H; [|discriminate]. apply andb_prop in C as [_ C]. apply (close_relation_sound c l T C).
Qed.
End Lines.

Lemma below_all : forall l : list Q, exists e, forall b, In b l -> e < b.
Proof.
  induction l as [|a l [e H]]; [exists 0; contradiction|]. exists (if Qlt_le_dec e a then e else a - 1).
  intros b [<-|Hb]; destruct (Qlt_le_dec e a) as [C|C]; try lra; try (apply H, Hb). specialize (H b Hb). lra.
Qed.
Lemma rising_seq : forall n k, rising k (seq k n) = true.
Proof. induction n as [|n IH]; intros k; cbn; [reflexivity|]. rewrite Nat.leb_refl. apply IH. Qed.

Lemma has_signs_more n m f d : forall e, has_signs n m f d -> has_signs n m f (e + d).
Proof.
  induction e as [|e IH]; intros H; [exact H|]. destruct (IH H) as [u [v S]]. set (k := (e + d)%nat) in *.
  exists (fun x i => if (i <? k)%nat then u x i else 0), v. intros x y b Hx Hy E. specialize (S x y b Hx Hy E). cbv zeta in *.
  assert (sum (Datatypes.S k) (fun i => (if (i <? k)%nat then u x i else 0) * v y i) == sum k (fun i => u x i * v y i)) as Q.
  { cbn [sum]. rewrite Nat.ltb_irrefl. rewrite (sum_ext k _ (fun i => u x i * v y i)); [ring|].
    intros i Hi. destruct (Nat.ltb_spec i k); [reflexivity|lia]. }
  change (Datatypes.S e + d)%nat with (Datatypes.S k). destruct b; rewrite Q; exact S.
Qed.

(* one of the two reflections makes the first determinant positive *)
Lemma orientation d (R : matrix_rows) us : (forall l, rising 0 l = true -> forallb (fun x => x <? length R)%nat l = true -> length l = d ->
  ~ det (seq 0 d) (map (at_ us) l) == 0) -> (d <= length R)%nat ->
  exists side, ~ side == 0 /\ true_case d us side (learn (PositiveMap.empty _) (seq 0 d) true).
Proof.
  intros Gen M.
  set (first := det (seq 0 d) (map (at_ us) (seq 0 d))). set (side := if Qlt_le_dec 0 first then 1 else -(1)).
  assert (~ side == 0) as O by (unfold side; destruct (Qlt_le_dec 0 first); lra).
  assert (~ D d us side (seq 0 d) == 0) as N.
  { apply (D_nonzero d R us Gen side O); [apply rising_seq| |apply seq_length].
    apply forallb_forall. intros x Hx. apply in_seq in Hx. apply Nat.ltb_lt. lia. }
  assert (true_case d us side (learn (PositiveMap.empty _) (seq 0 d) true)) as T.
  { apply learn_true; [intros k l b F; rewrite PositiveMap.gempty in F; discriminate|]. cbn [has_sign].
    unfold D in *. fold first in N |- *. unfold side in *. destruct (Qlt_le_dec 0 first) as [Q|Q]; [lra|].
    destruct (Q_dec first 0) as [[Z|Z]|Z]; [lra|lra|]. rewrite Z in N. exfalso. apply N. ring. }
  exists side. split; assumption.
Qed.

Theorem check_chirotope_sound m R d nodes e : check_chirotope m R d nodes = true ->
  has_signs (length R) m (of_table R) e -> (S d <= e)%nat.
Proof.
  intros C H. destruct (le_lt_dec (S d) e) as [|G]; [assumption|exfalso].
  apply (has_signs_more _ _ _ _ (d - e)) in H. replace (d - e + e)%nat with d in H by lia.
  unfold check_chirotope in C. apply andb_prop in C as [C W]. apply andb_prop in C as [P M]. apply Nat.ltb_lt in P.
  apply Nat.leb_le in M. destruct (walk _ nodes _ []) as [all|] eqn:E; [|discriminate].
  destruct (general_position _ m R d H) as [us [v [L [Subs Sg]]]].
  pose proof (subs_general _ d us L Subs) as Gen.
  destruct (orientation d R us Gen M) as [side [O T]].
  destruct (below_all all) as [b B].
  destruct (walk_sound (split_signs m R d) (true_case d us side) b
    (fun l c parts bounds => split_signs_sound m d R us v Gen Sg side O b l c parts bounds) nodes _ _ _ _ E
    (or_introl eq_refl) T) as [q [I Q]].
  specialize (B q I). lra.
Qed.
