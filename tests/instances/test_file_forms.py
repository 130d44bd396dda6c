"""Files in usual forms, written by the tools of these forms, are read correctly."""

import csv
import gzip
import io
import json
import random

import networkx as nx
import numpy as np
import pytest

from ccsim import CommunicationProblem, ConceptClass
from ccsim.instances import parse_class, parse_instance, parse_problem
from ccsim.texts.reading import listening

pd = pytest.importorskip("pandas")
scipy_sparse = pytest.importorskip("scipy.sparse")
scipy_io = pytest.importorskip("scipy.io")

WHO = ("ann", "bob", "cid", "Zoë", "e f")
WHAT = ("fig", "kiwi", "plum", "x_1")


def written_matrix(seed):
    """Return distinct rows with no empty row or column, so that sets and pairs have all labels."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    while True:
        rows = [[rng.randrange(2) for _ in WHAT] for _ in WHO]
        full = all(map(any, rows)) and all(map(any, zip(*rows, strict=True)))
        if full and len({*map(tuple, rows)}) == len(rows):
            return rows


class Written:
    """A class, and the texts that each tool writes for it."""

    def __init__(self, seed):
        self.rows = written_matrix(seed)
        self.array = np.array(self.rows)
        self.frame = pd.DataFrame(self.rows, index=list(WHO), columns=list(WHAT))
        self.sets = {
            who: [what for what, bit in zip(WHAT, row, strict=True) if bit]
            for who, row in zip(WHO, self.rows, strict=True)
        }
        self.pairs = [(who, what) for who, whats in self.sets.items() for what in whats]
        self.graph = nx.Graph()
        self.graph.add_nodes_from(WHO)
        self.graph.add_edges_from(self.pairs)

    def text(self, rows, **options):
        stream = io.StringIO()
        csv.writer(stream, **options).writerows(rows)
        return stream.getvalue()

    def bytes_of(self, write):
        stream = io.BytesIO()
        write(stream)
        return stream.getvalue()

    def labelled(self, corner="", values=lambda bit: bit):
        head = [[corner, *WHAT]]
        rows = zip(WHO, self.rows, strict=True)
        return [*head, *([who, *map(values, row)] for who, row in rows)]

    def r_table(self):
        """Return the output of R's write.table."""
        rows = zip(WHO, self.rows, strict=True)
        head = " ".join(f'"{what}"' for what in WHAT)
        return "\n".join([head, *(f'"{who}" ' + " ".join(map(str, row)) for who, row in rows), ""])

    def matlab(self):
        return "A = [" + "; ".join(" ".join(map(str, row)) for row in self.rows) + "];\n"

    def long(self):
        return self.frame.rename_axis("who").reset_index().melt("who", var_name="what")

    def sparse(self, kind):
        return self.bytes_of(
            lambda s: scipy_sparse.save_npz(s, scipy_sparse.csr_array(self.array).asformat(kind))
        )

    def market(self, field, kind=scipy_sparse.coo_matrix):
        return self.bytes_of(lambda s: scipy_io.mmwrite(s, kind(self.array), field=field))

    def excel(self, **options):
        return self.bytes_of(lambda s: self.frame.to_excel(s, **options))

    def unseparated(self):
        return "\n".join("".join(map(str, row)) for row in self.rows) + "\n"

    def incidence(self):
        graph = nx.Graph()
        graph.add_nodes_from((f"c{i}", {"bipartite": 0, "label": who}) for i, who in enumerate(WHO))
        graph.add_nodes_from((f"p{x}", {"bipartite": 1, "label": w}) for x, w in enumerate(WHAT))
        edges = np.argwhere(self.array)
        graph.add_edges_from((f"c{i}", f"p{x}") for i, x in edges)
        return self.bytes_of(lambda s: nx.write_graphml(graph, s))


BOTH, ROWS, COLUMNS, NONE = (True, True), (True, False), (False, True), (False, False)
"""Which labels a form has: of the rows, of the columns."""

