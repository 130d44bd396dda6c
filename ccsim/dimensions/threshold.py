"""The threshold dimension: the longest chain of thresholds inside a class.

Main definitions: `ThresholdResult`, `threshold_dimension`.

Conventions: points ``x_1 .. x_k`` and concepts ``c_1 .. c_k`` are *thresholds* if ``c_i(x_j) = 1``
exactly when ``i <= j``. Reading both lists backwards gives ``i >= j`` instead, so that the choice
does not matter. One label 1 anywhere makes the dimension at least 1; the empty class has -1, as for
the other dimensions, and a class that is zero everywhere has 0.

Statement (Shelah 1978, Hodges 1997; in learning theory Alon, Livni, Malliaris and Moran 2019): a
class has infinite threshold dimension exactly when it has infinite Littlestone dimension. In
numbers, ``k`` thresholds are a class of Littlestone dimension ``floor(log2 k)``, by binary search,
and a class of Littlestone dimension ``d >= 1`` has at least ``floor(log2 d)`` thresholds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ccsim.border import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import ClassLike, as_class
from ccsim.dimensions.shattering.thresholds import ThresholdSearch
from ccsim.errors import CertificateError, InstanceTooLargeError
from ccsim.exact.bounds import Bounds, check_dimension, check_fields

__all__ = ["MAX_THRESHOLDS", "ThresholdResult", "threshold_dimension"]

MAX_THRESHOLDS = 600
"""Longest chain that counting cannot exclude and the search, which recurses on it, takes on."""

MAX_TRIED = 1 << 20
"""Most lines that `ThresholdResult.check` looks at to see that no chain is longer."""


@dataclass(frozen=True, slots=True)
class ThresholdResult(Bounds[int]):
    """The threshold dimension of a class, or bounds of it, and thresholds that prove the lower one.

    From above there is nothing to show: `check` looks for a longer chain once more, from the
    definition and without the search, and refuses what it cannot decide with `MAX_TRIED` lines.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    points, concepts : tuple of int
        Concept number ``i`` of the list has label 1 on point number ``j`` of the list exactly when
        ``i <= j``; ``lower`` of each, none for the value -1.
    """

    concept_class: ConceptClass
    lower: int
    upper: int
    points: tuple[int, ...]
    concepts: tuple[int, ...]

    quantity: ClassVar[str] = "the threshold dimension"

    def check(self) -> None:
        """Check the thresholds by definition, and that no longer chain exists.

        Raises
        ------
        CertificateError
            At the first label that is wrong, or if there is a longer chain.
        InstanceTooLargeError
            If neither ones nor ranks exclude a longer chain and there are too many to be tried.
        """
        check_fields(self)
        C = self.concept_class
        if not len(self.points) == len(self.concepts) == max(self.lower, 0):
            raise CertificateError(
                f"{max(self.lower, 0)} thresholds need as many points and concepts, "
                f"not {len(self.points)} and {len(self.concepts)}"
            )
        for i, c in enumerate(self.concepts):
            for j, x in enumerate(self.points):
                _check_label(C, c, x, int(i <= j))
        check_dimension(self, len(C), "concept")
        tables = (list(set(columns(C))), len(C)), (list(C.rows), len(C.points))
        longer = max(self.upper, 0) + 1
        if any(_is_excluded(lines, longer) for lines, _ in tables):
            return
        lines, width = min(tables, key=lambda table: len(table[0]))
        if _Chains(C.name).extend([], (1 << width) - 1, lines, longer):
            raise CertificateError(f"a chain of more than {self.upper} thresholds exists")


@checked_types
def threshold_dimension(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> ThresholdResult:
    """Return the largest number of thresholds inside a class, with the thresholds.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`; stopped, the result has the longest chain found by then.

    Returns
    -------
    ThresholdResult
        The bounds lie between -1 and the smaller number of concepts and points.

    Raises
    ------
    InstanceTooLargeError
        If counting alone leaves room for more than `MAX_THRESHOLDS` thresholds.

    Notes
    -----
    Complexity: exponential in general, least so where the class is ordered. Thresholds over 512
    points, parities over 256 and the halfspaces on {0,1}^4 take up to two seconds, 30 random
    concepts over 20 points a tenth of a second, 60 over 30 points (value 10) a quarter of a minute.

    Examples
    --------
    >>> from ccsim.classes import lines, thresholds
    >>> threshold_dimension(thresholds(3)).value
    8
    >>> result = threshold_dimension(lines(3))
    >>> result.value, result.concepts, result.points
    (2, (0, 6), (6, 0))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    if not len(C):
        return ThresholdResult(C, -1, -1, (), ())
    search = ThresholdSearch(C, budget)
    upper, chain = min(len(C), len(C.points)), list[tuple[int, int]]()
    with budget:
        state = search.reduced((1 << len(C)) - 1, (1 << len(C.points)) - 1)
        upper = search.bound(state)
        if upper > MAX_THRESHOLDS:
            raise InstanceTooLargeError(
                f"{C} leaves room for {upper} thresholds; "
                f"the limit of the search is {MAX_THRESHOLDS}"
            )
        budget.report(0, upper)
        for step in search.greedy(state):
            chain.append(step)
        budget.report(len(chain), upper)
        while len(chain) < upper:
            if search.has(state, len(chain) + 1):
                chain = list(search.chain(state, len(chain) + 1))
            else:
                upper = len(chain)
            budget.report(len(chain), upper)
    concepts, points = tuple(c for c, _ in chain), tuple(x for _, x in chain)
    return ThresholdResult(C, len(chain), upper, points, concepts)


def _check_label(C: ConceptClass, concept: int, point: int, label: int) -> None:
    if not (0 <= concept < len(C.concepts) and 0 <= point < len(C.points)):
        raise CertificateError(
            f"concept {concept} and point {point} must exist, "
            f"there are {len(C.concepts)} and {len(C.points)}"
        )
    if C.value(concept, point) != label:
        raise CertificateError(
            f"concept {concept} ({C.concepts[concept]}) has {C.value(concept, point)} on point "
            f"{point} ({C.points[point]}), a threshold needs {label}"
        )


def _is_excluded(lines: list[int], length: int) -> bool:
    """Whether counting alone excludes thresholds of some length among the lines of a 0/1 table.

    They would be lines of which the ``i``-th longest has ``length - i`` ones or more, and, as their
    matrix is triangular, independent over the field of two elements.
    """
    sizes = sorted(map(int.bit_count, lines), reverse=True)[:length]
    if any(size < length - i for i, size in enumerate(sizes)) or len(sizes) < length:
        return True
    rank, left = 0, [line for line in lines if line]
    while left:
        rank += 1
        pivot = left.pop()
        lowest = pivot & -pivot
        left = [rest for line in left if (rest := line ^ pivot if line & lowest else line)]
    return rank < length


class _Chains:
    """Chains of lines of a 0/1 table, tried one after the other as the definition says.

    A sequence of lines carries thresholds if for each of its tails some place is 1 exactly there.
    Rows and columns do so alike, up to the order.
    """

    def __init__(self, name: str) -> None:
        self.name, self.left = name, MAX_TRIED

    def extend(self, tails: list[int], zeros: int, lines: list[int], more: int) -> bool:
        """Decide whether a sequence of lines can be made longer by a number of lines.

        Parameters
        ----------
        tails : list of int
            For each tail of the sequence, the places that are 1 exactly there.
        zeros : int
            The places where the whole sequence is 0.
        lines : list of int
            What may come next, each a mask of places.
        more : int
        """
        self.left -= len(lines)
        if self.left < 0:
            raise InstanceTooLargeError(
                f"{self.name}: longer chains of thresholds are excluded by the search alone, to "
                f"try them again takes more than {MAX_TRIED} steps"
            )
        fit = [y for y in lines if zeros & y and all(tail & y for tail in tails)]
        if more <= 0 or len(fit) < more:
            return more <= 0
        return any(
            self.extend([*(tail & y for tail in tails), zeros & y], zeros & ~y, fit, more - 1)
            for y in fit
        )
