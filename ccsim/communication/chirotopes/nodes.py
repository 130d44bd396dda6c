"""The nodes of trees of cases, as `docs/certificates.md` describes them under `sign_rank`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ccsim.data import frozen


@frozen
class Product:
    """A product of inequalities that is 1 > 1: a weight and the lines of a relation for each."""

    inequalities: tuple[tuple[int, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the node."""
        return {"product": [list(inequality) for inequality in self.inequalities]}


@frozen
class Move:
    """An order of lines, and for each place whether the line is negated."""

    order: tuple[int, ...]
    turned: tuple[int, ...]

    def after(self, first: Move) -> Move:
        """Return the move that applies another move first."""
        turns = zip(first.order, first.turned, strict=True)
        return Move(
            tuple(self.order[line] for line in first.order),
            tuple(turn ^ self.turned[line] for line, turn in turns),
        )


@frozen
class Image:
    """A lemma, by its number, and the move that is applied to it."""

    lemma: int
    move: Move

    def to_json(self) -> dict[str, Any]:
        """Return the node."""
        turned = "".join(map(str, self.move.turned))
        return {"lemma": self.lemma, "order": list(self.move.order), "turned": turned}


Node = tuple[int, ...] | Product | Image
Tree = tuple[list[Node], frozenset[int]]
"""Nodes in preorder, and the determinants whose signs they use."""


@frozen
class Lemma:
    """Signs of determinants that cannot occur together, and the tree that proves this."""

    positive: tuple[tuple[int, ...], ...]
    negative: tuple[tuple[int, ...], ...]
    nodes: tuple[Node, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the lemma as an entry of the table of lemmas."""
        positive, negative = ([*map(list, part)] for part in (self.positive, self.negative))
        return {"positive": positive, "negative": negative, "nodes": encoded(self.nodes)}


def encoded(nodes: Sequence[Node]) -> list[Any]:
    """Return nodes as a certificate lists them."""
    return [list(node) if isinstance(node, tuple) else node.to_json() for node in nodes]


def needed(lemmas: Sequence[Lemma], nodes: Sequence[Node]) -> tuple[list[Lemma], list[Node]]:
    """Return the lemmas that a tree uses, directly or by other lemmas, and the tree."""
    used, left = set[int](), [nodes]
    while left:
        cited = {node.lemma for node in left.pop() if isinstance(node, Image)} - used
        used |= cited
        left += [lemmas[i].nodes for i in cited]
    number = {old: new for new, old in enumerate(sorted(used))}

    def renumbered(tree: Sequence[Node]) -> list[Node]:
        return [
            Image(number[node.lemma], node.move) if isinstance(node, Image) else node
            for node in tree
        ]

    kept = [
        Lemma(lemma.positive, lemma.negative, tuple(renumbered(lemma.nodes)))
        for lemma in map(lemmas.__getitem__, sorted(used))
    ]
    return kept, renumbered(nodes)
