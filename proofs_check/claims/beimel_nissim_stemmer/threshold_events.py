"""Section 4.3: the good events of SanThresholds, and numbers of records for which they occur."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np
import numpy.typing as npt

from ccsim.exact import Epsilon
from ccsim.exact.epsilon import BallArithmetic
from ccsim.exact.exponentials import enclose_log
from ccsim.exact.steps import StepFunction
from ccsim.learning.sample_size import log_star
from ccsim.privacy.mechanisms.choosing import choosing_sample_size
from ccsim.release.sanitizers.budget import (
    printed_share,
    run_sample_size,
    san_thresholds_sample_size,
)
from ccsim.release.sanitizers.steps import RoundedLaplace
from ccsim.release.sanitizers.threshold_recursion import SanThresholds, ThresholdRun
from proofs_check.claims.beimel_nissim_stemmer.constructions.promises import (
    recursion_promise_at_most,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.sanitizer_events import (
    printed_thresholds_epsilon,
    threshold_events,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

HALF = Fraction(1, 2)


Size = Callable[[Fraction, Fraction, Epsilon, Fraction, int, int], int]


@claim(
    "bns/claim-4.10",
    "Claim 4.10",
    "Good events of the sanitizer",
    Kind.LEMMA,
    over=table(
        "accuracy failure epsilon delta logbits",
        ("1", "1/10", "1", "1/100", 1),
        ("1/10", "1/100", "1", "1/1000000", 6),
        ("1/2", "1/10", "1/10", "1/1000000", 9),
    ),
    near=near("99/100 of the records are enough.", size=times(Fraction(99, 100))),
    uses=["bns/lemma-4.5", "bns/claim-4.9"],
)
def good_events(
    accuracy: str,
    failure: str,
    epsilon: str,
    delta: str,
    logbits: int,
    *,
    size: Size = run_sample_size,
) -> Decision:
    """Consider c = 77/alpha calls and m >= 8^L (60 c/(alpha eps)) L log2(12 L/(beta eps delta))
    records, with L = log* d and d a power of two. Then noise exceeds alpha m/(16 c) with
    probability at most beta/2. A range on which the recursion does not stop has a length of quality
    r = alpha m/32, and by Remark 3.16 a length of quality at least 3 r/4 is found, except with
    probability beta. The m records are enough for the choosing mechanism with alpha/64 and
    2-bounded growth. So the events B1, B2 and B3 of the paper hold except with probability 3 c
    beta.
    """
    a, b, e, d = Fraction(accuracy), Fraction(failure), Epsilon.of(epsilon), Fraction(delta)
    calls, bits = int(77 / a), 2**logbits
    m = int(size(a, b, e, d, calls, bits))
    balls = BallArithmetic(e)
    with balls.working():
        far = balls.result(2 * RoundedLaplace(e).tail(int(a * m / (16 * calls)), balls))
    return all_of(
        [
            ("B1", at_most(far, b / 2)),
            (
                "B2",
                at_least(a * m / 32, recursion_promise_at_most(Fraction(1, 4), b, e, d, logbits)),
            ),
            ("B3", at_least(m, choosing_sample_size(a / 64, b, e, d, growth=2))),
            ("c", equal(Fraction(calls), 77 / a)),
        ]
    )


@dataclass
class _Adversary:
    """Worst-case decisions within the events B1, B2 and B3, for alpha = 1/2."""

    share: Fraction
    most: int
    way: str
    rng: np.random.Generator

    def noise(self) -> int:
        if self.way == "up":
            return self.most
        if self.way == "few":
            return -self.most
        return int(self.rng.integers(-self.most, self.most + 1))

    def length(self, quality: StepFunction) -> int:
        allowed = [j for j in range(quality.last + 1) if 128 * quality(j) >= 3 * self.share]
        if self.way == "random":
            return int(self.rng.choice(allowed))
        return allowed[0 if self.way == "few" else -1]

    def choose(self, intervals: list[tuple[int, int]], counts: npt.NDArray[np.int64]) -> int:
        allowed = [i for i, n in enumerate(counts.tolist()) if 128 * n >= 5 * self.share]
        if self.way == "random":
            return int(self.rng.choice(allowed))
        sign = 1 if self.way == "few" else -1
        return min(allowed, key=lambda i: (sign * int(counts[i]), intervals[i]))


def _records(kind: str) -> tuple[dict[int, int], int]:
    """Return 25 600 records, as counts by point, and the last point of the range."""
    if kind == "points":  # one of 11 parts at the end, the others of 5
        return {**{2 * i + 1: 500 for i in range(49)}, 101: 1100}, 255
    if kind == "even":  # 456 points: a sixteenth part of them has just under 9 alpha m / 128
        return dict.fromkeys(range(456), 56), 511
    rng = np.random.default_rng(len(kind))
    if kind == "scales":
        return {1 << i: 400 for i in range(64)}, 2**64 - 1
    return {int(x): 64 for x in rng.integers(0, 2**64, size=400, dtype=np.uint64)}, 2**64 - 1


def _run(kind: str, way: str, seed: int) -> ThresholdRun:
    records, last = _records(kind)
    sanitizer = SanThresholds(last, HALF, HALF, Epsilon.of(1), Fraction(1, 100))
    share = HALF * sum(records.values())
    most = int(share / (16 * sanitizer.allowed))
    adversary = _Adversary(share, most, way, np.random.default_rng(seed))
    run = sanitizer.run(records, adversary)
    happened = threshold_events(run)
    assert all(happened[event] for event in ("B1", "B2", "B3"))  # noqa: S101 - so they are made
    return run


KINDS = ["points", "even", "scales", "uniform"]
WAYS = [("few", 0), ("up", 0), ("many", 0), ("random", 0), ("random", 1)]


@claim(
    "bns/claim-4.11",
    "Claim 4.11",
    "Number of calls of the sanitizer",
    Kind.LEMMA,
    over=table("kind way seed", *((kind, *way) for kind in KINDS for way in WAYS)),
    near=[
        near("The number of calls is at most 9/10 of the bound.", calls=times(Fraction(9, 10))),
        near(
            "At most 3/11 alpha m records lie before the last point.", before=times(Fraction(6, 11))
        ),
        near("The noise is 10/11 as large.", noise=times(Fraction(10, 11))),
        near("At most as many calls stop early as are complete.", more=plus(-1)),
    ],
    uses=["bns/claim-4.10"],
)
def number_of_calls(
    kind: str,
    way: str,
    seed: int,
    *,
    calls: Callable[[Fraction], Fraction] = lambda a: 256 / (5 * a) + 1,
    before: Fraction = HALF,
    noise: Fraction = Fraction(1, 16),
    more: int = 1,
) -> Decision:
    """If the events B1, B2 and B3 of Claim 4.10 hold, then so do the following events. E1: there
    are at most 77/alpha calls, none of which exceeds the limit; E2: at most alpha m/2 records lie
    before the last point of an interval; and E3: no number of copies has an error above (alpha
    m/4)(alpha/77). Moreover, there are at most 256/(5 alpha) + 1 calls, because the number of calls
    that stop early exceeds the number of complete calls by at most one. Checked for alpha = 1/2 and
    the extreme decisions that B1, B2 and B3 allow, on 25600 records.
    """
    run = _run(kind, way, seed)
    share = HALF * run.size
    short = sum(call.log_length is None for call in run.calls)
    complete = len(run.calls) - short
    off = max(max(abs(c.copies - c.chosen), abs(c.noisy - c.inside)) for c in run.calls)
    return all_of(
        [
            ("E1, E2, E3", all(threshold_events(run)[event] for event in ("E1", "E2", "E3"))),
            ("calls", at_most(len(run.calls), calls(HALF))),
            ("before", at_most(max(call.before for call in run.calls), before * share)),
            ("noise", at_most(off, noise * share / run.allowed)),
            ("cut short", at_most(short, complete + more)),
            ("twice as many", at_most(short, 2 * complete)),
        ]
    )


@claim(
    "bns/lemma-4.12",
    "Lemma 4.12",
    "Utility of the sanitizer for thresholds",
    Kind.LEMMA,
    over=table("kind way seed", *((kind, *way) for kind in KINDS for way in WAYS)),
    near=near("The values differ by at most 11 alpha / 40.", error=times(Fraction(11, 40))),
    uses=["bns/claim-4.11"],
)
def threshold_utility(kind: str, way: str, seed: int, *, error: Fraction = Fraction(1)) -> Decision:
    """If the events E1, E2 and E3 of Claim 4.11 hold, the values of every threshold on the records
    and on the released database differ by at most alpha. Checked for alpha = 1/2 and the extreme
    decisions that B1, B2 and B3 allow, on 25600 records. The last threshold, which the proof does
    not consider, has the value 1 on both.
    """
    run = _run(kind, way, seed)
    return at_most(run.error.error, error * HALF)


SETTINGS = [
    ("9/10", "1/2", "1", "9/10", 1),
    ("9/10", "1/2", "1", "1/1000000", 4),
    ("1/10", "1/10", "1", "1/1000000", 64),
    ("1/10", "1/10", "1/10", "1/1000000", 65536),
]


@claim(
    "bns/thm-4.13",
    "Theorem 4.13",
    "Parameters of the sanitizer for thresholds",
    Kind.THEOREM,
    over=table("accuracy failure epsilon delta bits", *SETTINGS),
    near=[
        near("The mechanisms have sqrt(37/18) times the epsilon.", number=times(Fraction(18, 37))),
        near("The number of records grows as 1 / alpha^2.", power=plus(-1)),
    ],
    uses=["bns/lemma-4.8", "bns/lemma-4.12"],
)
def threshold_parameters(
    accuracy: str,
    failure: str,
    epsilon: str,
    delta: str,
    bits: int,
    *,
    number: Fraction = Fraction(32),
    power: int = 5,
) -> Decision:
    """With c = ceil(77/alpha) calls, and the parameters eps / (2 sqrt(8 c ln(5/delta))), delta / (5
    c) and beta / (3 c) for each call, SanThresholds is (eps, delta)-private by Lemma 4.8, for eps
    <= 1, and fails with probability beta by Lemma 4.12. For r = sqrt(624 ln(5/delta)) it requires
    at most 8^L L (9360 r /(alpha^2.5 eps)) log2(2190240 r L/(alpha^2.5 beta eps delta)) records,
    where L = log* d; this is the bound of the theorem with its constants.
    """
    a, b, e, d = Fraction(accuracy), Fraction(failure), Fraction(epsilon), Fraction(delta)
    calls, stars = ceil(77 / a), max(1, log_star(bits))
    share = printed_share(Epsilon(e), number * calls, d)
    spent = printed_thresholds_epsilon(share, d / (5 * calls), calls).rational
    size = san_thresholds_sample_size(a, b, Epsilon(e), d, bits)
    square = 624 * enclose_log(5 / d).lower
    inside = (2190240 * stars / (b * e * d)) ** 2 * square / a**power
    log = enclose_log(inside).lower / (2 * enclose_log(Fraction(2)).upper)
    bound = (8**stars * stars * 9360 / e * log) ** 2 * square / a**power
    return all_of(
        [
            ("size", at_most(Fraction(size - 1) ** 2, bound)),
            ("epsilon", at_most(spent, e)),
        ]
    )


@claim(
    "bns/thm-3.21",
    "Theorem 3.21",
    "Sanitizer for thresholds, as announced",
    Kind.THEOREM,
    over=grid(accuracy=["1/2", "1/10"], bits=[1, 2, 4, 16, 17, 2**16, 2**16 + 1]),
    near=[
        near("The number grows as 7^(log* d).", base=plus(-1)),
        near("The number grows as 8^(log* d), without another factor.", linear=plus(-1)),
        near("The number depends on d only through log* (d / 2).", shift=plus(-1)),
    ],
    uses=["bns/thm-4.13"],
)
def announced(
    accuracy: str, bits: int, *, base: int = 8, linear: int = 1, shift: int = 0
) -> Decision:
    """The number of records that is proved to be enough for SanThresholds depends on d only through
    L = log* d, and is at most 10/9 8^(L - 1) L times the number for d = 1. Checked at beta = 1/10,
    eps = 1 and delta = 10^-6.
    """
    a, tenth = Fraction(accuracy), Fraction(1, 10)

    def size(d: int) -> int:
        return san_thresholds_sample_size(a, tenth, Epsilon.of(1), tenth**6, d)

    stars = max(1, log_star(bits))
    same = 1
    for _ in range(stars + shift):
        same = 2**same  # the largest d of this log*
    bound = Fraction(10, 9) * base ** (stars - 1) * stars**linear * size(1)
    return all_of(
        [
            ("growth", at_most(size(bits), bound)),
            ("log*", equal(size(bits), size(max(same, 1)))),
        ]
    )
