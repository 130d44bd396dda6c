(* Printed statements of the papers that are false, each as a proposition and its refutation.  The
   reading is the one of the claim whose key stands in front; what holds instead is a claim as well.

   [fx] Feldman, Xiao.  [bbkn] Beimel, Brenner, Kasiviswanathan, Nissim.
   [bns] Beimel, Nissim, Stemmer.  [pap] Bassily, Cheu, Moran, Nikolov, Ullman, Wu.  *)
From Coq Require Import Arith ZArith QArith Qpower Qabs Lia Lqa Bool List.
From CCSim Require Import Definitions.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- fx/app-4.1-2: VC(BOX_b^d) = d + 1 for the axis-parallel boxes over [2^b]^d ---- *)

Definition coordinate b (x i : nat) : nat := (x / 2 ^ (b * i)) mod 2 ^ b.
Definition box b d : class := fun h => exists s t : nat -> nat,
  (forall i, i < d -> s i < 2 ^ b /\ t i < 2 ^ b) /\
  forall x, h x = forallb (fun i => (s i <=? coordinate b x i) && (coordinate b x i <=? t i)) (seq 0 d).

Definition boxes_printed := forall b d, 1 <= b -> 1 <= d -> vcdim (2 ^ (b * d)) (box b d) (Z.of_nat (d + 1)).

Theorem boxes_refuted : ~ boxes_printed.
Proof.
  intros P. destruct (P 2 2 ltac:(lia) ltac:(lia)) as [_ [_ M]].
  enough (shattered (2 ^ (2 * 2)) (box 2 2) 4) as S by (specialize (M 4 S); lia).
  (* left, right, lower and upper neighbour of the point (1, 1) *)
  exists (fun i => nth i [4; 6; 1; 9] 0). split.
  - intros i Hi. do 4 (destruct i as [|i]; [cbn; lia|]). lia.
  - intros labels.
    set (s i := if labels (if i =? 0 then 0 else 2) then 0 else 1).
    set (t i := if labels (if i =? 0 then 1 else 3) then 2 else 1).
    exists (fun x => forallb (fun i => (s i <=? coordinate 2 x i) && (coordinate 2 x i <=? t i)) (seq 0 2)).
    split.
    + exists s, t. split; [|reflexivity]. intros i _. unfold s, t.
      destruct (labels _), (labels _); cbn; lia.
    + intros i Hi. do 4 (destruct i as [|i];
        [unfold s, t; cbn; destruct (labels 0), (labels 1), (labels 2), (labels 3); reflexivity|]). lia.
Qed.

(* ---- fx/app-4.1-3: LDim(HS_b^d) = b d (d - 1) / 2 for the linear threshold functions over [2^b]^d ---- *)

Fixpoint product (d : nat) (w : nat -> Z) (point : nat -> Z) : Z :=
  match d with O => 0%Z | S k => (product k w point + w k * point k)%Z end.
Definition linear_threshold b d : class := fun h => exists (w : nat -> Z) (theta : Z),
  forall x, h x = (theta <=? product d w (fun i => Z.of_nat (coordinate b x i)))%Z.

Definition thresholds_printed := forall b d, 1 <= b -> 1 <= d ->
  ldim (2 ^ (b * d)) (linear_threshold b d) (Z.of_nat (b * d * (d - 1) / 2)).

(* over {0,1}^2, where 1 is printed, the labels of (0, 0) and (1, 0) are free *)
Theorem thresholds_refuted : ~ thresholds_printed.
Proof.
  intros P. destruct (P 1 2 ltac:(lia) ltac:(lia)) as [_ [_ M]].
  enough (mistakes (2 ^ (1 * 2)) (linear_threshold 1 2) 2) as T by (specialize (M 2 T); cbn in M; lia).
  exists (Node 0 (Node 1 Leaf Leaf) (Node 1 Leaf Leaf)). split; [cbn; repeat split; lia|].
  intros [|b [|c [|? ?]]] L; try discriminate L.
  set (theta := (if b then 0 else 1)%Z). set (w := fun i : nat => if (i =? 0)%nat
    then (if b then if c then 0 else -1 else if c then 1 else 0)%Z else 0%Z).
  exists (fun x => (theta <=? product 2 w (fun i => Z.of_nat (coordinate 1 x i)))%Z). split.
  - exists w, theta. reflexivity.
  - unfold theta, w. destruct b, c; repeat split.
