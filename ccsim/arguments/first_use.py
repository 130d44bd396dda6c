"""Imports of public names at their first use: a command loads only the modules that it needs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import CodeType, MappingProxyType
from typing import Any

from ccsim.arguments.renamed import warn_renamed


def names_at_first_use(
    package: dict[str, Any], others: Mapping[str, str] = MappingProxyType({}), **renamed: str
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package, given its `globals()`.

    The package declares its names as type checkers see them, by imports below
    ``if TYPE_CHECKING``; ``others`` maps further names to their modules. Deprecated names are given
    as pairs ``Old="New"``.
    """
    code, own = sys._getframe(1).f_code, package["__name__"]
    homes: dict[str, str] = {}

    def find(name: str) -> object:
        if not homes:
            homes.update({**_imports(code), **others})
        if name in renamed:
            warn_renamed(f"{own}.{name}", f"{own}.{renamed[name]}", 2)
            return getattr(sys.modules[own], renamed[name])
        if name not in homes:
            raise AttributeError(f"module {own!r} has no attribute {name!r}")
        home = import_module(homes[name])
        is_module = home.__name__ == f"{own}.{name}"
        return package.setdefault(name, home if is_module else getattr(home, name))

    return find, lambda: sorted({*package, *package["__all__"]})


def _imports(code: CodeType) -> Mapping[str, str]:
    """Return, for each name that a module's code imports (in any branch), the name's module."""
    import dis

    found, module = {}, ""
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME":
            module = step.argval
        elif step.opname == "IMPORT_FROM":
            found[step.argval] = module
    return found
