(* What cannot be done without public coins, by cutting bounds of laws until weighted inputs err. *)
From Coq Require Import ZArith QArith Lia Lqa Bool List.
From CCSim Require Import Definitions Sums Mixture Arrays Programs OneWay Families RandomClasses.
From CCSim Require Import Cases Orders Radon LawBounds.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- a leaf: weighted inputs err in the whole box ---- *)

Lemma combination_app a b x : (combination (a ++ b) x == combination a x + combination b x)%Q.
Proof.
  induction a as [|[j c] a IH]; [cbn [app]; change (combination [] x) with 0%Q; ring|].
  unfold combination in *. cbn [app fold_right fst snd]. rewrite IH. ring.
Qed.
Lemma combination_flat {A} (l : list A) g x :
  (combination (flat_map g l) x == sum_over l (fun a => combination (g a) x))%Q.
Proof.
  unfold sum_over. induction l as [|a l IH]; [reflexivity|]. cbn [flat_map fold_right]. rewrite combination_app, IH.
  reflexivity.
Qed.
Lemma sum_blocks K g : forall a, (sum (a * K) g == sum a (fun i => sum K (fun t => g (i * K + t)%nat)))%Q.
Proof.
  induction a as [|a IH]; [reflexivity|]. replace (S a * K)%nat with (a * K + K)%nat by lia.
  rewrite sum_split, IH. reflexivity.
Qed.
Lemma sum_over_le {A} (l : list A) g h : (forall a, In a l -> (g a <= h a)%Q) -> (sum_over l g <= sum_over l h)%Q.
Proof.
  unfold sum_over. induction l as [|a l IH]; intros H; cbn [fold_right]; [apply Qle_refl|].
  apply Qplus_le_compat; [apply H; left; reflexivity|]. apply IH. intros; apply H; right; assumption.
Qed.

Fixpoint tilt (c : Z) (slopes : list Z) (l : bounded_law) : Z :=
  match slopes, l with
  | s :: slopes', (a, b) :: l' => (s - c) * (if s <? c then b else a) + tilt c slopes' l'
  | _, _ => 0
  end.
Lemma tilt_spec c : forall slopes l p, length slopes = length l ->
  (forall t, (t < length l)%nat -> (inject_Z (fst (nth t l no_ends)) <= p t <= inject_Z (snd (nth t l no_ends)))%Q) ->
  (inject_Z (tilt c slopes l) <= sum (length l) (fun t => inject_Z (nth t slopes 0%Z - c) * p t))%Q.
Proof.
  induction slopes as [|s slopes IH]; intros [|[a b] l] p L H; try discriminate L; [exact (Qle_refl 0)|].
  cbn [length]. rewrite sum_shift. cbn [tilt nth]. rewrite inject_Z_plus. apply Qplus_le_compat.
  - pose proof (H O ltac:(cbn; lia)) as H0. cbn [nth fst snd] in H0. rewrite inject_Z_mult.
    destruct (Z.ltb_spec s c) as [G|G].
    + assert (inject_Z (s - c) <= 0)%Q as N by (change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; lia). nra.
    + assert (0 <= inject_Z (s - c))%Q as N by (change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; lia). nra.
  - apply (IH l (fun t => p (S t))); [cbn in L; lia|]. intros t Ht. apply (H (S t)). cbn. lia.
Qed.

Definition law_bound (unit : positive) (slopes : list Z) (l : bounded_law) : Z :=
  if forallb (Z.eqb 0) slopes then 0 else highest (map (fun c => c * Zpos unit + tilt c slopes l) slopes).

