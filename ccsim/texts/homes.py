"""Loading of entry points from their own distribution, even if a module shadows its name.

For example, a ``protocols.py`` next to a notebook shadows the package of that name; this module
makes both usable.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from ccsim.errors import UnreadableInputError

_LOADED: dict[tuple[Path, str], dict[str, ModuleType]] = {}
"""Modules that were loaded while another package had their name."""


def registered(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name; of several with the same name, the first."""
    return {point.name: point for point in reversed(tuple(entry_points(group=group)))}


def load_registered(point: EntryPoint, what: str) -> Any:  # noqa: ANN401 - whatever it names
    """Return the object of an entry point; if it cannot be loaded, raise a one-line error."""
    try:
        return load_from_home(point)
    except Exception as error:
        other = stranger(point) if isinstance(error, ImportError | AttributeError) else None
        why = "" if other is None else f"; {other} shadows its package"
        reason = " ".join(str(error).split())
        raise UnreadableInputError(
            f"{what} {point.name}: {point.value} cannot be loaded: {reason}{why}"
        ) from error


def load_from_home(point: EntryPoint) -> Any:  # noqa: ANN401 - whatever it names
    """Return the object of an entry point, loaded from the package of its own distribution."""
    package, home = _package(point), _home(point)
    if home is None or stranger(point) is None:
        return point.load()
    with _at_home(package, home):
        return point.load()


def stranger(point: EntryPoint) -> str | None:
    """Return the file or module that shadows the package of an entry point.

    The result is None if there is none.
    """
    package, home = _package(point), _home(point)
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):  # what stands for it in memory is no module
        return f"a module in memory called {package}"
    if spec is None or not spec.origin or home is None:
        return None
    found = Path(spec.origin).resolve()
    own = home / f"{package}.py", home / package / "__init__.py"
    return None if found in [path.resolve() for path in own] else str(found)


def _package(point: EntryPoint) -> str:
    return point.module.partition(".")[0]


def _home(point: EntryPoint) -> Path | None:
    """Return the folder with the package of an entry point; None if it is unknown."""
    package, distribution = _package(point), point.dist
    if distribution is None:
        return None
    names = f"{package}/__init__.py", f"{package}.py"
    if distribution.name == "ccsim":
        home = Path(__file__).resolve().parents[2]
        return home if any((home / name).is_file() for name in names) else None
    for file in distribution.files or ():
        if str(file) in names:
            return Path(str(distribution.locate_file(""))).resolve()
    return None


@contextmanager
def _at_home(package: str, home: Path) -> Iterator[None]:
    """Return a context in which a package is imported from a folder, even if it is shadowed."""
    hidden = _taken(package)
    sys.modules.update(_LOADED.get((home, package), {}))
    sys.path.insert(0, str(home))
    try:
        yield
    finally:
        sys.path.remove(str(home))
        _LOADED[home, package] = _taken(package)
        sys.modules.update(hidden)


def _taken(package: str) -> dict[str, ModuleType]:
    """Remove a package and its modules from the loaded modules, and return them by name."""
    names = [name for name in sys.modules if name == package or name.startswith(f"{package}.")]
    return {name: sys.modules.pop(name) for name in names}
