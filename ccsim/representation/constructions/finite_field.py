"""Arithmetic in finite fields on arrays: remainders for primes, tables for prime powers."""

from __future__ import annotations

from functools import cache

import flint
import numpy as np
import numpy.typing as npt

from ccsim.errors import DomainError, InstanceTooLargeError

MAX_ORDER = 64
"""Largest order of a field that is tabulated."""

Elements = npt.NDArray[np.int64]


class FiniteField:
    """The field with ``q`` elements; element number ``i`` has the base-p digits of ``i``."""

    def __init__(self, p: int, degree: int) -> None:
        self.order = p**degree
        self._tables: tuple[Elements, Elements] | None = None
        if degree > 1:
            context = flint.fq_default_ctx(p, degree)
            digits = [[i // p**e % p for e in range(degree)] for i in range(self.order)]
            elements = [context(flint.fmpz_poly(digit)) for digit in digits]
            number = {str(element): i for i, element in enumerate(elements)}
            sums = [[number[str(a + b)] for b in elements] for a in elements]
            products = [[number[str(a * b)] for b in elements] for a in elements]
            self._tables = np.array(sums), np.array(products)

    def sum(self, a: Elements, b: Elements) -> Elements:
        """Return the sums of elements."""
        return (a + b) % self.order if self._tables is None else self._tables[0][a, b]

    def product(self, a: Elements, b: Elements) -> Elements:
        """Return the products of elements."""
        return a * b % self.order if self._tables is None else self._tables[1][a, b]

    def values(self, coefficients: Elements, length: int) -> Elements:
        """Return the values of polynomials at the first elements, one row for each polynomial."""
        places = np.arange(length, dtype=np.int64)
        total = np.zeros((len(coefficients), length), dtype=np.int64)
        for column in coefficients.T[::-1]:  # Horner's rule
            total = self.sum(self.product(total, places), column[:, np.newaxis])
        return total


@cache
def finite_field(q: int, name: str) -> FiniteField:
    """Return the field with ``q`` elements."""
    factors = flint.fmpz(q).factor() if q > 1 else []
    if len(factors) != 1:
        raise DomainError(f"{name}: the order must be a prime power, not {q}")
    [(prime, degree)] = factors
    if q > MAX_ORDER and (degree > 1 or q >= 1 << 31):
        raise InstanceTooLargeError(f"{name}: the order is limited to {MAX_ORDER}, got {q}")
    return FiniteField(int(prime), int(degree))
