"""Rectangles of a value, and fractional covers and partitions of its inputs by rectangles.

A set of inputs is an integer with bit ``x * width + y`` for input (x, y). Linear programs have a
variable for each rectangle. Their dual solutions, rounded to integers, are weights of the inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.programs.highs import suggest
from ccsim.programs.integer_program import IntegerProgram, Optimum
from ccsim.programs.program import solve_integer_program

MOST_RECTANGLES = 1 << 16  # of which a linear program has a column
Rectangle = tuple[int, int]  # masks of rows and of columns


@frozen
class Side:
    """The inputs with a value, and those with the other value, as sets of columns by row."""

    value: int
    held: tuple[int, ...]
    barred: tuple[int, ...]
    width: int

    @classmethod
    def of(cls, problem: CommunicationProblem, value: int) -> Side:
        """Return the inputs of a problem with the given value."""
        zeros = tuple(i & ~row for row, i in zip(problem.ones, problem.promise, strict=True))
        both = (problem.ones, zeros) if value else (zeros, problem.ones)
        return cls(value, *both, len(problem.bob))

    @property
    def inputs(self) -> int:
        """The inputs with the value, as a set."""
        return self.cells((1 << len(self.held)) - 1, (1 << self.width) - 1)

    def has(self, x: int, y: int) -> bool:
        """Return whether an input has the value."""
        return bool(self.held[x] >> y & 1)

    def cells(self, rows: int, columns: int) -> int:
        """Return the inputs with the value in a rectangle."""
        return sum((self.held[x] & columns) << x * self.width for x in members(rows))

    def spread(self, rectangle: Rectangle) -> list[list[int]]:
        """Return a rectangle in the format of certificates."""
        return [[*members(lines)] for lines in rectangle]

    def maximal(self, budget: Budget) -> dict[int, Rectangle] | None:
        """Return the maximal rectangles by their inputs; None for more than `MOST_RECTANGLES`."""
        closed = {(1 << self.width) - 1}
        for bars in self.barred:
            budget.spend()
            closed |= {S & ~bars for S in closed}
            if len(closed) > MOST_RECTANGLES:
                return None
        found: dict[int, Rectangle] = {}
        for S in sorted(closed):
            rows = sum(1 << x for x, bars in enumerate(self.barred) if not bars & S)
            if cells := self.cells(rows, S):
                found[cells] = rows, S
        return found

    def every(self, budget: Budget) -> dict[int, Rectangle] | None:
        """Return all rectangles by their inputs; None if there are more than `MOST_RECTANGLES`."""
        found: dict[int, Rectangle] = {}
        maximal = self.maximal(budget)
        if maximal is None:
            return None
        free = {columns for _, columns in maximal.values()}
        for S in _subsets(free, budget):
            fit = [
                1 << x for x, bars in enumerate(self.barred) if not bars & S and self.held[x] & S
            ]
            if len(found) + (1 << len(fit)) > MOST_RECTANGLES << 2:
                return None
            for rows in _sums(fit):
                if cells := self.cells(rows, S):
                    found.setdefault(cells, (rows, S))
            if len(found) > MOST_RECTANGLES:
                return None
        return found


def _subsets(sets: Iterable[int], budget: Budget) -> Iterator[int]:
    """Yield the nonempty subsets of the given sets, each once."""
    seen = set[int]()
    for S in sets:
        part = S
        while part:
            budget.spend()
            if part not in seen:
                seen.add(part)
                yield part
            part = part - 1 & S


def _sums(bits: Sequence[int]) -> list[int]:
    found = [0]
    for bit in bits:
        found += [each | bit for each in found]
    return found


class Fractional(NamedTuple):
    """The minimum weight of a fractional cover, an optimal cover, and optimal weights of inputs."""

    value: Fraction
    unit: int
    rectangles: tuple[tuple[Rectangle, int], ...]
    weights: tuple[tuple[int, int], ...]  # inputs with theirs


def fractional_cover(
    side: Side, known: dict[int, Rectangle], budget: Budget, *, disjoint: bool
) -> Fractional:
    """Return an exact fractional cover or, if `disjoint`, fractional partition of least weight."""
    inputs, masks = [*members(side.inputs)], [*known]
    if not inputs:
        return Fractional(Fraction(0), 1, (), ())
    rows = [{j: 1 for j, m in enumerate(masks) if m >> i & 1} for i in inputs]
    program = IntegerProgram.from_rows(
        rows,
        [1] * len(masks),
        [0] * len(masks) + [1] * len(inputs),
        [None] * len(masks) + [1 if disjoint else None] * len(inputs),
    )
    end = solve_integer_program(program, suggest(program, budget), budget)
    if not isinstance(end, Optimum):
        msg = "a program of covers ended without an optimum"
        raise CertificateError(msg)
    total = Fraction(sum(end.x), end.x_scale)
    used = tuple((known[m], int(w)) for m, w in zip(masks, end.x, strict=True) if w)
    weights = tuple((i, int(w)) for i, w in zip(inputs, end.y, strict=True) if w)
    return Fractional(total, end.x_scale, used, weights)
