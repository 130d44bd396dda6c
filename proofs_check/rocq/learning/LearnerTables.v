(* Learners given by a table: a law on all functions for each multiset of labelled points, in
   lexicographic order; 2 x + y is the point x with label y. *)
From Coq Require Import List ZArith QArith Lia Lqa Bool Permutation FMapPositive.
From CCSim Require Import Definitions Sums Mixture Representations Draws Learners.
Import ListNotations.
Local Open Scope nat_scope.

Definition number_of_example (z : example) : nat := 2 * fst z + (if snd z then 1 else 0).
Definition numbers (S : list example) : list nat := map number_of_example S.

Fixpoint insert (x : nat) (l : list nat) : list nat :=
  match l with [] => [x] | y :: l' => if x <=? y then x :: l else y :: insert x l' end.
Fixpoint sorted (l : list nat) : list nat := match l with [] => [] | x :: l' => insert x (sorted l') end.

Fixpoint look_up (table : list (list nat * list Z)) (S : list nat) : list Z :=
  match table with
  | [] => []
  | (T, w) :: table' => if list_eq_dec Nat.eq_dec T S then w else look_up table' S
  end.
Definition tabulated (m n : nat) (laws : list (list Z)) : learner := {|
  answers := length (functions m);
  answer := function m;
  answering S i := share (look_up (combine (multisets (2 * m) n) laws) (sorted (numbers S))) i
|}.

(* ---- sorting ---- *)

Lemma insert_swap x y : forall l, insert x (insert y l) = insert y (insert x l).
Proof.
  induction l as [|z l IH]; cbn.
  - destruct (Nat.leb_spec x y), (Nat.leb_spec y x); try reflexivity; try lia.
    replace y with x by lia. reflexivity.
  - destruct (Nat.leb_spec y z), (Nat.leb_spec x z); cbn;
      repeat match goal with |- context [?a <=? ?b] => destruct (Nat.leb_spec a b) end; try reflexivity; try lia.
    + replace y with x by lia. reflexivity.
    + f_equal. exact IH.
Qed.
Lemma sorted_perm l k : Permutation l k -> sorted l = sorted k.
Proof. induction 1; cbn; [reflexivity|congruence|apply insert_swap|congruence]. Qed.
Lemma insert_permutation x l : Permutation (x :: l) (insert x l).
Proof.
  induction l as [|y l IH]; cbn; [reflexivity|]. destruct (x <=? y); [reflexivity|].
  rewrite perm_swap, IH. reflexivity.
Qed.
Lemma sorted_permutation l : Permutation l (sorted l).
Proof. induction l as [|x l IH]; cbn; [reflexivity|]. rewrite <- insert_permutation, <- IH. reflexivity. Qed.
Lemma sorted_middle l x r : sorted (l ++ x :: r) = insert x (sorted (l ++ r)).
Proof. rewrite <- (sorted_perm (x :: l ++ r)) by apply Permutation_middle. reflexivity. Qed.

Fixpoint rising (low : nat) (l : list nat) : Prop :=
  match l with [] => True | x :: l' => low <= x /\ rising x l' end.
Lemma insert_rising x : forall l low, low <= x -> rising low l -> rising low (insert x l).
Proof.
  induction l as [|y l IH]; cbn; intros low H R; [auto|]. destruct R as [A R].
  destruct (Nat.leb_spec x y); cbn; repeat split; try lia; auto. apply IH; [lia|exact R].
Qed.
Lemma sorted_rising l : rising 0 (sorted l).
Proof. induction l as [|x l IH]; cbn; [exact I|]. apply insert_rising; [lia|exact IH]. Qed.
Lemma multisets_spec k : forall n low l, rising low l -> records k n l -> In l (multisets_from k n low).
Proof.
  induction n as [|n IH]; intros low l R [L B]; cbn.
  - destruct l; [auto|discriminate].
  - destruct l as [|x l]; [discriminate|]. destruct R as [A R]. apply in_flat_map. exists x. split.
    + apply in_seq. specialize (B x (or_introl eq_refl)). lia.
    + apply in_map, IH; [exact R|]. split; [injection L; auto|]. intros y Hy. apply B. right. exact Hy.
