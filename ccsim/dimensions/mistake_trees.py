"""Mistake trees and their refutations, which prove lower and upper bounds.

The concept of a leaf has label 1 (0) on the point of each node in whose right (left) subtree it
lies. An entry of a refutation states that a version space has no complete tree of depth ``d``. It
is proved if, for each point, one side has fewer than ``2**(d - 1)`` concepts or is contained in a
version space that an earlier entry refutes for depth ``d - 1``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from ccsim.arguments.renamed import Renamed
from ccsim.arguments.values import show_value
from ccsim.certificates import Certificate, verify
from ccsim.certificates.envelope import no_cycles
from ccsim.classes import ConceptClass, PartialClass
from ccsim.data import validated
from ccsim.dimensions.answer import kind_for
from ccsim.errors import CertificateError, DomainError
from ccsim.kernel import Rejected
from ccsim.symmetry.matrix import Symmetry

if TYPE_CHECKING:
    import networkx as nx

Node: TypeAlias = "int | tuple[int, Node, Node]"
"""A leaf is the index of a concept; an inner node is ``(point, left, right)``, left for label 0."""
Step: TypeAlias = "tuple[int, int, int] | tuple[int, int, int, tuple[int, ...]]"
"""A point, a label, the number of an entry and, in a refutation up to symmetry, a word."""
MAX_TREE_DEPTH = 60
"""Maximum depth of a mistake tree; a class of 2**26 concepts has depth at most 26."""


@validated
class MistakeTree:
    """A mistake tree on the points and concepts of a class; `check` verifies that it is complete.

    A *path* is a string of ``0`` (left) and ``1`` (right); the empty path is the root.

    Attributes
    ----------
    root : Node
        The tree as nested tuples, of depth at most `MAX_TREE_DEPTH`.

    Examples
    --------
    >>> tree = MistakeTree((0, 1, (1, 2, 0)))
    >>> tree.node(""), tree.leaf("10"), tree.depth
    (0, 2, 1)
    >>> eval(repr(tree)) == tree
    True
    """

    root: Node

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", _normal_form(self.root, ""))

    def __str__(self) -> str:
        """Return the depth, in words."""
        return f"depth {self.depth}"

    @property
    def depth(self) -> int:
        """Length of the leftmost path; in a complete tree, of every path."""
        return len(next(self.paths())[0])

    def paths(self) -> Iterator[tuple[str, tuple[int, ...], int]]:
        """Yield each path to a leaf, left to right, with its points and the concept at the leaf."""
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
        """Return the point of the inner node at a path."""
        found = self._descend(path)
        if isinstance(found, int):
            raise DomainError(f"path {path!r} ends at a leaf, not at an inner node")
        return found[0]

    def leaf(self, path: str) -> int:
        """Return the concept of the leaf at a path."""
        found = self._descend(path)
        if not isinstance(found, int):
            raise DomainError(f"path {path!r} ends at an inner node, not at a leaf")
        return found

    def certificate(self, concept_class: ConceptClass | PartialClass) -> Certificate:
        """Return a certificate of kind ``littlestone_dimension`` for the lower bound only.

        For a partial class, the kind is ``partial_littlestone_dimension``.

        Complexity: checking a node takes a few tenths of a microsecond.
        """
        return Certificate(
            kind_for("littlestone_dimension", concept_class),
            concept_class.to_json(),
            {"lower": self.depth, "upper": None},
            {"mistake_tree": {"tree": self.to_json()}},
            None,
        )

    def check(self, concept_class: ConceptClass | PartialClass) -> None:
        """Check with the kernel that this is a complete mistake tree for a class."""
        try:
            verify(self.certificate(concept_class).to_dict())
        except Rejected as error:
            raise CertificateError(str(error)) from None

    def to_json(self) -> list[int]:
        """Return the nodes in preorder (`docs/certificates.md`).

        Examples
        --------
        >>> MistakeTree((0, 1, (1, 2, 0))).to_json()
        [0, 1, 1, 2, 0]
        """
        nodes: list[int] = []
        waiting: list[Node] = [self.root]
        while waiting:
            node = waiting.pop()
            if isinstance(node, int):
                nodes.append(node)
            else:
                nodes.append(node[0])
                waiting += node[:0:-1]
        return nodes

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Return the complete tree with the given nodes in preorder.

        Examples
        --------
        >>> MistakeTree.from_json([0, 1, 2])
        MistakeTree(root=(0, 1, 2))
        """
        if not isinstance(value, list) or not value or len(value) & len(value) + 1:
            raise DomainError("a complete tree must be a list of 2^k - 1 nodes in preorder")
        if len(value) >> MAX_TREE_DEPTH:
            raise DomainError(f"the depth of a mistake tree must be at most {MAX_TREE_DEPTH}")

        if set(map(type, value)) != {int} or min(value) < 0:
            for node in value:
                _index(node, "")
        places, rows = [0], []
        for half in (len(value) + 1 >> i for i in range(1, len(value).bit_length())):
            rows.append([value[i] for i in places])
            places = [child for i in places for child in (i + 1, i + half)]
        nodes: list[Node] = [value[i] for i in places]
        for row in reversed(rows):
            nodes = list(zip(row, nodes[0::2], nodes[1::2], strict=True))
        tree = object.__new__(cls)
        object.__setattr__(tree, "root", nodes[0])  # which is in normal form
        return tree

    def to_networkx(self) -> nx.DiGraph[str]:
        """Return the tree as a networkx directed graph whose nodes are paths.

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
            raise DomainError(f"a path must be a string of 0s and 1s, not {show_value(path)}")
        for j, bit in enumerate(path):
            if bit not in "01":
                raise DomainError(f"a path must be a string of 0s and 1s, not {path!r}")
            if isinstance(node, int):
                raise DomainError(f"path {path!r} continues below the leaf at {path[:j]!r}")
            node = node[1 + int(bit)]
        return node


@validated
class RefutationEntry:
    """The statement that a version space has no complete mistake tree of a given depth.

    Attributes
    ----------
    version_space : tuple of (point, label)
        The concepts that agree with this partial assignment.
    depth : int
        Depth of the excluded trees, at least 1.
    steps : tuple of (point, label, entry) or (point, label, entry, word)
        A step states that the concepts with this label on this point have no tree of depth ``depth
        - 1``. The entry with the given number proves this, or the image of this entry under the
        symmetries that the word lists, applied in order. For each point without a step, too few
        concepts have one of the two labels.
    """

    version_space: tuple[tuple[int, int], ...]
    depth: int
    steps: tuple[Step, ...]


@validated
class LittlestoneRefutation:
    """A list of entries, each of which follows from earlier ones.

    The version space of the last entry is the whole class.

    Attributes
    ----------
    entries : tuple of RefutationEntry
        Empty if the number of concepts proves the bound.
    symmetries : tuple of Symmetry, optional
        Symmetries of the class; if given, every step has a word.

    Examples
    --------
    >>> LittlestoneRefutation((RefutationEntry((), 2, ()),)).to_json(1)
    {'refutation': {'symmetries': [], 'spaces': [[2, [], [], []]]}}
    """

    entries: tuple[RefutationEntry, ...]
    symmetries: tuple[Symmetry, ...] = ()
    _listed: Callable[[], Iterable[RefutationEntry]] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    when_asked = Renamed("deferred")

    @classmethod
    def deferred(
        cls, listed: Callable[[], Iterable[RefutationEntry]], symmetries: Sequence[Symmetry] = ()
    ) -> Self:
        """Return a refutation whose entries are constructed at their first use.

        The search stores them in arrays; constructing many objects would take as long as the
        search.
        """
        made = object.__new__(cls)
        object.__setattr__(made, "symmetries", tuple(symmetries))
        object.__setattr__(made, "_listed", listed)
        return made

    def __getattr__(self, name: str) -> tuple[RefutationEntry, ...]:
        listed = self._listed if name == "entries" else None
        if listed is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        entries = no_cycles()(lambda: tuple(listed()))()
        object.__setattr__(self, "entries", entries)
        object.__setattr__(self, "_listed", None)
        return entries

    def to_json(self, upper: int) -> dict[str, Any]:
        """Return the proof of an upper bound as a part of a certificate."""
        entries = self.entries or (RefutationEntry((), upper + 1, ()),)
        spaces: list[list[Any]] = []
        place: dict[tuple[int, ...], int] = {}  # of an entry and a word

        def image(entry: int, word: tuple[int, ...]) -> int:
            key = (entry, *word)
            if key not in place:
                if not word:
                    raise CertificateError(f"entry {entry} must refer to an earlier entry")
                spaces.append([image(entry, word[:-1]), word[-1]])
                place[key] = len(spaces) - 1
            return place[key]

        for number, entry in enumerate(entries):
            below = [image(step[2], step[3] if len(step) > 3 else ()) for step in entry.steps]
            literals = [2 * x + b for x, b in entry.version_space]
            turns = [2 * step[0] + step[1] for step in entry.steps]
            place[(number,)] = len(spaces)
            spaces.append([entry.depth, literals, turns, below])
        symmetries = [symmetry.to_json() for symmetry in self.symmetries]
        return {"refutation": {"symmetries": symmetries, "spaces": spaces}}

    def check(self, concept_class: ConceptClass, bound: int) -> None:
        """Check with the kernel that no complete mistake tree has depth ``bound + 1``."""
        statement, proof = {"lower": None, "upper": bound}, self.to_json(bound)
        kind, instance = "littlestone_dimension", concept_class.to_json()
        try:
            verify(Certificate(kind, instance, statement, None, proof).to_dict())
        except Rejected as error:
            raise CertificateError(str(error)) from None


def _normal_form(node: object, path: str) -> Node:
    """Return a node as nested tuples, after checking its shape."""
    if len(path) > MAX_TREE_DEPTH:
        raise DomainError(
            f"the depth of a mistake tree must be at most {MAX_TREE_DEPTH}; path {path} is longer"
        )
    if isinstance(node, tuple | list):
        if len(node) != 3:
            raise DomainError(
                f"path {path!r}: an inner node must be (point, left, right), not {len(node)} "
                "entries"
            )
        left, right = _normal_form(node[1], path + "0"), _normal_form(node[2], path + "1")
        return _index(node[0], path), left, right
    return _index(node, path)


def _index(value: object, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise DomainError(
            f"path {path!r}: a point or concept must be a non-negative index, not "
            f"{show_value(value)}"
        )
    return value
