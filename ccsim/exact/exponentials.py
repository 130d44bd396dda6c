"""Rational functions of ``e^(1/r)``, or of ``3^(1/r)``: probabilities of private mechanisms.

Because ``e`` is transcendental (Hermite), a polynomial with rational coefficients in ``e^(1/r)``
is zero only if all its coefficients are. Equality is therefore decided by coefficients, and the
sign of what is not zero by enclosures that are narrowed until they leave zero: every comparison
ends with an answer.

For a rational base in place of ``e`` the powers satisfy one equation, ``t^r = base``. If the base
is above 1 and no power of a rational number, as `power` has it, that polynomial is irreducible
(Capelli): every number is a polynomial of degree below ``r``, and zero only if all its coefficients
are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, total_ordering
from typing import TypeAlias

import flint

from ccsim.border import show_value
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.intervals import Interval

__all__ = [
    "Exponential",
    "Real",
    "check_exponent",
    "enclose_log",
    "exponential",
    "over_common_denominator",
    "power",
    "rational",
]

_MAX_PRECISION = 1 << 20
_MAX_DEGREE = 1 << 16
_MAX_BITS = 1 << 22

_ZERO, _ONE = flint.fmpq_poly([0]), flint.fmpq_poly([1])


@total_ordering
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Exponential:
    """A quotient of two polynomials in ``t = e^(1/root)`` with rational coefficients.

    Made by `exponential` and `power`, and arithmetic with integers, fractions and each other. A
    value that is rational after all still is an `Exponential`; it equals its fraction and has the
    same hash. Irrational numbers of two bases are not mixed: that is refused with a `DomainError`.

    Attributes
    ----------
    numerator, denominator : flint.fmpq_poly
        In lowest terms, the denominator monic.
    root : int
        Positive; ``t**root`` is ``e``, or the base.
    base : Fraction or None
        What stands in place of ``e``: above 1, no power of a fraction. The denominator is 1 then.

    Examples
    --------
    >>> x = exponential(Fraction(1, 2))
    >>> x * x == exponential(1), x > Fraction(8, 5), x / x == 1
    (True, True, True)
    >>> (1 + x) / 2
    (1/2 + 1/2*e^(1/2))
    """

    numerator: flint.fmpq_poly
    denominator: flint.fmpq_poly
    root: int
    base: Fraction | None = None

    @property
    def is_rational(self) -> bool:
        """Whether the number is a fraction."""
        return self.numerator.degree() <= 0 and self.denominator.degree() <= 0

    def as_fraction(self) -> Fraction:
        """Return the number as a fraction.

        Raises
        ------
        DomainError
            If it is none.
        """
        if not self.is_rational:
            msg = f"number must be rational, not {self}"
            raise DomainError(msg)
        value = self.numerator[0]
        return Fraction(int(value.p), int(value.q))

    def enclose(self, precision: int = 128) -> Interval:
        """Return an interval that certainly contains the number.

        Parameters
        ----------
        precision : int
            Working precision in bits, raised where the denominator demands it.
        """
        return _interval(next(self._balls(precision)))

    def _balls(self, precision: int) -> Iterator[flint.arb]:
        """Yield finite enclosures at higher and higher precision."""
        while precision <= _MAX_PRECISION:
            with flint.ctx.workprec(precision):
                t = _generator(self.root, self.base)
                ball = _evaluate(self.numerator, t) / _evaluate(self.denominator, t)
            if ball.is_finite():
                yield ball
            precision *= 2
        msg = f"{self} needs more than {_MAX_PRECISION} bits to be told from 0"
        raise NotDecidedError(msg)

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
        return _reduced(
            a.numerator * b.denominator + b.numerator * a.denominator,
            a.denominator * b.denominator,
            a.root,
            a.base,
        )

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
            msg = "division by zero"
            raise ZeroDivisionError(msg)
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
        step = math.gcd(self.root, *_exponents(self.numerator), *_exponents(self.denominator))
        return hash(
            (
                tuple((i // step, str(self.numerator[i])) for i in _exponents(self.numerator)),
                tuple((i // step, str(self.denominator[i])) for i in _exponents(self.denominator)),
                self.root // step,
                self.base,
            )
        )

    def __float__(self) -> float:
        interval = self.enclose()
        return float((interval.lower + interval.upper) / 2)

    def __str__(self) -> str:
        top = _text(self.numerator, self.root, self.base)
        return (
            top
            if self.denominator.degree() <= 0
            else f"({top})/({_text(self.denominator, self.root, self.base)})"
        )

    def __repr__(self) -> str:
        return f"({self})"


_ONE_OF_E = Exponential(_ONE, _ONE, 1)

Real: TypeAlias = Fraction | Exponential
"""An exact real number that a mechanism's probability may be."""


