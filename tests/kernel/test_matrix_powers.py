"""Certificates of fractional partitions of powers of matrices, with slightly wrong proofs."""

from copy import deepcopy

import pytest

from ccsim.kernel import Rejected, check
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
        ({"transposition": [[0, 1, 2], [1, 0, 2]]}, "classes must be mapped to classes"),
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
    with pytest.raises(Rejected, match="classes must be mapped to classes"):
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
