"""The law of a mechanism's output: finitely many outcomes with exact probabilities."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np

from ccsim.errors import DomainError
from ccsim.exact.exponentials import Real

__all__ = ["Law", "independent", "mixture"]

Outcome = TypeVar("Outcome", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Law(Generic[Outcome]):
    """A probability distribution on finitely many outcomes.

    Attributes
    ----------
    items : tuple of (outcome, probability)
        Distinct outcomes; positive fractions or `Exponential` numbers, whose sum is exactly 1.

    Examples
    --------
    >>> coin = Law.of({"heads": Fraction(1, 3), "tails": Fraction(2, 3), "edge": Fraction(0)})
    >>> coin["heads"], coin["edge"], len(coin)
    (Fraction(1, 3), Fraction(0, 1), 2)
    >>> coin.map(lambda outcome: outcome == "heads")[True]
    Fraction(1, 3)
    """

    items: tuple[tuple[Outcome, Real], ...]

    @classmethod
    def of(cls, probabilities: Mapping[Outcome, Real]) -> Law[Outcome]:
        """Return the law with the given probabilities; outcomes of probability 0 are dropped.

        Raises
        ------
        DomainError
            If a probability is negative, or the sum is not 1.
        """
        for outcome, p in probabilities.items():
            if p < 0:
                msg = f"probability of {outcome!r} must be at least 0, not {p}"
                raise DomainError(msg)
        total = sum(probabilities.values(), Fraction(0))
        if total != 1:
            msg = f"probabilities must sum to 1, not {total}"
            raise DomainError(msg)
        return cls(tuple((outcome, p) for outcome, p in probabilities.items() if p != 0))

    @classmethod
    def proportional(cls, weights: Mapping[Outcome, Real]) -> Law[Outcome]:
        """Return the law with probabilities proportional to non-negative weights, not all 0."""
        total = sum(weights.values(), Fraction(0))
        if total == 0:
            msg = "weights must not all be 0"
            raise DomainError(msg)
        return cls.of({outcome: w / total for outcome, w in weights.items()})

    @classmethod
    def certain(cls, outcome: Outcome) -> Law[Outcome]:
        """Return the law of a constant."""
        return cls(((outcome, Fraction(1)),))

    def __getitem__(self, outcome: Outcome) -> Real:
        return dict(self.items).get(outcome, Fraction(0))

    def __iter__(self) -> Iterator[Outcome]:
        return (outcome for outcome, _ in self.items)

    def __len__(self) -> int:
        return len(self.items)

    def as_mapping(self) -> dict[Outcome, Real]:
        """Return the positive probabilities."""
        return dict(self.items)

    def map(self, function: Callable[[Outcome], Other]) -> Law[Other]:
        """Return the law of a function of the outcome."""
        return _collect((function(outcome), p) for outcome, p in self.items)

    def then(self, kernel: Callable[[Outcome], Law[Other]]) -> Law[Other]:
        """Return the law of the second of two steps, whose law depends on the first outcome."""
        return mixture((p, kernel(outcome)) for outcome, p in self.items)

    def draw(self, rng: np.random.Generator) -> Outcome:
        """Draw an outcome with exactly these probabilities.

        Random bits are taken until the interval that they leave lies within one outcome. For
        experiments only: the generator is not made for secrets.
        """
        low, width = Fraction(0), Fraction(1)
        while True:
            width /= 1 << 32
            low += width * int(rng.integers(1 << 32))
            outcome, cut = self._first_above(low)
            if low + width <= cut:
                return outcome

    def _first_above(self, low: Fraction) -> tuple[Outcome, Real]:
        """Return the first outcome whose cumulative probability is above ``low``, and that sum."""
        cut: Real = Fraction(0)
        for outcome, p in self.items:
            cut = cut + p
            if low < cut:
                return outcome, cut
        return self.items[-1][0], Fraction(1)


def mixture(parts: Iterable[tuple[Real, Law[Outcome]]]) -> Law[Outcome]:
    """Return the law of an outcome of a law that is itself drawn.

    Parameters
    ----------
    parts : iterable of (probability, Law)
        The probabilities sum to 1.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> mixture([(half, Law.certain("a")), (half, Law.of({"a": half, "b": half}))])["a"]
    Fraction(3, 4)
    """
    return _collect((outcome, p * q) for p, law in parts for outcome, q in law.items)


def independent(laws: Iterable[Law[Any]]) -> Law[tuple[Any, ...]]:
    """Return the law of the tuple of independent outcomes.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> independent([Law.of({0: half, 1: half})] * 2)[0, 1]
    Fraction(1, 4)
    """
    joint: dict[tuple[Any, ...], Real] = {(): Fraction(1)}
    for law in laws:
        joint = {(*before, o): p * q for before, p in joint.items() for o, q in law.items}
    return Law.of(joint)


def _collect(parts: Iterable[tuple[Outcome, Real]]) -> Law[Outcome]:
    """Add up the probabilities of equal outcomes."""
    total: dict[Outcome, Real] = {}
    for outcome, p in parts:
        total[outcome] = total[outcome] + p if outcome in total else p
    return Law.of(total)
