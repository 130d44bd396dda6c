"""The least failure of any private learner of a tiny class, by linear programming over mechanisms.

A learner with ``n`` examples is a law on hypotheses for each database; privacy and the success on a
given target are linear in it. Reordering the sample changes no success probability, so that laws of
multisets are enough. There are infinitely many distributions over points: those that hurt most are
added one by one. The linear program over the ones added so far bounds the failure of *every*
private learner from below; its solution is a private learner, whose failure over *all*
distributions is enclosed by subdividing their simplex.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, count, product
from math import factorial, prod

from ccsim.classes import ConceptClass
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import LinearProgram, OptimalSolution, as_fraction, solve_linear_program
from ccsim.exact.exponentials import rational
from ccsim.privacy.audit import Verdict, audit
from ccsim.privacy.epsilon import Epsilon
from ccsim.privacy.law import Law
from ccsim.privacy.mechanism import Mechanism
from ccsim.privacy.neighbours import neighbouring_databases
from ccsim.privacy.occam import Example, labelled_examples

__all__ = ["LeastFailure", "TabledLearner", "least_private_failure"]

MAX_VARIABLES = 1200
"""Most probabilities in the linear program."""

Distribution = tuple[Fraction, ...]
Hard = tuple[int, Distribution]
"""A concept (bit mask) and a distribution over points."""
Progress = Callable[[Fraction, Fraction], None]


@dataclass(frozen=True, slots=True)
class TabledLearner(Mechanism[Example, int]):
    """A learner given by its law on every multiset of labelled examples.

    Attributes
    ----------
    num_points : int
    laws : tuple of (multiset, Law)
        For each non-decreasing tuple of labelled examples a law on hypotheses (bit masks).
    """

    num_points: int
    laws: tuple[tuple[tuple[Example, ...], Law[int]], ...]

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(self.num_points)

    def law(self, database: Sequence[Example]) -> Law[int]:
        """Return the law of the hypothesis."""
        return dict(self.laws)[tuple(sorted(database))]


@dataclass(frozen=True, slots=True)
class LeastFailure:
    """Bounds on the least failure probability of private learners with so many examples.

    Attributes
    ----------
    concept_class : ConceptClass
    samples : int
    accuracy : Fraction
    epsilon : Epsilon
    lower, upper : Fraction
        No private learner fails less than ``lower`` on all targets; ``learner`` fails at most
        ``upper`` on each.
    targets : tuple of (concept, distribution)
        On which the lower bound rests.
    solution : OptimalSolution
        Of the linear program over the targets.
    learner : TabledLearner
    """

    concept_class: ConceptClass
    samples: int
    accuracy: Fraction
    epsilon: Epsilon
    lower: Fraction
    upper: Fraction
    targets: tuple[Hard, ...]
    solution: OptimalSolution
    learner: TabledLearner

    def check(self) -> None:
        """Check both bounds: the dual solution of the program, and privacy and accuracy.

        Raises
        ------
        CertificateError
        """
        programs = _Programs(self.concept_class, self.samples, self.accuracy, self.epsilon)
        if self.solution.program != programs.program(self.targets):
            msg = "the linear program is not the one of these targets"
            raise CertificateError(msg)
        self.solution.check()
        if self.solution.value != self.lower:
            msg = f"the linear program has value {self.solution.value}, not {self.lower}"
            raise CertificateError(msg)
        if audit(self.learner, self.epsilon, 0, self.samples).verdict is not Verdict.HOLDS:
            msg = "the learner is not private"
            raise CertificateError(msg)
        laws = dict(self.learner.laws)
        for concept in self.concept_class.rows:
            worst = _Success(concept, laws, self.samples, self.accuracy)
            if 1 - worst.bound(1 - self.upper) > self.upper:
                msg = f"the learner fails more than {self.upper} on concept {concept}"
                raise CertificateError(msg)


def least_private_failure(
    concept_class: ConceptClass,
    samples: int,
    accuracy: Fraction | str,
    epsilon: Epsilon | str,
    gap: Fraction | str = Fraction(1, 1000),
    progress: Progress | None = None,
    threshold: Fraction | None = None,
) -> LeastFailure:
    """Bound the least failure probability of an ``epsilon``-private learner of a class.

    A learner fails on a concept and a distribution if its hypothesis has error above ``accuracy``.
    Hypotheses are arbitrary functions (improper learning).

    Parameters
    ----------
    concept_class : ConceptClass
        At most 3 points or so.
    samples : int
        Examples of the learner, at least 1.
    accuracy : Fraction or str
        At least 0, below 1.
    epsilon : Epsilon or str
        With ``e^epsilon`` rational, such as ``"ln 2"``.
    gap : Fraction or str
        The search ends when the bounds are so close.
    progress : callable, optional
        Called with both bounds after every round.
    threshold : Fraction, optional
        The search also ends when it is known on which side of it the least failure lies.

    Returns
    -------
    LeastFailure

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_VARIABLES` probabilities.

    Notes
    -----
    Complexity: a rational program with ``C(2m + n - 1, n) 2**m`` variables for ``m`` points and
    ``n`` examples in each round, and some ten rounds.

    Examples
    --------
    >>> from ccsim import points
    >>> result = least_private_failure(points(1), 1, "1/4", "ln 3")
    >>> result.lower, result.upper
    (Fraction(1, 4), Fraction(1, 4))
    """
    allowed = as_fraction(accuracy, "accuracy", 0, 1)
    bound = Epsilon.of(epsilon)
    target_gap = as_fraction(gap, "gap", 0, 1)
    if samples < 1:
        msg = f"samples must be at least 1, not {samples}"
        raise DomainError(msg)
    programs = _Programs(concept_class, samples, allowed, bound)
    m = len(concept_class.points)
    targets = [(concept, (Fraction(1, m),) * m) for concept in concept_class.rows]
    best: tuple[Fraction, TabledLearner] | None = None
    while True:
        solution = solve_linear_program(programs.program(targets))
        if not isinstance(solution, OptimalSolution):
            msg = "the linear program over mechanisms was not solved"
            raise NotDecidedError(msg)
        learner = programs.learner(solution.primal)
        worst, added = solution.value, []
        for concept in concept_class.rows:
            success = _Success(concept, dict(learner.laws), samples, allowed)
            lower = success.bound(None, target_gap / 2)
            worst = max(worst, 1 - lower)
            if success.worst is not None and 1 - success.least > solution.value:
                added.append((concept, success.worst))
        if best is None or worst < best[0]:
            best = worst, learner
        if progress is not None:
            progress(solution.value, best[0])
        fresh = [target for target in added if target not in targets]
        decided = threshold is not None and not solution.value <= threshold < best[0]
        if best[0] - solution.value <= target_gap or decided or not fresh:
            return LeastFailure(
                concept_class, samples, allowed, bound, solution.value, best[0],
                tuple(targets), solution, best[1],
            )  # fmt: skip
        targets += fresh


class _Programs:
    """The linear programs over mechanisms; the last variable is the failure probability."""

    def __init__(
        self, concept_class: ConceptClass, samples: int, accuracy: Fraction, epsilon: Epsilon
    ) -> None:
        self._m, self._n, self._accuracy = len(concept_class.points), samples, accuracy
        self._records = labelled_examples(self._m)
        self._databases = list(combinations_with_replacement(self._records, samples))
        self._hypotheses = range(1 << self._m)
        self._number = {
            (database, h): i
            for i, (database, h) in enumerate(product(self._databases, self._hypotheses))
        }
        if len(self._number) > MAX_VARIABLES:
            msg = (
                f"{len(self._number)} probabilities of a learner are above the limit "
                f"of {MAX_VARIABLES}"
            )
            raise InstanceTooLargeError(msg)
        self._rows = [*self._laws(), *self._privacy(rational(epsilon.exp()))]

    def _laws(self) -> Iterator[tuple[dict[int, int | Fraction], str, int]]:
        for database in self._databases:
            yield {self._number[database, h]: 1 for h in self._hypotheses}, "=", 1

    def _privacy(self, factor: Fraction) -> Iterator[tuple[dict[int, int | Fraction], str, int]]:
        for pair in neighbouring_databases(self._records, self._n):
            first, second = (tuple(sorted(database)) for database in pair)
            for h in self._hypotheses:
                a, b = self._number[first, h], self._number[second, h]
                yield {a: 1, b: -factor}, "<=", 0
                yield {b: 1, a: -factor}, "<=", 0

    def program(self, targets: Sequence[Hard]) -> LinearProgram:
        """Return the program: least failure over the targets."""
        failure = len(self._number)
        rows: list[tuple[dict[int, int | Fraction], str, int]] = list(self._rows)
        for concept, distribution in targets:
            chances = dict(_sample_law(concept, distribution, self._n))
            good = _good(concept, [distribution], self._accuracy)
            row: dict[int, int | Fraction] = {
                self._number[database, h]: chance
                for database, chance in chances.items()
                for h in good
                if chance
            }
            rows.append(({**row, failure: 1}, ">=", 1))
        return LinearProgram.minimise([0] * failure + [1], rows)

    def learner(self, primal: Sequence[Fraction]) -> TabledLearner:
        """Return the learner of a solution."""
        laws = []
        for database in self._databases:
            law = {h: primal[self._number[database, h]] for h in self._hypotheses}
            laws.append((database, Law[int].of({**law})))
        return TabledLearner(self._m, tuple(laws))


def _sample_law(
    concept: int, distribution: Distribution, samples: int
) -> Iterator[tuple[tuple[Example, ...], Fraction]]:
    """Yield the multisets of labelled examples of a target with their probabilities."""
    for drawn in combinations_with_replacement(range(len(distribution)), samples):
        ways = factorial(samples) // prod(factorial(drawn.count(x)) for x in set(drawn))
        chance = ways * prod((distribution[x] for x in drawn), start=Fraction(1))
        yield tuple(sorted((x, concept >> x & 1) for x in drawn)), chance


def _good(concept: int, corners: Sequence[Distribution], accuracy: Fraction) -> list[int]:
    """Return the hypotheses of error at most ``accuracy`` under every distribution listed."""
    m = len(corners[0])
    return [
        h
        for h in range(1 << m)
        if all(sum(D[x] for x in range(m) if (h ^ concept) >> x & 1) <= accuracy for D in corners)
    ]


class _Success:
    """The least success probability of a learner on a concept, over all distributions.

    The success is a polynomial of the distribution wherever the good hypotheses stay the same. On a
    simplex of distributions it is at least the least value of its polar form at the corners, with
    the hypotheses that are good at all corners; the simplex with the least such bound is halved.
    """

    def __init__(
        self,
        concept: int,
        laws: dict[tuple[Example, ...], Law[int]],
        samples: int,
        accuracy: Fraction,
    ) -> None:
        self._concept, self._samples, self._accuracy = concept, samples, accuracy
        self._m = max(x for database in laws for x, _ in database) + 1
        self._laws = {database: law.as_mapping() for database, law in laws.items()}
        self.least = Fraction(2)
        self.worst: Distribution | None = None

    def bound(self, enough: Fraction | None, gap: Fraction = Fraction(0)) -> Fraction:
        """Return a lower bound of the least success: ``enough``, or one within ``gap`` of it."""
        corners = tuple(
            tuple(Fraction(int(x == y)) for y in range(self._m)) for x in range(self._m)
        )
        order = count()
        heap = [(self._polar(corners), next(order), corners)]
        while True:
            least, _, simplex = heap[0]
            if enough is not None and (least >= enough or self.least < enough):
                return min(least, self.least)
            if enough is None and self.least - least <= gap:
                return least
            heapq.heappop(heap)
            for part in _halves(simplex):
                heapq.heappush(heap, (self._polar(part), next(order), part))

    def _value(self, concept_good: Sequence[int], points: Sequence[Distribution]) -> Fraction:
        """Return the success when example ``i`` is drawn from distribution ``i``, averaged."""
        total = Fraction(0)
        for drawn in product(range(self._m), repeat=self._samples):
            chance = prod((D[x] for D, x in zip(points, drawn, strict=True)), start=Fraction(1))
            if chance:
                law = self._laws[tuple(sorted((x, self._concept >> x & 1) for x in drawn))]
                total += chance * sum(
                    (rational(law.get(h, Fraction(0))) for h in concept_good), Fraction(0)
                )
        return total

    def _polar(self, corners: Sequence[Distribution]) -> Fraction:
        for distribution in (*corners, _average(corners)):
            good = _good(self._concept, [distribution], self._accuracy)
            value = self._value(good, [distribution] * self._samples)
            if value < self.least:
                self.least, self.worst = value, distribution
        good = _good(self._concept, corners, self._accuracy)
        choices = combinations_with_replacement(corners, self._samples)
        return min(self._value(good, chosen) for chosen in choices)


def _average(corners: Sequence[Distribution]) -> Distribution:
    return tuple(sum(masses, Fraction(0)) / len(corners) for masses in zip(*corners, strict=True))


def _halves(
    corners: Sequence[Distribution],
) -> tuple[tuple[Distribution, ...], tuple[Distribution, ...]]:
    """Cut a simplex in two at the middle of its longest edge."""
    a, b = max(
        combinations(range(len(corners)), 2),
        key=lambda pair: max(
            abs(x - y) for x, y in zip(corners[pair[0]], corners[pair[1]], strict=True)
        ),
    )
    middle = _average((corners[a], corners[b]))
    return tuple(
        tuple(middle if i == out else corner for i, corner in enumerate(corners)) for out in (a, b)
    )  # type: ignore[return-value]
