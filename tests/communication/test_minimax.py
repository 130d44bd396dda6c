"""The minimax error against its definition, with both proofs, and with altered proofs."""

# ruff: noqa: S311 - seeds, not secrets

import inspect
import json
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count, islice, permutations, product
from random import Random

import numpy as np
import pytest

from ccsim import kernel
from ccsim.budget import Budget, OutOfTimeError
from ccsim.classes import (
    ConceptClass,
    all_functions,
    decision_stumps,
    k_points,
    lines,
    parities,
    thresholds,
)
from ccsim.communication.colouring import colour_conflicts, conflicts, pairwise_conflicting
from ccsim.communication.distributional import DistributionProof, distributional_error
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.minimax import communication_complexity, error_curve, minimax_error
from ccsim.communication.partitions.search import good_partitions, improve_partition
from ccsim.communication.partitions.tables import balances, cheapest_classes
from ccsim.communication.problem import (
    CommunicationProblem,
    augmented_index,
    equality,
    evaluation_problem,
    greater_than,
    index,
)
from ccsim.communication.protocols.tables import DeterministicProtocol, SymmetricProtocol
from ccsim.communication.protocols.two_party import worst_error
from ccsim.communication.public_coins.domination import Reduced, reduce_problem
from ccsim.errors import (
    CertificateError,
    DomainError,
    NotDecidedError,
)
from ccsim.exact import common_denominator
from ccsim.programs import solve_matrix_game

# --- The definition ------------------------------------------------------------------------------


@cache
def partitions(n, k):
    """Return all partitions of n inputs into exactly k classes, as bit masks."""
    if n == 0:
        return ((),) if k == 0 else ()
    bit = 1 << n - 1
    joined = [
        (*part[:i], part[i] | bit, *part[i + 1 :])
        for part in partitions(n - 1, k)
        for i in range(k)
    ]
    opened = [(*part, bit) for part in partitions(n - 1, k - 1)] if k else []
    return (*joined, *opened)


def cells_of(matrix):
    return [(x, y) for x, row in enumerate(matrix) for y, v in enumerate(row) if v is not None]


def cheapest_protocols(matrix, weights, k):
    """Return the minimum weighted error of a deterministic protocol, and errors of optimal ones."""
    n, m = len(matrix), len(matrix[0])

    def answers(members):
        balance = [0] * m
        for (x, y), w in weights.items():
            if members >> x & 1:
                balance[y] += w if matrix[x][y] else -w
        return [int(b > 0) for b in balance]

    @cache
    def cost(members):
        sums = [[0, 0] for _ in range(m)]
        for (x, y), w in weights.items():
            if members >> x & 1:
                sums[y][matrix[x][y]] += w
        return sum(min(pair) for pair in sums)

    costs = {classes: sum(map(cost, classes)) for classes in partitions(n, min(k, n))}
    least, errors = min(costs.values()), []
    for best in islice((classes for classes, c in costs.items() if c == least), 64):
        told = {x: answers(S) for S in best for x in range(n) if S >> x & 1}
        errors.append([int(told[x][y] != matrix[x][y]) for x, y in cells_of(matrix)])
    return least, errors


def value_by_definition(matrix, k):
    """Return the value of the game of inputs against all deterministic protocols.

    Best protocols are added until no protocol has smaller error under the optimal distribution.
    """
    cells = cells_of(matrix)
    _, columns = cheapest_protocols(matrix, dict.fromkeys(cells, 1), k)
    while True:
        game = solve_matrix_game(list(zip(*columns, strict=True)))
        scale = common_denominator(game.row_strategy)
        weights = [int(w * scale) for w in game.row_strategy]
        cost, cheapest = cheapest_protocols(matrix, dict(zip(cells, weights, strict=True)), k)
        if cost == game.value * scale:
            return game.value
        columns += cheapest


def value_of_whole_game(matrix, k):
    """Return the same value from the full game, over all maps of Alice and tables of Bob."""
    n, m = len(matrix), len(matrix[0])
    cells = cells_of(matrix)
    columns = {
        tuple(int((bob[alice[x]] >> y & 1) != matrix[x][y]) for x, y in cells)
        for alice in product(range(k), repeat=n)
        for bob in product(range(1 << m), repeat=k)
    }
    return solve_matrix_game(list(zip(*sorted(columns), strict=True))).value


def canonical(rows, n):
    """Return the least image of a set of rows under permutations and complements of columns."""
    images = []
    for order in permutations(range(n)):
        moved = [sum((row >> x & 1) << i for i, x in enumerate(order)) for row in rows]
        images += [tuple(sorted(row ^ flips for row in moved)) for flips in range(1 << n)]
    return min(images)


