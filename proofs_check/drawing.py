"""Drawings of dependency graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import networkx as nx

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.pictures.figures import new_axes, short_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_graph"]

_FONT = 7
_ROW, _LETTER = 0.24, 0.062
"""Inches of a row, and of a letter."""
_GAP = 0.9
_LONGEST = 40


@checked_types
def draw_graph(
    graph: nx.DiGraph[str],
    colours: Mapping[str, str] | None = None,
    dashed: frozenset[tuple[str, str]] = frozenset(),
    frames: Mapping[str, str] | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw an acyclic graph in columns, with edges that point to the left.

    Parameters
    ----------
    graph : networkx.DiGraph
        Graph of names, with an edge from each name to the names on which it depends.
    colours : mapping of str to str, optional
        Colours of frames.
    dashed : frozenset of pairs, optional
        Dashed edges.
    frames : mapping of str to str, optional
        Line styles of frames in matplotlib: ``--`` for dashes, ``:`` for dots.
    ax : matplotlib Axes, optional
        By default the axes of a new figure of suitable size.

    Returns
    -------
    Axes
        Axes in which the box of a node has its name as group identifier in SVG.

    Raises
    ------
    DomainError
        If matplotlib is not installed, or the graph has a cycle or no node.

    Examples
    --------
    >>> axes = draw_graph(nx.DiGraph([("theorem", "lemma"), ("theorem", "definition")]))
    >>> [text.get_text() for text in axes.texts if text.get_text()]
    ['definition', 'lemma', 'theorem']
    """
    if not graph or not nx.is_directed_acyclic_graph(graph):
        raise DomainError("graph must have at least one node and no cycle")
    columns, place = _placed(graph)
    widths = [max(len(short_label(n, _LONGEST)) for n in column) * _LETTER for column in columns]
    lefts = [sum(widths[:i]) + i * _GAP for i in range(len(columns))]
    whole, rows = lefts[-1] + widths[-1], max(map(len, columns))
    if ax is None:
        ax = new_axes(max(2.5, whole + 0.5), max(0.8, _ROW * rows + 0.3))
    ax.set_axis_off()
    ax.set_xlim(-0.15, whole + 0.15)
    ax.set_ylim(rows - 0.3, -0.7)
    for start, end in graph.edges:
        (a, row), (b, other) = place[start], place[end]
        right = lefts[b] + len(short_label(end, _LONGEST)) * _LETTER
        ax.annotate(
            "", (right + 0.05, other), (lefts[a] - 0.05, row), zorder=1,
            arrowprops={
                "arrowstyle": "->,head_length=0.25,head_width=0.12",
                "color": "#9e9e9e",
                "linewidth": 0.6,
                "linestyle": "--" if (start, end) in dashed else "-",
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )  # fmt: skip
    for column in columns:
        for name in column:
            number, row = place[name]
            frame = {
                "boxstyle": "round,pad=0.25",
                "facecolor": "white",
                "edgecolor": (colours or {}).get(name, "black"),
                "linestyle": (frames or {}).get(name, "-"),
                "linewidth": 0.8,
            }
            ax.text(
                lefts[number], row, short_label(name, _LONGEST), fontsize=_FONT, va="center",
                ha="left", family="monospace", bbox=frame, zorder=2, gid=name, parse_math=False,
            )  # fmt: skip
    return ax


def _placed(graph: nx.DiGraph[str]) -> tuple[list[list[str]], dict[str, tuple[int, float]]]:
    """Return the columns, and the column and row of each node; columns are centred."""
    columns: list[list[str]] = []
    rank: dict[str, float] = {}

    def height(name: str) -> float:
        # next to what it rests on: mean rank of the nodes on the left, which are placed already
        ranks = [rank[other] for other in graph[name]]
        return sum(ranks) / len(ranks) if ranks else 0.0

    for names in nx.topological_generations(graph.reverse(copy=False)):
        column = sorted(names, key=lambda name: (height(name), name))
        rank.update((name, (row + 0.5) / len(column)) for row, name in enumerate(column))
        columns.append(column)
    most = max(map(len, columns))
    place = {
        name: (number, row + (most - len(column)) / 2)
        for number, column in enumerate(columns)
        for row, name in enumerate(column)
    }
    return columns, place
