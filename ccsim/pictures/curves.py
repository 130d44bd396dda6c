"""A picture of numbers against the size of the domain, one curve for each way to get them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ccsim.appearance import one_line
from ccsim.certificates import write_text_atomically
from ccsim.errors import DomainError

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
except ImportError:
    raise DomainError("pictures need matplotlib: pip install 'ccsim[plot]'") from None

__all__ = ["Curve", "plot_curves"]


@one_line
@dataclass(frozen=True, slots=True)
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


def plot_curves(path: Path, curves: Sequence[Curve], title: str, label: str = "examples") -> None:
    """Write an SVG picture with logarithmic axes; the same curves give the same file.

    Raises
    ------
    DomainError
        If matplotlib is not installed, or a curve has no number.
    """
    if not curves or any(not c.bits or len(c.bits) != len(c.numbers) for c in curves):
        raise DomainError("curves must have as many numbers as bits, and at least one")
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for curve in curves:
        marker = "o" if curve.style == "-" else None
        axes.plot(
            curve.bits, curve.numbers, curve.style, marker=marker, markersize=4,
            color=f"C{curve.color}", label=curve.name,
        )  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = sorted({b for c in curves for b in c.bits if not b & (b - 1)})
    axes.set_xticks(ticks, [str(b) for b in ticks])
    axes.set_xlabel("d, for points of d bits")
    axes.set_ylabel(label)
    axes.set_title(title, size=10)
    axes.legend(fontsize=8)
    text = io.StringIO()
    with rc_context({"svg.hashsalt": "ccsim"}):  # else its identifiers are drawn at random
        figure.savefig(text, format="svg", metadata={"Date": None})
    write_text_atomically(path, text.getvalue())
