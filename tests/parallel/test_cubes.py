"""Cubes: the same results for any number of processes, kept in a database, and after accidents."""

from __future__ import annotations

import math
import os
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest

from ccsim.budget import Budget, OutOfTimeError, StoppedWarning, Workers
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.parallel import processes
from ccsim.parallel.cubes import CubesSampledError, makespan, solved
from ccsim.parallel.store import Store
from tests.parallel.searches import Squares


def squares(folder, number=8, limit=None, workers=None, **shared):
    folder.mkdir(exist_ok=True)
    budget = Budget.of(limit, jobs=workers)
    return solved(Squares, {"folder": str(folder), **shared}, range(number), budget)


def values(found):
    return [square for square, _ in found]


def calls(folder):
    return Counter(int(path.name.split("-")[0]) for path in folder.iterdir())


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order_and_each_cube_is_answered_once(tmp_path, jobs):
    found = list(squares(tmp_path / "calls", workers=jobs, seconds=0.02))
    assert values(found) == [i * i for i in range(8)]
    assert set(calls(tmp_path / "calls").values()) == {1}
    processes = {process for _, process in found}
    assert processes == {os.getpid()} if jobs == 1 else os.getpid() not in processes
    assert len(processes) == jobs


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_iteration_may_be_ended_early(tmp_path, jobs):
    with closing(squares(tmp_path / "calls", 100, workers=jobs, seconds=0.02)) as found:
        assert values(islice(found, 3)) == [0, 1, 4]
    assert sum(calls(tmp_path / "calls").values()) < 20


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_second_run_continues_with_stored_results(tmp_path, jobs):
    store = tmp_path / "a.db"
    workers = Workers(jobs, store=store)
    with closing(squares(tmp_path / "calls", 60, workers=workers, seconds=0.03)) as found:
        first = list(islice(found, 3))
    before = calls(tmp_path / "calls")
    seen = []
    again = Workers(1, store=store, progress=lambda done, total: seen.append((done, total)))
    assert list(squares(tmp_path / "calls", 60, workers=again, seconds=0.03))[:3] == first
    after = calls(tmp_path / "calls")
    assert after.keys() == set(range(60))
    assert [after[i] for i in range(3)] == [before[i] for i in range(3)] == [1, 1, 1]
    assert seen[-1] == (60, 60)
    assert values(squares(tmp_path / "other", workers=again)) == [i * i for i in range(8)]
    assert sum(calls(tmp_path / "other").values()) == 8  # another question


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("limit", [math.inf, 1e300])
def test_an_enormous_time_limit_is_as_none(tmp_path, jobs, limit):
    found = squares(tmp_path / "calls", limit=limit, workers=jobs)
    assert values(found) == [i * i for i in range(8)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_time_limit_ends_all_processes(tmp_path, jobs):
    begin = time.monotonic()
    found = squares(tmp_path / "calls", limit=2, workers=jobs, seconds=30)
    with pytest.raises(OutOfTimeError):
        list(found)
    assert time.monotonic() - begin < 20


def test_a_killed_process_costs_one_cube(tmp_path):
    found = squares(tmp_path / "calls", workers=2, seconds=0.05, killed=([3], 1))
    assert values(found) == [i * i for i in range(8)]
    assert calls(tmp_path / "calls") == Counter(dict.fromkeys(range(8), 1) | {3: 2})


def test_killed_processes_of_different_cubes_are_counted_separately(tmp_path):
    found = squares(tmp_path / "calls", 12, workers=2, killed=([*range(12)], 1))
    assert values(found) == [i * i for i in range(12)]
    assert set(calls(tmp_path / "calls").values()) == {2}


def test_a_cube_that_kills_three_processes_ends_the_search_with_its_bounds(tmp_path):
    budget = Budget.of(None, jobs=2)
    (tmp_path / "calls").mkdir()
    shared = {"folder": str(tmp_path / "calls"), "killed": ([3], 3), "seconds": 0.05}
    found = solved(Squares, shared, range(8), budget)
    assert values(islice(found, 3)) == [0, 1, 4]
    with pytest.warns(StoppedWarning, match="three processes were killed .* cube 3"), budget:
        next(found)
    assert budget.expired


def test_processes_that_are_killed_at_random_moments_change_nothing(tmp_path):
    draw, ended, kills = Random(5), Event(), []  # noqa: S311 - no secret

    def kill():
        while not ended.wait(0.2 + draw.random() / 3) and len(kills) < 3:
            known = {path.name for path in (tmp_path / "calls").iterdir()}
            if not known:
                continue
            for child in children(os.getpid()):
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                    kills.append(child)
                break

    (tmp_path / "calls").mkdir()
    thread = Thread(target=kill)
    thread.start()
    found = values(squares(tmp_path / "calls", 24, workers=2, seconds=0.1))
    ended.set()
    thread.join()
    assert found == [i * i for i in range(24)]
    repeated = sum(calls(tmp_path / "calls").values()) - 24
    assert repeated <= len(kills)


def test_processes_that_are_killed_between_two_searches_are_replaced(tmp_path):
    assert values(squares(tmp_path / "calls", 4, workers=2)) == [0, 1, 4, 9]
    for child in children(os.getpid()):
        os.kill(child, signal.SIGKILL)
    end = time.monotonic() + 30
    while time.monotonic() < end and not all(each._flags.broken for each in processes._IDLE):
        time.sleep(0.01)
    assert values(squares(tmp_path / "again", 4, workers=2)) == [0, 1, 4, 9]
    assert set(calls(tmp_path / "again").values()) == {1}


def children(parent):
    """Return the worker processes of a process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            words = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            command = (folder / "cmdline").read_bytes()
            if int(words[1]) == parent and words[0] not in "ZX" and b"popen_loky" in command:
                found.append(int(folder.name))
    return found


def test_a_database_that_cannot_be_written_ends_the_search_with_its_bounds(tmp_path):
    store = tmp_path / "a.db"
    workers = Workers(1, store=store)
    budget = Budget.of(None, jobs=workers)
    (tmp_path / "calls").mkdir()
    shared = {"folder": str(tmp_path / "calls"), "seconds": 0.05}
    found = solved(Squares, shared, range(500), budget)
    assert values([next(found)]) == [0]
    with closing(sqlite3.connect(store)) as database:
        database.execute("DROP TABLE answers")
    with pytest.warns(StoppedWarning, match=r"a\.db: cannot be used as a database"), budget:
        list(found)
    assert budget.expired
    assert sum(calls(tmp_path / "calls").values()) < 500


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("needed", [8, 3])
def test_a_database_that_fails_at_the_end_leaves_the_answer_with_a_warning(
    tmp_path, monkeypatch, jobs, needed
):
    def fail(self):
        while self._batch():
            pass
        self._failure = UnreadableInputError("a.db: cannot be used: the disk is full")

    monkeypatch.setattr(Store, "_write", fail)
    budget = Budget.of(None, jobs=Workers(jobs, store=tmp_path / "a.db"))
    (tmp_path / "calls").mkdir()
    found = solved(Squares, {"folder": str(tmp_path / "calls")}, range(8), budget)
    warned = pytest.warns(StoppedWarning, match=r"the disk is full; results are missing in it")
    with warned, closing(found):
        assert values(islice(found, needed)) == [i * i for i in range(needed)]
    assert not budget.expired


def test_a_file_that_is_no_database_is_refused_at_once(tmp_path):
    (tmp_path / "a.db").write_text("0,1\n")
    with pytest.raises(UnreadableInputError, match=r"a\.db"):
        list(squares(tmp_path / "calls", workers=Workers(store=tmp_path / "a.db")))
    assert (tmp_path / "a.db").read_text() == "0,1\n"


def test_a_sample_estimates_the_time_of_all_cubes(tmp_path):
    with pytest.raises(CubesSampledError, match=r"100 cubes need about .* sample of 5") as raised:
        list(squares(tmp_path / "calls", 100, workers=Workers(sample=5), seconds=0.05))
    assert raised.value.cubes == 100
    assert len(raised.value.seconds) == 5
    assert min(raised.value.seconds) >= 0.05
    assert sum(calls(tmp_path / "calls").values()) == 5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"jobs": 0}, "jobs must be an integer from 1 to 256, not 0"),
        ({"jobs": True}, "jobs must be"),
        ({"jobs": 2.0}, "jobs must be"),
        ({"sample": 0}, "sample must be"),
        ({"scheduler": "nowhere"}, "scheduler must be tcp://HOST:PORT, not 'nowhere'"),
        ({"scheduler": 8786}, "scheduler must be tcp://HOST:PORT, not 8786"),
    ],
)
def test_what_is_no_number_of_processes_is_refused(given, message):
    with pytest.raises(DomainError, match=message):
        Workers(**given)


def test_the_makespan_is_that_of_the_first_free_worker():
    assert makespan([5, 1, 1, 1, 1, 1], 2) == 5
    assert makespan([1, 1, 1, 1, 1, 5], 2) == 7
    assert makespan([2, 3], 16) == 3
