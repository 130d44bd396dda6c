"""Section 2.1: one point stands for all that the class labels alike."""

from __future__ import annotations

from collections.abc import Callable

from ccsim import ConceptClass, representative_domain
from ccsim.dimensions import RepresentativeDomain
from ccsim.instances import parse_class
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal, holds
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.near_miss import near, plus


def _power_of_two(hypotheses: int) -> int:
    return 1 << hypotheses


@claim(
    "pap/def-2",
    "Definition 2",
    "Points that a class labels alike have one representative",
    Kind.DEFINITION,
    over=grid(
        instance=[
            "points:b=3",
            "thresholds:b=4",
            "intervals:n=8",
            "lines:p=3",
            "all_functions:n=3",
            "random:m=2,n=12,seed=0",
            "random:m=3,n=20,seed=1",
            "random:m=4,n=9,seed=2",
        ]
    ),
    near=[
        near("Its size is at most 2^|H| - 1.", most=plus(-1)),
        near("Every point stands for itself.", representative=lambda _, x: x),
        near("The first point stands for all.", representative=lambda D, _: D.points[0]),
    ],
)
def representatives(
    instance: str,
    *,
    most: Callable[[int], int] = _power_of_two,
    representative: Callable[[RepresentativeDomain, int], int] = lambda D, x: D.representatives[x],
) -> Decision:
    """A representative domain holds one point of each class of points that all hypotheses label
    alike; its size is at most 2^|H|."""
    C = parse_class(instance)
    domain = recheck(representative_domain(C))
    labels = [tuple(row >> x & 1 for row in C.rows) for x in range(len(C.points))]
    chosen = [representative(domain, x) for x in range(len(C.points))]
    return all_of(
        [
            ("alike", holds(all(labels[x] == labels[r] for x, r in enumerate(chosen)), "alike")),
            ("one each", equal(len(set(chosen)), len(set(labels)))),
            ("the domain", holds(set(chosen) == set(domain.points), "the points that stand")),
            ("size", at_most(len(domain), most(len(C)), trivial=len(C.points))),
        ]
    )


def _line(m: int) -> ConceptClass:
    """Return m thresholds on a line, with a point in every gap and on every threshold."""
    return ConceptClass.from_callable(
        lambda t, x: int(x <= t), range(1, 2 * m, 2), range(2 * m + 1)
    )


@claim(
    "pap/threshold-example",
    "section 2.1",
    "M thresholds have M + 1 representatives",
    Kind.EXAMPLE,
    over=grid(m=range(7)).medium(m=range(7, 13)).large(m=range(13, 25)),
    near=[
        near("It holds M points.", size=plus(-1)),
        near("It holds M + 2 points.", size=plus(1)),
    ],
    uses=["pap/def-2"],
)
def threshold_example(m: int, *, size: Callable[[int], int] = lambda m: m + 1) -> Decision:
    """A representative domain of M thresholds on the line holds M + 1 points."""
    return equal(len(recheck(representative_domain(_line(m)))), size(m))
