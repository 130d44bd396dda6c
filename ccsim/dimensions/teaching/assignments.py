"""Sets of k points for all concepts of which no two clash, or a tree of cases that excludes them.

Main definitions: `Assignments`.

Implementation notes: two concepts clash unless the set of one of them meets their *difference*, the
points on which they have other labels. For each concept the sets that it may still have are a mask
over all sets of ``k`` points. A case is split by a pair: the set of the first concept meets the
difference, or it does not, and then that of the second one does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from math import comb
from operator import or_

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.errors import InstanceTooLargeError

__all__ = ["MAX_SETS", "Assignments"]

MAX_SETS = 20_000
"""Most sets of points that the search for a teacher without clashes chooses from."""
_AT_ONCE = 256
"""Pairs between two glances at the clock."""


class Assignments:
    """The search for sets of ``size`` points, one for each row, of which no two clash.

    Parameters
    ----------
    rows : sequence of int
        Distinct masks.
    width, size : int
        Numbers of points, with ``0 <= size <= width``.

    Examples
    --------
    >>> Assignments([0b00, 0b01, 0b10, 0b11], 2, 1).search(Budget())
    ((1, 2, 2, 1), ())
    """

    def __init__(self, rows: Sequence[int], width: int, size: int) -> None:
        if comb(width, size) > MAX_SETS:
            raise InstanceTooLargeError(
                f"{comb(width, size)} sets of {size} of {width} points; the limit is {MAX_SETS}"
            )
        self.rows = rows
        self.sets = [sum(1 << x for x in xs) for xs in combinations(range(width), size)]
        self._with = [
            sum(1 << i for i, each in enumerate(self.sets) if each >> x & 1) for x in range(width)
        ]
        self._met: dict[int, int] = {}

    def met(self, points: int) -> int:
        """Return the sets that meet a set of points."""
        if (found := self._met.get(points)) is None:
            found = reduce(or_, (self._with[x] for x in members(points)), 0)
            self._met[points] = found
        return found

    def search(self, budget: Budget) -> tuple[tuple[int, ...] | None, tuple[tuple[int, int], ...]]:
        """Return the masks of sets without clashes, or else the pairs of a tree of cases.

        The pairs are the nodes in preorder. Each stands for at most two cases, that of the first
        concept before that of the second; one in which a concept has no set left has no node.
        """
        everything = (1 << len(self.sets)) - 1
        nodes: list[tuple[int, int]] = []
        pairs = tuple(combinations(range(len(self.rows)), 2))
        cases = [([everything] * len(self.rows), pairs)]
        while cases:
            domains, left = cases.pop()
            found = self._narrow(domains, left, nodes, budget)
            if found is None:
                continue
            if not found:
                return tuple(self.sets[(d & -d).bit_length() - 1] for d in domains), ()
            c, e = min(found, key=lambda pair: self._weight(domains, *pair))
            nodes.append((c, e))
            splits = list(self._split(domains, c, e))
            cases.extend((split, found) for split in reversed(splits))
        return None, tuple(nodes)

    def _split(self, domains: list[int], c: int, e: int) -> Iterator[list[int]]:
        """Yield the cases of a pair in which no domain is empty."""
        met = self.met(self.rows[c] ^ self.rows[e])
        if first := domains[c] & met:
            yield [*domains[:c], first, *domains[c + 1 :]]
        missed, second = domains[c] & ~met, domains[e] & met
        if missed and second:
            case = domains.copy()
            case[c], case[e] = missed, second
            yield case

    def _narrow(
        self,
        domains: list[int],
        pairs: tuple[tuple[int, int], ...],
        nodes: list[tuple[int, int]],
        budget: Budget,
    ) -> tuple[tuple[int, int], ...] | None:
        """Draw what follows from single pairs, and return those left; None if there is no case."""
        changed = True
        while changed:
            changed, left = False, []
            for number, (c, e) in enumerate(pairs):
                if number % _AT_ONCE == 0:
                    budget.spend()
                met = self.met(self.rows[c] ^ self.rows[e])
                if not (domains[c] & ~met and domains[e] & ~met):
                    continue  # they cannot clash any more
                first, second = domains[c] & met, domains[e] & met
                if first and second:
                    left.append((c, e))
                    continue
                nodes.append((c, e))
                if not (first or second):
                    return None
                changed = True
                if first:
                    domains[c] = first
                else:
                    domains[e] = second
            pairs = tuple(left)
        return pairs

    def _weight(self, domains: list[int], c: int, e: int) -> int:
        met = self.met(self.rows[c] ^ self.rows[e])
        return min((domains[c] & met).bit_count(), (domains[e] & met).bit_count())
