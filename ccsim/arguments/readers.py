"""Readers for annotated types: each converts an argument to its type, or raises an error.

If an annotation allows both text and numbers, the function itself converts the text. The elements
of ``Annotated[..., "a matrix"]`` are not converted; a `Parameter` in place of the text declares a
range.
"""

from __future__ import annotations

import ast
import collections.abc
import functools
import inspect
import math
import numbers
import operator
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from ccsim.arguments.numbers import (
    exact_spelling,
    fraction_of,
    integer_of,
    is_float,
    is_truth_value,
)
from ccsim.arguments.parameters import Parameter
from ccsim.arguments.values import show_value, with_article
from ccsim.errors import DomainError
from ccsim.frames import is_frame

Reader = Callable[[Any, str], Any]  # converts an argument; the text is its name

_LARGEST = Fraction(sys.float_info.max)
_OWN: dict[type, Reader] = {}
_OF_FUNCTION = "use FunctionMechanism(records, function) for a function"
_HINTS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("ConceptClass", "str"): "use ccsim.parse_instance to read a text",
        ("CommunicationProblem", "str"): "use ccsim.parse_instance to read a text",
        ("ConceptClass", "CommunicationProblem"): "use its method to_class to convert it",
        ("CommunicationProblem", "ConceptClass"): "use ccsim.evaluation_problem to convert it",
        ("Mechanism", "function"): _OF_FUNCTION,
        ("Mechanism", "method"): _OF_FUNCTION,
        ("Mechanism", "builtin_function_or_method"): _OF_FUNCTION,
    }
)
"""Advice for messages, by annotated type and given type."""
_NAMES: Mapping[object, str] = MappingProxyType(
    {
        types.NoneType: "None",
        bool: "True or False",
        collections.abc.Callable: "a function",
        collections.abc.Hashable: "a hashable value",
        float: "a number",
        int: "an integer",
        str: "text",
    }
)
_SEVERAL = (
    tuple,
    list,
    set,
    frozenset,
    collections.abc.Sequence,
    collections.abc.Collection,
    collections.abc.Iterable,
    collections.abc.Iterator,
)
"""Kinds of collections whose elements are converted; lists and arrays are accepted for all."""
_OF_ANY_ORDER = _SEVERAL[4:]
_MAPPINGS = (dict, collections.abc.Mapping)
_PARAMETERS = re.compile(r"(?<=Graph)\[[^]]*\]")
"""Type parameters of the graphs of networkx, which exist only for type checkers."""


def read_as(kind: type, reader: Reader) -> None:
    """Register a reader that converts objects where the class `kind` is annotated."""
    _OWN[kind] = reader


@functools.cache
def reader_of(hint: Any) -> Reader | None:  # noqa: ANN401 - an annotation
    """Return the reader for an annotation, or None if all values are accepted."""
    is_opaque = typing.get_origin(hint) is Annotated
    if is_opaque and isinstance(about := typing.get_args(hint)[1], Parameter):
        return _in_range(about, reader_of(typing.get_args(hint)[0]))
    parts = _parts(hint)
    kinds = tuple(typing.get_origin(part) or part for part in parts)
    if {object, collections.abc.Hashable} & set(kinds) or {Fraction, str} <= set(kinds):
        return None  # a number that may be text is read, and refused, by `as_fraction`
    converted = {part: found for part in parts if (found := _conversion(part)) is not None}
    if is_opaque or sum(typing.get_origin(part) is not None for part in converted) > 1:
        converted = {part: found for part, found in converted.items() if isinstance(part, type)}
    others = tuple(kind for part, kind in zip(parts, kinds, strict=True) if part not in converted)
    at_once = frozenset(part for part in parts if isinstance(part, type)) - {float}
    words = tuple(_words(hint))

    conversions = tuple(converted.values())

    def read(value: Any, name: str) -> Any:  # noqa: ANN401 - any argument
        if type(value) in at_once or (others and any(_is_a(value, kind) for kind in others)):
            return value
        for convert in conversions:
            if (found := convert(value, name)) is not None:
                return found
        raise DomainError(f"{name} must be {_asked(kinds, words, value)}")

    return read


_EXACT = frozenset({bool, int, str})  # types of which every instance is accepted as it is


def _in_range(about: Parameter, reader: Reader | None) -> Reader | None:
    """Return a reader that also checks a declared range."""
    if not about.rule:
        return reader
    return lambda value, name: about.check(reader(value, name) if reader else value, name)


