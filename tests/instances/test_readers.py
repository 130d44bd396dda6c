"""Tables in csv, json, npy and npz files, and the one-line errors for invalid files."""

import io
import json
import struct
import subprocess
import sys
import zipfile
from itertools import count

import numpy as np
import pytest

from ccsim.budget import Budget, OutOfTimeError
from ccsim.certificates.files import standard_input
from ccsim.classes import MAX_ENTRIES, thresholds
from ccsim.communication.problem import augmented_index
from ccsim.errors import InstanceTooLargeError, UnreadableInputError
from ccsim.instances import parse_class, parse_instance, parse_problem
from ccsim.texts.files import read_table

pytestmark = pytest.mark.filterwarnings("ignore::ccsim.texts.reading.ReadingWarning")


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Write a file into the current directory and return its name."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def npy_with_header(text, entries=b""):
    header = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + entries


def npz(**arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def refusal(path):
    """Return the message with which a file is refused."""
    with pytest.raises(UnreadableInputError) as caught:
        read_table(path)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("text", "rows", "row_labels", "column_labels", "origin"),
    [
        ("0,1\n1,*\n", ("01", "1*"), None, None, (1, 1)),
        ("a,b\n0,1\n", ("01",), None, ("a", "b"), (2, 1)),
        ("x,0,1\ny,1,1", ("01", "11"), ("x", "y"), None, (1, 2)),
        (",a,b\nx,0,1\ny,1,0", ("01", "10"), ("x", "y"), ("a", "b"), (2, 2)),
        ("concept,a,b\nx,0,1\ny,1,0", ("01", "10"), ("x", "y"), ("a", "b"), (2, 2)),
        (",0,1\n0,0,1\n1,1,0", ("01", "10"), ("0", "1"), ("0", "1"), (2, 2)),
        ("\ufeff0,1\r\n1,1\r\n\r\n\r\n", ("01", "11"), None, None, (1, 1)),
        (' 0 , 1\n"1","0"\n', ("01", "10"), None, None, (1, 1)),
        (',"p,q","r ""s"""\nx,0,1', ("01",), ("x",), ("p,q", 'r "s"'), (2, 2)),
        ("0\n1\n", ("0", "1"), None, None, (1, 1)),
        (",ä\nß,1\n", ("1",), ("ß",), ("ä",), (2, 2)),
        ("a;b\n0;1\n1;*", ("01", "1*"), None, ("a", "b"), (2, 1)),
        ("\ta\tb\nx\t0\t1", ("01",), ("x",), ("a", "b"), (2, 2)),
        (";p,q;r\nx,y;1;0", ("10",), ("x,y",), ("p,q", "r"), (2, 2)),
        ('"p;q",r;s\n0,1', ("01",), None, ("p;q", "r;s"), (2, 1)),
        ("True,FALSE\nfalse,1", ("10", "01"), None, None, (1, 1)),
        ("who;x\nann;true\nbob;false", ("1", "0"), ("ann", "bob"), ("x",), (2, 2)),
        ("0,1,2\n1,1,0\n0,0,1", ("110", "001"), None, ("0", "1", "2"), (2, 1)),
        ("who,0,1,2\nx,1,1,0", ("110",), ("x",), ("0", "1", "2"), (2, 2)),
        ("who,a,b\n0,1,0\n1,0,0\n2,1,1", ("10", "00", "11"), ("0", "1", "2"), ("a", "b"), (2, 2)),
        ("0,1,0\n1,0,0\n2,1,1", ("10", "00", "11"), ("0", "1", "2"), None, (1, 2)),
        ("0.0,1.0\n1.000e+00,0.000e+00", ("01", "10"), None, None, (1, 1)),
        ("0.00e+00 1.00e+00\n1.00e+00 nan\n", ("01", "1*"), None, None, (1, 1)),
        ("  0   1\n  1   1 \n", ("01", "11"), None, None, (1, 1)),
        ("a,b\n0,NA\nNone,1", ("0*", "*1"), None, ("a", "b"), (2, 1)),
    ],
)
def test_csv_headers_and_labels_are_recognised(put, text, rows, row_labels, column_labels, origin):
    table = read_table(put("f.csv", text))
    assert (table.rows, table.row_labels, table.column_labels) == (rows, row_labels, column_labels)
    assert table.origin == origin


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x,a,b\n", "row 2, column 1: expected a row of 0, 1 or *, found the end of the file"),
        ("0,1\n0,a", "row 2, column 2: expected 0, 1 or *, found 'a'"),
        ("0,1\n0", "row 2, column 2: expected 0, 1 or *, found the end of the row"),
        ("0,1\n0,1,1", "row 2, column 3: expected the end of a row of 2 entries, found '1'"),
        ("0,1\n\n1,0", "row 2, column 1: expected 0, 1 or *, found a blank line"),
        ("0,\n1,0", "row 1, column 2: expected 0, 1 or *, found an empty cell"),
        ("x,0,p", "row 1, column 3: expected 0, 1 or *, found 'p'"),
        ("0,1\na,1", "row 2, column 1: expected 0, 1 or *, found 'a'"),
        ("a,1\n0,1", "row 2, column 1: expected a label as in row 1, found '0'"),
        ("a,a\n0,1", "row 1, column 2: expected distinct labels, found 'a' again"),
        (",a\nx,0\nx,1", "row 3, column 1: expected distinct labels, found 'x' again"),
        (",a,\nx,0,1", "row 1, column 3: expected a label, found an empty cell"),
        (",a\n,1\n", "row 2, column 1: expected a label, found an empty cell"),
        (",a\nx,1,0", "row 1, column 3: expected a header of 3 cells, found 2 cells"),
        ("hello", "row 1, column 1: expected 0, 1 or *, found 'hello'"),
        ("0;1\n1;a", "row 2, column 2: expected 0, 1 or *, found 'a'"),
        ("0;1\n1;1;0", "row 2, column 3: expected the end of a row of 2 entries, found '0'"),
        ("0,yes", "row 1, column 2: expected 0, 1 or *, found 'yes'"),
        ('"0,1', "row 1: not comma-separated text: unexpected end of data"),
        (b"0,1\n1,\xff", "row 2, column 2: expected UTF-8 text, found the byte 0xff"),
        (b"\xef\xbb\xbf0\n\xff", "row 2, column 1: expected UTF-8 text, found the byte 0xff"),
        (b"0,1\n\x00,1", "row 2, column 1: expected UTF-8 text, found the byte 0x00"),
        ("  \n ", "the file is empty"),
    ],
)
def test_csv_mistakes_are_named_by_row_and_column(put, content, message):
    assert refusal(put("f.csv", content)).startswith(f"f.csv: {message}")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("[[0, 1], [1, 0]]", ("01", "10")),
        ('["01", "1*"]', ("01", "1*")),
        ('[[0, "*"], [null, 1]]', ("0*", "*1")),
        ("[[0, 1.0], [false, true], [NaN, 1e0]]", ("01", "01", "*1")),
        ('[["0", "1"], ["True", "NA"]]', ("01", "1*")),
        ('[{"a": 0, "b": 1}, {"b": 0, "a": 1}]', ("01", "10")),
        ('{"columns": ["a", "b"], "index": [5], "data": [[0, 1]]}', ("01",)),
        ('{"matrix": [[0, 1]]}', ("01",)),
        ("[]", ()),
    ],
)
def test_json_rows_may_be_lists_or_texts(put, text, rows):
    assert read_table(put("f.json", text)).rows == rows


