"""Hardest distributions for fractional choices of answers, compared with the definition."""

from fractions import Fraction
from itertools import product

import pytest

from ccsim import CommunicationProblem, equality, evaluation_problem, intervals, minimax_error
from ccsim.budget import Budget
from ccsim.classes import random_class
from ccsim.communication.partitions.answers import AnswerSearch
from ccsim.communication.public_coins import search as searches
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.communication.public_coins.orbit_game import OrbitGame
from ccsim.communication.public_coins.search import ProtocolSearch, relaxed_weights
from ccsim.programs import LinearProgram, solve_linear_program
from ccsim.symmetry.matrix import symmetries_of


def fractions_of_answers(problem, messages, weights=None):
    """Return the exact error of the fractional relaxation: worst cell, or weighted mean."""
    rows, answers = range(len(problem.alice)), [*product((0, 1), repeat=len(problem.bob))]
    wrong = {
        (x, y): [int(q[y] != problem.value(x, y)) for q in answers] for x, y in problem.inputs()
    }
    number = len(answers)
    chosen = range(len(rows) * number, (len(rows) + 1) * number)  # after what rows are sent to
    last, total = chosen[-1] + 1, sum((weights or {}).values())
    constraints = [(dict.fromkeys(chosen, 1), "<=", messages)]
    for x in rows:
        sent = range(x * number, (x + 1) * number)
        constraints.append((dict.fromkeys(sent, 1), "=", 1))
        constraints += [({z: 1, y: -1}, "<=", 0) for z, y in zip(sent, chosen, strict=True)]
    errors = {
        (x, y): {x * number + i: 1 for i, w in enumerate(listed) if w}
        for (x, y), listed in wrong.items()
    }
    if weights is None:
        constraints += [(form | {last: -1}, "<=", 0) for form in errors.values()]
    else:
        mean = dict.fromkeys(range(last), Fraction(0))
        for cell, w in weights.items():
            for variable in errors[cell]:
                mean[variable] += Fraction(w, total)
        constraints.append((mean | {last: -1}, "<=", 0))
    program = LinearProgram.minimise([0] * last + [1], constraints)
    return solve_linear_program(program).value


def relaxed(problem, messages, *, symmetric):
    """Return the weights of cells that the package finds."""
    moves = symmetries_of(problem.ones, len(problem.bob), problem.promise) if symmetric else ()
    reduced = reduce_problem(problem)
    inner = [g.restricted(reduced.rows, reduced.columns) for g in moves]
    game = OrbitGame(reduced, messages, inner)
    weights = relaxed_weights(game, reduced, inner, Budget())
    cells = ((reduced.rows[x], reduced.columns[y]) for x, y in game.cells)
    return dict(zip(cells, weights, strict=True))


PARTIAL = CommunicationProblem.from_matrix([[0, 1, "*"], [1, "*", 0], [1, 1, 1], ["*", 0, 1]])


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize(
    ("problem", "messages"),
    [
        (equality(3), 2),
        (evaluation_problem(intervals(3)), 3),
        (evaluation_problem(intervals(3)), 5),
        (evaluation_problem(random_class(6, 3, 2)), 2),
        (PARTIAL, 2),
    ],
)
def test_no_distribution_is_harder_for_fractions_of_answers(problem, messages, symmetric):
    weights = relaxed(problem, messages, symmetric=symmetric)
    value = fractions_of_answers(problem, messages)
    forced = fractions_of_answers(problem, messages, weights)
    assert abs(forced - value) < Fraction(1, 10**9)
    assert value > 0
    even = fractions_of_answers(problem, messages, dict.fromkeys(weights, 1))
    assert even < value - Fraction(1, 1000) or len({*weights.values()}) == 1


def test_potentials_alone_prove_what_fractions_err():
    problem = evaluation_problem(intervals(6))
    weights = relaxed(problem, 19, symmetric=True)
    matrix = [
        [weights[x, y] * (2 * problem.value(x, y) - 1) for y in range(6)]
        for x in range(len(problem.alice))
    ]
    found = AnswerSearch(matrix, 19)
    assert Fraction(found.lower, sum(weights.values())) == Fraction(3, 101)
    assert len(found.tree().nodes) == 1


def test_hardest_distribution_is_priced_before_any_protocol_is():
    """Otherwise, the weights remain far from the hardest distribution until the search ends."""
    problem = evaluation_problem(intervals(6))
    moves = symmetries_of(problem.ones, len(problem.bob), problem.promise)
    search = ProtocolSearch(reduce_problem(problem), 19, moves, None, Budget())
    search.run(None, target=Fraction(1, 50))  # which ends it at once
    assert search.lower == Fraction(3, 101)


def test_too_many_pairs_are_left_out(monkeypatch):
    reduced = reduce_problem(equality(3))
    game = OrbitGame(reduced, 2, ())
    assert relaxed_weights(game, reduced, (), Budget()) is not None
    assert relaxed_weights(game, reduced, (), Budget(0)) is None
    monkeypatch.setattr(searches, "_PAIRS", 3 * 8)
    assert relaxed_weights(game, reduced, (), Budget()) is not None
    monkeypatch.setattr(searches, "_PAIRS", 3 * 8 - 1)
    assert relaxed_weights(game, reduced, (), Budget()) is None


def test_pairs_are_counted_up_to_symmetry(monkeypatch):
    problem = equality(3)
    reduced, moves = reduce_problem(problem), symmetries_of(problem.ones, 3, problem.promise)
    monkeypatch.setattr(searches, "_FORMS", 12)
    for symmetries in (moves, ()):
        game = OrbitGame(reduced, 2, symmetries)
        found = relaxed_weights(game, reduced, symmetries, Budget())
        assert (found is None) == (not symmetries)


@pytest.mark.slow
def test_intervals_on_7_points_with_27_messages():
    result = minimax_error(evaluation_problem(intervals(7)), 27)
    assert result.value == Fraction(3, 217)
    result.check()
