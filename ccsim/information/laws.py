"""Joint laws of finitely many discrete random variables, with rational probabilities."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ccsim.errors import DomainError
from ccsim.exact import probability_vector

__all__ = ["JointLaw", "Outcome"]

Outcome = tuple[Hashable, ...]
"""Values of all the variables of a law."""


@dataclass(frozen=True, slots=True)
class JointLaw:
    """Joint law of random variables numbered from 0.

    Attributes
    ----------
    outcomes : tuple of Outcome
        The support: distinct tuples of one length, one value for each variable.
    weights : tuple of Fraction
        Their probabilities, positive with sum one.

    Examples
    --------
    >>> fair = JointLaw.from_table([["1/4", "1/4"], ["1/2", 0]])
    >>> fair.marginal(0).as_mapping()
    {(0,): Fraction(1, 2), (1,): Fraction(1, 2)}
    """

    outcomes: tuple[Outcome, ...]
    weights: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if len(self.outcomes) != len(self.weights):
            msg = f"{len(self.outcomes)} outcomes need as many weights, not {len(self.weights)}"
            raise DomainError(msg)
        object.__setattr__(self, "weights", probability_vector(self.weights, "law"))
        if not all(self.weights):
            msg = "the outcomes of a law must have positive probability"
            raise DomainError(msg)
        try:
            distinct = len(set(self.outcomes))
        except TypeError:
            msg = "the outcomes of a law must be hashable"
            raise DomainError(msg) from None
        if kinds := {type(outcome) for outcome in self.outcomes} - {tuple}:
            msg = f"the outcomes of a law must be tuples, not of type {kinds.pop().__name__}"
            raise DomainError(msg)
        if distinct != len(self.outcomes):
            msg = "the outcomes of a law must be distinct"
            raise DomainError(msg)
        lengths = {len(outcome) for outcome in self.outcomes}
        if len(lengths) != 1:
            msg = f"the outcomes of a law must have one length, not {sorted(lengths)}"
            raise DomainError(msg)

    @classmethod
    def from_mapping(cls, weights: Mapping[Outcome, Fraction | int | str]) -> JointLaw:
        """Return the law with the given probabilities; outcomes of probability zero are left out.

        Raises
        ------
        DomainError
            If a probability is negative, or they do not sum to one.
        """
        vector = probability_vector(weights.values(), "law")
        support = [(o, w) for o, w in zip(weights, vector, strict=True) if w]
        return cls(tuple(o for o, _ in support), tuple(w for _, w in support))

    @classmethod
    def from_table(cls, table: Sequence[Sequence[Fraction | int | str]]) -> JointLaw:
        """Return the joint law of a row and a column from a table of probabilities."""
        return cls.from_mapping(
            {(i, j): weight for i, row in enumerate(table) for j, weight in enumerate(row)}
        )

    @classmethod
    def from_weights(cls, weights: Iterable[Fraction | int | str]) -> JointLaw:
        """Return the law of one variable with values 0, 1, ... and these probabilities."""
        return cls.from_mapping({(i,): weight for i, weight in enumerate(weights)})

    @classmethod
    def uniform(cls, outcomes: Iterable[Outcome]) -> JointLaw:
        """Return the uniform law on distinct outcomes.

        Examples
        --------
        >>> JointLaw.uniform([(0,), (1,), (2,)]).weights[0]
        Fraction(1, 3)
        """
        support = tuple(outcomes)
        if not support:
            msg = "a uniform law needs at least one outcome"
            raise DomainError(msg)
        return cls(support, (Fraction(1, len(support)),) * len(support))

    @property
    def variables(self) -> int:
        """Number of variables."""
        return len(self.outcomes[0])

    def as_mapping(self) -> dict[Outcome, Fraction]:
        """Return the probabilities of the support."""
        return dict(zip(self.outcomes, self.weights, strict=True))

    def map(self, function: Callable[[Outcome], Outcome]) -> JointLaw:
        """Return the law of a function of the variables.

        Examples
        --------
        >>> two_bits = JointLaw.uniform((a, b) for a in (0, 1) for b in (0, 1))
        >>> two_bits.map(lambda outcome: (sum(outcome),)).as_mapping()[1,]
        Fraction(1, 2)
        """
        image: dict[Outcome, Fraction] = {}
        for outcome, weight in zip(self.outcomes, self.weights, strict=True):
            value = function(outcome)
            image[value] = image.get(value, Fraction(0)) + weight
        return JointLaw(tuple(image), tuple(image.values()))

    def marginal(self, *variables: int) -> JointLaw:
        """Return the joint law of some of the variables, in the given order.

        Raises
        ------
        DomainError
            If a variable does not exist.
        """
        for variable in variables:
            if not 0 <= variable < self.variables:
                msg = f"variable must lie between 0 and {self.variables - 1}, not {variable}"
                raise DomainError(msg)
        return self.map(lambda outcome: tuple(outcome[v] for v in variables))

    def given(self, *variables: int) -> Iterator[tuple[Outcome, Fraction, JointLaw]]:
        """Yield each value of some variables, its probability, and the law under that condition.

        The conditional law keeps all variables.

        Examples
        --------
        >>> law = JointLaw.from_table([["1/4", "1/4"], ["1/2", 0]])
        >>> [(value, weight, part.weights) for value, weight, part in law.given(1)]
        [((0,), Fraction(3, 4), (Fraction(1, 3), Fraction(2, 3))), ((1,), Fraction(1, 4), \
(Fraction(1, 1),))]
        """
        parts: dict[Outcome, list[int]] = {}
        for index, outcome in enumerate(self.outcomes):
            parts.setdefault(tuple(outcome[v] for v in variables), []).append(index)
        for value, indices in parts.items():
            weight = sum((self.weights[i] for i in indices), Fraction(0))
            law = JointLaw(
                tuple(self.outcomes[i] for i in indices),
                tuple(self.weights[i] / weight for i in indices),
            )
            yield value, weight, law
