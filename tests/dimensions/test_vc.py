"""VC and dual VC dimension against the definition of shattering."""

import itertools
import json
import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from ccsim import kernel
from ccsim.budget import Budget, OutOfTimeError
from ccsim.classes import (
    ConceptClass,
    all_functions,
    decision_stumps,
    halfspaces,
    intervals,
    k_points,
    lines,
    parities,
    points,
    random_class,
    thresholds,
)
from ccsim.dimensions import (
    dimensions,
    dual_vc_dimension,
    littlestone_dimension,
    threshold_dimension,
    vc_dimension,
)
from ccsim.dimensions.shattering.bound import ShatteringBound
from ccsim.dimensions.shattering.growing import trace_search
from ccsim.dimensions.shattering.search import _Search
from ccsim.errors import CertificateError, NotDecidedError
from tests.small_classes import EMPTY, NO_POINTS, random_classes
from tests.strategies import budgets


def matrix_of(C):
    return [[C.value(c, x) for x in range(len(C.points))] for c in range(len(C))]


def test_dual_vc_of_40_point_intervals_is_two():
    assert dual_vc_dimension(intervals(40)).value == 2
    assert vc_dimension(intervals(40)).value == 2
    dual_vc_dimension(intervals(40)).check()


@pytest.mark.parametrize(
    ("C", "value"),
    [(thresholds(10), 1), (intervals(100), 2), (lines(11), 2), (parities(8), 8)],
    ids=lambda C: getattr(C, "name", ""),
)
def test_vc_of_large_classes_is_known_and_proved(C, value):
    result = vc_dimension(C)
    assert result.value == value
    result.check()


@pytest.mark.parametrize("copies", [2, 3])
def test_copies_and_complements_of_columns_change_neither_dimension(copies):
    for C in random_classes(40, seed=10):
        wide = [row + [1 - v for v in row] * (copies - 1) for row in matrix_of(C)]
        W = ConceptClass.from_matrix(wide)
        assert vc_dimension(W).value == vc_dimension(C).value
        vc_dimension(W).check()


def with_size(result, size):
    """Return the result with both bounds set to `size`, and its shattered set truncated."""
    return replace(
        result,
        lower=size,
        upper=size,
        shattered=result.shattered[: max(size, 0)],
        realising=result.realising[: 1 << size if size >= 0 else 0],
        bound=replace(result.bound, method="extension", edges=()),
    )


def test_random_class_of_300_concepts_has_vc_seven():
    result = vc_dimension(random_class(300, 20, seed=0))
    assert result.value == 7
    result.check()
    rejected(with_size(result, 6), "are shattered")


def test_vc_of_the_dual_is_the_dual_vc():
    for C in random_classes(60, seed=4):
        assert vc_dimension(C.dual()).value == dual_vc_dimension(C).value


def test_dual_vc_is_below_two_to_the_vc_plus_one():
    for C in random_classes(60, seed=5):
        assert dual_vc_dimension(C).value < 1 << vc_dimension(C).value + 1


def test_vc_of_a_subclass_is_at_most_that_of_the_class():
    rng = np.random.default_rng(6)
    for C in random_classes(60, seed=6):
        part = C.subclass(rng.permutation(len(C))[: rng.integers(len(C) + 1)].tolist())
        assert vc_dimension(part).value <= vc_dimension(C).value


def test_vc_does_not_change_when_labels_of_points_are_flipped():
    rng = np.random.default_rng(8)
    for C in random_classes(60, seed=8):
        flip = int(rng.integers(1 << len(C.points)))
        flipped = ConceptClass.from_rows([row ^ flip for row in C.rows], C.points)
        assert vc_dimension(flipped).value == vc_dimension(C).value


def test_dual_witness_names_points_of_the_class_where_columns_are_equal():
    C = ConceptClass.from_matrix([[0, 0, 0, 1, 1, 0], [0, 0, 0, 0, 0, 1]])
    result = dual_vc_dimension(C)
    assert (result.value, result.concepts, result.points) == (1, (0,), (0, 3))
    result.check()
    wide = ConceptClass.from_matrix([row * 2 for row in matrix_of(decision_stumps(3))])
    assert dual_vc_dimension(wide).value == 3
    dual_vc_dimension(wide).check()


