"""Common parameter types of the subcommands, and a command class that checks files before any work.

Implementation notes: the type of a parameter states whether it is an input or an output, so a
subcommand is safe if it declares its parameters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import click

from ccsim.certificates.files import check_outputs, make_folder
from ccsim.errors import DomainError
from ccsim.exact.fractions import as_fraction, as_integer
from ccsim.pictures.figures import SUFFIXES, check_matplotlib
from ccsim.texts.reading import SETS, Reading, listening

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class _Text(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A text that is used unchanged; the name describes its meaning."""

    def __init__(self, name: str) -> None:
        self.name = name


INSTANCE = _Text("instance")
"""A class or a problem: ``family:key=value,...`` or ``@FILE``, possibly with options."""
INPUT = _Text("input file")
"""Name of an input file."""
OUTPUT = _Text("output file")
"""Name of an output file."""


READINGS = "ccsim.readings"
"""Key under which the context of a command stores the assumptions made in reading files."""


class Picture(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """Name of a picture file, whose ending gives the format; it is checked before any work."""

    name = "picture"

    def __init__(self, *others: str) -> None:
        self.others = others

    def convert(
        self,
        value: object,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the name; refuse an invalid ending, or a missing matplotlib."""
        ending = Path(str(value)).suffix.lower()
        known = (*SUFFIXES, *self.others)
        if ending not in known:
            option = "--out" if param is None else param.opts[0]
            endings = f"{', '.join(known[:-1])} or {known[-1]}"
            raise DomainError(f"{option} must end in {endings}, not {str(value)[:80]!r}")
        if ending in SUFFIXES:
            check_matplotlib()
        return str(value)


def picture_option(what: str) -> Callable[[F], F]:
    """Add ``--out FILE`` to a subcommand; ``what`` is its help."""
    return click.option(
        "--out",
        type=Picture(),
        metavar="FILE",
        help=f"{what} ({', '.join(SUFFIXES).replace('.', '')}).",
    )


class _Read(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """The value that a function reads from a text; a `DomainError` refuses the text."""

    def __init__(self, name: str, read: Callable[[object], object]) -> None:
        self.name = name
        self._read = read

    def convert(
        self,
        value: object,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401 - whatever is read
        """Return the value, or refuse the text."""
        try:
            return self._read(value)
        except DomainError as error:
            self.fail(str(error), param, ctx)


class OutputFolder(_Read):
    """A folder for files of given names, which is created if it is missing."""

    def __init__(self, *names: str) -> None:
        super().__init__("output folder", _output_folder)
        self.names = names


def _output_folder(value: object) -> Path:
    if not value:  # no name of the current folder
        raise DomainError("the name of the folder must not be empty")
    return Path(str(value))


def _input_folder(value: object) -> Path:
    try:
        is_folder = bool(value) and Path(str(value)).is_dir()
    except (OSError, ValueError):  # a name that is too long, or no name
        is_folder = False
    if not is_folder:
        raise DomainError(f"the folder {str(value)[:80]!r} must exist; create it first")
    return Path(str(value))


INPUT_FOLDER = _Read("input folder", _input_folder)
"""An existing folder."""


class Integer(_Read):
    """An integer in a range, read like all numbers (`ccsim.exact.fractions`)."""

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        super().__init__("integer", lambda value: as_integer(value, "it", least, most))
        self.least = least


_SIZES = re.compile(r"([0-9]{1,9})\.\.([0-9]{1,9})")


def _sizes(value: object) -> tuple[int | None, int]:
    if (ends := _SIZES.fullmatch(str(value).strip())) is None:
        return None, as_integer(value, "it", 1)
    least, most = int(ends[1]), int(ends[2])
    if not least <= most >= 1:
        raise DomainError(f"a range L..M must have L <= M and M >= 1, not {value}")
    return least, most


SIZES = _Read("integer or range", _sizes)
"""A positive integer ``M``, read as ``(None, M)``, or a range ``L..M``."""


class Rational(_Read):
    """A fraction in a range, which is checked even if the subcommand does not use the fraction."""

    def __init__(self, lower: int | None = None, upper: int | None = None) -> None:
        super().__init__("rational", lambda value: as_fraction(value, "it", lower, upper))


class Name(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on
    """One of many names; the error message for an unknown name suggests similar names."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        """Return the error message, which ends with the suggestions."""
        names, given = [*map(str, self.choices)], str(value)
        if "," in given:
            return f"{given[:40]!r} contains a comma; repeat the option for each name"
        spelled = {name.lower(): name for name in names}
        near = [spelled[name] for name in get_close_matches(given.lower(), spelled, 2)]
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        most = 40 if near else 70
        few = sum(end <= most for end in accumulate(len(name) + 4 for name in names))
        more = f" and {len(names) - few} more" * (few < len(names))
        return f"{given[:40]!r} is not one of {', '.join(map(repr, names[:few]))}{more}{hint}"


def _seconds(value: object) -> float:
    if isinstance(value, int | float):  # a default
        return float(value)
    if value in {"none", "inf"}:
        return math.inf
    try:
        return float(as_fraction(value, "it", 0))
    except (DomainError, OverflowError):
        raise DomainError(f"{value} must be a number of seconds, at least 0, or none") from None


def _epsilon(value: object) -> str:
    text = str(value)
    if found := _AMBIGUOUS.search(text):
        log, over, under = found.groups()
        raise DomainError(
            f"{text[:40]!r} has two readings; write {log}({over}/{under}) or {log}({over})/{under}"
        )
    return text


_AMBIGUOUS = re.compile(r"\b(ln|log)\s*([0-9.]{1,40})\s*/\s*([0-9.]{1,40})")
EPSILON = _Read("epsilon", _epsilon)
"""A text of privacy parameters, without a logarithm that has two readings."""
SECONDS = _Read("seconds", _seconds)
"""A time limit: a number of seconds, or ``none`` for no limit."""


_MOST_WITHOUT_HEADINGS = 7
_HEADING: Mapping[str | None, str] = MappingProxyType(
    {
        name: heading
        for heading, names in (
            (
                "data",
                "data records private public target column columns labels labels_only sets",
            ),
            ("privacy and accuracy", "epsilon delta accuracy failure require_theorem"),
            ("run", "time_limit gap limit runs seed jobs scheduler store sample noise"),
            (
                "output",
                "out as_json certificate certificates csv_file parquet _click_default_help help",
            ),
        )
        for name in names.split()
    }
)
"""Headings of options in the help, by name of the parameter; other options have no heading."""


class Command(click.Command):
    """A subcommand that refuses outputs that cannot be written before it starts any work.

    The context stores under `READINGS` the assumptions made in reading each file. At the end, each
    guess is reported on standard error; a command that fails prints only its error. If there are
    many options, the help lists them under headings.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as click takes them
        super().__init__(*args, **kwargs)
        is_asked = any(p.type is INSTANCE and p.name == "instance" for p in self.params)
        if is_asked and self.name != "audit":  # whose tables are no classes
            self.params.append(
                click.Option(
                    ["--sets"],
                    type=click.Choice(SETS),
                    metavar="KIND",
                    help="Sets of the graph in @FILE: cuts, cliques, ...",
                )
            )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, under headings if there are many."""
        sections: dict[str, list[tuple[str, str]]] = {}
        listed = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        few = len(listed) <= _MOST_WITHOUT_HEADINGS
        for heading in dict.fromkeys(["", *_HEADING.values()]):
            for param in listed:
                record = param.get_help_record(ctx)
                if record is not None and heading == ("" if few else _HEADING.get(param.name, "")):
                    sections.setdefault(heading, []).append(record)
        for heading, records in sections.items():
            with formatter.section(f"{heading} options".strip().capitalize()):
                formatter.write_dl(records)

    def invoke(self, ctx: click.Context) -> object:
        """Check all outputs against the inputs and each other, then run."""
        if (sets := ctx.params.pop("sets", None)) is not None:
            ctx.params["instance"] = _with_sets(ctx.params["instance"], sets)
        inputs: list[str | Path] = []
        outputs: list[str | Path] = []
        for param in self.params:
            value = ctx.params.get(param.name or "")
            if value is None:
                continue
            if param.type is INSTANCE and value.startswith("@"):
                inputs.append(_name_of_file(value[1:]))
            elif param.type is INSTANCE and ".py:" in value:
                inputs.append(value[: value.rindex(".py:") + 3])
            elif param.type is INPUT:
                inputs += map(_name_of_file, value if isinstance(value, tuple) else [value])
            elif param.type is OUTPUT or isinstance(param.type, Picture):
                outputs.append(value)
            elif isinstance(param.type, OutputFolder):
                outputs += [make_folder(value) / name for name in param.type.names]
        check_outputs(outputs, inputs)
        readings: list[Reading] = ctx.meta.setdefault(READINGS, [])
        with listening(readings.append):
            status = super().invoke(ctx)
        for guess in dict.fromkeys(guess for reading in readings for guess in reading.guesses):
            click.echo(f"note: {guess}", err=True)
        return status


def _with_sets(instance: str, sets: str) -> str:
    """Return an INSTANCE, the file of a graph, with the option ``sets`` added."""
    if not instance.startswith("@"):
        raise DomainError(
            f"--sets must be used with a graph in a file @FILE, not with {instance[:40]!r}"
        )
    return f"{instance}{':' if _name_of_file(instance) == instance else ','}sets={sets}"


def _name_of_file(text: str) -> str:
    """Return the name of an input without the options that may follow it."""
    if "=" not in text:
        return text
    from ccsim.texts.reading import name_of_file

    return name_of_file(text)
