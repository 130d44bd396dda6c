"""The border of the package: arguments of public functions are of the types that are written there.

Main definitions: `checked_types`, `checked_fields`, `tuple_fields`, `iterated`, `show_value`.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import functools
import inspect
import itertools
import math
import numbers
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, ParamSpec, TypeVar, cast

from ccsim.budget import OutOfTimeError
from ccsim.errors import DomainError, NotDecidedError
from ccsim.frames import is_frame

__all__ = ["checked_fields", "checked_types", "iterated", "show_value", "tuple_fields"]

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_LARGEST = Fraction(sys.float_info.max)
_LONGEST_TEXT = 40
_LONGEST_NUMBER = 64
_HINTS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("ConceptClass", "str"): "ccsim.parse_instance reads texts",
        ("CommunicationProblem", "str"): "ccsim.parse_instance reads texts",
        ("ConceptClass", "CommunicationProblem"): "its method to_class converts it",
        ("CommunicationProblem", "ConceptClass"): "ccsim.evaluation_problem converts it",
    }
)
"""What to do, by the type that is asked for and the one that is given."""


def checked_types(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse arguments that are not of the annotated types.

    A truth value is no integer, and neither a text nor a mapping is an iterable; a number of type
    float may be an integer or a fraction, but not nan. What is inside of a collection is left to
    the function. ``Annotated[..., "a matrix"]`` says in words what is asked.

    Raises
    ------
    DomainError
        When the function is called, with its name, the parameter, the type and the value.
    NotDecidedError
        When it runs out of time, if its ``time_limit`` is a number: a budget is someone else's.

    Examples
    --------
    >>> @checked_types
    ... def power(base: int | Fraction, exponent: int) -> int | Fraction:
    ...     return base**exponent
    >>> power(2, 5)
    32
    >>> power(2, 5.0)
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: power: exponent must be an integer, not 5.0
    """
    return _checked(function, function.__name__)


def checked_fields(kind: type[T]) -> type[T]:
    """Refuse the fields of a data class that are not of the annotated types, likewise.

    Lists and ranges become tuples where tuples are annotated (`tuple_fields`).

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @checked_fields
    ... @dataclass(frozen=True, slots=True)
    ... class Noise:
    ...     flip: Fraction
    >>> Noise(0.1)
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: Noise: flip must be a Fraction, not 0.1
    """
    made = cast("Any", kind)
    made.__init__ = _checked(made.__init__, kind.__name__)
    return tuple_fields(kind)


