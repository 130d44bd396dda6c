(* The least weight of the inputs on which a tree with so many bits and rounds errs, of a matrix of weights of
   inputs, which are negative for the value 0: by all ways to divide rows or columns in two. *)
From Coq Require Import List Arith ZArith Lia Bool.
From CCSim Require Import Definitions.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- sums over lists ---- *)

Fixpoint sum_of_list {A} (l : list A) (g : A -> Z) : Z := match l with [] => 0 | a :: l' => g a + sum_of_list l' g end.
Lemma list_sum_le {A} (l : list A) g h : (forall a, In a l -> g a <= h a) -> sum_of_list l g <= sum_of_list l h.
Proof.
  induction l as [|a l IH]; intros H; cbn [sum_of_list]; [lia|]. pose proof (H a (in_eq _ _)).
  specialize (IH (fun b I => H b (in_cons _ _ _ I))). lia.
Qed.
Lemma list_sum_ext {A} (l : list A) g h : (forall a, In a l -> g a = h a) -> sum_of_list l g = sum_of_list l h.
Proof.
  induction l as [|a l IH]; intros H; cbn [sum_of_list]; [reflexivity|].
  rewrite (H a (in_eq _ _)), IH; [reflexivity|]. intros b I. apply H, in_cons, I.
Qed.
Lemma list_sum_plus {A} (l : list A) g h : sum_of_list l (fun a => g a + h a) = sum_of_list l g + sum_of_list l h.
Proof. induction l as [|a l IH]; cbn [sum_of_list]; lia. Qed.
Lemma list_sum_0 {A} (l : list A) : sum_of_list l (fun _ => 0) = 0.
Proof. induction l as [|a l IH]; cbn [sum_of_list]; lia. Qed.
Lemma list_sum_swap {A B} (l : list A) (r : list B) g :
  sum_of_list l (fun a => sum_of_list r (g a)) = sum_of_list r (fun b => sum_of_list l (fun a => g a b)).
Proof.
  induction l as [|a l IH]; cbn [sum_of_list]; [symmetry; apply list_sum_0|]. rewrite IH. symmetry. apply list_sum_plus.
Qed.
Lemma list_sum_map {A B} (h : A -> B) l g : sum_of_list (map h l) g = sum_of_list l (fun a => g (h a)).
Proof. induction l as [|a l IH]; cbn [map sum_of_list]; congruence. Qed.
Lemma list_sum_parts {A} (s : A -> bool) l g :
  sum_of_list l g = sum_of_list (filter s l) g + sum_of_list (filter (fun a => negb (s a)) l) g.
Proof. induction l as [|a l IH]; cbn [sum_of_list filter]; [lia|]. destruct (s a); cbn [negb sum_of_list]; lia. Qed.
Lemma list_sum_filter {A} (s : A -> bool) l g : (forall a, In a l -> 0 <= g a) -> sum_of_list (filter s l) g <= sum_of_list l g.
Proof.
  induction l as [|a l IH]; intros H; cbn [sum_of_list filter]; [lia|]. pose proof (H a (in_eq _ _)).
  specialize (IH (fun b I => H b (in_cons _ _ _ I))). destruct (s a); cbn [sum_of_list]; lia.
Qed.

(* ---- lists divided in two, and matrices ---- *)

Fixpoint ways {A} (l : list A) : list (list A * list A) :=
  match l with
  | [] => [([], [])]
  | a :: l' => let r := ways l' in map (fun p => (a :: fst p, snd p)) r ++ map (fun p => (fst p, a :: snd p)) r
  end.
Definition ways_in_two {A} (l : list A) : list (list A * list A) :=
  match l with [] => [([], [])] | a :: l' => map (fun p => (a :: fst p, snd p)) (ways l') end.
Lemma ways_in {A B} (h : A -> B) (s : A -> bool) : forall l,
  In (map h (filter s l), map h (filter (fun a => negb (s a)) l)) (ways (map h l)).
