"""The quantities that section 3 of `fx` compares, side by side for one class.

Main definition: `equivalence_table`.

Everything is a number of messages or hypotheses, an integer, so that no theorem needs rounding:
`fx` Theorem 7 (=3.1) reads ``R_pub(eps + delta) <= PRDim(eps, delta) <= R_pub(eps delta)`` and
Theorem 8 (=3.2) ``R_priv(eps) <= DRDim(eps) <= R_priv(eps / 2)``. The bounds of each quantity are
proved by a certificate of its own, and these decide the inequalities; where a protocol has fewer
messages than a representation has hypotheses, it is converted. Only then are bounds passed along
the inequalities (`ccsim.representation.compared_quantities`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from ccsim.border import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.communication.complexity import ComplexityResult, communication_complexity
from ccsim.communication.problem import evaluation_problem
from ccsim.dimensions import littlestone_dimension, vc_dimension
from ccsim.errors import InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.representation.compared_quantities import EquivalenceTable, asked_of
from ccsim.representation.inequalities import Source
from ccsim.representation.random_size import (
    ProbabilisticSizeResult,
    probabilistic_representation_size,
)
from ccsim.representation.size import DeterministicSizeResult, deterministic_representation_size
from ccsim.representation.smaller_sets import (
    with_one_set,
    with_private_coins,
    with_public_coins,
)

__all__ = ["equivalence_table"]

_Known: TypeAlias = dict[str, Source | None]
_Search: TypeAlias = Callable[[Budget, _Known], Source]

_SEARCHING = 3 / 4
"""Part of the time of a size for its search; the rest is for what a protocol gives."""
_LEAST = 1 / 2
"""Seconds to see that a set that represents the class seldom fails."""


@checked_types
def equivalence_table(
    concept_class: ClassLike,
    error: Fraction | int | str,
    failure: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    trying: Callable[[str], None] | None = None,
) -> EquivalenceTable:
    """Return all quantities of the equivalence for a class, with the inequalities decided.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At least one concept and one point.
    error, failure : Fraction, int or str
        In [0, 1].
    time_limit : float or Budget, optional
        Seconds in all, shared among the quantities; those that are not known then have bounds.
        With a limit, however large, an interrupt (Ctrl-C) stops all searches likewise.
    progress : callable, optional
        Called with bounds on one quantity after another, whenever one of them moves.
    trying : callable, optional
        Called with the name of the quantity that is computed next.

    Returns
    -------
    EquivalenceTable

    Notes
    -----
    Source: `fx` Theorems 7 (=3.1) and 8 (=3.2), Corollary 11 (=4.3).

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> table = equivalence_table(thresholds(1), "1/4", "1/8")
    >>> [(q.name, q.upper) for q in table.quantities][:3]
    [('R_pub(1/32)', 2), ('PRDim(1/4, 1/8)', 2), ('R_pub(3/8)', 2)]
    >>> table.holds
    True
    """
    eps, delta = as_fraction(error, "error", 0, 1), as_fraction(failure, "failure", 0, 1)
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    results: dict[str, Source | None] = {}
    searches, asked = _searches(C, eps, delta), asked_of(C, eps, delta)
    for number, (key, search) in enumerate(searches.items()):
        name, _ = asked[key]
        if trying is not None:
            trying(name)
        left = len(searches) - number  # what is left of the time is shared among them
        result = None
        bounded = name.startswith("R_")  # also without a result
        with budget:
            try:
                result = search(budget.share(1 / left), results)
            except InstanceTooLargeError:
                if not bounded:
                    raise
        if result is None and not bounded:  # interrupted between two steps of the search
            result = search(Budget(0), results)
        results[key] = result
    random, sets = results["prdim"], results["drdim"]
    if isinstance(random, ProbabilisticSizeResult) and isinstance(sets, DeterministicSizeResult):
        results["prdim"] = with_one_set(random, sets, budget.at_least(_LEAST))
    return EquivalenceTable(C, eps, delta, tuple(results.values()))


def _searches(C: ConceptClass, eps: Fraction, delta: Fraction) -> dict[str, _Search]:
    """Return the search of each quantity, which takes the time that it has.

    It may use the results of those before it.
    """
    problem = evaluation_problem(C)
    weak = min(eps + delta, Fraction(1))

    def messages(error: Fraction, coins: str) -> _Search:
        return lambda left, _: communication_complexity(problem, error, coins, time_limit=left)

    def random_sets(left: Budget, known: _Known) -> ProbabilisticSizeResult:
        own = probabilistic_representation_size(C, eps, delta, time_limit=left.share(_SEARCHING))
        strong = known["strong"]
        return with_public_coins(own, strong, left) if isinstance(strong, ComplexityResult) else own

    def sets(left: Budget, known: _Known) -> DeterministicSizeResult:
        own = deterministic_representation_size(C, eps, time_limit=left.share(_SEARCHING))
        half = known["half"]
        return with_private_coins(own, half, left) if isinstance(half, ComplexityResult) else own

    return {
        "strong": messages(eps * delta, "public"),
        "prdim": random_sets,
        "weak": messages(weak, "public"),
        "half": messages(eps / 2, "private"),
        "drdim": sets,
        "private": messages(eps, "private"),
        "vc": lambda left, _: vc_dimension(C, time_limit=left),
        "ldim": lambda left, _: littlestone_dimension(C, time_limit=left),
    }
