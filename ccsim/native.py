"""Libraries in C: built once for each installation, where there is a compiler.

Main definitions: `Library`, `Sources`.

Implementation notes: a wheel of ccsim holds sources alone, so that one serves all platforms. What
needs compiled code has the same search for numba, which is taken where there is no C compiler:
numba itself takes half a second to load and half a minute to compile, a C compiler a second and its
library a millisecond. A library is kept beside the sources, or in the user's own cache directory,
under a name that tells sources, compiler options and kind of processor apart.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

__all__ = ["CC", "FOLDER", "Library", "Sources"]

FOLDER = Path(__file__).parent / "_engine"
"""Where all sources are."""
CC = "CCSIM_CC"
"""Environment variable that names the C compiler; the empty text stands for none."""
_OPTIONS = ("-O3", "-fwrapv", "-shared", "-fPIC")
_PATIENCE = 60
"""Seconds that the compiler may take."""


class Sources(NamedTuple):
    """What a library is made of.

    Attributes
    ----------
    name : str
        The beginning of its file's name.
    sources, headers : tuple of Path
    """

    name: str
    sources: tuple[Path, ...]
    headers: tuple[Path, ...] = ()


Functions: TypeAlias = Mapping[str, tuple[Any, Sequence[Any]]]
"""What each function returns, and what it takes, as ctypes."""


class Library:
    """A library in C, which is built and loaded when it is first asked for.

    Parameters
    ----------
    sources : Sources
    functions : Functions
    """

    def __init__(self, sources: Sources, functions: Functions) -> None:
        self._sources, self._functions = sources, functions
        self._was_asked_for = False
        self._found: ctypes.CDLL | None = None

    def found(self) -> ctypes.CDLL | None:
        """Return the library, built at the first call of an installation; None if it cannot be."""
        if not self._was_asked_for:
            self._was_asked_for, self._found = True, _built(self._sources)
            for name in self._functions if self._found else ():
                function = getattr(self._found, name)
                function.restype, function.argtypes = self._functions[name]
        return self._found

    def is_built(self) -> bool:
        """Say whether the library can be had in milliseconds."""
        if self._was_asked_for:
            return self._found is not None
        return os.environ.get(CC) != "" and _kept(self._sources) is not None

    def is_possible(self) -> bool:
        """Say whether the library is kept already, or there is a compiler that has not failed."""
        if self._was_asked_for or os.environ.get(CC) == "":
            return self._found is not None
        return _kept(self._sources) is not None or _compiler() is not None


def _built(sources: Sources) -> ctypes.CDLL | None:
    """Return a library, compiled if need be; None if that cannot be done."""
    if os.environ.get(CC) == "":
        return None
    kept = _kept(sources)
    if kept is not None:
        try:
            return ctypes.CDLL(str(kept))
        except OSError:  # of another platform after all
            pass
    compiler = _compiler()
    if compiler is None:
        return None
    sys.stderr.write("ccsim: compiling the search, once for this installation: some seconds\n")
    for folder in _folders(sources):
        found = _compiled(compiler, sources, folder)
        if found is not None:
            return found
    return None


def _kept(sources: Sources) -> Path | None:
    """Return the file of the library."""
    name = _file_name(sources)
    for folder in _folders(sources):
        if (folder / name).is_file() and _is_ours(folder / name):
            return folder / name
    return None


def _compiled(compiler: str, sources: Sources, folder: Path) -> ctypes.CDLL | None:
    """Compile into a folder, whole or not at all; None if the folder or the compiler refuses."""
    name = _file_name(sources)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=folder) as directory:
            made = Path(directory) / name
            native = ("-march=native",) if _processor() else ()
            command = [compiler, *_OPTIONS, *native, "-o", str(made), *map(str, sources.sources)]
            subprocess.run(command, check=True, capture_output=True, timeout=_PATIENCE)  # noqa: S603
            made.chmod(0o755)
            found = ctypes.CDLL(str(made))
            made.replace(folder / name)
    except (OSError, subprocess.SubprocessError):
        return None
    return found


def _compiler() -> str | None:
    """Return the C compiler that is asked for, or the usual one."""
    asked = os.environ.get(CC)
    return shutil.which(asked) if asked else shutil.which("cc") or shutil.which("gcc")


@cache
def _processor() -> str:
    """Return what the processor can do, where the system says so."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
            return next((line for line in lines if line.startswith(("flags", "Features"))), "")
    except OSError:
        return ""


@cache
def _file_name(sources: Sources) -> str:
    """Return the name of the file of a library."""
    told = [sys.platform, platform.machine(), _processor(), *_OPTIONS, str(sys.maxsize)]
    digest = hashlib.sha256("\n".join(told).encode())
    for file in (*sources.sources, *sources.headers):
        digest.update(file.read_bytes())
    return f"{sources.name}.{digest.hexdigest()[:24]}.so"


def _folders(sources: Sources) -> Iterator[Path]:
    """Yield the folders for compiled code, the first choice first."""
    yield FOLDER / "__pycache__"
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        yield (Path(home) if home else Path.home() / ".cache") / "ccsim"
    except RuntimeError:  # nobody's home
        return


def _is_ours(file: Path) -> bool:
    """Say whether nobody but the owner of the files or of the process can have written a file."""
    if not hasattr(os, "getuid"):
        return True
    status = file.stat()
    trusted = {os.getuid(), 0, Path(__file__).stat().st_uid}
    return status.st_uid in trusted and not status.st_mode & 0o022
