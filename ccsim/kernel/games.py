"""Matrix games and the mixtures that prove their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from operator import mul
from typing import Annotated, NamedTuple

from .reader import *
from .rules import *


class Payoff(NamedTuple):
    """What the column player pays, in integers over a unit."""

    title: str
    unit: int
    rows: list[list[int]]

    @classmethod
    def read(cls, value: object, _: object) -> Payoff:
        """Read a matrix of payoffs."""
        kind, unit, payoff = fields(value, "type", "unit", "payoff")
        inside("type", choice, kind, ["matrix game"])
        rows = inside("payoff", each, lambda row: each(integer, row, None), payoff)
        require(rows and rows[0] and len(set(map(len, rows))) == 1, "the payoff must be a matrix")
        title = f"a {len(rows)} x {len(rows[0])} matrix game, sha256 {digest(value)[:16]}"
        return cls(title, inside("unit", integer, unit, 1), rows)

    def against(
        self,
        mixed: object,
        lines: Sequence[Sequence[int]],
        worst: Callable[[Iterable[int]], int],
    ) -> Fraction:
        """Read a mixture and return what it pays against the worst line of the matrix."""
        p = inside("weights", law, mixed, len(lines[0]))
        bits = max(map(int.bit_length, p)) * max(a.bit_length() for line in lines for a in line)
        spend(len(lines) * len(p) * (3 + (bits >> 17)))
        return Fraction(worst(sum(map(mul, p, line)) for line in lines), sum(p) * self.unit)


class MatrixGame(Quantity, kind="matrix_game"):
    """The value of a game, in which the row player maximises."""

    instance: Annotated[Payoff, Payoff.read]

    @least
    def row_strategy(self, weights: Raw) -> Fraction:
        """Mix rows: the least that this gets against a column."""
        return self.instance.against(weights, [*zip(*self.instance.rows, strict=True)], min)

    @most
    def column_strategy(self, weights: Raw) -> Fraction:
        """Mix columns: the most that this pays against a row."""
        return self.instance.against(weights, self.instance.rows, max)
