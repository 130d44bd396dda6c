"""Majority votes over repeated runs, and private instead of public coins (`fx` section 3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial, floor, prod

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.certificates import Certificates, Certified
from ccsim.certificates.envelope import encode_fraction
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.one_way import OneWayProtocol, Transcript
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
    protocol_certificate,
)
from ccsim.communication.protocols.two_party import worst_error
from ccsim.data import frozen, validated
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import as_fraction, binomial_tail, enclose
from ccsim.exact.probability import draw, generator

MAX_TABLE = 1 << 20  # maximum number of table entries of an amplified protocol


@validated
class AmplifiedProtocol(OneWayProtocol):
    """The majority answer of ``repetitions`` independent runs of a protocol.

    Its error on an input is a binomial tail probability in the error of one run, and is therefore
    exact even if the tables are too large to build; `tabulate` builds them if they are small.

    Attributes
    ----------
    base : protocol
        The protocol that is repeated, with fresh coins each time.
    repetitions : int
        Number of runs; odd, so that there are no ties.

    Examples
    --------
    >>> base = PublicCoinProtocol.mixture(
    ...     [
    ...         ("3/4", DeterministicProtocol((0,), (1,), 1)),
    ...         ("1/4", DeterministicProtocol((0,), (0,), 1)),
    ...     ]
    ... )
    >>> AmplifiedProtocol(base, 3).output_probability(0, 0)
    Fraction(27, 32)
    """

    base: OneWayProtocol
    repetitions: int

    def __post_init__(self) -> None:
        if self.repetitions < 1 or self.repetitions % 2 == 0:
            raise DomainError(f"repetitions must be odd and positive, not {self.repetitions}")

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return self.base.num_alice

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return self.base.num_bob

    @property
    def messages(self) -> int:
        """Number of messages, ``base.messages ** repetitions``."""
        return int(self.base.messages**self.repetitions)

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that the majority answers 1."""
        one = self.base.output_probability(x, y)
        return binomial_tail(self.repetitions, one, self.repetitions // 2 + 1)

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the base protocol repeatedly; the digits of the message are those of the runs."""
        runs = [self.base.run(x, y, rng) for _ in range(self.repetitions)]
        message = 0
        for single in reversed(runs):
            message = message * self.base.messages + single.message
        majority = int(2 * sum(single.answer for single in runs) > self.repetitions)
        return Transcript(x, y, None, message, majority)

    def tabulate(self) -> PrivateCoinProtocol | PublicCoinProtocol | DeterministicProtocol:
        """Return the exact tables of the amplified protocol.

        Raises
        ------
        InstanceTooLargeError
            If the tables have more than `MAX_TABLE` entries.
        DomainError
            If the base is not a protocol given by tables.
        """
        base, k = self.base, self.repetitions
        if isinstance(base, DeterministicProtocol):
            return base
        if isinstance(base, PrivateCoinProtocol):
            self._check_size(self.messages * (self.num_alice + self.num_bob))
            return self._tabulate_private(base)
        if isinstance(base, PublicCoinProtocol):
            multisets = comb(len(base.components) + k - 1, k)
            self._check_size(multisets * (self.num_alice + self.messages))
            return PublicCoinProtocol.mixture(_majority_mixture(base, k))
        raise DomainError(
            f"base must be a protocol given by tables, not of type {type(base).__name__}"
        )

    @staticmethod
    def _check_size(entries: int) -> None:
        if entries > MAX_TABLE:
            raise InstanceTooLargeError(
                f"the amplified tables have {entries} entries; the limit is {MAX_TABLE}"
            )

    def _tabulate_private(self, base: PrivateCoinProtocol) -> PrivateCoinProtocol:
        k = self.repetitions
        messages = list(product(range(base.messages), repeat=k))
        alice = tuple(
            tuple(prod((row[m] for m in ms), start=Fraction(1)) for ms in messages)
            for row in base.alice
        )
        bob = tuple(
            tuple(_majority_of([base.bob[m][y] for m in ms]) for y in range(base.num_bob))
            for ms in messages
        )
        return PrivateCoinProtocol(alice, bob)


@checked_types
def amplify(protocol: OneWayProtocol, repetitions: int) -> AmplifiedProtocol:
    """Return the majority vote of ``repetitions`` independent runs of a protocol (`fx` eq. 2.2).

    Parameters
    ----------
    protocol : OneWayProtocol
    repetitions : int
        Number of runs, an odd number.

    Examples
    --------
    >>> from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
    >>> right, wrong = (DeterministicProtocol((0, 0), (bob,), 1) for bob in (0b1, 0b0))
    >>> noisy = PublicCoinProtocol.mixture([(Fraction(2, 3), right), (Fraction(1, 3), wrong)])
    >>> amplify(noisy, 3).output_probability(0, 0)
    Fraction(20, 27)
    """
    return AmplifiedProtocol(protocol, repetitions)


@checked_types
def repetitions_for(error: Fraction | int | str, target: Fraction | int | str) -> int:
    """Return the least odd number of runs for which the majority has error at most ``target``.

    Parameters
    ----------
    error : Fraction
        Error of one run on every input, below 1/2.
    target : Fraction
        Error allowed for the majority answer; positive.

    Examples
    --------
    >>> [repetitions_for(Fraction(1, 3), Fraction(1, t)) for t in (4, 9, 16)]
    [5, 13, 21]
    """
    error = as_fraction(error, "error")
    target = as_fraction(target, "target")
    if not 0 <= error < Fraction(1, 2):
        raise DomainError(f"error must be at least 0 and below 1/2, not {error}")
    if target <= 0:
        raise DomainError(f"target must be positive, not {target}")
    runs = 1
    while binomial_tail(runs, error, runs // 2 + 1) > target:
        runs += 2
    return runs


@frozen
class NewmanResult(Certified):
    """A private-coin protocol derived from a public-coin protocol, with both errors.

    Attributes
    ----------
    protocol : PrivateCoinProtocol
        The protocol with few random seeds.
    public_error, private_error : Fraction
        Exact worst-case errors of the public-coin and of the private-coin protocol.
    seeds : int
        Number of components that Alice draws from.
    tries : int
        Number of lists of components that were sampled; the last one has a small enough error.
    source : PublicCoinProtocol or SymmetricProtocol
        The public-coin protocol.
    problem : CommunicationProblem
        The problem for which the errors are computed.
    """

    question = "a private-coin protocol made from a public-coin one"
    asked = ("problem", "source", "seeds")
    answered = ("private_error",)

    protocol: PrivateCoinProtocol
    public_error: Fraction
    private_error: Fraction
    seeds: int
    tries: int
    source: PublicCoinProtocol | SymmetricProtocol
    problem: CommunicationProblem

    def certificate(self) -> Certificates:
        """Return the certificates of both errors for the kernel.

        Raises
        ------
        CertificateError
            If the protocol has more messages than the number of seeds allows.
        """
        most = self.seeds * self.source.messages
        if self.tries < 1:
            raise CertificateError(f"tries must be at least 1, not {self.tries}")
        if self.protocol.messages > most:
            raise CertificateError(
                f"the protocol must have at most {most} messages with {self.seeds} seeds, not "
                f"{self.protocol.messages}"
            )
        parts = []
        for protocol, error in (
            (self.source, self.public_error),
            (self.protocol, self.private_error),
        ):
            made, value = protocol_certificate(protocol, self.problem), encode_fraction(error)
            statement = made.statement | {"lower": value, "upper": value}
            parts.append(replace(made, statement=statement))
        return Certificates(tuple(parts))


@checked_types
def newman(
    protocol: PublicCoinProtocol | SymmetricProtocol,
    problem: ProblemLike,
    excess: Fraction | int | str,
    seed: int,
    *,
    tries: int = 1000,
) -> NewmanResult:
    """Return a private-coin protocol whose error is at most ``excess`` above the public-coin error.

    Parameters
    ----------
    protocol : PublicCoinProtocol or SymmetricProtocol
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    excess : Fraction, int or str
        Allowed increase of the worst-case error, strictly between 0 and 1.
    seed : int
        Seed of the sampling; the same seed gives the same protocol.
    tries : int
        Maximum number of lists of components to sample.

    Returns
    -------
    NewmanResult
        The new protocol has at most ``newman_seeds(n, excess)`` times as many messages as the given
        one, where ``n`` is the number of inputs inside the promise.

    Raises
    ------
    NotDecidedError
        If no sampled list has a small enough error. Such a list may still exist.

    Notes
    -----
    Source: `fx` section 3.1, eq. 3.2 (Newman 1991), with explicit constants; see `fewest_seeds`.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> from ccsim.communication.minimax import minimax_error
    >>> public = minimax_error(equality(3), 2).protocol
    >>> found = newman(public, equality(3), "1/4", seed=0)
    >>> found.protocol.messages <= 2 * newman_seeds(9, "1/4")
    True
    """
    problem = as_problem(problem)
    before = worst_error(protocol, problem).value
    allowed = before + as_fraction(excess, "excess")
    mixture = protocol.to_public_coin()
    seeds = newman_seeds(len(problem.inputs()), excess)
    rng = generator(seed)
    for number in range(1, tries + 1):
        drawn = [mixture.components[draw(mixture.weights, rng)] for _ in range(seeds)]
        uniform = PublicCoinProtocol.mixture((Fraction(1, seeds), part) for part in drawn)
        after = worst_error(uniform, problem).value
        if after <= allowed:
            return NewmanResult(send_seed(uniform), before, after, seeds, number, protocol, problem)
    raise NotDecidedError(
        f"none of {tries} sampled lists of {seeds} seeds has error at most {allowed}; "
        "raise tries or change seed"
    )


@checked_types
def newman_seeds(inputs: int, excess: Fraction | int | str) -> int:
    """Return ``floor(ln(inputs) / (2 excess^2)) + 1``, the number of seeds in Newman's proof.

    Parameters
    ----------
    inputs : int
        Number of inputs inside the promise, at least 1.
    excess : Fraction, int or str
        Allowed increase of the worst-case error, in (0, 1).

    Examples
    --------
    >>> newman_seeds(16, Fraction(1, 4))
    23
    """
    import sympy

    loss = as_fraction(excess, "excess")
    if inputs < 1:
        raise DomainError(f"inputs must be at least 1, not {inputs}")
    if not 0 < loss < 1:
        raise DomainError(f"excess must be strictly between 0 and 1, not {loss}")
    if inputs == 1:
        return 1
    bound = sympy.log(inputs) / (2 * sympy.Rational(loss.numerator, loss.denominator) ** 2)
    precision = 128
    while True:  # ends: the bound is irrational, so that some enclosure holds no integer
        interval = enclose(bound, precision)
        if floor(interval.lower) == floor(interval.upper):
            return floor(interval.upper) + 1
        precision *= 2


@checked_types
def send_seed(mixture: PublicCoinProtocol) -> PrivateCoinProtocol:
    """Return the protocol in which Alice draws a component and sends its number with the message.

    The error on every input is unchanged. The number of messages is multiplied by
    ``len(mixture.components)``.

    Parameters
    ----------
    mixture : PublicCoinProtocol

    Examples
    --------
    >>> from ccsim.communication.protocols.tables import DeterministicProtocol
    >>> parts = [DeterministicProtocol((0, 1), bob, 1) for bob in ((0, 1), (1, 1))]
    >>> private = send_seed(PublicCoinProtocol.mixture((Fraction(1, 2), P) for P in parts))
    >>> private.messages, private.output_probability(0, 0)
    (4, Fraction(1, 2))
    """
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


def _majority_of(ones: list[Fraction]) -> Fraction:
    """Return the probability that most of several independent bits are 1, by convolution."""
    distribution = [Fraction(1)]
    for one in ones:
        both = zip([*distribution, Fraction(0)], [Fraction(0), *distribution], strict=True)
        distribution = [same * (1 - one) + fewer * one for same, fewer in both]
    return sum(distribution[len(ones) // 2 + 1 :], Fraction(0))


def _majority_mixture(
    base: PublicCoinProtocol, k: int
) -> Iterator[tuple[Fraction, DeterministicProtocol]]:
    """Yield the components of the amplified mixture, one for each multiset of ``k`` components."""
    for chosen in combinations_with_replacement(range(len(base.components)), k):
        orders = factorial(k) // prod(factorial(chosen.count(i)) for i in set(chosen))
        weight = orders * prod((base.weights[i] for i in chosen), start=Fraction(1))
        parts = [base.components[i] for i in chosen]
        used = sorted({tuple(P.alice[x] for P in parts) for x in range(base.num_alice)})
        number = {ms: m for m, ms in enumerate(used)}
        alice = tuple(number[tuple(P.alice[x] for P in parts)] for x in range(base.num_alice))
        bob = tuple(
            sum(
                1 << y
                for y in range(base.num_bob)
                if 2 * sum(P.bob[m] >> y & 1 for P, m in zip(parts, ms, strict=True)) > k
            )
            for ms in used
        )
        yield weight, DeterministicProtocol(alice, bob, base.num_bob)
