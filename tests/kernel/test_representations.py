"""Forms of proof on representations: the bounds they prove, and altered proofs."""

from copy import deepcopy
from fractions import Fraction
from functools import reduce
from itertools import combinations

import pytest

from ccsim.kernel import Rejected, check
from tests.kernel.corpus import stored
from tests.kernel.made import concept_class


def put(document, path, value):
    *keys, last = path
    part = reduce(lambda part, key: part[key], keys, document)
    part[last] = value(part[last]) if callable(value) else value
    return document


def swap(images):
    return [images[1], images[0], *images[2:]]


TREE = ("lower", "branching")
LITTLE = ("lower", "littlestone", "dimension", "mistake_tree")
SETS = ("upper", "representation", "support")
TREES = ("upper", "branching", "trees")
MISSES = {
    "deterministic_representation": [
        (("lower", "hard_distribution", "distribution", 0), 7, "the bound that is proved"),
        (("lower", "hard_distribution", "concept"), 0, "the bound that is proved"),
        (("lower", "hard_distribution", "distribution"), [0, 0, 0, 0], "must not all be 0"),
        (("upper", "mixtures", "weights", 0), [0, 0, 1], "the bound that is proved is 1"),
        (("upper", "mixtures", "weights", 0), [1, 1], "must have 3 entries"),
        (("upper", "mixtures", "weights"), lambda laws: laws[1:], "must have 4 entries"),
        (("statement", "hypotheses"), [], "must contain at least one hypothesis"),
        (("statement", "hypotheses", 0), "111", "must be a text of 4"),
        (("statement", "upper"), "1/3", "is above upper|the bound that is proved"),
    ],
    "probabilistic_representation_branching": [
        (("lower", "hard_distribution", "distribution"), [1, 0, 0, 0], "the bound that is"),
        (("statement", "error"), "1", "the bound that is proved"),
        (("statement", "support", "weights", 0), 9, "the bound that is proved"),
        (("statement", "support", "weights"), [1, 1], "must have 3 entries"),
        (("statement", "support", "sets", 0), [], "must contain at least one hypothesis"),
        ((*TREES, 0), [[]], "the bound that is proved is 1, not the stated 3/4"),
        ((*TREES, 0), [None, [0, 1], []], "the disagreement 1 is above the error"),
        ((*TREES, 0), [None, [1, 0, 0], []], "must have 2 entries"),
        ((*TREES, 0), [None] * 4 + [[]] * 5, "null requires at least one undecided set"),
        ((*TREES, 0), lambda tree: tree[:-1], "cases have no node"),
        ((*TREES, 0), lambda tree: [*tree, []], "all cases are closed"),
        (TREES, lambda trees: trees[1:], "each of 4 concepts must have a tree"),
    ],
    "probabilistic_representation_supposing": [
        ((*TREES, 0, 0), "011", "must be a text of 4"),
        ((*TREES, 0, 0), "0002", "must be a text of 4|characters 0 and 1|0 and 1"),
        ((*TREES, 0), [[]], "the bound that is proved is 1, not the stated 3/4"),
        ((*TREES, 0, 0), "0011", "is above the error"),
        ((*TREES, 0), lambda tree: tree[:-1], "cases have no node"),
        ((*TREES, 0), ["1111", [1], []], "is above the error"),
        ((*TREES, 0), ["1111", [1, 0], []], "must have 1 entry"),
        ((*TREES, 0), ["1111", [], []], "the bound that is proved is 1"),
    ],
    "probabilistic_representation_selection": [
        (("statement", "upper"), "1/6", "the bound that is proved is 1/5"),
        (
            ("upper", "selection", "weights", 0),
            [1, 0, 1],
            "the sum of a set must be its probability",
        ),
        (("upper", "selection", "weights", 0), [0, 9, 1], "the bound that is proved is 1"),
        (("upper", "selection", "weights"), lambda laws: laws[1:], "must have 2 entries"),
        (("statement", "error"), "1/3", "the bound that is proved"),
    ],
    "least_failure_branching": [
        (("statement", "lower"), "1/2", "the bound that is proved|is above upper"),
        (("statement", "size"), 1, "the bound that is proved"),
        (("statement", "size"), 0, "must be at least 1"),
        (("statement", "error"), "2/3", "the bound that is proved|is proved"),
        ((*TREE, "weights", 0), 7, "the bound that is proved"),
        ((*TREE, "weights"), [0, 0, 0], "must not all be 0"),
        ((*TREE, "weights"), None, "failure above 0 requires weights"),
        ((*TREE, "tree"), [], "1 cases have no node"),
        ((*TREE, "tree", 0, "branches"), [0], "1 cases have no node"),
        ((*TREE, "tree", 0, "branches"), [8], "must be an index below 8"),
        (
            (*SETS, "sets", 0),
            ["111", "110", "101"],
            "a set contains 3 hypotheses; the limit is|disagrees|must have",
        ),
    ],
    "representation_size_branching": [
        (("statement", "lower"), 8, "the bound that is proved is 7|is above upper"),
        (("statement", "upper"), 6, "the bound that is proved is 7|is above upper"),
        (("statement", "error"), "1/2", "the bound that is proved"),
        (("statement", "error"), "1/4", "is above the error|exceeds the stated one"),
        (("statement", "failure"), "1/9", "failure above 0 requires weights"),
        (
            (*TREE, "symmetries", 0),
            swap,
            "a permutation does not preserve the remaining sets and weights",
        ),
        ((*TREE, "symmetries", 0), lambda move: [move[1], *move[1:]], "an index occurs twice"),
        ((*TREE, "tree", 0, "symmetries"), [99], "must be an index below"),
        ((*TREE, "tree", 0, "symmetries"), [], "the bound that is proved"),
        ((*TREE, "tree", 0, "weights"), None, "either the tree or nodes must have weights"),
        ((*TREE, "tree"), lambda nodes: nodes[:-1], "cases have no node"),
        ((*TREE, "neighbourhoods", 0, 1), [0, 0, 0, 0], "must not all be 0"),
        ((*TREE, "neighbourhoods", 0, 0), 16, "must be an index below 16"),
        ((*SETS, "weights"), [1, 1], "must have 1 entry"),
        ((*SETS, "sets", 0), lambda rows: rows[1:], "must have|disagrees"),
    ],
    "representation_size_branching_pool": [
        (("statement", "pool"), lambda rows: rows[1:], "must be in the pool|proved"),
        (("statement", "pool"), [], "must contain at least one hypothesis"),
        (("statement", "lower"), 5, "is above upper|the bound that is proved is 4"),
    ],
    "representation_size_branching_failure": [
        (("statement", "failure"), "1/5", "proved"),
        (("statement", "failure"), "1/2", "the bound that is proved"),
        ((*TREE, "weights"), None, "failure above 0 requires weights"),
        ((*TREE, "weights", 0), lambda w: w + 5, "the bound that is proved"),
        ((*SETS, "weights", 0), 99, "exceeds the stated one"),
    ],
    "representation_size_littlestone": [
        (("statement", "lower"), 3, "the bound that is proved is 2"),
        (("statement", "failure"), "1/2", "the total error must be at most 1/2"),
        (("statement", "error"), "2/3", "the total error must be at most 1/2"),
        (
            ("statement", "error"),
            "1/1009",
            "the total error must be at most 1/2 with denominator <= 1000",
        ),
        ((*LITTLE, "tree", 0), lambda point: 1 - point, "must have the labels on the path"),
        ((*LITTLE, "tree"), lambda tree: tree[1:], "tree must have 2.k - 1 nodes"),
        (LITTLE[:-1], {"trivial": {}}, "the bound that is proved is 1, not the stated 2"),
    ],
    "representation_size_separation": [
        (("statement", "lower"), 6, "the bound that is proved is 5"),
        (("statement", "error"), "1/2", "error must be below 1/2"),
        (("statement", "failure"), "1/9", "error must be below 1/2 and failure 0"),
        (
            ("lower", "separation", "points", 0),
            1,
            "no two points may have equal labels in all concepts",
        ),
        (("lower", "separation", "points"), [0, 1], "the bound that is proved is 2"),
        (("lower", "separation", "points", 0), 8, "must be an index below 8"),
    ],
}


