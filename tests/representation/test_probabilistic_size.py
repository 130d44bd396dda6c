"""Smallest probabilistic representations, compared with the definition."""

import json
import math
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import combinations, product

import pytest
from hypothesis import given, settings

from ccsim import deterministic_representation_size, probabilistic_representation_size
from ccsim.budget import Budget
from ccsim.certificates import verify
from ccsim.classes import thresholds
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.instances import parse_class
from ccsim.kernel import Rejected
from ccsim.programs import solve_matrix_game
from ccsim.representation import equivalence_table, least_failure
from ccsim.representation.equivalence import verdict
from tests.strategies import concept_classes

QUARTER, THIRD, HALF = Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)


def proved(result):
    """Return the certificate as JSON, after both checks."""
    result.check()
    certificate = json.loads(result.certificate().to_json())
    assert verify(certificate).endswith(f"exactly {result.upper}")
    return certificate


def failure_on_a_grid(C, error, size, step):
    """Return the value of the game for distributions with denominator ``step``."""
    n = len(C.points)
    grid = [
        distribution
        for distribution in product(range(step + 1), repeat=n)
        if sum(distribution) == step
    ]
    sets = list(combinations(range(1 << n), size))

    def fails(distribution, f, rows):
        masses = (sum(w for x, w in enumerate(distribution) if (h ^ f) >> x & 1) for h in rows)
        return all(mass > error * step for mass in masses)

    games = {
        tuple(int(fails(distribution, f, rows)) for rows in sets)
        for distribution in grid
        for f in C.rows
    }
    return solve_matrix_game(sorted(games)).value


@settings(max_examples=10, derandomize=True, deadline=None)
@given(concept_classes(max_points=2, min_points=1, min_concepts=1))
def test_least_failure_over_two_points_is_that_of_the_game_over_all_sets(C):
    for error, size in product((QUARTER, THIRD), (1, 2)):
        result = least_failure(C, error, size)
        assert result.value == failure_on_a_grid(C, error, size, 12)  # all cells have such a law
        proved(result)


@settings(max_examples=4, derandomize=True, deadline=None)
@given(concept_classes(max_points=3, min_points=3, min_concepts=2))
def test_no_distribution_of_a_grid_makes_sets_of_two_fail_more(C):
    result = least_failure(C, THIRD, 2)
    assert failure_on_a_grid(C, THIRD, 2, 5) <= result.value
    proved(result)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_sets_of_k_hypotheses_for_few_points_fail_as_often_as_random_parts_of_the_class(n):
    C = parse_class(f"equality:n={n}")
    for k in range(1, n + 1):
        result = least_failure(C, QUARTER, k)
        assert result.value == 1 - Fraction(k, n)
        proved(result)


@pytest.mark.parametrize(
    ("instance", "size"),
    [
        ("equality:n=2", 2),
        ("equality:n=3", 3),
        ("equality:n=4", 3),
        ("greater_than:n=3", 3),
        ("thresholds:b=2", 3),
        ("all_functions:n=2", 3),
        ("all_functions:n=3", 6),
        ("intervals:n=3", 6),
        ("lines:p=2", 3),
    ],
)
def test_sizes_of_small_classes(instance, size):
    result = probabilistic_representation_size(parse_class(instance), QUARTER, QUARTER)
    assert result.size == size
    proved(result)


@settings(max_examples=6, derandomize=True, deadline=None)
@given(concept_classes(max_points=3, min_points=1, min_concepts=1))
def test_size_without_failure_is_the_deterministic_size(C):
    result = probabilistic_representation_size(C, THIRD, 0)
    assert result.size == deterministic_representation_size(C, THIRD).size
    proved(result)


def test_a_pool_bounds_the_search():
    C = parse_class("equality:n=4")
    proper = least_failure(C, THIRD, 2, pool=C.rows)
    assert proper.value == HALF
    assert all(set(H.rows) <= set(C.rows) for H in proper.failure.representation.sets)
    proved(proper)


def test_a_search_without_time_returns_proved_bounds():
    C = parse_class("equality:n=4")
    result = probabilistic_representation_size(C, QUARTER, QUARTER, time_limit=0)
    assert (result.lower, result.upper, result.exact) == (1, 3, False)
    result.check()
    verify(json.loads(result.certificate().to_json()))
    with pytest.raises(NotDecidedError, match="lies between 1 and 3"):
        _ = result.size
    value = least_failure(C, QUARTER, 2, time_limit=0)
    value.check()
    with pytest.raises(NotDecidedError, match="lies between 0 and 1/2"):
        _ = value.value


