"""Unreadable sets, pairs, sheets and sparse matrices are refused with a remedy."""

import gzip
import io
import json
import zipfile

import numpy as np
import pytest

from ccsim.errors import InstanceTooLargeError, UnreadableInputError
from ccsim.instances import parse_class, parse_instance
from ccsim.texts.reading import listening
from tests.instances.test_readers import with_declared_size


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(folder, name, content):
    """Return the instance, and the assumptions."""
    data = content if isinstance(content, bytes) else content.encode()
    (folder / name.partition(":")[0]).write_bytes(data)
    readings = []
    with listening(readings.append):
        found = parse_instance(f"@{name}")
    return found, [guess.partition(": ")[2] for guess in readings[0].guesses]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "f.txt",
            "1 2\n1 3\n4 5\n",
            "row 1, column 2: expected 0, 1 or *, found '2'; use f.txt:head",
        ),
        ("f.txt", "1 2 5\n3 9\n", "row 1, column 2: * form=pairs|sets to read each line as"),
        (
            "f.csv",
            "a,b\nb,c\n",
            "'b' occurs in both columns; use f.csv:form=pairs for concepts and",
        ),
        ("f.csv", "ann,1\nbob,0\ncid,2\n", "row 3, column 2: expected 0, 1 or *, found '2'"),
        ("f.csv", ",fruit\n0,fig\n1,plum\n", "row 2, column 2: * f.csv:form=pairs|sets to read"),
        (
            "f.csv:form=pairs",
            "a,b\nc\n",
            "row 2, column 2: expected a concept, a point and",
        ),
        ("f.csv:form=pairs", "a,b\nc,\n", "row 2, column 2: expected a label, found an empty cell"),
        ("f.csv:form=pairs", "a,b,1\nc,d,2\n", "row 2, column 3: expected 0, 1 or *, found '2'"),
        ("f.csv", "a,x,1\na,y,0\nb,x,1\n", "expected an entry for every pair"),
        (
            "f.csv",
            "a,x,1\na,x,0\n",
            "row 2, column 1: expected one entry for each pair, found 'a'",
        ),
        ("f.txt:form=sets", "a: x\nb\n", "row 2, column 1: expected a name before a colon, found"),
        ("f.txt:form=sets", "a: x\na: y\n", "row 2, column 1: expected distinct names, found 'a'"),
        (
            "f.txt:form=sets",
            "a b\n# c\nd\n",
            "row 2, column 1: expected comments only above the rows",
        ),
        ("f.txt", "x: 0 1\ny: 1\n", "row 2, column 3: * form=pairs|sets to read each line"),
        ("f.txt", "# all\n# comments\n", "expected rows, found only comments"),
        ("f.csv:form=rows", "a,b\n", "form=rows requires a JSON object"),
        ("f.csv:form=set", "a,b\n", "form must be matrix, pairs, sets, edges, adjacency, rows or"),
        ("f.npy:form=sets", "x", "the option form is allowed only for text files"),
        ("f.json:header=yes", "[[0]]", "the option header is allowed only for text files"),
        ("f.json", "[[3,5],[1,2,7]]", "row 1, column 1: * f.json:form=sets to read each list as"),
        (
            "f.json",
            '{"a": [0], "b": [1]}',
            "expected a table by rows, found columns or labels; * form=rows|columns",
        ),
        (
            "f.json",
            '{"a": ["x", null]}',
            "expected a table by rows, found columns or labels; * form=sets to read",
        ),
        ("f.json:form=sets", '[["x", 1.5, true]]', "list 1: expected labels, found true"),
        ("f.json:form=rows", '{"a": [0, 1], "b": [1]}', "expected rows of equal length"),
        ("f.jsonl", '{"a": 1}\n{"a": 1\n', "row "),
        ("f.jsonl", '{"a": 1}\n{"b": 1}\n', "row 2 must have the same keys as row 1"),
        ("f.txt", "[[0 1 ... 1]]", "row 1, column 3: expected 0, 1 or *, found '...'"),
        ("f.txt", "[[0, 1], [1, 0]", "expected a matrix in brackets, such as [0 1; 1 0] or"),
        (
            "f.csv.gz",
            gzip.compress(b"0,1\n1,1\n", mtime=0)[:-5],
            "not a gzip file: Compressed file ended",
        ),
        ("f.csv.gz", gzip.compress(b" \n", mtime=0), "the file is empty"),
        ("f.csv", "0,1\n1,1\n".encode("utf-16")[:-1], "not UTF-16 text"),
        ("f.feather", "x", "the file name must end in .csv, .tsv, .txt, .dat"),
        ("f.mtx", "2 2 1\n1 1\n", "row 1, column 1: expected %%MatrixMarket matrix"),
        ("f.npz", "PK", "not an npz file"),
        ("f.csv", b"PK\x03\x04\xff", "expected text, found a zip archive; * end in .xlsx"),
        (
            "f.csv",
            ",a,b\nx,yes,no\n",
            "row 2, column 2: expected 0, 1 or *, found 'yes'; write * 0",
        ),
        (
            "f.csv:form=pairs",
            ",a,b\nx,yes,no\n",
            "row 2, column 1: expected the number of the line, found 'x'; * f.csv:index=yes",
        ),
        (
            "f.json",
            '{"directed": false, "nodes": [{"id": 0}], "adjacency": [[]]}',
            "expected a graph in the format of networkx.node_link_data",
        ),
        (
            "f.txt",
            "{'a': {'b'}, 'c': {'d', 'e'}}\n",
            "row 1, column 1: expected one set * json.dump",
        ),
        (
            "f.txt:sets=cuts,form=adjacency",
            "# of networkx\na 1\nb {}\nb 0\n",
            "row 3, column 2: expected vertices without data, found '{}'; * write_adjlist",
        ),
        ("f.txt:sets=cuts", "a b 3\nb c 4\n", "row 1, column 3: expected two * without weights"),
        ("f.jsonl", '{"of": "a", "has": ["b", "c"]}\n', "row 1, column 1: * a list for each name"),
        (
            "f.jsonl:form=pairs",
            '{"of": "a", "has": ["b", "c"]}\n',
            'row 1, \'has\': expected a label or an entry, found ["b", "c"]; * for each name',
        ),
        (
            "f.csv",
            "a,b\n0,\n0,1\n",
            "row 2, column 2: expected 0, 1 or *, found an empty cell; write * outside the promise",
        ),
        ("f.csv", "a,b\n\n0,1\n", "row 2, column 1: * a blank line; remove it"),
        (
            "f.txt:form=sets",
            "a b\n\nb c\n",
            "row 2, column 1: expected a set, found a blank line; * write {} for the empty set",
        ),
        ("f.json", '[[0, 1], {"a": null}]', 'row 2: expected a list * found {"a": null}'),
        ("f.json", "[[0, 1], true]", "row 2: expected a list * found true"),
        ("f.json", "[[0, 1], [1", "row 1, column 12: not JSON: * a comma or a closing bracket"),
        ("f.csv", "a\xe9,b\n0,1\n".encode("latin-1"), "row 1, column 1: * save the file as UTF-8"),
    ],
)
def test_mistakes_are_one_line_with_the_place_and_the_way_out(folder, name, content, message):
    with pytest.raises(UnreadableInputError) as caught:
        read(folder, name, content)
    start, _, rest = message.partition(" * ")
    assert str(caught.value).startswith(f"{name.partition(':')[0]}: {start}")
    assert rest in str(caught.value)
    assert "\n" not in str(caught.value)


