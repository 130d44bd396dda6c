"""Laws compared in integers, against the definitions by events."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from ccsim.exact.epsilon import Epsilon
from ccsim.exact.law import Law
from ccsim.information.divergences import divergence, least_factor
from ccsim.privacy.comparisons import Comparisons


class Laws:
    """Stands for audited laws: database ``(i,)`` has law number ``i``."""

    def __init__(self, laws):
        self.laws = laws

    def number(self, database):
        return database[0]

    def database(self, numbers):
        return numbers


def random_law(rng, outcomes):
    weights = {o: Fraction(rng.randrange(5), rng.randrange(1, 4)) for o in range(outcomes)}
    weights[rng.randrange(outcomes)] += 1
    return Law.proportional(weights)


def events(p, q):
    support = sorted({*p, *q})
    for size in range(len(support) + 1):
        for event in combinations(support, size):
            yield p.mass(event), q.mass(event)


@pytest.mark.parametrize("seed", range(60))
def test_comparisons_in_integers_are_those_of_the_definitions(seed):
    rng = Random(seed)  # noqa: S311
    p, q = random_law(rng, 4), random_law(rng, 4)
    epsilon = Epsilon.of(rng.choice(["0", "ln 2", "ln 5/3"]))
    delta = rng.choice([Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1)])
    found = Comparisons(Laws([p, q]), epsilon, delta)
    found.compare((0,), (1,))
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
    coin, other = Law.of({0: Fraction(1, 3), 1: Fraction(2, 3)}), Law.uniform([0, 1])
    found = Comparisons(Laws([coin, other, other]), Epsilon.of(0), Fraction(0))
    for pair in ((1, 0), (0, 1), (0, 2), (2, 0)):
        found.compare((pair[0],), (pair[1],))
    assert found.worst == (Fraction(1, 6), ((1,), (0,)))
    assert found.tightest == (Fraction(3, 2), ((1,), (0,)))


def test_powers_of_e_are_compared_as_such():
    e = Epsilon.of(1)
    p = Law.proportional({0: e.exp(), 1: 1})
    q = Law.proportional({0: 1, 1: e.exp()})
    found = Comparisons(Laws([p, q]), e, Fraction(0))
    found.compare((0,), (1,))
    assert found.worst[0] == 0
    assert found.tightest[0] == e.exp()
