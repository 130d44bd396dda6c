"""Sets of few hypotheses that miss little of a mixture of neighbourhoods, in floats.

Main definitions: `exchanged`, `missing_less`.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ccsim.budget import Budget
from ccsim.representation.failing_sets.meeting import meeting_sets

__all__ = ["exchanged", "missing_less"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

_MOST = 2000
_UNIT = 1 << 50
"""The weights of rows, which add up to about 1, are rounded to parts of it."""


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


def missing_less(
    fails: Booleans,
    law: Floats,
    size: int,
    kinds: NDArray[np.intp],
    limit: float,
    budget: Budget,
    *,
    best: bool = False,
) -> list[tuple[float, tuple[int, ...]]]:
    """Return sets that miss less than a limit, each behind the weight on which all of it fails.

    Parameters
    ----------
    fails : array, hypotheses by rows
    law : array, rows
    size : int
    kinds : array of int, hypotheses
        Symmetries that keep the law map hypotheses of one kind to one another: whatever set has one
        of them has an image with the first.
    limit : float
    budget : Budget
    best : bool, optional
        Whether a set that misses least is to be among them; else they are at most some thousand.

    Examples
    --------
    >>> fails = np.array([[0, 1, 1], [1, 0, 0]], bool)
    >>> missing_less(fails, np.array([0.25, 0.25, 0.5]), 1, np.arange(2), 0.5, Budget())
    [(0.25, (1,))]
    """
    used = law > 0
    _, first = np.unique(fails[:, used], axis=0, return_index=True)
    candidates = np.sort(first)
    there = fails[candidates][:, used]
    more: Booleans = np.all(there[:, None, :] >= there[None, :, :], axis=2)
    candidates = candidates[~np.any(more & ~more.T, axis=1)]
    weights = np.rint(law[used] * _UNIT).astype(np.int64)
    holds = ~fails[candidates][:, used].T
    target = max(-1, int(weights.sum()) - round(min(limit, 2.0) * _UNIT))
    sets = [
        tuple(candidates[list(places)].tolist())
        for places in islice(
            meeting_sets(
                holds, weights, size, target, budget, kinds=kinds[candidates], rising=best
            ),
            None if best else _MOST,
        )
    ]
    return sorted((float(law[np.all(fails[list(each)], axis=0)].sum()), each) for each in sets)
