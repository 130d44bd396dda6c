"""Commands with a time limit, for inputs with equal rows and columns: status, JSON, certificate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import click
import pytest

from ccsim.certificates.answer import instances_read_once
from ccsim.classes import thresholds
from ccsim.cli.main import EXIT_NOT_DECIDED, cli, main
from ccsim.dimensions import vc_dimension
from ccsim.errors import CertificateError
from ccsim.kernel import check as check_by_kernel
from ccsim.kernel.reader import Matrix
from tests.limited_questions import CLASSES, PROBLEMS

OF_PROBLEMS = {
    "bounds": [[]],
    "complexity": [
        ["--error", error, "--coins", coins]
        for error in ("0", "1/4", "1/2")
        for coins in ("public", "private", "deterministic")
    ],
    "error": [
        ["--messages", "2", "--coins", coins] for coins in ("public", "private", "deterministic")
    ],
}
OF_CLASSES = {
    "dimensions": [[]],
    "represent": [
        ["--error", "1/4"],
        ["--error", "1/4", "--proper"],
        ["--error", "1/4", "--failure", "1/4"],
        ["--error", "1/4", "--curve"],
    ],
    "packing": [["--accuracy", "1/8", "--failure", "1/8", "--epsilon", "1/2"]],
    "sample-complexity": [
        ["--accuracy", "1/4", "--epsilon", "ln 3", "--failure", "1/4"],
        ["--accuracy", "1/4", "--epsilon", "ln 3", "--samples", "2"],
    ],
}
ASKED_ELSEWHERE = {
    "atlas check",
    "atlas prove",
    "audit",
    "compose",
    "export",
    "game",
    "learn",
    "program",
    "protocol",
    "release",
    "sanitize",
    "survey",
    "survey learners",
    "tree",
}
"""Commands that build, draw at random, write a picture or need a mechanism."""


def words_with_a_limit(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[str]:
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            inner = command.get_command(click.Context(command), name)
            yield from words_with_a_limit(inner, (*words, name))
    elif "time_limit" in {each.name for each in command.params}:
        yield " ".join(words)


def test_every_command_with_a_limit_is_asked_here_or_elsewhere():
    assert set(words_with_a_limit(cli)) == {*OF_PROBLEMS, *OF_CLASSES, *ASKED_ELSEWHERE}


@pytest.fixture(autouse=True)
def _in_an_empty_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def asked(command, options, matrix, limit, capsys, tmp_path):
    """Run a command on a matrix; check its status, its JSON and its certificate."""
    rows = [["*" if entry is None else entry for entry in row] for row in matrix]
    lines = [",".join(map(str, row)) for row in rows]
    file, certificate = tmp_path / "table.csv", tmp_path / "certificate.json"
    labels = "," + ",".join(f"y{y}" for y in range(len(rows[0])))
    file.write_text("\n".join([labels, *(f"x{x},{line}" for x, line in enumerate(lines))]) + "\n")
    certificate.unlink(missing_ok=True)
    arguments = [command, f"@{file}", *options, "--time-limit", limit]
    status = main([*arguments, "--json", "--certificate", str(certificate)])
    out, err = capsys.readouterr()
    assert status in {0, EXIT_NOT_DECIDED}, (matrix, err)
    if not out:  # not decided, in one line
        assert status == EXIT_NOT_DECIDED
        assert len(err.splitlines()) == 1
        return
    found = json.loads(out)
    assert found["instance"]
    check_by_kernel(json.loads(certificate.read_text()))


@pytest.mark.parametrize("limit", ["0", pytest.param("0.01", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("command", "options"),
    [(command, options) for command, several in OF_PROBLEMS.items() for options in several],
)
def test_commands_on_problems(command, options, limit, capsys, tmp_path):
    for matrix in PROBLEMS.values():
        asked(command, options, matrix, limit, capsys, tmp_path)


@pytest.mark.parametrize("limit", ["0", pytest.param("0.01", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("command", "options"),
    [(command, options) for command, several in OF_CLASSES.items() for options in several],
)
def test_commands_on_classes(command, options, limit, capsys, tmp_path):
    for matrix in CLASSES.values():
        asked(command, options, matrix, limit, capsys, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["1", "5"])
def test_commands_with_longer_limits(limit, capsys, tmp_path):
    for several, matrices in ((OF_PROBLEMS, PROBLEMS), (OF_CLASSES, CLASSES)):
        for command, variants in several.items():
            for options in variants:
                for matrix in matrices.values():
                    asked(command, options, matrix, limit, capsys, tmp_path)


def test_dimensions_read_and_turn_the_table_once_for_all_checks(monkeypatch, capsys):
    """Three dimensions with weaker answers need one reading and one transposition of the table."""
    calls = []
    for name in ("read", "across"):
        kept = getattr(Matrix, name)

        def counted(*given, name=name, kept=kept):
            calls.append(name)
            return kept(*given)

        monkeypatch.setattr(Matrix, name, counted)
    assert main(["dimensions", "intervals:n=9", "--json"]) == 0
    assert calls.count("read") == 1
    assert calls.count("across") <= 3  # the columns of the class and of its dual, and the dual
    capsys.readouterr()


def test_instances_are_read_once_in_their_context_only(monkeypatch):
    read, seen = Matrix.read, []
    monkeypatch.setattr(Matrix, "read", lambda *given: seen.append(given) or read(*given))
    C, other = thresholds(2), thresholds(3)
    with instances_read_once():
        for known in (C, C, other, C):
            vc_dimension(known).check()
    assert len(seen) == 2
    with instances_read_once():
        vc_dimension(C).check()
        wrong = replace(vc_dimension(other), upper=2)  # has another table than the one before
        with pytest.raises(CertificateError, match="is proved"):
            wrong.check()
    for _ in range(2):
        vc_dimension(C).check()
    assert len(seen) == 6
