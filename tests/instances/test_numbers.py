"""Tables of numbers in files: exact values, labels, guesses, and errors with their position."""

import gzip
from fractions import Fraction

import numpy as np
import pytest

from ccsim.errors import UnreadableInputError
from ccsim.texts.numbers import read_numbers
from ccsim.texts.reading import listening

THIRD, QUARTER = Fraction(1, 3), Fraction(1, 4)


@pytest.fixture
def read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def read_it(name, text, options="", **given):
        """Return the rows, the labels of both sides, and the guesses."""
        heard = []
        if text is not None:
            (tmp_path / name).write_text(text)
        with listening(heard.append):
            table, _ = read_numbers(name + options, **given)
        guesses = [guess for reading in heard for guess in reading.guesses]
        return table.rows, table.row_labels, table.column_labels, guesses

    return read_it


@pytest.mark.parametrize(
    ("text", "names", "header"),
    [
        ("1/3,2/3\n0.25,75e-2\n", None, None),
        ("1/3 2/3\n0.25 75e-2\n", None, None),
        ("x;y\n1/3;2/3\n0.25;.75\n", None, ("x", "y")),
        (",x,y\na,1/3,2/3\nb,0.25,0.75\n", ("a", "b"), ("x", "y")),
        ("x,y\na,1/3,2/3\nb,0.25,0.75\n", ("a", "b"), ("x", "y")),
        ("a\t1/3\t2/3\nb\t0.25\t0.75\n", ("a", "b"), None),
        (",0,1\n0,1/3,2/3\n1,0.25,0.75\n", ("0", "1"), ("0", "1")),
    ],
)
def test_text_with_and_without_labels(read, text, names, header):
    rows = (THIRD, 2 * THIRD), (QUARTER, 3 * QUARTER)
    assert read("t.csv", text, probabilities=True) == (rows, names, header, [])


def test_numbers_may_be_packed_or_in_utf_16(read, tmp_path):
    (tmp_path / "t.csv").write_bytes("1/3,2/3\n".encode("utf-16"))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"1/3,2/3\n"))
    (tmp_path / "t.json.gz").write_bytes(gzip.compress(b'[["1/3", "2/3"]]'))
    for name in ("t.csv", "t.csv.gz", "t.json.gz"):
        assert read(name, None)[0] == ((THIRD, 2 * THIRD),)
    with pytest.raises(UnreadableInputError, match="save the table as csv"):
        read("t.xlsx", "x")


def test_options_and_guesses_about_labels(read):
    text = "0,1,2\n1/3,1/3,1/3\n"
    rows, _, header, guesses = read("t.csv", text, probabilities=True)
    assert (rows, header) == (((THIRD,) * 3,), ("0", "1", "2"))
    assert guesses == [
        "t.csv: the first row is read as labels of the columns, not as numbers; "
        "use t.csv:header=yes|no to decide"
    ]
    assert read("t.csv", text)[0][0] == (0, 1, 2)  # of payoffs it is a row
    assert read("t.csv", text, ":header=no", probabilities=True)[0][0] == (0, 1, 2)
    assert len(read("t.csv", "0,1\n1,0\n")[3]) == 1
    assert read("t.csv", "0,1\n1,0\n", ":header=no")[3] == []
    numbered = read("t.csv", "5,1/3,2/3\n7,1,0\n", probabilities=True)
    assert numbered[:2] == (((THIRD, 2 * THIRD), (1, 0)), ("5", "7"))
    assert (
        "the first column is read as labels of the rows; use t.csv:index=yes|no" in numbered[3][0]
    )
    for options, probabilities in (":index=yes", False), ("", True):
        found = read("t.csv", "0,1/3,2/3\n1,1,0\n", options, probabilities=probabilities)
        assert found[1] == ("0", "1")


def test_json_by_labels(read):
    rows = (THIRD, 2 * THIRD), (1, 0)
    text = '{"a": {"x": "1/3", "y": "2/3"}, "b": {"x": 1}}'
    assert read("t.json", text, probabilities=True) == (rows, ("a", "b"), ("x", "y"), [])
    text = '{"a": ["1/3", "2/3"], "b": [1, 0]}'
    assert read("t.json", text, probabilities=True) == (rows, ("a", "b"), (1, 2), [])
    square = '{"a": {"x": 0.5, "y": 0.5}, "b": {"x": 0.5, "y": 0.5}}'
    assert len(read("t.json", square, probabilities=True)[3]) == 1
    for text in (square, '{"a": [1], "b": 2}'):
        with pytest.raises(UnreadableInputError):
            read("t.json", text)


