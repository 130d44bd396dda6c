"""Measured margins: factors by which claims can be strengthened before they fail on the grid.

A variant fails at every run, so its factor is an upper bound on the margin. This module measures
the margin by bisection; each step decides the small grid once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import click

from ccsim.cli.output import Column, print_table
from ccsim.errors import DomainError
from proofs_check.claims.claim import Claim, Verdict
from proofs_check.claims.variants import Margin, Variant
from proofs_check.runner import run_variant

__all__ = ["Measured", "loose", "measure", "measured", "print_measured", "to_json"]

_CLOSE = Fraction(11, 10)
"""Factors within this of each other are not told apart."""
_FINE = 1000


@dataclass(frozen=True, slots=True)
class Measured:
    """The measured margin of an ingredient.

    Attributes
    ----------
    key : str
        The claim.
    ingredient : str
    recorded : Fraction
        The factor of the recorded variant.
    least : Fraction
        The least tested factor for which the statement fails.
    most : Fraction
        The largest tested factor below `least` for which the statement does not fail, within a
        tenth.
    fails : bool
        Whether the recorded variant fails, as it must.
    """

    key: str
    ingredient: str
    recorded: Fraction
    least: Fraction
    most: Fraction
    fails: bool = True

    @property
    def loose(self) -> bool:
        """Whether the statement also fails for a factor smaller by a tenth."""
        return self.least < self.recorded


def _fails(claim: Claim, variant: Variant | None) -> bool:
    """Return whether a variant fails; a variant with invalid parameters does not fail."""
    try:
        return variant is not None and run_variant(claim, variant).sharp
    except DomainError:
        return False


def loose(claim: Claim, variant: Variant) -> bool:
    """Return whether the statement also fails for a factor smaller by a tenth.

    A variant without a factor, or with one of at most 11/10, is not loose.

    Examples
    --------
    >>> from proofs_check.claims.table import CLAIMS
    >>> claim = CLAIMS["fx/lemma-9"]
    >>> [loose(claim, variant) for variant in claim.near]
    [False, False, False]
    """
    factor = variant.margin(claim.ingredients).factor
    if factor is None or factor <= _CLOSE:
        return False
    return _fails(claim, variant.scaled(claim.ingredients, factor / _CLOSE))


def measure(claim: Claim, variant: Variant) -> Measured | None:
    """Measure the margin of the ingredients that a variant multiplies.

    Returns
    -------
    Measured or None
        None if the variant has no factor.
    """
    margin = variant.margin(claim.ingredients)
    if margin.factor is None:
        return None
    recorded = least = margin.factor
    if not _fails(claim, variant):
        return Measured(claim.key, margin.cause, recorded, recorded, recorded, fails=False)
    most = Fraction(1)
    trial = recorded / _CLOSE
    while trial > most and least > most * _CLOSE:
        if _fails(claim, variant.scaled(claim.ingredients, trial)):
            least = trial
        else:
            most = trial
        trial = Fraction(sqrt(least * most)).limit_denominator(_FINE)
        if not most < trial < least:
            break
    return Measured(claim.key, margin.cause, recorded, least, most)


def measured(claim: Claim) -> Iterator[Measured]:
    """Yield the measured margins of a claim's ingredients; none for an erratum."""
    if claim.recorded is not Verdict.FAILS:
        for variant in claim.near:
            found = measure(claim, variant)
            if found is not None:
                yield found


def to_json(found: Measured) -> dict[str, Any]:
    """Return a measured margin for scripts."""
    return {
        "claim": found.key,
        "ingredient": found.ingredient,
        "recorded": str(found.recorded),
        "fails": found.fails,
        "least": str(found.least),
        "most": str(found.most),
        "loose": found.loose,
    }


def print_measured(found: Sequence[Measured]) -> None:
    """Print a line for each margin, and the number of loose recorded factors."""
    rows: list[tuple[str, ...]] = [("claim", "ingredient", "recorded", "measured", "")]
    for each in found:
        note = "loose" if each.loose else "" if each.fails else "does not fail"
        factors = (str(Margin(factor, "")) for factor in (each.recorded, each.least))
        rows.append((each.key, each.ingredient, *factors, note))
    columns = [Column(), Column(), Column(right=True), Column(right=True), Column()]
    print_table(columns, rows)
    number = sum(each.loose for each in found)
    click.echo(f"{len(found)} recorded factors, {number} loose")
