"""The largest failure probability of a learner over all concepts and distributions, exactly.

While the set of accurate hypotheses is constant, the success probability is a homogeneous
polynomial in the distribution. On a simplex, its minimum is at least the smallest value of its
polar form at the vertices. The vertices have integer masses with a common sum.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, count, product
from math import comb, floor, gcd, lcm
from typing import Any, ClassVar, TypeAlias, cast

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget
from ccsim.certificates import Answer, Certificate
from ccsim.certificates.envelope import encode_fraction, encode_integers, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.exact.exponentials import rational
from ccsim.learning.learners.occam import Example, TabledLearner, labelled_examples
from ccsim.privacy.constructions import Mechanism, is_symmetric

Database: TypeAlias = tuple[Example, ...]  # a non-decreasing tuple of labelled examples
PointWeights: TypeAlias = tuple[Fraction, ...]
Edge: TypeAlias = "tuple[int, int] | tuple[int, int, int, int]"
"""Two vertices, for their midpoint, or also their weights, for another point between them."""
Subdivision: TypeAlias = (
    "tuple[int, int, Subdivision, Subdivision]"
    " | tuple[int, int, int, int, Subdivision, Subdivision] | None"
)
"""None for a simplex that is not cut; otherwise an edge, and the two parts, in which a point of the
edge replaces its first or its second vertex."""
Masses: TypeAlias = tuple[int, ...]
Simplex: TypeAlias = tuple[Masses, ...]

MAX_SAMPLES = 1 << 12  # maximum number of multisets of examples in the table of distributions
_INWARD = 16
"""Distances from a vertex (as powers of 1/2) of further points to try, as errors may jump there."""


@frozen
class WorstFailure(Answer[Fraction]):
    """Bounds on the failure probability of a learner on its worst target.

    Attributes
    ----------
    concept_class : ConceptClass
        The class to learn.
    samples : int
        Number of examples.
    accuracy : Fraction
        Largest error that does not count as a failure.
    learner : TabledLearner
        The learner, as a table of its output distributions.
    lower, upper : Fraction
        Bounds on the largest failure probability over all targets. On the target ``(concept,
        distribution)`` the failure probability is ``lower``.
    concept : int
        Index of a concept of the class.
    distribution : tuple of Fraction
        Distribution on the points of the target.
    subdivisions : tuple of Subdivision
        For each concept, a subdivision of the simplex of distributions, which proves the upper
        bound.
    """

    question = "the worst failure probability of a learner"
    asked = ("concept_class", "learner", "samples", "accuracy")

    quantity: ClassVar[str] = "the failure probability"

    concept_class: ConceptClass
    samples: int
    accuracy: Fraction
    learner: TabledLearner
    lower: Fraction
    upper: Fraction
    concept: int
    distribution: tuple[Fraction, ...]
    subdivisions: tuple[Subdivision, ...]

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        return Certificate(
            "learner_failure",
            self.concept_class.to_json(),
            {
                "samples": self.samples,
                "accuracy": encode_fraction(self.accuracy),
                "laws": encode_distributions(self.learner, self.samples),
                "lower": encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            {"target": {"target": [self.concept, weights_of(self.distribution)]}},
            {"subdivisions": {"trees": [preorder(tree) for tree in self.subdivisions]}},
        )


@checked_types
def worst_failure(
    learner: Mechanism[Example, int],
    concept_class: ClassLike,
    samples: int,
    accuracy: Fraction | int | str,
    *,
    gap: Fraction | int | str = Fraction(1, 1000),
) -> WorstFailure:
    """Bound the largest failure probability of a learner over all concepts and distributions.

    Parameters
    ----------
    learner : Mechanism
        A learner that maps labelled examples to hypotheses, as bit masks over the points of the
        class. It must be symmetric and have rational probabilities.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with at least one concept, and about 3 points at most.
    samples : int
        Number of examples, at least 1.
    accuracy : Fraction, int or str
        The learner fails if the error of its hypothesis is above ``accuracy``.
    gap : Fraction, int or str
        Required difference of the bounds, positive.

    Notes
    -----
    Complexity: simplices of distributions are halved until a lower bound on the success probability
    in each part is large enough; 3 points lead to thousands of parts.

    Examples
    --------
    >>> from ccsim import points
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.learning import PrivateOccam
    >>> occam = PrivateOccam(2, points(1).rows, Epsilon.of("ln 4"))
    >>> found = worst_failure(occam, points(1), 2, "1/4")
    >>> found.lower, found.upper
    (Fraction(1, 5), Fraction(1, 5))
    """
    allowed, close = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(gap, "gap", 0, 1)
    concept_class = as_class(concept_class)
    if samples < 1:
        raise DomainError(f"samples must be at least 1, not {samples}")
    if not close:
        raise DomainError("gap must be positive, not 0")
    if not len(concept_class) or not concept_class.points:
        raise DomainError(f"{concept_class.name} must have at least one concept and one point")
    table = tabled(learner, len(concept_class.points), samples)
    searched = [LeastSuccess(f, table, samples, allowed) for f in concept_class.rows]
    most = max(1 - success.bound(close, Budget()) for success in searched)
    worst = min(range(len(searched)), key=lambda i: searched[i].least)
    proofs = [success.subdivide(1 - most) for success in searched]
    return WorstFailure(
        concept_class, samples, allowed, table,
        1 - searched[worst].least, 1 - min(proved for _, proved in proofs),
        worst, searched[worst].worst, tuple(tree for tree, _ in proofs),
    )  # fmt: skip


def encode_distributions(learner: TabledLearner, samples: int) -> list[list[int | str]]:
    """Return a learner's distribution on each sample, as integers with a common denominator."""
    m, distributions = learner.num_points, dict(learner.distributions)
    if m < 1 or samples < 0 or comb(2 * m + samples - 1, samples) != len(learner.distributions):
        raise CertificateError(
            f"the learner must have an output distribution for every sample of {samples} examples"
        )
    exact = {
        S: {h: rational(p) for h, p in distribution.items}
        for S, distribution in distributions.items()
    }
    unit = lcm(*(p.denominator for distribution in exact.values() for p in distribution.values()))
    databases, functions = all_databases(m, samples), range(1 << m)
    if sorted(exact) != databases or any(
        h not in functions for distribution in exact.values() for h in distribution
    ):
        raise CertificateError(
            "the learner must have an output distribution on functions for every sample"
        )
    return [
        encode_integers(int(exact[S].get(h, Fraction(0)) * unit) for h in functions)
        for S in databases
    ]


