"""Common base class of protocols with a random partition: inputs, coins and permutations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

import numpy as np

from ccsim.communication.problem import CommunicationProblem, equality
from ccsim.communication.protocols.by_rules import Batch, check_parameter
from ccsim.communication.protocols.procedural import ProceduralProtocol
from ccsim.data import frozen
from ccsim.exact.probability import uniform_below
from protocols.binary import (
    WORD,
    Words,
    number_of_words,
    random_words_below,
    words_as_int,
    words_from_integers,
)
from protocols.permutations import Permutations, pairwise_uniform

__all__ = ["RandomPartition"]


@frozen
class RandomPartition(ProceduralProtocol):
    """Base class of protocols for equality by a random partition.

    The coins choose a partition and a permutation of the inputs; as an integer they are ``part *
    permutations.size + permutation``. In a batch, each row has the 64-bit words of ``part``, then
    the permutation.
    """

    n: int
    messages: int = field()  # so that the abstract property is not its default

    def __post_init__(self) -> None:
        check_parameter(f"{self.family}: n", self.n, 1)
        check_parameter(f"{self.family}: messages", self.messages, 1)
        pairwise_uniform(self.n)

    @property
    def permutations(self) -> Permutations:
        """The family from which the permutation is drawn."""
        return pairwise_uniform(self.n)

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return self.n

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return self.n

    @property
    def _num_parts(self) -> int:
        """Number of values of the coins from which the partition is chosen."""
        return 1

    @property
    def num_coins(self) -> int:
        """Number of permutations times the number of choices of a partition."""
        return self._num_parts * self.permutations.size

    @property
    def run_bytes(self) -> int:
        """Memory in bytes of one run of a batch: its coins and some images."""
        return 8 * self._part_words + 4 * self.permutations.row_bytes

    @property
    def _part_words(self) -> int:
        return number_of_words((self._num_parts - 1).bit_length())

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return a choice of a partition and a permutation for each run."""
        parts = random_words_below(self._num_parts, runs, rng)
        return self._joined(parts, self.permutations.sample(runs, rng))

    def coins_from_int(self, coins: Iterable[int]) -> Batch:
        """Return the given coins as a batch."""
        pairs = [divmod(number, self.permutations.size) for number in coins]
        parts = words_from_integers((part for part, _ in pairs), WORD * self._part_words)
        return self._joined(parts, self.permutations.from_int(number for _, number in pairs))

    def coins_as_int(self, coins: Batch) -> int:
        """Return one entry of a batch of coins as an integer."""
        parts, members = self._split(coins.reshape(1, -1))
        return words_as_int(parts[0]) * self.permutations.size + self.permutations.as_int(
            members[0]
        )

    def _joined(self, parts: Words, members: Batch) -> Batch:
        """Return partition numbers and members as one array, one run per row."""
        pieces = np.ascontiguousarray(parts).view(members.dtype)
        width = pieces.shape[1]
        coins = np.empty((width + members.shape[1], len(members)), dtype=members.dtype).T
        coins[:, :width], coins[:, width:] = pieces, members
        return coins

    def _split(self, coins: Batch) -> tuple[Words, Batch]:
        """Return the parts and the permutations of a batch of coins."""
        width = 8 * self._part_words // coins.dtype.itemsize
        parts: Words = np.ascontiguousarray(coins[:, :width]).view(np.uint64)
        return parts, coins[:, width:]

    def value(self, x: int, y: int) -> int:
        """Return 1 iff ``x = y``."""
        return int(x == y)

    def _problem(self) -> CommunicationProblem:
        return equality(self.n)

    def _different(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return two distinct random inputs."""
        x = uniform_below(self.n, rng)
        return x, (x + 1 + uniform_below(self.n - 1, rng)) % self.n