Qed.

Lemma numbers_records m n S : sample m n S -> records (2 * m) n (numbers S).
Proof.
  intros [L B]. split; [unfold numbers; rewrite map_length; exact L|].
  intros y H. apply in_map_iff in H as [z [<- H]]. apply B in H. unfold number_of_example.
  destruct (snd z); lia.
Qed.
Lemma records_perm k n S T : Permutation S T -> records k n S -> records k n T.
Proof.
  intros P [L B]. split; [rewrite <- L; symmetry; apply Permutation_length, P|].
  intros z H. apply B. eapply Permutation_in; [apply Permutation_sym, P|exact H].
Qed.
Lemma sorted_listed k n S : records k n S -> In (sorted S) (multisets k n).
Proof.
  intros H. apply multisets_spec; [apply sorted_rising|]. eapply records_perm; [apply sorted_permutation|exact H].
Qed.

(* ---- samples as keys of a map ---- *)

Local Open Scope positive_scope.
Fixpoint spaced (x : nat) (p : positive) : positive := match x with O => xI p | S x' => xO (spaced x' p) end.
Fixpoint key (l : list nat) : positive := match l with [] => 1 | x :: l' => spaced x (key l') end.
Fixpoint unkey (p : positive) (x : nat) : list nat :=
  match p with xH => [] | xO p' => unkey p' (S x) | xI p' => x :: unkey p' 0 end.
Lemma unkey_spaced : forall x p y, unkey (spaced x p) y = (x + y)%nat :: unkey p 0.
Proof.
  induction x as [|x IH]; intros p y; cbn; [reflexivity|]. rewrite IH. f_equal. lia.
Qed.
Lemma unkey_key l : unkey (key l) 0 = l.
Proof. induction l as [|x l IH]; cbn; [reflexivity|]. rewrite unkey_spaced, IH. f_equal. lia. Qed.
Lemma key_injective l k : key l = key k -> l = k.
Proof. intros H. rewrite <- (unkey_key l), <- (unkey_key k), H. reflexivity. Qed.

Definition tree_of (table : list (list nat * list Z)) : PositiveMap.t (list Z) :=
  fold_right (fun e t => PositiveMap.add (key (fst e)) (snd e) t) (PositiveMap.empty _) table.
Definition found (t : PositiveMap.t (list Z)) (S : list nat) : list Z :=
  match PositiveMap.find (key S) t with Some w => w | None => [] end.
Lemma found_look_up table S : found (tree_of table) S = look_up table S.
Proof.
  unfold found. induction table as [|[T w] table IH]; cbn.
  - rewrite PositiveMap.gempty. reflexivity.
  - destruct (list_eq_dec Nat.eq_dec T S) as [->|E].
    + rewrite PositiveMap.gss. reflexivity.
    + rewrite PositiveMap.gso; [exact IH|]. intros H. apply E. symmetry. apply key_injective, H.
Qed.

Lemma look_up_in samples laws S : length laws = length samples -> In S samples ->
  In (look_up (combine samples laws) S) laws.
Proof.
  revert laws. induction samples as [|T samples IH]; intros [|w laws] L H; try discriminate; [contradiction|].
  cbn. destruct (list_eq_dec Nat.eq_dec T S) as [->|E]; [auto|]. right. apply IH; [injection L; auto|].
  destruct H as [->|H]; [congruence|exact H].
Qed.

(* ---- a table is a learner, and is private, by integers ---- *)

Definition table_of (m n : nat) (laws : list (list Z)) := combine (multisets (2 * m) n) laws.
Definition check_laws (m n : nat) (unit : Z) (laws : list (list Z)) : bool :=
  (length laws =? length (multisets (2 * m) n))%nat
  && forallb (fun w => is_law w && (length w =? length (functions m))%nat && (total w =? unit)%Z) laws.

Lemma check_laws_spec m n unit laws : check_laws m n unit laws = true -> forall S, sample m n S ->
  let w := look_up (table_of m n laws) (sorted (numbers S)) in
  is_law w = true /\ length w = length (functions m) /\ total w = unit.
