(* gamma_2: vectors from above, by the products of all of them; from below weights of the entries. *)
From Coq Require Import String List Arith NArith ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Json Certificate Sums Mixture OneWay Tables Inputs Heaviest Covers Positive.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- from above ---- *)

Definition allowed_entry (alpha : Q) (unit : Z) (a : option bool) (e : Z) : bool :=
  let most e := e * QDen alpha <=? Qnum alpha * unit in
  match a with
  | Some true => (unit <=? e) && most e
  | Some false => (unit <=? - e) && most (- e)
  | None => most e && most (- e)
  end.
Definition check_gram (q : asked) (alpha : Q) (unit : Z) (form : list (list Z)) (v : Q) : bool :=
  (0 <? unit) && (length form =? height q + width q)%nat
  && forallb (fun x => forallb (fun y =>
       allowed_entry alpha unit (problem_in q x y) (at_form form x (height q + y))) (seq 0 (width q))) (seq 0 (height q))
  && check_positive form && is_quotient (top_of form) unit v.

Lemma most_spec alpha unit e : 0 < unit -> e * QDen alpha <= Qnum alpha * unit -> (inject_Z e / inject_Z unit <= alpha)%Q.
Proof.
  intros U H. apply Qle_shift_div_r; [apply inject_pos, U|]. unfold Qle. cbn. rewrite ?Pos.mul_1_r, ?Z.mul_1_r. exact H.
Qed.
Lemma allowed_entry_sound alpha unit a e : 0 < unit -> allowed_entry alpha unit a e = true ->
  within_alpha alpha a (inject_Z e / inject_Z unit).
Proof.
  intros U H. pose proof (inject_pos unit U) as P.
  assert (forall e, unit <= e -> (1 <= inject_Z e / inject_Z unit)%Q) as O.
  { intros k K. apply Qle_shift_div_l; [exact P|]. rewrite Qmult_1_l, <- Zle_Qle. exact K. }
  assert (inject_Z (- e) / inject_Z unit == - (inject_Z e / inject_Z unit))%Q as N by (rewrite inject_Z_opp; field; lra).
  destruct a as [[|]|]; cbn [allowed_entry] in H; apply andb_prop in H as [A B];
    apply Z.leb_le in A; apply Z.leb_le in B; cbn [within_alpha].
  - split; [apply O, A|apply most_spec; assumption].
  - rewrite <- N. split; [apply O, A|apply most_spec; assumption].
  - apply (most_spec alpha unit _ U) in A. apply (most_spec alpha unit _ U) in B. rewrite N in B. split; lra.
Qed.
Lemma diagonal_top : forall form x, (x < length form)%nat -> at_form form x x <= top_of form.
Proof.
  induction form as [|row form IH]; intros [|x] H; cbn [length] in H; try lia; unfold top_of; cbn [fold_right at_form];
    fold (top_of form).
  - destruct row; cbn; lia.
  - specialize (IH x ltac:(lia)). lia.
Qed.

Theorem check_gram_sound q alpha unit form v : check_gram q alpha unit form v = true ->
  factorised (height q) (width q) (problem_in q) alpha v.
