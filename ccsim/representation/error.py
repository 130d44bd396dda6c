"""The representation error of hypotheses, their minimality, and optimal selectors.

``H`` represents ``f`` with error ``v`` exactly when a mixture of ``H`` disagrees with ``f`` on no
point with probability above ``v``. A *selector* picks one hypothesis of every set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar, Self

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, OutOfTimeError, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate, Certificates, Certified
from ccsim.certificates.envelope import encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen, validated
from ccsim.errors import CertificateError
from ccsim.exact import as_fraction, common_denominator
from ccsim.programs.game import solve_integer_game
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation, check_points


@validated
class ConceptError:
    """The error with which a set of hypotheses represents one concept.

    Attributes
    ----------
    value : Fraction
        Maximum over distributions of the smallest error of a hypothesis.
    distribution : tuple of Fraction
        Distribution over points under which every hypothesis has error at least ``value``.
    weights : tuple of Fraction
        Weights of a mixture of hypotheses that errs with probability at most ``value`` on every
        point.
    """

    value: Fraction
    distribution: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]


@checked_types
def concept_error(
    hypotheses: HypothesisSet, concept: int, budget: Budget | None = None
) -> ConceptError:
    """Return the representation error of one concept, given as a bit mask.

    Complexity: one matrix game of points against hypotheses; a 100 x 100 game takes well under a
    second.

    Parameters
    ----------
    hypotheses : HypothesisSet
    concept : int
        The concept as a bit mask over the same points.
    budget : Budget, optional
        Remaining time.

    Examples
    --------
    >>> result = concept_error(HypothesisSet((0b01, 0b10), 2), 0b11)
    >>> result.value, result.weights
    (Fraction(1, 2), (Fraction(1, 2), Fraction(1, 2)))
    """
    if concept in hypotheses.rows:
        weights = pure(hypotheses.rows.index(concept), hypotheses.size)
        return ConceptError(Fraction(0), even_distribution(hypotheses.num_points), weights)
    if budget is not None:
        budget.spend()
    matrix = [
        [(row ^ concept) >> x & 1 for row in hypotheses.rows] for x in range(hypotheses.num_points)
    ]
    value, distribution, weights, _ = solve_integer_game(matrix, budget)
    return ConceptError(value, distribution, weights)


@frozen
class RepresentationResult(Answer[Fraction]):
    """The smallest error with which a set of hypotheses represents a class, or bounds on it.

    Attributes
    ----------
    concept_class : ConceptClass
    hypotheses : HypothesisSet
        The hypotheses.
    lower, upper : Fraction
        Bounds on the largest representation error of a concept; equal unless the search was
        stopped.
    concept : int
        A concept with an error of at least ``lower``.
    distribution : tuple of Fraction
        Certificate of the lower bound: under this distribution, every hypothesis has error at least
        ``lower`` on ``concept``.
    weights : tuple of tuple of Fraction
        Certificate of the upper bound: for each concept, the weights of a mixture of hypotheses
        that errs with probability at most ``upper`` on every point.
    """

    asked = ("concept_class", "hypotheses")

    quantity: ClassVar[str] = "the error of the representation"

    concept_class: ConceptClass
    hypotheses: HypothesisSet
    lower: Fraction
    upper: Fraction
    concept: int
    distribution: tuple[Fraction, ...]
    weights: tuple[tuple[Fraction, ...], ...]

    def represents(self, error: Fraction) -> bool | None:
        """Whether the set represents the class with the given error; None if undecided."""
        if self.upper <= error:
            return True
        return False if self.lower > error else None

    def without_upper(self) -> Self:
        """Return the result with the error of the first hypothesis, 0 or 1, as upper bound."""
        C, H = self.concept_class, self.hypotheses
        upper = Fraction(int(any(row != H.rows[0] for row in C.rows)))
        return replace(self, upper=upper, weights=(pure(0, H.size),) * len(C))

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        bounds = {"lower": encode_fraction(self.lower), "upper": encode_fraction(self.upper)}
        distribution = weights_of(self.distribution)
        return Certificate(
            "deterministic_representation",
            self.concept_class.to_json(),
            {"hypotheses": self.hypotheses.to_json(), **bounds},
            {"hard_distribution": {"concept": self.concept, "distribution": distribution}},
            {"mixtures": {"weights": [weights_of(weights) for weights in self.weights]}},
        )


@checked_types
def representation_error(
    hypotheses: HypothesisSet,
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> RepresentationResult:
    """Return the smallest error with which a set of hypotheses represents a class.

    Parameters
    ----------
    hypotheses : HypothesisSet
        Hypotheses over the points of the class.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with at least one concept and one point.
    time_limit : float or Budget, optional
        As for `vc_dimension`; concepts whose games are not solved in time may have any error.
    progress : callable, optional
        Called with the lower and the upper bound after every concept.

    Notes
    -----
    Source: `fx` Definition 4 (=2.3), decided as in the proof of Theorem 8 (=3.2).

    Examples
    --------
    >>> from ccsim.classes import points
    >>> result = representation_error(HypothesisSet((0b0000,), 4), points(2))
    >>> result.value, result.represents(Fraction(1, 2))
    (Fraction(1, 1), False)
    >>> result.check()
    """
    budget = Budget.of(time_limit)
    concept_class = as_class(concept_class, budget)
    check_points(hypotheses.num_points, concept_class)
    errors: list[ConceptError] = []
    with budget:
        for row in concept_class.rows:
            errors.append(concept_error(hypotheses, row, budget))
            if progress is not None:
                open_ones = len(errors) < len(concept_class)
                worst_now = max(error.value for error in errors)
                progress(worst_now, Fraction(1) if open_ones else worst_now)
    solved = len(errors)
    errors += [_unsolved(hypotheses, row) for row in concept_class.rows[solved:]]
    worst = max(range(max(solved, 1)), key=lambda f: errors[f].value)
    distribution = errors[worst].distribution
    least = min(masses(distribution, (h ^ concept_class.rows[worst] for h in hypotheses.rows)))
    most, weights = max(error.value for error in errors), tuple(error.weights for error in errors)
    return RepresentationResult(
        concept_class, hypotheses, least, most, worst, distribution, weights
    )


def _unsolved(hypotheses: HypothesisSet, concept: int) -> ConceptError:
    """Return the trivial bounds for a concept whose game is not solved."""
    if concept in hypotheses.rows:
        return concept_error(hypotheses, concept)
    weights = pure(0, hypotheses.size)
    return ConceptError(Fraction(1), even_distribution(hypotheses.num_points), weights)


@frozen
class MinimalityResult(Certified):
    """Whether hypotheses are a minimal representation of a class, with the proof.

    Attributes
    ----------
    error : Fraction
        Error with which all concepts are to be represented.
    whole : RepresentationResult
        Representation error of all hypotheses.
    needed : tuple of (concept, distribution)
        For each hypothesis, a concept and a distribution under which every other hypothesis has
        error above ``error``; empty if the representation is not minimal.
    others : RepresentationResult or None
        Representation error of the remaining hypotheses if one can be dropped; otherwise None.
    """

    question = "whether a representation is minimal"
    asked = ("concept_class", "hypotheses", "error")
    answered = ("minimal",)

    error: Fraction
    whole: RepresentationResult
    needed: tuple[tuple[int, tuple[Fraction, ...]], ...]
    others: RepresentationResult | None

    @property
    def concept_class(self) -> ConceptClass:
        """The class that is represented."""
        return self.whole.concept_class

    @property
    def hypotheses(self) -> HypothesisSet:
        """The hypotheses."""
        return self.whole.hypotheses

    @property
    def minimal(self) -> bool:
        """Whether the hypotheses represent the class and no proper subset does."""
        return bool(self.needed)

    @property
    def dropped(self) -> int | None:
        """The hypothesis that can be dropped, as a bit mask; None if there is none."""
        if self.others is None:
            return None
        [row] = set(self.whole.hypotheses.rows) - set(self.others.hypotheses.rows)
        return row

    def certificate(self) -> Certificates:
        """Return certificates of the error of all hypotheses, and of the errors without one."""
        if self.needed:
            if not self.whole.represents(self.error):
                raise CertificateError(
                    f"the error of the hypotheses must be at most {self.error}, not "
                    f"{self.whole.upper}"
                )
            return Certificates((self.whole.certificate(), *self._of_the_others()))
        if self.others is None:
            if self.whole.represents(self.error) is not False:
                raise CertificateError(
                    "the result must prove that every hypothesis is necessary, or that one is not"
                )
            return Certificates((self.whole.certificate(),))
        known, rest = set(self.whole.hypotheses.rows), set(self.others.hypotheses.rows)
        if (
            not rest < known
            or len(known - rest) != 1
            or self.others.concept_class != self.whole.concept_class
        ):
            raise CertificateError("others must be all hypotheses except one, for the same class")
        if not self.others.represents(self.error):
            raise CertificateError(
                f"the error without one hypothesis must be at most {self.error}, not "
                f"{self.others.upper}"
            )
        return Certificates((self.whole.certificate(), self.others.certificate()))

    def _of_the_others(self) -> Iterator[Certificate]:
        """Yield, for each hypothesis, the errors of all others on the concept in ``needed``."""
        C, H = self.whole.concept_class, self.whole.hypotheses
        if len(self.needed) != H.size:
            raise CertificateError(
                f"needed must have an entry for each of {H.size} hypotheses, not {len(self.needed)}"
            )
        for row, (concept, distribution) in zip(H.rows, self.needed, strict=True):
            rest = [h for h in H.rows if h != row]
            if not 0 <= concept < len(C):
                raise CertificateError(f"concept must be a number below {len(C)}, not {concept}")
            wrong = masses(distribution, (h ^ C.rows[concept] for h in rest))
            if rest and min(wrong) <= self.error:
                raise CertificateError(
                    f"without hypothesis {row:b} the error must be above {self.error}, not "
                    f"{min(wrong)}"
                )
            if rest:  # no representation is empty
                hypotheses = HypothesisSet.from_rows(rest, H.num_points).to_json()
                bounds = {"lower": encode_fraction(min(wrong)), "upper": None}
                yield Certificate(
                    "deterministic_representation",
                    C.to_json(),
                    {"hypotheses": hypotheses, **bounds},
                    {
                        "hard_distribution": {
                            "concept": concept,
                            "distribution": weights_of(distribution),
                        }
                    },
                    None,
                )


@checked_types
def minimality(
    hypotheses: HypothesisSet,
    concept_class: ClassLike,
    error: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MinimalityResult:
    """Decide whether hypotheses are a minimal representation of a class.

    Parameters
    ----------
    hypotheses : HypothesisSet
        Hypotheses over the points of the class.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with at least one concept and one point.
    error : Fraction, int or str
        Allowed error, between 0 and 1.
    time_limit : float or Budget, optional
        Seconds after which `NotDecidedError` is raised.
    progress : callable, optional
        Called with the number of hypotheses known to be necessary, and the number of all
        hypotheses.

    Returns
    -------
    MinimalityResult
        The decision, with a proof.

    Notes
    -----
    Source: `bbkn` Definition 3.5. Minimal means that no proper subset of the hypotheses represents
    the class with this error. A minimal representation may be larger than the smallest one.

    Complexity: a rational game for each hypothesis and concept.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> C = points(2)
    >>> result = minimality(HypothesisSet.from_rows(C.rows, 4), C, "1/4")
    >>> result.minimal, [concept for concept, _ in result.needed]
    (True, [0, 1, 2, 3])
    >>> minimality(HypothesisSet.from_rows([0, *C.rows], 4), C, "1/4").dropped
    0
    """
    allowed = as_fraction(error, "error", 0, 1)
    budget = Budget.of(time_limit, progress)
    concept_class = as_class(concept_class, budget)
    whole = _solved(hypotheses, concept_class, budget)
    if not whole.represents(allowed):
        return MinimalityResult(allowed, whole, (), None)
    needed = []
    for row in hypotheses.rows:
        rest = set(hypotheses.rows) - {row}
        if not rest:
            return MinimalityResult(allowed, whole, ((whole.concept, whole.distribution),), None)
        remaining = HypothesisSet.from_rows(rest, hypotheses.num_points)
        others = _solved(remaining, concept_class, budget)
        if others.represents(allowed):
            return MinimalityResult(allowed, whole, (), others)
        needed.append((others.concept, others.distribution))
        budget.report(len(needed), hypotheses.size)
    return MinimalityResult(allowed, whole, tuple(needed), None)


def _solved(
    hypotheses: HypothesisSet, concept_class: ConceptClass, budget: Budget
) -> RepresentationResult:
    found = representation_error(hypotheses, concept_class, time_limit=budget)
    if not found.exact:
        raise OutOfTimeError
    return found


@checked_types
def is_minimal_representation(
    hypotheses: HypothesisSet,
    concept_class: ClassLike,
    error: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> bool:
    """Return whether hypotheses are a minimal representation of a class.

    Parameters
    ----------
    hypotheses, concept_class, error, time_limit, progress
        As for `minimality`, which also returns the proof.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> C = points(2)
    >>> is_minimal_representation(HypothesisSet.from_rows(C.rows, 4), C, "1/4")
    True
    """
    budget = Budget.of(time_limit)
    found = minimality(hypotheses, concept_class, error, time_limit=budget, progress=progress)
    return found.minimal


@validated
class Selection:
    """The least worst-case error of mixtures of selectors for one concept, with both proofs.

    A selector is a choice of one hypothesis from every set of a probabilistic representation.

    Attributes
    ----------
    value : Fraction
        Error on the worst point.
    distribution : tuple of Fraction
        Distribution over points under which no selector has a smaller error.
    weights : tuple of tuple of Fraction
        For each set, the weights of a mixture of its hypotheses.
    """

    value: Fraction
    distribution: tuple[Fraction, ...]
    weights: tuple[tuple[Fraction, ...], ...]


@checked_types
def select(
    representation: ProbabilisticRepresentation, concept: int, budget: Budget | None = None
) -> Selection:
    """Return the optimal mixture of selectors for a concept given as a bit mask.

    A selector is a choice of one hypothesis from every set. Complexity: a few dozen games of points
    times selectors.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
    concept : int
        The concept as a bit mask over the same points.
    budget : Budget, optional
        Remaining time.

    Examples
    --------
    >>> from ccsim.representation import HypothesisSet
    >>> R = ProbabilisticRepresentation.mixture(
    ...     [("1/2", HypothesisSet((0b01,), 2)), ("1/2", HypothesisSet((0b10, 0b11), 2))]
    ... )
    >>> select(R, 0b11).value
    Fraction(1, 2)
    """
    if all(concept in H.rows for H in representation.sets):
        exact = tuple(pure(H.rows.index(concept), H.size) for H in representation.sets)
        return Selection(Fraction(0), even_distribution(representation.num_points), exact)
    points = range(representation.num_points)
    scale = common_denominator(representation.weights)
    shares = [int(weight * scale) for weight in representation.weights]
    wrong = [[row ^ concept for row in H.rows] for H in representation.sets]
    stable = [1] * len(points)
    selectors: list[tuple[int, ...]] = []
    columns: list[list[int]] = []

    def add(weights: list[int]) -> int:
        """Add the best selector against integer weights of the points and return its cost."""
        masses = [[_mass(weights, mask) for mask in masks] for masks in wrong]
        selector = tuple(row.index(min(row)) for row in masses)
        if selector not in selectors:
            selectors.append(selector)
            chosen = [masks[h] for masks, h in zip(wrong, selector, strict=True)]
            columns.append(
                [sum(s for s, m in zip(shares, chosen, strict=True) if m >> x & 1) for x in points]
            )
        return sum(share * min(row) for share, row in zip(shares, masses, strict=True))

    add(stable)
    while True:
        if budget is not None:
            budget.spend()
        matrix = [list(row) for row in zip(*columns, strict=True)]
        value, distribution, mixture, _ = solve_integer_game(matrix, budget)
        unit = common_denominator(distribution)
        integers = [int(p * unit) for p in distribution]
        if add(integers) >= value * unit:
            convex = _marginals(representation, selectors, mixture)
            return Selection(value / scale, distribution, convex)
        total = sum(stable)  # a smoothed distribution, half way to the last one, moves less wildly
        stable = [
            (a * (1 << 30)) // total + (b * (1 << 30)) // unit
            for a, b in zip(stable, distribution, strict=True)
        ]
        add(stable)


def masses(distribution: tuple[Fraction, ...], sets: Iterable[int]) -> list[Fraction]:
    """Return the probabilities of sets of points given as bit masks."""
    unit = common_denominator(distribution)
    weights = [p.numerator * (unit // p.denominator) for p in distribution]
    return [Fraction(_mass(weights, points), unit) for points in sets]


def pure(place: int, size: int) -> tuple[Fraction, ...]:
    """Return the distribution that always draws the given outcome."""
    zero, one = Fraction(0), Fraction(1)
    return (zero,) * place + (one,) + (zero,) * (size - place - 1)


def even_distribution(size: int) -> tuple[Fraction, ...]:
    """Return the uniform distribution over ``size`` outcomes."""
    return (Fraction(1, size),) * size


def _mass(distribution: list[int], points: int) -> int:
    return sum(weight for x, weight in enumerate(distribution) if points >> x & 1)


def _marginals(
    representation: ProbabilisticRepresentation,
    selectors: list[tuple[int, ...]],
    mixture: tuple[Fraction, ...],
) -> tuple[tuple[Fraction, ...], ...]:
    """Return, for each set, the probability of each of its hypotheses under the mixture."""
    result = [[Fraction(0)] * H.size for H in representation.sets]
    for selector, weight in zip(selectors, mixture, strict=False):  # the last one is unused
        for r, h in enumerate(selector):
            result[r][h] += weight
    return tuple(tuple(row) for row in result)
