/-! ### Shattered sets: `d` points with every labelling by a concept -/

def shattered (n : Nat) (C : Class) (d : Nat) : Prop := ∃ point : Nat → Nat,
  (∀ i, i < d → point i < n) ∧
  ∀ labels : Nat → Bool, ∃ h, C h ∧ ∀ i, i < d → h (point i) = labels i
def vcdim (n : Nat) (C : Class) (v : Int) : Prop := dimension (shattered n C) v
/-- the dual: points are the rows, and each point is the concept of its labels -/
def dual (n : Nat) (rows : List Concept) : List Concept :=
  (List.range n).map fun x i => rows.getD i (fun _ => false) x

/-! ### Proofs -/

def shatters (n : Nat) : List Nat → List Concept → Bool
  | [], S => !S.isEmpty
  | x :: P, S => decide (x < n) && (shatters n P (side S x false) && shatters n P (side S x true))

theorem shatters_sound {n : Nat} : ∀ (P : List Nat) (S : List Concept), shatters n P S = true →
    (∀ i, i < P.length → P.getD i 0 < n) ∧
    ∀ labels : Nat → Bool, ∃ h, h ∈ S ∧ ∀ i, i < P.length → h (P.getD i 0) = labels i
  | [], S, ok => by
    refine ⟨fun i hi => absurd hi (Nat.not_lt_zero i), fun labels => ?_⟩
    cases S with
    | nil => simp [shatters] at ok
    | cons h S => exact ⟨h, by simp, fun i hi => absurd hi (Nat.not_lt_zero i)⟩
  | x :: P, S, ok => by
    simp only [shatters, Bool.and_eq_true, decide_eq_true_eq] at ok
    have ⟨b0, s0⟩ := shatters_sound P _ ok.2.1
    have ⟨_, s1⟩ := shatters_sound P _ ok.2.2
    refine ⟨fun i hi => ?_, fun labels => ?_⟩
    · cases i with
      | zero => simpa using ok.1
      | succ i => simpa using b0 i (by simpa using hi)
    · have s : ∃ h, h ∈ side S x (labels 0) ∧
          ∀ i, i < P.length → h (P.getD i 0) = labels (i + 1) := by
        cases labels 0
        · exact s0 fun i => labels (i + 1)
        · exact s1 fun i => labels (i + 1)
      have ⟨h, m, e⟩ := s
      refine ⟨h, (mem_side.1 m).1, fun i hi => ?_⟩
      cases i with
      | zero => simpa using (mem_side.1 m).2
      | succ i => simpa using e i (by simpa using hi)

theorem shattered_at_least_by {n : Nat} {rows : List Concept} (P : List Nat)
    (ok : shatters n P rows = true) :
    dimension_at_least (shattered n (table n rows)) (P.length : Int) := by
  have ⟨b, s⟩ := shatters_sound P rows ok
  refine fun _ => ⟨fun i => P.getD i 0, fun i hi => b i (by simpa using hi), fun labels => ?_⟩
  have ⟨h, m, e⟩ := s labels
  exact ⟨h, in_table m, fun i hi => e i (by simpa using hi)⟩

def all_labels (P : List Nat) (S : List Concept) : Prop :=
  ∀ labels : Nat → Bool, ∃ h, h ∈ S ∧ ∀ p, p ∈ P → h p = labels p

theorem all_labels_side {x : Nat} {P : List Nat} {S : List Concept} (new : x ∉ P) (b : Bool)
    (a : all_labels (x :: P) S) : all_labels P (side S x b) := by
  intro labels
  have ⟨h, m, e⟩ := a fun p => if p = x then b else labels p
  refine ⟨h, mem_side.2 ⟨m, by simpa using e x (by simp)⟩, fun p i => ?_⟩
  have ne : p ≠ x := fun q => new (q ▸ i)
  simpa [ne] using e p (by simp [i])

theorem all_labels_room : ∀ (P : List Nat) (S : List Concept), P.Nodup → all_labels P S →
    2 ^ P.length ≤ S.length
  | [], S, _, a => by
    have ⟨_, m, _⟩ := a fun _ => false
    exact List.length_pos_of_mem m
  | x :: P, S, nd, a => by
    have ⟨new, nd'⟩ := List.nodup_cons.1 nd
    have l := all_labels_room P _ nd' (all_labels_side new false a)
    have r := all_labels_room P _ nd' (all_labels_side new true a)
    have c := length_sides S x
    rw [List.length_cons, Nat.pow_succ]
    omega

def halves (x : Nat) (cells : List (List Concept)) : List (List Concept) :=
  cells.flatMap fun S => [side S x false, side S x true]

/-- no `k` of the points get all labels in all cells -/
def unshattered : List Nat → Nat → List (List Concept) → Bool
  | [], k, cells => cells.any (fun S => decide (S.length < 2 ^ k)) || k != 0
  | x :: L, k, cells => cells.any (fun S => decide (S.length < 2 ^ k)) ||
    match k with
    | 0 => false
    | j + 1 => unshattered L j (halves x cells) && unshattered L (j + 1) cells

