"""Lower bounds on the examples of private learners, by packings of targets.

A *target* is a concept with a distribution over points; a hypothesis is good for it if its error
there is at most the accuracy. Where no hypothesis is good for two targets, a private learner has
to answer differently on samples that are hard to tell apart, and needs many examples. The targets
are the whole proof: what they are, not how they were found (`ccsim.learning.lower_bound`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from ccsim.budget import Budget, TimeLimit
from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction, probability_vector
from ccsim.exact.bounds import check_fields
from ccsim.representation import HypothesisSet, MinimalityResult

MAX_SHARES = 1 << 16
"""Most pairs of errors that are kept while hypotheses good for two targets are searched for."""

HardTarget = tuple[int, tuple[Fraction, ...]]


@validated
class LearningPacking:
    r"""Targets of a class such that no hypothesis is good for two of them.

    Attributes
    ----------
    concept_class : ConceptClass
    hypotheses : HypothesisSet or None
        What a learner may answer; None for all functions of the points.
    accuracy : Fraction
        A hypothesis is good for a target if its error is at most that. Between 0 and 1.
    targets : tuple of (concept, distribution)
        Number of a concept, and a distribution over points. At least one, no two of which label
        and draw examples in the same way.

    Notes
    -----
    Let ``P`` and ``Q`` be the laws of a labelled example of two targets, ``t`` their statistical
    distance, and ``p(z)`` the probability of an event of the learner on a sample ``z``. For one
    example, ``p <= e^epsilon p'`` for any two of its values gives ``E_Q p - E_P p <= t (e^epsilon -
    1) min p``, hence ``E_Q p <= (1 + t (e^epsilon - 1)) E_P p``; exchanging ``m`` examples one by
    one divides ``E p`` by at most ``g = 1 + t (e^epsilon - 1)`` each time, and multiplies ``E (1 -
    p)`` by at most ``g``. Take for ``P`` the center, for ``Q`` each other target and for ``p`` the
    probability that the answer is good for it, which has ``E_{Q^m} (1 - p) <= failure``. After
    ``s`` exchanges it still has ``E p >= 1 - failure g^s``, and after all of them ``E_{P^m} p >=
    (1 - failure g^s) g^(s - m)``. The answers good for different targets are different, and those
    not good for the center have probability at most ``failure`` together:

        sum over the other targets of max over s of (1 - failure g^s) g^(s - m) <= failure.

    With disjoint targets, ``t = 1``, and ``s = 0`` this is the argument of `bbkn` Theorem 3.6; the
    best ``s`` counts the failure twice, so that ``ln(1 / failure)`` has the factor 2. For targets
    that share most of their mass it sharpens `bbkn` Lemma 3.9, which has ``e^(4 epsilon t)`` for
    ``g``.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> masses = [tuple(Fraction(int(x == i)) for x in range(4)) for i in range(4)]
    >>> C = points(2)
    >>> proper = LearningPacking(
    ...     C, HypothesisSet.from_rows(C.rows, 4), Fraction(1, 4), tuple(enumerate(masses))
    ... )
    >>> print(proper.shared())
    None
    >>> dict(proper.distances(center=0))
    {Fraction(1, 1): 3}
    """

    concept_class: ConceptClass
    hypotheses: HypothesisSet | None
    accuracy: Fraction
    targets: tuple[HardTarget, ...]

    def __post_init__(self) -> None:
        check_fields(self, DomainError)
        C, H = self.concept_class, self.hypotheses
        as_fraction(self.accuracy, "accuracy", 0, 1)
        if H is not None and H.num_points != len(C.points):
            raise DomainError(
                f"hypotheses are over {H.num_points} points, the class over {len(C.points)}"
            )
        if not self.targets:
            raise DomainError("a packing needs at least one target")
        for i, (concept, distribution) in enumerate(self.targets):
            probability_vector(distribution, f"distribution of target {i}")
            if not 0 <= concept < len(C) or len(distribution) != len(C.points):
                raise DomainError(
                    f"target {i} must have a concept below {len(C)} and {len(C.points)} "
                    f"probabilities, not concept {concept} and {len(distribution)}"
                )

    @classmethod
    def of_minimal(cls, minimal: MinimalityResult) -> LearningPacking:
        """Return the packing of a minimal representation: where each hypothesis is needed.

        It bounds the learners that use the representation (`bbkn` Theorem 3.6).

        Raises
        ------
        DomainError
            If the representation is not minimal.

        Examples
        --------
        >>> from ccsim.classes import points
        >>> from ccsim.representation import minimality
        >>> C = points(3)
        >>> own = minimality(HypothesisSet.from_rows(C.rows, 8), C, "1/4")
        >>> len(LearningPacking.of_minimal(own).targets)
        8
        """
        if not minimal.minimal:
            raise DomainError(
                "only a minimal representation gives a packing, and this one is not minimal"
            )
        whole = minimal.whole
        return cls(whole.concept_class, whole.hypotheses, minimal.error, minimal.needed)

    def distance(self, first: int, second: int) -> Fraction:
        """Return the statistical distance of the labelled examples of two targets."""
        (f, D), (g, E) = self.targets[first], self.targets[second]
        differ = self.concept_class.rows[f] ^ self.concept_class.rows[g]
        common = (
            min(p, q) for x, (p, q) in enumerate(zip(D, E, strict=True)) if not differ >> x & 1
        )
        return 1 - sum(common, Fraction(0))

    def distances(self, center: int) -> Counter[Fraction]:
        """Return how many other targets have each distance from a center."""
        others = (i for i in range(len(self.targets)) if i != center)
        return Counter(self.distance(center, i) for i in others)

    def shared(self, time_limit: TimeLimit = None) -> tuple[int, int] | None:
        """Return two targets for which one hypothesis is good, or None: then this is a packing.

        Parameters
        ----------
        time_limit : float or Budget, optional

        Raises
        ------
        OutOfTimeError
            If it takes longer.
        InstanceTooLargeError
            If all functions count and too many pairs of errors are possible.

        Notes
        -----
        Complexity: hypotheses times targets if the hypotheses are listed. Otherwise a hypothesis
        good for two targets takes one side wherever their concepts differ, and the pairs of errors
        that are possible point by point are listed, which are few where the masses are.
        """
        budget = Budget.of(time_limit)
        if self.hypotheses is None:
            for i, j in combinations(range(len(self.targets)), 2):
                budget.spend()
                if self._shared(i, j):
                    return i, j
            return None
        for h in self.hypotheses.rows:
            budget.spend()
            good = [i for i in range(len(self.targets)) if self._error(i, h) <= self.accuracy]
            if len(good) > 1:
                return good[0], good[1]
        return None

    def _error(self, target: int, hypothesis: int) -> Fraction:
        concept, distribution = self.targets[target]
        differ = self.concept_class.rows[concept] ^ hypothesis
        return sum((p for x, p in enumerate(distribution) if differ >> x & 1), Fraction(0))

    def _shared(self, first: int, second: int) -> bool:
        """Whether some function of the points is good for both targets."""
        (f, D), (g, E) = self.targets[first], self.targets[second]
        differ = self.concept_class.rows[f] ^ self.concept_class.rows[g]
        apart = [(p, q) for x, (p, q) in enumerate(zip(D, E, strict=True)) if differ >> x & 1]
        if sum(map(min, apart), Fraction(0)) > 2 * self.accuracy:
            return False  # both errors together are at least that
        errors = {(Fraction(0), Fraction(0))}
        for p, q in apart:
            if p or q:
                errors = set(self._steps(errors, p, q))
                if len(errors) > MAX_SHARES:
                    raise InstanceTooLargeError(
                        f"targets {first} and {second} have more than {MAX_SHARES} common errors"
                    )
        return bool(errors)

    def _steps(
        self, errors: set[tuple[Fraction, Fraction]], p: Fraction, q: Fraction
    ) -> Iterator[tuple[Fraction, Fraction]]:
        """Yield the pairs of errors after a point on which a hypothesis errs for one of two."""
        for a, b in errors:
            if a + p <= self.accuracy:
                yield a + p, b
            if b + q <= self.accuracy:
                yield a, b + q