def test_json_labels_say_whether_a_table_is_a_class(put):
    named = read_table(put("f.json", '{"rows": ["01"], "points": ["a", 7], "concepts": ["c"]}'))
    assert (named.row_labels, named.column_labels, named.kind) == (("c",), ("a", 7), "class")
    sides = read_table(put("f.json", '{"rows": ["01"], "bob": ["a", "b"], "name": "g"}'))
    assert (sides.row_labels, sides.column_labels, sides.kind) == (None, ("a", "b"), "problem")
    assert sides.name == "g"


def test_instance_of_a_certificate_is_read_back(put):
    envelope = {"format": 1, "kind": "vc_dimension", "statement": {}, "lower": None, "upper": None}
    for instance in (thresholds(2), augmented_index(2)):
        text = json.dumps({**envelope, "instance": instance.to_json()})
        again = parse_instance("@" + put("f.json", text))
        assert again == instance
        assert again.name == instance.name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[0, 2]]", "row 1, column 2: expected 0, 1 or *, found 2"),
        ("[[0, 1e-400]]", "row 1, column 2: expected 0, 1 or *, found '1e-400'"),
        ('[[0, "yes"]]', "row 1, column 2: expected 0, 1 or *, found 'yes'"),
        (
            "[[0, 1], [-1, 1]]",
            "row 2, column 1: expected 0, 1 or *, found -1; write * for an entry",
        ),
        ('{"a": {"0": 1}}', "expected a table by rows, found columns or labels"),
        ('{"a": [0], "b": [1]}', "expected a table by rows, found columns or labels"),
        ('{"schema": {}, "data": [{"index": 0, "a": 1}]}', "expected a table with a schema"),
        ('[{"a": 0}, {"b": 1}]', "row 2 must have the same keys as row 1"),
        ('{"columns": [0, 1], "index": [0], "data": [[1]]}', "columns labels must have 1 entry"),
        ("[[0, [1]]]", "row 1, column 2: expected 0, 1 or *, found [1]"),
        ("[[0, 1], [1]]", "row 2, column 2: expected 0, 1 or *, found the end of the row"),
        ('["0a"]', "row 1, column 2: expected 0, 1 or *, found 'a'"),
        ("[3]", "row 1: expected a list of entries or a string, found 3"),
        ("3", "expected a list of rows or an object with rows, found 3"),
        ("{}", "expected exactly one of the keys rows and matrix"),
        ('{"rows": [], "matrix": []}', "expected exactly one of the keys rows and matrix"),
        ('{"rows": ["0"], "row": 1}', "unknown key 'row'"),
        ('{"instance": {"rows": ["0"]}, "extra": 1}', "unknown key 'extra'"),
        ('{"instance": {"type": "matrix game", "payoff": []}}', "unknown key 'payoff'"),
        ('{"rows": ["0"], "type": "game"}', "type must be one of concept class, partial"),
        (
            '{"rows": ["0"], "type": "concept class", "bob": [1]}',
            "a concept class must not have the labels",
        ),
        ('{"rows": ["0"], "points": [1], "alice": [1]}', "labels of a class"),
        ('{"rows": ["00"], "points": ["a", "a"]}', "points: labels must be distinct, but 'a'"),
        ('{"rows": ["00"], "points": ["a"]}', "points: labels must have 2 entries, not 1"),
        ('{"rows": ["00"], "points": "ab"}', "points must be a list of labels, not 'ab'"),
        ('{"rows": ["0"], "points": [true]}', "points: labels must be integers or text, not True"),
        ('{"rows": ["0"], "name": 3}', "name must be text, not 3"),
        ('{"rows": ["0"], "rows": ["1"]}', "not usable JSON: key 'rows' occurs twice"),
        ('{"' + "9" * 6000 + '": ' + "7" * 5000 + "}", "numbers must have at most 4000 digits"),
        ("[" * 5000 + "]" * 5000, "nested 5000 levels deep; the limit is 64"),
        ("[[0, 1],", "row 1, column 9: not JSON"),
    ],
)
def test_json_mistakes_are_one_line(put, text, message):
    assert refusal(put("f.json", text)).startswith(f"f.json: {message}")


