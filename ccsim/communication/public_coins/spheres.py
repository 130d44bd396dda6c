"""Hard distributions against rows on a sphere, which do more than any partition.

The least error of such rows is a convex program, and bounds the least error of protocols from
below, however many inputs there are. Weights grow where the rows on the sphere err, by regret
matching, as in `growing_weights`; their mean is rounded to integers, and what it forces is proved
(`ccsim.communication.partitions.squares`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.proof import DistributionProof
from ccsim.communication.partitions.squares import Sphere, bound_by_squares
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.growing_weights import GrowingWeights

_STEPS = 3000
_FLOPS = 1e10
_ROUNDS = 2
_WHOLE = 1 << 30
_WORK = 1 << 27  # most steps of a check, about

Floats = np.ndarray[Any, np.dtype[np.float64]]


def bound_on_sphere(
    reduced: Reduced, messages: int, budget: Budget
) -> tuple[Fraction, DistributionProof] | None:
    """Return a lower bound on the error of protocols with a hard distribution that proves it.

    Complexity: a second for 40 x 40 inputs.
    """
    rows, columns = len(reduced.rows), len(reduced.columns)
    if 2 * rows * rows * (rows + columns) > _WORK:
        return None
    game = GrowingWeights(reduced, messages)
    weights = sphere_weights(game, messages, budget)
    whole = np.rint(weights * _WHOLE).astype(np.int64) * game.signs.astype(np.int64)
    whole //= max(1, int(np.gcd.reduce(np.abs(whole), axis=None)))  # as a distribution's weights
    used, told = np.flatnonzero(whole.any(axis=1)), np.flatnonzero(whole.any(axis=0))
    found = bound_by_squares(whole[np.ix_(used, told)].tolist(), messages)
    if found is None:
        return None
    distribution = HardDistribution.from_integers(
        (reduced.rows[i], reduced.columns[j], abs(int(whole[i, j])))
        for i, j in np.argwhere(whole).tolist()
    )
    lower = found.bound / int(np.abs(whole).sum())
    return lower, DistributionProof(distribution, squares=found)


def sphere_weights(game: GrowingWeights, messages: int, budget: Budget) -> Floats:
    """Return weights of inputs, which sum to 1, against rows on a sphere."""
    rows, columns = game.signs.shape
    sphere, weights = Sphere(rows, messages), game.weights
    regret, total = np.zeros_like(weights), weights.copy()
    most = int(_FLOPS / (10 * rows * columns * rows**0.5))
    with budget:
        for step in range(max(100, min(_STEPS, most))):
            budget.spend()
            sphere.improve(weights * game.signs, _ROUNDS)
            wrong = (1 - game.signs * sphere.correlations()) / 2
            mean = float((weights * wrong).sum())
            regret = np.maximum(regret + (wrong - mean) * game.inside, 0)
            if regret.sum() > 0:
                weights = regret / regret.sum()
            total += weights * (step + 1)
    return np.asarray(total / total.sum())
