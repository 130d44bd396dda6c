"""Two-way protocols as trees, and plays of all kinds of protocols, against the definitions."""

# ruff: noqa: S311 - seeds, not secrets

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ccsim import (
    CertificateError,
    CommunicationProblem,
    DeterministicProtocol,
    DomainError,
    InstanceTooLargeError,
    PrivateCoinProtocol,
    deterministic_cost,
    equality,
    error_table,
    greater_than,
    minimax_error,
    protocol_size,
    rank,
    worst_error,
)
from ccsim.communication import PublicCoinTwoWayProtocol, Turn, TwoWayProtocol, amplify
from ccsim.kernel import Rejected, check
from protocols import AugmentedIndexSendAll, EqualityHashing, LinesHashing

__all__ = []


def a_problem(seed):
    rng = random.Random(seed)
    height, width = rng.randint(1, 5), rng.randint(1, 5)
    entries = rng.choice(("01", "01*", "0001", "01**"))
    rows = ["".join(rng.choice(entries) for _ in range(width)) for _ in range(height)]
    rows[0] = rng.choice("01") + rows[0][1:]
    return CommunicationProblem.from_matrix(
        rows, [f"a{x}" for x in range(height)], [f"b{y}" for y in range(width)]
    )


def a_tree(rng, height, width, depth):
    """Return the nodes of a random tree, whose turns have up to four messages."""
    if depth == 0 or rng.random() < 0.2:
        return [rng.randint(0, 1)]
    speaker = rng.choice(("alice", "bob"))
    size, values = (height if speaker == "alice" else width), rng.randint(1, 4)
    messages = [rng.randrange(values) for _ in range(size)]
    turn = Turn(speaker, tuple(messages))
    return [turn, *(n for _ in range(turn.values) for n in a_tree(rng, height, width, depth - 1))]


def by_definition(nodes, x, y):
    """Return the messages and the answer by traversing the tree."""
    nodes, sent = list(nodes), []

    def skip():
        node = nodes.pop(0)
        for _ in range(node.values if isinstance(node, Turn) else 0):
            skip()

    while isinstance(node := nodes.pop(0), Turn):
        message = node.messages[x if node.speaker == "alice" else y]
        sent.append((node.speaker, message, node.values))
        for _ in range(message):
            skip()
    return sent, node


@pytest.mark.parametrize("seed", range(60))
def test_random_trees_follow_the_definition(seed):
    rng = random.Random(seed)
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    P = TwoWayProtocol(tuple(a_tree(rng, height, width, 4)), height, width)
    table, costs, leaves = P.tabulate(), [], set()
    runs = {c: by_definition(P.nodes, *c) for c in product(range(height), range(width))}
    for (x, y), (sent, answer) in runs.items():
        assert P.transcript(x, y) == tuple(message for _, message, _ in sent)
        assert P.answer(x, y) == table.value(x, y) == answer
        costs.append(sum((values - 1).bit_length() for _, _, values in sent))
        leaves.add(P.transcript(x, y))
    assert (P.cost_bits, P.size) == (max(costs), len(leaves))
    assert TwoWayProtocol.from_json(json.loads(json.dumps(P.to_json()))) == P
    for xs, ys, answer in P.leaves():
        assert {runs[cell][1] for cell in product(xs, ys)} == {answer}
    assert sum(len(xs) * len(ys) for xs, ys, _ in P.leaves()) == height * width
    certificate = P.certificate(table).to_dict()
    assert "at most" in check(certificate)
    assert certificate["statement"]["upper"] <= P.cost_bits
    tree = certificate["upper"]["tree"]["nodes"]
    assert TwoWayProtocol.from_tree(tree, table).tabulate() == table


