"""Searches and proofs of VC dimensions: counting rows, and vectors with the right signs."""

import json
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

from ccsim import kernel, native
from ccsim.budget import Budget, OutOfTimeError, OutOfWorkError
from ccsim.classes import ConceptClass, halfspaces, intervals, lines, random_class, thresholds
from ccsim.classes.concept_class import columns
from ccsim.classes.families.grids import balls_on_grid, boxes_on_grid, halfspaces_on_grid
from ccsim.dimensions import dual_vc_dimension, vc_dimension
from ccsim.dimensions.shattering import growing
from ccsim.dimensions.shattering.bound import ShatteringBound
from ccsim.dimensions.shattering.growing import counting_search, trace_search
from ccsim.dimensions.shattering.search import _Search
from ccsim.dimensions.shattering.signs import fitted, realisation
from ccsim.errors import CertificateError
from tests.small_classes import random_classes
from tests.strategies import budgets


@pytest.fixture(params=["c", "python"])
def engine(request, monkeypatch):
    """Run a test with the steps in C and in Python."""
    if request.param == "python":
        monkeypatch.setattr(native, "engine", lambda: None)
    elif native.engine() is None:
        pytest.skip("there is no engine in C")


def shattered_sets(bits, size):
    """Return all shattered sets of columns, by their labellings."""
    return {
        chosen
        for chosen in combinations(range(bits.shape[1]), size)
        if len({tuple(row) for row in bits[:, chosen].tolist()}) == 1 << size
    }


def masks(bits):
    return [sum(int(b) << i for i, b in enumerate(column)) for column in bits.T]


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("height", [3, 40, 64, 65])
def test_counting_finds_exactly_the_sizes_that_the_definition_finds(height):
    rng = np.random.default_rng(height)
    for density in (0.1, 0.3, 0.5):
        bits = np.unique(rng.random((height, 9)) < density, axis=0)
        for size in (1, 2, 3, 4, 5):
            known = shattered_sets(bits, size)
            found = counting_search(masks(bits), len(bits), size).find(Budget())
            assert found in known if known else found is None


def moved(C, turn):
    """Return the columns of a class over a circle, rotated."""
    width = len(C.points)
    return tuple((x + turn) % width for x in range(width))


@pytest.mark.usefixtures("engine")
def test_counting_up_to_symmetry_finds_the_same_sizes():
    rng = np.random.default_rng(1)
    for _ in range(20):
        width = int(rng.integers(4, 9))
        some = rng.integers(1 << width, size=3).tolist()
        rows = {(r << i | r >> width - i) & (1 << width) - 1 for r in some for i in range(width)}
        C = ConceptClass.from_rows(sorted(rows), range(width))
        bits = np.array([[row >> x & 1 for x in range(width)] for row in C.rows])
        for size in (1, 2, 3, 4):
            search = counting_search(columns(C), len(C), size, [moved(C, 1)])
            found, known = search.find(Budget()), shattered_sets(bits, size)
            assert found in known if known else found is None


@pytest.mark.usefixtures("engine")
def test_counting_spends_and_stops():
    C = random_class(200, 40, seed=1)
    with pytest.raises(OutOfWorkError):
        counting_search(columns(C), len(C), 7).find(Budget().share(work=1000))
    with pytest.raises(OutOfTimeError):
        counting_search(columns(C), len(C), 7).find(Budget(0))


