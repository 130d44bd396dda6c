"""``ccsim learn --learner rectangles``: boxes over long axes."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ccsim.cli.main import main
from ccsim.surveys.targets import BOX_TARGETS

ASKED = ("--learner=rectangles", "--accuracy=1/10", "--failure=1/10")


def learned(capsys, *arguments):
    assert main(("learn", *arguments, "--json")) == 0
    return json.loads(capsys.readouterr().out)


def test_hard_samples(capsys):
    data = learned(capsys, "boxes:b=64,d=2", *ASKED, "--runs=1", "--samples=2000")
    assert (data["samples"], data["epsilon"], data["delta"]) == (2000, "1", "0")
    assert [trial["target"] for trial in data["trials"]] == ["even", "all scales", "heavy ties"]
    for trial, box in zip(data["trials"], data["boxes"], strict=True):
        assert trial["largest_error"] == box["empirical_error"]
        assert trial["failures"] == (Fraction(trial["largest_error"]) > Fraction(1, 10))
        assert len(box["sides"]) == 2
    text = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| `learn` |"))
    assert set(data) <= set(re.findall(r"`(\w+)`", row))


def test_records_of_a_file(capsys, tmp_path):
    file, rng = tmp_path / "box.csv", np.random.default_rng(0)
    points = rng.integers(2**10, size=(8000, 2)).tolist()
    examples = [(x, y, int(300 <= x < 800 and y < 600)) for x, y in points]
    lines = [",".join(map(str, row)) for row in examples]
    file.write_text("\n".join(lines), encoding="utf-8")
    given = ("boxes:b=10,d=2", *ASKED, f"--records={file}")
    data = learned(capsys, *given, "--seed=0", "--error")
    (a, b), (c, d) = data["boxes"][0]["sides"]
    wrong = sum(label != (a <= x <= b and c <= y <= d) for x, y, label in examples)
    assert Fraction(data.pop("error")["empirical_error"]) == Fraction(wrong, 8000)
    assert wrong < 800
    assert (data["samples"], data["trials"]) == (8000, [])
    assert data.pop("not_private") == ["boxes", "error"]
    again = learned(capsys, *given, "--seed=0")
    assert again.pop("not_private") == ["boxes"]
    assert data == again
    assert len({str(learned(capsys, *given)["boxes"]) for _ in range(2)}) > 1
    file.write_text("\n".join(lines[:1000]), encoding="utf-8")
    assert main(("learn", *given, "--seed=0")) == 0
    text = capsys.readouterr().out
    assert "seed 0, for demonstrations: NOT PRIVATE" in text
    assert "empirical" not in text
    assert main(("learn", *given, "--error")) == 0
    text = capsys.readouterr().out
    assert "random bytes of the operating system" in text
    assert "NOT PRIVATE: computed from the records" in text.splitlines()[-1]


@pytest.mark.parametrize("name", sorted(BOX_TARGETS))
def test_samples_are_of_the_domain_and_of_both_labels(name):
    examples = BOX_TARGETS[name](64, 3, 500, np.random.default_rng(1))
    assert len(examples) == 500
    assert all(len(p) == 3 and all(0 <= x < 2**64 for x in p) for p, _ in examples)
    assert {label for _, label in examples} == {0, 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("points:b=64",), "INSTANCE must be boxes:b=...,d=... for this learner"),
        (("boxes:b=65,d=2",), "b must be between 1 and 64, not 65"),
        (("boxes:b=64,d=0",), "d must be between 1 and 64, not 0"),
        (("boxes:b=64",), "boxes: parameter d is missing"),
        (("boxes:b=64,d=2", "--require-theorem"), "no theorem states a number of samples"),
        (("boxes:b=64,d=2", "--samples=100000000"), "samples must be at most 4194304"),
        (("boxes:b=64,d=2", "--records=missing.csv"), "missing.csv: no such file"),
        (("boxes:b=64,d=2", "--agnostic"), "--agnostic applies only to the learners"),
    ],
)
def test_what_makes_no_sense_is_one_line(capsys, arguments, message):
    assert main(("learn", *arguments, *ASKED)) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert message in shown.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2,1\n1,2\n", "row 2, column 3: expected 2 coordinates and a label, found 2 cells"),
        ("1,8,1\n", "row 1, column 2: expected a number below 2^3 (the value"),
        ("1,-1,1\n", "row 1, column 2: expected a number below 2^3 (the value"),
        ("1,2,yes\n", "row 1, column 3: expected 0 or 1 (the value"),
    ],
)
def test_records_that_are_none_are_refused(capsys, tmp_path, text, message):
    file = tmp_path / "box.csv"
    file.write_text(text, encoding="utf-8")
    assert main(("learn", "boxes:b=3,d=2", *ASKED, f"--records={file}")) == 2
    assert message in capsys.readouterr().err
