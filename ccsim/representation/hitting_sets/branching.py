"""Proof that few hypotheses cannot meet every neighbourhood: a branching tree over hypotheses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple, Self

from ccsim.certificates import encode_integers
from ccsim.data import frozen
from ccsim.representation.hitting_sets.neighbourhoods import Neighbourhood
from ccsim.representation.hitting_sets.symmetries import Permutation


@frozen
class Node:
    """One node of a branching tree."""

    # numbers of the permutations that map the masks of the node to one another
    symmetries: tuple[int, ...]
    # the hypotheses chosen in the nodes below it; Later branches, and the weights, are about the
    # masks that are left when what is as good has been dropped
    branches: tuple[int, ...]
    # open neighbourhoods with positive weights; empty in a tree about given weights
    weights: tuple[tuple[int, int], ...] = ()


@frozen
class Branching:
    """A branching tree together with the neighbourhoods and permutations that it refers to."""

    neighbourhoods: tuple[Neighbourhood, ...]
    permutations: tuple[Permutation, ...]  # for each the images of the neighbourhoods
    tree: tuple[Node, ...]  # each is followed by the trees below it, in the order of its branches
    # weights of the neighbourhoods if the tree is about how much weight hypotheses meet; empty if
    # it is about how many hypotheses meet everything
    weights: tuple[int, ...] = ()

    @classmethod
    def trivial(cls, num_points: int) -> Self:
        """Return a proof that sets are not empty, and probabilities not negative."""
        return cls((Neighbourhood.of_point(num_points),), (), (Node((), ()),), (1,))

    def to_json(self, pool: Sequence[int] | None) -> dict[str, Any]:
        """Return the fields of the proof; a pool of None holds all functions on the points."""
        places = None if pool is None else {h: j for j, h in enumerate(pool)}
        tree = []
        for node in self.tree:
            own: list[int] | None = None
            if not self.weights:
                given = dict(node.weights)
                own = [given.get(i, 0) for i in range(len(self.neighbourhoods))]
            tree.append(
                {
                    "symmetries": list(node.symmetries),
                    "branches": [h if places is None else places.get(h, -1) for h in node.branches],
                    "weights": own and encode_integers(own),
                }
            )
        return {
            "neighbourhoods": [
                [near.concept, encode_integers(near.weights)] for near in self.neighbourhoods
            ],
            "weights": encode_integers(self.weights) or None,
            "symmetries": [list(permutation) for permutation in self.permutations],
            "tree": tree,
        }


class Visited(NamedTuple):
    """What a search knows of a node: what its case leaves to those that are not chosen there."""

    chosen: int  # number of hypotheses
    opened: int  # weight of the neighbourhoods that they do not meet
    met: int  # most of it that one more hypothesis meets


@frozen
class Refutation:
    """A proof about given weights with what it was found to say of its nodes."""

    proof: Branching
    visited: list[Visited]

    def least_number(self, failure: Fraction) -> int | None:
        """Return how many hypotheses it takes to miss at most a share of the weight."""
        return least_number(self.visited, failure * sum(self.proof.weights))


def least_number(nodes: Iterable[Visited], missed: int | Fraction = 0) -> int | None:
    """Return how many hypotheses are needed to miss at most this weight, or None."""
    numbers = []
    for chosen, opened, met in nodes:
        more = ceil(opened - missed)
        if more <= 0 or met:
            numbers.append(chosen + max(0, -(-more // max(met, 1))))
    return min(numbers, default=None)


def most_met(nodes: Iterable[Visited], total: int, size: int) -> int:
    """Return how much of a total weight so many hypotheses meet at most."""
    return max(total - opened + (size - chosen) * met for chosen, opened, met in nodes)
