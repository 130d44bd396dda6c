"""Numbers in the texts of other programs, read exactly; equal spellings are read once."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from ccsim.arguments.numbers import fraction_of
from ccsim.exact.fractions import as_fraction


@lru_cache(maxsize=1 << 12)
def _known(text: str) -> Fraction | None:
    return fraction_of(text)


def number_in(text: str, name: str) -> Fraction:
    """Return the number that a text writes, or refuse it as `as_fraction` does."""
    found = _known(text)
    return as_fraction(text, name) if found is None else found
