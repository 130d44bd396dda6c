(* How many examples private learners need: targets no two of which share a good answer. *)
From Coq Require Import String List ZArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Sums Mixture Json Certificate Representations Draws Learners.
From CCSim Require Import LearnerTables Simplices LearnerFailure PrivateFailure Exchange.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- chances of answers that exclude each other ---- *)

Record goal := Goal { aim_at : concept; under : nat -> Q; shared_with_first : nat -> Q; first_part : nat; excluded : Z }.

Section Packing.
Context (m n : nat) (C : class) (A : learner) (a factor b : Q) (U : Z) (f0 : concept) (D0 : nat -> Q).
Hypothesis (F : (1 <= factor)%Q) (HU : 0 < U).
Hypothesis (HA : is_learner m n A) (HP : is_private m n A factor 0) (HF : fails_at_most m n A C a b).
Hypothesis (C0 : C f0) (L0 : law m D0).
Definition hit f D (j : nat) : bool := is_good m D a (answer A j) f.
Definition chance_of (ev : nat -> bool) S : Q := sum (answers A) (fun j => answering A S j * chance (ev j))%Q.

Lemma steady_chance ev : steady m factor n (chance_of ev).
Proof.
  split.
  - intros S HS. apply law_event; [apply HA, HS|]. intros. apply chance_01.
  - intros S T HS HT N. pose proof (HP S T ev HS HT N) as H. rewrite Qplus_0_r in H. exact H.
Qed.
Lemma steady_rest ev : steady m factor n (fun S => 1 - chance_of ev S)%Q.
Proof.
  assert (forall S, sample m n S -> 1 - chance_of ev S == chance_of (fun j => negb (ev j)) S)%Q as E.
  { intros S HS. destruct (HA S HS) as [_ T]. unfold chance_of. rewrite <- T.
    rewrite (sum_ext _ (fun j => answering A S j * chance (negb (ev j)))%Q
      (fun j => answering A S j + (-1) * (answering A S j * chance (ev j)))%Q).
    - rewrite sum_plus, sum_scale. ring.
    - intros j _. destruct (ev j); cbn; ring. }
  destruct (steady_chance (fun j => negb (ev j))) as [P R]. split.
  - intros S HS. rewrite (E S HS). apply P, HS.
  - intros S T HS HT N. rewrite (E S HS), (E T HT). apply R; assumption.
Qed.

Definition at_first (ev : nat -> bool) : Q := drawn m D0 n (fun l => chance_of ev (labelled f0 l)).
Definition goal_ok (g : goal) := C (aim_at g) /\ law m (under g) /\
  overlap m (under g) D0 (aim_at g) f0 (shared_with_first g) /\ (first_part g <= n)%nat /\
  forall x, (0 <= x)%Q -> let r := growth (1 - sum m (shared_with_first g)) factor in
    (1 - pow r (first_part g) * b <= pow r (n - first_part g) * x)%Q -> (inject_Z (excluded g) <= x * inject_Z U)%Q.

Lemma goal_excluded g : goal_ok g -> (inject_Z (excluded g) <= at_first (hit (aim_at g) (under g)) * inject_Z U)%Q.
Proof.
  intros [Cg [Lg [O [S H]]]]. apply H.
  - apply drawn_nonneg; [exact L0|]. intros l R. apply steady_chance, labelled_sample, R.
  - pose proof (HF (aim_at g) (under g) Cg Lg) as Fg. set (s := first_part g) in *.
    assert (s + (n - s) = n)%nat as E by lia.
    pose proof (exchanged_chance m (under g) D0 (aim_at g) f0 (shared_with_first g) factor Lg L0 O F s (n - s)
      (chance_of (hit (aim_at g) (under g)))) as X. rewrite E in X.
    apply (X (steady_chance _) (steady_rest _)). unfold success in Fg. fold (hit (aim_at g) (under g)) in Fg.
    change (drawn m (under g) n (fun l => sum (answers A) (fun i => answering A (labelled (aim_at g) l) i
      * chance (Qle_bool (disagreement m (under g) (answer A i) (aim_at g)) a))%Q))
      with (drawn m (under g) n (fun l => chance_of (hit (aim_at g) (under g)) (labelled (aim_at g) l))) in Fg. lra.
