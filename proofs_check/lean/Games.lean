/-! ### Matrix games: the row player, who has `n` strategies against `m`, maximises.  Payoffs are
integers over a unit, and `p / q` with a positive `q` is what is guaranteed or conceded. -/

def payoff (rows : List (List Int)) (i j : Nat) : Int := (rows.getD i []).getD j 0
def guarantees (n m : Nat) (unit : Int) (a : Nat → Nat → Int) (p q : Int) : Prop :=
  ∃ x, law n x ∧ ∀ j, j < m → p * (unit * total n x) ≤ q * sum n fun i => (x i : Int) * a i j
def concedes (n m : Nat) (unit : Int) (a : Nat → Nat → Int) (p q : Int) : Prop :=
  ∃ y, law m y ∧ ∀ i, i < n → (q * sum m fun j => (y j : Int) * a i j) ≤ p * (unit * total m y)
def value (n m : Nat) (unit : Int) (a : Nat → Nat → Int) (p q : Int) : Prop :=
  guarantees n m unit a p q ∧ concedes n m unit a p q

/-! ### Proofs -/

theorem guarantees_by {n m : Nat} {unit : Int} {a : Nat → Nat → Int} {p q : Int} (w : List Nat)
    (ok : decide (0 < total n (w.getD · 0) ∧ ∀ j, j < m →
      p * (unit * total n (w.getD · 0)) ≤ q * sum n fun i => (w.getD i 0 : Int) * a i j) = true) :
    guarantees n m unit a p q := by
  have sound := of_decide_eq_true ok
  exact ⟨(w.getD · 0), sound.1, sound.2⟩

theorem concedes_by {n m : Nat} {unit : Int} {a : Nat → Nat → Int} {p q : Int} (w : List Nat)
    (ok : decide (0 < total m (w.getD · 0) ∧ ∀ i, i < n →
      (q * sum m fun j => (w.getD j 0 : Int) * a i j) ≤ p * (unit * total m (w.getD · 0))) = true) :
    concedes n m unit a p q := by
  have sound := of_decide_eq_true ok
  exact ⟨(w.getD · 0), sound.1, sound.2⟩
