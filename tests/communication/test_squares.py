"""Bounds by squares, and growing weights: against all partitions, and with altered proofs."""

# ruff: noqa: S311 - seeds, not secrets

from __future__ import annotations

import json
import math
from copy import deepcopy
from fractions import Fraction
from itertools import product
from random import Random
from time import process_time

import numpy as np
import pytest

from ccsim import CommunicationProblem, evaluation_problem, index, intervals, minimax_error
from ccsim.budget import Budget
from ccsim.certificates import verify
from ccsim.communication.minimax import MinimaxResult
from ccsim.communication.partitions.squares import Sphere, bound_by_squares
from ccsim.communication.partitions.tables import cheapest_classes
from ccsim.communication.protocols.two_party import worst_error
from ccsim.communication.public_coins import growing_weights
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.communication.public_coins.growing_weights import GrowingWeights, SiftedGame
from ccsim.communication.public_coins.large import bound_on_sphere, sphere_weights
from ccsim.kernel import Rejected, check


def least_cost(weights, k):
    """Return the least cost over all partitions."""
    costs = []
    for classes in product(range(k), repeat=len(weights)):
        errors = 0
        for y in range(len(weights[0])):
            ones, zeros = [0] * k, [0] * k
            for m, row in zip(classes, weights, strict=True):
                ones[m] += max(row[y], 0)
                zeros[m] += max(-row[y], 0)
            errors += sum(map(min, ones, zeros))
        costs.append(errors)
    return min(costs)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [2, 3, 4])
def test_no_partition_costs_less_than_the_bound(seed, k):
    random = Random(10 * seed + k)
    rows, columns, most = random.randint(2, 6), random.randint(1, 6), random.choice([3, 10**6])
    weights = [[random.randint(-most, most) for _ in range(columns)] for _ in range(rows)]
    weights = [[w or 1 for w in row] for row in weights]
    found = bound_by_squares(weights, k)
    least = least_cost(weights, k)
    assert 0 <= found.bound <= least
    doubled = bound_by_squares([[2 * w for w in row] for row in weights], k)
    assert abs(doubled.bound - 2 * found.bound) <= Fraction(1, 10**6) * (1 + found.bound)


def test_bound_is_tight_for_two_signs_that_agree():
    weights = [[1000, 1000], [-1000, -1000], [1000, 1000], [-1000, -1000]]
    assert bound_by_squares(weights, 2).bound < Fraction(1, 100)  # two classes err nowhere
    hadamard = [[1000 * (-1) ** (x & y).bit_count() for y in range(4)] for x in range(4)]
    assert abs(bound_by_squares(hadamard, 2).bound - least_cost(hadamard, 2)) <= 1500


def test_rows_on_a_sphere_gain_as_much_as_any_partition():
    random = np.random.default_rng(3)
    weights = random.normal(size=(7, 6))
    weights -= weights.mean(axis=0)
    sphere = Sphere(7, 2)
    sphere.improve(weights, 300, Budget())
    best = max(
        sum(abs(weights[list(bits)].sum(axis=0)).sum() for bits in (inside, ~inside))
        for inside in (np.array(bits) for bits in product([False, True], repeat=7))
    )
    assert best <= sphere.gains.sum() + 1e-6 <= 2 * best
    assert abs((weights * sphere.correlations()).sum() - sphere.gains.sum()) < 1e-9


RANDOM = np.random.default_rng(5)
PROBLEM = CommunicationProblem.from_matrix(RANDOM.integers(0, 2, (30, 26)).tolist())


@pytest.fixture(scope="module")
def result():
    return minimax_error(PROBLEM, 3, time_limit=Budget(1, clock=process_time))


def test_large_random_problems_have_a_narrow_interval_that_is_checked(result):
    assert isinstance(result, MinimaxResult)
    result.check()
    certificate = json.loads(result.certificate().to_json())
    assert "squares" in certificate["lower"]["hard_distribution"]["proof"]
    assert verify(certificate) is not None
    assert result.upper - result.lower < Fraction(1, 8)


def lower_alone(result):
    certificate = json.loads(result.certificate().to_json())
    certificate["statement"]["upper"] = certificate["upper"] = None
    return certificate


def test_ends_are_positive_and_not_only_their_product(result):
    """With negative ends, the form is positive but the bound would exceed the error."""
    certificate = lower_alone(result)
    proof = certificate["lower"]["hard_distribution"]["proof"]["squares"]
    proof["ends"] = [[-int(g), -int(h)] for g, h in proof["ends"]]
    with pytest.raises(Rejected, match=r"squares.ends\[0\]\[0\]: must be at least 0"):
        check(certificate)


