(* Proofs by choices: with k messages Bob has k rows of answers, of which each input of Alice takes the one
   that errs least on it.  A row of answers is a number whose bit t is the answer to column t.  Cases hold
   rows of answers that are chosen, those that may be, and symmetries that keep both. *)
From Coq Require Import String List NArith ZArith QArith Lia Bool Permutation Sorted MSets.MSetPositive.
From CCSim Require Import Definitions OneWay Distributions Answers Cases Classes Growing PartitionBounds.
From CCSim Require Import Json Tables Sorting Shattering.
Import ListNotations.
Local Open Scope Z_scope.
Local Notation bit := Definitions.bit.

Ltac parts := repeat match goal with |- _ /\ _ => split end.

(* ---- what answers err ---- *)

Definition miss (b : bool) (v : Z) : Z := Z.max 0 (if b then - v else v).
Fixpoint missed (z : nat -> bool) (r : list Z) : Z :=
  match r with [] => 0 | v :: r' => miss (z O) v + missed (fun y => z (S y)) r' end.
Definition errors_of (rows : list (list Z)) (q : N) : list Z := map (missed (N.testbit_nat q)) rows.

Lemma lost_missed : forall r z, lost z r = 2 * missed z r.
Proof.
  induction r as [|v r IH]; intros z; [reflexivity|]. cbn [lost missed]. rewrite IH. unfold miss, sign.
  destruct (z O); lia.
Qed.
Lemma missed_entries : forall r z, missed z r = zsum (length r) (fun t => miss (z t) (nth t r 0)).
Proof.
  induction r as [|v r IH]; intros z; [reflexivity|]. cbn [missed length]. rewrite zsum_S, IH. reflexivity.
Qed.

(* ---- what moves answers: each bit is that of a column, perhaps flipped ---- *)

Definition turn := list (nat * bool).
Definition turned (m : turn) (q : N) : N := pull_row q m.
Definition turn_after (gen m : turn) : turn :=
  map (fun p => let (t, f) := nth (fst p) m (O, false) in (t, xorb f (snd p))) gen.
Fixpoint same_turn (m m' : turn) : bool :=
  match m, m' with
  | [], [] => true
  | (t, f) :: m, (t', f') :: m' => (t =? t')%nat && Bool.eqb f f' && same_turn m m'
  | _, _ => false
  end.
Definition turn_of (w : nat) (tau : list nat) (flips : list bool) : turn :=
  map (fun s => match PartitionBounds.place s tau with
                | Some t => (t, nth t flips false)
                | None => (O, false)
                end) (seq 0 w).

(* the images of a row of answers under products of turns *)
Definition turns_once (ms : list turn) (q : N) (state : list N * (list N * PositiveSet.t)) :=
  fold_left (fun s m => let y := turned m q in
    if PositiveSet.mem (Tables.key y) (snd (snd s)) then s
    else (y :: fst s, (y :: fst (snd s), PositiveSet.add (Tables.key y) (snd (snd s))))) ms state.
