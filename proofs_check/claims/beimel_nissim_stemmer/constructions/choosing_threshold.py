"""The exact delta of the choosing mechanism with a fixed threshold, and the least threshold.

Main definitions: `choosing_delta`, `largest_release`.

Let ``a = e^(epsilon/4)``, let ``k`` bound the growth, and let ``s`` be the probability of a release
if the best quality is 1. For best quality ``M``, this probability is ``p = s a^(M-1)``, or ``1 -
1/(4 s a^(M-1))`` if the former is above 1/2. On qualities up to ``m``, the least delta of the
mechanism is at most the maximum of ``s`` and ``p k / (k + a^(M-1))`` for ``M = 2 .. m``, with
equality if there are at least ``k + 1`` solutions.

*Lower bound*: compare quality 1 with 0, and a solution of quality ``M`` beside ``k`` others of
quality 1 with the same solution beside ``k`` others of quality 0.

*Upper bound*: call a solution good if its quality is at least 1. Let ``n`` solutions be good for
the database only, hence of quality 1, and ``l`` for the neighbour only; let ``Z`` and ``Z'`` be the
sums of ``a^q`` over the good solutions of both. One of the ``n`` solutions is returned with
probability ``p a n / Z``. The probability of any other solution exceeds ``a^4`` times that for the
neighbour by at most ``(p a^q / Z) (1 - a^2 Z / Z')``, because ``p`` falls at most to ``p / a`` and
``q`` at most by 1. With ``W = Z - a n``, ``Z' <= a W + a l``, hence ``Z' - a^2 Z`` is at most ``c =
a (l - n)``, and if it is positive, all other solutions together exceed by at most ``(p / Z) W c /
(a^2 Z + c)``. If ``l <= n``, the excess of the others is 0, and ``p a n / Z`` is at most the stated
bound, as ``Z >= a^M + a n`` (``Z >= a n`` and ``p = s`` if nothing else is good). Otherwise it
suffices that ``W c / (a^2 Z + c) <= W c / (W + a l)``, which holds since ``a^2 Z + c - W - a l =
(a^2 - 1) (W + a n)``; then the sum is at most ``(p / Z) a l Z / (W + a l)``, and ``W >= a^M``. The
outcome None is at most ``a`` times as likely, unless one of the databases has no good solution:
then it exceeds by at most ``1 - a^4 (1 - s) <= s``.

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
        Probability of a release if the best quality is 1, positive and at most 1/2: the threshold
        is ``1 + (4 / epsilon) ln(1 / (2 released))``.
    growth : int
        Bound on the growth, at least 1; there must be more than `growth` solutions.
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
    """Return the largest probability of a release that is allowed if the best quality is 1.

    This is the largest probability ``s`` for which the mechanism is ``(epsilon, delta)``-private;
    ``1 + (4 / epsilon) ln(1 / (2 s))`` is the least fixed threshold. For growth 1, ``s`` is delta;
    otherwise it lies between ``delta / growth`` and ``delta``.

    Parameters
    ----------
    growth : int
        At least 1; there must be more than `growth` solutions, with any qualities.
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
    Complexity: a power of ``e`` for each quality up to that which is released nearly always, ``(4 /
    epsilon) ln(growth / delta)``.

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
