"""Commands on large instances take at most two seconds of processor time beyond the limit.

Each command runs in a process of its own; its start counts, but not the compilation of the package
to bytecode, which an installer does. The slow tests take about an hour:
``pytest -m slow tests/test_watchdog_commands.py``.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from compileall import compile_dir
from math import ceil
from pathlib import Path

import numpy as np
import pytest

import ccsim
from ccsim.cli.main import cli
from tests.cli.test_limited_commands import words_with_a_limit
from tests.test_watchdog import BEYOND, CLASSES, PROBLEMS

OF_PROBLEMS = {
    "bounds": [[]],
    "complexity": [["--error", "1/4"], ["--error", "1/4", "--coins", "private"]],
    "error": [
        ["--messages", "2"],
        ["--messages", "3", "--coins", "private"],
        ["--bits", "0..6", "--model", "all"],
        ["--bits", "1..4", "--model", "two-way", "--rounds", "2"],
    ],
}
PRIVATE = ["--accuracy", "1/4", "--epsilon", "ln 3"]
OF_CLASSES = {
    "dimensions": [[]],
    "tree": [[]],
    "represent": [["--error", "1/4"], ["--error", "1/4", "--failure", "1/4"]],
    "packing": [["--accuracy", "1/8", "--failure", "1/8", "--epsilon", "1/2"]],
    "sample-complexity": [[*PRIVATE, "--failure", "1/4"], [*PRIVATE, "--samples", "2"]],
    "export": [["--out", "written.json"]],
}
OF_COLUMN = ["--column", "value", "--epsilon", "1"]
SYNTHETIC = ["--sanitizer", "quantile-tree", "--out", "synthetic.csv"]
NUMBERS = ["--accuracy", "1/10", "--failure", "1/10"]
OF_THEMSELVES = {
    "atlas check": [["--sample", "5", "--seed", "1"]],
    "atlas prove": [["--out", "certificates.json.xz", "--points", "1"]],
    "audit": [["points:b=2", "--mechanism", "exponential", "--samples", "6", "--epsilon", "1"]],
    "compose": [["--parameters", "1/10,0", "--times", "1000", "--delta", "1/1000000"]],
    "game": [["@payoffs.csv"]],
    "learn": [
        ["thresholds:b=64", "--learner", "rec-concave", "--delta", "1/1000000", *NUMBERS],
        ["thresholds:b=64", "--learner", "exponential", *NUMBERS],
    ],
    "program": [["program.lp"]],
    "protocol": [
        ["equality:bits=256,repetitions=10", "--simulate", "100000000", "--seed", "1"],
        ["random:m=40,n=40,seed=1", "--two-way"],
    ],
    "release": [
        ["thresholds:b=10", "--private", "records.csv", "--public", "records.csv", *OF_COLUMN],
    ],
    "sanitize": [["thresholds:b=10", "--records", "records.csv", *OF_COLUMN, *SYNTHETIC]],
    "survey": [["dimensions", "random:m=200,n=200,seed=0..0", "--out", "answers.db"]],
    "survey learners": [["--out", "table"]],
}
INSTANCES = {"random 300": "random:m=300,n=300,seed=1", "random 512": "random:m=512,n=512,seed=1"}


def cases() -> Iterator[tuple[str, list[str], str]]:
    """Yield commands with their options, and the instances for which they are run."""
    for commands, names in ((OF_PROBLEMS, PROBLEMS), (OF_CLASSES, CLASSES)):
        for command, variants in commands.items():
            for options in variants:
                for name in names:
                    yield command, options, INSTANCES.get(name, name)
    for command, variants in OF_THEMSELVES.items():
        for options in variants:
            yield command, options, ""


@pytest.fixture(scope="module", autouse=True)
def _bytecode():
    assert compile_dir(Path(ccsim.__file__).parent, quiet=2)


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(0)
    payoffs = random.integers(-99, 99, (300, 300)).tolist()
    (tmp_path / "payoffs.csv").write_text("".join(",".join(map(str, r)) + "\n" for r in payoffs))
    weights = random.integers(1, 99, (80, 80)).tolist()
    terms = [" + ".join(f"{w} x{i}" for i, w in enumerate(row)) for row in weights]
    rows = "".join(f" c{i}: {row} >= {100 + i}\n" for i, row in enumerate(terms))
    (tmp_path / "program.lp").write_text(f"Minimize\n obj: {terms[0]}\nSubject To\n{rows}End\n")
    values = "".join(f"{v}\n" for v in random.integers(0, 1024, 20000))
    (tmp_path / "records.csv").write_text("value\n" + values)


def seconds_of(command: str, options: list[str], instance: str, limit: float) -> float:
    """Run a command in a process; return its processor time. It is stopped if it is late."""
    most = ceil(limit + BEYOND) + 1
    words = [*command.split(), *([instance] if instance else []), *options]
    with subprocess.Popen(
        [sys.executable, "-m", "ccsim", *words, "--time-limit", str(limit)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most)),  # noqa: PLW1509
    ) as child:
        message = child.stderr.read() if child.stderr else ""
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    is_known = child.returncode in {0, 3} or (child.returncode == 2 and "limit" in message)
    assert is_known, (child.returncode, message)
    return used.ru_utime + used.ru_stime


def test_every_command_with_a_limit_has_a_case():
    known = {*OF_PROBLEMS, *OF_CLASSES, *OF_THEMSELVES}
    assert set(words_with_a_limit(cli)) == known


@pytest.mark.parametrize(
    ("command", "options", "instance"),
    [
        ("dimensions", [], "random:m=512,n=512,seed=1"),
        ("bounds", [], "greater_than:n=300"),
        ("error", ["--messages", "2"], "equality:n=200"),
        ("error", ["--bits", "1..4", "--model", "two-way"], "random:m=60,n=60,seed=1"),
        ("represent", ["--error", "1/4"], "parities:n=7"),
    ],
    ids=str,
)
def test_an_expired_limit_is_respected(command, options, instance):
    assert seconds_of(command, options, instance, 0) <= BEYOND


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 0.5, 3])
@pytest.mark.parametrize(("command", "options", "instance"), list(cases()), ids=str)
def test_every_command_respects_its_limit(command, options, instance, limit):
    assert seconds_of(command, options, instance, limit) <= limit + BEYOND
