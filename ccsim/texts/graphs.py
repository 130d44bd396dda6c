"""Files of graphs: GraphML, graph6, sparse6, edges and adjacency lists, and symmetric matrices."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import ParseError

from ccsim.budget import Budget
from ccsim.errors import CcsimError, InstanceTooLargeError, UnreadableInputError
from ccsim.texts.labels import MAX_LABELS, check_size, text_row
from ccsim.texts.reading import Reading, Ways, refuse_ways
from ccsim.texts.sets import LabelledSets, sets_of_graph, sets_of_incidence
from ccsim.texts.tables import Table

_MOST_XML = 1 << 25  # bytes of GraphML, which takes fifty times as many in memory


def read_graphml(data: bytes, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the class of an incidence graph, as ``ccsim export`` writes it, or sets of a graph."""
    import networkx as nx

    refuse_ways(ways, source)
    if len(data) > _MOST_XML:
        raise InstanceTooLargeError(
            f"{source}: the GraphML file has {len(data)} bytes; the limit is {_MOST_XML} bytes"
        )
    budget.spend()
    try:
        graph = nx.read_graphml(io.BytesIO(data))
    except (nx.NetworkXException, ParseError, ValueError, KeyError, TypeError, AttributeError) as e:
        raise UnreadableInputError(f"{source}: not GraphML: {' '.join(str(e).split())}") from None
    name = str(graph.graph.get("name", ""))
    return table_of_graph(graph, source, ways, name)


def read_graph6(data: bytes, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the requested sets of the single graph in a file of graph6 or sparse6."""
    import networkx as nx

    refuse_ways(ways, source)
    lines = data.split()
    if len(lines) != 1:
        raise UnreadableInputError(
            f"{source}: expected one graph, found {len(lines)}; keep only one of the lines"
        )
    line = lines[0].removeprefix(b">>graph6<<").removeprefix(b">>sparse6<<")
    sparse, codes = line.startswith(b":"), [byte - 63 for byte in line.removeprefix(b":")]
    try:
        if not codes or min(codes) < 0 or max(codes) > 63:
            raise ValueError("a character is not valid in graph6 or sparse6")  # noqa: TRY301
        vertices, rest = _number_of_vertices(codes)
        check_size(vertices, vertices, source)
        bits = len(rest) * 3 if sparse else sum(code.bit_count() for code in rest)
        _check_edges(bits, source)
        budget.spend()
        read: Any = nx.from_sparse6_bytes if sparse else nx.from_graph6_bytes
        graph = read(line)
    except (nx.NetworkXException, ValueError, IndexError) as error:
        if isinstance(error, CcsimError):
            raise
        raise UnreadableInputError(f"{source}: not graph6 or sparse6: {error}") from None
    return table_of_graph(graph, source, ways)


def _number_of_vertices(codes: list[int]) -> tuple[int, list[int]]:
    """Return the number encoded in the first 1, 4 or 8 characters, and the other characters."""
    start, end = (0, 1) if codes[0] < 63 else (2, 8) if codes[1:2] == [63] else (1, 4)
    if len(codes) < end:
        raise ValueError("the number of vertices is truncated")
    return sum(c << 6 * i for i, c in enumerate(reversed(codes[start:end]))), codes[end:]


def table_of_node_link(value: Mapping[str, Any], source: str, ways: Ways) -> Table:
    """Return the table of a graph in the format of ``networkx.node_link_data``.

    See `table_of_graph`.
    """
    import networkx as nx

    graph: nx.Graph[Any] = nx.DiGraph() if value.get("directed") else nx.Graph()
    edges = value.get("links", value.get("edges"))
    try:
        _check_edges(len(edges), source)
        graph.add_nodes_from(
            (node["id"], {"bipartite": node.get("bipartite")}) for node in value["nodes"]
        )
        graph.add_edges_from((edge["source"], edge["target"]) for edge in edges)
    except (KeyError, TypeError, ValueError):
        raise UnreadableInputError(
            f"{source}: expected nodes with id, and edges with source and target"
        ) from None
    return table_of_graph(graph, source, ways)


def table_of_edges(
    lines: Iterable[tuple[str, list[str]]], source: str, budget: Budget, ways: Ways
) -> Table:
    """Return the requested sets of a graph, given by lines of a vertex and some neighbours."""
    import networkx as nx

    graph: nx.Graph[Any] = nx.Graph()
    count = 0
    for vertex, others in lines:
        budget.spend()
        graph.add_node(vertex)
        graph.add_edges_from((vertex, other) for other in others)
        count += len(others)
        _check_edges(count, source)
    return table_of_graph(graph, source, ways)


def table_of_symmetric(table: Table, ways: Ways) -> Table:
    """Return the requested sets of the graph whose adjacency matrix is given by a table."""
    import networkx as nx

    rows, source = table.rows, table.source
    labels = table.row_labels or table.column_labels or tuple(range(len(rows)))
    columns = tuple("".join(column) for column in zip(*rows, strict=True))
    same = (table.column_labels or labels) == labels
    if columns != rows or not same or not table.is_total:
        raise UnreadableInputError(
            f"{source}: the matrix of a graph must be symmetric with entries 0 and 1, and equal "
            f"labels of rows and columns; use {source}:form=edges to read lines of two vertices"
        )
    _check_edges(sum(row.count("1") for row in rows) // 2, source)
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_nodes_from(labels)
    graph.add_edges_from(
        (labels[v], labels[w]) for v, row in enumerate(rows) for w in range(v + 1) if row[w] == "1"
    )
    found = table_of_graph(graph, source, ways, table.name)
    return replace(found, reading=replace(table.reading, form="graph"))


def table_of_graph(graph: Any, source: str, ways: Ways, name: str = "") -> Table:  # noqa: ANN401
    """Return the class of an incidence graph, or the requested sets of another graph."""
    sides = {data.get("bipartite") for _, data in graph.nodes(data=True)}
    if ways.sets is None and graph and sides <= {0, 1}:
        try:
            return _table(sets_of_incidence(graph, source), source, name)
        except CcsimError as error:
            raise UnreadableInputError(f"{source}: {error}") from None
    if ways.sets is None:
        raise UnreadableInputError(
            f"{source}: a graph defines several classes of sets; choose one with "
            f"{source}:sets=neighbourhoods|closed-neighbourhoods|cliques|maximal-cliques|cuts"
        )
    try:
        return _table(sets_of_graph(graph, ways.sets, source), source, name)
    except CcsimError as error:
        if isinstance(error, InstanceTooLargeError):
            raise
        raise UnreadableInputError(f"{source}: {error}") from None


def _table(found: LabelledSets, source: str, name: str) -> Table:
    check_size(len(found.rows), len(found.points), source)
    rows = tuple(text_row(row, len(found.points)) for row in found.rows)
    reading = Reading(source, form="graph")
    return Table(source, name, rows, found.concepts, found.points, reading=reading)


def _check_edges(edges: int, source: str) -> None:
    if edges > MAX_LABELS:
        raise InstanceTooLargeError(f"{source}: a graph must have at most {MAX_LABELS} edges")
