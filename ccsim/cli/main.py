"""The ``ccsim`` command: its subcommands, and how errors are reported to the caller.

Exit status: 0 success; 1 a crash; 2 usage, unreadable input or an instance above a limit; 3 not
decided; 4 a rejected certificate; 129, 130 or 143 a signal, which interrupts the work like Ctrl-C;
141 closed output.

Implementation notes: the module of a subcommand (with numpy and the solvers) is imported when the
subcommand runs, so that ``ccsim --help`` is immediate.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from io import TextIOWrapper
from shutil import get_terminal_size
from types import FrameType, MappingProxyType

import click

from ccsim.budget import OutOfTimeError
from ccsim.cli.group import Group, StoppedError
from ccsim.errors import CcsimError, CertificateError, NotDecidedError
from ccsim.version import __version__

EXIT_USAGE, EXIT_NOT_DECIDED, EXIT_REJECTED, EXIT_INTERRUPTED, EXIT_PIPE = 2, 3, 4, 130, 141

_STATUS: Mapping[type[CcsimError], int] = MappingProxyType(
    {NotDecidedError: EXIT_NOT_DECIDED, CertificateError: EXIT_REJECTED}
)
_OUTPUT_FAILED = frozenset(
    (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
)
"""Error codes of the system for closed output streams; errors of files contain the file name."""
_COMMANDS: Mapping[str, Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "Dimensions": {
            "dimensions": ("dimensions", "Compute VC, Littlestone and other dimensions of a class"),
            "tree": ("dimensions:tree", "Print or draw a deepest mistake tree of a class"),
        },
        "Communication": {
            "bounds": ("bounds", "Compute bounds on every two-party complexity measure"),
            "complexity": (
                "error:complexity",
                "Compute the least number of messages for an error",
            ),
            "error": ("error", "Compute the minimax error for a number of messages"),
            "protocol": ("protocol", "Compute the cost and the exact error of a protocol"),
        },
        "Representations": {
            "represent": ("represent", "Find a smallest representation of a class, or check one"),
        },
        "Privacy and learning": {
            "audit": ("privacy.audit", "Decide whether a mechanism is (epsilon, delta)-private"),
            "compose": ("privacy.compose", "Compute the privacy of several runs of mechanisms"),
            "learn": ("privacy.learn", "Learn privately from a table, or test private learners"),
            "packing": ("privacy.packing", "Compute a lower bound for private learners"),
            "predict": ("privacy.predict", "Apply a learned rule to other records"),
            "release": ("privacy.release", "Answer queries on private records using public ones"),
            "sample-complexity": (
                "privacy.sample_complexity",
                "Compute the sample complexity of private learning",
            ),
            "sanitize": ("privacy.sanitize", "Release records privately for a class of queries"),
        },
        "Games and linear programs": {
            "game": ("game", "Solve a zero-sum matrix game exactly"),
            "program": ("program", "Solve a linear program exactly"),
        },
        "Certificates and surveys": {
            "atlas": ("surveys.atlas", "Find small classes by their properties"),
            "report": ("report", "Write a web page that shows and checks a certificate"),
            "survey": ("surveys.survey", "Answer one question for many instances"),
            "survey learners": (
                "surveys.learners",
                "Measure the sample sizes of learners of points",
            ),
        },
        "Instances and installation": {
            "doctor": ("doctor", "Test this installation and list its components"),
            "export": ("export", "Write a class, problem or game for other programs"),
            "families": ("families", "List the families, mechanisms, learners and sanitizers"),
            "limits": ("limits", "List the size limits of all searches"),
        },
    }
)
"""Sections of the help: for each subcommand its module below ``ccsim.cli``, and its line."""
_MODULES = MappingProxyType(
    {name: module for group in _COMMANDS.values() for name, (module, _) in group.items()}
)
_FORMER = MappingProxyType(
    {
        "dims": ("dimensions", "dimensions"),
        "failures": ("represent:failures", "represent --curve"),
        "samples": ("privacy.sample_complexity", "sample-complexity"),
        "sweep": ("surveys.learners", "survey learners"),
    }
)
"""Modules and current names for the former names, which are accepted but not listed."""


_ELSEWHERE = MappingProxyType(
    dict.fromkeys(("check", "verify"), "'proofs-check verify' checks certificates")
    | dict.fromkeys(("draw", "plot"), "the option --out of a command draws its answer")
    | dict.fromkeys(("ldim", "littlestone", "vc"), "'ccsim dimensions' computes dimensions")
)
"""Replacements for words that users may expect to be subcommands."""


class _LazyGroup(Group):
    """A group whose subcommands are imported when they run, not when they are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all subcommands, in alphabetical order."""
        return sorted(_MODULES)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the arguments name, whose name may have two words."""
        if " ".join(args[:2]) in _MODULES:
            args = [" ".join(args[:2]), *args[2:]]
        return super().resolve_command(ctx, args)

    def hint(self, ctx: click.Context, name: str) -> str:
        """Return a suggestion for an unknown command."""
        return _ELSEWHERE.get(name) or super().hint(ctx, name)

    def instead(self, text: str) -> str:
        """Return the command that was probably meant, given an instance or a file name instead."""
        from ccsim.texts.reading import is_name_of_table

        ending = re.search(r"\.(nfg|lp|mps|vipr)(\.gz)?$", text.lower())
        if ending is not None:
            name = text.removeprefix("@")
            return f"game @{name}" if ending[1] == "nfg" else f"program {name}"
        if text.startswith("@") or re.match(r"[a-z_]+:", text):
            return f"dimensions {text}"
        return f"dimensions @{text}" if is_name_of_table(text) else ""

    def suggestions(self, ctx: click.Context) -> dict[str, str]:
        """Return the names close to a misspelt one, each with the command to write."""
        return super().suggestions(ctx) | {name: now for name, (_, now) in _FORMER.items()}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand; a module is named after the subcommand that it contains."""
        module = _FORMER[cmd_name][0] if cmd_name in _FORMER else _MODULES.get(cmd_name)
        if module is None:
            return None
        module, _, name = module.partition(":")
        command = getattr(import_module(f"ccsim.cli.{module}"), name or module.rpartition(".")[2])
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the tables of subcommands without importing them."""
        width = max(map(len, _MODULES))
        for group, commands in _COMMANDS.items():
            with formatter.section(group):
                rows = [(name.ljust(width), line) for name, (_, line) in commands.items()]
                formatter.write_dl(rows)


