"""The least error as a function of the number of messages."""

from __future__ import annotations

import time
from collections.abc import Iterable

from ccsim.communication.minimax import MinimaxResult, least_error
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.public_coins import Progress, PublicCoinSolver

__all__ = ["error_curve"]


def error_curve(
    problem: CommunicationProblem,
    messages: Iterable[int] | None = None,
    coins: str = "public",
    progress: Progress | None = None,
    *,
    time_limit: float | None = None,
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
    time_limit : float, optional
        Seconds for all together, shared evenly among the numbers that are left; bounds are
        returned for those that would take longer. With a limit an interrupt (Ctrl-C) ends all of
        them likewise.

    Returns
    -------
    tuple of MinimaxResult

    Raises
    ------
    DomainError, InstanceTooLargeError
        As `ccsim.minimax_error`.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> [str(result.value) for result in error_curve(equality(4))]
    ['1/2', '3/13', '1/8', '0']
    """
    numbers = list(range(1, len(problem.alice) + 1) if messages is None else messages)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    solver = PublicCoinSolver(problem)
    curve = []
    for done, k in enumerate(numbers):
        left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
        share = None if left is None else left / (len(numbers) - done)
        curve.append(least_error(solver, k, coins, progress, time_limit=share))
    return tuple(curve)
