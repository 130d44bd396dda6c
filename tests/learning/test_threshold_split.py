"""RecConcave with two calls: its failure is proved on all samples, and its split is optimised."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.learning.learners.thresholds import (
    RecConcaveThresholdLearner,
    TwoCallRun,
    best_split,
    least_proved_size,
    proved_failure,
    threshold_agreement,
)

F = Fraction
TENTH, DELTA, ONE = F(1, 10), F(1, 10**6), Epsilon.of(1)


def sample_of(rng, bits, size, near):
    """Return a sample with some examples at a few scales around the target."""
    end, examples = 1 << bits, []
    place = int(rng.integers(1, end))
    for label in (0, 1):
        scales = sorted(int(s) for s in rng.integers(0, bits, 3))
        shares = np.sort(rng.integers(0, near + 1, 2))
        for scale, share in zip(scales, np.diff([0, *shares, near]), strict=True):
            far = int(rng.integers(1 << scale, 2 << scale))
            at = max(place - far, 0) if label else min(place - 1 + far, end - 1)
            examples += [(at, label)] * int(share)
        rest = size // 2 - near
        examples += [((0, 1) if label else (end - 1, 0))] * rest
    return threshold_agreement(examples, bits), len(examples)


@pytest.mark.parametrize("choice", ["corrected", "optimal"])
@pytest.mark.parametrize("bits", [6, 20])
def test_no_sample_fails_more_often_than_is_proved(choice, bits):
    rng = np.random.default_rng(bits)
    learner = RecConcaveThresholdLearner(
        F(1, 2),
        TENTH,
        Epsilon.of(8),
        bits,
        delta=F(1, 100),
        choice=choice,
        split=(F(3), F(2), F(3)),
        run_accuracy=F(1, 3),
    )
    for size in (60, 80, 100):
        proved = proved_failure(learner.run, size)
        assert proved < 1
        for _ in range(20):
            agreement, used = sample_of(rng, bits, size, int(size // 4) + 1)
            assert used == size
            failure = learner.empirical_failure(agreement, size)
            assert failure.lower <= proved


def formula(run, size, released):
    """Compute the bound in floats, over all pairs of consecutive lengths."""
    inner, last = float(run.inner.rational), float(run.last.rational)
    floor, top = float(1 - run.accuracy) * size, float(run.accuracy) * size / 2
    bad = math.ceil((1 - run.target) * size) - 1

    def failed(a, b):
        x = 15 * math.exp(-last / 2 * (a - bad))
        return 1 - released(size - b) / (1 + x) if size > b else 1

    best: dict[float, float] = {}
    for a in range(size + 1):
        for b in range(max(0, a - 2 * size), a + 1):
            q = min(a - floor, size - b)
            best[q] = max(best.get(q, 0), failed(a, b))
    peak = max(f for q, f in best.items() if q >= top - 1e-9)
    worst = peak
    for q, f in best.items():
        weight = run.bits * math.exp(-inner / 2 * max(top - q, 0))
        worst = max(worst, (peak + weight * f) / (1 + weight))
    return worst


@pytest.mark.parametrize("size", [60, 100, 140])
def test_the_bound_is_the_worst_over_all_pairs_of_lengths(size):
    run = TwoCallRun(64, F(1, 4), F(1, 3), Epsilon.of(2), Epsilon.of(1), Epsilon.of(1), F(1, 100))

    def released(lead):
        t = 2 + 2 * math.log(50)
        return math.exp((lead - t) / 2) / 2 if lead < t else 1 - math.exp((t - lead) / 2) / 2

    expected = formula(run, size, released)
    assert float(proved_failure(run, size)) == pytest.approx(min(1, expected), rel=1e-9)
    # a planted fault: with the interval one longer, the bound would differ
    shifted = formula(run, size, lambda lead: released(lead + 1))
    assert abs(shifted - expected) > 1e-6


def test_the_least_proved_size_is_where_the_bound_passes():
    run = best_split(TENTH, TENTH, ONE, 64, DELTA).run
    size = least_proved_size(run, TENTH / 2)
    assert proved_failure(run, size) <= TENTH / 2 < proved_failure(run, size - 1)
    assert size < 4500


def test_the_best_split_spends_the_budget_and_beats_the_equal_one():
    learner = best_split(TENTH, TENTH, ONE, 64, DELTA)
    assert learner.algorithm(5000).privacy(1 << 64) == (ONE, DELTA)
    equal = RecConcaveThresholdLearner(TENTH, TENTH, ONE, 64, delta=DELTA, depth=2)
    sizes = [least_proved_size(one.run, TENTH / 2) for one in (learner, equal)]
    assert sizes[0] * 4 < sizes[1] * 3
    assert learner.theorem_size == 119830  # what uniform convergence takes
    assert learner == best_split(TENTH, TENTH, ONE, 64, DELTA)


def three_scales(size):
    """Return a sample on which splits that are good for needles fail."""
    near = size // 20 + 1
    parts = {2: near * 56 // 100, 1 << 43: near * 14 // 100}
    parts[1 << 44] = near - sum(parts.values())
    place, end, half = 2**63, 2**64, size // 2
    ends = {**parts, end: half - near}
    points = {}
    for far, times in ends.items():
        points[max(place - 1 - far, 0), 1] = times
        points[min(place + far, end - 1), 0] = times
    return threshold_agreement(list(points), 64, list(points.values()))


def test_a_split_tuned_on_needles_fails_on_three_scales_and_the_proved_one_does_not():
    tuned = RecConcaveThresholdLearner(
        TENTH,
        TENTH,
        ONE,
        64,
        delta=DELTA,
        choice="optimal",
        split=(F(252), F(293), F(162)),
        run_accuracy=F(7, 100),
    )
    assert tuned.empirical_failure(three_scales(2920), 2920).lower > F(2, 5)
    proved = best_split(TENTH, TENTH, ONE, 64, DELTA)
    assert proved.empirical_failure(three_scales(4440), 4440).upper < F(1, 20)
    assert proved.empirical_failure(three_scales(3600), 3600).lower > F(1, 20)


def test_printed_choices_are_counted_at_what_they_need():
    learner = RecConcaveThresholdLearner(TENTH, TENTH, ONE, 64, delta=DELTA, choice="printed")
    epsilon, delta = learner.privacy
    assert epsilon == Epsilon.of(F(3, 2))  # two choices of 1/4 count twice
    assert 0 <= float(delta) - 2 * math.exp(F(1, 2)) / 2 * float(DELTA / 2) < float(DELTA) / 100
    assert replace(learner, choice="optimal").privacy == (ONE, DELTA)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"run_accuracy": F(0)}, "run_accuracy must be positive and at most 1/2, not 0"),
        ({"run_accuracy": F(3, 5)}, "run_accuracy must be positive and at most 1/2"),
        ({"run_accuracy": TENTH, "depth": 3}, "requires at most 2 calls, not 3"),
        ({"choice": "best"}, "choice must be one of"),
        ({"choice": "corrected-small", "epsilon": Epsilon.of(9)}, "epsilon must be at most ln 2"),
    ],
)
def test_runs_that_make_no_sense_are_refused(changed, message):
    given = {"accuracy": TENTH, "failure": TENTH, "epsilon": ONE, "bits": 64}
    with pytest.raises(DomainError, match=message):
        RecConcaveThresholdLearner(**{**given, **changed})


def test_a_run_may_have_the_accuracy_one_half():
    learner = RecConcaveThresholdLearner(TENTH, TENTH, ONE, 64, run_accuracy=F(1, 2))
    assert learner.algorithm(100).accuracy == F(1, 2)


def test_a_best_split_needs_a_range_that_is_divided():
    with pytest.raises(DomainError, match="bits must be at least 6 for two calls, not 5"):
        best_split(TENTH, TENTH, ONE, 5, DELTA)
    with pytest.raises(DomainError, match="accuracy must be at most 1/2, not 3/5"):
        best_split(F(3, 5), TENTH, ONE, 64, DELTA)
    run = best_split(TENTH, TENTH, ONE, 6, DELTA).run
    with pytest.raises(DomainError, match="size must be at least 1, not 0"):
        proved_failure(run, 0)
    with pytest.raises(DomainError, match="failure must be positive, not 0"):
        least_proved_size(run, F(0))