FORMS = {
    "csv with labels": ("f.csv", lambda w: w.text(w.labelled()), BOTH),
    "csv with a corner": ("f.csv", lambda w: w.text(w.labelled("who")), BOTH),
    "csv of semicolons": ("f.csv", lambda w: w.text(w.labelled(), delimiter=";"), BOTH),
    "tsv": ("f.tsv", lambda w: w.text(w.labelled(), delimiter="\t"), BOTH),
    "bars": ("f.txt", lambda w: w.text(w.labelled(), delimiter="|"), BOTH),
    "quoted csv": ("f.csv", lambda w: w.text(w.labelled(), quoting=csv.QUOTE_ALL), BOTH),
    "csv with a byte order mark": (
        "f.csv",
        lambda w: w.text(w.labelled()).encode("utf-8-sig"),
        BOTH,
    ),
    "Unicode text of Excel": (
        "f.txt",
        lambda w: w.text(w.labelled(), delimiter="\t").encode("utf-16"),
        BOTH,
    ),
    "csv of Excel's TRUE and FALSE": (
        "f.csv",
        lambda w: w.text(w.labelled("", lambda bit: str(bool(bit)).upper())),
        BOTH,
    ),
    "to_csv": ("f.csv", lambda w: w.frame.to_csv(), BOTH),
    "to_csv without index": ("f.csv", lambda w: w.frame.to_csv(index=False), COLUMNS),
    "to_csv compressed": ("f.csv.gz", lambda w: gzip.compress(w.frame.to_csv().encode()), BOTH),
    "write.table of R": ("f.txt", lambda w: w.r_table(), BOTH),
    "savetxt": ("f.txt", lambda w: w.bytes_of(lambda s: np.savetxt(s, w.array)), NONE),
    "savetxt of integers": (
        "f.dat",
        lambda w: w.bytes_of(lambda s: np.savetxt(s, w.array, "%d", header="made by a program")),
        NONE,
    ),
    "unseparated": ("f.txt", lambda w: w.unseparated(), NONE),
    "unseparated with labels": (
        "f.txt",
        lambda w: "".join(
            f'"{a}" {b}\n' for a, b in zip(WHO, w.unseparated().split(), strict=True)
        ),
        ROWS,
    ),
    "MATLAB": ("f.txt", lambda w: w.matlab(), NONE),
    "print of numpy": ("f.txt", lambda w: str(w.array), NONE),
    "repr of numpy": ("f.txt", lambda w: repr(w.array.astype(bool)), NONE),
    "print of a list": ("f.txt", lambda w: str(w.rows), NONE),
    "npy": ("f.npy", lambda w: w.bytes_of(lambda s: np.save(s, w.array)), NONE),
    "npz": (
        "f.npz",
        lambda w: w.bytes_of(
            lambda s: np.savez_compressed(s, matrix=w.array, concepts=WHO, points=WHAT)
        ),
        BOTH,
    ),
    "csr": ("f.npz", lambda w: w.sparse("csr"), NONE),
    "csc": ("f.npz", lambda w: w.sparse("csc"), NONE),
    "coo": ("f.npz", lambda w: w.sparse("coo"), NONE),
    "Matrix Market, pattern": ("f.mtx", lambda w: w.market("pattern"), NONE),
    "Matrix Market, integers": ("f.mtx", lambda w: w.market("integer"), NONE),
    "Matrix Market, reals": ("f.mtx", lambda w: w.market("real"), NONE),
    "Matrix Market, array": ("f.mtx", lambda w: w.market("integer", np.asarray), NONE),
    "Matrix Market, compressed": ("f.mtx.gz", lambda w: gzip.compress(w.market("pattern")), NONE),
    "JSON rows": ("f.json", lambda w: json.dumps(w.rows), NONE),
    "JSON texts": ("f.json", lambda w: json.dumps(w.unseparated().split()), NONE),
    "JSON with labels": (
        "f.json",
        lambda w: json.dumps({"rows": w.rows, "concepts": WHO, "points": WHAT}),
        BOTH,
    ),
    "JSON of name and list": ("f.json", lambda w: json.dumps(w.sets), BOTH),
    "JSON of lists": ("f.json", lambda w: json.dumps([*w.sets.values()]), COLUMNS),
    "JSON of pairs": ("f.json:form=pairs", lambda w: json.dumps(w.pairs), BOTH),
    "JSON Lines of rows": ("f.jsonl", lambda w: "\n".join(map(json.dumps, w.rows)), NONE),
    "JSON Lines of records": (
        "f.ndjson",
        lambda w: w.frame.to_json(orient="records", lines=True),
        COLUMNS,
    ),
    "JSON Lines with names": (
        "f.jsonl",
        lambda w: w.frame.rename_axis("who").reset_index().to_json(orient="records", lines=True),
        BOTH,
    ),
    "to_json split": ("f.json", lambda w: w.frame.to_json(orient="split"), BOTH),
    "to_json records": ("f.json", lambda w: w.frame.to_json(orient="records"), COLUMNS),
    "to_json index": ("f.json:form=rows", lambda w: w.frame.to_json(orient="index"), BOTH),
    "to_json columns": ("f.json:form=columns", lambda w: w.frame.to_json(), BOTH),
    "to_json values": ("f.json", lambda w: w.frame.to_json(orient="values"), NONE),
    "to_json table": ("f.json", lambda w: w.frame.to_json(orient="table"), BOTH),
    "to_dict": ("f.json:form=columns", lambda w: json.dumps(w.frame.to_dict("list")), COLUMNS),
    "pairs": ("f.csv", lambda w: w.text(w.pairs), BOTH),
    "pairs with a header": ("f.csv", lambda w: w.text([("concept", "point"), *w.pairs]), BOTH),
    "pairs with an index": (
        "f.csv",
        lambda w: pd.DataFrame(w.pairs, columns=["who", "what"]).to_csv(),
        BOTH,
    ),
    "pairs of pandas": (
        "f.csv:header=yes",
        lambda w: pd.DataFrame(w.pairs, columns=["who", "what"]).to_csv(index=False),
        BOTH,
    ),
    "triples": ("f.csv", lambda w: w.long().to_csv(index=False), BOTH),
    "edge list of networkx": (
        "f.txt",
        lambda w: w.bytes_of(lambda s: nx.write_edgelist(w.graph, s, delimiter="\t")),
        BOTH,
    ),
    "sets by name": (
        "f.txt",
        lambda w: "".join(f"{who}: {' '.join(whats)}\n" for who, whats in w.sets.items()),
        BOTH,
    ),
    "sets by name in braces": (
        "f.txt",
        lambda w: "".join(f"{who}: {{{', '.join(whats)}}}\n" for who, whats in w.sets.items()),
        BOTH,
    ),
    "sets": (
        "f.txt:form=sets",
        lambda w: "".join(f"{' '.join(whats)}\n" for whats in w.sets.values()),
        COLUMNS,
    ),
    "sets that begin with their name": (
        "f.csv:form=sets,index=yes",
        lambda w: w.text([who, *whats] for who, whats in w.sets.items()),
        BOTH,
    ),
    "sets in a spreadsheet": (
        "f.csv:form=sets,index=yes",
        lambda w: w.text(
            [who, *whats, *[""] * (len(WHAT) - len(whats))] for who, whats in w.sets.items()
        ),
        BOTH,
    ),
    "transactions": (
        "f.dat:form=sets",
        lambda w: "".join(
            " ".join(str(x) for x, bit in enumerate(row) if bit) + "\n" for row in w.rows
        ),
        NONE,
    ),
    "GraphML": ("f.graphml", lambda w: w.incidence(), BOTH),
    "Parquet": ("f.parquet", lambda w: w.bytes_of(w.frame.to_parquet), BOTH),
    "Parquet with names in a column": (
        "f.parquet",
        lambda w: w.bytes_of(
            lambda s: w.frame.rename_axis("who").reset_index().to_parquet(s, index=False)
        ),
        BOTH,
    ),
    "Parquet of pairs": (
        "f.parquet",
        lambda w: w.bytes_of(pd.DataFrame(w.pairs, columns=["concept", "point"]).to_parquet),
        BOTH,
    ),
    "Excel": ("f.xlsx", lambda w: w.excel(), BOTH),
    "Excel without index": ("f.xlsx", lambda w: w.excel(index=False), COLUMNS),
    "Excel of pairs": (
        "f.xlsx",
        lambda w: w.bytes_of(
            lambda s: pd.DataFrame(w.pairs, columns=["concept", "point"]).to_excel(s, index=False)
        ),
        BOTH,
    ),
}
NEEDS = {"Parquet": "pyarrow", "Excel": "openpyxl"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(folder, text, content):
    data = content if isinstance(content, bytes) else content.encode()
    (folder / text.partition(":")[0]).write_bytes(data)
    return f"@{text}"


def test_there_are_at_least_44_forms():
    assert len(FORMS) >= 44


@pytest.mark.filterwarnings("ignore::ccsim.texts.reading.ReadingWarning")
@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_read_as_it_was_written(folder, form):
    pytest.importorskip(NEEDS.get(form.partition(" ")[0], "csv"))
    name, write, (has_rows, has_columns) = FORMS[form]
    for seed in range(5):
        written = Written(seed)
        text = put(folder, name, write(written))
        C, f = parse_class(text), parse_problem(text)
        concepts = WHO if has_rows else tuple(range(len(WHO)))
        points = WHAT if has_columns else tuple(range(len(WHAT)))
        assert (*map(str, C.concepts),) == (*map(str, concepts),)
        assert (*map(str, C.points),) == (*map(str, points),)
        expected = ConceptClass.from_matrix(written.rows)
        assert C.rows == expected.rows
        assert (f.ones, f.is_total) == (expected.rows, True)
        assert (f.alice, f.bob) == (C.concepts, C.points)
        assert parse_instance(text) == C


@pytest.mark.parametrize("form", FORMS)
def test_a_form_in_standard_input_is_recognised_by_its_content(folder, form, monkeypatch):
    from ccsim.certificates.files import standard_input

    pytest.importorskip(NEEDS.get(form.partition(" ")[0], "csv"))
    name, write, _ = FORMS[form]
    written = Written(3)
    content = write(written)
    data = content if isinstance(content, bytes) else content.encode()
    standard_input.cache_clear()
    monkeypatch.setattr("sys.stdin", type("Stream", (), {"buffer": io.BytesIO(data)}))
    options = name.partition(":")[2]
    with listening(lambda reading: None):
        C = parse_class(f"@-:{options}" if options else "@-")
    standard_input.cache_clear()
    assert C.rows == ConceptClass.from_matrix(written.rows).rows


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "bsr", "dia"])
def test_sparse_matrices_and_matrices_of_numpy_are_read_in_memory(kind):
    written = Written(0)
    expected = ConceptClass.from_matrix(written.rows)
    for matrix in (
        np.matrix(written.array),
        scipy_sparse.csr_matrix(written.array).asformat(kind),
        scipy_sparse.csr_array(written.array.astype(bool)).asformat(kind),
    ):
        assert ConceptClass.from_matrix(matrix) == expected
        assert CommunicationProblem.from_matrix(matrix).ones == expected.rows
