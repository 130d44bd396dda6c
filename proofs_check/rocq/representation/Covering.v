(* How few hypotheses of a pool represent a class, and how rarely so many fail: neighbourhoods that any
   so many hypotheses miss from below, sets that are drawn from above. *)
From Coq Require Import String List ZArith NArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Json Certificate Tables Representations Failures Hitting.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- pools ---- *)

Definition pool_class (n : nat) (pool : option (list (list bool))) : class :=
  match pool with None => all_functions | Some H => table n (concepts H) end.
(* bit x of the number of a row in the list of all is its value on point x *)
Fixpoint all_rows (n : nat) : list (list bool) :=
  match n with O => [[]] | S k => flat_map (fun r => [false :: r; true :: r]) (all_rows k) end.
Definition pool_rows (n : nat) (pool : option (list (list bool))) : list (list bool) :=
  match pool with None => all_rows n | Some H => H end.

Lemma all_rows_spec : forall n r, length r = n -> In r (all_rows n).
Proof.
  induction n as [|n IH]; intros [|b r] E; try discriminate; [left; reflexivity|].
  injection E as E. cbn [all_rows]. apply in_flat_map. exists r. split; [apply IH, E|].
  destruct b; simpl; auto.
Qed.

Lemma in_pool n pool h : wide n (pool_rows n pool) = true -> pool_class n pool h ->
  exists r, In r (pool_rows n pool) /\ length r = n /\ same n h (of_row r).
Proof.
  intros W P. destruct pool as [H|]; cbn [pool_class pool_rows] in *.
  - apply Representations.in_table in P as [r [Hr S]]. exists r. split; [exact Hr|]. split; [|exact S].
    eapply wide_spec; eassumption.
  - exists (map h (seq 0 n)). assert (length (map h (seq 0 n)) = n) as L by (rewrite map_length, seq_length;
      reflexivity).
    split; [apply all_rows_spec, L|]. split; [exact L|]. intros x Hx. unfold of_row.
    rewrite nth_map_seq by exact Hx. reflexivity.
Qed.

Lemma rows_of_set n pool : wide n (pool_rows n pool) = true -> forall S, (forall h, In h S -> pool_class n pool h) ->
  exists R, incl R (pool_rows n pool) /\ length R = length S /\
    forall h, In h S -> exists r, In r R /\ length r = n /\ same n h (of_row r).
Proof.
  intros W. induction S as [|h S IH]; intros P.
  - exists []. split; [intros r []|]. split; [reflexivity|intros h []].
  - destruct (IH (fun g Hg => P g (or_intror Hg))) as [R [I [L A]]].
    destruct (in_pool n pool h W (P h (or_introl eq_refl))) as [r [Hr [Er Sr]]].
    exists (r :: R). split; [intros g [<-|Hg]; auto|]. split; [simpl; rewrite L; reflexivity|].
    intros g [<-|Hg]; [exists r; simpl; auto|]. destruct (A g Hg) as [q [Hq B]]. exists q. simpl. auto.
Qed.

(* ---- neighbourhoods ---- *)

Definition neighbourhood := (nat * list Z)%type.            (* of a concept under a law *)
Definition is_neighbourhood (n : nat) (rows : list (list bool)) (b : neighbourhood) : bool :=
  (fst b <? length rows)%nat && is_law (snd b) && (length (snd b) =? n)%nat
  && (length (nth (fst b) rows []) =? n)%nat.
Definition near (rows : list (list bool)) (e : Q) (h : list bool) (b : neighbourhood) : bool :=
  at_most (covered (snd b) (differ h (nth (fst b) rows []))) (total (snd b)) e.
Definition mask_of rows e (around : list neighbourhood) (h : list bool) : N :=
  number_of (map (near rows e h) around).

Lemma disagreement_same_left n D g h f : same n g h -> (disagreement n D g f == disagreement n D h f)%Q.
Proof. intros S. apply sum_ext. intros x Hx. rewrite (S x Hx). reflexivity. Qed.

