(* What the theorems say: to be compared with the papers.  Points, concepts, inputs, messages and
   databases are the numbers below some number; probabilities are rational.

   [fx]  Feldman, Xiao: Sample complexity bounds on differentially private learning via
         communication complexity.
   [bns] Beimel, Nissim, Stemmer: Private learning and sanitization: pure vs. approximate
         differential privacy.  *)
From Coq Require Import QArith NArith List Permutation.
Local Open Scope Q_scope.

(* ---- Sums and probability vectors ---- *)

Fixpoint sum (n : nat) (g : nat -> Q) : Q :=
  match n with O => 0 | S k => sum k g + g k end.

Definition law (n : nat) (p : nat -> Q) : Prop :=
  (forall i, (i < n)%nat -> 0 <= p i) /\ sum n p == 1.

Definition chance (b : bool) : Q := if b then 1 else 0.

(* ---- Matrix games: the row player, who has n strategies against m, maximises ---- *)

Definition guarantees n m (payoff : nat -> nat -> Q) v :=
  exists x, law n x /\ forall j, (j < m)%nat -> v <= sum n (fun i => x i * payoff i j).
Definition concedes n m (payoff : nat -> nat -> Q) v :=
  exists y, law m y /\ forall i, (i < n)%nat -> sum m (fun j => y j * payoff i j) <= v.
Definition value n m payoff v := guarantees n m payoff v /\ concedes n m payoff v.

(* ---- Linear programs: the least value of a linear form at a feasible point ---- *)

Inductive relation := AtMost | Equal | AtLeast.
Record program := Program {
  scale : positive;                                          (* the form is in parts of it *)
  objective : list Z;
  bounds : list (option Q * option Q);                       (* of the variables; None: unbounded *)
  constraints : list (list (nat * Z) * relation * Z)         (* sums of a x_j against numbers *)
}.
Definition within (ends : option Q * option Q) (a : Q) : Prop :=
  match fst ends with Some low => low <= a | None => True end /\
  match snd ends with Some high => a <= high | None => True end.
Definition stands (r : relation) (a b : Q) : Prop :=
  match r with AtMost => a <= b | Equal => a == b | AtLeast => b <= a end.
Definition combination (terms : list (nat * Z)) (x : nat -> Q) : Q :=
  fold_right (fun t s => inject_Z (snd t) * x (fst t) + s) 0 terms.
Definition feasible (p : program) (x : nat -> Q) :=
  (forall j, (j < length (bounds p))%nat -> within (nth j (bounds p) (None, None)) (x j)) /\
  forall terms r b, In (terms, r, b) (constraints p) -> stands r (combination terms x) (inject_Z b).
Definition objective_at (p : program) (x : nat -> Q) : Q :=
  sum (length (objective p)) (fun j => inject_Z (nth j (objective p) 0%Z) * x j) / inject_Z (Zpos (scale p)).

(* infinity where no point is feasible, minus infinity where none is least *)
Inductive extended := MinusInfinity | Finite (v : Q) | Infinity.
Definition minimum_at_least (p : program) (e : extended) :=
  match e with
  | MinusInfinity => True
  | Finite v => forall x, feasible p x -> v <= objective_at p x
  | Infinity => forall x, ~ feasible p x
  end.
Definition minimum_at_most (p : program) (e : extended) :=
  match e with
  | MinusInfinity => forall v, exists x, feasible p x /\ objective_at p x <= v
  | Finite v => exists x, feasible p x /\ objective_at p x <= v
  | Infinity => True
  end.
Definition minimum p e := minimum_at_least p e /\ minimum_at_most p e.

(* ---- Classes over n points ([fx] 2.1): a concept matters by its labels on them ---- *)

Definition concept := nat -> bool.
Definition class := concept -> Prop.
Definition same n (h g : concept) := forall x, (x < n)%nat -> h x = g x.
Definition table n (rows : list concept) : class := fun h => exists r, In r rows /\ same n h r.
Definition bit (r : N) : concept := N.testbit_nat r.         (* a row as a number *)
(* the dual: points are the rows, and each point is the concept of its labels *)
Definition dual n (rows : list concept) : list concept :=
  map (fun x i => nth i rows (fun _ => false) x) (seq 0 n).

(* a dimension is the largest number that has some property; -1 if none has it *)
Definition dimension_at_least (has : nat -> Prop) (v : Z) := (0 <= v)%Z -> has (Z.to_nat v).
Definition dimension_at_most (has : nat -> Prop) (v : Z) :=
  (-1 <= v)%Z /\ forall d, has d -> (Z.of_nat d <= v)%Z.
Definition dimension has v := dimension_at_least has v /\ dimension_at_most has v.

(* a set of points, d of them, is shattered: every labelling is that of a concept *)
Definition shattered n (C : class) d := exists point : nat -> nat,
  (forall i, (i < d)%nat -> (point i < n)%nat) /\
  forall labels : nat -> bool, exists h, C h /\ forall i, (i < d)%nat -> h (point i) = labels i.
Definition vcdim n C := dimension (shattered n C).

(* ([fx] Definition 2.4) complete trees of depth d, every path followed by a concept *)
Inductive tree := Leaf | Node (x : nat) (left right : tree).
Fixpoint complete n t d : Prop :=
  match t, d with
  | Leaf, O => True
  | Node x l r, S d' => (x < n)%nat /\ complete n l d' /\ complete n r d'
  | _, _ => False
  end.
Fixpoint follows (h : concept) t (path : list bool) : Prop :=
  match t, path with
  | Leaf, nil => True
  | Node x l r, cons b p => h x = b /\ follows h (if b then r else l) p
  | _, _ => False
  end.
Definition mistakes n (C : class) d := exists t, complete n t d /\
  forall path, length path = d -> exists h, C h /\ follows h t path.
Definition ldim n C := dimension (mistakes n C).

(* trees every branch of which is followed by a concept, and which may end anywhere.  A random branch
   goes on with either label with probability 1/2; the randomised Littlestone dimension is half of the
   largest mean length (Filmus, Hanneke, Mehalel, Moran 2023), -1 of the empty class, which shatters no tree *)
Fixpoint asks n t : Prop :=
  match t with Leaf => True | Node x l r => (x < n)%nat /\ asks n l /\ asks n r end.