Proof.
  unfold check_gram. intros H. apply andb_prop in H as [H V]. apply andb_prop in H as [H P]. apply andb_prop in H as [H E].
  apply andb_prop in H as [U L]. apply Z.ltb_lt in U. apply Nat.eqb_eq in L. apply (is_quotient_spec _ _ _ U) in V.
  apply check_positive_sound in P as [l [N A]]. rewrite L in A. pose proof (inject_pos unit U) as PQ.
  set (one := fun k => nth k l (0%Q, fun _ : nat => 0%Q)).
  assert (forall i j, (i < height q + width q)%nat -> (j < height q + width q)%nat ->
    sum (length l) (fun k => fst (one k) / inject_Z unit * (snd (one k) i * snd (one k) j))
    == inject_Z (at_form form i j) / inject_Z unit)%Q as S.
  { intros i j I J. rewrite A by assumption. rewrite squares_sum. fold one.
    rewrite (sum_ext (length l) _ (fun k => / inject_Z unit * (fst (one k) * (snd (one k) i * snd (one k) j)))%Q)
      by (intros; field; lra). rewrite sum_scale. unfold one. field. lra. }
  assert (forall i, (i < height q + width q)%nat -> (inject_Z (at_form form i i) / inject_Z unit <= v)%Q) as D.
  { intros i I. apply Qle_shift_div_r; [exact PQ|]. rewrite V, <- Zle_Qle. apply diagonal_top. lia. }
  exists (length l), (fun k => fst (one k) / inject_Z unit)%Q, (fun x k => snd (one k) x), (fun y k => snd (one k) (height q + y)%nat).
  split; [|split; [|split]].
  - intros k K. apply Qle_shift_div_l; [exact PQ|]. rewrite Qmult_0_l. apply N, nth_In, K.
  - intros x X. rewrite S by lia. apply D. lia.
  - intros y Y. rewrite S by lia. apply D. lia.
  - intros x y X Y. rewrite forallb_forall in E. specialize (E x ltac:(apply in_seq; lia)). rewrite forallb_forall in E.
    specialize (E y ltac:(apply in_seq; lia)). apply (allowed_entry_sound _ _ _ _ U) in E.
    pose proof (S x (height q + y)%nat ltac:(lia) ltac:(lia)) as G.
    destruct (problem_in q x y) as [[|]|]; cbn [within_alpha] in *; rewrite G; exact E.
Qed.

(* ---- from below ---- *)

Definition dual_entry (n : nat) (W : nat -> nat -> Z) (p : nat -> Z) (i j : nat) : Z :=
  if (i <? n)%nat then if (j <? n)%nat then (if (i =? j)%nat then p i else 0) else - W i (j - n)%nat
  else if (j <? n)%nat then - W j (i - n)%nat else if (i =? j)%nat then p i else 0.
Definition form_of (N : nat) (A : nat -> nat -> Z) : list (list Z) :=
  map (fun i => map (A i) (seq i (N - i))) (seq 0 N).
(* what W times an allowed matrix is at least: one part times 1, the other one times - alpha *)
Definition sure (a : option bool) (w : Z) : Z :=
  match a with Some true => Z.max 0 w | Some false => Z.max 0 (- w) | None => 0 end.
Definition at_risk (a : option bool) (w : Z) : Z :=
  match a with Some true => Z.max 0 (- w) | Some false => Z.max 0 w | None => Z.abs w end.
Definition total_of n m (g : nat -> nat -> Z) : Z := integer_sum n (fun x => integer_sum m (g x)).

Definition check_dual (q : asked) (alpha : Q) (weights : list (list Z)) (lengths : list Z) (v : Q) : bool :=
  let n := height q in
  let m := width q in
  let W x y := nth y (nth x weights []) 0 in
  let p i := nth i lengths 0 in
  let s := total_of n m (fun x y => sure (problem_in q x y) (W x y)) in
  let r := total_of n m (fun x y => at_risk (problem_in q x y) (W x y)) in
  let all := integer_sum (n + m) p in
  (0 <? n)%nat && forallb (Z.leb 0) lengths && (0 <? all) && Qle_bool 0 alpha
  && check_positive (form_of (n + m) (dual_entry n W p))
  && is_quotient (Z.max 0 (2 * (s * QDen alpha - Qnum alpha * r))) (QDen alpha * all) v.

Lemma at_form_from A N : (forall i j, A i j = A j i) -> forall k s i j, (i < k)%nat -> (j < k)%nat -> (s + k = N)%nat ->
  at_form (map (fun i => map (A i) (seq i (N - i))) (seq s k)) i j = A (s + i)%nat (s + j)%nat.
