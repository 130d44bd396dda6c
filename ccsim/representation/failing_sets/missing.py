"""Sets of few hypotheses that miss little of a mixture of neighbourhoods, in floats.

Main definitions: `exchanged`, `least_missed`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccsim.budget import Budget

__all__ = ["exchanged", "least_missed"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


def exchanged(
    fails: Floats, law: Floats, starts: NDArray[np.intp], budget: Budget
) -> list[tuple[int, ...]]:
    """Exchange single hypotheses of all sets at once until none misses less; best sets first.

    Parameters
    ----------
    fails : array, hypotheses by rows
    law : array, rows
    starts : array, sets by places
        Each row a set of hypotheses.
    """
    sets = starts.copy()
    number, size = sets.shape
    every = np.arange(number)
    missed = np.full(number, np.inf)
    while True:
        budget.spend()
        before = missed
        for place in range(size):
            others = np.delete(sets, place, axis=1)
            rest = fails[others].prod(1) * law
            left = rest @ fails.T  # for each set, what is missed with each hypothesis in this place
            better = left.argmin(1)
            least = left[every, better]
            improved = least < left[every, sets[:, place]] - 1e-12
            sets[improved, place] = better[improved]
            missed = least
        if not np.any(missed < before - 1e-12):
            break
    found = dict.fromkeys(
        tuple(sorted(sets[i].tolist())) for i in np.argsort(missed, kind="stable")
    )
    return list(found)


def least_missed(
    fails: Booleans, law: Floats, size: int, kinds: NDArray[np.intp], budget: Budget
) -> tuple[float, list[tuple[int, ...]]]:
    """Return the least weight of rows on which all of so many hypotheses fail, and good sets.

    A depth-first search: hypotheses that fail on less come first, and the last two are found at
    once by a product of matrices.

    Parameters
    ----------
    fails : array, hypotheses by rows
    law : array, rows
    size : int
    kinds : array of int, hypotheses
        Symmetries that keep the law map hypotheses of one kind to one another: whatever set has one
        of them has an image with the first.
    budget : Budget
    """
    used = law > 0
    _, first = np.unique(fails[:, used], axis=0, return_index=True)
    candidates = np.sort(first)
    there = fails[candidates][:, used]
    more: Booleans = np.all(there[:, None, :] >= there[None, :, :], axis=2)
    candidates = candidates[~np.any(more & ~more.T, axis=1)]
    matrix: Any = fails[:, used].astype(float)
    best, sets = np.inf, list[tuple[int, ...]]()

    def visit(
        weights: Floats, left: NDArray[np.intp], number: int, chosen: tuple[int, ...]
    ) -> None:
        nonlocal best
        budget.spend()
        open_weights = matrix[left] * weights
        last_two = open_weights @ matrix[left].T if number == 2 else None
        missed = open_weights.sum(1)[:, None] if last_two is None else last_two
        if number <= 2:
            place = int(missed.argmin())
            a, b = divmod(place, missed.shape[1])
            if missed[a, b] < best - 1e-12:
                best = float(missed[a, b])
                more = {int(left[a]), int(left[b])} if number == 2 else {int(left[a])}
                sets.append(tuple(sorted({*chosen, *more})))
            return
        total, after = weights.sum(), missed[:, 0]
        order = np.argsort(after, kind="stable")
        while len(order):
            first, gains = order[0], total - after[order[:number]]
            if total - gains.sum() >= best - 1e-12:
                return
            visit(open_weights[first], left[order], number - 1, (*chosen, int(left[first])))
            order = order[1:] if chosen else order[kinds[left[order]] != kinds[left[first]]]

    visit(law[used], candidates, min(size, len(candidates)), ())
    return best, sets
