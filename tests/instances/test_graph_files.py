"""Files of graphs give the class of the requested sets."""

import json
import random
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from ccsim import ConceptClass, thresholds
from ccsim.cli.main import main
from ccsim.errors import InstanceTooLargeError, UnreadableInputError
from ccsim.instances import parse_class, parse_problem

KINDS = ("neighbourhoods", "closed-neighbourhoods", "cliques", "maximal-cliques", "cuts")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def graph_of(seed):
    """Return a graph without isolated vertices, which lists of edges would omit."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    graph = nx.gnp_random_graph(rng.randrange(4, 7), 0.5, seed=seed)
    graph.add_edges_from((v, (v + 1) % len(graph)) for v in list(nx.isolates(graph)))
    return graph


def node_link(graph, path):
    path.write_text(json.dumps(nx.node_link_data(graph)))


def lists_of(graph, path):
    path.write_text(json.dumps({str(v): list(graph[v]) for v in graph}))


def edges_in_csv(graph, path):
    path.write_text("source,target\n" + "".join(f"{v},{w}\n" for v, w in graph.edges))


def matrix_market(graph, path):
    from scipy.io import mmwrite

    mmwrite(path, nx.to_scipy_sparse_array(graph), symmetry="symmetric")


def sparse(graph, path):
    from scipy.sparse import save_npz

    save_npz(path, nx.to_scipy_sparse_array(graph))


WRITERS = {
    "f.g6": nx.write_graph6,
    "f.s6": nx.write_sparse6,
    "f.graphml": nx.write_graphml,
    "edges.txt": nx.write_edgelist,
    "plain.txt:form=edges": lambda graph, path: nx.write_edgelist(graph, path, data=False),
    "f.csv": edges_in_csv,
    "f.txt:form=adjacency": nx.write_adjlist,
    "f.json": node_link,
    "lists.json": lists_of,
    "f.mtx": matrix_market,
    "f.npz": sparse,
    "f.npy": lambda graph, path: np.save(path, nx.to_numpy_array(graph, dtype=int)),
}


def sets_in(C):
    """Return the sets of a class, regardless of the order of vertices and edges."""

    def name(point):
        return frozenset(str(point).split("-"))

    return {
        frozenset(name(x) for i, x in enumerate(C.points) if row >> i & 1) for row in C.rows
    } | {frozenset(map(name, C.points))}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", WRITERS)
def test_each_form_of_a_graph_gives_the_sets_that_are_asked(folder, name, kind):
    path, _, form = name.partition(":")
    for seed in range(4):
        graph = graph_of(seed)
        WRITERS[name](graph, folder / path)
        C = parse_class(f"@{path}:{form + ',' if form else ''}sets={kind}")
        expected = ConceptClass.from_graph(graph, kind.replace("-", " "))
        assert sets_in(C) == sets_in(expected)
        assert (len(C), len(C.points)) == (len(expected), len(expected.points))
        assert C.reading.form == "graph"


@pytest.mark.parametrize("name", ["f.g6", "f.s6", "f.graphml", "f.json"])
def test_a_graph_without_a_kind_of_sets_is_refused_with_the_option(folder, name):
    WRITERS[name](graph_of(0), folder / name)
    with pytest.raises(UnreadableInputError, match=rf"{name}:sets=neighbourhoods\|closed-neigh"):
        parse_class(f"@{name}")


def test_what_export_writes_is_read_again(folder, capsys):
    C = ConceptClass.from_sets({"ann": {1, 2}, "bob": {2}, "0": {"x y"}}, name="tastes")
    (folder / "tastes.json").write_text(json.dumps(C.to_json()))
    for ending in ("graphml", "json", "csv"):
        assert main(["export", "@tastes.json", "--out", f"again.{ending}"]) == 0
        again = parse_class(f"@again.{ending}")
        assert again.rows == C.rows
        assert (*map(str, again.points), *map(str, again.concepts)) == (
            *map(str, C.points),
            *map(str, C.concepts),
        )
        f = parse_problem(f"@again.{ending}")
        assert f.ones == C.rows
    assert parse_class("@again.graphml") == C
    assert parse_class("@again.graphml").name == "tastes"
    main(["export", "thresholds:b=2", "--out", "t.graphml"])
    assert parse_class("@t.graphml") == thresholds(2)
    capsys.readouterr()


def test_labels_survive_to_the_last_line_of_output(folder, capsys):
    (folder / "likes.csv").write_text("concept,point\nann,fig\nann,plum\nbob,plum\ncid,kiwi\n")
    assert main(["represent", "@likes.csv:form=pairs", "--error", "0"]) in {0, 3}
    nx.write_edgelist(nx.Graph([("ann", "bob"), ("bob", "cid")]), folder / "g.txt")
    assert main(["dimensions", "@g.txt:sets=neighbourhoods", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (shown["concepts"], shown["reading"]["form"]) == (2, "graph")


@pytest.mark.parametrize(("name", "instance"), [("g.g6", "@g.g6"), ("g.txt", "@g.txt:form=edges")])
def test_the_option_sets_is_that_of_the_file(name, instance, folder, capsys):
    graph = nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3)])
    (nx.write_graph6 if name == "g.g6" else nx.write_edgelist)(graph, folder / name)
    for kind in ("cuts", "maximal-cliques"):
        assert main(["dimensions", instance, "--sets", kind, "--json"]) == 0
        by_option = json.loads(capsys.readouterr().out)
        joined = f"{instance}{',' if '=' in instance else ':'}sets={kind}"
        assert by_option["instance"] == joined
        assert main(["dimensions", joined, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == by_option


def test_the_option_sets_needs_a_file(capsys):
    assert main(["dimensions", "lines:p=3", "--sets", "cuts"]) == 2
    assert "--sets must be used with a graph in a file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("f.g6", b"DQc\nDQc\n", "expected one graph, found 2; keep only one"),
        ("f.g6", b"D\n", "not graph6 or sparse6: "),
        ("f.g6", b"~\n", "not graph6 or sparse6: the number of vertices is truncated"),
        ("f.g6", "é".encode(), "not graph6 or sparse6: a character is not valid"),
        ("f.graphml", b"<graphml", "not GraphML: unclosed token"),
        ("f.graphml", b"<a/>", "not GraphML: "),
        ("f.json", b'{"nodes": [1], "links": []}', "expected nodes with id"),
        ("f.csv", b"a,b,2.5\nb,c,1\n", "row 1, column 3: expected two vertices"),
        ("f.csv", b"0,1\n0,0\n", "the matrix of a graph must be symmetric"),
        ("f.csv", b",a,b\nx,0,1\ny,1,0\n", "the matrix of a graph must be symmetric"),
    ],
)
def test_files_that_are_no_graphs_are_one_line(folder, name, content, message):
    (folder / name).write_bytes(content)
    with pytest.raises(UnreadableInputError) as caught:
        parse_class(f"@{name}:sets=neighbourhoods")
    assert str(caught.value).startswith(f"{name}: {message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"~~~~~~~~\n", b":~~~~~~~~\n"])
def test_a_graph_that_states_to_be_huge_is_refused_before_it_is_built(folder, content):
    (folder / "f.g6").write_bytes(content)
    with pytest.raises(InstanceTooLargeError, match="68719476735 x 68719476735"):
        parse_class("@f.g6:sets=cliques")


def test_entities_of_graphml_do_not_grow(folder):
    names = pairwise("abcdefghi")
    entities = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in names)
    text = f'<!DOCTYPE l [<!ENTITY a "{"x" * 1000}">{entities}]><graphml>&i;</graphml>'
    (folder / "f.graphml").write_text(text)
    with pytest.raises(UnreadableInputError, match="not GraphML"):
        parse_class("@f.graphml")


def test_edges_above_the_limit_are_refused(folder, monkeypatch):
    monkeypatch.setattr("ccsim.texts.graphs.MAX_LABELS", 2)
    for name in ("f.g6", "edges.txt", "f.json", "f.npy"):
        WRITERS[name](nx.complete_graph(4), folder / name)
        with pytest.raises(InstanceTooLargeError, match="at most 2 edges"):
            parse_class(f"@{name}:sets=cliques")
