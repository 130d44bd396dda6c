"""The exponential mechanism: an outcome is the likelier, the better its score."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from ccsim.budget import in_time
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.law import Law, total_mass
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.exact.steps import StepFunction
from ccsim.privacy.mechanism import CanonicalMechanism
from ccsim.privacy.mechanisms.range_choice import exponential_over_range

_CHOICE_BITS = 128
"""Bits of the balls in which a choice among scores is drawn."""

Record = TypeVar("Record", bound=Hashable)
Outcome = TypeVar("Outcome", bound=Hashable)


@validated
class ExponentialMechanism(CanonicalMechanism[Hashable, Hashable]):
    """Output ``o`` with probability proportional to ``e^(epsilon score(database, o) / (2 s))``.

    It is ``epsilon``-private if no score changes by more than the sensitivity ``s`` between
    neighbours (`fx` Theorem C.1, `bbkn` section 3).

    Attributes
    ----------
    domain : tuple
        The values of a record.
    outcomes : tuple
        At least one, distinct.
    score : callable
        Maps a database, in the order of the domain, and an outcome to an integer or fraction.
    epsilon : Epsilon
    sensitivity : Fraction
        Positive. A value below the true sensitivity makes the mechanism less private than it says.

    Examples
    --------
    >>> vote = ExponentialMechanism("ab", "ab", lambda votes, o: votes.count(o), Epsilon.of("ln 4"))
    >>> vote.law(("a", "a", "b")).items
    (('a', Fraction(2, 3)), ('b', Fraction(1, 3)))
    """

    domain: Sequence[Hashable] | str
    outcomes: Sequence[Hashable] | str
    score: Callable[[tuple[Any, ...], Any], Fraction | int]
    epsilon: Epsilon
    sensitivity: Fraction = Fraction(1)

    symmetric = True

    def __post_init__(self) -> None:
        if not self.outcomes or len(set(self.outcomes)) < len(self.outcomes):
            raise DomainError(
                f"outcomes must be at least one and distinct, not {len(self.outcomes)}"
            )
        if self.sensitivity <= 0:
            raise DomainError(f"sensitivity must be positive, not {self.sensitivity}")

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return tuple(self.domain)

    def law_of(self, database: tuple[Hashable, ...]) -> Law[Hashable]:
        """Return the law; weights are relative to the best score."""
        listed = in_time(self.outcomes)
        scores = {o: as_fraction(self.score(database, o), "score") for o in listed}
        best = max(scores.values())
        below = {o: best - score for o, score in scores.items()}
        counts = frozenset(Counter(below.values()).items())
        shares = _shares(self.epsilon, self.sensitivity, counts)
        return Law(tuple([(o, shares[far]) for o, far in below.items()]))


@lru_cache(maxsize=1 << 10)
def _shares(
    epsilon: Epsilon, sensitivity: Fraction, below: frozenset[tuple[Fraction, int]]
) -> dict[Fraction, Real]:
    """Return the probability of an outcome that is so far below the best one."""
    weights = {far: _power(epsilon, -far / (2 * sensitivity)) for far, _ in below}
    total = total_mass(weights[far] for far, times in sorted(below) for _ in range(times))
    return {far: weight / total for far, weight in weights.items()}


@lru_cache(maxsize=1 << 10)
def _power(epsilon: Epsilon, times: Fraction) -> Real:
    """Return a power that the laws on many databases ask for."""
    return epsilon.exp(times)


class ChoiceByScore(CanonicalMechanism[Record, Outcome], Generic[Record, Outcome]):
    """A mechanism that is an exponential mechanism under another name.

    Subclasses say by which one they choose; whoever can draw from that one can draw from them.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def exponential(self) -> ExponentialMechanism:
        """The exponential mechanism by which it chooses."""

    def law_of(self, database: tuple[Record, ...]) -> Law[Outcome]:
        """Return the law of the outcome."""
        return cast("Law[Outcome]", self.exponential.law_of(database))


def choose_by_score(
    scores: Sequence[Fraction | int], epsilon: Epsilon, rng: Randomness = SYSTEM
) -> int:
    """Draw a number from 0 on with probability proportional to ``e^(epsilon score / 2)``, exactly.

    ``rng`` is the operating system's source unless another one is given.

    Complexity: sorting, and a power of e for each distinct score.
    """
    if not scores:
        raise DomainError("scores must be at least one in number")
    order = sorted(range(len(scores)), key=scores.__getitem__)
    steps: dict[int, Fraction | int] = {}
    for place, number in enumerate(order):
        if not place or scores[number] != scores[order[place - 1]]:
            steps[place] = scores[number]
    ranked = StepFunction.from_steps(steps, len(order) - 1)
    return order[exponential_over_range(ranked, epsilon, _CHOICE_BITS).draw(rng)]
