"""Threshold dimension against the definition, and compared with the Littlestone dimension."""

from dataclasses import replace
from functools import cache, partial
from itertools import count

import pytest
from hypothesis import given

from ccsim.budget import Budget
from ccsim.classes import (
    ConceptClass,
    k_points,
    random_class,
    thresholds,
)
from ccsim.dimensions import littlestone_dimension, threshold_dimension
from ccsim.dimensions.threshold import (
    MAX_THRESHOLDS,
    Direction,
    TailSearch,
    ThresholdSearch,
    directions,
    exchanged_chain,
    ones_bound,
)
from ccsim.errors import CertificateError, NotDecidedError
from ccsim.kernel import Rejected, check
from tests.small_classes import DIMENSIONS, EMPTY, random_classes
from tests.strategies import budgets, concept_classes


def fitting(C):
    """Return a function that decides by exhaustion whether a class has a chain of a length."""
    search = ThresholdSearch(C, Budget())

    @cache
    def fits(state, length):
        return not length or (
            search.bound(state) >= length
            and any(fits(rest, length - 1) for _, _, rest in search.first(state))
        )

    return partial(fits, ((1 << len(C)) - 1, (1 << len(C.points)) - 1))


def test_what_is_found_not_to_fit_hides_nothing_that_fits():
    for C in random_classes(60, seed=3, max_points=7):
        value, fits = threshold_dimension(C).value, fitting(C)
        for length in range(len(C.points) + 1, 0, -1):
            assert fits(length) == (length <= value)


def test_dual_class_has_the_same_thresholds():
    for C in random_classes(60, seed=2, max_points=7):
        assert threshold_dimension(C.dual()).value == threshold_dimension(C).value


@given(concept_classes(min_concepts=1))
def test_thresholds_and_littlestone_dimension_bound_each_other(C):
    d, k = littlestone_dimension(C).value, threshold_dimension(C).value
    assert k == 0 or k.bit_length() - 1 <= d
    assert d == 0 or d.bit_length() - 1 <= k


def test_thresholds_and_littlestone_dimension_bound_each_other_on_larger_classes():
    known = [(d, k) for *_, d, k in DIMENSIONS.values() if k is not None and d >= 0]
    larger = [random_class(30, 12, seed) for seed in range(10)]
    found = [(littlestone_dimension(C).value, threshold_dimension(C).value) for C in larger]
    for d, k in known + found:
        assert k.bit_length() - 1 <= d
        assert d == 0 or d.bit_length() - 1 <= k


def test_class_without_ones_has_dimension_zero_and_the_empty_class_minus_one():
    zero = threshold_dimension(ConceptClass.from_matrix([[0, 0]]))
    assert (zero.value, zero.points) == (0, ())
    empty = threshold_dimension(EMPTY)
    assert empty.value == -1
    for result in (zero, empty):
        result.check()
        other = -1 - result.value
        with pytest.raises(CertificateError):
            replace(result, lower=other, upper=other).check()


def test_longer_chain_than_claimed_is_found():
    for C in random_classes(60, seed=3):
        result = threshold_dimension(C)
        if result.value < 1:
            continue
        v = result.value - 1
        chain = {"points": result.points[1:], "concepts": result.concepts[1:]}
        short = replace(result, lower=v, upper=v, **chain)
        with pytest.raises(CertificateError, match=r"the bound that is proved is|a chain has"):
            short.check()


def test_bounds_hold_at_whatever_step_the_search_is_stopped():
    for C in (*random_classes(8, seed=5), k_points(4, 2), random_class(24, 8, seed=1)):
        value, stops = threshold_dimension(C).value, []
        for budget in budgets():
            result = threshold_dimension(C, time_limit=budget)
            assert result.lower <= value <= result.upper
            result.check()
            stops.append((result.lower, result.upper))
            if result.exact:
                break
        assert 0 < stops[0][0] <= stops[0][1] == ones_bound(C)
        assert stops == sorted(stops, key=lambda bounds: (bounds[0], -bounds[1]))


def test_an_interrupt_leaves_the_chain_found_by_then():
    def interrupt(lower, _upper):
        if lower:
            raise KeyboardInterrupt

    C = random_class(40, 20, seed=0)
    result = threshold_dimension(C, time_limit=1e9, progress=interrupt)
    assert 0 < result.lower < result.upper
    result.check()
    with pytest.raises(NotDecidedError, match="threshold dimension lies between"):
        _ = result.value
    with pytest.raises(KeyboardInterrupt):
        threshold_dimension(C, progress=interrupt)


def test_altered_thresholds_are_rejected():
    result = threshold_dimension(thresholds(2))
    assert result.value == 4
    for changes, message in (
        ({"lower": 5, "upper": 5}, "the bound that is proved is 4, not the stated 5"),
        (
            {"points": result.points[::-1]},
            "concept 1 must have label 1 exactly on the points",
        ),
        ({"concepts": (*result.concepts[:3], 9)}, "must be an index below 4, not 9"),
        ({"points": (*result.points[:3], -1)}, "must be an index below 4, not -1"),
    ):
        with pytest.raises(CertificateError, match=message):
            replace(result, **changes).check()


def test_chain_too_long_for_the_search_is_bounded():
    result = threshold_dimension(thresholds(9))
    assert MAX_THRESHOLDS < result.lower <= result.upper == 512
    result.check()


def is_chain(C, pairs):
    concepts, points = zip(*pairs, strict=True)
    return all(
        (C.rows[c] >> x & 1) == (i <= j)
        for i, c in enumerate(concepts)
        for j, x in enumerate(points)
    )


@pytest.mark.parametrize("direction", directions(), ids=str)
def test_every_direction_finds_a_chain_exactly_where_one_fits(direction):
    for C in random_classes(40, seed=4, max_points=6):
        fits, search = fitting(C), TailSearch(C, direction)
        for length in range(1, len(C.points) + 2):
            found = search.find(length, Budget())
            assert (found is not None) == fits(length)
            assert found is None or (len(found) == length and is_chain(C, found))


def test_exchanges_find_chains_alone():
    for seed in range(4):
        C = random_class(12 + 20 * (seed % 2), 20, seed)
        for length in (1, 2, 5):
            found = exchanged_chain(C, length, Budget().share(work=1 << 20))
            assert len(found) == length
            assert is_chain(C, found)
        assert exchanged_chain(C, 21, Budget()) is None


def test_large_random_class_is_decided_and_its_proof_cannot_be_shortened():
    result = threshold_dimension(random_class(50, 30, 1))
    assert result.lower == result.upper == 9
    result.check()
    for changes in ({"upper": 8, "lower": 8}, {"direction": Direction("lines", 1)}):
        with pytest.raises(CertificateError):
            replace(result, **changes).check()
    document = result.certificate().to_dict()
    assert document["upper"]["tails"]["size"] == 10
    document["upper"]["tails"]["label"] = 2
    with pytest.raises(Rejected, match="must be an index below 2, not 2"):
        check(document)


def test_what_is_stopped_or_too_long_keeps_bounds_that_are_checked():
    budget = Budget(20000, clock=count().__next__)
    result = threshold_dimension(random_class(120, 60, 1), time_limit=budget)
    assert 8 <= result.lower < result.upper < 60
    result.check()
