"""RecConcave as a learner of thresholds (`bns` section 3.4, LearnThresholds)."""

from __future__ import annotations

from fractions import Fraction

from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.exact.steps import StepFunction
from ccsim.learning.learners.thresholds.exponential import PRECISION, ThresholdLearner
from ccsim.learning.learners.thresholds.two_calls import TwoCallRun, least_proved_size
from ccsim.learning.sample_size import (
    log_star,
    threshold_sample_size,
    uniform_convergence_size,
)
from ccsim.privacy.mechanisms.range_choice import RangeLaw
from ccsim.privacy.mechanisms.recursion_trace import RecursionTrace, trace_of_draw
from ccsim.privacy.mechanisms.recursive_concave import RecConcave

ACCOUNTINGS = ("counted", "printed")
"""How the parameters of the steps add up to those of the whole."""


@validated
class RecConcaveThresholdLearner(ThresholdLearner):
    """LearnThresholds: RecConcave with the number of examples as the promise (`bns` section 3.4).

    Attributes
    ----------
    delta : Fraction
        Of the whole; positive and below 1/2.
    depth : int
        ``N``, calls that are allowed; at least 1.
    accounting : str
        ``counted``: every step has its share of the budget, where the innermost call is one
        mechanism and the exponential mechanism has no delta. ``printed``: as in the paper, every
        step has ``epsilon / (3 N)`` and ``delta / (3 N)``.
    split : tuple of (Fraction, Fraction, Fraction)
        Weights of the innermost call, of each choice of an interval and of each last step, for the
        counted epsilon.
    choice : str
        How an interval is chosen; see `release_probability`. With ``printed`` every choice is
        counted at what it needs, twice its epsilon and ``e^(2 epsilon) / 2`` of its delta.
    run_accuracy : Fraction, optional
        The accuracy that RecConcave is run with, instead of half of that of the learner: more of it
        widens the gap that the choices see, less of it helps the last step. Only where there are at
        most two calls; see `best_split`.

    Examples
    --------
    >>> import numpy as np
    >>> tenth, delta = Fraction(1, 10), Fraction(1, 10**6)
    >>> learner = RecConcaveThresholdLearner(tenth, tenth, Epsilon.of(1), 64, 0, delta)
    >>> learned = learner.learn([(5, 1), (2**63, 0)] * 5000, np.random.default_rng(0))
    >>> 5 < learned.concept.place <= 2**63, float(learned.failure.upper) < 1e-6
    (True, True)
    >>> str(learner.algorithm(1).epsilon), str(learner.algorithm(1).delta), learner.theorem_size
    ('1/4', '1/2000000', 3118553)
    """

    delta: Fraction = Fraction(1, 10**6)
    depth: int = 2
    accounting: str = "counted"
    split: tuple[Fraction, Fraction, Fraction] = (Fraction(1), Fraction(1), Fraction(1))
    choice: str = "corrected"
    run_accuracy: Fraction | None = None

    def __post_init__(self) -> None:
        ThresholdLearner.__post_init__(self)
        if not 0 < self.delta < Fraction(1, 2):
            raise DomainError(f"delta must lie strictly between 0 and 1/2, not {self.delta}")
        if self.depth < 1:
            raise DomainError(f"depth must be at least 1, not {self.depth}")
        if self.accounting not in ACCOUNTINGS:
            names = ", ".join(ACCOUNTINGS)
            raise DomainError(f"accounting must be one of {names}, not {self.accounting!r}")
        if min(self.split) <= 0:
            raise DomainError(f"weights of the split must be positive, not {min(self.split)}")
        if self.accounting == "printed" and len(set(self.split)) > 1:
            raise DomainError("split must be equal where the accounting is the printed one")
        if self.run_accuracy is not None:
            if not 0 < self.run_accuracy <= Fraction(1, 2):
                raise DomainError(
                    f"accuracy of the run must be positive and at most 1/2, not {self.run_accuracy}"
                )
            if self.calls > 2:
                raise DomainError(
                    "accuracy of the run can be chosen where there are at most 2 calls, not "
                    f"{self.calls}"
                )
        self.algorithm(1)  # refuses parameters of the steps that make no sense

    @property
    def calls(self) -> int:
        """Calls that happen on this range, at most `depth`."""
        one = Fraction(1)
        bare = RecConcave(one, self.accuracy / 2, Epsilon(one), self.delta, self.depth)
        return bare.calls(1 << self.bits)

    @property
    def theorem_size(self) -> int:
        """Of Theorem 3.18, where no step has less epsilon than with the printed accounting.

        Otherwise it is that of the epsilon whose printed shares are the least share. If the
        accuracy of the run is chosen, it is the size that `proved_failure` gives.
        """
        if self.run_accuracy is not None:
            return max(
                least_proved_size(self.run, self.failure / 2),
                uniform_convergence_size(self.accuracy, self.failure),
            )
        share = Fraction(1)
        if self.accounting == "counted":
            inner, choice, last = self.split
            whole = inner + (self.calls - 1) * (2 * choice + last)
            share = min(share, min(self.split) / whole * 3 * self.depth)
        depth = min(self.depth, log_star(1 << self.bits))
        return threshold_sample_size(
            self.accuracy, self.failure, self.epsilon * share, self.delta, self.bits, depth
        )

    @property
    def run(self) -> TwoCallRun:
        """The parameters of the steps, where the recursion has at most two calls."""
        algorithm = self.algorithm(1)
        return TwoCallRun(
            self.bits,
            self.accuracy / 2,
            algorithm.accuracy,
            algorithm.epsilon,
            algorithm.choice_epsilon or algorithm.epsilon,
            algorithm.last_epsilon or algorithm.epsilon,
            algorithm.delta,
            self.choice,
        )

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon, and delta unless no interval is ever chosen; of printed choices, as they need.

        With them epsilon is larger than asked for, and so may delta be; see `choice_privacy`.
        """
        if self.calls == 1:
            return self.epsilon, Fraction(0)
        if self.choice != "printed":
            return self.epsilon, self.delta
        return self.algorithm(1).privacy(1 << self.bits)

    def algorithm(self, size: int) -> RecConcave:
        """Return what runs on so many examples, with the parameters of every step."""
        calls = self.calls
        if self.accounting == "printed":
            each = self.epsilon / (3 * self.depth)
            shares, delta = (each, each, each), self.delta / (3 * self.depth)
        else:
            inner, choice, last = self.split
            whole = inner + (calls - 1) * (2 * choice + last)
            first, second, third = (self.epsilon * (part / whole) for part in self.split)
            shares, delta = (first, second, third), self.delta / max(2 * (calls - 1), 1)
        return RecConcave(
            Fraction(size),
            self.run_accuracy or self.accuracy / 2,
            shares[0],
            delta,
            self.depth,
            variant=self.choice,
            choice_epsilon=shares[1],
            last_epsilon=shares[2],
        )

    def law(self, agreement: StepFunction, size: int) -> RangeLaw:
        """Return the law of the place."""
        return self.algorithm(size).law(agreement, PRECISION)

    def draw(
        self, law: RangeLaw, agreement: StepFunction, size: int, rng: Randomness = SYSTEM
    ) -> tuple[int, RecursionTrace]:
        """Draw a place step by step, and say what every call did."""
        trace = trace_of_draw(self.algorithm(size), agreement, rng, PRECISION)
        return trace.calls[0].output or 0, trace
