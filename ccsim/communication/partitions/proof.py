"""Proofs that no partition of Alice's inputs is cheap, by profiles of classes under symmetries.

Main definitions: `PartitionProof`. Its check goes over tables of all classes, not over orbits of
classes as the search and the kernel do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, prod
from operator import mul
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.costs import class_costs, over_classes
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import CertificateError
from ccsim.exact.bounds import check_fields
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry

__all__ = ["PartitionProof"]

MAX_ROWS = 25
_ROWS_OF_A_BLOCK = 20

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class PartitionProof:
    """Symmetries of a hard distribution by which few partitions can be cheap.

    Rows in one orbit are of one kind, and the profile of a class counts its rows of each kind. The
    least cost of a class with each profile bounds what a partition costs. Where the bound is not
    reached, it still leaves few classes to cheaper partitions, and those are tried.

    Attributes
    ----------
    symmetries : tuple of Symmetry
        Symmetries of the problem that leave the distribution as it is.
    partition : tuple of int or None
        The class of each row that has weight, in a cheapest partition; None where the bound by
        profiles is enough.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> f, turn = equality(3), (1, 2, 0)
    >>> mu = HardDistribution.from_integers(
    ...     [(x, y, 1 + (x == y)) for x in range(3) for y in range(3)]
    ... )
    >>> proof = PartitionProof((Symmetry(turn, turn, 0),), None)
    >>> proof.check(f, mu, 2, Fraction(1, 6))
    """

    symmetries: tuple[Symmetry, ...]
    partition: tuple[int, ...] | None

    def check(
        self,
        problem: CommunicationProblem,
        mu: HardDistribution,
        messages: int,
        bound: Fraction,
        budget: Budget | None = None,
    ) -> None:
        """Prove that no deterministic protocol with so many messages has error below ``bound``.

        Raises
        ------
        CertificateError
            With the input that a symmetry moves to one of other weight, or the cost of a partition
            that is cheaper than the one given.
        OutOfTimeError

        Notes
        -----
        Complexity: ``2**rows columns`` for the costs of all classes, seconds for 25 rows, and the
        search for cheaper partitions.
        """
        check_fields(self)
        mu.check_inputs(problem)
        weights = mu.as_mapping()
        for symmetry in self.symmetries:
            symmetry.verify(problem.ones, len(problem.bob), problem.promise)
            for cell, weight in weights.items():
                if weights.get(symmetry.cell(*cell)) != weight:
                    raise CertificateError(
                        f"a symmetry moves input {cell} to {symmetry.cell(*cell)} of other weight"
                    )
        rows = mu.signed_rows(problem)
        number = {x: i for i, x in enumerate(rows)}
        moves = [[number[g.rows[x]] for x in rows] for g in self.symmetries]
        if len(rows) > MAX_ROWS:
            raise CertificateError(
                f"profiles are for at most {MAX_ROWS} rows with weight, not {len(rows)}"
            )
        classes = _Classes(list(rows.values()), moves, mu.total, budget or Budget())
        threshold = ceil(bound * mu.total)
        found = int(classes.relaxed(messages)[-1][-1])
        if self.partition is not None:
            stated = classes.total(self.partition, messages)
            if stated < threshold:
                raise CertificateError(
                    f"the partition costs {Fraction(stated, mu.total)}, less than {bound}"
                )
            found = classes.cheapest(messages, threshold)
        if found < threshold:
            raise CertificateError(
                f"the profiles prove an error of {Fraction(found, mu.total)}, not {bound}"
            )

    def to_json(self) -> dict[str, Any]:
        """Return the proof as a part of a certificate."""
        return {
            "symmetries": [symmetry.to_json() for symmetry in self.symmetries],
            "partition": None if self.partition is None else list(self.partition),
        }


class _Classes:
    """The costs and profiles of all classes of rows, as bit masks."""

    def __init__(
        self,
        rows: Sequence[dict[int, int]],
        moves: Sequence[Sequence[int]],
        total: int,
        budget: Budget,
    ) -> None:
        self._budget = budget
        self.everything = (1 << len(rows)) - 1
        self.moves = moves
        kinds = list(orbits_of(range(len(rows)), map(enumerate, moves)).values())
        sizes = {kind: kinds.count(kind) + 1 for kind in kinds}
        places = dict(zip(sizes, accumulate(sizes.values(), mul, initial=1), strict=False))
        numbers = np.arange(prod(sizes.values()))
        self.digits = np.array([numbers // places[kind] % sizes[kind] for kind in sizes]).T
        """How many rows of each kind the profile with each number has."""
        self.profiles = over_classes([places[kind] for kind in kinds], np.int32)
        dtype = np.int32 if total < 1 << 29 else np.int64 if total < 1 << 61 else object
        self.above = total + 1
        self.costs = np.empty(len(self.profiles), dtype)
        low, high = rows[:_ROWS_OF_A_BLOCK], rows[_ROWS_OF_A_BLOCK:]
        for top in range(1 << len(high)):
            included = [row for i, row in enumerate(high) if top >> i & 1]
            block = slice(top << len(low), (top + 1) << len(low))
            self.costs[block] = class_costs(low, dtype, included, budget)

    def relaxed(self, messages: int) -> list[Array]:
        """Return the least sums of costs of 0, 1, ... classes by the sum of their profiles."""
        least = np.full(len(self.digits), self.above, self.costs.dtype)
        np.minimum.at(least, self.profiles, self.costs)
        sums = [np.full_like(least, self.above)]
        sums[0][0] = 0
        for _ in range(messages):
            joined = np.full_like(least, self.above)
            for part, cost in enumerate(least):
                self._budget.spend()
                unions = np.flatnonzero((self.digits >= self.digits[part]).all(axis=1))
                joined[unions] = np.minimum(joined[unions], cost + sums[-1][unions - part])
            sums.append(joined)
        return sums

    def total(self, partition: Sequence[int], messages: int) -> int:
        """Return the cost of a partition of the rows.

        Raises
        ------
        CertificateError
            If it is none with so many classes.
        """
        rows = self.everything.bit_length()
        if len(partition) != rows or not set(partition) <= set(range(messages)):
            raise CertificateError(
                f"a partition gives each of {rows} rows a class from 0 to {messages - 1}"
            )
        sets = [sum(1 << x for x, m in enumerate(partition) if m == n) for n in range(messages)]
        return int(self.costs[sets].sum())

    def cheapest(self, messages: int, threshold: int) -> int:
        """Return the cost of a partition that costs less than a threshold, else the threshold."""
        if messages == 2:
            half = len(self.costs) // 2
            return min(threshold, int((self.costs[:half] + self.costs[: half - 1 : -1]).min()))
        self._bounds = self.relaxed(messages)
        bounds = self.costs + self._bounds[-2][self.profiles[::-1]]
        sets = np.flatnonzero(bounds < threshold)
        moves = (zip(sets.tolist(), _images(sets, g), strict=True) for g in self.moves)
        sizes = np.bitwise_count(sets)
        for first in set(orbits_of(sets.tolist(), moves).values()):
            others = sets[(sets & first == 0) & (sizes <= first.bit_count())]
            left, spent = self.everything ^ first, int(self.costs[first])
            found = self._completed(left, messages - 1, threshold - spent, others)
            if found is not None:
                return spent + found
        return threshold

    def _completed(self, left: int, messages: int, below: int, sets: Array) -> int | None:
        """Return a cost below a threshold of a partition of the rows left into some of the sets."""
        self._budget.spend()
        if messages == 1:
            cost = int(self.costs[left])
            return cost if cost < below else None
        if not left:
            return 0
        rest = self.profiles[left] - self.profiles[sets]
        sets = sets[self.costs[sets] + self._bounds[messages - 1][rest] < below]
        for part in sets[sets & (left & -left) != 0].tolist():
            cost = int(self.costs[part])
            others = sets[sets & part == 0]
            found = self._completed(left ^ part, messages - 1, below - cost, others)
            if found is not None:
                return cost + found
        return None


def _images(sets: Array, move: Sequence[int]) -> list[int]:
    """Return the image of each set under a permutation of the rows."""
    images = np.zeros_like(sets)
    for x, image in enumerate(move):
        images |= (sets >> x & 1) << image
    return list(images.tolist())
