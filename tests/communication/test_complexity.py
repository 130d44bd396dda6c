"""Communication complexity: the minimum number of messages, with proofs of both bounds."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import count, islice

import pytest
from hypothesis import given, settings

from ccsim import kernel
from ccsim.budget import Budget
from ccsim.classes import all_functions, points, random_class, thresholds
from ccsim.communication.minimax import communication_complexity, minimax_error
from ccsim.communication.problem import (
    CommunicationProblem,
    augmented_index,
    equality,
    evaluation_problem,
    greater_than,
    index,
)
from ccsim.errors import CertificateError, DomainError
from tests.strategies import budgets, concept_classes, probabilities, problems


@pytest.mark.parametrize(
    ("problem", "error", "messages", "bits"),
    [
        (equality(4), 0, 4, 2),
        (equality(4), "1/9", 4, 2),
        (equality(4), "1/8", 3, 2),
        (equality(4), "3/13", 2, 1),
        (equality(4), "2/9", 3, 2),
        (equality(4), "1/2", 1, 0),
        (equality(6), "1/4", 3, 2),
        (greater_than(4), "1/4", 2, 1),
        (evaluation_problem(thresholds(2)), "1/8", 3, 2),
        (evaluation_problem(points(1)), "1/3", 2, 1),
        (evaluation_problem(all_functions(2)), "1/8", 3, 2),
        (augmented_index(2), "1/4", 2, 1),
        (augmented_index(3), "1/6", 4, 2),
        (index(2), 0, 4, 2),
    ],
)
def test_known_values_with_public_coins(problem, error, messages, bits):
    result = communication_complexity(problem, error)
    assert (result.messages, result.bits) == (messages, bits)
    result.check()
    kernel.check(json.loads(result.certificate().to_json()))


@pytest.mark.parametrize(
    ("problem", "messages"),
    [
        (equality(5), 5),
        (greater_than(9), 9),
        (index(3), 8),
        (augmented_index(3), 8),
        (CommunicationProblem.from_matrix([[0, 1], [0, 1], [1, 1]]), 2),
        (CommunicationProblem.from_matrix([[0, None], [None, 1], [1, 1]]), 2),
        (CommunicationProblem.from_matrix([[None, None], [None, 1]]), 1),
    ],
)
def test_known_values_of_deterministic_protocols(problem, messages):
    for error in (0, "1/2", "99/100"):  # on its worst input the error is 0 or 1
        result = communication_complexity(problem, error, coins="deterministic")
        assert result.messages == messages
        result.check()
        kernel.check(json.loads(result.certificate().to_json()))
    assert communication_complexity(problem, 1, coins="deterministic").messages == 1


@settings(max_examples=50, derandomize=True, deadline=None)
@given(concept_classes(min_points=1, min_concepts=1))
def test_deterministic_complexity_of_a_class_is_its_number_of_concepts(C):
    result = communication_complexity(evaluation_problem(C), 0, coins="deterministic")
    assert result.messages == len(C)
    result.check()


@settings(max_examples=50, derandomize=True, deadline=None)
@given(problems())
def test_deterministic_complexity_of_a_total_problem_is_its_number_of_distinct_rows(problem):
    full = (1 << len(problem.bob)) - 1
    total = replace(problem, promise=(full,) * len(problem.alice))
    result = communication_complexity(total, 0, coins="deterministic")
    assert result.messages == len(set(total.ones))


@settings(max_examples=30, derandomize=True, deadline=None)
@given(problems(), probabilities(12))
def test_complexity_is_the_first_number_of_messages_with_that_error(problem, error):
    result = communication_complexity(problem, error)
    values = [minimax_error(problem, k).value for k in range(1, result.messages + 1)]
    assert [value <= error for value in values] == [False] * (len(values) - 1) + [True]
    coinless = communication_complexity(problem, error, coins="deterministic")
    assert result.messages <= coinless.messages
    result.check()
    coinless.check()
    if error >= Fraction(1, 2):
        assert (result.messages, result.bits, result.missed) == (1, 0, None)


def test_a_search_stops_as_soon_as_a_bound_decides():
    for problem, k in [
        (greater_than(5), 3),
        (equality(5), 3),
        (evaluation_problem(random_class(6, 6, seed=1)), 2),
    ]:
        value = minimax_error(problem, k).value
        for target in (
            value / 2,
            value * Fraction(9, 10),
            value,
            value * Fraction(11, 10),
            2 * value,
        ):
            result = minimax_error(problem, k, target=target)
            result.check()
            kernel.check(json.loads(result.certificate().to_json()))
            assert result.lower <= value <= result.upper
            assert result.upper <= target if value <= target else result.lower > target
            assert result.exact or target != value or result.upper == value
        assert not minimax_error(problem, k, target=value / 2).exact
        assert not minimax_error(problem, k, target=2 * value).exact


def test_few_numbers_are_tried_and_bounds_on_the_answer_told():
    tried = []
    result = communication_complexity(
        greater_than(9), "1/9", trying=lambda k, lower, upper: tried.append((k, lower, upper))
    )
    numbers = [k for k, *_ in tried]
    assert numbers[:3] == [1, 2, 4]
    assert len(set(numbers)) == len(numbers)
    assert all(lower <= k <= upper for k, lower, upper in tried)
    assert all(lower <= result.messages <= upper for _, lower, upper in tried)


def test_an_interrupt_ends_the_whole_search_with_bounds():
    def interrupt(_lower, _upper):
        raise KeyboardInterrupt

    tried = []
    result = communication_complexity(
        greater_than(8),
        "1/9",
        progress=interrupt,
        time_limit=1e9,
        trying=lambda *n: tried.append(n),
    )
    assert [k for k, *_ in tried] == [1, 2]  # eight are known to be enough
    assert 2 <= result.lower <= communication_complexity(greater_than(8), "1/9").messages
    assert result.upper == 8
    result.check()
    with pytest.raises(KeyboardInterrupt):
        communication_complexity(greater_than(8), "1/9", progress=interrupt)


def test_progress_is_told():
    told = []
    communication_complexity(equality(3), "1/4", progress=lambda *bounds: told.append(bounds))
    assert told
    assert all(lower <= upper + 1e-9 for lower, upper in told)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("3/2",), "error must be between 0 and 1, not 3/2"),
        ((-1,), "error must be between 0 and 1, not -1"),
        ((0.25,), "error must be an exact number, not the float 0.25"),
        (("1/3", "quantum"), "coins must be one of public, private, deterministic, not 'quantum'"),
    ],
)
def test_what_is_no_question_is_refused(arguments, reason):
    with pytest.raises(DomainError, match=reason):
        communication_complexity(equality(3), *arguments)


RESULT = communication_complexity(equality(4), "1/7")  # 3 messages reach 1/8, 2 miss by 3/16
OTHER = communication_complexity(greater_than(4), "1/7")
FREE = communication_complexity(equality(4), "1/2")


@pytest.mark.parametrize(
    ("result", "change", "reason"),
    [
        (RESULT, {"error": Fraction(1, 9)}, "the protocol has error 1/8, above the stated error"),
        (RESULT, {"error": Fraction(1, 4)}, "the proved error 3/16 must be above the stated error"),
        (RESULT, {"lower": 2, "upper": 2}, "the bound that is proved is 3"),
        (RESULT, {"upper": 4}, "the bound that is proved is 3"),
        (RESULT, {"lower": 2}, "the bound that is proved is 3"),
        (RESULT, {"lower": 4}, "the bound that is proved is 3"),
        (RESULT, {"missed": None}, "the bound that is proved is 1"),
        (RESULT, {"missed": RESULT.reached}, "must be above the stated error"),
        (
            RESULT,
            {"reached": OTHER.reached},
            "must be mapped to those of column|above the stated error",
        ),
        (
            RESULT,
            {"problem": greater_than(4)},
            "the proved error 1/8 must be above the stated error",
        ),
        (RESULT, {"coins": "deterministic"}, "uses 'public' coins; the statement allows"),
        (FREE, {"error": Fraction(1, 3)}, "the protocol has error 1/2, above the stated error"),
    ],
)
def test_altered_results_are_rejected(result, change, reason):
    result.check()
    with pytest.raises(CertificateError, match=reason):
        replace(result, **change).check()


def test_bounds_are_known_where_numbers_of_messages_are_too_many_for_a_search(monkeypatch):
    problem = evaluation_problem(random_class(6, 20, seed=0))
    exact = communication_complexity(problem, 0)
    monkeypatch.setattr("ccsim.communication.partitions.tables.MAX_ROWS", 5)
    monkeypatch.setattr("ccsim.symmetry.groups.MAX_ROWS", 5)
    monkeypatch.setattr("ccsim.communication.partitions.tables.MAX_ROWS_OF_TWO", 5)
    found = communication_complexity(problem, 0)
    assert 1 <= found.lower <= exact.messages <= found.upper == 6
    found.check()


def test_number_of_messages_that_reaches_the_error_exactly_is_not_too_small():
    f = equality(4)
    least, better = minimax_error(f, 2), minimax_error(f, 3)
    assert better.value < least.value
    result = communication_complexity(f, least.value)
    assert result.messages == 2
    overstated = replace(result, lower=3, upper=3, reached=better, missed=least)
    with pytest.raises(
        CertificateError, match="the proved error 3/13 must be above the stated error"
    ):
        overstated.check()


REPEATED = CommunicationProblem.from_matrix(
    [[0, 0, 1], [0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 0, 1], [None, 0, 1], [None, None, None]]
)


@pytest.mark.parametrize("coins", ["public", "private", "deterministic"])
@pytest.mark.parametrize("error", [0, "1/4", "1/2", 1])
def test_a_limit_leaves_the_messages_of_a_protocol_where_rows_are_dominated(coins, error):
    exact = communication_complexity(REPEATED, error, coins)
    assert exact.exact
    for budget in islice(budgets(), 20):
        result = communication_complexity(REPEATED, error, coins, time_limit=budget)
        assert result.lower <= exact.messages <= result.upper <= 4
        assert result.upper == result.reached.messages == result.reached.protocol.messages
        result.check()
        kernel.check(json.loads(result.certificate().to_json()))


@pytest.mark.parametrize("coins", ["private", "deterministic"])
def test_an_error_of_zero_is_reached_without_time(coins):
    for rows in ([[None, 0], [0, None], [1, 0]], [[None, None], [None, 1]]):
        problem = CommunicationProblem.from_matrix(rows)
        for messages in (2, 3, 4):
            result = minimax_error(problem, messages, coins, time_limit=0)
            assert result.value == 0
            result.check()


def test_a_limit_is_shared_among_the_numbers_of_messages():
    rows = ["0110", "1001", "1010", "0101", "1011", "1101", "0110", "1101"]
    problem = CommunicationProblem.from_matrix([[int(v) for v in row] for row in rows])
    alone = minimax_error(problem, 3, "private", time_limit=Budget(200, clock=count().__next__))
    assert alone.lower > Fraction(1, 5)  # found soon, while four messages take long
    shared = Budget(800, clock=count().__next__)
    result = communication_complexity(problem, "1/5", "private", time_limit=shared)
    assert (result.lower, result.upper) == (4, 6)
    result.check()


def test_numbers_that_stay_open_are_tried_again():
    tried = []
    result = communication_complexity(
        equality(6),
        "1/3",
        "private",
        time_limit=Budget(200, clock=count().__next__),
        trying=lambda messages, *_: tried.append(messages),
    )
    again = tried[tried.index(3) + 1 :]
    assert tried[:5] == [1, 2, 4, 5, 3]  # twice as many each time, and then what is left
    assert again[0] == 4
    assert set(again) <= {3, 4, 5}
    assert 3 <= result.lower < result.upper <= 6
    result.check()
