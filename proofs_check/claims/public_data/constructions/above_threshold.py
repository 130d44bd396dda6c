"""The sparse vector technique as a mechanism over databases, for audits."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.privacy.constructions import CanonicalMechanism
from ccsim.privacy.mechanisms.noisy_answers import first_above


@validated
class AboveThreshold(CanonicalMechanism[Hashable, int | None]):
    """Release the index of the first query whose noisy answer reaches a noisy threshold.

    The output is None if no noisy answer reaches the threshold.

    With sensitivity ``s``, geometric noise of ratio ``e^(-epsilon / (2 s))`` is added once to the
    threshold, and noise of ratio ``e^(-epsilon / (4 s))`` to every answer. It is
    ``epsilon``-private if no query changes by more than ``s`` between neighbours, for any number of
    queries.

    Attributes
    ----------
    domain : tuple
        The values of a record.
    queries : tuple of callables
        Each maps a database, in the order of the domain, to an integer.
    threshold : int
    epsilon : Epsilon
        Positive.
    sensitivity : int
        At least 1.

    Notes
    -----
    Source: Dwork and Roth, *The algorithmic foundations of differential privacy*, Theorem 3.23,
    with geometric in place of Laplace noise. The proof shifts the threshold by ``s`` and the answer
    of the returned query by ``2 s``; each shift costs ``epsilon / 2``.

    Examples
    --------
    >>> ones = [lambda database: sum(database), lambda database: len(database) - sum(database)]
    >>> found = AboveThreshold((0, 1), ones, 1, Epsilon.of("ln 16"))
    >>> [str(found.distribution((0,))[answer]) for answer in (0, 1, None)]
    ['13/35', '572/1575', '418/1575']
    """

    domain: Sequence[Hashable] | str
    queries: Sequence[Callable[[tuple[Any, ...]], int]]
    threshold: int
    epsilon: Epsilon
    sensitivity: int = 1

    symmetric = True

    def __post_init__(self) -> None:
        if not self.epsilon.is_positive:
            raise DomainError(f"epsilon must be positive, not {self.epsilon}")
        if self.sensitivity < 1:
            raise DomainError(f"sensitivity must be at least 1, not {self.sensitivity}")

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return tuple(self.domain)

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[int | None]:
        """Return the distribution of the index of the query, or of None."""
        missing = [self.threshold - _whole(query(database)) for query in self.queries]
        return first_above(missing, self.epsilon, self.sensitivity)


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise DomainError(f"the answer to a query must be an integer, not {show_value(value)}")
    return value
