"""Problems with few inputs of Bob: search over choices of his answers, and proofs."""

import json
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from ccsim import evaluation_problem, halfspaces, intervals, kernel, minimax_error, native
from ccsim.budget import Budget
from ccsim.classes import random_class
from ccsim.communication.partitions import answers as searches
from ccsim.communication.partitions.answers import AnswerSearch, searched_answers
from ccsim.communication.public_coins import search
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.communication.public_coins.orbit_game import simple_distribution
from ccsim.communication.public_coins.search import ProtocolSearch
from ccsim.kernel.answers import choices
from ccsim.kernel.rules import WORK, Work
from ccsim.symmetry.matrix import symmetries_of


def least_by_definition(weights, messages):
    """Return the minimum cost over all choices of answers; each row takes the best answer."""
    columns = len(weights[0])
    errors = [
        [sum(abs(w) for w, v in zip(row, q, strict=True) if (w > 0) != v) for row in weights]
        for q in product((False, True), repeat=columns)
    ]
    number = min(messages, len(errors))
    return min(sum(map(min, zip(*q, strict=True))) for q in combinations(errors, number))


@pytest.mark.parametrize("scale", [1, 10**7, 10**30])
def test_search_finds_the_least_cost_of_all_choices(scale):
    rng = np.random.default_rng(3)
    for rows, columns, messages in product((5, 9), (2, 3), (2, 3, 4)):
        weights = [
            [int(w) * scale + int(rng.integers(3)) for w in row]
            for row in rng.integers(-5, 6, (rows, columns))
        ]
        found = AnswerSearch(weights, messages)
        assert found.lower == found.cost == least_by_definition(weights, messages)
        assert found.tree().bound == found.lower


def cyclic(seed):
    """Return weights with a symmetry that rotates rows and columns and flips the last column."""
    row = np.random.default_rng(seed).integers(-6, 7, 4).tolist()
    turned = [row]
    for _ in range(7):
        row = [-row[-1], *row[:-1]]
        turned.append(row)
    return turned


@pytest.mark.parametrize("messages", [2, 3, 5])
def test_symmetries_change_no_bound(messages):
    for seed in range(4):
        weights = cyclic(seed)
        plain = AnswerSearch(weights, messages)
        found = AnswerSearch(weights, messages, moves=[((1, 2, 3, 0), 0b1000)])
        assert found.lower == found.cost == plain.cost == least_by_definition(weights, messages)


def test_rows_and_columns_without_weight_are_left_out():
    found, parts = searched_answers([[0, 2, -1], [0, 0, 0], [0, -1, 1]], 2, (), Budget())
    assert found.lower == 0
    assert len(parts[0]) == 3
    assert len(found.tree().nodes[0][1]) == 2


def test_a_search_that_is_ended_leaves_a_bound(monkeypatch):
    concepts = halfspaces(1, 3)
    weights = [[1 if row >> y & 1 else -1 for y in range(8)] for row in concepts.rows]
    whole = AnswerSearch(weights, 4)
    monkeypatch.setattr("ccsim.communication.partitions.answers._NODES", 20)
    found = AnswerSearch(weights, 4)
    assert 0 < found.lower < whole.lower == whole.cost <= found.cost
    assert found.tree().bound == found.lower
    loose = AnswerSearch(weights, 4, slack=5)
    assert whole.cost - 5 <= loose.lower < whole.cost


@pytest.mark.parametrize(
    ("rows", "answers", "messages"), [(22, 64, 4), (9, 8, 1), (40, 16, 7), (300, 4, 2)]
)
def test_loops_in_c_and_in_numpy_do_the_same(monkeypatch, rows, answers, messages):
    rng = np.random.default_rng(rows)
    errors = rng.random((rows, answers)) / rows
    status = rng.choice([0, 0, 0, 1, 2], answers).astype(np.int8)
    starts = rng.random((6, answers)).argsort(axis=1)[:, :messages].copy()
    both = []
    for _ in range(2):
        potentials, choices = errors.mean(axis=1), starts.copy()
        favour, chosen = searches.improve_potentials(errors, potentials, status, messages, 2, 30)
        searches.swap_answers(errors, choices)
        both.append((potentials, favour, chosen, choices))
        monkeypatch.setattr(native, "engine", lambda: None)
    for here, there in zip(*both, strict=True):
        assert np.array_equal(here, there)
    costs = errors[:, both[0][3]].min(axis=2).sum(axis=0)
    assert (costs <= errors[:, starts].min(axis=2).sum(axis=0)).all()
    assert messages == 1 or not np.array_equal(both[0][3], starts)


