(* Ranks over the rationals and modulo small primes: independent lines of a minor, and products of vectors. *)
From Coq Require Import String List Arith NArith ZArith QArith Znumtheory Lia Lqa Bool.
From CCSim Require Import Definitions Json Certificate Sums OneWay Tables Radon Inputs Heaviest Elimination.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- the two kinds of scalars ---- *)

Definition counts_as_0 (F : scalars) (a : Z) : Prop := match F with Rationals => a = 0 | Modulo p => a mod p = 0 end.
Definition is_0 (F : scalars) (a : Z) : bool := match F with Rationals => a =? 0 | Modulo p => a mod p =? 0 end.
Definition shrunk (F : scalars) (last a : Z) : option Z :=
  match F with
  | Rationals => let s := a / last in if s * last =? a then Some s else None
  | Modulo p => Some (a mod p)
  end.
Definition divided_by (F : scalars) (last : Z) : Z := match F with Rationals => last | Modulo _ => 1 end.
Definition known_scalars (F : scalars) : bool :=
  match F with Rationals => true | Modulo p => existsb (Z.eqb p) [2; 3; 5; 7] end.

Lemma known_prime p : known_scalars (Modulo p) = true -> prime p.
Proof.
  intros H. apply existsb_exists in H as [r [I E]]. apply Z.eqb_eq in E. subst r.
  destruct I as [<-|[<-|[<-|[<-|[]]]]]; [exact prime_2|exact prime_3| |];
    (constructor; [lia|]; intros n H; apply Zgcd_1_rel_prime).
  - assert (n = 1 \/ n = 2 \/ n = 3 \/ n = 4) as [->|[->|[->| ->]]] by lia; reflexivity.
  - assert (n = 1 \/ n = 2 \/ n = 3 \/ n = 4 \/ n = 5 \/ n = 6) as [->|[->|[->|[->|[->| ->]]]]] by lia; reflexivity.
Qed.

Lemma is_0_spec F a : is_0 F a = true <-> counts_as_0 F a.
Proof. destruct F; apply Z.eqb_eq. Qed.
Lemma counts_dec F a : {counts_as_0 F a} + {~ counts_as_0 F a}.
Proof. destruct (is_0 F a) eqn:E; [left|right]; rewrite <- is_0_spec; congruence. Qed.
Lemma counts_divides p a : known_scalars (Modulo p) = true -> counts_as_0 (Modulo p) a <-> (p | a).
Proof. intros K. apply known_prime, prime_ge_2 in K. apply Z.mod_divide. lia. Qed.

Section Scalars.
Variable F : scalars.
Hypothesis known : known_scalars F = true.
Notation null := (counts_as_0 F).

Lemma counts_0 : null 0.
Proof. destruct F; reflexivity. Qed.
Lemma counts_plus a b : null a -> null b -> null (a + b).
Proof.
  pose proof known as K. destruct F as [|p]; [cbn; lia|]. rewrite !(counts_divides p) by exact K. apply Z.divide_add_r.
Qed.
Lemma counts_times a b : null b -> null (a * b).
Proof.
  pose proof known as K. destruct F as [|p]; [cbn; intros ->; ring|]. rewrite !(counts_divides p) by exact K.
  apply Z.divide_mul_r.
Qed.
Lemma counts_prime a b : null (a * b) -> null a \/ null b.
Proof.
  pose proof known as K. destruct F as [|p]; [cbn; intros H; apply Z.mul_eq_0, H|].
  rewrite !(counts_divides p) by exact K. apply prime_mult, known_prime, K.
Qed.
Lemma not_counts_1 : ~ null 1.
Proof.
  pose proof known as K. destruct F as [|p]; [cbn; lia|]. rewrite (counts_divides p) by exact K.
  apply known_prime, prime_ge_2 in K. intros D. apply Z.divide_pos_le in D; lia.
Qed.
Lemma shrunk_spec last a s : shrunk F last a = Some s -> null (s * divided_by F last - a).
Proof.
  pose proof known as K. destruct F as [|p]; cbn [shrunk divided_by].
  - destruct (Z.eqb_spec (a / last * last) a) as [E|]; [|discriminate]. intros [= <-]. cbn. lia.
  - intros [= <-]. rewrite (counts_divides p) by exact K. apply known_prime, prime_ge_2 in K.
    exists (- (a / p)). rewrite (Z.mod_eq a p) by lia. ring.
