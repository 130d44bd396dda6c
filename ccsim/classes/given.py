"""Conversion to classes, from classes, problems, INSTANCE texts and matrices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Annotated, Protocol, TypeAlias, TypeVar, runtime_checkable

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, OutOfTimeError, TimeLimit
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.matrices import open_matrix
from ccsim.classes.partial import PartialClass
from ccsim.errors import DomainError, NotDecidedError, UnreadableInputError
from ccsim.frames import is_frame
from ccsim.texts.entries import text_mask
from ccsim.texts.files import read_table
from ccsim.texts.labels import check_size
from ccsim.texts.reading import Reading
from ccsim.texts.registry import build_member
from ccsim.texts.tables import Table

T = TypeVar("T")

_LEAST = 1.0  # seconds that a text may take where less is allowed in all: bounds need an instance


@runtime_checkable
class SupportsClass(Protocol):
    """An object that can be converted to a class, such as a total communication problem."""

    def to_class(self) -> ConceptClass:
        """Return the class."""


@runtime_checkable
class SupportsPartialClass(Protocol):
    """An object that can be converted to a partial class, such as a communication problem."""

    @property
    def is_total(self) -> bool:
        """Whether all entries are defined."""

    def to_partial_class(self) -> PartialClass:
        """Return the partial class."""


ClassLike: TypeAlias = Annotated[
    ConceptClass | SupportsClass | str | Iterable[Iterable[int] | str],
    "a ConceptClass, a total CommunicationProblem, an INSTANCE text or a matrix of 0 and 1",
]
"""The accepted forms of a class."""

PartialClassLike: TypeAlias = Annotated[
    ConceptClass
    | PartialClass
    | SupportsClass
    | str
    | Iterable[Iterable[int] | Iterable[int | str | None] | str],
    "a ConceptClass, a PartialClass, a CommunicationProblem, an INSTANCE text or a matrix of 0, 1 "
    "and None",
]
"""The accepted forms of a class whose concepts may be undefined on some points."""


@checked_types
def as_class(given: ClassLike, budget: Budget | None = None) -> ConceptClass:
    """Return the class given as a class, a problem, an INSTANCE text or a matrix.

    Parameters
    ----------
    given : ConceptClass, total problem, INSTANCE text or matrix
        The concepts are the rows of a total problem or of a matrix of 0 and 1 (nested lists, a list
        of texts, a numpy array, or a data frame, whose labels are kept); equal rows are merged.
        Texts are read as by `ccsim.parse_instance`.
    budget : Budget, optional
        Time limit of the question. A text may take up to a second even if less time is left.

    Raises
    ------
    NotDecidedError
        If building the class takes longer than the budget.

    Examples
    --------
    >>> from ccsim import equality
    >>> as_class("points:b=1") == as_class([[1, 0], [0, 1]])
    True
    >>> as_class(equality(2)).rows
    (1, 2)
    """
    if isinstance(given, ConceptClass):
        return given
    if isinstance(given, str):
        return read_in_time(parse_class, given, budget)
    if is_frame(given):  # before its columns are looked at, which may have any name
        return ConceptClass.from_dataframe(given)
    if isinstance(given, SupportsClass):
        return given.to_class()
    return ConceptClass.from_matrix(given)


@checked_types
def as_total_or_partial(
    given: PartialClassLike, budget: Budget | None = None
) -> ConceptClass | PartialClass:
    """Return the class in any of the accepted forms; it is partial only if it must be."""
    if isinstance(given, ConceptClass):
        return given
    if isinstance(given, str):
        return read_in_time(_parse_total_or_partial, given, budget)
    if not is_frame(given) and isinstance(given, SupportsClass):
        return _total_if_possible(given)
    found = open_matrix(given, "the class", partial=True, signs=False)
    points = range(found.width) if found.column_labels is None else found.column_labels
    return _of_texts(found.rows, points, found.row_labels, "", found.reading)


@checked_types
def parse_class(text: str, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return the class named by an INSTANCE text; a total problem gives the class of its rows.

    Parameters
    ----------
    text : str
    time_limit : float or Budget, optional

    Examples
    --------
    >>> parse_class("points:b=1").rows
    (1, 2)
    """
    budget = Budget.of(time_limit)
    if text.startswith("@"):
        return class_from_table(read_table(text[1:], budget), budget)
    member = build_member(text, budget)
    if isinstance(member, SupportsClass):
        budget.spend()
        try:
            member = member.to_class()
        except DomainError as error:
            raise UnreadableInputError(str(error)) from None
    if not isinstance(member, ConceptClass):
        raise UnreadableInputError(f"{text}: the family must return a ConceptClass")
    return member


