"""Bases of a matrix game suggested by a float linear program (HiGHS); nothing here decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import highspy
import numpy as np

__all__ = ["Basis", "suggest_bases"]

FloatMatrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]

Basis = tuple[list[int], list[int]]
"""Rows and columns of the game that span the square kernel of a basic solution."""


def suggest_bases(matrix: Sequence[Sequence[int]]) -> Iterator[Basis]:
    """Yield candidate bases, the cheapest solver setting first; the caller checks each exactly.

    Examples
    --------
    >>> next(suggest_bases([[0, 1], [1, 0]]))
    ([0, 1], [0, 1])
    """
    array = _scaled(matrix)
    for presolve in ("on", "off"):
        if (basis := _solve(array, presolve)) is not None:
            yield basis
    if (basis := _solve(-array.T, "off")) is not None:
        columns, rows = basis
        yield rows, columns


def _scaled(matrix: Sequence[Sequence[int]]) -> FloatMatrix:
    """Shift and divide into [1, 2], in Python integers first: huge entries do not overflow."""
    low = min(min(row) for row in matrix)
    span = max(max(row) for row in matrix) - low or 1
    return np.array([[1 + (entry - low) / span for entry in row] for row in matrix])


def _solve(array: FloatMatrix, presolve: str) -> Basis | None:
    """Maximise v subject to ``A^T x >= v``, ``sum x = 1``; return basic x's and tight columns."""
    m, n = array.shape
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)  # noqa: FBT003 - the solver's own signature
    highs.setOptionValue("presolve", presolve)
    highs.setOptionValue("solver", "simplex")
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = m + 1, n + 1
    model.col_cost_ = np.append(np.zeros(m), -1.0)
    model.col_lower_ = np.append(np.zeros(m), -highspy.kHighsInf)
    model.col_upper_ = np.full(m + 1, highspy.kHighsInf)
    model.row_lower_ = np.append(np.zeros(n), 1.0)
    model.row_upper_ = np.append(np.full(n, highspy.kHighsInf), 1.0)
    columns = np.vstack([np.hstack([array, np.ones((m, 1))]), np.append(-np.ones(n), 0.0)])
    used = columns != 0
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.append(0, np.cumsum(used.sum(axis=1)))
    model.a_matrix_.index_ = np.nonzero(used)[1]
    model.a_matrix_.value_ = columns[used]
    highs.passModel(model)
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    basis = highs.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    rows = [i for i, status in enumerate(basis.col_status[:m]) if status == basic]
    tight = [j for j, status in enumerate(basis.row_status[:n]) if status != basic]
    return rows, tight
