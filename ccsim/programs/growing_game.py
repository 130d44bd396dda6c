"""A float matrix game that grows by columns: the master program of column generation.

Its strategies only suggest where to look for the next column; nothing here decides.
"""

from __future__ import annotations

from collections.abc import Sequence

import highspy
import numpy as np

__all__ = ["GrowingGame"]


class GrowingGame:
    """Minimise ``v`` subject to ``A y <= v``, ``sum y = 1``, ``y >= 0``, column by column.

    Parameters
    ----------
    rows : int
        Number of rows; each new column is a list of row numbers where it pays (1 unless amounts are
        given; 0 elsewhere).

    Examples
    --------
    >>> game = GrowingGame(2)
    >>> game.add_column([0])
    >>> game.add_column([1])
    >>> value, row_strategy = game.solve()
    >>> round(value, 6), [round(x, 6) for x in row_strategy]
    (0.5, [0.5, 0.5])
    """

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._mixture: list[float] = []
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)  # noqa: FBT003 - the solver's signature
        self._highs.setOptionValue("solver", "simplex")
        infinity = highspy.kHighsInf
        for _ in range(rows):
            self._highs.addRow(-infinity, 0.0, 0, np.array([], np.int32), np.array([]))
        self._highs.addRow(1.0, 1.0, 0, np.array([], np.int32), np.array([]))
        self._highs.addCol(
            1.0, -infinity, infinity, rows, np.arange(rows, dtype=np.int32), np.full(rows, -1.0)
        )

    def add_column(self, paid: Sequence[int], amounts: Sequence[float] | None = None) -> None:
        """Add a column that pays 1, or the given amounts, on the given rows and 0 elsewhere."""
        index = np.array([*paid, self._rows], np.int32)
        values = np.ones(len(index))
        if amounts is not None:
            values[:-1] = amounts
        self._highs.addCol(0.0, 0.0, highspy.kHighsInf, len(index), index, values)

    def solve(self) -> tuple[float, list[float]]:
        """Return the float value and the row player's float strategy."""
        self._highs.run()
        self._mixture = [max(w, 0.0) for w in self._highs.getSolution().col_value[1:]]
        duals = np.maximum(-np.array(self._highs.getSolution().row_dual[: self._rows]), 0.0)
        total = duals.sum()
        strategy = duals / total if total > 0 else np.full(self._rows, 1 / self._rows)
        return float(self._highs.getInfo().objective_function_value), strategy.tolist()

    def column_strategy(self) -> list[float]:
        """Return the column player's float strategy in the last game that was solved."""
        return self._mixture
