"""Every class over few points, one of each kind that names and labels do not tell apart.

Statement: permutations of the points and exchanges of 0 and 1 on points form a group of order
``n! 2**n`` that acts on the ``2**n`` functions; two classes are isomorphic if it moves one to the
other. The order of the concepts is none of a set's. So there are as many classes as orbits of sets
of functions: 2, 3, 6, 22, 402 and 1 228 158 for ``n`` from 0 to 5.
"""

from __future__ import annotations

from itertools import permutations

from ccsim.arguments.checked import checked_types
from ccsim.classes.families.elementary import MAX_POINTS
from ccsim.errors import DomainError, InstanceTooLargeError

_MOST = 1 << 21


@checked_types
def small_classes(n: int) -> tuple[int, ...]:
    """Return one class over ``n`` points of each isomorphism type, the empty one included.

    At once up to 4 points; about half a minute for the 1 228 158 classes on 5.
    """
    if n < 0:
        raise DomainError(f"the number of points must be at least 0, not {n}")
    if n > MAX_POINTS:
        raise InstanceTooLargeError(f"classes up to isomorphism: at most {MAX_POINTS} points")
    import numpy as np

    from ccsim.symmetry.groups import leading_sets

    size = 1 << n
    # the leading sets are the largest, so that function 0 takes the highest bit
    moved = np.array(
        [
            [
                1 << size - 1 - (_permuted(size - 1 - row, order) ^ flips)
                for order, flips in _group(n)
            ]
            for row in range(size)
        ],
        np.int64,
    )
    leaders = leading_sets(moved, _MOST).tolist()
    numbers = (int(f"{leader:0{size}b}"[::-1], 2) for leader in leaders)
    return tuple(sorted(numbers, key=lambda chosen: (chosen.bit_count(), chosen)))


def _group(n: int) -> list[tuple[tuple[int, ...], int]]:
    return [(order, flips) for order in permutations(range(n)) for flips in range(1 << n)]


def _permuted(row: int, order: tuple[int, ...]) -> int:
    return sum((row >> x & 1) << y for x, y in enumerate(order))
