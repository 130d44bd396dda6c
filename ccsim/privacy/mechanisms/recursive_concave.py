"""RecConcave: private optimisation of a quasi-concave quality over a long range.

`bns` section 3.3, figure 5. To find a point of high quality among ``T`` points, it suffices to know
the length of an interval of high quality up to a factor of 2. Finding this length is a
quasi-concave problem on about ``log T`` points. Details that the paper leaves open are implemented
as follows:

* in a family with one interval, this interval is chosen; an empty family is skipped;
* if neither family yields an interval, the last step draws from the whole range, or outputs 0;
* the last step draws only from the range, and outputs its end if no interval intersects it.

All distributions depend only on the quality function, whose values change by at most 1 between
neighbouring databases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import groupby, product
from typing import Annotated, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.arguments.parameters import Parameter
from ccsim.arguments.renamed import Renamed
from ccsim.data import frozen, validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Arithmetic, Epsilon, Probability, Value, arithmetic
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.exact.steps import StepFunction
from ccsim.privacy.constructions import CanonicalMechanism, Rows, Setting
from ccsim.privacy.mechanisms.exponential import (
    Interval,
    Part,
    RangeDistribution,
    draw_weighted,
    merged,
)
from ccsim.privacy.mechanisms.stable_choice import (
    VARIANTS,
    check_stable,
    choice_privacy,
    release_probability,
)

FALLBACKS = ("whole", "first")

Promise: TypeAlias = Annotated[Fraction, Parameter("Promised best quality", above=0)]
Accuracy: TypeAlias = Annotated[
    Fraction, Parameter("Allowed loss of quality, as a share of the promise", above=0, most=1)
]
Depth: TypeAlias = Annotated[int, Parameter("Maximum number of recursive calls", least=1)]
Base: TypeAlias = Annotated[int, Parameter("Largest range without a recursive call", least=1)]
Variant: TypeAlias = Annotated[str, Parameter("Rule for noise and threshold", choices=VARIANTS)]


@frozen
class FamilyChoice:
    """The best interval of a family, and the probability that it is released.

    Attributes
    ----------
    interval : Interval or None
        The best interval; None if the family is empty.
    lead : Fraction or None
        Quality of the best interval minus that of the second best; None if there is only one.
    released : Value
        Probability that the interval is released.
    """

    interval: Interval | None
    lead: Fraction | None
    released: Value


@validated
class RecConcave:
    """The algorithm RecConcave, for a range of any length.

    If the best quality is at least the promise ``r``, the algorithm finds with high probability a
    point of quality at least ``(1 - alpha) r``, where the accuracy ``alpha`` is at most 1/2. With
    depth 1 it is the exponential mechanism.

    Attributes
    ----------
    epsilon : Epsilon
        Epsilon of every step.
    delta : Fraction
        Delta of every choice of an interval.
    last_epsilon, choice_epsilon : Epsilon or None
        Epsilon of the last step, and of the choices of intervals at each level. If they are given,
        ``epsilon`` applies only to the innermost call.

    Examples
    --------
    >>> algorithm = RecConcave(
    ...     Fraction(9), Fraction(1, 2), Epsilon.of("ln 4"), Fraction(1, 8), 2, 4
    ... )
    >>> needle = StepFunction.from_steps({0: 0, 9: 9, 10: 0}, 16)
    >>> distribution = algorithm.distribution(needle)
    >>> float(distribution.probability(9, 9)) > 0.9, algorithm.calls(16)
    (True, 2)
    >>> str(algorithm.privacy(16)[0]), algorithm.privacy(16)[1]
    ('ln 256', Fraction(1, 4))
    """

    promise: Promise
    accuracy: Accuracy
    epsilon: Epsilon
    delta: Fraction
    depth: Depth = 2
    base: Base = 32
    variant: Variant = "corrected"
    fallback: Annotated[
        str, Parameter("Range of the last step if no interval was released", choices=FALLBACKS)
    ] = "whole"
    last_epsilon: Epsilon | None = None
    choice_epsilon: Epsilon | None = None

    def __post_init__(self) -> None:
        for name in ("epsilon", "last_epsilon", "choice_epsilon"):
            epsilon: Epsilon | None = getattr(self, name)
            if epsilon is not None and not epsilon.is_positive:
                raise DomainError(f"{name} must be positive, not {epsilon}")
        check_stable(self.delta, self.choice_epsilon or self.epsilon, self.variant)

    def calls(self, last: int) -> int:
        """Return the number of calls on a range ``0 .. last``, at most `depth`."""
        number, left = 1, last
        while left > self.base and number < self.depth:
            left = (left - 1).bit_length()  # log2 of the least power of two that is at least it
            number += 1
        return number

    def privacy(self, last: int, *, printed: bool = False) -> tuple[Epsilon, Fraction]:
        """Return epsilon and delta of the algorithm on a range ``0 .. last``."""
        calls, last_step = self.calls(last), self.last_epsilon or self.epsilon
        said = self.choice_epsilon or self.epsilon, self.delta
        choice, delta = said if printed else choice_privacy(*said, self.variant)
        total = self.epsilon * 3 if printed else self.epsilon
        for _ in range(calls - 1):
            total = total + choice * 2 + last_step
        return total, delta * (3 * calls if printed else 2 * (calls - 1))

    def level(self, quality: StepFunction) -> Level:
        """Return the outermost call with its derived quantities."""
        return Level.of(quality, self.promise, self.accuracy, self.depth, self.base)

    def levels(self, quality: StepFunction) -> Iterator[Level]:
        """Yield the calls with their derived quantities, the outermost first."""
        level = self.level(quality)
        yield level
        while level.inner is not None:
            level = self.inner_level(level, level.inner)
            yield level

    def inner_level(self, level: Level, quality: StepFunction) -> Level:
        """Return the recursive call of a given call, with its derived quantities."""
        promise = level.accuracy * level.promise / 2
        return Level.of(quality, promise, Fraction(1, 4), level.depth - 1, self.base)

    def choose(
        self, level: Level, k: int, powers: Arithmetic, known: dict[Fraction, Value] | None = None
    ) -> tuple[FamilyChoice, FamilyChoice]:
        """Return the choices from both families of intervals, for the length ``2^k``.

        Release probabilities are cached in ``known`` by lead.
        """
        K, releases = 1 << k, {} if known is None else known
        return (
            self._family(level, 0, 8 * K, powers, releases),
            self._family(level, 4 * K, 8 * K, powers, releases),
        )

    def _family(
        self,
        level: Level,
        offset: int,
        length: int,
        powers: Arithmetic,
        known: dict[Fraction, Value],
    ) -> FamilyChoice:
        found = level.best_of_family(offset, length)
        if found is None:
            return FamilyChoice(None, None, powers.number(0))
        interval, lead = found
        if lead is None:
            return FamilyChoice(interval, None, powers.number(1))
        if lead not in known:
            known[lead] = release_probability(lead, self.delta, powers, self.variant)
        return FamilyChoice(interval, lead, known[lead])

    law = Renamed("distribution")

    def distribution(
        self, quality: StepFunction, precision: int | None = None
    ) -> RangeDistribution:
        """Return the exact distribution of the output.

        Complexity: ``O(K log K + K log T)`` for ``K`` steps on a range of ``T`` points; with 10^5
        steps on 2^64 points about a second in interval arithmetic.
        """
        return self.distribution_of_level(self.level(quality), precision)

    law_of_level = Renamed("distribution_of_level")

    def distribution_of_level(self, level: Level, precision: int | None) -> RangeDistribution:
        """Return the exact distribution of the output of a call."""
        if level.inner is None:
            powers = arithmetic(self.epsilon, precision)
            with powers.working():
                whole = Part(powers.number(1), ((0, level.quality.last),))
            return RangeDistribution(level.quality, powers, (whole,))
        chosen = self.distribution_of_level(self.inner_level(level, level.inner), precision)
        powers = arithmetic(self.last_epsilon or self.epsilon, precision)
        choices = arithmetic(self.choice_epsilon or self.epsilon, precision)
        known: dict[Fraction, Value] = {}
        with powers.working():
            parts = [
                Part(chosen.value(k, k) * share, intervals)
                for k in range(level.inner.last + 1)
                for _, share, intervals in self.cases(level, self.choose(level, k, choices, known))
            ]
        return RangeDistribution(level.quality, powers, tuple(parts))

    def cases(
        self, level: Level, choices: tuple[FamilyChoice, FamilyChoice]
    ) -> Iterator[tuple[tuple[Interval | None, ...], Value, tuple[Interval, ...]]]:
        """Yield the combinations of released intervals, each with its probability and domain."""
        options = [
            [(None, 1 - choice.released)]
            + ([] if choice.interval is None else [(choice.interval, choice.released)])
            for choice in choices
        ]
        for (a, with_a), (b, with_b) in product(*options):
            kept = [interval for interval in (a, b) if interval is not None]
            yield (a, b), with_a * with_b, self.domain(level, kept)

    def domain(self, level: Level, kept: list[Interval]) -> tuple[Interval, ...]:
        """Return the domain of the last step, given the released intervals."""
        last = level.quality.last
        if not kept:
            return ((0, last),) if self.fallback == "whole" else ((0, 0),)
        inside = [(first, min(end, last)) for first, end in kept if first <= last]
        return merged(inside) or ((last, last),)

    def draw(
        self, quality: StepFunction, rng: Randomness = SYSTEM, precision: int | None = 128
    ) -> int:
        """Draw an output from the exact distribution."""
        return self.distribution(quality, precision).draw(rng)


@validated
class RecConcaveOnExamples(CanonicalMechanism[tuple[int, int], int]):
    """Choose a concept by `RecConcave`, with the number of correct labels as quality.

    The mechanism is ``(epsilon, delta)``-private; both parameters are divided equally among the
    steps of the algorithm.

    Attributes
    ----------
    num_points : int
    concepts : tuple of int
        One or more bit masks over the points; the range consists of their indices.
    epsilon : Epsilon
        Privacy parameter epsilon, positive.
    delta : Fraction

    Examples
    --------
    >>> learner = RecConcaveOnExamples(2, (0b00, 0b01, 0b11), Epsilon.of("ln 4"), Fraction(1, 8))
    >>> learner.distribution([(0, 1), (1, 0)])[0b01]
    Fraction(1, 2)
    """

    num_points: int
    concepts: tuple[int, ...]
    epsilon: Epsilon
    delta: Fraction
    promise: Promise = Fraction(1)
    accuracy: Accuracy = Fraction(1, 2)
    depth: Depth = 2
    base: Base = 32
    variant: Variant = "corrected"
    algorithm: RecConcave = field(init=False, repr=False, compare=False)

    symmetric = True

    def __post_init__(self) -> None:
        if not self.concepts:
            raise DomainError("rec-concave requires a class with at least one concept, not 0")
        whole = RecConcave(
            self.promise, self.accuracy, self.epsilon, Fraction(1, 4), self.depth, self.base
        )
        calls = whole.calls(len(self.concepts) - 1)  # over which the budget is split
        step = self.epsilon * Fraction(1, 3 * calls - 2)
        delta = self.delta / (2 * (calls - 1)) if calls > 1 else whole.delta
        algorithm = replace(whole, epsilon=step, delta=delta, variant=self.variant)
        object.__setattr__(self, "algorithm", algorithm)

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the mechanism over the concepts of a class, in their order."""
        return cls(num_points, concepts, epsilon, delta, **given)

    @property
    def records(self) -> tuple[tuple[int, int], ...]:
        """All labelled examples."""
        return tuple(product(range(self.num_points), (0, 1)))

    def distribution_of(self, database: tuple[tuple[int, int], ...]) -> Distribution[int]:
        """Return the distribution of the concept."""
        right = [sum((row >> x & 1) == y for x, y in database) for row in self.concepts]
        return self.distribution_of_scores(right)

    def distribution_of_scores(
        self, qualities: Sequence[Fraction | int], size: int | None = None
    ) -> Distribution[int]:
        """Return the output distribution, given the quality of each concept; ignore ``size``."""
        distribution = self.algorithm.distribution(StepFunction.of(qualities))
        return Distribution.of(
            {row: distribution.value(i, i) for i, row in enumerate(self.concepts)}
        )