Qed.

Theorem packed goals : (forall g, In g goals -> goal_ok g) ->
  (forall j, (j < answers A)%nat ->
     (chance (hit f0 D0 j) + lsum (fun g => chance (hit (aim_at g) (under g) j)) goals <= 1)%Q) ->
  (inject_Z (total (map excluded goals)) <= b * inject_Z U)%Q.
Proof.
  intros G X.
  assert (0 < inject_Z U)%Q as UQ by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact HU).
  assert (inject_Z (total (map excluded goals)) <= lsum (fun g => at_first (hit (aim_at g) (under g))) goals * inject_Z U)%Q as T.
  { clear X. induction goals as [|g goals IH]; [change (0 <= 0 * inject_Z U)%Q; rewrite Qmult_0_l; apply Qle_refl|].
    unfold total in *. cbn [map fold_right lsum].
    rewrite inject_Z_plus, Qmult_plus_distr_l. apply Qplus_le_compat; [apply goal_excluded, G; left; reflexivity|].
    apply IH. intros h Hh. apply G. right. exact Hh. }
  eapply Qle_trans; [exact T|]. apply Qmult_le_compat_r; [|lra].
  assert (1 - b <= at_first (hit f0 D0))%Q as B.
  { pose proof (HF f0 D0 C0 L0) as Fg. unfold success in Fg.
    change (drawn m D0 n (fun l => sum (answers A) (fun i => answering A (labelled f0 l) i
      * chance (Qle_bool (disagreement m D0 (answer A i) f0) a))%Q)) with (at_first (hit f0 D0)) in Fg. lra. }
  assert (at_first (hit f0 D0) + lsum (fun g => at_first (hit (aim_at g) (under g))) goals <= 1)%Q as Y; [|lra].
  unfold at_first. rewrite <- drawn_lsum, <- drawn_plus, <- (drawn_one m D0 n L0). apply drawn_le; [exact L0|].
  intros l R. unfold chance_of. rewrite lsum_sum, <- sum_plus.
  pose proof (HA _ (labelled_sample f0 m n l R)) as La.
  apply (Qle_trans _ (sum (answers A) (fun j => answering A (labelled f0 l) j
    * (chance (hit f0 D0 j) + lsum (fun g => chance (hit (aim_at g) (under g) j)) goals))%Q)).
  - apply sum_le. intros j Hj. rewrite lsum_scale, <- Qmult_plus_distr_r. apply Qle_refl.
  - apply mean_le; [exact La|exact X].
Qed.
End Packing.

(* ---- whether some function is good for two targets ---- *)

Definition aimed := (list bool * list Z)%type.
Definition most_wrong (a : Q) (D : list Z) : Z := Qnum a * total D / QDen a.
Fixpoint commons (d e : Z) (keep : list bool) (D E : list Z) : list Z :=
  match keep, D, E with
  | k :: keep', x :: D', y :: E' => (if k then Z.min (x * e) (y * d) else 0) :: commons d e keep' D' E'
  | _, _, _ => []
  end.

(* pairs of errors that are possible: of two, the smaller one is enough *)
Fixpoint merged_pairs (l : list (Z * Z)) : list (Z * Z) -> list (Z * Z) :=
  match l with
  | [] => fun k => k
  | x :: l' => fix insert k := match k with
      | [] => l
      | y :: k' => if fst x <=? fst y then x :: merged_pairs l' k else y :: insert k'
      end
  end.
Fixpoint thinned (a b : Z) (last : option (Z * Z)) (l : list (Z * Z)) : list (Z * Z) :=
  match l with
  | [] => []
  | (u, v) :: l' =>
      if (a <? u) || (b <? v) || match last with Some (u', v') => (u' <=? u) && (v' <=? v) | None => false end
      then thinned a b last l' else (u, v) :: thinned a b (Some (u, v)) l'
  end.
Fixpoint errors (a b : Z) (pairs : list (Z * Z)) (f g : list bool) (D E : list Z) : list (Z * Z) :=
  match f, g, D, E with
  | p :: f', q :: g', x :: D', y :: E' =>
      errors a b (if xorb p q && (0 <? x) && (0 <? y)
                  then thinned a b None (merged_pairs (map (fun e => (fst e + x, snd e)) pairs)
                                                      (map (fun e => (fst e, snd e + y)) pairs))
                  else pairs) f' g' D' E'
  | _, _, _, _ => pairs
  end.
