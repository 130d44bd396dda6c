"""A picture of the equivalence of representations and communication: a row per inequality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccsim.arguments.checked import checked_types
from ccsim.pictures.figures import new_axes, short_label
from ccsim.representation.equivalence import EquivalenceTable, Inequality, Quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FONT = 8
_SIDES = (("left", "C0", "o", -0.12), ("right", "C1", "s", 0.12))
_VERDICTS = {True: "holds", False: "fails", None: "open"}
_LONGEST_NAME = 60


@checked_types
def draw_equivalence(table: EquivalenceTable, *, ax: Axes | None = None) -> Axes:
    """Draw the inequalities of a table as rows, left sides as discs and right sides as squares.

    A side whose bounds differ is drawn as a bar. The sides are dimensions, or numbers of messages,
    hypotheses or concepts. Each row states whether the inequality holds, and the theorem that
    proves it.

    Parameters
    ----------
    table : EquivalenceTable
        Result of `ccsim.equivalence_table`.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from ccsim import equivalence_table, points
    >>> axes = draw_equivalence(equivalence_table(points(1), "1/4", "1/4"))
    >>> axes.get_yticklabels()[0].get_text()
    'PRDim(1/4, 1/4) <= R_pub(1/16)'
    """
    rows = table.inequalities
    sizes = {quantity.name: quantity for quantity in table.quantities}
    ax = new_axes(8.5, 1.6 + 0.42 * len(rows)) if ax is None else ax
    for row, each in enumerate(rows):
        ends = [_draw_side(ax, sizes[getattr(each, side)], row, side) for side, *_ in _SIDES]
        ax.plot(ends, [row - 0.12, row + 0.12], color="gray", linewidth=0.8, zorder=1)
        ax.annotate(
            _verdict(each), (1.01, row), xycoords=("axes fraction", "data"), fontsize=_FONT - 1,
            va="center", annotation_clip=False, parse_math=False,
            fontweight="bold" if each.holds is False else "normal",
        )  # fmt: skip
    most = max(quantity.upper for quantity in table.quantities)
    ax.set_xscale("symlog", base=2, linthresh=1)
    ticks = [0, *(1 << bit for bit in range(most.bit_length() + 1))]
    ticks = ticks[:: max(1, len(ticks) // 9)]
    ax.set_xticks(ticks, [str(tick) for tick in ticks], fontsize=_FONT)
    ax.set_xlim(-0.2, 1.25 * most)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    names = [f"{each.left} <= {each.right}" for each in rows]
    ax.set_yticks(range(len(rows)), names, fontsize=_FONT, parse_math=False)
    ax.minorticks_off()
    ax.set_xlabel("number of messages, hypotheses or concepts, or dimension", fontsize=_FONT)
    ax.grid(axis="x", alpha=0.3)
    name = short_label(table.concept_class.name or "class", _LONGEST_NAME)
    ax.set_title(
        f"{name}\ndisc: left side, square: right side, bar: between bounds",
        fontsize=_FONT + 1, parse_math=False,
    )  # fmt: skip
    return ax


def _draw_side(ax: Axes, quantity: Quantity, row: int, side: str) -> float:
    """Draw the bounds of one side, and return their midpoint."""
    _, color, marker, offset = next(each for each in _SIDES if each[0] == side)
    ends = [quantity.lower, quantity.upper]
    if quantity.exact:
        ax.plot(ends[:1], [row + offset], marker, color=color, markersize=6, zorder=3)
    else:
        ax.plot(
            ends, [row + offset] * 2, marker=marker, color=color, linewidth=4, markersize=5,
            solid_capstyle="butt", zorder=3, markerfacecolor="white",
        )  # fmt: skip
    return sum(ends) / 2


def _verdict(each: Inequality) -> str:
    slack = f", slack {each.slack}" if each.slack is not None else ""
    return f"{_VERDICTS[each.holds]}{slack}: {each.source}"
