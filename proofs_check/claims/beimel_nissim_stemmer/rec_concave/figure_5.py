"""Section 3.3: the algorithm of figure 5, executed on lists."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from ccsim.exact import Epsilon
from ccsim.exact.steps import StepFunction
from ccsim.privacy.mechanisms.recursive_concave import RecConcave
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, equal
from proofs_check.claims.grid import grid
from proofs_check.claims.variants import near, times

HALF = Fraction(1, 2)
EIGHTH, ROOT = Fraction(1, 8), 2
"""Delta of each choice, and e^(eps / 2)."""


def _exponential(values: list[Fraction], points: set[int]) -> dict[int, Fraction]:
    weights = {x: Fraction(ROOT) ** int(values[x]) for x in points}
    return {x: weight / sum(weights.values()) for x, weight in weights.items()}


def _chosen(values: list[Fraction], start: int, length: int) -> Iterator[tuple[set[int], Fraction]]:
    """Yield the outcomes of A_dist on a division into intervals, with their probabilities."""
    family = [
        set(range(a, min(a + length, len(values)))) for a in range(start, len(values), length)
    ]
    best = [max(values[x] for x in interval) for interval in family]
    if not family:
        yield set(), Fraction(1)
        return
    i = best.index(max(best))
    rest = best[:i] + best[i + 1 :]
    released = Fraction(1)
    if rest:
        ratio = Fraction(ROOT) ** int(best[i] - max(rest) - 2) * 2 * EIGHTH
        released = ratio / 2 if ratio <= 1 else 1 - 1 / (2 * ratio)
    yield family[i], released
    yield set(), 1 - released


def _figure_5(
    values: list[Fraction],
    promise: Fraction,
    accuracy: Fraction,
    depth: int,
    length: int,
    handed: Fraction,
) -> dict[int, Fraction]:
    """Follow the steps of the figure on lists; ranges 0 .. 2 are not divided."""
    last = len(values) - 1
    if last <= 2 or depth == 1:
        return _exponential(values, set(range(last + 1)))
    log = (last - 1).bit_length()
    longer = values + [min(Fraction(0), values[-1])] * (2**log - last)
    L = [
        max(min(longer[a : a + 2**j]) for a in range(len(longer) + 1 - 2**j))
        for j in range(log + 1)
    ]
    L.append(min(Fraction(0), L[-1]))
    q = [min(a - (1 - accuracy) * promise, promise - b) for a, b in pairwise(L)]
    inner = _figure_5(q, handed * accuracy * promise, Fraction(1, 4), depth - 1, length, handed)
    found = dict.fromkeys(range(last + 1), Fraction(0))
    for k, share in inner.items():
        pairs = product(
            _chosen(longer, 0, length << k), _chosen(longer, (length // 2) << k, length << k)
        )
        for (A, with_a), (B, with_b) in pairs:
            points = {x for x in A | B if x <= last}
            if not A | B:
                points = set(range(last + 1))
            for x, p in _exponential(values, points or {last}).items():
                found[x] += share * with_a * with_b * p
    return found


@claim(
    "bns/alg-recconcave",
    "Figure 5",
    "Algorithm RecConcave",
    Kind.DEFINITION,
    over=grid(seed=range(4)).medium(seed=range(4, 40)),
    near=[
        near("The intervals have length 4K.", length=4),
        near("The promise of the recursive call is 11/20 alpha r.", handed=times(Fraction(11, 10))),
    ],
)
def algorithm(seed: int, *, length: int = 8, handed: Fraction = HALF) -> Decision:
    """RecConcave finds the length of an interval of high quality by a recursive call on the powers
    of two, with the promise R = alpha r / 2. It divides the range into intervals of 8K points in
    two ways, chooses one interval of each family by A_dist, and chooses a point of these two
    intervals by the exponential mechanism. The output distribution is compared with a direct
    execution of the figure on lists. The figure leaves two cases open: if nothing is released, the
    interval is the whole range, and if the released interval lies beyond the range, the last point
    takes its place. Three levels are checked, with the corrected A_dist.
    """
    rng = np.random.default_rng(seed)
    last, least = int(rng.integers(17, 41)), 0
    if seed % 4 == 3:  # nothing is added to the range, and all is so good that L must end at 0
        last, least = 32, 50
    values = [Fraction(int(rng.integers(least, 65))) for _ in range(last + 1)]
    distribution = RecConcave(Fraction(64), HALF, Epsilon.of("ln 4"), EIGHTH, 3, 2).distribution(
        StepFunction.of(values)
    )
    listed = _figure_5(values, Fraction(64), HALF, 3, length, handed)
    return all_of((x, equal(distribution.probability(x, x), p)) for x, p in listed.items())
