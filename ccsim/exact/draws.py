"""Inner products with random words that the engine draws as numpy's default generator does."""

from __future__ import annotations

from ctypes import c_int64

import numpy as np
import numpy.typing as npt

from ccsim.native import Library

_WORDS = np.ctypeslib.ndpointer(np.uint64, flags="C_CONTIGUOUS")
_TRUTHS = np.ctypeslib.ndpointer(np.bool_, flags="C_CONTIGUOUS")
_LIBRARY = Library(
    "draws", {"zeros": (None, (_WORDS, _WORDS, c_int64, c_int64, c_int64, _WORDS, _TRUTHS))}
)


def zero_products(
    mask: npt.NDArray[np.uint64], rows: int, count: int, rng: np.random.Generator
) -> npt.NDArray[np.bool_] | None:
    """Return which rows of ``count`` random vectors have inner products 0 with a mask of words.

    The vectors are ``rng.integers(2**64, size=(len(mask), rows, count), dtype=np.uint64)``, with
    the words of a vector along the first axis. None without an engine, or for other generators.
    """
    source, library = rng.bit_generator, _LIBRARY.found()
    if library is None or type(source) is not np.random.PCG64:
        return None
    known = source.state["state"]
    halves = [half for key in ("state", "inc") for half in divmod(known[key], 1 << 64)]
    streams, zeros = np.empty((len(mask), 2), np.uint64), np.empty(rows, np.bool_)
    library.zeros(np.array(halves, np.uint64), mask, len(mask), rows, count, streams, zeros)
    source.advance(len(mask) * rows * count)
    return zeros