@cache
def value_of_class(rows, n, k):
    return value_by_definition([[row >> x & 1 for x in range(n)] for row in rows], k)


def check_everywhere(result):
    """Check both bounds with the package and with the kernel."""
    result.check()
    kernel.check(json.loads(result.certificate().to_json()))


@pytest.mark.parametrize(
    ("matrix", "k"),
    [
        ([[0, 1], [1, 0]], 1),
        ([[0, 1, 0], [1, 0, None], [1, 1, 1]], 1),
        ([[0, 1, 0], [1, 0, None], [1, 1, 1]], 2),
        ([[0, 1], [1, 0], [1, 1]], 2),
        ([[0, 1], [1, 0], [1, 1], [0, 0]], 2),
        ([[0, 1], [1, 0], [1, 1], [0, 0]], 3),
        ([[None, 1], [None, None], [1, 0]], 2),
    ],
)
def test_the_two_readings_of_the_definition_agree(matrix, k):
    assert value_by_definition(matrix, k) == value_of_whole_game(matrix, k)


@pytest.mark.parametrize(
    ("n", "up_to_symmetry"),
    [(1, False), (2, False), (3, True), pytest.param(3, False, marks=pytest.mark.slow)],
)
def test_least_error_is_the_definition_for_every_class_of_up_to_three_points(n, up_to_symmetry):
    seen = 0
    for chosen in range(1, 1 << (1 << n)):
        rows = [row for row in range(1 << n) if chosen >> row & 1]
        least, values = canonical(rows, n), []
        if up_to_symmetry and tuple(rows) != least:
            continue
        problem = evaluation_problem(ConceptClass.from_rows(rows, range(n)))
        for k in range(1, len(rows) + 1):
            result = minimax_error(problem, k)
            assert result.value == value_of_class(least, n, k), (rows, k)
            assert worst_error(result.protocol, problem).value == result.value
            result.check()
            values.append(result.value)
            seen += 1
        assert values == sorted(values, reverse=True)
        assert values[-1] == 0
    assert seen == (88 if up_to_symmetry else {1: 4, 2: 32, 3: 1024}[n])


def random_matrix(rng, rows=4, columns=4):
    n, m = rng.randint(1, rows), rng.randint(1, columns)
    while True:
        matrix = [[rng.choice([0, 1, 0, 1, None]) for _ in range(m)] for _ in range(n)]
        if cells_of(matrix):
            return matrix


@pytest.mark.parametrize("seed", range(60))
def test_least_error_is_the_definition_for_random_promise_problems(seed):
    matrix = random_matrix(Random(seed))
    problem = CommunicationProblem.from_matrix(matrix)
    for k in range(1, len(matrix) + 1):
        result = minimax_error(problem, k)
        assert result.value == value_by_definition(matrix, k)
        check_everywhere(result)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_least_error_is_the_definition_for_three_hundred_promise_problems(seed):
    matrix = random_matrix(Random(1000 + seed), rows=5, columns=4)
    problem = CommunicationProblem.from_matrix(matrix)
    for k in range(1, len(matrix) + 1):
        result = minimax_error(problem, k)
        assert result.value == value_by_definition(matrix, k)
        check_everywhere(result)


METHODS = {
    "orbits": {},
    "orbits, no strategy written down": {"search._EXPLICIT": 0},
    "no symmetries": {"solver.symmetries_of": lambda *_: ()},
}
"""What is changed in the solver to have it go another way."""


def by_every_method(problem, k, names=tuple(METHODS)):
    """Return the minimax error; all methods must agree, with both proofs checked."""
    for name in names:
        with pytest.MonkeyPatch.context() as patch:
            for place, value in METHODS[name].items():
                patch.setattr(f"ccsim.communication.public_coins.{place}", value)
            result = minimax_error(problem, k)
        check_everywhere(result)
        yield result


# --- Symmetries ----------------------------------------------------------------------------------


def symmetric_matrix(rng, size):
    """Return a circulant matrix with rows reversed and columns permuted, some of them flipped."""
    base = [rng.choice([0, 1, 1, 0, None]) for _ in range(size)]
    flips = [rng.randint(0, 1) for _ in range(size)]
    order = rng.sample(range(size), size)
    rows = [[base[(x + y) % size] for y in order] for x in range(size)]
    return [
        [None if v is None else v ^ flip for v, flip in zip(row, flips, strict=True)]
        for row in rows
    ]


@pytest.mark.parametrize("seed", range(15))
def test_methods_agree_where_there_are_symmetries(seed):
    rng = Random(seed)
    matrix = symmetric_matrix(rng, rng.randint(4, 6))
    if not cells_of(matrix):
        return
    problem = CommunicationProblem.from_matrix(matrix)
    for k in (2, 3):
        assert len({result.value for result in by_every_method(problem, k)}) == 1


