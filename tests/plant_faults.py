"""Plant faults in copies of the code, one at a time, and list the faults that no test detects.

    pip install -e '.[test]'
    python tests/plant_faults.py --seed 0 --count 300 --jobs 2 --time-limit 3600 --out FOLDER

First, all tests and claims run once, which takes a quarter of an hour, to record the lines that
each runs and its time. Then the faults of `faults.py` are planted in a random order given by the
seed. For each fault, the tests that run its lines are run, the fastest first, until one fails; if
all pass, the claims that run its lines follow. The limit for each is twenty seconds. FOLDER
contains the recorded data and, in `faults.jsonl`, a line for each fault; repeating the command
resumes an interrupted run. `--only simplex.py` plants faults only in files of this name. `--again
FOLDER` plants the survivors of an earlier run, for the same code with better tests.

A fault is killed, survives, or is timed out, which also counts as detected. No survivor should
change an answer: a survivor that does needs a test, and one in dead code shows code to delete.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

from tests.fault_tests import CLAIMS, Concern, first_failure, record
from tests.faults import Fault, choose

SHOWN = {"cli", "pictures"}  # packages of ccsim that decide no answer
LEFT_OUT = ("tests/test_plant_faults.py", "CHANGELOG.md", "CONTRIBUTING.md")
WARM = ("sympy", "flint", "highspy", "networkx", "hypothesis", "click")
PATIENCE = 1800  # seconds of the clock after which a process has to end
MEMORY = 8 << 30


@dataclass(frozen=True, slots=True)
class Task:
    """A task in a copy of the tree, with a fault or without."""

    name: str
    work: Callable[[], object]
    top: str
    fault: Fault | None = None


class Tree:
    """A copy of the tree in which faults are planted, and the process that runs there, if any."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.result, self.log = folder / "tree", folder / "result", folder / "log"
        self.pid, self.until = 0, 0.0
        self.plants, self.clean = 0, None
        hidden = shutil.ignore_patterns(".*", "__pycache__", "dist", "build")
        shutil.copytree(root, self.root, ignore=hidden)

    def start(self, task: Task) -> None:
        """Run a task in its own process inside the copy, with its fault if it has one."""
        self.result.unlink(missing_ok=True)
        self.until = time.monotonic() + PATIENCE
        if task.fault:
            self.plant(task.fault)
        sys.stdout.flush()
        self.pid = os.fork()
        if not self.pid:
            self.run(task)

    def run(self, task: Task) -> NoReturn:
        """Perform the task in this process, write its answer as JSON, and end the process."""
        try:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            with self.log.open("w") as log:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.chdir(self.root)
            os.environ["PYTHONPATH"] = sys.path[0] = str(self.root)
            for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
                del sys.modules[name]  # the copy has its own
            answer = task.work()
            used = sys.modules.get(task.top)
            if used is None or str(used.__file__).startswith(str(self.root)):
                self.result.write_text(json.dumps(answer))
            else:
                say(f"{used.__file__} is not in the copy {self.root}")
        except BaseException:  # reported, and the process ends here
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)

    def plant(self, fault: Fault) -> None:
        """Write a fault into its file with a new date, so that no cached module is used."""
        path, self.plants = self.root / fault.file, self.plants + 1
        self.clean = path, path.read_bytes(), path.stat().st_mtime_ns
        path.write_bytes(fault.plant(self.clean[1]))
        later = self.clean[2] + self.plants * 10**9
        os.utime(path, ns=(later, later))

    def poll(self) -> bool:
        """Return whether the process has ended; end it after its time limit."""
        if time.monotonic() > self.until:
            self.stop()
        elif os.waitpid(self.pid, os.WNOHANG)[0]:
            self.stop(waited=True)
        return not self.pid

    def stop(self, *, waited: bool = False) -> None:
        """End the process and all its child processes, and remove its fault from the file."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        if not waited:
            os.waitpid(self.pid, 0)
        self.pid = 0
        if self.clean:
            path, code, date = self.clean
            path.write_bytes(code)
            os.utime(path, ns=(date, date))
            self.clean = None

    def answer(self) -> object:
        """Return the answer of the last task, or "no end" if there is none."""
        return json.loads(self.result.read_text()) if self.result.exists() else "no end"


def run_all(trees: list[Tree], tasks: Iterator[Task], until: float) -> Iterator[tuple[Task, Tree]]:
    """Run tasks in the copies until a given time; yield each with its copy when it has ended."""
    running: dict[int, Task] = {}
    try:
        while time.monotonic() < until:
            for place, tree in enumerate(trees):
                if tree.pid and tree.poll():
                    yield running.pop(place), tree
                if not tree.pid and (task := next(tasks, None)):
                    running[place] = task
                    tree.start(task)
            if not running:
                return
            time.sleep(0.05)
    finally:
        for place in running:
            trees[place].stop()


def constructions_of(root: Path) -> list[str]:
    """Return the folders of code that only claims use."""
    found = sorted(root.glob("proofs_check/claims/*/constructions"))
    return [path.relative_to(root).as_posix() for path in found]


def packages_of(root: Path) -> list[str]:
    """Return the packages in which faults are planted."""
    inside = sorted(p.parent.name for p in root.glob("ccsim/*/__init__.py"))
    packages = [*(f"ccsim/{name}" for name in inside if name not in SHOWN), "protocols"]
    packages += constructions_of(root)
    return [package for package in packages if (root / package).is_dir()]


def units(root: Path) -> list[str]:
    """Return the units that are recorded in one process each: test files, doctests, claims."""
    places = [*root.glob("tests/**/test_*.py"), *root.glob("docs/*.md"), *root.glob("*.md")]
    places += [path.parent for path in root.glob("ccsim/*/__init__.py")]
    names = [*sorted(place.relative_to(root).as_posix() for place in places), "protocols"]
    names += constructions_of(root)
    names = [name for name in names if name not in LEFT_OUT and (root / name).exists()]
    return names + [CLAIMS] * (root / "proofs_check" / "claims" / "table.py").exists()


def record_all(job: Job, trees: list[Tree]) -> list[Path]:
    """Record the missing units, and return the files with the recorded data."""
    (job.out / "record").mkdir(parents=True, exist_ok=True)
    targets = {u: job.out / "record" / f"{u.replace('/', '.')}.json" for u in units(job.root)}
    tasks = (
        Task(unit, partial(record, unit, job.packages, target), job.top)
        for unit, target in targets.items()
        if not target.exists()
    )
    for task, tree in run_all(trees, tasks, job.until):
        if not targets[task.name].exists():
            sys.exit(f"{task.name} cannot be recorded:\n{tree.log.read_text()[-2000:]}")
        found = json.loads(targets[task.name].read_text())
        say(f"recorded {task.name}: {len(found['seconds'])}, without {found['failed'] or 'none'}")
    if not all(target.exists() for target in targets.values()):
        sys.exit("out of time; the same command goes on")
    return list(targets.values())


def plant_all(job: Job, trees: list[Tree], faults: list[Fault], concern: Concern) -> None:
    """Plant the faults, and add a line for each to the results."""

    def task(fault: Fault) -> Task:
        stages, left_out = concern.stages(fault)
        counts[fault.key] = sum(map(len, stages)), left_out
        work = partial(first_failure, stages)
        return Task(fault.wording, work, job.top, fault)

    counts: dict[tuple, tuple[int, int]] = {}
    for done, tree in run_all(trees, map(task, faults), job.until):
        met, unrun = counts[done.fault.key]
        by = tree.answer()
        end = {None: "survived", "no end": "timed out"}.get(by, "killed")
        found = {**asdict(done.fault), "end": end, "by": by, "met": met, "unrun": unrun}
        with (job.out / "faults.jsonl").open("a") as results:
            results.write(json.dumps(found) + "\n")
        say(f"{end}: {done.name} [{by or met}]")


def results(folder: Path) -> dict[tuple, dict]:
    """Return the recorded results of faults in a folder; an incomplete last line is removed."""
    path = folder / "faults.jsonl"
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    if lines and not lines[-1].endswith("\n"):
        path.write_text("".join(lines[:-1]))
    entries = (json.loads(line) for line in lines if line.endswith("\n"))
    return {(entry["file"], entry["begin"], entry["replacement"]): entry for entry in entries}


def digest(root: Path, packages: list[str]) -> str:
    """Return a digest of the code in which faults are planted."""
    paths = sorted(path for package in packages for path in (root / package).rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def say(text: str) -> None:
    """Write a line immediately."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@dataclass(frozen=True, slots=True)
