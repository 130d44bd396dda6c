"""Mistake trees given by rules instead of nodes, for classes far too large to be written down.

Conventions: as for `MistakeTree`, a *path* is a string of ``0`` (left) and ``1`` (right), and the
leaf at a path has the label ``path[i]`` on the point of the node at ``path[:i]``. Points and
concepts are whatever the family says; the tree evaluates its concepts exactly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Generic, TypeVar

from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.dimensions.mistake_trees.tree import MistakeTree, Node
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.probability import generator

MAX_EXPLICIT_DEPTH = 14
"""Deepest implicit tree that is written out, or checked on every path."""

Concept = TypeVar("Concept")
Point = TypeVar("Point")


class ImplicitMistakeTree(ABC, Generic[Concept, Point]):
    """A complete mistake tree whose nodes and leaves are computed when they are asked for.

    A family of trees says what its nodes and leaves are and how a concept labels a point. Nothing
    is believed: `mistaken` compares leaves with the nodes above them.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def depth(self) -> int:
        """Number of nodes on every path, a lower bound on the Littlestone dimension."""

    @abstractmethod
    def node(self, prefix: str) -> Point:
        """Return the point of the inner node at a path shorter than the depth."""

    @abstractmethod
    def leaf(self, path: str) -> Concept:
        """Return the concept of the leaf at a path as long as the depth."""

    @abstractmethod
    def value(self, concept: Concept, point: Point) -> int:
        """Return the label that a concept gives to a point."""

    @abstractmethod
    def points(self) -> Sequence[Point]:
        """Return all points, in the order in which the explicit class of the family numbers them.

        Raises
        ------
        InstanceTooLargeError
            If there are too many.
        """

    def row(self, concept: Concept, points: Sequence[Point]) -> int:
        """Return the mask of the points that a concept labels 1."""
        return sum(self.value(concept, x) << i for i, x in enumerate(points))

    def mistaken(self, paths: Iterable[str]) -> str | None:
        """Return the first of some paths whose leaf disagrees with a node above it; None if none.

        Without any among all paths the tree proves its depth; agreement on a sample is evidence.

        Parameters
        ----------
        paths : iterable of str
            For example `every_path` or `drawn_paths`.
        """
        for path in paths:
            concept = self.leaf(path)
            for i, bit in enumerate(path):
                if self.value(concept, self.node(path[:i])) != int(bit):
                    return path
        return None

    def every_path(self) -> Iterator[str]:
        """Yield all ``2**depth`` paths.

        Complexity: one second for all of depth 14 to be looked at.

        Raises
        ------
        InstanceTooLargeError
            If the tree is deeper than `MAX_EXPLICIT_DEPTH`.
        """
        _check_depth(self.depth)
        return map("".join, product("01", repeat=self.depth))

    def drawn_paths(self, number: int, seed: int) -> Iterator[str]:
        """Yield the two outermost paths and some that are drawn uniformly.

        Parameters
        ----------
        number : int
            How many paths are drawn.
        seed : int
        """
        rng = generator(seed)
        yield from ("0" * self.depth, "1" * self.depth)
        for _ in range(number):
            yield "".join(map(str, rng.integers(2, size=self.depth)))

    def to_tree(self, concept_class: ConceptClass) -> MistakeTree:
        """Return the tree over the indices of an explicit class, which `MistakeTree.check` checks.

        Parameters
        ----------
        concept_class : ConceptClass
            Over all points of the family in their order, with every leaf among its concepts.

        Raises
        ------
        DomainError
            If the class has another number of points, or a leaf is none of its concepts.
        InstanceTooLargeError
            If the tree is deeper than `MAX_EXPLICIT_DEPTH`.
        """
        _check_depth(self.depth)
        points = self.points()
        if len(points) != len(concept_class.points):
            raise DomainError(
                f"{self} is over {len(points)} points, not over {len(concept_class.points)}"
            )
        number = {x: i for i, x in enumerate(points)}
        index = {row: c for c, row in enumerate(concept_class.rows)}

        def concept_number(path: str) -> int:
            concept = self.leaf(path)
            row = self.row(concept, points)
            if row not in index:
                raise DomainError(f"path {path}: {concept} is no concept of {concept_class}")
            return index[row]

        return self.written_out(lambda prefix: number[self.node(prefix)], concept_number)

    def written_out(self, node: Callable[[str], int], leaf: Callable[[str], int]) -> MistakeTree:
        """Return the explicit tree with the given numbers of points and concepts.

        Raises
        ------
        InstanceTooLargeError
            If the tree is deeper than `MAX_EXPLICIT_DEPTH`.
        """
        _check_depth(self.depth)

        def subtree(path: str) -> Node:
            if len(path) == self.depth:
                return leaf(path)
            return node(path), subtree(path + "0"), subtree(path + "1")

        return MistakeTree(subtree(""))

    def certificate(self, concept_class: ConceptClass) -> Certificate:
        """Return a certificate of kind ``littlestone_dimension`` with the lower bound alone.

        Raises
        ------
        DomainError, InstanceTooLargeError
            As `to_tree`.
        """
        return self.to_tree(concept_class).certificate(concept_class)


def _check_depth(depth: int) -> None:
    if depth > MAX_EXPLICIT_DEPTH:
        raise InstanceTooLargeError(
            f"a tree of depth {depth} is too large; the limit is depth {MAX_EXPLICIT_DEPTH}"
        )


def check_prefix(path: str, shortest: int, longest: int) -> None:
    """Refuse what is no path, or leads elsewhere than asked."""
    if not shortest <= len(path) <= longest or path.strip("01"):
        raise DomainError(
            f"a path must have {shortest} to {longest} characters 0 and 1, not {path!r}"
        )
