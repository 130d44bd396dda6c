"""The privacy parameter epsilon, exactly: a rational number plus the logarithm of another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from ccsim.appearance import one_line
from ccsim.border import checked_fields
from ccsim.errors import DomainError
from ccsim.exact.exponentials import Exponential, Real, enclose_log
from ccsim.exact.fractions import as_fraction
from ccsim.exact.intervals import Interval
from ccsim.exact.powers import exponential, power

__all__ = ["Epsilon"]

_FINE = 1 << 60
_LOGARITHM = re.compile(r"\s*ln\s*(?:\(\s*([^()]+?)\s*\)|([^()\s]+))\s*")


@checked_fields
@one_line
@dataclass(frozen=True, slots=True)
class Epsilon:
    """The number ``rational + ln(factor)``.

    Likelihoods are compared with ``e^epsilon``. It is rational for ``Epsilon.of("ln 3")``, and then
    the probabilities of the common mechanisms are fractions, or polynomials in a root of 3; for
    ``Epsilon.of(1)`` they are rational functions of ``e``. All of them are as exact
    (`ccsim.exact.exponentials`).

    Attributes
    ----------
    rational : Fraction
    factor : Fraction
        Positive.

    Examples
    --------
    >>> Epsilon.of("1/2").exp(), Epsilon.of("ln 9/4").exp(), Epsilon.of("ln 9/4").exp("-1/2")
    ((e^(1/2)), Fraction(9, 4), Fraction(2, 3))
    >>> Epsilon.of("ln 3").exp("1/2")
    (3^(1/2))
    >>> print(Epsilon.of("ln(3)") + Epsilon.of(1), Epsilon.of("ln 9") / 2)
    1 + ln 3 ln 3
    """

    rational: Fraction
    factor: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if self.factor <= 0:
            raise DomainError(
                f"epsilon must be the logarithm of a positive number, not of {self.factor}"
            )

    @classmethod
    def of(cls, value: object, name: str = "epsilon") -> Epsilon:
        """Read a non-negative privacy parameter.

        Parameters
        ----------
        value : Epsilon, int, Fraction or str
            Text is a number (``"1"``, ``"0.5"``, ``"1/2"``) or a logarithm (``"ln 3"``,
            ``"ln(9/4)"``).
        name : str
            What the number is, for the message.

        Raises
        ------
        DomainError
            If it is no such number, or negative.
        """
        if isinstance(value, Epsilon):
            if (value.rational < 0 or value.factor < 1) and value.exp() < 1:
                raise DomainError(f"{name} must be at least 0, not {value}")
            return value
        if isinstance(value, str) and (found := _LOGARITHM.fullmatch(value)):
            return cls(Fraction(0), as_fraction(found[1] or found[2], f"{name}: ln of", 1))
        return cls(as_fraction(value, name, 0))

    def exp(self, multiple: Fraction | int | str = 1) -> Real:
        """Return ``e^(multiple * epsilon)``, a fraction where it is rational.

        Raises
        ------
        DomainError
            If the power of the factor is irrational, and that of ``e`` as well.
        """
        times = as_fraction(multiple, "multiple")
        factor = power(self.factor, times)
        return factor if not self.rational else exponential(self.rational * times) * factor

    @property
    def is_positive(self) -> bool:
        """Whether the number is above 0."""
        if self.rational >= 0 and self.factor >= 1:
            return bool(self.rational) or self.factor > 1
        return self.exp() > 1

    def __add__(self, other: Epsilon) -> Epsilon:
        return Epsilon(self.rational + other.rational, self.factor * other.factor)

    def __mul__(self, multiple: Fraction | int) -> Epsilon:
        return Epsilon(self.rational * multiple, _power(self.factor, Fraction(multiple)))

    def __truediv__(self, divisor: Fraction | int) -> Epsilon:
        return self * (1 / Fraction(divisor))

    def enclose(self, precision: int = 128) -> Interval:
        """Return an interval that certainly contains the number."""
        ends = enclose_log(self.factor, precision)
        return Interval(self.rational + ends.lower, self.rational + ends.upper)

    def __float__(self) -> float:
        precision = 128
        while (ends := self.enclose(precision)).width * _FINE > abs(ends.lower):
            precision *= 2  # ends: e^epsilon is rational and not 1, or transcendental
        return float(ends.lower)

    def __str__(self) -> str:
        parts = [str(self.rational)] if self.rational or self.factor == 1 else []
        return " + ".join(parts + ([f"ln {self.factor}"] if self.factor != 1 else []))


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    """Return a rational power that is rational."""
    found = power(base, exponent)
    if isinstance(found, Exponential):
        raise DomainError(
            f"e^epsilon = {base} needs a rational power {exponent} here; give epsilon as the "
            f"logarithm of a {exponent.denominator}-th power, or as a number"
        )
    return found
