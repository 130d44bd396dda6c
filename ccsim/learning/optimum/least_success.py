"""The least success probability of a tabled learner on a concept, over all distributions.

The success is a polynomial of the distribution wherever the good hypotheses stay the same. On a
simplex of distributions it is at least the least value of its polar form at the corners, with the
hypotheses that are good at all corners, and simplices on which this is too little are cut: where
the error of a hypothesis is the accuracy, if middles of edges never come to lie there (as for 1/3),
and else in halves.

All of it is in integers: a simplex is its corners with integer masses of one sum.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, count
from math import floor, gcd, lcm
from typing import TypeAlias

from ccsim.budget import Budget
from ccsim.exact.exponentials import rational
from ccsim.learning.learners.occam import TabledLearner
from ccsim.learning.optimum.subdivisions import Distribution, Edge, Subdivision

Masses: TypeAlias = tuple[int, ...]
Simplex: TypeAlias = tuple[Masses, ...]

_INWARD = 16
"""A corner is also looked at from so near, in powers of 1/2: where errors jump, that is worse."""


class LeastSuccess:
    """A search for the distribution that hurts a learner most on one concept."""

    def __init__(
        self, concept: int, learner: TabledLearner, samples: int, accuracy: Fraction
    ) -> None:
        self._concept, self._samples, self._accuracy = concept, samples, accuracy
        self._m = m = learner.num_points
        wrong = range(1 << m)
        laws = {S: {h: rational(p) for h, p in law.items} for S, law in learner.laws}
        drawn = combinations_with_replacement(range(m), samples)
        own = [laws[tuple((x, concept >> x & 1) for x in points)] for points in drawn]
        self._total = lcm(*(p.denominator for law in own for p in law.values()))
        zero = Fraction(0)
        self._weights = [
            [int(law.get(w ^ concept, zero) * self._total) for w in wrong] for law in own
        ]
        self._known: dict[tuple[int, ...], list[int]] = {}
        levels = [list(combinations_with_replacement(range(m), k)) for k in range(samples + 1)]
        place = [{points: i for i, points in enumerate(level)} for level in levels]
        self._above = [
            [[place[k + 1][tuple(sorted((*points, x)))] for x in range(m)] for points in levels[k]]
            for k in range(samples)
        ]
        self.least = Fraction(2)
        self.worst: Distribution = tuple(Fraction(p) for p in self._corners[0])

    @property
    def _corners(self) -> Simplex:
        return tuple(tuple(int(x == y) for y in range(self._m)) for x in range(self._m))

    def bound(self, gap: Fraction, budget: Budget, enough: Fraction | None = None) -> Fraction:
        """Return a lower bound of the least success that is within ``gap`` of it.

        If it is known on which side of ``enough`` the success is, the bound may be farther off:
        above it by any amount, below it by a quarter of what is lacking.
        """
        order = count()
        heap = [(self._polar(self._corners), next(order), self._corners)]
        while self.least - heap[0][0] > gap:
            if enough is not None:
                lacking = enough - self.least
                if heap[0][0] >= enough or self.least - heap[0][0] <= lacking / 4:
                    break
            budget.spend()
            _, _, simplex = heapq.heappop(heap)
            for part in _parts(simplex, self._edge(simplex)):
                heapq.heappush(heap, (self._polar(part), next(order), part))
        return heap[0][0]

    def subdivide(self, enough: Fraction) -> tuple[Subdivision, Fraction]:
        """Return a subdivision that proves a bound at least ``enough``, and the bound.

        It ends if the success is above ``enough`` everywhere, or `bound` has returned it.
        """
        return self._subdivide(self._corners, enough)

    def _subdivide(self, simplex: Simplex, enough: Fraction) -> tuple[Subdivision, Fraction]:
        polar = self._polar(simplex)
        if polar >= enough:
            return None, polar
        edge = self._edge(simplex)
        (left, low), (right, high) = (
            self._subdivide(part, enough) for part in _parts(simplex, edge)
        )
        return (*edge, left, right), min(low, high)

    def _edge(self, corners: Simplex) -> Edge:
        """Return the edge that is cut, with the weights of its corners where they differ.

        Over two points halves close in on both sides of where one hypothesis changes.
        """
        whole = self._accuracy.denominator if self._m > 2 else 1
        crossed: dict[tuple[int, int], tuple[int, int]] = {}
        for w in range(1, 1 << self._m) if whole & (whole - 1) else ():
            above = [
                whole * sum(p for x, p in enumerate(D) if w >> x & 1)
                - self._accuracy.numerator * sum(D)
                for D in corners
            ]
            for i, j in combinations(range(self._m), 2):
                if above[i] * above[j] < 0:
                    crossed.setdefault((i, j), (abs(above[j]), abs(above[i])))
        if not crossed:
            return _longest(corners, combinations(range(self._m), 2))
        edge = _longest(corners, crossed)
        p, q = crossed[edge]
        return (*edge, p // gcd(p, q), q // gcd(p, q)) if p != q else edge

    def _polar(self, corners: Simplex) -> Fraction:
        unit, middle = sum(corners[0]), [sum(masses) for masses in zip(*corners, strict=True)]
        near = [
            tuple(
                (p << _INWARD) - len(corners) * p + q for p, q in zip(corner, middle, strict=True)
            )
            for corner in corners
        ]
        for D in (*corners, tuple(middle), *near):
            self._look(D)
        least = min(self._values(self._successes(self._good(corners)), corners))
        return Fraction(least, self._total * unit**self._samples)

    def _look(self, masses: Masses) -> None:
        unit = sum(masses)
        (value,) = self._values(self._successes(self._good([masses])), [masses])
        if (success := Fraction(value, self._total * unit**self._samples)) < self.least:
            self.least, self.worst = success, tuple(Fraction(p, unit) for p in masses)

    def _values(self, form: list[int], corners: Sequence[Masses]) -> Iterator[int]:
        """Yield the values of the polar form at all multisets of corners, one for each example."""
        stack = [(form, self._samples, 0)]
        while stack:
            values, left, first = stack.pop()
            if not left:
                yield values[0]
                continue
            for i in range(first, len(corners)):
                D = corners[i]
                rest = [
                    sum(p * values[j] for p, j in zip(D, above, strict=True) if p)
                    for above in self._above[left - 1]
                ]
                stack.append((rest, left - 1, i))

    def _successes(self, good: tuple[int, ...]) -> list[int]:
        """Return how often a hypothesis wrong on one of these sets is chosen, for each sample."""
        if good not in self._known:
            self._known[good] = [sum(law[w] for w in good) for law in self._weights]
        return self._known[good]

    def _good(self, corners: Sequence[Masses]) -> tuple[int, ...]:
        """Return the sets of points that have at most the accuracy at each corner."""
        allowed, every = floor(self._accuracy * sum(corners[0])), list(range(1 << self._m))
        for D in corners:
            every = [w for w in every if sum(p for x, p in enumerate(D) if w >> x & 1) <= allowed]
        return tuple(every)


def _longest(corners: Simplex, edges: Iterable[tuple[int, int]]) -> tuple[int, int]:
    return max(
        edges,
        key=lambda pair: max(
            abs(x - y) for x, y in zip(corners[pair[0]], corners[pair[1]], strict=True)
        ),
    )


def _parts(corners: Simplex, edge: Edge) -> list[Simplex]:
    """Cut a simplex in two at a point of an edge, which replaces one end of it in each part."""
    i, j, p, q = edge if len(edge) == 4 else (*edge, 1, 1)
    between = tuple(p * a + q * b for a, b in zip(corners[i], corners[j], strict=True))
    scaled = [tuple((p + q) * a for a in corner) for corner in corners]
    return [
        tuple(between if k == out else corner for k, corner in enumerate(scaled)) for out in (i, j)
    ]
