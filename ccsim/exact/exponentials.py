"""Rational functions of ``e^(1/r)``, or of ``3^(1/r)``: probabilities of private mechanisms.

Such a number is 0 only if its coefficients are 0: ``e`` is transcendental, and ``t^r - base`` is
irreducible for a base above 1 that is not a power (Capelli). Enclosures decide the other signs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, total_ordering
from typing import TypeAlias

import flint

from ccsim.appearance import MOST_CHARACTERS
from ccsim.arguments.values import show_value
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.intervals import Interval

_MAX_BITS = 1 << 22
MAX_PRECISION = 1 << 20
"""Maximum precision of an enclosure, in bits."""
MAX_DEGREE = 1 << 16
"""Largest numerator or denominator of an exponent."""
ONE = flint.fmpq_poly([1])


class DifferentFieldsError(DomainError):
    """Numbers cannot be combined exactly, or a power is too high for exact arithmetic."""


@total_ordering
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Exponential:
    """A quotient of two polynomials in ``t = e^(1/root)`` with rational coefficients.

    A number with a rational value equals the fraction with this value, and has the same hash.
    Numbers with different bases cannot be combined.

    Attributes
    ----------
    numerator : flint.fmpq_poly
        Polynomial in ``t``.
    denominator : flint.fmpq_poly
        Polynomial in ``t``, not 0.
    root : int
        Number ``r`` such that ``t`` is the ``r``-th root of e, or of the base.
    base : Fraction or None
        Base of the powers, or None for e.
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
        """Return the number as a fraction."""
        if not self.is_rational:
            raise DomainError(f"number must be rational, not {self}")
        value = self.numerator[0]
        return Fraction(int(value.p), int(value.q))

    @property
    def exponent(self) -> Fraction | None:
        """The rational logarithm of the number; None if the number is not a power of e."""
        parts = [_exponents(p) for p in (self.numerator, self.denominator)]
        if self.base is not None or any(len(part) != 1 for part in parts):
            return None
        (above,), (below,) = parts
        is_power = self.numerator[above] == self.denominator[below]
        return Fraction(above - below, self.root) if is_power else None

    def enclose(self, precision: int = 128) -> Interval:
        """Return an interval that contains the number."""
        return interval_of(next(self._balls(precision)))

    def _balls(self, precision: int) -> Iterator[flint.arb]:
        """Yield finite enclosures of increasing precision."""
        while precision <= MAX_PRECISION:
            with flint.ctx.workprec(precision):
                if self.base is None:
                    t = flint.arb(flint.fmpq(1, self.root)).exp()
                else:
                    t = flint.arb(_fmpq(self.base)).root(self.root)
                ball = _evaluate(self.numerator, t) / _evaluate(self.denominator, t)
            if ball.is_finite():
                yield ball
            precision *= 2
        raise NotDecidedError(
            f"{self} cannot be distinguished from 0 with {MAX_PRECISION} bits of precision"
        )

    def __abs__(self) -> Exponential:
        return -self if self.sign() < 0 else self

    def sign(self) -> int:
        """Return the sign of the number: -1, 0 or 1."""
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
        parts = [{i: str(p[i]) for i in _exponents(p)} for p in (self.numerator, self.denominator)]
        step = math.gcd(self.root, *parts[0], *parts[1])
        terms = [tuple((i // step, entry) for i, entry in part.items()) for part in parts]
        return hash((*terms, self.root // step, self.base))

    def __float__(self) -> float:
        interval = self.enclose()
        return float((interval.lower + interval.upper) / 2)

    def __str__(self) -> str:
        top, bottom = (_text(p, self.root, self.base) for p in (self.numerator, self.denominator))
        return top if self.denominator.degree() <= 0 else f"({top})/({bottom})"

    def __repr__(self) -> str:
        whole = f"({self})"
        return whole if len(whole) <= MOST_CHARACTERS else f"({len(whole) - 2} digits and signs)"


_ONE_OF_E = Exponential(ONE, ONE, 1)
Real: TypeAlias = Fraction | Exponential
"""An exact real number, such as a probability of a mechanism."""


def exponential(exponent: Fraction | int) -> Exponential:
    """Return ``e^exponent`` for a rational exponent."""
    exponent = Fraction(exponent)
    check_exponent(exponent)
    degree = abs(exponent.numerator)
    t = flint.fmpq_poly([0] * degree + [1])
    return Exponential(*((t, ONE) if exponent >= 0 else (ONE, t)), exponent.denominator)


def check_exponent(exponent: Fraction) -> None:
    """Raise an error if a power has too many digits for exact arithmetic."""
    if max(abs(exponent.numerator), exponent.denominator) > MAX_DEGREE:
        raise DifferentFieldsError(
            f"exponent must have numerator and denominator of at most {MAX_DEGREE}, not "
            f"{show_value(exponent)}"
        )


def power(base: Fraction, exponent: Fraction) -> Real:
    """Return ``base^exponent``, a fraction if it is rational."""
    if base <= 0:
        raise DomainError(f"the base of a rational power must be positive, not {base}")
    if base == 1:
        return base
    whole, times = base_of_power(base)  # powers of one base, and of its powers, are of one field
    exponent *= times
    degree = exponent.denominator
    check_exponent(exponent)
    if abs(exponent) * whole.numerator.bit_length() > _MAX_BITS:
        raise DomainError(
            f"a power must have at most {_MAX_BITS} bits; exponent {exponent} gives more"
        )
    if degree == 1:
        return whole**exponent.numerator
    units, rest = divmod(exponent.numerator, degree)
    t = flint.fmpq_poly([0] * rest + [1])
    return Exponential(t, ONE, degree, whole) * whole**units


@cache
def base_of_power(base: Fraction) -> tuple[Fraction, int]:
    """Return a number as a power of a base above 1 that is not itself a power."""
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


def rational(value: Real) -> Fraction:
    """Return a rational number as a fraction; return any other number unchanged."""
    return value.as_fraction() if isinstance(value, Exponential) else value


def enclose_log(value: Real, precision: int = 128) -> Interval:
    """Return an interval that contains the natural logarithm of a positive number."""
    if value <= 0:
        raise DomainError(f"the argument of a logarithm must be positive, not {value}")
    number = _ONE_OF_E * value
    for ball in number._balls(precision):
        with flint.ctx.workprec(precision):
            if (logarithm := ball.log()).is_finite():
                return interval_of(logarithm)
    raise NotDecidedError(f"the logarithm of {value} cannot be enclosed")


def _lift(value: object) -> Exponential | None:
    if isinstance(value, Exponential):
        return value
    if isinstance(value, int | Fraction):
        return Exponential(flint.fmpq_poly([_fmpq(Fraction(value))]), ONE, 1)
    return None


def _alike(left: Exponential, other: object) -> tuple[Exponential, Exponential] | None:
    """Write two numbers with the same root; return None if `other` is not a number."""
    right = _lift(other)
    if right is None:
        return None
    base = right.base if left.is_rational else left.base
    if not right.is_rational and right.base != base:
        named = " and ".join("e" if b is None else str(b) for b in (base, right.base))
        raise DifferentFieldsError(f"irrational powers of {named} cannot be combined exactly")
    root = math.lcm(left.root, right.root)
    return _widen(left, root, base), _widen(right, root, base)


def _widen(number: Exponential, root: int, base: Fraction | None) -> Exponential:
    """Rewrite a number with a multiple of its root; only a rational number may change its base."""
    if number.root == root:
        return number if number.base == base else replace(number, base=base)
    step = root // number.root
    top, bottom = (spread(p, step) for p in (number.numerator, number.denominator))
    return Exponential(top, bottom, root, base)


def _reduced(
    top: flint.fmpq_poly, bottom: flint.fmpq_poly, root: int, base: Fraction | None
) -> Exponential:
    """Return a quotient in lowest terms; the denominator must not be 0."""
    if base is not None:
        modulus = flint.fmpq_poly([-_fmpq(base), *[0] * (root - 1), 1])
        if bottom.degree() > 0:  # no multiple of the modulus, which is irreducible
            _, bottom, _ = (bottom % modulus).xgcd(modulus)
            top, bottom = top * bottom, ONE
        return Exponential(top % modulus / bottom[0], ONE, root, base)
    common = top.gcd(bottom)
    if common.degree() > 0:
        top, bottom = top // common, bottom // common
    lead = bottom[bottom.degree()]
    return Exponential(top / lead, bottom / lead, root, base)


def spread(polynomial: flint.fmpq_poly, step: int) -> flint.fmpq_poly:
    """Substitute ``t**step`` for ``t``."""
    if (polynomial.degree() + 1) * step > MAX_DEGREE * 16:
        raise DifferentFieldsError(
            f"the common denominator of exponents is {step}, too large for exact arithmetic"
        )
    coefficients = [flint.fmpq(0)] * (max(polynomial.degree(), 0) * step + 1)
    for i in range(polynomial.degree() + 1):
        coefficients[i * step] = polynomial[i]
    return flint.fmpq_poly(coefficients)


def _evaluate(polynomial: flint.fmpq_poly, t: flint.arb) -> flint.arb:
    total = flint.arb(0)
    for i in range(polynomial.degree(), -1, -1):
        total = total * t + flint.arb(polynomial[i])
    return total


def _exponents(polynomial: flint.fmpq_poly) -> list[int]:
    return [i for i in range(polynomial.degree() + 1) if polynomial[i] != 0]


def interval_of(ball: flint.arb) -> Interval:
    """Return a finite enclosure with rational ends."""
    pairs = [end.man_exp() for end in (ball.mid(), ball.rad())]  # both are exact
    middle, radius = (Fraction(int(m)) * Fraction(2) ** int(e) for m, e in pairs)
    return Interval(middle - radius, middle + radius)


def _fmpq(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)


def _text(polynomial: flint.fmpq_poly, root: int, base: Fraction | None) -> str:
    """Return the polynomial with powers of the base in place of ``t``."""
    letter = "e" if base is None else str(base) if base.denominator == 1 else f"({base})"
    terms = []
    for i in _exponents(polynomial):
        power = Fraction(i, root)
        raised = f"^{power}" if power.denominator == 1 else f"^({power})"
        name = letter if power == 1 else letter + raised
        if i == 0:
            terms.append(str(polynomial[i]))
        else:
            sign = {"1": "", "-1": "-"}.get(str(polynomial[i]), f"{polynomial[i]}*")
            terms.append(f"{sign}{name}")
    return " + ".join(terms).replace(" + -", " - ") or "0"
