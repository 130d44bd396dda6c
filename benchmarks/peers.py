"""Compare this package with other programs on the same instances, group by group.

    python benchmarks/peers.py [GROUP ...] [--families NAME ...] [--limit SECONDS] [--repeat N]

Every answer is computed in its own process, in which modules are imported but nothing is loaded or
compiled. Times are processor seconds, the least of several processes. Each group has a table:

* *first call*: the answer of this package with its proofs, in a new process;
* *warm*: the answer after a small question of the same kind; the mean of several if it is short;
* *check*: the kernel's check, including reading the certificate;
* a column for each other program. These answer a small question first, and the mean of several
  short answers counts; commands and programs in C are started anew;
* *ratio*: *warm* divided by the time of the fastest other program.

A program that exceeds the limit is not run on later instances of the same family; it has the entry
"-" there. Programs that are not installed have no column; `linear_programs.py` states how to
install them.

The values are compared: floats within 1e-6, all others exactly. A different value is printed, and
the exit status is 1. Python compiles the imported modules during the first run, which is therefore
slower.
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

from peer_cases import PROGRAMS, Case, groups
from plain_methods import processor, repeated

from ccsim import kernel

FOLDER = Path(__file__).parent
POLLING = 0.1
"""Seconds between two looks at what a process has used."""
CHECKING = 60
"""Processor seconds that the kernel may take besides."""
LONG = 0.5
"""Seconds from which on a task is run once."""
Answer = tuple[Any, float, float | None]
"""A value, the seconds of the answer, and of its check where there is a certificate."""
Tried = dict[tuple[str, str], bool]
"""For families and programs, whether all runs so far ended within the limit."""


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


def apart(task: Callable[[], Answer], limit: float) -> Answer | str:
    """Run a task in its own process; return a text if it fails or exceeds the time limit."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=send, args=(task, sender))
    process.start()
    sender.close()
    try:  # a limit of the system's own would make its clock coarse
        while not receiver.poll(POLLING):
            if process.pid is None or spent(process.pid) > limit:
                return f"> {limit:g}"
        found: Answer = receiver.recv()
    except EOFError:
        return "failed"
    finally:
        end(process)
    return found


def send(task: Callable[[], Answer], sender: Connection) -> None:
    """Send the result of a task; the value becomes a number and a float, or a text and a float."""
    os.setpgid(0, 0)
    value, *others = task()
    exact = value if isinstance(value, int | float | Fraction) else str(value)
    sender.send(((exact, float(value)), *others))


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


def fastest(task: Callable[[], Answer], limit: float, repeat: int) -> Answer | str:
    """Return the fastest of several runs; a long task is run once."""
    best = apart(task, limit)
    for _ in range(repeat - 1):
        if isinstance(best, str) or best[1] > LONG:
            break
        again = apart(task, limit)
        best = best if isinstance(again, str) else min(best, again, key=lambda found: found[1])
    return best


def agree(value: tuple[object, float], other: tuple[object, float]) -> bool:
    """Return whether two values are equal, up to the precision of floats."""
    if isinstance(other[0], float):
        return abs(value[1] - other[1]) <= 1e-6 * max(1, abs(other[1]))
    return bool(value[0] == other[0])


def row(
    case: Case, names: list[str], limit: float, repeat: int, ended: Tried
) -> tuple[list[str], bool]:
    """Return the cells of a row of the table, and whether all values agree."""
    cold = fastest(partial(ours, case), limit, repeat)
    warm = fastest(partial(ours, case, warm=True), limit, repeat)
    checked = apart(partial(ours, case, check=True), limit + CHECKING)
    cells = [case.family, case.size]
    cells += [run if isinstance(run, str) else shown(run[1]) for run in (cold, warm)]
    cells.append(checked if isinstance(checked, str) else shown(checked[2]))
    true, times = True, list[float]()
    for name in names:
        if name not in case.peers or not ended.get((case.family, name), True):
            cells.append("-")
            continue
        found = fastest(partial(theirs, case.peers[name]), limit, repeat)
        ended[case.family, name] = not isinstance(found, str)
        if isinstance(found, str):
            cells.append(found)
        elif isinstance(cold, str) or agree(cold[0], found[0]):
            cells.append(shown(found[1]))
            times.append(found[1])
        else:
            cells.append(f"DIFFERENT: {found[0][0]}, not {cold[0][0]}")
            true = False
    ratio = "" if isinstance(warm, str) or not times else shown(warm[1] / max(min(times), 1e-6))
    return [*cells, ratio], true


def shown(number: float | None) -> str:
    """Return a number with two significant digits."""
    if number is None:
        return ""
    return (
        f"{number:.0f}" if number >= 10 else f"{number:.2g}" if number >= 1e-4 else f"{number:.5f}"
    )


def table(title: str, cases: list[Case], limit: float, repeat: int) -> bool:
    """Print the table of a group; return whether all values agree."""
    names = list(dict.fromkeys(name for case in cases for name in case.peers))
    head = ["family", "size", "first call", "warm", "check", *names, "ratio"]
    print(f"\n## {title}\n\n| {' | '.join(head)} |\n{'|---' * len(head)}|", flush=True)  # noqa: T201
    true, ended = True, Tried()
    for case in cases:
        cells, agreed = row(case, names, limit, repeat, ended)
        true = true and agreed
        print(f"| {' | '.join(cells)} |", flush=True)  # noqa: T201
    return true


def main() -> None:
    """Print the tables; the exit status is 1 if values differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", help="beginnings of titles; default all")
    parser.add_argument("--families", nargs="+", default=[""], help="beginnings of families")
    parser.add_argument("--limit", type=float, default=20, help="processor seconds for an answer")
    parser.add_argument("--repeat", type=int, default=3, help="processes; the fastest counts")
    options = parser.parse_args()
    true, sys.dont_write_bytecode = True, False
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            made = [str(FOLDER / f"{name}.c"), "-o", str(Path(folder) / name), "-lm"]
            compiler = shutil.which("cc") or "cc"
            subprocess.run([compiler, "-O3", "-march=native", *made], check=True)  # noqa: S603
        for title, cases in groups(Path(folder)).items():
            if not title.startswith(tuple(options.groups) or ""):
                continue
            chosen = [each for each in cases() if each.family.startswith(tuple(options.families))]
            true = table(title, chosen, options.limit, options.repeat) and true
    print(f"\n{processor():.0f} s of processor time")  # noqa: T201
    sys.exit(not true)


if __name__ == "__main__":
    main()
