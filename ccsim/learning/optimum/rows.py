"""Targets of learners as rows of a linear program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import TypeAlias

from ccsim.learning.learners.occam import Example
from ccsim.learning.optimum.subdivisions import Database, Distribution

Hard: TypeAlias = tuple[int, Distribution]
"""A concept (bit mask) and a distribution over points."""
Row: TypeAlias = tuple[dict[int, int], int, int | None]
"""Coefficients of the variables, and bounds of their sum."""

_COARSE = 1 << 28
_ABOVE = Fraction(1, 1 << 16)


def coarse_row(row: Row) -> Row:
    """Return about the same row with coefficients that floats and their solver bear."""
    terms, unit, _ = row
    about = {o: round(Fraction(a * _COARSE, unit)) for o, a in terms.items()}
    return {o: a for o, a in about.items() if a}, _COARSE, None


def added_terms(terms: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the sum of terms ``(variable, coefficient)``."""
    row: dict[int, int] = {}
    for o, a in terms:
        row[o] = row.get(o, 0) + a
    return {o: a for o, a in row.items() if a}


def error_of(wrong: int, distribution: Distribution) -> Fraction:
    """Return the mass of a set of points."""
    return sum((w for x, w in enumerate(distribution) if wrong >> x & 1), Fraction(0))


def sample_law(
    concept: int, distribution: Distribution, samples: int
) -> Iterator[tuple[Database, Fraction]]:
    """Yield the multisets of labelled examples of a target with their probabilities."""
    for drawn in combinations_with_replacement(range(len(distribution)), samples):
        ways = factorial(samples) // prod(factorial(drawn.count(x)) for x in set(drawn))
        chance = ways * prod((distribution[x] for x in drawn), start=Fraction(1))
        examples: list[Example] = sorted((x, concept >> x & 1) for x in drawn)
        yield tuple(examples), chance


def near_the_accuracy(num_points: int, accuracy: Fraction) -> list[Distribution]:
    """Return distributions with little more than the accuracy on some points, the rest on another.

    There a hypothesis just fails that errs on one of these points alone.
    """
    mass, found = accuracy + _ABOVE, list[Distribution]()
    for heavy in range(num_points):
        rest = [x for x in range(num_points) if x != heavy]
        for chosen in (S for k in range(1, num_points) for S in combinations(rest, k)):
            if len(chosen) * mass < 1:
                law = [mass if x in chosen else Fraction(0) for x in range(num_points)]
                law[heavy] = 1 - len(chosen) * mass
                found.append(tuple(law))
    return sorted(found)
