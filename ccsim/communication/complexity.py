"""One-way communication complexity: the fewest messages with which an error is reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar, Self

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate, encode_fraction
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.minimax import MinimaxResult, least_error
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.public_coins.solver import PublicCoinSolver
from ccsim.data import frozen
from ccsim.exact import as_fraction, ceil_log2


@frozen
class ComplexityResult(Answer[int]):
    """The least number of messages, with the minimax results on both sides of it.

    Attributes
    ----------
    problem : CommunicationProblem
    error : Fraction
        Error allowed on every input.
    coins : str
    lower, upper : int
        Bounds on the least number of messages, equal unless time ran out.
    reached : MinimaxResult
        Certificate from above: with ``upper`` messages the error is at most ``error``.
    missed : MinimaxResult or None
        Certificate from below: with ``lower - 1`` messages it is not; None when ``lower`` is 1.
    """

    asked = ("problem", "error", "coins")

    quantity: ClassVar[str] = "the least number of messages"

    problem: CommunicationProblem
    error: Fraction
    coins: str
    lower: int
    upper: int
    reached: MinimaxResult
    missed: MinimaxResult | None

    @property
    def messages(self) -> int:
        """Least number of messages."""
        return self.value

    @property
    def bits(self) -> int:
        """Complexity in bits, ``ceil(log2 messages)``."""
        return ceil_log2(self.messages)

    @property
    def needed(self) -> str | None:
        """What would make the bounds one number, in a sentence; None where they are one."""
        if self.exact:
            return None
        sides = [side for side in (self.missed, self.reached) if side is not None]
        return next((s.needed for s in sides if s.method == "bounds" and s.needed), "more time")

    def without_lower(self) -> Self:
        """Return the result with the lower bound 1, which needs no proof."""
        return replace(self, lower=1, reached=self.reached.without_lower(), missed=None)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        missed, lower = self.missed, {"trivial": dict[str, object]()}
        if missed is not None:
            proof = {"messages": missed.messages, "proof": missed.lower_proof()}
            lower = {"too_few": proof}
        return Certificate(
            "communication_complexity",
            self.problem.to_json(),
            {
                "error": encode_fraction(self.error),
                "coins": self.coins,
                "lower": self.lower,
                "upper": self.upper,
            },
            lower,
            {"protocol": {"tables": self.reached.protocol.to_json()}},
        )


@checked_types
def communication_complexity(
    problem: ProblemLike,
    error: Fraction | int | str,
    coins: str = "public",
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    trying: Callable[[int, int, int], None] | None = None,
) -> ComplexityResult:
    """Return the least number of messages of a one-way protocol with at most the given error.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        The number is exact where `ccsim.minimax_error` decides; else there are bounds.
    error : Fraction, int or str
        Between 0 and 1.
    coins : str
        ``"public"``, ``"private"`` or ``"deterministic"``.
    time_limit : float or Budget, optional
        Seconds after which bounds are returned; with a limit an interrupt has the same effect.
    progress : callable, optional
        Called with bounds on the error for one number of messages after another.
    trying : callable, optional
        Called with each number of messages that is tried, and bounds on the answer.

    Returns
    -------
    ComplexityResult
        ``messages`` and ``bits``; any number of messages is considered, not only powers of two.

    Notes
    -----
    The error falls as the number of messages grows, so the search doubles it until the error is
    reached, and then halves what is left open. Each search stops as soon as a bound decides, and
    starts from the protocols and the distribution of the one before. A time limit is shared among
    the numbers to be tried. Those that stay open are tried once more, and with private coins only
    then by trees of cases, which take longest.

    Complexity: about ``2 log2 messages`` such decisions, each at most as long as
    `ccsim.minimax_error` and usually much shorter.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> result = communication_complexity(equality(4), "1/4")
    >>> result.messages, result.bits
    (2, 1)
    """
    allowed = as_fraction(error, "error", 0, 1)
    budget = Budget.of(time_limit, progress)
    problem = as_problem(problem, budget)
    solver = PublicCoinSolver(problem)
    numbers = _Numbers(least_error(solver, solver.enough, coins, budget))
    while (messages := numbers.next(over=budget.expired)) is not None:
        if trying is not None:
            trying(messages, numbers.lower, numbers.upper)
        part = budget.share(numbers.share)
        quick = numbers.first
        found = least_error(solver, messages, coins, part, target=allowed, quick=quick)
        numbers.settle(found, allowed)
    return ComplexityResult(
        problem, allowed, coins, numbers.lower, numbers.upper, numbers.reached, numbers.missed
    )


class _Numbers:
    """The numbers of messages: which are too few, which are enough, which to try next.

    ``lower`` and ``upper`` bound the least number that is enough; ``upper`` is the number of
    messages of the protocol that was found, which may be fewer than it was allowed.
    """

    def __init__(self, surely: MinimaxResult) -> None:
        self.lower, self.reached = 1, _with_own_messages(surely)
        self.upper = self.reached.messages
        self.missed: MinimaxResult | None = None
        self.first = True
        self._open: set[int] = set()
        self._doubled = 1

    @property
    def share(self) -> float:
        """Part of the time left for a number: as many have equal parts as halving would try.

        Those that are to be tried again have one more.
        """
        return 1 / (max(1, len(self._left()).bit_length()) + (self.first and bool(self._open)))

    def next(self, *, over: bool) -> int | None:
        """Return the number to try next, None if nothing is left, or no time.

        One message is tried in any case, which takes no time. Those that stay open are tried again
        when all others have been tried.
        """
        if self._doubled < self.upper and (not over or self._doubled == 1):
            messages, self._doubled = self._doubled, 2 * self._doubled
            return messages
        if over:
            return None
        if self.first and not self._left():
            self.first, self._open = False, set()
        left = self._left()
        return left[len(left) // 2] if left else None

    def settle(self, result: MinimaxResult, allowed: Fraction) -> None:
        """Take the bounds of a result into account."""
        if result.upper <= allowed:
            self.reached = _with_own_messages(result)
            self.upper = self.reached.messages
        elif result.lower > allowed:
            self.lower, self.missed = result.messages + 1, result
        else:
            self._open.add(result.messages)

    def _left(self) -> list[int]:
        """Return the numbers between the bounds that have not been left open."""
        return [k for k in range(self.lower, self.upper) if k not in self._open]


def _with_own_messages(result: MinimaxResult) -> MinimaxResult:
    """Return the result for as many messages as its protocol has, which may leave some unused."""
    own = result.protocol.messages
    if own == result.messages:
        return result
    return replace(result.without_lower(), messages=own)
