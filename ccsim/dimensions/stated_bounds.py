"""What the results of all dimensions share: two bounds, which are equal unless a search stopped.

Main definition: `StatedBounds`.
"""

from __future__ import annotations

from typing import ClassVar

from ccsim.errors import NotDecidedError

__all__ = ["StatedBounds"]


class StatedBounds:
    """A dimension between two bounds.

    Attributes
    ----------
    lower, upper : int
    """

    __slots__ = ()

    lower: int
    upper: int
    _title: ClassVar[str]

    @property
    def exact(self) -> bool:
        """Whether the bounds are equal."""
        return self.lower == self.upper

    @property
    def value(self) -> int:
        """The dimension.

        Raises
        ------
        NotDecidedError
            If the search was stopped before the bounds met.
        """
        if not self.exact:
            msg = f"the {self._title} lies between {self.lower} and {self.upper}; "
            raise NotDecidedError(msg + "the search was stopped")
        return self.lower
