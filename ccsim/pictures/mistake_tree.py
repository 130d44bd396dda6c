"""A picture of a mistake tree."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from pathlib import Path

from ccsim.certificates import write_text_atomically
from ccsim.classes import ConceptClass
from ccsim.dimensions.mistake_trees.tree import Node
from ccsim.errors import DomainError
from ccsim.pictures.labels import show_label

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
except ImportError:
    raise DomainError("pictures need matplotlib: pip install 'ccsim[plot]'") from None

__all__ = ["draw_tree"]

_Place = tuple[float, int]


def draw_tree(path: Path, C: ConceptClass, root: Node, depth: int) -> None:
    """Write an SVG picture: points in boxes, labels at edges, concepts upright at the leaves.

    Parameters
    ----------
    path : Path
    C : ConceptClass
        Whose labels are shown, as text that can be searched.
    root : Node
        Of a complete tree.
    depth : int

    Raises
    ------
    DomainError
        If matplotlib is not installed.
    """
    with (
        rc_context({"svg.fonttype": "none", "svg.hashsalt": "ccsim", "text.parse_math": False}),
        warnings.catch_warnings(),
    ):
        # a character that matplotlib's font lacks is drawn by the font of whoever looks
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        figure = Figure(figsize=(max(4, 0.4 * 2**depth), 1.1 * (depth + 1.5)))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(-0.5, 2**depth - 0.5)
        axes.set_ylim(-depth - 1, 0.5)
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "black"}
        for (x, y), text, parent, label in _placed(C, root, 0, 2**depth):
            leaf = y == -depth
            if parent is not None:
                axes.plot([parent[0], x], [parent[1], y], color="gray", linewidth=0.8, zorder=1)
                middle = (parent[0] + x) / 2, (parent[1] + y) / 2
                axes.text(*middle, label, fontsize=7, ha="center", backgroundcolor="white")
            axes.text(
                x, y, text, fontsize=8, ha="center", va="top" if leaf else "center",
                rotation=90 if leaf else 0, bbox=None if leaf else box,
            )  # fmt: skip
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    write_text_atomically(path, buffer.getvalue())


def _placed(
    C: ConceptClass, node: Node, first: int, leaves: int, level: int = 0
) -> Iterator[tuple[_Place, str, _Place | None, str]]:
    """Yield place and text of each node, with the place of its parent and the label between."""
    place = (first + (leaves - 1) / 2, -level)
    if isinstance(node, int):
        yield place, show_label(C.concepts[node]), None, ""
        return
    point, *sides = node
    yield place, show_label(C.points[point]), None, ""
    half = leaves // 2
    for label, side in enumerate(sides):
        below = _placed(C, side, first + label * half, half, level + 1)
        own, text, _, _ = next(below)
        yield own, text, place, str(label)
        yield from below
