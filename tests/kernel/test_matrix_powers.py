"""Certificates of fractional partitions of powers of matrices, with slightly wrong proofs."""

import random
from copy import deepcopy
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from ccsim.kernel import Rejected, check
from ccsim.kernel.rectangles import heaviest
from ccsim.kernel.rules import WORK, Work
from tests.kernel.made import problem
from tests.truth import is_true

__all__ = []

DOMINO = "110", "111", "011"
TURNED = {"symmetries": [[[2, 1, 0], [2, 1, 0]]], "transposition": [[0, 1, 2], [0, 1, 2]]}
SQUARE = [  # a fractional partition of the ones of the square of total weight 6
    [[0, 1], [0, 3, 4], 2],
    [[0, 1, 3], [0, 1, 3], 1],
    [[0, 1, 3, 4], [0, 1, 3, 4], 1],
    [[0, 2], [1, 4], 1],
    [[0, 2, 3, 5], [1, 4], 1],
]


def covered(listed, bound, power=2, rows=DOMINO, value=1, **changed):
    """A certificate of an upper bound."""
    return {
        "format": 2,
        "kind": "fractional_partition_of_power",
        "instance": problem(*rows),
        "statement": {"value": value, "power": power, "lower": None, "upper": bound},
        "lower": None,
        "upper": {"rectangles": TURNED | {"unit": 1, "listed": listed} | changed},
        "made_by": "hand",
    }


def test_rectangles_of_the_square_prove_its_value():
    assert check(covered(SQUARE, "6")).endswith("value 1, power 2: at most 6")


def test_a_changed_weight_or_line_of_a_rectangle_is_rejected():
    for i, (rows, columns, weight) in enumerate(SQUARE):
        changed = [[rows, columns, w] for w in (weight - 1, weight + 1)]
        changed += [[rows[1:], columns, weight], [rows, columns[1:], weight]]
        for one in changed:
            listed = [*SQUARE[:i], one, *SQUARE[i + 1 :]]
            with pytest.raises(Rejected, match="the weights at the inputs of type"):
                check(covered(listed, str(sum(w for *_, w in listed))))


def test_rectangles_contain_no_input_of_the_other_value():
    with pytest.raises(Rejected, match=r"listed\[5\]: coordinate 1 of an input has the other"):
        check(covered([*SQUARE, [[0], [2], 0]], "6"))
    with pytest.raises(Rejected, match=r"listed\[5\]: coordinate 0 of an input has the other"):
        check(covered([*SQUARE, [[0], [6], 0]], "6"))


def test_a_type_without_rectangles_is_rejected():
    made = covered([[[0], [0], 1]], "1", power=1, symmetries=[], transposition=None)
    with pytest.raises(Rejected, match="an input of the value is in no rectangle"):
        check(made)


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"symmetries": [[[1, 0, 2], [0, 1, 2]]]}, "the entries of column 2 must be mapped"),
        ({"symmetries": [[[0, 1, 2], [0, 1]]]}, "must have 3 entries, not 2"),
        ({"transposition": [[0, 1, 2], [1, 0, 2]]}, "each class must be mapped to one class"),
        ({"symmetries": []}, "the weights at the inputs of type"),
        ({"transposition": None}, "the weights at the inputs of type"),
    ],
)
def test_what_are_no_symmetries_or_too_few_is_rejected(changed, rule):
    listed = [[[0], [0, 1], 2], [[0, 1], [0, 1], 2], [[0, 2], [1], 1]]
    assert "at most 5/2" in check(covered(listed, "5/2", power=1, unit=2))
    with pytest.raises(Rejected, match=rule):
        check(covered(listed, "5/2", power=1, unit=2, **changed))


def test_a_transposition_maps_each_class_back_to_itself_if_applied_twice():
    """A cycle of four classes would make one type of four, whose number of inputs is not known."""
    rows = ("10", "01")
    of_four = {"symmetries": [], "transposition": [[0, 1], [1, 0]]}
    with pytest.raises(Rejected, match="each class must be mapped to one class"):
        check(covered([[[0], [0], 1]], "1", power=1, rows=rows, **of_four))
    with pytest.raises(Rejected, match="applied twice"):
        check(covered([[[0], [0], 1]], "1", power=1, rows=("11", "11"), **of_four))


def test_the_matrix_is_total_and_the_power_is_bounded():
    made = covered([], "0", power=1, rows=("1*", "01"), symmetries=[], transposition=None)
    with pytest.raises(Rejected, match="the matrix must be total"):
        check(made)
    made = covered([], "0", power=34)
    with pytest.raises(Rejected, match="fewer than 2\\^53 rows"):
        check(made)
    made["statement"]["power"] = 65
    with pytest.raises(Rejected, match="an index below 65"):
        check(made)


def test_the_other_value_is_covered_too():
    listed = [[[0], [2], 1]]
    made = covered(listed, "1", power=1, value=0, symmetries=TURNED["symmetries"])
    with pytest.raises(Rejected, match="required is 2"):
        check(made)
    made["upper"]["rectangles"]["listed"][0][2] = 2
    made["statement"]["upper"] = "2"
    assert "value 0, power 1: at most 2" in check(made)
    assert is_true(made)
    smaller = deepcopy(made)
    smaller["statement"]["upper"] = "1"
    assert not is_true(smaller)


