"""Representations as private learners: exact distributions, guarantees and sums."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb, inf

import numpy as np
import pytest

from ccsim import audit, failure_probability, points, representation_error, thresholds
from ccsim.budget import Budget, OutOfTimeError
from ccsim.classes import ConceptClass
from ccsim.cli.main import main
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon
from ccsim.learning import PublicCoinOccam, RepresentationLearner, TabledSample, Target
from ccsim.learning.learner import learning_trial
from ccsim.learning.learners.representation import hard_two_points, two_point_failure
from ccsim.learning.sample_size import agnostic_sample_size, occam_sample_size
from ccsim.representation import HypothesisSet, ProbabilisticRepresentation
from ccsim.surveys.targets import hard_class_targets

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
ONE, LN4 = Epsilon.of(1), Epsilon.of("ln 4")


def mixture(*parts):
    return ProbabilisticRepresentation.mixture(
        [(weight, HypothesisSet.from_rows(rows, 2)) for weight, rows in parts]
    )


COINS = mixture(("1/3", (0b01, 0b10)), ("2/3", (0b00, 0b01, 0b11)))


@pytest.mark.parametrize("epsilon", [ONE, LN4])
def test_public_coins_keep_the_choice_private(epsilon):
    result = audit(PublicCoinOccam(COINS, epsilon), epsilon, 0, 2)
    assert result.verdict == "holds"


def test_fit_follows_the_exact_distribution():
    examples = [(0, 1)] * 3 + [(1, 0)] * 2
    learner = RepresentationLearner(
        Fraction(9, 10), Fraction(99, 100), Epsilon.of("ln 9"), COINS, QUARTER
    )
    sample = TabledSample.of(examples * learner.sample_size)
    used = [examples[i % 5] for i in range(learner.sample_size)]
    exact = learner.mechanism.distribution(used)
    rng, runs = np.random.default_rng(3), 600
    drawn = [learner.fit(sample, rng).row for _ in range(runs)]
    for h in (0b00, 0b01, 0b10, 0b11):
        p = float(sum(mass for (_, row), mass in exact.items if row == h))
        assert abs(drawn.count(h) - runs * p) < 5 * (runs * p * (1 - p)) ** 0.5 + 1


def failure_by_samples(learner, target):
    """Return the sum over the numbers of each example, with the mechanism's exact distribution."""
    n, allowed, total = learner.sample_size, learner.accuracy + target.best, Fraction(0)
    examples = list(zip(target.points, target.labels, strict=True))
    for j in range(n + 1):
        chance = comb(n, j) * target.masses[0] ** j * target.masses[1] ** (n - j)
        distribution = learner.mechanism.distribution([examples[0]] * j + [examples[1]] * (n - j))
        for (_, h), mass in distribution.items:
            predictions = np.array([h >> x & 1 for x in target.points], dtype=bool)
            total += chance * mass * (target.error(predictions) > allowed)
    return total


