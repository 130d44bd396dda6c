"""The division of a search tree: each leaf is in one part."""

from __future__ import annotations

import pytest

from ccsim.parallel.division import Branch, divided


@pytest.mark.parametrize("number", [1, 3, 10, 100])
def test_parts_of_a_tree_are_disjoint_and_complete(number):
    """The leaves of a tree are the sets of four of nine numbers, in order."""

    def branches(node):
        after = range(node[-1] + 1 if node else 0, 9)
        for place, x in enumerate(after):
            below = (*node, x)
            yield Branch(place, 2 ** (9 - x), lambda below=below: below, len(below) == 3)

    groups = divided((), branches, number)
    assert min(number, 2) <= len(groups) <= 2 * number + 1
    leaves = []
    for node, first, last in (part for group in groups for part in group):
        for place in range(first, last):
            x = (node[-1] + 1 if node else 0) + place
            leaves += [set_ for set_ in SETS if set_[: len(node) + 1] == (*node, x)]
    assert sorted(leaves) == SETS


SETS = sorted(
    (a, b, c, d)
    for a in range(9) for b in range(a + 1, 9) for c in range(b + 1, 9) for d in range(c + 1, 9)
)  # fmt: skip