def test_without_the_engine_the_search_ends_with_the_same_cost(monkeypatch):
    weights = [[1 if row >> y & 1 else -1 for y in range(8)] for row in halfspaces(1, 3).rows[:90]]
    known = AnswerSearch(weights, 4)
    monkeypatch.setattr(native, "engine", lambda: None)
    found = AnswerSearch(weights, 4)
    assert found.lower == found.cost == known.cost
    assert found.tree().bound == found.lower


def test_a_simple_distribution_that_is_not_hardest_does_not_end_the_search():
    """Its best protocol is already known, so the exact distribution is priced as well."""
    result = minimax_error(evaluation_problem(random_class(21, 5, 1)), 20)
    assert result.exact
    result.check()


def test_of_equally_hard_distributions_the_simplest_is_returned():
    """Rounded float weights prove the same bound here."""
    adjacent = [[0, 1, 1, 0, 1], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [1, 0, 0, 1, 0]]
    result = minimax_error(adjacent, 2)
    result.check()
    assert result.value == Fraction(1, 4)
    assert max(p.denominator for p in result.distribution.as_mapping().values()) < 100


def test_simple_distributions_are_those_that_floats_are_next_to():
    assert simple_distribution([0.25, 0.75]) == [Fraction(1, 4), Fraction(3, 4)]
    assert simple_distribution([0.25, 0.75 + 1e-6]) is None


def altered(certificate, change):
    other = json.loads(json.dumps(certificate))
    change(other["lower"]["hard_distribution"]["proof"]["choices"])
    return other


def lower_some(choices):
    """Set the potentials of every node to 0."""
    for node in choices["nodes"]:
        if node["potentials"] is not None:
            node["potentials"] = [0] * len(node["potentials"])


def forget_images(choices):
    choices["symmetries"] = []


def end_early(choices):
    del choices["nodes"][-1]


def claim_more(choices):
    choices["bound"] += 1


@pytest.mark.parametrize(
    ("problem", "messages", "value", "changes"),
    [
        (intervals(6), 8, Fraction(14, 101), [lower_some, claim_more, end_early]),
        (intervals(6), 11, Fraction(11, 101), [lower_some, claim_more]),
        pytest.param(
            halfspaces(1, 3),
            5,
            Fraction(991907, 3928248),
            [lower_some, claim_more, end_early, forget_images],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_values_that_the_kernel_accepts(problem, messages, value, changes):
    result = minimax_error(evaluation_problem(problem), messages)
    assert result.value == value
    certificate = json.loads(result.certificate().to_json())
    kernel.check(certificate)
    for change in changes:
        with pytest.raises(kernel.Rejected):
            kernel.check(altered(certificate, change))


def test_random_problems_have_values_between_their_neighbours():
    problem = evaluation_problem(random_class(24, 5, 1))
    results = [minimax_error(problem, k) for k in (4, 5, 20)]
    for result in results:
        assert result.exact
        result.check()
    assert results[0].value > results[1].value > results[2].value > 0


def test_distribution_for_fewer_messages_is_priced(monkeypatch):
    """One distribution is the hardest for 8 to 20 messages; its bound is 3/101 for 19 messages."""
    monkeypatch.setattr(search, "relaxed_weights", lambda *_: None)  # which finds it as well
    problem = evaluation_problem(intervals(6))
    reduced = reduce_problem(problem)
    moves = symmetries_of(problem.ones, len(problem.bob), problem.promise)
    before, after, alone = (ProtocolSearch(reduced, k, moves, None, Budget()) for k in (18, 19, 19))
    before.run(None)
    assert before.lower == Fraction(4, 101)
    after.run(before, target=Fraction(1, 50))  # which ends it at once
    assert (after.lower, after.hard) == (Fraction(3, 101), before.hard)
    alone.run(None, target=Fraction(1, 50))
    assert Fraction(1, 50) < alone.lower < Fraction(3, 101)


@pytest.mark.parametrize("steps", [1 << 14, 1 << 15, 1 << 16])
def test_bound_is_one_that_the_kernel_has_the_steps_for(monkeypatch, steps):
    problem, coins = evaluation_problem(intervals(7)), np.random.default_rng(3)
    weights = [
        [(2 * problem.value(x, y) - 1) * int(coins.integers(50, 100)) for y in range(7)]
        for x in range(29)
    ]
    whole = AnswerSearch(weights, 8)
    assert whole.lower == whole.cost
    monkeypatch.setattr(searches, "_KERNEL", steps)
    part = AnswerSearch(weights, 8)
    assert whole.cost * 0.9 < part.lower < part.cost == whole.cost
    proved = []
    for found in (whole, part):
        tree, work = found.tree().to_json(), Work()
        token = WORK.set(work)
        proved.append(choices(weights, list(range(7)), [], 8, tree["bound"], tree["nodes"]))
        WORK.reset(token)
    assert proved == [whole.lower, part.lower]
    assert work.left > Work().left - steps - (29 << 8)  # and the table of what answers err
