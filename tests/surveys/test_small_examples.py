"""Small examples of functions of `ccsim.surveys` that no other test calls by name."""

from __future__ import annotations

from fractions import Fraction

from ccsim.parallel.store import Row
from ccsim.surveys.atlas.query import shown_value
from ccsim.surveys.atlas.spans import read_span, write_span
from ccsim.surveys.atlas.table import atlas, first_isomorphic
from ccsim.surveys.tables import as_csv
from ccsim.surveys.targets import hard_threshold_targets, threshold_targets


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


def test_targets_threshold_targets():
    found = threshold_targets(4, Fraction(1, 10), 8)
    assert {name: target.points for name, target in found.items()} == {
        "needle": (7, 8, 0, 15),
        "two scales": (7, 8, 3, 12, 0, 15),
        "slow decay": (7, 8, 6, 9, 5, 10, 3, 12),
        "uniform": (7, 8, 6, 9, 5, 10, 4, 11, 3, 12, 2, 13, 1, 14, 0, 15),
    }


def test_export_as_csv():
    row = Row("points:b=1", "", "dims", "1", 0, '{"vc": 1}', None, 0.5, 60.0)
    assert as_csv([row]) == (
        "instance,digest,question,version,status,message,seconds,time_limit,certificate,vc\n"
        "points:b=1,,dims,1,0,,0.5,60.0,,1\n"
    )
