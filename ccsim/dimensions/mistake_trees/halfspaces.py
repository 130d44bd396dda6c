"""A deep mistake tree for the halfspaces over a grid (`fx` Theorem B.2), by construction.

Main statements, over ``I^d`` with ``I = {0..n-1}`` and ``n = 2**b``, ``b >= 1``:

* `fx` Lemma B.1 (`collision_free`): every halfspace has an integer representation ``w . x >= t`` in
  which different points have different values ``w . x``.
* `fx` Theorem B.2 (`halfspace_tree`): the Littlestone dimension is at least ``b + b d (d-1) / 2``.
  The proof gives one more when it starts from all ``2 n`` halfspaces over ``I``.

The construction. Let ``T`` be a mistake tree for halfspaces over ``I^(d-1)``, and put its points
``x`` into ``I^d`` as ``(x, 0)``. Below the leaf of a halfspace with a collision-free representation
``w . x >= t`` order the ``N = n**(d-1)`` points of ``I^(d-1)`` as ``x_0, .., x_(N-1)`` by their
values ``w . x``. The halfspaces ``h_j`` over ``I^d`` with weights ``(w, t - w . x_j)`` and
threshold ``t`` agree with the leaf on the slice ``x_d = 0``. On the slice ``x_d = 1`` they label
``(x_i, 1)`` by ``[w . x_i >= w . x_j] = [i >= j]``: they are the thresholds over ``N`` points. So
binary search goes on for ``b (d-1)`` levels, and the depths add up to ``b (1 + 2 + .. + (d-1))``
and that of the first tree. Over ``I`` itself the thresholds ``x >= t`` have depth ``b``; with their
complements ``x < t`` the label of 0 may be asked for first, and on either side ``n`` thresholds
over ``n - 1`` points remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from operator import mul
from typing import NamedTuple

from ccsim.arguments.checked import checked_types
from ccsim.classes.families.grids import cube, grid_points
from ccsim.data import frozen
from ccsim.dimensions.mistake_trees.families import ThresholdTree, Vector, check_at_least
from ccsim.dimensions.mistake_trees.rules import ImplicitMistakeTree, check_prefix
from ccsim.errors import InstanceTooLargeError

MAX_SLICE_BITS = 18
"""The slices ``I^(d-1)`` that are ordered have at most two to this number of points."""

COMPLEMENT = str.maketrans("01", "10")


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
    """Return a representation in which different points of the grid have different ``w . x``.

    Statement (`fx` Lemma B.1): it exists for every halfspace over ``I^k``. Take the weights
    ``n**k w + (1, n, .., n**(k-1))`` and the threshold ``n**k t``. The value of ``x`` is
    ``n**k (w . x)`` plus the number whose digits to base ``n`` are the coordinates of ``x``. That
    number lies in ``[0, n**k)``, so that all values differ, and a value is at least ``n**k t``
    exactly when ``w . x`` is at least ``t``. The paper first doubles the weights to make a margin,
    which integers need not.

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
        """Return the point of a node: on the slice 0 at first, then on the slice 1."""
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
        """Return the grid, the last coordinate running fastest."""
        return grid_points(cube(self.b, self.d, "halfspace_tree"))

    def _first_node(self, prefix: str) -> int:
        """Return the node over ``I``: 0 is asked for first, if complements are used."""
        if not self.complements:
            return self._search.node(prefix)
        if not prefix:
            return 0
        return self._search.node(_turned(prefix)) + 1

    def _first_leaf(self, path: str) -> Halfspace:
        """Return ``x >= t``, or with complements ``x < t`` where the label of 0 is 1."""
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
    Complexity: a node or leaf orders the points of ``d - 1`` grids by the weights that lead to it;
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
            f"halfspace_tree: slices of 2**{b * (d - 1)} points are too large to be ordered; "
            f"the limit is 2**{MAX_SLICE_BITS}"
        )
    return HalfspaceTree(b, d, complements)


@lru_cache(maxsize=32)
def _order(weights: Vector, b: int) -> tuple[Vector, ...]:
    """Return the points of the grid by increasing ``w . x``."""
    dot = Halfspace(weights, 0).dot
    return tuple(sorted(product(range(1 << b), repeat=len(weights)), key=dot))


def _turned(path: str) -> str:
    """Return the turns of a search for ``t`` among ``x >= t``, after the label of 0.

    Where that label is 1 the halfspaces are ``x < t``, and each turn goes the other way.
    """
    return path[1:].translate(COMPLEMENT) if path[0] == "1" else path[1:]