HEADER = "%%MatrixMarket matrix"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("coordinate complex general\n1 1 1\n1 1 1 0", "row 1, column 1: expected %%MatrixMarket"),
        (
            "coordinate pattern general\n2 2 1\n1 3\n",
            "row 3, column 1: expected a position in 2 x 2",
        ),
        ("coordinate pattern general\n2 2 2\n1 2\n", "expected 2 entries, found 1"),
        (
            "coordinate pattern general\n2 2 1\n1 2\n2 2\n",
            "row 4, column 1: expected the end",
        ),
        (
            "coordinate pattern general\n2 2 2\n1 2\n1 2\n",
            "row 4, column 1: expected one entry for each position",
        ),
        (
            "coordinate integer general\n2 2 1\n1 2\n",
            "row 3, column 1: expected row, column and value, found 2",
        ),
        ("coordinate real general\n2 2 1\n1 2 0.5\n", "row 3, column 1: expected 0, 1 or *, found"),
        ("coordinate real symmetric\n2 3 1\n1 2 1\n", "row 2, column 1: expected a square matrix"),
        ("coordinate pattern general\n2 -2 1\n1 2\n", "row 2, column 1: expected an integer of at"),
        ("array integer general\n2 1\n1\n", "expected 2 entries, found 1"),
        ("array pattern general\n2 1\n1\n", "row 2, column 1: expected 2 sizes"),
    ],
)
def test_mistakes_in_matrix_market_are_named_by_row(folder, text, message):
    with pytest.raises(UnreadableInputError) as caught:
        read(folder, "f.mtx", f"{HEADER} {text}")
    assert str(caught.value).startswith(f"f.mtx: {message}")


