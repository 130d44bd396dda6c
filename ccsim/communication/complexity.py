"""One-way communication complexity: the fewest messages with which an error is reached."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ccsim.certificates import Certificate, encode_fraction
from ccsim.communication.minimax import MinimaxResult, least_error
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.public_coins import PublicCoinSolver
from ccsim.errors import CertificateError, NotDecidedError
from ccsim.exact import as_fraction, ceil_log2

__all__ = ["ComplexityResult", "communication_complexity"]


@dataclass(frozen=True, slots=True)
class ComplexityResult:
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

    problem: CommunicationProblem
    error: Fraction
    coins: str
    lower: int
    upper: int
    reached: MinimaxResult
    missed: MinimaxResult | None

    @property
    def exact(self) -> bool:
        """Whether both bounds agree."""
        return self.lower == self.upper

    @property
    def messages(self) -> int:
        """Least number of messages.

        Raises
        ------
        NotDecidedError
            If only bounds are known.
        """
        if not self.exact:
            msg = f"the least number of messages lies between {self.lower} and {self.upper}"
            raise NotDecidedError(msg)
        return self.upper

    @property
    def bits(self) -> int:
        """Complexity in bits, ``ceil(log2 messages)``."""
        return ceil_log2(self.messages)

    def check(self) -> None:
        """Check both directions.

        Raises
        ------
        CertificateError
        """
        for side in (self.reached, self.missed):
            if side is not None and (side.problem, side.coins) != (self.problem, self.coins):
                msg = f"a bound is for {side.problem}, {side.coins} coins, not for the statement"
                raise CertificateError(msg)
        self.reached.check()
        if self.reached.messages != self.upper or self.reached.upper > self.error:
            msg = f"{self.reached.messages} messages reach {self.reached.upper}, not {self.error}"
            raise CertificateError(msg)
        if not 1 <= self.lower <= self.upper:
            msg = f"there are not between {self.lower} and {self.upper} messages"
            raise CertificateError(msg)
        if self.lower == 1:
            return
        if self.missed is None or self.missed.messages != self.lower - 1:
            msg = f"nothing shows that {self.lower - 1} messages are too few"
            raise CertificateError(msg)
        self.missed.check()
        if self.missed.lower <= self.error:
            msg = f"{self.missed.messages} messages may reach {self.missed.lower} <= {self.error}"
            raise CertificateError(msg)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        return Certificate(
            "communication_complexity",
            self.problem.to_json(),
            {
                "error": encode_fraction(self.error),
                "coins": self.coins,
                "lower": self.lower,
                "upper": self.upper,
            },
            {} if self.missed is None else self.missed.lower_proof(),
            {"protocol": self.reached.protocol.to_json()},
        )


def communication_complexity(
    problem: CommunicationProblem,
    error: Fraction | int | str,
    coins: str = "public",
    progress: Callable[[float, float], None] | None = None,
    *,
    time_limit: float | None = None,
) -> ComplexityResult:
    """Return the least number of messages of a one-way protocol with at most the given error.

    Parameters
    ----------
    problem : CommunicationProblem
        Of a size that `ccsim.minimax_error` solves.
    error : Fraction, int or str
        Between 0 and 1.
    coins : str
        ``"public"``, ``"private"`` or ``"deterministic"``.
    progress : callable, optional
        Called with bounds on the error for one number of messages after another.
    time_limit : float, optional
        Seconds after which bounds are returned; with a limit an interrupt has the same effect.

    Returns
    -------
    ComplexityResult
        ``messages`` and ``bits``; any number of messages is considered, not only powers of two.

    Raises
    ------
    NotDecidedError
        If the bounds for private coins leave open whether some number of messages is enough.

    Notes
    -----
    Complexity: `ccsim.minimax_error` for one number of messages after another, each search
    starting from the protocols and the distribution of the one before.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> result = communication_complexity(equality(4), "1/4")
    >>> result.messages, result.bits
    (2, 1)
    """
    allowed = as_fraction(error, "error", 0, 1)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    solver = PublicCoinSolver(problem)
    missed: MinimaxResult | None = None
    lower = messages = 1
    while True:
        left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
        reached = least_error(solver, messages, coins, progress, time_limit=left, target=allowed)
        if reached.upper <= allowed:
            return ComplexityResult(problem, allowed, coins, lower, messages, reached, missed)
        if reached.lower > allowed and messages == lower:
            missed = reached
            lower += 1
        elif deadline is None:
            msg = (
                f"with {messages} messages the least error lies between {reached.lower} and "
                f"{reached.upper}; whether it is at most {allowed} is open"
            )
            raise NotDecidedError(msg)
        messages += 1
