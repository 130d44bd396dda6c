"""The end of a linear program in integers: an optimal pair, Farkas' proof, or a ray; checked.

The ladder, cheapest rung first:

1. the basis at which a float solver ended, several settings in turn: both basic solutions come from
   its kernel in exact arithmetic and count if the check in integers accepts them;
2. the exact simplex method from the first of these bases.

What is returned has passed the check on every rung; the check knows nothing of bases.
"""

from __future__ import annotations

from collections.abc import Iterable

from ccsim.budget import Budget
from ccsim.errors import CertificateError, NotDecidedError
from ccsim.programs.basis import Basis, prices, primal_solution
from ccsim.programs.float_basis import Suggestion
from ccsim.programs.integer_program import IntegerProgram, Optimum, ProgramEnd
from ccsim.programs.simplex import run_simplex

__all__ = ["end_of_basis", "solve_integer_program"]


def solve_integer_program(
    program: IntegerProgram, suggestions: Iterable[Suggestion], budget: Budget | None = None
) -> ProgramEnd:
    """Return the end of a program, trying the suggestions in turn and then pivoting.

    Raises
    ------
    OutOfTimeError
    """
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
