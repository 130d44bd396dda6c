"""Classes on grids ``{0..n_1-1} x ... x {0..n_d-1}`` (`fx` section 4.1), enumerated exactly.

Points are numbered with the last coordinate running fastest. No boundary needs to pass through a
grid point. So halfspaces are the dichotomies of the vectors ``(x, 1)``. Balls, written as ``a + <w,
x> - m |x|^2 > 0`` with ``w = 2 m c``, are the dichotomies of the vectors ``(1, x, -|x|^2)`` that
are positive on ``(0, 0, 1)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import gcd, prod

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.families.dichotomies import Dichotomy, cover_bound, dichotomies
from ccsim.classes.families.elementary import power_of_two
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.texts.labels import MAX_ENTRIES, Label, check_size

MAX_DIMENSION = 62
"""Maximum dimension; even two values per coordinate would exceed other limits."""


@checked_types
def boxes(b: int, d: int) -> ConceptClass:
    """Return the boxes ``s_i <= x_i <= t_i`` over ``{0..2**b-1}^d``, including the empty box.

    Parameters
    ----------
    b : int
        Number of bits of a coordinate, at least 0; each side of the grid has ``2**b`` points.
    d : int
        Dimension, at least 1.

    Examples
    --------
    >>> print(boxes(1, 2))
    boxes:b=1,d=2: 10 concepts over 4 points
    >>> boxes(1, 2).concepts[:4]
    ('empty', '[0,0]x[0,0]', '[0,0]x[0,1]', '[0,0]x[1,1]')
    """
    return boxes_on_grid(cube(b, d, "boxes"), f"boxes:b={b},d={d}")


def boxes_on_grid(sides: Sequence[int], name: str = "") -> ConceptClass:
    """Return the boxes over ``{0..n_1-1} x ... x {0..n_d-1}``, with one empty box."""
    check_sides(sides, "boxes")
    name = name or f"boxes on {'x'.join(map(str, sides))}"
    check_size(prod(n * (n + 1) // 2 for n in sides) + 1, prod(sides), name)
    corners = [[(s, t) for s in range(n) for t in range(s, n)] for n in sides]
    slabs = [_slabs(sides, axis) for axis in range(len(sides))]
    rows, labels = [0], ["empty"]
    for box in product(*corners):
        row = -1
        for slab, (s, t) in zip(slabs, box, strict=True):
            row &= slab[t + 1] ^ slab[s]
        rows.append(row)
        labels.append("x".join(f"[{s},{t}]" for s, t in box))
    return ConceptClass.from_rows(rows, grid_labels(sides), labels, name)


def _slabs(sides: Sequence[int], axis: int) -> list[int]:
    """Return the masks of ``x_axis < t`` for ``t = 0 .. n_axis``."""
    inner = prod(sides[axis + 1 :])
    period = inner * sides[axis]
    starts = sum(1 << period * i for i in range(prod(sides[:axis])))
    return [((1 << inner * t) - 1) * starts for t in range(sides[axis] + 1)]


@checked_types
def halfspaces(b: int, d: int, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return all linear threshold functions restricted to the grid ``{0..2**b-1}^d``.

    Parameters
    ----------
    b : int
        Number of bits of a coordinate, at least 0; each side of the grid has ``2**b`` points.
    d : int
        Dimension, at least 1.
    time_limit : float or Budget, optional

    Raises
    ------
    NotDecidedError
        If the time limit is reached.
    InstanceTooLargeError
        If Cover's bound on the number of concepts, times the points, exceeds the limit of a class.

    Notes
    -----
    The largest members are ``(b, d) = (12, 1)``, ``(4, 2)``, ``(2, 3)``, ``(1, 4)``, ``(1, 5)``.

    Examples
    --------
    >>> print(halfspaces(1, 3))
    halfspaces:b=1,d=3: 104 concepts over 8 points
    >>> halfspaces(1, 2).concepts[:5]
    ('(0,0)>=1', '(-1,-1)>=0', '(-1,1)>=1', '(-1,0)>=0', '(1,-1)>=1')
    """
    return halfspaces_on_grid(
        cube(b, d, "halfspaces"), f"halfspaces:b={b},d={d}", time_limit=time_limit
    )


def halfspaces_on_grid(
    sides: Sequence[int], name: str = "", *, time_limit: TimeLimit = None
) -> ConceptClass:
    """Return all linear threshold functions over ``{0..n_1-1} x ... x {0..n_d-1}``.

    The label ``(w_1,...,w_d)>=t`` contains weights without a common divisor that define the
    concept.
    """
    check_sides(sides, "halfspaces")
    name = name or f"halfspaces on {'x'.join(map(str, sides))}"
    check_bound(cover_bound(prod(sides), len(sides) + 1), sides, name)
    budget = Budget.of(time_limit)
    found = dichotomies([(*x, 1) for x in grid_points(sides)], budget)
    labels = [_halfspace_label(dichotomy) for dichotomy in budget.each(found)]
    return ConceptClass.from_rows([d.positive for d in found], grid_labels(sides), labels, name)


