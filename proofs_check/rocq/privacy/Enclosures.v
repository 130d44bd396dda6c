(* Enclosures of t, and of sums of products of polynomials at t. *)
From Coq Require Import List ZArith QArith Qabs Lia Lqa Bool.
From CCSim Require Import Definitions Sums Near Powers.
Import ListNotations.
Local Open Scope Z_scope.

Record enclosure := Enclosure { target : irrational; scale : Z; low_end : Z; high_end : Z }.
Definition valid (u : enclosure) : Prop := proper (target u) /\ 0 < scale u /\ 0 <= low_end u /\
  not_above (target u) (inject_Z (low_end u) / inject_Z (scale u))%Q /\
  not_below (target u) (inject_Z (high_end u) / inject_Z (scale u))%Q.
Definition inside (u : enclosure) (x : Q) : Prop :=
  (inject_Z (low_end u) <= inject_Z (scale u) * x <= inject_Z (high_end u))%Q.

Lemma near_inside u : valid u -> near (target u) (inside u).
Proof.
  intros [_ [B [_ [L H]]]]. eexists _, _. split; [exact L|]. split; [exact H|].
  intros x [X Y]. pose proof (inject_pos _ B) as P. unfold inside. split.
  - apply (Qmult_le_compat_r _ _ (inject_Z (scale u))) in X; [|lra].
    setoid_replace (inject_Z (low_end u) / inject_Z (scale u) * inject_Z (scale u))%Q
      with (inject_Z (low_end u)) in X by (field; lra). lra.
  - apply (Qmult_le_compat_r _ _ (inject_Z (scale u))) in Y; [|lra].
    setoid_replace (inject_Z (high_end u) / inject_Z (scale u) * inject_Z (scale u))%Q
      with (inject_Z (high_end u)) in Y by (field; lra). lra.
Qed.

(* ---- e^(1/r): above / below is the sum of the first terms, and 1 / below the next term ---- *)

Fixpoint series (fuel : nat) (r limit k above below : Z) : option (Z * Z) :=
  match fuel with
  | O => None
  | S f => if (0 <? k) && (limit <=? below) then Some (above, below)
           else let m := r * (k + 1) in series f r limit (k + 1) ((above + 1) * m) (below * m)
  end.
Definition enclose_exponential (r : positive) (bits : nat) : option enclosure :=
  let B := 2 ^ Z.of_nat bits in
  match series (bits + 10) (Zpos r) (4 * B) 0 0 1 with
  | Some (above, below) =>
      Some (Enclosure (Exponential r) B (above * B / below) ((above + 2) * B / below + 1))
  | None => None
  end.