Proof.
  unfold check_laws. intros H S HS. apply andb_prop in H as [L H]. apply Nat.eqb_eq in L.
  rewrite forallb_forall in H. specialize (H (look_up (table_of m n laws) (sorted (numbers S)))).
  apply numbers_records in HS. apply sorted_listed in HS.
  specialize (H (look_up_in _ _ _ L HS)). apply andb_prop in H as [H T]. apply andb_prop in H as [H K].
  apply Nat.eqb_eq in K. apply Z.eqb_eq in T. auto.
Qed.
Lemma tabulated_learner m n unit laws : check_laws m n unit laws = true -> is_learner m n (tabulated m n laws).
Proof.
  intros C S HS. destruct (check_laws_spec m n unit laws C S HS) as [L [K _]].
  cbn [tabulated answers answering]. fold (table_of m n laws). rewrite <- K. apply share_law, L.
Qed.

(* for each answer, b times the largest of its weights is at most a times the least *)
Fixpoint within (a b : Z) (low high : list Z) : bool :=
  match low, high with
  | x :: low', y :: high' => (b * y <=? a * x)%Z && within a b low' high'
  | _, _ => true
  end.
Fixpoint pointwise (g : Z -> Z -> Z) (v w : list Z) : list Z :=
  match v, w with x :: v', y :: w' => g x y :: pointwise g v' w' | _, _ => [] end.
Definition extremes (l : list (list Z)) : list Z * list Z :=
  match l with
  | [] => ([], [])
  | w :: l' => fold_left (fun e v => (pointwise Z.min (fst e) v, pointwise Z.max (snd e) v)) l' (w, w)
  end.
(* the laws of samples that share all examples but one *)
Definition laws_near (m : nat) (t : PositiveMap.t (list Z)) (U : list nat) : list (list Z) :=
  map (fun z => found t (insert z U)) (seq 0 (2 * m)).
(* what weights have beyond factor times others, in all: a law of such a sum may have delta of it *)
Definition beyond (a b : Z) (v w : list Z) : Z := total (pointwise (fun x y => Z.max 0 (b * x - a * y)) v w).
Definition all_near (a b : Z) (delta : Q) (unit : Z) (laws : list (list Z)) : bool :=
  let (low, high) := extremes laws in
  if within a b low high then true
  else if Qle_bool delta 0 then false
  else let most := (Qnum delta * (b * unit))%Z in
       forallb (fun v => forallb (fun w => (beyond a b v w * QDen delta <=? most)%Z) laws) laws.
Definition check_private (m n : nat) (a b : Z) (delta : Q) (unit : Z) (t : PositiveMap.t (list Z)) : bool :=
  match n with
  | O => true
  | S n' => forallb (fun U => all_near a b delta unit (laws_near m t U)) (multisets (2 * m) n')
  end.

Lemma within_spec a b : forall low high, within a b low high = true -> forall i, (i < length low)%nat ->
  (i < length high)%nat -> (b * nth i high 0 <= a * nth i low 0)%Z.
Proof.
  induction low as [|x low IH]; intros [|y high] H i Hl Hh; cbn in *; try lia.
  apply andb_prop in H as [A H]. apply Z.leb_le in A. destruct i as [|i]; [exact A|]. apply IH; auto; lia.
Qed.
Lemma pointwise_spec g : forall v w i, length v = length w -> (i < length v)%nat ->
  nth i (pointwise g v w) 0%Z = g (nth i v 0%Z) (nth i w 0%Z).
Proof.
  induction v as [|x v IH]; intros [|y w] i L H; cbn in *; try lia. destruct i; [reflexivity|]. apply IH; lia.
Qed.
Lemma pointwise_length g : forall v w, length v = length w -> length (pointwise g v w) = length v.
Proof. induction v as [|x v IH]; intros [|y w] L; cbn in *; try lia. rewrite IH; lia. Qed.

Lemma fold_extremes k : forall l e, (forall w, In w l -> length w = k) -> length (fst e) = k -> length (snd e) = k ->
  let r := fold_left (fun e v => (pointwise Z.min (fst e) v, pointwise Z.max (snd e) v)) l e in
  length (fst r) = k /\ length (snd r) = k /\ forall i, (i < k)%nat ->
  (nth i (fst r) 0 <= nth i (fst e) 0)%Z /\ (nth i (snd e) 0 <= nth i (snd r) 0)%Z /\
  forall w, In w l -> (nth i (fst r) 0 <= nth i w 0 <= nth i (snd r) 0)%Z.
