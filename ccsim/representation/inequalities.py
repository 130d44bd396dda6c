"""The inequalities between the quantities that section 3 of `fx` compares."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

from ccsim.classes import ConceptClass
from ccsim.communication.complexity import ComplexityResult
from ccsim.communication.reductions.littlestone_bound import LittlestoneBound
from ccsim.data import frozen
from ccsim.dimensions import LittlestoneResult, VCResult
from ccsim.exact.bounds import Bounds
from ccsim.representation.random_size import ProbabilisticSizeResult
from ccsim.representation.size import DeterministicSizeResult

Source = (
    ComplexityResult
    | DeterministicSizeResult
    | ProbabilisticSizeResult
    | LittlestoneResult
    | VCResult
)


@frozen
class Quantity(Bounds[int]):
    """One quantity with proved bounds."""

    quantity: ClassVar[str] = "a quantity of the table"

    name: str  # with its parameters, such as ``R_pub(1/16)``
    # numbers of messages, hypotheses or concepts, or a dimension; equal when it is known
    lower: int
    upper: int
    # what proves the bounds; None for the number of concepts, for a bound that follows from a
    # dimension, and for a problem that is too large, where a protocol names the concept
    result: Source | None
    # the quantity, with the theorem, whose better bound was passed on (`passed_along`); None for a
    # bound that ``result`` proves
    lower_from: str | None = None
    upper_from: str | None = None


@frozen
class Inequality:
    """A statement ``left <= right`` about two quantities of the table."""

    # names of the quantities
    left: str
    right: str
    source: str  # where it is proved
    holds: bool | None  # none if the bounds leave it open
    slack: int | None  # ``right - left`` if both are known


def verdict(inequalities: Iterable[Inequality]) -> bool | None:
    """Say whether all inequalities hold; None if one is open and none fails."""
    verdicts = {inequality.holds for inequality in inequalities}
    return False if False in verdicts else None if None in verdicts else True


_INEQUALITIES = (
    ("prdim", "strong", "Theorem 7 (=3.1), first part"),
    ("weak", "prdim", "Theorem 7 (=3.1), second part"),
    ("drdim", "half", "Theorem 8 (=3.2), first part"),
    ("private", "drdim", "Theorem 8 (=3.2), second part"),
    ("prdim", "drdim", "a set is a random set"),
    ("weak", "private", "private coins can be public"),
    ("drdim", "concepts", "a class represents itself"),
    ("vc", "ldim", "a shattered set is a tree"),
    ("trees", "concepts", "leaves are distinct concepts"),
)


def compared(
    C: ConceptClass, eps: Fraction, delta: Fraction, found: dict[str, Quantity]
) -> tuple[tuple[Quantity, ...], tuple[Inequality, ...]]:
    """Return all quantities, those that follow from others at the end, and the inequalities."""
    depth, most = found["ldim"].lower, found["ldim"].upper
    found = found | {
        "concepts": Quantity("|C|", len(C), len(C), None),
        "trees": Quantity("2^LDim", 1 << depth, 1 << most, None),
    }
    pairs = list(_INEQUALITIES)
    if (loss := eps + delta) <= Fraction(1, 2):
        least, enough = (LittlestoneBound(d, loss).least_messages for d in (depth, most))
        found["littlestone"] = Quantity(f"2^((1-H({loss})) LDim)", least, enough, None)
        pairs.append(("littlestone", "weak", "Corollary 11 (=4.3)"))
    inequalities = (_compare(found[a], found[b], source) for a, b, source in pairs)
    return tuple(found.values()), tuple(inequalities)


def _compare(left: Quantity, right: Quantity, source: str) -> Inequality:
    """Decide an inequality as far as the bounds do."""
    holds = True if left.upper <= right.lower else False if left.lower > right.upper else None
    slack = right.upper - left.upper if left.exact and right.exact else None
    return Inequality(left.name, right.name, source, holds, slack)