Fixpoint images_from (fuel : nat) (ms : list turn) (waiting : list N) (found : list N * PositiveSet.t)
  : option (list N * PositiveSet.t) :=
  match waiting, fuel with
  | [], _ => Some found
  | q :: waiting', S fuel' =>
      let s := turns_once ms q (waiting', found) in images_from fuel' ms (fst s) (snd s)
  | _, O => None
  end.

Lemma pull_number r : forall l, pull_row r l = number_of (map (fun p => xorb (bit r (fst p)) (snd p)) l).
Proof. induction l as [|[t f] l IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Section Choices.
Variables (w : nat) (rows : list (list Z)) (k : N) (bound : Z).
Let h := length rows.

Definition small (q : N) := (q < 2 ^ N.of_nat w)%N.
Definition err (q : N) (j : nat) : Z := missed (bit q) (nth j rows []).

Lemma errors_nth q j : nth j (errors_of rows q) 0 = err q j.
Proof. unfold errors_of, err. exact (map_nth (missed (N.testbit_nat q)) rows [] j). Qed.
Lemma errors_length q : length (errors_of rows q) = h.
Proof. apply map_length. Qed.
Lemma err_pos q j : 0 <= err q j.
Proof.
  unfold err. generalize (bit q). induction (nth j rows []) as [|v r IH]; intros z; [reflexivity|].
  cbn [missed]. specialize (IH (fun y => z (S y))). unfold miss. destruct (z O); lia.
Qed.
Lemma small_ext p q : small p -> small q -> (forall t, (t < w)%nat -> bit p t = bit q t) -> p = q.
Proof.
  intros P Q E. apply N.bits_inj. intros i. destruct (N.lt_ge_cases i (N.of_nat w)) as [H|H].
  - specialize (E (N.to_nat i) ltac:(lia)). rewrite !bit_testbit, N2Nat.id in E. exact E.
  - rewrite <- (N.mod_small p (2 ^ N.of_nat w)) by exact P. rewrite <- (N.mod_small q (2 ^ N.of_nat w)) by exact Q.
    rewrite !N.mod_pow2_bits_high by exact H. reflexivity.
Qed.
Lemma number_small l : length l = w -> small (number_of l).
Proof. intros L. unfold small. rewrite <- L. apply number_of_lt. Qed.

(* a map of answers that loses none, and what each errs on some input the other errs on another one *)
Definition symmetric (s : N -> N) := exists back move,
  (forall q, small q -> small (s q) /\ small (back q) /\ s (back q) = q /\ back (s q) = q) /\
  Classes.permutes h move /\ forall j q, (j < h)%nat -> small q -> err (s q) (move j) = err q j.

Lemma symmetric_after s s' : symmetric s -> symmetric s' -> symmetric (fun q => s (s' q)).
Proof.
  intros [b [g [B [G E]]]] [b' [g' [B' [G' E']]]]. exists (fun q => b' (b q)), (fun j => g (g' j)). split; [|split].
  - intros q Q. destruct (B q Q) as [Q1 [Q2 [Q3 Q4]]]. destruct (B' q Q) as [R1 [R2 [R3 R4]]].
    destruct (B (s' q) R1) as [S1 [S2 [S3 S4]]]. destruct (B' (b q) Q2) as [T1 [T2 [T3 T4]]].
    repeat split; try assumption; congruence.
  - apply Classes.permutes_compose; assumption.
  - intros j q J Q. destruct G' as [h' H']. destruct (H' j J) as [J' _]. rewrite E; [apply E'; assumption|exact J'|].
    apply (B' q Q).
Qed.
Lemma symmetric_ext s s' : (forall q, small q -> s q = s' q) -> symmetric s -> symmetric s'.
Proof.
  intros X [b [g [B [G E]]]]. exists b, g. split; [|split; [exact G|]].
  - intros q Q. destruct (B q Q) as [Q1 [Q2 [Q3 Q4]]]. rewrite <- !X by assumption. auto.
  - intros j q J Q. rewrite <- X by exact Q. auto.
Qed.

(* what keeps the distance of all is onto *)
Lemma has_back s : (forall q, small q -> small (s q)) -> (forall p q, small p -> small q -> s p = s q -> p = q) ->
  exists back, forall q, small q -> small (back q) /\ s (back q) = q /\ back (s q) = q.
Proof.
  intros K I. set (all := map N.of_nat (seq 0 (N.to_nat (2 ^ N.of_nat w)))).
  assert (forall q, In q all <-> small q) as A.
  { intros q. unfold all, small. rewrite in_map_iff. split.
    - intros [i [<- H]]. apply in_seq in H. lia.
    - intros H. exists (N.to_nat q). split; [lia|]. apply in_seq. lia. }
  assert (NoDup all) as D.
  { apply FinFun.Injective_map_NoDup; [intros a b; lia|apply seq_NoDup]. }
  assert (incl all (map s all)) as C.
  { apply NoDup_length_incl.
    - assert (forall l, (forall q, In q l -> small q) -> NoDup l -> NoDup (map s l)) as M.
      { induction l as [|q l IH]; intros B N; [constructor|]. inversion N as [|? ? Nq Nl]; subst. cbn. constructor.
        - intros H. apply in_map_iff in H as [p [E P]]. apply Nq. rewrite <- (I p q); auto using in_eq, in_cons.
        - apply IH; [auto using in_cons|exact Nl]. }
      apply M; [intros q; apply A|exact D].
    - rewrite map_length. apply Nat.le_refl.
    - intros q H. apply in_map_iff in H as [p [<- P]]. apply A, K, A, P. }
  exists (fun q => match find (fun p => s p =? q)%N all with Some p => p | None => 0%N end).
  assert (forall q, small q -> exists p, find (fun p => s p =? q)%N all = Some p /\ small p /\ s p = q) as F.
  { intros q Q. destruct (find _ all) as [p|] eqn:E.
    - apply find_some in E as [P E]. apply N.eqb_eq in E. exists p. repeat split; [apply A, P|exact E].
    - exfalso. specialize (C q (proj2 (A q) Q)). apply in_map_iff in C as [p [P1 P2]].
      pose proof (find_none _ _ E p P2) as X. cbv beta in X. rewrite P1, N.eqb_refl in X. discriminate. }
  intros q Q. destruct (F q Q) as [p [-> [P1 P2]]]. split; [exact P1|]. split; [exact P2|].
  destruct (F (s q) (K q Q)) as [p' [-> [P1' P2']]]. apply I; assumption.
Qed.

Definition well (m : turn) := length m = w /\ forall p, In p m -> (fst p < w)%nat.
Lemma turned_bit m q t : length m = w -> (t < w)%nat ->
  bit (turned m q) t = xorb (bit q (fst (nth t m (O, false)))) (snd (nth t m (O, false))).
Proof. intros L T. apply pull_row_spec. rewrite L. exact T. Qed.
Lemma turned_small m q : length m = w -> small (turned m q).
Proof. intros L. unfold turned. rewrite pull_number. apply number_small. rewrite map_length. exact L. Qed.
Lemma turned_after gen m q : well gen -> well m -> turned (turn_after gen m) q = turned gen (turned m q).
Proof.
  intros [Lg Bg] [Lm Bm]. assert (length (turn_after gen m) = w) as La by (unfold turn_after; rewrite map_length;
    exact Lg).
  apply small_ext; [apply turned_small, La|apply turned_small, Lg|]. intros t T.
  rewrite !turned_bit by assumption. unfold turn_after.
  set (step := fun p : nat * bool => let (t, f) := nth (fst p) m (O, false) in (t, xorb f (snd p))).
  rewrite (nth_indep _ (O, false) (step (O, false))) by (rewrite map_length, Lg; exact T).
  rewrite (map_nth step). unfold step. rewrite turned_bit.
  - destruct (nth (fst (nth t gen (O, false))) m (O, false)) as [t' f']. cbn [fst snd]. rewrite xorb_assoc. reflexivity.
  - exact Lm.
  - apply Bg, nth_In. rewrite Lg. exact T.
Qed.

Definition check_turn (g : list nat) (m : turn) : bool :=
  permutation h g && permutation w (map fst m)
  && forallb (fun j => let r := nth j rows [] in let s := nth (nth j g O) rows [] in
       forallb (fun t => let (t', f) := nth t m (O, false) in
         nth t s 0 =? if f then - nth t' r 0 else nth t' r 0) (seq 0 w)) (seq 0 h).

Lemma check_turn_symmetric g m : wide w rows = true -> check_turn g m = true -> well m /\ symmetric (turned m).
Proof.
  intros W H. apply andb_prop in H as [H T]. apply andb_prop in H as [Pg Pm].
  assert (length m = w) as L.
  { unfold permutation in Pm. apply andb_prop in Pm as [Pm _]. apply andb_prop in Pm as [Pm _].
    apply Nat.eqb_eq in Pm. rewrite map_length in Pm. exact Pm. }
  apply (permutation_spec rows) in Pg as [Pg _]. apply (permutation_spec rows) in Pm as [_ Pm].
  assert (forall p, In p m -> (fst p < w)%nat) as B.
  { intros p I. apply (in_map fst) in I. apply (Permutation_in _ Pm), in_seq in I. lia. }
  assert (forall t, nth t (map fst m) O = fst (nth t m (O, false))) as Nf by (intros t;
    exact (map_nth fst m (O, false) t)).
  split; [split; assumption|].
  destruct (has_back (turned m)) as [back Bk].
  - intros q _. apply turned_small, L.
  - intros p q P Q E. apply small_ext; [exact P|exact Q|]. intros t Ht.
    assert (In t (map fst m)) as I by (apply (Permutation_in _ (Permutation_sym Pm)), in_seq; lia).
    apply (In_nth _ _ O) in I as [s [S1 S2]]. rewrite map_length, L in S1. rewrite Nf in S2.
    assert (bit (turned m p) s = bit (turned m q) s) as X by congruence. rewrite !turned_bit, S2 in X by assumption.
    destruct (bit p t), (bit q t), (snd (nth s m (O, false))); cbn in X; congruence.
  - exists back, (fun j => nth j g O). split; [|split; [exact Pg|]].
    + intros q Q. split; [apply turned_small, L|apply Bk, Q].
    + intros j q J Q. destruct Pg as [g' G]. destruct (G j J) as [J' _].
      rewrite forallb_forall in T. specialize (T j ltac:(apply in_seq; lia)). cbv zeta in T.
        rewrite forallb_forall in T.
      unfold err. rewrite !missed_entries, !(wide_nth w) by assumption.
      rewrite (zsum_permuted w (map fst m) (fun t => miss (bit q t) (nth t (nth j rows []) 0)) Pm)
        by (rewrite map_length; exact L).
      apply zsum_ext. intros t Ht. specialize (T t ltac:(apply in_seq; lia)). rewrite Nf.
      rewrite turned_bit by assumption. destruct (nth t m (O, false)) as [t' f]. cbn [fst snd] in *.
      apply Z.eqb_eq in T. rewrite T. unfold miss. destruct f, (bit q t'); cbn [xorb]; lia.
Qed.

Definition some_turns (gens : list turn) : list turn :=
  tl (products turn_after same_turn gens (map (fun t => (t, false)) (seq 0 w))).

Strategy expand [some_turns].
Lemma in_tl {A} (a : A) l : In a (tl l) -> In a l.
Proof. destruct l; [intros []|apply in_cons]. Qed.
Lemma some_turns_symmetric gens : (forall m, In m gens -> well m /\ symmetric (turned m)) ->
  forall m, In m (some_turns gens) -> well m /\ symmetric (turned m).
Proof.
  intros G m I. apply in_tl in I. revert m I.
  apply (products_spec turn_after same_turn gens (fun m => well m /\ symmetric (turned m))).
  - intros gen m' Ig [Wm Sm]. destruct (G gen Ig) as [Wg Sg]. split.
    + destruct Wg as [Lg Bg], Wm as [Lm Bm]. split; [unfold turn_after; rewrite map_length; exact Lg|].
      intros p P. apply in_map_iff in P as [a [<- Ia]]. specialize (Bg a Ia).
      pose proof (Bm (nth (fst a) m' (O, false)) ltac:(apply nth_In; lia)) as X.
      destruct (nth (fst a) m' (O, false)). exact X.
    + apply (symmetric_ext (fun q => turned gen (turned m' q))); [|apply symmetric_after; assumption].
      intros q _. symmetry. apply turned_after; assumption.
  - set (same := map (fun t : nat => (t, false)) (seq 0 w)).
    assert (length same = w) as L by (unfold same; rewrite map_length, seq_length; reflexivity).
    split; [split; [exact L|]|].
    + intros p P. apply in_map_iff in P as [t [<- T]]. apply in_seq in T. cbn. lia.
    + apply (symmetric_ext (fun q => q)).
      * intros q Q. apply small_ext; [exact Q|apply turned_small, L|]. intros t T. rewrite turned_bit by assumption.
        pose proof (map_nth (fun t : nat => (t, false)) (seq 0 w) O t) as N. cbv beta in N. unfold same.
        rewrite N, seq_nth by exact T. cbn. symmetry. apply xorb_false_r.
      * exists (fun q => q), (fun j => j). split; [auto|]. split; [apply Classes.permutes_id|]. auto.
Qed.

(* ---- what is still possible in a case ---- *)

Definition possible (chosen free S : list N) (f : nat -> N) :=
  NoDup S /\ (N.of_nat (length S) <= k)%N /\ (forall j, (j < h)%nat -> In (f j) S) /\
  incl chosen S /\ incl S (chosen ++ free) /\ zsum h (fun j => err (f j) j) < bound.
Definition keeps_case (chosen free : list N) (m : turn) := symmetric (turned m) /\
  (forall x, In x chosen -> In (turned m x) chosen) /\ (forall x, In x free -> In (turned m x) free).
Definition sane (chosen free : list N) := NoDup chosen /\ NoDup free /\ (forall x, In x chosen -> ~ In x free) /\
  (forall x, In x (chosen ++ free) -> small x).

Lemma images_back l s : symmetric s -> (forall x, In x l -> small x) -> (forall x, In x l -> In (s x) l) ->
  forall x, In x l -> exists y, In y l /\ s y = x.
Proof.
  intros [back [_ [B _]]] Sm C x X. set (l' := nodup N.eq_dec l).
  assert (forall y, In y l' <-> In y l) as E by (intros y; apply nodup_In).
  assert (incl l' (map s l')) as I.
  { apply NoDup_length_incl.
    - assert (forall t, incl t l' -> NoDup t -> NoDup (map s t)) as M.
      { induction t as [|y t IH]; intros It D; [constructor|]. inversion D as [|? ? Ny Dt]; subst. cbn. constructor.
        - intros H. apply in_map_iff in H as [z [Ez Z]]. apply Ny.
          assert (small y) as Sy by (apply Sm, E, It, in_eq). assert (small z) as Sz by (apply Sm, E, It, in_cons, Z).
          destruct (B y Sy) as [_ [_ [_ B1]]]. destruct (B z Sz) as [_ [_ [_ B2]]]. congruence.
        - apply IH; [intros z Z; apply It, in_cons, Z|exact Dt]. }
      apply M; [apply incl_refl|apply NoDup_nodup].
    - rewrite map_length. apply Nat.le_refl.
    - intros y Y. apply in_map_iff in Y as [z [<- Z]]. apply E, C, E, Z. }
  specialize (I x (proj2 (E x) X)). apply in_map_iff in I as [y [Ey Y]]. exists y. split; [apply E, Y|exact Ey].
Qed.

(* what is possible may be moved back *)
Lemma possible_back chosen free m S f y : sane chosen free -> keeps_case chosen free m -> possible chosen free S f ->
  small y -> In (turned m y) S -> exists S' f', possible chosen free S' f' /\ In y S'.
Proof.
  intros [_ [_ [_ Sm]]] [Sy [Kc Kf]] [D [L [F [C [U V]]]]] Y I.
  assert (forall x, In x (chosen ++ free) -> In (turned m x) (chosen ++ free)) as Ku.
  { intros x X. apply in_app_iff in X as [X|X]; apply in_app_iff; auto. }
  pose proof (images_back (chosen ++ free) (turned m) Sy Sm Ku) as Im.
  pose proof Sy as [back [move [B [P E]]]].
  assert (forall x, In x S -> small x) as SmS by (intros x X; apply Sm, U, X).
  exists (map back S), (fun j => back (f (move j))). split; [repeat split|].
  - assert (forall t, incl t S -> NoDup t -> NoDup (map back t)) as M.
    { induction t as [|a t IH]; intros It Dt; [constructor|]. inversion Dt as [|? ? Na Dt']; subst. cbn. constructor.
      - intros H. apply in_map_iff in H as [b [Eb Ib]]. apply Na.
        destruct (B a (SmS a (It a (in_eq _ _)))) as [_ [_ [B1 _]]].
        destruct (B b (SmS b (It b (in_cons _ _ _ Ib)))) as [_ [_ [B2 _]]]. congruence.
      - apply IH; [intros b Ib; apply It, in_cons, Ib|exact Dt']. }
    apply M; [apply incl_refl|exact D].
  - rewrite map_length. exact L.
  - intros j J. apply in_map, F. destruct P as [g G]. apply (G j J).
  - intros x X. destruct (B x (Sm x ltac:(apply in_app_iff; auto))) as [_ [_ [_ Bx]]]. rewrite <- Bx.
    apply in_map, C, Kc, X.
  - intros x X. apply in_map_iff in X as [z [<- Z]]. destruct (Im z (U z Z)) as [u [Iu Eu]].
    destruct (B u (Sm u Iu)) as [_ [_ [_ Bu]]]. rewrite <- Eu, Bu. exact Iu.
  - rewrite (zsum_ext h _ (fun j => err (f (move j)) (move j))).
    + destruct P as [g G]. unfold zsum. rewrite <- (lsum_map move (fun j => err (f j) j)).
      rewrite (lsum_permutation _ (map move (seq 0 h)) (seq 0 h)); [exact V|].
      apply Permutation_sym, NoDup_Permutation_bis.
      * apply seq_NoDup.
      * rewrite map_length. apply Nat.le_refl.
      * intros j J. apply in_seq in J. destruct (G j ltac:(lia)) as [G1 [G2 [G3 G4]]]. apply in_map_iff. exists (g j).
        split; [exact G3|]. apply in_seq. lia.
    + intros j J. assert ((move j < h)%nat) as J' by (destruct P as [g G]; apply (G j J)).
      destruct (B (f (move j)) (SmS _ (F _ J'))) as [_ [B2 [B3 _]]].
      rewrite <- (E j (back (f (move j))) J B2), B3. reflexivity.
  - destruct (B y Y) as [_ [_ [_ By]]]. rewrite <- By. apply in_map, I.
Qed.

(* what the search for images finds *)
Inductive leads (ms : list turn) (q : N) : N -> Prop :=
| leads_nowhere : leads ms q q
| leads_on m y : In m ms -> leads ms q y -> leads ms q (turned m y).

Lemma possible_images chosen free ms q p : sane chosen free -> (forall m, In m ms -> keeps_case chosen free m) ->
  small q -> leads ms q p -> forall S f, possible chosen free S f -> In p S ->
  exists S' f', possible chosen free S' f' /\ In q S'.
Proof.
  intros Sn K Q L. assert (forall p, leads ms q p -> small p) as Sp.
  { clear p L. intros p L. induction L as [|m y I L IH]; [exact Q|]. destruct (K m I) as [[b [g [B _]]] _].
    apply (B y IH). }
  induction L as [|m y I L IH]; intros S f P Ip; [eauto|].
  destruct (possible_back chosen free m S f y Sn (K m I) P (Sp y L) Ip) as [S' [f' [P' I']]]. exact (IH S' f' P' I').
Qed.

Definition tracked (found : list N * PositiveSet.t) :=
  forall x, In x (fst found) <-> PositiveSet.mem (Tables.key x) (snd found) = true.
Lemma tracked_add found y : tracked found -> tracked (y :: fst found, PositiveSet.add (Tables.key y) (snd found)).
Proof.
  intros T x. cbn [fst snd In]. specialize (T x). rewrite T. split.
  - intros [->|H]; apply PositiveSet.mem_spec, PositiveSet.add_spec; [left; reflexivity|right;
    apply PositiveSet.mem_spec, H].
  - intros H. apply PositiveSet.mem_spec, PositiveSet.add_spec in H as [H|H].
    + left. symmetry. apply Tables.key_inj, H.
    + right. apply PositiveSet.mem_spec, H.
Qed.
Lemma turns_once_spec ms q : forall waiting found waiting' found', tracked found ->
  turns_once ms q (waiting, found) = (waiting', found') -> tracked found' /\
  (forall x, In x (fst found) -> In x (fst found')) /\ (forall x, In x waiting -> In x waiting') /\
  (forall m, In m ms -> In (turned m q) (fst found')) /\
  (forall x, In x (fst found') -> In x (fst found) \/ In x waiting' /\ exists m, In m ms /\ x = turned m q) /\
  (forall x, In x waiting' -> In x waiting \/ In x (fst found')).
Proof.
  induction ms as [|m ms IH]; intros waiting found waiting' found' T E.
  - cbn in E. injection E as <- <-. parts; auto. intros m [].
  - unfold turns_once in E. cbn [fold_left] in E. fold (turns_once ms q) in E. cbv zeta in E. cbn [fst snd] in E.
    destruct (PositiveSet.mem (Tables.key (turned m q)) (snd found)) eqn:M.
    + destruct (IH _ _ _ _ T E) as [A1 [A2 [A3 [A4 [A5 A6]]]]]. parts; auto.
      * intros m' [<-|I]; [apply A2, T, M|apply A4, I].
      * intros x X. destruct (A5 x X) as [X'|[X1 [m' [X2 X3]]]]; [auto|]. right. split; [exact X1|]. exists m'.
        auto using in_cons.
    + apply tracked_add with (y := turned m q) in T. destruct (IH _ _ _ _ T E) as [A1 [A2 [A3 [A4 [A5 A6]]]]].
      cbn [fst] in *. parts; auto using in_cons.
      * intros m' [<-|I]; [apply A2, in_eq|apply A4, I].
      * intros x X. destruct (A5 x X) as [[<-|X']|[X1 [m' [X2 X3]]]]; [|auto|].
        -- right. split; [apply A3, in_eq|]. exists m. auto using in_eq.
        -- right. split; [exact X1|]. exists m'. auto using in_cons.
      * intros x X. destruct (A6 x X) as [[<-|X']|X']; [right; apply A2, in_eq|auto|auto].
Qed.

Lemma images_from_spec ms q : forall fuel waiting found found', tracked found ->
  (forall x, In x (fst found) -> leads ms q x) -> (forall x, In x waiting -> In x (fst found)) ->
  (forall x, In x (fst found) -> In x waiting \/ forall m, In m ms -> In (turned m x) (fst found)) ->
  images_from fuel ms waiting found = Some found' -> tracked found' /\ incl (fst found) (fst found') /\
  (forall x, In x (fst found') -> leads ms q x) /\
  (forall x m, In x (fst found') -> In m ms -> In (turned m x) (fst found')).
Proof.
  induction fuel as [|fuel IH]; intros waiting found found' T L Wt C H.
  - destruct waiting as [|a waiting]; [|discriminate]. injection H as <-. parts; auto using incl_refl.
    intros x m X M. destruct (C x X) as [[]|Y]; auto.
  - destruct waiting as [|a waiting].
    { injection H as <-. parts; auto using incl_refl. intros x m X M. destruct (C x X) as [[]|Y]; auto. }
    cbn [images_from] in H. destruct (turns_once ms a (waiting, found)) as [waiting1 found1] eqn:E. cbn [fst snd] in H.
    destruct (turns_once_spec ms a _ _ _ _ T E) as [A1 [A2 [A3 [A4 [A5 A6]]]]].
    assert (forall x, In x (fst found1) -> leads ms q x) as L1.
    { intros x X. destruct (A5 x X) as [X'|[_ [m [M ->]]]]; [auto|]. apply leads_on; [exact M|]. apply L, Wt, in_eq. }
    destruct (IH waiting1 found1 found' A1 L1) as [B1 [B2 [B3 B4]]].
    + intros x X. destruct (A6 x X) as [X'|X']; [apply A2, Wt, in_cons, X'|exact X'].
    + intros x X. destruct (A5 x X) as [X'|[X' _]]; [|auto].
      destruct (C x X') as [[<-|Y]|Y]; [right; exact A4|left; apply A3, Y|right; intros m M; apply A2, Y, M].
    + exact H.
    + parts; try assumption. intros x X. apply B2, A2, X.
Qed.

Definition images_of (ms : list turn) (q : N) : option (list N * PositiveSet.t) :=
  images_from (2 ^ w) ms [q] ([q], PositiveSet.add (Tables.key q) PositiveSet.empty).
Lemma images_of_spec ms q found : images_of ms q = Some found -> tracked found /\ In q (fst found) /\
  (forall x, In x (fst found) -> leads ms q x) /\
  (forall x m, In x (fst found) -> In m ms -> In (turned m x) (fst found)).
Proof.
  intros H. apply (images_from_spec ms q) in H as [A [B [C D]]].
  - parts; try assumption. apply B. left. reflexivity.
  - apply (tracked_add ([], PositiveSet.empty)). intros x. cbn. split; [intros []|discriminate].
  - intros x [<-|[]]. constructor.
  - auto.
  - cbn. auto.
Qed.
End Choices.
