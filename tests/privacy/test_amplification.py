"""Amplification by subsampling and by shuffling, compared with definitions and known values."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from ccsim import DomainError, InstanceTooLargeError, audit
from ccsim.exact import Epsilon
from ccsim.privacy import (
    FunctionMechanism,
    PoissonSampled,
    RandomizedResponse,
    SampledWithoutReplacement,
    Shuffled,
    Subsampled,
    subsampled_parameters,
)

THREE = Epsilon.of("ln 3")
RESPONSE = RandomizedResponse((0, 1), THREE)
HALF = Fraction(1, 2)


def response_or(unsampled):
    """Return a randomised response whose null record has the given distribution."""
    told = {0: {0: "3/4", 1: "1/4"}, 1: {0: "1/4", 1: "3/4"}, "null": unsampled}
    return FunctionMechanism((0, 1, "null"), lambda d: told[d[0]])


def sampled(unsampled):
    return Subsampled(response_or(unsampled), Fraction(1, 10), "null")


@pytest.mark.parametrize(
    ("unsampled", "pair", "factor"),
    [
        ({0: HALF, 1: HALF}, (0, 1), Fraction(21, 19)),  # who is not sampled reports a fair coin
        ({0: HALF, 1: HALF}, (0, "null"), Fraction(20, 19)),  # add or remove
        ({0: "1"}, (0, 1), Fraction(3)),  # who is not sampled reports 0
        ({"nothing": "1"}, (0, 1), Fraction(3)),  # the output shows who is sampled
    ],
)
def test_subsampled_response_depends_on_the_null_output_and_the_neighbours(unsampled, pair, factor):
    """At rate 1/10, the least ``e^epsilon`` of the (3/4)-response is 21/19 for a fair coin."""
    found = audit(sampled(unsampled), 0, 0, [((pair[0],), (pair[1],))])
    assert found.factor == factor
    found.check()


def test_subsampled_parameters_are_attained_without_replacement():
    """One of ten records is sampled and then reported: the least ``e^epsilon`` is 6/5."""
    found = audit(SampledWithoutReplacement(RESPONSE, 1), 0, 0, 10)
    assert found.factor == subsampled_parameters("ln 3", 0, "1/10")[0] == Fraction(6, 5)


def add_or_remove(database):
    """Reveal the record with probability 1/8, and otherwise respond whether there is one."""
    rest = Fraction(7, 8)
    shares = (rest * 3 / 4, rest / 4) if database else (rest / 4, rest * 3 / 4)
    return {"yes": shares[0], "no": shares[1], ("seen", database): Fraction(1, 8)}


def test_subsampled_parameters_are_attained_by_poisson_sampling():
    """For the empty database and one record, sampled at rate 1/5."""
    mechanism = PoissonSampled(FunctionMechanism((0,), add_or_remove), Fraction(1, 5))
    p, q = mechanism.distribution((0,)), mechanism.distribution(())
    factor, delta = subsampled_parameters("ln 3", "1/8", "1/5")
    excess = sum(max(p[o] - factor * q[o], Fraction(0)) for o in p)
    assert excess == delta == Fraction(1, 40)


def test_samples_are_mixtures_over_all_samples():
    count = FunctionMechanism((0, 1, 5), lambda d: {(len(d), sum(d)): 1})
    database, rate = (0, 5, 1, 5), Fraction(1, 3)
    expected = Counter()
    for kept in product((0, 1), repeat=4):
        sample = [r for r, keep in zip(database, kept, strict=True) if keep]
        chance = prod(rate if keep else 1 - rate for keep in kept)
        expected[len(sample), sum(sample)] += chance
    assert PoissonSampled(count, rate).distribution(database).as_mapping() == dict(expected)
    two = SampledWithoutReplacement(count, 2).distribution(database).as_mapping()
    assert two == {
        (2, 5): Fraction(1, 3), (2, 1): Fraction(1, 6), (2, 10): Fraction(1, 6),
        (2, 6): Fraction(1, 3),
    }  # fmt: skip


@pytest.mark.parametrize("people", [1, 2, 3])
def test_shuffled_reports_are_the_sorted_reports(people):
    randomizer = FunctionMechanism(
        (0, 1, 2), lambda d: {"a": Fraction(1 + d[0], 6), "b": "1/3", "c": Fraction(3 - d[0], 6)}
    )
    for database in product((0, 1, 2), repeat=people):
        expected = Counter()
        each = [randomizer.distribution((record,)) for record in database]
        for reports in product("abc", repeat=people):
            chance = prod(d[o] for d, o in zip(each, reports, strict=True))
            expected[frozenset(Counter(reports).items())] += chance
        assert Shuffled(randomizer).distribution(database).as_mapping() == dict(expected)


def test_shuffling_amplifies_privacy():
    deltas = [audit(Shuffled(RESPONSE), "ln 2", 0, people).least_delta for people in (1, 4, 10)]
    assert deltas == [Fraction(1, 4), Fraction(27, 256), Fraction(19683, 1048576)]
    found = audit(Shuffled(RESPONSE), "1/2", "1/100", 30)
    found.check()
    assert found.verdict == "holds"


def test_sizes_and_rates_are_checked():
    with pytest.raises(DomainError, match="rate must be between 0 and 1, not 2"):
        PoissonSampled(RESPONSE, Fraction(2))
    with pytest.raises(DomainError, match="needs as many records, not 1"):
        SampledWithoutReplacement(RESPONSE, 2).distribution((0,))
    with pytest.raises(InstanceTooLargeError, match="samples of 17 records"):
        PoissonSampled(RESPONSE, HALF).distribution((0,) * 17)
    wide = FunctionMechanism((0,), lambda _: {i: Fraction(1, 50) for i in range(50)})
    with pytest.raises(InstanceTooLargeError, match="multisets of 9 reports"):
        Shuffled(wide).distribution((0,) * 9)
