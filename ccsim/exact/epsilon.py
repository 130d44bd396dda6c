"""The privacy parameter epsilon, exactly, and the arithmetic of powers of ``e^epsilon``.

An `Excess` is compared by rational bounds on ``e^epsilon`` if ``e^epsilon`` lies outside the field
of the probabilities.
"""

from __future__ import annotations

import numbers
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce, total_ordering
from math import lcm, prod
from typing import Any, TypeAlias

import flint

from ccsim.appearance import MOST_CHARACTERS
from ccsim.arguments.numbers import BLANKS, MAX_DIGITS, fraction_of
from ccsim.arguments.readers import read_as
from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.exponentials import (
    Exponential,
    Real,
    base_of_power,
    enclose_log,
    exponential,
    interval_of,
    power,
    rational,
)
from ccsim.exact.fractions import as_fraction
from ccsim.exact.intervals import Interval, ball_interval, ball_of

_FINE = 1 << 60
_SUM = re.compile(r"(?<=[0-9.)])\s*([+-])\s*")
"""A sign between two terms, as opposed to the sign of an exponent as in ``1e-3``."""
_LOGARITHM = re.compile(
    r"\s*(?P<sign>[+-]?)(?:(?P<times>[^\s()*+-]+)(?:\s*\*\s*|\s+))?"
    r"(?:ln\s*|log\s*(?=\()|log\s+)"
    r"(?:\((?P<inside>[^()]+)\)(?:\s*/\s*(?P<over>[^\s()*/]+))?|(?P<bare>[^()\s]+))\s*"
)
LARGEST_EPSILON = 1 << 21
"""Largest epsilon for which fractions near ``e^epsilon`` are computed."""
PRECISIONS = (64, 400)
"""Precisions in bits of the fractions near ``e^epsilon``, tried in order for comparisons."""
_SPARE = 32
"""Number of bits that may be lost by rounding the exponent, of at most 22 bits, and the power."""
Value: TypeAlias = Any  # a fraction, an `Exponential`, or a ball: what an arithmetic computes with
Probability: TypeAlias = Real | Interval  # an exact number, or an interval that contains it


