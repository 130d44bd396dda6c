"""Proofs of a mean depth: a tree of version spaces from below, potentials of them from above.

Implementation notes: an entry is about a version space, the concepts that agree with its literals
``2x + b``, "point x has label b", and rests on earlier ones; or it is the image of an earlier entry
under a symmetry.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from ccsim.data import frozen
from ccsim.symmetry.matrix import Symmetry

Image: TypeAlias = tuple[int, int]
"""Numbers of an earlier entry and of a symmetry."""
Asked: TypeAlias = tuple[tuple[int, ...], int, int | None, int | None]
"""Literals, point, and for each label the number of an entry inside the side; None: a concept."""
Bounded: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Literals, sides that are bounded by an entry which contains them, and the numbers of these."""


@frozen
class MeanDepthTree:
    """A shattered tree whose parts are listed once for each orbit of version spaces."""

    # the last one is the whole tree; with none the tree is a leaf
    entries: tuple[Asked | Image, ...]
    symmetries: tuple[Symmetry, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the proof from below as it stands in a certificate."""
        if not self.entries:
            return {"trivial": {}}
        return {"tree": _table(self.entries, self.symmetries)}


@frozen
class MeanDepthPotentials:
    """How deep trees are at most, on average, in version spaces; sizes bound all others."""

    # the last one is about the whole class; with none the number of concepts is the bound
    entries: tuple[Bounded | Image, ...]
    symmetries: tuple[Symmetry, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the proof from above as it stands in a certificate."""
        if not self.entries:
            return {"size": {}}
        return {"potentials": _table(self.entries, self.symmetries)}


def _table(entries: Iterable[tuple[Any, ...]], symmetries: Iterable[Symmetry]) -> dict[str, Any]:
    spaces = [[list(part) if isinstance(part, tuple) else part for part in e] for e in entries]
    return {"symmetries": [symmetry.to_json() for symmetry in symmetries], "spaces": spaces}
