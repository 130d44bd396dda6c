"""One-way protocols as two-way protocols, and two-way protocols with the players exchanged."""

from __future__ import annotations

from functools import lru_cache

from ccsim.communication.protocols.play import PLAYERS
from ccsim.communication.protocols.symmetric import SymmetricMixture
from ccsim.communication.protocols.tables import (
    PublicCoinProtocol,
    SymmetricProtocol,
    expanded,
)
from ccsim.communication.protocols.two_way import Turn, TwoWayProtocol
from ccsim.symmetry.matrix import Symmetry

_EXPLICIT = 512  # most components of a one-way protocol that becomes a two-way protocol


@lru_cache(maxsize=8)  # the results of a curve ask for the same protocols
def as_trees(protocol: PublicCoinProtocol | SymmetricProtocol) -> SymmetricMixture | None:
    """Return a one-way protocol as a mixture of trees; None if it has too many components.

    Symmetries that flip some columns only are applied to the components.
    """
    base = protocol if isinstance(protocol, PublicCoinProtocol) else protocol.base
    symmetries = () if isinstance(protocol, PublicCoinProtocol) else protocol.symmetries
    parts = list(zip(base.weights, base.components, strict=True))
    if any(g.flips not in (0, (1 << base.num_bob) - 1) for g in symmetries):
        images = expanded(parts, symmetries, _EXPLICIT)
        if images is None:
            return None
        parts, symmetries = images, ()
    return SymmetricMixture(
        tuple(w for w, _ in parts), tuple(P.to_two_way() for _, P in parts), symmetries
    )


def exchanged(protocol: SymmetricMixture) -> SymmetricMixture:
    """Return a mixture of trees with the players exchanged."""
    n, m = protocol.num_bob, protocol.num_alice
    trees = [
        TwoWayProtocol(
            tuple(
                Turn(PLAYERS[1 - node.side], node.messages) if isinstance(node, Turn) else node
                for node in tree.nodes
            ),
            n,
            m,
        )
        for tree in protocol.components
        if isinstance(tree, TwoWayProtocol)
    ]
    moved = [
        Symmetry(g.columns, g.rows, (1 << m) - 1 if g.flips else 0) for g in protocol.symmetries
    ]
    return SymmetricMixture(protocol.weights, tuple(trees), tuple(moved))
