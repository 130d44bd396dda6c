"""Neighbourhoods of concepts: what a representation of a class must meet.

The *neighbourhood* of a concept ``f`` under a distribution ``D`` over points holds the hypotheses
with ``Pr_D[h != f]`` at most a given error. A set of hypotheses represents a class with this error
exactly when it meets every neighbourhood of every concept (`fx` Definition 4 (=2.3)); the smallest
representation is a smallest hitting set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import gcd

from ccsim.arguments.values import show_value
from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import common_denominator
from ccsim.symmetry.matrix import Symmetry
from ccsim.texts.labels import text_row

MAX_POINTS = 10
"""Most points over which all hypotheses are searched. Beyond: bounds on the size."""
MAX_WEIGHTS = 1 << 22
"""Most weights of the neighbourhoods that a search begins with; they take some ten seconds."""


@frozen
class Neighbourhood:
    """The hypotheses that are close to a concept under a distribution."""

    concept: int  # number of the concept in its class
    # weights of the points without a common divisor; a point has probability weight / total
    weights: tuple[int, ...]

    @classmethod
    def under(cls, concept: int, distribution: Sequence[Fraction]) -> Neighbourhood:
        """Return the neighbourhood under a distribution over points."""
        unit = common_denominator(distribution)
        weights = [int(p * unit) for p in distribution]
        shared = gcd(*weights)
        return cls(concept, tuple(w // shared for w in weights))

    @classmethod
    def of_point(cls, num_points: int) -> Neighbourhood:
        """Return the neighbourhood of the first concept under the law on the first point."""
        return cls(0, (1,) + (0,) * (num_points - 1))

    @property
    def distribution(self) -> tuple[Fraction, ...]:
        """The distribution over points."""
        total = sum(self.weights)
        return tuple(Fraction(w, total) for w in self.weights)

    def holds(self, hypothesis: int, row: int, error: Fraction) -> bool:
        """Whether a hypothesis is in it, where ``row`` is the concept's bit mask."""
        wrong = hypothesis ^ row
        mass = sum(w for x, w in enumerate(self.weights) if wrong >> x & 1)
        return mass * error.denominator <= error.numerator * sum(self.weights)

    def image(self, symmetry: Symmetry) -> Neighbourhood:
        """Return the image under a symmetry of the class."""
        weights = [0] * len(self.weights)
        for x, weight in enumerate(self.weights):
            weights[symmetry.columns[x]] = weight
        return Neighbourhood(symmetry.rows[self.concept], tuple(weights))


def uniform_neighbourhoods(
    concept_class: ConceptClass, error: Fraction, budget: Budget | None = None
) -> Iterator[list[Neighbourhood]]:
    """Yield the neighbourhoods under uniform distributions over sets of at most ten points.

    Over more points there are too many, and only single points are taken. Of the sizes at which
    equally many wrong points are allowed, only the largest, whose neighbourhoods are the smallest;
    a list for each size, small ones first.
    """
    n = len(concept_class.points)
    allowed = [size * error.numerator // error.denominator for size in range(n + 1)]
    sizes = [s for s in range(1, n + 1) if s == n or allowed[s] < allowed[s + 1]]
    few, budget = n <= MAX_POINTS, budget or Budget()
    for size in sizes if few else [1]:
        every = range(1 << n) if few else (1 << x for x in range(n))
        laws = [
            tuple(subset >> x & 1 for x in range(n))
            for subset in every
            if subset.bit_count() == size
        ]
        near: list[Neighbourhood] = []
        for f in range(len(concept_class)):
            budget.spend()
            near += [Neighbourhood(f, law) for law in laws]
        yield near


def in_order(pool: Iterable[int] | None) -> tuple[int, ...] | None:
    """Return the hypotheses of a pool in order, each once; None stands for all functions."""
    if pool is None:
        return None
    rows = list(pool)
    for row in rows:
        if type(row) is not int:
            raise DomainError(f"a pool must hold hypotheses as bit masks, not {show_value(row)}")
    return tuple(sorted(set(rows)))


def hypotheses_of(concept_class: ConceptClass, pool: Iterable[int] | None) -> tuple[int, ...]:
    """Return the hypotheses that a search may use: a pool, or all functions on the points."""
    n = len(concept_class.points)
    if not concept_class.rows or not concept_class.points:
        raise DomainError("the class must have at least one concept and one point")
    weights = len(concept_class) * n * (n if n > MAX_POINTS else 1 << n)
    if weights > MAX_WEIGHTS:
        raise InstanceTooLargeError(
            f"{concept_class}: a search begins with neighbourhoods of {weights} weights, the limit "
            f"is {MAX_WEIGHTS}"
        )
    if len(concept_class) ** 2 > MAX_WEIGHTS:
        raise InstanceTooLargeError(
            f"{concept_class}: a search begins with {len(concept_class)}^2 weights of the concepts "
            f"for one another, the limit is {MAX_WEIGHTS}"
        )
    if pool is None:
        if n > MAX_POINTS:
            raise InstanceTooLargeError(
                f"{concept_class}: all hypotheses are searched over at most {MAX_POINTS} points"
            )
        return tuple(range(1 << n))
    rows = tuple(sorted(set(pool)))
    if not rows or rows[0] < 0 or rows[-1] >= 1 << n:
        raise DomainError(f"the pool must hold hypotheses over the {n} points of the class")
    return rows


def pool_json(concept_class: ConceptClass, pool: Sequence[int] | None) -> list[str] | None:
    """Return a pool as a part of a certificate."""
    width = len(concept_class.points)
    return None if pool is None else [text_row(row, width) for row in pool]