Lemma highest_least l q : l <> [] -> (forall a, In a l -> (inject_Z a <= q)%Q) -> (inject_Z (highest l) <= q)%Q.
Proof.
  destruct l as [|a l]; [congruence|]. intros _ H. cbn [highest].
  assert (inject_Z a <= q)%Q as Ha by (apply H; left; reflexivity).
  assert (forall b, In b l -> (inject_Z b <= q)%Q) as Hl by (intros; apply H; right; assumption). clear H.
  induction l as [|b l IH]; [exact Ha|]. cbn [fold_right].
  specialize (IH ltac:(intros; apply Hl; right; assumption)). specialize (Hl b (or_introl eq_refl)).
  destruct (Z.max_spec b (fold_right Z.max a l)) as [[_ ->]|[_ ->]]; assumption.
Qed.

Lemma law_bound_spec unit slopes l p : length slopes = length l -> fits unit l p ->
  (inject_Z (law_bound unit slopes l) <= sum (length l) (fun t => inject_Z (nth t slopes 0%Z) * p t))%Q.
Proof.
  intros L [S B]. unfold law_bound. destruct (forallb (Z.eqb 0) slopes) eqn:Z.
  - rewrite forallb_forall in Z. rewrite (sum_ext _ _ (fun _ => 0%Q)), sum_zero; [apply Qle_refl|].
    intros t Ht. assert (nth t slopes 0 = 0) as ->.
    { destruct (Nat.lt_ge_cases t (length slopes)) as [H|H]; [|apply nth_overflow, H].
      specialize (Z _ (nth_In slopes 0 H)). apply Z.eqb_eq in Z. auto. }
    change (inject_Z 0) with 0%Q. ring.
  - apply highest_least; [destruct slopes; [discriminate Z|discriminate]|].
    intros a H. apply in_map_iff in H as [c [<- _]]. rewrite inject_Z_plus, inject_Z_mult.
    pose proof (tilt_spec c slopes l p L B) as T.
    rewrite (sum_ext (length l) (fun t => inject_Z (nth t slopes 0%Z - c) * p t)%Q
      (fun t => inject_Z (nth t slopes 0%Z) * p t + - inject_Z c * p t)%Q) in T
      by (intros; unfold Z.sub; rewrite inject_Z_plus, inject_Z_opp; ring).
    rewrite sum_plus, sum_scale, S in T. lra.
Qed.

Record leaf_cell := LeafCell { at_x : nat; at_y : nat; heavy : Z; shares : list Z }.
Inductive box_node := Cut (number entry : nat) (at_c : Z) | Leaf (cells : list leaf_cell).

Section Tree.
Variables (n m k : nat) (f : problem) (unit : positive).

Definition K := Nat.max k 2.
Definition key (i t : nat) : nat := (i * K + t)%nat.
Definition laws := (n + m * k)%nat.
Definition shaped_box (b : box) : bool :=
  (length b =? laws)%nat
  && forallb (fun p => length (snd p) =? (if fst p <? n then k else 2))%nat (combine (seq 0 (length b)) b).

Definition piece (b : box) (x y : nat) (v : bool) (w : Z) (j : nat) (s : Z) : list (nat * Z) * Z :=
  let i := (n + (y * k + j))%nat in
  let t := if v then 0%nat else 1%nat in
  let (al, ah) := nth j (nth x b []) no_ends in
  let (bl, bh) := nth t (nth i b []) no_ends in
  ([(key x j, s * bl + (w - s) * bh); (key i t, s * al + (w - s) * ah)], s * (al * bl) + (w - s) * (ah * bh)).
Definition pieces_of (b : box) (c : leaf_cell) : list (list (nat * Z) * Z) :=
  match f (at_x c) (at_y c) with
  | Some v => map (fun p => piece b (at_x c) (at_y c) v (heavy c) (fst p) (snd p)) (combine (seq 0 k) (shares c))
  | None => []
  end.
Definition right_cell (c : leaf_cell) : bool :=
  (at_x c <? n)%nat && (at_y c <? m)%nat
  && match f (at_x c) (at_y c) with Some _ => true | None => false end
  && (0 <=? heavy c) && (length (shares c) =? k)%nat
  && forallb (fun s => (0 <=? s) && (s <=? heavy c)) (shares c).
