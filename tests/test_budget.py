"""Budgets: their limits, and the ends of their blocks."""

import itertools
import math

import pytest

from ccsim.budget import Budget, OutOfTimeError, OutOfWorkError, check_time, in_time
from ccsim.errors import DomainError


def looks(limit=math.inf, progress=None):
    """Return a budget that expires after its clock has been read ``limit`` times."""
    return Budget(limit, progress, clock=itertools.count().__next__)


def steps(budget):
    done = 0
    with budget:
        while True:
            budget.spend()
            done += 1
    return done


@pytest.mark.parametrize("seconds", [0, 1, 2, 7])
def test_a_search_ends_at_the_limit(seconds):
    assert steps(looks(seconds)) == max(seconds - 1, 0)
    budget = Budget(seconds, clock=lambda: 0)
    assert (budget.remaining, budget.expired, budget.limited) == (seconds, seconds == 0, True)


def test_without_a_limit_only_the_work_ends():
    budget = Budget()
    assert (budget.remaining, budget.expired, budget.limited) == (math.inf, False, False)
    for _ in range(100):
        budget.spend()
    with pytest.raises(OutOfTimeError), budget:
        raise OutOfTimeError


def test_work_ends_one_question_and_not_the_budget_it_is_a_share_of():
    budget = Budget(math.inf)
    question = budget.share(work=10)
    question.spend(9)
    assert question.work == 1
    with pytest.raises(OutOfWorkError), question:
        question.spend()
    budget.spend(1000)
    assert not budget.expired


def test_a_share_has_a_part_of_the_time_left():
    now = [0.0]
    budget = Budget(60, clock=lambda: now[0])
    half = budget.share(1 / 2)
    assert half.remaining == 30
    now[0] = 20.0
    assert (half.remaining, budget.share(1 / 4).remaining, budget.share().remaining) == (10, 10, 40)
    now[0] = 45.0
    assert (half.remaining, half.expired, budget.expired) == (0, True, False)
    assert half.share().expired


def test_an_interrupt_ends_a_limited_budget_with_all_that_it_is_a_share_of():
    budget = Budget(math.inf)
    share = budget.share(1 / 2)
    inner, other = share.share(1 / 2), budget.share(1 / 2)
    with inner:
        raise KeyboardInterrupt
    assert inner.expired
    assert share.expired
    assert budget.interrupted
    assert (budget.remaining, budget.share().expired) == (0, True)
    assert not other.interrupted
    with pytest.raises(OutOfTimeError):
        budget.spend()


def test_an_interrupt_without_a_limit_goes_on_to_the_caller():
    budget = Budget()
    with pytest.raises(KeyboardInterrupt), budget.share():
        raise KeyboardInterrupt
    assert not budget.interrupted


def test_grace_is_time_after_an_interrupt_and_none_after_the_limit():
    now = [0.0]
    budget = Budget(60, clock=lambda: now[0])
    assert budget.grace(10) is budget
    with budget:
        raise KeyboardInterrupt
    assert budget.grace(10).remaining == 10
    with budget.grace(10) as first:
        raise KeyboardInterrupt
    assert first.expired
    assert budget.grace(10).remaining == 10
    now[0] = 55.0
    assert budget.grace(10).remaining == 5
    now[0] = 61.0
    assert budget.grace(10).expired


def test_other_errors_go_through():
    with pytest.raises(ZeroDivisionError), Budget(1):
        raise ZeroDivisionError


def test_bounds_are_told_to_whoever_asked():
    told = []
    budget = Budget(1, lambda *bounds: told.append(bounds))
    budget.report(0, 3)
    budget.share(1 / 2).report(1, 2)
    Budget().report(5, 5)
    other = []
    Budget.of(budget, lambda *bounds: other.append(bounds)).report(2, 2)
    assert (told, other) == ([(0, 3), (1, 2)], [(2, 2)])


@pytest.mark.parametrize("limit", [-1, math.nan, True, "3", 1j])
def test_what_is_not_a_number_of_seconds_is_refused(limit):
    with pytest.raises(DomainError, match=r"^time limit must be a number of seconds, at least 0"):
        Budget.of(limit)


def test_what_is_called_without_a_budget_hears_the_one_outside():
    now = [0.0]
    budget = Budget(5, clock=lambda: now[0])
    check_time()  # nobody is heard
    with budget.heard():
        check_time()
        now[0] = 5.0
        with pytest.raises(OutOfTimeError):
            check_time()
        with Budget(math.inf).heard():
            check_time()
        assert list(in_time(range(3))) == [0, 1, 2]
        with pytest.raises(OutOfTimeError):
            list(in_time(range(5000)))
    check_time()
    assert sum(in_time(range(5000))) == sum(range(5000))


def test_what_must_be_done_has_time_after_the_limit_but_not_after_an_interrupt():
    now = [0.0]
    budget = Budget(5, clock=lambda: now[0])
    assert budget.at_least(1).remaining == 5
    now[0] = 7.0
    patient = budget.at_least(1)
    assert (patient.remaining, budget.remaining) == (1, 0)
    with patient:
        raise KeyboardInterrupt
    assert budget.interrupted
    assert budget.at_least(1).expired
