"""Linear programs and matrix games, solved exactly with a proof of each bound."""

from typing import TYPE_CHECKING

from ccsim.arguments.first_use import names_at_first_use

if TYPE_CHECKING:
    from ccsim.programs.game import (
        MatrixGameBounds,
        MatrixGameSolution,
        enclose_matrix_game,
        solve_matrix_game,
    )
    from ccsim.programs.program import (
        InfeasibilityProof,
        LinearConstraint,
        LinearOutcome,
        LinearProgram,
        OptimalSolution,
        ProgramBounds,
        UnboundednessProof,
        solve_linear_program,
    )

__all__ = [
    "InfeasibilityProof",
    "LinearConstraint",
    "LinearOutcome",
    "LinearProgram",
    "MatrixGameBounds",
    "MatrixGameSolution",
    "OptimalSolution",
    "ProgramBounds",
    "UnboundednessProof",
    "enclose_matrix_game",
    "solve_linear_program",
    "solve_matrix_game",
]

if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy
    __getattr__, __dir__ = names_at_first_use(globals())
