"""Exact arithmetic: fractions, distributions, intervals, logarithms, linear programs."""

from ccsim.exact.binomial import binomial_tail, clopper_pearson
from ccsim.exact.fractions import as_fraction, ceil_log2, common_denominator
from ccsim.exact.intervals import Interval, binary_entropy, compare, enclose
from ccsim.exact.linear_outcome import (
    InfeasibilityProof,
    LinearOutcome,
    OptimalSolution,
    ProgramBounds,
    UnboundednessProof,
)
from ccsim.exact.linear_program import LinearConstraint, LinearProgram
from ccsim.exact.linear_solver import solve_linear_program
from ccsim.exact.logarithms import LogSum
from ccsim.exact.matrix_game import (
    MatrixGameBounds,
    MatrixGameSolution,
    enclose_matrix_game,
    solve_matrix_game,
)
from ccsim.exact.probability import probability_vector

__all__ = [
    "InfeasibilityProof",
    "Interval",
    "LinearConstraint",
    "LinearOutcome",
    "LinearProgram",
    "LogSum",
    "MatrixGameBounds",
    "MatrixGameSolution",
    "OptimalSolution",
    "ProgramBounds",
    "UnboundednessProof",
    "as_fraction",
    "binary_entropy",
    "binomial_tail",
    "ceil_log2",
    "clopper_pearson",
    "common_denominator",
    "compare",
    "enclose",
    "enclose_matrix_game",
    "probability_vector",
    "solve_linear_program",
    "solve_matrix_game",
]
