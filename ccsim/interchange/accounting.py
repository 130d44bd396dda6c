"""Exact laws as privacy loss distributions of dp_accounting, which compose them in floats."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution
from ccsim.exact.exponentials import Real


@checked_types
def to_privacy_loss(
    p: Distribution[Any], q: Distribution[Any], *, interval: float = 1e-4, pessimistic: bool = True
) -> Any:  # noqa: ANN401 - dp_accounting need not be there
    """Return the ``PrivacyLossDistribution`` of dp_accounting for a pair of distributions.

    It covers both directions. If pessimistic, its ``get_delta_for_epsilon`` bounds from above the
    larger of ``divergence(p, q, e^epsilon)`` and ``divergence(q, p, e^epsilon)``, and
    ``self_compose`` gives bounds for several runs. It computes with floats and is correct up to
    their rounding errors, whereas `ccsim.privacy.audit` decides exactly.

    Parameters
    ----------
    p, q : Distribution
        Output distributions of a mechanism on neighbouring databases.
    interval : float
        Positive. Losses are rounded to multiples of it, upwards if pessimistic.
    pessimistic : bool

    Raises
    ------
    DomainError
        If dp_accounting is not installed.
    """
    if not 0 < interval < math.inf:
        raise DomainError(f"interval must be positive, not {interval}")
    try:
        from dp_accounting.pld import privacy_loss_distribution
    except ImportError:
        raise DomainError(
            "privacy loss distributions need dp_accounting: pip install 'ccsim[accounting]', in a "
            "checkout pip install '.[accounting]'"
        ) from None
    lower, upper = (
        {o: _logarithm(mass) for o, mass in distribution.items} for distribution in (q, p)
    )
    return privacy_loss_distribution.from_two_probability_mass_functions(
        lower,
        upper,
        pessimistic_estimate=pessimistic,
        value_discretization_interval=interval,
        symmetric=False,
    )


def _logarithm(mass: Real) -> float:
    """Return a natural logarithm, also of fractions that no float is as small as."""
    if isinstance(mass, Fraction):
        return math.log(mass.numerator) - math.log(mass.denominator)
    return math.log(float(mass))
