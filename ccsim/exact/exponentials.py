"""Rational functions of ``e^(1/r)``, or of ``3^(1/r)``: probabilities of private mechanisms.

Because ``e`` is transcendental (Hermite), a polynomial with rational coefficients in ``e^(1/r)``
is zero only if all its coefficients are. Equality is therefore decided by coefficients, and the
sign of what is not zero by enclosures that are narrowed until they leave zero: every comparison
ends with an answer.

For a rational base in place of ``e`` the powers satisfy one equation, ``t^r = base``. If the base
is above 1 and no power of a rational number, as `ccsim.exact.powers.power` has it, that polynomial
is irreducible (Capelli): every number is a polynomial of degree below ``r``, and zero only if all
its coefficients are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import total_ordering
from typing import TypeAlias

import flint

from ccsim.appearance import MOST_CHARACTERS
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.intervals import Interval
from ccsim.exact.polynomials import (
    MAX_PRECISION,
    ONE,
    DifferentFieldsError,
    constant,
    enclosures,
    exponents,
    in_lowest_terms,
    interval_of,
    spread,
    text,
)


@total_ordering
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Exponential:
    """A quotient of two polynomials in ``t = e^(1/root)`` with rational coefficients.

    Made by `ccsim.exact.powers`, and arithmetic with integers, fractions and each other. A
    value that is rational after all still is an `Exponential`; it equals its fraction and has the
    same hash. Irrational numbers of two bases are not mixed: that is refused with a
    `DifferentFieldsError`, which is a `DomainError`; `ccsim.exact.excess` compares some of
    them.
    """

    # in lowest terms, the denominator monic
    numerator: flint.fmpq_poly
    denominator: flint.fmpq_poly
    root: int  # positive; ``t**root`` is ``e``, or the base
    # what stands in place of ``e``: above 1, no power of a fraction; The denominator is 1 then
    base: Fraction | None = None

    @property
    def is_rational(self) -> bool:
        """Whether the number is a fraction."""
        return self.numerator.degree() <= 0 and self.denominator.degree() <= 0

    def as_fraction(self) -> Fraction:
        """Return the number as a fraction."""
        if not self.is_rational:
            raise DomainError(f"number must be rational, not {self}")
        value = self.numerator[0]
        return Fraction(int(value.p), int(value.q))

    def enclose(self, precision: int = 128) -> Interval:
        """Return an interval that certainly contains the number."""
        return interval_of(next(self._balls(precision)))

    def _balls(self, precision: int) -> Iterator[flint.arb]:
        """Yield finite enclosures at higher and higher precision."""
        yield from enclosures((self.numerator, self.denominator), self.root, self.base, precision)
        raise NotDecidedError(f"{self} needs more than {MAX_PRECISION} bits to be told from 0")

    def __abs__(self) -> Exponential:
        return -self if self.sign() < 0 else self

    def sign(self) -> int:
        """Return -1, 0 or 1."""
        if self.numerator.degree() < 0:
            return 0
        return next(1 if ball > 0 else -1 for ball in self._balls(64) if not ball.contains(0))

    def __add__(self, other: object) -> Exponential:
        pair = _alike(self, other)
        if pair is None:
            return NotImplemented
        a, b = pair
        top = a.numerator * b.denominator + b.numerator * a.denominator
        return _reduced(top, a.denominator * b.denominator, a.root, a.base)

    def __mul__(self, other: object) -> Exponential:
        pair = _alike(self, other)
        if pair is None:
            return NotImplemented
        a, b = pair
        bottom = a.denominator * b.denominator
        return _reduced(a.numerator * b.numerator, bottom, a.root, a.base)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Exponential:
        return Exponential(-self.numerator, self.denominator, self.root, self.base)

    def __sub__(self, other: object) -> Exponential:
        right = _lift(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: object) -> Exponential:
        return -self + other

    def __truediv__(self, other: object) -> Exponential:
        right = _lift(other)
        return NotImplemented if right is None else self * right._inverse()

    def __rtruediv__(self, other: object) -> Exponential:
        return self._inverse() * other

    def _inverse(self) -> Exponential:
        if self.numerator.degree() < 0:
            raise ZeroDivisionError("division by zero")
        return _reduced(self.denominator, self.numerator, self.root, self.base)

    def __pow__(self, power: int) -> Exponential:
        base = self if power >= 0 else self._inverse()
        n = abs(power)
        return _reduced(base.numerator**n, base.denominator**n, base.root, base.base)

    def __eq__(self, other: object) -> bool:
        pair = _alike(self, other)
        if pair is None:
            return NotImplemented
        a, b = pair
        return bool(a.numerator == b.numerator and a.denominator == b.denominator)

    def __lt__(self, other: object) -> bool:
        right = _lift(other)
        return NotImplemented if right is None else (self - right).sign() < 0

    def __hash__(self) -> int:
        if self.is_rational:
            return hash(self.as_fraction())
        step = math.gcd(self.root, *exponents(self.numerator), *exponents(self.denominator))
        return hash(
            (
                tuple((i // step, str(self.numerator[i])) for i in exponents(self.numerator)),
                tuple((i // step, str(self.denominator[i])) for i in exponents(self.denominator)),
                self.root // step,
                self.base,
            )
        )

    def __float__(self) -> float:
        interval = self.enclose()
        return float((interval.lower + interval.upper) / 2)

    def __str__(self) -> str:
        top = text(self.numerator, self.root, self.base)
        return (
            top
            if self.denominator.degree() <= 0
            else f"({top})/({text(self.denominator, self.root, self.base)})"
        )

    def __repr__(self) -> str:
        whole = f"({self})"
        return whole if len(whole) <= MOST_CHARACTERS else f"({len(whole) - 2} digits and signs)"


_ONE_OF_E = Exponential(ONE, ONE, 1)

Real: TypeAlias = Fraction | Exponential
"""An exact real number that a mechanism's probability may be."""


