(* Vectors that combine others by minors of their entries: where the others make answers vanish in the
   sum, so do they, and they bound the error.  A leaf of two trees of cases. *)
From Coq Require Import ZArith QArith Lia Lqa Bool List.
From CCSim Require Import Definitions Sums Mixture OneWay Cases RandomClasses Determinants Corners Orders Radon.
From CCSim Require Subsets.
Import ListNotations.
Local Open Scope Q_scope.

(* ---- one vector less each time, and 0 at one place more ---- *)

Fixpoint without (xs : list nat) (l : list vector) : vector :=
  match xs with
  | [] => match l with [v] => v | _ => origin end
  | x :: xs' => fun z => alt (fun a k => a x * without xs' k z) l
  end.

Fixpoint alt_z (G : vertex -> list vertex -> vertex) (l : list vertex) : vertex :=
  match l with [] => [] | x :: l' => minus_z (G x l') (alt_z (fun a k => G a (x :: k)) l') end.
Fixpoint without_z (xs : list nat) (l : list vertex) : vertex :=
  match xs with
  | [] => match l with [v] => v | _ => [] end
  | x :: xs' => alt_z (fun a k => let c := nth x a 0%Z in if (c =? 0)%Z then [] else times_z c (without_z xs' k)) l
  end.

Lemma alt_z_spec z : forall l G H, (forall a k, at_place (G a k) z == H (at_place a) (map at_place k)) ->
  at_place (alt_z G l) z == alt H (map at_place l).
Proof.
  induction l as [|x l IH]; intros G H E; cbn [alt_z map alt].
  - unfold at_place. destruct z; reflexivity.
  - rewrite minus_z_at, E. rewrite (IH _ (fun a k => H a (at_place x :: k))); [reflexivity|].
    intros a k. apply (E a (x :: k)).
Qed.
Lemma without_z_spec z : forall xs l, at_place (without_z xs l) z == without xs (map at_place l) z.
Proof.
  induction xs as [|x xs IH]; intros l; cbn [without_z without].
  - destruct l as [|v [|u l]]; cbn [map]; [| reflexivity |]; unfold at_place; destruct z; reflexivity.
  - apply alt_z_spec. intros a k. cbv zeta. unfold at_place at 2. destruct (Z.eqb_spec (nth x a 0%Z) 0) as [->|N].
    + unfold at_place at 1. replace (nth z [] 0%Z) with 0%Z by (destruct z; reflexivity). change (inject_Z 0) with 0.
      ring.
    + rewrite times_z_at, IH. reflexivity.
Qed.

Lemma without_linear n z : (z < n)%nat -> forall xs, (forall x, In x xs -> (x < n)%nat) ->
  forall p q, linear n (fun v => without xs (p ++ v :: q) z).
Proof.
  intros Hz. induction xs as [|x xs IH]; intros B p q; cbn [without].
  - destruct p as [|a [|b p]]; cbn [app].
    + destruct q as [|b q]; [|apply linear_zero].
      apply (linear_ext n (fun v => v z * 1)); [intros; ring|apply linear_coordinate, Hz].
    + apply linear_zero.
    + apply linear_zero.
  - apply (alt_linear n p q (fun a k => a x * without xs k z)).
    + intros k. apply linear_coordinate, B, in_eq.
    + intros a p' q'. apply linear_scale, IH. intros y Hy. apply B, in_cons, Hy.
Qed.

Lemma sum_alt {A} n (R : nat -> Q) : forall (l : list A) (G : nat -> A -> list A -> Q),
  sum n (fun z => alt (G z) l * R z) == alt (fun a k => sum n (fun z => G z a k * R z)) l.
Proof.
  induction l as [|x l IH]; intros G; cbn [alt].
  - rewrite (sum_ext n _ (fun _ => 0)) by (intros; ring). apply sum_zero.
  - rewrite <- (IH (fun z a k => G z a (x :: k))).
    rewrite (sum_ext n _ (fun z => G z x l * R z + -(1) * (alt (fun a k => G z a (x :: k)) l * R z))) by (intros;
      ring).
    rewrite sum_plus, sum_scale. ring.