SHORT = minimax_error(equality(10), 3)


def test_symmetric_protocols_prove_the_bound_of_a_large_equality_problem():
    assert isinstance(SHORT.protocol, SymmetricProtocol)
    check_everywhere(SHORT)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda p: p["components"][0]["bob"].__setitem__(0, "0000000000"),
            r"upper: the bound that is proved is",
        ),
        (
            lambda p: p["symmetries"][2]["rows"].reverse(),
            r"upper\.protocol\.tables\.symmetries\[2\]: the entries of column \d must be mapped",
        ),
        (
            lambda p: p["symmetries"][0].update(flips="1000000000"),
            r"upper\.protocol\.tables\.symmetries\[0\]: the entries of column \d must be mapped",
        ),
        (lambda p: p.update(symmetries=[]), r"upper: the bound that is proved is"),
    ],
)
def test_altered_symmetric_protocols_are_rejected_with_their_place(change, reason):
    certificate = json.loads(SHORT.certificate().to_json())
    change(certificate["upper"]["protocol"]["tables"])
    with pytest.raises(kernel.Rejected, match=reason):
        kernel.check(certificate)


# --- Known values --------------------------------------------------------------------------------


def with_zero(C):
    """Return the class with the constant function 0 as an additional concept."""
    return ConceptClass.from_rows([0, *C.rows], C.points)


KNOWN = [
    *((f"POINT {n}", equality(n), 1, "1/2") for n in (2, 3, 4, 5, 6, 8)),
    ("POINT 2", equality(2), 2, 0),
    ("POINT 3", equality(3), 2, "2/9"),
    ("POINT 3", equality(3), 3, 0),
    ("POINT 4", equality(4), 2, "3/13"),
    ("POINT 4", equality(4), 3, "1/8"),
    ("POINT 5", equality(5), 2, "4/15"),
    ("POINT 5", equality(5), 3, "3/20"),
    ("POINT 5", equality(5), 4, "2/25"),
    ("POINT 6", equality(6), 2, "4/15"),
    ("POINT 6", equality(6), 3, "2/13"),
    ("POINT 6", equality(6), 4, "2/19"),
    ("STUMP_3", decision_stumps(3), 2, "2/9"),
    ("STUMP_4", decision_stumps(4), 2, "3/11"),
    ("STUMP_4", decision_stumps(4), 4, 0),
    *((f"Thr_{b}", thresholds(b), 1, "1/2") for b in (1, 2, 3)),
    ("Thr_2", thresholds(2), 2, "1/4"),
    ("Thr_2", thresholds(2), 3, "1/8"),
    ("Thr_2", thresholds(2), 4, 0),
    ("Thr_3", thresholds(3), 2, "19/64"),
    ("Thr_3", thresholds(3), 4, "1/6"),
    ("Line_2", lines(2), 2, "1/4"),
    ("Line_2", lines(2), 3, "1/8"),
    ("ALL_2", all_functions(2), 2, "1/4"),
    ("ALL_2", all_functions(2), 3, "1/8"),
    ("PARITY_2", parities(2), 2, "1/4"),
    ("PARITY_3", parities(3), 4, "3/14"),
    ("THRESH_1", with_zero(thresholds(1)), 2, "1/5"),
    ("THRESH_1", with_zero(thresholds(1)), 3, 0),
    ("THRESH_2", with_zero(thresholds(2)), 2, "1/4"),
    ("THRESH_2", with_zero(thresholds(2)), 3, "1/6"),
    ("THRESH_2", with_zero(thresholds(2)), 4, "1/12"),
    ("2-POINT 4", k_points(2, 2), 2, "1/4"),
    ("2-POINT 4", k_points(2, 2), 4, "1/8"),
    ("AugIndex_2", augmented_index(2), 1, "1/2"),
    ("AugIndex_2", augmented_index(2), 2, "1/4"),
    ("AugIndex_3", augmented_index(3), 2, "1/4"),
    ("AugIndex_3", augmented_index(3), 4, "1/6"),
    ("AugIndex_3", augmented_index(3), 8, 0),
]
SLOW = [
    ("POINT 8", equality(8), 2, "9/32"),
    ("POINT 8", equality(8), 4, "5/43"),
    ("PARITY_3", parities(3), 2, "19/56"),
    ("Line_3", lines(3), 2, "26/81"),
    ("Line_3", lines(3), 4, "20/99"),
]


@pytest.mark.parametrize(
    ("name", "instance", "messages", "value"),
    [*KNOWN, *(pytest.param(*row, marks=pytest.mark.slow) for row in SLOW)],
)
def test_known_values(name, instance, messages, value):
    problem = evaluation_problem(instance) if isinstance(instance, ConceptClass) else instance
    names = tuple(METHODS)[: 3 if len(problem.alice) <= 5 else 2]  # the last one is slow
    for result in by_every_method(problem, messages, names):
        assert result.value == result.lower == result.upper == Fraction(value), name