Proof.
  induction l as [|a l IH]; [left; reflexivity|]. cbn [filter map ways]. apply in_or_app.
  destruct (s a); cbn [negb map]; [left|right]; apply in_map_iff; eexists; (split; [|exact IH]); reflexivity.
Qed.
Lemma ways_in_two_in {A B} (h : A -> B) (s : A -> bool) l :
  In (map h (filter s l), map h (filter (fun a => negb (s a)) l)) (ways_in_two (map h l)) \/
  In (map h (filter (fun a => negb (s a)) l), map h (filter s l)) (ways_in_two (map h l)).
Proof.
  destruct l as [|a l]; [left; left; reflexivity|]. cbn [filter map ways_in_two]. destruct (s a) eqn:E; cbn [negb map].
  - left. apply in_map_iff. eexists. split; [|apply (ways_in h s)]. reflexivity.
  - right. apply in_map_iff. eexists. split; [|apply (ways_in h (fun a => negb (s a)))]. cbn [fst snd].
    f_equal. f_equal. apply filter_ext. intros b. rewrite negb_involutive. reflexivity.
Qed.

Fixpoint transposed (M : list (list Z)) : list (list Z) :=
  match M with
  | [] => []
  | [r] => map (fun a => [a]) r
  | r :: M' => map (fun p => fst p :: snd p) (combine r (transposed M'))
  end.
Definition matrix {A B} (w : A -> B -> Z) xs ys : list (list Z) := map (fun x => map (w x) ys) xs.
Lemma transposed_matrix {A B} (w : A -> B -> Z) : forall xs ys, xs <> [] ->
  transposed (matrix w xs ys) = matrix (fun y x => w x y) ys xs.
Proof.
  induction xs as [|x [|z xs] IH]; intros ys H; [congruence| |].
  - cbn [matrix map transposed]. unfold matrix. rewrite map_map. reflexivity.
  - assert (transposed (matrix w (z :: xs) ys) = matrix (fun y x => w x y) ys (z :: xs)) as E by (apply IH; discriminate).
    change (transposed (matrix w (x :: z :: xs) ys))
      with (map (fun p : Z * list Z => fst p :: snd p) (combine (map (w x) ys) (transposed (matrix w (z :: xs) ys)))).
    rewrite E. clear. unfold matrix. induction ys as [|y ys IH]; [reflexivity|]. cbn [map combine fst snd]. f_equal. exact IH.
Qed.

(* ---- errors ---- *)

Definition mistake (answer : bool) (w : Z) : Z := if answer then Z.max (- w) 0 else Z.max w 0.
Lemma mistake_nonneg b w : 0 <= mistake b w.
Proof. unfold mistake. destruct b; lia. Qed.
Definition mistakes {A B} (w : A -> B -> Z) (g : A -> B -> bool) xs ys : Z :=
  sum_of_list xs (fun x => sum_of_list ys (fun y => mistake (g x y) (w x y))).
Definition of_constant (b : bool) (M : list (list Z)) : Z := sum_of_list M (fun r => sum_of_list r (mistake b)).
Definition constant (M : list (list Z)) : Z := Z.min (of_constant false M) (of_constant true M).
Definition by_lines (M : list (list Z)) : Z := sum_of_list M (fun r => constant [r]).

Lemma of_constant_matrix {A B} (w : A -> B -> Z) b xs ys : of_constant b (matrix w xs ys) = mistakes w (fun _ _ => b) xs ys.
Proof.
  unfold of_constant, matrix, mistakes. rewrite list_sum_map. apply list_sum_ext. intros x _. apply list_sum_map.
