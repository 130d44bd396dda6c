"""Ways in which a class is made from what people have: functions, sets, graphs, data frames.

Main definitions: `MadeFromData`, of which `ConceptClass` inherits them, and `values_of`.
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, get_args

from ccsim.border import show_value
from ccsim.classes.graphs import GraphSets, sets_of_graph
from ccsim.classes.sets import labelled_sets
from ccsim.errors import DomainError
from ccsim.frames import is_frame
from ccsim.texts.labels import as_labels, check_sides, check_size, listed, text_row

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["MadeFromData", "values_of"]

_MOST_VARIABLES = 21
"""More have more points than `MAX_LABELS`."""


class MadeFromData:
    """What is made of the rows of a matrix can also be made as follows."""

    __slots__ = ()

    @classmethod
    @abstractmethod
    def from_matrix(
        cls,
        matrix: Iterable[Iterable[int] | str],
        points: Iterable[Hashable] | None = None,
        concepts: Iterable[Hashable] | None = None,
        name: str = "",
        *,
        signs: bool = False,
    ) -> Self:
        """Return the class whose concepts are the rows of a 0/1 matrix."""

    @classmethod
    @abstractmethod
    def from_rows(
        cls,
        rows: Sequence[int],
        points: Iterable[Hashable],
        concepts: Iterable[Hashable] | None = None,
        name: str = "",
    ) -> Self:
        """Return the class of the given bit masks."""

    @classmethod
    def from_callable(
        cls,
        function: Callable[[Any, Any], int],
        concepts: Iterable[Any],
        points: Iterable[Any],
        name: str = "",
    ) -> Self:
        """Return the class with value ``function(concept, point)``, called on the labels as given.

        Labels may be anything hashable: pairs, fractions, dates; they are then called by their
        text. Complexity: one call for each entry.

        Raises
        ------
        DomainError
            At a value that is neither 0 nor 1.
        InstanceTooLargeError
            Before any call.

        Examples
        --------
        >>> from ccsim.classes import ConceptClass
        >>> ConceptClass.from_callable(lambda c, x: int(x >= c), range(3), range(3)).rows
        (7, 6, 4)
        >>> corners = [(0, 0), (0, 1), (1, 1)]
        >>> ConceptClass.from_callable(lambda c, x: x <= c, corners, corners).points
        ('(0, 0)', '(0, 1)', '(1, 1)')
        """
        check_sides(name)
        sides = (concepts, "concepts"), (points, "points")
        cs, xs, rows = values_of(function, *sides, name or "the class")
        return cls.from_matrix(rows, xs, cs, name)

    @classmethod
    def from_sets(
        cls,
        sets: Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]],
        points: Iterable[Hashable] | None = None,
        name: str = "",
    ) -> Self:
        """Return the class whose concepts are sets of points; equal sets are merged.

        Parameters
        ----------
        sets : iterables of points, or a mapping
            The keys of a mapping become the labels of the concepts.
        points : hashable labels, optional
            Default all that stand in a set, numbers first and in order, then by their text.
        name : str

        Raises
        ------
        DomainError
            If a set has something else than points in it.
        InstanceTooLargeError

        Examples
        --------
        >>> from ccsim.classes import ConceptClass
        >>> C = ConceptClass.from_sets({"fruit": {"fig", "plum"}, "blue": {"plum", "sky"}})
        >>> C.concepts, C.points, C.rows
        (('fruit', 'blue'), ('fig', 'plum', 'sky'), (3, 6))
        >>> ConceptClass.from_sets([{1}, {2, 3}], points=[1, 2])
        Traceback (most recent call last):
        ...
        ccsim.errors.DomainError: set 1 has 3 in it, which is none of the points
        """
        check_sides(name)
        found = labelled_sets(sets, points, name or "the class")
        return cls.from_rows(found.rows, found.points, found.concepts, name)

    @classmethod
    def from_boolean_functions(
        cls,
        functions: Iterable[Callable[..., int]] | Mapping[Any, Callable[..., int]],
        variables: int | None = None,
        name: str = "",
    ) -> Self:
        """Return the class of Boolean functions of variables ``x_1, x_2, ...`` over the cube.

        Point number ``X`` has ``x_i`` in bit ``i - 1`` and is written with ``x_1`` first.

        Parameters
        ----------
        functions : callables, or a mapping to callables
            Each is called with one argument, 0 or 1, for each variable. The keys of a mapping
            become the labels of the concepts.
        variables : int, optional
            From 0 to 21; default the number of arguments of the functions.
        name : str

        Raises
        ------
        DomainError
            If the functions have not one number of arguments, or at a value that is not 0 or 1.
        InstanceTooLargeError
            Before any call.

        Examples
        --------
        >>> from ccsim.classes import ConceptClass
        >>> gates = {"and": lambda x, y: x & y, "or": lambda x, y: x | y}
        >>> C = ConceptClass.from_boolean_functions(gates)
        >>> C.points, C.concepts, C.rows
        (('00', '10', '01', '11'), ('and', 'or'), (8, 14))
        """
        check_sides(name)
        if isinstance(functions, Mapping):
            named: dict[Any, Callable[..., int]] = dict(functions)
        else:
            named = dict(enumerate(listed(functions, "functions", "functions")))
        for label, function in named.items():
            _check_function(function, f"function {label!s}")
        given = list(named.values())
        number = _arguments(given) if variables is None else variables
        if type(number) is not int or not 0 <= number <= _MOST_VARIABLES:
            raise DomainError(
                f"variables must be a number from 0 to {_MOST_VARIABLES}, not {show_value(number)}"
            )
        check_size(len(given), 1 << number, name or "the class")
        cube = [text_row(x, number) for x in range(1 << number)]
        rows = ([f(*map(int, bits)) for bits in cube] for f in given)
        return cls.from_matrix(rows, cube, as_labels(list(named), "concept"), name)

    @classmethod
    def from_graph(cls, graph: nx.Graph[Any], sets: GraphSets, name: str = "") -> Self:
        """Return a class of sets of vertices, or of edges, of a graph of networkx.

        Parameters
        ----------
        graph : networkx.Graph
            Loops count as neighbours alone, parallel edges as one. Only neighbourhoods are taken of
            a directed graph: the successors of each vertex.
        sets : text
            ``"neighbourhoods"`` or ``"closed neighbourhoods"``, which contain the vertex: a concept
            for each vertex; ``"cliques"``, with the empty one, or ``"maximal cliques"``: sets of
            vertices; ``"cuts"``: the sets of edges between a set of vertices and the rest, each
            once, labelled by the side without the first vertex of any component.
        name : str

        Raises
        ------
        DomainError
            If it is no graph, or there are no such sets of it.
        InstanceTooLargeError
            For cuts and neighbourhoods before any work, for cliques when there are too many.

        Complexity
        ----------
        Linear in the entries, ``2**(vertices - components)`` cuts by as many edges; maximal cliques
        by the search of networkx, exponential in the worst case.

        Examples
        --------
        >>> import networkx
        >>> from ccsim.classes import ConceptClass
        >>> path = networkx.path_graph(["a", "b", "c"])
        >>> ConceptClass.from_graph(path, "neighbourhoods").rows
        (2, 5)
        >>> ConceptClass.from_graph(path, "cliques").concepts
        ('{}', '{a}', '{b}', '{c}', '{a, b}', '{b, c}')
        >>> cuts = ConceptClass.from_graph(path, "cuts")
        >>> cuts.points, cuts.concepts, cuts.rows
        (('a-b', 'b-c'), ('{}', '{b}', '{c}', '{b, c}'), (0, 3, 2, 1))
        """
        check_sides(name)
        kinds: Iterable[object] = get_args(GraphSets)
        if not any(isinstance(kind, type(sets)) and kind == sets for kind in kinds):
            raise DomainError(
                f"sets must be one of {', '.join(map(str, kinds))}, not {show_value(sets)}"
            )
        found = sets_of_graph(graph, sets, name or f"the class of {sets}")
        return cls.from_rows(found.rows, found.points, found.concepts, name)

    @classmethod
    def from_dataframe(cls, frame: Any, name: str = "", *, signs: bool = False) -> Self:  # noqa: ANN401
        """Return the class of a data frame: its index names the concepts, its columns the points.

        Parameters
        ----------
        frame : pandas.DataFrame or polars.DataFrame
            Of entries 0 and 1, without missing ones. The rows of polars are numbered.
        name, signs
            As in ``from_matrix``.

        Raises
        ------
        DomainError
            At an entry that is not 0 or 1, with its row and column, and if it is no frame.
        InstanceTooLargeError
        """
        if not is_frame(frame):
            raise DomainError(f"frame must be a data frame, not {show_value(frame)}")
        return cls.from_matrix(frame, name=name, signs=signs)


def values_of(
    function: Callable[[Any, Any], Any],
    left: tuple[Iterable[Any], str],
    right: tuple[Iterable[Any], str],
    name: str,
) -> tuple[list[Any], list[Any], Iterator[list[Any]]]:
    """Return the members of two named sides and, row by row, a function's values on their pairs.

    Raises
    ------
    DomainError, InstanceTooLargeError
        Before any call.

    Examples
    --------
    >>> us, vs, rows = values_of(max, (range(2), "us"), ([1], "vs"), "f")
    >>> us, vs, list(rows)
    ([0, 1], [1], [[1], [1]])
    """
    _check_function(function, "function")
    us, vs = listed(*left), listed(*right)
    check_size(len(us), len(vs), name)
    return us, vs, ([function(u, v) for v in vs] for u in us)


def _check_function(function: object, name: str) -> None:
    if not callable(function):
        raise DomainError(f"{name} must be callable, not {show_value(function)}")


def _arguments(functions: list[Callable[..., int]]) -> int:
    """Return how many arguments the functions have, all alike."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    numbers = set[int]()
    for function in functions:
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            parameters = None
        if parameters is None or any(p.kind not in positional for p in parameters):
            raise DomainError("variables must be given, as the arguments cannot be counted")
        numbers.add(len(parameters))
    if len(numbers) != 1:
        shown = ", ".join(map(str, sorted(numbers))) or "none"
        raise DomainError(f"functions must have one number of arguments, not {shown}")
    return numbers.pop()