Qed.
Lemma divided_spec a : ~ null a -> ~ null (divided_by F a).
Proof. pose proof not_counts_1 as N. destruct F; cbn [divided_by]; auto. Qed.

(* ---- from below ---- *)

Definition minor_rows (f : problem) (xs ys : list nat) : option (list (list Z)) :=
  each (fun x => each (fun y => match f x y with Some b => Some (Z.b2z b) | None => None end) ys) xs.
Definition check_minor (f : problem) (xs ys : list nat) : bool :=
  (length xs =? length ys)%nat &&
  match minor_rows f xs ys with
  | Some rows => independent (is_0 F) (shrunk F) (length xs) 1 rows
  | None => false
  end.

Lemma minor_entry f xs ys rows : minor_rows f xs ys = Some rows -> length rows = length xs /\
  forall t s, (t < length xs)%nat -> (s < length ys)%nat ->
  exists b, f (nth t xs O) (nth s ys O) = Some b /\ nth s (nth t rows []) 0 = Z.b2z b.
Proof.
  unfold minor_rows. intros H. destruct (each_nth _ O [] _ _ H) as [L N]. split; [exact L|]. intros t s Ht Hs.
  specialize (N t Ht). destruct (each_nth _ O 0 _ _ N) as [_ M]. specialize (M s Hs). cbv beta in M.
  destruct (f _ _) as [b|]; [|discriminate]. injection M as M. exists b. split; [reflexivity|]. symmetry. exact M.
Qed.
Lemma minor_columns f xs ys rows : minor_rows f xs ys = Some rows -> forall row, In row rows -> length row = length ys.
Proof.
  unfold minor_rows. intros H row I. destruct (each_in _ _ _ H row I) as [x [_ R]]. apply (each_nth _ O 0) in R. apply R.
Qed.

Lemma integer_sum_shift n g : integer_sum (S n) g = g O + integer_sum n (fun i => g (S i)).
Proof. induction n as [|n IH]; [cbn; lia|]. cbn [integer_sum] in *. lia. Qed.
Lemma combined_sum : forall rows (c : nat -> Z) j, combined (combine (map c (seq 0 (length rows))) rows) j
  = integer_sum (length rows) (fun t => c t * nth j (nth t rows []) 0).
Proof.
  induction rows as [|r rows IH]; intros c j; [reflexivity|]. cbn [length seq map combine].
  rewrite <- seq_shift, map_map, integer_sum_shift.
  transitivity (c O * nth j r 0 + combined (combine (map (fun t => c (S t)) (seq 0 (length rows))) rows) j); [reflexivity|].
  rewrite IH. reflexivity.
Qed.
Lemma snd_combine {A B} : forall (l : list A) (k : list B), length l = length k -> map snd (combine l k) = k.
Proof. induction l as [|a l IH]; intros [|b k] E; try discriminate; [reflexivity|]. cbn. f_equal. apply IH. injection E as E. exact E. Qed.

(* coefficients that combine the lines of a minor to 0 are 0 *)
Lemma minor_independent f xs ys rows (c : nat -> Z) : check_minor f xs ys = true -> minor_rows f xs ys = Some rows ->
  (forall s, (s < length ys)%nat -> null (integer_sum (length xs) (fun t => c t * nth s (nth t rows []) 0))) ->
  forall t, (t < length xs)%nat -> null (c t).
Proof.
  unfold check_minor. intros H R Z t Ht. apply andb_prop in H as [_ H]. rewrite R in H.
  destruct (minor_entry _ _ _ _ R) as [L _]. rewrite <- L in *. set (l := combine (map c (seq 0 (length rows))) rows).
  assert (map snd l = rows) as S.
  { unfold l. rewrite snd_combine; [reflexivity|]. rewrite map_length, seq_length. reflexivity. }
  assert (In (c t, nth t rows []) l) as I.
  { unfold l. replace (c t) with (nth t (map c (seq 0 (length rows))) 0)
      by (rewrite (nth_indep _ 0 (c O)) by (rewrite map_length, seq_length; exact Ht); rewrite map_nth, seq_nth by exact Ht; reflexivity).
    rewrite <- combine_nth by (rewrite map_length, seq_length; reflexivity). apply nth_In.
    rewrite combine_length, map_length, seq_length. lia. }
  apply (independent_spec null counts_0 counts_plus counts_times counts_prime (is_0 F)
    (fun a E N => ltac:(apply is_0_spec in N; congruence)) (shrunk F) (divided_by F) divided_spec shrunk_spec
    (length rows) 1 l) with (p := (c t, nth t rows [])).
  - rewrite S. exact H.
  - exact not_counts_1.
  - intros j. unfold l. rewrite combined_sum. destruct (Nat.lt_ge_cases j (length ys)) as [J|J]; [apply Z, J|].
    rewrite (integer_sum_ext _ _ (fun _ => 0)); [rewrite integer_sum_zero; exact counts_0|]. intros i Hi.
    rewrite nth_overflow; [ring|]. rewrite (minor_columns _ _ _ _ R) by (apply nth_In, Hi). exact J.
  - exact I.