Definition none_shared (acc : Q) (s t : aimed) : bool :=
  let (f, D) := s in
  let (g, E) := t in
  let (d, e) := (total D, total E) in
  let (a, b) := (most_wrong acc D, most_wrong acc E) in
  (a * e + b * d <? total (commons d e (zip xorb f g) D E))
  || match errors a b [(0, 0)] f g D E with [] => true | _ => false end.

Definition reaches (a b u v : Z) (l : list (Z * Z)) := exists x, In x l /\ fst x <= u /\ snd x <= v.
Lemma merged_pairs_in z : forall l k, In z l \/ In z k -> In z (merged_pairs l k).
Proof.
  induction l as [|x l IH]; intros k H; [destruct H; [contradiction|exact H]|].
  induction k as [|y k IHk]; cbn; [destruct H; [exact H|contradiction]|].
  destruct (fst x <=? fst y).
  - destruct H as [[->|H]|H]; [left; reflexivity|right; apply IH; auto|right; apply IH; auto].
  - destruct H as [H|[->|H]]; [right; apply IHk; auto|left; reflexivity|right; apply IHk; auto].
Qed.
Lemma thinned_reaches a b u v : u <= a -> v <= b -> forall l last,
  (exists x, In x l /\ fst x <= u /\ snd x <= v) -> reaches a b u v (thinned a b last l) \/
  match last with Some (u', v') => u' <= u /\ v' <= v | None => False end.
Proof.
  intros Hu Hv. induction l as [|[p q] l IH]; intros last [x [I [X Y]]]; [contradiction|]. cbn [thinned].
  destruct ((a <? p) || (b <? q) || _) eqn:Ck.
  - destruct I as [<-|I]; [|apply IH; exists x; auto]. cbn in X, Y. right.
    assert (a <? p = false) as A1 by (apply Z.ltb_ge; lia). assert (b <? q = false) as A2 by (apply Z.ltb_ge; lia).
    rewrite A1, A2 in Ck. cbn in Ck. destruct last as [[p' q']|]; [|discriminate].
    apply andb_prop in Ck as [K1 K2]. apply Z.leb_le in K1, K2. lia.
  - left. destruct I as [<-|I]; [exists (p, q); cbn; auto|].
    destruct (IH (Some (p, q)) (ex_intro _ x (conj I (conj X Y)))) as [[z [Iz Z]]|Z].
    + exists z. split; [right; exact Iz|exact Z].
    + exists (p, q). cbn. auto.
Qed.

Lemma covered_nonneg : forall D s, forallb (Z.leb 0) D = true -> 0 <= covered D s.
Proof.
  induction D as [|x D IH]; intros [|b s] H; cbn in *; try lia. apply andb_prop in H as [X H].
  specialize (IH s H). apply Z.leb_le in X. destruct b; lia.
Qed.
Lemma errors_reaches a b : forall h f g D E pairs u v, length f = length h -> length g = length h ->
  length D = length h -> length E = length h -> forallb (Z.leb 0) D = true -> forallb (Z.leb 0) E = true ->
  reaches a b u v pairs -> u + covered D (zip xorb h f) <= a -> v + covered E (zip xorb h g) <= b ->
  errors a b pairs f g D E <> [].