def test_duality_exchanges_the_players_only_at_one_message():
    problem = evaluation_problem(thresholds(2).dual())
    assert minimax_error(problem, 1).value == Fraction(1, 2)


# --- Edges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        ([[0]], 0),
        ([[1]], 0),
        ([[0, 1, 1]], 0),  # one input of Alice
        ([[1, 0], [1, 0]], 0),  # constant columns only
        ([[0], [1]], Fraction(1, 2)),
        ([[None, None], [None, 1]], 0),
        ([[None], [0], [None], [1]], Fraction(1, 2)),  # rows wholly outside the promise
        ([[0, None], [None, 0], [1, None]], Fraction(1, 2)),
        ([[0, None, None], [None, 1, None], [None, None, 0]], 0),  # no two cells in a column
    ],
)
def test_one_message_errs_half_unless_every_column_is_constant(matrix, value):
    result = minimax_error(CommunicationProblem.from_matrix(matrix), 1)
    assert (result.value, result.message_bits, result.protocol.messages) == (value, 0, 1)
    check_everywhere(result)


@pytest.mark.parametrize("messages", [5, 6, 100])
def test_as_many_messages_as_inputs_never_err(messages):
    result = minimax_error(equality(5), messages)
    assert (result.value, result.method) == (0, "trivial")
    assert result.protocol.messages <= messages
    check_everywhere(result)


def test_repeated_and_covered_inputs_need_no_limit():
    rows = [[int(x % 4 == y) for y in range(8)] for x in range(40)]
    result = minimax_error(CommunicationProblem.from_matrix(rows), 2)
    assert result.value == Fraction(3, 13)
    check_everywhere(result)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((0,), "messages must be at least 1, not 0"),
        ((-2, "deterministic"), "messages must be at least 1, not -2"),
        ((2, "quantum"), "coins must be one of public, private, deterministic, not 'quantum'"),
    ],
)
def test_what_is_no_question_is_refused(arguments, reason):
    with pytest.raises(DomainError, match=reason):
        minimax_error(equality(3), *arguments)


def test_progress_is_told_bounds_that_close():
    told = []
    result = minimax_error(
        equality(5), 2, progress=lambda lower, upper: told.append((lower, upper))
    )
    assert all(lower <= float(result.value) + 1e-9 <= upper + 2e-9 for lower, upper in told)
    assert told[-1] == pytest.approx((float(result.value),) * 2, abs=1e-8)


FLIPPED = CommunicationProblem.from_matrix(
    [[0, 1, 0, 1], [1, None, 0, 0], [1, 0, 1, 1], [0, None, 1, 0], [0, 0, 0, 1]]
)

# --- Time ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("problem", [greater_than(8), equality(7), FLIPPED])
def test_what_is_proved_when_time_runs_out_are_bounds(problem):
    value = minimax_error(problem, 2).value
    for limit in (0, 0.02):
        result = minimax_error(problem, 2, time_limit=limit)
        assert result.lower <= value <= result.upper
        check_everywhere(result)
        if not result.exact:
            with pytest.raises(NotDecidedError, match="the minimax error lies between"):
                _ = result.value


@pytest.mark.parametrize(("rows", "messages"), [(20, 5), (25, 2), (10, 4)])
def test_exact_pricing_is_left_at_its_deadline(rows, messages):
    rng = Random(rows)
    weights = [[rng.randint(-9, 9) for _ in range(rows)] for _ in range(rows)]
    with pytest.raises(OutOfTimeError):
        cheapest_classes(weights, messages, Budget(0))


def test_without_the_time_to_price_all_rows_the_heaviest_prove_a_bound():
    result = minimax_error(greater_than(20), 6, time_limit=0)
    rows = {x for x, *_ in result.distribution.weights}
    assert len(rows) < 20
    assert result.lower > 0
    assert result.upper == Fraction(1, 2)  # of a fair coin, without any search
    result.check()


def test_an_interrupt_ends_the_whole_curve():
    def interrupt(_lower, _upper):
        raise KeyboardInterrupt

    curve = error_curve(greater_than(9), [3, 4, 5], progress=interrupt, time_limit=1e9)
    assert not any(result.exact for result in curve)
    for result in curve:
        result.check()


def test_an_interrupt_ends_a_search_with_a_limit_and_stops_one_without():
    def interrupt(lower, upper):
        raise KeyboardInterrupt

    result = minimax_error(greater_than(8), 3, progress=interrupt, time_limit=1e9)
    assert result.lower < Fraction(26, 123) <= result.upper
    check_everywhere(result)
    with pytest.raises(KeyboardInterrupt):
        minimax_error(greater_than(8), 3, progress=interrupt)


