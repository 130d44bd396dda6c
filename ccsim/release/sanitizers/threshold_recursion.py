"""SanThresholds: a synthetic database for all thresholds of a long range (`bns` section 4.3).

Details that the paper leaves open are implemented as follows. Noisy counts are rounded, and
negative counts become 0. If the choosing mechanism outputs nothing, the whole range becomes one
interval. A call beyond the limit releases no copies for its range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.arguments.values import show_value
from ccsim.budget import in_time
from ccsim.data import frozen, validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.exact.steps import StepFunction
from ccsim.learning.sample_size import check_accounting, log_star
from ccsim.privacy.constructions import Setting
from ccsim.privacy.mechanisms.choosing import choosing_sample_size
from ccsim.privacy.mechanisms.recursive_concave import RecConcave
from ccsim.release.sanitizer import (
    QueryError,
    Records,
    Release,
    SortedRecords,
    check_accuracy,
    max_threshold_error,
)
from ccsim.release.sanitizers.budget import (
    composed_epsilon,
    printed_share,
    san_thresholds_sample_size,
    split_budget,
)
from ccsim.release.sanitizers.steps import CountChoice, RoundedLaplace

MAX_LAST = 2**64 - 1  # largest possible record
Interval = tuple[int, int]  # first and last point


@runtime_checkable
class Coins(Protocol):
    """Source of the random decisions of a run; tests replace it."""

    def noise(self) -> int:
        """Return the rounded noise of a count."""

    def length(self, quality: StepFunction) -> int:
        """Return a length ``z``, as in step 8 of the paper's algorithm, for given qualities."""

    def choose(self, intervals: list[tuple[int, int]], counts: npt.NDArray[np.int64]) -> int | None:
        """Return the number of an interval with records, or None."""


