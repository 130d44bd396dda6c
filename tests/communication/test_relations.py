"""Relations between Bob's answers, and needed inputs: altered proofs are rejected."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from math import prod
from random import Random

import numpy as np
import pytest

from ccsim import CommunicationProblem, equality, greater_than, kernel, minimax_error, native
from ccsim.budget import Budget
from ccsim.communication.private_coins import equations as games
from ccsim.communication.private_coins.bounds import needed_inputs
from ccsim.communication.private_coins.dependencies import (
    Dependence,
    DependencyTree,
    Relation,
    Relations,
)
from ccsim.communication.private_coins.equations import Equations, Games, number_of_equations
from ccsim.communication.private_coins.simplices import DistributionSearch, SimplexSearch
from ccsim.communication.public_coins.domination import reduce_problem
from tests.communication.reference_games import ReferenceGames, combined

EASY = CommunicationProblem.from_matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
CHAIN = greater_than(3)
SIGNS = (0, 1), (1, 1), (2, -1)


def proof(problem, messages, target, chosen=None):
    reduced = reduce_problem(problem)
    search = DistributionSearch(reduced, reduced.values(), messages, target, chosen)
    search.grow(500)
    tree = search.tree()
    lower = tree.bound(problem, messages)
    found = minimax_error(problem, messages, "private", gap=1)
    whole = replace(found, below=tree, lower=lower).certificate().to_json()
    return float(lower), json.loads(whole)


def determinant(rows):
    """Return a determinant by its definition."""
    total = 0
    for order in permutations(range(len(rows))):
        sign = (-1) ** sum(a > b for a, b in combinations(order, 2))
        total += sign * prod(row[x] for row, x in zip(rows, order, strict=True))
    return total


@pytest.mark.parametrize("seed", range(40))
def test_relations_bound_the_error_by_their_determinants(seed):
    """The test recomputes the bounds of small trees for each choice of vertices."""
    draw = Random(seed)  # noqa: S311
    n, number, unit = draw.randrange(3, 6), draw.randrange(1, 4), 12
    rows = ["".join(draw.choice("01*") for _ in range(2)) for _ in range(n - 1)] + ["01"]
    problem, sides, listed = CommunicationProblem.from_matrix(rows), [], []
    for _ in range(2 * number):
        ends = [[draw.randrange(n) for _ in range(3)] for _ in range(draw.randrange(1, 3))]
        sides.append(tuple(tuple(unit // 3 * end.count(x) for x in range(n)) for end in ends))
    for _ in range(draw.randrange(1, 4)):
        used = draw.sample(range(number), draw.randrange(1, number + 1))
        gone = draw.sample(range(n), len(used) - 1)
        listed.append(Relation(draw.randrange(2), draw.randrange(-9, 10), (*used,), (*gone,)))
    least = Fraction(1)
    for ends in product(*sides):
        c = [[a - b for a, b in zip(*ends[2 * d : 2 * d + 2], strict=True)] for d in range(number)]
        gain = loss = 0
        for r, z in product(listed, range(n)):
            e = r.weight * determinant([[c[d][x] for x in (*r.removed, z)] for d in r.dependencies])
            value = rows[z][r.column]
            gain += {"1": e, "0": 0, "*": min(e, 0)}[value]
            loss += {"1": max(e, 0), "0": max(-e, 0), "*": 0}[value]
        least = min(least, Fraction(max(gain, 0), max(loss, 1)))
    assert Relations((*listed,)).least_error((*sides,), problem) == least


def test_equations_combine_dependencies_as_relations_do():
    rng = np.random.default_rng(2)
    vectors = rng.integers(-5, 6, (3, 1, 6))
    equations = Equations(3, range(3))
    weights = combined(equations, vectors.astype(float))[:, 0]
    assert len(equations.names) == number_of_equations(3, 3) == len(weights)
    for (used, removed), row in zip(equations.names, weights, strict=True):
        exact = [
            determinant([[int(vectors[d, 0, x]) for x in (*removed, z)] for d in used])
            for z in range(6)
        ]
        assert row.tolist() == exact
        assert not any(exact[x] for x in removed)
        assert any(exact)


@pytest.mark.parametrize("part", ["weight", "column", "dependency", "removed"])
def test_an_altered_relation_is_refused(part):
    _, whole = proof(CHAIN, 2, 0.33)
    kernel.check(whole)
    leaves = [n for n in whole["lower"]["simplices"]["nodes"] if isinstance(n, dict)]
    refused = 0
    for number in range(len(leaves)):
        altered = deepcopy(whole)
        nodes = altered["lower"]["simplices"]["nodes"]
        leaf = [n for n in nodes if isinstance(n, dict)][number]
        for relation in leaf["relations"]:
            if part == "weight":
                weight = str(relation[1])  # long integers are strings
                relation[1] = weight[1:] if weight[0] == "-" else f"-{weight}"
            elif part == "column":
                relation[0] = 1 - relation[0]
            elif part == "dependency":
                relation[2] = [2 - d for d in relation[2]]
            else:
                relation[3] = [7 - x for x in relation[3]]  # the other message
        try:
            kernel.check(altered)
        except kernel.Rejected as error:
            refused += "the bound that is proved" in str(error)
    assert refused > 0


def test_inputs_that_do_not_matter_are_left_out():
    values = reduce_problem(EASY).values()
    assert needed_inputs(values, 2, 0.4, Budget()) == (0, 1, 2)
    assert needed_inputs(reduce_problem(CHAIN).values(), 2, 0.33, Budget()) == (0, 1, 2)
    assert needed_inputs(values, 3, 0.2, Budget()) == (0, 1, 2, 3)


def test_an_input_left_out_that_matters_costs_the_bound():
    assert proof(EASY, 2, 0.4, (0, 1, 2))[0] > 0.399
    without, _ = proof(CHAIN, 2, 0.36, (0, 1))
    lower, whole = proof(CHAIN, 2, 0.33)
    assert without < 0.3
    assert lower > 0.3299
    kernel.check(whole)
    whole["lower"]["simplices"]["inputs"] = [0, 1]
    with pytest.raises(kernel.Rejected):
        kernel.check(whole)


def test_relations_of_one_column_are_weighed_apart():
    tree = DependencyTree(
        1, (Dependence((0, 1, 2)), *(Relations((Relation(y, s, (0,)),)) for y, s in SIGNS))
    )
    assert tree.bound(equality(3), 2) == Fraction(1, 2)
    nothing = Relation(0, 1, (0,)), Relation(0, -1, (0,))  # their vectors cancel
    weaker = replace(
        tree, nodes=(tree.nodes[0], Relations((*tree.nodes[1].listed, *nothing)), *tree.nodes[2:])
    )
    assert weaker.bound(equality(3), 2) == Fraction(1, 4)
    whole = json.loads(minimax_error(equality(3), 2, "private", gap=1).certificate().to_json())
    whole["lower"] = weaker.lower_proof(equality(3), 2)
    whole["statement"]["lower"] = "1/4"
    kernel.check(whole)
    whole["statement"]["lower"] = "1/2"
    with pytest.raises(kernel.Rejected, match="the bound that is proved is 1/4"):
        kernel.check(whole)


@pytest.mark.parametrize(("problem", "messages", "target"), [(CHAIN, 2, 0.4), (EASY, 3, 0.3)])
def test_games_force_what_they_say_and_as_much_as_others(problem, messages, target):
    reduced = reduce_problem(problem)
    values = reduced.values()
    search = DistributionSearch(reduced, values, messages, target)
    search.grow(40)
    free = np.full((messages, values.shape[1]), np.nan)
    slow, fast = (kind(np.vstack([values, free]), 9) for kind in (ReferenceGames, Games))
    equations = Equations(len(values), range(len(values), len(values) + messages))
    surpassed = 0
    for case in search._cases:
        bound, weights, chances = fast.mixture(equations, case.sides, target, 0.0, np.zeros(0))
        other, *_ = slow.mixture(equations, case.sides, target, 0.0, None)
        assert min(bound, target) >= min(other, target) - 1e-3
        assert chances.sum() == pytest.approx(1)
        if weights is None:
            assert bound == 0
            continue
        gains, losses = slow.payoffs(equations, case.sides)
        mixed = np.zeros((2, len(equations.names), values.shape[1]))
        for y, name, w in weights:
            mixed[int(w < 0), equations.names.index(name), y] += abs(w)
        paid = (gains - (bound - 1e-6) * losses) @ mixed.ravel()
        assert paid.min() >= 0
        surpassed += ((gains - (bound + 1e-2) * losses) @ mixed.ravel()).min() < 0
    assert surpassed > 0  # the error is no smaller than what is forced


def test_games_lead_to_proofs():
    reduced = reduce_problem(CHAIN)
    search = DistributionSearch(reduced, reduced.values(), 2, 0.33)
    search.grow(500)
    assert search.tree().bound(CHAIN, 2) > Fraction(329, 1000)


def random_games(number, seed=5):
    """Yield arguments of `best_equations` with random vectors, half of them with equal vectors."""
    random = np.random.default_rng(seed)
    for i in range(number):
        dependencies, removable, columns = (int(random.integers(1, most)) for most in (4, 4, 6))
        inputs = dependencies + removable + int(random.integers(0, 3))
        equations = Equations(dependencies, range(inputs - removable, inputs))
        sizes = random.integers(1, 5, dependencies)
        shape = (dependencies, sizes.max(), inputs)
        fine = random.dirichlet(np.ones(inputs), shape[:2])
        vectors = fine - fine[:, ::-1] if i % 2 else random.integers(-1, 2, shape).astype(float)
        values = random.integers(-1 if i % 3 else 0, 2, (inputs, columns))
        goals = (float(random.uniform(0.05, 0.5)), 0.0, int(random.integers(1, 10)))
        listed = random.integers(0, 2 * len(equations.names) * columns, int(random.integers(0, 4)))
        chosen = np.unique(random.integers(0, sizes.prod(), 1 + i % 3))
        yield vectors, sizes, values, equations.plan, goals, (listed, chosen)


def test_c_and_numpy_find_the_same_mixtures_of_equations(monkeypatch):
    given = list(random_games(60))
    in_c = [games.best_equations(*each) for each in given]
    monkeypatch.setattr(native, "engine", lambda: None)
    in_numpy = [games.best_equations(*each) for each in given]
    assert 10 < sum(len(columns) > 0 for _, columns, *_ in in_c) < 60
    assert sum(len(columns) > 1 for _, columns, *_ in in_c) > 5
    for one, other in zip(in_c, in_numpy, strict=True):
        for a, b in zip(one, other, strict=True):
            assert np.array_equal(a, b)


@pytest.mark.parametrize("kind", [SimplexSearch, DistributionSearch])
def test_trees_are_the_same_without_an_engine(monkeypatch, kind):
    reduced = reduce_problem(greater_than(5))
    trees = []
    for engine in (native.engine, lambda: None):
        monkeypatch.setattr(native, "engine", engine)
        search = kind(reduced, reduced.values(), 2, 0.41)
        search.grow(200)
        trees.append(search.tree())
    assert trees[0] == trees[1]
    assert len(trees[0].nodes) > 10


def test_certificates_are_the_same_without_an_engine(monkeypatch):
    problem = CommunicationProblem.from_matrix(
        [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 0]]
    )
    ask = partial(minimax_error, problem, 3, "private", gap="1/30")
    found = ask().certificate().to_json()
    played = []
    monkeypatch.setattr(native, "engine", lambda: None)
    best = games.best_equations
    monkeypatch.setattr(games, "best_equations", lambda *given: played.append(0) or best(*given))
    assert ask().certificate().to_json() == found
    assert played


def test_a_game_that_takes_all_its_rounds_leaves_chances(monkeypatch):
    monkeypatch.setattr(games, "_MOST_ROUNDS", 2)
    reduced = reduce_problem(EASY)
    values = reduced.values()
    first = DistributionSearch(reduced, values, 3, 0.45)._cases[0]
    free = np.full((3, values.shape[1]), np.nan)
    equations = Equations(len(values), range(len(values), len(values) + 3))
    for most in (2, 3):
        before = np.zeros(0)
        for _ in range(5):
            _, _, before = Games(np.vstack([values, free]), most).mixture(
                equations, first.sides, 0.45, 0.0, before
            )
            assert before.sum() == pytest.approx(1)
