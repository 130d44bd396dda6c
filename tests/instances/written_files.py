"""Random small files as users write them, with the matrices that they represent.

`python -m tests.instances.written_files NUMBER SEED` writes files with numpy, pandas, csv and json,
in all formats, encodings and types, and reads them. Each file must be read correctly or refused. If
it is read incorrectly, the reading must be announced as a guess, and with the options named in this
announcement it must be read correctly.
"""

from __future__ import annotations

import csv
import io
import json
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ccsim import CommunicationProblem
from ccsim.errors import CcsimError
from ccsim.instances import parse_problem
from ccsim.texts.reading import listening

try:
    import pandas as pd
except ImportError:
    pd = None
try:
    import pyarrow
except ImportError:
    pyarrow = None

try:
    import openpyxl
except ImportError:
    openpyxl = None
try:
    import scipy.io as scipy_io
    import scipy.sparse as scipy_sparse
except ImportError:
    scipy_io = None


@dataclass
class Written:
    """A file, and the matrix that it represents."""

    name: str
    data: bytes
    values: list[list[int | None]]
    rows: list[str] | None = None
    """Labels as text, where the file has them."""
    columns: list[str] | None = None
    signs: bool = False
    header: bool | None = None
    """Whether the first row is a header, of a text."""
    index: bool | None = None
    how: str = ""
    must_read: bool = False
    matrix: object = None
    """What is given in memory, where there is no file."""


LABELS = (
    "a",
    "b c",
    "x",
    "NA",
    "ann",
    "Zoe",
    "é",
    "10",
    "p,q",
    "0",
    "1",
    "True",
    "-1",
    "2.5",
    " s",
)


def values_of(rng, *, stars):
    height, width = rng.choice((1, 1, 2, 2, 3, 4, 5)), rng.choice((1, 2, 2, 3, 4, 5))
    entries = [0, 1, None] if stars else [0, 1]
    return [[rng.choice(entries) for _ in range(width)] for _ in range(height)]


def labels_of(rng, number):
    """Return usual labels: numbers, texts, truth values, or unusual ones."""
    kind = rng.randrange(6)
    if kind <= 1:
        return list(range(number))
    if kind == 2:
        return list(range(1, number + 1))
    if kind == 3 and number <= 2:
        return [False, True][:number]
    if kind == 4:
        return [f"v{i}" for i in range(number)]
    return rng.sample(LABELS, number)


def as_array(rng, values, *, signs):
    """Return an array with the values, in one of numpy's types."""
    missing = any(entry is None for row in values for entry in row)
    low, high = (1, -1) if signs else (0, 1)
    if missing:
        table = [[np.nan if e is None else high if e else low for e in row] for row in values]
        if rng.random() < 0.3:
            text = [["*" if e is None else str(high if e else low) for e in row] for row in values]
            return np.array(text, rng.choice(("U3", "S3")))
        return np.array(table, rng.choice(("f2", "f4", "f8", ">f4", ">f8", "g")))
    table = [[high if e else low for e in row] for row in values]
    types = ["i1", "i2", "i4", "i8", ">i2", ">i8", "f2", "f4", ">f8", "g", "U2", "S2", "O", "c8"]
    if not signs:
        types += ["?", "u1", "u4", ">u8", "M8[s]", "m8[s]"]
    kind = rng.choice(types)
    return np.array([[str(e) for e in row] for row in table] if kind[0] in "US" else table, kind)


def npy(rng, values, signs):
    array = as_array(rng, values, signs=signs)
    if rng.random() < 0.3:
        array = np.asfortranarray(array)
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    plain = array.dtype.kind in "biufUS"
    return Written("f.npy", stream.getvalue(), values, signs=signs, how=f"npy {array.dtype}",
                   must_read=plain)  # fmt: skip


def npz(rng, values, signs):
    array, stream = as_array(rng, values, signs=signs), io.BytesIO()
    extra, rows, columns = {}, None, None
    if rng.random() < 0.5:
        rows = labels_of(rng, len(values))
        extra["concepts"] = np.array(
            rows if len({type(r) for r in rows}) == 1 else list(map(str, rows))
        )
        columns = labels_of(rng, len(values[0]))
        extra["points"] = np.array(list(map(str, columns)))
    save = rng.choice((np.savez, np.savez_compressed))
    save(stream, **{rng.choice(("matrix", "arr_0")): array}, **extra)
    return Written("f.npz", stream.getvalue(), values, rows and list(map(str, rows)),
                   columns and list(map(str, columns)), signs,
                   how=f"npz {array.dtype}")  # fmt: skip


