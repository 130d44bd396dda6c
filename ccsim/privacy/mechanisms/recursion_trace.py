"""What RecConcave did in one draw, call by call."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from ccsim.data import frozen
from ccsim.exact.epsilon import Arithmetic, Probability, arithmetic
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.exact.steps import StepFunction
from ccsim.privacy.mechanisms.length_question import Level
from ccsim.privacy.mechanisms.range_choice import Interval, Part, RangeLaw, draw_weighted
from ccsim.privacy.mechanisms.recursive_concave import FamilyChoice, RecConcave


def stretches(values: tuple[Fraction, ...]) -> Iterator[tuple[int, int, Fraction]]:
    """Yield the first and the last place of each run of equal values, and the value."""
    place = 0
    for value, run in groupby(values):
        first, place = place, place + len(list(run))
        yield first, place - 1, value


@frozen
class TracedFamily:
    """What the choice of an interval of one family had before it, and what it said.

    Attributes
    ----------
    interval : tuple of (int, int) or None
        The best one; None if the family is empty.
    lead : Fraction or None
        Of its quality over that of the next best interval; None if there is no other.
    probability : Fraction, Exponential or Interval
        That it is released.
    released : bool or None
        Whether it was; None where nothing was drawn.
    """

    interval: Interval | None
    lead: Fraction | None
    probability: Probability
    released: bool | None


@frozen
class TracedChoice:
    """What follows if the recursive call returns some ``k``.

    Attributes
    ----------
    k : int
    probability : Fraction, Exponential or Interval
        That it is returned.
    families : tuple of (TracedFamily, TracedFamily)
        The intervals of length ``8 * 2^k`` from 0 on, and those from ``4 * 2^k`` on.
    """

    k: int
    probability: Probability
    families: tuple[TracedFamily, TracedFamily]


@frozen
class TracedCall:
    """One call of the recursion.

    Attributes
    ----------
    last : int
        The range is ``0 .. last``.
    extended : int
        ``T'``, the least power of two that is at least that; the end of the range in the innermost
        call, which is the exponential mechanism.
    promise, accuracy : Fraction
        ``r`` and ``alpha`` of this call.
    lengths, inner : tuple of Fraction
        ``L(0) .. L(log T' + 1)`` and ``q(0) .. q(log T')``; empty in the innermost call.
    handed : Fraction or None
        ``R``, the promise of the recursive call.
    choices : tuple of TracedChoice
        Of a draw the one that happened, of a law one for each ``k``; none in the innermost call.
    domain : tuple of (int, int)
        The intervals from which the last step draws; empty in a law, where they depend on chance.
    output : int or None
        What the call returned; None in a law.
    """

    last: int
    extended: int
    promise: Fraction
    accuracy: Fraction
    lengths: tuple[Fraction, ...]
    inner: tuple[Fraction, ...]
    handed: Fraction | None
    choices: tuple[TracedChoice, ...]
    domain: tuple[Interval, ...]
    output: int | None


@frozen
class RecursionTrace:
    """The calls, the outermost first. It depends on the data and is not to be published.

    Attributes
    ----------
    calls : tuple of TracedCall
    """

    calls: tuple[TracedCall, ...]

    @property
    def output(self) -> int | None:
        """What the whole returned; None if nothing was drawn."""
        return self.calls[0].output


def trace_of_draw(
    algorithm: RecConcave,
    quality: StepFunction,
    rng: Randomness = SYSTEM,
    precision: int | None = 128,
) -> RecursionTrace:
    """Draw an output step by step, with exactly the law, and say what every call did.

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
    """Draw what a call returns, given what its recursive call returned."""
    epsilon = algorithm.epsilon
    domain: tuple[Interval, ...] = ((0, level.quality.last),)
    choices: tuple[TracedChoice, ...] = ()
    if k is not None and level.inner is not None:
        inner = algorithm.inner_level(level, level.inner)
        share = algorithm.law_of_level(inner, precision).probability(k, k)
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
        law = RangeLaw(level.quality, powers, (Part(powers.number(1), domain),))
    return _call(level, choices, domain, law.draw(rng))


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