Fixpoint is_branch t (path : list bool) : Prop :=
  match t, path with
  | Leaf, nil => True
  | Node _ l r, cons b p => is_branch (if b then r else l) p
  | _, _ => False
  end.
Fixpoint mean_length t : Q :=
  match t with Leaf => 0 | Node _ l r => 1 + (1 # 2) * (mean_length l + mean_length r) end.
Definition shatters n (C : class) t := asks n t /\
  forall path, is_branch t path -> exists h, C h /\ follows h t path.
Definition rldim_at_least n C v := v <= -(1) \/ exists t, shatters n C t /\ v <= (1 # 2) * mean_length t.
Definition rldim_at_most n C v := -(1) <= v /\ forall t, shatters n C t -> (1 # 2) * mean_length t <= v.
Definition rldim n C v := rldim_at_least n C v /\ rldim_at_most n C v.

(* so many concepts and points with label 1 exactly from the diagonal on: the threshold dimension is
   the largest number of them (Alon, Livni, Malliaris, Moran 2019), and -1 without concepts *)
Definition thresholds n (C : class) k := (exists h, C h) /\
  exists (concept_at : nat -> concept) (point : nat -> nat),
  (forall i, (i < k)%nat -> C (concept_at i) /\ (point i < n)%nat) /\
  forall i j, (i < k)%nat -> (j < k)%nat -> concept_at i (point j) = true <-> (i <= j)%nat.

(* ([bns] Definition 4.14) points of which concepts tell any two apart: the effective domain *)
Definition told_apart n (C : class) d := exists point : nat -> nat,
  (forall i, (i < d)%nat -> (point i < n)%nat) /\
  forall i j, (i < d)%nat -> (j < d)%nat -> i <> j -> exists h, C h /\ h (point i) <> h (point j).

(* around a concept of the class k others, of which each differs from it on one of k points, its own:
   the star number is the largest k (Hanneke, Yang 2015) *)
Definition star n (C : class) k := exists (centre : concept) (point : nat -> nat) (near : nat -> concept),
  C centre /\ (forall i, (i < k)%nat -> (point i < n)%nat /\ C (near i)) /\
  forall i j, (i < k)%nat -> (j < k)%nat -> near i (point j) <> centre (point j) <-> i = j.

(* points on which no other concept of the class has the labels of this one *)
Definition teaches n (C : class) (f : concept) (xs : list nat) :=
  (forall x, In x xs -> (x < n)%nat) /\
  forall g, C g -> (forall x, In x xs -> g x = f x) -> same n g f.
(* the least number of points that are enough; -1 where nothing has to be taught *)
Definition enough_at_least (enough : Z -> Prop) (v : Z) := forall w, (-1 <= w)%Z -> enough w -> (v <= w)%Z.
Definition enough_at_most (enough : Z -> Prop) (v : Z) := (-1 <= v)%Z /\ enough v.
Definition least_enough enough v := enough_at_least enough v /\ enough_at_most enough v.
Definition few (v : Z) (xs : list nat) := (Z.of_nat (length xs) <= v)%Z.

(* teaching dimension (Goldman, Kearns 1995) *)
Definition teachable n (C : class) v := forall f, C f -> exists xs, teaches n C f xs /\ few v xs.
(* recursive teaching dimension (Doliwa, Fan, Simon, Zilles 2014): a plan lists all concepts, each
   taught among itself and the later ones *)
Fixpoint plan n (l : list (concept * list nat)) : Prop :=
  match l with
  | nil => True
  | cons (f, xs) l' => teaches n (table n (f :: map fst l')) f xs /\ plan n l'
  end.
Definition plannable n (C : class) v := exists l, plan n l /\
  (forall p, In p l -> C (fst p) /\ few v (snd p)) /\ forall f, C f -> table n (map fst l) f.
(* no-clash teaching dimension (Kirkpatrick, Simon, Zilles 2019): of two concepts, one has another
   label than the other one on a point that is given for one of them *)
Definition teachable_without_clash n (C : class) v := exists T : concept -> list nat,
  (forall f, C f -> (forall x, In x (T f) -> (x < n)%nat) /\ few v (T f)) /\
  forall f g, C f -> C g -> ~ same n f g -> exists x, In x (T f ++ T g) /\ f x <> g x.

(* ---- Partial and multiclass concept classes: a concept gives a point a label, which is a number, or
   is undefined there.  The labels of partial classes are 0 and 1; multiclass concepts are defined on
   all n points.  Each row of a table lists the labels of one concept ---- *)

Definition labelling := nat -> option N.
Definition labelled_class := labelling -> Prop.
Definition label_table (rows : list (list (option N))) : labelled_class :=
  fun h => exists r, In r rows /\ forall x, h x = nth x r None.
Definition label_dual n (rows : list (list (option N))) : list (list (option N)) :=
  map (fun x => map (fun r => nth x r None) rows) (seq 0 n).

(* d points with two labels each, between which concepts choose in all ways: the Natarajan dimension.
   In partial classes the two labels are 0 and 1: the VC dimension (Alon, Hanneke, Holzman, Moran 2021) *)
Definition label_shattered n (C : labelled_class) d := exists (point : nat -> nat) (label : nat -> bool -> N),
  (forall i, (i < d)%nat -> (point i < n)%nat /\ label i false <> label i true) /\
  forall choice : nat -> bool, exists h, C h /\
    forall i, (i < d)%nat -> h (point i) = Some (label i (choice i)).

(* the Littlestone dimension: complete trees of depth d with two labels at each node, every path
   followed by a concept (Daniely, Sabato, Ben-David, Shalev-Shwartz 2011) *)
Inductive label_tree := Tip | Fork (x : nat) (label : bool -> N) (left right : label_tree).
Fixpoint label_complete n t d : Prop :=
  match t, d with
  | Tip, O => True
  | Fork x label l r, S d' =>
      (x < n)%nat /\ label false <> label true /\ label_complete n l d' /\ label_complete n r d'
  | _, _ => False
  end.
Fixpoint label_follows (h : labelling) t (path : list bool) : Prop :=
  match t, path with
  | Tip, nil => True
  | Fork x label l r, cons b p => h x = Some (label b) /\ label_follows h (if b then r else l) p
  | _, _ => False
  end.
Definition label_mistakes n (C : labelled_class) d := exists t, label_complete n t d /\
  forall path, length path = d -> exists h, C h /\ label_follows h t path.

(* the graph dimension: points with a label each; for each set of them, a concept gives its label to exactly
   the points of the set (Natarajan 1989) *)
Definition graph_shattered n (C : labelled_class) d := exists (point : nat -> nat) (label : nat -> N),
  (forall i, (i < d)%nat -> (point i < n)%nat) /\
  forall choice : nat -> bool, exists h, C h /\
    forall i, (i < d)%nat -> h (point i) = Some (label i) <-> choice i = true.

(* the Daniely-Shalev-Shwartz dimension: some concepts form a pseudo-cube on d points.  For each concept
   of them and each point, another one has another label there, and the same labels on the other points *)
Definition pseudo_cubes n (C : labelled_class) d := exists (point : nat -> nat) (cube : list labelling),
  (forall i, (i < d)%nat -> (point i < n)%nat) /\ cube <> nil /\
  forall h, In h cube -> C h /\ forall i, (i < d)%nat -> exists g, In g cube /\
    forall j, (j < d)%nat -> g (point j) = h (point j) <-> j <> i.

(* thresholds, stars and teaching of partial classes: the concepts are defined on all points in question *)
Definition partial_thresholds n (C : labelled_class) k := (exists h, C h) /\
  exists (concept_at : nat -> labelling) (point : nat -> nat),
  (forall i, (i < k)%nat -> C (concept_at i) /\ (point i < n)%nat) /\
  forall i j, (i < k)%nat -> (j < k)%nat ->
    concept_at i (point j) = Some (if (i <=? j)%nat then 1%N else 0%N).
Definition partial_star n (C : labelled_class) k :=
  exists (centre : labelling) (point : nat -> nat) (near : nat -> labelling),
  C centre /\ (forall i, (i < k)%nat -> (point i < n)%nat /\ centre (point i) <> None /\ C (near i)) /\
  forall i j, (i < k)%nat -> (j < k)%nat -> near i (point j) <> None /\
    (near i (point j) <> centre (point j) <-> i = j).
(* points at which a concept is defined; all concepts with its labels on them extend it *)
Definition partial_teaches n (C : labelled_class) (f : labelling) (xs : list nat) :=
  (forall x, In x xs -> (x < n)%nat /\ f x <> None) /\
  forall g, C g -> (forall x, In x xs -> g x = f x) -> forall x, (x < n)%nat -> f x <> None -> g x = f x.
Definition partial_teachable n (C : labelled_class) v := forall f, C f ->
  exists xs, partial_teaches n C f xs /\ few v xs.

(* ---- Representations ([fx] Definitions 4 and 5 (=2.3, 2.4), [bbkn] Definition 3.1): a set of
   hypotheses has a good one for every concept and distribution, or a set that is drawn likely has ---- *)

Definition disagreement n (D : nat -> Q) (h f : concept) : Q :=
  sum n (fun x => D x * chance (xorb (h x) (f x))).
Definition represents n (C : class) (H : list concept) e := forall f D,
  C f -> law n D -> exists h, In h H /\ disagreement n D h f <= e.
Definition representation_error n C H e :=
  (forall e', represents n C H e' -> e <= e') /\ represents n C H e.

(* of k sets the set i is drawn with probability p i; it fails if all its hypotheses err more than e *)
Definition fails n D (f : concept) e (H : list concept) : bool :=
  forallb (fun h => negb (Qle_bool (disagreement n D h f) e)) H.
Definition represents_randomly n (C : class) k p (H : nat -> list concept) e failure := forall f D,
  C f -> law n D -> sum k (fun i => p i * chance (fails n D f e (H i))) <= failure.
Definition representation_failure n C k p H e v :=
  (forall d, represents_randomly n C k p H e d -> v <= d) /\ represents_randomly n C k p H e v.

(* sizes: sets of so many hypotheses, all from a pool *)
Definition all_functions : class := fun _ => True.
Definition set_of (pool : class) size (H : list concept) :=
  H <> nil /\ (length H <= size)%nat /\ forall h, In h H -> pool h.
Definition represented n C pool e size := exists H, set_of pool size H /\ represents n C H e.
Definition represented_randomly n C pool e size failure := exists k p H, law k p /\
  (forall i, (i < k)%nat -> set_of pool size (H i)) /\ represents_randomly n C k p H e failure.
Definition deterministic_size n C pool e v :=
  (forall k, represented n C pool e k -> (v <= k)%nat) /\ represented n C pool e v.
Definition probabilistic_size n C pool e failure v :=
  (forall k, represented_randomly n C pool e k failure -> (v <= k)%nat) /\
  represented_randomly n C pool e v failure.
Definition failure_of_size n C pool e size v :=
  (forall d, represented_randomly n C pool e size d -> v <= d) /\ represented_randomly n C pool e size v.

(* ---- One-way protocols ([fx] 2.2): on x Alice sends message i with probability `alice x i`, and
   then Bob answers 1 on y with probability `bob i y` ---- *)

Definition problem := nat -> nat -> option bool.            (* None: outside the promise *)
Record protocol := { alice : nat -> nat -> Q; bob : nat -> nat -> Q }.
Definition uses n m k (P : protocol) := (forall x, (x < n)%nat -> law k (alice P x)) /\
  forall i y, (i < k)%nat -> (y < m)%nat -> 0 <= bob P i y <= 1.
Definition error k (f : problem) (P : protocol) x y : Q :=
  match f x y with
  | Some b => sum k (fun i => alice P x i * (if b then 1 - bob P i y else bob P i y))
  | None => 0
  end.
Definition tables (a : nat -> nat) (b : nat -> nat -> bool) : protocol :=
  {| alice := fun x i => chance (a x =? i)%nat; bob := fun i y => chance (b i y) |}.

(* public coins draw one of c protocols; with private coins there is one, without coins one that
   consists of tables *)
Inductive coins := Deterministic | Private | Public.
Definition available (w : coins) c (P : nat -> protocol) :=
  match w with
  | Deterministic => c = 1%nat /\ exists a b, P O = tables a b
  | Private => c = 1%nat
  | Public => True
  end.
Definition mean_error k f c p (P : nat -> protocol) x y : Q := sum c (fun i => p i * error k f (P i) x y).
Definition reached w n m f k e := exists c p P, law c p /\ available w c P /\
  (forall i, (i < c)%nat -> uses n m k (P i)) /\
  forall x y, (x < n)%nat -> (y < m)%nat -> mean_error k f c p P x y <= e.
Definition minimax_error w n m f k e := (forall e', reached w n m f k e' -> e <= e') /\ reached w n m f k e.
Definition complexity w n m f e k :=
  (forall k', reached w n m f k' e -> (k <= k')%nat) /\ reached w n m f k e.

(* Sign rank (Paturi, Simon 1986): the least d for which the rows and the columns have vectors of d
   numbers whose products have the signs that a problem asks for; of a class, all its labels.  Rational
   numbers are enough: where real vectors serve, so do rational ones near them. *)
Definition has_signs n m (f : problem) d := exists u v : nat -> nat -> Q,
  forall x y b, (x < n)%nat -> (y < m)%nat -> f x y = Some b ->
  let product := sum d (fun i => u x i * v y i) in if b then 0 < product else product < 0.
Definition signs_at_least n m f v := forall d, has_signs n m f d -> (v <= d)%nat.
Definition sign_rank n m f v := signs_at_least n m f v /\ has_signs n m f v.

(* Equality; index: Alice has a word, whose bits are those of a number, and Bob a position in it;
   augmented index: Bob has the bits before position i too, as the number y with y + 1 = 2^i + those *)
Definition equality_problem : problem := fun x y => Some (x =? y)%nat.
Definition index_problem : problem := fun x i => Some (Nat.testbit x i).
Definition augmented_index_problem : problem := fun x y =>
  let i := Nat.log2 (S y) in
  if (S y =? 2 ^ i + x mod 2 ^ i)%nat then Some (Nat.testbit x i) else None.

(* without coins, on the average of a distribution of the inputs *)
Definition average n m (mu g : nat -> nat -> Q) : Q := sum n (fun x => sum m (fun y => mu x y * g x y)).
Definition reached_on_average n m f k mu e := exists a b, (forall x, (x < n)%nat -> (a x < k)%nat) /\
  average n m mu (error k f (tables a b)) <= e.
Definition distributional_error n m f k mu e :=
  (forall e', reached_on_average n m f k mu e' -> e <= e') /\ reached_on_average n m f k mu e.

(* ---- Two-way communication (Kushilevitz, Nisan 1997, chapters 1 and 2): Alice has one of n inputs and
   Bob one of m.  A rectangle is a set of inputs of each; it is of a value if all its inputs inside the
   promise have this value. ---- *)

Definition rectangle := ((nat -> bool) * (nat -> bool))%type.
Definition holds (r : rectangle) x y : bool := (fst r x && snd r y)%bool.
Definition of_value n m (f : problem) (b : bool) (r : rectangle) := forall x y c, (x < n)%nat -> (y < m)%nat ->
  holds r x y = true -> f x y = Some c -> c = b.

(* rectangles of a value that hold each input of the value: a cover; a partition if one holds it only *)
Definition times_held (l : list rectangle) x y : nat := length (filter (fun r => holds r x y) l).
Definition covers (disjoint : bool) n m f b (l : list rectangle) := (forall r, In r l -> of_value n m f b r) /\
  forall x y, (x < n)%nat -> (y < m)%nat -> f x y = Some b ->
    if disjoint then times_held l x y = 1%nat else (1 <= times_held l x y)%nat.
Definition rectangles_at_least disjoint n m f b (v : N) := forall l,
  covers disjoint n m f b l -> (v <= N.of_nat (length l))%N.
Definition rectangles_at_most disjoint n m f b (v : N) := exists l,
  covers disjoint n m f b l /\ (N.of_nat (length l) <= v)%N.
Definition cover_number n m f b v := rectangles_at_least false n m f b v /\ rectangles_at_most false n m f b v.
Definition partition_number n m f b v := rectangles_at_least true n m f b v /\ rectangles_at_most true n m f b v.

(* the same with weights, which add up to 1 or more on each input of the value, or to 1 *)
Definition weight_held (l : list (rectangle * Q)) x y : Q :=
  fold_right (fun p s => chance (holds (fst p) x y) * snd p + s) 0 l.
Definition whole_weight (l : list (rectangle * Q)) : Q := fold_right (fun p s => snd p + s) 0 l.
Definition covers_by_weights (disjoint : bool) n m f b (l : list (rectangle * Q)) :=
  (forall p, In p l -> of_value n m f b (fst p) /\ 0 <= snd p) /\
  forall x y, (x < n)%nat -> (y < m)%nat -> f x y = Some b ->
    if disjoint then weight_held l x y == 1 else 1 <= weight_held l x y.
Definition weights_at_least disjoint n m f b v := forall l,
  covers_by_weights disjoint n m f b l -> v <= whole_weight l.
Definition weights_at_most disjoint n m f b v := exists l,
  covers_by_weights disjoint n m f b l /\ whole_weight l <= v.
Definition fractional_cover_number n m f b v := weights_at_least false n m f b v /\ weights_at_most false n m f b v.
Definition fractional_partition_number n m f b v :=
  weights_at_least true n m f b v /\ weights_at_most true n m f b v.

(* the rectangle bound and the smooth rectangle bound of a value, for an error of e (Jain, Klauck 2010):
   rectangles of inputs of any values, with weights that add up to 1 - e or more at each input of the value,
   and to at most 1 in the smooth bound, and to at most e at each input of the other value *)
Definition accepts_by_weights (smooth : bool) n m (f : problem) b e (l : list (rectangle * Q)) :=
  (forall p, In p l -> 0 <= snd p) /\
  forall x y c, (x < n)%nat -> (y < m)%nat -> f x y = Some c ->
    if Bool.eqb b c then 1 - e <= weight_held l x y /\ (smooth = true -> weight_held l x y <= 1)
    else weight_held l x y <= e.
Definition rectangle_bound_at_least smooth n m f b e v := forall l,
  accepts_by_weights smooth n m f b e l -> v <= whole_weight l.
Definition rectangle_bound_at_most smooth n m f b e v := exists l,
  accepts_by_weights smooth n m f b e l /\ whole_weight l <= v.
Definition rectangle_bound n m f b e v :=
  rectangle_bound_at_least false n m f b e v /\ rectangle_bound_at_most false n m f b e v.
Definition smooth_rectangle_bound n m f b e v :=
  rectangle_bound_at_least true n m f b e v /\ rectangle_bound_at_most true n m f b e v.

(* the partition bound: rectangles for each value, with weights that add up to 1 at each input, also outside
   the promise, and those for the wrong value to at most e *)
Definition splits_by_weights n m (f : problem) e (l : bool -> list (rectangle * Q)) :=
  (forall b p, In p (l b) -> 0 <= snd p) /\
  (forall x y, (x < n)%nat -> (y < m)%nat -> weight_held (l false) x y + weight_held (l true) x y == 1) /\
  forall x y b, (x < n)%nat -> (y < m)%nat -> f x y = Some b -> weight_held (l (negb b)) x y <= e.
Definition partition_bound_at_least n m f e v := forall l,
  splits_by_weights n m f e l -> v <= whole_weight (l false) + whole_weight (l true).
Definition partition_bound_at_most n m f e v := exists l,
  splits_by_weights n m f e l /\ whole_weight (l false) + whole_weight (l true) <= v.
Definition partition_bound n m f e v := partition_bound_at_least n m f e v /\ partition_bound_at_most n m f e v.

(* a power of a matrix: a row is a list of k rows of the matrix, the digits of a number to the base n, and a column
   is a list of k columns; an input has the value if all of its coordinates have it *)
Fixpoint has_value_in_power (n m : nat) (f : problem) (b : bool) (k x y : nat) : bool :=
  match k with
  | O => true
  | S k' => (match f (x mod n)%nat (y mod m)%nat with Some c => Bool.eqb b c | None => false end
             && has_value_in_power n m f b k' (x / n)%nat (y / m)%nat)%bool
  end.
Definition power_of n m f b k : problem := fun x y => Some (has_value_in_power n m f b k x y).
Definition power_partition_at_least n m f b k v :=
  weights_at_least true (n ^ k)%nat (m ^ k)%nat (power_of n m f b k) true v.
Definition power_partition_at_most n m f b k v :=
  weights_at_most true (n ^ k)%nat (m ^ k)%nat (power_of n m f b k) true v.
Definition fractional_partition_of_power n m f b k v :=
  power_partition_at_least n m f b k v /\ power_partition_at_most n m f b k v.

(* a fooling set: inputs of a value of which no rectangle of this value holds two *)
Definition fooling n m f b (inputs : list (nat * nat)) := NoDup inputs /\
  (forall x y, In (x, y) inputs -> (x < n)%nat /\ (y < m)%nat /\ f x y = Some b) /\
  forall x y z w r, In (x, y) inputs -> In (z, w) inputs -> of_value n m f b r ->
    holds r x y = true -> holds r z w = true -> (x, y) = (z, w).
Definition fooling_at_least n m f b (v : N) := exists l, fooling n m f b l /\ (v <= N.of_nat (length l))%N.
Definition fooling_at_most n m f b (v : N) := forall l, fooling n m f b l -> (N.of_nat (length l) <= v)%N.
Definition fooling_number n m f b v := fooling_at_least n m f b v /\ fooling_at_most n m f b v.

(* the least rank of a matrix with the entries of a problem: the least d for which the rows and the columns
   have vectors of d numbers whose products are the entries, over the rationals or modulo a prime *)
Inductive scalars := Rationals | Modulo (p : Z).
Fixpoint integer_sum n (g : nat -> Z) : Z := match n with O => 0%Z | S k => (integer_sum k g + g k)%Z end.
Definition has_products (F : scalars) n m (f : problem) d :=
  match F with
  | Rationals => exists u v : nat -> nat -> Q, forall x y b, (x < n)%nat -> (y < m)%nat -> f x y = Some b ->
      sum d (fun i => u x i * v y i) == chance b
  | Modulo p => exists u v : nat -> nat -> Z, forall x y b, (x < n)%nat -> (y < m)%nat -> f x y = Some b ->
      ((integer_sum d (fun i => u x i * v y i) - Z.b2z b) mod p = 0)%Z
  end.
Definition rank_at_least F n m f (v : N) := forall d, has_products F n m f d -> (v <= N.of_nat d)%N.
Definition rank_at_most F n m f (v : N) := exists d, has_products F n m f d /\ (N.of_nat d <= v)%N.
Definition rank F n m f v := rank_at_least F n m f v /\ rank_at_most F n m f v.

(* protocols: at a node one player sends a bit of the own input, and at a leaf both know the answer *)
Inductive two_way :=
| Answer (b : bool)
| AliceSends (bit_of : nat -> bool) (zero one : two_way)
| BobSends (bit_of : nat -> bool) (zero one : two_way).
Fixpoint output t x y : bool :=
  match t with
  | Answer b => b
  | AliceSends s l r => output (if s x then r else l) x y
  | BobSends s l r => output (if s y then r else l) x y
  end.
Fixpoint leaves t : nat :=
  match t with Answer _ => 1 | AliceSends _ l r | BobSends _ l r => leaves l + leaves r end.
Fixpoint depth t : nat :=
  match t with Answer _ => 0 | AliceSends _ l r | BobSends _ l r => S (Nat.max (depth l) (depth r)) end.
Definition computes n m (f : problem) t := forall x y b, (x < n)%nat -> (y < m)%nat -> f x y = Some b -> output t x y = b.
Definition two_way_at_least (size : two_way -> nat) n m f (v : N) := forall t,
  computes n m f t -> (v <= N.of_nat (size t))%N.
Definition two_way_at_most (size : two_way -> nat) n m f (v : N) := exists t,
  computes n m f t /\ (N.of_nat (size t) <= v)%N.
Definition protocol_size n m f v := two_way_at_least leaves n m f v /\ two_way_at_most leaves n m f v.
Definition deterministic_cost n m f v := two_way_at_least depth n m f v /\ two_way_at_most depth n m f v.

(* minimax errors of interactive protocols with public coins.  A deterministic protocol is given by its outputs:
   those of a tree with so many bits and rounds, or those of a referee to whom both send a message, of i and j bits.
   A round is a sequence of bits of one player; `last` is the player of the bit before, true for Bob. *)
Definition begins (last : option bool) (bob : bool) : nat :=
  match last with Some p => if Bool.eqb p bob then 0 else 1 | None => 1 end.
Fixpoint rounds_after (last : option bool) t : nat :=
  match t with
  | Answer _ => 0
  | AliceSends _ l r => begins last false + Nat.max (rounds_after (Some false) l) (rounds_after (Some false) r)
  | BobSends _ l r => begins last true + Nat.max (rounds_after (Some true) l) (rounds_after (Some true) r)
  end.
Definition by_tree (bits : nat) (rounds : option nat) (g : nat -> nat -> bool) := exists t, (depth t <= bits)%nat /\
  match rounds with Some k => (rounds_after None t <= k)%nat | None => True end /\ forall x y, g x y = output t x y.
Definition by_messages (bits : nat) (g : nat -> nat -> bool) := exists i j a b (answer : nat -> nat -> bool),
  (i + j <= bits)%nat /\ (forall x : nat, a x < 2 ^ i)%nat /\ (forall y : nat, b y < 2 ^ j)%nat /\
  forall x y, g x y = answer (a x) (b y).
Definition mixture_errs (able : (nat -> nat -> bool) -> Prop) n m (f : problem) e := exists c p g, law c p /\
  (forall i, (i < c)%nat -> able (g i)) /\
  forall x y b, (x < n)%nat -> (y < m)%nat -> f x y = Some b -> sum c (fun i => p i * chance (xorb b (g i x y))) <= e.
Definition mixture_error_at_least able n m f v := forall e, mixture_errs able n m f e -> v <= e.
Definition mixture_error able n m f v := mixture_error_at_least able n m f v /\ mixture_errs able n m f v.

(* discrepancy: the largest difference between the chances of both values in a rectangle, under the uniform
   distribution on the inputs inside the promise, or under the one for which it is least *)
Inductive which_distribution := Uniform | Worst.
Definition plus_or_minus (v : option bool) : Q := match v with Some true => 1 | Some false => -(1) | None => 0 end.
Definition on_promise (w : which_distribution) n m (f : problem) mu :=
  average n m mu (fun _ _ => 1) == 1 /\ exists c, forall x y, (x < n)%nat -> (y < m)%nat ->
    match f x y with
    | Some _ => match w with Uniform => mu x y == c | Worst => 0 <= mu x y end
    | None => mu x y == 0
    end.
Definition difference_in (r : rectangle) n m (f : problem) mu : Q :=
  average n m mu (fun x y => plus_or_minus (f x y) * chance (holds r x y)).
Definition discrepancy_at_least w n m f v := forall mu, on_promise w n m f mu -> exists r,
  v <= difference_in r n m f mu \/ v <= - difference_in r n m f mu.
Definition discrepancy_at_most w n m f v := exists mu, on_promise w n m f mu /\ forall r,
  difference_in r n m f mu <= v /\ - difference_in r n m f mu <= v.
Definition discrepancy w n m f v := discrepancy_at_least w n m f v /\ discrepancy_at_most w n m f v.

(* gamma_2 (Linial, Shraibman 2009): the rows and the columns have vectors of a squared length of at most g
   whose products have the signs that the problem asks for, and lie between 1 and alpha apart from the
   sign.  The k-th entry of a vector is u x k times the root of w k, so that rational numbers are enough. *)
Definition within_alpha alpha (v : option bool) (a : Q) :=
  match v with Some true => 1 <= a <= alpha | Some false => 1 <= - a <= alpha | None => - alpha <= a <= alpha end.
Definition factorised n m (f : problem) alpha g := exists d (w : nat -> Q) (u v : nat -> nat -> Q),
  (forall k, (k < d)%nat -> 0 <= w k) /\
  (forall x, (x < n)%nat -> sum d (fun k => w k * (u x k * u x k)) <= g) /\
  (forall y, (y < m)%nat -> sum d (fun k => w k * (v y k * v y k)) <= g) /\
  forall x y, (x < n)%nat -> (y < m)%nat -> within_alpha alpha (f x y) (sum d (fun k => w k * (u x k * v y k))).
Definition gamma_2_at_least n m f alpha v := forall g, factorised n m f alpha g -> v <= g.
Definition gamma_2 n m f alpha v := gamma_2_at_least n m f alpha v /\ factorised n m f alpha v.

(* ---- Privacy: a mechanism is a law on so many outcomes for each database.  The factor is
   e^epsilon ([fx] 2.3, [bns] Definition 2.1): the chance of no event on a database is larger than
   factor times its chance on a neighbour plus delta. ---- *)

Definition private (neighbours : nat -> nat -> Prop) outcomes (law_of : nat -> nat -> Q) factor delta :=
  forall D E (event : nat -> bool), neighbours D E ->
    sum outcomes (fun o => law_of D o * chance (event o))
    <= factor * sum outcomes (fun o => law_of E o * chance (event o)) + delta.

(* the least delta >= 0 for a factor, the least factor >= 1 for a delta *)
Definition delta_at_least neighbours outcomes law_of factor v :=
  forall delta, 0 <= delta -> private neighbours outcomes law_of factor delta -> v <= delta.
Definition least_delta neighbours outcomes law_of factor v :=
  delta_at_least neighbours outcomes law_of factor v /\ private neighbours outcomes law_of factor v.
Definition factor_at_least neighbours outcomes law_of delta v :=
  forall factor, 1 <= factor -> private neighbours outcomes law_of factor delta -> v <= factor.
Definition least_factor neighbours outcomes law_of delta v :=
  factor_at_least neighbours outcomes law_of delta v /\ private neighbours outcomes law_of v delta.
Definition no_factor neighbours outcomes law_of delta :=
  forall factor, 1 <= factor -> ~ private neighbours outcomes law_of factor delta.

(* databases are given as a list, and stand for their places in it; here all m records out of the
   numbers below some number, in order or, if only their number matters, in non-decreasing order *)
Definition among {A} (databases : list A) (near : A -> A -> Prop) i j := exists D E,
  nth_error databases i = Some D /\ nth_error databases j = Some E /\ near D E.
Fixpoint sequences (records m : nat) : list (list nat) :=
  match m with
  | O => nil :: nil
  | S k => flat_map (fun x => map (cons x) (sequences records k)) (seq 0 records)
  end.
Fixpoint multisets_from (records m low : nat) : list (list nat) :=
  match m with
  | O => nil :: nil
  | S k => flat_map (fun x => map (cons x) (multisets_from records k x)) (seq low (records - low))
  end.
Definition multisets records m := multisets_from records m 0.

(* another record of its group stands for one record, behind those that are public *)
Definition replaced (group : nat -> nat) public (D E : list nat) := exists l x y t,
  D = l ++ x :: t /\ E = l ++ y :: t /\ (public <= length l)%nat /\ group x = group y.
Definition exchanged (group : nat -> nat) (D E : list nat) := exists x y r,
  Permutation D (x :: r) /\ Permutation E (y :: r) /\ group x = group y.

(* databases of several sizes; changes of one record, or of all records whose group is that of one
   record: in order, or up to the order of the records *)
Definition of_sizes (of_size : nat -> list (list nat)) (least most : nat) :=
  flat_map of_size (seq least (S most - least)).
Inductive change := Replace_one | Add_or_remove_one | Replace_key | Remove_key.
Definition removed (D E : list nat) := exists l x t, D = l ++ x :: t /\ E = l ++ t.
Definition without (group : nat -> nat) (x : nat) (D : list nat) := filter (fun y => negb (group y =? group x)%nat) D.
Definition changed (how : change) (group : nat -> nat) (D E : list nat) := match how with
  | Replace_one => replaced group 0 D E
  | Add_or_remove_one => removed D E \/ removed E D
  | Replace_key => exists x, In x (D ++ E) /\ without group x D = without group x E
  | Remove_key => exists x, (In x D /\ E = without group x D) \/ (In x E /\ D = without group x E)
  end.
Definition changed_multiset (how : change) (group : nat -> nat) (D E : list nat) := match how with
  | Replace_one => exchanged group D E
  | Add_or_remove_one => exists x, Permutation D (x :: E) \/ Permutation E (x :: D)
  | Replace_key => exists x, In x (D ++ E) /\ Permutation (without group x D) (without group x E)
  | Remove_key => exists x,
      (In x D /\ Permutation E (without group x D)) \/ (In x E /\ Permutation D (without group x E))
  end.

(* quality functions, whose values are integers over a unit, differ by at most 1 on each solution;
   if there is a limit, so many of them at most are larger in the one, and in the other *)
Definition larger (q r : list Z) :=
  length (filter (fun s => nth s r 0 <? nth s q 0)%Z (seq 0 (length q))).
Definition close unit (growth : option nat) (q r : list Z) := length q = length r /\
  (forall s, (Z.abs (nth s q 0 - nth s r 0) <= unit)%Z) /\
  match growth with Some k => (larger q r <= k)%nat /\ (larger r q <= k)%nat | None => True end.

Definition listed (pairs : list (nat * nat)) i j := In (i, j) pairs \/ In (j, i) pairs.

(* ---- Numbers that are not rational: t = e^(1/r), the least upper bound of the partial sums of its
   series, or the positive r-th root of c, by the rationals that are at most t and at least t.  What
   is said at t of functions that are continuous there is said of all rationals near t. ---- *)

Fixpoint exponential_term (u : Q) k : Q :=
  match k with O => 1 | S j => exponential_term u j * u / inject_Z (Z.of_nat k) end.
Fixpoint raise (x : Q) k : Q := match k with O => 1 | S j => x * raise x j end.
Inductive irrational := Exponential (r : positive) | Root (r : nat) (c : Q).

Definition not_above t x := match t with
  | Exponential r => forall d, 0 < d -> exists n, x <= sum n (exponential_term (1 # r)) + d
  | Root r c => x <= 0 \/ raise x r <= c
  end.
Definition not_below t x := match t with
  | Exponential r => forall n, sum n (exponential_term (1 # r)) <= x
  | Root r c => 0 <= x /\ c <= raise x r
  end.
Definition near t (fact : Q -> Prop) := exists low high,
  not_above t low /\ not_below t high /\ forall x, low <= x <= high -> fact x.
Definition at_most_at t (a b : Q -> Q) := forall d, 0 < d -> near t (fun x => a x <= b x + d).

(* polynomials with integer coefficients, from the constant term up, and their quotients *)
Fixpoint polynomial (p : list Z) (x : Q) : Q :=
  match p with nil => 0 | c :: p' => inject_Z c + x * polynomial p' x end.
Definition quotient (over under : list Z) (x : Q) : Q := polynomial over x / polynomial under x.
(* the law whose weights are polynomials *)
Definition law_in_powers (weights : list (list Z)) (x : Q) (o : nat) : Q :=
  polynomial (nth o weights nil) x / sum (length weights) (fun i => polynomial (nth i weights nil) x).

Definition private_at t neighbours outcomes (law_of : nat -> Q -> nat -> Q) (factor delta : Q -> Q) :=
  forall D E (event : nat -> bool), neighbours D E ->
    at_most_at t (fun x => sum outcomes (fun o => law_of D x o * chance (event o)))
      (fun x => factor x * sum outcomes (fun o => law_of E x o * chance (event o)) + delta x).
Definition delta_at_least_at t (neighbours : nat -> nat -> Prop) outcomes law_of factor v :=
  forall delta, 0 <= delta -> private_at t neighbours outcomes law_of factor (fun _ => delta) ->
  at_most_at t v (fun _ => delta).
Definition factor_at_least_at t (neighbours : nat -> nat -> Prop) outcomes law_of delta v :=
  forall factor, 1 <= factor -> private_at t neighbours outcomes law_of (fun _ => factor) delta ->
  at_most_at t v (fun _ => factor).
Definition no_factor_at t (neighbours : nat -> nat -> Prop) outcomes law_of delta :=
  forall factor, 1 <= factor -> ~ private_at t neighbours outcomes law_of (fun _ => factor) delta.
Definition least_delta_at t neighbours outcomes law_of factor v :=
  delta_at_least_at t neighbours outcomes law_of factor v /\ private_at t neighbours outcomes law_of factor v.
Definition least_factor_at t neighbours outcomes law_of delta v :=
  factor_at_least_at t neighbours outcomes law_of delta v /\ private_at t neighbours outcomes law_of v delta.

(* ---- Learners ([bbkn] Definitions 2.2, 2.5; [bns] 2.15): samples of labelled points below m ---- *)

Definition example := (nat * bool)%type.
Definition sample m n (S : list example) := length S = n /\ forall z, In z S -> (fst z < m)%nat.
Definition labelled (f : concept) (l : list nat) : list example := map (fun x => (x, f x)) l.

(* the mean of F over n independent points of law D *)
Fixpoint drawn m (D : nat -> Q) n (F : list nat -> Q) : Q :=
  match n with
  | O => F nil
  | S k => sum m (fun x => D x * drawn m D k (fun l => F (x :: l)))
  end.

(* a learner has so many answers, which are concepts, and for each sample the probability of each *)
Record learner := Learner { answers : nat; answer : nat -> concept; answering : list example -> nat -> Q }.
Definition is_learner m n (A : learner) := forall S, sample m n S -> law (answers A) (answering A S).
Definition answers_in (A : learner) (H : class) := forall i, (i < answers A)%nat -> H (answer A i).

Definition success m n (A : learner) accuracy f D := drawn m D n (fun l =>
  sum (answers A) (fun i => answering A (labelled f l) i
                            * chance (Qle_bool (disagreement m D (answer A i) f) accuracy))).
Definition fails_on_a_target m n A (C : class) accuracy v :=             (* on some target with probability v *)
  exists f D, C f /\ law m D /\ v <= 1 - success m n A accuracy f D.
Definition fails_at_most m n A (C : class) accuracy v :=     (* on every target *)
  forall f D, C f -> law m D -> 1 - success m n A accuracy f D <= v.

(* neighbours differ in one example; factor is e^epsilon, and delta is 0 in pure privacy *)
Definition one_replaced {X} (S T : list X) := exists l x y r, S = l ++ x :: r /\ T = l ++ y :: r.
Definition is_private m n (A : learner) factor delta := forall S T (event : nat -> bool),
  sample m n S -> sample m n T -> one_replaced S T ->
  sum (answers A) (fun i => answering A S i * chance (event i))
  <= factor * sum (answers A) (fun i => answering A T i * chance (event i)) + delta.

Definition learns_privately m n (C H : class) accuracy factor delta failure := exists A,
  is_learner m n A /\ answers_in A H /\ is_private m n A factor delta /\ fails_at_most m n A C accuracy failure.
Definition failure_at_least m n C H accuracy factor delta v := forall e,
  learns_privately m n C H accuracy factor delta e -> v <= e.
Definition least_failure_of_learners m n C H accuracy factor delta v :=
  failure_at_least m n C H accuracy factor delta v /\ learns_privately m n C H accuracy factor delta v.

Definition examples_at_least m C H accuracy factor delta failure (v : N) := forall n,
  learns_privately m n C H accuracy factor delta failure -> (v <= N.of_nat n)%N.
Definition examples_suffice m C H accuracy factor delta failure (v : N) :=
  learns_privately m (N.to_nat v) C H accuracy factor delta failure.
Definition least_examples m C H accuracy factor delta failure v :=
  examples_at_least m C H accuracy factor delta failure v /\ examples_suffice m C H accuracy factor delta failure v.

(* ---- Releases of answers to all concepts ([bbkn] 7, [bns] 2.16): n records below m ---- *)

Definition records m n (S : list nat) := length S = n /\ forall x, In x S -> (x < m)%nat.
Definition share_of (f : concept) (S : list nat) : Q :=
  inject_Z (Z.of_nat (length (filter f S))) / inject_Z (Z.of_nat (length S)).

(* from an output an estimate can be told for each concept; usefully means that, but for a
   probability of failure, all of them err by less than accuracy *)
Record mechanism := Mechanism { outputs : nat; estimate : nat -> concept -> Q; giving : list nat -> nat -> Q }.
Definition releases m n (M : mechanism) (C : class) accuracy failure := forall S, records m n S ->
  law (outputs M) (giving M S) /\ exists good : nat -> bool,
  1 - failure <= sum (outputs M) (fun o => giving M S o * chance (good o)) /\
  forall o f, (o < outputs M)%nat -> good o = true -> C f ->
    estimate M o f < share_of f S + accuracy /\ share_of f S < estimate M o f + accuracy.
Definition gives_privately m n (M : mechanism) factor := forall S T (event : nat -> bool),
  records m n S -> records m n T -> one_replaced S T ->
  sum (outputs M) (fun o => giving M S o * chance (event o))
  <= factor * sum (outputs M) (fun o => giving M T o * chance (event o)).
Definition records_at_least m C accuracy factor failure (v : N) := forall n M, (0 < n)%nat ->
  releases m n M C accuracy failure -> gives_privately m n M factor -> (v <= N.of_nat n)%N.

(* ---- How often the more frequent of two points can be released: records are true or false, and a
   point is released only if it is in more records than the other one.  `close` is what privacy says
   of the chances of an event on two neighbours. ---- *)

Definition lead_of (S : list bool) : Z :=
  (Z.of_nat (length (filter (fun x => x) S)) - Z.of_nat (length (filter negb S)))%Z.
Definition released_at_most (close : Q -> Q -> Prop) (lead : Z) v :=
  forall m outcomes (law_of : list bool -> nat -> Q) (released : nat -> bool),
  let chance_of event S := sum outcomes (fun o => law_of S o * chance (event o)) in
  (forall S, length S = m -> law outcomes (law_of S)) ->
  (forall S T event, length S = m -> length T = m -> one_replaced S T -> close (chance_of event S) (chance_of event T)) ->
  (forall S, length S = m -> (lead_of S <= 0)%Z -> chance_of released S == 0) ->
  forall S, length S = m -> lead_of S = lead -> chance_of released S <= v.

Definition private_step factor delta (p q : Q) := p <= factor * q + delta.
Definition private_step_at t factor delta (p q : Q) := at_most_at t (fun _ => p) (fun x => factor x * q + delta x).
