"""Sufficient sample sizes of private learners, with explicit constants, rigorously rounded up.

The logarithms in RecConcave's promises are binary: with natural logarithms, the base case of Lemma
3.14 of `bns` fails (erratum 36).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, comb

import flint

from ccsim.arguments.values import show_value
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import check_exponent, enclose_log
from ccsim.exact.intervals import MAX_PRECISION, ball_of

VARIANTS = ("corrected", "counted", "printed")  # which constants; see `public_points_sizes`
MAX_BITS = 1 << 22  # maximum number of bits of the arguments of logarithms
_ONE = Epsilon(Fraction(1))
ACCOUNTINGS = ("counted", "printed")
"""Division of a budget among the steps: with a proof for the counted steps, or as in the paper."""


def check_accounting(accounting: str) -> None:
    """Refuse an unknown accounting."""
    if accounting not in ACCOUNTINGS:
        raise DomainError(f"accounting must be one of {', '.join(ACCOUNTINGS)}, not {accounting!r}")


def check_parameters(accuracy: Fraction, failure: Fraction, epsilon: Epsilon | None) -> None:
    """Refuse an accuracy or failure outside ``(0, 1)`` and an epsilon that is not positive."""
    for name, value in (("accuracy", accuracy), ("failure", failure)):
        if not 0 < value < 1:
            raise DomainError(f"{name} must be strictly between 0 and 1, not {show_value(value)}")
    if epsilon is None:
        return
    check_exponent(epsilon.rational)
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")


def occam_sample_size(
    size: int | Fraction, epsilon: Epsilon, accuracy: Fraction, failure: Fraction
) -> int:
    """Return a sufficient sample size for the exponential mechanism over ``size`` hypotheses.

    It is ``max(72 / accuracy, 12 / (epsilon accuracy)) ln(3 size /
    failure)``, if some hypothesis has error at most ``accuracy / 2`` (`bbkn` Theorem 3.2 with its
    constants).
    """
    check_parameters(accuracy, failure, epsilon)
    argument = 3 * Fraction(size) / failure
    return _larger(72 / accuracy, 12 / accuracy, argument, epsilon)


def agnostic_sample_size(
    size: int | Fraction, epsilon: Epsilon, accuracy: Fraction, failure: Fraction
) -> int:
    """Return a sufficient sample size for agnostic learning by the exponential mechanism.

    If the error of one of ``size`` hypotheses exceeds that of the best concept by at most
    ``accuracy / 2``, the mechanism returns one that exceeds it by at most ``accuracy``, except with
    probability ``failure``. The size is ``max(32 / accuracy**2, 8 / (epsilon accuracy)) ln(2 size /
    failure)``.

    Proof: by Hoeffding's inequality, except with probability ``size e^(-m accuracy**2 / 32)``, the
    empirical error of the best hypothesis is at most ``accuracy / 8`` above its error, and that of
    every other one at most ``accuracy / 8`` below. The mechanism chooses a hypothesis whose
    empirical error exceeds the minimum by more than ``accuracy / 4`` with probability at most
    ``size e^(-epsilon m accuracy / 8)``. Each probability is at most ``failure / 2``. (`fx`, after
    Theorem 6 (=2.5), with constants.)
    """
    check_parameters(accuracy, failure, epsilon)
    argument = 2 * Fraction(size) / failure
    return _larger(32 / accuracy**2, 8 / accuracy, argument, epsilon)


def nonprivate_point_sample_size(accuracy: Fraction, failure: Fraction) -> int:
    """Return the sample size ``ln(1 / failure) / accuracy`` of the non-private learner."""
    check_parameters(accuracy, failure, None)
    return log_ceiling(1 / accuracy, 1 / failure, _ONE)


def subsampled_point_sample_size(epsilon: Epsilon, accuracy: Fraction) -> int:
    """Return ``384 ln 4 / (epsilon accuracy**2)``, for one run of the subsampled learner of points.

    With this number of examples it fails with probability below 4/5 if ``epsilon <= 1`` (`bbkn`
    Claim 4.5).
    """
    check_parameters(accuracy, Fraction(1, 2), epsilon)
    return log_ceiling(384 / accuracy**2, Fraction(4), epsilon)


def constant_learner_runs(failure: Fraction) -> int:
    """Return the least number of runs of failure 4/5 that all fail with ``failure / 5``."""
    return log_ceiling(Fraction(1), 5 / failure, Epsilon(Fraction(0), Fraction(5, 4)))


def stable_point_sample_size(
    accuracy: Fraction,
    failure: Fraction,
    epsilon: Epsilon,
    delta: Fraction,
    *,
    printed: bool = False,
    proper: bool = True,
) -> int:
    """Return the sample size of `bns` Lemma 3.2, corrected or with the constants of its proof.

    Corrected: ``(16 / (accuracy epsilon)) ln(4 / (failure delta))`` over ``2 / (accuracy failure)``
    points. Printed: 8 and 1 in place of 16 and 2 (erratum 2). Improper: 8, for any number of
    points.
    """
    factor = (16 if proper and not printed else 8) / accuracy
    inside = 4 / (failure * delta)
    if printed:
        return log_ceiling(factor, inside, epsilon)
    return _larger(factor, factor, inside, epsilon)


@frozen
class PublicPointsSizes:
    """Numbers of examples for label-private and semi-private learning.

    Attributes
    ----------
    public : int
        Number of public examples.
    total : int
        Number of all examples.
    """

    public: int
    total: int


def public_points_sizes(
    vc: int,
    concepts: int,
    epsilon: Epsilon,
    accuracy: Fraction,
    failure: Fraction,
    variant: str = "counted",
) -> PublicPointsSizes:
    """Return sufficient sample sizes for label- and semi-private learning (`bns` Theorem 6.2).

    Method: ``printed``: ``(32 / accuracy) (vc ln(64 / accuracy) + ln(8 / failure))`` public
    points, and ``768 / (accuracy^2 epsilon) (vc ln(64 / accuracy) + 2 ln(8 / failure))`` examples;
    the first number is that of Theorem 2.13 for an error of ``accuracy / 4``, although the proof
    uses ``accuracy / 8`` (erratum 10), and the second number may be smaller than the first if
    ``epsilon`` is large. ``corrected``: public points for an error of ``accuracy / 8`` and a
    failure of ``failure / 4``, and enough further examples for the three events of the proof, with
    at most ``2^public`` hypotheses, and ``epsilon`` at most 1 for two of the events. ``counted``:
    the same, with the number of hypotheses bounded by Sauer's lemma and by the number of concepts.
    """
    check_parameters(accuracy, failure, epsilon)
    if variant not in VARIANTS:
        raise DomainError(f"variant must be one of {', '.join(VARIANTS)}, not {variant!r}")
    if vc < 0 or concepts < 1:
        raise DomainError(f"concepts must be at least 1, not {concepts}")
    if variant == "printed":
        base = _bounded_power(64 / accuracy, vc) * 8 / failure
        public = log_ceiling(32 / accuracy, base, _ONE)
        return PublicPointsSizes(
            public, log_ceiling(768 / accuracy**2, base * 8 / failure, epsilon)
        )
    public = consistent_sample_size(vc, accuracy / 8, failure / 4)
    counted = variant == "counted"
    if not counted and public > MAX_BITS:
        raise InstanceTooLargeError(
            f"2^{public} hypotheses exceed the limit of 2^{MAX_BITS}; choose variant counted"
        )
    most = min(sum(comb(public, i) for i in range(vc + 1)), concepts) if counted else 1 << public
    more = max(
        log_ceiling(24 / accuracy, 4 / failure, _ONE),
        _larger(8 / accuracy, 8 / accuracy, most * 4 / failure, epsilon),
    )
    return PublicPointsSizes(public, public + more)


def consistent_sample_size(vc: int, accuracy: Fraction, failure: Fraction) -> int:
    """Return ``(8 / accuracy) (vc ln(16 / accuracy) + ln(2 / failure))`` (`bns` Theorem 2.13)."""
    check_parameters(accuracy, failure, None)
    return log_ceiling(8 / accuracy, _bounded_power(16 / accuracy, vc) * 2 / failure, _ONE)


def _bounded_power(base: Fraction, exponent: int) -> Fraction:
    bits = max(base.numerator, base.denominator).bit_length() * exponent
    if bits > MAX_BITS:
        raise InstanceTooLargeError(
            f"numbers of {bits} bits exceed the limit of {MAX_BITS}; choose a class of smaller VC "
            "dimension"
        )
    return base**exponent


def threshold_sample_size(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, bits: int, depth: int
) -> int:
    """Return the sample size of `bns` Theorem 3.18, for thresholds over ``2^bits`` points."""
    return max(
        uniform_convergence_size(accuracy, failure),
        recursion_promise(accuracy / 2, failure / 2, epsilon, delta, bits, depth),
    )


def uniform_convergence_size(accuracy: Fraction, failure: Fraction) -> int:
    """Return ``(200 / accuracy^2) ln(4 / (accuracy failure))``, as in `bns` Theorem 3.18.

    With this number of examples, empirical errors are within ``accuracy / 2`` of the errors, except
    with probability ``failure / 2``.
    """
    return log_ceiling(200 / accuracy**2, 4 / (accuracy * failure), _ONE)


def recursion_promise(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, bits: int, depth: int
) -> int:
    """Return the promise of `bns` Theorem 3.15 for the range ``0 .. 2^bits`` and the whole budget.

    ``8^N (36 N / (accuracy epsilon)) (log2(6 N / (failure delta)) +
    log^(N)(2^bits))``; it follows from Lemma 3.14 if ``failure delta <= 1/2``, which is required.
    """
    check_recursion(accuracy, failure, epsilon, delta, 1 << bits, depth)
    factor, inside = 8**depth * 36 * depth / accuracy, 6 * depth / (failure * delta)
    if depth == 2:  # one logarithm, whose value is rational only for a power of 2
        return log2_ceiling(factor, inside * bits, 0, 0, epsilon)
    return log2_ceiling(factor, inside, bits, depth - 1, epsilon)


def check_recursion(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, last: int, depth: int
) -> None:
    """Refuse parameters of RecConcave on ``0 .. last`` for which no promise is proved."""
    if not 0 < accuracy <= Fraction(1, 2):
        raise DomainError(f"accuracy must be positive and at most 1/2, not {accuracy}")
    for name, value in (("failure", failure), ("delta", delta)):
        if not 0 < value < 1:
            raise DomainError(f"{name} must be strictly between 0 and 1, not {value}")
    if failure * delta > Fraction(1, 2):
        raise DomainError(f"failure times delta must be at most 1/2, not {failure * delta}")
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    if last < 2:
        raise DomainError(f"last must be at least 2, not {show_value(last)}")
    if not 1 <= depth <= log_star(last):
        raise DomainError(f"depth must be between 1 and {log_star(last)}, not {depth}")


def log_star(number: int) -> int:
    """Return the number of binary logarithms, rounded up, that reduce a number to at most 1."""
    times = 0
    while number > 1:
        number, times = (number - 1).bit_length(), times + 1
    return times


def least_enough(
    enough: Callable[[int], bool], first: int, limit: tuple[int, Exception] | None = None
) -> int:
    """Return the least sufficient number from ``first`` on.

    Raise an error if it is above the limit.
    """
    low, high = first - 1, first
    while not enough(high):
        if limit is not None and high >= limit[0]:
            raise limit[1]
        low, high = high, max(2 * high, 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _larger(plain: Fraction, private: Fraction, argument: Fraction, epsilon: Epsilon) -> int:
    """Return ``ceil(max(plain, private / epsilon) ln(argument))``."""
    return max(log_ceiling(plain, argument, _ONE), log_ceiling(private, argument, epsilon))


def log_ceiling(factor: Fraction, logarithm_of: Fraction, divisor: Epsilon) -> int:
    """Return ``ceil(factor ln(logarithm_of) / divisor)``; the ceiling is decided rigorously."""
    if logarithm_of == 1:
        return 0
    precision = 64
    while True:  # ends: the quotient is irrational, or `_is_power` decides
        log, by = enclose_log(logarithm_of, precision), divisor.enclose(precision)
        low, high = (
            ceil(factor * end / other)
            for end, other in ((log.lower, by.upper), (log.upper, by.lower))
        )
        if low == high or (precision > 256 and _is_power(factor, logarithm_of, divisor, low)):
            return low
        precision *= 2


def _is_power(factor: Fraction, logarithm_of: Fraction, divisor: Epsilon, whole: int) -> bool:
    """Decide ``factor ln(logarithm_of) = whole divisor``.

    Proof: if the divisor is not the logarithm of a rational number, ``e^divisor`` is transcendental
    and the sides differ. Otherwise they are equal iff ``logarithm_of**p == divisor.factor**r`` for
    coprime ``p`` and ``r``, that is, iff both numbers are powers (the ``r``-th and the ``p``-th) of
    one fraction. It is not 1, so ``r`` and ``p`` are at most the numbers of bits.
    """
    power = whole / (factor * divisor.root)
    p, r = power.denominator, power.numerator
    if divisor.rational or max(p, r) > max(_bits(logarithm_of), _bits(divisor.factor)):
        return False
    return logarithm_of**p == divisor.factor**r


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def log2_ceiling(
    factor: Fraction, inside: Fraction, added: int, times: int, divisor: Epsilon
) -> int:
    """Return ``ceil(factor (log2(inside) + log2(..log2(added))) / divisor)``, ``times`` nested."""
    if divisor.factor == 1:
        first: Fraction | None = _exact_log2(inside)
        last: Fraction | None = Fraction(added)
        for _ in range(times):
            last = _exact_log2(last) if last is not None else None
        if first is not None and last is not None:
            return ceil(factor * (first + last) / divisor.rational)
    precision = 64
    while precision <= MAX_PRECISION:
        with flint.ctx.workprec(precision):
            ball = flint.arb(added)
            for _ in range(times):
                ball = _log2(ball)
            whole = (ball_of(factor) * (_log2(ball_of(inside)) + ball) / divisor.ball()).ceil()
            if (found := whole.unique_fmpz()) is not None:
                return int(found)
        precision *= 2
    raise NotDecidedError(f"the sample size is undecided with {MAX_PRECISION} bits of precision")


def _log2(ball: flint.arb) -> flint.arb:
    return ball.log() / flint.arb(2).log()


def _exact_log2(number: Fraction) -> Fraction | None:
    """Return the binary logarithm of a power of 2, and None for any other number."""
    top, bottom = number.numerator, number.denominator
    if top & (top - 1) or bottom & (bottom - 1):
        return None
    return Fraction(top.bit_length() - bottom.bit_length())
