"""The bound for lines: partitions compared with brute force, and bounds that are valid."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from ccsim import distributional_error, evaluation_problem, lines
from ccsim.exact import Distribution
from ccsim.information import chi_square_distance, statistical_distance
from proofs_check.claims.feldman_xiao.lines_bound.protocols import (
    Message,
    all_partitions,
    parabolas,
)
from proofs_check.claims.grids import partitions


def distributions(p, blocks):
    """Return the distributions of (message, point) under mu_1 and mu_0, by definition."""
    incident, independent = [], []
    for (a, b), x in product(product(range(p), repeat=2), range(p)):
        incident.append((blocks[p * a + b], x, (a * x + b) % p))
        independent += [(blocks[p * a + b], x, y) for y in range(p)]
    return [
        Distribution.uniform((i, *o) for i, o in enumerate(outcomes)).marginal(1, 2, 3)
        for outcomes in (incident, independent)
    ]


@pytest.mark.claim("fx/eq-5.2")
@pytest.mark.parametrize(("p", "most"), [(2, 4), (3, 2)])
def test_distance_of_a_partition_is_that_of_the_distributions(p, most):
    for partition in all_partitions(p, most):
        assert partition.distance == statistical_distance(*distributions(p, partition.name))


@pytest.mark.claim("fx/thm-5.3-sharper")
@pytest.mark.parametrize(
    ("p", "most", "distance"),
    [(2, 2, "1/4"), (2, 4, "1/2"), (3, 2, "20/81"), (3, 4, "11/27")],
)
def test_largest_distance_that_a_message_leaves(p, most, distance):
    assert max(part.distance for part in all_partitions(p, most)) == Fraction(distance)


@pytest.mark.claim("fx/thm-5.3-sharper")
@pytest.mark.parametrize("p", [3, 5, 11])
def test_parabolas_reach_the_sharper_bound(p):
    (protocol,) = parabolas(p, 1)
    assert protocol.messages == p
    assert protocol.distance == 1 - 2 * protocol.error - Fraction(1, p)
    assert protocol.distance == Fraction(p - 1, 2 * p)


@pytest.mark.claim("fx/thm-5.3")
@pytest.mark.parametrize(("p", "most"), [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_least_error_of_a_partition_is_the_distributional_error(p, most):
    problem = evaluation_problem(lines(p))
    mu = {
        (x, y): Fraction(1, 2 * p**4) + Fraction(problem.value(x, y), 2 * p**3)
        for x in range(p**2)
        for y in range(p**2)
    }
    best = min(part.error for part in all_partitions(p, most))
    assert best == distributional_error(problem, mu, most).value


@pytest.mark.claim("fx/claim-5.4")
def test_collision_probability_of_lines_that_all_meet():
    # p lines of different slopes: every two of them meet, so both cases of the proof are equalities
    p = 5
    message = Message.of(p, (p * a for a in range(p)))
    collisions = sum(weight**2 for weight in message.point().weights)
    assert collisions == Fraction(1, p**2) * (1 + Fraction(p, p)) - Fraction(1, p**3)
    uniform = Distribution.uniform(product(range(p), repeat=2))
    assert chi_square_distance(message.point(), uniform) == p**2 * collisions - 1


def test_partitions_are_counted_by_bell_numbers():
    assert [len(list(partitions(n, n))) for n in range(1, 7)] == [1, 2, 5, 15, 52, 203]
    assert len(set(partitions(6, 3))) == 1 + 31 + 90
