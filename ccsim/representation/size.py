"""The minimum number of hypotheses that represent a class (`fx` Definition 4 (=2.3)), and bounds.

A search finds a small set that hits the neighbourhoods listed so far. For concepts that the set
does not represent, games give further neighbourhoods, which are listed with their images.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any, ClassVar, Self

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Jobs, OutOfWorkError, Progress, TimeLimit, check_time
from ccsim.certificates import Answer, Certificate, Certified
from ccsim.certificates.envelope import encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import bits_of
from ccsim.communication.mistake_bounds import LittlestoneBound
from ccsim.communication.private_coins.rounds import fewest_messages
from ccsim.data import frozen
from ccsim.dimensions import MistakeTree, littlestone_dimension
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.representation.branching import Branching, Node
from ccsim.representation.error import (
    RepresentationResult,
    concept_error,
    pure,
    representation_error,
)
from ccsim.representation.hitting import HittingQuestion
from ccsim.representation.hypotheses import HypothesisSet, check_not_empty
from ccsim.representation.neighbourhoods import (
    MAX_POINTS,
    MAX_WEIGHTS,
    Listing,
    Neighbourhood,
    hypotheses_of,
    in_order,
    masks_of,
    members_of,
    pool_json,
    symmetries_fixing,
)
from ccsim.symmetry.groups import orbit
from ccsim.symmetry.matrix import Symmetry

_POINTS = 6  # points on which a larger class is searched without a time limit
_WORK = 3000  # steps of each of both searches then, and with one
_MOST_IMAGES = 2000  # images of a neighbourhood that are listed with it
_SECONDS = 1  # for a mistake tree, if there is no time limit
_MOST_PARTS = 1000  # largest denominator of an error for a bound by a mistake tree
_LISTING = 0.5  # part of the time for the neighbourhoods that a search begins with
MAX_LISTED = 16
"""Maximum number of points for lower bounds by neighbourhoods. Beyond: other lower bounds."""


class SizeResult(Answer[int]):
    """Base class of the results on sizes of representations."""

    __slots__ = ()

    concept_class: ConceptClass
    error: Fraction
    pool: tuple[int, ...] | None
    proof: Branching | SizeLowerBound | None

    @property
    def needed(self) -> str | None:
        """The requirement of an exact answer, in words; None if the bounds coincide."""
        if self.exact:
            return None
        if self.pool is not None or not too_many(self.concept_class):
            return "more time"
        return (
            f"a search of all hypotheses, which is limited to {MAX_POINTS} points and to "
            f"{MAX_WEIGHTS} for concepts times points times sets of points"
        )

    def without_lower(self) -> Self:
        """Return the result with the lower bound 1, which needs no proof."""
        return replace(self, lower=1, proof=None)  # type: ignore[type-var]  # a data class

    def _certificate(self, failure: Fraction, representation: dict[str, Any]) -> Certificate:
        """Return the certificate of random sets with a failure probability."""
        C, pool = self.concept_class, self.pool
        proof = self.proof or Branching.trivial(len(C.points))
        if isinstance(proof, SizeLowerBound):
            lower, below = self.lower, proof.certificate().lower
        elif pool is None and len(C.points) > MAX_LISTED:
            lower, below = None, None  # a proof would list all hypotheses
        else:
            lower, below = self.lower, {"branching": proof.to_json(pool)}
        return Certificate(
            "representation_size",
            C.to_json(),
            {
                "error": encode_fraction(self.error),
                "pool": pool_json(C, pool),
                "failure": encode_fraction(failure),
                "lower": lower,
                "upper": self.upper,
            },
            below,
            {"representation": representation},
        )


@frozen
class DeterministicSizeResult(SizeResult):
    """Bounds on the least number of hypotheses that represent a class, with both proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    error : Fraction
    pool : tuple of int or None
        The admitted hypotheses; None for all functions on the points.
    lower, upper : int
        Bounds, which are equal unless the search was stopped.
    proof : Branching, SizeLowerBound or None
        Certificate of the lower bound; None for the bound 1.
    representation : RepresentationResult
        Certificate of the upper bound: ``upper`` hypotheses that represent the class.
    """

    asked = ("concept_class", "error", "pool")

    quantity: ClassVar[str] = "the least number of hypotheses"

    concept_class: ConceptClass
    error: Fraction
    pool: tuple[int, ...] | None
    lower: int
    upper: int
    proof: Branching | SizeLowerBound | None
    representation: RepresentationResult

    @property
    def size(self) -> int:
        """The least number of hypotheses; the representation dimension is its ``log2``."""
        return self.value

    def certificate(self) -> Certificate:
        """Return the certificate, stated for random sets with failure probability 0."""
        R = self.representation
        trees = []
        for distribution in R.weights:
            check_time()
            trees.append([None, weights_of(distribution), []])
        support = {"sets": [R.hypotheses.to_json()], "weights": [1]}
        failure = {"branching": {"trees": trees}}
        return self._certificate(Fraction(0), {"support": support, "failure": failure})


@checked_types
def deterministic_representation_size(
    concept_class: ClassLike,
    error: Fraction | int | str,
    pool: Iterable[int] | None = None,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
) -> DeterministicSizeResult:
    """Return the least number of hypotheses that represent a class with a given error.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with 1 to 2048 concepts and at least one point.
    error : Fraction, int or str
        Allowed error, between 0 and 1. For each concept and distribution, some hypothesis must have
        at most this error.
    pool : iterable of int, optional
        Bit masks of the admitted hypotheses, for example ``concept_class.rows`` for proper
        representations. Default: all functions. For more than 10 points, bounds are returned: the
        upper bound is a set of concepts, or of majorities in a few partitions of the concepts, and
        the lower bound is proved on some of the points, or by `separation_bound` or
        `littlestone_size_bound`.
    time_limit, progress
        As for `vc_dimension`.
    jobs : int or Workers, optional
        The processes that share a long search; see `ccsim.Workers`.

    Notes
    -----
    Complexity: exponential in general; points, thresholds and all functions over up to 8 points
    take between milliseconds and half a minute because of their symmetries (`benchmarks/`).

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
    budget = Budget.of(time_limit, progress, jobs)
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
    """Return a lower bound from few or all points, and an upper bound by concepts or rounds."""
    proof: Branching | SizeLowerBound | None = None
    lower = 1
    try:
        above = SizeSearch(C, error, in_order(C.rows), budget.share(1 / 2, work=_WORK))
    except InstanceTooLargeError:
        if len(C) ** 2 > MAX_WEIGHTS:
            raise
        best = representation_error(HypothesisSet.from_rows(C.rows, len(C.points)), C)
    else:
        with suppress(OutOfWorkError), above.budget:
            above.run()
        best = above.best
        fewer = on_fewer_points(C, MAX_POINTS - 2 if budget.limited else _POINTS)
        below = SizeSearch(fewer.concept_class, error, None, budget.share(work=_WORK))
        with suppress(OutOfWorkError), below.budget:
            below.run()
        if (proof := fewer.lifted(below.proof)) is not None:
            lower = below.lower
    whole = bound_of_points(C, error, None, budget)
    if whole is not None and whole.lower > lower:
        lower, proof = whole.lower, whole
    best = _by_rounds(C, error, best.hypotheses.size - 1, budget) or best
    size = best.hypotheses.size
    budget.report(lower, size)
    return DeterministicSizeResult(C, error, None, lower, size, proof, best)


