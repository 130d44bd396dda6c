"""Euclidean balls on grids (`fx` section 4.1), of any real centre and radius, enumerated exactly.

A grid point ``x`` lies in the ball of centre ``c`` and squared radius ``r2`` if and only if ``|x|^2
- 2 <c, x> + |c|^2 <= r2``, that is ``a + <w, x> - m |x|^2 >= 0`` with ``w = 2 m c``, ``a = m (r2 -
|c|^2)`` and any ``m > 0``. Every ``a`` occurs when a negative ``r2`` stands for the empty ball, and
a ball so small that it holds no grid point is one. Letting ``a`` grow a little makes the inequality
strict. So the balls are the dichotomies of the vectors ``(1, x, -|x|^2)`` that are positive on the
further vector ``(0, 0, 1)``; `ccsim.classes.families.dichotomies` lists them, with the argument why
none is missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.families.dichotomies import Dichotomy, cover_bound, dichotomies
from ccsim.classes.families.grids import (
    check_bound,
    check_sides,
    cube,
    grid_labels,
    grid_points,
    vector_text,
)


@checked_types
def balls(b: int, d: int, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return all Euclidean balls of ``R^d`` restricted to the grid ``{0..2**b-1}^d``.

    Parameters
    ----------
    b : int
        At least 0; the side is ``2**b``.
    d : int
        At least 1; the dimension.
    time_limit : float or Budget, optional

    Raises
    ------
    OutOfTimeError
        If it takes longer.
    DomainError
    InstanceTooLargeError
        If Cover's bound on their number times the points exceeds the limit of a class.

    Notes
    -----
    Complexity: see `balls_on_grid`. The largest members are ``(b, d) = (8, 1)``, ``(3, 2)``,
    ``(2, 3)`` (342849 concepts in less than a minute), ``(1, 4)`` and ``(1, 5)``.

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
    """Return all Euclidean balls over ``{0..n_1-1} x ... x {0..n_d-1}``, the empty one included.

    The label holds the rational centre and squared radius of a closed ball with these points.

    Complexity: that of `dichotomies`; 8 x 8 (33742 balls) takes about two seconds.
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
    labels = []
    for dichotomy, row in zip(balls_found, rows, strict=True):
        budget.spend()
        labels.append(_label(dichotomy, row))
    return ConceptClass.from_rows(rows, grid_labels(sides), labels, name)


def _label(dichotomy: Dichotomy, row: int) -> str:
    """Return centre and squared radius of the ball ``a + <w, x> - m |x|^2 >= 0``."""
    if not row:
        return "empty"
    offset, *weights, scale = dichotomy.weights
    centre = [Fraction(w, 2 * scale) for w in weights]
    radius = Fraction(offset, scale) + sum(c * c for c in centre)
    return f"centre {vector_text(centre)} radius^2 {radius}"
