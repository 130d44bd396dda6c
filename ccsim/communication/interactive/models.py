"""Two-way protocols and simultaneous messages: the best protocols for weights, and good ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.interactive.improving import good_pair, good_tree
from ccsim.communication.interactive.messages import (
    Pair,
    PairSearch,
    answers_of_pair,
    steps_of_pairs,
    steps_to_check_pairs,
)
from ccsim.communication.interactive.trees import (
    Limits,
    Table,
    Tree,
    TreeSearch,
    answers_of,
    steps_of_trees,
    steps_to_check_trees,
)
from ccsim.communication.partitions.tables import Weights
from ccsim.communication.protocols.play import PLAYERS
from ccsim.communication.protocols.simultaneous import SimultaneousProtocol
from ccsim.communication.protocols.two_way import Turn, TwoWayProtocol
from ccsim.communication.public_coins.domination import Reduced
from ccsim.data import frozen
from ccsim.exact import ceil_log2

P = TypeVar("P")

_LEAVES = 1 << 18  # most leaves times lines of a tree that is improved by local search


class Model(Protocol[P]):
    """The deterministic protocols of a model within a number of bits."""

    @property
    def bits(self) -> int:
        """Number of bits that may be sent."""
        ...

    def steps(self, rows: int, columns: int) -> int:
        """Return the number of steps to find a best protocol; raise if there are too many."""
        ...

    def steps_to_check(self, rows: int, columns: int) -> int:
        """Return about the number of steps in which the kernel finds the minimum cost."""
        ...

    def best(self, weights: Weights, budget: Budget, least: int) -> tuple[int, list[P]]:
        """Return the minimum cost, a best protocol, and others whose gain is above a number."""
        ...

    def good(self, weights: Table, rng: np.random.Generator) -> P:
        """Return a protocol from a local search with a random start."""
        ...

    def answers(self, protocol: P, shape: tuple[int, int]) -> Table:
        """Return the Boolean matrix of the answers of a protocol."""
        ...

    def lifted(self, protocol: P, reduced: Reduced) -> TwoWayProtocol | SimultaneousProtocol:
        """Return the protocol for the original problem, given one for the reduced problem."""
        ...

    def constant(self, answer: int, shape: tuple[int, int]) -> P:
        """Return the protocol without messages that gives an answer."""
        ...

    def exact(self, ones: Sequence[Sequence[bool]]) -> P | None:
        """Return a protocol without error for a table of values if there are enough bits."""
        ...


@frozen
class TwoWay:
    """Two-way protocols within bits and rounds."""

    limits: Limits

    @property
    def bits(self) -> int:
        """Number of bits that may be sent."""
        return self.limits.bits

    def steps(self, rows: int, columns: int) -> int:
        """Return the number of steps for a best tree; raise if there are too many."""
        return steps_of_trees(rows, columns, self.limits)

    def steps_to_check(self, rows: int, columns: int) -> int:
        """Return about the number of steps in which the kernel finds the minimum cost."""
        return steps_to_check_trees(rows, columns, self.limits)

    def best(self, weights: Weights, budget: Budget, least: int) -> tuple[int, list[Tree]]:
        """Return the minimum cost, a best tree, and others whose gain is above a number."""
        search = TreeSearch(weights, self.limits, budget)
        return search.cost, search.trees(least)

    def good(self, weights: Table, rng: np.random.Generator) -> Tree:
        """Return a tree from a local search with a random start."""
        most = max(1, (_LEAVES // sum(weights.shape)).bit_length() - 1)  # fewer bits are allowed
        return good_tree(weights, Limits(min(self.bits, most), self.limits.rounds), rng)

    def answers(self, protocol: Tree, shape: tuple[int, int]) -> Table:
        """Return the Boolean matrix of the answers of a tree."""
        return answers_of(protocol, shape)

    def lifted(self, protocol: Tree, reduced: Reduced) -> TwoWayProtocol:
        """Return the tree for the original problem."""
        imitates = reduced.imitates, [at or 0 for at, _ in reduced.answers]
        nodes = [
            node
            if isinstance(node, int)
            else Turn(PLAYERS[node[0]], tuple(1 - (node[1] >> i & 1) for i in imitates[node[0]]))
            for node in protocol
        ]
        return TwoWayProtocol(tuple(nodes), len(imitates[0]), len(imitates[1]))

    def constant(self, answer: int, shape: tuple[int, int]) -> Tree:
        """Return the tree that is a leaf."""
        return (answer,)

    def exact(self, ones: Sequence[Sequence[bool]]) -> Tree | None:
        """Return the tree in which the player with fewer lines sends the line, bit by bit."""
        table = np.array(ones)
        side = int(table.shape[1] < table.shape[0])
        first = table if side == 0 else table.T
        needed = ceil_log2(len(first)) + 1
        if self.bits < needed or (self.limits.rounds or 2) < 2:
            return None

        def below(lines: range) -> list[Any]:
            if len(lines) > 1:
                half = lines[: len(lines) // 2]
                own = sum(1 << i for i in half)
                return [(side, own), *below(half), *below(lines[len(half) :])]
            zeros = sum(1 << int(j) for j in np.flatnonzero(~first[lines[0]]))
            if zeros in (0, (1 << first.shape[1]) - 1):
                return [int(zeros == 0)]
            return [(1 - side, zeros), 0, 1]

        return tuple(below(range(len(first))))


@frozen
class Simultaneous:
    """Simultaneous messages of a total number of bits."""

    bits: int

    def steps(self, rows: int, columns: int) -> int:
        """Return the number of steps for a best pair of partitions; raise if there are too many."""
        return steps_of_pairs(rows, columns, self.bits)

    def steps_to_check(self, rows: int, columns: int) -> int:
        """Return about the number of steps in which the kernel finds the minimum cost."""
        return steps_to_check_pairs(rows, columns, self.bits)

    def best(self, weights: Weights, budget: Budget, least: int) -> tuple[int, list[Pair]]:
        """Return the minimum cost, a best protocol, and others whose gain is above a number."""
        search = PairSearch(weights, self.bits, budget)
        return search.cost, search.pairs(least)

    def good(self, weights: Table, rng: np.random.Generator) -> Pair:
        """Return a protocol from a local search with a random start."""
        own = int(rng.integers(self.bits + 1))
        return good_pair(weights, (own, self.bits - own), rng)

    def answers(self, protocol: Pair, shape: tuple[int, int]) -> Table:
        """Return the Boolean matrix of the answers of a protocol."""
        return answers_of_pair(protocol)

    def lifted(self, protocol: Pair, reduced: Reduced) -> SimultaneousProtocol:
        """Return the protocol for the original problem."""
        rows, columns, answers = protocol
        return SimultaneousProtocol(
            tuple(rows[i] for i in reduced.imitates),
            tuple(columns[at or 0] for at, _ in reduced.answers),
            answers,
        )

    def constant(self, answer: int, shape: tuple[int, int]) -> Pair:
        """Return the protocol with one message of each player."""
        return (0,) * shape[0], (0,) * shape[1], ((answer,),)

    def exact(self, ones: Sequence[Sequence[bool]]) -> Pair | None:
        """Return the protocol in which both players send their lines."""
        rows, columns = range(len(ones)), range(len(ones[0]))
        if self.bits < ceil_log2(len(rows)) + ceil_log2(len(columns)):
            return None
        return tuple(rows), tuple(columns), tuple(tuple(map(int, row)) for row in ones)
