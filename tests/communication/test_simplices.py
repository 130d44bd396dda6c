"""Trees of simplices of distributions: bounds are true, the kernel agrees, they suffice."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest

from ccsim import (
    CertificateError,
    CommunicationProblem,
    PrivateCoinProtocol,
    equality,
    greater_than,
    index,
    kernel,
    minimax_error,
)
from ccsim.communication.private_coins.case_trees import Halving
from ccsim.communication.private_coins.simplices import (
    Cut,
    SimplexSearch,
    SimplexTree,
    Weights,
    is_small,
    starts,
)
from ccsim.communication.protocols.two_party import error_on
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.symmetry.matrix import symmetries_of

PROMISE = CommunicationProblem.from_matrix([[0, 1, None], [1, None, 0], [None, 0, 1], [1, 1, 0]])
INSTANCES = [(greater_than(3), 2), (equality(4), 3), (index(2), 3), (PROMISE, 2), (PROMISE, 3)]
UNIT = 1 << 12


def a_tree(rng, problem, messages, *, symmetric=True):
    """Return a tree with random cuts and random weights."""
    n, m = len(problem.alice), len(problem.bob)
    found = symmetries_of(problem.ones, m, problem.promise) if symmetric else ()
    empty = SimplexTree(tuple(range(n)), found, UNIT, ())
    nodes = []

    def grow(sizes, depth):
        if depth and rng.random() < 0.8:
            wide = [x for x in range(n) if sizes[x] > 1]
            if wide and rng.random() < 0.6:
                x = rng.choice(wide)
                nodes.append(Halving(x, *sorted(rng.sample(range(sizes[x]), 2))))
                ends = [None, None]
            else:
                y, k = rng.randrange(m), rng.randrange(messages)
                (low, high) = ranges.get((y, k), (0, UNIT))
                at = rng.randrange(low + 1, high)
                nodes.append(Cut(y, k, at))
                ends = [(low, at), (at, high)]
            for part in ends:
                before = dict(ranges)
                if part:
                    ranges[y, k] = part
                grow(sizes, depth - 1)
                ranges.clear()
                ranges.update(before)
        else:
            rows = [
                [0 if problem.value(x, y) is None else rng.randrange(9) for y in range(m)]
                for x in range(n)
            ]
            x, y = problem.inputs()[0]
            rows[x][y] += 1
            nodes.append(Weights(tuple(map(tuple, rows))))

    for way in starts(n, messages, empty.moves()):
        ranges = {}
        grow([sum(i != x for i in way) for x in range(n)], 4)
    return replace(empty, nodes=tuple(nodes))


def certificate(problem, messages, tree, lower):
    found = minimax_error(problem, messages, "private", gap=1, time_limit=60)
    return json.loads(replace(found, below=tree, lower=lower).certificate().to_json())


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("problem", "messages"), INSTANCES, ids=str)
def test_any_tree_proves_to_the_kernel_what_it_says(problem, messages, seed):
    tree = a_tree(Random(seed), problem, messages)  # noqa: S311
    bound = tree.bound(problem, messages)
    kernel.check(certificate(problem, messages, tree, bound))
    with pytest.raises(kernel.Rejected, match="the bound that is proved"):
        kernel.check(certificate(problem, messages, tree, bound + Fraction(1, 10**9)))


@pytest.mark.parametrize(("problem", "messages"), INSTANCES, ids=str)
def test_bounds_do_not_depend_on_the_scale_of_the_weights(problem, messages):
    """Sums that are too large for machine integers are computed exactly as well."""

    def scaled(node, factor):
        if not isinstance(node, Weights):
            return node
        return Weights(tuple(tuple(factor * w for w in row) for row in node.rows))

    tree = a_tree(Random(9), problem, messages)  # noqa: S311
    bound = tree.bound(problem, messages)
    for bits in (40, 44, 48, 52, 56, 200):
        nodes = tuple(scaled(node, 1 << bits) for node in tree.nodes)
        assert replace(tree, nodes=nodes).bound(problem, messages) == bound


def normal(alice, bob):
    """Make each message unused on some input, one by one, as in `docs/certificates.md`."""
    k = len(bob)
    for m in range(k):
        e = min(distribution[m] for distribution in alice)
        if 0 < e < 1:
            alice = [
                [(a - e * (i == m)) / (1 - e) for i, a in enumerate(distribution)]
                for distribution in alice
            ]
            bob = [
                [(1 - e) * p + e * q if i != m else p for p, q in zip(row, bob[m], strict=True)]
                for i, row in enumerate(bob)
            ]
    return alice, bob


def a_protocol(rng, problem, messages):
    def distribution():
        cuts = sorted(rng.randrange(13) for _ in range(messages - 1))
        return [Fraction(b - a, 12) for a, b in pairwise([0, *cuts, 12])]

    alice = [distribution() for _ in problem.alice]
    return alice, [[Fraction(rng.randrange(13), 12) for _ in problem.bob] for _ in range(messages)]


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize(("problem", "messages"), INSTANCES, ids=str)
def test_no_protocol_of_a_case_errs_less_than_its_leaf_says(problem, messages, seed):
    """Distributions are followed down the tree by their weights on vertices."""
    rng = Random(seed)  # noqa: S311
    tree = a_tree(rng, problem, messages, symmetric=False)
    old = a_protocol(rng, problem, messages)
    alice, bob = normal(*old)
    for p, q in ((old, (alice, bob)),):
        for x, y in product(range(len(problem.alice)), range(len(problem.bob))):
            sums = [sum(a * row[y] for a, row in zip(t[0][x], t[1], strict=True)) for t in (p, q)]
            assert sums[0] == sums[1]
    order = sorted(
        range(messages), key=lambda m: [distribution[m] for distribution in alice].index(0)
    )
    alice, bob = (
        [[distribution[m] for m in order] for distribution in alice],
        [bob[m] for m in order],
    )
    way = tuple([distribution[m] for distribution in alice].index(0) for m in range(messages))
    shares = [
        [distribution[m] for m in range(messages) if way[m] != x]
        for x, distribution in enumerate(alice)
    ]
    inside = [s == way for s in starts(len(alice), messages)]
    assert sum(inside) == 1
    nodes, reached = iter(tree.nodes), []

    def walk(shares):  # None outside
        node = next(nodes)
        if isinstance(node, Weights):
            if shares is not None:
                reached.append(node)
            return
        parts = [None, None]
        if shares is not None and isinstance(node, Cut):
            parts[bob[node.message][node.number] * UNIT > node.at] = shares
        elif shares is not None:
            distribution = list(shares[node.simplex])
            a, b = distribution[node.first], distribution[node.second]
            distribution[node.first], distribution[node.second] = (
                (a - b, 2 * b) if a >= b else (2 * a, b - a)
            )
            parts[a < b] = [*shares[: node.simplex], distribution, *shares[node.simplex + 1 :]]
        for part in parts:
            walk(part)

    for here in inside:
        walk(shares if here else None)
    (leaf,) = reached
    protocol = PrivateCoinProtocol(tuple(map(tuple, alice)), tuple(map(tuple, bob)))
    listed = [(x, y, w) for x, row in enumerate(leaf.rows) for y, w in enumerate(row) if w]
    mean = sum(w * error_on(protocol, problem, x, y) for x, y, w in listed)
    assert mean / sum(w for *_, w in listed) >= tree.bound(problem, messages)


def test_starts_are_all_ways_to_leave_messages_out():
    assert len(starts(5, 3)) == 35 - 5
    assert starts(2, 3) == [(0, 0, 1), (0, 1, 1)]
    every_order = tuple(symmetry.rows for symmetry in symmetries_of(equality(5).ones, 5))
    assert starts(5, 4, every_order) == [(0, 0, 0, 1), (0, 0, 1, 1), (0, 0, 1, 2), (0, 1, 2, 3)]


@pytest.mark.parametrize(
    ("problem", "messages", "target", "value"),
    [
        (greater_than(4), 3, 0.28, 1 - 2**-0.5),
        (greater_than(5), 2, 0.41, 2**0.5 - 1),
        (equality(4), 3, 0.335, 0.375),
    ],
)
def test_the_search_reaches_its_target_below_the_value(problem, messages, target, value):
    reduced = reduce_problem(problem)
    search = SimplexSearch(reduced, reduced.values(), messages, target)
    search.grow(6000)
    lower = search.tree().bound(problem, messages)
    assert target - 1e-5 < lower <= value
    kernel.check(certificate(problem, messages, search.tree(), lower))


def test_equality_of_four_inputs_is_enclosed_narrowly():
    result = minimax_error(equality(4), 3, "private", gap="1/30")
    assert result.upper == Fraction(3, 8)
    assert result.lower >= Fraction(3, 8) - Fraction(1, 30)
    result.check()


def test_covered_inputs_need_no_distributions():
    doubled = [[0, 0, 1], [1, 0, 1], [1, 0, 1], [1, 1, 1], [0, 0, 1]]
    result = minimax_error(CommunicationProblem.from_matrix(doubled), 2, "private", gap="1/100000")
    assert result.lower <= Fraction(1, 3) == result.upper
    result.check()
    assert is_small(5, 3)
    assert not is_small(9, 4)


BOUND = Random(3)  # noqa: S311
TREE = a_tree(BOUND, index(2), 3)
PROOF = certificate(index(2), 3, TREE, TREE.bound(index(2), 3))
LISTED = PROOF["lower"]["simplices"]["nodes"]
LEAF = next(i for i, node in enumerate(LISTED) if isinstance(node, dict))
EDGE = next(i for i, node in enumerate(LISTED) if isinstance(node, list) and len(node) == 3)
CUT = next(i for i, node in enumerate(LISTED) if isinstance(node, list) and len(node) == 2)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (["unit"], 0, "at least 1"),
        (["unit"], 1, "the midpoint of the edge must be integral|the cut must be strictly"),
        (["inputs"], [0, 1, 2], "permute the inputs|index below|must have 6 entries"),
        (["inputs"], [0, 0, 1, 2], "occurs twice"),
        (["inputs"], [3], "2 messages and 2 inputs"),
        (["symmetries"], [], "cases have no node|index below"),
        (["symmetries", 0, "flips"], "11", "must be mapped to those of column"),
        (["nodes", 0], LISTED[1], "the first node must be null"),
        (["nodes"], LISTED[:-1], "cases have no node"),
        (["nodes"], [*LISTED, LISTED[-1]], "all cases are closed"),
        (["nodes", LEAF], None, "must be a list"),
        (["nodes", LEAF], [], "must be an index"),
        (["nodes", LEAF, "weights"], [0] * 8, "must not all be 0"),
        (["nodes", LEAF, "weights"], [1] * 7, "must have 8 entries"),
        (["nodes", LEAF, "weights", 0], -1, "at least 0"),
        (["nodes", EDGE, 0], 10, "index below 10|must have 1 entry"),
        (["nodes", EDGE, 1], 3, "index below"),
        (["nodes", EDGE], [LISTED[EDGE][0], 1, 0], "the midpoint of the edge must be integral"),
        (["nodes", EDGE], [LISTED[EDGE][0], 0], "must have 2 entries"),
        (["nodes", CUT, 1], 0, "the cut must be strictly"),
        (["nodes", CUT, 1], UNIT, "the cut must be strictly"),
        (["nodes", CUT, 0], 99, "index below"),
    ],
)
def test_altered_trees_are_rejected(path, value, reason):
    altered = deepcopy(PROOF)
    part = altered["lower"]["simplices"]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(kernel.Rejected, match=reason):
        kernel.check(altered)


def test_public_coins_and_inputs_outside_the_promise_are_rejected():
    public = deepcopy(PROOF)
    public["statement"]["coins"] = "public"
    with pytest.raises(kernel.Rejected, match="this form of proof is not valid for public coins"):
        kernel.check(public)
    tree = a_tree(Random(1), PROMISE, 2)  # noqa: S311
    outside = certificate(PROMISE, 2, tree, tree.bound(PROMISE, 2))
    for node in outside["lower"]["simplices"]["nodes"]:
        if isinstance(node, dict):
            node["weights"][2] = 1
    with pytest.raises(kernel.Rejected, match="weights outside the promise must be 0"):
        kernel.check(outside)


@pytest.mark.parametrize(
    "nodes",
    [
        TREE.nodes[:-1],
        (*TREE.nodes, TREE.nodes[-1]),
        (Halving(0, 0, 0), *TREE.nodes),
        (Halving(9, 0, 1), *TREE.nodes),
        (Cut(0, 0, 0), *TREE.nodes),
        (Weights(((0, 0),) * 4), *TREE.nodes[1:]),
        (Weights(((-1, 2),) * 4), *TREE.nodes[1:]),
    ],
)
def test_the_library_refuses_them_too(nodes):
    with pytest.raises(CertificateError):
        replace(TREE, nodes=nodes).bound(index(2), 3)


def test_floats_of_a_case_are_those_of_its_vertices():
    """The relaxation of the first case of equality is the mixture of all its corners."""
    reduced = reduce_problem(equality(3))
    search = SimplexSearch(reduced, reduced.values(), 2, 0.9)
    search.grow(0)
    errors = []
    for ends in product((0, 1), repeat=2 * 3):
        bob = np.array(ends).reshape(2, 3)
        for free in (0, 1):  # the start (0, 1): the first input sends 1, the second one 0
            distributions = np.eye(2)[[1, 0, free]]
            errors.append(np.abs(distributions @ bob - np.eye(3)).ravel())
    assert len(search._cases) == len(starts(3, 2, search.tree().moves())) == 1
    weights = search._cases[0].weights.ravel()
    assert min(e @ weights for e in errors) == pytest.approx(search._cases[0].bound)
