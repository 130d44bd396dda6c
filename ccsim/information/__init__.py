"""Entropies, divergences and distances of exact finite distributions (`ccsim.exact.Distribution`).

Entropies and divergences are in bits, as `ccsim.exact.LogSum`, with exact comparisons; all other
results are fractions or exact numbers. Variables are given by their indices:
``conditional_entropy(distribution, (0,), (1, 2))`` is ``H(X_0 | X_1 X_2)``.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.arguments.renamed import renamed_arguments
from ccsim.budget import in_time
from ccsim.errors import DomainError
from ccsim.exact import Distribution, LogSum
from ccsim.exact.exponentials import Real, rational
from ccsim.exact.fractions import as_fraction
from ccsim.information.trade_off import trade_off_points

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
    "relative_entropy",
    "statistical_distance",
    "trade_off_points",
]

Outcome = TypeVar("Outcome", bound=Hashable)

Variables = tuple[int, ...]  # numbers of variables of a distribution


@checked_types
def divergence(p: Distribution[Outcome], q: Distribution[Outcome], factor: Real) -> Real:
    """Return ``max over events of p(event) - factor q(event)``, the hockey-stick divergence.

    Parameters
    ----------
    p, q : Distribution
    factor : Fraction or Exponential
        The factor ``e^epsilon``.

    Returns
    -------
    Fraction or Exponential
        Least ``delta`` for which ``p(event) <= factor q(event) + delta`` for every event.

    Examples
    --------
    >>> p = Distribution.of({0: Fraction(3, 4), 1: Fraction(1, 4)})
    >>> q = Distribution.of({0: Fraction(1, 4), 1: Fraction(3, 4)})
    >>> divergence(p, q, Fraction(3)), divergence(p, q, Fraction(2))
    (Fraction(0, 1), Fraction(1, 4))
    """
    total: Real = Fraction(0)
    for mass, other, alike in in_time(_alike(p, q)):
        excess = mass - factor * other
        if excess > 0:
            total = total + excess * len(alike)
    return total


@checked_types
def least_factor(p: Distribution[Outcome], q: Distribution[Outcome], delta: Real) -> Real | None:
    """Return the least ``factor >= 1`` with ``divergence(p, q, factor) <= delta``, or None.

    Parameters
    ----------
    p, q : Distribution
    delta : Fraction or Exponential
        Privacy parameter delta, between 0 and 1.

    Notes
    -----
    The maximum of ``(p(S) - delta) / q(S)`` is attained by a set ``S`` of outcomes with the largest
    ratios ``p / q``.

    Examples
    --------
    >>> p = Distribution.of({0: Fraction(3, 4), 1: Fraction(1, 4)})
    >>> q = Distribution.of({0: Fraction(1, 4), 1: Fraction(3, 4)})
    >>> least_factor(p, q, Fraction(0)), least_factor(p, q, Fraction(1, 4))
    (Fraction(3, 1), Fraction(2, 1))
    """
    parts = [(mass, other, len(alike)) for mass, other, alike in _alike(p, q)]
    alone = (mass * many for mass, other, many in parts if not other)
    above: Real = sum(alone, Fraction(0)) - delta
    below: Real = Fraction(0)
    if above > 0:
        return None
    best: Real = Fraction(1)
    both = [part for part in parts if part[1]]
    for mass, other, many in sorted(both, key=lambda part: part[0] / part[1], reverse=True):
        above, below = above + mass * many, below + other * many
        best = max(best, above / below)
    return best


@checked_types
def statistical_distance(p: Distribution[Any], q: Distribution[Any]) -> Fraction:
    """Return half the sum of ``|p - q|``, the largest difference in probability of an event.

    Parameters
    ----------
    p, q : Distribution
        Distributions with rational probabilities.

    Examples
    --------
    >>> statistical_distance(
    ...     Distribution.from_weights(["1/2", "1/2"]), Distribution.from_weights(["1/4", "3/4"])
    ... )
    Fraction(1, 4)
    """
    return rational(divergence(p, q, Fraction(1)))


@checked_types
def relative_entropy(p: Distribution[Any], q: Distribution[Any]) -> LogSum:
    """Return the Kullback-Leibler divergence ``KL(p || q) = sum of p log2(p/q)``, in bits.

    Parameters
    ----------
    p, q : Distribution
        Distributions with rational probabilities.

    Raises
    ------
    DomainError
        If the divergence is infinite, because an outcome of ``p`` has probability 0 under ``q``.

    Examples
    --------
    >>> relative_entropy(
    ...     Distribution.from_weights([1]), Distribution.from_weights(["1/4", "3/4"])
    ... ) == 2
    True
    """
    return LogSum.combination((a, a / b) for a, b in _density(p, q, "relative entropy"))


@checked_types
def chi_square_distance(p: Distribution[Any], q: Distribution[Any]) -> Fraction:
    """Return the chi-square divergence, the sum of ``(p - q)**2 / q``.

    The divergence ``chi2`` bounds the statistical distance ``d`` by ``4 d**2 <= chi2``, and the
    Kullback-Leibler divergence by ``KL(p || q) <= log2(1 + chi2)``.

    Parameters
    ----------
    p, q : Distribution
        Distributions with rational probabilities.

    Raises
    ------
    DomainError
        If the divergence is infinite, because an outcome of ``p`` has probability 0 under ``q``.

    Examples
    --------
    >>> chi_square_distance(
    ...     Distribution.from_weights([1]), Distribution.from_weights(["1/4", "3/4"])
    ... )
    Fraction(3, 1)
    """
    pairs = _density(p, q, "chi-square distance")
    return sum((a**2 / b for a, b in pairs), Fraction(0)) - 1


@renamed_arguments(law="distribution")
@checked_types
def entropy(distribution: Distribution[Any]) -> LogSum:
    """Return the Shannon entropy ``H = sum of p log2(1/p)``.

    Parameters
    ----------
    distribution : Distribution

    Examples
    --------
    >>> print(entropy(Distribution.from_weights(["1/4", "3/4"])))
    -3/4 log2(3) + 2
    """
    return LogSum.combination((-weight, weight) for weight in distribution.weights)


@renamed_arguments(law="distribution")
@checked_types
def collision_probability(distribution: Distribution[Any]) -> Fraction:
    """Return the probability that two independent draws are equal, the sum of ``p**2``.

    Parameters
    ----------
    distribution : Distribution

    Examples
    --------
    >>> collision_probability(Distribution.from_weights(["1/2", "1/4", "1/4"]))
    Fraction(3, 8)
    """
    return sum((weight**2 for weight in distribution.weights), Fraction(0))


@renamed_arguments(law="distribution")
@checked_types
def collision_entropy(distribution: Distribution[Any]) -> LogSum:
    """Return the collision entropy ``H_2``, minus the logarithm of the collision probability.

    Parameters
    ----------
    distribution : Distribution

    Examples
    --------
    >>> print(collision_entropy(Distribution.from_weights(["1/2", "1/4", "1/4"])))
    -log2(3) + 3
    """
    return -LogSum.log2(collision_probability(distribution))


@renamed_arguments(law="distribution")
@checked_types
def min_entropy(distribution: Distribution[Any]) -> LogSum:
    """Return the min-entropy, minus the logarithm of the largest probability.

    Parameters
    ----------
    distribution : Distribution

    Examples
    --------
    >>> distribution = Distribution.from_weights(["1/2", "1/4", "1/4"])
    >>> min_entropy(distribution) < collision_entropy(distribution) < entropy(distribution)
    True
    """
    return -LogSum.log2(max(distribution.weights))


@renamed_arguments(law="distribution")
@checked_types
def conditional_entropy(distribution: Distribution[Any], of: Variables, given: Variables) -> LogSum:
    """Return ``H(A | B)``, the expected entropy of ``A`` given the value of ``B``.

    Parameters
    ----------
    distribution : Distribution
    of, given : tuple of int
        The variables that form ``A`` and ``B``.

    Examples
    --------
    >>> distribution = Distribution.uniform([(0, 0), (1, 0), (0, 1), (0, 2)])
    >>> conditional_entropy(distribution, (0,), (1,)) == Fraction(1, 2)
    True
    """
    return sum(
        (weight * entropy(part.marginal(*of)) for _, weight, part in distribution.given(*given)),
        LogSum(),
    )


@renamed_arguments(law="distribution")
@checked_types
def mutual_information(
    distribution: Distribution[Any], first: Variables, second: Variables, given: Variables = ()
) -> LogSum:
    """Return ``I(A; B | C) = H(A | C) - H(A | B C)``.

    Parameters
    ----------
    distribution : Distribution
    first, second, given : tuple of int
        The variables that form ``A``, ``B`` and ``C``; by default ``C`` is empty.

    Examples
    --------
    >>> xor = Distribution.uniform((a, b, a ^ b) for a in (0, 1) for b in (0, 1))
    >>> mutual_information(xor, (0,), (1,)) == 0
    True
    >>> mutual_information(xor, (0,), (1,), given=(2,)) == 1
    True
    """
    return conditional_entropy(distribution, first, given) - conditional_entropy(
        distribution, first, (*second, *given)
    )


@renamed_arguments(law="distribution")
@checked_types
def guessing_error(distribution: Distribution[Any], of: Variables, given: Variables) -> Fraction:
    """Return the minimum probability of a wrong guess of ``A`` from ``B``.

    Parameters
    ----------
    distribution : Distribution
        A distribution whose outcomes are tuples.
    of, given : tuple of int
        The positions of ``A`` and ``B`` in the tuples.

    Examples
    --------
    >>> guessing_error(Distribution.from_table([["1/2", "1/8"], [0, "3/8"]]), (0,), (1,))
    Fraction(1, 8)
    """
    return 1 - sum(
        (
            weight * max(part.marginal(*of).weights)
            for _, weight, part in distribution.given(*given)
        ),
        Fraction(0),
    )


@checked_types
def fano_bound(error: Fraction | int | str, values: int = 2) -> LogSum:
    """Return the upper bound on ``H(A | B)`` from Fano's inequality for a guessing error.

    Parameters
    ----------
    error : Fraction
        Probability of a wrong guess, in ``[0, 1]``.
    values : int
        Number of values of ``A``, at least 2.

    Returns
    -------
    LogSum
        ``H(error) + error log2(values - 1)``.

    Examples
    --------
    >>> fano_bound(Fraction(1, 2)) == 1
    True
    """
    error = as_fraction(error, "error")
    if not 0 <= error <= 1:
        raise DomainError(f"error must be between 0 and 1, not {error}")
    if values < 2:
        raise DomainError(f"values must be at least 2, not {values}")
    return entropy(Distribution.from_weights([error, 1 - error])) + error * LogSum.log2(values - 1)


def likelier_event(
    p: Distribution[Outcome], q: Distribution[Outcome], factor: Real
) -> tuple[Outcome, ...]:
    """Return an event with the largest ``p(event) - factor q(event)``, ordered as in ``p``."""
    likelier = {o for mass, other, alike in _alike(p, q) if mass > factor * other for o in alike}
    return tuple(o for o in p if o in likelier)


def _alike(
    p: Distribution[Outcome], q: Distribution[Outcome]
) -> list[tuple[Real, Real, list[Outcome]]]:
    """Return the distinct pairs of probabilities under two distributions, with their outcomes."""
    right, zero = q.as_mapping(), Fraction(0)
    found: dict[tuple[int, int], tuple[Real, Real, list[Outcome]]] = {}
    for outcome, mass in in_time(p.items):
        other = right.get(outcome, zero)
        found.setdefault((id(mass), id(other)), (mass, other, []))[2].append(outcome)
    return list(found.values())


def _density(
    p: Distribution[Any], q: Distribution[Any], name: str
) -> list[tuple[Fraction, Fraction]]:
    """Return the pairs of probabilities of the outcomes of ``p``.

    Raise an error for outcomes that are impossible in ``q``.
    """
    right = dict(zip(q.outcomes, q.weights, strict=True))
    for outcome in p.outcomes:
        if outcome not in right:
            raise DomainError(
                f"{name} is infinite: {outcome} has probability 0 in the second distribution"
            )
    return [(w, right[o]) for o, w in zip(p.outcomes, p.weights, strict=True)]
