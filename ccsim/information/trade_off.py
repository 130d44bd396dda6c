"""Trade-off functions of two distributions: the least type II error of tests with a given level."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.budget import in_time
from ccsim.exact import Distribution
from ccsim.exact.exponentials import Real

Outcome = TypeVar("Outcome", bound=Hashable)


@checked_types
def trade_off_points(p: Distribution[Any], q: Distribution[Any]) -> tuple[tuple[Real, Real], ...]:
    """Return the breakpoints of the trade-off function of two distributions.

    The trade-off function maps a level ``alpha`` to the least probability ``beta`` with which a
    test of the hypothesis ``p`` against ``q`` accepts ``p`` although ``q`` is true, if the test
    rejects ``p`` with probability at most ``alpha`` when it is true. It is convex and piecewise
    linear. The most powerful tests reject the outcomes with the largest ratios ``q / p``
    (Neyman-Pearson).

    Parameters
    ----------
    p, q : Distribution

    Returns
    -------
    tuple of (Fraction or Exponential, Fraction or Exponential)
        Levels in increasing order from 0 to 1, each with the least ``beta``. Between them, the
        function is linear.

    Examples
    --------
    >>> p = Distribution.of({0: Fraction(3, 4), 1: Fraction(1, 4)})
    >>> q = Distribution.of({0: Fraction(1, 4), 1: Fraction(3, 4)})
    >>> [(str(alpha), str(beta)) for alpha, beta in trade_off_points(p, q)]
    [('0', '1'), ('1/4', '1/4'), ('1', '0')]
    """
    points = [(alpha, beta) for alpha, beta, _ in likelihood_tests(p, q)]
    return tuple(points) if points[-1][0] == 1 else (*points, (Fraction(1), Fraction(0)))


def likelihood_tests(
    p: Distribution[Outcome], q: Distribution[Outcome]
) -> list[tuple[Real, Real, list[Outcome]]]:
    """Return the errors alpha and beta of the likelihood ratio tests, with the added outcomes."""
    zero, left = Fraction(0), p.as_mapping()
    groups = dict[tuple[int, int], list[Outcome]]()
    masses = dict[tuple[int, int], tuple[Real, Real]]()
    for outcome, mass in in_time(q.items):
        other = left.get(outcome, zero)
        key = id(other), id(mass)
        masses[key] = other, mass
        groups.setdefault(key, []).append(outcome)
    ratios = {key: other / mass for key, (other, mass) in masses.items()}
    order = sorted(ratios, key=ratios.__getitem__)
    tests: list[tuple[Real, Real, list[Outcome]]] = []
    added: list[Outcome] = []
    level: Real = zero
    error: Real = Fraction(1)
    previous: Real = zero
    for key in order:
        (other, mass), listed = masses[key], groups[key]
        if ratios[key] != previous:
            tests.append((level, error, added))
            added, previous = [], ratios[key]
        level, error = level + other * len(listed), error - mass * len(listed)
        added = [*added, *listed]
    tests.append((level, error, added))
    return tests
