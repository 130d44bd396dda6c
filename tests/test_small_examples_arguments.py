"""Small examples of functions of `ccsim.arguments` that no other test calls by name."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import pytest

from ccsim.arguments.numbers import exact_spelling, fraction_of, integer_of
from ccsim.arguments.readers import reader_of
from ccsim.errors import DomainError


def test_numbers_integer_of():
    import numpy as np

    assert (
        [integer_of(value) for value in (12, np.int8(12), " +12 ", "1e3", "1_0", 2.0, True)]
    ) == [12, 12, 12, 1000, None, None, None]


def test_numbers_fraction_of():
    values = ("1/3", " +1/3 ", "1e-3", Decimal("0.1"), 0.1, "1/0")
    third, tenth = Fraction(1, 3), Fraction(1, 10)
    assert [fraction_of(value) for value in values] == [
        third, third, Fraction(1, 1000), tenth, None, None
    ]  # fmt: skip


def test_numbers_exact_spelling():
    assert (exact_spelling(0.1), exact_spelling(1 / 3), exact_spelling(2.0)) == (
        '0.1: write "1/10" or Fraction(0.1)',
        '0.3333333333333333: write "1/3" or Fraction(0.3333333333333333)',
        '2.0: write "2" or Fraction(2.0)',
    )


def test_readers_reader_of():
    import numpy as np

    assert (
        reader_of(int)(np.int64(3), "f: n"),
        reader_of(tuple[Fraction, ...])([1, "1/2"], "f: w"),
    ) == (3, (Fraction(1, 1), Fraction(1, 2)))
    with pytest.raises(DomainError, match=re.escape("f: n must be an integer or None, not 2.0")):
        reader_of(int | None)(2.0, "f: n")
