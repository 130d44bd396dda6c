"""``ccsim survey``: one question about many instances, stored in a database and resumable."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import click
from click.core import ParameterSource

from ccsim.budget import ADDRESS, OutOfTimeError
from ccsim.certificates.files import check_outputs, make_folder, write_bytes_atomically
from ccsim.cli.main import EXIT_INTERRUPTED, EXIT_NOT_DECIDED, EXIT_REJECTED, EXIT_USAGE, cli
from ccsim.cli.output import report, told
from ccsim.cli.parameters import (
    INPUT,
    INSTANCE,
    OUTPUT,
    SECONDS,
    Command,
    Integer,
    OutputFolder,
    Picture,
)
from ccsim.data import frozen
from ccsim.errors import CcsimError, CertificateError, DomainError, NotDecidedError
from ccsim.parallel.store import Row, Store
from ccsim.surveys.instances import instances_of
from ccsim.surveys.survey import CRASHED, NOT_DECIDED, Reply, Survey
from ccsim.surveys.survey import survey as run_survey
from ccsim.surveys.tables import as_csv, as_parquet
from ccsim.version import __version__

_TITLES = {
    0: "answered",
    NOT_DECIDED: "not decided",
    2: "refused",
    CRASHED: "crashed",
    EXIT_REJECTED: "rejected",
}


@click.command(cls=Command)
@click.argument("question")
@click.argument("instances", type=INSTANCE)
@click.option("--out", type=OUTPUT, required=True, metavar="FILE.db",
              help="Database of the answers; resumed if it exists.")  # fmt: skip
@click.option("--jobs", type=Integer(1, 256), default=1, show_default=True, metavar="N",
              help="Number of processes on this machine.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS", help="Run on a Dask cluster at tcp://HOST:PORT.")
@click.option("--time-limit", type=SECONDS, metavar="S|none",
              help="Seconds per answer; by default that of the command.")  # fmt: skip
@click.option("--csv", "csv_file", type=OUTPUT, metavar="FILE", help="Export the answers as CSV.")
@click.option(
    "--parquet", type=OUTPUT, metavar="FILE", help="Export the answers as Parquet (needs pyarrow)."
)
@click.option(
    "--certificates",
    type=OutputFolder(),
    metavar="DIR",
    help="Write a certificate of each answer to DIR.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def survey(  # noqa: PLR0913 - one argument for each option
    *,
    question: str,
    instances: str,
    out: str,
    jobs: int,
    scheduler: str | None,
    time_limit: float | None,
    csv_file: str | None,
    parquet: str | None,
    certificates: Path | None,
    as_json: bool,
) -> int:
    """Answer QUESTION, a ccsim command with its options in quotes, for many INSTANCES.

    INSTANCES is a family with ranges (random:m=12,n=8,seed=0..399), all:n=3 for all classes on 3
    points up to isomorphism, or @FOLDER for the csv and json files in a folder. Each answer is a
    row of the database with the JSON output of the command.

    Repeat the command to resume an unfinished survey. It computes the missing answers and, with a
    larger time limit, the undecided ones. The exit status is 3 if answers are missing or undecided,
    and 130 after an interrupt.
    """
    asking = CommandQuestion.of(question, time_limit, certified=certificates is not None)
    if scheduler is not None and not ADDRESS.fullmatch(scheduler):
        raise DomainError(f"--scheduler must be tcp://HOST:PORT, not {scheduler[:40]!r}")
    asked = instances_of(instances)
    outputs = [name for name in (out, csv_file, parquet) if name is not None]
    check_outputs(outputs, [each.text[1:] for each in asked if each.content is not None])
    if parquet is not None:
        as_parquet([])
    if certificates is not None:
        make_folder(certificates)
    about = Survey(asking.text, __version__, asked, Store(out), asking.time_limit, certificates)
    with told(_progress) as shown:
        complete = run_survey(asking, about, jobs=jobs, scheduler=scheduler, progress=shown)
    rows = about.rows()
    if csv_file is not None:
        write_bytes_atomically(csv_file, as_csv(rows).encode())
    if parquet is not None:
        write_bytes_atomically(parquet, as_parquet(rows))
    statuses = Counter(row.status for row in rows)
    missing = len({(each.text, each.digest) for each in asked}) - len(rows)
    data = {
        "question": about.question,
        "version": about.version,
        "instances": len(rows) + missing,
        "missing": missing,
        **{title.replace(" ", "_"): statuses[status] for status, title in _TITLES.items()},
    }
    report(data, _lines(about, rows, statuses, missing), as_json=as_json)
    if not complete:
        return EXIT_INTERRUPTED
    return EXIT_NOT_DECIDED if missing or statuses[NOT_DECIDED] or statuses[CRASHED] else 0


def _progress(counts: Counter[int], number: int) -> str:
    kinds = ", ".join(f"{counts[status]} {_TITLES[status]}" for status in _TITLES if counts[status])
    return f"{counts.total()} of {number} answers: {kinds}"


def _lines(
    about: Survey, rows: Sequence[Row], statuses: Counter[int], missing: int
) -> list[tuple[str, str]]:
    """Return the lines of the report: the number of answers of each kind, with a first example."""
    lines = [("question", about.question), ("instances", str(len(rows) + missing))]
    for status, title in _TITLES.items():
        if not (number := statuses[status]):
            continue
        first = next((row for row in rows if row.status == status and row.message), None)
        shown = "" if first is None or not status else f", as {first.instance}: {first.message}"
        lines.append((title, f"{number}{shown}"))
    if missing:
        lines.append(("missing", f"{missing}; repeat the command to compute them"))
    return lines


_OF_THE_SURVEY = {
    "as_json": "--json is not needed: answers are stored as JSON",
    "certificate": "use the option --certificates DIR of the survey instead of --certificate",
    "time_limit": "use the option --time-limit of the survey for each answer",
}
_FINEST = 10**6


@frozen
class CommandQuestion:
    """A command with its options, applied to one instance at a time."""

    words: tuple[str, ...]  # the command and its options
    time_limit: float  # seconds for an answer; infinity for any time
    certified: bool = False  # whether the command is asked for a certificate

    @classmethod
    def of(cls, text: str, time_limit: float | None = None, *, certified: bool = False) -> Self:
        """Read a question; the default time limit is that of the command."""
        try:
            words = tuple(shlex.split(text))
            if not words:
                raise DomainError(
                    "the question must not be empty; write a command with its options"
                )
            _, command, _ = cli.resolve_command(click.Context(cli), [words[0]])
            limit = _checked(command, words, certified=certified)
        except click.ClickException as error:
            raise DomainError(f"question {text[:80]!r}: {error.format_message()}") from None
        except ValueError as error:
            message = error if isinstance(error, DomainError) else f"{error}".lower()
            raise DomainError(f"question {text[:80]!r}: {message}") from None
        return cls(words, limit if time_limit is None else time_limit, certified)

    @property
    def text(self) -> str:
        """The question in normalised form."""
        return shlex.join(self.words)

    def __call__(self, instance: str) -> Reply:
        """Return the answer for one instance, given by its text."""
        command = cli.get_command(click.Context(cli), self.words[0])
        if command is None:
            raise DomainError(f"unknown command {self.words[0]!r}; 'ccsim help' lists the commands")
        with TemporaryDirectory() as folder:
            path = Path(folder, "certificate.json")
            given = [*self.words[1:], "--json"]
            if self.certified:
                given.append(f"--certificate={path}")
            if "time_limit" in {param.name for param in command.params}:
                given.append(f"--time-limit={_seconds(self.time_limit)}")
            out, err = StringIO(), StringIO()
            with redirect_stdout(out), redirect_stderr(err):
                status, message = self._run(command, [*given, "--", instance])
            notes = " ".join(err.getvalue().split())
            return Reply(
                status,
                out.getvalue().strip() or None,
                message or notes or None,
                path.read_text(encoding="utf-8") if path.exists() else None,
            )

    def _run(self, command: click.Command, given: list[str]) -> tuple[int, str]:
        """Return the exit status of the command, and the reason if it has no answer."""
        try:
            with command.make_context(self.words[0], given) as context:
                status = command.invoke(context)
        except click.UsageError as error:
            raise DomainError(f"question {self.text!r}: {error.format_message()}") from None
        except NotDecidedError as error:
            return EXIT_NOT_DECIDED, _line(error)
        except OutOfTimeError:
            return EXIT_NOT_DECIDED, "the time limit was reached before there was an answer"
        except CertificateError as error:
            return EXIT_REJECTED, _line(error)
        except CcsimError as error:
            return EXIT_USAGE, _line(error)
        except Exception as error:  # a survey goes on, and says so
            return CRASHED, f"{type(error).__name__}: {_line(error)}"
        return status if isinstance(status, int) else 0, ""


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _seconds(limit: float) -> str:
    if math.isinf(limit):
        return "none"
    return str(Fraction(limit).limit_denominator(_FINEST))


def _checked(command: click.Command | None, words: tuple[str, ...], *, certified: bool) -> float:
    """Refuse commands that are not questions about an instance; return the default time limit."""
    params = [] if command is None else command.params
    names = {param.name for param in params}
    arguments = [param for param in params if isinstance(param, click.Argument)]
    if command is None or [p.type for p in arguments] != [INSTANCE] or "as_json" not in names:
        raise DomainError(
            f"{words[0]} cannot be used in a survey, since it has no INSTANCE or no --json"
        )
    if certified and "certificate" not in names:
        raise DomainError(f"{words[0]} writes no certificates; omit --certificates")
    with redirect_stdout(StringIO()):  # of --help
        try:
            context = command.make_context(words[0], [*words[1:], "--", "points:b=1"])
        except click.exceptions.Exit:
            raise DomainError(
                "the question must not contain --help; write a command with its options"
            ) from None
    for param in params:
        name = param.name or ""
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        if name in _OF_THE_SURVEY:
            raise DomainError(_OF_THE_SURVEY[name])
        if param.type in {INPUT, OUTPUT} or isinstance(param.type, OutputFolder | Picture):
            raise DomainError(
                f"{param.opts[0]} names a file, but a question cannot read or write files"
            )
    return float(context.params.get("time_limit", math.inf))
