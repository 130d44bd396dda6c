"""Quotients of polynomials in ``t``, where ``t^root`` is ``e`` or a fraction: terms and enclosures.

Numerator and denominator are kept in lowest terms, the denominator monic. The base is None for
``e``; where it is a fraction above 1, and no power of one, ``t^root - base`` is irreducible
(Capelli), and the denominator is 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

import flint

from ccsim.errors import DomainError
from ccsim.exact.intervals import Interval

MAX_PRECISION = 1 << 20
"""Most bits of an enclosure."""
MAX_DEGREE = 1 << 16
"""Largest numerator or denominator of an exponent."""

ONE = flint.fmpq_poly([1])

Quotient: TypeAlias = tuple[flint.fmpq_poly, flint.fmpq_poly]
"""Numerator and denominator."""


class DifferentFieldsError(DomainError):
    """Numbers are not computed with together, or a power is too high to be computed with."""


def constant(value: Fraction) -> flint.fmpq_poly:
    """Return the polynomial of degree 0, or less for 0."""
    return flint.fmpq_poly([_fmpq(value)])


def in_lowest_terms(
    top: flint.fmpq_poly, bottom: flint.fmpq_poly, root: int, base: Fraction | None
) -> Quotient:
    """Return the quotient as it is kept; the bottom is not zero."""
    if base is not None:
        modulus = flint.fmpq_poly([-_fmpq(base), *[0] * (root - 1), 1])
        if bottom.degree() > 0:  # no multiple of the modulus, which is irreducible
            _, bottom, _ = (bottom % modulus).xgcd(modulus)
            top, bottom = top * bottom, ONE
        return top % modulus / bottom[0], ONE
    common = top.gcd(bottom)
    if common.degree() > 0:
        top, bottom = top // common, bottom // common
    lead = bottom[bottom.degree()]
    return top / lead, bottom / lead


def spread(polynomial: flint.fmpq_poly, step: int) -> flint.fmpq_poly:
    """Substitute ``t**step`` for ``t``."""
    if (polynomial.degree() + 1) * step > MAX_DEGREE * 16:
        raise DifferentFieldsError(
            f"exponents with common denominator {step} are too fine for exact arithmetic"
        )
    coefficients = [flint.fmpq(0)] * (max(polynomial.degree(), 0) * step + 1)
    for i in range(polynomial.degree() + 1):
        coefficients[i * step] = polynomial[i]
    return flint.fmpq_poly(coefficients)


def enclosures(
    quotient: Quotient, root: int, base: Fraction | None, precision: int
) -> Iterator[flint.arb]:
    """Yield finite enclosures of the value, at this precision and higher ones."""
    while precision <= MAX_PRECISION:
        with flint.ctx.workprec(precision):
            t = _generator(root, base)
            ball = _evaluate(quotient[0], t) / _evaluate(quotient[1], t)
        if ball.is_finite():
            yield ball
        precision *= 2


def _evaluate(polynomial: flint.fmpq_poly, t: flint.arb) -> flint.arb:
    total = flint.arb(0)
    for i in range(polynomial.degree(), -1, -1):
        total = total * t + flint.arb(polynomial[i])
    return total


def exponents(polynomial: flint.fmpq_poly) -> list[int]:
    """Return the exponents of the terms, from the lowest."""
    return [i for i in range(polynomial.degree() + 1) if polynomial[i] != 0]


def interval_of(ball: flint.arb) -> Interval:
    """Return a finite enclosure with rational ends."""
    pairs = [end.man_exp() for end in (ball.mid(), ball.rad())]  # both are exact
    middle, radius = (Fraction(int(m)) * Fraction(2) ** int(e) for m, e in pairs)
    return Interval(middle - radius, middle + radius)


def _generator(root: int, base: Fraction | None) -> flint.arb:
    """Enclose ``t`` at the working precision."""
    if base is None:
        return flint.arb(flint.fmpq(1, root)).exp()
    return flint.arb(_fmpq(base)).root(root)


def _fmpq(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)


def text(polynomial: flint.fmpq_poly, root: int, base: Fraction | None) -> str:
    """Return the polynomial with powers of the base in place of ``t``."""
    letter = "e" if base is None else str(base) if base.denominator == 1 else f"({base})"
    terms = []
    for i in exponents(polynomial):
        power = Fraction(i, root)
        raised = f"^{power}" if power.denominator == 1 else f"^({power})"
        name = letter if power == 1 else letter + raised
        if i == 0:
            terms.append(str(polynomial[i]))
        else:
            terms.append(name if polynomial[i] == 1 else f"{polynomial[i]}*{name}")
    return " + ".join(terms) or "0"
