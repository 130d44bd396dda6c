"""Exact sampling, without rounding, from probability vectors and of uniform integers."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

import numpy as np

from ccsim.arguments.checked import iterated
from ccsim.arguments.values import show_value
from ccsim.errors import DomainError
from ccsim.exact.exponentials import Exponential, Real
from ccsim.exact.fractions import as_fraction, ceil_log2

T = TypeVar("T")
_AT_ONCE = 1 << 16  # numbers that are read at a time


@runtime_checkable
class Randomness(Protocol):
    """A source of random bytes: `SYSTEM`, or a seeded generator, which gives no privacy."""

    def bytes(self, length: int, /) -> bytes:
        """Return the given number of random bytes."""


class SystemRandomness:
    """The operating system's cryptographic source of random bytes."""

    def bytes(self, length: int, /) -> bytes:
        """Return the given number of random bytes."""
        return secrets.token_bytes(length)


SYSTEM = SystemRandomness()
"""The default source of noise that protects records."""


def generator(seed: int) -> np.random.Generator:
    """Return a NumPy generator with the given seed."""
    if seed < 0:
        raise DomainError(f"seed must be at least 0, not {show_value(seed)}")
    return np.random.default_rng(seed)


def randomness(seed: int | None) -> Randomness:
    """Return the system's source of randomness, or a seeded one, which gives no privacy."""
    return SYSTEM if seed is None else generator(seed)


def check_parts(parts: object, kind: type, name: str) -> None:
    """Raise an error unless `parts` is a tuple of objects of a type."""
    if not isinstance(parts, tuple):
        raise DomainError(f"{name} must be a tuple of {kind.__name__}, not {show_value(parts)}")
    for part in parts:
        if not isinstance(part, kind):
            raise DomainError(
                f"{name} must contain only objects of type {kind.__name__}, not {show_value(part)}"
            )


def weighted(
    parts: Iterable[tuple[object, T]], kinds: tuple[type, ...], what: str
) -> Iterator[tuple[Fraction, T]]:
    """Yield the weights of a mixture, as fractions, and its parts, after checking them."""
    pairs: Iterable[Any] = iterated(parts, "parts", f"pairs of a weight and a {what}")
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2 or not isinstance(pair[1], kinds):
            raise DomainError(
                f"entries must be pairs of a weight and a {what}, not {show_value(pair)}"
            )
        weight, part = pair
        yield as_fraction(weight, "weight", 0, 1), cast("T", part)


def draw(weights: Sequence[Real], rng: Randomness) -> int:
    """Draw an index with exactly the given probabilities, using only the random bits needed."""
    cuts = list(accumulate(weights))
    if not cuts or type(cuts[-1]) not in (int, Fraction, Exponential) or cuts[-1] != 1:
        raise DomainError(
            f"probabilities must be exact and sum to 1, not {show_value(sum(weights))}"
        )
    low, width = Fraction(0), Fraction(1)
    while True:
        fitting = next(i for i, cut in enumerate(cuts) if low < cut)
        if low + width <= cuts[fitting]:
            return fitting
        width /= 1 << 32
        low += width * int.from_bytes(rng.bytes(4), "little")


def uniform_below(bound: int, rng: Randomness) -> int:
    """Return an exactly uniform integer in ``[0, bound)``, for a bound of any size."""
    return next(uniform_numbers(bound, 1, rng))


def uniform_numbers(bound: int, count: int, rng: Randomness) -> Iterator[int]:
    """Yield independent uniform integers in ``[0, bound)``, with few calls of the generator."""
    bits = ceil_log2(bound)
    width = max(1, -(-bits // 8))
    while count:
        octets = rng.bytes(width * count)
        for start in range(0, len(octets), width * _AT_ONCE):
            numbers = _little(octets[start : start + width * _AT_ONCE], width, 8 * width - bits)
            below = [number for number in numbers if number < bound]
            count -= len(below)
            yield from below


def _little(octets: bytes, width: int, unused: int) -> list[int]:
    """Return little-endian numbers of ``width`` bytes, without their ``unused`` lowest bits."""
    if width > 8:
        parts = (octets[start : start + width] for start in range(0, len(octets), width))
        return [int.from_bytes(part, "little") >> unused for part in parts]
    padded = np.zeros((len(octets) // width, 8), dtype=np.uint8)
    padded[:, :width] = np.frombuffer(octets, dtype=np.uint8).reshape(-1, width)
    found: list[int] = (padded.view("<u8").ravel() >> np.uint64(unused)).tolist()
    return found