def test_symmetric_and_signed_matrices_of_the_matrix_market(folder):
    found, _ = read(folder, "f.mtx", f"{HEADER} coordinate real symmetric\n% c\n2 2 1\n2 1 1.0e0\n")
    assert found.rows == (2, 1)
    found, _ = read(folder, "f.mtx:signs=yes", f"{HEADER} array integer general\n2 1\n-1\n1\n")
    assert found.rows == (1, 0)


@pytest.mark.parametrize(
    ("name", "content", "rows", "guesses"),
    [
        ("f.txt", "ann fig\nann plum\nbob plum\n", ["11", "01"], ["not as a set of two"]),
        ("f.txt", "ann fig\nbob plum\n", ["10", "01"], ["not as a header", "not as a set of two"]),
        ("f.csv", "who,what,value\na,x,1\na,y,0\nb,x,0\nb,y,1\n", ["10", "01"], []),
        ("f.csv", "id,item\n7,20\n7,30\n8,30\n", ["11", "01"], ["not as a set of two"]),
        (
            "f.txt",
            "x: 0 1 1\ny: 1 0 0\n",
            ["011", "100"],
            ["not as a set"],
        ),
        ("f.txt", "x:\ny: p\n", ["0", "1"], []),
        ("f.txt", "x: {}\ny: {p, q}\n", ["00", "11"], []),
        ("f.txt:form=sets", "1 2\n10\n2 10\n", ["110", "001", "011"], []),
        ("f.txt", "# made by a program\n0 1 1\n1 1 1\n0 1 1", ["011", "111"], []),
        ("f.txt", "#a b\n0 0\n1 1\n1 1", ["00", "11"], ["row 1 is ignored as a comment"]),
        ("f.json", '[["a", "b"], ["c", "d"]]', ["1100", "0011"], ["not as a concept and a point"]),
        ("f.json", '[["a"], [], ["b", "a"]]', ["10", "00", "11"], []),
        ("f.json", '{"bob": ["x"], "ann": ["y"]}', ["10", "01"], []),
        ("f.json:form=sets", '{"a": [0, 1], "b": [1]}', ["11", "01"], []),
        ("f.jsonl", '["a", "b"]\n\n["c"]\n', ["110", "001"], []),
        ("f.csv", '"a" "b"\n"1" 0 1\n"2" 1 0\n', ["01", "10"], []),
    ],
)
def test_assumptions_are_announced(folder, name, content, rows, guesses):
    found, announced = read(folder, name, content)
    assert found.to_json()["rows"] == rows
    assert len(announced) == len(guesses)
    assert all(part in guess for part, guess in zip(guesses, announced, strict=True))


def test_entries_outside_the_promise_may_stand_in_pairs(folder):
    f, _ = read(folder, "f.csv", "alice,bob,value\nx,u,1\nx,v,*\ny,u,0\ny,v,1\n")
    assert (f.alice, f.bob, f.ones, f.promise) == (("x", "y"), ("u", "v"), (1, 2), (1, 3))
    with pytest.raises(
        UnreadableInputError, match=r"^f.csv: 'x', 'v': a concept class must have 0 or 1"
    ):
        parse_class("@f.csv")


@pytest.mark.parametrize("name", ["f.csv.gz", "f.npz", "f.xlsx"])
def test_what_unpacks_beyond_the_limit_is_refused(folder, name, monkeypatch):
    monkeypatch.setattr("ccsim.texts.unpacked.MAX_FILE_BYTES", 1000)
    if name == "f.xlsx":
        pytest.importorskip("openpyxl")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", b"0" * 10**6)
    data = stream.getvalue() if name != "f.csv.gz" else gzip.compress(b"0,1\n" * 10**5)
    with pytest.raises(InstanceTooLargeError, match=r"unpack.* limit .*1000"):
        read(folder, name, data)
    if name != "f.csv.gz":
        with pytest.raises(UnreadableInputError, match="not an "):
            read(folder, name, with_declared_size(data, 10))


