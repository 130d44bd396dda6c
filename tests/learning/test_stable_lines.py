"""The exact learner of lines, compared with all samples and with its own runs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, log, prod

import numpy as np
import pytest

from ccsim.exact import Epsilon
from ccsim.learning.learner import Target, learning_trial
from ccsim.learning.learners.lines import StableLineLearner, basic_line_hypothesis
from ccsim.privacy import StableMode, audit
from proofs_check.claims.feldman_xiao.constructions.stable_lines import (
    StableLines,
    basic_line_distribution,
    stable_line_failure,
)

F = Fraction


@pytest.mark.parametrize("accuracy", [F(1, 5), F(3, 10), F(3, 5)])
@pytest.mark.parametrize("blocks", [1, 4])
def test_failure_of_the_stable_learner_against_all_votes(accuracy, blocks):
    masses, epsilon, delta = (F(1, 3), F(1, 4)), Epsilon.of("ln 2"), F(1, 8)
    names = [basic_line_hypothesis(2, s) for s in ([], [0], [2], [0, 2])]
    errors = dict(zip(names, (F(7, 12), F(1, 4), F(1, 3), F(0)), strict=True))
    release = StableMode(tuple(range(9)), 0, epsilon, delta)
    exact = F(0)
    for size in (1, 3):
        distribution = dict(zip(names, basic_line_distribution(masses, size), strict=True))
        for votes in product(names, repeat=blocks):
            wrong = sum(q for h, q in release.distribution(votes).items if errors[h] > accuracy)
            exact += prod(distribution[h] for h in votes) * wrong / 2
    found = stable_line_failure(masses, accuracy, [1, 3], blocks, epsilon, delta)
    assert found.lower <= exact <= found.upper


def test_failure_with_one_point_is_narrow_and_that_of_all_sizes_is_the_mean():
    masses, epsilon = [F(1, 10)], Epsilon.of("1/2")
    parts = [
        stable_line_failure(masses, F(1, 20), [size], 60, epsilon, F(1, 9)) for size in (1, 8, 4096)
    ]
    whole = stable_line_failure(masses, F(1, 20), [1, 8, 4096], 60, epsilon, F(1, 9))
    assert whole.width < F(1, 2**60)
    assert parts[0].lower > F(1, 2)
    assert parts[2].upper < F(1, 1000)
    assert whole.lower <= sum(part.upper for part in parts) / 3
    assert whole.upper >= sum(part.lower for part in parts) / 3


def test_failure_agrees_with_the_learner_that_is_run():
    accuracy, failure, epsilon, delta = F(1, 280), F(2, 5), Epsilon.of("ln 3/2"), F(1, 3)
    learner = StableLineLearner(accuracy, failure, epsilon, delta, 3, window=4)
    masses = (F(1, 313), F(1, 5200), F(1, 5200))
    sizes = [1 << k for k in learner.exponents]
    found = stable_line_failure(masses, accuracy, sizes, learner.blocks, epsilon, delta)
    target = Target((0, 3, 6, 1), (*masses, 1 - sum(masses)), (1, 1, 1, 0))
    trial = learning_trial(learner, target, 200, seed=3)
    spread = 4 * np.sqrt(float(found.upper) / 200)
    assert abs(trial.failures / 200 - float(found.lower)) < spread


def test_audit_of_the_learner_catches_a_smaller_delta_and_margin():
    learner = StableLines(2, 1, Epsilon.of("ln 2"), F(1, 8))
    assert audit(learner, "ln 2", F(1, 8), neighbours=2).verdict.value == "holds"
    result = audit(learner, "ln 2", F(1, 9), neighbours=2)
    assert result.verdict.value == "fails"
    assert result.least_delta == F(1, 8)
    hasty = StableLines(2, 1, Epsilon.of("ln 2"), F(1, 8), F(0))
    assert audit(hasty, "ln 2", F(1, 8), neighbours=2).verdict.value == "fails"


@pytest.mark.parametrize("delta", ["1/1000000", "1/10000000000"])
def test_the_number_of_blocks_grows_with_the_certainty_that_is_asked_for(delta):
    learner = StableLineLearner(
        Fraction(1, 10), Fraction(1, 2), Epsilon.of(1), Fraction(delta), 3, window=4
    )
    stable = ceil(12 * log(2 / Fraction(delta))) + 13
    assert learner.blocks == max(stable, ceil(72 * log(8)))
