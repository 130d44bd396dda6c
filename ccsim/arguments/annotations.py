"""The readers of all parameters of a function, or of all fields of a data class.

Implementation notes: annotations are evaluated at the first call, so that importing stays cheap.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from ccsim.arguments.readers import Reader, reader_of

_PARAMETERS = re.compile(r"(?<=Graph)\[[^]]*\]")
"""Parameters of the graphs of networkx, which exist for type checkers only."""


@functools.cache
def readers_of(made: Callable[..., Any]) -> Mapping[str, Reader | None]:
    """Return for each parameter its reader, or None where everything is taken."""
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
    """Return the names of the module of a class, which may be hidden by one of the user's."""
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
    """Return the names that a module imports for type checkers only; Any for what is missing."""
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