def savetxt(rng, values, signs):
    array = as_array(rng, values, signs=signs)
    stream = io.BytesIO()
    numeric = array.dtype.kind in "iufb"
    form = rng.choice(("%.18e", "%d", "%g", "%5.1f", "%s")) if numeric else "%s"
    if form == "%d" and any(e is None for row in values for e in row):
        form = "%g"
    between = rng.choice((" ", ",", "\t", ";", "  "))
    extra = {"header": "0 1", "comments": rng.choice(("# ", ""))} if rng.random() < 0.1 else {}
    try:
        np.savetxt(stream, array, fmt=form, delimiter=between, **extra)
    except (TypeError, ValueError):
        return None
    ending = rng.choice((".txt", ".csv", ".tsv"))
    header = bool(extra) and not extra["comments"]
    return Written(f"f{ending}", stream.getvalue(), values, signs=signs, header=bool(extra),
                   index=False, columns=["0", "1"] if header and len(values[0]) == 2 else None,
                   how=f"savetxt {form!r} {array.dtype} {extra}",
                   must_read=numeric and not extra)  # fmt: skip


def by_hand(rng, values, signs):
    """Return a text of the csv module, with every spelling of an entry."""
    zero = rng.choice(["1", "+1", "1.0"] if signs else ["0", "False", "false", "FALSE", "0.0"])
    one = rng.choice(["-1", "-1.0"] if signs else ["1", "True", "true", "TRUE", "1.0", "1.000e+00"])
    star = rng.choice(("*", "NA", "NaN", "nan", "None", "<NA>", ""))
    cells = [[star if e is None else one if e else zero for e in row] for row in values]
    rows = labels_of(rng, len(values)) if rng.random() < 0.5 else None
    columns = labels_of(rng, len(values[0])) if rng.random() < 0.5 else None
    if rows is not None:
        cells = [[str(label), *row] for label, row in zip(rows, cells, strict=True)]
    corner = rng.choice(("", "", "who", "0", "id"))
    if columns is not None:
        cells.insert(0, ([corner] if rows is not None else []) + list(map(str, columns)))
    stream = io.StringIO()
    writer = csv.writer(
        stream,
        delimiter=rng.choice(",,;\t"),
        quoting=rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
        lineterminator=rng.choice(("\n", "\r\n")),
    )
    writer.writerows(cells)
    text = stream.getvalue() + rng.choice(("", "", "\n", "\n\n"))
    encoding = rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1", "utf-16-le"))
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        data = text.encode()
    return Written(rng.choice(("f.csv", "f.tsv", "f.txt")), data, values,
                   rows and list(map(str, rows)), columns and list(map(str, columns)), signs,
                   columns is not None, rows is not None, f"csv {encoding}")  # fmt: skip


def frame_of(rng, values, signs):
    """Return a pandas data frame with some type of column and some labels."""
    low, high = (1, -1) if signs else (0, 1)
    missing = any(e is None for row in values for e in row)
    table = [[None if e is None else high if e else low for e in row] for row in values]
    rows, columns = labels_of(rng, len(values)), labels_of(rng, len(values[0]))
    kinds = ["Int8", "Int64", "float64", "object", "str", "category"]
    kinds += [] if missing else ["int64", "int8"]
    if not signs:
        kinds += ["boolean"] if missing else ["bool", "uint8", "boolean"]
    kind = rng.choice(kinds)
    frame = pd.DataFrame(table, index=rows, columns=columns, dtype=object)
    if kind == "str" and not missing:
        frame = frame.map(str)
    elif kind not in ("object", "str"):
        frame = frame.astype(kind)
    if rng.random() < 0.2:
        frame.index.name = rng.choice(("who", "id"))
    return frame, rows, columns, kind


def to_csv(rng, values, signs):
    frame, rows, columns, kind = frame_of(rng, values, signs)
    header, index = rng.random() < 0.8, rng.random() < 0.6
    text = frame.to_csv(
        index=index,
        header=header,
        sep=rng.choice(",,;\t"),
        na_rep=rng.choice(("", "*", "NA", "NaN")),
        quoting=rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC)),
    )
    encoding = rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16"))
    return Written(rng.choice(("f.csv", "f.tsv", "f.txt")), text.encode(encoding), values,
                   list(map(str, rows)) if index else None,
                   list(map(str, columns)) if header else None, signs, header, index,
                   f"to_csv {kind} {encoding}")  # fmt: skip


def to_json(rng, values, signs):
    frame, rows, columns, kind = frame_of(rng, values, signs)
    orient = rng.choice(("split", "records", "index", "columns", "values", "table"))
    try:
        text = frame.to_json(orient=orient)
    except (ValueError, TypeError, OverflowError):
        return None
    return Written("f.json", text.encode(), values,
                   list(map(str, rows)) if orient in ("split", "index", "table") else None,
                   None if orient == "values" else list(map(str, columns)), signs,
                   how=f"to_json {orient} {kind}", must_read=orient == "values")  # fmt: skip


