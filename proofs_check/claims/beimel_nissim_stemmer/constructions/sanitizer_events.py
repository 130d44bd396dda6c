"""Events and privacy parameters of runs of SanPoints and SanThresholds, as in the paper."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isqrt

from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import enclose_log
from ccsim.release.sanitizers.budget import rounded_down
from ccsim.release.sanitizers.frequent_points import PointShares
from ccsim.release.sanitizers.threshold_recursion import ThresholdRun


def point_events(run: PointShares) -> dict[str, bool]:
    """Return those of the bad events of the proof that occurred in a run.

    ``E1``: the error of the released share of a chosen point exceeds the accuracy. ``E2``: the
    share of a point that was not chosen exceeds the accuracy.
    """
    noisy = any(abs(run.true[x] - share) > run.accuracy for x, share in run.estimates)
    worst = run.error
    return {"E1": noisy, "E2": worst.query not in run.true and worst.error > run.accuracy}


def threshold_events(run: ThresholdRun) -> dict[str, bool]:
    """Return those of the good events of Claims 4.10 and 4.11 that occurred in a run.

    ``B1``: no noise is larger than ``alpha m / (16 c)``. ``B2``: every length has a quality of at
    least ``3 alpha m / 128``. ``B3``: every call that does not end immediately sets aside at least
    ``5 alpha m / 128`` records. ``E1``: there are at most ``77 / alpha`` calls, and at most the
    allowed number. ``E2``: no interval has more than ``alpha m / 2`` records before its last point.
    ``E3``: noise and rounding change no number of copies by more than ``(alpha m / 4) (alpha /
    77)``.
    """
    share = run.accuracy * run.size
    longer = [c for c in run.calls if c.log_length is not None]
    off = [abs(c.copies - c.chosen) for c in run.calls]
    noise = max([*off, *(abs(c.noisy - c.inside) for c in run.calls)], default=0)
    return {
        "B1": noise <= share / (16 * run.allowed),
        "B2": all(c.quality is not None and 128 * c.quality >= 3 * share for c in longer),
        "B3": all(128 * c.chosen >= 5 * share for c in longer),
        "E1": not run.unreached and len(run.calls) * run.accuracy <= 77,
        "E2": all(2 * c.before <= share for c in run.calls),
        "E3": all(4 * 77 * n <= run.accuracy * share for n in off),
    }


def printed_thresholds_epsilon(epsilon: Epsilon, delta: Fraction, calls: int) -> Epsilon:
    """Return the epsilon of SanThresholds by Lemma 4.8, rounded up.

    ``sqrt(8 c ln(1 / (c delta))) epsilon + 8 c epsilon^2`` for ``c`` calls; its delta is ``5 c
    delta`` (`bns` Lemma 4.8).
    """
    if not 0 < calls * delta < 1:
        raise DomainError(
            f"calls times delta must be strictly between 0 and 1, not {calls * delta}"
        )
    log = enclose_log(1 / (calls * delta)).upper
    privacy = epsilon.enclose().upper
    square = 8 * calls * log * privacy**2
    scale = 1 << 128
    root = Fraction(isqrt(ceil(square * scale**2)) + 1, scale)
    return Epsilon(-rounded_down(-(root + 8 * calls * privacy**2)))
