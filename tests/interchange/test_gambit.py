"""Games converted to and from Gambit: equal rational values, and Gambit's own files."""

from __future__ import annotations

import io
import random
from fractions import Fraction
from itertools import product

import pytest

from ccsim import DomainError, InstanceTooLargeError, equality, greater_than, minimax_error
from ccsim.budget import Budget, OutOfTimeError
from ccsim.communication import CommunicationProblem
from ccsim.errors import CcsimError, NotDecidedError, UnreadableInputError
from ccsim.interchange import (
    TwoPlayerGame,
    from_gambit,
    from_nfg,
    game_program,
    protocol_game,
    to_gambit,
    to_nfg,
)
from ccsim.programs import solve_linear_program, solve_matrix_game

PROBLEMS = [
    (equality(3), 2),
    (CommunicationProblem.from_matrix(["01*", "*10", "1*1"]), 2),
    (CommunicationProblem.from_matrix(["0110", "1010"]), 1),
    (greater_than(3), 2),
]
OUTCOMES = """NFG 1 R "A \\"game\\"" { "Row" "Column" }

{ { "U" "D" }
{ "L" "R" }
}
"A comment."

{
{ "won" 1, -1 }
{ "" 1/3 -1/3 }
{ "far" -2.5, 2.5 }
}
1 0 3 2
"""


TREE = b"""EFG 2 R "" { "Alice" "Bob" }
""
p "" 1 1 "" { "0" "1" } 0
p "" 2 1 "" { "0" "1" } 0
t "" 1 "" { 3, -3 }
t "" 2 "" { 1, -1 }
p "" 2 2 "" { "0" "1" } 0
t "" 3 "" { -2, 2 }
t "" 4 "" { 5, -5 }
"""


def random_game(seed):
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    rows, columns = draw.randint(1, 4), draw.randint(1, 4)
    payoff = [
        [Fraction(draw.randint(-9, 9), draw.randint(1, 7)) for _ in range(columns)]
        for _ in range(rows)
    ]
    return TwoPlayerGame.zero_sum(payoff)


def rational(number):
    return Fraction(int(number.numerator), int(number.denominator))


def values_of_gambit(game):
    """Return the first player's value by both exact methods of Gambit, in versions 16 and 17."""
    import pygambit

    theirs = to_gambit(game)
    player = next(iter(theirs.players))
    for solve in (pygambit.nash.lp_solve, pygambit.nash.lcp_solve):
        found = solve(theirs, rational=True)
        best = found.equilibria[0] if hasattr(found, "equilibria") else found.equilibrium
        yield rational(best.payoff(player) if hasattr(best, "payoff") else best.payoffs[player])


@pytest.mark.needs("pygambit")
@pytest.mark.parametrize("seed", range(8))
def test_values_are_those_of_gambit(seed):
    game = random_game(seed)
    assert set(values_of_gambit(game)) == {game.solve().value}


@pytest.mark.parametrize(("problem", "messages"), PROBLEMS)
def test_the_game_of_a_number_of_messages_has_the_least_error_as_its_value(problem, messages):
    game = protocol_game(problem, messages)
    value = minimax_error(problem, messages).value
    assert solve_linear_program(game_program(game)).value == game.solve().value == value


@pytest.mark.needs("pygambit")
@pytest.mark.parametrize(("problem", "messages"), PROBLEMS)
def test_gambit_finds_the_value_of_the_game_of_a_number_of_messages(problem, messages):
    value = minimax_error(problem, messages).value
    assert set(values_of_gambit(protocol_game(problem, messages))) == {value}


def test_protocols_left_out_do_not_matter():
    problem = PROBLEMS[1][0]
    rows, columns = range(len(problem.alice)), range(len(problem.bob))
    inputs = [(x, y) for x, y in product(rows, columns) if problem.value(x, y) is not None]
    payoff = [
        [
            int(answer[2 * y + sent[x]] != problem.value(x, y))
            for sent in product(range(2), repeat=3)
            for answer in product(range(2), repeat=6)
        ]
        for x, y in inputs
    ]
    game = protocol_game(problem, 2)
    assert game.solve().value == solve_matrix_game(payoff).value
    assert set(zip(*game.first, strict=True)) <= set(zip(*payoff, strict=True))


def test_strategies_say_what_they_are():
    game = protocol_game(CommunicationProblem.from_matrix(["01", "10"], ["a", "b"], ["c", "d"]), 2)
    assert game.strategies[0] == ("a,c", "a,d", "b,c", "b,d")
    place = game.strategies[1].index("{a} -> {d}; {b} -> {c}")
    assert {row[place] for row in game.first} == {0}


@pytest.mark.parametrize("seed", range(4))
def test_a_game_comes_back_as_it_went(seed):
    game = random_game(seed)
    assert from_nfg(to_nfg(game)) == game


@pytest.mark.needs("pygambit")
@pytest.mark.parametrize("seed", range(4))
def test_a_game_comes_back_from_gambit_as_it_went(seed):
    game = random_game(seed)
    assert from_gambit(to_gambit(game)) == game


def test_names_come_back_as_they_went():
    names = (['a "b"', "\\", "\\\"'"], ["{x}", "", "1, 2", "é"])
    game = TwoPlayerGame.zero_sum([[1, 2, 3, 4]] * 3, names, ('p"', "q\\"), 't "\\')
    assert from_nfg(to_nfg(game)) == game


