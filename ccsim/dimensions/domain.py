"""The points that a class distinguishes: effective domain size and representative domain.

Two points are equivalent if every concept labels them equally. A representative domain (`pap`
Definition 2) contains one point of each equivalence class; its size is the effective size (`bns`
Definition 4.14).
"""

from __future__ import annotations

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate, Certified
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer
from ccsim.errors import DomainError


@frozen
class RepresentativeDomain(Certified):
    """One representative of each set of points on which all concepts agree.

    Attributes
    ----------
    concept_class : ConceptClass
    representatives : tuple of int
        The representative of each point, written ``X_H(x)`` in `pap`.

    Examples
    --------
    >>> C = ConceptClass.from_matrix([[0, 1, 0, 1], [1, 1, 1, 1]])
    >>> domain = representative_domain(C)
    >>> domain.points, domain.representatives, domain.projection.rows
    ((0, 1), (0, 1, 0, 1), (2, 3))
    >>> domain.represent([3, 3, 2])
    (1, 1, 0)
    >>> domain.check()
    """

    question = "a representative domain"
    asked = ("concept_class",)
    answered = ("points",)

    concept_class: ConceptClass
    representatives: tuple[int, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """The distinct representatives, which are the first points of the equivalence classes."""
        return tuple(dict.fromkeys(self.representatives))

    def __len__(self) -> int:
        return len(self.points)

    @property
    def projection(self) -> ConceptClass:
        """The class restricted to the representatives; it has the same number of concepts."""
        return self.concept_class.project(self.points)

    def represent(self, points: list[int] | tuple[int, ...]) -> tuple[int, ...]:
        """Return a list of points with every point replaced by its representative."""
        for x in points:
            if not 0 <= x < len(self.representatives):
                raise DomainError(
                    f"points must be at least 0 and below {len(self.representatives)}, not {x}"
                )
        return tuple(self.representatives[x] for x in points)

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``effective_domain`` for the number of points."""
        size = len(self.points)
        return EffectiveDomainSize(
            self.concept_class, size, size, self.points, self.representatives
        ).certificate()


@frozen
class EffectiveDomainSize(ClassAnswer):
    """The effective size of the domain of a class, with a proof of each bound.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds on the effective size, which are equal.
    points : tuple of int
        ``lower`` points, any two of which have different labels under some concept.
    representatives : tuple of int
        The representative of each point. Every concept gives the same label to a point and to its
        representative. There are ``upper`` different representatives.
    """

    quantity = "the effective size of the domain"
    _kind = "effective_domain"

    points: tuple[int, ...]
    representatives: tuple[int, ...]

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``effective_domain``."""
        return self._with_proofs(
            {"apart": {"points": list(self.points)}},
            {"representatives": {"points": list(self.representatives)}},
        )


@checked_types
def representative_domain(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> RepresentativeDomain:
    """Return a complete set of distinct representatives of the points of a class.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit : float or Budget, optional
        Seconds after which reading a text is stopped.
    progress : callable, optional
        Called once, with the number of representatives as lower and upper bound.

    Returns
    -------
    RepresentativeDomain
        The first point of each equivalence class (`pap` Definition 2).

    Notes
    -----
    The size of the domain is at most ``2**len(concept_class)``. If the dual VC dimension is ``p >=
    1``, it is at most ``(e len(concept_class) / p)**p`` (`pap` Claim 3).

    Complexity: one pass over the entries.

    Examples
    --------
    Three thresholds on seven points distinguish four intervals:

    >>> C = ConceptClass.from_callable(lambda t, x: int(x <= t), [1, 3, 5], range(7))
    >>> [C.points[x] for x in representative_domain(C).points]
    [0, 2, 4, 6]
    """
    budget = Budget.of(time_limit, progress)
    concept_class = as_class(concept_class, budget)
    first: dict[int, int] = {}
    column = columns(concept_class)
    representatives = tuple(first.setdefault(ones, x) for x, ones in enumerate(column))
    budget.report(len(first), len(first))
    return RepresentativeDomain(concept_class, representatives)


@checked_types
def effective_domain_size(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> EffectiveDomainSize:
    """Return the effective size of the domain of a class.

    It is the number of distinct columns, that is, the largest number of points such that any two
    are labelled differently by some concept (`bns` Definition 4.14). For a class without concepts
    it is 1 if there is a point, and 0 otherwise.

    Parameters
    ----------
    concept_class, time_limit, progress
        As for `representative_domain`.

    Examples
    --------
    >>> from ccsim.classes import intervals
    >>> result = effective_domain_size(intervals(5))
    >>> result.value
    5
    >>> result.check()
    """
    found = representative_domain(concept_class, time_limit=Budget.of(time_limit, progress))
    points = found.points
    size = len(points)
    return EffectiveDomainSize(found.concept_class, size, size, points, found.representatives)
