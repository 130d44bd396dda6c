"""The query complexity against its definition, closed forms, and relations to dimensions."""

import random
from itertools import count, product
from math import ceil, log2

import pytest

from ccsim import littlestone_dimension, query_complexity, teaching_dimension
from ccsim.budget import Budget
from ccsim.classes import (
    ConceptClass,
    all_functions,
    intervals,
    parities,
    points,
    random_class,
    thresholds,
)
from ccsim.dimensions.queries import QUERIES
from ccsim.errors import DomainError
from tests.truth.queries import fewest_queries

WITH_EQUIVALENCE = [queries for queries in QUERIES if "equivalence" in queries]


def class_of(rows, width):
    return ConceptClass.from_matrix([*rows], points=range(width))


def proved(C, queries):
    result = query_complexity(C, queries)
    result.check()
    return result.value


@pytest.mark.parametrize("queries", QUERIES)
@pytest.mark.parametrize("width", [0, 1, 2, 3])
def test_all_classes_on_few_points_have_the_complexity_of_the_definition(queries, width):
    every = [*map("".join, product("01", repeat=width))]
    for number in range(1 << len(every)):
        rows = [row for i, row in enumerate(every) if number >> i & 1]
        assert proved(class_of(rows, width), queries) == fewest_queries(rows, width, queries)


@pytest.mark.parametrize("queries", QUERIES)
def test_random_classes_on_four_points_have_the_complexity_of_the_definition(queries):
    rng = random.Random(1)  # noqa: S311 - a seed, not a secret
    every = [*map("".join, product("01", repeat=4))]
    for _ in range(60):
        rows = rng.sample(every, rng.randint(1, 16))
        assert proved(class_of(rows, 4), queries) == fewest_queries(rows, 4, queries)


@pytest.mark.slow
@pytest.mark.parametrize("queries", QUERIES)
def test_more_classes_on_four_points_have_the_complexity_of_the_definition(queries):
    rng = random.Random(2)  # noqa: S311 - a seed, not a secret
    every = [*map("".join, product("01", repeat=4))]
    for _ in range(300):
        rows = rng.sample(every, rng.randint(1, 16))
        assert proved(class_of(rows, 4), queries) == fewest_queries(rows, 4, queries)


@pytest.mark.parametrize(
    ("C", "expected"),
    [
        (points(3), (7, 1, 7, 1, 7)),
        (thresholds(4), (4, 4, 4, 4, 4)),
        (parities(3), (3, 3, 3, 3, 3)),
        (parities(4), (4, 4, 4, 4, 4)),
        (all_functions(4), (4, 4, 4, 4, 4)),
        (ConceptClass.from_rows([0, *(1 << i for i in range(9))], range(9)), (9, 1, 1, 1, 1)),
    ],
    ids=["points", "thresholds", "parities 3", "parities 4", "functions", "points and empty"],
)
def test_families_have_known_complexities(C, expected):
    assert tuple(proved(C, queries) for queries in QUERIES) == expected


def test_intervals_of_length_one_or_none_must_be_asked_one_by_one():
    for n in range(1, 8):
        assert proved(intervals(n), "membership") == n


def test_a_class_needs_fewer_queries_of_both_kinds_than_its_littlestone_dimension():
    values = [proved("some_functions:n=4,chosen=36375", queries) for queries in QUERIES]
    assert dict(zip(QUERIES, values, strict=True)) == {
        "membership": 3,
        "equivalence": 3,
        "proper equivalence": 3,
        "membership and equivalence": 2,
        "membership and proper equivalence": 2,
    }


@pytest.mark.parametrize(
    ("rows", "queries", "value"),
    [
        (["0001", "0011", "0100", "1000"], "membership", 2),
        (["000", "001", "010", "100"], "membership", 3),
        (["000", "001", "010", "100"], "proper equivalence", 1),
        (["001", "010", "100"], "proper equivalence", 2),
    ],
)
def test_examples_of_the_combinatorial_parameters_database(rows, queries, value):
    assert proved(rows, queries) == value


def test_equivalence_queries_with_any_hypotheses_are_the_littlestone_dimension():
    for seed in range(20):
        C = random_class(3 + seed, 5 + seed % 4, seed)
        assert proved(C, "equivalence") == littlestone_dimension(C).value


def test_complexities_are_ordered_and_bounded():
    for seed in range(20):
        C = random_class(2 + seed, 5 + seed % 3, seed)
        membership, equivalence, proper, both, both_proper = (proved(C, q) for q in QUERIES)
        assert both <= both_proper <= min(membership, proper)
        assert both <= equivalence <= proper <= len(C) - 1
        assert membership >= max(ceil(log2(len(C))), teaching_dimension(C).value)


def test_exchanging_labels_and_points_changes_no_complexity():
    for seed in range(10):
        C = random_class(9, 5, seed)
        moved = [row[::-1].translate({48: "1", 49: "0"}) for row in C.to_json()["rows"]]
        for queries in QUERIES:
            assert query_complexity(moved, queries).value == query_complexity(C, queries).value


def left_by(C, first):
    """Return the numbers of concepts that are left by the answers to a query."""
    if isinstance(first, int):
        literals = [(first, 0), (first, 1)]
    else:
        literals = [(x, 1 - label) for x, label in enumerate(first)]
    return [sum(C.value(c, x) == b for c in range(len(C))) for x, b in literals]


@pytest.mark.parametrize("queries", QUERIES)
def test_all_answers_to_the_first_query_exclude_concepts(queries):
    for seed in range(10):
        C = random_class(12, 5, seed)
        first = query_complexity(C, queries).first_query
        if first is not None:
            assert isinstance(first, int) <= queries.startswith("membership")
            assert isinstance(first, tuple) <= ("equivalence" in queries)
            assert max(left_by(C, first)) < len(C)


def test_the_first_query_is_proper():
    C = random_class(20, 5, 3)
    first = query_complexity(C, "proper equivalence").first_query
    assert sum(label << x for x, label in enumerate(first)) in C.rows


def test_only_the_named_queries_are_known():
    with pytest.raises(DomainError, match="queries must be one of membership, equivalence, proper"):
        query_complexity(points(2), "subset")


@pytest.mark.parametrize("queries", QUERIES)
def test_without_time_the_bounds_are_proved(queries):
    for C in (random_class(300, 20, 0), intervals(20), class_of([], 2), class_of(["0"], 1)):
        result = query_complexity(C, queries, time_limit=0)
        result.check()
        assert min(len(C), 2) - 1 <= result.lower
        assert result.upper <= len(C) - 1


@pytest.mark.parametrize("queries", QUERIES)
@pytest.mark.parametrize("steps", [2, 10, 100, 1000])
def test_a_stopped_search_returns_proved_bounds(queries, steps):
    C = intervals(8)
    result = query_complexity(C, queries, time_limit=Budget(steps, clock=count().__next__))
    result.check()
    assert result.lower <= query_complexity(C, queries).value <= result.upper


@pytest.mark.parametrize("queries", QUERIES)
def test_the_same_class_has_the_same_certificate_and_progress(queries):
    C, told = random_class(25, 6, 4), []
    result = query_complexity(C, queries, progress=lambda *bounds: told.append(bounds))
    assert result.certificate().to_json() == query_complexity(C, queries).certificate().to_json()
    assert told[-1] == (result.value, result.value)
    assert all(lower <= result.value <= upper for lower, upper in told)
