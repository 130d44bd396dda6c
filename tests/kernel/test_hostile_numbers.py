"""Small files with huge numbers are decided in bounded time and memory.

In stored and fresh certificates, each number, text and list is enlarged in turn. The kernel has a
small limit of steps; the system ends the process if it takes much more CPU time or memory than
these steps need.
"""

import copy
import resource
import signal

import pytest

from ccsim import kernel
from ccsim.kernel import Rejected, check
from ccsim.kernel.rules import Work
from tests.kernel.alterations import by_kind, spots_of

STEPS = 1 << 20  # a tenth of a second or so
SECONDS = 10.0
NINES = "9" * 4000
NUMBERS = (2**53 - 1, 1 << 20, 300, NINES, f"-{NINES}")
TEXTS = (f"1/{NINES}", f"{NINES}/{NINES[:-1]}8", "0" * 4000, "01" * 2000)


def blown_up(value):
    """Return hostile replacements for a value."""
    if type(value) is int:
        return NUMBERS
    if isinstance(value, str):
        return TEXTS
    if isinstance(value, list) and value:
        return [value * 300], [value[0]] * 3000
    return ()


@pytest.fixture
def few_steps(monkeypatch):
    monkeypatch.setattr(kernel, "Work", lambda tell=None: Work(STEPS, tell))

    def stop(*_):
        raise AssertionError(f"{STEPS} steps took {SECONDS} s")

    old, limits = signal.signal(signal.SIGPROF, stop), resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 33, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, limits)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, old)


def decided(made):
    """Return whether the kernel accepts, within the time that its limit of steps allows."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        check(made)
    except Rejected:
        return False
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return True


@pytest.mark.parametrize("kind", sorted(kernel.KINDS))
@pytest.mark.usefixtures("few_steps")
def test_numbers_that_are_blown_up_are_decided(kind):
    documents = by_kind()[kind]
    for name in sorted(documents)[:: 1 + len(documents) // 6]:
        made = copy.deepcopy(documents[name])
        places = spots_of(made)
        for part, key in places[:: 1 + len(places) // 40]:
            before = part[key]
            for value in blown_up(before):
                part[key] = value
                decided(made)
            part[key] = before
        assert made == documents[name]


@pytest.mark.parametrize("kind", sorted(kernel.KINDS))
@pytest.mark.usefixtures("few_steps")
def test_small_certificates_take_few_steps(kind):
    assert any(decided(copy.deepcopy(made)) for made in by_kind()[kind].values())
