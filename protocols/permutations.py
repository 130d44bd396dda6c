"""Families of permutations of ``{0, ..., n-1}`` under which every pair of elements is uniform.

Main statement: for a uniform member ``pi`` of a family of this module and ``x != y``, the pair
``(pi(x), pi(y))`` is uniform among the ordered pairs of different elements. For all permutations
that is clear. Over a field, ``pi(z) = a z + b`` with ``a != 0`` sends ``(x, y)`` to ``(u, v)`` for
exactly one pair ``(a, b)``: ``a = (u - v) / (x - y)``, ``b = u - a x``; so ``n (n-1)`` members
suffice where ``n!`` could not be written down.

Members are numbered from 0. The methods take arrays of numbers, with Python integers as entries,
since numbers and elements may have hundreds of bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import Protocol

import flint
import numpy as np
import numpy.typing as npt

from ccsim.communication.procedural import Batch
from ccsim.errors import InstanceTooLargeError

__all__ = [
    "MAX_ALL",
    "MAX_FIELD_BITS",
    "AffineBinary",
    "AffinePrime",
    "AllPermutations",
    "Permutations",
    "pairwise_uniform",
]

MAX_ALL = 512
"""Largest ``n`` that is neither a prime nor a power of two."""

MAX_FIELD_BITS = 512
"""Largest length of a prime, and largest exponent of a power of two."""


class Permutations(Protocol):
    """A numbered family of permutations under which every pair is uniform."""

    @property
    def size(self) -> int:
        """Number of members."""
        ...

    def images(self, x: int, numbers: Batch) -> Batch:
        """Return the image of ``x`` under each of the members with the given numbers."""
        ...


@dataclass(frozen=True, slots=True)
class AllPermutations:
    """All permutations of ``n`` elements.

    Attributes
    ----------
    n : int

    Notes
    -----
    A number is read in the factorial base: digit ``d_i <= i`` says that elements ``i`` and ``d_i``
    change places, for ``i = 1, ..., n-1`` in this order; every permutation has one such form.

    Examples
    --------
    >>> numbers = np.arange(6).astype(object)
    >>> [AllPermutations(3).images(x, numbers).tolist() for x in range(3)]
    [[1, 2, 2, 0, 1, 0], [2, 1, 0, 2, 0, 1], [0, 0, 1, 1, 2, 2]]
    """

    n: int

    @property
    def size(self) -> int:
        """Number of members, ``n!``."""
        return factorial(self.n)

    def images(self, x: int, numbers: Batch) -> Batch:
        """Return the image of ``x`` under each of the members with the given numbers."""
        images, left = np.full(len(numbers), x, dtype=object), numbers
        for i in range(1, self.n):
            left, digits = left // (i + 1), left % (i + 1)
            images = np.where(images == i, digits, np.where(images == digits, i, images))
        return images


@dataclass(frozen=True, slots=True)
class AffinePrime:
    """The maps ``z -> a z + b`` with ``a != 0`` over the integers modulo a prime.

    Attributes
    ----------
    n : int
        A prime.

    Examples
    --------
    >>> AffinePrime(5).images(3, np.array([0, 7], dtype=object)).tolist()  # z, 4 z + 1
    [3, 3]
    """

    n: int

    @property
    def size(self) -> int:
        """Number of members, ``n (n-1)``."""
        return self.n * (self.n - 1)

    def images(self, x: int, numbers: Batch) -> Batch:
        """Return the image of ``x`` under each of the members with the given numbers."""
        images: Batch = ((numbers % (self.n - 1) + 1) * x + numbers // (self.n - 1)) % self.n
        return images


@dataclass(frozen=True, slots=True)
class AffineBinary:
    """The maps ``z -> a z + b`` with ``a != 0`` over the field of ``2**bits`` elements.

    Attributes
    ----------
    bits : int
        At least 1.

    Notes
    -----
    A number stands for the polynomial over the field of two elements with its bits as coefficients,
    modulo the irreducible polynomial of least number. With ``x`` fixed the product ``a x`` is
    linear in ``a``: one table of 256 entries for each octet of ``a``.

    Examples
    --------
    >>> AffineBinary(2).images(3, np.array([0, 1, 2], dtype=object)).tolist()  # 1 z, 2 z, 3 z
    [3, 1, 2]
    """

    bits: int

    @property
    def size(self) -> int:
        """Number of members, ``2**bits (2**bits - 1)``."""
        return (1 << self.bits) * ((1 << self.bits) - 1)

    def images(self, x: int, numbers: Batch) -> Batch:
        """Return the image of ``x`` under each of the members with the given numbers."""
        multipliers = (1 << self.bits) - 1
        width = -(-self.bits // 8)
        octets = _octets(numbers % multipliers + 1, width)
        products = _octets(numbers // multipliers, width)
        for table, column in zip(self._products(x), octets.T, strict=True):
            products ^= table[column]
        whole = products.tobytes()
        images = np.empty(len(numbers), dtype=object)
        images[:] = [
            int.from_bytes(whole[start : start + width], "little")
            for start in range(0, len(whole), width)
        ]
        return images

    def _products(self, x: int) -> list[npt.NDArray[np.uint8]]:
        """For each octet of ``a`` the products of ``x`` with its 256 values."""
        modulus, width = _irreducible(self.bits), -(-self.bits // 8)
        tables = []
        for _ in range(width):
            values = [0]
            for _ in range(8):
                values += [value ^ x for value in values]
                x <<= 1
                x = x ^ modulus if x >> self.bits else x
            tables.append(_octets(values, width))
        return tables


def _octets(numbers: Batch | list[int], width: int) -> npt.NDArray[np.uint8]:
    """Return the octets of each number as a row, the lowest first."""
    whole = b"".join(number.to_bytes(width, "little") for number in numbers)
    return np.frombuffer(whole, np.uint8).reshape(-1, width).copy()


@lru_cache(maxsize=64)
def _irreducible(degree: int) -> int:
    """Return the irreducible polynomial of least number over the field of two elements."""
    number = 1 << degree
    while not _is_irreducible(number):
        number += 1
    return number


def _is_irreducible(number: int) -> bool:
    """Whether no irreducible polynomial of at most half the degree divides the given one.

    The polynomial ``X**(2**i) - X`` is the product of those whose degree divides ``i``.
    """
    f = flint.nmod_poly([number >> i & 1 for i in range(number.bit_length())], 2)
    x = power = flint.nmod_poly([0, 1], 2)
    for _ in range(f.degree() // 2):
        power = power * power % f
        if (power - x).gcd(f).degree() > 0:
            return False
    return True


@lru_cache(maxsize=64)
def pairwise_uniform(n: int) -> Permutations:
    """Return a family of permutations of ``n`` elements under which every pair is uniform.

    Raises
    ------
    InstanceTooLargeError
        If ``n`` is neither a prime nor a power of two and above `MAX_ALL`, or above
        ``2**MAX_FIELD_BITS``.

    Examples
    --------
    >>> pairwise_uniform(2**256), pairwise_uniform(5), pairwise_uniform(6)
    (AffineBinary(bits=256), AffinePrime(n=5), AllPermutations(n=6))
    """
    if n > 1 << MAX_FIELD_BITS:
        msg = (
            f"the number of permuted elements is limited to 2**{MAX_FIELD_BITS}, "
            f"got a number of {n.bit_length()} bits"
        )
        raise InstanceTooLargeError(msg)
    if n > 1 and n & n - 1 == 0:
        return AffineBinary(n.bit_length() - 1)
    if flint.fmpz(n).is_prime():
        return AffinePrime(n)
    if n > MAX_ALL:
        msg = (
            "a number of permuted elements that is neither a prime nor a power of two is limited "
            f"to {MAX_ALL}, got {n if n < 10**18 else f'a number of {n.bit_length()} bits'}"
        )
        raise InstanceTooLargeError(msg)
    return AllPermutations(n)
