"""Trees of cases that are also closed by products of inequalities and by images of lemmas.

A lemma is a set of signs that a tree or a product excludes. Its images under the moves of the lines
are used in propagation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.chirotopes.cases import Chirotopes, Line
from ccsim.communication.chirotopes.inequalities import Inequalities
from ccsim.communication.chirotopes.moves import Images, Words, moves_of
from ccsim.communication.chirotopes.nodes import Image, Lemma, Tree

_FEW_SIGNS = 10  # most signs of a lemma that a tree proves


class FinalPolynomials(Chirotopes):
    """The search for chirotopes that no product of inequalities excludes."""

    def __init__(self, r: int, chosen: Sequence[Line], budget: Budget) -> None:
        super().__init__(r, chosen, budget)
        self.inequalities = Inequalities(r, len(chosen))
        self.images = Images(self.bases, moves_of(chosen))
        self.lemmas: list[Lemma] = []
        # the images of all lemmas as columns, and the lemma and the move of each
        self.words = self.images.packed(np.zeros((0, 2 * len(self.bases)), dtype=bool))
        self.sources = np.zeros((2, 0), dtype=np.int64)

    def _learned(self, tree: Tree) -> Tree:
        """Make a lemma of a tree, and return the tree that cites it."""
        nodes, used = tree
        of = [tuple(self.bases[v] for v in sorted(used) if self.signs[v] == s) for s in (0, 1)]
        words, moves = self.images.orbit([v + len(self.bases) * self.signs[v] for v in used])
        self.words = np.concatenate((self.words, words), axis=1)
        sources = np.stack((np.full_like(moves, len(self.lemmas)), moves))
        self.sources = np.concatenate((self.sources, sources), axis=1)
        self.lemmas.append(Lemma(of[0], of[1], tuple(nodes)))
        return [Image(len(self.lemmas) - 1, self.images.identity)], used

    def _cited(self, image: int) -> Tree:
        """Return a leaf that cites a lemma for an image, and the determinants of the image."""
        lemma, move = map(int, self.sources[:, image])
        used = {v % len(self.bases) for v in self.images.literals(self.words[:, image])}
        return [Image(lemma, self.images.move(move))], frozenset(used)

    def _branch(self) -> Tree | None:
        """Use lemmas and products before a sign is split on."""
        signs = np.array(self.signs)
        bits = np.concatenate((signs == 0, signs == 1))
        here, opposite = self.images.packed(np.array([bits, np.roll(bits, len(signs))])).T
        missing = self.words & ~here[:, None]
        number = np.bitwise_count(missing).sum(0, dtype=np.uint8)
        contained = np.flatnonzero(number == 0)
        if len(contained):
            return self._cited(int(contained[0]))
        for image in np.flatnonzero(number == 1):
            if not (missing[:, image] & opposite).any():
                return self._forced_by(int(image), missing[:, image])
        found = self.inequalities.excluded(self.signs)
        if found is not None:
            return self._learned(([found[0]], frozenset(found[1])))
        tree = super()._branch()
        if tree is None or len(tree[0]) == 1 or len(tree[1]) > _FEW_SIGNS:
            return tree
        return self._learned(tree)

    def _forced_by(self, image: int, missing: Words) -> Tree | None:
        """Go on with the opposite of the only sign that an image of a lemma lacks."""
        [literal] = self.images.literals(missing)
        negative, v = divmod(literal, len(self.bases))
        other = self._cited(image)
        tree = self._search(self._assign(v, 1 - negative))
        if tree is None:
            return None
        self._undo(v)
        return self._joined(v, 1 - negative, tree, other)
