"""The least number of hypotheses that represent a class (`fx` Definition 4 (=2.3)).

A set represents a class when it meets every neighbourhood of every concept. There are too many
neighbourhoods to list, so a search looks for a small set that meets those listed so far; where it
does not represent the class, the games of its concepts name neighbourhoods that it misses, which
are listed with their images under the symmetries of the class.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar, Self

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, OutOfWorkError, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate, encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.exact import as_fraction
from ccsim.representation.error import (
    RepresentationResult,
    representation_error,
)
from ccsim.representation.hitting_sets.branching import Branching
from ccsim.representation.hitting_sets.fewer_points import (
    on_fewer_points,
    proof_is_too_long,
    too_many,
    what_is_needed,
)
from ccsim.representation.hitting_sets.neighbourhoods import MAX_POINTS, in_order, pool_json
from ccsim.representation.hitting_sets.size_search import SizeSearch

_POINTS = 6
"""Points on which a larger class is searched without a time limit."""
_WORK = 3000
"""Steps of each of both searches then, and with one."""


@frozen
class DeterministicSizeResult(Answer[int]):
    """Bounds on the least number of hypotheses that represent a class, with both proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    error : Fraction
    pool : tuple of int or None
        The hypotheses admitted; None for all functions on the points.
    lower, upper : int
        Equal unless the search was stopped.
    proof : Branching or None
        Certificate from below; None for the bound 1.
    representation : RepresentationResult
        Certificate from above: ``upper`` hypotheses that represent the class.
    """

    asked = ("concept_class", "error", "pool")

    quantity: ClassVar[str] = "the least number of hypotheses"

    concept_class: ConceptClass
    error: Fraction
    pool: tuple[int, ...] | None
    lower: int
    upper: int
    proof: Branching | None
    representation: RepresentationResult

    @property
    def size(self) -> int:
        """The least number of hypotheses; the representation dimension is its ``log2``."""
        return self.value

    @property
    def needed(self) -> str | None:
        """What would make the bounds one number, in a sentence; None where they are one."""
        return None if self.exact else what_is_needed(self.concept_class, self.pool)

    def without_lower(self) -> Self:
        """Return the result with the lower bound 1, which needs no proof."""
        return replace(self, lower=1, proof=None)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel: of random sets that may not fail."""
        C, R = self.concept_class, self.representation
        trees = [[None, weights_of(law), []] for law in R.weights]
        support = {"sets": [R.hypotheses.to_json()], "weights": [1]}
        proof = self.proof or Branching.trivial(len(self.concept_class.points))
        # the bound 1 needs no proof, and a proof would list all hypotheses
        unlisted = proof_is_too_long(self.concept_class, self.pool)
        return Certificate(
            "representation_size",
            C.to_json(),
            {
                "error": encode_fraction(self.error),
                "pool": pool_json(C, self.pool),
                "failure": "0",
                "lower": None if unlisted else self.lower,
                "upper": self.upper,
            },
            None if unlisted else {"branching": proof.to_json(self.pool)},
            {"representation": {"support": support, "failure": {"branching": {"trees": trees}}}},
        )


@checked_types
def deterministic_representation_size(
    concept_class: ClassLike,
    error: Fraction | int | str,
    pool: Iterable[int] | None = None,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> DeterministicSizeResult:
    """Return the least number of hypotheses that represent a class with a given error.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At least one concept and one point.
    error : Fraction, int or str
        In [0, 1]: for each concept and distribution some hypothesis errs at most so much.
    pool : iterable of int, optional
        Bit masks of the hypotheses admitted, such as ``concept_class.rows`` for proper
        representations. Default: all functions; over more than 10 points there are bounds, from
        below on some of them and from above by concepts.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the bounds that it has. With a limit, however
        large, an interrupt (Ctrl-C) stops it likewise.
    progress : callable, optional
        Called with the lower and the upper bound whenever one of them moves.

    Returns
    -------
    DeterministicSizeResult

    Raises
    ------
    DomainError
        If the class is empty, or the pool does not represent it.
    InstanceTooLargeError
        If there are more than 2048 concepts.

    Notes
    -----
    Complexity: exponential in general; points, thresholds and all functions over up to 8 points
    take from milliseconds to half a minute, thanks to their symmetries (`benchmarks/`).

    Examples
    --------
    >>> from ccsim.classes import all_functions, thresholds
    >>> deterministic_representation_size(all_functions(3), "1/3").size
    4
    >>> result = deterministic_representation_size(thresholds(2), "1/4")
    >>> result.size
    4
    >>> result.check()
    """
    allowed = as_fraction(error, "error", 0, 1)
    admitted = in_order(pool)
    budget = Budget.of(time_limit, progress)
    concept_class = as_class(concept_class, budget)
    if admitted is None and concept_class.rows and too_many(concept_class):
        return _bounded(concept_class, allowed, budget)
    search = SizeSearch(concept_class, allowed, admitted, budget)
    with budget:
        search.run()
    best = representation_error(search.best.hypotheses, concept_class, time_limit=budget)
    best = best if best.represents(allowed) else search.best
    return DeterministicSizeResult(
        concept_class, allowed, admitted, search.lower, best.hypotheses.size, search.proof, best
    )


def _bounded(C: ConceptClass, error: Fraction, budget: Budget) -> DeterministicSizeResult:
    """Return bounds: from below on fewer points, from above by the concepts alone."""
    above = SizeSearch(C, error, in_order(C.rows), budget.share(1 / 2, work=_WORK))
    _run(above)
    fewer = on_fewer_points(C, MAX_POINTS - 2 if budget.limited else _POINTS)
    below = SizeSearch(fewer.concept_class, error, None, budget.share(work=_WORK))
    _run(below)
    proof = fewer.lifted(below.proof)
    lower = 1 if proof is None else below.lower
    size = above.best.hypotheses.size
    budget.report(lower, size)
    return DeterministicSizeResult(C, error, None, lower, size, proof, above.best)


def _run(search: SizeSearch) -> None:
    """Search until the bounds meet, or the time or the work is over."""
    try:
        with search.budget:
            search.run()
    except OutOfWorkError:
        pass
