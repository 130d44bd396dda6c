"""The least number of hypotheses that represent a class (`fx` Definition 4 (=2.3)).

Main definitions: `deterministic_representation_size`, `DeterministicSizeResult`.

A set represents a class when it meets every neighbourhood of every concept. There are too many
neighbourhoods to list, so a search looks for a small set that meets those listed so far; where it
does not represent the class, the games of its concepts name neighbourhoods that it misses, which
are listed with their images under the symmetries of the class.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

from ccsim.appearance import one_line
from ccsim.border import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate, encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.exact import as_fraction
from ccsim.representation.error import (
    RepresentationResult,
    representation_error,
)
from ccsim.representation.hitting_sets.branching import Branching
from ccsim.representation.hitting_sets.neighbourhoods import in_order, pool_json
from ccsim.representation.hitting_sets.size_search import SizeSearch

__all__ = [
    "DeterministicSizeResult",
    "deterministic_representation_size",
]


@one_line
@dataclass(frozen=True, slots=True)
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

    def without_lower(self) -> Self:
        """Return the result with the lower bound 1, which needs no proof."""
        return replace(self, lower=1, proof=None)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel: of random sets that may not fail."""
        C, R = self.concept_class, self.representation
        trees = [[None, weights_of(law), []] for law in R.weights]
        support = {"sets": [R.hypotheses.to_json()], "weights": [1]}
        proof = self.proof or Branching.trivial(len(self.concept_class.points))
        return Certificate(
            "representation_size",
            C.to_json(),
            {
                "error": encode_fraction(self.error),
                "pool": pool_json(C, self.pool),
                "failure": "0",
                "lower": self.lower,
                "upper": self.upper,
            },
            {"branching": proof.to_json(self.pool)},
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
        representations. Default: all functions, over at most 10 points.
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
        If there are too many points to consider all hypotheses.

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
    search = SizeSearch(concept_class, allowed, admitted, budget)
    with budget:
        search.run()
    best = representation_error(search.best.hypotheses, concept_class, time_limit=budget)
    best = best if best.represents(allowed) else search.best
    return DeterministicSizeResult(
        concept_class, allowed, admitted, search.lower, best.hypotheses.size, search.proof, best
    )
