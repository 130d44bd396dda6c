"""Bounds by the sizes of classes: against all partitions, exact problems and altered proofs."""

# ruff: noqa: S311 - seeds, not secrets

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from itertools import count, product
from random import Random

import numpy as np
import pytest

from ccsim import CommunicationProblem, evaluation_problem, lines, minimax_error
from ccsim.budget import Budget
from ccsim.communication.partitions.squares import Sizes, groups_of
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.communication.public_coins.large import bound_orbits
from ccsim.communication.public_coins.orbit_game import OrbitGame
from ccsim.kernel import Rejected, check
from ccsim.kernel.rules import WORK, Work
from ccsim.kernel.squares import squares
from ccsim.symmetry.matrix import symmetries_of


def least_cost(weights, k):
    """Return the least cost over all partitions."""
    whole = np.array(weights)
    costs = set()
    for classes in product(range(k), repeat=len(whole)):
        member = np.array(classes)[None, :] == np.arange(k)[:, None]
        costs.add(int(np.abs(whole).sum() - np.abs(member @ whole).sum()) // 2)
    return min(costs)


def rotations(row):
    return [row[i:] + row[:i] for i in range(len(row))]


def incidences(p, one, zero):
    """Return signed weights of lines and points over a field."""
    return [
        [one if (a * u + b) % p == v else -zero for u in range(p) for v in range(p)]
        for a in range(p)
        for b in range(p)
    ]


def certified(weights, k, bound, proof):
    """Return a certificate of the least expected error; signs of weights give the problem."""
    inputs = [(x, y) for x, row in enumerate(weights) for y, w in enumerate(row) if w]
    problem = CommunicationProblem.from_matrix([[int(w > 0) for w in row] for row in weights])
    total = sum(abs(weights[x][y]) for x, y in inputs)
    return {
        "format": 2,
        "kind": "distributional_error",
        "instance": problem.to_json(),
        "statement": {
            "lower": str(bound / total),
            "upper": None,
            "messages": k,
            "distribution": [[x, y, abs(weights[x][y])] for x, y in inputs],
        },
        "lower": {"squares": proof},
        "upper": None,
        "made_by": "a test",
    }


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("k", [2, 3, 4])
def test_no_partition_costs_less_than_the_bound(seed, k):
    random = Random(10 * seed + k)
    row = [random.choice([-5, -3, -2, -1, 1, 2, 3]) for _ in range(random.randint(3, 7))]
    weights = rotations(row)
    found = Sizes(weights, k).bound()
    assert 0 <= found.bound <= least_cost(weights, k)
    assert "at least" in check(certified(weights, k, found.bound, found.to_json()))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("k", [2, 3])
def test_no_ends_prove_too_much(seed, k):
    """For arbitrary ends of each size, also negative ones, the kernel proves true bounds only."""
    random = Random(seed)
    weights = rotations([random.choice([-5, -3, -2, -1, 1, 2, 3]) for _ in range(6)])
    found = Sizes(weights, k).bound().to_json()
    least = 2 * least_cost(weights, k)
    token, bounds = WORK.set(Work()), []
    for spread in (0.01, 0.1, 1, 10):
        ends = [
            [int(int(v) * (1 + random.uniform(-spread, spread))) for v in pair]
            for pair in found["ends"]["sizes"]
        ]
        sizes = [[v if abs(v) < 1 << 53 else str(v) for v in pair] for pair in ends]
        proof = [int(found["unit"]), found["potentials"], found["ends"] | {"sizes": sizes}]
        bounds.append(squares(weights, k, *proof))
    WORK.reset(token)
    assert max(bounds) <= least


@pytest.mark.parametrize(("k", "cost"), [(2, 2), (3, 0)])
def test_equality_of_three_is_tight(k, cost):
    weights = [[2, -1, -1], [-1, 2, -1], [-1, -1, 2]]
    assert Sizes(weights, k).bound().bound == least_cost(weights, k) == cost


@pytest.mark.parametrize("k", [2, 3, 4, 6, 8])
def test_bound_is_near_for_lines_and_parallels_matter(k):
    weights = incidences(3, 2, 1)
    least = least_cost(weights, k) if k < 5 else None
    sizes = Sizes(weights, k)
    bound = sizes.bound()
    assert abs(sizes.estimate() * sizes.total - bound.bound) < 1
    assert len(set(bound.groups)) == 3
    if least is not None:
        assert least * Fraction(9, 10) < bound.bound <= least


def test_groups_are_parallel_lines():
    whole = np.array(incidences(5, 1, 0))
    groups = groups_of(whole @ whole.T)
    assert groups == [x // 5 * 5 for x in range(25)]
    assert groups_of(np.array([[2, 1, 0], [1, 2, 1], [0, 1, 2]])) == [0, 1, 2]


def test_rows_of_different_sums_are_left_out():
    assert not Sizes([[1, 1], [1, -1]], 2).fits


def bounded(problem, k, budget=None):
    reduced = reduce_problem(problem)
    moves = symmetries_of(problem.ones, len(problem.bob), problem.promise)
    inner = [g.restricted(reduced.rows, reduced.columns) for g in moves]
    return bound_orbits(OrbitGame(reduced, k, inner), budget or Budget())


@pytest.mark.parametrize("k", [2, 5, 8])
def test_bound_of_orbits_is_at_most_the_least_error(k):
    problem = evaluation_problem(lines(3))
    exact = minimax_error(problem, k).value
    lower, below = bounded(problem, k)
    assert exact * Fraction(9, 10) < lower <= exact
    assert below.squares is not None


def test_weights_found_before_time_ended_are_kept():
    problem, bounds = evaluation_problem(lines(5)), []
    for looks in (0, 3, 8):
        clock = (look / 1000 for look in count()).__next__  # the proofs have half a second
        bounds.append(bounded(problem, 4, Budget(looks / 1000, clock=clock))[0])
    assert bounds[0] < Fraction(1, 5) < Fraction(1, 4) < bounds[1] < bounds[2] < Fraction(63, 215)


def test_problems_of_many_orbits_are_left_out():
    matrix = np.random.default_rng(1).integers(0, 2, (8, 8)).tolist()
    assert bounded(CommunicationProblem.from_matrix(matrix), 2) is None


def test_lines_over_seven_elements_are_exact_with_one_message_less_than_lines():
    result = minimax_error(evaluation_problem(lines(7)), 48)
    assert result.lower == result.upper == Fraction(12, 2401)
    certificate = json.loads(result.certificate().to_json())
    assert "exactly 12/2401" in check(certificate)
    proof = certificate["lower"]["hard_distribution"]["proof"]["squares"]
    assert len(set(proof["ends"]["groups"])) == 7


@pytest.fixture(scope="module", params=[2, 4])
def certificate(request):
    weights = incidences(5, 7, 2)
    found = Sizes(weights, request.param).bound()
    return certified(weights, request.param, found.bound, found.to_json())


def raised(certificate):
    total = sum(w for *_, w in certificate["statement"]["distribution"])
    more = Fraction(certificate["statement"]["lower"]) + Fraction(1, total)
    certificate["statement"]["lower"] = str(more)


def scaled(value, by):
    found = int(int(value) * by)
    return found if abs(found) < 1 << 53 else str(found)


def groups_at(certificate):
    return certificate["lower"]["squares"]["ends"]["groups"]


ALTERED = {
    "lower": raised,
    "row": lambda c: alter(c, "potentials", 0, Fraction(9, 10)),
    "pair": lambda c: alter(c, "potentials", 1, Fraction(-9, 10)),
    "alike": lambda c: alter(c, "potentials", 2, Fraction(11, 10)),
    "less than none": lambda c: alter(c, "potentials", 2, -1),
    "unit": lambda c: c["lower"]["squares"].update(unit=str(3 << 60)),
    "fewer": lambda c: c["lower"]["squares"]["ends"]["sizes"].pop(),
    "one group": lambda c: groups_at(c).__setitem__(0, 5),
    "other groups": lambda c: groups_at(c).append(groups_at(c).pop(0)),
    "no ends": lambda c: c["lower"]["squares"].update(ends=[]),
    "end of a size": lambda c: halve(c, 12, 0),
    "drift of a size": lambda c: halve(c, 12, 1),
}


def alter(certificate, key, place, by):
    listed = certificate["lower"]["squares"][key]
    listed[place] = scaled(listed[place], by)


def halve(certificate, size, place):
    """Halve one end of the sizes near those of the cheapest classes."""
    for pair in certificate["lower"]["squares"]["ends"]["sizes"][5:20]:
        pair[place] = scaled(pair[place], Fraction(1, 2))


@pytest.mark.parametrize("name", ALTERED)
def test_altered_proofs_are_rejected(certificate, name):
    altered = deepcopy(certificate)
    ALTERED[name](altered)
    with pytest.raises(Rejected):
        check(altered)
    assert "at least" in check(certificate)


def test_rows_of_different_sums_are_refused(certificate):
    altered = deepcopy(certificate)
    altered["statement"]["distribution"][0][2] += 1
    with pytest.raises(
        Rejected, match="all groups must have the same size, and all rows the same sum"
    ):
        check(altered)
