"""The numbers of messages and hypotheses compared in section 3 of `fx`, for one class.

``R_pub(eps + delta) <= PRDim(eps, delta) <= R_pub(eps delta)`` (Theorem 7 (=3.1)) and
``R_priv(eps) <= DRDim(eps) <= R_priv(eps / 2)`` (Theorem 8 (=3.2)).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificates, Certified
from ccsim.certificates.answer import (
    certified_parts,
    data_frame,
    html_table,
    instances_read_once,
    stated_table,
    with_picture,
)
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.communication.minimax import ComplexityResult, communication_complexity
from ccsim.communication.mistake_bounds import LittlestoneBound
from ccsim.communication.problem import evaluation_problem
from ccsim.communication.protocols.tables import DeterministicProtocol, PrivateCoinProtocol
from ccsim.data import frozen
from ccsim.dimensions import LittlestoneResult, VCResult, littlestone_dimension, vc_dimension
from ccsim.errors import CertificateError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.exact.bounds import Bounds, check_fields
from ccsim.exact.inequalities import Rule, tightened
from ccsim.representation.conversion import from_private_coin_protocol, from_public_coin_protocol
from ccsim.representation.error import representation_error
from ccsim.representation.failure import failure_probability
from ccsim.representation.hypotheses import ProbabilisticRepresentation
from ccsim.representation.random_sets import (
    ProbabilisticSizeResult,
    probabilistic_representation_size,
)
from ccsim.representation.size import DeterministicSizeResult, deterministic_representation_size

Source = (
    ComplexityResult
    | DeterministicSizeResult
    | ProbabilisticSizeResult
    | LittlestoneResult
    | VCResult
)


@frozen
class Quantity(Bounds[int]):
    """One quantity with proved bounds.

    Attributes
    ----------
    name : str
        Name with its parameters, such as ``R_pub(1/16)``.
    lower : int
        Lower bound on a dimension or on a number of messages, hypotheses or concepts.
    upper : int
        Upper bound.
    result : Source or None
        Result that proves the bounds; None if they follow from other quantities.
    lower_from : str or None
        Quantity and theorem from which the lower bound follows; None if ``result`` proves it.
    upper_from : str or None
        The same for the upper bound.
    """

    quantity: ClassVar[str] = "a quantity of the table"

    name: str
    lower: int
    upper: int
    result: Source | None
    lower_from: str | None = None
    upper_from: str | None = None


@frozen
class Inequality:
    """A statement ``left <= right`` about two quantities of the table.

    Attributes
    ----------
    left : str
        Name of the smaller quantity.
    right : str
        Name of the larger quantity.
    source : str
        Theorem that proves the inequality.
    holds : bool or None
        Whether the inequality holds according to the bounds; None if they do not decide it.
    slack : int or None
        ``right - left`` if both are known, otherwise None.
    """

    left: str
    right: str
    source: str
    holds: bool | None
    slack: int | None


_Known: TypeAlias = dict[str, Source | None]
_Search: TypeAlias = Callable[[Budget, _Known], Source]
_SEARCHING = 3 / 4
"""Fraction of the time for the search of a size; the rest is for bounds by protocols."""
_LEAST = 1 / 2  # seconds to see that a set that represents the class seldom fails
_INEQUALITIES = (
    ("prdim", "strong", "Theorem 7 (=3.1), first part"),
    ("weak", "prdim", "Theorem 7 (=3.1), second part"),
    ("drdim", "half", "Theorem 8 (=3.2), first part"),
    ("private", "drdim", "Theorem 8 (=3.2), second part"),
    ("prdim", "drdim", "a fixed set is a random set"),
    ("weak", "private", "private coins can be made public"),
    ("drdim", "concepts", "a class represents itself"),
    ("vc", "ldim", "a shattered set gives a mistake tree"),
    ("trees", "concepts", "leaves of a mistake tree are distinct concepts"),
)


@frozen
class EquivalenceTable(Certified):
    """The sizes of representations and costs of protocols for one class, with their inequalities.

    Attributes
    ----------
    concept_class : ConceptClass
    error, failure : Fraction
    results : tuple of results or None
        The result that proves the bounds of each computed quantity, in the order of `asked_of`;
        None if a number of messages is bounded only by the size of the class.
    """

    question = "whether related quantities satisfy their inequalities"
    asked = ("concept_class", "error", "failure")
    answered = ("holds",)
    concept_class: ConceptClass
    error: Fraction
    failure: Fraction
    results: tuple[Source | None, ...]

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """All quantities; those derived from others come last.

        Each bound is the better of the computed bound and those implied by the inequalities.
        """
        return passed_along(*self._compared())

    @property
    def inequalities(self) -> tuple[Inequality, ...]:
        """The inequalities, each decided from the computed bounds of both sides."""
        return self._compared()[1]

    def quantity(self, name: str) -> Quantity:
        """Return the quantity with a given name."""
        return {quantity.name: quantity for quantity in self.quantities}[name]

    def to_dict(self) -> dict[str, Any]:
        """Return ``table`` and ``inequalities`` as in ``ccsim represent --failure --json``."""
        shown = ("lower", "upper", "lower_from", "upper_from")
        return Certified.to_dict(self) | {
            "table": {q.name: {key: getattr(q, key) for key in shown} for q in self.quantities},
            "inequalities": [asdict(inequality) for inequality in self.inequalities],
        }

    def to_dataframe(self) -> Any:  # noqa: ANN401 - of pandas, if it is there
        """Return a pandas DataFrame of quantities with columns ``name``, ``lower``, ``upper``."""
        rows = ({"name": q.name, "lower": q.lower, "upper": q.upper} for q in self.quantities)
        return data_frame(rows)

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows, with the inequalities drawn."""
        rows = [(q.name, q.lower, q.upper) for q in self.quantities]
        table = html_table(("quantity", "at least", "at most"), rows)
        return with_picture(stated_table(self) + table, self)

    @property
    def probabilistic(self) -> ProbabilisticSizeResult:
        """The least size of a probabilistic representation."""
        return next(r for r in self.results if isinstance(r, ProbabilisticSizeResult))

    @property
    def holds(self) -> bool | None:
        """Whether all inequalities hold; None if one is undecided and none fails."""
        return verdict(self.inequalities)

    def certificate(self) -> Certificates:
        """Return the certificates of all results."""
        results = (result for *_, result in self._named())
        return Certificates(tuple(r.certificate() for r in results if r is not None))

    def check_within(self, budget: Budget) -> tuple[str, ...]:
        """Check all results within a time limit; return the names of those not checked in time."""
        check_fields(self)
        named = [(name, result) for _, name, result in self._named() if result is not None]
        with instances_read_once():
            parts = certified_parts([result for _, result in named], budget)
        return tuple(
            name for (name, result), part in zip(named, parts, strict=True) if part is not result
        )

    def _named(self) -> list[tuple[str, str, Source | None]]:
        """Return the results with keys and names, after checking that they belong to the class."""
        C, eps, delta = self.concept_class, self.error, self.failure
        if not (C.rows and C.points):
            raise CertificateError(f"{C.name} must have at least one concept and one point")
        if not (0 <= eps <= 1 and 0 <= delta <= 1):
            raise CertificateError(
                f"error and failure must be between 0 and 1, not {eps} and {delta}"
            )
        asked = asked_of(C, eps, delta)
        if len(self.results) != len(asked):
            raise CertificateError(
                f"results must have {len(asked)} entries, not {len(self.results)}"
            )
        named = []
        for result, (key, (name, about)) in zip(self.results, asked.items(), strict=True):
            if not _concerns(result, about):
                raise CertificateError(
                    f"the result for {name} of {C.name or 'the class'} is about another quantity"
                )
            named.append((key, name, result))
        return named

    def _compared(self) -> tuple[tuple[Quantity, ...], tuple[Inequality, ...]]:
        C = self.concept_class
        found = {}
        for key, name, result in self._named():  # without a result, a protocol may name the concept
            lower, upper = (1, len(C)) if result is None else (result.lower, result.upper)
            found[key] = Quantity(name, lower, upper, result)
        return compared(C, self.error, self.failure, found)


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
    """Return bounds on sizes of representations and costs of protocols, with their inequalities.

    The theorems of Feldman and Xiao on the equivalence of representations and protocols state the
    inequalities.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with at least one concept and one point.
    error, failure : Fraction, int or str
        Allowed error and failure probability, between 0 and 1.
    time_limit : float or Budget, optional
        Seconds in total, shared among the quantities; interrupts as for `vc_dimension`.
    progress : callable, optional
        Called with bounds on the current quantity whenever one of them changes.
    trying : callable, optional
        Called with the name of each quantity before it is computed.

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
    """Return, for each quantity, its search, which may use the results of earlier quantities."""
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


def asked_of(
    C: ConceptClass, eps: Fraction, delta: Fraction
) -> dict[str, tuple[str, tuple[object, ...]]]:
    """Return the names of the computed quantities, with the parameters of their results."""
    problem = evaluation_problem(C)
    weak = min(eps + delta, Fraction(1))
    return {
        "strong": (f"R_pub({eps * delta})", (ComplexityResult, problem, eps * delta, "public")),
        "prdim": (f"PRDim({eps}, {delta})", (ProbabilisticSizeResult, C, eps, delta, None)),
        "weak": (f"R_pub({weak})", (ComplexityResult, problem, weak, "public")),
        "half": (f"R_priv({eps / 2})", (ComplexityResult, problem, eps / 2, "private")),
        "drdim": (f"DRDim({eps})", (DeterministicSizeResult, C, eps, None)),
        "private": (f"R_priv({eps})", (ComplexityResult, problem, eps, "private")),
        "vc": ("VC", (VCResult, C)),
        "ldim": ("LDim", (LittlestoneResult, C)),
    }


def _concerns(result: Source | None, about: tuple[object, ...]) -> bool:
    """Whether a result is about the required class or problem, parameters and pool."""
    if result is None:  # the class itself gives bounds of a number of messages
        return about[0] is ComplexityResult
    return about == (type(result), *(getattr(result, each) for each in result.asked))


def compared(
    C: ConceptClass, eps: Fraction, delta: Fraction, found: dict[str, Quantity]
) -> tuple[tuple[Quantity, ...], tuple[Inequality, ...]]:
    """Return all quantities, derived ones last, and the inequalities."""
    depth, most = found["ldim"].lower, found["ldim"].upper
    found = found | {
        "concepts": Quantity("|C|", len(C), len(C), None),
        "trees": Quantity("2^LDim", 1 << depth, 1 << most, None),
    }
    pairs = list(_INEQUALITIES)
    if (loss := eps + delta) <= Fraction(1, 2):
        least, enough = (LittlestoneBound(d, loss).least_messages for d in (depth, most))
        found["littlestone"] = Quantity(f"2^((1-H({loss})) LDim)", least, enough, None)
        pairs.append(("littlestone", "weak", "Corollary 11 (=4.3)"))
    inequalities = (_compare(found[a], found[b], source) for a, b, source in pairs)
    return tuple(found.values()), tuple(inequalities)


def _compare(left: Quantity, right: Quantity, source: str) -> Inequality:
    """Decide an inequality from the bounds, if possible."""
    holds = True if left.upper <= right.lower else False if left.lower > right.upper else None
    slack = right.upper - left.upper if left.exact and right.exact else None
    return Inequality(left.name, right.name, source, holds, slack)


def passed_along(
    quantities: Iterable[Quantity], inequalities: Iterable[Inequality]
) -> tuple[Quantity, ...]:
    """Return quantities with the bounds implied by the inequalities between them."""
    given = {quantity.name: quantity for quantity in quantities}
    rules = []
    for each in inequalities:
        a, b = each.left, each.right
        rules.append(Rule(a, "upper", (b,), "upper", int, each.source))
        rules.append(Rule(b, "lower", (a,), "lower", int, each.source))
    found = tightened(given, rules, "from", lambda rule: f"{rule.others[0]} ({rule.says})")
    consistent = all(quantity.lower <= quantity.upper for quantity in found.values())
    return tuple((found if consistent else given).values())


def verdict(inequalities: Iterable[Inequality]) -> bool | None:
    """Decide whether all inequalities hold; None if one is open and none fails."""
    verdicts = {inequality.holds for inequality in inequalities}
    return False if False in verdicts else None if None in verdicts else True


def with_public_coins(
    own: ProbabilisticSizeResult, messages: ComplexityResult, budget: Budget
) -> ProbabilisticSizeResult:
    """Return the size, improved by random sets of a public-coin protocol if these are smaller."""
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
    """Return the size, improved by a deterministic representation if that is smaller."""
    if sets.upper >= own.upper:
        return own
    one = [(1, sets.representation.hypotheses)]
    return _with(own, ProbabilisticRepresentation.mixture(one), budget)


def _with(
    own: ProbabilisticSizeResult, sets: ProbabilisticRepresentation, budget: Budget
) -> ProbabilisticSizeResult:
    """Return the size, improved by other sets if their failure probability is proved."""
    found = failure_probability(
        sets, own.concept_class, own.error, time_limit=budget, target=own.failure
    )
    if found.upper > own.failure:
        return own
    return replace(own, upper=found.representation.size, representation=found)


def with_private_coins(
    own: DeterministicSizeResult, messages: ComplexityResult, budget: Budget
) -> DeterministicSizeResult:
    """Return the size, improved by Bob's majority answers to the messages if these are fewer."""
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
