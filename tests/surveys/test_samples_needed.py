"""Examples that learners need, measured: the experiment of Table 1 and its command."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ccsim.budget import OutOfTimeError
from ccsim.cli.main import main
from ccsim.cli.surveys.sweep import _alone_in
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact import Epsilon, binomial_tail
from ccsim.learning import NonprivatePointLearner
from ccsim.learning.learner import learning_trial
from ccsim.surveys.point_learners import Experiment, measure, read_cells, write_cells
from ccsim.surveys.samples_needed import samples_needed
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


def test_measuring_goes_on_where_it_stopped(tmp_path):
    table = tmp_path / "table.json"
    whole = list(measure(SMALL))
    write_cells(table, SMALL, whole[:1])
    known = read_cells(table, SMALL)
    assert known == whole[:1]
    assert [*known, *measure(SMALL, known)] == whole
    with pytest.raises(DomainError, match="other settings, seed 0 and not 1; choose"):
        read_cells(table, replace(SMALL, seed=1))
    with pytest.raises(DomainError, match="other settings, failure 1/10 and not 1/5; choose"):
        read_cells(table, replace(SMALL, failure=F(1, 5)))
    table.write_text(table.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(DomainError, match="other settings, format 2 and not 1; choose"):
        read_cells(table, SMALL)


CELL = {
    "learner": "proper", "bits": 4, "estimate": 1, "insufficient": 1, "sufficient": None,
    "theorem": 1, "lower_bound": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    "content",
    [
        [],
        {"cells": []},
        {"settings": SMALL.settings()},
        {"settings": [], "cells": []},
        {"settings": SMALL.settings(), "cells": [[]]},
        {"settings": SMALL.settings(), "cells": [{"learner": "proper"}]},
        {"settings": SMALL.settings(), "cells": [{**CELL, "bits": "4"}]},
        {"settings": SMALL.settings(), "cells": [{**CELL, "bits": True}]},
        {"settings": SMALL.settings(), "cells": [{**CELL, "learner": "magic"}]},
        {"settings": SMALL.settings(), "cells": [{**CELL, "more": 1}]},
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path, content):
    table = tmp_path / "table.json"
    table.write_text(json.dumps({"settings": SMALL.settings(), "cells": [CELL]}))
    assert [cell.bits for cell in read_cells(table, SMALL)] == [4]
    table.write_text(json.dumps(content))
    with pytest.raises(UnreadableInputError, match="not a table"):
        read_cells(table, SMALL)


SWEEP = ("sweep", "--bits=2", "--learners=nonprivate", "--accuracy=1/2", "--runs=10")


@pytest.mark.parametrize(
    ("option", "difference"),
    [
        ("--seed=1", "seed 0 and not 1"),
        ("--failure=1/5", "failure 1/10 and not 1/5"),
        ("--epsilon=ln 2", "epsilon 1 and not ln 2"),
        ("--runs=20", "runs 10 and not 20"),
    ],
)
def test_a_sweep_with_other_settings_leaves_the_folder_alone(capsys, tmp_path, option, difference):
    out = f"--out={tmp_path}"
    assert main([*SWEEP, out]) == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert main([*SWEEP, out, option]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert difference in err
    assert main([*SWEEP, out]) == 0
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("name", ["table.json", "table.svg"])
def test_a_foreign_file_is_not_replaced_by_a_sweep(capsys, tmp_path, name):
    (tmp_path / name).write_text("[]")
    assert main([*SWEEP, f"--out={tmp_path}"]) == 2
    assert name in capsys.readouterr().err
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "[]")]


def test_a_second_sweep_keeps_out_of_the_folder(capsys, tmp_path):
    with _alone_in(tmp_path):
        assert main([*SWEEP, f"--out={tmp_path}"]) == 2
    assert "another sweep is writing there" in capsys.readouterr().err
    assert main([*SWEEP, f"--out={tmp_path}"]) == 0


def test_command_writes_table_and_picture(capsys, tmp_path):
    arguments = ["sweep", "--bits", "4,16", "--learners", "nonprivate,proper", "--accuracy", "1/4",
                 "--runs", "40", "--out", str(tmp_path / "sweep"), "--json"]  # fmt: skip
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
        (["--bits", "65", "--learners", "proper"], "bits must lie between 1 and 64"),
        (["--accuracy", "2"], "accuracy must lie between 0 and 1"),
    ],
)
def test_command_explains_bad_input(capsys, option, message):
    assert main(["sweep", *option]) == 2
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
    monkeypatch.setattr("ccsim.surveys.samples_needed.learning_trial", stopped)
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
