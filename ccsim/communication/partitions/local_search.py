"""Good partitions of Alice's inputs by local search: they guide, and prove nothing.

With positive weights on value 1 and negative ones on value 0, let ``b_y(S)`` be the sum over the
class ``S`` in column ``y``. Bob's best answers leave the error ``(sum of |w| - sum |b_y(S)|) / 2``,
so that the best partition is the one whose classes have the largest balances.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Floats = np.ndarray[tuple[int, int], np.dtype[np.float64]]
# one partition a row: the class of each input of Alice
Partitions = np.ndarray[tuple[int, int], np.dtype[np.int64]]

_SWEEPS = 30


def good_partitions(
    weights: Floats, messages: int, tries: int, rng: np.random.Generator
) -> tuple[Partitions, Any]:
    """Return partitions that no move of a single row improves, from random starts.

    Complexity: ``tries * rows * messages * columns`` operations a sweep, a few sweeps.
    """
    rows = len(weights)
    each = np.arange(tries)
    classes = rng.integers(messages, size=(tries, rows))
    member = (classes[:, None, :] == np.arange(messages)[None, :, None]).astype(float)
    balances = member @ weights
    for _ in range(_SWEEPS):
        moved = False
        for x in rng.permutation(rows):
            home = classes[:, x]
            balances[each, home] -= weights[x]
            gains = np.abs(balances + weights[x]).sum(axis=2) - np.abs(balances).sum(axis=2)
            best = gains.argmax(axis=1)
            better = gains[each, best] > gains[each, home] + 1e-12
            home = np.where(better, best, home)
            moved = moved or bool(better.any())
            classes[:, x] = home
            balances[each, home] += weights[x]
        if not moved:
            break
    costs = (np.abs(weights).sum() - np.abs(balances).sum(axis=(1, 2))) / 2
    order = np.argsort(costs, kind="stable")
    return classes[order], costs[order]
