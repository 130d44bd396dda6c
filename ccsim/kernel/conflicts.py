"""The kernel's check that no deterministic protocol has so few messages.

Two inputs of Alice conflict when their rows differ where both are inside the promise; the classes
of a deterministic protocol without error hold no conflict. Whether there are few enough classes is
decided here by colouring, with nothing but the instance to go by.
"""

from __future__ import annotations

from .instances import Matrix
from .parts import Part, members

__all__ = ["conflict_free"]

MAX_COLOURED_ROWS = 24  # distinct rows of a promise problem whose colouring is recomputed


def conflict_free(part: Part, F: Matrix, k: int) -> bool:
    """Decide whether Alice's inputs split into at most `k` classes without a conflict."""
    rows = sorted(set(zip(F.rows, F.defined, strict=True)))
    if len(rows) <= k:
        return True
    if all(defined == (1 << len(F.columns)) - 1 for _, defined in rows):
        return False  # distinct rows of a total function conflict
    rule = f"{len(rows)} distinct rows, at most {MAX_COLOURED_ROWS} are coloured"
    part.require(len(rows) <= MAX_COLOURED_ROWS, rule)
    part.afford(len(rows) ** 2 * (10 + (len(F.columns) >> 10)))
    conflicts = [sum(1 << j for j, (b, q) in enumerate(rows) if (a ^ b) & p & q) for a, p in rows]
    return _colourable(part, conflicts, [], (1 << len(rows)) - 1, k)


def _colourable(part: Part, conflicts: list[int], classes: list[int], left: int, k: int) -> bool:
    """Extend a partial colouring, a row that conflicts with most classes first."""
    if not left:
        return True
    part.afford(50 + len(conflicts) * (5 + 2 * len(classes)))
    urgency = [(sum(1 for S in classes if S & each), each.bit_count()) for each in conflicts]
    x = max(members(left), key=urgency.__getitem__)
    return any(
        _colourable(
            part, conflicts, [*classes[:i], S | 1 << x, *classes[i + 1 :]], left ^ 1 << x, k
        )
        for i, S in enumerate([*classes, 0][:k])  # the first new class stands for all
        if not S & conflicts[x]
    )
