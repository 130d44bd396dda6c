"""What the rounds of private multiplicative weights cost together, in two ways of counting."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.privacy.composition import (
    epsilon_of_rho,
    largest_choice,
    largest_rho,
    least_variance,
    rho_of_choice,
    rho_of_gaussian,
    rho_of_pure,
)
from ccsim.privacy.noise import GaussianNoise, GeometricNoise

FORMS = ("sparse-vector", "worst-query")
"""How a badly answered query is found."""

_FINE = 1 << 40


@validated
class Round:
    """One round: a badly answered query is found, and its value measured."""

    form: str  # one of `FORMS`: by the sparse vector technique, or by the exponential mechanism
    choice: Epsilon  # privacy parameter of finding the query
    # added to the number of records with label 1, which changes by at most 1
    noise: GeometricNoise | GaussianNoise

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise DomainError(f"form must be one of {', '.join(FORMS)}, not {self.form!r}")
        if not self.choice.is_positive:
            raise DomainError(f"epsilon of a choice must be positive, not {self.choice}")
        if isinstance(self.noise, GeometricNoise) and self.noise.sensitivity != 1:
            raise DomainError(f"noise must be for sensitivity 1, not {self.noise.sensitivity}")

    @property
    def rho(self) -> Fraction:
        """The concentrated cost, rounded up."""
        found = rho_of_choice if self.form == "worst-query" else rho_of_pure
        return found(self.choice) + self.measurement_rho

    @property
    def measurement_rho(self) -> Fraction:
        """The concentrated cost of the measurement alone."""
        if isinstance(self.noise, GaussianNoise):
            return rho_of_gaussian(self.noise.variance)
        return rho_of_pure(self.noise.epsilon)

    def epsilon(self, delta: Fraction) -> Fraction | None:
        """Return the epsilon of the round for its own delta, rounded up; None if there is none."""
        choice = self.choice.enclose().upper
        if isinstance(self.noise, GeometricNoise):
            return choice + self.noise.epsilon.enclose().upper
        return choice + epsilon_of_rho(self.measurement_rho, delta) if delta else None


@validated
class Accounting:
    """The cost of several rounds, adaptively chosen."""

    round: Round
    rounds: int  # at least 0
    delta: Fraction  # of the whole, at least 0 and below 1

    def __post_init__(self) -> None:
        if self.rounds < 0:
            raise DomainError(f"rounds must be at least 0, not {self.rounds}")
        if not 0 <= self.delta < 1:
            raise DomainError(f"delta must be at least 0 and below 1, not {self.delta}")

    @property
    def rho(self) -> Fraction:
        """The concentrated total, rounded up."""
        return self.rounds * self.round.rho

    @property
    def basic(self) -> Fraction | None:
        """Epsilon by basic composition, with ``delta`` shared evenly; None if there is none."""
        if not self.rounds:
            return Fraction(0)
        once = self.round.epsilon(self.delta / self.rounds)
        return None if once is None else self.rounds * once

    @property
    def concentrated(self) -> Fraction | None:
        """Epsilon by the concentrated total; None where ``delta`` is 0."""
        return epsilon_of_rho(self.rho, self.delta) if self.delta else None

    @property
    def epsilon(self) -> Fraction:
        """The smaller of both."""
        found = [e for e in (self.basic, self.concentrated) if e is not None]
        if not found:
            raise DomainError("Gaussian noise needs a positive delta, not 0")
        return min(found)


def affordable_round(form: str, rounds: int, epsilon: Epsilon, delta: Fraction) -> Round:
    """Return the round with the least noise of which so many are ``(epsilon, delta)``-private.

    Half of the budget goes to finding queries. With ``delta = 0`` epsilons are added up and the
    noise is geometric, otherwise concentrated costs are, and it is Gaussian.
    """
    if rounds < 1:
        raise DomainError(f"rounds must be at least 1, not {rounds}")
    if not delta:
        share = _down(epsilon.enclose().lower / (2 * rounds))
        choice, noise = Epsilon(share), GeometricNoise(Epsilon(_positive(share)))
        return Round(form, choice, noise)
    half = _positive(largest_rho(epsilon, delta) / (2 * rounds))
    variance = least_variance(half)
    rounded = -_down(-variance) if variance > 1 else variance
    chosen = largest_choice(half, 8 if form == "worst-query" else 2)
    return Round(form, Epsilon(_positive(chosen.rational)), GaussianNoise(rounded))


def _down(value: Fraction) -> Fraction:
    """Return a fraction, or a multiple of ``2^-40`` below one with a long denominator."""
    return value if value.denominator <= _FINE else Fraction(floor(value * _FINE), _FINE)


def _positive(value: Fraction) -> Fraction:
    if value <= 0:
        raise DomainError("epsilon must be larger for so many rounds")
    return value
