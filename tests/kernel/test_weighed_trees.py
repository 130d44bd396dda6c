"""Trees with weights of any size prove exactly the bound of the definition.

The kernel compares rounded weights first, and adds the exact weights if the result may depend on
them. A wrong rounding would show for weights that differ by less than the rounding unit, and for
many equal weights.
"""

from fractions import Fraction
from itertools import product
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.kernel import Rejected, check
from tests.kernel.made import concept_class

BITS = (0, 3, 59, 60, 61, 63, 64, 90, 400)
"""Binary logarithms of weights, about the 60 bits that are kept and far beyond."""


@st.composite
def weighed_trees(draw):
    """Draw a class, an error, weighted neighbourhoods, and the branches of nodes in preorder."""
    width = draw(st.integers(1, 3))
    rows = draw(st.sets(st.text("01", min_size=width, max_size=width), min_size=1, max_size=5))
    law = st.lists(st.integers(0, 3), min_size=width, max_size=width).filter(any)
    near = draw(st.lists(st.tuples(st.integers(0, len(rows) - 1), law), min_size=1, max_size=9))
    unit = 1 << draw(st.sampled_from(BITS))
    weight = st.builds(lambda many, few: many * unit + few, st.integers(0, 3), st.integers(0, 2))
    weights = draw(st.lists(weight, min_size=len(near), max_size=len(near)).filter(sum))

    def below(depth):
        branches = draw(st.lists(st.integers(0, (1 << width) - 1), max_size=3 * depth, unique=True))
        return [branches] + [each for _ in branches for each in below(depth - 1)]

    error = draw(st.sampled_from(["0", "1/4", "1/3", "1/2"]))
    return sorted(rows), error, [list(each) for each in near], weights, below(2)


def visited(rows, error, near, weights, tree):
    """Return, for each node: chosen hypotheses, open weight, largest weight that one closes."""
    width = len(rows[0])
    pool = ["".join(bits)[::-1] for bits in product("01", repeat=width)]

    def holds(h, f, law):
        wrong = sum(w for w, a, b in zip(law, h, rows[f], strict=True) if a != b)
        return wrong <= Fraction(error) * sum(law)

    inside = [frozenset(i for i, (f, law) in enumerate(near) if holds(h, f, law)) for h in pool]
    nodes, found = iter(tree), []

    def visit(chosen, opened, left):
        below = []
        for j in next(nodes):
            rest = opened - inside[j]
            below.append((rest, {each & rest for each in left}))
            left = {each for each in left if each & rest}
        weigh = [sum(weights[i] for i in each) for each in (opened, *left)]
        found.append((chosen, weigh[0], max(weigh[1:], default=0)))
        for case in below:
            visit(chosen + 1, *case)

    visit(0, frozenset(range(len(near))), set(inside))
    return found


def certificate(kind, question, rows, error, near, weights, tree):
    encoded = [w if w < 1 << 53 else str(w) for w in weights]
    nodes = [{"symmetries": [], "branches": each, "weights": None} for each in tree]
    proof = {"neighbourhoods": near, "weights": encoded, "symmetries": [], "tree": nodes}
    return {
        "format": 2,
        "kind": kind,
        "instance": concept_class(*rows),
        "statement": {"error": error, "pool": None, "upper": None} | question,
        "lower": {"branching": proof},
        "upper": None,
        "made_by": "hand",
    }


@settings(max_examples=300)
@given(weighed_trees(), st.integers(1, 4))
def test_least_failures_by_definition(case, size):
    *_, weights, _ = case
    found = min(w - max(0, size - n) * m for n, w, m in visited(*case))
    bound = Fraction(max(0, found), sum(weights))
    check(certificate("least_failure", {"size": size, "lower": str(bound)}, *case))
    above = bound + Fraction(1, sum(weights))
    if above <= 1:
        with pytest.raises(Rejected, match="the bound that is proved"):
            check(certificate("least_failure", {"size": size, "lower": str(above)}, *case))


@settings(max_examples=300)
@given(weighed_trees(), st.sampled_from(["0", "1/7", "1/4", "2/3"]), st.booleans())
def test_sizes_by_definition(case, failure, at_a_node):
    *_, weights, _ = case
    nodes, total = visited(*case), sum(weights)
    if at_a_node:  # exactly what a node leaves open, where a unit decides
        failure = str(Fraction(nodes[-1][1], total))
    missed = Fraction(failure) * total
    numbers = [n + max(0, ceil((w - missed) / max(m, 1))) for n, w, m in nodes if m or w <= missed]
    bound = max(1, min(numbers, default=0))
    document = certificate("representation_size", {"failure": failure, "lower": bound}, *case)
    if not numbers:
        with pytest.raises(Rejected, match="the tree must prove a finite bound"):
            check(document)
        return
    check(document)
    document["statement"]["lower"] = bound + 1
    with pytest.raises(Rejected, match="the bound that is proved"):
        check(document)


def test_what_closes_most_may_seem_to_close_less_when_rounded():
    """Five weights slightly below 1/10, rounded up separately, against one slightly above 1/2."""
    x = 1 << 70
    near = [[0, [1, 1]]] * 5 + [[1, [1, 1]]]  # each holds its concept alone
    case = ["00", "01"], "0", near, [x] * 5 + [5 * x + 1], [[]]
    total = 10 * x + 1
    assert 5 * -(-(x << 60) // total) > -(-((5 * x + 1) << 60) // total)
    check(certificate("least_failure", {"size": 1, "lower": f"{5 * x}/{total}"}, *case))
    wrong = certificate("least_failure", {"size": 1, "lower": f"{5 * x + 1}/{total}"}, *case)
    with pytest.raises(Rejected, match="the bound that is proved"):
        check(wrong)
