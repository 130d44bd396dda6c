"""Numbers of records for the reductions between sanitizers and learners, rounded up rigorously.

Main definitions: `blocks_needed`, `learning_size`, `LabelReduction`.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import Interval, as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import enclose_log
from ccsim.learning.sample_size import log_ceiling

__all__ = ["LabelReduction", "blocks_needed", "label_reduction", "learning_size"]

_ONE = Epsilon(Fraction(1))
_MOST_BITS = 1 << 12


@checked_types
def blocks_needed(failure: Fraction | int | str) -> int:
    """Return the number of blocks in `bns` Lemma 5.1, ``(18 / beta) ln(1 / beta)`` rounded up.

    If each of these blocks fails with probability at most ``3 beta / 2``, at most a share ``2
    beta`` of them fails, except with probability ``beta``.

    Parameters
    ----------
    failure : Fraction, int or str
        Strictly between 0 and 1.

    Examples
    --------
    >>> blocks_needed("1/10")
    415
    """
    beta = _inside(failure, "failure")
    return log_ceiling(18 / beta, 1 / beta, _ONE)


@checked_types
def learning_size(
    vc_dimension: int, accuracy: Fraction | int | str, failure: Fraction | int | str
) -> int:
    """Return a number of examples for which empirical errors are probably within gamma of errors.

    It is ``(50 max(1, VC) / gamma^2) ln(1 / (gamma beta))``, which `bns` Lemma 5.3 takes from
    Theorem 2.14; without ``max(1, ...)`` it would be 0 for dimension 0.

    Parameters
    ----------
    vc_dimension : int
    accuracy : Fraction, int or str
        Largest difference of the two errors, ``gamma``; strictly between 0 and 1.
    failure : Fraction, int or str
        Probability ``beta`` of a larger difference; strictly between 0 and 1.

    Examples
    --------
    >>> learning_size(1, "1/10", "1/10")
    23026
    """
    gamma, beta = _inside(accuracy, "accuracy"), _inside(failure, "failure")
    return log_ceiling(50 * max(1, vc_dimension) / gamma**2, 1 / (gamma * beta), _ONE)


@frozen
class LabelReduction:
    """Algorithm B with the sizes of its lemma, and the resulting learner (`bns` 5.4 and 5.5).

    Attributes
    ----------
    accuracy, failure : Fraction
        Accuracy ``alpha`` and failure ``beta`` of the given sanitizer.
    epsilon : Epsilon
    records : int
        Number ``m`` of records of the given sanitizer.
    block, size : int
        B rounds numbers to multiples of ``M = block`` and has ``t = size`` records.
    """

    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon
    records: int
    block: int
    size: int

    @property
    def labelled_accuracy(self) -> Fraction:
        """Accuracy of the sanitizer of labelled concepts, ``5 alpha + 4 beta``."""
        return 5 * self.accuracy + 4 * self.failure

    @property
    def labelled_failure(self) -> Fraction:
        """Failure of the sanitizer of labelled concepts, ``5 beta``."""
        return 5 * self.failure

    @property
    def learner_accuracy(self) -> Fraction:
        """Accuracy of the learner, ``15 alpha + 12 beta``."""
        return 3 * self.labelled_accuracy

    @property
    def learner_failure(self) -> Fraction:
        """Failure of the learner, ``10 beta``."""
        return 2 * self.labelled_failure

    @property
    def printed_epsilon(self) -> Epsilon:
        """The privacy parameter stated in the paper, ``6 epsilon``."""
        return self.epsilon * 6

    @property
    def counted_epsilon(self) -> Epsilon:
        """The privacy parameter that follows by composition of both labels, ``4 epsilon``."""
        return self.epsilon * 4


@checked_types
def label_reduction(
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    records: int,
) -> LabelReduction:
    """Return the sizes of Algorithm B for a sanitizer, as in the proof of `bns` Lemma 5.4.

    ``M = m ceil((18 / beta) ln(2 / (alpha beta)) (1 + 1 / (m epsilon)))`` and ``t = ceil(6 /
    alpha^2) M``.

    Parameters
    ----------
    accuracy, failure : Fraction, int or str
        Strictly between 0 and 1.
    epsilon : Epsilon, int, Fraction or str
        Positive.
    records : int
        At least 1.

    Examples
    --------
    >>> sizes = label_reduction("1/50", "1/50", "1/8", 100)
    >>> sizes.block, sizes.size, str(sizes.learner_accuracy)
    (827900, 12418500000, '27/50')
    """
    alpha, beta = _inside(accuracy, "accuracy"), _inside(failure, "failure")
    bound = Epsilon.of(epsilon)
    if records < 1 or not bound.is_positive:
        raise DomainError(
            f"records must be at least 1 and epsilon positive, not {records} and {bound}"
        )
    blocks = _label_blocks(alpha, beta, bound, records)
    block = records * blocks
    return LabelReduction(alpha, beta, bound, records, block, ceil(6 / alpha**2) * block)


def _label_blocks(alpha: Fraction, beta: Fraction, epsilon: Epsilon, m: int) -> int:
    precision = 128
    while precision <= _MOST_BITS:  # transcendental if epsilon is rational: it ends
        log, by = enclose_log(2 / (alpha * beta), precision), epsilon.enclose(precision)
        value = Interval(
            18 / beta * log.lower * (1 + 1 / (m * by.upper)),
            18 / beta * log.upper * (1 + 1 / (m * by.lower)),
        )
        if ceil(value.lower) == ceil(value.upper):
            return ceil(value.lower)
        precision *= 2
    raise NotDecidedError("the number of blocks is too close to an integer to be rounded up")


def _inside(value: Fraction | int | str, name: str) -> Fraction:
    number = as_fraction(value, name)
    if not 0 < number < 1:
        raise DomainError(f"{name} must be strictly between 0 and 1, not {number}")
    return number
