"""Searches for representations that are stopped or interrupted, and checks that take too long."""

import itertools
import json

import pytest

from ccsim.budget import Budget, OutOfTimeError
from ccsim.certificates import verify
from ccsim.classes import ConceptClass, points, thresholds
from ccsim.representation import (
    HypothesisSet,
    ProbabilisticRepresentation,
    deterministic_representation_size,
    equivalence_table,
    failure_probability,
    least_failure,
    probabilistic_representation_size,
    representation_error,
)

C = points(2)
POOL = [0b0011, 0b0101, 0b0110, 0b1001, 0b0001, 0b0010, 0b0100, 0b1000]
PAIRS = ProbabilisticRepresentation.mixture(
    ("1/4", HypothesisSet.from_rows(rows, 4)) for rows in ([1, 2], [4, 8], [0, 3], [12, 1])
)
SEARCHES = {
    "size": lambda limit: deterministic_representation_size(C, "1/3", time_limit=limit),
    "proper size": lambda limit: deterministic_representation_size(
        C, "1/3", C.rows, time_limit=limit
    ),
    "size in a pool": lambda limit: deterministic_representation_size(
        C, "1/3", POOL, time_limit=limit
    ),
    "random size": lambda limit: probabilistic_representation_size(
        C, "1/4", "1/4", time_limit=limit
    ),
    "failure": lambda limit: failure_probability(PAIRS, C, "1/3", time_limit=limit),
    "least failure": lambda limit: least_failure(C, "1/4", 2, time_limit=limit),
    "error": lambda limit: representation_error(
        HypothesisSet.from_rows([0, 1, 6, 11], 4), C, time_limit=limit
    ),
}
LIMITS = [0, 1, 2, 3, 5, 8, 13, 21, 50, 100, 200, 400, 1000]


def looks(number):
    """Return a budget that expires after its clock has been read ``number`` times."""
    return Budget(number, clock=itertools.count().__next__)


def interrupted(number):
    """Return a budget without a limit that is interrupted at the given reading of its clock."""

    looked = itertools.count()

    def look():
        if next(looked) == number:
            raise KeyboardInterrupt
        return 0.0

    return Budget(float("inf"), clock=look)


def proved(result):
    result.check()
    verify(json.loads(result.certificate().to_json()))


@pytest.fixture(scope="module")
def exact():
    return {name: search(None) for name, search in SEARCHES.items()}


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_leaves_proved_bounds(name, limit, exact):
    result = SEARCHES[name](looks(limit))
    proved(result)
    assert result.lower <= exact[name].value <= result.upper


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("limit", [1, 4, 20, 90, 300])
def test_an_interrupt_leaves_proved_bounds(name, limit, exact):
    budget = interrupted(limit)
    result = SEARCHES[name](budget)
    proved(result)
    assert result.lower <= exact[name].value <= result.upper
    assert budget.interrupted or result.exact


@pytest.mark.parametrize("name", SEARCHES)
def test_enough_time_gives_what_no_limit_gives(name, exact):
    assert SEARCHES[name](looks(10**9)) == exact[name]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_check_ends_with_its_time_and_a_weaker_result_needs_none(name, exact):
    result = exact[name]
    with pytest.raises(OutOfTimeError):
        result.check(looks(1))
    if name in {"failure", "error"}:
        weaker = result.without_upper()
        assert (weaker.lower, weaker.upper) == (result.lower, 1)
        proved(weaker)
    elif name != "least failure":
        weaker = result.without_lower()
        assert (weaker.lower, weaker.upper) == (1, result.upper)
        proved(weaker)


def test_one_hypothesis_for_one_concept_has_no_weaker_upper_bound():
    result = representation_error(HypothesisSet((1,), 2), ConceptClass((0, 1), (0,), (1,)))
    assert result.without_upper().upper == 0
    proved(result.without_upper())


@pytest.mark.parametrize("limit", [0, 10, 100, 1000])
def test_a_table_without_time_is_proved(limit):
    table = equivalence_table(thresholds(1), "1/4", "1/8", time_limit=looks(limit))
    table.check()
    names = [q.name for q in table.quantities if q.result is not None]
    assert set(table.check_within(looks(0))) <= set(names)
    with pytest.raises(OutOfTimeError):
        table.check(looks(0))
    assert table.check_within(looks(10**9)) == ()
