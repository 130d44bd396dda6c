"""What the choosing mechanism needs of delta with a fixed threshold, exactly, and the least one.

Main definitions: `choosing_delta`, `largest_release`.

Let ``a = e^(epsilon/4)``, ``k`` bound the growth, ``s`` be the probability with which a best
quality of 1 is released, so that ``M`` is released with ``p = s a^(M-1)``, or ``1 - 1/(4 s
a^(M-1))`` once that is above 1/2. Then the mechanism needs as its delta, on qualities up to ``m``,
at most the largest of ``s`` and ``p k / (k + a^(M-1))`` for ``M = 2 .. m``; with ``k + 1``
solutions it needs just that.

*It needs that*: qualities 1 against 0, and a solution of quality ``M`` with ``k`` others of 1
against 0.

*It needs no more.* Let ``n`` solutions be good (of quality at least 1, hence 1) here and not for
the neighbour, ``l`` there and not here; ``Z`` and ``Z'`` are the sums of ``a^q`` over good ones.
The ``n`` come with probability ``p a n / Z``. Of any other one the probability exceeds ``a^4``
times the one there by at most ``(p a^q / Z) (1 - a^2 Z / Z')``, because ``p`` falls at most to ``p
/ a`` and ``q`` at most by 1. With ``W = Z - a n``, ``Z' <= a W + a l``, hence ``Z' - a^2 Z`` is at
most ``c = a (l - n)``, and where it is positive all others exceed by at most ``(p / Z) W c / (a^2
Z + c)``. If ``l <= n`` nothing is added, and ``p a n / Z`` is what was stated or less, as ``Z >=
a^M + a n`` (``Z >= a n`` and ``p = s`` if nothing else is good). Otherwise it suffices that ``W c
/ (a^2 Z + c) <= W c / (W + a l)``, which is so, as ``a^2 Z + c - W - a l = (a^2 - 1) (W + a n)``;
for the sum is then at most ``(p / Z) a l Z / (W + a l)``, and ``W >= a^M``. None is at most ``a``
times as likely, unless there is no good solution on one side: then it exceeds by at most ``1 - a^4
(1 - s) <= s``.

With ``s = delta / k`` this is at most ``delta``, since ``p <= s a^(M-1)``.
"""

from __future__ import annotations

from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon, arithmetic
from ccsim.exact.exponentials import Real
from ccsim.exact.fractions import as_fraction

__all__ = ["choosing_delta", "largest_release"]

MAX_QUALITY = 1 << 12
"""Largest quality up to which the delta is looked for."""


@checked_types
def choosing_delta(
    released: Fraction | int | str, growth: int, epsilon: Epsilon | Fraction | int | str, most: int
) -> Real:
    """Return the least delta of the choosing mechanism with a fixed threshold.

    Parameters
    ----------
    released : Fraction, int or str
        Probability with which a best quality of 1 is released, positive and at most 1/2: the
        threshold is ``1 + (4 / epsilon) ln(1 / (2 released))``.
    growth : int
        Bound on the growth, at least 1; there are more solutions than that.
    epsilon : Epsilon, Fraction, int or str
        Positive.
    most : int
        Largest quality, at least 1.

    Raises
    ------
    DomainError
        If a parameter is out of range.

    Notes
    -----
    Complexity: one power of ``e`` for each quality. Source: own; the proof is that of this module.

    Examples
    --------
    >>> str(choosing_delta(Fraction(1, 16), 2, Epsilon.of("ln 16"), 8))
    '1/10'
    """
    epsilon = Epsilon.of(epsilon)
    released = as_fraction(released, "released")
    _check(growth, epsilon, released=released)
    if not 1 <= most <= MAX_QUALITY:
        raise DomainError(f"most must be between 1 and {MAX_QUALITY}, not {most}")
    powers, needed = arithmetic(epsilon), [released]
    for best in range(2, most + 1):
        weight = powers.exp(Fraction(best - 1, 4))
        share, ratio = growth / (growth + weight), 2 * released * weight
        needed.append(powers.laplace_tail(ratio) * share)
        if ratio >= 1 and ratio * (ratio - 1) >= growth * released:
            break  # from here on it falls
    return max(needed)


@checked_types
def largest_release(
    growth: int, epsilon: Epsilon | Fraction | int | str, delta: Fraction | int | str
) -> Real:
    """Return with which probability a best quality of 1 may be released at most.

    The mechanism is ``(epsilon, delta)``-private with it, and with no larger one; ``1 + (4 /
    epsilon) ln(1 / (2 s))`` for this ``s`` is the least fixed threshold. For growth 1 it is delta;
    otherwise it lies between ``delta / growth`` and ``delta``.

    Parameters
    ----------
    growth : int
        At least 1; there are more solutions than that, with any qualities.
    epsilon : Epsilon, Fraction, int or str
        Positive.
    delta : Fraction, int or str
        Positive, at most 1/2.

    Raises
    ------
    DomainError
        If a parameter is out of range.

    Notes
    -----
    Complexity: a power of ``e`` for each quality up to where the best is released nearly always,
    ``(4 / epsilon) ln(growth / delta)``.

    Examples
    --------
    >>> ln16, eighth = Epsilon.of("ln 16"), Fraction(1, 8)
    >>> [str(largest_release(k, ln16, eighth)) for k in (1, 2, 4)]
    ['1/8', '1/12', '1/24']
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    _check(growth, epsilon, delta=delta)
    found: Real = delta
    if delta * (growth + epsilon.exp(Fraction(MAX_QUALITY - 1, 4))) < growth:
        raise DomainError(
            f"epsilon is too small: at epsilon = {epsilon} and delta = {delta}, the threshold is "
            f"above the largest quality, {MAX_QUALITY}"
        )
    for best in range(2, MAX_QUALITY):
        weight = epsilon.exp(Fraction(best - 1, 4))
        allowed = delta * (growth + weight) / growth  # so often the best may be released
        if allowed >= 1:
            break
        reached = allowed if allowed <= Fraction(1, 2) else 1 / (4 * (1 - allowed))
        found = min(found, reached / weight)
    return found


def _check(growth: int, epsilon: Epsilon, **probability: Fraction) -> None:
    if growth < 1:
        raise DomainError(f"growth must be at least 1, not {growth}")
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    for name, value in probability.items():
        if not 0 < value <= Fraction(1, 2):
            raise DomainError(f"{name} must be positive and at most 1/2, not {value}")
