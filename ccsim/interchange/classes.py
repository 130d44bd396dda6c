"""Classes as bipartite graphs of networkx and as data frames of pandas, and conversions back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import DomainError
from ccsim.texts.sets import sets_of_incidence

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

_SIDES = ("concept", "point")


@checked_types
def to_incidence_graph(concept_class: ClassLike) -> nx.Graph[str]:
    """Return the bipartite graph of concepts and points, with an edge for each label 1.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix

    Returns
    -------
    networkx.Graph
        A graph with the name of the class and vertices ``concept 0``, ``concept 1``, ... and
        ``point 0``, ... The vertices have the attributes ``bipartite`` (0 for concepts, 1 for
        points) and ``label``. GraphML preserves names and attributes.

    Examples
    --------
    >>> graph = to_incidence_graph(["011", "001"])
    >>> sorted(graph.edges), graph.nodes["point 2"]["label"]
    ([('concept 0', 'point 1'), ('concept 0', 'point 2'), ('concept 1', 'point 2')], 2)
    """
    import networkx as nx

    C = as_class(concept_class)
    graph: nx.Graph[str] = nx.Graph(name=C.name)
    for side, (what, labels) in enumerate(zip(_SIDES, (C.concepts, C.points), strict=True)):
        for i, label in enumerate(labels):
            graph.add_node(f"{what} {i}", bipartite=side, label=label)
    graph.add_edges_from(
        (f"concept {i}", f"point {x}")
        for i, row in enumerate(C.rows)
        for x in range(len(C.points))
        if row >> x & 1
    )
    return graph


@checked_types
def from_incidence_graph(graph: nx.Graph[Any]) -> ConceptClass:
    """Return the class of a bipartite graph between concepts and points.

    Parameters
    ----------
    graph : networkx.Graph
        A graph whose vertices have an attribute ``bipartite``, 0 for a concept and 1 for a point.
        The label of a vertex is its attribute ``label`` or, without this attribute, the vertex
        itself. Both sides keep the order of the graph.

    Raises
    ------
    DomainError
        If the graph is not of this form, or an edge does not join the two sides.

    Examples
    --------
    >>> from ccsim import thresholds
    >>> from_incidence_graph(to_incidence_graph(thresholds(2))) == thresholds(2)
    True
    """
    name = str(graph.graph.get("name", ""))
    found = sets_of_incidence(graph, name or "the class")
    return ConceptClass.from_rows(found.rows, found.points, found.concepts, name)


@checked_types
def to_dataframe(given: ConceptClass | CommunicationProblem | str) -> pd.DataFrame:
    """Return a class or a problem as a pandas data frame of 0 and 1.

    Parameters
    ----------
    given : ConceptClass, CommunicationProblem or INSTANCE text

    Returns
    -------
    pandas.DataFrame
        The index lists the concepts (Alice's inputs), the columns are the points (Bob's inputs).
        Entries outside the promise are missing. ``ConceptClass.from_dataframe`` and
        ``CommunicationProblem.from_matrix`` read the frame.

    Raises
    ------
    DomainError
        If the argument is neither a class nor a problem, or pandas is not installed.

    Examples
    --------
    >>> from ccsim import points
    >>> to_dataframe(points(1)).to_numpy().tolist()
    [[1, 0], [0, 1]]
    """
    try:
        import pandas as pd
    except ImportError:
        raise DomainError(
            "data frames require pandas; install it with pip install 'ccsim[frames]', or in a "
            "checkout with pip install '.[frames]'"
        ) from None
    instance: object = given
    if isinstance(given, str):
        from ccsim.instances import parse_instance

        instance = parse_instance(given)
    if isinstance(instance, ConceptClass):
        width = range(len(instance.points))
        rows = [[row >> x & 1 for x in width] for row in instance.rows]
        labels, columns = _index(instance.concepts), _index(instance.points)
        return pd.DataFrame(rows, index=labels, columns=columns, dtype="int8")
    if isinstance(instance, CommunicationProblem):
        sides = range(len(instance.alice)), range(len(instance.bob))
        values = [[instance.value(x, y) for y in sides[1]] for x in sides[0]]
        labels, columns = _index(instance.alice), _index(instance.bob)
        return pd.DataFrame(values, index=labels, columns=columns, dtype="Int8")
    raise DomainError(
        f"argument must be a class or a problem to become a data frame, not {show_value(given)}"
    )


def _index(labels: tuple[int | str, ...]) -> Any:  # noqa: ANN401 - pandas need not be there
    """Return labels as a pandas index; texts that look like numbers remain texts."""
    import pandas as pd

    return pd.Index(list(labels), dtype=object)