def test_empty_classes_have_dimension_minus_one():
    assert (vc_dimension(EMPTY).value, dual_vc_dimension(EMPTY).value) == (-1, 0)
    assert (vc_dimension(NO_POINTS).value, dual_vc_dimension(NO_POINTS).value) == (0, -1)
    for C in (EMPTY, NO_POINTS):
        vc_dimension(C).check()
        dual_vc_dimension(C).check()
    assert vc_dimension(EMPTY).certificate().lower == {"trivial": {}}
    assert dual_vc_dimension(NO_POINTS).certificate().lower == {"trivial": {}}


def test_one_concept_has_dimension_zero():
    result = vc_dimension(points(0))
    assert (result.value, result.points, result.concepts) == (0, (), (0,))


def rejected(result, message):
    with pytest.raises(CertificateError, match=message):
        result.check()


def test_raised_value_is_rejected():
    result = vc_dimension(lines(3))
    rejected(replace(result, lower=3, upper=3), "the bound that is proved is 2, not the stated 3")
    dual = dual_vc_dimension(lines(3))
    rejected(replace(dual, lower=3, upper=3), "the bound that is proved is 2, not the stated 3")


def test_lowered_value_is_rejected():
    result = vc_dimension(lines(3))
    rejected(with_size(result, 1), "are shattered")
    cube = with_size(vc_dimension(all_functions(2)), 1)
    rejected(cube, "are shattered")
    rejected(with_size(dual_vc_dimension(lines(3)), 1), "are shattered")
    rejected(with_size(result, -1), "there must be size - 1 labels for size 0")


def test_every_value_that_is_one_too_low_is_rejected():
    for C in random_classes(100, seed=9):
        for result in (vc_dimension(C), dual_vc_dimension(C)):
            v = result.value - 1
            if v >= 0:
                rejected(with_size(result, v), "are shattered")


def test_altered_witness_is_rejected():
    result = vc_dimension(lines(3))
    a, b = result.points
    c, *rest = result.concepts
    for changes, message in (
        ({"shattered": (a, a)}, "an index occurs twice"),
        ({"shattered": (b, a)}, "must be the binary digits of"),
        ({"shattered": (a, 9)}, "must be an index below 9, not 9"),
        ({"realising": (rest[0], c, *rest[1:])}, "must be the binary digits of"),
        ({"realising": (c, *rest[:-1])}, "must have 4 entries, not 3"),
        ({"realising": (c, *rest[:-1], 9)}, "must be an index below 9, not 9"),
    ):
        rejected(replace(result, **changes), message)


def test_rejected_labelling_is_named():
    C = ConceptClass.from_matrix([[0], [1]], points=["p"], concepts=["f", "g"])
    result = replace(vc_dimension(C), realising=(1, 0))
    rejected(result, "row 1 must be the binary digits of")
    dual = dual_vc_dimension(ConceptClass.from_matrix([[0, 1]], points=["p", "q"], concepts=["f"]))
    rejected(
        replace(dual, realising=(1, 0)),
        "row 1 must be the binary digits of",
    )


def test_dimensions_hold_the_three_results_in_one_certificate():
    C = intervals(4)
    result = dimensions(C)
    result.check()
    assert result.concept_class == C
    data = json.loads(result.certificate().to_json())
    kinds = [part["kind"] for part in data]
    assert kinds == ["vc_dimension", "dual_vc_dimension", "littlestone_dimension"]
    assert [part["instance"] for part in data[1:]] == [None, None]
    bounds = [part["statement"] for part in data]
    assert bounds == [{"lower": value, "upper": value} for value in (2, 2, 3)]
    assert data[2]["lower"] == littlestone_dimension(C).certificate().lower
    assert kernel.check(data)
    data[1]["statement"]["upper"] = 1
    with pytest.raises(kernel.Rejected):
        kernel.check(data)


def test_dimensions_of_different_classes_are_rejected():
    mixed = replace(dimensions(lines(3)), littlestone=littlestone_dimension(lines(2)))
    rejected(mixed, "the three results must be about the same class")


@pytest.mark.parametrize("C", [lines(3), parities(3), EMPTY, NO_POINTS], ids=str)
def test_kernel_accepts_both_certificates(C):
    for result in (vc_dimension(C), dual_vc_dimension(C)):
        assert kernel.check(json.loads(result.certificate().to_json()))


