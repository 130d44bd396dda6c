"""All public functions and classes, and objects for their parameters.

A name is public if the ``__all__`` of a folder contains it, and documented if a documented package
exports it.
"""

from __future__ import annotations

import collections.abc
import enum
import importlib
import inspect
import math
import pkgutil
import types
import typing
from fractions import Fraction
from functools import cache

import numpy as np

from ccsim.arguments.readers import annotations_of
from ccsim.budget import Budget
from ccsim.exact import Epsilon
from docs.documented import DOCUMENTED, is_ours, returned_classes

PACKAGES = ("ccsim", "protocols", "proofs_check")


def folders():
    """Yield every folder of the three packages as a module."""
    for package in PACKAGES:
        module = importlib.import_module(package)
        yield module
        for info in pkgutil.walk_packages(module.__path__, f"{package}."):
            if info.ispkg:
                yield importlib.import_module(info.name)


@cache
def public_callables():
    """Return all public functions and classes except errors, each once, by folder and name."""
    found = {}
    for folder in folders():
        for name in getattr(folder, "__all__", ()):
            value = getattr(folder, name)
            is_error = inspect.isclass(value) and issubclass(value, BaseException)
            known = any(value is other for other in found.values())
            if (inspect.isclass(value) or inspect.isroutine(value)) and not known | is_error:
                found[f"{folder.__name__}.{name}"] = value
    return found


@cache
def documented():
    """Return the functions and classes that documented packages export, by folder and name."""
    found = {}
    for package in DOCUMENTED:
        folder = importlib.import_module(package)
        elsewhere = getattr(folder, "_ELSEWHERE", ())
        for name in (*folder.__all__, *elsewhere):
            value = inspect.unwrap(getattr(folder, name), stop=_wraps_a_class)
            known = any(value is other for other in found.values())
            if not known and (inspect.isclass(value) or inspect.isroutine(value)):
                found[f"{package}.{name}"] = value
    return found


@cache
def public_places():
    """Return the definitions of public objects: pairs of a module and a qualified name.

    These are the objects of `documented`, the classes that are only returned, their base classes,
    and the public members of all of them.
    """
    left = [*documented().values(), *returned_classes().values()]
    left += [base for kind in left if inspect.isclass(kind) for base in kind.__mro__]
    found = set()
    for value in filter(is_ours, left):
        found.add((value.__module__, value.__qualname__))
        if inspect.isclass(value):
            public = [name for name in vars(value) if not name.startswith("_")]
            found |= {(value.__module__, f"{value.__qualname__}.{name}") for name in public}
    return found


def _wraps_a_class(value):
    return inspect.isclass(value.__wrapped__)


def is_validated(made):
    """Return whether the arguments of a function or class are converted by their annotations."""
    function = made.__init__ if inspect.isclass(made) else made
    if _wrapper(function).startswith("renamed_arguments."):
        function = function.__wrapped__
    return _wrapper(function) == "_checked.<locals>.checked"


def _wrapper(function):
    return getattr(getattr(function, "__code__", None), "co_qualname", "")


def parameters_of(made):
    """Return the names of the parameters with their annotations, evaluated."""
    function = made.__init__ if inspect.isclass(made) else made
    hints = annotations_of(made)
    if inspect.isclass(made) and not set(inspect.signature(made).parameters) <= hints.keys():
        hints = annotations_of(function)
    return {name: hints[name] for name in inspect.signature(made).parameters}


def parts_of(hint):
    """Return the annotations in a union."""
    if typing.get_origin(hint) is typing.Annotated:
        hint = typing.get_args(hint)[0]
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        return [part for each in typing.get_args(hint) for part in parts_of(each)]
    return [hint]


def kinds_of(hint):
    """Return the classes that an argument may have; empty if it may have any class."""
    kinds = {typing.get_origin(part) or part for part in parts_of(hint)}
    if any(isinstance(kind, typing.TypeVar) for kind in kinds):
        return set()
    anything = {typing.Any, object, collections.abc.Hashable}
    return set() if kinds & anything else kinds


SIMPLE = {
    int: 1,
    Fraction: Fraction(1, 4),
    str: "x",
    bool: False,
    float: 1.0,
    types.NoneType: None,
    None: None,
    Epsilon: Epsilon.of("ln 3"),
    Budget: Budget(),
    dict: {},
    list: [],
    set: set(),
    frozenset: frozenset(),
    collections.abc.Mapping: {},
    collections.abc.Sequence: (),
    collections.abc.Iterable: (),
    collections.abc.Collection: (),
    collections.abc.Callable: lambda *_: None,
    type: int,
}


def hollow(hint):
    """Return an object of an annotated type without valid contents.

    For a text with declared choices, it is the first choice.
    """
    declared = getattr(hint, "__metadata__", ())
    if choices := [choice for each in declared for choice in getattr(each, "choices", ())]:
        return choices[0]
    return _hollow(parts_of(hint)[0])


def _hollow(part):
    kind = typing.get_origin(part) or part
    if kind is tuple:
        arguments = typing.get_args(part)
        return () if arguments[1:] == (...,) else tuple(map(hollow, arguments))
    if kind in SIMPLE:
        return SIMPLE[kind]
    if not inspect.isclass(kind) or kind is object:
        return None
    if issubclass(kind, enum.Enum):
        return next(iter(kind))
    if inspect.isabstract(kind) or getattr(kind, "_is_protocol", False):
        kind = type(kind.__name__, (kind,), {"__abstractmethods__": frozenset()})
        kind.__abstractmethods__ = frozenset()
    if kind in NUMPY:
        return NUMPY[kind]
    return tuple.__new__(kind) if issubclass(kind, tuple) else object.__new__(kind)


NUMPY = {np.ndarray: np.zeros(1), np.random.Generator: np.random.default_rng(0)}
SEVERAL = {
    tuple,
    list,
    set,
    frozenset,
    collections.abc.Sequence,
    collections.abc.Iterable,
    collections.abc.Collection,
}
MAPPINGS = {dict, collections.abc.Mapping}
STRANGE = (
    (None, {types.NoneType}),
    (True, {bool}),
    (2.5, {float}),
    (math.nan, set()),
    ("nonsense", {str}),
    (b"ab", {bytes}),
    (object(), set()),
    (int, {type, collections.abc.Callable}),
    (lambda: None, {collections.abc.Callable}),
    ([object()], SEVERAL),
    ({object(): object()}, MAPPINGS),
    (1j, {complex}),
)
"""Objects that are wrong nearly everywhere, with the annotations of which they are."""


def wrong_objects(hint):
    """Yield objects that do not have an annotated type."""
    kinds = kinds_of(hint)
    if kinds and not {Fraction, str} <= kinds:  # those are read by the function itself
        yield from (value for value, right in STRANGE if not kinds & right)
