"""Proofs of mean depths: altered proofs, and random trees and potentials against the truth."""

import json
import random
from fractions import Fraction

import pytest

from ccsim.dimensions import randomized_littlestone_dimension
from ccsim.kernel import Rejected, check
from tests.kernel.corpus import stored
from tests.kernel.made import concept_class
from tests.truth.randomized_littlestone import half_of_mean_depth

MISSES = {
    "potentials_empty": "upper.potentials: at least one version space",
    "potentials_false_symmetry": "upper.potentials.symmetries[0]: the entries of column 2 must be",
    "potentials_fewer_entries": "upper.potentials.spaces[2]: must have 2 entries, not 1",
    "potentials_later": "upper.potentials.spaces[0][0]: must be an index below 0, not",
    "potentials_less": "upper: the bound that is proved is 19/16, not the stated 1",
    "potentials_literal_twice": "upper.potentials.spaces[2]: an index occurs twice",
    "potentials_no_symmetry": "upper.potentials.spaces[1]: must be an index below 4, not 4",
    "potentials_not_the_side": "upper.potentials.spaces[2]: entry 0 must contain the side of",
    "potentials_nothing": "upper.potentials: the class must have at least one concept",
    "potentials_part": "upper.potentials: the last entry must contain all concepts",
    "potentials_side_missing": "upper: the bound that is proved is 5/4, not the stated 19/16",
    "size_less": "upper: the bound that is proved is 1, not the stated 3/4",
    "size_more": "upper: the bound that is proved is 1, not the stated 5/4",
    "size_nothing": "upper: the bound that is proved is -1, not the stated 0",
    "tree_empty": "lower.tree: at least one version space",
    "tree_false_symmetry": "lower.tree.symmetries[0]: the entries of column 2 must be mapped to t",
    "tree_later": "lower.tree.spaces[0]: must be an index below 0, not 1",
    "tree_more": "lower: the bound that is proved is 1, not the stated 5/4",
    "tree_no_concept": "lower.tree.spaces[0]: null requires a concept with label 0 on point 1",
    "tree_no_symmetry": "lower.tree.spaces[1]: must be an index below 4, not 4",
    "tree_other_side": "lower.tree.spaces[2]: entry 0 must lie in side 0 of point",
    "tree_point": "lower.tree.spaces[0]: must be an index below 4, not 4",
    "tree_same_point_twice": "lower.tree.spaces[2]: entry 0 must lie in side 1 of point",
    "trivial_less": "lower: the bound that is proved is 0, not the stated 1",
    "trivial_more": "lower: the bound that is proved is 0, not the stated 1",
    "trivial_nothing": "lower: the bound that is proved is -1, not the stated 0",
}


@pytest.mark.parametrize("name", MISSES)
def test_near_miss_is_rejected_with_its_place(name):
    with pytest.raises(Rejected) as rejected:
        check(stored(f"randomized_littlestone_dimension_{name}"))
    assert str(rejected.value).startswith(MISSES[name])


def proved(rows, side, form, data):
    """Return the bound that a proof proves; None if the kernel rejects the proof."""
    document = {
        "format": 2,
        "kind": "randomized_littlestone_dimension",
        "instance": concept_class(*rows),
        "statement": {"lower": None, "upper": None} | {side: "-1"},
        **({"lower": None, "upper": None} | {side: {form: data}}),
        "made_by": "test",
    }
    with pytest.raises(Rejected) as rejected:
        check(document)
    start, _, rest = str(rejected.value).partition("the bound that is proved is ")
    return Fraction(rest.partition(",")[0]) if start == f"{side}: " else None


def classes(number, seed):
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    for _ in range(number):
        width = rng.randint(1, 5)
        rows = rng.sample(range(1 << width), rng.randint(1, min(10, 1 << width)))
        yield rng, [f"{row:0{width}b}" for row in rows]


def fitting(rows, literals):
    return [row for row in rows if all(row[i >> 1] == str(i & 1) for i in literals)]


def any_tree(rows, literals, rng, spaces):
    """List a tree of random points, some without concepts on a side; return its index."""
    left = fitting(rows, literals)
    open_points = [x for x in range(len(rows[0])) if len({row[x] for row in left}) == 2]
    if not open_points or rng.random() < 0.1:
        return None
    x = rng.choice(open_points) if rng.random() < 0.95 else rng.randrange(len(rows[0]))
    sides = [any_tree(rows, [*literals, 2 * x + b], rng, spaces) for b in (0, 1)]
    spaces.append([literals, x, *sides])
    return len(spaces) - 1


def test_a_random_tree_proves_no_more_than_the_truth():
    reached = refused = 0
    for rng, rows in classes(150, 1):
        spaces = []
        if any_tree(rows, [], rng, spaces) is None:
            continue
        if rng.random() < 0.2:
            rng.choice(spaces)[rng.randint(2, 3)] = None
        bound = proved(rows, "lower", "tree", {"symmetries": [], "spaces": spaces})
        truth = half_of_mean_depth(rows)
        assert bound is None or bound <= truth
        refused += bound is None
        reached += bound == truth
    assert refused >= 5
    assert reached >= 30


def test_random_potentials_prove_no_less_than_the_truth():
    reached = refused = 0
    for rng, rows in classes(150, 2):
        known = [[]]
        for _ in range(rng.randint(0, 12)):
            literals = rng.choice(known)
            known.append([*literals, rng.randrange(2 * len(rows[0]))])
        known.sort(key=lambda literals: len(fitting(rows, literals)))
        spaces = []
        for i, literals in enumerate(known):
            sides = {
                side: e
                for e in range(i)
                for side in range(2 * len(rows[0]))
                if {*fitting(rows, [*literals, side])} <= {*fitting(rows, known[e])}
            }
            if i and rng.random() < 0.05:
                sides[rng.randrange(2 * len(rows[0]))] = rng.randrange(i)
            spaces.append([literals, list(sides), list(sides.values())])
        bound = proved(rows, "upper", "potentials", {"symmetries": [], "spaces": spaces})
        truth = half_of_mean_depth(rows)
        assert bound is None or bound >= truth
        refused += bound is None
        reached += bound == truth
    assert refused >= 5
    assert reached >= 30


def test_size_proves_the_least_bound_for_all_classes_of_a_size():
    for size in range(1, 9):
        rows = [f"{(1 << i) - 1:08b}" for i in range(size)]  # a chain
        assert proved(rows, "upper", "size", {}) == half_of_mean_depth(rows)


def test_lengths_are_rounded_up():
    rows = ["00", "01", "10"]  # 3/2, 7/4, and then 15/8 would not be a multiple of 1/4
    for number, length in ((1, "3/2"), (2, "7/4"), (3, "2"), (6, "2")):
        spaces = [[[], [0, 2], [i - 1, i - 1]] if i else [[], [], []] for i in range(number)]
        bound = proved(rows, "upper", "potentials", {"symmetries": [], "spaces": spaces})
        assert 2 * bound == Fraction(length)


def test_a_library_proof_is_accepted_in_parts():
    document = json.loads(
        randomized_littlestone_dimension(["0001", "0010", "0100", "1000"]).certificate().to_json()
    )
    for side in ("lower", "upper"):
        part = document | {side: None, "statement": document["statement"] | {side: None}}
        assert check(part).partition(": ")[2].startswith("at ")
