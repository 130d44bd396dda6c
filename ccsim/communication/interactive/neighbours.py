"""Bounds that results for other numbers of bits, rounds or other models imply."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ccsim.budget import Budget
from ccsim.communication.interactive.conversions import as_trees, exchanged
from ccsim.communication.interactive.models import Model, Simultaneous, TwoWay
from ccsim.communication.interactive.results import InteractiveErrorResult, Mixed, messages_of
from ccsim.communication.interactive.trees import Limits
from ccsim.communication.protocols.simultaneous import SimultaneousProtocol
from ccsim.communication.protocols.symmetric import SymmetricMixture
from ccsim.communication.protocols.tables import PublicCoinProtocol, SymmetricProtocol
from ccsim.errors import InstanceTooLargeError

_INCLUDED = {
    ("two-way", "two-way"),
    ("two-way", "simultaneous"),
    ("simultaneous", "simultaneous"),
}
_STEPS = 1 << 24  # most steps of a best protocol under a distribution of another result
_CHECKED = 1 << 24  # most steps of the check of a lower bound that another result implies
_ANY = 1 << 62  # rounds, if their number is not limited


def with_neighbours(results: Sequence[InteractiveErrorResult]) -> list[InteractiveErrorResult]:
    """Return results for one problem, each with the best bounds that the other ones imply."""
    return [_improved(result, results) for result in results]


def with_more_bits(result: InteractiveErrorResult, bits: int) -> InteractiveErrorResult:
    """Return a result for more bits, which its protocol may leave unused, with lower bound 0."""
    result = result.without_lower()
    one_way: Any = result.one_way
    if one_way is not None:
        one_way = replace(one_way, messages=messages_of(bits, one_way.problem))
    return replace(result, bits=bits, one_way=one_way)


def _improved(
    result: InteractiveErrorResult, others: Sequence[InteractiveErrorResult]
) -> InteractiveErrorResult:
    """Return a result with the best bounds that other results imply."""
    for other in sorted(others, key=lambda one: one.upper):
        if other.upper >= result.upper:
            break
        if (protocol := _protocol_for(result, other)) is not None:
            result = _with_protocol(result, other, protocol)
            break
    for other in sorted(others, key=lambda one: -one.lower):
        if other.lower <= result.lower:
            break
        if _is_harder(other, result) and (bound := _bound(result, other)) > result.lower:
            return replace(
                result,
                lower=bound,
                distribution=other.distribution,
                by_discrepancy=other.by_discrepancy,
            )
    return result


def _protocol_for(result: InteractiveErrorResult, other: InteractiveErrorResult) -> Mixed | None:
    """Return the protocol of another result as one of the model of a result, if it is one."""
    ours, theirs, protocol = result.rounds or _ANY, other.rounds or _ANY, other.protocol
    if other.bits > result.bits:
        return None
    if other.model == result.model:
        return protocol if theirs <= ours else None
    if result.model != "two-way" or ours < 2:
        return None
    if isinstance(protocol, PublicCoinProtocol | SymmetricProtocol) and other.bits:
        trees = as_trees(protocol)
        return exchanged(trees) if trees and other.model == "one-way-from-bob" else trees
    if not isinstance(protocol, SymmetricMixture):
        return None
    parts = [
        part.to_two_way() if isinstance(part, SimultaneousProtocol) else part
        for part in protocol.components
    ]
    return replace(protocol, components=tuple(parts))


def _with_protocol(
    result: InteractiveErrorResult, other: InteractiveErrorResult, protocol: Mixed
) -> InteractiveErrorResult:
    """Return a result with the upper bound and the protocol of another one."""
    one_way: Any = result.one_way
    if one_way is not None:
        one_way = replace(one_way, upper=other.upper, protocol=protocol)
    return replace(result, upper=other.upper, protocol=protocol, one_way=one_way)


def _is_harder(other: InteractiveErrorResult, result: InteractiveErrorResult) -> bool:
    """Return whether the protocols that another result is about include those of a result."""
    if (other.model, result.model) not in _INCLUDED or other.distribution is None:
        return False
    ours, theirs = result.rounds or _ANY, other.rounds or _ANY
    return other.bits >= result.bits and (theirs >= ours or theirs >= other.bits)


def _bound(result: InteractiveErrorResult, other: InteractiveErrorResult) -> Fraction:
    """Return the bound that the distribution of another result proves; 0 if it takes too long."""
    if other.by_discrepancy:
        heaviest = (1 - 2 * other.lower) / (1 << other.bits)
        return (1 - heaviest * (1 << result.bits)) / 2
    hard: Any = other.distribution
    weights = list(hard.signed_rows(result.problem).values())
    columns = sorted({y for row in weights for y in row})
    matrix = [[row.get(y, 0) for y in columns] for row in weights]
    model: Model[Any] = TwoWay(Limits(result.bits, result.rounds))
    if result.model == "simultaneous":
        model = Simultaneous(result.bits)
    sides = len(matrix), len(columns)
    with suppress(InstanceTooLargeError):
        if model.steps(*sides) <= _STEPS and model.steps_to_check(*sides) <= _CHECKED:
            return Fraction(model.best(matrix, Budget(), hard.total)[0], hard.total)
    return Fraction(0)
