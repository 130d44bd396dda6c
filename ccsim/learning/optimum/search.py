"""The least failure of any private learner of a tiny class, by linear programming over mechanisms.

There are infinitely many distributions over points: those that hurt most are added one by one. The
linear program over the targets added so far bounds the failure of *every* private learner from
below; its solution is a private learner, whose failure over *all* distributions is enclosed by
subdividing their simplex.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Exponential, rational
from ccsim.learning.learners.occam import TabledLearner
from ccsim.learning.optimum.approximate_program import ApproximateProgram
from ccsim.learning.optimum.bounds import Flow, LeastPrivateFailure, WeightedTarget
from ccsim.learning.optimum.least_success import LeastSuccess
from ccsim.learning.optimum.program import LearningProgram, LearningSolution, check_variables
from ccsim.learning.optimum.rows import Hard, near_the_accuracy
from ccsim.learning.optimum.subdivisions import Subdivision, moved_corners
from ccsim.learning.optimum.symmetries import class_symmetries

_EXACT = 100
"""Programs with at most so many variables are solved exactly, others in floats that are rounded."""
_LARGE = 1000
"""With more variables a private learner is looked for among those alone that use balances."""
_FINEST = 1 << 10
"""So much closer than asked for the bounds may be needed to decide on which side the target is."""


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
    """Bound the least failure probability of an ``(epsilon, delta)``-private learner of a class.

    A learner fails on a concept and a distribution if its hypothesis has error above ``accuracy``.
    Hypotheses are arbitrary functions (improper learning).

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At most 3 points or so.
    samples : int
        Examples of the learner, at least 0.
    accuracy : Fraction, int or str
        At least 0, below 1.
    epsilon : Epsilon, Fraction, int or str
        With ``e^epsilon`` rational, such as ``"ln 2"``.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the bounds that it has. With a limit, however
        large, an interrupt (Ctrl-C) stops it likewise.
    progress : callable, optional
        Called with both bounds after every round.
    gap : Fraction, int or str
        Positive; the search ends when the bounds are so close.
    target : Fraction, int or str, optional
        The search also ends when it is known whether the least failure is at most this.
    delta : Fraction, int or str
        From 0, for pure privacy, to 1, where any learner is private.

    Returns
    -------
    LeastPrivateFailure

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
        raise DomainError("the class must have a point")
    if not concept_class.rows:
        raise DomainError("the class must have a concept")
    if isinstance(bound.exp(), Exponential):
        raise DomainError(f"e^epsilon must be rational, as for 'ln 3', not e^({bound})")
    search = _Search(concept_class, samples, allowed, bound, slack, goal, budget)
    with budget, budget.heard():
        search.run(close, goal, progress)
    return search.result()


