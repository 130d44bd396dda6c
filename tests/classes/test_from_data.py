"""Classes and problems from sets, functions and graphs, compared with the definitions."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest

import ccsim
from ccsim import CommunicationProblem, ConceptClass
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.texts.labels import MAX_ENTRIES

GRAPHS = [nx.gnp_random_graph(n, p, seed=n) for n in range(6) for p in (0.3, 0.6, 1.0)]
GRAPHS.append(nx.disjoint_union(nx.cycle_graph(3), nx.path_graph(3)))
GRAPHS.append(nx.Graph([(0, 0), (0, 1)]))
GRAPHS.append(nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "c")]))


def subsets(things):
    things = list(things)
    return [set(s) for size in range(len(things) + 1) for s in combinations(things, size)]


def members(C):
    """Return the concepts as a set of sets of point labels."""
    return {
        frozenset(C.points[x] for x in range(len(C.points)) if C.value(c, x)) for c in range(len(C))
    }


def never(*_):
    raise AssertionError("called before the size is checked")


# --- Graphs --------------------------------------------------------------------------------------


@pytest.mark.parametrize("graph", GRAPHS)
def test_neighbourhoods_are_the_rows_of_the_adjacency_matrix(graph):
    C = ConceptClass.from_graph(graph, "neighbourhoods")
    matrix = [[int(graph.has_edge(v, w)) for w in graph] for v in graph]
    assert ConceptClass.from_matrix(matrix, list(graph), list(graph)) == C or not len(graph)
    assert len(C) + C.merged == len(graph)
    closed = ConceptClass.from_graph(graph, "closed neighbourhoods")
    assert members(closed) == {frozenset({v, *graph.adj[v]}) for v in graph}


@pytest.mark.parametrize("graph", GRAPHS)
def test_cliques_are_the_sets_of_adjacent_vertices(graph):
    every = {
        frozenset(s)
        for s in subsets(graph)
        if all(graph.has_edge(v, w) for v, w in combinations(s, 2))
    }
    assert members(ConceptClass.from_graph(graph, "cliques")) == every
    largest = {s for s in every if not any(s < t for t in every)}
    maximal = members(ConceptClass.from_graph(graph, "maximal cliques"))
    assert maximal == (largest if len(graph) else set())


@pytest.mark.parametrize("graph", GRAPHS)
def test_cuts_are_the_edges_between_a_set_and_the_rest(graph):
    C = ConceptClass.from_graph(graph, "cuts")
    edges = {frozenset(edge) for edge in graph.edges() if edge[0] != edge[1]}
    every = {frozenset(e for e in edges if len(e & side) == 1) for side in subsets(graph)}
    texts = {f"{v}-{w}": frozenset((v, w)) for v, w in product(graph, repeat=2) if v != w}
    assert {frozenset(texts[point] for point in cut) for cut in members(C)} == every
    assert len(C.points) == len(edges)
    assert C.merged == 0


def test_a_cut_is_labelled_by_a_side_that_makes_it():
    graph = nx.cycle_graph("abcd")
    C = ConceptClass.from_graph(graph, "cuts")
    for c, label in enumerate(C.concepts):
        side = set(label.strip("{}").split(", ")) - {""}
        for x, point in enumerate(C.points):
            v, w = point.split("-")
            assert C.value(c, x) == ((v in side) != (w in side))


def test_neighbourhoods_of_a_directed_graph_are_its_successors():
    C = ConceptClass.from_graph(nx.DiGraph([(0, 1), (1, 2)]), "neighbourhoods")
    assert C.rows == (2, 4, 0)
    for sets in ("cliques", "maximal cliques", "cuts"):
        with pytest.raises(DomainError, match=f"{sets} are defined only for undirected graphs"):
            ConceptClass.from_graph(nx.DiGraph([(0, 1)]), sets)


def test_large_sets_of_graphs_are_refused():
    with pytest.raises(InstanceTooLargeError, match=f"limit is {MAX_ENTRIES}"):
        ConceptClass.from_graph(nx.path_graph(40), "cuts")
    with pytest.raises(InstanceTooLargeError):
        ConceptClass.from_graph(nx.path_graph(8193), "neighbourhoods")


@pytest.mark.parametrize(
    ("graph", "sets", "message"),
    [
        ([[0, 1]], "cuts", "graph must be a networkx.Graph, not a list"),
        (nx.path_graph(2), "trees", "sets must be one of neighbourhoods, closed neigh.*'trees'"),
        (nx.path_graph(2), [], "sets must be one of .*, not a list"),
        (nx.path_graph([1, "1"]), "cliques", "concept labels must be distinct|point labels must"),
    ],
)
def test_what_is_no_graph_or_no_kind_of_set_is_refused(graph, sets, message):
    with pytest.raises(DomainError, match=message):
        ConceptClass.from_graph(graph, sets)


def test_a_graph_is_no_matrix_even_if_its_vertices_look_like_rows():
    grid = nx.grid_2d_graph(2, 2)
    assert list(grid) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    for ask in (ccsim.vc_dimension, ccsim.evaluation_problem, ConceptClass.from_matrix):
        with pytest.raises(DomainError, match=r"a graph is not a matrix; use"):
            ask(grid)
    with pytest.raises(DomainError, match="a graph is not a matrix; use"):
        ccsim.minimax_error(grid, 1)
    assert ConceptClass.from_graph(grid, "neighbourhoods").points[1] == "(0, 1)"


# --- Sets and functions --------------------------------------------------------------------------


def test_sets_are_the_concepts():
    sets = {"a": [3, 1, 1], "b": (), "c": {2, 3}, "d": (1, 3)}
    C = ConceptClass.from_sets(sets)
    assert C.points == (1, 2, 3)
    assert (C.concepts, C.merged) == (("a", "b", "c"), 1)
    assert members(C) == {frozenset(s) for s in sets.values()}
    assert ConceptClass.from_sets(sets.values(), [3, 2, 1, 0]).points == (3, 2, 1, 0)


def test_points_of_sets_have_an_order_that_does_not_depend_on_hashes():
    code = "import ccsim; print(ccsim.ConceptClass.from_sets([{'b', 'a', (2, 1), 7, 0.5}]).points)"
    shown = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": ":".join(filter(None, sys.path))},
        ).stdout
        for seed in (1, 2, 3)
    }
    assert shown == {"('0.5', 7, '(2, 1)', 'a', 'b')\n"}


@pytest.mark.parametrize(
    ("sets", "points", "message"),
    [
        ([{1}, {2}], [1], "set 1 must contain only points, not 2"),
        ({"s": [(0, 1)]}, [1], r"set s must contain only points, not \(0, 1\)"),
        ([[[1]]], None, "set 0 must have hashable points, not a list"),
        (["ab"], None, "set 0 must be a list of points, not 'ab'"),
        ([{1, "1"}], None, "point labels must be distinct, but '1' occurs twice"),
        (5, None, "sets must be a list of sets, not 5"),
        ({1: 5}, None, "set 1 must be a list of points, not 5"),
    ],
)
def test_what_are_no_sets_of_points_is_refused(sets, points, message):
    with pytest.raises(DomainError, match=message):
        ConceptClass.from_sets(sets, points)


def test_boolean_functions_are_called_on_the_cube():
    functions = {"maj": lambda x, y, z: x + y + z >= 2, "second": lambda _x, y, _z: y}
    C = ConceptClass.from_boolean_functions(functions)
    for x, point in enumerate(C.points):
        bits = [int(bit) for bit in point]
        assert [x >> i & 1 for i in range(3)] == bits
        assert [C.value(c, x) for c in (0, 1)] == [sum(bits) >= 2, bits[1]]
    assert C.concepts == ("maj", "second")
    assert ConceptClass.from_boolean_functions([lambda *bits: any(bits)], 2).rows == (0b1110,)
    assert ConceptClass.from_boolean_functions([lambda: True]).rows == (1,)


@pytest.mark.parametrize(
    ("functions", "variables", "message"),
    [
        (
            [lambda x: x, lambda x, y: x],
            None,
            "functions must all have the same number of arguments, not 1",
        ),
        ([], None, "functions must all have the same number of arguments, not none"),
        ([lambda *x: 0], None, "variables must be given"),
        ([int], "2", "variables must be an integer between 0 and 21, not '2'"),
        ([int], 22, "variables must be an integer between 0 and 21, not 22"),
        ([3], 1, "function 0 must be callable, not 3"),
        ({"f": 3}, 1, "function f must be callable, not 3"),
        ([lambda x: 2], None, r"entry \(0, 0\) must be 0 or 1, not 2"),
    ],
)
def test_what_are_no_boolean_functions_is_refused(functions, variables, message):
    with pytest.raises(DomainError, match=message):
        ConceptClass.from_boolean_functions(functions, variables)


def test_functions_are_called_on_what_is_given_and_labels_are_its_text():
    numbers = [Fraction(1, 2), Fraction(3)]
    C = ConceptClass.from_callable(lambda c, x: c < x, numbers, [(0, 1), (2, 0)][:0] or numbers)
    assert (C.concepts, C.points, C.rows) == (("1/2", "3"), ("1/2", "3"), (2, 0))
    f = CommunicationProblem.from_callable(
        lambda x, y: None if x == y else x < y, [(0, 1), (1, 0)], [(0, 1), (1, 0)]
    )
    assert (f.alice, f.ones, f.promise) == (("(0, 1)", "(1, 0)"), (2, 0), (2, 1))
    assert CommunicationProblem.from_callable(np.less, range(3), range(3)).ones == (6, 4, 0)


def test_sizes_are_checked_before_a_function_is_called():
    for make in (ConceptClass.from_callable, CommunicationProblem.from_callable):
        with pytest.raises(InstanceTooLargeError):
            make(never, range(10**5), range(10**5))
    with pytest.raises(InstanceTooLargeError):
        ConceptClass.from_boolean_functions([never] * 100, 21)


@pytest.mark.parametrize("labels", [[np.int64(3), 4], [np.str_("a"), "b"]])
def test_labels_of_numpy_become_plain(labels):
    C = ConceptClass.from_matrix([[0, 1]], labels)
    assert {type(label) for label in C.points} <= {int, str}
    assert C.points == tuple(labels)


def test_rows_may_be_texts():
    assert ConceptClass.from_matrix(["001", "011"]).rows == (4, 6)
    assert ccsim.vc_dimension(["00", "01", "10", "11"]).value == 2
    f = CommunicationProblem.from_matrix(["0*", [1, 0]])
    assert (f.ones, f.promise) == ((0, 1), (1, 3))
    with pytest.raises(DomainError, match=r"entry \(0, 1\) must be 0 or 1, not '\*'"):
        ConceptClass.from_matrix(["0*"])
    with pytest.raises(DomainError, match="a string of 0, 1 and"):
        ConceptClass.from_matrix(["points:b=1"])
