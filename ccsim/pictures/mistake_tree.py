"""A picture of a mistake tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass, PartialClass
from ccsim.dimensions.mistake_trees import MistakeTree, Node
from ccsim.pictures.figures import new_axes, save_figure, short_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEVELS = 5  # levels of inner nodes that are drawn unless more are asked for
_LEVEL_LEAVES = 8  # most leaves whose labels have room side by side
_LONG = 24
_FONT = 8.0
_LEAST_FONT = 4.0
_CHARACTER = 0.6 * _FONT / 72  # inches that a character takes; most are narrower
_LEVEL = 1.1  # inches from one level to the next
_Place = tuple[float, int]
_Placed = tuple[_Place, Node, "_Place | None", int]


@checked_types
def draw_mistake_tree(
    C: ConceptClass | PartialClass,
    root: int | tuple[int, Node, Node] | MistakeTree,
    *,
    levels: int = MOST_LEVELS,
    longest: int = 14,
    ax: Axes | None = None,
) -> Axes:
    """Draw a mistake tree with points in boxes, labels on edges and concepts at the leaves.

    Parameters
    ----------
    C : ConceptClass or PartialClass
        The class whose labels are shown.
    root : MistakeTree or Node
        A complete tree, or its root.
    levels : int
        Number of levels to draw. Deeper nodes are replaced by dots and their number of leaves.
    longest : int
        Maximum number of characters of a label. Longer labels are shortened in the middle.
    ax : matplotlib Axes, optional
        Axes on which to draw; default: the axes of a new figure that is large enough for the
        labels. On given axes, the text shrinks, but remains legible.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from ccsim import littlestone_dimension, thresholds
    >>> C = thresholds(2)
    >>> axes = draw_mistake_tree(C, littlestone_dimension(C).tree)
    >>> len(axes.lines), len([text for text in axes.texts if text.get_va() == "center"])
    (6, 3)
    """
    root = root.root if isinstance(root, MistakeTree) else root
    shown = min(_depth(root), levels)
    leaves = 2**shown
    upright = leaves > _LEVEL_LEAVES
    placed = list(_placed(root, 0, leaves))
    texts = [_text(C, node, -y == shown, longest) for (_, y), node, _, _ in placed]
    below = _widest(placed, texts, {-shown})
    boxes = _widest(placed, texts, {1 - shown}) + 0.25 if shown else 0.0
    pitch = max(0.4 if upright else max(0.9, below + 0.1), boxes / 2)
    under = (below if upright else 0.3) + 0.15  # inches under the last level
    size = _FONT
    if ax is None:
        ax = new_axes(max(3, pitch * leaves), _LEVEL * shown + under + 0.4)
    else:
        room = ax.get_window_extent().width / ax.figure.figure.dpi
        size = max(_LEAST_FONT, min(_FONT, _FONT * room / (pitch * leaves)))
    ax.set_axis_off()
    ax.set_xlim(-0.5, leaves - 0.5)
    ax.set_ylim(-shown - under / _LEVEL, 0.3)
    box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "black"}
    for ((x, y), _, parent, label), text in zip(placed, texts, strict=True):
        if parent is not None:
            ax.plot([parent[0], x], [parent[1], y], color="gray", linewidth=0.8, zorder=1)
            side = "right" if label == 0 else "left"  # of the text, which ends at the edge
            middle = (parent[0] + x) / 2, (parent[1] + y) / 2
            ax.annotate(
                str(label), middle, xytext=(-2 if label == 0 else 2, 1), fontsize=size, ha=side,
                textcoords="offset points", va="bottom",
            )  # fmt: skip
        if -y < shown:
            ax.text(x, y, text, fontsize=size, ha="center", va="center", bbox=box, parse_math=False)
        else:
            ax.annotate(
                text, (x, y), xytext=(0, -3), textcoords="offset points", fontsize=size,
                ha="center", va="top", rotation=90 if upright else 0, parse_math=False,
            )  # fmt: skip
    return ax


def draw_tree(path: Path, C: ConceptClass | PartialClass, root: Node, depth: int) -> None:
    """Write a picture of a whole tree, with long labels, in the format of the suffix."""
    save_figure(path, draw_mistake_tree(C, root, levels=depth, longest=_LONG))


def _text(C: ConceptClass | PartialClass, node: Node, is_last: bool, longest: int) -> str:  # noqa: FBT001
    if isinstance(node, int):
        return short_label(C.concepts[node], longest)
    return f"... {2 ** _depth(node)} leaves" if is_last else short_label(C.points[node[0]], longest)


def _widest(placed: list[_Placed], texts: list[str], levels: set[int]) -> float:
    """Return the width in inches of the longest text on the drawn levels."""
    found = (len(t) for ((_, y), _, _, _), t in zip(placed, texts, strict=True) if y in levels)
    return _CHARACTER * max(found, default=0)


def _depth(node: Node) -> int:
    depth = 0
    while not isinstance(node, int):
        node, depth = node[1], depth + 1
    return depth


def _placed(node: Node, first: float, leaves: int, level: int = 0) -> Iterator[_Placed]:
    """Yield the position of each node, the position of its parent, and the label of the edge."""
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
