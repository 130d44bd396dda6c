(* The Littlestone dimension of partial and multiclass classes: mistake trees from below, refutations of
   version spaces from above.  A version space is a set of rows. *)
From Coq Require Import String List Arith PArith NArith ZArith Lia Bool.
From Coq Require Import FSets.FMapPositive.
From CCSim Require Import Definitions Json Certificate Tables Sorting Littlestone Labels.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- the recursive form ---- *)

Fixpoint deep (n d : nat) (C : labelled_class) : Prop :=
  match d with
  | 0 => exists h, C h
  | S d' => exists x a b, x < n /\ a <> b /\
      deep n d' (fun h => C h /\ h x = Some a) /\ deep n d' (fun h => C h /\ h x = Some b)
  end.

Lemma deep_iff n : forall d C, deep n d C <-> label_mistakes n C d.
Proof.
  induction d as [|d IH]; intros C; split.
  - intros [h Hh]. exists Tip. split; [exact I|]. intros [|b p] Hp; [|discriminate].
    exists h. split; [exact Hh|exact I].
  - intros [t [Ht Hs]]. destruct (Hs [] eq_refl) as [h [Hh _]]. exists h; exact Hh.
  - intros [x [a [b [Hx [Hab [H0 H1]]]]]]. apply IH in H0 as [l [Hl Sl]]. apply IH in H1 as [r [Hr Sr]].
    exists (Fork x (fun c => if c then b else a) l r). split; [cbn; auto|].
    intros [|c p] Hp; [discriminate|]. injection Hp as Hp.
    destruct c; [destruct (Sr p Hp) as [h [[Ch hx] F]]|destruct (Sl p Hp) as [h [[Ch hx] F]]];
      exists h; cbn; auto.
  - intros [t [Ht Hs]]. destruct t as [|x label l r]; [contradiction|].
    destruct Ht as [Hx [Hab [Hl Hr]]]. exists x, (label false), (label true).
    split; [exact Hx|]. split; [exact Hab|]. split; apply IH.
    + exists l. split; [exact Hl|]. intros p Hp.
      destruct (Hs (false :: p)) as [h [Ch [hx F]]]; [cbn; congruence|]. exists h; auto.
    + exists r. split; [exact Hr|]. intros p Hp.
      destruct (Hs (true :: p)) as [h [Ch [hx F]]]; [cbn; congruence|]. exists h; auto.
Qed.

Lemma deep_mono n : forall d (C D : labelled_class), (forall h, C h -> D h) -> deep n d C -> deep n d D.
Proof.
  induction d as [|d IH]; intros C D H.
  - intros [h Hh]; exists h; auto.
  - intros [x [a [b [Hx [Hab [H0 H1]]]]]]. exists x, a, b. split; [exact Hx|]. split; [exact Hab|].
    split; [eapply IH, H0|eapply IH, H1]; cbn; intros h [? ?]; auto.
