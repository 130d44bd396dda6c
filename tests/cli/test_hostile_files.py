"""Hostile file names and numbers are refused with one line and status 2, and no file changes.

The options are read from the commands, so that each new option is tested, or the tests report that
its type is unknown.
"""

from __future__ import annotations

import os
import resource
import socket
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest

from ccsim.certificates import Certificate
from ccsim.certificates.files import check_outputs, check_writable, write_text_atomically
from ccsim.cli.main import cli, main
from ccsim.cli.parameters import (
    INPUT,
    INSTANCE,
    OUTPUT,
    Command,
    Integer,
    OutputFolder,
    Picture,
    Rational,
)
from ccsim.errors import UnreadableInputError
from proofs_check.__main__ import main as check
from proofs_check.commands import cli as check_cli

ARGUMENTS = {
    "audit": ["points:b=1", "--mechanism=randomized-response", "--samples=1", "--epsilon=ln 3"],
    "complexity": ["equality:n=1", "--error=0"],
    "compose": ["--parameters=ln 3,0", "--times=2", "--epsilon=1"],
    "dimensions": ["points:b=1"],
    "bounds": ["equality:n=1", "--only=D"],
    "error": ["equality:n=1", "--messages=2"],
    "export": ["points:b=1", "--out=class.csv"],
    "game": ["@file.csv"],
    "learn": ["points:b=1", "--learner=occam", "--accuracy=1/2", "--failure=1/2", "--runs=1"],
    "limits": ["points"],
    "packing": ["points:b=3", "--accuracy=1/10", "--failure=1/4", "--epsilon=1"],
    "predict": ["model.json", "--data=records.csv"],
    "program": ["file.lp"],
    "protocol": ["equality:bits=2,repetitions=1"],
    "release": [
        *("points:b=2", "--private=records.csv", "--public=records.csv", "--epsilon=1"),
    ],
    "report": ["certificate.json", "--out=page.html"],
    "represent": ["points:b=1", "--error=1/4"],
    "sample-complexity": ["points:b=1", "--accuracy=1/2", "--failure=1/2", "--epsilon=ln 3"],
    "sanitize": [
        *("points:b=2", "--records=records.csv", "--epsilon=1"),
        "--sanitizer=stability-histogram",
    ],
    "survey": ["dimensions", "points:b=1", "--out=answers.db"],
    "survey learners": ["--bits=2", "--learners=nonprivate", "--accuracy=1/2", "--runs=1"],
    "tree": ["points:b=1", "--out=tree.txt"],
    "formalize": ["certificate.json", "--out=tree.txt"],
    "graph": ["--paper=fx"],
    "list": [],
    "margins": ["fx/lemma-9"],
    "run": ["fx/lemma-9"],
    "show": ["fx/lemma-9"],
    "verify": ["certificate.json"],
}
"""Arguments of every command that suffice for it to run quickly."""

