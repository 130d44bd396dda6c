"""Zero-concentrated privacy: one number that adds up over the steps of an adaptive mechanism.

A mechanism is ``rho``-zero-concentrated private if for all neighbours and all ``a > 1`` the Renyi
divergence of order ``a`` of its laws is at most ``a rho``. Then it is ``(rho + 2 sqrt(rho
ln(1/delta)), delta)``-private for every ``delta`` (Bun and Steinke, *Concentrated differential
privacy*, 2016). Every function here errs on the private side.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import enclose_log

_BITS = 64
"""Results are multiples of ``2^-64``."""


@checked_types
def largest_rho(epsilon: Epsilon | Fraction | int | str, delta: Fraction | int | str) -> Fraction:
    """Return the largest ``rho`` with ``rho + 2 sqrt(rho ln(1/delta)) <= epsilon``.

    For ``rho <= epsilon`` the inequality is ``(epsilon - rho)^2 >= 4 rho ln(1/delta)``; it is
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
        raise DomainError(f"delta must lie between 0 and 1, not {value}")
    return enclose_log(1 / value).upper


def rho_of_pure(epsilon: Epsilon | Fraction | int | str) -> Fraction:
    """Return ``epsilon^2 / 2``, the concentrated cost of a purely private mechanism, rounded up."""
    epsilon = Epsilon.of(epsilon, "epsilon")
    return epsilon.enclose().upper ** 2 / 2


def rho_of_choice(epsilon: Epsilon) -> Fraction:
    """Return ``epsilon^2 / 8``, the cost of an exponential mechanism, rounded up.

    The ratio of two of its laws lies in an interval of length ``epsilon``, which is less than a
    purely private mechanism must have (Cesar and Rogers, *Bounding, concentrating, and truncating*,
    2021).
    """
    return rho_of_pure(epsilon) / 4


def rho_of_gaussian(variance: Fraction, sensitivity: int = 1) -> Fraction:
    """Return ``s^2 / (2 v)``, the cost of discrete Gaussian noise on a value that changes by ``s``.

    Source: Canonne, Kamath and Steinke, *The discrete Gaussian*, 2020.
    """
    if variance <= 0:
        raise DomainError(f"variance must be positive, not {variance}")
    return Fraction(sensitivity * sensitivity) / (2 * variance)


def largest_choice(rho: Fraction, divisor: int = 8) -> Epsilon:
    """Return the largest rational epsilon with ``epsilon^2 / divisor <= rho``, to ``2^-32``."""
    scaled = divisor * rho * (1 << _BITS)
    return Epsilon(Fraction(isqrt(scaled.numerator // scaled.denominator), 1 << _BITS // 2))


def least_variance(rho: Fraction, sensitivity: int = 1) -> Fraction:
    """Return the least variance of Gaussian noise with at most this cost: ``s^2 / (2 rho)``."""
    if rho <= 0:
        raise DomainError(f"rho must be positive, not {rho}")
    return Fraction(sensitivity * sensitivity) / (2 * rho)
