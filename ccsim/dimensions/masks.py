"""Sets of concepts as bit masks: their members, and the points worth splitting them by."""

from __future__ import annotations

from collections.abc import Iterator

from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns

__all__ = ["essential_points", "members"]


def members(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits of a mask, in increasing order.

    Examples
    --------
    >>> list(members(0b1101))
    [0, 2, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def essential_points(concept_class: ConceptClass) -> tuple[int, ...]:
    """Return one point of each non-constant column up to complement, best balanced first.

    Two points with equal or complementary columns split every set of concepts alike, and a constant
    one splits none, so that neither VC nor Littlestone dimension notices the others.

    Examples
    --------
    >>> essential_points(ConceptClass.from_matrix([[0, 0, 1, 1], [0, 1, 0, 0], [0, 1, 0, 1]]))
    (1, 3)
    """
    full = (1 << len(concept_class)) - 1
    first: dict[int, int] = {}
    for x, ones in enumerate(columns(concept_class)):
        first.setdefault(min(ones, full ^ ones), x)
    first.pop(0, None)
    balance = {x: min(m.bit_count(), (full ^ m).bit_count()) for m, x in first.items()}
    return tuple(sorted(balance, key=lambda x: (-balance[x], x)))