NO_FRACTIONS = (
    "", " ", "1_0", "١", "-1", "nan", "inf", "1e400", "9" * 5000, "/", "1/0", "a" * 300, "1.",
)  # fmt: skip
NO_TEXTS = {
    **dict.fromkeys(("accuracy", "failure", "error", "gap", "delta", "epsilon"), ("1_0", "nan",
    "")),
    "columns": ("", " ", "1_0", "/", "a" * 300, "\0"),
    "labels": ("", " ", "1_0", "no", "no,no", "a,b,c", "/", "a" * 300, "\0"),
    "target": ("", " ", "1_0", "/", "a" * 300, "\0"),
    "column": ("", " ", "1_0", "/", "a" * 300, "\0"),
    "asked": ("", " ", "1_0", "١", "-1", "nan", "1.", "9" * 5000, "a" * 300, "/", "\0"),
    "bound": ("", " ", "1_0", "١", "-1", "nan", "ln 0", "1e400", "9" * 5000, "a" * 300, "/", "\0"),
    "bits": ("", "1,", "1_0", "١", "-1", "nan", "65536", "9" * 5000, "a" * 300, "/"),
    "by_definition": ("", " ", "points", "points:b=x", "points:b=9", "/", "a" * 300, "\0"),
    "case": ("", " ", "p=", "p=4", "a" * 300, "/", "\0"),
    "samples": ("", "1_0", "-1", "nan", "2..1", "..", "9" * 5000, "a" * 300),
    "times": ("", "1,", "1_0", "١", "-1", "0", "1/2", "nan", "9" * 5000, "a" * 300, "1,2"),
    "measure": ("", " ", "renyi", "renyi:", "renyi:1/2", "renyi:1_0", "renyi:١", "renyi:-1",
                "renyi:nan", "renyi:" + "9" * 5000, "zcdp:", "gdp:2", "a" * 300, "/", "\0"),
    "parameters": ("", ",", "1", "1,2", "1,-1", "nan,0", "ln 0,0", "a" * 300, "1_0,0", "1,0,0"),
    "subjects": ("", " ", "survey", "@", "@missing.csv", "missing.py:f", "a" * 300, "\0"),
    "curve": ("", "1,", "1_0", "١", "-1", "nan", "ln 0", "9" * 5000, "a" * 300, "/"),
    "key": ("", " ", "@", "/", "a" * 300, "../" * 40, "١", "\0"),
    "keys": ("", " ", "@", "/", "a" * 300, "../" * 40, "١", "\0"),
    "learners": ("", " ", "proper,", "proper, proper", "a" * 300, "/", "@"),
    "messages": ("", "..", "1..", "..2", "1...2", "2..1", "1_0", "١", "0", "-1", "9" * 5000, "nan"),
    "domain": ("", " ", "1..0", "0,,1", "a" * 300, "\0"),
    "name": ("", " ", "@", "@missing", ":", "equality:", "equality:bits",
            "equality:bits=١,repetitions=1",
             "equality:bits=2,repetitions=1_0", "equality:bits=" + "9" * 5000 + ",repetitions=1",
             "a" * 300),
    "out": ("", "file.csv/page.html", "missing/page.html", "\0"),
    "paper": ("", " ", "/", "a" * 300, "١"),
    "play": ("", "0", "a" * 300),  # it takes two
    "certificates": ("", "missing", "file.csv", "\0"),
    "pyodide": ("", "missing", "file.csv", "\0"),
    "question": ("", " ", "'", "dimms", "dimensions -h", "dimensions --json", "dimensions x",
                 "sweep", "a" * 300, "\0"),
    "scheduler": ("", " ", "nowhere", "tcp://", "tcp://nowhere", "/", "a" * 300, "\0", "9" * 5000),
    "settings": ("", "=", "scale", "scale=", "=1", "scale=1_0", "scale=١", "scale=nan", "scale=-1"),
    "time_limit": ("", " ", "-1", "nan", "a" * 300, "/", "--1"),
    "words": ("no such limit", "a" * 300, "\0"),
}  # fmt: skip
"""Values that options of plain text refuse, by the name of the parameter."""

NO_INTEGERS = (
    "",
    " ",
    "1_0",
    "١٠",
    "-1",
    "nan",
    "1e99999",
    "1e-3",
    "9" * 5000,
    "/",
    "a" * 300,
    "0x10",
    "1.5",
)
NO_INSTANCES = (
    "", " ", "1_0", "١٠", "nan", "1e400", "9" * 5000, "/", "a" * 300, ":", "=", ",", "points",
    "points:",
    "points:b", "points:b=", "points:b=1_0", "points:b=١", "points:b=-1", "points:b=nan",
    "points:b=1,b=1",
    "points:b=" + "9" * 5000, "points:b=2^2^3", "points:b=0^-1", "points:c=1",
    "a:" + "b" * 300 + "=1",
)  # fmt: skip
NO_FILES = (
    "", " ", "missing", "missing.csv", "a" * 300, "fifo", "fifo.csv", "folder", "folder.json",
    "/dev/null",
    "missing/f.csv", "file.csv/f.csv", "binary.csv", "binary.json", "binary.npy", "binary.npz",
    "binary",
    "empty.csv", "dangling.csv", "fifo_link.json", "\0", "a\0.csv",
)  # fmt: skip
"""Inputs, beside which a full set of strange files stands in the current folder."""
NO_OUTPUTS = (
    "", "fifo", "link", "dangling.csv", "folder", "folder/", "new/", "missing/c.json",
    "file.csv/c.json",
    "a" * 300, "a\0b", "socket", ".", "..", "/", "folder_link", "link/c.json",
)  # fmt: skip
NO_FOLDERS = (
    "",
    "file.csv",
    "fifo",
    "file.csv/x",
    "a" * 300,
    "a\0b",
    "link",
    "full",
    "dangling.csv",
)


NO_PICTURES = ("t.gif", "svg", ".svg/", "folder.svg", "fifo.svg", "missing/t.svg", "t.svg/t.png")
"""What no picture can be written to."""


def commands():
    for group, run in ((cli, main), (check_cli, check)):
        context = click.Context(group)
        for name in group.list_commands(context):
            yield name, group.get_command(context, name), run


def parameters():
    for name, command, run in commands():
        for param in command.params:
            if not isinstance(param.type, click.Choice | click.types.BoolParamType):
                yield pytest.param(name, command, param, run, id=f"{name}-{param.name}")


