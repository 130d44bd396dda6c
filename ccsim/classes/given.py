"""Conversion to classes, from classes, total problems, INSTANCE texts and matrices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Protocol, TypeAlias, TypeVar, runtime_checkable

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, OutOfTimeError, TimeLimit
from ccsim.classes.concept_class import ConceptClass
from ccsim.errors import DomainError, NotDecidedError, UnreadableInputError
from ccsim.frames import is_frame
from ccsim.texts.files import read_table
from ccsim.texts.labels import check_size
from ccsim.texts.registry import build_member
from ccsim.texts.tables import Table

T = TypeVar("T")

_LEAST = 1.0  # seconds that a text may take where less is allowed in all: bounds need an instance


@runtime_checkable
class SupportsClass(Protocol):
    """An object that can be converted to a class, such as a total communication problem."""

    def to_class(self) -> ConceptClass:
        """Return the class."""


ClassLike: TypeAlias = Annotated[
    ConceptClass | SupportsClass | str | Iterable[Iterable[int] | str],
    "a ConceptClass, a total CommunicationProblem, an INSTANCE text or a matrix of 0 and 1",
]
"""The accepted forms of a class."""


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
