(* Trees of cases over signs of determinants that are also closed by products of inequalities, which
   are 1 > 1, and by lemmas for lines in another order, some of them negated. *)
From Coq Require Import List Arith NArith ZArith QArith Qabs Qpower Lia Lqa Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Sums Mixture OneWay Cases Tables Signs SignPatterns Determinants Chirotopes.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- products of inequalities ---- *)

Definition sorted_lines (l : list nat) : list nat := snd (sort_sign l).
Definition terms (d : nat) (l : list nat) : option ((list nat * list nat) * (list nat * list nat) * (list nat * list nat)) :=
  match skipn (d - 2) l with
  | [x; y; z; w] =>
      let A := firstn (d - 2) l in
      Some ((A ++ [x; y], A ++ [z; w]), (A ++ [x; z], A ++ [w; y]), (A ++ [x; w], A ++ [y; z]))
  | _ => None
  end.
Definition term_sign (c : signs_known) (t : list nat * list nat) : option bool :=
  match negative c (fst t), negative c (snd t) with Some a, Some b => Some (xorb a b) | _, _ => None end.
Definition exponents_of (d : nat) (i : Z * list nat) : list (list nat * Z) :=
  match terms d (snd i) with
  | Some ((a, b), (e, f), _) => [(sorted_lines a, fst i); (sorted_lines b, fst i); (sorted_lines e, - fst i); (sorted_lines f, - fst i)]%Z
  | None => []
  end.
Definition total (k : list nat) (E : list (list nat * Z)) : Z :=
  fold_right (fun e s => if list_eq_dec Nat.eq_dec (fst e) k then (snd e + s)%Z else s) 0%Z E.
Definition close_inequality (d : nat) (c : signs_known) (i : Z * list nat) : bool :=
  (0 <? fst i)%Z &&
  match terms d (snd i) with
  | Some (t, u, w) =>
      match term_sign c t, term_sign c u, term_sign c w with
      | Some x, Some y, Some z => negb (Bool.eqb x y) && Bool.eqb y z
      | _, _, _ => false
      end
  | None => false
  end.
Definition close_product (d : nat) (c : signs_known) (l : list (Z * list nat)) : bool :=
  match l with [] => false | _ => true end && forallb (close_inequality d c) l
  && let E := flat_map (exponents_of d) l in forallb (fun e => (total (fst e) E =? 0)%Z) E.

Section Powers.
Variable M : list nat -> Q.
Definition pow (E : list (list nat * Z)) : Q := fold_right (fun e q => M (fst e) ^ snd e * q) 1 E.
Definition above_zero (E : list (list nat * Z)) := forall e, In e E -> 0 < M (fst e).
Definition without (k : list nat) (E : list (list nat * Z)) :=
  filter (fun e => if list_eq_dec Nat.eq_dec (fst e) k then false else true) E.

Lemma pow_app E F : pow (E ++ F) == pow E * pow F.
Proof. unfold pow. induction E as [|e E IH]; cbn [app fold_right]; [ring|]. rewrite IH. ring. Qed.
Lemma pow_without k : forall E, 0 < M k -> pow E == M k ^ total k E * pow (without k E).
Proof.
  induction E as [|e E IH]; intros P; [reflexivity|]. specialize (IH P).
  unfold pow, total, without in *. cbn [filter fold_right].
  destruct (list_eq_dec Nat.eq_dec (fst e) k) as [->|N].
  - rewrite Qpower_plus by lra. rewrite IH. ring.
  - cbn [fold_right]. rewrite IH. ring.
Qed.
Lemma total_without k j E : j <> k -> total j (without k E) = total j E.
Proof.
  intros N. induction E as [|e E IH]; [reflexivity|]. unfold total, without in *. cbn [filter fold_right].
  destruct (list_eq_dec Nat.eq_dec (fst e) k) as [A|A].
  - destruct (list_eq_dec Nat.eq_dec (fst e) j) as [B|B]; [congruence|]. exact IH.
  - cbn [fold_right]. rewrite IH. reflexivity.
