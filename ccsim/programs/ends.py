"""The three ways in which a linear program in integers can end, each with its check.

Main statement (weak duality): for every vector ``y`` of row prices, ``c x`` is the sum of
``d_j x_j`` over all ``n + m`` variables, where ``d = (c - y A, y)`` are the reduced costs. So it is
at least the sum of ``d_j l_j`` over ``d_j > 0`` and of ``d_j u_j`` over ``d_j < 0``.

The checks decide in integers and know nothing of bases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ccsim.programs.integer_program import IntegerProgram, Integers

__all__ = ["Contradiction", "Descent", "Optimum", "ProgramEnd", "dual_bound", "is_feasible"]


@dataclass(frozen=True, slots=True)
class Optimum:
    """An optimal point and optimal prices of the rows, numerators over denominators."""

    x: Sequence[int]
    x_scale: int
    y: Integers
    y_scale: int
    pivots: int = 0

    def is_proved(self, program: IntegerProgram) -> bool:
        """Whether the point is feasible and costs as much as the prices demand."""
        if not is_feasible(program, self.x, self.x_scale):
            return False
        value = sum(c * number for c, number in zip(program.cost, self.x, strict=True) if number)
        bound = dual_bound(program, self.y, self.y_scale)
        return bound is not None and value * self.y_scale == bound * self.x_scale


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Weights of the rows that prove by Farkas' lemma that no point is feasible."""

    weights: Integers
    pivots: int = 0

    def is_proved(self, program: IntegerProgram) -> bool:
        """Whether the weights bound 0 from below by a positive number."""
        bound = dual_bound(program, self.weights, 0)
        return bound is not None and bound > 0


@dataclass(frozen=True, slots=True)
class Descent:
    """A feasible point and a direction in which the costs fall for ever."""

    x: Sequence[int]
    x_scale: int
    ray: Sequence[int]
    pivots: int = 0

    def is_proved(self, program: IntegerProgram) -> bool:
        """Whether the point is feasible, and the direction never leaves the bounds and descends."""
        rates = [*self.ray, *program.activity(self.ray)]
        bounds = zip(rates, program.lower, program.upper, strict=True)
        return (
            is_feasible(program, self.x, self.x_scale)
            and all((l is None or r >= 0) and (u is None or r <= 0) for r, l, u in bounds)
            and sum(c * rate for c, rate in zip(program.cost, self.ray, strict=True)) < 0
        )


ProgramEnd = Optimum | Contradiction | Descent


def is_feasible(program: IntegerProgram, x: Sequence[int], scale: int) -> bool:
    """Decide in integers whether ``x / scale`` obeys all bounds, those of the rows included."""
    everything = [*x, *program.activity(x)]
    return scale > 0 and all(
        (low is None or low * scale <= number) and (high is None or number <= high * scale)
        for number, low, high in zip(everything, program.lower, program.upper, strict=True)
    )


def dual_bound(program: IntegerProgram, y: Integers, scale: int) -> int | None:
    """Return ``scale`` times the bound that the prices ``y / scale`` give; None if it is none.

    With ``scale = 0`` the costs are left out: a positive bound then is Farkas' proof that the
    program has no feasible point.
    """
    total = 0
    bounds = zip(program.reduced_costs(y, scale), program.lower, program.upper, strict=True)
    for d, low, high in bounds:
        if d:
            end = low if d > 0 else high
            if end is None:
                return None
            total += d * end
    return total
