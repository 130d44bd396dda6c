"""Private learners: sample sizes, guarantees, and trials on hard targets."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, count

import numpy as np
import pytest

from ccsim.budget import Budget, OutOfTimeError
from ccsim.classes import lines, points
from ccsim.cli.main import main
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.learning import PrivateOccam
from ccsim.learning.learner import DrawnSample, TabledSample, Target, learning_trial
from ccsim.learning.learners.lines import (
    LineHypothesis,
    LineLearner,
    StableLineLearner,
    basic_line_hypothesis,
)
from ccsim.learning.learners.points import (
    BiasedFunction,
    CodePointLearner,
    ConstantPointLearner,
    NonprivatePointLearner,
    ProperPointLearner,
)
from ccsim.learning.sample_size import (
    constant_learner_runs,
    occam_sample_size,
    subsampled_point_sample_size,
)
from ccsim.representation import HypothesisSet, representation_error
from ccsim.representation.constructions import reed_solomon_sets
from ccsim.surveys.targets import hard_line_targets, hard_point_targets, point_target
from proofs_check.claims.beimel_brenner.constructions.packing_sizes import packing_sample_size

F = Fraction
ONE = Epsilon.of(1)
LEARNERS = (NonprivatePointLearner, ProperPointLearner, CodePointLearner, ConstantPointLearner)


@pytest.mark.parametrize("accuracy", [F(1, 2), F(1, 10)])
@pytest.mark.parametrize("epsilon", ["1", "1/10", "ln 2"])
def test_sample_sizes_are_the_ceilings_of_their_formulas(accuracy, epsilon):
    e = float(Epsilon.of(epsilon))
    occam = max(72 / accuracy, 12 / (e * accuracy)) * math.log(3 * 100 / 0.1)
    assert occam_sample_size(100, Epsilon.of(epsilon), accuracy, F(1, 10)) == math.ceil(occam)
    run = 384 * math.log(4) / (e * accuracy**2) - 1e-9
    assert subsampled_point_sample_size(Epsilon.of(epsilon), accuracy) == math.ceil(run)
    packing = (math.log(99) + math.log(9)) / e
    assert packing_sample_size(100, Epsilon.of(epsilon), F(1, 10)) == math.ceil(packing)


def test_runs_are_the_fewest_that_hardly_all_fail():
    for failure in (F(1, 2), F(1, 10), F(1, 100)):
        runs = constant_learner_runs(failure)
        assert F(4, 5) ** runs <= failure / 5 < F(4, 5) ** (runs - 1)


@pytest.mark.parametrize(
    ("accuracy", "failure"), [(F(0), F(1, 2)), (F(1, 2), F(1)), (F(1), F(1, 2))]
)
def test_parameters_out_of_range_are_refused(accuracy, failure):
    for learner in LEARNERS:
        with pytest.raises(DomainError, match="strictly between 0 and 1"):
            learner(accuracy, failure, ONE, 8)


def test_the_constant_learner_needs_the_same_sample_for_every_domain():
    sizes = {ConstantPointLearner(F(1, 10), F(1, 10), ONE, b).sample_size for b in (4, 16, 64)}
    assert len(sizes) == 1
    proper = [ProperPointLearner(F(1, 10), F(1, 10), ONE, b).sample_size for b in (16, 32, 64)]
    assert proper[2] - proper[1] > 1.9 * (proper[1] - proper[0])
    code = [CodePointLearner(F(1, 10), F(1, 10), ONE, b).sample_size for b in (16, 32, 64)]
    assert code[2] < proper[2] / 2
    assert code[0] < code[1] < code[2]


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_the_code_learner_leaves_half_the_error_to_the_selection(bits):
    assert CodePointLearner(F(1, 10), F(1, 10), ONE, bits).hypotheses.error == F(1, 20)


@pytest.mark.parametrize(("bits", "error"), [(3, F(1, 2)), (4, F(1, 3)), (6, F(1, 4))])
def test_the_code_represents_the_points_with_its_error(bits, error):
    sets = reed_solomon_sets(bits, error)
    assert sets.error <= error
    words = sets.words(np.arange(1 << bits, dtype=np.uint64))
    rows = {
        sum(1 << x for x in np.flatnonzero(words[:, i] == v).tolist())
        for i in range(sets.length)
        for v in range(sets.field)
    }
    H = HypothesisSet.from_rows(rows, 1 << bits)
    assert representation_error(H, points(bits)).value <= sets.error
    for a, b in combinations(range(min(1 << bits, 16)), 2):
        assert (words[a] == words[b]).sum() < sets.dimension


def test_the_proper_learner_follows_the_exact_distribution():
    learner = ProperPointLearner(F(1, 2), F(1, 2), Epsilon.of("ln 9/4"), 2)
    examples = [(0, 1), (1, 0), (1, 1), (0, 1)]
    exact = PrivateOccam(4, (1, 2, 4, 8), Epsilon.of("ln 9/4")).distribution(examples)
    rng = np.random.default_rng(3)
    sample = TabledSample.of(examples)

    class _Short(ProperPointLearner):
        sample_size = 4

    short = _Short(learner.accuracy, learner.failure, learner.epsilon, 2)
    drawn = Counter(short.fit(sample, rng).point for _ in range(4000))
    for x in range(4):
        p = float(exact[1 << x])
        assert abs(drawn[x] / 4000 - p) < 5 * math.sqrt(p / 4000)


def test_a_biased_function_is_one_on_its_share_of_points():
    function = BiasedFunction(b"key", F(1, 4))
    values = function.predict(np.arange(20000, dtype=np.uint64))
    assert abs(values.mean() - 0.25) < 0.02
    assert function.value(7) == values[7]
    assert not BiasedFunction(b"key", F(0)).predict(np.arange(9, dtype=np.uint64)).any()
    assert BiasedFunction(b"key", F(1)).predict(np.arange(9, dtype=np.uint64)).all()


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("mass", [F(0), F(11, 20), F(1)])
def test_learners_meet_their_accuracy(learner, mass):
    chosen = learner(F(1, 2), F(1, 10), ONE, 64)
    target = point_target(64, mass, np.random.default_rng(1))
    trial = learning_trial(chosen, target, 20, seed=5)
    assert trial.failures == 0
    assert trial.largest <= F(1, 2)
    assert trial.interval.lower == 0


def test_trials_are_reproducible():
    learner = NonprivatePointLearner(F(1, 10), F(1, 2), ONE, 16)
    target = point_target(16, F(1, 8), np.random.default_rng(0))
    assert learning_trial(learner, target, 50, 1) == learning_trial(learner, target, 50, 1)
    assert learning_trial(learner, target, 50, 1) != learning_trial(learner, target, 50, 2)


def test_an_interrupt_leaves_the_runs_that_were_done():
    learner = NonprivatePointLearner(F(1, 10), F(1, 10), ONE, 8)
    target = point_target(8, F(1, 2), np.random.default_rng(0))

    def interrupt(after):
        def show(done, _runs):
            if done == after:
                raise KeyboardInterrupt

        return show

    with pytest.raises(KeyboardInterrupt):
        learning_trial(learner, target, 50, 0, progress=interrupt(7))
    trial = learning_trial(learner, target, 50, 0, progress=interrupt(7), time_limit=math.inf)
    assert trial.runs == 7
    assert learning_trial(learner, target, 50, 0, time_limit=0).runs == 1
    assert trial.interval == learning_trial(learner, target, 7, 0).interval


def test_a_learner_that_sees_too_little_is_caught_by_the_trial():
    class _Starved(NonprivatePointLearner):
        sample_size = 1

    target = point_target(16, F(1, 8), np.random.default_rng(0))
    trial = learning_trial(_Starved(F(1, 10), F(1, 10), ONE, 16), target, 60, 1)
    assert trial.interval.lower > F(1, 10)


def test_a_sample_that_is_too_small_is_refused():
    learner = ProperPointLearner(F(1, 10), F(1, 10), ONE, 8)
    with pytest.raises(DomainError, match=f"at least {learner.sample_size} examples, not 1"):
        learner.fit(TabledSample.of([(1, 1)]), np.random.default_rng(0))


def test_the_constant_learner_refuses_a_large_epsilon():
    with pytest.raises(DomainError, match="at most 1"):
        ConstantPointLearner(F(1, 10), F(1, 10), Epsilon.of(2), 8)


def test_drawn_examples_follow_the_target():
    target = Target((1, 5, 9), (F(1, 2), F(1, 3), F(1, 6)), (1, 0, 0))
    sample = DrawnSample(target, 6000, np.random.default_rng(0))
    drawn, labels = sample.take(np.arange(6000))
    share = Counter(drawn.tolist())
    assert all(abs(share[x] / 6000 - float(m)) < 0.03 for x, m in zip(*_pairs(target), strict=True))
    assert (labels == (drawn == 1)).all()


def _pairs(target):
    return target.points, target.masses


def test_targets_lie_on_both_sides_of_the_accuracy():
    masses = [t.masses[0] for t in hard_point_targets(8, F(1, 10), 0).values()]
    assert masses[0] < F(1, 10) < masses[1] < masses[2]
    with pytest.raises(DomainError, match="sum to 1"):
        replace(point_target(3, F(1, 2), np.random.default_rng(0)), masses=(F(1),) * 8)


def test_command_reports_samples_privacy_and_trials(capsys):
    status = main(
        ["learn", "points:b=64", "--learner", "proper", "--accuracy", "0.2", "--failure", "0.1",
         "--epsilon", "1", "--runs", "5", "--json"]
    )  # fmt: skip
    data = json.loads(capsys.readouterr().out)
    assert status == 0
    assert data["samples"] == ProperPointLearner(F(1, 5), F(1, 10), ONE, 64).sample_size
    assert (data["epsilon"], data["delta"]) == ("1", "0")
    assert [trial["failures"] for trial in data["trials"]] == [0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lines:p=3", "--learner", "proper"], "INSTANCE must be points:b=..."),
        (["points:b=65", "--learner", "proper"], "bits must be between 1 and 64"),
        (["points:n=3", "--learner", "proper"], "unknown parameter n"),
        (["points:b=8", "--learner", "proper", "--epsilon", "0"], "epsilon must be positive"),
    ],
)
def test_command_explains_bad_input(capsys, arguments, message):
    status = main(["learn", *arguments, "--accuracy", "0.1", "--failure", "0.1"])
    assert status == 2
    assert message in capsys.readouterr().err


# --- Lines -------------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [2, 3, 5])
def test_two_points_of_a_line_give_it_back(p):
    C = lines(p)
    everywhere = np.arange(p * p, dtype=np.uint64)
    for number, row in enumerate(C.rows):
        on = [x for x in range(p * p) if row >> x & 1]
        for pair in combinations(on, 2):
            hypothesis = LineHypothesis(p, basic_line_hypothesis(p, pair))
            assert hypothesis.number == 1 + p * p + number
            assert str(hypothesis) == C.concepts[number]
            assert np.flatnonzero(hypothesis.predict(everywhere)).tolist() == on
    assert LineHypothesis(p, basic_line_hypothesis(p, [1])).predict(everywhere).sum() == 1
    assert not LineHypothesis(p, basic_line_hypothesis(p, [])).predict(everywhere).any()


def test_the_learner_of_lines_meets_its_accuracy_between_the_cases():
    learner = LineLearner(F(1, 10), F(1, 5), ONE, F(1, 1000), 5)
    for target in hard_line_targets(5, F(1, 10), 3).values():
        trial = learning_trial(learner, target, 15, seed=2)
        assert trial.failures == 0
        assert trial.largest <= F(1, 10)


def test_one_block_size_between_the_cases_is_not_enough():
    target = Target(
        (0, 3, 6, 1), (F(1, 313), F(1, 5200), F(1, 5200), 1 - F(1, 313) - F(2, 5200)), (1, 1, 1, 0)
    )  # the masses of the counterexample to Claim 17 (=6.3)
    accuracy = F(1, 280)
    hesitant = StableLineLearner(accuracy, F(2, 5), ONE, F(1, 1000), 3, window=8)
    trial = learning_trial(hesitant, target, 60, seed=1)
    patient = StableLineLearner(accuracy, F(2, 5), ONE, F(1, 1000), 3)
    assert len(patient.exponents) == 40
    assert learning_trial(patient, target, 60, seed=1).failures <= trial.failures


def test_the_sample_of_the_learner_of_lines_does_not_depend_on_p():
    sizes = {LineLearner(F(1, 10), F(1, 5), ONE, F(1, 1000), p).sample_size for p in (2, 31)}
    assert len(sizes) == 1
    assert LineLearner(F(1, 10), F(1, 5), ONE, F(1, 1000), 2).privacy == (ONE, F(1, 1000))


def test_a_table_and_a_drawn_sample_have_the_same_positives():
    sample = TabledSample.of([(1, 1), (2, 0), (1, 1), (3, 1)])
    assert sample.positives(0, 3).tolist() == [1]
    target = Target((1, 2), (F(1, 2), F(1, 2)), (1, 0))
    drawn = DrawnSample(target, 1 << 40, np.random.default_rng(0))
    assert drawn.positives(0, 1 << 39).tolist() == [1]


@pytest.mark.parametrize(
    ("p", "delta", "message"),
    [(4, F(1, 8), "p must be a prime"), (3, F(0), "delta must be positive")],
)
def test_the_learner_of_lines_checks_its_parameters(p, delta, message):
    with pytest.raises(DomainError, match=message):
        LineLearner(F(1, 10), F(1, 5), ONE, delta, p)


def test_command_runs_the_learner_of_lines(capsys):
    status = main(
        ["learn", "lines:p=3", "--learner", "lines", "--accuracy", "0.2", "--failure", "0.2",
         "--delta", "1/100", "--runs", "4", "--json"]
    )  # fmt: skip
    data = json.loads(capsys.readouterr().out)
    assert status == 0
    assert data["delta"] == "1/100"
    assert data["trials"][0]["target"] == "between no and one point"
    assert sum(trial["failures"] for trial in data["trials"]) == 0


@pytest.mark.parametrize("kind", [CodePointLearner, ConstantPointLearner])
def test_the_limit_ends_a_run_and_without_a_run_there_is_no_trial(kind):
    rng = np.random.default_rng(0)
    learner, target = kind(F(1, 10), F(1, 10), ONE, 16), point_target(16, F(11, 100), rng)
    with pytest.raises(OutOfTimeError):
        learning_trial(learner, target, 2, 0, time_limit=Budget(2, clock=count().__next__))
    few = Budget(10**6, clock=count().__next__)
    assert learning_trial(learner, target, 2, 0, time_limit=few).runs == 2


def test_learn_without_time_for_a_run_is_one_line(capsys, monkeypatch):
    def stopped(*_arguments, **_options):
        raise OutOfTimeError

    monkeypatch.setattr("ccsim.cli.privacy.learn.learning_trial", stopped)
    options = ["--accuracy", "1/10", "--failure", "1/10", "--time-limit", "1"]
    assert main(["learn", "points:b=8", "--learner", "improper-code", *options]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "ccsim: error: the time limit was reached before there was an answer\n"
