"""Results of dp_accounting for exact distributions, compared with exact results."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import pytest

from ccsim import DomainError
from ccsim.exact import Distribution, Epsilon
from ccsim.information import divergence
from ccsim.interchange import to_privacy_loss
from ccsim.privacy import RandomizedResponse

INTERVAL = 1e-3
PAIRS = [
    ({0: "3/4", 1: "1/4"}, {0: "1/4", 1: "3/4"}),
    ({0: "1/2", 1: "1/3", 2: "1/6"}, {0: "1/7", 1: "2/7", 2: "4/7"}),
    ({0: "9/10", 1: "1/10"}, {0: "9/10", 2: "1/10"}),
    ({0: "1/2", 1: "1/4", "a": "1/4"}, {0: "1/4", 1: "1/2", "a": "1/4"}),
]


def distributions(pair):
    return [
        Distribution.of({o: Fraction(p) for o, p in distribution.items()}) for distribution in pair
    ]


def exact(p, q, epsilon):
    """Return the least delta of both directions; ``e^epsilon`` has 15 digits, like a float."""
    factor = Fraction(math.exp(epsilon))
    return float(max(divergence(p, q, factor), divergence(q, p, factor)))


@pytest.mark.needs("dp_accounting")
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("epsilon", [0, 0.1, 0.5, math.log(2), 1, 2])
def test_their_deltas_enclose_the_exact_one(pair, epsilon):
    p, q = distributions(pair)
    high = to_privacy_loss(p, q, interval=INTERVAL).get_delta_for_epsilon(epsilon)
    low = to_privacy_loss(p, q, interval=INTERVAL, pessimistic=False).get_delta_for_epsilon(epsilon)
    delta = exact(p, q, epsilon)
    assert low - 1e-9 <= delta <= high + 1e-9
    assert (
        high <= exact(p, q, max(epsilon - INTERVAL, 0)) + (INTERVAL if epsilon == 0 else 0) + 1e-9
    )


@pytest.mark.needs("dp_accounting")
def test_runs_are_composed():
    mechanism = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    p, q = mechanism.distribution((0,)), mechanism.distribution((1,))
    twice = [
        Distribution.of(
            {(a, b): x * y for a, x in distribution.items for b, y in distribution.items}
        )
        for distribution in (p, q)
    ]
    loss = to_privacy_loss(p, q, interval=INTERVAL).self_compose(2)
    for epsilon in (0.5, 1, 1.5):
        assert loss.get_delta_for_epsilon(epsilon) == pytest.approx(
            exact(*twice, epsilon), abs=2 * INTERVAL
        )
        assert loss.get_delta_for_epsilon(epsilon) >= exact(*twice, epsilon) - 1e-9


@pytest.mark.needs("dp_accounting")
def test_the_tiniest_probabilities_have_a_logarithm():
    tiny = Fraction(1, 10**400)
    p, q = Distribution.of({0: 1 - tiny, 1: tiny}), Distribution.certain(0)
    assert to_privacy_loss(p, q).get_delta_for_epsilon(1) <= 1e-9


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "dp_accounting.pld", None)
    p, q = distributions(PAIRS[0])
    with pytest.raises(DomainError, match=r"pip install 'ccsim\[accounting\]'"):
        to_privacy_loss(p, q)
    with pytest.raises(DomainError, match="interval must be positive"):
        to_privacy_loss(p, q, interval=0)
    with pytest.raises(DomainError, match="must be"):
        to_privacy_loss({0: 1}, q)