Qed.
Lemma alt_zero_on {A} : forall (l : list A) (G : A -> list A -> Q),
  (forall a k, In a l -> incl k l -> G a k == 0) -> alt G l == 0.
Proof.
  induction l as [|x l IH]; intros G H; cbn [alt]; [reflexivity|].
  rewrite (H x l), (IH (fun a k => G a (x :: k))); [ring| |apply in_eq|intros a I; apply in_cons, I].
  intros a k I K. apply H; [apply in_cons, I|]. intros b [<-|J]; [apply in_eq|apply in_cons, K, J].
Qed.
(* what vanishes on all vectors vanishes on what they combine to *)
Lemma without_vanishes n (R : nat -> Q) : forall xs l, (forall v, In v l -> sum n (fun z => v z * R z) == 0) ->
  sum n (fun z => without xs l z * R z) == 0.
Proof.
  induction xs as [|x xs IH]; intros l H; cbn [without].
  - destruct l as [|v [|u l]]; [|apply H, in_eq|]; unfold origin;
      rewrite (sum_ext n _ (fun _ => 0)) by (intros; ring); apply sum_zero.
  - rewrite (sum_alt n R l (fun z a k => a x * without xs k z)). apply alt_zero_on. intros a k I K.
    rewrite (sum_ext n _ (fun z => a x * (without xs k z * R z))) by (intros; ring).
    rewrite sum_scale, IH by (intros v J; apply H, K, J). ring.
Qed.

(* ---- relations: an integer weight for a column, dependencies, and one input less ---- *)

Record relation_of := Relation { in_column : nat; times : Z; among : list nat; at_inputs : list nat }.
Definition combined (r : relation_of) (l : list vector) : vector :=
  without (at_inputs r) (map (fun d => nth d l origin) (among r)).
Definition combined_z (r : relation_of) (l : list vertex) : vertex :=
  times_z (times r) (without_z (at_inputs r) (map (fun d => nth d l []) (among r))).

Lemma combined_z_at r l z : (forall d, In d (among r) -> (d < length l)%nat) ->
  at_place (combined_z r l) z == inject_Z (times r) * combined r (map at_place l) z.
Proof.
  intros H. unfold combined_z, combined. rewrite times_z_at, without_z_spec, map_map.
  rewrite (map_ext_in (fun d => at_place (nth d l [])) (fun d => nth d (map at_place l) origin)); [reflexivity|].
  intros d I. rewrite (nth_indep _ origin (at_place [])) by (rewrite map_length; apply H, I).
  symmetry. apply map_nth.
Qed.

Fixpoint choices_of {A} (l : list (list A)) : list (list A) :=
  match l with [] => [[]] | c :: l' => flat_map (fun a => map (cons a) (choices_of l')) c end.
Definition number_of_choices {A} (l : list (list A)) : N :=
  fold_right (fun c s => (N.of_nat (length c) * s)%N) 1%N l.


Section Leaf.
Variables (n m : nat) (f : problem).                        (* inputs with messages, columns *)

Definition used (rs : list relation_of) (d : nat) : bool := existsb (fun r => existsb (Nat.eqb d) (among r)) rs.
Fixpoint candidates rs (i : nat) (deps : list dependency) : list (list vertex) :=
  match deps with
  | [] => []
  | p :: deps' => (if used rs i then differences p else firstn 1 (differences p)) :: candidates rs (S i) deps'
  end.

(* what is gained, and what is lost for each part of the error *)
Fixpoint weigh (column : list (option bool)) (E : vertex) : Z * Z :=
  match column, E with
  | o :: column', w :: E' =>
      let (gain, loss) := weigh column' E' in
      match o with
      | Some true => (w + gain, Z.max w 0 + loss)%Z
      | Some false => (gain, Z.max (- w) 0 + loss)%Z
      | None => (Z.min w 0 + gain, loss)%Z
      end
  | _, _ => (0, 0)%Z
  end.
