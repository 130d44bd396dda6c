"""The no-clash teaching dimension (Kirkpatrick, Simon and Zilles 2019).

A *teacher* gives each concept a set of points. The *difference* of two concepts is the set of
points on which they differ; they *clash* if neither of their sets intersects it. A pair of concepts
splits a case into two: the set of the first concept intersects the difference, or only the set of
the second concept does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, product
from math import comb, prod
from operator import or_
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Jobs, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.data import frozen, validated
from ccsim.dimensions.answer import ClassAnswer
from ccsim.dimensions.teaching.sets import recursive_teaching_dimension
from ccsim.dimensions.teaching.teachers import by_local_search, by_symmetry
from ccsim.errors import InstanceTooLargeError
from ccsim.parallel.cubes import solved

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
    jobs: Jobs = None,
) -> NoClashResult:
    """Return the no-clash teaching dimension of a class.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`.
    jobs : int or Workers, optional
        The processes that share a long search; see `ccsim.Workers`.

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
    budget = Budget.of(time_limit, progress, jobs)
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
        tried = False
        while lower < upper and comb(len(C.points), lower) <= MAX_SETS:
            search = Assignments(C.rows, len(C.points), lower)
            answer = search.first(budget)
            if answer is None and not tried:
                for sets in _constructed(C, lower, upper, budget):
                    upper = max(map(int.bit_count, sets))
                    budget.report(lower, upper)
                tried = True
                continue
            found, pairs = answer or search.search(budget)
            if found is not None:
                sets, upper = list(found), lower
            else:
                lower, bound = lower + 1, NoClashBound("cases", pairs=pairs)
            budget.report(lower, upper)
    return NoClashResult(C, lower, upper, tuple(tuple(members(each)) for each in sets), bound)


def _constructed(C: ConceptClass, lower: int, upper: int, budget: Budget) -> Iterator[list[int]]:
    """Yield teachers without clashes whose sets have fewer than ``upper`` points, found quickly."""
    width = len(C.points)
    found = by_symmetry(C.rows, width, budget)
    if found is not None and (size := max(map(int.bit_count, found))) < upper:
        yield found
        upper = size
    for size in range(lower, upper):
        if comb(width, size) > MAX_SETS:
            return
        found = by_local_search(C.rows, width, _sets(width, size), budget)
        if found is not None:
            yield found
            return


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
_Node = tuple[int, int]  # two concepts
_Choice = tuple[int, int, int]  # two concepts, and the part of the split of the pair
_Answer = tuple[tuple[int, ...] | None, tuple[_Node, ...]]
"""Sets without clashes as masks, or None and the pairs of a case tree in preorder."""
_AT_ONCE = 256  # pairs between two glances at the clock
_FEW_PAIRS = 1 << 16  # that are looked at before teachers are constructed directly
_FIRST_WORK = 1 << 20  # pairs that are looked at before a search is divided
_CUBES = 128


@frozen
class _Case:
    """Candidate sets for each concept that are still open, and the pairs that may clash."""

    choices: tuple[_Choice, ...]
    domains: list[int]
    pairs: list[_Pair]


_Part = list[_Node] | _Case
"""A piece of a tree of cases in preorder: nodes, or an open case."""


class Assignments:
    """A search for clash-free sets of ``size`` points, one for each row."""

    def __init__(self, rows: Sequence[int], width: int, size: int) -> None:
        if comb(width, size) > MAX_SETS:
            raise InstanceTooLargeError(
                f"there are {comb(width, size)} sets of {size} of {width} points; the limit is "
                f"{MAX_SETS}"
            )
        self.rows, self.width, self.size = rows, width, size
        self.sets = _sets(width, size)
        self._with = [
            sum(1 << i for i, each in enumerate(self.sets) if each >> x & 1) for x in range(width)
        ]
        self._met: dict[int, int] = {}
        self._nodes = list[_Node]()
        self._stack = list[_Case]()

    def met(self, points: int) -> int:
        """Return the candidate sets that intersect the given set of points."""
        if (found := self._met.get(points)) is None:
            found = reduce(or_, (self._with[x] for x in members(points)), 0)
            self._met[points] = found
        return found

    def first(self, budget: Budget, work: int = _FEW_PAIRS) -> _Answer | None:
        """Search with little work; return clash-free sets or a case tree, or None."""
        self._nodes.clear()
        self._stack[:] = [self.everything(budget)]
        return self._continued(budget, work)

    def search(self, budget: Budget) -> _Answer:
        """Return clash-free sets as masks, or None with the pairs of a case tree in preorder.

        A search that is not finished after some work is divided into cubes.
        """
        found = self.first(budget, _FIRST_WORK)
        return self._by_cubes(budget) if found is None else found

    def _continued(self, budget: Budget, work: int) -> _Answer | None:
        sets = self.explored(self._stack, self._nodes, budget, work)
        if sets is not None:
            return sets, ()
        return None if self._stack else (None, tuple(self._nodes))

    def everything(self, budget: Budget) -> _Case:
        """Return the case in which every concept has all candidate sets."""
        pairs = list[_Pair]()
        for c, row in enumerate(self.rows):
            budget.spend()
            later = enumerate(self.rows[c + 1 :], c + 1)
            pairs += [(c, e, self.met(row ^ other)) for e, other in later]
        return _Case((), [(1 << len(self.sets)) - 1] * len(self.rows), pairs)

    def replayed(self, choices: Sequence[_Choice], budget: Budget) -> _Case:
        """Return the case of these choices."""
        first = self.everything(budget)
        domains, pairs = first.domains, first.pairs
        for i, (c, e, part) in enumerate(choices, 1):
            if i == len(choices):
                pairs = self._narrow(domains, pairs, [], budget) or []
            domains = [*_split(domains, c, e, self.met(self.rows[c] ^ self.rows[e]))][part]
        return _Case(tuple(choices), domains, pairs)

    def explored(
        self, stack: list[_Case], nodes: list[_Node], budget: Budget, work: int = sys.maxsize
    ) -> tuple[int, ...] | None:
        """Search the cases in a stack depth-first; return clash-free sets if they are found.

        The nodes are appended. When the work is used up, the stack contains the open cases.
        """
        while stack and work > 0:
            case = stack.pop()
            work -= len(case.pairs) + 1
            domains = case.domains
            left = self._narrow(domains, case.pairs, nodes, budget)
            if left is None:
                continue
            if not left:
                return tuple(self.sets[(d & -d).bit_length() - 1] for d in domains)
            _, c, e, met = min((_weight(domains, *pair), *pair) for pair in left)
            nodes.append((c, e))
            splits = enumerate(_split(domains, c, e, met))
            cases = [_Case((*case.choices, (c, e, i)), split, left) for i, split in splits]
            stack += reversed(cases)
        return None

    def _by_cubes(self, budget: Budget) -> _Answer:
        """Divide the search; search the open cases in order, and put their nodes in place."""
        parts, sets = self._divided(budget)
        if sets is not None:
            return sets, ()
        cubes = [part.choices for part in parts if isinstance(part, _Case)]
        shared = {"rows": [*map(hex, self.rows)], "width": self.width, "size": self.size}
        results, nodes = solved(Cubes, shared, cubes, budget), list[_Node]()
        named = list(product(range(len(self.rows)), repeat=2))  # pairs, as cubes number them
        for part in parts:
            if isinstance(part, _Case):
                found, more = next(results)
                if found is not None:
                    return tuple(int(each, 16) for each in found), ()
                nodes += [named[i] for i in more]
            else:
                nodes += part
        return None, tuple(nodes)

    def _divided(self, budget: Budget) -> tuple[list[_Part], tuple[int, ...] | None]:
        """Split the largest open case repeatedly; also return clash-free sets if they are found."""
        parts: list[_Part] = [self._nodes, *reversed(self._stack)]
        while 0 < sum(isinstance(part, _Case) for part in parts) < _CUBES:
            i = max(range(len(parts)), key=lambda i: _largeness(parts[i]))
            stack = [case for case in parts[i : i + 1] if isinstance(case, _Case)]
            nodes = list[_Node]()
            if (found := self.explored(stack, nodes, budget, 1)) is not None:
                return parts, found
            parts[i : i + 1] = [nodes, *reversed(stack)]
        return parts, None

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


def _sets(width: int, size: int) -> list[int]:
    """Return the sets of this number of points."""
    return [sum(1 << x for x in xs) for xs in combinations(range(width), size)]


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


def _largeness(part: _Part) -> int:
    """Return the number of assignments of candidate sets in an open case."""
    return prod(map(int.bit_count, part.domains)) if isinstance(part, _Case) else 0


class Cubes:
    """The search of open cases by processes."""

    def __init__(self, shared: dict[str, Any]) -> None:
        rows = [int(row, 16) for row in shared["rows"]]
        self._search = Assignments(rows, shared["width"], shared["size"])

    def __call__(
        self, choices: list[_Choice], budget: Budget
    ) -> tuple[list[str] | None, list[int]]:
        """Return clash-free sets, or None and the numbers of the nodes of a case tree."""
        nodes = list[_Node]()
        stack = [self._search.replayed(choices, budget)]
        found = self._search.explored(stack, nodes, budget)
        if found is not None:
            return [*map(hex, found)], []
        return None, [c * len(self._search.rows) + e for c, e in nodes]
