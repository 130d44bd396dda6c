"""The least error of a tree of bits of two players under a distribution, found by tables of sets.

Weights of inputs are negated for the value 0. The least error on all rectangles is computed for 0
bits, 1 bit and so on; the sets of lines of one side have lanes.
"""

from __future__ import annotations

from functools import reduce

from .lanes import *
from .rules import *


def of_trees(rows: Lines, bits: int, rounds: int | None) -> int:
    """Return the least error of a tree with limited bits and rounds on all inputs."""
    sides = [rows, [*zip(*rows, strict=True)]]
    if not bits:
        return min(wrong([w for row in rows for w in row]))
    if bits == 1 or rounds == 1:
        return min(sum(min(wrong(line)) for line in side) for side in sides)
    bits = min(bits, sum(map(len, sides)))  # more would not divide any rows or columns
    return Trees(sides).whole(bits, bits if rounds is None else min(rounds, bits))


class Trees:
    """The least error of a tree on each rectangle.

    A state consists of the numbers of bits and of rounds that remain; a given player sends in the
    first of these rounds. If there are more rounds than bits, either player may send the next bit.
    """

    def __init__(self, sides: list[Lines]) -> None:
        size, sets = (
            width(sides[0]),
            [1 << len(side) if len(side) < 40 else NEVER for side in sides],
        )
        self.lanes = [*(Lanes(number, size) for number in sets), Lanes(1, size)]
        self.single = [[min(wrong(line)) for line in side] for side in sides]
        self.parts = []
        for side, lanes in zip(sides, self.lanes[1::-1], strict=True):
            both = [[[max(sign * w, 0) for w in line] for line in side] for sign in (1, -1)]
            found = zip(*([sums(line, size) for line in lines] for lines in both), strict=True)
            spend(len(side) * lanes.steps)
            self.parts.append([lanes.least(*two) for two in found])
        self.known: dict[tuple[int, int, int, int, bool], list[int]] = {}

    def whole(self, bits: int, rounds: int) -> int:
        """Return the least error on all inputs."""
        tables = [self.table(bits - 1, rounds, p, p, is_wide=False) for p in (0, 1)]
        return min(self.lanes[2].split(table, len(table) - 1) for table in tables)

    def table(self, bits: int, rounds: int, player: int, side: int, *, is_wide: bool) -> list[int]:
        """Return the least error for each set of lines of a side.

        There are lanes for the sets of lines across, or a single lane for all lines across.
        """
        rounds, player = (rounds, player) if rounds <= bits else (bits + 1, 0)
        if (key := (bits, rounds, player, side, is_wide)) in self.known:
            return self.known[key]
        if is_wide and side:
            table = self.table(bits, rounds, player, 0, is_wide=True)
            found = self.lanes[1].transposed(table)
        else:
            speakers, tables = (0, 1) if rounds > bits else (player,), list[list[int]]()
            for p in speakers:
                if bits == 1 or rounds == 1:
                    tables.append(self.answered(p, side, is_wide=is_wide))
                else:
                    tables.append(self.sent(bits, rounds, p, side, is_wide=is_wide))
            if 1 < rounds <= bits:
                tables.append(self.table(bits, rounds - 1, 1 - player, side, is_wide=is_wide))
            lanes = self.lanes[1 - side if is_wide else 2]
            spend(len(tables) * len(tables[0]) * (lanes.steps + (lanes.bytes >> 3)))
            found = reduce(lambda a, b: [*map(lanes.least, a, b)], tables)
        self.known[key] = found
        return found

    def answered(self, player: int, side: int, *, is_wide: bool) -> list[int]:
        """Return the least errors if a player answers, whose lines may have different answers."""
        if player == side and not is_wide:
            return totals(self.single[player], 3)
        parts, lanes = self.parts[player], self.lanes[1 - player]
        if not is_wide:
            return lanes.listed(sum(parts))
        table = totals(parts, lanes.steps + (lanes.bytes >> 3))
        return table if player == side else lanes.transposed(table)

    def sent(self, bits: int, rounds: int, player: int, side: int, *, is_wide: bool) -> list[int]:
        """Return the least errors if a player sends the first bit."""
        has_lanes = is_wide or player != side
        table = self.table(bits - 1, rounds, player, player, is_wide=has_lanes)
        lanes = self.lanes[1 - player if has_lanes else 2]
        if player != side and not is_wide:
            return lanes.listed(lanes.split(table, len(table) - 1))
        found = [lanes.split(table, S) for S in range(len(table))]
        return found if player == side else lanes.transposed(found)