Lemma far_fails n rows e around j S R : (j < length around)%nat ->
  is_neighbourhood n rows (nth j around (O, [])) = true ->
  (forall h, In h S -> exists r, In r R /\ length r = n /\ same n h (of_row r)) ->
  N.testbit (union (map (mask_of rows e around) R)) (N.of_nat j) = false ->
  fails n (share (snd (nth j around (O, [])))) (of_row (nth (fst (nth j around (O, []))) rows [])) e S = true.
Proof.
  intros Hj V A T. unfold fails. apply forallb_forall. intros h Hh. apply negb_true_iff.
  destruct (Qle_bool _ e) eqn:Q; [|reflexivity]. exfalso. apply Qle_bool_iff in Q.
  destruct (A h Hh) as [r [Hr [Er Sr]]]. rewrite (disagreement_same_left _ _ _ _ _ Sr) in Q.
  unfold is_neighbourhood in V. apply andb_prop in V as [V Ef]. apply andb_prop in V as [V Ed].
  apply andb_prop in V as [_ L]. apply Nat.eqb_eq in Ef, Ed.
  assert (N.testbit (union (map (mask_of rows e around) R)) (N.of_nat j) = true); [|congruence].
  apply union_bit. exists (mask_of rows e around r). split; [apply in_map, Hr|].
  unfold mask_of. rewrite number_of_spec.
  rewrite (nth_indep _ false (near rows e r (O, []))) by (rewrite map_length; exact Hj).
  rewrite (map_nth (near rows e r)). unfold near.
  apply (at_most_iff _ _ e _ (total_lt _ L) (error_of_row n _ _ _ L Ed Er Ef)), Q.
Qed.

Lemma weigh_sum : forall w m, (inject_Z (weigh w m)
  == sum (length w) (fun j => inject_Z (nth j w 0%Z) * chance (N.testbit m (N.of_nat j))))%Q.
Proof.
  induction w as [|a w IH]; intros m; [reflexivity|]. cbn [length weigh]. rewrite sum_shift, inject_Z_plus, IH.
  cbn [nth]. apply Qplus_comp.
  - rewrite odd_bit. change (N.of_nat 0) with 0%N. destruct (N.testbit m 0); unfold chance;
      [ring|change (inject_Z 0) with 0%Q; ring].
  - apply sum_ext. intros j _. rewrite half_bit, <- Nat2N.inj_succ. reflexivity.
Qed.

Section Missed.
Variables (n : nat) (rows : list (list bool)) (e : Q) (pool : option (list (list bool))).
Variables (around : list neighbourhood) (w : list Z) (B : Z) (s : nat).
Hypothesis valid : forallb (is_neighbourhood n rows) around = true.
Hypothesis wide_pool : wide n (pool_rows n pool) = true.
Hypothesis w_nonneg : Hitting.nonneg w.
Hypothesis w_length : length w = length around.
Hypothesis missed : forall T, incl T (map (mask_of rows e around) (pool_rows n pool)) -> (length T <= s)%nat ->
  B <= weigh w (N.ldiff (N.ones (N.of_nat (length around))) (union T)).
Let C := table n (concepts rows).
Let D j := share (snd (nth j around (O, []))).
Let f j := of_row (nth (fst (nth j around (O, []))) rows []).

Lemma valid_at j : (j < length around)%nat -> is_neighbourhood n rows (nth j around (O, [])) = true.
Proof. intros Hj. rewrite forallb_forall in valid. apply valid, nth_In, Hj. Qed.

Lemma neighbourhood_law j : (j < length around)%nat -> C (f j) /\ law n (D j).
Proof.
  intros Hj. pose proof (valid_at j Hj) as V. unfold is_neighbourhood in V.
  apply andb_prop in V as [V _]. apply andb_prop in V as [V Ed]. apply andb_prop in V as [I L].
  apply Nat.eqb_eq in Ed. apply Nat.ltb_lt in I. split; [apply row_in_table, I|].
  unfold D. rewrite <- Ed. apply share_law, L.
Qed.

Lemma set_misses S : set_of (pool_class n pool) s S ->
  (inject_Z B <= sum (length w) (fun j => inject_Z (nth j w 0%Z) * chance (fails n (D j) (f j) e S)))%Q.
