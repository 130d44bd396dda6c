"""Labelled sets of labelled points, and sets of vertices and of edges of a graph, as bit masks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial, reduce
from itertools import chain
from operator import or_
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from ccsim.arguments.values import show_value
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.texts.labels import Label, as_labels, check_size, listed

if TYPE_CHECKING:
    import networkx as nx

GraphSets = Literal["neighbourhoods", "closed neighbourhoods", "cliques", "maximal cliques", "cuts"]
"""Kinds of sets of a graph."""


@frozen
class LabelledSets:
    """Sets of points."""

    rows: tuple[int, ...]  # bit masks of points; they may repeat
    # labels of the points, and of the sets
    points: tuple[Label, ...]
    concepts: tuple[Label, ...]


def labelled_sets(
    sets: Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]],
    points: Iterable[Hashable] | None,
    name: str,
) -> LabelledSets:
    """Return sets as masks, with the parameters of `ConceptClass.from_sets`."""
    given = sets.items() if isinstance(sets, Mapping) else enumerate(listed(sets, "sets", "sets"))
    named = {label: _members(members, label) for label, members in given}
    if points is None:
        every = {point: None for members in named.values() for point in members}
        check_size(len(named), len(every), name)
        points = sorted(every, key=_in_order)
    xs = listed(points, "points")
    check_size(len(named), len(xs), name)
    labels = as_labels(xs, "point")
    place = {x: i for i, x in enumerate(xs)}
    rows = []
    for label, members in named.items():
        if unknown := [point for point in members if point not in place]:
            shown = as_labels(unknown[:1], "point")[0]
            raise DomainError(f"set {label!s} must contain only points, not {shown!s}")
        rows.append(sum(1 << i for i in {place[point] for point in members}))
    return LabelledSets(tuple(rows), labels, as_labels(list(named), "concept"))


def _members(members: Iterable[Hashable], label: object) -> list[Hashable]:
    found = listed(members, f"set {label!s}", "points")
    for point in found:
        try:
            hash(point)
        except TypeError:
            raise DomainError(
                f"set {label!s} must have hashable points, not {show_value(point)}"
            ) from None
    return found


def _in_order(point: Any) -> tuple[bool, Any]:  # noqa: ANN401 - any label
    """Return a sort key: numbers by size, then other labels by text."""
    number = isinstance(point, int | float) and point == point  # noqa: PLR0124 - nan is no number
    return not number, point if number else str(as_labels([point], "point")[0])


def sets_of_graph(graph: nx.Graph[Any], sets: GraphSets, name: str) -> LabelledSets:
    """Return the requested sets of a graph, such as its neighbourhoods or cliques."""
    import networkx as nx

    if not isinstance(graph, nx.Graph):
        raise DomainError(f"graph must be a networkx.Graph, not {show_value(graph)}")
    if graph.is_directed() and not sets.endswith("neighbourhoods"):
        raise DomainError(
            f"{sets} are defined only for undirected graphs; use graph.to_undirected()"
        )
    return _SETS[sets](graph, name)


def sets_of_incidence(graph: nx.Graph[Any], name: str) -> LabelledSets:
    """Return the sets of a graph whose vertices have ``bipartite`` 0 for sets and 1 for points."""
    sides: tuple[list[Any], list[Any]] = [], []
    for vertex, data in graph.nodes(data=True):
        side = data.get("bipartite")
        if side not in (0, 1):
            raise DomainError(f"vertex {show_value(vertex)} must have bipartite 0 or 1")
        sides[int(side)].append(vertex)
    concepts, points = sides
    check_size(len(concepts), len(points), name)
    place = {vertex: x for x, vertex in enumerate(points)}
    masks = dict.fromkeys(concepts, 0)
    for one, other in graph.edges():
        concept, point = (other, one) if one in place else (one, other)
        if point not in place or concept in place:
            raise DomainError(
                f"the edge {show_value(one)} - {show_value(other)} must join a concept and a point"
            )
        masks[concept] |= 1 << place[point]
    labels = [[graph.nodes[v].get("label", v) for v in side] for side in sides]
    rows = tuple(masks.values())
    return LabelledSets(rows, as_labels(labels[1], "point"), as_labels(labels[0], "concept"))


def _neighbourhoods(graph: nx.Graph[Any], name: str, closed: int) -> LabelledSets:
    check_size(len(graph), len(graph), name)
    labels = as_labels(graph, "vertex")
    bit = _bits(graph)
    rows = [_mask(bit[w] for w in graph.adj[v]) | closed * bit[v] for v in graph]
    return LabelledSets(tuple(rows), labels, labels)


def _cliques(graph: nx.Graph[Any], name: str) -> LabelledSets:
    import networkx as nx

    return _vertex_sets(graph, chain([[]], nx.enumerate_all_cliques(_simple(graph))), name)


def _maximal_cliques(graph: nx.Graph[Any], name: str) -> LabelledSets:
    import networkx as nx

    return _vertex_sets(graph, nx.find_cliques(_simple(graph)), name)


def _vertex_sets(graph: nx.Graph[Any], sets: Iterable[list[Any]], name: str) -> LabelledSets:
    check_size(1, len(graph), name)
    labels = as_labels(graph, "vertex")
    bit = _bits(graph)
    rows: list[int] = []
    for vertices in sets:
        check_size(len(rows) + 1, len(graph), name)
        rows.append(_mask(bit[v] for v in vertices))
    return LabelledSets(tuple(rows), labels, tuple(_named(row, labels) for row in rows))


def _cuts(graph: nx.Graph[Any], name: str) -> LabelledSets:
    import networkx as nx

    simple = _simple(graph)
    order = {v: i for i, v in enumerate(simple)}
    fixed = {min(part, key=order.__getitem__) for part in nx.connected_components(simple)}
    free = [v for v in simple if v not in fixed]
    check_size(1 << min(len(free), 64), simple.number_of_edges(), name)
    labels = dict(zip(simple, as_labels(simple, "vertex"), strict=True))
    star = dict.fromkeys(simple, 0)
    points = []
    for i, (v, w) in enumerate(simple.edges):
        star[v] |= 1 << i
        star[w] |= 1 << i
        points.append(f"{labels[v]}-{labels[w]}")
    rows = [0]
    for v in free:  # moving a vertex to the other side turns its star over
        rows += [row ^ star[v] for row in rows]
    sides = tuple(labels[v] for v in free)
    concepts = tuple(_named(side, sides) for side in range(len(rows)))
    return LabelledSets(tuple(rows), tuple(points), concepts)


def _simple(graph: nx.Graph[Any]) -> nx.Graph[Any]:
    """Return the graph without loops, parallel edges and data."""
    import networkx as nx

    simple: nx.Graph[Any] = nx.Graph()
    simple.add_nodes_from(graph)
    simple.add_edges_from((v, w) for v, w in graph.edges() if v != w)
    return simple


def _bits(graph: Iterable[Hashable]) -> dict[Hashable, int]:
    return {v: 1 << i for i, v in enumerate(graph)}


def _mask(bits: Iterable[int]) -> int:
    return reduce(or_, bits, 0)


def _named(mask: int, labels: tuple[Label, ...]) -> str:
    """Return a set as text."""
    return f"{{{', '.join(str(label) for i, label in enumerate(labels) if mask >> i & 1)}}}"


_SETS: Mapping[str, Callable[[Any, str], LabelledSets]] = MappingProxyType(
    {
        "neighbourhoods": partial(_neighbourhoods, closed=0),
        "closed neighbourhoods": partial(_neighbourhoods, closed=1),
        "cliques": _cliques,
        "maximal cliques": _maximal_cliques,
        "cuts": _cuts,
    }
)
