"""Sums of quantities with rational coefficients, and of logarithms of sizes, compared exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from math import lcm

from ccsim.data import frozen
from ccsim.errors import DomainError

_MOST_BITS = 1 << 20
Bounds = tuple[Fraction, Fraction | None]


@frozen
class Sum:
    """A constant, quantities, and logarithms to base 2 of quantities."""

    constant: Fraction
    quantities: Mapping[str, Fraction] = field(default_factory=dict)
    logarithms: Mapping[str, Fraction] = field(default_factory=dict)

    @classmethod
    def number(cls, value: Fraction) -> Sum:
        """Return a number alone."""
        return cls(value)

    @classmethod
    def quantity(cls, name: str) -> Sum:
        """Return one quantity."""
        return cls(Fraction(0), {name: Fraction(1)})

    @classmethod
    def logarithm(cls, name: str) -> Sum:
        """Return the logarithm of one quantity."""
        return cls(Fraction(0), {}, {name: Fraction(1)})

    @property
    def is_number(self) -> bool:
        """Whether no quantity is left."""
        return not self.quantities and not self.logarithms

    def plus(self, other: Sum) -> Sum:
        """Return the sum of both, in which equal quantities cancel."""
        return Sum(
            self.constant + other.constant,
            _added(self.quantities, other.quantities),
            _added(self.logarithms, other.logarithms),
        )

    def times(self, factor: Fraction) -> Sum:
        """Return a multiple."""
        return Sum(
            self.constant * factor,
            {name: c * factor for name, c in self.quantities.items() if factor},
            {name: c * factor for name, c in self.logarithms.items() if factor},
        )


def _added(left: Mapping[str, Fraction], right: Mapping[str, Fraction]) -> dict[str, Fraction]:
    names = dict.fromkeys((*left, *right))
    total = {name: left.get(name, Fraction(0)) + right.get(name, Fraction(0)) for name in names}
    return {name: c for name, c in total.items() if c}


def value_of(name: str, known: Mapping[str, Bounds]) -> Bounds:
    """Return bounds on a quantity of a class."""
    head, _, rest = name.partition("(")
    if head == "error":
        return known.get(name, (Fraction(0), Fraction(0)))  # one message for each concept
    if head != "messages":
        return known[name]
    error, k = Fraction(rest[:-1]), 1
    while value_of(f"error({k})", known)[0] > error:
        k += 1
    lower = k
    while (value_of(f"error({k})", known)[1] or 0) > error:
        k += 1
    return Fraction(lower), Fraction(k)


def compare(difference: Sum, operator: str, known: Mapping[str, Bounds]) -> bool | None:
    """Compare a sum with 0; None where the bounds do not decide."""
    low, high = _sign(difference, known, lower=True), _sign(difference, known, lower=False)
    if operator in {">", ">="}:
        low, high = -high, -low
    if operator in {"<", ">"}:
        return True if high < 0 else False if low >= 0 else None
    if operator in {"<=", ">="}:
        return True if high <= 0 else False if low > 0 else None
    equal = True if low == high == 0 else False if low > 0 or high < 0 else None
    if operator == "!=":
        return None if equal is None else not equal
    return equal


def _sign(total: Sum, known: Mapping[str, Bounds], *, lower: bool) -> int:
    """Return the sign of the least or the largest value that the bounds allow."""
    worst, logs = total.constant, list[tuple[Fraction, Fraction]]()
    unbounded = 1 if not lower else -1
    for name, factor in total.quantities.items():
        bound = value_of(name, known)[0 if (factor > 0) == lower else 1]
        if bound is None:
            return unbounded
        worst += factor * bound
    for name, factor in total.logarithms.items():
        bound = value_of(name, known)[0 if (factor > 0) == lower else 1]
        if bound is None:
            return unbounded
        logs.append((factor, bound))
    if not logs:
        return (worst > 0) - (worst < 0)
    return _sign_of_logarithms(worst, logs)


def _sign_of_logarithms(constant: Fraction, logs: list[tuple[Fraction, Fraction]]) -> int:
    """Return the sign of a number plus multiples of logarithms to base 2, by powers of integers."""
    unit = lcm(constant.denominator, *(factor.denominator for factor, _ in logs))
    powers = [
        (int(constant * unit), 2),
        *((int(factor * unit), int(size)) for factor, size in logs),
    ]
    if sum(abs(exponent) * size.bit_length() for exponent, size in powers) > _MOST_BITS:
        raise DomainError("question: its numbers are too long beside logarithms")
    above = below = 1
    for exponent, size in powers:
        if exponent > 0:
            above *= size**exponent
        else:
            below *= size**-exponent
    return (above > below) - (above < below)
