"""The matrix of a problem, on which proofs are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import InstanceTooLargeError
from ccsim.pictures.figures import new_axes, short_label

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.axes import Axes

MOST_INPUTS = 40  # most inputs of each side; more are too small to read
_CELL = 0.36  # inches of a cell of a new figure


def draw_matrix(
    problem: CommunicationProblem,
    ax: Axes | None,
    weights: Mapping[tuple[int, int], Fraction | int],
) -> tuple[Axes, float]:
    """Draw the cells with their values, darker for larger weights.

    Return the axes and the size of a cell.
    """
    check_drawable(problem)
    rows, columns = len(problem.alice), len(problem.bob)
    if ax is None:
        ax = new_axes(1.8 + _CELL * columns, 1.9 + _CELL * rows)
        cell = _CELL
    else:
        room = ax.get_window_extent()
        cell = min(room.width / columns, room.height / rows) / ax.figure.figure.dpi
    heaviest = float(max(weights.values(), default=0)) or 1.0
    shade = [
        [0.55 * float(weights.get((x, y), 0)) / heaviest for y in range(columns)]
        for x in range(rows)
    ]
    edges = [[end - 0.5 for end in range(size + 1)] for size in (columns, rows)]
    ax.pcolormesh(
        *edges, shade, cmap="Greys", vmin=0, vmax=1, edgecolors="#dddddd", linewidth=0.3, zorder=0
    )
    ax.set_aspect("equal")
    ax.set_ylim(rows - 0.5, -0.5)
    size = max(3.0, min(7.0, 7 * cell / _CELL))
    for x in range(rows):
        for y in range(columns):
            value = problem.value(x, y)
            ax.text(
                x=y - 0.45, y=x - 0.43, s="*" if value is None else str(value), ha="left",
                va="top", fontsize=size, zorder=3,
            )  # fmt: skip
    ax.set_xticks(
        range(columns), [short_label(b) for b in problem.bob],
        rotation=90, fontsize=7, parse_math=False,
    )  # fmt: skip
    ax.set_yticks(
        range(rows), [short_label(a) for a in problem.alice], fontsize=7, parse_math=False
    )
    ax.set_xlabel("Bob", fontsize=8)
    ax.set_ylabel("Alice", fontsize=8)
    return ax, cell


def check_drawable(problem: CommunicationProblem) -> None:
    """Refuse, before it is solved, a problem whose matrix is too large to draw."""
    rows, columns = len(problem.alice), len(problem.bob)
    if max(rows, columns) > MOST_INPUTS:
        raise InstanceTooLargeError(
            f"the matrix must have at most {MOST_INPUTS} rows and columns to be drawn, not {rows} "
            f"x {columns}"
        )
