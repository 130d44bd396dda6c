"""Learners of thresholds over long domains: agreement, sizes, budgets and proved failures."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.learning.learner import DrawnSample, TabledSample, Target
from ccsim.learning.learners.thresholds import (
    ExponentialThresholdLearner,
    RecConcaveThresholdLearner,
    ThresholdFunction,
    threshold_agreement,
)
from ccsim.learning.sample_size import log_star, recursion_promise, threshold_sample_size
from proofs_check.claims.beimel_nissim_stemmer.constructions.promises import (
    recursion_promise_at_most,
    step_promise,
    threshold_sample_size_at_most,
)

F = Fraction
TENTH, DELTA, ONE = F(1, 10), F(1, 10**6), Epsilon.of(1)


def test_agreement_counts_the_labels_that_each_threshold_gives():
    for points in product(range(4), repeat=3):
        for labels in product((0, 1), repeat=3):
            examples = list(zip(points, labels, strict=True))
            agreement = threshold_agreement(examples, 2)
            for j in range(5):
                assert agreement(j) == sum((x < j) == bool(y) for x, y in examples)
            predicted = ThresholdFunction(2).predict(np.array(points, dtype=np.uint64))
            assert agreement(2) == int((predicted == np.array(labels, dtype=np.bool_)).sum())


def test_a_threshold_beyond_all_points_is_one_everywhere():
    ends = np.array([0, 2**64 - 1], dtype=np.uint64)
    assert ThresholdFunction(2**64).predict(ends).tolist() == [True, True]
    assert ThresholdFunction(2**64 - 1).predict(ends).tolist() == [True, False]


@pytest.mark.parametrize("example", [(4, 0), (-1, 1), (1, 2)])
def test_agreement_refuses_what_is_no_labelled_point(example):
    with pytest.raises(DomainError, match=r"^example 1: the (point|label) must"):
        threshold_agreement([example], 2)


def test_sizes_are_the_ceilings_of_their_formulas():
    for bits, delta, epsilon in product((5, 64, 100), (DELTA, F(1, 3)), (1, F(1, 7))):
        e, tail = float(epsilon), 1 / (0.1 * float(delta))
        real, whole = 2.0**bits, 1 << bits
        for depth in range(1, log_star(1 << bits) + 1):
            real, whole = math.log2(real), (whole - 1).bit_length()
            eight = 8**depth * 10 / e
            asked = TENTH, TENTH, Epsilon.of(epsilon), delta, bits, depth
            step = step_promise(*asked[:4], 1 << bits, depth)
            assert step == math.ceil(4 * eight * (math.log2(32 * tail) + whole))
            inside = math.log2(6 * depth * tail) + real
            assert recursion_promise(*asked) == math.ceil(36 * depth * eight * inside)
            larger = math.ceil(72 * depth * eight * (math.log2(12 * depth * tail) + real))
            assert threshold_sample_size(*asked) == max(larger, 119830)
        last = math.ceil(36 * depth * eight * math.log2(12 * depth * tail))
        assert recursion_promise_at_most(*asked[:5]) == last
        last = math.ceil(72 * depth * eight * math.log2(24 * depth * tail))
        assert threshold_sample_size_at_most(*asked[:5]) == last


def test_sizes_that_are_whole_are_not_rounded_up():
    quarter = F(1, 4)
    # 8 (4 / (1/2)) (log2(32 * 16) + 4), divided by 1/3
    assert step_promise(F(1, 2), quarter, Epsilon.of("1/3"), quarter, 16, 1) == 64 * 13 * 3
    promise = recursion_promise(F(1, 2), F(3, 4), Epsilon.of(1), quarter, 8, 2)
    assert promise == 64 * 144 * 9


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"accuracy": F(3, 5)}, "accuracy must be positive and at most 1/2, not 3/5"),
        ({"delta": F(3, 4), "failure": F(3, 4)}, "failure times delta must be at most 1/2"),
        ({"delta": F(0)}, "delta must be strictly between 0 and 1"),
        ({"epsilon": Epsilon.of(0)}, "epsilon must be positive"),
        ({"last": 1}, "last must be at least 2, not 1"),
        ({"depth": 6}, "depth must be between 1 and 5, not 6"),
    ],
)
def test_a_promise_needs_its_conditions(changed, message):
    given = {"accuracy": TENTH, "failure": TENTH, "epsilon": ONE, "delta": DELTA}
    with pytest.raises(DomainError, match=message):
        step_promise(**{**given, "last": 2**64, "depth": 2, **changed})


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("split", [(1, 1, 1), (3, 1, 4)])
def test_steps_spend_the_whole_counted_budget(depth, split):
    split = tuple(map(F, split))
    learner = RecConcaveThresholdLearner(
        TENTH, TENTH, ONE, 4096, delta=DELTA, depth=depth, split=split
    )
    spent = learner.algorithm(5000).privacy(1 << learner.bits)
    assert spent == learner.privacy == (ONE, DELTA if depth > 1 else 0)


def test_printed_accounting_gives_each_step_its_share_of_the_lemma():
    learner = RecConcaveThresholdLearner(TENTH, TENTH, ONE, 64, 0, DELTA, 2, "printed")
    algorithm = learner.algorithm(5000)
    assert (algorithm.epsilon.rational, algorithm.delta) == (F(1, 6), DELTA / 6)
    assert algorithm.privacy(2**64, printed=True) == (ONE, DELTA)


def test_the_theorem_asks_more_of_a_split_that_starves_a_step():
    def size(*split):
        return RecConcaveThresholdLearner(
            TENTH, TENTH, ONE, 64, delta=DELTA, split=tuple(map(F, split))
        ).theorem_size

    assert size(1, 1, 1) == size(5, 5, 4) == 3118553
    # a tenth of the budget, where the theorem speaks of a sixth
    assert abs(size(1, 4, 1) - 3118553 * F(10, 6)) < 1


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"delta": F(1, 2)}, "delta must be strictly between 0 and 1/2, not 1/2"),
        ({"depth": 0}, "depth must be at least 1"),
        ({"accounting": "none"}, "accounting must be one of counted, printed"),
        ({"split": (F(0), F(1), F(1))}, "weights of the split must be positive"),
        ({"accounting": "printed", "split": (F(2), F(1), F(1))}, "split must have equal weights"),
        ({"bits": 0}, "bits must be between 1 and 1048576, not 0"),
        ({"bits": 1 << 40}, "bits must be between 1 and 1048576"),
    ],
)
def test_the_learner_refuses_parameters_that_make_no_sense(changed, message):
    given = {"accuracy": TENTH, "failure": TENTH, "epsilon": ONE, "bits": 64}
    with pytest.raises(DomainError, match=message):
        RecConcaveThresholdLearner(**{**given, **changed})


def needle(size):
    """Return a sample with 1/20 of the examples on each side of the target, the others far away."""
    near = size // 20 + 1
    far = size - 2 * near
    ends = [(0, 1)] * (far // 2) + [(2**64 - 1, 0)] * (far - far // 2)
    return [(2**63 - 1, 1)] * near + [(2**63, 0)] * near + ends


def test_failure_of_the_pure_learner_is_that_of_its_formula():
    learner = ExponentialThresholdLearner(TENTH, TENTH, ONE, 64)
    for size in (1800, 1900):
        failure = learner.empirical_failure(threshold_agreement(needle(size), 64), size)
        near = size // 20 + 1
        bad = (2**64) * math.exp(-near / 2)  # the two far ends weigh nothing against it
        assert float(failure.lower) == pytest.approx(bad / (1 + bad), rel=1e-9)
        assert 0 <= failure.width < F(1, 2**60)


def test_both_learners_learn_the_same_needle_from_enough_examples():
    for learner, few, enough in (
        (ExponentialThresholdLearner(TENTH, TENTH, ONE, 64), 1700, 1950),
        (RecConcaveThresholdLearner(TENTH, TENTH, ONE, 64, delta=DELTA), 1500, 6000),
    ):
        failures = [
            learner.empirical_failure(threshold_agreement(needle(m), 64), m) for m in (few, enough)
        ]
        assert failures[0].lower > F(1, 20) > failures[1].upper


def test_examples_and_samples_are_learned_alike():
    examples = needle(6000)
    learner = RecConcaveThresholdLearner(TENTH, TENTH, ONE, 64, 6000, DELTA)
    one = learner.learn(examples, np.random.default_rng(5))
    other = learner.learn_sample(TabledSample.of(examples), np.random.default_rng(5))
    assert one == other
    assert one.concept == ThresholdFunction(2**63)
    assert (one.empirical_error, one.target, one.promised) == (0, F(1, 20), False)
    assert one.failure.upper < F(1, 1000)
    with pytest.raises(DomainError, match="sample must have at least 6000 examples, not 5999"):
        learner.fit(TabledSample.of(examples[1:]), np.random.default_rng(5))
    with pytest.raises(DomainError, match="sample must have at least one example, not 0"):
        learner.learn([], np.random.default_rng(5))


def test_nothing_is_promised_of_a_sample_without_a_threshold():
    learner = RecConcaveThresholdLearner(F(1, 2), F(1, 2), Epsilon.of(100), 9, delta=F(1, 10))
    rng = np.random.default_rng(2)
    examples = [(5, 1), (9, 0)] * (learner.theorem_size // 2 + 1)
    assert learner.learn(examples, rng).promised
    noisy = learner.learn([*examples, (2, 0)], rng)
    assert (noisy.promised, noisy.consistent) == (False, False)


def test_the_theorem_keeps_its_promise_at_its_own_size():
    learner = RecConcaveThresholdLearner(F(1, 2), F(1, 2), ONE, 64, delta=F(1, 10))
    target = Target((0, 2**63, 2**63 + 1, 2**64 - 1), (F(1, 4),) * 4, (1, 1, 0, 0))
    rng = np.random.default_rng(1)
    sample = DrawnSample(target, learner.sample_size, rng)
    learned = learner.learn_sample(sample, rng)
    assert learned.promised
    assert learned.failure.upper < F(1, 4)
    assert learned.concept.place in range(2**64 + 1)
