"""Linear threshold functions on grids (`fx` section 4.1), enumerated exactly.

The function ``1[<w, x> + c > 0]`` on a grid is a strict dichotomy of the vectors ``(x, 1)``: a
threshold function of real weights keeps its values when ``c`` grows a little, so a hyperplane never
needs to pass through a grid point. `ccsim.classes.families.dichotomies` lists these, with the
argument why none is missed, and gives each function integer weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod

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
def halfspaces(b: int, d: int, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return all linear threshold functions restricted to the grid ``{0..2**b-1}^d``.

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
    Complexity: see `halfspaces_on_grid`. The largest members are ``(b, d) = (12, 1)``, ``(4, 2)``,
    ``(2, 3)``, ``(1, 4)`` and ``(1, 5)``.

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

    The label ``(w_1,...,w_d)>=t`` holds integers that define the concept; the weights have no
    common divisor, and are as symmetric as the concept is. Complexity: that of `dichotomies`;
    ``{0,1}^4`` takes under a tenth of a second, ``{0,1}^5`` two to three seconds.
    """
    check_sides(sides, "halfspaces")
    name = name or f"halfspaces on {'x'.join(map(str, sides))}"
    check_bound(cover_bound(prod(sides), len(sides) + 1), sides, name)
    budget = Budget.of(time_limit)
    found = dichotomies([(*x, 1) for x in grid_points(sides)], budget)
    labels = []
    for dichotomy in found:
        budget.spend()
        labels.append(_label(dichotomy))
    return ConceptClass.from_rows([d.positive for d in found], grid_labels(sides), labels, name)


def _label(dichotomy: Dichotomy) -> str:
    """Return the weights and the least integer threshold above ``-c``, both divided out."""
    *weights, constant = dichotomy.weights
    divisor = gcd(*weights) or 2  # a constant concept has constant 1 or -1: threshold 0 or 1
    return f"{vector_text([w // divisor for w in weights])}>={-constant // divisor + 1}"
