"""One convention for entries, the options after a file name, and the assumptions of a reading."""

import io
import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas
import pytest

import ccsim
from ccsim import CommunicationProblem, ConceptClass
from ccsim.cli.main import main
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.instances import parse_class, parse_instance, parse_problem
from ccsim.texts.reading import Reading, ReadingWarning

HADAMARD = [[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]
AS_VALUES = [[int(entry == -1) for entry in row] for row in HADAMARD]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_sign_matrix_is_refused_until_it_is_called_one(capsys):
    np.save("had4.npy", HADAMARD)
    assert main(["error", "@had4.npy", "--messages", "1"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert (
        "had4.npy: row 2, column 2: expected 0, 1 or *, found -1; use had4.npy:signs=yes to read"
        in err
    )
    assert main(["error", "@had4.npy:signs=yes", "--messages", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == "1/2"
    assert found["reading"]["signs"] is True
    arguments = ["--error", "0", "--coins", "deterministic", "--json"]
    assert main(["complexity", "@had4.npy:signs=yes", *arguments]) == 0
    assert json.loads(capsys.readouterr().out)["messages"] == 4


def test_minus_one_is_never_outside_the_promise():
    rng = np.random.default_rng(0)
    three = rng.integers(-1, 2, (8, 8))
    np.save("three.npy", three)
    for signs in ("", ":signs=yes"):
        with pytest.raises(UnreadableInputError, match=r"three\.npy: row \d, column \d: expected"):
            parse_problem(f"@three.npy{signs}")
    for signs in (False, True):
        with pytest.raises(DomainError, match="must be"):
            CommunicationProblem.from_matrix(three, signs=signs)


def texts(matrix):
    return [[str(entry) for entry in row] for row in matrix]


@pytest.mark.parametrize("make", [list, np.array, lambda m: np.array(m, float), texts])
def test_signs_in_memory_are_read_when_asked_for(make):
    matrix = make(HADAMARD)
    for kind in (ConceptClass, CommunicationProblem):
        with pytest.raises(
            DomainError, match="not -1; use signs=True to read a matrix of -1 and 1"
        ):
            kind.from_matrix(matrix)
        read = kind.from_matrix(matrix, signs=True)
        assert read == kind.from_matrix(AS_VALUES)
        assert read.reading == Reading(signs=True)
    assert ccsim.minimax_error(read, 1).to_dict()["reading"]["signs"] is True


PANDAS_HEADER = "0,1\n1,1\n0,0\n1,0\n"


def test_a_header_of_two_numbers_is_guessed_and_announced(folder, capsys):
    (folder / "f.csv").write_text(PANDAS_HEADER)
    assert main(["dimensions", "@f.csv", "--json"]) == 0
    out, err = capsys.readouterr()
    guess = "f.csv: the first row is read as entries, not as labels of the columns"
    assert err == f"note: {guess}; use f.csv:header=yes|no to decide\n"
    assert json.loads(out)["reading"]["guesses"][0].startswith(guess)
    for header, vc in (("yes", 1), ("no", 2)):
        assert main(["dimensions", f"@f.csv:header={header}", "--json"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert json.loads(out)["vc"] == vc
        assert json.loads(out)["reading"]["header"] is (header == "yes")
    with pytest.warns(ReadingWarning, match="the first row is read as entries"):
        assert ccsim.vc_dimension("@f.csv").to_dict()["reading"]["header"] is False


@pytest.mark.parametrize("text", ["0.0;1.0\n1;0\n", '"0.0" "0" "1"\n"1.0" "1" "0"\n'])
def test_labels_that_pandas_writes_as_floats_are_announced(text, folder):
    (folder / "f.txt").write_text(text)
    with pytest.warns(ReadingWarning, match="is read as entries"):
        parse_class("@f.txt")


@pytest.mark.parametrize("matrix", [[[np.nan, 1, 0], [0, np.nan, 1]], [[0, 1], [1, 0]]])
def test_missing_entries_between_blanks_are_not_overlooked(matrix, folder):
    pandas.DataFrame(matrix).to_csv(folder / "f.txt", sep=" ", header=False, index=False)
    if np.isnan(matrix).any():
        with pytest.raises(UnreadableInputError, match=r"row 1, column 1: .* empty cell between"):
            parse_problem("@f.txt:header=no,index=no")
    else:
        assert parse_problem("@f.txt:header=no,index=no").ones == (2, 1)


@pytest.mark.parametrize("form", ["%3d", "%-3d", "%5.1f"])
def test_cells_that_blanks_align_are_read(form, folder):
    np.savetxt(folder / "f.txt", [[-1, 1], [1, -1]], fmt=form)
    assert parse_problem("@f.txt:signs=yes,header=no,index=no").ones == (1, 2)


def test_two_blanks_between_all_cells_are_a_separator(folder):
    (folder / "f.txt").write_text("0  0\nnan  0\n1  0\n")
    assert parse_problem("@f.txt:header=no,index=no").promise == (3, 2, 3)


def test_a_table_of_floats_in_many_digits_is_no_guess(folder):
    np.savetxt(folder / "f.txt", [[0, 1], [1, 0], [1, 1]])
    assert parse_class("@f.txt").reading.guesses == ()


def test_labels_of_rows_that_begin_with_entries_can_be_announced(folder):
    (folder / "f.csv").write_text("id,a,b\n1,1,1\n0,0,0\n2,1,0\n")
    with pytest.raises(UnreadableInputError) as refused:
        parse_class("@f.csv")
    assert str(refused.value) == (
        "f.csv: row 4, column 1: expected 0, 1 or *, found '2'; "
        "use f.csv:index=yes to read the first column as labels"
    )
    assert parse_class("@f.csv:index=yes").concepts == ("1", "0", "2")


def test_a_header_of_three_numbers_is_known(folder, capsys):
    (folder / "f.csv").write_text("0,1,2\n1,1,0\n0,0,1\n1,0,1\n")
    C = parse_class("@f.csv")
    assert (C.points, len(C)) == (("0", "1", "2"), 3)
    assert C.reading == Reading("f.csv", header=True, index=False)
    assert parse_class("@f.csv:header=yes") == C
    with pytest.raises(UnreadableInputError, match="row 1, column 3: expected 0, 1 or"):
        parse_class("@f.csv:header=no")


def test_options_decide_about_labels_of_rows(folder):
    (folder / "f.csv").write_text("0,1,0\n1,1,1\n")
    with pytest.warns(ReadingWarning, match="the first column is read as entries"):
        assert parse_class("@f.csv:header=no").rows == (2, 7)
    with pytest.warns(ReadingWarning, match="the first (row|column) is read as entries") as warned:
        assert parse_class("@f.csv").rows == (2, 7)  # or a header 1, 0 and a row 1
    assert len(warned) == 2
    C = parse_class("@f.csv:header=no,index=yes")
    assert (C.concepts, C.rows) == (("0", "1"), (1, 3))
    assert parse_class("@f.csv:header=no,index=no").rows == (2, 7)
    C = parse_class("@f.csv:index=yes,header=yes")
    assert (C.points, C.concepts, C.rows) == (("1", "0"), ("1",), (3,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@f.csv:head=yes", "f.csv: unknown option head; known: header, index, signs, form, sets"),
        ("@f.csv:header=1", "f.csv: header must be yes or no, not '1'"),
        ("@f.csv:header=yes,header=no", "f.csv: the option header is given twice"),
        ("@f.npy:header=yes", "f.npy: the option header is allowed only for text files; remove it"),
        ("@f.json:index=no", "f.json: the option index is allowed only for text files; remove it"),
    ],
)
def test_wrong_options_are_one_line(folder, text, message):
    (folder / "f.csv").write_text("a\n0\n1\n")
    (folder / "f.json").write_text("[[0]]")
    np.save("f.npy", [[0]])
    with pytest.raises(UnreadableInputError) as caught:
        parse_instance(text)
    assert str(caught.value) == message


def test_a_file_whose_name_has_a_colon_is_read(folder):
    (folder / "a:b=c.csv").write_text("a\n0\n1\n")
    assert parse_class("@a:b=c.csv").rows == (0, 1)
    assert parse_class("@a:b=c.csv:header=yes").rows == (0, 1)


@pytest.mark.parametrize(
    "entries",
    [
        [0, 1, None],
        [False, True, "*"],
        [0.0, 1.0, float("nan")],
        [np.float32(0), np.int8(1), np.nan],
        [Fraction(0), Decimal("1.0"), Decimal("NaN")],
        ["0", " 1 ", "NA"],
        ["0.000e+00", "+1.0", "nan"],
        ["False", "TRUE", "None"],
        np.ma.masked_array([0, 1, 7], mask=[False, False, True]),
    ],
)
def test_entries_mean_the_same_in_every_type(entries):
    f = CommunicationProblem.from_matrix([entries, [0, 0, 0]])
    assert [f.value(0, y) for y in range(3)] == [0, 1, None]
    assert f.reading.outside == 1
    with pytest.raises(DomainError, match=r"entry \(0, 2\) must be 0 or 1, not"):
        ConceptClass.from_matrix([entries])


@pytest.mark.parametrize(
    "matrix",
    [
        [[0, 1j]],
        [[0, 1 + 0j]],
        np.array([[0, 1]], complex),
        np.array([[0, 1]], "m8[s]"),
        np.array([[0, 1]], "M8[s]"),
        [[0, np.timedelta64(1)]],
        [[0, np.complex64(1)]],
        [{0, 1}],
        {(0, 1), (1, 0)},
        [[0, ""]],
        [[0, "01"]],
        [[0, Decimal("sNaN")]],
        [[0, float("inf")]],
        [[0, 1 + 2**-40]],
        [[0, b"1"]],
        np.array([[0, 255]], np.uint8),
        np.array([[b"0", b"\xff"]]),
    ],
)
def test_what_only_looks_like_entries_is_refused(matrix):
    for kind in (ConceptClass, CommunicationProblem):
        with pytest.raises(DomainError):
            kind.from_matrix(matrix)


def test_masked_arrays_and_arrays_without_rows_keep_their_shape():
    masked = np.ma.masked_array([[0, 1], [1, 1]], mask=[[0, 1], [0, 0]])
    assert CommunicationProblem.from_matrix(masked).promise == (1, 3)
    assert len(ConceptClass.from_matrix(np.zeros((0, 3))).points) == 3


def written(frame, **options):
    stream = io.BytesIO()
    frame.to_parquet(stream, **options)
    return stream.getvalue()


def test_parquet_files_are_read_with_their_labels(folder):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    columns = {"a": [True, False], "b": [0.0, float("nan")], "c": ["1", "*"]}
    frame = pandas.DataFrame(columns, index=["x", "y"])
    (folder / "f.parquet").write_bytes(written(frame))
    f = parse_problem("@f.parquet")
    assert (f.alice, f.bob, f.ones, f.promise) == (("x", "y"), ("a", "b", "c"), (5, 0), (7, 1))
    assert f.reading == Reading("f.parquet", outside=2)
    (folder / "f.parquet").write_bytes(written(frame, index=False))
    assert parse_problem("@f.parquet").alice == (0, 1)


def test_parquet_files_that_are_no_tables_are_one_line(folder):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    levels = pandas.MultiIndex.from_tuples([("p", "q")])
    data = written(pandas.DataFrame({"a": [1]}))
    cases = {
        "column 1: expected 0, 1 or *, found 2": written(pandas.DataFrame({"a": [2]})),
        "an index of one column, found 2": written(pandas.DataFrame({"a": [1]}, index=levels)),
        "must contain numbers or text, not list": written(pandas.DataFrame({"a": [[1]]})),
        "must contain numbers or text, not timestamp": written(
            pandas.DataFrame({"a": [pandas.Timestamp(0)]})
        ),
        "f.parquet: not a Parquet file": data[:-20],
        "f.parquet: not a Parquet file: ": b"PAR1" + b"x" * 40 + b"PAR1",
        "expected 0, 1 or *, found -1; use f.parquet:signs=yes": written(
            pandas.DataFrame({"a": [-1]})
        ),
    }
    for message, content in cases.items():
        (folder / "f.parquet").write_bytes(content)
        with pytest.raises(UnreadableInputError) as caught:
            parse_problem("@f.parquet")
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


def test_labels_that_may_be_entries_below_an_empty_corner_are_announced(folder):
    (folder / "f.csv").write_text(",True\nFalse,True\n")  # of pandas: labels, or a missing entry
    with pytest.warns(ReadingWarning, match="the first row and column are read as labels"):
        f = parse_problem("@f.csv")
    assert (f.alice, f.bob, f.ones) == (("False",), ("True",), (1,))
    assert parse_problem("@f.csv:header=yes") == f
    with pytest.raises(UnreadableInputError, match="row 1, column 1: expected"):
        parse_problem("@f.csv:header=no,index=no")
