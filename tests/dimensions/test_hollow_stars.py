"""Hollow stars against their definition, closed forms, and the proofs of the kernel."""

import copy
import random
from itertools import count, product

import pytest

from ccsim import hollow_star_number, random_class, star_number
from ccsim.budget import Budget
from ccsim.classes import ConceptClass, all_functions, intervals, points, thresholds
from ccsim.kernel import Rejected, check
from tests.kernel.test_multiclass import put
from tests.kernel.test_teaching import accepted, classes
from tests.truth.teaching import largest_hollow_star


def class_of(rows, width):
    return ConceptClass.from_matrix([*rows], points=range(width))


def proved(C):
    result = hollow_star_number(C)
    result.check()
    return result.value


@pytest.mark.parametrize("width", [0, 1, 2, 3])
def test_all_classes_on_few_points_have_the_number_of_the_definition(width):
    every = [*map("".join, product("01", repeat=width))]
    for number in range(1 << len(every)):
        rows = [row for i, row in enumerate(every) if number >> i & 1]
        assert proved(class_of(rows, width)) == largest_hollow_star(rows, width)


def test_random_classes_on_four_points_have_the_number_of_the_definition():
    rng = random.Random(1)  # noqa: S311 - a seed, not a secret
    every = [*map("".join, product("01", repeat=4))]
    for _ in range(100):
        rows = rng.sample(every, rng.randint(1, 16))
        assert proved(class_of(rows, 4)) == largest_hollow_star(rows, 4)


def test_families_have_known_numbers():
    assert [proved(points(b)) for b in range(4)] == [1, 2, 4, 8]
    assert [proved(all_functions(n)) for n in range(4)] == [0] * 4
    assert [proved(thresholds(b)) for b in (1, 2, 3)] == [1, 2, 2]
    assert [proved(intervals(n)) for n in (3, 4, 8)] == [3, 3, 3]
    warmuth = {f"1001{b}" * 2 for b in "01"}
    assert proved([row[i : i + 5] for row in sorted(warmuth) for i in range(5)]) == 4


def test_the_number_is_at_most_the_star_number_plus_one():
    for seed in range(20):
        C = random_class(4 + seed, 6, seed)
        assert proved(C) <= star_number(C).value + 1


def test_without_time_the_bounds_are_proved():
    for C in (random_class(300, 20, 0), class_of([], 2), class_of(["0"], 1), points(9)):
        hollow_star_number(C, time_limit=0).check()


@pytest.mark.parametrize("steps", [2, 10, 100])
def test_a_stopped_search_returns_proved_bounds(steps):
    C = random_class(40, 8, 1)
    result = hollow_star_number(C, time_limit=Budget(steps, clock=count().__next__))
    result.check()
    assert result.lower <= proved(C) <= result.upper


def test_extension_excludes_exactly_the_sizes_above_the_number():
    for C in classes(80, seed=8):
        instance = C.to_json()
        value = largest_hollow_star(instance["rows"], len(C.points))
        for size in range(len(C.points) + 3):
            parts = (instance, "upper", "extension", {"size": size}, size - 1)
            assert accepted("hollow_star_number", *parts) == (size > value)


def of(C):
    return lambda: hollow_star_number(C).certificate().to_dict()


STAR, FOUR = ("lower", "hollow_star"), of(points(2))
MISSES = {
    "other labels": (FOUR, put(*STAR, "labels", "0001"), "neighbour 0 must differ from the labels"),
    "fewer labels": (FOUR, put(*STAR, "labels", "000"), "there must be as many labels and rows"),
    "other order": (
        FOUR, put(*STAR, "neighbours", [1, 0, 2, 3]), "neighbour 1 must differ from the labels"),
    "a star that is not hollow": (
        of(thresholds(2)), lambda d: d["lower"].update(hollow_star={
            "points": [0], "labels": "0", "neighbours": [0]}), "no row may have all the labels"),
    "no points": (
        FOUR, lambda d: d["lower"].update(hollow_star={"points": [], "labels": "",
                                                       "neighbours": []}), "at least one column"),
    "smaller": (
        of(intervals(4)), put("upper", "extension", "size", 3), "there is a hollow star of 3 col"),
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