Qed.
Lemma constant_most {A B} (w : A -> B -> Z) b xs ys : constant (matrix w xs ys) <= mistakes w (fun _ _ => b) xs ys.
Proof. unfold constant. rewrite !of_constant_matrix. destruct b; lia. Qed.
Lemma by_lines_most {A B} (w : A -> B -> Z) (h : A -> bool) xs ys : by_lines (matrix w xs ys) <= mistakes w (fun x _ => h x) xs ys.
Proof.
  unfold by_lines, mistakes. unfold matrix at 1. rewrite list_sum_map. apply list_sum_le. intros x _.
  pose proof (constant_most w (h x) [x] ys) as K. unfold matrix, mistakes in K. cbn [map sum_of_list] in K. lia.
Qed.
Lemma mistakes_ext {A B} (w : A -> B -> Z) g h xs ys : (forall x y, g x y = h x y) -> mistakes w g xs ys = mistakes w h xs ys.
Proof. intros H. apply list_sum_ext. intros x _. apply list_sum_ext. intros y _. rewrite H. reflexivity. Qed.
Lemma mistakes_swap {A B} (w : A -> B -> Z) g xs ys : mistakes w g xs ys = mistakes (fun y x => w x y) (fun y x => g x y) ys xs.
Proof. apply list_sum_swap. Qed.
Lemma mistakes_parts {A B} (w : A -> B -> Z) (s : A -> bool) g h xs ys :
  mistakes w (fun x y => if s x then g x y else h x y) xs ys
  = mistakes w g (filter s xs) ys + mistakes w h (filter (fun x => negb (s x)) xs) ys.
Proof.
  unfold mistakes. rewrite (list_sum_parts s). f_equal; apply list_sum_ext; intros x I; apply filter_In in I as [_ I];
    apply list_sum_ext; intros y _; [rewrite I; reflexivity|]. apply negb_true_iff in I. rewrite I. reflexivity.
Qed.

Definition smallest (a : Z) (l : list Z) : Z := fold_left Z.min l a.
Lemma smallest_first l : forall a, smallest a l <= a.
Proof. induction l as [|b l IH]; intros a; cbn; [lia|]. specialize (IH (Z.min a b)). unfold smallest in IH. lia. Qed.
Lemma smallest_in l : forall a b, In b l -> smallest a l <= b.
Proof.
  induction l as [|c l IH]; intros a b I; [destruct I|]. cbn. destruct I as [->|I]; [|apply IH, I].
  pose proof (smallest_first l (Z.min a b)). unfold smallest in *. lia.
Qed.

(* ---- trees ---- *)

Definition divided (bob : bool) (M : list (list Z)) : list (list (list Z) * list (list Z)) :=
  if bob then map (fun p => (transposed (fst p), transposed (snd p))) (ways_in_two (transposed M)) else ways_in_two M.
Fixpoint least (c : nat) (last : option bool) (r : nat) (M : list (list Z)) : Z :=
  match c with
  | O => constant M
  | S c' =>
      let first (bob : bool) : list Z :=
        if (begins last bob <=? r)%nat then
          match c' with
          | O => [by_lines (if bob then transposed M else M)]
          | _ => let r' := (r - begins last bob)%nat in
                 map (fun p => least c' (Some bob) r' (fst p) + least c' (Some bob) r' (snd p)) (divided bob M)
          end
        else [] in
      let low := least c' last r M in
      if low <=? 0 then low else smallest low (first false ++ first true)
  end.

Lemma least_fewer c last r M : least (S c) last r M <= least c last r M.
Proof. cbn [least]. destruct (_ <=? 0); [lia|apply smallest_first]. Qed.
Lemma least_empty c last r : least c last r [] <= 0.
Proof. induction c as [|c IH]; [cbn; lia|]. pose proof (least_fewer c last r []). lia. Qed.

Lemma divided_by_rows (w : nat -> nat -> Z) s xs ys (value : list (list Z) -> Z) :
  exists p, In p (divided false (matrix w xs ys)) /\
    value (fst p) + value (snd p) = value (matrix w (filter s xs) ys) + value (matrix w (filter (fun x => negb (s x)) xs) ys).
