"""Fractional partition numbers of powers, against the matrix of the power and the definitions."""

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest

from ccsim import native
from ccsim.budget import Budget, OutOfWorkError
from ccsim.communication import and_power, as_problem
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.measures import fractional_cover_number, fractional_partition_number, heavy_sets
from ccsim.measures.heavy_sets import heavy_sets as listed
from ccsim.measures.power_search import PowerSearch
from ccsim.measures.powers import Power, mean_weights, product_weights, symmetries_of_ones
from ccsim.measures.rectangles import Side
from tests.truth import is_true

DOMINO = ["110", "111", "011"]


def random_rows(seed, height, width):
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    return ["".join(rng.choice("0111") for _ in range(width)) for _ in range(height)]


@pytest.mark.parametrize(
    ("k", "value"),
    [
        (1, Fraction(5, 2)),
        (2, Fraction(6)),
        (3, Fraction(2059, 149)),
        (4, Fraction(62671, 1956)),
    ],
)
def test_small_powers_of_the_domino_matrix(k, value):
    result = fractional_partition_number(DOMINO, power=k)
    assert result.value == value
    result.check()
    assert k == 1 or result.measure == "fractional_partition_of_power"


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("seed", range(12))
def test_squares_agree_with_the_program_of_the_matrix(seed, value):
    height, width = [(2, 2), (2, 3), (3, 2), (3, 3)][seed % 4]
    rows = random_rows(seed, height, width)
    ones = [row if value else row.translate({48: 49, 49: 48}) for row in rows]
    result = fractional_partition_number(rows, value, 2)
    assert result.value == fractional_partition_number(and_power(ones, 2)).value
    result.check()
    assert is_true(result.certificate().to_dict()) is not False


@pytest.mark.parametrize("rows", [["11", "10"], ["10", "01"], ["110", "011"]])
def test_cubes_agree_with_the_program_of_the_matrix(rows):
    result = fractional_partition_number(rows, 1, 3)
    assert result.value == fractional_partition_number(and_power(rows, 3)).value
    result.check()


@pytest.mark.parametrize("rows", [DOMINO, ["111", "110", "101"], ["1101", "0111"]])
def test_cover_numbers_of_powers_are_powers(rows):
    value = fractional_cover_number(rows).value
    assert fractional_cover_number(and_power(rows, 2)).value == value**2


def test_the_check_of_a_power_lists_few_permutations_of_its_coordinates():
    result = fractional_partition_number("equality:n=2", 1, 12)
    assert result.value == 2**12
    result.check()


def test_a_value_without_inputs_needs_no_rectangle():
    result = fractional_partition_number(["11", "11"], 0, 3)
    assert result.value == 0
    result.check()


@pytest.mark.parametrize("limit", [0, 0.05, 0.5])
@pytest.mark.parametrize("k", [3, 6])
def test_bounds_at_a_limit_lie_between_powers_of_covers_and_of_partitions(k, limit):
    result = fractional_partition_number(DOMINO, 1, k, time_limit=limit)
    assert 2**k <= result.lower <= result.upper <= Fraction(5, 2) ** k
    result.check()
    exact = fractional_partition_number(DOMINO, 1, 3).value
    assert k != 3 or result.lower <= exact <= result.upper


def test_a_power_beyond_the_exact_search_has_bounds_with_a_certificate():
    result = fractional_partition_number(DOMINO, 1, 6)
    assert 135 < result.lower < result.upper < Fraction(17458, 100)
    result.check()


def test_powers_that_are_too_large_or_partial_are_refused():
    with pytest.raises(DomainError, match="power must be at least 1, not 0"):
        fractional_partition_number(DOMINO, 1, 0)
    with pytest.raises(DomainError, match=r"power must be 1 for a problem with a promise"):
        fractional_partition_number(["1*", "01"], 1, 2)
    with pytest.raises(InstanceTooLargeError, match="power 4 has 3060 types of inputs"):
        fractional_partition_number(["11111", "01111", "00111", "00011", "00001"], 1, 4)
    with pytest.raises(InstanceTooLargeError, match=r"power 40 has 3\^40 inputs on a side"):
        fractional_partition_number(DOMINO, 1, 40)
    with pytest.raises(InstanceTooLargeError, match="power must be at most 64, not 65"):
        fractional_partition_number("equality:n=2", 1, 65)