def test_bounds_by_size_and_by_a_spanning_tree_are_checked():
    cube = vc_dimension(all_functions(3))
    assert cube.bound.method == "size"
    rejected(
        replace(with_size(cube, 2), bound=cube.bound),
        "the bound that is proved|are shattered|shattered",
    )
    dual = dual_vc_dimension(intervals(20))
    edges = dual.bound.edges
    assert (dual.value, dual.bound.method, len(edges)) == (2, "spanning tree", 19)
    for altered, message in (
        (edges[:-1], "a tree on 20 rows needs 19 edges"),
        ((*edges[:-1], edges[0]), "must reach exactly one new row"),
        ((*edges[:-1], (3, 20)), "must be an index below 20"),
        (tuple((0, x) for x in range(1, 20)), "the bound that is proved is"),
    ):
        rejected(replace(dual, bound=replace(dual.bound, edges=altered)), message)


def altered(result, change):
    data = json.loads(result.certificate().to_json())
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda d: d["upper"]["spanning_tree"]["edges"].pop(),
            "a tree on 20 rows needs 19 edges",
        ),
        (
            lambda d: d["upper"]["spanning_tree"]["edges"].__setitem__(5, [0, 1]),
            "must reach exactly one new row",
        ),
        (
            lambda d: d["statement"].update(upper=3),
            "the bound that is proved is 2, not the stated 3",
        ),
        (
            lambda d: d.update(upper={"extension": {"size": 3, "labels": "0", "symmetries": []}}),
            r"^upper\.extension: there must be size - 1 labels for size 3",
        ),
        (lambda d: d.update(upper={"luck": {}}), "^upper: must be an object with one of the keys"),
    ],
)
def test_kernel_rejects_altered_upper_bounds(change, message):
    result = dual_vc_dimension(intervals(20))
    kernel.check(altered(result, lambda _data: None))
    with pytest.raises(kernel.Rejected, match=message):
        kernel.check(altered(result, change))


def test_a_recomputed_bound_stays_valid():
    for result in (vc_dimension(halfspaces(1, 3)), dual_vc_dimension(intervals(20))):
        size = {"size": result.upper + 1, "labels": "0" * result.upper, "symmetries": []}
        proof = {"extension": size}
        kernel.check(altered(result, lambda data, proof=proof: data.update(upper=proof)))


def in_turn(C):
    """Return the result of the alternating searches, for a class of any size."""
    search = _Search(C, Budget())
    best = ()
    while (found := search.grow_in_turn(len(best) + 1)) is not None:
        best = found
    return best, ShatteringBound("extension", (), search.symmetries)


def test_searches_in_turn_agree_with_the_definition_and_prove_it():
    classes = [*random_classes(60, seed=21), *map(halfspaces, (1, 2, 1), (2, 2, 3)), intervals(6)]
    classes += [k_points(3, 3), lines(5), intervals(70)]
    for C in classes:
        result = vc_dimension(C)
        shattered, bound = in_turn(C)
        assert len(shattered) == result.value, C
        again = replace(result, bound=bound)
        again.check()
        kernel.check(altered(again, lambda _data: None))
        if result.value > 0:
            low = replace(with_size(again, result.value - 1), bound=bound)
            rejected(low, "shattered")
            with pytest.raises(kernel.Rejected, match="shattered"):
                kernel.check(altered(low, lambda _data: None))


def test_symmetries_of_a_bound_are_verified():
    C = halfspaces(1, 3)
    _, bound = in_turn(C)
    result = replace(vc_dimension(C), bound=bound)
    assert bound.symmetries
    data = altered(result, lambda _data: None)
    first = data["upper"]["extension"]["symmetries"][0]
    flips = first["flips"]
    first["flips"] = ("1" if flips[0] == "0" else "0") + flips[1:]
    with pytest.raises(kernel.Rejected, match="must be mapped to those of column"):
        kernel.check(data)
    wrong = replace(bound.symmetries[0], flips=bound.symmetries[0].flips ^ 1)
    broken = replace(bound, symmetries=(wrong, *bound.symmetries[1:]))
    rejected(replace(result, bound=broken), "must be mapped to those of column")


@pytest.mark.parametrize("solve", [vc_dimension, dual_vc_dimension])
def test_stopped_search_states_what_is_proved(solve):
    for C in (intervals(40), random_class(200, 12, seed=1)):
        result = solve(C, time_limit=0)
        full = solve(C)
        assert result.lower <= full.value <= result.upper
        result.check()
        kernel.check(altered(result, lambda _data: None))
        if not result.exact:
            with pytest.raises(NotDecidedError, match=r"VC dimension lies between \d+ and \d+"):
                _ = result.value
            data = altered(result, lambda _data: None)
            data["statement"]["upper"] = result.lower
            with pytest.raises(kernel.Rejected):
                kernel.check(data)