Proof.
  unfold divided, matrix. destruct (ways_in_two_in (fun x => map (w x) ys) s xs) as [I|I]; eexists; (split; [exact I|]); cbn [fst snd]; lia.
Qed.
Lemma divided_by_columns (w : nat -> nat -> Z) s xs ys (value : list (list Z) -> Z) : xs <> [] -> value [] <= 0 ->
  exists p, In p (divided true (matrix w xs ys)) /\
    (forall a b, (filter s ys <> [] -> value (matrix w xs (filter s ys)) <= a) -> 0 <= a ->
      (filter (fun y => negb (s y)) ys <> [] -> value (matrix w xs (filter (fun y => negb (s y)) ys)) <= b) -> 0 <= b ->
      value (fst p) + value (snd p) <= a + b).
Proof.
  intros N V. unfold divided. rewrite transposed_matrix by exact N. unfold matrix at 1 2.
  set (side := fun y => map (fun x => w x y) xs).
  assert (forall l c, (l <> [] -> value (matrix w xs l) <= c) -> 0 <= c -> value (transposed (map side l)) <= c) as T.
  { intros l c H C. destruct l as [|y l]; [cbn; lia|]. change (map side (y :: l)) with (matrix (fun y x => w x y) (y :: l) xs).
    rewrite transposed_matrix by discriminate. apply H. discriminate. }
  destruct (ways_in_two_in side s ys) as [I|I].
  - exists (transposed (map side (filter s ys)), transposed (map side (filter (fun y => negb (s y)) ys))). split.
    + apply in_map_iff. eexists. split; [|exact I]. reflexivity.
    + intros a b Ha Pa Hb Pb. cbn [fst snd]. pose proof (T _ _ Ha Pa). pose proof (T _ _ Hb Pb). lia.
  - exists (transposed (map side (filter (fun y => negb (s y)) ys)), transposed (map side (filter s ys))). split.
    + apply in_map_iff. eexists. split; [|exact I]. reflexivity.
    + intros a b Ha Pa Hb Pb. cbn [fst snd]. pose proof (T _ _ Ha Pa). pose proof (T _ _ Hb Pb). lia.
Qed.
Lemma mistakes_nonneg {A B} (w : A -> B -> Z) g xs ys : 0 <= mistakes w g xs ys.
Proof.
  unfold mistakes. rewrite <- (list_sum_0 xs). apply list_sum_le. intros x _. rewrite <- (list_sum_0 ys). apply list_sum_le.
  intros y _. apply mistake_nonneg.
Qed.

Theorem least_sound (w : nat -> nat -> Z) : forall c t last r xs ys, (depth t <= c)%nat -> (rounds_after last t <= r)%nat ->
  least c last r (matrix w xs ys) <= mistakes w (output t) xs ys.
