"""Bounds that packings prove, with what is needed to check them in fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ccsim.budget import TimeLimit
from ccsim.certificates import Certificate, encode_fraction, encode_fractions
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.exact.bounds import check_fields
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.packing.factors import check_factor, check_written, rational_factor
from ccsim.learning.packing.packing import LearningPacking
from ccsim.learning.packing.sizes import MAX_POWER_BITS, MAX_SAMPLES, power_bits, samples_allowed

__all__ = [
    "PackingBound",
    "check_failure",
    "check_least",
    "check_power",
    "least_likely",
    "packing_bound",
]


@dataclass(frozen=True, slots=True)
class PackingBound:
    """How many examples a packing proves to be needed.

    Attributes
    ----------
    packing : LearningPacking
    center : int
        The target with which the others are compared.
    failure : Fraction
        Probability with which a learner may miss the accuracy; strictly between 0 and 1.
    epsilon : Epsilon
        Privacy of the learner.
    factor : Fraction
        At least ``e^epsilon``, and equal if that is rational. Already ``ln(factor)``-private
        learners, which include all ``epsilon``-private ones, need so many examples.
    samples : int
        No ``epsilon``-private learner with fewer examples has this accuracy and failure, and the
        packing with this center proves no more.
    """

    packing: LearningPacking
    center: int
    failure: Fraction
    epsilon: Epsilon
    factor: Fraction
    samples: int

    def check(self, time_limit: TimeLimit = None) -> None:
        """Check the packing, and the number of examples in fractions.

        Parameters
        ----------
        time_limit : float or Budget, optional
            For the packing.

        Raises
        ------
        CertificateError
        OutOfTimeError
            If it takes longer.
        """
        check_fields(self)
        check_factor(self.factor, self.epsilon)
        check_failure(self.failure)
        self.packing.check(time_limit)
        if not 0 <= self.center < len(self.packing.targets):
            raise CertificateError(
                f"center must be one of {len(self.packing.targets)} targets, not {self.center}"
            )
        growths = (1 + t * (self.factor - 1) for t in self.packing.distances(self.center))
        check_power(self.samples, growths, "examples")
        check_least(self.samples, range(self.samples), self._impossible, "examples")

    def _impossible(self, samples: int) -> bool:
        """Whether answers good for the other targets are more likely than a failure."""
        total, divisor = 0, 1
        for distance, number in self.packing.distances(self.center).items():
            weight = number * least_likely(1 + distance * (self.factor - 1), samples, self.failure)
            total = total * weight.denominator + weight.numerator * divisor
            divisor *= weight.denominator
        return total > self.failure * divisor

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel, about ``ln(factor)``-private learners."""
        packing = self.packing
        hypotheses = packing.hypotheses
        return Certificate(
            "packing",
            packing.concept_class.to_json(),
            {
                "accuracy": encode_fraction(packing.accuracy),
                "failure": encode_fraction(self.failure),
                "factor": encode_fraction(self.factor),
                "pool": None if hypotheses is None else hypotheses.to_json(),
                "lower": self.samples,
                "upper": None,
            },
            {
                "targets": [[f, encode_fractions(law)] for f, law in packing.targets],
                "center": self.center,
            },
            None,
        )


def packing_bound(
    packing: LearningPacking,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    centers: Sequence[int] | None = None,
) -> PackingBound:
    """Return the least number of examples that a packing allows.

    Parameters
    ----------
    packing : LearningPacking
    failure : Fraction, int or str
        Strictly between 0 and 1.
    epsilon : Epsilon, int, Fraction or str
        Positive.
    centers : sequence of int, optional
        Targets that are tried as center; all unless given.

    Raises
    ------
    CertificateError
        If some hypothesis is good for two targets.
    DomainError
        If two targets draw and label examples in the same way: then no learner at all is good for
        both, private or not.
    InstanceTooLargeError
        If the bound, or a fraction above ``e^epsilon``, is too large to be proved.

    Notes
    -----
    Complexity: all pairs of targets, times points.

    Examples
    --------
    >>> from ccsim.classes import all_functions
    >>> uniform = (Fraction(1, 3),) * 3
    >>> cube = LearningPacking(
    ...     all_functions(3), None, Fraction(1, 4), tuple((f, uniform) for f in (0, 3, 5, 6))
    ... )
    >>> packing_bound(cube, "1/10", "ln 2").samples
    9
    """
    risk, bound = as_fraction(failure, "failure", 0, 1), Epsilon.of(epsilon)
    check_written(bound)
    packing.check()
    best: tuple[int, int] | None = None
    for center in range(len(packing.targets)) if centers is None else centers:
        samples = samples_allowed(packing.distances(center), bound, risk, MAX_SAMPLES)
        if best is None or samples > best[0]:
            best = samples, center
    if best is None:
        raise DomainError("a packing needs at least one center")
    samples, center = best
    distances = packing.distances(center)
    factor = rational_factor(
        bound, lambda above: samples_allowed(distances, above, risk) == samples
    )
    check_power(samples, (1 + t * (factor - 1) for t in distances), "examples")
    return PackingBound(packing, center, risk, bound, factor, samples)


def least_likely(growth: Fraction, exchanged: int, failure: Fraction) -> Fraction:
    """Return how likely an event remains when so many examples are exchanged.

    Each exchange divides its probability by ``growth`` at most, and multiplies that of its
    complement by ``growth`` at most; at first the complement has probability ``failure``.

    Examples
    --------
    >>> least_likely(Fraction(2), 3, Fraction(1, 10))
    Fraction(3, 10)
    """
    low, high = 0, exchanged  # of the exchanges that are counted by the complement
    while low < high:
        middle = (low + high) // 2
        kept = 1 - failure * growth**middle
        low, high = (middle + 1, high) if kept * (1 + growth) > growth else (low, middle)
    return (1 - failure * growth**low) / growth ** (exchanged - low)


def check_failure(failure: Fraction) -> None:
    """Refuse a failure probability with which packings prove nothing.

    Raises
    ------
    CertificateError
    """
    if not 0 < failure < 1:
        raise CertificateError(f"failure must lie strictly between 0 and 1, not {failure}")


def check_least(least: int, smaller: range, excluded: Callable[[int], bool], what: str) -> None:
    """Refuse a number that is excluded itself, or whose predecessor is not.

    Raises
    ------
    CertificateError
    """
    if least < smaller.start:
        raise CertificateError(
            f"at least {smaller.start} {what} are needed in any case, not {least}"
        )
    if smaller and not excluded(smaller[-1]):
        raise CertificateError(f"the proof does not exclude {smaller[-1]} {what}")
    if excluded(least):
        raise CertificateError(f"the proof excludes {least} {what} too")


def check_power(power: int, bases: Iterable[Fraction], what: str) -> None:
    """Refuse a bound whose powers of fractions are too large to be checked.

    Raises
    ------
    InstanceTooLargeError
    """
    bits = power_bits(power, bases)
    if bits > MAX_POWER_BITS:
        raise InstanceTooLargeError(
            f"a bound of {power} {what} takes powers of {bits} bits, the limit is "
            f"{MAX_POWER_BITS}: choose a larger accuracy or epsilon"
        )