@pytest.mark.parametrize(
    "array",
    [
        np.array([[0.0, 1.0], [1.0, np.nan]]),
        np.array([[0.0, 1.0], [1.0, np.nan]], dtype=">f4"),
        np.array([["0.0", "True"], ["1", "nan"]]),
        np.array([["0", "1"], ["1", "*"]]),
        np.array([[b"0", b"1"], [b"1", b"*"]]),
    ],
)
def test_npy_arrays_of_numbers_and_text_are_read(put, array):
    assert read_table(put("f.npy", npy(array))).rows == ("01", "1*")


def test_npy_arrays_stored_by_columns_are_read_by_rows(put):
    array = np.asfortranarray(np.array([[0, 1, 1], [0, 0, 0]], dtype=np.int8))
    assert read_table(put("f.npy", npy(array))).rows == ("011", "000")


def test_npy_truth_values_and_empty_arrays_are_read(put):
    assert read_table(put("f.npy", npy(np.array([[False, True, True]])))).rows == ("011",)
    empty = parse_class("@" + put("f.npy", npy(np.zeros((0, 3), dtype=int))))
    assert (len(empty.concepts), len(empty.points)) == (0, 3)


HUGE = "{'descr': '|i1', 'fortran_order': False, 'shape': (1000000000, 1000000000), }"
SHORT = "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2), }"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (npy(np.array([[0, 2]])), "row 1, column 2: expected 0, 1 or *, found 2"),
        (npy(np.array([[0, np.inf]])), "row 1, column 2: expected 0, 1 or *, found inf"),
        (npy(np.array([[255]], np.uint8)), "row 1, column 1: expected 0, 1 or *, found 255"),
        (
            npy(np.array([[1, -1]])),
            "row 1, column 2: expected 0, 1 or *, found -1; use f.npy:signs=yes",
        ),
        (npy(np.array([[0, 1, -1]])), "row 1, column 3: expected 0, 1 or *, found -1; write * for"),
        (npy(np.array([["0"], ["x"]])), "row 2, column 1: expected 0, 1 or *, found 'x'"),
        (
            npy(np.array([[0, "x"]], dtype=object)),
            "expected numbers or text, found Python objects; pickles are not",
        ),
        (npy(np.zeros((1, 1), dtype=[("a", "i4")])), "not the header of a plain array"),
        (npy(np.zeros((1, 1), dtype=complex)), "expected numbers or text, found an array of type"),
        (npy(np.zeros(3)), "expected 2 dimensions, found 1"),
        (npy(np.zeros((1, 1, 1))), "expected 2 dimensions, found 3"),
        (
            npy_with_header(SHORT, b"\0" * 31),
            "expected 32 bytes of entries, as the header states, found 31",
        ),
        (
            npy_with_header(SHORT, b"\0" * 40),
            "expected 32 bytes of entries, as the header states, found 40",
        ),
        (npy_with_header("-" * 100 + "1"), "not the header of a plain array"),
        (npy_with_header("{'descr': '<i3', 'fortran_order': False, 'shape': (1, 1), }"), "not the"),
        (b"\x93NUMPY", "not an npy file"),
        (b"\x80\x04K\x01.", "not an npy file"),
    ],
)
def test_npy_mistakes_are_one_line(put, data, message):
    assert refusal(put("f.npy", data)).startswith(f"f.npy: {message}")