Proof.
  induction h as [|c h IH]; intros [|p f] [|q g] [|x D] [|y E] pairs u v Lf Lg LD LE ND NE R Hu Hv; try discriminate.
  - destruct R as [z [I _]]. cbn. intros ->. contradiction.
  - cbn [errors zip covered forallb] in *. apply andb_prop in ND as [Nx ND]. apply andb_prop in NE as [Ny NE].
    apply Z.leb_le in Nx, Ny. pose proof (covered_nonneg D (zip xorb h f) ND) as CD.
    pose proof (covered_nonneg E (zip xorb h g) NE) as CE.
    injection Lf as Lf. injection Lg as Lg. injection LD as LD. injection LE as LE.
    destruct (xorb p q && (0 <? x) && (0 <? y)) eqn:K.
    + apply andb_prop in K as [K _]. apply andb_prop in K as [K _]. destruct R as [z [I [Z1 Z2]]].
      set (u' := u + if xorb c p then x else 0). set (v' := v + if xorb c q then y else 0).
      apply (IH f g D E _ u' v'); auto; try (unfold u', v'; lia).
      assert (u' <= a) as Ha by (unfold u'; lia). assert (v' <= b) as Hb by (unfold v'; lia).
      assert (exists w, In w (merged_pairs (map (fun e => (fst e + x, snd e)) pairs) (map (fun e => (fst e, snd e + y)) pairs))
        /\ fst w <= u' /\ snd w <= v') as W.
      { unfold u', v'. destruct p, q, c; try discriminate; cbn [xorb];
          first [exists (fst z + x, snd z); split; [apply merged_pairs_in; left; apply (in_map (fun e => (fst e + x, snd e))); exact I|cbn [fst snd]; lia]
                |exists (fst z, snd z + y); split; [apply merged_pairs_in; right; apply (in_map (fun e => (fst e, snd e + y))); exact I|cbn [fst snd]; lia]]. }
      destruct (thinned_reaches a b u' v' Ha Hb _ None W) as [G|[]]. exact G.
    + apply (IH f g D E _ u v); auto; destruct (xorb c p), (xorb c q); lia.
Qed.
Lemma commons_covered d e : 0 <= d -> 0 <= e -> forall h f g D E, length f = length h -> length g = length h ->
  length D = length h -> length E = length h -> forallb (Z.leb 0) D = true -> forallb (Z.leb 0) E = true ->
  total (commons d e (zip xorb f g) D E) <= covered D (zip xorb h f) * e + covered E (zip xorb h g) * d.
Proof.
  intros Hd He. induction h as [|c h IH]; intros [|p f] [|q g] [|x D] [|y E] Lf Lg LD LE ND NE; try discriminate.
  - cbn [commons zip covered forallb] in *. apply andb_prop in ND as [Nx ND]. apply andb_prop in NE as [Ny NE].
    apply Z.leb_le in Nx, Ny. injection Lf as Lf. injection Lg as Lg. injection LD as LD. injection LE as LE.
    specialize (IH f g D E Lf Lg LD LE ND NE). unfold total in *. cbn [fold_right].
    assert ((if xorb p q then Z.min (x * e) (y * d) else 0) <= (if xorb c p then x else 0) * e + (if xorb c q then y else 0) * d) as K; [|lia].
    destruct p, q, c; cbn; nia.
Qed.

Definition aimed_ok m (s : aimed) := length (fst s) = m /\ is_law (snd s) = true /\ length (snd s) = m.
Definition good_for m a h (s : aimed) : bool := is_good m (share (snd s)) a h (of_row (fst s)).
Lemma good_for_row m a h s : aimed_ok m s ->
  good_for m a h s = good_under a (total (snd s)) (fst s) (map h (seq 0 m)) (snd s).
Proof.
  intros [Lf [LD K]]. unfold good_for. symmetry.
  rewrite (good_under_spec m a (total (snd s)) (fst s) (map h (seq 0 m)) (snd s) LD eq_refl K);
    [|rewrite map_length, seq_length; reflexivity|exact Lf].
  apply is_good_alike; [|intros x Hx; reflexivity|intros x Hx; reflexivity].
  intros x Hx. unfold of_row. rewrite nth_map_seq by exact Hx. reflexivity.
Qed.
Lemma good_for_wrong m a h s : aimed_ok m s -> good_for m a h s = true ->
  covered (snd s) (zip xorb (map h (seq 0 m)) (fst s)) <= most_wrong a (snd s).
Proof.
  intros O G. rewrite (good_for_row m a h s O) in G. unfold good_under, at_most in G. apply Z.leb_le in G.
  unfold most_wrong. apply Z.div_le_lower_bound; lia.
Qed.
Lemma none_shared_spec m a h s t : aimed_ok m s -> aimed_ok m t -> none_shared a s t = true ->
  good_for m a h s = true -> good_for m a h t = true -> False.
