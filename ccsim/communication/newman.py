"""Newman's theorem in a finite form: few public coins suffice, so private ones do.

A public-coin protocol is replaced by the uniform mixture of a few sampled components; Alice draws
one of them with her own coins and sends its number along. Hoeffding's bound says that
``floor(ln(|X||Y|) / (2 gamma^2)) + 1`` samples raise no error by more than ``gamma`` with positive
probability; the sampled list is then checked exactly, so the result rests on no probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ccsim.communication.error import worst_error
from ccsim.communication.one_way import PrivateCoinProtocol, PublicCoinProtocol
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import enclose

__all__ = ["NewmanResult", "newman", "newman_seeds"]


@dataclass(frozen=True, slots=True)
class NewmanResult:
    """A private-coin protocol made from a public-coin one.

    Attributes
    ----------
    protocol : PrivateCoinProtocol
    public_error, private_error : Fraction
        Exact worst errors before and after.
    seeds : int
        Number of components that Alice draws from.
    tries : int
        How many lists were sampled until one was good.
    """

    protocol: PrivateCoinProtocol
    public_error: Fraction
    private_error: Fraction
    seeds: int
    tries: int


def newman_seeds(inputs: int, gamma: Fraction) -> int:
    """Return ``floor(ln(inputs) / (2 gamma^2)) + 1``, the seeds that Newman's proof takes.

    Examples
    --------
    >>> newman_seeds(16, Fraction(1, 4))
    23
    """
    import sympy

    if inputs < 1 or not 0 < gamma < 1:
        msg = f"need at least one input and 0 < gamma < 1, not {inputs} and {gamma}"
        raise DomainError(msg)
    if inputs == 1:
        return 1
    scale = sympy.Rational(gamma.numerator, gamma.denominator)
    bound = enclose(sympy.log(inputs) / (2 * scale**2))  # irrational: never on an integer
    return bound.upper.__floor__() + 1


def newman(
    protocol: PublicCoinProtocol,
    problem: CommunicationProblem,
    gamma: Fraction,
    seed: int,
    max_tries: int = 1000,
) -> NewmanResult:
    """Return a private-coin protocol whose error exceeds the public one's by at most ``gamma``.

    Parameters
    ----------
    protocol : PublicCoinProtocol
    problem : CommunicationProblem
    gamma : Fraction
        Allowed increase of the worst error, in (0, 1).
    seed : int
        Seed of the sampling; the same seed gives the same protocol.
    max_tries : int
        Lists to sample before giving up.

    Returns
    -------
    NewmanResult
        The protocol has at most ``newman_seeds(|X||Y|, gamma)`` times as many messages.

    Raises
    ------
    NotDecidedError
        If no sampled list was good; that says nothing about whether one exists.

    Notes
    -----
    Source: `fx` section 3.1, eq. 3.2 (Newman 1991), with explicit constants.
    """
    before = worst_error(protocol, problem).value
    seeds = newman_seeds(len(problem.inputs()), gamma)
    rng = np.random.default_rng(seed)
    for tries in range(1, max_tries + 1):
        drawn = [protocol.components[_draw(protocol, rng)] for _ in range(seeds)]
        uniform = PublicCoinProtocol.mixture((Fraction(1, seeds), part) for part in drawn)
        after = worst_error(uniform, problem).value
        if after <= before + gamma:
            return NewmanResult(_send_seed(uniform), before, after, seeds, tries)
    msg = (
        f"none of {max_tries} sampled lists of {seeds} seeds kept the error below {before + gamma}"
    )
    raise NotDecidedError(msg)


def _draw(protocol: PublicCoinProtocol, rng: np.random.Generator) -> int:
    coins = protocol.run(0, 0, rng).coins
    return coins or 0


def _send_seed(mixture: PublicCoinProtocol) -> PrivateCoinProtocol:
    """Alice draws a component by herself and sends its number with the message."""
    k = mixture.messages
    alice = []
    for x in range(mixture.num_alice):
        row = [Fraction(0)] * (k * len(mixture.components))
        for r, (weight, part) in enumerate(zip(mixture.weights, mixture.components, strict=True)):
            row[k * r + part.alice[x]] = weight
        alice.append(tuple(row))
    bob = tuple(
        tuple(Fraction(answers >> y & 1) for y in range(mixture.num_bob))
        for part in mixture.components
        for answers in part.bob
    )
    return PrivateCoinProtocol(tuple(alice), bob)