@pytest.fixture
def strange(tmp_path, monkeypatch):
    """Change to a folder that contains a file of every kind."""
    monkeypatch.chdir(tmp_path)
    Path("file.csv").write_text("0,1\n1,0\n", encoding="ascii")
    Path("file.json").write_text("[[0, 1], [1, 0]]", encoding="ascii")
    Path("file.lp").write_text("min\nx\nst\nx >= 1\nend\n", encoding="ascii")
    Path("records.csv").write_text("1\n2\n", encoding="ascii")
    Path("empty.csv").write_text("", encoding="ascii")
    for ending in ("", ".csv", ".json", ".npy", ".npz"):
        Path(f"binary{ending}").write_bytes(bytes(range(255, -1, -1)))
    os.mkfifo("fifo")
    os.mkfifo("fifo.csv")
    os.mkfifo("fifo.svg")
    for folder in ("folder", "folder.json", "folder.svg", "full"):
        Path(folder).mkdir()
    for name in ("report.md", "report.json", "table.json"):
        Path("full", name).mkdir()
    for link, target in {"link": "file.csv", "dangling.csv": "nowhere", "fifo_link.json": "fifo",
                         "folder_link": "folder"}.items():  # fmt: skip
        Path(link).symlink_to(target)
    os.link("file.csv", "hard.csv")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("socket")
    listener.close()
    return tmp_path


