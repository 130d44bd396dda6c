"""How many runs a majority needs, and private coins instead of public ones.

Newman's theorem in a finite form (`fx` section 3.1): by Hoeffding's bound the uniform mixture of
``floor(ln(|X||Y|) / (2 excess^2)) + 1`` sampled components raises no error by more than ``excess``,
with positive probability. The sampled list is checked exactly, so the result is certain.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import floor

from ccsim.arguments.checked import checked_types
from ccsim.certificates import Certificates, Certified, encode_fraction
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.one_way import worst_error
from ccsim.communication.protocols.tables import (
    PrivateCoinProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
    protocol_certificate,
)
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.exact import as_fraction, binomial_tail, enclose
from ccsim.exact.probability import draw, generator


@checked_types
def repetitions_for(error: Fraction | int | str, target: Fraction | int | str) -> int:
    """Return the least odd number of runs whose majority errs with probability at most ``target``.

    Parameters
    ----------
    error : Fraction
        Error of one run on every input, below 1/2.
    target : Fraction
        Positive.

    Raises
    ------
    DomainError
        If no number of runs helps.

    Examples
    --------
    >>> [repetitions_for(Fraction(1, 3), Fraction(1, t)) for t in (4, 9, 16)]
    [5, 13, 21]
    """
    error = as_fraction(error, "error")
    target = as_fraction(target, "target")
    if not 0 <= error < Fraction(1, 2) or target <= 0:
        raise DomainError(f"need 0 <= error < 1/2 and target > 0, not {error} and {target}")
    runs = 1
    while binomial_tail(runs, error, runs // 2 + 1) > target:
        runs += 2
    return runs


@frozen
class NewmanResult(Certified):
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
    source : PublicCoinProtocol or SymmetricProtocol
        The public-coin protocol.
    problem : CommunicationProblem
        On which both err.
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
            If more components than seeds were mixed.
        DomainError
            If a protocol is not one for the problem.
        """
        most = self.seeds * self.source.messages
        if self.protocol.messages > most or self.tries < 1:
            raise CertificateError(
                f"{self.seeds} seeds leave {most} messages, and a list is found at the first try "
                f"or later; not {self.protocol.messages} at try {self.tries}"
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
    """Return a private-coin protocol whose error exceeds the public one's by at most ``excess``.

    Parameters
    ----------
    protocol : PublicCoinProtocol or SymmetricProtocol
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    excess : Fraction, int or str
        Allowed increase of the worst error, in (0, 1).
    seed : int
        Seed of the sampling; the same seed gives the same protocol.
    tries : int
        Lists to sample before giving up.

    Returns
    -------
    NewmanResult
        The protocol has at most ``newman_seeds(n, excess)`` times as many messages, where ``n``
        counts the inputs inside the promise.

    Raises
    ------
    NotDecidedError
        If no sampled list was good; that says nothing about whether one exists.

    Notes
    -----
    Source: `fx` section 3.1, eq. 3.2 (Newman 1991), with explicit constants. For the fewest seeds
    see `fewest_seeds`.

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
        f"none of {tries} sampled lists of {seeds} seeds kept the error at most {allowed}"
    )


@checked_types
def newman_seeds(inputs: int, excess: Fraction | int | str) -> int:
    """Return ``floor(ln(inputs) / (2 excess^2)) + 1``, the seeds that Newman's proof takes.

    Parameters
    ----------
    inputs : int
        At least 1.
    excess : Fraction, int or str
        In (0, 1).

    Raises
    ------
    DomainError
        If an argument is outside its range.

    Examples
    --------
    >>> newman_seeds(16, Fraction(1, 4))
    23
    """
    import sympy

    loss = as_fraction(excess, "excess")
    if inputs < 1 or not 0 < loss < 1:
        raise DomainError(f"need at least one input and 0 < excess < 1, not {inputs} and {loss}")
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

    The error on every input stays; there are ``len(mixture.components)`` times as many messages.

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
