"""Compare this package with all installed peers, family by family.

    python benchmarks/peers.py [FAMILY ...] [--limit SECONDS] [--repeat N]

Every answer is computed in its own process, in which modules are imported but nothing is loaded or
compiled. Times are processor seconds, the least of several processes. The columns are:

* *ours*: the answer with both proofs;
* *warm*: the answer after a small question of the same kind, so that compiled code is loaded; the
  mean of several answers if the peers also measure a mean;
* *check*: the kernel's check, including reading the certificate;
* *best peer*: the fastest peer that finishes. Peers are programs in C (`bare_littlestone.c`,
  `textbook_vc.c`), plain linear and integer programs in HiGHS and direct computations from
  definitions (`plain_methods.py`, `textbook_littlestone.py`), and other solvers of games
  (`linear_programs.py` states how to install them).

The values are compared. Python compiles the imported modules during the first run, which is
therefore slower. The table is printed to standard output.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from peer_cases import Case, cases
from plain_methods import processor, repeated

from ccsim import kernel

FOLDER = Path(__file__).parent
POLLING = 0.1
"""Seconds between two looks at what a process has used."""
CHECKING = 60
"""Processor seconds that the kernel may take besides."""
Answer = tuple[Any, float, float | None]
"""A value, the seconds of the answer, and of its check where there is a certificate."""


def ours(case: Case, *, warm: bool = False, check: bool = False) -> Answer:
    """Answer a question with this package; if requested, the kernel checks the certificate."""
    if warm:
        case.small()
    if warm and case.again:
        result, took = repeated(case.ask)
    else:
        began = processor()
        result = case.ask()
        took = processor() - began
    value = case.value(result)
    if not check or not hasattr(result, "certificate"):
        return value, took, None
    text = result.certificate().to_json()
    began = processor()
    kernel.check(json.loads(text))
    return value, took, processor() - began


def theirs(ask: Callable[[], Any]) -> Answer:
    """Return the answer of a peer, with its time."""
    began = processor()
    found = ask()
    took = processor() - began
    return (*found, None) if isinstance(found, tuple) else (found, took, None)


def apart(task: Callable[[], Answer], limit: float) -> Answer | None:
    """Run a task in its own process; return None if it fails or exceeds the time limit."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=send, args=(task, sender))
    process.start()
    sender.close()
    try:  # a limit of the system's own would make its clock coarse
        while not receiver.poll(POLLING):
            if process.pid is None or spent(process.pid) > limit:
                return None
        found: Answer = receiver.recv()
    except EOFError:
        return None
    finally:
        end(process)
    return found


def send(task: Callable[[], Answer], sender: Connection) -> None:
    """Send the result of a task; numbers with powers of e are sent as text."""
    os.setpgid(0, 0)
    value, *others = task()
    sender.send((value if isinstance(value, int | float | Fraction) else str(value), *others))


def spent(group: int) -> float:
    """Return the processor seconds of the processes of a group."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            told = file.read_text().rpartition(")")[2].split()
            ticks += int(told[11]) + int(told[12]) if int(told[2]) == group else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def end(process: BaseProcess) -> None:
    """End a process and the processes that it started."""
    with contextlib.suppress(OSError):
        if process.pid is not None:
            os.killpg(process.pid, signal.SIGKILL)
    process.join()


def fastest(task: Callable[[], Answer], limit: float, repeat: int) -> Answer | None:
    """Return the fastest of several runs; a long task is run once."""
    best = apart(task, limit)
    for _ in range(repeat - 1):
        if best is None or best[1] > 2:
            break
        again = apart(task, limit)
        best = min(best, again or best, key=lambda found: found[1])
    return best


def agree(value: object, other: object) -> bool:
    """Return whether two values are equal, up to the precision of floats."""
    if isinstance(other, float) and isinstance(value, int | Fraction):
        return abs(float(value) - other) < 1e-6 * max(1, abs(other))
    return bool(value == other)


def row(case: Case, limit: float, repeat: int) -> tuple[list[str], bool]:
    """Return the cells of a row of the table, and whether all values agree."""
    cold = fastest(partial(ours, case), limit, repeat)
    warm = fastest(partial(ours, case, warm=True), limit, repeat)
    checked = apart(partial(ours, case, check=True), limit + CHECKING) if cold else None
    found = {name: fastest(partial(theirs, ask), limit, repeat) for name, ask in case.peers.items()}
    ended = {name: answer for name, answer in found.items() if answer is not None}
    cells = [case.family, case.size]
    cells += [shown(run[1]) if run else f"> {limit:g}" for run in (cold, warm)]
    cells.append(shown(checked[2]) if checked else "")
    if not ended:
        return [*cells, "none finished", f"> {limit:g}", ""], True
    name, best = min(ended.items(), key=lambda item: item[1][1])
    ratios = [shown(run[1] / max(best[1], 1e-6)) for run in (cold, warm) if run]
    agreed = cold is None or all(agree(cold[0], answer[0]) for answer in ended.values())
    ratio = f"{ratios[0]} ({ratios[1]})" if len(ratios) == 2 else ""
    return [*cells, name, shown(best[1]), ratio if agreed else "DIFFERENT"], agreed


def shown(number: float | None) -> str:
    """Return a number with two significant digits."""
    if number is None:
        return ""
    return (
        f"{number:.0f}" if number >= 10 else f"{number:.2g}" if number >= 1e-4 else f"{number:.5f}"
    )


def main() -> None:
    """Print the table; the exit status is 1 if values differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", help="beginnings of names; default all")
    parser.add_argument("--limit", type=float, default=20, help="processor seconds for an answer")
    parser.add_argument("--repeat", type=int, default=3, help="processes; the fastest counts")
    options = parser.parse_args()
    true, sys.dont_write_bytecode = True, False
    with tempfile.TemporaryDirectory() as folder:
        for name in ("bare_littlestone", "textbook_vc"):
            made = [str(FOLDER / f"{name}.c"), "-o", str(Path(folder) / name)]
            compiler = shutil.which("cc") or "cc"
            subprocess.run([compiler, "-O3", "-march=native", *made], check=True)  # noqa: S603
        head = "family | size | ccsim s | warm s | check s | best peer | peer s | ratio (warm)"
        print(f"| {head} |\n{'|---' * 8}|", flush=True)  # noqa: T201
        for case in cases(Path(folder)):
            if not case.family.startswith(tuple(options.families) or ""):
                continue
            cells, agreed = row(case, options.limit, options.repeat)
            true = true and agreed
            print(f"| {' | '.join(cells)} |", flush=True)  # noqa: T201
    sys.exit(not true)


if __name__ == "__main__":
    main()