Qed.

(* ---- bbkn/lemma-3.9-printed: a learner must answer c_i under D_i, which has mass alpha on the point i and the
   rest on point 0, because every other c_j errs more than alpha ---- *)

Definition point_function (i x : nat) : bool := i =? x.
Definition two_points (alpha : Q) (i x : nat) : Q :=
  (if x =? i then alpha else if x =? 0 then 1 - alpha else 0)%Q.

Definition only_one_good_printed := forall n i j (alpha : Q), 1 <= i < n -> j < n -> i <> j ->
  (0 < alpha)%Q -> (alpha < 1)%Q ->
  (alpha < disagreement n (two_points alpha i) (point_function j) (point_function i))%Q.

Theorem only_one_good_refuted : ~ only_one_good_printed.
Proof.
  intros P. specialize (P 3 1 2 (1 # 10)). revert P. cbn. intros P.
  assert ((1 # 10 < 0 + (1 - (1 # 10)) * 0 + (1 # 10) * 1 + 0 * 1)%Q) as H by (apply P; [lia..|reflexivity|reflexivity]).
  revert H. apply Qle_not_lt. discriminate.
Qed.

(* ---- bbkn/lemma-3.4-printed: the concepts of the points that do not occur among m
   labelled examples get the weight (2^b - m) e^(eps q / 2) together, and each an equal share of it; the
   concept of a point that occurs gets e^(eps q / 2), where -q is the number of its errors.  With
   r = e^(eps / 2) this is r^2-private. ---- *)

Definition occurs (S : list (nat * bool)) (j : nat) : bool := existsb (fun e => fst e =? j) S.
Definition errors_of (S : list (nat * bool)) (h : concept) : nat :=
  length (filter (fun e => xorb (h (fst e)) (snd e)) S).
Definition sampling_weight (r : Q) (S : list (nat * bool)) (h : concept) : Q :=
  (/ r) ^ Z.of_nat (errors_of S h).
Definition together b r S : Q :=
  (inject_Z (2 ^ Z.of_nat b - Z.of_nat (length S)) * sampling_weight r S (fun _ => false))%Q.
Definition sampled b r (S : list (nat * bool)) (j : nat) : Q :=
  let unseen := filter (fun x => negb (occurs S x)) (seq 0 (2 ^ b)) in
  ((if occurs S j then sampling_weight r S (point_function j)
    else together b r S / inject_Z (Z.of_nat (length unseen)))
   / (sum (2 ^ b) (fun x => if occurs S x then sampling_weight r S (point_function x) else 0)
      + together b r S))%Q.

Definition sampler_printed := forall b r before after (x y : nat * bool) j, (1 < r)%Q -> j < 2 ^ b ->
  (forall e, In e (x :: y :: before ++ after) -> fst e < 2 ^ b) ->
  length (before ++ x :: after) < 2 ^ b ->
  (sampled b r (before ++ x :: after) j <= r * r * sampled b r (before ++ y :: after) j)%Q.

Lemma impossible (A B : Prop) x y : A -> B -> (y < x)%Q -> ~ (A -> B -> (x <= y)%Q).
Proof. intros HA HB L H. exact (Qlt_not_le _ _ L (H HA HB)). Qed.

Theorem sampler_refuted : ~ sampler_printed.
Proof.
  intros P. specialize (P 2 (3 # 2) [(0, true); (0, true)] [] (1, true) (0, true) 1
    ltac:(reflexivity) ltac:(cbn; lia)).
  revert P. apply impossible.
  - intros e [<-|[<-|[<-|[<-|[]]]]]; cbn; lia.
  - cbn. lia.
  - vm_compute. reflexivity.
Qed.

(* ---- bbkn/thm-5.8-constants-printed: with failure' = failure/4 and accuracy' = min(accuracy, failure)/100 the
   hypothesis accuracy' < failure'/100 is satisfied ---- *)

Definition constants_printed := forall accuracy failure : Q,
  (0 < accuracy < 1)%Q -> (0 < failure < 1)%Q ->
  ((if Qle_bool accuracy failure then accuracy else failure) / 100 < (failure / 4) / 100)%Q.

Theorem constants_refuted : ~ constants_printed.
Proof.
  intros P. specialize (P (1 # 10) (1 # 10) ltac:(split; reflexivity) ltac:(split; reflexivity)).
  revert P. apply Qle_not_lt. discriminate.
Qed.

(* ---- bbkn/no-efficient-proper-printed: the image of a generator that stretches l bits to d bits holds l of
   the 2^d strings at most ---- *)

Definition image_printed := forall l d (G : nat -> nat) (image : list nat), 1 <= l <= d ->
  (forall seed, seed < 2 ^ l -> G seed < 2 ^ d) -> NoDup image ->
  (forall s, In s image -> exists seed, seed < 2 ^ l /\ G seed = s) -> length image <= l.

Theorem image_refuted : ~ image_printed.
Proof.
  intros P. specialize (P 1 3 (fun seed => seed) [0; 1] ltac:(lia)). cbn in P.
  enough (2 <= 1) by lia. apply P.
  - intros seed H. lia.
  - repeat constructor; cbn; lia.
  - intros s [<-|[<-|[]]]; eexists; split; try reflexivity; lia.
Qed.

(* ---- bns/lemma-5.7-printed: while sets of k points are left, take one, A, and remove every I that shares at most
   k/2 points with it; this ends ---- *)

Definition shared (A I : list nat) : nat := length (filter (fun x => existsb (Nat.eqb x) I) A).
Definition greedy_step (k : nat) (L M : list (list nat)) : Prop := exists A, In A L /\
  M = filter (fun I => negb (2 * shared A I <=? k)) L.
Inductive greedy_run (k : nat) : nat -> list (list nat) -> list (list nat) -> Prop :=
| start L : greedy_run k 0 L L
| step n L M N : greedy_step k L M -> greedy_run k n M N -> greedy_run k (S n) L N.

Definition greedy_printed := forall k (L : list (list nat)), 1 <= k ->
  (forall I, In I L -> NoDup I /\ length I = k) -> exists n, greedy_run k n L [].

Theorem greedy_refuted : ~ greedy_printed.
Proof.
  intros P. destruct (P 1 [[0]] ltac:(lia)) as [n R].
  - intros I [<-|[]]. split; [repeat constructor; intros []|reflexivity].
  - assert (forall n L M, greedy_run 1 n L M -> L = [[0]] -> M = [[0]]) as K.
    { clear. induction 1 as [L|n L M N [A [HA HM]] R IH]; intros E; [exact E|]. apply IH.
      subst L. destruct HA as [<-|[]]. exact HM. }
    specialize (K n [[0]] [] R eq_refl). discriminate K.
Qed.

(* ---- bns/chernoff-printed: Pr[X > (1 + delta) p n] <= e^(-p n delta^2 / 3) for X binomial and all delta > 0.
   y <= e^(-x) says that y (1 + x/k)^k <= 1 for all k, as these powers rise to e^x. ---- *)

Definition at_most_exp_minus (y x : Q) : Prop :=
  forall k : positive, (y * (1 + x / inject_Z (Zpos k)) ^ Zpos k <= 1)%Q.
Fixpoint choose (n k : nat) : nat :=
  match n, k with _, O => 1 | O, S _ => 0 | S n', S k' => choose n' k' + choose n' k end.
Definition binomial (n : nat) (p : Q) (k : nat) : Q :=
  (inject_Z (Z.of_nat (choose n k)) * p ^ Z.of_nat k * (1 - p) ^ Z.of_nat (n - k))%Q.
Definition exceeds (n : nat) (p bound : Q) : Q :=
  sum (S n) (fun k => if Qle_bool (inject_Z (Z.of_nat k)) bound then 0%Q else binomial n p k).

Definition tail_printed := forall n (p delta : Q), (0 < p)%Q -> (p < 1)%Q -> (0 < delta)%Q ->
  at_most_exp_minus (exceeds n p ((1 + delta) * p * inject_Z (Z.of_nat n)))
                    (p * inject_Z (Z.of_nat n) * delta * delta / 3).

Theorem tail_refuted : ~ tail_printed.
Proof.
  intros P. specialize (P 1 (1 # 10) (17 # 2) ltac:(reflexivity) ltac:(reflexivity) ltac:(reflexivity) 100%positive).
  revert P. apply Qlt_not_le. vm_compute. reflexivity.
Qed.

(* ---- bns/thm-2.14-printed: whatever the class is, m >= (50 VC / alpha^2) ln(1 / (alpha beta)) examples are
   enough for all empirical errors to be within alpha of the errors, except with probability beta.
   L is at least ln y if (1 + L/k)^k >= y for some k. ---- *)

Definition at_least_ln (L y : Q) : Prop :=
  exists k : positive, (y <= (1 + L / inject_Z (Zpos k)) ^ Zpos k)%Q.
(* the mean over all samples of m points that are drawn from D *)
Fixpoint mean_over_samples (n : nat) (D : nat -> Q) (m : nat) (g : list nat -> Q) : Q :=
  match m with
  | O => g []
  | S k => sum n (fun x => D x * mean_over_samples n D k (fun s => g (x :: s)))%Q
  end.
Definition empirical (h f : concept) (s : list nat) : Q :=
  (sum (length s) (fun i => chance (xorb (h (nth i s O)) (f (nth i s O)))) / inject_Z (Z.of_nat (length s)))%Q.
Definition far n D (f : concept) (H : list concept) (alpha : Q) (s : list nat) : bool :=
  existsb (fun h => negb (Qle_bool (Qabs (empirical h f s - disagreement n D h f)) alpha)) H.

Definition convergence_printed := forall n D f (H : list concept) (d m : nat) (alpha beta L : Q),
  law n D ->
  vcdim n (fun h => exists g, In g H /\ same n h g) (Z.of_nat d) ->
  (0 < alpha)%Q -> (alpha < 1)%Q -> (0 < beta)%Q -> (beta < 1)%Q -> 1 <= m ->
  at_least_ln L (/ (alpha * beta)) ->
  (50 * inject_Z (Z.of_nat d) / (alpha * alpha) * L <= inject_Z (Z.of_nat m))%Q ->
  (mean_over_samples n D m (fun s => chance (far n D f H alpha s)) <= beta)%Q.

Theorem convergence_refuted : ~ convergence_printed.
Proof.
  intros P. specialize (P 2 (fun _ => 1 # 2)%Q (fun _ => false) [fun x => x =? 0] 0 1 (1 # 4) (1 # 10) 100%Q).
  assert (mean_over_samples 2 (fun _ => 1 # 2)%Q 1
    (fun s => chance (far 2 (fun _ => 1 # 2)%Q (fun _ => false) [fun x => x =? 0] (1 # 4) s)) <= 1 # 10)%Q as H.
  - apply P; try reflexivity; try discriminate.
    + split; [intros; discriminate|reflexivity].
    + split; [intros _|split; [lia|]].
      * exists (fun _ => 0). split; [lia|]. intros labels. exists (fun x => x =? 0). split; [|lia].
        eexists. split; [left; reflexivity|intros x _; reflexivity].
      * intros [|d] [point [B S]]; [lia|exfalso].
        destruct (S (fun _ => true)) as [h1 [[g1 [[<-|[]] E1]] L1]].
        destruct (S (fun _ => false)) as [h0 [[g0 [[<-|[]] E0]] L0]].
        specialize (L1 0 ltac:(lia)). specialize (L0 0 ltac:(lia)). specialize (B 0 ltac:(lia)).
        rewrite E1 in L1 by exact B. rewrite E0 in L0 by exact B. congruence.
    + exists 1%positive. vm_compute. discriminate.
  - revert H. apply Qlt_not_le. vm_compute. reflexivity.
Qed.

(* ---- pap/thm-13-printed: (m + 1)(1 - 1/(n + m)^2) - m = 1 - (m - 1)/(n + m)^2 ---- *)

Definition identity_printed := forall n m : Z, (1 <= n)%Z -> (0 <= m)%Z ->
  ((inject_Z m + 1) * (1 - 1 / (inject_Z (n + m) * inject_Z (n + m))) - inject_Z m
   == 1 - (inject_Z m - 1) / (inject_Z (n + m) * inject_Z (n + m)))%Q.

Theorem identity_refuted : ~ identity_printed.
Proof. intros P. specialize (P 1%Z 0%Z ltac:(lia) ltac:(lia)). discriminate P. Qed.
