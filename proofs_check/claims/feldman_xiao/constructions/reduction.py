"""Evaluation is at least as hard as augmented index: the two mappings of a mistake tree.

Main statements: `fx` Lemma 10 (= 4.2), and Corollary 11 (= 4.3), which
`AugmentedIndexReduction.pull_back` carries out.
"""

from __future__ import annotations

from typing import TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.communication import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
    evaluation_problem,
)
from ccsim.data import validated
from ccsim.dimensions import MistakeTree, littlestone_dimension
from ccsim.errors import DomainError
from ccsim.exact.bounds import check_fields

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
        """Return a protocol for augmented index from one for evaluation (`fx` Corollary 11).

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
            If the protocol and the evaluation problem have different numbers of inputs.

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
            "augmented index needs a class with at least two concepts, not an empty class"
        )
    return AugmentedIndexReduction(concept_class, tree)


def check_position(i: int, depth: int) -> None:
    """Raise `DomainError` for a number that is not a position."""
    if not 1 <= i <= depth:
        raise DomainError(f"position i must be between 1 and {depth}, not {i}")


def path_of(bits: int, length: int) -> str:
    """Return the path ``x_1 ... x_length`` of a number with ``x_i`` in bit ``i - 1``."""
    if not 0 <= bits < 1 << length:
        raise DomainError(
            f"a string of {length} bits must be a number from 0 to {(1 << length) - 1}, not {bits}"
        )
    return format(bits, f"0{length}b")[::-1] if length else ""


def _pull_back(
    protocol: DeterministicProtocol, concepts: list[int], points: list[int]
) -> DeterministicProtocol:
    bob = (sum((answers >> x & 1) << y for y, x in enumerate(points)) for answers in protocol.bob)
    return DeterministicProtocol(
        tuple(protocol.alice[c] for c in concepts), tuple(bob), len(points)
    )
