"""Bit masks: sets of concepts, the points that split them, and masks as matrices of bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes.concept_class import ConceptClass, columns


def members(mask: int) -> Iterator[int]:
    """Yield the positions of the bits set in a mask, in increasing order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def essential_points(concept_class: ConceptClass, budget: Budget | None = None) -> tuple[int, ...]:
    """Return one point for each non-constant column up to complement, the most balanced first."""
    full = (1 << len(concept_class)) - 1
    first: dict[int, int] = {}
    for x, ones in enumerate((budget or Budget()).each(columns(concept_class))):
        first.setdefault(min(ones, full ^ ones), x)
    first.pop(0, None)
    balance = {x: min(m.bit_count(), (full ^ m).bit_count()) for m, x in first.items()}
    return tuple(sorted(balance, key=lambda x: (-balance[x], x)))


def counted(rows: Iterable[int], least: int) -> int:
    """Return the bits that are set in at least ``least`` rows; ``least`` must be at least 1."""
    return at_least(digits_of(rows), least)


def digits_of(rows: Iterable[int]) -> list[int]:
    """Count the rows with each bit set; mask ``i`` contains binary digit ``i`` of all counts."""
    digits: list[int] = []
    for row in rows:
        carry = row
        for i, digit in enumerate(digits):
            if not carry:
                break
            digits[i], carry = digit ^ carry, digit & carry
        if carry:
            digits.append(carry)
    return digits


def at_least(digits: Sequence[int], least: int) -> int:
    """Return the bits whose counts, given by `digits_of`, are at least ``least >= 1``."""
    # compare from the lowest digit on: the numbers cut to i digits are at least least cut likewise
    reached = -1
    for i, digit in enumerate([*digits, *[0] * (least.bit_length() - len(digits))]):
        reached = digit & reached if least >> i & 1 else digit | reached
    return reached


def bits_of(masks: Sequence[int], width: int) -> npt.NDArray[np.uint8]:
    """Return the bits of masks as a matrix; column 0 is the lowest bit."""
    size = max(1, width + 7 >> 3)
    data = b"".join((mask & (1 << width) - 1).to_bytes(size, "little") for mask in masks)
    packed = np.frombuffer(data, np.uint8).reshape(len(masks), size)
    return np.unpackbits(packed, axis=1, bitorder="little", count=width)


def masks_of(bits: npt.NDArray[Any]) -> list[int]:
    """Return the rows of a matrix of bits as masks; column 0 is the lowest bit."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    data, size = packed.tobytes(), packed.shape[1]
    return [int.from_bytes(data[i * size : (i + 1) * size], "little") for i in range(len(packed))]