Qed.
Lemma pow_one : forall n E, (length E <= n)%nat -> above_zero E -> (forall e, In e E -> total (fst e) E = 0%Z) -> pow E == 1.
Proof.
  induction n as [|n IH]; intros E L P Z; (destruct E as [|e E]; [reflexivity|]); cbn [length] in L; [lia|].
  assert (0 < M (fst e)) as Pe by (apply P; left; reflexivity).
  rewrite (pow_without (fst e)) by exact Pe. rewrite Z by (left; reflexivity). rewrite (IH (without (fst e) (e :: E))).
  - cbn. ring.
  - unfold without. cbn [filter]. destruct (list_eq_dec _ (fst e) (fst e)) as [_|N]; [|congruence].
    clear -L. induction E as [|f E IH] in n, L |- *; [cbn; lia|]. cbn [filter length] in *.
    destruct n as [|n]; [lia|]. specialize (IH n ltac:(lia)). destruct (list_eq_dec _ _ _); cbn [length]; lia.
  - intros f Hf. apply filter_In in Hf as [Hf _]. apply P, Hf.
  - intros f Hf. apply filter_In in Hf as [Hf N]. destruct (list_eq_dec _ (fst f) (fst e)) as [|D]; [discriminate|].
    rewrite total_without by exact D. apply Z, Hf.
Qed.
End Powers.

Lemma power_above_one x : 1 < x -> forall w, (0 < w)%Z -> 1 < x ^ w.
Proof.
  intros H w W. destruct w as [|p|p]; [lia| |lia]. clear W. induction p as [|p IH] using Pos.peano_ind; [exact H|].
  rewrite Pos2Z.inj_succ, <- Z.add_1_r, Qpower_plus by lra. change (x ^ 1) with x. nra.
Qed.

(* ---- lines in another order ---- *)

Definition flip (f : bool) (a : option bool) : option bool := match a with Some b => Some (xorb f b) | None => None end.
Definition same_entry (a b : option bool) : bool :=
  match a, b with Some x, Some y => Bool.eqb x y | None, None => true | _, _ => false end.
Definition entry (R : matrix_rows) (t y : nat) : option bool := nth y (nth t R []) None.
Definition moved_to (R : matrix_rows) (order : list nat) (turned : list bool) (y : nat) (p : nat * bool) : bool :=
  forallb (fun t => same_entry (entry R t y) (flip (xorb (snd p) (nth t turned false)) (entry R (nth t order O) (fst p))))
    (seq 0 (length R)).
Definition candidates (m : nat) : list (nat * bool) := map (fun y => (y, false)) (seq 0 m) ++ map (fun y => (y, true)) (seq 0 m).
Definition keeps_across (m : nat) (R : matrix_rows) (order : list nat) (turned : list bool) : bool :=
  forallb (fun y => existsb (moved_to R order turned y) (candidates m)) (seq 0 m).
Definition parity (turned : list bool) (l : list nat) : bool := fold_right (fun t f => xorb (nth t turned false) f) false l.
Definition has_signs_of (C : list (list nat * bool)) (c : signs_known) (order : list nat) (turned : list bool) (e : bool) : bool :=
  forallb (fun p => match negative c (map (fun t => nth t order O) (fst p)) with
                    | Some s => Bool.eqb (xorb e (snd p)) (xorb (negb s) (parity turned (fst p)))
                    | None => false
                    end) C.
Definition close_image (m : nat) (R : matrix_rows) (lemmas : list (list (list nat * bool))) (c : signs_known)
  (i : nat) (order : list nat) (turned : list bool) : bool :=
  match nth_error lemmas i with
  | Some C =>
      distinct (map N.of_nat order) && (length order =? length R)%nat && forallb (fun x => x <? length R)%nat order
      && keeps_across m R order turned
      && (has_signs_of C c order turned false || has_signs_of C c order turned true)
  | None => false
  end.

Inductive node := Lines (l : list nat) | Product (l : list (Z * list nat)) | Image (i : nat) (order : list nat) (turned : list bool).
Definition split_node (m : nat) (R : matrix_rows) (d : nat) (lemmas : list (list (list nat * bool))) (a : node) (c : signs_known)
  : option (list signs_known * list Q) :=
  match a with
  | Lines l => split_signs m R d l c
  | Product l => if close_product d c l then Some ([], []) else None
  | Image i order turned => if close_image m R lemmas c i order turned then Some ([], []) else None
  end.
Fixpoint first_case (N d : nat) (C : list (list nat * bool)) (c : signs_known) : option signs_known :=
  match C with
  | [] => Some c
  | (l, b) :: C' =>
      if rising 0 l && forallb (fun x => x <? N)%nat l && (length l =? d)%nat && match look c l with None => true | Some _ => false end
      then first_case N d C' (learn c l b) else None
  end.
Fixpoint check_lemmas (m : nat) (R : matrix_rows) (d : nat) (known : list (list (list nat * bool)))
  (lemmas : list (list (list nat * bool) * list node)) : option (list (list (list nat * bool))) :=
  match lemmas with
  | [] => Some known
  | (C, nodes) :: rest =>
      match first_case (length R) d C (PositiveMap.empty _) with
      | Some c => match walk (split_node m R d known) nodes [c] [] with
                  | Some _ => check_lemmas m R d (known ++ [C]) rest
                  | None => None
                  end
      | None => None
      end
  end.