Proof.
  induction c as [|c IH]; intros t last r xs ys D R.
  - destruct t as [b|s l h|s l h]; cbn [depth] in D; [|lia|lia]. apply constant_most.
  - destruct t as [b|s l h|s l h].
    + refine (Z.le_trans _ _ _ (least_fewer _ _ _ _) (IH (Answer b) _ _ _ _ _ _)); cbn; lia.
    + cbn [depth rounds_after] in D, R.
      rewrite (mistakes_ext w _ (fun x y => if s x then output h x y else output l x y))
        by (intros x y; cbn [output]; destruct (s x); reflexivity).
      cbn [least]. destruct (Z.leb_spec (least c last r (matrix w xs ys)) 0) as [Z0|_];
        [refine (Z.le_trans _ _ _ Z0 (mistakes_nonneg _ _ _ _))|].
      assert (begins last false <=? r = true)%nat as -> by (apply Nat.leb_le; lia). destruct c as [|c].
      * destruct l as [b| |], h as [a| |]; cbn [depth] in D; try lia.
        refine (Z.le_trans _ _ _ (smallest_in _ _ _ (in_or_app _ _ _ (or_introl (in_eq _ _)))) _).
        refine (Z.le_trans _ _ _ (by_lines_most w (fun x => if s x then a else b) xs ys) _).
        apply Z.eq_le_incl, mistakes_ext. intros x y. cbn [output]. destruct (s x); reflexivity.
      * rewrite (mistakes_parts w s (output h) (output l)).
        destruct (divided_by_rows w s xs ys (least (S c) (Some false) (r - begins last false))) as [p [I E]].
        refine (Z.le_trans _ _ _ (smallest_in _ _ _ (in_or_app _ _ _ (or_introl (in_map _ _ _ I)))) _). cbv beta. rewrite E.
        apply Z.add_le_mono; apply IH; lia.
    + cbn [depth rounds_after] in D, R. destruct xs as [|x0 xs0] eqn:X.
      { cbn [matrix map]. refine (Z.le_trans _ _ _ (least_empty _ _ _) _). apply mistakes_nonneg. }
      rewrite <- X. assert (xs <> []) as N by congruence.
      rewrite (mistakes_ext w _ (fun x y => if s y then output h x y else output l x y))
        by (intros x y; cbn [output]; destruct (s y); reflexivity).
      cbn [least]. destruct (Z.leb_spec (least c last r (matrix w xs ys)) 0) as [Z0|_];
        [refine (Z.le_trans _ _ _ Z0 (mistakes_nonneg _ _ _ _))|].
      assert (begins last true <=? r = true)%nat as -> by (apply Nat.leb_le; lia). destruct c as [|c].
      * destruct l as [b| |], h as [a| |]; cbn [depth] in D; try lia.
        refine (Z.le_trans _ _ _ (smallest_in _ _ _ (in_or_app _ _ _ (or_intror (in_eq _ _)))) _).
        rewrite transposed_matrix by exact N.
        refine (Z.le_trans _ _ _ (by_lines_most (fun y x => w x y) (fun y => if s y then a else b) ys xs) _).
        rewrite mistakes_swap. apply Z.eq_le_incl, mistakes_ext. intros x y. cbn [output]. destruct (s y); reflexivity.
      * rewrite mistakes_swap, (mistakes_parts _ s (fun y x => output h x y) (fun y x => output l x y)).
        destruct (divided_by_columns w s xs ys (least (S c) (Some true) (r - begins last true)) N (least_empty _ _ _)) as [p [I E]].
        refine (Z.le_trans _ _ _ (smallest_in _ _ _ (in_or_app _ _ _ (or_intror (in_map _ _ _ I)))) _). cbv beta.
        apply E; try apply mistakes_nonneg; intros _; rewrite (mistakes_swap (fun y x => w x y)); apply IH; lia.
Qed.

(* without a limit on rounds, as many as bits are enough *)
Lemma rounds_depth t : forall last, (rounds_after last t <= depth t)%nat.
Proof.
  assert (forall last b, (begins last b <= 1)%nat) as B by (intros [[|]|] [|]; cbn; lia).
  induction t as [b|s l IHl h IHh|s l IHl h IHh]; intros last; cbn [rounds_after depth]; [lia| |].
  - specialize (B last false). specialize (IHl (Some false)). specialize (IHh (Some false)). lia.
  - specialize (B last true). specialize (IHl (Some true)). specialize (IHh (Some true)). lia.
Qed.
Definition least_of_trees (bits : nat) (rounds : option nat) (M : list (list Z)) : Z :=
  least bits None (match rounds with Some k => k | None => bits end) M.
Theorem least_of_trees_sound bits rounds w g xs ys : by_tree bits rounds g ->
  least_of_trees bits rounds (matrix w xs ys) <= mistakes w g xs ys.
Proof.
  intros [t [D [R E]]]. rewrite (mistakes_ext w g (output t)) by exact E. apply least_sound; [exact D|].
  destruct rounds as [k|]; [exact R|]. pose proof (rounds_depth t None). lia.
Qed.
