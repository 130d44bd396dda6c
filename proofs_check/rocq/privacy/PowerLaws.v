(* Privacy of laws whose weights are polynomials at t: all neighbours compared, and one event. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Near Powers Enclosures Databases.
Import ListNotations.
Local Open Scope Z_scope.

Definition nothing : enclosed := Value 0 0 (Polynomial []).
Definition chosen (event : nat -> bool) (l : list enclosed) (x : Q) : Q :=
  sum (length l) (fun o => eval (what (nth o l nothing)) x * chance (event o))%Q.

Lemma chosen_cons event g l x :
  (chosen event (g :: l) x == eval (what g) x * chance (event O) + chosen (fun o => event (S o)) l x)%Q.
Proof. unfold chosen. cbn [length]. rewrite sum_shift. reflexivity. Qed.

(* ---- facts at one point ---- *)

Lemma divided (S T fu du fo d P R K h m : Q) : (0 < S)%Q -> (0 < T)%Q -> (0 < fu)%Q -> (0 < du)%Q ->
  (0 <= h)%Q -> (m <= S * T * fu * du)%Q -> (du * (fu * T * P - fo * S * R) <= d * S * fu * T + h * m)%Q ->
  (P / S <= (fo / fu) * (R / T) + d / du + h)%Q.
Proof.
  intros HS HT HF HD Hh M H.
  assert (0 < S * T * fu * du)%Q as Pos by (repeat apply Qmult_lt_0_compat; assumption).
  apply (Qmult_le_r _ _ _ Pos).
  setoid_replace (P / S * (S * T * fu * du))%Q with (du * (fu * T * P))%Q by (field; lra).
  setoid_replace ((fo / fu * (R / T) + d / du + h) * (S * T * fu * du))%Q
    with (du * (fo * S * R) + d * S * fu * T + h * (S * T * fu * du))%Q by (field; lra).
  assert (h * m <= h * (S * T * fu * du))%Q by nra.
  assert (du * (fu * T * P - fo * S * R) == du * (fu * T * P) - du * (fo * S * R))%Q by ring. lra.
Qed.

Lemma asked_at_point (S T fu du fo d P R h m : Q) : (0 < S)%Q -> (0 < T)%Q -> (0 < fu)%Q -> (0 < du)%Q ->
  (0 <= h)%Q -> (m <= S * T * fu * du)%Q ->
  (- (h * m) <= (P * du - d * S) * fu * T - R * du * fo * S <= h * m)%Q ->
  (- h <= P / S - d / du - (fo / fu) * (R / T) <= h)%Q.
Proof.
  intros HS HT HF HD Hh M [H1 H2].
  assert (0 < S * T * fu * du)%Q as Pos by (repeat apply Qmult_lt_0_compat; assumption).
  assert (((P / S - d / du - fo / fu * (R / T)) * (S * T * fu * du)
           == (P * du - d * S) * fu * T - R * du * fo * S))%Q as E by (field; lra).
  assert (h * m <= h * (S * T * fu * du))%Q by nra.
  split; apply (Qmult_le_r _ _ _ Pos); rewrite E; lra.
Qed.

Lemma factor_at_point (y q v f h e m : Q) : (1 <= f)%Q -> (0 < h)%Q -> (0 < m)%Q -> (0 <= q)%Q ->
  (e * (2 * f + h) == h * m)%Q -> (m <= y)%Q -> (y <= f * q + e)%Q -> (- e <= y - v * q <= e)%Q -> (v <= f + h)%Q.
Proof.
  intros F H M Q0 E Y B [A1 A2]. apply Qnot_lt_le. intros C.
  assert (0 < e)%Q by nra. assert (e < m)%Q by nra. assert (0 < q)%Q by nra.
  assert ((f + h) * q < v * q)%Q by (apply Qmult_lt_r; assumption).
  assert (h * q < 2 * e)%Q by lra. assert (m - e <= f * q)%Q by lra.
  assert (h * (m - e) <= f * (h * q))%Q by nra. assert (f * (h * q) < f * (2 * e))%Q by nra. nra.
Qed.

Section laws.
Variable u : enclosure.
Hypothesis U : valid u.
Local Notation t := (target u).
Local Notation B := (inject_Z (scale u)).

Lemma nothing_encloses k : encloses u k nothing.
Proof. intros x _. simpl. change (inject_Z 0) with 0%Q. lra. Qed.

Record prepared := Prepared { weights : list enclosed; whole : enclosed }.
Definition prepare (p : list (list Z)) : prepared :=
  let w := map (known u) p in Prepared w (fold_right add nothing w).

Definition is_good (outcomes : nat) (p : prepared) : bool :=
  (length (weights p) =? outcomes)%nat && forallb (fun v => 0 <=? low v) (weights p) && (0 <? low (whole p)).

Lemma prepare_encloses p : (forall v, In v (weights (prepare p)) -> encloses u 1 v) /\ encloses u 1 (whole (prepare p)).
Proof.
  unfold prepare. cbn [weights whole]. induction p as [|a p [H1 H2]]; cbn [map fold_right].
  - split; [intros v []|apply nothing_encloses].
  - split; [intros v [<-|V]; [apply known_encloses, U|auto]|].
    apply add_encloses; [apply known_encloses, U|exact H2].
Qed.

Lemma known_what p : what (known u p) = Polynomial p.
Proof. unfold known. destruct (bounds u p (scale u) (scale u)). reflexivity. Qed.

Lemma prepare_total p x : (eval (what (whole (prepare p))) x == sum (length p) (fun i => polynomial (nth i p []) x))%Q.
Proof.
  unfold prepare. cbn [whole]. induction p as [|a p IH]; [reflexivity|]. cbn [map fold_right what add eval length].
  rewrite sum_shift, known_what, IH. reflexivity.
Qed.

Lemma prepare_chosen event p x :
  (chosen event (weights (prepare p)) x == sum (length p) (fun o => polynomial (nth o p []) x * chance (event o)))%Q.
Proof.
  unfold prepare. cbn [weights]. revert event. induction p as [|a p IH]; intros event; [reflexivity|].
  cbn [map length]. rewrite chosen_cons, sum_shift, known_what, IH. reflexivity.
Qed.

Definition chance_at (p : list (list Z)) outcomes event x : Q :=
  sum outcomes (fun o => law_in_powers p x o * chance (event o))%Q.

Lemma chance_at_spec p outcomes event x : is_good outcomes (prepare p) = true -> inside u x ->
  (chance_at p outcomes event x == chosen event (weights (prepare p)) x / eval (what (whole (prepare p))) x)%Q
  /\ (0 < eval (what (whole (prepare p))) x)%Q /\ (0 <= chosen event (weights (prepare p)) x)%Q.
Proof.
  intros G X. apply andb_prop in G as [G W]. apply andb_prop in G as [L N]. apply Nat.eqb_eq in L.
  unfold prepare in L. cbn [weights] in L. rewrite map_length in L. apply Z.ltb_lt in W.
  destruct (prepare_encloses p) as [E1 E2].
  destruct (low_positive u U 1 _ E2 W) as [m [M HM]]. specialize (HM x X).
  split; [|split; [lra|]].
  - rewrite prepare_chosen, prepare_total. unfold chance_at, law_in_powers. rewrite <- L.
    rewrite (prepare_total p x) in HM.
    set (s := sum (length p) (fun i => polynomial (nth i p []) x)) in *.
    rewrite (sum_ext _ _ (fun o => / s * (polynomial (nth o p []) x * chance (event o)))%Q).
    + rewrite sum_scale. field. lra.
    + intros i _. field. lra.
  - apply sum_nonneg. intros o Ho. rewrite forallb_forall in N.
    pose proof (nth_In _ nothing Ho) as I. specialize (N _ I). apply Z.leb_le in N.
    pose proof (low_nonneg u U 1 _ x (E1 _ I) N X) as G. destruct (event o); unfold chance; [rewrite Qmult_1_r; exact G|rewrite Qmult_0_r; lra].
Qed.

(* quotients of polynomials, at least 0 *)
Definition is_ratio (o d : list Z) : bool := (0 <=? low (known u o)) && (0 <? low (known u d)).

Lemma ratio_low o d : is_ratio o d = true -> exists m, (0 < m)%Q /\
  forall x, inside u x -> (m <= polynomial d x)%Q /\ (0 <= polynomial o x)%Q.
Proof.
  intros H. apply andb_prop in H as [H1 H2]. apply Z.leb_le in H1. apply Z.ltb_lt in H2.
  destruct (low_positive u U 1 _ (known_encloses u U d) H2) as [m [M HM]].
  exists m. split; [exact M|]. intros x X. rewrite known_what in HM. split; [apply (HM x X)|].
  pose proof (low_nonneg u U 1 _ x (known_encloses u U o) H1 X) as G. rewrite known_what in G. exact G.
Qed.

Lemma whole_low outcomes p : is_good outcomes (prepare p) = true -> exists m, (0 < m)%Q /\
  forall x, inside u x -> (m <= eval (what (whole (prepare p))) x)%Q.
Proof.
  intros G. apply andb_prop in G as [_ W]. apply Z.ltb_lt in W.
  apply (low_positive u U 1 _ (proj2 (prepare_encloses p)) W).
Qed.

Lemma four_low (a b c d : Q -> Q) :
  (exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= a x)%Q) -> (exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= b x)%Q) ->
  (exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= c x)%Q) -> (exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= d x)%Q) ->
  exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= a x * b x * c x * d x)%Q.
