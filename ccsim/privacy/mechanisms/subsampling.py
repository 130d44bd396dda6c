"""Privacy by subsampling: records are replaced by a null record at random."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Generic, TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.law import Law, mixture
from ccsim.privacy.mechanism import CanonicalMechanism, Mechanism, is_symmetric

Record = TypeVar("Record", bound=Hashable)
Outcome = TypeVar("Outcome", bound=Hashable)


@checked_types
def keeping_rate(
    epsilon: Epsilon | Fraction | int | str, inner: Epsilon | Fraction | int | str
) -> Real:
    """Return the largest rate at which records may be kept for ``epsilon``-privacy.

    A mechanism that is ``inner``-private over the records and the null record becomes
    ``epsilon``-private when every record is kept with probability
    ``min(1, (e^epsilon - 1) / (e^inner - 1))`` and otherwise replaced by the null record. This is
    more than the rate of `bbkn` Lemma 4.4 (`printed_keeping_rate`).

    Proof: let the outcome have probability ``r`` when the changed record is null, and ``a``, ``b``
    when it is kept. Then ``a, b >= e^-inner r`` and ``a <= e^inner min(r, b)``; the ratio of
    ``f a + (1 - f) r`` and ``f b + (1 - f) r`` is largest at ``r = b``, where it is at most
    ``1 + f (e^inner - 1)``.

    Parameters
    ----------
    epsilon : Epsilon, Fraction, int or str
        Of the subsampled mechanism, positive.
    inner : Epsilon, Fraction, int or str
        Of the mechanism on the records that are kept, positive.

    Examples
    --------
    >>> keeping_rate("ln 2", "ln 4")
    Fraction(1, 3)
    """
    epsilon = Epsilon.of(epsilon, "epsilon")
    inner = Epsilon.of(inner, "inner")
    if not inner.is_positive:
        return Fraction(1)
    rate = (epsilon.exp() - 1) / (inner.exp() - 1)
    return min(rate, Fraction(1))


def printed_keeping_rate(
    epsilon: Epsilon | Fraction | int | str, inner: Epsilon | Fraction | int | str
) -> Real:
    """Return the rate of `bbkn` Lemma 4.4.

    It is ``(e^epsilon - 1) / (e^inner + e^epsilon - e^(epsilon - inner) - 1)``.
    """
    epsilon = Epsilon.of(epsilon, "epsilon")
    inner = Epsilon.of(inner, "inner")
    if not inner.is_positive:
        raise DomainError(f"inner must be positive, not {inner}")
    e, f = epsilon.exp(), inner.exp()
    return min((e - 1) / (f + e - e / f - 1), Fraction(1))


@validated
class Subsampled(CanonicalMechanism[Record, Outcome], Generic[Record, Outcome]):
    """A mechanism run on a database each of whose records is kept with a given probability.

    Attributes
    ----------
    mechanism : Mechanism
        Its records contain the null record.
    rate : Fraction or Exponential
        Probability that a record is kept, between 0 and 1.
    null : record
        What replaces a record that is not kept.
    """

    mechanism: Mechanism[Record, Outcome]
    rate: Real
    null: Record

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise DomainError(f"rate must lie between 0 and 1, not {self.rate}")
        if self.null not in self.mechanism.records:
            raise DomainError(f"null record {self.null!r} must be a record of the mechanism")

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the mechanism."""
        return self.mechanism.records

    @property
    def symmetric(self) -> bool:
        """Whether the mechanism is symmetric by construction."""
        return is_symmetric(self.mechanism)

    def law_of(self, database: tuple[Record, ...]) -> Law[Outcome]:
        """Return the law, a mixture over the sets of records that are kept.

        Notes
        -----
        Complexity: one law of the inner mechanism for each subset, or, if it is symmetric, for
        each choice of how many copies of every record are kept.
        """
        if self.symmetric:
            return mixture(self._by_multiplicity(database))
        return mixture(
            (self._chance(sum(kept), len(kept)), self.mechanism.law(self._masked(database, kept)))
            for kept in product((0, 1), repeat=len(database))
        )

    def _chance(self, kept: int, of: int) -> Real:
        return self.rate**kept * (1 - self.rate) ** (of - kept)

    def _masked(self, database: Sequence[Record], kept: Sequence[int]) -> list[Record]:
        return [r if keep else self.null for r, keep in zip(database, kept, strict=True)]

    def _by_multiplicity(self, database: Sequence[Record]) -> list[tuple[Real, Law[Outcome]]]:
        counts = {record: database.count(record) for record in dict.fromkeys(database)}
        parts = []
        for kept in product(*(range(n + 1) for n in counts.values())):
            ways, left = 1, []
            for (record, n), k in zip(counts.items(), kept, strict=True):
                ways *= comb(n, k)
                left += [record] * k
            nulls = len(database) - len(left)
            law = self.mechanism.law([*left, *[self.null] * nulls])
            parts.append((ways * self._chance(len(left), len(database)), law))
        return parts
