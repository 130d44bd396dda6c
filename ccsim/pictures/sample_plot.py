"""A picture of the examples that learners need against the size of the domain."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from ccsim.certificates import write_text_atomically
from ccsim.errors import DomainError
from ccsim.surveys.point_learners import POINT_LEARNERS, Cell

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
except ImportError:
    raise DomainError("pictures need matplotlib: pip install 'ccsim[plot]'") from None

__all__ = ["plot_samples"]

_MARKERS = "osD^"


def plot_samples(path: Path, cells: Sequence[Cell]) -> None:
    """Write an SVG picture: measured numbers with error bars, theorems dashed, packing dotted.

    The same cells give the same file.

    Raises
    ------
    DomainError
        If matplotlib is not installed.
    """
    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for number, name in enumerate(POINT_LEARNERS):
        row = sorted((c for c in cells if c.learner == name), key=lambda c: c.bits)
        if not row:
            continue
        bits, color = [c.bits for c in row], f"C{number}"
        below = [c.estimate - c.insufficient for c in row]
        above = [(c.sufficient or c.estimate) - c.estimate for c in row]
        estimates = [c.estimate for c in row]
        axes.errorbar(
            bits, estimates, yerr=[below, above], marker=_MARKERS[number], capsize=3,
            color=color, label=name,
        )  # fmt: skip
        axes.plot(bits, [c.theorem for c in row], "--", color=color, alpha=0.6)
        if all(c.lower_bound for c in row):
            axes.plot(bits, [c.lower_bound for c in row], ":", color=color)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = sorted({c.bits for c in cells})
    axes.set_xticks(ticks, [str(b) for b in ticks])
    axes.set_xlabel("b, for point functions over $2^b$ points")
    axes.set_ylabel("examples")
    axes.set_title("Measured (solid), sufficient by theorem (dashed), necessary (dotted)", size=10)
    axes.legend()
    text = io.StringIO()
    with rc_context({"svg.hashsalt": "ccsim"}):  # else its identifiers are drawn at random
        figure.savefig(text, format="svg", metadata={"Date": None})
    write_text_atomically(path, text.getvalue())
