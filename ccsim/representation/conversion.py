"""The equivalence of representations and one-way protocols, and its consequences.

Source: `fx` Theorems 7 (=3.1), 8 (=3.2) and section 3.1. No conversion increases the size. The
error ``eps + delta`` stated in `fx` follows from the smaller error ``1 - (1-eps)(1-delta)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Generic, NamedTuple, TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.communication.protocols.conversions import newman_seeds, repetitions_for
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
)
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.probability import draw, generator
from ccsim.representation.error import RepresentationResult, Selection, representation_error, select
from ccsim.representation.failure import FailureResult, failure_probability
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation, check_points

MAX_MAJORITIES = 1 << 20
"""Maximum number of partial vote counts in `boost`."""


@checked_types
def from_public_coin_protocol(
    protocol: DeterministicProtocol | PrivateCoinProtocol | PublicCoinProtocol | SymmetricProtocol,
) -> ProbabilisticRepresentation:
    """Return the probabilistic representation that a public-coin protocol defines.

    The public coins draw a set of hypotheses: Bob's answers to all messages, as functions of his
    input.

    If the protocol errs with probability at most ``eps * delta`` on every input of the evaluation
    problem of a class, the result represents the class with error ``eps`` and failure probability
    ``delta``. The proof applies Markov's inequality to the hypothesis that Alice's message selects,
    which does not depend on the distribution.

    Parameters
    ----------
    protocol : DeterministicProtocol, PrivateCoinProtocol, PublicCoinProtocol or SymmetricProtocol
        A protocol for the evaluation problem of a class.

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
    """Return the deterministic representation that a private-coin protocol defines.

    It has a hypothesis for each message: Bob's more likely answer, as a function of his input.

    If the protocol errs with probability at most ``eps / 2`` on every input of the evaluation
    problem of a class, the set represents the class with error ``eps``, since Bob errs with
    probability at least 1/2 wherever his more likely answer is wrong.

    Parameters
    ----------
    protocol : DeterministicProtocol or PrivateCoinProtocol
        A protocol for the evaluation problem of a class.

    Notes
    -----
    Source: `fx` Theorem 8 (=3.2), first part. A tie counts as 0.

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


@validated
class NamingError:
    """The least worst-case error of protocols in which Alice names a hypothesis of a random set.

    Attributes
    ----------
    value : Fraction
        The error.
    concept : int
        A concept on which every strategy of Alice has at least this error.
    distribution : tuple of Fraction
        Distribution over points under which no strategy of Alice has a smaller error for
        ``concept``.
    """

    value: Fraction
    concept: int
    distribution: tuple[Fraction, ...]


P = TypeVar("P", PrivateCoinProtocol, PublicCoinProtocol)
E = TypeVar("E", RepresentationResult, NamingError)


class ConvertedProtocol(NamedTuple, Generic[P, E]):
    """A protocol in which Alice names a hypothesis of a representation, with its optimality proof.

    Attributes
    ----------
    protocol : PrivateCoinProtocol or PublicCoinProtocol
    result : RepresentationResult or NamingError
        The error, a concept that attains it, and a distribution under which no strategy of Alice
        has a smaller error.

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
        """Worst-case error of the protocol on ``Eval_C``."""
        return self.result.value

    @property
    def concept(self) -> int:
        """A concept on which the protocol attains its worst-case error."""
        return self.result.concept

    @property
    def distribution(self) -> tuple[Fraction, ...]:
        """A distribution over points under which no strategy of Alice has a smaller error."""
        return self.result.distribution


