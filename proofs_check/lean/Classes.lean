/-! ### Classes over `n` points ([fx] 2.1): a concept matters by its labels on them -/

abbrev Concept := Nat → Bool
abbrev Class := Concept → Prop
def same (n : Nat) (h g : Concept) : Prop := ∀ x, x < n → h x = g x
def table (n : Nat) (rows : List Concept) : Class := fun h => ∃ r, r ∈ rows ∧ same n h r
/-- a row as a number, whose bit `x` is the label of point `x` -/
def bit (r : Nat) : Concept := fun x => r.testBit x

/-- a dimension is the largest number that has some property; -1 if none has it -/
def dimension_at_least (has : Nat → Prop) (v : Int) : Prop := 0 ≤ v → has v.toNat
def dimension_at_most (has : Nat → Prop) (v : Int) : Prop := -1 ≤ v ∧ ∀ d : Nat, has d → (d : Int) ≤ v
def dimension (has : Nat → Prop) (v : Int) : Prop := dimension_at_least has v ∧ dimension_at_most has v

/-! ### Proofs -/

theorem in_table {n : Nat} {rows : List Concept} {h : Concept} (m : h ∈ rows) : table n rows h :=
  ⟨h, m, fun _ _ => rfl⟩

theorem dimension_at_least_trivial (has : Nat → Prop) : dimension_at_least has (-1) :=
  fun h => absurd h (by decide)

theorem dimension_at_most_by {has : Nat → Prop} (down : ∀ d, has (d + 1) → has d) (k : Nat)
    (none : ¬ has k) : dimension_at_most has ((k : Int) - 1) := by
  refine ⟨by omega, fun d hd => ?_⟩
  have all : ∀ j, has (k + j) → False := by
    intro j
    induction j with
    | zero => exact none
    | succ j ih => exact fun h => ih (down _ h)
  by_cases lt : d < k
  · omega
  · exact (all (d - k) (by rwa [show k + (d - k) = d by omega])).elim

/-- the concepts with a label -/
def side (S : List Concept) (x : Nat) (b : Bool) : List Concept := S.filter fun h => h x == b

theorem mem_side {S : List Concept} {x : Nat} {b : Bool} {h : Concept} :
    h ∈ side S x b ↔ h ∈ S ∧ h x = b := by
  simp [side]

theorem length_sides (S : List Concept) (x : Nat) :
    (side S x false).length + (side S x true).length = S.length := by
  induction S with
  | nil => rfl
  | cons h S ih =>
    simp only [side] at ih ⊢
    cases e : h x <;> simp [e] at ih ⊢ <;> omega
