"""``ccsim protocol --play`` and ``--two-way``."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from ccsim.cli.main import main
from proofs_check.__main__ import main as proofs_check

__all__ = []

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _installed(tmp_path, monkeypatch):
    """Install the families that this checkout declares into an empty folder."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    declared = tomllib.loads(text)["project"]["entry-points"]["ccsim.protocols"]
    info = tmp_path / "site" / "declared_here-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: declared_here\nVersion: 1\n")
    points = "\n".join(f"{name} = {target}" for name, target in declared.items())
    (info / "entry_points.txt").write_text(f"[ccsim.protocols]\n{points}\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    Path("m.csv").write_text(",tea,milk\nann,1,0\nbob,0,1\ncy,1,1\n")


@pytest.fixture
def says(capsys):
    def call(*arguments, status=0):
        assert main(arguments) == status
        out, err = capsys.readouterr()
        return out if status == 0 else err

    return call


@pytest.fixture
def data(says):
    return lambda *arguments: json.loads(says(*arguments, "--json"))


def test_a_file_is_played_with_its_labels(says, data):
    text = says("protocol", "@m.csv", "--two-way", "--play", "bob", "milk")
    assert "bob" in text
    assert "two-way cost  2 bits, the least" in text
    assert text.endswith("answer: 1 (correct) after 2 bits\n")
    found = data("protocol", "@m.csv", "--two-way", "--play", "bob", "milk")
    assert (found["bits"], found["bits_at_least"], found["leaves"]) == (2, 2, 4)
    play = found["play"]
    assert (play["x"], play["y"], play["answer"], play["correct"]) == ("bob", "milk", 1, True)
    assert play["messages"][-1]["alice"] == ["bob", "cy"]
    assert found["tree"]["alice"] == 3


def test_the_certificate_is_accepted(says):
    says("protocol", "greater_than:n=8", "--two-way", "--certificate", "c.json")
    assert proofs_check(["verify", "c.json"]) == 0
    says("protocol", "greater_than_bisection:bits=3", "--tabulate", "--certificate", "d.json")
    assert proofs_check(["verify", "d.json"]) == 0
    assert json.loads(Path("d.json").read_text())["statement"]["lower"] is None


def test_families_are_played(says, data):
    text = says("protocol", "equality:bits=3,repetitions=1", "--play", "2", "7", "--seed", "2")
    assert text.endswith("answer: 0 (correct) after 1 bit\n")
    assert "coins: 6, uniform below 8\n" in text
    arguments = ("protocol", "greater_than_hashing:bits=4,repetitions=1", "--play", "8", "7")
    answers = {data(*arguments, "--seed", str(seed))["play"]["answer"] for seed in range(20)}
    assert answers == {0, 1}
    assert data(*arguments, "--seed", "3") == data(*arguments, "--seed", "3")
    play = data("protocol", "augmented_index:d=3", "--play", "101", "2:0")["play"]
    assert (play["expected"], play["correct"]) == (None, None)
    large = data("protocol", "greater_than:bits=20000", "--play", "5", "9")["play"]
    assert (large["x"], large["answer"], large["messages"][0]["alice"]) == (5, 0, None)


def test_a_wrong_answer_is_marked(says):
    texts = [
        says("protocol", "equality:bits=3,repetitions=1", "--play", "2", "7", "--seed", str(seed))
        for seed in range(10)
    ]
    assert any("answer: 1 (WRONG: the value is 0) after 1 bit" in text for text in texts)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("@m.csv", "--two-way", "--play", "dan", "tea"),
            "Alice has no input 'dan'; the inputs are ann, bob, cy",
        ),
        (
            ("equality:bits=3,repetitions=1", "--play", "2", "8"),
            "Bob has no input '8'; the inputs are 0, 1, 2, 3, 4, 5, .. (8 in all)",
        ),
        (
            ("equality:bits=11,repetitions=1", "--play", "2", "-1"),
            "Bob has no input '-1'; the inputs are numbers from 0 to 2047",
        ),
        (
            ("equality:bits=11,repetitions=1", "--play", "2", "2048"),
            "y must be at least 0 and below 2048, the number of inputs of Bob, not 2048",
        ),
        (("@m.csv",), "@m.csv is a file, not a family of protocols; add --two-way to read it"),
        (("@m.csv", "--two-way", "--tabulate"), "need a family of protocols"),
        (("lines:p=3", "--certificate", "c.json"), "--certificate needs --tabulate or --two-way"),
        (
            ("greater_than_hashing:bits=2,repetitions=1", "--tabulate", "--certificate", "c.json"),
            "only deterministic two-way protocols have certificates",
        ),
        (("@m.csv", "--two-way", "--certificate", "m.csv"), "m.csv"),
    ],
)
def test_what_cannot_be_played_is_one_line(says, arguments, message):
    line = says("protocol", *arguments, status=2)
    assert message in line
    assert line.count("\n") == 1


def test_two_way_families_are_tabulated_and_simulated(data):
    name = "greater_than_hashing:bits=3,repetitions=1"
    found = data("protocol", name, "--tabulate", "--simulate", "200", "--seed", "1")
    assert "messages" not in found
    assert (found["bits"], found["error"], found["table"]["error"]) == (6, "3/4", "3/4")
    assert found["simulation"]["agrees"] is True
