"""The engine: the searches in C, compiled to one library when the package is built.

Implementation notes: `hatch_build.py` compiles ``_engine/*.c``; nothing is compiled at run time.
Each function of the engine has a search in Python with the same answers, which is used in packages
that were built without the engine (`CCSIM_ENGINE=python`), for browsers.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

from ccsim.errors import EngineError

ENGINE = "CCSIM_ENGINE"
"""Environment variable: ``python`` selects no engine, any other value is the file of a library."""
PYTHON = "python"
FOLDER = Path(__file__).parent / "_engine"
"""Location of the library; in a checkout, also of its sources."""
_FILE = {"win32": "engine.dll", "darwin": "engine.dylib"}.get(sys.platform, "engine.so")
_WITHOUT = "python_only"
"""A file that the build writes in place of the library if it builds no engine."""
_REBUILD = "run 'python hatch_build.py' in a checkout, or install ccsim again"

Functions: TypeAlias = Mapping[str, tuple[Any, Sequence[Any]]]
"""Result type and argument types of each function, as ctypes."""


class Library:
    """The functions of the engine that belong to one module."""

    def __init__(self, part: str, functions: Functions) -> None:
        self._part, self._functions = part, functions
        self._found: SimpleNamespace | None = None

    def found(self) -> SimpleNamespace | None:
        """Return the functions of the module by name, or None if there is no engine."""
        if (library := engine()) is None:
            return None
        if self._found is None:
            self._found = SimpleNamespace()
            for name, (result, taken) in self._functions.items():
                function = getattr(library, f"ccsim_{self._part}_{name}")
                function.restype, function.argtypes = result, taken
                setattr(self._found, name, function)
        return self._found


@cache
def engine() -> ctypes.CDLL | None:
    """Return the library, or None if the package was built or is used without an engine."""
    named = os.environ.get(ENGINE, "")
    if named == PYTHON or (not named and (FOLDER / _WITHOUT).is_file()):
        return None
    file = Path(named) if named else FOLDER / _FILE
    if not file.is_file():
        raise EngineError(f"the engine {file} is missing; {_REBUILD}")
    try:
        library = ctypes.CDLL(str(file.absolute()))
        library.ccsim_engine_sources.restype = ctypes.c_char_p
        built_from = library.ccsim_engine_sources().decode()
    except (OSError, AttributeError) as error:
        raise EngineError(f"the engine {file} cannot be loaded: {error}; {_REBUILD}") from None
    if any(FOLDER.glob("*.c")) and built_from != digest(FOLDER):
        raise EngineError(f"the engine {file} was built from other sources; {_REBUILD}")
    return library


def name_of_engine() -> str:
    """Return a description of the engine in use: the library's file, or Python."""
    if (library := engine()) is not None:
        return str(library._name)
    return f"Python ({ENGINE}={PYTHON})" if os.environ.get(ENGINE) else "Python (built without C)"


def digest(folder: Path) -> str:
    """Return a digest of the sources in a folder; `hatch_build.py` computes the same digest."""
    found = hashlib.sha256()
    for file in sorted(folder.glob("*.[ch]")):
        found.update(file.read_bytes())
    return found.hexdigest()[:24]
