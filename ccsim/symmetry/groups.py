"""Permutation groups given by generators: orbits, and all elements of a small one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

H = TypeVar("H", bound=Hashable)


Permutation = tuple[int, ...]
"""The image of each number."""


def orbits_of(items: Iterable[H], moves: Iterable[Iterable[tuple[H, H]]]) -> dict[H, H]:
    """Return for each item the first item of its orbit."""
    number = {item: i for i, item in enumerate(items)}
    ordered = list(number)
    parent = list(range(len(ordered)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for move in moves:
        for item, image in move:
            a, b = root(number[item]), root(number[image])
            parent[max(a, b)] = min(a, b)
    return {item: ordered[root(i)] for i, item in enumerate(ordered)}


def group_of(size: int, generators: Iterable[Permutation], most: int) -> list[Permutation]:
    """Return the elements of the group that permutations generate, the identity first.

    A generator with which the group would have more than ``most`` elements is left out.

    Complexity: ``most`` times generators times ``size``.
    """
    kept: list[Permutation] = []
    elements = [tuple(range(size))]
    for generator in generators:
        grown = _extended(elements, [*kept, generator], most)
        if grown is not None:
            kept.append(generator)
            elements = grown
    return elements


def _extended(
    group: list[Permutation], generators: list[Permutation], most: int
) -> list[Permutation] | None:
    """Return the group that permutations generate, or None if it is too large.

    All but the last of them generate a subgroup, the identity first. Its cosets are added until
    every generator maps their leaders into them (Dimino's algorithm).
    """
    elements, seen, leaders = list(group), set(group), [group[0]]
    for leader in leaders:  # grows while it is read
        for generator in generators:
            image = _product(leader, generator)
            if image not in seen:
                if len(elements) + len(group) > most:
                    return None
                coset = [_product(element, image) for element in group]
                leaders.append(image)
                elements += coset
                seen.update(coset)
    return elements


def _product(first: Permutation, second: Permutation) -> Permutation:
    """Return the permutation that applies the second one, then the first one."""
    return tuple(map(first.__getitem__, second))
