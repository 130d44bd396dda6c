"""Run the commands of the pages in two checkouts, and print the differences as JSON.

    git worktree add --detach FOLDER COMMIT
    python tests/compare_commands.py FOLDER . --limit 300

The commands are the calls of `ccsim`, `proofs-check` and `python -c` in the blocks of the README
and of `docs`, or of the given pages. Each command runs in both checkouts, with `--json` if it has
this option, in one temporary folder for each block, so that a command can read the output of an
earlier one. A difference is identified by its place: the exit status, standard error, a key of the
JSON (except the `seconds` of claims), or a written file.

Each command with differences is a line of JSON. Exit status: 0 if there are none, 1 if there are
some, 3 if a command reached the limit in both checkouts and was not compared.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path

PROGRAMS = {"ccsim": ["-m", "ccsim"], "proofs-check": ["-m", "proofs_check"], "python": []}
PATIENCE = 30  # seconds to print what was found at the limit
NO_END = "no end"


@dataclass(frozen=True, slots=True)
class Compared:
    """A command, whether it reached the limit in both checkouts, and the places that differ."""

    command: str
    no_end: bool
    differences: list[dict[str, object]]


def blocks_of(page: str) -> Iterator[list[list[str]]]:
    """Yield the calls of each block of a page, as words; a `#` begins a comment."""
    for block in re.findall(r"^```(?:sh|console|text)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        steps = [step for line in block.splitlines() for step in line.split("&&")]
        calls = [
            shlex.split(step.strip().removeprefix("$ "), comments=True)
            for step in steps
            if re.match(r"(\$ )?(\S*/)?(ccsim |proofs-check |python -c)", step.strip())
        ]
        if calls:
            yield [[Path(words[0]).name, *words[1:]] for words in calls]


def run(checkout: Path, folder: Path, words: list[str], limit: float) -> tuple[int, str, str]:
    """Return exit status, output and errors of a call in a folder; status -1 at the limit."""
    settings = dict(os.environ, PYTHONPATH=str(checkout), PYTHONHASHSEED="0")
    with subprocess.Popen(
        [sys.executable, *PROGRAMS[words[0]], *words[1:]],
        cwd=folder,
        env=settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=PATIENCE)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            return -1, "", ""
    return process.returncode, out, errors


@cache
def has_json(checkout: Path, program: str, command: str) -> bool:
    """Return whether a subcommand has the option ``--json``."""
    help_of = [program, command, "--help"]
    return program != "python" and "--json" in run(checkout, checkout, help_of, PATIENCE)[1]


def decode(text: str) -> object:
    """Return the JSON value of a text, or its lines if it is not JSON."""
    with suppress(ValueError):
        return json.loads(text)
    return text.splitlines()


def answer(checkout: Path, folder: Path, words: list[str], limit: float) -> object:
    """Return the results of a call: its exit status, its output and the files that it writes."""
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    status, out, errors = run(checkout, folder, words, limit)
    if status == -1:
        return NO_END
    written = {
        str(path.relative_to(folder)): decode(path.read_text(encoding="utf-8", errors="replace"))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.stat().st_mtime_ns != before.get(path)
    }
    return {"status": status, "output": decode(out), "errors": decode(errors), "files": written}


def differ(before: object, after: object, place: str = "") -> Iterator[dict[str, object]]:
    """Yield the places at which two JSON values differ, with both values."""
    pairs: list[tuple[object, object, object]] = []
    if isinstance(before, dict) and isinstance(after, dict):
        keys = dict.fromkeys([*before, *after])
        pairs = [(key, before.get(key), after.get(key)) for key in keys if key != "seconds"]
    elif isinstance(before, list) and isinstance(after, list):
        pairs = [(i, *pair) for i, pair in enumerate(zip_longest(before, after))]
    elif before != after or type(before) is not type(after):
        yield {"place": place, "before": before, "after": after}
    for key, old, new in pairs:
        yield from differ(old, new, f"{place}/{key}")


def compare(checkouts: list[Path], calls: list[list[str]], limit: float) -> Iterator[Compared]:
    """Run the calls of a block in order, each in both checkouts at the same time."""
    with tempfile.TemporaryDirectory() as top, ThreadPoolExecutor() as pool:
        folders = [Path(tempfile.mkdtemp(dir=top)) for _ in checkouts]
        for call in calls:
            json_too = all(has_json(checkout, *call[:2]) for checkout in checkouts)
            words = [*call, "--json"] if json_too and "--json" not in call else call
            sys.stderr.write(f"{shlex.join(words)}\n")
            ask = partial(answer, words=words, limit=limit)
            before, after = pool.map(ask, checkouts, folders)
            yield Compared(shlex.join(words), before == after == NO_END, [*differ(before, after)])


def main(arguments: list[str] | None = None) -> int:
    """Compare all commands of the pages, and print those with differences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("before", type=Path, help="a checkout")
    parser.add_argument("after", type=Path, help="another checkout")
    parser.add_argument("pages", type=Path, nargs="*", help="default: README and docs of the last")
    parser.add_argument("--limit", type=float, default=300, help="seconds a command")
    given = parser.parse_args(arguments)
    checkouts = [given.before.resolve(), given.after.resolve()]
    pages = given.pages or [given.after / "README.md", *sorted(given.after.glob("docs/*.md"))]
    blocks = (block for page in pages for block in blocks_of(page.read_text(encoding="utf-8")))
    status = 0
    for compared in (c for calls in blocks for c in compare(checkouts, calls, given.limit)):
        if compared.differences or compared.no_end:
            sys.stdout.write(f"{json.dumps(asdict(compared))}\n")
            sys.stdout.flush()
            status = 1 if compared.differences else status or 3
    return status


if __name__ == "__main__":
    sys.exit(main())
