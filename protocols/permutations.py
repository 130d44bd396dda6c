"""Families of permutations of ``{0, ..., n-1}`` that map every pair to a uniform pair.

Main statement: for a uniform member ``pi`` of a family of this module and ``x != y``, the pair
``(pi(x), pi(y))`` is uniform among the ordered pairs of different elements. This is clear for the
family of all permutations. Over a field, ``pi(z) = a z + b`` with ``a != 0`` sends ``(x, y)`` to
``(u, v)`` for exactly one pair ``(a, b)``: ``a = (u - v) / (x - y)``, ``b = u - a x``; so ``n
(n-1)`` members suffice instead of ``n!``.

Members are numbered from 0. A batch is an array with one row per member: the digits of a
permutation, or the multiplier and the summand of an affine map in 64-bit words.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import factorial
from typing import Protocol, runtime_checkable

import flint
import numpy as np

from ccsim.communication.protocols.by_rules import Batch
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError
from protocols.affine import AffineBinary, AffinePrime
from protocols.binary import Words

__all__ = ["MAX_ALL", "MAX_FIELD_BITS", "AllPermutations", "Permutations", "pairwise_uniform"]

MAX_ALL = 512
"""Largest ``n`` that is neither a prime nor a power of two."""

MAX_FIELD_BITS = 512
"""Largest number of bits of a prime ``n``, and largest exponent of a power of two."""


@runtime_checkable
class Permutations(Protocol):
    """A numbered family of permutations that maps every pair of elements to a uniform pair."""

    @property
    def size(self) -> int:
        """Number of members."""
        ...

    @property
    def row_bytes(self) -> int:
        """Memory of one member of a batch."""
        ...

    def image(self, x: int, number: int) -> int:
        """Return the image of ``x`` under the member with the given number."""
        ...

    def sample(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return independent uniform members."""
        ...

    def from_int(self, numbers: Iterable[int]) -> Batch:
        """Return the batch of the members with the given numbers."""
        ...

    def as_int(self, member: Batch) -> int:
        """Return the number of one member of a batch."""
        ...

    def images(self, x: int, members: Batch) -> Words:
        """Return the image of ``x`` under each member of a batch, one number per row."""
        ...


@frozen
class AllPermutations:
    """All permutations of ``n`` elements.

    Attributes
    ----------
    n : int

    Notes
    -----
    A member's number is read in the factorial base: elements ``i`` and ``d_i <= i`` (a digit) are
    swapped for ``i = 1, ..., n-1`` in this order. Every permutation has exactly one such number.

    Examples
    --------
    >>> [[AllPermutations(3).image(x, number) for number in range(6)] for x in range(3)]
    [[1, 2, 2, 0, 1, 0], [2, 1, 0, 2, 0, 1], [0, 0, 1, 1, 2, 2]]
    """

    n: int

    @property
    def size(self) -> int:
        """Number of members, ``n!``."""
        return factorial(self.n)

    @property
    def row_bytes(self) -> int:
        """Memory of one member of a batch: a digit for each element except the first."""
        return 2 * self.n

    def image(self, x: int, number: int) -> int:
        """Return the image of ``x`` under the member with the given number."""
        for i, digit in enumerate(self._digits(number), 1):
            x = digit if x == i else i if x == digit else x
        return x

    def _digits(self, number: int) -> list[int]:
        digits = []
        for i in range(1, self.n):
            number, digit = divmod(number, i + 1)
            digits.append(digit)
        return digits

    def sample(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return independent uniform members."""
        digits = np.empty((self.n - 1, runs), dtype=np.uint16)  # equal places of all runs together
        for i in range(1, self.n):
            digits[i - 1] = rng.integers(i + 1, size=runs, dtype=np.uint16)
        return digits.T

    def from_int(self, numbers: Iterable[int]) -> Batch:
        """Return the batch of the members with the given numbers."""
        rows = [self._digits(number) for number in numbers]
        return np.array(rows, dtype=np.uint16).reshape(len(rows), self.n - 1)

    def as_int(self, member: Batch) -> int:
        """Return the number of one member of a batch."""
        return sum(int(digit) * factorial(i) for i, digit in enumerate(member, 1))

    def images(self, x: int, members: Batch) -> Words:
        """Return the image of ``x`` under each member of a batch, one number per row."""
        images = np.full(len(members), x, dtype=np.uint16)
        for i, digits in enumerate(members.T, 1):
            first, second = images == i, images == digits
            np.copyto(images, np.uint16(i), where=second)
            np.copyto(images, digits, where=first)
        return images.astype(np.uint64).reshape(-1, 1)


@lru_cache(maxsize=64)
def pairwise_uniform(n: int) -> Permutations:
    """Return a family of permutations of ``n`` elements that maps every pair to a uniform pair.

    Raises
    ------
    InstanceTooLargeError
        If ``n`` is above ``2**MAX_FIELD_BITS``, or if it is above `MAX_ALL` and neither a prime nor
        a power of two.

    Examples
    --------
    >>> pairwise_uniform(2**256), pairwise_uniform(5), pairwise_uniform(6)
    (AffineBinary(bits=256), AffinePrime(n=5), AllPermutations(n=6))
    """
    if n > 1 << MAX_FIELD_BITS:
        raise InstanceTooLargeError(
            f"n must be at most 2**{MAX_FIELD_BITS}, not a number of {n.bit_length()} bits"
        )
    if n > 1 and n & n - 1 == 0:
        return AffineBinary(n.bit_length() - 1)
    if flint.fmpz(n).is_prime():
        return AffinePrime(n)
    if n > MAX_ALL:
        raise InstanceTooLargeError(
            f"n must be a prime, a power of two or at most {MAX_ALL}, "
            f"not {n if n < 10**18 else f'a number of {n.bit_length()} bits'}"
        )
    return AllPermutations(n)
