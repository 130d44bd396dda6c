"""Distributions of integer noise, as pieces of functions of one variable."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import flint

from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact.exponentials import Exponential, exponential
from ccsim.exact.intervals import ball_interval
from ccsim.privacy.noise_programs.lattice_sums import Number, Piece

_BITS = 192
_FINE = 128
"""Weights of Gaussian noise are multiples of ``2^-128``."""
MAX_VARIANCE = 1 << 12
"""Largest variance of Gaussian noise."""


Lift: TypeAlias = Callable[[Any], Number]
"""Writes a fraction or an `Exponential` as a number of the field of all weights."""


def lift_rational(value: Fraction | int) -> flint.fmpq:
    """Return a fraction as a rational number of FLINT."""
    return flint.fmpq(value.numerator, value.denominator)


def lift_exponential(value: Fraction | int | Exponential) -> Exponential:
    """Return a number as a rational function of a power of e."""
    return _ONE * value


_ONE = exponential(0)


@frozen
class Geometric:
    """Two-sided geometric noise; a ratio that is irrational is a power of e."""

    ratio: Any  # a fraction or an `Exponential`, strictly between 0 and 1

    def pieces(self, z: int, lift: Lift) -> list[Piece]:
        """Return the weights as a function of a variable."""
        r = lift(self.ratio)
        c = (1 - r) / (1 + r)
        return [
            ((((((z, -1),), -1)),), {(((z, 1 / r),), ()): c}),
            ((((((z, 1),), 0)),), {(((z, r),), ()): c}),
        ]

    def missing(self) -> Fraction:
        """Return an upper bound on the probability that the pieces omit."""
        return Fraction(0)


@frozen
class OneSidedGeometric:
    """Geometric noise of at least 0."""

    ratio: Any

    def pieces(self, z: int, lift: Lift) -> list[Piece]:
        """Return the weights as a function of a variable."""
        r = lift(self.ratio)
        return [((((((z, 1),), 0)),), {(((z, r),), ()): 1 - r})]

    def missing(self) -> Fraction:
        """Return an upper bound on the probability that the pieces omit."""
        return Fraction(0)


@frozen
class DiscreteGaussian:
    """Discrete Gaussian noise, by lower bounds on finitely many probabilities."""

    variance: Fraction

    def pieces(self, z: int, lift: Lift) -> list[Piece]:
        """Return lower bounds on the weights as a function of a variable."""
        found: list[Piece] = []
        for value, share in enumerate(_gaussian(self.variance)):
            for sign in ((1, -1) if value else (1,)) if share else ():
                at = sign * value
                region = ((((z, -1),), at), (((z, 1),), -at))
                found.append((region, {((), ()): lift(share)}))
        return found

    def missing(self) -> Fraction:
        """Return an upper bound on the probability that the pieces omit."""
        shares = _gaussian(self.variance)
        return 1 - shares[0] - 2 * sum(shares[1:])


Draw: TypeAlias = Geometric | OneSidedGeometric | DiscreteGaussian


def discrete_laplace(scale: Fraction) -> Geometric:
    """Return noise with probabilities proportional to ``e^(-|z| / scale)``."""
    if scale <= 0:
        raise DomainError(f"scale must be positive, not {scale}")
    return Geometric(exponential(-1 / scale))


@lru_cache(maxsize=16)
def _gaussian(variance: Fraction) -> tuple[Fraction, ...]:
    """Return lower bounds on the probabilities of 0, 1, 2, ... until they are 0."""
    if not 0 < variance <= MAX_VARIANCE:
        raise DomainError(f"variance must be positive and at most {MAX_VARIANCE}, not {variance}")
    with flint.ctx.workprec(_BITS):
        ball = flint.arb(lift_rational(variance))
        weights = [flint.arb(1)]
        while True:
            k = len(weights)
            weight = (-flint.arb(k * k) / (2 * ball)).exp()
            if weight * (flint.arb(2) ** (_FINE + 8)) < 1:
                break
            weights.append(weight)
        # from k to k + 1 the ratio falls by at least e^(-k / v)
        rest = weight / (1 - (-flint.arb(k) / ball).exp())
        total = weights[0] + 2 * sum(weights[1:], flint.arb(0)) + 2 * flint.arb(0).union(rest)
        shares = []
        for weight in weights:
            low = ball_interval(weight / total * (flint.arb(2) ** _FINE)).lower
            shares.append(Fraction(low.numerator // low.denominator, 1 << _FINE))
    return tuple(shares)
