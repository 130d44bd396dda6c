"""Ways in which a class is made from what people have: functions, sets, graphs, data frames."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, get_args

from ccsim.arguments.values import show_value
from ccsim.classes.graphs import GraphSets, sets_of_graph
from ccsim.classes.sets import labelled_sets
from ccsim.errors import DomainError
from ccsim.frames import is_frame
from ccsim.texts.labels import as_labels, check_sides, check_size, listed, text_row

if TYPE_CHECKING:
    import networkx as nx

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
        """Return the class whose concepts are sets of points; equal sets are merged."""
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

        Linear in the entries, ``2**(vertices - components)`` cuts by as many edges; maximal cliques
        by the search of networkx, exponential in the worst case.
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
        """Return the class of a data frame: the index names concepts, the columns points."""
        if not is_frame(frame):
            raise DomainError(f"frame must be a data frame, not {show_value(frame)}")
        return cls.from_matrix(frame, name=name, signs=signs)


def values_of(
    function: Callable[[Any, Any], Any],
    left: tuple[Iterable[Any], str],
    right: tuple[Iterable[Any], str],
    name: str,
) -> tuple[list[Any], list[Any], Iterator[list[Any]]]:
    """Return the members of two named sides and, row by row, a function's values on their pairs."""
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
