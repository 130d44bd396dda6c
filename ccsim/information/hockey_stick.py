"""How far apart two laws are, as privacy measures it: the hockey-stick divergence, exactly."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import TypeVar

from ccsim.exact.exponentials import Real
from ccsim.exact.law import Law

__all__ = ["divergence", "least_factor", "likelier_event"]

Outcome = TypeVar("Outcome", bound=Hashable)


def likelier_event(p: Law[Outcome], q: Law[Outcome], factor: Real) -> tuple[Outcome, ...]:
    """Return the outcomes that are more than ``factor`` times as likely under ``p`` as under ``q``.

    No event has a larger excess ``p(event) - factor q(event)``.
    """
    other = q.as_mapping()
    zero = Fraction(0)
    return tuple(o for o, mass in p.items if mass > factor * other.get(o, zero))


def divergence(p: Law[Outcome], q: Law[Outcome], factor: Real) -> Real:
    """Return ``max over events of p(event) - factor q(event)``, the hockey-stick divergence.

    Parameters
    ----------
    p, q : Law
    factor : Fraction or Exponential
        ``e^epsilon``.

    Returns
    -------
    Fraction or Exponential
        Least ``delta`` for which ``p(event) <= factor q(event) + delta`` for every event.

    Examples
    --------
    >>> p = Law.of({0: Fraction(3, 4), 1: Fraction(1, 4)})
    >>> q = Law.of({0: Fraction(1, 4), 1: Fraction(3, 4)})
    >>> divergence(p, q, Fraction(3)), divergence(p, q, Fraction(2))
    (Fraction(0, 1), Fraction(1, 4))
    """
    left, right = p.as_mapping(), q.as_mapping()
    zero = Fraction(0)
    total: Real = zero
    for outcome in likelier_event(p, q, factor):
        total = total + left[outcome] - factor * right.get(outcome, zero)
    return total


def least_factor(p: Law[Outcome], q: Law[Outcome], delta: Real) -> Real | None:
    """Return the least ``factor >= 1`` with ``divergence(p, q, factor) <= delta``; None if none.

    Notes
    -----
    ``p(S) <= factor q(S) + delta`` for every event ``S`` means ``factor >= (p(S) - delta) / q(S)``;
    the largest of these quotients is reached by a set of outcomes of the largest ratios ``p / q``.

    Examples
    --------
    >>> p = Law.of({0: Fraction(3, 4), 1: Fraction(1, 4)})
    >>> q = Law.of({0: Fraction(1, 4), 1: Fraction(3, 4)})
    >>> least_factor(p, q, Fraction(0)), least_factor(p, q, Fraction(1, 4))
    (Fraction(3, 1), Fraction(2, 1))
    """
    right = q.as_mapping()
    above: Real = sum((mass for o, mass in p.items if o not in right), Fraction(0)) - delta
    below: Real = Fraction(0)
    if above > 0:
        return None
    best: Real = Fraction(1)
    both = [(mass, right[o]) for o, mass in p.items if o in right]
    for mass, other in sorted(both, key=lambda pair: pair[0] / pair[1], reverse=True):
        above, below = above + mass, below + other
        best = max(best, above / below)
    return best
