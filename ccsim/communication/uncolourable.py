"""Checking that the conflicts between Alice's inputs need more colours than there are messages.

This is the check of what `colouring` finds, and shares with it only the inputs that conflict
pairwise, which are verified from the definition.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from ccsim.communication.colouring import conflicts, pairwise_conflicting
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import CertificateError

__all__ = ["check_uncolourable"]


def check_uncolourable(problem: CommunicationProblem, messages: int) -> None:
    """Check that every map of Alice with so many messages has a conflict.

    More inputs than messages that conflict pairwise show it: the colouring's own code names them,
    the definition decides. Where there are too few, inputs with fewer conflicts than messages are
    set aside, and no way to split the others may be without a conflict.

    Raises
    ------
    CertificateError
        If some map has none, so that a protocol does not err.

    Notes
    -----
    Complexity: exponential in the number of inputs that remain; some 60 of random problems.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> check_uncolourable(equality(3), 2)
    """
    named = pairwise_conflicting(conflicts(problem))[: messages + 1]
    ones, inside = problem.ones, problem.promise

    def conflict(x: int, z: int) -> bool:
        return bool((ones[x] ^ ones[z]) & inside[x] & inside[z])

    if len(set(named)) > messages and all(conflict(x, z) for x, z in combinations(named, 2)):
        return
    left = set(range(len(problem.alice)))
    against = {x: {z for z in left if conflict(x, z)} for x in left}
    while free := {x for x in left if len(against[x] & left) < messages}:
        left -= free  # whatever the others are told, one message is free for each of these
    if _splits(against, [], left, messages):
        least = Fraction(1, len(problem.inputs()))
        raise CertificateError(
            f"a protocol with {messages} messages has error 0, less than {least}"
        )


def _splits(
    against: dict[int, set[int]], classes: list[set[int]], left: set[int], most: int
) -> bool:
    """Whether inputs join classes without conflict, those first that have fewest to choose from."""
    if not left:
        return True

    def open_to(x: int) -> list[set[int]]:
        return [members for members in classes if not members & against[x]]

    x = min(left, key=lambda x: (len(open_to(x)), -len(against[x]), x))
    for members in open_to(x):
        members.add(x)
        if _splits(against, classes, left - {x}, most):
            return True
        members.remove(x)
    return len(classes) < most and _splits(against, [*classes, {x}], left - {x}, most)