Lemma series_spec r limit : forall fuel k a b a' b', series fuel (Zpos r) limit (Z.of_nat k) a b = Some (a', b') ->
  0 <= a -> 0 < b -> (sum k (exponential_term (1 # r)) == inject_Z a / inject_Z b)%Q ->
  (exponential_term (1 # r) k == 1 / inject_Z b)%Q ->
  exists n, (0 < n)%nat /\ 0 <= a' /\ 0 < b' /\ (sum n (exponential_term (1 # r)) == inject_Z a' / inject_Z b')%Q /\
  (exponential_term (1 # r) n == 1 / inject_Z b')%Q.
Proof.
  induction fuel as [|fuel IH]; intros k a b a' b' H A B S T; [discriminate|].
  cbn [series] in H. destruct ((0 <? Z.of_nat k) && (limit <=? b)) eqn:E.
  - injection H as <- <-. apply andb_prop in E as [E _]. apply Z.ltb_lt in E. exists k.
    repeat split; try assumption. lia.
  - set (m := Zpos r * (Z.of_nat k + 1)) in *. assert (0 < m) as M by (unfold m; lia).
    replace (Z.of_nat k + 1) with (Z.of_nat (Datatypes.S k)) in H by lia.
    pose proof (inject_pos _ B) as B'. pose proof (inject_pos _ M) as M'.
    apply IH in H; [exact H|nia|nia| |].
    + cbn [sum]. rewrite S, T, !inject_Z_mult, inject_Z_plus. change (inject_Z 1) with 1%Q. field. lra.
    + cbn [exponential_term]. rewrite T. unfold m. rewrite !inject_Z_mult, inject_Z_plus.
      replace (Z.of_nat (Datatypes.S k)) with (Z.of_nat k + 1) by lia. rewrite inject_Z_plus.
      change (1 # r) with (1 / inject_Z (Zpos r))%Q.
      pose proof (inject_nonneg (Z.of_nat k) ltac:(lia)). pose proof (inject_pos (Zpos r) ltac:(lia)).
      change (inject_Z 1) with 1%Q. field. repeat split; lra.
Qed.

Lemma floor_below a b : 0 < b -> (inject_Z (a / b) * inject_Z b <= inject_Z a)%Q.
Proof. intros B. rewrite <- inject_Z_mult, <- Zle_Qle, Z.mul_comm. apply Z.mul_div_le, B. Qed.
Lemma floor_above a b : 0 < b -> (inject_Z a <= inject_Z (a / b + 1) * inject_Z b)%Q.
Proof.
  intros B. rewrite <- inject_Z_mult, <- Zle_Qle. pose proof (Z.mod_pos_bound a b B).
  pose proof (Z.div_mod a b). nia.
Qed.

Lemma ceiling_above a b : 0 < b -> (inject_Z a <= inject_Z (- (- a / b)) * inject_Z b)%Q.
Proof. intros B. rewrite <- inject_Z_mult, <- Zle_Qle. pose proof (Z.mul_div_le (- a) b B). nia. Qed.

Theorem enclose_exponential_sound r bits u : enclose_exponential r bits = Some u ->
  valid u /\ target u = Exponential r.
Proof.
  unfold enclose_exponential. set (B := 2 ^ Z.of_nat bits).
  assert (0 < B) as P by (apply Z.pow_pos_nonneg; lia).
  destruct (series _ _ _ _ _ _) as [[a b]|] eqn:E; [|discriminate]. intros [= <-].
  apply (series_spec r _ _ O) in E as [n [N [A' [B' [S T]]]]]; [|lia|lia|reflexivity|reflexivity].
  pose proof (inject_pos _ B') as Pb. pose proof (inject_pos _ P) as PB.
  split; [|reflexivity]. split; [exact I|]. split; [exact P|]. cbn [low_end high_end target scale].
  split; [apply Z.div_pos; nia|]. split.
  - apply (series_not_above r n). rewrite S. apply Qle_shift_div_r; [exact PB|].
    setoid_replace (inject_Z a / inject_Z b * inject_Z B)%Q with (inject_Z a * inject_Z B / inject_Z b)%Q by (field; lra).
    apply Qle_shift_div_l; [exact Pb|]. rewrite <- (inject_Z_mult a B). apply floor_below, B'.
  - apply (series_not_below r n _ N). rewrite S, T. apply Qle_shift_div_l; [exact PB|].
    setoid_replace ((inject_Z a / inject_Z b + 2 * (1 / inject_Z b)) * inject_Z B)%Q
      with ((inject_Z a + 2) * inject_Z B / inject_Z b)%Q by (field; lra).
    apply Qle_shift_div_r; [exact Pb|]. change 2%Q with (inject_Z 2). rewrite <- inject_Z_plus, <- (inject_Z_mult (a + 2) B).
    apply floor_above, B'.
Qed.

(* ---- the root of n/d: what is found by steps of Newton is tested ---- *)

Fixpoint integer_root (fuel : nat) (r n x : Z) : Z :=
  match fuel with
  | O => x
  | S f => let y := ((r - 1) * x + n / x ^ (r - 1)) / r in if x <=? y then x else integer_root f r n y
  end.
Definition enclose_root (r : nat) (c : Q) (bits : nat) : option enclosure :=
  let B := 2 ^ Z.of_nat bits in
  let R := Z.of_nat r in
  let n := Qnum c * B ^ R in
  let whole := n / QDen c in
  let x := integer_root (bits + 100) R whole (2 ^ (Z.log2 whole / R + 1)) in
  let x := if whole =? 0 then 0 else x in
  if (0 <? R) && (0 <? Qnum c) && (0 <=? x) && (x ^ R * QDen c <=? n) && (n <=? (x + 1) ^ R * QDen c)
  then Some (Enclosure (Root r c) B x (x + 1)) else None.

Lemma raise_quotient a b r : 0 < b -> (raise (inject_Z a / inject_Z b) r == inject_Z (a ^ Z.of_nat r) / inject_Z (b ^ Z.of_nat r))%Q.
Proof.
  intros B. pose proof (inject_pos _ B) as PB. induction r as [|r IH]; [reflexivity|].
  rewrite Nat2Z.inj_succ, !Z.pow_succ_r by lia. cbn [raise]. rewrite IH, !inject_Z_mult.
  pose proof (inject_pos (b ^ Z.of_nat r) ltac:(apply Z.pow_pos_nonneg; lia)). field. split; lra.
Qed.

Theorem enclose_root_sound r c bits u : enclose_root r c bits = Some u -> valid u /\ target u = Root r c.
Proof.
  unfold enclose_root. set (B := 2 ^ Z.of_nat bits). set (x := if _ =? 0 then 0 else _).
  assert (0 < B) as P by (apply Z.pow_pos_nonneg; lia).
  match goal with |- context [if ?b then _ else _] => destruct b eqn:E; [|discriminate] end.
  intros [= <-]. repeat (apply andb_prop in E as [E ?]).
  rewrite ?Z.ltb_lt, ?Z.leb_le in *. pose proof (inject_pos _ P) as PB.
  assert (0 < B ^ Z.of_nat r) as PR by (apply Z.pow_pos_nonneg; lia). pose proof (inject_pos _ PR) as PR'.
  assert (forall y, (raise (inject_Z y / inject_Z B) r * (inject_Z (B ^ Z.of_nat r) * inject_Z (QDen c))
                     == inject_Z (y ^ Z.of_nat r * QDen c))%Q) as F.
  { intros y. rewrite raise_quotient by exact P. rewrite inject_Z_mult. field. lra. }
  assert (c * (inject_Z (B ^ Z.of_nat r) * inject_Z (QDen c)) == inject_Z (Qnum c * B ^ Z.of_nat r))%Q as G.
  { rewrite inject_Z_mult. setoid_replace (inject_Z (Qnum c)) with (c * inject_Z (QDen c))%Q; [ring|].
    destruct c as [a b]; unfold Qeq, Qmult, inject_Z; cbn [Qnum Qden]; rewrite ?Pos.mul_1_r; ring. }
  assert (0 < inject_Z (B ^ Z.of_nat r) * inject_Z (QDen c))%Q as Pd
    by (apply Qmult_lt_0_compat; [exact PR'|apply inject_pos; lia]).
  split; [|reflexivity]. split; [|split; [exact P|split; [assumption|split]]]; cbn [target low_end high_end scale].
  - split; [lia|]. destruct c as [a b]. unfold Qlt. simpl in *. lia.
  - right. apply (Qmult_le_r _ _ _ Pd). rewrite F, G, <- Zle_Qle. assumption.
  - split.
    + apply Qle_shift_div_l; [exact PB|]. rewrite Qmult_0_l. apply inject_nonneg. lia.
    + apply (Qmult_le_r _ _ _ Pd). rewrite F, G, <- Zle_Qle. assumption.
Qed.

(* ---- values ---- *)

Record enclosed := Value { low : Z; high : Z; what : expression }.

Section values.
Variable u : enclosure.
Hypothesis U : valid u.
Local Notation B := (inject_Z (scale u)).

(* a sum of products of so many polynomials, in units of a power of the scale *)
Definition encloses (k : nat) (v : enclosed) : Prop := forall x, inside u x ->
  (inject_Z (low v) <= raise B k * eval (what v) x <= inject_Z (high v))%Q.

Definition add v w := Value (low v + low w) (high v + high w) (Plus (what v) (what w)).
Definition subtract v w := Value (low v - high w) (high v - low w) (Minus (what v) (what w)).
Definition multiply v w :=
  let a := low v * low w in let b := low v * high w in let c := high v * low w in let d := high v * high w in
  Value (Z.min (Z.min a b) (Z.min c d)) (Z.max (Z.max a b) (Z.max c d)) (Times (what v) (what w)).

Fixpoint bounds (p : list Z) (l h : Z) : Z * Z :=
  match p with
  | [] => (0, 0)
  | c :: p' => let (a, b) := match p' with
                             | [] => (0, 0)
                             | _ => bounds p' (l * low_end u / scale u) (- (- (h * high_end u) / scale u))
                             end in
               (a + Z.min (c * l) (c * h), b + Z.max (c * l) (c * h))
  end.
Definition known (p : list Z) : enclosed :=
  let (a, b) := bounds p (scale u) (scale u) in Value a b (Polynomial p).

Lemma add_encloses k v w : encloses k v -> encloses k w -> encloses k (add v w).
Proof.
  intros V W x X. specialize (V x X). specialize (W x X). cbn [low high what add eval].
  rewrite !inject_Z_plus, Qmult_plus_distr_r. lra.
Qed.
Lemma subtract_encloses k v w : encloses k v -> encloses k w -> encloses k (subtract v w).
Proof.
  intros V W x X. specialize (V x X). specialize (W x X). cbn [low high what subtract eval].
  unfold Z.sub. rewrite !inject_Z_plus, !inject_Z_opp.
  setoid_replace (raise B k * (eval (what v) x - eval (what w) x))%Q
    with (raise B k * eval (what v) x - raise B k * eval (what w) x)%Q by ring. lra.
Qed.

Lemma product_bounds (a b c d m y z : Q) : (a <= y <= b)%Q -> (c <= z <= d)%Q ->
  (m <= a * c)%Q -> (m <= a * d)%Q -> (m <= b * c)%Q -> (m <= b * d)%Q -> (m <= y * z)%Q.
Proof.
  intros Y Z' AC AD BC BD.
  assert (m <= a * z)%Q as A by (destruct (Qlt_le_dec a 0); nra).
  assert (m <= b * z)%Q as B' by (destruct (Qlt_le_dec b 0); nra).
  destruct (Qlt_le_dec z 0); nra.
Qed.

Lemma raise_plus x k l : (raise x (k + l) == raise x k * raise x l)%Q.
Proof. induction k as [|k IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma multiply_encloses k l v w : encloses k v -> encloses l w -> encloses (k + l) (multiply v w).
Proof.
  intros V W x X. specialize (V x X). specialize (W x X). cbn [low high what multiply eval].
  rewrite raise_plus.
  setoid_replace (raise B k * raise B l * (eval (what v) x * eval (what w) x))%Q
    with ((raise B k * eval (what v) x) * (raise B l * eval (what w) x))%Q by ring.
  set (y := (raise B k * eval (what v) x)%Q) in *. set (z := (raise B l * eval (what w) x)%Q) in *.
  split.
  - apply (product_bounds _ _ _ _ _ _ _ V W); rewrite <- inject_Z_mult, <- Zle_Qle; lia.
  - assert (- inject_Z (Z.max (Z.max (low v * low w) (low v * high w)) (Z.max (high v * low w) (high v * high w)))
            <= (- y) * z)%Q as G; [|lra].
    assert (- inject_Z (high v) <= - y <= - inject_Z (low v))%Q as V' by lra.
    apply (product_bounds _ _ _ _ _ _ _ V' W);
      rewrite <- !inject_Z_opp, <- inject_Z_mult, <- Zle_Qle; lia.
Qed.

Lemma inside_nonneg x : inside u x -> (0 <= x)%Q.
Proof.
  destruct U as [_ [P [L _]]]. intros [X _]. pose proof (inject_pos _ P). pose proof (inject_nonneg _ L). nra.
Qed.

Lemma bounds_spec x : inside u x -> forall p l h y, (0 <= y)%Q -> 0 <= l ->
  (inject_Z l <= B * y <= inject_Z h)%Q ->
  (inject_Z (fst (bounds p l h)) <= B * y * polynomial p x <= inject_Z (snd (bounds p l h)))%Q.
Proof.
  intros X. pose proof (inside_nonneg x X) as X0. destruct U as [_ [P [L _]]]. destruct X as [X1 X2].
  pose proof (inject_pos _ P) as PB. pose proof (inject_nonneg _ L) as L0.
  induction p as [|c p IH]; intros l h y Y L' [H1 H2]; cbn [bounds polynomial].
  - cbn [fst snd]. change (inject_Z 0) with 0%Q. lra.
  - pose proof (inject_nonneg _ L') as L'0.
    assert (inject_Z (Z.min (c * l) (c * h)) <= B * y * inject_Z c <= inject_Z (Z.max (c * l) (c * h)))%Q as G.
    { clear IH. generalize dependent (B * y)%Q. intros z H1 H2.
      destruct (Z.le_gt_cases 0 c) as [C|C].
      - pose proof (inject_nonneg _ C).
        assert (inject_Z (c * l) <= z * inject_Z c <= inject_Z (c * h))%Q as G by (rewrite !inject_Z_mult; split; nra).
        split; [eapply Qle_trans; [|apply G]|eapply Qle_trans; [apply G|]]; rewrite <- Zle_Qle; lia.
      - assert (inject_Z c <= 0)%Q by (change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; lia).
        assert (inject_Z (c * h) <= z * inject_Z c <= inject_Z (c * l))%Q as G by (rewrite !inject_Z_mult; split; nra).
        split; [eapply Qle_trans; [|apply G]|eapply Qle_trans; [apply G|]]; rewrite <- Zle_Qle; lia. }
    set (ends := match p with [] => (0, 0) | _ => _ end).
    assert (inject_Z (fst ends) <= B * y * (x * polynomial p x) <= inject_Z (snd ends))%Q as R.
    { destruct p as [|c' p']; [unfold ends; cbn [fst snd polynomial]; change (inject_Z 0) with 0%Q; lra|].
      setoid_replace (B * y * (x * polynomial (c' :: p') x))%Q with (B * (y * x) * polynomial (c' :: p') x)%Q by ring.
      apply IH; [nra|apply Z.div_pos; [nia|exact P]|].
      assert (0 <= B * x)%Q by nra. assert (0 <= B * y)%Q by nra.
      split; apply (Qmult_le_r _ _ B PB).
      - eapply Qle_trans; [apply floor_below, P|]. rewrite inject_Z_mult.
        setoid_replace (B * (y * x) * B)%Q with ((B * y) * (B * x))%Q by ring. nra.
      - eapply Qle_trans; [|apply ceiling_above, P]. rewrite inject_Z_mult.
        setoid_replace (B * (y * x) * B)%Q with ((B * y) * (B * x))%Q by ring. nra. }
    destruct ends as [a b]. cbn [fst snd] in *. rewrite !inject_Z_plus, Qmult_plus_distr_r. lra.
Qed.

Lemma known_encloses p : encloses 1 (known p).
Proof.
  intros x X. unfold known. pose proof (bounds_spec x X p (scale u) (scale u) 1%Q ltac:(lra)) as H.
  destruct (bounds p (scale u) (scale u)) as [a b]. cbn [low high what eval fst snd] in *.
  cbn [raise]. destruct U as [_ [P _]]. specialize (H ltac:(lia) ltac:(lra)). lra.
Qed.

(* ---- signs ---- *)

Definition is_nonnegative v : bool := (0 <=? low v) || vanishes (target u) (what v).
Definition is_nonpositive v : bool := (high v <=? 0) || vanishes (target u) (what v).
Definition is_zero v : bool := (0 <=? low v) && (high v <=? 0) || vanishes (target u) (what v).

Lemma raise_scale k : (0 < raise B k)%Q.
Proof.
  destruct U as [_ [P _]]. pose proof (inject_pos _ P). induction k as [|k IH]; [reflexivity|].
  cbn [raise]. apply Qmult_lt_0_compat; assumption.
Qed.

Lemma low_nonneg k v x : encloses k v -> 0 <= low v -> inside u x -> (0 <= eval (what v) x)%Q.
Proof.
  intros V L X. specialize (V x X). pose proof (raise_scale k). pose proof (inject_nonneg _ L).
  apply Qnot_lt_le. intros C.
  assert (raise B k * eval (what v) x < 0)%Q by nra. lra.
Qed.
Lemma low_positive k v : encloses k v -> 0 < low v -> exists m, (0 < m)%Q /\
  forall x, inside u x -> (m <= eval (what v) x)%Q.
Proof.
  intros V L. pose proof (raise_scale k) as P. pose proof (inject_pos _ L) as L'.
  exists (inject_Z (low v) / raise B k)%Q. split; [apply Qlt_shift_div_l; lra|].
  intros x X. apply Qle_shift_div_r; [exact P|]. specialize (V x X). lra.
Qed.

Theorem is_nonnegative_sound k v : encloses k v -> is_nonnegative v = true -> forall h, (0 < h)%Q ->
  near (target u) (fun x => inside u x /\ - h <= eval (what v) x)%Q.
Proof.
  intros V H h Hh. pose proof U as [T _]. apply orb_prop in H as [H|H].
  - apply Z.leb_le in H. eapply near_implies; [|apply near_inside, U]. intros x X. split; [exact X|].
    pose proof (low_nonneg k v x V H X). lra.
  - eapply near_implies; [|apply near_and; [apply near_inside, U|apply (vanishes_sound _ _ T H h Hh)]].
    intros x [X Y]. split; [exact X|lra].
Qed.
Theorem is_nonpositive_sound k v : encloses k v -> is_nonpositive v = true -> forall h, (0 < h)%Q ->
  near (target u) (fun x => inside u x /\ eval (what v) x <= h)%Q.
Proof.
  intros V H h Hh. pose proof U as [T _]. apply orb_prop in H as [H|H].
  - apply Z.leb_le in H. eapply near_implies; [|apply near_inside, U]. intros x X. split; [exact X|].
    specialize (V x X). pose proof (raise_scale k). assert (inject_Z (high v) <= 0)%Q
      by (change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; exact H).
    apply Qnot_lt_le. intros C. nra.
  - eapply near_implies; [|apply near_and; [apply near_inside, U|apply (vanishes_sound _ _ T H h Hh)]].
    intros x [X Y]. split; [exact X|lra].
Qed.
Theorem is_zero_sound k v : encloses k v -> is_zero v = true -> forall h, (0 < h)%Q ->
  near (target u) (fun x => inside u x /\ - h <= eval (what v) x <= h)%Q.
Proof.
  intros V H h Hh.
  assert (is_nonnegative v = true /\ is_nonpositive v = true) as [N M].
  { unfold is_nonnegative, is_nonpositive. unfold is_zero in H. apply orb_prop in H as [H|H].
    - apply andb_prop in H as [-> ->]. auto.
    - rewrite H, !orb_true_r. auto. }
  eapply near_implies; [|apply near_and; [apply (is_nonnegative_sound k v V N h Hh)|apply (is_nonpositive_sound k v V M h Hh)]].
  intros x [[X Y] [_ Z']]. auto.
Qed.
End values.