Proof.
  intros [_ [L P]]. destruct (rows_of_set n pool wide_pool S P) as [R [I [LR A]]].
  assert (B <= weigh w (N.ldiff (N.ones (N.of_nat (length around))) (union (map (mask_of rows e around) R)))) as M.
  { apply missed; [intros m Hm; apply in_map_iff in Hm as [r [<- Hr]]; apply in_map, I, Hr|].
    rewrite map_length. lia. }
  rewrite Zle_Qle in M. eapply Qle_trans; [exact M|]. rewrite weigh_sum. apply sum_le. intros j Hj.
  assert (0 <= inject_Z (nth j w 0%Z))%Q as Nj.
  { change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. apply w_nonneg, nth_In, Hj. }
  rewrite N.ldiff_spec. destruct (N.testbit (union _) (N.of_nat j)) eqn:T.
  - cbn [negb]. rewrite andb_false_r. unfold chance at 1. destruct (fails _ _ _ _ _); unfold chance; nra.
  - rewrite w_length in Hj. pose proof (far_fails n rows e around j S R Hj (valid_at j Hj) A T) as F.
    change (fails n (D j) (f j) e S = true) in F. rewrite F.
    destruct (N.testbit (N.ones _) _); cbn [andb negb]; unfold chance; [lra|nra].
Qed.

Theorem missed_often d : represented_randomly n C (pool_class n pool) e s d ->
  (inject_Z B <= d * inject_Z (total w))%Q.
Proof.
  intros [k [p [H [Lp [Hs R]]]]].
  apply Qle_trans with (sum k (fun i => p i * sum (length w) (fun j =>
    inject_Z (nth j w 0%Z) * chance (fails n (D j) (f j) e (H i)))))%Q.
  - apply mean_ge; [exact Lp|]. intros i Hi. apply set_misses, Hs, Hi.
  - rewrite (sum_ext k _ (fun i => sum (length w) (fun j =>
      inject_Z (nth j w 0%Z) * (p i * chance (fails n (D j) (f j) e (H i)))))%Q).
    2: { intros i _. rewrite <- sum_scale. apply sum_ext. intros j _. ring. }
    rewrite sum_swap, <- sum_total, <- sum_scale. apply sum_le. intros j Hj. rewrite sum_scale, (Qmult_comm d).
    assert (0 <= inject_Z (nth j w 0%Z))%Q as Nj.
    { change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. apply w_nonneg, nth_In, Hj. }
    rewrite w_length in Hj. destruct (neighbourhood_law j Hj) as [Cf LD].
    specialize (R (f j) (D j) Cf LD). nra.
Qed.

Lemma failure_nonneg d : around <> [] -> represented_randomly n C (pool_class n pool) e s d -> (0 <= d)%Q.
Proof using valid.
  intros Ne [k [p [H [Lp [_ R]]]]]. assert (0 < length around)%nat as H0 by (clear - Ne; destruct around;
      [congruence|simpl; lia]).
  destruct (neighbourhood_law 0 H0) as [Cf LD]. eapply Qle_trans; [|apply (R (f 0%nat) (D 0%nat) Cf LD)].
  apply sum_nonneg. intros i Hi. destruct Lp as [Pp _]. specialize (Pp i Hi).
  destruct (fails _ _ _ _ _); unfold chance; lra.
Qed.
End Missed.

(* ---- without failure: one set ---- *)

Lemma fails_false n D f e : forall H, fails n D f e H = false -> exists h, In h H /\ (disagreement n D h f <= e)%Q.
Proof.
  unfold fails. induction H as [|h H IH]; cbn [forallb]; [discriminate|]. intros E.
  destruct (Qle_bool (disagreement n D h f) e) eqn:Q; cbn [negb andb] in E.
  - exists h. split; [left; reflexivity|apply Qle_bool_iff, Q].
  - destruct (IH E) as [g [Hg Lg]]. exists g. split; [right; exact Hg|exact Lg].
Qed.