Proof.
  assert (forall f g, (exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= f x)%Q) ->
    (exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= g x)%Q) ->
    exists m, (0 < m)%Q /\ forall x, inside u x -> (m <= f x * g x)%Q) as two.
  { intros f g [m [M F]] [n [N G]]. exists (m * n)%Q. split; [nra|]. intros x X.
    specialize (F x X). specialize (G x X). nra. }
  intros A B' C D. apply (two (fun x => a x * b x * c x)%Q d); [|exact D].
  apply (two (fun x => a x * b x)%Q c); [|exact C]. apply two; assumption.
Qed.

(* ---- what each outcome adds to the event that asks for most ---- *)

Fixpoint excesses (a b : enclosed) (p q : list enclosed) : list enclosed :=
  match p, q with
  | v :: p', w :: q' => subtract (multiply a v) (multiply b w) :: excesses a b p' q'
  | _, _ => []
  end.
Fixpoint highest (l : list enclosed) : Z :=
  match l with [] => 0 | g :: l' => Z.max 0 (high g) + highest l' end.
Fixpoint kept (l : list enclosed) : option enclosed :=
  match l with
  | [] => Some nothing
  | g :: l' =>
      match kept l' with
      | None => None
      | Some s => if 0 <? low g then Some (add g s)
                  else if high g <=? 0 then Some s
                  else if vanishes t (what g) then Some s
                  else if 0 <=? low g then Some (add g s) else None
      end
  end.