def _halfspace_label(dichotomy: Dichotomy) -> str:
    """Return the label of a halfspace: weights without a common divisor, and a threshold."""
    *weights, constant = dichotomy.weights
    divisor = gcd(*weights) or 2  # a constant concept has constant 1 or -1: threshold 0 or 1
    return f"{vector_text([w // divisor for w in weights])}>={-constant // divisor + 1}"


@checked_types
def balls(b: int, d: int, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return all Euclidean balls of ``R^d`` restricted to the grid ``{0..2**b-1}^d``.

    Parameters
    ----------
    b : int
        Number of bits of a coordinate, at least 0; each side of the grid has ``2**b`` points.
    d : int
        Dimension, at least 1.
    time_limit : float or Budget, optional

    Raises
    ------
    NotDecidedError
        If the time limit is reached.
    InstanceTooLargeError
        If Cover's bound on the number of concepts, times the points, exceeds the limit of a class.

    Notes
    -----
    The largest members are ``(b, d) = (8, 1)``, ``(3, 2)``, ``(2, 3)``, ``(1, 4)`` and ``(1, 5)``.

    Examples
    --------
    >>> print(balls(1, 3))
    balls:b=1,d=3: 104 concepts over 8 points
    >>> balls(1, 2).concepts[:3]
    ('empty', 'centre (-1/2,-1/2) radius^2 3/2', 'centre (-1/2,3/2) radius^2 3/2')
    """
    return balls_on_grid(cube(b, d, "balls"), f"balls:b={b},d={d}", time_limit=time_limit)


def balls_on_grid(
    sides: Sequence[int], name: str = "", *, time_limit: TimeLimit = None
) -> ConceptClass:
    """Return all Euclidean balls over ``{0..n_1-1} x ... x {0..n_d-1}``, with the empty ball.

    The label contains the rational centre and squared radius of a closed ball with these points.
    """
    check_sides(sides, "balls")
    name = name or f"balls on {'x'.join(map(str, sides))}"
    count, dimension = prod(sides), len(sides)
    # a dichotomy and its complement differ on the further vector, so half of them are balls
    check_bound(cover_bound(count + 1, dimension + 2) // 2, sides, name)
    vectors = [(1, *x, -sum(entry * entry for entry in x)) for x in grid_points(sides)]
    budget = Budget.of(time_limit)
    found = dichotomies([*vectors, (0,) * (dimension + 1) + (1,)], budget)
    balls_found = [dichotomy for dichotomy in found if dichotomy.positive >> count]
    rows = [dichotomy.positive ^ 1 << count for dichotomy in balls_found]
    both = zip(balls_found, rows, strict=True)
    labels = [_ball_label(dichotomy, row) for dichotomy, row in budget.each(both)]
    return ConceptClass.from_rows(rows, grid_labels(sides), labels, name)


def _ball_label(dichotomy: Dichotomy, row: int) -> str:
    """Return the label of the ball ``a + <w, x> - m |x|^2 >= 0``: centre and squared radius."""
    if not row:
        return "empty"
    offset, *weights, scale = dichotomy.weights
    centre = [Fraction(w, 2 * scale) for w in weights]
    radius = Fraction(offset, scale) + sum(c * c for c in centre)
    return f"centre {vector_text(centre)} radius^2 {radius}"


def cube(b: int, d: int, family: str) -> tuple[int, ...]:
    """Return the side lengths of the grid ``{0..2**b-1}^d`` after checking both parameters."""
    if d < 1:
        raise DomainError(f"{family}: d must be at least 1, not {d}")
    if d > MAX_DIMENSION:
        raise InstanceTooLargeError(f"{family}: d must be at most {MAX_DIMENSION}, not {d}")
    side = power_of_two(b, family, "b")
    if 1 << b * d > MAX_ENTRIES:
        raise InstanceTooLargeError(
            f"{family}: the grid has 2**{b * d} points; the limit is {MAX_ENTRIES} entries in all"
        )
    return (side,) * d


def check_sides(sides: Sequence[int], family: str) -> None:
    """Raise an error unless there are sides, all at least 1."""
    if not sides or min(sides) < 1:
        raise DomainError(
            f"{family}: sides must be one or more integers of at least 1, not {tuple(sides)}"
        )


def check_bound(bound: int, sides: Sequence[int], name: str) -> None:
    """Raise an error if Cover's bound on the number of concepts exceeds the limit."""
    if bound * prod(sides) > MAX_ENTRIES:
        raise InstanceTooLargeError(
            f"{name} may have {bound} x {prod(sides)} entries; the limit is {MAX_ENTRIES}"
        )


def grid_points(sides: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the points of a grid in the order of their numbers."""
    return list(product(*map(range, sides)))


def grid_labels(sides: Sequence[int]) -> list[Label]:
    """Return the labels of the points of a grid."""
    points = grid_points(sides)
    return [x[0] if len(x) == 1 else vector_text(x) for x in points]


def vector_text(vector: Sequence[object]) -> str:
    """Return a vector as text, ``(x_1,...,x_d)``."""
    return f"({','.join(map(str, vector))})"