@click.group(
    cls=_LazyGroup,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="INSTANCE is a member of a family (lines:p=5, equality:n=8; see 'ccsim families') or a "
    "file (@matrix.csv). 'ccsim help COMMAND' describes a command; 'proofs-check verify' checks a "
    "certificate.",
)
@click.version_option(__version__, prog_name="ccsim")
def cli() -> None:
    """Answer questions on communication complexity and private learning, with certificates."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    return run_group(cli, "ccsim", argv)


def run_group(group: Group, name: str, argv: Sequence[str] | None = None) -> int:
    """Run a group of subcommands; every error for users is one line."""
    with _signals_interrupt() as received:
        status = _run(group, name, list(sys.argv[1:] if argv is None else argv))
    return 128 + received[-1] if received and status == EXIT_INTERRUPTED else status


def _run(group: Group, name: str, argv: list[str]) -> int:
    """Run a group of subcommands and return the exit status."""
    try:
        color = False if os.environ.get("NO_COLOR") else None
        status = group.main(argv, name, standalone_mode=False, color=color)
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
        reason = "the time limit was reached before there was an answer"
        status = _fail(name, reason, EXIT_NOT_DECIDED)
    return status if isinstance(status, int) else 0


def _stopped(name: str, cause: KeyboardInterrupt | OSError) -> int:
    """Report an interrupt or a system error; return its exit status. Re-raise internal errors."""
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
    """Make other terminating signals interrupt the program like Ctrl-C; yield the received signals.

    Signals that the caller ignores, as after ``nohup``, remain ignored.
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
    """Write a message to standard error, as one line but on a terminal; return the exit status."""
    line = " ".join(message.split())
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    text = f"{name}: error: {shown}"
    with suppress(OSError):  # nobody can be told
        if sys.stderr.isatty():
            from textwrap import wrap

            width = max(40, get_terminal_size().columns)
            lines = wrap(
                text,
                width,
                subsequent_indent="  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            text = "\n".join(lines)
        click.echo(text, err=True)
    return status


def run_program(run: Callable[[], int], name: str) -> int:
    """Run a console script, even with closed streams, and return its exit status."""
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
