"""Spanning trees of the rows of a table in which each column crosses few edges.

A column *crosses* an edge if its two rows differ in the column. ``d`` columns with ``c_1, ...,
c_d`` crossings have at most ``1 + c_1 + ... + c_d`` labellings, one for each part of the tree
without the crossed edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

from ccsim.budget import Budget

Edge = tuple[int, int]
_TOGETHER = 64  # edges whose crossings are counted in one array
_MAX_ROWS = 1 << 10  # rows above which only the path in the given order is tried


def crossings(edges: Sequence[Edge], rows: Sequence[int], width: int, budget: Budget) -> list[int]:
    """Return, for each column, the number of edges that it crosses."""
    counts = np.zeros(width, int)
    size = -(-width // 8)
    for first in range(0, len(edges), _TOGETHER):
        budget.spend()
        some = edges[first : first + _TOGETHER]
        data = b"".join((rows[r] ^ rows[s]).to_bytes(size, "little") for r, s in some)
        differ = np.frombuffer(data, np.uint8).reshape(len(some), size)
        bits = np.unpackbits(differ, axis=1, count=width, bitorder="little")
        counts += bits.sum(axis=0, dtype=int)
    return [int(count) for count in counts]


def crossing_bound(counts: Sequence[int]) -> int:
    """Return an upper bound on the size of a shattered set, given each column's crossings."""
    totals = accumulate(sorted(counts, reverse=True), initial=1)
    return max(d for d, total in enumerate(totals) if 1 << d <= total)


def spanning_tree(
    rows: Sequence[int], columns: Sequence[int], most: int, budget: Budget
) -> tuple[int, tuple[Edge, ...]] | None:
    """Return a bound that a spanning tree of the rows proves, and the tree.

    Return None if the bound is not below ``most``.

    Complexity: the square of the number of rows times the number of columns; linear for many rows.
    """
    path = along_rows(columns, len(rows), most, budget)
    if len(rows) <= _MAX_ROWS:
        tree = _lightest(rows, len(columns), budget)
        lightest = crossing_bound(crossings(tree, rows, len(columns), budget))
        if lightest < (path[0] if path else most):
            return lightest, tree
    return path


def along_rows(
    columns: Sequence[int], height: int, most: int, budget: Budget
) -> tuple[int, tuple[Edge, ...]] | None:
    """Return the bound that the path of the rows in order proves, and the path.

    Return None if the bound is not below ``most``.
    """
    inside = (1 << height - 1) - 1
    crossed = []
    for column in columns:
        budget.spend()
        crossed.append(((column ^ column >> 1) & inside).bit_count())
    bound = crossing_bound(crossed)
    return (bound, tuple(pairwise(range(height)))) if bound < most else None


def _lightest(rows: Sequence[int], width: int, budget: Budget) -> tuple[Edge, ...]:
    """Return a spanning tree with the minimum total number of crossings."""
    size = -(-width // 8)
    data = b"".join(row.to_bytes(size, "little") for row in rows)
    table = np.frombuffer(data, np.uint8).reshape(len(rows), size)
    distance = np.full(len(rows), 8 * size + 1)
    parent = np.zeros(len(rows), int)
    inside = np.zeros(len(rows), bool)
    edges, new = [], 0
    for _ in range(len(rows) - 1):
        budget.spend()
        inside[new] = True
        found = np.bitwise_count(table ^ table[new]).sum(axis=1, dtype=int)
        nearer = found < distance
        distance[nearer], parent[nearer] = found[nearer], new
        new = int(np.argmin(np.where(inside, 8 * size + 2, distance)))
        edges.append((int(parent[new]), new))
    return tuple(edges)