@pytest.mark.parametrize("seed", range(60))
def test_a_play_lists_the_inputs_that_send_the_same(seed):
    rng = random.Random(seed)
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    P = TwoWayProtocol(tuple(a_tree(rng, height, width, 4)), height, width)
    x, y = rng.randrange(height), rng.randrange(width)
    play = P.play(x, y, P.tabulate())
    sent = P.transcript(x, y)
    assert tuple(each.message for each in play.messages) == sent
    assert (play.answer, play.is_correct) == (P.answer(x, y), True)
    assert play.bits == sum(len(each.bits) for each in play.messages)
    for i, each in enumerate(play.messages, 1):
        assert int(each.bits or "0", 2) == each.message
        same = [
            cell
            for cell in product(range(height), range(width))
            if P.transcript(*cell)[:i] == sent[:i]
        ]
        assert same == [*product(each.alice, each.bob)]


@pytest.mark.parametrize("question", [deterministic_cost, protocol_size])
@pytest.mark.parametrize("seed", range(30))
def test_the_protocol_of_a_result_attains_its_bound(question, seed):
    problem = a_problem(seed)
    result = question(problem)
    P = result.protocol
    P.check()
    assert result.value == (P.cost_bits if question is deterministic_cost else P.size)
    assert P.certificate().upper["tree"]["nodes"] == result.above["tree"]["nodes"]
    for x, y in problem.inputs():
        play = P.play(problem.alice[x], problem.bob[y])
        assert (play.x, play.y, play.is_correct) == (x, y, True)
        assert play.to_dict()["x"] == problem.alice[x]


@pytest.mark.parametrize("seed", range(30))
def test_the_trivial_protocol_is_right(seed):
    problem = a_problem(seed)
    P = TwoWayProtocol.trivial(problem)
    P.check()
    lines = [
        {(f.ones[x], f.promise[x]) for x in range(len(f.ones))}
        for f in (problem, problem.transposed())
    ]
    fewest = min(map(len, lines))
    assert P.cost_bits <= (fewest - 1).bit_length() + 1
    assert P.size <= 2 * fewest
    assert P.cost_bits >= deterministic_cost(problem).value


def test_other_measures_have_no_protocol():
    with pytest.raises(DomainError, match="the upper bound of rank is not a protocol"):
        _ = rank("equality:n=3").protocol


def flipped(P, number):
    """Return a protocol with the answer of one leaf changed."""
    leaf = [i for i, node in enumerate(P.nodes) if not isinstance(node, Turn)][number]
    nodes = [*P.nodes]
    nodes[leaf] = 1 - nodes[leaf]
    return replace(P, nodes=tuple(nodes))


def test_every_planted_wrong_answer_is_found():
    problem = greater_than(5)
    P = deterministic_cost(problem).protocol
    for number in range(P.size):
        wrong = flipped(P, number)
        with pytest.raises(CertificateError, match=r"answers \d on x = \d, y = \d, but the value"):
            wrong.check()
        with pytest.raises(CertificateError):
            wrong.certificate(problem)
        worst = worst_error(wrong, problem)
        assert worst.value == 1
        play = wrong.play(worst.x, worst.y)
        assert play.is_correct is False
        assert "WRONG: the value is" in str(play)


def test_answers_outside_the_promise_are_free():
    P = TwoWayProtocol((Turn("bob", (0, 1)), 0, 1), 2, 2)
    P.check(["0*", "*1"])
    with pytest.raises(CertificateError, match="answers 0 on x = 1, y = 0, but the value is 1"):
        P.check(["0*", "11"])
    play = P.play(0, 1, ["0*", "*1"])
    assert (play.expected, play.is_correct) == (None, None)
    assert "outside the promise" in str(play)
    with pytest.raises(DomainError, match="the protocol has 2 x 2 inputs"):
        P.check(["000"])


def test_an_altered_certificate_is_rejected():
    certificate = deterministic_cost(equality(4)).protocol.certificate().to_dict()
    check(certificate)
    for statement in ({"lower": None, "upper": 2}, {"lower": None, "upper": 0}):
        with pytest.raises(Rejected):
            check(certificate | {"statement": statement})


