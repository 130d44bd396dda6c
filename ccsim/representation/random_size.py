"""The least size of random sets of hypotheses that represent a class (`fx` Definition 5 (=2.4))."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import ClassVar

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.exact import as_fraction
from ccsim.representation.branching import Branching, Node, Visited, least_number
from ccsim.representation.failure import FailureResult, failure_probability
from ccsim.representation.failure_game import FailureGame
from ccsim.representation.hypotheses import ProbabilisticRepresentation
from ccsim.representation.least_failure import support_json
from ccsim.representation.neighbourhoods import (
    Neighbourhood,
    hypotheses_of,
    in_order,
    masks_of,
    members_of,
    symmetries_fixing,
    uniform_neighbourhoods,
)
from ccsim.representation.size import (
    SizeResult,
    deterministic_representation_size,
    on_fewer_points,
    too_many,
)
from ccsim.symmetry.groups import orbit
from ccsim.symmetry.matrix import Symmetry

_POINTS = 3
"""Points on which a larger class is searched for a bound from below."""
_COUNTING = 0.3
"""Part of the time for the bounds that need no branching."""


@frozen
class ProbabilisticSizeResult(SizeResult):
    """Bounds on the least size of a probabilistic representation, with both proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    error, failure : Fraction
    pool : tuple of int or None
        The hypotheses admitted; None for all functions on the points.
    lower, upper : int
        Equal unless the search was stopped.
    proof : Branching or None
        Certificate from below: a mixture of neighbourhoods of which fewer than ``lower`` hypotheses
        miss more than ``failure``; None for the bound 1.
    representation : FailureResult
        Certificate from above: a representation by sets of at most ``upper`` hypotheses and a bound
        on its failure probability.
    """

    asked = ("concept_class", "error", "failure", "pool")

    quantity: ClassVar[str] = "the least size"

    concept_class: ConceptClass
    error: Fraction
    failure: Fraction
    pool: tuple[int, ...] | None
    lower: int
    upper: int
    proof: Branching | None
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
    """Return the least ``k`` such that random sets of ``k`` hypotheses represent a class.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At least one concept and one point.
    error, failure : Fraction, int or str
        In [0, 1]: for each concept and distribution the drawn set holds, except with probability
        ``failure``, a hypothesis with error at most ``error``.
    pool : iterable of int, optional
        Bit masks of the hypotheses admitted; default all, with bounds for more than 10 points.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the bounds that it has. With a limit, however
        large, an interrupt (Ctrl-C) stops it likewise.
    progress : callable, optional
        Called with the lower and the upper bound whenever one of them moves.

    Returns
    -------
    ProbabilisticSizeResult

    Raises
    ------
    DomainError
        If the class is empty, or the pool does not represent it.
    InstanceTooLargeError
        If there are more than 2048 concepts.

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
    return ProbabilisticSizeResult(C, allowed, risk, admitted, lower, upper, proof, representation)


def _bounded(
    C: ConceptClass, error: Fraction, failure: Fraction, budget: Budget
) -> ProbabilisticSizeResult:
    """Return bounds: from below on fewer points, from above by sets that never fail."""
    surely = deterministic_representation_size(C, error, time_limit=budget.share(1 / 2))
    best = ProbabilisticRepresentation.mixture([(1, surely.representation.hypotheses)])
    representation = failure_probability(best, C, error, target=failure)
    fewer = on_fewer_points(C, _POINTS)
    least = probabilistic_representation_size(
        fewer.concept_class, error, failure, time_limit=budget
    )
    proof = fewer.lifted(least.proof)
    lower = 1 if proof is None else least.lower
    budget.report(lower, best.size)
    return ProbabilisticSizeResult(C, error, failure, None, lower, best.size, proof, representation)


def _counted(
    C: ConceptClass, error: Fraction, failure: Fraction, pool: Sequence[int], budget: Budget
) -> tuple[int, Branching | None]:
    """Return what even mixtures of neighbourhoods prove without any branching.

    Each mixture is an orbit under the symmetries of the class, with a uniform distribution over
    some points; a hypothesis meets few of its neighbourhoods.
    """
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
