"""Good private-coin protocols in floats from random starts, and what inputs make them err."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.communication.private_coins.successive_programs import SuccessivePrograms
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.replies import best_alice
from ccsim.communication.protocols.tables import PrivateCoinProtocol
from ccsim.communication.public_coins.domination import Reduced

__all__ = ["coin_protocol", "needed_inputs", "random_starts", "rounded"]

Floats = npt.NDArray[np.float64]

_STARTS, _HITS = 20, 3
"""Random starts, and how often the best error comes up before they end."""
_SMALL, _SMALL_STARTS, _SMALL_HITS = 75, 60, 8
"""The same where a table has at most so many products of probabilities."""
_SAME = 1e-7
_TRIES = 10
"""Random starts to see whether fewer inputs can be answered with a smaller error."""


def random_starts(
    programs: SuccessivePrograms, messages: int, most: int, budget: Budget
) -> Iterator[tuple[float, Floats]]:
    """Yield error and Bob's table of improved random protocols; end when the best recurs.

    Parameters
    ----------
    programs : SuccessivePrograms
    messages : int
    most : int
        Random starts at most.
    budget : Budget

    Raises
    ------
    OutOfTimeError

    Examples
    --------
    >>> programs = SuccessivePrograms(np.eye(3))
    >>> round(min(error for error, _ in random_starts(programs, 2, 50, Budget())), 6)
    0.5
    """
    rng = np.random.default_rng(0)
    n, m = programs.shape
    best, hits = inf, 0
    small = n * m * messages <= _SMALL
    starts, enough = (_SMALL_STARTS, _SMALL_HITS) if small else (_STARTS, _HITS)
    for _ in range(min(starts, most)):
        if hits == enough:
            return
        budget.spend()
        alice = rng.dirichlet(np.full(messages, 0.7), n)
        error, _, table = programs.improve(alice, rng.random((messages, m)), budget)
        yield error, table
        hits = hits + 1 if abs(error - best) < _SAME else 1 if error < best else hits
        best = min(error, best)


def needed_inputs(values: Floats, messages: int, target: float, budget: Budget) -> tuple[int, ...]:
    """Return inputs of Alice on which no error below a target was found.

    Parameters
    ----------
    values : array of float
        One row for each input; ``nan`` outside the promise.
    messages : int
    target : float
    budget : Budget

    Returns
    -------
    tuple of int
        Increasing; all inputs, or more than there are messages.

    Raises
    ------
    OutOfTimeError

    Notes
    -----
    Complexity: at most 10 random starts for each input, mostly one.

    Examples
    --------
    >>> needed_inputs(np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]), 2, 0.4, Budget())
    (0, 1, 2)
    """
    kept = list(range(len(values)))
    for x in range(len(values) - 1, -1, -1):
        rest = [z for z in kept if z != x]
        if len(rest) <= messages:
            break
        found = random_starts(SuccessivePrograms(values[rest]), messages, _TRIES, budget)
        if all(error >= target for error, _ in found):
            kept = rest
    return tuple(kept)


def coin_protocol(problem: CommunicationProblem, messages: int) -> PrivateCoinProtocol:
    """Return the protocol in which Bob answers by a fair coin.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> coin_protocol(equality(2), 1).bob
    ((Fraction(1, 2), Fraction(1, 2)),)
    """
    half = ((Fraction(1, 2),) * len(problem.bob),) * messages
    silent = tuple(Fraction(m == 0) for m in range(messages))
    return PrivateCoinProtocol((silent,) * len(problem.alice), half)


def rounded(
    problem: CommunicationProblem, reduced: Reduced, bob: Floats, grid: int, budget: Budget
) -> PrivateCoinProtocol:
    """Round Bob's table to multiples of ``1 / grid``, and let Alice reply exactly.

    Examples
    --------
    >>> from ccsim.communication.problem import greater_than
    >>> from ccsim.communication.public_coins.domination import reduce_problem
    >>> problem = greater_than(2)
    >>> reduced = reduce_problem(problem)
    >>> rounded(problem, reduced, np.full((2, len(reduced.columns)), 0.4), 10, Budget()).bob[0][0]
    Fraction(2, 5)
    """
    small = [[Fraction(round(float(p) * grid), grid) for p in row] for row in bob]
    rows = []
    for row in small:
        answers = []
        for column, flip in reduced.answers:
            one = Fraction(0) if column is None else row[column]
            answers.append(1 - one if flip else one)
        rows.append(tuple(answers))
    table = tuple(rows)
    return PrivateCoinProtocol(best_alice(problem, table, budget), table)
