"""Random sets of few hypotheses: their minimum failure probability, and their minimum size.

In a game, one player chooses at most ``k`` hypotheses, the other a concept and a distribution. The
first player loses if all hypotheses have an error above ``eps``. Mixed strategies of the first
player are probabilistic representations (`fx` Definition 5 (=2.4)).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import count
from math import ceil
from operator import itemgetter
from typing import Any, ClassVar, Self

from ccsim.appearance import in_short, in_words
from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate, Certificates
from ccsim.certificates.answer import about_instance, html_table, question_of
from ccsim.certificates.envelope import encode_fraction
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.representation.branching import Branching, Node, Visited, least_number
from ccsim.representation.counting import consecutive_concepts, evenly
from ccsim.representation.failure import FailureResult, failure_probability, never_failing
from ccsim.representation.failure_game import FailureGame
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.representation.neighbourhoods import (
    Neighbourhood,
    hypotheses_of,
    in_order,
    masks_of,
    members_of,
    pool_json,
    symmetries_fixing,
    uniform_neighbourhoods,
)
from ccsim.representation.size import (
    MAX_LISTED,
    SizeLowerBound,
    SizeResult,
    bound_of_points,
    deterministic_representation_size,
    on_fewer_points,
    too_many,
)
from ccsim.symmetry.groups import orbit
from ccsim.symmetry.matrix import Symmetry

_POINTS = 3  # points on which a larger class is searched for a bound from below
_COUNTING = 0.3  # part of the time for the bounds that need no branching


@frozen
class LeastFailureResult(Answer[Fraction]):
    """Bounds on the least failure probability of random sets of a given size, with proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    error : Fraction
    size : int
        Largest number of hypotheses in a set.
    pool : tuple of int or None
        The admitted hypotheses; None for all functions on the points.
    lower, upper : Fraction
        Bounds, which are equal unless the search was stopped.
    proof : Branching or None
        Certificate of the lower bound: a distribution on neighbourhoods such that any ``size``
        hypotheses miss a random neighbourhood with probability at least ``lower``. None for the
        bound 0.
    failure : FailureResult
        Certificate of the upper bound: a representation and a bound on its failure probability.
    """

    asked = ("concept_class", "error", "size", "pool")

    quantity: ClassVar[str] = "the least failure probability"

    concept_class: ConceptClass
    error: Fraction
    size: int
    pool: tuple[int, ...] | None
    lower: Fraction
    upper: Fraction
    proof: Branching | None
    failure: FailureResult

    def without_lower(self) -> Self:
        """Return the result with the lower bound 0, which needs no proof."""
        return replace(self, lower=Fraction(0), proof=None)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        proof = self.proof or Branching.trivial(len(self.concept_class.points))
        unlisted = self.pool is None and len(self.concept_class.points) > MAX_LISTED
        return Certificate(
            "least_failure",
            self.concept_class.to_json(),
            {
                "error": encode_fraction(self.error),
                "size": self.size,
                "pool": pool_json(self.concept_class, self.pool),
                "lower": None if unlisted else encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            None if unlisted else {"branching": proof.to_json(self.pool)},
            {"representation": support_json(self.failure)},
        )


@checked_types
def least_failure(
    concept_class: ClassLike,
    error: Fraction | int | str,
    size: int,
    pool: Iterable[int] | None = None,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> LeastFailureResult:
    """Return the least failure probability of random sets of at most ``size`` hypotheses.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with at least one concept and one point.
    error : Fraction, int or str
        Allowed error of a hypothesis, between 0 and 1.
    size : int
        Maximum number of hypotheses in a set, at least 1.
    pool : iterable of int, optional
        Bit masks of the admitted hypotheses. Default: all functions, with bounds for more than 10
        points.
    time_limit, progress
        As for `vc_dimension`; bounds are reported after every round.

    Notes
    -----
    Complexity: exponential in the number of points and in ``size``. Up to 6 points, all
    neighbourhoods are enumerated: 5 points take a second; 6 points without symmetries take seconds
    for sets of 4 hypotheses, and half a minute or more for sets of 6 if there are few concepts.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> result = least_failure(points(2), "1/4", 2)
    >>> result.value
    Fraction(1, 2)
    >>> result.check()
    """
    allowed = as_fraction(error, "error", 0, 1)
    if size < 1:
        raise DomainError(f"size must be at least 1, not {size}")
    admitted = in_order(pool)
    budget = Budget.of(time_limit)
    concept_class = as_class(concept_class, budget)
    if admitted is None and concept_class.rows and too_many(concept_class):
        return _least_failure_bounded(concept_class, allowed, size, budget)
    game = FailureGame(concept_class, allowed, admitted, size, budget)
    game.play(progress=progress)
    proof, failure = game.refutation.proof if game.refutation else None, game.failure
    found = LeastFailureResult(
        concept_class, allowed, size, admitted, game.lower, failure.upper, proof, failure
    )
    return found if found.exact else _counted_failure(found, budget)


def _least_failure_bounded(
    C: ConceptClass, error: Fraction, size: int, budget: Budget
) -> LeastFailureResult:
    """Return bounds by counting; with a time limit, the upper bound is that of sets of concepts."""
    rows = HypothesisSet.from_rows(C.rows[:size], len(C.points))
    one = ProbabilisticRepresentation.mixture([(1, rows)])
    failure = failure_probability(one, C, error, time_limit=0)
    found = LeastFailureResult(C, error, size, None, Fraction(0), failure.upper, None, failure)
    found = _counted_failure(found, budget)
    if budget.limited and not found.exact:
        with suppress(InstanceTooLargeError):
            proper = least_failure(C, error, size, C.rows, time_limit=budget).failure
            if proper.upper < found.upper:
                found = replace(found, upper=proper.upper, failure=proper)
    return found


def _counted_failure(found: LeastFailureResult, budget: Budget) -> LeastFailureResult:
    """Return the result with the bounds by counting, where they are better."""
    C, error, size, pool = found.concept_class, found.error, found.size, found.pool
    if pool is None or set(pool) >= set(C.rows):
        failure = consecutive_concepts(C, error, size)
        if failure is not None and failure.upper < found.upper:
            found = replace(found, upper=failure.upper, failure=failure)
    if (near := evenly(C, error, pool, budget.at_once())) is not None:
        lower = 1 - Fraction(min(size * near[0], len(C)), len(C))
        if lower > found.lower:
            found = replace(found, lower=lower, proof=near[1])
    return found


class FailureCurve(tuple[LeastFailureResult, ...]):
    """The least failure probability of random sets for each number of hypotheses.

    Examples
    --------
    >>> failure_curve("points:b=2", "1/4")
    FailureCurve(points:b=2: 4 concepts over 4 points; error 1/4; failures 3/4, 1/2, 1/4, 0)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        if not self:
            return "FailureCurve()"
        values = (in_short(r.lower) if r.exact else f"{r.lower} to {r.upper}" for r in self)
        asked = f"{in_words(self[0].concept_class)}; error {in_short(self[0].error)}"
        return f"FailureCurve({asked}; failures {', '.join(values)})"

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        if not self:
            return html_table((), ())
        rows = [(r.size, in_short(r.lower), in_short(r.upper)) for r in self]
        asked = {"class": in_words(self[0].concept_class), "error": in_short(self[0].error)}
        table = html_table(("size", "at least", "at most"), rows)
        return html_table((), [("question", question_of(self[0])), *asked.items()]) + table

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the bounds of each size, in the form of ``ccsim represent --curve --json``."""
        return [
            {
                "question": question_of(result),
                **about_instance(result.concept_class),
                "error": encode_fraction(result.error),
                "size": result.size,
                "value": encode_fraction(result.lower) if result.exact else None,
                "exact": result.exact,
                "lower": encode_fraction(result.lower),
                "upper": encode_fraction(result.upper),
            }
            for result in self
        ]

    def check(self) -> None:
        """Check the certificate of every number of hypotheses."""
        for result in self:
            result.check()

    def certificate(self) -> Certificates:
        """Return the certificates for the kernel."""
        return Certificates(tuple(result.certificate() for result in self))


@checked_types
def failure_curve(
    concept_class: ClassLike,
    error: Fraction | int | str,
    most: int | None = None,
    pool: Iterable[int] | None = None,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> FailureCurve:
    """Return the least failure probability of random sets of 1, 2, ... hypotheses.

    Parameters
    ----------
    concept_class, error, pool
        As for `least_failure`.
    most : int, optional
        Largest number of hypotheses, at least 1. The curve ends when the failure probability is 0.
    time_limit : float or Budget, optional
        Seconds for all numbers together. The curve ends with the first undecided number.
    progress : callable, optional
        Called with the bounds for the current number.

    Notes
    -----
    Complexity: that of `least_failure` for each number.

    Examples
    --------
    >>> [str(result.value) for result in failure_curve("equality:n=5", "1/3")]
    ['7/10', '2/5', '1/5', '2/25', '0']
    """
    admitted = in_order(pool)
    budget = Budget.of(time_limit)
    C = as_class(concept_class, budget)
    if most is not None and most < 1:
        raise DomainError(f"most must be at least 1, not {most}")
    results: list[LeastFailureResult] = []
    for size in count(1):
        found = least_failure(C, error, size, admitted, time_limit=budget, progress=progress)
        results.append(found)
        if found.upper == 0 or not found.exact or size == most:
            break
    return FailureCurve(results)


def support_json(failure: FailureResult) -> dict[str, object]:
    """Return the support of a representation and the proof of its failure probability as JSON."""
    certificate = failure.certificate()
    return {"support": certificate.statement["support"], "failure": certificate.upper}


@frozen
class ProbabilisticSizeResult(SizeResult):
    """Bounds on the least size of a probabilistic representation, with both proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    error, failure : Fraction
    pool : tuple of int or None
        The admitted hypotheses; None for all functions on the points.
    lower, upper : int
        Bounds, which are equal unless the search was stopped.
    proof : Branching, SizeLowerBound or None
        Certificate of the lower bound: a distribution on neighbourhoods such that every set of
        fewer than ``lower`` hypotheses misses a random neighbourhood with probability above
        ``failure``, or a bound for many points. None for the bound 1.
    representation : FailureResult
        Certificate of the upper bound: a representation by sets of at most ``upper`` hypotheses and
        a bound on its failure probability.
    """

    asked = ("concept_class", "error", "failure", "pool")

    quantity: ClassVar[str] = "the least size"

    concept_class: ConceptClass
    error: Fraction
    failure: Fraction
    pool: tuple[int, ...] | None
    lower: int
    upper: int
    proof: Branching | SizeLowerBound | None
    representation: FailureResult

    @property
    def size(self) -> int:
        """The least size; the probabilistic representation dimension is its ``log2``."""
        return self.value

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        return self._certificate(self.failure, support_json(self.representation))


@checked_types
def probabilistic_representation_size(
    concept_class: ClassLike,
    error: Fraction | int | str,
    failure: Fraction | int | str,
    pool: Iterable[int] | None = None,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> ProbabilisticSizeResult:
    """Return the least size of random sets of hypotheses that represent a class.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with 1 to 2048 concepts and at least one point.
    error, failure : Fraction, int or str
        Numbers between 0 and 1. For each concept and distribution, the random set must contain a
        hypothesis with error at most ``error``, except with probability ``failure``.
    pool : iterable of int, optional
        Bit masks of the admitted hypotheses. Default: all functions, with bounds for more than 10
        points.
    time_limit, progress
        As for `vc_dimension`.

    Notes
    -----
    Complexity: exponential; classes over up to 4 points take about a second.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> result = probabilistic_representation_size(points(2), "1/4", "1/4")
    >>> result.size
    3
    >>> result.check()
    """
    allowed, risk = as_fraction(error, "error", 0, 1), as_fraction(failure, "failure", 0, 1)
    admitted = in_order(pool)
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    if admitted is None and C.rows and too_many(C):
        return _bounded(C, allowed, risk, budget)
    surely = deterministic_representation_size(C, allowed, admitted, time_limit=0)
    best = ProbabilisticRepresentation.mixture([(1, surely.representation.hypotheses)])
    representation = failure_probability(best, C, allowed, target=risk)
    upper = best.size
    listed = hypotheses_of(C, admitted)
    lower, proof = _counted(C, allowed, risk, listed, budget)
    lower, proof = max(
        (lower, proof), _evenly(C, allowed, risk, admitted, budget), key=itemgetter(0)
    )
    known: Iterable[Neighbourhood] = ()
    with budget:
        while lower < upper:
            budget.spend()
            game = FailureGame(C, allowed, admitted, lower, budget, known)
            game.play(risk)
            if game.failure.upper <= risk:
                representation, upper = game.failure, game.failure.representation.size
            elif game.lower > risk and game.refutation is not None:
                lower, proof = game.refutation.least_number(risk) or upper, game.refutation.proof
            else:
                break
            known = tuple(game.rows)
            budget.report(lower, upper)
    if lower < upper and (admitted is None or set(admitted) >= set(C.rows)):
        upper, representation = _fewer(upper, representation, risk)
    return ProbabilisticSizeResult(C, allowed, risk, admitted, lower, upper, proof, representation)


def _fewer(upper: int, known: FailureResult, failure: Fraction) -> tuple[int, FailureResult]:
    """Return sets of consecutive concepts if they are smaller than the known sets."""
    C = known.concept_class
    size = max(ceil((1 - failure) * len(C)), 1)
    found = consecutive_concepts(C, known.error, size) if size < upper else None
    return (upper, known) if found is None else (size, found)


def _bounded(
    C: ConceptClass, error: Fraction, failure: Fraction, budget: Budget
) -> ProbabilisticSizeResult:
    """Return a lower bound from fewer points, and an upper bound by a deterministic set."""
    surely = deterministic_representation_size(C, error, time_limit=budget.share(1 / 2))
    representation = never_failing(surely.representation, error)
    fewer = on_fewer_points(C, _POINTS)
    least = probabilistic_representation_size(
        fewer.concept_class, error, failure, time_limit=budget
    )
    small = least.proof if isinstance(least.proof, Branching) else None
    proof: Branching | SizeLowerBound | None = fewer.lifted(small)
    lower = 1 if proof is None else least.lower
    lower, proof = max((lower, proof), _evenly(C, error, failure, None, budget), key=itemgetter(0))
    whole = bound_of_points(C, error, failure, budget)
    if whole is not None and whole.lower > lower:
        lower, proof = whole.lower, whole
    upper, representation = _fewer(surely.upper, representation, failure)
    budget.report(lower, upper)
    return ProbabilisticSizeResult(C, error, failure, None, lower, upper, proof, representation)


def _evenly(
    C: ConceptClass,
    error: Fraction,
    failure: Fraction,
    pool: Sequence[int] | None,
    budget: Budget,
) -> tuple[int, Branching | None]:
    """Return the lower bound from the maximum number of concepts near one hypothesis."""
    near = evenly(C, error, pool, budget.at_once())
    if near is None:
        return 1, None
    lower = least_number([Visited(0, len(C), near[0])], failure * len(C))
    return (1, None) if lower is None else (max(lower, 1), near[1] if lower > 1 else None)


def _counted(
    C: ConceptClass, error: Fraction, failure: Fraction, pool: Sequence[int], budget: Budget
) -> tuple[int, Branching | None]:
    """Return the lower bound from uniform mixtures on orbits of neighbourhoods."""
    lower, proof = 1, None
    with budget, budget.share(_COUNTING) as counting:

        def image(near: Neighbourhood, symmetry: Symmetry) -> Neighbourhood:
            counting.spend()
            return near.image(symmetry)

        symmetries = symmetries_fixing(C, None)
        left = {near: 0 for each in uniform_neighbourhoods(C, error, counting) for near in each}
        while left:
            counting.spend()
            group = orbit(next(iter(left)), symmetries, image, len(left))
            for near in group:
                left.pop(near, None)
            held = (members_of(C, error, pool, near) for near in group)
            met = max(map(int.bit_count, masks_of(pool, held, counting)))
            number = least_number([Visited(0, len(group), met)], failure * len(group))
            if number is not None and number > lower:
                even = (1,) * len(group)
                lower, proof = number, Branching(tuple(group), (), (Node((), ()),), even)
    return lower, proof