def test_a_curve_holds_the_values_found_one_by_one():
    for problem in (greater_than(6), FLIPPED, augmented_index(2)):
        curve = error_curve(problem)
        assert [r.messages for r in curve] == list(range(1, len(problem.alice) + 1))
        assert [r.value for r in curve] == [
            minimax_error(problem, k).value for k in range(1, len(problem.alice) + 1)
        ]
        for result in curve:
            check_everywhere(result)
    assert [r.messages for r in error_curve(equality(5), [3, 2])] == [3, 2]


@pytest.mark.parametrize("coins", ["public", "deterministic"])
def test_complexity_is_an_interval_when_time_runs_out(coins):
    for limit in (0, 1e9):
        result = communication_complexity(greater_than(6), "1/9", coins, time_limit=limit)
        exact = communication_complexity(greater_than(6), "1/9", coins)
        assert result.lower <= exact.messages <= result.upper
        assert result.exact or limit == 0
        check_everywhere(result)


# --- Deterministic protocols ---------------------------------------------------------------------


def fewest_messages(matrix):
    """Return the least number of classes without a conflict, over all partitions."""

    def fits(members):
        return all(
            len({matrix[x][y] for x in range(len(matrix)) if members >> x & 1} - {None}) < 2
            for y in range(len(matrix[0]))
        )

    n = len(matrix)
    return next(
        k for k in range(1, n + 1) if any(all(map(fits, part)) for part in partitions(n, k))
    )


@pytest.mark.parametrize("seed", range(100))
def test_deterministic_protocols_colour_the_conflicts(seed):
    matrix = random_matrix(Random(seed), rows=6)
    problem = CommunicationProblem.from_matrix(matrix)
    fewest = fewest_messages(matrix)
    assert len(pairwise_conflicting(conflicts(problem))) <= fewest
    for k in range(1, len(matrix) + 2):
        result = minimax_error(problem, k, "deterministic")
        assert result.value == int(k < fewest)
        assert isinstance(result.protocol, DeterministicProtocol)
        check_everywhere(result)


def odd_cycle(n):
    """Return a problem whose conflict graph is an odd cycle, which needs three messages."""
    matrix = [[None] * n for _ in range(n)]
    for edge in range(n):
        matrix[edge][edge], matrix[(edge + 1) % n][edge] = 0, 1
    return CommunicationProblem.from_matrix(matrix)


def test_an_odd_cycle_of_conflicts_needs_three_messages():
    problem = odd_cycle(7)
    assert len(pairwise_conflicting(conflicts(problem))) == 2
    assert colour_conflicts(problem, 2) is None
    for k in (1, 2, 3):
        check_everywhere(result := minimax_error(problem, k, "deterministic"))
        assert result.value == int(k < 3)


@pytest.mark.parametrize(
    ("problem", "messages", "value"),
    [
        (equality(60), 30, 1),
        (greater_than(60), 59, 1),
        (greater_than(60), 60, 0),
        (augmented_index(8), 255, 1),
        (augmented_index(8), 256, 0),
        (CommunicationProblem.from_matrix([[0] * 3] * 1500), 1, 0),
        (CommunicationProblem.from_matrix([[0, None]] * 150 + [[None, 1]] * 150), 1, 0),
    ],
)
def test_large_deterministic_problems_are_decided_and_checked(problem, messages, value):
    result = minimax_error(problem, messages, "deterministic")
    assert result.value == value
    result.check()


def test_a_long_promise_problem_is_coloured_without_deep_recursion():
    triangle = [[0, None, 1], [1, 0, None], [None, 1, 0]]
    problem = CommunicationProblem.from_matrix(triangle + [[None] * 3] * 150)
    depth = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(len(inspect.stack(0)) + 60)
        assert colour_conflicts(problem, 2) is None
        assert set(colour_conflicts(problem, 3)) == {0, 1, 2}
    finally:
        sys.setrecursionlimit(depth)


# --- Rejection -----------------------------------------------------------------------------------

RESULT = minimax_error(equality(4), 2)


def with_flipped_answer(result):
    first, *others = result.protocol.components
    flipped = replace(first, bob=(first.bob[0] ^ 1, *first.bob[1:]))
    return replace(result.protocol, components=(flipped, *others))


