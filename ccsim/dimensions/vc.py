"""The VC dimension of a finite class and of its dual, with a proof of each bound."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Jobs, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass, PartialClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import PartialClassLike, as_total_or_partial
from ccsim.classes.partial import dual_sides, sides
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer
from ccsim.dimensions.shattering.bound import ShatteringBound
from ccsim.dimensions.shattering.search import largest_shattered


@frozen
class ShatteringResult(ClassAnswer):
    """The VC dimension of a class or of its dual, or bounds on it, with their proofs.

    Attributes
    ----------
    concept_class : ConceptClass or PartialClass
        The class itself, not its dual.
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    shattered : tuple of int
        A shattered set of ``lower`` points (for the dual: concepts).
    realising : tuple of int
        ``2**lower`` concepts; concept ``realising[i]`` has label ``(i >> t) & 1`` on the point
        ``shattered[t]`` (for the dual, with points and concepts exchanged). Empty for the value -1.
    bound : ShatteringBound
        Proof that no ``upper + 1`` points (for the dual: concepts) are shattered.
    """

    shattered: tuple[int, ...]
    realising: tuple[int, ...]
    bound: ShatteringBound

    @abstractmethod
    def _table(self, concept_class: ConceptClass) -> tuple[tuple[int, ...], int]:
        """Return the rows, as bit masks, and the width of the table with the shattered columns."""

    @abstractmethod
    def _height(self) -> int:
        """Return the number of rows of the table."""

    def with_upper_by_size(self) -> Self:
        """Return the result with the upper bound ``log2`` of the number of distinct rows."""
        C = self.concept_class
        if isinstance(C, PartialClass):
            return replace(self, upper=self._height().bit_length() - 1)
        upper = len(set(self._table(C)[0])).bit_length() - 1
        return replace(self, upper=upper, bound=ShatteringBound("size"))

    def certificate(self) -> Certificate:
        """Return the certificate of both bounds; the lower bound -1 needs no proof."""
        witness = {"columns": list(self.shattered), "rows": list(self.realising)}
        C, upper = self.concept_class, self.upper
        if isinstance(C, PartialClass):
            proof: dict[str, Any] = {"counting": {"size": upper + 1}}
        else:
            proof = self.bound.to_json(*self._table(C), upper)
        return self._with_proofs(
            {"trivial": {}} if self.lower < 0 else {"shattered": witness}, proof
        )


@frozen
class VCResult(ShatteringResult):
    """The VC dimension of a class, with a shattered set and a proof that none is larger."""

    quantity = "the VC dimension"
    _kind = "vc_dimension"

    @property
    def points(self) -> tuple[int, ...]:
        """The shattered set of points."""
        return self.shattered

    @property
    def concepts(self) -> tuple[int, ...]:
        """The concepts that realise the labellings of the shattered set."""
        return self.realising

    def _table(self, concept_class: ConceptClass) -> tuple[tuple[int, ...], int]:
        return concept_class.rows, len(concept_class.points)

    def _height(self) -> int:
        return len(self.concept_class)


@frozen
class DualVCResult(ShatteringResult):
    """The dual VC dimension of a class, with shattered concepts and a proof of the upper bound."""

    quantity = "the dual VC dimension"
    _kind = "dual_vc_dimension"

    @property
    def concepts(self) -> tuple[int, ...]:
        """The shattered set of concepts."""
        return self.shattered

    @property
    def points(self) -> tuple[int, ...]:
        """The points that realise the labellings of the shattered concepts."""
        return self.realising

    def _table(self, concept_class: ConceptClass) -> tuple[tuple[int, ...], int]:
        return columns(concept_class), len(concept_class)

    def _height(self) -> int:
        return len(self.concept_class.points)


@checked_types
def vc_dimension(
    concept_class: PartialClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
) -> VCResult:
    """Return the VC dimension of a class, with a shattered set of points.

    In a partial class, only the concepts that are defined on all points of a set can shatter it.

    Parameters
    ----------
    concept_class : ConceptClass, PartialClass, problem, INSTANCE text or matrix
    time_limit : float or Budget, optional
        Seconds after which the search stops and the bounds proved so far are returned. If there is
        a limit, however large, an interrupt (Ctrl-C) has the same effect.
    progress : callable, optional
        Called with the lower and the upper bound whenever one of them changes.
    jobs : int or Workers, optional
        The processes that share a long search; see `ccsim.Workers`.

    Returns
    -------
    VCResult
        The bounds lie between -1 and ``log2`` of the number of concepts.

    Notes
    -----
    Complexity: exponential in general. Intervals over 200 points or 250 random concepts on 60
    points (dimension 6) take a second, halfspaces on {0,1}^5 (94572 concepts) a few seconds
    (docs/benchmarks-shattering.md); checking takes up to twenty times as long.

    Examples
    --------
    >>> from ccsim.classes import intervals
    >>> result = vc_dimension(intervals(3))
    >>> result.value, result.points, [result.concept_class.concepts[c] for c in result.concepts]
    (2, (0, 1), ['empty', '[0,0]', '[1,1]', '[0,1]'])
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress, jobs)
    C = as_total_or_partial(concept_class, budget)
    if isinstance(C, PartialClass):
        return VCResult(C, *_solve_partial(C, sides, len(C), budget))
    return VCResult(C, *bounds_with_proofs(C, budget))


