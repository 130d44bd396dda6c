"""Products of privacy losses, with both directions of rounding.

A pair of distributions is given by edges: masses ``p`` and ``q``, those of large ratio first. A
product has one mass under P for each ratio. Ratios are exact, or powers of ``g = (n + 1) / n``.
`ccsim.kernel.losses` computes the same bounds again, with code of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from typing import Any, TypeAlias

import flint

from ccsim.budget import check_time, in_time
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError
from ccsim.privacy.dominating import Edge

Part: TypeAlias = tuple[list[Edge], int]
"""The edges of a pair, and its number of copies."""
_MOST_WORK = 1 << 26
"""Maximum number of steps of a product with exact ratios, as the kernel counts them."""
_LONG = 2048
"""Number of bits from which exact masses are rounded."""
_LENGTH, _SPREAD = 1 << 14, 13
"""Number of powers of a grid, and the number of standard deviations that they span."""


@frozen
class Rounding:
    """The number of bits of masses (None: exact), and the number of the grid (None: exact)."""

    bits: int | None = None
    grid: int | None = None


class TooManyLossesError(InstanceTooLargeError):
    """The exact ratios of a product are too many."""


@frozen
class _Losses:
    masses: dict[Any, int]
    infinite: int
    unit: int


class Product:
    """The product of pairs in one direction of rounding, as two factors that are never joined."""

    def __init__(self, parts: Sequence[Part], rounding: Rounding, *, up: bool) -> None:
        self._up, self._bits, self._grid = up, rounding.bits, rounding.grid
        self._unit, self._work = 1 << (rounding.bits or 0), 0
        self._halves = [_Losses({self._one: self._unit}, 0, self._unit)] * 2
        odd = 0
        for edges, times in parts:
            losses = self._of(edges)
            first = (times + odd) // 2
            odd ^= times % 2
            for half, copies in enumerate((first, times - first)):
                if copies:
                    power = self._power(losses, copies)
                    self._halves[half] = self._joined(self._halves[half], power)
        self._listed = [self._ordered(half) for half in self._halves]

    @property
    def _one(self) -> Any:  # noqa: ANN401 - a ratio or an exponent
        return flint.fmpq(1) if self._grid is None else 0

    def _divide(self, over: int, under: int, *, back: bool = False) -> int:
        return over // under if self._up == back else -(-over // under)

    def _of(self, edges: list[Edge]) -> _Losses:
        """Return the losses of a pair."""
        if self._bits is None:
            unit = _unit_of(edges)
            rounded = [(int(p * unit), q) for p, q in edges]
        else:
            unit, ends = self._unit, (ceil, floor) if self._up else (floor, ceil)
            rounded = [(ends[0](p * unit), Fraction(ends[1](q * unit))) for p, q in edges]
        infinite = sum(p for p, q in rounded if not q)
        if self._grid is not None:
            finite = [(p, int(q)) for p, q in rounded if p and q]
            placed = self._above(finite) if self._up else self._below(finite)
            return _Losses(_collected(placed), infinite, unit)
        ratios = ((p / q, m) for (p, q), (m, y) in zip(edges, rounded, strict=True) if y)
        exact = _collected((flint.fmpq(r.numerator, r.denominator), m) for r, m in ratios)
        return _Losses(exact, infinite, unit)

    def _power(self, losses: _Losses, times: int) -> _Losses:
        found = _Losses({self._one: self._unit}, 0, self._unit)
        for digit in bin(times)[2:]:
            found = self._joined(found, found)
            found = self._joined(found, losses) if digit == "1" else found
        return found

    def _joined(self, one: _Losses, other: _Losses) -> _Losses:
        """Return the losses of the product of two pairs."""
        check_time()
        finite, whole = sum(one.masses.values()), other.infinite + sum(other.masses.values())
        infinite = one.infinite * whole + finite * other.infinite
        if self._grid is None:
            masses = self._with_exact_ratios(one, other)
        else:
            masses = _convolution(one.masses, other.masses)
        unit = one.unit * other.unit
        if self._bits is not None:
            masses = {at: self._divide(m, self._unit) for at, m in masses.items()}
            infinite, unit = self._divide(infinite, self._unit), self._unit
        if self._grid is not None:
            masses, more = self._trimmed(masses)
            infinite += more
        return _Losses(masses, infinite, unit)

    def _with_exact_ratios(self, one: _Losses, other: _Losses) -> dict[Any, int]:
        bits = [max(r.p.bit_length() for r in each.masses) for each in (one, other) if each.masses]
        size = ((one.unit * other.unit).bit_length() + sum(bits)) >> 6
        self._work += len(one.masses) * len(other.masses) * (150 + 2 * size + (size**2 >> 4))
        if self._work > _MOST_WORK:
            raise TooManyLossesError("the product has too many different losses")
        return _collected(
            (r * s, m * n) for r, m in in_time(one.masses.items()) for s, n in other.masses.items()
        )

    def _trimmed(self, masses: dict[int, int]) -> tuple[dict[int, int], int]:
        """Return masses without small ends, and what is added to an infinite ratio."""
        most, infinite = 1 << (self._bits or 0) // 2, 0
        for top in (True, False):
            order, cut, ends = sorted(masses, reverse=top), 0, list[int]()
            for at in order[:-1]:
                if cut + masses[at] > most:
                    break
                cut += masses[at]
                ends.append(at)
            if len(ends) == len(order) - 1:
                continue
            for at in ends:
                del masses[at]
            if top and self._up:
                infinite += cut
            elif top or self._up:
                masses[order[len(ends)]] += cut
        return masses, infinite

    def _power_bounds(self, j: int) -> tuple[int, int]:
        """Return bounds on ``2^bits / g^j``."""
        n, side = self._grid or 1, j >= 0
        a, b = (n, n + 1) if side else (n + 1, n)
        if not hasattr(self, "_known"):
            self._known = [[(self._unit, self._unit)], [(self._unit, self._unit)]]
        known = self._known[side]
        while len(known) <= abs(j):
            low, high = known[-1]
            known.append((low * a // b, -(-high * a // b)))
        return known[abs(j)]

    def _around(self, over: int, under: int) -> tuple[int, int]:
        """Return exponents of powers at most and at least a ratio."""
        aim, n = under * self._unit, self._grid or 1
        logarithm = math.log(over) - math.log(under)
        j = math.floor(logarithm / math.log1p(1 / n))
        while over * self._power_bounds(j)[0] < aim:
            j -= 1
        while over * self._power_bounds(j + 1)[0] >= aim:
            j += 1
        k = j
        while over * self._power_bounds(k)[1] > aim:
            k += 1
        return j, k

    def _above(self, edges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Divide each mass between two powers, so that P and Q keep their masses."""
        found = []
        for p, q in edges:
            j, k = self._around(p, q)
            (low, high), (_, high_k) = self._power_bounds(j), self._power_bounds(k)
            more = 0
            if k > j:
                more = min(p, -(-(p * high - q * self._unit) // (low - high_k)))
            found += [(j, p - more), (k, more)]
        return found

    def _below(self, edges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Join masses between two powers, and follow the curve from below."""
        cells: dict[int, list[int]] = {}
        for p, q in edges:
            cell = cells.setdefault(self._around(p, q)[0], [0, 0])
            cell[0], cell[1] = cell[0] + p, cell[1] + q
        found, gap = list[tuple[int, int]](), 0
        for j, (p, q) in sorted(cells.items(), reverse=True):
            (low, high), (low_k, high_k) = self._power_bounds(j), self._power_bounds(j + 1)
            width = q * self._unit
            more = min(gap * width // (width - p * low_k), width // high_k)
            found += [(j, (width - more * high_k) // high), (j + 1, more)]
            gap = max(0, gap + p - more - -(-(width - more * low_k) // low))
        return found

    def _ordered(self, losses: _Losses) -> list[tuple[Any, int, int]]:
        """Return the ratios or exponents, the largest first, with masses under P and Q."""
        found = []
        for at in sorted(losses.masses, reverse=True):
            mass = losses.masses[at]
            if self._grid is None:
                over, under = int(at.q), int(at.p)
            else:
                over, under = self._power_bounds(at)[not self._up], self._unit
            found.append((at, mass, self._divide(mass * over, under, back=True)))
        return found

    def event(self, factor: Fraction | None) -> tuple[Fraction, Fraction]:
        """Return bounds on the probabilities of the likelier event at a factor (None: infinity)."""
        one, other = self._halves
        finite, rest = sum(one.masses.values()), sum(other.masses.values())
        unit = one.unit * other.unit
        over = one.infinite * (rest + other.infinite) + finite * other.infinite
        if factor is None:
            return Fraction(over, unit), Fraction(0)
        first, second = self._listed
        masses = [0, *accumulate(p for _, p, _ in second)]
        others = [0, *accumulate(q for *_, q in second)]
        under, left = 0, len(second)
        if self._grid is None:
            at: Any = flint.fmpq(factor.numerator, factor.denominator)
        else:
            at = self._around(*factor.as_integer_ratio())[1]
        for place, p, q in in_time(first):
            while left and (
                place * second[left - 1][0] < at
                if self._grid is None
                else place + second[left - 1][0] < at
            ):
                left -= 1
            over, under = over + p * masses[left], under + q * others[left]
        return Fraction(over, unit), Fraction(under, unit)

    def excess(self, factor: Fraction | None) -> Fraction:
        """Return the bound on the delta at a factor."""
        p, q = self.event(factor)
        return max(p - (factor or 0) * q, Fraction(0))


def _collected(pairs: Any) -> dict[Any, int]:  # noqa: ANN401 - an iterable of pairs
    found: dict[Any, int] = {}
    for at, mass in pairs:
        found[at] = found.get(at, 0) + mass
    return found


def _convolution(one: dict[int, int], other: dict[int, int]) -> dict[int, int]:
    """Return the masses of sums of exponents."""
    if not one or not other:
        return {}
    low, polynomials = min(one) + min(other), []
    for masses in (one, other):
        start = min(masses)
        listed = [0] * (max(masses) - start + 1)
        for at, mass in masses.items():
            listed[at - start] = mass
        polynomials.append(flint.fmpz_poly(listed))
    found = (polynomials[0] * polynomials[1]).coeffs()
    return {low + i: int(mass) for i, mass in enumerate(found) if mass != 0}


def suggested(parts: Sequence[Part], rounding: Rounding) -> Rounding:
    """Return a grid for a product whose exact ratios are too many; floats only suggest it."""
    variance, largest = 0.0, 0.0
    for edges, times in parts:
        losses = [(float(p), math.log(p / q)) for p, q in edges if p and q]
        mean = sum(p * loss for p, loss in losses)
        variance += times * sum(p * (loss - mean) ** 2 for p, loss in losses)
        largest += times * max((abs(loss) for _, loss in losses), default=0.0)
    span = max(min(2 * largest, _SPREAD * math.sqrt(variance)), 1e-9)
    return Rounding(max(rounding.bits or 0, 128), max(1, min(1 << 40, int(_LENGTH / span))))


def exact_rounding(parts: Sequence[Part]) -> Rounding:
    """Return the rounding of a product with exact ratios: none, if its masses are short."""
    size = 0
    for edges, times in parts:
        size += times * _unit_of(edges).bit_length()
    return Rounding(None if size <= _LONG else 256)


def _unit_of(edges: list[Edge]) -> int:
    return math.lcm(*(number.denominator for edge in edges for number in edge))