@validated
class Epsilon:
    """The number ``rational + ln(factor) / root``.

    Likelihood ratios are compared with ``e^epsilon``, which is 3 for ``Epsilon.of("ln 3")``. With
    this epsilon, the probabilities of the common mechanisms are fractions or polynomials in a root
    of 3. With ``Epsilon.of(1)``, they are rational functions of ``e``. In both cases the
    probabilities are computed exactly (`ccsim.exact.exponentials`).

    Attributes
    ----------
    rational : Fraction
        The rational part.
    factor : Fraction
        Number whose logarithm is taken, positive.
    root : int
        Root of the factor, at least 1 and as small as possible: ``ln(9) / 2`` is stored as
        ``ln(3)``.

    Examples
    --------
    >>> Epsilon.of("1/2").exp(), Epsilon.of("ln 9/4").exp(), Epsilon.of("ln 9/4").exp("-1/2")
    ((e^(1/2)), Fraction(9, 4), Fraction(2, 3))
    >>> Epsilon.of("ln 3").exp("1/2")
    (3^(1/2))
    >>> print(Epsilon.of("ln(3)") + Epsilon.of(1), Epsilon.of("ln 9") / 2, Epsilon.of("ln(3)/2"))
    1 + ln 3 ln 3 ln(3)/2
    """

    rational: Fraction
    factor: Fraction = Fraction(1)
    root: int = 1

    def __post_init__(self) -> None:
        if self.factor <= 0:
            raise DomainError(
                f"epsilon must be the logarithm of a positive number, not of {self.factor}"
            )
        if self.root < 1:
            raise DomainError(f"root must be at least 1, not {self.root}")
        if self.factor == 1:
            object.__setattr__(self, "root", 1)
        if self.root > 1:
            base, times = base_of_power(self.factor)
            exponent = Fraction(times, self.root)
            object.__setattr__(self, "factor", _whole_power(base, exponent.numerator))
            object.__setattr__(self, "root", exponent.denominator)

    @classmethod
    def of(cls, value: object, name: str = "epsilon") -> Epsilon:
        """Return the nonnegative privacy parameter given as a number or a text.

        Parameters
        ----------
        value : Epsilon, int, Fraction, Decimal, SymPy expression or str
            A text is a number (``"1"``, ``"0.5"``, ``"1/2"``), a natural logarithm (``"ln 3"``,
            ``"ln(9/4)"``), a multiple or fraction of one (``"2 ln 3"``, ``"ln(3)/2"``), or a sum
            of these (``"1 + ln 3"``). ``"ln 9/4"`` is ``ln(9/4)``; commands refuse it.
        name : str
            Name of the number in messages.
        """
        number = cls.of_any_sign(value, name)
        if number._sign() < 0:
            raise DomainError(f"{name} must be at least 0, not {number}")
        return number

    @classmethod
    def of_any_sign(cls, value: object, name: str = "exponent") -> Epsilon:
        """Return the number given in a form accepted by `of`; it may be negative.

        Examples
        --------
        >>> print(Epsilon.of_any_sign("1/2 - ln(3)/2"))
        1/2 + ln(1/3)/2
        """
        if isinstance(value, Epsilon):
            return value
        if type(value).__module__.startswith("sympy.") and not isinstance(value, numbers.Number):
            value = str(value)
        if not isinstance(value, str) or len(value) > MAX_DIGITS:
            return cls(as_fraction(value, name))
        first, *others = _SUM.split(value.strip(BLANKS))
        number = cls._term(first, name, value)
        for sign, term in zip(others[::2], others[1::2], strict=True):
            number += cls._term(term, name, value) * (1 if sign == "+" else -1)
        return number

    @classmethod
    def _term(cls, text: str, name: str, whole: str) -> Epsilon:
        """Read one term of a text: a number or a multiple of a logarithm."""
        if not (found := _LOGARITHM.fullmatch(text)):
            if (number := fraction_of(text)) is None:
                raise DomainError(
                    f"{name} must be a number or a sum of logarithms, such as 1/2, 0.5, ln 3, "
                    f"ln(3)/2 or 1 + ln 3, not {show_value(whole)}"
                )
            return cls(number)
        factor = as_fraction(found["inside"] or found["bare"], f"{name}: the argument of ln")
        if factor <= 0:
            raise DomainError(f"{name}: the argument of ln must be positive, not {factor}")
        times = as_fraction(found["sign"] + (found["times"] or "1"), f"{name}: the factor of ln")
        divisor = as_fraction(found["over"] or "1", f"{name}: the divisor of ln")
        if not divisor:
            raise DomainError(f"{name}: the divisor of ln must not be 0")
        return cls(Fraction(0), factor) * (times / divisor)

    def exp(self, multiple: Fraction | int | str = 1) -> Real:
        """Return ``e^(multiple * epsilon)``, as a fraction if it is rational."""
        times = as_fraction(multiple, "multiple")
        factor = power(self.factor, times / self.root)
        return factor if not self.rational else exponential(self.rational * times) * factor

    @property
    def is_logarithm(self) -> bool:
        """Whether ``e^epsilon`` equals ``factor`` and is therefore rational."""
        return not self.rational and self.root == 1

    @property
    def is_positive(self) -> bool:
        """Whether the number is above 0."""
        return self._sign() > 0

    def _sign(self) -> int:
        """Return -1, 0 or 1; this terminates, as logarithms of rationals are 0 or irrational."""
        parts = {(self.rational > 0) - (self.rational < 0), (self.factor > 1) - (self.factor < 1)}
        if parts != {-1, 1}:
            return sum(parts)
        precision = 64
        while (ends := self.enclose(precision)).lower <= 0 <= ends.upper:
            precision *= 2
        return 1 if ends.lower > 0 else -1

    def __add__(self, other: Epsilon) -> Epsilon:
        root = lcm(self.root, other.root)
        powers = (_whole_power(each.factor, root // each.root) for each in (self, other))
        return Epsilon(self.rational + other.rational, prod(powers, start=Fraction(1)), root)

    def __mul__(self, multiple: Fraction | int) -> Epsilon:
        exponent = Fraction(multiple) / self.root
        factor = _whole_power(self.factor, exponent.numerator)
        return Epsilon(self.rational * multiple, factor, exponent.denominator)

    def __truediv__(self, divisor: Fraction | int) -> Epsilon:
        return self * (1 / Fraction(divisor))

    def enclose(self, precision: int = 128) -> Interval:
        """Return an interval that contains the number."""
        ends = enclose_log(self.factor, precision)
        lower, upper = ends.lower / self.root, ends.upper / self.root
        return Interval(self.rational + lower, self.rational + upper)

    def ball(self) -> flint.arb:
        """Return a ball around the number, at the precision of the context."""
        return ball_of(self.rational) + ball_of(self.factor).log() / self.root

    def __float__(self) -> float:
        precision = 128
        while (ends := self.enclose(precision)).width * _FINE > abs(ends.lower):
            precision *= 2  # ends: e^epsilon is rational and not 1, or transcendental
        return float(ends.lower)

    def __str__(self) -> str:
        parts = [str(self.rational)] if self.rational or self.factor == 1 else []
        is_short = self.root == 1 and self.factor.denominator == 1
        part = f"ln {self.factor}" if is_short else f"ln({self.factor})"
        part += f"/{self.root}" * (self.root > 1)
        return " + ".join(parts + ([part] if self.factor != 1 else []))


read_as(Epsilon, Epsilon.of_any_sign)


@total_ordering
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Excess:
    """The number ``probability - e^epsilon other``, with ``e^epsilon`` outside their field.

    An excess can be compared with numbers in this field and with other excesses.

    Attributes
    ----------
    probability : Real
        The first probability.
    epsilon : Epsilon
        Privacy parameter epsilon.
    other : Real
        The second probability, positive.
    """

    probability: Real
    epsilon: Epsilon
    other: Real

    def at(self, factor: Fraction) -> Real:
        """Return the number with ``e^epsilon`` replaced by another factor."""
        return self.probability - factor * self.other

    def enclose(self, precision: int = 128) -> Interval:
        """Return an interval that contains the number."""
        below, above = map(self.at, fractions_near(self.epsilon, precision))
        return Interval(_enclosed(above, precision).lower, _enclosed(below, precision).upper)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Excess) and self._text() == other._text()

    def __hash__(self) -> int:
        return hash(self._text())

    def __lt__(self, other: Real | int | Excess) -> bool:
        """Compare by enclosures of ``e^epsilon`` of increasing precision."""
        if self == other:
            return False
        for bits in PRECISIONS:
            if isinstance(other, Excess):
                mine, its = self.enclose(bits), other.enclose(bits)
                signs = {mine.upper < its.lower, not mine.lower > its.upper}
            else:
                signs = {self.at(end) < other for end in fractions_near(self.epsilon, bits)}
            if len(signs) == 1:
                return signs.pop()
        raise NotDecidedError(
            f"{self!r} and {other!r} cannot be compared with {PRECISIONS[-1]} bits of precision"
        )

    def __float__(self) -> float:
        ends = self.enclose()
        return float((ends.lower + ends.upper) / 2)

    def _text(self) -> tuple[str, Epsilon, str]:
        """Return the canonical texts of the terms."""
        return str(self.probability), self.epsilon, str(self.other)

    def __str__(self) -> str:
        exponent, times = self.epsilon.rational, str(self.epsilon.factor)
        if self.epsilon.root > 1:
            times = f"({times})^(1/{self.epsilon.root})"
        raised = "" if exponent == 1 else f"^{exponent}"
        raised = raised if exponent.denominator == 1 else f"^({exponent})"
        parts = ([times] if times != "1" else []) + ([f"e{raised}"] if exponent else [])
        power = " ".join(parts) or "1"
        return f"{self.probability} - {power} ({self.other})"

    def __repr__(self) -> str:
        whole = f"({self})"
        return whole if len(whole) <= MOST_CHARACTERS else f"({len(whole) - 2} digits and signs)"


def fractions_near(epsilon: Epsilon, bits: int = PRECISIONS[-1]) -> tuple[Fraction, Fraction]:
    """Return a fraction that is at most ``e^epsilon``, and one that is at least ``e^epsilon``."""
    exponent = epsilon.rational
    if exponent > LARGEST_EPSILON:
        raise DomainError(
            f"epsilon must be at most {LARGEST_EPSILON}, not {show_value(exponent)}, if "
            "probabilities are irrational"
        )
    with flint.ctx.workprec(bits + _SPARE):
        ball = epsilon.ball().exp()
    ends = interval_of(ball)
    return max(ends.lower, Fraction(1)), ends.upper


def _whole_power(base: Fraction, exponent: int) -> Fraction:
    """Return a power with an integer exponent, or None if it has too many digits."""
    return rational(power(base, Fraction(exponent)))


def _enclosed(value: Real, precision: int) -> Interval:
    return value.enclose(precision) if isinstance(value, Exponential) else Interval(value, value)


def arithmetic(epsilon: Epsilon, precision: int | None = None) -> Arithmetic:
    """Return exact arithmetic, or ball arithmetic with the given precision in bits."""
    return Arithmetic(epsilon) if precision is None else BallArithmetic(epsilon, precision)


@validated
class Arithmetic:
    """Exact arithmetic with powers of ``e^epsilon``; values support ``+ - * /`` and comparisons."""

    epsilon: Epsilon

    def exp(self, multiple: Fraction | int) -> Value:
        """Return ``e^(multiple * epsilon)``."""
        return self.epsilon.exp(Fraction(multiple))

    def number(self, value: Fraction | int) -> Value:
        """Return a rational number as a value."""
        return Fraction(value)

    def least(self, *values: Value) -> Value:
        """Return the smallest of some values."""
        return min(values)

    def result(self, value: Value) -> Probability:
        """Return a value as an exact number or an interval."""
        return value  # type: ignore[no-any-return]  # a Real, as everything here

    @contextmanager
    def working(self) -> Iterator[None]:
        """Return a context manager for computations with this arithmetic."""
        yield

    def largest(self, *values: Value) -> Value:
        """Return the largest of some values."""
        return -self.least(*(-value for value in values))

    def laplace_tail(self, ratio: Value) -> Value:
        """Return ``Pr[Z > t]`` for Laplace noise ``Z`` of scale ``b``, from ``e^(-t / b)``."""
        one = self.number(1)
        return (self.least(ratio, one) + 1 - 1 / self.largest(ratio, one)) / 2


@validated
class BallArithmetic(Arithmetic):
    """Ball arithmetic: enclosures whose centres have a given precision in bits."""

    epsilon: Epsilon
    precision: int = 128  # bits, at least 32; about so many digits of a result are right

    def __post_init__(self) -> None:
        if self.precision < 32:
            raise DomainError(f"precision must be at least 32 bits, not {self.precision}")

    def exp(self, multiple: Fraction | int) -> Value:
        """Return ``e^(multiple * epsilon)``."""
        times = Fraction(multiple)
        return (self.epsilon.ball() * ball_of(times)).exp()

    def number(self, value: Fraction | int) -> Value:
        """Return a ball around a rational number."""
        return ball_of(Fraction(value))

    def least(self, *values: Value) -> Value:
        """Return a ball around the smallest of some values."""
        return reduce(lambda one, other: one.min(other), values)

    def result(self, value: Value) -> Probability:
        """Return the ball as an interval."""
        return ball_interval(value)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Return a context manager for computations with this precision."""
        with flint.ctx.workprec(self.precision):
            yield
