"""Binomial tails, exact and as enclosures, and Clopper-Pearson confidence intervals."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from statistics import NormalDist

import flint

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.fractions import as_fraction
from ccsim.exact.intervals import Interval, ball_of

_UNIT = 1 << 60
_NEWTON_STEPS, _CLOSE, _LEAST_LEVEL = 20, 1 << 20, 1e-300
_MOST_TERMS = 1 << 12
MAX_TRIALS = 1 << 40
"""Maximum number of trials of a confidence interval."""


@checked_types
def binomial_tail(trials: int, probability: Fraction | int | str, least: int) -> Fraction:
    """Return ``Pr[Bin(trials, probability) >= least]`` exactly.

    Complexity: ``trials - least`` big-integer terms, each computed from the previous one; fast for
    up to ten thousand trials.

    Parameters
    ----------
    trials : int
        Number of trials, at least 0.
    probability : Fraction, int or str
        Success probability of one trial.
    least : int
        Least number of successes.

    Examples
    --------
    >>> binomial_tail(3, Fraction(1, 3), 2)
    Fraction(7, 27)
    """
    probability = as_fraction(probability, "probability", 0, 1)
    if trials < 0:
        raise DomainError(f"trials must be at least 0, not {trials}")
    p, q = probability.numerator, probability.denominator
    first = max(least, 0)
    if first > trials or p == q:
        return Fraction(first <= trials)
    total, term = 0, comb(trials, first) * p**first * (q - p) ** (trials - first)
    for i in range(first, trials + 1):
        total += term
        term = term * ((trials - i) * p) // ((i + 1) * (q - p))  # exact: the next term is whole
    return Fraction(total, q**trials)


def tail_ball(trials: int, p: Fraction, least: int) -> flint.arb:
    """Return a ball around the binomial tail, for ``1 <= least <= trials`` and ``0 < p < 1``."""
    x = ball_of(p)
    return x.beta_lower(flint.arb(least), flint.arb(trials - least + 1), regularized=True)


def _tail_exceeds(trials: int, p: Fraction, least: int, level: Fraction) -> bool:
    """Return whether ``Pr[Bin(trials, p) >= least] > level``, using balls of the beta function."""
    for precision in (64, 128, 256, 512, 1024, 2048):
        with flint.ctx.workprec(precision):
            tail = tail_ball(trials, p, least)
            bound = ball_of(level)
            if tail > bound:
                return True
            if tail < bound:
                return False
    if trials > _MOST_TERMS:
        raise NotDecidedError(
            f"whether a binomial tail of {trials} trials exceeds {show_value(level)} is undecided"
        )
    return binomial_tail(trials, p, least) > level  # equal, or too close for any ball


def check_trials(trials: int) -> None:
    """Raise an error if there are too many trials for a confidence interval."""
    if trials > MAX_TRIALS:
        raise InstanceTooLargeError(
            f"trials must be at most {MAX_TRIALS}, not {show_value(trials)}"
        )


@checked_types
def clopper_pearson(successes: int, trials: int, confidence: Fraction | int | str) -> Interval:
    """Return the two-sided Clopper-Pearson interval for a success probability.

    Parameters
    ----------
    successes, trials : int
        ``0 <= successes <= trials``, ``trials >= 1``.
    confidence : Fraction
        Guaranteed coverage probability, strictly between 0 and 1.

    Returns
    -------
    Interval
        Endpoints are rounded outwards by at most ``2**-60``.

    Examples
    --------
    >>> interval = clopper_pearson(0, 10, Fraction(95, 100))
    >>> interval.lower, round(float(interval.upper), 4)
    (Fraction(0, 1), 0.3085)
    """
    if trials < 1:
        raise DomainError(f"trials must be at least 1, not {trials}")
    if not 0 <= successes <= trials:
        raise DomainError(f"successes must be between 0 and trials = {trials}, not {successes}")
    check_trials(trials)
    confidence = as_fraction(confidence, "confidence")
    if not 0 < confidence < 1:
        raise DomainError(f"confidence must be strictly between 0 and 1, not {confidence}")
    level = (1 - confidence) / 2
    lower, upper = Fraction(0), Fraction(1)
    if successes > 0:  # the largest p with Pr[Bin(n, p) >= successes] <= level, rounded down
        lower = _bisect(trials, successes, level)[0]
    if successes < trials:  # the least p with Pr[Bin(n, p) <= successes] <= level, rounded up
        upper = _bisect(trials, successes + 1, 1 - level)[1]
    return Interval(lower, upper)


def _bisect(trials: int, least: int, level: Fraction) -> tuple[Fraction, Fraction]:
    """Enclose the p at which ``Pr[Bin(trials, p) >= least]`` crosses ``level``.

    The ends are neighbouring multiples of ``2**-60``. The first guesses are an approximation and
    points at growing distances from it, until some points lie on both sides.
    """
    low, high, step = 0, _UNIT, 1
    guess = _approximate(trials, least, level)
    while high - low > 1:
        if not low < guess < high:
            guess = (low + high) // 2
        if _tail_exceeds(trials, Fraction(guess, _UNIT), least, level):
            high, guess = guess, guess - step if not low else 0
        else:
            low, guess = guess, guess + step if high == _UNIT else 0
        step *= 2
    return Fraction(low, _UNIT), Fraction(high, _UNIT)


def _approximate(trials: int, least: int, level: Fraction) -> int:
    """Return about ``2**60`` times the p of `_bisect`, from Newton's method, or any integer."""
    a, b, mean = flint.arb(least), flint.arb(trials - least + 1), least / (trials + 1)
    spread = NormalDist().inv_cdf(min(max(float(level), _LEAST_LEVEL), 1 - 1e-16))
    guess = mean + spread * (mean * (1 - mean) / (trials + 2)) ** 0.5
    place = int(min(max(guess, mean / 4), (3 + mean) / 4) * _UNIT)
    with flint.ctx.workprec(128):
        scale, goal = a.lgamma() + b.lgamma() - (a + b).lgamma(), ball_of(level)
        for _ in range(_NEWTON_STEPS):
            p = ball_of(Fraction(place, _UNIT))
            density = ((a - 1) * p.log() + (b - 1) * (1 - p).log() - scale).exp()
            tail = p.beta_lower(a, b, regularized=True)
            change = ((tail - goal) / density * _UNIT).mid()
            moved = change.floor().unique_fmpz() if change.is_finite() else None
            if moved is None:
                break
            before, after = place, place - int(moved)
            place = min(max(after, before // 8), _UNIT - (_UNIT - before) // 8)
            if abs(place - before) < _CLOSE:  # the next step would be below 1
                break
    return place
