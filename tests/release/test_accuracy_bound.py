"""Sanitizers on half of a shattered set, compared with the best one by a linear program."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations_with_replacement
from math import exp

import pytest

from ccsim import DomainError
from ccsim.exact import Epsilon
from ccsim.instances import parse_class
from ccsim.kernel import check
from ccsim.privacy import RandomizedResponse, audit
from ccsim.release import release_lower_bound, sanitizer_lower_bound
from proofs_check.claims.beimel_brenner.constructions.optimal_mechanism import (
    least_private_failure_on,
)
from proofs_check.claims.beimel_brenner.release import best_release
from proofs_check.claims.beimel_nissim_stemmer.constructions.accuracy_bound import (
    least_accuracy,
    least_failure_on_half,
    printed_least_accuracy,
)


@pytest.mark.parametrize("factor", ["3/2", "2", "3"])
def test_best_mechanism_on_one_record_is_randomised_response(factor):
    e = Fraction(factor)
    tasks = [{((x,), x): Fraction(1)} for x in (0, 1)]
    best = least_private_failure_on((0, 1), 1, 2, tasks, e)
    assert best == least_failure_on_half(0, f"ln {factor}") == 1 / (1 + e)
    assert least_accuracy(best, f"ln {factor}") == 0


@pytest.mark.parametrize(("dimension", "alpha"), [(2, "0"), (2, "1/10"), (2, "3/16"), (4, "0")])
def test_least_failure_is_a_bound(dimension, alpha):
    m, e = dimension // 2, Fraction(3, 2)
    strict = Fraction(2 * int(2 * Fraction(alpha) * m) + 1, 4 * m)
    best = best_release(parse_class(f"all_functions:n={dimension}"), m, strict, e)
    stated = least_failure_on_half(alpha, "ln(3/2)")
    assert best >= stated > 0
    assert least_accuracy(stated, "ln(3/2)") == Fraction(alpha)


def test_printed_bound_is_refuted_by_randomised_response():
    response = RandomizedResponse((0, 1), Epsilon.of(1))
    assert audit(response, 1, 0, 1).verdict.value == "holds"
    wrong = response.distribution((0,))[(1,)]
    assert wrong == least_failure_on_half(0, 1)
    assert abs(float(wrong) - 1 / (1 + exp(1))) < 1e-12
    assert wrong < Fraction(3, 10)
    assert printed_least_accuracy(1) == Fraction(1, 20) > least_accuracy("3/10", 1) == 0


@pytest.mark.parametrize(("text", "alpha"), [("points:b=4", "1/4"), ("points:b=3", "1/8")])
def test_sanitizers_may_be_off_by_the_accuracy_itself(text, alpha):
    """Databases at distance 2 alpha have a common accurate answer; more distant ones have none."""
    C = parse_class(text)
    closed = sanitizer_lower_bound(C, alpha, "1/8", "ln 2")

    def excluded(m):
        moved = int(2 * Fraction(alpha) * m) + 1
        kept = max((1 - Fraction(2**s, 8)) / 2 ** (moved - s) for s in range(moved + 1))
        return (len(C.points) - 1) * kept > Fraction(1, 8)

    assert closed.records == next(m for m in range(1, 1000) if not excluded(m))
    assert closed.records <= release_lower_bound(C, alpha, "1/8", "ln 2").records
    closed.check()
    assert check(json.loads(closed.certificate().to_json())).endswith(f"at least {closed.records}")


@pytest.mark.parametrize(("m", "alpha"), [(2, "1/4"), (3, "1/6"), (4, "1/4"), (4, "1/3")])
def test_sanitizer_bound_against_the_best_sanitizer(m, alpha):
    """No bound requires more records than the best sanitizer of two points needs."""
    C = parse_class("points:b=1")
    strict = Fraction(2 * int(2 * Fraction(alpha) * m) + 1, 4 * m)
    best = best_release(C, m, strict, Fraction(2))
    assert sanitizer_lower_bound(C, alpha, best, "ln 2").records <= m
    assert best == least_failure_by_hand(m, Fraction(alpha))


def least_failure_by_hand(m, alpha):
    """Return the value of the program with first answers on a fine grid instead of cliques."""
    grid = [Fraction(i, 4 * m) for i in range(4 * m + 1)]
    tasks = [
        {
            (D, o): Fraction(1)
            for o, a in enumerate(grid)
            if abs(a - Fraction(D.count(0), m)) <= alpha
        }
        for D in combinations_with_replacement((0, 1), m)
    ]
    return least_private_failure_on((0, 1), m, len(grid), tasks, Fraction(2))


def test_parameters_are_refused():
    with pytest.raises(DomainError, match="failure must be at least 0, not -1/2"):
        least_accuracy("-1/2", 1)
    for epsilon in (-1, "-1/2", "5/4"):
        with pytest.raises(DomainError, match="epsilon must be between 0 and 1, not"):
            printed_least_accuracy(epsilon)
    with pytest.raises(DomainError, match="failure must be below 1"):
        least_accuracy(1, 1)
    with pytest.raises(DomainError, match="strictly between 0 and 1/2 for a sanitizer, not 1/2"):
        sanitizer_lower_bound(parse_class("points:b=2"), "1/2", "1/8", 1)
