"""How far one law is from another: statistical distance, relative entropy, chi-square."""

from __future__ import annotations

from fractions import Fraction

from ccsim.errors import DomainError
from ccsim.exact import LogSum
from ccsim.information.laws import JointLaw

__all__ = ["chi_square_distance", "relative_entropy", "statistical_distance"]


def statistical_distance(p: JointLaw, q: JointLaw) -> Fraction:
    """Return half the sum of ``|p - q|``, the largest difference in probability of an event.

    Examples
    --------
    >>> statistical_distance(
    ...     JointLaw.from_weights(["1/2", "1/2"]), JointLaw.from_weights(["1/4", "3/4"])
    ... )
    Fraction(1, 4)
    """
    left, right = p.as_mapping(), q.as_mapping()
    zero = Fraction(0)
    return sum((max(w - right.get(o, zero), zero) for o, w in left.items()), zero)


def _density(p: JointLaw, q: JointLaw, name: str) -> list[tuple[Fraction, Fraction]]:
    """Return the pairs of probabilities on the support of ``p``, all of ``q`` positive."""
    right = q.as_mapping()
    for outcome in p.outcomes:
        if outcome not in right:
            msg = f"{name} is infinite: {outcome} has probability 0 in the second law"
            raise DomainError(msg)
    return [(w, right[o]) for o, w in zip(p.outcomes, p.weights, strict=True)]


def relative_entropy(p: JointLaw, q: JointLaw) -> LogSum:
    """Return the Kullback-Leibler divergence ``KL(p || q) = sum of p log2(p/q)``, in bits.

    Raises
    ------
    DomainError
        If it is infinite, because ``q`` gives an outcome of ``p`` probability zero.

    Examples
    --------
    >>> relative_entropy(JointLaw.from_weights([1]), JointLaw.from_weights(["1/4", "3/4"])) == 2
    True
    """
    return LogSum.combination((a, a / b) for a, b in _density(p, q, "relative entropy"))


def chi_square_distance(p: JointLaw, q: JointLaw) -> Fraction:
    """Return ``sum of (p - q)**2 / q``, which bounds the other two.

    ``4 d**2 <= chi2`` for the statistical distance ``d`` (Cauchy-Schwarz), and
    ``KL(p || q) <= log2(1 + chi2)`` (Jensen).

    Raises
    ------
    DomainError
        If it is infinite, because ``q`` gives an outcome of ``p`` probability zero.

    Examples
    --------
    >>> chi_square_distance(JointLaw.from_weights([1]), JointLaw.from_weights(["1/4", "3/4"]))
    Fraction(3, 1)
    """
    pairs = _density(p, q, "chi-square distance")
    return sum((a**2 / b for a, b in pairs), Fraction(0)) - 1