def with_other_weights(result, change):
    weights = [(x, y, change(x, y, w)) for x, y, w in result.distribution.weights]
    return HardDistribution.from_integers(weights)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"upper": Fraction(3, 14)}, "^upper: the bound that is proved is 3/13"),
        ({"lower": Fraction(1, 4)}, "^lower: the bound that is proved is 3/13"),
        ({"protocol": with_flipped_answer(RESULT)}, "^upper: the bound that is proved is"),
        (
            {
                "below": DistributionProof(
                    with_other_weights(RESULT, lambda x, y, w: w + (x == y == 0))
                )
            },
            "^lower: the bound that is proved is",
        ),
        (
            {"below": DistributionProof(HardDistribution.from_integers([(0, 9, 1)]))},
            r"must be an index below 4, not 9",
        ),
        ({"messages": 1}, r"^lower.*must be an index below 1"),
        ({"messages": 3}, "^lower"),
        ({"coins": "deterministic"}, "uses 'public' coins; the statement allows"),
        ({"coins": "private"}, "uses 'public' coins; the statement allows"),
        ({"coins": "quantum"}, "coins: must be deterministic or private or public"),
        (
            {"problem": greater_than(4)},
            "a partition into two classes costs less than the given one, 14",
        ),
    ],
)
def test_altered_results_are_rejected(change, reason):
    RESULT.check()
    with pytest.raises(CertificateError, match=reason):
        replace(RESULT, **change).check()


def test_a_result_with_symmetries_of_another_problem_is_rejected():
    result = minimax_error(equality(5), 3)
    with pytest.raises(
        CertificateError, match=r"symmetries\[0\]: the entries of column \d must be mapped"
    ):
        replace(result, problem=greater_than(5)).check()


COLOURED = minimax_error(equality(4), 4, "deterministic")
UNCOLOURED = minimax_error(equality(4), 3, "deterministic")
CYCLE = minimax_error(odd_cycle(5), 2, "deterministic")


@pytest.mark.parametrize(
    ("result", "change", "reason"),
    [
        (COLOURED, {"lower": Fraction(1), "upper": Fraction(1)}, "the bound that is proved is 0"),
        (CYCLE, {"messages": 3}, "cases have no node"),
        (COLOURED, {"lower": Fraction(1, 2)}, "the bound that is proved is 0"),
        (UNCOLOURED, {"lower": Fraction(2), "upper": Fraction(2)}, "the bound that is proved is 1"),
        (UNCOLOURED, {"upper": Fraction(0)}, "the bound that is proved is 1|is above upper"),
        (UNCOLOURED, {"coins": "public"}, "^lower"),
        (
            COLOURED,
            {"protocol": replace(COLOURED.protocol, bob=(3, 2, 4, 8))},
            "^upper: the bound that is proved is 1",
        ),
    ],
)
def test_altered_deterministic_results_are_rejected(result, change, reason):
    result.check()
    with pytest.raises(CertificateError, match=reason):
        replace(result, **change).check()


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ([], "weights must be positive integers on distinct cells"),
        ([(0, 0, 0)], "weights must be positive"),
        ([(0, 0, 1), (0, 1, -1)], "weights must be positive"),
        ([(0, 0, 1), (0, 0, 2)], "distinct cells in increasing order"),
        ([(0, 0, 1), (-1, 0, 1)], r"cells must be pairs of non-negative integers, not \(-1, 0\)"),
        ([(0, 0, 1), (0, -1, 1)], r"non-negative integers, not \(0, -1\)"),
    ],
)
def test_what_is_no_hard_distribution_is_refused(weights, reason):
    with pytest.raises(DomainError, match=reason):
        HardDistribution.from_integers(weights)


def test_a_hard_distribution_is_stored_in_lowest_terms():
    mu = HardDistribution.from_mapping({(1, 0): "2/8", (0, 1): "6/8", (0, 0): 0})
    assert mu.weights == ((0, 1, 3), (1, 0, 1))
    assert mu.as_mapping() == {(0, 1): Fraction(3, 4), (1, 0): Fraction(1, 4)}
    assert eval(repr(mu)) == mu  # noqa: S307 - the law that repr is an expression


# --- Parts of the search -------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_the_two_searches_for_the_cheapest_protocol_are_the_definition(seed):
    rng = Random(seed)
    matrix = random_matrix(rng, rows=5)
    largest = rng.choice([1, 9, 10**25])  # the last one leaves 64 bits
    weights = {cell: rng.randint(0, largest) for cell in cells_of(matrix)}
    weights[cells_of(matrix)[0]] += 1
    signed = [[0] * len(matrix[0]) for _ in matrix]
    for (x, y), w in weights.items():
        signed[x][y] = w if matrix[x][y] else -w
    mu = HardDistribution.from_integers((x, y, w) for (x, y), w in weights.items())
    problem = CommunicationProblem.from_matrix(matrix)
    for k in range(1, len(matrix) + 2):
        least, _ = cheapest_protocols(matrix, weights, k)
        cost, classes = cheapest_classes(signed, k)
        assert cost == least == cost_of(signed, classes, k)
        assert set(classes) <= set(range(k))
        result = distributional_error(problem, mu, k)
        assert result.value == Fraction(least, sum(weights.values()))
        result.check()


