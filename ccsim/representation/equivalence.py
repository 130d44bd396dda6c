"""The quantities that section 3 of `fx` compares, side by side for one class.

Main definitions: `equivalence_table`, `EquivalenceTable`.

Everything is a number of messages or hypotheses, an integer, so that no theorem needs rounding:
`fx` Theorem 7 (=3.1) reads ``R_pub(eps + delta) <= PRDim(eps, delta) <= R_pub(eps delta)`` and
Theorem 8 (=3.2) ``R_priv(eps) <= DRDim(eps) <= R_priv(eps / 2)``. Each quantity is computed for
itself, none is derived from another by the theorem that is to be seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ccsim.border import checked_types
from ccsim.classes import ConceptClass
from ccsim.communication.complexity import ComplexityResult, communication_complexity
from ccsim.communication.littlestone_bound import LittlestoneBound
from ccsim.communication.problem import evaluation_problem
from ccsim.dimensions import (
    LittlestoneResult,
    VCResult,
    littlestone_dimension,
    vc_dimension,
)
from ccsim.errors import CertificateError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.representation.deterministic_size import (
    DeterministicSizeResult,
    deterministic_representation_size,
)
from ccsim.representation.probabilistic_size import (
    ProbabilisticSizeResult,
    probabilistic_representation_size,
)

__all__ = ["EquivalenceTable", "Inequality", "Quantity", "equivalence_table"]

_Source = (
    ComplexityResult
    | DeterministicSizeResult
    | ProbabilisticSizeResult
    | LittlestoneResult
    | VCResult
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity with proved bounds.

    Attributes
    ----------
    name : str
        With its parameters, such as ``R_pub(1/16)``.
    lower, upper : int
        Numbers of messages, hypotheses or concepts, or a dimension; equal when it is known.
    result : object or None
        What proves the bounds; None for the number of concepts, for a bound that follows from a
        dimension, and for a problem that is too large, where a protocol names the concept.
    """

    name: str
    lower: int
    upper: int
    result: _Source | None

    @property
    def exact(self) -> bool:
        """Whether both bounds agree."""
        return self.lower == self.upper


@dataclass(frozen=True, slots=True)
class Inequality:
    """A statement ``left <= right`` about two quantities of the table.

    Attributes
    ----------
    left, right : str
        Names of the quantities.
    source : str
        Where it is proved.
    holds : bool or None
        None if the bounds leave it open.
    slack : int or None
        ``right - left`` if both are known.
    """

    left: str
    right: str
    source: str
    holds: bool | None
    slack: int | None


@dataclass(frozen=True, slots=True)
class EquivalenceTable:
    """The quantities for one class and the inequalities between them.

    Attributes
    ----------
    concept_class : ConceptClass
    error, failure : Fraction
    quantities : tuple of Quantity
    inequalities : tuple of Inequality
    """

    concept_class: ConceptClass
    error: Fraction
    failure: Fraction
    quantities: tuple[Quantity, ...]
    inequalities: tuple[Inequality, ...]

    def quantity(self, name: str) -> Quantity:
        """Return the quantity of a name.

        Raises
        ------
        KeyError
        """
        return {quantity.name: quantity for quantity in self.quantities}[name]

    @property
    def probabilistic(self) -> ProbabilisticSizeResult:
        """The least size of a probabilistic representation."""
        return next(
            q.result for q in self.quantities if isinstance(q.result, ProbabilisticSizeResult)
        )

    @property
    def holds(self) -> bool | None:
        """Whether all inequalities hold; None if one is open and none fails."""
        verdicts = {inequality.holds for inequality in self.inequalities}
        return False if False in verdicts else None if None in verdicts else True

    def check(self) -> None:
        """Check every quantity and compare again.

        Raises
        ------
        CertificateError
        """
        for quantity in self.quantities:
            if quantity.result is None:
                continue
            quantity.result.check()
            if (quantity.lower, quantity.upper) != (quantity.result.lower, quantity.result.upper):
                msg = f"{quantity.name} is not what its result proves"
                raise CertificateError(msg)
        for each in self.inequalities:
            if each != _compare(self.quantity(each.left), self.quantity(each.right), each.source):
                msg = f"{each.left} <= {each.right} is decided wrongly"
                raise CertificateError(msg)


