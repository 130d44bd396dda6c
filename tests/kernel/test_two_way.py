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
