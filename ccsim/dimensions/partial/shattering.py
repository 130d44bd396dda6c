"""Sets of lines of a partial class that are shattered by positions defined on all of them."""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.budget import Budget

Sides = tuple[int, int]  # of a line: its positions with label 0, and those with label 1


def largest_shattered(
    lines: Sequence[Sides], height: int, budget: Budget
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return shattered lines, a position for each labelling, and an upper bound on their number.

    There must be at least one position. Sizes are tried in increasing order.
    """
    best: tuple[int, ...] = ()
    realising: tuple[int, ...] = (0,)
    upper = height.bit_length() - 1
    with budget:
        while len(best) < upper:
            budget.report(len(best), upper)
            everything = [(1 << height) - 1]
            found = _grow(lines, everything, [*range(len(lines))], len(best) + 1, budget)
            if found is None:
                upper = len(best)
            else:
                best, cells = found
                realising = tuple((cell & -cell).bit_length() - 1 for cell in cells)
        budget.report(len(best), upper)
    return best, realising, upper


def _grow(
    lines: Sequence[Sides], cells: list[int], among: list[int], more: int, budget: Budget
) -> tuple[tuple[int, ...], list[int]] | None:
    """Return ``more`` lines that split all cells, and the new cells; the label of each is a bit.

    If they split all cells, each of them has each label on at least ``2**(more - 1)`` positions of
    every cell.
    """
    if not more:
        return (), cells
    half = 1 << (more - 1)
    fit = among
    for cell in cells:
        budget.spend()
        fit = [y for y in fit if all((cell & side).bit_count() >= half for side in lines[y])]
    for i, y in enumerate(fit[: max(0, len(fit) - more + 1)]):
        split = [cell & lines[y][b] for b in (0, 1) for cell in cells]
        if (found := _grow(lines, split, fit[i + 1 :], more - 1, budget)) is not None:
            return (y, *found[0]), found[1]
    return None
