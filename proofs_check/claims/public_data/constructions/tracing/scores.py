"""Scores of the tracing attack on one-way marginals, and their moments for exact means.

Main definitions: `SCORES`, `ScoreMoments`, `score_moments`, `tracing_bound`.

The population has a bias ``mu_j`` for each of ``p`` signs; a record has independent signs with
these means. From answers ``q`` to the decision stumps the attacker scores a record ``y``: a member
of the sample scores high, an outsider about 0. The *centred* score ``sum (q_j - mu_j)(y_j - mu_j)``
is better if answers are close to the means of the sample; the *robust* score, ``sum q_j (y_j -
mu_j)``, is high for some member of every sample even if the answers are only close to the biases.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.exponentials import Real

__all__ = ["SCORES", "ScoreMoments", "check_score", "check_sizes", "score_moments", "tracing_bound"]

SCORES = ("centred", "robust")
"""The scores by name."""


def check_score(score: str) -> None:
    """Raise `DomainError` for an unknown score.

    Raises
    ------
    DomainError
    """
    if score not in SCORES:
        raise DomainError(f"score must be {' or '.join(SCORES)}, not {score!r}")


def check_sizes(records: int, signs: int) -> None:
    """Raise `DomainError` for an empty sample, or for records without signs.

    Raises
    ------
    DomainError
    """
    if records < 1 or signs < 1:
        raise DomainError(f"records and signs must each be at least 1, not {records} and {signs}")


@frozen
class ScoreMoments:
    """Expectation and variance of a score over biases, samples and outsiders.

    Attributes
    ----------
    inside, outside : Fraction
        Expected score of a member of the sample, and of an outsider.
    inside_variance, outside_variance : Fraction
    """

    inside: Fraction
    outside: Fraction
    inside_variance: Fraction
    outside_variance: Fraction

    @property
    def squared_separation(self) -> Fraction:
        """The squared distance of the expectations divided by ``outside_variance``."""
        return (self.inside - self.outside) ** 2 / self.outside_variance

    @property
    def separation(self) -> float:
        """The distance of the expectations in standard deviations of outsiders' scores, rounded."""
        return sqrt(self.squared_separation)


@checked_types
def score_moments(records: int, signs: int, score: str = "centred") -> ScoreMoments:
    """Return the moments of a score for exact means and biases uniform on ``[-1, 1]``.

    Parameters
    ----------
    records, signs : int
        Each at least 1.
    score : str
        One of `SCORES`.

    Raises
    ------
    DomainError

    Notes
    -----
    Let ``v = 1 - mu^2``. The expectations of ``v``, ``v^2`` and ``mu^2 v`` are 2/3, 8/15 and 2/15.
    For both scores, each sign adds ``v/n`` to the expected score of a member. The variances are
    computed similarly; tests compare them with enumerations.

    Examples
    --------
    >>> moments = score_moments(50, 1000)
    >>> moments.inside, moments.outside_variance, moments.squared_separation
    (Fraction(40, 3), Fraction(32, 3), Fraction(50, 3))
    >>> round(score_moments(50, 1000, "robust").separation, 2)
    1.11
    """
    check_score(score)
    check_sizes(records, signs)
    n, v, vv, mv = records, Fraction(2, 3), Fraction(8, 15), Fraction(2, 15)
    inside = v / n
    if score == "centred":
        outer = vv / n
        square = (4 * mv + vv + (n - 1) * vv) / n**2
    else:
        outer = mv + vv / n
        square = (v + (n - 1) * (n - 3) * mv + (n - 1) * vv) / n**2
    return ScoreMoments(signs * inside, Fraction(0), signs * (square - inside**2), signs * outer)


@checked_types
def tracing_bound(
    rate: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str = 0,
) -> Real:
    """Return an upper bound on the true-positive rate of attacks on a private release.

    An attack with false-positive rate ``rate`` detects a member with probability at most the
    minimum of ``e^epsilon rate + delta`` and 1.

    Raises
    ------
    DomainError
        If the rate or delta is not between 0 and 1.

    Examples
    --------
    >>> tracing_bound("1/100", Epsilon.of("ln 3"), "1/400")
    Fraction(13, 400)
    """
    epsilon = Epsilon.of(epsilon)
    false, slack = as_fraction(rate, "rate", 0, 1), as_fraction(delta, "delta", 0, 1)
    most = epsilon.exp() * false + slack
    return most if most < 1 else Fraction(1)
