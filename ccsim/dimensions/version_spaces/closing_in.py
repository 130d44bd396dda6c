"""Both bounds of a dimension at once: how much to spend on which question, and when to stop."""

from __future__ import annotations

from typing import Protocol

from ccsim.budget import Budget, OutOfWorkError
from ccsim.dimensions.mistake_trees.refutation import LittlestoneRefutation
from ccsim.dimensions.mistake_trees.tree import MistakeTree


class SearchFailedError(Exception):
    """A search contradicts itself: two version spaces share a hash."""


class Search(Protocol):
    """A method that decides whether a class has mistake trees, and proves its answers.

    All of them raise `OutOfTimeError` when the time of the budget is over.
    """

    first_work: int  # what the first attempt at a question may cost; about a hundredth of a second

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of a depth."""
        ...

    def tree(self, depth: int, budget: Budget) -> MistakeTree:
        """Return a tree of a depth that is known to exist."""
        ...

    def refutation(self, depth: int, budget: Budget) -> LittlestoneRefutation:
        """Refute a depth that is known to be refuted."""
        ...


def close_in(search: Search, bounds: tuple[int, int], budget: Budget) -> tuple[int, int]:
    """Return a lower and an upper bound that the search can prove, equal unless it was stopped.

    The least depth in question is asked for first, because small trees are found at once; where
    that takes long, the largest one is asked for in turn, with twice the work each time.
    """
    lower, upper = bounds
    work = search.first_work
    with budget:
        while lower < upper:
            budget.spend()
            moved = False
            for depth in (lower + 1, upper):
                answer = _ask(search, depth, budget.share(work=work))
                if answer is None:
                    continue
                lower, upper = (depth, upper) if answer else (lower, depth - 1)
                budget.report(lower, upper)
                moved = True
                break
            if not moved:
                work *= 2
    return lower, upper


def _ask(search: Search, depth: int, budget: Budget) -> bool | None:
    try:
        return search.decide(depth, budget)
    except OutOfWorkError:
        return None
