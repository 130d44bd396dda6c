"""How far one law is from another: hockey stick, statistical distance, entropy, chi-square.

The hockey-stick divergence is what privacy measures, of exact probabilities; the others are of
rational ones.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.budget import in_time
from ccsim.errors import DomainError
from ccsim.exact import LogSum
from ccsim.exact.exponentials import Real, rational
from ccsim.exact.law import Law

Outcome = TypeVar("Outcome", bound=Hashable)


def likelier_event(p: Law[Outcome], q: Law[Outcome], factor: Real) -> tuple[Outcome, ...]:
    """Return the outcomes that are more than ``factor`` times as likely under ``p`` as under ``q``.

    No event has a larger excess ``p(event) - factor q(event)``.
    """
    likelier = {o for mass, other, alike in _alike(p, q) if mass > factor * other for o in alike}
    return tuple(o for o in p if o in likelier)


def _alike(p: Law[Outcome], q: Law[Outcome]) -> list[tuple[Real, Real, list[Outcome]]]:
    """Return pairs of probabilities under two laws, with the outcomes of the first one for each.

    Outcomes that share both numbers are together, so that these are compared once.
    """
    right, zero = q.as_mapping(), Fraction(0)
    found: dict[tuple[int, int], tuple[Real, Real, list[Outcome]]] = {}
    for outcome, mass in in_time(p.items):
        other = right.get(outcome, zero)
        found.setdefault((id(mass), id(other)), (mass, other, []))[2].append(outcome)
    return list(found.values())


@checked_types
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
    total: Real = Fraction(0)
    for mass, other, alike in in_time(_alike(p, q)):
        excess = mass - factor * other
        if excess > 0:
            total = total + excess * len(alike)
    return total


@checked_types
def least_factor(p: Law[Outcome], q: Law[Outcome], delta: Real) -> Real | None:
    """Return the least ``factor >= 1`` with ``divergence(p, q, factor) <= delta``; None if none.

    Parameters
    ----------
    p, q : Law
    delta : Fraction or Exponential
        Between 0 and 1.

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
    parts = [(mass, other, len(alike)) for mass, other, alike in _alike(p, q)]
    alone = (mass * many for mass, other, many in parts if not other)
    above: Real = sum(alone, Fraction(0)) - delta
    below: Real = Fraction(0)
    if above > 0:
        return None
    best: Real = Fraction(1)
    both = [part for part in parts if part[1]]
    for mass, other, many in sorted(both, key=lambda part: part[0] / part[1], reverse=True):
        above, below = above + mass * many, below + other * many
        best = max(best, above / below)
    return best


@checked_types
def statistical_distance(p: Law[Any], q: Law[Any]) -> Fraction:
    """Return half the sum of ``|p - q|``, the largest difference in probability of an event.

    Parameters
    ----------
    p, q : Law
        With rational probabilities.

    Examples
    --------
    >>> statistical_distance(Law.from_weights(["1/2", "1/2"]), Law.from_weights(["1/4", "3/4"]))
    Fraction(1, 4)
    """
    return rational(divergence(p, q, Fraction(1)))


def _density(p: Law[Any], q: Law[Any], name: str) -> list[tuple[Fraction, Fraction]]:
    """Return the pairs of probabilities on the support of ``p``, all of ``q`` positive."""
    right = dict(zip(q.outcomes, q.weights, strict=True))
    for outcome in p.outcomes:
        if outcome not in right:
            raise DomainError(f"{name} is infinite: {outcome} has probability 0 in the second law")
    return [(w, right[o]) for o, w in zip(p.outcomes, p.weights, strict=True)]


@checked_types
def relative_entropy(p: Law[Any], q: Law[Any]) -> LogSum:
    """Return the Kullback-Leibler divergence ``KL(p || q) = sum of p log2(p/q)``, in bits.

    Parameters
    ----------
    p, q : Law
        With rational probabilities.

    Raises
    ------
    DomainError
        If it is infinite, because ``q`` gives an outcome of ``p`` probability zero.

    Examples
    --------
    >>> relative_entropy(Law.from_weights([1]), Law.from_weights(["1/4", "3/4"])) == 2
    True
    """
    return LogSum.combination((a, a / b) for a, b in _density(p, q, "relative entropy"))


@checked_types
def chi_square_distance(p: Law[Any], q: Law[Any]) -> Fraction:
    """Return ``sum of (p - q)**2 / q``, which bounds the other two.

    ``4 d**2 <= chi2`` for the statistical distance ``d`` (Cauchy-Schwarz), and
    ``KL(p || q) <= log2(1 + chi2)`` (Jensen).

    Parameters
    ----------
    p, q : Law
        With rational probabilities.

    Raises
    ------
    DomainError
        If it is infinite, because ``q`` gives an outcome of ``p`` probability zero.

    Examples
    --------
    >>> chi_square_distance(Law.from_weights([1]), Law.from_weights(["1/4", "3/4"]))
    Fraction(3, 1)
    """
    pairs = _density(p, q, "chi-square distance")
    return sum((a**2 / b for a, b in pairs), Fraction(0)) - 1
