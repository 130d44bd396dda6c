"""The least expected error of a deterministic protocol under a fixed distribution (`fx` 2.3)."""

from __future__ import annotations

from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate, Certified, encode_fraction, encode_integers
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.hard_distribution import (
    Distribution,
    HardDistribution,
    as_distribution,
)
from ccsim.communication.partitions.proof import DistributionProof, prove_bound
from ccsim.communication.partitions.tables import balances, cheapest_classes
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import DeterministicProtocol
from ccsim.data import frozen
from ccsim.errors import DomainError


@frozen
class DistributionalResult(Certified):
    """The least expected error under a distribution with a protocol that reaches it.

    Attributes
    ----------
    problem : CommunicationProblem
    messages : int
    value : Fraction
    protocol : DeterministicProtocol
        Certificate from above.
    below : DistributionProof
        Certificate from below.
    """

    question = "the least error under a distribution"
    asked = ("problem", "distribution", "messages")
    answered = ("value",)

    problem: CommunicationProblem
    messages: int
    value: Fraction
    protocol: DeterministicProtocol
    below: DistributionProof

    @property
    def distribution(self) -> HardDistribution:
        """The given distribution."""
        return self.below.distribution

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        value = encode_fraction(self.value)
        return Certificate(
            "distributional_error",
            self.problem.to_json(),
            {
                "messages": encode_integers([self.messages])[0],
                "distribution": self.distribution.to_json(),
                "lower": value,
                "upper": value,
            },
            self.below.proof(),
            {"protocol": {"tables": self.protocol.to_json()}},
        )


@checked_types
def distributional_error(
    problem: ProblemLike,
    distribution: Distribution,
    messages: int,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> DistributionalResult:
    """Return the least error under a distribution of a one-way protocol with ``messages`` messages.

    Randomised protocols do no better: one choice of the coins is as good as the average.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    distribution : mapping from (x, y) to probability, matrix of them, or HardDistribution
        Sum exactly 1, supported inside the promise, with weight on at most 16 inputs of Alice.
    messages : int
        At least 1.
    time_limit : float or Budget, optional
        Seconds after which nothing is known.
    progress : callable, optional
        Called with the least error, twice, when it is known.

    Raises
    ------
    DomainError
        If it is not a distribution on the promise.
    InstanceTooLargeError
        If too many inputs of Alice have weight.
    NotDecidedError
        If the time limit is over before.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> uniform = {(x, y): Fraction(1, 4) for x in range(2) for y in range(2)}
    >>> distributional_error(equality(2), uniform, 1).value
    Fraction(1, 2)
    """
    budget = Budget.of(time_limit, progress)
    problem = as_problem(problem, budget)
    if messages < 1:
        raise DomainError(f"messages must be at least 1, not {messages}")
    given = as_distribution(distribution)
    for x, y, _ in given.weights:
        if x >= len(problem.alice) or y >= len(problem.bob):
            raise DomainError(
                f"distribution must be on pairs of inputs of the problem, ({x}, {y}) is none"
            )
        if problem.value(x, y) is None:
            raise DomainError(
                f"distribution must be supported inside the promise, ({x}, {y}) is not"
            )
    rows = sorted({x for x, _, _ in given.weights})
    position = {x: i for i, x in enumerate(rows)}
    columns = sorted({y for _, y, _ in given.weights})
    place = {y: j for j, y in enumerate(columns)}
    weights = [[0] * len(columns) for _ in rows]
    for x, y, w in given.weights:
        weights[position[x]][place[y]] = w if problem.value(x, y) else -w
    cost, classes = cheapest_classes(weights, messages, budget)
    used = max(classes) + 1
    bob = balances(weights, classes, used)
    sent = dict(zip(rows, classes, strict=True))
    protocol = DeterministicProtocol(
        tuple(sent.get(x, 0) for x in range(len(problem.alice))),
        tuple(sum(1 << columns[j] for j, balance in enumerate(row) if balance > 0) for row in bob),
        len(problem.bob),
    )
    least = Fraction(cost, given.total)
    below = prove_bound(problem, given, messages, classes, budget=budget)
    budget.report(least, least)
    return DistributionalResult(problem, messages, least, protocol, below)
