"""What may be given where a problem is asked: a problem, a class, INSTANCE text or a matrix.

Main definitions: `ProblemLike`, `as_problem`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeAlias

from ccsim.border import checked_types
from ccsim.budget import Budget
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.given import read_text
from ccsim.communication.problem import CommunicationProblem, evaluation_problem

__all__ = ["ProblemLike", "as_problem"]

ProblemLike: TypeAlias = Annotated[
    CommunicationProblem | ConceptClass | str | Iterable[Iterable[int | str | None] | str],
    "a CommunicationProblem, a ConceptClass, INSTANCE text or a matrix of 0, 1 and None",
]
"""What may be given where a problem is asked."""


@checked_types
def as_problem(given: ProblemLike, budget: Budget | None = None) -> CommunicationProblem:
    """Return the problem that is given in one form or another.

    Parameters
    ----------
    given : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        A class stands for its evaluation problem, a matrix (nested lists, a list of texts,
        a numpy array, or a data frame, which keeps its labels) for the problem with these values,
        None outside the promise. A text is one that
        `ccsim.parse_instance` reads.
    budget : Budget, optional
        Of the question; a text may take a second also where less is left.

    Raises
    ------
    DomainError, InstanceTooLargeError
        If it is no problem, or too large a one.
    NotDecidedError
        If building it takes longer than the budget.

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
        read: CommunicationProblem = read_text("parse_problem", given, budget)
        return read
    return CommunicationProblem.from_matrix(given)
