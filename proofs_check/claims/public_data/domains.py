"""Section 2.1: one point stands for all that the class labels alike."""

from __future__ import annotations

from collections.abc import Iterator

from ccsim import ConceptClass, representative_domain
from ccsim.instances import parse_class
from proofs_check.claims.claim import Claim, Instance, Kind, Size

__all__ = ["CLAIMS"]

_CLASSES = (
    "points:b=3",
    "thresholds:b=4",
    "intervals:n=8",
    "lines:p=3",
    "random:m=2,n=12,seed=0",
    "random:m=3,n=20,seed=1",
    "random:m=4,n=9,seed=2",
)
_MOST_THRESHOLDS = {Size.SMALL: 6, Size.MEDIUM: 12, Size.LARGE: 24}


def representatives(_size: Size) -> Iterator[Instance]:
    """Compare every point with its representative, and representatives with each other."""
    for text in _CLASSES:
        C = parse_class(text)
        domain = representative_domain(C)
        domain.check()
        labels = [tuple(row >> x & 1 for row in C.rows) for x in range(len(C.points))]
        alike = all(labels[x] == labels[r] for x, r in enumerate(domain.representatives))
        distinct = len({labels[x] for x in domain.points}) == len(domain.points)
        bound = 1 << len(C)
        detail = f"{len(domain)} representatives of {len(C.points)} points, at most {bound}"
        yield Instance.of(text, alike and distinct and len(domain) <= bound, detail)


def threshold_example(size: Size) -> Iterator[Instance]:
    """Put a point into every gap of thresholds on the line, and one on every threshold."""
    for m in range(_MOST_THRESHOLDS[size] + 1):
        line = range(2 * m + 1)
        C = ConceptClass.from_callable(lambda t, x: int(x <= t), range(1, 2 * m, 2), line)
        found = len(representative_domain(C))
        detail = f"{found} representatives = {m} + 1"
        yield Instance.of(f"{m} thresholds on a line", found == m + 1, detail)


CLAIMS = (
    Claim(
        "pap/def-2",
        "Definition 2",
        "Points that a class labels alike have one representative",
        "A representative domain holds one point of each class of points that all hypotheses label "
        "alike; its size is at most 2^|H|.",
        Kind.DEFINITION,
        representatives,
    ),
    Claim(
        "pap/threshold-example",
        "section 2.1",
        "M thresholds have M + 1 representatives",
        "A representative domain of M thresholds on the line holds M + 1 points.",
        Kind.EXAMPLE,
        threshold_example,
        uses=("pap/def-2",),
    ),
)