Lemma term_le_sum : forall k g i, (forall j, (j < k)%nat -> 0 <= g j)%Q -> (i < k)%nat -> (g i <= sum k g)%Q.
Proof.
  induction k as [|k IH]; intros g i N Hi; [lia|]. cbn [sum].
  assert (0 <= g k)%Q by (apply N; lia).
  assert (0 <= sum k g)%Q by (apply sum_nonneg; intros j Hj; apply N; lia).
  destruct (Nat.eq_dec i k) as [->|Hne]; [lra|].
  specialize (IH g i (fun j Hj => N j (Nat.lt_lt_succ_r _ _ Hj)) ltac:(lia)). lra.
Qed.

Theorem certain n C pool e k d : (d == 0)%Q ->
  represented n C pool e k <-> represented_randomly n C pool e k d.
Proof.
  intros Ed. split.
  - intros [H [S R]]. exists 1%nat, (fun _ => 1%Q), (fun _ => H). split; [split; [intros; lra|reflexivity]|].
    split; [auto|]. intros f D Cf LD. destruct (R f D Cf LD) as [h [Hh L]]. cbn [sum].
    destruct (fails n D f e H) eqn:F; unfold chance; [|lra].
    apply fails_spec with (h := h) in F; [lra|exact Hh].
  - intros [c [p [H [Lp [S R]]]]]. destruct (law_pos c p Lp) as [i [Hi Pi]]. exists (H i). split; [apply S, Hi|].
    intros f D Cf LD. apply fails_false. destruct (fails n D f e (H i)) eqn:F; [exfalso|reflexivity].
    specialize (R f D Cf LD). destruct Lp as [Np _].
    pose proof (term_le_sum c (fun i => p i * chance (fails n D f e (H i)))%Q i) as T. cbv beta in T.
    rewrite F in T. unfold chance at 2 in T. 
    assert (p i * 1 <= sum c (fun i => p i * chance (fails n D f e (H i))))%Q.
    { apply T; [|exact Hi]. intros j Hj. specialize (Np j Hj). destruct (fails n D f e (H j)); unfold chance; lra. }
    lra.
Qed.

(* ---- trees from below ---- *)

Record covering := Covering {
  points : nat; rows : list (list bool); allowed : Q; pool : option (list (list bool)) }.
Definition its_class (q : covering) : class := table (points q) (concepts (rows q)).
Definition its_pool (q : covering) : class := pool_class (points q) (pool q).

Record tree_proof := Tree {
  around : list neighbourhood; shares : option (list Z); symmetries : list (list N); nodes : list node }.

Definition moves_of (q : covering) (t : tree_proof) : list (list N * bool) :=
  let w := measure (length (around t)) (shares t) in map (fun g => (g, keeps w g)) (symmetries t).
Definition explored (q : covering) (t : tree_proof) : option (list (Z * Z * Z)) :=
  let number := length (around t) in
  let masks := map (mask_of (rows q) (allowed q) (around t)) (pool_rows (points q) (pool q)) in
  if forallb (is_neighbourhood (points q) (rows q)) (around t) && wide (points q) (pool_rows (points q) (pool q))
     && match shares t with Some w => is_law w && (length w =? number)%nat | None => true end
     && forallb (is_move number (shares t)) (moves_of q t)
  then walk number masks (shares t) (moves_of q t) (nodes t) [first number masks] []
  else None.

Definition measured (t : tree_proof) : list Z := measure (length (around t)) (shares t).

Lemma explored_sound q t found s B d : explored q t = Some found -> (shares t = None -> B = 1) ->
  (forall z, In z found -> enough B (Z.of_nat s) z) ->
  represented_randomly (points q) (its_class q) (its_pool q) (allowed q) s d ->
  (inject_Z B <= d * inject_Z (total (measured t)))%Q.
