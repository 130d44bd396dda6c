"""Section 3.3: the quality of the answers of RecConcave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import flint
import numpy as np

from ccsim.exact import Epsilon
from ccsim.exact.intervals import Interval
from ccsim.exact.steps import StepFunction
from ccsim.learning.sample_size import log_star, recursion_promise
from ccsim.privacy.mechanisms.recursive_concave import RecConcave
from proofs_check.claims.beimel_nissim_stemmer.constructions.promises import (
    recursion_promise_at_most,
    step_promise,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal, holds
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

HALF, TENTH, MILLIONTH = Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**6)
ONE, QUARTER = Epsilon.of(1), Fraction(1, 4)
EIGHTH = Fraction(1, 8)


def _ceiling_logs(n: int, times: int) -> int:
    for _ in range(times):
        n = (n - 1).bit_length()
    return n


@claim(
    "bns/lognN",
    "section 3.3, footnote 2",
    "Iterated logarithms with and without ceilings",
    Kind.LEMMA,
    over=grid(n=[*range(2, 40), 257, 65537, 2**256, 2**256 + 1]),
    near=near("The ceilings add at most 999/1000.", most=Fraction(999, 1000)),
    uses=["bns/logstar"],
)
def ceilings(n: int, *, most: Fraction = Fraction(2)) -> Decision:
    """For N at most log* n, the N-fold logarithm with ceilings exceeds the N-fold logarithm by at
    most 2. In fact the difference is below 1, and values close to 1 occur.
    """

    def cases() -> Iterator[tuple[object, Decision]]:
        for times_taken in range(1, log_star(n) + 1):
            with flint.ctx.workprec(512):
                ball = flint.arb(n)
                for _ in range(times_taken):
                    ball = ball.log() / flint.arb(2).log()
                above = flint.arb(_ceiling_logs(n, times_taken)) - ball
                bound = flint.arb(flint.fmpq(most.numerator, most.denominator))
                fits, exceeds = bool(above <= bound), bool(above > bound)
            if fits == exceeds:
                raise AssertionError(f"whether {above} exceeds {most} is undecided")
            yield times_taken, holds(fits, f"{float(above):.5g} more")

    return all_of(cases())


@claim(
    "bns/rem-3.17",
    "Remark 3.17",
    "Efficiency of RecConcave",
    Kind.REMARK,
    over=grid(last=[33, 64, 65, 1000, 2**64, 2**64 + 1, 2**400]),
    near=[
        near("The recursive range has one point fewer.", more=plus(-1)),
        near("The recursive range has one more point.", more=plus(1)),
    ],
)
def efficiency(last: int, *, more: int = 1) -> Decision:
    """Only the outermost call needs an efficient implementation: the recursive call works on a
    range of ceil(log2 T) + 1 points, one for each power of two."""
    needle = StepFunction.from_steps({0: 0, last // 2: 9, last // 2 + 1: 0}, last)
    inner = RecConcave(Fraction(9), HALF, ONE, EIGHTH).level(needle).inner
    points = 0 if inner is None else inner.last + 1
    return equal(points, _ceiling_logs(last, 1) + more)


Side = tuple[tuple[int, Fraction], ...]
"""From which distance to the best point on how much is lost, as part of the promise."""


def shape(name: str, accuracy: Fraction) -> tuple[int, int, Side]:
    """Return the end of a range, its best point, and the losses of quality by distance from it."""
    over, end = accuracy * Fraction(51, 50), 1 << (1024 if name == "wide" else 64)
    if name.isdigit():
        rng = np.random.default_rng(int(name))
        bits = int(rng.integers(6, 65))
        last = int(rng.integers(1 << (bits - 1), 1 << bits, dtype=np.uint64)) + 1
        far = sorted({1 << int(s) for s in rng.integers(0, bits, 6)})
        depths = np.cumsum(rng.integers(0, 60, len(far)))
        place = int(rng.integers(0, last, dtype=np.uint64))
        lost = tuple((d, accuracy * int(x) / 100) for d, x in zip(far, depths, strict=True))
        return last, place, (*lost, (1 << bits, Fraction(1)))
    sides: dict[str, Side] = {
        "needle": ((1, over),),
        "wide": ((1, over),),
        "two-scales": ((1, over * HALF), (1 << 32, over)),
        "three-scales": ((2, over * 56 / 100), (1 << 43, over * 70 / 100), (1 << 44, over)),
        "slow-decay": tuple((1 << i, over * (i + 1) / 20) for i in range(20)),
        "uniform": tuple((i << 57, Fraction(i, 64)) for i in range(1, 64)),
    }
    return end, end // 2, sides[name]


def quasi_concave(name: str, accuracy: Fraction, best: int) -> StepFunction:
    """Return the quality function with the given shape and maximum."""
    last, place, side = shape(name, accuracy)
    steps: dict[int, Fraction | int] = {}
    lost, reached = Fraction(0), 0
    for far, depth in (*side, (last + 1, Fraction(2))):
        start = max(place - far + 1, 0)
        steps.setdefault(start, int(best * (1 - lost) // 1))
        if place + reached <= last:
            steps[place + reached] = int(best * (1 - lost) // 1)
        lost, reached = depth, far
    return StepFunction.from_steps(steps, last)


def exact_failure(
    name: str, accuracy: Fraction, promise: int, depth: int, step: Epsilon, delta: Fraction
) -> Interval:
    """Return the probability of a point with quality below ``(1 - accuracy) promise``."""
    quality = quasi_concave(name, accuracy, promise)
    run = RecConcave(Fraction(promise), accuracy, step, delta, depth)
    return run.distribution(quality, 128).probability_below((1 - accuracy) * promise)  # type: ignore[return-value]  # in balls


NAMES = ("needle", "wide", "two-scales", "three-scales", "slow-decay", "uniform")


@claim(
    "bns/lemma-3.14",
    "Lemma 3.14",
    "Utility of RecConcave",
    Kind.LEMMA,
    over=grid(name=NAMES, depth=[1, 2, 3])
    .medium(name=[str(seed) for seed in range(100)], depth=[1, 2])
    .large(name=[str(seed) for seed in range(100)], depth=[3]),
    near=near("A promise of r/25 is enough.", promise=times(Fraction(1, 25))),
    uses=["bns/claim-3.13", "bns/prop-2.25", "bns/prop-2.26"],
)
def utility(
    name: str, depth: int, *, promise: Callable[..., Fraction | int] = step_promise
) -> Decision:
    """If a quality is quasi-concave and its maximum is at least r = 8^N (4 / (alpha eps)) (log2(32
    / (beta delta)) + log^(N)(T)), where log^(N) is the N-fold logarithm, RecConcave returns a point
    of quality below (1 - alpha) r with probability at most 2 beta N. Checked at eps = 1, delta =
    10^-6, alpha = 1/20, beta = 1/10 for every step, with the corrected A_dist; the failure
    probability is exact, on ranges of up to 2^1024 points.
    """
    accuracy = TENTH / 2
    last, _, _ = shape(name, accuracy)
    depth = min(depth, log_star(last))
    r = max(1, int(promise(accuracy, TENTH, ONE, MILLIONTH, last, depth)))
    failure = exact_failure(name, accuracy, r, depth, ONE, MILLIONTH)
    return at_most(failure.upper, 2 * TENTH * depth, trivial=1)


DEPTHS = table(
    "bits depth product",
    *((b, n, p) for b, n in ((1, 1), (64, 1), (64, 2), (64, 3), (17, 5)) for p in ("1/2", "1e-7")),
)
"""Bits of the range, calls, and beta delta."""


def _halves(whole: str) -> tuple[Fraction, Fraction]:
    """Return a beta and a delta whose product is given."""
    both = Fraction(whole)
    return (Fraction(3, 4), both / Fraction(3, 4)) if both == HALF else (TENTH, both / TENTH)


@claim(
    "bns/thm-3.15",
    "Theorem 3.15",
    "RecConcave with given privacy parameters",
    Kind.THEOREM,
    over=DEPTHS,
    near=[
        near("Three quarters of the promise are enough.", promise=times(Fraction(3, 4))),
        near(
            "The parameters of every step can be larger by 1/1000.",
            share=times(Fraction(1001, 1000)),
        ),
    ],
    uses=["bns/lemma-3.12", "bns/lemma-3.14"],
)
def with_given_privacy(
    bits: int,
    depth: int,
    product: str,
    *,
    promise: Callable[..., Fraction | int] = recursion_promise,
    share: Fraction = Fraction(1),
) -> Decision:
    """With eps / (3N) and delta / (3N) for every step, RecConcave is (eps, delta)-private, and it
    fails with probability at most beta if the maximum quality is at least 8^N (36 N / (alpha eps))
    (log2(6N / (beta delta)) + log^(N)(T)), because this is at least the promise that Lemma 3.14
    requires for beta / (2N). The condition beta delta <= 1/2, which the paper does not state, is
    needed. Checked for T = 2^bits, eps = 1, alpha = 1/4.
    """
    beta, delta = _halves(product)
    asked = _asked(beta, delta, bits, depth)
    each = ONE * (share / (3 * depth))
    run = RecConcave(Fraction(1), QUARTER, each, share * delta / (3 * depth), depth, 1)
    spent, lost = run.privacy(2**bits, printed=True)
    return all_of(
        [
            ("promise", at_least(promise(QUARTER, beta, ONE, delta, bits, depth), asked)),
            ("epsilon", at_most(spent.rational, ONE.rational)),
            ("delta", at_most(lost, delta)),
        ]
    )


def _asked(beta: Fraction, delta: Fraction, bits: int, depth: int) -> int:
    """Return the promise of Lemma 3.14 for equal shares of a budget."""
    steps = 3 * depth
    return step_promise(QUARTER, beta / (2 * depth), ONE / steps, delta / steps, 2**bits, depth)


@claim(
    "bns/rem-3.16",
    "Remark 3.16",
    "Depth of the recursion",
    Kind.REMARK,
    over=grid(bits=[2, 17, 64, 400], product=["1/2", "1e-7"]),
    near=near("Two thirds of the promise are enough.", promise=times(Fraction(2, 3))),
    uses=["bns/obs-3.10", "bns/lemma-3.14"],
)
def depth_of_the_recursion(
    bits: int,
    product: str,
    *,
    promise: Callable[..., Fraction | int] = recursion_promise_at_most,
) -> Decision:
    """With N = log* T, the largest possible number of calls, the promise 8^N (36 N / (alpha eps))
    log2(12 N / (beta delta)) is enough, because it is at least the promise that Lemma 3.14
    requires. Checked for T = 2^bits.
    """
    beta, delta = _halves(product)
    asked = _asked(beta, delta, bits, log_star(2**bits))
    return at_least(promise(QUARTER, beta, ONE, delta, bits), asked)
