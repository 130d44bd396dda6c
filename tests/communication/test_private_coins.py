"""Private-coin errors: protocols as upper bounds; Radon's theorem and trees as lower bounds."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import count, pairwise
from time import process_time

import numpy as np
import pytest

from ccsim import (
    CertificateError,
    CommunicationProblem,
    DomainError,
    NotDecidedError,
    PrivateCoinProtocol,
    communication_complexity,
    equality,
    evaluation_problem,
    greater_than,
    index,
    kernel,
    minimax_error,
    thresholds,
    worst_error,
)
from ccsim.budget import Budget
from ccsim.cli.main import main
from ccsim.communication.private_coins import bounds, simplices
from ccsim.communication.private_coins.bounds import best_alice
from ccsim.communication.private_coins.boxes import Box, BoxSearch, BoxTree, Leaf, Split
from ccsim.communication.private_coins.theorems import RadonPartitions, radon_partitions
from ccsim.communication.protocols.two_party import error_on

INSTANCES = [
    (equality(3), 2),
    (greater_than(4), 2),
    (greater_than(4), 3),
    (evaluation_problem(thresholds(2)), 2),
    (index(2), 3),
    (CommunicationProblem.from_matrix([[0, 1, None], [1, None, 0], [None, 0, 1]]), 2),
]


@pytest.mark.parametrize(("problem", "messages"), INSTANCES, ids=str)
def test_private_coins_lie_between_public_ones_and_one_half(problem, messages):
    result = minimax_error(problem, messages, "private", gap="1/15")
    assert result.lower >= minimax_error(problem, messages).value
    assert result.lower <= result.upper <= Fraction(1, 2)
    assert worst_error(result.protocol, problem).value == result.upper
    assert result.protocol.messages <= messages
    result.check()
    kernel.check(json.loads(result.certificate().to_json()))


@pytest.mark.parametrize(
    ("problem", "messages", "polynomial", "gap"),
    [
        (evaluation_problem(thresholds(2)), 2, (1, -3, 1), Fraction(1, 1000)),  # (3 - sqrt 5) / 2
        (greater_than(5), 2, (1, 2, -1), Fraction(1, 1000)),  # sqrt 2 - 1
        (greater_than(4), 3, (2, -4, 1), Fraction(1, 25)),  # 1 - 1 / sqrt 2
    ],
    ids=str,
)
def test_irrational_values_are_enclosed(problem, messages, polynomial, gap):
    result = minimax_error(problem, messages, "private", gap=gap)
    result.check()
    kernel.check(json.loads(result.certificate().to_json()))
    assert result.upper - result.lower <= gap
    a, b, c = polynomial
    signs = [a * v * v + b * v + c for v in (result.lower, result.upper)]
    assert signs[0] * signs[1] < 0  # the root lies between


def chain_is_reached(n, error):
    """Whether two messages attain an error on a chain of ``n`` rows.

    Alice's distributions are numbers in [0, 1], increasing along the chain. Bob's answer to a
    column that changes between ``a`` and ``b`` is a linear function. It is at most the error up to
    ``a``, at least 1 minus the error from ``b`` on, and between 0 and 1 at both ends.
    """
    ratio = (1 - error) / error
    a = Fraction(0)
    for _ in range(n - 1):
        a = max(ratio * a, 1 - (1 - a) / ratio)
    return a <= 1


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_two_messages_sort_a_chain_as_far_as_geometry_allows(n):
    result = minimax_error(greater_than(n), 2, "private", gap="1/200")
    assert chain_is_reached(n, result.upper)
    assert result.exact or not chain_is_reached(n, result.lower)
    assert not chain_is_reached(n, result.upper - Fraction(1, 10**6))  # the protocol is optimal


@pytest.mark.parametrize(("n", "messages"), [(3, 2), (4, 2), (5, 2), (5, 4), (6, 2)])
def test_equality_is_exact_where_radon_is_reached(n, messages):
    result = minimax_error(equality(n), messages, "private")
    assert result.value == Fraction(1, 1 + (messages + 1) // 2)
    assert isinstance(result.proof, RadonPartitions)
    result.check()
    kernel.check(json.loads(result.certificate().to_json()))


@pytest.mark.parametrize("messages", [1, 2, 3, 4, 5])
def test_radon_forces_a_constant_error_on_equality(messages):
    for n in (messages + 1, messages + 3):
        proof = radon_partitions(equality(n), messages, range(n))
        assert proof.bound(equality(n), messages) == Fraction(1, 1 + (messages + 1) // 2)


def test_radon_is_silent_where_two_averages_of_rows_coincide():
    assert radon_partitions(index(2), 3, range(4)) is None
    assert radon_partitions(equality(12), 9, range(12)) is None


def test_radon_uses_only_columns_inside_the_promise():
    problem = CommunicationProblem.from_matrix([[1, 0, 0], [0, 1, 0], [None, 0, 1]])
    proof = radon_partitions(problem, 2, range(3))
    assert all(y > 0 for separation in proof.separations for y, _ in separation)
    assert 0 < proof.bound(problem, 2) <= minimax_error(problem, 2, "private").upper


def random_protocol(rng, problem, messages):
    def distribution(size):
        cuts = sorted(int(c) for c in rng.integers(0, 13, size - 1))
        return tuple(Fraction(b - a, 12) for a, b in pairwise([0, *cuts, 12]))

    alice = tuple(distribution(messages) for _ in problem.alice)
    bob = rng.integers(0, 13, (messages, len(problem.bob))).tolist()
    return PrivateCoinProtocol(alice, tuple(tuple(Fraction(b, 12) for b in row) for row in bob))


@pytest.mark.parametrize(("problem", "messages"), INSTANCES, ids=str)
def test_no_protocol_in_a_box_errs_less_than_its_leaf_says(problem, messages):
    result = minimax_error(problem, messages, "private", gap=Fraction(1, 15))
    rng = np.random.default_rng(0)
    protocols = [random_protocol(rng, problem, messages) for _ in range(30)]
    protocols.append(result.protocol)
    for protocol in protocols:
        assert worst_error(protocol, problem).value >= result.lower
        if not isinstance(result.proof, BoxTree):
            continue
        tree = result.proof
        order = sorted(range(messages), key=lambda m: -protocol.alice[tree.ordered][m])
        alice = [[row[m] for m in order] for row in protocol.alice]
        bob = [[protocol.bob[m][y] for m in order] for y in range(len(problem.bob))]
        left = [Box.root(problem, messages, tree.ordered)]
        inside = 0
        for node in tree.nodes:
            box = left.pop()
            if isinstance(node, Leaf):
                if holds(box.alice, alice) and holds(box.bob, bob):
                    inside += 1
                    weights = {(x, y): w for x, y, w, _ in node.weights}
                    average = sum(
                        w * error_on(protocol, problem, x, y) for (x, y), w in weights.items()
                    )
                    least = box.least_error(node, problem)
                    assert average / sum(weights.values()) >= least >= result.lower
            else:
                left += reversed(box.halves(node))
        assert inside >= 1  # the leaves cover all protocols


def holds(ranges, table):
    return all(
        low <= entry <= high
        for row, entries in zip(ranges, table, strict=True)
        for (low, high), entry in zip(row, entries, strict=True)
    )


def test_a_time_limit_gives_what_was_proved_by_then():
    result = minimax_error(
        index(2), 3, "private", gap=0, time_limit=Budget(0.5, clock=process_time)
    )
    result.check()
    assert result.lower < result.upper
    assert result.upper - result.lower < Fraction(1, 4)


@pytest.mark.parametrize(("problem", "is_tried"), [(index(2), True), (equality(9), False)])
def test_simplices_are_tried_only_where_few_corners_exist(monkeypatch, problem, is_tried):
    tried = []
    monkeypatch.setattr(
        bounds.PrivateCoinSearch, "_grow", lambda _, kind, *rest, **more: tried.append(kind)
    )
    minimax_error(problem, 3, "private", gap=0, time_limit=60).check()
    assert (simplices.SimplexSearch in tried) == is_tried
    assert BoxSearch in tried


def test_larger_problems_get_certified_bounds():
    result = minimax_error(equality(8), 4, "private", gap="1/10")
    result.check()
    assert Fraction(1, 3) <= result.lower <= result.upper < Fraction(1, 2)
    kernel.check(json.loads(result.certificate().to_json()))


def test_the_same_call_gives_the_same_bounds():
    limits = (None, math.inf)
    calls = [minimax_error(index(2), 2, "private", gap="1/20", time_limit=t) for t in limits]
    assert calls[0] == calls[1]


def test_an_interrupt_stops_a_search_with_a_time_limit(monkeypatch):
    def interrupt(self, nodes, budget, visit):
        raise KeyboardInterrupt

    monkeypatch.setattr(BoxSearch, "grow", interrupt)
    for limit in (60, math.inf):
        result = minimax_error(greater_than(4), 2, "private", time_limit=limit)
        result.check()
        assert not result.exact
    with pytest.raises(KeyboardInterrupt):
        minimax_error(greater_than(4), 2, "private")


def test_progress_encloses_the_bounds():
    seen = []
    result = minimax_error(
        greater_than(4), 2, "private", progress=lambda *bounds: seen.append(bounds), gap="1/100"
    )
    assert seen
    low, high = seen[-1]
    assert low <= result.lower + Fraction(1, 10**6)
    assert high >= result.upper - Fraction(1, 10**6)


SEVENTH = CommunicationProblem.from_matrix(
    [[1, 1, 1, 1, 0], [0, 1, 0, 0, 1], [0, 0, 1, 0, 1], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]
)


@pytest.mark.parametrize(("problem", "messages"), [(greater_than(4), 2), (SEVENTH, 3)])
def test_more_time_gives_no_worse_bounds_and_progress_never_falls_back(problem, messages):
    """The clock counts its calls."""
    found = [(Fraction(0), Fraction(1))]
    for looks in (0, 30, 300, 3000):
        lows, highs = [Fraction(0)], [Fraction(1)]
        budget = Budget(
            looks,
            lambda low, high, lows=lows, highs=highs: (lows.append(low), highs.append(high)),
            clock=count().__next__,
        )
        result = minimax_error(problem, messages, "private", gap="1/100", time_limit=budget)
        result.check()
        assert found[-1][0] <= result.lower <= result.upper <= found[-1][1]
        found.append((result.lower, result.upper))
        assert lows == sorted(lows)
        assert highs == sorted(highs, reverse=True)
    assert found[1][0] < found[-1][0] < found[-1][1] < found[1][1]


@pytest.mark.parametrize(
    ("gap", "message"),
    [(-1, "gap must be between 0 and 1, not -1"), (0.1, "gap must be an exact number")],
)
def test_a_gap_out_of_range_is_refused(gap, message):
    with pytest.raises(DomainError, match=message):
        minimax_error(equality(3), 2, "private", gap=gap)


def test_one_message_and_enough_messages_are_exact():
    assert minimax_error(equality(3), 1, "private").value == Fraction(1, 2)
    assert minimax_error(equality(3), 3, "private").value == 0


def test_an_interval_has_no_value():
    result = minimax_error(greater_than(4), 2, "private", gap=1)
    assert not result.exact
    with pytest.raises(NotDecidedError, match="between 1/4 and 1/2"):
        _ = result.value


def test_best_replies_of_alice_do_not_lose():
    problem = evaluation_problem(thresholds(2))
    start = minimax_error(problem, 2, "private", gap="1/10").protocol
    reply = replace(start, alice=best_alice(problem, start.bob, Budget()))
    assert worst_error(reply, problem).value <= worst_error(start, problem).value


def test_complexity_is_decided_by_either_proof():
    assert communication_complexity(equality(3), "1/2", "private").messages == 1
    exact = communication_complexity(equality(3), "1/3", "private")
    assert exact.messages == 3
    exact.check()
    kernel.check(json.loads(exact.certificate().to_json()))
    boxed = communication_complexity(evaluation_problem(thresholds(2)), "1/3", "private")
    assert boxed.messages == 3
    assert isinstance(boxed.missed.proof, BoxTree)
    kernel.check(json.loads(boxed.certificate().to_json()))


def test_complexity_is_open_inside_an_interval():
    allowed = "381965/1000000"
    found = communication_complexity(evaluation_problem(thresholds(2)), allowed, "private")
    assert (found.lower, found.upper) == (2, 3)
    found.check()
    with pytest.raises(NotDecidedError, match="between 2 and 3"):
        _ = found.messages


# --- Altered proofs -------------------------------------------------------------------------------

CHAIN = evaluation_problem(thresholds(2))
BOXED = minimax_error(CHAIN, 2, "private", gap="1/50")
RADON = minimax_error(equality(3), 2, "private")


@pytest.mark.parametrize("result", [BOXED, RADON], ids=["boxes", "radon"])
def test_altered_bounds_are_rejected(result):
    result.check()
    little = Fraction(1, 10**6)
    with pytest.raises(CertificateError, match=r"^upper: the bound"):
        replace(result, upper=result.upper - little).check()
    with pytest.raises(CertificateError, match=r"^lower: the bound|is above upper"):
        replace(result, lower=result.lower + little).check()
    with pytest.raises(CertificateError, match="this form of proof is not valid for public coins"):
        replace(result, coins="public").check()


def test_a_proof_for_private_coins_says_nothing_about_public_ones():
    public = minimax_error(equality(3), 2)
    with pytest.raises(CertificateError, match="this form of proof is not valid for public coins"):
        replace(public, below=RADON.proof).check()


def altered(nodes, number, node):
    return BoxTree(BOXED.proof.ordered, (*nodes[:number], node, *nodes[number + 1 :]))


NODES = BOXED.proof.nodes
CUT = next(i for i, node in enumerate(NODES) if isinstance(node, Split))
LEAF = next(i for i, node in enumerate(NODES) if isinstance(node, Leaf))
X, Y, W, PARTS = NODES[LEAF].weights[0]


@pytest.mark.parametrize(
    "tree",
    [
        BoxTree(9, NODES),
        BoxTree(0, NODES[:-1]),
        BoxTree(0, (*NODES, NODES[-1])),
        altered(NODES, CUT, replace(NODES[CUT], cut=Fraction(2))),
        altered(NODES, CUT, replace(NODES[CUT], message=2)),
        altered(NODES, CUT, replace(NODES[CUT], number=-1)),
        altered(NODES, LEAF, Leaf(())),
        altered(NODES, LEAF, Leaf(((X, Y, W, PARTS),) * 2)),
        altered(NODES, LEAF, Leaf(((X, Y, 0, PARTS),))),
        altered(NODES, LEAF, Leaf(((X, 99, W, PARTS),))),
        altered(NODES, LEAF, Leaf(((X, Y, W, PARTS[1:]),))),
        altered(NODES, LEAF, Leaf(((X, Y, W, (W + 1, 0)),))),
        altered(NODES, LEAF, Leaf(((X, Y, W, PARTS),))),
    ],
)
def test_altered_trees_are_rejected(tree):
    with pytest.raises(CertificateError):
        replace(BOXED, below=tree).check()


def test_boxes_need_two_messages_and_fewer_than_inputs():
    for messages in (1, 4, 10**30):
        with pytest.raises(CertificateError, match=f"at least 2 and fewer .* not {messages}"):
            BOXED.proof.bound(CHAIN, messages)


@pytest.mark.parametrize(
    "proof",
    [
        RadonPartitions((0, 1), RADON.proof.separations),
        RadonPartitions((0, 1, 1), RADON.proof.separations),
        RadonPartitions((0, 1, 7), RADON.proof.separations),
        RadonPartitions((0, 1, 2), RADON.proof.separations[1:]),
        RadonPartitions((0, 1, 2), (((0, 1), (0, 1)),) * 3),
        RadonPartitions((0, 1, 2), (((0, 0),),) * 3),
        RadonPartitions((0, 1, 2), (((5, 1),),) * 3),
        RadonPartitions((0, 1, 2), (((0, -1),),) * 3),
    ],
)
def test_altered_partitions_are_rejected(proof):
    with pytest.raises(CertificateError):
        replace(RADON, below=proof).check()


# --- The command ----------------------------------------------------------------------------------


def test_the_command_prints_the_interval_and_status_3(capsys, tmp_path):
    file = tmp_path / "private.json"
    argv = ["error", "greater_than:n=4", "--messages", "2", "--coins", "private", "--gap", "1/50"]
    assert main([*argv, "--json", "--certificate", str(file)]) == 3
    data = json.loads(capsys.readouterr().out)
    assert (data["value"], data["exact"]) == (None, False)
    lower, upper = Fraction(data["lower"]), Fraction(data["upper"])
    assert 0 < upper - lower <= Fraction(1, 50)
    assert kernel.check(kernel.read(file)).startswith("minimax_error of a 4 x 4 ")
    assert main([*argv, "--time-limit", "20"]) == 3
    shown = capsys.readouterr().out
    assert "(0.381966)" in shown
    assert "lower bound    a tree of" in shown


def test_the_command_prints_an_exact_value_and_status_0(capsys):
    argv = ["error", "equality:n=3", "--messages", "2", "--coins", "private"]
    assert main([*argv, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["value"], data["lower"], data["upper"]) == ("1/2", "1/2", "1/2")
    assert main(argv) == 0
    assert "Radon's theorem on the inputs 0, 1, 2" in capsys.readouterr().out


@pytest.mark.parametrize("option", [["--gap", "2"], ["--gap", "x"], ["--time-limit", "-1"]])
def test_the_command_refuses_bad_limits(option, capsys):
    argv = ["error", "equality:n=3", "--messages", "2", "--coins", "private", *option]
    assert main(argv) == 2
    assert option[0] in capsys.readouterr().err
