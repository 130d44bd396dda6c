"""Zero-concentrated differential privacy: the largest ``D_a / a`` over all orders ``a > 1``.

With ``s = a - 1`` and the cumulant ``K(s) = s D_a``, rho suffices for a pair if ``K(s) <= rho s (1
+ s)`` for all s. K is convex, so between two values of s it lies below a chord, and the comparison
of a chord with the parabola is exact. From ``a = D_infinity / rho`` on, ``D_a <= D_infinity <= a
rho``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit, check_time
from ccsim.certificates.envelope import encode_fraction
from ccsim.data import frozen
from ccsim.exact import as_fraction
from ccsim.exact.exponentials import interval_of
from ccsim.privacy.audit_result import Neighbours, Pair
from ccsim.privacy.changes import Numbers
from ccsim.privacy.comparisons import Stated
from ccsim.privacy.constructions import Mechanism
from ccsim.privacy.losses import (
    Losses,
    MeasuredPairs,
    PrivacyLoss,
    both_orders,
    ends_of,
    rounded,
    shown_pair,
)
from ccsim.privacy.measure import Claim, PrivacyMeasure

GAPS = tuple(Fraction(1, 1 << bits) for bits in (4, 10, 16, 20, 25, 30))
"""Relative distances of the bounds that are tried in turn."""

MAX_ORDERS = 1 << 13
"""Maximum number of orders whose divergences prove the upper bound for one pair."""

_FINE = 24  # fractional bits of an order
_GRID = 64  # orders at which the divergence is computed in floats
_STEPS = 60  # of the search for the best order


@frozen
class ConcentratedPrivacy(PrivacyMeasure):
    """The least rho for which a mechanism satisfies rho-zCDP.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism.
    neighbours : int, tuple of Pair, or a relation
        The neighbours to compare, as given to `concentrated_privacy`.
    target : Fraction or None
        The rho for which the verdict is given.
    pairs : int
        Number of compared pairs of neighbouring databases; each is compared in both orders.
    reason : str
        Reason why not all pairs were compared; empty if all were.
    lower : Fraction or None
        Lower bound on the least rho. None if the least rho is infinite.
    upper : Fraction or None
        Upper bound on the least rho. None if the least rho is infinite, or no upper bound was
        proved within the time limit.
    worst : Pair or None
        The ordered pair of databases that proves the lower bound; None if all distributions on
        neighbours are equal.
    order : Fraction
        The order ``a`` for which ``D_a / a`` proves the lower bound; 1 stands for the limit as
        ``a`` decreases to 1.
    orders : tuple of Fraction
        The orders whose divergences prove the upper bound, in increasing order.
    """

    question = "the least rho of zero-concentrated differential privacy"
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
    order: Fraction
    orders: tuple[Fraction, ...]

    def _claim(self) -> Claim:
        """Return what the certificate states: the distributions and the orders."""
        bits = self.bits(self.order, *self.orders[:1], *self.orders[-1:])
        return Claim(
            "concentrated_privacy",
            {},
            {"order": {"order": encode_fraction(self.order), "bits": bits}},
            {"orders": {"orders": list(map(encode_fraction, self.orders)), "bits": bits}},
        )


@checked_types
def concentrated_privacy(
    mechanism: Mechanism[Any, Any],
    neighbours: int | Stated | Iterable[Sequence[Sequence[Any]]],
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    target: Fraction | int | str | None = None,
) -> ConcentratedPrivacy:
    """Return the least rho for which a mechanism satisfies rho-zCDP.

    A mechanism satisfies rho-zCDP (zero-concentrated differential privacy) if, for all neighbours
    in both orders and all orders ``a > 1``, the Renyi divergence ``D_a`` of its output
    distributions is at most ``a rho``.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.
    neighbours : int, iterable of pairs, or a relation
        As for `audit`.
    time_limit : float or Budget, optional
        Seconds after which the search stops; it then returns the bounds proved so far.
    progress : callable, optional
        Called with the number of pairs compared and the number of all pairs.
    target : Fraction, int or str, optional
        A value of rho; the search stops as soon as it is decided whether the mechanism is private
        for it. ``verdict`` of the result states the answer.

    Returns
    -------
    ConcentratedPrivacy
        Bounds whose relative distance is usually at most ``2^-30``. If ``D_a / a`` is almost
        constant, as for Gaussian noise, it may be larger: at most `MAX_ORDERS` orders are used.

    Raises
    ------
    DomainError
        If a parameter is out of range, or as for `audit`.
    InstanceTooLargeError
        If there are too many pairs.

    Notes
    -----
    Complexity: for each ordered pair of different distributions, the divergence is computed at a
    few orders, or at some hundreds of orders if the pair is close to the worst one.

    Source: Bun and Steinke, Concentrated differential privacy (2016).

    Examples
    --------
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.privacy import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> found = concentrated_privacy(response, 1)
    >>> f"{float(found.lower):.6f}", f"{float(found.upper):.6f}", found.order
    ('0.549306', '0.549306', Fraction(1, 1))
    >>> str(concentrated_privacy(response, 1, target="11/20").verdict)
    'holds'
    """
    goal = None if target is None else as_fraction(target, "target", 0)
    budget = Budget.of(time_limit, progress)
    pairs = MeasuredPairs(mechanism, neighbours, budget)
    search = _Search(Losses(pairs.distributions))
    pairs.each(search.compare)
    where = search.where
    if not search.infinite and not pairs.reason:
        with budget, budget.heard():
            search.close(goal)
    return ConcentratedPrivacy(
        mechanism,
        pairs.neighbours,
        goal,
        pairs.done,
        pairs.reason,
        None if search.infinite else search.lower,
        search.upper,
        None if where is None else shown_pair(pairs.distributions, where[0], reverse=where[1]),
        search.order,
        search.orders,
    )


Where = tuple[tuple[Numbers, Numbers], bool]


class _Search:
    """The largest ``D_a / a`` found so far, and a proof that it is almost the largest."""

    def __init__(self, losses: Losses) -> None:
        self._losses = losses
        self.lower, self.order = Fraction(0), Fraction(1)
        self.where: Where | None = None
        self.upper: Fraction | None = None
        self.orders: tuple[Fraction, ...] = ()
        self.infinite = self._stuck = False
        self._all: list[tuple[PrivacyLoss, Where]] = []
        self._largest = Fraction(0)  # an upper bound on all privacy losses

    def compare(self, i: int, j: int, pair: tuple[Numbers, Numbers]) -> None:
        """Find the best order for two distributions, in both orders of the pair."""
        if self.infinite:
            return
        if (loss := self._losses.of(i, j)) is None:
            self.infinite, self.where = True, (pair, self._losses.is_possible(i, j))
            return
        for each, reverse in both_orders(loss):
            self._all.append((each, (pair, reverse)))
            largest = ends_of(each.divergence(None)).upper
            self._largest = max(self._largest, largest)
            if largest > self.lower:  # D_a / a is at most D_infinity
                for s in {Fraction(0), _best_order(each, float(self.lower))}:
                    self._witness(each, (pair, reverse), s)

    def _witness(self, loss: PrivacyLoss, where: Where, s: Fraction) -> None:
        """Use the divergence at the order ``1 + s`` as a lower bound."""
        ends = ends_of(loss.divergence(1 + s) / (1 + s).numerator * (1 + s).denominator)
        if ends.lower > self.lower or self.where is None:
            self.lower, self.order, self.where = ends.lower, 1 + s, where

    def close(self, target: Fraction | None) -> None:
        """Prove upper bounds closer and closer to the lower bound, until the target is decided."""
        if not self._all:
            self.upper = Fraction(0)
            return
        if target is not None and self.lower <= target:
            self._prove(target)
        for gap in GAPS:
            if target is not None and (self.lower > target or self.upper == target):
                return
            while not self._prove(rounded(self.lower * (1 + gap), 1)):
                if self._stuck:
                    return

    def _prove(self, rho: Fraction) -> bool:
        """Prove that rho suffices; return False if it does not, or takes too many orders."""
        self._stuck = not rho
        if not rho:
            return False
        last = Fraction(1)
        while (1 + last) * rho < self._largest:
            last *= 2
        used = {last}
        for loss, where in self._all:
            chords = _Chords(loss, rho)
            failing = chords.cover(last)
            if failing is not None:
                before = self.lower
                self._witness(loss, where, failing)
                self._stuck = self.lower == before
                return False
            used |= chords.known.keys()
            if len(used) > 2 * MAX_ORDERS:
                self._stuck = True
                return False
        if self.upper is None or rho < self.upper:
            self.upper = rho
            self.orders = tuple(1 + s for s in sorted(used))
        return True


class _Chords:
    """Chords of the cumulant of a pair that lie below the parabola ``rho s (1 + s)``."""

    def __init__(self, loss: PrivacyLoss, rho: Fraction) -> None:
        self._loss, self._rho = loss, rho
        self.known: dict[Fraction, Fraction] = {}

    def _above(self, s: Fraction) -> Fraction:
        """Return an upper bound on the cumulant at s."""
        if not s:
            return Fraction(0)
        if s not in self.known:
            check_time()
            self.known[s] = interval_of(self._loss.cumulant(s)).upper
        return self.known[s]

    def cover(self, last: Fraction) -> Fraction | None:
        """Cover the interval from 0 to `last`; return a point that cannot be covered, or None."""
        left = [(Fraction(0), last)]
        while left:
            low, high = left.pop()
            ends = (low, self._above(low)), (high, self._above(high))
            if is_below(*ends, self._rho):
                continue
            if any(k > self._rho * s * (1 + s) for s, k in ends if s) or (
                not low and high < Fraction(1, 1 << 64)
            ):
                return high if ends[1][1] > self._rho * high * (1 + high) else low
            if len(self.known) > MAX_ORDERS:
                return high
            middle = _between(low, high)
            left += [(middle, high), (low, middle)]
        return None


def is_below(
    one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction], rho: Fraction
) -> bool:
    """Whether the chord of two points lies below the parabola ``rho s (1 + s)`` between them."""
    (s, k), (t, m) = one, other
    slope = (m - k) / (t - s)
    start = k - slope * s
    if 2 * rho * s < slope - rho < 2 * rho * t:  # the distance is least in between
        return 4 * rho * start + (slope - rho) ** 2 <= 0
    return k <= rho * s * (1 + s) and m <= rho * t * (1 + t)


def _between(low: Fraction, high: Fraction) -> Fraction:
    """Return a number between two others: a dyadic one, close to their geometric mean."""
    if not low:
        return high / 4
    ratio = high / low
    if ratio <= 4:
        return (low + high) / 2
    return low * (1 << (int(ratio).bit_length() // 2))


def _best_order(loss: PrivacyLoss, enough: float) -> Fraction:
    """Return s, found in floats, for which ``D_(1 + s) / (1 + s)`` is almost the largest."""
    logs = np.array([(float(p), float(p - q), n) for n, _, _, p, q in loss.terms])
    start, losses = logs[:, 0] + np.log(logs[:, 2]), logs[:, 1]

    def value(s: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        exponents = start + np.multiply.outer(s, losses)
        top = exponents.max(axis=-1)
        total = np.log(np.exp(exponents - top[..., None]).sum(axis=-1)) + top
        return np.asarray(total / (s * (1 + s)))

    mean = float((np.exp(start) * losses).sum())
    last = max(1.0, float(losses.max()) / max(mean, enough, 1e-300))
    grid = np.geomspace(2.0**-8, min(last, 2.0**40), _GRID)
    found = value(grid)
    best = int(found.argmax())
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    for _ in range(_STEPS):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        if value(np.array([one]))[0] < value(np.array([other]))[0]:
            low = one
        else:
            high = other
    return Fraction(round(low * (1 << _FINE)), 1 << _FINE)
