"""Cubes on a Dask cluster, and searches whose cluster, database or process fails."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from functools import partial
from itertools import islice

import pytest
from dask.distributed import LocalCluster

from ccsim.budget import Budget, OutOfTimeError, StoppedWarning, Workers
from ccsim.parallel.cubes import CubesSampledError, solved
from ccsim.parallel.processes import results
from tests.parallel.clusters import ROOT, local_cluster
from tests.parallel.searches import Squares


@pytest.fixture
def cluster(tmp_path):
    with local_cluster(tmp_path) as found:
        yield found


def squares(folder, number, budget, **shared):
    folder.mkdir(exist_ok=True)
    return solved(Squares, {"folder": str(folder), **shared}, range(number), budget)


def calls(folder):
    return Counter(int(path.name.split("-")[0]) for path in folder.iterdir())


def values(found):
    return [square for square, _ in found]


def test_a_cluster_gives_the_same_results_and_keeps_them_and_limits_and_samples(tmp_path, cluster):
    workers = Workers(scheduler=cluster[0], store=tmp_path / "a.db")
    found = list(squares(tmp_path / "calls", 12, Budget.of(None, jobs=workers), seconds=0.05))
    assert values(found) == [i * i for i in range(12)]
    assert set(calls(tmp_path / "calls").values()) == {1}
    assert len({process for _, process in found}) == 2
    again = Budget.of(None, jobs=Workers(store=tmp_path / "a.db"))
    assert list(squares(tmp_path / "calls", 12, again, seconds=0.05)) == found
    assert sum(calls(tmp_path / "calls").values()) == 12

    begin, budget = time.monotonic(), Budget.of(2, jobs=Workers(scheduler=cluster[0]))
    with pytest.raises(OutOfTimeError):
        list(squares(tmp_path / "limited", 4, budget, seconds=30))
    assert time.monotonic() - begin < 20

    sampled = Budget.of(None, jobs=Workers(scheduler=cluster[0], sample=3))
    with pytest.raises(CubesSampledError) as raised:
        list(squares(tmp_path / "sampled", 50, sampled, seconds=0.05))
    assert (raised.value.cubes, len(raised.value.seconds)) == (50, 3)
    assert sum(calls(tmp_path / "sampled").values()) == 3


def test_a_killed_worker_of_a_cluster_repeats_its_cube(tmp_path, cluster):
    found = squares(
        tmp_path / "calls", 12, Budget.of(None, jobs=Workers(scheduler=cluster[0])), seconds=0.4
    )
    square, process = next(found)
    time.sleep(0.2)  # in the middle of the next cube
    os.kill(process, signal.SIGKILL)
    assert [square, *values(found)] == [i * i for i in range(12)]
    assert sum(calls(tmp_path / "calls").values()) == 13


def test_a_lost_scheduler_ends_the_search_with_its_bounds(tmp_path, cluster, capfd):
    address, process = cluster
    budget = Budget.of(None, jobs=Workers(scheduler=address))
    found = squares(tmp_path / "calls", 500, budget, seconds=0.1)
    assert values(islice(found, 3)) == [0, 1, 4]
    process.kill()
    lost = f"the connection to the cluster at {address} was lost"
    with pytest.warns(StoppedWarning, match=lost) as warned, budget:
        list(found)
    assert budget.expired
    assert len(warned) == 1
    assert capfd.readouterr().err == ""  # Dask logs nothing


def test_workers_that_join_a_cluster_later_are_given_tasks():
    taken = []
    tasks = (taken.append(i) or i for i in range(100))
    with (
        LocalCluster(
            1, threads_per_worker=1, dashboard_address=":0", processes=False, protocol="tcp"
        ) as cluster,
        closing(results(abs, tasks, 1, cluster.scheduler_address)) as found,
    ):
        next(found)
        assert 4 < len(taken) <= 8  # a finished task is replaced before its result is used
        cluster.scale(6)
        cluster.wait_for_workers(6)
        list(islice(found, 4))
        assert len(taken) >= 24
        assert len([*found]) == 95


COMMAND = """
import sys
import click
from ccsim.budget import Budget
from ccsim.cli.workers import workers_options
from ccsim.parallel.cubes import solved
from tests.parallel.searches import Squares

@click.command()
@workers_options
def squares(workers):
    budget, shared = Budget.of(None, jobs=workers), {"folder": sys.argv[-1], "seconds": 0.02}
    with budget:
        list(solved(Squares, shared | {"long": 4000}, range(200), budget))
    click.echo("bounds")
    sys.exit(3 if budget.expired else 0)

if __name__ == "__main__":
    squares(sys.argv[1:-1])
"""


def start(folder, *options, **given):
    """Start a command that squares 200 numbers."""
    (folder / "calls").mkdir(exist_ok=True)
    (folder / "command.py").write_text(COMMAND)
    return subprocess.Popen(
        [sys.executable, "command.py", *options, str(folder / "calls")], cwd=folder, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, **given,
    )  # fmt: skip


def ended(process):
    """Return the only line of errors of a command that printed bounds."""
    printed, errors = process.communicate(timeout=120)
    assert (printed, process.returncode) == ("bounds\n", 3), errors
    (line,) = errors.splitlines()
    begin, end = "ccsim: ", "; the bounds so far follow"
    assert line.startswith(begin)
    assert line.endswith(end)
    return line[len(begin) : -len(end)]


def test_a_command_whose_scheduler_is_lost_prints_one_line_and_its_bounds(tmp_path, cluster):
    address, scheduler = cluster
    with start(tmp_path, "--scheduler", address) as process:
        while len(calls(tmp_path / "calls")) < 5:
            time.sleep(0.05)
        scheduler.kill()
        assert ended(process) == f"the connection to the cluster at {address} was lost"
    assert sum(calls(tmp_path / "calls").values()) < 200


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_full_disk_ends_in_one_line_with_bounds_and_keeps_results(tmp_path, jobs):
    store, most = tmp_path / "a.db", (300_000, 300_000)
    options = ("--jobs", jobs, "--store", str(store))
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, most)
    with start(tmp_path, *options, preexec_fn=limit) as process:
        assert f"{store}: cannot be used as a database of answers: " in ended(process)
    before = sum(calls(tmp_path / "calls").values())
    assert 1 < before < 200
    with start(tmp_path, *options) as process:
        assert process.wait() == 0
    assert sum(calls(tmp_path / "calls").values()) - before < 200


@pytest.mark.slow
def test_a_killed_run_continues_with_its_stored_cubes(tmp_path):
    store = tmp_path / "a.db"
    options = ("--jobs", "2", "--store", str(store))
    with start(tmp_path, *options) as process:
        while len(calls(tmp_path / "calls")) < 100:
            time.sleep(0.05)
        process.kill()
    with closing(sqlite3.connect(store)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        stored = {int(cube) for (cube,) in database.execute("SELECT instance FROM answers")}
    assert len(stored) > 20
    before = calls(tmp_path / "calls")
    with start(tmp_path, *options) as process:
        assert process.wait() == 0
    again = calls(tmp_path / "calls") - before
    assert stored.isdisjoint(again)
    assert stored | again.keys() == set(range(200))
