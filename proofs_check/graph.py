"""Graph of claims, with an edge from each claim to every claim that it uses or corrects."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

import networkx as nx

from ccsim.pictures.figures import svg_text
from proofs_check.claims.claim import Claim, Verdict
from proofs_check.drawing import draw_graph

__all__ = ["claim_graph", "dot", "draw_claims", "drawn", "listed"]

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Graph = nx.DiGraph
"""Nodes are keys with their ``claim``; edges have a ``relation``, "uses" or "corrects"."""

COLOURS = {Verdict.HOLDS: "#2e7d32", Verdict.FAILS: "#c62828", Verdict.NOT_DECIDED: "#616161"}
"""Colours of boxes by the verdict on record."""
FRAMES = {Verdict.HOLDS: "-", Verdict.FAILS: "--", Verdict.NOT_DECIDED: ":"}
"""Frames of boxes, which say the same."""


def _claims(graph: Graph[str]) -> list[Claim]:
    return [graph.nodes[key]["claim"] for key in graph]


def claim_graph(claims: Iterable[Claim]) -> Graph[str]:
    """Return the graph of the given claims without references to other claims.

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
    """Return one line for each claim, in an order in which claims follow the claims they use."""
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


def draw_claims(graph: Graph[str], *, ax: Axes | None = None) -> Axes:
    """Draw claims to the right of the claims that they use.

    Arrows from corrected claims to their errata are dashed. Frames of claims that fail are dashed,
    and frames of undecided claims are dotted.

    Parameters
    ----------
    graph : networkx.DiGraph
        Graph from `claim_graph`.
    ax : matplotlib Axes, optional
        By default the axes of a new figure.

    Raises
    ------
    DomainError
        If matplotlib is not installed.
    """
    colours = {claim.key: COLOURS[claim.recorded] for claim in _claims(graph)}
    dashed = {(a, b) for a, b, data in graph.edges(data=True) if data["relation"] == "corrects"}
    frames = {claim.key: FRAMES[claim.recorded] for claim in _claims(graph)}
    return draw_graph(graph, colours, frozenset(dashed), frames, ax=ax)


def drawn(graph: Graph[str]) -> str:
    """Return the drawing of a graph as SVG, with the titles of claims as tooltips."""
    text = svg_text(draw_claims(graph))
    for claim in _claims(graph):
        head = f'<g id="{escape(claim.key)}">'
        text = text.replace(head, f"{head}\n<title>{escape(claim.title)}</title>")
    return text
