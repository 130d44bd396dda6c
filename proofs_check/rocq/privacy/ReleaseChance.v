(* How often the more frequent of two points can be released: a chain of bounds, from a lead of 0 on. *)
From Coq Require Import String List ZArith NArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Json Certificate Near Powers Enclosures PowerLaws PowerEvents Mechanisms.
From CCSim Require Import Learners.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- chains ---- *)

Lemma lead_raised l r : lead_of (l ++ true :: r) = lead_of (l ++ false :: r) + 2.
Proof. unfold lead_of. rewrite !filter_app, !app_length. cbn [filter negb length]. lia. Qed.
Lemma lead_without S : ~ In true S -> lead_of S <= 0.
Proof.
  intros H. unfold lead_of. enough (length (filter (fun x : bool => x) S) = O) by lia.
  induction S as [|[|] S IH]; [reflexivity|contradiction H; left; reflexivity|]. cbn. apply IH. intros K. apply H. right. exact K.
Qed.

(* from at most x to at most y, by what privacy says of an event and of its complement *)
Definition leads_to (close : Q -> Q -> Prop) (x y : Q) := forall p q, (0 <= q)%Q -> (q <= 1)%Q -> (0 <= p)%Q -> (p <= x)%Q ->
  close q p -> close (1 - p)%Q (1 - q)%Q -> (q <= y)%Q.

Fixpoint linked (step : Z -> Z -> bool) (p : Z) (l : list Z) : bool :=
  match l with [] => true | q :: l' => (0 <=? q) && step p q && linked step q l' end.
Fixpoint final (p : Z) (l : list Z) : Z := match l with [] => p | q :: l' => final q l' end.

