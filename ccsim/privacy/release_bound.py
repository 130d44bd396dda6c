"""Upper bounds on the probability that a private mechanism releases the best solution.

Consider a mechanism that outputs a solution only if it is the unique best one. If another solution
is equally good, the release probability is 0. Each replaced record increases the lead by at most 2,
and privacy limits the increase of the release probability. This chain of neighbours proves the
bound; the variant ``optimal`` of A_dist attains it.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from ccsim.arguments.checked import checked_types
from ccsim.certificates import Certificate, Certified
from ccsim.certificates.envelope import encode_fraction, encode_integers
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.exact.epsilon import BallArithmetic, Epsilon, arithmetic
from ccsim.exact.exponentials import Exponential
from ccsim.exact.fractions import as_fraction
from ccsim.exact.intervals import Interval, ball_interval
from ccsim.privacy.encoding import enclosure, encode_real
from ccsim.privacy.mechanisms.stable_choice import check_stable, release_probability

_BITS = 256
"""Number of fractional bits of a bound; longer bounds are rounded up."""

MAX_STEPS = 1 << 16
"""Maximum number of steps of a chain of neighbours."""


@frozen
class ReleaseBound(Certified):
    """An upper bound on the release probability of a solution with a given lead.

    The bound holds for every ``(epsilon, delta)``-private mechanism on databases of points that
    outputs a point only if its count is larger than all other counts. (If a mechanism may also
    output the first of several points with the largest count, the bound for a lead that is larger
    by 2 applies.) The proof follows a chain of neighbouring databases, in which the lead of the
    point grows step by step (`chain`).

    Attributes
    ----------
    epsilon : Epsilon
    delta : Fraction
    lead : int
        The lead of the point in the last database, at least 0.
    bounds : tuple of Fraction
        For each database of the chain, an upper bound on the release probability of the point. The
        first bound is 0. Each further bound is at least the minimum of 1, ``e^epsilon p + delta``
        and ``1 - e^-epsilon (1 - p - delta)``, where ``p`` is the previous bound.

    Examples
    --------
    >>> found = release_bound(4, Epsilon.of("ln 4"), Fraction(1, 8))
    >>> found.chain, [str(p) for p in found.bounds], found.lead
    (((2, 2), (3, 1), (4, 0)), ['0', '1/8', '5/8'], 4)
    >>> found.check()
    """

    question = "the largest probability of releasing a solution"
    asked = ("epsilon", "delta", "lead")
    answered = ("value",)

    epsilon: Epsilon
    delta: Fraction
    lead: int
    bounds: tuple[Fraction, ...]

    @property
    def chain(self) -> tuple[tuple[int, int], ...]:
        """The counts of the point and of one other point in each database of the shortest chain.

        Each database is a neighbour of the next one. In the first database, the point is
        not the only one with the largest count.
        """
        records = self.lead or 2
        steps = range(len(self.bounds))
        start = records // 2
        return tuple((start + i, records - start - i) for i in steps)

    @property
    def value(self) -> Fraction:
        """The upper bound for this lead."""
        return self.bounds[-1]

    def certificate(self) -> Certificate:
        """Return the chain for the kernel.

        Raises
        ------
        CertificateError
            If the numbers of bounds and of databases of the chain differ, or the first bound is not
            0.
        """
        if len(self.bounds) != 1 - -self.lead // 2 or self.bounds[0] != 0:
            raise CertificateError(
                "bounds must have one entry for each database of the chain, and the first entry "
                "must be 0"
            )
        unit = lcm(*(Fraction(p).denominator for p in self.bounds))
        factor = self.epsilon.exp()
        root, t = 1, None
        if isinstance(factor, Exponential) and not factor.is_rational:
            root = factor.root
            known = encode_real(factor, root), encode_real(self.delta, root)
            t = enclosure(root, factor.base, [[[unit]]], known)
        return Certificate(
            "release_probability",
            {"type": "releases", "t": t},
            {
                "factor": encode_real(factor, root),
                "delta": encode_fraction(self.delta),
                "lead": self.lead,
                "lower": None,
                "upper": encode_fraction(self.bounds[-1]),
            },
            None,
            {
                "chain": {
                    "unit": encode_integers([unit])[0],
                    "bounds": encode_integers(int(p * unit) for p in self.bounds[1:]),
                }
            },
        )


@checked_types
def release_bound(
    lead: int, epsilon: Epsilon | Fraction | int | str, delta: Fraction | int | str
) -> ReleaseBound:
    """Return the best upper bound on the release probability that a chain of neighbours proves.

    Parameters
    ----------
    lead : int
        The lead of the point: the difference between its count and the second-largest count, at
        least 0.
    epsilon : Epsilon, Fraction, int or str
        Privacy parameter epsilon, positive.
    delta : Fraction, int or str
        Privacy parameter delta, positive and at most 1.

    Raises
    ------
    DomainError
        If a parameter is out of range, or the chain is longer than `MAX_STEPS`.

    Notes
    -----
    Complexity: two comparisons of exact numbers for each of ``ceil(lead / 2)`` steps. Bounds of
    more than 256 bits are rounded up, by at most ``2^-256`` in each step.

    Source: own; the variant ``optimal`` of `StableChoice` attains the bounds.

    Examples
    --------
    >>> release_bound(4, "ln 4", "1/8").value
    Fraction(5, 8)
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    check_stable(delta, epsilon, "optimal")
    if not 0 <= lead <= 2 * MAX_STEPS:
        raise DomainError(f"lead must be between 0 and {2 * MAX_STEPS}, not {lead}")
    steps = -(-lead // 2)
    up, down = _enclosed(epsilon, 1).upper, _enclosed(epsilon, -1).lower
    bounds = [Fraction(0)]
    for _ in range(steps):
        p = bounds[-1]
        least = min(up * p + delta, 1 - down * (1 - p - delta))
        bounds.append(min(_rounded_up(least), Fraction(1)))
    return ReleaseBound(epsilon, delta, lead, tuple(bounds))


def _enclosed(epsilon: Epsilon, power: int) -> Interval:
    exact = epsilon.exp(power)
    if isinstance(exact, Fraction):
        return Interval(exact, exact)
    balls = BallArithmetic(epsilon, 2 * _BITS)
    with balls.working():
        return ball_interval(balls.exp(power))


def _rounded_up(value: Fraction) -> Fraction:
    if value.denominator.bit_length() <= _BITS:
        return value
    return Fraction(-((-value.numerator << _BITS) // value.denominator), 1 << _BITS)


@checked_types
def least_release_lead(
    probability: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    variant: str = "optimal",
) -> int:
    """Return the least lead for which the best solution is output with a given probability.

    The lead of the best solution is the difference between its quality and the second-best quality.
    For the variant ``optimal``, the result is a lower bound for every private mechanism that
    outputs the best solution or nothing, as `release_bound` proves.

    Parameters
    ----------
    probability : Fraction, int or str
        The release probability, positive and below 1.
    epsilon : Epsilon, Fraction, int or str
    delta : Fraction, int or str
    variant : str
        Variant of A_dist, as in `StableChoice`.

    Raises
    ------
    DomainError
        If a parameter is out of range, or no lead of at most ``2 * MAX_STEPS`` suffices.
    NotDecidedError
        If interval arithmetic with 512 bits does not decide a comparison.

    Examples
    --------
    >>> millionth, most = Fraction(1, 10**6), Fraction(9, 10)
    >>> [least_release_lead(most, Epsilon.of(1), millionth, v) for v in ("optimal", "corrected")]
    [31, 32]
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    probability = as_fraction(probability, "probability")
    if not 0 < probability < 1:
        raise DomainError(f"probability must be strictly between 0 and 1, not {probability}")
    check_stable(delta, epsilon, variant)
    precision = None if isinstance(epsilon.exp(), Fraction) else 2 * _BITS
    powers = arithmetic(epsilon, precision)

    def is_enough(lead: int) -> bool:
        with powers.working():
            found = powers.result(release_probability(lead, delta, powers, variant))
        if not isinstance(found, Interval):
            return found >= probability
        if found.lower < probability <= found.upper:
            raise NotDecidedError(
                f"the release probability at a lead of {lead} is undecided with {precision} bits "
                "of precision"
            )
        return found.lower >= probability

    low, high = -1, 1
    while not is_enough(high):
        low, high = high, 2 * high
        if high > 2 * MAX_STEPS:
            raise DomainError(
                f"a release probability of {probability} needs a lead above the limit "
                f"{2 * MAX_STEPS}"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
