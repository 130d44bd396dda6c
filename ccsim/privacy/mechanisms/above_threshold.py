"""The sparse vector technique: which query is the first one above a threshold.

However many queries come before it, only the threshold and the first query above it are paid for.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ccsim.budget import in_time
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.law import Law
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.privacy.mechanisms.geometric import geometric_tail
from ccsim.privacy.noise import GeometricNoise

MAX_SPREAD = 1 << 12
"""Most noisy thresholds that are looked at one by one."""


def first_above(missing: Sequence[int], epsilon: Epsilon, sensitivity: int = 1) -> Law[int | None]:
    """Return the law of the number of the first query whose noisy answer reaches a noisy threshold.

    For noise of the threshold above and below all ``missing`` the probability is a polynomial in
    its power of the ratio, so that the infinite sums are closed. Complexity: queries times the
    spread of the answers, plus the square of the queries.
    """
    if not missing:
        return Law.certain(None)
    if max(map(abs, missing)) > MAX_SPREAD:
        raise DomainError(f"answers must lie within {MAX_SPREAD} of the threshold")
    ratio = epsilon.exp(Fraction(-1, 4 * sensitivity))
    low, high = -max(0, *missing), max(0, *(-least for least in missing)) + 1
    found = [Fraction(0) + _far(missing, k, low, high, ratio) for k in range(len(missing))]
    for noise in in_time(range(low + 1, high)):
        chance = _threshold_mass(noise, ratio)
        for k, least in enumerate(missing):
            reached = geometric_tail(ratio, least + noise)
            found[k] = found[k] + chance * reached
            chance = chance * (1 - reached)
    none = 1 - sum(found, Fraction(0))
    return Law.of({**dict(enumerate(found)), None: none})


def _threshold_mass(noise: int, ratio: Real) -> Real:
    """Return the probability of a value of the noise on the threshold, whose ratio is ``r^2``."""
    return (1 - ratio**2) / (1 + ratio**2) * ratio ** (2 * abs(noise))


def _far(missing: Sequence[int], k: int, low: int, high: int, ratio: Real) -> Real:
    """Return the chance that ``k`` is found with noise of at most ``low`` or at least ``high``.

    From ``high`` on, with ``x = r^noise``, a query reaches the threshold with probability
    ``c x``; down from ``low``, with ``y = r^-noise``, it does not with probability ``d y``.
    """
    above: list[Real] = [Fraction(1)]
    below: list[Real] = [Fraction(1)]
    for i in range(k + 1):
        c = ratio ** missing[i] / (1 + ratio)
        d = ratio ** (1 - missing[i]) / (1 + ratio)
        above = _times(above, Fraction(0), c) if i == k else _times(above, Fraction(1), -c)
        below = _times(below, Fraction(1), -d) if i == k else _times(below, Fraction(0), d)
    total = _tail_sum(above, high, ratio) + _tail_sum(below, -low, ratio)
    return (1 - ratio**2) / (1 + ratio**2) * total


def _times(polynomial: Sequence[Real], constant: Real, linear: Real) -> list[Real]:
    """Return a polynomial times ``constant + linear x``."""
    longer: list[Real] = [constant * term for term in polynomial] + [Fraction(0)]
    for power, term in enumerate(polynomial):
        longer[power + 1] = longer[power + 1] + linear * term
    return longer


def _tail_sum(polynomial: Sequence[Real], least: int, ratio: Real) -> Real:
    """Return the sum of ``r^(2 t)`` times the polynomial at ``r^t`` over all ``t >= least``."""
    total: Real = Fraction(0)
    for power, term in enumerate(polynomial):
        step = ratio ** (power + 2)
        total = total + term * step**least / (1 - step)
    return total


def draw_first_above(
    missing: Sequence[int], epsilon: Epsilon, rng: Randomness = SYSTEM
) -> int | None:
    """Draw from the law of `first_above` of sensitivity 1."""
    if not len(missing):
        return None
    noise = GeometricNoise(epsilon, 4).draw(len(missing), rng)
    threshold = int(GeometricNoise(epsilon, 2).draw(1, rng)[0])
    reached = np.flatnonzero(noise >= np.asarray(missing) + threshold)
    return int(reached[0]) if len(reached) else None
