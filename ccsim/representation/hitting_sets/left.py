"""What the nodes of a branching tree over hypotheses may still choose from.

Main definition: `Left`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.representation.hitting_sets.symmetries import Permutation
from ccsim.symmetry.subsets import orbit

__all__ = ["Left", "image_of", "preserving", "undominated"]


def image_of(mask: int, permutation: Permutation) -> int:
    """Return the image of a set.

    Examples
    --------
    >>> bin(image_of(0b011, (1, 2, 0)))
    '0b110'
    """
    return sum(1 << permutation[i] for i in members(mask))


def undominated(items: Mapping[int, int], opened: int) -> dict[int, int]:
    """Restrict masks to what is open and keep those that are not empty and lie in no other one.

    Parameters
    ----------
    items : mapping of int to int
        For each mask a hypothesis that has it.
    opened : int
        The open neighbourhoods, as a bit mask.

    Returns
    -------
    dict of int to int
        Largest masks first.

    Examples
    --------
    >>> undominated({0b0111: 5, 0b0110: 6, 0b1001: 7}, 0b0111)
    {7: 5}
    """
    restricted: dict[int, int] = {}
    for mask, row in items.items():
        restricted.setdefault(mask & opened, row)
    kept: dict[int, int] = {}
    for mask in sorted(restricted, key=int.bit_count, reverse=True):
        if mask and all(mask & ~other for other in kept):
            kept[mask] = restricted[mask]
    return kept


def preserving(
    moves: Iterable[Permutation], items: Collection[int], budget: Budget
) -> list[Permutation]:
    """Return the permutations that map masks to one another.

    Raises
    ------
    OutOfTimeError
        If the budget is over before.

    Examples
    --------
    >>> preserving([(1, 0), (0, 1)], {0b01: 5}, Budget())
    [(0, 1)]
    """
    found = []
    for move in moves:
        budget.spend()
        if all(image_of(mask, move) in items for mask in items):
            found.append(move)
    return found


class Left:
    """What a node of a search may still choose from: the largest masks, and all of them.

    Symmetries are to keep both, as the check of a tree does not ask which masks are largest.

    Parameters
    ----------
    items : mapping of int to int
        For each mask a hypothesis that has it.
    masks : iterable of int
        All masks.
    opened : int
        What is open, to which they are cut.

    Examples
    --------
    >>> left = Left({0b0111: 5, 0b1001: 7}, [0b0111, 0b0110, 0b1001], 0b0111)
    >>> left.items, left.masks
    ({7: 5}, {1, 6, 7})
    >>> left.drop(0b0110, 0b0001, [])
    >>> left.items, left.masks
    ({7: 5}, {1, 7})
    """

    def __init__(self, items: Mapping[int, int], masks: Iterable[int], opened: int) -> None:
        self.items = undominated(items, opened)
        self.masks = {mask & opened for mask in masks}

    def cut(self, opened: int) -> Left:
        """Return what is left where less is open."""
        return Left(self.items, self.masks, opened)

    def kept_by(self, moves: Iterable[Permutation], budget: Budget) -> list[Permutation]:
        """Return the permutations that keep it."""
        moves = preserving(moves, self.items, budget)
        return preserving(moves, self.masks, budget)

    def drop(self, mask: int, rest: int, moves: Sequence[Permutation]) -> None:
        """Drop a mask, and all within what it closes, with their images.

        Parameters
        ----------
        mask : int
        rest : int
            What is still open when it is chosen.
        moves : sequence of Permutation
            Those of `kept_by`.
        """
        for image in orbit(mask, moves, image_of):
            self.items.pop(image, None)
        for within in [each for each in self.masks if not each & rest]:
            if within in self.masks:
                images = orbit(within, moves, image_of)
                self.masks.difference_update(images)