@pytest.mark.parametrize("rows", [2, 3, 7, 9])
def test_the_engine_finds_the_partitions_that_numpy_finds(rows, monkeypatch):
    """Small weights and equal rows give many partitions of equal cost."""
    rng = Random(rows)
    for largest in (1, 2, 9):
        signed = [[rng.randint(-largest, largest) for _ in range(4)] for _ in range(rows)]
        signed[-1] = signed[0]
        found = [cheapest_classes(signed, k) for k in range(1, rows)]
        with monkeypatch.context() as without:
            without.setattr("ccsim.native.engine", lambda: None)
            assert [cheapest_classes(signed, k) for k in range(1, rows)] == found
        beyond = 1 << 62  # integers of Python
        large = [[w * beyond for w in row] for row in signed]
        for k, (least, classes) in enumerate(found, 1):
            assert least == cost_of(signed, classes, k)
            assert cheapest_classes(large, k) == (least * beyond, classes)


def cost_of(signed, classes, k):
    """Return the weight of the errors of majority answers in each class and column."""
    total = sum(abs(w) for row in signed for w in row)
    return (total - sum(abs(b) for row in balances(signed, classes, k) for b in row)) // 2


def test_improved_partitions_are_partitions_that_no_single_move_improves():
    rng = np.random.default_rng(6)
    for rows, columns, k in ((1, 1, 1), (7, 5, 2), (12, 9, 4)):
        weights = rng.integers(-(1 << 20), 1 << 20, (rows, columns)).astype(np.int32)
        classes = rng.integers(k, size=rows)
        before = np.array([weights[classes == c].sum(axis=0) for c in range(k)])
        found = improve_partition(weights, k, classes, rng.permutation(rows))
        assert np.abs(found).sum() >= np.abs(before).sum()
        sums = [weights[classes == c].sum(axis=0) for c in range(k)]
        assert (found == np.array(sums)).all()
        for x in range(rows):
            for c in range(k):
                moved = classes.copy()
                moved[x] = c
                sums = [np.abs(weights[moved == c].sum(axis=0)).sum() for c in range(k)]
                assert sum(sums) <= np.abs(found).sum()


def test_good_partitions_are_partitions_that_no_single_move_improves():
    import numpy as np

    rng = Random(5)
    signed = [[rng.randint(-9, 9) for _ in range(5)] for _ in range(6)]
    found, costs = good_partitions(np.array(signed, float), 3, 20, np.random.default_rng(0))
    assert sorted(costs) == list(costs)
    for classes, cost in zip(found.tolist(), costs, strict=True):
        assert cost_of(signed, classes, 3) == cost
        for x, target in product(range(6), range(3)):
            moved = [*classes[:x], target, *classes[x + 1 :]]
            assert cost_of(signed, moved, 3) >= cost


@pytest.mark.parametrize("messages", [2, 3, 4, 5])
def test_few_columns_are_priced_by_their_answers_as_by_partitions(messages, monkeypatch):
    rng = Random(messages)
    signed = [[rng.randint(-9, 9) for _ in range(2)] for _ in range(7)]
    by_partitions = cheapest_classes(signed, messages)[0]
    mu = HardDistribution.from_integers(
        (x, y, abs(w)) for x, row in enumerate(signed) for y, w in enumerate(row)
    )
    problem = CommunicationProblem.from_matrix([[int(w > 0) for w in row] for row in signed])
    least = distributional_error(problem, mu, messages)
    least.check()
    monkeypatch.setattr("ccsim.communication.partitions.tables._PLAIN_ROWS", 0)
    monkeypatch.setattr("ccsim.communication.partitions.tables._PLAIN_ROWS_OF_TWO", 0)
    cost, classes = cheapest_classes(signed, messages)
    assert cost == by_partitions == cost_of(signed, classes, messages)
    total = sum(abs(w) for row in signed for w in row)
    assert least.value == Fraction(cost, total)


def test_many_inputs_of_alice_are_no_limit_where_bob_has_few():
    result = minimax_error(index(5), 2)
    assert (len(result.problem.alice), result.value) == (32, Fraction(5, 16))
    check_everywhere(result)


# --- Labels --------------------------------------------------------------------------------------

TIGHT = minimax_error(evaluation_problem(lines(3)), 4)


def test_labels_by_size_prove_the_bound_where_lines_are_one_orbit():
    assert TIGHT.value == Fraction(20, 99)
    assert len(set(TIGHT.below.labels)) == 1
    check_everywhere(TIGHT)
    check_everywhere(replace(TIGHT, below=replace(TIGHT.below, partition=None)))