def _parts(hint: Any) -> list[Any]:  # noqa: ANN401 - an annotation
    """Return the members of a union of annotations."""
    if hint is Any or isinstance(hint, TypeVar | typing.ForwardRef | str):
        return [object]
    origin = typing.get_origin(hint)
    if origin is Annotated:
        return _parts(typing.get_args(hint)[0])
    if origin in {typing.Union, types.UnionType}:
        return [part for each in typing.get_args(hint) for part in _parts(each)]
    return [types.NoneType if hint is None else hint]


def _words(hint: Any) -> list[str]:  # noqa: ANN401 - an annotation
    """Return the description of an annotation for messages."""
    origin = typing.get_origin(hint)
    if origin is Annotated:
        return [str(typing.get_args(hint)[1])]
    if origin in {typing.Union, types.UnionType}:
        return [word for part in typing.get_args(hint) for word in _words(part)]
    kind = origin or (types.NoneType if hint is None else hint)
    return [_NAMES.get(kind) or with_article(kind.__name__)]


def _conversion(part: Any) -> Reader | None:  # noqa: ANN401 - an annotation
    """Return the conversion to an annotated type.

    The conversion returns None for unsuitable objects.
    """
    if part is int:
        return lambda value, _: None if isinstance(value, str) else integer_of(value)
    if part is Fraction:
        return lambda value, _: fraction_of(value)
    if part is bool:
        return lambda value, _: bool(value) if is_truth_value(value) else None
    if part is float:
        return lambda value, _: _float_of(value)
    if part in _OWN:
        return _OWN[part]
    return _conversion_of_several(part)


def _float_of(value: object) -> object:
    """Return a number, possibly a fraction; return None for nan and bools."""
    if is_float(value):
        number = float(typing.cast("float", value))
        return None if math.isnan(number) else number
    if isinstance(value, numbers.Rational) and not is_truth_value(value):
        return value if -_LARGEST < value < _LARGEST else None
    return None


def _conversion_of_several(part: Any) -> Reader | None:  # noqa: ANN401 - an annotation
    """Return the conversion of a collection, which converts its elements."""
    kind, arguments = typing.get_origin(part), typing.get_args(part)
    if kind in _MAPPINGS:
        keys, values = map(reader_of, arguments)
        return lambda value, name: _mapping(value, name, keys, values)
    if kind not in _SEVERAL:
        return None
    if kind is tuple and arguments[1:] != (Ellipsis,):
        readers = [reader_of(argument) for argument in arguments]
        return lambda value, name: _fixed(value, name, readers)
    reader, kinds = reader_of(arguments[0]), frozenset(_parts(arguments[0]))
    made = tuple if kind in _OF_ANY_ORDER else kind
    entries = typing.get_args(arguments[0]) if typing.get_origin(arguments[0]) is tuple else ()
    plain = entries != () and _EXACT.issuperset(entries)

    def convert(value: Any, name: str) -> Any:  # noqa: ANN401 - any argument
        if type(value) is made and (reader is None or kinds.issuperset(map(type, value))):
            return value
        if plain and type(value) is made and _are_all(value, entries):
            return value
        if not _is_several(value, kind):
            return None
        right = isinstance(value, kind)
        if right and not isinstance(value, collections.abc.Collection):
            return value if reader is None else _one_by_one(value, name, reader)
        if reader is None or kinds.issuperset(map(type, value)):
            return value if right else made(value)
        elements = list(_one_by_one(value, name, reader))
        same = right and all(map(operator.is_, elements, value))
        return value if same else made(elements)

    return convert


def _are_all(values: Iterable[Any], entries: tuple[type, ...]) -> bool:
    """Whether all elements are tuples with entries of exactly these types."""
    return all(type(each) is tuple and tuple(map(type, each)) == entries for each in values)


def _one_by_one(values: Iterable[Any], name: str, reader: Reader) -> Iterator[Any]:
    """Convert elements.

    An invalid element is converted again, so that the message names its index.
    """
    for i, value in enumerate(values):
        try:
            yield reader(value, name)
        except DomainError:
            yield reader(value, f"{name}[{i}]")


def _fixed(value: Any, name: str, readers: list[Reader | None]) -> Any:  # noqa: ANN401
    """Convert a tuple of a given length; return None for an object that is not a collection."""
    if not _is_several(value, tuple):
        return None
    if len(value) != len(readers):
        raise DomainError(f"{name} must have {len(readers)} entries, not {len(value)}")
    read = []
    for i, (each, reader) in enumerate(zip(value, readers, strict=True)):
        if reader is None:
            read.append(each)
            continue
        try:
            read.append(reader(each, name))
        except DomainError:
            read.append(reader(each, f"{name}[{i}]"))
    same = type(value) is tuple and all(map(operator.is_, read, value))
    return value if same else tuple(read)


