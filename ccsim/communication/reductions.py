"""Evaluation is at least as hard as augmented index: a reduction, and a bound on the messages.

`fx` Lemma 10 (= 4.2) and Corollary 11 (= 4.3): a public-coin protocol for the evaluation of a class
with error ``eps <= 1/2`` has at least ``2**((1 - H(eps)) LDim)`` messages. Any mistake tree's depth
may stand for the dimension.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.communication.problem import evaluation_problem
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.data import validated
from ccsim.dimensions import MistakeTree, littlestone_dimension
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import Interval, as_fraction, binary_entropy, compare, enclose
from ccsim.exact.bounds import check_fields

if TYPE_CHECKING:
    import sympy


P = TypeVar("P", DeterministicProtocol, PrivateCoinProtocol, PublicCoinProtocol)


@validated
class AugmentedIndexReduction:
    """The maps ``m_C`` and ``m_X`` of a complete mistake tree of depth ``d >= 1``.

    Statement (`fx` Lemma 10): for every ``x`` in ``{0,1}^d`` and every position ``i`` from 1 to
    ``d``, the concept ``m_C(x)`` has label ``x_i`` on the point ``m_X(x_1 ... x_{i-1})``. The
    concept is the leaf and the point the node that the bits lead to.

    Inputs are numbered as in `augmented_index`: bit ``i - 1`` of a number is ``x_i``.

    Attributes
    ----------
    concept_class : ConceptClass
    tree : MistakeTree
        Complete mistake tree for the class.

    Raises
    ------
    DomainError
        If the tree is a single leaf.
    CertificateError
        If it is not a complete mistake tree for the class.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> reduction = augmented_index_reduction(thresholds(2))
    >>> reduction.depth, reduction.concept(0b01), reduction.point(2, 0b1)
    (2, 1, 0)
    """

    concept_class: ConceptClass
    tree: MistakeTree

    def __post_init__(self) -> None:
        check_fields(self, DomainError)
        if self.tree.depth == 0:
            raise DomainError("augmented index needs a mistake tree of depth at least 1, not 0")
        self.tree.check(self.concept_class)

    @property
    def depth(self) -> int:
        """The depth ``d`` of the tree."""
        return self.tree.depth

    def concept(self, x: int) -> int:
        """Return ``m_C(x)``, the concept of the leaf that the bits of ``x`` lead to.

        Raises
        ------
        DomainError
            If ``x`` does not lie in ``[0, 2**d)``.
        """
        return self.tree.leaf(path_of(x, self.depth))

    def point(self, i: int, prefix: int) -> int:
        """Return ``m_X(x_1 ... x_{i-1})``, the point of the node that a prefix leads to.

        Raises
        ------
        DomainError
            If ``i`` is not a position from 1 to ``d``, or the prefix does not lie in
            ``[0, 2**(i-1))``.
        """
        check_position(i, self.depth)
        return self.tree.node(path_of(prefix, i - 1))

    def pull_back(self, protocol: P) -> P:
        """Turn a protocol for evaluation into one for augmented index (`fx` Corollary 11).

        Alice and Bob apply their maps and run the protocol, with the same coins and messages. The
        error on an input inside the promise is that of the protocol on its image, so that the
        worst error does not grow.

        Parameters
        ----------
        protocol : deterministic, private-coin or public-coin protocol
            For `evaluation_problem` of the class.

        Returns
        -------
        protocol of the same kind
            For `augmented_index` of depth ``d``.

        Raises
        ------
        DomainError
            If the protocol has other numbers of inputs than the evaluation problem.

        Examples
        --------
        >>> from ccsim.classes import thresholds
        >>> C = thresholds(1)
        >>> send_all = DeterministicProtocol((0, 1), C.rows, 2)
        >>> augmented_index_reduction(C).pull_back(send_all)
        DeterministicProtocol(alice=(1, 0), bob=(1, 0), num_bob=1)
        """
        protocol.check_shape(evaluation_problem(self.concept_class))
        concepts = [self.concept(x) for x in range(1 << self.depth)]
        points = [self.point(i + 1, prefix) for i in range(self.depth) for prefix in range(1 << i)]
        if isinstance(protocol, DeterministicProtocol):
            return _pull_back(protocol, concepts, points)
        if isinstance(protocol, PublicCoinProtocol):
            components = (_pull_back(each, concepts, points) for each in protocol.components)
            return PublicCoinProtocol(protocol.weights, tuple(components))
        return PrivateCoinProtocol(
            tuple(protocol.alice[c] for c in concepts),
            tuple(tuple(row[x] for x in points) for row in protocol.bob),
        )


@checked_types
def augmented_index_reduction(concept_class: ClassLike) -> AugmentedIndexReduction:
    """Return the reduction from a deepest mistake tree of a class.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At least two concepts.

    Raises
    ------
    DomainError
        If the class has fewer than two concepts, so that its Littlestone dimension is below 1.

    Examples
    --------
    >>> from ccsim.classes import lines
    >>> augmented_index_reduction(lines(3)).depth
    2
    """
    concept_class = as_class(concept_class)
    tree = littlestone_dimension(concept_class).tree
    if tree is None:
        raise DomainError(
            "augmented index needs a class of at least two concepts, not the empty class"
        )
    return AugmentedIndexReduction(concept_class, tree)


def check_position(i: int, depth: int) -> None:
    """Refuse what is not a position."""
    if not 1 <= i <= depth:
        raise DomainError(f"position i must lie between 1 and {depth}, not {i}")


def path_of(bits: int, length: int) -> str:
    """Return the path ``x_1 ... x_length`` of a number with ``x_i`` in bit ``i - 1``."""
    if not 0 <= bits < 1 << length:
        raise DomainError(
            f"a string of {length} bits is a number in [0, {1 << length}), not {bits}"
        )
    return format(bits, f"0{length}b")[::-1] if length else ""


def _pull_back(
    protocol: DeterministicProtocol, concepts: list[int], points: list[int]
) -> DeterministicProtocol:
    bob = (sum((answers >> x & 1) << y for y, x in enumerate(points)) for answers in protocol.bob)
    return DeterministicProtocol(
        tuple(protocol.alice[c] for c in concepts), tuple(bob), len(points)
    )


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
