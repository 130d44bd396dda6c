"""The simultaneous deterministic cost: both players send one message to a referee, who answers.

For a total function, equal rows may share a message and distinct rows may not; the same holds for
columns. The cost is the sum of the one-way costs. With a promise, this sum is a lower bound, and
the cost of any total function that agrees inside the promise is an upper bound.
"""

from __future__ import annotations

from ccsim.budget import Budget
from ccsim.certificates import Answer, Certificates
from ccsim.communication.minimax import ComplexityResult, communication_complexity
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import DeterministicProtocol
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.exact import ceil_log2

Both = tuple[ComplexityResult, ComplexityResult]


@frozen
class SimultaneousResult(Answer[int]):
    """Bounds on the simultaneous deterministic cost, in bits.

    Attributes
    ----------
    problem : CommunicationProblem
    lower, upper : int
        Bounds on the total number of bits that the players send.
    one_way : tuple of ComplexityResult
        One-way complexities with Alice and with Bob as sender, which prove the lower bound.
    total : tuple of ComplexityResult
        One-way complexities of a total problem that agrees inside the promise, which prove the
        upper bound.
    """

    question = "the simultaneous deterministic cost"
    asked = ("problem",)

    problem: CommunicationProblem
    lower: int
    upper: int
    one_way: Both
    total: Both

    def certificate(self) -> Certificates:
        """Return the certificates of the one-way complexities, from which the bounds follow."""
        completion = self.total[0].problem
        if not completion.is_total or not _agrees(completion, self.problem):
            raise CertificateError(
                "the upper bound must be for a total problem that agrees inside the promise"
            )
        for both, problem in ((self.one_way, self.problem), (self.total, completion)):
            if (both[0].problem, both[1].problem) != (problem, problem.transposed()):
                raise CertificateError("the one-way complexities must be those of both players")
            if any(part.error or part.coins != "deterministic" for part in both):
                raise CertificateError("the one-way protocols must be deterministic, without error")
        if (self.lower, self.upper) != _bounds(self.one_way, self.total):
            raise CertificateError(
                f"lower and upper must be the bits of the messages, "
                f"{_bounds(self.one_way, self.total)}, not {(self.lower, self.upper)}"
            )
        parts = dict.fromkeys((*self.one_way, *self.total))
        return Certificates(tuple(part.certificate() for part in parts))


def simultaneous(
    problem: CommunicationProblem, one_way: Both, budget: Budget
) -> SimultaneousResult:
    """Return bounds on the simultaneous cost, given the one-way complexities of both players."""
    totals = [one_way]
    if not problem.is_total:
        made = (_completed(problem, one_way[0]), _completed(problem.transposed(), one_way[1]))
        totals = [_both(made[0], budget), _both(made[1].transposed(), budget)]
    total = min(totals, key=lambda both: _bounds(one_way, both)[1])
    return SimultaneousResult(problem, *_bounds(one_way, total), one_way, total)


def _both(problem: CommunicationProblem, budget: Budget) -> Both:
    """Return the one-way complexities of both players."""
    found = (
        communication_complexity(each, 0, "deterministic", time_limit=budget)
        for each in (problem, problem.transposed())
    )
    return next(found), next(found)


def _completed(problem: CommunicationProblem, found: ComplexityResult) -> CommunicationProblem:
    """Return the total problem that a one-way protocol without error computes."""
    protocol = found.reached.protocol
    if not isinstance(protocol, DeterministicProtocol):
        raise TypeError(f"a deterministic protocol is needed, not {type(protocol).__name__}")
    everything = ((1 << len(problem.bob)) - 1,) * len(problem.alice)
    rows = tuple(protocol.bob[message] for message in protocol.alice)
    return CommunicationProblem(problem.alice, problem.bob, rows, everything)


def _bounds(one_way: Both, total: Both) -> tuple[int, int]:
    lower = sum(ceil_log2(part.lower) for part in one_way)
    return lower, sum(ceil_log2(part.upper) for part in total)


def _agrees(total: CommunicationProblem, problem: CommunicationProblem) -> bool:
    """Whether a total problem has the same values as another problem inside its promise."""
    if (len(total.alice), len(total.bob)) != (len(problem.alice), len(problem.bob)):
        return False
    rows = zip(total.ones, problem.ones, problem.promise, strict=True)
    return all(a & inside == b for a, b, inside in rows)