Qed.
Lemma deep_down n : forall d d' C, d' <= d -> deep n d C -> deep n d' C.
Proof.
  assert (forall d C, deep n (S d) C -> deep n d C) as P.
  { induction d as [|d IH]; intros C [x [a [b [Hx [Hab [H0 H1]]]]]].
    - destruct H0 as [h [Hh _]]. exists h; exact Hh.
    - exists x, a, b. split; [exact Hx|]. split; [exact Hab|]. split; apply IH; assumption. }
  induction d as [|d IH]; intros d' C L H.
  - replace d' with 0 by lia. exact H.
  - destruct (Nat.eq_dec d' (S d)) as [->|Ne]; [exact H|]. apply IH; [lia|apply P, H].
Qed.

Section Tables.
Variables (n : nat) (rows : list label_row).
Let columns := table_of_sides n rows.

Definition sides_at (x : N) : sides :=
  match entry (number_all columns) x with Some s => s | None => PositiveMap.empty N end.

Lemma sides_at_bit x y j : bit (side (sides_at x) y) j = true -> N.to_nat x < n /\ row_of rows j (N.to_nat x) = Some y.
Proof.
  unfold sides_at. destruct (entry (number_all columns) x) as [s|] eqn:E.
  - apply entry_spec in E. destruct (table_of_sides_bit n rows (N.to_nat x) s y j E) as [L B].
    rewrite B. auto.
  - unfold side. rewrite PositiveMap.gempty. destruct j; discriminate.
Qed.

(* ---- from below: a complete tree in preorder, with two labels at each node ---- *)

Definition fork := (N * N * N)%type.

Fixpoint forks_of (columns : numbered sides) (height : N) (read : json -> option fork) (d : nat) (m : N) (nodes : list json)
    : option (list json) :=
  match d, nodes with
  | 0, i :: more =>
      match place height i with
      | Some j => if N.testbit m j then Some more else None
      | None => None
      end
  | S d', node :: more =>
      match read node with
      | Some (x, a, b) =>
          match entry columns x with
          | Some s =>
              if (a =? b)%N then None else
              match forks_of columns height read d' (N.land m (side s a)) more with
              | Some more' => forks_of columns height read d' (N.land m (side s b)) more'
              | None => None
              end
          | None => None
          end
      | None => None
      end
  | _, [] => None
  end.

Lemma inside x s y m h : nth_error columns x = Some s -> rows_in rows (N.land m (side s y)) h ->
  rows_in rows m h /\ h x = Some y.
Proof.
  intros E [j [B H]]. rewrite land_bit in B. apply andb_prop in B as [M B].
  destruct (table_of_sides_bit n rows x s y j E) as [_ S]. apply S in B.
  split; [exists j; auto|]. rewrite H. exact B.
Qed.
Lemma inside_back x s y m h : nth_error columns x = Some s -> rows_in rows m h -> h x = Some y ->
  rows_in rows (N.land m (side s y)) h.
Proof.
  intros E [j [M H]] Hx. exists j. split; [|exact H]. rewrite land_bit, M.
  destruct (table_of_sides_bit n rows x s y j E) as [_ S]. apply S. rewrite <- H. exact Hx.
Qed.

Lemma forks_of_sound height read : forall d m nodes more,
  forks_of (number_all columns) height read d m nodes = Some more -> deep n d (rows_in rows m).
Proof.
  induction d as [|d IH]; intros m [|node nodes] more H; cbn [forks_of] in H; try discriminate.
  - destruct (place height node) as [j|]; [|discriminate]. destruct (N.testbit m j) eqn:B; [|discriminate].
    exists (row_of rows (N.to_nat j)), (N.to_nat j). split; [|reflexivity].
    rewrite bit_testbit, N2Nat.id. exact B.
  - destruct (read node) as [[[x a] b]|]; [|discriminate].
    destruct (entry (number_all columns) x) as [s|] eqn:E; [|discriminate].
    destruct (N.eqb_spec a b) as [|Ne]; [discriminate|].
    destruct (forks_of _ _ _ d (N.land m (side s a)) nodes) as [more'|] eqn:F; [|discriminate].
    apply entry_spec in E. exists (N.to_nat x), a, b. split; [apply (table_of_sides_bit n rows _ s a 0 E)|].
    split; [exact Ne|]. apply IH in F, H.
    split; [eapply deep_mono, F|eapply deep_mono, H]; intros h; apply inside, E.
Qed.

Definition check_forks (read : json -> option fork) (nodes : list json) (v : Z) : bool :=
  match N.log2 (N.succ (size nodes)) with
  | N0 => false
  | Npos p =>
      (v =? Z.pred (Zpos p))%Z &&
      match forks_of (number_all columns) (size rows) read (Pos.to_nat p - 1) (all_rows rows) nodes with
      | Some [] => true
      | _ => false
      end
  end.

Theorem check_forks_sound read nodes v : check_forks read nodes v = true ->
  dimension_at_least (label_mistakes n (label_table rows)) v.
Proof.
  unfold check_forks. intros H _. destruct (N.log2 (N.succ (size nodes))) as [|p]; [discriminate|].
  apply andb_prop in H as [E H]. apply Z.eqb_eq in E.
  destruct (forks_of _ _ _ _ _ nodes) as [more|] eqn:T; [|discriminate].
  apply forks_of_sound in T. apply deep_iff. replace (Z.to_nat v) with (Pos.to_nat p - 1) by lia.
  eapply deep_mono, T. apply rows_in_label_table.
Qed.

(* ---- from above: no set of rows in a list of them has a tree of its depth ---- *)

Lemma deep_count : forall d m, deep n d (rows_in rows m) -> (2 ^ N.of_nat d <= count_ones m)%N.
Proof.
  induction d as [|d IH]; intros m H.
  - destruct H as [h [j [B _]]]. apply count_ones_positive in B. exact B.
  - destruct H as [x [a [b [Hx [Hab [H0 H1]]]]]].
    destruct (nth_error columns x) as [s|] eqn:E;
      [|apply nth_error_None in E; unfold columns in E; rewrite table_of_sides_length in E; lia].
    assert (forall y, deep n d (fun h => rows_in rows m h /\ h x = Some y) ->
      (2 ^ N.of_nat d <= count_ones (N.land m (side s y)))%N) as G.
    { intros y Hy. apply IH. eapply deep_mono, Hy. intros h [Mh Sh]. eapply inside_back; eassumption. }
    apply G in H0, H1. rewrite Nat2N.inj_succ, N.pow_succ_r'.
    pose proof (count_ones_disjoint (N.land m (side s a)) (N.land m (side s b)) m) as D.
    cut (count_ones (N.land m (side s a)) + count_ones (N.land m (side s b)) <= count_ones m)%N; [lia|].
    apply D; intros j; rewrite !land_bit, ?andb_true_iff; [tauto..|].
    intros [_ A] [_ B]. destruct (table_of_sides_bit n rows x s a j E) as [_ Sa].
    destruct (table_of_sides_bit n rows x s b j E) as [_ Sb]. apply Sa in A. apply Sb in B. congruence.
Qed.

Definition space := (N * N)%type.                            (* a depth, and a set of rows *)
Definition shallow (e : space) : Prop := ~ deep n (N.to_nat (fst e)) (rows_in rows (snd e)).

Definition literal := (N * N)%type.                          (* a point and a label *)
Definition at_literal (columns : numbered sides) (l : literal) : N :=
  match entry columns (fst l) with Some s => side s (snd l) | None => 0%N end.
Definition narrowed (columns : numbered sides) (m : N) (ls : list literal) : N :=
  fold_left (fun m l => N.land m (at_literal columns l)) ls m.

Definition closed_at (closed : PositiveMap.t N) (x : N) : N := side closed x.
Fixpoint close (columns : numbered sides) (known : numbered space) (d m : N) (closed : PositiveMap.t N)
    (turns : list literal) (below : list N) : option (PositiveMap.t N) :=
  match turns, below with
  | [], [] => Some closed
  | l :: turns', e :: below' =>
      match entry known e with
      | Some (d', m') =>
          let rows := at_literal columns l in
          if (d' <? d)%N && (N.ldiff (N.land m rows) m' =? 0)%N
          then close columns known d m
                 (PositiveMap.add (key (fst l)) (N.lor (closed_at closed (fst l)) rows) closed) turns' below'
          else None
      | None => None
      end
  | _, _ => None
  end.

(* on each column at most one label that is not closed has so many rows *)
Definition large (half : N) (left : N) (s : positive * N) : bool := (half <=? count_ones (N.land left (snd s)))%N.
Fixpoint at_most_one (half m : N) (closed : PositiveMap.t N) (x : N) (columns : list sides) : bool :=
  match columns with
  | [] => true
  | s :: rest =>
      let left := N.ldiff m (closed_at closed x) in
      match filter (large half left) (PositiveMap.elements s) with
      | [] | [_] => at_most_one half m closed (N.succ x) rest
      | _ => false
      end
  end.

Inductive claim := Claim (depth : N) (literals turns : list literal) (below : list N).
Definition check_claim (by_number : numbered sides) (columns : list sides) (everything : N) (known : numbered space) (c : claim)
    : option space :=
  let (d, literals, turns, below) := c in
  let m := narrowed by_number everything literals in
  match close by_number known d m (PositiveMap.empty N) turns below with
  | Some closed =>
      if fewer m d || (negb (d =? 0)%N && at_most_one (2 ^ N.pred d)%N m closed 0 columns)
      then Some (d, m) else None
  | None => None
  end.
Fixpoint check_claims by_number columns everything (known : numbered space) (k : positive) (last : option space)
    (claims : list claim) : option space :=
  match claims with
  | [] => last
  | c :: claims' =>
      match check_claim by_number columns everything known c with
      | Some e => check_claims by_number columns everything (PositiveMap.add k e known) (Pos.succ k) (Some e) claims'
      | None => None
      end
  end.

Definition all_shallow (known : numbered space) := forall i e, entry known i = Some e -> shallow e.

Lemma close_sound known d m : all_shallow known -> forall turns below closed result,
  close (number_all columns) known d m closed turns below = Some result ->
  forall x j, bit (closed_at result x) j = true -> bit (closed_at closed x) j = true \/
  exists y, bit (side (sides_at x) y) j = true /\
    ~ deep n (N.to_nat (N.pred d)) (rows_in rows (N.land m (side (sides_at x) y))).
Proof.
  intros K. induction turns as [|[x0 y0] turns IH]; intros [|e below] closed result H x j B;
    cbn [close] in H; try discriminate; [injection H as <-; left; exact B|].
  destruct (entry known e) as [[d' m']|] eqn:E; [|discriminate].
  destruct (_ && _) eqn:F in H; [|discriminate]. apply andb_prop in F as [L Z].
  apply N.ltb_lt in L. apply N.eqb_eq in Z. cbn [fst snd] in *.
  destruct (IH _ _ _ H x j B) as [T|T]; [|right; exact T].
  unfold closed_at in T. unfold side in T at 1. destruct (Pos.eq_dec (key x0) (key x)) as [Q|Q].
  - rewrite Q, PositiveMap.gss in T. apply key_inj in Q. subst x0. rewrite lor_bit in T.
    apply orb_prop in T as [T|T]; [left; exact T|right]. exists y0.
    assert (at_literal (number_all columns) (x, y0) = side (sides_at x) y0) as R.
    { unfold at_literal, sides_at. cbn [fst snd]. destruct (entry _ x); [reflexivity|].
      unfold side. rewrite PositiveMap.gempty. reflexivity. }
    rewrite R in *. split; [exact T|]. intros G. apply (K _ _ E). cbn [fst snd].
    apply (deep_down n (N.to_nat (N.pred d))); [lia|]. eapply deep_mono, G.
    intros h [i [I Hh]]. exists i. split; [|exact Hh].
    assert (bit (N.ldiff (N.land m (side (sides_at x) y0)) m') i = false) as O by (rewrite Z; destruct i; reflexivity).
    rewrite ldiff_bit, I in O. destruct (bit m' i); [reflexivity|discriminate].
  - rewrite PositiveMap.gso in T by congruence. left. exact T.
Qed.

Lemma at_most_one_spec half m closed : forall cols k, at_most_one half m closed k cols = true ->
  forall x s, nth_error cols x = Some s -> forall a b, a <> b ->
  (half <= count_ones (N.land (N.ldiff m (closed_at closed (k + N.of_nat x))) (side s a)))%N ->
  (half <= count_ones (N.land (N.ldiff m (closed_at closed (k + N.of_nat x))) (side s b)))%N ->
  (0 < half)%N -> False.
Proof.
  induction cols as [|s0 cols IH]; intros k H x s E a b Ne A B P; [destruct x; discriminate|].
  cbn [at_most_one] in H.
  destruct x as [|x]; cbn [nth_error] in E.
  - injection E as ->. rewrite N.add_0_r in A, B.
    assert (forall y, (half <= count_ones (N.land (N.ldiff m (closed_at closed k)) (side s y)))%N ->
      In (key y, side s y) (filter (large half (N.ldiff m (closed_at closed k))) (PositiveMap.elements s))) as F.
    { intros y Hy. apply filter_In. split; [|apply N.leb_le, Hy]. apply PositiveMap.elements_correct.
      unfold side in Hy |- *. destruct (PositiveMap.find (key y) s); [reflexivity|].
      rewrite N.land_0_r in Hy. cbn in Hy. lia. }
    apply F in A, B. destruct (filter _ _) as [|p [|q l]]; [destruct A|destruct A as [A|[]], B as [B|[]]|discriminate].
    apply Ne, key_inj. congruence.
  - apply (IH (N.succ k)) with (x := x) (s := s) (a := a) (b := b); try assumption.
    + destruct (filter _ _) as [|p [|q l]]; [assumption..|discriminate].
    + replace (N.succ k + N.of_nat x)%N with (k + N.of_nat (S x))%N by lia. exact A.
    + replace (N.succ k + N.of_nat x)%N with (k + N.of_nat (S x))%N by lia. exact B.
Qed.

Lemma check_claim_sound known c e : all_shallow known ->
  check_claim (number_all columns) columns (all_rows rows) known c = Some e -> shallow e.
Proof.
  intros K H. destruct c as [d literals turns below]. cbn [check_claim] in H.
  set (m := narrowed _ _ _) in H.
  destruct (close _ _ _ _ _ _ _) as [closed|] eqn:C; [|discriminate].
  destruct (_ || _) eqn:F in H; [|discriminate]. injection H as <-. unfold shallow. cbn [fst snd]. intros G.
  apply orb_prop in F as [F|F].
  { apply fewer_spec in F. apply deep_count in G. rewrite N2Nat.id in G. lia. }
  apply andb_prop in F as [D F]. apply negb_true_iff, N.eqb_neq in D.
  replace (N.to_nat d) with (S (N.to_nat (N.pred d))) in G by lia.
  destruct G as [x [a [b [Hx [Hab [G0 G1]]]]]].
  destruct (nth_error columns x) as [s|] eqn:E;
    [|apply nth_error_None in E; unfold columns in E; rewrite table_of_sides_length in E; lia].
  assert (forall y, deep n (N.to_nat (N.pred d)) (fun h => rows_in rows m h /\ h x = Some y) ->
    (2 ^ N.pred d <= count_ones (N.land (N.ldiff m (closed_at closed (N.of_nat x))) (side s y)))%N) as L.
  { intros y Hy. assert (deep n (N.to_nat (N.pred d)) (rows_in rows (N.land m (side s y)))) as M.
    { eapply deep_mono, Hy. intros h [Mh Sh]. eapply inside_back; eassumption. }
    pose proof (deep_count _ _ M) as P. rewrite N2Nat.id in P.
    eapply N.le_trans; [exact P|]. apply count_ones_within. intros j. rewrite !land_bit, ldiff_bit, !andb_true_iff.
    intros [Mj Sj]. split; [|exact Sj]. split; [exact Mj|]. apply negb_true_iff.
    destruct (bit (closed_at closed (N.of_nat x)) j) eqn:Q; [exfalso|reflexivity].
    destruct (close_sound known d m K _ _ _ _ C (N.of_nat x) j Q) as [T|[z [Z W]]].
    - unfold closed_at, side in T. rewrite PositiveMap.gempty in T. destruct j; discriminate.
    - apply sides_at_bit in Z as Z'. rewrite Nat2N.id in Z'. destruct Z' as [_ Z'].
      destruct (table_of_sides_bit n rows x s y j E) as [_ S]. apply S in Sj.
      assert (z = y) as -> by congruence. apply W. eapply deep_mono, M.
      intros h [i [I Hh]]. exists i. split; [|exact Hh]. rewrite land_bit in *. apply andb_prop in I as [I J].
      rewrite I. unfold sides_at. destruct (entry (number_all columns) (N.of_nat x)) as [s'|] eqn:E'.
      + apply entry_spec in E'. rewrite Nat2N.id in E'. assert (s' = s) as -> by congruence. exact J.
      + exfalso. unfold sides_at in Z. rewrite E' in Z. unfold side in Z. rewrite PositiveMap.gempty in Z.
        destruct j; discriminate. }
  apply L in G0, G1. apply (at_most_one_spec _ _ _ _ _ F x s E a b Hab); [exact G0|exact G1|].
  pose proof (N.pow_nonzero 2 (N.pred d)). lia.
Qed.

Lemma check_claims_sound : forall claims known k last e, all_shallow known ->
  (forall e, last = Some e -> shallow e) ->
  check_claims (number_all columns) columns (all_rows rows) known k last claims = Some e -> shallow e.
Proof.
  induction claims as [|c claims IH]; intros known k last e K Hl H; cbn [check_claims] in H; [apply Hl, H|].
  destruct (check_claim _ _ _ _ _) as [e0|] eqn:E in H; [|discriminate].
  apply (check_claim_sound _ _ _ K) in E. eapply IH; [| |exact H].
  - intros i e' Hf. unfold entry in Hf. destruct (Pos.eq_dec k (key i)) as [->|Hne].
    + rewrite PositiveMap.gss in Hf. injection Hf as <-. exact E.
    + rewrite PositiveMap.gso in Hf by congruence. apply (K i e' Hf).
  - intros e' [= <-]. exact E.
Qed.

Definition check_shallow (claims : list claim) (v : Z) : bool :=
  let everything := all_rows rows in
  match check_claims (number_all columns) columns everything (PositiveMap.empty space) 1 None claims with
  | Some (d, m) => (m =? everything)%N && (v =? Z.pred (Z.of_N d))%Z
  | None => false
  end.

Theorem check_shallow_sound claims v : check_shallow claims v = true ->
  dimension_at_most (label_mistakes n (label_table rows)) v.
Proof.
  unfold check_shallow. cbv zeta. intros H.
  destruct (check_claims _ _ _ _ _ _ _) as [[d m]|] eqn:E; [|discriminate].
  apply andb_prop in H as [M V]. apply N.eqb_eq in M. apply Z.eqb_eq in V. subst m.
  apply check_claims_sound in E.
  - split; [lia|]. intros k G. apply deep_iff in G. destruct (Z.le_gt_cases (Z.of_nat k) v) as [|Hk]; [assumption|].
    exfalso. apply E. cbn [fst snd]. apply (deep_down n k); [lia|]. eapply deep_mono, G. apply label_table_rows_in.
  - intros i e Hf. unfold entry in Hf. rewrite PositiveMap.gempty in Hf. discriminate.
  - intros e [=].
Qed.
End Tables.

(* ---- certificates ---- *)

(* literal 2 x + b of a partial class, x k + y of a multiclass class with k labels *)
Definition literal_of (n labels : N) (j : json) : option literal :=
  let* i := place (n * labels) j in Some (N.div_eucl i labels).
Definition claim_of (n labels : N) (j : json) : option claim :=
  match j with
  | Array [d; a; t; b] =>
      let* d := natural d in
      let* a := list_of (literal_of n labels) a in
      let* t := list_of (literal_of n labels) t in
      let* b := list_of natural b in
      Some (Claim d a t b)
  | _ => None
  end.
(* a node of a tree is a point of a partial class, or a point with two labels *)
Definition binary_fork (j : json) : option fork := let* x := natural j in Some (x, 0%N, 1%N).
Definition labelled_fork (j : json) : option fork :=
  match list_of natural j with Some [x; a; b] => Some (x, a, b) | _ => None end.

Definition lower_depth (read : json -> option fork) (n : nat) (rows : list label_row) (v : Z) (name : string) (data : json)
    : bool :=
  if String.eqb name "trivial" then is_trivial v data
  else if String.eqb name "mistake_tree"
  then match fields ["tree"%string] data with
       | Some [Array nodes] => check_forks n rows read nodes v
       | _ => false
       end
  else false.
Definition upper_depth (labels : N) (n : nat) (rows : list label_row) (v : Z) (name : string) (data : json) : bool :=
  String.eqb name "refutation" &&
  match fields ["spaces"%string] data with
  | Some [e] => match list_of (claim_of (N.of_nat n) labels) e with
                | Some claims => check_shallow n rows claims v
                | None => false
                end
  | _ => false
  end.

Lemma lower_depth_sound read n rows v name data : lower_depth read n rows v name data = true ->
  dimension_at_least (label_mistakes n (label_table rows)) v.
Proof.
  unfold lower_depth. destruct (String.eqb name "trivial"); [apply is_trivial_sound|].
  destruct (String.eqb name "mistake_tree"); [|discriminate].
  destruct (fields _ data) as [[|t [|]]|]; try discriminate; destruct t; try discriminate.
  apply check_forks_sound.
Qed.
Lemma upper_depth_sound labels n rows v name data : upper_depth labels n rows v name data = true ->
  dimension_at_most (label_mistakes n (label_table rows)) v.
Proof.
  unfold upper_depth. intros H. apply andb_prop in H as [_ H].
  destruct (fields _ data) as [[|e [|]]|]; try discriminate.
  destruct (list_of _ e) as [claims|]; [|discriminate]. apply check_shallow_sound in H. exact H.
Qed.

Definition partial_littlestone_dimension : kind.
Proof.
  refine {|
    title := "partial_littlestone_dimension"; parameters := [];
    question := nat * list label_row;
    ask instance _ := partial_class_of instance; number := at_least_integer (-1);
    lower q := lower_depth binary_fork (fst q) (snd q);
    upper q := upper_depth 2 (fst q) (snd q);
    lower_means q v := dimension_at_least (label_mistakes (fst q) (label_table (snd q))) v;
    upper_means q v := dimension_at_most (label_mistakes (fst q) (label_table (snd q))) v
  |}.
  - intros q v name data. apply lower_depth_sound.
  - intros q v name data. apply upper_depth_sound.
Defined.

Definition multiclass_littlestone_dimension : kind.
Proof.
  refine {|
    title := "multiclass_littlestone_dimension"; parameters := [];
    question := nat * N * list label_row;
    ask instance _ := multiclass_of instance; number := at_least_integer (-1);
    lower q := lower_depth labelled_fork (fst (fst q)) (snd q);
    upper q := upper_depth (snd (fst q)) (fst (fst q)) (snd q);
    lower_means q v := dimension_at_least (label_mistakes (fst (fst q)) (label_table (snd q))) v;
    upper_means q v := dimension_at_most (label_mistakes (fst (fst q)) (label_table (snd q))) v
  |}.
  - intros q v name data. apply lower_depth_sound.
  - intros q v name data. apply upper_depth_sound.
Defined.
