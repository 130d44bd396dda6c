"""Lower bounds for private coins: altered trees, splits and orders are rejected."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest

from ccsim import (
    CommunicationProblem,
    PrivateCoinProtocol,
    equality,
    greater_than,
    index,
    minimax_error,
    sign_rank,
    worst_error,
)
from ccsim.communication import chain_of_rows
from ccsim.communication.colouring import conflict_tree
from ccsim.communication.private_coins.theorems import excluded_signs
from ccsim.errors import CertificateError
from ccsim.kernel.communication import MinimaxError
from ccsim.kernel.reader import Rejected
from ccsim.kernel.rules import WORK, Work


def forced(problem, messages, coins, proof):
    token = WORK.set(Work())
    try:
        it = MinimaxError.of(messages=messages, coins=coins)
        it.instance = it.readers["instance"](problem.to_json(), it)
        return it.proved("lower", proof)
    finally:
        WORK.reset(token)


BOXES = minimax_error(greater_than(4), 2, "private", gap="1/50")
RADON = minimax_error(equality(4), 3, "private", gap="1/4")


def proof_of(result):
    return result.proof.lower_proof(result.problem, result.messages)


@pytest.mark.parametrize("result", [BOXES, RADON, minimax_error(index(2), 2, "private")])
def test_what_the_search_proves_is_what_the_kernel_finds(result):
    for coins in ("private", "deterministic"):
        assert forced(result.problem, result.messages, coins, proof_of(result)) == result.lower > 0
    with pytest.raises(Rejected, match="this form of proof is not valid for public coins"):
        forced(result.problem, result.messages, "public", proof_of(result))


def at(part, path):
    for key in path:
        part = part[key]
    return part


CUT, LEAF = 0, next(i for i, n in enumerate(proof_of(BOXES)["boxes"]["nodes"]) if type(n) is dict)
CELL = ["boxes", "nodes", LEAF, "weights", 0]


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (["boxes", "ordered"], 4, "index below 4"),
        (["boxes", "unit"], 0, "at least 1"),
        (["boxes", "nodes"], [], "1 cases have no node"),
        (["boxes", "nodes", CUT, 0], 12, "index below 12"),
        (["boxes", "nodes", CUT, 1], 2, "index below 2"),
        (["boxes", "nodes", CUT, 2], -1, "at least 0"),
        (["boxes", "nodes", CUT], [0, 0], "3 entries"),
        (["boxes", "nodes", LEAF], {"weights": []}, "must not all be 0"),
        ([*CELL, 0], [0, 4], "index below 4"),
        ([*CELL, 1], -1, "at least 0"),
        ([*CELL, 2], [0], "2 entries"),
        ([*CELL, 2], [-1, 0], "an index below"),
        ([*CELL, 2, 0], 1 << 40, "an index below"),
    ],
)
def test_altered_boxes_are_rejected(path, value, reason):
    proof = deepcopy(proof_of(BOXES))
    at(proof, path[:-1])[path[-1]] = value
    with pytest.raises(Rejected, match=reason):
        forced(BOXES.problem, BOXES.messages, "private", proof)


@pytest.mark.parametrize("seed", range(30))
def test_no_cut_and_no_weights_prove_more_than_is_true(seed):
    """Any tree of cuts, with any weights at its leaves, proves a valid bound."""
    rng, proof = Random(seed), deepcopy(proof_of(BOXES))  # noqa: S311
    unit, nodes = proof["boxes"]["unit"], proof["boxes"]["nodes"]
    for node in nodes:
        if isinstance(node, list):
            node[2] = min(unit - 1, max(1, node[2] + rng.randrange(-unit // 8, unit // 8)))
            node[0] = rng.choice([node[0], rng.randrange(12)])
        else:
            for entry in rng.sample(node["weights"], len(node["weights"]) // 2):
                entry[1] = rng.randrange(1, 1000)
                entry[2] = [rng.randrange(entry[1] + 1) for _ in entry[2]]
    proof["boxes"]["ordered"] = rng.randrange(4)
    assert forced(BOXES.problem, BOXES.messages, "private", proof) <= BOXES.upper


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"inputs": [0, 1, 2]}, "require k \\+ 1 inputs and"),
        ({"inputs": [0, 1, 2, 2]}, "an index occurs twice"),
        ({"inputs": [0, 1, 2, 4]}, "index below 4"),
        ({"separations": [[0] * 4] * 6}, "require k \\+ 1 inputs and"),
        ({"separations": [[0] * 3] * 7}, "4 entries"),
        ({"separations": [["1"] * 4] * 7}, "must be an integer"),
    ],
)
def test_altered_separations_are_rejected(change, reason):
    proof = {"radon": proof_of(RADON)["radon"] | change}
    with pytest.raises(Rejected, match=reason):
        forced(equality(4), 3, "private", proof)


@pytest.mark.parametrize("seed", range(20))
def test_no_weights_of_columns_prove_more_than_is_true(seed):
    rng = Random(seed)  # noqa: S311
    weights = [[rng.randrange(-3, 4) for _ in range(4)] for _ in range(7)]
    proof = {"radon": {"inputs": rng.sample(range(4), 4), "separations": weights}}
    assert 0 <= forced(equality(4), 3, "private", proof) <= RADON.lower == Fraction(1, 3)


def test_columns_outside_the_promise_tell_nothing_apart():
    problem = CommunicationProblem.from_matrix([[1, 0, 0], [0, 1, 0], [None, 0, 1]])
    apart = {"inputs": [0, 1, 2], "separations": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}
    assert forced(equality(3), 2, "private", {"radon": apart}) == Fraction(1, 2)
    assert forced(problem, 2, "private", {"radon": apart}) == 0


@pytest.mark.parametrize("inputs", [[0, 1, 2], [], [3]])
def test_inputs_that_can_be_sorted_are_rejected(inputs):
    with pytest.raises(Rejected, match="in each order of rows, a column must change twice"):
        forced(index(2), 2, "private", {"unsorted": {"inputs": inputs}})


@pytest.mark.parametrize(("messages", "inputs"), [(3, [0, 1, 2, 3]), (2, [0, 1, 2, 3, 4, 5, 6])])
def test_orders_are_for_two_messages_and_few_inputs(messages, inputs):
    with pytest.raises(Rejected, match="requires 2 messages and at most 6 inputs"):
        forced(index(3), messages, "private", {"unsorted": {"inputs": inputs}})


SIGNS = CommunicationProblem.from_matrix(["10101", "01111", "01100", "00011", "00000"])
EXCLUDED = minimax_error(SIGNS, 3, "private")


def test_signs_in_more_dimensions_than_messages_force_one_half():
    assert list(proof_of(EXCLUDED)) == ["sign_rank"]
    EXCLUDED.check()
    for coins in ("private", "deterministic"):
        assert forced(SIGNS, 3, coins, proof_of(EXCLUDED)) == Fraction(1, 2)
    with pytest.raises(Rejected, match="this form of proof is not valid for public coins"):
        forced(SIGNS, 3, "public", proof_of(EXCLUDED))
    assert forced(SIGNS, 4, "private", proof_of(EXCLUDED)) == 0


def test_signs_are_of_the_problem_with_a_column_of_ones():
    """Equality of three inputs has sign rank 2; the added column of ones makes it 3."""
    rows = {"sign_rank": {"proof": {"shattered": {"side": "rows", "lines": [0, 1, 2]}}}}
    assert forced(equality(3), 2, "private", rows) == Fraction(1, 2)
    short = CommunicationProblem.from_matrix([[1, 0], [0, 1], [0, 0]])
    with pytest.raises(Rejected, match="all sign patterns must occur, up to negation; only 3 do"):
        forced(short, 2, "private", rows)


def protocol_of(problem, rows, columns, last):
    """Return the protocol from vectors with the signs of a problem and a column of ones."""
    points = [[Fraction(a, dot(u, last)) for a in u] for u in rows]
    j = next(j for j, a in enumerate(last) if a)
    free = [i for i in range(len(last)) if i != j]
    low = [min(p[i] for p in points) for i in free]
    laws = [[p[i] - a for i, a in zip(free, low, strict=True)] for p in points]
    size = max(1, *map(sum, laws))
    laws = [[1 - sum(law) / size, *(a / size for a in law)] for law in laws]
    corners = []
    for far in [None, *range(len(free))]:
        corner = [Fraction(0)] * len(last)
        for number, i in enumerate(free):
            corner[i] = low[number] + size * (number == far)
        corner[j] = (1 - dot(corner, last)) / last[j]
        corners.append(corner)
    most = max(1, *(abs(dot(s, v)) for s in corners for v in columns))
    bob = [tuple(Fraction(1, 2) + dot(s, v) / (2 * most) for v in columns) for s in corners]
    return PrivateCoinProtocol(tuple(map(tuple, laws)), tuple(bob))


def dot(u, v):
    return sum((Fraction(a) * b for a, b in zip(u, v, strict=True)), Fraction(0))


def flipped(x, y):
    """Return the problem with one entry flipped, or moved outside the promise."""
    for entry in ["*", "10"[SIGNS.value(x, y)]]:
        rows = [format(row, "05b")[::-1] for row in SIGNS.ones]
        rows[x] = rows[x][:y] + entry + rows[x][y + 1 :]
        yield rows


@pytest.mark.claim("ccsim/private-signs")
@pytest.mark.parametrize("x", range(5))
def test_vectors_with_the_signs_make_a_protocol_and_no_proof_holds(x):
    for y in range(5):
        for rows in flipped(x, y):
            problem = CommunicationProblem.from_matrix(rows)
            found = sign_rank([row + "1" for row in rows])
            assert found.upper == 3
            protocol = protocol_of(problem, found.rows, found.columns[:-1], found.columns[-1])
            assert protocol.messages == 3
            assert worst_error(protocol, problem).value < Fraction(1, 2)
            assert excluded_signs(problem, 3) is None
            with pytest.raises(Rejected):
                forced(problem, 3, "private", proof_of(EXCLUDED))


@pytest.mark.parametrize("seed", range(200))
def test_no_altered_signs_prove_one_half_where_a_protocol_errs_less(seed):
    rng, altered = Random(seed), deepcopy(proof_of(EXCLUDED))  # noqa: S311
    proof = altered["sign_rank"]["proof"]["chirotope"]
    node = rng.choice(proof["nodes"])
    node[rng.randrange(len(node))] = rng.randrange(5)
    proof["lines"] = rng.choice([proof["lines"], rng.sample(range(5), 5)])
    rows = rng.choice([*flipped(rng.randrange(5), rng.randrange(5))])
    with pytest.raises(Rejected):
        forced(CommunicationProblem.from_matrix(rows), 3, "private", altered)


@pytest.mark.parametrize("seed", range(12))
def test_sign_rank_decides_where_two_messages_toss_a_coin(seed):
    """The oracle for two messages sorts the rows."""
    matrix = [[Random(f"{seed} {x} {y}").randrange(2) for y in range(3)] for x in range(4)]  # noqa: S311
    problem = CommunicationProblem.from_matrix(matrix)
    found = excluded_signs(problem, 2)
    assert (found is not None) == (chain_of_rows(problem) is None)
    if found is not None:
        assert forced(problem, 2, "private", found.lower_proof(problem, 2)) == Fraction(1, 2)


# --- Conflicts ------------------------------------------------------------------------------------


def graph(vertices, edges):
    """Return the problem in which the ends of each edge conflict."""
    ends = [{a: 0, b: 1} for a, b in edges]
    return CommunicationProblem.from_matrix(
        [[edge.get(x) for edge in ends] for x in range(vertices)]
    )


def is_colourable(vertices, edges, colours):
    colourings = product(range(colours), repeat=vertices)
    return any(all(c[a] != c[b] for a, b in edges) for c in colourings)


WHEEL = [*((i, (i + 1) % 5) for i in range(5)), *((i, 5) for i in range(5))]


@pytest.mark.parametrize("seed", range(40))
def test_trees_of_conflicts_exist_exactly_where_no_colouring_does(seed):
    rng, vertices = Random(seed), 7  # noqa: S311
    edges = [e for e in combinations(range(vertices), 2) if rng.random() < 0.55] or [(0, 1)]
    for colours in (1, 2, 3, 4):
        if is_colourable(vertices, edges, colours):
            with pytest.raises(CertificateError, match="error 0"):
                conflict_tree(graph(vertices, edges), colours)
        else:
            nodes = conflict_tree(graph(vertices, edges), colours)
            problem, proof = graph(vertices, edges), {"conflicts": {"nodes": nodes}}
            assert forced(problem, colours, "deterministic", proof) == 1
            with pytest.raises(Rejected, match="cases have no node"):
                forced(problem, colours + 7, "deterministic", proof)


def test_odd_cycles_and_wheels_need_a_tree_that_branches():
    for problem, colours in ((graph(5, WHEEL[:5]), 2), (graph(6, WHEEL), 3)):
        nodes = conflict_tree(problem, colours)
        assert len(nodes) > colours + 1
        assert forced(problem, colours, "deterministic", {"conflicts": {"nodes": nodes}}) == 1


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([], "1 cases have no node"),
        ([0, 1, 2, 3], "1 cases have no node"),
        ([0, 1, 2, 3, 4, 4, 4], "is superfluous: all cases are closed"),
        ([0, 1, 2, 3, 9], "an index below 5"),
        ([[0], 1], "an index below 5"),
    ],
)
def test_altered_trees_of_conflicts_are_rejected(nodes, reason):
    with pytest.raises(Rejected, match=reason):
        forced(graph(5, WHEEL[:5]), 2, "deterministic", {"conflicts": {"nodes": nodes}})


def test_private_coins_may_avoid_conflicts():
    with pytest.raises(Rejected, match="this form of proof is valid only without coins"):
        forced(equality(3), 2, "private", {"conflicts": {"nodes": [0, 1, 2]}})
