"""The effective size of a domain, used in lower bounds for sanitizers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from ccsim import ConceptClass, effective_domain_size
from ccsim.instances import parse_class
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.variants import near, plus


def _told_apart(C: ConceptClass, x: int, y: int) -> bool:
    return any((row >> x ^ row >> y) & 1 for row in C.rows)


def _told_apart_at_once(C: ConceptClass, x: int, y: int) -> bool:
    return bool((C.rows[0] >> x ^ C.rows[0] >> y) & 1)


@claim(
    "bns/def-4.14",
    "Definition 4.14",
    "The effective size of a domain is its number of distinct columns",
    Kind.DEFINITION,
    over=grid(
        instance=[
            "points:b=2",
            "thresholds:b=3",
            "intervals:n=6",
            "lines:p=2",
            "random:m=2,n=8,seed=0",
            "random:m=3,n=10,seed=1",
        ]
    )
    .medium(instance=["lines:p=3", "random:m=3,n=14,seed=2"])
    .large(instance=["thresholds:b=4"]),
    near=[
        near(
            "Points must be labelled differently by the first concept.", apart=_told_apart_at_once
        ),
        near("The number is smaller by one.", size=plus(-1)),
    ],
)
def effective_size(
    instance: str,
    *,
    apart: Callable[[ConceptClass, int, int], bool] = _told_apart,
    size: Callable[[ConceptClass], int] = lambda C: recheck(effective_domain_size(C)).value,
) -> Decision:
    """Consider sets of points such that every two of them are labelled differently by some concept.
    The largest size of such a set is the number of distinct columns of the class.
    """
    C = parse_class(instance)
    n = len(C.points)
    pairs = {pair for pair in combinations(range(n), 2) if apart(C, *pair)}
    largest = next(
        k
        for k in range(n, -1, -1)
        for chosen in combinations(range(n), k)
        if all(pair in pairs for pair in combinations(chosen, 2))
    )
    return equal(size(C), largest)
