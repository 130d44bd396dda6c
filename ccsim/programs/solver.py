"""Solving linear programs: to integers, to an end that the check accepts, and back.

The bases at which a float solver ends come first, and then exact pivots from the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from operator import itemgetter

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.errors import CertificateError, NotDecidedError
from ccsim.exact.fractions import common_denominator
from ccsim.programs.highs import Suggestion, suggest
from ccsim.programs.integer_program import (
    Basis,
    Contradiction,
    Descent,
    IntegerProgram,
    Optimum,
    ProgramEnd,
    dual_bound,
    is_feasible,
    prices,
    primal_solution,
    run_simplex,
)
from ccsim.programs.program import (
    InfeasibilityProof,
    LinearOutcome,
    LinearProgram,
    OptimalSolution,
    ProgramBounds,
    UnboundednessProof,
)


@checked_types
def solve_linear_program(program: LinearProgram, *, time_limit: TimeLimit = None) -> LinearOutcome:
    """Solve a linear program exactly.

    Parameters
    ----------
    time_limit : float or Budget, optional
        Seconds after which bounds are returned instead; without it the answer is final. With a
        limit, however large, an interrupt (Ctrl-C) has the same effect.

    Returns
    -------
    OptimalSolution, InfeasibilityProof, UnboundednessProof or ProgramBounds
        Each has a ``status`` and proves it by ``check()``; the last one only at the time limit.

    Notes
    -----
    Complexity: usually one float linear program and two exact solutions of a square system as large
    as the basis without its slacks (hundreds: seconds); otherwise exact pivots.

    Examples
    --------
    >>> program = LinearProgram.minimise([2, 3], [([1, 1], ">=", "1/2"), ([3, 1], ">=", 1)])
    >>> outcome = solve_linear_program(program)
    >>> outcome.status, outcome.value, outcome.primal
    ('optimal', Fraction(1, 1), (Fraction(1, 2), Fraction(0, 1)))
    >>> outcome.check()
    >>> solve_linear_program(LinearProgram.minimise([1], [([1], "<=", -1)])).status
    'infeasible'
    >>> solve_linear_program(LinearProgram.minimise([-1], [])).status
    'unbounded'
    """
    budget = Budget.of(time_limit)
    units = _Units(program)
    seen: list[Suggestion] = []
    end = None
    with budget:
        suggestions = _remembered(suggest(units.integers, budget), seen)
        end = solve_integer_program(units.integers, suggestions, budget)
    if end is None:
        return _bounds(program, units, seen)
    method = "pivoting" if end.pivots else "basis"
    if isinstance(end, Contradiction):
        return InfeasibilityProof(program, units.row_weights(end.weights, 1), method)
    x = units.point(end.x, end.x_scale)
    if isinstance(end, Descent):
        return UnboundednessProof(program, x, tuple(Fraction(r) for r in end.ray), method)
    prices = units.prices(end.y, end.y_scale)
    return OptimalSolution(program, _value(program, x), x, prices, method)


def _value(program: LinearProgram, x: Iterable[Fraction]) -> Fraction:
    return sum((c * v for c, v in zip(program.objective, x, strict=True) if v), Fraction(0))


class _Units:
    """A program in integers: ``A' = S A``, ``c' = s c``, ``x' = D x``, and ``y = S y' / s``."""

    def __init__(self, program: LinearProgram) -> None:
        rows = program.constraints
        self.row = [common_denominator(a for _, a in row.terms) for row in rows]
        self.cost = common_denominator(program.objective)
        numbers = [row.bound * s for row, s in zip(rows, self.row, strict=True)]
        self.variable = common_denominator(
            [*numbers, *(b for b in (*program.lower, *program.upper) if b is not None)]
        )
        ends = [int(number * self.variable) for number in numbers]
        senses = [row.sense for row in rows]
        self.integers = IntegerProgram.from_rows(
            [{j: int(a * s) for j, a in row.terms} for row, s in zip(rows, self.row, strict=True)],
            [int(c * self.cost) for c in program.objective],
            [
                *(None if b is None else int(b * self.variable) for b in program.lower),
                *(None if t == "<=" else b for t, b in zip(senses, ends, strict=True)),
            ],
            [
                *(None if b is None else int(b * self.variable) for b in program.upper),
                *(None if t == ">=" else b for t, b in zip(senses, ends, strict=True)),
            ],
        )

    def point(self, x: Iterable[int], scale: int) -> tuple[Fraction, ...]:
        """Return a point in the units of the program."""
        return tuple(Fraction(number, scale * self.variable) for number in x)

    def row_weights(self, y: Iterable[int], scale: int) -> tuple[Fraction, ...]:
        """Return weights of the rows in the units of the program, up to a common factor."""
        return tuple(Fraction(w * s, scale) for w, s in zip(y, self.row, strict=True))

    def prices(self, y: Iterable[int], scale: int) -> tuple[Fraction, ...]:
        """Return prices in the units of the program."""
        return self.row_weights(y, scale * self.cost)


def _remembered(suggestions: Iterable[Suggestion], seen: list[Suggestion]) -> Iterator[Suggestion]:
    for suggestion in suggestions:
        seen.append(suggestion)
        yield suggestion


def _bounds(program: LinearProgram, units: _Units, seen: Iterable[Suggestion]) -> ProgramBounds:
    """Return the best bounds that rounded float solutions prove."""
    integers = units.integers
    lowers: list[tuple[Fraction, tuple[Fraction, ...]]] = []
    uppers: list[tuple[Fraction, tuple[Fraction, ...]]] = []
    for suggestion in seen:
        x, x_scale = suggestion.rounded_point(integers)
        if is_feasible(integers, x, x_scale):
            point = units.point(x, x_scale)
            uppers.append((_value(program, point), point))
        y, y_scale = suggestion.rounded_prices(integers)
        if (bound := dual_bound(integers, y, y_scale)) is not None:
            value = Fraction(bound, y_scale * units.cost * units.variable)
            lowers.append((value, units.prices(y, y_scale)))
    lower, dual = max(lowers, default=(None, None), key=itemgetter(0))
    upper, primal = min(uppers, default=(None, None), key=itemgetter(0))
    return ProgramBounds(program, lower, upper, primal, dual)


def solve_integer_program(
    program: IntegerProgram, suggestions: Iterable[Suggestion], budget: Budget | None = None
) -> ProgramEnd:
    """Return the end of a program, trying the suggestions in turn and then pivoting."""
    first: Basis | None = None
    for suggestion in suggestions:
        first = first or suggestion.basis
        if (end := end_of_basis(program, suggestion.basis)) is not None:
            return end
        if budget is not None:
            budget.spend()
    end = run_simplex(program, first, budget)
    if not end.is_proved(program):
        raise CertificateError("exact pivoting ended in a solution that the check refuses")
    return end


def end_of_basis(program: IntegerProgram, basis: Basis) -> ProgramEnd | None:
    """Return the end that a basis proves without a pivot, None if it proves none."""
    if len(basis.columns) != len(basis.tight):
        return None
    try:
        optimum = Optimum(*primal_solution(program, basis), *prices(program, basis))
        if optimum.is_proved(program):
            return optimum
        end = run_simplex(program, basis, most_pivots=0)
    except (ZeroDivisionError, NotDecidedError):
        return None
    return end if end.is_proved(program) else None