def exponential(exponent: Fraction | int) -> Exponential:
    """Return ``e^exponent`` for a rational exponent.

    Raises
    ------
    DomainError
        If numerator or denominator of the exponent is above 65536.

    Examples
    --------
    >>> exponential(Fraction(-1, 2)) * exponential(Fraction(3, 2))
    (e)
    """
    exponent = Fraction(exponent)
    check_exponent(exponent)
    degree = abs(exponent.numerator)
    power = flint.fmpq_poly([0] * degree + [1])
    if exponent >= 0:
        return Exponential(power, _ONE, exponent.denominator)
    return Exponential(_ONE, power, exponent.denominator)


def check_exponent(exponent: Fraction) -> None:
    """Refuse a power that is too long for exact arithmetic.

    Raises
    ------
    DomainError
        If numerator or denominator of the exponent is above 65536.
    """
    if max(abs(exponent.numerator), exponent.denominator) > _MAX_DEGREE:
        msg = (
            f"exponent must have numerator and denominator of at most {_MAX_DEGREE}, not "
            f"{show_value(exponent)}"
        )
        raise DomainError(msg)


def power(base: Fraction, exponent: Fraction) -> Real:
    """Return ``base^exponent``, a fraction if it is rational.

    Parameters
    ----------
    base : Fraction
        Positive.
    exponent : Fraction

    Raises
    ------
    DomainError
        If numerator or denominator of the exponent is above 65536, or the power is too large.

    Notes
    -----
    The base is written as a power of a number that is none, so that all powers of one base, and of
    its powers, can be computed with together.

    Examples
    --------
    >>> root = power(Fraction(3), Fraction(1, 2))
    >>> root, root * root == 3, root * power(Fraction(1, 9), Fraction(1, 4)) == 1
    ((3^(1/2)), True, True)
    >>> power(Fraction(9, 4), Fraction(-1, 2))
    Fraction(2, 3)
    """
    if base <= 0:
        msg = f"only a positive number has all rational powers, not {base}"
        raise DomainError(msg)
    if base == 1:
        return base
    whole, times = _as_power(base)
    exponent *= times
    degree = exponent.denominator
    check_exponent(exponent)
    if abs(exponent) * whole.numerator.bit_length() > _MAX_BITS:
        msg = f"a power must have at most {_MAX_BITS} bits, not that with exponent {exponent}"
        raise DomainError(msg)
    if degree == 1:
        return whole**exponent.numerator
    units, rest = divmod(exponent.numerator, degree)
    t = flint.fmpq_poly([0] * rest + [1])
    return Exponential(t, _ONE, degree, whole) * whole**units


@cache
def _as_power(base: Fraction) -> tuple[Fraction, int]:
    """Return which power of which number above 1 that is no power of a fraction this is."""
    if base < 1:
        number, times = _as_power(1 / base)
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


def rational(value: Real) -> Fraction:
    """Return a number that is rational as a fraction.

    Raises
    ------
    DomainError
        If it is irrational.

    Examples
    --------
    >>> rational(exponential(2) / exponential(2) / 3)
    Fraction(1, 3)
    """
    return value.as_fraction() if isinstance(value, Exponential) else value


def enclose_log(value: Real, precision: int = 128) -> Interval:
    """Return an interval that contains the natural logarithm of a positive number.

    Examples
    --------
    >>> interval = enclose_log(exponential(Fraction(1, 3)))
    >>> interval.lower <= Fraction(1, 3) <= interval.upper, interval.width < Fraction(1, 2**100)
    (True, True)
    """
    if value <= 0:
        msg = f"the logarithm needs a positive number, not {value}"
        raise DomainError(msg)
    number = _ONE_OF_E * value
    for ball in number._balls(precision):
        with flint.ctx.workprec(precision):
            if (logarithm := ball.log()).is_finite():
                return _interval(logarithm)
    msg = f"the logarithm of {value} is not decided"
    raise NotDecidedError(msg)