Definition with_column := (list (option bool) * relation_of)%type.
Definition with_columns (rs : list relation_of) : list with_column :=
  map (fun r => (map (fun z => f z (in_column r)) (seq 0 n), r)) rs.
Definition corner_totals (gs : list with_column) (l : list vertex) : Z * Z :=
  fold_right (fun (g : with_column) s =>
    let (gain, loss) := weigh (fst g) (combined_z (snd g) l) in (gain + fst s, loss + snd s)%Z) (0, 0)%Z gs.
Definition corner_bound gs l : Q :=
  let (gain, loss) := corner_totals gs l in
  match Z.max loss 1 with Zpos d => Z.max gain 0 # d | _ => 0 end.

Definition right_relation (number : nat) (r : relation_of) : bool :=
  (in_column r <? m)%nat && (length (among r) =? S (length (at_inputs r)))%nat && (length (among r) <=? 6)%nat
  && forallb (fun d => d <? number)%nat (among r) && Subsets.no_repeats (among r)
  && forallb (fun x => x <? n)%nat (at_inputs r).
Definition related_bound (deps : list dependency) (rs : list relation_of) : option Q :=
  let l := candidates rs 0 deps in
  if forallb (right_relation (length deps)) rs && (number_of_choices l <=? 4096)%N
  then let gs := with_columns rs in Some (least_of (map (corner_bound gs) (choices_of l)))
  else None.

Section Sound.
Variables (p : nat -> nat -> Q) (e : Q).
Hypothesis e_pos : 0 <= e.
Hypothesis chances : forall z y, (z < n)%nat -> (y < m)%nat -> 0 <= p z y <= 1.
Hypothesis p_error : forall z y, (z < n)%nat -> (y < m)%nat ->
  match f z y with Some true => 1 - p z y <= e | Some false => p z y <= e | None => True end.

Lemma weigh_below y : (y < m)%nat -> forall E i, (i <= n)%nat -> let (gain, loss) := weigh (map (fun z => f z y) (seq
  i (n - i))) E in
  0 <= inject_Z loss /\
  inject_Z gain - e * inject_Z loss <= sum (n - i) (fun z => at_place E z * p (i + z)%nat y).
Proof.
  intros Hy. induction E as [|w E IH]; intros i Hi.
  - replace (weigh _ []) with (0, 0)%Z by (destruct (map _ _); reflexivity). split; [apply Qle_refl|].
    rewrite (sum_ext _ _ (fun _ => 0)) by (intros z _; unfold at_place; destruct z; cbn [nth]; ring).
    rewrite sum_zero. change (inject_Z 0) with 0. lra.
  - destruct (n - i)%nat as [|r] eqn:R.
    + cbn [seq map weigh sum]. change (inject_Z 0) with 0. split; lra.
    + cbn [seq map weigh]. specialize (IH (S i) ltac:(lia)). replace (n - S i)%nat with r in IH by lia.
      destruct (weigh _ E) as [gain loss]. destruct IH as [L G]. cbn [length].
      assert (sum (S r) (fun z => at_place (w :: E) z * p (i + z)%nat y)
        == inject_Z w * p i y + sum r (fun z => at_place E z * p (S i + z)%nat y)) as Sh.
      { rewrite sum_shift, Nat.add_0_r. apply Qplus_comp; [reflexivity|]. apply sum_ext. intros z _.
        unfold at_place. cbn [nth]. rewrite Nat.add_succ_r. reflexivity. }
      pose proof (chances i y ltac:(lia) Hy) as C. pose proof (p_error i y ltac:(lia) Hy) as P.
      assert (forall z : Z, (0 <= z)%Z -> 0 <= inject_Z z) as Pos
        by (intros z Z0; change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact Z0).
      assert (forall z : Z, (z <= 0)%Z -> inject_Z z <= 0) as Neg
        by (intros z Z0; change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact Z0).
      destruct (f i y) as [[|]|]; rewrite Sh, ?inject_Z_plus.
      * destruct (Z.max_spec w 0) as [[W ->]|[W ->]].
        -- specialize (Neg w ltac:(lia)). change (inject_Z 0) with 0. split; [lra|nra].
        -- specialize (Pos w W). split; [lra|nra].
      * destruct (Z.max_spec (- w) 0) as [[W ->]|[W ->]].
        -- specialize (Pos w ltac:(lia)). change (inject_Z 0) with 0. split; [lra|nra].
        -- specialize (Pos (- w)%Z W). rewrite inject_Z_opp in *. split; [lra|nra].
      * destruct (Z.min_spec w 0) as [[W ->]|[W ->]].
        -- specialize (Neg w ltac:(lia)). split; [lra|nra].
        -- specialize (Pos w W). change (inject_Z 0) with 0. split; [lra|nra].
