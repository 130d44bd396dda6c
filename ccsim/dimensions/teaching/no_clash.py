"""The no-clash teaching dimension (Kirkpatrick, Simon and Zilles 2019).

A *teacher* gives each concept a set of points. The *difference* of two concepts is the set of
points on which they differ; they *clash* if neither of their sets intersects it. A pair of concepts
splits a case into two: the set of the first concept intersects the difference, or only the set of
the second concept does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.data import frozen, validated
from ccsim.dimensions.answer import ClassAnswer
from ccsim.dimensions.teaching.sets import recursive_teaching_dimension
from ccsim.errors import InstanceTooLargeError

_PLANNING = 0.5  # part of a time limit for a teaching plan


@validated
class NoClashBound:
    """A lower bound on the no-clash teaching dimension, with its proof.

    Attributes
    ----------
    form : "trivial", "edges", "counting" or "cases"
        Form of the proof. ``trivial`` proves the bound -1. ``edges`` counts pairs of concepts that
        differ on only one point, which one of their two teaching sets must contain. ``counting``
        counts labelled samples, since different concepts have different samples. ``cases`` is a
        tree of cases.
    concepts : tuple of int
        For ``edges``: the concepts whose pairs are counted.
    pairs : tuple of pairs of int
        For ``cases``: the nodes of the tree in preorder, each a pair of concepts.
    """

    form: str
    concepts: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()


@frozen
class NoClashResult(ClassAnswer):
    """The no-clash teaching dimension of a class, or bounds on it, with their proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    sets : tuple of tuple of int
        For each concept a set of at most ``upper`` points; no two concepts clash.
    bound : NoClashBound
        Proves the lower bound.
    """

    quantity = "the no-clash teaching dimension"
    _kind = "no_clash_teaching_dimension"

    sets: tuple[tuple[int, ...], ...]
    bound: NoClashBound

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``no_clash_teaching_dimension``."""
        data: dict[str, Any] = {}
        if self.bound.form == "edges":
            data = {"concepts": list(self.bound.concepts)}
        elif self.bound.form == "cases":
            data = {"size": self.lower - 1, "pairs": [list(pair) for pair in self.bound.pairs]}
        return self._with_proofs(
            {self.bound.form: data}, {"sets": {"sets": [list(points) for points in self.sets]}}
        )