def over_common_denominator(values: Sequence[Real], root: int) -> list[list[Fraction]]:
    """Return polynomials in ``t = e^(1/root)`` that are to each other as the given numbers.

    Parameters
    ----------
    values : sequence of Real
        Not negative; each a rational function of ``t``, all with one base.
    root : int
        A multiple of the roots of all of them.

    Returns
    -------
    list of list of Fraction
        For each number its coefficients from the constant term up, without zeros at the end; all
        numbers are multiplied by the same positive one, which is 1 if they are polynomials.

    Examples
    --------
    >>> x = exponential(1)
    >>> over_common_denominator([1 / (1 + x), x / (1 + x)], 2)
    [[Fraction(1, 1)], [Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)]]
    """
    numbers = [_widen(number, root, number.base) for v in values for number in [_ONE_OF_E * v]]
    common = _ONE
    for number in numbers:
        common = common * (number.denominator // common.gcd(number.denominator))
    tops = [number.numerator * (common // number.denominator) for number in numbers]
    if Exponential(common, _ONE, root) < 0:
        tops = [-top for top in tops]
    return [[Fraction(int(c.p), int(c.q)) for c in top.coeffs()] for top in tops]


def _lift(value: object) -> Exponential | None:
    if isinstance(value, Exponential):
        return value
    if isinstance(value, int | Fraction):
        return Exponential(flint.fmpq_poly([_fmpq(Fraction(value))]), _ONE, 1)
    return None


def _alike(left: Exponential, other: object) -> tuple[Exponential, Exponential] | None:
    """Write two numbers with the same root; None if the other is no number."""
    right = _lift(other)
    if right is None:
        return None
    base = right.base if left.is_rational else left.base
    if not right.is_rational and right.base != base:
        named = " and ".join("e" if b is None else str(b) for b in (base, right.base))
        msg = f"irrational powers of {named} are not computed with together"
        raise DomainError(msg)
    root = math.lcm(left.root, right.root)
    return _widen(left, root, base), _widen(right, root, base)


def _widen(number: Exponential, root: int, base: Fraction | None) -> Exponential:
    """Write a number with a multiple of its root; only a rational one with another base."""
    if number.root == root:
        return number if number.base == base else replace(number, base=base)
    step = root // number.root
    top, bottom = (_spread(p, step) for p in (number.numerator, number.denominator))
    return Exponential(top, bottom, root, base)


def _spread(polynomial: flint.fmpq_poly, step: int) -> flint.fmpq_poly:
    """Substitute ``t**step`` for ``t``."""
    if (polynomial.degree() + 1) * step > _MAX_DEGREE * 16:
        msg = f"exponents with common denominator {step} are too fine for exact arithmetic"
        raise DomainError(msg)
    coefficients = [flint.fmpq(0)] * (max(polynomial.degree(), 0) * step + 1)
    for i in range(polynomial.degree() + 1):
        coefficients[i * step] = polynomial[i]
    return flint.fmpq_poly(coefficients)


def _reduced(
    top: flint.fmpq_poly, bottom: flint.fmpq_poly, root: int, base: Fraction | None
) -> Exponential:
    if base is not None:
        modulus = flint.fmpq_poly([-_fmpq(base), *[0] * (root - 1), 1])
        if bottom.degree() > 0:  # no multiple of the modulus, which is irreducible
            _, bottom, _ = (bottom % modulus).xgcd(modulus)
            top, bottom = top * bottom, _ONE
        return Exponential(top % modulus / bottom[0], _ONE, root, base)
    common = top.gcd(bottom)
    if common.degree() > 0:
        top, bottom = top // common, bottom // common
    lead = bottom[bottom.degree()]
    return Exponential(top / lead, bottom / lead, root)


def _evaluate(polynomial: flint.fmpq_poly, t: flint.arb) -> flint.arb:
    total = flint.arb(0)
    for i in range(polynomial.degree(), -1, -1):
        total = total * t + flint.arb(polynomial[i])
    return total


def _exponents(polynomial: flint.fmpq_poly) -> list[int]:
    return [i for i in range(polynomial.degree() + 1) if polynomial[i] != 0]


def _interval(ball: flint.arb) -> Interval:
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


def _text(polynomial: flint.fmpq_poly, root: int, base: Fraction | None) -> str:
    letter = "e" if base is None else str(base) if base.denominator == 1 else f"({base})"
    terms = []
    for i in _exponents(polynomial):
        power = Fraction(i, root)
        raised = f"^{power}" if power.denominator == 1 else f"^({power})"
        name = letter if power == 1 else letter + raised
        if i == 0:
            terms.append(str(polynomial[i]))
        else:
            terms.append(name if polynomial[i] == 1 else f"{polynomial[i]}*{name}")
    return " + ".join(terms) or "0"
