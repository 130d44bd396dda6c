"""The readers of all parameters of a function, or of all fields of a data class.

Main definitions: `readers_of_function`, `readers_of_fields`.

Implementation notes: annotations are evaluated at the first call, so that importing stays cheap.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from ccsim.arguments.readers import Reader, reader_of

__all__ = ["readers_of_fields", "readers_of_function"]


@functools.cache
def readers_of_function(function: Callable[..., Any]) -> Mapping[str, Reader | None]:
    """Return for each parameter its reader, or None where everything is taken."""
    hints = {name: hint for name, hint in function.__annotations__.items() if name != "return"}
    return _readers(hints, function.__globals__)


@functools.cache
def readers_of_fields(kind: Any) -> Mapping[str, Reader | None]:  # noqa: ANN401 - a class
    """Return for each field of a data class its reader, or None where everything is taken."""
    found: dict[str, Reader | None] = {}
    for base in reversed(kind.__mro__):
        hints = inspect.get_annotations(base)
        kept = {name: hint for name, hint in hints.items() if "ClassVar" not in str(hint)}
        found.update(_readers(kept, vars(sys.modules[base.__module__])))
    return found


def _readers(hints: Mapping[str, Any], known: dict[str, Any]) -> dict[str, Reader | None]:
    holder = types.SimpleNamespace(__annotations__=dict(hints))
    try:
        found = typing.get_type_hints(holder, known, known, include_extras=True)
    except NameError:  # a name that only type checkers import
        known = _known_to_type_checkers(known["__name__"]) | known
        found = typing.get_type_hints(holder, known, known, include_extras=True)
    return {name: reader_of(hint) for name, hint in found.items()}


def _known_to_type_checkers(module: str) -> dict[str, Any]:
    """Return the names that a module imports for type checkers only."""
    names: dict[str, Any] = {}
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), module, "exec"), names)  # noqa: S102 - our own
    return names
