"""The float solver HiGHS, without output, which suggests bases of linear programs.

Rows and columns of long integers are scaled in turn by powers of two. Entries that are still out of
range are clipped and keep their signs. Callers check all suggestions exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.data import frozen
from ccsim.exact.fractions import common_denominator
from ccsim.programs.integer_program import Basis, IntegerProgram, Integers

SETTINGS: tuple[dict[str, str | int | float], ...] = (
    {"solver": "simplex", "presolve": "on"},
    {"solver": "simplex", "presolve": "off"},
    {
        "solver": "simplex",
        "presolve": "off",
        "primal_feasibility_tolerance": 1e-10,
        "dual_feasibility_tolerance": 1e-10,
    },
    {"solver": "ipm", "run_crossover": "on"},
)
"""Options of the float solver, in the order in which they are tried."""
_MODERATE = 1 << 30
_SCALING_ROUNDS = 40
_LARGEST = 2.0**40
"""Largest absolute value of entries, costs and bounds passed to the solver."""
_ITERATIONS = 10_000
"""Maximum number of iterations of a run, besides twenty for every row and column."""
Floats = npt.NDArray[np.float64]


class QuietHighs(highspy.Highs):
    """HiGHS without output; version 1.16 prints its name when callbacks are set."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.setOptionValue("output_flag", False)  # noqa: FBT003 - the solver's signature

    def enableCallbacks(self) -> None:  # noqa: N802 - the solver's name
        """Switch off printing, and then set callbacks."""
        self.setOptionValue("output_flag", False)  # noqa: FBT003 - the solver's signature
        super().enableCallbacks()  # type: ignore[no-untyped-call]

    def pass_rows(
        self,
        cost: npt.ArrayLike,
        columns: tuple[npt.ArrayLike, npt.ArrayLike],
        rows: tuple[npt.ArrayLike, npt.ArrayLike],
        entries: tuple[npt.NDArray[Any], npt.ArrayLike, npt.ArrayLike],
    ) -> None:
        """Pass a minimisation program; its matrix is given by row starts, columns and values."""
        program, (starts, index, value) = highspy.HighsLp(), entries
        program.col_cost_ = np.array(cost, float)
        program.num_col_, program.num_row_ = n, m = len(program.col_cost_), len(starts) - 1
        program.col_lower_, program.col_upper_ = (np.full(n, end, float) for end in columns)
        program.row_lower_, program.row_upper_ = (np.full(m, end, float) for end in rows)
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = starts.astype(np.int32)
        program.a_matrix_.index_ = np.array(index, np.int32)
        program.a_matrix_.value_ = np.array(value, float)
        self.passModel(program)


@frozen
class Suggestion:
    """A basis and an approximate solution from the float solver."""

    basis: Basis  # its last basis
    optimal: bool  # whether it takes this basis for optimal
    # its values of the columns and prices of the rows, in the units of the program
    x: tuple[float, ...]
    y: tuple[float, ...]

    def rounded_point(self, program: IntegerProgram) -> tuple[list[int], int]:
        """Return the point, moved into the bounds of columns, as numerators and a denominator."""
        n = program.columns
        return _rounded(self.x, program.lower[:n], program.upper[:n])

    def rounded_prices(self, program: IntegerProgram) -> tuple[Integers, int]:
        """Return the prices as numerators and a denominator; prices of the wrong sign become 0."""
        n = program.columns
        least = [0 if bound is None else None for bound in program.upper[n:]]
        most = [0 if bound is None else None for bound in program.lower[n:]]
        numerators, scale = _rounded(self.y, least, most)
        y: Integers = np.array(numerators, dtype=object)
        return y, scale


def suggest(program: IntegerProgram, budget: Budget | None = None) -> Iterator[Suggestion]:
    """Yield suggestions for the caller to check; the fastest setting of the solver comes first."""
    scaled = _Scaled(program)
    for setting in SETTINGS:
        left = math.inf if budget is None else budget.remaining
        if (suggestion := scaled.solve(setting, left)) is not None:
            yield suggestion


