"""Lower bounds on the size of representations that need no search, each with its proof."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.certificates import Certificate, Certified, encode_fraction
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.communication.reductions import LittlestoneBound
from ccsim.data import frozen
from ccsim.dimensions import MistakeTree, littlestone_dimension
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import as_fraction
from ccsim.representation.branching import Branching, Node
from ccsim.representation.hypotheses import check_not_empty
from ccsim.representation.neighbourhoods import Neighbourhood, hypotheses_of, masks_of, members_of


@frozen
class SizeLowerBound(Certified):
    """A number of hypotheses that every representation needs.

    Attributes
    ----------
    concept_class : ConceptClass
    error : Fraction
    failure : Fraction or None
        None if the bound is on deterministic representations.
    lower : int
    proof : tuple of int, Branching or MistakeTree
        Points that hypotheses tell apart; neighbourhoods with weights; or a mistake tree.
    """

    question = "a lower bound on the size of representations"
    asked = ("concept_class", "error", "failure")
    answered = ("lower",)

    concept_class: ConceptClass
    error: Fraction
    failure: Fraction | None
    lower: int
    proof: tuple[int, ...] | Branching | MistakeTree

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel, without an upper bound."""
        proof: dict[str, Any]
        if isinstance(self.proof, MistakeTree):
            tree = {"mistake_tree": {"tree": self.proof.to_json()}}
            proof = {"littlestone": {"dimension": tree}}
        elif isinstance(self.proof, Branching):
            proof = {"branching": self.proof.to_json(None)}
        else:
            proof = {"separation": {"points": list(self.proof)}}
        return Certificate(
            "representation_size",
            self.concept_class.to_json(),
            {
                "error": encode_fraction(self.error),
                "pool": None,
                "failure": encode_fraction(self.failure or 0),
                "lower": self.lower,
                "upper": None,
            },
            proof,
            None,
        )


@checked_types
def separation_bound(concept_class: ConceptClass, error: Fraction | int | str) -> SizeLowerBound:
    """Return how many hypotheses it takes to tell the points of a class apart.

    For an error below 1/2 the hypotheses differ on any two points on which some concept does, so
    that ``n`` of them tell at most ``2**n`` points apart. Where for any two points, in either
    order, some concept is 1 on the first and 0 on the second, as for point functions, the sets of
    hypotheses that are 1 on a point are an antichain, and there are at most ``comb(n, n // 2)``.

    Parameters
    ----------
    concept_class : ConceptClass
    error : Fraction, int or str
        From 0 to below 1/2.

    Raises
    ------
    DomainError
        If the error is 1/2 or more, where one hypothesis may be enough, or the class is empty.

    Notes
    -----
    Source: `bbkn` Lemma 3.10, sharpened by Sperner's theorem.

    Examples
    --------
    >>> from ccsim.classes import points, thresholds
    >>> separation_bound(points(3), "1/3").lower, separation_bound(thresholds(3), "1/3").lower
    (5, 3)
    """
    allowed = as_fraction(error, "error", 0)
    if allowed >= Fraction(1, 2):
        raise DomainError(f"points are told apart by an error below 1/2, not {allowed}")
    check_not_empty(concept_class)
    first: dict[int, int] = {}
    for x, ones in enumerate(columns(concept_class)):
        first.setdefault(ones, x)
    antichain = all(a & ~b for a in first for b in first if a != b)
    lower = 1
    while (comb(lower, lower // 2) if antichain else 2**lower) < len(first):
        lower += 1
    return SizeLowerBound(concept_class, allowed, None, lower, tuple(first.values()))


@checked_types
def counting_bound(concept_class: ConceptClass, error: Fraction | int | str) -> SizeLowerBound:
    """Return the number of concepts divided by how many one hypothesis is close to, rounded up.

    Close under the uniform distribution over the points.

    Parameters
    ----------
    concept_class : ConceptClass
        At least one concept, at most 10 points.
    error : Fraction, int or str
        Between 0 and 1.

    Raises
    ------
    DomainError
        If the class is empty.
    InstanceTooLargeError
        Above 10 points, where the hypotheses are too many to be listed.

    Examples
    --------
    >>> from ccsim.classes import all_functions
    >>> counting_bound(all_functions(3), "1/4").lower, counting_bound(all_functions(3), "1/3").lower
    (8, 2)
    """
    allowed = as_fraction(error, "error", 0, 1)
    C = concept_class
    pool = hypotheses_of(C, None)
    even = (1,) * len(C.points)
    near = tuple(Neighbourhood(f, even) for f in range(len(C)))
    masks = masks_of(pool, [members_of(C, allowed, pool, each) for each in near])
    lower = -(-len(C) // max(map(int.bit_count, masks)))
    node = Node((), (), tuple((f, 1) for f in range(len(C))))
    return SizeLowerBound(C, allowed, None, lower, Branching(near, (), (node,)))


@checked_types
def littlestone_size_bound(
    concept_class: ConceptClass,
    error: Fraction | int | str,
    failure: Fraction | int | str | None = None,
) -> SizeLowerBound:
    """Return the bound ``2**((1 - H(e)) LDim)`` on the size of a representation, rounded up.

    Here ``e`` is the error, or ``1 - (1 - error)(1 - failure)`` for random sets: with so much error
    Alice names a hypothesis of the set, and the number of messages is bounded.

    Parameters
    ----------
    concept_class : ConceptClass
        At least one concept.
    error : Fraction, int or str
        Between 0 and 1/2.
    failure : Fraction, int or str, optional
        Of random sets; deterministic ones without it.

    Raises
    ------
    DomainError
        If the class is empty or ``e`` is above 1/2.

    Notes
    -----
    Source: `fx` Corollary 11 (=4.3) with Theorems 7 (=3.1) and 8 (=3.2).

    Examples
    --------
    >>> from ccsim.classes import all_functions
    >>> littlestone_size_bound(all_functions(4), "1/8").lower
    4
    >>> littlestone_size_bound(all_functions(4), "1/8", "1/8").lower
    2
    """
    allowed = as_fraction(error, "error", 0, 1)
    risk = None if failure is None else as_fraction(failure, "failure", 0, 1)
    check_not_empty(concept_class)
    tree = littlestone_dimension(concept_class).tree
    if tree is None:
        raise CertificateError("a class with a concept has a mistake tree")
    mistaken = allowed if risk is None else 1 - (1 - allowed) * (1 - risk)
    lower = LittlestoneBound(tree.depth, mistaken).least_messages
    return SizeLowerBound(concept_class, allowed, risk, lower, tree)
