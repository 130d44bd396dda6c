"""Hard distributions of problems with few orbits of inputs, against classes of each size.

Where Alice's inputs are alike, weights that are the same on every orbit are bounded by squares for
each size of a class (`ccsim.communication.partitions.sizes`), in less than a tenth of a second for
50 rows. The weights of the orbits are searched one after another; ratios of small integers are
tried at last, since optimal ones mostly are such, and costs are integers then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, gcd, log

from ccsim.budget import Budget
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.proof import DistributionProof
from ccsim.communication.partitions.sizes import Sizes
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.orbit_game import OrbitGame
from ccsim.exact import common_denominator

_ORBITS = 3
_STEPS = 26
_GOLDEN = (5**0.5 - 1) / 2
_RANGE = log(64)
_DENOMINATORS = (8, 100, 2000)
_WORK = 1 << 27  # most steps of a check, about


def bound_orbits(
    game: OrbitGame, reduced: Reduced, budget: Budget
) -> tuple[Fraction, DistributionProof] | None:
    """Return a lower bound on the error of protocols with a hard distribution that proves it.

    Complexity: some 30 linear programs for each orbit but one, with two variables and some more for
    each number of rows.
    """
    rows, columns = len(reduced.rows), len(reduced.columns)
    orbits = len(game.sizes)
    if orbits > _ORBITS or 2 * rows * rows * (rows + columns) > _WORK:
        return None

    def sized(ratios: Sequence[Fraction]) -> tuple[list[int], Sizes]:
        scale = common_denominator(ratios)
        whole = [int(ratio * scale) for ratio in (*ratios, Fraction(1))]
        whole = [w // gcd(*whole) for w in whole]
        weights = [whole[orbit] for orbit in game.orbit]
        return weights, Sizes(game.signed_integers(weights), game.messages)

    ratios = [Fraction(1)] * (orbits - 1)
    if not sized(ratios)[1].fits:
        return None
    found = []
    with budget:
        for place in range(orbits - 1):
            known = [(0.0, ratios[place])]  # when time ends the search, the best one stays

            def estimate(
                logarithm: float, place: int = place, known: list[tuple[float, Fraction]] = known
            ) -> float:
                budget.spend()
                ratio = Fraction(exp(logarithm)).limit_denominator(_DENOMINATORS[-1])
                tried = sized([*ratios[:place], ratio, *ratios[place + 1 :]])[1]
                known.append((tried.estimate() if tried.fits else 0.0, ratio))
                ratios[place] = max(known)[1]
                return known[-1][0]

            _climb(estimate, -_RANGE, _RANGE)
    for most in _DENOMINATORS:
        weights, sizes = sized([ratio.limit_denominator(most) for ratio in ratios])
        if sizes.fits and min(weights) and (bound := sizes.bound()) is not None:
            found.append((bound.bound / sizes.total, most, weights, bound))
    if not found:
        return None
    lower, _, weights, proof = max(found, key=lambda each: (each[0], -each[1]))
    distribution = HardDistribution.from_integers(
        (reduced.rows[i], reduced.columns[j], w)
        for (i, j), w in zip(game.cells, weights, strict=True)
    )
    return lower, DistributionProof(distribution, squares=proof)


def _climb(value: Callable[[float], float], low: float, high: float) -> None:
    """Ask for arguments ever nearer to the best one of a function with one peak."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    first, second = value(left), value(right)
    for _ in range(_STEPS):
        if first > second:
            high, right, second = right, left, first
            left = high - _GOLDEN * (high - low)
            first = value(left)
        else:
            low, left, first = left, right, second
            right = low + _GOLDEN * (high - low)
            second = value(right)
