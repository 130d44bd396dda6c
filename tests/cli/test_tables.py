"""`ccsim learn --data` and `ccsim predict` on the command line."""

from __future__ import annotations

import io
import json
import sys

import pytest

from ccsim.certificates.files import standard_input
from ccsim.cli.main import main

LEARN = ["learn", "--data=people.csv", "--target=smokes", "--labels=no,yes", "--epsilon=30"]
AGES = ["--learner=thresholds", "--column=age:0..100"]


@pytest.fixture(autouse=True)
def people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"{age};{city};{'yes' if age >= 40 else 'no'}" for age in range(20, 60)
             for city in ("Bern", "Rome")]  # fmt: skip
    (tmp_path / "people.csv").write_text("\n".join(["age;city;smokes", *lines]))
    (tmp_path / "new.csv").write_text('name,age\n"A, B",25\nC,41\n')
    return tmp_path


def told(capsys, *given, status=0):
    assert main([*given]) == status
    out, err = capsys.readouterr()
    assert err.count("\n") == bool(status)
    return out if not status else err


def fed(monkeypatch, data):
    standard_input.cache_clear()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_a_model_is_learned_and_predicts(capsys, monkeypatch, people):
    out = told(capsys, *LEARN, *AGES, "--out=model.json")
    assert "rule           smokes: yes if age >= 40, else no\n" in out
    assert "privacy        epsilon = 30, delta = 0, if one record is replaced\n" in out
    assert "noise          exact, from random bytes of the operating system\n" in out
    table = 'name,age,predicted_smokes\n"A, B",25,no\nC,41,yes\n'
    assert told(capsys, "predict", "model.json", "--data=new.csv") == table
    for name in ("-", "@-"):
        fed(monkeypatch, (people / "new.csv").read_bytes())
        assert told(capsys, "predict", "model.json", f"--data={name}") == table
        fed(monkeypatch, (people / "model.json").read_bytes())
        assert told(capsys, "predict", name, "--data=new.csv") == table
        fed(monkeypatch, (people / "people.csv").read_bytes())
        given = [a for a in LEARN if a != "--data=people.csv"]
        assert "age >= 40" in told(capsys, *given, *AGES, f"--data={name}")
    assert "written to  out.csv" in told(
        capsys, "predict", "model.json", "--data=new.csv", "--out=out.csv"
    )
    assert (people / "out.csv").read_text() == table
    found = json.loads(told(capsys, "predict", "model.json", "--data=new.csv", "--json"))
    assert (found["predictions"], found["wrong"]) == (["no", "yes"], None)
    scored = json.loads(told(capsys, "predict", "model.json", "--data=people.csv", "--score",
                             "--json"))  # fmt: skip
    assert (scored["wrong"], scored["predicted"]) == (0, {"no": 40, "yes": 40})


def test_a_seed_is_said_to_be_no_privacy(capsys):
    one, two = (told(capsys, *LEARN, *AGES, "--seed=5", "--json") for _ in range(2))
    assert one == two
    assert json.loads(one)["privacy"].startswith("none: anyone who knows the seed 5")
    assert "NOT PRIVATE" in told(capsys, *LEARN, *AGES, "--seed=5")


def test_a_class_of_ones_own_is_learned(capsys, people):
    (people / "cities.csv").write_text(",Bern,Rome\neast,0,1\nall,1,1\n")
    out = told(capsys, *LEARN, "@cities.csv", "--learner=occam", "--column=city", "--json")
    found = json.loads(out)
    assert (found["instance"], found["hypotheses"]) == ("@cities.csv", 2)


