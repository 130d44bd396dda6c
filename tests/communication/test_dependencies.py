"""Trees of dependencies: the bounds are true, the kernel agrees, and they reach the error."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, count
from random import Random

import numpy as np
import pytest

from ccsim import (
    CommunicationProblem,
    equality,
    greater_than,
    index,
    kernel,
    minimax_error,
)
from ccsim.budget import Budget
from ccsim.communication.private_coins.case_trees import Halving, most_promising
from ccsim.communication.private_coins.dependencies import (
    Dependence,
    DependencySearch,
    DependencyTree,
    Relation,
    Relations,
    in_best_order,
    is_dependent,
)
from ccsim.communication.private_coins.theorems import two_messages_suffice
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.errors import CertificateError

SEVENTH = [[1, 1, 1, 1, 0], [0, 1, 0, 0, 1], [0, 0, 1, 0, 1], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]
PROMISE = [[0, 1, None], [1, None, 0], [None, 0, 1], [1, 1, 0]]


def searched(rows, messages, target, nodes=2000):
    problem = CommunicationProblem.from_matrix(rows) if isinstance(rows, list) else rows
    reduced = reduce_problem(problem)
    search = DependencySearch(reduced, reduced.values(), messages, target)
    search.grow(nodes)
    return problem, search.tree()


def certificate(problem, messages, tree):
    whole = json.loads(minimax_error(problem, messages, "private", gap=1).certificate().to_json())
    whole["lower"] = tree.lower_proof(problem, messages)
    whole["statement"]["lower"] = str(tree.bound(problem, messages))
    return whole


def test_two_messages_agree_with_the_theorem_on_chains():
    problem, tree = searched(greater_than(6), 2, 0.4301)
    lower = tree.bound(problem, 2)
    assert lower > Fraction(43, 100)
    assert not two_messages_suffice(6, lower)
    assert two_messages_suffice(6, lower + Fraction(1, 5000))


def test_a_search_that_does_not_progress_ends():
    _, tree = searched([[1, 0, 0, 1, 1], *SEVENTH[1:4], [0] * 5], 3, 0.499)
    assert len(tree.nodes) < 2000


def test_a_wide_interval_of_five_inputs_is_narrow():
    result = minimax_error(
        CommunicationProblem.from_matrix(SEVENTH), 3, "private", gap=Fraction(1, 25)
    )
    assert isinstance(result.below, DependencyTree)
    assert result.upper - result.lower <= Fraction(1, 25)
    low, high = (v**3 - v**2 - 2 * v + 1 for v in (result.lower, result.upper))
    assert low > 0 > high  # the value seems to be 1 / (1 + 2 cos(2 pi / 7)), a root
    kernel.check(json.loads(result.certificate().to_json()))


def least_error_of_distributions(problem, distributions):
    """Return the least error for given distributions of Alice, by a program for each column."""
    from scipy.optimize import linprog

    worst = 0.0
    for y in range(len(problem.bob)):
        rows = [x for x in range(len(problem.alice)) if problem.value(x, y) is not None]
        signs = [1 if problem.value(x, y) else -1 for x in rows]
        bounds = [
            [-s * a for a in distributions[x]] + [-1] for x, s in zip(rows, signs, strict=True)
        ]
        if rows:
            ends = [-1.0 if s > 0 else 0.0 for s in signs]
            found = linprog(
                [0] * len(distributions[0]) + [1], A_ub=bounds, b_ub=ends, bounds=(0, 1)
            )
            worst = max(worst, found.fun)
    return worst


@pytest.mark.parametrize(
    ("rows", "messages", "target"),
    [
        (SEVENTH, 3, 0.405),
        (greater_than(5), 3, 0.27),
        (index(2), 2, 0.45),
        (PROMISE, 2, 0.3),
        (equality(4), 3, 0.33),
    ],
)
def test_no_distributions_err_less_than_is_proved(rows, messages, target):
    problem, tree = searched(rows, messages, target, 300)
    lower = tree.bound(problem, messages)
    assert kernel.check(certificate(problem, messages, tree))
    rng = np.random.default_rng(5)
    for _ in range(20):
        distributions = rng.dirichlet(np.full(messages, 0.3), len(problem.alice))
        assert least_error_of_distributions(problem, distributions) >= float(lower) - 1e-9


def test_random_trees_prove_the_same_to_the_library_and_the_kernel():
    rng = Random(7)  # noqa: S311
    proved = 0
    for _ in range(25):
        n, width, messages = rng.randint(4, 5), rng.randint(3, 5), rng.choice([2, 3])
        rows = [[rng.choice([0, 1, 1, 0, None]) for _ in range(width)] for _ in range(n)]
        rows[0][0] = 1
        reduced = reduce_problem(CommunicationProblem.from_matrix(rows))
        if not is_dependent(len(reduced.rows), len(reduced.columns), messages):
            continue
        problem, tree = searched(rows, messages, 0.3, 40)
        tree = DependencyTree(tree.unit, tuple(shaken(rng, node) for node in tree.nodes))
        bound = tree.bound(problem, messages)
        whole = certificate(problem, messages, tree)
        kernel.check(whole)
        whole["statement"]["lower"] = str(bound + Fraction(1, 10**9))
        with pytest.raises(kernel.Rejected, match="that is proved"):
            kernel.check(whole)
        proved += bound > 0
    assert proved > 5


def shaken(rng, node):
    """Return a leaf with changed weights."""
    if not isinstance(node, Relations):
        return node
    listed = [
        replace(r, weight=r.weight * rng.randint(90, 110) + rng.randint(-3, 3)) for r in node.listed
    ]
    return Relations(tuple(listed))


def test_all_divisions_of_inputs_are_cases():
    found = {
        tuple(sorted(v.index(6) for v in sides[0])) for sides in Dependence((0, 2, 3)).sides(6, 4)
    }
    halves = {c for r in (1, 2) for c in combinations((0, 2, 3), r)}
    assert found == {c for c in halves if 3 not in c}


def test_sizes_are_limited():
    assert is_dependent(5, 5, 3)
    assert not is_dependent(3, 5, 3)
    assert not is_dependent(12, 5, 3)
    assert not is_dependent(9, 9, 7)


GIVEN, TREE = searched(SEVENTH, 3, 0.42)
PROOF = certificate(GIVEN, 3, TREE)
NODES = PROOF["lower"]["dependencies"]["nodes"]
LEAF = next(i for i, node in enumerate(NODES) if "relations" in node)
TWO = next(
    (i, j)
    for i, node in enumerate(NODES)
    if "relations" in node
    for j, relation in enumerate(node["relations"])
    if len(relation[2]) == 2
)
EDGE = next(i for i, node in enumerate(NODES) if isinstance(node, list))


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (["unit"], 0, "at least 1"),
        (["unit"], 1, "the midpoint of the edge must be integral"),
        (["nodes"], NODES[:-1], "cases have no node"),
        (["nodes"], [*NODES, NODES[-1]], "all cases are closed"),
        (["nodes"], [], "cases have no node"),
        (["nodes", 0], None, "must be an object"),
        (["nodes", 0], {"inputs": [0, 1, 2]}, "must have 4 entries"),
        (["nodes", 0], {"inputs": [0, 1, 2, 2]}, "occurs twice"),
        (["nodes", 0], {"inputs": [0, 1, 2, 5]}, "index below 5"),
        (["nodes", 0], {"inputs": [0, 1, 2, 3], "relations": []}, "unknown key"),
        (["nodes", EDGE], [], "must be an index"),
        (["nodes", EDGE, 0], 4, "index below"),
        (["nodes", EDGE, 0], -1, "index below"),
        (
            ["nodes", EDGE],
            [NODES[EDGE][0], 1, 0],
            "the midpoint of the edge must be integral|index below",
        ),
        (["nodes", EDGE], [NODES[EDGE][0], 0, 0], "the midpoint of the edge must be integral"),
        (["nodes", EDGE], [NODES[EDGE][0], 0], "must have 2 entries"),
        (["nodes", LEAF, "relations"], [], "that is proved"),
        (["nodes", LEAF, "relations"], [[0, 1, [0]]], "must have 4 entries"),
        (["nodes", LEAF, "relations"], [[5, 1, [0], []]], "index below"),
        (["nodes", LEAF, "relations"], [[0, 1, [9], []]], "index below"),
        (["nodes", LEAF, "relations"], [[0, 1, [], []]], "entries"),
        (["nodes", LEAF, "relations"], [[0, 1.5, [0], []]], "must be an integer"),
        (["nodes", TWO[0], "relations", TWO[1], 2], [0, 0], "occurs twice"),
        (["nodes", TWO[0], "relations", TWO[1], 3], [], "must have 1 entry"),
        (["nodes", TWO[0], "relations", TWO[1], 3], [5], "index below"),
    ],
)
def test_altered_trees_are_rejected(path, value, reason):
    altered = deepcopy(PROOF)
    part = altered["lower"]["dependencies"]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(kernel.Rejected, match=reason):
        kernel.check(altered)


def test_public_coins_and_other_problems_are_rejected():
    kernel.check(PROOF)
    public = deepcopy(PROOF)
    public["statement"]["coins"] = "public"
    with pytest.raises(kernel.Rejected, match="this form of proof is not valid for public coins"):
        kernel.check(public)
    flipped = deepcopy(PROOF)
    flipped["instance"]["rows"][0] = "00000"
    flipped["upper"] = flipped["statement"]["upper"] = None
    with pytest.raises(kernel.Rejected, match="that is proved"):
        kernel.check(flipped)


@pytest.mark.parametrize(
    "nodes",
    [
        (Halving(0, 0, 1),),
        (Dependence((0, 1, 2)),),
        (Dependence((0, 1, 2, 7)),),
        (Dependence((0, 1, 2, 3)), Halving(2, 0, 1)),
        (Dependence((0, 1, 2, 3)), Halving(1, 0, 0)),
        (Dependence((0, 1, 2, 3)), Relations((Relation(0, 1, (1,)),))),
        (Dependence((0, 1, 2, 3)), Relations((Relation(0, 1, (0, 0), (1,)),))),
        (Dependence((0, 1, 2, 3)), Relations((Relation(0, 1, (0,), (1,)),))),
        (Dependence((0, 1, 2, 3)), Relations((Relation(9, 1, (0,)),))),
        TREE.nodes[:-1],
        (*TREE.nodes, TREE.nodes[-1]),
    ],
)
def test_the_library_rejects_altered_trees(nodes):
    with pytest.raises(CertificateError):
        DependencyTree(TREE.unit, nodes).bound(GIVEN, 3)


DEGENERATE = [[1, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 1], [0] * 5]


def in_order(first, target=0.4042, nodes=600):
    reduced = reduce_problem(CommunicationProblem.from_matrix(DEGENERATE))
    search = DependencySearch(reduced, reduced.values(), 3, target, first)
    search.grow(nodes)
    return search


def test_the_order_of_inputs_matters_and_a_good_one_is_chosen():
    stuck = in_order((0, 1, 2))
    assert stuck.bound < 0.34 < in_order((2, 3, 4)).bound
    reduced = reduce_problem(CommunicationProblem.from_matrix(DEGENERATE))
    found, again = (in_best_order(reduced, reduced.values(), 3, 0.4042) for _ in range(2))
    for search in (found, again):
        search.grow(600)
    tree, problem = found.tree(), CommunicationProblem.from_matrix(DEGENERATE)
    assert tree == again.tree()
    assert tree.nodes[0] != stuck.tree().nodes[0]
    lower = tree.bound(problem, 3)
    assert lower > Fraction(404, 1000) > stuck.tree().bound(problem, 3)
    whole = certificate(problem, 3, tree)
    kernel.check(whole)
    whole["statement"]["lower"] = str(lower + Fraction(1, 10**9))
    with pytest.raises(kernel.Rejected, match="that is proved"):
        kernel.check(whole)


def test_a_tree_names_the_inputs_of_its_order():
    (first, *_) = in_order((4, 1, 3), nodes=20).tree().nodes
    assert first == Dependence((4, 1, 3, 0))


@pytest.mark.parametrize("looks", [0, 10, 200])
def test_an_order_is_chosen_however_short_the_time(looks):
    """The clock counts its calls."""
    reduced = reduce_problem(CommunicationProblem.from_matrix(DEGENERATE))
    clock = count().__next__
    search = in_best_order(reduced, reduced.values(), 3, 0.4042, Budget(looks, clock=clock))
    assert clock() < looks + 20
    problem = CommunicationProblem.from_matrix(DEGENERATE)
    kernel.check(certificate(problem, 3, search.tree()))


def test_half_of_the_trees_go_on_each_time_until_one_is_left_or_done():
    grown = []

    class Tree:
        target = 9

        def __init__(self, rate):
            self.rate, self.bound = rate, 0

        def grow(self, cases, _budget):
            grown.append((self.rate, cases))
            self.bound = self.rate * cases

    assert most_promising([Tree(0.1), Tree(0.3), Tree(0.2), Tree(0)], 10).rate == 0.3
    assert grown == [(0.1, 10), (0.3, 10), (0.2, 10), (0, 10), (0.3, 20), (0.2, 20)]
    grown.clear()
    assert most_promising([Tree(0.3), Tree(0.2), Tree(1), Tree(0)], 10).rate == 1
    assert [cases for _, cases in grown] == [10] * 4
