"""The least failure of ``(epsilon, delta)``-private learners of a tiny class, by a name."""

from __future__ import annotations

from fractions import Fraction

from ccsim.border import checked_types
from ccsim.budget import TimeLimit
from ccsim.classes.given import ClassLike
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.optimum.bounds import LeastPrivateFailure
from ccsim.learning.optimum.search import least_private_failure

__all__ = ["least_approximate_failure"]


@checked_types
def least_approximate_failure(  # noqa: PLR0913 - what is asked, and when to stop
    concept_class: ClassLike,
    samples: int,
    accuracy: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    gap: Fraction | int | str = Fraction(1, 1000),
    target: Fraction | int | str | None = None,
) -> LeastPrivateFailure:
    """Bound the least failure probability of an ``(epsilon, delta)``-private learner of a class.

    It is `least_private_failure` with ``delta=delta``, which says what the parameters are.

    Examples
    --------
    >>> from ccsim import points
    >>> found = least_approximate_failure(points(1), 1, "1/4", "ln 3", "1/10")
    >>> found.lower, found.upper
    (Fraction(9, 40), Fraction(9, 40))
    """
    return least_private_failure(
        concept_class, samples, accuracy, epsilon,
        time_limit=time_limit, gap=gap, target=target, delta=delta,
    )  # fmt: skip
