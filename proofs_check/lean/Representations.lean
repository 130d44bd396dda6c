/-! ### Representations ([fx] Definition 2.3): hypotheses of which one is good for every concept and
every distribution.  The error is `p / q` with a positive `q`. -/

def chance (b : Bool) : Int := if b then 1 else 0
/-- the weight of the points on which two concepts differ -/
def disagreement (n : Nat) (D : Nat → Nat) (h f : Concept) : Int :=
  sum n fun x => (D x : Int) * chance (h x != f x)
def represents (n : Nat) (C : Class) (H : List Concept) (p q : Int) : Prop := ∀ f D, C f → law n D →
  ∃ h, h ∈ H ∧ q * disagreement n D h f ≤ p * total n D
def error_at_least (n : Nat) (C : Class) (H : List Concept) (p q : Int) : Prop :=
  ∀ p' q' : Int, 0 < q' → represents n C H p' q' → p * q' ≤ p' * q
def representation_error (n : Nat) (C : Class) (H : List Concept) (p q : Int) : Prop :=
  error_at_least n C H p q ∧ represents n C H p q

/-! ### Proofs -/

def is_hard (n : Nat) (f : Concept) (D : Nat → Nat) (H : List Concept) (p q : Int) : Bool :=
  decide (0 < q) && decide (0 < total n D) &&
  H.all fun h => decide (p * total n D ≤ q * disagreement n D h f)

