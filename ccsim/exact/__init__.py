"""Exact arithmetic: fractions, probability vectors, intervals, logarithms, matrix games."""

from ccsim.exact.binomial import binomial_tail, clopper_pearson
from ccsim.exact.fractions import as_fraction, ceil_log2, common_denominator
from ccsim.exact.intervals import Interval, binary_entropy, compare, enclose
from ccsim.exact.logarithms import LogSum
from ccsim.exact.matrix_game import MatrixGameSolution, solve_matrix_game
from ccsim.exact.probability import probability_vector

__all__ = [
    "Interval",
    "LogSum",
    "MatrixGameSolution",
    "as_fraction",
    "binary_entropy",
    "binomial_tail",
    "ceil_log2",
    "clopper_pearson",
    "common_denominator",
    "compare",
    "enclose",
    "probability_vector",
    "solve_matrix_game",
]
