"""The reduction of augmented index by a mistake tree that is given by rules.

Main statements: `fx` Lemma 10 (= 4.2) and Corollary 11 (= 4.3), as in
`ccsim.communication.reductions.augmented_index`, for trees that are too large to be written down.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Generic, TypeVar

import numpy as np

from ccsim.communication.protocols.one_way import OneWayProtocol, Transcript
from ccsim.communication.reductions.augmented_index import check_position, path_of
from ccsim.data import validated
from ccsim.dimensions import ImplicitMistakeTree
from ccsim.errors import CertificateError, DomainError
from ccsim.exact.probability import generator, uniform_below

Concept = TypeVar("Concept")
Point = TypeVar("Point")


@validated
class ImplicitReduction(Generic[Concept, Point]):
    """The maps ``m_C`` and ``m_X`` of an implicit mistake tree of depth ``d >= 1``.

    Inputs of augmented index are numbered as by `ccsim.communication.problem.augmented_index`.

    Attributes
    ----------
    tree : ImplicitMistakeTree

    Raises
    ------
    DomainError
        If the tree is a single leaf.

    Examples
    --------
    >>> from ccsim.dimensions import threshold_tree
    >>> reduction = ImplicitReduction(threshold_tree(20))
    >>> reduction.concept(0), reduction.point(1, 0), reduction.point(2, 1)
    (1048575, 524287, 262143)
    >>> reduction.check_sample(10, seed=0)
    """

    tree: ImplicitMistakeTree[Concept, Point]

    def __post_init__(self) -> None:
        if self.tree.depth == 0:
            raise DomainError("augmented index needs a mistake tree of depth at least 1, not 0")

    @property
    def depth(self) -> int:
        """The depth ``d`` of the tree."""
        return self.tree.depth

    def concept(self, x: int) -> Concept:
        """Return ``m_C(x)``, the concept of the leaf that the bits of ``x`` lead to.

        Raises
        ------
        DomainError
            If ``x`` does not lie in ``[0, 2**d)``.
        """
        return self.tree.leaf(path_of(x, self.depth))

    def point(self, i: int, prefix: int) -> Point:
        """Return ``m_X(x_1 ... x_{i-1})``, the point of the node that a prefix leads to.

        Raises
        ------
        DomainError
            If ``i`` is not a position from 1 to ``d``, or the prefix does not lie in
            ``[0, 2**(i-1))``.
        """
        check_position(i, self.depth)
        return self.tree.node(path_of(prefix, i - 1))

    def check_sample(self, number: int, seed: int) -> None:
        """Check the lemma at every position of some strings that are drawn uniformly.

        Raises
        ------
        CertificateError
            At the first string and position where the label is not the bit.
        """
        rng = generator(seed)
        for _ in range(number):
            x = uniform_below(1 << self.depth, rng)
            concept = self.concept(x)
            for i in range(1, self.depth + 1):
                point = self.point(i, x & (1 << i - 1) - 1)
                if self.tree.value(concept, point) != x >> i - 1 & 1:
                    raise CertificateError(
                        f"string {x}, position {i}: {concept} on {point} is not {x >> i - 1 & 1}"
                    )

    def pull_back(
        self,
        protocol: OneWayProtocol,
        alice: Callable[[Concept], int],
        bob: Callable[[Point], int],
    ) -> PulledBackProtocol:
        """Turn a protocol for evaluation into one for augmented index (`fx` Corollary 11).

        Parameters
        ----------
        protocol : OneWayProtocol
            For evaluation; a procedural one has any size.
        alice, bob : callable
            The numbers that concepts and points have in the protocol.

        Examples
        --------
        >>> from ccsim.dimensions import line_tree
        >>> from protocols import LinesHashing
        >>> p = 10007
        >>> reduction = ImplicitReduction(line_tree(p))
        >>> number = lambda pair: p * pair[0] + pair[1]
        >>> pulled = reduction.pull_back(LinesHashing(p=p, bits=2), number, number)
        >>> [pulled.output_probability(0b01, y) for y in (0, 2)]  # bits 1 and then 0
        [Fraction(1, 1), Fraction(1, 4)]
        """

        def points(y: int) -> int:
            i = (y + 1).bit_length()
            return bob(self.point(i, y + 1 - (1 << i - 1)))

        return PulledBackProtocol(protocol, self.depth, lambda x: alice(self.concept(x)), points)


@validated
class PulledBackProtocol(OneWayProtocol):
    """A protocol whose players first map their inputs, here to those of augmented index.

    It is a `ccsim.communication.protocols.one_way.OneWayProtocol`, with the messages, coins and
    answers of the protocol that it is made of.

    Attributes
    ----------
    protocol : OneWayProtocol
    depth : int
        Number of bits of augmented index.
    alice_map, bob_map : callable
        The inputs of the protocol for the inputs of augmented index.
    """

    protocol: OneWayProtocol
    depth: int
    alice_map: Callable[[int], int]
    bob_map: Callable[[int], int]

    @property
    def num_alice(self) -> int:
        """Number of strings."""
        return 1 << self.depth

    @property
    def num_bob(self) -> int:
        """Number of positions with a prefix."""
        return (1 << self.depth) - 1

    @property
    def messages(self) -> int:
        """Number of messages."""
        return self.protocol.messages

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that Bob answers 1."""
        return self.protocol.output_probability(self.alice_map(x), self.bob_map(y))

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the protocol once; the transcript names the inputs of augmented index."""
        inner = self.protocol.run(self.alice_map(x), self.bob_map(y), rng)
        return Transcript(x, y, inner.coins, inner.message, inner.answer)
