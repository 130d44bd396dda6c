"""Estimates of the work of the checkers of `proofs_check/lean`.

Main definitions: `without_symmetries`, `refutation_cost`, `shattering_cost`, `chains_cost`. The
estimates depend on the tables only; the kernel has already accepted the certificate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["chains_cost", "refutation_cost", "shattering_cost", "without_symmetries"]

Space = tuple[int, tuple[int, ...], list[tuple[int, int]]]


def without_symmetries(fields: Mapping[str, Any], width: int, most: int) -> list[Space] | None:
    """Return a refutation without symmetries: all entries are proved from smaller depths.

    Parameters
    ----------
    fields : mapping
        Fields of the form ``refutation``, see docs/certificates.md.
    width : int
        The number of points.
    most : int
        Largest number of entries.

    Returns
    -------
    list of (depth, literals, sides), or None
        A side is a literal, and the distance (from 0) to the earlier entry that refutes the version
        space of the literal.

    Examples
    --------
    >>> swap = {"rows": [1, 0], "columns": [1, 0], "flips": "00"}
    >>> spaces = [[1, [1], [], []], [0, 0], [2, [], [3], [1]]]
    >>> without_symmetries({"symmetries": [swap], "spaces": spaces}, 2, 100)
    [(1, (3,), []), (2, (), [(3, 0)])]
    """
    moves = [
        [2 * y + (b ^ int(flip)) for y, flip in zip(s["columns"], s["flips"], strict=True)
         for b in (0, 1)]
        for s in fields["symmetries"]
    ]  # fmt: skip
    spaces, found = fields["spaces"], list[Space]()
    places: dict[tuple[int, Sequence[int]], int] = {}

    def place(entry: int, images: Sequence[int]) -> int:
        while len(spaces[entry]) == 2:
            entry, symmetry = spaces[entry]
            images = [images[literal] for literal in moves[symmetry]]
        depth, literals, sides, below = spaces[entry]
        key = depth, tuple(sorted(images[literal] for literal in literals))
        if key not in places and len(found) <= most:
            parts = [(images[a], place(b, images)) for a, b in zip(sides, below, strict=True)]
            places[key] = len(found)
            back = [(literal, len(found) - 1 - at) for literal, at in parts]
            found.append((*key, back))
        return places.get(key, 0)

    place(len(spaces) - 1, range(2 * width))
    return found if len(found) <= most else None


def refutation_cost(spaces: Sequence[Space], rows: Sequence[int], width: int) -> int:
    """Return the approximate number of labels that the check of a refutation reads.

    Examples
    --------
    >>> refutation_cost([(1, (3,), []), (2, (), [(3, 0)])], [0, 1, 2], 2)
    9
    """
    cost = 0
    for depth, literals, sides in spaces:
        inside = [r for r in rows if all(r >> (a // 2) & 1 == a & 1 for a in literals)]
        cost += len(rows) * (len(literals) + 1)
        if len(inside) >= 1 << depth:
            cost += len(inside) * 4 * width + len(sides) * width
    return cost


def shattering_cost(rows: Sequence[int], width: int, size: int, most: int) -> int | None:
    """Return the number of labels that a search for shattered points reads; None above `most`.

    Examples
    --------
    >>> shattering_cost([0, 1, 3], 2, 2, 100), shattering_cost([0, 1, 2, 3], 3, 3, 100)
    (0, 0)
    >>> shattering_cost([0, 1, 2, 4], 3, 2, 100)
    24
    """
    spent = 0
    todo = [(0, size, [list(rows)])]
    while todo and spent <= most:
        x, k, cells = todo.pop()
        if x == width or k == 0 or any(len(cell) < 1 << k for cell in cells):
            continue
        spent += 2 * sum(map(len, cells))
        halves = [[r for r in cell if r >> x & 1 == b] for cell in cells for b in (0, 1)]
        todo += [(x + 1, k - 1, halves), (x + 1, k, cells)]
    return None if spent > most else spent


def chains_cost(rows: Sequence[int], width: int, size: int, most: int) -> int | None:
    """Return the number of labels that the search for a chain reads, or None if above `most`.

    Examples
    --------
    >>> chains_cost([1, 3], 2, 3, 100), chains_cost([1, 3, 7], 3, 3, 20)
    (0, None)
    """
    spent = 0
    todo = [(size, list(rows), list(range(width)))]
    while todo and spent <= most:
        k, inside, points = todo.pop()
        if len(inside) < k:
            continue
        for r in inside:
            spent += len(points)
            left = [x for x in points if r >> x & 1]
            for x in left:
                spent += len(inside) + len(points)
                todo.append((k - 1, [s for s in inside if not s >> x & 1], left))
    return None if spent > most else spent
