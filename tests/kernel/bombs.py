"""Hostile files of every kind and form are checked within a minute of CPU time and 2 GB.

    python -m tests.kernel.bombs [EVERY]

writes files of at most two megabytes: those of `hand_made_bombs`, and stored certificates of every
kind in which a number, a text or a list is enlarged at one place. Only every EVERY-th place is
tried (1 by default). The kernel checks each file in a separate process with a limit of a minute of
CPU time and of two gigabytes of address space. The command prints the files whose checks do not end
with one line for each statement, and the resources used by the slowest and the largest check.
"""

# ruff: noqa: T201 - a program that prints

import copy
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from ccsim import kernel
from tests.kernel.alterations import by_kind, spots_of
from tests.kernel.hand_made_bombs import BOMBS

__all__ = ["SECONDS", "Ending", "blown_up", "ending"]

SECONDS = 60
BYTES = 2 << 30
LARGEST = 2_000_000  # bytes of a file
P = 2**61 - 1
NINES = "9" * 4000
PLACES = 6  # of a certificate that are tried


class Ending(NamedTuple):
    """The end of a check: exit status, output and resources."""

    status: int
    output: str
    seconds: float
    megabytes: int

    @property
    def is_fair(self):
        """Whether the process ended by itself, with one line or only lines of proved statements."""
        lines = self.output.split("\n")[:-1]
        said = {line.split(": ")[1] if ": " in line else "" for line in lines}
        one = len(lines) == 1 or said == {"proved"}
        return one and self.status in (0, 2, 4) and said <= {"proved", "rejected", "unreadable"}


def ending(path, most=BYTES):
    """Check a file with the kernel in a separate process, within the time and memory limits."""
    limits = f'ulimit -S -t {SECONDS}; ulimit -v {most >> 10}; exec "$@"'
    program = [sys.executable, "-I", "-S", str(Path(kernel.__file__).parent), str(path)]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(  # a shell limits it: a function would have this process copied
            ["/bin/sh", "-c", limits, "sh", *program], stdout=output, stderr=subprocess.STDOUT
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
    seconds = used.ru_utime + used.ru_stime
    return Ending(process.returncode, said, seconds, used.ru_maxrss >> 10)


def filled(values, room):
    """Repeat the entries of a list until there is no room."""
    return values * max(1, room // (len(json.dumps(values)) + 2))


def blown_up(value, room):
    """Return hostile replacements for a value: large numbers, and many with the same hash."""
    if type(value) is int:
        return [2**53 - 1, 1 << 20, 300, NINES, str(P)]
    if isinstance(value, str) and set(value) <= set("01*"):
        return [value * (room // max(1, len(value)) // 2), "0" * 4000]
    if isinstance(value, str):
        return [f"1/{NINES}", NINES, "x" * room]
    if isinstance(value, list) and value:
        many = [filled(value, room), filled(value[:1], room), filled(value[-1:], room)]
        if type(value[0]) is int or (isinstance(value[0], str) and value[0].isdigit()):
            many += [[str(P * i) for i in range(1, room // 30)], [NINES] * (room // 4010)]
        return [*many, [value[0]] * 3000]
    return []


def mutations(every):
    """Yield names and hostile variants of the stored and fresh certificates of each kind."""
    tried = set()
    for kind, documents in by_kind().items():
        for name in sorted(documents):
            document = documents[name]
            if name in tried or len(json.dumps(document)) > LARGEST // 4:
                continue
            tried.add(name)
            room = LARGEST - len(json.dumps(document)) - 5000
            places = spots_of(document)
            for i in range(0, len(places), every * (1 + len(places) // PLACES)):
                part, key = places[i]
                for number, value in enumerate(blown_up(part[key], room)):
                    made = copy.deepcopy(document)
                    altered, _ = spots_of(made)[i]
                    altered[key] = value
                    yield f"{kind}: {name}, place {i} ({key}), {number}", made


def files(every):
    """Yield the names and contents of all hostile files."""
    for name, make in BOMBS.items():
        yield name.replace("_", " "), make()
    yield from mutations(every)


def main():
    """Print the checks that did not end properly, and the slowest and the largest one."""
    every = int(sys.argv[1]) if sys.argv[1:] else 1
    taken, unfair = [], 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bomb.json"
        for name, document in files(every):
            path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
            if path.stat().st_size > LARGEST:
                raise ValueError(f"{name}: a file of {path.stat().st_size} bytes")
            end = ending(path)
            taken.append((end.seconds, end.megabytes, name))
            if not end.is_fair:
                unfair += 1
                said = f"status {end.status}, {end.seconds:.1f} s: {end.output[-300:]}"
                print(f"{name}: {said}", flush=True)
            if len(taken) % 100 == 0:
                print(f"{len(taken)} files so far", file=sys.stderr, flush=True)
    print(
        f"{len(taken)} files, {unfair} end otherwise than with one line; the slowest and largest:"
    )
    for seconds, megabytes, name in sorted(taken)[:-6:-1]:
        print(f"{seconds:8.1f} s {megabytes:6} MB  {name}")
    for seconds, megabytes, name in sorted(taken, key=lambda one: one[1])[:-6:-1]:
        print(f"{seconds:8.1f} s {megabytes:6} MB  {name}")
    return int(unfair > 0)


if __name__ == "__main__":
    raise SystemExit(main())
