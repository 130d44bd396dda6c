"""Section 2.1: privacy parameters of compositions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import (
    combinations_with_replacement,
    product,
)
from typing import Any, TypeAlias
from zlib import crc32

from ccsim.exact import Distribution, Epsilon, enclose
from ccsim.privacy import (
    CanonicalMechanism,
    Composed,
    Mechanism,
    RandomizedResponse,
    StableMode,
    TruncatedGeometric,
    audit,
    optimal_composition,
)
from ccsim.privacy.mechanisms.stable_choice import StableChoice
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, at_most
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, times

LN2, LN3 = Epsilon.of("ln 2"), Epsilon.of("ln 3")
JUST_LESS = times(Fraction(999, 1000))


def _count(database: Sequence[int], solution: int) -> int:
    return database.count(solution)


@dataclass(frozen=True)
class ToldOrFlipped(CanonicalMechanism[int, tuple[str, int]]):
    """Reveal a bit with probability delta; otherwise answer by randomised response.

    It is the worst ``(epsilon, delta)``-private mechanism: for any other such mechanism, the
    outputs on two neighbours are random functions of its answer.
    """

    epsilon: Epsilon
    delta: Fraction

    @property
    def records(self) -> tuple[int, ...]:
        """The two bits."""
        return 0, 1

    def distribution_of(self, database: tuple[int, ...]) -> Distribution[tuple[str, int]]:
        """Return the output distribution on one bit."""
        (bit,) = database
        right = self.epsilon.exp() / (1 + self.epsilon.exp())
        rest = 1 - self.delta
        return Distribution.of(
            {
                ("told", bit): self.delta,
                ("said", bit): rest * right,
                ("said", 1 - bit): rest * (1 - right),
            }
        )


Part: TypeAlias = tuple[Mechanism[Any, Any], Epsilon, Fraction]
PARTS: dict[str, Part] = {
    "told or flipped": (ToldOrFlipped(LN2, Fraction(1, 1000)), LN2, Fraction(1, 1000)),
    "rarely told": (ToldOrFlipped(LN3, Fraction(1, 5000)), LN3, Fraction(1, 5000)),
    "response": (RandomizedResponse((0, 1), LN3), LN3, Fraction(0)),
    "noisy count": (TruncatedGeometric((0, 1), sum, LN2, -1, 3), LN2, Fraction(0)),
    "choice": (
        StableChoice((0, 1), (0, 1), _count, LN3, Fraction(1, 50)),
        LN3,
        Fraction(1, 50),
    ),
}


@claim(
    "bns/thm-2.3",
    "Theorem 2.3",
    "Basic composition",
    Kind.THEOREM,
    over=table("first second m", *((a, b, 1) for a, b in combinations_with_replacement(PARTS, 2)))
    .medium(("response", "noisy count", 2), ("noisy count", "choice", 2))
    .medium(("choice", "choice", 3)),
    near=[
        near("The statement with 999/1000 of e^(eps1 + eps2).", odds=JUST_LESS),
        near("The statement with 999/1000 of the sum of the deltas.", deltas=JUST_LESS),
    ],
    uses=["bns/def-2.2"],
)
def basic_composition_of_two(
    first: str,
    second: str,
    m: int,
    *,
    odds: Fraction = Fraction(1),
    deltas: Fraction = Fraction(1),
) -> Decision:
    """If A1 is (eps1, delta1)-private and A2 is (eps2, delta2)-private, then the mechanism that
    outputs both results is (eps1 + eps2, delta1 + delta2)-private.
    """
    (A, eps1, delta1), (B, eps2, delta2) = PARTS[first], PARTS[second]
    allowed = deltas * (delta1 + delta2)
    found = recheck(audit(Composed((A, B)), eps1 + eps2 + Epsilon(Fraction(0), odds), allowed, m))
    return at_most(found.least_delta or 0, allowed)


Choice: TypeAlias = Callable[[tuple[Hashable, ...], Hashable], Mechanism[Any, Any]]
STEP = LN2, Fraction(1, 10000)
POOL: tuple[Mechanism[Any, Any], ...] = (
    ToldOrFlipped(*STEP),
    RandomizedResponse((0, 1), LN2),
    TruncatedGeometric((0, 1), sum, LN2, -1, 2),
    StableMode((0, 1), 0, *STEP),
)


@dataclass(frozen=True)
class Interaction(CanonicalMechanism[int, tuple[Hashable, ...]]):
    """A sequence of mechanisms, each chosen depending on the earlier answers."""

    rounds: int
    choose: Choice
    sees: Callable[[tuple[int, ...]], Hashable]

    @property
    def records(self) -> tuple[int, ...]:
        """The two bits."""
        return 0, 1

    def distribution_of(self, database: tuple[int, ...]) -> Distribution[tuple[Hashable, ...]]:
        """Return the joint distribution of all answers."""
        found: dict[tuple[Hashable, ...], Any] = {(): Fraction(1)}
        for _ in range(self.rounds):
            found = {
                (*answers, answer): p * q
                for answers, p in found.items()
                for answer, q in self.choose(answers, self.sees(database))
                .distribution(database)
                .items
            }
        return Distribution.of(found)


@cache
def _strategy(seed: int) -> Choice:
    """Return a strategy that chooses the next mechanism; for seed 0, it is always the worst one."""
    if seed == 0:
        return lambda _answers, _seen: POOL[0]
    return lambda answers, seen: POOL[crc32(repr((seed, answers, seen)).encode()) % len(POOL)]


def _nothing(_database: tuple[int, ...]) -> None:
    return None


@claim(
    "bns/thm-2.4",
    "Theorem 2.4",
    "Adaptive basic composition",
    Kind.THEOREM,
    over=grid(k=[1, 2, 3], seed=range(5)).medium(k=[2, 3], seed=range(5, 40)),
    near=[
        near("The statement with 999/1000 of e^(k eps).", odds=JUST_LESS),
        near("The statement with 999/1000 of k delta.", deltas=JUST_LESS),
        near(
            "The statement if the choice also depends on the database.",
            sees=lambda database: database,
        ),
    ],
    uses=["bns/thm-2.3"],
)
def adaptive_composition(
    k: int,
    seed: int,
    *,
    odds: Fraction = Fraction(1),
    deltas: Fraction = Fraction(1),
    sees: Callable[[tuple[int, ...]], Hashable] = _nothing,
) -> Decision:
    """If each of k mechanisms is (eps, delta)-private, and each mechanism is chosen depending only
    on the earlier outputs, then all outputs together are (k eps, k delta)-private. Checked for the
    strategy that repeats the worst mechanism, and for random strategies that choose among four
    mechanisms.
    """
    epsilon, delta = STEP
    allowed = deltas * k * delta
    interaction = Interaction(k, _strategy(seed), sees)
    found = recheck(audit(interaction, epsilon * k + Epsilon(Fraction(0), odds), allowed, 1))
    return at_most(found.least_delta or 0, allowed)


@claim(
    "bns/thm-2.5",
    "Theorem 2.5, cited",
    "Advanced composition",
    Kind.THEOREM,
    over=table(
        "k epsilon slack delta",
        *product(
            [1, 2, 10, 40, 100],
            ["1/100", "1/10", "3/10", "1"],
            ["1e-6", "1/2", "99/100"],
            ["0", "1/10000"],
        ),
        (1, "1/10", "1e-9", "1/10000"),
        (4000, "1/1000", "1e-174", "0"),
        (4000, "3/10", "1/2", "0"),
    ),
    near=[
        near("The statement with 9/5 in place of 2 under the root.", root=times(Fraction(9, 10))),
        near(
            "The statement with 2/5 in place of the 2 before k eps^2.", square=times(Fraction(1, 5))
        ),
        near("The statement with 999/1000 of k delta + delta'.", share=JUST_LESS),
    ],
    uses=["bns/thm-2.4"],
)
def advanced_composition(
    k: int,
    epsilon: str,
    slack: str,
    delta: str,
    *,
    root: Fraction = Fraction(2),
    square: Fraction = Fraction(2),
    share: Fraction = Fraction(1),
) -> Decision:
    """For 0 < eps, delta' <= 1 and delta in [0, 1], k adaptive (eps, delta)-private mechanisms
    together are (eps', k delta + delta')-private, where eps' = sqrt(2 k ln(1/delta')) eps + 2 k
    eps^2. For the given parameters this is decided for all mechanisms at once: no composition needs
    a larger delta than the composition of k randomised responses that reveal the input with
    probability delta.
    """
    e, prime = Fraction(epsilon), Fraction(slack)
    import sympy

    log = sympy.log(sympy.Rational(prime.denominator, prime.numerator))
    spread = sympy.sqrt(sympy.Rational(str(root)) * k * log) * sympy.Rational(epsilon)
    total = enclose(spread + sympy.Rational(str(square * k * e**2)))
    needed = optimal_composition(Epsilon(e), Fraction(delta), k, total)
    bound = share * (k * Fraction(delta) + prime)
    vacuous = total.lower >= k * e and delta == "0"  # more than basic composition asks
    return at_most(needed, bound, f"eps' about {float(total.upper):.3g}", trivial=1).at_risk_if(
        not vacuous
    )
