"""Renyi differential privacy: the largest Renyi divergence of the distributions on neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates.envelope import encode_fraction
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import DifferentFieldsError, Real
from ccsim.privacy.audit_result import Neighbours, Pair, Verdict
from ccsim.privacy.changes import Numbers
from ccsim.privacy.comparisons import Stated
from ccsim.privacy.constructions import Mechanism
from ccsim.privacy.losses import (
    Losses,
    MeasuredPairs,
    PrivacyLoss,
    both_orders,
    ends_of,
    shown_pair,
)
from ccsim.privacy.measure import Claim, PrivacyMeasure

LARGEST_ORDER = 1 << 20
"""Largest finite order of a Renyi divergence."""


@frozen
class RenyiPrivacy(PrivacyMeasure):
    """The least epsilon for which a mechanism satisfies Renyi privacy of a given order.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism.
    order : Fraction or None
        Order of the divergence, at least 1; None stands for infinity.
    neighbours : int, tuple of Pair, or a relation
        The neighbours to compare, as given to `renyi_privacy`.
    target : Epsilon or None
        The epsilon for which the verdict is given.
    pairs : int
        Number of compared pairs of neighbouring databases; each is compared in both orders.
    reason : str
        Reason why not all pairs were compared; empty if all were.
    lower : Fraction or None
        Lower bound on the least epsilon. None if the least epsilon is infinite.
    upper : Fraction or None
        Upper bound on the least epsilon. None if the least epsilon is infinite, or not all pairs
        were compared.
    worst : Pair or None
        The ordered pair of databases that proves the lower bound; None if all distributions on
        neighbours are equal.
    moment : Fraction, Exponential or None
        ``e^((order - 1) epsilon)`` for the least epsilon, that is, the largest sum of
        ``p^order q^(1 - order)``. It is known for an integer order above 1 if all probabilities are
        fractions. For the order infinity, it is ``e^epsilon``, the largest ratio ``p / q``.
    """

    question = "the least epsilon of Renyi differential privacy"
    asked = ("mechanism", "order", "neighbours")
    answered = ("lower", "upper")

    mechanism: Mechanism[Any, Any]
    order: Fraction | None
    neighbours: Neighbours
    target: Epsilon | None
    pairs: int
    reason: str
    lower: Fraction | None
    upper: Fraction | None
    worst: Pair | None
    moment: Real | None

    @property
    def verdict(self) -> Verdict | None:
        """Whether the mechanism is private for the target; None if no target was given."""
        if self.target is not None and self.moment is not None and not self.reason:
            times = 1 if self.order is None else self.order - 1
            with suppress(DifferentFieldsError):
                return Verdict.HOLDS if self.moment <= self.target.exp(times) else Verdict.FAILS
        return self._by_bounds()

    def _claim(self) -> Claim:
        """Return what the certificate states: the distributions and the worst pair."""
        if self.order is not None and isinstance(self.moment, Fraction):
            asked: dict[str, Any] = {"order": int(self.order)}
            return Claim("renyi_moment", asked, {"pair": {}}, {"all_neighbours": {}}, self.moment)
        asked = {"order": "infinity" if self.order is None else encode_fraction(self.order)}
        bits = {"bits": self.bits(self.order or Fraction(1))}
        return Claim("renyi_divergence", asked, {"pair": bits}, {"all_neighbours": bits})


@checked_types
def renyi_privacy(
    mechanism: Mechanism[Any, Any],
    order: Fraction | int | str,
    neighbours: int | Stated | Iterable[Sequence[Sequence[Any]]],
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    target: Epsilon | Fraction | int | str | None = None,
) -> RenyiPrivacy:
    """Return the least epsilon for which a mechanism satisfies Renyi privacy of a given order.

    A mechanism satisfies ``(a, epsilon)``-Renyi privacy if, for all neighbours in both orders, the
    Renyi divergence ``D_a(P || Q) = ln(sum of p^a q^(1-a)) / (a - 1)`` of its output distributions
    is at most epsilon. ``D_1`` is the relative entropy, and ``D_infinity`` the logarithm of the
    largest ratio, which is the epsilon of pure differential privacy.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.
    order : Fraction, int or str
        Order ``a`` of the divergence, from 1 to `LARGEST_ORDER`, or ``"infinity"``.
    neighbours : int, iterable of pairs, or a relation
        As for `audit`.
    time_limit : float or Budget, optional
        Seconds after which no further pair is compared.
    progress : callable, optional
        Called with the number of pairs compared and the number of all pairs.
    target : Epsilon, Fraction, int or str, optional
        An epsilon; ``verdict`` of the result states whether the mechanism is private for it.

    Returns
    -------
    RenyiPrivacy
        An enclosure of relative width at most ``2^-62``. For an integer order and rational
        probabilities, ``moment`` is exact.

    Raises
    ------
    DomainError
        If a parameter is out of range, or as for `audit`.
    InstanceTooLargeError
        If there are too many pairs.

    Notes
    -----
    Complexity: one distribution for each database, and one sum for each ordered pair of different
    distributions. Exact moments have at most 12000 bits; beyond that, only the enclosure is
    computed.

    Source: Mironov, Renyi differential privacy (2017).

    Examples
    --------
    >>> from ccsim.privacy import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> found = renyi_privacy(response, 2, 1)
    >>> found.moment, f"{float(found.upper):.6f}"
    (Fraction(7, 3), '0.847298')
    >>> str(renyi_privacy(response, "infinity", 1, target="ln 3").verdict)
    'holds'
    """
    a = read_order(order)
    goal = None if target is None else Epsilon.of(target, "target")
    pairs = MeasuredPairs(mechanism, neighbours, Budget.of(time_limit, progress))
    worst = _Largest(Losses(pairs.distributions), a)
    pairs.each(worst.compare)
    finite = not worst.infinite
    complete = finite and not pairs.reason
    where = worst.where
    return RenyiPrivacy(
        mechanism,
        a,
        pairs.neighbours,
        goal,
        pairs.done,
        pairs.reason,
        worst.lower if finite else None,
        worst.upper if complete else None,
        None if where is None else shown_pair(pairs.distributions, where[0], reverse=where[1]),
        worst.moment if complete else None,
    )


def read_order(order: Fraction | int | str) -> Fraction | None:
    """Return the order of a divergence, or None for infinity."""
    if isinstance(order, str) and order.strip() in {"inf", "infinity"}:
        return None
    found = as_fraction(order, "order")
    if not 1 <= found <= LARGEST_ORDER:
        raise DomainError(f"order must be between 1 and {LARGEST_ORDER}, or infinity, not {found}")
    return found


class _Largest:
    """The largest divergence of the pairs compared so far."""

    def __init__(self, losses: Losses, order: Fraction | None) -> None:
        self._losses, self._order = losses, order
        self.lower = self.upper = Fraction(0)
        is_exact = order is None or (order > 1 and order.denominator == 1)
        self.moment: Real | None = Fraction(1) if is_exact else None
        self.where: tuple[tuple[Numbers, Numbers], bool] | None = None
        self.infinite = False

    def compare(self, i: int, j: int, pair: tuple[Numbers, Numbers]) -> None:
        """Compare two distributions in both orders."""
        if self.infinite:
            return
        if (loss := self._losses.of(i, j)) is None:
            self.infinite, self.where = True, (pair, self._losses.is_possible(i, j))
            return
        for each, reverse in both_orders(loss):
            self._compare(each, (pair, reverse))

    def _compare(self, loss: PrivacyLoss, where: tuple[tuple[Numbers, Numbers], bool]) -> None:
        ends = ends_of(loss.divergence(self._order))
        if ends.upper < self.lower:
            return
        moment = None if self.moment is None else loss.moment(self._order)
        if self.moment is None or moment is None:
            is_larger, self.moment = ends.lower > self.lower, None
        else:
            is_larger = moment > self.moment
            self.moment = moment if is_larger else self.moment
        if is_larger or self.where is None:
            self.where = where
        self.lower, self.upper = max(self.lower, ends.lower), max(self.upper, ends.upper)
