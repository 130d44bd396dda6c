"""Margins: the factors by which claims can be strengthened, as recorded and as measured."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from ccsim import DomainError
from proofs_check.__main__ import main
from proofs_check.claims.claim import Claim, Kind, Size, Verdict, claim
from proofs_check.claims.decision import at_most
from proofs_check.claims.grid import grid
from proofs_check.claims.table import CLAIMS
from proofs_check.claims.variants import Margin, near, plus, times
from proofs_check.margins import loose, measure, measured
from proofs_check.report import tightness
from proofs_check.runner import run_claim

QUICK = ["fx/lemma-9", "fx/lemma-5.2", "bns/thm-2.4", "bbkn/thm-5.8-catalan", "pap/alg-2"]
"""Claims with factors that take little time."""


def doubled(*variants: object, factor: object = 2, **fields: object) -> Claim:
    """Return the claim that n is at most 2 n, which holds with factor 1 but with no smaller one."""

    def function(n, *, factor=factor):
        """A natural number is at most its double."""
        return at_most(n, factor * n)

    over = grid(n=range(1, 4))
    return claim("t/double", "1", "Double", Kind.LEMMA, over=over, near=variants, **fields)(
        function
    )


def test_the_margin_of_a_claim_is_its_largest_factor():
    tenth, half = near("2/10.", factor=times(Fraction(1, 10))), near("0.9.", factor=Fraction(9, 10))
    assert doubled(tenth).margin == Margin(Fraction(10), "factor")
    assert doubled(half, tenth).margin == Margin(Fraction(10), "factor")
    assert doubled(half).margin == Margin(Fraction(20, 9), "factor")
    assert doubled(near("One less.", factor=plus(-1))).margin.in_words == (
        "no factor: factor changes by one"
    )
    assert doubled(near("Half less.", factor=plus(Fraction(-1, 2)))).margin.in_words == (
        "1.34 (factor)"
    )
    step = near("Two less.", size=plus(-2)).margin({"size": lambda n: n})
    assert step.in_words == "no factor: size changes by 2"
    assert doubled(near("None.", factor=0)).margin.factor is None
    assert doubled(near("1.", factor=1)).margin.in_words == "no factor: factor changes by one"
    fields = {"recorded": Verdict.FAILS, "survives": "no"}
    assert doubled(tenth, **fields).margin.in_words == "no factor: it fails as printed"


@pytest.mark.parametrize(
    ("factor", "shown"),
    [
        ("1", "1.00"),
        ("10001/10000", "1.01"),
        ("999/100", "9.99"),
        ("401/40", "10.1"),
        ("2100", "2100"),
    ],
)
def test_margins_are_rounded_up(factor, shown):
    assert str(Margin(Fraction(factor), "size")) == shown


def test_a_measured_margin_lies_between_what_fails_and_what_does_not():
    variant = near("A fifth.", factor=times(Fraction(1, 5)))
    found = measure(doubled(variant), variant)
    assert found.loose
    assert loose(doubled(variant), variant)
    assert found.most <= 2 < found.least <= found.most * Fraction(11, 10)
    assert found.recorded == 5
    close = near("Less than half.", factor=times(Fraction(100, 210)))
    assert not measure(doubled(close), close).loose
    assert not loose(doubled(close), close)
    weak = near("Two thirds.", factor=times(Fraction(2, 3)))
    assert not measure(doubled(weak), weak).fails
    assert list(measured(doubled(near("None.", factor=0)))) == []


def test_whole_numbers_stay_whole():
    variant = near("10 for 50.", factor=10)
    assert variant.scaled({"factor": 50}, Fraction(2)).replaced == {"factor": 25}
    assert near("3 for 2.", factor=3).scaled({"factor": 2}, Fraction(5, 4)) is None
    assert near("5 for 3.", factor=5).scaled({"factor": 3}, Fraction(101, 100)).replaced == {
        "factor": 4
    }


def test_a_factor_that_makes_no_statement_does_not_fail():
    def power(n, *, exponent=Fraction(1)):
        """Only some exponents are allowed."""
        if exponent not in (1, 3):
            raise DomainError("the exponent must be 1 or 3")
        return at_most(n**exponent, n)

    variant = near("Cubes.", exponent=Fraction(3))
    c = claim("t/power", "1", "P", Kind.LEMMA, over=grid(n=[2]), near=variant)(power)
    assert not measure(c, variant).loose


def test_the_last_line_of_a_run_counts_margins():
    few = [CLAIMS[key] for key in ("fx/lemma-9", "fx/thm-7-ge-printed")]
    outcomes = [run_claim(each, Size.SMALL) for each in few]
    assert tightness(outcomes) == (
        "margins up to 2: 1; 2 to 4: 0; 4 to 20: 0; above 20: 0; no factor: 1"
    )


def test_the_command_measures(capsys):
    assert main(["margins", "fx/lemma-9", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["ingredient"] for row in rows] == ["entropy", "factor"]
    assert not any(row["loose"] for row in rows)
    assert main(["margins", "fx/lemma-9"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 recorded factors, 0 loose"


@pytest.mark.parametrize("key", QUICK)
def test_few_variants_on_record_are_tight(key):
    assert not any(loose(CLAIMS[key], variant) for variant in CLAIMS[key].near)


def test_the_page_explains_every_margin_above_twenty():
    text = (Path(__file__).parents[2] / "docs/verdicts.md").read_text(encoding="utf-8")
    section = text.split("## Claims that are far from tight")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+) \| ([^|]+) \|", section, re.MULTILINE)
    explained = {
        key: ingredient for keys, ingredient in rows for key in re.findall("`(.+?)`", keys)
    }
    margins = {c.key: c.margin for c in CLAIMS.values()}
    wide = {key: m.cause for key, m in margins.items() if m.factor is not None and m.factor > 20}
    assert explained == wide


@pytest.mark.slow
@pytest.mark.parametrize("key", [c.key for c in CLAIMS.values() if c.margin.factor])
def test_no_variant_on_record_is_loose(key):
    assert [v.statement for v in CLAIMS[key].near if loose(CLAIMS[key], v)] == []
