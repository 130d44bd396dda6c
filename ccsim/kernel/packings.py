"""Sample complexity of private learners and releases; closed forms of communication errors.

Learners and releases are ``ln(factor)``-private and fail with probability at most `failure`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import ceil, comb, floor
from types import SimpleNamespace
from typing import Annotated, Any, ClassVar

from .private_failure import *
from .reader import *
from .rules import *

Bits = Annotated[int, lambda value, _: index(value, 1 << 16)]
Pool = Annotated[
    list[int] | None,
    lambda value, it: None if value is None else each(subset, value, it.instance.width),
]
Growth = tuple[Fraction, int, int]  # ``g`` and ``s`` of `exclude`, number of events
Packed = tuple[int, Weights, int, int]  # concept, law, its sum, and how much may be wrong


class Examples:
    """Bounds on the minimum number of examples of private learners that succeed on every target."""

    instance: Class
    hypotheses: Pool
    accuracy: Probability
    failure: Probability
    factor: Factor
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value))

    @least
    def trivial(self) -> int:
        """Return 0, a trivial bound."""
        return 0

    def least_failure(self, samples: int, side: str, proof: object) -> Fraction:
        """Return a bound on the minimum failure probability for the given number of examples."""
        known = {key: getattr(self, key) for key in ("instance", "accuracy", "factor")}
        it = PrivateFailure.of(samples=samples, **known)
        return Fraction(inside("proof", it.proved, side, proof))

    @least
    def too_few(self, samples: Natural, proof: Raw) -> int:
        """Check that the minimum failure probability exceeds `failure`; return samples + 1."""
        failure = self.least_failure(samples, "lower", proof)
        require(failure > self.failure, "the proved failure {} must exceed the stated one", failure)
        return samples + 1

    @most
    def enough(self, samples: Natural, proof: Raw) -> int:
        """Check that the minimum failure probability is at most `failure`; return `samples`."""
        require(self.hypotheses is None, "hypotheses must be null for this form of proof")
        failure = self.least_failure(samples, "upper", proof)
        require(failure <= self.failure, "the proved failure {} exceeds the stated one", failure)
        return samples


class PrivateSampleComplexity(Examples, Quantity, kind="private_sample_complexity"):
    """The minimum number of examples of a private learner that succeeds on every target."""

    @least
    def packing(self, samples: Natural, targets: Targets, exchanged: Raw, bits: Bits) -> int:
        """Check that no hypothesis is good for two targets; return samples + 1.

        If an example is drawn from a distribution at distance `t` from the first target's instead,
        the probability of an event grows by a factor of at most ``1 + t (factor - 1)``.
        """
        packed = [(f, D, sum(D), floor(self.accuracy * sum(D))) for f, D in targets]
        for h in self.hypotheses or ():
            spend(len(packed) * (20 + 2 * self.instance.width))
            good = [weight(D, h ^ f) <= most_wrong for f, D, _, most_wrong in packed]
            rule = "a hypothesis has error at most {} on two targets"
            require(sum(good) < 2, rule, self.accuracy)
        for one, other in combinations(packed, 2) if self.hypotheses is None else ():
            shared = is_shared(one, other)
            require(not shared, "a function has error at most {} on two targets", self.accuracy)
        times = inside("exchanged", lambda: each(integer, exchanged, length=len(packed) - 1))
        growths, (f, D, d, _) = list[Growth](), packed[0]
        for (g, E, e, _), s in zip(packed[1:], times, strict=True):
            agree = (1 << len(D)) - 1 & ~(f ^ g)
            distance = 1 - Fraction(common(D, d, E, e, agree), d * e)
            growths.append((1 + distance * (self.factor - 1), s, 1))
        exclude(growths, samples, self.failure, bits)
        return samples + 1


class ApproximateSampleComplexity(Examples, Quantity, kind="approximate_sample_complexity"):
    """The minimum number of examples of a ``(ln(factor), delta)``-private, improper learner."""

    hypotheses: ClassVar[None] = None  # type: ignore[misc] # no field of a statement
    delta: Probability

    def least_failure(self, samples: int, side: str, proof: object) -> Fraction:
        """Return a bound on the minimum failure probability."""
        known = {key: getattr(self, key) for key in ("instance", "accuracy", "factor", "delta")}
        it = ApproximatePrivateFailure.of(samples=samples, **known)
        return Fraction(inside("proof", it.proved, side, proof))


class Release(Quantity, kind="release"):
    """The minimum number of records, at least 1, for private answers to all counting queries.

    The query of a concept is the fraction of records on which it is 1. On every database, all
    answers have an error below `accuracy`, except with probability `failure`.
    """

    instance: Class
    accuracy: Probability
    failure: Probability
    factor: Factor
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value, 1))

    @least
    def trivial(self) -> int:
        """Return 1, a trivial bound."""
        return 1

    @least
    def points(self, records: Natural, points: Raw, exchanged: Natural, bits: Bits) -> int:
        """Check databases of copies of the first point and of one other point; return records + 1.

        A concept separates each two of the databases. The other point has enough copies that the
        concept's query differs on the two databases by at least twice the accuracy.
        """
        chosen = inside("points", distinct, points, self.instance.width)
        told = different(self.instance.columns[x] for x in chosen)
        require(len(told) == len(chosen), "no two points may have equal labels in all concepts")
        require(chosen, "there must be at least one point")
        require(2 * self.accuracy <= 1, "accuracy must be at most 1/2, not {}", self.accuracy)
        replaced = ceil(2 * self.accuracy * records)
        exclude([(self.factor, exchanged, len(chosen) - 1)], replaced, self.failure, bits)
        return records + 1


def common(first: Weights, d: int, second: Weights, e: int, points: int) -> int:
    """Return the common mass of two distributions on a set, in units of ``1 / (d e)``."""
    spend(20 + (len(first) >> 3) + points.bit_count() * (3 + ((d * e).bit_length() >> 7)))
    return sum(min(first[x] * e, second[x] * d) for x in members(points))


def is_shared(one: Packed, other: Packed) -> bool:
    """Decide whether some function is good for two targets; where they differ, it errs on one."""
    (f, D, d, a), (g, E, e, b) = one, other
    if common(D, d, E, e, f ^ g) > a * e + b * d:
        return False
    errors = [(0, 0)]  # for f and for g: of any two the one that is larger for f is less for g
    for x in members(f ^ g):
        if D[x] and E[x]:
            spend(len(errors) * (50 + (a + b).bit_length() // 20))
            more = [pair for u, v in errors for pair in ((u + D[x], v), (u, v + E[x]))]
            errors = []
            for u, v in sorted(more):
                if u <= a and v < (errors[-1][1] if errors else b + 1):
                    errors.append((u, v))
    return bool(errors)


def exclude(growths: list[Growth], samples: int, failure: Fraction, bits: int) -> None:
    """Require that the probabilities of disjoint events sum to more than `failure`.

    Each event has probability at least ``1 - failure`` after `samples` exchanges, each of which
    multiplies the probabilities of the event and of its complement by at most ``g``. The bound on
    the complement for the last ``s`` exchanges and the bound on the event for the others show that
    its probability before the exchanges is at least ``(1 - failure g^s) / g^(samples - s)``.
    """
    (p, q), unit, total, known = failure.as_integer_ratio(), 1 << bits, 0, dict[str, int]()
    for g, s, number in growths:
        if (key := f"{g.numerator:x} {g.denominator:x} {s:x}") not in known:
            require(s <= samples, "there are {} exchanges; the limit is {}", s, samples)
            left = q * unit - p * power(g, s, bits)
            known[key] = left * unit // (q * power(g, samples - s, bits))
        total += number * known[key]
    require(total * q > p * unit, "the events must have a total probability above the failure")


def power(base: Fraction, exponent: int, bits: int) -> int:
    """Return an upper bound on a power, in units of ``2^-bits``, rounding up at each step."""
    result, factor = 1 << bits, ceil(base * (1 << bits))
    for digit in bin(exponent)[2:]:
        spend(20 + (result.bit_length() ** 2 >> 14))
        result = -(-result * result >> bits)
        result = -(-result * factor >> bits) if digit == "1" else result
    return result


def family(value: object, _: object) -> SimpleNamespace:
    """Read equality with a number of inputs, or (augmented) index with a number of positions."""
    kind, name, size = fields(value, "type", "name", "size")
    inside("name", naming, name)
    n = inside("size", integer, size, 1)
    known = inside("type", choice, kind, ("equality", "index", "augmented index"))
    return SimpleNamespace(title=f"{known} of size {n}", size=n, kind=known)


class FamilyError(Quantity, kind="family_error"):
    """The minimax error of a family of problems with public coins, in closed form."""

    instance: Annotated[SimpleNamespace, family]
    messages: Positive

    @least
    def slope(self, size: Natural, ratio: Number) -> Fraction:
        """Return the bound for weight `ratio` on equal inputs and weight 1 on other inputs."""
        n, k, kind = self.instance.size, self.messages, self.instance.kind
        fits = kind == "equality" and ratio > 0
        require(fits, "this form of proof requires equality and a positive ratio")
        low = 2 * size - 2
        rule = "ratio must be from 2 size - 2 = {} to 2 size = {}, not {}"
        require(low <= ratio <= low + 2, rule, low, low + 2, ratio)
        kept = (k - 1) * size  # the inputs that are in no class that Bob rejects
        cost = min(ratio * (n - kept) + kept * (size - 1), Fraction(pairs_inside(n, k)))
        return Fraction(max(cost, 0), n * (n - 1 + ratio))

    @most
    def random_classes(self, size: Natural, weights: Raw) -> Fraction:
        """Return the error of a mixture of balanced partitions, some with a rejected class."""
        n, k, kind = self.instance.size, self.messages, self.instance.kind
        even, uneven = inside("weights", law, weights, 2)
        rejected, others = n - (k - 1) * size, max(n - 1, 1)
        require(kind == "equality", "this form of proof is valid only for equality")
        require(rejected >= 0, "{} disjoint classes of size {} exceed {} inputs", k - 1, size, n)
        accepted = even * pairs_inside(n, k) + uneven * (k - 1) * size * (size - 1)
        wrong = max(accepted, uneven * rejected * others)  # on different and on equal inputs
        return Fraction(wrong, (even + uneven) * n * others)

    @least
    def ball(self) -> Fraction:
        """Return the bound if each class consists of the words of smallest weight."""
        d, k, kind = self.instance.size, self.messages, self.instance.kind
        require(kind != "equality", "this form of proof is not valid for equality")
        spend(d**3 >> 4)
        (words, larger), total, fewer = divmod(1 << d, k), 0, 0
        for errors in range(d + 1):
            for number, classes in (words + 1, larger), (words, k - larger):
                total += errors * classes * max(0, min(number - fewer, comb(d, errors)))
            fewer += comb(d, errors)
        return Fraction(total, d << d)


def pairs_inside(n: int, k: int) -> int:
    """Return the number of ordered pairs inside the classes of a balanced partition."""
    size, larger = divmod(n, k)
    return size * (n + larger - k)
