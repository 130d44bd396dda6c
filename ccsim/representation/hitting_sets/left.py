"""What the nodes of a branching tree over hypotheses may still choose from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.representation.hitting_sets.symmetries import Permutation
from ccsim.symmetry.groups import orbit


def image_of(mask: int, permutation: Permutation) -> int:
    """Return the image of a set."""
    return sum(1 << permutation[i] for i in members(mask))


def undominated(items: Mapping[int, int], opened: int) -> dict[int, int]:
    """Restrict masks to what is open and keep those that are not empty and lie in no other one."""
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
    """Return the permutations that map masks to one another."""
    found = []
    for move in moves:
        budget.spend()
        if all(image_of(mask, move) in items for mask in items):
            found.append(move)
    return found


class Left:
    """What a node of a search may still choose from: the largest masks, and all of them.

    Symmetries are to keep both, as the check of a tree does not ask which masks are largest.
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
        """Drop a mask, and all within what it closes, with their images."""
        for image in orbit(mask, moves, image_of):
            self.items.pop(image, None)
        for within in [each for each in self.masks if not each & rest]:
            if within in self.masks:
                images = orbit(within, moves, image_of)
                self.masks.difference_update(images)