@pytest.mark.parametrize("seed", range(20))
def test_symmetries_and_transpositions_are_those_of_the_definition(seed):
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    half = [[rng.randint(0, 1) for _ in range(4)] for _ in range(4)]
    rows = [[half[min(x, y)][max(x, y)] for y in range(4)] for x in range(4)]
    order = rng.sample(range(4), 4)
    matrix = [[rows[x][y] for y in order] for x in range(4)]
    held = [sum(b << y for y, b in enumerate(row)) for row in matrix]
    generators, turned = symmetries_of_ones(held, 4)
    cells = {(x, y) for x, y in product(range(4), repeat=2) if matrix[x][y]}
    assert turned is not None  # the rows in the other order are a symmetric matrix
    assert cells == {(turned[1][y], turned[0][x]) for x, y in cells}
    all_of_them = {
        (g, h)
        for g, h in product(permutations(range(4)), repeat=2)
        if cells == {(g[x], h[y]) for x, y in cells}
    }
    group, left = {(tuple(range(4)), tuple(range(4)))}, [(tuple(range(4)), tuple(range(4)))]
    while left:
        g, h = left.pop()
        for a, b in generators:
            grown = tuple(a[i] for i in g), tuple(b[i] for i in h)
            if grown not in group:
                group.add(grown)
                left.append(grown)
    assert group == all_of_them


