"""Sign rank: the least dimension in which halfspaces through the origin give a matrix.

Conventions: rows have vectors ``u_x`` and columns ``v_y`` of integers; ``<u_x, v_y>`` is positive
where the matrix holds 1, negative where it holds 0, free outside the promise.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate, encode_integers
from ccsim.classes import ConceptClass
from ccsim.communication.arrangements.lines import Signs
from ccsim.communication.arrangements.obstructions import (
    Obstruction,
    chirotope_obstruction,
    first_obstruction,
)
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError
from ccsim.programs.sign_vectors import plain_vectors, realised

_WORK = (6_000, 40_000)
"""Cases of a tree that are looked at, first and at last."""

_MOST_SEEDS = 6
"""How often vectors are sought at last in a dimension that was not excluded."""

MAX_SIGNS = 1 << 16
"""Most entries of a matrix whose sign rank is asked."""


@frozen
class SignRankResult(Answer[int]):
    """The sign rank of a matrix, or bounds of it.

    Attributes
    ----------
    instance : ConceptClass or CommunicationProblem
        The matrix; concepts and points, or Alice's and Bob's inputs, are its rows and columns.
    lower, upper : int
        Bounds; equal if both proofs were found.
    rows, columns : tuple of tuple of int
        A vector for each row and each column, with ``upper`` entries.
    obstruction : Obstruction
        What excludes fewer dimensions than ``lower``.
    """

    asked = ("instance",)

    instance: ConceptClass | CommunicationProblem
    lower: int
    upper: int
    rows: tuple[tuple[int, ...], ...]
    columns: tuple[tuple[int, ...], ...]
    obstruction: Obstruction

    quantity: ClassVar[str] = "the sign rank"

    def shown(self) -> str:
        """Return what the vectors are, in a few words.

        Examples
        --------
        >>> sign_rank("equality:n=3").shown()
        'vectors of 2 integers of at most 1 digits; fewer excluded by 2 shattered rows'
        """
        most = max((abs(a) for vector in (*self.rows, *self.columns) for a in vector), default=0)
        entries = (
            f"{self.upper} integer{'s' * (self.upper != 1)} of at most {len(str(most))} digits"
        )
        return f"vectors of {entries}; {self.obstruction.shown()}"

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``sign_rank``."""
        vectors: dict[str, Any] = {
            "rows": [encode_integers(vector) for vector in self.rows],
            "columns": [encode_integers(vector) for vector in self.columns],
        }
        return Certificate(
            "sign_rank",
            self.instance.to_json(),
            {"lower": self.lower, "upper": self.upper},
            self.obstruction.to_json(),
            {"vectors": vectors},
        )


@checked_types
def sign_rank(
    problem: ProblemLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> SignRankResult:
    """Return the least dimension of vectors whose products have the signs of a matrix.

    Of a class it is its *dimension complexity*, the least dimension in which points become points
    and concepts halfspaces through the origin; of a problem, up to one bit, the logarithm is its
    cost with unbounded error (Paturi and Simon 1986).

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        Entries outside a promise may have any sign, also none.
    time_limit, progress
        As for `vc_dimension`; stopped, the result has the bounds proved by then.

    Returns
    -------
    SignRankResult
        Not exact where vectors were neither found nor excluded.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_SIGNS` entries.

    Notes
    -----
    Vectors of a dimension are sought in floats, and rounded to integers that have all signs. They
    are excluded by lines that are shattered, by the spectral norm (Forster 2002), or because no
    chirotope of some rows, or columns, has the others among its topes. As oriented matroids of rank
    3 on 8 elements and of rank 4 on 7 are those of vectors, matrices with so few rows or columns
    are decided in principle; for others the answer may remain an interval.

    Complexity: deciding whether the sign rank is 3 is as hard as the existential theory of the
    reals. Matrices up to 8 x 8 take about a second, and larger ones where bounds meet.

    Examples
    --------
    >>> from ccsim import equality
    >>> result = sign_rank(equality(4))
    >>> result.value, result.rows[0], result.columns[0]
    (3, (1, -2, 0), (1, 0, 0))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    F = problem if isinstance(problem, ConceptClass) else as_problem(problem, budget)
    width = len(F.points if isinstance(F, ConceptClass) else F.bob)
    if len(F.ones if isinstance(F, CommunicationProblem) else F.rows) * width > MAX_SIGNS:
        raise InstanceTooLargeError(
            f"{F} has more entries than {MAX_SIGNS}, the limit of sign rank"
        )
    search = _Search(Signs.of(F), budget)
    with budget:
        search.run()
    rows, columns = (search.signs.spread(side, search.vectors[side]) for side in (0, 1))
    return SignRankResult(F, search.lower, search.upper, rows, columns, search.obstruction)


class _Search:
    """Bounds of the sign rank of a matrix that close in on each other."""

    def __init__(self, signs: Signs, budget: Budget) -> None:
        self.signs, self.budget = signs, budget
        self.matrix = np.array(signs.entries, dtype=np.int64).reshape(signs.size)
        self.lower = int(any(map(any, signs.entries)))
        m, n = signs.size
        self.vectors = plain_vectors(signs.entries) if self.lower else ([[]] * m, [[]] * n)
        self.upper = max(map(len, [*self.vectors[0], *self.vectors[1]]), default=0)
        self.obstruction = Obstruction("trivial")

    def run(self) -> None:
        """Close in until the bounds meet, or nothing more is found."""
        self.budget.report(self.lower, self.upper)
        if self.lower < self.upper:
            self.lower, self.obstruction = first_obstruction(self.signs, self.budget)
        for dimension in range(self.lower, self.upper):
            if self._show(dimension, seeds=1):
                break
        for work in _WORK:
            while self.lower < self.upper:
                found = chirotope_obstruction(self.signs, self.lower, work, self.budget)
                if found is None:
                    break
                self.lower, self.obstruction = self.lower + 1, found
                self.budget.report(self.lower, self.upper)
            if self.lower == self.upper or self._show(self.lower, seeds=_MOST_SEEDS):
                break

    def _show(self, dimension: int, seeds: int) -> bool:
        """Search vectors of a dimension, and keep them."""
        found = realised(self.matrix, dimension, self.budget, seeds)
        if found is not None:
            self.vectors, self.upper = found, dimension
            self.budget.report(self.lower, self.upper)
        return found is not None
