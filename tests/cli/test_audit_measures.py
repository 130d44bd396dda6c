"""``ccsim audit --measure``: Renyi, zero-concentrated and Gaussian privacy, trade-off functions."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from ccsim.budget import Budget
from ccsim.cli.main import main
from ccsim.cli.privacy.measures import read_measure, report_measure
from ccsim.cli.privacy.own import Subject
from ccsim.exact import Epsilon
from ccsim.privacy import RandomizedResponse, concentrated_privacy, gaussian_privacy, renyi_privacy
from proofs_check.__main__ import main as proofs_check

VOTES = "vote,yes,no\n0,1/4,3/4\n1,3/4,1/4\n"
FAR = "row,a,b\n0,1,0\n1,1/2,1/2\n"
RESPONSE = RandomizedResponse((0, 1), Epsilon.of("ln 3"))


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return a function that runs an audit of a table and checks its certificate."""
    monkeypatch.chdir(tmp_path)

    def run_it(*arguments, status=0, table=VOTES, certificate=True):
        (tmp_path / "t.csv").write_text(table)
        end = ("--json", "--certificate=c.json") if certificate else ("--json",)
        assert main(("audit", "@t.csv", "--neighbours=all", *arguments, *end)) == status
        shown = capsys.readouterr()
        if certificate:
            assert proofs_check(["verify", "c.json"]) == 0
            assert "accepted" in capsys.readouterr().out
        return json.loads(shown.out)

    return run_it


CASES = {
    "renyi:2": ("epsilon", renyi_privacy(RESPONSE, 2, 1)),
    "renyi:1": ("epsilon", renyi_privacy(RESPONSE, 1, 1)),
    "renyi:5/2": ("epsilon", renyi_privacy(RESPONSE, "5/2", 1)),
    "renyi:infinity": ("epsilon", renyi_privacy(RESPONSE, "infinity", 1)),
    "zcdp": ("rho", concentrated_privacy(RESPONSE, 1)),
    "gdp": ("mu", gaussian_privacy(RESPONSE, 1)),
}


@pytest.mark.parametrize("measure", CASES)
def test_a_measure_has_the_bounds_of_its_question(measure, run):
    letter, expected = CASES[measure]
    data = run("--measure", measure)
    assert (data["lower"], data["upper"]) == (str(expected.lower), str(expected.upper))
    low, high = data[f"least_{letter}"]
    assert Fraction(low) <= expected.lower <= expected.upper <= Fraction(high)
    assert (data["verdict"], data["infinite"], data["pairs"]) == (None, False, 1)
    assert {*data["database"], *data["neighbour"]} == {"0", "1"}
    if measure in {"renyi:2", "renyi:infinity"}:
        assert data["moment"] == {"renyi:2": "7/3"}.get(measure, "3")


@pytest.mark.parametrize("measure", CASES)
def test_a_bound_is_decided(measure, run):
    _, expected = CASES[measure]
    holds = str(Fraction(expected.upper).limit_denominator(100) + Fraction(1, 20))
    fails = str(Fraction(expected.lower).limit_denominator(100) - Fraction(1, 20))
    assert run("--measure", measure, "--bound", holds)["verdict"] == "holds"
    assert run("--measure", measure, "--bound", fails, status=5)["verdict"] == "fails"


@pytest.mark.parametrize("measure", CASES)
def test_an_impossible_output_makes_a_measure_infinite(measure, run):
    data = run("--measure", measure, table=FAR)
    assert (data["infinite"], data["lower"], data["upper"]) == (True, None, None)
    assert (data["database"], data["neighbour"]) == (["1"], ["0"])
    assert run("--measure", measure, "--bound=9", status=5, table=FAR)["verdict"] == "fails"


@pytest.mark.parametrize("measure", [*CASES, "trade-off"])
def test_a_time_limit_leaves_a_measure_undecided(measure, capsys, tmp_path):
    subject = Subject("r", "r", "r", RESPONSE, 3, (str, str), (None, None), {})
    bound, file = None if measure == "trade-off" else "5", str(tmp_path / "c.json")
    files, kind = (None, file), read_measure(measure)
    assert report_measure(subject, kind, bound, Budget(0), files, as_json=True) == 3
    shown = capsys.readouterr()
    data = json.loads(shown.out)
    assert data["reason"].startswith("stopped after ")
    if measure != "trade-off":
        assert (data["verdict"], data["upper"]) == ("not decided", None)
    assert "no certificate was written" in shown.err


def test_a_trade_off_function_lists_its_breakpoints(run, tmp_path):
    data = run("--measure=trade-off", "--out=f.svg")
    assert data["points"] == [["0", "1"], ["1/4", "1/4"], ["1", "0"]]
    assert data["is_minimum"] is True
    assert "Gaussian, mu = 1.349" in (tmp_path / "f.svg").read_text()
    far = run("--measure=trade-off", table=FAR)
    assert far["points"] == [["0", "1/2"], ["1/2", "0"], ["1", "0"]]


def test_a_trade_off_function_of_a_mechanism_with_irrational_probabilities(run, capsys):
    arguments = ("--mechanism=exponential", "--samples=1", "--epsilon=1", "--measure=trade-off")
    assert main(("audit", "points:b=1", *arguments)) == 0
    shown = capsys.readouterr().out
    assert "breakpoints" in shown
    assert "about 0." in shown


def test_tables_name_the_parameter_the_order_and_the_pair(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(VOTES)
    assert main(("audit", "@t.csv", "--neighbours=all", "--measure=zcdp", "--bound=0.55")) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[1].split("  ")[-1].strip() == "holds at rho = 11/20"
    assert "the limit of orders above 1" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_pure_and_approximate_privacy_are_those_without_the_option(run):
    asked = ("--epsilon=ln 3",)
    assert run("--measure=pure", *asked) == run(*asked)
    asked = ("--epsilon=ln 2", "--delta=1/4")
    assert run("--measure=approximate", *asked) == run(*asked)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--measure=renyi",), "--measure must be approximate, pure, renyi:ORDER, zcdp, gdp or"),
        (("--measure=zcdp:2",), "--measure must be"),
        (("--measure=renyi:1/2",), "order must be between 1 and 1048576, or infinity, not 1/2"),
        (("--measure=renyi:x",), "order must be"),
        (("--measure=zcdp", "--bound=-1"), "--bound must be between 0 and 2097152, not -1"),
        (("--measure=renyi:2", "--bound=-1"), "--bound must be at least 0, not -1"),
        (("--measure=zcdp", "--curve=1"), "--curve cannot be used with this measure"),
        (("--measure=zcdp", "--out=a.svg"), "--out draws a curve or a trade-off function"),
        (("--measure=trade-off", "--bound=1"), "--bound cannot be used with --measure trade-off"),
        (("--measure=pure", "--delta=1/2"), "--measure pure has delta 0; omit --delta"),
        (("--epsilon=1", "--bound=1"), "--bound is for --measure renyi:ORDER, zcdp or gdp"),
    ],
)
def test_options_that_do_not_apply_are_refused(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(VOTES)
    assert main(("audit", "@t.csv", "--neighbours=all", *arguments)) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in " ".join(shown.err.split())
