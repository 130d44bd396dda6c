"""The least error of simultaneous messages under a distribution, found by partitions of lines.

Weights of inputs are negated for the value 0.
"""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from math import comb
from operator import mul

from .lanes import *
from .rules import *


def of_messages(rows: Lines, bits: int) -> int:
    """Return the least error if the lengths of both messages add up to a number of bits."""
    sides, found = [rows, [*zip(*rows, strict=True)]], list[int]()
    tops = [(len(side) - 1).bit_length() for side in sides]
    bits = min(bits, sum(tops))
    for i in range(max(0, bits - tops[1]), min(bits, tops[0]) + 1):
        k = [min(1 << i, len(rows)), min(1 << bits - i, len(rows[0]))]
        ways = [Messages(sides[s], k[s], k[1 - s]) for s in (0, 1)]
        found.append(min(ways, key=lambda way: way.steps).least())
    return min(found)


def number_of_partitions(n: int, k: int) -> int:
    """Return the number of partitions of n lines into at most k classes, or a large number."""
    if n > 40 and k > 1:
        return NEVER
    ways = [1, *[0] * k]
    for _ in range(n if k > 1 else 1):
        ways = [0, *(i * ways[i] + ways[i - 1] for i in range(1, k + 1))]
    return sum(ways)


class Messages:
    """The player of the lines sends one of k messages, and the player of the lines across one of l.

    Each partition of the lines into k classes has a lane. Each of the l messages is a list of
    answers, one for each of the k messages.
    """

    def __init__(self, lines: Lines, k: int, l: int) -> None:
        self.lines, self.k, self.l, self.across = lines, k, l, range(len(lines[0]))
        self.has_all = l >= len(self.across) or bool(l >> k)  # l is as good as any larger number
        choices = 1 if self.has_all else comb(1 << k, l) if k < 5 else NEVER
        self.size, number = width(lines), number_of_partitions(len(lines), k)
        sums = len(self.across) * (2 * len(lines) * k + (l + 1) * choices)
        kept = len(self.across) * (2 * k if self.has_all else 2 * k + (1 << min(k, 5)))
        lanes = number * self.size  # bytes
        self.steps = sums * (8 + (lanes >> 6)) + kept * (lanes >> 3) + 3 * k * number * len(lines)

    def least(self) -> int:
        """Return the least error."""
        spend(self.steps)
        labels: list[tuple[int, ...]] = [()]
        for _ in self.lines:
            ends = (range(min(self.k, max(t, default=-1) + 2)) for t in labels)
            labels = [(*t, c) for t, end in zip(labels, ends, strict=True) for c in end]
        lanes, errors = Lanes(len(labels), self.size), list[list[list[int]]]()
        columns, digits = (
            [*zip(*labels, strict=True)],
            [i.to_bytes(self.size, "little") for i in (0, 1)],
        )
        for t in range(self.k):
            held = [b"".join([digits[c == t] for c in column]) for column in columns]
            sets = [int.from_bytes(text, "little") for text in held]
            parts = [
                [[max(sign * row[y], 0) for row in self.lines] for sign in (1, -1)]
                for y in self.across
            ]
            errors.append([[sum(map(mul, ws, sets)) for ws in two] for two in parts])
        if self.has_all:
            best = sum(lanes.least(*two) for across in errors for two in across)
            return min(lanes.listed(best))
        lists = [
            [sum(errors[t][y][answers >> t & 1] for t in range(self.k)) for y in self.across]
            for answers in range(1 << self.k)
        ]

        def error(chosen: tuple[list[int], ...]) -> int:
            spend(0)  # so that a long search can be interrupted
            return sum(reduce(lanes.least, y) for y in zip(*chosen, strict=True))

        return min(lanes.listed(reduce(lanes.least, map(error, combinations(lists, self.l)))))
