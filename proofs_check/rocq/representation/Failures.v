(* How likely a set of hypotheses fails that is drawn from several: from below by a distribution, from
   above by a mixture that takes from every set as much as it is drawn, or by trees over the sets. *)
From Coq Require Import String List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Json Certificate Representations.
Import ListNotations.
Local Open Scope Z_scope.

Definition sets_of (sets : list (list (list bool))) (i : nat) : list concept := concepts (nth i sets []).

(* ---- failing ---- *)

Lemma at_most_iff x t v (m : Q) : 0 < t -> (m * inject_Z t == inject_Z x)%Q ->
  (m <= v)%Q <-> at_most x t v = true.
Proof.
  intros Ht E. split; [|apply at_most_spec; assumption]. intros L. apply Z.leb_le.
  apply (Qmult_le_compat_r _ _ (inject_Z t)) in L.
  - rewrite E in L. unfold Qle in L. cbn in L. rewrite ?Z.mul_1_r, ?Pos.mul_1_r in L. exact L.
  - change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia.
Qed.

Definition fails_on (d : list Z) (f : list bool) (e : Q) (H : list (list bool)) : bool :=
  forallb (fun h => negb (at_most (covered d (differ h f)) (total d) e)) H.

Lemma fails_on_spec n d f e H : is_law d = true -> length d = n -> length f = n -> wide n H = true ->
  fails n (share d) (of_row f) e (concepts H) = fails_on d f e H.
Proof.
  intros L Ed Ef W. unfold fails, fails_on, concepts. induction H as [|h H IH]; [reflexivity|].
  cbn [map forallb]. cbn [wide forallb] in W. apply andb_prop in W as [Eh W]. apply Nat.eqb_eq in Eh.
  rewrite (IH W). f_equal. f_equal. pose proof (error_of_row n d h f L Ed Eh Ef) as E.
  pose proof (at_most_iff _ _ e _ (total_lt d L) E) as I.
  destruct (Qle_bool _ e) eqn:B, (at_most _ _ e) eqn:A; try reflexivity; exfalso.
  - apply Qle_bool_iff in B. apply I in B. congruence.
  - destruct I as [_ I]. apply Qle_bool_iff in I; [congruence|reflexivity].
Qed.

Lemma fails_spec n D f e H h : fails n D f e H = true -> In h H -> (e < disagreement n D h f)%Q.
Proof.
  unfold fails. rewrite forallb_forall. intros F I. specialize (F h I). apply negb_true_iff in F.
  destruct (Qlt_le_dec e (disagreement n D h f)) as [L|L]; [exact L|].
  apply Qle_bool_iff in L. congruence.
Qed.

Lemma fails_same n D f g e H : same n f g -> fails n D f e H = fails n D g e H.
Proof.
  intros S. unfold fails. induction H as [|h H IH]; [reflexivity|]. cbn [forallb]. rewrite IH. f_equal. f_equal.
  pose proof (disagreement_same n D h f g S) as E.
  destruct (Qle_bool _ e) eqn:A, (Qle_bool (disagreement n D h g) e) eqn:B; try reflexivity; exfalso.
  - apply Qle_bool_iff in A. rewrite E in A. apply Qle_bool_iff in A. congruence.
  - apply Qle_bool_iff in B. rewrite <- E in B. apply Qle_bool_iff in B. congruence.
Qed.

(* ---- from below ---- *)

Definition check_failing n rows e sets ws v (c : nat) (d : list Z) : bool :=
  let f := nth c rows [] in
  (c <? length rows)%nat && is_law d && (length d =? n)%nat && (length f =? n)%nat
  && forallb (wide n) sets && is_law ws && (length ws =? length sets)%nat
  && Qeq_bool (over (covered ws (map (fails_on d f e) sets)) (total ws)) v.

Lemma share_covered ws (b : nat -> bool) l : is_law ws = true -> length l = length ws ->
  (forall i, (i < length ws)%nat -> b i = nth i l false) ->
  (sum (length ws) (fun i => share ws i * chance (b i)) * inject_Z (total ws) == inject_Z (covered ws l))%Q.
Proof.
  intros L E B. rewrite <- mean_covered by assumption. apply Qmult_comp; [|reflexivity].
  apply sum_ext. intros i Hi. rewrite (B i Hi). reflexivity.
Qed.

Theorem check_failing_sound n rows e sets ws v c d : check_failing n rows e sets ws v c d = true ->
  forall z, represents_randomly n (table n (concepts rows)) (length ws) (share ws) (sets_of sets) e z -> (v <= z)%Q.
