"""Intervals around tail probabilities of binomial distributions with many trials."""

from __future__ import annotations

from fractions import Fraction

import flint

from ccsim.errors import DomainError
from ccsim.exact.binomial import check_trials, tail_ball
from ccsim.exact.fractions import as_fraction
from ccsim.exact.intervals import Interval, ball_interval


def enclose_tail(trials: int, probability: Fraction, least: int, precision: int = 128) -> Interval:
    """Enclose ``Pr[Bin(trials, probability) >= least]``; milliseconds for 10^8 trials."""
    probability = as_fraction(probability, "probability", 0, 1)
    if trials < 0:
        raise DomainError(f"trials must be at least 0, not {trials}")
    if precision < 32:
        raise DomainError(f"precision must be at least 32 bits, not {precision}")
    check_trials(trials)
    if least <= 0 or least > trials or probability in (0, 1):
        certain = Fraction(least <= 0 or (probability == 1 and least <= trials))
        return Interval(certain, certain)
    with flint.ctx.workprec(2 * precision):
        tail = ball_interval(tail_ball(trials, probability, least))
    return Interval(max(tail.lower, Fraction(0)), min(tail.upper, Fraction(1)))
