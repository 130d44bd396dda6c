"""Section 2.1: representative points for all points with equal labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from ccsim import ConceptClass, representative_domain
from ccsim.dimensions import RepresentativeDomain
from ccsim.instances import parse_class
from ccsim.release.queries.grid_covers import HalfspaceCover, Number
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal, holds
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.variants import near, plus


def _power_of_two(hypotheses: int) -> int:
    return 1 << hypotheses


@claim(
    "pap/def-2",
    "Definition 2",
    "Points with the same labels have one representative",
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
        near("The size is at most 2^|H| - 1.", most=plus(-1)),
        near("Every point represents only itself.", representative=lambda _, x: x),
        near("The first point represents all points.", representative=lambda D, _: D.points[0]),
    ],
)
def representatives(
    instance: str,
    *,
    most: Callable[[int], int] = _power_of_two,
    representative: Callable[[RepresentativeDomain, int], int] = lambda D, x: D.representatives[x],
) -> Decision:
    """A representative domain has one point of each class of points on which all hypotheses agree;
    its size is at most 2^|H|."""
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
    """Return m thresholds on a line with points in every gap and at every threshold."""
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
        near("The domain has M points.", size=plus(-1)),
        near("The domain has M + 2 points.", size=plus(1)),
    ],
    uses=["pap/def-2"],
)
def threshold_example(m: int, *, size: Callable[[int], int] = lambda m: m + 1) -> Decision:
    """A representative domain of M thresholds on the line has M + 1 points."""
    return equal(len(recheck(representative_domain(_line(m)))), size(m))


Point = tuple[int, ...]
Line = tuple[int, int, int]


def _borders(halfspaces: Iterable[Sequence[Number]]) -> set[Line]:
    """Return the distinct lines ``a x + b y = c`` that bound halfspaces ``w x >= t``.

    With ``c = 2 t - 1`` and doubled weights, no grid point lies on a line.
    """
    lines = set()
    for halfspace in halfspaces:
        a, b, t = (int(w) for w in halfspace)
        if a or b:
            line = (2 * a, 2 * b, 2 * t - 1)
            lines.add(max(line, (-line[0], -line[1], -line[2])))
    return lines


def _crossed(line: Line, p: Point, q: Point) -> bool:
    """Whether a line intersects the segment between two points."""
    a, b, c = line
    step = a * (q[0] - p[0]) + b * (q[1] - p[1])
    return step != 0 and 0 < Fraction(c - a * p[0] - b * p[1], step) < 1


def _cells_with_points(lines: set[Line], grid_points: Sequence[Point]) -> int:
    """Count the cells that contain a grid point; points that no line separates are in one cell."""
    first: list[Point] = []
    for point in grid_points:
        if all(any(_crossed(line, point, other) for line in lines) for other in first):
            first.append(point)
    return len(first)


def _all_cells(lines: set[Line], _: Sequence[Point]) -> int:
    """Count the cells of the arrangement in the plane, by its points of intersection."""
    meeting: dict[tuple[Fraction, Fraction], set[Line]] = {}
    for one, other in combinations(sorted(lines), 2):
        (a, b, c), (d, e, f) = one, other
        if det := a * e - b * d:
            place = Fraction(c * e - b * f, det), Fraction(a * f - c * d, det)
            meeting.setdefault(place, set()).update((one, other))
    return 1 + len(lines) + sum(len(through) - 1 for through in meeting.values())


@claim(
    "pap/halfspace-cells",
    "section 2.1, Figure 1",
    "Halfspaces have a representative in each cell that contains a point",
    Kind.REMARK,
    over=grid(side=[2, 3], public=[1, 2, 3]).medium(side=[4]),
    near=near("The domain has one point for each cell of the arrangement.", cells=_all_cells),
    uses=["pap/def-2"],
)
def halfspace_cells(
    side: int,
    public: int,
    *,
    cells: Callable[[set[Line], Sequence[Point]], int] = _cells_with_points,
) -> Decision:
    """A representative domain of a class of halfspaces over a grid has one point of each cell of
    the arrangement of their boundaries that contains a point of the grid. The same holds for the
    cover given by public points, for all sets of the given number of points. (Cells without a point
    of the domain have no representative; the paper's domain is the plane.)"""
    points = list(product(range(side), repeat=2))

    def cases() -> Iterator[tuple[object, Decision]]:
        for sample in combinations(points, public):
            cover = HalfspaceCover((side, side), sample)
            rows = [[int(a * x + b * y >= t) for x, y in points] for a, b, t in cover.kept]
            C = ConceptClass.from_matrix(rows)
            stated = cells(_borders(cover.kept), points)
            yield sample, equal(len(recheck(representative_domain(C))), stated)
            yield (sample, "cover"), equal(cover.cells, stated)

    return all_of(cases())