Qed.
End Scalars.

(* what rational coefficients are in parts of a common unit *)
Lemma common_unit (c : nat -> Q) : forall n, exists s (z : nat -> Z), 0 < s /\
  forall t, (t < n)%nat -> (c t * inject_Z s == inject_Z (z t))%Q.
Proof.
  induction n as [|n [s [z [P H]]]].
  - exists 1, (fun _ => 0). split; [lia|]. intros t Ht. lia.
  - exists (s * QDen (c n)), (fun t => if (t =? n)%nat then Qnum (c n) * s else z t * QDen (c n)). split; [lia|].
    intros t Ht. rewrite inject_Z_mult. destruct (Nat.eqb_spec t n) as [->|N].
    + rewrite inject_Z_mult. transitivity (c n * inject_Z (QDen (c n)) * inject_Z s)%Q; [ring|].
      apply Qmult_comp; [|reflexivity]. unfold Qeq. cbn. rewrite Pos.mul_1_r. ring.
    + rewrite inject_Z_mult, <- H by lia. ring.
Qed.

Lemma integer_sum_first e k (z g : nat -> Z) : (e <= k)%nat ->
  integer_sum k (fun t => (if (t <? e)%nat then z t else 0) * g t) = integer_sum e (fun t => z t * g t).
Proof.
  intros H. induction H as [|k H IH].
  - apply integer_sum_ext. intros t Ht. destruct (Nat.ltb_spec t e); [reflexivity|lia].
  - cbn [integer_sum] in *. rewrite IH. destruct (Nat.ltb_spec k e); lia.
Qed.

Theorem check_minor_sound F n m f xs ys : known_scalars F = true -> (forall x, In x xs -> (x < n)%nat) ->
  (forall y, In y ys -> (y < m)%nat) -> check_minor F f xs ys = true -> rank_at_least F n m f (N.of_nat (length xs)).
