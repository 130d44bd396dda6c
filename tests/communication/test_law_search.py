"""Trees of simplices with relations as leaves: bounds are true and reach the error."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from scipy.optimize import linprog

from ccsim import (
    CertificateError,
    CommunicationProblem,
    equality,
    greater_than,
    kernel,
    minimax_error,
)
from ccsim.communication.private_coins.dependencies import Relation, Relations
from ccsim.communication.private_coins.simplices import (
    DistributionSearch,
    SimplexTree,
    has_few_distributions,
)
from ccsim.communication.public_coins.domination import reduce_problem

PROMISE = CommunicationProblem.from_matrix([[0, 1, None], [1, None, 0], [None, 0, 1], [1, 1, 0]])
COVERED = CommunicationProblem.from_matrix([[0, 0], [0, 1], [None, 1], [1, 1], [1, 0]])
FIVE = CommunicationProblem.from_matrix(
    [[1, 1, 1, 0, 1], [0, 1, 0, 1, 1], [0, 0, 1, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]
)

SLOW = CommunicationProblem.from_matrix(
    [[1, 0, 1, 1, 1], [0, 1, 0, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]
)


def searched(problem, messages, target, nodes):
    reduced = reduce_problem(problem)
    search = DistributionSearch(reduced, reduced.values(), messages, target)
    search.grow(nodes)
    return search


def certificate(problem, messages, tree, lower):
    found = minimax_error(problem, messages, "private", gap=1, time_limit=60)
    return json.loads(replace(found, below=tree, lower=lower).certificate().to_json())


@pytest.mark.parametrize(
    ("problem", "messages", "target", "value"),
    [
        (greater_than(4), 3, 0.285, 1 - 2**-0.5),
        (greater_than(5), 2, 0.41, 2**0.5 - 1),
    ],
)
def test_the_search_reaches_its_target_below_the_value(problem, messages, target, value):
    tree = searched(problem, messages, target, 2000).tree()
    lower = tree.bound(problem, messages)
    assert target - 1e-5 < lower <= value
    whole = certificate(problem, messages, tree, lower)
    kernel.check(whole)
    whole["statement"]["lower"] = str(lower + Fraction(1, 10**9))
    with pytest.raises(kernel.Rejected, match="the bound that is proved"):
        kernel.check(whole)


def test_distributions_are_searched_before_answers_are_cut():
    result = minimax_error(equality(4), 3, "private", gap="1/40")
    assert isinstance(result.below, SimplexTree)
    assert any(isinstance(node, Relations) for node in result.below.nodes)
    assert result.upper - result.lower <= Fraction(1, 40)
    result.check()


def least_error_of_distributions(problem, inputs, distributions):
    """Return the least error for given distributions of Alice, by a program for each column."""
    worst = 0.0
    for y in range(len(problem.bob)):
        rows = [i for i, x in enumerate(inputs) if problem.value(x, y) is not None]
        signs = [1 if problem.value(inputs[i], y) else -1 for i in rows]
        bounds = [[*(-s * distributions[i]), -1] for i, s in zip(rows, signs, strict=True)]
        ends = [-1.0 if s > 0 else 0.0 for s in signs]
        found = linprog([0] * len(distributions[0]) + [1], A_ub=bounds, b_ub=ends, bounds=(0, 1))
        worst = max(worst, found.fun)
    return worst


@pytest.mark.parametrize(
    ("problem", "messages", "target"),
    [(FIVE, 3, 0.3), (PROMISE, 2, 0.4), (greater_than(4), 3, 0.29), (equality(4), 3, 0.37)],
)
def test_no_distributions_of_a_leaf_err_less_than_it_proves(problem, messages, target):
    search = searched(problem, messages, target, 60)
    rng, proved = np.random.default_rng(3), 0
    leaves = [case for case, is_leaf in search._preorder() if is_leaf]
    for case in leaves[:: max(1, len(leaves) // 12)]:
        distributions = [rng.dirichlet(np.full(len(v), 0.3)) @ v for v in case.sides[1::2]]
        distributions = [distribution[-messages:] for distribution in distributions]
        assert (
            least_error_of_distributions(problem, search._reduced.rows, distributions)
            >= case.bound - 1e-7
        )
        proved += case.bound > 0.1
    assert proved


def shaken(rng, node):
    """Return a leaf with changed weights."""
    if not isinstance(node, Relations):
        return node
    return Relations(tuple(replace(r, weight=r.weight * rng.randint(95, 105)) for r in node.listed))


@pytest.mark.parametrize(
    ("problem", "messages"), [(COVERED, 2), (PROMISE, 2), (PROMISE, 3), (greater_than(4), 3)]
)
def test_altered_weights_prove_the_same_to_the_library_and_the_kernel(problem, messages):
    rng = Random(7)  # noqa: S311
    tree = searched(problem, messages, 0.4, 60).tree()
    tree = replace(tree, nodes=tuple(shaken(rng, node) for node in tree.nodes))
    bound = tree.bound(problem, messages)
    whole = certificate(problem, messages, tree, bound)
    kernel.check(whole)
    whole["statement"]["lower"] = str(bound + Fraction(1, 10**9))
    with pytest.raises(kernel.Rejected, match="the bound that is proved"):
        kernel.check(whole)


GIVEN = greater_than(4)
TREE = searched(GIVEN, 3, 0.25, 300).tree()
PROOF = certificate(GIVEN, 3, TREE, TREE.bound(GIVEN, 3))
NODES = PROOF["lower"]["simplices"]["nodes"]
LEAF, TWO = next(
    (i, j)
    for i, node in enumerate(NODES)
    if isinstance(node, dict)
    for j, relation in enumerate(node["relations"])
    if len(relation[2]) == 2
)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ([], {"relations": []}, "that is proved"),
        ([], {"relations": [], "weights": []}, "unknown key"),
        (["relations"], [[0, 1, [0]]], "must have 4 entries"),
        (["relations"], [[0, 1, [4], []]], "index below 4"),
        (["relations"], [[4, 1, [0], []]], "index below"),
        (["relations", TWO, 3], [7], "index below 7"),
        (["relations", TWO, 3], [], "must have 1 entry"),
        (["relations", TWO, 2], [0, 0], "occurs twice"),
    ],
)
def test_altered_leaves_are_rejected(path, value, reason):
    kernel.check(PROOF)
    altered = deepcopy(PROOF)
    part, last = altered["lower"]["simplices"]["nodes"], LEAF
    for key in path:
        part, last = part[last], key
    part[last] = value
    with pytest.raises(kernel.Rejected, match=reason):
        kernel.check(altered)


@pytest.mark.parametrize(
    "relation", [Relation(0, 1, (4,)), Relation(0, 1, (0, 1), (7,)), Relation(9, 1, (0,))]
)
def test_the_library_rejects_them_too(relation):
    at = next(i for i, node in enumerate(TREE.nodes) if isinstance(node, Relations))
    nodes = (*TREE.nodes[:at], Relations((relation,)), *TREE.nodes[at + 1 :])
    with pytest.raises(CertificateError):
        replace(TREE, nodes=nodes).bound(GIVEN, 3)


def test_no_edge_is_halved_whose_middle_is_not_of_integers():
    search = searched(greater_than(3), 2, 0.9, 0)
    case = search._cases[0]
    case.sides[5] = np.array([[0, 0, 0, 2**-16, 1 - 2**-16], [0, 0, 0, 1, 0]])
    assert not search._edges(case)
    case.sides[5][0, 3:] = [0, 1]
    assert search._edges(case)[0][2].simplex == 5


class FirstEdge(DistributionSearch):
    """A search that halves the first edge without comparing edges."""

    _tried = 1


def test_comparing_edges_takes_fewer_cases_and_keeps_each_case_once():
    reduced, sizes = reduce_problem(SLOW), []
    for kind in (DistributionSearch, FirstEdge):
        search = kind(reduced, reduced.values(), 3, 0.32)
        search.grow(5000)
        assert search.bound == search.target
        parts = [part for case in search._cases for part in case.parts]
        assert sorted(search._roots + parts) == list(range(len(search._cases)))
        sizes.append(len(search._cases))
    assert sizes[0] < 0.7 * sizes[1]


def test_sizes_are_limited():
    assert has_few_distributions(5, 5, 3)
    assert not has_few_distributions(5, 5, 1)
    assert not has_few_distributions(8, 5, 4)


class NoGain(DistributionSearch):
    """A search in which halving an edge never improves the bound."""

    def _played(self, sides, parent):
        return replace(super()._played(sides, parent), bound=parent.bound)


def test_where_no_half_gains_the_longest_edge_is_halved():
    reduced = reduce_problem(SLOW)
    search = NoGain(reduced, reduced.values(), 3, 0.32)
    first = search._cases[0]
    side = next(i for i, each in enumerate(first.sides) if len(each) == 3)
    first.sides[side] = first.sides[side] / 2 + first.sides[side][0] / 2
    chances = np.zeros([len(each) for each in first.sides])
    chances[tuple(slice(None) if i == side else 0 for i in range(len(first.sides)))] = 1 / 3
    first.chances = chances.ravel()
    edges = search._edges(first)
    lengths = [length for _, length, _ in edges]
    assert lengths[0] < max(lengths)
    assert search._halve(first)
    assert lengths[[edge for *_, edge in edges].index(first.cut)] == max(lengths)
