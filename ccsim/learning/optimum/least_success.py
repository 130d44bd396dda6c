"""The least success probability of a tabled learner on a concept, over all distributions.

The success is a polynomial of the distribution wherever the good hypotheses stay the same. On a
simplex of distributions it is at least the least value of its polar form at the corners, with the
hypotheses that are good at all corners, and simplices on which this is too little are halved.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, count, product
from math import prod

from ccsim.budget import Budget
from ccsim.exact.exponentials import rational
from ccsim.learning.learners.tabled import TabledLearner
from ccsim.learning.optimum.subdivisions import Distribution, Subdivision

__all__ = ["LeastSuccess"]

Simplex = tuple[Distribution, ...]


class LeastSuccess:
    """A search for the distribution that hurts a learner most on one concept.

    Parameters
    ----------
    concept : int
        Bit mask over the points.
    learner : TabledLearner
    samples : int
    accuracy : Fraction

    Attributes
    ----------
    least : Fraction
        Least success probability of a distribution that was looked at.
    worst : tuple of Fraction
        That distribution.
    """

    def __init__(
        self, concept: int, learner: TabledLearner, samples: int, accuracy: Fraction
    ) -> None:
        self._concept, self._samples, self._accuracy = concept, samples, accuracy
        self._m = learner.num_points
        self._laws = {
            database: {h: rational(p) for h, p in law.items} for database, law in learner.laws
        }
        self.least = Fraction(2)
        self.worst: Distribution = self._corners[0]

    @property
    def _corners(self) -> Simplex:
        return tuple(tuple(Fraction(int(x == y)) for y in range(self._m)) for x in range(self._m))

    def bound(self, gap: Fraction, budget: Budget) -> Fraction:
        """Return a lower bound of the least success that is within ``gap`` of it.

        Raises
        ------
        OutOfTimeError
            When the time of the budget is over.
        """
        order = count()
        heap = [(self._polar(self._corners), next(order), self._corners)]
        while self.least - heap[0][0] > gap:
            budget.spend()
            _, _, simplex = heapq.heappop(heap)
            for part in _halves(simplex, _longest_edge(simplex)):
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
        edge = _longest_edge(simplex)
        (left, low), (right, high) = (
            self._subdivide(part, enough) for part in _halves(simplex, edge)
        )
        return (*edge, left, right), min(low, high)

    def _value(self, good: Sequence[int], points: Sequence[Distribution]) -> Fraction:
        """Return the success when example ``i`` is drawn from distribution ``i``."""
        total = Fraction(0)
        for drawn in product(range(self._m), repeat=self._samples):
            chance = prod((D[x] for D, x in zip(points, drawn, strict=True)), start=Fraction(1))
            if chance:
                law = self._laws[tuple(sorted((x, self._concept >> x & 1) for x in drawn))]
                total += chance * sum((law.get(h, Fraction(0)) for h in good), Fraction(0))
        return total

    def _polar(self, corners: Simplex) -> Fraction:
        for distribution in (*corners, _average(corners)):
            value = self._value(self._good([distribution]), [distribution] * self._samples)
            if value < self.least:
                self.least, self.worst = value, distribution
        good = self._good(corners)
        choices = combinations_with_replacement(corners, self._samples)
        return min(self._value(good, chosen) for chosen in choices)

    def _good(self, corners: Sequence[Distribution]) -> list[int]:
        """Return the hypotheses of error at most the accuracy under every distribution listed."""

        def error(h: int, D: Distribution) -> Fraction:
            return sum((D[x] for x in range(self._m) if (h ^ self._concept) >> x & 1), Fraction(0))

        return [
            h for h in range(1 << self._m) if all(error(h, D) <= self._accuracy for D in corners)
        ]


def _average(corners: Sequence[Distribution]) -> Distribution:
    return tuple(sum(masses, Fraction(0)) / len(corners) for masses in zip(*corners, strict=True))


def _longest_edge(corners: Simplex) -> tuple[int, int]:
    return max(
        combinations(range(len(corners)), 2),
        key=lambda pair: max(
            abs(x - y) for x, y in zip(corners[pair[0]], corners[pair[1]], strict=True)
        ),
    )


def _halves(corners: Simplex, edge: tuple[int, int]) -> list[Simplex]:
    """Cut a simplex in two at the middle of an edge, which replaces one end of it in each part."""
    middle = _average([corners[i] for i in edge])
    return [
        tuple(middle if i == out else corner for i, corner in enumerate(corners)) for out in edge
    ]
