"""The sparse vector technique: its distribution as a sum over all noises, and its privacy."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.distribution import Distribution
from ccsim.exact.exponentials import Exponential
from ccsim.privacy import CanonicalMechanism, Verdict, audit
from ccsim.privacy.mechanisms.noisy_answers import first_above
from ccsim.privacy.noise import draw_first_above
from proofs_check.claims.public_data.constructions.above_threshold import AboveThreshold

LN16 = Epsilon.of("ln 16")


def distribution_by_sum(missing, ratio, most=60):
    """Return the distribution as a sum over the threshold's noise, in a long finite range."""

    def mass(value, r):
        return (1 - r) / (1 + r) * r ** abs(value)

    tail = {most + 1: Fraction(0)}
    for value in range(most, -most - 1, -1):
        tail[value] = tail[value + 1] + mass(value, ratio)
    found = Counter()
    for noise in range(-most // 2, most // 2 + 1):
        missed = mass(noise, ratio**2)
        for k, least in enumerate(missing):
            found[k] += missed * tail[least + noise]
            missed *= 1 - tail[least + noise]
        found[None] += missed
    return found


@pytest.mark.parametrize("missing", [*product((-2, 0, 1), repeat=3), (5, -4), (3,), (0, 0, 0, 0)])
def test_distribution_is_a_sum_over_all_noises(missing) -> None:
    distribution = first_above(missing, LN16)
    expected = distribution_by_sum(missing, Fraction(1, 2))
    for answer in (*range(len(missing)), None):
        assert abs(distribution[answer] - expected[answer]) < Fraction(1, 2**25)


def test_draws_have_the_distribution() -> None:
    rng, number = np.random.default_rng(3), 4000
    missing = [2, 0, -1]
    seen = Counter(draw_first_above(missing, LN16, rng) for _ in range(number))
    for answer, p in first_above(missing, LN16).items:
        assert abs(seen[answer] - number * p) < 4 * (number * p) ** 0.5


def counts(domain):
    return tuple(lambda database, x=x: sum(record == x for record in database) for x in domain)


@pytest.mark.parametrize("threshold", [0, 1, 2, 4])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_private_for_all_neighbours(threshold, size) -> None:
    queries = counts("abc") + counts("ab")
    found = AboveThreshold("abc", queries, threshold, LN16)
    assert audit(found, "ln 16", 0, size).verdict is Verdict.HOLDS
    if threshold <= 1:  # near the answers, where all of epsilon is used
        assert audit(found, "ln 3", 0, size).verdict is Verdict.FAILS


def test_private_with_an_irrational_base() -> None:
    found = AboveThreshold("ab", counts("ab"), 1, Epsilon.of(1))
    assert isinstance(found.distribution(("a",))[0], Exponential)
    assert audit(found, 1, 0, 2).verdict is Verdict.HOLDS


def test_larger_sensitivity_needs_more_noise() -> None:
    double = tuple(lambda d, q=q: 3 * q(d) for q in counts("abc"))
    right = AboveThreshold("abc", double, 2, LN16, 3)
    wrong = AboveThreshold("abc", double, 2, LN16, 1)
    assert audit(right, LN16, 0, 2).verdict is Verdict.HOLDS
    assert audit(wrong, LN16, 0, 2).verdict is Verdict.FAILS


class WithoutThresholdNoise(CanonicalMechanism):
    """Planted fault: only the answers get noise, as in published variants that are not private."""

    symmetric = True

    def __init__(self, inner):
        self.inner = inner

    @property
    def records(self):
        return self.inner.records

    def distribution_of(self, database):
        ratio = self.inner.epsilon.exp(Fraction(-1, 4))
        distribution, missed = {}, Fraction(1)
        for k, query in enumerate(self.inner.queries):
            least = self.inner.threshold - query(database)
            reached = (
                ratio**least / (1 + ratio) if least > 0 else 1 - ratio ** (1 - least) / (1 + ratio)
            )
            distribution[k] = missed * reached
            missed *= 1 - reached
        return Distribution.of({**distribution, None: missed})


def test_a_threshold_without_noise_is_caught() -> None:
    many = AboveThreshold("ab", counts("a") * 9, 1, LN16)
    assert audit(many, LN16, 0, 1).verdict is Verdict.HOLDS
    assert audit(WithoutThresholdNoise(many), LN16, 0, 1).verdict is Verdict.FAILS


def test_refusals() -> None:
    with pytest.raises(DomainError, match="epsilon must be positive, not 0"):
        AboveThreshold("ab", counts("ab"), 1, Epsilon.of(0))
    with pytest.raises(DomainError, match="sensitivity must be at least 1, not 0"):
        AboveThreshold("ab", counts("ab"), 1, LN16, 0)
    with pytest.raises(DomainError, match=r"query must be an integer, not 0\.5"):
        AboveThreshold("ab", (lambda _: 0.5,), 1, LN16).distribution(("a",))
    with pytest.raises(DomainError, match="within 4096 of the threshold"):
        first_above([5000], LN16)