Proof.
  intros Os Ot N Gs Gt. pose proof (good_for_wrong m a h s Os Gs) as Ws. pose proof (good_for_wrong m a h t Ot Gt) as Wt.
  destruct s as [f D], t as [g E], Os as [Lf [LD KD]], Ot as [Lg [LE KE]]. cbn [fst snd] in *.
  set (r := map h (seq 0 m)) in *. assert (length r = m) as Lr by (unfold r; rewrite map_length, seq_length; reflexivity).
  pose proof (total_lt D LD) as PD. pose proof (total_lt E LE) as PE.
  apply andb_prop in LD as [LD _], LE as [LE _]. unfold none_shared in N.
  apply orb_prop in N as [N|N].
  - apply Z.ltb_lt in N.
    pose proof (commons_covered (total D) (total E) ltac:(lia) ltac:(lia) r f g D E ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) LD LE). nia.
  - destruct (errors _ _ _ f g D E) eqn:X; [|discriminate]. revert X.
    apply (errors_reaches _ _ r f g D E [(0, 0)] 0 0); try lia; try assumption.
    exists (0, 0). cbn. auto with zarith.
Qed.

Fixpoint pairwise {X} (r : X -> X -> bool) (l : list X) : bool :=
  match l with [] => true | x :: l' => forallb (r x) l' && pairwise r l' end.
Definition exclusive (a : Q) (pool : option (list (list bool))) (targets : list aimed) : bool :=
  match pool with
  | Some hs => forallb (fun h => length (filter (fun s => good_under a (total (snd s)) (fst s) h (snd s)) targets) <=? 1)%nat hs
  | None => pairwise (none_shared a) targets
  end.
Definition answers_from m (pool : option (list (list bool))) : class :=
  match pool with Some hs => table m (concepts hs) | None => all_functions end.

Lemma lsum_chance {X} (g : X -> bool) l : (lsum (fun x => chance (g x)) l == inject_Z (Z.of_nat (length (filter g l))))%Q.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [lsum filter]. rewrite IH. destruct (g x); cbn [length chance].
  - rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. ring.
  - ring.
Qed.
Lemma exclusive_spec m a pool targets h : (forall s, In s targets -> aimed_ok m s) ->
  match pool with Some hs => forallb (fun r => length r =? m)%nat hs = true | None => True end ->
  exclusive a pool targets = true -> answers_from m pool h ->
  (lsum (fun s => chance (good_for m a h s)) targets <= 1)%Q.
Proof.
  intros O W X H. destruct pool as [hs|]; unfold exclusive in X; unfold answers_from in H.
  - destruct H as [r [Hr S]]. unfold concepts in Hr. apply in_map_iff in Hr as [row [<- Hr]].
    rewrite forallb_forall in X, W. specialize (X row Hr). specialize (W row Hr). apply Nat.leb_le in X. apply Nat.eqb_eq in W.
    rewrite lsum_chance. change 1%Q with (inject_Z 1). rewrite <- Zle_Qle.
    rewrite (filter_ext_in _ (fun s => good_under a (total (snd s)) (fst s) row (snd s)) targets).
    { apply (Nat2Z.inj_le _ 1) in X. exact X. }
    intros s Hs. destruct (O s Hs) as [Lf [LD K]]. unfold good_for.
    rewrite (good_under_spec m a (total (snd s)) (fst s) row (snd s) LD eq_refl K W Lf).
    apply is_good_alike; [exact S|intros x Hx; reflexivity|intros x Hx; reflexivity].
  - clear H W. induction targets as [|s l IH]; [cbn; lra|]. cbn [lsum]. cbn [pairwise] in X. apply andb_prop in X as [N X].
    rewrite forallb_forall in N. destruct (good_for m a h s) eqn:G.
    + rewrite (lsum_ext _ (fun _ => 0%Q)); [rewrite lsum_const, Qmult_0_r; change (1 + 0 <= 1)%Q; lra|].
      intros t Ht. destruct (good_for m a h t) eqn:G'; [|reflexivity]. exfalso.
      apply (none_shared_spec m a h s t); auto; apply O; cbn; auto.
    + specialize (IH ltac:(intros; apply O; right; assumption) X). change (chance false) with 0%Q. lra.
Qed.
