"""The bound ``(1 - H(eps)) LDim`` on ``log2`` of the number of messages (`fx` Corollary 4.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.dimensions import MistakeTree, littlestone_dimension
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import Interval, as_fraction, binary_entropy, compare, enclose

if TYPE_CHECKING:
    import sympy

_SHORT = 1 << 12
"""Denominator of the error, times the bits of a message, up to which integers decide."""


@validated
class LittlestoneBound:
    """The lower bound ``(1 - H(error)) depth`` on the length of a message in bits.

    ``H`` is the binary entropy.

    Attributes
    ----------
    depth : int
        Depth of a complete mistake tree, at most the Littlestone dimension; at least 0.
    error : Fraction
        Allowed error, from 0 to 1/2.

    Examples
    --------
    >>> bound = LittlestoneBound(3, Fraction(1, 4))
    >>> bound.interval().upper < Fraction(57, 100), bound.allows(1), bound.allows(2)
    (True, False, True)
    >>> bound.least_messages
    2
    """

    depth: int
    error: Fraction

    def __post_init__(self) -> None:
        if self.depth < 0:
            raise DomainError(f"depth of a mistake tree must be at least 0, not {self.depth}")
        if not 0 <= self.error <= Fraction(1, 2):
            raise DomainError(f"error must be between 0 and 1/2, not {self.error}")

    @property
    def expression(self) -> sympy.Expr:
        """The bound as an exact expression."""
        return (1 - binary_entropy(self.error)) * self.depth

    def interval(self, precision: int = 128) -> Interval:
        """Return an interval with rational endpoints that contains the bound."""
        return enclose(self.expression, precision)

    def allows(self, messages: int) -> bool:
        """Whether ``log2`` of a number of messages is at least the bound.

        Raises
        ------
        NotDecidedError
            If the two are too close to be compared.
        """
        if messages < 1:
            raise DomainError(f"messages must be at least 1, not {messages}")
        p, q = self.error.as_integer_ratio()
        if q * max(self.depth, messages.bit_length()) <= _SHORT:
            # q log2(messages) >= d (q - q log2(q) + p log2(p) + (q - p) log2(q - p))
            scaled: int = 2**q * p**p * (q - p) ** (q - p)
            return bool(messages**q * q ** (q * self.depth) >= scaled**self.depth)
        import sympy

        order = compare(sympy.log(messages, 2), self.expression)
        if order is None:
            raise NotDecidedError(
                f"log2({messages}) and {self.expression} are too close to be compared"
            )
        return order >= 0

    @property
    def least_messages(self) -> int:
        """The minimum number of messages consistent with the bound, between 1 and ``2**depth``.

        Raises
        ------
        NotDecidedError
            If some number of messages is too close to the bound.
        """
        low, high = 1, 1 << self.depth
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.allows(middle) else (middle + 1, high)
        return low


@checked_types
def littlestone_bound(
    source: ConceptClass | MistakeTree,
    error: Fraction | int | str,
) -> LittlestoneBound:
    """Return the Littlestone lower bound ``(1 - H(error)) depth`` on the cost in bits.

    ``H`` is the binary entropy.

    Parameters
    ----------
    source : ConceptClass or MistakeTree
        The depth is the Littlestone dimension of a class, or the depth of a mistake tree, which is
        not checked.
    error : Fraction, int or str
        Allowed error, from 0 to 1/2.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> littlestone_bound(thresholds(3), "1/4").expression == 3 * (
    ...     1 - binary_entropy(Fraction(1, 4))
    ... )
    True
    """
    if isinstance(source, ConceptClass):
        depth = littlestone_dimension(source).value
    else:
        depth = source.depth
    return LittlestoneBound(depth, as_fraction(error, "error"))