def rational(value: Real) -> Fraction:
    """Return a number that is rational as a fraction."""
    return value.as_fraction() if isinstance(value, Exponential) else value


def enclose_log(value: Real, precision: int = 128) -> Interval:
    """Return an interval that contains the natural logarithm of a positive number."""
    if value <= 0:
        raise DomainError(f"the logarithm needs a positive number, not {value}")
    number = _ONE_OF_E * value
    for ball in number._balls(precision):
        with flint.ctx.workprec(precision):
            if (logarithm := ball.log()).is_finite():
                return interval_of(logarithm)
    raise NotDecidedError(f"the logarithm of {value} is not decided")


def _lift(value: object) -> Exponential | None:
    if isinstance(value, Exponential):
        return value
    if isinstance(value, int | Fraction):
        return Exponential(constant(Fraction(value)), ONE, 1)
    return None


def _alike(left: Exponential, other: object) -> tuple[Exponential, Exponential] | None:
    """Write two numbers with the same root; None if the other is no number."""
    right = _lift(other)
    if right is None:
        return None
    base = right.base if left.is_rational else left.base
    if not right.is_rational and right.base != base:
        named = " and ".join("e" if b is None else str(b) for b in (base, right.base))
        raise DifferentFieldsError(f"irrational powers of {named} are not computed with together")
    root = math.lcm(left.root, right.root)
    return _widen(left, root, base), _widen(right, root, base)


def _widen(number: Exponential, root: int, base: Fraction | None) -> Exponential:
    """Write a number with a multiple of its root; only a rational one with another base."""
    if number.root == root:
        return number if number.base == base else replace(number, base=base)
    step = root // number.root
    top, bottom = (spread(p, step) for p in (number.numerator, number.denominator))
    return Exponential(top, bottom, root, base)


def _reduced(
    top: flint.fmpq_poly, bottom: flint.fmpq_poly, root: int, base: Fraction | None
) -> Exponential:
    return Exponential(*in_lowest_terms(top, bottom, root, base), root, base)