@pytest.mark.parametrize(
    ("name", "path", "value", "reason"),
    [(name, *miss) for name, misses in MISSES.items() for miss in misses],
)
def test_near_misses_are_rejected(name, path, value, reason):
    check(stored(name))
    with pytest.raises(Rejected, match=reason):
        check(put(stored(name), path, value))


@pytest.mark.parametrize(
    ("supposed", "upper"), [("11", "0"), ("10", "1/2"), ("01", "1"), ("00", "1")]
)
def test_what_errs_at_most_where_a_light_hypothesis_errs_passes(supposed, upper):
    document = {
        "format": 2,
        "kind": "probabilistic_representation",
        "instance": concept_class("00"),
        "statement": {
            "error": "1",
            "support": {"sets": [["10"], ["11"]], "weights": [1, 1]},
            "lower": None,
            "upper": upper,
        },
        "lower": None,
        "upper": {"branching": {"trees": [[supposed, [1], []]]}},
        "made_by": "hand",
    }
    check(document)
    for other in {"0", "1/2", "1"} - {upper}:
        document["statement"]["upper"] = other
        with pytest.raises(Rejected, match=f"the bound that is proved is {upper}, not"):
            check(document)


def sized(C, error, failure, tree, lower, *, pool=None, weights=None, near=None, symmetries=()):
    """Return a certificate of a lower bound with a tree."""
    width = len(C["points"])
    every = [
        [f, [int(x == y) for y in range(width)]]
        for f in range(len(C["rows"]))
        for x in range(width)
    ]
    proof = {"neighbourhoods": near or every, "weights": weights, "symmetries": list(symmetries)}
    return {
        "format": 2,
        "kind": "representation_size",
        "instance": C,
        "statement": {
            "error": error,
            "pool": pool,
            "failure": failure,
            "lower": lower,
            "upper": None,
        },
        "lower": {"branching": proof | {"tree": tree}},
        "upper": None,
        "made_by": "hand",
    }


