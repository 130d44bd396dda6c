"""``ccsim compose``: answers, bounds, certificates and messages."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from ccsim.cli.main import main
from ccsim.kernel import check, read

SURVEY = ["@survey.csv", "--neighbours", "all"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "survey.csv").write_text("answer,yes,no\nyes,3/4,1/4\nno,1/4,3/4\n")
    (tmp_path / "three.csv").write_text(",a,b,c\nx,1/2,1/3,1/6\ny,1/4,1/4,1/2\nz,1/3,1/2,1/6\n")
    return tmp_path


def answer(capsys, *words):
    assert main(["compose", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_delta_and_epsilon_are_exact_and_certified(capsys, folder):
    words = [*SURVEY, "--times", "3", "--epsilon", "ln 3", "--delta", "3/8"]
    data = answer(capsys, *words, "--certificate", "c.json")
    assert data["least_delta"] == ["3/8", "3/8"]
    assert data["least_factor"] == ["3", "3"]
    assert data["losses"] == "exact"
    said = check(read(folder / "c.json"))
    assert "least delta: exactly 3/8" in said
    assert "delta 3/8: exactly 3" in said


def test_runs_on_one_database_require_less(capsys):
    words = ["@three.csv", "--neighbours", "all", "--times", "2", "--epsilon", "ln 2"]
    adaptive = answer(capsys, *words)
    fixed = answer(capsys, *words, "--one-database")
    assert (adaptive["adaptive"], fixed["adaptive"]) == (True, False)
    assert Fraction(fixed["least_delta"][0]) == Fraction(2, 9)
    assert Fraction(adaptive["least_delta"][0]) == Fraction(11, 36)


def test_parameters_and_tables_compose(capsys):
    words = [*SURVEY, "--parameters", "ln 2,1/100", "--times", "1,2", "--epsilon", "ln 6"]
    assert answer(capsys, *words)["least_delta"] == ["733/4000", "733/4000"]


def test_curve_lists_the_least_deltas(capsys):
    data = answer(capsys, *SURVEY, "--times", "2", "--curve", "0,ln 3,ln 9")
    assert [point["least_delta"][1] for point in data["curve"]] == ["1/2", "3/8", "0"]


def test_table_states_the_answer_in_words(capsys):
    assert main(["compose", *SURVEY, "--times", "3", "--epsilon", "ln 3"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "composition                    3 runs of survey.csv, 2 rows and 2 outputs",
        "runs                           adaptive",
        "losses                         exact",
        "least delta at epsilon = ln 3  3/8 (0.375)",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--epsilon", "1"], "give a MECHANISM such as @channel.csv, or --parameters 1/10,0"),
        (SURVEY, "give --epsilon E, --delta D, or both"),
        ([*SURVEY, "--epsilon", "1", "--times", "1,2"], "--times must have one number"),
        ([*SURVEY, "--epsilon", "1", "--times", "0"], "must be at least 1"),
        ([*SURVEY, "--epsilon", "1", "--times", "1/2"], "times must be integers"),
        (["--parameters", "1", "--epsilon", "1"], "such as 1/10,0"),
        (["--parameters", "1,0", "--one-database", "--epsilon", "1"], "cannot be used with"),
        (["@three.csv", "--neighbours", "consecutive", "--parameters", "1,0", "--epsilon", "1"],
         "the same pairs of neighbours"),
    ],
)  # fmt: skip
def test_invalid_questions_are_refused(capsys, words, message):
    assert main(["compose", *words]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_time_limit_ends_without_an_answer(capsys):
    words = ["compose", *SURVEY, "--times", "1000", "--epsilon", "1", "--time-limit", "0"]
    assert main(words) == 3
    assert "time limit" in capsys.readouterr().err
