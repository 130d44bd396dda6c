"""``ccsim learn`` for points and thresholds over 2^64 points, with computed failures."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from ccsim.cli.main import main
from tests.cli.long_integers import read_long

ASKED = ("--accuracy=0.1", "--failure=0.1", "--runs=1")
DELTA = ("--delta=1/1000000",)


def learned(capsys, *arguments):
    assert main(("learn", *arguments, "--json")) == 0
    return read_long(capsys.readouterr().out)


def test_points_have_a_worst_failure(capsys):
    arguments = ("points:b=64", "--learner=approximate-points", *ASKED, *DELTA)
    data = learned(capsys, *arguments)
    assert (data["samples"], data["epsilon"], data["delta"]) == (2801, "1", "1/1000000")
    assert data["worst"]["failure"][1] < 1e-15
    few = learned(capsys, *arguments, "--samples=362")["worst"]
    assert 0.1 < few["failure"][0] < 0.11
    assert few["wrong"] == 2**64 - 1
    assert learned(capsys, *arguments, "--samples=363")["worst"]["failure"][1] < 0.1


def test_the_exponential_mechanism_over_points_has_a_worst_failure(capsys):
    arguments = ("points:b=64", "--learner=proper", *ASKED)
    few = learned(capsys, *arguments, "--samples=1017")["worst"]
    assert 0.1 < few["failure"][0] < 0.101
    assert (few["mass"], few["wrong"]) == ("1/10", 2**64 - 1)
    assert learned(capsys, *arguments, "--samples=1018")["worst"]["failure"][1] < 0.1
    assert "worst" not in learned(capsys, *arguments, "--samples=65537")
    assert main(("learn", *arguments, "--samples=65537")) == 0
    assert "not computed for more than 65536 samples" in capsys.readouterr().out


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


def fields(text, name):
    """Return the keys that an item of the list in docs/json.md names after a key."""
    return set(re.findall(r"`(\w+)`", text.partition(f"`{name}`")[2].partition("\n* ")[0]))


def test_a_trace_says_what_every_call_did(capsys):
    arguments = ("thresholds:b=64", "--learner=rec-concave", *ASKED, *DELTA, "--samples=5000")
    entry = learned(capsys, *arguments)["one_sample"][1]
    outer, inner = entry["trace"]
    assert (outer["last"], outer["extended"], outer["promise"]) == (2**64, 2**64, "5000")
    L, q = ([Fraction(v) for v in outer[key]] for key in ("lengths", "inner"))
    assert (len(L), len(q)) == (66, 65)
    assert q == [min(L[j] - 4750, 5000 - L[j + 1]) for j in range(65)]
    assert outer["handed"] == inner["promise"] == "125"
    (choice,) = outer["choices"]
    assert choice["k"] == inner["output"]
    for family in choice["families"]:
        first, last = family["interval"]
        assert last - first + 1 == 8 << choice["k"]
        assert first % (4 << choice["k"]) == 0
        assert 0 <= family["probability"][0] <= family["probability"][1] <= 1
    assert any(a <= entry["place"] <= b for a, b in outer["domain"])
    assert entry["place"] == outer["output"]
    text = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    assert set(outer) | set(choice) | set(family) <= fields(text, "trace")


def test_the_shown_trace_fits_in_80_columns(capsys):
    arguments = ("thresholds:b=64", "--learner=rec-concave", *ASKED, *DELTA, "--samples=5000")
    assert main(("learn", *arguments)) == 0
    shown = capsys.readouterr().out.splitlines()
    start = next(i for i, line in enumerate(shown) if "call 1" in line)
    traced = [line for line in shown[start:] if line.startswith(" ")]
    assert len(traced) > 40
    assert max(map(len, traced)) <= 80
    for word in ("L(0..65)", "q(0..64)", "R  ", "k  ", "family A", "family B", "last step"):
        assert sum(line.strip().startswith(word) for line in traced) >= 4


@pytest.fixture
def records(tmp_path):
    file = tmp_path / "records.csv"
    near = [f"{2**63 - 1 - i},1\n{2**63 + i},0\n" for i in range(3000)]
    file.write_text("".join(near), encoding="utf-8")
    return file


@pytest.mark.parametrize("learner", ["exponential", "rec-concave"])
def test_labelled_records_are_learned_from_a_file(capsys, records, learner):
    arguments = ("thresholds:b=64", f"--learner={learner}", *ASKED, *DELTA, f"--records={records}")
    data = learned(capsys, *arguments, "--seed=0", "--error")
    assert (data["samples"], data["trials"]) == (6000, [])
    (entry,), error = data["one_sample"], data.pop("error")
    assert entry.keys() == {"target", "place"}
    assert Fraction(error["empirical_error"]) == Fraction(abs(entry["place"] - 2**63), 6000)
    assert error["failure"][1] < 0.01
    assert (data.pop("not_private"), data["coins"]) == (["one_sample", "error"], "seed")
    again = learned(capsys, *arguments, "--seed=0")
    assert again.pop("not_private") == ["one_sample"]
    assert data == again
    assert main(("learn", *arguments, "--seed=0")) == 0
    assert "seed 0, for demonstrations: NOT PRIVATE" in capsys.readouterr().out
    assert main(("learn", *arguments)) == 0
    text = capsys.readouterr().out
    assert "random bytes of the operating system" in text
    assert "empirical error 0" not in text
    assert "call 1" not in text
    assert main(("learn", *arguments, "--error")) == 0
    assert "NOT PRIVATE: computed from the records" in capsys.readouterr().out.splitlines()[-1]
    places = {learned(capsys, *arguments)["one_sample"][0]["place"] for _ in range(8)}
    assert len(places) > 1


def test_records_of_no_threshold_are_learned_without_a_promise(capsys, tmp_path):
    file = tmp_path / "records.csv"
    file.write_text("5,0\n7,1\n" * 300 + "9,0\n", encoding="utf-8")
    arguments = ("thresholds:b=9", "--learner=rec-concave", *ASKED, *DELTA, f"--records={file}")
    error = learned(capsys, *arguments, "--error")["error"]
    assert error["consistent"] is False
    assert error["failure"][0] > 0.99  # half of the labels are wrong, whatever is output
    assert main(("learn", *arguments, "--error")) == 0
    assert "none, because no threshold labels the whole sample" in capsys.readouterr().out


def test_the_best_split_is_proved_on_every_sample(capsys):
    arguments = ("thresholds:b=64", "--learner=rec-concave", *ASKED, *DELTA)
    proved = learned(capsys, *arguments, "--best-split", "--samples=4440")
    assert 0.04 < proved["every_sample"] <= 0.05
    assert learned(capsys, *arguments, "--samples=4440")["every_sample"] > 0.5
    text = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| `learn` |"))
    assert set(proved) <= set(re.findall(r"`(\w+)`", row))
    assert main(("learn", *arguments, "--best-split", "--samples=4440")) == 0
    shown = capsys.readouterr().out
    assert "every sample" in shown
    assert "empirical error above 1/20 with probability at most" in shown


def test_the_best_split_and_the_choice_are_options(capsys, records):
    arguments = ("thresholds:b=64", "--learner=rec-concave", *ASKED, *DELTA, f"--records={records}")
    best = learned(capsys, *arguments, "--best-split", "--error")
    assert (best["epsilon"], best["delta"]) == ("1", "1/1000000")
    assert Fraction(best["error"]["trace"][0]["accuracy"]) > Fraction(1, 20)
    printed = learned(capsys, *arguments, "--choice=printed")
    assert printed["epsilon"] == "3/2"  # what the printed choices need


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5,1\n7\n", "row 2, column 2: expected a point and a label, found 1 cells"),
        ("5,1\n18446744073709551616,0\n", "row 2, column 1: expected a number below 2^64"),
        ("-5,1\n", "row 1, column 1: expected a number below 2^64 (the value"),
        ("5,2\n", "row 1, column 2: expected 0 or 1 (the value"),
        ("x,y\n5,1\n", "row 1, column 1: expected a number below 2^64 (the value"),
    ],
)
def test_wrong_records_are_refused_with_their_place(capsys, tmp_path, text, message):
    file = tmp_path / "records.csv"
    file.write_text(text, encoding="utf-8")
    arguments = ("thresholds:b=64", "--learner=rec-concave", *ASKED, f"--records={file}")
    assert main(("learn", *arguments)) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("points:b=9", "--learner=proper", "--best-split"),
            "applies only to the learner rec-concave, not to proper",
        ),
        (
            ("points:b=9", "--learner=proper", "--records=x"),
            "--records needs a learner of thresholds or boxes, not proper",
        ),
        (
            ("thresholds:b=9", "--learner=exponential", "--records=x", "--samples=9"),
            "give either --samples or --records",
        ),
        (
            ("thresholds:b=5", "--learner=rec-concave", "--best-split"),
            "bits must be at least 6 for two calls, not 5",
        ),
    ],
)
def test_options_of_other_learners_are_refused(capsys, arguments, message):
    assert main(("learn", *arguments, *ASKED)) == 2
    assert message in capsys.readouterr().err


def test_records_below_the_theorem_are_refused_where_it_is_required(capsys, records):
    arguments = ("thresholds:b=64", "--learner=rec-concave", *ASKED, *DELTA, "--require-theorem")
    assert main(("learn", *arguments, f"--records={records}")) == 2
    shown = capsys.readouterr().err
    assert "the theorem needs at least 3118553 samples, not 6000" in shown


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
    assert " none for error at most " in shown
    assert ": the theorem needs at least 3118553 samples, not 3000\n" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("thresholds:b=64", "--learner=rec-concave", "--samples=5000", "--require-theorem"),
            "the theorem needs at least 3118553 samples, not 5000",
        ),
        (
            ("points:b=64", "--learner=approximate-points", "--samples=9", "--require-theorem"),
            "the theorem needs at least 2801 samples, not 9",
        ),
        (
            ("points:b=64", "--learner=proper", "--samples=9", "--require-theorem"),
            "the theorem needs at least 34390 samples, not 9",
        ),
        (
            ("thresholds:b=64", "--learner=rec-concave", "--accuracy=3/5"),
            "accuracy must be at most 1/2 for rec-concave, not 3/5",
        ),
        (
            ("thresholds:b=64", "--learner=rec-concave", "--delta=1/2"),
            "delta must be strictly between 0 and 1/2, not 1/2",
        ),
        (
            ("points:b=64", "--learner=approximate-points", "--delta=0"),
            "delta must be strictly between 0 and 1/2, not 0",
        ),
        (("points:b=7", "--learner=approximate-points"), "bits must be at least 8 for Lemma 3.2"),
        (("thresholds:b=65", "--learner=exponential"), "b must be between 2 and 64, not 65"),
        (
            ("points:b=64", "--learner=rec-concave"),
            "INSTANCE must be thresholds:b=... for this learner",
        ),
        (
            ("points:b=2", "--learner=occam", "--samples=9"),
            "--samples applies only to the learners approximate-points",
        ),
    ],
)
def test_what_makes_no_sense_is_one_line(capsys, arguments, message):
    assert main(("learn", *ASKED, *DELTA, *arguments)) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert message in shown.err