def all_databases(points: int, samples: int) -> list[Database]:
    """Return all multisets of a given number of labelled examples, in order."""
    return list(combinations_with_replacement(labelled_examples(points), samples))


def tabled(learner: Mechanism[Example, int], num_points: int, samples: int) -> TabledLearner:
    """Return the table of a symmetric learner on all multisets of a given number of examples."""
    if not learner.symmetric:
        raise DomainError(f"{type(learner).__name__} must not depend on the order of its examples")
    if (number := comb(2 * num_points + samples - 1, samples)) > MAX_SAMPLES:
        raise InstanceTooLargeError(
            f"{number} samples up to reordering exceed the limit of {MAX_SAMPLES}; use fewer "
            "examples"
        )
    every: list[Sequence[Example]] = list(
        combinations_with_replacement(labelled_examples(num_points), samples)
    )
    if not is_symmetric(learner):
        _check_orders(learner, labelled_examples(num_points), samples)
    return TabledLearner(num_points, tuple((tuple(S), learner.distribution(S)) for S in every))


def _check_orders(
    learner: Mechanism[Example, int], examples: Sequence[Example], samples: int
) -> None:
    """Check that a learner has the same output distribution on all orders of each sample."""
    if samples > MAX_SAMPLES.bit_length() or len(examples) ** samples > MAX_SAMPLES:
        raise InstanceTooLargeError(
            f"{len(examples)}^{samples} ordered samples exceed the limit of {MAX_SAMPLES}; use "
            "fewer examples"
        )
    for sample in product(examples, repeat=samples):
        ordered = tuple(sorted(sample))
        if learner.distribution(sample).as_mapping() != learner.distribution(ordered).as_mapping():
            raise DomainError(
                f"{type(learner).__name__} must not depend on the order of its examples: its "
                f"distributions on {ordered} and {sample} differ"
            )


