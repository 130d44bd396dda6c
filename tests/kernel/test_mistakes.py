"""Proofs about self-directed and offline learning: altered proofs, and forms on all classes."""

import copy

import pytest

from ccsim import offline_mistakes, random_class, self_directed_complexity
from ccsim.classes import thresholds
from ccsim.dimensions.mistakes import ORDERS
from ccsim.kernel import Rejected, check
from tests.kernel.test_multiclass import put
from tests.kernel.test_teaching import classes
from tests.truth.mistakes import fewest_in_order, fewest_offline, fewest_self_directed

THRESHOLDS = thresholds(2)
RANDOM = random_class(30, 6, 1)


def self_directed():
    return self_directed_complexity(RANDOM).certificate().to_dict()


def best():
    return offline_mistakes(THRESHOLDS, "best").certificate().to_dict()


def worst():
    return offline_mistakes(THRESHOLDS, "worst").certificate().to_dict()


LEARNER, ADVERSARY = ("upper", "learner", "spaces"), ("lower", "adversary", "spaces")
MISSES = {
    "fewer mistakes": (
        self_directed, put(*LEARNER, -1, 0, 2), "no move has a cost of at most 2"),
    "more mistakes": (
        self_directed, put(*ADVERSARY, -1, 0, 5), "some move may have a cost of at most 4"),
    "no sides": (
        self_directed, lambda d: [d["lower"]["adversary"]["spaces"][-1].__setitem__(i, [])
                                  for i in (2, 3)], "some move may have a cost of at most"),
    "the other order": (
        best, put("statement", "order", "worst"),
        "the worst order may have more mistakes than another one"),
    "the best order": (
        worst, put("statement", "order", "best"),
        "the best order may have fewer mistakes than another one"),
    "unknown order": (best, put("statement", "order", "random"), "must be best or worst, not"),
    "points missing": (best, put("upper", "best_order", "points", [0]), "must have 4 entries"),
    "points twice": (
        best, put("upper", "best_order", "points", [0, 1, 2, 2]), "an index occurs twice"),
    "a worse order": (
        best, put("upper", "best_order", "points", [1, 0, 2, 3]),
        "the bound that is proved is 2, not the stated 1"),
    "a better order": (
        worst, put("lower", "worst_order", "points", [0, 1, 2, 3]),
        "the bound that is proved is 1, not the stated 2"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISSES)
def test_near_miss_is_rejected_with_its_reason(name):
    make, change, reason = MISSES[name]
    document = make()
    check(copy.deepcopy(document))
    change(document)
    with pytest.raises(Rejected) as rejected:
        check(document)
    assert f": {reason}" in str(rejected.value)


def accepted(kind, C, side, form, bound, proof, **parameters):
    bounds = {"lower": None, "upper": None} | parameters | {side: bound}
    proofs = {"lower": None, "upper": None} | {side: {form: proof}}
    head = {"format": 2, "kind": kind, "instance": C.to_json(), "made_by": "hand"}
    try:
        check(head | {"statement": bounds} | proofs)
    except Rejected:
        return False
    return True


def test_single_entries_prove_only_true_bounds():
    for C in classes(100, seed=5):
        rows, width = C.to_json()["rows"], len(C.points)
        if len(C) << width > 300:
            continue
        values = {"self_directed_complexity": fewest_self_directed(rows, width)}
        values |= {order: fewest_offline(rows, width, order) for order in ORDERS}
        for name, value in values.items():
            kind, said = (name, {}) if name not in ORDERS else ("offline_mistakes", {"order": name})
            for number in range(-1, 6):
                for side, form in (("upper", "learner"), ("lower", "adversary")):
                    proof = {"spaces": [[number, [], [], []]]}
                    if accepted(kind, C, side, form, number, proof, **said):
                        assert number >= value if side == "upper" else number <= value


@pytest.mark.parametrize("order", ORDERS)
def test_all_orders_prove_exactly_the_value(order):
    for C in (*classes(100, seed=6), *(random_class(4 + s, 5, s) for s in range(25))):
        rows, width = C.to_json()["rows"], len(C.points)
        value = fewest_offline(rows, width, order)
        for bound in (value - 1, value, value + 1):
            for side, form in (("lower", "all_orders"), ("upper", "any_order")):
                is_accepted = accepted("offline_mistakes", C, side, form, bound, {}, order=order)
                assert is_accepted == (bound == value)


def test_an_order_proves_exactly_its_number_of_mistakes():
    for C in classes(100, seed=7):
        points = list(range(len(C.points)))[::-1]
        value = fewest_in_order(C.to_json()["rows"], points)
        for bound in (value - 1, value, value + 1):
            for side, order in (("lower", "worst"), ("upper", "best")):
                proof = {"points": points}
                form = f"{order}_order"
                is_accepted = accepted("offline_mistakes", C, side, form, bound, proof, order=order)
                assert is_accepted == (bound == value)