@checked_types
def dual_vc_dimension(
    concept_class: PartialClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
) -> DualVCResult:
    """Return the dual VC dimension of a class, with shattered concepts.

    In a partial class, only points on which all concepts of a set are defined can shatter it.

    Parameters
    ----------
    concept_class : ConceptClass, PartialClass, problem, INSTANCE text or matrix
    time_limit, progress, jobs
        As for `vc_dimension`.

    Returns
    -------
    DualVCResult
        Points and concepts are indices of the given class, even if its dual merges equal columns.

    Notes
    -----
    Complexity: as for `vc_dimension` of the dual class. Intervals over 200 points (20101 concepts)
    take a second.

    Examples
    --------
    >>> from ccsim.classes import decision_stumps
    >>> result = dual_vc_dimension(decision_stumps(3))
    >>> result.value, result.concepts
    (3, (0, 1, 2))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress, jobs)
    C = as_total_or_partial(concept_class, budget)
    if isinstance(C, PartialClass):
        return DualVCResult(C, *_solve_partial(C, dual_sides, len(C.points), budget))
    with budget.or_at_once() as early:
        first: dict[int, int] = {}
        for x, column in early.each(enumerate(columns(C))):
            first.setdefault(column, x)
        distinct = tuple(first.values())
        copies = [(first[c], x) for x, c in enumerate(columns(C)) if first[c] != x]
        lower, upper, shattered, realising, bound = bounds_with_proofs(C.dual(), budget)
        points = tuple(distinct[x] for x in realising)
        return DualVCResult(C, lower, upper, shattered, points, bound.renamed(distinct, copies))
    return DualVCResult(C, 0, 0, (), (0,), ShatteringBound("size")).with_upper_by_size()


def bounds_with_proofs(
    table: ConceptClass, budget: Budget
) -> tuple[int, int, tuple[int, ...], tuple[int, ...], ShatteringBound]:
    """Return bounds, a shattered set, rows with its labellings, and a proof of the upper bound."""
    if not table.rows:
        return -1, -1, (), (), ShatteringBound("size")
    chosen, upper, bound = largest_shattered(table, budget)
    return len(chosen), upper, chosen, _realising(table, chosen), bound


def _solve_partial(
    C: PartialClass,
    lines_of: Callable[[PartialClass], list[tuple[int, int]]],
    height: int,
    budget: Budget,
) -> tuple[int, int, tuple[int, ...], tuple[int, ...], ShatteringBound]:
    """Return the answer of `bounds_with_proofs` for a partial class or its dual."""
    bound = ShatteringBound("counting")
    if not height:
        return -1, -1, (), (), bound
    from ccsim.dimensions.partial.shattering import largest_shattered as shattered_by_defined

    chosen, realising, upper = shattered_by_defined(lines_of(C), height, budget.or_at_once())
    return len(chosen), upper, chosen, realising, bound


def _realising(table: ConceptClass, chosen: Sequence[int]) -> tuple[int, ...]:
    """Return, for each labelling of the shattered points, the first concept with this labelling."""
    labelling = np.zeros(len(table), np.int64)
    for t, x in enumerate(chosen):
        data = columns(table)[x].to_bytes(-(-len(table) // 8), "little")
        bits = np.unpackbits(np.frombuffer(data, np.uint8), count=len(table), bitorder="little")
        labelling |= bits.astype(np.int64) << t
    _, first = np.unique(labelling, return_index=True)
    return tuple(first.tolist())