@pytest.mark.parametrize(
    ("text", "names", "header"),
    [
        ('[["1/3", "2/3"], [0.25, 0.75]]', None, None),
        ('{"rows": [["1/3", "2/3"], [0.25, 0.75]]}', None, None),
        (
            '{"columns": ["x", "y"], "index": [0, 1], "data": [["1/3", "2/3"], [0.25, 0.75]]}',
            (0, 1),
            ("x", "y"),
        ),
        ('[{"x": "1/3", "y": "2/3"}, {"x": 0.25, "y": 0.75}]', None, ("x", "y")),
    ],
)
def test_json_decimals_are_what_they_say(read, text, names, header):
    rows = (THIRD, 2 * THIRD), (QUARTER, 3 * QUARTER)
    assert read("t.json", text) == (rows, names, header, [])


def test_floats_of_numpy_are_binary(read, tmp_path):
    np.save(tmp_path / "t.npy", np.array([[0.5, 0.1]]))
    assert read("t.npy", None)[0] == ((Fraction(1, 2), Fraction(0.1)),)
    assert read_numbers(str(tmp_path / "t.npy"))[0].binary
    np.save(tmp_path / "s.npy", np.array([["1/3", "2/3"]]))
    assert read("s.npy", None)[0] == ((THIRD, 2 * THIRD),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "50%,50%\n1,0\n",
            "row 1, column 1: expected a number such as 1/4, 0.25 or 3, found '50%'; "
            "write 1/2 instead of a percentage",
        ),
        ("0,5;0,5\n1;0\n", "row 1, column 1: .* found '0,5'; write 0.5 with a decimal point"),
        ("x,y\n1/2,half\n", "row 2, column 2: expected a number"),
        ("x,y\na,1/2,1/2\nb,nan,1\n", "row 3, column 2: expected a number .* found 'nan'"),
        ("1/2,1/2\n1\n", "row 2 must have 2 numbers like row 1, not 1"),
        ("x,x\n1/2,1/2\n", "column labels must be distinct"),
        ("x,y\n", "expected at least one row of numbers, found none"),
        ("", "the file is empty"),
        ("1/2,half\n1/2,1/2\n", "row 1, column 2: expected a number"),
    ],
)
def test_what_is_no_number_is_refused_with_its_place(read, text, message):
    with pytest.raises(UnreadableInputError, match=rf"t\.csv: {message}"):
        read("t.csv", text, probabilities=True)


def test_json_and_arrays_that_are_no_tables(read, tmp_path):
    for text in ("3", '{"a": 1}', "[1, 2]", "[[true]]", "[[NaN]]", "[]", "[[1], [1, 2]]"):
        with pytest.raises(UnreadableInputError, match=r"t\.json: "):
            read("t.json", text)
    np.save(tmp_path / "t.npy", np.array([[np.nan]]))
    with pytest.raises(UnreadableInputError, match="found nan"):
        read("t.npy", None)
    with pytest.raises(UnreadableInputError, match=r"the file name must end in \.csv"):
        read("t.doc", "1")


@pytest.mark.parametrize("sums", ["0.333,0.333,0.333", "1/3,1/3,1/3"])
@pytest.mark.parametrize("names", [("00", "01"), ("0", "1"), ("3", "12")])
@pytest.mark.parametrize("header", ["", "database,x,y,z\n"])
def test_labels_of_digits_are_no_probabilities(read, sums, names, header):
    text = header + "".join(f"{name},{sums}\n" for name in names)
    rows, index, _, _ = read("t.csv", text, probabilities=True)
    assert index == names
    assert len(rows[0]) == 3


def test_a_wrong_sum_makes_no_label_of_a_probability(read):
    text = "0,0.5,0.5\n0.5,0.5,0.5\n"
    assert read("t.csv", text, probabilities=True)[1] is None
