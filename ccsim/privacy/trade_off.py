"""Trade-off functions of mechanisms (f-differential privacy), with exact breakpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any, Self, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit, check_time
from ccsim.certificates import Certificate, Certificates, Certified
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.exponentials import Real
from ccsim.information.trade_off import likelihood_tests, trade_off_points
from ccsim.privacy.audit_result import Neighbours, Pair, TabulatedMechanism
from ccsim.privacy.changes import Numbers
from ccsim.privacy.comparisons import AuditedDistributions, Stated
from ccsim.privacy.constructions import Mechanism
from ccsim.privacy.encoding import encode_real
from ccsim.privacy.losses import MeasuredPairs

Point: TypeAlias = tuple[Real, Real]


@frozen
class TradeOff(Certified):
    """The largest function ``f`` for which a mechanism is f-differentially private.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism.
    neighbours : int, tuple of Pair, or a relation
        The neighbours to compare, as given to `trade_off`.
    pairs : int
        Number of compared pairs of neighbouring databases; each is compared in both orders.
    reason : str
        Reason why not all pairs were compared; empty if all were. If it is not empty, the function
        is only an upper bound on ``f``.
    points : tuple of (Fraction or Exponential, Fraction or Exponential)
        The breakpoints: levels ``alpha`` in increasing order from 0 to 1, with ``f(alpha)``.
    worst : tuple of Pair
        For each breakpoint, an ordered pair of databases whose trade-off function attains it.
    is_minimum : bool
        Whether ``f`` is the pointwise minimum of the trade-off functions of all pairs. Otherwise,
        the minimum is not convex, and ``f`` is the largest convex function below it.
    """

    question = "the trade-off function of a mechanism"
    asked = ("mechanism", "neighbours")
    answered = ("points", "is_minimum")

    mechanism: Mechanism[Any, Any]
    neighbours: Neighbours
    pairs: int
    reason: str
    points: tuple[Point, ...]
    worst: tuple[Pair, ...]
    is_minimum: bool

    def at(self, alpha: Fraction | int | str) -> Real:
        """Return ``f(alpha)``.

        Parameters
        ----------
        alpha : Fraction, int or str
            A level from 0 to 1.

        Examples
        --------
        >>> from ccsim.exact import Epsilon
        >>> from ccsim.privacy import RandomizedResponse
        >>> str(trade_off(RandomizedResponse((0, 1), Epsilon.of("ln 3")), 1).at("1/8"))
        '5/8'
        """
        level = as_fraction(alpha, "alpha", 0, 1)
        for (a, b), (c, d) in pairwise(self.points):
            if level <= c:
                return b + (d - b) * (level - a) / (c - a)
        raise DomainError("points must have levels from 0 to 1")

    def if_stopped(self, reason: str) -> Self:
        """Return the result of a comparison that stops at this point."""
        return replace(self, reason=self.reason or reason)

    def certificate(
        self,
        record: Callable[[Any], str] | None = None,
        outcome: Callable[[Any], str] | None = None,
        *,
        time_limit: TimeLimit = None,
    ) -> Certificates:
        """Return the certificates for the kernel, one for each breakpoint.

        Each states the least type II error of tests with the level of the breakpoint, over all
        neighbours.

        Parameters
        ----------
        record, outcome : callable, optional
            Distinct labels of records and outcomes.
        time_limit : float or Budget, optional
            Seconds for computing the distributions.

        Raises
        ------
        OutOfTimeError
            If computing the distributions takes longer than the time limit.
        NotDecidedError
            If not all pairs were compared.
        CertificateError
            If a field contradicts the distributions or the neighbours.
        """
        if self.reason:
            raise NotDecidedError(self.reason)
        numbers = [number for point in self.points for number in point]
        first = self.worst[0] if self.worst else None
        with Budget.of(time_limit).heard():
            table = TabulatedMechanism(self, first, numbers, (record, outcome))
        pairs = self.worst or (None,) * len(self.points)
        parts = [_claim(table, *each) for each in zip(self.points, pairs, strict=True)]
        return Certificates(tuple(parts))


def _claim(table: TabulatedMechanism, point: Point, pair: Pair | None) -> Certificate:
    """Return the certificate of one breakpoint; without a pair, only of its lower bound."""
    level, bound = (encode_real(number, table.root) for number in point)
    test = None
    if pair is not None:
        places = table.places(pair)
        p, q = (table.distributions[i] for i in places)
        event: list[Any] = []
        for alpha, _, added in likelihood_tests(p, q):
            event += added if alpha <= point[0] else ()
        if p.mass(event) > point[0] or 1 - q.mass(event) > point[1]:
            raise CertificateError("worst must be pairs whose trade-off functions attain points")
        proof = {"database": places[0], "neighbour": places[1]}
        test = proof | {"outcomes": sorted(table.outcomes[o] for o in event), "bound": bound}
    return Certificate(
        "type_two_error",
        table.instance,
        {"level": level, "lower": bound, "upper": None if test is None else bound},
        {"all_neighbours": {"bound": bound}},
        None if test is None else {"test": test},
    )


@checked_types
def trade_off(
    mechanism: Mechanism[Any, Any],
    neighbours: int | Stated | Iterable[Sequence[Sequence[Any]]],
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> TradeOff:
    """Return the largest function ``f`` for which a mechanism is f-differentially private.

    The trade-off function of two distributions maps a level ``alpha`` to the least type II error of
    a test of level ``alpha`` that distinguishes them. A mechanism is f-differentially private if
    the trade-off functions of its output distributions on all neighbours, in both orders, are at
    least ``f``. Trade-off functions are convex; the largest ``f`` is the largest convex function
    below all of them.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.
    neighbours : int, iterable of pairs, or a relation
        As for `audit`. A list with one pair gives the trade-off function of this pair, in both
        orders; for one order, use `ccsim.information.trade_off_points`.
    time_limit : float or Budget, optional
        Seconds after which no further pair is compared.
    progress : callable, optional
        Called with the number of pairs compared and the number of all pairs.

    Returns
    -------
    TradeOff

    Raises
    ------
    DomainError
        If a parameter is out of range, or as for `audit`.
    InstanceTooLargeError
        If there are too many pairs.

    Notes
    -----
    Complexity: one distribution is computed for each database. For each pair of different
    distributions, the outcomes are sorted, and the breakpoints are compared with those found
    before.

    Source: Dong, Roth and Su, Gaussian differential privacy (2022).

    Examples
    --------
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.privacy import RandomizedResponse
    >>> found = trade_off(RandomizedResponse((0, 1), Epsilon.of("ln 3")), 1)
    >>> [f"{alpha}: {beta}" for alpha, beta in found.points], found.is_minimum
    (['0: 1', '1/4: 1/4', '1: 0'], True)
    """
    pairs = MeasuredPairs(mechanism, neighbours, Budget.of(time_limit, progress))
    envelope = _Envelope(pairs.distributions)
    pairs.each(envelope.compare)
    hull = envelope.hull
    return TradeOff(
        mechanism,
        pairs.neighbours,
        pairs.done,
        pairs.reason,
        tuple(hull),
        tuple(map(envelope.pair, hull)) if envelope.places else (),
        envelope.is_minimum(),
    )


class _Envelope:
    """The lower convex hull of the trade-off functions of the pairs compared so far."""

    def __init__(self, distributions: AuditedDistributions) -> None:
        self._distributions = distributions
        one, zero = Fraction(1), Fraction(0)
        self.hull: list[Point] = [(zero, one), (one, zero)]
        self.places: dict[Point, tuple[tuple[Numbers, Numbers], bool]] = {}
        self._functions: list[tuple[Point, ...]] = []

    def compare(self, i: int, j: int, pair: tuple[Numbers, Numbers]) -> None:
        """Add the trade-off functions of two distributions, in both orders."""
        check_time()
        p, q = self._distributions.distributions[i], self._distributions.distributions[j]
        for first, second, reverse in ((p, q, False), (q, p, True)):
            points = trade_off_points(first, second)
            self._functions.append(points)
            for point in points:
                self.places.setdefault(point, (pair, reverse))
            merged = sorted({*self.hull, *points}, key=cmp_to_key(_in_order))
            self.hull = _lower_hull(merged)

    def pair(self, point: Point) -> Pair:
        """Return an ordered pair of databases whose trade-off function has a breakpoint."""
        numbers, reverse = self.places[point]
        first, second = self._distributions.pair(numbers)
        return (second, first) if reverse else (first, second)

    def is_minimum(self) -> bool:
        """Whether each edge of the hull belongs to the trade-off function of one pair."""
        edges = set(pairwise(self.hull))
        for function in self._functions:
            own = set(function)
            edges = {edge for edge in edges if not own.issuperset(edge)}
            if not edges:
                return True
        return not self._functions


def _in_order(one: Point, other: Point) -> int:
    """Compare two points by level, and then by error."""
    if one[0] == other[0]:
        return (one[1] > other[1]) - (one[1] < other[1])
    return 1 if one[0] > other[0] else -1


def _lower_hull(points: Sequence[Point]) -> list[Point]:
    """Return the vertices of the lower convex hull of points in increasing order."""
    hull: list[Point] = []
    for point in points:
        if hull and hull[-1][0] == point[0]:
            continue  # above the last one
        while len(hull) > 1 and not _turns_left(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    return hull


def _turns_left(a: Point, b: Point, c: Point) -> bool:
    """Whether the second of three points lies strictly below the line through the others."""
    area: Real = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    return area > 0
