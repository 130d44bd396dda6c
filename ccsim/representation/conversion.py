"""The equivalence of representations and one-way protocols, both ways, as constructions.

Public coins (`fx` Theorem 7 (=3.1)) and private coins (`fx` Theorem 8 (=3.2)). No step loses in
size; in bits the steps to protocols need ``ceil(log2 size)``. The printed error ``eps + delta``
follows from the sharper ``1 - (1-eps)(1-delta)``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Generic, NamedTuple, Protocol, TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.classes.given import ClassLike, as_class
from ccsim.communication.protocols.symmetric import SymmetricProtocol
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.data import validated
from ccsim.representation.error import RepresentationResult, Selection, representation_error, select
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation, check_points


@checked_types
def from_public_coin_protocol(
    protocol: DeterministicProtocol | PrivateCoinProtocol | PublicCoinProtocol | SymmetricProtocol,
) -> ProbabilisticRepresentation:
    """Return the representation that draws the coins and lists Bob's rows for all messages.

    If the protocol errs at most ``eps * delta`` on every input of ``Eval_C``, the representation
    represents ``C`` with error ``eps`` and failure probability ``delta`` (Markov's inequality on
    Alice's choice, which does not depend on the distribution).

    Parameters
    ----------
    protocol : DeterministicProtocol, PrivateCoinProtocol, PublicCoinProtocol or SymmetricProtocol
        For the evaluation problem of a class.

    Notes
    -----
    Source: `fx` Theorem 7 (=3.1), first part. The largest set has at most ``messages`` hypotheses.

    Examples
    --------
    >>> P = DeterministicProtocol((0, 1), (0b01, 0b10), 2)
    >>> from_public_coin_protocol(P).sets
    (HypothesisSet(rows=(1, 2), num_points=2),)
    """
    mixture = protocol.to_public_coin()
    return ProbabilisticRepresentation.mixture(
        (weight, HypothesisSet.from_rows(component.bob, component.num_bob))
        for weight, component in zip(mixture.weights, mixture.components, strict=True)
    )


@checked_types
def from_private_coin_protocol(
    protocol: DeterministicProtocol | PrivateCoinProtocol,
) -> HypothesisSet:
    """Return Bob's majority answers for all messages.

    If the protocol errs at most ``eps / 2`` on every input of ``Eval_C``, the set represents ``C``
    with error ``eps``: where Bob's majority is wrong he errs at least half of the time.

    Parameters
    ----------
    protocol : DeterministicProtocol or PrivateCoinProtocol
        For the evaluation problem of a class.

    Notes
    -----
    Source: `fx` Theorem 8 (=3.2), first part. An exact tie counts as 0.

    Examples
    --------
    >>> P = PrivateCoinProtocol(alice=((1,),), bob=((Fraction(2, 3), Fraction(1, 2)),))
    >>> from_private_coin_protocol(P).rows
    (1,)
    """
    if isinstance(protocol, DeterministicProtocol):
        return HypothesisSet.from_rows(protocol.bob, protocol.num_bob)
    half = Fraction(1, 2)
    return HypothesisSet.from_rows(
        (sum(1 << y for y, one in enumerate(row) if one > half) for row in protocol.bob),
        protocol.num_bob,
    )


class _LeastError(Protocol):
    """The least error with which Alice names hypotheses, proved under one distribution."""

    @property
    def value(self) -> Fraction: ...
    @property
    def concept(self) -> int: ...
    @property
    def distribution(self) -> tuple[Fraction, ...]: ...


@validated
class NamingError:
    """The least error with which Alice names a hypothesis of the set that public coins draw.

    Attributes
    ----------
    value : Fraction
    concept : int
        A concept with this error.
    distribution : tuple of Fraction
        Distribution over points under which no choice of Alice errs less for ``concept``.
    """

    value: Fraction
    concept: int
    distribution: tuple[Fraction, ...]


P = TypeVar("P", PrivateCoinProtocol, PublicCoinProtocol)
E = TypeVar("E", bound=_LeastError)


class ConvertedProtocol(NamedTuple, Generic[P, E]):
    """A protocol in which Alice names hypotheses of a representation, and why none errs less.

    Attributes
    ----------
    protocol : PrivateCoinProtocol or PublicCoinProtocol
    result : RepresentationResult or NamingError
        The error, a concept with it, and a distribution under which no choice of Alice errs less.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> protocol, result = to_private_coin_protocol(HypothesisSet((0b00, 0b01), 2), points(1))
    >>> protocol.messages, result.value
    (2, Fraction(1, 1))
    """

    protocol: P
    result: E

    @property
    def error(self) -> Fraction:
        """Worst error of the protocol on ``Eval_C``."""
        return self.result.value

    @property
    def concept(self) -> int:
        """A concept with this error."""
        return self.result.concept

    @property
    def distribution(self) -> tuple[Fraction, ...]:
        """A distribution over points under which no choice of Alice errs less for the concept."""
        return self.result.distribution


@checked_types
def to_private_coin_protocol(
    hypotheses: HypothesisSet, concept_class: ClassLike
) -> ConvertedProtocol[PrivateCoinProtocol, RepresentationResult]:
    """Return the protocol in which Alice sends a random hypothesis, and why none errs less.

    For each concept Alice's law is an optimal strategy of the game between hypotheses and points,
    so the protocol errs exactly as much as the set represents the class; the result holds the worst
    concept and the distribution that forces this error on every choice of Alice.

    Parameters
    ----------
    hypotheses : HypothesisSet
        Over the points of the class.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix

    Notes
    -----
    Source: `fx` Theorem 8 (=3.2), second part.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> converted = to_private_coin_protocol(HypothesisSet((0b00, 0b01, 0b10), 2), points(1))
    >>> converted.protocol.messages, converted.error
    (3, Fraction(0, 1))
    """
    concept_class = as_class(concept_class)
    result = representation_error(hypotheses, concept_class)
    return ConvertedProtocol(_naming(hypotheses, result.weights), result)


@checked_types
def to_public_coin_protocol(
    representation: ProbabilisticRepresentation, concept_class: ClassLike
) -> ConvertedProtocol[PublicCoinProtocol, NamingError]:
    """Return the best public-coin protocol in which Alice names a hypothesis of the drawn set.

    For each concept the game between selectors (one hypothesis from every set) and points is
    solved. If the representation has error ``eps`` and failure probability ``delta``, some selector
    errs at most ``1 - (1-eps)(1-delta)`` under each distribution, so by the minimax theorem the
    protocol errs at most that much on every input; ``eps + delta`` is larger still.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
        Over the points of the class.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix

    Notes
    -----
    Source: `fx` Theorem 7 (=3.1), second part, with the minimax theorem applied for each concept.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> R = from_public_coin_protocol(DeterministicProtocol((0, 1), (0b01, 0b10), 2))
    >>> to_public_coin_protocol(R, points(1)).error
    Fraction(0, 1)
    """
    concept_class = as_class(concept_class)
    check_points(representation.num_points, concept_class)
    chosen: list[Selection] = [select(representation, row) for row in concept_class.rows]
    parts = [
        (weight, _naming(H, tuple(selection.weights[r] for selection in chosen)))
        for r, (weight, H) in enumerate(
            zip(representation.weights, representation.sets, strict=True)
        )
    ]
    worst = max(range(len(chosen)), key=lambda f: chosen[f].value)
    error = NamingError(chosen[worst].value, worst, chosen[worst].distribution)
    return ConvertedProtocol(PublicCoinProtocol.mixture(parts), error)


def _naming(
    hypotheses: HypothesisSet, laws: tuple[tuple[Fraction, ...], ...]
) -> PrivateCoinProtocol:
    """Alice sends the number of a hypothesis, drawn by the law of her concept."""
    bob = tuple(
        tuple(Fraction(row >> x & 1) for x in range(hypotheses.num_points))
        for row in hypotheses.rows
    )
    return PrivateCoinProtocol(laws, bob)
