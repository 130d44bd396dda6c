"""Proof that few hypotheses cannot meet every neighbourhood: a branching tree over hypotheses.

Main definitions: `Node`, `Branching`.

Implementation notes: what a tree proves is computed here from `docs/certificates.md`, with nothing
of the search that finds it (`hitting`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.labels import text_row
from ccsim.errors import CertificateError
from ccsim.representation.hitting_sets.neighbourhoods import Neighbourhood
from ccsim.representation.hitting_sets.symmetries import Permutation

__all__ = ["Branching", "Node"]


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a branching tree.

    Attributes
    ----------
    symmetries : tuple of int
        Numbers of the permutations that map the masks of the node to one another.
    branches : tuple of (int, Node)
        A hypothesis and the node in which it is chosen. Later branches, and the weights, are about
        the masks that are left when its orbit has been dropped.
    weights : tuple of (int, int)
        Open neighbourhoods with positive weights; empty in a tree about given weights.
    """

    symmetries: tuple[int, ...]
    branches: tuple[tuple[int, Node], ...]
    weights: tuple[tuple[int, int], ...] = ()

    def to_json(self, num_points: int, *, weighted: bool) -> dict[str, Any]:
        """Return the node as a part of a certificate; weights stand there if they are its own."""
        branches = [
            [text_row(row, num_points), node.to_json(num_points, weighted=weighted)]
            for row, node in self.branches
        ]
        own = {"weights": [list(pair) for pair in self.weights]} if weighted else {}
        return {"symmetries": list(self.symmetries), "branches": branches} | own


