"""The instance of a subcommand, read within the subcommand's time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ccsim.budget import Budget, OutOfTimeError
from ccsim.classes import ConceptClass
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import NotDecidedError
from ccsim.instances import parse_class, parse_problem

__all__ = ["read_class", "read_problem"]

T = TypeVar("T")

_LEAST = 1.0
"""Seconds that an instance may take also where less is allowed in all: bounds need one to be of."""


def read_class(text: str, budget: Budget) -> ConceptClass:
    """Return the class that an INSTANCE text names.

    Raises
    ------
    NotDecidedError
        If building it takes more than the time that is left, and than a second.
    UnreadableInputError, DomainError, InstanceTooLargeError
        As `parse_class`.

    Examples
    --------
    >>> len(read_class("thresholds:b=2", Budget(0)))
    4
    """
    return _read(parse_class, text, budget)


def read_problem(text: str, budget: Budget) -> CommunicationProblem:
    """Return the problem that an INSTANCE text names; see `read_class`.

    Examples
    --------
    >>> len(read_problem("greater_than:n=4", Budget(0)).alice)
    4
    """
    return _read(parse_problem, text, budget)


def _read(parse: Callable[[str, Budget], T], text: str, budget: Budget) -> T:
    try:
        return parse(text, Budget(max(budget.remaining, _LEAST)))
    except OutOfTimeError:
        msg = f"{text}: the instance was not built within the time limit"
        raise NotDecidedError(msg) from None
