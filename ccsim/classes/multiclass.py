"""Finite classes of functions to any finite set of labels, and conversions to them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import field
from typing import Annotated, Any, Self, TypeAlias

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types, iterated
from ccsim.arguments.values import show_value
from ccsim.budget import Budget, TimeLimit
from ccsim.classes.concept_class import ConceptClass, values_of
from ccsim.classes.given import SupportsClass, parse_class, read_in_time
from ccsim.classes.matrices import refuse_graph
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.frames import is_frame, opened_frame
from ccsim.texts.labelled import (
    MULTICLASS,
    as_label,
    characters,
    check_entries,
    read_labelled,
)
from ccsim.texts.labels import Label, as_labels, check_labels, check_sides, check_size
from ccsim.texts.registry import MULTICLASS_FAMILIES, build_member

MOST_LABELS = 1 << 20
"""Maximum number of labels."""


@validated
class MulticlassConceptClass:
    """A finite class of distinct functions from a finite set of points to a finite set of labels.

    Attributes
    ----------
    points : tuple of int or str
        Names of the points, distinct.
    concepts : tuple of int or str
        Names of the concepts, distinct.
    labels : tuple of int or str
        The labels, distinct. Some may be the value of no concept.
    rows : tuple of tuple of int
        For each concept the numbers of its labels, in the order of the points; all rows are
        distinct. Number ``y`` stands for ``labels[y]``.
    name : str
        Name of the class in output; ignored by ``==``.
    merged : int
        Number of equal rows that were merged when the class was read; ignored by ``==``.

    Raises
    ------
    InstanceTooLargeError
        If there are more than ``2**22`` entries or ``2**20`` labels.

    Examples
    --------
    >>> C = MulticlassConceptClass.from_matrix([["cat", "dog"], ["owl", "dog"]])
    >>> C.labels, C.rows, C.value(1, 0)
    (('cat', 'dog', 'owl'), ((0, 1), (2, 1)), 'owl')
    """

    points: tuple[Label, ...]
    concepts: tuple[Label, ...]
    labels: tuple[Label, ...]
    rows: tuple[tuple[int, ...], ...]
    name: str = field(default="", compare=False)
    merged: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        check_sides(self.name, points=self.points, concepts=self.concepts, labels=self.labels)
        check_entries(len(self.rows), len(self.points), self.name or "the class")
        check_labels(self.points, len(self.points), "point")
        check_labels(self.concepts, len(self.rows), "concept")
        check_labels(self.labels, len(self.labels), "class")
        if len(self.labels) > MOST_LABELS:
            raise InstanceTooLargeError(
                f"{self.name or 'the class'} has {len(self.labels)} labels; the limit is "
                f"{MOST_LABELS}"
            )
        for row in self.rows:
            if len(row) != len(self.points):
                raise DomainError(
                    f"every row must have {counted(len(self.points), 'entry', 'entries')}, one for "
                    f"each point, not {len(row)}"
                )
            if row and not 0 <= min(row) <= max(row) < len(self.labels):
                wrong = next(y for y in row if not 0 <= y < len(self.labels))
                raise DomainError(
                    f"every entry of rows must be the number of a label below {len(self.labels)}, "
                    f"not {show_value(wrong)}"
                )
        if len(set(self.rows)) != len(self.rows):
            raise DomainError(
                "rows must be distinct; use MulticlassConceptClass.from_matrix to merge equal rows"
            )

    @classmethod
    def from_matrix(
        cls,
        matrix: Iterable[Iterable[Hashable] | str],
        points: Iterable[Hashable] | None = None,
        concepts: Iterable[Hashable] | None = None,
        labels: Iterable[Hashable] | None = None,
        name: str = "",
    ) -> Self:
        """Return the class whose concepts are the rows of a matrix of labels.

        Parameters
        ----------
        matrix : rows of labels
            Rows of equal length; may be a numpy array or a data frame. A label is an integer or a
            text; in a row given as text, such as ``"012"``, each character is a label. Decimal
            texts become integers. Equal rows are merged.
        points, concepts : hashable names, optional
            Default: the names of a data frame, otherwise ``0, 1, 2, ...``. The name of a merged row
            is that of its first copy.
        labels : labels, optional
            All labels, in order; they must contain the entries. Default: the entries, integers
            first, in increasing order.
        name : str

        Examples
        --------
        >>> C = MulticlassConceptClass.from_matrix(["012", "210", "012"])
        >>> C.rows, C.labels, C.merged
        (((0, 1, 2), (2, 1, 0)), (0, 1, 2), 1)
        """
        check_sides(name)
        refuse_graph(matrix)
        if is_frame(matrix):
            frame: Any = matrix
            points = frame.columns if points is None else points
            if concepts is None and not hasattr(frame, "iter_rows"):
                concepts = frame.index
        entries = _entries(matrix, name or "the class")
        width = len(entries[0]) if entries else 0
        named = as_labels(range(width) if points is None else points, "point")
        given = as_labels(range(len(entries)) if concepts is None else concepts, "concept")
        if entries:
            check_labels(named, width, "point")
        check_labels(given, len(entries), "concept")
        known = _known_labels(entries, labels)
        number = {label: y for y, label in enumerate(known)}
        first: dict[tuple[int, ...], Label] = {}
        for row, concept in zip(entries, given, strict=True):
            first.setdefault(tuple(number[entry] for entry in row), concept)
        merged = len(entries) - len(first)
        return cls(named, tuple(first.values()), known, tuple(first), name, merged)

    @classmethod
    def from_callable(
        cls,
        function: Callable[[Any, Any], Hashable],
        concepts: Iterable[Any],
        points: Iterable[Any],
        labels: Iterable[Hashable] | None = None,
        name: str = "",
    ) -> Self:
        """Return the class with label ``function(concept, point)``, called on the names as given.

        Names may be any hashable objects; names other than integers and texts become texts.

        Examples
        --------
        >>> MulticlassConceptClass.from_callable(lambda c, x: (c + x) % 3, range(3), range(2)).rows
        ((0, 1), (1, 2), (2, 0))
        """
        check_sides(name)
        sides = (concepts, "concepts"), (points, "points")
        cs, xs, rows = values_of(function, *sides, name or "the class")
        return cls.from_matrix(rows, xs, cs, labels, name)

    @classmethod
    def from_class(cls, concept_class: ConceptClass) -> Self:
        """Return a class of Boolean functions as a class with the labels 0 and 1.

        Examples
        --------
        >>> from ccsim.classes import points
        >>> MulticlassConceptClass.from_class(points(1)).rows
        ((1, 0), (0, 1))
        """
        if not isinstance(concept_class, ConceptClass):
            raise DomainError(
                f"concept_class must be a ConceptClass, not {show_value(concept_class)}"
            )
        C = concept_class
        check_entries(len(C), len(C.points), C.name or "the class")
        width = len(C.points)
        rows = tuple(tuple(row >> x & 1 for x in range(width)) for row in C.rows)
        return cls(C.points, C.concepts, (0, 1), rows, C.name, C.merged)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        concepts = counted(len(self.rows), "concept", "concepts")
        points = counted(len(self.points), "point", "points")
        labels = counted(len(self.labels), "label", "labels")
        return f"{self.name or 'multiclass class'}: {concepts} over {points}, {labels}"

    def value(self, concept: int, point: int) -> Label:
        """Return the label that concept number ``concept`` gives to point number ``point``."""
        return self.labels[self.rows[concept][point]]

    def graph_literals(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of a point and a label number that are the points of `graph_class`.

        They are the pairs such that some concept gives this label to this point, in increasing
        order. The least label of a point is left out if the point has at most two, since it is then
        constant or the complement of the other.

        Examples
        --------
        >>> MulticlassConceptClass.from_matrix(["00", "11", "12"]).graph_literals()
        ((0, 1), (1, 0), (1, 1), (1, 2))
        """
        at = [sorted(set(column)) for column in zip(*self.rows, strict=True)]
        return tuple((x, y) for x, ys in enumerate(at) for y in ys[len(ys) < 3 :])

    def graph_class(self, *, time_limit: TimeLimit = None) -> ConceptClass:
        """Return the Boolean class whose concepts state which points have which labels.

        Its points are the `graph_literals`. Its VC dimension is the graph dimension.

        Parameters
        ----------
        time_limit : float or Budget, optional
            Seconds after which `NotDecidedError` is raised.

        Examples
        --------
        >>> graph = MulticlassConceptClass.from_matrix(["00", "11", "12"]).graph_class()
        >>> graph.points, graph.rows
        (('0=1', '1=0', '1=1', '1=2'), (2, 5, 9))
        """
        pairs = self.graph_literals()
        check_size(len(self), len(pairs), "the graph of the class")
        rows = [
            int("".join(["01"[row[x] == y] for x, y in reversed(pairs)]) or "0", 2)
            for row in Budget.of(time_limit).each(self.rows)
        ]
        return ConceptClass.from_rows(rows, [f"{x}={y}" for x, y in pairs], self.concepts)

    def to_json(self) -> dict[str, Any]:
        """Return the instance part of a certificate (`docs/certificates.md`)."""
        return {
            "type": MULTICLASS,
            "name": self.name,
            "points": list(self.points),
            "concepts": list(self.concepts),
            "labels": list(self.labels),
            "rows": [list(row) for row in self.rows],
        }


