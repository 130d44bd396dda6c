"""Numbers as rows of bits, bit 0 first: the border between scalar and batch forms."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["bits_as_int", "bits_from_int"]


def bits_from_int(number: int, length: int) -> npt.NDArray[np.uint8]:
    """Return the lowest ``length`` bits of a number.

    Examples
    --------
    >>> bits_from_int(6, 4).tolist()
    [0, 1, 1, 0]
    """
    octets = (number & (1 << length) - 1).to_bytes((length + 7) // 8, "little")
    return np.unpackbits(np.frombuffer(octets, np.uint8), count=length, bitorder="little")


def bits_as_int(bits: npt.NDArray[np.uint8]) -> int:
    """Return the number with the given bits.

    Examples
    --------
    >>> bits_as_int(bits_from_int(6, 4))
    6
    """
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")
