"""A picture of numbers against the size of the domain, one curve for each way to get them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.pictures.figures import new_axes, plain_logarithmic

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@validated
class Curve:
    """Numbers at some bits of a point.

    Attributes
    ----------
    name : str
    bits, numbers : tuple of int
        As many of both.
    style : str
        Of the line, as matplotlib has it: ``-`` for what was computed, ``--`` for a formula.
    color : int
        Number of the colour.
    """

    name: str
    bits: tuple[int, ...]
    numbers: tuple[int, ...]
    style: str = "-"
    color: int = 0


@checked_types
def draw_curves(
    curves: Sequence[Curve], title: str = "", label: str = "examples", *, ax: Axes | None = None
) -> Axes:
    """Draw numbers against bits of a point, on logarithmic axes.

    Parameters
    ----------
    curves : sequence of Curve
    title : str
    label : str
        What the numbers count.
    ax : matplotlib Axes, optional
        Default the axes of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    DomainError
        If matplotlib is not installed, or a curve has no number.

    Examples
    --------
    >>> axes = draw_curves([Curve("exact", (8, 16), (30, 40))], "Points")
    >>> axes.get_ylabel(), [line.get_ydata().tolist() for line in axes.lines]
    ('examples', [[30, 40]])
    """
    if not curves or any(not c.bits or len(c.bits) != len(c.numbers) for c in curves):
        raise DomainError("curves must have as many numbers as bits, and at least one")
    ax = new_axes(7, 4.5) if ax is None else ax
    for curve in curves:
        marker = "o" if curve.style == "-" else None
        ax.plot(
            curve.bits, curve.numbers, curve.style, marker=marker, markersize=4,
            color=f"C{curve.color}", label=curve.name,
        )  # fmt: skip
    ticks = sorted({b for c in curves for b in c.bits if not b & (b - 1)})
    plain_logarithmic(ax, ticks)
    ax.set_xlabel("d, for points of d bits")
    ax.set_ylabel(label, parse_math=False)
    ax.set_title(title, size=10, parse_math=False)
    ax.legend(fontsize=8)
    return ax
