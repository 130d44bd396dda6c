"""Primes, over which lines, polynomials and hashes are built."""

from __future__ import annotations

from itertools import count

import flint

from ccsim.errors import DomainError


def check_prime(name: str, p: int) -> None:
    """Refuse a number that is not a prime."""
    if p < 2 or not flint.fmpz(p).is_prime():
        raise DomainError(f"{name} must be a prime, not {p}")


def next_prime(least: int) -> int:
    """Return the first prime that is at least a number."""
    return next(p for p in count(max(least, 2)) if flint.fmpz(p).is_prime())
