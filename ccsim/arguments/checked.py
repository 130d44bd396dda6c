"""Input validation: arguments of public functions are converted to their annotated types."""

from __future__ import annotations

import functools
import inspect
import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, ParamSpec, TypeVar, cast

from ccsim.arguments.numbers import MAX_DIGITS
from ccsim.arguments.readers import Reader, readers_of
from ccsim.arguments.values import show_value
from ccsim.budget import OutOfTimeError
from ccsim.errors import DomainError, NotDecidedError
from ccsim.frames import is_frame

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_RECORDS = frozenset({"database", "examples", "private", "records"})
"""Names of the parameters whose values may be records of people."""
_MOST_BITS = (10**MAX_DIGITS).bit_length()


def checked_types(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function convert its arguments to the annotated types, and raise for other arguments.

    A bool is not accepted as an integer, nor a text or a mapping as an iterable. If the annotation
    is float, integers and fractions are not converted, and nan is not accepted.
    """
    owner, _, name = function.__qualname__.rpartition(".")
    called = owner.rpartition(".")[2] if name == "__init__" else name
    return _checked(function, called, function)


def checked_fields(kind: type[T]) -> type[T]:
    """Make a data class convert its fields to the annotated types, and raise for other values."""
    made = cast("Any", kind)
    made.__init__ = _checked(made.__init__, kind.__name__, made)
    return kind


def constructor(kind: type[T]) -> Callable[..., T]:
    """Return a constructor of a data class that does not check its fields, for inner loops."""
    initialise = cast("Any", kind).__init__.__wrapped__

    def make(*fields: object) -> T:
        made = kind.__new__(kind)
        initialise(made, *fields)
        return made

    return make


def _checked(
    function: Callable[P, R],
    called: str,
    annotated: Callable[..., Any],
) -> Callable[P, R]:
    """Return the function with readers for its arguments, which are created at the first call."""

    @functools.cache
    def plan() -> tuple[list[tuple[str, Reader]], dict[str, Reader]]:
        """Return the readers of the positional arguments and of the keyword arguments."""
        readers = {
            name: _unquoted(reader) if reader and name in _RECORDS else reader
            for name, reader in readers_of(annotated).items()
        }
        parameters = list(inspect.signature(function).parameters.values())
        by_position = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        return (
            [(f"{called}: {p.name}", readers.get(p.name) or _as_it_is) for p in by_position],
            {p.name: reader for p in parameters if (reader := readers.get(p.name))},
        )

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        by_position, by_name = plan()
        given = [read(value, name) for value, (name, read) in zip(args, by_position, strict=False)]
        for name, value in kwargs.items():
            if (read := by_name.get(name)) is not None:
                kwargs[name] = read(value, f"{called}: {name}")
        try:
            return function(*given, *args[len(given) :], **kwargs)  # type: ignore[arg-type]
        except OutOfTimeError:
            if not isinstance(kwargs.get("time_limit"), int | float):
                raise  # to whoever shares the time
            raise NotDecidedError(f"{called}: not decided within the time limit") from None
        except (ValueError, OverflowError) as error:  # Python writes out at most 4300 digits
            if type(error) in {ValueError, OverflowError}:
                _refuse_long_numbers([*args, *kwargs.values()], called)
            raise

    return checked


def _refuse_long_numbers(values: Iterable[object], called: str) -> None:
    """Raise for integers and fractions of more than `MAX_DIGITS` digits, the limit for texts."""
    for value in values:
        if not isinstance(value, int | Fraction):
            continue
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        if bits > _MOST_BITS:
            what = f"numbers must have at most {MAX_DIGITS} digits"
            raise DomainError(f"{called}: {what}, not {show_value(value)}") from None


def _unquoted(reader: Reader) -> Reader:
    """Return a reader, for records of people, whose error messages do not quote values."""

    def read(value: Any, name: str) -> Any:  # noqa: ANN401 - any argument
        try:
            return reader(value, name)
        except DomainError as error:
            if isinstance(value, numbers.Number):  # in the place of how many there are
                raise
            rule, _, _ = str(error).partition(", not ")
        raise DomainError(f"{rule} (the value is not shown, for privacy)")

    return read


def _as_it_is(value: Any, _name: str) -> Any:  # noqa: ANN401 - any argument
    return value


def iterated(things: Iterable[T], name: str, what: str = "entries") -> Iterator[T]:
    """Return an iterator.

    Raise for texts, mappings, data frames and objects that are not iterable.
    """
    try:
        if not isinstance(things, str | bytes | Mapping) and not is_frame(things):
            return iter(things)
    except TypeError:
        pass
    raise DomainError(f"{name} must be a list of {what}, not {show_value(things)}")
