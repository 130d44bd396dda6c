"""Bounds that follow from the theorems about representations and protocols."""

import json
from dataclasses import replace
from itertools import islice

import pytest

from ccsim import kernel
from ccsim.budget import Budget
from ccsim.classes import ConceptClass, all_functions, points, thresholds
from ccsim.communication import communication_complexity
from ccsim.representation import (
    deterministic_representation_size,
    equivalence_table,
    probabilistic_representation_size,
)
from ccsim.representation.equivalence import (
    Inequality,
    Quantity,
    passed_along,
    with_one_set,
    with_private_coins,
    with_public_coins,
)
from tests.strategies import budgets

CHAIN = [Inequality("a", "b", "one", None, None), Inequality("b", "c", "two", None, None)]


def bounds(**ends):
    return [Quantity(name, lower, upper, None) for name, (lower, upper) in ends.items()]


def test_bounds_pass_along_a_chain_and_name_where_they_come_from():
    a, b, c = passed_along(bounds(a=(5, 20), b=(1, 30), c=(2, 8)), CHAIN)
    assert [(q.lower, q.upper) for q in (a, b, c)] == [(5, 8)] * 3
    assert (a.lower_from, a.upper_from) == (None, "b (one)")
    assert (b.lower_from, b.upper_from) == ("a (one)", "c (two)")
    assert (c.lower_from, c.upper_from) == ("b (two)", None)


def test_bounds_that_are_as_good_stay_their_own():
    given = bounds(a=(1, 8), b=(1, 8), c=(3, 9))
    assert passed_along(given, CHAIN) == tuple(given)


def test_nothing_is_passed_where_an_inequality_fails():
    given = bounds(a=(5, 20), b=(1, 30), c=(2, 4))
    assert passed_along(given, CHAIN) == tuple(given)
    assert passed_along(given, []) == tuple(given)


CLASSES = {
    "points": points(2),
    "thresholds": thresholds(2),
    "all functions": all_functions(2),
    "equal columns": ConceptClass.from_matrix([[0, 0, 1], [1, 1, 0], [1, 1, 1]]),
    "one concept": ConceptClass.from_matrix([[0, 1]]),
}


@pytest.mark.parametrize("name", CLASSES)
def test_tables_pass_all_bounds_and_enclose_the_exact_values(name):
    exact = equivalence_table(CLASSES[name], "1/4", "1/4")
    assert all(q.exact for q in exact.quantities)
    passed = 0
    for budget in islice(budgets(), 0, 40, 3):
        table = equivalence_table(CLASSES[name], "1/4", "1/4", time_limit=budget)
        table.check()
        found = {q.name: q for q in table.quantities}
        for each in table.inequalities:
            left, right = found[each.left], found[each.right]
            assert left.lower <= right.lower
            assert left.upper <= right.upper
        for q, known in zip(table.quantities, exact.quantities, strict=True):
            assert q.lower <= known.value <= q.upper
            for origin, end in ((q.lower_from, "lower"), (q.upper_from, "upper")):
                passed += origin is not None
                if origin is None and q.result is not None:
                    certificate = json.loads(q.result.certificate().to_json())
                    kernel.check(certificate)
                    assert getattr(q.result, end) == getattr(q, end)
                elif origin is not None:
                    source = next(name for name in found if origin.startswith(f"{name} ("))
                    assert getattr(found[source], end) == getattr(q, end)
    assert passed or len(CLASSES[name]) == 1


def test_sets_from_protocols_are_proved_like_those_that_were_searched_for():
    C = points(2)
    first = probabilistic_representation_size(C, "1/2", "1/4", time_limit=0)
    random = replace(first, upper=4)  # as if no smaller sets had been found at once
    better = with_public_coins(random, communication_complexity(C, "1/8"), Budget())
    assert (random.upper, better.upper, better.representation.representation.size) == (4, 3, 3)
    better.check()
    sure = deterministic_representation_size(all_functions(3), "1/3")
    own = probabilistic_representation_size(all_functions(3), "1/3", "1/4", time_limit=0)
    better = with_one_set(own, sure, Budget())
    assert (own.upper, better.upper) == (6, 4)
    better.check()
    own = deterministic_representation_size(all_functions(2), "2/3", time_limit=0)
    messages = communication_complexity(all_functions(2), "1/3", "private")
    better = with_private_coins(own, messages, Budget())
    assert own.upper > better.upper == messages.upper
    better.check()


def test_sets_that_are_no_smaller_or_not_proved_are_left():
    C = points(2)
    random = probabilistic_representation_size(C, "1/2", "1/4")
    assert with_public_coins(random, communication_complexity(C, "1/8"), Budget()) is random
    hurried = probabilistic_representation_size(C, "1/2", "1/4", time_limit=0)
    too_much = communication_complexity(C, "1/2")  # one message, which errs too often
    assert with_public_coins(hurried, too_much, Budget()) is hurried