Proof.
  intros K X Y C d P. destruct (Nat.le_gt_cases (length xs) d) as [G|G]; [lia|exfalso].
  assert (length xs = length ys) as E.
  { unfold check_minor in C. apply andb_prop in C as [C _]. apply Nat.eqb_eq, C. }
  destruct (minor_rows f xs ys) as [rows|] eqn:R.
  2:{ unfold check_minor in C. rewrite R, andb_false_r in C. discriminate. }
  destruct (minor_entry _ _ _ _ R) as [_ M]. pose proof (minor_independent F K f xs ys rows) as D.
  destruct F as [|p]; cbn [has_products] in P.
  - destruct P as [u [v P]]. destruct (dependent d (fun t => u (nth t xs O))) as [c [[t [Ht N]] Z]].
    destruct (common_unit c (S d)) as [s [z [Sp Hz]]]. pose proof (inject_pos _ Sp) as SQ. apply N.
    assert (z t = 0) as Z0.
    { specialize (D (fun t => if (t <? S d)%nat then z t else 0) C R).
      assert ((if (t <? S d)%nat then z t else 0) = 0) as Q; [|destruct (Nat.ltb_spec t (S d)); [exact Q|lia]].
      apply D; [|lia]. clear D. intros k Hk. cbn [counts_as_0].
      rewrite integer_sum_first by lia.
      assert (inject_Z (integer_sum (S d) (fun t => z t * nth k (nth t rows []) 0)%Z) == 0)%Q as Q0.
      2:{ change 0%Q with (inject_Z 0) in Q0. apply inject_Z_injective, Q0. }
      rewrite integer_sum_Q.
      rewrite (sum_ext (S d) _ (fun t => inject_Z s * sum d (fun i => v (nth k ys O) i * (c t * u (nth t xs O) i)))%Q).
      - rewrite sum_scale, sum_swap.
        rewrite (sum_ext d _ (fun _ => 0%Q)); [rewrite sum_zero; ring|]. intros i Hi. rewrite sum_scale, Z by exact Hi. ring.
      - intros r Hr. destruct (M r k ltac:(lia) Hk) as [b [B ->]].
        rewrite inject_Z_mult, <- Hz by exact Hr.
        rewrite (sum_ext d _ (fun i => c r * (u (nth r xs O) i * v (nth k ys O) i))%Q) by (intros; ring).
        rewrite sum_scale, (P _ _ b) by (try (apply X, nth_In; lia); try (apply Y, nth_In; lia); exact B).
        destruct b; unfold chance; cbn [Z.b2z]; [|change (inject_Z 0) with 0%Q; ring]. change (inject_Z 1) with 1%Q. ring. }
    specialize (Hz t Ht). rewrite Z0 in Hz. change (inject_Z 0) with 0%Q in Hz.
    destruct (Qmult_integral _ _ Hz) as [Q|Q]; [exact Q|lra].
  - destruct P as [u [v P]].
    set (F := Modulo p) in *. pose proof (counts_0 F K) as C0.
    destruct (dependent_vectors (counts_as_0 F) (counts_dec F) C0 (counts_plus F K) (counts_times F K) (counts_prime F K)
      (not_counts_1 F K) d (fun t => u (nth t xs O))) as [c [[t [Ht N]] Z]].
    apply N. specialize (D (fun t => if (t <? S d)%nat then c t else 0) C R).
    assert (counts_as_0 F (if (t <? S d)%nat then c t else 0)) as Q; [|destruct (Nat.ltb_spec t (S d)); [exact Q|lia]].
    apply D; [|lia]. clear D. intros k Hk.
    rewrite integer_sum_first by lia.
    set (w i := v (nth k ys O) i).
    assert (counts_as_0 F (integer_sum (S d) (fun t => c t * (integer_sum d (fun i => u (nth t xs O) i * w i)
      - nth k (nth t rows []) 0)))) as A.
    { apply (null_sum _ C0 (counts_plus F K)). intros r Hr. apply (counts_times F K).
      destruct (M r k ltac:(lia) Hk) as [b [B ->]]. apply (P _ _ b); [apply X, nth_In; lia|apply Y, nth_In; lia|exact B]. }
    assert (counts_as_0 F (integer_sum (S d) (fun t => c t * integer_sum d (fun i => u (nth t xs O) i * w i)))) as B.
    { rewrite (integer_sum_ext (S d) _ (fun t => integer_sum d (fun i => w i * (c t * u (nth t xs O) i)))).
      - rewrite integer_sum_swap. apply (null_sum _ C0 (counts_plus F K)). intros i Hi. rewrite integer_sum_scale.
        apply (counts_times F K), Z, Hi.
      - intros r _. rewrite <- integer_sum_scale. apply integer_sum_ext. intros i _. ring. }
    pose proof (null_minus _ (counts_plus F K) (counts_times F K) _ _ B A) as D.
    match goal with |- counts_as_0 F ?e => match type of D with counts_as_0 F ?a => replace e with a; [exact D|] end end.
    rewrite (integer_sum_ext (S d) (fun t => c t * (integer_sum d (fun i => u (nth t xs O) i * w i) - nth k (nth t rows []) 0))
      (fun t => c t * integer_sum d (fun i => u (nth t xs O) i * w i) + -1 * (c t * nth k (nth t rows []) 0))) by (intros; ring).
    rewrite integer_sum_plus, integer_sum_scale. ring.
Qed.

(* ---- from above ---- *)

Fixpoint inner (u v : list Z) : Z := match u, v with a :: u', b :: v' => a * b + inner u' v' | _, _ => 0 end.
Definition all_of_length (d : nat) (l : list (list Z)) : bool := forallb (fun u => length u =? d)%nat l.
Definition check_factors (F : scalars) (n m : nat) (f : problem) (unit : Z) (left right : list (list Z)) (d : nat) : bool :=
  (0 <? unit) && match F with Rationals => true | Modulo p => unit mod p =? 1 end
  && (length left =? n)%nat && (length right =? m)%nat
  && all_of_length d left && all_of_length d right
  && forallb (fun xu => forallb (fun yv => match f (fst xu) (fst yv) with
       | Some b => is_0 F (inner (snd xu) (snd yv) - unit * Z.b2z b)
       | None => true
       end) (combine (seq 0 m) right)) (combine (seq 0 n) left).