theorem small_cell {cells : List (List Concept)} {P : List Nat} (nd : P.Nodup)
    (ok : cells.any (fun S => decide (S.length < 2 ^ P.length)) = true) :
    ¬ ∀ S, S ∈ cells → all_labels P S := by
  simp only [List.any_eq_true, decide_eq_true_eq] at ok
  have ⟨S, m, few⟩ := ok
  intro all
  have := all_labels_room P S nd (all S m)
  omega

theorem unshattered_sound : ∀ (L : List Nat) (k : Nat) (cells : List (List Concept)),
    unshattered L k cells = true → ∀ P : List Nat, P.Nodup → P.length = k → (∀ p, p ∈ P → p ∈ L) →
    ¬ ∀ S, S ∈ cells → all_labels P S
  | [], k, cells, ok, P, nd, len, sub => by
    simp only [unshattered, Bool.or_eq_true] at ok
    rcases ok with few | pos
    · exact small_cell nd (len ▸ few)
    · cases P with
      | nil => simp [← len] at pos
      | cons p P => exact absurd (sub p (by simp)) (by simp)
  | x :: L, k, cells, ok, P, nd, len, sub => by
    simp only [unshattered, Bool.or_eq_true] at ok
    rcases ok with few | ok
    · exact small_cell nd (len ▸ few)
    · cases k with
      | zero => simp at ok
      | succ j =>
        simp only [Bool.and_eq_true] at ok
        by_cases i : x ∈ P
        · have perm : ∀ p, p ∈ P ↔ p ∈ x :: P.erase x := fun p =>
            (List.perm_cons_erase i).mem_iff
          have nd' : (x :: P.erase x).Nodup := (List.perm_cons_erase i).nodup_iff.1 nd
          have ⟨new, nd''⟩ := List.nodup_cons.1 nd'
          intro all
          refine unshattered_sound L j _ ok.1 (P.erase x) nd'' ?_ ?_ ?_
          · rw [List.length_erase_of_mem i, len]; rfl
          · intro p q
            rcases List.mem_cons.1 (sub p ((perm p).2 (by simp [q]))) with rfl | r
            · exact absurd q new
            · exact r
          · intro S m
            have ⟨T, t, s⟩ := List.mem_flatMap.1 m
            have a : all_labels (x :: P.erase x) T := by
              intro labels
              have ⟨h, u, e⟩ := all T t labels
              exact ⟨h, u, fun p q => e p ((perm p).2 q)⟩
            simp only [List.mem_cons, List.not_mem_nil, or_false] at s
            rcases s with rfl | rfl
            · exact all_labels_side new _ a
            · exact all_labels_side new _ a
        · refine unshattered_sound L (j + 1) cells ok.2 P nd len fun p q => ?_
          rcases List.mem_cons.1 (sub p q) with rfl | r
          · exact absurd q i
          · exact r

theorem shattered_down {n : Nat} {C : Class} (d : Nat) : shattered n C (d + 1) → shattered n C d :=
  fun ⟨point, b, s⟩ => ⟨point, fun i hi => b i (by omega), fun labels =>
    have ⟨h, c, e⟩ := s labels
    ⟨h, c, fun i hi => e i (by omega)⟩⟩

theorem not_shattered {n : Nat} {rows : List Concept} {k : Nat}
    (ok : unshattered (List.range n) k [rows] = true) : ¬ shattered n (table n rows) k := by
  intro ⟨point, b, s⟩
  have differ : ∀ i j, i < k → j < k → i ≠ j → point i ≠ point j := by
    intro i j hi hj ne eq
    have ⟨h, _, e⟩ := s fun t => decide (t = i)
    have p := e i hi
    have q := e j hj
    rw [eq, q] at p
    simp [Ne.symm ne] at p
  have nd : ((List.range k).map point).Nodup := by
    refine List.pairwise_map.2 (List.Pairwise.imp_of_mem ?_ List.nodup_range)
    intro i j hi hj ne
    exact differ i j (List.mem_range.1 hi) (List.mem_range.1 hj) ne
  refine unshattered_sound _ k [rows] ok _ nd (by simp) ?_ ?_
  · intro p q
    have ⟨i, hi, e⟩ := List.mem_map.1 q
    exact e ▸ List.mem_range.2 (b i (List.mem_range.1 hi))
  · intro S m labels
    rw [List.mem_singleton.1 m]
    have ⟨h, ⟨r, u, w⟩, e⟩ := s fun i => labels (point i)
    refine ⟨r, u, fun p q => ?_⟩
    have ⟨i, hi, f⟩ := List.mem_map.1 q
    have lt := List.mem_range.1 hi
    rw [← f, ← w _ (b i lt)]
    exact e i lt

theorem shattered_at_most_by {n : Nat} {rows : List Concept} (k : Nat)
    (ok : unshattered (List.range n) k [rows] = true) :
    dimension_at_most (shattered n (table n rows)) ((k : Int) - 1) :=
  dimension_at_most_by shattered_down k (not_shattered ok)