Qed.

(* the sum of answers with the weights of all relations *)
Definition answers_of (r : relation_of) (l : list vector) : Q :=
  inject_Z (times r) * sum n (fun z => combined r l z * p z (in_column r)).
Definition answers (rs : list relation_of) (l : list vector) : Q := sum_over rs (fun r => answers_of r l).

Lemma answers_affine rs A B : (forall r, In r rs -> right_relation (length A + S (length B)) r = true) ->
  affine n (fun v => answers rs (A ++ v :: B)).
Proof.
  intros R. apply affine_over. intros r I. specialize (R r I). unfold right_relation in R.
  apply andb_prop in R as [R X]. apply andb_prop in R as [R D]. apply andb_prop in R as [_ _].
  rewrite forallb_forall in X. unfold answers_of. apply affine_scale. apply affine_sum. intros z Hz.
  assert (forall g : vector -> Q, affine n g -> affine n (fun v => g v * p z (in_column r))) as T.
  { intros g G. destruct (affine_scale n (p z (in_column r)) g G) as [c [w W]]. exists c, w. intros v.
    rewrite <- W. ring. }
  apply T. unfold combined. destruct (in_dec Nat.eq_dec (length A) (among r)) as [J|J].
  - apply in_split in J as [a [b J]]. rewrite J in D. apply Subsets.no_repeats_spec in D. apply NoDup_remove_2 in D.
    apply affine_linear.
    apply (linear_ext n (fun v => without (at_inputs r) (map (fun d => nth d (A ++ origin :: B) origin) a
      ++ v :: map (fun d => nth d (A ++ origin :: B) origin) b) z)).
    + intros v. rewrite J, map_app. cbn [map]. rewrite app_nth2, Nat.sub_diag by lia. cbn [nth].
      assert (forall d, d <> length A -> nth d (A ++ origin :: B) origin = nth d (A ++ v :: B) origin) as Same.
      { intros d N. destruct (Nat.lt_ge_cases d (length A)) as [L|L]; [rewrite !app_nth1 by exact L; reflexivity|].
        rewrite !app_nth2 by exact L. destruct (d - length A)%nat eqn:E; [lia|reflexivity]. }
      rewrite (map_ext_in _ (fun d => nth d (A ++ v :: B) origin) a)
        by (intros d I'; apply Same; intros ->; apply D, in_or_app; left; exact I').
      rewrite (map_ext_in _ (fun d => nth d (A ++ v :: B) origin) b)
        by (intros d I'; apply Same; intros ->; apply D, in_or_app; right; exact I').
      reflexivity.
    + apply without_linear; [exact Hz|]. intros x Hx. apply Nat.ltb_lt, X, Hx.
  - apply (affine_constant n _ (without (at_inputs r) (map (fun d => nth d (A ++ origin :: B) origin) (among r)) z)).
    intros v. rewrite (map_ext_in _ (fun d => nth d (A ++ origin :: B) origin) (among r)); [reflexivity|].
    intros d I'. assert (d <> length A) as N by (intros ->; contradiction).
    destruct (Nat.lt_ge_cases d (length A)) as [L|L]; [rewrite !app_nth1 by exact L; reflexivity|].
    rewrite !app_nth2 by exact L. destruct (d - length A)%nat eqn:E; [lia|reflexivity].
Qed.

