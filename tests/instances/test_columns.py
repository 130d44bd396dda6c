"""Columns of texts as numbers, and their use in learning and prediction."""

import csv

import numpy as np
import pytest

from ccsim.budget import Budget
from ccsim.cli.main import main
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.instances.records import people_blocks, read_people
from ccsim.learning.rules import learn_rule
from ccsim.texts import csv as text
from ccsim.texts.columns import Coded, Columns, ColumnsOfRecords, Numbering, judged


def test_distinct_texts_are_numbered_in_order_and_blanks_around_them_do_not_count():
    numbering = Numbering()
    assert numbering.of(["b", " a", "b ", "a", ""]).tolist() == [0, 1, 0, 1, 2]
    assert numbering.texts == ["b", "a", ""]


def test_the_first_refused_record_is_found():
    def digit(cell):
        if not cell.isdigit():
            raise DomainError(f"{cell} is no digit")
        return int(cell)

    column = Coded(["3", "x", "y"], np.array([0, 2, 1, 2], dtype=np.int32))
    assert judged(column, digit, DomainError)[1:] == (1, "y is no digit")
    fine = Coded(["3", "5"], np.array([1, 0, 0], dtype=np.int32))
    places, first, _ = judged(fine, digit, DomainError)
    assert places[fine.numbers].tolist() == [5, 3, 3]
    assert first is None


@pytest.mark.parametrize("size", [1, 2, 100])
def test_a_table_is_read_by_columns(monkeypatch, tmp_path, size):
    monkeypatch.setattr(text, "_BLOCK", size)
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n1, x,0\n2,y,1\n1,x ,1\n")
    table = read_people(path, {"b", "c"}, Budget())
    assert (table.header, table.size, table.column("a")) == (["a", "b", "c"], 3, None)
    assert table.column("b").texts == ["x", "y"]
    assert table.column("b").numbers.tolist() == [0, 1, 0]
    _, blocks = people_blocks(path)
    assert [row for block in blocks for row in block][1] == ["2", "y", "1"]
    path.write_text("a,b\n1,2\n3\n")
    with pytest.raises(UnreadableInputError, match="row 3, column 2"):
        read_people(path, {"a"}, Budget())
    path.write_text("a,b\n")
    with pytest.raises(UnreadableInputError, match="expected a record below the header"):
        read_people(path, {"a"}, Budget())


RECORDS = [{"x": i % 5, "y": int(i % 5 > 2)} for i in range(40)]


def test_columns_and_records_give_the_same_rule():
    given = {"target": "y", "columns": ["x:0..4"], "learner": "thresholds", "seed": 3}
    table = ColumnsOfRecords(RECORDS)
    coded = Columns(["x", "y"], 40, {name: table.column(name) for name in ("x", "y")})
    assert learn_rule(coded, **given).to_dict() == learn_rule(RECORDS, **given).to_dict()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({7: {"x": 9}}, "record 8: x must be between 0 and 4"),
        ({7: {"y": 2}, 9: {"x": 9}}, "record 8: y must be 0 or 1"),
        ({9: {"y": 2}, 3: {"x": "z"}}, "record 4: x must be a number"),
    ],
)
def test_the_first_record_that_does_not_fit_is_named(change, message):
    records = [dict(record) | change.get(i, {}) for i, record in enumerate(RECORDS)]
    with pytest.raises(DomainError, match=message):
        learn_rule(records, target="y", columns=["x:0..4"])
    del records[2]["x"]
    with pytest.raises(DomainError, match="record 3: there is no column x; the columns are 'y'"):
        learn_rule(records, target="y", columns=["x:0..4"])


@pytest.mark.parametrize("size", [1, 3, 100])
def test_prediction_of_a_file_is_that_of_its_records(monkeypatch, tmp_path, capsys, size):
    model = learn_rule(RECORDS, target="y", columns=["x:0..4"], learner="thresholds", seed=3)
    model.write(tmp_path / "m.json")
    path, out = tmp_path / "t.csv", tmp_path / "o.csv"
    path.write_text("x,note\n" + "".join(f"{r['x']}, n {i}\n" for i, r in enumerate(RECORDS)))
    monkeypatch.setattr(text, "_BLOCK", size)
    asked = ["predict", str(tmp_path / "m.json"), "--data", str(path)]
    assert main([*asked, "--out", str(out)]) == 0
    rows = list(csv.reader(out.read_text().splitlines()))
    assert rows[0] == ["x", "note", "predicted_y"]
    labels = model.predict(RECORDS)
    assert rows[1:] == [[str(r["x"]), f"n {i}", labels[i]] for i, r in enumerate(RECORDS)]
    capsys.readouterr()
    assert main(asked) == 0
    assert capsys.readouterr().out == out.read_text()
    path.write_text("x\n" + "1\n" * 5 + "9\n")
    assert main(asked) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert "record 6: x must be between 0 and 4" in seen.err


def test_scores_count_wrong_predictions_and_refuse_other_labels(tmp_path, capsys):
    model = learn_rule(RECORDS, target="y", columns=["x:0..4"], learner="thresholds", seed=3)
    model.write(tmp_path / "m.json")
    path = tmp_path / "t.csv"
    asked = ["predict", str(tmp_path / "m.json"), "--data", str(path), "--score"]
    wrong = [label != "1" for label in model.predict(RECORDS)]
    path.write_text("x,y\n" + "".join(f"{r['x']},1\n" for r in RECORDS))
    assert main(asked) == 0
    assert f"{sum(wrong)} of 40 records" in capsys.readouterr().out
    path.write_text("x,y\n1,1\n1,2\n")
    assert main(asked) == 2
    assert "record 2: not a label of y" in capsys.readouterr().err
    path.write_text("x\n1\n")
    assert main(asked) == 2
    assert "the table must have the column y" in capsys.readouterr().err
