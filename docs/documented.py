"""The documented packages: the names that their `__all__` lists are public, all others internal.

`reference_pages` writes pages of each; `tests/test_structure.py` checks their docstrings.
"""

import inspect
import re
import typing
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType

from ccsim.arguments.renamed import Renamed

DOCUMENTED = (
    "ccsim",
    "ccsim.families",
    "ccsim.classes",
    "ccsim.dimensions",
    "ccsim.communication",
    "ccsim.measures",
    "ccsim.representation",
    "ccsim.learning",
    "ccsim.privacy",
    "ccsim.release",
    "ccsim.information",
    "ccsim.exact",
    "ccsim.certificates",
    "ccsim.programs",
    "ccsim.instances",
    "ccsim.interchange",
    "ccsim.pictures",
    "ccsim.parallel",
    "ccsim.kernel",
    "ccsim.errors",
    "protocols",
)


def is_ours(value: object) -> bool:
    """Whether a function or class is defined in a package of this project."""
    module = getattr(value, "__module__", None) or ""
    return module.partition(".")[0] in ("ccsim", "protocols", "proofs_check")


def public_objects() -> dict[str, object]:
    """Return the public functions, classes and constants, each once, by their documented names."""
    found: dict[str, object] = {}
    known: set[int] = set()
    for package in DOCUMENTED:
        for name in import_module(package).__all__:
            value = getattr(import_module(package), name)
            if id(value) not in known or not is_ours(value):
                known.add(id(value))
                found[f"{package}.{name}"] = value
    return found


def returned_classes() -> dict[str, type]:
    """Return the classes that only public functions and methods construct, by their real names."""
    public = [value for value in public_objects().values() if is_ours(value)]
    known, left, found = {*map(id, public)}, [*public], {}
    while left:
        for kind in _returned(left.pop()):
            if id(kind) not in known and not kind.__name__.startswith("_"):
                known.add(id(kind))
                left.append(kind)
                found[f"{kind.__module__}.{kind.__qualname__}"] = kind
    return dict(sorted(found.items()))


def members(kind: type) -> dict[str, type]:
    """Return the public members of a class, each with the first class that defines it.

    Deprecated names are left out.
    """
    found: dict[str, type] = {}
    for base in filter(is_ours, kind.__mro__):
        for name in (*inspect.get_annotations(base), *vars(base)):
            if not name.startswith("_") and not isinstance(vars(base).get(name), Renamed):
                found.setdefault(name, base)
    return found


def _returned(value: object) -> Iterator[type]:
    """Yield our classes in the annotations of what a function, or a member of a class, returns."""
    functions = [value]
    if isinstance(value, type):
        functions = [vars(base).get(name) for name, base in members(value).items()]
    for each in functions:
        plain = each.fget if isinstance(each, property) else getattr(each, "__func__", each)
        plain = inspect.unwrap(getattr(plain, "func", plain)) if callable(plain) else None
        if isinstance(plain, FunctionType):
            names = re.findall(r"\w+", str(plain.__annotations__.get("return", "")))
            for name in names:
                yield from filter(is_ours, _classes(plain.__globals__.get(name)))


def _classes(hint: object) -> Iterator[type]:
    """Yield the classes of a type, of a union of types, or of a generic type with its arguments."""
    origin = typing.get_origin(hint) or hint
    if isinstance(origin, type):
        yield origin
    for argument in typing.get_args(hint):
        yield from _classes(argument)
