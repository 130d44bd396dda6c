"""Quality functions of bounded growth, and their good solutions (`bns` section 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any


def is_of_bounded_growth(
    quality: Callable[[tuple[Any, ...], Any], Fraction | int],
    domain: Sequence[Any],
    solutions: Sequence[Any],
    growth: int,
    size: int,
) -> bool:
    """Decide whether a quality function is of bounded growth, on all small databases.

    Every quality is 0 on the empty database. If a record is added, no quality decreases, none grows
    by more than 1, and at most ``growth`` qualities grow (`bns` Definition 4.2).
    """
    if any(quality((), solution) != 0 for solution in solutions):
        return False
    numbers = range(len(domain))
    for length in range(size):
        for chosen in combinations_with_replacement(numbers, length):
            before = [quality(tuple(domain[i] for i in chosen), s) for s in solutions]
            for added in numbers:
                longer = tuple(domain[i] for i in sorted((*chosen, added)))
                after = [quality(longer, s) for s in solutions]
                steps = [b - a for a, b in zip(before, after, strict=True)]
                if not all(0 <= step <= 1 for step in steps) or sum(map(bool, steps)) > growth:
                    return False
    return True


def good_solutions(
    qualities: Sequence[Fraction | int], size: int, accuracy: Fraction
) -> tuple[int, ...]:
    """Return the indices of solutions with qualities at most ``accuracy size`` below the best.

    Source: `bns` Definition 4.1.
    """
    least = max(qualities, default=0) - accuracy * size
    return tuple(i for i, quality in enumerate(qualities) if quality >= least)
