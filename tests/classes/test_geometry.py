"""The geometric families, compared with definitions, independent oracles and published counts."""

import re
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, gcd, prod

import numpy as np
import pytest

from ccsim.budget import Budget
from ccsim.classes import (
    ConceptClass,
    balls,
    boxes,
    halfspaces,
    intervals,
    lines,
    polynomials,
    unions,
)
from ccsim.classes.families.dichotomies import _proved, cover_bound, dichotomies
from ccsim.classes.families.grids import (
    balls_on_grid,
    boxes_on_grid,
    grid_points,
    halfspaces_on_grid,
)
from ccsim.dimensions import dual_vc_dimension, littlestone_dimension, vc_dimension
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.instances import parse_class
from ccsim.programs.game import solve_matrix_game

GRIDS = [(1,), (3,), (2, 2), (1, 3), (2, 3), (2, 2, 2)]


def is_realisable(vectors, positive):
    """Decide whether some w is positive on exactly the given vectors and negative on the others."""
    signed = [v if positive >> i & 1 else [-a for a in v] for i, v in enumerate(vectors)]
    rows = [[sign * v[c] for v in signed] for c in range(len(vectors[0])) for sign in (1, -1)]
    return solve_matrix_game(rows).value > 0


@cache
def chambers(lines_):
    """Return the number of chambers of an arrangement, by deletion and restriction (Zaslavsky)."""
    if not lines_:
        return 1
    first, *rest = sorted(lines_)
    pivot = next(c for c, a in enumerate(first) if a)
    quotient = [
        [first[pivot] * a - v[pivot] * b for a, b in zip(v, first, strict=True)] for v in rest
    ]
    return chambers(frozenset(rest)) + chambers(as_lines(quotient))


