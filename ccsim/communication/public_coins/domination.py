"""Removing inputs that others cover, without changing any optimal error.

An input of Alice is covered by another one that agrees with it wherever the first is inside the
promise: she may play as if she held the other. An input of Bob is covered likewise, also by the
complement of another one, whose answers he flips, or by nothing at all when its column is constant.
"""

from __future__ import annotations

from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import DeterministicProtocol
from ccsim.data import frozen


@frozen
class Reduced:
    """A problem without covered inputs and the way back."""

    problem: CommunicationProblem
    # inputs of Alice and of Bob that remain, as numbers of the original problem
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    # for each input of Alice the position in ``rows`` of the one that covers it
    imitates: tuple[int, ...]
    # for each input of Bob the position in ``columns`` of the one that covers it and whether its
    # answers are flipped; ``(None, v)`` for a column whose value is always ``v``
    answers: tuple[tuple[int | None, int], ...]

    def cells(self) -> list[tuple[int, int]]:
        """Return the remaining cells inside the promise, by position."""
        return [
            (i, j)
            for i, x in enumerate(self.rows)
            for j, y in enumerate(self.columns)
            if self.problem.promise[x] >> y & 1
        ]

    def lift(self, protocol: DeterministicProtocol) -> DeterministicProtocol:
        """Return the protocol for the original problem, given one for what remains."""
        tables = [
            sum(
                1 << y
                for y, (column, flip) in enumerate(self.answers)
                if (flip if column is None else (answers >> column & 1) ^ flip)
            )
            for answers in protocol.bob
        ]
        alice = tuple(protocol.alice[i] for i in self.imitates)
        return DeterministicProtocol(alice, tuple(tables), len(self.answers))


def reduce_problem(problem: CommunicationProblem) -> Reduced:
    """Return the problem without covered rows and columns.

    Complexity: quadratic in rows and in columns, a few rounds.
    """
    rows = list(range(len(problem.alice)))
    columns = list(range(len(problem.bob)))
    imitates = {x: x for x in rows}
    answers: dict[int, tuple[int | None, int]] = {y: (y, 0) for y in columns}
    changed = True
    while changed:
        live = sum(1 << y for y in columns)
        row_masks = {x: (problem.ones[x] & live, problem.promise[x] & live) for x in rows}
        kept_rows = _uncovered(rows, row_masks, imitates)
        defined = _transposed([problem.promise[x] for x in kept_rows], len(problem.bob))
        ones = _transposed([problem.ones[x] for x in kept_rows], len(problem.bob))
        column_masks = {y: (ones[y], defined[y]) for y in columns}
        kept_columns = _uncovered_columns(columns, column_masks, answers)
        changed = len(kept_rows) < len(rows) or len(kept_columns) < len(columns)
        rows, columns = kept_rows, kept_columns
    row_at = {x: i for i, x in enumerate(rows)}
    column_at = {y: j for j, y in enumerate(columns)}
    return Reduced(
        problem,
        tuple(rows),
        tuple(columns),
        tuple(row_at[_root(imitates, x)] for x in imitates),
        tuple(_resolve(answers, column_at, y) for y in answers),
    )


Masks = tuple[int, int]


def _transposed(masks: list[int], width: int) -> list[int]:
    """Return the masks of the columns of a table whose rows are given as masks."""
    texts = [format(mask, f"0{width}b") for mask in reversed(masks)]
    return [int("".join(column), 2) for column in zip(*texts, strict=True)][::-1]


def _covers(big: Masks, small: Masks) -> bool:
    """Whether ``big`` is defined wherever ``small`` is, with the same values."""
    return not small[1] & ~big[1] and big[0] & small[1] == small[0]


def _uncovered(items: list[int], masks: dict[int, Masks], imitates: dict[int, int]) -> list[int]:
    if len({masks[x][1] for x in items}) == 1:  # only equal rows cover one another
        first: dict[Masks, int] = {}
        for x in items:
            imitates[x] = first.setdefault(masks[x], x)
        return list(first.values())
    kept: list[int] = []
    for position, x in enumerate(items):
        later = [z for z in items[position + 1 :] if masks[z] != masks[x]]
        others = [*kept, *later]  # of equal rows the first one stays
        cover = next((other for other in others if _covers(masks[other], masks[x])), None)
        if cover is None:
            kept.append(x)
        else:
            imitates[x] = cover
    return kept


def _uncovered_columns(
    items: list[int], masks: dict[int, Masks], answers: dict[int, tuple[int | None, int]]
) -> list[int]:
    kept: list[int] = []
    alike = len({masks[y][1] for y in items}) == 1  # only equal columns, or opposite ones, cover
    first: dict[Masks, int] = {}
    for position, y in enumerate(items):
        ones, inside = masks[y]
        if ones in (0, inside):
            answers[y] = (None, int(ones != 0))
            continue
        if alike:
            if (other := first.setdefault((min(ones, inside & ~ones), inside), y)) == y:
                kept.append(y)
            else:
                answers[y] = (other, int(masks[other] != masks[y]))
            continue
        flipped = (inside & ~ones, inside)
        later = [z for z in items[position + 1 :] if masks[z] not in (masks[y], flipped)]
        for other in [*kept, *later]:
            if _covers(masks[other], masks[y]) or _covers(masks[other], flipped):
                answers[y] = (other, int(not _covers(masks[other], masks[y])))
                break
        else:
            kept.append(y)
    return kept


def _root(imitates: dict[int, int], x: int) -> int:
    while imitates[x] != x:
        x = imitates[x]
    return x


def _resolve(
    answers: dict[int, tuple[int | None, int]], column_at: dict[int, int], y: int
) -> tuple[int | None, int]:
    flip = 0
    column: int | None = y
    while column is not None and column not in column_at:
        column, more = answers[column]
        flip ^= more
    return (None if column is None else column_at[column]), flip