Lemma inner_sum : forall u v, length u = length v ->
  inner u v = integer_sum (length u) (fun i => nth i u 0 * nth i v 0).
Proof.
  induction u as [|a u IH]; intros [|b v] E; try discriminate; [reflexivity|]. injection E as E.
  cbn [inner length]. rewrite integer_sum_shift, (IH v E). reflexivity.
Qed.
Lemma numbered_in {A} (l : list A) d x : (x < length l)%nat -> In (x, nth x l d) (combine (seq 0 (length l)) l).
Proof.
  intros H. replace x with (nth x (seq 0 (length l)) O) at 1 by (rewrite seq_nth by exact H; reflexivity).
  rewrite <- combine_nth by apply seq_length. apply nth_In. rewrite combine_length, seq_length. lia.
Qed.

Theorem check_factors_sound F n m f unit left right d : known_scalars F = true ->
  check_factors F n m f unit left right d = true -> has_products F n m f d.
Proof.
  intros K H. unfold check_factors in H. repeat (apply andb_prop in H as [H ?]).
  apply Z.ltb_lt in H. apply Nat.eqb_eq in H3, H4. unfold all_of_length in H1, H2. rewrite forallb_forall in *.
  assert (forall x y b, (x < n)%nat -> (y < m)%nat -> f x y = Some b ->
    counts_as_0 F (integer_sum d (fun i => nth i (nth x left []) 0 * nth i (nth y right []) 0) - unit * Z.b2z b)) as E.
  { intros x y b X Y B. subst n m. specialize (H0 _ (numbered_in left [] x X)). rewrite forallb_forall in H0.
    specialize (H0 _ (numbered_in right [] y Y)). cbn [fst snd] in H0. rewrite B in H0. apply is_0_spec in H0.
    pose proof (H2 _ (nth_In left [] X)) as Lx. pose proof (H1 _ (nth_In right [] Y)) as Ly.
    apply Nat.eqb_eq in Lx, Ly. rewrite inner_sum, Lx in H0 by congruence. exact H0. }
  destruct F as [|p]; cbn [has_products].
  - exists (fun x i => inject_Z (nth i (nth x left []) 0%Z) / inject_Z unit)%Q, (fun y i => inject_Z (nth i (nth y right []) 0%Z)).
    intros x y b X Y B. specialize (E x y b X Y B). cbn [counts_as_0] in E. apply inject_pos in H.
    rewrite (sum_ext d _ (fun i => (/ inject_Z unit) * inject_Z (nth i (nth x left []) 0 * nth i (nth y right []) 0)%Z)%Q).
    + rewrite sum_scale, <- integer_sum_Q. replace (integer_sum _ _) with (unit * Z.b2z b) by lia. rewrite inject_Z_mult.
      destruct b; cbn [Z.b2z]; unfold chance; [change (inject_Z 1) with 1%Q|change (inject_Z 0) with 0%Q]; field; lra.
    + intros i _. rewrite inject_Z_mult. field. lra.
  - exists (fun x i => nth i (nth x left []) 0), (fun y i => nth i (nth y right []) 0). intros x y b X Y B.
    specialize (E x y b X Y B). set (s := integer_sum _ _) in *. apply Z.eqb_eq in H5.
    change (counts_as_0 (Modulo p) (s - Z.b2z b)). rewrite (counts_divides p) in * by exact K.
    replace (s - Z.b2z b) with (s - unit * Z.b2z b + Z.b2z b * (unit - 1)) by ring.
    apply Z.divide_add_r; [exact E|]. apply Z.divide_mul_r. apply known_prime, prime_ge_2 in K.
    exists (unit / p). rewrite (Z.mod_eq unit p) in H5 by lia. lia.
Qed.

(* ---- certificates ---- *)

Record rank_asked := RankAsked { rank_of : asked; over_scalars : scalars }.
Definition scalars_in (j : json) : option scalars :=
  if is_text "rationals" j then Some Rationals
  else if is_text "modulo 2" j then Some (Modulo 2)
  else if is_text "modulo 3" j then Some (Modulo 3)
  else if is_text "modulo 5" j then Some (Modulo 5)
  else if is_text "modulo 7" j then Some (Modulo 7) else None.
