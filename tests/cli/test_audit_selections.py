"""``ccsim audit`` of mechanisms that depend on qualities: results, JSON, certificates, errors."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from ccsim.cli.main import main
from proofs_check.__main__ import main as proofs_check

A_DIST = ("audit", "points:b=1", "--mechanism=a-dist")
CHOOSING = ("audit", "points:b=1", "--mechanism=choosing")
CONCAVE = ("audit", "thresholds:b=2", "--mechanism=rec-concave")


@pytest.fixture
def run(capsys):
    def run_it(*arguments, status=0):
        assert main((*arguments, "--json")) == status
        return json.loads(capsys.readouterr().out)

    return run_it


def test_one_record_refutes_the_printed_form(run):
    printed = (*A_DIST, "--variant=printed", "--samples=1", "--epsilon=ln 3", "--delta=1/1000000")
    data = run(*printed, status=5)
    assert (data["verdict"], data["least_delta"]) == ("fails", "3/2000000")
    assert (data["qualities"], data["growth"]) == (None, None)
    assert data["witness"]["database"] != data["witness"]["neighbour"]
    corrected = run(*A_DIST, "--samples=4", "--epsilon=ln 3", "--delta=1/1000000")
    assert corrected["verdict"] == "holds"


@pytest.mark.parametrize("variant", ["corrected", "corrected-small", "optimal"])
def test_all_qualities_need_no_more_than_delta(run, variant):
    data = run(*A_DIST, f"--variant={variant}", "--qualities=8", "--epsilon=ln 2", "--delta=1/50")
    assert data["verdict"] == "holds"
    assert data["qualities"] == 81
    assert Fraction(data["least_delta"]) <= Fraction(1, 50)


def test_the_choosing_mechanism_on_counts_and_on_qualities(run):
    delta = "--delta=1/8"
    counts = run(*CHOOSING, "--samples=1", "--epsilon=ln 16", delta)
    qualities = run(*CHOOSING, "--qualities=4", "--epsilon=ln 16", delta)
    assert counts["least_delta"] == qualities["least_delta"] == "1/8"
    assert qualities["growth"] == 1
    lower = run(
        *CHOOSING, "--qualities=4", "--epsilon=ln 16", delta, "--set", "released=1/7", status=5
    )
    assert lower["least_delta"] == "1/7"


def test_the_papers_threshold_below_the_size_of_its_lemma(run):
    paper = (*CHOOSING, "--threshold=paper", "--any-size", "--epsilon=2", "--delta=1/10")
    assert run(*paper, "--samples=6")["verdict"] == "holds"  # on two points
    data = run(*paper, "--samples=3", "--qualities=3", status=5)
    assert data["verdict"] == "fails"


def test_rec_concave_on_databases_and_on_qualities(run):
    budget = ("--epsilon=ln 256", "--delta=1/8", "--set", "base=1")
    records = run(*CONCAVE, "--samples=2", *budget)
    functions = run(*CONCAVE, "--qualities=1", *budget)
    assert records["verdict"] == functions["verdict"] == "holds"
    assert functions["qualities"] == 16
    assert (records["samples"], functions["samples"]) == (2, None)


def test_pairs_of_a_file_and_the_certificate(run, tmp_path, capsys):
    pairs, proof = tmp_path / "pairs.json", tmp_path / "proof.json"
    pairs.write_text('[[[3, 1], ["5/2", 1]], [[2, 0], [1, 1]]]', encoding="utf-8")
    audit = (*A_DIST, "--quality-pairs", str(pairs), "--epsilon=1", "--delta=1/8")
    data = run(*audit, "--certificate", str(proof))
    assert (data["pairs"], data["qualities"]) == (2, 4)
    assert proofs_check(["verify", str(proof)]) == 0
    assert "4 quality functions of 2 solutions, 2 neighbours" in capsys.readouterr().out


def test_words_for_people_name_the_functions(capsys):
    audit = (*A_DIST, "--variant=printed", "--qualities=3", "--epsilon=ln 3", "--delta=1/8")
    assert main(audit) == 5
    shown = capsys.readouterr().out
    assert "42 pairs of quality functions at distance at most 1, in both orders" in shown
    assert "(0, 2)" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*A_DIST, "--samples=1", "--epsilon=0", "--delta=1/8"), "epsilon must be positive, not 0"),
        ((*A_DIST, "--samples=1", "--epsilon=-1", "--delta=1/8"), "at least 0, not -1"),
        ((*A_DIST, "--samples=1", "--epsilon=1", "--delta=1/2"), "below 1/2 for corrected"),
        ((*A_DIST, "--samples=1", "--epsilon=1", "--delta=0"), "delta must be positive"),
        (
            (*A_DIST, "--samples=1", "--epsilon=1", "--delta=1/8", "--variant=corrected-small"),
            "epsilon must be at most ln 2 for corrected-small, not 1",
        ),
        ((*A_DIST, "--epsilon=1", "--delta=1/8"), "give --samples"),
        ((*A_DIST, "--qualities=99", "--epsilon=1", "--delta=1/8"), "exceed the limit of 4096"),
        (
            (*A_DIST, "--qualities=2", "--threshold=paper", "--epsilon=1", "--delta=1/8"),
            "--threshold applies only to the mechanism choosing, not to a-dist",
        ),
        (
            (*CHOOSING, "--threshold=paper", "--samples=40", "--epsilon=2", "--delta=1/10"),
            "database must have at least 41 records for the paper's threshold, not 40",
        ),
        (
            (*CHOOSING, "--threshold=paper", "--qualities=3", "--epsilon=2", "--delta=1/10"),
            "set it with --samples",
        ),
        ((*CHOOSING, "--samples=1", "--epsilon=0", "--delta=1/8"), "epsilon must be positive"),
        ((*CHOOSING, "--samples=1", "--epsilon=1", "--delta=3/4"), "at most 1/2, not 3/4"),
        (
            ("audit", "thresholds:b=1", *CHOOSING[2:], "--samples=1", "--growth=1", "--epsilon=1",
             "--delta=1/8"),
            "growth must be at least 2, the number of concepts that contain a common point, not 1",
        ),
        (
            (*CONCAVE, "--qualities=1", "--epsilon=0", "--delta=1/8"),
            "epsilon must be positive, not 0",
        ),
        (
            (*CONCAVE, "--qualities=1", "--epsilon=1", "--delta=1/8", "--set", "base=1/2"),
            "base must be an integer, not 1/2",
        ),
        (
            ("audit", "points:b=1", "--mechanism=exponential", "--qualities=3", "--epsilon=1"),
            "exponential does not use a quality function",
        ),
    ],
)  # fmt: skip
def test_errors_are_one_line_with_status_two(capsys, arguments, message):
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert message in shown.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[[3, 1], [1, 1]]]", "quality of solution 0 must change by at most 1 between neighbours, "
         "not from 3 to 1"),
        ("[[[3, 1, 0], [2, 1, 0]]]", "must have 2 values, one for each concept, not 3"),
        ('{"pairs": []}', "expected a list of pairs"),
        ("[[[3, 1]]]", "must be a pair of quality functions"),
        ('[[["x", 1], [1, 1]]]', "quality"),
        ("[", "pairs.json"),
    ],
)  # fmt: skip
def test_files_of_pairs_that_are_none(capsys, tmp_path, text, message):
    file = tmp_path / "pairs.json"
    file.write_text(text, encoding="utf-8")
    arguments = (*A_DIST, "--quality-pairs", str(file), "--epsilon=1", "--delta=1/8")
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert message in shown.err
