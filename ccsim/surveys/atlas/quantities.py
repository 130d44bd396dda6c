"""The quantities of the atlas: names, meaning, and up to how many points they are known."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

from ccsim.data import frozen

Span: TypeAlias = tuple[Fraction | int, Fraction | int | None]
"""A lower and an upper bound; None for no upper bound."""

ERRORS = (Fraction(1, 3), Fraction(1, 4))
"""Errors at which sizes of representations and private messages are known."""
SAMPLES = (Fraction(1, 4), Fraction(1, 3), "ln 9")
"""Accuracy, failure and epsilon of the private learners whose examples are counted."""
_DOTS = ".."


def write_span(span: Span) -> str:
    """Return bounds as a text."""
    lower, upper = span
    if lower == upper:
        return str(lower)
    return f"{lower}{_DOTS}{'' if upper is None else upper}"


def read_span(text: str | int) -> tuple[Fraction, Fraction | None]:
    """Return the bounds that a text or a number stands for."""
    first, dots, last = str(text).partition(_DOTS)
    lower = Fraction(first)
    if not dots:
        return lower, lower
    return lower, Fraction(last) if last else None


MOST_POINTS = 5
"""Most points of a class."""
_FULL = 4
"""Most points of a class that has a row of its own, with all quantities but one."""
MOST_MESSAGES = 1 << _FULL
"""Most messages that a class with such a row needs: one for each concept."""
_AT = " and ".join(map(str, ERRORS))


@frozen
class Quantity:
    """One quantity that questions may name."""

    meaning: str  # in one line
    most_points: int  # it is known up to so many points
    # what stands in parentheses behind its name: ``""`` nothing, ``"k"`` a number of messages,
    # ``"e"`` any error, ``"e1"`` one of the errors that were asked
    arguments: str = ""


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        "points": Quantity("number of points", MOST_POINTS),
        "concepts": Quantity("number of concepts, all different", MOST_POINTS),
        "vc": Quantity("VC dimension", MOST_POINTS),
        "littlestone": Quantity("Littlestone dimension", MOST_POINTS),
        "dual_vc_least": Quantity("least dual VC dimension over all flips", MOST_POINTS),
        "dual_vc_most": Quantity("largest dual VC dimension over all flips", MOST_POINTS),
        "threshold_least": Quantity("least threshold dimension over all flips", MOST_POINTS),
        "threshold_most": Quantity("largest threshold dimension over all flips", MOST_POINTS),
        "star": Quantity("star number", MOST_POINTS),
        "teaching": Quantity("teaching dimension", MOST_POINTS),
        "recursive_teaching": Quantity("recursive teaching dimension", MOST_POINTS),
        "no_clash_teaching": Quantity("no-clash teaching dimension", MOST_POINTS),
        "error": Quantity("least error with k messages and public coins", _FULL, "k"),
        "messages": Quantity("fewest messages for error e, public coins: R_pub", _FULL, "e"),
        "private_messages": Quantity(
            f"the same with private coins: R_priv; e = {_AT}", _FULL, "e1"
        ),
        "drsize": Quantity(f"fewest hypotheses that represent it; e = {_AT}", _FULL, "e1"),
        "prsize": Quantity(f"the same at random, failure e too; e = {_AT}", _FULL, "e1"),
        "drdim": Quantity("DRDim, log2 of drsize(e)", _FULL, "e1"),
        "prdim": Quantity("PRDim, log2 of prsize(e)", _FULL, "e1"),
        "samples": Quantity(
            "private examples: accuracy {}, failure {}, {}".format(*SAMPLES),
            3,
        ),
    }
)
"""All that a question may name."""

_STORED = [name for name, each in QUANTITIES.items() if not each.arguments and name != "points"]
COLUMNS = (
    *_STORED[: _STORED.index("samples")],
    "error",
    *(f"{name}({e})" for name in ("private_messages", "drsize", "prsize") for e in ERRORS),
    "samples",
)
"""Columns of the file, after those that name a class; ``error`` has those of 1, 2, ... messages."""