Proof.
  intros Sy. induction k as [|k IH]; intros s i j I J E; [lia|]. cbn [seq map at_form].
  assert (forall j, (j < S k)%nat -> nth j (map (A s) (seq s (N - s))) 0 = A s (s + j)%nat) as R.
  { intros t T. rewrite (nth_indep _ 0 (A s O)) by (rewrite map_length, seq_length; lia).
    rewrite map_nth, seq_nth by lia. reflexivity. }
  destruct i as [|i], j as [|j].
  - rewrite R by lia. rewrite Nat.add_0_r. reflexivity.
  - rewrite R by lia. rewrite Nat.add_0_r. reflexivity.
  - rewrite R by lia. rewrite Nat.add_0_r. apply Sy.
  - rewrite IH by lia. f_equal; lia.
Qed.
Lemma dual_entry_sym n W p i j : dual_entry n W p i j = dual_entry n W p j i.
Proof.
  unfold dual_entry. destruct (i <? n)%nat, (j <? n)%nat; rewrite ?(Nat.eqb_sym j i); try reflexivity;
    destruct (Nat.eqb_spec i j) as [->|]; reflexivity.
Qed.

Local Open Scope Q_scope.

Lemma sum_split n m (g : nat -> Q) : sum (n + m) g == sum n g + sum m (fun y => g (n + y)%nat).
Proof.
  induction m as [|m IH]; [rewrite Nat.add_0_r; cbn; ring|]. rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. ring.
Qed.
Lemma sum_diagonal n (c z : nat -> Q) :
  sum n (fun i => sum n (fun j => z i * z j * (if (i =? j)%nat then c i else 0))) == sum n (fun i => c i * (z i * z i)).
Proof.
  apply sum_ext. intros i I. rewrite (sum_ext n _ (fun j => delta i j * (c i * z i * z j))).
  - rewrite sum_delta by exact I. ring.
  - intros j _. unfold delta, chance. destruct (i =? j)%nat; ring.
Qed.

Section Dual.
Variables (n m : nat) (W : nat -> nat -> Z) (p : nat -> Z).
Hypothesis squares : is_squares (n + m) (fun i j => inject_Z (dual_entry n W p i j)).

Lemma dual_form (u v : nat -> Q) :
  2 * sum n (fun x => sum m (fun y => inject_Z (W x y) * (u x * v y)))
  <= sum n (fun x => inject_Z (p x) * (u x * u x)) + sum m (fun y => inject_Z (p (n + y)%nat) * (v y * v y)).
Proof.
  set (z i := if (i <? n)%nat then u i else v (i - n)%nat).
  pose proof (form_nonneg _ _ z squares) as F. rewrite sum_split in F.
  rewrite (sum_ext n _ (fun i => sum n (fun j => u i * u j * (if (i =? j)%nat then inject_Z (p i) else 0))
      + -(1) * sum m (fun y => inject_Z (W i y) * (u i * v y)))) in F.
  2:{ intros i I. rewrite sum_split, <- sum_scale. apply Qplus_comp; apply sum_ext; intros j J; unfold z, dual_entry;
        (destruct (Nat.ltb_spec i n); [|lia]).
      - destruct (Nat.ltb_spec j n); [|lia]. destruct (i =? j)%nat; reflexivity.
      - destruct (Nat.ltb_spec (n + j) n); [lia|]. replace (n + j - n)%nat with j by lia. rewrite inject_Z_opp. ring. }
  rewrite (sum_ext m (fun y => sum (n + m) (fun j => z (n + y)%nat * z j * inject_Z (dual_entry n W p (n + y) j)))
    (fun y => -(1) * sum n (fun x => inject_Z (W x y) * (u x * v y))
      + sum m (fun j => v y * v j * (if (y =? j)%nat then inject_Z (p (n + y)%nat) else 0)))) in F.
  2:{ intros y Y. rewrite sum_split, <- sum_scale. apply Qplus_comp; apply sum_ext; intros j J; unfold z, dual_entry;
        (destruct (Nat.ltb_spec (n + y) n); [lia|]); replace (n + y - n)%nat with y by lia.
      - destruct (Nat.ltb_spec j n); [|lia]. rewrite inject_Z_opp. ring.
      - destruct (Nat.ltb_spec (n + j) n); [lia|]. replace (n + j - n)%nat with j by lia.
        destruct (Nat.eqb_spec (n + y) (n + j)), (Nat.eqb_spec y j); try lia; reflexivity. }
  rewrite !sum_plus, !sum_scale, (sum_diagonal n (fun i => inject_Z (p i)) u),
    (sum_diagonal m (fun y => inject_Z (p (n + y)%nat)) v) in F.
  rewrite (sum_swap m n) in F. lra.
