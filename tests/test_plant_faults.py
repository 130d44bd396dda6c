"""The job that plants faults finds the faults that tests detect, and lists the others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fault_tests import CLAIMS
from tests.plant_faults import units

SCRIPT = Path(__file__).parent / "plant_faults.py"
CODE = '''
def sign(n: int = 0) -> int:
    """Return -1, 0 or 1."""
    if n == 0:
        return 0
    return 1 if n > 0 else -1


def size(n):
    msg = "2 - 1"
    return abs(-n)
'''
TESTS = """
from ccsim.exact.numbers import sign, size


def test_sign():
    assert [sign(n) for n in (-2, -1, 0, 1, 2)] == [-1, -1, 0, 1, 1]


def test_size():
    assert [size(n) for n in (-1, 0, 1)] == [1, 0, 1]
"""


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    (root / "ccsim" / "exact").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "ccsim" / "__init__.py").touch()
    (root / "ccsim" / "exact" / "__init__.py").touch()
    (root / "ccsim" / "exact" / "numbers.py").write_text(CODE)
    (root / "tests" / "test_numbers.py").write_text(TESTS)
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    return root


def plant(tree, *arguments):
    command = [sys.executable, SCRIPT, "--root", tree, "--out", tree.parent / "out", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=250)


def test_all_that_runs_the_code_is_recorded():
    root = SCRIPT.parent.parent
    recorded = units(root)
    tests = {path.relative_to(root).as_posix() for path in root.glob("tests/**/test_*.py")}
    assert tests - set(recorded) == {"tests/test_plant_faults.py"}
    assert {"README.md", "ccsim/exact", "protocols", CLAIMS} <= set(recorded)


def planted(tree):
    lines = (tree.parent / "out" / "faults.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.slow
def test_faults_that_tests_notice_are_killed_and_no_others(tree):
    done = plant(tree)
    assert (done.returncode, done.stderr) == (0, "")
    ends = [(f["original"], f["replacement"], f["end"]) for f in planted(tree)]
    survivors = {tuple(fault) for *fault, end in ends if end == "survived"}
    # Where 0 is dealt with before, "n > 0" may as well be "n >= 0" or "n > -1".
    assert survivors == {("-n", "(n)"), ("n > 0", "n >= 0"), ("0", "(-1)")}
    assert all(end == "killed" for *fault, end in ends if tuple(fault) not in survivors)
    assert done.stdout.splitlines()[-4].endswith("killed, 0 timed out, 3 survived")
    assert (tree / "ccsim" / "exact" / "numbers.py").read_text() == CODE


def test_a_run_that_was_stopped_goes_on_where_it_was(tree):
    assert plant(tree, "--count", "1").returncode == 0
    first = planted(tree)
    with (tree.parent / "out" / "faults.jsonl").open("a") as results:
        results.write('{"file": "ccs')
    done = plant(tree, "--count", "2")
    assert planted(tree)[:1] == first
    assert "recorded" not in done.stdout
    assert "2 of 2 faults planted" in done.stdout
    (tree / "ccsim" / "exact" / "numbers.py").write_text(CODE + "\n")
    assert "holds results of other code" in plant(tree).stderr
