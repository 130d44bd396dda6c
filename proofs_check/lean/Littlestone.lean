/-! ### Mistake trees ([fx] Definition 2.4): complete ones, every path followed by a concept -/

inductive Tree where
  | leaf
  | node (x : Nat) (left right : Tree)
def complete (n : Nat) : Tree → Nat → Prop
  | .leaf, 0 => True
  | .node x l r, d + 1 => x < n ∧ complete n l d ∧ complete n r d
  | _, _ => False
def follows (h : Concept) : Tree → List Bool → Prop
  | .leaf, [] => True
  | .node x l r, b :: p => h x = b ∧ follows h (if b then r else l) p
  | _, _ => False
def mistakes (n : Nat) (C : Class) (d : Nat) : Prop := ∃ t, complete n t d ∧
  ∀ path : List Bool, path.length = d → ∃ h, C h ∧ follows h t path
def ldim (n : Nat) (C : Class) (v : Int) : Prop := dimension (mistakes n C) v

/-! ### Proofs -/

def forces (n : Nat) : Tree → Nat → List Concept → Bool
  | .leaf, 0, S => !S.isEmpty
  | .node x l r, d + 1, S =>
    decide (x < n) && (forces n l d (side S x false) && forces n r d (side S x true))
  | _, _, _ => false

theorem forces_sound {n : Nat} : ∀ (t : Tree) (d : Nat) (S : List Concept), forces n t d S = true →
    complete n t d ∧ ∀ path : List Bool, path.length = d → ∃ h, h ∈ S ∧ follows h t path
  | .leaf, 0, S, ok => by
    refine ⟨trivial, fun path len => ?_⟩
    cases path with
    | cons b p => simp at len
    | nil =>
      cases S with
      | nil => simp [forces] at ok
      | cons h S => exact ⟨h, by simp, trivial⟩
  | .leaf, d + 1, S, ok => by simp [forces] at ok
  | .node x l r, 0, S, ok => by simp [forces] at ok
  | .node x l r, d + 1, S, ok => by
    simp only [forces, Bool.and_eq_true, decide_eq_true_eq] at ok
    have ⟨c0, p0⟩ := forces_sound l d _ ok.2.1
    have ⟨c1, p1⟩ := forces_sound r d _ ok.2.2
    refine ⟨⟨ok.1, c0, c1⟩, fun path len => ?_⟩
    cases path with
    | nil => simp at len
    | cons b p =>
      have len' : p.length = d := by simpa using len
      cases b with
      | false =>
        have ⟨h, m, f⟩ := p0 p len'
        exact ⟨h, (mem_side.1 m).1, (mem_side.1 m).2, f⟩
      | true =>
        have ⟨h, m, f⟩ := p1 p len'
        exact ⟨h, (mem_side.1 m).1, (mem_side.1 m).2, f⟩

theorem ldim_at_least_by {n : Nat} {rows : List Concept} (t : Tree) (d : Nat)
    (ok : forces n t d rows = true) : dimension_at_least (mistakes n (table n rows)) (d : Int) := by
  have ⟨c, p⟩ := forces_sound t d rows ok
  intro _
  refine ⟨t, by simpa using c, fun path len => ?_⟩
  have ⟨h, m, f⟩ := p path (by simpa using len)
  exact ⟨h, in_table m, f⟩

theorem mistakes_more {n : Nat} {S T : List Concept} {d : Nat} (sub : ∀ h, h ∈ S → h ∈ T) :
    mistakes n (table n S) d → mistakes n (table n T) d := by
  intro ⟨t, c, p⟩
  refine ⟨t, c, fun path len => ?_⟩
  have ⟨h, ⟨r, m, e⟩, f⟩ := p path len
  exact ⟨h, ⟨r, sub r m, e⟩, f⟩

theorem mistakes_sides {n : Nat} {S : List Concept} {d : Nat} :
    mistakes n (table n S) (d + 1) → ∃ x, x < n ∧ ∀ b, mistakes n (table n (side S x b)) d := by
  intro ⟨t, c, p⟩
  cases t with
  | leaf => exact absurd c (by simp [complete])
  | node x l r =>
    refine ⟨x, c.1, fun b => ⟨if b then r else l, ?_, fun path len => ?_⟩⟩
    · cases b
      · exact c.2.1
      · exact c.2.2
    · have ⟨h, ⟨g, m, e⟩, f⟩ := p (b :: path) (by simp [len])
      exact ⟨h, ⟨g, mem_side.2 ⟨m, by rw [← e x c.1]; exact f.1⟩, e⟩, f.2⟩

theorem mistakes_down {n : Nat} {S : List Concept} (d : Nat) :
    mistakes n (table n S) (d + 1) → mistakes n (table n S) d := by
  intro m
  have ⟨x, _, s⟩ := mistakes_sides m
  exact mistakes_more (fun h i => (mem_side.1 i).1) (s false)

theorem mistakes_least {n : Nat} {S : List Concept} {k d : Nat} (le : k ≤ d) :
    mistakes n (table n S) d → mistakes n (table n S) k := by
  induction le with
  | refl => exact id
  | step _ ih => exact fun m => ih (mistakes_down _ m)

theorem mistakes_room {n : Nat} : ∀ (d : Nat) (S : List Concept),
    mistakes n (table n S) d → 2 ^ d ≤ S.length
  | 0, S, ⟨_, _, p⟩ => by
    have ⟨_, ⟨r, m, _⟩, _⟩ := p [] rfl
    exact List.length_pos_of_mem m
  | d + 1, S, m => by
    have ⟨x, _, s⟩ := mistakes_sides m
    have a := mistakes_room d _ (s false)
    have b := mistakes_room d _ (s true)
    have c := length_sides S x
    rw [Nat.pow_succ]
    omega

