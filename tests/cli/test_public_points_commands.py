"""The commands of learners for which a part of the sample is public."""

from __future__ import annotations

import json

import pytest

from ccsim import kernel
from ccsim.cli.main import main

ASKED = ("--accuracy=1/4", "--failure=1/10", "--runs=2")


@pytest.mark.parametrize(
    ("learner", "private"),
    [
        ("label-private", "the labels"),
        ("semi-private", "the examples after the first 2719, whose points are public"),
    ],
)
def test_learn_says_what_is_private(capsys, learner, private):
    assert main(("learn", "points:b=3", f"--learner={learner}", *ASKED, "--json")) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["private"], data["public"]) == (private, 2719)
    assert data["samples"] > data["public"]
    assert [trial["runs"] for trial in data["trials"]] == [2, 2]
    assert main(("learn", "points:b=3", f"--learner={learner}", *ASKED)) == 0
    shown = capsys.readouterr().out
    assert f"epsilon = 1, delta = 0, for {private}" in shown


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("--agnostic", "--agnostic applies only to the learners occam and representation"),
        ("--samples=9", "--samples applies only to"),
        ("--accuracy=1/100000", "a run must examine at most"),
    ],
)
def test_learn_refuses_what_is_for_others(capsys, more, message):
    assert main(("learn", "points:b=3", "--learner=label-private", *ASKED, more)) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert message in lines[0]


@pytest.mark.parametrize(
    ("mechanism", "private", "said"),
    [
        ("label-private", "labels", "neighbours with records of one of 2 groups"),
        ("semi-private", "examples after the first 2", "the first 2 public"),
    ],
)
def test_audit_compares_what_is_private(capsys, tmp_path, mechanism, private, said):
    file = tmp_path / "audit.json"
    asked = ("thresholds:b=1", f"--mechanism={mechanism}", "--samples=3", "--epsilon=ln 4")
    more = ("--set", "public=2", "--json", f"--certificate={file}")
    assert main(("audit", *asked, *more)) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["verdict"], data["private"], data["least_factor"]) == ("holds", private, "2")
    assert said in kernel.check(json.loads(file.read_text()))
    assert main(("audit", *asked, "--set", "scale=1/4")) == 5
    assert f"differ only in {private}".replace("first 2", "first 1") in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ((), "give --samples M, the number of records in each database"),
        (("--samples=2", "--set", "public=2"), "public entries must be between 0 and 1, not 2"),
        (("--samples=2", "--set", "public=1/2"), "public must be an integer, not 1/2"),
        (("--samples=2", "--set", "public=0"), "public must be at least 1, not 0"),
        (("--samples=2", "--qualities=2"), "semi-private does not use a quality function"),
    ],
)
def test_audit_refuses_what_makes_no_sense(capsys, more, message):
    assert main(("audit", "points:b=1", "--mechanism=semi-private", "--epsilon=1", *more)) == 2
    assert message in capsys.readouterr().err
