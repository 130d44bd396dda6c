"""Private-coin protocols with small error: explicit ones, hence bounds from above.

With a fixed table of Bob the best law of Alice for each of her inputs is an optimal strategy of a
matrix game, and the other way round; the two are improved in turn. The least error of private-coin
protocols is irrational in general, so this gives an upper bound and a protocol, not a value.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from ccsim.communication.error import worst_error
from ccsim.communication.one_way import DeterministicProtocol, PrivateCoinProtocol
from ccsim.communication.problem import CommunicationProblem
from ccsim.exact import solve_matrix_game

__all__ = ["best_alice", "best_bob", "good_private_coin_protocol"]

Table = tuple[tuple[Fraction, ...], ...]

_ROUNDS = 4
_MOST_MESSAGES = 6
_GRID = 1 << 16


def best_alice(problem: CommunicationProblem, bob: Table) -> Table:
    """Return Alice's best table against a table of Bob.

    Parameters
    ----------
    problem : CommunicationProblem
    bob : tuple of tuple of Fraction
        ``bob[m][y]`` is the probability that Bob answers 1.

    Returns
    -------
    tuple of tuple of Fraction
        For each input of Alice the law of messages with the least error on the worst input of Bob.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> one, zero = Fraction(1), Fraction(0)
    >>> best_alice(equality(2), ((one, zero), (zero, one)))[1] == (0, 1)
    True
    """
    result = []
    for x in range(len(problem.alice)):
        inside = [y for y in range(len(problem.bob)) if problem.value(x, y) is not None]
        if inside:
            errors = [[_error(row[y], problem.value(x, y)) for row in bob] for y in inside]
            result.append(solve_matrix_game(errors).column_strategy)
        else:
            result.append(tuple(Fraction(m == 0) for m in range(len(bob))))
    return tuple(result)


def best_bob(problem: CommunicationProblem, alice: Table) -> Table:
    """Return Bob's best table against a table of Alice.

    For each input of Bob his answers to all messages are drawn together, so that the best draw is a
    game with ``2**messages`` columns; only the probability of each answer matters.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> one, zero = Fraction(1), Fraction(0)
    >>> best_bob(equality(2), ((one, zero), (zero, one)))[0] == (1, 0)
    True
    """
    messages = len(alice[0])
    vectors = list(product((0, 1), repeat=messages))
    columns = []
    for y in range(len(problem.bob)):
        rows = [x for x in range(len(problem.alice)) if problem.value(x, y) is not None]
        if not rows:
            columns.append((Fraction(0),) * messages)
            continue
        errors = [
            [
                sum(
                    (p for p, a in zip(alice[x], v, strict=True) if a != problem.value(x, y)),
                    Fraction(0),
                )
                for v in vectors
            ]
            for x in rows
        ]
        law = solve_matrix_game(errors).column_strategy
        columns.append(
            tuple(
                sum((w for w, v in zip(law, vectors, strict=True) if v[m]), Fraction(0))
                for m in range(messages)
            )
        )
    return tuple(zip(*columns, strict=True))


def good_private_coin_protocol(
    problem: CommunicationProblem, messages: int, starts: Iterable[DeterministicProtocol]
) -> PrivateCoinProtocol:
    """Return the best private-coin protocol found by improving Alice and Bob in turn.

    Parameters
    ----------
    problem : CommunicationProblem
    messages : int
        Number of messages of the result.
    starts : iterable of DeterministicProtocol
        Whose tables of Bob to begin with, such as the components of an optimal mixture.

    Returns
    -------
    PrivateCoinProtocol
        With error at most 1/2: answering by a fair coin is tried first.

    Notes
    -----
    Complexity: a few rounds of one small game for each input; Bob is improved only up to 6
    messages, because his game has ``2**messages`` columns.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> protocol = good_private_coin_protocol(equality(2), 1, [])
    >>> protocol.bob
    ((Fraction(1, 2), Fraction(1, 2)),)
    """
    half = ((Fraction(1, 2),) * len(problem.bob),) * messages
    silent = tuple(Fraction(m == 0) for m in range(messages))
    best = PrivateCoinProtocol((silent,) * len(problem.alice), half)
    least = worst_error(best, problem).value
    for start in starts:
        bob: Table = start.to_private_coin().bob
        for _ in range(_ROUNDS):
            protocol = PrivateCoinProtocol(best_alice(problem, bob), bob)
            error = worst_error(protocol, problem).value
            if error < least:
                best, least = protocol, error
            if messages > _MOST_MESSAGES or error == 0:
                break
            bob = _rounded(best_bob(problem, protocol.alice))
    return best


def _error(one: Fraction, value: int | None) -> Fraction:
    return 1 - one if value else one


def _rounded(table: Table) -> Table:
    """Round to a grid, so that denominators do not grow from round to round."""
    return tuple(tuple(Fraction(round(p * _GRID), _GRID) for p in row) for row in table)
