"""Deterministic protocols without error as colourings of the conflict graph of Alice's inputs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import frozen
from ccsim.errors import CertificateError


def conflicts(problem: CommunicationProblem, budget: Budget | None = None) -> list[int]:
    """Return, for each input of Alice, the mask of the inputs that conflict with it."""
    both = list(zip(problem.ones, problem.promise, strict=True))
    return [
        sum(1 << z for z, (o, p) in enumerate(both) if (ones ^ o) & inside & p)
        for ones, inside in (budget or Budget()).each(both)
    ]


def pairwise_conflicting(adjacent: list[int], budget: Budget | None = None) -> list[int]:
    """Return pairwise conflicting inputs, found by greedy choices."""
    best: list[int] = []
    for start in range(len(adjacent)):
        best = max(best, _extended(start, adjacent, budget or Budget()), key=len)
        if len(best) == len(adjacent):
            break
    return best


def _extended(start: int, adjacent: list[int], budget: Budget) -> list[int]:
    """Extend a set greedily by the input that leaves the most candidates, while there are any."""
    found, left = [start], adjacent[start]

    def remaining(x: int) -> int:
        return (adjacent[x] & left).bit_count()

    while left:
        budget.spend()
        x = max(members(left), key=remaining)
        found.append(x)
        left &= adjacent[x]
    return found


def colour_conflicts(
    problem: CommunicationProblem, colours: int, budget: Budget | None = None
) -> list[int] | None:
    """Return a message for each input of Alice so that inputs with equal messages do not conflict.

    Return None if this needs more than `colours` messages. The search uses Brelaz's rule.
    """
    if problem.is_total:
        number: dict[int, int] = {}
        result = [number.setdefault(row, len(number)) for row in problem.ones]
        return result if len(number) <= colours else None
    budget = budget or Budget()
    adjacent = conflicts(problem, budget)
    if colours >= len(adjacent):
        return list(range(len(adjacent)))
    if len(pairwise_conflicting(adjacent, budget)) > colours:
        return None
    assigned: dict[int, int] = {}
    open_choices: list[tuple[int, Iterator[int]]] = []  # inputs with the colours not yet tried
    while len(assigned) < len(adjacent):
        budget.spend()
        open_choices.append(_next_choice(adjacent, assigned, colours))
        while open_choices:
            x, untried = open_choices[-1]
            if (colour := next(untried, None)) is not None:
                assigned[x] = colour
                break
            assigned.pop(x, None)
            open_choices.pop()
        else:
            return None
    return [assigned[x] for x in range(len(adjacent))]


def _next_choice(
    adjacent: list[int], assigned: dict[int, int], colours: int
) -> tuple[int, Iterator[int]]:
    """Return the input to colour next and its admissible colours."""
    free = [x for x in range(len(adjacent)) if x not in assigned]
    taken = {x: {c for z, c in assigned.items() if adjacent[x] >> z & 1} for x in free}
    x = max(free, key=lambda v: (len(taken[v]), adjacent[v].bit_count()))
    fresh = max(assigned.values(), default=-1) + 1
    usable = range(min(fresh + 1, colours))  # one unused colour is as good as another
    return x, iter([colour for colour in usable if colour not in taken[x]])


def conflict_tree(
    problem: CommunicationProblem, messages: int, budget: Budget | None = None
) -> list[int]:
    """Return a case tree of inputs of Alice in which every case ends in a conflict.

    The inputs are listed in preorder. At a node, the input joins an existing class without a
    conflict, or opens another class if there are fewer than ``messages``.
    """
    budget = budget or Budget()
    if problem.is_total:
        distinct = list({row: x for x, row in enumerate(problem.ones)}.values())
        if len(distinct) > messages:
            return distinct[: messages + 1]
    adjacent = conflicts(problem, budget)
    needed = (1 << len(adjacent)) - 1
    while few := [x for x in members(needed) if (adjacent[x] & needed).bit_count() < messages]:
        needed &= ~sum(1 << x for x in few)
    named = pairwise_conflicting(adjacent, budget)[: messages + 1]
    nodes: list[int] = []
    left: list[tuple[int, ...]] = [()]  # classes that inputs have joined
    while left:
        budget.spend()
        classes = left.pop()
        placed = sum(classes)
        against = [sum(1 for S in classes if S & each) for each in adjacent]
        others = members(needed & ~placed)
        x = max(others, key=lambda x: (against[x], adjacent[x].bit_count()), default=None)
        x = next((x for x in named if not placed >> x & 1), x)
        if x is None:
            least = Fraction(1, len(problem.inputs()))
            raise CertificateError(
                f"a protocol with {messages} messages has error 0, less than {least}"
            )
        nodes.append(x)
        opened = [(*classes, 1 << x)] if len(classes) < messages else []
        joined = [
            (*classes[:i], S | 1 << x, *classes[i + 1 :])
            for i, S in enumerate(classes)
            if not S & adjacent[x]
        ]
        left.extend(reversed(joined + opened))
    return nodes


@frozen
class ConflictTree:
    """A proof that Alice's inputs cannot be split into a given number of conflict-free classes."""

    nodes: tuple[int, ...]  # the inputs of a tree of cases in preorder (`conflict_tree`)

    def to_json(self) -> dict[str, Any]:
        """Return the lower-bound part of a certificate."""
        return {"conflicts": {"nodes": list(self.nodes)}}
