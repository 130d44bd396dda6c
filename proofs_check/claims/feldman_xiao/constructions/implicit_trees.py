"""Mistake trees given by rules, for classes that are too large to be listed.

Conventions: as for `MistakeTree`, a *path* is a string of ``0`` (left) and ``1`` (right), and the
leaf at a path has the label ``path[i]`` on the point of the node at ``path[:i]``.

Main statements (`fx` section 4.1): thresholds over ``2**b`` points have Littlestone dimension at
least ``b``, boxes over ``{0..2**b-1}^d`` at least ``b d``; `fx` section 4.2: lines at least 2; `fx`
Theorem B.2, over ``I^d`` with ``I = {0..n-1}``, ``n = 2**b``, ``b >= 1``: halfspaces at least ``b +
b d (d-1) / 2``, and one more if the proof starts with all ``2 n`` halfspaces over ``I``.
`ImplicitReduction` reduces augmented index to a class with such a tree (`fx` Lemma 10 = 4.2).

The construction for halfspaces. Let ``T`` be a mistake tree over ``I^(d-1)``, and put its points
``x`` into ``I^d`` as ``(x, 0)``. Below the leaf of a halfspace with a collision-free representation
``w . x >= t`` (`fx` Lemma B.1) order the ``N = n**(d-1)`` points of ``I^(d-1)`` as ``x_0, ..,
x_(N-1)`` by their values ``w . x``. The halfspaces ``h_j`` over ``I^d`` with weights ``(w, t - w .
x_j)`` and threshold ``t`` agree with the leaf on the slice ``x_d = 0``. On the slice ``x_d = 1``
they label ``(x_i, 1)`` by ``[w . x_i >= w . x_j] = [i >= j]``: they are the thresholds over ``N``
points. So binary search continues for ``b (d-1)`` levels. Over ``I`` the thresholds ``x >= t`` have
depth ``b``; with their complements ``x < t``, the root may be the point 0, and for either label
``n`` thresholds over ``n - 1`` points remain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from operator import mul
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.families.grids import cube, grid_points
from ccsim.communication.protocols.one_way import OneWayProtocol, Transcript
from ccsim.data import frozen, validated
from ccsim.dimensions.mistake_trees import MistakeTree, Node
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact.fractions import check_prime
from ccsim.exact.probability import generator, uniform_below
from proofs_check.claims.feldman_xiao.constructions.reduction import check_position, path_of

MAX_EXPLICIT_DEPTH = 14
"""Deepest implicit tree that is written out, or checked on every path."""

MAX_SLICE_BITS = 18
"""The slices ``I^(d-1)`` that are ordered have at most two to this number of points."""
_COMPLEMENT = str.maketrans("01", "10")

Vector = tuple[int, ...]
Concept = TypeVar("Concept")
Point = TypeVar("Point")


class ImplicitMistakeTree(ABC, Generic[Concept, Point]):
    """A complete mistake tree whose nodes and leaves are computed on demand.

    A subclass defines the nodes, the leaves, and the labels of points by concepts. `mistaken`
    checks that leaves agree with the nodes above them.
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
        """Return the concept of the leaf at a path of full length."""

    @abstractmethod
    def value(self, concept: Concept, point: Point) -> int:
        """Return the label that a concept gives to a point."""

    @abstractmethod
    def points(self) -> Sequence[Point]:
        """Return all points, in the order of the explicit class.

        Raises
        ------
        InstanceTooLargeError
            If there are too many points.
        """

    def row(self, concept: Concept, points: Sequence[Point]) -> int:
        """Return the mask of the points with label 1 by a concept."""
        return sum(self.value(concept, x) << i for i, x in enumerate(points))

    def mistaken(self, paths: Iterable[str]) -> str | None:
        """Return the first path whose leaf disagrees with a node above it, or None.

        If the result is None for all paths, the tree proves its depth; agreement on a sample is
        only evidence.

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

        Complexity: checking all paths of depth 14 takes one second.

        Raises
        ------
        InstanceTooLargeError
            If the tree is deeper than `MAX_EXPLICIT_DEPTH`.
        """
        _check_depth(self.depth)
        return map("".join, product("01", repeat=self.depth))

    def drawn_paths(self, number: int, seed: int) -> Iterator[str]:
        """Yield the two outermost paths, followed by uniformly random paths.

        Parameters
        ----------
        number : int
            Number of random paths.
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
            If the class has a different number of points, or a leaf is not one of its concepts.
        InstanceTooLargeError
            If the tree is deeper than `MAX_EXPLICIT_DEPTH`.
        """
        _check_depth(self.depth)
        points = self.points()
        if len(points) != len(concept_class.points):
            raise DomainError(
                f"{self}: the class must have {len(points)} points, not {len(concept_class.points)}"
            )
        number = {x: i for i, x in enumerate(points)}
        index = {row: c for c, row in enumerate(concept_class.rows)}

        def concept_number(path: str) -> int:
            concept = self.leaf(path)
            row = self.row(concept, points)
            if row not in index:
                raise DomainError(f"path {path}: {concept} is not a concept of {concept_class}")
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
        """Return a certificate of kind ``littlestone_dimension`` with only the lower bound.

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
    """Raise `DomainError` for a text that is not a path of the required length."""
    if not shortest <= len(path) <= longest or path.strip("01"):
        raise DomainError(
            f"a path must have {shortest} to {longest} characters 0 and 1, not {path!r}"
        )


@frozen
class ThresholdTree(ImplicitMistakeTree[int, int]):
    """Binary search for a threshold ``t_x(y) = 1 iff y >= x`` over ``0 .. 2**b - 1``.

    Below a path of ``i`` turns lie ``2**(b-i)`` consecutive thresholds. The node is the largest
    threshold of the lower half; as a point, it has label 1 exactly for the lower half. So turning
    right chooses the lower half, and the thresholds are the complements of the paths.

    Attributes
    ----------
    b : int
    """

    b: int

    @property
    def depth(self) -> int:
        """The number ``b``."""
        return self.b

    def node(self, prefix: str) -> int:
        """Return the largest point of the lower half of the remaining thresholds."""
        check_prefix(prefix, 0, self.b - 1)
        return _number(prefix + "1" + "0" * (self.b - 1 - len(prefix)))

    def leaf(self, path: str) -> int:
        """Return the remaining threshold."""
        check_prefix(path, self.b, self.b)
        return _number(path)

    def value(self, concept: int, point: int) -> int:
        """Return ``[point >= concept]``."""
        return int(point >= concept)

    def points(self) -> Sequence[int]:
        """Return ``0 .. 2**b - 1``."""
        return range(1 << self.b)

    def row(self, concept: int, points: Sequence[int]) -> int:
        """Return the mask of the points from the threshold on."""
        return (1 << len(points)) - (1 << concept)

    def to_tree(self, concept_class: ConceptClass | None = None) -> MistakeTree:
        """Return the explicit tree; without a class, over the numbers of `ccsim.thresholds`.

        Raises
        ------
        DomainError
            If the given class has other points or lacks a leaf.
        InstanceTooLargeError
            If ``b`` is above `MAX_EXPLICIT_DEPTH`.
        """
        if concept_class is not None:
            return ImplicitMistakeTree.to_tree(self, concept_class)
        return self.written_out(self.node, self.leaf)


@frozen
class BoxTree(ImplicitMistakeTree[tuple[Vector, Vector], Vector]):
    """Binary searches, one for each coordinate, for the lower corner of a box.

    The box from ``s`` to ``(n-1, .., n-1)`` has label ``[y >= s_i]`` on the point with coordinate
    ``y`` in place ``i`` and ``n - 1`` elsewhere, whatever the other ``s_j`` are.

    Attributes
    ----------
    b, d : int
        Side ``n = 2**b`` and dimension.
    """

    b: int
    d: int

    @property
    def depth(self) -> int:
        """The number ``b d``."""
        return self.b * self.d

    def node(self, prefix: str) -> Vector:
        """Return the point that halves the remaining range of one coordinate."""
        check_prefix(prefix, 0, self.depth - 1)
        i, known = divmod(len(prefix), self.b)
        y = ThresholdTree(self.b).node(prefix[len(prefix) - known :])
        highest = (1 << self.b) - 1
        return (highest,) * i + (y,) + (highest,) * (self.d - 1 - i)

    def leaf(self, path: str) -> tuple[Vector, Vector]:
        """Return the lower and the upper corner of the remaining box."""
        check_prefix(path, self.depth, self.depth)
        search = ThresholdTree(self.b)
        lower = tuple(search.leaf(path[i * self.b : (i + 1) * self.b]) for i in range(self.d))
        return lower, ((1 << self.b) - 1,) * self.d

    def value(self, concept: tuple[Vector, Vector], point: Vector) -> int:
        """Return 1 if the point lies in the box."""
        return int(all(s <= x <= t for s, x, t in zip(concept[0], point, concept[1], strict=True)))

    def points(self) -> Sequence[Vector]:
        """Return the grid, the last coordinate varying fastest."""
        return grid_points(cube(self.b, self.d, "box_tree"))


@frozen
class LineTree(ImplicitMistakeTree[Vector, Vector]):
    """The tree of depth 2 for the lines ``y = a x + b`` over ``Z_p``.

    ``(0,0)`` lies on the line if and only if ``b = 0``, and ``(1,0)`` if and only if ``a = -b``.

    Attributes
    ----------
    p : int
        A prime.
    """

    p: int

    @property
    def depth(self) -> int:
        """The depth of the tree, which is 2 for every ``p``."""
        return 2

    def node(self, prefix: str) -> Vector:
        """Return ``(0,0)`` at the root and ``(1,0)`` at the two nodes below it."""
        check_prefix(prefix, 0, 1)
        return len(prefix), 0

    def leaf(self, path: str) -> Vector:
        """Return slope and intercept of a line that contains exactly the points with label 1."""
        check_prefix(path, 2, 2)
        return {"00": (0, 1), "01": (self.p - 1, 1), "10": (1, 0), "11": (0, 0)}[path]

    def value(self, concept: Vector, point: Vector) -> int:
        """Return 1 if the point lies on the line."""
        return int((concept[0] * point[0] + concept[1] - point[1]) % self.p == 0)

    def points(self) -> Sequence[Vector]:
        """Return the points ``(x, y)`` of the plane; ``y`` varies fastest."""
        return grid_points((self.p, self.p))


@checked_types
def threshold_tree(b: int) -> ThresholdTree:
    """Return the binary search for a threshold over ``2**b`` points, of depth ``b >= 0``.

    Examples
    --------
    >>> threshold_tree(2).to_tree()
    MistakeTree(root=(1, (2, 3, 2), (0, 1, 0)))
    >>> tree = threshold_tree(1000)
    >>> tree.node("1" * 999), tree.leaf("1" * 1000)
    (0, 0)
    >>> tree.mistaken(tree.drawn_paths(10, seed=0))
    """
    check_at_least("threshold_tree", "b", b, 0)
    return ThresholdTree(b)


@checked_types
def box_tree(b: int, d: int) -> BoxTree:
    """Return the tree of depth ``b d`` for the boxes over ``{0..2**b-1}^d``, ``b, d >= 1``.

    Examples
    --------
    >>> tree = box_tree(2, 3)
    >>> tree.node("01"), tree.leaf("011010")
    ((3, 1, 3), ((2, 1, 1), (3, 3, 3)))
    >>> tree.mistaken(tree.every_path())
    """
    check_at_least("box_tree", "b", b, 1)
    check_at_least("box_tree", "d", d, 1)
    return BoxTree(b, d)


@checked_types
def line_tree(p: int) -> LineTree:
    """Return the tree of depth 2 for the lines over ``Z_p``, ``p`` prime.

    Examples
    --------
    >>> from ccsim.classes import lines
    >>> line_tree(3).to_tree(lines(3))
    MistakeTree(root=(0, (3, 1, 7), (3, 3, 0)))
    """
    check_at_least("line_tree", "p", p, 2)
    check_prime("line_tree: p", p)
    return LineTree(p)


def check_at_least(name: str, letter: str, value: int, least: int) -> None:
    """Raise `DomainError` for a parameter below its minimum."""
    if value < least:
        raise DomainError(f"{name}: {letter} must be at least {least}, not {value}")


def _number(path: str) -> int:
    """Return the number whose binary digits are the complement of a path."""
    return int("0" + path.translate(_COMPLEMENT), 2)


class Halfspace(NamedTuple):
    """The concept ``w . x >= t`` with integer weights and threshold.

    Examples
    --------
    >>> Halfspace((1, -2), 0).value((3, 1)), Halfspace((1, -2), 0).value((1, 1))
    (1, 0)
    """

    weights: Vector
    threshold: int

    def dot(self, point: Vector) -> int:
        """Return ``w . x``."""
        return sum(map(mul, self.weights, point))

    def value(self, point: Vector) -> int:
        """Return ``[w . x >= t]``."""
        return int(self.dot(point) >= self.threshold)


@checked_types
def collision_free(halfspace: Halfspace, b: int) -> Halfspace:
    """Return a representation with different values ``w . x`` for different grid points.

    Statement (`fx` Lemma B.1): it exists for every halfspace over ``I^k``. Take the weights ``n**k
    w + (1, n, .., n**(k-1))`` and the threshold ``n**k t``. The value of ``x`` is ``n**k (w . x)``
    plus the number whose digits to base ``n`` are the coordinates of ``x``. That number lies in
    ``[0, n**k)``, so that all values differ, and a value is at least ``n**k t`` exactly when ``w .
    x`` is at least ``t``. The paper first doubles the weights to create a margin; integer weights
    do not need this.

    Parameters
    ----------
    halfspace : Halfspace
        With ``k`` weights.
    b : int
        At least 1; the grid is ``{0..2**b-1}^k``.

    Raises
    ------
    DomainError
        If ``b < 1``.

    Examples
    --------
    >>> h = collision_free(Halfspace((1, 1), 1), 1)
    >>> h, [h.dot(x) for x in ((0, 0), (0, 1), (1, 0), (1, 1))]
    (Halfspace(weights=(5, 6), threshold=4), [0, 6, 5, 11])
    """
    check_at_least("collision_free", "b", b, 1)
    shift = b * len(halfspace.weights)
    weights = tuple((w << shift) + (1 << b * i) for i, w in enumerate(halfspace.weights))
    return Halfspace(weights, halfspace.threshold << shift)


@frozen
class HalfspaceTree(ImplicitMistakeTree[Halfspace, Vector]):
    """The tree of the construction above; a point is a tuple of ``d`` coordinates.

    Attributes
    ----------
    b, d : int
        Side ``2**b`` and dimension.
    complements : bool
        Whether the first tree, over ``I``, uses the complements ``x < t`` for one more level.
    """

    b: int
    d: int
    complements: bool

    @property
    def depth(self) -> int:
        """The number ``b + b d (d-1) / 2``, and one more with complements."""
        return self.b + self.b * self.d * (self.d - 1) // 2 + self.complements

    @property
    def _slice(self) -> HalfspaceTree:
        return HalfspaceTree(self.b, self.d - 1, self.complements)

    @property
    def _search(self) -> ThresholdTree:
        return ThresholdTree(self.b * max(self.d - 1, 1))

    def node(self, prefix: str) -> Vector:
        """Return the point of a node: on slice 0 at small depths, on slice 1 at larger ones."""
        check_prefix(prefix, 0, self.depth - 1)
        if self.d == 1:
            return (self._first_node(prefix),)
        known = self._slice.depth
        if len(prefix) < known:
            return *self._slice.node(prefix), 0
        below = collision_free(self._slice.leaf(prefix[:known]), self.b)
        return *_order(below.weights, self.b)[self._search.node(prefix[known:])], 1

    def leaf(self, path: str) -> Halfspace:
        """Return the halfspace of a leaf."""
        check_prefix(path, self.depth, self.depth)
        if self.d == 1:
            return self._first_leaf(path)
        known = self._slice.depth
        below = collision_free(self._slice.leaf(path[:known]), self.b)
        x = _order(below.weights, self.b)[self._search.leaf(path[known:])]
        return Halfspace((*below.weights, below.threshold - below.dot(x)), below.threshold)

    def value(self, concept: Halfspace, point: Vector) -> int:
        """Return ``[w . x >= t]``."""
        return concept.value(point)

    def points(self) -> Sequence[Vector]:
        """Return the grid, the last coordinate varying fastest."""
        return grid_points(cube(self.b, self.d, "halfspace_tree"))

    def _first_node(self, prefix: str) -> int:
        """Return a node of the tree over ``I``; with complements, its root is the point 0."""
        if not self.complements:
            return self._search.node(prefix)
        if not prefix:
            return 0
        return self._search.node(_turned(prefix)) + 1

    def _first_leaf(self, path: str) -> Halfspace:
        """Return ``x >= t`` or, with complements and label 1 on the point 0, ``x < t``."""
        if not self.complements:
            return Halfspace((1,), self._search.leaf(path))
        t = self._search.leaf(_turned(path)) + 1
        return Halfspace((1,), t) if path[0] == "0" else Halfspace((-1,), 1 - t)


@checked_types
def halfspace_tree(b: int, d: int, *, complements: bool = True) -> HalfspaceTree:
    """Return the tree of `fx` Theorem B.2 for the halfspaces over ``{0..2**b-1}^d``.

    Parameters
    ----------
    b, d : int
        At least 1.
    complements : bool
        False for the tree of the paper, which is one level shorter.

    Returns
    -------
    HalfspaceTree
        Of depth ``b + b d (d-1) / 2``, and one more with complements.

    Raises
    ------
    DomainError
    InstanceTooLargeError
        If ``b (d-1)`` is above `MAX_SLICE_BITS`.

    Notes
    -----
    Complexity: a node or leaf sorts the points of ``d - 1`` grids by the weights along its path;
    ``(b, d) = (3, 7)`` takes a second for each path.

    Examples
    --------
    >>> tree = halfspace_tree(1, 2)
    >>> tree.depth, tree.node("11"), tree.leaf("111")
    (3, (1, 1), Halfspace(weights=(-1, -1), threshold=-2))
    >>> tree.mistaken(tree.every_path())
    >>> from ccsim.classes import halfspaces
    >>> tree.to_tree(halfspaces(1, 2)).check(halfspaces(1, 2))
    """
    check_at_least("halfspace_tree", "b", b, 1)
    check_at_least("halfspace_tree", "d", d, 1)
    if b * (d - 1) > MAX_SLICE_BITS:
        raise InstanceTooLargeError(
            f"halfspace_tree: slices of 2**{b * (d - 1)} points are too large to be sorted; "
            f"the limit is 2**{MAX_SLICE_BITS}"
        )
    return HalfspaceTree(b, d, complements)


@lru_cache(maxsize=32)
def _order(weights: Vector, b: int) -> tuple[Vector, ...]:
    """Return the points of the grid by increasing ``w . x``."""
    dot = Halfspace(weights, 0).dot
    return tuple(sorted(product(range(1 << b), repeat=len(weights)), key=dot))


def _turned(path: str) -> str:
    """Return the turns of a search for ``t`` among ``x >= t`` that follow the label of the point 0.

    If this label is 1, the halfspaces are ``x < t``, and each turn is reversed.
    """
    return path[1:].translate(_COMPLEMENT) if path[0] == "1" else path[1:]


@validated
class ImplicitReduction(Generic[Concept, Point]):
    """The maps ``m_C`` and ``m_X`` of an implicit mistake tree of depth ``d >= 1``.

    Inputs of augmented index are numbered as by `ccsim.communication.problem.augmented_index`.

    Attributes
    ----------
    tree : ImplicitMistakeTree

    Raises
    ------
    DomainError
        If the tree is a single leaf.

    Examples
    --------
    >>> reduction = ImplicitReduction(threshold_tree(20))
    >>> reduction.concept(0), reduction.point(1, 0), reduction.point(2, 1)
    (1048575, 524287, 262143)
    >>> reduction.check_sample(10, seed=0)
    """

    tree: ImplicitMistakeTree[Concept, Point]

    def __post_init__(self) -> None:
        if self.tree.depth == 0:
            raise DomainError("augmented index needs a mistake tree of depth at least 1, not 0")

    @property
    def depth(self) -> int:
        """The depth ``d`` of the tree."""
        return self.tree.depth

    def concept(self, x: int) -> Concept:
        """Return ``m_C(x)``, the concept of the leaf that the bits of ``x`` lead to.

        Raises
        ------
        DomainError
            If ``x`` does not lie in ``[0, 2**d)``.
        """
        return self.tree.leaf(path_of(x, self.depth))

    def point(self, i: int, prefix: int) -> Point:
        """Return ``m_X(x_1 ... x_{i-1})``, the point of the node that a prefix leads to.

        Raises
        ------
        DomainError
            If ``i`` is not a position from 1 to ``d``, or the prefix does not lie in
            ``[0, 2**(i-1))``.
        """
        check_position(i, self.depth)
        return self.tree.node(path_of(prefix, i - 1))

    def check_sample(self, number: int, seed: int) -> None:
        """Check the lemma at every position of some uniformly random strings.

        Raises
        ------
        CertificateError
            At the first string and position whose label is not the bit.
        """
        rng = generator(seed)
        for _ in range(number):
            x = uniform_below(1 << self.depth, rng)
            concept = self.concept(x)
            for i in range(1, self.depth + 1):
                point = self.point(i, x & (1 << i - 1) - 1)
                if self.tree.value(concept, point) != x >> i - 1 & 1:
                    raise CertificateError(
                        f"string {x}, position {i}: concept {concept} must have label "
                        f"{x >> i - 1 & 1} on point {point}"
                    )

    def pull_back(
        self,
        protocol: OneWayProtocol,
        alice: Callable[[Concept], int],
        bob: Callable[[Point], int],
    ) -> PulledBackProtocol:
        """Return a protocol for augmented index from one for evaluation (`fx` Corollary 11).

        Parameters
        ----------
        protocol : OneWayProtocol
            A protocol for evaluation, explicit or procedural.
        alice, bob : callable
            Functions that return the number of a concept, or of a point, in the protocol.

        Examples
        --------
            >>> from protocols import LinesHashing
        >>> p = 10007
        >>> reduction = ImplicitReduction(line_tree(p))
        >>> number = lambda pair: p * pair[0] + pair[1]
        >>> pulled = reduction.pull_back(LinesHashing(p=p, bits=2), number, number)
        >>> [pulled.output_probability(0b01, y) for y in (0, 2)]  # bits 1 and then 0
        [Fraction(1, 1), Fraction(1, 4)]
        """

        def points(y: int) -> int:
            i = (y + 1).bit_length()
            return bob(self.point(i, y + 1 - (1 << i - 1)))

        return PulledBackProtocol(protocol, self.depth, lambda x: alice(self.concept(x)), points)


@validated
class PulledBackProtocol(OneWayProtocol):
    """A protocol whose players first map their inputs, here to those of augmented index.

    It is a `ccsim.communication.protocols.one_way.OneWayProtocol`, with the messages, coins and
    answers of the given protocol.

    Attributes
    ----------
    protocol : OneWayProtocol
    depth : int
        Number of bits of augmented index.
    alice_map, bob_map : callable
        Map inputs of augmented index to inputs of `protocol`.
    """

    protocol: OneWayProtocol
    depth: int
    alice_map: Callable[[int], int]
    bob_map: Callable[[int], int]

    @property
    def num_alice(self) -> int:
        """Number of Alice's strings."""
        return 1 << self.depth

    @property
    def num_bob(self) -> int:
        """Number of pairs of a position and a prefix."""
        return (1 << self.depth) - 1

    @property
    def messages(self) -> int:
        """Number of messages."""
        return self.protocol.messages

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that Bob answers 1."""
        return self.protocol.output_probability(self.alice_map(x), self.bob_map(y))

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the protocol once; the transcript names the inputs of augmented index."""
        inner = self.protocol.run(self.alice_map(x), self.bob_map(y), rng)
        return Transcript(x, y, inner.coins, inner.message, inner.answer)
