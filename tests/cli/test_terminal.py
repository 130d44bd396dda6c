"""Output that appears only on a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from ccsim.cli.main import main
from ccsim.cli.output import Column, print_table

ROOT = Path(__file__).resolve().parents[2]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(code, width=80, **variables):
    """Run Python code whose streams are a terminal; return its whole output."""
    ours, theirs = pty.openpty()
    set_here = ("NO_COLOR", "FORCE_COLOR")
    environment = {key: value for key, value in os.environ.items() if key not in set_here}
    environment |= {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": str(width), **variables}
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            more = os.read(ours, 1 << 16)
        except OSError:  # Linux says so at the end
            break
        if not more:
            break
        shown += more
    os.close(ours)
    assert process.wait(60) == 0
    return shown.decode().replace("\r\n", "\n")


TABLE = (
    "from ccsim.cli.output import Column, print_table; "
    "print_table([Column(), Column(breaks=True), Column(right=True)], "
    "[('key', 'word ' * 40, '1'), ('other', '', '100')], [('', 'green', ''), ('', '', '')])"
)


def test_lines_fit_a_terminal_and_are_broken_at_blanks():
    shown = COLOUR.sub("", on_terminal(TABLE, 60)).splitlines()
    assert max(map(len, shown)) <= 60
    assert shown[0].startswith("key    word word")
    assert shown[0].endswith("    1")
    assert all(line.startswith("       word") for line in shown[1:-1])
    assert sum(line.count("word") for line in shown) == 40
    assert shown[-1].split() == ["other", "100"]


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_terminals_that_want_it(variables, coloured):
    assert ("\x1b[32m" in on_terminal(TABLE, **variables)) == coloured


def command(*arguments):
    return f"from ccsim.cli.main import main; main({list(arguments)})"


def test_bounds_on_a_terminal_break_no_words_and_list_inequalities_below():
    shown = COLOUR.sub("", on_terminal(command("bounds", "equality:n=2"))).splitlines()
    assert max(map(len, shown)) <= 80
    assert "(nondeterministic)" in shown
    assert "key               bound by another measure" in shown
    assert any(
        re.match("nonnegative_rank  lower: rank <= nonnegative rank", line) for line in shown
    )
    wide = on_terminal(command("bounds", "equality:n=2"), 200).splitlines()
    assert wide[1].split("  ")[-1].strip() == "bound by another measure"


def test_pairs_are_not_broken():
    shown = on_terminal(command("error", "index:d=3", "--messages", "2"))
    pairs = [line for line in shown.splitlines() if "1/24" in line]
    assert [line.count("(") for line in pairs] == [line.count("1/24") for line in pairs] == [3, 2]


def test_errors_are_wrapped_on_a_terminal():
    shown = on_terminal(command("bounds", "equality:n=2", "--only", "nothing_like_it"), 60)
    first, *others = shown.splitlines()
    assert first.startswith("ccsim: error: ")
    assert others
    assert max(map(len, shown.splitlines())) <= 60


@pytest.mark.parametrize(
    ("given", "end"),
    [
        ("d", "; did you mean 'D'?"),
        ("D,rank", "'D,rank' contains a comma; repeat the option for each name"),
        ("nothing_like_it", " more"),
    ],
)
def test_an_unknown_measure_is_refused_briefly(capsys, given, end):
    assert main(["bounds", "equality:n=2", "--only", given]) == 2
    message = capsys.readouterr().err
    assert message.rstrip(".\n").endswith(end)
    assert len(message) <= 160


def test_elsewhere_lines_are_plain_and_broken_at_blanks_only(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS")
    long = "9" * 200
    print_table([Column(), Column(breaks=True)], [("a", "word " * 4000 + long)], [("red", "green")])
    *lines, last = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) == 77  # 80 is inside the next word
    assert sum(line.count("word") for line in lines) == 4000
    assert last == f"   {long}"


def test_elsewhere_a_table_of_bounds_fits_80_characters(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS")
    assert main(["bounds", "equality:n=2"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert max(map(len, shown)) <= 80
    assert "key               bound by another measure" in shown


def test_progress_is_shown_on_a_terminal_and_vanishes():
    code = (
        "import time\n"
        "from ccsim.cli.output import closing_in\n"
        "with closing_in('least [b]error') as progress:\n"
        "    progress(0.25, 1)\n"
        "    time.sleep(0.5)\n"
        "print('done')"
    )
    shown = on_terminal(code)
    assert "least [b]error between 0.250000 and 1" in COLOUR.sub("", shown)
    assert shown.endswith("\x1b[2Kdone\n")  # the line before it was erased
    assert shown.index("\x1b[?25l") < shown.index("\x1b[?25h")  # and the cursor is back


def test_without_a_terminal_there_is_no_progress(capsys):
    assert main(["error", "equality:n=4", "--messages", "2"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "\x1b" not in captured.out


@pytest.mark.parametrize("width", [80, 50])
def test_a_narrow_terminal_cuts_no_number(width):
    code = (
        "from ccsim.cli.output import Column, print_table; "
        "print_table([Column(breaks=True), Column(), Column()], "
        "[('a long name of a measure ' * 2, 'discrepancy_uniform', '2.3903107 .. 2.3903108')])"
    )
    shown = COLOUR.sub("", on_terminal(code, width))
    assert "discrepancy_uniform  2.3903107 .. 2.3903108" in shown
