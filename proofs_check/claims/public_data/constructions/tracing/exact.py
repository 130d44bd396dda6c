"""The tracing attack on small samples, exactly.

Main definitions: `ExactTracing`, `exact_tracing`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from math import comb

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.distribution import Distribution
from ccsim.exact.exponentials import rational
from proofs_check.claims.public_data.constructions.tracing.scores import check_score, check_sizes

__all__ = ["ExactTracing", "exact_tracing"]

MAX_TERMS = 1 << 20
"""Maximum number of products in one convolution."""

FAIR = Distribution[Fraction].certain(Fraction(0))
"""All biases 0: signs are fair coins."""


@frozen
class ExactTracing:
    """The distributions of the scores of a member and of an outsider.

    Attributes
    ----------
    inside, outside : Distribution of Fraction
    """

    inside: Distribution[Fraction]
    outside: Distribution[Fraction]

    @property
    def area(self) -> Fraction:
        """The probability that a member scores above an outsider, ties counted half.

        It is the area under the curve of true against false positives.
        """
        below, area = Fraction(0), Fraction(0)
        for _, member, outsider in self._levels():
            area += member * (below + outsider / 2)
            below += outsider
        return area

    @property
    def advantage(self) -> Fraction:
        """The largest difference of the rates of true and of false positives at a threshold."""
        return max(true - false for false, true in self.curve)

    @property
    def curve(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Pairs of the probabilities of false and of true positives at a threshold, from (0, 0)."""
        found, false, true = [(Fraction(0), Fraction(0))], Fraction(0), Fraction(0)
        for _, member, outsider in reversed(self._levels()):
            false, true = false + outsider, true + member
            found.append((false, true))
        return tuple(found)

    def _levels(self) -> list[tuple[Fraction, Fraction, Fraction]]:
        scores = sorted(
            {
                score
                for distribution in (self.inside, self.outside)
                for score, _ in distribution.items
            }
        )
        return [(s, rational(self.inside[s]), rational(self.outside[s])) for s in scores]


@checked_types
def exact_tracing(
    records: int,
    signs: int,
    score: str = "centred",
    biases: Distribution[Fraction] = FAIR,
    answer: Callable[[int], Fraction] | None = None,
) -> ExactTracing:
    """Return the exact distributions of the scores of the attack.

    Parameters
    ----------
    records, signs : int
        Each at least 1.
    score : str
        One of `proofs_check.claims.public_data.constructions.tracing.scores.SCORES`.
    biases : Distribution of Fraction
        Distribution of each bias, from -1 to 1; the biases are independent, and the attacker knows
        them. Fair coins by default.
    answer : callable, optional
        Maps the number of records with sign 1 to the answer; by default, the exact mean.

    Raises
    ------
    DomainError
        If a parameter is out of range.
    InstanceTooLargeError
        If a score takes too many values.

    Notes
    -----
    Complexity: a convolution for each sign; less than a second for 5 records of 10 signs with exact
    means and fair coins, whose scores have 51 values.

    Examples
    --------
    >>> exact = exact_tracing(2, 2)
    >>> exact.area, exact.advantage
    (Fraction(99, 128), Fraction(7, 16))
    """
    check_score(score)
    check_sizes(records, signs)
    inside, outside = (
        defaultdict[Fraction, Fraction](Fraction),
        defaultdict[Fraction, Fraction](Fraction),
    )
    for bias, chance in biases.items:
        if not -1 <= bias <= 1:
            raise DomainError(f"bias must be between -1 and 1, not {bias}")
        ones = (1 + bias) / 2
        shift = bias if score == "centred" else Fraction(0)
        for sign, likely in ((1, ones), (-1, 1 - ones)):
            for others in range(records):
                row = comb(records - 1, others) * ones**others
                mass = row * (1 - ones) ** (records - 1 - others) * likely * rational(chance)
                mine = _answer(answer, others + (sign > 0), records) - shift
                inside[mine * (sign - bias)] += mass
                for extra, more in ((1, ones), (0, 1 - ones)):
                    theirs = _answer(answer, others + extra, records) - shift
                    outside[theirs * (sign - bias)] += mass * more
    distributions = (_sum(dict(one), signs) for one in (inside, outside))
    return ExactTracing(*distributions)


def _answer(answer: Callable[[int], Fraction] | None, ones: int, records: int) -> Fraction:
    return Fraction(2 * ones - records, records) if answer is None else Fraction(answer(ones))


def _sum(one: dict[Fraction, Fraction], signs: int) -> Distribution[Fraction]:
    """Return the distribution of a sum of independent values with the same distribution."""
    total = {Fraction(0): Fraction(1)}
    for _ in range(signs):
        if len(total) * len(one) > MAX_TERMS:
            raise InstanceTooLargeError(
                f"scores take {len(total)} times {len(one)} values; the limit is {MAX_TERMS}"
            )
        next_total = defaultdict[Fraction, Fraction](Fraction)
        for so_far, p in total.items():
            for value, q in one.items():
                next_total[so_far + value] += p * q
        total = dict(next_total)
    return Distribution.of(total)