class LeastSuccess:
    """A search for the distribution with the least success probability, for one concept."""

    def __init__(
        self, concept: int, learner: TabledLearner, samples: int, accuracy: Fraction
    ) -> None:
        self._concept, self._samples, self._accuracy = concept, samples, accuracy
        self._m = m = learner.num_points
        wrong = range(1 << m)
        distributions = {
            S: {h: rational(p) for h, p in distribution.items}
            for S, distribution in learner.distributions
        }
        drawn = combinations_with_replacement(range(m), samples)
        own = [distributions[tuple((x, concept >> x & 1) for x in points)] for points in drawn]
        self._total = lcm(*(p.denominator for distribution in own for p in distribution.values()))
        zero = Fraction(0)
        self._weights = [
            [int(distribution.get(w ^ concept, zero) * self._total) for w in wrong]
            for distribution in own
        ]
        self._known: dict[tuple[int, ...], list[int]] = {}
        levels = [list(combinations_with_replacement(range(m), k)) for k in range(samples + 1)]
        place = [{points: i for i, points in enumerate(level)} for level in levels]
        self._above = [
            [[place[k + 1][tuple(sorted((*points, x)))] for x in range(m)] for points in levels[k]]
            for k in range(samples)
        ]
        self.least = Fraction(2)
        self.worst: PointWeights = tuple(Fraction(p) for p in self._corners[0])

    @property
    def _corners(self) -> Simplex:
        return tuple(tuple(int(x == y) for y in range(self._m)) for x in range(self._m))

    def bound(self, gap: Fraction, budget: Budget, enough: Fraction | None = None) -> Fraction:
        """Return a lower bound that is within ``gap`` of the minimum success.

        Once the success is known to be above or below ``enough``, the bound may be less precise.
        """
        order = count()
        heap = [(self._polar(self._corners), next(order), self._corners)]
        while self.least - heap[0][0] > gap:
            if enough is not None:
                lacking = enough - self.least
                if heap[0][0] >= enough or self.least - heap[0][0] <= lacking / 4:
                    break
            budget.spend()
            _, _, simplex = heapq.heappop(heap)
            for part in _parts(simplex, self._edge(simplex)):
                heapq.heappush(heap, (self._polar(part), next(order), part))
        return heap[0][0]

    def subdivide(self, enough: Fraction) -> tuple[Subdivision, Fraction]:
        """Return a subdivision that proves a bound of at least ``enough``, and the bound."""
        return self._subdivide(self._corners, enough)

    def _subdivide(self, simplex: Simplex, enough: Fraction) -> tuple[Subdivision, Fraction]:
        polar = self._polar(simplex)
        if polar >= enough:
            return None, polar
        edge = self._edge(simplex)
        (left, low), (right, high) = (
            self._subdivide(part, enough) for part in _parts(simplex, edge)
        )
        return (*edge, left, right), min(low, high)

    def _edge(self, corners: Simplex) -> Edge:
        """Return the edge to cut, with the weights of its vertices if they differ."""
        whole = self._accuracy.denominator if self._m > 2 else 1
        crossed: dict[tuple[int, int], tuple[int, int]] = {}
        for w in range(1, 1 << self._m) if whole & (whole - 1) else ():
            above = [
                whole * sum(p for x, p in enumerate(D) if w >> x & 1)
                - self._accuracy.numerator * sum(D)
                for D in corners
            ]
            for i, j in combinations(range(self._m), 2):
                if above[i] * above[j] < 0:
                    crossed.setdefault((i, j), (abs(above[j]), abs(above[i])))
        if not crossed:
            return _longest(corners, combinations(range(self._m), 2))
        edge = _longest(corners, crossed)
        p, q = crossed[edge]
        return (*edge, p // gcd(p, q), q // gcd(p, q)) if p != q else edge

    def _polar(self, corners: Simplex) -> Fraction:
        unit, middle = sum(corners[0]), [sum(masses) for masses in zip(*corners, strict=True)]
        near = [
            tuple(
                (p << _INWARD) - len(corners) * p + q for p, q in zip(corner, middle, strict=True)
            )
            for corner in corners
        ]
        for D in (*corners, tuple(middle), *near):
            self._look(D)
        least = min(self._values(self._successes(self._good(corners)), corners))
        return Fraction(least, self._total * unit**self._samples)

    def _look(self, masses: Masses) -> None:
        unit = sum(masses)
        (value,) = self._values(self._successes(self._good([masses])), [masses])
        if (success := Fraction(value, self._total * unit**self._samples)) < self.least:
            self.least, self.worst = success, tuple(Fraction(p, unit) for p in masses)

    def _values(self, form: list[int], corners: Sequence[Masses]) -> Iterator[int]:
        """Yield the values of the polar form at all multisets of vertices, one for each example."""
        stack = [(form, self._samples, 0)]
        while stack:
            values, left, first = stack.pop()
            if not left:
                yield values[0]
                continue
            for i in range(first, len(corners)):
                D = corners[i]
                rest = [
                    sum(p * values[j] for p, j in zip(D, above, strict=True) if p)
                    for above in self._above[left - 1]
                ]
                stack.append((rest, left - 1, i))

    def _successes(self, good: tuple[int, ...]) -> list[int]:
        """Return, for each sample, the probability that the set of wrong points is in ``good``."""
        if good not in self._known:
            self._known[good] = [
                sum(distribution[w] for w in good) for distribution in self._weights
            ]
        return self._known[good]

    def _good(self, corners: Sequence[Masses]) -> tuple[int, ...]:
        """Return the sets of points that have mass at most the accuracy at every vertex."""
        allowed, every = floor(self._accuracy * sum(corners[0])), list(range(1 << self._m))
        for D in corners:
            every = [w for w in every if sum(p for x, p in enumerate(D) if w >> x & 1) <= allowed]
        return tuple(every)


def _longest(corners: Simplex, edges: Iterable[tuple[int, int]]) -> tuple[int, int]:
    return max(
        edges,
        key=lambda pair: max(
            abs(x - y) for x, y in zip(corners[pair[0]], corners[pair[1]], strict=True)
        ),
    )


def _parts(corners: Simplex, edge: Edge) -> list[Simplex]:
    """Cut a simplex in two at a point of an edge; it replaces one end of the edge in each part."""
    i, j, p, q = edge if len(edge) == 4 else (*edge, 1, 1)
    between = tuple(p * a + q * b for a, b in zip(corners[i], corners[j], strict=True))
    scaled = [tuple((p + q) * a for a in corner) for corner in corners]
    return [
        tuple(between if k == out else corner for k, corner in enumerate(scaled)) for out in (i, j)
    ]


def cut(node: object) -> tuple[tuple[int, ...], Any, Any]:
    """Return the edge and the parts of a subdivision node; refuse nodes of another form."""
    if not isinstance(node, tuple) or len(node) not in {4, 6} or {*map(type, node[:-2])} != {int}:
        raise CertificateError(f"a subdivision must have two corners and two parts, not {node}")
    return node[:-2], node[-2], node[-1]


def preorder(tree: Subdivision) -> list[list[int] | None]:
    """Return the nodes of a subdivision in preorder, each an edge or None."""
    nodes: list[list[int] | None] = []
    left: list[Any] = [tree]
    while left:
        node = left.pop()
        if node is None:
            nodes.append(None)
        else:
            edge, first, second = cut(node)
            nodes.append(list(edge))
            left += [second, first]
    return nodes


def moved_corners(tree: Subdivision, places: Sequence[int]) -> Subdivision:
    """Return a subdivision with the vertices of the simplex permuted."""
    if tree is None:
        return None
    (a, b, *weights), first, second = cut(tree)
    parts = moved_corners(first, places), moved_corners(second, places)
    found: Any = (places[a], places[b], *weights, *parts)
    return cast("Subdivision", found)
