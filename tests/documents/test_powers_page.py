"""The page on powers: the table of the Domino matrix and its certificates."""

import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from ccsim import kernel
from ccsim.budget import Budget
from ccsim.communication import as_problem
from ccsim.measures.powers import Power
from ccsim.measures.rectangles import Side

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "powers.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d) \| (\d+) \| (\S+) \| (\S+) \|(?: (.*))? \| (\S+) \|$", PAGE, re.M)
FIFTH = Fraction(6142179470264484847, 81676504073707584)
DOMINO = ["110", "111", "011"]


def test_the_table_has_a_row_for_each_power():
    assert [int(row[0]) for row in ROWS] == [*range(1, 9)]
    for k, types, *_ in ROWS:
        power = Power(Side.of(as_problem(DOMINO), 1), int(k), Budget())
        assert len(power.types) == int(types)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_roots_and_lower_bounds_follow_from_the_bounds(row):
    k, _, lower, upper, _, root = row
    ends = [Fraction(lower), Fraction(upper)]
    assert Fraction(root) ** int(k) >= ends[1] - Fraction(1, 10**5)
    unit = Decimal(root).as_tuple().exponent
    assert (Fraction(root) - Fraction(10) ** min(unit, -7)) ** int(k) < ends[1]
    if int(k) >= 5:
        assert ends[0] <= 2 ** (int(k) - 5) * FIFTH
        assert ends[1] >= 2 ** (int(k) - 5) * FIFTH
    else:
        assert ends[0] == ends[1]


@pytest.mark.parametrize("row", ROWS[5:], ids=lambda row: row[0])
def test_stored_certificates_prove_the_upper_bounds_and_the_roots(row):
    k, _, _, upper, named, root = row
    document = json.loads((DOCS.parent / named.strip("`")).read_text(encoding="utf-8"))
    assert document["instance"]["rows"] == DOMINO
    asked = {"value": 1, "power": int(k)}
    assert {key: document["statement"][key] for key in asked} == asked
    proved = Fraction(document["statement"]["upper"])
    assert proved <= Fraction(upper) < proved + Fraction(1, 10**7)
    assert proved <= Fraction(root) ** int(k)
    kernel.check(document)
