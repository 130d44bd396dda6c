"""Finite classes of Boolean functions; bit ``x`` of a concept is its label of point ``x``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Self, get_args

from ccsim.appearance import counted
from ccsim.arguments.checked import iterated
from ccsim.arguments.values import show_value
from ccsim.classes.matrices import open_matrix
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.frames import is_frame
from ccsim.texts.labels import (
    Label,
    as_labels,
    check_indices,
    check_labels,
    check_masks,
    check_sides,
    check_size,
    is_bit,
    listed,
    text_row,
)
from ccsim.texts.reading import Reading
from ccsim.texts.sets import GraphSets, labelled_sets, sets_of_graph

if TYPE_CHECKING:
    import networkx as nx

_FEW_ENTRIES = 1 << 12  # entries that are turned into columns in less time than numpy takes to load
_MOST_VARIABLES = 21  # more have more points than `MAX_LABELS`
_TOGETHER = 1 << 18  # bytes of entries that are turned into columns at once


@validated
class ConceptClass:
    """A finite class of distinct Boolean functions over a finite set of points.

    Attributes
    ----------
    points : tuple of int or str
        Labels of the points, distinct.
    concepts : tuple of int or str
        Labels of the concepts, distinct.
    rows : tuple of int
        One bit mask below ``2**len(points)`` for each concept, all distinct; bit ``x`` is the label
        that the concept gives to point number ``x``.
    name : str
        Name of the class in output; ignored by ``==``.
    merged : int
        Number of equal rows that were merged when the class was read; ignored by ``==``.
    reading : Reading or None
        Assumptions made in reading a matrix or a file; ignored by ``==``.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_ENTRIES` entries.

    Examples
    --------
    >>> C = ConceptClass.from_matrix([[0, 0, 1], [0, 1, 1]], points=["a", "b", "c"])
    >>> C.rows, C.points, C.value(0, 2)
    ((4, 6), ('a', 'b', 'c'), 1)
    >>> eval(repr(C)) == C
    True
    """

    points: tuple[Label, ...]
    concepts: tuple[Label, ...]
    rows: tuple[int, ...]
    name: str = field(default="", compare=False)
    merged: int = field(default=0, compare=False)
    reading: Reading | None = field(default=None, compare=False, repr=False)
    _columns: tuple[int, ...] | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_masks(self.rows, "rows")
        check_sides(self.name, points=self.points, concepts=self.concepts)
        check_size(len(self.rows), len(self.points), self.name or "the class")
        check_labels(self.points, len(self.points), "point")
        check_labels(self.concepts, len(self.rows), "concept")
        bound = 1 << len(self.points)
        if len(set(self.rows)) != len(self.rows):
            raise DomainError(
                "rows must be distinct; use ConceptClass.from_matrix to merge equal rows"
            )
        if self.rows and not (min(self.rows) >= 0 and max(self.rows) < bound):
            wrong = next(row for row in self.rows if not 0 <= row < bound)
            raise DomainError(
                f"every row must be an integer from 0 to 2**{len(self.points)} - 1 (bit x is the "
                f"label of point x), not {wrong}"
            )

    @classmethod
    def from_matrix(
        cls,
        matrix: Iterable[Iterable[int] | str],
        points: Iterable[Hashable] | None = None,
        concepts: Iterable[Hashable] | None = None,
        name: str = "",
        *,
        signs: bool = False,
    ) -> Self:
        """Return the class whose concepts are the rows of a 0/1 matrix; equal rows are merged.

        Parameters
        ----------
        matrix : rows of 0 and 1
            Rows of equal length, or texts such as ``"011"``; may be a numpy array or a data frame.
        points, concepts : hashable labels, optional
            Default: the labels of a data frame, otherwise ``0, 1, 2, ...``. Labels other than
            integers and texts are replaced by their texts. The label of a merged row is that of its
            first copy.
        name : str
        signs : bool
            Whether the entries are -1 and 1; -1 then means 1, and 1 means 0, as in ``(-1)**f``.

        Examples
        --------
        >>> ConceptClass.from_matrix([[1, 1], [1, -1]], signs=True).rows
        (0, 2)
        """
        check_sides(name)
        found = open_matrix(matrix, name or "the class", partial=False, signs=signs)
        points = found.column_labels if points is None else points
        concepts = found.row_labels if concepts is None else concepts
        masks = [int(row[::-1] or "0", 2) for row in found.rows]
        width = found.width
        point_labels = as_labels(range(width) if points is None else points, "point")
        if found.rows and len(point_labels) != width:
            raise DomainError(
                f"point labels must have {counted(width, 'entry', 'entries')}, "
                f"not {len(point_labels)}"
            )
        return cls.from_rows(masks, point_labels, concepts, name, found.reading)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[int],
        points: Iterable[Hashable],
        concepts: Iterable[Hashable] | None = None,
        name: str = "",
        reading: Reading | None = None,
    ) -> Self:
        """Return the class of the given bit masks, in their order; equal rows are merged.

        Examples
        --------
        >>> C = ConceptClass.from_rows([1, 3, 1], points=[0, 1])
        >>> C.rows, C.concepts, C.merged
        ((1, 3), (0, 1), 1)
        """
        rows = tuple(iterated(rows, "rows", "integers"))
        check_masks(rows, "rows")
        points = as_labels(points, "point")
        labels = as_labels(range(len(rows)) if concepts is None else concepts, "concept")
        if len(set(rows)) == len(rows):
            return cls(points, labels, rows, name, reading=reading)
        check_labels(labels, len(rows), "concept")
        first: dict[int, Label] = {}
        for row, label in zip(rows, labels, strict=True):
            first.setdefault(row, label)
        merged = len(rows) - len(first)
        return cls(points, tuple(first.values()), tuple(first), name, merged, reading)

    @classmethod
    def from_callable(
        cls,
        function: Callable[[Any, Any], int],
        concepts: Iterable[Any],
        points: Iterable[Any],
        name: str = "",
    ) -> Self:
        """Return the class with value ``function(concept, point)``, called on the labels as given.

        Labels may be any hashable objects; labels other than integers and texts become texts.
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
                f"variables must be an integer between 0 and {_MOST_VARIABLES}, not "
                f"{show_value(number)}"
            )
        check_size(len(given), 1 << number, name or "the class")
        cube = [text_row(x, number) for x in range(1 << number)]
        rows = ([f(*map(int, bits)) for bits in cube] for f in given)
        return cls.from_matrix(rows, cube, as_labels(list(named), "concept"), name)

    @classmethod
    def from_graph(cls, graph: nx.Graph[Any], sets: GraphSets, name: str = "") -> Self:
        """Return a class of sets of vertices, or of edges, of a networkx graph.

        There are ``2**(vertices - components)`` cuts. Cliques are enumerated by networkx.
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
        """Return the class of a data frame; the index labels concepts, the columns label points."""
        if not is_frame(frame):
            raise DomainError(f"frame must be a data frame, not {show_value(frame)}")
        return cls.from_matrix(frame, name=name, signs=signs)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        concepts = counted(len(self.rows), "concept", "concepts")
        points = counted(len(self.points), "point", "points")
        return f"{self.name or 'class'}: {concepts} over {points}"

    def value(self, concept: int, point: int) -> int:
        """Return the label that concept number ``concept`` gives to point number ``point``."""
        return self.rows[concept] >> point & 1

    def restrict(self, point: int, label: int) -> Self:
        """Return the subclass of the concepts with the given label on a point."""
        check_indices([point], len(self.points), "point")
        if not is_bit(label):
            raise DomainError(f"label must be 0 or 1, not {show_value(label)}")
        return self.subclass(c for c, row in enumerate(self.rows) if row >> point & 1 == label)

    def subclass(self, concepts: Iterable[int]) -> Self:
        """Return the subclass of the concepts with the given indices, in the given order."""
        chosen = check_indices(concepts, len(self.concepts), "concept")
        return type(self)(
            self.points,
            tuple(self.concepts[c] for c in chosen),
            tuple(self.rows[c] for c in chosen),
        )

    def project(self, points: Iterable[int]) -> Self:
        """Return the projection onto the points with the given indices; equal rows are merged."""
        chosen = check_indices(points, len(self.points), "point")
        rows = [sum((row >> x & 1) << i for i, x in enumerate(chosen)) for row in self.rows]
        return type(self).from_rows(rows, [self.points[x] for x in chosen], self.concepts)

    def dual(self) -> Self:
        """Return the dual class: points become concepts and concepts become points.

        Examples
        --------
        >>> ConceptClass.from_matrix([[0, 0, 1], [0, 1, 1]]).dual().rows
        (0, 2, 3)
        """
        name = f"dual of {self.name}" if self.name else ""
        found = type(self).from_rows(columns(self), self.concepts, self.points, name)
        if not found.merged:
            object.__setattr__(found, "_columns", self.rows)
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the instance part of a certificate (`docs/certificates.md`)."""
        if width := len(self.points):
            form = f"0{width}b"
            rows = [format(row, form)[::-1] for row in self.rows]
        else:
            rows = [""] * len(self.rows)
        return {
            "type": "concept class",
            "name": self.name,
            "points": list(self.points),
            "concepts": list(self.concepts),
            "rows": rows,
        }


def columns(concept_class: ConceptClass) -> tuple[int, ...]:
    """Return, for each point, the bit mask of the concepts that label it 1, cached by class."""
    found = concept_class._columns
    if found is None:
        found = transposed(concept_class.rows, len(concept_class.points))
        object.__setattr__(concept_class, "_columns", found)
    return found


def transposed(rows: Sequence[int], width: int) -> tuple[int, ...]:
    """Return the columns of a table as bit masks of its rows."""
    if not rows:
        return (0,) * width
    if width * len(rows) <= _FEW_ENTRIES:
        texts = [text_row(row, width) for row in reversed(rows)]
        return tuple(int("".join(column), 2) for column in zip(*texts, strict=True))
    import numpy as np

    size = -(-width // 8)
    if width <= 64:
        packed = np.array(rows, "<u8").view(np.uint8).reshape(-1, 8)
    else:
        data = b"".join(row.to_bytes(size, "little") for row in rows)
        packed = np.frombuffer(data, np.uint8).reshape(-1, size)
    found: list[int] = []
    height, step = -(-len(rows) // 8), max(_TOGETHER // len(rows), 1)
    for first in range(0, size, step):
        bits = np.unpackbits(packed[:, first : first + step], axis=1, bitorder="little")
        turned = np.packbits(np.ascontiguousarray(bits.T), axis=1, bitorder="little")
        if height <= 8:
            words = np.pad(turned, ((0, 0), (0, 8 - height)))
            found += words.view("<u8")[:, 0].tolist()
            continue
        data = turned.tobytes()
        places = range(0, len(data), height)
        found += [int.from_bytes(data[at : at + height], "little") for at in places]
    return tuple(found[:width])


def values_of(
    function: Callable[[Any, Any], Any],
    left: tuple[Iterable[Any], str],
    right: tuple[Iterable[Any], str],
    name: str,
) -> tuple[list[Any], list[Any], Iterator[list[Any]]]:
    """Return the members of two named sets, and the values of a function on all pairs, by row."""
    _check_function(function, "function")
    us, vs = listed(*left), listed(*right)
    check_size(len(us), len(vs), name)
    return us, vs, ([function(u, v) for v in vs] for u in us)


def _check_function(function: object, name: str) -> None:
    if not callable(function):
        raise DomainError(f"{name} must be callable, not {show_value(function)}")


def _arguments(functions: list[Callable[..., int]]) -> int:
    """Return the number of arguments, which must be the same for all functions."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    numbers = set[int]()
    for function in functions:
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            parameters = None
        if parameters is None or any(p.kind not in positional for p in parameters):
            raise DomainError(
                "variables must be given, since a function has no fixed number of arguments"
            )
        numbers.add(len(parameters))
    if len(numbers) != 1:
        shown = ", ".join(map(str, sorted(numbers))) or "none"
        raise DomainError(f"functions must all have the same number of arguments, not {shown}")
    return numbers.pop()
