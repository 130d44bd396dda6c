"""Certificates of two-way measures with slightly wrong proofs."""

import pytest

from ccsim.kernel import Rejected, check
from ccsim.kernel.rules import WORK, Work
from ccsim.kernel.squares import positive
from tests.kernel.made import problem

__all__ = []


def stated(kind, instance, bound, lower):
    """Return a certificate of a lower bound."""
    made = {"format": 2, "kind": kind, "instance": instance, "made_by": "hand"}
    return made | {
        "statement": {"lower": bound, "upper": None, "value": 1},
        "lower": lower,
        "upper": None,
    }


@pytest.mark.parametrize("kind", ["cover_number", "partition_number"])
def test_a_node_of_cases_lists_an_input(kind):
    """The empty set lies in every rectangle; with a negative weight, it would turn 2 into 11."""
    weights = [[0, 0, 10], [1, 1, 10]]
    nodes = [[], {"weights": weights, "pairs": []}, {"weights": weights, "pairs": [-9]}]
    with pytest.raises(Rejected, match="a node must list at least one input"):
        check(stated(kind, problem("10", "01"), 11, {"cases": {"nodes": nodes}}))
    leaf = {"weights": [[0, 0, 1], [1, 1, 1]], "pairs": []}
    assert "at least 2" in check(stated(kind, problem("10", "01"), 2, {"cases": {"nodes": [leaf]}}))


def test_entries_of_a_form_that_is_not_positive_do_not_grow():
    token = WORK.set(Work())
    try:
        positive([[100, 1], [100]])
        with pytest.raises(Rejected, match="an entry above the largest diagonal"):
            positive([[1, 9**300, 9**300], [9**200, 0], [9**200]])
    finally:
        WORK.reset(token)


def bounded(kind, lower=None, upper=None, ends=("1", None), **statement):
    """A certificate for 10, 01 with an input outside the promise in each row."""
    made = {"format": 2, "kind": kind, "instance": problem("10*", "*01"), "made_by": "hand"}
    ends = dict(zip(("lower", "upper"), ends, strict=True))
    return made | {"statement": ends | {"error": "1/4"} | statement, "lower": lower, "upper": upper}


def rectangles(unit, *listed):
    return {"rectangles": {"unit": unit, "listed": [*listed]}}


ONE = {"value": 1}
WITH_ERROR = [
    ("rectangle_bound", rectangles(4, [[0, 1], [0, 2], 3]), "3/4", ONE, None),
    (
        "rectangle_bound",
        rectangles(4, [[0, 1], [0, 2], 2]),
        "1/2",
        ONE,
        r"\(0, 0\) have total weight 2/4",
    ),
    (
        "rectangle_bound",
        rectangles(2, [[0, 1], [0, 1, 2], 2]),
        "1",
        ONE,
        r"\(0, 1\) have total weight 2/2",
    ),
    ("rectangle_bound", rectangles(4, [[0, 1], [0, 2], 5]), "5/4", ONE, None),
    (
        "smooth_rectangle_bound",
        rectangles(4, [[0, 1], [0, 2], 5]),
        "5/4",
        ONE,
        "have total weight 5/4",
    ),
    ("partition_bound", rectangles(1, [[0, 1], [0, 2], 1, 1], [[0, 1], [1], 0, 1]), "2", {}, None),
    (
        "partition_bound",
        rectangles(1, [[0, 1], [0, 2], 1, 1]),
        "1",
        {},
        "must have total weight 1, not 0",
    ),
    ("partition_bound", rectangles(1, [[0, 1], [0, 1, 2], 1, 1]), "1", {}, "wrong value at input"),
    ("partition_bound", rectangles(1, [[0, 1], [0], 2, 1]), "1", {}, "must be an index below 2"),
]


@pytest.mark.parametrize(("kind", "upper", "bound", "statement", "fault"), WITH_ERROR)
def test_sums_of_rectangles_with_an_error(kind, upper, bound, statement, fault):
    made = bounded(kind, None, upper, (None, bound), **statement)
    if fault is None:
        assert f"at most {bound}" in check(made)
    else:
        with pytest.raises(Rejected, match=fault):
            check(made)


WEIGHED = [
    ("rectangle_bound", [[0, 0, 1], [1, 2, 1]], "3/4", None),
    ("rectangle_bound", [[0, 0, 2], [0, 1, -1]], "5/8", None),
    ("rectangle_bound", [[0, 0, 1], [1, 2, -1]], "0", "must be at least 0, not -1"),
    ("smooth_rectangle_bound", [[0, 0, 1], [1, 2, -1]], "0", None),
    ("smooth_rectangle_bound", [[0, 2, 1]], "0", "is outside the promise"),
    ("partition_bound", [[0, 0, 0, 1], [0, 1, 1, 0]], "3/2", None),
    ("partition_bound", [[0, 0, 0, 1], [0, 2, 1, 0]], "3/4", None),
    ("partition_bound", [[0, 0, 0, 1], [0, 0, 1, 0]], "1", "is listed twice"),
]


@pytest.mark.parametrize(("kind", "weights", "bound", "fault"), WEIGHED)
def test_weights_of_inputs_with_an_error(kind, weights, bound, fault):
    statement = {} if kind == "partition_bound" else ONE
    made = bounded(kind, {"weights": {"weights": weights}}, None, (bound, None), **statement)
    if fault is None:
        assert f"at least {bound}" in check(made)
    else:
        with pytest.raises(Rejected, match=fault):
            check(made)