Proof.
  unfold check_failing. intros K z R. apply andb_prop in K as [K Q]. apply andb_prop in K as [K Ew].
  apply andb_prop in K as [K Lw]. apply andb_prop in K as [K W]. apply andb_prop in K as [K Ef].
  apply andb_prop in K as [K E]. apply andb_prop in K as [I L].
  apply Nat.eqb_eq in E, Ef, Ew. apply Nat.ltb_lt in I. apply Qeq_bool_iff in Q. rewrite <- Q.
  rewrite forallb_forall in W.
  specialize (R _ (share d) (row_in_table n rows c I)). rewrite <- E in R at 1.
  specialize (R (share_law d L)). eapply Qle_trans; [|exact R].
  apply at_least_over; [apply total_lt, Lw|]. apply Qeq_bool_iff in Q.
  rewrite (share_covered ws _ (map (fails_on d (nth c rows []) e) sets) Lw); [apply Qle_refl|rewrite map_length; lia|].
  intros i Hi. rewrite (nth_indep _ false (fails_on d (nth c rows []) e [])) by (rewrite map_length; lia).
  rewrite (map_nth (fails_on d (nth c rows []) e)).
  apply fails_on_spec; try assumption. apply W, nth_In. lia.
Qed.

(* ---- from above, by trees: the next set fails or not, or a hypothesis errs too much or not, a mixture of
   all that do refutes it, or what fails or is not decided has some weight ---- *)

Inductive step := Next | Suppose (h : list bool) | Close | Refute (weights : list Z).

(* g differs from f at most where h does *)
Fixpoint within (f h g : list bool) : bool :=
  match f, h, g with
  | [], [], [] => true
  | a :: f', b :: h', c :: g' => (eqb a c || negb (eqb a b)) && within f' h' g'
  | _, _, _ => false
  end.
Definition passes (f h : list bool) (H : list (list bool)) : bool := existsb (within f h) H.

Lemma within_spec : forall f h g, within f h g = true -> forall x, xorb (nth x g false) (nth x f false) = true ->
  xorb (nth x h false) (nth x f false) = true.
Proof.
  induction f as [|a f IH]; intros [|b h] [|c g] W x D; try discriminate W; [destruct x; exact D|].
  cbn [within] in W. apply andb_prop in W as [A W]. destruct x as [|x]; cbn [nth] in *; [|apply (IH _ _ W), D].
  destruct a, b, c; cbn in *; congruence.
Qed.

Lemma within_errs n D f h g : law n D -> within f h g = true ->
  (disagreement n D (of_row g) (of_row f) <= disagreement n D (of_row h) (of_row f))%Q.
Proof.
  intros [N _] W. unfold disagreement. apply sum_le. intros x Hx. specialize (N x Hx).
  pose proof (within_spec _ _ _ W x) as S. unfold of_row.
  destruct (xorb (nth x g false) _); [rewrite S by reflexivity; apply Qle_refl|].
  cbn [chance]. rewrite Qmult_0_r. apply Qmult_le_0_compat; [exact N|].
  destruct (xorb _ _); cbn [chance]; discriminate.
Qed.

Definition refutes n e failing (f : list bool) w : bool :=
  match mixed n failing (f, w) with Some v => Qle_bool v e | None => false end.

