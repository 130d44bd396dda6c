"""Lists of integers, one in each lane of a long integer, which are added and compared at once."""

from __future__ import annotations

from collections.abc import Sequence

from .rules import spend

Lines = Sequence[Sequence[int]]  # weights of inputs, negated for the value 0
NEVER = 1 << 40  # more lanes, or steps, than a check may take


class Lanes:
    """A number of lanes, each of the same number of bytes; the highest bit of a lane is free."""

    def __init__(self, number: int, size: int) -> None:
        spend(10 + (number * size >> 1))
        self.number, self.size, self.bytes = number, size, number * size
        self.steps = 6 + (self.bytes >> 6)  # of a sum and a comparison
        self.high = int.from_bytes((bytes(size - 1) + b"\x80") * number, "little")

    def least(self, a: int, b: int) -> int:
        """Return the smaller integer of each lane."""
        larger = ((a | self.high) - b) & self.high
        return a ^ ((a ^ b) & (larger - (larger >> 8 * self.size - 1)))

    def listed(self, a: int) -> list[int]:
        """Return the integers of all lanes; the lowest lane is the first."""
        spend(10 + 2 * self.number + (self.bytes >> 3))
        text, size = a.to_bytes(self.bytes, "little"), self.size
        return [int.from_bytes(text[i : i + size], "little") for i in range(0, self.bytes, size)]

    def transposed(self, table: Sequence[int]) -> list[int]:
        """Return, for each lane, an integer that has in its lanes those of all listed integers."""
        spend(10 + (2 * self.number + (self.bytes >> 2)) * len(table))
        texts, size = [a.to_bytes(self.bytes, "little") for a in table], self.size
        parts = ([t[i : i + size] for t in texts] for i in range(0, self.bytes, size))
        return [int.from_bytes(b"".join(part), "little") for part in parts]

    def split(self, table: Sequence[int], S: int) -> int:
        """Return in each lane the smallest sum of the entries of a subset of S and of its rest.

        The table has an entry for each set; that of the empty set is 0.
        """
        best, part = table[S], S - 1 & S
        spend(5 + (self.steps << S.bit_count() >> 1))
        while part > S ^ part:
            best = self.least(best, table[part] + table[S ^ part])
            part = part - 1 & S
        return best


def width(lines: Lines) -> int:
    """Return how many bytes hold the sum of all weights and a free bit."""
    return 1 + (sum(abs(w) for line in lines for w in line).bit_length() >> 3)


def wrong(weights: Sequence[int]) -> tuple[int, int]:
    """Return the errors of the answers 0 and 1."""
    return sum(max(w, 0) for w in weights), sum(max(-w, 0) for w in weights)


def sums(values: Sequence[int], size: int) -> int:
    """Return the sums of all subsets of some integers, in lanes; a subset is a set of indices."""
    spend(10 + (size << len(values) >> 3))
    found, ones = 0, 1
    for i, value in enumerate(values):
        bits = 8 * size << i
        found |= found + value * ones << bits
        ones |= ones << bits
    return found


def totals(values: Sequence[int], steps: int) -> list[int]:
    """Return the sums of all subsets of some integers, as a list."""
    spend(10 + (steps << len(values)))
    found = [0]
    for value in values:
        found += [value + held for held in found]
    return found