def tuple_fields(kind: type[T]) -> type[T]:
    """Accept lists and ranges for the fields of a data class that are tuples, also inside of them.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @tuple_fields
    ... @dataclass(frozen=True)
    ... class Path:
    ...     steps: tuple[tuple[int, int], ...]
    ...     marks: tuple[int, ...] | None = None
    >>> Path([[0, 1], [1, 2]], range(2))
    Path(steps=((0, 1), (1, 2)), marks=(0, 1))
    """
    made = cast("Any", kind)
    plain = made.__init__
    names = [field.name for field in dataclasses.fields(made) if field.init]

    @functools.wraps(plain)
    def taking_lists(self: object, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        if any(type(value) in _LISTED for value in (*args, *kwargs.values())):
            hints = _hints(plain)
            asked = itertools.chain(map(hints.get, names), itertools.repeat(None))
            args = tuple(itertools.starmap(_in_tuples, zip(args, asked, strict=False)))
            kwargs = {name: _in_tuples(value, hints.get(name)) for name, value in kwargs.items()}
        plain(self, *args, **kwargs)

    made.__init__ = taking_lists
    return kind


_LISTED = (list, range)


@functools.cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    return typing.get_type_hints(function, include_extras=True)


def _in_tuples(value: object, hint: object) -> object:
    """Return a list or a range as a tuple where the annotation asks for one, and what is inside."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in {typing.Union, types.UnionType}:
        asked = [part for part in parts if typing.get_origin(part) is tuple]
        return _in_tuples(value, asked[0]) if len(asked) == 1 else value
    if origin is not tuple or type(value) not in {tuple, *_LISTED}:
        return value
    listed = tuple(cast("Iterable[object]", value))
    inside = itertools.repeat(parts[0]) if parts[-1:] == (...,) else parts
    if not any(type(entry) in _LISTED for entry in listed):
        return listed
    return tuple(itertools.starmap(_in_tuples, zip(listed, inside, strict=False)))


def _checked(function: Callable[P, R], called: str) -> Callable[P, R]:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        wanted = _parameter_types(function)
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:
            return function(*args, **kwargs)  # whose own message names it
        for name, value in given.items():
            if name != "self" and not _is_of(value, wanted[name][0]):
                raise DomainError(f"{called}: {name} must be {_asked(*wanted[name], value)}")
        try:
            return function(*args, **kwargs)
        except OutOfTimeError:
            if not isinstance(given.get("time_limit"), int | float):
                raise  # to whoever shares the time
            raise NotDecidedError(f"{called}: not decided within the time limit") from None

    return checked


@functools.cache
def _parameter_types(
    function: Callable[..., Any],
) -> dict[str, tuple[tuple[type, ...], tuple[str, ...]]]:
    """Return for each parameter the types that it may have, and in words what is asked."""
    hints = typing.get_type_hints(function, include_extras=True)
    return {name: (tuple(_types(hint)), tuple(_words(hint))) for name, hint in hints.items()}


def _types(hint: Any) -> list[type]:  # noqa: ANN401 - an annotation
    """Return the classes that an annotation stands for."""
    if hint is Any or isinstance(hint, TypeVar):
        return [object]
    origin = typing.get_origin(hint)
    if origin is Annotated:
        return _types(typing.get_args(hint)[0])
    if origin in {typing.Union, types.UnionType}:
        return [kind for part in typing.get_args(hint) for kind in _types(part)]
    return [origin or hint]


def _words(hint: Any) -> list[str]:  # noqa: ANN401 - an annotation
    """Return what an annotation asks for, in words."""
    origin = typing.get_origin(hint)
    if origin is Annotated:
        return [str(typing.get_args(hint)[1])]
    if origin in {typing.Union, types.UnionType}:
        return [word for part in typing.get_args(hint) for word in _words(part)]
    return [_NAMES.get(kind) or _with_article(kind.__name__) for kind in _types(hint)]


def _is_of(value: object, wanted: tuple[type, ...]) -> bool:
    if Fraction in wanted and str in wanted:
        return True  # a number that may be text is read, and refused, by `as_fraction`
    return any(_is_a(value, kind) for kind in wanted)


def _is_a(value: object, kind: type) -> bool:
    if isinstance(value, bool | str):
        own = bool if isinstance(value, bool) else str
        return kind in {own, object, collections.abc.Hashable}
    if kind is float and isinstance(value, int | Fraction):
        return -_LARGEST < value < _LARGEST
    if kind is float:
        return isinstance(value, float) and not math.isnan(value)
    if kind in type(value).__mro__:
        return True  # a protocol class would ask for every attribute, and some are computed
    if isinstance(value, Mapping) and kind is collections.abc.Iterable:
        return False
    return isinstance(value, (int, Fraction) if kind is Fraction else kind)


def _asked(wanted: tuple[type, ...], words: tuple[str, ...], value: object) -> str:
    """Return the end of a message: what was asked for, what was given, and what helps."""
    asked = " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
    given = type(value).__name__
    hints = (hint for kind in wanted if (hint := _HINTS.get((kind.__name__, given))))
    return "".join([f"{asked}, not {show_value(value)}", *(f"; {hint}" for hint in hints)])


_NAMES: Mapping[object, str] = MappingProxyType(
    {
        types.NoneType: "None",
        bool: "True or False",
        collections.abc.Callable: "a function",
        float: "a number",
        int: "an integer",
        str: "text",
    }
)


def _with_article(name: str) -> str:
    return f"an {name}" if name[0] in "aeiouAEIU" else f"a {name}"


def iterated(things: Iterable[T], name: str, what: str = "entries") -> Iterator[T]:
    """Return an iterator over things; refuse what is none, a text, a mapping and a data frame.

    Iterating over a frame gives the names of its columns.

    Raises
    ------
    DomainError

    Examples
    --------
    >>> iterated(7, "points", "labels")
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: points must be a list of labels, not 7
    """
    try:
        if not isinstance(things, str | bytes | Mapping) and not is_frame(things):
            return iter(things)
    except TypeError:
        pass
    raise DomainError(f"{name} must be a list of {what}, not {show_value(things)}")


def show_value(value: object) -> str:
    """Write a value out for a message, or its type or size if it is too long to read.

    Examples
    --------
    >>> show_value(2.5), show_value(2**80), show_value([1, 2]), show_value("x" * 100)[:8]
    ('2.5', 'a number of 81 bits', 'a list', "'xxxxxxx")
    """
    if isinstance(value, Fraction) and value.denominator != 1:
        long = max(value.numerator.bit_length(), value.denominator.bit_length())
        return f"a fraction of {long} bits" if long > _LONGEST_NUMBER else str(value)
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        bits = int(value).bit_length()
        return f"a number of {bits} bits" if bits > _LONGEST_NUMBER else str(value)
    if isinstance(value, str):
        return repr(value[:_LONGEST_TEXT])
    if value is None or isinstance(value, bool | numbers.Number):
        return repr(value)
    if isinstance(value, type):
        return f"the type {value.__name__}"
    return _with_article(type(value).__name__)
