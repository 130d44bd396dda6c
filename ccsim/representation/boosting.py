"""Accuracy and confidence boosted through protocols, and randomness removed through them.

Both go from a representation to a public-coin protocol and back (`fx` section 3.1): it is repeated,
which makes its error small, or a few draws of its coins are fixed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.communication.protocols.amplification import repetitions_for
from ccsim.communication.protocols.newman import newman_seeds
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.probability import draw, generator
from ccsim.representation.error import RepresentationResult, representation_error, select
from ccsim.representation.failure import FailureResult, failure_probability
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation, check_points

MAX_MAJORITIES = 1 << 20
"""Largest number of partial counts of votes that `boost` keeps."""


@validated
class BoostedRepresentation:
    """A representation made better by repeating the protocol that belongs to it.

    Attributes
    ----------
    result : FailureResult
        The new representation with proved bounds on its failure probability at the new error.
    repetitions : int
        Runs whose majority is taken.
    error_before, error_after : Fraction
        Worst error of the best protocol that draws a set, before and after.
    """

    result: FailureResult
    repetitions: int
    error_before: Fraction
    error_after: Fraction

    @property
    def representation(self) -> ProbabilisticRepresentation:
        """The new representation."""
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
        Such that some mixture of selectors errs less than 1/2 on every point; so it is if its error
        ``eps`` and failure ``delta`` have ``(1 - eps)(1 - delta) > 1/2``.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    error, failure : Fraction, int or str
        What is wanted, in (0, 1].

    Returns
    -------
    BoostedRepresentation
        With ``s`` hypotheses in the largest set before, it has at most ``s**repetitions`` after.

    Raises
    ------
    DomainError
        If the protocol of the representation errs 1/2 or more.
    InstanceTooLargeError
        If counting the votes takes more than `MAX_MAJORITIES` steps.

    Notes
    -----
    Source: `fx` section 3.1, accuracy and confidence boosting: Theorem 7 (=3.1), eq. 2.2, and
    Theorem 7 again, whose Markov step turns an error of ``error * failure`` into the two.

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
    if before >= Fraction(1, 2) or eps * delta == 0:
        raise DomainError(
            f"need a protocol with error below 1/2 and positive targets, not {before}, "
            f"{eps} and {delta}"
        )
    runs = repetitions_for(before, eps * delta)
    better = ProbabilisticRepresentation.mixture(_repeated(representation, runs))
    result = failure_probability(better, concept_class, eps, target=delta)
    return BoostedRepresentation(result, runs, before, _protocol_error(better, concept_class))


def _protocol_error(
    representation: ProbabilisticRepresentation, concept_class: ConceptClass
) -> Fraction:
    """Return the error of the protocol in which coins draw a set and Alice names a hypothesis."""
    return max(select(representation, row).value for row in concept_class.rows)


def _repeated(
    representation: ProbabilisticRepresentation, runs: int
) -> Iterator[tuple[Fraction, HypothesisSet]]:
    """Yield, for each multiset of sets, its weight and the majorities of one hypothesis of each."""
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
                    f"the majorities of {runs} runs need more than {MAX_MAJORITIES} steps"
                )
        rows = {
            sum(1 << x for x in range(points) if 2 * (count // unit**x % unit) > runs)
            for count in counts
        }
        orders = factorial(runs) // prod(factorial(chosen.count(i)) for i in set(chosen))
        weight = orders * prod((weights[i] for i in chosen), start=Fraction(1))
        yield weight, HypothesisSet.from_rows(rows, points)


@validated
class FixedSets:
    """A deterministic representation made of a few draws of a probabilistic one.

    Attributes
    ----------
    result : RepresentationResult
        The union of the sets with its exact error.
    value : Fraction
        Worst error of the best protocol of the probabilistic representation.
    draws : int
        Number of sets drawn, with repetitions.
    tries : int
        How many lists were drawn until one was good.
    """

    result: RepresentationResult
    value: Fraction
    draws: int
    tries: int

    @property
    def hypotheses(self) -> HypothesisSet:
        """The union of the sets."""
        return self.result.hypotheses


@checked_types
def fix_sets(
    representation: ProbabilisticRepresentation,
    concept_class: ClassLike,
    excess: Fraction | int | str,
    seed: int,
    *,
    tries: int = 1000,
) -> FixedSets:
    """Return a deterministic representation from a few draws of a probabilistic one.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    excess : Fraction, int or str
        Allowed increase of the error, in (0, 1).
    seed : int
        Seed of the sampling; the same seed gives the same sets.
    tries : int
        Lists to draw before giving up.

    Returns
    -------
    FixedSets
        If the representation has error ``eps`` and failure ``delta``, sets of at most ``s``
        hypotheses, and ``n`` counts concepts times points, then at most ``s newman_seeds(n,
        excess)`` hypotheses represent the class with error ``1 - (1-eps)(1-delta) + excess``: their
        dimension grows by about ``log log n``. The error is verified exactly.

    Raises
    ------
    NotDecidedError
        If no list that was drawn was good.

    Notes
    -----
    Source: `fx` section 3.1, Newman's theorem for representations. Bob answers by the hypothesis
    that Alice names, so that his private coins are not needed and no factor 2 is lost.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.representation import inner_product_representation
    >>> fixed = fix_sets(inner_product_representation(2, 2), points(2), "1/4", seed=0)
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
            return FixedSets(result, value, draws, number)
    raise NotDecidedError(
        f"none of {tries} lists of {draws} sets kept the error at most {value + loss}"
    )