Definition rank_in (instance : json) (values : list json) : option rank_asked :=
  match values with
  | [s] => let* q := asked_in instance in let* s := scalars_in s in Some (RankAsked q s)
  | _ => None
  end.

(* the bound that a proof shows *)
Definition is_bound (v : N) (found : option N) : bool := match found with Some w => (v =? w)%N | None => false end.
Lemma is_bound_spec v found : is_bound v found = true -> found = Some v.
Proof. destruct found as [w|]; cbn; [|discriminate]. intros H. apply N.eqb_eq in H. congruence. Qed.

Definition rank_bound (F : scalars) (n m : nat) (f : problem) (name : string) (data : json) : option N :=
  match (if known_scalars F && String.eqb name "minor" then fields ["rows"; "columns"]%string data else None) with
  | Some [r; c] =>
      let* xs := distinct_lines n r in
      let* ys := distinct_lines m c in given (check_minor F f xs ys) (Some (N.of_nat (length xs)))
  | _ => None
  end.
Definition rank_upper (F : scalars) (n m : nat) (f : problem) (v : N) (name : string) (data : json) : bool :=
  known_scalars F && String.eqb name "factors" &&
  match fields ["unit"; "left"; "right"]%string data with
  | Some [u; l; r] =>
      match at_least_integer 1 u, list_of (list_of integer) l, list_of (list_of integer) r with
      | Some u, Some l, Some r =>
          let d := length (hd [] (l ++ r)) in
          (v =? N.of_nat d)%N && check_factors F n m f u l r d
      | _, _, _ => false
      end
  | _ => false
  end.

Lemma distinct_lines_bound bound j l : distinct_lines bound j = Some l -> forall i, In i l -> (i < bound)%nat.
Proof.
  unfold distinct_lines, given. destruct (list_of _ j) as [k|] eqn:L; [|discriminate]. destruct (distinct _); [|discriminate].
  intros [= <-] i I. destruct (list_of_in _ _ _ _ L I) as [a R]. exact (index_bound _ _ _ R).
Qed.
Theorem rank_bound_sound F n m f v name data : rank_bound F n m f name data = Some v -> rank_at_least F n m f v.
Proof.
  unfold rank_bound, given. intros H. destruct (known_scalars F) eqn:K; [|discriminate]. destruct (_ && _); [|discriminate].
  destruct (fields _ data) as [[|r [|c [|]]]|]; try discriminate.
  destruct (distinct_lines n r) as [xs|] eqn:X; [|discriminate]. destruct (distinct_lines m c) as [ys|] eqn:Y; [|discriminate].
  destruct (check_minor F f xs ys) eqn:C; [|discriminate]. injection H as <-.
  apply (check_minor_sound F n m f xs ys K (distinct_lines_bound _ _ _ X) (distinct_lines_bound _ _ _ Y) C).
Qed.

Definition rank_of_matrix : kind.
Proof.
  refine {|
    title := "rank"; parameters := ["field"%string];
    ask := rank_in; number := natural;
    lower q v name data :=
      is_bound v (rank_bound (over_scalars q) (height (rank_of q)) (width (rank_of q)) (problem_in (rank_of q)) name data);
    upper q := rank_upper (over_scalars q) (height (rank_of q)) (width (rank_of q)) (problem_in (rank_of q));
    lower_means q v := rank_at_least (over_scalars q) (height (rank_of q)) (width (rank_of q)) (problem_in (rank_of q)) v;
    upper_means q v := rank_at_most (over_scalars q) (height (rank_of q)) (width (rank_of q)) (problem_in (rank_of q)) v
  |}.
  - intros q v name data H. exact (rank_bound_sound _ _ _ _ _ _ _ (is_bound_spec _ _ H)).
  - intros q v name data H. unfold rank_upper in H. apply andb_prop in H as [H C]. apply andb_prop in H as [K _].
    destruct (fields _ data) as [[|u [|l [|r [|]]]]|]; try discriminate. destruct (at_least_integer 1 u) as [u'|]; [|discriminate].
    destruct (list_of _ l) as [l'|]; [|discriminate]. destruct (list_of _ r) as [r'|]; [|discriminate].
    apply andb_prop in C as [V C]. apply N.eqb_eq in V. exists (length (hd [] (l' ++ r'))). split; [|lia].
    apply (check_factors_sound _ _ _ _ _ _ _ _ K C).
Defined.