def _entries(matrix: Any, name: str) -> list[list[Label]]:  # noqa: ANN401 - rows of any kind
    """Return the labels in a matrix; all rows have the same length."""
    rows: list[list[Label]] = []
    for i, row in enumerate(iterated(opened_frame(matrix), "a matrix", "rows")):
        cells = characters(row) if isinstance(row, str) else iterated(row, f"row {i}", "labels")
        labels: list[Label] = []
        for x, entry in enumerate(cells):
            if x % 1024 == 0:
                check_entries(i + 1, x + 1, name)
            try:
                labels.append(as_label(entry))
            except DomainError as error:
                raise DomainError(f"entry ({i}, {x}) must be {error}") from None
        rows.append(labels)
        if len(labels) != len(rows[0]):
            raise DomainError(
                f"row {i} has {counted(len(labels), 'entry', 'entries')}, but row 0 has "
                f"{len(rows[0])}"
            )
        check_entries(i + 1, len(labels), name)
    return rows


def _known_labels(
    entries: Sequence[Sequence[Label]], labels: Iterable[Hashable] | None
) -> tuple[Label, ...]:
    """Return the given labels, which must contain all entries, or the sorted entries."""
    found = {entry for row in entries for entry in row}
    if labels is None:
        texts = sorted(entry for entry in found if isinstance(entry, str))
        return (*sorted(entry for entry in found if isinstance(entry, int)), *texts)
    try:
        known = tuple(map(as_label, iterated(labels, "labels", "labels")))
    except DomainError as error:
        raise DomainError(f"each of the labels must be {error}") from None
    check_labels(known, len(known), "class")
    if missing := found.difference(known):
        raise DomainError(f"labels must contain the entry {show_value(min(missing, key=str))}")
    return known