def test_excel_files_with_two_sheets_or_gaps_are_refused(folder):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    for row in ([None, "a", "b"], ["x", True, 0], ["y", False, 1.0]):
        sheet.append(row)
    book.create_sheet("empty")
    book.save("f.xlsx")
    assert parse_class("@f.xlsx").to_json()["rows"] == ["10", "01"]
    sheet["C4"] = ""
    book.save("f.xlsx")
    with pytest.raises(UnreadableInputError, match=r"row 4, column 2: .* found an empty cell"):
        parse_class("@f.xlsx")
    sheet.delete_rows(4)
    sheet.append([])
    sheet.append(["z", 1, 1])
    book.save("f.xlsx")
    with pytest.raises(UnreadableInputError, match=r"row 4 is empty, but rows below it are not"):
        parse_class("@f.xlsx")
    book.create_sheet("more").append([1])
    sheet.delete_rows(4)
    book.save("f.xlsx")
    with pytest.raises(UnreadableInputError, match=r"found 2: Sheet, more; save the intended"):
        parse_class("@f.xlsx")
    for data in (b"PK junk", b"hello"):
        with pytest.raises(UnreadableInputError, match=r"^f.xlsx: not an xlsx file: "):
            read(folder, "f.xlsx", data)


def sparse_file(**arrays):
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


PARTS = {
    "format": np.array(b"csr"),
    "shape": np.array([2, 2]),
    "data": np.array([1, 1]),
    "indices": np.array([0, 1]),
    "indptr": np.array([0, 1, 2]),
}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": np.array(b"bsr")}, "expected a sparse matrix of format csr, csc or coo"),
        (
            {"row": np.array([0])},
            "a sparse matrix of format csr must have exactly the members data",
        ),
        ({"indices": np.array([0, 2])}, "every entry must be inside the matrix"),
        ({"indices": np.array([0])}, "every entry must be inside the matrix"),
        ({"indptr": np.array([0, 3, 2])}, "indptr must increase from 0 to the number of entries"),
        ({"indptr": np.array([0, 2, 2]), "indices": np.array([1, 1])}, "an entry occurs twice"),
        ({"data": np.array([1, 2])}, "row 2, column 2: expected 0, 1 or *, found 2"),
        ({"data": np.array(["1", "1"])}, "expected numeric entries with integer indices"),
        ({"shape": np.array([2])}, "expected 2 dimensions"),
    ],
)
def test_sparse_matrices_that_are_none_are_one_line(folder, changed, message):
    found, _ = read(folder, "f.npz", sparse_file(**PARTS))
    assert found.rows == (1, 2)
    with pytest.raises(UnreadableInputError) as caught:
        read(folder, "f.npz", sparse_file(**PARTS | changed))
    assert str(caught.value).startswith(f"f.npz: {message}")
    huge = sparse_file(**PARTS | {"shape": np.array([10**9, 10**9])})
    with pytest.raises(InstanceTooLargeError, match=r"1000000000 x 1000000000"):
        read(folder, "f.npz", huge)


def test_sides_above_the_limit_are_refused_while_they_are_read(folder, monkeypatch):
    monkeypatch.setattr("ccsim.texts.labels.MAX_ENTRIES", 5)
    pairs = "".join(f"c{i},p{i}\n" for i in range(4))
    for name, text in (
        ("f.csv:form=pairs,header=no", pairs),
        ("f.csv:form=sets", pairs),
        ("f.json", json.dumps([line.split(",") for line in pairs.split()])),
    ):
        with pytest.raises(InstanceTooLargeError, match="the limit is 5 in all"):
            read(folder, name, text)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("f.txt", "p: a\nq: c\nr: b, c\n"),
        ("f.txt", "p: a\nq: c\nr: b,c\n"),
        ("f.txt:form=sets", "{a}\n{c}\n{b, c}\n"),
        ("f.csv:form=sets", "a\nc\nb;c\n"),
        (
            "f.csv:form=pairs",
            ",,0\np,a,1\np,b,0\np,c,0\nq,a,0\nq,b,0\nq,c,1\nr,a,0\nr,b,1\nr,c,1\n",
        ),
        ("f.edgelist:form=pairs", "p a\nq c\nr b\nr c\n"),
        (
            "f.json",
            json.dumps(
                {
                    "nodes": [{"id": v, "bipartite": int(v in "abc")} for v in "pqrabc"],
                    "edges": [{"source": v, "target": w} for v, w in ("pa", "qc", "rb", "cr")],
                }
            ),
        ),
    ],
)
def test_sets_whose_first_lines_do_not_show_their_form_are_read_as_meant(folder, name, content):
    C, _ = read(folder, name, content)
    assert (C.points, C.rows) == (("a", "b", "c"), (1, 4, 6))


def test_commas_in_labels_do_not_separate_a_matrix_of_blanks(folder):
    C, _ = read(folder, "f.txt", "p 0 1\nq 1 1\nr,s 1 0\n")
    assert (C.concepts, C.rows) == (("p", "q", "r,s"), (2, 3, 1))
