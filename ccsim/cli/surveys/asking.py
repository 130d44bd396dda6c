"""A command as a question about many instances: what it prints, caught in this process."""

from __future__ import annotations

import math
import shlex
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import click
from click.core import ParameterSource

from ccsim.budget import OutOfTimeError
from ccsim.cli.main import EXIT_NOT_DECIDED, EXIT_REJECTED, EXIT_USAGE, cli
from ccsim.cli.parameters import INPUT, INSTANCE, OUTPUT, OutputFolder, Picture
from ccsim.data import frozen
from ccsim.errors import CcsimError, CertificateError, DomainError, NotDecidedError
from ccsim.surveys.survey import CRASHED, Reply

_OF_THE_SURVEY = {
    "as_json": "answers are JSON in any case",
    "certificate": "--certificates DIR of the survey keeps certificates",
    "time_limit": "--time-limit of the survey bounds each answer",
}
_FINEST = 10**6


@frozen
class CommandQuestion:
    """A command with its options, asked about one instance after the other."""

    words: tuple[str, ...]  # the command and its options
    time_limit: float  # seconds for an answer; infinity for any time
    certified: bool = False  # whether the command is asked for a certificate

    @classmethod
    def of(cls, text: str, time_limit: float | None = None, *, certified: bool = False) -> Self:
        """Read a question; its time limit is by default that of the command."""
        try:
            words = tuple(shlex.split(text))
            if not words:
                raise DomainError("the question is empty; write a command and its options")
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
        """The question in one way of writing."""
        return shlex.join(self.words)

    def __call__(self, instance: str) -> Reply:
        """Answer for one instance, given by its text."""
        command = cli.get_command(click.Context(cli), self.words[0])
        if command is None:
            raise DomainError(f"no command {self.words[0]!r}")
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
        """Return the exit status of the command, and why it has no answer."""
        try:
            with command.make_context(self.words[0], given) as context:
                status = command.invoke(context)
        except click.UsageError as error:
            raise DomainError(f"question {self.text!r}: {error.format_message()}") from None
        except NotDecidedError as error:
            return EXIT_NOT_DECIDED, _line(error)
        except OutOfTimeError:
            return EXIT_NOT_DECIDED, "the time limit was over before there was an answer"
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
    """Refuse what is no question about an instance; return the time limit of the command."""
    params = [] if command is None else command.params
    names = {param.name for param in params}
    arguments = [param for param in params if isinstance(param, click.Argument)]
    if command is None or [p.type for p in arguments] != [INSTANCE] or "as_json" not in names:
        raise DomainError(f"{words[0]} is not a command about one INSTANCE that has --json")
    if certified and "certificate" not in names:
        raise DomainError(f"{words[0]} has no certificates to be kept")
    with redirect_stdout(StringIO()):  # of --help
        try:
            context = command.make_context(words[0], [*words[1:], "--", "points:b=1"])
        except click.exceptions.Exit:
            raise DomainError("it asks for help") from None
    for param in params:
        name = param.name or ""
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        if name in _OF_THE_SURVEY:
            raise DomainError(_OF_THE_SURVEY[name])
        if param.type in {INPUT, OUTPUT} or isinstance(param.type, OutputFolder | Picture):
            raise DomainError(f"{param.opts[0]} names a file, which is no part of a question")
    return float(context.params.get("time_limit", math.inf))
