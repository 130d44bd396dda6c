"""Composition of private mechanisms, and zero-concentrated differential privacy.

A mechanism is ``rho``-zero-concentrated private if for all neighbours and all ``a > 1`` the Renyi
divergence of order ``a`` of its distributions is at most ``a rho``. It is then
``(rho + 2 sqrt(rho ln(1/delta)), delta)``-private for every ``delta`` (Bun and Steinke,
*Concentrated differential privacy*, 2016). Functions of ``rho`` round towards more privacy.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

import flint

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Interval, as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.intervals import ball_interval

if TYPE_CHECKING:
    import sympy
from math import isqrt

from ccsim.exact.exponentials import enclose_log

MAX_TIMES = 1 << 20
"""Maximum number of runs of a composition, which takes seconds."""


@checked_types
def basic_composition(
    parts: Iterable[tuple[Epsilon | Fraction | int | str, Fraction | int | str]],
) -> tuple[Epsilon, Fraction]:
    """Return the sums of the epsilons and of the deltas of several mechanisms.

    Parameters
    ----------
    parts : iterable of pairs of Epsilon, Fraction, int or str
        Epsilon and delta of each mechanism.

    Examples
    --------
    >>> epsilon, delta = basic_composition([("1/2", "1/100"), ("1/2", "1/100")])
    >>> print(epsilon, delta)
    1 1/50
    """
    epsilon, delta = Epsilon(Fraction(0)), Fraction(0)
    for part, slack in parts:
        epsilon += Epsilon.of(part, "epsilon")
        delta += as_fraction(slack, "delta", 0, 1)
    return epsilon, min(delta, Fraction(1))


@checked_types
def advanced_composition(
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    times: int,
    slack: Fraction | int | str,
) -> tuple[sympy.Expr, Fraction]:
    """Return parameters for ``times`` runs of an ``(epsilon, delta)``-private mechanism.

    Parameters
    ----------
    epsilon, delta
        Parameters of one run.
    times : int
        Number of runs, at least 1.
    slack : Fraction
        Increase of delta, positive; a larger increase gives a smaller epsilon.

    Returns
    -------
    epsilon : sympy.Expr
        ``sqrt(2 times ln(1/slack)) epsilon + times epsilon (e^epsilon - 1)``.
    delta : Fraction
        ``times delta + slack``.

    Notes
    -----
    Source: Dwork, Rothblum and Vadhan, as cited by `bns` (Theorem 2.12).

    Examples
    --------
    >>> print(*advanced_composition("1/10", 0, 100, "1/1000"))
    -10 + sqrt(6)*sqrt(log(10)) + 10*exp(1/10) 1/1000
    """
    import sympy

    epsilon = Epsilon.of(epsilon, "epsilon")
    delta = as_fraction(delta, "delta", 0, 1)
    if times < 1:
        raise DomainError(f"times must be at least 1, not {times}")
    slack = as_fraction(slack, "slack", 0, 1)
    if not slack:
        raise DomainError("slack must be positive, not 0")
    logarithm = sympy.log(sympy.Rational(str(epsilon.factor))) / epsilon.root
    e = sympy.Rational(str(epsilon.rational)) + logarithm
    root = sympy.sqrt(2 * times * sympy.log(sympy.Rational(str(1 / slack))))
    return sympy.expand(root * e + times * e * (sympy.exp(e) - 1)), min(
        times * delta + slack, Fraction(1)
    )


@checked_types
def optimal_composition(
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    times: int,
    total: Epsilon | Interval | Fraction | int | str,
    precision: int = 128,
) -> Interval:
    """Return the least delta of ``times`` runs of any ``(epsilon, delta)``-private mechanisms.

    The mechanisms are arbitrary and may be chosen adaptively. The least delta for which every such
    composition is ``(total, delta)``-private is ``1 - (1 - delta)^times (1 - h)``. Here ``h`` is
    the least delta for ``times`` independent randomised responses of one bit. The reason is that on
    two neighbours, given by a bit, every ``(epsilon, delta)``-private mechanism can be simulated
    from a randomised response that reveals the bit with probability ``delta``.

    Parameters
    ----------
    epsilon, delta
        Parameters of one run. Epsilon must be positive, and delta must be from 0 to 1.
    times : int
        Number of runs, from 1 to `MAX_TIMES`.
    total : Epsilon, Interval, Fraction, int or str
        The epsilon of the composition, at least 0. For an interval, the result contains the least
        deltas for all its numbers.
    precision : int
        Precision of the computation in bits, at least 32.

    Returns
    -------
    Interval
        An enclosure of the least delta.

    Raises
    ------
    DomainError
        If a parameter is out of range.
    InstanceTooLargeError
        If there are more runs than `MAX_TIMES`.

    Notes
    -----
    Source: Kairouz, Oh and Viswanath, The composition theorem for differential privacy (2015),
    Theorem 3.3. Complexity: one term for each run.

    Examples
    --------
    >>> tenth = Epsilon.of("1/10")
    >>> half = optimal_composition(tenth, Fraction(0), 100, Epsilon.of("5"))  # half of the sum
    >>> f"{float(half.upper):.3g}"
    '2.79e-07'
    """
    epsilon = Epsilon.of(epsilon)
    if times < 1:
        raise DomainError(f"times must be at least 1, not {show_value(times)}")
    if times > MAX_TIMES:
        raise InstanceTooLargeError(
            f"compositions are limited to {MAX_TIMES} runs, not {show_value(times)}"
        )
    delta = as_fraction(delta, "delta", 0, 1)
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    if precision < 32:
        raise DomainError(f"precision must be at least 32 bits, not {precision}")
    if not isinstance(total, Interval):
        total = Epsilon.of(total)
        total = total.enclose(precision) if total.is_positive else Interval(*[Fraction(0)] * 2)
    if total.lower < 0:
        raise DomainError(f"total must be at least 0, not {total.lower}")
    with flint.ctx.workprec(precision):
        one, bound = _ball(epsilon.enclose(precision)), _ball(total)
        odds = one.exp()
        chance = (odds / (1 + odds)) ** times  # that all answers are the likelier ones
        least = flint.arb(0)
        for likelier in range(times, -1, -1):
            gain = 1 - (bound - (2 * likelier - times) * one).exp()
            if gain < 0:
                break  # and so are all that follow
            least += chance * gain.max(flint.arb(0))
            chance = chance * likelier / (times - likelier + 1) / odds
        kept = _ball(Interval(1 - delta, 1 - delta)) ** times
        found = ball_interval((1 - kept) + kept * least)
    return Interval(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))


def _ball(interval: Interval) -> flint.arb:
    low, high = (
        flint.arb(flint.fmpq(end.numerator, end.denominator))
        for end in (interval.lower, interval.upper)
    )
    return low if interval.lower == interval.upper else low.union(high)


_BITS = 64
"""Results are multiples of ``2^-64``."""


@checked_types
def largest_rho(epsilon: Epsilon | Fraction | int | str, delta: Fraction | int | str) -> Fraction:
    """Return the largest ``rho`` with ``rho + 2 sqrt(rho ln(1/delta)) <= epsilon``.

    For ``rho <= epsilon``, the inequality is ``(epsilon - rho)^2 >= 4 rho ln(1/delta)``. It is
    decided in fractions, with the logarithm rounded up and epsilon rounded down.
    """
    epsilon = Epsilon.of(epsilon)
    most, log = epsilon.enclose().lower, _log_of_inverse(delta)
    low, high = 0, max(0, int(most * (1 << _BITS)))
    while low < high:
        middle = (low + high + 1) // 2
        rho = Fraction(middle, 1 << _BITS)
        if (most - rho) ** 2 >= 4 * rho * log:
            low = middle
        else:
            high = middle - 1
    return Fraction(low, 1 << _BITS)


@checked_types
def epsilon_of_rho(rho: Fraction | int | str, delta: Fraction | int | str) -> Fraction:
    """Return ``rho + 2 sqrt(rho ln(1/delta))``, rounded up to a multiple of ``2^-64``."""
    rho = as_fraction(rho, "rho", 0)
    value = 4 * rho * _log_of_inverse(delta)
    scaled = value * (1 << 2 * _BITS)
    root = isqrt(-(-scaled.numerator // scaled.denominator) - 1) + 1 if scaled else 0
    return rho + Fraction(root, 1 << _BITS)


def _log_of_inverse(delta: Fraction | int | str) -> Fraction:
    """Return ``ln(1/delta)``, rounded up."""
    value = as_fraction(delta, "delta")
    if not 0 < value < 1:
        raise DomainError(f"delta must be strictly between 0 and 1, not {value}")
    return enclose_log(1 / value).upper


def rho_of_pure(epsilon: Epsilon | Fraction | int | str) -> Fraction:
    """Return ``epsilon^2 / 2``, the concentrated cost of a purely private mechanism, rounded up."""
    epsilon = Epsilon.of(epsilon, "epsilon")
    return epsilon.enclose().upper ** 2 / 2


def rho_of_choice(epsilon: Epsilon) -> Fraction:
    """Return ``epsilon^2 / 8``, the concentrated cost of an exponential mechanism, rounded up.

    The log-ratios of two of its distributions lie in an interval of length ``epsilon``, half as
    long as for a general purely private mechanism (Cesar and Rogers, *Bounding, concentrating, and
    truncating*, 2021).
    """
    return rho_of_pure(epsilon) / 4


def rho_of_gaussian(variance: Fraction, sensitivity: int = 1) -> Fraction:
    """Return ``s^2 / (2 v)``, the cost of discrete Gaussian noise at sensitivity ``s``.

    Source: Canonne, Kamath and Steinke, *The discrete Gaussian*, 2020.
    """
    if variance <= 0:
        raise DomainError(f"variance must be positive, not {variance}")
    return Fraction(sensitivity * sensitivity) / (2 * variance)


def largest_choice(rho: Fraction, divisor: int = 8) -> Epsilon:
    """Return the largest epsilon, a multiple of ``2^-32``, with ``epsilon^2 / divisor <= rho``."""
    scaled = divisor * rho * (1 << _BITS)
    return Epsilon(Fraction(isqrt(scaled.numerator // scaled.denominator), 1 << _BITS // 2))


def least_variance(rho: Fraction, sensitivity: int = 1) -> Fraction:
    """Return the least variance of Gaussian noise of a given cost: ``s^2 / (2 rho)``."""
    if rho <= 0:
        raise DomainError(f"rho must be positive, not {rho}")
    return Fraction(sensitivity * sensitivity) / (2 * rho)
