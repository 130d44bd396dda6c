"""The privacy losses ``ln(p / q)`` of a mechanism on neighbours, in ball arithmetic.

`MeasuredPairs` runs through the pairs of neighbours, and `PrivacyLoss` holds the probabilities
of one ordered pair. Probabilities are exact; their logarithms are balls of `PRECISION` bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import flint

from ccsim.appearance import one_line
from ccsim.budget import Budget, check_time
from ccsim.errors import NotDecidedError
from ccsim.exact.exponentials import Exponential, Real, enclose_log, interval_of
from ccsim.exact.intervals import Interval, ball_of
from ccsim.privacy.audit_result import Pair
from ccsim.privacy.changes import Numbers
from ccsim.privacy.comparisons import AuditedDistributions, Stated, pairs_given

PRECISION = 256
"""Precision of all balls, in bits."""

DIGITS = 64
"""Significant bits of the ends of an enclosure."""

LONGEST_MOMENT = 12000
"""Most bits of the numerator or the denominator of a moment that is computed exactly."""

Term: TypeAlias = "tuple[int, Real, Real, flint.arb, flint.arb]"
"""A number of outcomes, their probabilities p and q, and the logarithms of both."""


class MeasuredPairs:
    """The distributions on all pairs of neighbours, until the time limit."""

    def __init__(self, mechanism: Any, neighbours: object, budget: Budget) -> None:  # noqa: ANN401
        known = isinstance(neighbours, int | Stated)
        self._neighbours = neighbours if known else list(pairs_given(neighbours))
        self.distributions = AuditedDistributions(mechanism)
        self._budget = budget
        self._total, self._pairs = 0, iter(list[tuple[Numbers, Numbers]]())
        self._is_listed = False
        with budget, budget.heard():
            self._total, self._pairs = self.distributions.compared(self._neighbours)
            self._is_listed = True
        self._given: list[tuple[Numbers, Numbers]] = []
        self.done, self.reason = 0, ""

    @property
    def neighbours(self) -> Any:  # noqa: ANN401 - as a result holds them
        """The neighbours as given, or those of the listed pairs that were compared."""
        if isinstance(self._neighbours, int | Stated):
            return self._neighbours
        return tuple(map(self.distributions.pair, self._given[: self.done]))

    def each(self, measure: Callable[[int, int, tuple[Numbers, Numbers]], None]) -> None:
        """Call a function with the numbers of each two different distributions on neighbours."""
        seen, complete, budget = set[tuple[int, int]](), False, self._budget
        try:
            with budget, budget.heard():
                for pair in self._pairs:
                    if not isinstance(self._neighbours, int | Stated):
                        self._given.append(pair)
                    i, j = map(self.distributions.number, pair)
                    place = (i, j) if i < j else (j, i)
                    if i != j and place not in seen:
                        seen.add(place)
                        measure(i, j, pair)
                    self.done += 1
                    budget.report(self.done, max(self._total, self.done))
                    budget.spend()
                complete = self._is_listed
        except NotDecidedError as error:
            self.reason = str(error)
        if self._total and self.done == self._total:
            complete = True
        if not complete and not self.reason:
            ended = "interrupted" if budget.interrupted else "stopped"
            self.reason = f"{ended} after {self.done} of {self._total or 'the'} pairs of databases"
        if not self.done and not self.reason:
            self.reason = "there are no neighbouring databases"


class Losses:
    """The probabilities of an audit with their logarithms, computed once."""

    def __init__(self, distributions: AuditedDistributions) -> None:
        self._distributions = distributions
        self._logarithms: dict[int, flint.arb] = {}

    def of(self, i: int, j: int) -> PrivacyLoss | None:
        """Return the losses for two distributions; None if an outcome is impossible in one."""
        shares, masses = self._distributions.shares, self._distributions.masses
        first, second = shares[i], shares[j]
        if first.keys() != second.keys():
            return None
        check_time()
        counted = Counter((p, second[outcome]) for outcome, p in first.items())
        return PrivacyLoss(
            [
                (times, masses[p], masses[q], self._logarithm(p), self._logarithm(q))
                for (p, q), times in counted.items()
            ]
        )

    def is_possible(self, i: int, j: int) -> bool:
        """Whether all outcomes of the first distribution are possible in the second."""
        return self._distributions.shares[i].keys() <= self._distributions.shares[j].keys()

    def _logarithm(self, mass: int) -> flint.arb:
        if mass not in self._logarithms:
            value = self._distributions.masses[mass]
            self._logarithms[mass] = ball_between(enclose_log(value, PRECISION))
        return self._logarithms[mass]


@one_line
@dataclass(slots=True)
class PrivacyLoss:
    """The probabilities of two distributions P and Q with the same outcomes."""

    terms: list[Term]

    def reversed(self) -> PrivacyLoss:
        """Return the losses with P and Q exchanged."""
        return PrivacyLoss([(n, q, p, log_q, log_p) for n, p, q, log_p, log_q in self.terms])

    def cumulant(self, s: Fraction) -> flint.arb:
        """Return ``ln of the sum of p (p/q)^s``; for s > 0, it is s times the divergence."""
        with flint.ctx.workprec(PRECISION):
            times, zero = ball_of(s), flint.arb(0)
            return sum(
                (n * (p + times * (p - q)).exp() for n, _, _, p, q in self.terms), zero
            ).log()

    def divergence(self, order: Fraction | None) -> flint.arb:
        """Return the Renyi divergence of an order of at least 1 (None: infinity)."""
        with flint.ctx.workprec(PRECISION):
            if order is None:
                largest = [p - q for _, _, _, p, q in self.terms]
                found = largest[0]
                for each in largest[1:]:
                    found = found.max(each)
                return found
            if order == 1:
                return sum((n * p.exp() * (p - q) for n, _, _, p, q in self.terms), flint.arb(0))
            return self.cumulant(order - 1) / ball_of(order - 1)

    def moment(self, order: Fraction | None) -> Real | None:
        """Return ``sum of p^a q^(1-a)``, or the largest ratio; None if it is not computed exactly.

        It is computed if the order is infinite, or if it is an integer above 1 and all
        probabilities are fractions.
        """
        if order is None:
            return max(p / q for _, p, q, _, _ in self.terms)
        if order.denominator > 1 or order == 1 or not self._is_short(order.numerator):
            return None
        a = order.numerator
        return sum((n * p * (p / q) ** (a - 1) for n, p, q, _, _ in self.terms), Fraction(0))

    def _is_short(self, order: int) -> bool:
        bits = 0
        for _, p, q, _, _ in self.terms:
            if isinstance(p, Exponential) or isinstance(q, Exponential):
                return False
            ratio = p / q
            bits += max(map(int.bit_length, ratio.as_integer_ratio()))
        return bits * order <= LONGEST_MOMENT


def ball_between(interval: Interval) -> flint.arb:
    """Return a ball that contains an interval, at the precision of the context or better."""
    with flint.ctx.workprec(2 * PRECISION):
        low, high = ball_of(interval.lower), ball_of(interval.upper)
        return low if interval.lower == interval.upper else low.union(high)


def ends_of(ball: flint.arb) -> Interval:
    """Return a ball of a number of at least 0 as an interval with short ends."""
    interval = interval_of(ball)
    return Interval(rounded(max(interval.lower, Fraction(0)), -1), rounded(interval.upper, 1))


def rounded(value: Fraction, direction: int) -> Fraction:
    """Return a number of at least 0, rounded down (-1) or up (1) to `DIGITS` significant bits."""
    if value <= 0:
        return Fraction(0)
    spare = DIGITS - value.numerator.bit_length() + value.denominator.bit_length()
    unit = Fraction(2) ** -spare
    whole = value / unit
    return (-(-whole.numerator // whole.denominator) if direction > 0 else int(whole)) * unit


def both_orders(loss: PrivacyLoss) -> Iterator[tuple[PrivacyLoss, bool]]:
    """Yield the losses of a pair in both orders, and whether the order is reversed."""
    yield loss, False
    yield loss.reversed(), True


def shown_pair(distributions: AuditedDistributions, pair: Any, *, reverse: bool) -> Pair:  # noqa: ANN401
    """Return a pair of databases, given by numbers of records, in one of its orders."""
    first, second = distributions.pair(pair)
    return (second, first) if reverse else (first, second)
