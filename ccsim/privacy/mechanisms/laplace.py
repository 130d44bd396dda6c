"""Laplace noise behind a threshold: the law of the comparison is exact.

A Laplace variable of scale ``s / epsilon`` has density ``epsilon / (2 s) e^(-epsilon |z| / s)``.
Only its tails are needed here, and they are exponentials.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.law import Law
from ccsim.privacy.mechanism import CanonicalMechanism


@checked_types
def laplace_tail(exponent: Epsilon | Fraction | int | str, scale: Fraction | int | str = 1) -> Real:
    """Return ``Pr[Z > t]`` for Laplace noise ``Z`` of scale ``b scale``, for ``t = b exponent``.

    Parameters
    ----------
    exponent : Epsilon
        Any sign.
    scale : Fraction or int
        Positive.

    Raises
    ------
    DomainError
        If the scale is not positive.

    Examples
    --------
    >>> laplace_tail("ln 3"), laplace_tail(0)
    (Fraction(1, 6), Fraction(1, 2))
    >>> laplace_tail(-1)
    ((-1/2 + e)/(e))
    """
    exponent = Epsilon.of_any_sign(exponent, "exponent")
    scale = as_fraction(scale, "scale")
    if scale <= 0:
        raise DomainError(f"scale must be positive, not {scale}")
    times = 1 / scale
    above = exponent.exp(-times)  # e^(-t / (b scale))
    if above <= 1:
        return above / 2
    return 1 - exponent.exp(times) / 2


@validated
class NoisyThreshold(CanonicalMechanism[Hashable, bool]):
    """Tell whether a query plus Laplace noise lies above a threshold.

    It is ``epsilon``-private if the query changes by at most the sensitivity between neighbours.

    Attributes
    ----------
    domain : tuple
        The values of a record.
    query : callable
        Maps a database, in the order of the domain, to an integer or fraction.
    epsilon : Epsilon
    threshold : Epsilon
        The threshold in units of the noise's scale, ``epsilon threshold / sensitivity``, so that it
        may hold logarithms: ``ln(1/(2 delta)) / epsilon + 1`` at sensitivity 1 is
        ``Epsilon(0, 1/(2 delta)) + epsilon``.
    sensitivity : Fraction
        The noise has scale ``sensitivity / epsilon``.

    Examples
    --------
    >>> epsilon = Epsilon.of("ln 2")
    >>> above = NoisyThreshold((0, 1), sum, epsilon, epsilon * 2)
    >>> above.law((1, 1))[True], above.law((1, 0))[True]
    (Fraction(1, 2), Fraction(1, 4))
    """

    domain: Sequence[Hashable] | str
    query: Callable[[tuple[Any, ...]], Fraction | int]
    epsilon: Epsilon
    threshold: Epsilon
    sensitivity: Fraction = Fraction(1)

    symmetric = True

    def __post_init__(self) -> None:
        if self.sensitivity <= 0:
            raise DomainError(f"sensitivity must be positive, not {self.sensitivity}")

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return tuple(self.domain)

    def law_of(self, database: tuple[Hashable, ...]) -> Law[bool]:
        """Return the law of the answer."""
        value = as_fraction(self.query(database), "query")
        above = laplace_tail(self.threshold + self.epsilon * (-value / self.sensitivity))
        return Law.of({True: above, False: 1 - above})