def test_what_is_promised_of_new_records_is_said(capsys):
    few = json.loads(told(capsys, *LEARN, *AGES, "--json"))
    assert few["theorem"] > few["records"] == 80
    assert few["promised"] is False
    enough = [*LEARN, *AGES, "--accuracy=0.9", "--failure=0.9", "--json"]
    many = json.loads(told(capsys, *enough))
    assert many["promised"] is (many["records"] >= many["theorem"])
    public = json.loads(
        told(capsys, *LEARN, "--labels-only", "--learner=stumps", "--column=age", "--json")
    )
    assert (public["theorem"], public["private"]) == (None, "labels")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["learn", "--data=people.csv", "--learner=stumps"], "give --target NAME"),
        (
            ["learn", "--data=people.csv", "--learner=stumps", "--target=x"],
            "the header (the first row) must have a column x",
        ),
        ([*LEARN, "--learner=stumps"], "private records must not decide them"),
        ([*LEARN, "--learner=stumps", "--column=age"], "values taken from private records"),
        ([*LEARN, *AGES[:1], "--column=age:30..50"], "people.csv: record 1: age must be between"),
        ([*LEARN, "--learner=proper"], "--learner must be one of"),
        ([*LEARN, "points:b=1", *AGES], "occam needs an INSTANCE"),
        ([*LEARN, *AGES, "--runs=3"], "--runs cannot be used with --data"),
        ([*LEARN, *AGES, "--labels=a"], "--labels must be two values"),
        (["learn", "points:b=1", "--learner=occam", "--out=x"], "--out needs --data"),
        (["learn", "points:b=1", "--learner=stumps"], "the learner stumps needs --data"),
        (["learn", "--learner=occam"], "Missing argument 'INSTANCE'"),
        (["learn", "points:b=1", "--learner=occam"], "Missing option '--accuracy'"),
        (["predict", "people.csv", "--data=new.csv"], "not JSON"),
        (["predict", "-", "--data=@-"], "only one of MODEL and --data"),
    ],
)
def test_what_is_wrong_is_one_line(capsys, given, message):
    assert message in told(capsys, *given, status=2)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            "age,age\n1,2\n",
            "new.csv: row 1, column 2: expected distinct names of columns "
            "(the value is not shown, for privacy)",
        ),
        ("age,\n1,2\n", "row 1, column 2"),
        ("age\n", "expected a record below the header"),
        (",age,\n0,1,2\n", "row 1, column 3: expected distinct names"),
        ("PK\x03\x04", "new.csv: expected text, found an Excel or Parquet file; save the table as"),
        ("age,city\n1\n", "row 2, column 2: expected 2, found 1 cells"),
        ("age\nold\n", "record 1: age must be a number (the value is not shown, for privacy)"),
        ("age\n300\n", "record 1: age must be between 0 and 100"),
        ("city\nBern\n", "record 1: there is no column age, which the rule uses"),
        ("age,predicted_smokes\n1,no\n", "the table must not have a column predicted_smokes"),
    ],
)
def test_strange_tables_are_one_line(capsys, people, table, message):
    told(capsys, *LEARN, *AGES, "--out=model.json")
    (people / "new.csv").write_text(table)
    assert message in told(capsys, "predict", "model.json", "--data=new.csv", status=2)


def test_the_first_column_needs_no_name_as_in_pandas(capsys, people):
    told(capsys, *LEARN, *AGES, "--out=model.json")
    (people / "new.csv").write_text(",age\n0,1\n1,99\n")
    out = told(capsys, "predict", "model.json", "--data=new.csv")
    assert out == ",age,predicted_smokes\n0,1,no\n1,99,yes\n"


def test_tables_in_json_are_refused_with_the_way_out(capsys, people):
    (people / "new.json").write_text('[{"age": 1}]')
    message = told(capsys, *LEARN[:1], "--data=new.json", *LEARN[2:], *AGES, status=2)
    assert "new.json: expected a table in text; save it as csv" in message


def test_scores_need_the_column(capsys):
    told(capsys, *LEARN, *AGES, "--out=model.json")
    line = told(capsys, "predict", "model.json", "--data=new.csv", "--score", status=2)
    assert "the table must have the column smokes" in line


@pytest.mark.parametrize("out", ["people.csv", "./people.csv"])
def test_a_model_does_not_replace_the_records(capsys, people, out):
    before = (people / "people.csv").read_text()
    assert main([*LEARN, *AGES, "--out", out]) == 2
    assert "cannot be written: it is the input" in capsys.readouterr().err
    assert (people / "people.csv").read_text() == before
