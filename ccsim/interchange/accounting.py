"""Exact distributions as privacy loss distributions of dp_accounting, which composes in floats."""

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

    The result covers both directions. If ``pessimistic`` is True, its ``get_delta_for_epsilon`` is
    an upper bound on ``divergence(p, q, e^epsilon)`` and ``divergence(q, p, e^epsilon)``, and
    ``self_compose`` yields bounds for several runs. It is correct up to rounding errors of floats,
    whereas `ccsim.privacy.audit` decides exactly.

    Parameters
    ----------
    p, q : Distribution
        Output distributions of a mechanism on neighbouring databases.
    interval : float
        Step of the discretisation, positive. Losses are rounded to multiples of ``interval``,
        upwards if ``pessimistic`` is True.
    pessimistic : bool
        Whether the result is an upper bound on the privacy loss.

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
            "privacy loss distributions require dp_accounting; install it with pip install "
            "'ccsim[accounting]', or in a checkout with pip install '.[accounting]'"
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
    """Return the natural logarithm of a number, which may be smaller than any positive float."""
    if isinstance(mass, Fraction):
        return math.log(mass.numerator) - math.log(mass.denominator)
    return math.log(float(mass))
