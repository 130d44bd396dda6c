"""Matrix games: values, strategies that prove them, and altered strategies that do not."""

# ruff: noqa: S311 - seeds, not secrets

from dataclasses import replace
from fractions import Fraction
from itertools import chain, product, repeat
from math import lcm
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.budget import Budget, OutOfTimeError
from ccsim.errors import CertificateError, DomainError
from ccsim.programs import enclose_matrix_game, solve_matrix_game
from ccsim.programs.game import GameProgram, GrowingGame, solve_integer_game
from ccsim.programs.integer_program import run_simplex
from tests.cases import every
from tests.strategies import matrices

HADAMARD = [[1 - 2 * ((i & j).bit_count() & 1) for j in range(8)] for i in range(8)]
SHAPES = [(1, 1), (1, 5), (5, 1), (2, 2), (2, 6), (6, 2), (4, 4), (5, 7), (7, 5)]
HUGE = 10**40


def check(result):
    """Check by the kernel, or by substitution if the common denominator is too long to write."""
    if lcm(*(a.denominator for row in result.payoff for a in row)).bit_length() <= 13000:
        result.check()
        return
    lower, upper = (getattr(result, name, None) for name in ("lower", "upper"))
    x, y = result.row_strategy, result.column_strategy
    assert sum(x) == sum(y) == 1
    assert min(*x, *y) >= 0
    for column in zip(*result.payoff, strict=True):
        gain = sum(p * a for p, a in zip(x, column, strict=True))
        assert gain >= (result.value if lower is None else lower)
    for row in result.payoff:
        loss = sum(q * a for q, a in zip(y, row, strict=True))
        assert loss <= (result.value if upper is None else upper)


def plain(rng, m, n):
    return [[rng.randint(-9, 9) for _ in range(n)] for _ in range(m)]


def zero_one(rng, m, n):
    return [[rng.randint(0, 1) for _ in range(n)] for _ in range(m)]


def low_rank(rng, m, n):
    left, right = plain(rng, m, 1), plain(rng, 1, n)
    return [[a[0] * b for b in right[0]] for a in left]


def repeated(rng, m, n):
    rows = zero_one(rng, 2, n)
    return [rng.choice(rows) for _ in range(m)]


def wide(rng, m, n):
    return [[rng.choice([0, 1, -1, HUGE, -HUGE, HUGE + 1]) for _ in range(n)] for _ in range(m)]


def fractional(rng, m, n):
    return [
        [Fraction(rng.randint(-9, 9), rng.choice([1, 3, 7, HUGE])) for _ in range(n)]
        for _ in range(m)
    ]


KINDS = [plain, zero_one, low_rank, repeated, wide, fractional]
GAMES = [
    [[0]],
    [[5] * 4] * 3,
    [[int(i == j) for j in range(6)] for i in range(6)],
    HADAMARD,
    [row[1:] for row in HADAMARD],
    [[0, HUGE], [1, 0]],
    [[0, 1, -1], [-1, 0, 1], [1, -1, 0]],
    [[10**400, 0], [0, 1]],
    *(kind(Random(i), *SHAPES[i % len(SHAPES)]) for i in range(32) for kind in KINDS),
]


def value_by_pivoting(game):
    """Return the value by the exact simplex method from the slack basis, without floats."""
    scale = 1
    for row in game:
        for entry in row:
            scale *= Fraction(entry).denominator
    integers = [[int(entry * scale) for entry in row] for row in game]
    program = GameProgram(integers)
    _, x, y = program.read(run_simplex(program.program))
    gains = [sum(p * row[j] for p, row in zip(x, integers, strict=True)) for j in range(len(y))]
    assert sum(x) == sum(y) == 1
    assert min(*x, *y) >= 0
    assert min(gains) == max(sum(p * a for p, a in zip(y, row, strict=True)) for row in integers)
    return min(gains) / scale


def test_there_are_200_games():
    assert len(GAMES) == 200


@every("game", GAMES)
def test_value_is_that_of_exact_pivoting_and_is_proved(game):
    solution = solve_matrix_game(game)
    check(solution)
    assert solution.value == value_by_pivoting(game)


@pytest.mark.parametrize(
    ("game", "value"),
    [
        ([[int(i == j) for j in range(6)] for i in range(6)], Fraction(1, 6)),
        (HADAMARD, 1),  # the first row and the first column are ones
        ([row[1:] for row in HADAMARD[1:]], Fraction(-1, 7)),
        ([[0, HUGE], [1, 0]], Fraction(HUGE, HUGE + 1)),
        ([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], 0),
        ([["1/2", "0.25"]], Fraction(1, 4)),
        ([["1/2"], ["0.25"]], Fraction(1, 2)),
    ],
)
def test_known_values(game, value):
    assert solve_matrix_game(game).value == value


def test_pure_saddle_points_of_all_games_of_two_by_two():
    for a, b, c, d in product(range(3), repeat=4):
        lower, upper = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
        mixed = Fraction(a * d - b * c, a + d - b - c) if a + d != b + c else None
        assert solve_matrix_game([[a, b], [c, d]]).value == (lower if lower == upper else mixed)