@pytest.mark.parametrize("rows", [DOMINO, ["100", "110", "111"], ["1101", "0110", "1011"]])
def test_types_count_the_inputs_of_a_power_and_of_its_rectangles(rows):
    side = Side.of(as_problem(rows), 1)
    power = Power(side, 3, Budget())
    xs, ys = power.transposition or ((), ())
    images = {c: power.class_of[ys[c[1]], xs[c[0]]] for c in power.cells} if xs else {}

    def kind(inputs):
        names = [tuple(sorted(of[c] for c in inputs)) for of in (power.class_of, images) if of]
        return power.types.index(min(names))

    found = Counter(kind(inputs) for inputs in product(power.cells, repeat=3))
    assert [found[i] for i in range(len(power.types))] == power.sizes
    rng, (n, m) = np.random.default_rng(0), (len(side.held), side.width)
    for number, one in enumerate(power.products):
        taken = [rng.random(size) < 0.6 for size in one.types.shape]
        lines = [power.lines(number, side, axis) for axis, side in enumerate(taken)]
        counted = Counter(
            kind([(x // n**i % n, y // m**i % m) for i in range(3)]) for x, y in product(*lines)
        )
        expected = one.counts(*taken).tolist()
        assert {i: count for i, count in enumerate(expected) if count} == dict(counted)


def heavy_by_definition(weights, limit):
    sets = product((0, 1), repeat=len(weights))
    return {rows for rows in sets if np.maximum(np.array(rows) @ weights, 0).sum() > limit}


@pytest.mark.parametrize("engine", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_heavy_sets_are_those_of_the_definition(seed, engine, monkeypatch):
    if not engine:
        monkeypatch.setattr(heavy_sets._LIBRARY, "found", lambda: None)
    rng = np.random.default_rng(seed)
    weights = rng.integers(-9, 8, (int(rng.integers(1, 8)), int(rng.integers(1, 20))))
    limit = int(rng.integers(0, 30))
    alone = np.arange(len(weights), dtype=np.int32)[None]
    found, is_all = listed(weights, alone, limit, 1 << 8, Budget())
    expected = heavy_by_definition(weights, limit)
    assert is_all
    assert {tuple(rows) for rows in found.tolist()} == expected
    some, is_all = listed(weights, alone, limit, 1, Budget())
    assert len(some) == min(1, len(expected))
    assert is_all <= (len(expected) <= 1)


@pytest.mark.parametrize("engine", [True, False])
@pytest.mark.parametrize("k", [2, 3])
def test_one_heavy_set_of_each_orbit_is_listed(k, engine, monkeypatch):
    monkeypatch.setattr(heavy_sets, "_SLICE", 1)  # pauses after every case
    if not engine:
        monkeypatch.setattr(heavy_sets._LIBRARY, "found", lambda: None)
    rng = np.random.default_rng(k)
    words = [*product((0, 1), repeat=k)]
    of = rng.integers(-5, 5, comb(k + 3, 3))
    kinds = [*dict.fromkeys(tuple(sorted(zip(x, y, strict=True))) for x in words for y in words)]
    weights = np.array(
        [[of[kinds.index(tuple(sorted(zip(x, y, strict=True))))] for y in words] for x in words]
    )
    moved = np.array(
        [[words.index(tuple(x[i] for i in g)) for x in words] for g in permutations(range(k))],
        np.int32,
    )
    for limit in (0, 3, 10):
        found, is_all = listed(weights, moved, limit, 1 << 8, Budget())
        expected = {
            max(tuple(rows[i] for i in g) for g in moved.tolist())
            for rows in heavy_by_definition(weights, limit)
        }
        assert is_all
        assert sorted(tuple(rows) for rows in found.tolist()) == sorted(expected)


def test_the_search_for_heavy_sets_stops_at_its_limit_of_work():
    weights = np.random.default_rng(0).integers(-9, 10, (20, 30))
    alone = np.arange(20, dtype=np.int32)[None]
    with pytest.raises(OutOfWorkError):
        listed(weights, alone, 10, 1 << 20, Budget().share(work=1 << 16))


def test_the_certificate_is_the_same_without_the_engine(monkeypatch):
    found = [fractional_partition_number(DOMINO, 1, 3).certificate().to_dict()]
    monkeypatch.setattr(heavy_sets._LIBRARY, "found", lambda: None)
    found.append(fractional_partition_number(DOMINO, 1, 3).certificate().to_dict())
    assert json.dumps(found[0]) == json.dumps(found[1])
    assert native.engine() is None or found


def test_products_of_rectangles_prove_a_power_of_the_partition_number():
    side = Side.of(as_problem(DOMINO), 1)
    power, single = Power(side, 3, Budget()), Power(side, 1, Budget(), turning=False)
    search = PowerSearch(power)
    search.multiply(PowerSearch(single).solve(Budget()), Budget())
    assert search.best.upper == Fraction(5, 2) ** 3


def test_products_of_weights_sum_over_the_choices_of_coordinates():
    side = Side.of(as_problem(DOMINO), 1)
    power, smaller = Power(side, 4, Budget()), Power(side, 2, Budget())
    means, scale = mean_weights(power, {(0, 0): 1, (2, 2): 1, (0, 1): 3})
    assert [Fraction(w, scale) for w in means] == [1, Fraction(3, 4), Fraction(3, 4), 0]
    weights = [*range(-3, 4)]
    by_cell = {
        pair: weights[smaller.types.index(min(ways))]
        for pair in product(power.cells, repeat=2)
        if (ways := [tuple(sorted(of[c] for c in pair)) for of in (power.class_of, flipped(power))])
    }
    found = product_weights(power, means, smaller, weights)
    for cells in product(power.cells, repeat=4):
        kind = min(tuple(sorted(of[c] for c in cells)) for of in (power.class_of, flipped(power)))
        expected = 0
        for i, j in combinations(range(4), 2):
            rest = [power.class_of[cells[n]] for n in range(4) if n not in (i, j)]
            expected += by_cell[cells[i], cells[j]] * means[rest[0]] * means[rest[1]]
        assert found[power.types.index(kind)] == expected


def flipped(power):
    """Return the class of the image of each input under the transposition of the Domino matrix."""
    return {(x, y): power.class_of[y, x] for x, y in power.cells}
