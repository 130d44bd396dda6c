"""Entropies of laws and the information that variables give about each other, in bits.

Groups of variables are given by their numbers, as in ``conditional_entropy(law, (0,), (1, 2))``
for ``H(X_0 | X_1 X_2)``. Probabilities are rational.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.exact import Law, LogSum
from ccsim.exact.fractions import as_fraction
from ccsim.information.divergences import relative_entropy

Variables = tuple[int, ...]
"""Numbers of variables of a law."""


@checked_types
def entropy(law: Law[Any]) -> LogSum:
    """Return the Shannon entropy ``H = sum of p log2(1/p)``.

    Complexity: linear in the support; the integers in the probabilities are factored.

    Parameters
    ----------
    law : Law

    Examples
    --------
    >>> print(entropy(Law.from_weights(["1/4", "3/4"])))
    -3/4 log2(3) + 2
    """
    return LogSum.combination((-weight, weight) for weight in law.weights)


@checked_types
def collision_probability(law: Law[Any]) -> Fraction:
    """Return the probability that two independent draws are equal, the sum of ``p**2``.

    Parameters
    ----------
    law : Law

    Examples
    --------
    >>> collision_probability(Law.from_weights(["1/2", "1/4", "1/4"]))
    Fraction(3, 8)
    """
    return sum((weight**2 for weight in law.weights), Fraction(0))


@checked_types
def collision_entropy(law: Law[Any]) -> LogSum:
    """Return the collision entropy ``H_2``, minus the logarithm of the collision probability.

    Parameters
    ----------
    law : Law

    Examples
    --------
    >>> print(collision_entropy(Law.from_weights(["1/2", "1/4", "1/4"])))
    -log2(3) + 3
    """
    return -LogSum.log2(collision_probability(law))


@checked_types
def min_entropy(law: Law[Any]) -> LogSum:
    """Return the min-entropy, minus the logarithm of the largest probability.

    Parameters
    ----------
    law : Law

    Examples
    --------
    >>> law = Law.from_weights(["1/2", "1/4", "1/4"])
    >>> min_entropy(law) < collision_entropy(law) < entropy(law)
    True
    """
    return -LogSum.log2(max(law.weights))


@checked_types
def conditional_entropy(law: Law[Any], of: Variables, given: Variables) -> LogSum:
    """Return ``H(A | B)``, the mean over ``B`` of the entropy of ``A`` under that condition.

    Parameters
    ----------
    law : Law
    of, given : tuple of int
        The variables that form ``A`` and ``B``.

    Examples
    --------
    >>> law = Law.uniform([(0, 0), (1, 0), (0, 1), (0, 2)])
    >>> conditional_entropy(law, (0,), (1,)) == Fraction(1, 2)
    True
    """
    return sum(
        (weight * entropy(part.marginal(*of)) for _, weight, part in law.given(*given)), LogSum()
    )


@checked_types
def mutual_information(
    law: Law[Any], first: Variables, second: Variables, given: Variables = ()
) -> LogSum:
    """Return ``I(A; B | C) = H(A | C) - H(A | B C)``.

    Parameters
    ----------
    law : Law
    first, second, given : tuple of int
        The variables that form ``A``, ``B`` and ``C``; by default there is no condition.

    Examples
    --------
    >>> xor = Law.uniform((a, b, a ^ b) for a in (0, 1) for b in (0, 1))
    >>> mutual_information(xor, (0,), (1,)) == 0
    True
    >>> mutual_information(xor, (0,), (1,), given=(2,)) == 1
    True
    """
    return conditional_entropy(law, first, given) - conditional_entropy(
        law, first, (*second, *given)
    )


@checked_types
def mutual_information_as_divergence(law: Law[Any], first: Variables, second: Variables) -> LogSum:
    """Return ``I(A; B)`` as the mean over ``B`` of ``KL(A under B || A)``.

    The same number as `mutual_information`, computed by the other formula (``fx/eq-5.1``).

    Parameters
    ----------
    law : Law
        Of tuples.
    first, second : tuple of int
        The positions of ``A`` and ``B`` in the tuples.

    Examples
    --------
    >>> equal = Law.from_table([["1/2", 0], [0, "1/2"]])
    >>> print(mutual_information_as_divergence(equal, (0,), (1,)))
    1
    """
    prior = law.marginal(*first)
    return sum(
        (
            weight * relative_entropy(part.marginal(*first), prior)
            for _, weight, part in law.given(*second)
        ),
        LogSum(),
    )


@checked_types
def guessing_error(law: Law[Any], of: Variables, given: Variables) -> Fraction:
    """Return the least probability of guessing ``A`` wrongly from ``B``.

    Parameters
    ----------
    law : Law
        Of tuples.
    of, given : tuple of int
        The positions of ``A`` and ``B`` in the tuples.

    Examples
    --------
    >>> guessing_error(Law.from_table([["1/2", "1/8"], [0, "3/8"]]), (0,), (1,))
    Fraction(1, 8)
    """
    return 1 - sum(
        (weight * max(part.marginal(*of).weights) for _, weight, part in law.given(*given)),
        Fraction(0),
    )


@checked_types
def fano_bound(error: Fraction | int | str, values: int = 2) -> LogSum:
    """Return the largest ``H(A | B)`` that Fano's inequality allows at a guessing error.

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
        raise DomainError(f"error must lie between 0 and 1, not {error}")
    if values < 2:
        raise DomainError(f"values must be at least 2, not {values}")
    return entropy(Law.from_weights([error, 1 - error])) + error * LogSum.log2(values - 1)
