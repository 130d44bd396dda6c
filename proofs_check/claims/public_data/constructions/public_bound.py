"""Lower bounds on public examples of purely private learners with few private examples.

Main definitions: `PublicSampleBound`, `public_sample_bound`, `accuracy_of_learner`.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

import flint

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.binomial import binomial_tail
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.intervals import ball_interval

__all__ = ["PublicSampleBound", "accuracy_of_learner", "public_sample_bound"]

_PRECISION = 256
_MOST_SHARES = 64
_EXACT_TO = 1 << 10
"""Largest ``d`` at which binomial tails are exact."""
_MARGIN = 1 + Fraction(1, 1 << 20)
"""By how much a share is above the one at which one more error would be allowed."""

MAX_DEPTH = 1 << 40
"""Deepest mistake tree that the bound is computed for."""


@frozen
class PublicSampleBound:
    r"""A lower bound on the public examples of a purely private learner.

    Attributes
    ----------
    depth : int
        The class has a complete mistake tree of this depth, at least 2.
    accuracy : Fraction
        Error allowed on targets of the class, strictly between 0 and 1.
    failure : Fraction
        Probability of a larger error; strictly between 0 and 1.
    epsilon : Epsilon
        The learner is ``epsilon``-private in its private examples, for all public examples.
    private : int
        Number of its private examples.
    public : int
        Lower bound on the number of its public examples; the bound 0 is trivial.
    share : Fraction
        Mass outside the atom in the proof.

    Notes
    -----
    Let ``d = depth - 1``, and ``eta`` the share. The atom is the root of the tree with one label; a
    target is a random branch of the subtree below, with the uniform distribution ``D`` on the
    branch. Without its public examples (`assisted.without_public`) the learner is ``ln g``-private
    for ``g = 1 + eta (e^epsilon - 1)``, and has error at most ``alpha / eta`` under ``D`` except
    with probability ``beta / (1 - eta)^m``. On a sample of atoms, its hypothesis is independent of
    the branch, and errs on each point of the branch with probability 1/2, independently. Hence

        ``1 - beta / (1 - eta)^m <= g^n Pr[Bin(d, 1/2) <= alpha d / eta]``.

    For unbounded ``d`` and every ``n``, it follows that ``m >= ln(1 / beta) / -ln(1 - 2 alpha)``,
    about ``ln(1 / beta) / (2 alpha)``: the finite form of `pap` Theorem 15 and Lemma 18 for ``delta
    = 0``. For ``delta > 0``, the paper cites the bound, and this module does not apply.
    """

    depth: int
    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon
    private: int
    public: int
    share: Fraction

    def _excludes(self, public: int) -> bool:
        failing = _ball(self.failure) / _ball(1 - self.share) ** public
        return bool(failing < 1 - self._luck())

    def _luck(self) -> flint.arb:
        """Return a ball around the right side of the inequality in the notes, at most 1."""
        d = self.depth - 1
        errors = floor(self.accuracy * d / self.share)
        more = self.epsilon.ball().exp() - 1
        log = self.private * (1 + _ball(self.share) * more).log() + _tail_log(d, errors)
        return log.exp() if log < 0 else flint.arb(1)

    def _most_excluded(self) -> int:
        """Return the largest number of public examples that the share excludes.

        The result is -1 if the share excludes none.
        """
        left = 1 - self._luck()
        if not left > _ball(self.failure):
            return -1
        most = (left / _ball(self.failure)).log() / -_ball(1 - self.share).log()
        public = floor(ball_interval(most).upper)
        return public if self._excludes(public) else public - 1


def _tail_log(d: int, errors: int) -> flint.arb:
    """Return ``ln Pr[Bin(d, 1/2) <= errors]`` or, for large ``d``, an upper bound (by entropy)."""
    if 2 * errors >= d:
        return flint.arb(0)
    if d <= _EXACT_TO:
        return _ball(binomial_tail(d, Fraction(1, 2), d - errors)).log()
    shares = (Fraction(errors, d), 1 - Fraction(errors, d))
    entropy = -sum((_ball(x) * _ball(x).log() for x in shares), flint.arb(0))
    return d * (entropy - flint.arb(2).log())


def _ball(value: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


@checked_types
def public_sample_bound(
    depth: int,
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    private: int,
) -> PublicSampleBound:
    """Return a lower bound on the public examples of a purely private learner.

    Parameters
    ----------
    depth : int
        Depth of a complete mistake tree of the class, such as its Littlestone dimension: ``b`` for
        thresholds on ``2^b`` points. From 2 to `MAX_DEPTH`.
    accuracy, failure : Fraction, int or str
        Strictly between 0 and 1. For a release assisted by public data, see `accuracy_of_learner`.
    epsilon : Epsilon, int, Fraction or str
        Positive.
    private : int
        Number of private examples, at least 0.

    Returns
    -------
    PublicSampleBound
        The best bound among the tried shares.

    Raises
    ------
    DomainError
        If a parameter is out of range.

    Notes
    -----
    Complexity: 64 binomial tails, exact up to depth 1024 and bounded by the entropy above; a few
    milliseconds at any depth.

    Source: `pap` Theorem 15, in finite form for ``delta = 0``.

    Examples
    --------
    >>> bound = public_sample_bound(64, "1/100", "1/10", 1, 100)
    >>> bound.public
    65
    >>> public_sample_bound(10**6, "1/100", "1/10", 1, 10_000).public
    111
    >>> public_sample_bound(64, "1/100", "1/10", 1, 1000).public
    0
    """
    alpha, beta = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(failure, "failure", 0, 1)
    bound = Epsilon.of(epsilon)
    if not 0 < alpha < 1 or not 0 < beta < 1 or not bound.is_positive:
        raise DomainError(
            "accuracy and failure must be strictly between 0 and 1 and epsilon be positive, not "
            f"{alpha}, {beta} and {bound}"
        )
    if not 2 <= depth <= MAX_DEPTH or private < 0:
        raise DomainError(
            f"depth must be between 2 and {MAX_DEPTH}, and private at least 0, "
            f"not {depth} and {private}"
        )
    d = depth - 1
    best = PublicSampleBound(depth, alpha, beta, bound, private, 0, Fraction(1, 2))
    with flint.ctx.workprec(_PRECISION):
        for errors in sorted({d * i // (2 * _MOST_SHARES) for i in range(_MOST_SHARES)}):
            share = alpha * d / (errors + 1) * _MARGIN
            if share < 1:
                tried = PublicSampleBound(depth, alpha, beta, bound, private, 0, share)
                public = tried._most_excluded() + 1
                if public > best.public:
                    best = PublicSampleBound(depth, alpha, beta, bound, private, public, share)
    return best


@checked_types
def accuracy_of_learner(error: Fraction | int | str, noise: Fraction | int | str = 0) -> Fraction:
    """Return the excess error of the learner that is built from a release.

    With answers from -1 to 1 it is ``2 (error + noise)``, where ``noise`` bounds the noise added to
    the fraction of labels 1 (see `assisted`). So a purely private release needs as many public
    records as `public_sample_bound` states for this accuracy, twice the failure probability, and
    ``2 epsilon`` plus the parameter of the noise.

    Examples
    --------
    >>> accuracy_of_learner("1/100")
    Fraction(1, 50)
    """
    return 2 * (as_fraction(error, "error", 0) + as_fraction(noise, "noise", 0))