@pytest.mark.skipif(native.engine() is None, reason="there is no engine in C")
@pytest.mark.parametrize("seed", range(8))
def test_both_forms_of_the_steps_find_the_same_sets_with_the_same_work(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    height, width = int(rng.integers(1, 140)), int(rng.integers(1, 80))
    bits = rng.random((height, width)) < rng.choice([0.05, 0.3, 0.5, 0.9], width)
    bits = np.unique(bits, axis=0)
    rows, across = masks(bits.T), masks(bits)

    def answers():
        for size in (1, 2, 3, 4):
            for search in (
                counting_search(across, len(rows), size),
                trace_search(rows, width, size),
                counting_search(across, len(rows), size, [range(width)]),
                trace_search(rows, width, size, [range(width)]),
            ):
                yield search.find(Budget()), search.work

    in_c = list(answers())
    monkeypatch.setattr(native, "engine", lambda: None)
    assert list(answers()) == in_c


@pytest.mark.parametrize("size", [3, 4])
def test_steps_that_pause_go_on_where_they_stopped(monkeypatch, size):
    C = random_class(40, 12, seed=6)
    whole = [counting_search(columns(C), len(C), size), trace_search(C.rows, 12, size)]
    found = [search.find(Budget()) for search in whole]
    monkeypatch.setattr(growing, "_SLICE", 1)
    assert counting_search(columns(C), len(C), size).find(Budget()) == found[0]
    assert trace_search(C.rows, 12, size).find(Budget()) == found[1]


@pytest.mark.parametrize("remaining", [None, 3])
def test_a_dimension_is_found_without_the_engine(monkeypatch, remaining):
    C = random_class(100, 30, seed=2)
    with_engine = vc_dimension(C)
    monkeypatch.setattr(native, "engine", lambda: None)
    result = vc_dimension(C, time_limit=remaining)
    assert result.lower <= 5 <= result.upper
    result.check()
    assert not result.exact or result.certificate().to_json() == with_engine.certificate().to_json()


def checked(result):
    """Return the certificate after the kernel accepts it and rejects it with a smaller bound."""
    data = json.loads(result.certificate().to_json())
    kernel.check(data)
    lower = json.loads(json.dumps(data))
    lower["statement"]["upper"] -= 1
    with pytest.raises(kernel.Rejected):
        kernel.check(lower)
    return data


@pytest.mark.parametrize("solve", [vc_dimension, dual_vc_dimension])
def test_every_class_is_proved_by_counting(solve):
    for C in random_classes(60, seed=31):
        result = solve(C)
        counted = replace(result, bound=ShatteringBound("counting"))
        counted.check()
        if result.value > 0:
            low = replace(
                counted,
                lower=result.value - 1,
                upper=result.value - 1,
                shattered=result.shattered[:-1],
                realising=result.realising[: len(result.realising) // 2],
            )
            with pytest.raises(CertificateError, match="shattered"):
                low.check()


@pytest.mark.parametrize("solve", [vc_dimension, dual_vc_dimension])
def test_what_is_listed_first_is_what_the_other_searches_find(solve, monkeypatch):
    """Both the proof of the listing and the shortest proof found afterwards are tried."""
    place = "ccsim.dimensions.shattering"
    classes = [*random_classes(40, seed=41), lines(5), halfspaces_on_grid((3, 4)), intervals(9)]
    for C in classes:
        plain = solve(C)
        monkeypatch.setattr(f"{place}.growing._ENTRIES", 1)
        for long, per_row in ((1, 1), (0, 1), (0, 0)):
            monkeypatch.setattr(f"{place}.search._LONG", long)
            monkeypatch.setattr(f"{place}.search._PER_ROW", per_row)
            monkeypatch.setattr(f"{place}.search._PER_ENTRY", 0)
            result = solve(C)
            assert (result.lower, result.upper) == (plain.value, plain.value)
            result.check()
        monkeypatch.undo()


def test_the_listing_gives_up_and_is_gone_on_with(monkeypatch):
    place = "ccsim.dimensions.shattering.growing"
    monkeypatch.setattr(f"{place}._ENTRIES", 1)
    for seconds in (1e-7, 1e-6, 1e-5, 1e-4):
        monkeypatch.setattr(f"{place}._SECONDS", seconds)
        for C, value in ((lines(5), 2), (random_class(60, 12, seed=1), 4)):
            assert vc_dimension(C).value == value


def test_random_concepts_are_proved_by_counting():
    """Also for sparse concepts, for points as well as concepts, and for sets of all sizes."""
    for density, seed in product((0.1, 0.3, 0.5), range(2)):
        bits = np.unique(np.random.default_rng(seed).random((90, 14)) < density, axis=0)
        C = ConceptClass.from_matrix(bits.astype(int).tolist())
        for result, whole in ((vc_dimension(C), bits), (dual_vc_dimension(C), bits.T)):
            table = np.unique(whole, axis=0)
            if table.shape[1] < 20:
                assert shattered_sets(table, result.value)
                assert not shattered_sets(table, result.value + 1)
            assert result.bound.method in ("counting", "size")
            checked(result)


def test_symmetries_of_wide_tables_are_used(monkeypatch):
    monkeypatch.setattr("ccsim.dimensions.shattering.search._LONG", 0)
    rng, width = np.random.default_rng(3), 40
    rows = set()
    for _ in range(5):
        r = int("".join(rng.choice(["0", "1"], width)), 2)
        rows |= {(r << i | r >> width - i) & (1 << width) - 1 for i in range(width)}
    result = vc_dimension(ConceptClass.from_rows(sorted(rows), range(width)))
    assert result.bound.method == "counting"
    assert result.bound.symmetries
    data = checked(result)
    first = data["upper"]["counting"]["symmetries"][0]
    first["columns"] = first["columns"][1:] + first["columns"][:1]
    with pytest.raises(kernel.Rejected, match="must be mapped to those of column"):
        kernel.check(data)


PLANE = [
    (balls_on_grid((4, 4)), 3, 3),
    (halfspaces_on_grid((5, 5)), 3, 2),
    (halfspaces_on_grid((3, 3, 2)), 4, 3),
    (thresholds(3), 1, 1),
    (intervals(6), 2, 2),
]


@pytest.mark.parametrize(("C", "points", "concepts"), PLANE, ids=str)
def test_realisations_have_the_labels_as_signs(C, points, concepts):
    """The bounds that follow are proved, and here they equal the dimension."""
    found = realisation(C, Budget())
    product_of = lambda u, v: sum(a * b for a, b in zip(u, v, strict=True))  # noqa: E731
    for c, w in enumerate(found.concepts):
        for x, v in enumerate(found.points):
            assert product_of(v, w) != 0
            assert (product_of(v, w) > 0) == C.value(c, x)
    for positive, vectors in (
        (found.with_points, found.points),
        (found.with_concepts, found.concepts),
    ):
        assert not positive or all(product_of(positive, v) > 0 for v in vectors)
    size = len(found.points[0])
    by_points = ShatteringBound("signs", (), (), found.points, found.concepts, found.with_concepts)
    by_concepts = ShatteringBound("signs", (), (), found.concepts, found.points, found.with_points)
    vc, dual = vc_dimension(C), dual_vc_dimension(C)
    assert (vc.value, dual.value) == (points, concepts)
    for result, bound in ((vc, by_points), (dual, by_concepts)):
        upper = size - bool(bound.positive)
        assert upper >= result.value
        checked(replace(result, upper=upper, bound=bound))


@pytest.mark.parametrize("C", [lines(3), boxes_on_grid((3, 3)), random_class(20, 5, seed=1)])
def test_other_classes_have_no_realisation(C):
    assert realisation(C, Budget()) is None


def test_classes_without_places_are_not_taken_for_balls():
    C = halfspaces(1, 3)
    renamed = ConceptClass.from_rows(C.rows, [f"p{x}" for x in range(8)])
    assert realisation(C, Budget()) is not None
    assert realisation(renamed, Budget()) is None


@pytest.mark.parametrize("is_affine", [False, True])
def test_vectors_are_fitted_to_tables_of_low_rank(is_affine):
    """Halfspaces of dimension 3 shatter no four points; nor do affine ones of dimension 4."""
    random_vectors = np.random.default_rng(7)
    u, v = (random_vectors.standard_normal((m, 3 + is_affine)) for m in (120, 40))
    if is_affine:
        u[:, 0] = 1
    C = ConceptClass.from_matrix((u @ v.T > 0).astype(int).tolist())
    found = fitted(C, 4, Budget())
    bound = ShatteringBound("signs", (), (), found.points, found.concepts, found.with_concepts)
    data = checked(replace(vc_dimension(C), upper=3, bound=bound))
    data["upper"]["signs"]["positive"] = [-n for n in found.with_concepts]
    with pytest.raises(kernel.Rejected, match="must be above 0"):
        kernel.check(data)
    assert fitted(C, 3, Budget()) is None


@pytest.mark.parametrize("solve", [vc_dimension, dual_vc_dimension])
def test_geometric_tables_without_places_are_decided_by_vectors(solve):
    """For balls on a grid without coordinates, four shattered points are excluded at once."""
    centres, grid = product(range(16), repeat=2), list(product(range(0, 16, 2), repeat=2))
    distances = [[(x - a) ** 2 + (y - b) ** 2 for x, y in grid] for a, b in centres]
    rows = {tuple(int(d <= r) for d in ds) for ds in distances for r in ds}
    result = solve(ConceptClass.from_matrix(sorted(rows)))
    assert (result.value, result.bound.method) == (3, "signs")
    data = checked(result)
    vectors = data["upper"]["signs"]["rows"]
    vectors[5], vectors[7] = vectors[7], vectors[5]
    with pytest.raises(kernel.Rejected, match="must be positive exactly where its label is 1"):
        kernel.check(data)


def test_symmetries_of_tables_with_64_lines_shorten_proofs():
    """Disjunctions of two terms of two literals of six bits: on 64 points, and dually on 2323."""
    words = list(product((0, 1), repeat=6))
    literals = [(i, b) for i in range(6) for b in (0, 1)]
    terms = [
        sum(1 << x for x, w in enumerate(words) if w[i] == b and w[j] == c)
        for (i, b), (j, c) in combinations_with_replacement(literals, 2)
        if i != j or b == c
    ]
    C = ConceptClass.from_rows(sorted({s | t for s in terms for t in terms}), range(64))
    result = vc_dimension(C)
    assert (result.value, result.bound.method) == (8, "counting")
    data = checked(result)
    symmetries = data["upper"]["counting"]["symmetries"]
    assert len(symmetries) >= 5
    columns = symmetries[0]["columns"]
    columns[0], columns[1] = columns[1], columns[0]
    with pytest.raises(kernel.Rejected):
        kernel.check(data)


def test_symmetries_of_a_wide_table_are_those_of_the_tall_one(monkeypatch):
    monkeypatch.setattr("ccsim.dimensions.shattering.search._FEW_ENTRIES", 0)
    wide = boxes_on_grid((4, 4)).dual()
    search = _Search(wide, Budget())
    found = search._all_symmetries()
    assert found
    for symmetry in found:
        symmetry.verify(wide.rows, len(wide.points))


@pytest.mark.parametrize("solve", [vc_dimension, dual_vc_dimension])
def test_large_classes_of_balls_are_decided_by_signs(solve, monkeypatch):
    for name in ("_PER_ROW", "_PER_ENTRY"):
        monkeypatch.setattr(f"ccsim.dimensions.shattering.search.{name}", 0)
    C = balls_on_grid((5, 5))
    result = solve(C)
    assert (result.value, result.bound.method) == (3, "signs")
    data = checked(result)
    data["upper"]["signs"]["rows"][5], data["upper"]["signs"]["rows"][7] = (
        data["upper"]["signs"]["rows"][7],
        data["upper"]["signs"]["rows"][5],
    )
    with pytest.raises(kernel.Rejected, match="must be positive exactly where its label is 1"):
        kernel.check(data)


def test_signs_of_a_dual_with_equal_points_are_proved():
    """Equal columns of the class are one row of the dual."""
    C = balls_on_grid((4, 4))
    twice = [row | (row >> 5 & 1) << 16 for row in C.rows]
    D = ConceptClass.from_rows(twice, [*C.points, "(1,1) again"])
    plain = dual_vc_dimension(C)
    found = realisation(C, Budget())
    bound = ShatteringBound("signs", (), (), found.concepts, found.points, found.with_points)
    again = bound.renamed(range(16), [(5, 16)])
    assert again.rows[16] == found.points[5]
    checked(replace(plain, concept_class=D, upper=3, bound=again))


@pytest.mark.parametrize("solve", [vc_dimension, dual_vc_dimension])
def test_limits_leave_bounds_that_are_proved(solve, monkeypatch):
    monkeypatch.setattr("ccsim.dimensions.shattering.search._FIRST_WORK", 1)
    for C in (random_class(40, 9, seed=5), balls_on_grid((3, 3)), lines(3)):
        value = solve(C).value
        for budget in budgets():
            result = solve(C, time_limit=budget)
            assert result.lower <= value <= result.upper
            kernel.check(json.loads(result.certificate().to_json()))
            if result.exact:
                break
        assert result.value == value
