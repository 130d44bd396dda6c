"""JSON of the commands: `instance` is valid input, and every reader preserves the integers."""

from __future__ import annotations

import io
import json
import sys

import click
import pytest

from ccsim import minimax_error, parse_instance, thresholds
from ccsim.certificates.files import standard_input
from ccsim.cli.main import cli, main
from ccsim.cli.parameters import INSTANCE

HALVES = ["--accuracy=1/2", "--failure=1/2"]
PRIVATE = ["--epsilon=ln 3"]
COMMANDS = {
    "bounds": ["--only=D"],
    "complexity": ["--error=1/4"],
    "dimensions": [],
    "error": ["--messages=2"],
    "export": ["--messages=2", "--out=game.nfg"],
    "game": [],
    "learn": ["--learner=occam", *HALVES, "--runs=1"],
    "packing": ["--accuracy=1/10", "--failure=1/4", *PRIVATE],
    "protocol": ["--two-way"],
    "release": ["--private=records.csv", "--public=records.csv", "--epsilon=1", "--seed=0"],
    "represent": ["--error=1/4"],
    "sample-complexity": [*HALVES, *PRIVATE],
    "sanitize": ["--records=records.csv", "--epsilon=1", "--seed=0"],
    "tree": ["--out=tree.txt"],
}
"""Options with which each command answers quickly."""
MECHANISMS = {
    "points:b=1": ["--mechanism=randomized-response", "--samples=1", *PRIVATE],
}
MATRIX = b",0,1\nx,0,1\ny,1,1\nz,1,0\n"
CASES = [
    ("error", "thresholds:b=2"),
    ("error", "greater_than:n=3"),
    ("error", "augmented_index:d=2"),
    ("error", "random:m=3,n=4,seed=5"),
    ("bounds", "equality:n=3"),
    ("complexity", "thresholds:b=2"),
    ("complexity", "equality:n=2^2"),
    ("dimensions", "equality:n=3"),
    ("dimensions", "lines:p=2"),
    ("export", "equality:n=3"),
    ("learn", "greater_than:n=2"),
    ("packing", "points:b=4"),
    ("protocol", "equality:n=3"),
    ("release", "points:b=1"),
    ("represent", "equality:n=4"),
    ("sample-complexity", "equality:n=2"),
    ("sanitize", "thresholds:b=3"),
    ("tree", "greater_than:n=3"),
    ("audit", "points:b=1"),
    *(
        (name, text)
        for name in sorted(COMMANDS.keys() - {"packing", "sanitize"})
        for text in ("@class.csv", "@./class.csv", "@-")
    ),
]


def asked(capsys, name, text):
    """Return the exit status and the JSON of a command whose standard input is the matrix."""
    standard_input.cache_clear()
    sys.stdin = io.TextIOWrapper(io.BytesIO(MATRIX))
    options = MECHANISMS[text] if name == "audit" else COMMANDS[name]
    if name == "sanitize":
        sanitizer = "quantile-tree" if text.startswith("thresholds") else "stability-histogram"
        options = [*options, f"--sanitizer={sanitizer}"]
    status = main([name, text, *options, "--json"])
    out, err = capsys.readouterr()
    assert status in {0, 3, 5}, err
    return status, json.loads(out)


def found(value, key):
    """Yield all values of a key, and each number, in JSON."""
    if isinstance(value, dict):
        yield from (inside for name, inside in value.items() if name == key)
    if isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from found(inside, key)
    elif key is int and type(value) is int:
        yield value


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    (tmp_path / "class.csv").write_bytes(MATRIX)
    (tmp_path / "records.csv").write_text("0\n1\n1\n")
    yield
    standard_input.cache_clear()


@pytest.mark.parametrize(("name", "text"), CASES)
def test_an_instance_can_be_given_again_and_has_the_same_answer(capsys, name, text):
    status, first = asked(capsys, name, text)
    given = set(found(first, "instance"))
    assert given == {text}
    assert asked(capsys, name, given.pop()) == (status, first)


def test_all_commands_that_take_an_instance_are_tried():
    context = click.Context(cli)
    takes = {
        name for name in cli.list_commands(context)
        if any(p.type is INSTANCE for p in cli.get_command(context, name).params)
    }  # fmt: skip
    assert takes == {name for name, _ in CASES} | {"compose", "survey"}  # they take several


def test_a_curve_names_the_instance_in_each_object(capsys):
    assert main(["error", "points:b=1", "--curve", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["instance"] for row in rows] == ["points:b=1"] * len(rows)
    assert len(rows) > 1


def test_what_the_library_names_after_a_class_is_an_instance_text():
    name = minimax_error("thresholds:b=2", 2).to_dict()["instance"]
    assert parse_instance(name) == thresholds(2)


BIG = [
    ["protocol", "equality_optimal:n=2^256,messages=4"],
    ["learn", "points:b=64", "--learner=proper", "--accuracy=1/1000000000000000000",
     "--failure=1/2", "--epsilon=1", "--runs=1"],
    ["packing", "points:b=4", "--accuracy=1/1000000000000000000000", "--failure=1/10",
     "--epsilon=1/1000000000000000000000", "--task=proper"],
    ["families"],
    ["protocol", "augmented_index_golay"],
    ["sanitize", "thresholds:b=64", "--records=records.csv", "--sanitizer=quantile-tree",
     "--epsilon=1", "--seed=0"],
]  # fmt: skip


@pytest.mark.parametrize("given", BIG, ids=" ".join)
def test_integers_that_doubles_round_are_texts(capsys, given):
    if main([*given, "--json"]) == 0:
        numbers = list(found(json.loads(capsys.readouterr().out), int))
        assert all(abs(number) <= 1 << 53 for number in numbers)


def test_a_number_of_many_digits_is_a_text(capsys):
    assert main([*BIG[0], "--json"]) == 0
    out = capsys.readouterr().out
    assert 2**256 not in set(found(json.loads(out), int))
