"""Standard input, where the name of an input is asked: read once, and kept."""

from __future__ import annotations

import functools
import sys

from ccsim.errors import UnreadableInputError

STANDARD_INPUT = "-"
"""What stands for standard input where the name of an input is asked; ``./-`` is a file."""


@functools.cache
def standard_input(limit: int) -> bytes:
    """Return what comes from standard input, of at most so many bytes."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise UnreadableInputError("-: standard input is closed")
    data: bytes = stream.read(limit + 1)
    if len(data) > limit:
        raise UnreadableInputError(f"-: standard input is above the limit of {limit} bytes")
    if not data.strip():
        raise UnreadableInputError("-: standard input is empty")
    return data
