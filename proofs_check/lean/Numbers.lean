/-! ### Sums, and laws in integers: the weight of a thing, divided by all weight, is its probability -/

def sum (n : Nat) (g : Nat → Int) : Int :=
  match n with
  | 0 => 0
  | k + 1 => sum k g + g k
def total (n : Nat) (w : Nat → Nat) : Int := sum n fun i => (w i : Int)
def law (n : Nat) (w : Nat → Nat) : Prop := 0 < total n w

/-! ### Proofs -/