@validated
class SanThresholds:
    """Build a synthetic database from intervals found by recursive calls.

    Each call runs four ``(epsilon, delta)``-private mechanisms: two noisy counts, for which delta
    is 0, a search for a length, and a choice of an interval.

    Attributes
    ----------
    last : int
        Largest record, at most ``2^64 - 1``; records are ``0 .. last``.
    accuracy, failure : Fraction
        The accuracy ``alpha`` and the failure probability ``beta`` of a call, strictly between 0
        and 1.
    epsilon, delta : Epsilon, Fraction
        Epsilon and delta of each mechanism; see `for_budget`. Epsilon must be rational.
    calls : int or None
        Maximum number ``c`` of calls. The default None stands for ``77 / accuracy``.
    slack : Fraction
        The part of delta that advanced composition uses.
    accounting : str
        Division of the budget of RecConcave, which finds a length in each call. ``counted``: the
        budget is divided among the steps that occur. ``printed``: each step has ``epsilon / (3 log*
        d)`` and ``delta / (3 log* d)`` for ``d`` bits, as in the paper.
    threshold : str
        Threshold of the choosing mechanism: ``fixed`` or ``paper``, as in `ChoosingMechanism`.

    Examples
    --------
    >>> import numpy as np
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> sanitizer = SanThresholds(2**64 - 1, tenth, tenth, Epsilon.of(1), millionth)
    >>> run = sanitizer.sanitize({7: 50_000, 2**40: 50_000}, np.random.default_rng(0))
    >>> run.partition[1], 2**40 in run.released, float(run.error.error) < 0.01
    ((7, 7), True, True)
    """

    last: int
    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon
    delta: Fraction
    calls: int | None = None
    slack: Fraction = Fraction(0)
    accounting: str = "counted"
    threshold: str = "fixed"

    family = "thresholds"

    def __post_init__(self) -> None:
        if not 0 <= self.last <= MAX_LAST:
            raise DomainError(
                f"last record must be between 0 and 2^64 - 1, not {show_value(self.last)}"
            )
        check_accuracy(self.accuracy, self.failure)
        if self.calls is not None and self.calls < 1:
            raise DomainError(f"calls must be at least 1, not {self.calls}")
        if not 0 <= self.slack < 1:
            raise DomainError(f"slack must be at least 0 and below 1, not {self.slack}")
        check_accounting(self.accounting)
        if self.epsilon.factor != 1:
            raise DomainError(
                "epsilon must be rational, because it is divided among the steps, not "
                f"{self.epsilon}"
            )
        self.recursion(1, 1)  # checks the other fields
        self.choice  # noqa: B018 - as this does

    @classmethod
    def for_task(cls, **given: Setting) -> SanThresholds:
        """Return the sanitizer that ``ccsim sanitize`` runs."""
        asked = (given[name] for name in ("last", "accuracy", "failure", "epsilon", "delta"))
        return cls.for_budget(*asked)

    @classmethod
    def least_records(cls, **given: Setting) -> int:
        """Return a number of records that is proved to suffice for the accuracy and failure."""
        asked = {name: given[name] for name in ("accuracy", "failure", "epsilon", "delta")}
        return san_thresholds_sample_size(**asked, bits=max(1, given["last"].bit_length()))

    def release_records(self, records: Sequence[int], rng: Randomness = SYSTEM) -> Release:
        """Draw a random release of the given records."""
        run = self.sanitize(records, rng)
        more = {
            "calls": len(run.calls),
            "allowed": run.allowed,
            "intervals": run.partition,
            "unreached": run.unreached,
        }
        released = tuple(sorted(run.released.items()))
        return Release("database", released, more, lambda: run.error)

    @classmethod
    def for_budget(
        cls,
        last: int,
        accuracy: Fraction,
        failure: Fraction,
        epsilon: Epsilon,
        delta: Fraction,
        accounting: str = "counted",
    ) -> SanThresholds:
        """Return the sanitizer for a total epsilon, delta and failure probability.

        With ``printed``, there are ``77 / accuracy`` calls, and each mechanism has
        ``epsilon / (2 sqrt(8 c ln(5 / delta)))`` and ``delta / (5 c)`` (Lemma 4.8). With
        ``counted``, there are ``2 floor(128 / (5 accuracy)) + 1`` calls, the maximum of a
        successful run, and each mechanism has the largest epsilon that composition allows.
        """
        if accounting == "printed":
            calls = ceil(77 / accuracy)
            share = printed_share(epsilon, Fraction(32 * calls), delta)
            each = share, delta / (5 * calls), calls, delta / 5
        else:
            calls = 2 * floor(128 / (5 * accuracy)) + 1
            steps = split_budget(epsilon, delta, 4 * calls, 2 * calls)
            each = steps.epsilon, steps.delta, calls, steps.slack
        return cls(last, accuracy, failure / (3 * calls), *each, accounting)

    @property
    def allowed(self) -> int:
        """The maximum number of calls."""
        return ceil(77 / self.accuracy) if self.calls is None else self.calls

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta of the release."""
        total = composed_epsilon(self.epsilon, 4 * self.allowed, self.slack)
        return total, min(2 * self.allowed * self.delta + self.slack, Fraction(1))

    @property
    def needed(self) -> int:
        """Number of records required for privacy; 0 for the fixed threshold."""
        if self.threshold == "fixed":
            return 0
        return choosing_sample_size(
            self.accuracy / 64, self.failure, self.epsilon, self.delta, growth=2
        )

    @property
    def choice(self) -> CountChoice:
        """The mechanism that chooses an interval or a point."""
        return CountChoice(self.epsilon, self.delta, 2, self.threshold, self.accuracy / 64)

    def recursion(self, last: int, size: int) -> RecConcave:
        """Return the algorithm that finds the length in a range of ``2^last`` points."""
        promise, quarter = self.accuracy * size / 32, Fraction(1, 4)
        stars = max(1, log_star(self.last.bit_length()))
        if self.accounting == "printed":
            steps = self.epsilon / (3 * stars), self.delta / (3 * stars)
        else:
            calls = RecConcave(promise, quarter, self.epsilon, self.delta, stars).calls(last)
            steps = self.epsilon / (3 * calls - 2), self.delta / max(2 * (calls - 1), 1)
        return RecConcave(promise, quarter, *steps, stars)

    def sanitize(self, records: Records, rng: Randomness = SYSTEM) -> ThresholdRun:
        """Draw a synthetic database; each call examines its records once for each length."""
        known = SortedRecords.of(records, self.last)
        if known.size < self.needed:
            raise DomainError(
                f"database must have at least {self.needed} records for the paper's threshold, not "
                f"{known.size}"
            )
        return self.run(records, _Drawn(self, known.size, rng))

    def run(self, records: Records, coins: Coins) -> ThresholdRun:
        """Run the algorithm with given random decisions."""
        known = SortedRecords.of(records, self.last)
        ranges = [OrderedCounts.of(known, self.last)]
        calls: list[SanitizerCall] = []
        for _ in in_time(range(self.allowed)):
            if not ranges:
                break
            part = ranges.pop()
            call = self._call(part, known.size, coins)
            calls.append(call)
            (a, b), (k, end) = call.interval, call.range
            if b < end:
                ranges.append(part.part(b + 1, end))
            if a > k:
                ranges.append(part.part(k, a - 1))
        copies = {call.interval[1]: call.copies for call in calls if call.copies > 0}
        nothing = QueryError(known.values[-1] + 1, Fraction(1), Fraction(0))
        error = max_threshold_error(records, copies, self.last) if copies else nothing
        left = tuple(sorted((part.first, part.last) for part in ranges))
        return ThresholdRun(tuple(calls), left, known.size, self.accuracy, self.allowed, error)

    def _call(self, part: OrderedCounts, size: int, coins: Coins) -> SanitizerCall:
        whole, share = (part.first, part.last), self.accuracy * size
        noisy = part.size + coins.noise()
        inside = part.size
        if 8 * noisy < share:
            before = part.part(part.first, part.last - 1).size
            return SanitizerCall(whole, whole, noisy, noisy, inside, inside, before)
        quality = StepFunction.of(part.length_qualities(share))
        log = coins.length(quality)
        intervals, counts = part.divided(log)
        place = coins.choose(intervals, counts)
        a, b = whole if place is None else intervals[place]
        chosen, before = part.part(a, b).size, part.part(a, b - 1).size
        copies = chosen + coins.noise()
        return SanitizerCall(
            *(whole, (a, b), noisy, copies, inside, chosen, before),
            log_length=log,
            quality=quality(log),
            bottom=place is None,
        )


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Random decisions, drawn from the distributions of the mechanisms."""

    sanitizer: SanThresholds
    size: int
    rng: Randomness

    def noise(self) -> int:
        return RoundedLaplace(self.sanitizer.epsilon).draw(self.rng)

    def length(self, quality: StepFunction) -> int:
        return self.sanitizer.recursion(quality.last, self.size).draw(quality, self.rng)

    def choose(self, intervals: list[tuple[int, int]], counts: npt.NDArray[np.int64]) -> int | None:
        choice = self.sanitizer.choice
        return choice.draw(counts, self.size, self.rng)