Qed.

Hypothesis lengths : forall i, (0 <= p i)%Z.

Lemma dual_bound (f : problem) alpha g : factorised n m f alpha g -> exists B : nat -> nat -> Q,
  (forall x y, (x < n)%nat -> (y < m)%nat -> within_alpha alpha (f x y) (B x y)) /\
  2 * sum n (fun x => sum m (fun y => inject_Z (W x y) * B x y)) <= g * inject_Z (integer_sum (n + m) p).
Proof.
  intros [d [w [u [v [Pw [Pu [Pv A]]]]]]]. exists (fun x y => sum d (fun k => w k * (u x k * v y k))). split; [exact A|].
  rewrite (sum_ext n _ (fun x => sum m (fun y => sum d (fun k => w k * (inject_Z (W x y) * (u x k * v y k)))))).
  2:{ intros x _. apply sum_ext. intros y _. rewrite <- sum_scale. apply sum_ext. intros k _. ring. }
  rewrite (sum_ext n _ (fun x => sum d (fun k => w k * sum m (fun y => inject_Z (W x y) * (u x k * v y k))))).
  2:{ intros x _. rewrite sum_swap. apply sum_ext. intros k _. apply sum_scale. }
  rewrite sum_swap.
  rewrite (sum_ext d _ (fun k => w k * sum n (fun x => sum m (fun y => inject_Z (W x y) * (u x k * v y k))))) by (intros; apply sum_scale).
  rewrite <- sum_scale.
  apply Qle_trans with (sum d (fun k => w k * sum n (fun x => inject_Z (p x) * (u x k * u x k))
    + w k * sum m (fun y => inject_Z (p (n + y)%nat) * (v y k * v y k)))).
  - apply sum_le. intros k K. pose proof (dual_form (fun x => u x k) (fun y => v y k)) as D. specialize (Pw k K). cbv beta in D |- *.
    rewrite <- Qmult_plus_distr_r, Qmult_assoc, (Qmult_comm 2), <- Qmult_assoc, !(Qmult_comm (w k)).
    apply Qmult_le_compat_r; [exact D|exact Pw].
  - rewrite sum_plus, integer_sum_Q, sum_split.
    assert (forall t (c : nat -> Z) (z : nat -> nat -> Q), (forall i, 0 <= c i)%Z ->
      (forall i, (i < t)%nat -> sum d (fun k => w k * (z i k * z i k)) <= g) ->
      sum d (fun k => w k * sum t (fun i => inject_Z (c i) * (z i k * z i k))) <= g * sum t (fun i => inject_Z (c i))) as S.
    { clear. intros t c z C H.
      rewrite (sum_ext d _ (fun k => sum t (fun i => inject_Z (c i) * (w k * (z i k * z i k))))).
      2:{ intros k _. rewrite <- sum_scale. apply sum_ext. intros i _. ring. }
      rewrite sum_swap, <- sum_scale. apply sum_le. intros i I. rewrite sum_scale, Qmult_comm.
      apply Qmult_le_compat_r; [apply H, I|apply inject_nonneg, C]. }
    rewrite Qmult_plus_distr_r. apply Qplus_le_compat.
    + apply (S n p (fun x k => u x k) lengths Pu).
    + apply (S m (fun y => p (n + y)%nat) (fun y k => v y k) (fun y => lengths _) Pv).
Qed.
End Dual.

Lemma sure_at_least alpha a w b : within_alpha alpha a b ->
  inject_Z (sure a w) - alpha * inject_Z (at_risk a w) <= inject_Z w * b.
