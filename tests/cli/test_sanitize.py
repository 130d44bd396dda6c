"""``ccsim sanitize``: inputs, releases, guarantees and errors."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ccsim.cli.main import main
from tests.cli.long_integers import read_long

TOWNS = "who,town\n" + "\n".join(f"{i},{'abc'[i % 3]}" for i in range(900)) + "\n"
FILES = {
    "towns.csv": TOWNS,
    "towns.json": json.dumps(["a", "b", "c"] * 300),
    "single.csv": ",a,b,c\nA,1,0,0\nB,0,1,0\n",
    "first.csv": ",a,b,c\nA,1,0,0\nB,1,1,0\n",
    "frequent.csv": "\n".join(["7"] * 300 + ["99"] * 200 + [str(i) for i in range(100)]),
    "blank.csv": "1\n\n2\n",
    "wide.csv": "1,2\n3,4\n",
    "words.csv": "1\ntwo\n",
    "none.json": "[]",
    "mixed.json": "[1, 2.0]",
    "object.json": '{"records": [1]}',
    "empty.csv": "",
}
HISTOGRAM = ("--sanitizer=stability-histogram", "--epsilon=1")
TREE = ("--sanitizer=quantile-tree", "--epsilon=1")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    drawn = np.random.default_rng(0).integers(2**64, size=3000, dtype=np.uint64)
    Path("long.csv").write_text("\n".join(map(str, drawn.tolist())), encoding="utf-8")


def sanitized(capsys, *arguments):
    assert main(("sanitize", *arguments, "--json")) == 0
    return read_long(capsys.readouterr().out)


def shares(data):
    return {entry["value"]: Fraction(entry["share"]) for entry in data["release"]}


def copies(data):
    return {entry["value"]: entry["copies"] for entry in data["release"]}


def test_a_histogram_says_which_values_it_leaves_out(capsys):
    assert main(("sanitize", "points:b=7", "--records=frequent.csv", *HISTOGRAM)) == 0
    out = capsys.readouterr().out
    assert "least kept  28; values with a smaller noisy count are left out\n" in out


def test_a_histogram_of_long_records(capsys):
    data = sanitized(capsys, "points:b=64", "--records=frequent.csv", *HISTOGRAM, "--error")
    assert set(shares(data)) == {7, 99}
    assert (data["records"], data["epsilon"], data["delta"]) == (600, "1", "1/1000000")
    assert (data["kind"], data["theorem"], data["promised"]) == ("shares", 350, True)
    true = {x: Fraction(n, 600) for x, n in Counter([7] * 300 + [99] * 200).items()}
    true = {**dict.fromkeys(range(100), Fraction(1, 600)), **true}
    true[7] += Fraction(1, 600)
    true[99] += Fraction(1, 600)
    worst = max(abs(true[x] - shares(data).get(x, 0)) for x in true)
    assert Fraction(data["error"]["error"]) == worst


@pytest.mark.parametrize("records", ["towns.csv", "towns.json"])
def test_labels_survive(capsys, records):
    column = ("--column=town",) if records.endswith("csv") else ()
    file = f"--records={records}"
    found = shares(sanitized(capsys, "@single.csv", file, *column, *HISTOGRAM))
    assert list(found) == ["a", "b", "c"]
    assert all(abs(share - Fraction(1, 3)) < Fraction(1, 10) for share in found.values())
    tree = copies(sanitized(capsys, "@first.csv", file, *column, *TREE))
    assert set(tree) == {"a", "b", "c"}
    assert sum(tree.values()) == 32
    arguments = ("--sanitizer=blum-ligett-roth", "--epsilon=1", "--size=100", "--error")
    data = sanitized(capsys, "@first.csv", file, *column, *arguments)
    assert sum(copies(data).values()) == data["size"] == 100
    far = [abs(Fraction(copies(data).get("a", 0), 100) - Fraction(1, 3))]
    far.append(abs(Fraction(copies(data).get("c", 0), 100) - Fraction(1, 3)))
    assert Fraction(data["error"]["error"]) == max(far)


def test_a_database_is_written_so_that_it_can_be_read(capsys):
    out = ("--out=synthetic.csv", "--error")
    data = sanitized(capsys, "thresholds:b=64", "--records=long.csv", *TREE, *out)
    written = [int(line) for line in Path("synthetic.csv").read_text().split()]
    assert Counter(written) == copies(data)
    assert Fraction(data["error"]["error"]) < Fraction(1, 4)
    again = sanitized(capsys, "thresholds:b=64", "--records=synthetic.csv", *TREE)
    assert again["records"] == 32


def test_a_counted_tree_has_a_record_for_each(capsys):
    given = ("--sanitizer=counted-tree", "--epsilon=1", "--error")
    data = sanitized(capsys, "thresholds:b=64", "--records=long.csv", *given)
    assert sum(copies(data).values()) == data["records"] == 3000
    assert (data["theorem"], data["promised"], data["delta"]) == (None, False, "0")
    assert Fraction(data["error"]["error"]) < Fraction(1, 5)


def test_shares_and_json_are_written(capsys):
    given = ("points:b=64", "--records=frequent.csv", *HISTOGRAM, "--seed=1")
    data = sanitized(capsys, *given, "--out=shares.csv")
    rows = [row.split(",") for row in Path("shares.csv").read_text().splitlines()]
    assert rows[0] == ["value", "share"]
    assert {int(x): Fraction(share) for x, share in rows[1:]} == shares(data)
    assert sanitized(capsys, *given, "--out=all.json", "--error").pop("error")
    assert json.loads(Path("all.json").read_text()) == data  # without the error


def test_a_seed_repeats_a_release_and_fresh_coins_do_not(capsys):
    given = ("thresholds:b=64", "--records=long.csv", *TREE)
    first, again = (sanitized(capsys, *given, "--seed=3") for _ in range(2))
    assert first == again
    assert sanitized(capsys, *given)["release"] != sanitized(capsys, *given)["release"]


@pytest.mark.parametrize(
    ("instance", "sanitizer", "theorem"),
    [
        ("points:b=64", "san-points", 758535),
        ("k_points:b=64,k=2", "k-points", 2299727),
        ("thresholds:b=64", "san-thresholds", 285548435340528),
    ],
)
def test_sanitizers_of_the_paper_keep_the_budget_and_promise_nothing_yet(
    capsys, instance, sanitizer, theorem
):
    given = (instance, "--records=frequent.csv", f"--sanitizer={sanitizer}", "--epsilon=1")
    data = sanitized(capsys, *given)
    assert Fraction(data["epsilon"]) <= 1
    assert Fraction(data["delta"]) <= Fraction(1, 10**6)
    assert (data["theorem"], data["promised"]) == (theorem, False)
    assert main(("sanitize", *given, "--require-theorem")) == 2
    needed = f"the theorem needs at least {theorem} records, but there are 600"
    assert needed in capsys.readouterr().err
    assert main(("sanitize", *given)) == 0
    none = f"  none for error at most 1/10, except with probability 1/10: {needed}\n"
    assert none in capsys.readouterr().out


def test_keys_are_documented(capsys):
    text = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| `sanitize` |"))
    known = set(re.findall(r"`(\w+)`", row))
    for instance, sanitizer in (
        ("points:b=9", "stability-histogram"),
        ("points:b=9", "san-points"),
        ("thresholds:b=9", "quantile-tree"),
        ("thresholds:b=9", "san-thresholds"),
    ):
        given = ("--records=frequent.csv", f"--sanitizer={sanitizer}", "--epsilon=1", "--error")
        assert set(sanitized(capsys, instance, *given)) <= known


def test_lines_say_what_is_private_and_what_is_not(capsys):
    given = ("sanitize", "points:b=64", "--records=frequent.csv", *HISTOGRAM)
    assert main((*given, "--seed=1")) == 0
    shown = capsys.readouterr().out
    assert "epsilon = 1, delta = 1/1000000, if one record is replaced" in shown
    assert "NOT PRIVATE: seed 1 determines the noise" in shown
    assert "seed 1, for demonstrations: NOT PRIVATE" in shown
    assert "largest error" not in shown
    assert main((*given, "--error")) == 0
    shown = capsys.readouterr().out
    assert "NOT PRIVATE: computed from the records, printed on request (--error)" in shown
    assert "random bytes of the operating system" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("points:b=3", "--records=frequent.csv", *HISTOGRAM),
            "row 301, column 1: expected an integer from 0 to 7 (the value is not shown, for ",
        ),
        (("points:b=9", "--records=words.csv", *HISTOGRAM), "row 2, column 1: expected an integer"),
        (
            ("@single.csv", "--records=towns.csv", "--column=who", *HISTOGRAM),
            "row 2, column 1: expected a point (the value is not shown, for privacy)",
        ),
        (
            ("@single.csv", "--records=towns.csv", *HISTOGRAM),
            "expected a row of 1; name one with --column, found 2 cells",
        ),
        (
            ("@single.csv", "--records=towns.csv", "--column=country", *HISTOGRAM),
            "row 1: no column is named 'country'; the first row must contain the names",
        ),
        (("points:b=9", "--records=empty.csv", *HISTOGRAM), "empty.csv: the file is empty"),
        (("points:b=9", "--records=none.json", *HISTOGRAM), "expected a record, found none"),
        (("points:b=9", "--records=blank.csv", *HISTOGRAM), "row 2, column 1: "),
        (("points:b=9", "--records=wide.csv", *HISTOGRAM), "row 1, column 2: expected a row of 1"),
        (
            ("points:b=9", "--records=mixed.json", *HISTOGRAM),
            "row 2, column 1: expected an integer",
        ),
        (("points:b=9", "--records=object.json", *HISTOGRAM), "expected a list of records"),
        (
            ("points:b=9", "--records=none.json", "--column=a", *HISTOGRAM),
            "a list of records has no column 'a'",
        ),
        (("points:b=9", "--records=missing.csv", *HISTOGRAM), "missing.csv: no such file"),
        (("points:b=9", "--records=", *HISTOGRAM), "expected the name of a file, found none"),
        (("points:b=65", "--records=long.csv", *HISTOGRAM), "b must be between 1 and 64"),
        (
            ("points:b=64", "--records=long.csv", HISTOGRAM[0], "--epsilon=0"),
            "epsilon must be positive, not 0",
        ),
        (
            ("points:b=64", "--records=long.csv", *HISTOGRAM, "--delta=1"),
            "delta must be strictly between 0 and 1, not 1",
        ),
        (
            ("points:b=64", "--records=long.csv", *HISTOGRAM, "--delta=-1"),
            "must",
        ),
        (
            ("thresholds:b=64", "--records=long.csv", *TREE, "--delta=1/9"),
            "--delta cannot be used with quantile-tree, whose delta is 0",
        ),
        (("points:b=64", "--records=long.csv", *TREE), "INSTANCE must be thresholds:b=..."),
        (("thresholds:b=64", "--records=long.csv", *HISTOGRAM), "INSTANCE must be points:b"),
        (
            ("points:b=64", "--records=long.csv", HISTOGRAM[0], "--epsilon=1/10000000"),
            "exponent must",
        ),
        (
            ("@first.csv", "--records=towns.csv", "--column=town", *HISTOGRAM),
            "concept B is 1 on more than one point",
        ),
        (
            ("@single.csv", "--records=towns.csv", "--column=town", *TREE),
            "concept B is not 1 exactly on the first points",
        ),
        (
            ("points:b=9", "--records=long.csv", "--sanitizer=k-points", "--epsilon=1"),
            "INSTANCE must be k_points:b=...,k=... for this sanitizer",
        ),
        (("points:b=9", "--records=long.csv", *HISTOGRAM, "--size=2"), "--size applies only to"),
        (
            ("thresholds:b=64", "--records=long.csv", *TREE, "--require-theorem"),
            "the theorem needs at least 17958 records, but there are 3000",
        ),
        (
            (
                "thresholds:b=64",
                "--records=long.csv",
                *TREE,
                "--accuracy=1/32",
                "--require-theorem",
            ),
            "accuracy must be above 1/32 for 4 levels, not 1/32",
        ),
        (
            (
                *("@first.csv", "--records=towns.json", "--epsilon=1"),
                *("--sanitizer=blum-ligett-roth", "--size=20"),
            ),
            "size must be at least 70 for accuracy 1/10, not 20",
        ),
        (
            ("points:b=9", "--records=frequent.csv", *HISTOGRAM, "--out=frequent.csv"),
            "frequent.csv: cannot be written: it is the input",
        ),
    ],
)
def test_what_makes_no_sense_is_one_line(capsys, arguments, message):
    assert main(("sanitize", *arguments)) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert message in shown.err