Lemma answers_unused rs A B v u : used rs (length A) = false -> answers rs (A ++ v :: B) = answers rs (A ++ u :: B).
Proof.
  intros H. unfold answers, sum_over.
  assert (forall r, In r rs -> answers_of r (A ++ v :: B) = answers_of r (A ++ u :: B)) as E.
  { intros r I. unfold answers_of, combined.
    rewrite (map_ext_in (fun d => nth d (A ++ v :: B) origin) (fun d => nth d (A ++ u :: B) origin)); [reflexivity|].
    intros d J. assert (d <> length A) as N.
    { intros ->. unfold used in H. apply not_true_iff_false in H. apply H. apply existsb_exists.
      exists r. split; [exact I|]. apply existsb_exists. exists (length A). split; [exact J|apply Nat.eqb_refl]. }
    destruct (Nat.lt_ge_cases d (length A)) as [L|L]; [rewrite !app_nth1 by exact L; reflexivity|].
    rewrite !app_nth2 by exact L. destruct (d - length A)%nat eqn:Z; [lia|reflexivity]. }
  clear H. induction rs as [|r rs IH]; [reflexivity|]. cbn [fold_right]. rewrite (E r (in_eq _ _)), IH; [reflexivity|].
  intros r' I. apply E, in_cons, I.
Qed.

Lemma some_corner rs : forall deps C done, Forall2 (differs n) deps C ->
  (forall r, In r rs -> right_relation (length done + length deps) r = true) ->
  exists K, In K (choices_of (candidates rs (length done) deps)) /\ length K = length deps /\
    answers rs (done ++ map at_place K) <= answers rs (done ++ C).
