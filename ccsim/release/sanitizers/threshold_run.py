"""What one run of SanThresholds did: its calls, the database that it released, and the events."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ccsim.data import frozen
from ccsim.release.sanitizer import QueryError

Interval = tuple[int, int]
"""First and last point."""


@frozen
class SanitizerCall:
    """One call on the range ``[k, l]``, which sets an interval ``[a, b]`` of it aside."""

    # ``(k, l)`` and ``(a, b)``
    range: Interval
    interval: Interval
    noisy: int  # the noisy number of records in the range
    # the noisy number of records in the interval; so many copies of its last point are released if
    # it is positive
    copies: int
    # true numbers of records in the range, in the interval, and in it without its last point; not
    # private
    inside: int
    chosen: int
    before: int
    # ``z``: an interval of length ``2^z`` is heavy; None if the range is set aside whole, because
    # it has few records
    log_length: int | None = None
    quality: Fraction | None = None  # ``Q(S, z)``; not private
    # whether nothing was chosen, so that the range is set aside whole after all
    bottom: bool = False


@frozen
class ThresholdRun:
    """What SanThresholds released, how, and how far it is off."""

    # in their order, the outer ones before the inner ones, the left ones first
    calls: tuple[SanitizerCall, ...]
    unreached: tuple[Interval, ...]  # ranges that are left because no call was allowed any more
    size: int  # number of records
    accuracy: Fraction  # ``alpha``
    allowed: int  # ``c``, the number of calls that were allowed
    # over all thresholds; not private; An empty release is said to have the value 0 everywhere
    error: QueryError

    @property
    def released(self) -> Mapping[int, int]:
        """The synthetic database: points with their numbers of copies."""
        return {c.interval[1]: c.copies for c in sorted(self.calls, key=_place) if c.copies > 0}

    @property
    def partition(self) -> tuple[Interval, ...]:
        """The intervals, in order; together with those unreached they are the whole range."""
        return tuple(sorted(call.interval for call in self.calls))

    @property
    def events(self) -> dict[str, bool]:
        """Which good events of Claims 4.10 and 4.11 happened.

        ``B1``: no noise is larger than ``alpha m / (16 c)``. ``B2``: every length has a quality of
        ``3 alpha m / 128``. ``B3``: so does every call that is not done at once set aside ``5 alpha
        m / 128`` records. ``E1``: there are at most ``77 / alpha`` calls, and enough were allowed.
        ``E2``: no interval has more than ``alpha m / 2`` records before its last point. ``E3``: no
        number of copies is off by more than ``(alpha m / 4) (alpha / 77)``, noise and rounding.
        """
        share = self.accuracy * self.size
        longer = [c for c in self.calls if c.log_length is not None]
        off = [abs(c.copies - c.chosen) for c in self.calls]
        noise = max([*off, *(abs(c.noisy - c.inside) for c in self.calls)], default=0)
        return {
            "B1": noise <= share / (16 * self.allowed),
            "B2": all(c.quality is not None and 128 * c.quality >= 3 * share for c in longer),
            "B3": all(128 * c.chosen >= 5 * share for c in longer),
            "E1": not self.unreached and len(self.calls) * self.accuracy <= 77,
            "E2": all(2 * c.before <= share for c in self.calls),
            "E3": all(4 * 77 * n <= self.accuracy * share for n in off),
        }


def _place(call: SanitizerCall) -> int:
    return call.interval[1]
