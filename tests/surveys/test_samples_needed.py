"""Measured numbers of examples of learners: the experiment of Table 1 and its command."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ccsim.budget import OutOfTimeError
from ccsim.cli.main import main
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact import Epsilon, binomial_tail
from ccsim.learning import NonprivatePointLearner
from ccsim.learning.learner import learning_trial
from ccsim.surveys.instances import Asked
from ccsim.surveys.point_learners import Experiment, measure, samples_needed, survey_of
from ccsim.surveys.survey import Reply
from ccsim.surveys.targets import point_target

F = Fraction
TENTH = F(1, 10)
SMALL = Experiment((4, 8), ("nonprivate",), TENTH, TENTH, Epsilon.of(1), 100, 0)


def _nonprivate(samples):
    return NonprivatePointLearner(TENTH, TENTH, Epsilon.of(1), 16, samples)


def test_error_bars_contain_the_number_that_is_needed():
    mass = F(11, 100)
    target = point_target(16, mass, np.random.default_rng(0))
    needed = next(n for n in range(1, 100) if (1 - mass) ** n <= TENTH)  # fails if none is positive
    found = samples_needed(_nonprivate, target, 200, 300, seed=0)
    assert found.insufficient < needed <= found.sufficient
    assert found.insufficient < found.estimate <= found.sufficient
    assert binomial_tail(needed, mass, 1) >= 1 - TENTH


def test_a_learner_that_never_has_enough_is_reported():
    target = point_target(16, F(1, 2), np.random.default_rng(0))
    with pytest.raises(DomainError, match="runs failed even with 1 examples"):
        samples_needed(_nonprivate, target, 1, 50, seed=0)


def test_measuring_goes_on_where_it_stopped(tmp_path, monkeypatch):
    answers = tmp_path / "answers.db"
    whole = measure(SMALL)
    assert [cell.bits for cell in whole[0]] == [4, 8]
    assert measure(replace(SMALL, bits=(8,)), answers) == (whole[0][1:], True)
    assert measure(SMALL, answers, time_limit=0) == (whole[0][1:], True)
    asked = []
    monkeypatch.setattr(
        "ccsim.surveys.point_learners.samples_needed",
        lambda *given, **options: asked.append(given) or samples_needed(*given, **options),
    )
    assert measure(SMALL, answers) == whole
    assert len(asked) == 1
    assert measure(replace(SMALL, bits=(4,)), answers) == whole  # of the same settings all
    assert len(asked) == 1
    for other in (replace(SMALL, seed=1), replace(SMALL, failure=F(1, 5))):
        measure(other, answers)
        assert measure(SMALL, answers) == whole
    assert len(asked) == 5


def test_two_processes_measure_the_same(tmp_path):
    assert measure(SMALL, tmp_path / "answers.db", jobs=2) == measure(SMALL)


CELL = {
    "learner": "proper", "bits": 4, "estimate": 1, "insufficient": 1, "sufficient": None,
    "theorem": 1, "lower_bound": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    "content",
    [
        [],
        1,
        {"learner": "proper"},
        {**CELL, "bits": "4"},
        {**CELL, "bits": True},
        {**CELL, "learner": "magic"},
        {**CELL, "more": 1},
    ],
)
def test_an_answer_that_is_no_cell_is_refused(tmp_path, content):
    for answer, refused in ((CELL, False), (content, True)):
        path = tmp_path / f"{refused}.db"
        about = survey_of(SMALL, path)
        with about.store as store:
            store.put(about.row_of(Asked("proper:bits=4"), Reply(0, json.dumps(answer))))
        if refused:
            with pytest.raises(UnreadableInputError, match="an answer of another experiment"):
                measure(SMALL, path)
        else:
            assert [cell.bits for cell in measure(SMALL, path)[0]] == [4, 8, 4]


SWEEP = ("survey learners", "--bits=2", "--learners=nonprivate", "--accuracy=1/2", "--runs=10")


@pytest.mark.parametrize("option", ["--seed=1", "--failure=1/5", "--epsilon=ln 2", "--runs=20"])
def test_a_sweep_with_other_settings_keeps_what_is_measured(capsys, tmp_path, monkeypatch, option):
    out = f"--out={tmp_path}"
    assert main([*SWEEP, out]) == 0
    before = (tmp_path / "table.json").read_bytes()
    assert main([*SWEEP, out, option]) == 0
    assert (tmp_path / "table.json").read_bytes() != before
    capsys.readouterr()
    monkeypatch.delattr("ccsim.surveys.point_learners.learning_trial")  # nothing is measured again
    assert main([*SWEEP, out]) == 0
    assert (tmp_path / "table.json").read_bytes() == before


@pytest.mark.parametrize("name", ["answers.db", "table.json", "table.svg"])
def test_a_foreign_file_is_not_replaced_by_a_sweep(capsys, tmp_path, name):
    (tmp_path / name).write_text("[]")
    assert main([*SWEEP, f"--out={tmp_path}"]) == 2
    assert name in capsys.readouterr().err
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "[]")]


def test_command_writes_table_and_picture(capsys, tmp_path):
    arguments = ["survey learners", "--bits", "4,16", "--learners", "nonprivate,proper",
                 "--accuracy", "1/4", "--runs", "40", "--out", str(tmp_path / "sweep"),
                 "--json"]  # fmt: skip
    assert main(arguments) == 0
    data = json.loads(capsys.readouterr().out)
    proper = {c["bits"]: c for c in data["cells"] if c["learner"] == "proper"}
    assert proper[4]["lower_bound"] <= proper[4]["estimate"] <= proper[4]["theorem"]
    assert proper[4]["sufficient"] < proper[16]["sufficient"]
    picture = (tmp_path / "sweep" / "table.svg").read_text()
    assert picture.lstrip().startswith("<?xml")
    before = (tmp_path / "sweep" / "table.json").read_text()
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out) == data
    assert (tmp_path / "sweep" / "table.json").read_text() == before


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--bits", "4,x"], "bits must be an integer"),
        (["--learners", "magic"], "unknown learner 'magic'"),
        (["--bits", "65", "--learners", "proper"], "bits must be between 1 and 64"),
        (["--accuracy", "2"], "accuracy must be between 0 and 1"),
    ],
)
def test_command_explains_bad_input(capsys, option, message):
    assert main(["survey learners", *option]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("stop", "status"), [(OutOfTimeError, 3), (KeyboardInterrupt, 130)])
def test_a_sweep_that_is_stopped_prints_the_cells_that_it_has(capsys, monkeypatch, stop, status):
    def stopped(*arguments, **options):
        if arguments[0].bits == 3:
            raise stop
        return learning_trial(*arguments, **options)

    whole = [*SWEEP, "--json"]
    assert main(whole) == 0
    cells = json.loads(capsys.readouterr().out)["cells"]
    monkeypatch.setattr("ccsim.surveys.point_learners.learning_trial", stopped)
    assert main([*whole, "--bits=2,3"]) == status
    assert json.loads(capsys.readouterr().out)["cells"] == cells


def test_a_sweep_without_time_measures_nothing(capsys):
    assert main([*SWEEP, "--time-limit", "0", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["cells"] == []


def test_a_learner_without_time_runs_once(capsys):
    arguments = ("points:b=2", "--learner=proper", "--accuracy=1/2", "--failure=1/2", "--json")
    assert main(["learn", *arguments, "--time-limit", "0"]) == 3
    trials = json.loads(capsys.readouterr().out)["trials"]
    assert [trial["runs"] for trial in trials] == [1]
