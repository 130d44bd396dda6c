"""Output distributions of learners of points: failures by enumeration, and least sizes."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon
from ccsim.learning import ApproximatePointLearner, ProperPointLearner, least_point_samples
from ccsim.learning.learner import TabledSample
from ccsim.learning.learners.points import (
    PointFunction,
    most_wrong,
    point_failure_bound,
    worst_exponential_point_failure,
)
from ccsim.learning.sample_size import stable_point_sample_size
from ccsim.privacy import audit
from proofs_check.claims.beimel_nissim_stemmer.constructions.approximate_points import (
    ApproximatePoints,
)

F = Fraction
TENTH, DELTA, ONE = F(1, 10), F(1, 10**6), Epsilon.of(1)


def enumerated(masses, size, accuracy):
    """Return the failure of the exponential mechanism for ``e^(epsilon/2) = 4`` and target 0."""
    total = F(0)
    for sample in combinations_with_replacement(range(len(masses)), size):
        seen = Counter(sample)
        orders = math.factorial(size) // math.prod(map(math.factorial, seen.values()))
        chance = orders * math.prod((masses[x] for x in sample), start=F(1))
        weights = [F(1), *(F(1, 4) ** (seen[0] + seen[i]) for i in range(1, len(masses)))]
        wrong = [i for i in range(1, len(masses)) if masses[0] + masses[i] > accuracy]
        total += chance * sum(weights[i] for i in wrong) / sum(weights)
    return total


def exponential_point_failure(bits, samples, epsilon, accuracy, mass):
    """Return the failure for a target of this mass, or just above the accuracy if it is equal."""
    wrong = -1 if mass >= accuracy else most_wrong(bits, accuracy, mass)
    return point_failure_bound(bits, samples, epsilon, mass, wrong, wrong)


EPSILON = Epsilon.of("ln 16")


@pytest.mark.parametrize("accuracy", [F(3, 20), F(2, 5), F(7, 10)])
def test_no_distribution_is_worse_than_the_worst(accuracy):
    size, grid = 4, 10
    worst = worst_exponential_point_failure(2, size, EPSILON, accuracy).failure
    found = F(0)
    for parts in product(range(grid + 1), repeat=3):
        if sum(parts) <= grid:
            masses = [*(F(n, grid) for n in parts), 1 - F(sum(parts), grid)]
            here = enumerated(masses, size, accuracy)
            assert here <= worst.upper
            if masses[0] > accuracy:
                at = exponential_point_failure(2, size, EPSILON, accuracy, masses[0])
                assert here <= at.upper
            found = max(found, here)
    assert found > worst.lower * F(3, 4)


def test_the_other_mass_on_one_point_is_the_worst():
    accuracy, mass = F(3, 10), F(2, 5)
    for bits in (1, 2):
        masses = [mass, 1 - mass, *[F(0)] * (2**bits - 2)]
        at = exponential_point_failure(bits, 4, EPSILON, accuracy, mass)
        assert at.lower <= enumerated(masses, 4, accuracy) <= at.upper
        assert at.width < F(1, 10**30)
    spread = enumerated([mass, *[F(1, 5)] * 3], 4, accuracy)
    assert spread < at.lower


def test_a_lighter_target_has_few_wrong_answers():
    accuracy = F(2, 5)
    at = exponential_point_failure(2, 4, EPSILON, accuracy, F(1, 10))
    assert most_wrong(2, accuracy, F(1, 10)) == 2
    assert enumerated([F(1, 10), F(9, 20), F(9, 20), F(0)], 4, accuracy) <= at.upper
    assert most_wrong(2, accuracy, F(0)) == 2  # each above 2/5
    assert most_wrong(64, F(1, 2), F(0)) == 1


def test_least_sizes_of_the_exponential_mechanism_over_2_to_the_64_points():
    learner = ProperPointLearner(TENTH, TENTH, ONE, 64)
    assert least_point_samples(learner) == 1018
    assert replace(learner, samples=1017).worst_failure().failure.lower > TENTH
    # 933 are enough only if the target's point has a mass of 109/1000 instead of just above 1/10
    heavier = F(109, 1000)
    assert exponential_point_failure(64, 933, ONE, TENTH, heavier).upper < TENTH
    assert exponential_point_failure(64, 932, ONE, TENTH, heavier).lower > TENTH
    assert exponential_point_failure(64, 933, ONE, TENTH, TENTH).lower > F(32, 100)


def test_the_enclosure_is_close_on_domains_of_every_size():
    for bits in (11, 20, 64):
        failure = worst_exponential_point_failure(bits, 60, ONE, F(1, 4)).failure
        assert failure.upper <= failure.lower * (1 + F(120, 2**bits) * 2 + F(1, 2**19))


def test_below_the_accuracy_the_enclosure_is_within_a_factor_of_two():
    """Points without examples are all wrong answers, even if there are only a few."""
    for bits, samples, accuracy, mass in ((6, 20, F(9, 10), F(89, 100)),):
        failure = exponential_point_failure(bits, samples, ONE, accuracy, mass)
        assert 0 < failure.upper < 2 * failure.lower


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"bits": 0}, DomainError, "bits must be at least 1, not 0"),
        ({"samples": 0}, InstanceTooLargeError, "samples must be between 1 and 1048576, not 0"),
        ({"accuracy": F(1)}, DomainError, "accuracy must be strictly between 0 and 1, not 1"),
    ],
)
def test_senseless_parameters_are_refused(changed, error, message):
    given = {"bits": 3, "samples": 2, "epsilon": ONE, "accuracy": TENTH}
    with pytest.raises(error, match=message):
        worst_exponential_point_failure(**{**given, **changed})


@pytest.mark.parametrize("bits", [1, 2, 64])
def test_the_zero_function_needs_no_condition_on_the_domain(bits):
    learner = ApproximatePointLearner(TENTH, TENTH, ONE, bits, 0, DELTA, proper=False)
    assert learner.theorem_size == 1401
    assert stable_point_sample_size(TENTH, TENTH, Epsilon.of(3), DELTA, proper=False) == 1401
    assert learner.worst_failure().failure.upper < TENTH
    assert least_point_samples(learner) == 363
    assert learner.failure_at(TENTH).upper == 0
    few = replace(learner, samples=300)
    assert few.failure_at(F(11, 100)).upper < few.worst_failure().failure.lower
    unclear = TabledSample.of([(1, 1)] * 2 + [(0, 0)] * 298)
    assert few.fit(unclear, np.random.default_rng(0)) == PointFunction(None)


def test_the_improper_failure_is_that_of_silence():
    accuracy, delta, size = F(3, 10), F(1, 16), 6
    learner = ApproximatePointLearner(accuracy, TENTH, EPSILON, 2, size, delta, proper=False)
    mechanism = ApproximatePoints(4, EPSILON, delta, proper=False)
    mass, total = F(2, 5), F(0)
    for k in range(size + 1):
        distribution = mechanism.distribution([(3, 1)] * k + [(0, 0)] * (size - k))
        total += math.comb(size, k) * mass**k * (1 - mass) ** (size - k) * distribution[0]
    assert learner.failure_at(mass).lower <= total <= learner.failure_at(mass).upper


@pytest.mark.parametrize("variant", ["corrected", "optimal", "printed"])
@pytest.mark.parametrize("proper", [True, False])
def test_the_mechanism_has_the_distributions_from_which_the_learner_draws(variant, proper):
    delta = F(1, 16)
    learner = ApproximatePointLearner(
        TENTH, TENTH, EPSILON, 2, 5, delta, variant=variant, proper=proper
    )
    mechanism = ApproximatePoints(4, EPSILON, delta, variant, proper)
    for counts in product(range(3), repeat=4):
        sample = [(x, 1) for x, n in enumerate(counts) for _ in range(n)]
        best, released = learner.release({x: n for x, n in enumerate(counts) if n})
        expected = dict.fromkeys((1 << x for x in range(4)) if proper else (0,), 1 - released)
        expected = {h: p / len(expected) for h, p in expected.items()}
        if best is not None:
            expected[1 << best] = expected.get(1 << best, 0) + released
        assert mechanism.distribution(sample).as_mapping() == {
            h: p for h, p in expected.items() if p
        }


@pytest.mark.parametrize("quiet", [True, False])
def test_privacy_on_a_small_domain_is_that_of_the_release(quiet):
    epsilon, delta = Epsilon.of("ln 25/9"), F(1, 50)
    for size in (1, 3, 6):
        zero = ApproximatePoints(2, epsilon, delta, proper=False, quiet=quiet)
        assert audit(zero, epsilon, delta, size).verdict == "holds"
    assert audit(zero, epsilon, delta, 6).least_delta == delta
    faulty = replace(zero, variant="printed")
    assert audit(faulty, epsilon, delta, 6).verdict == "fails"


def test_a_point_without_examples_is_released_with_probability_about_delta():
    delta = F(2, 5)
    loud = ApproximatePoints(4, Epsilon.of("ln 16/9"), delta, proper=False, quiet=False)
    assert loud.distribution([(0, 0)] * 9)[1] == delta * F(9, 16)
    assert replace(loud, quiet=True).distribution([(0, 0)] * 9)[1] == 0