def test_sizes_in_a_header_are_refused_before_memory_is_filled(put):
    with pytest.raises(InstanceTooLargeError, match=f"limit is {MAX_ENTRIES}"):
        read_table(put("f.npy", npy_with_header(HUGE)))
    with zipfile.ZipFile(put("f.npz", b"x"), "w") as archive:
        archive.writestr("matrix.npy", npy_with_header(HUGE))
    with pytest.raises(InstanceTooLargeError, match=f"limit is {MAX_ENTRIES}"):
        read_table("f.npz")


def test_npz_labels_are_read(put):
    matrix = np.array([[0, 1], [1, 1]])
    data = npz(matrix=matrix, points=np.array(["a", "b"]), concepts=np.array([5, 6]))
    table = read_table(put("f.npz", data))
    assert (table.rows, table.row_labels, table.column_labels) == (("01", "11"), (5, 6), ("a", "b"))
    assert table.kind == "class"
    assert read_table(put("f.npz", npz(only=matrix))).rows == ("01", "11")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (npz(a=np.eye(2), b=np.eye(2)), "expected one array named matrix"),
        (npz(points=np.array([1])), "expected one array named matrix"),
        (npz(matrix=np.eye(2), points=np.array([1.0, 2.0])), "points: labels must be integers or"),
        (npz(matrix=np.eye(2), points=np.array([1])), "points: labels must have 2 entries, not 1"),
        (npz(matrix=np.eye(2), points=np.array([[1]])), "points: expected 1 dimensions, found 2"),
        (npz(matrix=np.array([[None]])), "matrix: expected numbers or text, found Python objects"),
        (b"PK\x03\x04 nothing", "not an npz file"),
        (npz(matrix=np.eye(2))[:-30], "not an npz file"),
    ],
)
def test_npz_mistakes_are_one_line(put, data, message):
    assert refusal(put("f.npz", data)).startswith(f"f.npz: {message}")


