"""The exact output distributions and failure probabilities of the learner of lines.

`ccsim.learning.learners.lines` runs it on random samples; this module has its output distribution
on each sample, for audits, and a rigorous enclosure of its failure probability on a distribution.
Both depend only on the masses ``q_1, q_2, ...`` of the points on the hidden line. With their sum
``r``, the basic learner receives no positive example with probability ``(1 - r)^t``, only the i-th
point with probability ``(1 - r + q_i)^t - (1 - r)^t``, and otherwise two points, which determine
the line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, cast

import flint

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.exact import Interval
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.fractions import as_fraction
from ccsim.exact.intervals import ball_interval
from ccsim.learning.learners.lines import basic_line_hypothesis
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy import CanonicalMechanism, StableMode, laplace_tail

__all__ = ["StableLines", "basic_line_distribution", "stable_line_failure"]

_PRECISION = 128
_NEVER = -100  # binary exponent of a probability below which an event is not looked at


def basic_line_distribution(
    masses: Sequence[Fraction], examples: int, power: Callable[[Fraction, int], Any] = pow
) -> tuple[Any, ...]:
    """Return the probabilities that the basic learner answers zero, each point, and the line.

    Parameters
    ----------
    masses : sequence of Fraction
        Of the points on the line; positive, at most 1 together.
    examples : int
        Number of examples, positive.
    power : callable, optional
        Computes ``base**examples``; exactly unless given.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> basic_line_distribution([half], 2), basic_line_distribution([half, half], 2)
    ((Fraction(1, 4), Fraction(3, 4), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 4), \
Fraction(1, 4), Fraction(1, 2)))
    """
    off = 1 - sum(masses, Fraction(0))
    none = power(off, examples)
    points = [power(off + q, examples) - none for q in masses]
    return none, *points, 1 - none - sum(points)


@validated
class StableLines(CanonicalMechanism[Example, int]):
    """The stable mode of the basic learner's answers on blocks of a sample.

    The last step of `ccsim.learning.StableLineLearner`, for a fixed block size. Hypotheses have the
    same numbers; with margin 1, the mechanism is ``(epsilon, delta)``-private.

    Attributes
    ----------
    p : int
        A prime.
    size : int
        Number of examples in a block, positive.
    epsilon : Epsilon
    delta : Fraction
    margin : Fraction
        As for `ccsim.privacy.StableMode`.

    Examples
    --------
    >>> learner = StableLines(2, 1, Epsilon.of("ln 2"), Fraction(1, 8))
    >>> learner.distribution([(3, 1), (3, 1), (0, 0)]).items  # the point with number 3, or zero
    ((4, Fraction(1, 8)), (0, Fraction(7, 8)))
    """

    p: int
    size: int
    epsilon: Epsilon
    delta: Fraction
    margin: Fraction = Fraction(1)

    @property
    def symmetric(self) -> bool:
        """Whether the output distribution is independent of the order of the examples."""
        return self.size == 1

    @property
    def records(self) -> tuple[Example, ...]:
        """All points of the plane with both labels."""
        return labelled_examples(self.p**2)

    def distribution_of(self, database: tuple[Example, ...]) -> Distribution[int]:
        """Return the distribution of the number of the hypothesis."""
        votes = []
        for start in range(0, len(database), self.size):
            block = database[start : start + self.size]
            positives = sorted({point for point, label in block if label})
            votes.append(basic_line_hypothesis(self.p, positives))
        candidates = tuple(range(1 + 2 * self.p**2))
        release = StableMode(candidates, 0, self.epsilon, self.delta, self.margin)
        return cast("Distribution[int]", release.distribution(votes))


@checked_types
def stable_line_failure(
    masses: Sequence[Fraction],
    accuracy: Fraction | int | str,
    sizes: Sequence[int],
    blocks: int,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
) -> Interval:
    """Enclose the probability that the stable learner of lines errs by more than the accuracy.

    Parameters
    ----------
    masses : sequence of Fraction
        Of the points on the hidden line; positive, at most 1 together.
    accuracy : Fraction
    sizes : sequence of int
        The number of examples in a block is uniform among these sizes.
    blocks : int
        Number of blocks; each block votes for a hypothesis of the basic learner.
    epsilon : Epsilon
    delta : Fraction
        Privacy parameter. The mode is released as by `ccsim.privacy.StableMode`; otherwise the
        answer is zero.

    Returns
    -------
    Interval
        Narrow if it is unlikely that two rivals of a hypothesis are both close to it: the
        distribution of the lead over each rival is exact, and the union bound is used for the
        rivals.

    Notes
    -----
    Complexity: one power of a polynomial for each size and each pair of hypotheses.

    Examples
    --------
    >>> masses, tenth = [Fraction(1, 10)], Fraction(1, 10)
    >>> few = stable_line_failure(masses, tenth / 2, [4, 64], 90, Epsilon.of(1), tenth)
    >>> f"{float(few.lower):.4f} {float(few.upper):.4f}"
    '0.4999 0.4999'
    """
    accuracy = as_fraction(accuracy, "accuracy")
    epsilon = Epsilon.of(epsilon, "epsilon")
    delta = as_fraction(delta, "delta")
    r = sum(masses, Fraction(0))
    errors = [r, *(r - q for q in masses), Fraction(0)]
    zero_fails = r > accuracy  # what is not released is zero
    lowest = highest = flint.arb(0)
    with flint.ctx.workprec(_PRECISION):
        threshold = Epsilon(Fraction(0), 1 / (2 * delta)) + epsilon
        kept = [1 - _ball(laplace_tail(threshold + epsilon * -c)) for c in range(blocks // 2 + 2)]
        for size in sizes:
            distribution = basic_line_distribution(masses, size, _power)
            low = high = flint.arb(0)
            for h, error in enumerate(errors):
                if (error > accuracy) != zero_fails:
                    least, most = _released(distribution, h, blocks, kept)
                    low, high = low + least, high + most
            lowest += 1 - high if zero_fails else low
            highest += 1 - low if zero_fails else high
        ends = [ball_interval(end / len(sizes)) for end in (lowest, highest)]
    return Interval(max(ends[0].lower, Fraction(0)), min(ends[1].upper, Fraction(1)))


def _ball(value: Any) -> flint.arb:  # noqa: ANN401 - a fraction, or a number that can be enclosed
    if isinstance(value, Fraction):
        return flint.arb(flint.fmpq(value.numerator, value.denominator))
    ends = value.enclose(_PRECISION)
    return _ball(ends.lower).union(_ball(ends.upper))


def _power(base: Fraction, exponent: int) -> flint.arb:
    return _ball(base) ** exponent


def _released(
    distribution: Sequence[flint.arb], h: int, blocks: int, kept: Sequence[flint.arb]
) -> tuple[flint.arb, flint.arb]:
    """Return bounds on the probability that a hypothesis is the mode and is released.

    Its distance to a change of the mode is the minimum over its rivals. Each rival gives an upper
    bound; the union bound over the rivals gives a lower bound. Rivals without a vote are at least
    as far as the hypothesis zero, or as any other rival of zero.
    """
    never, zero = flint.arb(2) ** _NEVER, flint.arb(0)
    some = blocks * len(distribution) * never
    if distribution[h] < never:
        return zero, some
    rivals = [
        i for i, chance in enumerate(distribution) if i != h and (i == 0 or not chance < never)
    ]
    prevented = []
    for rival in rivals or [1]:
        if 1 - distribution[h] < never:  # all blocks agree but for a probability of at most `some`
            loss = kept[(blocks + 1) // 2 if rival < h else blocks // 2 + 1]
            prevented.append((loss + some).union(loss - some))
            continue
        leads = (
            flint.arb_poly(
                [distribution[rival], 1 - distribution[rival] - distribution[h], distribution[h]]
            )
            ** blocks
        )
        released = zero
        for lead in range(int(rival < h), blocks + 1):
            change = (lead + 1) // 2 if rival < h else lead // 2 + 1
            released += leads[blocks + lead] * (1 - kept[change])
        prevented.append(1 - released)
    low, high = 1 - some - sum(prevented, zero), flint.arb(1)
    for loss in prevented:
        high = high.min(1 - loss)
    return low.max(zero), high