Lemma excesses_spec a b x : forall p q event, length p = length q ->
  (chosen event (excesses a b p q) x == eval (what a) x * chosen event p x - eval (what b) x * chosen event q x)%Q.
Proof.
  induction p as [|v p IH]; intros [|w q] event L; try discriminate; [unfold chosen; simpl; ring|].
  cbn [excesses]. rewrite !chosen_cons, IH by (injection L; auto). cbn [what subtract multiply eval]. ring.
Qed.

Lemma excesses_enclose k a b : encloses u (S k) a -> encloses u (S k) b -> forall p q,
  (forall v, In v p -> encloses u 1 v) -> (forall v, In v q -> encloses u 1 v) ->
  forall g, In g (excesses a b p q) -> encloses u (S k + 1) g.
Proof.
  intros A B'. induction p as [|v p IH]; intros [|w q] P R g G; try contradiction.
  destruct G as [<-|G].
  - apply subtract_encloses; apply multiply_encloses; try assumption; [apply P|apply R]; left; reflexivity.
  - apply (IH q); try assumption; intros z Z'; [apply P|apply R]; right; exact Z'.
Qed.

Lemma highest_sound k x : inside u x -> forall l event, (forall g, In g l -> encloses u k g) ->
  (raise B k * chosen event l x <= inject_Z (highest l))%Q.
