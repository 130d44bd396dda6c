"""How often RecConcave with two calls fails on any sample of a threshold, and how to run it best.

Lemma 3.14 of `bns` is generous. This is its argument with the probabilities of the steps in place
of their bounds: at an agreement that is an integer, quasi-concave, and ``m`` somewhere. Let ``r =
m``, ``a = accuracy`` of the run, and ``f = (1 - a) r``. Some length has ``q >= R = a r / 2``, so a
length with less ``q`` comes with odds of at most ``e^(-eps (R - q) / 2)`` against it. For a length
``2^k`` with ``q > 0``:

* what is better than ``L(k + 1)`` is an interval of less than ``2^(k + 1)`` points around the best
  one, so that some interval of a family holds all of it, leads by ``r - L(k + 1)``, and also has
  ``2^k`` points in a row of agreement ``L(k)`` or more;
* if it is released, at least 1/16 of what is drawn from is so good;
* either ``q = r - L(k + 1)``, with ``L(k) >= max(f + q, r - q)``; or ``q = L(k) - f``, with ``r -
  L(k + 1) >= max(q, a r - q)``.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import count
from math import ceil

from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Arithmetic, Epsilon, Value, arithmetic
from ccsim.exact.intervals import Interval
from ccsim.learning.sample_size import least_enough
from ccsim.privacy.mechanisms.stable_choice import (
    check_stable,
    optimal_releases,
    release_probability,
)

_TINY = Fraction(1, 1 << 100)
"""Odds below which lengths are not looked at one by one."""
_OTHERS = 15
"""Points that may be bad, for each one that is good, among those of the last step."""


@validated
class TwoCallRun:
    """The parameters of every step of RecConcave on the thresholds over ``2^bits`` points."""

    bits: int  # at least 6: shorter ranges are not divided
    target: Fraction  # largest empirical error that is no failure, below 1
    accuracy: Fraction  # ``alpha`` of the run, positive and at most 1/2
    # of the innermost call, of each choice of an interval, and of the last step
    inner: Epsilon
    choice: Epsilon
    last: Epsilon
    delta: Fraction  # of each choice
    variant: str = "corrected"  # of the choices; see `release_probability`

    def __post_init__(self) -> None:
        if self.bits < 6:
            raise DomainError(f"bits must be at least 6 for two calls, not {self.bits}")
        if not 0 < self.target < 1:
            raise DomainError(f"target must lie strictly between 0 and 1, not {self.target}")
        if not 0 < self.accuracy <= Fraction(1, 2):
            raise DomainError(f"accuracy must be positive and at most 1/2, not {self.accuracy}")
        for epsilon in (self.inner, self.choice, self.last):
            if not epsilon.is_positive:
                raise DomainError(f"epsilon must be positive, not {epsilon}")
        check_stable(self.delta, self.choice, self.variant)


def proved_failure(run: TwoCallRun, size: int, precision: int = 128) -> Fraction:
    """Return a bound on the probability of a larger empirical error, on any sample of a threshold.

    Complexity: linear in the leads that matter, some hundreds, and for the optimal choice in the
    number of examples; milliseconds at 5000 of them. No bound is below ``2^-100``.
    """
    if size < 1:
        raise DomainError(f"size must be at least 1, not {size}")
    powers = [arithmetic(epsilon, precision) for epsilon in (run.inner, run.choice, run.last)]
    with powers[0].working():
        found = powers[0].result(_bound(run, size, powers))
        if not isinstance(found, Interval):
            raise TypeError(f"{found!r} is no interval")
        return min(Fraction(1), found.upper)


def _bound(run: TwoCallRun, size: int, powers: list[Arithmetic]) -> Value:
    inner, choice, last = powers
    one = inner.number(1)
    floor, peak = (1 - run.accuracy) * size, run.accuracy * size / 2
    bad = ceil((1 - run.target) * size) - 1
    released = _releases(run, choice)

    def failed(lead: int, agreement: int) -> Value:
        if lead <= 0:  # another interval may be as good
            return one
        odds = last.exp(Fraction(bad - agreement, 2)) * _OTHERS
        return one - released(lead) / (one + odds)

    top = failed(ceil(peak), ceil(floor + peak))
    worst, tiny = top, inner.number(_TINY)
    sides: tuple[Callable[[int], tuple[Fraction, Value]], ...] = (
        lambda lead: (Fraction(lead), failed(lead, max(ceil(floor + lead), size - lead))),
        lambda agreement: (
            agreement - floor,
            failed(max(ceil(agreement - floor), size - agreement), agreement),
        ),
    )
    for side, start in zip(sides, (ceil(peak), ceil(floor + peak)), strict=True):
        for value in count(start - 1, -1):
            quality, failure = side(value)
            weight = inner.exp((quality - peak) / 2) * run.bits
            worst = inner.largest(worst, (top + weight * failure) / (one + weight))
            if top + weight <= worst or value <= 0:
                break
            if weight <= tiny:  # what is left comes with less
                worst = inner.largest(worst, top + weight)
                break
    return worst


def _releases(run: TwoCallRun, powers: Arithmetic) -> Callable[[int], Value]:
    """Return the probability of a release by the lead."""
    if run.variant != "optimal":
        return lambda lead: release_probability(lead, run.delta, powers, run.variant)
    found: list[Value] = []
    steps = optimal_releases(run.delta, powers)

    def released(lead: int) -> Value:
        while 2 * len(found) < lead + 2:
            found.append(next(steps))
        return found[(lead + 1) // 2]

    return released


def least_proved_size(run: TwoCallRun, failure: Fraction) -> int:
    """Return a number of examples at which `proved_failure` is at most a probability.

    It is the least one where the bound falls with the number of examples, as it does but for
    rounding.
    """
    if failure <= 0:
        raise DomainError(f"failure must be positive, not {failure}")
    return least_enough(lambda size: proved_failure(run, size) <= failure, 1)