def bisection(bits):
    """Return the rule of greater-than in which both players send bits, highest first."""

    def rule(sent):
        for a, b in zip(sent[::2], sent[1::2], strict=False):
            if a != b:
                return int(a > b)
        if len(sent) == 2 * bits:
            return 0
        place = bits - 1 - len(sent) // 2
        return ("alice", "bob")[len(sent) % 2], lambda own: own >> place & 1

    return rule


def test_rules_give_the_tree():
    P = TwoWayProtocol.from_functions(bisection(3), range(8), range(8))
    assert P.tabulate().ones == greater_than(8).ones
    assert P.cost_bits == 6


def test_turns_with_one_possible_message_are_left_out():
    P = TwoWayProtocol.from_functions(
        lambda sent: len(sent) == 2 or ("alice", lambda x: x > 7), range(3), range(2)
    )
    assert P.nodes == (1,)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda _: 2, "rule must return 0, 1, or a pair of a speaker and a function, not"),
        (lambda _: ("carol", abs), "the speaker must be 'alice' or 'bob', not"),
        (lambda _: ("bob", lambda y: -y), "must be an integer of at least 0, not -1"),
        (3, "rule must be a function, not 3"),
    ],
)
def test_rules_that_are_no_protocol_are_refused(rule, message):
    with pytest.raises(DomainError, match=message):
        TwoWayProtocol.from_functions(rule, [0, 1], [0, 1])


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ((), "nodes must be one tree in preorder, not 0 trees"),
        ((0, 1), "nodes must be one tree in preorder, not 2 trees"),
        ((Turn("alice", (0, 1)), 0), r"nodes\[0\] must be followed by 2 subtrees, not 1"),
        ((Turn("alice", (0, 1, 1)), 0, 1), r"nodes\[0\] must have a message for each of the 2"),
        ((2,), r"nodes\[0\] must be a Turn, 0 or 1, not 2"),
    ],
)
def test_what_is_no_tree_is_refused(nodes, message):
    with pytest.raises(DomainError, match=message):
        TwoWayProtocol(nodes, 2, 2)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([None], r"nodes\[0\] must not be a leaf"),
        ([["rows", [0, 1]], None, None], r"nodes\[0\] must divide the inputs"),
        ([["rows", [2]], None, None], r"nodes\[0\] must be None, \['rows', lines\]"),
        ([["rows", [0]], None, None, None], r"nodes\[3\] is superfluous"),
        ([["rows", [0]], None], "must be followed by 2 subtrees, not 1"),
    ],
)
def test_wrong_trees_of_certificates_are_refused(nodes, message):
    with pytest.raises(DomainError, match=message):
        TwoWayProtocol.from_tree(nodes, ["00", "11"])


def test_trees_of_too_many_messages_are_refused():
    with pytest.raises(InstanceTooLargeError, match="has up to 16777728 messages; the limit is"):
        TwoWayProtocol.from_tree([None] * 32769, [[0] * 512])


@pytest.mark.parametrize("data", [{}, {"alice": 2, "bob": 2, "nodes": [["alice"]]}])
def test_json_that_is_no_protocol_is_refused(data):
    with pytest.raises(DomainError, match="data must have the keys 'alice', 'bob' and 'nodes'"):
        TwoWayProtocol.from_json(data)


def test_one_way_protocols_are_two_way_ones():
    one_way = DeterministicProtocol((0, 1, 2), (0b00, 0b11, 0b01), 2)
    P = one_way.to_two_way()
    assert error_table(P, ["00", "11", "10"]) == error_table(one_way, ["00", "11", "10"])
    assert P.cost_bits == one_way.cost_bits + 1
    problem = equality(4)
    public = minimax_error(problem, 2).protocol.to_public_coin()
    mixture = public.to_two_way()
    assert isinstance(mixture, PublicCoinTwoWayProtocol)
    assert error_table(mixture, problem) == error_table(public, problem)
    for cell in problem.inputs():
        assert mixture.output_probability(*cell) == public.output_probability(*cell)


