"""Lower bounds on the cost of k answers if each row uses its best answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .reader import *
from .rules import *

MAX_COLUMNS = 12
MAX_MOVES = 255  # maximum number of group elements, besides the identity, that compare answers

Case = tuple[list[int], list[int], list[list[int]]]  # answers: chosen, free, and moved by a group


def images(generators: Sequence[tuple[list[int], int]], columns: int) -> list[list[int]]:
    """Return the permutations of the answers in the group that the symmetries generate."""
    answers = range(1 << columns)
    spend(len(generators) * len(answers) * (5 + 2 * columns))
    maps = []
    for places, flips in generators:
        moved = [[place for j, place in enumerate(places) if (q ^ flips) >> j & 1] for q in answers]
        maps.append([sum(1 << place for place in each_one) for each_one in moved])
    found = [list(answers)]
    for element in found:  # grows while it is read
        for move in maps if len(found) <= MAX_MOVES else ():
            spend(len(answers) * (2 + len(found)))
            if (product := [move[q] for q in element]) not in found:
                found.append(product)
    return found[1 : MAX_MOVES + 1]


@dataclass(frozen=True, slots=True)
class Choices:
    """The errors of answers on rows, for a tree of cases; bit j is the answer to column j."""

    table: list[list[int]]
    k: int
    bound: int

    def split(self, node: object, case: Case) -> list[Case]:
        """Return the subcases of a case at a node."""
        unit, potentials, answer = fields(node, "unit", "potentials", "answer")
        q = -1 if answer is None else inside("answer", index, answer, len(self.table))
        if potentials is None:
            require(q in case[1], "answer must be one that is neither chosen nor excluded yet")
            return self.apart(q, case)
        chosen, free, decided = self.narrowed(unit, potentials, case)
        require(decided == (q < 0), "answer must be null exactly if potentials close the case")
        if decided:
            return []
        rest = [p for p in free if p != q]
        both: list[Case] = [([*chosen, q], rest, []), (chosen, rest, [])]
        return both if q in free else [(chosen, free, [])]

    def apart(self, q: int, case: Case) -> list[Case]:
        """Split a case: an answer is chosen, or none of its images is chosen.

        The moves preserve the case, so they map choices that use one image to choices with another.
        """
        chosen, free, moves = case
        spend(5 * len(free) + len(moves) * 10)
        images = set(orbit(q, [move.__getitem__ for move in moves]))
        kept = [move for move in moves if move[q] == q]
        others = [p for p in free if p not in images]
        return [([*chosen, q], [p for p in free if p != q], kept), (chosen, others, moves)]

    def narrowed(
        self, unit: object, potentials: object, case: Case
    ) -> tuple[list[int], list[int], bool]:
        """Return the answers that must or may be chosen, and whether the case is closed.

        The gain of an answer is the sum of the positive parts of u - error, for potentials u in
        parts of a unit. A choice costs at least the sum of u minus its gains. An answer is excluded
        if all choices that use it cost at least the bound, and required if all others do.
        """
        chosen, free, _ = case
        scale = inside("unit", integer, unit, 1)
        u = inside("potentials", each, integer, potentials)
        rows = len(self.table[0])
        require(len(u) == rows, "there must be {1} potentials, one per row, not {0}", len(u), rows)
        bits = max(map(int.bit_length, [scale, *u]))
        spend((len(chosen) + len(free)) * (20 + rows * (3 + (bits >> 7))))

        def gain(p: int) -> int:
            errors = self.table[p]
            return sum(v - scale * e for v, e in zip(u, errors, strict=True) if v > scale * e)

        room, enough = self.k - len(chosen), scale * (self.bound - 1)
        gains = sorted(((gain(p), p) for p in free), reverse=True)
        low = sum(u) - sum(map(gain, chosen)) - sum(g for g, _ in gains[:room])
        if low > enough:
            return chosen, free, True
        if room < len(gains):
            last, following = gains[room - 1][0] if room else 0, gains[room][0]
            needed = [p for g, p in gains[:room] if low + g - following > enough]
            chosen = [*chosen, *needed]
            free = [p for _, p in gains[:room] if p not in needed]
            free += [p for g, p in gains[room:] if low + last - g <= enough]
        if len(chosen) < self.k and free:
            return chosen, free, False
        spend(len(chosen) * rows)
        cost = sum(map(min, zip(*map(self.table.__getitem__, chosen), strict=True)))
        require(cost >= self.bound, f"answers {chosen} have cost {{}}, below the bound", cost)
        return chosen, free, True


def choices(
    rows: list[list[int]], ys: list[int], group: Symmetries, k: int, stated: object, nodes: object
) -> int:
    """Return a lower bound on the cost of every choice of k answers to the columns ys, by cases."""
    from .partitions import errors_of_answers

    rule = "{} columns have positive weight; the limit is {}"
    require(len(ys) <= MAX_COLUMNS, rule, len(ys), MAX_COLUMNS)
    moves = []
    for g in group:  # which keep the weights of rows in these columns
        flips = sum(1 << j for j, y in enumerate(ys) if g.flips >> y & 1)
        moves.append(([ys.index(g.columns[y]) for y in ys], flips))
    spend(len(rows) << len(ys))
    bound = inside("bound", integer, stated, 0)
    table = errors_of_answers(rows)
    everything: Case = ([], list(range(len(table))), images(moves, len(ys)))
    cases(entries(nodes), everything, Choices(table, k, bound).split)
    return bound