def _mapping(value: Any, name: str, keys: Reader | None, values: Reader | None) -> Any:  # noqa: ANN401
    """Convert the keys and the values of a mapping; return None for any other object."""
    if not isinstance(value, Mapping):
        return None
    if keys is None and values is None:
        return value
    read = {
        key if keys is None else keys(key, f"a key of {name}"): each
        if values is None
        else values(each, f"{name}[{show_value(key)}]")
        for key, each in value.items()
    }
    same = all(map(operator.is_, read.values(), value.values()))
    return value if same and all(map(operator.is_, read, value)) else read


def _is_several(value: object, kind: type) -> bool:
    """Return whether a value is a collection that can be converted to `kind`."""
    if type(value) is tuple or type(value) is list:
        return True
    if isinstance(value, str | bytes | Mapping) or is_frame(value):
        return False
    if isinstance(value, kind):
        return True
    if type(value).__module__.partition(".")[0] == "numpy":
        return getattr(value, "ndim", 0) > 0
    return isinstance(value, range) or (
        kind in {set, frozenset} and isinstance(value, collections.abc.Set)
    )


def _is_a(value: object, kind: type) -> bool:
    """Return whether a value is an instance of a class without conversions."""
    if isinstance(value, bool | str):
        return kind is (bool if isinstance(value, bool) else str)
    if kind in type(value).__mro__:
        return True  # a protocol class would ask for every attribute, and some are computed
    if isinstance(value, Mapping | bytes) and kind in _OF_ANY_ORDER:
        return False
    return isinstance(value, kind)


def _asked(kinds: tuple[type, ...], words: tuple[str, ...], value: object) -> str:
    """Return the end of a message: the annotated type, the given value, and advice."""
    if Fraction in kinds and is_float(value):
        return f"an exact number, not the float {exact_spelling(value)}"
    asked = " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
    given = type(value).__name__
    hints = (hint for kind in kinds if (hint := _HINTS.get((kind.__name__, given))))
    return "".join([f"{asked}, not {show_value(value)}", *(f"; {hint}" for hint in hints)])


@functools.cache
def readers_of(made: Callable[..., Any]) -> Mapping[str, Reader | None]:
    """Return, for each parameter, its reader, or None if all values are accepted."""
    return {name: reader_of(hint) for name, hint in annotations_of(made).items()}


def annotations_of(made: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of the parameters of a function, or of the fields of a data class."""
    if not isinstance(made, type):
        hints = {name: hint for name, hint in made.__annotations__.items() if name != "return"}
        return _evaluated(hints, getattr(inspect.unwrap(made), "__globals__", {}))
    found: dict[str, Any] = {}
    for base in reversed(made.__mro__):
        hints = inspect.get_annotations(base)
        kept = {name: hint for name, hint in hints.items() if "ClassVar" not in str(hint)}
        found.update(_evaluated(kept, _names_known_to(base)))
    return found


def _names_known_to(base: type) -> dict[str, Any]:
    """Return the global names of the module in which a class is defined."""
    init = inspect.unwrap(vars(base).get("__init__", object))
    return getattr(init, "__globals__", None) or vars(sys.modules.get(base.__module__, typing))


def _evaluated(hints: Mapping[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    holder = types.SimpleNamespace(__annotations__=dict(hints))
    try:
        return typing.get_type_hints(holder, known, known, include_extras=True)
    except (NameError, TypeError):  # a name, or a parameter of a class, for type checkers only
        known = _known_to_type_checkers(known["__name__"]) | known
    for name, hint in hints.items():
        plain = _PARAMETERS.sub("", hint) if isinstance(hint, str) else hint
        holder.__annotations__[name] = plain
    return typing.get_type_hints(holder, known, known, include_extras=True)


def _known_to_type_checkers(module: str) -> dict[str, Any]:
    """Return the names that a module imports only for type checkers.

    Names that cannot be imported become Any.
    """
    names: dict[str, Any] = {}
    for block in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            for node in block.body:
                try:
                    exec(compile(ast.Module([node], []), module, "exec"), names)  # noqa: S102
                except ImportError:  # an extra that is not installed
                    aliases = node.names if isinstance(node, ast.ImportFrom) else []
                    names.update((alias.asname or alias.name, Any) for alias in aliases)
    return names