@frozen
class SanitizerCall:
    """One call on the range ``[k, l]``, which separates an interval ``[a, b]`` from it."""

    range: Interval  # ``(k, l)``
    interval: Interval  # ``(a, b)``
    noisy: int  # the noisy number of records in the range
    copies: int  # the noisy number in the interval: copies of its last point, if positive
    inside: int  # the true number of records in the range; not private, nor are the next two
    chosen: int  # in the interval
    before: int  # in the interval without its last point
    log_length: int | None = None  # ``z``: length ``2^z`` is heavy; None if few records are left
    quality: Fraction | None = None  # ``Q(S, z)``; not private
    bottom: bool = False  # whether nothing was chosen, so that the range is set aside whole


@frozen
class ThresholdRun:
    """The output of the sanitizer `SanThresholds`, its calls, and its error.

    Attributes
    ----------
    calls : tuple of SanitizerCall
        The calls; every call precedes the calls that it makes.
    unreached : tuple of Interval
        Ranges without a call, because the maximum number of calls was reached.
    size : int
        Number of records.
    accuracy : Fraction
        The accuracy ``alpha``.
    allowed : int
        Number of calls allowed, ``c``.
    error : QueryError
        Largest error over all thresholds. Not private.
    """

    calls: tuple[SanitizerCall, ...]
    unreached: tuple[Interval, ...]
    size: int
    accuracy: Fraction
    allowed: int
    error: QueryError

    @property
    def released(self) -> Mapping[int, int]:
        """The synthetic database: points with their numbers of copies."""
        ordered = sorted(self.calls, key=lambda call: call.interval[1])
        return {call.interval[1]: call.copies for call in ordered if call.copies > 0}

    @property
    def partition(self) -> tuple[Interval, ...]:
        """The intervals in order; with the unreached ranges, they partition the whole range."""
        return tuple(sorted(call.interval for call in self.calls))


