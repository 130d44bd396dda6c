"""The minimum failure of private learners of a tiny class, by linear programming over mechanisms.

The targets on which the current learner fails most are added one by one. Dual solutions of the
program prove lower bounds for every private learner. Subdivisions of the simplex of distributions
prove upper bounds (`ccsim.learning.worst_failure`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import ceil, comb, floor, isqrt, lcm
from typing import Any, ClassVar, Self

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate, Certificates
from ccsim.certificates.envelope import encode_fraction, encode_integers
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.exact.bounds import check_fields
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Exponential, rational
from ccsim.learning.learners.occam import TabledLearner
from ccsim.learning.learning_program import (
    MAX_VARIABLES,
    ApproximateProgram,
    Flow,
    Hard,
    LearningProgram,
    LearningSolution,
    WeightedTarget,
    check_variables,
    class_symmetries,
    near_the_accuracy,
)
from ccsim.learning.packing import check_written
from ccsim.learning.worst_failure import (
    Database,
    LeastSuccess,
    Subdivision,
    all_databases,
    encode_distributions,
    moved_corners,
    preorder,
)

_UNIT = 1000
_EXACT = 100
"""Maximum number of variables of a program that is solved exactly; others are solved in floats."""
_LARGE = 1000
"""Number of variables above which only learners that depend on balances are searched."""
MAX_ENTRIES = 1 << 18  # maximum number of probabilities in the table of a learner
_FEW_POINTS = 4  # most points of a part of the domain on which learners are searched
_PART = 1 << 10  # most probabilities of a learner on such a part
_ROOT = 16  # denominator of the square root of a privacy factor
_FINEST = 1 << 10
"""Maximum factor by which the bounds are refined beyond ``gap`` to decide about the target."""


@frozen
class LeastPrivateFailure(Answer[Fraction]):
    """Bounds on the minimum failure probability of private learners with a fixed sample size.

    Attributes
    ----------
    concept_class : ConceptClass
        The class to learn.
    samples : int
        Number of examples.
    accuracy : Fraction
        Largest error that does not count as a failure.
    epsilon : Epsilon
        Privacy parameter epsilon, with ``e^epsilon`` rational.
    lower, upper : Fraction
        Every private learner fails with probability at least ``lower`` on some target; ``learner``
        fails with probability at most ``upper`` on every target.
    targets : tuple of WeightedTarget
        Targets that prove the lower bound; their weights sum to 1.
    flows : tuple of Flow
        Dual values that prove the lower bound on these targets.
    learner : TabledLearner
        A private learner with the failure probability ``upper``.
    subdivisions : tuple of Subdivision
        For each concept, a subdivision of the simplex of distributions, which proves the upper
        bound.
    delta : Fraction
        Privacy parameter delta; 0 for pure privacy.
    """

    question = "the least failure probability of private learners"
    asked = ("concept_class", "samples", "accuracy", "epsilon", "delta")

    quantity: ClassVar[str] = "the least failure probability"

    concept_class: ConceptClass
    samples: int
    accuracy: Fraction
    epsilon: Epsilon
    lower: Fraction
    upper: Fraction
    targets: tuple[WeightedTarget, ...]
    flows: tuple[Flow, ...]
    learner: TabledLearner
    subdivisions: tuple[Subdivision, ...]
    delta: Fraction = Fraction(0)

    def without_upper(self) -> Self:
        """Return the result with the learner that always answers with the first concept.

        The upper bound becomes 1, unless the class has a single concept or every error is allowed;
        its check takes no time.
        """
        C, m = self.concept_class, len(self.concept_class.points)
        first = Distribution.of({C.rows[0]: Fraction(1)})
        learner = TabledLearner(m, tuple((S, first) for S in all_databases(m, self.samples)))
        upper = Fraction(int(len(C) > 1 and self.accuracy < 1))
        return replace(self, upper=upper, learner=learner, subdivisions=(None,) * len(C))

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        C = self.concept_class
        if not C.points or not C.rows or self.learner.num_points != len(C.points):
            raise CertificateError(
                f"class and learner must have the same points, and the class at least one point "
                f"and one concept, not {len(C)} concepts over {len(C.points)} points and a learner "
                f"over {self.learner.num_points}"
            )
        distributions = encode_distributions(self.learner, self.samples)
        trees = [preorder(tree) for tree in self.subdivisions]
        beyond = {"delta": encode_fraction(self.delta)} if self.delta else {}
        return Certificate(
            "approximate_private_failure" if self.delta else "private_failure",
            C.to_json(),
            {
                "samples": self.samples,
                "accuracy": encode_fraction(self.accuracy),
                "factor": encode_fraction(rational(self.epsilon.exp())),
                **beyond,
                "lower": encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            {"flows": self._flows()},
            {"learner": {"laws": distributions, "trees": trees}},
        )

    def _flows(self) -> dict[str, Any]:
        """Return targets and flows in integers; probabilities are over a common denominator."""
        C, even = self.concept_class, Fraction(1, len(self.concept_class.points))
        targets = self.targets or ((C.rows[0], (even,) * len(C.points), Fraction(1)),)
        unit = lcm(*(p.denominator for _, distribution, _ in targets for p in distribution))
        factor, whole = rational(self.epsilon.exp()), unit**self.samples
        sent = [y * whole / factor.denominator for *_, y in self.flows]
        scale = lcm(*(p.denominator for p in (*sent, *(w for *_, w in targets))))
        numbers = {row: i for i, row in enumerate(C.rows)}
        place = {S: i for i, S in enumerate(all_databases(len(C.points), self.samples))}
        distributions = [
            encode_integers(int(p * unit) for p in distribution) for _, distribution, _ in targets
        ]
        return {
            "targets": [
                [numbers.get(f, -1), distribution]
                for (f, *_), distribution in zip(targets, distributions, strict=True)
            ],
            "weights": encode_integers(int(w * scale) for *_, w in targets),
            "flows": [
                [place.get(S, -1), place.get(T, -1), h, *encode_integers([int(y * scale)])]
                for (S, T, h, _), y in zip(self.flows, sent, strict=True)
            ],
        }


@checked_types
def least_private_failure(  # noqa: PLR0913 - what is asked, and when to stop
    concept_class: ClassLike,
    samples: int,
    accuracy: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    gap: Fraction | int | str = Fraction(1, 1000),
    target: Fraction | int | str | None = None,
    delta: Fraction | int | str = 0,
) -> LeastPrivateFailure:
    """Bound the minimum failure probability of an ``(epsilon, delta)``-private learner of a class.

    A learner fails on a concept and a distribution if its hypothesis has an error above
    ``accuracy``. Hypotheses are arbitrary functions (improper learning).

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        The class to learn. With more than about 3 points, the bounds are far apart.
    samples : int
        Number of examples, at least 0.
    accuracy : Fraction, int or str
        Largest error that does not count as a failure; at least 0 and below 1.
    epsilon : Epsilon, Fraction, int or str
        Privacy parameter epsilon with rational ``e^epsilon``, such as ``"ln 2"``.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the bounds proved so far. If a limit is given, an
        interrupt (Ctrl-C) has the same effect.
    progress : callable, optional
        Called with both bounds after every round.
    gap : Fraction, int or str
        The search ends when the bounds differ by at most this positive number.
    target : Fraction, int or str, optional
        The search also ends when it is decided whether the minimum failure is at most this number.
    delta : Fraction, int or str
        Privacy parameter delta, from 0 (pure privacy) to 1 (every learner is private).

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_ENTRIES` probabilities.

    Notes
    -----
    A search that is stopped, or would have more than `MAX_VARIABLES` variables, is replaced by
    bounds: every learner of the class also learns its restriction to a few points, and an
    exponential mechanism outputs the target with some probability.

    Complexity: about ten rounds, each with a rational linear program of ``C(2m + n - 1, n) 2**m``
    variables for ``m`` points and ``n`` examples.

    Examples
    --------
    >>> from ccsim import points
    >>> result = least_private_failure(points(1), 1, "1/4", "ln 3")
    >>> result.lower, result.upper
    (Fraction(1, 4), Fraction(1, 4))
    >>> result = least_private_failure(points(1), 1, "1/4", "ln 3", delta="1/10")
    >>> result.lower, result.upper
    (Fraction(9, 40), Fraction(9, 40))
    """
    allowed = as_fraction(accuracy, "accuracy", 0, 1)
    bound = Epsilon.of(epsilon)
    close = as_fraction(gap, "gap", 0, 1)
    goal = None if target is None else as_fraction(target, "target", 0, 1)
    slack = as_fraction(delta, "delta", 0, 1)
    if samples < 0:
        raise DomainError(f"samples must be at least 0, not {samples}")
    if not close:
        raise DomainError("gap must be positive, not 0")
    budget = Budget.of(time_limit)
    concept_class = as_class(concept_class, budget)
    if not concept_class.points:
        raise DomainError("the class must have at least one point")
    if not concept_class.rows:
        raise DomainError("the class must have at least one concept")
    if isinstance(bound.exp(), Exponential):
        raise DomainError(f"e^epsilon must be rational, as for epsilon = 'ln 3', not e^({bound})")
    unknown = LeastPrivateFailure(
        concept_class, samples, allowed, bound, Fraction(0), Fraction(1), (), (),
        TabledLearner(len(concept_class.points), ()), (), slack,
    )  # fmt: skip
    check_variables(len(concept_class.points), samples, MAX_ENTRIES)
    found = unknown.without_upper()
    with suppress(InstanceTooLargeError):
        search = _Search(unknown, close, goal, budget, progress or (lambda *_: None))
        with budget, budget.heard():
            search.run()
        found = search.result()
        if not budget.expired:
            return found
    return _with_simple_bounds(found, close, budget.or_at_once())


def _with_simple_bounds(
    known: LeastPrivateFailure, gap: Fraction, budget: Budget
) -> LeastPrivateFailure:
    """Return the result with the bounds from parts of the domain and an exponential mechanism."""
    best, n, width = known, known.samples, len(known.concept_class.points)
    for k in range(1, min(_FEW_POINTS, width) + 1):
        if budget.expired or comb(2 * k + n - 1, n) << k > min(_PART, MAX_VARIABLES):
            break
        found = _on_part(known, gap, budget, k)
        if found.lower > best.lower:
            best = replace(best, lower=found.lower, targets=found.targets, flows=found.flows)
    upper, learner = _exponential(known)
    if upper < best.upper:
        trees = (None,) * len(known.concept_class)
        best = replace(best, upper=upper, learner=learner, subdivisions=trees)
    return best


def _on_part(
    known: LeastPrivateFailure, gap: Fraction, budget: Budget, number: int
) -> LeastPrivateFailure:
    """Return a result whose lower bound is that of the class restricted to a number of points.

    These points have as many restrictions as possible.
    """
    C = known.concept_class
    width = len(C.points)

    def restricted(row: int, points: Sequence[int]) -> int:
        return sum((row >> x & 1) << i for i, x in enumerate(points))

    chosen = max(
        combinations(range(width), number),
        key=lambda points: len({restricted(row, points) for row in C.rows}),
    )
    concepts = {restricted(row, chosen): row for row in C.rows}
    part = replace(
        known,
        concept_class=ConceptClass.from_rows(sorted(concepts), range(number)),
        learner=TabledLearner(number, ()),
    )
    search = _Search(part, gap, None, budget, lambda *_: None)
    with budget, budget.heard():
        search.run()
    found = search.result()
    place, inside = dict(enumerate(chosen)), sum(1 << x for x in chosen)
    others = [h for h in range(1 << width) if not h & inside]

    def whole(sample: Database) -> Database:
        return tuple((place[x], label) for x, label in sample)

    targets, flows = list[WeightedTarget](), list[Flow]()
    for f, distribution, weight in found.targets:
        masses = dict(zip(chosen, distribution, strict=True))
        even = tuple(masses.get(x, Fraction(0)) for x in range(width))
        targets.append((concepts[f], even, weight))
    for S, T, h, amount in found.flows:
        same = sum((h >> i & 1) << x for i, x in place.items())
        flows += [(whole(S), whole(T), same | rest, amount) for rest in others]
    return replace(known, lower=found.lower, targets=tuple(targets), flows=tuple(flows))


def _exponential(known: LeastPrivateFailure) -> tuple[Fraction, TabledLearner]:
    """Return an exponential mechanism on the concepts, and a bound on its failure.

    Each error on the sample divides the weight of a concept by a root of the privacy factor. An
    exchange of an example changes the weight and the sum of all weights by at most this root.
    """
    C, n = known.concept_class, known.samples
    factor, width = rational(known.epsilon.exp()), len(C.points)
    root = max(Fraction(1), Fraction(isqrt(int(factor * _ROOT**2)), _ROOT))
    p, q = root.as_integer_ratio()
    weights = [p ** (n - wrong) * q**wrong for wrong in range(n + 1)]
    distributions, least = list[tuple[Database, Distribution[int]]](), Fraction(1)
    for S in all_databases(width, n):
        wrong = [sum(row >> x & 1 != label for x, label in S) for row in C.rows]
        total = sum(weights[number] for number in wrong)
        chances = [Fraction(weights[number], total) for number in wrong]
        distributions.append((S, Distribution.of(dict(zip(C.rows, chances, strict=True)))))
        if 0 in wrong:
            least = min(least, Fraction(weights[0], total))
    return 1 - least, TabledLearner(width, tuple(distributions))


class _Search:
    """The targets added so far, the last program solved over them, and the best learner."""

    def __init__(
        self,
        unknown: LeastPrivateFailure,
        gap: Fraction,
        goal: Fraction | None,
        budget: Budget,
        progress: Progress,
    ) -> None:
        C, samples, m = unknown.concept_class, unknown.samples, len(unknown.concept_class.points)
        self._unknown, self._gap, self._goal = unknown, gap, goal
        self._budget, self._progress = budget, progress
        self._moves = class_symmetries(C)
        self._leaders = [f for f in C.rows if f == min(move.function(f) for move in self._moves)]
        factor = rational(unknown.epsilon.exp())
        self._asked = m, samples, unknown.accuracy, factor, self._moves
        check_variables(m, samples)
        self._number = (comb(2 * m + samples - 1, samples) << m) / len(self._moves)
        self._targets = list[Hard]()
        self._program: LearningProgram | None = None
        self._solution: LearningSolution | None = None
        self._upper = Fraction(1)
        self._learner: TabledLearner | None = None

    def _whole(self) -> LearningProgram:
        """Return the program over all learners."""
        if not self._unknown.delta and self._number <= _EXACT:
            program = LearningProgram(*self._asked)
            if program.size <= _EXACT:
                return program
        return self._lazy(balanced=False)

    def _lazy(self, *, balanced: bool) -> ApproximateProgram:
        """Return a program to which privacy inequalities are added when they are violated."""
        return ApproximateProgram(*self._asked, self._unknown.delta, self._goal, balanced=balanced)

    def run(self) -> None:
        """Add targets until the bounds are close, or on the same side of the goal."""
        m = self._asked[0]
        even, distributions = (Fraction(1, m),) * m, near_the_accuracy(m, self._unknown.accuracy)
        self._targets = [(concept, even) for concept in self._leaders]
        near = [(concept, D) for concept in self._leaders for D in distributions]
        if self._goal is not None and self._number > _LARGE:
            self._targets += near
            if self._reached(self._lazy(balanced=True), self._goal):
                return
        self._program = program = self._whole()
        if isinstance(program, ApproximateProgram):
            self._targets += [each for each in near if each not in self._targets]
        self._close_in(program)

    def _reached(self, program: ApproximateProgram, goal: Fraction) -> bool:
        """Return whether some learner of a program attains the goal.

        Targets added on the way are kept.
        """
        while True:
            solution = program.solve(self._targets, self._budget, exactly=False)
            if solution.value > goal:
                return False
            added = self._worst(solution, self._gap / 2, 1 - goal)
            self._progress(Fraction(0), self._upper)
            if self._upper <= goal:
                return True
            fresh = [each for each in added if each not in self._targets]
            if not fresh:
                return False
            self._targets += fresh

    def _close_in(self, program: LearningProgram) -> None:
        targets, small, goal = self._targets, program.size <= _EXACT, self._goal
        # of many inequalities floats rarely find the very basis, and sides are told without it
        exactly = small and not isinstance(program, ApproximateProgram)
        close, enough = self._gap, None if goal is None else 1 - goal
        while True:
            self._solution = solution = program.solve(targets, self._budget, exactly=exactly)
            added = self._worst(solution, close / 2, enough)
            lower, upper = solution.value, self._upper
            self._progress(lower, upper)
            fresh = [each for each in added if each not in targets]
            if goal is not None and lower <= goal < upper:
                close = close / 16 if upper - lower <= close else close
            elif goal is not None or upper - lower <= close:
                if goal is not None or exactly or not small:
                    return
                fresh = []
            if not fresh and enough is not None:
                enough = None  # what was found in haste is known already: look closely from now on
            elif (not fresh or close < self._gap) and small and not exactly:
                exactly = True
            elif not fresh or close < self._gap / _FINEST:
                return
            targets += fresh

    def _worst(
        self, solution: LearningSolution, gap: Fraction, enough: Fraction | None
    ) -> list[Hard]:
        """Return targets on which a learner fails more often than on the targets of its program."""
        worst, added = solution.value, list[Hard]()
        for concept in self._leaders:
            success = self._success(concept, solution.learner)
            worst = max(worst, 1 - success.bound(gap, self._budget, enough))
            if 1 - success.least > solution.value:
                added.append((concept, success.worst))
        if self._learner is None or worst < self._upper:
            self._upper, self._learner = worst, solution.learner
        return added

    def _success(self, concept: int, learner: TabledLearner) -> LeastSuccess:
        return LeastSuccess(concept, learner, self._unknown.samples, self._unknown.accuracy)

    def result(self) -> LeastPrivateFailure:
        """Return the bounds, with a coarsest sufficient subdivision for each concept."""
        lower, targets, flows = Fraction(0), list[WeightedTarget](), list[Flow]()
        learner = self._learner
        if self._program is not None and self._solution is not None:
            lower, targets, flows = self._program.proof(self._solution)
            learner = learner or self._solution.learner
        if learner is None:
            return self._unknown.without_upper()
        trees, least = dict[int, Subdivision](), Fraction(1)
        for leader in self._leaders:
            tree, proved = self._success(leader, learner).subdivide(1 - self._upper)
            least = min(least, proved)
            for move in self._moves:
                trees[move.function(leader)] = moved_corners(tree, move.places)
        return replace(
            self._unknown,
            lower=lower,
            upper=1 - least,
            targets=tuple(targets),
            flows=tuple(flows),
            learner=learner,
            subdivisions=tuple(trees[f] for f in self._unknown.concept_class.rows),
        )


@frozen
class PrivateSampleComplexity(Answer[int]):
    """Bounds on the minimum number of examples for learning a class privately.

    Attributes
    ----------
    concept_class : ConceptClass
        The class to learn.
    failure : Fraction
        Allowed failure probability.
    lower : int
        Every private learner with fewer examples exceeds the allowed failure.
    upper : int or None
        Some private learner with this number of examples has at most the allowed failure; None if
        no such learner with at most ``limit`` examples was found.
    impossible : LeastPrivateFailure or None
        Proof that ``lower - 1`` examples do not suffice; None if ``lower`` is 0.
    possible : LeastPrivateFailure or None
        Proof that ``upper`` examples suffice; None if ``upper`` is None.
    accuracy : Fraction
        Largest error that does not count as a failure.
    epsilon : Epsilon
        Privacy parameter epsilon. If ``e^epsilon`` is irrational, it is replaced by a larger
        rational number in ``impossible``, and by a smaller one in ``possible``.
    reason : str
        Reason why larger samples were not tried; empty if ``limit`` was reached or a learner was
        found.
    delta : Fraction
        Privacy parameter delta; 0 for pure privacy.
    """

    question = "the least number of examples of private learners"
    asked = ("concept_class", "accuracy", "failure", "epsilon", "delta")

    quantity: ClassVar[str] = "the least number of examples"

    concept_class: ConceptClass
    failure: Fraction
    lower: int
    upper: int | None
    impossible: LeastPrivateFailure | None
    possible: LeastPrivateFailure | None
    accuracy: Fraction
    epsilon: Epsilon
    reason: str = ""
    delta: Fraction = Fraction(0)

    def without_upper(self) -> Self:
        """Return the result without the learner, whose check takes longest."""
        reason = f"the learner found with {self.upper} examples has not been checked"
        return self if self.upper is None else replace(
            self, upper=None, possible=None, reason=reason
        )  # fmt: skip

    def certificate(self) -> Certificate | Certificates:
        """Return the certificate, or two (one for each bound) if ``e^epsilon`` is irrational.

        In the second case, the certificate of the lower bound is about a rational number above
        ``e^epsilon``, and that of the upper bound about a rational number below it.
        """
        check_written(self.epsilon)
        below, above = _around(self.epsilon)
        few: dict[str, Any] = {"trivial": {}}
        enough: dict[str, Any] | None = None
        if self.impossible is not None:
            check_fields(self.impossible)
            proof = self.impossible.certificate().lower
            few = {"too_few": {"samples": self.impossible.samples, "proof": proof}}
        if self.possible is not None:
            check_fields(self.possible)
            proof = self.possible.certificate().upper
            enough = {"enough": {"samples": self.possible.samples, "proof": proof}}
        if below == above:
            return self._stated(above, self.lower, self.upper, few, enough)
        parts = [self._stated(above, self.lower, None, few, None)]
        if (self.upper, enough) != (None, None):
            parts.append(self._stated(below, None, self.upper, None, enough))
        return Certificates(tuple(parts))

    def _stated(
        self,
        factor: Fraction,
        lower: int | None,
        upper: int | None,
        *proofs: dict[str, Any] | None,
    ) -> Certificate:
        kind, instance = "private_sample_complexity", self.concept_class.to_json()
        own: dict[str, Any] = {"hypotheses": None}
        if self.delta:
            kind, own = "approximate_sample_complexity", {"delta": encode_fraction(self.delta)}
        statement = {
            **own,
            "accuracy": encode_fraction(self.accuracy),
            "failure": encode_fraction(self.failure),
            "factor": encode_fraction(factor),
            "lower": lower,
            "upper": upper,
        }
        return Certificate(kind, instance, statement, *proofs)


@checked_types
def private_sample_complexity(  # noqa: PLR0913 - what is asked, and how far
    concept_class: ClassLike,
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    trying: Callable[[int], None] | None = None,
    limit: int = 3,
    delta: Fraction | int | str = 0,
) -> PrivateSampleComplexity:
    """Bound the minimum number of examples of an ``(epsilon, delta)``-private learner.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        The class to learn, with about 3 points at most.
    accuracy, failure : Fraction, int or str
        For each concept and distribution, the error of a learner is at most ``accuracy``, except
        with probability ``failure``. Hypotheses are arbitrary functions.
    epsilon : Epsilon, int, Fraction or str
        Privacy parameter epsilon. If ``e^epsilon`` is irrational, the bounds are proved for
        rational numbers within 1/1000 of it.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the bounds proved so far. If a limit is given, an
        interrupt (Ctrl-C) has the same effect.
    progress : callable, optional
        Called with bounds on the minimum failure for the current number of examples.
    trying : callable, optional
        Called with the current number of examples.
    limit : int
        Largest number of examples to try.
    delta : Fraction, int or str
        Privacy parameter delta, from 0 (pure privacy) to 1 (every learner is private).

    Raises
    ------
    InstanceTooLargeError
        If the linear program is too large for one example, or a rational number near ``e^epsilon``
        is too long. If the program becomes too large later, the bounds proved so far are returned,
        with the reason.

    Examples
    --------
    >>> from ccsim import points
    >>> result = private_sample_complexity(points(1), "1/4", "1/6", "ln 3")
    >>> result.lower, result.upper
    (2, 2)
    >>> pair = "some_functions:n=2,chosen=3"
    >>> pure = private_sample_complexity(pair, "1/4", "1/3", "ln 3", limit=4)
    >>> approximate = private_sample_complexity(pair, "1/4", "1/3", "ln 3", limit=4, delta="1/10")
    >>> pure.value, approximate.value
    (4, 3)
    """
    allowed = as_fraction(failure, "failure", 0, 1)
    accurate, bound = as_fraction(accuracy, "accuracy", 0, 1), Epsilon.of(epsilon)
    slack = as_fraction(delta, "delta", 0, 1)
    if limit < 1:
        raise DomainError(f"limit must be at least 1, not {limit}")
    budget = Budget.of(time_limit)
    concept_class = as_class(concept_class, budget)
    check_variables(len(concept_class.points), 1, MAX_ENTRIES)
    check_written(bound)
    below, above = _around(bound)

    def search(samples: int, factor: Fraction) -> LeastPrivateFailure:
        return least_private_failure(
            concept_class, samples, accurate, Epsilon(Fraction(0), factor),
            time_limit=budget, progress=progress, target=allowed, delta=slack,
        )  # fmt: skip

    lower, impossible, reason = 0, None, ""
    for samples in range(limit + 1):
        if samples and budget.expired:
            tried = counted(samples - 1, "example", "examples")
            reason = f"the time limit was reached with {tried}"
            break
        if trying is not None:
            trying(samples)
        try:
            found = search(samples, above)
            if found.lower > allowed:
                lower, impossible = samples + 1, found
                continue
            found = found if above == below else search(samples, below)
        except InstanceTooLargeError as error:
            reason = str(error)
            break
        if found.upper <= allowed:
            return PrivateSampleComplexity(
                concept_class, allowed, lower, samples, impossible, found, accurate, bound,
                delta=slack,
            )  # fmt: skip
    return PrivateSampleComplexity(
        concept_class, allowed, lower, None, impossible, None, accurate, bound, reason, slack
    )


def _around(epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Return ``e^epsilon`` twice if it is rational, otherwise fractions below and above it."""
    factor = epsilon.exp()
    if isinstance(factor, Fraction):
        return factor, factor
    ends = factor.enclose()
    return Fraction(floor(ends.lower * _UNIT), _UNIT), Fraction(ceil(ends.upper * _UNIT), _UNIT)