Theorem chained (close : Q -> Q -> Prop) (U : positive) step l lead : (forall p q q', (q == q')%Q -> close p q -> close p q') ->
  (forall p p' q, (p == p')%Q -> close p q -> close p' q) ->
  (forall p q, step p q = true -> leads_to close (p # U) (q # U)) ->
  linked step 0 l = true -> lead <= 2 * Z.of_nat (length l) -> released_at_most close lead (final 0 l # U).
Proof.
  intros E1 E2 St Li Le m k giving released P La Cl Ze S HS L. set (chance_at := P released).
  assert (forall l p n, linked step p l = true -> (forall S, length S = m -> lead_of S <= n -> (chance_at S <= p # U)%Q) ->
    forall S, length S = m -> lead_of S <= n + 2 * Z.of_nat (length l) -> (chance_at S <= final p l # U)%Q) as G.
  2: { apply (G l 0 0 Li); [|exact HS|lia]. intros T HT LT. unfold chance_at. rewrite (Ze T HT LT). unfold Qle. cbn. lia. }
  clear - St La Cl Ze E1 E2. induction l as [|q l IH]; intros p n H B S HS L.
  - apply B; [exact HS|cbn in L; lia].
  - cbn [linked] in H. apply andb_prop in H as [H R]. apply andb_prop in H as [Nq H]. apply Z.leb_le in Nq.
    cbn [final]. apply (IH q (n + 2) R); [|exact HS|cbn [length] in L; lia]. clear S HS L IH. intros S HS L.
    destruct (in_dec Bool.bool_dec true S) as [I|I].
    2: { unfold chance_at. rewrite (Ze S HS (lead_without S I)). unfold Qle. cbn. lia. }
    apply in_split in I as [a [b ->]]. set (T := a ++ false :: b). rewrite lead_raised in L. fold T in L.
    assert (length T = m) as HT by (unfold T; rewrite <- HS, !app_length; reflexivity).
    assert (forall S, length S = m -> (P (fun o => negb (released o)) S == 1 - chance_at S)%Q) as Co.
    { intros W HW. destruct (La W HW) as [_ One]. unfold chance_at, P. rewrite <- One.
      rewrite (sum_ext k (fun o => giving W o * chance (negb (released o)))%Q
        (fun o => giving W o + (-1) * (giving W o * chance (released o)))%Q).
      - rewrite sum_plus, sum_scale. ring.
      - intros o _. destruct (released o); cbn; ring. }
    assert (forall S, length S = m -> (0 <= chance_at S)%Q /\ (chance_at S <= 1)%Q) as Pr.
    { intros W HW. apply law_event; [apply La, HW|]. intros. apply chance_01. }
    apply (St p q H (chance_at T)); try apply Pr; try assumption.
    + apply B; [exact HT|lia].
    + apply Cl; [exact HS|exact HT|]. exists a, true, false, b. auto.
    + apply (E1 _ _ _ (Co _ HS)). apply (E2 _ _ _ (Co _ HT)).
      apply Cl; [exact HT|exact HS|]. exists a, false, true, b. auto.
Qed.

(* ---- rational bounds ---- *)

Definition step_holds (f d : Q) (U p q : Z) : bool :=
  (U <=? q) || Qle_bool (f * inject_Z p + d * inject_Z U) (inject_Z q)
  || Qle_bool (f * inject_Z (U - q) + d * inject_Z U) (inject_Z (U - p)).

Lemma part p (U : positive) : (p # U == inject_Z p / inject_Z (Zpos U))%Q.
Proof. unfold Qeq, Qdiv, Qmult, Qinv, inject_Z. cbn. lia. Qed.
Lemma whole_part (U : positive) q : Zpos U <= q -> (1 <= q # U)%Q.
Proof. intros H. unfold Qle. cbn. lia. Qed.

Lemma step_holds_sound f d (U : positive) p q : (0 < f)%Q -> step_holds f d (Zpos U) p q = true ->
  leads_to (private_step f d) (p # U) (q # U).
Proof.
  intros F H x y Y0 Y1 X0 X A B. unfold private_step in *. rewrite (part p) in X. rewrite (part q).
  assert (0 < inject_Z (Zpos U))%Q as P by reflexivity. set (u := inject_Z (Zpos U)) in *.
  unfold step_holds in H. apply orb_prop in H as [H|H]; [apply orb_prop in H as [H|H]|].
  - apply Z.leb_le in H. apply whole_part in H. rewrite (part q) in H. exact (Qle_trans _ _ _ Y1 H).
  - apply Qle_bool_iff in H. fold u in H. apply Qle_shift_div_l; [exact P|].
    assert (x * u <= inject_Z p)%Q as X'.
    { apply (Qmult_le_compat_r _ _ u) in X; [|lra]. setoid_replace (inject_Z p / u * u)%Q with (inject_Z p) in X by (field; lra). exact X. }
    assert (0 <= f * (inject_Z p - x * u))%Q by (apply Qmult_le_0_compat; lra).
    assert (0 <= (f * x + d - y) * u)%Q by (apply Qmult_le_0_compat; lra). lra.
  - apply Qle_bool_iff in H. unfold Z.sub in H. rewrite !inject_Z_plus, !inject_Z_opp in H. fold u in H.
    apply Qle_shift_div_l; [exact P|].
    assert (x * u <= inject_Z p)%Q as X'.
    { apply (Qmult_le_compat_r _ _ u) in X; [|lra]. setoid_replace (inject_Z p / u * u)%Q with (inject_Z p) in X by (field; lra). exact X. }
    assert (0 <= (f * (1 - y) + d - (1 - x)) * u)%Q by (apply Qmult_le_0_compat; lra).
    apply (Qmult_le_l _ _ f F). lra.
Qed.

(* ---- bounds at t ---- *)

Lemma by_event (p q P R fo fu dn du e w : Q) : (0 < fu)%Q -> (0 < du)%Q -> (0 <= fo)%Q -> (p <= P)%Q ->
  (q <= fo / fu * p + dn / du + e)%Q -> (- (w * (fu * du)) <= R * (fu * du) - P * (fo * du) - fu * dn)%Q -> (q <= R + e + w)%Q.
Proof.
  intros F D O X A B. assert (0 < fu * du)%Q as Pos by (apply Qmult_lt_0_compat; assumption).
  apply (Qmult_le_r _ _ _ Pos). apply (Qmult_le_compat_r _ _ (fu * du)) in A; [|lra].
  setoid_replace ((fo / fu * p + dn / du + e) * (fu * du))%Q with (p * (fo * du) + fu * dn + e * (fu * du))%Q in A by (field; lra).
  assert (0 <= (P - p) * (fo * du))%Q by (apply Qmult_le_0_compat; [lra|apply Qmult_le_0_compat; lra]). lra.
Qed.
Lemma by_complement (p q P R fo fu dn du e w : Q) : (0 < fu)%Q -> (0 < du)%Q -> (0 < fo)%Q -> (p <= P)%Q ->
  (1 - p <= fo / fu * (1 - q) + dn / du + e)%Q -> (e * (fu * du) <= w * (fo * du))%Q ->
  (- (w * (fo * du)) <= (1 - P) * (fu * du) - (1 - R) * (fo * du) - fu * dn)%Q -> (q <= R + w + w)%Q.
Proof.
  intros F D O X A W B. assert (0 < fu * du)%Q as Pos by (apply Qmult_lt_0_compat; assumption).
  assert (0 < fo * du)%Q as Pos' by (apply Qmult_lt_0_compat; assumption).
  apply (Qmult_le_r _ _ _ Pos'). apply (Qmult_le_compat_r _ _ (fu * du)) in A; [|lra].
  setoid_replace ((fo / fu * (1 - q) + dn / du + e) * (fu * du))%Q with ((1 - q) * (fo * du) + fu * dn + e * (fu * du))%Q in A by (field; lra).
  assert (0 <= (P - p) * (fu * du))%Q by (apply Qmult_le_0_compat; lra). lra.
Qed.

Section at_t.
Variable u : enclosure.
Hypothesis V : valid u.
Variables (fo fu dn du : list Z).
Local Notation t := (target u).

Definition constant_of (z : Z) : enclosed := known u [z].
Definition left_over (U x y : Z) : enclosed :=
  subtract (subtract (multiply (constant_of x) (multiply (known u fu) (known u du)))
                     (multiply (constant_of y) (multiply (known u fo) (known u du))))
           (multiply (constant_of U) (multiply (known u fu) (known u dn))).
Definition step_at (U p q : Z) : bool :=
  (U <=? q) || is_nonnegative u (left_over U q p) || is_nonnegative u (left_over U (U - p) (U - q)).

Lemma left_over_encloses U x y : encloses u 3 (left_over U x y).
Proof.
  unfold left_over, constant_of. repeat apply subtract_encloses;
    apply (multiply_encloses u 1 2); try (apply known_encloses, V); apply (multiply_encloses u 1 1); apply known_encloses, V.
Qed.
Lemma left_over_spec U x y z : (eval (what (left_over U x y)) z == inject_Z x * (polynomial fu z * polynomial du z)
  - inject_Z y * (polynomial fo z * polynomial du z) - inject_Z U * (polynomial fu z * polynomial dn z))%Q.
Proof.
  unfold left_over, constant_of. cbn [what subtract multiply eval]. rewrite !known_what. cbn [eval polynomial]. ring.
Qed.

Lemma step_at_sound (U : positive) p q : is_ratio u fo fu = true -> is_ratio u dn du = true -> 0 < low (known u fo) ->
  step_at (Zpos U) p q = true -> leads_to (private_step_at t (quotient fo fu) (quotient dn du)) (p # U) (q # U).
Proof.
  intros RF RD Pf H x y Y0 Y1 X0 X A B. pose proof V as [T _].
  destruct (ratio_low u V _ _ RF) as [mf [Mf HF]]. destruct (ratio_low u V _ _ RD) as [md [Md HD]].
  destruct (low_positive u V 1 _ (known_encloses u V fo) Pf) as [mo [Mo HO]].
  assert (forall h : Q, (0 < h)%Q -> (0 < h * inject_Z (Zpos U))%Q) as PU by (intros h Hh; apply Qmult_lt_0_compat; [exact Hh|reflexivity]).
  assert (0 < inject_Z (Zpos U))%Q as P by reflexivity.
  apply orb_prop in H as [H|H]; [apply orb_prop in H as [H|H]|].
  - apply Z.leb_le in H. apply whole_part in H. lra.
  - apply (at_most_at_rational t _ _ T). intros h Hh.
    assert (0 < mf * md)%Q as M by (apply Qmult_lt_0_compat; assumption).
    set (w := (h * (1 # 2))%Q). assert (0 < w)%Q as W by (unfold w; lra).
    pose proof (is_nonnegative_sound u V 3 _ (left_over_encloses _ _ _) H (w * (mf * md) * inject_Z (Zpos U))%Q
      (PU _ (Qmult_lt_0_compat _ _ W M))) as N.
    eapply near_implies; [|apply near_and; [exact N|exact (A w W)]]. intros z [[Z' N'] A'].
    rewrite left_over_spec in N'. destruct (HF z Z') as [F1 F2], (HD z Z') as [D1 D2].
    assert (mf * md <= polynomial fu z * polynomial du z)%Q as G by nra.
    setoid_replace (h : Q) with (w + w)%Q by (unfold w; ring). rewrite Qplus_assoc.
    apply (by_event x y (p # U) (q # U) (polynomial fo z) (polynomial fu z) (polynomial dn z) (polynomial du z)); try assumption; try lra.
    rewrite (part p), (part q). apply (Qmult_le_r _ _ _ P).
    set (g := (polynomial fu z * polynomial du z)%Q) in *. set (k := (polynomial fo z * polynomial du z)%Q) in *.
    set (j := (polynomial fu z * polynomial dn z)%Q) in *. set (c := inject_Z (Zpos U)) in *.
    setoid_replace ((inject_Z q / c * g - inject_Z p / c * k - j) * c)%Q with (inject_Z q * g - inject_Z p * k - c * j)%Q by (field; lra).
    assert (0 <= w * (g - mf * md) * c)%Q by (repeat apply Qmult_le_0_compat; lra). lra.
  - apply (at_most_at_rational t _ _ T). intros h Hh.
    assert (0 < mo * md)%Q as M by (apply Qmult_lt_0_compat; assumption).
    destruct (high_bound u V 2 (multiply (known u fu) (known u du))
      (multiply_encloses u 1 1 _ _ (known_encloses u V fu) (known_encloses u V du))) as [K [K0 HK]].
    set (w := (h * (1 # 2))%Q). assert (0 < w)%Q as W by (unfold w; lra).
    set (e := (w * (mo * md) / (K + 1))%Q).
    assert (0 < e)%Q as E by (unfold e; apply Qlt_shift_div_l; [lra|]; rewrite Qmult_0_l; apply Qmult_lt_0_compat; assumption).
    assert (e * (K + 1) == w * (mo * md))%Q as Ee by (unfold e; field; lra).
    pose proof (is_nonnegative_sound u V 3 _ (left_over_encloses _ _ _) H (w * (mo * md) * inject_Z (Zpos U))%Q
      (PU _ (Qmult_lt_0_compat _ _ W M))) as N.
    eapply near_implies; [|apply near_and; [exact N|exact (B e E)]]. intros z [[Z' N'] B'].
    rewrite left_over_spec in N'. destruct (HF z Z') as [F1 F2], (HD z Z') as [D1 D2].
    specialize (HO z Z'). rewrite known_what in HO. cbn [eval] in HO.
    specialize (HK z Z'). cbn [what multiply eval] in HK. rewrite !known_what in HK. cbn [eval] in HK.
    assert (mo * md <= polynomial fo z * polynomial du z)%Q as G by nra.
    setoid_replace (h : Q) with (w + w)%Q by (unfold w; ring). rewrite Qplus_assoc.
    apply (by_complement x y (p # U) (q # U) (polynomial fo z) (polynomial fu z) (polynomial dn z) (polynomial du z) e); try assumption; try lra.
    + set (g := (polynomial fu z * polynomial du z)%Q) in *. set (k := (polynomial fo z * polynomial du z)%Q) in *.
      assert (0 <= e * (K + 1 - g))%Q by (apply Qmult_le_0_compat; lra).
      assert (0 <= w * (k - mo * md))%Q by (apply Qmult_le_0_compat; lra). lra.
    + rewrite (part p), (part q). apply (Qmult_le_r _ _ _ P).
      set (g := (polynomial fu z * polynomial du z)%Q) in *. set (k := (polynomial fo z * polynomial du z)%Q) in *.
      set (j := (polynomial fu z * polynomial dn z)%Q) in *.
      unfold Z.sub in N'. rewrite !inject_Z_plus, !inject_Z_opp in N'. set (c := inject_Z (Zpos U)) in *.
      setoid_replace (((1 - inject_Z p / c) * g - (1 - inject_Z q / c) * k - j) * c)%Q
        with ((c - inject_Z p) * g - (c - inject_Z q) * k - c * j)%Q by (field; lra).
      assert (0 <= w * (k - mo * md) * c)%Q by (repeat apply Qmult_le_0_compat; lra). lra.
Qed.
End at_t.

(* ---- certificates ---- *)

Inductive promise := Rational_promise (factor delta : Q) | Promise_at (t : irrational) (bits : nat) (factor delta : ratio).
Definition kept (a : promise) : Q -> Q -> Prop :=
  match a with
  | Rational_promise f d => private_step f d
  | Promise_at t _ f d => private_step_at t (value_of f) (value_of d)
  end.
Definition chain_holds (a : promise) (U : positive) (l : list Z) : bool :=
  match a with
  | Rational_promise f d => (0 <? Qnum f) && linked (step_holds f d (Zpos U)) 0 l
  | Promise_at t bits f d =>
      match enclose t bits with
      | Some u => is_ratio u (fst f) (snd f) && is_ratio u (fst d) (snd d) && (0 <? low (known u (fst f)))
                  && linked (step_at u (fst f) (snd f) (fst d) (snd d) (Zpos U)) 0 l
      | None => false
      end
  end.

Theorem chain_holds_sound a U l lead : chain_holds a U l = true -> lead <= 2 * Z.of_nat (length l) ->
  released_at_most (kept a) lead (final 0 l # U).
Proof.
  intros H L. destruct a as [f d|t bits f d]; cbn [chain_holds kept] in *.
  - apply andb_prop in H as [F H]. apply Z.ltb_lt in F.
    assert (0 < f)%Q as F' by (destruct f; unfold Qlt; cbn in *; lia).
    apply (chained _ U (step_holds f d (Zpos U))); try assumption.
    + intros p q q' E. unfold private_step. rewrite E. auto.
    + intros p p' q E. unfold private_step. rewrite E. auto.
    + intros p q. apply step_holds_sound, F'.
  - destruct (enclose t bits) as [u|] eqn:E; [|discriminate]. apply enclose_sound in E as [V <-].
    apply andb_prop in H as [H S]. apply andb_prop in H as [H P]. apply andb_prop in H as [RF RD]. apply Z.ltb_lt in P.
    apply (chained _ U (step_at u (fst f) (snd f) (fst d) (snd d) (Zpos U))); try assumption.
    + intros p q q' E K h Hh. eapply near_implies; [|exact (K h Hh)]. cbv beta. intros x. rewrite E. auto.
    + intros p p' q E K h Hh. eapply near_implies; [|exact (K h Hh)]. cbv beta. intros x. rewrite E. auto.
    + intros p q. apply step_at_sound; assumption.
Qed.

Definition promise_of (instance : json) (values : list json) : option (promise * N) :=
  match fields ["type"; "t"]%string instance, values with
  | Some [type; t], [f; d; l] =>
      let* l := natural l in let* f := ratio_of f in let* d := ratio_of d in
      given (is_text "releases" type)
        match t with
        | Null => let* f := rational_of f in let* d := rational_of d in Some (Rational_promise f d, l)
        | _ => let* (t, b) := irrational_of t in Some (Promise_at t b f d, l)
        end
  | _, _ => None
  end.
Definition chain_proves (q : promise * N) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "chain"
  && match fields ["unit"; "bounds"]%string data with
     | Some [u; b] => match positive_integer u, list_of (at_least_integer 0) b with
         | Some u, Some b => (Z.of_N (snd q) <=? 2 * Z.of_nat (length b)) && Qeq_bool v (final 0 b # u) && chain_holds (fst q) u b
         | _, _ => false
         end
     | _ => false
     end.

Lemma released_weaker (close : Q -> Q -> Prop) lead v w : (v == w)%Q -> released_at_most close lead w -> released_at_most close lead v.
Proof. intros E H m k g r P A B C S HS L. rewrite E. exact (H m k g r A B C S HS L). Qed.

Definition release_probability : kind.
Proof.
  refine {|
    title := "release_probability"; parameters := ["factor"; "delta"; "lead"]%string;
    ask := promise_of; number := fraction; lower := fun _ _ _ _ => false; upper := chain_proves;
    lower_means q v := False;
    upper_means q v := released_at_most (kept (fst q)) (Z.of_N (snd q)) v
  |}.
  - discriminate.
  - intros q v name data H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|u [|b [|? ?]]]|]; try discriminate H.
    destruct (positive_integer u) as [U|], (list_of (at_least_integer 0) b) as [l|]; try discriminate H.
    apply andb_prop in H as [H C]. apply andb_prop in H as [L E]. apply Z.leb_le in L. apply Qeq_bool_iff in E.
    apply (released_weaker _ _ _ _ E), chain_holds_sound; assumption.
Defined.
