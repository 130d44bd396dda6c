"""Lower bounds on the accuracy of private sanitizers with few records of a shattered set.

Main definitions: `least_accuracy`, `printed_least_accuracy`, `least_failure_on_half`.
"""

from __future__ import annotations

from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real

__all__ = ["least_accuracy", "least_failure_on_half", "printed_least_accuracy"]


@checked_types
def least_accuracy(failure: Fraction | int | str, epsilon: Epsilon | Fraction | int | str) -> Real:
    r"""Return a corrected lower bound on the accuracy of sanitizers with at most ``VC/2`` records.

    Every ``epsilon``-private sanitizer, proper or improper, of a class of dimension ``VC >= 2 m``
    whose release has error at most ``alpha`` on all databases of ``m`` records, except with
    probability ``beta``, has ``alpha >= (1 - e^epsilon beta / (1 - beta)) / (2 (1 + e^epsilon))``.

    Parameters
    ----------
    failure : Fraction, int or str
        At least 0 and below 1.
    epsilon : Epsilon, int, Fraction or str

    Returns
    -------
    Fraction or Exponential
        At least 0; the bound 0 is trivial.

    Notes
    -----
    Choose the records ``S`` as a random set of ``m`` of the ``2 m`` shattered points. A release
    with error at most ``alpha`` determines an ``m``-subset ``T`` with error at most ``alpha`` too,
    and ``|S - T| <= 2 alpha m``. So ``T`` contains a random point of ``S`` with probability at
    least ``(1 - beta)(1 - 2 alpha)``, and a random point outside ``S`` with probability at most ``2
    alpha (1 - beta) + beta``. Exchanging the two points changes one record, so that the first
    probability is at most ``e^epsilon`` times the second.

    Source: `bns` Theorem 2.20, corrected.

    Examples
    --------
    >>> least_accuracy("1/10", "ln 2")
    Fraction(7, 54)
    >>> least_accuracy("1/3", "ln 2")
    Fraction(0, 1)
    """
    beta, bound = as_fraction(failure, "failure", 0), Epsilon.of(epsilon)
    if beta >= 1:
        raise DomainError(f"failure must be below 1, not {beta}")
    growth = bound.exp()
    accuracy = (1 - growth * (beta / (1 - beta))) / (2 * (1 + growth))
    return accuracy if accuracy > 0 else Fraction(0)


@checked_types
def printed_least_accuracy(epsilon: Fraction | int | str) -> Fraction:
    """Return the bound printed in `bns` Theorem 2.20, for failures below 1 and ``epsilon <= 1``.

    It is ``1 / (4 + 16 epsilon)``, and false for large failure probabilities: for ``epsilon = 1``,
    randomised response on one record and two points is exact except with probability ``1/(1 + e)``.

    Examples
    --------
    >>> printed_least_accuracy("1/2")
    Fraction(1, 12)
    """
    bound = as_fraction(epsilon, "epsilon", 0, 1)
    return 1 / (4 + 16 * bound)


@checked_types
def least_failure_on_half(
    accuracy: Fraction | int | str, epsilon: Epsilon | Fraction | int | str
) -> Real:
    """Return a lower bound on the failure probability of sanitizers with at most ``VC/2`` records.

    The bound of `least_accuracy` is solved for the failure: if ``a = 1 - 2 alpha (1 + e^epsilon)``
    is positive, then ``beta >= a / (a + e^epsilon)``.

    Examples
    --------
    >>> least_failure_on_half(0, "ln 2"), least_failure_on_half("7/54", "ln 2")
    (Fraction(1, 3), Fraction(1, 10))
    """
    alpha, growth = as_fraction(accuracy, "accuracy", 0), Epsilon.of(epsilon).exp()
    left = 1 - 2 * alpha * (1 + growth)
    return left / (left + growth) if left > 0 else Fraction(0)
