"""How often the best solution can be released at all: a chain of neighbours that proves it.

Main definitions: `ReleaseBound`, `release_bound`, `least_release_lead`.

A mechanism that outputs a solution only where it is the best one says nothing of it where another
one is as good. From there each exchanged record raises its lead by 2, and the probability of its
release by no more than privacy allows. The variant ``optimal`` of A_dist attains every bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ccsim.border import checked_types
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.exact.arithmetic import BallArithmetic, arithmetic
from ccsim.exact.bounds import check_fields
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.intervals import Interval, ball_interval
from ccsim.privacy.mechanisms.stable_choice import check_stable, release_probability

__all__ = ["ReleaseBound", "least_release_lead", "release_bound"]

_BITS = 256
"""Bits after the point of a bound; what has more is rounded up."""

MAX_STEPS = 1 << 16
"""Most steps of a chain."""


@dataclass(frozen=True, slots=True)
class ReleaseBound:
    """An upper bound on the probability with which a solution is released at a lead.

    It holds of every ``(epsilon, delta)``-private mechanism on databases of points that outputs a
    point only where its count is larger than all others. (Who may also output the first of several
    best points can release that point, and no other, as often as at a lead that is larger by 2.)

    Attributes
    ----------
    epsilon : Epsilon
    delta : Fraction
    chain : tuple of (int, int)
        Counts of the point and of another one, the only ones, in databases of which each is a
        neighbour of the next. In the first one the point is not the best.
    bounds : tuple of Fraction
        For each database: at most so often the point is released, at least 0. The first is 0; each
        other one is at least 1, ``e^epsilon p + delta`` or ``1 - e^-epsilon (1 - p - delta)``,
        where ``p`` is the one before.

    Examples
    --------
    >>> found = release_bound(4, Epsilon.of("ln 4"), Fraction(1, 8))
    >>> found.chain, [str(p) for p in found.bounds], found.lead
    (((2, 2), (3, 1), (4, 0)), ['0', '1/8', '5/8'], 4)
    >>> found.check()
    """

    epsilon: Epsilon
    delta: Fraction
    chain: tuple[tuple[int, int], ...]
    bounds: tuple[Fraction, ...]

    @property
    def lead(self) -> int:
        """The lead of the point in the last database."""
        count, other = self.chain[-1]
        return count - other

    @property
    def value(self) -> Fraction:
        """The bound at this lead."""
        return self.bounds[-1]

    def check(self) -> None:
        """Check the chain, and each step by one inequality of privacy.

        Raises
        ------
        CertificateError
            If a step is wrong; it names the database.
        """
        check_fields(self)
        try:
            check_stable(self.delta, self.epsilon, "optimal")
        except DomainError as error:
            raise CertificateError(str(error)) from None
        same = len(self.chain) == len(self.bounds) > 0
        _require(same, "there must be a bound for each database of a chain of at least one")
        natural = all(count >= 0 for counts in self.chain for count in counts)
        _require(natural, "counts must be at least 0")
        first = self.chain[0]
        _require(first[0] <= first[1], f"the point is the best one on counts {first}")
        _require(self.bounds[0] == 0, f"the first bound must be 0, not {self.bounds[0]}")
        up, down = self.epsilon.exp(), self.epsilon.exp(-1)
        for before, after in pairwise(self.chain):
            moved = after[0] - before[0], after[1] - before[1]
            _require(moved == (1, -1), f"counts {after} and {before} do not differ in one record")
        for counts, (p, q) in zip(self.chain[1:], pairwise(self.bounds), strict=True):
            proved = q >= 1 or q >= up * p + self.delta or q >= 1 - down * (1 - p - self.delta)
            _require(p >= 0 and proved, f"privacy allows more than {q} on counts {counts}")


def _require(condition: bool, rule: str) -> None:  # noqa: FBT001 - a condition
    if not condition:
        raise CertificateError(rule)


@checked_types
def release_bound(lead: int, epsilon: Epsilon, delta: Fraction) -> ReleaseBound:
    """Return the chain for a lead, on the fewest records.

    Parameters
    ----------
    lead : int
        At least 0.
    epsilon : Epsilon
        Positive.
    delta : Fraction
        Positive, at most 1.

    Raises
    ------
    DomainError
        If a parameter is out of range, or the chain is longer than `MAX_STEPS`.

    Notes
    -----
    Complexity: two comparisons of exact numbers for each step, ``ceil(lead / 2)``. The bounds are
    least where they have no more than 256 bits, and otherwise too large by ``2^-256`` a step.

    Source: own; the variant ``optimal`` of `StableChoice` attains them.
    """
    check_stable(delta, epsilon, "optimal")
    if not 0 <= lead <= 2 * MAX_STEPS:
        raise DomainError(f"lead must be between 0 and {2 * MAX_STEPS}, not {lead}")
    steps, records = -(-lead // 2), lead or 2
    start = records // 2
    chain = tuple((start + i, records - start - i) for i in range(steps + 1))
    up, down = _enclosed(epsilon, 1).upper, _enclosed(epsilon, -1).lower
    bounds = [Fraction(0)]
    for _ in range(steps):
        p = bounds[-1]
        least = min(up * p + delta, 1 - down * (1 - p - delta))
        bounds.append(min(_rounded_up(least), Fraction(1)))
    return ReleaseBound(epsilon, delta, chain, tuple(bounds))


def _enclosed(epsilon: Epsilon, power: int) -> Interval:
    exact = epsilon.exp(power)
    if isinstance(exact, Fraction):
        return Interval(exact, exact)
    balls = BallArithmetic(epsilon, 2 * _BITS)
    with balls.working():
        return ball_interval(balls.exp(power))


def _rounded_up(value: Fraction) -> Fraction:
    if value.denominator.bit_length() <= _BITS:
        return value
    return Fraction(-((-value.numerator << _BITS) // value.denominator), 1 << _BITS)


@checked_types
def least_release_lead(
    probability: Fraction, epsilon: Epsilon, delta: Fraction, variant: str = "optimal"
) -> int:
    """Return the least lead at which the best solution is released with this probability.

    For ``optimal`` it is the least of all mechanisms that output the best solution or nothing:
    `release_bound` proves that a lead less by 1 is not enough.

    Parameters
    ----------
    probability : Fraction
        Positive, below 1.
    epsilon : Epsilon
    delta : Fraction
    variant : str
        See `release_probability`.

    Raises
    ------
    DomainError
        If a parameter is out of range, or no lead of up to ``2 * MAX_STEPS`` is enough.
    NotDecidedError
        If balls of 512 bits do not decide a comparison.

    Examples
    --------
    >>> millionth, most = Fraction(1, 10**6), Fraction(9, 10)
    >>> [least_release_lead(most, Epsilon.of(1), millionth, v) for v in ("optimal", "corrected")]
    [31, 32]
    """
    if not 0 < probability < 1:
        raise DomainError(f"probability must be between 0 and 1, not {probability}")
    check_stable(delta, epsilon, variant)
    precision = None if isinstance(epsilon.exp(), Fraction) else 2 * _BITS
    powers = arithmetic(epsilon, precision)

    def is_enough(lead: int) -> bool:
        with powers.working():
            found = powers.result(release_probability(lead, delta, powers, variant))
        if not isinstance(found, Interval):
            return found >= probability
        if found.lower < probability <= found.upper:
            raise NotDecidedError(f"{precision} bits do not decide the release at a lead of {lead}")
        return found.lower >= probability

    low, high = -1, 1
    while not is_enough(high):
        low, high = high, 2 * high
        if high > 2 * MAX_STEPS:
            raise DomainError(f"no lead of up to {2 * MAX_STEPS} is enough for {probability}")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
