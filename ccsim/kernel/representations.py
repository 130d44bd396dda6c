"""The kernel's checks of the errors and failure probabilities of representations."""

from __future__ import annotations

from fractions import Fraction

from .instances import CLASS, Matrix, bounds
from .parts import Claim, Part, Weighted, members, show, size, times, totals

__all__ = ["deterministic", "disagreement", "failing", "probabilistic", "read_support"]

_Sets = list[tuple[Fraction, list[int]]]


def _refutes(proof: Part, C: Matrix, support: _Sets) -> list[list[Fraction]]:
    """Return the errors of all hypotheses on the concept and distribution of a lower proof."""
    concept, distribution = proof.fields("concept", "distribution")
    f, law = C.rows[concept.index(len(C.rows))], distribution.law(len(C.columns))
    unit, shares = distribution.scaled(law)
    bits = unit.bit_length()
    for _, H in support:
        wrong = sum((h ^ f).bit_count() for h in H)
        distribution.afford(wrong * (2 + (bits >> 11)))
        distribution.afford(len(H) * (40 + (len(C.columns) >> 6) + times(bits, bits)))
    return [[Fraction(sum(shares[x] for x in members(h ^ f)), unit) for h in H] for _, H in support]


def deterministic(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the error of a set of hypotheses."""
    C = Matrix.read(instance, CLASS)
    *stated, hypotheses = statement.fields("lower", "upper", "hypotheses")
    H = hypotheses.rows(len(C.columns))
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None:
        refuted = _refutes(lower, C, [(Fraction(1), H)])[0]
        for j, found in enumerate(refuted):
            lower.at_least(found, least, f"the error of hypothesis {j}")
        lower.exactly(min(refuted), least, "the least error of a hypothesis")
    if most is not None:
        (weights,) = upper.fields("weights")
        found = disagreement(weights, C, H, most)
        weights.exactly(found, most, "the largest weighted disagreement")
    what = f"deterministic_representation of {C.title}, by {len(H)} hypotheses"
    return f"{what}, {hypotheses.identity()}, error", claim


def disagreement(weights: Part, C: Matrix, H: list[int], most: Fraction) -> Fraction:
    """Return the largest weighted disagreement, after a check that none is above a bound."""
    worst = Fraction(0)
    for f, part in zip(C.rows, weights.entries(len(C.rows)), strict=True):
        wrong = [(w, h ^ f) for w, h in zip(part.law(len(H)), H, strict=True)]
        for x, found in enumerate(totals(part, wrong, len(C.columns))):
            part.at_most(found, most, f"the weighted disagreement on point {x}")
            worst = max(worst, found)
    return worst


def probabilistic(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the failure probability of a distribution over sets of hypotheses."""
    C = Matrix.read(instance, CLASS)
    *stated, allowed, listed = statement.fields("lower", "upper", "error", "support")
    error, support = allowed.probability(), read_support(listed, C)
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None:
        errors = _refutes(lower, C, support)
        missed = (w for (w, _), each in zip(support, errors, strict=True) if min(each) > error)
        lower.exactly(lower.total(list(missed)), least, "the weight of the sets that fail")
    if most is not None:
        upper.exactly(failing(upper, C, support, error, most), most, "the bound that is proved")
    what = f"probabilistic_representation of {C.title}, by {len(support)} sets"
    return f"{what}, {listed.identity()}, failure at error {show(error)}", claim


def read_support(listed: Part, C: Matrix) -> _Sets:
    """Read a distribution over sets of hypotheses."""
    support = []
    for drawn in listed.entries():
        weight, hypotheses = drawn.fields("weight", "hypotheses")
        support.append((weight.positive(), hypotheses.rows(len(C.columns))))
    listed.sums_to_one([w for w, _ in support])
    return support


def failing(proof: Part, C: Matrix, support: _Sets, error: Fraction, most: Fraction) -> Fraction:
    """Return the bound that is proved on a failure probability, after a check that it is enough."""
    if most >= 1 and proof.value == {}:
        return Fraction(1)  # no probability is above 1
    branching = isinstance(proof.value, dict) and proof.value.get("method") == "branching"
    return (_branching if branching else _selection)(proof, C, support, error, most)


def _selection(proof: Part, C: Matrix, support: _Sets, error: Fraction, most: Fraction) -> Fraction:
    """Return the bound by Markov's inequality: a set that fails disagrees on more than `error`."""
    method, selections = proof.fields("method", "selections")
    method.choice(["selection", "branching"])
    worst = Fraction(0)
    for f, chosen in zip(C.rows, selections.entries(len(C.rows)), strict=True):
        wrong: Weighted = []
        for (weight, H), part in zip(support, chosen.entries(len(support)), strict=True):
            law = part.law(len(H))
            part.afford(sum(20 + times(size(weight), size(a)) for a in law))
            wrong += [(weight * a, h ^ f) for a, h in zip(law, H, strict=True)]
        v = max(totals(chosen, wrong, len(C.columns)), default=Fraction(0))
        bound = min(v / error, Fraction(1)) if error else Fraction(1 if v else 0)
        chosen.at_most(bound, most, "the failure by Markov's inequality")
        worst = max(worst, bound)
    return worst


def _branching(proof: Part, C: Matrix, support: _Sets, error: Fraction, most: Fraction) -> Fraction:
    """Return the largest weight of sets that are left to fail together for some concept."""
    _, trees = proof.fields("method", "trees")
    unit, shares = proof.scaled([weight for weight, _ in support])
    bits, worst = unit.bit_length(), 0
    for f, tree in zip(C.rows, trees.entries(len(C.rows)), strict=True):
        # A node, the number of sets decided, those included, and the weight not excluded.
        stack = [(tree, 0, 0, unit)]
        while stack:
            node, depth, included, possible = stack.pop()
            node.afford(20 + (len(support) >> 6) + (bits >> 6))
            if isinstance(node.value, str):
                node.choice(["small"])
                node.afford(times(bits, bits))
                node.at_most(Fraction(possible, unit), most, "the weight of the sets not excluded")
                worst = max(worst, possible)
            elif isinstance(node.value, dict):
                wrong = _blocked(node, f, support, included)
                for x, found in enumerate(totals(node, wrong, len(C.columns))):
                    node.at_most(found, error, f"the weighted disagreement on point {x}")
            else:
                inside, outside = node.entries(2)
                node.require(depth < len(support), f"all {depth} sets are decided already")
                stack.append((outside, depth + 1, included, possible - shares[depth]))
                stack.append((inside, depth + 1, included | 1 << depth, possible))
    return Fraction(worst, unit)


def _blocked(node: Part, f: int, support: _Sets, included: int) -> Weighted:
    """Read convex weights over hypotheses of included sets, with their disagreements with `f`."""
    (part,) = node.fields("blocked")
    weights: dict[tuple[int, int], Fraction] = {}
    for entry in part.entries():
        drawn, hypothesis, weight = entry.entries(3)
        i = drawn.index(len(support))
        drawn.require(included >> i & 1, f"set {i} has not been included")
        j = hypothesis.index(len(support[i][1]))
        hypothesis.require((i, j) not in weights, f"hypothesis {j} of set {i} stands twice")
        weights[i, j] = weight.probability()
    part.sums_to_one(list(weights.values()))
    return [(w, support[i][1][j] ^ f) for (i, j), w in weights.items()]
