"""SanThresholds: runs compared with the paper's figure on lists, and privacy costs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pytest

from ccsim import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.epsilon import arithmetic
from ccsim.release import QueryError, max_threshold_error
from ccsim.release.sanitizer import SortedRecords
from ccsim.release.sanitizers.budget import run_sample_size, san_thresholds_sample_size
from ccsim.release.sanitizers.threshold_recursion import (
    OrderedCounts,
    SanitizerCall,
    SanThresholds,
    ThresholdRun,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.sanitizer_events import (
    printed_thresholds_epsilon,
    threshold_events,
)

TENTH, MILLIONTH, ONE = Fraction(1, 10), Fraction(1, 10**6), Epsilon.of(1)
WIDE = 2**64 - 1


def plain(last=WIDE, accuracy=TENTH, **more):
    return SanThresholds(last, accuracy, TENTH, ONE, MILLIONTH, **more)


@dataclass
class Scripted:
    """Decisions from a seed, equal for this code and for the figure."""

    seed: int
    wide: bool
    count: int = 0
    asked: list = field(default_factory=list)

    def _number(self, below):
        self.count += 1
        return int(np.random.default_rng([self.seed, self.count]).integers(below))

    def noise(self):
        return self._number(7) - 3 if self.wide else self._number(3) - 1

    def length(self, quality):
        self.asked.append([quality(j) for j in range(quality.last + 1)])
        return self._number(quality.last + 1)

    def choose(self, intervals, counts):
        listed = sorted(zip(intervals, map(int, counts), strict=True))
        self.asked.append(listed)
        number = self._number(len(listed) + 1)
        return intervals.index(listed[number][0]) if number < len(listed) else None


def figure(records, last, alpha, allowed, coins):
    """Run figure 11 of the paper on lists of records and points."""
    m, sanitized, left = len(records), [], [allowed]
    trace = []

    def number(low, high):
        return sum(low <= x <= high for x in records)

    def run(k, end):
        if left[0] == 0:
            return
        left[0] -= 1
        noisy = number(k, end) + coins.noise()
        if noisy < alpha * m / 8:
            sanitized.extend([end] * noisy)
            trace.append((k, end))
            return
        log_t = math.ceil(math.log2(end - k + 1))
        most = [
            max(number(x, min(x + 2**j - 1, end)) for x in range(k, end + 1))
            for j in range(log_t + 1)
        ]
        quality = [
            min(most[j] - alpha * m / 32, 3 * alpha * m / 32 - (most[j - 1] if j else 0))
            for j in range(log_t + 1)
        ]
        coins.asked.append(quality)
        z = coins._number(log_t + 1)
        if z == 0:
            family = [(x, x) for x in range(k, end + 1)]
        else:
            starts = [*range(k, end + 1, 2 * 2**z), *range(k + 2**z, end + 1, 2 * 2**z)]
            family = [(x, min(x + 2 * 2**z - 1, end)) for x in starts]
        listed = sorted((i, number(*i)) for i in family if number(*i))
        coins.asked.append(listed)
        choice = coins._number(len(listed) + 1)
        a, b = listed[choice][0] if choice < len(listed) else (k, end)
        sanitized.extend([b] * (number(a, b) + coins.noise()))
        trace.append((a, b))
        if a > k:
            run(k, a - 1)
        if b < end:
            run(b + 1, end)

    run(0, last)
    return sanitized, trace


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("allowed", [1, 4, 100])
def test_a_run_is_that_of_the_figure(wide, allowed):
    rng = np.random.default_rng(7)
    for seed in range(60):
        last = int(rng.integers(1, 40))
        records = rng.integers(last + 1, size=rng.integers(1, 40)).tolist()
        ours, theirs = Scripted(seed, wide), Scripted(seed, wide)
        run = plain(last, calls=allowed).run(records, ours)
        sanitized, trace = figure(records, last, TENTH, allowed, theirs)
        assert ours.asked == theirs.asked
        assert [call.interval for call in run.calls] == trace
        assert run.released == {x: sanitized.count(x) for x in sorted(set(sanitized))}
        if sanitized:
            assert run.error == max_threshold_error(records, sanitized, last)
        covered = sorted([*run.partition, *run.unreached])
        assert [a for a, _ in covered] == [0, *(b + 1 for _, b in covered[:-1])]
        assert covered[-1][1] == last
        assert bool(run.unreached) <= (len(run.calls) == allowed)


def test_counts_at_the_ends_of_the_widest_range():
    records = SortedRecords.of({0: 2, 1: 1, 2**63: 4, WIDE - 1: 3, WIDE: 5}, WIDE)
    counts = OrderedCounts.of(records, WIDE)
    assert counts.log_length == 64
    assert [counts.heaviest(j) for j in (0, 1, 62, 63, 64)] == [5, 8, 8, 12, 15]
    assert counts.part(1, WIDE - 1).size == 8
    assert counts.part(5, 4).size == 0
    intervals, numbers = counts.divided(63)
    assert intervals == [(0, WIDE), (2**63, WIDE)]
    assert numbers.tolist() == [15, 12]
    intervals, numbers = counts.divided(64)
    assert intervals == [(0, WIDE)]
    assert numbers.tolist() == [15]
    intervals, numbers = counts.part(1, WIDE).divided(1)
    assert intervals[:3] == [(1, 4), (2**63 - 3, 2**63), (WIDE - 2, WIDE)]
    assert intervals[3:] == [(2**63 - 1, 2**63 + 2), (WIDE - 4, WIDE - 1), (WIDE, WIDE)]
    assert numbers.tolist() == [1, 4, 8, 4, 3, 5]


def spread(kind, size):
    rng = np.random.default_rng(8)
    if kind == "uniform":
        return rng.integers(0, 2**64, size=size, dtype=np.uint64).tolist()
    if kind == "ties":
        return [int(x) << 50 for x in rng.integers(30, size=size)]
    if kind == "scales":
        return [1 << int(x) for x in rng.integers(64, size=size)]
    return np.minimum(rng.geometric(0.01, size=size), 10**6).tolist()


@pytest.mark.parametrize(
    ("kind", "accounting"),
    [
        ("uniform", "counted"),
        ("ties", "counted"),
        ("scales", "counted"),
        ("near", "counted"),
        ("near", "printed"),
    ],
)
def test_a_hundred_thousand_records_of_the_widest_range(kind, accounting):
    records = spread(kind, 10**5)
    run = plain(accounting=accounting).sanitize(records, np.random.default_rng(9))
    assert run.error.error <= Fraction(3, 100)
    assert len(run.calls) <= 513
    assert threshold_events(run)["E1"] <= (len(run.calls) <= 770)
    assert threshold_events(run)["B3"]
    assert threshold_events(run)["E2"]


def test_the_split_of_a_budget_needs_many_more_records():
    values = spread("uniform", 5000)
    kept = SanThresholds.for_budget(WIDE, TENTH, TENTH, ONE, MILLIONTH, "printed")
    few = kept.sanitize(dict.fromkeys(values, 20), np.random.default_rng(10))
    assert few.error.error > Fraction(1, 2)
    many = kept.sanitize(dict.fromkeys(values, 6000), np.random.default_rng(10))
    assert many.error.error <= Fraction(3, 100)


def test_all_events_happen_where_they_are_promised():
    sanitizer = plain(15, Fraction(1, 2))
    needed = run_sample_size(Fraction(1, 2), TENTH, ONE, MILLIONTH, 154, 4)
    records = dict.fromkeys(range(0, 16, 2), needed // 8)
    run = sanitizer.sanitize(records, np.random.default_rng(11))
    assert threshold_events(run) == dict.fromkeys(("B1", "B2", "B3", "E1", "E2", "E3"), True)
    assert run.error.error <= Fraction(1, 100)


class Fixed:
    """Decisions that are always the same."""

    def __init__(self, noise, log, place):
        self._answers = noise, log, place

    def noise(self):
        return self._answers[0]

    def length(self, quality):
        return min(self._answers[1], quality.last)

    def choose(self, intervals, counts):
        place = self._answers[2]
        return None if place is None else min(place, len(intervals) - 1)


def test_events_are_those_of_the_run():
    half, records = Fraction(1, 2), [*range(0, 200, 2)] * 30
    sanitizer = plain(255, half)  # 3000 records, c = 154, and alpha m = 1500
    good = threshold_events(sanitizer.run(records, Fixed(0, 1, 0)))
    assert good["B1"]
    assert good["E3"]
    loud = threshold_events(sanitizer.run(records, Fixed(1, 1, 0)))
    assert not loud["B1"]  # 1500 / (16 * 154) < 1
    assert loud["E3"] == (half * 1500 >= 4 * 77 * 1)
    assert not threshold_events(sanitizer.run(records, Fixed(3, 1, 0)))["E3"]
    bottom = sanitizer.run(records, Fixed(0, 1, None))
    assert bottom.calls[0].bottom
    assert bottom.partition == ((0, 255),)
    assert bottom.released == {255: 3000}
    assert not threshold_events(bottom)["E2"]
    short = plain(255, half, calls=1).run(records, Fixed(0, 0, 0))
    assert short.unreached == ((1, 255),)
    missed = threshold_events(short)
    assert not missed["E1"]
    assert not missed["B2"]  # the heaviest point has 30 records, less than 1500 / 32
    assert not missed["B3"]
    empty = sanitizer.run([5], Fixed(-1, 0, 0))
    assert not empty.released
    assert (empty.error.query, empty.error.error) == (6, 1)


EVENTS = {
    "B1": {"copies": 129 + 160},
    "B2": {"quality": Fraction(95)},
    "B3": {"chosen": 159, "copies": 159},
    "E2": {"before": 2049},
    "E3": {"copies": 7 + 160},
}
"""What goes just too far, where alpha m = 4096 and two calls are allowed."""


def test_events_at_their_bounds():
    good = {"range": (0, 9), "interval": (0, 9), "noisy": 500, "copies": 166, "inside": 628}
    good |= {"chosen": 160, "before": 2048, "log_length": 2, "quality": Fraction(96)}
    nothing = QueryError(0, Fraction(0), Fraction(0))

    def events(calls, unreached=()):
        run = ThresholdRun(tuple(calls), unreached, 8192, Fraction(1, 2), 2, nothing)
        return {event for event, happened in threshold_events(run).items() if not happened}

    assert events([SanitizerCall(**good)] * 154) == set()
    assert events([SanitizerCall(**good)] * 155) == events([], ((0, 9),)) == {"E1"}
    for event, changed in EVENTS.items():
        missed = {"B1", "E3"} if event == "B1" else {event}
        assert events([SanitizerCall(**(good | changed))]) == missed
    louder = good | {"noisy": 499}
    assert events([SanitizerCall(**louder)]) == {"B1"}
    short = good | {"log_length": None, "quality": None, "chosen": 0, "copies": 0}
    assert events([SanitizerCall(**short)]) == set()


def test_a_range_is_cut_short_below_an_eighth():
    records = list(range(16))  # alpha m / 8 = 1
    for noise, short in ((-16, True), (-15, False)):
        run = plain(15, Fraction(1, 2)).run(records, Fixed(noise, 0, None))
        assert (run.calls[0].log_length is None) == short
        assert (run.calls[0].inside, run.calls[0].before) == (16, 15)  # before the last point


def test_a_new_interval_is_chosen_with_half_of_delta():
    """An additional record may be the first record of two intervals."""
    choice = plain().choice
    powers = arithmetic(choice.epsilon)
    assert choice.released(1, 99, powers) == MILLIONTH / 2


def test_what_the_theorems_spend_and_ask():
    for accuracy in (TENTH, Fraction(1, 2)):
        kept = SanThresholds.for_budget(WIDE, accuracy, TENTH, ONE, MILLIONTH, "printed")
        calls = math.ceil(77 / accuracy)
        assert kept.allowed == calls
        assert kept.failure * 3 * calls == TENTH
        assert abs(float(kept.epsilon) * 2 * (8 * calls * math.log(5e6)) ** 0.5 - 1) < 1e-9
        assert float(printed_thresholds_epsilon(kept.epsilon, kept.delta, calls)) <= 1
        assert float(kept.privacy[0]) <= 1
        assert kept.privacy[1] <= MILLIONTH
        more = SanThresholds.for_budget(WIDE, accuracy, TENTH, ONE, MILLIONTH)
        assert float(more.epsilon) > 2 * float(kept.epsilon)
        assert 0.999 < float(more.privacy[0]) <= 1
        assert more.privacy[1] == MILLIONTH
    size = san_thresholds_sample_size(TENTH, TENTH, ONE, MILLIONTH, 64)
    each = 1 / (2 * (8 * 770 * math.log(5e6)) ** 0.5)
    log = math.log2(48 / (each * 1e-6 / (5 * 770) * 0.1 / (3 * 770)))
    assert abs(size / (8**4 * 60 * 770 / (0.1 * each) * 4 * log) - 1) < 1e-9


def test_the_recursion_spends_the_budget_of_one_mechanism():
    for accounting in ("counted", "printed"):
        sanitizer = plain(accounting=accounting)
        for last in (1, 32, 33, 64):
            epsilon, delta = sanitizer.recursion(last, 10**5).privacy(last)
            assert epsilon.rational <= 1
            assert delta <= MILLIONTH
            if accounting == "counted":
                assert epsilon == ONE


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plain(WIDE + 1), "last record must be between 0 and 2\\^64 - 1"),
        (lambda: plain(accuracy=Fraction(1)), "accuracy must be strictly between 0 and 1, not 1"),
        (lambda: plain(accuracy=Fraction(0)), "accuracy must be strictly between 0 and 1, not 0"),
        (
            lambda: SanThresholds(7, TENTH, Fraction(0), ONE, MILLIONTH),
            "failure must be strictly between 0 and 1, not 0",
        ),
        (lambda: plain(slack=Fraction(-1, 2)), "slack must be at least 0 and below 1, not -1/2"),
        (lambda: plain(calls=0), "calls must be at least 1, not 0"),
        (lambda: plain(slack=Fraction(1)), "slack must be at least 0 and below 1, not 1"),
        (
            lambda: SanThresholds(7, TENTH, TENTH, ONE, Fraction(1, 2)),
            "delta must be positive and below 1/2 for corrected, not 1/2",
        ),
        (lambda: plain(accounting="none"), "accounting must be one of counted, printed"),
        (
            lambda: SanThresholds(7, TENTH, TENTH, Epsilon.of("ln 2"), MILLIONTH),
            "epsilon must be rational, because it is divided among the steps, not ln 2",
        ),
        (
            lambda: plain(threshold="paper").sanitize([5], np.random.default_rng(0)),
            "database must have at least [0-9]+ records for the paper.s threshold, not 1",
        ),
        (
            lambda: plain(7).sanitize([8], np.random.default_rng(0)),
            "every record of the database must be between 0 and 7, but at least one is not",
        ),
        (lambda: run_sample_size(TENTH, TENTH, ONE, TENTH, 769, 4), "calls must be at least 770"),
        (lambda: run_sample_size(TENTH, TENTH, ONE, TENTH, 770, 0), "bits must be at least 1"),
        (
            lambda: printed_thresholds_epsilon(ONE, TENTH, 10),
            "calls times delta must be strictly between",
        ),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()