@frozen
class Level:
    """The quantities that a call of the algorithm derives from its quality function.

    Attributes
    ----------
    quality : StepFunction
        Quality function on ``0 .. T``.
    extended : StepFunction
        Quality function on ``0 .. T'``, for the least power of two ``T'`` that is at least ``T``.
    lengths : tuple of Fraction
        For each j, the largest minimum quality of an interval of length ``2^j``.
    inner : StepFunction or None
        Quality function of the recursive call; None for the exponential mechanism.
    promise : Fraction
        The promise ``r``.
    accuracy : Fraction
        The accuracy ``alpha``.
    depth : int
        Number of calls allowed, including this one.
    """

    quality: StepFunction
    extended: StepFunction
    lengths: tuple[Fraction, ...]
    inner: StepFunction | None
    promise: Fraction
    accuracy: Fraction
    depth: int
    _ranks: npt.NDArray[np.int64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        values, _ = self.extended.integers()
        order = {value: rank for rank, value in enumerate(sorted(set(values)))}
        ranks = np.fromiter((order[value] for value in values), np.int64, len(values))
        object.__setattr__(self, "_ranks", ranks)

    @classmethod
    def of(
        cls, quality: StepFunction, promise: Fraction, accuracy: Fraction, depth: int, base: int
    ) -> Level:
        """Return the derived quantities of a call.

        On a range ``0 .. base`` or at depth 1 there is no recursive call, and ``lengths`` is empty.
        """
        if quality.last <= base or depth == 1:
            return cls(quality, quality, (), None, promise, accuracy, depth)
        log = (quality.last - 1).bit_length()
        extended = quality.extended(1 << log, min(Fraction(0), quality(quality.last)))
        runs = extended.longest_runs()
        lengths: list[Fraction] = []
        k = 0
        for j in range(log + 1):
            while runs[k][0] < 1 << j:
                k += 1
            lengths.append(runs[k][1])
        lengths.append(min(Fraction(0), lengths[-1]))
        floor = (1 - accuracy) * promise
        inner = [min(lengths[j] - floor, promise - lengths[j + 1]) for j in range(log + 1)]
        return cls(
            quality, extended, tuple(lengths), StepFunction.of(inner), promise, accuracy, depth
        )

    def best_of_family(self, offset: int, length: int) -> tuple[Interval, Fraction | None] | None:
        """Return the best interval of a division (the first of equally good ones) and its lead.

        Complexity: linear in the number of steps; no interval is listed.
        """
        f = self.extended
        if offset > f.last:
            return None
        _, place = self._highest(offset, f.last)
        start = offset + (place - offset) // length * length
        interval = start, min(start + length - 1, f.last)
        top = self._highest(*interval)[0]
        rest = [
            self._highest(a, b)[0]
            for a, b in ((offset, start - 1), (interval[1] + 1, f.last))
            if a <= b
        ]
        return interval, (top - max(rest) if rest else None)

    def _highest(self, first: int, last: int) -> tuple[Fraction, int]:
        """Return the largest extended quality on an interval, and its first position."""
        f = self.extended
        i, j = f.step_at(first), f.step_at(last)
        step = i + int(np.argmax(self._ranks[i : j + 1]))
        return f.values[step], max(first, f.starts[step])


def stretches(values: tuple[Fraction, ...]) -> Iterator[tuple[int, int, Fraction]]:
    """Yield the first and the last position of each run of equal values, and the value."""
    place = 0
    for value, run in groupby(values):
        first, place = place, place + len(list(run))
        yield first, place - 1, value


@frozen
class TracedFamily:
    """Input and output of the choice of an interval from one family."""

    interval: Interval | None  # the best one; None if the family is empty
    # of its quality over that of the next best interval; None if there is no other
    lead: Fraction | None
    probability: Probability  # that it is released
    released: bool | None  # whether it was; None where nothing was drawn


@frozen
class TracedChoice:
    """The choices of intervals if the recursive call returns ``k``."""

    k: int
    probability: Probability  # that it is returned
    # the intervals of length ``8 * 2^k`` from 0 on, and those from ``4 * 2^k`` on
    families: tuple[TracedFamily, TracedFamily]


@frozen
class TracedCall:
    """One call of the recursion."""

    last: int  # the range is ``0 .. last``
    # ``T'``, the least power of two that is at least that; the end of the range in the innermost
    # call, which is the exponential mechanism
    extended: int
    # ``r`` and ``alpha`` of this call
    promise: Fraction
    accuracy: Fraction
    # ``L(0) .. L(log T' + 1)`` and ``q(0) .. q(log T')``; empty in the innermost call
    lengths: tuple[Fraction, ...]
    inner: tuple[Fraction, ...]
    handed: Fraction | None  # ``R``, the promise of the recursive call
    # of a draw its own one, of a distribution one for each ``k``; none in the innermost call
    choices: tuple[TracedChoice, ...]
    # the intervals of which the last step draws one; empty in a distribution, where they are random
    domain: tuple[Interval, ...]
    output: int | None  # what the call returned; None in a distribution


@frozen
class RecursionTrace:
    """The calls of a run. They depend on the data and must not be published.

    Attributes
    ----------
    calls : tuple of TracedCall
        The calls, the outermost first.
    """

    calls: tuple[TracedCall, ...]

    @property
    def output(self) -> int | None:
        """The output of the algorithm; None if nothing was drawn."""
        return self.calls[0].output


def trace_of_draw(
    algorithm: RecConcave,
    quality: StepFunction,
    rng: Randomness = SYSTEM,
    precision: int | None = 128,
) -> RecursionTrace:
    """Draw an output step by step from the exact distribution, with a trace of every call.

    Complexity: ``O(K log K + log T)`` for ``K`` steps; 10^5 steps on 2^64 points take a second.
    """
    levels = list(algorithm.levels(quality))
    calls: list[TracedCall] = []
    k: int | None = None
    for level in reversed(levels):
        call = _drawn(algorithm, level, k, rng, precision)
        calls.insert(0, call)
        k = call.output
    return RecursionTrace(tuple(calls))


def _drawn(
    algorithm: RecConcave,
    level: Level,
    k: int | None,
    rng: Randomness,
    precision: int | None,
) -> TracedCall:
    """Draw the output of a call, given the output of its recursive call."""
    epsilon = algorithm.epsilon
    domain: tuple[Interval, ...] = ((0, level.quality.last),)
    choices: tuple[TracedChoice, ...] = ()
    if k is not None and level.inner is not None:
        inner = algorithm.inner_level(level, level.inner)
        share = algorithm.distribution_of_level(inner, precision).probability(k, k)
        powers = arithmetic(algorithm.choice_epsilon or algorithm.epsilon, precision)
        with powers.working():
            pair = algorithm.choose(level, k, powers)
            a, b = (
                draw_weighted([1 - choice.released, choice.released], powers, rng) == 1
                for choice in pair
            )
            choices = (TracedChoice(k, share, _families(pair, (a, b), powers)),)
        kept = [
            choice.interval
            for choice, said in zip(pair, (a, b), strict=True)
            if said and choice.interval is not None
        ]
        domain = algorithm.domain(level, kept)
        epsilon = algorithm.last_epsilon or algorithm.epsilon
    powers = arithmetic(epsilon, precision)
    with powers.working():
        distribution = RangeDistribution(level.quality, powers, (Part(powers.number(1), domain),))
    return _call(level, choices, domain, distribution.draw(rng))


def _families(
    pair: tuple[FamilyChoice, FamilyChoice],
    said: tuple[bool | None, bool | None],
    powers: Arithmetic,
) -> tuple[TracedFamily, TracedFamily]:
    a, b = (
        TracedFamily(choice.interval, choice.lead, powers.result(choice.released), released)
        for choice, released in zip(pair, said, strict=True)
    )
    return a, b


def _call(
    level: Level,
    choices: tuple[TracedChoice, ...],
    domain: tuple[Interval, ...],
    output: int | None,
) -> TracedCall:
    q = level.inner
    return TracedCall(
        level.quality.last,
        level.extended.last,
        level.promise,
        level.accuracy,
        level.lengths,
        () if q is None else tuple(q(j) for j in range(q.last + 1)),
        None if q is None else level.accuracy * level.promise / 2,
        choices,
        domain,
        output,
    )
