"""Section 4.1: sets with pairwise at most one common point represent points; lines of planes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TypeAlias

from ccsim import (
    HypothesisSet,
    projective_plane_representation,
    representation_error,
)
from ccsim.representation import plane_lines, single_points
from ccsim.representation.constructions import PointRepresentation
from ccsim.representation.error import RepresentationResult
from proofs_check.claims.beimel_brenner.constructions.random_sets import (
    thinned_plane_representation,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal, holds
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

HALF = Fraction(1, 2)
Sets: TypeAlias = tuple[int, ...]


@cache
def least_error(sets: Sets, number: int) -> RepresentationResult:
    """Return the least error with which the given sets represent the functions of their points."""
    H = HypothesisSet.from_rows(sets, number)
    return recheck(representation_error(H, single_points(number)))


@claim(
    "bbkn/proj-plane",
    "section 4.1",
    "Projective planes",
    Kind.EXAMPLE,
    over=grid(q=[2, 3, 4, 5]).medium(q=[7, 8, 9]),
    near=[
        near("The plane has one more point.", number=plus(1)),
        near("Some two lines do not intersect.", shared=plus(-1)),
        near("There are q + 2 lines through each point.", through=plus(1)),
    ],
)
def projective_planes(
    q: int,
    *,
    number: Callable[[int], int] = lambda q: q * q + q + 1,
    shared: int = 1,
    through: Callable[[int], int] = lambda q: q + 1,
) -> Decision:
    """For a prime power q there are q^2 + q + 1 points and as many lines; two lines intersect in
    one point, one line passes through two points, and q + 1 lines pass through each point."""
    lines = plane_lines(q)
    points = [sum((line >> j & 1) << i for i, line in enumerate(lines)) for j in range(len(lines))]
    meet = {(a & b).bit_count() for side in (lines, points) for a, b in combinations(side, 2)}
    on = {point.bit_count() for point in points}
    return all_of(
        [
            ("lines", equal(len(set(lines)), number(q))),
            ("two lines, two points", holds(meet == {shared}, f"share {meet}")),
            ("lines through a point", holds(on == {through(q)}, f"{on}")),
        ]
    )


def _plane(q: int) -> Sets:
    return plane_lines(q)


def _affine_plane(p: int) -> Sets:
    field = range(p)
    lines = [[p * x + (a * x + b) % p for x in field] for a in field for b in field]
    return tuple(sum(1 << i for i in line) for line in [*lines, *_parallels(p)])


def _parallels(p: int) -> list[range]:
    return [range(p * x, p * x + p) for x in range(p)]


def _rows_and_columns(n: int) -> Sets:
    columns = [range(y, n * n, n) for y in range(n)]
    return tuple(sum(1 << i for i in line) for line in [*_parallels(n), *columns])


def _subsets(size: int) -> Callable[[int], Sets]:
    def subsets(n: int) -> Sets:
        return tuple(sum(1 << i for i in chosen) for chosen in combinations(range(n), size))

    subsets.__name__ = f"_subsets_of_{size}"
    return subsets


@claim(
    "bbkn/sec-4.1-weak",
    "section 4.1",
    "Sets that share at most one point represent points",
    Kind.EXAMPLE,
    over=table(
        "family n",
        (_plane, 2),
        (_plane, 3),
        (_affine_plane, 2),
        (_affine_plane, 3),
        (_rows_and_columns, 3),
        (_subsets(2), 5),
        (_subsets(3), 4),
    ).medium((_affine_plane, 5), (_plane, 4), (_rows_and_columns, 5), (_subsets(2), 8)),
    near=[
        near("The error is at most 99/(100 p).", error=times(Fraction(99, 100))),
        near("The statement if any two sets share at most two points.", shared=plus(1)),
    ],
    uses=["bbkn/proj-plane"],
)
def sets_that_share_little(
    family: Callable[[int], Sets],
    n: int,
    *,
    shared: int = 1,
    error: Callable[[int], Fraction] = lambda p: Fraction(1, p),
) -> Decision:
    """If each point lies in at least p of the given sets and any two of the sets share at most one
    point, then the sets represent the points with error 1/p. So they represent the points with
    error eps if each point lies in more than 1/eps of the sets.
    """
    sets = family(n)
    number = max(sets).bit_length()
    least = min(sum(row >> j & 1 for row in sets) for j in range(number))
    meet = max((a & b).bit_count() for a, b in combinations(sets, 2))
    bound = error(least) if meet <= shared else Fraction(1)
    detail = f"each point in {least} sets, which share at most {meet}"
    return at_most(least_error(sets, number).value, bound, detail, trivial=1)


@claim(
    "bbkn/sec-4.1-weak-plane",
    "section 4.1, with the exact error",
    "The lines of a projective plane represent its points with error 1/(q+1)",
    Kind.EXAMPLE,
    over=grid(q=[2, 3, 4]).medium(q=[5, 7]),
    near=near("The error is 99/100 of the stated value.", error=times(Fraction(99, 100))),
    uses=["bbkn/sec-4.1-weak", "bbkn/proj-plane"],
)
def plane_represents(
    q: int, *, error: Callable[[int], Fraction] = lambda q: Fraction(1, q + 1)
) -> Decision:
    """The least error with which the lines of a projective plane of order q represent its points is
    1/(q + 1). Checked by solving games, and by the proofs of both bounds in closed form.
    """
    closed = recheck(projective_plane_representation(q))
    number = closed.hypotheses.num_points
    return all_of(
        [
            ("in closed form", equal(closed.value, error(q))),
            ("by games", equal(least_error(plane_lines(q), number).value, error(q))),
        ]
    )


@cache
def _thinned(q: int, error: str) -> PointRepresentation:
    return recheck(thinned_plane_representation(q, error, seed=0))


@claim(
    "bbkn/sqrt-construction",
    "section 4.1",
    "O(sqrt(T)) lines represent T points",
    Kind.EXAMPLE,
    over=table("q accuracy", (11, "1/2"), (16, "1/2"), (16, "1/3")).medium(
        (13, "1/2"), (25, "1/2"), (25, "1/4")
    ),
    near=[
        near("At most 27/13 sqrt(T) / alpha lines are enough.", constant=times(Fraction(12, 13))),
        near(
            "The lines represent at least 53/80 of the points of the plane.",
            share=times(Fraction(53, 40)),
        ),
        near("The statement with error 5 alpha / 7.", error=times(Fraction(5, 7))),
    ],
    uses=["bbkn/sec-4.1-weak"],
)
def thinned_planes(
    q: int,
    accuracy: str,
    *,
    constant: Fraction = Fraction(9, 4),
    share: Fraction = HALF,
    error: Callable[[str], Fraction] = Fraction,
) -> Decision:
    """O(sqrt(T) / alpha) lines represent T points with error alpha: at most 9/4 sqrt(T) / alpha
    random lines of a plane of order q represent T >= (q^2 + q + 1) / 2 of its points."""
    thinned = _thinned(q, accuracy)
    kept = thinned.hypotheses.num_points
    most = (constant / Fraction(accuracy)) ** 2 * kept
    return all_of(
        [
            ("lines, squared", at_most(thinned.size**2, most, trivial=kept**2)),
            ("points", at_least(kept, share * (q * q + q + 1))),
            ("error", at_most(thinned.value, error(accuracy))),
        ]
    )
