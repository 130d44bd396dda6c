"""The bound ``(1 - H(eps)) LDim`` on the bits of a protocol, beside what a protocol costs.

Main statement: `fx` Corollary 11 (= 4.3). A public-coin one-way protocol for the evaluation problem
of a class with error ``eps <= 1/2`` has at least ``(1 - H(eps)) LDim`` bits; its proof bounds
``log2`` of the number of messages, which is what is compared here. Private coins and no coins are
special cases, and any mistake tree's depth may stand for the dimension.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.communication.problem import evaluation_problem
from ccsim.communication.protocols.one_way import OneWayProtocol, worst_error
from ccsim.data import validated
from ccsim.dimensions import MistakeTree, littlestone_dimension
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import Interval, as_fraction, binary_entropy, compare, enclose

if TYPE_CHECKING:
    import sympy


@validated
class LittlestoneBound:
    """The number ``(1 - H(error)) depth``.

    Attributes
    ----------
    depth : int
        Depth of a complete mistake tree, at most the Littlestone dimension; at least 0.
    error : Fraction
        From 0 to 1/2.

    Raises
    ------
    DomainError

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
            raise DomainError(
                f"the bound needs a mistake tree, of depth at least 0, not {self.depth}"
            )
        if not 0 <= self.error <= Fraction(1, 2):
            raise DomainError(f"the bound needs an error between 0 and 1/2, not {self.error}")

    @property
    def expression(self) -> sympy.Expr:
        """The number as an exact expression."""
        return (1 - binary_entropy(self.error)) * self.depth

    def interval(self, precision: int = 128) -> Interval:
        """Return an interval with rational ends that contains the number."""
        return enclose(self.expression, precision)

    def allows(self, messages: int) -> bool:
        """Decide whether ``log2`` of a number of messages is at least the bound.

        Raises
        ------
        DomainError
            If there is no message.
        NotDecidedError
            If the two are too close to be told apart.
        """
        import sympy

        if messages < 1:
            raise DomainError(f"a protocol has at least 1 message, not {messages}")
        order = compare(sympy.log(messages, 2), self.expression)
        if order is None:
            raise NotDecidedError(
                f"log2({messages}) and {self.expression} are too close to be compared"
            )
        return order >= 0

    @property
    def least_messages(self) -> int:
        """The least number of messages that the bound allows, between 1 and ``2**depth``.

        Raises
        ------
        NotDecidedError
            If a number of messages is too close to the bound.
        """
        low, high = 1, 1 << self.depth
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.allows(middle) else (middle + 1, high)
        return low


@validated
class ProtocolAndBound:
    """What a protocol costs and what its error makes it cost at least.

    Attributes
    ----------
    messages : int
        Number of messages of the protocol.
    bound : LittlestoneBound
        For the protocol's worst error.
    """

    messages: int
    bound: LittlestoneBound

    @property
    def respected(self) -> bool:
        """Whether the protocol has as many messages as the bound asks for, as it must have.

        Raises
        ------
        NotDecidedError
        """
        return self.bound.allows(self.messages)


@checked_types
def littlestone_bound(
    source: ConceptClass | MistakeTree,
    error: Fraction | int | str,
) -> LittlestoneBound:
    """Return the bound for a class, or for whatever class a mistake tree is taken from.

    Parameters
    ----------
    source : ConceptClass or MistakeTree
        A class is asked for its Littlestone dimension, a tree, which is trusted, for its depth.
    error : Fraction, int or str
        From 0 to 1/2.

    Raises
    ------
    DomainError
        If the class is empty or the error out of range.

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


@checked_types
def compare_with_bound(concept_class: ConceptClass, protocol: OneWayProtocol) -> ProtocolAndBound:
    """Return the cost of a protocol for evaluation beside the bound for its worst error.

    Parameters
    ----------
    concept_class : ConceptClass
    protocol : OneWayProtocol
        For its evaluation problem, with a worst error of at most 1/2.

    Raises
    ------
    DomainError
        If the protocol is not one for the class, or its error is above 1/2, where nothing is known.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> from ccsim.communication.minimax import minimax_error
    >>> C = thresholds(2)
    >>> both = compare_with_bound(C, minimax_error(evaluation_problem(C), 2).protocol)
    >>> both.messages, both.bound.error, both.bound.depth
    (2, Fraction(1, 4), 2)
    >>> both.respected
    True
    """
    error = worst_error(protocol, evaluation_problem(concept_class)).value
    return ProtocolAndBound(protocol.messages, littlestone_bound(concept_class, error))