def test_interrupt_stops_a_search_with_a_limit_and_only_that():
    def interrupt(_lower, _upper):
        raise KeyboardInterrupt

    C = intervals(12)
    result = vc_dimension(C, time_limit=1000, progress=interrupt)
    assert (result.lower, result.upper, result.exact) == (2, 5, False)
    result.check()
    with pytest.raises(KeyboardInterrupt):
        vc_dimension(C, progress=interrupt)


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("solve", [vc_dimension, dual_vc_dimension])
def test_bounds_are_proved_at_whatever_step_the_search_is_stopped(solve, listed, monkeypatch):
    if listed:
        monkeypatch.setattr("ccsim.dimensions.shattering.growing._ENTRIES", 1)
        monkeypatch.setattr("ccsim.dimensions.shattering.search._LONG", 0)
    for C in (intervals(6), lines(3), random_class(20, 7, seed=3), halfspaces(2, 2)):
        value = solve(C).value
        for budget in budgets():
            result = solve(C, time_limit=budget)
            assert result.lower <= value <= result.upper
            result.check()
            kernel.check(json.loads(result.certificate().to_json()))
            if result.exact:
                break
        assert result.value == value


@pytest.mark.parametrize("num", [1, 40, 70, 130])
def test_search_by_traces_finds_exactly_the_sizes_that_the_definition_finds(num):
    """Random tables with up to 130 columns, half of them nearly constant."""
    rng = np.random.default_rng(num)
    for height in (1, 9, 33, 60):
        bits = rng.random((height, num)) < rng.choice([0.05, 0.5, 0.9], num)
        rows = [sum(int(b) << x for x, b in enumerate(row)) for row in bits]
        for size in (1, 2, 3):
            known = any(
                len({tuple(row) for row in bits[:, chosen]}) == 1 << size
                for chosen in map(list, combinations(range(min(num, 40)), size))
            )
            found = trace_search(rows, num, size).find(Budget())
            assert found is not None or not known
            if found is not None:
                assert len({tuple(row) for row in bits[:, list(found)]}) == 1 << size


def test_checks_hear_a_limit():
    result = vc_dimension(lines(5))
    assert result.bound.method == "counting"
    with pytest.raises(OutOfTimeError):
        result.check(0)
    result.check(math.inf)


def test_progress_closes_in_from_both_sides():
    told = []
    vc_dimension(halfspaces(1, 3), progress=lambda low, high: told.append((low, high)))
    assert told[-1] == (4, 4)
    assert all(a <= c and d <= b for (a, b), (c, d) in itertools.pairwise(told))


@pytest.mark.slow
def test_vc_of_halfspaces_on_the_5_cube_is_six():
    result = vc_dimension(halfspaces(1, 5))
    assert (result.value, result.bound.method) == (6, "signs")
    kernel.check(altered(result, lambda _data: None))


def test_as_many_crossings_as_labellings_but_one_do_not_exclude_a_shattered_set():
    cube = vc_dimension(all_functions(2))
    path = ShatteringBound("spanning tree", ((0, 1), (1, 3), (3, 2)))
    crossed = [sum((r ^ s) >> x & 1 for r, s in path.edges) for x in range(2)]
    assert 1 + sum(crossed) == 4
    one = replace(with_size(cube, 1), bound=path)
    rejected(one, "the bound that is proved is 2, not the stated 1")
    replace(cube, bound=path).check()


@pytest.mark.parametrize("concepts", [0, 1])
@pytest.mark.parametrize("width", [0, 1, 2])
def test_what_is_empty_has_dimension_minus_one_by_every_definition(concepts, width):
    """Points can shatter concepts only if there are points, and conversely."""
    C = ConceptClass.from_rows(range(concepts), range(width))
    found = dimensions(C)
    assert found.vc.value == found.littlestone.value == threshold_dimension(C).value == concepts - 1
    assert found.dual_vc.value == min(width, 1) - 1 == vc_dimension(C.dual()).value
    threshold_dimension(C).check()
    found.check()
    certificate = json.loads(found.certificate().to_json())
    kernel.check(certificate)
    for number, value in enumerate((concepts - 1, min(width, 1) - 1, concepts - 1)):
        for stated in {-1, 0} - {value}:
            for side in ("lower", "upper"):
                false = json.loads(json.dumps(certificate))
                false[number]["statement"][side] = stated
                with pytest.raises(kernel.Rejected):
                    kernel.check(false)
