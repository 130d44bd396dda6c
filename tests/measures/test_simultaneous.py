"""The simultaneous cost of small problems, against all partitions of both sides."""

# ruff: noqa: S311 - seeds, not secrets

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from ccsim import CertificateError, CommunicationProblem, bounds, simultaneous_cost
from tests.truth.protocols import simultaneous_bits

__all__ = []


def a_problem(seed):
    rng = random.Random(seed)
    height, width = rng.randint(1, 5), rng.randint(1, 4)
    entries = rng.choice(("01", "01*", "0001", "01**"))
    rows = ["".join(rng.choice(entries) for _ in range(width)) for _ in range(height)]
    rows[0] = rng.choice("01") + rows[0][1:]
    return CommunicationProblem.from_matrix(rows)


@pytest.mark.parametrize("seed", range(60))
def test_bounds_hold_and_are_exact_for_total_problems(seed):
    problem = a_problem(seed)
    result = simultaneous_cost(problem)
    result.check()
    cost = simultaneous_bits(problem)
    assert result.lower <= cost <= result.upper
    if problem.is_total:
        assert result.value == cost
    table = bounds(problem, only=["simultaneous", "D", "one_way"])
    table.check()
    assert table["simultaneous"].lower <= cost <= table["simultaneous"].upper
    assert table["D"].upper <= cost


def test_both_messages_are_a_two_way_protocol():
    table = bounds("equality:n=1", only=["simultaneous", "D"])
    assert (table["D"].upper, table["simultaneous"].upper) == (0, 0)


def test_wrong_bounds_and_other_problems_are_rejected():
    result = simultaneous_cost(["01*", "10*", "*11"])
    other = simultaneous_cost(["011", "101", "011"])
    for wrong in (
        replace(result, lower=result.lower + 1),
        replace(result, upper=result.upper - 1),
        replace(result, problem=other.problem),
        replace(result, one_way=other.one_way),
        replace(result, total=result.one_way),
        replace(result, total=simultaneous_cost(["111", "111", "111"]).total),
        replace(result, one_way=result.one_way[::-1]),
    ):
        with pytest.raises(CertificateError):
            wrong.check()