@settings(max_examples=50, derandomize=True, deadline=None)
@given(matrices(st.integers(-3, 3)), st.integers(1, 5), st.integers(-5, 5))
def test_value_obeys_scaling_shifting_and_exchange_of_players(game, factor, shift):
    value = solve_matrix_game(game).value
    scaled = [[factor * entry + shift for entry in row] for row in game]
    exchanged = [[-entry for entry in column] for column in zip(*game, strict=True)]
    assert solve_matrix_game(scaled).value == factor * value + shift
    assert solve_matrix_game(exchanged).value == -value


@settings(max_examples=50, derandomize=True, deadline=None)
@given(matrices(st.integers(-3, 3)))
def test_dominated_strategies_change_nothing(game):
    worse_row = [min(column) - 1 for column in zip(*game, strict=True)]
    worse = [[*row, max(row) + 1] for row in game]
    value = solve_matrix_game(game).value
    assert solve_matrix_game([*game, worse_row]).value == value
    assert solve_matrix_game(worse).value == value


def test_pivoting_decides_when_floats_cannot_tell_the_entries_apart():
    game = [[HUGE + 1, HUGE], [HUGE, HUGE + 2], [0, 3 * HUGE], [HUGE, HUGE]]
    solution = solve_matrix_game(game)
    check(solution)
    assert solution.value == value_by_pivoting(game)


def long_denominators(rng, m, n):
    return [
        [Fraction(rng.randint(-(10**300), 10**300), rng.randint(1, 10**300)) for _ in range(n)]
        for _ in range(m)
    ]


def far_apart(rng, m, n):
    return [
        [rng.choice([1, -1]) * Fraction(10) ** rng.randint(-200, 200) for _ in range(n)]
        for _ in range(m)
    ]


def hardly_apart(rng, m, n):
    rows = repeated(rng, m, n)
    return [
        [a + (i == j) * Fraction(1, 10**200) for j, a in enumerate(row)]
        for i, row in enumerate(rows)
    ]


@pytest.mark.parametrize("kind", [long_denominators, far_apart, hardly_apart])
@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5)])
def test_numbers_of_hundreds_of_digits_have_the_value_of_pivoting(kind, shape):
    game = kind(Random(0), *shape)
    solution = solve_matrix_game(game)
    check(solution)
    assert solution.value == value_by_pivoting(game)
    bounds = enclose_matrix_game(game)
    check(bounds)
    assert bounds.lower <= solution.value <= bounds.upper


@pytest.mark.parametrize(
    ("game", "method"),
    [
        (long_denominators(Random(1), 9, 10), "basis"),
        (far_apart(Random(1), 12, 12), "pivoting"),
        (hardly_apart(Random(1), 20, 20), "pivoting"),
        ([[Fraction(1, i + j + 1) for j in range(40)] for i in range(40)], "basis"),
    ],
)
def test_larger_games_of_such_numbers_end(game, method):
    solution = solve_matrix_game(game)
    check(solution)
    assert solution.method == method


def test_methods_are_named():
    assert solve_integer_game([[0, 1], [1, 0]])[3] == "basis"
    assert {solve_matrix_game(game).method for game in GAMES} == {"basis", "pivoting"}


def test_growing_game_falls_with_every_column_that_helps_the_minimiser():
    game = GrowingGame(3)
    values = []
    for paid in ([0, 1, 2], [0, 1], [1, 2], [0, 2], []):
        game.add_column(paid)
        value, strategy = game.solve()
        values.append(value)
        assert sum(strategy) == pytest.approx(1)
    assert values == pytest.approx([1, 1, 1, 2 / 3, 0])


def test_growing_game_that_time_ended_is_solved_when_there_is_time():
    rng, rows = Random(11), 80
    game = GrowingGame(rows)
    for _ in range(120):
        game.add_column(range(rows), [rng.random() for _ in range(rows)])
    # only the solver's clock moves
    with pytest.raises(OutOfTimeError):
        game.solve(Budget(1e-6, clock=lambda: 0.0))
    value, strategy = game.solve()
    paid = [sum(column) for column in (strategy, game.column_strategy())]
    assert paid == pytest.approx([1, 1])
    assert 0.3 < value < 0.5


def test_growing_game_goes_on_where_the_budget_has_more_time_than_the_solver_was_given():
    rng, rows = Random(11), 80
    game, times = GrowingGame(rows), chain([0.0, 10 - 1e-6], repeat(0.0))
    for _ in range(120):
        game.add_column(range(rows), [rng.random() for _ in range(rows)])
    value, _ = game.solve(Budget(10, clock=times.__next__))
    assert 0.3 < value < 0.5


