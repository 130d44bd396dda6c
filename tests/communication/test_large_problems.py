"""Bounds beyond the limits of the exact search, and exact equality of up to 62 inputs."""

import json
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from ccsim import (
    communication_complexity,
    equality,
    equality_error,
    error_curve,
    evaluation_problem,
    greater_than,
    kernel,
    minimax_error,
)
from ccsim.budget import Budget
from ccsim.classes import random_class
from ccsim.cli.main import main
from ccsim.communication.partitions.search import PartitionSearch
from ccsim.communication.partitions.tables import cheapest_classes
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.communication.public_coins.large import bound_error
from ccsim.symmetry.groups import ClassOrbits


def swaps(*kinds):
    """Return the exchanges of adjacent rows in each list."""
    rows = sum(map(len, kinds))
    for kind in kinds:
        for x, y in pairwise(kind):
            yield tuple({x: y, y: x}.get(z, z) for z in range(rows))


@pytest.mark.parametrize(("n", "messages"), [(24, 3), (26, 5), (40, 2), (62, 4), (64, 3)])
def test_equality_beyond_25_inputs_is_exact_as_its_closed_form(n, messages):
    result = minimax_error(equality(n), messages)
    assert result.value == equality_error(n, messages).value
    result.check()


def test_classes_of_exchanged_rows_are_counted_alone(monkeypatch):
    monkeypatch.setattr("ccsim.symmetry.groups._MAX_ORDER", 1)
    orbits = ClassOrbits(5, swaps([0, 2, 4], [1, 3]))
    assert orbits.exchanged
    assert sorted(map(int, orbits.leaders)) == sorted(
        a | b for a, b in product([0, 16, 20, 21], [0, 8, 10])
    )
    assert not ClassOrbits(4, [(1, 2, 3, 0)]).exchanged


@pytest.mark.parametrize("messages", [2, 3, 4])
def test_cheapest_classes_of_exchanged_rows_are_those_of_tables(messages, monkeypatch):
    monkeypatch.setattr("ccsim.symmetry.groups._MAX_ORDER", 1)
    rng = np.random.default_rng(messages)
    a, b, c, d = rng.integers(1, 9, 4).tolist()
    # a square of each kind: one weight on its diagonal, one beside it; the kinds do not meet
    weights = [[0] * 7 for _ in range(7)]
    for i, j in product(range(4), repeat=2):
        weights[i][j] = a if i == j else -b
    for i, j in product(range(3), repeat=2):
        weights[4 + i][4 + j] = c if i == j else -d
    found = PartitionSearch(weights, messages, ClassOrbits(7, swaps([0, 1, 2, 3], [4, 5, 6])))
    least, _ = cheapest_classes(weights, messages)
    assert found.lower == found.cost == least
    sides = [
        [row for row, m in zip(weights, found.classes, strict=True) if m == n] for n in range(7)
    ]
    cost = sum(
        min(sum(w for w in column if w > 0), -sum(w for w in column if w < 0))
        for side in sides
        if side
        for column in zip(*side, strict=True)
    )
    assert cost == least


@pytest.mark.parametrize(
    ("problem", "messages"),
    [(greater_than(8), 3), (evaluation_problem(random_class(9, 9, 1)), 2), (equality(8), 3)],
)
def test_bounds_enclose_what_the_exact_search_finds(problem, messages):
    exact = minimax_error(problem, messages)
    found = bound_error(reduce_problem(problem), messages, (), Budget())
    assert found.lower <= exact.value <= found.upper
    assert found.upper - found.lower <= Fraction(1, 10)


@pytest.mark.parametrize(
    ("problem", "messages", "gap", "limit"),
    [
        pytest.param(
            evaluation_problem(random_class(30, 30, 1)), 3, "1/10", None, marks=pytest.mark.slow
        ),
        (evaluation_problem(random_class(40, 12, 1)), 20, "1/2", 1),
    ],
)
def test_larger_problems_have_bounds_that_the_kernel_accepts(problem, messages, gap, limit):
    result = minimax_error(problem, messages, time_limit=limit)
    assert result.lower < result.upper <= result.lower + Fraction(gap)
    certificate = json.loads(result.certificate().to_json())
    kernel.check(certificate)
    assert "limited to 20 undominated inputs" in result.needed
    certificate["statement"]["lower"] = str(result.lower + Fraction(1, 1000))
    with pytest.raises(kernel.Rejected):
        kernel.check(certificate)


def test_no_time_leaves_bounds():
    result = minimax_error(evaluation_problem(random_class(60, 60, 1)), 5, time_limit=0)
    assert 0 <= result.lower <= result.upper <= Fraction(1, 2)
    result.check()


@pytest.mark.slow
def test_curve_and_number_of_messages_are_bounded():
    problem = evaluation_problem(random_class(27, 27, 3))
    curve = error_curve(problem, [2, 27])
    assert curve[0].lower < curve[0].upper
    assert curve[1].value == 0
    number = communication_complexity(problem, "1/3", time_limit=3)
    assert 2 <= number.lower < number.upper <= 27
    assert number.needed
    number.check()


def test_command_says_what_would_make_it_exact(capsys):
    assert main(["error", "random:m=26,n=12,seed=1", "--messages", "2", "--time-limit", "2"]) == 3
    out = capsys.readouterr().out
    assert "to be exact" in out
    assert "limited to 20 undominated inputs of Alice" in " ".join(out.split())
