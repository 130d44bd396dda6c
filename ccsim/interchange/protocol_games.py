"""The game between inputs and protocols that a number of messages is, all written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.interchange.games import TwoPlayerGame, check_pairs

MAX_PROTOCOLS = 1 << 12
"""Most deterministic protocols of a game that is written out."""


@checked_types
def protocol_game(
    problem: ProblemLike, messages: int, *, time_limit: TimeLimit = None
) -> TwoPlayerGame:
    """Return the game between inputs and deterministic one-way protocols, all written out.

    The first player chooses an input inside the promise and gets 1 where the protocol errs, so that
    the value is the least error with public coins. Protocols of which another one errs at most
    where they do are left out: Bob's answer to a message differs from the only value that its
    inputs leave.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    messages : int
        At least 1.
    time_limit : float or Budget, optional

    Returns
    -------
    TwoPlayerGame
        A strategy of the first player is named ``x,y``; one of the second by the sets of Alice's
        inputs that share a message, each with the inputs of Bob at which the answer is 1, such as
        ``{1} -> {1}; {2, 3} -> {}``.

    Raises
    ------
    DomainError, InstanceTooLargeError
        If there are more than `MAX_PROTOCOLS` protocols.
    NotDecidedError
        If time runs out before all are written.

    Notes
    -----
    Complexity: linear in the game, whose size is exponential in Alice's inputs: equality on 5
    inputs with two messages has 432 protocols.

    Examples
    --------
    >>> from ccsim import equality, minimax_error
    >>> game = protocol_game(equality(3), 2)
    >>> len(game.strategies[0]), len(game.strategies[1]), game.solve().value
    (9, 20, Fraction(2, 9))
    >>> minimax_error(equality(3), 2).value
    Fraction(2, 9)
    """
    if messages < 1:
        raise DomainError(f"messages must be at least 1, not {messages}")
    budget = Budget.of(time_limit)
    f = as_problem(problem, budget)
    if messages > 1 and len(f.alice) > MAX_PROTOCOLS.bit_length():
        raise _too_many(f, messages)  # two sets that part Alice's inputs are as many already
    inputs = f.inputs()
    protocols: list[tuple[str, tuple[int, ...]]] = []
    ended = False
    with budget:
        for parts in _partitions(len(f.alice), messages):
            budget.spend()
            for answers in product(*(_answers(f, part) for part in parts)):
                protocols.append(_named(f, parts, answers))
                if len(protocols) > MAX_PROTOCOLS:
                    raise _too_many(f, messages)
        ended = True
    if not ended:
        raise NotDecidedError("the time limit was over before all protocols were written")
    check_pairs(len(inputs), len(protocols))
    payoff = [
        [int((ones[x] >> y & 1) != f.value(x, y)) for _, ones in protocols] for x, y in inputs
    ]
    names = [f"{f.alice[x]},{f.bob[y]}" for x, y in inputs]
    title = f"{f.name or 'problem'} with {counted(messages, 'message', 'messages')}"
    return TwoPlayerGame.zero_sum(
        payoff, (names, [name for name, _ in protocols]), ("input", "protocol"), title
    )


def _too_many(f: CommunicationProblem, messages: int) -> InstanceTooLargeError:
    used = counted(messages, "message", "messages")
    return InstanceTooLargeError(
        f"{f.name or 'the problem'} has more than {MAX_PROTOCOLS} deterministic protocols with "
        f"{used} to write out; minimax_error needs no list of them"
    )


def _partitions(size: int, most: int) -> Iterator[list[list[int]]]:
    """Yield the partitions of ``0 .. size - 1`` into at most so many sets."""
    if most == 1:
        yield [list(range(size))]
        return

    def extend(x: int, parts: list[list[int]]) -> Iterator[list[list[int]]]:
        if x == size:
            yield [list(part) for part in parts]
            return
        for part in parts:
            part.append(x)
            yield from extend(x + 1, parts)
            part.pop()
        if len(parts) < most:
            parts.append([x])
            yield from extend(x + 1, parts)
            parts.pop()

    yield from extend(0, [])


def _answers(f: CommunicationProblem, part: Sequence[int]) -> list[int]:
    """Return Bob's answers to a message as masks: both where its inputs disagree, else their value.

    The list is cut where it is too long anyway.
    """
    ones = zeros = 0
    for x in part:
        ones |= f.ones[x]
        zeros |= f.promise[x] & ~f.ones[x]
    open_bits = [1 << y for y in range(len(f.bob)) if ones & zeros & (1 << y)]
    masks = [ones & ~zeros]
    for bit in open_bits:
        masks += [mask | bit for mask in masks]
        if len(masks) > MAX_PROTOCOLS:
            break
    return masks


def _named(
    f: CommunicationProblem, parts: Sequence[Sequence[int]], answers: Sequence[int]
) -> tuple[str, tuple[int, ...]]:
    """Return a protocol's name, and its answers by Alice's inputs."""
    of_input = {x: mask for part, mask in zip(parts, answers, strict=True) for x in part}
    said = []
    for part, mask in zip(parts, answers, strict=True):
        inputs = ", ".join(str(f.alice[x]) for x in part)
        accepted = ", ".join(str(y) for j, y in enumerate(f.bob) if mask >> j & 1)
        said.append(f"{{{inputs}}} -> {{{accepted}}}")
    return "; ".join(said), tuple(of_input[x] for x in range(len(f.alice)))