@checked_types
def equivalence_table(
    concept_class: ConceptClass,
    error: Fraction | int | str,
    failure: Fraction | int | str,
    *,
    time_limit: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> EquivalenceTable:
    """Return all quantities of the equivalence for a class, with the inequalities decided.

    Parameters
    ----------
    concept_class : ConceptClass
        At least one concept and one point.
    error, failure : Fraction, int or str
        In [0, 1].
    time_limit : float, optional
        Seconds in all, shared among the quantities; those that are not known then have bounds.
    progress : callable, optional
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
    C, deadline = concept_class, None if time_limit is None else time.monotonic() + time_limit
    found: dict[str, Quantity] = {}
    searches = _searches(C, eps, delta)
    for number, (key, name, search) in enumerate(searches):
        if progress is not None:
            progress(name)
        left = None
        if deadline is not None:  # what is left, shared among the searches to come
            left = max(deadline - time.monotonic(), 0.0) / (len(searches) - number)
        try:
            result = search(left)
            found[key] = Quantity(name, result.lower, result.upper, result)
        except InstanceTooLargeError:
            if not name.startswith("R_"):
                raise
            found[key] = Quantity(name, 1, len(C), None)
    found["concepts"] = Quantity("|C|", len(C), len(C), None)
    depth = found["ldim"].lower
    found["trees"] = Quantity("2^LDim", 1 << depth, 1 << found["ldim"].upper, None)
    pairs = list(_INEQUALITIES)
    if eps + delta <= Fraction(1, 2):
        least = LittlestoneBound(depth, eps + delta).least_messages
        name = f"2^((1-H({eps + delta})) LDim)"
        most = LittlestoneBound(found["ldim"].upper, eps + delta).least_messages
        found["littlestone"] = Quantity(name, least, most, None)
        pairs.append(("littlestone", "weak", "Corollary 11 (=4.3)"))
    return EquivalenceTable(
        C,
        eps,
        delta,
        tuple(found.values()),
        tuple(_compare(found[a], found[b], source) for a, b, source in pairs),
    )


_INEQUALITIES = (
    ("prdim", "strong", "Theorem 7 (=3.1), first part"),
    ("weak", "prdim", "Theorem 7 (=3.1), second part"),
    ("drdim", "half", "Theorem 8 (=3.2), first part"),
    ("private", "drdim", "Theorem 8 (=3.2), second part"),
    ("prdim", "drdim", "a set is a random set"),
    ("weak", "private", "private coins can be public"),
    ("drdim", "concepts", "a class represents itself"),
    ("vc", "ldim", "a shattered set is a tree"),
    ("trees", "concepts", "leaves are distinct concepts"),
)


def _searches(
    C: ConceptClass, eps: Fraction, delta: Fraction
) -> list[tuple[str, str, Callable[[float | None], _Source]]]:
    """Return key, name and search of each quantity, which takes the seconds that it has."""
    problem = evaluation_problem(C)
    weak = min(eps + delta, Fraction(1))

    def messages(error: Fraction, coins: str) -> Callable[[float | None], ComplexityResult]:
        return lambda left: communication_complexity(problem, error, coins, time_limit=left)

    return [
        ("strong", f"R_pub({eps * delta})", messages(eps * delta, "public")),
        (
            "prdim",
            f"PRDim({eps}, {delta})",
            lambda left: probabilistic_representation_size(C, eps, delta, time_limit=left),
        ),
        ("weak", f"R_pub({weak})", messages(weak, "public")),
        ("half", f"R_priv({eps / 2})", messages(eps / 2, "private")),
        (
            "drdim",
            f"DRDim({eps})",
            lambda left: deterministic_representation_size(C, eps, time_limit=left),
        ),
        ("private", f"R_priv({eps})", messages(eps, "private")),
        ("vc", "VC", lambda _left: vc_dimension(C)),
        ("ldim", "LDim", lambda left: littlestone_dimension(C, time_limit=left)),
    ]


def _compare(left: Quantity, right: Quantity, source: str) -> Inequality:
    """Decide an inequality as far as the bounds do."""
    holds = True if left.upper <= right.lower else False if left.lower > right.upper else None
    slack = right.upper - left.upper if left.exact and right.exact else None
    return Inequality(left.name, right.name, source, holds, slack)