MulticlassLike: TypeAlias = Annotated[
    MulticlassConceptClass
    | ConceptClass
    | SupportsClass
    | str
    | Iterable[Iterable[Hashable] | str],
    "a MulticlassConceptClass, a ConceptClass, a total CommunicationProblem, an INSTANCE text or a "
    "matrix of labels",
]
"""The accepted forms of a multiclass concept class."""


@checked_types
def as_multiclass(given: MulticlassLike, budget: Budget | None = None) -> MulticlassConceptClass:
    """Return the multiclass concept class given as a class, an INSTANCE text or a matrix.

    Parameters
    ----------
    given : MulticlassConceptClass, ConceptClass, total problem, INSTANCE text or matrix
        The concepts are the rows of a matrix of labels (nested lists, texts, a numpy array or a
        data frame). A class of Boolean functions has the labels 0 and 1. A text names a family or,
        after ``@``, a file.
    budget : Budget, optional
        Time limit of the question. A text may take up to a second even if less time is left.

    Raises
    ------
    NotDecidedError
        If building the class takes longer than the budget.

    Examples
    --------
    >>> as_multiclass(["012", "210"]).rows
    ((0, 1, 2), (2, 1, 0))
    >>> as_multiclass("label_cycle:k=3").labels, as_multiclass("points:b=1").labels
    ((0, 1, 2), (0, 1))
    """
    if isinstance(given, MulticlassConceptClass):
        return given
    if isinstance(given, ConceptClass):
        return MulticlassConceptClass.from_class(given)
    if isinstance(given, str):
        return read_in_time(parse_multiclass, given, budget)
    matrix: Any = given
    if not is_frame(matrix) and isinstance(matrix, SupportsClass):
        return MulticlassConceptClass.from_class(matrix.to_class())
    return MulticlassConceptClass.from_matrix(matrix)


@checked_types
def parse_multiclass(text: str, *, time_limit: TimeLimit = None) -> MulticlassConceptClass:
    """Return the multiclass class named by an INSTANCE text, or that of a Boolean class."""
    budget = Budget.of(time_limit)
    if text.startswith("@"):
        table = read_labelled(text[1:], budget)
        try:
            return MulticlassConceptClass.from_matrix(
                table.rows, table.points, table.concepts, table.labels, table.name
            )
        except DomainError as error:
            raise UnreadableInputError(f"{table.source}: {error}") from None
    if text.partition(":")[0].strip() not in MULTICLASS_FAMILIES.names():
        return MulticlassConceptClass.from_class(parse_class(text, time_limit=budget))
    member = build_member(text, budget, MULTICLASS_FAMILIES)
    if not isinstance(member, MulticlassConceptClass):
        raise UnreadableInputError(f"{text}: the family must return a MulticlassConceptClass")
    return member