Proof.
  induction l as [|w l IH]; intros [low high] B Lf Ls; cbn in *.
  - repeat split; auto; try lia; contradiction.
  - assert (length w = k) as Lw by auto.
    specialize (IH (pointwise Z.min low w, pointwise Z.max high w)). cbn in IH.
    rewrite !pointwise_length in IH by lia. specialize (IH ltac:(auto) Lf Ls).
    destruct IH as [A [C IH]]. split; [exact A|]. split; [exact C|]. intros i Hi.
    destruct (IH i Hi) as [E [F G]]. rewrite !pointwise_spec in E, F by lia.
    split; [lia|]. split; [lia|]. intros v [<-|V]; [lia|]. apply G, V.
Qed.
Lemma extremes_spec k l w v : (forall w, In w l -> length w = k) -> In w l -> In v l ->
  length (fst (extremes l)) = k /\ length (snd (extremes l)) = k /\ forall i, (i < k)%nat ->
  (nth i (fst (extremes l)) 0 <= nth i w 0)%Z /\ (nth i v 0 <= nth i (snd (extremes l)) 0)%Z.
Proof.
  destruct l as [|u l]; [contradiction|]. intros B W V. cbn [extremes].
  destruct (fold_extremes k l (u, u)) as [A [C H]]; cbn; auto.
  1: intros; apply B; right; assumption.
  1, 2: apply B; left; reflexivity.
  split; [exact A|]. split; [exact C|]. intros i Hi. destruct (H i Hi) as [E [F G]]. cbn in E, F. split.
  - destruct W as [<-|W]; [exact E|]. apply G, W.
  - destruct V as [<-|V]; [exact F|]. apply G, V.
Qed.

Lemma neighbours_listed m n unit laws S T : check_laws m (Datatypes.S n) unit laws = true ->
  sample m (Datatypes.S n) S -> sample m (Datatypes.S n) T -> one_replaced S T ->
  exists U, In U (multisets (2 * m) n) /\
  let L := laws_near m (tree_of (table_of m (Datatypes.S n) laws)) U in
  In (look_up (table_of m (Datatypes.S n) laws) (sorted (numbers S))) L /\
  In (look_up (table_of m (Datatypes.S n) laws) (sorted (numbers T))) L /\
  forall w, In w L -> length w = length (functions m).
