"""Compiled functions: the decorator, and whether they are compiled already.

This module imports numba, and is itself imported only where an instance is large.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba

__all__ = ["announce", "compiled", "is_kept"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function on its first call, once for each installation where files may be kept."""
    try:
        made: Callable[_P, _R] = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no directory for compiled code can be written
        made = numba.njit(nogil=True)(function)
    return made


def is_kept(*functions: Callable[..., object]) -> bool:
    """Say whether compiled code is kept for functions of these names that begin in these lines.

    It must be newer than their module. Otherwise the first use compiles for half a minute.
    """
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    for function in functions:
        directory = getattr(function, "stats").cache_path  # noqa: B009 - known to numba alone
        code = getattr(function, "py_func").__code__  # noqa: B009
        index = f"*.{code.co_name}-{code.co_firstlineno}.{version}.nbi"
        written = Path(code.co_filename).stat().st_mtime
        kept = Path(directory).glob(index) if directory else ()
        if not any(file.stat().st_mtime >= written for file in kept):
            return False
    return True


@cache
def announce(*functions: Callable[..., object]) -> None:
    """Tell a terminal, once, that functions are about to be compiled, unless they are kept."""
    if sys.stderr is not None and sys.stderr.isatty() and not is_kept(*functions):
        sys.stderr.write("ccsim: compiling, once for this installation: up to a minute\n")
