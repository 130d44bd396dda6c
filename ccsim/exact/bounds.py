"""What results share that are a value, or only bounds on it when time runs out."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Generic, TypeVar

from ccsim.errors import CertificateError, NotDecidedError

__all__ = ["Bounds", "check_dimension"]

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
    ...     upper: int | None
    >>> Size(2, 2).exact, Size(2, 2).value
    (True, 2)
    >>> Size(2, 3).value
    Traceback (most recent call last):
    ...
    ccsim.errors.NotDecidedError: the size lies between 2 and 3
    >>> Size(2, None).value
    Traceback (most recent call last):
    ...
    ccsim.errors.NotDecidedError: the size is at least 2
    """

    __slots__ = ()

    quantity: ClassVar[str]
    """What lies between the bounds."""
    lower: N
    upper: N | None
    """None where nothing is known from above."""

    @property
    def exact(self) -> bool:
        """Whether both bounds agree."""
        return self.lower == self.upper

    @property
    def value(self) -> N:
        """What both bounds agree on.

        Raises
        ------
        NotDecidedError
            If only bounds are known.
        """
        if not self.exact:
            ends = f"lies between {self.lower} and {self.upper}"
            ends = f"is at least {self.lower}" if self.upper is None else ends
            raise NotDecidedError(f"{self.quantity} {ends}")
        return self.lower

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
        upper = self.lower if self.upper is None else self.upper
        if not least <= self.lower <= upper or (most is not None and upper > most):
            ends = f"at least {least}" if most is None else f"from {least} to {most}"
            raise CertificateError(
                f"{self.quantity} is {ends}, not between {self.lower} and {self.upper}"
            )


def check_dimension(bounds: Bounds[int], height: int, what: str) -> None:
    """Refuse bounds in the wrong order, and -1 for anything but what has nothing to choose.

    Parameters
    ----------
    bounds : Bounds
        On a dimension.
    height : int
        How many there are of what gives labels, without which nothing is shattered.
    what : str
        Their name.

    Raises
    ------
    CertificateError
    """
    bounds.check_order(-1)
    if (bounds.lower == -1) != (not height):
        raise CertificateError(
            f"{bounds.quantity} is -1 exactly where there is no {what}, not with {height}"
        )
