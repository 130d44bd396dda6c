"""Signals and broken streams end the programs with one line and without leftovers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ccsim.cli.main import _signals_interrupt, main

CCSIM = (sys.executable, "-m", "ccsim")
CHECK = (sys.executable, "-m", "proofs_check")
ENDED = frozenset("ZX")
PATIENCE = 120


def heeded():
    """Reset signals to their default handling, because the tests may run with ignored signals."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)


def start(program, *arguments, **options):
    """Start a program as the leader of its own session."""
    return subprocess.Popen(
        [*program, *arguments], start_new_session=True, text=True, preexec_fn=heeded,  # noqa: PLW1509 - one thread
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options,
    )  # fmt: skip


def session(leader):
    """Return the command lines of the running processes of a session, by process number."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, of = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:4]
            if int(of) == leader and state not in ENDED:
                found[int(folder.name)] = (folder / "cmdline").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def wait_until(condition):
    """Wait until a condition is true; fail after a time limit."""
    patience = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < patience
        time.sleep(0.05)


def seconds_of_work(number):
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(
    ("sent", "whom"),
    [
        (signal.SIGTERM, "program"),
        (signal.SIGINT, "all"),
        pytest.param(signal.SIGTERM, "all", marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, "program", marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, "program", marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, "all", marks=pytest.mark.slow),
    ],
)
def test_a_signal_leaves_no_worker_and_no_temporary_file(tmp_path, sent, whom):
    process = start(
        CHECK, "run", "--paper", "fx", "--size", "large", "--jobs", "2", cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    try:
        wait_until(lambda: sum("spawn_main" in line for line in session(process.pid).values()) == 2)
        os.kill(process.pid, sent) if whom == "program" else os.killpg(process.pid, sent)
        out, err = process.communicate(timeout=PATIENCE)
        wait_until(lambda: not session(process.pid))
    finally:
        for number in session(process.pid):
            os.kill(number, signal.SIGKILL)
    assert (process.returncode, out, err) == (128 + sent, "", "proofs-check: error: interrupted\n")
    assert list(tmp_path.iterdir()) == []
    assert not list(Path("/dev", "shm").glob(f"*{process.pid}*"))


@pytest.mark.parametrize(
    "sent",
    [
        signal.SIGHUP,
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_a_simulation_with_what_was_sampled(sent):
    process = start(CCSIM, "protocol", "equality:bits=64,repetitions=2", f"--simulate={10**9}")
    wait_until(lambda: seconds_of_work(process.pid) > 2)
    process.send_signal(sent)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (128 + sent, "")
    assert f"interrupted before {10**9}" in out


def test_what_the_caller_ignores_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with _signals_interrupt() as received:
            signal.raise_signal(signal.SIGHUP)
        assert received == []
    finally:
        signal.signal(signal.SIGHUP, before)


def test_handlers_of_signals_are_those_of_the_caller_again(capsys):
    before = signal.getsignal(signal.SIGTERM)
    assert main(["dimensions", "points:b=1"]) == 0
    assert signal.getsignal(signal.SIGTERM) is before
    statuses = []
    thread = threading.Thread(target=lambda: statuses.append(main(["dimensions", "points:b=1"])))
    thread.start()
    thread.join()
    assert statuses == [0]
    capsys.readouterr()


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (CCSIM, ["dimensions", "points:b=2"]),
        pytest.param(CCSIM, ["--help"], marks=pytest.mark.slow),
        pytest.param(CCSIM, ["protocol", "--list"], marks=pytest.mark.slow),
        (CHECK, ["list"]),
    ],
)
def test_a_full_output_is_one_line(program, arguments):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [*program, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
        neither = subprocess.run([*program, *arguments], stdout=full, stderr=full, check=False)
    name = "ccsim" if program is CCSIM else "proofs-check"
    line = f"{name}: error: the output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, line)
    assert neither.returncode == 2


@pytest.mark.parametrize("program", [CCSIM, CHECK])
@pytest.mark.parametrize(
    ("closed", "status", "err"),
    [
        (">&-", 2, "error: the output cannot be written: it is closed\n"),
        ("2>&-", 0, ""),
        (">&- 2>&-", 2, ""),
    ],
)
def test_closed_streams_are_no_crash(program, closed, status, err):
    arguments = ("dimensions", "points:b=1") if program is CCSIM else ("run", "fx/lemma-9")
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "/bin/sh", *program, *arguments],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == status
    assert done.stderr.endswith(err)
    assert done.stderr.count("\n") == err.count("\n")
    assert bool(done.stdout) == (status == 0)


def test_what_the_output_cannot_encode_is_escaped(tmp_path):
    (tmp_path / "t.csv").write_text(",ä\nc,1\n", encoding="utf-8")
    done = subprocess.run(
        [*CCSIM, "dimensions", "@t.csv"], cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    tree = [*CCSIM, "tree", "points:b=1", "--out", os.fsdecode(b"\xff.json")]
    done = subprocess.run(
        tree, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\udcff.json" in done.stdout
