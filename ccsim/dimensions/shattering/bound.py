"""Proofs that no set of a given size is shattered, and their JSON for certificates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from ccsim.certificates.envelope import encode_integers
from ccsim.data import frozen
from ccsim.dimensions.shattering.spanning_tree import Edge
from ccsim.symmetry.matrix import Symmetry

Vector = tuple[int, ...]
_DRAWN = 8  # sets by which it is decided what the check of a proof looks at first


@frozen
class ShatteringBound:
    """A proof that no set of a given size is shattered."""

    # ``"size"``: there are too few rows; ``"spanning tree"``: columns cross too few of its edges;
    # ``"signs"``: the ones are where vectors have a positive product, and these have too few
    # entries; ``"counting"``: by the numbers of rows in cells no set of columns grows so far;
    # ``"extension"``: the same by the different rows in one cell of each set
    method: str
    # the spanning tree of the rows; each edge leads from the tree so far to a new row
    edges: tuple[Edge, ...] = ()
    # of the table; Of sets that they exchange one needs to be extended
    symmetries: tuple[Symmetry, ...] = ()
    # the vectors of the columns and of the rows
    columns: tuple[Vector, ...] = ()
    rows: tuple[Vector, ...] = ()
    positive: Vector = ()  # A vector whose products with those of all rows are positive, or empty

    def renamed(self, rows: Sequence[int], copies: Sequence[Edge]) -> ShatteringBound:
        """Return the bound for renumbered rows, extended to the given copies of rows."""
        if self.method == "signs":
            vectors = dict(zip(rows, self.rows, strict=True))
            vectors |= {copy: vectors[row] for row, copy in copies}
            return replace(self, rows=tuple(vectors[r] for r in sorted(vectors)))
        if self.method != "spanning tree":
            return ShatteringBound(self.method) if copies else self
        edges = ((rows[r], rows[s]) for r, s in self.edges)
        return ShatteringBound(self.method, (*edges, *copies))

    def to_json(self, rows: Sequence[int], width: int, upper: int) -> dict[str, Any]:
        """Return the proof of an upper bound as JSON for a certificate."""
        if self.method == "spanning tree":
            return {"spanning_tree": {"edges": [list(edge) for edge in self.edges]}}
        symmetries = [symmetry.to_json() for symmetry in self.symmetries]
        if self.method == "signs":
            columns, vectors = ([*map(encode_integers, vs)] for vs in (self.columns, self.rows))
            positive = encode_integers(self.positive)
            return {"signs": {"columns": columns, "rows": vectors, "positive": positive}}
        if self.method == "counting":
            return {"counting": {"size": upper + 1, "symmetries": symmetries}}
        followed = self.method == "extension"
        labels = _labels_to_follow(rows, width, upper) if followed else "0" * max(upper, 0)
        return {"extension": {"size": upper + 1, "labels": labels, "symmetries": symmetries}}


def _labels_to_follow(rows: Sequence[int], width: int, length: int) -> str:
    """Return labels of the cell that the check splits, chosen for few rows on sampled columns."""
    if not 0 < length <= width:
        return "0" * length
    random, labels = Random(0), ""  # noqa: S311 - a seed, not a secret
    drawn = [sorted(random.sample(range(width), length)) for _ in range(_DRAWN)]
    cells = [set(rows)] * _DRAWN
    for t in range(length):
        parts = [
            [{row >> x + 1 << x + 1 for row in cell if row >> x & 1 == b} for b in (0, 1)]
            for cell, x in ((cell, chosen[t]) for cell, chosen in zip(cells, drawn, strict=True))
        ]
        zeros, ones = (sum(len(part[b]) for part in parts) for b in (0, 1))
        label = int(ones < zeros)
        labels, cells = f"{labels}{label}", [part[label] for part in parts]
    return labels
