"""Self-directed and offline mistakes against their definitions, closed forms and relations."""

import random
from itertools import count, product

import pytest

from ccsim import (
    littlestone_dimension,
    offline_mistakes,
    self_directed_complexity,
    vc_dimension,
)
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
from ccsim.dimensions.mistakes import ORDERS
from ccsim.errors import DomainError
from tests.truth.mistakes import fewest_in_order, fewest_offline, fewest_self_directed


def self_directed(C, **options):
    return self_directed_complexity(C, **options)


def best(C, **options):
    return offline_mistakes(C, "best", **options)


def worst(C, **options):
    return offline_mistakes(C, "worst", **options)


QUESTIONS = {
    self_directed: fewest_self_directed,
    best: lambda rows, width: fewest_offline(rows, width, "best"),
    worst: lambda rows, width: fewest_offline(rows, width, "worst"),
}


def class_of(rows, width):
    return ConceptClass.from_matrix([*rows], points=range(width))


def proved(question, C):
    result = question(C)
    result.check()
    return result.value


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("width", [0, 1, 2, 3])
def test_all_classes_on_few_points_have_the_value_of_the_definition(question, width):
    every = [*map("".join, product("01", repeat=width))]
    for number in range(1 << len(every)):
        rows = [row for i, row in enumerate(every) if number >> i & 1]
        assert proved(question, class_of(rows, width)) == QUESTIONS[question](rows, width)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("number", [60, pytest.param(300, marks=pytest.mark.slow)])
def test_random_classes_on_four_points_have_the_value_of_the_definition(question, number):
    rng = random.Random(number)  # noqa: S311 - a seed, not a secret
    every = [*map("".join, product("01", repeat=4))]
    for _ in range(number):
        rows = rng.sample(every, rng.randint(1, 16))
        assert proved(question, class_of(rows, 4)) == QUESTIONS[question](rows, 4)


@pytest.mark.parametrize("order", ORDERS)
def test_random_classes_on_five_points_have_the_offline_mistakes_of_the_definition(order):
    kinds = set()
    for seed in range(60):
        C = random_class(6 + seed % 20, 5, seed)
        result = offline_mistakes(C, order)
        result.check()
        assert result.value == fewest_offline(C.to_json()["rows"], 5, order)
        kinds.add(bool(result.entries))
    assert kinds == {False, True}


@pytest.mark.parametrize(
    ("C", "expected"),
    [
        (points(3), (1, 1, 1)),
        (thresholds(4), (1, 1, 4)),
        (parities(3), (3, 3, 3)),
        (all_functions(4), (4, 4, 4)),
        (intervals(6), (2, 2, 4)),
        (ConceptClass.from_rows([0, 7], range(3)), (1, 1, 1)),
    ],
    ids=["points", "thresholds", "parities", "functions", "intervals", "two concepts"],
)
def test_families_have_known_values(C, expected):
    assert tuple(proved(question, C) for question in QUESTIONS) == expected


def test_the_models_are_ordered():
    for seed in range(30):
        C = random_class(4 + seed, 5 + seed % 3, seed)
        fewest, few, many = (proved(question, C) for question in QUESTIONS)
        assert fewest <= few <= many <= littlestone_dimension(C).value
        assert vc_dimension(C).value <= many


def test_orders_have_the_stated_numbers_of_mistakes():
    for seed in range(20):
        C = random_class(12, 6, seed)
        for order in ORDERS:
            result = offline_mistakes(C, order)
            assert sorted(result.points) == list(range(6))
            assert fewest_in_order(C.to_json()["rows"], result.points) == result.value


def test_duplicate_complementary_and_constant_points_change_nothing():
    for seed in range(10):
        C = random_class(12, 5, seed)
        rows = [f"1{row}{row[::-1].translate({48: '1', 49: '0'})}" for row in C.to_json()["rows"]]
        for question in QUESTIONS:
            assert question(rows).value == question(C).value


def test_only_two_orders_are_known():
    with pytest.raises(DomainError, match="order must be best or worst, not 'random'"):
        offline_mistakes(points(2), "random")


@pytest.mark.parametrize("question", QUESTIONS)
def test_without_time_the_bounds_are_proved(question):
    for C in (random_class(300, 20, 0), thresholds(7), class_of([], 2), class_of(["0"], 1)):
        result = question(C, time_limit=0)
        result.check()
        assert min(len(C), 2) - 1 <= result.lower
        assert result.upper <= len(C).bit_length() - 1


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("steps", [2, 10, 100, 1000])
def test_a_stopped_search_returns_proved_bounds(question, steps):
    C = random_class(60, 9, 1)
    result = question(C, time_limit=Budget(steps, clock=count().__next__))
    result.check()
    assert result.lower <= result.upper <= 5


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_class_has_the_same_certificate_and_progress(question):
    C, told = random_class(25, 6, 4), []
    result = question(C, progress=lambda *bounds: told.append(bounds))
    assert result.certificate().to_json() == question(C).certificate().to_json()
    assert told[-1] == (result.value, result.value)
    assert all(lower <= result.value <= upper for lower, upper in told)
