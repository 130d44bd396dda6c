"""A picture of a mistake tree.

Main definitions: `draw_mistake_tree`, `draw_tree`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ccsim.classes import ConceptClass
from ccsim.dimensions.mistake_trees.tree import Node
from ccsim.pictures.figures import new_axes, save_figure, short_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_mistake_tree", "draw_tree"]

MOST_LEVELS = 5
"""Levels of inner nodes that are drawn unless more are asked for."""
_LEVEL_LEAVES = 8
"""Most leaves whose labels have room side by side."""
_LONG = 200
_Place = tuple[float, int]


def draw_mistake_tree(
    C: ConceptClass,
    root: Node,
    *,
    levels: int = MOST_LEVELS,
    longest: int = 14,
    ax: Axes | None = None,
) -> Axes:
    """Draw points in boxes, labels beside edges, and the concepts at the leaves.

    Parameters
    ----------
    C : ConceptClass
        Whose labels are shown.
    root : Node
        Of a complete tree.
    levels : int
        Deeper inner nodes are left out; three dots and the number of leaves stand for them.
    longest : int
        Characters of a label; longer ones are cut in the middle.
    ax : matplotlib Axes, optional
        Default the axes of a new figure.

    Returns
    -------
    Axes
        Which `ccsim.pictures.figures.save_figure` writes.

    Raises
    ------
    DomainError
        If matplotlib is not installed.
    """
    shown = min(_depth(root), levels)
    leaves = 2**shown
    upright = leaves > _LEVEL_LEAVES
    ax = (
        new_axes(max(4, (0.4 if upright else 0.9) * leaves), 1.1 * (shown + 1.5))
        if ax is None
        else ax
    )
    ax.set_axis_off()
    ax.set_xlim(-0.7, leaves - 0.3)
    ax.set_ylim(-shown - (1 if upright else 0.4), 0.4)
    box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "black"}
    for (x, y), node, parent, label in _placed(root, 0, leaves):
        if parent is not None:
            ax.plot([parent[0], x], [parent[1], y], color="gray", linewidth=0.8, zorder=1)
            side = "right" if label == 0 else "left"  # of the text, which ends at the edge
            middle = (parent[0] + x) / 2, (parent[1] + y) / 2
            ax.annotate(
                str(label), middle, xytext=(-2 if label == 0 else 2, 1), fontsize=8, ha=side,
                textcoords="offset points", va="bottom",
            )  # fmt: skip
        if isinstance(node, int):
            text = short_label(C.concepts[node], longest)
        elif y == -shown:
            text = f"... {2 ** _depth(node)} leaves"
        else:
            ax.text(
                x, y, short_label(C.points[node[0]], longest), fontsize=8, ha="center",
                va="center", bbox=box, parse_math=False,
            )  # fmt: skip
            continue
        ax.annotate(
            text, (x, y), xytext=(0, -3), textcoords="offset points", fontsize=8, ha="center",
            va="top", rotation=90 if upright else 0, parse_math=False,
        )  # fmt: skip
    return ax


def draw_tree(path: Path, C: ConceptClass, root: Node, depth: int) -> None:
    """Write a picture of a whole tree in the form of the suffix, labels in full as text.

    Parameters
    ----------
    path : Path
        Ending in ``.svg``, ``.png`` or ``.pdf``.
    C : ConceptClass
    root : Node
        Of a complete tree.
    depth : int

    Raises
    ------
    DomainError
        If matplotlib is not installed, or the suffix is another.
    """
    save_figure(path, draw_mistake_tree(C, root, levels=depth, longest=_LONG))


def _depth(node: Node) -> int:
    depth = 0
    while not isinstance(node, int):
        node, depth = node[1], depth + 1
    return depth


def _placed(
    node: Node, first: float, leaves: int, level: int = 0
) -> Iterator[tuple[_Place, Node, _Place | None, int]]:
    """Yield the place of each node, with the place of its parent and the label between."""
    place = (first + (leaves - 1) / 2, -level)
    yield place, node, None, 0
    if isinstance(node, int) or leaves == 1:
        return
    half = leaves // 2
    for label, side in enumerate(node[1:]):
        below = _placed(side, first + label * half, half, level + 1)
        own, inner, _, _ = next(below)
        yield own, inner, place, label
        yield from below