Definition undecided := list (list (list bool) * Z).
Fixpoint walk n e f (nodes : list step) (cases : list (undecided * list (list bool) * Z)) (most : Z) : option Z :=
  match nodes, cases with
  | [], [] => Some most
  | node :: nodes', (u, failing, weight) :: cases' =>
      match node with
      | Next => match u with
                | (H, z) :: u' => walk n e f nodes' ((u', failing ++ H, weight) :: (u', failing, weight - z) ::
                    cases') most
                | [] => None
                end
      | Suppose h =>
          let '(passed, kept) := partition (fun p => passes f h (fst p)) u in
          walk n e f nodes' ((u, failing ++ [h], weight) ::
            (kept, failing, weight - total (map snd passed)) :: cases') most
      | Close => walk n e f nodes' cases' (Z.max most weight)
      | Refute w => if refutes n e failing f w then walk n e f nodes' cases' most else None
      end
  | _, _ => None
  end.

Definition passing n D f e (u : undecided) : Z :=
  fold_right (fun p s => (if fails n D f e (concepts (fst p)) then 0 else snd p) + s) 0 u.

Lemma refutes_spec n e failing f w D : refutes n e failing f w = true -> law n D ->
  exists h, In h failing /\ (disagreement n D (of_row h) (of_row f) <= e)%Q.
Proof.
  unfold refutes. intros R LD. destruct (mixed _ _ _) as [u|] eqn:M; [|discriminate].
  apply Qle_bool_iff in R. unfold mixed, given in M. destruct (_ && _) eqn:G; [|discriminate].
  injection M as <-.
  apply andb_prop in G as [G F]. apply andb_prop in G as [G W]. apply andb_prop in G as [L Lw].
  apply Nat.eqb_eq in F. apply Nat.eqb_eq in Lw.
  destruct (some_le_mean (length w) (share w) (fun j => disagreement n D (of_row (nth j failing [])) (of_row f)) e)
    as [j [Hj B]].
  - apply share_law, L.
  - eapply Qle_trans; [|exact R]. apply at_most_over; [apply total_lt, L|]. apply mixture_errs; assumption.
  - exists (nth j failing []). split; [apply nth_In; lia|exact B].
Qed.

Lemma passing_nonneg n D f e u : (forall p, In p u -> 0 <= snd p) -> 0 <= passing n D f e u.
Proof.
  induction u as [|[H z] u IH]; intros N; cbn [passing fold_right fst snd]; [lia|].
  fold (passing n D f e u). pose proof (N (H, z) (or_introl eq_refl)) as Nz. cbn [snd] in Nz.
  specialize (IH (fun p I => N p (or_intror I))). destruct (fails _ _ _ _ _); lia.
Qed.

Lemma passes_spec n D f h e H : law n D -> passes f h H = true ->
  (disagreement n D (of_row h) (of_row f) <= e)%Q -> fails n D (of_row f) e (concepts H) = false.
Proof.
  intros L P B. destruct (fails n D (of_row f) e (concepts H)) eqn:F; [|reflexivity]. exfalso.
  apply existsb_exists in P as [g [Hg W]].
  pose proof (fails_spec _ _ _ _ _ (of_row g) F (in_map of_row _ _ Hg)) as T.
  pose proof (within_errs n D f h g L W). lra.
Qed.

Lemma passing_partition n D f e b : forall u passed kept, partition b u = (passed, kept) ->
  (forall p, In p u -> b p = true -> fails n D f e (concepts (fst p)) = false) ->
  passing n D f e u = total (map snd passed) + passing n D f e kept.
Proof.
  induction u as [|[H z] u IH]; intros passed kept E B; cbn [partition] in E.
  - injection E as <- <-. reflexivity.
  - destruct (partition b u) as [g k] eqn:P. specialize (IH g k eq_refl (fun p I => B p (or_intror I))).
    cbn [passing fold_right fst snd]. fold (passing n D f e u). destruct (b (H, z)) eqn:T; injection E as <- <-.
    + pose proof (B (H, z) (or_introl eq_refl) T) as F. cbn [fst] in F. rewrite F, IH.
      unfold total. cbn [map fold_right snd]. lia.
    + cbn [passing fold_right fst snd]. fold (passing n D f e k). rewrite IH. lia.
Qed.

Lemma in_partition {A} (b : A -> bool) u passed kept x : partition b u = (passed, kept) -> In x kept -> In x u.
Proof. intros E I. apply (elements_in_partition b u E). right. exact I. Qed.

Definition fair n D f e M (c : undecided * list (list bool) * Z) : Prop :=
  let '(u, failing, weight) := c in (forall p, In p u -> 0 <= snd p) ->
  (forall h, In h failing -> (e < disagreement n D (of_row h) (of_row f))%Q) ->
  weight - passing n D (of_row f) e u <= M.

Lemma walk_sound n e f D M : law n D -> forall nodes cases most, walk n e f nodes cases most = Some M ->
  most <= M /\ Forall (fair n D f e M) cases.
Proof.
  intros LD. induction nodes as [|node nodes IH]; intros [|[[u failing] weight] cases] most E;
    cbn [walk] in E; try discriminate.
  - injection E as <-. split; [lia|constructor].
  - destruct node as [|h| |w].
    + destruct u as [|[H z] u]; [discriminate|]. apply IH in E as [L F].
      inversion F as [|? ? F1 F']; subst. inversion F' as [|? ? F2 F'']; subst.
      split; [exact L|]. constructor; [|exact F'']. intros N B. cbn [fair] in F1, F2.
      assert (forall p, In p u -> 0 <= snd p) as N' by (intros p I; apply N; right; exact I).
      cbn [passing fold_right fst snd]. fold (passing n D (of_row f) e u).
      destruct (fails n D (of_row f) e (concepts H)) eqn:Fl.
      * assert (weight - passing n D (of_row f) e u <= M); [|lia]. apply F1; [exact N'|].
        intros h Hh. apply in_app_or in Hh as [Hh|Hh]; [apply B, Hh|].
        eapply fails_spec; [exact Fl|]. apply in_map, Hh.
      * specialize (F2 N' B). lia.
    + destruct (partition _ u) as [passed kept] eqn:P. apply IH in E as [L F].
      inversion F as [|? ? F1 F']; subst. inversion F' as [|? ? F2 F'']; subst.
      split; [exact L|]. constructor; [|exact F'']. intros N B. cbn [fair] in F1, F2.
      destruct (Qlt_le_dec e (disagreement n D (of_row h) (of_row f))) as [A|A].
      * apply F1; [exact N|]. intros g Hg. apply in_app_or in Hg as [Hg|[<-|[]]]; [apply B, Hg|exact A].
      * rewrite (passing_partition n D (of_row f) e _ u passed kept P).
        2: { intros p _ T. exact (passes_spec n D f h e (fst p) LD T A). }
        assert (weight - total (map snd passed) - passing n D (of_row f) e kept <= M); [|lia].
        apply F2; [|exact B]. intros p Hp. exact (N p (in_partition _ _ _ _ _ P Hp)).
    + apply IH in E as [L F]. split; [lia|]. constructor; [|exact F]. intros N B.
      pose proof (passing_nonneg n D (of_row f) e u N). lia.
    + destruct (refutes n e failing f w) eqn:R; [|discriminate]. apply IH in E as [L F].
      split; [exact L|]. constructor; [|exact F]. intros N B. exfalso.
      destruct (refutes_spec _ _ _ _ _ D R LD) as [h [Hh Lh]]. specialize (B h Hh). lra.
Qed.

Definition well_drawn n sets ws : bool :=
  forallb (wide n) sets && is_law ws && (length ws =? length sets)%nat.
Definition branching n (rows : list (list bool)) e sets ws (trees : list (list step)) : option Q :=
  match each (fun t => walk n e (fst t) (snd t) [(combine sets ws, [], total ws)] 0) (combine rows trees) with
  | Some l => given (well_drawn n sets ws && (length trees =? length rows)%nat) (Some (over (largest l) (total ws)))
  | None => None
  end.

Lemma covered_passing n D f e : forall ws sets, length ws = length sets ->
  covered ws (map (fun H => fails n D f e (concepts H)) sets) = total ws - passing n D f e (combine sets ws).
Proof.
  induction ws as [|w ws IH]; intros [|H sets] E; try discriminate; [reflexivity|].
  injection E as E. cbn [map covered combine passing fold_right fst snd].
  fold (passing n D f e (combine sets ws)). rewrite (IH sets E). unfold total. cbn [fold_right].
  destruct (fails n D f e (concepts H)); lia.
Qed.

Lemma law_nonneg ws : is_law ws = true -> forall w, In w ws -> 0 <= w.
Proof.
  intros L w H. apply andb_prop in L as [L _]. rewrite forallb_forall in L. apply Z.leb_le, L, H.
Qed.

Lemma sets_fail n D f e sets ws : is_law ws = true -> length ws = length sets ->
  (sum (length ws) (fun i => share ws i * chance (fails n D f e (sets_of sets i))) * inject_Z (total ws)
   == inject_Z (covered ws (map (fun H => fails n D f e (concepts H)) sets)))%Q.
Proof.
  intros L E. apply share_covered; [exact L|rewrite map_length; auto|]. intros i Hi.
  rewrite (nth_indep _ false (fails n D f e (concepts []))) by (rewrite map_length; lia).
  rewrite (map_nth (fun H => fails n D f e (concepts H))). reflexivity.
Qed.

Lemma same_failures n D f g e k p H : same n f g ->
  (sum k (fun i => p i * chance (fails n D f e (H i))) == sum k (fun i => p i * chance (fails n D g e (H i))))%Q.
Proof. intros S. apply sum_ext. intros i _. rewrite (fails_same _ _ _ _ _ _ S). reflexivity. Qed.

Theorem branching_sound n rows e sets ws trees v : branching n rows e sets ws trees = Some v ->
  represents_randomly n (table n (concepts rows)) (length ws) (share ws) (sets_of sets) e v.
Proof.
  unfold branching. intros K f D Hf LD. destruct (each _ _) as [l|] eqn:M; [|discriminate].
  unfold given in K. destruct (_ && _) eqn:G; [|discriminate]. injection K as <-.
  apply andb_prop in G as [G E]. apply andb_prop in G as [G Ew]. apply andb_prop in G as [_ L].
  apply Nat.eqb_eq in E, Ew. apply in_table in Hf as [r [Hr S]]. rewrite (same_failures _ _ _ _ _ _ _ _ S).
  destruct (in_combine rows trees r E Hr) as [t Ht].
  destruct (each_spec _ _ _ M _ Ht) as [z [W I]]. cbn [fst snd] in W.
  apply at_most_over; [apply total_lt, L|]. rewrite sets_fail by assumption. rewrite <- Zle_Qle.
  apply largest_spec in I. rewrite covered_passing by exact Ew.
  apply (walk_sound n e r D z LD) in W as [_ F]. inversion F as [|? ? F1 _]; subst. cbn [fair] in F1.
  eapply Z.le_trans; [apply F1|exact I].
  - intros [H w] Hp. apply in_combine_r in Hp. apply (law_nonneg ws L w Hp).
  - intros h [].
Qed.

(* ---- from above, by selection: Markov's inequality ---- *)

Fixpoint parts (sets : list (list (list bool))) (p : list Z) : list Z :=
  match sets with [] => [] | H :: sets' => total (firstn (length H) p) :: parts sets' (skipn (length H) p) end.
Definition fair_shares (t : Z) (all : Z) (parts ws : list Z) : bool :=
  forallb (fun z => fst z * t =? all * snd z) (combine parts ws).
Definition selected n sets ws (fp : list bool * list Z) : option Q :=
  given (fair_shares (total ws) (total (snd fp)) (parts sets (snd fp)) ws) (mixed n (concat sets) fp).
Definition markov (e v : Q) : option Q :=
  if Qle_bool e 0 then given (Qeq_bool e 0) (Some (if Qeq_bool v 0 then 0 else 1)%Q)
  else Some (if Qle_bool 1 (v / e) then 1%Q else (v / e)%Q).
Definition selection n (rows : list (list bool)) e sets ws (weights : list (list Z)) : option Q :=
  match each (selected n sets ws) (combine rows weights) with
  | Some l => given (well_drawn n sets ws && (length weights =? length rows)%nat) (markov e (greatest l))
  | None => None
  end.

Section Selection.
Variables (err : list bool -> Q) (e : Q).
Hypothesis err_nonneg : forall h, (0 <= err h)%Q.
Fixpoint weighed (p : list Z) (H : list (list bool)) : Q :=
  match p, H with a :: p', h :: H' => inject_Z a * err h + weighed p' H' | _, _ => 0 end%Q.
Definition bad (H : list (list bool)) : Prop := forall h, In h H -> (e < err h)%Q.
Variable is_bad : list (list bool) -> bool.
Hypothesis is_bad_spec : forall H, is_bad H = true -> bad H.

Definition nonneg (p : list Z) : Prop := forall a, In a p -> 0 <= a.

Lemma inject_nonneg a : 0 <= a -> (0 <= inject_Z a)%Q.
Proof. intros H. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. exact H. Qed.

Lemma weighed_nonneg : forall p H, nonneg p -> (0 <= weighed p H)%Q.
Proof.
  induction p as [|a p IH]; intros [|h H] N; cbn [weighed]; try apply Qle_refl.
  specialize (IH H (fun b I => N b (or_intror I))).
  pose proof (inject_nonneg a (N a (or_introl eq_refl))). pose proof (err_nonneg h). nra.
Qed.

Lemma weighed_cut : forall p H G, (weighed p (H ++ G)
  == weighed (firstn (length H) p) H + weighed (skipn (length H) p) G)%Q.
Proof.
  induction p as [|a p IH]; intros [|h H] G; cbn [app length firstn skipn weighed]; try ring.
  rewrite IH. ring.
Qed.

Lemma bad_weighed : forall p H, nonneg p -> (length p <= length H)%nat -> bad H ->
  (e * inject_Z (total p) <= weighed p H)%Q.
Proof.
  induction p as [|a p IH]; intros H N E B.
  { change (inject_Z (total [])) with 0%Q. cbn [weighed]. lra. }
  destruct H as [|h H]; cbn [weighed length] in *; [lia|].
  specialize (IH H (fun b I => N b (or_intror I)) ltac:(lia) (fun g I => B g (or_intror I))).
  pose proof (inject_nonneg a (N a (or_introl eq_refl))). pose proof (B h (or_introl eq_refl)).
  unfold total in *. cbn [fold_right]. rewrite inject_Z_plus. nra.
Qed.

Lemma nonneg_total p : nonneg p -> 0 <= total p.
Proof.
  unfold total. induction p as [|a p IH]; intros N; cbn [fold_right]; [lia|].
  specialize (IH (fun b I => N b (or_intror I))). pose proof (N a (or_introl eq_refl)). lia.
Qed.

Lemma bad_weighed_zero : (0 <= e)%Q -> forall p H, nonneg p -> (length p <= length H)%nat -> bad H ->
  (weighed p H <= 0)%Q -> total p = 0.
Proof.
  intros Pe. induction p as [|a p IH]; intros [|h H] N E B Z; cbn [weighed length] in *; try reflexivity; try lia.
  pose proof (weighed_nonneg p H (fun b I => N b (or_intror I))).
  pose proof (N a (or_introl eq_refl)) as Na. pose proof (inject_nonneg a Na) as Qa.
  pose proof (B h (or_introl eq_refl)) as Bh.
  assert (a = 0) as ->.
  { assert (inject_Z a <= 0)%Q as A by nra. change 0%Q with (inject_Z 0) in A. rewrite <- Zle_Qle in A. lia. }
  unfold total in *. cbn [fold_right].
  rewrite (IH H (fun b I => N b (or_intror I)) ltac:(lia) (fun g I => B g (or_intror I))); [reflexivity|].
  assert (inject_Z 0 * err h == 0)%Q by (change (inject_Z 0) with 0%Q; ring). lra.
Qed.

Lemma nonneg_firstn k p : nonneg p -> nonneg (firstn k p).
Proof. intros N a I. apply N. rewrite <- (firstn_skipn k p). apply in_or_app. left. exact I. Qed.
Lemma nonneg_skipn k p : nonneg p -> nonneg (skipn k p).
Proof. intros N a I. apply N. rewrite <- (firstn_skipn k p). apply in_or_app. right. exact I. Qed.

Lemma bad_parts : forall sets p, nonneg p ->
  (e * inject_Z (covered (parts sets p) (map is_bad sets)) <= weighed p (concat sets))%Q.
Proof.
  induction sets as [|H sets IH]; intros p N; cbn [parts map covered concat].
  - change (inject_Z 0) with 0%Q. pose proof (weighed_nonneg p [] N). lra.
  - rewrite weighed_cut, inject_Z_plus, Qmult_plus_distr_r.
    apply Qplus_le_compat; [|apply IH, nonneg_skipn, N].
    destruct (is_bad H) eqn:B.
    + apply bad_weighed; [apply nonneg_firstn, N|rewrite firstn_length; lia|apply is_bad_spec, B].
    + change (inject_Z 0) with 0%Q.
      pose proof (weighed_nonneg (firstn (length H) p) H (nonneg_firstn _ _ N)). lra.
Qed.

Lemma bad_parts_zero : (0 <= e)%Q -> forall sets p, nonneg p -> (weighed p (concat sets) <= 0)%Q ->
  covered (parts sets p) (map is_bad sets) = 0.
Proof.
  intros Pe. induction sets as [|H sets IH]; intros p N Z; cbn [parts map covered concat] in *; [reflexivity|].
  rewrite weighed_cut in Z.
  pose proof (weighed_nonneg (firstn (length H) p) H (nonneg_firstn _ _ N)).
  pose proof (weighed_nonneg (skipn (length H) p) (concat sets) (nonneg_skipn _ _ N)).
  rewrite IH; [|apply nonneg_skipn, N|lra]. destruct (is_bad H) eqn:B; [|reflexivity].
  rewrite (bad_weighed_zero Pe (firstn (length H) p) H); [reflexivity|apply nonneg_firstn, N
    |rewrite firstn_length; lia|apply is_bad_spec, B|lra].
Qed.
End Selection.

Lemma fair_covered t all : forall ps ws l, length ps = length ws -> fair_shares t all ps ws = true ->
  covered ps l * t = all * covered ws l.
Proof.
  unfold fair_shares. induction ps as [|p ps IH]; intros [|w ws] l E F; try discriminate; [cbn; lia|].
  injection E as E. cbn [combine forallb fst snd] in F. apply andb_prop in F as [Fp F]. apply Z.eqb_eq in Fp.
  destruct l as [|b l]; cbn [covered]; [lia|]. specialize (IH ws l E F). destruct b; lia.
Qed.

Lemma length_parts : forall sets p, length (parts sets p) = length sets.
Proof. induction sets as [|H sets IH]; intros p; cbn [parts length]; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma weighed_sum err : forall p H, length p = length H -> (sum (length p) (fun j =>
  inject_Z (nth j p 0%Z) * err (nth j H [])) == weighed err p H)%Q.
Proof.
  induction p as [|a p IH]; intros [|h H] E; try discriminate; [reflexivity|].
  injection E as E. cbn [length]. rewrite sum_shift. cbn [nth weighed]. rewrite (IH H E). reflexivity.
Qed.

Theorem selection_sound n rows e sets ws weights v : selection n rows e sets ws weights = Some v ->
  represents_randomly n (table n (concepts rows)) (length ws) (share ws) (sets_of sets) e v.
Proof.
  unfold selection. intros K f D Hf LD. destruct (each _ _) as [l|] eqn:M; [|discriminate].
  unfold given in K. destruct (_ && _) eqn:G; [|discriminate].
  apply andb_prop in G as [G E]. apply andb_prop in G as [G Ew]. apply andb_prop in G as [_ L].
  apply Nat.eqb_eq in E, Ew. apply in_table in Hf as [r [Hr S]]. rewrite (same_failures _ _ _ _ _ _ _ _ S).
  destruct (in_combine rows weights r E Hr) as [p Hp].
  destruct (each_spec _ _ _ M _ Hp) as [u [U I]]. unfold selected, given in U. cbn [snd] in U.
  destruct (fair_shares _ _ _ _) eqn:Fs; [|discriminate].
  unfold mixed, given in U. destruct (_ && _) eqn:G'; [|discriminate]. injection U as U.
  apply andb_prop in G' as [G' F]. apply andb_prop in G' as [G' W]. apply andb_prop in G' as [Lp Lc].
  apply Nat.eqb_eq in F, Lc.
  set (err h := disagreement n D (of_row h) (of_row r)).
  set (bads := map (fun H => fails n D (of_row r) e (concepts H)) sets).
  pose proof (sets_fail n D (of_row r) e sets ws L Ew) as Fail. fold bads in Fail.
  set (X := sum (length ws) _) in *.
  assert (forall h, (0 <= err h)%Q) as Nerr by (intros h; apply disagreement_nonneg, LD).
  assert (nonneg p) as Np by (intros a Ha; apply (law_nonneg p Lp a Ha)).
  assert (forall H, fails n D (of_row r) e (concepts H) = true -> bad err e H) as Bad.
  { intros H B h Hh. eapply fails_spec; [exact B|]. apply in_map, Hh. }
  pose proof (total_pos p Lp) as Tp. pose proof (total_pos ws L) as Tw.
  assert (weighed err p (concat sets) <= u * inject_Z (total p))%Q as Wu.
  { rewrite <- weighed_sum by exact Lc. pose proof (mixture_errs n _ r p D Lp Lc W F LD) as Mx.
    rewrite <- (over_spec (disagrees n (concat sets) r p) _ (total_lt p Lp)), U in Mx. eapply Qle_trans; [|exact Mx].
    rewrite Qmult_comm, <- sum_scale. apply sum_le. intros j Hj. unfold share. fold (err (nth j (concat sets) [])).
    apply Qle_lteq. right. field. lra. }
  assert (u <= greatest l)%Q as Ug by (apply greatest_spec, I).
  assert (covered (parts sets p) bads * total ws = total p * covered ws bads) as Cov.
  { apply fair_covered; [rewrite length_parts; auto|exact Fs]. }
  assert (inject_Z (covered (parts sets p) bads) == inject_Z (total p) * X)%Q as CovQ.
  { assert (inject_Z (covered (parts sets p) bads) * inject_Z (total ws)
      == inject_Z (total p) * (X * inject_Z (total ws)))%Q as C2.
    { rewrite Fail, <- !inject_Z_mult, Cov. reflexivity. }
    apply (Qmult_inj_r _ _ (inject_Z (total ws))); [lra|]. rewrite C2. ring. }
  assert (X <= 1)%Q as X1.
  { apply mean_le; [apply share_law, L|]. intros i _. unfold chance. destruct (fails _ _ _ _ _); lra. }
  unfold markov in K. destruct (Qle_bool e 0) eqn:E0.
  - unfold given in K. destruct (Qeq_bool e 0) eqn:E1; [|discriminate]. apply Qeq_bool_iff in E1.
    injection K as <-. destruct (Qeq_bool (greatest l) 0) eqn:V0; [|exact X1].
    apply Qeq_bool_iff in V0.
    assert (weighed err p (concat sets) <= 0)%Q as W0 by nra.
    assert (0 <= e)%Q as Pe by lra.
    pose proof (bad_parts_zero err e Nerr _ Bad Pe sets p Np W0) as Z0. fold bads in Z0.
    rewrite Z0 in CovQ. change (inject_Z 0) with 0%Q in CovQ. nra.
  - assert (0 < e)%Q as Pe.
    { destruct (Qlt_le_dec 0 e) as [Pe|Pe]; [exact Pe|]. apply Qle_bool_iff in Pe. congruence. }
    assert (X <= greatest l / e)%Q as Xe.
    { apply Qle_shift_div_l; [exact Pe|].
      pose proof (bad_parts err e Nerr _ Bad sets p Np) as B. fold bads in B. rewrite CovQ in B.
      apply (Qmult_le_l _ _ (inject_Z (total p))); [exact Tp|]. nra. }
    injection K as <-. destruct (Qle_bool 1 _); assumption.
Qed.

(* ---- certificates ---- *)

Record of_support := Support {
  points : nat; rows : list (list bool); allowed : Q; sets : list (list (list bool)); weights : list Z }.

Definition support_of (n : nat) (j : json) : option (list (list (list bool)) * list Z) :=
  match fields ["sets"; "weights"]%string j with
  | Some [s; w] =>
      let* s := list_of (set_of_rows n) s in
      let* w := law_of w in
      given (length w =? length s)%nat (Some (s, w))
  | _ => None
  end.
Definition drawn_of (instance : json) (values : list json) : option of_support :=
  match class_of row instance, values with
  | Some (_, n, rows), [e; s] =>
      let* e := probability e in
      let* (s, w) := support_of n s in
      Some (Support n rows e s w)
  | _, _ => None
  end.

Definition failing (q : of_support) v (name : string) (data : json) : bool :=
  let (c, d) := hard_of (length (rows q)) data in
  String.eqb name "hard_distribution"
  && check_failing (points q) (rows q) (allowed q) (sets q) (weights q) v c d.

Definition step_of (n : nat) (j : json) : option step :=
  match j with
  | Null => Some Next
  | Array [] => Some Close
  | Text _ => match row n j with Some h => Some (Suppose h) | None => None end
  | _ => match law_of j with Some w => Some (Refute w) | None => None end
  end.
(* the failure probability that a proof from above proves *)
Definition failure_at_most (q : of_support) (name : string) (data : json) : option Q :=
  if String.eqb name "selection" then
    match fields ["weights"]%string data with
    | Some [w] => let* w := list_of law_of w in
                  selection (points q) (rows q) (allowed q) (sets q) (weights q) w
    | _ => None
    end
  else if String.eqb name "branching" then
    match fields ["trees"]%string data with
    | Some [t] => let* t := list_of (list_of (step_of (points q))) t in
                  branching (points q) (rows q) (allowed q) (sets q) (weights q) t
    | _ => None
    end
  else None.
Definition is_failure (q : of_support) v (name : string) (data : json) : bool :=
  match failure_at_most q name data with Some u => Qeq_bool u v | None => false end.

Lemma represents_randomly_le n C k p H e v w : (v <= w)%Q ->
  represents_randomly n C k p H e v -> represents_randomly n C k p H e w.
Proof. intros L R f D Cf LD. eapply Qle_trans; [apply R; assumption|exact L]. Qed.

Lemma failure_at_most_sound q name data v : failure_at_most q name data = Some v ->
  represents_randomly (points q) (table (points q) (concepts (rows q))) (length (weights q)) (share (weights q))
    (sets_of (sets q)) (allowed q) v.
Proof.
  unfold failure_at_most. destruct (String.eqb name "selection").
  - destruct (fields _ _) as [[|w [|]]|]; try discriminate.
    destruct (list_of law_of w) as [l|]; [|discriminate]. apply selection_sound.
  - destruct (String.eqb name "branching"); [|discriminate].
    destruct (fields _ _) as [[|w [|]]|]; try discriminate.
    destruct (list_of _ w) as [l|]; [|discriminate]. apply branching_sound.
Qed.

Definition probabilistic_representation : kind.
Proof.
  refine {|
    title := "probabilistic_representation"; parameters := ["error"; "support"]%string;
    ask := drawn_of; number := fraction;
    lower := failing; upper := is_failure;
    lower_means q v := forall d, represents_randomly (points q) (table (points q) (concepts (rows q)))
      (length (weights q)) (share (weights q)) (sets_of (sets q)) (allowed q) d -> (v <= d)%Q;
    upper_means q v := represents_randomly (points q) (table (points q) (concepts (rows q)))
      (length (weights q)) (share (weights q)) (sets_of (sets q)) (allowed q) v
  |}.
  - intros q v name data H. unfold failing in H. destruct (hard_of _ _) as [c d].
    apply andb_prop in H as [_ H]. eapply check_failing_sound, H.
  - intros q v name data H. unfold is_failure in H. destruct (failure_at_most q name data) as [u|] eqn:F;
      [|discriminate].
    apply Qeq_bool_iff in H. apply failure_at_most_sound in F. eapply represents_randomly_le; [|exact F].
    rewrite H. apply Qle_refl.
Defined.
