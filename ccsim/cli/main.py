"""The ``ccsim`` command: its subcommands, and what errors look like to the caller.

Exit status: 0 done; 1 a crash; 2 usage, unreadable input or an instance above a limit; 3 not
decided; 4 a certificate was rejected; 129, 130 or 143 ended by a signal, which all end the work as
Ctrl-C does; 141 the reader of the output went away.

Implementation notes: a subcommand's module, and with it numpy and the solvers, is imported when the
subcommand runs, so that ``ccsim --help`` is immediate.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from types import FrameType, MappingProxyType

import click

from ccsim.budget import OutOfTimeError
from ccsim.cli.group import Group, StoppedError
from ccsim.errors import CcsimError, CertificateError, NotDecidedError

__all__ = ["entry", "main", "run_group", "run_program"]

EXIT_USAGE, EXIT_NOT_DECIDED, EXIT_REJECTED, EXIT_INTERRUPTED, EXIT_PIPE = 2, 3, 4, 130, 141

_STATUS: Mapping[type[CcsimError], int] = MappingProxyType(
    {NotDecidedError: EXIT_NOT_DECIDED, CertificateError: EXIT_REJECTED}
)
_OUTPUT_FAILED = frozenset(
    (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
)
"""What the system says where the streams of output go nowhere; files are named in their errors."""
_COMMANDS = MappingProxyType(
    {
        "atlas": "All classes on few points: which has this property?",
        "audit": "Is a mechanism private? Decided on all neighbouring databases.",
        "complexity": "How many messages does a one-way protocol with a given error need?",
        "dims": "VC, dual VC and Littlestone dimension of a class.",
        "doctor": "Does this installation work, and what is it made of?",
        "error": "How small can the error of a one-way protocol with so many messages be?",
        "export": "Write a class, a problem or its game for other programs.",
        "failures": "How likely do random sets of so few hypotheses fail, at least?",
        "families": "The families that an INSTANCE text may name, with their parameters.",
        "learn": "Learn privately from a table, or try a private learner on hard targets.",
        "limits": "The sizes up to which the program goes.",
        "packing": "How many examples does privacy demand at least? By a packing of targets.",
        "predict": "What a rule that learn --data has learned says of new records.",
        "protocol": "A family of protocols: cost, exact error, tables, simulation.",
        "samples": "How many examples does the best private learner of a tiny class need?",
        "sanitize": "Release the records in a file privately, for all queries of a class.",
        "survey": "A question about many instances: resumable, on many processes.",
        "sweep": "How many examples do private learners of points need? Measured.",
        "release": "Answer all queries of a class on private records, helped by public ones.",
        "report": "A page that shows a certificate, and checks it in the browser.",
        "represent": "How few hypotheses represent a class, and do these?",
        "tree": "A deepest mistake tree of a class, drawn or written out.",
    }
)
_FOLDERS = MappingProxyType(
    {
        **dict.fromkeys(("audit", "learn", "packing", "release", "samples", "sanitize"), "privacy"),
        **dict.fromkeys(("atlas", "survey", "sweep"), "surveys"),
        "export": "interchange",
        "failures": "representations",
        "predict": "tables",
    }
)
"""Folders of the subcommands whose modules are not in this one."""


class _LazyGroup(Group):
    """A group whose subcommands are imported when they are run, not when they are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the subcommands."""
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand; a module is named for the one that it holds."""
        if cmd_name not in _COMMANDS:
            return None
        folder = f"ccsim.cli.{_FOLDERS[cmd_name]}" if cmd_name in _FOLDERS else "ccsim.cli"
        command = getattr(import_module(f"{folder}.{cmd_name}"), cmd_name)
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))


def _version() -> str:
    try:
        return version("ccsim")
    except PackageNotFoundError:
        return "(not installed)"


@click.group(
    cls=_LazyGroup,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="INSTANCE is family:key=value,... (lines:p=5, equality:n=8) or @FILE (csv, json, npy).",
)
@click.version_option(_version(), prog_name="ccsim")
def cli() -> None:
    """Answer questions on small finite instances of one-way communication and learning, exactly."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; default those of the process.
    """
    return run_group(cli, "ccsim", argv)


def run_group(group: Group, name: str, argv: Sequence[str] | None = None) -> int:
    """Run a group of subcommands; every error that is meant for a person is one line.

    Parameters
    ----------
    group : Group
        A subcommand may return its exit status.
    name : str
        The program's name, which begins the line of an error.
    argv : sequence of str, optional
        Arguments without the program's name; default those of the process.

    Returns
    -------
    int
        Exit status.
    """
    with _signals_interrupt() as received:
        status = _run(group, name, list(sys.argv[1:] if argv is None else argv))
    return 128 + received[-1] if received and status == EXIT_INTERRUPTED else status


def _run(group: Group, name: str, argv: list[str]) -> int:
    """Run a group of subcommands and return the exit status."""
    try:
        status = group.main(argv, name, standalone_mode=False)
        sys.stdout.flush()
    except StoppedError as stopped:
        status = _stopped(name, stopped.cause)
    except click.Abort as aborted:  # while the arguments were read
        status = _stopped(name, KeyboardInterrupt(aborted))
    except OSError as error:
        status = _stopped(name, error)
    except click.exceptions.NoArgsIsHelpError as nothing_asked:
        click.echo(nothing_asked.format_message())
        status = EXIT_USAGE
    except click.ClickException as error:
        status = _fail(name, error.format_message(), EXIT_USAGE)
    except CcsimError as error:
        status = _fail(name, str(error), _STATUS.get(type(error), EXIT_USAGE))
    except OutOfTimeError:
        reason = "the time limit was over before there was an answer"
        status = _fail(name, reason, EXIT_NOT_DECIDED)
    return status if isinstance(status, int) else 0


def _stopped(name: str, cause: KeyboardInterrupt | OSError) -> int:
    """Return the status of what an interrupt or the system ended; raise what is a fault of ours."""
    if isinstance(cause, KeyboardInterrupt):
        return _fail(name, "interrupted", EXIT_INTERRUPTED)
    if cause.errno not in _OUTPUT_FAILED or cause.filename is not None:
        raise cause
    # what is still buffered must not be written when the interpreter ends
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if cause.errno == errno.EPIPE:
        return EXIT_PIPE
    return _fail(name, f"the output cannot be written: {cause.strerror}", EXIT_USAGE)


@contextmanager
def _signals_interrupt() -> Iterator[list[int]]:
    """Let the other signals that end a program interrupt it as Ctrl-C does; give those that came.

    One that the caller ignores, as after ``nohup``, stays ignored.
    """
    received: list[int] = []

    def interrupt(number: int, _: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt

    old: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    old[number] = signal.signal(number, interrupt)
        yield received
    finally:
        for changed, handler in old.items():
            signal.signal(changed, handler)


def _fail(name: str, message: str, status: int) -> int:
    """Write one line to standard error, whatever the message holds, and return the status."""
    line = " ".join(message.split())
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    with suppress(OSError):  # nobody can be told
        click.echo(f"{name}: error: {shown}", err=True)
    return status


def run_program(run: Callable[[], int], name: str) -> int:
    """Run a console script whatever the caller did to its streams, and return its exit status."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end
    if sys.stdout is None:
        return _fail(name, "the output cannot be written: it is closed", EXIT_USAGE)
    if isinstance(sys.stdout, TextIOWrapper):  # labels and names of files hold any character
        sys.stdout.reconfigure(errors="backslashreplace")
    return run()


def entry() -> None:
    """Console script ``ccsim``."""
    sys.exit(run_program(main, "ccsim"))
