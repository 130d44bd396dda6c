"""The numbers of mistakes of learners that know the order of the points, or choose it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated

from .queries import Identification, QueryComplexity, Sides
from .reader import *
from .rules import *

ORDERS = ("best", "worst")
Order = Annotated[str, lambda value, _: choice(value, ORDERS)]
Permutation = Annotated[
    list[int], lambda value, it: distinct(value, it.instance.width, it.instance.width)
]
Vector = tuple[int, ...]


class SelfDirectedComplexity(Identification, Quantity, kind="self_directed_complexity"):
    """The least number of mistakes of a learner that chooses each point and predicts its label."""

    def moves(self, near: Sides, far: Sides) -> object:
        """Return whether some point has one of the sides `near`, and the other side in `far`."""
        return near[0] & far[1] | near[1] & far[0]


def joined(zero: int, one: int) -> int:
    """Return the mistakes on a point and after it; -1 stands for a label that no concept has."""
    return zero + 1 if zero == one >= 0 else max(zero, one)


class OfflineMistakes(Dimension, Quantity, kind="offline_mistakes"):
    """The least number of mistakes of a learner that knows the order, for an extreme order."""

    instance: Class
    order: Order

    def sides(self, cells: list[int], x: int) -> list[list[int]]:
        """Return the concepts of each cell with label 0 and with label 1 on a column."""
        spend(20 + len(cells) * (6 + (len(self.instance.rows) >> 8)))
        column = self.instance.columns[x]
        return [[cell & ~column, cell & column] for cell in cells]

    def along(self, points: Permutation) -> int:
        """Return the least number of mistakes for a given order of all columns.

        Rows with equal labels on the first columns follow each other in the lexicographic order.
        """
        texts, width = self.instance.texts, self.instance.width
        spend(20 + len(texts) * (40 + 2 * width))
        labels = sorted("".join(map(text.__getitem__, points)) for text in texts)
        last, waiting = min(len(texts), 1) - 1, list[tuple[int, int]]()  # costs of smaller labels
        for one, other in pairwise(labels):
            first = next(i for i in range(width) if one[i] != other[i])
            while waiting and waiting[-1][0] > first:  # which divides all of them from the others
                last = joined(waiting.pop()[1], last)
            waiting.append((first, last))
            last = 0
        while waiting:
            last = joined(waiting.pop()[1], last)
        return last

    @least
    def worst_order(self, points: Permutation) -> int:
        """Return the number of mistakes for one order, which may be the worst."""
        require(self.order == "worst", "the best order may have fewer mistakes than another one")
        return self.along(points)

    @most
    def best_order(self, points: Permutation) -> int:
        """Return the number of mistakes for one order, which may be the best."""
        require(self.order == "best", "the worst order may have more mistakes than another one")
        return self.along(points)

    @least
    def adversary(self, spaces: Entries) -> int:
        """Return a lower bound on the mistakes of a learner that chooses each point."""
        return SelfDirectedComplexity.of(instance=self.instance).adversary(spaces)

    @most
    def learner(self, spaces: Entries) -> int:
        """Return an upper bound by equivalence queries, which hold for points in any order."""
        online = QueryComplexity.of(instance=self.instance, queries="equivalence")
        return online.learner(spaces)

    @least
    def all_orders(self) -> int:
        """Return the number of mistakes for the best or the worst order, from all orders."""
        return self.extreme()

    @most
    def any_order(self) -> int:
        """Return the number of mistakes for the best or the worst order, from all orders."""
        return self.extreme()

    def extreme(self) -> int:
        """Return the extreme number of mistakes by recursion on the set of known columns.

        These columns divide the concepts into cells. A cell of at most three concepts costs 1
        mistake, or none if it has one concept, whatever the order of the other columns. For the
        larger cells, in increasing order, the vectors of mistakes that some order attains and no
        other one exceeds (or undercuts) suffice, since more mistakes in a cell are never better.
        """
        known = dict[str, list[Vector]]()

        def attained(seen: int, cells: list[int]) -> list[Vector]:
            spend(40 + 4 * len(cells))
            if not cells:
                return [()]
            if (key := hex(seen)) not in known:
                found = dict[str, Vector]()
                for x in range(self.instance.width):
                    both = [] if seen >> x & 1 else self.sides(cells, x)
                    if any(zero and one for zero, one in both):
                        found |= after(seen | 1 << x, both)
                known[key] = self.kept(found.values())
            return known[key]

        def after(seen: int, both: list[list[int]]) -> dict[str, Vector]:
            large = sorted(side for pair in both for side in pair if side.bit_count() > 3)
            place = {hex(side): i for i, side in enumerate(large)}
            parts = [[(place.get(hex(s), -1), min(s.bit_count(), 2) - 1) for s in p] for p in both]
            below = attained(seen, large)
            spend(len(below) * len(parts) * 10)
            made = [
                tuple(joined(*(v[i] if i >= 0 else small for i, small in p)) for p in parts)
                for v in below
            ]
            return {str(v): v for v in made}

        number = len(self.instance.rows)
        if number <= 3:
            return min(number, 2) - 1
        [value] = attained(0, [(1 << number) - 1])
        return value[0]

    def kept(self, vectors: Iterable[Vector]) -> list[Vector]:
        """Return the vectors that no other one exceeds, or undercuts for the best order."""
        sign, found = 1 if self.order == "worst" else -1, list[Vector]()
        for v in sorted(vectors, key=lambda v: -sign * sum(v)):
            spend(20 + len(found) * len(v) * 2)
            if not any(all(sign * a <= sign * b for a, b in zip(v, w, strict=True)) for w in found):
                found.append(v)
        return found
