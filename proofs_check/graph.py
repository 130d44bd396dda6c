"""The graph of claims: an edge from each claim to every claim that its proof uses or corrects."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape

import networkx as nx

from proofs_check.claims.claim import Claim, Verdict

__all__ = ["claim_graph", "dot", "drawn", "listed"]

Graph = nx.DiGraph
"""Nodes are keys with their ``claim``; edges have a ``relation``, "uses" or "corrects"."""

COLOURS = {Verdict.HOLDS: "#2e7d32", Verdict.FAILS: "#c62828", Verdict.NOT_DECIDED: "#616161"}
"""Colours of boxes by the verdict on record."""

ROW, COLUMN, WIDTH, HEIGHT, MARGIN = 30, 300, 210, 20, 20
"""Distances and sizes of a drawing in pixels."""


def _claims(graph: Graph[str]) -> list[Claim]:
    return [graph.nodes[key]["claim"] for key in graph]


def claim_graph(claims: Iterable[Claim]) -> Graph[str]:
    """Return the graph of the given claims; references to other claims are left out.

    Examples
    --------
    >>> from proofs_check.claims.table import CLAIMS
    >>> "fx/lemma-9" in claim_graph(CLAIMS.values())["fx/cor-11"]
    True
    """
    graph: Graph[str] = nx.DiGraph()
    chosen = list(claims)
    graph.add_nodes_from((claim.key, {"claim": claim}) for claim in chosen)
    for claim in chosen:
        graph.add_edges_from((claim.key, k, {"relation": "uses"}) for k in claim.uses if k in graph)
        if claim.corrects is not None and claim.corrects in graph:
            graph.add_edge(claim.key, claim.corrects, relation="corrects")
    return graph


def listed(graph: Graph[str]) -> str:
    """Return one line for each claim, in an order in which every claim follows what it uses."""
    order = nx.lexicographical_topological_sort(graph.reverse(copy=False))
    lines = []
    for key in order:
        relations = [f"{data['relation']} {other}" for other, data in graph[key].items()]
        lines.append(key + (": " + ", ".join(relations) if relations else ""))
    return "".join(f"{line}\n" for line in lines)


def dot(graph: Graph[str]) -> str:
    """Return the graph in the language of Graphviz."""
    nodes = [
        f"  {json.dumps(claim.key)} [tooltip={json.dumps(claim.title)}, "
        f'color="{COLOURS[claim.recorded]}"];'
        for claim in _claims(graph)
    ]
    edges = [
        f"  {json.dumps(a)} -> {json.dumps(b)}"
        + (" [style=dashed];" if data["relation"] == "corrects" else ";")
        for a, b, data in graph.edges(data=True)
    ]
    head = ["digraph claims {", "  rankdir=RL;", "  node [shape=box];"]
    return "\n".join([*head, *nodes, *edges, "}", ""])


def drawn(graph: Graph[str]) -> str:
    """Return a drawing as SVG: what is used stands left of what uses it; hover for the titles."""
    generations = list(nx.topological_generations(graph.reverse(copy=False)))
    place: dict[str, tuple[int, int]] = {}
    for column, keys in enumerate(generations):
        # next to what they use: mean row of the claims on the left, which are placed already
        def height(key: str) -> float:
            rows = [place[other][1] for other in graph[key]]
            return sum(rows) / len(rows) if rows else 0.0

        for row, key in enumerate(sorted(keys, key=lambda k: (height(k), k))):
            place[key] = (MARGIN + column * COLUMN, MARGIN + row * ROW)
    lines = []
    for a, b, data in graph.edges(data=True):
        (x, y), (u, v) = place[a], place[b]
        dashes = ' stroke-dasharray="4"' if data["relation"] == "corrects" else ""
        lines.append(
            f'<line x1="{x}" y1="{y + HEIGHT // 2}" x2="{u + WIDTH}" y2="{v + HEIGHT // 2}" '
            f'stroke="#9e9e9e"{dashes}/>'
        )
    for claim in _claims(graph):
        x, y = place[claim.key]
        lines.append(
            f"<g><title>{escape(claim.title)}</title>"
            f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="white" '
            f'stroke="{COLOURS[claim.recorded]}"/>'
            f'<text x="{x + 6}" y="{y + 14}">{escape(claim.key)}</text></g>'
        )
    width = max((x for x, _ in place.values()), default=0) + WIDTH + MARGIN
    length = max((y for _, y in place.values()), default=0) + HEIGHT + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{length}" '
            'font-family="monospace" font-size="12">',
            *lines,
            "</svg>",
            "",
        ]
    )