class _Search:
    """The targets added so far, the last program solved over them, and the best learner."""

    def __init__(
        self,
        concept_class: ConceptClass,
        samples: int,
        accuracy: Fraction,
        epsilon: Epsilon,
        delta: Fraction,
        goal: Fraction | None,
        budget: Budget,
    ) -> None:
        self._class, self._samples, self._accuracy = concept_class, samples, accuracy
        self._epsilon, self._delta, self._budget = epsilon, delta, budget
        self._moves = class_symmetries(concept_class)
        self._leaders = [
            f for f in concept_class.rows if f == min(move.function(f) for move in self._moves)
        ]
        m = len(concept_class.points)
        self._asked = m, samples, accuracy, rational(epsilon.exp()), self._moves
        check_variables(m, samples)
        self._number = (comb(2 * m + samples - 1, samples) << m) / len(self._moves)
        self._goal, self._targets = goal, list[Hard]()
        self._program: LearningProgram | None = None
        self._solution: LearningSolution | None = None
        self._best: tuple[Fraction, TabledLearner] | None = None

    def _whole(self) -> LearningProgram:
        """Return the program over all learners."""
        if not self._delta and self._number <= _EXACT:
            program = LearningProgram(*self._asked)
            if program.size <= _EXACT:
                return program
        return self._lazy(balanced=False)

    def _lazy(self, *, balanced: bool) -> ApproximateProgram:
        """Return one that writes the inequalities that are broken."""
        return ApproximateProgram(*self._asked, self._delta, self._goal, balanced=balanced)

    def run(
        self,
        gap: Fraction,
        target: Fraction | None,
        progress: Callable[[Fraction, Fraction], None] | None,
    ) -> None:
        """Add targets until the bounds are close, or on one side of the target.

        If learners that use nothing but balances reach the target, there is no bound from below.
        """
        m = len(self._class.points)
        even, laws = (Fraction(1, m),) * m, near_the_accuracy(m, self._accuracy)
        self._targets = [(concept, even) for concept in self._leaders]
        near = [(concept, D) for concept in self._leaders for D in laws]
        if target is not None and self._number > _LARGE:
            self._targets += near
            if self._reached(self._lazy(balanced=True), target, gap, progress):
                return
        self._program = program = self._whole()
        if isinstance(program, ApproximateProgram):
            self._targets += [each for each in near if each not in self._targets]
        self._close_in(program, gap, target, progress)

    def _reached(
        self,
        program: ApproximateProgram,
        target: Fraction,
        gap: Fraction,
        progress: Callable[[Fraction, Fraction], None] | None,
    ) -> bool:
        """Look for a learner that reaches the target among some; the targets added stay."""
        while True:
            solution = program.solve(self._targets, self._budget, exactly=False)
            if solution.value > target:
                return False
            added = self._worst(solution, gap / 2, 1 - target)
            upper = (self._best or (Fraction(1),))[0]
            if progress is not None:
                progress(Fraction(0), upper)
            if upper <= target:
                return True
            fresh = [each for each in added if each not in self._targets]
            if not fresh:
                return False
            self._targets += fresh

    def _close_in(
        self,
        program: LearningProgram,
        gap: Fraction,
        target: Fraction | None,
        progress: Callable[[Fraction, Fraction], None] | None,
    ) -> None:
        targets, small = self._targets, program.size <= _EXACT
        # of many inequalities floats rarely find the very basis, and sides are told without it
        exactly = small and not isinstance(program, ApproximateProgram)
        close, enough = gap, None if target is None else 1 - target
        while True:
            self._solution = solution = program.solve(targets, self._budget, exactly=exactly)
            added = self._worst(solution, close / 2, enough)
            lower, upper = solution.value, (self._best or (Fraction(1),))[0]
            if progress is not None:
                progress(lower, upper)
            fresh = [each for each in added if each not in targets]
            if target is not None and lower <= target < upper:
                close = close / 16 if upper - lower <= close else close
            elif target is not None or upper - lower <= close:
                if target is not None or exactly or not small:
                    return
                fresh = []
            if not fresh and enough is not None:
                enough = None  # what was found in haste is known already: look closely from now on
            elif (not fresh or close < gap) and small and not exactly:
                exactly = True
            elif not fresh or close < gap / _FINEST:
                return
            targets += fresh

    def _worst(
        self, solution: LearningSolution, gap: Fraction, enough: Fraction | None
    ) -> list[Hard]:
        """Return targets on which a learner fails more often than on those of its program."""
        worst, added = solution.value, list[Hard]()
        for concept in self._leaders:
            success = LeastSuccess(concept, solution.learner, self._samples, self._accuracy)
            worst = max(worst, 1 - success.bound(gap, self._budget, enough))
            if 1 - success.least > solution.value:
                added.append((concept, success.worst))
        if self._best is None or worst < self._best[0]:
            self._best = worst, solution.learner
        return added

    def result(self) -> LeastPrivateFailure:
        """Return the bounds with a subdivision for each concept, no finer than they need."""
        lower, targets, flows = Fraction(0), list[WeightedTarget](), list[Flow]()
        if self._program is not None and self._solution is not None:
            lower, targets, flows = self._program.proof(self._solution)
            failure, learner = self._best or (Fraction(1), self._solution.learner)
        elif self._best is not None:
            failure, learner = self._best
        else:
            return self._nothing().without_upper()
        trees, least = dict[int, Subdivision](), Fraction(1)
        for leader in self._leaders:
            success = LeastSuccess(leader, learner, self._samples, self._accuracy)
            tree, proved = success.subdivide(1 - failure)
            least = min(least, proved)
            for move in self._moves:
                trees[move.function(leader)] = moved_corners(tree, move.places)
        return LeastPrivateFailure(
            self._class, self._samples, self._accuracy, self._epsilon,
            lower, 1 - least, tuple(targets), tuple(flows), learner,
            tuple(trees[f] for f in self._class.rows), self._delta,
        )  # fmt: skip

    def _nothing(self) -> LeastPrivateFailure:
        """Return what is known before the first program has been solved, without a learner."""
        learner = TabledLearner(len(self._class.points), ())
        return LeastPrivateFailure(
            self._class, self._samples, self._accuracy, self._epsilon,
            Fraction(0), Fraction(1), (), (), learner, (), self._delta,
        )  # fmt: skip