def _by_rounds(
    C: ConceptClass, error: Fraction, most: int, budget: Budget
) -> RepresentationResult | None:
    """Return a representation with at most `most` hypotheses from partitions, if found."""
    width = len(C.points)
    rounds = fewest_messages(bits_of(C.rows, width).astype(float), error, most, budget)
    if rounds is None:
        return None
    H, laws = HypothesisSet.from_rows(rounds.messages()[0], width), tuple(rounds.laws())
    return RepresentationResult(C, H, Fraction(0), rounds.error, 0, pure(0, width), laws)


def bound_of_points(
    C: ConceptClass, error: Fraction, failure: Fraction | None, budget: Budget
) -> SizeLowerBound | None:
    """Return the larger of the bounds by separated points and by a mistake tree."""
    found: list[SizeLowerBound] = []
    if not failure and 2 * error < 1:
        found.append(replace(separation_bound(C, error), failure=failure))
    mistaken = error if failure is None else 1 - (1 - error) * (1 - failure)
    if 2 * mistaken <= 1 and mistaken.denominator <= _MOST_PARTS:
        tree = littlestone_dimension(C, time_limit=budget if budget.limited else _SECONDS).tree
        if tree is not None:
            lower = LittlestoneBound(tree.depth, mistaken).least_messages
            found.append(SizeLowerBound(C, error, failure, lower, tree))
    return max(found, key=lambda bound: bound.lower, default=None)