Proof.
  assert (forall z, inject_Z (Z.max 0 z) - inject_Z (Z.max 0 (- z)) == inject_Z z /\ 0 <= inject_Z (Z.max 0 z)
    /\ inject_Z (Z.max 0 z) + inject_Z (Z.max 0 (- z)) == inject_Z (Z.abs z)) as M.
  { intros z. split; [|split].
    - unfold Qminus. rewrite <- inject_Z_opp, <- inject_Z_plus. apply inject_Z_injective. lia.
    - apply inject_nonneg. lia.
    - rewrite <- inject_Z_plus. apply inject_Z_injective. lia. }
  destruct (M w) as [E [P S]]. destruct (M (- w)%Z) as [_ [N _]].
  destruct a as [[|]|]; cbn [within_alpha sure at_risk]; intros [L U]; [nra|nra|].
  change (inject_Z 0) with 0. rewrite <- S. nra.
Qed.

Theorem check_dual_sound q alpha weights lengths v : check_dual q alpha weights lengths v = true ->
  gamma_2_at_least (height q) (width q) (problem_in q) alpha v.
Proof.
  unfold check_dual. set (n := height q). set (m := width q). set (W x y := nth y (nth x weights []) 0%Z).
  set (p i := nth i lengths 0%Z). intros H g G. apply andb_prop in H as [H V]. apply andb_prop in H as [H P].
  apply andb_prop in H as [H Al]. apply andb_prop in H as [H L]. apply andb_prop in H as [Nn Pl].
  apply Z.ltb_lt in L. apply Nat.ltb_lt in Nn. rewrite forallb_forall in Pl.
  assert (0 < QDen alpha * integer_sum (n + m) p)%Z as Pc by lia. apply (is_quotient_spec _ _ _ Pc) in V.
  assert (forall i, 0 <= p i)%Z as Pp.
  { intros i. unfold p. destruct (Nat.lt_ge_cases i (length lengths)) as [I|I]; [apply Z.leb_le, Pl, nth_In, I|].
    rewrite nth_overflow by exact I. lia. }
  apply check_positive_sound in P. unfold form_of in P. rewrite map_length, seq_length in P.
  apply (is_squares_ext _ _ (fun i j => inject_Z (dual_entry n W p i j))) in P.
  2:{ intros i j I J. rewrite (at_form_from _ (n + m) (dual_entry_sym n W p) (n + m) 0) by lia. reflexivity. }
  destruct (dual_bound n m W p P Pp (problem_in q) alpha g G) as [B [WB T]].
  set (s := total_of n m (fun x y => sure (problem_in q x y) (W x y))) in *.
  set (r := total_of n m (fun x y => at_risk (problem_in q x y) (W x y))) in *.
  set (all := integer_sum (n + m) p) in *.
  assert (inject_Z s - alpha * inject_Z r <= sum n (fun x => sum m (fun y => inject_Z (W x y) * B x y))) as C.
  { unfold s, r, total_of. rewrite !integer_sum_Q.
    assert (forall c h k, h - c * k == h + (- c) * k) as M by (intros; ring). rewrite M, <- sum_scale, <- sum_plus.
    apply sum_le. intros x X. rewrite !integer_sum_Q, <- sum_scale, <- sum_plus. apply sum_le. intros y Y.
    rewrite <- M. apply sure_at_least, WB; assumption. }
  assert (0 <= g) as Pg.
  { destruct G as [d [w [u [y [Pw [Pu _]]]]]]. refine (Qle_trans _ _ _ _ (Pu O Nn)). apply sum_nonneg.
    intros k K. specialize (Pw k K). assert (0 <= u O k * u O k) by (destruct (Qlt_le_dec (u O k) 0); nra). nra. }
  pose proof (inject_pos _ L) as Pa. pose proof (inject_pos (QDen alpha) ltac:(lia)) as Pd.
  rewrite inject_Z_mult in V.
  assert (alpha * inject_Z (QDen alpha) == inject_Z (Qnum alpha)) as Ad.
  { unfold Qeq. cbn. rewrite ?Pos.mul_1_r. ring. }
  apply (Qmult_le_r _ _ (inject_Z (QDen alpha) * inject_Z all)); [nra|]. rewrite V.
  match goal with |- inject_Z (Z.max 0 ?e) <= _ => change e with (2 * (s * QDen alpha - Qnum alpha * r))%Z end.
  destruct (Z.max_spec 0 (2 * (s * QDen alpha - Qnum alpha * r))) as [[_ ->]|[_ ->]].
  - rewrite inject_Z_mult. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, !inject_Z_mult, <- Ad. change (inject_Z 2) with 2.
    assert (2 * (inject_Z s - alpha * inject_Z r) <= g * inject_Z all) as K by lra.
    setoid_replace (2 * (inject_Z s * inject_Z (QDen alpha) + - (alpha * inject_Z (QDen alpha) * inject_Z r)))
      with (inject_Z (QDen alpha) * (2 * (inject_Z s - alpha * inject_Z r))) by ring.
    setoid_replace (g * (inject_Z (QDen alpha) * inject_Z all)) with (inject_Z (QDen alpha) * (g * inject_Z all)) by ring.
    rewrite !(Qmult_comm (inject_Z (QDen alpha))). apply Qmult_le_compat_r; [exact K|lra].
  - change (inject_Z 0) with 0. assert (0 <= inject_Z (QDen alpha) * inject_Z all) by nra. nra.