@dataclass(frozen=True, slots=True)
class Branching:
    """A branching tree together with the neighbourhoods and permutations that it refers to.

    Attributes
    ----------
    neighbourhoods : tuple of Neighbourhood
    permutations : tuple of tuple of int
        For each the images of the neighbourhoods.
    tree : Node
    weights : tuple of int
        Weights of the neighbourhoods if the tree is about how much weight hypotheses meet; empty if
        it is about how many hypotheses meet everything.
    """

    neighbourhoods: tuple[Neighbourhood, ...]
    permutations: tuple[Permutation, ...]
    tree: Node
    weights: tuple[int, ...] = ()

    @classmethod
    def of_one(cls, num_points: int) -> Self:
        """Return the proof that one hypothesis is needed: a neighbourhood of the first concept.

        Examples
        --------
        >>> from ccsim.classes import points
        >>> Branching.of_one(2).least_number(points(1), Fraction(1, 3), [0, 1, 2, 3])
        1
        """
        near = Neighbourhood(0, (1,) + (0,) * (num_points - 1))
        return cls((near,), (), Node((), (), ((0, 1),)))

    def check_neighbourhoods(self, concept_class: ConceptClass, *, weighted: bool) -> None:
        """Check that neighbourhoods and nodes are what the tree may refer to.

        Parameters
        ----------
        concept_class : ConceptClass
        weighted : bool
            Whether the tree is to be about weights of the neighbourhoods.

        Raises
        ------
        CertificateError
        """
        concepts, points = len(concept_class), len(concept_class.points)
        for near in self.neighbourhoods:
            if (
                not 0 <= near.concept < concepts
                or len(near.weights) != points
                or min(near.weights, default=0) < 0
                or not any(near.weights)
            ):
                raise CertificateError(
                    f"{near} is no concept with weights of at least 0, not all 0, of the points"
                )
        number = len(self.neighbourhoods)
        fits = len(self.weights) == number >= 1 if weighted else not self.weights
        if not fits or min(self.weights, default=1) < 1:
            own = "a positive weight for each neighbourhood" if weighted else "no such weights"
            raise CertificateError(
                f"the proof needs {own}, {len(self.weights)} are there for {number}"
            )
        waiting = [self.tree]
        for node in waiting:  # grows while it is read
            waiting += (child for _, child in node.branches)
            places = [i for i, _ in node.weights]
            if (
                not all(0 <= i < len(self.permutations) for i in node.symmetries)
                or not all(0 <= i < number for i in places)
                or len(set(places)) != len(places)
            ):
                raise CertificateError(
                    "a node refers to a neighbourhood twice, or to one or a symmetry not there"
                )

    def least_number(
        self,
        concept_class: ConceptClass,
        error: Fraction,
        pool: Sequence[int],
        missed: int = 0,
        budget: Budget | None = None,
    ) -> int | None:
        """Return how many hypotheses it takes, by this proof, to miss at most so much weight.

        Without weights of its own, to miss nothing. None if no number is enough.

        Raises
        ------
        CertificateError
            If the tree breaks a rule, with the hypothesis or the permutation.
        OutOfTimeError
            If the budget is over before.
        """
        found = []
        for node, chosen, opened, left in self._nodes(concept_class, error, pool, budget):
            weights = dict(enumerate(self.weights)) if self.weights else dict(node.weights)
            still = sum(weight for i, weight in weights.items() if opened >> i & 1) - missed
            if not self.weights and any(not opened >> i & 1 or w < 1 for i, w in node.weights):
                raise CertificateError(
                    f"node with {chosen} hypotheses chosen: weights are of open neighbourhoods"
                )
            number = chosen
            for total in _totals(left, weights):
                if still <= 0:
                    break
                number, still = number + 1, still - total
            if still <= 0:
                found.append(number)
        return min(found, default=None)

    def most_met(
        self,
        concept_class: ConceptClass,
        error: Fraction,
        pool: Sequence[int],
        size: int,
        budget: Budget | None = None,
    ) -> int:
        """Return how much weight so many hypotheses meet at most, by this proof.

        Raises
        ------
        CertificateError, OutOfTimeError
        """
        most = 0
        weights = dict(enumerate(self.weights))
        for _, chosen, opened, left in self._nodes(concept_class, error, pool, budget):
            if chosen > size:
                raise CertificateError(f"the tree chooses {chosen} hypotheses, more than {size}")
            met = sum(weight for i, weight in weights.items() if not opened >> i & 1)
            most = max(most, met + sum(_totals(left, weights)[: size - chosen]))
        return most

    def _nodes(
        self, C: ConceptClass, error: Fraction, pool: Sequence[int], budget: Budget | None
    ) -> Iterator[tuple[Node, int, int, set[int]]]:
        """Yield each node with the number chosen, what is open and the masks that are left."""
        masks = dict.fromkeys(pool, 0)
        budget = budget or Budget()
        for i, near in enumerate(self.neighbourhoods):
            budget.spend()
            row = C.rows[near.concept]
            for h in pool:
                if near.holds(h, row, error):
                    masks[h] |= 1 << i
        for permutation in self.permutations:
            if sorted(permutation) != list(range(len(self.neighbourhoods))) or (
                self.weights
                and any(
                    self.weights[i] != w for i, w in zip(permutation, self.weights, strict=True)
                )
            ):
                raise CertificateError(
                    f"{permutation} is no permutation that preserves the weights"
                )
        yield from self._visit(
            self.tree, 0, (1 << len(self.neighbourhoods)) - 1, set(masks.values()), (masks, budget)
        )

    def _visit(
        self,
        node: Node,
        chosen: int,
        opened: int,
        left: set[int],
        given: tuple[dict[int, int], Budget],
    ) -> Iterator[tuple[Node, int, int, set[int]]]:
        masks, budget = given
        budget.spend()
        left = _maximal(mask & opened for mask in left)
        moves = [self.permutations[i] for i in node.symmetries]
        for move in moves:
            budget.spend()
            if any(_moved(mask, move) not in left for mask in left):
                raise CertificateError(
                    f"{move} does not map the masks to one another, {chosen} hypotheses chosen"
                )
        for row, child in node.branches:
            mask = masks.get(row, 0) & opened
            if mask not in left:
                raise CertificateError(
                    f"hypothesis {row:b} is dropped or dominated, {chosen} hypotheses chosen"
                )
            yield from self._visit(child, chosen + 1, opened & ~mask, left, given)
            fresh = {mask}
            while fresh:
                left = left - fresh
                fresh = {_moved(each, move) for each in fresh for move in moves} & left
        yield node, chosen, opened, left

    def to_json(self) -> dict[str, Any]:
        """Return the proof as a part of a certificate."""
        points = len(self.neighbourhoods[0].weights) if self.neighbourhoods else 0
        own = {"weights": list(self.weights)} if self.weights else {}
        return {
            "neighbourhoods": [[near.concept, list(near.weights)] for near in self.neighbourhoods],
            "symmetries": [list(permutation) for permutation in self.permutations],
            "tree": self.tree.to_json(points, weighted=not self.weights),
        } | own


def _totals(masks: Iterable[int], weights: dict[int, int]) -> list[int]:
    """Return the weight of each mask, the largest first."""
    return sorted((sum(w for i, w in weights.items() if m >> i & 1) for m in masks), reverse=True)


def _maximal(masks: Iterable[int]) -> set[int]:
    """Return the masks that are not empty and no part of another one."""
    by_size = sorted(set(masks) - {0}, key=lambda mask: -mask.bit_count())
    kept: list[int] = []
    for mask in by_size:
        if not any(mask | other == other for other in kept):
            kept.append(mask)
    return set(kept)


def _moved(mask: int, permutation: Permutation) -> int:
    return sum(1 << image for i, image in enumerate(permutation) if mask >> i & 1)
