"""Signs as a lower bound on the error of private-coin protocols: 1/2, or nothing.

With an error below 1/2 the products of Alice's laws, vectors of ``k`` entries, with the vectors of
what Bob's answers exceed 1/2 by, have the signs of the problem; a column of ones more stands for
the sum of a law, which is positive. Conversely vectors with these signs make a protocol with a
smaller error (`docs/closed-forms.md`, Theorem 16).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.certificates import Certificate, verify
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.sign_rank import (
    Obstruction,
    Signs,
    chirotope_obstruction,
    first_obstruction,
)
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.kernel import Rejected
from ccsim.programs.sign_vectors import realised

_WORK = (500, 40_000)  # cases of a tree before vectors are sought, and after them
_MOST_SIGNS = 1 << 14


@frozen
class ExcludedSigns:
    """What excludes that vectors have the signs of a problem with a column of ones more.

    With as many messages as the vectors have entries, private coins err with probability 1/2.
    """

    # its lines are of the problem with the further column, which is the last one
    obstruction: Obstruction

    def bound(self, problem: CommunicationProblem, messages: int) -> Fraction:
        """Return 1/2 after the kernel has checked the proof."""
        statement = {"messages": messages, "coins": "private", "lower": "1/2", "upper": None}
        lower = self.lower_proof(problem, messages)
        made = Certificate("minimax_error", problem.to_json(), statement, lower, None)
        try:
            verify(made.to_dict(), time_limit=Budget())
        except Rejected as error:
            raise CertificateError(str(error)) from None
        return Fraction(1, 2)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the form of proof of a certificate."""
        return {"sign_rank": {"proof": self.obstruction.to_json()}}


def excluded_signs(
    problem: CommunicationProblem, messages: int, budget: Budget | None = None
) -> ExcludedSigns | None:
    """Return a proof that private coins err with probability 1/2, or None if none is found.

    Complexity: polynomial work for shattered lines and the norm, then at most 40500 cases of a
    tree, and none but 500 if vectors are found: mostly milliseconds.
    """
    rows, width = len(problem.alice), len(problem.bob)
    if rows * (width + 1) > _MOST_SIGNS:
        return None
    ones, inside = (
        tuple([row | 1 << width for row in side]) for side in (problem.ones, problem.promise)
    )
    bob = tuple(range(width + 1))
    signs = Signs.of(CommunicationProblem(tuple(range(rows)), bob, ones, inside))
    with budget or Budget() as within:
        dimension, found = first_obstruction(signs, within)
        if dimension > messages:
            return ExcludedSigns(found)
        for work in _WORK:
            tree = chirotope_obstruction(signs, messages, work, within)
            if tree is not None:
                return ExcludedSigns(tree)
            if realised(np.array(signs.entries), messages, within, seeds=1) is not None:
                return None
    return None
