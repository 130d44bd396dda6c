"""Section 1.2: representations and private learners for one distribution, and metric entropy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod

import numpy as np

from ccsim import ConceptClass
from ccsim.instances import parse_class
from proofs_check.claims.beimel_brenner.constructions.optimal_mechanism import (
    Task,
    least_private_failure_on,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grid import grid, table
from proofs_check.claims.grids import random_weights
from proofs_check.claims.variants import near, plus, times


def _packing(rows: Sequence[int], distribution: Sequence[Fraction], eps: Fraction) -> list[int]:
    """Return a largest set of concepts whose pairwise distances are above eps."""
    far = {(f, g): disagreement(distribution, f, g) > eps for f in rows for g in rows if f < g}
    for number in range(len(rows), 0, -1):
        for chosen in combinations(sorted(rows), number):
            if all(far[pair] for pair in combinations(chosen, 2)):
                return list(chosen)
    return []


def _some_distribution(
    instance: str, seed: int
) -> tuple[ConceptClass, tuple[Fraction, ...], Fraction]:
    """Return a class, a random distribution (uniform for seed 0) and an error."""
    C, rng = parse_class(instance), np.random.default_rng(seed)
    m = len(C.points)
    distribution = random_weights(rng, m) if seed else (Fraction(1, m),) * m
    return C, distribution, Fraction(int(rng.integers(1, 4)), 8)


@claim(
    "fx/rel-metric-entropy",
    "section 1.2, first part",
    "Representations for one distribution and metric entropy",
    Kind.LEMMA,
    over=grid(instance=["points:b=2", "thresholds:b=2", "all_functions:n=3"], seed=range(4)).medium(
        instance=["intervals:n=4"], seed=range(10)
    ),
    near=[
        near(
            "The number of hypotheses is at least 101/100 of the bound.",
            share=times(Fraction(101, 100)),
        ),
        near(
            "The packing is a representation at 6/7 of the distance.", radius=times(Fraction(6, 7))
        ),
        near("The statement with error 2 eps/3 in place of eps/2.", part=times(Fraction(4, 3))),
    ],
    uses=["fx/def-4", "fx/def-5"],
)
def metric_entropy(
    instance: str,
    seed: int,
    *,
    share: Fraction = Fraction(1),
    radius: Fraction = Fraction(1),
    part: Fraction = Fraction(1, 2),
) -> Decision:
    """Fix a distribution. A random set of at most s hypotheses with failure probability delta at
    error eps/2 has s >= (1 - delta) |P| for every packing P at distance above eps, and a largest
    packing is a representation with error eps. Hence PRDim >= DRDim - log2(1/(1-delta)). Checked
    for sets of one hypothesis (every function), and for sets of two (all pairs from the packing
    with equal probability, and random pairs)."""
    C, distribution, eps = _some_distribution(instance, seed)
    packing = _packing(C.rows, distribution, eps)
    rng = np.random.default_rng(seed)
    random = [tuple(int(h) for h in rng.choice(C.rows, size=2)) for _ in range(6)]

    def missed(sets: Sequence[tuple[int, ...]]) -> Fraction:
        far = [
            sum(all(disagreement(distribution, f, h) > part * eps for h in H) for H in sets)
            for f in packing
        ]
        return Fraction(max(far), len(sets))

    cover = (
        (f, at_most(min(disagreement(distribution, f, g) for g in packing), radius * eps))
        for f in C.rows
    )
    pairs: list[tuple[int, ...]] = [*combinations(packing, 2)] or [(packing[0], packing[0])]
    tried = {"pairs": pairs, "random": random}
    tried |= {f"set {h}": [(h,)] for h in range(1 << len(C.points))}
    return all_of(
        [
            ("cover", all_of(cover)),
            *(
                (name, at_least(len(sets[0]), share * (1 - missed(sets)) * len(packing)))
                for name, sets in tried.items()
            ),
        ]
    )


@cache
def _least_failure(instance: str, seed: int, examples: int) -> tuple[int, Fraction]:
    """Return the size of a packing, and the least failure of ln(4)-private learners on it."""
    C, distribution, eps = _some_distribution(instance, seed)
    packing, m = _packing(C.rows, distribution, 2 * eps), len(C.points)
    tasks: list[Task[int]] = []
    for f in packing:
        task: Task[int] = {}
        for S in product([x for x in range(m) if distribution[x]], repeat=examples):
            database = tuple(sorted(2 * x + (f >> x & 1) for x in S))
            for h in range(1 << m):
                if disagreement(distribution, f, h) <= eps:
                    chance = prod((distribution[x] for x in S), start=Fraction(1))
                    task[database, h] = task.get((database, h), Fraction(0)) + chance
        tasks.append(task)
    failure = least_private_failure_on(range(2 * m), examples, 1 << m, tasks, Fraction(4))
    return len(packing), failure


@claim(
    "fx/rel-metric-entropy-samples",
    "section 1.2, second part, with explicit constants",
    "Private learning for one distribution and metric entropy",
    Kind.LEMMA,
    over=table(
        "instance seed examples",
        ("points:b=1", 0, 1),
        ("points:b=1", 0, 2),
        ("all_functions:n=2", 0, 1),
        ("points:b=2", 0, 1),
        ("all_functions:n=1", 0, 3),
    ).medium(("thresholds:b=2", 0, 1), ("all_functions:n=2", 1, 2)),
    near=[
        near(
            "The failure probability is larger by 1/100 of the bound.",
            failure=times(Fraction(101, 100)),
        ),
        near("The packing has one more concept.", size=plus(1)),
        near(
            "Likelihoods change by a factor of at most e^(10/11 alpha n).",
            factor=times(Fraction(10, 11)),
        ),
    ],
    uses=["fx/rel-metric-entropy"],
)
def metric_entropy_samples(
    instance: str,
    seed: int,
    examples: int,
    *,
    size: Callable[[int], int] = int,
    factor: Fraction = Fraction(4),
    failure: Fraction = Fraction(1),
) -> Decision:
    """Fix a distribution. An alpha-private learner with n examples, error eps and failure
    probability delta has n >= (1/alpha) ln((|P| - 1) (1 - delta)/delta) for every packing P at
    distance above 2 eps, that is, delta >= (|P| - 1)/(|P| - 1 + e^(alpha n)). Compared exactly with
    the best learner.
    """
    number, least = _least_failure(instance, seed, examples)
    others = size(number) - 1
    return at_least(least, failure * Fraction(others) / (others + factor**examples), trivial=0)
