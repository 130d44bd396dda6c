"""What may be given where a class is asked: a class, a total problem, INSTANCE text or a matrix.

Main definitions: `ClassLike`, `as_class`, `read_text`.

Implementation notes: texts are read by `ccsim.instances`, which stands higher, as it knows all
families and files; it is loaded only where a text is given.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Annotated, Any, Protocol, TypeAlias, runtime_checkable

from ccsim.border import checked_types
from ccsim.budget import Budget, OutOfTimeError
from ccsim.classes.concept_class import ConceptClass
from ccsim.errors import NotDecidedError
from ccsim.frames import is_frame

__all__ = ["ClassLike", "SupportsClass", "as_class", "read_text"]

_LEAST = 1.0
"""Seconds that a text may take also where less is allowed in all: bounds need a class to be of."""


@runtime_checkable
class SupportsClass(Protocol):
    """What is a class in another form, such as a total communication problem."""

    def to_class(self) -> ConceptClass:
        """Return the class."""


ClassLike: TypeAlias = Annotated[
    ConceptClass | SupportsClass | str | Iterable[Iterable[int] | str],
    "a ConceptClass, a total CommunicationProblem, INSTANCE text or a matrix of 0 and 1",
]
"""What may be given where a class is asked."""


@checked_types
def as_class(given: ClassLike, budget: Budget | None = None) -> ConceptClass:
    """Return the class that is given in one form or another.

    Parameters
    ----------
    given : ConceptClass, total problem, INSTANCE text or matrix
        Of a problem, which must be total, and of a matrix of 0 and 1 (nested lists, a list of
        texts, a numpy array, or a data frame, which keeps its labels) the rows are the concepts;
        equal ones are merged. A text is one that `ccsim.parse_instance` reads.
    budget : Budget, optional
        Of the question; a text may take a second also where less is left.

    Raises
    ------
    DomainError, InstanceTooLargeError
        If it is no class, or too large a one.
    NotDecidedError
        If building it takes longer than the budget.

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
        made: ConceptClass = read_text("parse_class", given, budget)
        return made
    if is_frame(given):  # before its columns are looked at, which may have any name
        return ConceptClass.from_dataframe(given)
    if isinstance(given, SupportsClass):
        return given.to_class()
    return ConceptClass.from_matrix(given)


def read_text(reader: str, text: str, budget: Budget | None) -> Any:  # noqa: ANN401 - as it reads
    """Return what a function of `ccsim.instances` reads in an INSTANCE text.

    Raises
    ------
    NotDecidedError
        If it takes longer than the budget, and than a second.
    UnreadableInputError, DomainError, InstanceTooLargeError

    Examples
    --------
    >>> read_text("parse_problem", "equality:n=2", None).ones
    (1, 2)
    """
    limit = None if budget is None or not budget.limited else budget.at_least(_LEAST)
    try:
        return getattr(import_module("ccsim.instances"), reader)(text, time_limit=limit)
    except OutOfTimeError:
        raise NotDecidedError(f"{text}: the instance was not built within the time limit") from None
