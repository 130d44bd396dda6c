"""Affine permutations of a field: ``z -> a z + b`` with ``a != 0``, modulo a prime or a polynomial.

A batch of maps is an array with one row per map: multiplier and summand in 64-bit words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import lru_cache

import flint
import numpy as np

from ccsim.communication.protocols.by_rules import Batch
from ccsim.data import frozen
from protocols.binary import (
    WORD,
    Words,
    integers,
    number_of_words,
    random_words_below,
    words_as_int,
    words_from_integers,
)

__all__ = ["AffineBinary", "AffinePrime"]


class _Affine(ABC):
    """The maps ``z -> a z + b`` with ``a != 0`` over a field; a member is a pair ``(a, b)``.

    The number of a member is ``(a - 1) + (n - 1) b`` for a field of ``n`` elements.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of elements of the field."""

    @abstractmethod
    def image(self, x: int, number: int) -> int:
        """Return the image of ``x`` under the member with the given number."""

    @property
    def size(self) -> int:
        """Number of members, ``n (n-1)``."""
        return self.n * (self.n - 1)

    @property
    def row_bytes(self) -> int:
        """Memory of one member of a batch: two numbers."""
        return 16 * self._words

    @property
    def _words(self) -> int:
        return number_of_words((self.n - 1).bit_length())

    def _coefficients(self, number: int) -> tuple[int, int]:
        """Return the pair ``(a, b)`` of a member."""
        b, a = divmod(number, self.n - 1)
        return a + 1, b

    def sample(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return independent uniform members."""
        a = random_words_below(self.n, runs, rng)
        while (refused := np.flatnonzero(~a.any(axis=1))).size:
            a[refused] = random_words_below(self.n, refused.size, rng)
        return np.concatenate([a, random_words_below(self.n, runs, rng)], axis=1)

    def from_int(self, numbers: Iterable[int]) -> Batch:
        """Return the batch of the members with the given numbers."""
        length = WORD * self._words
        pairs = map(self._coefficients, numbers)
        return words_from_integers((a | b << length for a, b in pairs), 2 * length)

    def as_int(self, member: Batch) -> int:
        """Return the number of one member of a batch."""
        a, b = words_as_int(member[: self._words]), words_as_int(member[self._words :])
        return a - 1 + (self.n - 1) * b


@frozen
class AffinePrime(_Affine):
    """The maps ``z -> a z + b`` with ``a != 0`` over the integers modulo a prime.

    Attributes
    ----------
    n : int
        A prime.

    Examples
    --------
    >>> AffinePrime(5).image(3, 0), AffinePrime(5).image(3, 7)  # z, 4 z + 1
    (3, 3)
    """

    n: int

    def image(self, x: int, number: int) -> int:
        """Return the image of ``x`` under the member with the given number."""
        a, b = self._coefficients(number)
        return (a * x + b) % self.n

    def images(self, x: int, members: Batch) -> Words:
        """Return the image of ``x`` under each member; a Python loop for primes above ``2**32``."""
        a, b = members[:, : self._words], members[:, self._words :]
        if self.n >> 32 == 0:
            images: Words = (a * np.uint64(x) + b) % np.uint64(self.n)
            return images
        pairs = zip(integers(a), integers(b), strict=True)
        return words_from_integers(((p * x + q) % self.n for p, q in pairs), WORD * self._words)


@frozen
class AffineBinary(_Affine):
    """The maps ``z -> a z + b`` with ``a != 0`` over the field of ``2**bits`` elements.

    Attributes
    ----------
    bits : int
        Number of bits of an element, at least 1.

    Notes
    -----
    A number stands for the polynomial over the field of two elements whose coefficients are its
    bits, modulo the irreducible polynomial with the smallest number. For fixed ``x`` the product
    ``a x`` is linear in ``a``, so a batch needs one table of 256 entries for each byte of ``a``.

    Examples
    --------
    >>> [AffineBinary(2).image(3, number) for number in range(3)]  # 1 z, 2 z, 3 z
    [3, 1, 2]
    """

    bits: int

    @property
    def n(self) -> int:
        """Number of elements of the field."""
        return 1 << self.bits

    def image(self, x: int, number: int) -> int:
        """Return the image of ``x`` under the member with the given number."""
        a, image = self._coefficients(number)
        for i in range(self.bits):
            image ^= x if a >> i & 1 else 0
            x = _times_x(x, self.bits)
        return image

    def images(self, x: int, members: Batch) -> Words:
        """Return the image of ``x`` under each member of a batch, one number per row."""
        images = members[:, self._words :].copy()
        octets = np.ascontiguousarray(members[:, : self._words]).astype("<u8").view(np.uint8)
        for table, column in zip(_products(x, self.bits), octets.T, strict=False):
            images ^= np.take(table, column, axis=0)
        return images


def _times_x(polynomial: int, degree: int) -> int:
    """Return the product with the polynomial ``X`` in the field of ``2**degree`` elements."""
    doubled = polynomial << 1
    return doubled ^ _irreducible(degree) if doubled >> degree else doubled


@lru_cache(maxsize=16)
def _products(x: int, degree: int) -> list[Words]:
    """Return, for each byte of ``a``, the products of its 256 values with ``x``."""
    tables = []
    for _ in range(-(-degree // 8)):
        values = [0]
        for _ in range(8):
            values += [value ^ x for value in values]
            x = _times_x(x, degree)
        tables.append(words_from_integers(values, degree))
    return tables


@lru_cache(maxsize=64)
def _irreducible(degree: int) -> int:
    """Return the irreducible polynomial over the field of two elements with the smallest number."""
    number = 1 << degree
    while not _is_irreducible(number):
        number += 1
    return number


def _is_irreducible(number: int) -> bool:
    """Return whether no irreducible polynomial of at most half the degree divides the given one.

    ``X**(2**i) - X`` is the product of the irreducible polynomials whose degree divides ``i``.
    """
    f = flint.nmod_poly([number >> i & 1 for i in range(number.bit_length())], 2)
    x = power = flint.nmod_poly([0, 1], 2)
    for _ in range(f.degree() // 2):
        power = power * power % f
        if (power - x).gcd(f).degree() > 0:
            return False
    return True
