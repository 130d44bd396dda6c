"""Entropies, divergences and distances of exact finite laws.

Laws are `ccsim.exact.Law`, with rational probabilities. Collision probabilities, distances and
guessing errors are fractions too; entropies and divergences are `ccsim.exact.LogSum`, in bits,
whose comparisons are exact. What privacy measures (`divergence`, `least_factor`) takes any law.
"""

from ccsim.information.divergences import (
    chi_square_distance,
    divergence,
    least_factor,
    relative_entropy,
    statistical_distance,
)
from ccsim.information.entropies import (
    collision_entropy,
    collision_probability,
    conditional_entropy,
    entropy,
    fano_bound,
    guessing_error,
    min_entropy,
    mutual_information,
    mutual_information_as_divergence,
)

__all__ = [
    "chi_square_distance",
    "collision_entropy",
    "collision_probability",
    "conditional_entropy",
    "divergence",
    "entropy",
    "fano_bound",
    "guessing_error",
    "least_factor",
    "min_entropy",
    "mutual_information",
    "mutual_information_as_divergence",
    "relative_entropy",
    "statistical_distance",
]
