"""The least failure of ``(epsilon, delta)``-private learners of a tiny class, with certificates.

The program of `ccsim.learning.optimum.program` with a variable for each hypothesis and each two
neighbouring samples, which is at least what the factor leaves of the probability: these sum to
``delta`` at most. Its solution in floats is rounded, and made a proof again, on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from ccsim.appearance import one_line
from ccsim.border import checked_types
from ccsim.budget import Budget, OutOfTimeError, TimeLimit
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Exponential, rational
from ccsim.exact.law import Law
from ccsim.learning.learners.occam import labelled_examples
from ccsim.learning.learners.tabled import TabledLearner
from ccsim.learning.optimum.least_success import LeastSuccess
from ccsim.learning.optimum.orbits import Orbits
from ccsim.learning.optimum.program import (
    Hard,
    LearningProgram,
    Row,
    added_terms,
    check_variables,
    coarse_row,
)
from ccsim.learning.optimum.rounding import private_laws
from ccsim.learning.optimum.symmetries import class_symmetries
from ccsim.learning.worst_failure import WorstFailure, worst_failure
from ccsim.privacy.audit import audit
from ccsim.privacy.audit_result import AuditResult
from ccsim.programs import LinearProgram, ProgramBounds
from ccsim.programs.float_basis import suggest
from ccsim.programs.integer_program import IntegerProgram

__all__ = ["LeastApproximateFailure", "least_approximate_failure"]

MAX_EXCESSES = 60_000
"""Most variables for what the factor leaves of probabilities."""
_UNIT = 1 << 40


@one_line
@dataclass(frozen=True, slots=True)
class LeastApproximateFailure:
    """Bounds on the least failure of ``(epsilon, delta)``-private learners with so many examples.

    Each of the three parts has a `check` and a certificate of its own.

    Attributes
    ----------
    program : ProgramBounds
        Prices of the linear program over these learners up to symmetry, for some targets. That the
        program is that of the class, its certificate does not say.
    worst : WorstFailure
        A learner and its failure.
    privacy : AuditResult
        That this learner is private.
    """

    program: ProgramBounds
    worst: WorstFailure
    privacy: AuditResult

    @property
    def lower(self) -> Fraction:
        """No private learner fails less on all targets."""
        return self.program.lower or Fraction(0)

    @property
    def upper(self) -> Fraction:
        """The learner fails at most so often on each target."""
        return self.worst.upper


class _Program(LearningProgram):
    """The program with excesses; the failure stands between the probabilities and these."""

    def __init__(
        self, concept_class: ConceptClass, samples: int, accuracy: Fraction, factor: Fraction,
        delta: Fraction,
    ) -> None:  # fmt: skip
        self._m, self._n, self._accuracy, self._factor = (
            len(concept_class.points), samples, accuracy, factor,
        )  # fmt: skip
        self._moves = class_symmetries(concept_class)
        self._orbits = Orbits(self._m, samples, self._moves)
        rests = Orbits(self._m, samples - 1, self._moves).leaders if samples else []
        self._examples, self._delta = labelled_examples(self._m), delta
        self._pairs = {
            (tuple(self._orbits.law(S)), tuple(self._orbits.law(T)))
            for rest in rests
            for S, T in permutations((tuple(sorted((*rest, z))) for z in self._examples), 2)
        }
        if (number := len(self._pairs) << self._m) > MAX_EXCESSES:
            raise InstanceTooLargeError(f"{number} variables are above the limit of {MAX_EXCESSES}")

    @property
    def size(self) -> int:
        return len(self._orbits.firsts) + 1

    def rows(self) -> list[Row]:
        """Return the constraints, those of privacy by pairs of laws."""
        found, (a, b) = list(self._laws()), self._factor.as_integer_ratio()
        (p, q), excess = self._delta.as_integer_ratio(), self.size
        for first, second in sorted(self._pairs):
            for o, r in zip(first, second, strict=True):
                found.append((added_terms([(o, -b), (r, a), (excess, b)]), 0, None))
                excess += 1
            found.append((dict.fromkeys(range(excess - len(first), excess), -q), -p, None))
        return found

    def is_private(self, p: Sequence[int]) -> bool:
        """Decide whether laws, in parts of a unit, are private."""
        (a, b), total = self._factor.as_integer_ratio(), 0
        law = self._orbits.law(self._orbits.leaders[0])
        total = sum(p[o] for o in law)
        return all(
            sum(max(0, b * p[o] - a * p[r]) for o, r in zip(*pair, strict=True))
            <= self._delta * b * total
            for pair in self._pairs
        )

    def bounds(
        self, targets: Sequence[Hard], budget: Budget
    ) -> tuple[ProgramBounds, TabledLearner]:
        """Return the program for some targets with prices, and nearly the best learner."""
        rows, asked = self.rows(), [self._success(*target) for target in targets]
        last, columns = self.size - 1, self.size + (len(self._pairs) << self._m)
        cost = [int(j == last) for j in range(columns)]
        every = [*rows, *map(coarse_row, asked)]
        lower, upper = [0] * columns + [row[1] for row in every], [row[2] for row in every]
        program = IntegerProgram.from_rows(
            [row[0] for row in every], cost, lower, [None] * columns + upper
        )
        found = next((s for s in suggest(program, budget) if s.optimal), None)
        if found is None:
            raise OutOfTimeError
        laws = [self._orbits.law(S) for S in self._orbits.leaders]
        primal = private_laws(found.x[:last], laws, self.is_private)
        table = ((S, self._orbits.law(S)) for S in self._orbits.samples)
        learner = TabledLearner(
            self._m,
            tuple((S, Law[int].of({h: primal[o] for h, o in enumerate(os)})) for S, os in table),
        )
        units = [1] * len(rows) + [every[-1][1]] * len(asked)
        prices = [
            Fraction(round(Fraction(y) * u * _UNIT), _UNIT)
            for y, u in zip(found.y, units, strict=True)
        ]
        equal = len(self._orbits.leaders)
        prices = [y if i < equal else max(y, Fraction(0)) for i, y in enumerate(prices)]
        whole: list[tuple[Mapping[int, int | Fraction], str, int]] = [
            *((row, "=" if i < equal else ">=", side) for i, (row, side, _) in enumerate(rows)),
            *(({o: Fraction(c, u) for o, c in row.items()}, ">=", 1) for row, u, _ in asked),
        ]
        stated = LinearProgram.minimise(cost, whole, 0, 1)
        return ProgramBounds(stated, _bound(stated, prices), None, None, tuple(prices)), learner


def _bound(program: LinearProgram, prices: Sequence[Fraction]) -> Fraction:
    """Return what prices prove of a program whose variables are between 0 and 1."""
    rest, total = list(program.objective), Fraction(0)
    for price, constraint in zip(prices, program.constraints, strict=True):
        if price:
            total += price * constraint.bound
            for j, c in constraint.terms:
                rest[j] -= price * c
    return total + sum((min(c, Fraction(0)) for c in rest), Fraction(0))


class _Search:
    """The last program solved, and the best learner found with its failure."""

    def __init__(
        self, C: ConceptClass, program: _Program, accuracy: Fraction, gap: Fraction
    ) -> None:
        self._class, self._program, self._accuracy, self._gap = C, program, accuracy, gap
        self.proved: ProgramBounds | None = None
        self.best: tuple[Fraction, TabledLearner] | None = None

    def run(self, samples: int, goal: Fraction | None, budget: Budget) -> None:
        """Add targets until the bounds are close, or on one side of the goal."""
        m, moves = len(self._class.points), class_symmetries(self._class)
        leaders = [f for f in self._class.rows if f == min(g.function(f) for g in moves)]
        targets: list[Hard] = [(f, (Fraction(1, m),) * m) for f in leaders]
        fresh = targets
        while fresh:
            proved, learner = self._program.bounds(targets, budget)
            lower, worst, fresh = proved.lower or Fraction(0), Fraction(0), []
            if self.proved is None or lower > (self.proved.lower or Fraction(0)):
                self.proved = proved
            for f in leaders:
                success = LeastSuccess(f, learner, samples, self._accuracy)
                worst = max(worst, 1 - success.bound(self._gap / 4, budget))
                if 1 - success.least > lower and (f, success.worst) not in targets:
                    fresh.append((f, success.worst))
            if self.best is None or worst < self.best[0]:
                self.best = worst, learner
            upper = self.best[0]
            if upper - lower <= self._gap or (goal is not None and not lower <= goal < upper):
                return
            targets = [*targets, *fresh]


@checked_types
def least_approximate_failure(  # noqa: PLR0913 - what is asked, and when to stop
    concept_class: ClassLike,
    samples: int,
    accuracy: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    gap: Fraction | int | str = Fraction(1, 1000),
    target: Fraction | int | str | None = None,
) -> LeastApproximateFailure:
    """Bound the least failure probability of an ``(epsilon, delta)``-private learner of a class.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At most 3 points or so, at least one, and a concept.
    samples : int
        Examples of the learner, at least 1.
    accuracy, delta : Fraction, int or str
        At least 0, at most 1.
    epsilon : Epsilon, Fraction, int or str
        With ``e^epsilon`` rational, such as ``"ln 2"``.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the bounds that it has.
    gap : Fraction, int or str
        Positive; the search ends when the bounds are so close.
    target : Fraction, int or str, optional
        The search also ends when it is known whether the least failure is at most this.

    Raises
    ------
    InstanceTooLargeError
        If there are too many samples, or pairs of them.
    NotDecidedError
        If the time was not enough for a first bound.

    Notes
    -----
    Complexity: float programs with a variable for each function and pair of neighbouring samples up
    to symmetry: seconds for 3 points and 3 examples.

    Examples
    --------
    >>> from ccsim import points
    >>> found = least_approximate_failure(points(1), 1, "1/4", "ln 3", "1/10")
    >>> found.lower <= Fraction(9, 40) <= found.upper + Fraction(1, 10**9)
    True
    """
    allowed, close = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(gap, "gap", 0, 1)
    bound, slack = Epsilon.of(epsilon), as_fraction(delta, "delta", 0, 1)
    goal = None if target is None else as_fraction(target, "target", 0, 1)
    if samples < 1:
        raise DomainError(f"samples must be at least 1, not {samples}")
    if not close:
        raise DomainError("gap must be positive, not 0")
    budget = Budget.of(time_limit)
    C = as_class(concept_class, budget)
    if not C.points or not C.rows:
        raise DomainError("the class must have a point and a concept")
    if isinstance(bound.exp(), Exponential):
        raise DomainError(f"e^epsilon must be rational, as for 'ln 3', not e^({bound})")
    check_variables(len(C.points), samples)
    program = _Program(C, samples, allowed, rational(bound.exp()), slack)
    search = _Search(C, program, allowed, close)
    with budget:
        search.run(samples, goal, budget)
    proved, best = search.proved, search.best
    if proved is None or best is None:
        raise NotDecidedError("no linear program over mechanisms was solved within the time limit")
    failing = worst_failure(best[1], C, samples, allowed, gap=close / 4)
    return LeastApproximateFailure(proved, failing, audit(best[1], bound, slack, samples))
