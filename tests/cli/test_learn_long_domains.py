"""``ccsim learn`` of points and thresholds over 2^64 points, with the failure added up."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from ccsim.cli.main import main

ASKED = ("--accuracy=0.1", "--failure=0.1", "--runs=1")
DELTA = ("--delta=1/1000000",)


def learned(capsys, *arguments):
    assert main(("learn", *arguments, "--json")) == 0
    return json.loads(capsys.readouterr().out)


def test_points_have_a_worst_failure(capsys):
    arguments = ("points:b=64", "--learner=approximate-points", *ASKED, *DELTA)
    data = learned(capsys, *arguments)
    assert (data["samples"], data["epsilon"], data["delta"]) == (2801, "1", "1/1000000")
    assert data["worst"]["failure"][1] < 1e-15
    few = learned(capsys, *arguments, "--samples=362")["worst"]
    assert 0.1 < few["failure"][0] < 0.11
    assert few["wrong"] == 2**64 - 1
    assert learned(capsys, *arguments, "--samples=363")["worst"]["failure"][1] < 0.1


@pytest.mark.parametrize(
    ("learner", "samples", "delta"),
    [("rec-concave", 5000, "1/1000000"), ("exponential", 1700, "0")],
)
def test_thresholds_have_a_failure_on_one_sample(capsys, learner, samples, delta):
    arguments = ("thresholds:b=64", f"--learner={learner}", *ASKED, *DELTA)
    data = learned(capsys, *arguments, f"--samples={samples}")
    assert (data["samples"], data["delta"]) == (samples, delta)
    names = [entry["target"] for entry in data["one_sample"]]
    assert names == ["needle", "two scales", "slow decay", "uniform"]
    for entry in data["one_sample"]:
        low, high = entry["failure"]
        assert 0 <= low <= high <= 1
        assert 0 <= entry["place"] <= 2**64
        assert 0 <= Fraction(entry["empirical_error"]) <= Fraction(1, 20) or high > 1e-9
    assert data == learned(capsys, *arguments, f"--samples={samples}")


def test_keys_are_documented(capsys):
    text = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| `learn` |"))
    known = set(re.findall(r"`(\w+)`", row))
    for instance, learner in (
        ("points:b=9", "approximate-points"),
        ("thresholds:b=9", "exponential"),
    ):
        data = learned(capsys, instance, f"--learner={learner}", *ASKED, "--samples=300")
        assert set(data) <= known


def test_a_sample_below_the_theorem_is_no_promise(capsys):
    arguments = ("learn", "thresholds:b=64", "--learner=rec-concave", *ASKED, *DELTA)
    assert main((*arguments, "--samples=3000")) == 0
    shown = capsys.readouterr().out
    assert "not promised: samples must be at least 3118553 for the theorem, not 3000" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("thresholds:b=64", "--learner=rec-concave", "--samples=5000", "--require-theorem"),
            "samples must be at least 3118553 for the theorem, not 5000",
        ),
        (
            ("points:b=64", "--learner=approximate-points", "--samples=9", "--require-theorem"),
            "samples must be at least 2801 for the theorem, not 9",
        ),
        (
            ("points:b=64", "--learner=proper", "--samples=9", "--require-theorem"),
            "samples must be at least 34390 for the theorem, not 9",
        ),
        (
            ("thresholds:b=64", "--learner=rec-concave", "--accuracy=3/5"),
            "accuracy must be at most 1/2 for rec-concave, not 3/5",
        ),
        (
            ("thresholds:b=64", "--learner=rec-concave", "--delta=1/2"),
            "delta must lie strictly between 0 and 1/2, not 1/2",
        ),
        (
            ("points:b=64", "--learner=approximate-points", "--delta=0"),
            "delta must lie strictly between 0 and 1/2, not 0",
        ),
        (("points:b=7", "--learner=approximate-points"), "bits must be at least 8 for Lemma 3.2"),
        (("thresholds:b=65", "--learner=exponential"), "bits must lie between 2 and 64, not 65"),
        (("points:b=64", "--learner=rec-concave"), "this learner is for thresholds:b=..."),
        (("points:b=2", "--learner=occam", "--samples=9"), "--samples is for the learners of"),
    ],
)
def test_what_makes_no_sense_is_one_line(capsys, arguments, message):
    assert main(("learn", *ASKED, *DELTA, *arguments)) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert message in shown.err