@pytest.mark.parametrize("seed", range(12))
def test_distributional_errors_are_proved_by_potentials(seed):
    rng = Random(seed)
    matrix = [[rng.randrange(2) for _ in range(12)] for _ in range(7)]
    weights = {cell: rng.randint(1, 9) for cell in cells_of(matrix)}
    mu = HardDistribution.from_integers((x, y, w) for (x, y), w in weights.items())
    for k in range(2, 6):
        result = distributional_error(CommunicationProblem.from_matrix(matrix), mu, k)
        assert result.below.labels is not None
        least, _ = cheapest_protocols(matrix, weights, k)
        assert result.value == Fraction(least, mu.total)
        result.check()


@pytest.mark.parametrize("cell", range(0, 81, 10))
def test_a_weight_altered_in_one_entry_is_rejected(cell):
    certificate = json.loads(TIGHT.certificate().to_json())
    certificate["lower"]["hard_distribution"]["distribution"][cell][2] += 1
    with pytest.raises(
        kernel.Rejected, match=r"symmetries: a symmetry must preserve the weights of inputs"
    ):
        kernel.check(certificate)
    certificate["lower"]["hard_distribution"]["proof"]["partitions"]["symmetries"] = []
    with pytest.raises(kernel.Rejected, match=r"^lower"):
        kernel.check(certificate)


# --- Reduction -----------------------------------------------------------------------------------


def blown_up(rng, matrix):
    """Add dominated rows and columns, complements and constants, in random order."""
    rows = [list(row) for row in matrix]
    for _ in range(2):
        copy = list(rng.choice(rows))
        copy[rng.randrange(len(copy))] = None
        rows.append(copy)
    columns = [list(column) for column in zip(*rows, strict=True)]
    covered = [v if rng.random() < 0.7 else None for v in rng.choice(columns)]
    columns.append([None if v is None else 1 - v for v in covered])
    columns.append([None if rng.random() < 0.3 else 1 for _ in rows])
    rng.shuffle(columns)
    rows = [list(row) for row in zip(*columns, strict=True)]
    rng.shuffle(rows)
    return rows


@pytest.mark.parametrize("seed", range(40))
def test_reduction_keeps_the_value_and_its_protocols_lift(seed):
    rng = Random(seed)
    matrix = random_matrix(rng, rows=3, columns=3)
    larger = blown_up(rng, matrix)
    problem = CommunicationProblem.from_matrix(larger)
    reduced = reduce_problem(problem)
    assert len(reduced.rows) <= len(matrix)
    core = [[larger[x][y] for y in reduced.columns] for x in reduced.rows]
    for k in (1, 2, 3):
        value = value_by_definition(larger, k)
        assert value == value_by_definition(matrix, k)
        assert value == (value_by_definition(core, k) if reduced.cells() else 0)
        check_everywhere(result := minimax_error(problem, k))
        assert result.value == value
    if reduced.cells():
        again = reduce_problem(CommunicationProblem.from_matrix(core))
        assert (len(again.rows), len(again.columns)) == (len(core), len(core[0]))


def test_reduction_of_a_problem_whose_columns_are_constant_leaves_no_column():
    reduced = reduce_problem(CommunicationProblem.from_matrix([[0, 1, None], [None, 1, 0]]))
    assert reduced.columns == ()
    assert reduced.answers == ((None, 0), (None, 1), (None, 0))
    alone = DeterministicProtocol((0,), (0, 0), 0)
    assert reduced.lift(alone) == DeterministicProtocol((0, 0), (2, 2), 3)


def test_protocols_of_a_part_that_does_not_say_what_covers_an_input_can_be_lifted():
    part = Reduced(equality(3), (0, 1), (1, 2), (), ())
    assert part.cells() == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert part.values().tolist() == [[0, 0], [1, 0]]
    lifted = part.lift(DeterministicProtocol((0, 1), (1, 2), 2))
    assert lifted == DeterministicProtocol((), (0, 0), 0)


def test_one_message_is_decided_at_any_size():
    result = minimax_error(equality(200), 1)
    assert result.value == Fraction(1, 2)
    result.check()
    kernel.check(json.loads(result.certificate().to_json()))


def test_colouring_and_its_check_end_with_the_time_at_whichever_step_it_is_over():
    problem = augmented_index(3)
    whole, steps = minimax_error(problem, 4, "deterministic"), 0
    while not (found := minimax_error(problem, 4, "deterministic", time_limit=looks(steps))).exact:
        assert (found.lower, found.upper) == (0, 1)
        found.check()
        steps += 1
    assert found == whole
    assert steps > len(problem.alice)
    with pytest.raises(OutOfTimeError):
        whole.check(looks(1))


def looks(number):
    return Budget(number, clock=count().__next__)
