"""The effective size of a domain, on which lower bounds for sanitizers rest."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ccsim import ConceptClass, effective_domain_size
from ccsim.instances import parse_class
from proofs_check.claims.claim import Claim, Instance, Kind, Size

__all__ = ["CLAIMS"]

_CLASSES = {
    Size.SMALL: (
        "points:b=2",
        "thresholds:b=3",
        "intervals:n=6",
        "lines:p=2",
        "random:m=2,n=8,seed=0",
        "random:m=3,n=10,seed=1",
    ),
    Size.MEDIUM: ("lines:p=3", "random:m=3,n=14,seed=2"),
    Size.LARGE: ("thresholds:b=4",),
}


def _largest_told_apart(C: ConceptClass) -> int:
    """Return the largest number of points of which any two have different labels somewhere."""
    n = len(C.points)
    apart = {
        pair
        for pair in combinations(range(n), 2)
        if any((row >> pair[0] ^ row >> pair[1]) & 1 for row in C.rows)
    }
    return next(
        k
        for k in range(n, -1, -1)
        for chosen in combinations(range(n), k)
        if all(pair in apart for pair in combinations(chosen, 2))
    )


def effective_size(size: Size) -> Iterator[Instance]:
    """Count different columns, and try all sets of points."""
    for text in (t for grid, texts in _CLASSES.items() if size.allows(grid) for t in texts):
        C = parse_class(text)
        found, largest = effective_domain_size(C), _largest_told_apart(C)
        detail = f"{found} different columns, {largest} points pairwise told apart"
        yield Instance.of(text, found == largest, detail)


CLAIMS = (
    Claim(
        "bns/def-4.14",
        "Definition 4.14",
        "The effective size of a domain is its number of different columns",
        "The largest number of points of which any two are labelled differently by some concept is "
        "the number of different columns of the class.",
        Kind.DEFINITION,
        effective_size,
    ),
)