class _Scaled:
    """A program in floats, with entries scaled by ``2**(row + column)``, and its other data."""

    def __init__(self, program: IntegerProgram) -> None:
        self.program = program
        n, m = program.columns, program.rows
        entries = program.values if program.words is None else program.words
        moderate = entries.max(initial=0) < _MODERATE > -entries.min(initial=0)
        owner = np.repeat(np.arange(n), np.diff(program.start))
        self.row, self.column = np.zeros(m, np.int64), np.zeros(n, np.int64)
        if moderate:
            values = entries.astype(np.float64)
        else:
            lengths = _lengths(entries)
            for _ in range(_SCALING_ROUNDS):
                self.row = -_middle(program.index, lengths + self.column[owner], m)
                before = self.column
                self.column = -_middle(owner, lengths + self.row[program.index], n)
                if np.abs(self.column - before).max(initial=0) <= 1:
                    break
            exponents = self.row[program.index] + self.column[owner]
            if program.words is None:
                values = _as_floats(entries.tolist(), exponents.tolist())
            else:
                values = np.ldexp(entries.astype(float), exponents).clip(-_LARGEST, _LARGEST)
        # x = x' 2**(column + unit), costs and bounds in these units of moderate size
        bounds = [b for b in (*program.lower, *program.upper) if b]
        self.unit = max(0, max((b.bit_length() for b in bounds), default=0) - 20)
        costs = [
            c.bit_length() + int(s) for c, s in zip(program.cost, self.column, strict=True) if c
        ]
        self.cost_unit = max(costs, default=0)
        self.iterations = _ITERATIONS + 20 * (n + m)
        self.model = highspy.HighsLp()
        self.model.num_col_, self.model.num_row_ = n, m
        self.model.col_cost_ = _as_floats(program.cost, (self.column - self.cost_unit).tolist())
        shifts = np.concatenate((-self.column, self.row)) - self.unit
        lower = _as_floats(program.lower, shifts.tolist(), -highspy.kHighsInf)
        upper = _as_floats(program.upper, shifts.tolist(), highspy.kHighsInf)
        self.model.col_lower_, self.model.row_lower_ = lower[:n], lower[n:]
        self.model.col_upper_, self.model.row_upper_ = upper[:n], upper[n:]
        self.model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        self.model.a_matrix_.start_ = program.start
        self.model.a_matrix_.index_ = program.index
        self.model.a_matrix_.value_ = values

    def solve(self, setting: dict[str, str | int | float], seconds: float) -> Suggestion | None:
        """Run the solver once, and return its suggestion; None if it has none."""
        highs = QuietHighs()
        for option, value in setting.items():
            highs.setOptionValue(option, value)
        for option in ("simplex_iteration_limit", "ipm_iteration_limit"):
            highs.setOptionValue(option, self.iterations)
        highs.setOptionValue("time_limit", seconds)
        highs.passModel(self.model)
        highs.run()
        found = highs.getBasis()
        if not found.valid:
            return None
        basic, upper = highspy.HighsBasisStatus.kBasic, highspy.HighsBasisStatus.kUpper
        columns = tuple(j for j, status in enumerate(found.col_status) if status == basic)
        tight = tuple(i for i, status in enumerate(found.row_status) if status != basic)
        statuses = [*found.col_status, *found.row_status]
        at_upper = frozenset(j for j, status in enumerate(statuses) if status == upper)
        solution = highs.getSolution()
        with np.errstate(over="ignore", under="ignore"):  # infinite and zero will do
            x = np.ldexp(solution.col_value, self.column + self.unit)
            y = np.ldexp(solution.row_dual, self.row + self.cost_unit)
        optimal = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
        return Suggestion(Basis(columns, tight, at_upper), optimal, tuple(x), tuple(y))


def _rounded(
    values: Sequence[float], lower: Sequence[int | None], upper: Sequence[int | None]
) -> tuple[list[int], int]:
    """Return floats, moved into bounds, as numerators and a denominator; infinities become 0."""
    exact = []
    for value, low, high in zip(values, lower, upper, strict=True):
        number = Fraction(value) if math.isfinite(value) else Fraction(0)
        number = number if low is None else max(number, Fraction(low))
        exact.append(number if high is None else min(number, Fraction(high)))
    scale = common_denominator(exact)
    return [int(number * scale) for number in exact], scale


def _middle(
    group: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64], size: int
) -> npt.NDArray[np.int64]:
    """Return, for each group, the mean of the minimum and the maximum of its lengths."""
    least, greatest = np.full(size, np.iinfo(np.int64).max), np.full(size, np.iinfo(np.int64).min)
    np.minimum.at(least, group, lengths)
    np.maximum.at(greatest, group, lengths)
    empty = least > greatest
    least[empty] = greatest[empty] = 0
    middle: npt.NDArray[np.int64] = (least + greatest) // 2
    return middle


def _lengths(numbers: Integers | npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the lengths in bits; the rounding of 64-bit integers to floats may add a bit."""
    if numbers.dtype == np.int64:
        lengths: npt.NDArray[np.int64] = np.frexp(numbers.astype(float))[1].astype(np.int64)
        return lengths
    return np.array([value.bit_length() for value in numbers], np.int64)


def _as_floats(
    numbers: Sequence[int | None], exponents: Sequence[int], absent: float = math.inf
) -> Floats:
    """Return ``number * 2**exponent`` for each pair, clipped to the range of the solver."""
    pairs = zip(numbers, exponents, strict=True)
    return np.array([absent if a is None else a and _as_float(a, e) for a, e in pairs], float)


def _as_float(number: int, exponent: int) -> float:
    surplus = max(0, number.bit_length() - 64)
    try:
        scaled = math.ldexp(number >> surplus, exponent + surplus)
    except OverflowError:
        scaled = math.inf if number > 0 else -math.inf
    return max(-_LARGEST, min(scaled, _LARGEST))