Proof.
  intros X. induction l as [|g l IH]; intros event E; [unfold chosen; simpl; change (inject_Z 0) with 0%Q; lra|].
  rewrite chosen_cons. cbn [highest]. rewrite inject_Z_plus, Qmult_plus_distr_r. apply Qplus_le_compat.
  - specialize (E g (or_introl eq_refl) x X).
    assert (inject_Z (high g) <= inject_Z (Z.max 0 (high g)))%Q by (rewrite <- Zle_Qle; lia).
    assert (0 <= inject_Z (Z.max 0 (high g)))%Q by (apply inject_nonneg; lia).
    destruct (event O); simpl; [rewrite Qmult_1_r|rewrite !Qmult_0_r]; lra.
  - apply IH. intros z Z'. apply E. right. exact Z'.
Qed.

Lemma kept_sound k : forall l s, (forall g, In g l -> encloses u k g) -> kept l = Some s ->
  encloses u k s /\ forall event h, (0 < h)%Q ->
  near t (fun x => inside u x /\ chosen event l x <= eval (what s) x + h)%Q.
Proof.
  induction l as [|g l IH]; intros s E H.
  - injection H as <-. split; [apply nothing_encloses|]. intros event h Hh.
    eapply near_implies; [|apply near_inside, U]. intros x X. split; [exact X|]. unfold chosen. simpl. lra.
  - cbn [kept] in H. destruct (kept l) as [s'|] eqn:K; [|discriminate].
    destruct (IH s' ltac:(intros z Z'; apply E; right; exact Z') eq_refl) as [E' IH']. clear IH.
    pose proof (E g (or_introl eq_refl)) as Eg.
    assert (forall event h, (0 < h)%Q -> is_nonnegative u g = true ->
      near t (fun x => inside u x /\ chosen event (g :: l) x <= eval (what (add g s')) x + h)%Q) as keep.
    { intros event h Hh N.
      eapply near_implies; [|apply near_and; [apply (IH' (fun o => event (S o)) (h * (1 # 2))%Q ltac:(lra))
                                            |apply (is_nonnegative_sound u U k g Eg N (h * (1 # 2))%Q ltac:(lra))]].
      intros x [[X A] [_ N']]. split; [exact X|]. rewrite chosen_cons. cbn [what add eval].
      destruct (event O); simpl; lra. }
    assert (forall event h, (0 < h)%Q -> is_nonpositive u g = true ->
      near t (fun x => inside u x /\ chosen event (g :: l) x <= eval (what s') x + h)%Q) as drop.
    { intros event h Hh N.
      eapply near_implies; [|apply near_and; [apply (IH' (fun o => event (S o)) (h * (1 # 2))%Q ltac:(lra))
                                            |apply (is_nonpositive_sound u U k g Eg N (h * (1 # 2))%Q ltac:(lra))]].
      intros x [[X A] [_ N']]. split; [exact X|]. rewrite chosen_cons. destruct (event O); simpl; lra. }
    destruct (0 <? low g) eqn:P.
    { injection H as <-. split; [apply add_encloses; assumption|]. intros event h Hh. apply keep; [exact Hh|].
      unfold is_nonnegative. apply Z.ltb_lt in P. apply orb_true_intro. left. apply Z.leb_le. lia. }
    destruct (high g <=? 0) eqn:N.
    { injection H as <-. split; [exact E'|]. intros event h Hh. apply drop; [exact Hh|].
      unfold is_nonpositive. rewrite N. reflexivity. }
    destruct (vanishes t (what g)) eqn:V.
    { injection H as <-. split; [exact E'|]. intros event h Hh. apply drop; [exact Hh|].
      unfold is_nonpositive. rewrite V. apply orb_true_r. }
    destruct (0 <=? low g) eqn:L; [|discriminate].
    injection H as <-. split; [apply add_encloses; assumption|]. intros event h Hh. apply keep; [exact Hh|].
    unfold is_nonnegative. rewrite L. reflexivity.
Qed.

(* ---- two neighbours ---- *)

Section pair.
Variables (outcomes : nat) (fo fu delta du : list Z).

Definition check_powers (p q : prepared) : bool :=
  is_good outcomes p && is_good outcomes q
  && let a := multiply (known u fu) (whole q) in
     let b := multiply (known u fo) (whole p) in
     let allowed := multiply (multiply (known u delta) (whole p)) a in
     let each := excesses a b (weights p) (weights q) in
     let d := known u du in
     (highest each * high d <=? low allowed)
     || match kept each with
        | Some s => is_nonpositive u (subtract (multiply s d) allowed)
        | None => false
        end.

Theorem check_powers_sound p q : is_ratio fo fu = true -> is_ratio delta du = true ->
  check_powers (prepare p) (prepare q) = true -> forall event,
  at_most_at t (chance_at p outcomes event)
    (fun x => quotient fo fu x * chance_at q outcomes event x + quotient delta du x)%Q.
Proof.
  intros RF RD H event h Hh. unfold check_powers in H.
  apply andb_prop in H as [H C]. apply andb_prop in H as [Gp Gq].
  destruct (ratio_low _ _ RF) as [mf [Mf HF]]. destruct (ratio_low _ _ RD) as [md [Md HD]].
  destruct (four_low (eval (what (whole (prepare p)))) (eval (what (whole (prepare q)))) (polynomial fu) (polynomial du))
    as [m [M HM]]; [apply (whole_low outcomes), Gp|apply (whole_low outcomes), Gq|exists mf; split; [exact Mf|apply HF]|exists md; split; [exact Md|apply HD]|].
  destruct (prepare_encloses p) as [Ep EP]. destruct (prepare_encloses q) as [Eq EQ].
  set (a := multiply (known u fu) (whole (prepare q))) in *.
  set (b := multiply (known u fo) (whole (prepare p))) in *.
  set (allowed := multiply (multiply (known u delta) (whole (prepare p))) a) in *.
  set (each := excesses a b (weights (prepare p)) (weights (prepare q))) in *.
  assert (encloses u 2 a) as Ea by (apply (multiply_encloses u 1 1); [apply known_encloses, U|exact EQ]).
  assert (encloses u 2 b) as Eb by (apply (multiply_encloses u 1 1); [apply known_encloses, U|exact EP]).
  assert (encloses u 4 allowed) as Eall
    by (apply (multiply_encloses u 2 2); [apply (multiply_encloses u 1 1); [apply known_encloses, U|exact EP]|exact Ea]).
  assert (forall g, In g each -> encloses u 3 g) as Eeach by (intros g; apply (excesses_enclose 1 a b Ea Eb _ _ Ep Eq)).
  assert (length (weights (prepare p)) = length (weights (prepare q))) as Len.
  { apply andb_prop in Gp as [Gp _]. apply andb_prop in Gp as [Gp _]. apply Nat.eqb_eq in Gp.
    apply andb_prop in Gq as [Gq _]. apply andb_prop in Gq as [Gq _]. apply Nat.eqb_eq in Gq. congruence. }
  assert (0 < h * m)%Q as Hm by nra.
  assert (near t (fun x => inside u x /\ polynomial du x * chosen event each x <= eval (what allowed) x + h * m)%Q) as N.
  { apply orb_prop in C as [C|C].
    - apply Z.leb_le in C. eapply near_implies; [|apply near_inside, U]. intros x X. split; [exact X|].
      pose proof (highest_sound 3 x X each event Eeach) as Hi. specialize (Eall x X).
      pose proof (known_encloses u U du x X) as Ed. rewrite known_what in Ed. cbn [eval] in Ed.
      destruct (HD x X) as [D0 _]. pose proof (raise_scale u U 3) as R3. pose proof (raise_scale u U 4) as R4.
      assert (0 <= inject_Z (highest each))%Q as H0.
      { apply inject_nonneg. clear. induction each as [|g l IH]; simpl; lia. }
      assert (inject_Z (highest each) * inject_Z (high (known u du)) <= inject_Z (low allowed))%Q as C'
        by (rewrite <- inject_Z_mult, <- Zle_Qle; exact C).
      assert (raise B 4 == raise B 3 * raise B 1)%Q as R by (apply (raise_plus B 3 1)).
      apply (Qmult_le_l _ _ _ R4). rewrite Qmult_plus_distr_r.
      assert (0 <= raise B 4 * (h * m))%Q by nra.
      setoid_replace (raise B 4 * (polynomial du x * chosen event each x))%Q
        with ((raise B 1 * polynomial du x) * (raise B 3 * chosen event each x))%Q by (rewrite R; ring).
      set (y := (raise B 1 * polynomial du x)%Q) in *. set (z := (raise B 3 * chosen event each x)%Q) in *.
      assert (0 <= y)%Q. { unfold y. pose proof (raise_scale u U 1). nra. }
      assert (y * z <= y * inject_Z (highest each))%Q by nra.
      assert (y * inject_Z (highest each) <= inject_Z (high (known u du)) * inject_Z (highest each))%Q by nra. lra.
    - destruct (kept each) as [s|] eqn:K; [|discriminate].
      destruct (kept_sound 3 each s Eeach K) as [Es Hs].
      set (top := (inject_Z (high (known u du)) / raise B 1)%Q).
      pose proof (raise_scale u U 1) as R1.
      set (e := (h * m * (1 # 2) / (Qabs.Qabs top + 1))%Q). pose proof (Qabs.Qabs_nonneg top) as T0.
      pose proof (Qabs.Qle_Qabs top) as T1.
      assert (0 < e)%Q as He by (unfold e; apply Qlt_shift_div_l; lra).
      assert (encloses u 4 (subtract (multiply s (known u du)) allowed)) as Eall'.
      { apply subtract_encloses; [apply (multiply_encloses u 3 1); [exact Es|apply known_encloses, U]|exact Eall]. }
      eapply near_implies; [|apply near_and; [apply (Hs event e He)
        |apply (is_nonpositive_sound u U 4 _ Eall' C (h * m * (1 # 2))%Q ltac:(lra))]].
      intros x [[X A] [_ D]]. split; [exact X|]. cbn [what subtract multiply eval] in D. rewrite known_what in D.
      cbn [eval] in D. destruct (HD x X) as [D0 _].
      assert (polynomial du x <= top)%Q as Dt.
      { unfold top. apply Qle_shift_div_l; [exact R1|].
        pose proof (known_encloses u U du x X) as Ed. rewrite known_what in Ed. cbn [eval] in Ed. lra. }
      assert ((Qabs.Qabs top + 1) * e == h * m * (1 # 2))%Q as Ee by (unfold e; field; lra).
      assert (polynomial du x * chosen event each x <= polynomial du x * (eval (what s) x + e))%Q by nra.
      assert (polynomial du x * e <= h * m * (1 # 2))%Q by nra.
      cbn [allowed multiply what eval] in *. lra. }
  eapply near_implies; [|exact N]. clear N C. intros x [X N].
  destruct (chance_at_spec p outcomes event x Gp X) as [-> [Sp _]].
  destruct (chance_at_spec q outcomes event x Gq X) as [-> [Sq _]].
  destruct (HF x X) as [F0 _]. destruct (HD x X) as [D0 _].
  unfold quotient. eapply divided; try eassumption; try lra; [apply (HM x X)|].
  unfold each in N. rewrite excesses_spec in N by exact Len. unfold allowed, a, b in N.
  cbn [what multiply eval] in N. rewrite !known_what in N. cbn [eval] in N. lra.
Qed.
End pair.
End laws.
