"""Refutations of mistake trees level by level, read off the compiled search.

Main definition: `refute_by_levels`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from ccsim.budget import Budget
from ccsim.dimensions.mistake_trees.refutation import LittlestoneRefutation, RefutationEntry, Step
from ccsim.dimensions.version_spaces.closing_in import SearchFailedError
from ccsim.dimensions.version_spaces.compiled.cover import cover
from ccsim.dimensions.version_spaces.compiled.data import Ints, Words
from ccsim.dimensions.version_spaces.compiled.kernels import PAUSED
from ccsim.dimensions.version_spaces.compiled.proofs import FAILED, Sides, copy_sides, expand
from ccsim.dimensions.version_spaces.compiled.workspace import SLICE, Workspace

__all__ = ["refute_by_levels"]

_AT_ONCE = 1 << 10
"""Version spaces refuted between two glances at the clock."""

Assignment = tuple[tuple[int, int], ...]
T = TypeVar("T")


class _Level(NamedTuple):
    """Version spaces that are refuted at one depth.

    Attributes
    ----------
    depth : int
    spaces : list of partial assignments
        In points and labels of the class.
    steps : int64, steps by 4
        Version space, literal ``2x + b`` of the essential columns, the version space of the next
        level that refutes this side, and the symmetry that takes that to one that contains it.
    """

    depth: int
    spaces: list[Assignment]
    steps: Ints


def refute_by_levels(workspace: Workspace, depth: int, budget: Budget) -> LittlestoneRefutation:
    """Return the refutation of a depth that the class is known not to have.

    Built from the root downwards. Each level holds sides that the level above rests on, as few as
    `cover` finds. The deepest level is listed first.

    Raises
    ------
    OutOfTimeError
        If the time is over.
    SearchFailedError
        If both sides of some point have trees.
    """
    work = workspace
    if int(np.bitwise_count(work.table.everything).sum()) < 1 << depth:
        return LittlestoneRefutation(())
    literals = np.zeros((1, (2 * len(work.copies) + 63) // 64), np.uint64)
    spaces: list[Assignment] = _spaces(work, literals) if work.group.symmetries else [()]
    levels: list[_Level] = []
    while len(spaces):
        budget.spend()
        sides = _expand(work, literals, depth, budget)
        chosen, steps = _chosen(work, sides)
        levels.append(_Level(depth, spaces, steps))
        literals, depth = sides.literals[chosen], depth - 1
        if work.group.symmetries:
            spaces = _spaces(work, literals)
        else:  # the literals on the way are fewer than all that are shared
            first = [(points[0][0], b ^ points[0][1]) for points in work.copies for b in (0, 1)]
            origin = sides.origin[chosen, :2].tolist()
            spaces = [(*spaces[above], first[literal]) for above, literal in origin]
    return LittlestoneRefutation(tuple(_entries(work, levels)), work.group.symmetries)


def _expand(workspace: Workspace, spaces: Words, depth: int, budget: Budget) -> Sides:
    """Return the sides that version spaces may rest on, and the steps."""
    stack = workspace.stack(depth)
    num = len(workspace.table.columns)
    sides = _sides(4 * num, spaces.shape[1])
    at, before = np.array([0, depth, SLICE, _AT_ONCE]), -1
    while True:
        answer = expand(workspace.table, workspace.memory, stack, spaces, sides, at)
        if answer != PAUSED:
            break
        budget.spend()
        if workspace.grow_memory():
            continue
        m, k = sides.used.tolist()
        if m + 2 * num > len(sides.literals) or k + num > len(sides.steps):
            larger = _sides(4 * len(sides.literals), spaces.shape[1])
            copy_sides(sides, larger)
            sides = larger
        elif at[0] == before:
            at[2] *= 2
        before = int(at[0])
    if answer == FAILED:
        raise SearchFailedError
    m, k = sides.used.tolist()
    return sides._replace(
        literals=sides.literals[:m],
        origin=sides.origin[:m],
        by_size=sides.by_size[:m],
        steps=sides.steps[:k],
    )


def _chosen(workspace: Workspace, sides: Sides) -> tuple[Ints, Ints]:
    """Return the numbers of the sides to refute, and the steps that rest on these.

    They come by falling size, because what a large one rests on serves many smaller ones.
    """
    size = sides.origin[:, 2]
    serving = cover(sides, workspace.table.moves, np.argsort(-size, kind="stable"))
    space, point = sides.steps[:, 0], sides.steps[:, 1]
    options = np.where(sides.steps[:, 2:4] < 0, -1, serving[sides.steps[:, 2:4], 0])
    label = (options[:, 0] < 0).astype(np.int64)
    each = np.arange(len(label))
    holder, element = options[each, label], sides.steps[each, 4 + label]
    image = serving[sides.steps[each, 2 + label], 1]
    chosen = np.unique(holder)
    chosen = chosen[np.argsort(-size[chosen], kind="stable")]
    place = np.zeros(len(size), np.int64)
    place[chosen] = np.arange(len(chosen))
    back = np.array(workspace.group.back())[element, image]
    return chosen, np.column_stack((space, 2 * point + label, place[holder], back))


def _spaces(workspace: Workspace, literals: Words) -> list[Assignment]:
    """Return everything that the concepts of version spaces share, in the order of the points."""
    num = len(workspace.constant) + sum(map(len, workspace.copies))
    labels = np.full((len(literals), num), -1, np.int8)
    for x, b in workspace.constant:
        labels[:, x] = b
    bits = np.unpackbits(literals.view(np.uint8), axis=1, bitorder="little")
    space, literal = np.nonzero(bits)
    each, point, label = _on_points(workspace, literal)
    labels[space[each], point] = label
    space, point = np.nonzero(labels >= 0)
    pairs = zip(point.tolist(), labels[space, point].tolist(), strict=True)
    return _cut(list(pairs), space, len(literals))


def _entries(workspace: Workspace, levels: list[_Level]) -> Iterator[RefutationEntry]:
    """Yield the entries, the deepest level first; a step serves all points of its column."""
    start = number = 0  # of the first entry of the level below, and of this one
    words = workspace.group.words
    for level in reversed(levels):
        each, point, label = _on_points(workspace, level.steps[:, 1])
        space, _, below, element = level.steps[each].T
        rests: list[Step] = list(
            zip(point.tolist(), label.tolist(), (start + below).tolist(), strict=True)
        )
        if workspace.group.symmetries:
            rests = [(*rest, words[e]) for rest, e in zip(rests, element.tolist(), strict=True)]
        start = number
        number += len(level.spaces)
        for assignment, steps in zip(
            level.spaces, _cut(rests, space, len(level.spaces)), strict=True
        ):
            yield RefutationEntry(assignment, level.depth, steps)


def _on_points(workspace: Workspace, literals: Ints) -> tuple[Ints, Ints, Ints]:
    """Return for each literal of a column those of its points: number in the list, point, label."""
    copies = workspace.copies
    times = np.array([len(points) for points in copies], np.int64)
    begins = np.cumsum(times) - times
    flat = np.array([copy for points in copies for copy in points], np.int64).reshape(-1, 2)
    repeat = times[literals >> 1]
    each = np.repeat(np.arange(len(literals)), repeat)
    nth = np.arange(len(each)) - np.repeat(np.cumsum(repeat) - repeat, repeat)
    point, flip = flat[begins[literals[each] >> 1] + nth].T
    return each, point, literals[each] & 1 ^ flip


def _cut(items: list[T], part: Ints, num: int) -> list[tuple[T, ...]]:
    """Return the items of each part; they come in the order of their parts."""
    ends = np.searchsorted(part, np.arange(num + 1)).tolist()
    return [tuple(items[i:j]) for i, j in pairwise(ends)]


def _sides(num: int, width: int) -> Sides:
    return Sides(
        np.zeros((num, width), np.uint64),
        np.zeros((num, 3), np.int64),
        np.zeros(num, np.bool_),
        np.full(1 << (2 * num).bit_length(), -1),
        np.zeros((num, 6), np.int64),
        np.zeros(2, np.int64),
    )
