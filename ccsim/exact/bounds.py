"""What results share that are a value, or only bounds on it when time runs out."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Generic, TypeVar

from ccsim.errors import CertificateError, NotDecidedError

__all__ = ["Bounds"]

N = TypeVar("N", int, Fraction)


class Bounds(Generic[N]):
    """Base of results with fields ``lower`` and ``upper``.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Size(Bounds[int]):
    ...     quantity = "the size"
    ...     lower: int
    ...     upper: int
    >>> Size(2, 2).exact, Size(2, 2).decided()
    (True, 2)
    >>> Size(2, 3).decided()
    Traceback (most recent call last):
    ...
    ccsim.errors.NotDecidedError: the size lies between 2 and 3
    """

    __slots__ = ()

    quantity: ClassVar[str]
    """What lies between the bounds."""
    lower: N
    upper: N

    @property
    def exact(self) -> bool:
        """Whether both bounds agree."""
        return self.lower == self.upper

    def check_order(self, least: N, most: N | None = None) -> None:
        """Refuse bounds that are in the wrong order, or beyond what the quantity can be.

        Parameters
        ----------
        least, most : int or Fraction
            Between which the quantity lies by its definition; ``most`` may be unlimited.

        Raises
        ------
        CertificateError
        """
        if not least <= self.lower <= self.upper or (most is not None and self.upper > most):
            ends = f"at least {least}" if most is None else f"from {least} to {most}"
            msg = f"{self.quantity} is {ends}, not between {self.lower} and {self.upper}"
            raise CertificateError(msg)

    def decided(self) -> N:
        """Return what both bounds agree on.

        Raises
        ------
        NotDecidedError
            If only bounds are known.
        """
        if not self.exact:
            msg = f"{self.quantity} lies between {self.lower} and {self.upper}"
            raise NotDecidedError(msg)
        return self.upper