Proof.
  intros C HS HT [l [x [y [r [ES ET]]]]]. exists (sorted (numbers (l ++ r))).
  assert (forall z, In z [x; y] -> sample m (Datatypes.S n) (l ++ z :: r)) as B.
  { intros z [<-|[<-|[]]]; [rewrite <- ES; exact HS|rewrite <- ET; exact HT]. }
  assert (records (2 * m) n (numbers (l ++ r))) as R.
  { apply numbers_records. destruct (B x (or_introl eq_refl)) as [L1 B1]. rewrite app_length in L1. cbn in L1.
    split; [rewrite app_length; lia|]. intros z Hz. apply B1. apply in_app_or in Hz. apply in_or_app. cbn. tauto. }
  split; [exact (sorted_listed _ _ _ R)|].
  assert (forall z, numbers (l ++ z :: r) = numbers l ++ number_of_example z :: numbers r) as E.
  { intros z. unfold numbers. rewrite map_app. reflexivity. }
  assert (forall z, In z [x; y] -> sorted (numbers (l ++ z :: r)) = insert (number_of_example z) (sorted (numbers (l ++ r)))
    /\ (number_of_example z < 2 * m)%nat) as G.
  { intros z Hz. rewrite E, sorted_middle. unfold numbers at 3. rewrite map_app. split; [reflexivity|].
    destruct (B z Hz) as [_ Bz]. specialize (Bz z (in_elt z l r)). unfold number_of_example. destruct (snd z); lia. }
  destruct (G x (or_introl eq_refl)) as [Gx Hx], (G y (or_intror (or_introl eq_refl))) as [Gy Hy].
  rewrite ES, ET in *. rewrite Gx, Gy. set (U := sorted (numbers (l ++ r))) in *. cbv zeta. unfold laws_near.
  set (L := map _ _).
  assert (forall z, (z < 2 * m)%nat -> In (look_up (table_of m (Datatypes.S n) laws) (insert z U)) L) as IL.
  { intros z Hz. rewrite <- found_look_up. unfold L. apply (in_map (fun z => found (tree_of (table_of m (Datatypes.S n) laws)) (insert z U))), in_seq. lia. }
  split; [exact (IL _ Hx)|]. split; [exact (IL _ Hy)|].
  intros w Hw. unfold L in Hw. apply in_map_iff in Hw as [z [<- Hz]]. apply in_seq in Hz.
  rewrite found_look_up.
  set (e := (Nat.div2 z, Nat.odd z)). assert (number_of_example e = z) as Ez.
  { unfold number_of_example, e. cbn [fst snd]. rewrite (Nat.div2_odd z) at 3.
    destruct (Nat.odd z); cbn; lia. }
  assert (sample m (Datatypes.S n) (l ++ e :: r)) as He.
  { destruct (B x (or_introl eq_refl)) as [L1 B1]. rewrite app_length in *. cbn [length] in *.
    split; [rewrite app_length; cbn; lia|]. intros q Hq. apply in_app_or in Hq.
    destruct Hq as [Hq|[<-|Hq]]; [apply B1, in_or_app; auto| |apply B1, in_or_app; cbn; auto].
    unfold e. cbn [fst]. pose proof (Nat.div2_odd z) as O.
    destruct (Nat.odd z); cbn [Nat.b2n] in O; lia. }
  destruct (check_laws_spec m (Datatypes.S n) unit laws C _ He) as [_ [K _]].
  rewrite E, Ez, sorted_middle in K. unfold U. unfold numbers at 1. rewrite map_app. exact K.
Qed.

(* on all answers at once, and on each *)
Lemma beyond_event a b : forall v w (event : nat -> bool), length v = length w ->
  (inject_Z b * sum (length v) (fun i => inject_Z (nth i v 0%Z) * chance (event i))
   <= inject_Z a * sum (length v) (fun i => inject_Z (nth i w 0%Z) * chance (event i)) + inject_Z (beyond a b v w))%Q.
Proof.
  induction v as [|x v IH]; intros [|y w] event L; try discriminate L;
    [cbn; rewrite !Qmult_0_r; vm_compute; discriminate|].
  cbn [length]. rewrite !sum_shift. cbn [nth].
  unfold beyond. cbn [pointwise total fold_right]. fold (total (pointwise (fun x y => Z.max 0 (b * x - a * y)) v w)).
  fold (beyond a b v w). rewrite inject_Z_plus. injection L as L. specialize (IH w (fun i => event (S i)) L). cbv beta in IH.
  assert (inject_Z b * (inject_Z x * chance (event O)) <= inject_Z a * (inject_Z y * chance (event O))
    + inject_Z (Z.max 0 (b * x - a * y)))%Q; [|lra].
  assert (0 <= inject_Z (Z.max 0 (b * x - a * y)))%Q as M0 by (change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; lia).
  assert (inject_Z b * inject_Z x - inject_Z a * inject_Z y <= inject_Z (Z.max 0 (b * x - a * y)))%Q as M1.
  { unfold Qminus. rewrite <- !inject_Z_mult, <- inject_Z_opp, <- inject_Z_plus, <- Zle_Qle. lia. }
  destruct (event O); unfold chance; lra.
Qed.

Lemma tabulated_private m n unit laws factor delta : (0 <= factor)%Q -> (0 <= delta)%Q ->
  check_laws m n unit laws = true ->
  check_private m n (Qnum factor) (QDen factor) delta unit (tree_of (table_of m n laws)) = true ->
  is_private m n (tabulated m n laws) factor delta.
