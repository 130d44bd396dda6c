"""A mechanism in a Python file, ``module.py:function``; loading it executes the file.

The function maps a database, a tuple of records, to its output distribution. An object with
``records`` and a method ``distribution`` is also accepted. Errors name the line of the file.
"""

from __future__ import annotations

import inspect
import re
import sys
import traceback
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from ccsim.arguments.values import show_value
from ccsim.budget import OutOfTimeError, OutOfWorkError
from ccsim.certificates.files import read_limited
from ccsim.data import frozen
from ccsim.errors import CcsimError, DomainError, UnreadableInputError
from ccsim.exact.distribution import Distribution
from ccsim.exact.fractions import INTEGER
from ccsim.privacy import (
    AddRemoveNeighbours,
    FunctionMechanism,
    KeyNeighbours,
    LabelNeighbours,
    Mechanism,
    NoiseProgram,
    OwnNeighbours,
    Relation,
    ReplaceNeighbours,
    RestrictedNeighbours,
)
from ccsim.privacy.constructions import is_symmetric

RELATIONS = MappingProxyType(
    {
        "replace": "databases differ in one record",
        "labels": "databases differ in one label",
        "add-remove": "one database has one record more",
        "key": "databases agree in all records with other keys",
        "remove-key": "one database lacks all records with one key",
        "own": "the attribute related of the function is true",
    }
)
"""The accepted forms of the option --neighbours for a function, and their meanings."""

_OF_ONE_SIZE = ("replace", "labels")  # unless a range of sizes is given
_RANGE = re.compile(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})")
_MOST_RECORDS = 1 << 12
_LONGEST = 60


@frozen
class OwnMechanism:
    """A mechanism defined in a Python file."""

    name: str
    mechanism: FunctionMechanism
    given: Mechanism[Any, Any] | None = None  # the object, if it is a mechanism of its own
    key: int | Callable[[Any], Hashable] | None = None  # its attributes, for some relations
    related: Callable[[Any, Any], bool] | None = None

    def neighbours(self, size: int) -> int | RestrictedNeighbours:
        """Return the neighbours for which the mechanism claims to be private."""
        return size if self.given is None else self.given.neighbours(size)


@frozen
class OwnProgram:
    """A noise program defined in a Python file; its errors name the file and the line."""

    name: str
    program: NoiseProgram
    key: int | Callable[[Any], Hashable] | None = None
    related: Callable[[Any, Any], bool] | None = None


def named_relation(
    found: OwnMechanism | OwnProgram, text: str, sizes: tuple[int | None, int], key: int | None
) -> Relation:
    """Return the relation with a given name, on databases whose sizes lie in a range."""
    least, most = sizes
    if key is not None and text not in ("key", "remove-key"):
        raise DomainError(f"--key is for --neighbours key or remove-key, not {text}")
    if least is None:
        least = most if text in _OF_ONE_SIZE else 0
    match text:
        case "replace":
            return ReplaceNeighbours(most, least)
        case "labels":
            return LabelNeighbours(most, least)
        case "add-remove":
            return AddRemoveNeighbours(most, least)
        case "key" | "remove-key":
            chosen = found.key if key is None else key
            if chosen is None:
                raise DomainError(
                    "give --key INDEX, the index of the key in a record, or set "
                    f"{found.name}.key to this index or to a function of a record"
                )
            return KeyNeighbours(most, chosen, least, "replace" if text == "key" else "remove")
        case "own":
            if found.related is None:
                raise DomainError(
                    f"{found.name} has no relation; set {found.name}.related to a function of "
                    "two databases that returns True if they are neighbours"
                )
            return OwnNeighbours(found.related, most, least)
        case _:
            raise DomainError(
                f"--neighbours of a function must be {', '.join(RELATIONS)}, not "
                f"{text[:_LONGEST]!r}"
            )


def is_function(text: str) -> bool:
    """Whether a text has the form ``FILE.py:NAME``."""
    return ".py:" in text or text.endswith(".py")


def file_of(text: str) -> str:
    """Return the name of the Python file in a text ``FILE.py:NAME``."""
    return text[: text.rindex(".py") + 3]


def read_domain(text: str) -> tuple[Hashable, ...]:
    """Return the records in ``0,1``, ``0..9`` or ``red,blue``, as integers if all of them are."""
    if (ends := _RANGE.fullmatch(text.strip())) is not None:
        first, last = int(ends[1]), int(ends[2])
        if not 0 <= last - first < _MOST_RECORDS:
            raise DomainError(
                f"--domain must have between 1 and {_MOST_RECORDS} records, not {text!r}"
            )
        return tuple(range(first, last + 1))
    parts = [part.strip() for part in text.split(",")]
    if "" in parts:
        raise DomainError(f"--domain must list records such as 0,1 or 0..9 or a,b, not {text!r}")
    if all(INTEGER.fullmatch(part) and len(part) <= 18 for part in parts):
        return tuple(map(int, parts))
    return tuple(parts)


@contextmanager
def own_mechanism(
    text: str, domain: tuple[Hashable, ...] | None
) -> Iterator[OwnMechanism | OwnProgram]:
    """Execute a Python file, and return the mechanism with the given name.

    The file may import modules of its folder; its output is printed to standard error.
    """
    file = Path(file_of(text))
    attribute = text[len(file_of(text)) + 1 :] or None
    source = read_limited(file)
    folder = str(file.resolve().parent)
    sys.path.insert(0, folder)
    try:
        module = _executed(source, file)
        yield _found(module, file, attribute, domain)
    finally:
        if folder in sys.path:
            sys.path.remove(folder)


