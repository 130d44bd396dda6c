"""Distributions compared in integers, and by definition over all events."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.information import divergence, least_factor
from ccsim.privacy.comparisons import Comparisons


class Distributions:
    """A substitute for audited distributions: database ``(i,)`` has distribution number ``i``."""

    def __init__(self, distributions):
        self.distributions = distributions
        self.masses = list({p for distribution in distributions for _, p in distribution.items})
        self.shares = [
            {o: self.masses.index(p) for o, p in distribution.items}
            for distribution in distributions
        ]

    def number(self, database):
        return database[0]

    def database(self, numbers):
        return numbers


def random_distribution(rng, outcomes):
    weights = {o: Fraction(rng.randrange(5), rng.randrange(1, 4)) for o in range(outcomes)}
    weights[rng.randrange(outcomes)] += 1
    return Distribution.proportional(weights)


def events(p, q):
    support = sorted({*p, *q})
    for size in range(len(support) + 1):
        for event in combinations(support, size):
            yield p.mass(event), q.mass(event)


@pytest.mark.parametrize("seed", range(60))
def test_comparisons_in_integers_are_those_of_the_definitions(seed):
    rng = Random(seed)  # noqa: S311
    p, q = random_distribution(rng, 4), random_distribution(rng, 4)
    epsilon = Epsilon.of(rng.choice(["0", "ln 2", "ln 5/3"]))
    delta = rng.choice([Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1)])
    found = Comparisons(Distributions([p, q]), epsilon.exp(), delta)
    found._compare(0, 1, ((0,), (1,)))
    worst = max(a - epsilon.exp() * b for a, b in events(p, q))
    assert found.worst == (worst, ((0,), (1,)))
    assert worst == divergence(p, q, epsilon.exp())
    if any(a > delta and not b for a, b in events(p, q)):
        least = None
    else:
        least = max([Fraction(1), *((a - delta) / b for a, b in events(p, q) if b)])
    assert found.tightest == (least, ((0,), (1,)))
    assert least == least_factor(p, q, delta)


def test_the_first_pair_that_needs_most_is_named():
    coin, other = (
        Distribution.of({0: Fraction(1, 3), 1: Fraction(2, 3)}),
        Distribution.uniform([0, 1]),
    )
    found = Comparisons(Distributions([coin, other, other]), Fraction(1), Fraction(0))
    found.compare((1,), (0,))
    found.compare((0,), (2,))
    assert found.worst == (Fraction(1, 6), ((1,), (0,)))
    assert found.tightest == (Fraction(3, 2), ((1,), (0,)))


def test_powers_of_e_are_compared_as_such():
    e = Epsilon.of(1)
    p = Distribution.proportional({0: e.exp(), 1: 1})
    q = Distribution.proportional({0: 1, 1: e.exp()})
    found = Comparisons(Distributions([p, q]), e.exp(), Fraction(0))
    found._compare(0, 1, ((0,), (1,)))
    assert found.worst[0] == 0
    assert found.tightest[0] == e.exp()


def neighbouring_distributions(rng, base):
    """Return distributions with many equal or nearly equal quotients; one lacks an outcome."""
    weights = [base**k for k in range(4)]
    distributions = [
        Distribution.proportional({o: rng.choice(weights) for o in range(3)}) for _ in range(7)
    ]
    return [*distributions, Distribution.proportional({0: weights[0], 1: rng.choice(weights)})]


HALF, ROOT = Epsilon.of("1/2").exp(), Epsilon.of("ln 3").exp("1/2")


@pytest.mark.parametrize("delta", ["0", "1/7", "1/2"])
@pytest.mark.parametrize(
    ("base", "bound"),
    [
        (Fraction(2), "ln 2"),
        (Fraction(2), 1),
        (HALF, "1/2"),
        (HALF, "3/2"),
        (ROOT, "ln 3"),
        (ROOT, "ln 2"),
    ],
)
def test_pairs_that_are_passed_over_need_no_more_than_others(base, bound, delta):
    rng = Random(f"{base} {delta} {bound}")  # noqa: S311
    epsilon = Epsilon.of(bound)
    distributions = neighbouring_distributions(rng, base)
    found = Comparisons(Distributions(distributions), epsilon.exp(), Fraction(delta))
    worst, tightest = None, (Fraction(0), None)
    for i, j in combinations(rng.sample(range(len(distributions)), len(distributions)), 2):
        found.compare((i,), (j,))
        for a, b in ((i, j), (j, i)):
            excess = divergence(distributions[a], distributions[b], epsilon.exp())
            factor = least_factor(distributions[a], distributions[b], Fraction(delta))
            if worst is None or excess > worst[0]:
                worst = excess, ((a,), (b,))
            if tightest[0] is not None and (factor is None or factor > tightest[0]):
                tightest = factor, ((a,), (b,))
        assert (found.worst, found.tightest) == (worst, tightest)