def test_an_interrupt_ends_a_limited_search_with_what_is_proved():
    def interrupt(_lower, _upper):
        raise KeyboardInterrupt

    budget = Budget(math.inf)
    result = probabilistic_representation_size(
        thresholds(2), QUARTER, QUARTER, time_limit=budget, progress=interrupt
    )
    result.check()
    assert result.lower <= 3 <= result.upper
    assert budget.interrupted
    with pytest.raises(KeyboardInterrupt):
        probabilistic_representation_size(thresholds(2), QUARTER, QUARTER, progress=interrupt)


def test_sets_have_a_hypothesis():
    with pytest.raises(DomainError, match="size must be at least 1, not 0"):
        least_failure(parse_class("equality:n=2"), QUARTER, 0)


RESULT = probabilistic_representation_size(parse_class("equality:n=4"), QUARTER, QUARTER)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"lower": 4}, "the bound that is proved is 3, not the stated 4"),
        ({"upper": 2}, "is above upper bound 2|the bound that is proved is 3, not the stated 2"),
        ({"failure": Fraction(1, 5)}, "the bound that is proved is 4|exceeds the stated one"),
        ({"pool": (1, 2, 4)}, "must be an index below 3|must be in the pool"),
        ({"proof": None}, "the bound that is proved is 1, not the stated 3"),
    ],
)
def test_altered_results_are_rejected(change, reason):
    with pytest.raises(CertificateError, match=reason):
        replace(RESULT, **change).check()


CERTIFICATE = proved(RESULT)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("statement", "lower"), 2, r"^lower: the bound that is proved is 3, not the stated 2"),
        (("statement", "upper"), 4, r"^upper: the bound that is proved is 3, not the stated 4"),
        (("statement", "failure"), "1/5", r"^lower: the bound that is proved is 4, not the stat"),
        (("statement", "pool"), ["1000"], r"^(lower|upper)"),
        (("lower", "branching", "weights", 0), -1, r"must be at least 0"),
        (("lower", "branching", "weights"), [], r"must have \d+ entries, not 0"),
        (("lower", "branching", "weights"), None, r"failure above 0 requires weights"),
        (
            ("upper", "representation", "support", "weights", 0),
            99,
            r"^upper.representation: .*exceeds the stated one",
        ),
        (
            ("upper", "representation", "failure"),
            {},
            r"failure: must be an object with one of the keys",
        ),
    ],
)
def test_altered_certificates_are_rejected_at_the_place(path, value, reason):
    altered = deepcopy(CERTIFICATE)
    *keys, last = path
    reduce(lambda part, key: part[key], keys, altered)[last] = value
    with pytest.raises(Rejected, match=reason):
        verify(altered)


# --- The equivalence -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instance", "eps", "delta"),
    [("equality:n=3", QUARTER, QUARTER), ("thresholds:b=2", QUARTER, Fraction(1, 8))],
)
def test_table_compares_quantities_that_are_proved_on_their_own(instance, eps, delta):
    table = equivalence_table(parse_class(instance), eps, delta, time_limit=60)
    assert table.holds
    for quantity in table.quantities:
        if quantity.result is not None:
            verify(json.loads(quantity.result.certificate().to_json()))
    table.check()


def test_tables_of_results_about_something_else_are_rejected():
    table = equivalence_table(parse_class("equality:n=2"), QUARTER, QUARTER)
    assert len(table.certificate().to_dict()) == len(table.results)
    other = equivalence_table(parse_class("equality:n=2"), THIRD, QUARTER)
    mixed = replace(table, results=(other.results[0], *table.results[1:]))
    with pytest.raises(CertificateError, match=r"the result for R_pub\(1/16\)"):
        mixed.check()
    with pytest.raises(CertificateError, match=r"the result for R_pub\(1/16\)"):
        mixed.certificate()
    with pytest.raises(CertificateError, match="results must have 8 entries, not 7"):
        replace(table, results=table.results[1:]).check()
    wrong = replace(table.results[1], lower=1)
    with pytest.raises(CertificateError, match="the bound that is proved"):
        replace(table, results=(table.results[0], wrong, *table.results[2:])).check()


def test_a_table_holds_if_all_does_and_is_open_only_where_nothing_fails():
    table = equivalence_table(parse_class("equality:n=2"), QUARTER, QUARTER)
    first, second, *rest = table.inequalities
    for verdicts, expected in (
        ((True, None), None),
        ((False, None), False),
        ((True, False), False),
    ):
        changed = [replace(i, holds=v) for i, v in zip((first, second), verdicts, strict=True)]
        assert verdict((*changed, *rest)) is expected
    assert table.holds is True