@pytest.mark.parametrize("agnostic", [False, True])
@pytest.mark.parametrize("labels", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_two_point_failure_is_the_sum_over_samples(labels, agnostic):
    learner = RepresentationLearner(
        Fraction(9, 10) if agnostic else Fraction(97, 100),
        Fraction(99, 100),
        Epsilon.of("ln 16"),
        COINS,
        HALF,
        agnostic,
    )
    mass = Fraction(95, 100) if agnostic else Fraction(99, 100)
    target = Target((0, 1), (mass, 1 - mass), labels)
    enclosed = two_point_failure(learner, target)
    exact = failure_by_samples(learner, target)
    assert enclosed.lower <= exact <= enclosed.upper
    assert enclosed.width < Fraction(1, 10**40)


@pytest.mark.parametrize("best", ["1/100", "1/10"])
def test_the_error_of_the_best_concept_is_allowed_on_top(best):
    learner = RepresentationLearner(
        Fraction(9, 10), Fraction(99, 100), Epsilon.of("ln 16"), COINS, HALF, agnostic=True
    )
    target = Target((0, 1), (Fraction(95, 100), Fraction(5, 100)), (1, 0), Fraction(best))
    exact = failure_by_samples(learner, target)
    enclosed = two_point_failure(learner, target)
    assert enclosed.lower <= exact <= enclosed.upper
    assert enclosed.width < Fraction(1, 10**40)
    assert (exact == 0) is (best == "1/10")


@pytest.mark.parametrize("C", [points(2), thresholds(2)], ids=str)
@pytest.mark.parametrize("agnostic", [False, True])
def test_the_theorems_sample_size_is_enough(C, agnostic):
    learner = RepresentationLearner.occam(C, QUARTER, QUARTER, ONE, agnostic=agnostic)
    target, failure = hard_two_points(learner, C, Fraction(26, 100))
    assert failure.upper <= QUARTER
    assert len(set(target.points)) == 2
    for target in hard_class_targets(C, QUARTER, 1, agnostic=agnostic).values():
        assert learning_trial(learner, target, 30, 0).failures == 0


def test_sample_sizes_take_what_the_coins_leave():
    coins = RepresentationLearner(HALF, HALF, ONE, COINS, QUARTER)
    assert coins.sample_size == occam_sample_size(3, ONE, HALF, QUARTER)
    agnostic = RepresentationLearner(HALF, HALF, ONE, COINS, QUARTER, agnostic=True)
    assert agnostic.sample_size == agnostic_sample_size(3, ONE, HALF, QUARTER)


def test_a_proved_representation_makes_a_learner():
    C = points(2)
    H = HypothesisSet.from_rows((1, 2, 4, 8), 4)
    learner = RepresentationLearner.of(representation_error(H, C), HALF, HALF, ONE)
    assert (learner.miss, learner.hypotheses) == (0, 4)
    pairs = ProbabilisticRepresentation.mixture(
        [("1/2", HypothesisSet.from_rows((1, 2), 4)), ("1/2", HypothesisSet.from_rows((4, 8), 4))]
    )
    proved = failure_probability(pairs, C, QUARTER)
    assert proved.value == HALF
    with pytest.raises(DomainError, match="below the failure 1/2, not 1/2"):
        RepresentationLearner.of(proved, HALF, HALF, ONE)
    assert RepresentationLearner.of(proved, HALF, Fraction(3, 4), ONE).miss == HALF
    with pytest.raises(DomainError, match="must be at most 1/8, half the accuracy, not 1/4"):
        RepresentationLearner.of(proved, QUARTER, Fraction(3, 4), ONE)


def test_points_beyond_the_class_are_refused():
    learner = RepresentationLearner.occam(points(1), HALF, HALF, ONE)
    sample = TabledSample.of([(5, 1)] * learner.sample_size)
    with pytest.raises(DomainError, match="must be below 2, not 5"):
        learner.fit(sample, np.random.default_rng(0))


def test_noisy_labels_measure_the_best_concept():
    noisy = hard_class_targets(points(2), QUARTER, 0, agnostic=True)
    target = noisy["all points alike, noisy labels"]
    errors = [
        target.error(np.array([row >> x & 1 for x in target.points], dtype=bool))
        for row in points(2).rows
    ]
    assert target.best == min(errors) == QUARTER


def test_command_learns_any_class(capsys):
    arguments = ["learn", "thresholds:b=2", "--learner", "occam", "--accuracy", "1/4"]
    assert main([*arguments, "--failure", "1/4", "--runs", "5", "--agnostic", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["hypotheses"], data["agnostic"]) == (4, True)
    assert data["samples"] == agnostic_sample_size(4, ONE, QUARTER, QUARTER)
    assert len(data["trials"]) == 4
    assert data["two_points"]["failure"][1] < 0.25


def test_command_learns_from_given_sets_by_their_labels(capsys, tmp_path):
    file = tmp_path / "sets.json"
    sets = [{"weight": "1/2", "hypotheses": rows} for rows in (["10", "01"], ["10", "01", "11"])]
    file.write_text(json.dumps({"support": sets}))
    C = tmp_path / "animals.csv"
    C.write_text("name,cat,dog\nfirst,1,0\nsecond,0,1\n")
    arguments = ["learn", f"@{C}", "--learner", "representation", "--hypotheses", str(file)]
    assert main([*arguments, "--accuracy", "1/4", "--failure", "1/4", "--runs", "3"]) == 0
    out = capsys.readouterr().out
    assert "3, in the largest of 2 sets" in out
    assert "Pr(cat labelled" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["points:b=1", "--learner", "proper", "--agnostic"],
            "--agnostic applies only to the learners",
        ),
        (["points:b=1", "--learner", "occam", "--hypotheses", "x"], "needs --learner representat"),
        (["points:b=0", "--learner", "occam"], "must have at least one concept and two points"),
    ],
)
def test_command_explains_bad_input(capsys, arguments, message):
    assert main(["learn", *arguments, "--accuracy", "1/4", "--failure", "1/4"]) == 2
    assert message in capsys.readouterr().err


def test_targets_and_failures_on_two_points_hear_the_limit():
    C, distribution = points(4), Target((0, 1), (QUARTER, 1 - QUARTER), (1, 0))
    learner = RepresentationLearner.occam(C, QUARTER, QUARTER, ONE)
    for search in (
        lambda: hard_class_targets(C, QUARTER, 0, agnostic=True),
        lambda: hard_two_points(learner, C, Fraction(26, 100)),
        lambda: two_point_failure(learner, distribution, 5000),
    ):
        with pytest.raises(OutOfTimeError), Budget(0).heard():
            search()
        with Budget(inf).heard():
            search()
    wide = ConceptClass((*range(65537),), (0,), (0,))
    with pytest.raises(InstanceTooLargeError, match="over at most 65536 points, not 65537"):
        hard_class_targets(wide, QUARTER, 0)
