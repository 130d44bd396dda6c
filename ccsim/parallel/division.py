"""The division of a search tree into parts of similar length."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from itertools import count
from typing import Generic, NamedTuple, TypeVar

N = TypeVar("N")


class Branch(NamedTuple, Generic[N]):
    """A branch below a node of a search tree."""

    place: int  # among the branches of the node
    length: int  # an estimate
    below: Callable[[], N]  # returns the node below
    is_whole: bool  # whether it must not be divided


class _Queued(NamedTuple, Generic[N]):
    """A branch in a queue."""

    length: int  # negated
    name: int  # all are different
    node: N
    branch: Branch[N]


def divided(
    root: N, branches: Callable[[N], Iterable[Branch[N]]], number: int
) -> list[list[tuple[N, int, int]]]:
    """Return parts that together are the whole tree, long ones first, in about this many groups.

    A part has a node, the place of its first branch, and the place behind the last one.
    """
    queue, short, names = list[_Queued[N]](), list[_Queued[N]](), count()
    node, total = root, 0
    while True:
        for branch in branches(node):
            total += branch.length
            heappush(queue, _Queued(-branch.length, next(names), node, branch))
        while queue and queue[0].branch.is_whole:
            short.append(heappop(queue))
        if not queue or -queue[0].length * number < total:
            break
        first = heappop(queue)
        total += first.length
        node = first.branch.below()
    parts = list[tuple[int, N, int, int]]()
    for length, _, node, branch in sorted((*queue, *short), key=lambda each: each.name):
        if parts:
            before, same, start, end = parts[-1]
            if same is node and end == branch.place and -(before + length) * number <= total:
                parts[-1] = before + length, node, start, branch.place + 1
                continue
        parts.append((length, node, branch.place, branch.place + 1))
    groups, room = list[list[tuple[N, int, int]]](), 0
    for length, above, start, end in sorted(parts, key=lambda part: part[0]):  # negated
        room += length * number
        if not groups or room < 0:
            groups.append([])
            room = total + length * number
        groups[-1].append((above, start, end))
    return groups