def with_declared_size(data, size):
    """Return a zip file that declares another unpacked size for its first member."""
    entry = data.index(b"PK\x01\x02")
    return data[: entry + 24] + struct.pack("<I", size) + data[entry + 28 :]


def test_npz_is_not_unpacked_beyond_the_size_that_it_declares(put):
    data = npz(matrix=np.zeros((100, 100)))
    with pytest.raises(InstanceTooLargeError, match="unpacks to 4000000000 bytes"):
        read_table(put("f.npz", with_declared_size(data, 4_000_000_000)))
    assert "f.npz" in refusal(put("f.npz", with_declared_size(data, 1000)))


def test_npz_compressed_otherwise_than_by_numpy_is_refused(put):
    with zipfile.ZipFile(put("f.npz", b"x"), "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("matrix.npy", npy(np.eye(2)))
    assert "compression method is not supported" in refusal("f.npz")


def test_missing_files_directories_and_unknown_endings_are_refused(put, tmp_path):
    assert refusal("none.csv") == "none.csv: no such file"
    (tmp_path / "d.csv").mkdir()
    assert refusal("d.csv") == "d.csv: not a regular file"
    assert "must end in .csv, .tsv, .txt, .dat, .edgelist, .adjlist, .json" in refusal(
        put("f.xyz", "0,1")
    )
    assert "name of a file" in refusal("")


def test_too_many_csv_entries_are_refused_at_the_row_where_they_exceed_the_limit(put, monkeypatch):
    monkeypatch.setattr("ccsim.texts.labels.MAX_ENTRIES", 5)
    with pytest.raises(InstanceTooLargeError, match=r"f.csv has 3 x 2 entries; the limit is 5"):
        read_table(put("f.csv", "0,1\n1,0\n0,0\n" + "a\n" * 10))


def test_equal_rows_of_a_class_are_merged_and_counted(put):
    C = parse_class("@" + put("f.csv", ",a,b\nx,0,1\ny,1,1\nz,0,1\n"))
    assert (C.concepts, C.points, C.rows, C.merged) == (("x", "y"), ("a", "b"), (2, 3), 1)


def test_rows_of_a_problem_may_repeat(put):
    f = parse_problem("@" + put("f.csv", "0,1\n0,1\n"))
    assert (f.ones, f.promise) == ((2, 2), (3, 3))


def test_star_is_refused_where_a_class_is_needed(put):
    name = put("f.csv", ",a,b\nx,0,1\ny,1,*\n")
    with pytest.raises(
        UnreadableInputError, match=r"^f.csv: row 3, column 3: a concept class must"
    ):
        parse_class("@" + name)
    problem = parse_instance("@" + name)
    assert [problem.value(1, y) for y in range(2)] == [1, None]


def test_problem_without_a_promised_entry_is_refused(put):
    with pytest.raises(UnreadableInputError, match=r"^f.csv: at least one pair of inputs"):
        parse_problem("@" + put("f.csv", "*,*\n"))


def test_json_with_too_many_lists_is_refused_before_it_is_parsed(monkeypatch, tmp_path):
    from ccsim.certificates.files import read_json

    monkeypatch.setattr("ccsim.certificates.files.MAX_LISTS", 100_000)
    file = tmp_path / "many.json"
    file.write_text("[" + "[]," * 100_000 + "[]]")
    with pytest.raises(UnreadableInputError, match="lists and objects are above the limit"):
        read_json(file)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("f.csv", "0,1\n1,0\n1,1\n0,0\n"),
        ("f.json", '{"rows": ["01", "10", "11", "00"]}'),
        ("f.npy", npy(np.array([[0, 1], [1, 0], [1, 1], [0, 0]]))),
        ("f.npz", npz(matrix=np.array([[0, 1], [1, 0], [1, 1], [0, 0]]))),
    ],
)
def test_reading_ends_with_the_time_at_whichever_step_it_is_over(put, name, data):
    path = put(name, data)
    steps = 0
    while True:
        budget = Budget(steps, clock=count().__next__)
        try:
            C = parse_class("@" + path, time_limit=budget)
            break
        except OutOfTimeError:
            steps += 1
    assert C.rows == (2, 1, 3, 0)
    assert steps > 6  # each row is a step of reading, and one of what it means