def _executed(source: bytes, file: Path) -> ModuleType:
    """Execute a file and return its module, without writing bytecode."""
    module = ModuleType(f"audited_{file.stem}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module  # where data classes look for it
    with _explained(file, ""):
        exec(compile(source, str(file), "exec"), module.__dict__)  # noqa: S102 - as asked for
    return module


@contextmanager
def _explained(file: Path, what: str) -> Iterator[None]:
    """Return a context that turns errors in the file's code into one-line errors with the place."""
    begin = f"{file}: {what}"
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (OutOfTimeError, OutOfWorkError):
        raise
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.filename == str(file) else ""
        raise UnreadableInputError(f"{begin}{place}SyntaxError: {error.msg}") from None
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(file)]
        if not lines and isinstance(error, CcsimError):
            raise DomainError(f"{begin}{error}") from None
        place = f"line {lines[-1]}: " if lines else ""
        kind = "" if isinstance(error, CcsimError) else f"{type(error).__name__}: "
        raise DomainError(f"{begin}{place}{kind}{error}") from None


def _found(
    module: ModuleType, file: Path, name: str | None, domain: tuple[Hashable, ...] | None
) -> OwnMechanism | OwnProgram:
    """Return the object with the given name in a module; it must be possible to audit it."""
    thing = None if name is None else getattr(module, name, None)
    if name is None or thing is None:
        known = [
            key
            for key, value in vars(module).items()
            if getattr(value, "__module__", None) == module.__name__ and not key.startswith("_")
        ]
        listed = ", ".join(f"{file}:{key}" for key in known[:8]) or "nothing that could be audited"
        problem = f"write {file}:function" if name is None else f"it has no name {name!r}"
        raise UnreadableInputError(f"{file}: {problem}; it has {listed}")
    if inspect.isclass(thing):
        raise UnreadableInputError(
            f"{file}: {name} is a class: assign an instance to a name, and give that name"
        )
    if isinstance(thing, NoiseProgram):
        return OwnProgram(name, NoiseProgram(_placed(thing.function, file, name), thing.records))
    given = thing if isinstance(thing, Mechanism) else None
    distribution = getattr(thing, "distribution", thing)
    if not callable(distribution):
        raise UnreadableInputError(
            f"{file}: {name} must be a function of a database, or an object with an "
            f"attribute 'records' and a method 'distribution', not {type(thing).__name__}"
        )
    records = domain
    if records is None:
        with _explained(file, f"{name}: "):
            listed_in = getattr(thing, "records", getattr(thing, "domain", None))
            records = None if listed_in is None else tuple(listed_in)
    if records is None:
        raise DomainError(
            f"give --domain, the values of a record, such as --domain 0,1 or --domain 0..9, or set "
            f"{name}.domain in {file}"
        )
    sorts = given is not None and is_symmetric(given)
    key, related = (getattr(thing, attribute, None) for attribute in ("key", "related"))
    return OwnMechanism(
        name,
        FunctionMechanism(records, _wrapped(distribution, file, name), sorts),
        given,
        _explained_calls(key, file, f"{name}.key") if callable(key) else key,
        _explained_calls(related, file, f"{name}.related") if callable(related) else None,
    )


def _explained_calls(function: Callable[..., Any], file: Path, name: str) -> Callable[..., Any]:
    """Return a function whose errors name the file, its line and the arguments."""

    def explained(*given: object) -> Any:  # noqa: ANN401 - any function
        listed = ", ".join(repr(value)[:_LONGEST] for value in given)
        with _explained(file, f"{name}({listed}): "):
            return function(*given)

    return explained


def _placed(
    function: Callable[..., object], file: Path, name: str
) -> Callable[[tuple[Any, ...], Any], object]:
    """Return a noise program whose errors name the file, its line and the queries."""

    def placed(queries: tuple[Any, ...], noise: object) -> object:
        what = f"{name}({repr(queries)[:_LONGEST]}): "
        with _explained(file, what):
            result = function(queries, noise)
        return steps(result, what) if inspect.isgenerator(result) else result

    def steps(result: Iterator[object], what: str) -> Iterator[object]:
        while True:
            with _explained(file, what):
                value = next(result, _END)
            if value is _END:
                return
            yield value

    return placed


_END = object()


def _wrapped(
    distribution: Callable[[Any], object], file: Path, name: str
) -> Callable[[tuple[Any, ...]], Distribution[Any]]:
    """Return a function whose errors name the file, its line and the database."""

    def wrapped(database: tuple[Any, ...]) -> Distribution[Any]:
        what = f"{name}({repr(database)[:_LONGEST]})"
        with _explained(file, f"{what}: "):
            found = distribution(database)
        if isinstance(found, Distribution):
            return found
        if not hasattr(found, "items"):
            raise DomainError(
                f"{file}: {what} must return a mapping of outputs to probabilities, such as "
                f"{{'yes': Fraction(1, 3), 'no': Fraction(2, 3)}}, not {show_value(found)}"
            )
        with _explained(file, f"{what}: "):
            return Distribution.of(dict(found.items()))

    return wrapped
