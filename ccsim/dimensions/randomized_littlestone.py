"""The randomised Littlestone dimension: half of the mean depth of a shattered tree.

Conventions (Filmus, Hanneke, Mehalel and Moran 2023, "Optimal prediction using expert advice and
randomized Littlestone dimension", arXiv 2302.13849): a shattered tree asks points, and every branch
fits some concept; branches may have different lengths. A random branch takes either label of each
point with probability 1/2. The dimension is half of the largest mean length of a random branch,
which is the least expected number of mistakes of a randomised learner. The empty class shatters no
tree, not even a leaf; its dimension is -1, as for the other dimensions.

Statement: say that ``e_V`` bounds the mean length in a version space ``V``, the concepts that fit
some answers. The best one is the least solution of ``e_V >= 1 + (e_V0 + e_V1) / 2`` for every
point that splits V into V0 and V1, with 0 for single concepts. So potentials prove the dimension
from above, and a tree from below.
"""

from __future__ import annotations

from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate, Certified, encode_fraction, no_cycles
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.dimensions.mistake_trees.mean_depth import MeanDepthPotentials, MeanDepthTree
from ccsim.dimensions.version_spaces.mean_depths import even_tree, prove_means
from ccsim.dimensions.version_spaces.splits import split_spaces, useful_symmetries
from ccsim.errors import DomainError


@frozen
class RandomizedLittlestoneResult(Certified):
    """The randomised Littlestone dimension of a class with a proof of each bound.

    Attributes
    ----------
    concept_class : ConceptClass
    value : Fraction
        At least 0; -1 for the empty class.
    tree : MeanDepthTree
        A tree of twice the mean depth.
    potentials : MeanDepthPotentials
        Bounds on the mean depth in version spaces.
    """

    question = "the randomised Littlestone dimension"
    asked = ("concept_class",)
    answered = ("value",)

    concept_class: ConceptClass
    value: Fraction
    tree: MeanDepthTree
    potentials: MeanDepthPotentials

    @no_cycles()
    def certificate(self) -> Certificate:
        """Return the certificate of kind ``randomized_littlestone_dimension``."""
        value = encode_fraction(self.value)
        return Certificate(
            "randomized_littlestone_dimension",
            self.concept_class.to_json(),
            {"lower": value, "upper": value},
            self.tree.to_json(),
            self.potentials.to_json(),
        )


@checked_types
def randomized_littlestone_dimension(
    concept_class: ClassLike, *, time_limit: TimeLimit = None
) -> RandomizedLittlestoneResult:
    """Return half of the largest mean length of a random branch of a shattered tree, with proofs.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit : float or Budget, optional

    Returns
    -------
    RandomizedLittlestoneResult
        Its value is -1 if there is no concept.

    Raises
    ------
    InstanceTooLargeError
        If there are too many version spaces, `MAX_SPACES` of `version_spaces.splits`.
    NotDecidedError
        If it takes longer than the limit.

    Notes
    -----
    Complexity: version spaces up to symmetry, times points. Halfspaces on {0,1}^4, with 672 of
    them, take some seconds. Where asking the most even point reaches the bound by size, as among
    a thousand thresholds, it is concepts times points.
    Source: Filmus, Hanneke, Mehalel and Moran (2023), arXiv 2302.13849.

    Examples
    --------
    >>> from ccsim.classes import intervals, thresholds
    >>> result = randomized_littlestone_dimension(thresholds(3))
    >>> result.value
    Fraction(3, 2)
    >>> result.check()
    >>> randomized_littlestone_dimension(intervals(6)).value
    Fraction(139, 64)
    """
    budget = Budget.of(time_limit)
    C = as_class(concept_class, budget)
    if not C.rows:
        nothing = MeanDepthTree(()), MeanDepthPotentials(())
        return RandomizedLittlestoneResult(C, Fraction(-1), *nothing)
    if tree := even_tree(C, budget):
        value = most_randomized_littlestone(len(C))
        return RandomizedLittlestoneResult(C, value, tree, MeanDepthPotentials(()))
    symmetries = useful_symmetries(C, budget)
    spaces = split_spaces(C, budget)
    unit = 1 << len(C.points)  # no branch is longer, so that all means are multiples of 1 / unit
    means = [0] * (len(spaces) + 1)  # the last one for single concepts
    for i in sorted(range(len(spaces)), key=lambda i: spaces[i].size):
        budget.spend()
        means[i] = unit + max(means[a] + means[b] for _, a, b in spaces[i].splits) // 2
    proofs = prove_means(C, spaces, symmetries, means, budget)
    return RandomizedLittlestoneResult(C, Fraction(means[0], 2 * unit), *proofs)


@checked_types
def most_randomized_littlestone(size: int) -> Fraction:
    """Return the largest randomised Littlestone dimension of a class of a given size.

    Thresholds have it: the concepts of a chain are split as evenly as can be. For
    ``size = 2**k + r`` with ``0 <= r < 2**k`` it is ``(k + r / 2**k) / 2``. The empty class has -1.

    Parameters
    ----------
    size : int
        Concepts, at least 0.

    Raises
    ------
    DomainError
        If the size is negative.

    Notes
    -----
    Source: a tree of mean depth ``sum of 2**-depth`` over its nodes has a node less than leaves,
    and at most ``2**d`` nodes of depth ``d``.

    Examples
    --------
    >>> [str(most_randomized_littlestone(n)) for n in (0, 1, 2, 3, 4, 6)]
    ['-1', '0', '1/2', '3/4', '1', '5/4']
    """
    if size < 0:
        raise DomainError(f"size must be at least 0, not {size}")
    if not size:
        return Fraction(-1)
    k = size.bit_length() - 1
    return (k + Fraction(size - (1 << k), 1 << k)) / 2