@one_line
@dataclass(frozen=True, slots=True, eq=False)
class OrderedCounts:
    """The records in a part ``[first, last]`` of the range."""

    first: int
    last: int
    values: npt.NDArray[np.uint64]  # the distinct values in it, increasing
    below: npt.NDArray[np.int64]  # records before each value, up to a constant; one longer

    @classmethod
    def of(cls, records: SortedRecords, last: int) -> OrderedCounts:
        """Return the counts on the whole range ``0 .. last``."""
        if not 0 <= last <= MAX_LAST:
            raise DomainError(f"last record must be between 0 and 2^64 - 1, not {show_value(last)}")
        values = np.array(records.values, np.uint64)
        return cls(0, last, values, np.array(records.below, np.int64))

    @property
    def size(self) -> int:
        """Number of records."""
        return int(self.below[-1] - self.below[0])

    @property
    def log_length(self) -> int:
        """Binary logarithm of the number of points, rounded up."""
        return (self.last - self.first).bit_length()

    def part(self, first: int, last: int) -> OrderedCounts:
        """Return the records of an interval of the part, which may be empty."""
        if first > last:
            return OrderedCounts(first, last, self.values[:0], self.below[:1])
        start = int(np.searchsorted(self.values, np.uint64(first), "left"))
        end = int(np.searchsorted(self.values, np.uint64(last), "right"))
        return OrderedCounts(first, last, self.values[start:end], self.below[start : end + 1])

    def heaviest(self, log: int) -> int:
        """Return ``I(S, log)``: the maximum number of records in ``2^log`` adjacent points."""
        if not len(self.values):
            return 0
        room = np.uint64(self.last) - self.values
        ends = self.values + np.minimum(room, np.uint64(min((1 << log) - 1, MAX_LAST)))
        after = np.searchsorted(self.values, ends, "right")
        return int((self.below[after] - self.below[:-1]).max())

    def length_qualities(self, share: Fraction) -> list[Fraction]:
        """Return the quality ``Q(S, j)`` of each length ``2^j``.

        It is the minimum of ``I(S, j) - share/32`` and ``3 share/32 - I(S, j - 1)``, where
        ``I(S, j)`` is the maximum number of records in ``2^j`` adjacent points (`heaviest`).
        """
        most = [0, *(self.heaviest(j) for j in range(self.log_length + 1))]
        return [min(now - share / 32, 3 * share / 32 - before) for before, now in pairwise(most)]

    def divided(self, log: int) -> tuple[list[tuple[int, int]], npt.NDArray[np.int64]]:
        """Return the intervals from which step 9 or 10 chooses, with their numbers of records.

        The intervals are single points if ``log`` is 0. Otherwise they have length ``2^(log + 1)``
        and belong to one of two divisions, which are shifted by ``2^log`` against each other.
        """
        if log == 0:
            return [(int(x), int(x)) for x in self.values], np.diff(self.below)
        intervals: list[tuple[int, int]] = []
        counts: list[npt.NDArray[np.int64]] = []
        for begin in (self.first, self.first + (1 << log)):
            if begin > self.last:
                continue
            inside = self.part(begin, self.last)
            width = log + 1
            away = inside.values - np.uint64(begin)
            number = away >> np.uint64(width) if width < away.itemsize * 8 else np.zeros_like(away)
            numbers, starts = np.unique(number, return_index=True)
            for n in numbers:
                start = begin + (int(n) << width)
                intervals.append((start, min(start + (1 << width) - 1, self.last)))
            ends = np.append(starts[1:], len(inside.values))
            counts.append(inside.below[ends] - inside.below[starts])
        return intervals, np.concatenate(counts)
