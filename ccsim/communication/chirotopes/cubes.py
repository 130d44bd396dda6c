"""The search for chirotopes in cubes: cases of the tree, each answered by one process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ccsim.budget import Budget, OutOfWorkError
from ccsim.communication.chirotopes.cases import Chirotopes, Line
from ccsim.communication.chirotopes.nodes import Node, Tree
from ccsim.parallel.cubes import solved

_CUBES = 128
_SIGNS = "?+-"  # unknown, positive, negative


def refuted_by_cubes(
    r: int, chosen: Sequence[Line], work: int, budget: Budget
) -> list[Node] | None:
    """Return a case tree that excludes all chirotopes, or None.

    There is none if there is a chirotope, or if a cube has more than `work` cases.
    """
    search = _Divided(r, chosen, budget)
    cubes = search.divide()
    if cubes is None:
        return None
    shared = {"r": r, "lines": [[*map(hex, line)] for line in chosen], "work": work}
    for cube, answer in zip(cubes, solved(Cubes, shared, cubes, budget), strict=True):
        if answer is None:
            return None
        search.trees[cube] = search.decoded(answer[0]), frozenset(answer[1])
    return search.refuted()


class _Parts(Chirotopes):
    """A search that can begin with any signs that propagation does not change."""

    def __init__(self, r: int, chosen: Sequence[Line], budget: Budget) -> None:
        super().__init__(r, chosen, budget)
        self._first = self.weights.copy()
        self._nodes: list[Node] = [*self.bases, *(each.node for each in self.constraints)]

    def begin(self, case: str) -> None:
        """Set the signs of a case, and nothing else."""
        self.states = [0] * len(self.constraints)
        self.signs = [-1] * len(self.bases)
        self.weights, self.step = self._first.copy(), 1.0
        for v, sign in enumerate(case):
            if sign != "?":
                self._assign(v, _SIGNS.index(sign) - 1)

    def case(self) -> str:
        """Return the present signs."""
        return "".join(_SIGNS[sign + 1] for sign in self.signs)

    def decoded(self, numbers: Sequence[int]) -> list[Node]:
        """Return nodes from their numbers."""
        return [self._nodes[i] for i in numbers]


class _Divided(_Parts):
    """A search whose cases are split, or have trees that were found elsewhere."""

    def __init__(self, r: int, chosen: Sequence[Line], budget: Budget) -> None:
        super().__init__(r, chosen, budget)
        self.splits: dict[str, int] = {}  # for each case the determinant whose sign is split on
        self.trees: dict[str, Tree] = {}

    def divide(self) -> list[str] | None:
        """Split the case with the most free signs repeatedly; return the cases that are left.

        The result is None if a chirotope is found.
        """
        self.begin("")
        closed, _ = self._propagated(self._assign(0, 0))
        left = [] if closed else [self.case()]
        while 0 < len(left) < _CUBES:
            self.budget.spend()
            case = max(left, key=lambda case: case.count("?"))
            self.begin(case)
            v = self._choice()
            if v is None:
                return None
            self.splits[case] = v
            parts = []
            for negative in (0, 1):
                self.begin(case)
                closed, _ = self._propagated(self._assign(v, negative))
                if closed is None:
                    parts.append(self.case())
            i = left.index(case)
            left[i : i + 1] = parts
        self.begin("")
        return left

    def _branch(self) -> Tree | None:
        case = self.case()
        tree = self.trees.get(case)
        return self._split(self.splits[case]) if tree is None else tree


class Cubes(_Parts):
    """The search of cases by processes."""

    def __init__(self, shared: dict[str, Any]) -> None:
        lines = [(int(ones, 16), int(zeros, 16)) for ones, zeros in shared["lines"]]
        super().__init__(shared["r"], lines, Budget())
        self._work = shared["work"]
        self._number = {node: i for i, node in enumerate(self._nodes)}

    def __call__(self, case: str, budget: Budget) -> tuple[list[int], list[int]] | None:
        """Return the numbers of the nodes of a tree and of the determinants that it uses.

        The result is None if there is a chirotope, or if the work is used up.
        """
        self.budget = budget.share(work=self._work)
        self.begin(case)
        tree = None
        with suppress(OutOfWorkError):
            tree = self._branch()
        if tree is None:
            return None
        return [self._number[node] for node in tree[0]], sorted(tree[1])