def _parse_total_or_partial(
    text: str, *, time_limit: TimeLimit = None
) -> ConceptClass | PartialClass:
    """Return the class named by an INSTANCE text; a ``*`` in a file is an undefined entry."""
    budget = Budget.of(time_limit)
    if text.startswith("@"):
        table = read_table(text[1:], budget)
        if table.is_total:
            return class_from_table(table, budget)
        check_size(len(table.rows), table.width, table.source)
        points = range(table.width) if table.column_labels is None else table.column_labels
        try:
            return _of_texts(table.rows, points, table.row_labels, table.name, table.reading)
        except DomainError as error:
            raise UnreadableInputError(f"{table.source}: {error}") from None
    member = build_member(text, budget)
    budget.spend()
    if isinstance(member, SupportsClass):
        return _total_if_possible(member)
    if not isinstance(member, ConceptClass):
        raise UnreadableInputError(f"{text}: the family must return a ConceptClass")
    return member


def _total_if_possible(given: SupportsClass) -> ConceptClass | PartialClass:
    """Return the class of an object; a partial class if some entry is undefined."""
    if isinstance(given, PartialClass):
        return given.to_class() if given.is_total else given
    if isinstance(given, SupportsPartialClass) and not given.is_total:
        return given.to_partial_class()
    return given.to_class()


def _of_texts(
    rows: Sequence[str],
    points: Iterable[Hashable],
    concepts: Iterable[Hashable] | None,
    name: str,
    reading: Reading,
) -> ConceptClass | PartialClass:
    """Return the class of rows of ``0``, ``1`` and ``*``; equal rows are merged."""
    if reading.outside:
        ones, defined = ([text_mask(row, symbols) for row in rows] for symbols in ("1", "01"))
        return PartialClass.from_rows(ones, defined, points, concepts, name, reading)
    masks = [int(row[::-1] or "0", 2) for row in rows]
    return ConceptClass.from_rows(masks, points, concepts, name, reading)


def read_in_time(read: Callable[..., T], text: str, budget: Budget | None) -> T:
    """Return the instance that a function reads from an INSTANCE text, within a time limit."""
    limit = None if budget is None or not budget.limited else budget.at_least(_LEAST)
    try:
        return read(text, time_limit=limit)
    except OutOfTimeError:
        raise NotDecidedError(f"{text}: the instance was not built within the time limit") from None


def class_from_table(table: Table, budget: Budget | None = None) -> ConceptClass:
    """Return the class of the rows of a table; equal rows are merged and counted."""
    rows = []
    for i, row in enumerate((budget or Budget()).each(table.rows)):
        if (x := row.find("*")) >= 0:
            raise UnreadableInputError(
                f"{table.place(i, x)}: a concept class must have 0 or 1 here, not '*'"
            )
        rows.append(int(row[::-1] or "0", 2))
    check_size(len(table.rows), table.width, table.source)
    points = range(table.width) if table.column_labels is None else table.column_labels
    try:
        return ConceptClass.from_rows(rows, points, table.row_labels, table.name, table.reading)
    except DomainError as error:
        raise UnreadableInputError(f"{table.source}: {error}") from None
