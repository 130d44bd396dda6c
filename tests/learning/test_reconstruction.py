"""Reconstruction from hypotheses of improper learners: light, smooth and noisy ones."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ccsim import (
    DomainError,
    InstanceTooLargeError,
    learning_lower_bound,
    littlestone_dimension,
    points,
)
from ccsim.exact import Epsilon
from ccsim.exact.distribution import Distribution
from ccsim.learning import NonprivatePointLearner, PrivateOccam, SubsampledPoint
from ccsim.learning.learner import DrawnSample, Learner, Target, learning_trial
from ccsim.learning.learners.noisy_points import noisy
from ccsim.learning.learners.occam import labelled_examples
from ccsim.learning.learners.points import PointFunction
from ccsim.learning.packing import proper_point_lower_bound
from ccsim.learning.sample_size import occam_sample_size
from ccsim.privacy import audit
from ccsim.privacy.constructions import Mechanism
from proofs_check.claims.beimel_brenner.constructions.hidden_points import (
    FeedbackGenerator,
    distinguish,
)
from proofs_check.claims.beimel_brenner.constructions.independent_noise import (
    IndependentNoise,
    nearest_segment,
    reconstruction_failure,
    stays_positive,
)
from proofs_check.claims.beimel_brenner.constructions.packing_sizes import (
    proper_segment_lower_bound,
)
from proofs_check.claims.beimel_brenner.constructions.reconstruction import (
    LightReconstruction,
    SwitchReconstruction,
    least_candidates,
    reconstruction_runs,
)
from proofs_check.claims.beimel_brenner.constructions.segments import (
    InitialSegment,
    initial_segments,
    segment,
    switch_within,
    switching_points,
)

F = Fraction
ONE = Epsilon.of(1)


def test_switching_points_are_where_neighbours_differ_and_the_ends():
    for size in range(1, 7):
        for h in range(2**size):
            expected = [
                j for j in range(size + 1) if j in (0, size) or (h >> j & 1) != (h >> (j - 1) & 1)
            ]
            assert switching_points(h, size) == tuple(expected)


def test_a_switching_point_errs_only_where_the_function_does():
    for size in range(1, 8):
        for h, t in product(range(2**size), range(size + 1)):
            j = switch_within(h, t, size)
            assert j in switching_points(h, size)
            assert (segment(j) ^ segment(t)) & ~(h ^ segment(t)) == 0


def test_initial_segments_are_thresholds_with_one_more_concept():
    for d in (1, 2, 3):
        C = initial_segments(2**d)
        assert len(C) == 2**d + 1
        assert littlestone_dimension(C).value == d
    assert initial_segments(1).rows == (0, 1)


@dataclass(frozen=True, slots=True)
class Fixed(Learner):
    """A learner for tests that returns a fixed function."""

    ones: tuple[int, ...] = ()

    @property
    def sample_size(self):
        return 3

    def fit(self, sample, rng):
        sample.take(np.arange(3))
        return _Table(self.ones)


@dataclass(frozen=True)
class _Table:
    ones: tuple[int, ...]

    def predict(self, points):
        return np.isin(points, np.array(self.ones, dtype=np.uint64))


def fixed(*ones):
    return lambda accuracy, failure, epsilon: Fixed(accuracy, failure, epsilon, ones)


def test_a_reconstruction_is_proper_and_as_accurate_as_it_says():
    target = Target((0, 5, 9), (F(1, 2), F(1, 4), F(1, 4)), (0, 1, 0))
    light = LightReconstruction(F(1, 3), F(1, 4), ONE, 16, 20, fixed(5, 6))
    trial = learning_trial(light, target, 10, seed=0)
    assert trial.failures == 0
    smooth = SwitchReconstruction(F(1, 3), F(1, 4), ONE, 16, 5, fixed(0, 1, 2, 3, 4, 5, 8))
    target = Target((3, 5, 9), (F(1, 2), F(1, 4), F(1, 4)), (1, 1, 0))
    trial = learning_trial(smooth, target, 10, seed=0)
    assert trial.failures == 0
    rng = np.random.default_rng(0)
    answer = smooth.fit(DrawnSample(target, smooth.sample_size, rng), rng)
    assert isinstance(answer, InitialSegment)
    assert answer.end in (0, 6, 8, 9, 16)


def test_a_nonprivate_learner_of_points_is_made_proper():
    def make(accuracy, failure, epsilon):
        return NonprivatePointLearner(accuracy, failure, epsilon, bits=4)

    learner = LightReconstruction(F(1, 4), F(1, 4), ONE, 16, 16, make)
    for target in (
        Target((0, 5), (F(1, 2), F(1, 2)), (0, 1)),
        Target(tuple(range(16)), (F(1, 16),) * 16, (1,) + (0,) * 15),
    ):
        assert learning_trial(learner, target, 8, seed=1).failures == 0


def test_candidates_of_the_zero_function_are_some_points():
    learner = LightReconstruction(F(1, 2), F(1, 4), ONE, 16, 20, fixed())
    assert learner.candidates(np.zeros(16, dtype=bool)) == tuple(range(8))
    small = LightReconstruction(F(1, 2), F(1, 4), ONE, 4, 20, fixed())
    assert small.candidates(np.zeros(4, dtype=bool)) == (0, 1, 2, 3)
    for candidates in (learner.candidates, small.candidates):
        assert candidates(np.array([0, 1, 0, 1], dtype=bool)) == (1, 3)


def test_candidates_of_a_segment_are_its_switching_points_and_both_ends():
    learner = SwitchReconstruction(F(1, 3), F(1, 4), ONE, 4, 5, fixed())
    assert learner.candidates(np.array([1, 1, 0, 1], dtype=bool)) == (0, 2, 3, 4)
    assert learner.candidates(np.zeros(4, dtype=bool)) == (0, 4)


def test_heavy_hypotheses_give_up():
    learner = LightReconstruction(F(1, 3), F(1, 4), ONE, 16, 1, fixed(5, 6))
    target = Target((5,), (F(1),), (1,))
    assert learning_trial(learner, target, 3, seed=0).failures == 3


def test_sample_sizes_of_reconstructions_add_up():
    learner = SwitchReconstruction(F(1, 3), F(1, 10), ONE, 16, 5, fixed())
    assert reconstruction_runs(F(1, 10)) == 6
    assert learner.sample_size == 6 * 3 + occam_sample_size(5, ONE, F(1, 3), F(1, 20))
    assert (learner.inner.accuracy, learner.inner.failure) == (F(1, 6), F(1, 80))


def test_reconstructions_refuse_what_they_cannot_do():
    with pytest.raises(DomainError, match="size and limit must be at least 1, not 16 and 0"):
        LightReconstruction(F(1, 3), F(1, 4), ONE, 16, 0, fixed())
    with pytest.raises(InstanceTooLargeError, match="size must be at most 1048576"):
        SwitchReconstruction(F(1, 3), F(1, 4), ONE, 2**21, 1, fixed())


@pytest.mark.parametrize("problem", [LightReconstruction, SwitchReconstruction])
def test_few_examples_force_complicated_hypotheses(problem):
    """At the least number of candidates, the reconstruction needs as many examples as the bound."""
    accuracy, failure = F(1, 4), F(1, 10)
    bound = (
        proper_segment_lower_bound if problem is SwitchReconstruction else proper_point_lower_bound
    )
    least = least_candidates(problem, 4096, 5, accuracy, failure, ONE)
    needed = bound(2**4096, ONE, accuracy, failure)
    runs = reconstruction_runs(failure)

    def examples(limit):
        return runs * 5 + occam_sample_size(limit, ONE, accuracy, failure / 2)

    assert examples(least) >= needed > examples(least - 1)
    more = [least_candidates(problem, 4096, n, accuracy, failure, ONE) for n in (5, 50, 500)]
    assert more == sorted(more, reverse=True)


def test_closed_forms_are_limits_of_packings():
    accuracy, failure = F(1, 10), F(1, 10)
    for bits in (2, 3):
        found = learning_lower_bound(points(bits), accuracy, failure, 1, proper=True)
        assert proper_point_lower_bound(2**bits, ONE, accuracy, failure) <= found.samples
        C = initial_segments(2**bits)
        found = learning_lower_bound(C, accuracy, failure, 1, proper=True)
        assert proper_segment_lower_bound(2**bits, ONE, accuracy, failure) <= found.samples
    with pytest.raises(DomainError, match="accuracy must be below 1/2"):
        proper_segment_lower_bound(4, ONE, F(1, 2), failure)


def test_walks_stay_positive_as_often_as_counted():
    for noise, steps in product((F(1, 5), F(1, 2), F(9, 10)), range(8)):
        total = F(0)
        for walk in product((1, -1), repeat=steps):
            if all(s > 0 for s in np.cumsum(walk)):
                total += noise ** walk.count(-1) * (1 - noise) ** walk.count(1)
        assert stays_positive(steps, noise) == total


def test_reconstruction_fails_as_often_as_all_noise_patterns_say():
    for size in (1, 2, 3, 4, 5):
        for end, noise in product(range(size + 1), (F(1, 10), F(1, 3))):
            distribution = noisy(segment(end), size, noise)
            right = sum((p for h, p in distribution.items if nearest_segment(h, size) == end), F(0))
            assert reconstruction_failure(size, end, noise) == 1 - right
            assert 1 - right <= 1 - (1 - 2 * noise) ** 2 <= 4 * noise


@dataclass(frozen=True)
class _Constant(Mechanism):
    answer: int

    @property
    def records(self):
        return labelled_examples(2)

    def distribution(self, database):
        return Distribution.certain(self.answer)


def test_an_independent_noise_learner_hides_what_is_no_concept():
    outer = IndependentNoise(_Constant(0b11), 2, (0b01, 0b10), F(1, 4))
    assert outer.distribution([(0, 0)]).items == ((None, F(1)),)
    outer = IndependentNoise(_Constant(0b01), 2, (0b01, 0b10), F(1, 4))
    assert outer.distribution([(0, 0)])[0b10] == F(1, 16)
    assert audit(outer, 0, 0, 1).verdict.value == "holds"


def test_a_proper_learner_recognises_the_image_of_a_generator():
    G = FeedbackGenerator(2, 4, 0b11)
    assert len(G.image) == 4
    C = G.hidden_points()
    proper = PrivateOccam(16, C.rows, Epsilon.of("ln 64"))
    found = distinguish(proper, G, 3)
    assert found.on_strings <= F(len(G.image), 16)
    assert found.on_outputs > F(9, 10)
    assert found.advantage == found.on_outputs - found.on_strings
    with pytest.raises(DomainError, match="seed_bits <= output_bits, not 5 and 4"):
        FeedbackGenerator(5, 4, 1)
    with pytest.raises(InstanceTooLargeError, match="output_bits must be at most 12, not 13"):
        FeedbackGenerator(5, 13, 1)


def test_the_subsampled_learner_of_points_is_noise_on_a_concept_or_zero():
    learner = SubsampledPoint(2, F(2, 5))
    quiet = SubsampledPoint(2, F(2, 5), flip=F(0))
    with_zero = IndependentNoise(quiet, 2, (0b00, 0b01, 0b10), F(1, 20))
    without = IndependentNoise(quiet, 2, (0b01, 0b10), F(1, 20))
    database = [(0, 0), (1, 1)]
    assert (
        with_zero.distribution(database).as_mapping() == learner.distribution(database).as_mapping()
    )
    assert without.distribution(database)[None] > learner.distribution(database)[None]
    assert PointFunction(None).predict(np.array([1], dtype=np.uint64)).tolist() == [False]
