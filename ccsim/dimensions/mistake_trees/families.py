"""Mistake trees by construction: thresholds, boxes and lines, at sizes where search is no use.

Main statements (`fx` section 4.1): thresholds over ``2**b`` points have Littlestone dimension at
least ``b``, boxes over ``{0..2**b-1}^d`` at least ``b d``; `fx` section 4.2: lines at least 2.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.classes.families.grids import cube, grid_points
from ccsim.data import frozen
from ccsim.dimensions.mistake_trees.rules import ImplicitMistakeTree, check_prefix
from ccsim.dimensions.mistake_trees.tree import MistakeTree
from ccsim.errors import DomainError
from ccsim.exact.fractions import check_prime

COMPLEMENT = str.maketrans("01", "10")

Vector = tuple[int, ...]


@frozen
class ThresholdTree(ImplicitMistakeTree[int, int]):
    """Binary search for a threshold ``t_x(y) = 1 iff y >= x`` over ``0 .. 2**b - 1``.

    Below a path of ``i`` turns lie ``2**(b-i)`` consecutive thresholds. The node is the largest of
    the lower half, on which exactly the lower half is 1; so turning right is choosing the lower
    half, and the thresholds are the complements of the paths.

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
        """Return the largest point of the lower half of what is left."""
        check_prefix(prefix, 0, self.b - 1)
        return _number(prefix + "1" + "0" * (self.b - 1 - len(prefix)))

    def leaf(self, path: str) -> int:
        """Return the threshold that is left."""
        check_prefix(path, self.b, self.b)
        return _number(path)

    def value(self, concept: int, point: int) -> int:
        """Return ``[point >= concept]``."""
        return int(point >= concept)

    def points(self) -> Sequence[int]:
        """Return ``0 .. 2**b - 1``."""
        return range(1 << self.b)

    def row(self, concept: int, points: Sequence[int]) -> int:
        """Return the points from the threshold on."""
        return (1 << len(points)) - (1 << concept)

    def to_tree(self, concept_class: ConceptClass | None = None) -> MistakeTree:
        """Return the explicit tree; without a class, over the numbers of `ccsim.thresholds`.

        Raises
        ------
        DomainError
            If a class is given and does not fit.
        InstanceTooLargeError
            If ``b`` is above `ccsim.dimensions.mistake_trees.rules.MAX_EXPLICIT_DEPTH`.
        """
        if concept_class is not None:
            return super().to_tree(concept_class)
        return self.written_out(self.node, self.leaf)


@frozen
class BoxTree(ImplicitMistakeTree[tuple[Vector, Vector], Vector]):
    """One binary search after the other for the lower corner of a box with the highest upper one.

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
        """Return the point that halves what is left of one coordinate."""
        check_prefix(prefix, 0, self.depth - 1)
        i, known = divmod(len(prefix), self.b)
        y = ThresholdTree(self.b).node(prefix[len(prefix) - known :])
        highest = (1 << self.b) - 1
        return (highest,) * i + (y,) + (highest,) * (self.d - 1 - i)

    def leaf(self, path: str) -> tuple[Vector, Vector]:
        """Return the lower and the upper corner of the box that is left."""
        check_prefix(path, self.depth, self.depth)
        search = ThresholdTree(self.b)
        lower = tuple(search.leaf(path[i * self.b : (i + 1) * self.b]) for i in range(self.d))
        return lower, ((1 << self.b) - 1,) * self.d

    def value(self, concept: tuple[Vector, Vector], point: Vector) -> int:
        """Return 1 if the point lies in the box."""
        return int(all(s <= x <= t for s, x, t in zip(concept[0], point, concept[1], strict=True)))

    def points(self) -> Sequence[Vector]:
        """Return the grid, the last coordinate running fastest."""
        return grid_points(cube(self.b, self.d, "box_tree"))


@frozen
class LineTree(ImplicitMistakeTree[Vector, Vector]):
    """The tree of depth 2 for the lines ``y = a x + b`` over ``Z_p``.

    The points ``(0,0)`` and ``(1,0)`` lie on ``a x + b`` when ``b = 0`` and when ``a = -b``.

    Attributes
    ----------
    p : int
        A prime.
    """

    p: int

    @property
    def depth(self) -> int:
        """The number 2."""
        return 2

    def node(self, prefix: str) -> Vector:
        """Return ``(0,0)`` at the root and ``(1,0)`` below it."""
        check_prefix(prefix, 0, 1)
        return len(prefix), 0

    def leaf(self, path: str) -> Vector:
        """Return slope and intercept of a line through exactly the points that the path says."""
        check_prefix(path, 2, 2)
        return {"00": (0, 1), "01": (self.p - 1, 1), "10": (1, 0), "11": (0, 0)}[path]

    def value(self, concept: Vector, point: Vector) -> int:
        """Return 1 if the point lies on the line."""
        return int((concept[0] * point[0] + concept[1] - point[1]) % self.p == 0)

    def points(self) -> Sequence[Vector]:
        """Return the plane, ``(x, y)`` with ``y`` running fastest."""
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
    """Refuse a parameter below its least value."""
    if value < least:
        raise DomainError(f"{name}: {letter} must be at least {least}, not {value}")


def _number(path: str) -> int:
    """Return the number whose binary digits are the complement of a path."""
    return int("0" + path.translate(COMPLEMENT), 2)
