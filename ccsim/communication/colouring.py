"""Deterministic protocols without error as colourings of the conflicts between Alice's inputs."""

from __future__ import annotations

from ccsim.communication.problem import CommunicationProblem

__all__ = ["colour_conflicts", "conflicts"]


def conflicts(problem: CommunicationProblem) -> list[int]:
    """Return for each input of Alice the bit mask of the inputs that it conflicts with.

    Two inputs conflict when an input of Bob is inside the promise with both and the values differ.

    Examples
    --------
    >>> conflicts(CommunicationProblem.from_matrix([[0, 1], [1, None], [None, 1]]))
    [2, 1, 0]
    """
    rows = range(len(problem.alice))
    return [
        sum(
            1 << z
            for z in rows
            if (problem.ones[x] ^ problem.ones[z]) & problem.promise[x] & problem.promise[z]
        )
        for x in rows
    ]


def colour_conflicts(problem: CommunicationProblem, colours: int) -> list[int] | None:
    """Return a message for each input of Alice without a conflict, or None if there is none.

    Backtracking that always colours the input with the fewest colours left (Brelaz's rule). For a
    total problem the classes are the distinct rows and no search happens.

    Complexity: exponential in the worst case; a few dozen inputs.

    Examples
    --------
    >>> from ccsim.communication.problem import augmented_index, equality
    >>> colour_conflicts(equality(3), 2), colour_conflicts(equality(3), 3)
    (None, [0, 1, 2])
    >>> colour_conflicts(augmented_index(2), 3) is None
    True
    """
    if problem.is_total:
        number: dict[int, int] = {}
        result = [number.setdefault(row, len(number)) for row in problem.ones]
        return result if len(number) <= colours else None
    adjacent = conflicts(problem)
    assigned: dict[int, int] = {}

    def extend() -> bool:
        free = [x for x in range(len(adjacent)) if x not in assigned]
        if not free:
            return True
        taken = {x: {assigned[z] for z in assigned if adjacent[x] >> z & 1} for x in free}
        x = max(free, key=lambda v: (len(taken[v]), adjacent[v].bit_count()))
        fresh = max(assigned.values(), default=-1) + 1
        for colour in range(min(fresh + 1, colours)):  # one unused colour is as good as another
            if colour not in taken[x]:
                assigned[x] = colour
                if extend():
                    return True
                del assigned[x]
        return False

    return [assigned[x] for x in range(len(adjacent))] if extend() else None
