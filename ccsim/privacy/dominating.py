"""The dominating pair of a mechanism: one pair of distributions with its whole privacy curve.

For events ``E`` of the output distributions on two neighbours, the points ``(Q(E), P(E))`` of all
pairs lie below a least concave curve. Its edges are the outcomes of the dominating pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit, check_time, in_time
from ccsim.data import validated
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Exponential, Real
from ccsim.privacy.audit_result import Neighbours
from ccsim.privacy.comparisons import AuditedDistributions
from ccsim.privacy.constructions import Mechanism

Edge: TypeAlias = tuple[Fraction, Fraction]
"""Masses under P and under Q."""
BITS = 96
"""Precision of irrational probabilities in bits."""


@validated
class DominatingPair:
    """Two distributions whose hockey-stick divergences are the privacy curve of a mechanism.

    For every ``factor >= 0``, the largest ``Pr[M(D) in E] - factor Pr[M(D') in E]`` over all
    neighbours ``D``, ``D'`` in both orders and all events ``E`` is the largest ``p(E) - factor
    q(E)``. Therefore the product of the dominating pairs of several mechanisms bounds the privacy
    curve of every adaptive composition of mechanisms with these curves, and some attain it.

    Attributes
    ----------
    p, q : tuple of Fraction
        Probabilities of the outcomes under both distributions, in decreasing order of ``p / q``.

    Examples
    --------
    >>> from ccsim.privacy import RandomizedResponse
    >>> pair = dominating_pair(RandomizedResponse((0, 1), Epsilon.of("ln 3")), 1)
    >>> pair.p, pair.delta("ln 2")
    ((Fraction(3, 4), Fraction(1, 4)), Fraction(1, 4))
    """

    p: tuple[Fraction, ...]
    q: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if len(self.p) != len(self.q) or sum(self.p) != 1 or sum(self.q) != 1:
            raise DomainError("p and q must be probabilities of the same outcomes")
        if min((*self.p, *self.q)) < 0:
            raise DomainError("p and q must be at least 0")
        order = zip(self.p, self.q, strict=True)
        if any(a * d < c * b for (a, b), (c, d) in pairwise(order)):
            raise DomainError("outcomes must be in decreasing order of p / q")

    @property
    def ratios(self) -> tuple[Fraction | None, ...]:
        """The ratio ``p / q`` of each outcome; None if ``q`` is 0."""
        return tuple(p / q if q else None for p, q in zip(self.p, self.q, strict=True))

    def delta(self, epsilon: Epsilon | Fraction | int | str) -> Real:
        """Return the least delta for an epsilon.

        Parameters
        ----------
        epsilon : Epsilon, int, Fraction or str
            Privacy parameter epsilon, at least 0.
        """
        factor, total = Epsilon.of(epsilon).exp(), Fraction(0)
        excesses = (p - factor * q for p, q in zip(self.p, self.q, strict=True))
        return sum((excess for excess in excesses if excess > 0), total)


@checked_types
def dominating_pair(
    mechanism: Mechanism[Any, Any],
    neighbours: Neighbours,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> DominatingPair:
    """Return the dominating pair of a mechanism over given neighbours.

    Parameters
    ----------
    mechanism, neighbours
        As for `audit`; probabilities must be fractions.
    time_limit : float or Budget, optional
        Seconds after which `NotDecidedError` is raised.
    progress : callable, optional
        Called with the number of pairs compared and the number of all pairs (0 if unknown).

    Raises
    ------
    DomainError
        As `audit`, or if a probability is irrational, or there are no neighbours.
    NotDecidedError
        If the time limit is reached.

    Notes
    -----
    Complexity: that of sorting the outcomes of each pair of distributions by their ratio, and the
    breakpoints of all privacy curves.

    Source: Zhu, Dong and Wang, Optimal accounting of differential privacy via characteristic
    function (2022), Definition 7 and Theorem 10.

    Examples
    --------
    >>> from ccsim.privacy import FunctionMechanism
    >>> rows = {0: {"a": "1/2", "b": "1/2"}, 1: {"a": "1/4", "b": "3/4"}, 2: {"a": "1"}}
    >>> pair = dominating_pair(FunctionMechanism((0, 1, 2), lambda d: rows[d[0]]), 1)
    >>> [str(ratio) for ratio in pair.ratios], [str(p) for p in pair.p]
    (['None', '1', '0'], ['3/4', '1/4', '0'])
    """
    with limited(time_limit, progress):
        pairs = list(distinct_pairs(mechanism, neighbours))
        if any(isinstance(m, Exponential) and not m.is_rational
               for pair in pairs for d in pair for _, m in d.items):  # fmt: skip
            raise DomainError(
                "probabilities must be fractions; choose an epsilon that is a logarithm, as ln 3"
            )
        edges = edges_of(pairs, up=True)
    if not edges:
        raise DomainError("there are no neighbouring databases")
    rest = 1 - sum((q for _, q in edges), Fraction(0))
    edges += [(Fraction(0), rest)] * (rest > 0)
    return DominatingPair(tuple(p for p, _ in edges), tuple(q for _, q in edges))


@contextmanager
def limited(limit: TimeLimit, progress: Progress | None) -> Iterator[None]:
    """Return a context at whose time limit `NotDecidedError` is raised."""
    budget, finished = Budget.of(limit, progress), False
    with budget, budget.heard():
        check_time()
        yield
        finished = True
    if not finished:
        raise NotDecidedError("the time limit was reached before all pairs were compared")


def distinct_pairs(
    mechanism: Mechanism[Any, Any], neighbours: object
) -> Iterator[tuple[Distribution[Any], Distribution[Any]]]:
    """Yield the ordered pairs of distributions on neighbours, each pair once."""
    for _, pair in numbered_pairs([mechanism], neighbours):
        yield pair[0]


Databases: TypeAlias = tuple[tuple[Any, ...], tuple[Any, ...]]
Distributions: TypeAlias = tuple[Distribution[Any], Distribution[Any]]


def numbered_pairs(
    mechanisms: Iterable[Mechanism[Any, Any]], neighbours: object
) -> Iterator[tuple[Databases, tuple[Distributions, ...]]]:
    """Yield ordered pairs of neighbours with the distributions of mechanisms, each of them once."""
    audited = [AuditedDistributions(mechanism) for mechanism in mechanisms]
    seen: set[tuple[tuple[int, int], ...]] = set()
    _, pairs = audited[0].compared(neighbours)
    for pair in in_time(pairs):
        for first, second in (pair, pair[::-1]):
            numbers = tuple((each.number(first), each.number(second)) for each in audited)
            if numbers not in seen:
                seen.add(numbers)
                found = tuple(
                    (each.distributions[i], each.distributions[j])
                    for each, (i, j) in zip(audited, numbers, strict=True)
                )
                yield audited[0].pair((first, second)), found


def edges_of(pairs: Iterable[Distributions], *, up: bool) -> list[Edge]:
    """Return the edges of the least concave curve of some pairs, the steepest first.

    Irrational probabilities are rounded so that the curve moves up or down.
    """
    corners: list[Edge] = []
    for p, q in in_time(pairs):
        other = q.as_mapping()
        zero = Fraction(0)
        masses = [(_end(m, up=up), _end(other.get(o, zero), up=not up)) for o, m in p.items]
        masses.sort(key=lambda mass: (mass[1] != 0, -mass[0] / mass[1] if mass[1] else 0))
        events = zip(
            accumulate(y for _, y in masses), accumulate(x for x, _ in masses), strict=True
        )
        corners = _concave([*corners, *events])
    whole = [(Fraction(0), Fraction(0)), *corners]
    return [(y - b, x - a) for (a, b), (x, y) in pairwise(whole)]


def _concave(points: list[Edge]) -> list[Edge]:
    """Return the corners, after the origin, of the least concave curve above points (q, p)."""
    best: dict[Fraction, Fraction] = {Fraction(0): Fraction(0)}
    for x, y in points:
        best[x] = max(best.get(x, y), y)
    corners: list[Edge] = [] if best[Fraction(0)] == 0 else [(Fraction(0), Fraction(0))]
    for x, y in sorted(best.items()):
        if corners and y <= corners[-1][1]:
            continue
        while len(corners) > 1 and _slope(corners[-2], corners[-1]) <= _slope(corners[-1], (x, y)):
            corners.pop()
        corners.append((x, y))
    return corners[1:]


def _slope(one: Edge, other: Edge) -> float | Fraction:
    """Return the slope between two points; infinite for a vertical edge."""
    width = other[0] - one[0]
    return (other[1] - one[1]) / width if width else float("inf")


def _end(mass: Real, *, up: bool) -> Fraction:
    """Return a probability, or an end of an interval that contains it."""
    if not isinstance(mass, Exponential):
        return mass
    if mass.is_rational:
        return mass.as_fraction()
    ends = mass.enclose(BITS)
    return ends.upper if up else max(ends.lower, Fraction(0))
