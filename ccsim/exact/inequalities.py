"""Inequalities between quantities with bounds, applied until no bound changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
Number = int | Fraction


class Rule(NamedTuple):
    """An inequality: a bound on one quantity that follows from bounds on others."""

    target: str
    side: str  # ``lower`` or ``upper``: of the target
    others: tuple[str, ...]
    sides: str  # which bounds of the others it takes
    bound: Callable[..., Number]
    says: str
    total: bool = False  # whether it holds for total functions only


def tightened(
    known: Mapping[str, T], rules: Iterable[Rule], origin: str, words: Callable[[Rule], str]
) -> dict[str, T]:
    """Return quantities with the better bounds that follow from the rules.

    Quantities are data classes with the fields ``lower`` and ``upper``, and a field for the reason
    of each bound, such as ``lower_by`` for the origin ``by``.
    """
    found, listed, changed = dict(known), [*rules], True
    while changed:
        changed = False
        for rule in listed:
            if not {rule.target, *rule.others} <= found.keys():
                continue
            value = rule.bound(*(getattr(found[other], rule.sides) for other in rule.others))
            target: Any = found[rule.target]
            old = getattr(target, rule.side)
            if value > old if rule.side == "lower" else value < old:
                better = {rule.side: value, f"{rule.side}_{origin}": words(rule)}
                found[rule.target], changed = replace(target, **better), True
    return found