def test_outcomes_are_read():
    game = from_nfg(OUTCOMES)
    assert game.title == 'A "game"'
    assert game.strategies == (("U", "D"), ("L", "R"))
    assert game.first == ((1, Fraction(-5, 2)), (0, Fraction(1, 3)))
    assert game.solve().value == Fraction(2, 23)


@pytest.mark.needs("pygambit")
def test_an_extensive_game_is_read_in_strategic_form():
    import pygambit

    game = from_gambit(pygambit.read_efg(io.BytesIO(TREE)))
    assert (len(game.strategies[0]), len(game.strategies[1])) == (2, 4)
    assert game.solve().value == 1  # who moves first gets max over 0, 1 of the least entry


def test_a_game_with_a_constant_sum_is_solved_and_another_is_not():
    constant = from_nfg('NFG 1 D "" { "a" "b" } { 2 2 } 3 1 1 3 1 3 3 1')
    assert (constant.constant, constant.solve().value) == (4, 2)
    prisoners = from_nfg('NFG 1 R "" { "a" "b" } { 2 2 } 2 2 3 0 0 3 1 1')
    for asked in (prisoners.solve, lambda: game_program(prisoners)):
        with pytest.raises(DomainError, match="constant sum"):
            asked()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "EFG 2 R",
        'NFG 2 R "" { "a" "b" } { 1 1 } 0 0',
        'NFG 1 R { "a" "b" } { 1 1 } 0 0',
        'NFG 1 R "" { "a" "b" "c" } { 1 1 1 } 0 0 0',
        'NFG 1 R "" { "a" "b" } { 0 1 }',
        'NFG 1 R "" { "a" "b" } { 1 1.5 } 0 0',
        'NFG 1 R "" { "a" "b" } { 1 1 } 0',
        'NFG 1 R "" { "a" "b" } { 1 1 } 0 0 0',
        'NFG 1 R "" { "a" "b" } { 1 1 } 0 nan',
        'NFG 1 R "" { "a" "b" } { 1 1 } 0 1/0',
        'NFG 1 R "" { "a" "b" } { { "s" } { } } 0 0',
        'NFG 1 R "" { "a" "b" } { { "s" } { "t" }',
        'NFG 1 R "" { "a" "b" } { { "s" } { "t" } } { { "o" 1, 2 } } 2',
        'NFG 1 R "" { "a" "b" } { { "s" } { "t" } } { { "o" 1, 2, 3 } } 1',
        'NFG 1 R "" { "a" "b } { 1 1 } 0 0',
        'NFG 1 R "" { "a" "b" } { 1 9999999 } 0 0',
    ],
)
def test_what_is_no_game_of_two_players_is_refused_in_one_line(text):
    with pytest.raises(CcsimError) as refused:
        from_nfg(text)
    assert isinstance(refused.value, UnreadableInputError | InstanceTooLargeError)
    assert "\n" not in str(refused.value)


def test_games_that_are_too_large_are_refused_before_work():
    for asked in (equality(6), equality(2000)):
        with pytest.raises(InstanceTooLargeError, match="more than 4096 deterministic protocols"):
            protocol_game(asked, 3)
    assert len(protocol_game(equality(10), 1).strategies[1]) == 1024
    with pytest.raises(DomainError, match="messages must be at least 1"):
        protocol_game(equality(2), 0)
    with pytest.raises(NotDecidedError):
        protocol_game(equality(4), 2, time_limit=0)


def test_wrong_objects_are_refused():
    with pytest.raises(DomainError, match="must be a TwoPlayerGame"):
        to_gambit([[1]])
    with pytest.raises(DomainError, match=r"must be a pygambit\.Game"):
        from_gambit([[1]])
    with pytest.raises(DomainError):
        TwoPlayerGame.zero_sum([])
    with pytest.raises(DomainError):
        TwoPlayerGame.zero_sum([[1, 2], [3]])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('NFG 1 R ""\n{ "a" "b" }\n{ 1 1 }\n0\nx', "line 5: a payoff must be a fraction p/q .*'x'"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } 0 1e999999', "line 1: .* of at most 4000 digits"),
        (
            'NFG 1 R ""\n{ "a" "b" "c" } { 1 1 1 } 0 0 0',
            "line 2: the game must have 2 players, not 3; .*nash",
        ),
        (
            'EFG 2 R "" { "a" "b" }',
            "line 1: expected a strategic game, found an extensive one .*from_gambit",
        ),
        ('NFG 1 R "" { "a" "b }', "line 1: unexpected '\"'"),
        ('NFG 1 R "" { "a" "b" } { 1 2 }\n\n1 1 2', "line 3: expected a payoff, found the end"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } 0 0\n"', "line 2: unexpected '\"'"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } 0 0\n7', "line 2: more payoffs than pairs of strategies"),
    ],
)
def test_refusals_name_the_line(text, reason):
    with pytest.raises(UnreadableInputError, match=reason):
        from_nfg(text)


def test_reading_respects_a_time_limit():
    with pytest.raises(OutOfTimeError), Budget(0).heard():
        from_nfg(OUTCOMES)
