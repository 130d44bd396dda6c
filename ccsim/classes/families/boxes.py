"""Axis-parallel boxes on grids (`fx` section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from ccsim.arguments.checked import checked_types
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.families.grids import check_sides, cube, grid_labels
from ccsim.texts.labels import check_size


@checked_types
def boxes(b: int, d: int) -> ConceptClass:
    """Return the boxes ``s_i <= x_i <= t_i`` over ``{0..2**b-1}^d``, the empty one once.

    Parameters
    ----------
    b : int
        At least 0; the side is ``2**b``.
    d : int
        At least 1; the dimension.

    Raises
    ------
    DomainError
    InstanceTooLargeError
        If the ``(2**b (2**b + 1) / 2)**d + 1`` boxes times the points exceed the limit of a class.

    Examples
    --------
    >>> print(boxes(1, 2))
    boxes:b=1,d=2: 10 concepts over 4 points
    >>> boxes(1, 2).concepts[:4]
    ('empty', '[0,0]x[0,0]', '[0,0]x[0,1]', '[0,0]x[1,1]')
    """
    return boxes_on_grid(cube(b, d, "boxes"), f"boxes:b={b},d={d}")


def boxes_on_grid(sides: Sequence[int], name: str = "") -> ConceptClass:
    """Return the boxes over ``{0..n_1-1} x ... x {0..n_d-1}``, the empty one once.

    The concept ``[s_1,t_1]x...x[s_d,t_d]`` is named by its corners ``s`` and ``t``.

    Complexity: one step for each concept and coordinate.
    """
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