@checked_types
def to_private_coin_protocol(
    hypotheses: HypothesisSet, concept_class: ClassLike
) -> ConvertedProtocol[PrivateCoinProtocol, RepresentationResult]:
    """Return the optimal protocol in which Alice sends a hypothesis of the set, with proof.

    For each concept, Alice draws the hypothesis from an optimal strategy of the game between
    hypotheses and points. Therefore the error of the protocol equals the error with which the set
    represents the class. The result contains the worst concept and a distribution under which every
    strategy of Alice has at least this error.

    Parameters
    ----------
    hypotheses : HypothesisSet
        Hypotheses over the points of the class.
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
    """Return the optimal public-coin protocol in which Alice names a hypothesis of a random set.

    For each concept, the game between selectors (one hypothesis from every set) and points is
    solved. If the representation has error ``eps`` and failure probability ``delta``, then under
    each distribution some selector has error at most ``1 - (1-eps)(1-delta)``. By the minimax
    theorem, this bounds the error of the protocol on every input; it is at most ``eps + delta``.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
        The hypotheses of the sets must be over the points of the class.
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
    hypotheses: HypothesisSet, distributions: tuple[tuple[Fraction, ...], ...]
) -> PrivateCoinProtocol:
    """Return the protocol in which Alice draws a hypothesis for her concept and sends its index."""
    bob = tuple(
        tuple(Fraction(row >> x & 1) for x in range(hypotheses.num_points))
        for row in hypotheses.rows
    )
    return PrivateCoinProtocol(distributions, bob)


@validated
class BoostedRepresentation:
    """A representation improved by repetition of the corresponding protocol.

    Attributes
    ----------
    result : FailureResult
        Bounds on the failure probability of the new representation at the new error.
    repetitions : int
        Number of runs in the majority vote.
    error_before, error_after : Fraction
        Worst-case error of the optimal protocol for the random sets, before and after.
    """

    result: FailureResult
    repetitions: int
    error_before: Fraction
    error_after: Fraction

    @property
    def representation(self) -> ProbabilisticRepresentation:
        """The improved representation."""
        return self.result.representation


@checked_types
def boost(
    representation: ProbabilisticRepresentation,
    concept_class: ClassLike,
    error: Fraction | int | str,
    failure: Fraction | int | str,
) -> BoostedRepresentation:
    """Return a representation with smaller error and failure probability.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
        For every concept, some mixture of selectors must err with probability below 1/2 on every
        point. This holds if the error ``eps`` and failure probability ``delta`` satisfy ``(1 -
        eps)(1 - delta) > 1/2``.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    error, failure : Fraction, int or str
        Error and failure probability to attain, positive and at most 1.

    Returns
    -------
    BoostedRepresentation
        If the largest set has ``s`` hypotheses, the new sets have at most ``s**repetitions``.

    Raises
    ------
    InstanceTooLargeError
        If counting the votes takes more than `MAX_MAJORITIES` steps.

    Notes
    -----
    Source: `fx` section 3.1, accuracy and confidence boosting: Theorem 7 (=3.1), eq. 2.2, and
    Theorem 7 again, where Markov's inequality turns an error of ``error * failure`` into ``error``
    and ``failure``.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.representation import inner_product_representation
    >>> boosted = boost(inner_product_representation(1, 1), points(1), "1/4", "1/2")
    >>> boosted.repetitions, boosted.error_before, boosted.error_after
    (5, Fraction(1, 4), Fraction(1, 64))
    >>> boosted.result.represents(Fraction(1, 2))
    True
    """
    concept_class = as_class(concept_class)
    eps, delta = as_fraction(error, "error", 0, 1), as_fraction(failure, "failure", 0, 1)
    check_points(representation.num_points, concept_class)
    before = _protocol_error(representation, concept_class)
    if eps * delta == 0:
        raise DomainError(f"error and failure must be positive, not {eps} and {delta}")
    if before >= Fraction(1, 2):
        raise DomainError(f"the error of the best protocol must be below 1/2, not {before}")
    runs = repetitions_for(before, eps * delta)
    better = ProbabilisticRepresentation.mixture(_repeated(representation, runs))
    result = failure_probability(better, concept_class, eps, target=delta)
    return BoostedRepresentation(result, runs, before, _protocol_error(better, concept_class))


def _protocol_error(
    representation: ProbabilisticRepresentation, concept_class: ConceptClass
) -> Fraction:
    """Return the error of the best protocol in which Alice names a hypothesis of a random set."""
    return max(select(representation, row).value for row in concept_class.rows)


