"""Gaussian differential privacy: the least mu, from the breakpoints of trade-off functions.

The trade-off function of two finite distributions is convex and piecewise linear, and that of two
unit Gaussians at distance mu is convex. So the first lies above the second if its breakpoints do:
``mu >= -(quantile(alpha) + quantile(beta))``. Both functions of the two orders of a pair are
inverse to each other, and the condition is symmetric in alpha and beta.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import flint

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit, check_time
from ccsim.certificates.envelope import encode_fraction
from ccsim.data import frozen
from ccsim.errors import CertificateError, NotDecidedError
from ccsim.exact import Interval, as_fraction
from ccsim.exact.exponentials import Exponential, Real, interval_of
from ccsim.exact.intervals import ball_of
from ccsim.information.trade_off import likelihood_tests
from ccsim.privacy.audit_result import Neighbours, Pair
from ccsim.privacy.changes import Numbers
from ccsim.privacy.comparisons import AuditedDistributions, Stated
from ccsim.privacy.constructions import Mechanism
from ccsim.privacy.losses import (
    PRECISION,
    MeasuredPairs,
    ball_between,
    ends_of,
    rounded,
)
from ccsim.privacy.measure import Claim, PrivacyMeasure

_SLACK = Fraction(1, 1 << 56)
"""Relative distance of the upper bound from the enclosure, so that short numbers prove it."""

_FINE = 96
"""Fractional bits of the arguments of the normal distribution function in a certificate."""


@frozen
class GaussianPrivacy(PrivacyMeasure):
    """The least mu for which a mechanism satisfies mu-Gaussian privacy.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism.
    neighbours : int, tuple of Pair, or a relation
        The neighbours to compare, as given to `gaussian_privacy`.
    target : Fraction or None
        The mu for which the verdict is given.
    pairs : int
        Number of compared pairs of neighbouring databases; each is compared in both orders.
    reason : str
        Reason why not all pairs were compared; empty if all were.
    lower : Fraction or None
        Lower bound on the least mu. None if the least mu is infinite.
    upper : Fraction or None
        Upper bound on the least mu. None if the least mu is infinite, or not all pairs were
        compared.
    worst : Pair or None
        The pair of databases that proves the lower bound; None if all distributions on neighbours
        are equal.
    event : tuple
        The outcomes for which the test decides that the second database is the true one. The test
        proves the lower bound.
    points : tuple of Fraction
        Numbers ``x``. The points ``(Phi(x), Phi(-upper - x))`` of the Gaussian trade-off function
        prove the upper bound.
    """

    question = "the least mu of Gaussian differential privacy"
    asked = ("mechanism", "neighbours")
    answered = ("lower", "upper")

    mechanism: Mechanism[Any, Any]
    neighbours: Neighbours
    target: Fraction | None
    pairs: int
    reason: str
    lower: Fraction | None
    upper: Fraction | None
    worst: Pair | None
    event: tuple[Hashable, ...]
    points: tuple[Fraction, ...]

    def _claim(self) -> Claim:
        """Return what the certificate states: the distributions, a test, and the points."""
        largest = max(map(abs, self.points), default=Fraction(0))
        bits = self.bits() + int(largest * largest) + 16
        least: dict[str, Any] = {"outcomes": self.event, "bits": bits}
        if self.worst is not None and self.lower is not None:
            first, second = map(self.mechanism.distribution, self.worst)
            errors = first.mass(self.event), 1 - second.mass(self.event)
            if not all(0 < error < 1 for error in errors):
                raise CertificateError("event must be a test with errors between 0 and 1")
            with flint.ctx.workprec(PRECISION):
                low = interval_of(_quantile(errors[0])).upper
                beta = _quantile(errors[1])
                high = interval_of(-beta - ball_of(self.lower)).lower
            if low > high:
                raise CertificateError("event must be a test that proves lower")
            x = _short(Interval(low, high))
            least |= {"x": encode_fraction(x)}
            bits += int(x * x)
            least["bits"] = bits
        most = {"points": list(map(encode_fraction, self.points)), "bits": bits}
        return Claim("gaussian_privacy", {}, {"test": least}, {"points": most}, outcomes="outcomes")


@checked_types
def gaussian_privacy(
    mechanism: Mechanism[Any, Any],
    neighbours: int | Stated | Iterable[Sequence[Sequence[Any]]],
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    target: Fraction | int | str | None = None,
) -> GaussianPrivacy:
    """Return the least mu for which a mechanism satisfies mu-Gaussian privacy.

    A mechanism satisfies mu-Gaussian privacy (mu-GDP) if distinguishing its output distributions on
    two neighbours is at least as hard as distinguishing the normal distributions with means 0 and
    mu and variance 1: every test of level ``alpha`` has type II error at least ``Phi(quantile(1 -
    alpha) - mu)``.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.
    neighbours : int, iterable of pairs, or a relation
        As for `audit`.
    time_limit : float or Budget, optional
        Seconds after which no further pair is compared.
    progress : callable, optional
        Called with the number of pairs compared and the number of all pairs.
    target : Fraction, int or str, optional
        A value of mu; ``verdict`` of the result states whether the mechanism is private for it.

    Returns
    -------
    GaussianPrivacy
        An enclosure of relative width about ``2^-56``.

    Raises
    ------
    DomainError
        If a parameter is out of range, or as for `audit`.
    InstanceTooLargeError
        If there are too many pairs.

    Notes
    -----
    Complexity: one distribution for each database, and one quantile for each breakpoint of the
    trade-off function of each pair of different distributions.

    Source: Dong, Roth and Su, Gaussian differential privacy (2022).

    Examples
    --------
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.privacy import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> found = gaussian_privacy(response, 1, target="27/20")
    >>> f"{float(found.lower):.6f}", str(found.verdict)
    ('1.348980', 'holds')
    """
    goal = None if target is None else as_fraction(target, "target", 0)
    budget = Budget.of(time_limit, progress)
    pairs = MeasuredPairs(mechanism, neighbours, budget)
    worst = _Largest(pairs.distributions)
    pairs.each(worst.compare)
    complete, points = not worst.infinite and not pairs.reason, None
    upper = rounded(worst.upper * (1 + _SLACK), 1)
    if complete:
        with budget, budget.heard():
            points = worst.stabbing(upper)
    where = worst.where
    return GaussianPrivacy(
        mechanism,
        pairs.neighbours,
        goal,
        pairs.done,
        pairs.reason,
        None if worst.infinite else worst.lower,
        None if points is None else upper,
        None if where is None else pairs.distributions.pair(where),
        worst.event,
        points or (),
    )


class _Largest:
    """The largest mu that a test has required so far."""

    def __init__(self, distributions: AuditedDistributions) -> None:
        self._distributions = distributions
        self.lower = self.upper = Fraction(0)
        self.where: tuple[Numbers, Numbers] | None = None
        self.event: tuple[Hashable, ...] = ()
        self.infinite = False
        self._ends: list[tuple[flint.arb, flint.arb]] = []

    def compare(self, i: int, j: int, pair: tuple[Numbers, Numbers]) -> None:
        """Compare two distributions at all breakpoints of their trade-off function."""
        if self.infinite:
            return
        shares = self._distributions.shares
        if shares[i].keys() != shares[j].keys():
            self.infinite, self.event = True, ()
            self.where = pair if shares[i].keys() - shares[j].keys() else (pair[1], pair[0])
            return
        p, q = self._distributions.distributions[i], self._distributions.distributions[j]
        event: list[Hashable] = []
        with flint.ctx.workprec(PRECISION):
            for alpha, beta, added in likelihood_tests(p, q)[:-1]:
                check_time()
                event += added
                if not event:
                    continue
                ends = _quantile(alpha), -_quantile(beta)
                self._ends.append(ends)
                found = ends_of(ends[1] - ends[0])
                if found.lower > self.lower or self.where is None:
                    self.where, self.event = pair, tuple(event)
                self.lower = max(self.lower, found.lower)
                self.upper = max(self.upper, found.upper)

    def stabbing(self, mu: Fraction) -> tuple[Fraction, ...]:
        """Return numbers such that, for each breakpoint, one lies between its two quantiles."""
        with flint.ctx.workprec(PRECISION):
            parts = [
                (interval_of(high).lower, interval_of(low - ball_of(mu)).upper)
                for high, low in self._ends
            ]
        points: list[Fraction] = []
        for high, low in sorted(parts):
            if not points or points[-1] < low:
                points.append(_short(Interval(low, high)))
        return tuple(points)


def _short(interval: Interval) -> Fraction:
    """Return a number in an interval with few digits, close to its upper end."""
    bits = 0
    while True:
        found = Fraction(
            interval.upper.numerator * (1 << bits) // interval.upper.denominator, 1 << bits
        )
        if found >= interval.lower:
            return found
        bits += 8
        if bits > PRECISION:
            raise NotDecidedError("the enclosures of the quantiles are too wide")


def _quantile(p: Real) -> flint.arb:
    """Return the quantile of the standard normal distribution at a probability."""
    exact = p.as_fraction() if isinstance(p, Exponential) and p.is_rational else p
    if isinstance(exact, Exponential):
        ball = ball_between(exact.enclose(PRECISION))
    else:
        ball = ball_of(exact)
    return -(flint.arb(2).sqrt()) * (2 * ball).erfcinv()
