"""Smaller representations from protocols: what the theorems of section 3 of `fx` construct.

Main definitions: `with_public_coins`, `with_private_coins`, `with_one_set`.
"""

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

__all__ = ["with_one_set", "with_private_coins", "with_public_coins"]


def with_public_coins(
    own: ProbabilisticSizeResult, messages: ComplexityResult, budget: Budget
) -> ProbabilisticSizeResult:
    """Return the size with the random sets of a public-coin protocol, if these are smaller.

    Parameters
    ----------
    own : ProbabilisticSizeResult
    messages : ComplexityResult
        Of the evaluation problem of the class; its protocol errs at most as much as the product of
        the error and the failure of ``own``.
    budget : Budget
        For the proof that the sets fail seldom enough.

    Notes
    -----
    Source: `fx` Theorem 7 (=3.1), first part.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.communication import communication_complexity
    >>> from ccsim.representation import probabilistic_representation_size
    >>> C = points(2)
    >>> own = probabilistic_representation_size(C, "1/2", "1/4", time_limit=0)
    >>> messages = communication_complexity(C, "1/8")
    >>> own.upper, with_public_coins(own, messages, Budget()).upper
    (4, 3)
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
    """Return the size with one set that represents the class for certain, if it is smaller.

    Parameters
    ----------
    own : ProbabilisticSizeResult
    sets : DeterministicSizeResult
        With the same class and error.
    budget : Budget

    Examples
    --------
    >>> from ccsim.classes import all_functions
    >>> from ccsim.representation import (
    ...     deterministic_representation_size,
    ...     probabilistic_representation_size,
    ... )
    >>> C = all_functions(3)
    >>> own = probabilistic_representation_size(C, "1/3", "1/4", time_limit=0)
    >>> sets = deterministic_representation_size(C, "1/3")
    >>> own.upper, with_one_set(own, sets, Budget()).upper
    (8, 4)
    """
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

    Parameters
    ----------
    own : DeterministicSizeResult
    messages : ComplexityResult
        Of the evaluation problem of the class; its protocol errs at most half as much as ``own``.
    budget : Budget
        For the proof that the answers represent the class.

    Notes
    -----
    Source: `fx` Theorem 8 (=3.2), first part.

    Examples
    --------
    >>> from ccsim.classes import all_functions
    >>> from ccsim.communication import communication_complexity
    >>> from ccsim.representation import deterministic_representation_size
    >>> C = all_functions(2)
    >>> own = deterministic_representation_size(C, "2/3", time_limit=0)
    >>> messages = communication_complexity(C, "1/3", "private")
    >>> own.upper, with_private_coins(own, messages, Budget()).upper
    (4, 3)
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