def to_parquet(rng, values, signs):
    frame, rows, columns, kind = frame_of(rng, values, signs)
    stream, index = io.BytesIO(), rng.choice((None, True, False))
    frame.columns = list(map(str, columns))
    try:
        frame.to_parquet(stream, index=index)
    except (ValueError, TypeError, pyarrow.ArrowException):
        return None
    return Written("f.parquet", stream.getvalue(), values,
                   None if index is False else list(map(str, rows)), list(map(str, columns)), signs,
                   how=f"parquet {kind} index={index}")  # fmt: skip


def dumped(rng, values, signs):
    """Return JSON of nested lists, of texts, or of an object with labels."""
    low, high = (1, -1) if signs else rng.choice(((0, 1), (0.0, 1.0), (False, True), ("0", "1")))
    star = rng.choice((None, "*", float("nan"), "NA"))
    table = [[star if e is None else high if e else low for e in row] for row in values]
    if not signs and rng.random() < 0.3:
        table = ["".join("*" if e is None else str(e) for e in row) for row in values]
    rows = columns = None
    if rng.random() < 0.5:
        rows, columns = labels_of(rng, len(values)), labels_of(rng, len(values[0]))
        keys = rng.choice((("concepts", "points"), ("alice", "bob")))
        table = {"rows": table, **dict(zip(keys, (rows, columns), strict=True))}
    text = json.dumps(table, indent=rng.choice((None, 2)), ensure_ascii=rng.random() < 0.5)
    return Written("f.json", text.encode(rng.choice(("utf-8", "utf-8-sig", "utf-16"))), values,
                   rows and list(map(str, rows)), columns and list(map(str, columns)), signs,
                   how="json")  # fmt: skip


def tolist(rng, values, signs):
    array = as_array(rng, values, signs=signs)
    try:
        data = json.dumps(array.tolist()).encode()
    except TypeError:
        return None
    return Written("f.json", data, values, signs=signs, how=f"json {array.dtype}")


def in_memory(rng, values, signs):
    """Return an array, a masked array, nested lists, or a pandas data frame."""
    rows = columns = None
    kind = rng.randrange(4)
    if kind == 0 and pd is not None:
        matrix, rows, columns, _ = frame_of(rng, values, signs)
    elif kind == 1:
        low, high = (1, -1) if signs else (0, 1)
        table = [[7 if e is None else high if e else low for e in row] for row in values]
        mask = [[e is None for e in row] for row in values]
        matrix = np.ma.masked_array(table, mask, dtype=rng.choice(("i1", "i8", "f4", "f8", "O")))
    else:
        matrix = as_array(rng, values, signs=signs)
        matrix = matrix.tolist() if kind == 2 else matrix
    return Written("memory", b"", values, rows and list(map(str, rows)),
                   columns and list(map(str, columns)), signs, matrix=matrix,
                   how=f"memory {type(matrix).__name__}")  # fmt: skip


def sparse(rng, values, signs):
    """Return a sparse matrix of scipy, as npz or in the Matrix Market format."""
    if signs or any(e is None for row in values for e in row):
        return None
    stream, kind = io.BytesIO(), rng.choice(("csr", "csc", "coo"))
    numbers = np.array(values, rng.choice(("i1", "i8", "f8")))
    matrix = scipy_sparse.csr_array(numbers).asformat(kind)
    if rng.random() < 0.5:
        scipy_sparse.save_npz(stream, matrix, compressed=rng.random() < 0.5)
        name = "f.npz"
    else:
        scipy_io.mmwrite(
            stream, rng.choice((matrix, numbers)), field=rng.choice(("real", "integer"))
        )
        name = "f.mtx"
    return Written(name, stream.getvalue(), values, how=f"{name} {kind}", must_read=True)


def excel(rng, values, signs):
    frame, rows, columns, kind = frame_of(rng, values, signs)
    stream, index, header = io.BytesIO(), rng.random() < 0.5, rng.random() < 0.7
    frame.to_excel(stream, index=index, header=header)
    return Written("f.xlsx", stream.getvalue(), values,
                   list(map(str, rows)) if index else None,
                   list(map(str, columns)) if header else None, signs, header, index,
                   f"to_excel {kind} index={index} header={header}")  # fmt: skip