theorem error_at_least_by {n : Nat} {rows H : List Concept} {p q : Int} (c : Nat) (w : List Nat)
    (ok : (decide (c < rows.length) &&
      is_hard n (rows.getD c fun _ => false) (w.getD · 0) H p q) = true) :
    error_at_least n (table n rows) H p q := by
  simp only [is_hard, Bool.and_eq_true, decide_eq_true_eq, List.all_eq_true] at ok
  have ⟨inside, ⟨positive, weighty⟩, hard⟩ := ok
  have member : table n rows (rows.getD c fun _ => false) := by
    refine in_table ?_
    rw [List.getD_eq_getElem?_getD, List.getElem?_eq_getElem inside]
    exact List.getElem_mem inside
  intro p' q' positive' rep
  have ⟨h, m, good⟩ := rep _ (w.getD · 0) member weighty
  have a := Int.mul_le_mul_of_nonneg_left (hard h m) (Int.le_of_lt positive')
  have b := Int.mul_le_mul_of_nonneg_left good (Int.le_of_lt positive)
  generalize total n (w.getD · 0) = T at *
  generalize disagreement n (w.getD · 0) h _ = d at *
  refine Int.le_of_mul_le_mul_right (a := T) ?_ weighty
  have e : p * q' * T = q' * (p * T) := by grind
  have f : q' * (q * d) = q * (q' * d) := by grind
  have g : q * (p' * T) = p' * q * T := by grind
  omega

abbrev Mix := List (Nat × Concept)
def weight : Mix → Int
  | [] => 0
  | e :: es => e.1 + weight es
def mix (g : Concept → Int) : Mix → Int
  | [] => 0
  | e :: es => e.1 * g e.2 + mix g es

theorem mix_zero : ∀ es : Mix, mix (fun _ => 0) es = 0
  | [] => rfl
  | e :: es => by simp [mix, mix_zero es]

theorem mix_more (a b : Concept → Int) (c : Int) : ∀ es : Mix,
    mix (fun h => a h + c * b h) es = mix a es + c * mix b es
  | [] => by simp [mix]
  | e :: es => by
    have ih := mix_more a b c es
    simp only [mix]
    grind

theorem mix_least {g : Concept → Int} {t q : Int} : ∀ es : Mix,
    (∀ e, e ∈ es → t ≤ q * g e.2) → t * weight es ≤ q * mix g es
  | [], _ => by simp [mix, weight]
  | e :: es, all => by
    have ih := mix_least es fun f m => all f (by simp [m])
    have a := Int.mul_le_mul_of_nonneg_left (all e (by simp)) (Int.natCast_nonneg e.1)
    simp only [mix, weight]
    have u : t * (e.1 + weight es) = e.1 * t + t * weight es := by grind
    have v : q * (e.1 * g e.2 + mix g es) = e.1 * (q * g e.2) + q * mix g es := by grind
    omega

/-- on no point the hypotheses that are wrong there have more than this share of the weight -/
def is_mixture (n : Nat) (p q : Int) (f : Concept) (es : Mix) : Bool :=
  decide (0 < weight es) &&
  decide (∀ x, x < n → q * mix (fun h => chance (h x != f x)) es ≤ p * weight es)

theorem mix_most {n : Nat} {p q : Int} {f r : Concept} {es : Mix} (D : Nat → Nat) (s : same n f r)
    (ok : ∀ x, x < n → q * mix (fun h => chance (h x != r x)) es ≤ p * weight es) : ∀ k, k ≤ n →
    q * mix (fun h => disagreement k D h f) es ≤ p * weight es * total k D
  | 0, _ => by simp [disagreement, total, sum, mix_zero]
  | k + 1, le => by
    have ih := mix_most D s ok k (by omega)
    have a := Int.mul_le_mul_of_nonneg_left (ok k (by omega)) (Int.natCast_nonneg (D k))
    rw [← s k (by omega)] at a
    have m := mix_more (fun h => disagreement k D h f) (fun h => chance (h k != f k)) (D k) es
    have d : (fun h => disagreement (k + 1) D h f) =
        fun h => disagreement k D h f + (D k : Int) * chance (h k != f k) := rfl
    have t : total (k + 1) D = total k D + (D k : Int) := rfl
    rw [d, m, t]
    generalize mix (fun h => disagreement k D h f) es = A at *
    generalize mix (fun h => chance (h k != f k)) es = B at *
    have u : q * (A + (D k : Int) * B) = q * A + D k * (q * B) := by grind
    have v : p * weight es * (total k D + (D k : Int)) =
        p * weight es * total k D + D k * (p * weight es) := by grind
    omega

def mixed (n : Nat) (H : List Concept) (p q : Int) : List Concept → List (List Nat) → Bool
  | [], _ => true
  | _ :: _, [] => false
  | f :: fs, w :: ws => is_mixture n p q f (w.zip H) && mixed n H p q fs ws

theorem mixed_sound {n : Nat} {H : List Concept} {p q : Int} : ∀ (fs : List Concept)
    (ws : List (List Nat)), mixed n H p q fs ws = true →
    ∀ f, f ∈ fs → ∃ w : List Nat, is_mixture n p q f (w.zip H) = true
  | [], _, _, f, m => by simp at m
  | _ :: _, [], ok, _, _ => by simp [mixed] at ok
  | g :: fs, w :: ws, ok, f, m => by
    simp only [mixed, Bool.and_eq_true] at ok
    rcases List.mem_cons.1 m with rfl | m
    · exact ⟨w, ok.1⟩
    · exact mixed_sound fs ws ok.2 f m

theorem represents_by {n : Nat} {rows H : List Concept} {p q : Int} (ws : List (List Nat))
    (ok : mixed n H p q rows ws = true) : represents n (table n rows) H p q := by
  intro f D ⟨r, m, s⟩ _
  have ⟨w, good⟩ := mixed_sound rows ws ok r m
  simp only [is_mixture, Bool.and_eq_true, decide_eq_true_eq] at good
  have most := mix_most D s good.2 n (Nat.le_refl n)
  apply Classical.byContradiction
  intro none
  have all : ∀ e, e ∈ w.zip H → p * total n D + 1 ≤ q * disagreement n D e.2 f := by
    intro e i
    have j := (List.of_mem_zip i).2
    have := Int.not_le.1 fun le => none ⟨e.2, j, le⟩
    omega
  have least := mix_least (g := fun h => disagreement n D h f) _ all
  have u : (p * total n D + 1) * weight (w.zip H) =
      p * weight (w.zip H) * total n D + weight (w.zip H) := by grind
  have := good.1
  omega