@pytest.mark.parametrize("seed", range(12))
def test_altered_squares_are_rejected(result, seed):
    random = Random(seed)
    certificate = lower_alone(result)
    proof = certificate["lower"]["hard_distribution"]["proof"]["squares"]
    before = deepcopy(proof)
    place = random.choice(["unit", "potentials", "ends", "fewer", "lower"])
    if place == "unit":
        proof["unit"] += random.choice([-1, 1])
    elif place == "potentials":
        i = random.randrange(len(proof["potentials"]))
        proof["potentials"][i] = str(int(proof["potentials"][i]) * random.choice([1, 3]) // 2)
    elif place == "ends":
        pair = random.choice(proof["ends"])
        pair[random.randrange(2)] //= 2
    elif place == "fewer":
        proof[random.choice(["potentials", "ends"])].pop()
    else:
        certificate["statement"]["lower"] = str(result.lower + Fraction(1, 10**9))
    assert place == "lower" or proof != before
    with pytest.raises(Rejected):
        check(certificate)
    assert "at least" in check(lower_alone(result))


def test_potentials_that_are_too_small_are_named(result):
    """The kernel itself verifies that the form is positive definite."""
    certificate = lower_alone(result)
    proof = certificate["lower"]["hard_distribution"]["proof"]
    potentials = proof["squares"]["potentials"]
    proof["squares"]["potentials"] = [str(int(u) * 9 // 10) for u in potentials]
    with pytest.raises(Rejected, match="has an entry above the largest diagonal entry"):
        check(certificate)


def test_weights_against_spheres_are_hard_for_protocols():
    """The forced error is close to the exact minimax error."""
    problem = CommunicationProblem.from_matrix(RANDOM.integers(0, 2, (9, 9)).tolist())
    exact = minimax_error(problem, 2)
    lower, below = bound_on_sphere(reduce_problem(problem), 2, Budget())
    assert exact.value * Fraction(4, 5) < lower <= exact.value
    assert below.squares is not None
    weights = sphere_weights(GrowingWeights(reduce_problem(problem), 2), 2, Budget())
    assert abs(weights.sum() - 1) < 1e-9
    assert weights.min() >= 0


def test_growing_weights_find_what_the_program_does():
    problem = CommunicationProblem.from_matrix(RANDOM.integers(0, 2, (9, 8)).tolist())
    value = minimax_error(problem, 3).value
    game = GrowingWeights(reduce_problem(problem), 3)
    game.run(Budget())
    alike, _ = game.mixed([1] * len(game.tables))
    weights = game.shares()
    upper, _ = game.mixed(weights)
    assert value <= upper <= alike < value + Fraction(1, 50)
    counts = sum(w * game.wrong(table) for w, table in zip(weights, game.tables, strict=True))
    assert upper == Fraction(int(counts.max()), sum(weights))


@pytest.mark.parametrize("tight", [2500, 9])
def test_sifted_mixtures_are_nearly_optimal(tight, monkeypatch):
    """Also with few inputs in the first program, and after only a few rounds."""
    monkeypatch.setattr(growing_weights, "_TIGHT", tight)
    matrix = np.random.default_rng(3).integers(0, 2, (9, 8)).tolist()
    problem = CommunicationProblem.from_matrix(matrix)
    reduced = reduce_problem(problem)
    value = minimax_error(problem, 3).value
    game = GrowingWeights(reduced, 3)
    for _ in range(8):
        game.play()
    before, _ = game.mixed([1] * len(game.tables))
    sifted = SiftedGame(game)
    sifted.run(Budget(math.inf))
    upper, protocol = game.mixed(sifted.weights())
    assert value <= upper < min(before, value + Fraction(1, 1000))
    assert worst_error(protocol, problem).value == upper
    signed = np.rint(sifted.dual / sifted.dual.sum() * 2**30).astype(int) * game.signs.astype(int)
    cost, _ = cheapest_classes(signed.tolist(), 3)
    assert value - Fraction(1, 100) < Fraction(cost, int(np.abs(signed).sum())) <= value


def test_time_that_is_over_leaves_the_mixture_that_was_played():
    problem = CommunicationProblem.from_matrix(RANDOM.integers(0, 2, (9, 8)).tolist())
    game = GrowingWeights(reduce_problem(problem), 3)
    game.run(Budget(0))
    sifted = SiftedGame(game)
    sifted.run(Budget(0))
    assert game.mixed(sifted.weights())[0] == game.mixed([1] * len(game.tables))[0]


def test_blocks_of_rounds_count_the_errors_of_all_rounds(monkeypatch):
    """Blocks are joined in pairs when there are many; the last one may be shorter."""
    monkeypatch.setattr(growing_weights, "_BLOCKS", 4)
    problem = CommunicationProblem.from_matrix(RANDOM.integers(0, 2, (9, 8)).tolist())
    game = GrowingWeights(reduce_problem(problem), 3)
    for _ in range(61):
        game.play()
    assert len(game._blocks) <= 8
    assert (sum(b.astype(int) for b in game._blocks) == sum(map(game.wrong, game.tables))).all()
    assert len(game.shares()) == 61


def test_two_classes_are_compared_one_by_one():
    """The kernel tries all classes of 12 rows; a partition of higher cost is rejected."""
    matrix = np.random.default_rng(8).integers(0, 2, (12, 9)).tolist()
    result = minimax_error(CommunicationProblem.from_matrix(matrix), 2)
    certificate = lower_alone(result)
    proof = certificate["lower"]["hard_distribution"]["proof"].get("partitions")
    assert proof is not None
    assert proof["partition"] is not None
    assert "at least" in check(certificate)
    sent = proof["partition"]
    proof["partition"] = [*sent[:-1], 1 - sent[-1]]
    with pytest.raises(Rejected):
        check(certificate)


def test_weights_with_a_common_divisor_are_proved_as_they_are_written():
    """A distribution is written with its least integer weights, so the proof must use them."""
    problem = evaluation_problem(intervals(6))
    even = minimax_error(problem, 20, time_limit=Budget(1, clock=process_time))
    even.check()
    reduced = reduce_problem(index(5))
    lower, below = bound_on_sphere(reduced, 3, Budget(0))
    weights = {w for *_, w in below.distribution.weights}
    assert weights == {1}
    hard = {"hard_distribution": {"distribution": below.distribution.to_json()}}
    hard["hard_distribution"]["proof"] = below.proof()
    certificate = json.loads(even.certificate().to_json())
    certificate |= {"instance": index(5).to_json(), "lower": hard, "upper": None}
    certificate["statement"] |= {"messages": 3, "lower": str(lower), "upper": None}
    assert "at least" in check(certificate)
