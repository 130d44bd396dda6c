"""Large proofs made and written without the collector of reference cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["no_cycles"]


@contextmanager
def no_cycles() -> Iterator[None]:
    """Pause the collector while millions of small objects without cycles are made.

    It would look through all of them again and again, which takes most of the time.

    Examples
    --------
    >>> with no_cycles():
    ...     gc.isenabled()
    False
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
