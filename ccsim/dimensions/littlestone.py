"""The Littlestone dimension of a finite class, with a proof of each bound.

Main definitions: `LittlestoneResult`, `littlestone_dimension`.

Conventions (`fx` Definition 2.4): the largest depth of a complete mistake tree; 0 for one concept,
-1 for the empty class, which has no tree at all.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.dimensions.littlestone_search import search
from ccsim.dimensions.mistake_tree import MistakeTree
from ccsim.dimensions.refutation import LittlestoneRefutation
from ccsim.errors import CertificateError

__all__ = ["LittlestoneResult", "littlestone_dimension"]


@dataclass(frozen=True, slots=True)
class LittlestoneResult:
    """The Littlestone dimension of a class and what proves it.

    Attributes
    ----------
    concept_class : ConceptClass
    value : int
        At least -1.
    tree : MistakeTree or None
        Complete mistake tree of depth ``value``; None exactly for the value -1.
    refutation : LittlestoneRefutation
        No tree has depth ``value + 1``.
    method : str
        How the value was found.
    """

    concept_class: ConceptClass
    value: int
    tree: MistakeTree | None
    refutation: LittlestoneRefutation
    method: str

    def check(self) -> None:
        """Check tree and refutation from the definition, without the search.

        Raises
        ------
        CertificateError
            At the first path or entry that does not hold.
        """
        depth = -1
        if self.tree is not None:
            self.tree.check(self.concept_class)
            depth = self.tree.depth
        if depth != self.value:
            has = "there is no tree" if self.tree is None else f"the tree has depth {depth}"
            msg = f"{has}, the dimension is said to be {self.value}"
            raise CertificateError(msg)
        self.refutation.check(self.concept_class, self.value)

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``littlestone_dimension``.

        The bound -1 from below needs no proof and has an empty one.
        """
        return Certificate(
            "littlestone_dimension",
            self.concept_class.to_json(),
            {"lower": self.value, "upper": self.value},
            {} if self.tree is None else {"tree": self.tree.to_json()},
            {"refutation": self.refutation.to_json()},
        )


def littlestone_dimension(concept_class: ConceptClass) -> LittlestoneResult:
    """Return the largest depth of a complete mistake tree of a class, with both proofs.

    Parameters
    ----------
    concept_class : ConceptClass

    Returns
    -------
    LittlestoneResult
        ``value`` lies between -1 and ``log2`` of the number of concepts.

    Notes
    -----
    Complexity: exponential in general. Thresholds over 256 points, intervals on 40 points, lines
    over Z_7 and random classes of 30 concepts over 20 points take milliseconds; unions of two
    intervals on 16 points (2517 concepts) half a second.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> result = littlestone_dimension(thresholds(2))
    >>> result.value, result.tree
    (2, MistakeTree(root=(1, (2, 3, 2), (0, 1, 0))))
    >>> result.check()
    """
    value, tree, refutation = search(concept_class)
    return LittlestoneResult(concept_class, value, tree, refutation, "version spaces")
