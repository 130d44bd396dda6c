"""Commands with several processes: the same certificate, resumption, samples and messages."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from random import Random

import pytest

from ccsim.cli.main import main
from ccsim.representation import hitting


@pytest.fixture(autouse=True)
def _asked(tmp_path, monkeypatch):
    monkeypatch.setattr(hitting, "_WORK", 0)
    monkeypatch.setattr(hitting, "_CUBES", 9)
    monkeypatch.chdir(tmp_path)
    rows = Random(1).sample(range(64), 10)  # noqa: S311 - no secret
    (tmp_path / "C.csv").write_text("".join(",".join(f"{row:06b}") + "\n" for row in rows))


ASKED = ["represent", "@C.csv", "--error", "1/4"]


def stored(name="cubes.db"):
    with closing(sqlite3.connect(name)) as database:
        return database.execute("SELECT instance, answer, seconds FROM answers").fetchall()


def test_processes_and_a_database_do_not_change_the_certificate(tmp_path, capsys):
    texts = set()
    for number, more in enumerate(([], ["--jobs", "2", "--store", "cubes.db"], ["--jobs", "4"])):
        assert main([*ASKED, *more, "--certificate", f"{number}.json"]) == 0
        texts.add((tmp_path / f"{number}.json").read_text())
        assert capsys.readouterr().err == ""
    assert len(texts) == 1
    before = stored()
    assert len(before) > 8
    assert main([*ASKED, "--store", "cubes.db", "--certificate", "again.json"]) == 0
    assert (tmp_path / "again.json").read_text() in texts
    assert stored() == before


def test_lost_results_are_computed_again(tmp_path):
    assert main([*ASKED, "--store", "cubes.db", "--certificate", "0.json"]) == 0
    before = stored()
    with closing(sqlite3.connect("cubes.db")) as database, database:
        database.execute("DELETE FROM answers WHERE instance = ?", before[2][:1])
    assert main([*ASKED, "--store", "cubes.db", "--certificate", "1.json"]) == 0
    assert {row[:2] for row in stored()} == {row[:2] for row in before}
    assert (tmp_path / "0.json").read_text() == (tmp_path / "1.json").read_text()


def test_a_sample_states_the_time_of_all_cubes(capsys):
    assert main([*ASKED, "--sample", "3"]) == 0
    out = capsys.readouterr().out
    assert "cubes need about" in out
    assert "core-hours" in out
    assert main([*ASKED, "--sample", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cubes"] > 8
    assert len(found["seconds"]) == 3


def test_a_question_without_cubes_is_answered_in_spite_of_a_sample(capsys):
    assert main(["represent", "points:b=2", "--error", "1/4", "--sample", "3"]) == 0
    assert "cubes" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--jobs", "0"], "not 0"),
        (["--jobs", "two"], "two"),
        (["--jobs", "1000"], "1000"),
        (["--scheduler", "here"], "scheduler must be tcp://HOST:PORT, not 'here'"),
        (["--store", "C.csv"], "C.csv"),
        (["--store", "missing/cubes.db"], "missing"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(more, message, capsys):
    assert main([*ASKED, *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.startswith("ccsim: error: ")
    assert err.count("\n") == 1