def _repeated(
    representation: ProbabilisticRepresentation, runs: int
) -> Iterator[tuple[Fraction, HypothesisSet]]:
    """Yield, for each multiset of sets, its weight and its set of majorities.

    There is one majority for each choice of a hypothesis from every set.
    """
    sets, weights = representation.sets, representation.weights
    unit = runs + 1  # counts of ones, one digit for each point
    points = representation.num_points
    digits = [[sum(unit**x for x in members(row)) for row in H.rows] for H in sets]
    left = MAX_MAJORITIES
    for chosen in combinations_with_replacement(range(len(sets)), runs):
        counts = {0}
        for i in chosen:
            counts = {count + digit for count in counts for digit in digits[i]}
            left -= len(counts)
            if left < 0:
                raise InstanceTooLargeError(
                    f"counting the majorities of {runs} runs takes more than {MAX_MAJORITIES} steps"
                )
        rows = {
            sum(1 << x for x in range(points) if 2 * (count // unit**x % unit) > runs)
            for count in counts
        }
        orders = factorial(runs) // prod(factorial(chosen.count(i)) for i in set(chosen))
        weight = orders * prod((weights[i] for i in chosen), start=Fraction(1))
        yield weight, HypothesisSet.from_rows(rows, points)


@validated
class DerandomizedRepresentation:
    """A deterministic representation, the union of a few draws of a probabilistic one.

    Attributes
    ----------
    result : RepresentationResult
        The union of the sets with its exact error.
    value : Fraction
        Worst-case error of the optimal protocol of the probabilistic representation.
    draws : int
        Number of sets drawn, with repetitions.
    tries : int
        Number of lists of sets that were drawn until one had a small enough error.
    """

    result: RepresentationResult
    value: Fraction
    draws: int
    tries: int

    @property
    def hypotheses(self) -> HypothesisSet:
        """The union of the sets that were drawn."""
        return self.result.hypotheses


@checked_types
def derandomize(
    representation: ProbabilisticRepresentation,
    concept_class: ClassLike,
    excess: Fraction | int | str,
    seed: int,
    *,
    tries: int = 1000,
) -> DerandomizedRepresentation:
    """Return a deterministic representation: the union of a few draws of a probabilistic one.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    excess : Fraction, int or str
        Allowed increase of the error, in (0, 1).
    seed : int
        Seed of the sampling; the same seed gives the same sets.
    tries : int
        Number of lists of sets to draw before `NotDecidedError` is raised.

    Returns
    -------
    DerandomizedRepresentation
        Suppose that the representation has error ``eps``, failure probability ``delta`` and sets of
        at most ``s`` hypotheses, and let ``n`` be the product of the numbers of concepts and
        points. Then at most ``s newman_seeds(n, excess)`` hypotheses represent the class with error
        ``1 - (1-eps)(1-delta) + excess``, so the dimension grows by about ``log log n``. The error
        is verified exactly.

    Notes
    -----
    Source: `fx` section 3.1, Newman's theorem for representations. Bob answers by the hypothesis
    that Alice names and needs no private coins, so the error does not double.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.representation import inner_product_representation
    >>> fixed = derandomize(inner_product_representation(2, 2), points(2), "1/4", seed=0)
    >>> fixed.value, fixed.result.value <= fixed.value + Fraction(1, 4)
    (Fraction(5, 32), True)
    """
    concept_class = as_class(concept_class)
    loss = as_fraction(excess, "excess")
    check_points(representation.num_points, concept_class)
    draws = newman_seeds(len(concept_class) * len(concept_class.points), loss)
    value = _protocol_error(representation, concept_class)
    rng = generator(seed)
    for number in range(1, tries + 1):
        sets = {draw(representation.weights, rng) for _ in range(draws)}
        union = HypothesisSet.from_rows(
            (row for i in sets for row in representation.sets[i].rows), representation.num_points
        )
        result = representation_error(union, concept_class)
        if result.represents(value + loss):
            return DerandomizedRepresentation(result, value, draws, number)
    raise NotDecidedError(
        f"none of {tries} lists of {draws} sets has error at most {value + loss}; "
        "raise tries or change seed"
    )
