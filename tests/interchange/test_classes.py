"""Classes as graphs and frames, converted in both directions, also through GraphML."""

from __future__ import annotations

import io

import networkx as nx
import pytest

from ccsim import DomainError, InstanceTooLargeError, equality, lines, parse_instance, thresholds
from ccsim.classes import ConceptClass, random_class
from ccsim.communication import CommunicationProblem
from ccsim.interchange import from_incidence_graph, to_dataframe, to_incidence_graph

CLASSES = [
    thresholds(2),
    lines(3),
    random_class(7, 5, 1),
    ConceptClass.from_matrix(["010", "111"], ["a", 0, "0a"], [0, "point 0"], "strange labels"),
    ConceptClass.from_matrix(["0"]),
    ConceptClass((), ("c",), (0,)),
    ConceptClass(("x", "y"), (), ()),
]


@pytest.mark.parametrize("C", CLASSES, ids=str)
def test_a_class_is_its_graph(C):
    graph = to_incidence_graph(C)
    assert nx.is_bipartite(graph)
    assert graph.number_of_edges() == sum(row.bit_count() for row in C.rows)
    back = from_incidence_graph(graph)
    assert (back, back.name) == (C, C.name)


@pytest.mark.parametrize("C", CLASSES, ids=str)
def test_graphml_keeps_a_class(C):
    file = io.BytesIO()
    nx.write_graphml(to_incidence_graph(C), file)
    file.seek(0)
    assert from_incidence_graph(nx.read_graphml(file)) == C


def test_a_graph_of_somebody_else_is_read():
    graph = nx.Graph()
    graph.add_nodes_from(["u", "v"], bipartite=1)
    graph.add_nodes_from([(1, 2), (3, 4)], bipartite=0)
    graph.add_edges_from([("v", (1, 2)), ((3, 4), "u"), ("v", (3, 4))])
    C = from_incidence_graph(graph)
    assert (C.points, C.concepts, C.rows) == (("u", "v"), ("(1, 2)", "(3, 4)"), (2, 3))


def test_what_is_no_such_graph_is_refused():
    with pytest.raises(DomainError, match="graph must be a Graph, not a list"):
        from_incidence_graph([[0, 1]])
    with pytest.raises(DomainError, match="vertex 0 must have bipartite 0 or 1"):
        from_incidence_graph(nx.path_graph(2))
    graph = to_incidence_graph(thresholds(1))
    graph.add_edge("point 0", "point 1")
    with pytest.raises(DomainError, match="must join a concept and a point"):
        from_incidence_graph(graph)
    graph = nx.Graph()
    graph.add_nodes_from(range(1 << 13), bipartite=0)
    graph.add_nodes_from(range(-(1 << 14), 0), bipartite=1)
    with pytest.raises(InstanceTooLargeError):
        from_incidence_graph(graph)


@pytest.mark.parametrize("C", CLASSES[:5], ids=str)
def test_a_class_is_its_frame(C):
    assert ConceptClass.from_dataframe(to_dataframe(C)) == C


def test_a_problem_is_its_frame():
    problem = CommunicationProblem.from_matrix(["01*", "*10"], ["a", "b"], [3, "4", 5])
    frame = to_dataframe(problem)
    assert frame.isna().sum().sum() == 2
    assert CommunicationProblem.from_matrix(frame) == problem
    assert CommunicationProblem.from_matrix(to_dataframe("equality:n=3")) == equality(3)
    assert ConceptClass.from_dataframe(to_dataframe("lines:p=2")) == parse_instance("lines:p=2")
    with pytest.raises(DomainError, match="must be a ConceptClass, a CommunicationProblem or text"):
        to_dataframe([[0, 1]])