def node(weights, branches=(), symmetries=()):
    return {"symmetries": list(symmetries), "branches": list(branches), "weights": weights}


def test_a_choice_drops_what_it_is_as_good_as_and_nothing_else():
    """Over two points with error 0, each of the functions 00, 01 and 11 is necessary."""
    C = concept_class("00", "01", "11")
    near = [[0, [1, 1]], [1, [1, 1]], [2, [1, 1]]]  # each holds its concept alone
    check(sized(C, "0", "0", [node([1, 1, 1])], 3, near=near))
    chosen = [node([0, 1, 1], [0]), node([0, 1, 1])]
    check(sized(C, "0", "0", chosen, 2, near=near))  # the root weighs two, its branch one and two
    with pytest.raises(Rejected, match="the bound that is proved is 2, not the stated 3"):
        check(sized(C, "0", "0", chosen, 3, near=near))
    turn = [[1, 2, 0]]
    dropped = [node([1, 1, 1], [0], [0]), node([0, 1, 1])]
    # all three masks are dropped with the first, so that the root needs more than there are
    check(sized(C, "0", "0", dropped, 3, near=near, symmetries=turn))
    below = [node([1, 1, 1], [0]), node([0, 1, 1], [], [0])]
    with pytest.raises(
        Rejected, match="a permutation does not preserve the remaining sets and weights"
    ):
        check(sized(C, "0", "0", below, 3, near=near, symmetries=turn))


def test_permutations_preserve_the_weights_of_the_tree():
    C = concept_class("00", "01", "11")
    near = [[0, [1, 1]], [1, [1, 1]], [2, [1, 1]]]
    turn, tree = [[1, 2, 0]], [node(None, [0], [0]), node(None)]
    check(sized(C, "0", "1/4", tree, 3, near=near, weights=[1, 1, 1], symmetries=turn))
    with pytest.raises(
        Rejected, match="a permutation does not preserve the remaining sets and weights"
    ):
        check(sized(C, "0", "1/4", tree, 3, near=near, weights=[2, 1, 1], symmetries=turn))
    again = [node([1, 1, 1], [0]), node(None)]
    with pytest.raises(Rejected, match="either the tree or nodes must have weights"):
        check(sized(C, "0", "1/4", again, 3, near=near, weights=[1, 1, 1]))


@pytest.mark.parametrize("rows", list(combinations(["00", "01", "10", "11"], 2)))
@pytest.mark.parametrize("error", ["0", "1/3", "1/2"])
def test_trees_without_branches_prove_no_more_than_is_true(rows, error):
    """Equal weights on all pairs of a concept and a point, against all pairs of hypotheses."""
    C = concept_class(*rows)
    for lower in range(1, 5):
        try:
            check(sized(C, error, "0", [node([1] * 4)], lower))
        except Rejected:
            continue
        # two concepts represent themselves; one hypothesis is enough from error 1/2 on a point
        assert lower <= 2
        if lower == 2:
            assert Fraction(error) < 1


def test_an_empty_pool_is_no_pool():
    C = concept_class("00", "01")
    with pytest.raises(Rejected, match="must contain at least one hypothesis"):
        check(sized(C, "0", "0", [node([1] * 4)], 1, pool=[]))


def test_all_functions_on_many_points_are_too_many():
    wide = concept_class("0" * 40, "1" * 40)
    with pytest.raises(Rejected, match="steps"):
        check(sized(wide, "0", "0", [node([1] * 80)], 1))


def test_stored_certificates_are_not_altered_by_a_check():
    for name in MISSES:
        document = stored(name)
        before = deepcopy(document)
        check(document)
        assert document == before
