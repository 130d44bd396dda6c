"""Powers of ``e`` and of fractions with rational exponents, which are computed with exactly.

All powers of one fraction lie in the field of a root of a number that is no power itself, whose
equation ``t^r = base`` is irreducible (`ccsim.exact.exponentials`).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import flint

from ccsim.arguments.values import show_value
from ccsim.errors import DomainError
from ccsim.exact.exponentials import Exponential, Real
from ccsim.exact.polynomials import MAX_DEGREE, ONE, DifferentFieldsError

_MAX_BITS = 1 << 22


def exponential(exponent: Fraction | int) -> Exponential:
    """Return ``e^exponent`` for a rational exponent."""
    exponent = Fraction(exponent)
    check_exponent(exponent)
    degree = abs(exponent.numerator)
    t = flint.fmpq_poly([0] * degree + [1])
    if exponent >= 0:
        return Exponential(t, ONE, exponent.denominator)
    return Exponential(ONE, t, exponent.denominator)


def check_exponent(exponent: Fraction) -> None:
    """Refuse a power that is too long for exact arithmetic."""
    if max(abs(exponent.numerator), exponent.denominator) > MAX_DEGREE:
        raise DifferentFieldsError(
            f"exponent must have numerator and denominator of at most {MAX_DEGREE}, not "
            f"{show_value(exponent)}"
        )


def power(base: Fraction, exponent: Fraction) -> Real:
    """Return ``base^exponent``, a fraction if it is rational.

    The base is written as a power of a number that is none, so that all powers of one base, and of
    its powers, can be computed with together.
    """
    if base <= 0:
        raise DomainError(f"only a positive number has all rational powers, not {base}")
    if base == 1:
        return base
    whole, times = base_of_power(base)
    exponent *= times
    degree = exponent.denominator
    check_exponent(exponent)
    if abs(exponent) * whole.numerator.bit_length() > _MAX_BITS:
        raise DomainError(
            f"a power must have at most {_MAX_BITS} bits, not that with exponent {exponent}"
        )
    if degree == 1:
        return whole**exponent.numerator
    units, rest = divmod(exponent.numerator, degree)
    t = flint.fmpq_poly([0] * rest + [1])
    return Exponential(t, ONE, degree, whole) * whole**units


@cache
def base_of_power(base: Fraction) -> tuple[Fraction, int]:
    """Return which power of which number above 1 that is no power of a fraction this is."""
    if base < 1:
        number, times = base_of_power(1 / base)
        return number, -times
    number, times = base, 1
    degree = 2
    while degree <= number.numerator.bit_length():
        top, bottom = (flint.fmpz(n).root(degree) for n in (number.numerator, number.denominator))
        if top**degree == number.numerator and bottom**degree == number.denominator:
            number, times = Fraction(int(top), int(bottom)), times * degree
        else:
            degree += 1
    return number, times