Proof.
  unfold explored. destruct (_ && _) eqn:K; [|discriminate]. intros W One En.
  apply andb_prop in K as [K M]. apply andb_prop in K as [K Sh]. apply andb_prop in K as [V Wp].
  assert (Hitting.nonneg (measured t) /\ length (measured t) = length (around t)) as [N L].
  { unfold measured, measure. destruct (shares t) as [w|].
    - apply andb_prop in Sh as [Lw E]. apply Nat.eqb_eq in E. split; [apply is_law_nonneg, Lw|exact E].
    - split; [intros a Ha; apply repeat_spec in Ha; lia|apply repeat_length]. }
  apply missed_often with (around := around t); try assumption.
  intros T HT Sz. eapply tree_sound; try eassumption. lia.
Qed.

Lemma explored_around q t found : explored q t = Some found ->
  forallb (is_neighbourhood (points q) (rows q)) (around t) = true.
Proof.
  unfold explored. destruct (_ && _) eqn:K; [|discriminate]. intros _.
  apply andb_prop in K as [K _]. apply andb_prop in K as [K _]. apply andb_prop in K as [K _]. exact K.
Qed.

(* the least weight that sets of so many miss, over the nodes *)
Definition least_missed (size : Z) (found : list (Z * Z * Z)) : option Z :=
  match map (fun z => let '(n, w, m) := z in w - (size - n) * m) found with
  | [] => None
  | a :: l => Some (fold_right Z.min a l)
  end.

Lemma fold_min a l : forall x, In x (a :: l) -> fold_right Z.min a l <= x.
Proof.
  induction l as [|b l IH]; intros x Hx; cbn [fold_right].
  - destruct Hx as [<-|[]]. lia.
  - destruct Hx as [<-|[<-|Hx]]; [specialize (IH a (or_introl eq_refl))| |specialize (IH x (or_intror Hx))]; lia.
Qed.

Lemma least_missed_spec s found B : least_missed s found = Some B -> forall z, In z found -> enough B s z.
Proof.
  unfold least_missed. destruct (map _ found) as [|a l] eqn:E; [discriminate|]. intros [= <-] [[n w] m] Hz _.
  apply fold_min. rewrite <- E. apply in_map_iff. exists (n, w, m). auto.
Qed.

Definition failure_of_tree (q : covering) (size : nat) (t : tree_proof) : option Q :=
  match shares t, explored q t with
  | Some w, Some found =>
      let* B := least_missed (Z.of_nat size) found in given (is_law w) (Some (over (Z.max 0 B) (total w)))
  | _, _ => None
  end.

Theorem failure_of_tree_sound q size t v : failure_of_tree q size t = Some v ->
  forall d, represented_randomly (points q) (its_class q) (its_pool q) (allowed q) size d -> (v <= d)%Q.
Proof.
  unfold failure_of_tree. intros E d R. destruct (shares t) as [w|] eqn:Es; [|discriminate].
  destruct (explored q t) as [found|] eqn:X; [|discriminate].
  destruct (least_missed _ found) as [B|] eqn:LB; [|discriminate]. unfold given in E.
  destruct (is_law w) eqn:L; [|discriminate]. injection E as <-.
  apply at_least_over; [apply total_lt, L|].
  pose proof (explored_sound q t found size B d X ltac:(congruence) (least_missed_spec _ _ _ LB) R) as G.
  unfold measured, measure in G. rewrite Es in G.
  assert (0 <= d)%Q as Pd.
  { apply (failure_nonneg _ _ _ _ _ _ (explored_around _ _ _ X)) with (2 := R).
    intros E0. unfold explored in X. rewrite Es, E0 in X. cbn [length] in X.
    destruct w as [|a w]; [discriminate L|]. cbn in X. rewrite !andb_false_r in X. discriminate X. }
  pose proof (total_pos w L) as P. destruct (Z.max_spec 0 B) as [[_ ->]|[_ ->]]; [exact G|].
  change (inject_Z 0) with 0%Q. nra.
Qed.

(* the least number of hypotheses, over the nodes, that miss at most so much *)
Definition least_number (missed : Z) (found : list (Z * Z * Z)) : option Z :=
  match flat_map (fun z => let '(n, w, m) := z in
          if (m =? 0) && (0 <? w - missed) then [] else [n + Z.max 0 (- ((- (w - missed)) / Z.max m 1))]) found with
  | [] => None
  | a :: l => Some (Z.max 1 (fold_right Z.min a l))
  end.

Lemma least_number_spec missed found b k : least_number missed found = Some b -> 1 <= k -> k < b ->
  forall z, In z found -> enough (missed + 1) k z.
Proof.
  unfold least_number. destruct (flat_map _ found) as [|a l] eqn:E; [discriminate|].
  intros [= <-] P K [[n w] m] Hz Hn.
  destruct ((m =? 0) && (0 <? w - missed)) eqn:Z.
  - apply andb_prop in Z as [Z1 Z2]. apply Z.eqb_eq in Z1. apply Z.ltb_lt in Z2. subst m. lia.
  - assert (fold_right Z.min a l <= n + Z.max 0 (- ((- (w - missed)) / Z.max m 1))) as F.
    { apply fold_min. rewrite <- E. apply in_flat_map. exists (n, w, m). split; [exact Hz|].
      rewrite Z. left. reflexivity. }
    set (m1 := Z.max m 1) in *. assert (0 < m1) as P1 by lia. assert (m <= m1) as P2 by lia.
    pose proof (Z.mul_succ_div_gt (- (w - missed)) m1 P1) as D.
    set (c := (- (w - missed)) / m1) in *. assert (c <= - (k - n + 1)) as Lc by lia. nia.
Qed.

Definition may_be_missed (failure : Q) (t : tree_proof) : Z :=
  match shares t with Some w => Qnum failure * total w / Zpos (Qden failure) | None => 0 end.
Definition size_of_tree (q : covering) (failure : Q) (t : tree_proof) : option Z :=
  if match shares t with Some _ => true | None => Qeq_bool failure 0 end then
    match explored q t with Some found => least_number (may_be_missed failure t) found | None => None end
  else None.

Lemma size_positive n C pool e k d : represented_randomly n C pool e k d -> (1 <= k)%nat.
Proof.
  intros [c [p [H [Lp [S _]]]]]. destruct (law_pos c p Lp) as [i [Hi _]]. destruct (S i Hi) as [Ne [L _]].
  destruct (H i); [congruence|simpl in L; lia].
Qed.

Theorem size_of_tree_sound q failure t b : size_of_tree q failure t = Some b ->
  forall k, represented_randomly (points q) (its_class q) (its_pool q) (allowed q) k failure -> b <= Z.of_nat k.
Proof.
  unfold size_of_tree. set (missed := may_be_missed failure t).
  destruct (match shares t with Some _ => _ | None => _ end) eqn:Z0; [|discriminate].
  destruct (explored q t) as [found|] eqn:X; [|discriminate]. intros E k R.
  destruct (Z_lt_le_dec (Z.of_nat k) b) as [K|K]; [exfalso|exact K].
  pose proof (size_positive _ _ _ _ _ _ R) as P. assert (1 <= Z.of_nat k) as P1 by lia.
  assert (shares t = None -> missed + 1 = 1) as One.
  { intros Es. unfold missed, may_be_missed. rewrite Es. reflexivity. }
  pose proof (explored_sound q t found k (missed + 1) failure X One
    (least_number_spec _ _ _ _ E P1 K) R) as G.
  unfold missed, may_be_missed, measured, measure in G. destruct (shares t) as [w|] eqn:Es.
  - unfold Qle in G. cbn in G. rewrite ?Z.mul_1_r, ?Pos.mul_1_r in G.
    pose proof (Z.mul_succ_div_gt (Qnum failure * total w) (Zpos (Qden failure)) ltac:(lia)) as D. nia.
  - apply Qeq_bool_iff in Z0. rewrite Z0 in G. change (inject_Z (0 + 1)) with 1%Q in G. lra.
Qed.

(* ---- sets that are drawn from above ---- *)

Definition row_dec := list_eq_dec Bool.bool_dec.
Definition listed_in (pool : option (list (list bool))) (h : list bool) : bool :=
  match pool with None => true | Some H => existsb (fun g => if row_dec g h then true else false) H end.
Definition thin (sets : list (list (list bool))) : list (list (list bool)) := map (nodup row_dec) sets.
Definition most_hypotheses (sets : list (list (list bool))) : nat :=
  fold_right Nat.max 0%nat (map (@length (list bool)) (thin sets)).

(* the size of the largest set, and what is proved of the failure *)
Definition drawn (q : covering) sets ws (name : string) (proof : json) : option (nat * Q) :=
  match failure_at_most (Support (points q) (rows q) (allowed q) sets ws) name proof with
  | Some u =>
      given (is_law ws && (length ws =? length sets)%nat
             && forallb (fun H => negb (length H =? 0)%nat && forallb (listed_in (pool q)) H) sets)
            (Some (most_hypotheses sets, u))
  | None => None
  end.

Lemma fails_incl n D f e H G : incl G H -> fails n D f e H = true -> fails n D f e G = true.
Proof. unfold fails. rewrite !forallb_forall. auto. Qed.

Lemma fails_thin n D f e H : fails n D f e (concepts (nodup row_dec H)) = fails n D f e (concepts H).
Proof.
  apply eq_true_iff_eq. split; apply fails_incl; intros h Hh; apply in_map_iff in Hh as [r [<- Hr]]; apply in_map.
  - apply nodup_In, Hr.
  - apply nodup_In in Hr. exact Hr.
Qed.

Lemma max_spec l x : In x l -> (x <= fold_right Nat.max 0 l)%nat.
Proof. induction l as [|a l IH]; simpl; [tauto|]. intros [->|H]; [lia|]. specialize (IH H). lia. Qed.

Theorem drawn_sound q sets ws name proof size u : drawn q sets ws name proof = Some (size, u) ->
  represented_randomly (points q) (its_class q) (its_pool q) (allowed q) size u.
Proof.
  unfold drawn. destruct (failure_at_most _ name proof) as [v|] eqn:F; [|discriminate]. unfold given.
  destruct (_ && _) eqn:K; [|discriminate]. intros [= <- <-].
  apply andb_prop in K as [K I]. apply andb_prop in K as [L E]. apply Nat.eqb_eq in E.
  rewrite forallb_forall in I. apply failure_at_most_sound in F. cbn in F.
  exists (length ws), (share ws), (sets_of (thin sets)). split; [apply share_law, L|]. split.
  - intros i Hi. assert (In (nth i sets []) sets) as Hs by (apply nth_In; lia).
    specialize (I _ Hs). apply andb_prop in I as [Ne Ip]. rewrite forallb_forall in Ip.
    assert (sets_of (thin sets) i = concepts (nodup row_dec (nth i sets []))) as ->.
    { unfold sets_of, thin. f_equal. apply (map_nth (nodup row_dec) sets []). }
    split; [|split].
    + destruct (nth i sets []) as [|h H] eqn:En; [discriminate|]. intros Z0.
      assert (In (of_row h) (concepts (nodup row_dec (h :: H)))) as X.
      { apply in_map. apply nodup_In. left. reflexivity. }
      rewrite Z0 in X. destruct X.
    + unfold concepts. rewrite map_length. apply max_spec. apply (in_map (@length (list bool))).
      apply (in_map (nodup row_dec)), Hs.
    + intros h Hh. apply in_map_iff in Hh as [r [<- Hr]]. apply nodup_In in Hr. specialize (Ip r Hr).
      unfold its_pool, pool_class, listed_in in *. destruct (pool q) as [P|]; [|exact Logic.I].
      apply existsb_exists in Ip as [g [Hg Eg]]. destruct (row_dec g r) as [->|]; [|discriminate].
      exists (of_row r). split; [apply in_map, Hg|intros x _; reflexivity].
  - intros f D Cf LD. eapply Qle_trans; [|apply (F f D Cf LD)]. apply Qle_lteq. right. apply sum_ext.
    intros i Hi. assert (sets_of (thin sets) i = concepts (nodup row_dec (nth i sets []))) as ->.
    { unfold sets_of, thin. f_equal. apply (map_nth (nodup row_dec) sets []). }
    rewrite fails_thin. reflexivity.
Qed.
