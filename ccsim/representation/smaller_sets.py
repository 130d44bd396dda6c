"""Smaller representations from protocols: what the theorems of section 3 of `fx` construct."""

from __future__ import annotations

from dataclasses import replace

from ccsim.budget import Budget
from ccsim.communication.complexity import ComplexityResult
from ccsim.communication.protocols.tables import DeterministicProtocol, PrivateCoinProtocol
from ccsim.errors import InstanceTooLargeError
from ccsim.representation.conversion import from_private_coin_protocol, from_public_coin_protocol
from ccsim.representation.error import representation_error
from ccsim.representation.failure import failure_probability
from ccsim.representation.hypotheses import ProbabilisticRepresentation
from ccsim.representation.random_size import ProbabilisticSizeResult
from ccsim.representation.size import DeterministicSizeResult


def with_public_coins(
    own: ProbabilisticSizeResult, messages: ComplexityResult, budget: Budget
) -> ProbabilisticSizeResult:
    """Return the size with the random sets of a public-coin protocol, if these are smaller.

    Source: `fx` Theorem 7 (=3.1), first part.
    """
    if messages.upper >= own.upper:
        return own
    try:
        sets = from_public_coin_protocol(messages.reached.protocol)
    except InstanceTooLargeError:
        return own
    return _with(own, sets, budget)


def with_one_set(
    own: ProbabilisticSizeResult, sets: DeterministicSizeResult, budget: Budget
) -> ProbabilisticSizeResult:
    """Return the size with one set that represents the class for certain, if it is smaller."""
    if sets.upper >= own.upper:
        return own
    one = [(1, sets.representation.hypotheses)]
    return _with(own, ProbabilisticRepresentation.mixture(one), budget)


def _with(
    own: ProbabilisticSizeResult, sets: ProbabilisticRepresentation, budget: Budget
) -> ProbabilisticSizeResult:
    """Return the size with other sets, if these are proved to fail seldom enough."""
    found = failure_probability(
        sets, own.concept_class, own.error, time_limit=budget, target=own.failure
    )
    if found.upper > own.failure:
        return own
    return replace(own, upper=found.representation.size, representation=found)


def with_private_coins(
    own: DeterministicSizeResult, messages: ComplexityResult, budget: Budget
) -> DeterministicSizeResult:
    """Return the size with Bob's majority answers in a private-coin protocol, if they are fewer.

    Source: `fx` Theorem 8 (=3.2), first part.
    """
    protocol = messages.reached.protocol
    if messages.upper >= own.upper or not isinstance(
        protocol, DeterministicProtocol | PrivateCoinProtocol
    ):
        return own
    hypotheses = from_private_coin_protocol(protocol)
    found = representation_error(hypotheses, own.concept_class, time_limit=budget)
    if not found.represents(own.error):
        return own
    return replace(own, upper=found.hypotheses.size, representation=found)
