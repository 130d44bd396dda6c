"""``ccsim release``: inputs, answers, guarantees and errors."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from ccsim.cli.main import main
from ccsim.release.queries.public_data import METHODS
from tests.cli.long_integers import read_long

CLASS = ",a,b,c\nA,1,0,0\nB,1,1,0\nC,0,0,1\n"
LONG = ("thresholds:b=64", "--private=private.csv", "--public=public.csv", "--epsilon=1")
SMALL = ("@class.csv", "--private=towns.csv", "--public=towns.json", "--epsilon=ln 3")
TOWNS = ["a"] * 500 + ["b"] * 300 + ["c"] * 200


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for name, number in (("private", 3000), ("public", 150)):
        drawn = (2 ** rng.normal(32, 7, size=number)).astype(np.uint64).tolist()
        Path(f"{name}.csv").write_text("\n".join(map(str, drawn)), encoding="utf-8")
    Path("class.csv").write_text(CLASS, encoding="utf-8")
    Path("towns.csv").write_text("town\n" + "\n".join(TOWNS), encoding="utf-8")
    Path("towns.json").write_text(json.dumps(TOWNS[::100]), encoding="utf-8")
    Path("plain.csv").write_text("\n".join(TOWNS), encoding="utf-8")
    for name, number in (("many", 2000), ("few", 12)):
        points = rng.integers(16, size=(number, 2)).tolist()
        Path(f"{name}.csv").write_text("\n".join(f"{x} {y}" for x, y in points), encoding="utf-8")
    Path("empty.csv").write_text("", encoding="utf-8")


def released(capsys, *arguments):
    assert main(("release", *arguments, "--json")) == 0
    return read_long(capsys.readouterr().out)


@pytest.mark.parametrize("method", METHODS)
def test_thresholds_of_long_records(capsys, method):
    data = released(capsys, *LONG, f"--method={method}", "--error", "--query=0", f"--query={2**64}")
    assert (data["private"], data["public"], data["method"]) == (3000, 150, method)
    assert data["error"]["error"] < 0.3
    assert data["asked"][0]["query"] == 0
    assert data["asked"][1]["query"] == 2**64
    assert data["asked"][0]["answer"] < -0.85
    assert data["asked"][1]["answer"] > 0.85
    assert len(data["answers"]) == data["concepts"]
    if method != "private":
        assert data["concepts"] == 151
        assert data["cells"] in (151, 152)
    assert data["epsilon"] == ("0" if method == "public" else "1")
    assert data["delta"] == ("1/1000000" if method == "pap" else "0")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", ["worst-query", "sparse-vector"])
def test_a_small_class(capsys, method, form):
    given = ("@class.csv", "--private=plain.csv", "--public=towns.json", "--epsilon=ln 3")
    data = released(capsys, *given, f"--method={method}", f"--form={form}", "--error", "--query=A")
    assert [entry["query"] for entry in data["answers"]] == ["A", "B", "C"]
    assert abs(data["asked"][0]["answer"]) < 0.5
    assert data["error"]["error"] < 0.6


@pytest.mark.parametrize(
    ("instance", "query"),
    [("halfspaces:b=4,d=2", "[1,0,8]"), ("boxes:b=4,d=2", "[[8,15],[0,15]]")],
)
def test_grids(capsys, instance, query):
    given = (instance, "--private=many.csv", "--public=few.csv", "--epsilon=1")
    data = released(capsys, *given, f"--query={query}", "--error", "--out=grid.csv")
    assert data["asked"][0]["query"] == json.loads(query)
    assert abs(data["asked"][0]["answer"]) < 0.5
    assert data["error"]["error"] < 0.3
    assert len(data["answers"]) == data["concepts"]
    again = (instance, "--private=grid.csv", "--public=few.csv", "--epsilon=1")
    assert released(capsys, *again)["private"] == 1000
    for refused in ("[1,", "[true,1,1]", "[1,2.0,1]", "5", '{"1": 2}'):
        assert main(("release", *given, f"--query={refused}")) == 2
        assert "query must be a list of integers such as [1,2,3]" in capsys.readouterr().err
    assert main(("release", *given, "--query=[[1]]")) == 2
    assert "query must be a list of 2 " in capsys.readouterr().err


def test_intervals_of_long_ranges(capsys):
    given = (f"intervals:n={10**17}", *LONG[1:])
    data = released(capsys, *given, f"--query=[[0,{2**32}]]", f"--query=[[0,{10**17 - 1}]]")
    assert abs(data["asked"][0]["answer"]) < 0.3
    assert data["asked"][1]["answer"] > 0.8


def test_rounds_and_their_cost(capsys):
    data = released(capsys, *LONG, "--rounds=9")
    assert data["rounds"] == 9
    assert 0.017 < data["rho"] <= 0.01747
    assert data["basic_epsilon"] > 1
    pure = released(capsys, *LONG, "--rounds=9", "--delta=0")
    assert (pure["delta"], pure["basic_epsilon"]) == ("0", pytest.approx(1))
    assert pure["noise"] > data["noise"]
    assert set(data["estimate"]) == {"projection", "fit", "noise", "sampling"}


def test_synthetic_records_can_be_read_again(capsys):
    data = released(capsys, *LONG, "--out=synthetic.csv", "--synthetic=4000", "--seed=1")
    written = [int(line) for line in Path("synthetic.csv").read_text().split()]
    assert len(written) == 4000
    for entry in data["answers"][::10]:
        share = sum(x < entry["query"] for x in written) / 4000
        assert abs(2 * share - 1 - entry["answer"]) < 0.1
    given = ("thresholds:b=64", "--private=private.csv", "--public=synthetic.csv", "--error")
    assert released(capsys, *given, "--method=public")["error"]["error"] < 0.25


def test_a_seed_repeats_a_release_and_fresh_coins_do_not(capsys):
    first, again = (released(capsys, *LONG, "--seed=3") for _ in range(2))
    assert first == again
    assert released(capsys, *LONG)["answers"] != released(capsys, *LONG)["answers"]


def test_public_records_do_not_touch_the_privacy_statement(capsys):
    stated = ("epsilon", "delta", "rounds", "choice", "noise", "rho", "basic_epsilon")
    one = released(capsys, *LONG)
    Path("public.csv").write_text("1\n2\n", encoding="utf-8")
    other = released(capsys, *LONG)
    assert [one[name] for name in stated] == [other[name] for name in stated]


def test_keys_are_documented(capsys):
    text = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| `release` |"))
    known = set(re.findall(r"`(\w+)`", row))
    assert set(released(capsys, *LONG, "--error")) == known - {"release"}


def test_lines_say_what_is_private_and_what_is_not(capsys):
    assert main(("release", *LONG, "--seed=1", "--error")) == 0
    shown = capsys.readouterr().out
    assert "epsilon = 1, delta = 1/1000000" in shown
    assert "if one private record is replaced" in shown
    assert "NOT PRIVATE: seed 1 determines the noise" in shown
    assert "NOT PRIVATE: computed from the records" in shown
    assert "projection 0." in shown
    assert main(("release", *LONG, "--method=public")) == 0
    assert "no private records were used" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*LONG[:2], LONG[3]), "method pap needs --public FILE"),
        ((LONG[0], *LONG[2:]), "give --private FILE, the private records"),
        (LONG[:3], "method pap needs --epsilon E"),
        ((*LONG[:3], "--epsilon=0"), "epsilon is too small for the number of rounds"),
        ((*LONG[:3], "--epsilon=-1"), "epsilon"),
        ((*LONG, "--delta=1"), "delta must be below 1, not 1"),
        (
            (*LONG, "--delta=0", "--rounds=1000000000"),
            "noise must have a standard deviation of at most",
        ),
        ((*LONG, "--public-share=1"), "share of public records must be below 1, not 1"),
        ((*LONG, "--query=x"), "query must be a threshold from 0 to 18446744073709551616, not 'x'"),
        ((*LONG, f"--query={2**64 + 1}"), "query must be a threshold from 0 to"),
        (("thresholds:b=8", *LONG[1:]), "expected an integer from 0 to 255"),
        (("halfspaces:b=4,d=9", *LONG[1:]), "d must be between 1 and 8, not 9"),
        (("intervals:n=0", *LONG[1:]), "n must be between 1 and 2^64, not 0"),
        (("boxes:b=4,d=2", *LONG[1:]), "expected 2 coordinates in the grid 16 x 16"),
        (("thresholds:b=65", *LONG[1:]), "b must be between 1 and 64, not 65"),
        ((*SMALL, "--column=town"), "towns.json: a list of records has no column 'town'"),
        (SMALL, "expected a point; towns.csv:header=yes leaves the first row out (the value"),
        (
            ("@class.csv", "--private=plain.csv", "--public=plain.csv", LONG[3], "--query=D"),
            "query must be a concept of the class, not 'D'",
        ),
        ((LONG[0], LONG[1], "--public=empty.csv", LONG[3]), "empty.csv: the file is empty"),
        ((LONG[0], "--private=empty.csv", LONG[2], LONG[3]), "empty.csv: the file is empty"),
        ((*LONG, "--out=public.csv"), "public.csv: cannot be written: it is the input"),
    ],
)
def test_refusals(capsys, arguments, message):
    assert main(("release", *arguments)) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("method", ["pap", "histogram"])
@pytest.mark.parametrize("epsilon", ["2000", "65000"])
def test_hardly_any_noise(capsys, method, epsilon):
    arguments = (*LONG[:3], f"--epsilon={epsilon}", "--delta=0", f"--method={method}")
    assert main(("release", *arguments)) == 0
    assert f"epsilon = {epsilon}, delta = 0" in capsys.readouterr().out