def test_growing_game_that_is_solved_roughly_ends_in_a_corner_when_it_is_solved():
    rng, rows = Random(12), 60
    rough, exact = GrowingGame(rows), GrowingGame(rows)
    for _ in range(3):
        for _ in range(40):
            column = [rng.random() for _ in range(rows)]
            rough.add_column(range(rows), column)
            exact.add_column(range(rows), column)
        about, distribution = rough.solve(roughly=True)
        value, corner = exact.solve()
        assert about == pytest.approx(value, abs=5e-3)
        assert about != value
        assert sum(distribution) == pytest.approx(1)
        assert sum(w > 1e-9 for w in distribution) > sum(w > 1e-9 for w in corner)
        assert sum(rough.column_strategy()) == pytest.approx(1)
    found, distribution = rough.solve()
    assert found == pytest.approx(value)
    assert sum(w > 1e-9 for w in distribution) == sum(w > 1e-9 for w in corner)


def test_growing_game_that_time_ended_while_it_was_solved_roughly_is_solved_later():
    rng, rows = Random(11), 80
    game, other = GrowingGame(rows), GrowingGame(rows)
    for _ in range(120):
        column = [rng.random() for _ in range(rows)]
        game.add_column(range(rows), column)
        other.add_column(range(rows), column)
    with pytest.raises(OutOfTimeError):
        game.solve(Budget(1e-6, clock=lambda: 0.0), roughly=True)
    assert game.solve()[0] == pytest.approx(other.solve()[0])


GAME = solve_matrix_game([[2, 0, 2], [0, 3, 2]])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"value": GAME.value + Fraction(1, HUGE)}, "^lower: the bound that is proved is 6/5"),
        ({"value": GAME.value - Fraction(1, HUGE)}, "^lower: the bound that is proved is 6/5"),
        ({"row_strategy": (Fraction(1), Fraction(0))}, "^lower: the bound that is proved is 0"),
        (
            {"column_strategy": (Fraction(1), Fraction(0), Fraction(0))},
            "^upper: the bound that is proved is 2",
        ),
        ({"row_strategy": (Fraction(1, 2), Fraction(1, 3))}, "sum to 1, but sum to 5/6"),
        ({"column_strategy": (Fraction(2), Fraction(-1), Fraction(0))}, "must be at least 0"),
        ({"row_strategy": (0.5, 0.5)}, r"row_strategy of .* must be tuple\[Fraction"),
        ({"row_strategy": (Fraction(1),)}, "must have 2 entries"),
        ({"column_strategy": (Fraction(1),)}, "must have 3 entries"),
        ({"payoff": ()}, "must be a matrix"),
    ],
)
def test_altered_solutions_are_rejected(change, reason):
    GAME.check()
    with pytest.raises(CertificateError, match=reason):
        replace(GAME, **change).check()


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ([], "at least one row and one column"),
        ([[]], "at least one row and one column"),
        ([[], []], "at least one row and one column"),
        ([[1, 2], [3]], "rows of equal length"),
        ([[1], [2, 3]], "rows of equal length"),
        ([[0.5, 1]], r"payoff\[0\]\[0\] must be an exact number, not the float 0.5"),
        ([[0, 1], [True, 0]], r"payoff\[1\]\[0\] must be an int"),
        ([["1/0"]], "must be a fraction p/q"),
        ([["1e5000"]], "must be a fraction p/q"),
        ([[float("nan")]], "must be an exact number, not the float nan"),
    ],
)
def test_what_is_no_game_is_refused(game, reason):
    with pytest.raises(DomainError, match=reason):
        solve_matrix_game(game)


@pytest.mark.parametrize("game", GAMES[::7], ids=range(0, len(GAMES), 7))
@pytest.mark.parametrize("time_limit", [None, 0.0])
def test_rounded_strategies_enclose_the_value(game, time_limit):
    bounds = enclose_matrix_game(game, time_limit=time_limit)
    check(bounds)
    assert bounds.lower <= solve_matrix_game(game).value <= bounds.upper


def test_enclosures_are_narrow_where_floats_are_good():
    rng = Random(1)
    for m, n in [(12, 30), (30, 12), (20, 20)]:
        bounds = enclose_matrix_game(plain(rng, m, n))
        assert 0 <= bounds.upper - bounds.lower < Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"lower": Fraction(2)}, "^lower: the bound that is proved is"),
        ({"upper": Fraction(1)}, "^upper: the bound that is proved is|is above upper"),
        ({"row_strategy": (Fraction(1), Fraction(1))}, "sum to 1, but sum to 2"),
    ],
)
def test_altered_enclosures_are_rejected(change, reason):
    bounds = enclose_matrix_game([[2, 0, 2], [0, 3, 2]])
    check(bounds)
    with pytest.raises(CertificateError, match=reason):
        replace(bounds, **change).check()


def test_tall_and_wide_games_are_each_other_with_the_players_exchanged():
    rng = Random(2)
    tall = plain(rng, 2000, 5)
    wide_game = [[-entry for entry in column] for column in zip(*tall, strict=True)]
    one, other = solve_matrix_game(tall), solve_matrix_game(wide_game)
    one.check()
    other.check()
    assert one.value == -other.value
