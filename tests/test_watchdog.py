"""Questions on large instances take at most two seconds of processor time beyond the limit.

All of them take about 40 minutes: ``pytest -m slow tests/test_watchdog.py``.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager
from functools import cache

import pytest

from ccsim.instances import parse_instance
from tests.limited_questions import (
    OF_CLASSES,
    OF_PROBLEMS,
    OF_SMALL_CLASSES,
    outcome,
    random_class,
    random_problem,
)

BEYOND = 2
"""Seconds of processor time after the limit."""

PROBLEMS = (
    "disjointness:n=7",
    "equality:n=200",
    "gap_hamming:n=7,g=3",
    "greater_than:n=300",
    "index:d=8",
    "inner_product:n=7",
    "random 300",
)
CLASSES = (
    "balls:b=2,d=2",
    "boxes:b=2,d=2",
    "halfspaces:b=2,d=2",
    "intervals:n=40",
    "k_points:b=5,k=2",
    "lines:p=17",
    "parities:n=7",
    "points:b=8",
    "polynomials:p=7,k=3",
    "random 512",
    "thresholds:b=9",
)
UNLIMITED = {"fewest_seeds"}
"""Their cases compute a protocol without a limit first."""


class LateError(BaseException):
    """Raised by the watchdog; no handler of exceptions catches it."""


@contextmanager
def watchdog(seconds):
    """Interrupt code that uses more processor time than this."""

    def late(*_):
        raise LateError

    old = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)


@cache
def instance(name, *, is_class):
    family, _, size = name.partition(" ")
    if family == "random":
        return random_class(int(size)) if is_class else random_problem(int(size))
    return parse_instance(name)


def cases():
    """Yield each question with its parameters, and the instances on which it is asked."""
    small = [name for name in CLASSES if name.startswith(("halfspaces", "points"))]
    for questions, names in ((OF_PROBLEMS, PROBLEMS), (OF_CLASSES, CLASSES)):
        for question, variants in questions.items():
            for variant, call in variants.items():
                if question not in UNLIMITED:
                    yield (question, variant), call, names
    for question, variants in OF_SMALL_CLASSES.items():
        for variant, call in variants.items():
            yield (question, variant), call, small


ALL = {key: (call, names) for key, call, names in cases()}
FIRST = list({key[0]: key for key in reversed(ALL)}.values())
"""One variant of each question."""


def ask_in_time(key: tuple[str, str], name: str, limit: float) -> None:
    call, names = ALL[key]
    given = instance(name, is_class=names is not PROBLEMS)
    with watchdog(limit + BEYOND):
        outcome(lambda seconds: call(given, seconds), limit)


def test_the_watchdog_interrupts_a_search_that_ignores_its_limit():
    def endless(_limit):
        while True:
            pass

    with pytest.raises(LateError), watchdog(0.1):
        outcome(endless, 0)


@pytest.mark.parametrize("key", FIRST, ids=", ".join)
def test_an_expired_limit_is_respected_on_large_random_instances(key):
    ask_in_time(key, "halfspaces:b=2,d=2" if key[0] in OF_SMALL_CLASSES else "random 200", 0)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 0.5, 3])
@pytest.mark.parametrize(
    ("key", "name"), [(key, name) for key, (_, names) in ALL.items() for name in names]
)
def test_every_question_respects_its_limit_on_every_family(key, name, limit):
    ask_in_time(key, name, limit)
