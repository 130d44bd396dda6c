"""Instances by name: the text ``family:key=value,key=value`` or ``@FILE`` of the command line.

Main definitions: `parse_instance`, `parse_class`, `parse_problem`, and the table `FAMILIES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ccsim.appearance import one_line
from ccsim.border import checked_fields, checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.classes import (
    ConceptClass,
    all_functions,
    balls,
    boxes,
    decision_stumps,
    halfspaces,
    intervals,
    k_points,
    lines,
    parities,
    points,
    polynomials,
    random_class,
    thresholds,
    unions,
)
from ccsim.classes.families.some_functions import some_functions
from ccsim.classes.from_table import class_from_table
from ccsim.communication.problem import (
    CommunicationProblem,
    augmented_index,
    equality,
    evaluation_problem,
    greater_than,
    index,
)
from ccsim.communication.word_problems import disjointness, gap_hamming, inner_product
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.texts.calls import check_keys, look_up, parse_call
from ccsim.texts.entries import text_mask
from ccsim.texts.files import read_table
from ccsim.texts.labels import check_size
from ccsim.texts.tables import Table

__all__ = [
    "FAMILIES",
    "Family",
    "class_of_problem",
    "parse_class",
    "parse_instance",
    "parse_problem",
    "problem_from_table",
]

Instance = ConceptClass | CommunicationProblem


@checked_fields
@one_line
@dataclass(frozen=True, slots=True)
class Family:
    """A family of instances: its parameters, all integers, and how a member is built.

    Attributes
    ----------
    parameters : tuple of str
        Names of the parameters, in the order in which ``build`` takes them.
    build : callable
        Returns the member; refuses parameters outside its domain and members that are too large.
    hears_limit : bool
        Whether ``build`` takes a ``time_limit``, as those do that may take more than a second.
    """

    parameters: tuple[str, ...]
    build: Callable[..., Instance]
    hears_limit: bool = False


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "all_functions": Family(("n",), all_functions),
        "augmented_index": Family(("d",), augmented_index),
        "balls": Family(("b", "d"), balls, hears_limit=True),
        "boxes": Family(("b", "d"), boxes),
        "decision_stumps": Family(("p",), decision_stumps),
        "disjointness": Family(("n",), disjointness),
        "equality": Family(("n",), equality),
        "gap_hamming": Family(("n", "g"), gap_hamming),
        "greater_than": Family(("n",), greater_than),
        "halfspaces": Family(("b", "d"), halfspaces, hears_limit=True),
        "index": Family(("d",), index),
        "inner_product": Family(("n",), inner_product),
        "intervals": Family(("n",), intervals),
        "k_points": Family(("b", "k"), k_points, hears_limit=True),
        "lines": Family(("p",), lines),
        "parities": Family(("n",), parities),
        "points": Family(("b",), points),
        "polynomials": Family(("p", "k"), polynomials, hears_limit=True),
        "random": Family(("m", "n", "seed"), random_class, hears_limit=True),
        "some_functions": Family(("n", "chosen"), some_functions),
        "thresholds": Family(("b",), thresholds),
        "unions": Family(("n", "k"), unions, hears_limit=True),
    }
)
"""Every family that an INSTANCE text may name."""


@checked_types
def parse_instance(text: str, *, time_limit: TimeLimit = None) -> Instance:
    """Return the class or the problem that an INSTANCE text names.

    A file is a problem if it says so (``alice`` and ``bob``, or its type) or holds a ``*``, and a
    class otherwise.

    Parameters
    ----------
    text : str
    time_limit : float or Budget, optional

    Raises
    ------
    NotDecidedError
        If it takes longer.
    UnreadableInputError
        If the text names no family or file, or a parameter is missing, unknown or no integer.
    DomainError, InstanceTooLargeError
        If the family refuses the parameters.

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
    name, values = parse_call(text)
    family = look_up(FAMILIES, "family", name)
    check_keys(name, values, family.parameters, family.parameters)
    if family.hears_limit:
        return family.build(**values, time_limit=time_limit)
    return family.build(**values)


@checked_types
def parse_class(text: str, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return the class that an INSTANCE text names; a total problem stands for its rows.

    Parameters
    ----------
    text : str
    time_limit : float or Budget, optional

    Raises
    ------
    NotDecidedError
        If it takes longer.
    UnreadableInputError
        As `parse_instance`, and for a problem with entries outside its promise.
    DomainError, InstanceTooLargeError
    """
    budget = Budget.of(time_limit)
    if text.startswith("@"):
        return class_from_table(read_table(text[1:], budget), budget)
    instance = parse_instance(text, time_limit=budget)
    if isinstance(instance, ConceptClass):
        return instance
    budget.spend()
    return class_of_problem(instance)


@checked_types
def parse_problem(text: str, *, time_limit: TimeLimit = None) -> CommunicationProblem:
    """Return the problem that an INSTANCE text names; a class stands for its evaluation problem.

    Parameters
    ----------
    text : str
    time_limit : float or Budget, optional

    Raises
    ------
    NotDecidedError
        If it takes longer.
    UnreadableInputError, DomainError, InstanceTooLargeError
        As `parse_instance`.
    """
    budget = Budget.of(time_limit)
    if text.startswith("@"):
        return problem_from_table(read_table(text[1:], budget), budget)
    instance = parse_instance(text, time_limit=budget)
    if isinstance(instance, CommunicationProblem):
        return instance
    budget.spend()
    return evaluation_problem(instance)


@checked_types
def class_of_problem(problem: CommunicationProblem) -> ConceptClass:
    """Return the class of the rows of a total problem; equal rows are merged.

    Raises
    ------
    UnreadableInputError
        If an entry lies outside the promise.

    Examples
    --------
    >>> class_of_problem(greater_than(3)).rows
    (0, 1, 3)
    """
    try:
        return problem.to_class()
    except DomainError as error:
        raise UnreadableInputError(str(error)) from None


@checked_types
def problem_from_table(table: Table, budget: Budget | None = None) -> CommunicationProblem:
    """Return the problem with the entries of a table; its rows may repeat.

    Raises
    ------
    OutOfTimeError
        If the budget is spent.
    UnreadableInputError
        If nothing lies inside the promise, or labels break the rules.

    Examples
    --------
    >>> problem_from_table(Table("f.csv", "f", ("01", "1*"))).promise
    (3, 1)
    """
    check_size(len(table.rows), table.width, table.source)
    alice = range(len(table.rows)) if table.row_labels is None else table.row_labels
    bob = range(table.width) if table.column_labels is None else table.column_labels
    budget = budget or Budget()
    ones, promise = [], []
    for row in table.rows:
        budget.spend()
        ones.append(text_mask(row, "1"))
        promise.append(text_mask(row, "01"))
    try:
        return CommunicationProblem(
            tuple(alice), tuple(bob), tuple(ones), tuple(promise), table.name, table.reading
        )
    except DomainError as error:
        raise UnreadableInputError(f"{table.source}: {error}") from None