Qed.

(* ---- certificates ---- *)

Record norm_asked := NormAsked { norm_of : asked; alpha_of : Q }.
Definition norm_in (instance : json) (values : list json) : option norm_asked :=
  match values with
  | [a] => let* q := asked_in instance in let* a := factor a in Some (NormAsked q a)
  | _ => None
  end.
Definition norm_lower (q : norm_asked) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "dual" &&
  match fields ["weights"; "rows"; "columns"]%string data with
  | Some [w; r; c] =>
      match list_of (list_of integer) w, list_of (at_least_integer 0) r, list_of (at_least_integer 0) c with
      | Some w, Some r, Some c =>
          (length r =? height (norm_of q))%nat && (length c =? width (norm_of q))%nat && (length w =? height (norm_of q))%nat
          && forallb (fun row => length row =? width (norm_of q))%nat w
          && check_dual (norm_of q) (alpha_of q) w (r ++ c) v
      | _, _, _ => false
      end
  | _ => false
  end.
Definition norm_upper (q : norm_asked) (v : Q) (name : string) (data : json) : bool :=
  String.eqb name "gram" &&
  match fields ["unit"; "form"]%string data with
  | Some [u; f] =>
      match at_least_integer 1 u, list_of (list_of integer) f with
      | Some u, Some f => check_gram (norm_of q) (alpha_of q) u f v
      | _, _ => false
      end
  | _ => false
  end.

Definition factor_norms : kind.
Proof.
  refine {|
    title := "gamma_2"; parameters := ["alpha"%string];
    ask := norm_in; number := fraction;
    lower := norm_lower; upper := norm_upper;
    lower_means q v := gamma_2_at_least (height (norm_of q)) (width (norm_of q)) (problem_in (norm_of q)) (alpha_of q) v;
    upper_means q v := factorised (height (norm_of q)) (width (norm_of q)) (problem_in (norm_of q)) (alpha_of q) v
  |}.
  - intros q v name data H. unfold norm_lower in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|w [|r [|c [|]]]]|]; try discriminate. destruct (list_of _ w) as [w'|]; [|discriminate].
    destruct (list_of _ r) as [r'|]; [|discriminate]. destruct (list_of _ c) as [c'|]; [|discriminate].
    apply andb_prop in H as [_ H]. apply (check_dual_sound _ _ _ _ _ H).
  - intros q v name data H. unfold norm_upper in H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|u [|f [|]]]|]; try discriminate. destruct (at_least_integer 1 u) as [u'|]; [|discriminate].
    destruct (list_of _ f) as [f'|]; [|discriminate]. apply (check_gram_sound _ _ _ _ _ H).
Defined.
