"""Mechanisms for `ccsim audit`: functions that map a database to the distribution of an output."""

from fractions import Fraction

THIRD = Fraction(1, 3)


def noisy_count(votes):
    """Add geometric noise to the number of votes, and clamp the result to 0..n."""
    shares = {}
    for shown in range(len(votes) + 1):
        near = THIRD ** abs(shown - sum(votes)) / (1 + THIRD)
        shares[shown] = near if shown in (0, len(votes)) else near * (1 - THIRD)
    return shares


def eager_count(votes):
    """Publish 0 without noise if there are no votes."""
    return noisy_count(votes) if sum(votes) else {0: 1}


noisy_count.domain = eager_count.domain = (0, 1)
