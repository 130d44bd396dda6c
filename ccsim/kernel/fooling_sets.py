"""Fooling sets: inputs with one value, no two of which lie in a common rectangle of this value."""

from __future__ import annotations

from .reader import *
from .rectangles import Bit, Rectangles
from .rules import *


class FoolingNumber(Rectangles, Quantity, kind="fooling_number"):
    """The maximum size of a fooling set of inputs with the given value."""

    instance: Problem
    value: Bit
    number = staticmethod(lambda value, _: integer(value))

    def crossed(self) -> dict[tuple[int, int], int]:
        """Return, for each input of the value, the inputs that share no rectangle with it."""
        held, barred = self.sides()
        n, width = len(held), self.instance.width
        spend(sum(map(int.bit_count, held)) * n * (5 + (n * width >> 8)))
        starts = [1 << z * width for z in range(n)]
        everything = sum(row * start for row, start in zip(held, starts, strict=True))
        rows = [bars * sum(starts) for bars in barred]  # the same columns in each row
        firsts = (
            sum(start for bars, start in zip(barred, starts, strict=True) if bars >> y & 1)
            for y in range(width)
        )
        columns = [(bits << width) - bits for bits in firsts]  # whole rows
        found = {}
        for x, row in enumerate(held):
            for y in members(row):
                found[x, y] = everything & (rows[x] | columns[y])
        return found

    @least
    def inputs(self, inputs: Entries) -> int:
        """Check a fooling set, given by its inputs; return its size."""
        cells = sorted({*inside("inputs", each, self.instance.cell, inputs)})
        held, barred = self.sides()
        spend(len(cells) * (5 + len(cells)))
        for x, y in cells:
            require(held[x] >> y & 1, "input {} must have the stated value", (x, y))
            near = sum(not (barred[x] >> w | barred[z] >> y) & 1 for z, w in cells)
            require(near == 1, "input {} and another one lie in one rectangle of the value", (x, y))
        return len(cells)

    @most
    def colours(self, size: Natural) -> int:
        """Exclude larger sets: a fooling set has at most one input of each colour class.

        Any two inputs of a class share a rectangle. Inputs are tried in turn, those in late classes
        first, while the classes allow a larger set.
        """
        crossed, width = self.crossed(), self.instance.width
        steps = 5 + (len(self.instance.rows) * width >> 8)
        by_bit = {x * width + y: others for (x, y), others in crossed.items()}

        def classes(left: int) -> list[tuple[int, int]]:
            order, number = list[tuple[int, int]](), 0
            while left:
                number, free = number + 1, left
                while free:
                    spend(steps)
                    i = (free & -free).bit_length() - 1
                    order.append((i, number))
                    left, free = left ^ 1 << i, free & ~by_bit[i] & ~(1 << i)
            return order

        stack = [(sum(1 << i for i in by_bit), 0)]
        while stack:
            left, taken = stack.pop()
            require(taken <= size, "bound too small: there is a fooling set of {} inputs", taken)
            for i, number in reversed(classes(left)):
                if taken + number <= size:
                    break
                stack.append((left & by_bit[i], taken + 1))
                left ^= 1 << i
        return size