abbrev Literals := List (Nat × Bool)
/-- no tree of the depth inside the concepts with these literals: for points `x` a label, and how
many entries back the side with this label has no tree of one depth less -/
structure Space where
  depth : Nat
  literals : Literals
  sides : List (Nat × Bool × Nat)

def holds (ls : Literals) (h : Concept) : Bool := ls.all fun l => h l.1 == l.2
def version (rows : List Concept) (ls : Literals) : List Concept := rows.filter (holds ls)

def refuted_earlier (S : List Concept) (done : List (Nat × Literals)) (d : Nat) (b : Bool × Nat) : Bool :=
  match done[b.2]? with
  | none => false
  | some e => decide (e.1 ≤ d) && S.all (holds e.2)

def closes_point (S : List Concept) (done : List (Nat × Literals)) (d : Nat)
    (sides : List (Nat × Bool × Nat)) (x : Nat) : Bool :=
  sides.any (fun s => s.1 == x && refuted_earlier (side S x s.2.1) done d s.2) ||
  (decide ((side S x false).length < 2 ^ d) || decide ((side S x true).length < 2 ^ d))

def closes (n : Nat) (S : List Concept) (done : List (Nat × Literals)) (e : Space) : Bool :=
  decide (S.length < 2 ^ e.depth) ||
  match e.depth with
  | 0 => false
  | d + 1 => (List.range n).all (closes_point S done d e.sides)

def refutes (n : Nat) (rows : List Concept) (k : Nat) : List (Nat × Literals) → List Space → Bool
  | [], [] => false
  | e :: _, [] => decide (e.1 ≤ k) && rows.all (holds e.2)
  | done, e :: es =>
    closes n (version rows e.literals) done e && refutes n rows k ((e.depth, e.literals) :: done) es

def Refuted (n : Nat) (rows : List Concept) (e : Nat × Literals) : Prop :=
  ¬ mistakes n (table n (version rows e.2)) e.1

theorem refuted_side {n : Nat} {rows S : List Concept} {done : List (Nat × Literals)} {d : Nat}
    {b : Bool × Nat} (sub : ∀ h, h ∈ S → h ∈ rows) (old : ∀ e, e ∈ done → Refuted n rows e)
    (ok : refuted_earlier S done d b = true) : ¬ mistakes n (table n S) d := by
  unfold refuted_earlier at ok
  cases q : done[b.2]? with
  | none => simp [q] at ok
  | some e =>
    simp only [q, Bool.and_eq_true, decide_eq_true_eq, List.all_eq_true] at ok
    intro m
    refine old e (List.mem_of_getElem? q) (mistakes_least ok.1 (mistakes_more (fun h i => ?_) m))
    exact List.mem_filter.2 ⟨sub h i, ok.2 h i⟩

theorem closes_sound {n : Nat} {rows S : List Concept} {done : List (Nat × Literals)} {e : Space}
    (sub : ∀ h, h ∈ S → h ∈ rows) (old : ∀ e, e ∈ done → Refuted n rows e)
    (ok : closes n S done e = true) : ¬ mistakes n (table n S) e.depth := by
  intro m
  unfold closes at ok
  simp only [Bool.or_eq_true, decide_eq_true_eq] at ok
  rcases ok with few | ok
  · have := mistakes_room _ _ m
    omega
  · cases k : e.depth with
    | zero => simp [k] at ok
    | succ d =>
      rw [k] at m ok
      simp only [List.all_eq_true, List.mem_range] at ok
      have ⟨x, lt, s⟩ := mistakes_sides m
      have c := ok x lt
      simp only [closes_point, Bool.or_eq_true, decide_eq_true_eq, List.any_eq_true,
        Bool.and_eq_true] at c
      rcases c with ⟨b, _, _, r⟩ | few | few
      · exact refuted_side (fun h i => sub h (mem_side.1 i).1) old r (s b.2.1)
      · have := mistakes_room _ _ (s false)
        omega
      · have := mistakes_room _ _ (s true)
        omega

theorem refutes_sound {n : Nat} {rows : List Concept} {k : Nat} : ∀ (es : List Space)
    (done : List (Nat × Literals)), (∀ e, e ∈ done → Refuted n rows e) →
    refutes n rows k done es = true → ¬ mistakes n (table n rows) k
  | [], [], _, ok => by simp [refutes] at ok
  | [], e :: _, old, ok => by
    simp only [refutes, Bool.and_eq_true, decide_eq_true_eq, List.all_eq_true] at ok
    intro m
    refine old e (by simp) (mistakes_least ok.1 (mistakes_more (fun h i => ?_) m))
    exact List.mem_filter.2 ⟨i, ok.2 h i⟩
  | e :: es, done, old, ok => by
    have ok' : closes n (version rows e.literals) done e = true ∧
        refutes n rows k ((e.depth, e.literals) :: done) es = true := by
      cases done <;> simpa [refutes] using ok
    refine refutes_sound es _ (fun f i => ?_) ok'.2
    rcases List.mem_cons.1 i with rfl | i
    · exact closes_sound (fun h j => (List.mem_filter.1 j).1) old ok'.1
    · exact old f i

theorem ldim_at_most_by {n : Nat} {rows : List Concept} (spaces : List Space) (k : Nat)
    (ok : refutes n rows k [] spaces = true) :
    dimension_at_most (mistakes n (table n rows)) ((k : Int) - 1) :=
  dimension_at_most_by mistakes_down k (refutes_sound spaces [] (by simp) ok)
