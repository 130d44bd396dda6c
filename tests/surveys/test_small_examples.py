"""Small examples of what no other test calls by name, of `ccsim.surveys`."""

from __future__ import annotations

from fractions import Fraction

from ccsim.surveys.atlas.quantities import read_span, write_span
from ccsim.surveys.atlas.query import shown_value
from ccsim.surveys.atlas.table import atlas, first_isomorphic
from ccsim.surveys.targets import hard_threshold_targets


def test_quantities_write_span():
    assert (
        write_span((2, 2)),
        write_span((Fraction(1, 3), Fraction(2, 5))),
        write_span((5, None)),
    ) == ("2", "1/3..2/5", "5..")


def test_quantities_read_span():
    assert (read_span("1/3..2/5"), read_span(2), read_span("5..")) == (
        (Fraction(1, 3), Fraction(2, 5)),
        (Fraction(2, 1), Fraction(2, 1)),
        (Fraction(5, 1), None),
    )


def test_query_shown_value():
    assert shown_value("drdim(1/3)", atlas()[1]) == "log2(2)"


def test_table_first_isomorphic():
    assert bin(first_isomorphic(2, [0b01, 0b10])) == "0b1001"


def test_targets_hard_threshold_targets():
    assert list(hard_threshold_targets(64, Fraction(1, 10), 0)) == [
        "needle",
        "two scales",
        "slow decay",
        "uniform",
    ]
