"""Searches for hitting sets that divide their question into cubes if they take long.

The cubes are cases of the first nodes of the tree, in the order in which one process visits them;
so the hitting set, or the tree, is the same as that of one process without cubes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from fractions import Fraction
from heapq import heappop, heappush

from ccsim.budget import Budget, OutOfWorkError
from ccsim.classes import ConceptClass
from ccsim.parallel.cubes import Data, solved
from ccsim.representation.branching import Branches, Case, HittingSearch, Left, Node, Visited
from ccsim.representation.neighbourhoods import (
    Neighbourhood,
    hypotheses_of,
    in_order,
    masks_of,
    members_of,
    permutations_fixing,
)

_WORK = 1_500_000  # masks times neighbourhoods of the nodes without cubes: two seconds
_CUBES = 64
_OPEN, _ANSWER = "open", "answer"  # tasks for the processes
_UNLIMITED = 1 << 62  # work that remains of a budget without a limit of work


class HittingQuestion:
    """The question whether few hypotheses hit all listed neighbourhoods of a class."""

    def __init__(
        self,
        concept_class: ConceptClass,
        error: Fraction,
        pool: tuple[int, ...] | None,
        rows: Mapping[Neighbourhood, int],
        budget: Budget,
    ) -> None:
        self._C, self._error, self._pool, self._near = concept_class, error, pool, tuple(rows)
        self.items = masks_of(hypotheses_of(concept_class, pool), rows.values(), budget)
        self._fixing = permutations_fixing(concept_class, pool, self._near)

    def search(self, budget: Budget) -> HittingSearch:
        """Return a search of this process."""
        return HittingSearch(self.items, len(self._near), self._fixing, budget)

    def refute(self, search: HittingSearch, size: int, budget: Budget) -> tuple[int, ...] | None:
        """Return what `HittingSearch.refute` returns.

        If the search takes long, its cases are shared by the processes of the budget. One process
        finds the same without cubes, and does not open cases behind a set that it finds.
        """
        limited = budget.work < _UNLIMITED  # the work of cubes is not limited
        if limited or budget.workers.is_alone:
            return search.refute(size)
        with suppress(OutOfWorkError):
            return search.refute(size, _WORK)
        near = [[each.concept, each.weights] for each in self._near]
        C, pool = self._C, self._pool
        shared = [C.rows, len(C.points), str(self._error), pool, near]
        root = _divided(_written(search.everything(size), self.items), shared, budget)
        search.begin()
        with closing(_solved(shared, _ANSWER, [*root.cubes()], budget)) as results:
            return root.merged(search, results)


class CaseSearch:
    """A search that answers cubes: cases of a question about hitting sets."""

    def __init__(self, shared: Data) -> None:
        rows, width, error, pool, near = shared
        C, allowed = ConceptClass.from_rows(rows, range(width)), Fraction(error)
        admitted = in_order(pool)
        hypotheses = hypotheses_of(C, admitted)
        listed = [Neighbourhood(concept, tuple(weights)) for concept, weights in near]
        held = {each: members_of(C, allowed, hypotheses, each) for each in listed}
        self._number = len(listed)
        self._question = HittingQuestion(C, allowed, admitted, held, Budget())

    def __call__(self, cube: Data, budget: Budget) -> Data:
        """Return a hitting set of the case, or the tree that refutes it.

        To open a case means to return its node only, with the cases of its branches.
        """
        task, written = cube
        search, case = self._question.search(budget), _read(written, self._question, self._number)
        below = list[Data]()
        if task == _OPEN:
            place, branches = search.open(), Branches(case)
            below = [_written(each, self._question.items) for each in search.cases(branches)]
            search.keep(place, branches)
        elif (found := search.visit(case)) is not None:
            return {"set": found}
        nodes = [(node.symmetries, node.branches, node.weights) for node in search.tree]
        tree = {"permutations": [*search.permutations], "tree": nodes, "visited": search.visited}
        return tree | {"below": below}


def _solved(
    shared: Data, task: str, cases: list[Data], budget: Budget
) -> Generator[Data, None, None]:
    if cases:
        yield from solved(CaseSearch, shared, [[task, case] for case in cases], budget)


class _Part:
    """A case that is a cube, or an opened case with the parts of its branches."""

    def __init__(self, case: Data) -> None:
        self.case = case
        self.node: Data = None  # of an opened case
        self.below: list[_Part] = []

    def cubes(self) -> Iterator[Data]:
        """Yield the cases that are cubes, in the order of the search."""
        if self.node is None:
            yield self.case
        for part in self.below:
            yield from part.cubes()

    def merged(self, search: HittingSearch, results: Iterator[Data]) -> tuple[int, ...] | None:
        """Return the first set that a cube found, or None and add the trees of all parts."""
        if self.node is None:
            result = next(results)
            if "set" in result:
                return tuple(result["set"])
            search.tree += _taken(search, result)
            return None
        place = search.open()
        for part in self.below:
            if (found := part.merged(search, results)) is not None:
                return found
        search.tree[place : place + 1] = _taken(search, self.node)
        return None


def _divided(case: Data, shared: Data, budget: Budget) -> _Part:
    """Return a tree of parts, of which the largest have been opened.

    In each round, processes open the larger half of the cases.
    """
    rounds = budget.share()
    rounds.workers = replace(budget.workers, sample=None)
    root, number = _Part(case), 0
    left = [(0, 0, 0, root)]
    while left and len(left) < _CUBES:
        parts = [heappop(left)[-1] for _ in range(-(-len(left) // 2))]
        nodes = _solved(shared, _OPEN, [part.case for part in parts], rounds)
        for part, node in zip(parts, nodes, strict=True):
            part.node = node
            for written in node.pop("below"):
                below, number = _Part(written), number + 1
                part.below.append(below)
                _, size, maximal, _ = written
                if maximal:
                    heappush(left, (-size, -len(maximal), number, below))
    return root


def _written(case: Case, items: dict[int, int]) -> Data:
    """Return a case as JSON data; a hypothesis stands for its mask."""
    rows = {mask & case.opened: row for mask, row in items.items()}
    masks = sorted(rows[mask] for mask in case.left.masks)
    return [case.chosen, case.size, [*case.left.items.values()], masks]


def _read(written: Data, question: HittingQuestion, number: int) -> Case:
    chosen, size, maximal, every = written
    masks = {row: mask for mask, row in question.items.items()}
    opened = (1 << number) - 1
    for row in chosen:
        opened &= ~masks[row]
    kept = {masks[row] & opened: row for row in maximal}
    left = Left(kept, (masks[row] for row in every), opened)
    return Case(left, opened, size, tuple(chosen))


def _taken(search: HittingSearch, result: Data) -> list[Node]:
    """Return the nodes of a result, and add the rest of it to the search."""
    numbers = [search.number(tuple(each)) for each in result["permutations"]]
    search.visited += [Visited(*each) for each in result["visited"]]
    return [
        Node(
            tuple(sorted(numbers[i] for i in symmetries)),
            tuple(branches),
            tuple((i, w) for i, w in weights),
        )
        for symmetries, branches, weights in result["tree"]
    ]
