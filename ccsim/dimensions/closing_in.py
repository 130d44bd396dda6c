"""Both bounds of a dimension at once: how much to spend on which question, and when to stop.

Main definitions: `close_in`, `Search`, `Budget`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Protocol

from ccsim.dimensions.mistake_tree import MistakeTree
from ccsim.dimensions.refutation import LittlestoneRefutation

__all__ = [
    "Budget",
    "OutOfTimeError",
    "PausedError",
    "Progress",
    "Search",
    "SearchFailedError",
    "close_in",
    "keep_time",
]

Progress = Callable[[int, int], None]
"""Called with the bounds that are proved, whenever one of them moves."""


class PausedError(Exception):
    """A question was put off because its budget is spent."""


class SearchFailedError(Exception):
    """A search contradicts itself: two version spaces share a hash."""


class OutOfTimeError(Exception):
    """The time limit has passed."""


def keep_time(deadline: float) -> None:
    """Do nothing before a time on the monotonic clock.

    Raises
    ------
    OutOfTimeError
        After it.
    """
    if time.monotonic() > deadline:
        raise OutOfTimeError


class Budget:
    """Work that may be spent on one question before a time.

    Parameters
    ----------
    work : int
        In the units of the search.
    glance : int
        Work between two glances at the clock.
    deadline : float
        On the monotonic clock.
    """

    __slots__ = ("deadline", "glance", "left", "unwatched")

    def __init__(self, work: int, glance: int, deadline: float) -> None:
        self.left, self.glance, self.deadline = work, glance, deadline
        self.unwatched = 0

    def spend(self, work: int) -> None:
        """Take off work that was done.

        Raises
        ------
        PausedError
            If nothing is left.
        """
        self.left -= work
        self.unwatched += work
        if self.unwatched >= self.glance:
            self.unwatched = 0
            keep_time(self.deadline)
        if self.left <= 0:
            raise PausedError


class Search(Protocol):
    """A method that decides whether a class has mistake trees, and proves its answers.

    Attributes
    ----------
    first_work : int
        What the first attempt at a question may cost; about a hundredth of a second.
    """

    first_work: int

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of a depth."""
        ...

    def tree(self, depth: int, deadline: float = math.inf) -> MistakeTree:
        """Return a tree of a depth that is known to exist, or raise `OutOfTimeError`."""
        ...

    def refutation(self, depth: int, deadline: float = math.inf) -> LittlestoneRefutation:
        """Refute a depth that is known to be refuted, or raise `OutOfTimeError`."""
        ...


def close_in(
    search: Search,
    bounds: tuple[int, int],
    deadline: float | None = None,
    progress: Progress | None = None,
    most_work: int | None = None,
) -> tuple[int, int]:
    """Return a lower and an upper bound that the search can prove, equal unless it was stopped.

    The least depth in question is asked for first, because small trees are found at once; where
    that takes long, the largest one is asked for in turn, with twice the work each time.

    Parameters
    ----------
    search : Search
    bounds : (int, int)
        What is known.
    deadline : float, optional
        On the monotonic clock. With a deadline, however late, an interrupt is one too.
    progress : callable, optional
    most_work : int, optional
        Stop when a question takes more.
    """
    lower, upper = bounds
    latest = math.inf if deadline is None else deadline
    work = search.first_work
    try:
        while lower < upper:
            moved = False
            for depth in (lower + 1, upper):
                answer = _ask(search, depth, Budget(work, search.first_work, latest))
                if answer is None:
                    continue
                lower, upper = (depth, upper) if answer else (lower, depth - 1)
                if progress is not None:
                    progress(lower, upper)
                moved = True
                break
            if not moved:
                if most_work is not None and work >= most_work:
                    break
                work *= 2
    except OutOfTimeError:
        pass
    except KeyboardInterrupt:
        if deadline is None:
            raise
    return lower, upper


def _ask(search: Search, depth: int, budget: Budget) -> bool | None:
    try:
        return search.decide(depth, budget)
    except PausedError:
        return None
