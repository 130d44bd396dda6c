"""The least error as a function of the number of messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from operator import attrgetter

from ccsim.border import checked_types, show_value
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.communication.minimax import MinimaxResult, least_error
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.public_coins.solver import PublicCoinSolver
from ccsim.errors import DomainError, InstanceTooLargeError

__all__ = ["MAX_NUMBERS", "error_curve"]

MAX_NUMBERS = 1 << 14
"""Most numbers of messages of a curve."""


@checked_types
def error_curve(
    problem: CommunicationProblem,
    messages: Iterable[int] | None = None,
    coins: str = "public",
    progress: Progress | None = None,
    *,
    time_limit: TimeLimit = None,
) -> tuple[MinimaxResult, ...]:
    """Return the least worst-case error for each number of messages.

    Parameters
    ----------
    problem : CommunicationProblem
        Of a size that `ccsim.minimax_error` solves.
    messages : iterable of int, optional
        Default 1 to the number of Alice's inputs, which are always enough. In increasing order
        each search starts from the protocols and the distribution of the one before.
    coins : str
        ``"public"``, ``"private"`` or ``"deterministic"``.
    progress : callable, optional
        Called with bounds on the error for one number of messages after another.
    time_limit : float or Budget, optional
        Seconds for all together, shared evenly among the numbers that are left; bounds are
        returned for those that would take longer. With a limit an interrupt (Ctrl-C) ends all of
        them likewise.

    Returns
    -------
    tuple of MinimaxResult

    Raises
    ------
    DomainError
        If a number is no positive integer, or as `ccsim.minimax_error`.
    InstanceTooLargeError
        If there are more than `MAX_NUMBERS` numbers, or as `ccsim.minimax_error` for one of them,
        before any search.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> [str(result.value) for result in error_curve(equality(4))]
    ['1/2', '3/13', '1/8', '0']
    """
    asked = range(1, len(problem.alice) + 1) if messages is None else messages
    numbers = list(islice(asked, MAX_NUMBERS + 1))
    if len(numbers) > MAX_NUMBERS:
        raise InstanceTooLargeError(f"a curve is limited to {MAX_NUMBERS} numbers of messages")
    for k in numbers:
        if type(k) is not int or k < 1:
            raise DomainError(f"messages must be integers, at least 1, not {show_value(k)}")
    budget = Budget.of(time_limit, progress)
    solver = PublicCoinSolver(problem)
    if coins != "deterministic":
        for k in numbers:
            solver.check(k)
    curve: list[MinimaxResult] = []
    for done, k in enumerate(numbers):
        share = budget.share(1 / (len(numbers) - done))
        fewer = [result for result in curve if result.messages <= k]
        if fewer and budget.expired and k < len(problem.alice):
            best = min(fewer, key=attrgetter("upper"))  # which may leave messages unused
            curve.append(replace(best, messages=k).without_lower())
        else:
            curve.append(least_error(solver, k, coins, share))
    return tuple(curve)
