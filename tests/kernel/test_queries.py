"""Proofs about exact learning: altered proofs, and single version spaces with any numbers."""

import copy

import pytest

from ccsim import query_complexity
from ccsim.classes import intervals, points
from ccsim.dimensions.queries import QUERIES
from ccsim.kernel import Rejected, check
from tests.kernel.test_multiclass import put
from tests.kernel.test_teaching import classes
from tests.truth.queries import fewest_queries


def of(C, queries):
    return lambda: query_complexity(C, queries).certificate().to_dict()


PROPER = of(intervals(5), "proper equivalence")
MEMBERSHIP = of(intervals(5), "membership")
BOTH = of(intervals(5), "membership and equivalence")
LEARNER, ADVERSARY = ("upper", "learner", "spaces"), ("lower", "adversary", "spaces")
MISSES = {
    "other queries": (
        PROPER, put("statement", "queries", "membership"),
        "upper.learner.spaces[0]: no move has a cost of at most 1"),
    "unknown queries": (
        PROPER, put("statement", "queries", "subset"),
        "statement.queries: must be membership or proper equivalence or equivalence or"),
    "no entry": (PROPER, put(*LEARNER, []), "upper.learner: at least one version space must be"),
    "no answers": (PROPER, put(*ADVERSARY, []), "lower.adversary: at least one version space mu"),
    "fewer queries": (
        PROPER, put(*LEARNER, -1, 0, 2), "upper.learner.spaces[10]: no move has a cost of at most"),
    "more queries": (
        MEMBERSHIP, put(*ADVERSARY, -1, 0, 6), "lower.adversary.spaces[3]: some move may have a"),
    "not the class": (
        PROPER, put(*LEARNER, -1, 1, [0]), "upper.learner: the last entry must contain all conc"),
    "smaller space": (
        PROPER, put(*LEARNER, -1, 3, 0, 9), "upper.learner.spaces[10]: entry 9 must contain the s"),
    "larger space": (
        MEMBERSHIP, put(*ADVERSARY, 0, 1, []), "lower.adversary.spaces[1]: entry 0 must lie in"),
    "no concepts": (
        MEMBERSHIP, put(*ADVERSARY, 0, 1, [0, 1]),
        "lower.adversary.spaces[0]: the version space must not be empty"),
    "later entry": (
        MEMBERSHIP, put(*ADVERSARY, -1, 3, 0, 3), "lower.adversary.spaces[3][0]: must be an index"),
    "sides without entries": (
        BOTH, put(*LEARNER, -1, 3, []), "upper.learner.spaces[1]: must have 1 entry, not 0"),
    "side out of range": (
        BOTH, put(*LEARNER, -1, 2, [10]), "upper.learner.spaces[1][0]: must be an index below 10"),
    "number below -1": (
        BOTH, put(*LEARNER, 0, 0, -2), "upper.learner.spaces[0][0]: must be at least -1"),
    "negative number": (
        BOTH, put(*ADVERSARY, 0, 0, -1), "lower.adversary.spaces[0][0]: must be at least 0"),
    "empty class": (
        of(points(1), "membership"), put(*LEARNER, 0, 0, -1),
        "upper.learner.spaces[0]: no move has a cost of at most -1"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISSES)
def test_near_miss_is_rejected_with_its_place(name):
    make, change, reason = MISSES[name]
    document = make()
    check(copy.deepcopy(document))
    change(document)
    with pytest.raises(Rejected) as rejected:
        check(document)
    assert str(rejected.value).startswith(reason)


def accepted(C, queries, side, form, *spaces):
    bounds = {"lower": None, "upper": None, "queries": queries} | {side: spaces[-1][0]}
    proofs = {"lower": None, "upper": None} | {side: {form: {"spaces": list(spaces)}}}
    head = {"format": 2, "kind": "query_complexity", "instance": C.to_json(), "made_by": "hand"}
    try:
        check(head | {"statement": bounds} | proofs)
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("queries", QUERIES)
def test_single_entries_prove_only_true_bounds(queries):
    proved = 0
    for C in classes(80, seed=3):
        if len(C) << len(C.points) > 300:
            continue
        value = fewest_queries(C.to_json()["rows"], len(C.points), queries)
        for number in range(-1, len(C) + 1):
            for side, form in (("upper", "learner"), ("lower", "adversary")):
                if accepted(C, queries, side, form, [number, [], [], []]):
                    assert number >= value if side == "upper" else number <= value
                    proved += 1
    assert proved > 300


@pytest.mark.parametrize("queries", QUERIES)
def test_an_entry_for_each_side_proves_the_bounds_that_follow_from_its_sides(queries):
    """Entries state the true numbers of all sides, or one more or less."""
    for C in classes(40, seed=4):
        rows, width = C.to_json()["rows"], len(C.points)
        if len(C) << width > 300 or len(C) < 2:
            continue
        value = fewest_queries(rows, width, queries)
        document = query_complexity(C, queries).certificate().to_dict()
        for side, form in (("upper", "learner"), ("lower", "adversary")):
            spaces = document[side][form]["spaces"]
            assert accepted(C, queries, side, form, *spaces)
            for i in range(len(spaces)):
                for step in (-1, 1):
                    changed = copy.deepcopy(spaces)
                    changed[i][0] += step
                    if accepted(C, queries, side, form, *changed):
                        stated = changed[-1][0]
                        assert stated >= value if side == "upper" else stated <= value
