"""Section 4.2: SanPoints and the sanitizer for sets of points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import ceil, isqrt

import numpy as np

from ccsim.exact import Epsilon
from ccsim.exact.epsilon import BallArithmetic, Probability
from ccsim.exact.exponentials import enclose_log
from ccsim.release.sanitizers.budget import (
    k_points_sample_size,
    printed_share,
    san_points_sample_size,
)
from ccsim.release.sanitizers.frequent_points import PointSets, SanPoints
from proofs_check.claims.beimel_nissim_stemmer.constructions.shares_failure import (
    san_points_failure,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, holds
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

HALF, EIGHTH = Fraction(1, 2), Fraction(1, 8)


def _runs(
    counts: dict[int, int],
    rounds: int,
    removed: bool,  # noqa: FBT001
) -> Iterator[tuple[frozenset[int], Fraction]]:
    """Yield the chosen sets of all runs of figure 9, with their probabilities, for e^eps = 16."""
    if not rounds:
        yield frozenset(), Fraction(1)
        return
    # The noise of the largest count has scale 4/eps, and threshold 1 + (4/eps) ln(1/(2 delta)).
    exceeds = Fraction(2) ** (max(counts.values(), default=0) - 1) * 2 * EIGHTH
    passes = exceeds / 2 if exceeds <= 1 else 1 - 1 / (2 * exceeds)
    weights = {x: Fraction(2) ** n for x, n in counts.items() if n}
    if not weights:
        passes = Fraction(0)
    for rest, p in _runs(counts, rounds - 1, removed):
        yield rest, p * (1 - passes)
    for x, weight in weights.items():
        left = {y: n for y, n in counts.items() if y != x or not removed}
        for rest, p in _runs(left, rounds - 1, removed):
            yield rest | {x}, p * passes * weight / sum(weights.values())


def _tiny(accuracy: str) -> SanPoints:
    return SanPoints(2, Fraction(accuracy), HALF, Epsilon.of("ln 16"), EIGHTH)


@claim(
    "bns/alg-sanpoints",
    "Figure 9",
    "Sanitizer for points",
    Kind.DEFINITION,
    over=grid(accuracy=["9/10", "1/2"], records=[1, 2, 4]),
    near=[
        near("Chosen points can be chosen again.", removed=False),
        near("There is one more round.", more=plus(1)),
    ],
)
def point_sanitizer(
    accuracy: str, records: int, *, removed: bool = True, more: int = 0
) -> Decision:
    """In each of ceil(2/alpha) rounds, SanPoints chooses one of the points not chosen in earlier
    rounds, by the choosing mechanism for their numbers of copies. The distribution of the chosen
    set is compared with an enumeration of all runs, for all databases on three points, at e^eps =
    16 and delta = 1/8 for each step, with the threshold 1 + (4/eps) ln(1/(2 delta)).
    """
    sanitizer = _tiny(accuracy)
    rounds = ceil(2 / Fraction(accuracy)) + more

    def cases() -> Iterator[tuple[object, bool]]:
        for database in combinations_with_replacement(range(3), records):
            found: Counter[frozenset[int]] = Counter()
            for chosen, p in _runs(Counter(database), rounds, removed):
                found[chosen] += p  # type: ignore[assignment]  # sums of fractions
            distribution = sanitizer.chosen_distribution(database)
            yield database, distribution.as_mapping() == {s: p for s, p in found.items() if p}

    return all_of(cases(), "distributions of the chosen set")


def _new_point(sanitizer: SanPoints, size: int) -> Probability:
    """Return the probability of choosing a point with one record, with all others at the threshold.

    The neighbour without this record never chooses the point, so that delta is at least this
    probability.
    """
    most = max(1, int(sanitizer.accuracy * size / 4))
    counts = Counter({most: (size - 1) // most, (size - 1) % most: 1, 1: 1})
    balls = BallArithmetic(sanitizer.epsilon)
    with balls.working():
        weights = (number * balls.exp(Fraction(n - 1, 4)) for n, number in counts.items() if n)
        whole = sum(weights, balls.number(0))
        return balls.result(sanitizer.choice.released(most, size, balls) / whole)


def _composed(accuracy: Fraction, epsilon: Fraction, delta: Fraction, number: Fraction) -> Fraction:
    """Return the epsilon of all steps by Theorem 2.5, rounded up."""
    share = printed_share(Epsilon(epsilon), number / accuracy, delta).rational
    count = 2 * ceil(2 / accuracy)
    log = enclose_log(5 / delta).upper
    root = Fraction(isqrt(ceil(2 * count * log * 4**64)) + 1, 2**64)
    return share * root + 2 * count * share**2


Size = Callable[[Fraction, Fraction, Epsilon, Fraction], int]


@claim(
    "bns/thm-4.6",
    "Theorem 4.6",
    "Privacy and utility of the sanitizer for points",
    Kind.THEOREM,
    over=table(
        "accuracy failure epsilon delta",
        ("9/10", "1/2", "1", "9/10"),
        ("9/10", "1/2", "1", "1/1000000"),
        ("1/2", "1/10", "1", "1/1000"),
        ("3/10", "1/10", "1/2", "1/1000000"),
        ("9/10", "1/2", "1", f"1/{10**60}"),
    ),
    near=[
        near("The steps have sqrt(11/7) times the epsilon.", number=times(Fraction(7, 11))),
        near("Three sevenths of the records are enough.", size=times(Fraction(3, 7))),
    ],
    uses=["bns/lemma-4.4", "bns/lemma-4.5", "bns/thm-2.5"],
)
def point_sanitizer_theorem(
    accuracy: str,
    failure: str,
    epsilon: str,
    delta: str,
    *,
    number: Fraction = Fraction(32),
    size: Size = san_points_sample_size,
) -> Decision:
    """With eps' = eps / sqrt((32/alpha) ln(5/delta)) and delta' = alpha delta / 5 for each step,
    the 2 ceil(2/alpha) steps of SanPoints compose to at most (eps, delta) by Theorem 2.5, for eps
    <= 1. From the number of records of Theorem 4.6 on, with explicit constants, the probability
    that some estimate has an error above alpha is at most beta. This is checked exactly on
    databases in which as many points as possible have slightly more than alpha m records, and on
    databases whose fractions form a geometric sequence. A point with a single record is chosen with
    probability at most delta', even if all other qualities are at the threshold.
    """
    a, b, d = Fraction(accuracy), Fraction(failure), Fraction(delta)
    total = _composed(a, Fraction(epsilon), d, number)
    spent = ceil(2 / a) * a * d / 5 + d / 5
    m = int(size(a, b, Epsilon.of(epsilon), d))
    each = printed_share(Epsilon.of(epsilon), 32 / a, d), a * d / 5, d / 5
    sanitizer = SanPoints(m, a, b, *each, "paper", any_size=True)
    just = int(a * m) + 1

    def cases() -> Iterator[tuple[object, Decision]]:
        yield "epsilon", at_most(total, Fraction(epsilon))
        yield "delta", at_most(spent, d)
        heavy = [just] * (m // just)
        for name, counts in (
            ("just over alpha m", heavy),
            ("geometric", [m // 2, m // 4, m // 8, m // 16, m // 32]),
        ):
            rest = m - sum(counts)
            found = san_points_failure(sanitizer, [*counts, rest] if rest else counts)
            yield name, at_most(found, b)
        yield "a new point", at_most(_new_point(sanitizer, m), sanitizer.delta)

    return all_of(cases())


@claim(
    "bns/thm-4.7",
    "Theorem 4.7",
    "Sanitizer for k-points",
    Kind.THEOREM,
    over=grid(k=[1, 2, 3], seed=range(6)),
    near=[
        near("The error is at most k - 1/2 times that of a point.", share=lambda k: k - HALF),
        near("At least k^2 times the records of SanPoints are required.", power=plus(HALF)),
    ],
    uses=["bns/thm-4.6"],
)
def sets_of_points(
    k: int,
    seed: int,
    *,
    share: Callable[[int], Fraction | int] = lambda k: k,
    power: Fraction = Fraction(3, 2),
) -> Decision:
    """The sum of the estimated fractions of SanPoints over a set of k points has an error of at
    most k times the largest error of a point. Checked on runs with records of up to 6 points. With
    alpha / k in place of alpha, at least k^(3/2) times as many records are required, and at most
    8/5 k^(3/2) times as many for k up to 3.
    """
    rng = np.random.default_rng(seed)
    sanitizer = SanPoints(5, HALF, HALF, Epsilon.of(1), Fraction(1, 4))
    records = rng.integers(6, size=6 + 4 * seed).tolist() if seed else list(range(6))
    sets = PointSets(sanitizer, k)
    run = sets.sanitize(records, np.random.default_rng(seed))
    counts, released = Counter(records), run.released
    errors = [Fraction(counts[x], len(records)) - released.get(x, 0) for x in range(6)]
    by_hand = max(abs(sum(chosen, Fraction(0))) for chosen in combinations(errors, k))
    tenth = Fraction(1, 10)
    one, many = (k_points_sample_size(tenth, tenth, Epsilon.of(1), tenth**6, n) for n in (1, k))
    ratio = Fraction(many, one) ** 2
    bound = Fraction(k) ** int(2 * power)
    return all_of(
        [
            ("error", holds(run.error.error == by_hand, "the error is that of the worst set")),
            ("sum", at_most(by_hand, share(k) * max(map(abs, errors)))),
            ("size from below", at_least(ratio, bound)),
            ("size from above", at_most(ratio, bound * Fraction(64, 25))),
        ]
    )