Definition check_final_polynomials (m : nat) (R : matrix_rows) (d : nat) (lemmas : list (list (list nat * bool) * list node))
  (nodes : list node) : bool :=
  (1 <? d)%nat && (d <=? length R)%nat
  && match check_lemmas m R d [] lemmas with
     | Some known =>
         match walk (split_node m R d known) nodes [learn (PositiveMap.empty _) (seq 0 d) true] [] with
         | Some _ => true
         | None => false
         end
     | None => false
     end.

(* ---- both are contradictions ---- *)

Section Products.
Variables (d : nat) (us : list vector) (side : Q).
Notation D := (D d us side).
Notation M := (fun k => Qabs (D k)).

Lemma abs_sorted l : Qabs (D (sorted_lines l)) == Qabs (D l).
Proof.
  unfold sorted_lines. destruct (sort_sign l) as [f k] eqn:E. cbn [snd]. pose proof (sort_det d us l [] f k E) as Z.
  cbn [app] in Z. unfold Chirotopes.D. destruct f.
  - rewrite <- Qabs_opp. apply Qabs_wd. rewrite Z. ring.
  - apply Qabs_wd. rewrite Z. ring.
Qed.
Lemma term_sign_sound c t s : true_case d us side c -> term_sign c t = Some s -> has_sign (negb s) (D (fst t) * D (snd t)).
Proof.
  unfold term_sign. intros T H. destruct (negative c (fst t)) as [a|] eqn:A; [|discriminate].
  destruct (negative c (snd t)) as [b|] eqn:B; [|discriminate]. injection H as <-.
  apply (negative_sound d us side c _ _ T) in A, B. set (p := D (fst t)) in *. set (q := D (snd t)) in *. clearbody p q.
  destruct a, b; cbn [negb xorb has_sign] in *; nra.
Qed.
Lemma terms_sum l t u w : terms d l = Some (t, u, w) ->
  D (fst t) * D (snd t) + D (fst u) * D (snd u) + D (fst w) * D (snd w) == 0.
Proof.
  unfold terms. destruct (skipn (d - 2) l) as [|x [|y [|z [|v [|]]]]]; try discriminate. intros [= <- <- <-].
  cbn [fst snd]. set (A := firstn (d - 2) l). unfold Chirotopes.D. rewrite !map_app. cbn [map].
  pose proof (grassmann_pluecker d (map (at_ us) A) (at_ us x) (at_ us y) (at_ us z) (at_ us v)) as G. cbv zeta in G.
  set (a1 := det _ (_ ++ [at_ us x; at_ us y])) in *. set (a2 := det _ (_ ++ [at_ us z; at_ us v])) in *.
  set (a3 := det _ (_ ++ [at_ us x; at_ us z])) in *. set (a4 := det _ (_ ++ [at_ us v; at_ us y])) in *.
  set (a5 := det _ (_ ++ [at_ us x; at_ us v])) in *. set (a6 := det _ (_ ++ [at_ us y; at_ us z])) in *.
  setoid_replace (side * a1 * (side * a2) + side * a3 * (side * a4) + side * a5 * (side * a6))
    with (side * side * (a1 * a2 + a3 * a4 + a5 * a6)) by ring. rewrite G. ring.
Qed.
Lemma abs_factor p q b : has_sign b (p * q) -> 0 < Qabs p.
Proof.
  intros H. pose proof (Qabs_nonneg p) as N. destruct (Qlt_le_dec 0 (Qabs p)) as [|L]; [assumption|exfalso].
  assert (p == 0) as Z. { pose proof (Qle_Qabs p). pose proof (Qle_Qabs (- p)) as B. rewrite Qabs_opp in B. lra. }
  destruct b; cbn [has_sign] in H; rewrite Z in H; lra.
Qed.
Lemma larger p q r a b c : p + q + r == 0 -> has_sign (negb a) p -> has_sign (negb b) q -> has_sign (negb c) r ->
  a <> b -> b = c -> 0 < Qabs q /\ Qabs q < Qabs p.
Proof.
  intros S A B C N <-. destruct a, b; try congruence; cbn [negb has_sign] in *.
  - rewrite (Qabs_pos q), (Qabs_neg p) by lra. lra.
  - rewrite (Qabs_neg q), (Qabs_pos p) by lra. lra.
Qed.
Lemma close_inequality_sound c i : true_case d us side c -> close_inequality d c i = true ->
  above_zero M (exponents_of d i) /\ 1 < pow M (exponents_of d i).
