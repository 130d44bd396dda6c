"""Removal of dominated inputs: each agrees with another input wherever it is in the promise.

Removing these inputs changes no minimax error.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ccsim.classes.concept_class import transposed
from ccsim.classes.masks import bits_of, masks_of
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import DeterministicProtocol
from ccsim.data import frozen

Masks = tuple[int, int]
Cover = tuple[int | None, int]  # what covers an item, if it takes any; whether it is flipped


@frozen
class Reduced:
    """A problem without dominated inputs, and the map back to the original problem."""

    problem: CommunicationProblem
    rows: tuple[int, ...]  # inputs of Alice that remain, as numbers of the original problem
    columns: tuple[int, ...]  # those of Bob
    imitates: tuple[int, ...]  # for each input of Alice the position of the one that covers it
    answers: tuple[Cover, ...]  # the same for Bob; ``(None, v)`` for a column that is always ``v``

    def cells(self) -> list[tuple[int, int]]:
        """Return the cells inside the promise, as positions among the remaining inputs."""
        rows, columns = np.nonzero(self.bits(self.problem.promise))
        return list(zip(rows.tolist(), columns.tolist(), strict=True))

    def values(self) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        """Return the matrix of the remaining inputs, with ``nan`` outside the promise."""
        values, inside = map(self.bits, (self.problem.ones, self.problem.promise))
        return np.where(inside, values, np.nan)

    def bits(self, masks: Sequence[int]) -> npt.NDArray[np.uint8]:
        """Return the remaining entries of a matrix whose rows are masks."""
        bits = bits_of([masks[x] for x in self.rows], len(self.problem.bob))
        return bits.take(np.array(self.columns, np.intp), axis=1)  # contiguous rows

    def lift(self, protocol: DeterministicProtocol) -> DeterministicProtocol:
        """Return the protocol for the original problem, given one for the reduced problem."""
        tables = list(protocol.bob)
        if self.answers != tuple((y, 0) for y in range(len(self.columns))):
            bits = np.pad(bits_of(tables, len(self.columns)), ((0, 0), (0, 1)))  # 0 for no column
            covers = np.array([-1 if c is None else c for c, _ in self.answers], np.intp)
            flips = np.array([flip for _, flip in self.answers], np.uint8)
            tables = masks_of(bits[:, covers] ^ flips)
        alice = tuple(protocol.alice[i] for i in self.imitates)
        return DeterministicProtocol(alice, tuple(tables), len(self.answers))


def reduce_problem(problem: CommunicationProblem, *, flips: bool = True) -> Reduced:
    """Return the problem without dominated rows and columns; each round takes quadratic time.

    With `flips`, as for one-way protocols, constant columns are also removed, and complements of
    columns: Bob answers by himself, so he can flip an answer.
    """
    rows = list(range(len(problem.alice)))
    columns = list(range(len(problem.bob)))
    imitates: dict[int, Cover] = {x: (x, 0) for x in rows}
    answers: dict[int, Cover] = {y: (y, 0) for y in columns}
    changed = True
    while changed:
        live = sum(1 << y for y in columns)
        row_masks = {x: (problem.ones[x] & live, problem.promise[x] & live) for x in rows}
        kept_rows = _uncovered(rows, row_masks, imitates, flips=False)
        defined = transposed([problem.promise[x] for x in kept_rows], len(problem.bob))
        ones = transposed([problem.ones[x] for x in kept_rows], len(problem.bob))
        column_masks = {y: (ones[y], defined[y]) for y in columns}
        kept_columns = _uncovered(columns, column_masks, answers, flips=flips)
        changed = len(kept_rows) < len(rows) or len(kept_columns) < len(columns)
        rows, columns = kept_rows, kept_columns
    row_at = {x: i for i, x in enumerate(rows)}
    column_at = {y: j for j, y in enumerate(columns)}
    return Reduced(
        problem,
        tuple(rows),
        tuple(columns),
        tuple(i for x in imitates if (i := _resolve(imitates, row_at, x)[0]) is not None),
        tuple(_resolve(answers, column_at, y) for y in answers),
    )


def _covers(big: Masks, small: Masks) -> bool:
    """Return whether ``big`` is defined wherever ``small`` is, with the same values."""
    return not small[1] & ~big[1] and big[0] & small[1] == small[0]


def _uncovered(
    items: list[int], masks: dict[int, Masks], covers: dict[int, Cover], *, flips: bool
) -> list[int]:
    """Return the items that no other item dominates; of equal items, only the first.

    With `flips`, complemented items also dominate, and constant items are removed.
    """
    kept: list[int] = []
    alike = len({masks[x][1] for x in items}) == 1  # only equal items, or opposite ones, cover
    first: dict[Masks, int] = {}
    for position, x in enumerate(items):
        ones, inside = masks[x]
        if flips and ones in (0, inside):
            covers[x] = None, int(ones != 0)
            continue
        same = (masks[x], (inside & ~ones, inside)) if flips else (masks[x],)
        if alike:
            others = [] if (z := first.setdefault(min(same), x)) == x else [z]
        else:
            others = [*kept, *(z for z in items[position + 1 :] if masks[z] not in same)]
        for z in others:
            if (straight := _covers(masks[z], masks[x])) or (flips and _covers(masks[z], same[-1])):
                covers[x] = z, int(not straight)
                break
        else:
            kept.append(x)
    return kept


def _resolve(covers: dict[int, Cover], place: dict[int, int], x: int) -> Cover:
    """Return the position of the undominated item that dominates `x`, and whether it is flipped."""
    at: int | None = x
    flip = 0
    while at is not None and at not in place:
        at, more = covers[at]
        flip ^= more
    return (None if at is None else place[at]), flip
