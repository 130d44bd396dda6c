"""A private learner of lines over ``Z_p^2`` with a number of examples that is independent of ``p``.

`fx` section 5. Hypotheses are numbered in the order of tie-breaking: 0 is the zero function,
``1 + i`` is the function that is 1 only on point ``i``, and ``1 + p**2 + j`` is line ``j`` of
`ccsim.classes.lines`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import numpy as np

from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.fractions import check_prime
from ccsim.learning.learner import Bits, Learner, Points, Sample, choose_by_errors
from ccsim.learning.sample_size import log_ceiling, occam_sample_size
from ccsim.privacy.mechanisms.stable_choice import votes_to_change

_MAX_PRIME = 1 << 10
_MAX_WINDOW = 1 << 12
_BAD = 8  # at most so many block sizes are bad
_ONE = Epsilon(Fraction(1))


@frozen
class LineHypothesis:
    """A hypothesis of the learner of lines, by its number.

    Attributes
    ----------
    p : int
        Order of the field, a prime.
    number : int
        Number of the hypothesis: 0 for the empty set, then the points, then the lines.
    """

    p: int
    number: int

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""
        if self.number <= self.p**2:
            return np.asarray(points.astype(np.int64) == self.number - 1, dtype=np.bool_)
        a, b = divmod(self.number - 1 - self.p**2, self.p)
        x, y = np.divmod(points.astype(np.int64), self.p)
        return np.asarray((a * x + b) % self.p == y, dtype=np.bool_)

    def __str__(self) -> str:
        if self.number == 0:
            return "zero"
        if self.number <= self.p**2:
            return "point ({},{})".format(*divmod(self.number - 1, self.p))
        return "{}x+{}".format(*divmod(self.number - 1 - self.p**2, self.p))


def basic_line_hypothesis(p: int, positives: Sequence[int]) -> int:
    """Return the number of the basic learner's hypothesis for the distinct positive points.

    No line of the class contains two points of one column; for such points the answer is the zero
    function.
    """
    if not positives:
        return 0
    if len(positives) == 1:
        return 1 + positives[0]
    (x, y), (u, v) = (divmod(point, p) for point in sorted(positives)[:2])
    if x == u:
        return 0
    slope = (v - y) * pow(u - x, -1, p) % p
    return 1 + p * p + p * slope + (y - slope * x) % p


@validated
class StableLineLearner(Learner):
    """One run of `LineLearner`: return a basic learner's most frequent answer, if it is stable.

    The sample is divided into blocks, and the basic learner answers on each block. The most
    frequent answer is *stable* if it remains the most frequent one unless many answers change. The
    test for this uses noise; if the answer fails the test, the run returns the zero function.

    Attributes
    ----------
    delta : Fraction
        Privacy parameter delta, above 0 and at most 1/2.
    p : int
        Order of the field, a prime.
    window : int, optional
        Number of consecutive powers of two from which the block size is drawn. The default is
        ``ceil(16 / failure)``, for which the guarantee is proved. With 8 or fewer block sizes, the
        answers of the blocks may be unstable. (Claim 17 (=6.3) as printed has 3 instead of 8, which
        is false.)
    """

    delta: Fraction
    p: int
    window: int = 0

    def __post_init__(self) -> None:
        Learner.__post_init__(self)
        if not 0 < self.delta <= Fraction(1, 2):
            raise DomainError(f"delta must be positive and at most 1/2, not {self.delta}")
        if self.p > _MAX_PRIME:
            raise DomainError(
                f"lines: p must be a prime number, at most {_MAX_PRIME}, not {self.p}"
            )
        check_prime("lines: p", self.p)
        if self.window < 0:
            raise DomainError(f"window must be at least 0, not {self.window}")
        if len(self.exponents) > _MAX_WINDOW:
            raise InstanceTooLargeError(
                f"block sizes must be drawn from at most {_MAX_WINDOW} powers of two; set a "
                "smaller window"
            )

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """The privacy parameters ``(epsilon, delta)``."""
        return self.epsilon, self.delta

    @property
    def exponents(self) -> range:
        """Exponents of the possible block sizes, which are powers of 2 and equally likely."""
        least = log_ceiling(1 / self.accuracy, Fraction(3, 2), _ONE)
        first = (least - 1).bit_length()  # 2**first >= ln(3/2) / accuracy
        window = self.window or min(ceil(2 * _BAD / self.failure), _MAX_WINDOW + 1)
        return range(first, first + window)

    @property
    def blocks(self) -> int:
        """Number of blocks; each of them votes."""
        stable = log_ceiling(Fraction(12), 1 / (self.delta * self.failure), self.epsilon) + 13
        return max(stable, log_ceiling(Fraction(72), 4 / self.failure, _ONE))

    @property
    def sample_size(self) -> int:
        """Number of examples in all blocks of the largest possible size."""
        return self.blocks << self.exponents[-1]

    @property
    def work(self) -> int:
        """Number of votes times number of points, since each vote draws the points of its block."""
        return self.blocks * self.p**2

    def fit(self, sample: Sample, rng: np.random.Generator) -> LineHypothesis:
        """Learn from the first examples."""
        self.check_sample(sample)
        return self.run(sample, 0, rng)

    def run(self, sample: Sample, start: int, rng: np.random.Generator) -> LineHypothesis:
        """Learn from the examples that begin at position ``start``."""
        size = 1 << int(rng.choice(np.array(self.exponents)))
        votes = [
            basic_line_hypothesis(self.p, sample.positives(at, at + size).tolist())
            for at in range(start, start + size * self.blocks, size)
        ]
        mode, distance = votes_to_change(votes, range(1 + 2 * self.p**2))
        epsilon = float(self.epsilon)
        threshold = -float(Epsilon(Fraction(0), 2 * self.delta)) / epsilon + 1
        stable = distance + rng.laplace(scale=1 / epsilon) > threshold
        return LineHypothesis(self.p, mode if stable else 0)


@validated
class LineLearner(Learner):
    """Learn lines by several private runs, and a private choice among their answers.

    Each run is a `StableLineLearner`.

    Attributes
    ----------
    delta, p, window
        As for `StableLineLearner`; each run has accuracy ``accuracy / 2`` and failure 1/2.

    Notes
    -----
    The runs and the choice use disjoint examples, so the learner is ``(epsilon, delta)``-private.
    The failure probability is divided equally among three events: no run is accurate enough, the
    first step of the choice fails, or its second step fails.

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> LineLearner(tenth, tenth, Epsilon.of(1), tenth / 100, 5).runs
    5
    """

    delta: Fraction
    p: int
    window: int = 0

    family = "lines"

    def __post_init__(self) -> None:
        Learner.__post_init__(self)
        if self.stage.sample_size < 1:
            raise DomainError("sample size must be at least 1: increase window or lower accuracy")

    @property
    def stage(self) -> StableLineLearner:
        """The learner of one run."""
        half = Fraction(1, 2)
        return StableLineLearner(
            self.accuracy / 2, half, self.epsilon, self.delta, self.p, self.window
        )

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """The privacy parameters ``(epsilon, delta)``."""
        return self.epsilon, self.delta

    @property
    def runs(self) -> int:
        """Number of runs, ``ceil(log2(3 / failure))``."""
        return (ceil(3 / self.failure) - 1).bit_length()

    @property
    def selection_size(self) -> int:
        """Number of examples for the choice."""
        return occam_sample_size(self.runs, self.epsilon, self.accuracy, self.failure * 2 / 3)

    @property
    def sample_size(self) -> int:
        """Number of examples of all runs and of the choice."""
        return self.runs * self.stage.sample_size + self.selection_size

    @property
    def work(self) -> int:
        """The work of all runs plus the number of examples for the choice."""
        return self.runs * self.stage.work + self.selection_size

    def fit(self, sample: Sample, rng: np.random.Generator) -> LineHypothesis:
        """Learn from the first `sample_size` examples."""
        self.check_sample(sample)
        stage, start = self.stage, self.runs * self.stage.sample_size
        answers = [stage.run(sample, i * stage.sample_size, rng) for i in range(self.runs)]
        points, labels = sample.take(np.arange(start, start + self.selection_size))
        wrong = np.array([int((h.predict(points) != labels).sum()) for h in answers])
        return answers[choose_by_errors(wrong, self.epsilon, rng)]
