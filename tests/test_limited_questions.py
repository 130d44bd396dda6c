"""Every question with a time limit returns its proved bounds, also for equal rows and columns."""

from __future__ import annotations

import time
from fractions import Fraction
from functools import cache
from itertools import count, islice

import pytest

from ccsim.budget import Budget, TimeLimit
from tests.limited_questions import (
    AT_ONCE,
    CASES,
    LONG_CASES,
    LONG_CHECKS,
    WITHOUT_PROOF,
    agree,
    outcome,
    proved,
    with_a_limit,
)
from tests.strategies import budgets


def named(key: tuple[str, str]) -> str:
    return ", ".join(part for part in key if part)


@cache
def exact_outcome(question: tuple[str, str], name: str) -> object:
    return outcome(CASES[question][name], None)


def holds(question: tuple[str, str], name: str, limit: TimeLimit) -> None:
    exact, found = exact_outcome(question, name), outcome(CASES[question][name], limit)
    if found is None:  # not decided, which is said by an exception
        return
    if isinstance(found, type):
        assert found is exact
        return
    proved(found)
    assert agree(found, exact), (name, found, exact)


def test_every_public_question_with_a_limit_has_a_case():
    assert with_a_limit() == {question for question, _ in CASES} | WITHOUT_PROOF
    assert not {question for question, _ in CASES} & WITHOUT_PROOF


IN_CURVES = {("minimax_error", "3 messages, private")}
"""Questions that take seconds, and that the curves of errors ask too."""


@pytest.mark.parametrize(
    "question",
    [pytest.param(each, marks=[pytest.mark.slow] * (each in IN_CURVES)) for each in CASES],
    ids=named,
)
def test_what_a_limit_leaves_is_proved_and_encloses_the_answer(question):
    exact = [exact_outcome(question, name) for name in CASES[question]]
    answered = [each for each in exact if not isinstance(each, type | None)]
    assert len(answered) * 2 > len(exact)
    for each in answered:
        proved(each)
    for name in CASES[question]:
        for limit in (0, *(Budget(n, clock=count().__next__) for n in (3, 30))):
            holds(question, name, limit)


@pytest.mark.parametrize("question", list(LONG_CASES)[::4], ids=named)
def test_long_searches_leave_what_is_proved(question):
    for ask in LONG_CASES[question].values():
        proved(outcome(ask, 0.2))


@pytest.mark.slow
@pytest.mark.parametrize("question", CASES, ids=named)
def test_what_a_limit_leaves_is_proved_wherever_it_stops(question):
    for name in CASES[question]:
        for limit in (0.01, 1, 5, *islice(budgets(), 40)):
            holds(question, name, limit)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 0.01, 1, 5])
@pytest.mark.parametrize("question", LONG_CASES, ids=named)
def test_long_searches_leave_what_is_proved_at_any_limit(question, limit):
    for ask in LONG_CASES[question].values():
        found = outcome(ask, limit)
        if found is not None:
            proved(found)


@pytest.mark.parametrize("seconds", [0, pytest.param(0.5, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG_CHECKS)) for name in AT_ONCE],
)
def test_bounds_of_large_instances_are_not_trivial_at_any_limit(name, seconds):
    ask, lower, upper = AT_ONCE[name]
    found = ask(seconds)
    if upper is None:
        assert found.samples >= lower
    else:
        assert found.lower >= Fraction(lower)
        assert found.upper <= Fraction(upper)
    found.check()


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 0.5, 3])
@pytest.mark.parametrize("name", AT_ONCE)
def test_questions_about_large_instances_take_two_seconds_beyond_the_limit(name, limit):
    ask, *_ = AT_ONCE[name]
    ask(0)  # builds the instance, and imports what the question needs
    start = time.process_time()
    ask(limit)
    assert time.process_time() - start <= limit + 2