def contents(folder):
    """Return a summary of all files in a folder, which differs after any change."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        data = path.read_bytes() if stat.S_ISREG(status.st_mode) else None
        found[path] = (status.st_mode, status.st_ino, status.st_mtime_ns * (data is not None), data)
    return found


def arguments(name, param, value):
    """Return the arguments of a command with one argument replaced."""
    given = list(ARGUMENTS[name])
    if isinstance(param, click.Argument):
        if name == "survey":  # of two arguments the second one is the instances
            texts = [value, given[1]] if param.name == "question" else [given[0], value]
            return [name, *given[2:], "--", *texts]
        return [name, *given[1:], "--", value]
    option = param.opts[0]
    if option == "--bound":  # it is refused without a measure, whatever its value is
        given.append("--measure=zcdp")
    return [name, *(a for a in given if not a.startswith(f"{option}=")), f"{option}={value}"]


def hostile(param):
    """Return values that a parameter must refuse."""
    if param.type in {INSTANCE, INPUT, OUTPUT}:
        instances = (*NO_INSTANCES, *(f"@{name}" for name in NO_FILES))
        if param.name == "instances":  # a survey keeps what a family refuses as its answer
            instances = tuple(set(instances) - {"points:b=-1", "points:b=2^2^3"})
        if param.name == "name":  # of an instance, or of a protocol
            instances = (*instances, *NO_TEXTS["name"])
        return {INSTANCE: instances, INPUT: NO_FILES, OUTPUT: NO_OUTPUTS}[param.type]
    if isinstance(param.type, Picture):
        return (*NO_OUTPUTS, *NO_PICTURES)
    if isinstance(param.type, OutputFolder):
        return NO_FOLDERS if param.type.names else [f for f in NO_FOLDERS if f != "full"]
    if isinstance(param.type, Integer):
        return (*NO_INTEGERS, *(["0"] if param.type.least == 1 else []))
    if isinstance(param.type, Rational):
        return NO_FRACTIONS
    assert param.name in NO_TEXTS, f"add values that {param.opts[0]} refuses to NO_TEXTS"
    return NO_TEXTS[param.name]


def refusal(capsys, run, given):
    """Return the line with which a command refuses its arguments."""
    assert run(given) == 2, given
    out, err = capsys.readouterr()
    assert err.count("\n") == 1, err
    assert out == "" or given[0] == "verify"
    return err


@pytest.mark.parametrize(("name", "command", "param", "run"), [*parameters()])
def test_hostile_values_are_refused_with_one_line(strange, capsys, name, command, param, run):
    assert isinstance(command, Command)
    before = contents(strange)
    for value in hostile(param):
        line = refusal(capsys, run, arguments(name, param, value))
        prefixes = ("ccsim: error: ", "proofs-check: error: ")
        assert line.startswith(prefixes) or (name == "verify" and ": unreadable: " in line)
    assert contents(strange) == before


def outputs():
    for name, command, run in commands():
        for param in command.params:
            if param.type is OUTPUT:
                yield pytest.param(name, command, param, run, id=f"{name}-{param.name}")


@pytest.mark.parametrize(("name", "command", "param", "run"), [*outputs()])
def test_no_input_is_an_output_under_any_name(strange, capsys, name, command, param, run):
    before = contents(strange)
    reads = [p for p in command.params if p.type in {INSTANCE, INPUT}]
    for reading in reads:
        for output in (
            "file.csv",
            "./file.csv",
            "folder/../file.csv",
            "hard.csv",
            strange / "file.csv",
        ):
            for source in ("file.csv", "link", "hard.csv"):
                value = f"@{source}" if reading.type is INSTANCE else source
                given = arguments(name, reading, value)
                given = [a for a in given if not a.startswith(f"{param.opts[0]}=")]
                given.insert(1, f"{param.opts[0]}={output}")
                given = [a for a in given if a != "--out=tree.txt"]
                assert "it is the input" in refusal(capsys, run, given)
    assert contents(strange) == before


@pytest.mark.parametrize(("name", "command", "param", "run"), [*outputs()])
def test_outputs_are_refused_before_the_work(strange, capsys, name, command, param, run):
    given = list(ARGUMENTS[name])
    for number, other in enumerate(command.params):
        if isinstance(other, click.Argument) and other.name in {"instance", "name"}:
            given[number] = "no:such=1"  # refused as soon as the work begins
    given = [a for a in given if not a.startswith(f"{param.opts[0]}=") and a != "--out=tree.txt"]
    assert "fifo: cannot be written" in refusal(
        capsys, run, [name, f"{param.opts[0]}=fifo", *given]
    )


@pytest.mark.parametrize("name", NO_OUTPUTS)
def test_neither_text_nor_certificate_is_written_there(strange, name):
    before = contents(strange)
    certificate = Certificate("test", {}, {}, None, None)
    for write in (lambda path: write_text_atomically(path, "x"), certificate.write, check_writable):
        for path in (name, Path(name)) if name and not name.endswith("/") else (name,):
            with pytest.raises(UnreadableInputError, match="cannot be written"):
                write(path)
    assert contents(strange) == before


def test_devices_are_refused():
    with pytest.raises(UnreadableInputError, match="/dev/null: cannot be written: it is a device"):
        check_writable("/dev/null")


@pytest.mark.parametrize("second", ["new", "./new", "folder/../new", "folder_link/../new"])
def test_two_outputs_to_one_file_are_refused(strange, second):
    with pytest.raises(UnreadableInputError, match="two outputs go to it"):
        check_outputs(["new", second])
    with pytest.raises(UnreadableInputError, match="two outputs go to it"):
        check_outputs(["file.csv", "hard.csv"])
    check_outputs(["new", "newer"])


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o664, 0o400])
def test_a_new_file_has_the_permissions_of_the_umask_and_an_old_one_keeps_its_own(tmp_path, mode):
    path = tmp_path / "f"
    old = os.umask(0o027)
    try:
        write_text_atomically(path, "one")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(mode)
        if os.access(path, os.W_OK):
            write_text_atomically(path, "two")
            assert path.read_text() == "two"
        assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(old)


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit, MemoryError])
def test_whatever_ends_the_writing_nothing_is_left(tmp_path, monkeypatch, interruption):
    path = tmp_path / "f"
    path.write_text("old")

    def stop(_):
        raise interruption

    monkeypatch.setattr(os, "fsync", stop)
    with pytest.raises(interruption):
        write_text_atomically(path, "new")
    assert contents(tmp_path).keys() == {path}
    assert path.read_text() == "old"


def in_subprocess(folder, prepare, program, *given):
    """Run a program after ``prepare`` has changed the limits or the user of its process."""
    return subprocess.run(
        [sys.executable, "-B", "-c", program, *given],  # no modules cut short by a limit
        cwd=folder, preexec_fn=prepare, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


RUN = "import sys; from ccsim.cli.main import main; sys.exit(main())"


def test_a_full_disk_is_one_line_and_leaves_the_old_file(tmp_path):
    path = tmp_path / "c.json"
    path.write_text("old")
    done = in_subprocess(
        tmp_path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        RUN, "dimensions", "points:b=3", "--certificate=c.json",
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "c.json: cannot be written: File too large" in done.stderr
    assert contents(tmp_path).keys() == {path}
    assert path.read_text() == "old"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("closed/c.json", "Permission denied"), ("file.csv", "it is read-only")],
)
def test_what_the_user_may_not_write_is_refused_before_the_work(strange, name, reason):
    closed = strange / "closed"
    closed.mkdir(mode=0o555)
    (strange / "file.csv").chmod(0o444)
    program = (
        "import os, sys; from ccsim.certificates.files import check_writable\n"
        "os.chdir(sys.argv[1]); os.getuid() or os.setuid(65534)\n"
        "try: check_writable(sys.argv[2])\n"
        "except ValueError as error: print(error)"
    )
    for folder in (strange, *strange.parents):
        if folder.stat().st_uid == os.getuid() and len(folder.parts) > 2:
            folder.chmod(folder.stat().st_mode | 0o011)
    done = in_subprocess(Path.cwd(), None, program, str(strange), name)
    assert done.stdout == f"{name}: cannot be written: {reason}\n", done.stderr
