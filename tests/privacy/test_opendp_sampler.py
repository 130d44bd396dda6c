"""Draws with OpenDP noise have the exact distributions; errors name the missing extra.

OpenDP is an extra of about 250 MB; the tests of draws run only if it is installed. Its noise has no
seed; each test fails by chance with probability below 10^-8.
"""

from __future__ import annotations

import builtins
from collections import Counter
from fractions import Fraction
from math import log

import numpy as np
import pytest

from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.learning import NoisyConsistentPoint, PrivateOccam
from ccsim.privacy import (
    Composed,
    ExponentialMechanism,
    NoisyArgmax,
    NoisyThreshold,
    OpenDPSampler,
    PostProcessed,
    RandomizedResponse,
    StableMode,
    TruncatedGeometric,
)
from ccsim.privacy.mechanisms import opendp as drawn_with_opendp
from ccsim.privacy.mechanisms.opendp import _exceeds, _opendp, _scale

DRAWS = 1000
DEVIATION = (DRAWS * log(2 * 10**9) / 2) ** 0.5  # Hoeffding: 2 exp(-2 t^2 / n) = 10^-9
LN4, ONE = Epsilon.of("ln 4"), Epsilon.of(1)


def count(votes, outcome):
    return Fraction(2 * votes.count(outcome), 3)


VOTE = ExponentialMechanism("abc", "abc", count, ONE, Fraction(2, 3))
COUNT = TruncatedGeometric((0, 1), sum, LN4, 0, 3)
RESPONSE = RandomizedResponse((0, 1, 2), LN4)
CASES = {
    "exponential": (VOTE, "aab"),
    "occam": (PrivateOccam(2, (0b01, 0b10), ONE), [(0, 1), (0, 1), (1, 0)]),
    "argmax": (NoisyArgmax("abc", "abc", lambda v, o: v.count(o), LN4), "aab"),
    "geometric": (COUNT, (1, 1, 0)),
    "threshold": (NoisyThreshold((0, 1), sum, ONE, Epsilon.of("ln 3") + ONE), (1, 1, 0)),
    "stable mode": (
        StableMode(tuple("0ab"), "0", ONE, Fraction(1, 8), scale=Fraction(1, 2)),
        "aaaab",
    ),
    "response": (RESPONSE, [2]),
    "composition": (Composed((RandomizedResponse((0, 1), LN4), COUNT)), (1,)),
    "post-processing": (PostProcessed(VOTE, lambda o: o == "a"), "aab"),
}


@pytest.mark.needs("opendp")
@pytest.mark.parametrize("name", CASES)
def test_draws_with_opendp_follow_the_distribution(name):
    mechanism, database = CASES[name]
    distribution, sampler = mechanism.distribution(database), OpenDPSampler()
    drawn = Counter(mechanism.sample(database, sampler) for _ in range(DRAWS))
    assert set(drawn) <= set(distribution)
    for outcome, p in distribution.items:
        assert abs(drawn[outcome] - DRAWS * float(p)) <= DEVIATION, (name, outcome)


@pytest.mark.needs("opendp")
def test_opendp_prices_the_noise_as_the_mechanisms_state():
    dp = _opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    scale = _scale(2, ONE)
    gumbel = dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=scale)
    assert Fraction(gumbel.map(1)) <= Fraction(1, 8) + Fraction(
        1, 2**40
    )  # epsilon^2 / 8 of the exponential mechanism
    integer = dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")
    assert Fraction(dp.m.make_laplace(*integer, scale=_scale(1, ONE)).map(1)) <= 1


@pytest.mark.needs("opendp")
def test_a_mechanism_that_is_not_made_of_noise_is_refused():
    with pytest.raises(DomainError, match="not NoisyConsistentPoint"):
        NoisyConsistentPoint(2, Fraction(1, 4)).sample([(0, 1)], OpenDPSampler())


@pytest.mark.parametrize("epsilon", ["1", "ln 3", "1/7", "3"])
def test_the_scale_of_the_noise_is_rounded_up(epsilon):
    bound = Epsilon.of(epsilon)
    scale = Fraction(_scale(3, bound))
    assert scale * bound.enclose().lower >= 3
    assert scale * bound.enclose().upper <= 3 * (1 + Fraction(1, 2**51))


@pytest.mark.parametrize("sign", [1, -1])
def test_what_intervals_do_not_decide_is_not_above_the_threshold(monkeypatch, sign):
    """Both ends of a compared interval are used, for either sign, and without OpenDP."""
    monkeypatch.setattr(drawn_with_opendp, "_laplace", lambda _: lambda value: value)
    log_3 = Epsilon.of("ln 3")
    by = log_3.enclose(256)
    assert by.lower < by.upper
    undecided = sign * 2 / (by.lower + by.upper)  # times ln 3 it is 1 or -1, up to 2^-255
    for unit in (Fraction(1), Fraction(2, 7)):
        for apart, above in ((0, False), (Fraction(1, 10**9), True), (-Fraction(1, 10**9), False)):
            value = (undecided + apart) * unit
            assert _exceeds(value, Epsilon(Fraction(sign)), unit, log_3) is above


def test_noise_needs_a_positive_epsilon():
    with pytest.raises(DomainError, match="epsilon must be positive, not 0"):
        _scale(1, Epsilon.of(0))


def test_the_missing_extra_is_named(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("opendp"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    _opendp.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(
        DomainError,
        match=r"noise of OpenDP requires OpenDP; install it with pip install 'ccsim\[opendp\]'",
    ):
        OpenDPSampler()


def test_a_seeded_draw_is_reproducible():
    first, second = (
        [VOTE.sample("aab", rng) for _ in range(20)]
        for rng in (np.random.default_rng(5), np.random.default_rng(5))
    )
    assert first == second
    assert len(set(first)) > 1