@frozen
class SizeLowerBound(Certified):
    """A lower bound on the number of hypotheses of every representation, with its proof.

    Attributes
    ----------
    concept_class : ConceptClass
    error : Fraction
    failure : Fraction or None
        None if the bound is on deterministic representations.
    lower : int
        Lower bound on the size.
    proof : tuple of int, Branching or MistakeTree
        Points that the hypotheses must distinguish, weighted neighbourhoods, or a mistake tree.
    """

    question = "a lower bound on the size of representations"
    asked = ("concept_class", "error", "failure")
    answered = ("lower",)

    concept_class: ConceptClass
    error: Fraction
    failure: Fraction | None
    lower: int
    proof: tuple[int, ...] | Branching | MistakeTree

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel, without an upper bound."""
        proof: dict[str, Any]
        if isinstance(self.proof, MistakeTree):
            tree = {"mistake_tree": {"tree": self.proof.to_json()}}
            proof = {"littlestone": {"dimension": tree}}
        elif isinstance(self.proof, Branching):
            proof = {"branching": self.proof.to_json(None)}
        else:
            proof = {"separation": {"points": list(self.proof)}}
        failure = encode_fraction(self.failure or 0)
        statement = {"error": encode_fraction(self.error), "pool": None, "failure": failure}
        bounds = {"lower": self.lower, "upper": None}
        instance = self.concept_class.to_json()
        return Certificate("representation_size", instance, statement | bounds, proof, None)


@checked_types
def separation_bound(concept_class: ConceptClass, error: Fraction | int | str) -> SizeLowerBound:
    """Return a lower bound on the number of hypotheses, by counting points to be distinguished.

    If the error is below 1/2, then some hypothesis differs on any two points on which some concept
    differs, so ``n`` hypotheses distinguish at most ``2**n`` points. If for any two points, in
    either order, some concept is 1 on the first and 0 on the second (as for point functions), then
    the sets of hypotheses that are 1 on a point form an antichain, and there are at most ``comb(n,
    n // 2)`` points.

    Parameters
    ----------
    concept_class : ConceptClass
    error : Fraction, int or str
        Allowed error, at least 0 and below 1/2.

    Notes
    -----
    Source: `bbkn` Lemma 3.10, sharpened by Sperner's theorem.

    Examples
    --------
    >>> from ccsim.classes import points, thresholds
    >>> separation_bound(points(3), "1/3").lower, separation_bound(thresholds(3), "1/3").lower
    (5, 3)
    """
    allowed = as_fraction(error, "error", 0)
    if allowed >= Fraction(1, 2):
        raise DomainError(f"error must be below 1/2, not {allowed}")
    check_not_empty(concept_class)
    first: dict[int, int] = {}
    for x, ones in enumerate(columns(concept_class)):
        first.setdefault(ones, x)
    antichain = all(a & ~b for a in first for b in first if a != b)
    lower = 1
    while (comb(lower, lower // 2) if antichain else 2**lower) < len(first):
        lower += 1
    return SizeLowerBound(concept_class, allowed, None, lower, tuple(first.values()))


@checked_types
def counting_bound(concept_class: ConceptClass, error: Fraction | int | str) -> SizeLowerBound:
    """Return a lower bound on the number of hypotheses, by counting the concepts near each.

    A concept is near a hypothesis if the hypothesis has error at most ``error`` on it under the
    uniform distribution over the points. The bound is the number of concepts divided by the largest
    number of concepts near one hypothesis, rounded up.

    Parameters
    ----------
    concept_class : ConceptClass
        A class with at least one concept and at most 10 points.
    error : Fraction, int or str
        Allowed error, between 0 and 1.

    Examples
    --------
    >>> from ccsim.classes import all_functions
    >>> counting_bound(all_functions(3), "1/4").lower, counting_bound(all_functions(3), "1/3").lower
    (8, 2)
    """
    allowed = as_fraction(error, "error", 0, 1)
    C = concept_class
    pool = hypotheses_of(C, None)
    even = (1,) * len(C.points)
    near = tuple(Neighbourhood(f, even) for f in range(len(C)))
    masks = masks_of(pool, [members_of(C, allowed, pool, each) for each in near])
    lower = -(-len(C) // max(map(int.bit_count, masks)))
    node = Node((), (), tuple((f, 1) for f in range(len(C))))
    return SizeLowerBound(C, allowed, None, lower, Branching(near, (), (node,)))


@checked_types
def littlestone_size_bound(
    concept_class: ConceptClass,
    error: Fraction | int | str,
    failure: Fraction | int | str | None = None,
) -> SizeLowerBound:
    """Return the bound ``2**((1 - H(e)) LDim)`` on the size of a representation, rounded up.

    Here ``H`` is the binary entropy, ``LDim`` is the Littlestone dimension, and ``e`` is ``error``,
    or ``1 - (1 - error)(1 - failure)`` for random sets. A protocol in which Alice names a
    hypothesis of the set has error ``e``, and ``LDim`` bounds its number of messages from below.

    Parameters
    ----------
    concept_class : ConceptClass
        A class with at least one concept.
    error : Fraction, int or str
        Allowed error, between 0 and 1/2.
    failure : Fraction, int or str, optional
        Failure probability of random sets; None for deterministic representations.

    Notes
    -----
    Source: `fx` Corollary 11 (=4.3) with Theorems 7 (=3.1) and 8 (=3.2).

    Examples
    --------
    >>> from ccsim.classes import all_functions
    >>> littlestone_size_bound(all_functions(4), "1/8").lower
    4
    >>> littlestone_size_bound(all_functions(4), "1/8", "1/8").lower
    2
    """
    allowed = as_fraction(error, "error", 0, 1)
    risk = None if failure is None else as_fraction(failure, "failure", 0, 1)
    check_not_empty(concept_class)
    tree = littlestone_dimension(concept_class).tree
    if tree is None:
        raise CertificateError("the search found no mistake tree, although the class has a concept")
    mistaken = allowed if risk is None else 1 - (1 - allowed) * (1 - risk)
    lower = LittlestoneBound(tree.depth, mistaken).least_messages
    return SizeLowerBound(concept_class, allowed, risk, lower, tree)


class SizeSearch(Listing):
    """The neighbourhoods listed so far, and the bounds that have been proved."""

    def __init__(
        self,
        concept_class: ConceptClass,
        error: Fraction,
        pool: tuple[int, ...] | None,
        budget: Budget,
    ) -> None:
        super().__init__(concept_class, error, pool)
        self.budget = budget
        self._symmetries: tuple[Symmetry, ...] = ()
        self.best = self._itself()
        self.lower = 1
        self.proof: Branching | None = None

    def _itself(self) -> RepresentationResult:
        """Return the result for all concepts if they are in the pool, otherwise for the pool."""
        C = self._C
        if set(C.rows) <= set(self._hypotheses):
            return representation_error(HypothesisSet.from_rows(C.rows, len(C.points)), C)
        result = representation_error(HypothesisSet.from_rows(self._hypotheses, len(C.points)), C)
        if not result.represents(self._error):
            raise DomainError(
                f"the pool must represent the class with error {self._error}, but its error on "
                f"concept {C.concepts[result.concept]} is {result.value}"
            )
        return result

    def run(self) -> None:
        """Search until the bounds coincide."""
        self._symmetries = symmetries_fixing(self._C, self._pool)
        with self.budget.share(_LISTING) as budget:
            self._list_uniform(budget)
        self._refute(0)
        while self.lower < self.best.hypotheses.size:
            found = self._refute(self.lower)
            if found is not None:
                self._list(self._missed(found), self.budget)

    def _refute(self, size: int) -> HypothesisSet | None:
        """Raise the lower bound above a size, or return a set that hits all neighbourhoods."""
        question = HittingQuestion(self._C, self._error, self._pool, self.rows, self.budget)
        search = question.search(self.budget)
        if (outcome := question.refute(search, size, self.budget)) is not None:
            return HypothesisSet.from_rows(outcome, len(self._C.points))
        self.proof = Branching(tuple(self.rows), tuple(search.permutations), tuple(search.tree))
        # a pool that represents the class meets everything, so that some number is enough
        self.lower = search.needed or self.best.hypotheses.size
        self.budget.report(self.lower, self.best.hypotheses.size)
        return None

    def _missed(self, hypotheses: HypothesisSet) -> list[Neighbourhood]:
        """Return neighbourhoods that a set misses, and keep the set if there are none."""
        missed: list[Neighbourhood] = []
        failed: list[int] = []
        mixtures: dict[int, dict[int, Fraction]] = {}
        most = Fraction(0)
        for f, row in enumerate(self._C.rows):
            self.budget.spend()
            outcome = concept_error(hypotheses, row, self.budget)
            if outcome.value > self._error:
                failed.append(row)
                near = Neighbourhood.under(f, outcome.distribution)
                missed += orbit(near, self._symmetries, Neighbourhood.image, _MOST_IMAGES)
            else:
                most = max(most, outcome.value)
                mixtures[row] = dict(zip(hypotheses.rows, outcome.weights, strict=True))
        repaired = HypothesisSet.from_rows((*hypotheses.rows, *failed), hypotheses.num_points)
        fewer = repaired.size < self.best.hypotheses.size
        if fewer and set(repaired.rows) <= set(self._hypotheses):
            zero, one_point = Fraction(0), pure(0, repaired.num_points)
            distributions = [mixtures.get(row, {row: Fraction(1)}) for row in self._C.rows]
            weights = tuple(
                tuple(distribution.get(h, zero) for h in repaired.rows)
                for distribution in distributions
            )
            self.best = RepresentationResult(self._C, repaired, zero, most, 0, one_point, weights)
            self.budget.report(self.lower, repaired.size)
        return missed


def too_many(concept_class: ConceptClass) -> bool:
    """Whether there are too many points or concepts for a search of all hypotheses."""
    n = len(concept_class.points)
    return n > MAX_POINTS or len(concept_class) * n << n > MAX_WEIGHTS


@frozen
class Restricted:
    """A class restricted to some of its points, with the map to the whole class."""

    concept_class: ConceptClass  # on these points alone, equal concepts merged
    points: tuple[int, ...]  # their numbers in the whole class
    # for each concept one of the whole class that it is the restriction of
    concepts: tuple[int, ...]
    width: int  # number of points of the whole class

    def lifted(self, proof: Branching | None) -> Branching | None:
        """Return a proof for the whole class; each hypothesis stands for all its extensions."""
        if proof is None or self.width > MAX_LISTED:
            return None
        near = tuple(
            Neighbourhood(self.concepts[each.concept], self._weights(each.weights))
            for each in proof.neighbourhoods
        )
        tree = tuple(
            replace(node, branches=tuple(map(self._hypothesis, node.branches)))
            for node in proof.tree
        )
        return replace(proof, neighbourhoods=near, tree=tree)

    def _weights(self, weights: tuple[int, ...]) -> tuple[int, ...]:
        place = dict(zip(self.points, weights, strict=True))
        return tuple(place.get(x, 0) for x in range(self.width))

    def _hypothesis(self, row: int) -> int:
        return sum(1 << x for i, x in enumerate(self.points) if row >> i & 1)


def on_fewer_points(concept_class: ConceptClass, number: int) -> Restricted:
    """Return a class on some points, chosen greedily to distinguish many concepts."""
    C, width = concept_class, len(concept_class.points)
    parts, chosen = [tuple(range(len(C)))], list[int]()
    for _ in range(min(number, width)):
        left = [x for x in range(width) if x not in chosen]

        def pairs(x: int, parts: list[tuple[int, ...]] = parts) -> int:
            ones = (sum(C.rows[c] >> x & 1 for c in part) for part in parts)
            return sum(k * (len(part) - k) for k, part in zip(ones, parts, strict=True))

        x = max(left, key=pairs)
        chosen.append(x)
        split = ([c for c in part if C.rows[c] >> x & 1 == b] for part in parts for b in (0, 1))
        parts = [tuple(part) for part in split if part]
    points = tuple(sorted(chosen))
    rows = dict[int, int]()
    for c, row in enumerate(C.rows):
        rows.setdefault(sum((row >> x & 1) << i for i, x in enumerate(points)), c)
    matrix = [[row >> i & 1 for i in range(len(points))] for row in rows]
    small = ConceptClass.from_matrix(matrix, name=f"{C.name} on {len(points)} points")
    return Restricted(small, points, tuple(rows.values()), width)