def as_lines(vectors):
    primitive = [tuple(a // gcd(*v) for a in v) for v in vectors]
    return frozenset(max(v, tuple(-a for a in v)) for v in primitive)


def affine(sides):
    return [(*x, 1) for x in grid_points(sides)]


def paraboloid(sides):
    lifted = [(1, *x, -sum(a * a for a in x)) for x in grid_points(sides)]
    return [*lifted, (*[0] * (len(sides) + 1), 1)]


def numbers(text):
    return [Fraction(part) for part in re.findall(r"-?\d+(?:/\d+)?", text)]


def mask(points, member):
    return sum(1 << i for i, x in enumerate(points) if member(x))


def halfspace_of(label, points):
    *weights, threshold = numbers(label)
    return mask(points, lambda x: sum(map(prod, zip(weights, x, strict=True))) >= threshold)


def ball_of(label, points):
    if label == "empty":
        return 0
    centre, radius = label.removeprefix("centre ").split(" radius^2 ")
    c = numbers(centre)
    return mask(
        points, lambda x: sum((a - b) ** 2 for a, b in zip(c, x, strict=True)) <= Fraction(radius)
    )


def symmetries(sides):
    """Yield an order of coordinates, the reflected axes, and the permutation of points."""
    points = grid_points(sides)
    for order in permutations(range(len(sides))):
        if all(sides[i] == n for i, n in zip(order, sides, strict=True)):
            for flips in product((0, 1), repeat=len(sides)):
                moved = [
                    tuple(
                        sides[i] - 1 - x[i] if flip else x[i]
                        for i, flip in zip(order, flips, strict=True)
                    )
                    for x in points
                ]
                yield order, flips, [points.index(x) for x in moved]


def permuted(row, where):
    return sum(1 << j for i, j in enumerate(where) if row >> i & 1)


# Dichotomies


@pytest.mark.parametrize("seed", range(40))
def test_dichotomies_are_the_realisable_sign_patterns(seed):
    rng = np.random.default_rng(seed)
    count, length = int(rng.integers(1, 7)), int(rng.integers(1, 5))
    drawn = rng.integers(-2, 3, size=(count, length)).tolist()
    vectors = [v if any(v) else [1] * length for v in drawn]
    found = dichotomies(vectors)
    assert [d.positive for d in found] == [
        row for row in range(1 << count) if is_realisable(vectors, row)
    ]
    for d in found:
        values = [sum(a * b for a, b in zip(d.weights, v, strict=True)) for v in vectors]
        assert 0 not in values
        assert mask(values, lambda value: value > 0) == d.positive
        assert gcd(*d.weights) == 1
    assert len(found) == chambers(as_lines(vectors))


@pytest.mark.parametrize(("count", "rank"), [(1, 1), (5, 2), (6, 3), (8, 4), (5, 5)])
def test_cover_bound_is_reached_in_general_position(count, rank):
    moments = [tuple(t**i for i in range(rank)) for t in range(count)]
    assert len(dichotomies(moments)) == cover_bound(count, rank)


@pytest.mark.parametrize("vectors", [[], [(0, 0)], [(1, 0), (1,)], [(1,), (0,)]])
def test_dichotomies_refuse_zero_and_ragged_vectors(vectors):
    with pytest.raises(DomainError, match="at least one vector, all nonzero and of equal"):
        dichotomies(vectors)


def test_weights_that_prove_another_dichotomy_are_rejected():
    matrix = np.array([(0, 1), (1, 1), (2, 1)])
    assert [d.positive for d in _proved(matrix, [4], np.array([(2, -3)]), Budget())] == [4]
    for row, weights in [(6, (2, -3)), (4, (1, -1)), (4, (-2, 3))]:
        with pytest.raises(CertificateError, match=rf"dichotomy {row}: the weights .* do not"):
            list(_proved(matrix, [row], np.array([weights]), Budget()))


def test_dichotomies_refuse_determinants_beyond_64_bits():
    with pytest.raises(InstanceTooLargeError, match=r"determinants may reach \d+; the limit"):
        dichotomies([(1 << 20, 1), (1, 1 << 20)])


# Boxes, unions, curves


@pytest.mark.parametrize("sides", [*GRIDS, (4, 4), (3, 1, 2)])
def test_boxes_are_what_their_corners_say_and_all_of_them(sides):
    C = boxes_on_grid(sides)
    points = grid_points(sides)
    expected = {"empty": 0}
    for s, t in product(points, repeat=2):
        if all(a <= b for a, b in zip(s, t, strict=True)):
            label = "x".join(f"[{a},{b}]" for a, b in zip(s, t, strict=True))
            expected[label] = mask(
                points,
                lambda x, s=s, t=t: all(a <= y <= b for a, y, b in zip(s, x, t, strict=True)),
            )
    assert dict(zip(C.concepts, C.rows, strict=True)) == expected
    assert len(C) == prod(n * (n + 1) // 2 for n in sides) + 1


@pytest.mark.parametrize("b", range(5))
def test_boxes_in_dimension_one_are_the_intervals(b):
    assert boxes(b, 1) == intervals(2**b)


@pytest.mark.parametrize(("n", "k"), [(0, 0), (0, 2), (1, 1), (5, 0), (5, 2), (6, 3), (7, 9)])
def test_unions_are_the_sets_with_at_most_k_runs(n, k):
    C = unions(n, k)

    def runs(row):
        return (row & ~(row << 1)).bit_count()

    assert sorted(C.rows) == [row for row in range(1 << n) if runs(row) <= k]
    for label, row in zip(C.concepts, C.rows, strict=True):
        parts = [] if label == "empty" else [numbers(part) for part in label.split("+")]
        assert len(parts) == runs(row)
        assert mask(range(n), lambda x, parts=parts: any(i <= x <= j for i, j in parts)) == row


def test_unions_of_one_interval_are_the_intervals_and_two_on_24_points_are_12951():
    assert unions(9, 1) == intervals(9)
    assert len(unions(24, 2)) == 12951 == 1 + comb(25, 2) + comb(25, 4)


@pytest.mark.parametrize(("p", "k"), [(2, 1), (2, 2), (3, 3), (5, 2), (5, 3)])
def test_curves_hold_the_points_that_satisfy_their_equation(p, k):
    C = polynomials(p, k)
    powers = [f"x^{i}" for i in range(k)]
    powers[:2] = ["", "x"][:k]
    for coefficients in product(range(p), repeat=k):
        label = "+".join(f"{a}{x}" for a, x in zip(coefficients, reversed(powers), strict=True))
        row = C.rows[C.concepts.index(label)]
        assert [divmod(i, p) for i in range(p * p) if row >> i & 1] == [
            (x, sum(a * x**i for i, a in enumerate(reversed(coefficients))) % p) for x in range(p)
        ]
    assert len(C) == p**k


def test_curves_of_degree_one_are_the_lines_and_quadratics_over_z_17_are_4913():
    assert polynomials(5, 2) == lines(5)
    C = polynomials(17, 3)
    assert (len(C), len(C.points)) == (4913, 289)


def test_different_curves_meet_in_fewer_than_k_points():
    rows = polynomials(5, 3).rows
    assert max((f & g).bit_count() for f in rows[:25] for g in rows if f != g) == 2


# Halfspaces


@pytest.mark.parametrize(
    ("sides", "count"),
    [
        ((2,), 4),
        ((2, 2), 14),
        ((2, 2, 2), 104),
        ((2, 2, 2, 2), 1882),
        ((3, 3), 58),
        ((4, 4), 174),
        ((3, 3, 3), 2702),
        *(((n,), 2 * n) for n in (1, 3, 4, 8, 16)),
    ],
)
def test_halfspaces_number_as_published_and_as_zaslavsky_counts(sides, count):
    assert len(halfspaces_on_grid(sides)) == count == chambers(as_lines(affine(sides)))


@pytest.mark.slow
def test_halfspaces_on_the_cube_of_dimension_five_are_94572():
    C = halfspaces(1, 5)
    assert len(C) == 94572 == chambers(as_lines(affine((2,) * 5)))
    points = grid_points((2,) * 5)
    assert all(halfspace_of(C.concepts[i], points) == C.rows[i] for i in range(0, len(C), 97))


@pytest.mark.parametrize("sides", GRIDS)
def test_halfspaces_are_the_separable_sets(sides):
    vectors = affine(sides)
    assert list(halfspaces_on_grid(sides).rows) == [
        row for row in range(1 << len(vectors)) if is_realisable(vectors, row)
    ]


@pytest.mark.parametrize("sides", [*GRIDS, (4, 4), (3, 3, 3), (2, 2, 2, 2)])
def test_halfspaces_are_what_their_labels_say(sides):
    C = halfspaces_on_grid(sides)
    points = grid_points(sides)
    assert [halfspace_of(label, points) for label in C.concepts] == list(C.rows)


@pytest.mark.parametrize("sides", [*GRIDS, (4, 4), (2, 2, 2, 2)])
def test_complements_of_halfspaces_are_halfspaces(sides):
    rows = set(halfspaces_on_grid(sides).rows)
    full = (1 << prod(sides)) - 1
    assert {full ^ row for row in rows} == rows


@pytest.mark.parametrize("sides", [(3,), (2, 2), (3, 3), (2, 3), (2, 2, 2)])
def test_weights_are_as_symmetric_as_the_grid(sides):
    C = halfspaces_on_grid(sides)
    weights = {row: numbers(label)[:-1] for row, label in zip(C.rows, C.concepts, strict=True)}
    for order, flips, where in symmetries(sides):
        for row, w in weights.items():
            moved = [0] * len(w)
            for axis, (i, flip) in enumerate(zip(order, flips, strict=True)):
                moved[axis] = -w[i] if flip else w[i]
            assert weights[permuted(row, where)] == moved


# Balls


@pytest.mark.parametrize(
    ("sides", "count"),
    [
        ((2, 2), 14),
        ((2, 2, 2), 104),
        ((3, 3), 108),
        ((4, 4), 524),
        *(((n,), n * (n + 1) // 2 + 1) for n in (1, 2, 3, 4, 8, 16)),
    ],
)
def test_balls_number_as_published_and_as_zaslavsky_counts(sides, count):
    assert len(balls_on_grid(sides)) == count
    assert 2 * count == chambers(as_lines(paraboloid(sides)))


@pytest.mark.parametrize("sides", [*GRIDS, (5,), (3, 3)])
def test_balls_are_the_sets_that_a_paraboloid_separates(sides):
    vectors = paraboloid(sides)
    infinity = 1 << len(vectors) - 1
    found = set(balls_on_grid(sides).rows)
    rng = np.random.default_rng(5)
    rows = (
        range(infinity) if infinity <= 256 else [int(i) for i in rng.integers(infinity, size=200)]
    )
    for row in rows:
        assert is_realisable(vectors, row | infinity) == (row in found)


@pytest.mark.parametrize("sides", [*GRIDS, (4, 4), (3, 3, 2)])
def test_balls_are_what_their_labels_say(sides):
    C = balls_on_grid(sides)
    points = grid_points(sides)
    assert [ball_of(label, points) for label in C.concepts] == list(C.rows)


@pytest.mark.parametrize("sides", [(4,), (3, 3), (4, 4), (3, 3, 2)])
def test_balls_of_random_centres_are_found(sides):
    found = set(balls_on_grid(sides).rows)
    points = np.array(grid_points(sides))
    rng = np.random.default_rng(11)
    for _ in range(500):
        scale = int(rng.integers(1, 9))
        centre = rng.integers(-20 * scale, 20 * scale, size=len(sides))
        distances = ((scale * points - centre) ** 2).sum(axis=1).tolist()
        for radius in (-1, *distances):
            assert mask(distances, lambda r, radius=radius: r <= radius) in found


@pytest.mark.parametrize("sides", [*GRIDS, (4, 4), (3, 3, 3)])
def test_balls_hold_the_halfspaces_and_the_single_points(sides):
    found = set(balls_on_grid(sides).rows)
    assert found >= {0, *halfspaces_on_grid(sides).rows, *(1 << i for i in range(prod(sides)))}


@pytest.mark.parametrize("d", range(1, 5))
def test_balls_on_the_cube_are_its_halfspaces(d):
    assert balls(1, d).rows == halfspaces(1, d).rows


def test_balls_on_a_line_are_the_intervals():
    for n in range(1, 12):
        assert set(balls_on_grid((n,)).rows) == set(intervals(n).rows)


@pytest.mark.parametrize("family", [balls_on_grid, halfspaces_on_grid, boxes_on_grid])
@pytest.mark.parametrize("sides", [(3, 3), (2, 3), (2, 2, 2)])
def test_symmetries_of_the_grid_permute_the_concepts(family, sides):
    rows = set(family(sides).rows)
    for _, _, where in symmetries(sides):
        assert {permuted(row, where) for row in rows} == rows


@pytest.mark.parametrize("family", [balls_on_grid, halfspaces_on_grid, boxes_on_grid])
@pytest.mark.parametrize(
    ("large", "small"), [((4, 4), (3, 3)), ((3, 2, 2), (2, 2, 2)), ((4,), (2,))]
)
def test_concepts_of_a_part_of_the_grid_are_restrictions(family, large, small):
    points = grid_points(large)
    part = family(large).project([points.index(x) for x in grid_points(small)])
    assert set(part.rows) == set(family(small).rows)


# Dimensions of the catalogue


@pytest.mark.parametrize(
    ("C", "vc", "littlestone"),
    [
        *((boxes(1, d), max(d, 2), d + 1) for d in range(1, 6)),
        (boxes(2, 1), 2, 3),
        (boxes(3, 1), 2, 4),
        (boxes_on_grid((3, 3)), 4, 4),
        (boxes(2, 2), 4, 6),
        (halfspaces(1, 1), 2, 2),
        (halfspaces(2, 1), 2, 3),
        (halfspaces_on_grid((3,)), 2, 2),
        (halfspaces(1, 2), 3, 3),
        (halfspaces(1, 3), 4, 6),
        (halfspaces_on_grid((3, 3)), 3, 5),
        (halfspaces(2, 2), 3, 7),
        (balls_on_grid((2,)), 2, 2),
        (balls_on_grid((3,)), 2, 2),
        (balls(2, 1), 2, 3),
        (balls(1, 2), 3, 3),
        (balls(1, 3), 4, 6),
        (balls_on_grid((3, 3)), 3, 6),
        (balls(2, 2), 3, 8),
        (polynomials(5, 2), 2, 2),
    ],
    ids=lambda value: value.name if isinstance(value, ConceptClass) else str(value),
)
def test_dimensions_are_those_of_the_catalogue(C, vc, littlestone):
    assert vc_dimension(C).value == vc
    assert littlestone_dimension(C).value == littlestone


@pytest.mark.parametrize(
    ("C", "dual"),
    [
        (boxes(1, 2), 2),
        (boxes(1, 3), 3),
        (boxes_on_grid((3, 3)), 2),
        (halfspaces(1, 2), 2),
        (halfspaces(1, 3), 3),
        (halfspaces_on_grid((3, 3)), 2),
        (balls_on_grid((3, 3)), 3),
        (balls(1, 3), 3),
    ],
    ids=lambda value: value.name if isinstance(value, ConceptClass) else str(value),
)
def test_dual_dimensions_are_those_of_the_catalogue(C, dual):
    assert dual_vc_dimension(C).value == dual


@pytest.mark.slow
def test_dimensions_of_halfspaces_on_the_cube_of_dimension_four():
    C = halfspaces(1, 4)
    assert vc_dimension(C).value == 5
    assert littlestone_dimension(C).value == 9


# Names, labels, refusals


@pytest.mark.parametrize(
    ("text", "concepts", "points"),
    [
        ("boxes:b=1,d=3", 28, 8),
        ("boxes:b=2,d=2", 101, 16),
        ("halfspaces:b=2,d=2", 174, 16),
        ("halfspaces:b=0,d=3", 2, 1),
        ("balls:b=2,d=2", 524, 16),
        ("balls:b=0,d=1", 2, 1),
        ("unions:n=10,k=2", 386, 10),
        ("polynomials:p=3,k=3", 27, 9),
    ],
)
def test_instances_name_the_families(text, concepts, points):
    C = parse_class(text)
    assert (C.name, len(C), len(C.points), C.merged) == (text, concepts, points, 0)


@pytest.mark.parametrize("family", [boxes, halfspaces, balls])
def test_points_are_labelled_by_their_coordinates(family):
    assert family(2, 1).points == (0, 1, 2, 3)
    assert family(1, 2).points == ("(0,0)", "(0,1)", "(1,0)", "(1,1)")


@pytest.mark.parametrize("family", [boxes_on_grid, halfspaces_on_grid, balls_on_grid])
def test_grids_of_other_shapes_have_a_name(family):
    assert family((2, 3)).name == f"{family.__name__.removesuffix('_on_grid')} on 2x3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("boxes:b=-1,d=2", "boxes: b must be at least 0, not -1"),
        ("halfspaces:b=1,d=0", "halfspaces: d must be at least 1, not 0"),
        ("unions:n=-1,k=2", "unions: n and k must be at least 0, not -1 and 2"),
        ("unions:n=3,k=-1", "unions: n and k must be at least 0, not 3 and -1"),
        ("polynomials:p=6,k=2", "polynomials: p must be a prime, not 6"),
        ("polynomials:p=1,k=1", "polynomials: p must be a prime, not 1"),
        ("polynomials:p=3,k=0", "polynomials: k must be between 1 and p = 3, not 0"),
        ("polynomials:p=3,k=4", "polynomials: k must be between 1 and p = 3, not 4"),
        ("polynomials:p=-3,k=1", "polynomials: p must be a prime, not -3"),
    ],
)
def test_parameters_outside_their_domain_are_named(text, message):
    with pytest.raises(DomainError, match=f"^{re.escape(message)}$"):
        parse_class(text)


@pytest.mark.parametrize("family", [boxes_on_grid, halfspaces_on_grid, balls_on_grid])
@pytest.mark.parametrize("sides", [(), (2, 0)])
def test_grids_without_points_are_refused(family, sides):
    with pytest.raises(DomainError, match="sides must be one or more integers of at least 1, not "):
        family(sides)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("boxes:b=3,d=4", "boxes:b=3,d=4 has 1679617 x 4096 entries; the limit is 67108864 in all"),
        (
            "boxes:b=14,d=2",
            "boxes: the grid has 2**28 points; the limit is 67108864 entries in all",
        ),
        ("boxes:b=63,d=1", "boxes: b must be at most 62, not 63"),
        ("balls:b=0,d=63", "balls: d must be at most 62, not 63"),
        ("halfspaces:b=1,d=6", "halfspaces:b=1,d=6 may have 151223522 x 64 entries; the limit"),
        ("halfspaces:b=5,d=2", "halfspaces:b=5,d=2 may have 1047554 x 1024 entries; the limit"),
        ("balls:b=9,d=1", "balls:b=9,d=1 may have 131329 x 512 entries; the limit is 67108864"),
        ("balls:b=4,d=2", "balls:b=4,d=2 may have 2796417 x 256 entries; the limit is 67108864"),
        ("unions:n=64,k=9", "unions:n=64,k=9 has "),
        ("unions:n=999999999,k=999999", "unions:n=999999999,k=999999 has "),
        ("polynomials:p=17,k=6", "polynomials:p=17,k=6 has 24137569 x 289 entries; the limit is"),
        ("polynomials:p=1000003,k=999999", "polynomials:p=1000003,k=999999 has "),
    ],
)
def test_classes_above_the_limit_are_refused_before_any_work(text, message):
    with pytest.raises(InstanceTooLargeError, match=f"^{re.escape(message)}"):
        parse_class(text)
