"""Sets of vertices and of edges of a graph, as bit masks: neighbourhoods, cliques and cuts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from ccsim.arguments.values import show_value
from ccsim.classes.sets import LabelledSets
from ccsim.errors import DomainError
from ccsim.texts.labels import Label, as_labels, check_size

if TYPE_CHECKING:
    import networkx as nx

GraphSets = Literal["neighbourhoods", "closed neighbourhoods", "cliques", "maximal cliques", "cuts"]
"""Which sets are taken of a graph."""


def sets_of_graph(graph: nx.Graph[Any], sets: GraphSets, name: str) -> LabelledSets:
    """Return some sets of a graph."""
    import networkx as nx

    if not isinstance(graph, nx.Graph):
        raise DomainError(f"graph must be a networkx.Graph, not {show_value(graph)}")
    if graph.is_directed() and not sets.endswith("neighbourhoods"):
        raise DomainError(f"{sets} are taken of undirected graphs; graph.to_undirected() is one")
    return _SETS[sets](graph, name)


def _open(graph: nx.Graph[Any], name: str) -> LabelledSets:
    return _neighbourhoods(graph, name, closed=0)


def _closed(graph: nx.Graph[Any], name: str) -> LabelledSets:
    return _neighbourhoods(graph, name, closed=1)


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
    fixed = {next(v for v in simple if v in part) for part in nx.connected_components(simple)}
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
    mask = 0
    for bit in bits:
        mask |= bit
    return mask


def _named(mask: int, labels: tuple[Label, ...]) -> str:
    """Write a set out."""
    return f"{{{', '.join(str(label) for i, label in enumerate(labels) if mask >> i & 1)}}}"


_SETS: Mapping[str, Callable[[Any, str], LabelledSets]] = MappingProxyType(
    {
        "neighbourhoods": _open,
        "closed neighbourhoods": _closed,
        "cliques": _cliques,
        "maximal cliques": _maximal_cliques,
        "cuts": _cuts,
    }
)
