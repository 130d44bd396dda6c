"""A picture of a two-way protocol as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types
from ccsim.classes.masks import members
from ccsim.communication.protocols.play import bits_of
from ccsim.communication.protocols.two_way import Turn, TwoWayProtocol
from ccsim.pictures.figures import new_axes, short_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEVELS = 5  # levels of turns that are drawn unless more are asked for
_FONT = 8.0
_LEAST_FONT = 4.0
_CHARACTER = 0.6 * _FONT / 72  # inches that a character takes; most are narrower
_LEVEL = 0.9  # inches from one level to the next
_ABOVE = 0.36  # levels from a node to the message above it
_SHAPES = {"alice": "round", "bob": "square"}


class _Spot(NamedTuple):
    """A node that some inputs reach, with its depth, its parent, and the label of its edge."""

    node: Turn | int
    depth: int
    parent: int  # the number of its spot; -1 for the root
    message: str


@checked_types
def draw_protocol(
    protocol: TwoWayProtocol,
    *,
    levels: int = MOST_LEVELS,
    longest: int = 20,
    ax: Axes | None = None,
) -> Axes:
    """Draw a two-way protocol as a tree.

    A box with round corners is a turn of Alice, a square box a turn of Bob. The label of an edge
    shows the message and the remaining inputs of the speaker that send it. Leaves show the answer.

    Parameters
    ----------
    protocol : TwoWayProtocol
        The protocol. Inputs have the labels of its problem, or numbers if it has none.
    levels : int
        Number of levels of turns that are drawn. Deeper subtrees are replaced by their number of
        leaves.
    longest : int
        Maximum number of characters of a label. Longer labels are shortened in the middle.
    ax : matplotlib Axes, optional
        Default: the axes of a new figure. On given axes, the text shrinks to a size that is still
        legible.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from ccsim import deterministic_cost
    >>> axes = draw_protocol(deterministic_cost("equality:n=2").protocol)
    >>> [text.get_text() for text in axes.texts if text.get_text().isalpha()]
    ['Alice', 'Bob', 'Bob']
    """
    spots = _spots(protocol, longest)
    leaves = [int(not isinstance(spot.node, Turn)) for spot in spots]
    for i in range(len(spots) - 1, 0, -1):
        leaves[spots[i].parent] += leaves[i]
    shown = [i for i, spot in enumerate(spots) if spot.depth <= levels]
    parents = {spots[i].parent for i in shown}
    places, width = _places([(i, spots[i]) for i in shown], parents)
    depth = max(spots[i].depth for i in shown)
    pitch = 0.15 + _CHARACTER * max(4, *(len(spots[i].message) for i in shown))
    size = _FONT
    if ax is None:
        ax = new_axes(max(3, pitch * width), _LEVEL * (depth + 1))
    else:
        room = ax.get_window_extent().width / ax.figure.figure.dpi
        size = max(_LEAST_FONT, min(_FONT, _FONT * room / (pitch * width)))
    ax.set_axis_off()
    ax.set_xlim(-0.5, width - 0.5)
    ax.set_ylim(-depth - 0.4, 0.4)
    for i in shown:
        spot, x, y = spots[i], places[i], -spots[i].depth
        plain: dict[str, Any] = {
            "fontsize": size,
            "ha": "center",
            "va": "center",
            "parse_math": False,
        }
        if spot.parent >= 0:
            ends = [places[spot.parent], x], [y + 1, y]
            ax.plot(*ends, color="gray", linewidth=0.8, zorder=1)
            ax.text(x, y + _ABOVE, spot.message, backgroundcolor="white", **plain)
        if i not in parents:
            cut = counted(leaves[i], "leaf", "leaves")
            text = f"... {cut}" if isinstance(spot.node, Turn) else str(spot.node)
            ax.text(x, y, text, backgroundcolor="white", **plain)
        elif isinstance(spot.node, Turn):
            speaker = spot.node.speaker
            box = {"boxstyle": _SHAPES[speaker], "facecolor": "white", "edgecolor": "black"}
            ax.text(x, y, speaker.capitalize(), bbox=box, **plain)
    return ax


def _spots(protocol: TwoWayProtocol, longest: int) -> list[_Spot]:
    """Return the nodes that some inputs reach, in preorder."""
    below, about = protocol.children(), protocol.problem
    sides = (None, None) if about is None else (about.alice, about.bob)
    whole = ((1 << protocol.num_alice) - 1, (1 << protocol.num_bob) - 1)
    found, left = list[_Spot](), [(0, whole, 0, -1, "")]
    while left:
        i, rectangle, depth, parent, message = left.pop()
        found.append(_Spot(node := protocol.nodes[i], depth, parent, message))
        if not isinstance(node, Turn):
            continue
        labels, here, later = sides[node.side], len(found) - 1, []
        for m, own in enumerate(node.parts(rectangle[node.side])):
            if own:
                inputs = [str(n if labels is None else labels[n]) for n in members(own)]
                text = _message(bits_of(m, node.values), inputs, longest)
                rest = (rectangle[0], own) if node.side else (own, rectangle[1])
                later.append((below[i][m], rest, depth + 1, here, text))
        left += reversed(later)
    return found


def _message(bits: str, inputs: list[str], longest: int) -> str:
    """Return the label of an edge: a message, and the inputs that send it or their number."""
    text = f"{bits}: {', '.join(inputs)}"
    if len(text) > longest and len(inputs) > 1:
        end = f", .. ({len(inputs)})"
        room = max(4, longest - len(bits) - 2 - len(end))
        text = f"{bits}: {short_label(inputs[0], room)}{end}"
    return short_label(text, max(longest, len(bits) + 12))


def _places(spots: list[tuple[int, _Spot]], parents: set[int]) -> tuple[dict[int, float], int]:
    """Return the horizontal position of each node, and the number of leaves drawn."""
    places, width = dict[int, float](), 0
    for i, _ in spots:
        if i not in parents:
            places[i], width = float(width), width + 1
    ends: dict[int, list[float]] = {}
    for i, spot in reversed(spots):
        if i in parents:
            places[i] = (min(ends[i]) + max(ends[i])) / 2
        ends.setdefault(spot.parent, []).append(places[i])
    return places, width
