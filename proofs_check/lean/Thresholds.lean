/-! ### Thresholds inside a class (Alon, Livni, Malliaris, Moran 2019): so many concepts and points
with label 1 exactly from the diagonal on; -1 without concepts -/

def thresholds (n : Nat) (C : Class) (k : Nat) : Prop := (∃ h, C h) ∧
  ∃ (concept_at : Nat → Concept) (point : Nat → Nat),
  (∀ i, i < k → C (concept_at i) ∧ point i < n) ∧
  ∀ i j, i < k → j < k → (concept_at i (point j) = true ↔ i ≤ j)

/-! ### Proofs -/

def nowhere : Concept := fun _ => false

def is_chain (n : Nat) (rows : List Concept) (concepts points : List Nat) (k : Nat) : Bool :=
  decide (0 < rows.length) &&
  decide (∀ i, i < k → concepts.getD i 0 < rows.length ∧ points.getD i 0 < n) &&
  decide (∀ i, i < k → ∀ j, j < k →
    (rows.getD (concepts.getD i 0) nowhere (points.getD j 0) = true ↔ i ≤ j))

theorem thresholds_at_least_by {n : Nat} {rows : List Concept} (concepts points : List Nat) (k : Nat)
    (ok : is_chain n rows concepts points k = true) :
    dimension_at_least (thresholds n (table n rows)) (k : Int) := by
  simp only [is_chain, Bool.and_eq_true, decide_eq_true_eq] at ok
  have ⟨⟨nonempty, inside⟩, chain⟩ := ok
  have member : ∀ i, i < rows.length → table n rows (rows.getD i nowhere) := by
    intro i lt
    refine in_table ?_
    rw [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem lt]
    exact List.getElem_mem lt
  refine fun _ => ⟨⟨_, member 0 nonempty⟩, fun i => rows.getD (concepts.getD i 0) nowhere,
    fun i => points.getD i 0, fun i hi => ?_, fun i j hi hj => ?_⟩
  · have ⟨c, p⟩ := inside i (by simpa using hi)
    exact ⟨member _ c, p⟩
  · exact chain i (by simpa using hi) j (by simpa using hj)

/-- no chain of length `k` among the concepts and points -/
def unchained : Nat → List Concept → List Nat → Bool
  | 0, _, _ => false
  | k + 1, S, L => decide (S.length < k + 1) || S.all fun c => L.all fun x =>
    !c x || unchained k (side S x false) (L.filter c)

def chained (k : Nat) (S : List Concept) (L : List Nat) : Prop :=
  ∃ (c : Nat → Concept) (p : Nat → Nat), (∀ i, i < k → c i ∈ S ∧ p i ∈ L) ∧
  ∀ i j, i < k → j < k → (c i (p j) = true ↔ i ≤ j)

theorem chained_tail {k : Nat} {S : List Concept} {L : List Nat} (ch : chained (k + 1) S L) :
    ∃ c x, c ∈ S ∧ x ∈ L ∧ c x = true ∧ chained k (side S x false) (L.filter c) := by
  have ⟨c, p, b, o⟩ := ch
  refine ⟨c 0, p 0, (b 0 (by omega)).1, (b 0 (by omega)).2, (o 0 0 (by omega) (by omega)).2 (by omega),
    fun i => c (i + 1), fun i => p (i + 1), fun i hi => ⟨?_, ?_⟩, fun i j hi hj => ?_⟩
  · refine mem_side.2 ⟨(b (i + 1) (by omega)).1, ?_⟩
    have := o (i + 1) 0 (by omega) (by omega)
    cases e : c (i + 1) (p 0) with
    | false => exact e
    | true => exact absurd (this.1 e) (by omega)
  · exact List.mem_filter.2 ⟨(b (i + 1) (by omega)).2, (o 0 (i + 1) (by omega) (by omega)).2 (by omega)⟩
  · have := o (i + 1) (j + 1) (by omega) (by omega)
    exact this.trans (by omega)

theorem chained_room : ∀ (k : Nat) (S : List Concept) (L : List Nat), chained k S L → k ≤ S.length
  | 0, _, _, _ => Nat.zero_le _
  | k + 1, S, L, ch => by
    have ⟨c, x, m, _, e, t⟩ := chained_tail ch
    have r := chained_room k _ _ t
    have s := length_sides S x
    have pos := List.length_pos_of_mem (mem_side.2 ⟨m, e⟩)
    omega

theorem unchained_sound : ∀ (k : Nat) (S : List Concept) (L : List Nat), unchained k S L = true →
    ¬ chained k S L
  | 0, _, _, ok => by simp [unchained] at ok
  | k + 1, S, L, ok => by
    intro ch
    simp only [unchained, Bool.or_eq_true, decide_eq_true_eq, List.all_eq_true] at ok
    rcases ok with few | ok
    · have := chained_room _ _ _ ch
      omega
    · have ⟨c, x, m, i, e, t⟩ := chained_tail ch
      have r := ok c m x i
      simp only [e, Bool.not_true, Bool.false_eq_true, false_or] at r
      exact unchained_sound k _ _ r t

/-- with `k = 0`: there is no concept -/
def no_thresholds (n : Nat) (rows : List Concept) (k : Nat) : Bool :=
  rows.isEmpty || unchained k rows (List.range n)

theorem thresholds_down {n : Nat} {C : Class} (d : Nat) : thresholds n C (d + 1) → thresholds n C d :=
  fun ⟨concept, c, p, b, o⟩ =>
    ⟨concept, c, p, fun i hi => b i (by omega), fun i j hi hj => o i j (by omega) (by omega)⟩

theorem thresholds_at_most_by {n : Nat} {rows : List Concept} (k : Nat)
    (ok : no_thresholds n rows k = true) :
    dimension_at_most (thresholds n (table n rows)) ((k : Int) - 1) := by
  refine dimension_at_most_by thresholds_down k fun ⟨⟨h, r, m, _⟩, c, p, b, o⟩ => ?_
  simp only [no_thresholds, Bool.or_eq_true, List.isEmpty_iff] at ok
  rcases ok with none | ok
  · simp [none] at m
  · let row : Nat → Concept := fun i => if hi : i < k then Classical.choose (b i hi).1 else nowhere
    refine unchained_sound k rows _ ok ⟨row, p, fun i hi => ?_, fun i j hi hj => ?_⟩
    · have s := Classical.choose_spec (b i hi).1
      refine ⟨?_, List.mem_range.2 (b i hi).2⟩
      simpa [row, hi] using s.1
    · have s := Classical.choose_spec (b i hi).1
      have e : row i (p j) = c i (p j) := by simpa [row, hi] using (s.2 (p j) (b j hj).2).symm
      rw [e]
      exact o i j hi hj
