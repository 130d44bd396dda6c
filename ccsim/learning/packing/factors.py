"""Fractions in the place of ``e^epsilon``, so that a bound on examples is checked in rationals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil

from ccsim.errors import CertificateError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real, exponential, power

MAX_EPSILON = 8192
"""Largest number, not a logarithm, above whose power of ``e`` a fraction is written out."""
_MOST_BITS = 4096


def check_factor(factor: Fraction, epsilon: Epsilon) -> None:
    """Refuse a factor below ``e^epsilon`` or, if that is rational, another one."""
    least = epsilon.exp()
    if factor < least or least <= 1 or (isinstance(least, Fraction) and factor != least):
        rule = "equal" if isinstance(least, Fraction) else "be at least"
        raise CertificateError(f"factor must {rule} e^({epsilon}), not {factor}, and be above 1")


def check_written(epsilon: Epsilon) -> None:
    """Refuse an epsilon for which a fraction above ``e^epsilon`` is too long to be written out."""
    if epsilon.rational > MAX_EPSILON:
        raise InstanceTooLargeError(
            f"epsilon is limited to {MAX_EPSILON} where a fraction above e^epsilon proves a bound, "
            f"got {epsilon}"
        )


def _above(number: Real, bits: int) -> Fraction:
    """Return a fraction just above a number, or the number if it is one."""
    return number if isinstance(number, Fraction) else number.enclose(2 * bits + 64).upper


def rational_factor(epsilon: Epsilon, enough: Callable[[Epsilon], bool]) -> Fraction:
    """Return ``e^epsilon`` if it is rational, otherwise a short fraction above it."""
    if epsilon.is_logarithm:
        return epsilon.factor
    bits = 1
    while bits <= _MOST_BITS:
        root = power(epsilon.factor, Fraction(1, epsilon.root))
        above = _above(exponential(epsilon.rational), bits) * _above(root, bits)
        factor = Fraction(ceil(above * (1 << bits)), 1 << bits)
        if enough(Epsilon(Fraction(0), factor)):
            return factor
        bits *= 2
    raise NotDecidedError(f"no fraction of {_MOST_BITS} bits near e^({epsilon}) is enough")