Definition leaf_bound (b : box) (cells : list leaf_cell) : option Q :=
  let weight := fold_right (fun c s => heavy c + s) 0 cells in
  let pieces := flat_map (pieces_of b) cells in
  let terms := flat_map fst pieces in
  if (0 <? k)%nat && shaped_box b && forallb right_cell cells && (0 <? weight)
     && forallb (fun t => fst t <? laws * K)%nat terms
  then
    let slopes := take (-1) terms (array_of []) in
    let whole := fold_right (fun p s => law_bound unit (map (fun t => get slopes (key (fst p) t))
                                                     (seq 0 (length (snd p)))) (snd p) + s) 0
                            (combine (seq 0 (length b)) b) in
    let least := whole - fold_right (fun p s => snd p + s) 0 pieces in
    match weight with Zpos d => Some (least # d * (unit * unit)) | _ => None end
  else None.

Definition box_split (a : box_node) (b : box) : option (list box * list Q) :=
  match a with
  | Cut i t c => if (i <? length b)%nat && (t <? length (nth i b []))%nat then Some (cut unit b i t c, []) else None
  | Leaf cells => match leaf_bound b cells with Some v => Some ([], [v]) | None => None end
  end.

Definition start (ordered : nat) : box :=
  map (fun x => if (x =? ordered)%nat
                then map (fun t => (if (t =? 0)%nat then Zpos unit / Z.of_nat k else 0,
                                    - (- Zpos unit / Z.of_nat (S t)))) (seq 0 k)
                else repeat (0, Zpos unit) k) (seq 0 n)
  ++ repeat (repeat (0, Zpos unit) 2) (m * k).
Definition boxes_bound (ordered : nat) (nodes : list box_node) : option Q :=
  if (0 <? k)%nat && (ordered <? n)%nat then
    match walk box_split nodes [start ordered] [] with Some l => Some (least_of l) | None => None end
  else None.

Section Sound.
Local Open Scope Q_scope.
Variables (P : protocol) (e : Q).
Hypothesis used : uses n m k P.
Hypothesis within_e : forall x y, (x < n)%nat -> (y < m)%nat -> error k f P x y <= e.
Hypothesis k0 : (0 < k)%nat.

Notation M := (mass n k P unit).
Notation U := (inject_Z (Zpos unit)).
Definition X (q : nat) : Q := M (q / K) (q mod K).

Lemma K_pos : (0 < K)%nat.
Proof. unfold K. lia. Qed.
Lemma X_key i t : (t < K)%nat -> X (key i t) = M i t.
Proof.
  intros H. unfold X, key. pose proof K_pos as KP. rewrite Nat.div_add_l by lia. rewrite Nat.div_small by exact H.
  rewrite Nat.add_0_r. rewrite Nat.add_comm, Nat.mod_add by lia. rewrite Nat.mod_small by exact H. reflexivity.
Qed.

Lemma mass_alice x j : (x < n)%nat -> (j < k)%nat -> M x j == U * alice P x j.
Proof.
  intros Hx Hj. unfold mass. destruct (Nat.ltb_spec x n); [|lia]. destruct (Nat.ltb_spec j k); [|lia]. reflexivity.
Qed.
Lemma mass_bob y j t : (j < k)%nat -> M (n + (y * k + j)) t ==
  U * match t with O => 1 - bob P j y | S O => bob P j y | _ => 0 end.
Proof.
  intros Hj. unfold mass. destruct (Nat.ltb_spec (n + (y * k + j)) n); [lia|].
  replace (n + (y * k + j) - n)%nat with (j + y * k)%nat by lia.
  rewrite Nat.mod_add, Nat.mod_small by lia. rewrite Nat.div_add, Nat.div_small by lia. reflexivity.
Qed.

Lemma shaped_nth b i : shaped_box b = true -> (i < laws)%nat ->
  length b = laws /\ length (nth i b []) = (if (i <? n)%nat then k else 2%nat).
Proof.
  unfold shaped_box. intros H Hi. apply andb_prop in H as [L H]. apply Nat.eqb_eq in L. split; [exact L|].
  rewrite forallb_forall in H. apply Nat.eqb_eq. specialize (H (i, nth i b [])). apply H.
  replace (i, nth i b []) with (nth i (combine (seq 0 (length b)) b) (O, [])).
  - apply nth_In. rewrite combine_length, seq_length. lia.
  - rewrite combine_nth by apply seq_length. rewrite seq_nth by lia. reflexivity.
Qed.

Lemma product_below (w s al ah bl bh a c : Q) : 0 <= s -> s <= w -> al <= a -> a <= ah -> bl <= c -> c <= bh ->
  (s * bl + (w - s) * bh) * a + (s * al + (w - s) * ah) * c - (s * (al * bl) + (w - s) * (ah * bh)) <= w * (a * c).
Proof.
  intros S W A1 A2 C1 C2.
  assert (0 <= s * ((a - al) * (c - bl))) as P1 by (apply Qmult_le_0_compat; [exact S|apply Qmult_le_0_compat; lra]).
  assert (0 <= (w - s) * ((ah - a) * (bh - c))) as P2
    by (apply Qmult_le_0_compat; [lra|apply Qmult_le_0_compat; lra]).
  lra.
Qed.

Lemma piece_below b x y v w j s : holds n m k P unit b -> shaped_box b = true ->
  (x < n)%nat -> (y < m)%nat -> (j < k)%nat -> (0 <= s)%Z -> (s <= w)%Z ->
  combination (fst (piece b x y v w j s)) X - inject_Z (snd (piece b x y v w j s))
  <= inject_Z w * (U * U * (alice P x j * (if v then 1 - bob P j y else bob P j y))).
Proof.
  intros [L H] Sh Hx Hy Hj S W. unfold piece. set (i := (n + (y * k + j))%nat). set (t := if v then 0%nat else 1%nat).
  assert (i < laws)%nat as Hi by (unfold i, laws; nia).
  assert (x < laws)%nat as Hx' by (unfold laws; lia).
  assert (t < 2)%nat as Ht by (unfold t; destruct v; lia).
  destruct (shaped_nth b x Sh Hx') as [Lb Lx]. destruct (shaped_nth b i Sh Hi) as [_ Li].
  replace (x <? n)%nat with true in Lx by (symmetry; apply Nat.ltb_lt, Hx).
  replace (i <? n)%nat with false in Li by (symmetry; apply Nat.ltb_ge; unfold i; lia).
  destruct (H x ltac:(rewrite Lb; exact Hx')) as [_ Bx]. destruct (H i ltac:(rewrite Lb; exact Hi)) as [_ Bi].
  specialize (Bx j ltac:(rewrite Lx; exact Hj)). specialize (Bi t ltac:(rewrite Li; exact Ht)).
  destruct (nth j (nth x b []) no_ends) as [al ah]. destruct (nth t (nth i b []) no_ends) as [bl bh].
  cbn [fst snd combination fold_right] in *.
  rewrite !X_key by (unfold K; lia).
  assert (M i t == U * (if v then 1 - bob P j y else bob P j y)) as Mi.
  { unfold i. rewrite mass_bob by exact Hj. unfold t. destruct v; reflexivity. }
  pose proof (mass_alice x j Hx Hj) as Mx.
  assert (0 <= inject_Z s) as S' by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact S).
  assert (inject_Z s <= inject_Z w) as W' by (rewrite <- Zle_Qle; exact W).
  pose proof (product_below (inject_Z w) (inject_Z s) (inject_Z al) (inject_Z ah) (inject_Z bl) (inject_Z bh)
    (M x j) (M i t) S' W' (proj1 Bx) (proj2 Bx) (proj1 Bi) (proj2 Bi)) as B.
  unfold Z.sub. rewrite !inject_Z_plus, !inject_Z_mult, !inject_Z_plus, !inject_Z_opp.
  setoid_replace (inject_Z w * (U * U * (alice P x j * (if v then 1 - bob P j y else bob P j y))))
    with (inject_Z w * (M x j * M i t)) by (rewrite Mx, Mi; ring).
  lra.
Qed.

Lemma cell_below b c : holds n m k P unit b -> shaped_box b = true -> right_cell c = true ->
  sum_over (pieces_of b c) (fun p => combination (fst p) X - inject_Z (snd p))
  <= inject_Z (heavy c) * (U * U * e).
Proof.
  intros H Sh R. unfold right_cell in R. apply andb_prop in R as [R G]. apply andb_prop in R as [R L].
  apply andb_prop in R as [R W]. apply andb_prop in R as [R D]. apply andb_prop in R as [Hx Hy].
  apply Nat.ltb_lt in Hx, Hy. apply Nat.eqb_eq in L. apply Z.leb_le in W. rewrite forallb_forall in G.
  unfold pieces_of. destruct (f (at_x c) (at_y c)) as [v|] eqn:F; [|discriminate D].
  rewrite sum_over_map.
  rewrite <- (sum_over_nth (combine (seq 0 k) (shares c)) _ (O, 0%Z)).
  rewrite combine_length, seq_length, L, Nat.min_id.
  pose proof (within_e (at_x c) (at_y c) Hx Hy) as E. unfold error in E. rewrite F in E.
  assert (0 <= inject_Z (heavy c)) as W' by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact W).
  assert (0 < U) as PU by reflexivity.
  apply Qle_trans with (inject_Z (heavy c) * (U * U *
    sum k (fun j => alice P (at_x c) j * (if v then 1 - bob P j (at_y c) else bob P j (at_y c))))).
  - rewrite <- sum_scale, <- sum_scale. apply sum_le. intros j Hj.
    rewrite combine_nth by (rewrite seq_length; auto). rewrite seq_nth by exact Hj. cbn [fst snd Nat.add].
    assert (In (nth j (shares c) 0%Z) (shares c)) as I by (apply nth_In; lia).
    specialize (G _ I). apply andb_prop in G as [G1 G2]. apply Z.leb_le in G1, G2.
    apply piece_below; assumption.
  - apply times_le; [exact W'|]. apply times_le; [apply Qmult_le_0_compat; lra|exact E].
Qed.

Lemma laws_below b slopes : holds n m k P unit b -> shaped_box b = true ->
  inject_Z (fold_right (fun p s => law_bound unit (map (fun t => get slopes (key (fst p) t))
    (seq 0 (length (snd p)))) (snd p) + s)%Z 0%Z (combine (seq 0 (length b)) b)) <= worth (laws * K) slopes X.
Proof.
  intros [L H] Sh. unfold worth. rewrite sum_blocks.
  set (g := fun p : nat * bounded_law => law_bound unit (map (fun t => get slopes (key (fst p) t))
    (seq 0 (length (snd p)))) (snd p)).
  assert (forall l, inject_Z (fold_right (fun p s => g p + s)%Z 0%Z l) == sum_over l (fun p => inject_Z (g p))) as S.
  { unfold sum_over. induction l as [|p l IH]; [reflexivity|]. cbn [fold_right].
    rewrite inject_Z_plus, IH. reflexivity. }
  eapply Qle_trans; [apply Qle_lteq; right; exact (S (combine (seq 0 (length b)) b))|].
  rewrite <- (sum_over_nth (combine (seq 0 (length b)) b) (fun p => inject_Z (g p)) (O, [])).
  rewrite combine_length, seq_length, Nat.min_id, L.
  fold laws. apply sum_le. intros i Hi. rewrite combine_nth by (rewrite seq_length; auto).
  rewrite seq_nth by exact Hi. cbn [Nat.add]. unfold g. cbn [fst snd]. set (l := nth i b []).
  destruct (shaped_nth b i Sh Hi) as [Lb Ll]. fold l in Ll.
  pose proof (H i ltac:(rewrite Lb; exact Hi)) as B. fold l in B.
  assert (length l <= K)%nat as LK by (rewrite Ll; unfold K; destruct (i <? n)%nat; lia).
  eapply Qle_trans; [apply (law_bound_spec unit _ l (M i)); [rewrite map_length; apply seq_length|exact B]|].
  apply Qle_lteq. right.
  replace K with (length l + (K - length l))%nat at 1 by lia. rewrite sum_split.
  rewrite (sum_ext (K - length l) _ (fun _ => 0)), sum_zero.
  - rewrite Qplus_0_r. apply sum_ext. intros t Ht. fold (key i t). rewrite X_key by lia.
    rewrite (nth_map_seq (fun t => get slopes (key i t))) by exact Ht. reflexivity.
  - intros t Ht. fold (key i (length l + t)). rewrite X_key by lia. unfold mass.
    destruct (Nat.ltb_spec i n) as [G|G]; rewrite Ll.
    + destruct (Nat.ltb_spec (k + t) k); [lia|]. ring.
    + cbn [Nat.add]. ring.
Qed.

Lemma leaf_sound b cells v : holds n m k P unit b -> leaf_bound b cells = Some v -> v <= e.
Proof.
  intros H C. unfold leaf_bound in C.
  set (weight := fold_right _ _ cells) in C. set (pieces := flat_map (pieces_of b) cells) in C.
  set (terms := flat_map fst pieces) in C.
  match type of C with (if ?c then _ else _) = _ => destruct c eqn:G; [|discriminate C] end.
  apply andb_prop in G as [G T]. apply andb_prop in G as [G W]. apply andb_prop in G as [G R].
  apply andb_prop in G as [_ Sh]. apply Z.ltb_lt in W. rewrite forallb_forall in R.
  set (slopes := take (-1) terms (array_of [])) in C.
  pose proof (laws_below b slopes H Sh) as B.
  set (whole := fold_right _ _ (combine _ _)) in *. set (const := fold_right _ _ pieces) in C.
  assert (worth (laws * K) slopes X == combination terms X) as Wo.
  { unfold slopes. rewrite (worth_take (laws * K) (-1) X terms _ T).
    assert (worth (laws * K) (array_of []) X == 0) as ->.
    { unfold worth. rewrite (sum_ext _ _ (fun _ => 0)); [apply sum_zero|]. intros j _. rewrite get_array_of.
      destruct j; cbn [nth]; change (inject_Z 0) with 0; ring. }
    change (inject_Z (-1)) with (- (1)). ring. }
  assert (inject_Z const == sum_over pieces (fun p => inject_Z (snd p))) as Co.
  { unfold const, sum_over. clear. induction pieces as [|p l IH]; [reflexivity|]. cbn [fold_right].
    rewrite inject_Z_plus, IH. reflexivity. }
  assert (combination terms X - inject_Z const
    == sum_over pieces (fun p => combination (fst p) X - inject_Z (snd p))) as D.
  { rewrite Co. unfold terms. rewrite combination_flat. clear. unfold sum_over.
    induction pieces as [|p l IH]; [reflexivity|]. cbn [fold_right]. rewrite <- IH. ring. }
  assert (sum_over pieces (fun p => combination (fst p) X - inject_Z (snd p)) <= inject_Z weight * (U * U * e)) as E.
  { unfold pieces, weight. clear - H Sh R within_e used k0. induction cells as [|c cells IH].
    - cbn [flat_map fold_right sum_over]. change (inject_Z 0) with 0. lra.
    - cbn [flat_map fold_right]. rewrite sum_over_app, inject_Z_plus.
      pose proof (cell_below b c H Sh (R c (or_introl eq_refl))).
      specialize (IH (fun c I => R c (or_intror I))). lra. }
  rewrite <- D, <- Wo in E.
  destruct weight as [|d|] eqn:Wd; try discriminate C. injection C as <-.
  rewrite Qmake_Qdiv. apply Qle_shift_div_r; [reflexivity|].
  rewrite !Pos2Z.inj_mul, !inject_Z_mult. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp. lra.
Qed.

Lemma start_holds ordered : (ordered < n)%nat ->
  (forall s t, (s <= t)%nat -> (t < k)%nat -> alice P ordered t <= alice P ordered s) ->
  holds n m k P unit (start ordered).
Proof.
  intros Ho Dec. pose proof used as [A B]. assert (0 < U) as PU by reflexivity.
  assert (length (start ordered) = (n + m * k)%nat) as L
    by (unfold start; rewrite app_length, map_length, seq_length, repeat_length; reflexivity).
  split; [exact L|]. rewrite L. intros i Hi. unfold start.
  destruct (Nat.lt_ge_cases i n) as [G|G].
  - rewrite app_nth1 by (rewrite map_length, seq_length; exact G). rewrite nth_map_seq by exact G.
    destruct (A i G) as [A0 A1].
    assert (sum k (M i) == U) as Tot.
    { rewrite (sum_ext k _ (fun t => U * alice P i t)) by (intros t Ht; apply mass_alice; assumption).
      rewrite sum_scale, A1. ring. }
    destruct (Nat.eqb_spec i ordered) as [->|N].
    + split; rewrite map_length, seq_length; [exact Tot|]. intros t Ht. rewrite nth_map_seq by exact Ht. cbn [fst snd].
      rewrite mass_alice by assumption.
      assert (alice P ordered t * inject_Z (Z.of_nat (S t)) <= 1) as T1.
      { rewrite Qmult_comm, <- sum_const, <- A1.
        replace k with (S t + (k - S t))%nat at 1 by lia. rewrite sum_split.
        rewrite <- (Qplus_0_r (sum (S t) _)). apply Qplus_le_compat.
        - apply sum_le. intros s Hs. apply Dec; lia.
        - apply sum_nonneg. intros s Hs. apply A0. lia. }
      split.
      * destruct (Nat.eqb_spec t 0) as [->|Z].
        -- assert (1 <= inject_Z (Z.of_nat k) * alice P ordered 0) as K1.
           { rewrite <- sum_const, <- A1. apply sum_le. intros s Hs. apply Dec; lia. }
           pose proof (Z.mul_div_le (Zpos unit) (Z.of_nat k) ltac:(lia)) as Dv.
           rewrite Zle_Qle, inject_Z_mult in Dv.
           assert (0 < inject_Z (Z.of_nat k)) as Pk by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
           apply (Qmult_le_l _ _ (inject_Z (Z.of_nat k)) Pk). nra.
        -- specialize (A0 t Ht). change (inject_Z 0) with 0. apply Qmult_le_0_compat; lra.
      * assert (Zpos unit <= - (- Zpos unit / Z.of_nat (S t)) * Z.of_nat (S t))%Z as Dv
          by (pose proof (Z.mul_div_le (- Zpos unit) (Z.of_nat (S t)) ltac:(lia)); lia).
        rewrite Zle_Qle, inject_Z_mult in Dv.
        assert (0 < inject_Z (Z.of_nat (S t))) as Pk by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
        apply (Qmult_le_r _ _ (inject_Z (Z.of_nat (S t))) Pk). nra.
    + split; rewrite repeat_length; [exact Tot|]. intros t Ht. rewrite (nth_repeated _ _ _ _ Ht). cbn [fst snd].
      rewrite mass_alice by assumption. specialize (A0 t Ht) as At.
      assert (alice P i t <= 1) as T1.
      { rewrite <- A1, <- (sum_single k t (alice P i) Ht). apply sum_le. intros s Hs. specialize (A0 s Hs).
        destruct (t =? s)%nat; unfold chance; lra. }
      change (inject_Z 0) with 0. split; [apply Qmult_le_0_compat; lra|].
      rewrite <- (Qmult_1_r U) at 2. apply times_le; lra.
  - rewrite app_nth2 by (rewrite map_length, seq_length; exact G). rewrite map_length, seq_length.
    rewrite (nth_repeated (repeat (0%Z, Zpos unit) 2) [] (m * k) (i - n) ltac:(lia)).
    set (q := (i - n)%nat). assert (q = ((q / k) * k + q mod k))%nat as Eq
      by (pose proof (Nat.div_mod q k); lia).
    assert (i = (n + ((q / k) * k + q mod k)))%nat as Ei by (unfold q in *; lia).
    assert (q mod k < k)%nat as Hm by (apply Nat.mod_upper_bound; lia).
    assert (q / k < m)%nat as Hq by (apply Nat.div_lt_upper_bound; unfold q; lia).
    specialize (B _ _ Hm Hq). change (repeat (0%Z, Z.pos unit) 2) with [(0%Z, Z.pos unit); (0%Z, Z.pos unit)].
    rewrite Ei. split.
    + cbn [length sum]. rewrite !mass_bob by exact Hm. ring.
    + intros t Ht. cbn [length] in Ht. rewrite mass_bob by exact Hm. change (inject_Z 0) with 0.
      destruct t as [|[|t]]; [| |lia]; cbn [nth fst snd]; (split; [apply Qmult_le_0_compat; lra|]);
        rewrite <- (Qmult_1_r U) at 2; apply times_le; lra.
Qed.

Lemma box_split_sound a b parts bounds : box_split a b = Some (parts, bounds) -> holds n m k P unit b ->
  (exists b', In b' parts /\ holds n m k P unit b') \/ (exists v, In v bounds /\ v <= e).
Proof.
  intros S H. destruct a as [i t c|cells]; cbn [box_split] in S.
  - destruct ((i <? length b)%nat && (t <? length (nth i b []))%nat) eqn:G; [|discriminate S].
    apply andb_prop in G as [Hi Ht]. apply Nat.ltb_lt in Hi, Ht. injection S as <- <-. left.
    apply (cut_holds n m k P unit b i t c H Hi Ht).
  - destruct (leaf_bound b cells) as [v|] eqn:L; [|discriminate S]. injection S as <- <-. right.
    exists v. split; [left; reflexivity|apply (leaf_sound b cells v H L)].
Qed.
End Sound.
End Tree.

Theorem boxes_bound_sound w n m k f unit ordered nodes v e : w <> Public ->
  boxes_bound n m k f unit ordered nodes = Some v -> reached w n m f k e -> (v <= e)%Q.
Proof.
  intros Np C R. unfold boxes_bound in C. destruct ((0 <? k)%nat && (ordered <? n)%nat) eqn:G; [|discriminate C].
  apply andb_prop in G as [K0 Ho]. apply Nat.ltb_lt in K0, Ho.
  destruct (walk _ nodes _ _) as [l|] eqn:W; [|discriminate C]. injection C as <-.
  destruct (reached_without_public _ _ _ _ _ _ Np R) as [P0 [U0 E0]].
  destruct (renamed n m k f P0 e ordered U0 Ho E0) as [P [U [E D]]].
  destruct (walk_sound (box_split n m k f unit) (holds n m k P unit) e
    (box_split_sound n m k f unit P e E K0) nodes [start n m k unit ordered] [] l _ W (or_introl eq_refl)
    (start_holds n m k unit P U K0 ordered Ho D)) as [v [I V]].
  eapply Qle_trans; [apply least_of_spec, I|exact V].
Qed.
