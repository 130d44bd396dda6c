"""Kill workers at random moments, and compare the certificates and the number of answered cubes.

    python benchmarks/killed_workers.py [NAME] [--runs 20] [--least 2] [--most 5]

Each run answers a question of `benchmarks/cubes.py` with two processes and an empty database, while
a thread kills one of the two processes every 2 to 5 seconds. On a busy machine, name longer pauses:
if three processes are killed while they begin or answer the same cube, the search ends. The
certificates of all runs must be the same bytes, and at most one cube may be repeated for each
killed process.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from cubes import QUESTIONS, digest_of

from ccsim import Workers
from ccsim.parallel import processes


class Executors:
    """The executors of one run, with the cubes that they were given."""

    def __init__(self) -> None:
        self._cubes = Counter[tuple[str, str]]()
        self._made: list[Any] = []

    def make(self) -> Any:  # noqa: ANN401 - loky has no types
        """Return a new executor of one process."""
        made = _EXECUTOR()
        submit = made.submit

        def counted(*given: Any) -> Any:  # noqa: ANN401
            future, task = submit(*given), given[2]
            self._cubes[task.shared, repr(task.cube)] += 1
            return future

        made.submit = counted
        self._made.append(made)
        return made

    @property
    def repeated(self) -> int:
        """The number of times that a cube was repeated."""
        return self._cubes.total() - len(self._cubes)

    def kill(self, draw: random.Random) -> bool:
        """Kill a process; return whether one was running."""
        running = [pid for made in self._made for pid in list(made._processes or ())]
        with suppress(IndexError, ProcessLookupError):
            os.kill(draw.choice(running), signal.SIGKILL)
            return True
        return False


_EXECUTOR = processes._executor
_NEVER = (threading.TIMEOUT_MAX, threading.TIMEOUT_MAX)


def main() -> int:
    """Run the question and print a line for each run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", nargs="?", default="vc", choices=QUESTIONS)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--least", type=float, default=2, help="least seconds between two kills")
    parser.add_argument("--most", type=float, default=5, help="most seconds between two kills")
    given = parser.parse_args()
    undisturbed, _, _ = run(given.name, 0, _NEVER)
    click.echo(f"{given.name}: certificate {undisturbed[:16]} without killed processes")
    wrong = 0
    for seed in range(given.runs):
        digest, kills, repeated = run(given.name, seed, (given.least, given.most))
        right = digest == undisturbed and repeated <= kills
        wrong += not right
        words = f"{kills} killed, {repeated} cubes repeated, certificate {digest[:16]}"
        click.echo(f"run {seed + 1}: {words}{'' if right else ', WRONG'}")
    return 1 if wrong else 0


def run(name: str, seed: int, pauses: tuple[float, float]) -> tuple[str, int, int]:
    """Return the digest of the certificate, and the numbers of killed processes and repetitions."""
    executors, ended, kills = Executors(), threading.Event(), []
    draw = random.Random(seed)  # noqa: S311 - no secret

    def kill() -> None:
        while not ended.wait(draw.uniform(*pauses)):
            if executors.kill(draw):
                kills.append(time.monotonic())

    processes._executor = executors.make
    processes._IDLE.clear()
    thread = threading.Thread(target=kill)
    thread.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            store = str(Path(folder, "cubes.db"))
            digest = digest_of(QUESTIONS[name][1](Workers(2, store=store)))
    finally:
        ended.set()
        thread.join()
    return digest, len(kills), executors.repeated


if __name__ == "__main__":
    sys.exit(main())