Proof.
  intros T H. destruct i as [w l]. unfold close_inequality, exponents_of in *. cbn [fst snd] in *. apply andb_prop in H as [W H].
  apply Z.ltb_lt in W. destruct (terms d l) as [[[t u] v]|] eqn:E; [|discriminate]. pose proof (terms_sum _ _ _ _ E) as S.
  destruct (term_sign c t) as [x|] eqn:X; [|discriminate]. destruct (term_sign c u) as [y|] eqn:Y; [|discriminate].
  destruct (term_sign c v) as [z|] eqn:Z; [|discriminate]. apply andb_prop in H as [H1 H2]. apply eqb_prop in H2.
  apply negb_true_iff, eqb_false_iff in H1. apply (term_sign_sound c _ _ T) in X, Y, Z.
  destruct t as [a b], u as [e f]. cbn [fst snd] in *.
  destruct (larger _ _ _ _ _ _ S X Y Z H1 H2) as [P L].
  assert (has_sign (negb x) (D b * D a)) as X' by (destruct x; cbn [negb has_sign] in *; lra).
  assert (has_sign (negb y) (D f * D e)) as Y' by (destruct y; cbn [negb has_sign] in *; lra).
  pose proof (abs_factor _ _ _ X) as Pa. pose proof (abs_factor _ _ _ X') as Pb.
  pose proof (abs_factor _ _ _ Y) as Pe. pose proof (abs_factor _ _ _ Y') as Pf. split.
  - intros g [<-|[<-|[<-|[<-|[]]]]]; cbn [fst]; rewrite abs_sorted; assumption.
  - unfold pow. cbn [fold_right fst snd]. rewrite !Qpower_opp, !abs_sorted. rewrite !Qabs_Qmult in *.
    set (p := Qabs (D a)) in *. set (q := Qabs (D b)) in *. set (r := Qabs (D e)) in *. set (s := Qabs (D f)) in *.
    assert (p ^ w * (q ^ w * (/ r ^ w * (/ s ^ w * 1))) == ((p * q) / (r * s)) ^ w) as ->.
    { unfold Qdiv. rewrite Qmult_power, Qmult_power, Qinv_power, Qmult_power, Qinv_mult_distr. ring. }
    apply power_above_one; [|exact W]. apply Qlt_shift_div_l; lra.
Qed.
Lemma close_product_sound c l : true_case d us side c -> close_product d c l = true -> False.
Proof.
  intros T H. unfold close_product in H. apply andb_prop in H as [H Z]. apply andb_prop in H as [N H]. cbv zeta in Z.
  assert (above_zero M (flat_map (exponents_of d) l) /\ (1 <= pow M (flat_map (exponents_of d) l)) /\
    (l <> [] -> 1 < pow M (flat_map (exponents_of d) l))) as [A [_ B]].
  { clear N Z. induction l as [|i l IH]; [split; [intros e []|]; split; [cbn; lra|congruence]|].
    cbn [forallb] in H. apply andb_prop in H as [Hi H]. destruct (IH H) as [A [B _]].
    destruct (close_inequality_sound c i T Hi) as [Ai Bi]. cbn [flat_map].
    assert (1 < pow M (exponents_of d i ++ flat_map (exponents_of d) l)) as G by (rewrite pow_app; nra).
    split; [intros e He; apply in_app_or in He as [He|He]; [apply Ai|apply A]; exact He|]. split; [lra|intros _; exact G]. }
  rewrite (pow_one M _ _ (Nat.le_refl _) A) in B.
  - assert (1 < 1) by (apply B; destruct l; [discriminate|congruence]). lra.
  - intros e He. rewrite forallb_forall in Z. apply Z.eqb_eq, Z, He.
Qed.
End Products.

Lemma insert_rising x : forall l lo f k, insert_sign x l = (f, k) -> rising lo l = true -> (lo <= x)%nat -> ~ In x l ->
  rising lo k = true /\ (forall y, In y k -> y = x \/ In y l) /\ length k = S (length l).
Proof.
  induction l as [|y l IH]; intros lo f k H Ri L N; cbn [insert_sign] in H.
  - injection H as <- <-. cbn. split; [|split; [intros y [<-|[]]; left; reflexivity|reflexivity]].
    rewrite andb_true_r. apply Nat.leb_le, L.
  - cbn [rising] in Ri. apply andb_prop in Ri as [R1 R2]. destruct (Nat.ltb_spec y x) as [Lt|Ge].
    + destruct (insert_sign x l) as [g j] eqn:E. injection H as <- <-.
      destruct (IH (S y) g j eq_refl R2 ltac:(lia)) as [A [B C]]; [intros I; apply N; right; exact I|].
      cbn [rising length]. rewrite R1, A. split; [reflexivity|]. split; [|lia].
      intros z [<-|Hz]; [right; left; reflexivity|]. destruct (B z Hz); [left; assumption|right; right; assumption].
    + injection H as <- <-. assert (x <> y) by (intros ->; apply N; left; reflexivity). cbn [rising length].
      rewrite R2. apply Nat.leb_le in R1. split.
      * rewrite (proj2 (Nat.leb_le lo x)), (proj2 (Nat.leb_le (S x) y)) by lia. reflexivity.
      * split; [|reflexivity]. intros z [<-|Hz]; [left; reflexivity|right; exact Hz].
Qed.
Lemma sort_rising : forall l f k, sort_sign l = (f, k) -> NoDup l ->
  rising 0 k = true /\ (forall y, In y k -> In y l) /\ length k = length l.
Proof.
  induction l as [|x l IH]; intros f k H N; cbn [sort_sign] in H.
  - injection H as <- <-. split; [reflexivity|]. split; [intros y []|reflexivity].
  - destruct (sort_sign l) as [g j] eqn:E. destruct (insert_sign x j) as [h i] eqn:F. injection H as <- <-.
    apply NoDup_cons_iff in N as [X N]. destruct (IH g j eq_refl N) as [A [B C]].
    destruct (insert_rising x j 0 h i F A ltac:(lia)) as [P [Q W]]; [intros I; apply X, B, I|].
    split; [exact P|]. split; [|cbn [length]; lia]. intros y Hy. destruct (Q y Hy) as [->|Hj]; [left; reflexivity|right; apply B, Hj].
Qed.
Lemma rising_distinct : forall l lo, rising lo l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; intros lo H; [constructor|]. cbn [rising] in H. apply andb_prop in H as [_ H].
  constructor; [|exact (IH _ H)]. intros I. pose proof (rising_above _ _ H x I). lia.
Qed.

Section Moves.
Variables (m d : nat) (R : matrix_rows).

Definition general_lines (us : list vector) := forall l, rising 0 l = true -> forallb (fun x => x <? length R)%nat l = true ->
  length l = d -> ~ det (seq 0 d) (map (at_ us) l) == 0.
Definition right_signs (us : list vector) (v : nat -> vector) := forall t y b, (t < length R)%nat -> (y < m)%nat ->
  nth y (nth t R []) None = Some b ->
  if b then 0 < dot_product d (v y) (nth t us origin) else dot_product d (v y) (nth t us origin) < 0.
Definition excluded (C : list (list nat * bool)) := forall us v side, general_lines us -> right_signs us v -> ~ side == 0 ->
  (forall l b, In (l, b) C -> has_sign b (D d us side l)) -> False.

Variables (us : list vector) (v : nat -> vector) (order : list nat) (turned : list bool).
Hypothesis different : NoDup order.
Hypothesis all : length order = length R.
Hypothesis within : forallb (fun x => x <? length R)%nat order = true.

Definition of (t : nat) : nat := nth t order O.
Definition scaled (f : bool) (w : vector) : vector := fun i => (if f then -(1) else 1) * w i.
Definition moved : list vector := map (fun t => scaled (nth t turned false) (at_ us (of t))) (seq 0 (length R)).
Lemma at_moved t : (t < length R)%nat -> at_ moved t = scaled (nth t turned false) (at_ us (of t)).
Proof.
  intros H. unfold at_ at 1, moved.
  rewrite (nth_indep _ origin ((fun t => scaled (nth t turned false) (at_ us (of t))) O)) by (rewrite map_length, seq_length; exact H).
  rewrite (map_nth (fun t => scaled (nth t turned false) (at_ us (of t)))), seq_nth by exact H. reflexivity.
Qed.
Lemma linear_scaled f g w : linear d g -> g (scaled f w) == (if f then -(1) else 1) * g w.
Proof.
  intros [z Z]. rewrite !Z. unfold dot_product, scaled. rewrite <- sum_scale. apply sum_ext. intros; ring.
Qed.
Lemma det_moved : forall l p, (forall t, In t l -> (t < length R)%nat) ->
  det (seq 0 d) (p ++ map (at_ moved) l) ==
  (if parity turned l then -(1) else 1) * det (seq 0 d) (p ++ map (at_ us) (map of l)).
Proof.
  induction l as [|t l IH]; intros p B; [cbn; ring|]. cbn [map]. rewrite at_moved by (apply B; left; reflexivity).
  set (a := scaled (nth t turned false) (at_ us (of t))).
  assert (det (seq 0 d) (p ++ a :: map (at_ moved) l) == (if parity turned l then -(1) else 1) *
    det (seq 0 d) (p ++ a :: map (at_ us) (map of l))) as ->.
  { specialize (IH (p ++ [a])). rewrite <- !app_assoc in IH. apply IH. intros s Hs. apply B. right. exact Hs. }
  assert (linear d (fun w => det (seq 0 d) (p ++ w :: map (at_ us) (map of l)))) as L
    by (apply det_linear; intros c Hc; apply in_seq in Hc; lia).
  pose proof (linear_scaled (nth t turned false) _ (at_ us (of t)) L) as S. cbv beta in S. fold a in S. rewrite S.
  cbn [parity fold_right]. fold (parity turned l). destruct (nth t turned false), (parity turned l); cbn [xorb]; ring.
Qed.
Lemma of_within t : (t < length R)%nat -> (of t < length R)%nat.
Proof. intros H. rewrite forallb_forall in within. apply Nat.ltb_lt, within, nth_In. lia. Qed.
Lemma D_moved side l : (forall t, In t l -> (t < length R)%nat) ->
  D d moved side l == (if parity turned l then -(1) else 1) * D d us side (map of l).
Proof. intros B. unfold D. pose proof (det_moved l [] B) as E. cbn [app] in E. rewrite E. ring. Qed.

Lemma moved_general : general_lines us -> general_lines moved.
Proof.
  intros G l Ri B L Z. assert (forall t, In t l -> (t < length R)%nat) as In_R.
  { intros t Ht. rewrite forallb_forall in B. apply Nat.ltb_lt, B, Ht. }
  pose proof (det_moved l [] In_R) as E. cbn [app] in E. rewrite E in Z.
  assert (det (seq 0 d) (map (at_ us) (map of l)) == 0) as Z' by (destruct (parity turned l); lra). clear Z E.
  assert (NoDup (map of l)) as N.
  { apply rising_distinct in Ri. clear B L Z'. induction l as [|t l IH]; [constructor|].
    apply NoDup_cons_iff in Ri as [T N]. cbn [map]. constructor.
    - intros I. apply in_map_iff in I as [s [Es Hs]]. apply T. enough (t = s) as -> by exact Hs.
      apply (proj1 (NoDup_nth order O) different); [| |symmetry; exact Es]; rewrite all; apply In_R; [left; reflexivity|right; exact Hs].
    - apply IH; [exact N|]. intros s Hs. apply In_R. right. exact Hs. }
  destruct (sort_sign (map of l)) as [f k] eqn:S. destruct (sort_rising _ _ _ S N) as [A [P Q]].
  pose proof (sort_det d us (map of l) [] f k S) as W. cbn [app] in W. rewrite W in Z'.
  apply (G k A).
  - apply forallb_forall. intros x Hx. apply Nat.ltb_lt. apply P, in_map_iff in Hx as [t [<- Ht]]. apply of_within, In_R, Ht.
  - rewrite Q, map_length. exact L.
  - destruct f; lra.
Qed.

Definition moved_across (y : nat) : vector :=
  match find (moved_to R order turned y) (candidates m) with Some p => scaled (snd p) (v (fst p)) | None => origin end.
Lemma moved_signs : keeps_across m R order turned = true -> right_signs us v -> right_signs moved moved_across.
Proof.
  intros K Sg t y b Ht Hy E. unfold moved_across. unfold keeps_across in K. rewrite forallb_forall in K.
  assert (In y (seq 0 m)) as Iy by (apply in_seq; lia). specialize (K y Iy).
  destruct (find _ _) as [[z e]|] eqn:F.
  2:{ apply existsb_exists in K as [p [P Q]]. rewrite (find_none _ _ F p P) in Q. discriminate. }
  apply find_some in F as [C F]. cbn [fst snd] in *. unfold moved_to in F. rewrite forallb_forall in F.
  specialize (F t ltac:(apply in_seq; lia)). cbn [fst snd] in F. unfold entry in F at 1. rewrite E in F.
  assert (z < m)%nat as Hz.
  { unfold candidates in C. apply in_app_or in C as [C|C]; apply in_map_iff in C as [y' [[= <- _] C]]; apply in_seq in C; lia. }
  unfold flip, entry in F. fold (of t) in F. destruct (nth z (nth (of t) R []) None) as [a|] eqn:Ea; [|discriminate].
  cbn [same_entry] in F. apply eqb_prop in F. pose proof (Sg (of t) z a (of_within t Ht) Hz Ea) as S.
  fold (at_ moved t). rewrite (at_moved t Ht). fold (at_ us (of t)) in S.
  assert (dot_product d (scaled e (v z)) (scaled (nth t turned false) (at_ us (of t))) ==
    (if xorb e (nth t turned false) then -(1) else 1) * dot_product d (v z) (at_ us (of t))) as Q.
  { unfold dot_product, scaled. rewrite <- sum_scale. apply sum_ext. intros i _.
    destruct e, (nth t turned false); cbn [xorb]; ring. }
  set (q := dot_product d (v z) (at_ us (of t))) in *. clearbody q.
  set (q' := dot_product d (scaled e (v z)) (scaled (nth t turned false) (at_ us (of t)))) in *. clearbody q'.
  destruct (xorb e (nth t turned false)), a; cbn [xorb] in F; subst b; lra.
Qed.
End Moves.

Section Trees.
Variables (m d : nat) (R : matrix_rows).

Lemma close_image_sound us v side lemmas c i order turned : (forall C, In C lemmas -> excluded m d R C) ->
  (forall C, In C lemmas -> forall l b, In (l, b) C -> forall t, In t l -> (t < length R)%nat) ->
  general_lines d R us -> right_signs m d R us v -> ~ side == 0 -> true_case d us side c ->
  close_image m R lemmas c i order turned = true -> False.
Proof.
  intros Ex Wi G Sg O T H. unfold close_image in H. destruct (nth_error lemmas i) as [C|] eqn:E; [|discriminate].
  apply nth_error_In in E. apply andb_prop in H as [H S]. apply andb_prop in H as [H K]. apply andb_prop in H as [H W].
  apply andb_prop in H as [N A]. apply Nat.eqb_eq in A. apply distinct_spec, NoDup_map_inv in N.
  assert (exists e, has_signs_of C c order turned e = true) as [e He] by (apply orb_prop in S as [S|S]; eexists; exact S).
  apply (Ex C E (moved R us order turned) (moved_across m R v order turned) ((if e then -(1) else 1) * side)).
  - eapply moved_general; eassumption.
  - eapply moved_signs; eassumption.
  - intros Z. apply O. destruct e; lra.
  - intros l b I. unfold has_signs_of in He. rewrite forallb_forall in He. specialize (He (l, b) I). cbn [fst snd] in He.
    destruct (negative c _) as [s|] eqn:Ng; [|discriminate]. apply eqb_prop in He.
    apply (negative_sound d us side c _ _ T) in Ng.
    pose proof (D_moved d R us order turned A side l (Wi C E l b I)) as Q. unfold of in Q.
    assert (D d (moved R us order turned) ((if e then -(1) else 1) * side) l ==
      (if e then -(1) else 1) * D d (moved R us order turned) side l) as P by (unfold D; ring).
    set (q := D d us side (map (fun t => nth t order 0%nat) l)) in *. clearbody q.
    assert (forall x y, x == y -> has_sign b y -> has_sign b x) as Sub by (intros x y X; destruct b; cbn; rewrite X; auto).
    apply (Sub _ _ P). rewrite Q in P. clear P.
    set (r := D d (moved R us order turned) side l) in *. clearbody r.
    destruct e, s, (parity turned l), b; cbn [xorb negb has_sign] in *; try discriminate He; lra.
Qed.

Lemma split_node_sound us v side lemmas e a c parts bounds : (forall C, In C lemmas -> excluded m d R C) ->
  (forall C, In C lemmas -> forall l b, In (l, b) C -> forall t, In t l -> (t < length R)%nat) ->
  general_lines d R us -> right_signs m d R us v -> ~ side == 0 ->
  split_node m R d lemmas a c = Some (parts, bounds) -> true_case d us side c ->
  (exists c', In c' parts /\ true_case d us side c') \/ (exists b, In b bounds /\ b <= e).
Proof.
  intros Ex Wi G Sg O H T. destruct a as [l|l|i order turned]; cbn [split_node] in H.
  - exact (split_signs_sound m d R us v G Sg side O e l c parts bounds H T).
  - destruct (close_product d c l) eqn:P; [|discriminate]. destruct (close_product_sound d us side c l T P).
  - destruct (close_image m R lemmas c i order turned) eqn:P; [|discriminate].
    destruct (close_image_sound us v side lemmas c i order turned Ex Wi G Sg O T P).
Qed.

Lemma tree_sound us v side lemmas nodes c all : (forall C, In C lemmas -> excluded m d R C) ->
  (forall C, In C lemmas -> forall l b, In (l, b) C -> forall t, In t l -> (t < length R)%nat) ->
  general_lines d R us -> right_signs m d R us v -> ~ side == 0 ->
  walk (split_node m R d lemmas) nodes [c] [] = Some all -> true_case d us side c -> False.
Proof.
  intros Ex Wi G Sg O W T. destruct (below_all all) as [b B].
  destruct (walk_sound (split_node m R d lemmas) (true_case d us side) b
    (fun a c parts bounds => split_node_sound us v side lemmas b a c parts bounds Ex Wi G Sg O) nodes _ _ _ _ W
    (or_introl eq_refl) T) as [q [I Q]].
  specialize (B q I). lra.
Qed.

Lemma empty_true us side : true_case d us side (PositiveMap.empty _).
Proof. intros k l b F. rewrite PositiveMap.gempty in F. discriminate. Qed.
Lemma first_case_sound us side : forall C c c', first_case (length R) d C c = Some c' -> true_case d us side c ->
  (forall l b, In (l, b) C -> has_sign b (D d us side l)) -> true_case d us side c'.
Proof.
  induction C as [|[l b] C IH]; intros c c' H T S; cbn [first_case] in H; [injection H as <-; exact T|].
  destruct (_ && _) eqn:F in H; [|discriminate]. apply (IH _ _ H).
  - apply learn_true; [exact T|]. apply S. left. reflexivity.
  - intros k a I. apply S. right. exact I.
Qed.
Lemma first_case_within : forall C c c', first_case (length R) d C c = Some c' ->
  forall l b, In (l, b) C -> forall t, In t l -> (t < length R)%nat.
Proof.
  induction C as [|[k a] C IH]; intros c c' H l b I t Ht; cbn [first_case] in H; [destruct I|].
  destruct (_ && _) eqn:F in H; [|discriminate]. destruct I as [[= <- <-]|I]; [|exact (IH _ _ H l b I t Ht)].
  apply andb_prop in F as [F _]. apply andb_prop in F as [F _]. apply andb_prop in F as [_ F].
  rewrite forallb_forall in F. apply Nat.ltb_lt, F, Ht.
Qed.
Lemma check_lemmas_sound : forall lemmas known all, check_lemmas m R d known lemmas = Some all ->
  (forall C, In C known -> excluded m d R C) ->
  (forall C, In C known -> forall l b, In (l, b) C -> forall t, In t l -> (t < length R)%nat) ->
  (forall C, In C all -> excluded m d R C) /\
  (forall C, In C all -> forall l b, In (l, b) C -> forall t, In t l -> (t < length R)%nat).
Proof.
  induction lemmas as [|[C nodes] lemmas IH]; intros known all H Ex Wi; cbn [check_lemmas] in H.
  - injection H as <-. split; assumption.
  - destruct (first_case _ _ _ _) as [c|] eqn:F; [|discriminate]. destruct (walk _ _ _ _) as [found|] eqn:W; [|discriminate].
    apply (IH _ _ H).
    + intros E He. apply in_app_or in He as [He|[<-|[]]]; [apply Ex, He|]. intros us v side G Sg O S.
      apply (tree_sound us v side known nodes c found Ex Wi G Sg O W).
      exact (first_case_sound us side C _ _ F (empty_true us side) S).
    + intros E He. apply in_app_or in He as [He|[<-|[]]]; [apply Wi, He|]. exact (first_case_within C _ _ F).
Qed.
End Trees.

Theorem check_final_polynomials_sound m R d lemmas nodes e : check_final_polynomials m R d lemmas nodes = true ->
  has_signs (length R) m (of_table R) e -> (S d <= e)%nat.
Proof.
  intros C H. destruct (le_lt_dec (S d) e) as [|G]; [assumption|exfalso].
  apply (has_signs_more _ _ _ _ (d - e)) in H. replace (d - e + e)%nat with d in H by lia.
  unfold check_final_polynomials in C. apply andb_prop in C as [C W]. apply andb_prop in C as [P M].
  apply Nat.leb_le in M. destruct (check_lemmas m R d [] lemmas) as [known|] eqn:K; [|discriminate].
  destruct (walk _ nodes _ []) as [all|] eqn:E; [|discriminate].
  destruct (check_lemmas_sound m d R lemmas [] known K) as [Ex Wi]; [intros ? []|intros ? []|].
  destruct (general_position _ m R d H) as [us [v [L [Subs Sg]]]].
  pose proof (subs_general _ d us L Subs) as Gen.
  destruct (orientation d R us Gen M) as [side [O T]].
  exact (tree_sound m d R us v side known nodes _ all Ex Wi Gen Sg O E T).
Qed.
