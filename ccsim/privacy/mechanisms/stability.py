"""Releasing the most frequent vote if many votes would have to change to change it.

The release step of the learner of lines (`fx` Lemma 16 (=6.2), after Dwork and Lei's
propose-test-release).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Annotated, Self

from ccsim.arguments.parameters import Parameter
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.law import Law
from ccsim.privacy.mechanism import CanonicalMechanism, Rows, Setting
from ccsim.privacy.mechanisms.laplace import laplace_tail


def votes_to_change(votes: Sequence[Hashable], candidates: Sequence[Hashable]) -> tuple[int, int]:
    """Return the most frequent candidate, and how many votes must change to change it.

    A rival that comes before the mode takes over when it draws level, one that comes after when it
    is ahead; changing a vote for the mode into one for the rival gains two.
    """
    count = Counter(votes)
    mode = max(range(len(candidates)), key=lambda i: (count[candidates[i]], -i))
    lead = [count[candidates[mode]] - count[c] for c in candidates]
    distance = min(
        (lead[i] + 1) // 2 if i < mode else lead[i] // 2 + 1
        for i in range(len(candidates))
        if i != mode
    )
    return mode, max(distance, 1)


@validated
class StableMode(CanonicalMechanism[Hashable, Hashable]):
    """Output the most frequent vote if its distance to change plus noise is above a threshold.

    With ``c`` the distance of `votes_to_change`, the vote is released if ``c`` plus Laplace noise
    of scale ``1 / epsilon`` exceeds ``ln(1/(2 delta)) / epsilon + margin``; otherwise the output
    is the default. With margin 1 it is ``(epsilon, delta)``-private, and no smaller ``delta`` is
    enough.

    Attributes
    ----------
    candidates : tuple
        At least two distinct values of a vote, in the order in which ties are broken.
    default : candidate
        What is published when the mode is not stable.
    epsilon : Epsilon
    delta : Fraction
        Above 0, at most 1/2.
    margin : Fraction
        1 in the paper; a threshold that is lower by one is a fault that an audit must catch.
    scale : Fraction
        Positive; the noise has scale ``scale / epsilon``; 1 in the paper.

    Examples
    --------
    >>> release = StableMode(("0", "a", "b"), "0", Epsilon.of("ln 2"), Fraction(1, 8))
    >>> release.law(["a", "a", "b"])["a"]
    Fraction(1, 8)
    """

    candidates: tuple[Hashable, ...]
    default: Hashable
    epsilon: Epsilon
    delta: Fraction
    margin: Annotated[
        Fraction, Parameter("Votes by which the threshold is raised; 1 in the paper")
    ] = Fraction(1)
    scale: Annotated[
        Fraction, Parameter("Scale of the noise in units of 1/epsilon; 1 in the paper", above=0)
    ] = Fraction(1)

    symmetric = True
    entries = "hypotheses"

    def __post_init__(self) -> None:
        distinct = set(self.candidates)
        if len(distinct) != max(len(self.candidates), 2) or self.default not in distinct:
            raise DomainError(
                f"candidates must be two or more, distinct, and hold the default {self.default!r}"
            )
        if not 0 < self.delta <= Fraction(1, 2):
            raise DomainError(f"delta must be positive and at most 1/2, not {self.delta}")

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the mechanism for votes that are concepts, single points or the empty set."""
        votes = tuple(dict.fromkeys((0, *(1 << x for x in range(num_points)), *concepts)))
        return cls(votes, 0, epsilon, delta, **given)

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The candidates."""
        return self.candidates

    def stability(self, database: Sequence[Hashable]) -> tuple[int, int, Epsilon]:
        """Return the mode's number, its distance to change, and ``epsilon`` times the threshold."""
        mode, distance = votes_to_change(database, self.candidates)
        least = Epsilon(Fraction(0), 1 / (2 * self.delta))
        return mode, distance, least + self.epsilon * self.margin

    def law_of(self, database: tuple[Hashable, ...]) -> Law[Hashable]:
        """Return the law of the released candidate."""
        mode, distance, threshold = self.stability(database)
        gap = threshold + self.epsilon * -distance
        released = laplace_tail(gap, self.scale)
        law = Law.of({True: released, False: 1 - released})
        return law.map(lambda stable: self.candidates[mode] if stable else self.default)
