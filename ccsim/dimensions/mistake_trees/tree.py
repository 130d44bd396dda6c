"""Complete mistake trees: what proves a Littlestone dimension from below.

Main definition: `MistakeTree`.

Statement (`fx` Definition 2.4): inner nodes carry points, leaves carry concepts, and a leaf's
concept has label 1 on the point of a node if the leaf lies in the node's right subtree, and label 0
if it lies in the left one. The largest depth of a complete tree is the Littlestone dimension.

Implementation notes: the definition is about the nodes of a leaf's path only. A leaf may disagree
with a node elsewhere in the tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from ccsim.border import show_value
from ccsim.classes import ConceptClass
from ccsim.errors import CertificateError, DomainError

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["MAX_TREE_DEPTH", "MistakeTree", "Node"]

Node: TypeAlias = "int | tuple[int, Node, Node]"
"""A leaf is a concept's index; an inner node is ``(point, left, right)``, left for label 0."""

MAX_TREE_DEPTH = 60
"""Deepest tree that is accepted; a class of ``2**26`` concepts has depth at most 26."""


@dataclass(frozen=True, slots=True)
class MistakeTree:
    """A mistake tree over the indices of a class; `check` says whether it is one, and complete.

    A *path* is a string of ``0`` (left) and ``1`` (right); the empty path is the root.

    Attributes
    ----------
    root : Node
        The tree as nested tuples.

    Raises
    ------
    DomainError
        If the root is not made of indices and triples, or is deeper than `MAX_TREE_DEPTH`.

    Examples
    --------
    >>> tree = MistakeTree((0, 1, (1, 2, 0)))
    >>> tree.node(""), tree.leaf("10"), tree.depth
    (0, 2, 1)
    >>> MistakeTree.from_json(tree.to_json()) == eval(repr(tree)) == tree
    True
    """

    root: Node

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", _normal_form(self.root, ""))

    @property
    def depth(self) -> int:
        """Length of the leftmost path, which is that of every path when the tree is complete."""
        return len(next(self.paths())[0])

    def paths(self) -> Iterator[tuple[str, tuple[int, ...], int]]:
        """Yield every path to a leaf, the points on it and the leaf's concept, left to right."""
        waiting: list[tuple[str, tuple[int, ...], Node]] = [("", (), self.root)]
        while waiting:
            path, points, node = waiting.pop()
            if isinstance(node, int):
                yield path, points, node
            else:
                point, left, right = node
                waiting.append((path + "1", (*points, point), right))
                waiting.append((path + "0", (*points, point), left))

    def node(self, path: str) -> int:
        """Return the point of the inner node at a path.

        Raises
        ------
        DomainError
            If there is no inner node at the path.
        """
        found = self._descend(path)
        if isinstance(found, int):
            raise DomainError(f"path {path!r} ends at a leaf, not at an inner node")
        return found[0]

    def leaf(self, path: str) -> int:
        """Return the concept of the leaf at a path.

        Raises
        ------
        DomainError
            If there is no leaf at the path.
        """
        found = self._descend(path)
        if not isinstance(found, int):
            raise DomainError(f"path {path!r} ends at an inner node, not at a leaf")
        return found

    def check(self, concept_class: ConceptClass) -> None:
        """Check, path by path, that this is a complete mistake tree for a class.

        Complexity: the number of leaves times the depth.

        Raises
        ------
        CertificateError
            At the first path that is too short or too long, or whose leaf disagrees with a node.
        """
        depth = self.depth
        for path, points, concept in self.paths():
            if len(path) != depth:
                raise CertificateError(
                    f"path {path}: the leaf has depth {len(path)}, the leftmost one {depth}"
                )
            _check_path(concept_class, path, points, concept)

    def to_json(self) -> Any:  # noqa: ANN401 - nested lists of any depth
        """Return the tree as nested lists (`docs/certificates.md`)."""
        return _nested_lists(self.root)

    @classmethod
    def from_json(cls, value: Any) -> Self:  # noqa: ANN401 - any JSON value
        """Return the tree of nested lists.

        Raises
        ------
        DomainError
            If the value is not a tree.
        """
        return cls(value)

    def to_networkx(self) -> nx.DiGraph[str]:
        """Return the tree as a directed graph on its paths, for drawing and traversal.

        Inner nodes have the attribute ``point``, leaves ``concept``, edges ``label``.

        Examples
        --------
        >>> graph = MistakeTree((4, 1, 0)).to_networkx()
        >>> graph.nodes[""], graph.nodes["1"], graph.edges["", "1"]
        ({'point': 4}, {'concept': 0}, {'label': 1})
        """
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        for path, points, concept in self.paths():
            for j, (point, bit) in enumerate(zip(points, path, strict=True)):
                graph.add_node(path[:j], point=point)
                graph.add_edge(path[:j], path[: j + 1], label=int(bit))
            graph.add_node(path, concept=concept)
        return graph

    def _descend(self, path: str) -> Node:
        node = self.root
        if not isinstance(path, str):
            raise DomainError(f"a path is a text of 0 and 1, not {show_value(path)}")
        for j, bit in enumerate(path):
            if bit not in "01":
                raise DomainError(f"a path is made of 0 and 1, not {path!r}")
            if isinstance(node, int):
                raise DomainError(f"path {path!r} goes on below the leaf at {path[:j]!r}")
            node = node[1 + int(bit)]
        return node


def _normal_form(node: object, path: str) -> Node:
    """Return a node as nested tuples, after a check of its shape."""
    if len(path) > MAX_TREE_DEPTH:
        raise DomainError(
            f"a mistake tree is limited to depth {MAX_TREE_DEPTH}, path {path} is longer"
        )
    if isinstance(node, tuple | list):
        if len(node) != 3:
            raise DomainError(
                f"path {path!r}: an inner node is (point, left, right), not {len(node)} entries"
            )
        left, right = _normal_form(node[1], path + "0"), _normal_form(node[2], path + "1")
        return _index(node[0], path), left, right
    return _index(node, path)


def _index(value: object, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise DomainError(
            f"path {path!r}: a point or concept is an index from 0, not {show_value(value)}"
        )
    return value


def _check_path(C: ConceptClass, path: str, points: tuple[int, ...], concept: int) -> None:
    """Check that a leaf's concept agrees with the turns of its path."""
    if concept >= len(C.concepts):
        raise CertificateError(
            f"path {path}: concept {concept} does not exist, there are {len(C.concepts)}"
        )
    for x, bit in zip(points, path, strict=True):
        if x >= len(C.points):
            raise CertificateError(
                f"path {path}: point {x} does not exist, there are {len(C.points)}"
            )
        if C.value(concept, x) != int(bit):
            raise CertificateError(
                f"path {path}: concept {concept} ({C.concepts[concept]}) has "
                f"{C.value(concept, x)} on point {x} ({C.points[x]}), the path says {bit}"
            )


def _nested_lists(node: Node) -> Any:  # noqa: ANN401 - nested lists of any depth
    if isinstance(node, int):
        return node
    return [node[0], _nested_lists(node[1]), _nested_lists(node[2])]
