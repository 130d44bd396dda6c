"""Section 4.3: SanThresholds, its privacy, and the requirements of its steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt

from ccsim.exact import Epsilon
from ccsim.exact.exponentials import enclose_log
from ccsim.exact.steps import StepFunction
from ccsim.learning.sample_size import log_ceiling
from ccsim.release.sanitizer import SortedRecords
from ccsim.release.sanitizers.threshold_recursion import OrderedCounts, SanThresholds
from proofs_check.claims.beimel_nissim_stemmer.constructions.qualities import is_of_bounded_growth
from proofs_check.claims.beimel_nissim_stemmer.constructions.sanitizer_events import (
    printed_thresholds_epsilon,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal, holds
from proofs_check.claims.grid import grid
from proofs_check.claims.variants import near, plus, times

HALF = Fraction(1, 2)
Interval = tuple[int, int]


@dataclass
class _Script:
    """Decisions that depend only on the seed and on the number of earlier decisions."""

    seed: int
    decided: list[int] = field(default_factory=list)
    qualities: list[list[Fraction]] = field(default_factory=list)
    asked: int = 0

    def number(self, below: int) -> int:
        """Return the next decision: a number from 0 to ``below - 1``."""
        rng = np.random.default_rng([self.seed, len(self.decided)])
        self.decided.append(int(rng.integers(below)))
        return self.decided[-1]

    def noise(self) -> int:
        self.asked += 1
        return self.number(5) - 2

    def length(self, quality: StepFunction) -> int:
        self.asked += 1
        self.qualities.append([quality(j) for j in range(quality.last + 1)])
        return self.log(quality.last)

    def choose(self, intervals: list[Interval], counts: npt.NDArray[np.int64]) -> int | None:
        self.asked += 1
        place = self.place(len(counts))
        return None if place is None else intervals.index(sorted(intervals)[place])

    def log(self, last: int) -> int:
        """Return a random length from 0 to ``last``; short lengths are more likely."""
        return min(self.number(last + 1) for _ in range(3))

    def place(self, number: int) -> int | None:
        """Return a random place below ``number``, or sometimes None."""
        found = self.number(9 * number + 1)
        return found // 9 if found < 9 * number else None


Trace = list[tuple[Interval, int]]
"""Intervals with their noisy numbers, in order of the calls."""


def _figure(
    records: list[int],
    part: Interval,
    script: _Script,
    bounds: tuple[Fraction, Fraction],
    shifted: bool,  # noqa: FBT001
) -> Trace:
    """Run figure 11 on lists, with alpha = 1/2 and without a limit on the calls."""
    (k, end), share = part, HALF * len(records)
    light, heavy = (bound * share for bound in bounds)

    def number(low: int, high: int) -> int:
        return sum(low <= x <= high for x in records)

    noisy = number(k, end) + script.noise()
    if noisy < light:
        return [(part, noisy)]
    points = end - k + 1
    log = next(j for j in range(99) if 2**j >= points)
    most = [
        max(number(x, min(x + 2**j - 1, end)) for x in range(k, end + 1)) for j in range(log + 1)
    ]
    terms = zip(most, [0, *most], strict=False)
    script.qualities.append([min(now - share / 32, heavy - past) for now, past in terms])
    z = script.log(log)
    width = 2 * 2**z if z else 1
    begins = [*range(k, end + 1, width)]
    if z and shifted:
        begins += range(k + 2**z, end + 1, width)
    family = sorted((x, min(x + width - 1, end)) for x in begins)
    some = [interval for interval in family if number(*interval)]
    place = script.place(len(some))
    a, b = part if place is None else some[place]
    trace = [((a, b), number(a, b) + script.noise())]
    if a > k:
        trace += _figure(records, (k, a - 1), script, bounds, shifted)
    if b < end:
        trace += _figure(records, (b + 1, end), script, bounds, shifted)
    return trace


def _random(seed: int) -> tuple[list[int], int]:
    rng = np.random.default_rng(seed)
    last = int(rng.integers(1, 40))
    return rng.integers(last + 1, size=int(rng.integers(1, 80))).tolist(), last


def _sanitizer(last: int) -> SanThresholds:
    return SanThresholds(last, HALF, HALF, Epsilon.of(1), Fraction(1, 100))


@claim(
    "bns/alg-santhresholds",
    "Figure 11",
    "Sanitizer for thresholds",
    Kind.DEFINITION,
    over=grid(seed=range(30)).medium(seed=range(30, 300)),
    near=[
        near(
            "The recursion stops on a range with fewer than 11 alpha m / 80 records.",
            light=times(Fraction(11, 10)),
        ),
        near(
            "Short intervals have at most 15 alpha m / 176 records.", heavy=times(Fraction(10, 11))
        ),
        near("There are no shifted intervals.", shifted=False),
    ],
)
def threshold_sanitizer(
    seed: int,
    *,
    light: Fraction = Fraction(1, 8),
    heavy: Fraction = Fraction(3, 32),
    shifted: bool = True,
) -> Decision:
    """With the same random decisions, SanThresholds computes the same qualities of lengths, the
    same intervals and the same noisy numbers as a direct execution of Figure 11 on lists of points.
    Checked on ranges of up to 40 points, for up to 80 records, with noise of up to 2. The decisions
    are a random length and a random interval that contains a record. If nothing is chosen, the
    interval is the whole range.
    """
    records, last = _random(seed)
    ours, theirs = _Script(seed), _Script(seed)
    run = _sanitizer(last).run(records, ours)
    trace = _figure(records, (0, last), theirs, (light, heavy), shifted)
    same = [(call.interval, call.copies) for call in run.calls] == trace
    detail = f"{len(run.calls)} calls on {len(records)} records"
    return holds(same and ours.qualities == theirs.qualities, detail)


def _counted(database: tuple[int, ...], interval: Interval) -> int:
    return sum(interval[0] <= x <= interval[1] for x in database)


def _family(last: int, log: int) -> list[Interval]:
    every = SortedRecords.of(list(range(last + 1)), last)
    return OrderedCounts.of(every, last).divided(log)[0]


def _qualities(records: list[int], last: int) -> list[Fraction]:
    """Return Q(S, .) for alpha = 1/2."""
    counts = OrderedCounts.of(SortedRecords.of(records, last), last)
    return counts.length_qualities(HALF * len(records))


def _paper_threshold() -> SanThresholds:
    return replace(_sanitizer(40), threshold="paper", accounting="printed")


def _log_ratio() -> int:
    """Return ``(1024 / (alpha eps)) ln(2048 / (alpha beta eps delta))``, rounded up."""
    return log_ceiling(Fraction(2048), Fraction(2048 * 400), Epsilon.of(1))


def _promised() -> Decision:
    """Check the promise, the accuracy and the privacy parameters in the call of RecConcave."""
    asked = _paper_threshold().recursion(5, 960)
    stars = 3  # of the six bits of a range 0 .. 40
    right = (asked.promise, asked.accuracy) == (Fraction(15), Fraction(1, 4))
    steps = (asked.epsilon, asked.delta) == (
        Epsilon(Fraction(1, 3 * stars)),
        Fraction(1, 300 * stars),
    )
    return holds(right and steps, f"{asked.promise}, {asked.epsilon} and {asked.delta}")


@claim(
    "bns/lemma-4.8",
    "Lemma 4.8",
    "Privacy of the sanitizer for thresholds",
    Kind.LEMMA,
    over=grid(seed=range(5)).medium(seed=range(5, 40)),
    near=[
        near("A call uses three mechanisms.", each=plus(-1)),
        near("The intervals are of 1-bounded growth.", growth=plus(-1)),
        near("The quality of a length changes by at most 10/11.", change=times(Fraction(10, 11))),
        near("The privacy bound with one more mechanism for each call.", composed=plus(1)),
    ],
    uses=["bns/thm-2.5", "bns/lemma-4.4", "bns/lemma-3.12"],
)
def threshold_privacy(
    seed: int,
    *,
    each: int = 4,
    growth: int = 2,
    change: Fraction = Fraction(1),
    composed: int = 4,
) -> Decision:
    """A run of c calls uses at most 4 c mechanisms. The two noisy counts and the quality Q(S, .)
    change by at most 1 between neighbours, and the counts of the intervals are of 2-bounded growth.
    So each mechanism is (eps, delta)-private from (1024/(alpha eps)) ln(2048/(alpha beta eps
    delta)) records on, if each step of RecConcave has the parameters eps/(3 log* d) and delta/(3
    log* d). By Theorem 2.5 the run is (sqrt(8 c ln(1/(c delta))) eps + 8 c eps^2, 5 c
    delta)-private. Checked for c = 770, eps = 10^-6 and delta = 10^-9, on seeded random records and
    all their neighbours.
    """
    records, last = _random(seed)
    script = _Script(seed)
    run = _sanitizer(last).run(records, script)
    log = seed % 3
    family = _family(3, min(log, 2))
    before, moved = _qualities(records, last), Fraction(0)
    for old, x in product(set(records), range(last + 1)):
        i = records.index(old)
        after = _qualities([*records[:i], x, *records[i + 1 :]], last)
        moved = max(moved, *(abs(a - b) for a, b in zip(before, after, strict=True)))
    epsilon, delta, calls = Fraction(1, 10**6), Fraction(1, 10**9), 770
    stated = printed_thresholds_epsilon(Epsilon(epsilon), delta, calls).rational
    number, slack = composed * calls, enclose_log(1 / (calls * delta)).lower
    rest = stated - 2 * number * epsilon**2
    return all_of(
        [
            ("mechanisms", at_most(script.asked, each * len(run.calls))),
            (
                "growth",
                holds(
                    is_of_bounded_growth(_counted, range(4), family, growth, 3),
                    f"{growth}-bounded growth on 4 points, intervals of length 2^{log + 1}",
                ),
            ),
            ("change", at_most(moved, change)),
            ("records", equal(_paper_threshold().needed, _log_ratio())),
            ("recursion", _promised()),
            ("epsilon", at_least(rest**2, 2 * number * slack * epsilon**2)),
            ("delta", at_most(number * delta + calls * delta, 5 * calls * delta)),
        ]
    )


def _sums(records: list[int], last: int) -> list[Fraction]:
    """Return the qualities of lengths as they would be with a sum in place of the minimum."""
    counts = OrderedCounts.of(SortedRecords.of(records, last), last)
    most = [0, *(counts.heaviest(j) for j in range(counts.log_length + 1))]
    return [Fraction(now - before) for before, now in pairwise(most)]


@claim(
    "bns/claim-4.9",
    "Claim 4.9",
    "Scores of the sanitizer are quasi-concave",
    Kind.LEMMA,
    over=grid(seed=range(40)).medium(seed=range(40, 400)),
    near=near("The sum of both terms is quasi-concave too.", qualities=_sums),
)
def scores(
    seed: int, *, qualities: Callable[[list[int], int], list[Fraction]] = _qualities
) -> Decision:
    """The quality Q(S, j) = min(I(S, j) - alpha m/32, 3 alpha m/32 - I(S, j - 1)) of lengths 2^j is
    quasi-concave in j, where I(S, j) is the largest number of records in 2^j adjacent points.
    Checked on records of up to 40 points.
    """
    records, last = _random(seed)
    q = qualities(records, last)
    triples = [(a, b, c) for c in range(len(q)) for b in range(c) for a in range(b)]
    if not triples:
        return holds(len(q) < 3, "fewer than three lengths").at_risk_if(condition=False)
    return all_of(((t, q[t[1]] >= min(q[t[0]], q[t[2]])) for t in triples), "quasi-concave")
