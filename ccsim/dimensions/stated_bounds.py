"""What the results of all dimensions share: two bounds, which are equal unless a search stopped.

Main definition: `StatedBounds`.
"""

from __future__ import annotations

from ccsim.errors import CertificateError, NotDecidedError
from ccsim.exact.bounds import Bounds

__all__ = ["StatedBounds"]


class StatedBounds(Bounds[int]):
    """A dimension between two bounds.

    Attributes
    ----------
    lower, upper : int
    """

    __slots__ = ()

    @property
    def value(self) -> int:
        """The dimension.

        Raises
        ------
        NotDecidedError
            If the search was stopped before the bounds met.
        """
        if not self.exact:
            msg = f"{self.quantity} lies between {self.lower} and {self.upper}; "
            raise NotDecidedError(msg + "the search was stopped")
        return self.lower

    def check_dimension(self, height: int, what: str) -> None:
        """Refuse bounds in the wrong order, and -1 for anything but what has nothing to choose.

        Parameters
        ----------
        height : int
            How many there are of what gives labels, without which nothing is shattered.
        what : str
            Their name.

        Raises
        ------
        CertificateError
        """
        self.check_order(-1)
        if (self.lower == -1) != (not height):
            msg = f"{self.quantity} is -1 exactly where there is no {what}, not with {height}"
            raise CertificateError(msg)