def test_mixtures_draw_by_the_seed():
    zero, one = TwoWayProtocol((0,), 1, 1), TwoWayProtocol((1,), 1, 1)
    P = PublicCoinTwoWayProtocol.mixture([("1/3", one), ("1/3", zero), ("1/3", zero)])
    assert P.weights == (Fraction(1, 3), Fraction(2, 3))
    answers = [P.play(0, 0, seed=seed).answer for seed in range(300)]
    assert answers == [P.play(0, 0, seed=seed).answer for seed in range(300)]
    assert 60 < sum(answers) < 140
    with pytest.raises(DomainError, match="the same numbers of inputs"):
        PublicCoinTwoWayProtocol.mixture([("1/2", one), ("1/2", TwoWayProtocol((0,), 2, 1))])


@pytest.mark.parametrize("seed", range(5))
def test_one_way_protocols_play(seed):
    hashing = EqualityHashing(bits=3, repetitions=2)
    play = hashing.play(5, 2, seed=seed)
    run = hashing.run(5, 2, np.random.default_rng(seed))
    [sent] = play.messages
    assert (sent.message, play.answer) == (run.message, run.answer)
    assert sent.alice == tuple(x for x in range(8) if hashing.alice(x, run.coins) == run.message)
    assert sent.bob == tuple(range(8))
    assert play.expected == 0
    problem = equality(4)
    public = minimax_error(problem, 2).protocol
    assert public.play(1, 1, problem, seed=seed).is_correct in (True, False)
    half = Fraction(1, 2)
    private = PrivateCoinProtocol(((1, 0), (half, half), (0, 1)), ((1, 1), (0, 0)))
    [sent] = private.play(1, 0, seed=seed).messages
    assert sent.alice == ((0, 1), (1, 2))[sent.message]


def test_labels_and_sizes():
    play = AugmentedIndexSendAll(d=3).play("101", "2:1")
    assert (play.x, play.expected, play.answer) == (5, 0, 0)
    assert "x = 101, y = 2:1" in str(play)
    large = EqualityHashing(bits=200, repetitions=2).play(1 << 199, 1)
    assert large.messages[0].alice is None
    assert "Alice: not listed; Bob: not listed" in str(large)
    assert str(LinesHashing(p=5, bits=1).play(7, 3)).startswith(
        "lines_hashing:p=5,bits=1 on x = 1x"
    )
    assert amplify(EqualityHashing(bits=3, repetitions=1), 3).play(1, 1).answer == 1


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ((8, 0), "x must be at least 0 and below 8, the number of inputs of Alice, not 8"),
        ((0, -1), "y must be at least 0 and below 8, the number of inputs of Bob, not -1"),
        (("seven", 0), "'seven' is not a label of an input of Alice; the labels are 0, 1, 2"),
    ],
)
def test_unknown_inputs_are_refused(inputs, message):
    for P in (deterministic_cost("greater_than:n=8").protocol, EqualityHashing(3, 1)):
        with pytest.raises(DomainError, match=message):
            P.play(*inputs)
    with pytest.raises(DomainError, match="seed must be at least 0, not -1"):
        EqualityHashing(3, 1).play(0, 0, seed=-1)


def test_plays_fit_80_columns_whatever_the_labels_are():
    names = [f"a\n{'long ' * 20}{x}" for x in range(8)]
    problem = replace(greater_than(8), alice=tuple(names), name="n" * 200)
    P = deterministic_cost(problem).protocol
    for x, y in product(range(8), range(8)):
        text = str(replace(P, problem=replace(problem, bob=problem.alice)).play(x, y))
        assert max(map(len, text.split("\n"))) < 80
        assert text.isascii()
    assert "\n" not in repr(P.play(0, 0))