class Job:
    """The tree, the folder of results, the packages, and the time at which to stop."""

    root: Path
    out: Path
    packages: list[str]
    until: float

    @property
    def top(self) -> str:
        """The package that must be imported from the copy."""
        return self.packages[0].split("/")[0]


def main(arguments: list[str] | None = None) -> int:
    """Record, plant, and list the survivors."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=300, help="number of faults")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--time-limit", type=float, default=3600, help="seconds")
    parser.add_argument("--only", default="", help="part of the names of files that get faults")
    parser.add_argument("--again", type=Path, help="folder whose survivors are planted again")
    parser.add_argument("--root", type=Path, default=Path(__file__).parent.parent, help="the tree")
    given = parser.parse_args(arguments)
    root, out = given.root.resolve(), given.out.resolve()
    packages = packages_of(root)
    job = Job(root, out, packages, time.monotonic() + given.time_limit)
    out.mkdir(parents=True, exist_ok=True)
    stamp = out / "code.sha256"
    if stamp.exists() and stamp.read_text() != digest(root, packages):
        sys.exit(f"{out} holds results of other code; give another folder")
    stamp.write_text(digest(root, packages))
    faults = choose(root, packages, given.seed, given.only)
    if given.again:
        again = results(given.again)
        faults = [f for f in faults if again.get(f.key, {"end": ""})["end"] == "survived"]
    faults = faults[: given.count]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name in WARM:
        with suppress(ImportError):
            importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="plant-faults-") as folder:
        trees = [Tree(root, Path(folder) / str(place)) for place in range(given.jobs)]
        concern = Concern(root, packages, record_all(job, trees))
        known = results(out)
        with suppress(KeyboardInterrupt):
            plant_all(job, trees, [f for f in faults if f.key not in known], concern)
    found = [results(out)[f.key] for f in faults if f.key in results(out)]
    ends = Counter(entry["end"] for entry in found)
    counted = ", ".join(f"{ends[end]} {end}" for end in ("killed", "timed out", "survived"))
    say(f"{len(found)} of {len(faults)} faults planted: {counted}")
    for entry in found:
        if entry["end"] == "survived":
            say(f"{entry['file']}:{entry['line']}: {entry['original']} -> {entry['replacement']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