Proof.
  induction deps as [|dep deps IH]; intros C done F R; inversion F as [|? c ? C' D F' E1 E2]; subst.
  - exists []. split; [left; reflexivity|]. split; [reflexivity|]. apply Qle_refl.
  - pose proof (Forall2_length _ _ _ F') as L. cbn [length] in R.
    assert (exists v, In v (if used rs (length done) then differences dep else firstn 1 (differences dep)) /\
      answers rs (done ++ at_place v :: C') <= answers rs (done ++ c :: C')) as [v [V A]].
    { destruct (used rs (length done)) eqn:U.
      - apply (differs_least n dep c (fun v => answers rs (done ++ v :: C'))); [|exact D].
        apply answers_affine. rewrite <- L. exact R.
      - destruct (differs_least n dep c (fun _ => 0) (affine_constant n _ 0 ltac:(reflexivity)) D) as [v [V _]].
        destruct (differences dep) as [|u l]; [destruct V|]. exists u. split; [left; reflexivity|].
        rewrite (answers_unused rs done C' (at_place u) c U). apply Qle_refl. }
    destruct (IH C' (done ++ [at_place v])) as [K [I [Lk G]]]; [exact F'| |].
    + intros r J. rewrite app_length. cbn [length]. rewrite <- Nat.add_assoc. apply R, J.
    + rewrite app_length in I. cbn [length] in I. rewrite Nat.add_1_r in I.
      rewrite <- !app_assoc in G. cbn [app] in G.
      exists (v :: K). cbn [candidates choices_of map length]. split; [|split; [congruence|]].
      * apply in_flat_map. exists v. split; [exact V|]. apply in_map, I.
      * eapply Qle_trans; [exact G|exact A].
Qed.

(* a corner, relation by relation *)
Lemma relation_below r K : (in_column r < m)%nat -> (forall d, In d (among r) -> (d < length K)%nat) ->
  let (gain, loss) := weigh (map (fun z => f z (in_column r)) (seq 0 n)) (combined_z r K) in
  0 <= inject_Z loss /\ inject_Z gain - e * inject_Z loss <= answers_of r (map at_place K).
Proof.
  intros Hy D. pose proof (weigh_below _ Hy (combined_z r K) 0 ltac:(lia)) as W.
  rewrite Nat.sub_0_r in W. destruct (weigh _ _) as [gain loss]. destruct W as [L G]. split; [exact L|].
  eapply Qle_trans; [exact G|]. apply Qle_lteq. right. unfold answers_of. rewrite <- sum_scale. apply sum_ext.
  intros z _. cbn [Nat.add]. rewrite combined_z_at by exact D. ring.
Qed.

Lemma corner_below rs K : (forall r, In r rs -> right_relation (length K) r = true) ->
  let (gain, loss) := corner_totals (with_columns rs) K in
  0 <= inject_Z loss /\ inject_Z gain - e * inject_Z loss <= answers rs (map at_place K).
Proof.
  induction rs as [|r rs IH]; intros R.
  - cbn. split; [apply Qle_refl|]. unfold answers, sum_over. cbn [fold_right]. change (inject_Z 0) with 0. lra.
  - specialize (IH ltac:(intros; apply R, in_cons; assumption)). specialize (R r (in_eq _ _)).
    unfold right_relation in R. apply andb_prop in R as [R _]. apply andb_prop in R as [R _].
    apply andb_prop in R as [R D]. apply andb_prop in R as [R _]. apply andb_prop in R as [Y _]. apply Nat.ltb_lt in Y.
    rewrite forallb_forall in D.
    pose proof (relation_below r K Y ltac:(intros d J; apply Nat.ltb_lt, D, J)) as B.
    unfold corner_totals, with_columns, answers, sum_over in *. cbn [map fold_right fst snd].
    destruct (weigh _ _) as [gain loss]. destruct (fold_right _ (0, 0)%Z _) as [gain' loss']. cbn [fst snd].
    destruct B as [L B]. destruct IH as [L' IH]. rewrite !inject_Z_plus. split; lra.
Qed.

Theorem related_sound deps rs C v : Forall2 (differs n) deps C ->
  (forall c, In c C -> forall y, (y < m)%nat -> sum n (fun z => c z * p z y) == 0) ->
  related_bound deps rs = Some v -> v <= e.
Proof.
  intros F B H. unfold related_bound in H.
  match type of H with (if ?c then _ else _) = _ => destruct c eqn:R; [|discriminate H] end. injection H as <-.
  apply andb_prop in R as [R _]. rewrite forallb_forall in R. pose proof (Forall2_length _ _ _ F) as L.
  destruct (some_corner rs deps C [] F R) as [K [I [Lk G]]]. cbn [app] in G.
  assert (answers rs C == 0) as Z.
  { unfold answers, sum_over. clear G I. revert R. induction rs as [|r rs' IH]; intros R; [reflexivity|]. cbn
    [fold_right].
    rewrite IH by (intros r' I'; apply R, in_cons, I'). unfold answers_of, combined.
    specialize (R r (in_eq _ _)). unfold right_relation in R.
    apply andb_prop in R as [R _]. apply andb_prop in R as [R _].
    apply andb_prop in R as [R D]. apply andb_prop in R as [R _]. apply andb_prop in R as [Y _]. apply Nat.ltb_lt in Y.
    rewrite forallb_forall in D. rewrite without_vanishes; [ring|]. intros u J. apply in_map_iff in J as [d [<- J]].
    apply B; [|exact Y]. apply nth_In. rewrite <- L. apply Nat.ltb_lt, D, J. }
  eapply Qle_trans; [apply least_of_spec, in_map, I|].
  rewrite <- Lk in R. pose proof (corner_below rs K R) as W. unfold corner_bound.
  destruct (corner_totals (with_columns rs) K) as [gain loss]. destruct W as [W0 W]. rewrite Z in G.
  assert (inject_Z gain <= e * inject_Z loss) as W' by lra.
  assert (1 <= Z.max loss 1)%Z as M by lia. destruct (Z.max loss 1) as [|d|d] eqn:Ed; try lia.
  rewrite Qmake_Qdiv. apply Qle_shift_div_r; [reflexivity|].
  assert (inject_Z loss <= inject_Z (Zpos d)) as M1 by (rewrite <- Zle_Qle; lia).
  assert (0 <= inject_Z (Zpos d)) as M2 by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
  destruct (Z.max_spec gain 0) as [[_ ->]|[_ ->]].
  - change (inject_Z 0) with 0. nra.
  - nra.
Qed.
End Sound.
End Leaf.