def weighed(types, most, bound, power=2, rows=DOMINO, value=1, **changed):
    """A certificate of a lower bound."""
    proof = {"types": types, "heaviest": most} | changed
    return covered([], bound, power, rows, value) | {
        "statement": {"value": value, "power": power, "lower": bound, "upper": None},
        "lower": {"weights": TURNED | proof},
        "upper": None,
    }


def test_weights_of_types_prove_the_value_of_the_square():
    types = [[[0, 1], 1], [[0, 3], -1]]
    assert check(weighed(types, 2, "6")).endswith("value 1, power 2: at least 6")
    other_name = [[[2, 0], 1], [[3, 0], -1]]
    assert check(weighed(other_name, 2, "6")).endswith("value 1, power 2: at least 6")
    assert check(weighed(types, 3, "4")).endswith("value 1, power 2: at least 4")
    assert check(weighed([[[0, 1], -1]], 1, "0")).endswith("value 1, power 2: at least 0")


@pytest.mark.parametrize(
    ("types", "most", "bound", "rule"),
    [
        ([[[0, 1], 1], [[0, 3], -1]], 1, "12", "a rectangle in the product of the maximal rect"),
        ([[[0, 1], 1], [[0, 3], 0]], 2, "8", "a rectangle in the product of the maximal rect"),
        ([[[0, 1], 1], [[0, 2], 1]], 2, "8", r"classes '\[0, 2\]' is listed twice"),
        ([[[0, 1], 1], [[1, 0], 1]], 2, "8", r"classes '\[1, 0\]' is listed twice"),
        ([[[0, 4], 1]], 2, "1", "an index below 4, not 4"),
        ([[[0, 1, 1], 1]], 2, "1", "must have 2 entries, not 3"),
        ([[[0, 1], 1], [[0, 3], -1]], 0, "6", "must be at least 1, not 0"),
    ],
)
def test_weights_of_too_heavy_rectangles_are_rejected(types, most, bound, rule):
    with pytest.raises(Rejected, match=rule):
        check(weighed(types, most, bound))


ALONE = {"symmetries": [], "transposition": None}
TRIANGLE = {"symmetries": [], "transposition": [[1, 0], [1, 0]]}
CLASSES = [  # the class of each input of the value, and the classes that a transposition exchanges
    (
        DOMINO,
        2,
        TURNED,
        {(0, 0): 0, (2, 2): 0, (0, 1): 1, (2, 1): 1, (1, 0): 2, (1, 2): 2, (1, 1): 3},
    ),
    (("11", "01"), 3, TRIANGLE, {(0, 0): 0, (0, 1): 1, (1, 1): 2}),
    (("11", "11"), 2, ALONE, {(0, 0): 0, (0, 1): 1, (1, 0): 2, (1, 1): 3}),
    (("101", "110"), 2, ALONE, {(0, 0): 0, (0, 2): 1, (1, 0): 2, (1, 1): 3}),
]
EXCHANGED = {DOMINO: {1: 2, 2: 1}, ("11", "01"): {0: 2, 2: 0}}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("rows", "power", "symmetries", "classes"), CLASSES)
def test_the_heaviest_rectangle_of_the_written_out_power_is_the_least_bound(
    rows, power, symmetries, classes, seed
):
    rng, weights, swap = random.Random(seed), {}, EXCHANGED.get(rows, {})  # noqa: S311 - a seed
    for t in combinations_with_replacement(range(len({*classes.values()})), power):
        image = tuple(sorted(swap.get(c, c) for c in t))
        weights[t] = weights.get(image, rng.randrange(-5, 7))
    lines = [[*product(range(n), repeat=power)] for n in (len(rows), len(rows[0]))]

    def weight(x, y):
        cells = [*zip(x, y, strict=True)]
        known = all(cell in classes for cell in cells)
        return weights[tuple(sorted(classes[cell] for cell in cells))] if known else None

    table = [[weight(x, y) for y in lines[1]] for x in lines[0]]
    barred = [sum((w is None) << j for j, w in enumerate(row)) for row in table]
    token = WORK.set(Work())
    try:
        top = heaviest([[w or 0 for w in row] for row in table], barred)
    finally:
        WORK.reset(token)
    total = sum(w for row in table for w in row if w is not None)
    names = {min(t, tuple(sorted(swap.get(c, c) for c in t))): w for t, w in weights.items()}
    listed = [[[*t], w] for t, w in names.items()]
    bound = str(max(Fraction(0), Fraction(total, top)))
    check(weighed(listed, top, bound, power, rows, **symmetries))
    bound = str(max(Fraction(0), Fraction(total, top - 1)))
    with pytest.raises(Rejected, match="a rectangle in the product"):
        check(weighed(listed, top - 1, bound, power, rows, **symmetries))
