"""Accepted forms of a problem: a problem object, a class, an INSTANCE text or a matrix."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.given import class_from_table, read_in_time
from ccsim.communication.problem import CommunicationProblem, evaluation_problem
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.texts.entries import text_mask
from ccsim.texts.files import read_table
from ccsim.texts.labels import check_size
from ccsim.texts.registry import build_member
from ccsim.texts.tables import Table

Instance = ConceptClass | CommunicationProblem

ProblemLike: TypeAlias = Annotated[
    CommunicationProblem | ConceptClass | str | Iterable[Iterable[int | str | None] | str],
    "a CommunicationProblem, a ConceptClass, an INSTANCE text or a matrix of 0, 1 and None",
]
"""Accepted forms of a problem."""


@checked_types
def as_problem(given: ProblemLike, budget: Budget | None = None) -> CommunicationProblem:
    """Return the problem given by a problem, a class, an INSTANCE text or a matrix.

    Parameters
    ----------
    given : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        A class is converted to its evaluation problem. A matrix (nested lists, texts, a numpy
        array, or a data frame, whose labels are kept) gives the problem with these values, where
        None lies outside the promise. Texts are read as by `ccsim.parse_instance`.
    budget : Budget, optional
        Time limit of the question. A text may take up to a second even if less time is left.

    Raises
    ------
    NotDecidedError
        If building the problem takes longer than the budget.

    Examples
    --------
    >>> as_problem("equality:n=2") == as_problem([[1, 0], [0, 1]])
    True
    >>> as_problem("points:b=1").name
    'Eval(points:b=1)'
    """
    if isinstance(given, CommunicationProblem):
        return given
    if isinstance(given, ConceptClass):
        return evaluation_problem(given)
    if isinstance(given, str):
        return read_in_time(parse_problem, given, budget)
    return CommunicationProblem.from_matrix(given)


@checked_types
def parse_instance(text: str, *, time_limit: TimeLimit = None) -> Instance:
    """Return the class or the problem named by an INSTANCE text.

    A file is read as a problem if it declares one (with ``alice`` and ``bob``, or by its type) or
    contains a ``*``, and as a class otherwise.

    Parameters
    ----------
    text : str
    time_limit : float or Budget, optional

    Raises
    ------
    UnreadableInputError
        If the text names no family or file, or a parameter is missing, unknown or not an integer.

    Examples
    --------
    >>> print(parse_instance("thresholds:b=2"))
    thresholds:b=2: 4 concepts over 4 points
    >>> parse_instance("thresholds:b=x")
    Traceback (most recent call last):
    ...
    ccsim.errors.UnreadableInputError: thresholds: b must be an integer, not 'x'
    """
    if text.startswith("@"):
        budget = Budget.of(time_limit)
        table = read_table(text[1:], budget)
        if table.kind == "problem" or not table.is_total:
            return problem_from_table(table, budget)
        return class_from_table(table, budget)
    member = build_member(text, time_limit)
    if not isinstance(member, ConceptClass | CommunicationProblem):
        raise UnreadableInputError(
            f"{text}: the family must return a ConceptClass or a CommunicationProblem"
        )
    return member


@checked_types
def parse_problem(text: str, *, time_limit: TimeLimit = None) -> CommunicationProblem:
    """Return the problem named by an INSTANCE text; a class is converted to its evaluation problem.

    Parameters
    ----------
    text : str
    time_limit : float or Budget, optional

    Examples
    --------
    >>> print(parse_problem("equality:n=3"))
    equality:n=3: 3 x 3, total
    """
    budget = Budget.of(time_limit)
    if text.startswith("@"):
        return problem_from_table(read_table(text[1:], budget), budget)
    instance = parse_instance(text, time_limit=budget)
    if isinstance(instance, CommunicationProblem):
        return instance
    budget.spend()
    return evaluation_problem(instance)


def problem_from_table(table: Table, budget: Budget | None = None) -> CommunicationProblem:
    """Return the problem with the entries of a table; its rows may repeat."""
    check_size(len(table.rows), table.width, table.source)
    alice = range(len(table.rows)) if table.row_labels is None else table.row_labels
    bob = range(table.width) if table.column_labels is None else table.column_labels
    budget = budget or Budget()
    ones = tuple(text_mask(row, "1") for row in budget.each(table.rows))
    promise = tuple(text_mask(row, "01") for row in budget.each(table.rows))
    try:
        return CommunicationProblem(
            tuple(alice), tuple(bob), ones, promise, table.name, table.reading
        )
    except DomainError as error:
        raise UnreadableInputError(f"{table.source}: {error}") from None
