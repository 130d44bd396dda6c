"""Section 3.4: LearnThresholds and its sample complexity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from ccsim.exact import Epsilon
from ccsim.exact.intervals import Interval
from ccsim.exact.steps import StepFunction
from ccsim.learning.learners.thresholds import (
    RecConcaveThresholdLearner,
    best_split,
    least_proved_size,
    threshold_agreement,
)
from ccsim.learning.sample_size import (
    log_ceiling,
    log_star,
    recursion_promise,
    threshold_sample_size,
)
from ccsim.privacy.mechanisms.recursive_concave import RecConcave
from proofs_check.claims.beimel_nissim_stemmer.constructions.promises import (
    recursion_promise_at_most,
    threshold_sample_size_at_most,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, times

TENTH, DELTA, ONE = Fraction(1, 10), Fraction(1, 10**6), Epsilon.of(1)
Examples = Sequence[tuple[int, int]]


def _correct(examples: Examples, j: int) -> int:
    """Return the number of examples that the threshold ``x < j`` labels correctly."""
    return sum((x < j) == bool(y) for x, y in examples)


def _up_to(examples: Examples, j: int) -> int:
    return sum((x <= j) == bool(y) for x, y in examples)


@claim(
    "bns/alg-learnthresholds",
    "section 3.4, algorithm LearnThresholds",
    "Private learner of thresholds",
    Kind.DEFINITION,
    over=grid(seed=range(3)).medium(seed=range(3, 20)),
    near=[
        near("RecConcave is run with 7/11 alpha.", part=times(Fraction(14, 11))),
        near("Every step has eps / (2N).", steps=2),
        near("The threshold c_j is 1 on x <= j.", agreement=_up_to),
    ],
    uses=["bns/alg-recconcave"],
)
def algorithm(
    seed: int,
    *,
    part: Fraction = Fraction(1, 2),
    steps: int = 3,
    agreement: Callable[[Examples, int], int] = _correct,
) -> Decision:
    """LearnThresholds is RecConcave on the range 0 .. 2^d, where the quality is the number of
    examples that a threshold labels correctly, with the promise m, alpha / 2, eps / (3N) and delta
    / (3N). Checked on random samples of 60 examples over 2^7 points, including inconsistent ones;
    the exact probability of every point lies in the interval that the learner with the printed
    parameters computes.
    """
    rng = np.random.default_rng(seed)
    examples = [(int(x), int((x < 50) ^ (rng.random() < 0.1))) for x in rng.integers(0, 128, 60)]
    epsilon, accuracy = Epsilon.of("ln 4096"), Fraction(1, 4)
    learner = RecConcaveThresholdLearner(
        accuracy, TENTH, epsilon, 7, 0, Fraction(1, 10), 2, "printed"
    )
    balls = learner.distribution(threshold_agreement(examples, 7), len(examples))
    quality = StepFunction.of([agreement(examples, j) for j in range(129)])
    share = steps * 2
    exact = RecConcave(
        Fraction(60), part * accuracy, epsilon / share, Fraction(1, 10) / share, 2
    ).distribution(quality, 192)

    def agree(j: int) -> bool:
        a, b = balls.probability(j, j), exact.probability(j, j)
        if not (isinstance(a, Interval) and isinstance(b, Interval)):
            raise TypeError(
                "both probabilities must be intervals, which are used for distributions this large"
            )
        return a.lower <= b.upper and b.lower <= a.upper

    return all_of(((j, agree(j)) for j in range(129)), "the same distribution")


BUDGETS = table(
    "bits depth product",
    *((b, n, p) for b, n in ((1, 1), (64, 1), (64, 2), (17, 5)) for p in ("1/2", "1e-7")),
)
"""Bits of a point, calls, and beta delta."""


def _halves(product: str) -> tuple[Fraction, Fraction]:
    both = Fraction(product)
    return (Fraction(3, 4), both * 4 / 3) if both > TENTH else (TENTH, both / TENTH)


@claim(
    "bns/thm-3.18",
    "Theorem 3.18",
    "Proper private learning of thresholds",
    Kind.THEOREM,
    over=BUDGETS,
    near=[
        near("999/1000 of the examples are enough.", size=times(Fraction(999, 1000))),
        near(
            "The second term is enough, without uniform convergence.",
            size=lambda a, b, e, d, n, N: recursion_promise(a / 2, b / 2, e, d, n, N),
        ),
    ],
    uses=["bns/thm-3.15", "bns/thm-2.14", "bns/alg-learnthresholds"],
)
def examples_of_the_learner(
    bits: int,
    depth: int,
    product: str,
    *,
    size: Callable[..., Fraction | int] = threshold_sample_size,
) -> Decision:
    """LearnThresholds is an (alpha, beta, eps, delta, m)-PAC learner for m = max((200 / alpha^2)
    ln(4 / (alpha beta)), 8^N (72 N / (alpha eps)) (log2(12 N / (beta delta)) + log^(N)(2^d))). The
    first term is that of Theorem 2.14 for VC dimension 1, alpha / 2 and beta / 2; the second is the
    promise of Theorem 3.15 for alpha / 2 and beta / 2. Checked at eps = 1 and 1000, alpha = 1/2."""
    beta, delta = _halves(product)
    accuracy = Fraction(1, 2)

    def enough(epsilon: Epsilon) -> Decision:
        needed = max(
            log_ceiling(200 / accuracy**2, 4 / (accuracy * beta), ONE),
            recursion_promise(accuracy / 2, beta / 2, epsilon, delta, bits, depth),
        )
        return at_least(size(accuracy, beta, epsilon, delta, bits, depth), needed)

    return all_of((str(e), enough(Epsilon.of(e))) for e in (1, 1000))


@claim(
    "bns/rem-3.19",
    "Remark 3.19",
    "Accuracy of the learner of thresholds",
    Kind.REMARK,
    over=grid(bits=[1, 2, 17, 64, 400], product=["1/2", "1e-7"]),
    near=near("10/11 of the examples are enough.", size=times(Fraction(10, 11))),
    uses=["bns/rem-3.16", "bns/thm-3.18"],
)
def all_calls(
    bits: int,
    product: str,
    *,
    size: Callable[..., Fraction | int] = threshold_sample_size_at_most,
) -> Decision:
    """With N = log*(2^d) in Theorem 3.18, m = O(8^N (N / (alpha eps)) log(N / (alpha beta delta)))
    is enough. Explicitly, it is the maximum of the term of uniform convergence and the promise of
    Remark 3.16 for alpha / 2 and beta / 2, which is at least the number that the theorem requires.
    Checked at eps = 1, alpha = 1/2.
    """
    beta, delta = _halves(product)
    half, depth = Fraction(1, 2), log_star(2**bits)
    needed = max(
        log_ceiling(200 / half**2, 4 / (half * beta), ONE),
        recursion_promise(half / 2, beta / 2, ONE, delta, bits, depth),
    )
    promised = recursion_promise_at_most(half / 2, beta / 2, ONE, delta, bits)
    found = size(half, beta, ONE, delta, bits)
    return all_of([("theorem", at_least(found, needed)), ("remark", at_least(found, promised))])


def three_scales(bits: int, size: int, first: int, second: int, scale: int) -> StepFunction:
    """Return the agreement of thresholds with a sample of errors (in per cent) at three scales."""
    near_by = size // 20 + 1
    parts = {2: near_by * first // 100, 1 << (scale - 1): near_by * second // 100}
    parts[1 << scale] = near_by - sum(parts.values())
    place, end = 1 << (bits - 1), 1 << bits
    counts: dict[tuple[int, int], int] = {}
    for far, times_there in {**parts, end: size // 2 - near_by}.items():
        for example in ((max(place - 1 - far, 0), 1), (min(place + far, end - 1), 0)):
            counts[example] = counts.get(example, 0) + times_there
    return threshold_agreement(list(counts), bits, list(counts.values()))


@cache
def _best(bits: int) -> RecConcaveThresholdLearner:
    return best_split(TENTH, TENTH, ONE, bits, DELTA)


def _equal(bits: int) -> RecConcaveThresholdLearner:
    return RecConcaveThresholdLearner(TENTH, TENTH, ONE, bits, 0, DELTA)


@claim(
    "bns/thm-3.18-proved",
    "Theorem 3.18, step by step",
    "The number of examples that RecConcave needs with good parameters",
    Kind.THEOREM,
    over=table("bits first second scale", (64, 82, 20, 44), (64, 56, 14, 44), (20, 56, 14, 16)),
    near=[
        near("Seven eighths of the examples are enough.", size=times(Fraction(7, 8))),
        near(
            "These examples are enough with equal shares and the corrected A_dist too.",
            learner=_equal,
        ),
    ],
    uses=["bns/lemma-3.12", "bns/lemma-3.14"],
)
def proved_size(
    bits: int,
    first: int,
    second: int,
    scale: int,
    *,
    size: Callable[..., Fraction | int] = least_proved_size,
    learner: Callable[[int], RecConcaveThresholdLearner] = _best,
) -> Decision:
    """With the optimal A_dist, unequal shares of the privacy budget, and an accuracy of RecConcave
    that is larger than the target accuracy, a few thousand examples are enough for an empirical
    error of alpha / 2 except with probability beta / 2, on every sample of a threshold; Theorem
    3.18 requires 3.1 million. The proof is the argument of Lemma 3.14 with the probabilities of the
    steps in place of their bounds. Checked at eps = 1, delta = 10^-6, alpha = beta = 1/10, on hard
    samples of three scales.
    """
    m = int(size(_best(bits).run, TENTH / 2)) // 2 * 2
    failure = learner(bits).empirical_failure(three_scales(bits, m, first, second, scale), m)
    return at_most(failure.upper, TENTH / 2, trivial=1)