def write_table(rng, values, signs):
    """Return the output of R's write.table, whose header has no cell above the row names."""
    low, high = (1, -1) if signs else rng.choice(((0, 1), ("FALSE", "TRUE")))
    rows, columns = labels_of(rng, len(values)), labels_of(rng, len(values[0]))
    if rng.random() < 0.5:
        rows = list(range(1, len(values) + 1))
    table = [["NA" if e is None else high if e else low for e in row] for row in values]
    lines = [" ".join(f'"{label}"' for label in columns)]
    lines += [f'"{a}" ' + " ".join(map(str, row)) for a, row in zip(rows, table, strict=True)]
    return Written("f.txt", "\n".join([*lines, ""]).encode(), values, list(map(str, rows)),
                   list(map(str, columns)), signs, header=True, index=True,
                   how="write.table")  # fmt: skip


MAKERS = (write_table, in_memory, in_memory, npy, npz, savetxt, by_hand, by_hand, dumped, tolist)
if pd is not None:
    MAKERS += (to_csv, to_csv, to_json)
if pyarrow is not None:
    MAKERS += (to_parquet,)
if scipy_io is not None:
    MAKERS += (sparse,)
if openpyxl is not None and pd is not None:
    MAKERS += (excel,)


def read(text, matrix=None, *, signs=False):
    """Return the problem of a text or a matrix, and its reading, or None and the message."""
    readings = []
    try:
        with listening(readings.append):
            if matrix is None:
                problem = parse_problem(f"{text}:signs=yes" if signs else text)
            else:
                problem = CommunicationProblem.from_matrix(matrix, signs=signs)
                readings.append(problem.reading)
    except CcsimError as error:
        return None, str(error)
    return problem, readings[0]


def differs(problem, written):
    """Return a description of how a problem differs from the written matrix, or an empty text."""
    values = [
        [problem.value(x, y) for y in range(len(problem.bob))] for x in range(len(problem.alice))
    ]
    if values != written.values:
        return f"read as {values}, written {written.values}"
    for labels, given, side in (
        (written.rows, problem.alice, "rows"),
        (written.columns, problem.bob, "columns"),
    ):
        found, default = list(map(str, given)), list(map(str, range(len(given))))
        wanted = default if labels is None else [str(label) for label in labels]
        if found not in (wanted, [label.strip() for label in wanted], default):
            return f"labels of {side} {found}, written {wanted}"
    return ""


def judge(written, folder, counts):
    """Return a description of how a file is read incorrectly, or an empty text."""
    path = folder / written.name
    path.write_bytes(written.data)
    problem, reading = read(f"@{path}", written.matrix)
    if written.signs:
        has_minus = any(entry == 1 for row in written.values for entry in row)
        if problem is not None and has_minus:
            return "signs are read without being asked for"
        if not has_minus:
            return ""  # ones alone
        problem, reading = read(f"@{path}", written.matrix, signs=True)
    counts["refused" if problem is None else "read"] += 1
    if problem is None:
        lines = "\n" in reading and "more than one line: "
        return f"refused: {lines or ''}{reading}" if written.must_read or lines else ""
    wrong = differs(problem, written)
    if wrong and not reading.guesses:
        return f"{wrong}, and nothing was announced"
    if wrong:
        counts["guessed"] += 1
        wrong = with_options(written, path, is_matrix=reading.form == "matrix")
    return wrong


def with_options(written, path, *, is_matrix):
    """Return how a file is read incorrectly although its options are given, or an empty text."""
    yes_no = {True: "yes", False: "no"}
    options = [f"header={yes_no[written.header]}", f"index={yes_no[written.index]}"]
    options += ["signs=yes"] if written.signs else []
    problem, reading = read(f"@{path}:{','.join(options)}")
    if problem is None:
        may = "an empty cell" in reading or not is_matrix
        return "" if may else f"with {options} it is refused: {reading}"
    wrong = differs(problem, written)
    return wrong and f"with {options}: {wrong}"


def check(number, seed, folder):
    """Write and read random files; return the descriptions of errors, and the counts."""
    rng, wrong, counts = random.Random(seed), [], Counter()  # noqa: S311 - no secret
    while counts["written"] < number:
        signs = rng.random() < 0.15
        values = values_of(rng, stars=rng.random() < 0.3)
        if not any(entry is not None for row in values for entry in row):
            continue
        written = rng.choice(MAKERS)(rng, values, signs)
        if written is None:
            continue
        counts["written"] += 1
        reason = judge(written, folder, counts)
        if reason:
            wrong.append((written, reason))
    return wrong, counts


def say(line):
    sys.stdout.write(f"{line}\n")


def main(number, seed):
    with tempfile.TemporaryDirectory() as folder:
        wrong, counts = check(number, seed, Path(folder))
    for written, reason in wrong[:20]:
        say(f"{written.name} ({written.how}): {reason}\n    {written.data[:300]!r}")
    kinds = Counter(written.how for written, _ in wrong)
    say(f"{dict(counts)}, wrong {len(wrong)} {dict(kinds.most_common(10))}, seed {seed}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
