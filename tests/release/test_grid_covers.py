"""Covers of halfspaces, boxes and intervals, compared with enumerations on small grids."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

from ccsim.budget import Budget, OutOfTimeError
from ccsim.classes import boxes, halfspaces, intervals
from ccsim.classes.families.dichotomies import dichotomies
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.release.queries import grid_covers
from ccsim.release.queries.covers import ThresholdCover
from ccsim.release.queries.grid_covers import (
    BoxCover,
    HalfspaceCover,
    box_subsets,
    distinct_columns,
    separable_subsets,
)
from ccsim.release.queries.public_data import release_queries
from tests.release.test_covers import assert_is_cover

GRID = tuple(product(range(4), repeat=2))
SAMPLES = (
    ((1, 1),),
    ((0, 0), (3, 3)),
    ((0, 0), (1, 1), (2, 2), (3, 3)),  # on one line
    ((0, 1), (1, 1), (2, 1), (1, 3), (1, 1)),
    ((0, 0), (0, 3), (3, 0), (3, 3), (1, 2)),
    tuple(product(range(3), repeat=2)),
    GRID,
)


def cut_off_by_lines(points):
    """Return the subsets that halfspaces cut off, from directions between pairs of grid points.

    A halfspace can be rotated and shifted until its border contains grid points, so that small
    normals, and thresholds with a lexicographic tie-break in either direction, give all subsets.
    """
    found = set()
    for a, b in product(range(-3, 4), repeat=2):
        for c, d in product(range(-1, 2), repeat=2):  # an infinitesimal second normal
            order = sorted(points, key=lambda p: (a * p[0] + b * p[1], c * p[0] + d * p[1]))
            keys = [(a * p[0] + b * p[1], c * p[0] + d * p[1]) for p in order]
            for i in range(len(order) + 1):
                if 0 < i < len(order) and keys[i - 1] == keys[i]:
                    continue
                found.add(frozenset(order[i:]))
    return found


def cut_off_by_boxes(points, side):
    found = set()
    for s, t in product(product(range(side), repeat=len(points[0])), repeat=2):
        found.add(
            frozenset(
                p for p in points if all(a <= x <= b for a, x, b in zip(s, p, t, strict=True))
            )
        )
    return found


@pytest.mark.parametrize("points", SAMPLES)
def test_numbers_of_subsets_on_the_grid_of_16_points(points) -> None:
    lines, corners = cut_off_by_lines(sorted(set(points))), cut_off_by_boxes(points, 4)
    assert separable_subsets(points) == len(lines)
    assert HalfspaceCover((4, 4), points).concepts == len(lines)
    assert box_subsets(points) == len(corners | {frozenset()})
    assert BoxCover((4, 4), points).concepts == len(corners | {frozenset()})


def test_all_points_give_the_whole_class() -> None:
    assert separable_subsets(GRID) == len(halfspaces(2, 2)) == 174
    assert box_subsets(GRID) == len(boxes(2, 2)) == 101
    cube = tuple(product(range(3), repeat=3))
    assert box_subsets(cube) == len(cut_off_by_boxes(cube, 3)) == 6**3 + 1
    assert BoxCover((3, 3, 3), cube).concepts == 217
    corners = tuple(product(range(2), repeat=3))
    assert HalfspaceCover((2, 2, 2), corners).concepts == len(halfspaces(1, 3)) == 104


def test_every_set_of_up_to_four_points_of_a_small_grid() -> None:
    grid = tuple(product(range(3), repeat=2))
    for size in range(1, 5):
        for points in combinations(grid, size):
            assert separable_subsets(points) == len(cut_off_by_lines(points))
            assert box_subsets(points) == len(cut_off_by_boxes(points, 3) | {frozenset()})


def test_points_in_general_position_in_space_are_counted_exactly() -> None:
    tetrahedron = [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2)]
    for size in range(1, 5):
        assert separable_subsets(tetrahedron[:size] * 2) == 2**size
    assert separable_subsets([*tetrahedron, (1, 1, 1)]) == 2**5 - 2


def halfspace_sign(concept, point):
    *weights, threshold = concept
    coordinates = point if isinstance(point, tuple) else (point,)
    value = sum(w * x for w, x in zip(weights, coordinates, strict=True))
    return 1 if value >= threshold else -1


def box_sign(concept, point):
    coordinates = point if isinstance(point, tuple) else (point,)
    held = concept and all(s <= x <= t for x, (s, t) in zip(coordinates, concept, strict=True))
    return 1 if held else -1


@pytest.mark.parametrize("points", SAMPLES)
def test_covers_of_halfspaces_by_definition(points) -> None:
    """Strict dichotomies of all grid points are all halfspaces of the grid."""
    all_of_them = HalfspaceCover((4, 4), GRID).kept
    assert_is_cover(HalfspaceCover((4, 4), points), GRID, all_of_them, halfspace_sign)


@pytest.mark.parametrize("points", SAMPLES)
def test_covers_of_boxes_by_definition(points) -> None:
    ends = [(s, t) for s in range(4) for t in range(s, 4)]
    all_of_them = [(), *product(ends, repeat=2)]
    assert_is_cover(BoxCover((4, 4), points), GRID, all_of_them, box_sign)


def test_covers_of_intervals_and_halflines_by_definition() -> None:
    ends = [(), *(((s, t),) for s in range(5) for t in range(s, 5))]
    lines = [(1, t) for t in range(6)] + [(-1, -t) for t in range(-1, 5)]
    for size in (1, 2, 3):
        for points in combinations_with_replacement(range(5), size):
            k = len(set(points))
            cover = BoxCover((5,), points)
            assert cover.concepts == k * (k + 1) // 2 + 1
            assert_is_cover(cover, range(5), ends, box_sign)
            assert HalfspaceCover((5,), points).concepts == 2 * k
            assert ThresholdCover(4, points).concepts == k + 1
            assert_is_cover(HalfspaceCover((5,), points), range(5), lines, halfspace_sign)
    assert len(intervals(5)) == box_subsets([(x,) for x in range(5)])


def test_every_random_halfspace_has_a_projection() -> None:
    """A search through pairs of points with jitter misses dichotomies of points on few lines."""
    rng = np.random.default_rng(3)
    public = tuple((int(x), int(x) * k % 64) for k in (1, 2, 5) for x in rng.integers(64, size=25))
    cover = HalfspaceCover((64, 64), public)
    assert cover.concepts == separable_subsets(public) < 75 * 74
    for a, b, x, y in rng.integers(-64, 64, size=(300, 4)).tolist():
        query = (a, b, Fraction(a * x + b * y, 3))
        kept = cover.kept[cover.project(query)]
        assert all(halfspace_sign(query, w) == halfspace_sign(kept, w) for w in public)


def test_long_sides_cost_nothing() -> None:
    end = 2**64 - 1
    cover = BoxCover((2**64, 2**64), ((0, end), (5, 2**40), (end, 0)))
    assert cover.concepts == 1 + 3 + 2 + 1
    assert cover.project(((1, end), (0, 2**50))) == cover.project(((5, end), (0, 2**40)))
    assert cover.counts([(0, end), (4, end), (end, end)]).sum() == 3


def test_cells_of_a_table_stop_when_all_differ() -> None:
    rng = np.random.default_rng(0)
    table = rng.integers(2, size=(90, 30)) > 0
    table[:, 17] = table[:, 4]
    columns = [tuple(column) for column in table.T]
    cells = distinct_columns(30, (table[i : i + 40] for i in range(0, 90, 40)))
    assert [columns[i] for i in cells.first] == list(dict.fromkeys(columns))
    assert [columns[cells.first[c]] for c in cells.number] == columns

    def asked_once():
        yield (np.arange(8) >> np.arange(3)[:, None]) & 1 > 0
        pytest.fail("all columns differ already")

    assert distinct_columns(8, asked_once()).first.tolist() == list(range(8))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: HalfspaceCover((4, 4), ()), "public sample must have at least one record"),
        (lambda: HalfspaceCover((4, 4), ((0, 4),)), "public point must be a point of the grid 4 x"),
        (
            lambda: HalfspaceCover((4, 0), ((0, 0),)),
            r"must be one or more integers of at least 1, not \(4, 0\)",
        ),
        (lambda: HalfspaceCover((4, 4), ((0, 1),)).cell((0, 9)), "record must be a point of the"),
        (
            lambda: HalfspaceCover((4, 4), ((0, 1),)).project((1, 2)),
            "list of 2 exact weights",
        ),
        (
            lambda: HalfspaceCover((4, 4), ((0, 1),)).project((0.5, 1, 2)),
            "list of 2 exact weights",
        ),
        (lambda: BoxCover((4, 4), ()), "public sample must have at least one record"),
        (lambda: BoxCover((4, 4), ((0, True),)), r"public\[0\]\[1\] must be an integer, not True"),
        (lambda: BoxCover((4,), (4,)), "public point must be a point of the grid 4"),
        (lambda: BoxCover((4, 4), ((0, 1),)).counts([(0, -1)]), "record must be a point of the"),
        (
            lambda: BoxCover((4, 4), ((0, 1),)).project(((0, 1),)),
            "list of 2 pairs of int",
        ),
        (
            lambda: BoxCover((4,), (1,)).project((0, 1)),
            "list of 1 pairs of integers",
        ),
        (
            lambda: distinct_columns(0, ()),
            "the number of points must be between 1 and 4194304, not 0",
        ),
        (lambda: distinct_columns((1 << 22) + 1, ()), "between 1 and 4194304, not 4194305"),
        (lambda: separable_subsets([]), "there must be at least one point"),
        (lambda: box_subsets([]), "there must be at least one point"),
    ],
)
def test_refusals(make, words) -> None:
    with pytest.raises(DomainError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_large_covers_are_refused_before_they_are_built(monkeypatch) -> None:
    rng = np.random.default_rng(1)
    public = tuple((int(x), int(y)) for x, y in rng.integers(1000, size=(250, 2)))
    words = f"{separable_subsets(public)} concepts times 1000000 cells"
    with pytest.raises(InstanceTooLargeError, match=words):
        HalfspaceCover((1000, 1000), public)
    monkeypatch.setattr("ccsim.release.queries.covers.MAX_ENTRIES", 1000)
    with pytest.raises(InstanceTooLargeError, match=f"{box_subsets(public[:20])} concepts times"):
        BoxCover((1000, 1000), public[:20])


def test_public_points_pay_where_records_are_concentrated() -> None:
    """Records lie in few cells of a large grid, which points independent of them cover badly."""
    rng, side = np.random.default_rng(8), 64
    at = np.arange(side)
    near = np.exp(-((at - 44) ** 2) / 4.0)[:, None] * np.exp(-((at - 19) ** 2) / 4.0)
    distribution = 0.9 * near / near.sum() + 0.1 / side**2

    def drawn(chances, size):
        chosen = rng.choice(side * side, size=size, p=chances.ravel())
        return tuple((int(x), int(y)) for x, y in zip(*np.divmod(chosen, side), strict=True))

    cover = HalfspaceCover((side, side), drawn(distribution, 100))
    apart = HalfspaceCover((side, side), drawn(np.full((side, side), side**-2.0), 100))
    private = drawn(distribution, 3000)
    queries = [(a, b, a * 44 + b * y) for a, b in ((1, 0), (3, 2), (-1, 2)) for y in range(15, 24)]
    true = [
        sum(
            halfspace_sign(h, (x, y)) * distribution[x, y] for x in range(side) for y in range(side)
        )
        for h in queries
    ]

    def worst(release):
        return max(abs(release.answer(h) - t) for h, t in zip(queries, true, strict=True))

    helped = release_queries(cover, private, 1, "1/1000000", rng)
    alone = release_queries(apart, private, 1, "1/1000000", rng, method="private")
    assert 1.4 * worst(helped) < worst(alone)
    masses = np.zeros(cover.cells)
    every = [(x, y) for x in range(side) for y in range(side)]
    np.add.at(masses, [cover.cell(point) for point in every], distribution.ravel())
    assert np.abs(np.array(helped.answers) - cover.sums(masses)).max() < 0.2


@pytest.mark.parametrize("looks", [1, 40, 70])
def test_looking_for_dichotomies_ends_with_the_time_that_is_heard(looks):
    ticks = iter(range(10**6))
    budget = Budget(looks, clock=lambda: next(ticks))  # each look is a second
    with budget, budget.heard(), pytest.raises(OutOfTimeError):
        dichotomies([(*point, 1) for point in product(range(8), repeat=2)])
    assert next(ticks) < looks + 10


def test_weights_that_may_overflow_on_the_grid_are_refused(monkeypatch):
    """A sum of weights times coordinates is at most the largest weight times 1 + 8 + 8."""
    public = ((0, 0), (3, 5), (7, 2))
    largest = max(abs(w) for kept in HalfspaceCover((8, 8), public).kept for w in kept)
    monkeypatch.setattr(grid_covers, "_LARGEST", largest * 17 + 1)
    HalfspaceCover((8, 8), public)
    monkeypatch.setattr(grid_covers, "_LARGEST", largest * 17)
    with pytest.raises(InstanceTooLargeError, match="must fit 64 bits"):
        HalfspaceCover((8, 8), public)