class Standard:
    """Standard input with the given bytes."""

    def __init__(self, data):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize(
    "data",
    [
        b"0,1\n1,1\n",
        b"0;True\nTRUE;1",
        b" [[0, 1], [1, 1]]",
        b'\xef\xbb\xbf["01", "11"]',
        npy(np.array([[0, 1], [1, 1]])),
        npz(matrix=np.array([[0, 1], [1, 1]])),
    ],
)
def test_standard_input_is_read_in_any_format_and_once(monkeypatch, data):
    standard_input.cache_clear()
    monkeypatch.setattr("sys.stdin", Standard(data))
    C = parse_class("@-")
    assert (C.rows, C.name) == ((2, 3), "standard input")
    assert parse_problem("@-").ones == (2, 3)  # what was read is kept
    standard_input.cache_clear()


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        (None, "-: standard input is closed"),
        (Standard(b" \n"), "-: standard input is empty"),
        (Standard(b"0,1\n0,a"), "-: row 2, column 2: expected 0, 1 or *, found 'a'"),
    ],
)
def test_mistakes_in_standard_input_are_one_line(monkeypatch, stream, message):
    standard_input.cache_clear()
    monkeypatch.setattr("sys.stdin", stream)
    with pytest.raises(UnreadableInputError) as caught:
        parse_instance("@-")
    assert str(caught.value) == message
    standard_input.cache_clear()


def test_a_long_standard_input_is_refused(monkeypatch):
    standard_input.cache_clear()
    monkeypatch.setattr("ccsim.certificates.files.MAX_FILE_BYTES", 3)
    monkeypatch.setattr("sys.stdin", Standard(b"0,1\n"))
    with pytest.raises(UnreadableInputError, match="exceeds the limit of 3 bytes"):
        parse_instance("@-")
    standard_input.cache_clear()


def test_the_command_reads_standard_input():
    shown = subprocess.run(
        [sys.executable, "-m", "ccsim", "dimensions", "@-"],
        input="x;y\nTrue;False\nFalse;True\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "standard input: 2 concepts over 2 points" in shown.stdout