@checked_types
def no_clash_teaching_dimension(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> NoClashResult:
    """Return the no-clash teaching dimension of a class.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`.

    Returns
    -------
    NoClashResult
        The bounds lie between -1 and the recursive teaching dimension. They may differ, even
        without a time limit, if there are more than `MAX_SETS` candidate sets of points.

    Notes
    -----
    A teacher maps each concept to a labelled sample; two concepts clash if each is consistent with
    the sample of the other. Complexity: exponential if the recursive teaching dimension exceeds the
    counting bound; milliseconds for classes on 4 points. Source: Kirkpatrick, Simon and Zilles
    (2019).

    Examples
    --------
    >>> from ccsim.classes import all_functions, thresholds
    >>> no_clash_teaching_dimension(thresholds(2)).value
    1
    >>> result = no_clash_teaching_dimension(all_functions(2))
    >>> result.value, result.sets
    (1, ((0,), (1,), (1,), (0,)))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    if not len(C):
        return NoClashResult(C, -1, -1, (), NoClashBound("trivial"))
    lower, bound = 0, NoClashBound("edges", concepts=(0,))
    with budget.or_at_once() as first:
        lower, bound = _counted(C, first)
    plan = recursive_teaching_dimension(
        C, time_limit=budget.share(_PLANNING, progress=lambda *_: None)
    )
    sets, upper = [0] * len(C), plan.upper
    for c, taught in zip(plan.order, plan.sets, strict=True):
        sets[c] = sum(1 << x for x in taught)
    with budget:
        budget.report(lower, upper)
        while lower < upper and comb(len(C.points), lower) <= MAX_SETS:
            found, pairs = Assignments(C.rows, len(C.points), lower).search(budget)
            if found is not None:
                sets, upper = list(found), lower
            else:
                lower, bound = lower + 1, NoClashBound("cases", pairs=pairs)
            budget.report(lower, upper)
    return NoClashResult(C, lower, upper, tuple(tuple(members(each)) for each in sets), bound)


def _counted(C: ConceptClass, budget: Budget) -> tuple[int, NoClashBound]:
    """Return the better of the two bounds that counting proves."""
    concepts, edges = _dense(C, budget)
    by_edges = -(-edges // len(concepts))
    samples = next(k for k in range(len(C.points) + 1) if comb(len(C.points), k) << k >= len(C))
    if samples > by_edges:
        return samples, NoClashBound("counting")
    return by_edges, NoClashBound("edges", concepts=concepts)


def _dense(C: ConceptClass, budget: Budget) -> tuple[tuple[int, ...], int]:
    """Return concepts with many pairs that differ on one point only, and the number of pairs.

    The concept in the fewest pairs is removed repeatedly. The best set on the way has at least half
    of the maximum number of pairs per concept.
    """
    number = {row: c for c, row in enumerate(C.rows)}
    near = [
        {number[row ^ 1 << x] for x in range(len(C.points)) if row ^ 1 << x in number}
        for row in C.rows
    ]
    left, edges = set(range(len(C))), sum(map(len, near)) // 2
    best = tuple(range(len(C))), edges
    while len(left) > 1:
        budget.spend()
        c = min(left, key=lambda c: (len(near[c]), c))
        left.remove(c)
        edges -= len(near[c])
        for e in near[c]:
            near[e].remove(c)
        if edges * len(best[0]) > best[1] * len(left):
            best = tuple(sorted(left)), edges
    return best


MAX_SETS = 20_000
"""Maximum number of candidate sets of points in the search for teaching sets."""
_Pair = tuple[int, int, int]  # two concepts, and the candidate sets that tell them apart
_AT_ONCE = 256  # pairs between two glances at the clock


class Assignments:
    """A search for clash-free sets of ``size`` points, one for each row."""

    def __init__(self, rows: Sequence[int], width: int, size: int) -> None:
        if comb(width, size) > MAX_SETS:
            raise InstanceTooLargeError(
                f"there are {comb(width, size)} sets of {size} of {width} points; the limit is "
                f"{MAX_SETS}"
            )
        self.rows = rows
        self.sets = [sum(1 << x for x in xs) for xs in combinations(range(width), size)]
        self._with = [
            sum(1 << i for i, each in enumerate(self.sets) if each >> x & 1) for x in range(width)
        ]
        self._met: dict[int, int] = {}

    def met(self, points: int) -> int:
        """Return the candidate sets that intersect the given set of points."""
        if (found := self._met.get(points)) is None:
            found = reduce(or_, (self._with[x] for x in members(points)), 0)
            self._met[points] = found
        return found

    def search(self, budget: Budget) -> tuple[tuple[int, ...] | None, tuple[tuple[int, int], ...]]:
        """Return clash-free sets as masks, or None with the pairs of a case tree in preorder."""
        everything = (1 << len(self.sets)) - 1
        nodes: list[tuple[int, int]] = []
        pairs = list[_Pair]()
        for c, row in enumerate(self.rows):
            budget.spend()
            later = enumerate(self.rows[c + 1 :], c + 1)
            pairs += [(c, e, self.met(row ^ other)) for e, other in later]
        cases = [([everything] * len(self.rows), pairs)]
        while cases:
            domains, left = cases.pop()
            found = self._narrow(domains, left, nodes, budget)
            if found is None:
                continue
            if not found:
                return tuple(self.sets[(d & -d).bit_length() - 1] for d in domains), ()
            _, c, e, met = min((_weight(domains, *pair), *pair) for pair in found)
            nodes.append((c, e))
            splits = list(_split(domains, c, e, met))
            cases.extend((split, found) for split in reversed(splits))
        return None, tuple(nodes)

    def _narrow(
        self, domains: list[int], pairs: list[_Pair], nodes: list[tuple[int, int]], budget: Budget
    ) -> list[_Pair] | None:
        """Narrow domains pair by pair; return undecided pairs, or None if no case remains."""
        changed = True
        while changed:
            changed, left = False, []
            for number, pair in enumerate(pairs):
                if number % _AT_ONCE == 0:
                    budget.spend()
                c, e, met = pair
                first, second = domains[c] & met, domains[e] & met
                if first == domains[c] or second == domains[e]:
                    continue  # they cannot clash any more
                if first and second:
                    left.append(pair)
                    continue
                nodes.append((c, e))
                if not (first or second):
                    return None
                changed = True
                if first:
                    domains[c] = first
                else:
                    domains[e] = second
            pairs = left
        return pairs


def _split(domains: list[int], c: int, e: int, met: int) -> Iterator[list[int]]:
    """Yield the cases of a pair in which every concept has a candidate set."""
    if first := domains[c] & met:
        yield [*domains[:c], first, *domains[c + 1 :]]
    missed, second = domains[c] & ~met, domains[e] & met
    if missed and second:
        case = domains.copy()
        case[c], case[e] = missed, second
        yield case


def _weight(domains: list[int], c: int, e: int, met: int) -> int:
    """Return the fewer candidate sets that a case of a pair leaves to one of its concepts."""
    return min((domains[c] & met).bit_count(), (domains[e] & met).bit_count())
