"""Common parts of the oracle: comparison with bounds, games, and limits on its work."""

from fractions import Fraction
from functools import cache

import highspy
import numpy as np

from ccsim.programs.game import solve_matrix_game

__all__ = ["UndecidedError", "between", "dot", "enclosed", "game_value", "least", "require_small"]


class UndecidedError(Exception):
    """The instance is too large for brute force, or the bound is too close to the truth."""


def require_small(number, limit):
    """Raise `UndecidedError` if a number exceeds a limit."""
    if number > limit:
        raise UndecidedError(f"{number} > {limit}")


def between(statement, value):
    """Whether a value lies between the stated bounds."""
    lower, upper = (statement[side] for side in ("lower", "upper"))
    return (lower is None or Fraction(lower) <= value) and (
        upper is None or value <= Fraction(upper)
    )


def enclosed(statement, low, high):
    """Whether a value in an interval lies between the stated bounds; raise if undecided."""
    lower, upper = (statement[side] for side in ("lower", "upper"))
    low_bound = None if lower is None else Fraction(lower)
    high_bound = None if upper is None else Fraction(upper)
    if low_bound is not None and low_bound > high:
        return False
    if high_bound is not None and high_bound < low:
        return False
    if (low_bound is None or low_bound <= low) and (high_bound is None or high_bound >= high):
        return True
    raise UndecidedError("the bounds lie within what is known")


@cache
def game_value(payoff):
    """Return the exact value of a matrix game; rows maximise."""
    return solve_matrix_game(payoff).value


def dot(law, values):
    return sum((p * v for p, v in zip(law, values, strict=True)), Fraction(0))


def least(cost, rows, bounds, equal, most):
    """Solve a linear program in floating point; return the value and a solution.

    `rows` are lists of columns and coefficients, with upper bounds `bounds`; the forms in `equal`
    must be 1. Variables lie between 0 and `most`.
    """
    highs, inf = highspy.Highs(), highspy.kHighsInf
    highs.setOptionValue("output_flag", False)
    program = highspy.HighsLp()
    every = [*rows, *equal]
    program.num_col_, program.num_row_ = len(cost), len(every)
    program.col_cost_ = np.array(cost, dtype=float)
    program.col_lower_, program.col_upper_ = np.zeros(len(cost)), np.array(most, dtype=float)
    program.row_lower_ = np.array([-inf] * len(rows) + [1.0] * len(equal))
    program.row_upper_ = np.array([*bounds] + [1.0] * len(equal))
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.cumsum([0, *map(len, every)])
    program.a_matrix_.index_ = np.array([column for row in every for column, _ in row])
    program.a_matrix_.value_ = np.array([float(value) for row in every for _, value in row])
    highs.passModel(program)
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise UndecidedError("the program is not solved")
    return highs.getInfo().objective_function_value, list(highs.getSolution().col_value)
