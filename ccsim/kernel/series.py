"""Exact quotients of polynomials in u = 1/t, for a power t of e, by products of ``1 - u^k``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

from .reader import *
from .rules import *


class TooFewBits(Exception):  # noqa: N818
    """The value at X does not determine a polynomial."""


@dataclass(slots=True)
class Series:
    """The number ``u^shift top(u) / (unit prod (1 - u^k))``, for u = 1/t, with k in `poles`.

    The polynomial is stored as its value at ``X = 2^bits``, and a bound on its coefficients.
    """

    bits: int
    shift: int = 0
    top: int = 1
    norm: int = 1
    unit: int = 1
    poles: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The exponent of a power of u as text."""
        return f"{self.shift:x}"

    def over(self, s: Series) -> Series:
        """Return this number divided by ``1 - s``, for a power s of u."""
        k, shift = abs(s.shift), self.shift + max(0, -s.shift)
        top, poles = self.top if s.shift > 0 else -self.top, tuple(sorted((*self.poles, k)))
        return Series(self.bits, shift, top, self.norm, self.unit, poles)

    def with_poles(self, poles: tuple[int, ...], unit: int, shift: int) -> tuple[int, int]:
        """Return the polynomial and the bound for a common denominator and a smaller shift."""
        missing = list(poles)
        for k in self.poles:
            missing.remove(k)
        top, times = self.top * (unit // self.unit), unit // self.unit << len(missing)
        for k in missing:
            spend(20 + (top.bit_length() + self.bits * k >> 5))
            top -= top << self.bits * k
        spend(20 + (top.bit_length() + self.bits * (self.shift - shift) >> 5))
        return top << self.bits * (self.shift - shift), self.norm * times

    def __add__(self, other: Series) -> Series:
        common = joint([self, other])
        (p, m), (q, n) = (each_one.with_poles(*common) for each_one in (self, other))
        poles, unit, shift = common
        return Series(self.bits, shift, p + q, m + n, unit, poles)

    def __mul__(self, other: Series | int) -> Series:
        if isinstance(other, int):
            more = self.norm * abs(other)
            return Series(self.bits, self.shift, self.top * other, more, self.unit, self.poles)
        spend(20 + (self.top.bit_length() >> 8) * (other.top.bit_length() >> 8))
        shift, top = self.shift + other.shift, self.top * other.top
        norm, unit = self.norm * other.norm, self.unit * other.unit
        poles = tuple(sorted(self.poles + other.poles)) if other.poles else self.poles
        return Series(self.bits, shift, top, norm, unit, poles)

    def __truediv__(self, unit: int) -> Series:
        return Series(self.bits, self.shift, self.top, self.norm, self.unit * unit, self.poles)

    def __pow__(self, n: int) -> Series:
        return Series(self.bits, self.shift * n)  # of a power of u

    def __lt__(self, other: Series) -> bool:
        return self.shift > other.shift  # of powers of u

    def __bool__(self) -> bool:
        if self.top == 0 and 2 * self.norm >> self.bits:
            raise TooFewBits
        return self.top != 0


def joint(numbers: Sequence[Series]) -> tuple[tuple[int, ...], int, int]:
    """Return the least common denominator and the least shift of numbers."""
    poles: list[int] = []
    for each_one in numbers:
        spend(20 + len(poles) + len(each_one.poles) ** 2)
        rest = list(poles)
        for k in each_one.poles:
            if k in rest:
                rest.remove(k)
            else:
                poles.append(k)
    unit, shift = lcm(*(n.unit for n in numbers)), min(n.shift for n in numbers)
    return tuple(sorted(poles)), unit, shift


def coefficients(numbers: Sequence[Series]) -> list[list[int]]:
    """Return polynomials in t that are proportional to numbers; empty ones for 0."""
    common = joint(numbers)
    bits, tops = numbers[0].bits, [number.with_poles(*common) for number in numbers]
    if any(2 * norm >> bits for _, norm in tops):
        raise TooFewBits
    spend(sum((20 + (top.bit_length() >> 6)) * (1 + top.bit_length() // bits) for top, _ in tops))
    listed: list[list[int]] = []
    half = 1 << bits - 1
    for top, _ in tops:
        digits, left = list[int](), top
        while left:
            digits.append((left + half & 2 * half - 1) - half)
            left = left - digits[-1] >> bits
        listed.append(digits)
    degree = max(map(len, listed))
    return [[0] * (degree - len(digits)) + digits[::-1] for digits in listed]