Proof.
  intros F F0 C P S T event HS HT N. cbn [tabulated answers answering]. fold (table_of m n laws).
  pose proof (check_laws_spec m n unit laws C S HS) as [LS [KS US]].
  pose proof (check_laws_spec m n unit laws C T HT) as [LT [KT UT]].
  destruct n as [|n]; [destruct N as [l [x [y [r [ES ET]]]]], HS as [HS _]; rewrite ES, app_length in HS; cbn in HS; lia|].
  destruct (neighbours_listed m n unit laws S T C HS HT N) as [U [HU [IS [IT LL]]]].
  unfold check_private in P. rewrite forallb_forall in P. specialize (P U HU). unfold all_near in P.
  set (L := laws_near m _ U) in *. set (v := look_up _ (sorted (numbers S))) in *. set (w := look_up _ (sorted (numbers T))) in *.
  destruct (extremes L) as [low high] eqn:EX.
  apply total_pos in LS. apply total_pos in LT. rewrite US in LS. unfold share. rewrite US, UT.
  assert (inject_Z (Qnum factor) == factor * inject_Z (QDen factor))%Q as EF.
  { destruct factor as [a b]. unfold Qeq, Qmult, inject_Z. cbn. lia. }
  assert (0 < inject_Z (QDen factor))%Q as PF by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  set (K := length (functions m)) in *.
  assert (forall u, sum K (fun i => inject_Z (nth i u 0%Z) / inject_Z unit * chance (event i))
    == / inject_Z unit * sum K (fun i => inject_Z (nth i u 0%Z) * chance (event i)))%Q as D.
  { intros u. rewrite <- sum_scale. apply sum_ext. intros i _. unfold Qdiv. ring. }
  rewrite !D. set (X := sum K (fun i => inject_Z (nth i v 0%Z) * _)%Q) in *. set (Y := sum K (fun i => inject_Z (nth i w 0%Z) * _)%Q) in *.
  assert (0 < / inject_Z unit)%Q as PU by (apply Qinv_lt_0_compat, LS).
  assert (/ inject_Z unit * inject_Z unit == 1)%Q as IU by (field; lra).
  assert (X <= factor * Y + delta * inject_Z unit)%Q as G; [|nra].
  destruct (within _ _ low high) eqn:W.
  - destruct (extremes_spec K L w v LL IT IS) as [A1 [A2 A3]]. rewrite EX in A1, A2, A3. cbn [fst snd] in A1, A2, A3.
    assert (X <= factor * Y)%Q as G; [|nra]. unfold X, Y. rewrite <- sum_scale. apply sum_le. intros i Hi.
    destruct (A3 i Hi) as [A4 A5]. pose proof (within_spec _ _ _ _ W i ltac:(lia) ltac:(lia)) as I.
    assert (0 <= Qnum factor)%Z as FN by (unfold Qle in F; cbn in F; lia).
    assert (QDen factor * nth i v 0 <= Qnum factor * nth i w 0)%Z as I' by nia.
    rewrite Zle_Qle, !inject_Z_mult, EF in I'. destruct (chance_01 (event i)) as [C0 _].
    rewrite Qmult_assoc. apply Qmult_le_compat_r; [|exact C0]. nra.
  - destruct (Qle_bool delta 0); [discriminate P|]. rewrite forallb_forall in P. specialize (P v IS).
    rewrite forallb_forall in P. specialize (P w IT). apply Z.leb_le in P.
    pose proof (beyond_event (Qnum factor) (QDen factor) v w event ltac:(rewrite !LL by assumption; reflexivity)) as B.
    rewrite (LL v IS) in B. fold X Y in B. rewrite EF in B.
    assert (inject_Z (Qnum delta) == delta * inject_Z (QDen delta))%Q as ED.
    { destruct delta as [a b]. unfold Qeq, Qmult, inject_Z. cbn. lia. }
    assert (0 < inject_Z (QDen delta))%Q as PD by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
    rewrite Zle_Qle, !inject_Z_mult, ED in P. set (Z := inject_Z (beyond _ _ v w)) in *.
    assert (Z <= delta * (inject_Z (QDen factor) * inject_Z unit))%Q as P'.
    { apply (Qmult_le_r _ _ (inject_Z (QDen delta)) PD). lra. }
    set (b := inject_Z (QDen factor)) in *. clearbody X Y Z b. apply (Qmult_le_l _ _ b PF). lra.
Qed.
