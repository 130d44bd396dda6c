"""The families of classes and problems, compared with their definitions entry by entry."""

from itertools import combinations, product

import pytest

from ccsim.classes import (
    all_functions,
    decision_stumps,
    intervals,
    k_points,
    lines,
    parities,
    points,
    random_class,
    thresholds,
)
from ccsim.communication.problem import (
    augmented_index,
    equality,
    evaluation_problem,
    greater_than,
    index,
)


def values(C):
    return {
        (concept, point): C.value(c, x)
        for c, concept in enumerate(C.concepts)
        for x, point in enumerate(C.points)
    }


def cells(f):
    return {(a, b): f.value(x, y) for x, a in enumerate(f.alice) for y, b in enumerate(f.bob)}


@pytest.mark.parametrize("b", range(5))
def test_points_are_the_indicators_of_single_points(b):
    n = 2**b
    assert values(points(b)) == {(c, x): int(c == x) for c in range(n) for x in range(n)}


@pytest.mark.parametrize("b", range(5))
def test_thresholds_are_one_from_their_place_on(b):
    n = 2**b
    assert values(thresholds(b)) == {(c, x): int(x >= c) for c in range(n) for x in range(n)}


@pytest.mark.parametrize("n", range(7))
def test_intervals_are_all_intervals_with_the_empty_one_once(n):
    C = intervals(n)
    sets = [frozenset(x for x in range(n) if C.value(c, x)) for c in range(len(C))]
    assert dict(zip(C.concepts, sets, strict=True)) == {
        "empty": frozenset(),
        **{f"[{i},{j}]": frozenset(range(i, j + 1)) for j in range(n) for i in range(j + 1)},
    }


@pytest.mark.parametrize("p", [2, 3, 5])
def test_lines_contain_the_points_that_satisfy_their_equation(p):
    C = lines(p)
    field = range(p)
    assert values(C) == {
        (f"{a}x+{b}", f"({x},{y})"): int(y == (a * x + b) % p)
        for a, b, x, y in product(field, repeat=4)
    }
    assert len(C) == p * p


@pytest.mark.parametrize(("b", "k"), [(1, 0), (2, 1), (2, 2), (2, 4), (3, 3)])
def test_k_points_are_the_indicators_of_all_subsets_of_size_k(b, k):
    C = k_points(b, k)
    subsets = [tuple(x for x in C.points if C.value(c, x)) for c in range(len(C))]
    assert subsets == list(combinations(range(2**b), k))


@pytest.mark.parametrize("p", range(5))
def test_decision_stumps_are_the_coordinates(p):
    assert values(decision_stumps(p)) == {
        (i, "".join(x)): int(x[i]) for i in range(p) for x in product("01", repeat=p)
    }


@pytest.mark.parametrize("n", range(5))
def test_parities_are_the_inner_products_modulo_two(n):
    strings = list(product("01", repeat=n))
    assert values(parities(n)) == {
        ("".join(w), "".join(x)): sum(i == j == "1" for i, j in zip(w, x, strict=True)) % 2
        for w in strings
        for x in strings
    }


@pytest.mark.parametrize("n", range(6))
def test_all_functions_are_all_and_labelled_by_their_values(n):
    C = all_functions(n)
    assert sorted(C.concepts) == sorted("".join(f) for f in product("01", repeat=n))
    assert values(C) == {(f, x): int(f[x]) for f in C.concepts for x in range(n)}


@pytest.mark.parametrize(("m", "n"), [(0, 3), (1, 0), (8, 3), (5, 24), (5, 25), (7, 40)])
def test_random_class_has_distinct_rows_and_is_decided_by_its_seed(m, n):
    C = random_class(m, n, seed=7)
    assert len(set(C.rows)) == len(C) == m
    assert len(C.points) == n
    assert random_class(m, n, seed=7) == C
    if 1 < m < 2**n:
        assert random_class(m, n, seed=8) != C


@pytest.mark.parametrize("n", range(1, 6))
def test_equality_and_greater_than_compare_numbers(n):
    pairs = list(product(range(n), repeat=2))
    assert cells(equality(n)) == {(x, y): int(x == y) for x, y in pairs}
    assert cells(greater_than(n)) == {(x, y): int(x > y) for x, y in pairs}


@pytest.mark.parametrize("d", range(1, 5))
def test_index_asks_for_one_bit(d):
    strings = ["".join(x) for x in product("01", repeat=d)]
    assert cells(index(d)) == {(x, i): int(x[i - 1]) for x in strings for i in range(1, d + 1)}


@pytest.mark.parametrize("d", range(1, 5))
def test_augmented_index_promises_that_bob_knows_the_prefix(d):
    def value(x, i, prefix):
        return int(x[i - 1]) if x[: i - 1] == prefix else None

    strings = ["".join(x) for x in product("01", repeat=d)]
    assert cells(augmented_index(d)) == {
        (x, f"{i}:{''.join(prefix)}"): value(x, i, "".join(prefix))
        for x in strings
        for i in range(1, d + 1)
        for prefix in product("01", repeat=i - 1)
    }


def test_evaluation_problem_has_the_labels_of_the_class():
    C = lines(3)
    assert cells(evaluation_problem(C)) == values(C)
    assert evaluation_problem(C).name == "Eval(lines:p=3)"
